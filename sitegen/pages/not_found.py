"""The page that a host shows for an address that is not there, at any depth: its links alone are absolute paths."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sitegen import urls
from sitegen.plan import Head, Link, Output, Page
from sitegen.search import NAMES_PATH
from sitegen.site import Site
from sitegen.texts import TextReader


@dataclass(frozen=True)
class NotFoundContext:
    head: Head
    names_script: str  # the ids, in which a script looks for the nearest to the address
    links: tuple[Link, ...]


def plan(_: Site) -> Iterator[Output]:
    yield Page(urls.NOT_FOUND, "not_found", "the error page", _context)


def _context(_: TextReader) -> NotFoundContext:
    head = Head(urls.NOT_FOUND, "Page not found", "There is no page at this address.")
    links = (
        Link("All models", urls.ALL),
        Link("Search", urls.SEARCH),
        Link("Versions", urls.VERSIONS),
        Link("Docs", urls.DOCS),
    )
    return NotFoundContext(head, NAMES_PATH, links)
