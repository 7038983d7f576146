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

import markdown
from markupsafe import Markup

from sitegen.config import read_toml
from sitegen.errors import BadInput, Place, Problems
from sitegen.model import Selected
from sitegen.outcome import Words, parse_words
from sitegen.runs import EXPECTED_ID, usable_id
from sitegen.safe import author_html
from sitegen.urls import segment

_EXTENSIONS = ("tables", "fenced_code", "toc", "meta", "def_list", "attr_list", "sane_lists")
_DOC_LINK = re.compile(r"([\w.-]+)\.md(#.*)?")
EXCLUSION_KINDS = ("not-prioritised", "incompatible")


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
class ExclusionRule:
    """An entry of `excluded.toml`: an exact id or a case-insensitive glob over ids."""

    id: str | None
    pattern: str | None
    reason: str | None
    kind: str | None
    place: Place


@dataclass(frozen=True)
class Lists:
    selected: tuple[Selected, ...] = ()
    excluded: tuple[ExclusionRule, ...] = ()


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
        raise BadInput("\n".join(map(str, problems)) or "content/outcomes.toml: missing")
    try:
        return parse_words(table)
    except (KeyError, ValueError, TypeError, AttributeError) as error:
        raise BadInput(f"{path}: {error} [setting-unreadable]") from None


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


def load_lists(content: Content, data: Path, problems: Problems) -> Lists:
    """The maintainers' lists, of the data folder where it has them."""
    return Lists(_selected(content, data, problems), _excluded(content, data, problems))


def _list_entries(
    content: Content, data: Path, name: str, table: str, problems: Problems
) -> list[tuple[Place, dict[str, Any]]]:
    own = data / "lists" / name
    path = own if own.is_file() else content.file(f"lists/{name}")
    label = f"lists/{name}"
    entries = (read_toml(path, problems, label) if path else None) or {}
    for key in sorted(set(entries) - {table}):
        problems.notice("setting-unknown", Place(label, 0, key), "an unknown table", expected=f"[[{table}]]")
    found = entries.get(table, [])
    if not isinstance(found, list) or not all(isinstance(entry, dict) for entry in found):
        problems.error("setting-unreadable", Place(label), f"{table} is no list of tables", expected=f"[[{table}]]")
        return []
    return [(Place(label, number), entry) for number, entry in enumerate(found, 1)]


def _texts(place: Place, entry: dict[str, Any], names: tuple[str, ...], problems: Problems) -> dict[str, str | None]:
    """The named values as text (dates too); what is neither is an error, what is not named a notice."""
    for name in sorted(set(entry) - set(names)):
        problems.notice(
            "setting-unknown", Place(place.file, place.row, name), "an unknown key", expected=", ".join(names)
        )
    values: dict[str, str | None] = {}
    for name in names:
        value = entry.get(name)
        if isinstance(value, int | float | list | dict):
            problems.error(
                "setting-unreadable", Place(place.file, place.row, name), f"found {value!r}", expected="text"
            )
            value = None
        values[name] = (str(value).strip() or None) if value is not None else None
    return values


def _selected(content: Content, data: Path, problems: Problems) -> tuple[Selected, ...]:
    found: dict[str, Selected] = {}
    for place, entry in _list_entries(content, data, "selected.toml", "model", problems):
        values = _texts(place, entry, ("id", "note", "since"), problems)
        model_id = values["id"]
        if model_id is None or not usable_id(model_id):
            problems.error(
                "id-unusable",
                Place(place.file, place.row, "id"),
                f"found {entry.get('id')!r}",
                expected=EXPECTED_ID,
            )
        elif model_id in found:
            problems.notice("list-twice", place, f"{model_id} stands in the list twice; the first entry counts")
        else:
            found[model_id] = Selected(model_id, values["note"], values["since"])
    return tuple(found.values())


def _excluded(content: Content, data: Path, problems: Problems) -> tuple[ExclusionRule, ...]:
    rules: list[ExclusionRule] = []
    for place, entry in _list_entries(content, data, "excluded.toml", "exclusion", problems):
        values = _texts(place, entry, ("id", "pattern", "reason", "kind"), problems)
        if (values["id"] is None) == (values["pattern"] is None):
            problems.error("setting-unreadable", place, "found both or neither", expected="either `id` or `pattern`")
        elif values["kind"] is not None and values["kind"] not in EXCLUSION_KINDS:
            expected = " or ".join(EXCLUSION_KINDS)
            problems.error(
                "setting-unreadable",
                Place(place.file, place.row, "kind"),
                f"found {values['kind']!r}",
                expected=expected,
            )
        else:
            rules.append(ExclusionRule(values["id"], values["pattern"], values["reason"], values["kind"], place))
    return tuple(rules)


def check_links(docs: tuple[Doc, ...], problems: Problems) -> None:
    """Reports links between docs that lead nowhere."""
    anchors = {doc.stem: doc.anchors for doc in docs}
    for doc in docs:
        for stem, anchor in doc.links:
            if stem not in anchors or (anchor and anchor not in anchors[stem]):
                target = f"{stem}.md{anchor and '#' + anchor}"
                problems.notice("doc-link-broken", Place(doc.file), f"a link to {target}, which is not there")
