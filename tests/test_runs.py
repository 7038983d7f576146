"""Rows become runs, exact duplicates or refusals, and all of them are counted (cases B01-B15, B36, B58)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sitegen.errors import Level, Problems
from sitegen.model import Run, TextRef
from sitegen.rules.rows import usable_id
from sitegen.texts import TextStore
from tests.factory import COLUMNS, CONTROL, NEW, OLD, Row, codes, pair, put, read, row, write


@pytest.fixture
def store() -> Iterator[TextStore]:
    with TextStore() as store:
        yield store


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


def one_run(data: Path, store: TextStore, **changes: Any) -> Run:
    put(data, [row(**changes)])
    (run,) = read(data, store)[0].runs
    return run


def text(store: TextStore, ref: TextRef | None) -> str | None:
    return store.reader().text(ref)


def errors(problems: Problems) -> list[tuple[str, int, str]]:
    return [(p.place.file, p.place.row, p.place.column) for p in problems.at(Level.ERROR)]


def test_a_row_becomes_a_run_with_every_column(data: Path, store: TextStore) -> None:
    run = one_run(data, store, notes="a note", error="Traceback\n", english="fluent", exclusion="too large")
    assert run.model_id == CONTROL
    assert run.pair == pair()
    assert (run.source.file, run.source.row) == ("results.parquet", 1)
    assert (run.result, run.outcome.key, run.verification.states) == ("PASS", "pass", ("cpu-match", "fluent"))
    assert (run.tp, run.wall_s, run.hbm_peak_gb, run.hbm_capacity_gb) == (1, 212, 9.21, 24.0)
    assert (run.runner, run.notes, run.exclusion) == ("auto", "a note", "too large")
    assert (run.cpu_match, run.english) == ("32/32", "fluent")
    assert run.tested_at == datetime(2026, 10, 28, 9, tzinfo=UTC)
    assert dict(run.stack)["neuron_driver"] == "2.31.7.0"
    assert (text(store, run.run_py), text(store, run.error)) == ("print('hello')\n", "Traceback\n")
    assert run.others == ()
    assert run.short == run.digest[:12]


def test_texts_are_kept_byte_for_byte(data: Path, store: TextStore) -> None:
    hostile = "\r\n\t\x1b[31m</script>\x00 \u2028é模\ufffe\n\n "
    run = one_run(data, store, run_py=hostile, error=hostile)
    assert run.run_py is not None
    assert store.reader().bytes(run.run_py) == hostile.encode()
    assert run.run_py == run.error  # one copy


def test_a_row_of_nulls_is_not_recorded_everywhere(data: Path, store: TextStore) -> None:
    put(data, [{"model_id": CONTROL}])
    (run,) = read(data, store)[0].runs
    assert run.pair == pair(None, None, None)
    assert (run.outcome.key, run.verification.key) == ("unrecorded", "not-recorded")
    fields = (run.tp, run.wall_s, run.hbm_peak_gb, run.tested_at, run.run_py, run.error, run.notes, run.task)
    assert fields == (None,) * 8
    assert {version for _, version in run.stack} == {None}


@pytest.mark.parametrize("column", sorted(set(COLUMNS) - {"model_id"}))
def test_a_column_that_a_file_lacks_is_null(data: Path, store: TextStore, column: str) -> None:
    put(data, [row(**{column: None})], "null.parquet")
    put(data, [row("acme/other-1b")], "lacks.parquet", drop=[column])
    reading, problems = read(data, store)
    lacks, null = reading.runs
    assert getattr(lacks, column, None) == getattr(null, column, None)
    assert (lacks.pair, lacks.stack, lacks.outcome) == (null.pair, null.stack, null.outcome)
    assert reading.files[0].missing == (column,)
    assert reading.files[1].missing == ()
    assert not problems.at(Level.ERROR)


@pytest.mark.parametrize(
    ("drop", "level"),
    [
        ("result", Level.NOTICE),
        ("neuronx_cc", Level.NOTICE),
        ("library_version", Level.NOTICE),
        ("exclusion", None),
        ("notes", None),
    ],
)
def test_a_missing_column_is_reported_where_it_matters(
    data: Path, store: TextStore, drop: str, level: Level | None
) -> None:
    put(data, [row()], drop=[drop])
    found = [(p.level, p.place.column) for p in read(data, store)[1]]
    assert found == ([(level, drop)] if level else [])


@pytest.mark.parametrize("drop", [["model_id"], [*COLUMNS]])
def test_a_file_without_ids_is_an_error_that_names_the_column(data: Path, store: TextStore, drop: list[str]) -> None:
    put(data, [row()], drop=drop)
    reading, problems = read(data, store)
    assert reading.runs == ()
    assert errors(problems) == [("results.parquet", 0, "model_id")]
    assert reading.files[0].left_out == problems.at(Level.ERROR)[0].found


def test_a_known_column_twice_is_an_error_that_names_it(data: Path, store: TextStore) -> None:
    table = pa.table([["acme/x"], ["PASS"], ["FAIL"]], names=["model_id", "result", "result"])
    data.mkdir()
    pq.write_table(table, data / "twice.parquet")
    reading, problems = read(data, store)
    assert reading.runs == ()
    assert errors(problems) == [("twice.parquet", 0, "result")]


def test_other_types_change_no_run(data: Path, store: TextStore) -> None:
    """Case B03, and B14: the same row, whatever the types of its columns."""
    types = {
        "model_id": pa.large_string(),
        "library": pa.dictionary(pa.int8(), pa.string()),
        "tp": pa.int64(),
        "wall_s": pa.float64(),
        "hbm_peak_gb": pa.float32(),
        "hbm_capacity_gb": pa.int16(),
        "cpu_match": pa.binary(),
        "result": pa.large_binary(),
        "notes": pa.null(),
        "tested_at": pa.timestamp("ns"),
        "run_py": pa.large_string(),
    }
    put(data, [row()], "plain.parquet")
    put(data, [row()], "wide.parquet", types=types, drop=["exclusion"])
    reading, problems = read(data, store)
    assert [run.source.file for run in reading.runs] == ["plain.parquet"]
    assert codes(problems) == ["row-duplicate"]  # equal in every column that both have


def test_unknown_columns_are_kept_and_reported_as_infos(data: Path, store: TextStore) -> None:
    extra = {"big": pa.array([2**53 + 1]), "score": pa.array([9.21], pa.float32()), "gone": pa.nulls(1)}
    put(data, [row()], extra=extra)
    reading, problems = read(data, store)
    (run,) = reading.runs
    assert [(name, text(store, ref)) for name, ref in run.others] == [("big", str(2**53 + 1)), ("score", "9.21")]
    assert [(p.level, p.place.column) for p in problems] == [(Level.INFO, name) for name in sorted(extra)]
    assert reading.files[0].unknown == ("big", "score", "gone")


def test_optional_columns_have_a_meaning(data: Path, store: TextStore) -> None:
    run = one_run(data, store, task="text-generation", architecture="llama", extra_packages="einops", packages="a==1")
    assert (run.task, run.architecture, run.extra_packages) == ("text-generation", "llama", "einops")
    assert text(store, run.packages) == "a==1"
    assert run.others == ()


def test_the_raw_row_is_valid_json_with_every_column(data: Path, store: TextStore) -> None:
    run = one_run(data, store, hbm_peak_gb=float("nan"), error="x" * 5000, score=2**53 + 1, tp=None)
    raw = json.loads(store.reader().bytes(run.raw), parse_constant=pytest.fail)
    assert list(raw) == [*COLUMNS, "score"]
    assert (raw["hbm_peak_gb"], raw["tp"], raw["score"], raw["wall_s"]) == (None, None, 2**53 + 1, 212)
    assert run.error is not None
    assert raw["error"] == {"bytes": 5000, "sha256": run.error.sha256}
    assert raw["tested_at"] == "2026-10-28T09:00:00Z"


def test_a_reason_without_a_result_is_an_exclusion(data: Path, store: TextStore) -> None:
    assert one_run(data, store, result=None, exclusion="a priority for later").outcome.key == "excluded"


def test_a_recorded_result_wins_over_an_exclusion(data: Path, store: TextStore) -> None:
    run = one_run(data, store, result="FAIL", exclusion="too large")
    assert (run.outcome.key, run.exclusion) == ("fail", "too large")


def test_an_unknown_result_word_is_a_notice_with_its_count(data: Path, store: TextStore) -> None:
    put(data, [row("a/1", result="FLAKY"), row("a/2", result="FLAKY "), row("a/3", result="XFAIL"), row("a/4")])
    reading, problems = read(data, store)
    assert [run.outcome.word for run in reading.runs] == ["FLAKY", "FLAKY", "XFAIL", None]
    notices = problems.at(Level.NOTICE)
    assert [p.found.partition(";")[0] for p in notices] == [
        "the result word “FLAKY” is not known (2 rows)",
        "the result word “XFAIL” is not known (1 row)",
    ]


# -- Duplicates


def test_exact_duplicates_count_once_within_and_across_files(data: Path, store: TextStore) -> None:
    other = row("acme/other-1b")
    put(data, [row(), other, row(), row()], "a.parquet")
    put(data, [other], "b.parquet")
    reading, problems = read(data, store)
    assert [run.model_id for run in reading.runs] == [CONTROL, "acme/other-1b"]
    assert [(f.rows, f.runs, f.duplicates) for f in reading.files] == [(4, 2, 2), (1, 0, 1)]
    first, second = problems.at(Level.NOTICE)
    assert first.found == "2 exact duplicate rows were left out; row 3 equals a.parquet, row 1"
    assert second.found == "1 exact duplicate row was left out; row 1 equals a.parquet, row 2"


@pytest.mark.parametrize("column", sorted(set(COLUMNS) - {"model_id", "tested_at"}))
def test_rows_that_differ_anywhere_are_two_runs(data: Path, store: TextStore, column: str) -> None:
    changed: Any = 7 if pa.types.is_primitive(COLUMNS[column]) else "7"
    put(data, [row(), row(**{column: changed})])
    first, second = read(data, store)[0].runs
    assert first.digest != second.digest


@pytest.mark.parametrize("values", [[1, 2], ["a", "a "], [None, 0], [0.1, 0.10000000000000002]])
def test_rows_that_differ_in_an_unknown_column_are_two_runs(data: Path, store: TextStore, values: list[Any]) -> None:
    put(data, [row(), row()], extra={"more": pa.array(values)})
    assert len(read(data, store)[0].runs) == 2


def test_the_order_of_files_and_columns_changes_nothing_but_source_names(tmp_path: Path, store: TextStore) -> None:
    poor, rich = [row("acme/poor-1b", exclusion="later")], [row("acme/rich-1b", score=1)]
    for folder, first, second in (("one", poor, rich), ("two", rich, poor)):
        drop = ["tp", "error", "notes"]
        put(tmp_path / folder, first, "a.parquet", drop=drop if first is poor else ())
        put(tmp_path / folder, second, "b.parquet", drop=drop if second is poor else ())
    found = [
        sorted((r.digest, r.model_id, r.others) for r in read(tmp_path / f, store)[0].runs) for f in ("one", "two")
    ]
    assert found[0] == found[1]
    table = pa.table({name: pa.array([row().get(name)], kind) for name, kind in reversed([*COLUMNS.items()])})
    (tmp_path / "three").mkdir()
    pq.write_table(table, tmp_path / "three" / "a.parquet")
    put(tmp_path / "three", [row()], "b.parquet")
    assert len(read(tmp_path / "three", store)[0].runs) == 1


# -- Refusals


UNUSABLE = [None, "", "  ", "acme/", "/x", " /x", "acme/ ", "/"]


def test_unusable_ids_are_all_reported_with_their_rows(data: Path, store: TextStore) -> None:
    put(data, [row(), *map(row, UNUSABLE)])
    reading, problems = read(data, store)
    assert [run.model_id for run in reading.runs] == [CONTROL]
    assert errors(problems) == [("results.parquet", n, "model_id") for n in range(2, 10)]
    assert reading.files[0].refused == 8


@pytest.mark.parametrize("model_id", ["tiny-lm", "acme/x", "a/b/c", "acme/v1..2", "...", "模型", "a b"])
def test_usable_ids(model_id: str) -> None:
    assert usable_id(model_id)


INVISIBLE = ["\x00", "\u200b", "acme/\u200b", "\x1b/x"]
# Beside one that is seen: the id would look like another one.
LOOK_ALIKE = [f"acme/a{odd}b" for odd in "\x00\n\x7f\x85\xad\u200b\u200d\u202e\u2066\u3164\ue000\ufeff\ufffe\U000e0041"]
HALF = ["acme//x", "acme/x/", "acme/x//y", "acme/ /x"]
CLIMBING = ["..", "../../etc", "acme/..", "acme/./x"]  # B20: a safe address, or refused by name


@pytest.mark.parametrize("model_id", [*UNUSABLE, *INVISIBLE, *LOOK_ALIKE, *HALF, *CLIMBING, 3, ["acme/x"]])
def test_unusable_ids(model_id: object) -> None:
    assert not usable_id(model_id)


def test_a_character_that_nobody_sees_is_named(data: Path, store: TextStore) -> None:
    put(data, [row(), row("acme/a\u3164b"), row("acme/")])
    _, problems = read(data, store)
    assert [problem.found for problem in problems.at(Level.ERROR)] == [
        "found 'acme/a\u3164b', in which nobody sees the character U+3164",
        "found 'acme/'",
    ]


def test_every_unreadable_value_is_reported_with_file_row_and_column(data: Path, store: TextStore) -> None:
    rows: list[Row] = [row(tp="1"), row(None, tp="four"), row("acme/x", tp="2"), row("acme/y", tp="2.5")]
    put(data, rows, "text.parquet", types={"tp": pa.string()}, extra={"wall_s": pa.array(["9", "a minute", "9", "9"])})
    reading, problems = read(data, store)
    assert [(run.model_id, run.tp) for run in reading.runs] == [(CONTROL, 1), ("acme/x", 2)]
    assert errors(problems) == [
        ("text.parquet", 2, "model_id"),
        ("text.parquet", 2, "tp"),
        ("text.parquet", 2, "wall_s"),
        ("text.parquet", 4, "tp"),
    ]
    assert (reading.files[0].rows, reading.files[0].runs, reading.files[0].refused) == (4, 2, 2)


@pytest.mark.parametrize(("column", "value"), [("tp", 0), ("tp", -1), ("wall_s", -5), ("hbm_peak_gb", -0.5)])
def test_odd_numbers_are_shown_as_recorded_with_a_notice(
    data: Path, store: TextStore, column: str, value: float
) -> None:
    put(data, [row(**{column: value})])
    reading, problems = read(data, store)
    assert getattr(reading.runs[0], column) == value
    assert [(p.level, p.place.row, p.place.column) for p in problems] == [(Level.NOTICE, 1, column)]


def test_a_log_that_is_not_utf8_is_kept_and_reported(data: Path, store: TextStore) -> None:
    put(data, [row(error=b"caf\xe9")], types={"error": pa.binary()})
    reading, problems = read(data, store)
    ref = reading.runs[0].error
    assert ref is not None
    assert store.reader().bytes(ref) == b"caf\xe9"
    assert text(store, ref) == "caf\ufffd"
    assert [(p.level, p.place.row, p.place.column) for p in problems] == [(Level.NOTICE, 1, "error")]


# -- Files that cannot be read


def test_all_problems_are_found_at_once_and_the_rest_is_read(data: Path, store: TextStore) -> None:
    put(data, [row()], "good.parquet")
    put(data, [row("acme/"), row("acme/late-1b")], "rows.parquet")
    put(data, [row()], "no-ids.parquet", drop=["model_id"])
    write(data / "empty.parquet", b"")
    write(data / "text.parquet", b"model_id,result\n")
    reading, problems = read(data, store)
    assert [run.model_id for run in reading.runs] == [CONTROL, "acme/late-1b"]
    assert [(p.place.file, p.code) for p in problems.at(Level.ERROR)] == [
        ("empty.parquet", "file-empty"),
        ("no-ids.parquet", "column-missing"),
        ("rows.parquet", "id-unusable"),
        ("text.parquet", "file-not-parquet"),
    ]
    # Every file that was found is listed, with the reason where nothing of it was used.
    assert [(f.file, f.left_out is not None) for f in reading.files] == [
        ("empty.parquet", True),
        ("good.parquet", False),
        ("no-ids.parquet", True),
        ("rows.parquet", False),
        ("text.parquet", True),
    ]


def test_of_a_file_that_breaks_half_way_nothing_is_used(data: Path, store: TextStore) -> None:
    rows = [row(f"acme/m-{n}", run_py=f"print({n})\n" * 200) for n in range(20)]
    path = put(data, rows, "a.parquet", row_group_size=5, compression="NONE", use_dictionary=False)
    content = bytearray(path.read_bytes())
    middle = content.index(b"print(16)")
    content[middle - 20 : middle] = b"\xff" * 20  # the header of a page in the last row group
    path.write_bytes(content)
    put(data, rows[:3], "b.parquet")
    reading, problems = read(data, store)
    assert codes(problems.at(Level.ERROR)) == ["file-unreadable"]
    assert reading.files[0].left_out
    # Its rows are forgotten, so that the same rows elsewhere are no duplicates.
    assert [(run.source.file, run.model_id) for run in reading.runs] == [("b.parquet", f"acme/m-{n}") for n in range(3)]


def test_a_file_without_rows_offers_no_pair(data: Path, store: TextStore) -> None:
    put(data, [])
    reading, problems = read(data, store)
    assert (reading.runs, reading.files[0].pairs) == ((), ())
    assert [(p.level, p.code) for p in problems] == [(Level.NOTICE, "file-no-rows")]


def test_the_pair_comes_from_the_rows_and_not_from_the_name(data: Path, store: TextStore) -> None:
    put(data, [row(), row(neuronx_cc=OLD)], f"neuronx-cc-{NEW}--transformers-4.0.0.parquet")
    reading, _ = read(data, store)
    assert reading.files[0].pairs == (pair(NEW), pair(OLD))


def test_an_unknown_column_twice_is_an_error_that_names_it(tmp_path: Path) -> None:
    pq.write_table(pa.table([["a/x"], [1], [2]], names=["model_id", "more", "more"]), tmp_path / "twice.parquet")
    with TextStore() as store:
        reading, problems = read(tmp_path, store)
    assert reading.runs == ()
    assert [(p.place.file, p.place.column) for p in problems.at(Level.ERROR)] == [("twice.parquet", "more")]


def test_rows_that_differ_in_nanoseconds_are_two_runs(tmp_path: Path) -> None:
    put(tmp_path, [row(), row()], extra={"more": pa.array([1001, 1002], pa.timestamp("ns"))})
    with TextStore() as store:
        assert len(read(tmp_path, store)[0].runs) == 2


@pytest.mark.parametrize("odd", ["a/b/c", " a/b", "a b", "a/x.git", "a/b--c", "a/b..c", "a/-b", "a/" + "x" * 97])
def test_an_id_that_the_hub_would_not_take_is_used_and_reported(tmp_path: Path, odd: str) -> None:
    put(tmp_path, [row(odd)])
    with TextStore() as store:
        reading, problems = read(tmp_path, store)
    assert [run.model_id for run in reading.runs] == [odd]
    assert [p.code for p in problems.at(Level.NOTICE)] == ["id-odd"]


@pytest.mark.parametrize("good", ["tiny-lm", "a/b", "A_b/c.d-e_f", "_team/x_", "a/" + "x" * 96])
def test_an_id_of_the_hub_is_no_news(tmp_path: Path, good: str) -> None:
    put(tmp_path, [row(good)])
    with TextStore() as store:
        assert len(read(tmp_path, store)[1]) == 0
