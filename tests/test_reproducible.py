"""The same facts give the same bytes, wherever and however they are stored and built (B53).

What may differ is said in the docs: the size of a file on the Data page, and what quotes its name or a row's number.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sitegen.build import build
from sitegen.config import Settings
from tests.factory import COLUMNS, put, ranking, row
from tests.fuzz.points import contents
from tests.tooling import pythons

TEXTS = [name for name, kind in COLUMNS.items() if kind == pa.string()]
WHOLE = [name for name, kind in COLUMNS.items() if kind == pa.int32()]
ROWS = [
    row(),
    row("acme/B-1b", result="FAIL", cpu_match=None, error="ValueError: ä\n"),
    row("acme/ünï", notes="İstanbul", tested_at=None, tp=None),
]
SIZE = re.compile(rb'<td class="num">[\d.]+ (?:bytes|KB)</td>')


def typed(names: list[str], kind: pa.DataType, moment: pa.DataType) -> dict[str, pa.DataType]:
    return {**dict.fromkeys(names, kind), "tested_at": moment}


STORED: Mapping[str, Mapping[str, Any]] = {
    "zstd, a row in each group": {"compression": "zstd", "row_group_size": 1},
    "brotli, a value in each page": {
        "compression": "brotli",
        "data_page_size": 1,
        "write_batch_size": 1,
        "data_page_version": "2.0",
    },
    "gzip, no dictionaries, no statistics, the oldest format": {
        "compression": "gzip",
        "use_dictionary": False,
        "write_statistics": False,
        "version": "1.0",
    },
    "large texts, wide numbers, microseconds": {
        "types": {**dict.fromkeys(WHOLE, pa.int64()), **typed(TEXTS, pa.large_string(), pa.timestamp("us", "UTC"))}
    },
    "views of texts, narrow numbers, seconds of another zone": {
        "types": {**dict.fromkeys(WHOLE, pa.int16()), **typed(TEXTS, pa.string_view(), pa.timestamp("s", "Asia/Tokyo"))}
    },
    "dictionaries, numbers without a sign, nanoseconds": {
        "types": {
            **dict.fromkeys(WHOLE, pa.uint32()),
            **typed(TEXTS, pa.dictionary(pa.int8(), pa.string()), pa.timestamp("ns", "UTC")),
        }
    },
    "bytes, no zone": {"types": typed(TEXTS, pa.binary(), pa.timestamp("ms"))},
}


@pytest.fixture(scope="module")
def usual(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    folder = tmp_path_factory.mktemp("usual")
    put(folder / "data", ROWS)
    return built(folder)


def built(folder: Path) -> dict[str, bytes]:
    """The site of `folder/data`, without the sizes of files."""
    build(Settings(data=folder / "data", out=folder / "site", jobs=1, zip=False, base_url="https://example.org/"))
    site = contents(folder / "site")
    return site | {"data/index.html": SIZE.sub(b"", site["data/index.html"], count=1)}


def differing(one: Mapping[str, bytes], other: Mapping[str, bytes]) -> list[str]:
    return sorted(path for path in one.keys() | other.keys() if one.get(path) != other.get(path))


@pytest.mark.parametrize("how", STORED)
def test_however_the_rows_are_stored_the_site_is_the_same(tmp_path: Path, usual: Mapping[str, bytes], how: str) -> None:
    put(tmp_path / "data", ROWS, **STORED[how])
    assert differing(built(tmp_path), usual) == []


def test_the_order_of_the_columns_decides_only_the_order_of_the_raw_row(
    tmp_path: Path, usual: Mapping[str, bytes]
) -> None:
    table = pq.read_table(put(tmp_path / "data", ROWS))
    pq.write_table(table.select(table.column_names[::-1]), tmp_path / "data" / "results.parquet")
    shown = differing(built(tmp_path), usual)
    assert all(path.endswith(("/index.html", "bundle.zip", "model.json")) for path in shown), shown


def test_whoever_builds_it_where_and_when_the_site_is_the_same(tmp_path: Path) -> None:
    """Locale, zone, seed of hashes, umask, processes, folder, the order in which files were made, and their dates."""
    rows = {"a.parquet": ROWS[:1], "b/c.parquet": ROWS[1:], "İ.parquet": [row("acme/other", result="I")]}
    everywhere = (
        {"LC_ALL": "C.UTF-8", "TZ": "UTC", "PYTHONHASHSEED": "0"},
        {
            "LC_ALL": "POSIX",
            "TZ": "Asia/Kathmandu",
            "PYTHONHASHSEED": "5",
            "PYTHONUTF8": "0",
            "PYTHONCOERCECLOCALE": "0",
        },
        {"LC_ALL": "tr_TR.UTF-8", "TZ": "America/St_Johns", "PYTHONHASHSEED": "77", "HOME": "/nowhere"},
        {"TZ": "", "PYTHONHASHSEED": "3"},
    )
    sites = []
    for number, settings in enumerate(everywhere):
        folder = tmp_path / ("deep/er" * number or "x")
        for name in sorted(rows, reverse=number % 2 == 1):
            os.utime(put(folder / "data", rows[name], name), (number * 10**8, number * 10**8))
        ranking(folder / "data", ["acme/B-1b", "acme/control-1b"])
        command = [
            sys.executable,
            "-m",
            "sitegen",
            "build",
            "-q",
            "--zip",
            "--data",
            "data",
            "--jobs",
            str(1 + number % 2),
        ]
        kept = {name: text for name, text in os.environ.items() if not name.startswith(("LC_", "LANG", "TZ", "PYTHON"))}
        given = kept | {"PYTHONPATH": str(Path(__file__).parent.parent)} | settings
        subprocess.run(
            command, cwd=folder, env=given, check=True, capture_output=True, umask=0o22 + 0o55 * (number % 2)
        )
        sites.append(contents(folder / "site"))
    assert [differing(site, sites[0]) for site in sites] == [[], [], [], []]


def test_pythons_that_are_found_are_told_apart_by_their_version() -> None:
    """`python -m tests.tooling.pythons` compares what they build."""
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    assert pythons.found([sys.executable, "/nowhere/python3", "/bin/false"]) == {version: sys.executable}
    assert version in pythons.found()
