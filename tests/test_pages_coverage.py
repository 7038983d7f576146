"""What to test next: every ranked model is tested, excluded or not tested, and every sum adds up."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import cast

import pytest

from sitegen.pages import coverage
from sitegen.pages.coverage import SIGNATURES, CoverageContext
from sitegen.pages.parts import PAGE_ROWS
from sitegen.plan import Page
from sitegen.site import Site
from sitegen.texts import TextReader
from tests.factory import DAY, OLD, ranking, row, site_of, write

NO_TEXTS = cast(TextReader, None)
OLDER = {"neuronx_cc": OLD, "library_version": "5.18.0"}
EXCLUDED = '[[exclusion]]\nid = "acme/left-out"\nreason = "Too large."\nkind = "incompatible"\n'


def context_of(site: Site) -> CoverageContext:
    (page,) = coverage.plan(site)
    assert isinstance(page, Page)
    context = page.context(NO_TEXTS)
    assert isinstance(context, CoverageContext)
    return context


@pytest.fixture
def context(tmp_path: Path) -> CoverageContext:
    write(tmp_path / "lists" / "excluded.toml", EXCLUDED)
    ids = "none left-out failed older passed skipped row-excluded odd unrecorded".split()
    ranking(tmp_path, [f"acme/{name}" for name in ids])
    ranking(tmp_path, ["acme/passed", "acme/none"], name="b.json", ranking="downloads", taken_at="2026-11-02T00:00:00Z")
    rows = [
        row("acme/failed", result="FAIL", error="ValueError: 1\n"),
        row("acme/failed", result="FAIL", error="ValueError: 2\n", **OLDER),
        row("acme/older", **OLDER),
        row("acme/passed"),
        row("acme/passed", tp=2, result="FAIL", tested_at=DAY - timedelta(days=2)),
        row("acme/skipped", result="SKIPPED"),
        row("acme/row-excluded", result=None, exclusion="Not now."),
        row("acme/odd", result="XFAIL"),
        row("acme/unrecorded", result=None),
        row("acme/not-ranked"),
    ]
    return context_of(site_of(tmp_path, rows))


def test_ranked_is_tested_and_excluded_and_not_tested(context: CoverageContext) -> None:
    sums = {r.name: (r.ranked, r.tested, r.excluded, r.untested) for r in context.rankings}
    assert sums == {"Trending, text-generation": (9, 5, 2, 2), "Downloads, text-generation": (2, 1, 0, 1)}
    for found in context.rankings:
        assert found.ranked == found.tested + found.excluded + found.untested
        assert found.tested == sum(tally.count for tally in found.tallies)
        assert found.untested + found.excluded == len(found.rows) + len(found.excluded_rows) + found.unlisted


def test_what_is_not_tested_stands_by_rank_and_names_an_older_result(context: CoverageContext) -> None:
    trending = next(r for r in context.rankings if r.name.startswith("Trending"))
    assert [(found.rank, found.id, found.status.key) for found in trending.rows] == [
        (1, "acme/none", "not-tested"),
        (4, "acme/older", "not-tested"),
    ]
    none, older = trending.rows
    assert (none.older, none.older_status) == (None, None)
    assert older.older
    assert older.older_status
    assert older.older.text == f"neuronx-cc {OLD} / transformers 5.18.0"
    assert (older.older_status.label, older.older_status.verification) == ("PASS", "CPU match")


def test_what_is_excluded_stands_apart_with_its_reason(context: CoverageContext) -> None:
    trending = next(r for r in context.rankings if r.name.startswith("Trending"))
    found = [(model.rank, model.id, model.status.tone, model.status.reason) for model in trending.excluded_rows]
    assert found == [(2, "acme/left-out", "excluded", "Too large."), (7, "acme/row-excluded", "excluded", "Not now.")]


def test_the_pairs_are_those_of_the_versions_by_date_and_their_results_add_up(context: CoverageContext) -> None:
    assert context.pair
    assert context.pair.text.endswith("transformers 5.21.0")
    assert [(pair.library, pair.models) for pair in context.pairs] == [
        ("transformers 5.21.0", 7),
        ("transformers 5.18.0", 2),
    ]
    for pair in context.pairs:
        assert sum(tally.count for tally in pair.tallies) == pair.models
    assert (context.pairs[0].first, context.pairs[0].last) == ("2026-10-26", "2026-10-28")


def test_pairs_stand_by_their_last_run_and_without_a_date_last(tmp_path: Path) -> None:
    days = {"5.1.0": DAY, "5.2.0": None, "5.3.0": DAY - timedelta(days=3), "5.4.0": None}
    rows = [row("acme/a", library_version=version, tested_at=moment) for version, moment in days.items()]
    found = context_of(site_of(tmp_path, rows))
    assert [(pair.library.split()[1], pair.last) for pair in found.pairs] == [
        ("5.1.0", "2026-10-28"),
        ("5.3.0", "2026-10-25"),
        ("5.4.0", "not recorded"),
        ("5.2.0", "not recorded"),
    ]
    assert found.pair
    assert found.pair.text.endswith("5.4.0")  # the newest by version, not by date


def test_the_signatures_are_the_first_of_all(tmp_path: Path) -> None:
    rows = [row(f"acme/m{n}", result="FAIL", error=f"KeyError: '{chr(97 + n)}'\n") for n in range(SIGNATURES + 3)]
    found = context_of(site_of(tmp_path, [*rows, row("acme/z", result="FAIL", error="KeyError: 'm'\n")]))
    assert (len(found.errors), found.errors_total) == (SIGNATURES, SIGNATURES + 3)
    assert (found.errors[0].text, found.errors[0].models) == ("KeyError: 'm'", 2)


def test_a_long_ranking_is_cut_and_says_so(tmp_path: Path) -> None:
    ranking(tmp_path, [f"acme/m{n}" for n in range(PAGE_ROWS + 7)])
    (found,) = context_of(site_of(tmp_path, [row()])).rankings
    assert (len(found.rows), found.unlisted, found.untested) == (PAGE_ROWS, 7, PAGE_ROWS + 7)
    assert [model.rank for model in found.rows] == list(range(1, PAGE_ROWS + 1))


def test_without_rows_nothing_is_tested_and_without_rankings_nothing_is_ranked(tmp_path: Path) -> None:
    ranking(tmp_path / "ranked", ["acme/a"])
    found = context_of(site_of(tmp_path / "ranked"))
    assert (found.pair, found.pairs, found.errors) == (None, (), ())
    assert [(r.ranked, r.tested, r.untested) for r in found.rankings] == [(1, 0, 1)]
    assert context_of(site_of(tmp_path / "rows", [row()])).rankings == ()
