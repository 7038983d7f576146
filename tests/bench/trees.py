"""The pages as each generator reads them: the same Markdown below the front matter that it knows.

Addresses are flat (`<pair>/<model>.html`), with one list a pair and a home page that leads to the lists. The templates
and settings that belong to a tree lie in `peers/`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

TITLE = "Model runs"


@dataclass(frozen=True)
class Page:
    """One result."""

    model: str
    facts: Mapping[str, str]
    script: str | None
    log: str | None

    @property
    def stem(self) -> str:
        return self.model.replace("/", "--")


@dataclass(frozen=True)
class Listed:
    """A version pair, as the home page names it and leads to it."""

    slug: str
    title: str


@dataclass(frozen=True)
class Tree:
    """How the pages of a pair and then the home page are written below a folder."""

    pair: Callable[[Path, Listed, Sequence[Page]], None]
    home: Callable[[Path, Sequence[Listed]], None]


def body(page: Page, pair: Listed) -> str:
    """Facts, log and script as Markdown."""
    rows = "".join(f"| {name} | {cell(value)} |\n" for name, value in page.facts.items())
    parts = [f"# {page.model} on {pair.title}\n\n| fact | value |\n| --- | --- |\n{rows}"]
    if page.log is not None:
        parts.append(f"## Error log\n\n{fenced('text', page.log)}")
    if page.script is not None:
        parts.append(f"## run.py\n\n{fenced('python', page.script)}")
    return "\n".join(parts)


def cell(text: str) -> str:
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("\n", " ")


def fenced(language: str, text: str) -> str:
    end = "" if text.endswith("\n") else "\n"
    return f"```{language}\n{text}{end}```\n"


def save(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())  # as it is: a log may hold carriage returns


def front(**values: str) -> str:
    """Front matter in YAML, of which JSON's texts are a part."""
    return "---\n" + "".join(f"{name}: {json.dumps(value)}\n" for name, value in values.items()) + "---\n"


# ----------------------------------------------------------------------------------------- the generators


def hugo_pair(folder: Path, pair: Listed, pages: Sequence[Page]) -> None:
    section = folder / "content" / pair.slug
    save(section / "_index.md", front(title=pair.title))
    for page in pages:
        head = front(title=page.model, result=page.facts["result"])
        save(section / f"{page.stem}.md", head + body(page, pair))


def hugo_home(folder: Path, pairs: Sequence[Listed]) -> None:
    save(folder / "content" / "_index.md", front(title=TITLE))


def eleventy_pair(folder: Path, pair: Listed, pages: Sequence[Page]) -> None:
    section = folder / "src" / pair.slug
    address = f"/{pair.slug}/index.html"
    save(section / "index.njk", front(layout="list.njk", title=pair.title, listed=pair.slug, permalink=address))
    for page in pages:
        address = f"/{pair.slug}/{page.stem}.html"
        known = {"title": page.model, "result": page.facts["result"], "pair": pair.slug}
        save(section / f"{page.stem}.md", front(layout="page.njk", permalink=address, **known) + body(page, pair))


def eleventy_home(folder: Path, pairs: Sequence[Listed]) -> None:
    links = "".join(f'<li><a href="/{pair.slug}/index.html">{pair.title}</a></li>\n' for pair in pairs)
    head = front(layout="page.njk", title=TITLE, permalink="/index.html")
    save(folder / "src" / "index.html", f"{head}<h1>{TITLE}</h1>\n<ul>\n{links}</ul>\n")


def pelican_pair(folder: Path, pair: Listed, pages: Sequence[Page]) -> None:
    for page in pages:
        known = {"Title": page.model, "Date": page.facts["tested_at"][:10], "Category": pair.slug, "Slug": page.stem}
        head = "".join(f"{name}: {value}\n" for name, value in known.items())
        text = f"{head}Result: {page.facts['result']}\n\n{body(page, pair)}"
        save(folder / "content" / pair.slug / f"{page.stem}.md", text)


def pelican_home(folder: Path, pairs: Sequence[Listed]) -> None:
    """Nothing: Pelican makes home and lists of the categories."""


def mkdocs_pair(folder: Path, pair: Listed, pages: Sequence[Page]) -> None:
    section = folder / "docs" / pair.slug
    rows = "".join(f"| [{page.model}]({page.stem}.md) | {page.facts['result']} |\n" for page in pages)
    save(section / "index.md", f"# {pair.title}\n\n| model | result |\n| --- | --- |\n{rows}")
    for page in pages:
        save(section / f"{page.stem}.md", front(title=page.model) + body(page, pair))


def mkdocs_home(folder: Path, pairs: Sequence[Listed]) -> None:
    """The home page, and the navigation: to the lists only, since every page repeats it."""
    links = "".join(f"- [{pair.title}]({pair.slug}/index.md)\n" for pair in pairs)
    save(folder / "docs" / "index.md", f"# {TITLE}\n\n{links}")
    entries = "".join(f"  - {json.dumps(pair.title)}: {pair.slug}/index.md\n" for pair in pairs)
    save(folder / "nav.yml", f"nav:\n  - Home: index.md\n{entries}")


TREES: Mapping[str, Tree] = {
    "hugo": Tree(hugo_pair, hugo_home),
    "eleventy": Tree(eleventy_pair, eleventy_home),
    "pelican": Tree(pelican_pair, pelican_home),
    "mkdocs": Tree(mkdocs_pair, mkdocs_home),
}
