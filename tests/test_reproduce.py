"""How to run a result again: exact pins of what the row records, and what it does not record named as such."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sitegen.model import Run
from sitegen.reproduce import Reproduction, inline_dependencies, reproduction
from sitegen.site import Site
from tests.factory import row, site_of, write


def made(tmp_path: Path, script: str = "", packages: dict[str, str] | None = None, **changes: Any) -> Reproduction:
    catalog = changes.pop("catalog", "")
    write(tmp_path / "catalog.toml", catalog)
    site: Site = site_of(tmp_path, [row(**changes)], base_url=changes.pop("base_url", None))
    run: Run = site.results[0].headline
    found = reproduction(site, run, script, packages or {})
    assert found is not None
    return found


def test_pins_are_the_recorded_versions_exactly(tmp_path: Path) -> None:
    assert made(tmp_path).requirements.split("\n") == [
        "transformers==5.21.0",
        "accelerate==1.15.0",
        "torch-neuronx==2.14.3.0",
        "torch==2.14.0",
        "nki==0.7.0",
        "neuronx-cc==2.28.7631.0+5e0f61c7",
    ]


def test_what_is_not_recorded_is_named_and_not_pinned(tmp_path: Path) -> None:
    found = made(tmp_path, nki=None, neuron_driver=None)
    assert found.missing == ("nki", "neuron driver")
    assert "nki" not in found.requirements


def test_the_librarys_version_of_the_pair_is_its_pin(tmp_path: Path) -> None:
    found = made(tmp_path, transformers=None)
    assert found.missing == ()
    assert "transformers==5.21.0" in found.requirements.split("\n")


def test_a_whole_list_of_packages_is_pinned_and_nothing_else_is_missing(tmp_path: Path) -> None:
    found = made(
        tmp_path, packages={"Torch": "9", "torch_neuronx": "9", "idna": "3.7"}, accelerate=None, neuron_driver=None
    )
    lines = found.requirements.split("\n")
    assert "idna==3.7" in lines
    assert [line for line in lines if line.lower().startswith("torch")] == ["torch-neuronx==2.14.3.0", "torch==2.14.0"]
    assert found.missing == ("neuron driver",)


def test_packages_of_the_script_and_the_column_come_last_and_once(tmp_path: Path) -> None:
    script = '# /// script\n# dependencies = ["pillow==12.0.0", "torch>=2"]\n# ///\n'
    found = made(tmp_path, script, extra_packages="pillow==12.0.0, tiktoken==0.13.0")
    assert found.requirements.split("\n")[-2:] == ["pillow==12.0.0", "tiktoken==0.13.0"]


@pytest.mark.parametrize(
    ("script", "found"),
    [
        ("", []),
        ("# /// script\n# dependencies = ['a', 'b>1']\n# ///\nx = 1\n", ["a", "b>1"]),
        ("x = 1\n# /// script\r\n#\n# dependencies = ['a']\r\n# ///\n", ["a"]),
        ("# /// script\n# dependencies = ['a']\nx = 1\n# ///\n", []),  # no block: it is not all comments
        ("# /// script\n# dependencies = ['a']\n", []),  # not closed
        ("# /// script\n# dependencies = 3\n# ///\n", []),
        ('# /// script\n# dependencies = [1, "a\\nb"]\n# ///\n', ["a b"]),
        ("# /// script\n# x = " + "9" * 5000 + "\n# ///\n", []),
        ("# /// script\n# dependencies = " + "[" * 50_000 + "\n# ///\n", []),
    ],
)
def test_inline_metadata_is_read_or_left_alone(script: str, found: list[str]) -> None:
    assert inline_dependencies(script) == found


def test_templates_are_filled_quoted_and_absent_where_a_field_is_missing(tmp_path: Path) -> None:
    catalog = '[reproduce]\nneff_cache = "sync {neuronx_cc} DIR"\nimage = "img:{nki}"\n'
    found = made(tmp_path, catalog=catalog, nki=None, neuronx_cc="2.28 $(x)")
    assert found.cache_command == "sync '2.28 $(x)' DIR"
    assert found.image is None
    assert found.cache_condition == "only with neuronx-cc 2.28 $(x)"


def test_without_a_script_there_is_nothing_to_run(tmp_path: Path) -> None:
    site = site_of(tmp_path, [row(run_py=None)])
    assert reproduction(site, site.results[0].headline, None, {}) is None
