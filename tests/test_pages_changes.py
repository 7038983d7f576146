"""What a result says of the one before it: only what the two rows record."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sitegen.build import load
from sitegen.config import Settings
from sitegen.pages.changes import Changes, PackageChange, changes
from sitegen.progress import Progress
from sitegen.texts import TextStore
from tests.factory import NEW, OLD, put, row

BEFORE = {"neuronx_cc": OLD, "library_version": "5.18.0", "transformers": "5.18.0"}
SAME = {"torch": "2.14.0", "torch_neuronx": "2.14.3.0", "nki": "0.7.0"}


def changed(folder: Path, before: dict[str, Any], now: dict[str, Any]) -> Changes | None:
    put(folder, [row(**{**SAME, **BEFORE, **before}), row(**{**SAME, **now})])
    with TextStore() as store:
        site, _ = load(Settings(data=folder, keep_going=True), store, Progress())
        (model,) = site.models
        return changes(site, model, model.results[0], store.reader())


def test_the_first_result_with_a_library_has_nothing_before_it(tmp_path: Path) -> None:
    assert changed(tmp_path, {"library": "diffusers"}, {}) is None


def test_where_only_the_pair_differs_the_section_is_folded(tmp_path: Path) -> None:
    found = changed(tmp_path, {}, {})
    assert found is not None
    assert (found.open, found.also, found.script.state, found.transition) == (False, (), "equal", "still passing")
    assert found.packages == (
        PackageChange("neuronx-cc", OLD, NEW),
        PackageChange("transformers", "5.18.0", "5.21.0"),
    )
    assert found.same_packages == 6
    assert "5.18.0" in found.before.text
    assert "5.18.0" in found.before.path


@pytest.mark.parametrize(
    "now",
    [
        {"tp": 4},
        {"runner": "other"},
        {"result": "FAIL"},
        {"cpu_match": "31/32"},
        {"run_py": "print('other')\n"},
        {"torch": "2.15.0"},
        {"torch": None},
        {"error": "ValueError: x\n"},
    ],
)
def test_whatever_else_differs_opens_it(tmp_path: Path, now: dict[str, Any]) -> None:
    found = changed(tmp_path, {}, now)
    assert found is not None
    assert found.open


def test_more_than_the_pair_is_named_before_a_regression_is(tmp_path: Path) -> None:
    found = changed(tmp_path, {"tp": None, "runner": "a"}, {"tp": 4, "runner": "b", "result": "FAIL"})
    assert found is not None
    assert found.also == ("cores: not recorded before, 4 now", "runner: a before, b now")
    assert found.transition == "regressed"


def test_what_is_recorded_on_one_side_only_is_not_a_version(tmp_path: Path) -> None:
    found = changed(tmp_path, {"nki": None}, {"accelerate": None})
    assert found is not None
    assert PackageChange("nki", None, "0.7.0") in found.packages
    assert PackageChange("accelerate", "1.15.0", None) in found.packages


def test_lists_of_installed_packages_are_compared_where_both_rows_have_one(tmp_path: Path) -> None:
    found = changed(tmp_path, {"packages": '{"timm": "1.0", "six": "1"}'}, {"packages": '{"timm": "1.1", "six": "1"}'})
    assert found is not None
    assert PackageChange("timm", "1.0", "1.1") in found.packages
    assert not [change for change in found.packages if change.name == "six"]


def test_of_lists_of_which_one_is_missing_nothing_is_said(tmp_path: Path) -> None:
    found = changed(tmp_path, {}, {"packages": '{"timm": "1.1"}'})
    assert found is not None
    assert not [change for change in found.packages if change.name == "timm"]


@pytest.mark.parametrize(
    ("before", "now", "state"),
    [
        ("a = 1\n", "a = 1\n", "equal"),
        ("a = 1\r\n", "a = 1\n", "same-lines"),
        ("a = 1\n", "a = 2\n", "differs"),
        (None, "a = 1\n", "missing"),
        ("a = 1\n", None, "missing"),
        (None, None, "missing"),
        ("\n".join(f"x{n % 60}" for n in range(6000)), "\n".join(f"x{n % 59}" for n in range(6000)), "too-much"),
    ],
)
def test_scripts(tmp_path: Path, before: str | None, now: str | None, state: str) -> None:
    found = changed(tmp_path, {"run_py": before}, {"run_py": now})
    assert found is not None
    assert found.script.state == state
    assert bool(found.script.hunks) == (state == "differs")


def test_figures_stand_side_by_side_as_recorded(tmp_path: Path) -> None:
    found = changed(tmp_path, {"wall_s": None}, {"hbm_peak_gb": None})
    assert found is not None
    assert [(figure.old.text, figure.new.text) for figure in found.figures] == [
        ("1", "1"),
        ("9.21 GB", "not recorded"),
        ("24 GB", "24 GB"),
        ("not recorded", "212 s"),
    ]
