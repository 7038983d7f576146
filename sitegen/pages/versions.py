"""The version pairs: compiler and library version chosen apart in a grid, and what each pair's rows amount to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial

from sitegen import urls
from sitegen.cells import count, day
from sitegen.model import VersionPair
from sitegen.pages.parts import Tally, compiler_text, library_text, status, tallies
from sitegen.plan import Head, Output, Page
from sitegen.site import Site
from sitegen.texts import TextReader
from sitegen.versions import version_key


@dataclass(frozen=True)
class PairRow:
    compiler: str
    library: str
    path: str
    models: int  # with a row under the pair
    tallies: tuple[Tally, ...]  # over these models
    first: str
    last: str


@dataclass(frozen=True)
class GridRow:
    """One compiler version, and for each library version of the grid's heading the pair, or None without data."""

    compiler: str
    cells: tuple[PairRow | None, ...]


@dataclass(frozen=True)
class VersionsContext:
    head: Head
    compiler: str
    libraries: tuple[str, ...]
    grid: tuple[GridRow, ...]
    rows: tuple[PairRow, ...]


def plan(site: Site) -> Iterator[Output]:
    yield Page(urls.VERSIONS, "versions", "the versions", partial(_context, site))


def _context(site: Site, _: TextReader) -> VersionsContext:
    description = f"{count(len(site.pairs), 'version pair')} with what was observed under each."
    head = Head(urls.VERSIONS, "Versions", description, "versions")
    rows = {pair: pair_row(site, pair) for pair in site.pairs}
    libraries, grid = _grid(site, rows)
    return VersionsContext(head, site.catalog.compiler, libraries, grid, tuple(rows.values()))


def _grid(site: Site, found: Mapping[VersionPair, PairRow]) -> tuple[tuple[str, ...], tuple[GridRow, ...]]:
    """Every compiler version by every library version, the newest first on both sides."""
    libraries = sorted(
        {(p.library, p.library_version) for p in site.pairs},
        key=lambda p: (p[0] or "", version_key(p[1])),
        reverse=True,
    )
    compilers = sorted({p.compiler for p in site.pairs}, key=version_key, reverse=True)
    rows = []
    for compiler in compilers:
        pairs = [VersionPair(compiler, *library) for library in libraries]
        rows.append(GridRow(compiler_text(site, pairs[0]), tuple(found.get(pair) for pair in pairs)))
    return tuple(library_text(VersionPair(None, *library)) for library in libraries), tuple(rows)


def pair_row(site: Site, pair: VersionPair) -> PairRow:
    found = [(model, result) for model in site.models if (result := model.by_pair.get(pair))]
    moments = [run.tested_at for _, result in found for run in result.runs if run.tested_at]
    return PairRow(
        compiler_text(site, pair),
        library_text(pair),
        site.addresses.pair(pair),
        len(found),
        tallies([status(site, model, result) for model, result in found]),
        day(min(moments, default=None)),
        day(max(moments, default=None)),
    )
