"""A built site as tests look at it: pages with their visible text, elements and links, and the data of the search."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

VOID = frozenset("area base br col embed hr img input link meta source track wbr".split())
HIDDEN = frozenset({"head", "script", "style", "template"})
RAW_ROW = "raw-row"  # the id of the element that shows the row as JSON, where null may stand


@dataclass(frozen=True)
class Element:
    tag: str
    attributes: dict[str, str]
    text: str  # all text inside, tags taken off

    def has_class(self, name: str) -> bool:
        return name in self.attributes.get("class", "").split()


class Page(HTMLParser):
    """`text` is what a reader sees, the raw row apart; elements are in the order of their ends."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.html = html
        self.elements: list[Element] = []
        self.raw_row = ""
        self._open: list[tuple[str, dict[str, str], list[str]]] = []
        self._seen: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        if tag in VOID:
            self.elements.append(Element(tag, values, ""))
        else:
            self._open.append((tag, values, []))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(Element(tag, {name: value or "" for name, value in attrs}, ""))

    def handle_endtag(self, tag: str) -> None:
        opened, values, parts = self._open.pop()
        assert opened == tag, f"<{opened}> is closed by </{tag}>"
        text = "".join(parts)
        self.elements.append(Element(tag, values, text))
        if self._open:
            self._open[-1][2].append(text)

    def handle_data(self, data: str) -> None:
        if self._open:
            self._open[-1][2].append(data)
        if any(values.get("id") == RAW_ROW for _, values, _ in self._open):
            self.raw_row += data
        elif not HIDDEN.intersection(tag for tag, _, _ in self._open):
            self._seen.append(data)

    @cached_property
    def text(self) -> str:
        return "".join(self._seen)

    @cached_property
    def lines(self) -> list[str]:
        return [" ".join(line.split()) for line in self.text.split("\n") if line.strip()]

    def says(self, literal: str) -> bool:
        """Whether the text stands in the page, inside one line."""
        return any(literal in line for line in self.text.split("\n"))

    @cached_property
    def ids(self) -> list[str]:
        return [e.attributes["id"] for e in self.elements if "id" in e.attributes]

    def all(self, tag: str, **attributes: str) -> list[Element]:
        wanted = {name.strip("_").replace("_", "-"): value for name, value in attributes.items()}
        return [e for e in self.elements if e.tag == tag and wanted.items() <= e.attributes.items()]

    def one(self, tag: str, **attributes: str) -> Element:
        (found,) = self.all(tag, **attributes)
        return found

    @cached_property
    def outcome(self) -> str:
        """The words of the status that stands first on the page of a model or a result."""
        return " ".join(self.one("p", _class="outcome").text.split())

    @property
    def tone(self) -> str:
        return self.one("section", _class="facts").attributes["data-tone"]

    def fact(self, name: str) -> str:
        """The value beside a name in the lists of facts, the first one where there are several."""
        for i, element in enumerate(self.elements):
            if element.tag == "dt" and element.text.strip() == name:
                return " ".join(next(e for e in self.elements[i:] if e.tag == "dd").text.split())
        raise AssertionError(f"no fact {name!r}")

    def rows(self) -> list[dict[str, str]]:
        """The rows of a list: for each its id, the text of every cell by its column, and `<column>=`, its value."""
        found: list[dict[str, str]] = []
        cells: dict[str, str] = {}
        for element in self.elements:
            column = next((c for c in element.attributes.get("class", "").split() if c.startswith("c-")), "")
            if element.tag in ("td", "th") and column and "data-sort" not in element.attributes:
                cells[column[2:]] = " ".join(element.text.split())
                cells[f"{column[2:]}="] = element.attributes.get("data-value", "")
            if element.tag == "tr":
                if "data-id" in element.attributes:
                    found.append({"id": element.attributes["data-id"], "tone": element.attributes["data-tone"]} | cells)
                cells = {}
        return found

    def tallies(self) -> dict[str, int]:
        """The counts by outcome above a list."""
        found = re.findall(r'<span class="count">([\d,]+)</span> <b>(.*?)</b>', self.html)
        return {unescape(label): int(number.replace(",", "")) for number, label in found}


@lru_cache(maxsize=512)
def parsed(data: bytes) -> Page:
    return Page(data.decode("utf-8"))


@dataclass(frozen=True)
class BuiltSite:
    folder: Path

    @cached_property
    def paths(self) -> list[str]:
        """All files but the marker."""
        found = (p.relative_to(self.folder).as_posix() for p in self.folder.rglob("*") if p.is_file())
        return sorted(path for path in found if path != ".sitegen")

    @cached_property
    def paths_set(self) -> frozenset[str]:
        return frozenset(self.paths)

    def page(self, path: str) -> Page:
        return parsed((self.folder / path).read_bytes())

    def read(self, path: str) -> bytes:
        return (self.folder / path).read_bytes()

    @cached_property
    def pages(self) -> dict[str, Page]:
        return {path: self.page(path) for path in self.paths if path.endswith(".html")}

    @cached_property
    def names(self) -> dict[str, str]:
        """The ids that the search knows, each with its folder."""
        data = script_data(self.read("search/names.js"), "names")
        ids = data["ids"].split("\n")
        assert len(ids) == len(set(ids)) == len(data["models"])
        return dict(zip(ids, [entry[0] for entry in data["models"]], strict=True))

    def of(self, model_id: str) -> dict[str, Page]:
        """The pages of one model: its own and its results'."""
        return {path: page for path, page in self.pages.items() if path.startswith(self.names[model_id])}

    def results(self, model_id: str) -> list[Page]:
        """The pages of the model's results."""
        own = self.names[model_id] + "index.html"
        return [page for path, page in self.of(model_id).items() if path != own]

    def result(self, model_id: str) -> Page:
        (page,) = self.results(model_id)
        return page

    def file(self, model_id: str, name: str) -> bytes:
        """The one file of this name below a model's folder."""
        (path,) = (p for p in self.paths if p.startswith(self.names[model_id]) and p.endswith(f"/{name}"))
        return self.read(path)

    def says(self, literal: str, where: str = "site") -> bool:
        pages = self.pages if where == "site" else self.of(where)
        return any(page.says(literal) for page in pages.values())


def script_data(data: bytes, name: str) -> Any:
    """The value that a data script assigns; what a script may not hold literally is escaped in it."""
    text = data.decode("utf-8")
    match = re.fullmatch(rf'sitegenData\("{name}",(.*)\);\n', text, re.DOTALL)
    assert match, text[:80]
    assert not re.search("[<>&\u2028\u2029]", match[1])
    return json.loads(match[1], parse_constant=_no_constant)


def _no_constant(word: str) -> None:
    raise AssertionError(f"{word} in JSON")


def contents(folder: Path) -> dict[str, bytes]:
    """Every file below a folder with its bytes."""
    return dict(_contents(folder))


def _contents(folder: Path) -> Iterator[tuple[str, bytes]]:
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            yield path.relative_to(folder).as_posix(), path.read_bytes()
