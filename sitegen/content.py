"""What people wrote: docs and caveats in Markdown, outcome words and lists in TOML.

Built-in content lies in `content/`; `--content DIR` overlays it file by file, and `lists/` of the data folder wins
over both.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import markdown
from markupsafe import Markup

from sitegen.config import read_toml
from sitegen.errors import BadInput, Place, Problems
from sitegen.outcome import Words, parse_words
from sitegen.safe import author_html
from sitegen.segments import segment

_EXTENSIONS = ("tables", "fenced_code", "toc", "meta", "def_list", "attr_list", "sane_lists")
_DOC_LINK = re.compile(r"([\w.-]+)\.md(#.*)?")


def packaged(folder: str) -> Path:
    """A folder of ours: in the repository beside the package, in an installed wheel inside it."""
    inside = Path(__file__).parent / "_files" / folder
    return inside if inside.is_dir() else Path(__file__).parent.parent / folder


@dataclass(frozen=True)
class Heading:
    level: int
    anchor: str
    text: str


@dataclass(frozen=True)
class Doc:
    """One page of the docs. `links` are the (document, anchor) pairs that it refers to, for the checks."""

    stem: str
    file: str
    title: str
    summary: str
    order: float
    html: Markup
    text: str  # for the search
    headings: tuple[Heading, ...]
    links: tuple[tuple[str, str], ...]

    @property
    def anchors(self) -> frozenset[str]:
        return frozenset(re.findall(r' id="([^"]+)"', self.html))


@dataclass(frozen=True)
class Content:
    """The folders to look in, the winning one first."""

    folders: tuple[Path, ...]

    def file(self, name: str) -> Path | None:
        return next((path for folder in self.folders if (path := folder / name).is_file()), None)

    def files(self, folder: str, ending: str) -> list[Path]:
        """The files of a folder by name, each from the first place that has it. Hidden names are skipped."""
        names = {path.name for root in self.folders for path in (root / folder).glob(f"[!._]*{ending}")}
        return [path for name in sorted(names) if (path := self.file(f"{folder}/{name}"))]


def load_words(content: Content) -> Words:
    """The outcome words. Raises BadInput when the file is not as expected: nothing can be read without it."""
    problems = Problems()
    path = content.file("outcomes.toml")
    table = read_toml(path, problems) if path else None
    if table is None:
        raise BadInput("; ".join(map(str, problems)) or "content/outcomes.toml: missing")
    try:
        return parse_words(table)
    except ValueError as error:
        raise BadInput(f"{path}: {error} [setting-unreadable]") from None
    except (KeyError, TypeError, AttributeError):
        expected = (
            "[[outcome]] tables with key, label, tone, sentence and docs, and [verification] as in the built-in file"
        )
        raise BadInput(f"{path}: a table or a text is missing or of another kind; expected {expected}") from None


def load_docs(content: Content, problems: Problems) -> tuple[Doc, ...]:
    docs: dict[str, Doc] = {}
    for path in content.files("docs", ".md"):
        if doc := _doc(path, problems):
            other = docs.setdefault(segment(doc.stem), doc)
            if other is not doc:
                found = f"its name differs from {other.file} only in case, so both have one address"
                problems.error("doc-address-twice", Place(doc.file), found, hint="Rename one of them")
    return tuple(sorted(docs.values(), key=lambda doc: (doc.order, doc.stem)))


def _markdown(path: Path, problems: Problems) -> tuple[str, Any] | None:
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        problems.error("text-not-utf8", Place(f"{path.parent.name}/{path.name}"), str(error), expected="UTF-8 text")
        return None
    parser = markdown.Markdown(extensions=list(_EXTENSIONS))
    return parser.convert(text), parser


def _doc(path: Path, problems: Problems) -> Doc | None:
    made = _markdown(path, problems)
    if made is None:
        return None
    html, parser = made
    meta: Mapping[str, list[str]] = parser.Meta
    tokens = list(_flat(parser.toc_tokens))
    top = next((unescape(token["name"]) for token in tokens if token["level"] == 1), None)
    links: list[tuple[str, str]] = []

    def link(href: str) -> str:
        match = _DOC_LINK.fullmatch(href)
        if not match:
            if href.startswith("#"):
                links.append((path.stem, href[1:]))
            elif not urlsplit(href).scheme:
                links.append((href, ""))  # leads out of the docs: reported, and dead on the page
                return "#"
            return href
        links.append((match[1], (match[2] or "#")[1:]))
        return f"../{segment(match[1])}/index.html{match[2] or ''}"

    clean = author_html(re.sub(r"<h1\b.*?</h1>", "", html, count=1, flags=re.DOTALL), link)
    return Doc(
        path.stem,
        f"docs/{path.name}",
        " ".join(meta.get("title", [])) or top or path.stem.replace("-", " ").capitalize(),
        " ".join(meta.get("summary", [])),
        _number(" ".join(meta.get("order", []))),
        clean,
        clean.striptags(),
        tuple(Heading(t["level"], t["id"], unescape(t["name"])) for t in tokens if 1 < t["level"] < 4),
        tuple(links),
    )


def _flat(tokens: list[Any]) -> Any:
    for token in tokens:
        yield token
        yield from _flat(token["children"])


def _number(text: str) -> float:
    return float(text) if re.fullmatch(r"\d{1,6}(\.\d{1,6})?", text) else 1000.0


def load_caveats(content: Content, problems: Problems) -> Mapping[str, Markup]:
    """The sentence of each caveat rule, by the rule's id, with `{fields}` still in it."""
    sentences: dict[str, Markup] = {}
    for path in content.files("caveats", ".md"):
        if made := _markdown(path, problems):
            html = re.sub(r"\A<p>(.*)</p>\Z", r"\1", made[0], flags=re.DOTALL)
            sentences[path.stem] = author_html(html)
    return sentences


def check_links(docs: tuple[Doc, ...], problems: Problems) -> None:
    """Reports links between docs that lead nowhere."""
    anchors = {doc.stem: doc.anchors for doc in docs}
    for doc in docs:
        for stem, anchor in doc.links:
            if stem not in anchors or (anchor and anchor not in anchors[stem]):
                target = stem if "/" in stem else f"{stem}.md{anchor and '#' + anchor}"
                problems.notice("doc-link-broken", Place(doc.file), f"a link to {target}, which is not there")
