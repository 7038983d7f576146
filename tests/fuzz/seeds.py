"""Valid Parquet files of every make, small enough that a mutation often hits what counts."""

from __future__ import annotations

from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from tests.factory import COLUMNS, NEW, OLD, Row, row

REAL = Path(__file__).parent.parent / "data" / "cpu"
CODECS = ("none", "snappy", "gzip", "brotli", "zstd", "lz4")
NESTED = pa.array([{"a": [1, 2], "b": {"c": "x"}}, None, {"a": [], "b": None}] * 4)
EXTRA: dict[str, pa.Array] = {
    "nested": NESTED,
    "tags": pa.array([["a", "b"], [], None] * 4),
    "map": pa.array([[("k", 1)], None, []] * 4, pa.map_(pa.string(), pa.int64())),
    "amount": pa.array(["1.50", None, "2.25"] * 4).cast(pa.decimal128(9, 2)),
    "flag": pa.array([True, None, False] * 4),
    "half": pa.array([0.5, None, 2.0] * 4, pa.float16()),
    "day": pa.array([1, None, 3] * 4, pa.int32()).cast(pa.date32()),
    "blob": pa.array([b"abcd", None, b"efgh"] * 4, pa.binary(4)),
    "word": pa.array(["x", None, "y"] * 4).dictionary_encode(),
}


def rows() -> list[Row]:
    """Twelve rows of every kind: passes and failures, short and long texts, nulls, two pairs."""
    log = 'Traceback (most recent call last):\n  File "run.py", line 3, in run\n    go()\nValueError: no\n'
    made = []
    for number in range(12):
        failed = number % 3 == 0
        made.append(
            row(
                f"acme/model-{number}",
                result="FAIL" if failed else "PASS",
                error=log * number if failed else None,
                neuronx_cc=OLD if number % 2 else NEW,
                wall_s=None if number == 5 else 100 * number,
                notes="seen" if number == 7 else None,
                run_py="print('hello')\n" * (1 + number),
            )
        )
    return made


def parquet(**options: Any) -> bytes:
    """A file of these rows; `extra` adds the columns that are not known, other options are those of the writer."""
    extra = EXTRA if options.pop("extra", False) else {}
    columns = {name: pa.array([made.get(name) for made in rows()], kind) for name, kind in COLUMNS.items()}
    stream = BytesIO()
    pq.write_table(pa.table(columns | extra), stream, **options)
    return stream.getvalue()


@cache
def seeds() -> dict[str, bytes]:
    """Each file by what is special about it."""
    made = {codec: parquet(compression=codec) for codec in CODECS}
    made |= {
        "plain": parquet(compression="none", use_dictionary=False, write_statistics=False, store_schema=False),
        "nested": parquet(compression="none", extra=True),
        "nested-zstd": parquet(compression="zstd", extra=True, data_page_version="2.0"),
        "groups": parquet(compression="snappy", row_group_size=3),
        "pages-2": parquet(compression="zstd", data_page_version="2.0"),
        "small-pages": parquet(compression="none", data_page_size=64, write_batch_size=2, write_page_index=True),
        "checksums": parquet(compression="none", write_page_checksum=True),
        "delta": parquet(compression="none", use_dictionary=False, column_encoding=_delta()),
        "old": parquet(compression="snappy", version="1.0", store_schema=False, extra=True),
    }
    return made | {path.name: path.read_bytes() for path in sorted(REAL.glob("*.parquet"))}


def _delta() -> dict[str, str]:
    whole = dict.fromkeys(("tp", "wall_s", "tested_at"), "DELTA_BINARY_PACKED")
    split = dict.fromkeys(("hbm_peak_gb", "hbm_capacity_gb"), "BYTE_STREAM_SPLIT")
    texts = dict.fromkeys(("model_id", "error"), "DELTA_BYTE_ARRAY")
    lengths = {name: "DELTA_LENGTH_BYTE_ARRAY" for name in COLUMNS if name not in {**whole, **split, **texts}}
    return whole | split | texts | lengths
