"""The plain address of ids that are equal but for case: a page that leads to each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from sitegen import urls
from sitegen.pages.parts import Status, status
from sitegen.plan import Head, Link, Output, Page
from sitegen.site import Site
from sitegen.texts import TextReader


@dataclass(frozen=True)
class Claimant:
    link: Link
    status: Status


@dataclass(frozen=True)
class AmbiguousContext:
    head: Head
    claimants: tuple[Claimant, ...]


def plan(site: Site) -> Iterator[Output]:
    for path, ids in site.addresses.ambiguous.items():
        yield Page(path, "ambiguous", f"the ids {' and '.join(ids)}", partial(_context, site, path, ids))


def _context(site: Site, path: str, ids: tuple[str, ...], _: TextReader) -> AmbiguousContext:
    found = tuple(
        Claimant(Link(i, site.addresses.model(i)), status(site, site.by_id[i], site.by_id[i].latest)) for i in ids
    )
    head = Head(
        path, "Ambiguous name", f"{len(ids)} models differ only in case.", "all", (Link("Models", urls.OWNERS),)
    )
    return AmbiguousContext(head, found)
