"""The rules, scope by scope: nothing is lost silently, and what is amiss has its place (case B58)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from sitegen.build import inspect
from sitegen.config import Settings
from sitegen.errors import Level, Place, Problem, Problems
from sitegen.model import Source
from sitegen.rules import pairs, rows
from sitegen.rules import site as site_rules
from sitegen.rules.codes import Effect, effect
from sitegen.site import Site
from sitegen.urls import Addresses
from tests.factory import CONTROL, codes, put, row, site_of, write


def found(site: Site) -> list[Problem]:
    problems = Problems()
    pairs.check(site, problems)
    site_rules.check(site, problems)
    return list(problems)


@pytest.fixture
def site(tmp_path: Path) -> Site:
    put(tmp_path, [row(), row(), row("acme/"), row("acme/other-1b")])
    return site_of(tmp_path, base_url="https://example.org/")


def test_a_sound_site_has_no_problems(site: Site) -> None:
    assert (site.files[0].rows, site.files[0].runs, site.files[0].duplicates, site.files[0].refused) == (4, 2, 1, 1)
    assert found(site) == []


def _file(**changes: Any) -> Callable[[Site], Site]:
    return lambda site: replace(site, files=(replace(site.files[0], **changes),))


def _one_model_less(site: Site) -> Site:
    return replace(site, models=site.models[1:])


def _one_address(site: Site) -> Site:
    folders = dict.fromkeys(site.addresses.models, "models/acme/x/")
    return replace(site, addresses=Addresses(folders, site.addresses.pairs, {}))


@pytest.mark.parametrize(
    ("change", "code", "place", "text"),
    [
        (_file(rows=5), "rows-lost", "results.parquet", "5 rows, but 2 runs, 1 duplicates, 1 refused"),
        (_one_model_less, "rows-lost", "", "2 runs were read, 1 are on pages"),
        (_one_address, "address-twice", "", f"{CONTROL} and acme/other-1b have one address"),
    ],
)
def test_what_would_be_lost_is_an_error(
    site: Site, change: Callable[[Site], Site], code: str, place: str, text: str
) -> None:
    (problem,) = found(change(site))
    assert (problem.level, problem.code, str(problem.place)) == (Level.ERROR, code, place)
    assert text in problem.found


def test_a_file_that_was_left_out_counts_nothing(site: Site) -> None:
    lost = replace(site.files[0], file="bad.parquet", rows=0, runs=0, duplicates=0, refused=0, left_out="0 bytes")
    assert found(replace(site, files=(*site.files, lost))) == []


def test_a_missing_sentence_and_a_broken_link_are_notices(tmp_path: Path) -> None:
    write(tmp_path / "content" / "docs" / "own.md", "[gone](nowhere.md)\n")
    put(tmp_path / "data", [row()])
    site = site_of(tmp_path / "data", content=tmp_path / "content", base_url="https://example.org/")
    sentences = {name: text for name, text in site.texts.caveats.items() if name != "tokens-32"}
    problems = found(replace(site, texts=replace(site.texts, caveats=sentences)))
    assert [(p.level, p.code, p.place.file) for p in problems] == [
        (Level.NOTICE, "caveat-missing", "caveats/tokens-32.md"),
        (Level.NOTICE, "doc-link-broken", "docs/own.md"),
    ]


def test_no_file_is_a_notice_and_no_base_url_an_info(tmp_path: Path) -> None:
    problems = found(site_of(tmp_path))
    assert {(p.level, p.code) for p in problems} == {(Level.NOTICE, "no-files"), (Level.INFO, "no-base-url")}
    assert codes(found(site_of(tmp_path, [row()], base_url="https://example.org/"))) == []


# -- Rows


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"tp": -1}, "found -1, which is shown as recorded; expected more than 0"),
        ({"tp": 0}, "found 0, which"),
        ({"wall_s": -0.5}, "found -0.5"),
        ({"tested_at": datetime(1970, 1, 1, tzinfo=UTC)}, "found 1970-01-01T00:00:00Z, which is shown as recorded"),
        ({"tested_at": datetime(2100, 1, 1, tzinfo=UTC)}, "expected a date from 2000 to 2099"),
    ],
)
def test_an_unlikely_value_is_used_and_told(values: dict[str, Any], said: str) -> None:
    problems = Problems()
    assert rows.check(Source("a.parquet", 7), {"model_id": CONTROL, **values}, problems)
    (problem,) = problems
    assert (problem.level, problem.code, problem.place.row) == (Level.NOTICE, "value-odd", 7)
    assert said in str(problem)


@pytest.mark.parametrize("values", [{"wall_s": 0}, {"hbm_peak_gb": 0.0}, {"tested_at": rows.FIRST}, {"tp": None}])
def test_a_likely_value_is_not(values: dict[str, Any]) -> None:
    problems = Problems()
    assert rows.check(Source("a.parquet", 7), {"model_id": CONTROL, **values}, problems)
    assert not list(problems)


# -- Files


def said(folder: Path, *codes_: str) -> list[tuple[str, str]]:
    """The problems of a data folder that have one of the codes: place and what was found."""
    return [(str(p.place), p.found) for p in load_all(folder) if p.code in codes_]


def load_all(folder: Path) -> Problems:
    return inspect(Settings(data=folder, keep_going=True)).problems


def test_values_that_tell_what_ran_are_missed_once_a_file_and_column(tmp_path: Path) -> None:
    put(tmp_path, [row(neuronx_cc=None), row("acme/b", neuronx_cc=None), row("acme/c", result=None), row("acme/d")])
    assert said(tmp_path, "value-missing") == [
        ("results.parquet, column neuronx_cc", "2 rows of 4 without a value, which reads “not recorded”"),
        ("results.parquet, column result", "1 row of 4 without a value, which reads “not recorded”"),
    ]


def test_a_column_that_is_not_there_is_told_once(tmp_path: Path) -> None:
    put(tmp_path, [row()], drop=["library_version"])
    assert said(tmp_path, "value-missing", "column-missing") == [
        ("results.parquet, column library_version", "missing; the rows read “not recorded”")
    ]


def test_a_reason_in_place_of_a_result_is_no_missing_result(tmp_path: Path) -> None:
    put(tmp_path, [row(result=None, exclusion="needs 64 cores")])
    assert said(tmp_path, "value-missing") == []


# -- Pairs


def test_what_is_no_version_is_told_once_a_pair(tmp_path: Path) -> None:
    put(tmp_path, [row(library_version="main"), row("acme/b", library_version="main"), row("acme/c")])
    ((place, found),) = said(tmp_path, "pair-version-odd")
    assert place == "results.parquet, row 1, column library_version"
    assert "'main', which cannot be compared; the pair stands below all others" in found


@pytest.mark.parametrize(
    "other", [{"library": "Transformers"}, {"library_version": "5.21"}, {"neuronx_cc": "2.28.7631.0+5E0F61C7"}]
)
def test_pairs_that_read_alike_are_told(tmp_path: Path, other: dict[str, str]) -> None:
    put(tmp_path, [row(), row("acme/b", **other)])
    ((_, found),) = said(tmp_path, "pair-twin")
    assert "are two pairs here, but could be one" in found


def test_pairs_that_differ_are_not(tmp_path: Path) -> None:
    others: list[dict[str, Any]] = [
        {"library_version": None},
        {"library": None},
        {"library_version": "main"},
        {"library_version": "dev"},
    ]
    put(tmp_path, [row(), *(row("acme/b", **other) for other in others), row("acme/c", library_version="5.22.0")])
    assert said(tmp_path, "pair-twin") == []


def test_several_versions_of_what_stands_beside_a_pair_are_told(tmp_path: Path) -> None:
    put(tmp_path, [row(torch="2.9.0"), row("acme/b", torch="2.10.0"), row("acme/c", torch=None)])
    ((place, found),) = said(tmp_path, "pair-stack-mixed")
    assert (place, found.endswith("record several versions: 2.9.0, 2.10.0")) == (
        "results.parquet, row 1, column torch",
        True,
    )


# -- The whole


def test_ids_equal_but_for_case_are_told(tmp_path: Path) -> None:
    put(tmp_path, [row("acme/a"), row("Acme/A"), row("acme/b")])
    ((_, found),) = said(tmp_path, "id-twin")
    assert "differ only in case; they are two models here" in found


def test_runs_that_disagree_are_told(tmp_path: Path) -> None:
    put(tmp_path, [row(), row(result="FAIL", cpu_match=None)])
    ((_, found),) = said(tmp_path, "runs-disagree")
    assert "disagree (FAIL, Check not recorded; PASS, CPU match); its page says so" in found


# -- Codes


def test_an_error_leaves_out_what_it_is_about() -> None:
    assert effect(Problem(Level.ERROR, "column-missing", Place(), "")) is Effect.LEFT_OUT
    assert effect(Problem(Level.NOTICE, "column-missing", Place(), "")) is Effect.AS_RECORDED
    assert effect(Problem(Level.ERROR, "rows-lost", Place(), "")) is Effect.FAULT
