"""The versions: sums that add up, and every model under every pair, on the pages and in the data."""

from __future__ import annotations

from collections import Counter
from posixpath import join, normpath
from typing import cast

import pytest

from sitegen.pages import versions
from sitegen.pages.matrix import FIELDS
from sitegen.pages.versions import VersionsContext
from sitegen.plan import File, Page
from sitegen.site import Site
from sitegen.texts import TextReader
from sitegen.urls import VERSIONS, VERSIONS_DATA
from tests.cases.site import script_data
from tests.factory import NEW, OLD, pair, put, ranking, row, site_of, write

NO_TEXTS = cast(TextReader, None)
EXCLUDED = '[[exclusion]]\nid = "acme/left-out"\nreason = "Too large."\n'


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    """Three pairs in three files, one of which holds a duplicate, a refused row and a row of another pair."""
    data = tmp_path_factory.mktemp("versions")
    write(data / "lists" / "excluded.toml", EXCLUDED)
    ranking(data, ["acme/m001", "acme/m002", "acme/left-out", "acme/none"])
    ranking(data, ["acme/m002", "acme/m003", "acme/skipped"], name="b.json", ranking="downloads")
    old = {"neuronx_cc": OLD, "library_version": "5.18.0"}
    first = [row(f"acme/m{n:03}", **old, result="FAIL" if n % 3 else "PASS") for n in range(40)]
    put(data, [*first, first[0], row(None), row("acme/m001", **old, tp=4), row("acme/m050", tp=2)], "a.parquet")
    new = [row(f"acme/m{n:03}") for n in range(204)]
    odd = [row("acme/skipped", result="SKIPPED"), row("acme/row-excluded", result=None, exclusion="Not now.")]
    put(data, [*new, *odd], "b.parquet")
    put(data, [row("acme/m003", library="diffusers", library_version="0.40.0")], "c.parquet")
    return site_of(data)


def pages(site: Site) -> list[VersionsContext]:
    return [output.context(NO_TEXTS) for output in versions.plan(site) if isinstance(output, Page)]


def test_the_outcomes_of_a_pair_sum_to_its_models(site: Site) -> None:
    for shown in pages(site)[0].rows:
        assert sum(tally.count for tally in shown.tallies) == shown.models > 0
    assert sum(shown.models for shown in pages(site)[0].rows) == len(site.results)


def test_rows_in_files_are_runs_and_other_rows(site: Site) -> None:
    totals = dict(zip(site.pairs, pages(site)[0].totals, strict=True))
    old, new = totals[pair(OLD, version="5.18.0")], totals[pair()]
    assert (old.file_rows, old.runs, old.other_rows, old.models) == (44, 41, 3, 40)
    assert (new.file_rows, new.runs, new.models) == (44 + 206, 207, 207 - 1)
    for shown in totals.values():
        assert shown.file_rows == shown.runs + shown.other_rows
        assert shown.other_rows >= 0
    assert sum(shown.runs for shown in totals.values()) == sum(file.runs for file in site.files)
    assert [shown.models for shown in totals.values()] == [shown.models for shown in pages(site)[0].rows]


def test_ranked_models_are_tested_and_excluded_and_not_tested(site: Site) -> None:
    context = pages(site)[0]
    assert context.ranked == 6
    sums = {p: (t.tested, t.excluded, t.untested) for p, t in zip(site.pairs, context.totals, strict=True)}
    assert sums == {
        pair(): (4, 1, 1),
        pair(OLD, version="5.18.0"): (3, 1, 2),
        pair(NEW, "diffusers", "0.40.0"): (1, 1, 4),
    }
    assert {sum(three) for three in sums.values()} == {context.ranked}


def test_each_pair_leads_to_what_it_changed(site: Site) -> None:
    found = {p: t.changes and t.changes.path for p, t in zip(site.pairs, pages(site)[0].totals, strict=True)}
    old = pair(OLD, version="5.18.0")
    assert found == {pair(): site.addresses.comparison(old, pair()), old: None, site.pairs[1]: None}


def test_every_model_stands_under_every_pair_on_one_page(site: Site) -> None:
    first, second = pages(site)
    rows = [*first.models, *second.models]
    assert [shown.id for shown in rows] == [model.id for model in site.models]
    assert (len(first.models), first.total) == (200, len(site.models))
    assert (second.rows, second.grid, second.totals) == ((), (), ())
    for shown, model in zip(rows, site.models, strict=True):
        for cell, one in zip(shown.cells, site.pairs, strict=True):
            result = model.by_pair.get(one)
            assert cell.path == (site.addresses.result(model.id, one) if result else None)
            assert cell.status.label == site.outcome(model, result).label
            assert (cell.status.tone in ("untested", "excluded")) == (result is None or model.id == "acme/row-excluded")


def test_without_a_row_a_model_is_excluded_or_not_tested_and_never_failed(site: Site) -> None:
    cells = Counter(
        (cell.status.key, cell.path is None)
        for context in pages(site)
        for shown in context.models
        for cell in shown.cells
    )
    assert cells["not-tested", True] > 0
    assert cells["excluded", True] == 3
    assert cells["excluded", False] == 1
    assert cells["fail", True] == cells["not-tested", False] == 0


def test_columns_stand_in_groups_of_one_compiler_the_newest_pair_first(site: Site) -> None:
    context = pages(site)[0]
    assert [column.library.path for column in context.columns] == [site.addresses.pair(one) for one in site.pairs]
    assert [(group.compiler, group.columns) for group in context.groups] == [
        (f"neuronx-cc {NEW}", 2),
        (f"neuronx-cc {OLD}", 1),
    ]


def test_the_data_has_what_the_pages_have(site: Site) -> None:
    (script,) = (output for output in versions.plan(site) if isinstance(output, File))
    assert script.path == VERSIONS_DATA
    data = script_data(script.content(NO_TEXTS), "rows")
    assert (data["fields"], data["facets"]) == (FIELDS, [])
    served = [shown for context in pages(site) for shown in context.models]
    for told, shown in zip(data["rows"], served, strict=True):
        fields = dict(zip(FIELDS, told, strict=True))
        assert (fields["name"], site_path(fields["path"])) == (shown.id, shown.path)
        for place, file, cell in zip(fields["cells"], data["files"], shown.cells, strict=True):
            status = data["statuses"][fields["missing"] if place is None else place]
            assert status[1:4] == [cell.status.label, cell.status.tone, cell.status.verification]
            assert (place is None) == (cell.path is None)
            if cell.path:
                assert site_path(fields["folder"] + file) == cell.path


def site_path(link: str) -> str:
    return normpath(join("versions", link))


def test_without_rows_there_is_no_table(tmp_path_factory: pytest.TempPathFactory) -> None:
    data = tmp_path_factory.mktemp("no-rows")
    ranking(data, ["acme/a"])
    (context,) = pages(site_of(data))
    assert (context.models, context.rows, context.columns, context.total) == ((), (), (), 0)
    assert context.head.path == VERSIONS
