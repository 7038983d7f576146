"""Snapshots of the Hub's rankings (case B57): order kept, gaps kept, faults with their place."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from sitegen.errors import Level, Problems
from sitegen.model import RankedModel, Ranking
from sitegen.rankings import load_rankings
from tests.factory import ranking, write


def load(data: Path) -> tuple[tuple[Ranking, ...], Problems]:
    problems = Problems()
    return load_rankings(data / "rankings", problems), problems


def test_a_snapshot_keeps_its_order_and_its_date(tmp_path: Path) -> None:
    ranking(tmp_path, ["z/last-1b", "a/first-1b", "lone"], taken_at="2026-10-28T11:00:00+02:00")
    (found,), problems = load(tmp_path)
    assert (found.kind, found.task) == ("trending", "text-generation")
    assert found.taken_at == datetime(2026, 10, 28, 9, tzinfo=UTC)
    assert found.source == "https://huggingface.co/api/models"
    assert [(m.rank, m.model_id) for m in found.models] == [(1, "z/last-1b"), (2, "a/first-1b"), (3, "lone")]
    assert len(problems) == 0


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        ({}, {}),
        ({"downloads": 0, "likes": 0, "trending_score": 0}, {"downloads": 0, "likes": 0, "trending_score": 0}),
        ({"downloads": None, "likes": "many", "trending_score": "high"}, {}),
        ({"downloads": -1, "likes": True, "trending_score": float("nan")}, {}),
        ({"trending_score": 1.5}, {"trending_score": 1.5}),
        ({"gated": False}, {"gated": "no"}),
        ({"gated": True}, {"gated": "yes"}),
        ({"gated": "manual"}, {"gated": "manual"}),
        ({"last_modified": "2026-10-01", "was": ["a/old", "", 3]}, {"last_modified": "2026-10-01", "was": ("a/old",)}),
        ({"was": "a/old"}, {}),
    ],
)
def test_gaps_in_a_record_stay_gaps(tmp_path: Path, record: dict[str, Any], expected: dict[str, Any]) -> None:
    ranking(tmp_path, [{"id": "a/x", **record}])
    assert load(tmp_path)[0][0].models == (RankedModel(1, "a/x", **expected),)


def test_a_score_beyond_all_numbers_is_a_gap(tmp_path: Path) -> None:
    ranking(tmp_path, [{"id": "a/x", "trending_score": 10**400}])
    (found,), _ = load(tmp_path)
    assert found.models[0].trending_score is None


@pytest.mark.parametrize("newer", ["a.json", "b.json"])
def test_of_two_snapshots_the_newer_counts_and_one_is_reported(tmp_path: Path, newer: str) -> None:
    older = "b.json" if newer == "a.json" else "a.json"
    ranking(tmp_path, ["a/new"], name=newer, taken_at="2026-10-28T00:00:00Z")
    ranking(tmp_path, ["a/old"], name=older, taken_at="2026-10-27T23:59:59Z")
    (found,), problems = load(tmp_path)
    assert [m.model_id for m in found.models] == ["a/new"]
    assert [(p.level, p.code) for p in problems] == [(Level.NOTICE, "ranking-twice")]


def test_rankings_and_tasks_stand_side_by_side(tmp_path: Path) -> None:
    ranking(tmp_path, ["a/x"], name="1.json", ranking="trending")
    ranking(tmp_path, ["a/x"], name="2.json", ranking="downloads")
    ranking(tmp_path, ["a/x"], name="3.json", task="image-text-to-text")
    found, problems = load(tmp_path)
    assert [(r.kind, r.task) for r in found] == [
        ("downloads", "text-generation"),
        ("trending", "image-text-to-text"),
        ("trending", "text-generation"),
    ]
    assert len(problems) == 0


@pytest.mark.parametrize("model", [{"id": None}, {}, "", "acme/", {"id": 3}, 7, None, ["a/x"]])
def test_an_unusable_id_is_reported_with_its_rank_and_the_others_keep_theirs(tmp_path: Path, model: Any) -> None:
    ranking(tmp_path, ["a/one", model, "a/three"])
    (found,), problems = load(tmp_path)
    assert [(m.rank, m.model_id) for m in found.models] == [(1, "a/one"), (3, "a/three")]
    assert [(p.level, p.code, p.place.file, p.place.row) for p in problems] == [
        (Level.ERROR, "id-unusable", "rankings/ranking.json", 2)
    ]


def test_an_id_that_stands_twice_counts_at_its_first_place(tmp_path: Path) -> None:
    ranking(tmp_path, ["a/one", "a/two", "a/one"])
    (found,), problems = load(tmp_path)
    assert [(m.rank, m.model_id) for m in found.models] == [(1, "a/one"), (2, "a/two")]
    assert [(p.level, p.place.row) for p in problems] == [(Level.NOTICE, 3)]


@pytest.mark.parametrize(
    "changes",
    [
        {"schema": 2},
        {"schema": None},
        {"ranking": "likes"},
        {"task": ""},
        {"task": None},
        {"taken_at": "yesterday"},
        {"taken_at": None},
        {"taken_at": 1793007000},
        {"models": {}},
    ],
)
def test_a_snapshot_that_is_none_is_an_error_with_its_file(tmp_path: Path, changes: dict[str, Any]) -> None:
    record = json.loads(ranking(tmp_path, ["a/x"], name="bad.json").read_text())
    write(tmp_path / "rankings" / "bad.json", json.dumps({**record, **changes}))
    ranking(tmp_path, ["a/x"], name="good.json", ranking="downloads")
    found, problems = load(tmp_path)
    assert [r.kind for r in found] == ["downloads"]
    assert [(p.level, p.code, p.place.file) for p in problems] == [
        (Level.ERROR, "ranking-unreadable", "rankings/bad.json")
    ]


@pytest.mark.parametrize("content", [b"", b"[]", b"null", b"{", b"\xff\xfe", b"[" * 100_000, b'"' + b"x" * 10])
def test_what_is_no_json_is_an_error(tmp_path: Path, content: bytes) -> None:
    write(tmp_path / "rankings" / "bad.json", content)
    found, problems = load(tmp_path)
    assert found == ()
    assert [(p.level, p.code) for p in problems] == [(Level.ERROR, "ranking-unreadable")]


def test_no_folder_is_no_ranking_and_hidden_files_are_none(tmp_path: Path) -> None:
    assert load(tmp_path)[0] == ()
    ranking(tmp_path, ["a/x"], name=".partial.json")
    ranking(tmp_path, ["a/x"], name="_old.json")
    assert load(tmp_path)[0] == ()


def test_of_two_snapshots_the_older_is_the_one_reported(tmp_path: Path) -> None:
    ranking(tmp_path, ["a/x"], name="a-old.json", taken_at="2026-10-01T00:00:00Z")
    ranking(tmp_path, ["a/x"], name="b-new.json", taken_at="2026-10-28T00:00:00Z")
    problems = Problems()
    load_rankings(tmp_path / "rankings", problems)
    assert [p.place.file for p in problems] == ["rankings/a-old.json"]


def test_a_value_that_cannot_be_meant_reads_not_recorded_and_is_reported(tmp_path: Path) -> None:
    odd = {"id": "a/x", "downloads": "many", "likes": -1, "last_modified": 3, "was": "old", "trending_score": True}
    ranking(tmp_path, [odd])
    problems = Problems()
    (found,) = load_rankings(tmp_path / "rankings", problems)
    assert (found.models[0].downloads, found.models[0].likes, found.models[0].was) == (None, None, ())
    assert sorted(p.place.column for p in problems) == ["downloads", "last_modified", "likes", "trending_score", "was"]
    assert {p.code for p in problems} == {"ranking-value"}


@pytest.mark.parametrize(
    ("changes", "found"),
    [
        ({"taken_at": None}, "taken_at is null"),
        ({"ranking": True}, "ranking is true"),
        ({"task": "\u200b"}, 'task is "\\u200b"'),
        ({"task": "text\u202egeneration"}, 'task is "text'),
        ({"task": "a\nb"}, 'task is "a'),
    ],
)
def test_what_is_found_is_said_as_the_file_has_it(tmp_path: Path, changes: dict[str, Any], found: str) -> None:
    """A task of characters that nobody sees would be a list without a name."""
    ranking(tmp_path, ["a/x"], **changes)
    rankings, problems = load(tmp_path)
    assert rankings == ()
    (problem,) = problems
    assert problem.found.startswith(found)


def test_an_entry_that_is_no_object_is_said_as_it_is(tmp_path: Path) -> None:
    ranking(tmp_path, [7, {"id": None}, {"id": "a/x", "downloads": True}])
    _, problems = load(tmp_path)
    assert [p.found for p in problems] == ["found 7", "found null", "found true; it reads “not recorded”"]


def test_every_json_file_is_a_snapshot_and_a_hidden_one_is_named(tmp_path: Path) -> None:
    """B09: whatever the case of its ending; beside Parquet files the same holds."""
    ranking(tmp_path, ["a/x"], name="T.JSON")
    ranking(tmp_path, ["a/y"], name="_old.json", ranking="downloads")
    found, problems = load(tmp_path)
    assert [[model.model_id for model in one.models] for one in found] == [["a/x"]]
    assert [(p.level, p.code, p.place.file) for p in problems] == [(Level.INFO, "file-hidden", "rankings/_old.json")]


@pytest.mark.parametrize("source", ["https://h.org/a b", "https://h.org/\n", 'https://h.org/"><b>', "https://", "x"])
def test_a_source_that_is_no_address_is_no_link(tmp_path: Path, source: str) -> None:
    ranking(tmp_path, ["a/x"], source=source)
    assert load(tmp_path)[0][0].source is None


def test_a_file_in_the_place_of_the_folder_is_an_error(tmp_path: Path) -> None:
    write(tmp_path / "rankings", "x")
    found, problems = load(tmp_path)
    assert found == ()
    assert [(p.code, p.found) for p in problems] == [("ranking-unreadable", "no folder")]
