"""A table as a Parquet file, the same bytes from the same rows: every option of the writer that counts is pinned.

Uncompressed, because compressors differ in their bytes from version to version; repeated words cost little anyway.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from io import BytesIO
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

INT64_MAX = 2**63 - 1
ROW_GROUP = 65_536  # rows
_TYPES: Mapping[str, pa.DataType] = {
    "text": pa.string(),
    "whole": pa.int64(),
    "number": pa.float64(),
    "moment": pa.timestamp("us", "UTC"),
    "flag": pa.bool_(),
    "texts": pa.list_(pa.string()),
}

_OPTIONS: Mapping[str, Any] = {
    "version": "2.6",
    "data_page_version": "1.0",
    "compression": "none",
    "use_dictionary": True,
    "write_statistics": True,
    "store_schema": False,
}


def parquet(columns: Mapping[str, str], rows: Sequence[Mapping[str, Any]], about: Mapping[str, str]) -> bytes:
    """A file with these columns (name -> key of `_TYPES`), a row for each mapping, and `about` as its metadata.

    None is null, and so is a whole number beyond 64 bits, which the type cannot hold.
    """
    schema = pa.schema([pa.field(name, _TYPES[kind]) for name, kind in columns.items()])
    arrays = [
        pa.array([_held(row[name]) if kind == "whole" else row[name] for row in rows], _TYPES[kind])
        for name, kind in columns.items()
    ]
    stream = BytesIO()
    with pq.ParquetWriter(stream, schema, **_OPTIONS) as writer:
        writer.write_table(pa.Table.from_arrays(arrays, schema=schema), ROW_GROUP)
        # Written here and not with the schema, which would add Arrow's own form of the schema.
        writer.add_key_value_metadata(dict(about))
    return stream.getvalue()


def _held(value: int | None) -> int | None:
    return value if value is not None and abs(value) <= INT64_MAX else None
