"""Values of any Arrow type as JSON can hold them: what Python has no type for is its number and unit, and no fault."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from sitegen.arrow import as_json
from sitegen.errors import Level
from sitegen.schema import Bad, decode
from sitegen.texts import TextStore
from tests.factory import codes, put, read, row

FAR = 2**62
DATES = pa.array([0, None, -1, 2**31 - 1, -(2**31)], pa.int32()).view(pa.date32())
VALUES: dict[str, tuple[pa.Array, list[Any]]] = {
    "days": (DATES, ["1970-01-01", None, "1969-12-31", "2147483647 days after 1970", "-2147483648 days after 1970"]),
    "days as milliseconds": (
        pa.array([86_400_000, FAR], pa.int64()).view(pa.date64()),
        ["1970-01-02", "53375995583 days after 1970"],
    ),
    "times": (
        pa.array([86_399_999, None, 86_400_000, -1], pa.int32()).view(pa.time32("ms")),
        ["23:59:59.999", None, "86400000 ms after midnight", "-1 ms after midnight"],
    ),
    "times to the nanosecond": (
        pa.array([1, FAR], pa.int64()).view(pa.time64("ns")),
        ["00:00:00.000000001", f"{FAR} ns after midnight"],
    ),
    "durations": (
        pa.array([10**9, None, 1, FAR], pa.int64()).view(pa.duration("ns")),
        ["0:00:01", None, "1 ns", f"{FAR} ns"],
    ),
    "durations beyond the calendar": (pa.array([FAR], pa.int64()).view(pa.duration("s")), [f"{FAR} s"]),
    "maps": (
        pa.array([[("a", FAR), ("a", None)], None, []], pa.map_(pa.string(), pa.timestamp("us"))),
        [[["a", f"{FAR} us after 1970"], ["a", None]], None, []],
    ),
    "views of lists": (pa.array([[1], None, []], pa.list_view(pa.int8())), [[1], None, []]),
    "dates in records": (
        pa.array([{"d": 2**30}, {"d": None}, None], pa.struct([("d", pa.int32())])).cast(
            pa.struct([("d", pa.date32())])
        ),
        [{"d": "1073741824 days after 1970"}, {"d": None}, None],
    ),
}


@pytest.mark.parametrize("what", VALUES)
def test_nothing_is_lost_and_nothing_is_a_fault(what: str) -> None:
    array, expected = VALUES[what]
    assert as_json(array) == expected


def test_how_a_value_reads_does_not_depend_on_those_beside_it() -> None:
    array = pa.array([10**9, 1], pa.int64()).view(pa.duration("ns"))
    assert as_json(array) == as_json(array[:1]) + as_json(array[1:])


def test_a_date_beyond_the_calendar_is_bad_in_its_own_row_alone(tmp_path: Path) -> None:
    dates = pa.array([0, 2**31 - 1], pa.int32()).view(pa.date32())
    first, second = decode("tested_at", dates)
    assert first == datetime(1970, 1, 1, tzinfo=UTC)
    assert isinstance(second, Bad)
    put(tmp_path, [row("acme/a"), row("acme/b")], drop=["tested_at"], extra={"tested_at": dates})
    with TextStore() as store:
        reading, problems = read(tmp_path, store)
    assert [run.model_id for run in reading.runs] == ["acme/a"]
    (problem,) = problems.at(Level.ERROR)
    assert (codes([problem]), problem.place.row, problem.place.column) == (["value-unreadable"], 2, "tested_at")
