"""The version pairs: a grid of compiler and library versions, the sums of each pair, every model under each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import partial

from sitegen import urls
from sitegen.cells import count, day
from sitegen.model import VersionPair
from sitegen.pages.comparisons import against_predecessor
from sitegen.pages.matrix import (
    CompilerGroup,
    ModelRow,
    PairColumn,
    columns_of,
    groups_of,
    model_rows,
    script,
)
from sitegen.pages.parts import (
    PageLinks,
    Tally,
    compiler_text,
    library_text,
    page_links,
    pages,
    pair_text,
    status,
    tallies,
)
from sitegen.plan import File, Head, Link, Output, Page
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
class PairTotals:
    """Sums of a pair: `file_rows` = `runs` + `other_rows`; ranked models = `tested` + `excluded` + `untested`.

    Other rows are exact duplicates, refused rows, and rows of another pair in the same file.
    """

    pair: Link
    file_rows: int  # in the files that hold rows of the pair
    runs: int
    other_rows: int
    models: int
    tested: int
    excluded: int
    untested: int
    changes: Link | None  # against which pair it is compared


@dataclass(frozen=True)
class VersionsContext:
    """A page of the versions. All but the table of models stands on the first alone."""

    head: Head
    compiler: str
    libraries: tuple[str, ...]
    grid: tuple[GridRow, ...]
    rows: tuple[PairRow, ...]
    totals: tuple[PairTotals, ...]
    ranked: int  # models in any ranking, each counted once
    compare_path: str
    coverage_path: str  # what to test next
    columns: tuple[PairColumn, ...]
    groups: tuple[CompilerGroup, ...]
    models: tuple[ModelRow, ...]
    total: int
    pages: PageLinks
    rows_script: str


def plan(site: Site) -> Iterator[Output]:
    for number, part in pages(_models(site)):
        path = urls.paged(urls.VERSIONS, number)
        yield Page(path, "versions", "the versions", partial(_context, site, number, part))
    yield File(urls.VERSIONS_DATA, "the versions", partial(script, site))


def _models(site: Site) -> int:
    """How many rows the table of models has: none without pairs."""
    return len(site.models) if site.pairs else 0


def _context(site: Site, number: int, part: slice, _: TextReader) -> VersionsContext:
    description = f"{count(len(site.pairs), 'version pair')} with what was observed under each."
    place = f", page {number}" if number > 1 else ""
    head = Head(urls.paged(urls.VERSIONS, number), f"Versions{place}", description, "versions")
    rows = {pair: pair_row(site, pair) for pair in site.pairs} if number == 1 else {}
    libraries, grid = _grid(site, rows) if rows else ((), ())
    ranked = {entry.model_id for ranking in site.rankings for entry in ranking.models}
    columns = columns_of(site)
    return VersionsContext(
        head=head,
        compiler=site.catalog.compiler,
        libraries=libraries,
        grid=grid,
        rows=tuple(rows.values()),
        totals=tuple(pair_totals(site, pair, ranked) for pair in rows),
        ranked=len(ranked),
        compare_path=urls.COMPARE,
        coverage_path=urls.COVERAGE,
        columns=columns,
        groups=groups_of(columns),
        models=model_rows(site, part) if columns else (),
        total=_models(site),
        pages=page_links(urls.VERSIONS, number, _models(site)),
        rows_script=urls.VERSIONS_DATA,
    )


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


def pair_totals(site: Site, pair: VersionPair, ranked: Collection[str]) -> PairTotals:
    """`ranked` are the ids of the models in any ranking."""
    results = [result for model in site.models if (result := model.by_pair.get(pair))]
    runs = sum(len(result.runs) for result in results)
    file_rows = sum(file.rows for file in site.files if pair in file.pairs)
    models = [site.by_id[model_id] for model_id in ranked]
    tones = Counter(site.outcome(model, model.by_pair.get(pair)).tone for model in models)
    excluded, untested = tones["excluded"], tones["untested"]
    against = against_predecessor(site, pair)
    return PairTotals(
        pair=Link(pair_text(site, pair), site.addresses.pair(pair)),
        file_rows=file_rows,
        runs=runs,
        other_rows=file_rows - runs,
        models=len(results),
        tested=len(models) - excluded - untested,
        excluded=excluded,
        untested=untested,
        changes=Link(pair_text(site, against.old), against.path) if against else None,
    )
