"""Arrow columns become plain values: widened where nothing is lost, `Bad` where unreadable (B02, B03, B13, B14)."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitegen.arrow import as_json, iso
from sitegen.schema import COLUMNS, Bad, decode
from tests import factory

MORNING = datetime(2026, 10, 28, 9, 30, tzinfo=UTC)
TICKS = 1_793_179_800  # MORNING in seconds


def test_all_24_columns_of_the_dataset_are_known() -> None:
    assert len(factory.COLUMNS) == 24
    assert set(factory.COLUMNS) <= set(COLUMNS)


@pytest.mark.parametrize("column", sorted(COLUMNS))
def test_null_typed_columns_mix_with_any_type(column: str) -> None:
    assert list(decode(column, pa.nulls(3))) == [None, None, None]


@pytest.mark.parametrize("column", sorted(COLUMNS))
def test_a_null_is_none_and_no_value_is_lost(column: str) -> None:
    array = pa.array([None, None], factory.COLUMNS.get(column, pa.string()))
    assert list(decode(column, array)) == [None, None]
    assert list(decode(column, array[:0])) == []


INTEGERS = [pa.int8(), pa.int16(), pa.int32(), pa.int64(), pa.uint8(), pa.uint16(), pa.uint32(), pa.uint64()]


@pytest.mark.parametrize("kind", [*INTEGERS, pa.float32(), pa.float64(), pa.decimal128(12, 2)])
def test_whole_numbers_of_any_width(kind: pa.DataType) -> None:
    values = decode("tp", pa.array([16, None, 0], pa.int32()).cast(kind))
    assert list(values) == [16, None, 0]
    assert [type(value) for value in values] == [int, type(None), int]  # 16, never 16.0


@pytest.mark.parametrize("kind", [pa.float32(), pa.float64(), pa.decimal128(9, 2), pa.string()])
def test_numbers_keep_the_digits_that_were_stored(kind: pa.DataType) -> None:
    values = decode("hbm_peak_gb", pa.array(["9.21", None, "24"]).cast(kind))
    assert list(values) == [9.21, None, 24.0]
    assert repr(values[0]) == "9.21"


@settings(deadline=None)
@given(st.floats(width=32, allow_nan=False, allow_infinity=False))
def test_a_32_bit_number_reads_as_it_would_be_printed(value: float) -> None:
    array = pa.array([value], pa.float32())
    assert list(decode("hbm_peak_gb", array)) == [float(array.cast(pa.string())[0].as_py())]


def test_nan_is_not_recorded_and_zero_is_zero() -> None:
    nan = float("nan")
    assert list(decode("hbm_peak_gb", pa.array([nan, 0.0, None]))) == [None, 0.0, None]
    assert list(decode("wall_s", pa.array([nan, 0.0, None]))) == [None, 0, None]


@pytest.mark.parametrize(
    ("column", "array", "found"),
    [
        ("tp", pa.array([2.5]), "2.5"),
        ("tp", pa.array([float("inf")]), "inf"),
        ("tp", pa.array(["four"]), "'four'"),
        ("tp", pa.array([True]), "True"),
        ("wall_s", pa.array(["2 min"]), "'2 min'"),
        ("wall_s", pa.array([[1, 2]]), "[1, 2]"),
        ("hbm_peak_gb", pa.array([float("-inf")]), "-inf"),
        ("hbm_peak_gb", pa.array(["9,21"]), "'9,21'"),
        ("hbm_peak_gb", pa.array([MORNING]), "2026-10-28"),
        ("tested_at", pa.array(["yesterday"]), "yesterday"),
        ("tested_at", pa.array([1793007000]), "1793007000"),
        ("tested_at", pa.array([True]), "true"),
        ("tested_at", pa.array([2**62], pa.timestamp("s")), str(2**62)),
        ("result", pa.array([b"\xff\xfe"]), "not UTF-8"),
    ],
)
def test_what_cannot_be_read_says_what_was_found_and_expected(column: str, array: pa.Array, found: str) -> None:
    (bad,) = decode(column, array)
    assert isinstance(bad, Bad)
    assert found in bad.found
    assert bad.expected


@pytest.mark.parametrize("text", [" 4 ", "4", "4.0", "4e0"])
def test_numbers_in_text_are_read(text: str) -> None:
    assert list(decode("tp", pa.array([text, "", "  "]))) == [4, None, None]


TEXT_TYPES = [
    pa.string(),
    pa.large_string(),
    pa.string_view(),
    pa.binary(),
    pa.large_binary(),
    pa.dictionary(pa.int8(), pa.string()),
    pa.dictionary(pa.int32(), pa.large_string()),
]


@pytest.mark.parametrize("kind", TEXT_TYPES, ids=str)
def test_text_of_any_type_is_the_same_text(kind: pa.DataType) -> None:
    values = ["PASS", None, "", " \n", "模型 é", " kept "]
    array = pa.array(values).cast(kind)
    assert list(decode("result", array)) == ["PASS", None, None, None, "模型 é", " kept "]
    # Large texts are bytes, as they are stored; only an empty one is no text.
    assert list(decode("error", array)) == [b"PASS", None, None, b" \n", "模型 é".encode(), b" kept "]


def test_fixed_size_bytes_are_text() -> None:
    assert list(decode("result", pa.array([b"PASS"], pa.binary(4)))) == ["PASS"]


def test_chunks_are_read_as_one() -> None:
    assert list(decode("tp", pa.chunked_array([[1], [], [2, None]]))) == [1, 2, None]


@pytest.mark.parametrize(
    ("array", "text"),
    [
        (pa.array([True]), "true"),
        (pa.array([False]), "false"),
        (pa.array([5]), "5"),
        (pa.array([2.5]), "2.5"),
        (pa.array([date(2026, 10, 28)]), "2026-10-28"),
        (pa.array([["a", "b"]]), '["a", "b"]'),
    ],
)
def test_other_types_in_a_text_column_are_shown_as_they_are(array: pa.Array, text: str) -> None:
    assert list(decode("cpu_match", array)) == [text]


@pytest.mark.parametrize("zone", [None, "UTC", "Asia/Tokyo"])
@pytest.mark.parametrize(("unit", "factor"), [("s", 1), ("ms", 10**3), ("us", 10**6), ("ns", 10**9)])
def test_timestamps_of_any_unit_and_zone_are_utc(unit: str, factor: int, zone: str | None) -> None:
    array = pa.array([TICKS * factor, None], pa.timestamp(unit, zone))
    assert list(decode("tested_at", array)) == [MORNING, None]


@pytest.mark.parametrize(
    "text",
    [
        "2026-10-28T09:30:00Z",
        "2026-10-28T09:30:00+00:00",
        "2026-10-28T11:30:00+02:00",
        " 2026-10-28 09:30:00 ",
        "2026-10-28T09:30",
    ],
)
def test_iso_text_is_a_moment(text: str) -> None:
    assert list(decode("tested_at", pa.array([text, "", None]))) == [MORNING, None, None]


def test_dates_are_moments() -> None:
    array = pa.array([date(2026, 10, 28), None])
    assert list(decode("tested_at", array)) == [datetime(2026, 10, 28, tzinfo=UTC), None]


def test_moments_are_written_with_a_fraction_only_where_there_is_one() -> None:
    assert iso(MORNING) == "2026-10-28T09:30:00Z"
    assert iso(MORNING.replace(microsecond=500000)) == "2026-10-28T09:30:00.500000Z"


@pytest.mark.parametrize(
    ("array", "values"),
    [
        (pa.array([2**53 + 1, None, -(2**63)]), [2**53 + 1, None, -(2**63)]),
        (pa.array([2**64 - 1], pa.uint64()), [2**64 - 1]),
        (pa.array([9.21, float("nan"), None], pa.float32()), [9.21, None, None]),
        (pa.array([Decimal("12345678901234567890.10")]), ["12345678901234567890.10"]),
        (pa.array([True, None]), [True, None]),
        (pa.array([b"abc", b"\xff"]), ["abc", "\\xff"]),
        (pa.array([MORNING], pa.timestamp("ms", "UTC")), ["2026-10-28T09:30:00Z"]),
        (pa.array([date(2026, 10, 28)]), ["2026-10-28"]),
        (pa.array([{"a": [1, None], "b": float("nan")}]), [{"a": [1, None], "b": None}]),
        (pa.array(["x", "", None]).dictionary_encode(), ["x", "", None]),
        (pa.nulls(2), [None, None]),
    ],
)
def test_unknown_columns_keep_their_values(array: pa.Array, values: list[Any]) -> None:
    assert as_json(array) == values
    assert json.loads(json.dumps(as_json(array), allow_nan=False)) == values


def test_nested_floats_keep_their_digits() -> None:
    assert as_json(pa.array([[9.21]], pa.list_(pa.float32()))) == [[9.21]]
    assert as_json(pa.array([{"a": 9.21}], pa.struct([("a", pa.float32())]))) == [{"a": 9.21}]


def test_nanoseconds_of_an_unknown_column_are_kept() -> None:
    assert as_json(pa.array([1001], pa.timestamp("ns"))) == ["1970-01-01T00:00:00.000001001Z"]


def test_infinity_in_an_unknown_column_is_not_lost() -> None:
    assert as_json(pa.array([float("inf")])) != [None]


def test_bytes_that_are_no_text_stay_apart() -> None:
    """B14: what is no UTF-8 is written as its bytes, in nested values too; a UUID as people write one."""
    assert as_json(pa.array([b"a\xff", b"a\xfe", None])) == ["a\\xff", "a\\xfe", None]
    assert as_json(pa.array([[("k", b"\xff")]], pa.map_(pa.string(), pa.binary()))) == [[["k", "\\xff"]]]
    uuid = pa.ExtensionArray.from_storage(pa.uuid(), pa.array([bytes(range(16)), None], pa.binary(16)))
    assert as_json(uuid) == ["00010203-0405-0607-0809-0a0b0c0d0e0f", None]
    assert list(decode("notes", uuid)) == ["00010203-0405-0607-0809-0a0b0c0d0e0f", None]


def test_nothing_in_a_nested_value_is_lost() -> None:
    """B03, B13: numbers beyond all bounds in a map and in views of lists; a field name that a struct has twice."""
    far = float("inf")
    assert as_json(pa.array([[("k", far)], [("k", float("nan"))], None], pa.map_(pa.string(), pa.float64()))) == [
        [["k", "inf"]],
        [["k", None]],
        None,
    ]
    assert as_json(pa.array([[far, 1.5], None], pa.list_view(pa.float64()))) == [["inf", 1.5], None]
    twice = pa.StructArray.from_arrays([pa.array([1, 2]), pa.array([3, 4])], names=["a", "a"])
    assert as_json(twice) == [[["a", 1], ["a", 3]], [["a", 2], ["a", 4]]]


@pytest.mark.parametrize("kind", [pa.date32(), pa.date64()])
def test_a_date_beyond_the_calendar_is_one_bad_value(kind: pa.DataType) -> None:
    """It refuses its row, never the file."""
    days = pa.array([20_754, 2**30, None, -719_162, -719_163], pa.int32()).cast(pa.date32())
    array = (
        days
        if kind == pa.date32()
        else pa.array(
            [None if n is None else n * 86_400_000 for n in (20_754, 2**30, None, -719_162, -719_163)], pa.int64()
        ).cast(kind)
    )
    found = decode("tested_at", array)
    assert [found[0], *found[2:4]] == [datetime(2026, 10, 28, tzinfo=UTC), None, datetime(1, 1, 1, tzinfo=UTC)]
    assert isinstance(found[1], Bad)
    assert isinstance(found[4], Bad)
