"""Arrow columns of any type as plain values that JSON can hold: nothing rounded, nothing lost, no value a fault.

Beyond what Python's own types can hold, a date or a time is its number and unit.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar

import pyarrow as pa

T = TypeVar("T")
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECONDS_A_DAY = 86_400_000
_NANOSECONDS = {"s": 10**9, "ms": 10**6, "us": 10**3, "ns": 1}


def as_json(array: pa.Array) -> list[Any]:
    """The values of any column as what JSON can hold, nothing rounded: for unknown columns and the raw row."""
    return each_value(array, _as_json)


def _as_json(array: pa.Array) -> list[Any]:
    kind = array.type
    if pa.types.is_floating(kind):
        return [None if v is None or math.isnan(v) else v if math.isfinite(v) else str(v) for v in floats(array)]
    if is_bytes(kind) or is_text(kind):
        return [None if v is None else _legible(v) for v in stored_bytes(array)]
    if pa.types.is_timestamp(kind):
        return [_exact(n, kind.unit) for n in array.cast(pa.int64()).to_pylist()]
    if pa.types.is_date(kind):
        return [_day(n) for n in days(array)]
    if pa.types.is_time(kind):
        return [_time(n, kind.unit) for n in array.cast(pa.int32() if kind.bit_width == 32 else pa.int64()).to_pylist()]
    return _nested(array) if pa.types.is_nested(kind) else _others(array)


def _nested(array: pa.Array) -> list[Any]:
    kind = array.type
    if pa.types.is_struct(kind):
        names = [kind.field(i).name for i in range(kind.num_fields)]
        columns = [as_json(array.field(i)) for i in range(kind.num_fields)]
        # Where two fields have one name an object would lose the first: pairs keep both.
        made: Callable[[Any], Any] = dict if len(set(names)) == len(names) else lambda pairs: [list(p) for p in pairs]
        rows = [
            made([(name, column[i]) for name, column in zip(names, columns, strict=True)]) for i in range(len(array))
        ]
        return [value if there else None for value, there in zip(rows, array.is_valid().to_pylist(), strict=True)]
    if pa.types.is_map(kind):
        return [None if scalar.values is None else _pairs(scalar.values) for scalar in array]
    return [None if scalar.values is None else as_json(scalar.values) for scalar in array]


def _legible(data: bytes) -> str:
    """Bytes as text; what is no UTF-8 in them as `\\xff`, so that other bytes are another text."""
    return data.decode("utf-8", "backslashreplace")


def _pairs(entries: pa.Array) -> list[list[Any]]:
    """A map as its keys and values, which may hold a key twice."""
    keys, values = as_json(entries.field(0)), as_json(entries.field(1))
    return [[key, value] for key, value in zip(keys, values, strict=True)]


def _others(array: pa.Array) -> list[Any]:
    """Each value by itself where one is beyond Python's own types, so that no other is shown differently for it."""
    try:
        return [_json_value(v) for v in array.to_pylist()]
    except (ValueError, OverflowError, pa.ArrowException):
        return [_other(scalar) for scalar in array]


def _other(scalar: pa.Scalar) -> Any:
    try:
        return _json_value(scalar.as_py())
    except (ValueError, OverflowError, pa.ArrowException):
        return f"{scalar.value} {scalar.type.unit}"  # a duration


def days(array: pa.Array) -> list[int | None]:
    """Days after 1970, of either type of date."""
    if pa.types.is_date64(array.type):
        return [None if n is None else n // _MILLISECONDS_A_DAY for n in array.cast(pa.int64()).to_pylist()]
    return list(array.cast(pa.int32()).to_pylist())


def _day(days: int | None) -> str | None:
    """A date as ISO 8601; beyond the calendar, its number."""
    if days is None:
        return None
    try:
        return (EPOCH + timedelta(days=days)).date().isoformat()
    except OverflowError:
        return f"{days} days after 1970"


def _time(ticks: int | None, unit: str) -> str | None:
    """A time of day with all its digits; beyond the day, its number and unit."""
    if ticks is None:
        return None
    whole, rest = divmod(ticks * _NANOSECONDS[unit], 10**9)
    if not 0 <= whole < 86_400:
        return f"{ticks} {unit} after midnight"
    fraction = f".{rest:09}".rstrip("0").rstrip(".")
    return f"{whole // 3600:02}:{whole // 60 % 60:02}:{whole % 60:02}{fraction}"


def _exact(ticks: int | None, unit: str) -> str | None:
    """A timestamp as ISO 8601 in UTC with all its digits; beyond the calendar, its number and unit."""
    if ticks is None:
        return None
    whole, rest = divmod(ticks, 10**9 // _NANOSECONDS[unit])
    try:
        moment = iso(EPOCH + timedelta(seconds=whole))
    except OverflowError:
        return f"{ticks} {unit} after 1970"
    fraction = f"{rest * _NANOSECONDS[unit]:09}".rstrip("0")
    return moment if not fraction else f"{moment[:-1]}.{fraction}Z"


def iso(moment: datetime) -> str:
    """ISO 8601 in UTC, `2026-10-28T09:00:00Z`, with a fraction only where there is one."""
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")


def _json_value(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, bytes):
        return _legible(value)
    if isinstance(value, dict):
        return {str(k): _json_value(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [_json_value(v) for v in value]
    return value if value is None or isinstance(value, str | int | bool) else str(value)


def plain(array: pa.Array) -> pa.Array:
    """Without extension, and in one chunk."""
    if isinstance(array, pa.ChunkedArray):
        array = array.combine_chunks()
    if isinstance(array.type, pa.UuidType):
        return pa.array([None if value is None else str(value) for value in array.to_pylist()], pa.string())
    return array.storage if isinstance(array.type, pa.BaseExtensionType) else array


def value_and_rows(array: pa.Array) -> tuple[pa.Array, Sequence[int | None]]:
    """The values of a column and for each row the number of its value: they are few where rows share a dictionary.

    A file of a few kilobytes can say of each of its rows that it has the same text of many megabytes. Raises ValueError
    where a row names a value that the dictionary does not have.
    """
    array = plain(array)
    if not pa.types.is_dictionary(array.type):
        return array, range(len(array))
    values, rows = plain(array.dictionary), array.indices.to_pylist()
    if any(not 0 <= row < len(values) for row in rows if row is not None):
        raise ValueError("a row has a value that is not in its column's dictionary")
    return values, rows


def each_value(array: pa.Array, of: Callable[[pa.Array], Sequence[T]]) -> list[T | None]:
    """What `of` makes of the values of a column, a row each; made once of a value that rows share."""
    values, rows = value_and_rows(array)
    made = of(values)
    return [None if row is None else made[row] for row in rows]


def is_text(kind: pa.DataType) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind))


def is_bytes(kind: pa.DataType) -> bool:
    return bool(
        pa.types.is_binary(kind)
        or pa.types.is_large_binary(kind)
        or pa.types.is_fixed_size_binary(kind)
        or pa.types.is_binary_view(kind)
    )


def stored_bytes(array: pa.Array) -> list[bytes | None]:
    # Through binary, so that text which is no UTF-8 can be told apart from a fault.
    return list((array if is_bytes(array.type) else array.cast(pa.large_binary())).to_pylist())


def floats(array: pa.Array) -> list[float | None]:
    """Floats with the digits that were stored: a 32-bit 9.21 is 9.21."""
    if pa.types.is_float64(array.type):
        return list(array.to_pylist())
    if pa.types.is_float16(array.type):
        array = array.cast(pa.float32())
    return [None if text is None else float(text) for text in array.cast(pa.string()).to_pylist()]
