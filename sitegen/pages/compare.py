"""Two version pairs of one library side by side: every model with a row under either, by what changed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property, partial
from itertools import pairwise

from sitegen import urls
from sitegen.cells import count
from sitegen.model import VersionPair
from sitegen.pages.compared import COMPARE_FACETS, FIELDS, CompareRow, compact_compared, compare_row, options_in
from sitegen.pages.comparisons import TOLD, BucketLink, Comparison, by_library, comparisons
from sitegen.pages.facets import Facet, Option, compact_facet, facets_of, places_in
from sitegen.pages.parts import PageLinks, doc_path, page_links, pages, pair_text
from sitegen.pages.rows import page_texts
from sitegen.plan import File, Head, Link, Output, Page
from sitegen.safe import data_script
from sitegen.site import Site
from sitegen.texts import TextReader


@dataclass(frozen=True)
class CompareContext:
    """A page of a comparison: at most 200 rows, by bucket and then by id."""

    head: Head
    old: Link
    new: Link
    either: int  # models with a row under either pair; the buckets add up to it
    under_old: int
    under_new: int
    buckets: tuple[BucketLink, ...]
    all_links: tuple[Link, ...]  # every comparison
    index_path: str
    rows: tuple[CompareRow, ...]
    pages: PageLinks
    facets: tuple[Facet, ...]
    rows_script: str
    file_name: str
    meaning: str  # the page of the docs on what the buckets are


@dataclass(frozen=True)
class OldRow:
    """A pair as the older of two: against the one after it, and against the newest where that is another."""

    pair: Link
    next: Link
    next_buckets: tuple[BucketLink, ...]
    newest: Link | None
    newest_buckets: tuple[BucketLink, ...]


@dataclass(frozen=True)
class LibraryRows:
    library: str
    newest: Link
    rows: tuple[OldRow, ...]  # none where the library has one pair


@dataclass(frozen=True)
class ComparisonsContext:
    head: Head
    libraries: tuple[LibraryRows, ...]
    meaning: str


def plan(site: Site) -> Iterator[Output]:
    every = _Every(site)
    yield Page(urls.COMPARE, "comparisons", "the comparisons", partial(_index, every))
    for shown in every.shown:
        claimant = shown.comparison.words
        for number, part in pages(len(shown.comparison.entries)):
            path = urls.paged(shown.comparison.path, number)
            yield Page(path, "compare", claimant, partial(_context, shown, number, part))
        yield File(shown.script, claimant, partial(_script, shown))


@dataclass(frozen=True)
class _Every:
    """All comparisons."""

    site: Site

    @cached_property
    def shown(self) -> tuple[_Shown, ...]:
        return tuple(_Shown(self, comparison) for comparison in comparisons(self.site))


@dataclass(frozen=True)
class _Shown:
    """A comparison as its pages and its data show it."""

    every: _Every
    comparison: Comparison

    @property
    def script(self) -> str:
        return f"{self.comparison.path.rpartition('/')[0]}/rows.js"

    @cached_property
    def facets(self) -> tuple[Facet, ...]:
        return facets_of(self.every.site, self.options(), COMPARE_FACETS)

    def options(self) -> Iterator[tuple[Option, ...]]:
        """What each model has in each facet."""
        return (options_in(self.every.site, key, entry) for key, entry in self.comparison.entries)

    def rows(self, part: slice = slice(None)) -> Iterator[CompareRow]:
        return (compare_row(self.every.site, key, entry) for key, entry in self.comparison.entries[part])


def _context(shown: _Shown, number: int, part: slice, _: TextReader) -> CompareContext:
    site, comparison = shown.every.site, shown.comparison
    old, new = (Link(pair_text(site, p), site.addresses.pair(p)) for p in (comparison.old, comparison.new))
    total = len(comparison.entries)
    place = f", page {number}" if number > 1 else ""
    description = f"{count(total, 'model')} with a row under either version pair: regressed, fixed, new and more."
    return CompareContext(
        head=Head(
            urls.paged(comparison.path, number),
            f"{new.text} against {old.text}{place}",
            description,
            "versions",
            (Link("Versions", urls.VERSIONS), Link("Compare", urls.COMPARE)),
        ),
        old=old,
        new=new,
        either=total,
        under_old=sum(entry.before is not None for _, entry in comparison.entries),
        under_new=sum(entry.now is not None for _, entry in comparison.entries),
        buckets=comparison.buckets,
        all_links=tuple(other.comparison.link(comparison) for other in shown.every.shown),
        index_path=urls.COMPARE,
        rows=tuple(shown.rows(part)),
        pages=page_links(comparison.path, number, total),
        facets=shown.facets,
        rows_script=shown.script,
        file_name=comparison.path.rpartition("/")[0].replace("/", "-"),
        meaning=doc_path("following-changes.md#compare"),
    )


def _script(shown: _Shown, _: TextReader) -> bytes:
    """The facets and all rows; statuses, which many rows share, once each, and rows name their places."""
    here = cache(partial(urls.relative, shown.script))
    places = places_in(shown.facets)
    statuses: dict[tuple[object, ...], int] = {}
    rows = [
        compact_compared(row, here, statuses, places(options))
        for row, options in zip(shown.rows(), shown.options(), strict=True)
    ]
    data = {
        "fields": FIELDS,
        "facets": [compact_facet(facet) for facet in shown.facets],
        "statuses": [page_texts(list(entry)) for entry in statuses],
        "rows": page_texts(rows),
    }
    return data_script("rows", data)


def _index(every: _Every, _: TextReader) -> ComparisonsContext:
    site = every.site
    by_pairs = {(shown.comparison.old, shown.comparison.new): shown.comparison for shown in every.shown}
    libraries = []
    for ordered in by_library(site.pairs).values():
        newest = ordered[0]
        rows = tuple(_old_row(by_pairs, old, new, newest) for new, old in pairwise(ordered))
        path = Link(pair_text(site, newest), site.addresses.pair(newest))
        libraries.append(LibraryRows(newest.library or "library not recorded", path, rows))
    description = f"{count(len(every.shown), 'comparison')} of two version pairs of one library."
    head = Head(urls.COMPARE, "Compare version pairs", description, "versions", (Link("Versions", urls.VERSIONS),))
    return ComparisonsContext(head, tuple(libraries), doc_path("following-changes.md#compare"))


def _old_row(
    by_pairs: dict[tuple[VersionPair, VersionPair], Comparison], old: VersionPair, new: VersionPair, newest: VersionPair
) -> OldRow:
    following, last = by_pairs[old, new], by_pairs[old, newest]
    site = following.site
    return OldRow(
        Link(pair_text(site, old), site.addresses.pair(old)),
        Link(pair_text(site, new), following.path),
        _told(following),
        Link(pair_text(site, newest), last.path) if newest != new else None,
        _told(last) if newest != new else (),
    )


def _told(comparison: Comparison) -> tuple[BucketLink, ...]:
    return tuple(bucket for bucket in comparison.buckets if bucket.key in TOLD)
