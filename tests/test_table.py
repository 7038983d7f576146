"""The Parquet table holds what it is given, gaps as gaps, and is the same bytes each time."""

from __future__ import annotations

from datetime import UTC, datetime
from io import BytesIO
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from sitegen.table import INT64_MAX, parquet

COLUMNS = {"id": "text", "n": "whole", "x": "number", "at": "moment", "yes": "flag", "of": "texts"}
ROW: dict[str, Any] = {
    "id": "acme/x",
    "n": 3,
    "x": 9.21,
    "at": datetime(2026, 10, 28, 9, tzinfo=UTC),
    "yes": True,
    "of": ["a", "b"],
}


def read(data: bytes) -> pa.Table:
    return pq.read_table(BytesIO(data))


def test_values_come_back_with_their_types() -> None:
    table = read(parquet(COLUMNS, [ROW], {}))
    assert table.to_pylist() == [ROW]
    assert str(table.schema.field("at").type) == "timestamp[us, tz=UTC]"
    assert table.schema.field("n").type == pa.int64()


def test_a_gap_is_null_and_so_is_a_number_beyond_64_bits() -> None:
    nothing = dict.fromkeys(COLUMNS)
    rows = [nothing, {**nothing, "n": INT64_MAX + 1}, {**nothing, "n": INT64_MAX}]
    table = read(parquet(COLUMNS, rows, {}))
    assert table.column("n").to_pylist() == [None, None, INT64_MAX]
    assert table.column("x").to_pylist() == [None] * 3


def test_metadata_is_kept_and_nothing_names_the_machine() -> None:
    metadata = pq.read_metadata(BytesIO(parquet(COLUMNS, [ROW], {"licence": "CC0-1.0"})))
    assert metadata.metadata == {b"licence": b"CC0-1.0"}
    assert metadata.row_group(0).column(0).compression == "UNCOMPRESSED"


def test_the_same_rows_make_the_same_bytes_and_no_rows_a_table_too() -> None:
    rows = [ROW] * 1000
    assert parquet(COLUMNS, rows, {"a": "b"}) == parquet(COLUMNS, rows, {"a": "b"})
    empty = read(parquet(COLUMNS, [], {}))
    assert empty.num_rows == 0
    assert empty.schema.names == list(COLUMNS)
