"""Every link of the built demo leads to a file, and every anchor to an element, at any base path."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path
from posixpath import dirname, normpath
from urllib.parse import unquote, urlsplit

import pytest

from tests.browser.conftest import BASE

VOID = "area base br col embed hr img input link meta source track wbr".split()


class Parsed(HTMLParser):
    """The links and ids of a page, and whether its elements close in order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.ids: list[str] = []
        self.open: list[str] = []
        self.inline: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        self.links += [
            value for name in ("href", "src", "action", "data-rows") if (value := values.get(name)) is not None
        ]
        if values.get("id"):
            self.ids.append(values["id"] or "")
        if (
            tag == "style"
            or (tag == "script" and "src" not in values)
            or any(n == "style" or n.startswith("on") for n in values)
        ):
            self.inline.append(f"<{tag} {values}>")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """An SVG element that closes itself."""

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.fixture(scope="module")
def parsed(site: Path) -> dict[str, Parsed]:
    return {path.relative_to(site).as_posix(): Parsed(path.read_text("utf-8")) for path in site.rglob("*.html")}


def target(page: str, href: str) -> tuple[str, str]:
    """The path and anchor that a link leads to."""
    parts = urlsplit(href)
    path = unquote(parts.path)
    if page == "404.html" and path:
        assert path.startswith(BASE), href
        return path.removeprefix(BASE), parts.fragment
    return normpath(f"{dirname(page)}/{path}").lstrip("/") if path else page, parts.fragment


def test_every_link_names_a_file_and_every_anchor_an_element(site: Path, parsed: dict[str, Parsed]) -> None:
    broken = []
    for page, found in parsed.items():
        for href in found.links:
            if urlsplit(href).scheme:
                continue
            path, anchor = target(page, href)
            if not (site / path).is_file() or (anchor and path in parsed and anchor not in parsed[path].ids):
                broken.append(f"{page}: {href}")
    assert broken == []


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


def test_links_elsewhere_are_https(parsed: dict[str, Parsed]) -> None:
    schemes = {urlsplit(href).scheme for found in parsed.values() for href in found.links}
    assert schemes <= {"", "https"}
