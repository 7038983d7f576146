"""What a row says, read with pyarrow alone and by rules of its own: none of this asks the code that is tested."""

from __future__ import annotations

import os
import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from math import isfinite, isnan
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from tests.fuzz.catalogues import IDS, KNOWN


class Word:
    """A verdict that is no value: the value is bad for its column, or these rules do not say what it is."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return self.name


BAD, UNSURE = Word("BAD"), Word("UNSURE")
LARGE = ("run_py", "error", "packages")
WHOLE, NUMBERS, MOMENT = ("tp", "wall_s"), ("hbm_peak_gb", "hbm_capacity_gb"), "tested_at"
START = datetime(1970, 1, 1, tzinfo=UTC)
EARLIEST, LATEST = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True)
class Fact:
    """A row as it was stored: its file as it is shown, its number from 1, and every value as `stored` has it."""

    file: str
    row: int
    values: dict[str, Any]

    def expected(self, name: str) -> Any:
        """What the catalogue has to say of a known column: a value, None, BAD or UNSURE."""
        return expected(name, self.values.get(name))

    @property
    def refused(self) -> bool | None:
        """Whether the row cannot be a run; None where these rules do not say."""
        found = [self.expected(name) for name in KNOWN if name in self.values]
        model_id = self.expected("model_id")
        if model_id is None or any(value is BAD for value in found):
            return True
        return False if model_id in IDS and not any(value is UNSURE for value in found) else None

    @property
    def key(self) -> tuple[tuple[str, str], ...]:
        """Equal for rows that could be the same whatever the types of their columns; what is not there is left out."""
        return tuple(sorted((name, text) for name, value in self.values.items() if (text := _loose(value))))


def facts(folder: Path) -> dict[str, list[Fact] | None]:
    """The rows of every Parquet file of a data folder, by its shown name; None where it has no usable columns."""
    found: dict[str, list[Fact] | None] = {}
    for path in sorted(folder.rglob("*.parquet")):
        name = os.fsencode(path.relative_to(folder).as_posix()).decode("utf-8", "backslashreplace")
        with pa.OSFile(os.fsencode(path)) as source:
            table = pq.ParquetFile(source).read(use_threads=False)
        names = table.schema.names
        usable = "model_id" in names and len(set(names)) == len(names)
        found[name] = list(_rows(name, table)) if usable else None
    return found


def _rows(file: str, table: pa.Table) -> Iterator[Fact]:
    columns = {name: stored(table.column(name).combine_chunks()) for name in table.schema.names}
    for i in range(table.num_rows):
        yield Fact(file, i + 1, {name: values[i] for name, values in columns.items()})


def stored(array: pa.Array) -> list[Any]:
    """bytes, int, float, Decimal, bool, datetime (or BAD for one beyond the calendar), None; the rest as `Other`."""
    if isinstance(array, pa.ChunkedArray):
        array = array.chunk(0) if array.num_chunks else pa.array([], array.type)
    if isinstance(array.type, pa.DictionaryType):
        array = array.cast(array.type.value_type)
    kind = array.type
    if str(kind) in ("string", "large_string", "string_view"):
        array = array.cast(pa.large_binary())
    if str(array.type).endswith(("binary", "binary_view")) or pa.types.is_fixed_size_binary(kind):
        return list(array.to_pylist())
    if str(kind) in ("float", "halffloat"):
        return [None if v is None else _short(v, "f" if str(kind) == "float" else "e") for v in array.to_pylist()]
    if pa.types.is_timestamp(kind):
        per = {"s": 10**6, "ms": 10**3, "us": 1, "ns": Decimal("0.001")}[kind.unit]
        return [None if n is None else _moment(int(n * per // 1)) for n in array.view(pa.int64()).to_pylist()]
    if pa.types.is_date32(kind):
        return [None if n is None else _moment(n * 86_400 * 10**6) for n in array.view(pa.int32()).to_pylist()]
    if pa.types.is_integer(kind) or pa.types.is_decimal(kind) or str(kind) in ("double", "bool", "null"):
        return list(array.to_pylist())
    return [None if not there else UNSURE for there in array.is_valid().to_pylist()]


def _short(value: float, code: str) -> float:
    """The number with the fewest digits that is stored as this one."""
    if not isfinite(value):
        return value
    candidates = (float(f"{value:.{digits}g}") for digits in range(1, 18))
    return next(c for c in candidates if abs(c) < 3.5e38 and _packed(c, code) == _packed(value, code))


def _packed(value: float, code: str) -> bytes:
    try:
        return struct.pack(code, value)
    except OverflowError:
        return b""


def _moment(microseconds: int) -> Any:
    try:
        return START + timedelta(microseconds=microseconds)
    except OverflowError:
        return BAD


def expected(name: str, value: Any) -> Any:
    """What a known column is to say, from what is stored there."""
    if value is None or isinstance(value, Word):
        return UNSURE if value is BAD and name != MOMENT else value
    if name in LARGE:
        return (value or None) if isinstance(value, bytes) else UNSURE
    if name in WHOLE or name in NUMBERS:
        return _number(value, name in WHOLE)
    if name == MOMENT:
        return value if isinstance(value, datetime) else _blank(value)
    return _text(value)


def _text(value: Any) -> Any:
    if isinstance(value, bytes):
        try:
            return value.decode() if value.decode().strip() else None
        except UnicodeDecodeError:
            return BAD
    if isinstance(value, bool):
        return str(value).lower()
    return str(value) if isinstance(value, int) else UNSURE


def _number(value: Any, whole: bool) -> Any:
    if isinstance(value, bool | datetime):
        return BAD
    if isinstance(value, bytes):
        found = re.fullmatch(rb"-?[0-9]{1,15}", value)
        return (int(value) if whole else float(value)) if found else _blank(value)
    if isinstance(value, float) and not isfinite(value):
        return None if isnan(value) else BAD
    if whole:
        return int(value) if value == int(value) else BAD
    return float(value)


def _blank(value: Any) -> Any:
    return None if isinstance(value, bytes) and not value.strip() else UNSURE


def _loose(value: Any) -> str:
    """A value as a text in which what could be equal is equal; empty where it may count as not there."""
    if value is None or (isinstance(value, float) and isnan(value)):
        return ""
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace").strip()
    if isinstance(value, int | float | Decimal) and not isinstance(value, bool):
        return str(float(value))
    return str(value)
