"""Facets: what a model has in each, never taking one kind of absence for another; options in a sensible order."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sitegen.pages.facets import FACETS, Option, facets_of, options_of, places_in
from sitegen.site import Site
from tests.factory import NEW, OLD, Row, ranking, row, site_of, write

KEYS = [key for key, _ in FACETS]


def has(site: Site, model_id: str = "acme/control-1b") -> dict[str, Option]:
    """What a model's latest result has in each facet."""
    model = site.by_id[model_id]
    return dict(zip(KEYS, options_of(site, model, model.latest), strict=True))


def keys(site: Site, model_id: str = "acme/control-1b") -> dict[str, str]:
    return {facet: option.key for facet, option in has(site, model_id).items()}


def options(site: Site, facet: str) -> list[str]:
    """The keys of the options that all latest results have in a facet, in their order."""
    found = facets_of(site, [options_of(site, model, model.latest) for model in site.models])
    return [option.key for one in found if one.key == facet for option in one.options]


def test_a_row_in_which_everything_is_recorded(tmp_path: Path) -> None:
    site = site_of(tmp_path, [row(task="text-generation", architecture="acme", error="boom\n[NCC_EOOM001] too much")])
    assert has(site) == {
        "outcome": Option("pass", "PASS"),
        "check": Option("cpu-match", "CPU match"),
        "cores": Option("1", "1"),
        "task": Option("text-generation", "text-generation"),
        "library": Option("transformers", "transformers"),
        "compiler": Option(NEW, NEW),
        "library-version": Option("5.21.0", "5.21.0"),
        "architecture": Option("acme", "acme"),
        "error": Option("NCC_EOOM001", "NCC_EOOM001"),
    }


def test_a_row_in_which_nothing_is_recorded_says_so_and_claims_nothing(tmp_path: Path) -> None:
    site = site_of(tmp_path, [{"model_id": "acme/bare"}])
    assert keys(site, "acme/bare") == {
        **dict.fromkeys(KEYS, "not-recorded"),
        "outcome": "unrecorded",
        "check": "no-result",
        "error": "no-error",
    }
    assert not any(option.recorded for option in has(site, "acme/bare").values())


def test_without_a_run_there_is_nothing_that_could_have_been_recorded(tmp_path: Path) -> None:
    ranking(tmp_path, ["acme/untested"])
    write(tmp_path / "lists" / "excluded.toml", '[[exclusion]]\nid = "acme/excluded"\n')
    ranking(tmp_path, ["acme/excluded"], name="other.json", ranking="downloads")
    site = site_of(tmp_path, [row()])
    no_run = {**dict.fromkeys(KEYS, "no-run"), "task": "text-generation", "architecture": "not-recorded"}
    assert keys(site, "acme/untested") == {**no_run, "outcome": "not-tested"}
    assert keys(site, "acme/excluded") == {**no_run, "outcome": "excluded"}


@pytest.mark.parametrize(
    ("changes", "check", "label"),
    [
        ({"cpu_match": "7/32"}, "cpu-mismatch", "CPU mismatch"),
        ({"cpu_match": "32/32", "english": "no"}, "not-fluent", "Judged not fluent"),
        ({"cpu_match": None, "english": "yes", "tp": 4}, "fluent", "Judged fluent"),
        ({"cpu_match": "perhaps"}, "as-recorded", "Recorded as “…”"),
        ({"cpu_match": None}, "not-recorded", "Check not recorded"),
        ({"result": "SKIP"}, "no-result", "no result to check"),
    ],
)
def test_a_check_counts_under_its_first_state_without_what_one_run_recorded(
    tmp_path: Path, changes: Row, check: str, label: str
) -> None:
    found = has(site_of(tmp_path, [row(**changes)]))["check"]
    assert (found.key, found.label) == (check, label)


@pytest.mark.parametrize(
    ("word", "key"),
    [("PARTIAL", "PARTIAL"), ("partial", "partial"), ("not-tested", '"not-tested"'), ('"x"', '""x""')],
)
def test_an_unknown_result_is_an_option_of_its_own(tmp_path: Path, word: str, key: str) -> None:
    assert has(site_of(tmp_path, [row(result=word)]))["outcome"] == Option(key, f"Unknown word “{word}”")


@pytest.mark.parametrize("word", ["no-run", "not-recorded", "no-error"])
def test_a_recorded_word_is_never_taken_for_a_missing_one(tmp_path: Path, word: str) -> None:
    found = has(site_of(tmp_path, [row(architecture=word)]))["architecture"]
    assert found == Option(f'"{word}"', word)


@pytest.mark.parametrize(
    ("error", "key"),
    [(None, "no-error"), ("something without a code", "not-recorded"), ("NRT_EXEC_OOB", "NRT_EXEC_OOB")],
)
def test_no_error_and_an_error_without_a_code_differ(tmp_path: Path, error: str | None, key: str) -> None:
    assert keys(site_of(tmp_path, [row(result="FAIL", error=error)]))["error"] == key


@pytest.mark.parametrize(
    ("facet", "column", "values", "expected"),
    [
        ("cores", "tp", [16, 2, None, 1], ["1", "2", "16", "not-recorded", "no-run"]),
        ("compiler", "neuronx_cc", ["2.9.1", None, OLD, "odd", "2.10.0"],
         [OLD, "2.10.0", "2.9.1", "odd", "not-recorded", "no-run"]),
        ("library-version", "library_version", ["5.9.0", "5.10.0rc1", "5.10.0"],
         ["5.10.0", "5.10.0rc1", "5.9.0", "no-run"]),
        ("outcome", "result", ["zzz", "FAIL", None, "Abc", "PASS"],
         ["pass", "fail", "unrecorded", "Abc", "zzz", "not-tested"]),
        ("check", "cpu_match", [None, "no", "32/32", "perhaps"],
         ["cpu-match", "cpu-mismatch", "as-recorded", "not-recorded", "no-run"]),
        ("architecture", "architecture", ["b", None, "A", "c"], ["A", "b", "c", "not-recorded"]),
    ],
)  # fmt: skip
def test_options_stand_in_an_order_of_their_own_what_is_missing_last(
    tmp_path: Path, facet: str, column: str, values: list[Any], expected: list[str]
) -> None:
    ranking(tmp_path, ["acme/untested"])
    site = site_of(tmp_path, [row(f"acme/m{n}", **{column: value}) for n, value in enumerate(values)])
    found = options(site, facet)
    assert [key for key in found if key in expected] == expected
    assert set(found) == set(expected)


def test_each_row_has_its_place_among_the_options(tmp_path: Path) -> None:
    site = site_of(tmp_path, [row("acme/a", tp=4), row("acme/b", tp=2)])
    rows = [options_of(site, model, model.latest) for model in site.models]
    places = places_in(facets_of(site, rows))
    assert [places(one)[KEYS.index("cores")] for one in rows] == [1, 0]
