"""The record of a fetch: what a build takes from it, and what it does not believe."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sitegen.fetched import RECORD, Dataset, Fetched, FetchedFile, as_bytes, read_fetched
from tests.factory import put, row, site_of, write

COMMIT = "0123456789abcdef0123456789abcdef01234567"


def test_a_record_is_read_as_it_was_written(tmp_path: Path) -> None:
    file = FetchedFile("a/é.parquet", 3, "0" * 64)
    dataset = Dataset("a/b", "https://h/a", "main", COMMIT, "https://h/{revision}/{file}", "mit", (file,))
    for fetched in (Fetched(), Fetched(dataset, ("rankings/x.json",))):
        write(tmp_path / RECORD, as_bytes(fetched))
        assert read_fetched(tmp_path) == fetched
    assert fetched.owned == {"a/é.parquet", "rankings/x.json", RECORD}


def record(data: Path, **changes: Any) -> None:
    put(data, [row()], "a.parquet")
    size = (data / "a.parquet").stat().st_size
    dataset = {
        "id": "acme/runs",
        "address": "https://huggingface.co/datasets/acme/runs",
        "asked": "main",
        "revision": COMMIT,
        "source_url": "https://huggingface.co/datasets/acme/runs/blob/{revision}/{file}",
        "licence": None,
        "files": [{"file": "a.parquet", "size": size, "sha256": "0" * 64}],
        **changes,
    }
    write(data / RECORD, json.dumps({"schema": 1, "dataset": dataset, "rankings": []}))


def problems_of(data: Path) -> list[str]:
    return [problem.code for problem in site_of(data).problems]


def test_the_revision_of_the_record_is_shown(tmp_path: Path) -> None:
    record(tmp_path)
    site = site_of(tmp_path)
    assert (site.catalog.revision, site.catalog.dataset) == (COMMIT, "https://huggingface.co/datasets/acme/runs")
    assert site.problems == ()


def test_what_the_maintainers_wrote_wins_and_a_difference_is_said(tmp_path: Path) -> None:
    record(tmp_path)
    write(tmp_path / "catalog.toml", 'revision = "v1"\ndataset = "https://example.org/"\n')
    site = site_of(tmp_path)
    assert (site.catalog.revision, site.catalog.dataset) == ("v1", "https://example.org/")
    assert [problem.code for problem in site.problems] == ["fetched-revision"]


@pytest.mark.parametrize("change", ["longer", "missing"])
def test_data_that_is_not_what_was_fetched_has_no_revision(tmp_path: Path, change: str) -> None:
    record(tmp_path)
    if change == "missing":
        (tmp_path / "a.parquet").rename(tmp_path / "b.parquet")
    else:
        put(tmp_path, [row(), row("acme/another-1b")], "a.parquet")
    site = site_of(tmp_path)
    assert (site.catalog.revision, site.catalog.source_url) == (None, None)
    assert [problem.code for problem in site.problems] == ["fetched-changed"]


def test_files_beside_the_fetched_ones_have_no_address_in_the_dataset(tmp_path: Path) -> None:
    record(tmp_path)
    put(tmp_path, [row(model_id="own/x-1b")], "own.parquet")
    site = site_of(tmp_path)
    assert (site.catalog.revision, site.catalog.source_url) == (COMMIT, None)
    assert [problem.code for problem in site.problems] == ["fetched-beside"]


@pytest.mark.parametrize(
    "changes",
    [
        {"revision": "main"},
        {"address": "javascript:alert(1)"},
        {"source_url": "ftp://x/{file}"},
        {"files": [{"file": "../a.parquet", "size": 1, "sha256": ""}]},
        {"files": [{"file": "a.parquet"}]},
        {"files": None},
        {"licence": 3},
    ],
)
def test_a_record_that_cannot_be_meant_is_an_error(tmp_path: Path, changes: dict[str, Any]) -> None:
    record(tmp_path, **changes)
    assert problems_of(tmp_path) == ["fetched-unreadable"]
