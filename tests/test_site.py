"""Rows, rankings and lists are joined once (cases B35, B57)."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from sitegen.errors import Level
from sitegen.model import Exclusion
from sitegen.site import Site
from tests.factory import CONTROL, DAY, NEW, OLD, codes, pair, put, ranking, row, site_of, write


def select(data: Path, *ids: str) -> None:
    write(data / "lists" / "selected.toml", "".join(f'[[model]]\nid = "{model_id}"\n' for model_id in ids))


def exclude(data: Path, *rules: str) -> None:
    write(data / "lists" / "excluded.toml", "".join(f"[[exclusion]]\n{rule}\n" for rule in rules))


def notices(site: Site) -> list[str]:
    return codes(problem for problem in site.problems if problem.level == Level.NOTICE)


# -- Results


def test_the_latest_result_is_by_version_and_never_by_date(tmp_path: Path) -> None:
    rows = [
        row(neuronx_cc="2.9", tested_at=DAY + timedelta(days=9)),
        row(neuronx_cc="2.10", tested_at=DAY),
        row(neuronx_cc="2.10", library_version="5.21.0rc1", tested_at=DAY + timedelta(days=5)),
        row(neuronx_cc="nightly", tested_at=DAY + timedelta(days=8)),
        row(neuronx_cc=None, tested_at=DAY + timedelta(days=7)),
    ]
    site = site_of(tmp_path, rows)
    expected = [
        pair("2.10"),
        pair("2.10", version="5.21.0rc1"),
        pair("2.9"),
        pair("nightly"),
        pair(None),
    ]
    assert list(site.pairs) == expected
    assert [result.pair for result in site.by_id[CONTROL].results] == expected
    latest = site.by_id[CONTROL].latest
    assert latest is not None
    assert latest.pair == pair("2.10")
    assert site.newest == DAY + timedelta(days=9)


def test_runs_of_a_result_are_newest_first_and_undated_last(tmp_path: Path) -> None:
    rows = [
        row(wall_s=1, tested_at=None),
        row(wall_s=2, tested_at=DAY),
        row(wall_s=3, tested_at=DAY + timedelta(milliseconds=1)),
        row(wall_s=4, tested_at=DAY - timedelta(days=30_000)),
    ]
    (result,) = site_of(tmp_path, rows).results
    assert [run.wall_s for run in result.runs] == [3, 2, 4, 1]
    assert result.headline.wall_s == 3


def test_of_runs_at_one_time_the_hash_decides_whatever_the_order(tmp_path: Path) -> None:
    rows = [row(tp=n, tested_at=when) for n in range(1, 5) for when in (DAY, None)]
    (first,) = site_of(tmp_path / "a", rows).results
    (second,) = site_of(tmp_path / "b", rows[::-1]).results
    assert [run.digest for run in first.runs] == [run.digest for run in second.runs]


def test_rows_join_by_the_exact_id(tmp_path: Path) -> None:
    site = site_of(tmp_path, [row("acme/x"), row("Acme/X"), row("acme/x", neuronx_cc=OLD)])
    assert [(model.id, len(model.results)) for model in site.models] == [("Acme/X", 1), ("acme/x", 2)]


def test_models_are_listed_regardless_of_case(tmp_path: Path) -> None:
    site = site_of(tmp_path, [row(i) for i in ("b/x", "A/z", "a/Y", "B/a", "a/x")])
    assert [model.id for model in site.models] == ["a/x", "a/Y", "A/z", "B/a", "b/x"]


@pytest.mark.parametrize(
    ("rows", "task"),
    [
        ([{"task": "own"}], "own"),
        ([{"task": None}], "text-generation"),
        ([{"task": None}, {"task": "older", "neuronx_cc": OLD}], "older"),
        ([{"task": "newer"}, {"task": "older", "neuronx_cc": OLD}], "newer"),
    ],
)
def test_the_task_is_the_rows_else_the_rankings(tmp_path: Path, rows: list[dict[str, Any]], task: str) -> None:
    ranking(tmp_path, [CONTROL])
    assert site_of(tmp_path, [row(**change) for change in rows]).by_id[CONTROL].task == task


# -- Rankings and lists


@pytest.mark.parametrize("ranked", ["Acme/Model-1B", "acme/model-1b", "ACME/MODEL-1B"])
def test_a_ranked_id_joins_the_one_that_is_equal_but_for_case(tmp_path: Path, ranked: str) -> None:
    ranking(tmp_path, [ranked])
    select(tmp_path, ranked)
    site = site_of(tmp_path, [row("Acme/Model-1B")])
    assert [model.id for model in site.models] == ["Acme/Model-1B"]
    assert site.rankings[0].models[0].model_id == "Acme/Model-1B"
    assert site.models[0].selected is not None
    assert notices(site) == []


def test_of_two_ids_equal_but_for_case_the_exact_one_is_joined(tmp_path: Path) -> None:
    ranking(tmp_path, ["acme/x", "Acme/X"])
    site = site_of(tmp_path, [row("acme/x"), row("Acme/X")])
    assert [m.model_id for m in site.rankings[0].models] == ["acme/x", "Acme/X"]
    assert notices(site) == ["id-twin"]


def test_an_id_that_could_be_two_is_reported_and_joined_to_neither(tmp_path: Path) -> None:
    ranking(tmp_path, ["ACME/X"])
    site = site_of(tmp_path, [row("acme/x"), row("Acme/X")])
    assert sorted(notices(site)) == ["id-twin", "ranking-id-ambiguous"]
    assert site.rankings[0].models == ()
    assert set(site.by_id) == {"acme/x", "Acme/X"}


def test_a_ranked_model_without_a_row_is_not_tested(tmp_path: Path) -> None:
    ranking(tmp_path, [{"id": "other/untested", "downloads": 5}, CONTROL])
    site = site_of(tmp_path, [row()])
    untested = site.by_id["other/untested"]
    assert (untested.results, untested.latest, untested.task) == ((), None, "text-generation")
    assert site.outcome(untested, None).key == "not-tested"
    assert [m.model_id for m in site.rankings[0].models] == ["other/untested", CONTROL]


def test_the_selection_keeps_its_order_and_an_unknown_id_is_reported(tmp_path: Path) -> None:
    ranking(tmp_path, ["ranked/only"])
    select(tmp_path, "ranked/ONLY", "nobody/knows", CONTROL)
    site = site_of(tmp_path, [row()])
    assert [entry.model_id for entry in site.selected] == ["ranked/only", "nobody/knows", CONTROL]
    (problem,) = [p for p in site.problems if p.level == Level.NOTICE]
    assert (problem.code, problem.place.file, problem.place.row) == ("list-unknown-id", "lists/selected.toml", 2)
    assert "nobody/knows" in problem.found


# -- Exclusions


def test_exclusions_by_id_and_by_pattern_in_any_case(tmp_path: Path) -> None:
    exclude(
        tmp_path,
        'pattern = "*-gguf"\nreason = "Other runtimes."\nkind = "not-prioritised"',
        'id = "b/two-gguf"\nreason = "Own reason."\nkind = "incompatible"',
        'pattern = "b/*"\nreason = "Later."',
    )
    ranking(tmp_path, ["a/One-GGUF", "b/two-gguf", "b/three", "c/four"])
    site = site_of(tmp_path, [row()])
    assert {model.id: model.exclusion for model in site.models} == {
        "a/One-GGUF": Exclusion("Other runtimes.", "not-prioritised", "list"),
        "b/two-gguf": Exclusion("Own reason.", "incompatible", "list"),  # an exact entry wins over a pattern
        "b/three": Exclusion("Later.", None, "list"),
        "c/four": None,
        CONTROL: None,
    }
    states = {model.id: site.outcome(model, model.latest).key for model in site.models}
    assert states["a/One-GGUF"] == "excluded"
    assert states["c/four"] == "not-tested"
    assert notices(site) == []


@pytest.mark.parametrize("rule", ['id = "nobody/knows"', 'pattern = "nobody/*"'])
def test_an_exclusion_of_nothing_is_reported_and_counts_for_nothing(tmp_path: Path, rule: str) -> None:
    exclude(tmp_path, rule)
    site = site_of(tmp_path, [row()])
    assert notices(site) == []
    assert [p.level for p in site.problems if p.code == "list-unknown-id"] == [Level.INFO]


@pytest.mark.parametrize(
    ("change", "key"),
    [
        ({"result": "PASS"}, "pass"),
        ({"result": "FAIL"}, "fail"),
        ({"result": "XFAIL"}, "unknown"),
        ({"result": "EXCLUDED"}, "excluded"),
        ({"result": None}, "excluded"),
    ],
)
def test_a_recorded_result_wins_and_the_exclusion_stands_beside_it(
    tmp_path: Path, change: dict[str, Any], key: str
) -> None:
    exclude(tmp_path, f'id = "{CONTROL}"\nreason = "By list."\nkind = "incompatible"')
    site = site_of(tmp_path, [row(**change)])
    model = site.by_id[CONTROL]
    assert site.outcome(model, model.latest).key == key
    exclusion = site.exclusion(model, model.latest)
    assert exclusion is not None
    assert (exclusion.reason, exclusion.kind) == ("By list.", "incompatible")


def test_the_reason_of_the_column_is_shown_without_a_kind(tmp_path: Path) -> None:
    """For the column the kind is not recorded."""
    exclude(tmp_path, f'id = "{CONTROL}"\nreason = "By list."\nkind = "incompatible"')
    site = site_of(tmp_path, [row(result=None, exclusion="By column.")])
    model = site.by_id[CONTROL]
    assert site.exclusion(model, model.latest) == Exclusion("By column.", None, "column")
    assert site.outcome(model, model.latest).key == "excluded"


def test_an_excluded_row_of_one_pair_says_nothing_about_another(tmp_path: Path) -> None:
    site = site_of(tmp_path, [row(result=None, exclusion="Later."), row(neuronx_cc=OLD)])
    model = site.by_id[CONTROL]
    new, old = model.results
    assert (new.pair.compiler, old.pair.compiler) == (NEW, OLD)
    assert site.exclusion(model, new) == Exclusion("Later.", None, "column")
    assert site.exclusion(model, old) is None


# -- The whole


def test_the_order_of_files_changes_nothing_but_their_names(tmp_path: Path) -> None:
    rows = [row(f"acme/m-{n}", tp=tp, neuronx_cc=cc) for n in range(3) for tp in (1, 2) for cc in (NEW, OLD)]
    for folder, order in (("a", rows), ("b", rows[::-1])):
        for n, one in enumerate(order):
            put(tmp_path / folder, [one], f"{n:02d}.parquet")
    first, second = site_of(tmp_path / "a"), site_of(tmp_path / "b")
    assert first.pairs == second.pairs
    assert first.addresses == second.addresses
    assert [[r.digest for r in result.runs] for result in first.results] == [
        [r.digest for r in result.runs] for result in second.results
    ]


def test_every_model_and_every_pair_has_an_address(tmp_path: Path) -> None:
    ranking(tmp_path, ["ranked/only"])
    select(tmp_path, "selected/only")
    site = site_of(tmp_path, [row(), row(neuronx_cc=None)])
    assert set(site.addresses.models) == set(site.by_id) == {CONTROL, "ranked/only", "selected/only"}
    assert set(site.addresses.pairs) == set(site.pairs)


def test_no_data_is_an_empty_site(tmp_path: Path) -> None:
    site = site_of(tmp_path)
    assert (site.models, site.pairs, site.newest) == ((), (), None)


def test_an_exclusion_joins_a_ranked_model_equal_but_for_case(tmp_path: Path) -> None:
    ranking(tmp_path, ["Acme/Big-400B"])
    write(tmp_path / "lists" / "excluded.toml", '[[exclusion]]\nid = "acme/big-400b"\nreason = "Too large."\n')
    site = site_of(tmp_path, [row()])
    assert site.by_id["Acme/Big-400B"].exclusion is not None
    assert not [p for p in site.problems if p.code == "list-unknown-id"]


def test_a_selected_id_that_could_be_two_ranked_ones_is_reported(tmp_path: Path) -> None:
    ranking(tmp_path, ["Acme/X", "acme/x"])
    write(tmp_path / "lists" / "selected.toml", '[[model]]\nid = "ACME/X"\n')
    site = site_of(tmp_path, [row()])
    assert "list-ambiguous-id" in [p.code for p in site.problems]


def test_two_spellings_of_one_model_in_a_ranking_are_one_entry(tmp_path: Path) -> None:
    ranking(tmp_path, ["ACME/CONTROL-1b", "Acme/Control-1B"])
    site = site_of(tmp_path, [row()])
    assert [m.model_id for m in site.rankings[0].models] == [CONTROL]


def test_an_exclusion_that_stands_twice_is_reported_and_the_first_counts(tmp_path: Path) -> None:
    exclude(tmp_path, "id = 'acme/x'\nreason = 'one'", "id = 'ACME/x'\nreason = 'two'", "pattern = 'acme/*'")
    site = site_of(tmp_path, [row("acme/x")])
    assert site.by_id["acme/x"].exclusion == Exclusion("one", None, "list")
    assert [(p.code, p.place.row) for p in site.problems] == [("list-twice", 2)]
