"""Which version pairs are compared, and what each comparison finds: shared by its pages, the lists and the versions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from sitegen.history import BUCKETS, Compared, compare
from sitegen.model import VersionPair
from sitegen.pages.parts import PAGE_ROWS, pair_text
from sitegen.plan import Link
from sitegen.site import Site
from sitegen.urls import paged

TOLD = ("regressed", "fixed", "new")  # the buckets of the line on the first page of the site


@dataclass(frozen=True)
class BucketLink:
    """How many models are in a bucket, and the page of the comparison on which it begins; None where it is empty."""

    key: str
    label: str
    count: int
    path: str | None


@dataclass(frozen=True)
class Comparison:
    """Two pairs of one library, the older first. What its pages share is found once."""

    site: Site
    old: VersionPair
    new: VersionPair

    @property
    def path(self) -> str:
        return self.site.addresses.comparison(self.old, self.new)

    @cached_property
    def found(self) -> Mapping[str, Sequence[Compared]]:
        return compare(self.site, self.old, self.new)

    @cached_property
    def entries(self) -> tuple[tuple[str, Compared], ...]:
        """Every model with its bucket, in the order of the pages."""
        return tuple((key, entry) for key, entries in self.found.items() for entry in entries)

    @cached_property
    def buckets(self) -> tuple[BucketLink, ...]:
        links, before = [], 0
        for key, label in BUCKETS.items():
            size = len(self.found[key])
            links.append(BucketLink(key, label, size, paged(self.path, 1 + before // PAGE_ROWS) if size else None))
            before += size
        return tuple(links)

    @property
    def words(self) -> str:
        """What its pages are: both pairs by name."""
        return f"the comparison of {pair_text(self.site, self.new)} with {pair_text(self.site, self.old)}"

    def link(self, current: Comparison | None = None) -> Link:
        """A link that names both pairs."""
        text = f"{pair_text(self.site, self.new)} against {pair_text(self.site, self.old)}"
        return Link(text, self.path, current is not None and (self.old, self.new) == (current.old, current.new))


def predecessor(site: Site, pair: VersionPair) -> VersionPair | None:
    """The next lower pair of the same library: only these can be compared."""
    at = site.pairs.index(pair)
    return next((other for other in site.pairs[at + 1 :] if other.library == pair.library), None)


def against_predecessor(site: Site, pair: VersionPair) -> Comparison | None:
    old = predecessor(site, pair)
    return Comparison(site, old, pair) if old else None


def by_library(pairs: Iterable[VersionPair]) -> Mapping[str | None, Sequence[VersionPair]]:
    found: dict[str | None, list[VersionPair]] = {}
    for pair in pairs:
        found.setdefault(pair.library, []).append(pair)
    return found


def comparisons(site: Site) -> Iterator[Comparison]:
    """Of each library the newest pair against every other, then every other against its predecessor."""
    for newest, *older in by_library(site.pairs).values():
        yield from (Comparison(site, old, newest) for old in older)
        yield from (Comparison(site, old, new) for new, old in pairwise(older))


@dataclass(frozen=True)
class News:
    """What the newest pair changed, in one line."""

    new: Link
    old: Link
    path: str  # of the comparison
    buckets: tuple[BucketLink, ...]


def news_of(site: Site) -> News | None:
    """None where the newest pair has no predecessor."""
    comparison = against_predecessor(site, site.pairs[0]) if site.pairs else None
    if comparison is None:
        return None
    new, old = (Link(pair_text(site, pair), site.addresses.pair(pair)) for pair in (comparison.new, comparison.old))
    told = tuple(bucket for bucket in comparison.buckets if bucket.key in TOLD)
    return News(new, old, comparison.path, told)
