"""What to test next: ranked models without a result under the newest pair, failures by signature, pairs by date."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from sitegen import urls
from sitegen.cells import NOT_RECORDED, day
from sitegen.model import Ranking, VersionPair
from sitegen.pages.errors import ErrorRow, error_rows, groups_of
from sitegen.pages.feeds import site_feeds
from sitegen.pages.parts import PAGE_ROWS, Status, Tally, pair_text, status, tallies
from sitegen.pages.versions import PairRow, pair_row
from sitegen.plan import Head, Link, Output, Page
from sitegen.site import Site
from sitegen.texts import TextReader

SIGNATURES = 10  # that are listed


@dataclass(frozen=True)
class NextModel:
    """A ranked model without a result under the pair; `older` is its latest result under another, with its status."""

    rank: int
    id: str
    path: str
    status: Status
    older: Link | None
    older_status: Status | None


@dataclass(frozen=True)
class RankingRows:
    """A ranking: every model is tested, excluded or not tested under the pair. `unlisted` are not in `rows`."""

    name: str
    anchor: str
    list_path: str  # the ranking under the pair, or as it is where there is no pair
    taken: str
    ranked: int
    tested: int
    excluded: int
    untested: int
    tallies: tuple[Tally, ...]  # of the tested ones
    rows: tuple[NextModel, ...]  # not tested, in rank order
    excluded_rows: tuple[NextModel, ...]
    unlisted: int


@dataclass(frozen=True)
class CoverageContext:
    head: Head
    pair: Link | None  # the newest
    rankings: tuple[RankingRows, ...]
    errors: tuple[ErrorRow, ...]
    all_errors: str  # the path of the page with all of them
    errors_total: int
    pairs: tuple[PairRow, ...]


def plan(site: Site) -> Iterator[Output]:
    yield Page(urls.COVERAGE, "coverage", "the coverage", partial(_context, site))


def _context(site: Site, _: TextReader) -> CoverageContext:
    pair = site.pairs[0] if site.pairs else None
    errors = error_rows(site, groups_of(site))
    description = "Ranked models without a result under the newest version pair, failures by signature, pairs by date."
    return CoverageContext(
        Head(
            urls.COVERAGE,
            "What to test next",
            description,
            "versions",
            (Link("Versions", urls.VERSIONS),),
            site_feeds(site),
        ),
        Link(pair_text(site, pair), site.addresses.pair(pair)) if pair else None,
        tuple(_ranking(site, ranking, pair, number) for number, ranking in enumerate(site.rankings, 1)),
        errors[:SIGNATURES],
        urls.ERRORS,
        len(errors),
        tuple(sorted((pair_row(site, pair) for pair in site.pairs), key=_last_test, reverse=True)),
    )


def _ranking(site: Site, ranking: Ranking, pair: VersionPair | None, number: int) -> RankingRows:
    tested: list[Status] = []
    excluded: list[NextModel] = []
    untested: list[NextModel] = []
    for entry in ranking.models:
        model = site.by_id[entry.model_id]
        result = model.by_pair.get(pair) if pair else None
        now = status(site, model, result)
        if now.tone not in ("excluded", "untested"):
            tested.append(now)
            continue
        older = model.latest if result is None else None
        row = NextModel(
            entry.rank,
            model.id,
            site.addresses.model(model.id),
            now,
            Link(pair_text(site, older.pair), site.addresses.result(model.id, older.pair)) if older else None,
            status(site, model, older) if older else None,
        )
        (excluded if now.tone == "excluded" else untested).append(row)
    path = urls.ranking(ranking.kind, ranking.task)
    name = f"{ranking.kind.capitalize()}, {ranking.task}"
    return RankingRows(
        name=name,
        anchor=f"ranking-{number}",
        list_path=site.addresses.pair_list(pair, path) if pair else path,
        taken=day(ranking.taken_at),
        ranked=len(ranking.models),
        tested=len(tested),
        excluded=len(excluded),
        untested=len(untested),
        tallies=tallies(tested),
        rows=tuple(untested[:PAGE_ROWS]),
        excluded_rows=tuple(excluded[:PAGE_ROWS]),
        unlisted=max(0, len(untested) - PAGE_ROWS) + max(0, len(excluded) - PAGE_ROWS),
    )


def _last_test(row: PairRow) -> str:
    """Days sort as they are written; a pair without one comes last."""
    return "" if row.last == NOT_RECORDED else row.last
