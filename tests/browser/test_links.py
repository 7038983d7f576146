"""The pages of the built demo as text: every link leads to a file and every anchor to an element, at any base path;
and headings, landmarks and tables are in order on every one of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from posixpath import dirname, normpath
from urllib.parse import unquote, urlsplit
from zipfile import ZipFile

import pytest

from tests.browser.conftest import BASE

VOID = "area base br col embed hr img input link meta source track wbr".split()
# Attributes that name elements of the same page by their ids; `data-copy` is what a button copies.
REFERENCES = ("for", "aria-labelledby", "aria-describedby", "aria-controls", "headers", "list", "form", "data-copy")
OWN_ADDRESS = re.compile(rf"https://example\.org{BASE}([\w./%+#~-]*[\w/])")
SCOPES = ("col", "row", "colgroup", "rowgroup")


class Parsed(HTMLParser):
    """The links, ids and structure of a page, and whether its elements close in order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.ids: list[str] = []
        self.references: list[str] = []
        self.open: list[str] = []
        self.inline: list[str] = []
        self.headings: list[int] = []
        self.tags: list[str] = []
        self.tables: list[list[str]] = []  # for each its captions, and its headers without a scope
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        self.links += [
            value for name in ("href", "src", "action", "data-rows") if (value := values.get(name)) is not None
        ]
        if values.get("id"):
            self.ids.append(values["id"] or "")
        self.references += [id_ for name in REFERENCES for id_ in (values.get(name) or "").split()]
        self._structure(tag, values)
        if (
            tag == "style"
            or (tag == "script" and "src" not in values and values.get("type") != "application/ld+json")
            or any(n == "style" or n.startswith("on") for n in values)
        ):
            self.inline.append(f"<{tag} {values}>")
        if tag not in VOID:
            self.open.append(tag)

    def _structure(self, tag: str, values: dict[str, str | None]) -> None:
        if "template" in self.open:
            return
        self.tags.append(tag)
        if tag in ("h1", "h2", "h3", "h4"):
            self.headings.append(int(tag[1]))
        if tag == "table":
            self.tables.append([])
        if tag == "caption" or (tag == "th" and values.get("scope") not in SCOPES):
            self.tables[-1].append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """An SVG element that closes itself."""

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def parse(folder: Path) -> dict[str, Parsed]:
    return {path.relative_to(folder).as_posix(): Parsed(path.read_text("utf-8")) for path in folder.rglob("*.html")}


@pytest.fixture(scope="module")
def parsed(site: Path) -> dict[str, Parsed]:
    return parse(site)


@pytest.fixture(scope="module")
def unpacked(site: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What is in site.zip, on the disk."""
    folder = tmp_path_factory.mktemp("unpacked")
    with ZipFile(site / "site.zip") as archive:
        archive.extractall(folder)
    return folder


def target(page: str, href: str) -> tuple[str, str]:
    """The path and anchor that a link leads to."""
    parts = urlsplit(href)
    path = unquote(parts.path)
    if page == "404.html" and path:
        assert path.startswith(BASE), href
        return path.removeprefix(BASE), parts.fragment
    return normpath(f"{dirname(page)}/{path}").lstrip("/") if path else page, parts.fragment


def broken(folder: Path, parsed: dict[str, Parsed]) -> Iterator[str]:
    """Links that name no file of the folder, or no element of their page."""
    for page, found in parsed.items():
        for href in found.links:
            if urlsplit(href).scheme:
                continue
            path, anchor = target(page, href)
            if not (folder / path).is_file() or (anchor and path in parsed and anchor not in parsed[path].ids):
                yield f"{page}: {href}"


def test_every_link_names_a_file_and_every_anchor_an_element(site: Path, parsed: dict[str, Parsed]) -> None:
    assert list(broken(site, parsed)) == []


def test_the_unpacked_archive_is_whole(unpacked: Path) -> None:
    pages = parse(unpacked)
    assert sum(len(found.links) for found in pages.values()) > 20 * len(pages) > 5_000
    assert list(broken(unpacked, pages)) == []


def test_every_full_address_of_the_site_leads_to_what_is_in_the_archive(unpacked: Path) -> None:
    """Those of feeds, the sitemap, llms.txt, citations, badges and files for programs."""
    files = [path for kind in ("html", "xml", "md", "json", "txt", "py") for path in unpacked.rglob(f"*.{kind}")]
    named: dict[str, str] = {}
    for file in files:
        for address in OWN_ADDRESS.findall(file.read_text("utf-8")):
            named.setdefault(unescape(address).partition("#")[0], file.name)
    named.pop("site.zip")  # not in itself
    assert len(named) > 500
    there = [(unpacked / unquote(path) / "index.html", unpacked / unquote(path)) for path in named]
    lost = [str(file) for page, file in there if not page.is_file() and not file.is_file()]
    assert lost == []


def test_every_page_is_reached_from_home(parsed: dict[str, Parsed]) -> None:
    seen, todo = {"404.html"}, ["index.html"]
    while todo:
        page = todo.pop()
        if page in parsed and page not in seen:
            seen.add(page)
            todo += [target(page, href)[0] for href in parsed[page].links if not urlsplit(href).scheme]
    assert set(parsed) - seen == set()


def test_no_id_stands_twice_and_nothing_is_inline(parsed: dict[str, Parsed]) -> None:
    for page, found in parsed.items():
        assert len(found.ids) == len(set(found.ids)), page
        assert found.inline == [], page
        assert found.open == [], page


def test_every_reference_names_an_element_of_its_page(parsed: dict[str, Parsed]) -> None:
    dangling = {page: {*found.references} - {*found.ids} for page, found in parsed.items()}
    assert {page: ids for page, ids in dangling.items() if ids} == {}
    assert sum(len(found.references) for found in parsed.values()) > len(parsed)


def test_headings_are_in_order(parsed: dict[str, Parsed]) -> None:
    for page, found in parsed.items():
        assert found.headings.count(1) == 1, page
        # The way down goes one level at a time. The contents of a doc may stand before its main heading.
        steps = list(pairwise([0, *found.headings] if found.headings[0] == 1 else found.headings))
        assert [(here, there) for here, there in steps if there > here + 1] == [], page


def test_every_page_has_its_landmarks_once_and_begins_with_the_way_past_them(parsed: dict[str, Parsed]) -> None:
    for page, found in parsed.items():
        assert found.tags.count("main") == 1, page
        assert found.tags.index("header") < found.tags.index("main") < found.tags.index("footer"), page
        anchors = [href for href in found.links if href.startswith("#")]
        assert anchors[0] == "#main", page
        assert found.tags.index("a") < found.tags.index("header"), page


def test_every_table_has_one_caption_and_scoped_headers(parsed: dict[str, Parsed]) -> None:
    # A table in Markdown has one row of headers and no caption: the sentence before it says what it holds.
    pages = {page: found.tables for page, found in parsed.items() if not page.startswith("docs/")}
    wrong = {page: tables for page, tables in pages.items() if any(table != ["caption"] for table in tables)}
    assert wrong == {}
    assert sum(map(len, pages.values())) > len(pages)


def test_links_elsewhere_are_https(parsed: dict[str, Parsed]) -> None:
    schemes = {urlsplit(href).scheme for found in parsed.values() for href in found.links}
    assert schemes <= {"", "https"}
