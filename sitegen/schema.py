"""The columns of the dataset, and how an Arrow column becomes plain values: the only file that names a column.

Types widen silently where nothing is lost (integer widths, float32, large_string, dictionary, null-typed columns,
timestamp units, text stored as bytes). What cannot be read is a `Bad` value with its place; nothing is guessed.
The columns and their order were read on the dataset's page on the Hub.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from enum import Enum
from typing import Any

import pyarrow as pa

from sitegen.arrow import EPOCH, as_json, days, each_value, floats, is_bytes, is_text, stored_bytes
from sitegen.model import STACK


class Kind(Enum):
    """What a column holds: a short text, a large text, a whole number, a number, a moment in time."""

    TEXT = "text"
    LARGE = "text of any size"
    WHOLE = "a whole number"
    NUMBER = "a finite number"
    MOMENT = "a moment in time"


_TEXT_COLUMNS = "model_id library runner result notes exclusion cpu_match english neuronx_cc library_version".split()
ID = "model_id"
TELLING = ("result", "neuronx_cc", "library", "library_version")  # whose absence a file's readers must be told
# Columns of other producers that have a meaning here too.
OPTIONAL = frozenset({"task", "architecture", "packages", "extra_packages"})
COLUMNS: dict[str, Kind] = {
    **dict.fromkeys(_TEXT_COLUMNS, Kind.TEXT),
    **dict.fromkeys(STACK, Kind.TEXT),
    "tp": Kind.WHOLE,
    "wall_s": Kind.WHOLE,
    "hbm_peak_gb": Kind.NUMBER,
    "hbm_capacity_gb": Kind.NUMBER,
    "tested_at": Kind.MOMENT,
    "error": Kind.LARGE,
    "run_py": Kind.LARGE,
    "task": Kind.TEXT,
    "architecture": Kind.TEXT,
    "packages": Kind.LARGE,
    "extra_packages": Kind.TEXT,
}
_DECIMAL = re.compile(r"[+-]?[0-9]{1,40}(?:\.[0-9]{1,40})?(?:[eE][+-]?[0-9]{1,2})?")
_TICKS = {"s": 1_000_000, "ms": 1_000, "us": 1}


@dataclass(frozen=True)
class Bad:
    """A value that could not be read: what was found, and what was expected."""

    found: str
    expected: str


Moment = datetime | None | Bad
Value = str | int | float | datetime | bytes | None | Bad


def decode(name: str, array: pa.Array) -> Sequence[Value]:
    """The values of a known column, one a row: None for null, NaN and blank text, `Bad` where unreadable.

    Large texts stay bytes, as they are stored. Length n for an array of length n.
    """

    def decoded(array: pa.Array) -> Sequence[Value]:
        return [None] * len(array) if pa.types.is_null(array.type) else _DECODERS[COLUMNS[name]](array)

    return each_value(array, decoded)


def texts_in(array: pa.Array) -> list[Any] | None:
    """The texts of a plain column as bytes, or of a nested one what JSON can hold; None where it can have none."""
    if pa.types.is_nested(array.type):
        return as_json(array)
    return list(stored_bytes(array)) if is_text(array.type) or is_bytes(array.type) else None


def _shown(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _texts(array: pa.Array) -> list[Value]:
    if not (is_text(array.type) or is_bytes(array.type)):
        return [None if value is None else _shown(value) for value in as_json(array)]
    out: list[Value] = []
    for data in stored_bytes(array):
        try:
            text = None if data is None else data.decode("utf-8")
            out.append(text if text is None or text.strip() else None)
        except UnicodeDecodeError as error:
            out.append(Bad(f"bytes that are not UTF-8 ({error.reason} at byte {error.start})", "UTF-8 text"))
    return out


def _large(array: pa.Array) -> list[Value]:
    if not (is_text(array.type) or is_bytes(array.type)):
        return [None if value is None else _shown(value).encode() for value in as_json(array)]
    return [data or None for data in stored_bytes(array)]


def _numeric(array: pa.Array, kind: Kind, convert: Callable[[Any], Value]) -> list[Value]:
    def one(value: Any) -> Value:
        if value is None or (isinstance(value, float) and math.isnan(value)):
            return None
        if isinstance(value, str):
            if value.strip().lower() in ("", "nan"):
                return None
            value = Decimal(value.strip()) if _DECIMAL.fullmatch(value.strip()) else value
        if isinstance(value, bool | str) or not math.isfinite(value):
            return Bad(str(value) if isinstance(value, Decimal) else f"{value!r}", kind.value)
        return convert(value)

    if pa.types.is_floating(array.type):
        return [one(v) for v in floats(array)]
    if is_text(array.type) or is_bytes(array.type):
        return [one(None if v is None else v.decode("utf-8", "replace")) for v in stored_bytes(array)]
    if pa.types.is_integer(array.type) or pa.types.is_decimal(array.type) or pa.types.is_boolean(array.type):
        return [one(v) for v in array.to_pylist()]
    return [None if v is None else Bad(f"{_shown(v)} of type {array.type}", kind.value) for v in as_json(array)]


def _whole(array: pa.Array) -> list[Value]:
    return _numeric(array, Kind.WHOLE, lambda v: int(v) if v == int(v) else Bad(str(v), Kind.WHOLE.value))


def _numbers(array: pa.Array) -> list[Value]:
    return _numeric(array, Kind.NUMBER, float)


def _moments(array: pa.Array) -> list[Moment]:
    kind = array.type
    if pa.types.is_date(kind):
        return [_moment(None if n is None else n * 86_400_000_000) for n in days(array)]
    if pa.types.is_timestamp(kind) and kind.unit == "ns":
        array = array.cast(pa.timestamp("us", tz=kind.tz), safe=False)
    elif not pa.types.is_timestamp(kind):
        return [_moment_text(value) for value in as_json(array)]
    ticks = _TICKS[array.type.unit]
    return [_moment(None if n is None else n * ticks) for n in array.cast(pa.int64()).to_pylist()]


def _moment(microseconds: int | None) -> Moment:
    """A timestamp without a zone is taken as UTC, which the dataset's own column is."""
    if microseconds is None:
        return None
    try:
        return EPOCH + timedelta(microseconds=microseconds)
    except OverflowError:
        return Bad(f"{microseconds} microseconds after 1970", "a moment between the years 1 and 9999")


def moment_of_text(value: object) -> datetime | None:
    """ISO 8601 text as a moment in UTC (without a zone, it is taken as UTC); None when it is none."""
    try:
        moment = datetime.fromisoformat(value.strip() if isinstance(value, str) else "")
        return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        return None


def _moment_text(value: Any) -> Moment:
    if value is None or (isinstance(value, str) and not value.strip()):
        return None
    return moment_of_text(value) or Bad(_shown(value), "a timestamp, or ISO 8601 text")


_DECODERS: dict[Kind, Callable[[pa.Array], Sequence[Value]]] = {
    Kind.TEXT: _texts,
    Kind.LARGE: _large,
    Kind.WHOLE: _whole,
    Kind.NUMBER: _numbers,
    Kind.MOMENT: _moments,
}
