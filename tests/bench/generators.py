"""How each generator builds one catalogue from nothing, and a look at what it built."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.bench import install, workshop
from tests.bench.measure import Command
from tests.bench.workshop import Workshop
from tests.tooling import node


@dataclass(frozen=True)
class Generator:
    """One way to build the pages."""

    title: str
    tree: str  # the folder of the catalogue that it reads, also the one in `peers/`
    out: str
    command: Callable[[Path], Command]  # for its tree
    highlights: bool = True


def hugo(tree: Path, *options: str) -> Command:
    return Command((install.hugo(), "--quiet", *options), tree, {"HUGO_CACHEDIR": str(tree / "cache")})


def hugo_off(tree: Path) -> Command:
    return hugo(tree, "--config", "hugo.toml,off.toml", "--destination", "public-off")


def eleventy(tree: Path) -> Command:
    """With more memory than Node takes by itself, which it needs for many pages."""
    program = workshop.HOME / "node_modules" / "@11ty" / "eleventy" / "cmd.cjs"
    return Command((str(node.get().path), "--max-old-space-size=16000", str(program), "--quiet"), tree)


def pelican(tree: Path) -> Command:
    program = str(install.VENV / "bin" / "pelican")
    return Command((program, "content", "--output", "output", "--settings", "pelicanconf.py", "--quiet"), tree)


def mkdocs(tree: Path) -> Command:
    return Command((str(install.VENV / "bin" / "mkdocs"), "build", "--quiet"), tree)


def itself(tree: Path) -> Command:
    return workshop.sitegen(tree, tree.parent / "site")


SITEGEN = Generator("sitegen", "data", "../site", itself)
PEERS: Mapping[str, Generator] = {
    "hugo-off": Generator("Hugo, highlighting off", "hugo", "public-off", hugo_off, highlights=False),
    "eleventy": Generator("Eleventy with Prism", "eleventy", "_site", eleventy),
    "hugo": Generator("Hugo, highlighting on", "hugo", "public", hugo),
    "pelican": Generator("Pelican", "pelican", "output", pelican),
    "mkdocs": Generator("MkDocs", "mkdocs", "site", mkdocs),
}


def furnish(tree: Path, name: str) -> None:
    """Puts templates and settings beside the pages."""
    shutil.copytree(install.PEERS / name, tree, dirs_exist_ok=True)
    nav = tree / "nav.yml"
    if nav.exists():
        with (tree / "mkdocs.yml").open("a", encoding="utf-8") as settings:
            settings.write(nav.read_text("utf-8"))


def cold(shop: Workshop, generator: Generator, catalogue: Path) -> Callable[[], Command]:
    """Prepares a build from nothing: the last output is moved away."""

    def prepare() -> Command:
        tree = catalogue / generator.tree
        shop.away((tree / generator.out).resolve())
        return generator.command(tree)

    return prepare


def look_at(generator: Generator, catalogue: Path, results: int) -> None:
    """Ends the benchmark where a build left pages out, or highlighted when it should not."""
    out = (catalogue / generator.tree / generator.out).resolve()
    pages = sum(1 for _ in out.rglob("*.html"))
    if pages < results:
        raise SystemExit(f"{generator.title} wrote {pages} pages of {results} results")
    texts = (page.read_text("utf-8") for page in sorted(out.rglob("*.html")))
    script = next(text for text in texts if "MODEL_ID" in text)
    if ("<span " in script.split("MODEL_ID", 1)[1].split("</pre>", 1)[0]) != generator.highlights:
        raise SystemExit(f"{generator.title}: the script of a page is not highlighted as it should be")
