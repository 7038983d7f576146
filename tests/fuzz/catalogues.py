"""Whole data folders with anything in them that Arrow, JSON and TOML can hold, as Hypothesis strategies."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from hypothesis import strategies as st

from tests.factory import COLUMNS, NEW, OLD, write
from tests.fuzz.values import ANY, FLOAT, NASTY, TEXT, WHOLE, Values, array, maybe, whole

KNOWN = {
    **COLUMNS,
    "task": pa.string(),
    "architecture": pa.string(),
    "packages": pa.string(),
    "extra_packages": pa.string(),
}
IDS = (
    "acme/a-1b",
    "acme/a-2b",
    "Acme/A-1b",
    "ACME/a-1b",
    "other/b",
    "tiny-lm",
    "acme/con",
    "acme/x--y",
    "a/b/c",
    "ün/ï",
)
USABLE = st.sampled_from(IDS)
LOGS = (
    "Traceback (most recent call last):\n  File \"run.py\", line 1, in <module>\n    f()\nValueError: no\n",
    "\x1b[31m[NCC_EOOM001] needs 32GB\x1b[0m\r\n", "[rank0]: Traceback (most recent call last):\n[rank0]: X: y\n",
    "a\rb\rc", "Killed",
)  # fmt: skip
# What a column mostly holds; the type is the dataset's own.
USUAL: dict[str, Values] = {
    "model_id": st.sampled_from([*IDS, *IDS, *(text for text in NASTY if len(text) < 100)]),
    "library": st.sampled_from(["transformers", "diffusers"]) | TEXT,
    "tp": st.sampled_from([1, 2, 16]) | whole(32, True),
    "result": st.sampled_from(["PASS", "FAIL", "pass ", "TIMEOUT", "EXCLUDED", "ODD"]) | TEXT,
    "error": st.sampled_from(LOGS) | TEXT,
    "wall_s": st.integers(0, 5000) | whole(32, True),
    "hbm_peak_gb": st.sampled_from([9.21, 24.0, 0.0, float("nan")]) | st.floats(allow_infinity=False),
    "hbm_capacity_gb": st.just(24.0) | st.floats(allow_infinity=False),
    "cpu_match": st.sampled_from(["32/32", "31/32", "yes", "0/0"]) | TEXT,
    "english": st.sampled_from(["yes", "no", "maybe"]) | TEXT,
    "neuronx_cc": st.sampled_from([NEW, OLD]) | TEXT,
    "library_version": st.sampled_from(["5.21.0", "5.9.0", "main"]) | TEXT,
    "tested_at": st.sampled_from([0, 1, 1_793_178_000_123]) | st.integers(-62_135_596_800_000, 253_402_300_799_999),
    "run_py": st.sampled_from(
        ["print('hello')\n", "# /// script\n# dependencies = ['a']\n# ///\n", "f'{x!r:{y}}'", "'''"]
    ),
    "packages": st.sampled_from(['{"torch": "2.14.0"}', '["a", "b>1"]', "a b; c"]),
}


@dataclass(frozen=True)
class Column:
    name: str
    kind: pa.DataType
    values: tuple[Any, ...]

    def array(self) -> pa.Array:
        return array(self.kind, self.values)


@dataclass(frozen=True)
class DataFile:
    """A Parquet file below the data folder, with so many rows in a group."""

    name: str
    columns: tuple[Column, ...]
    group: int
    codec: str

    @property
    def rows(self) -> int:
        return len(self.columns[0].values) if self.columns else 0

    def write(self, folder: Path) -> None:
        path = folder / self.name
        path.parent.mkdir(parents=True, exist_ok=True)
        table = pa.Table.from_arrays([c.array() for c in self.columns], names=[c.name for c in self.columns])
        with pa.OSFile(os.fsencode(path), "wb") as sink:
            pq.write_table(table, sink, row_group_size=self.group, compression=self.codec)

    def taken(self, rows: Sequence[int]) -> DataFile:
        """The file with these of its rows, in this order."""
        columns = (replace(column, values=tuple(column.values[i] for i in rows)) for column in self.columns)
        return replace(self, columns=tuple(columns))


@dataclass(frozen=True)
class Catalogue:
    files: tuple[DataFile, ...]
    rankings: tuple[dict[str, Any], ...] = ()
    selected: tuple[str, ...] = ()
    excluded: tuple[tuple[str, str], ...] = ()  # id, reason

    def write(self, folder: Path) -> Path:
        folder.mkdir(parents=True, exist_ok=True)
        for file in self.files:
            file.write(folder)
        for number, record in enumerate(self.rankings):
            write(folder / "rankings" / f"{number}.json", json.dumps(record))
        entries = "".join(f"[[model]]\nid = {toml(model_id)}\n" for model_id in self.selected)
        write(folder / "lists" / "selected.toml", entries)
        rules = "".join(f"[[exclusion]]\nid = {toml(i)}\nreason = {toml(why)}\n" for i, why in self.excluded)
        write(folder / "lists" / "excluded.toml", rules)
        return folder


def toml(text: str) -> str:
    """A basic string of TOML."""
    return '"' + "".join(c if c.isascii() and c.isalnum() else f"\\U{ord(c):08x}" for c in text) + '"'


def column(name: str, rows: int, odd: bool) -> st.SearchStrategy[Column]:
    """A column of this name: of its usual type with usual values, or an odd one with any text, or of any type."""
    if name not in KNOWN or odd:
        return st.sampled_from(ANY).flatmap(lambda chosen: _column(name, chosen[0], maybe(chosen[1]), rows))
    usual = USUAL.get(name, TEXT)
    if name == "model_id":
        return _column(name, KNOWN[name], usual, rows)
    return _column(name, KNOWN[name], maybe(usual), rows)


def _column(name: str, kind: pa.DataType, values: Values, rows: int) -> st.SearchStrategy[Column]:
    held = st.lists(values, min_size=rows, max_size=rows)
    return held.map(lambda found: Column(name, kind, tuple(found)))


NAMES = st.sampled_from([*(t for t in NASTY if len(t) < 50), "Model_ID", "model_id ", "extra", "result.word", "a/b"])
FILES = st.sampled_from(["a", "b", "c", "é", "x y", "<b>", "#1", "50%", "deep/a", "deep/er/a", "a\nb", "\udcff", "-rf"])


@st.composite
def files(draw: st.DrawFn, stem: str, most: int) -> DataFile:
    rows = draw(st.sampled_from([0, 1, *range(2, most + 1), most, most]))
    known = draw(st.lists(st.sampled_from([*KNOWN][1:]), min_size=3, max_size=14, unique=True))
    names = known + draw(st.lists(NAMES, max_size=2, unique=True))
    if draw(st.integers(0, 20)):
        names = ["model_id", *names]
    odd = draw(st.sets(st.sampled_from(names), min_size=draw(st.integers(0, 1)), max_size=2))
    made = [draw(column(name, rows, name in odd)) for name in names[:: draw(st.sampled_from([1, -1]))]]
    file = DataFile(f"{stem}.parquet", tuple(made), draw(st.integers(1, 3)), draw(st.sampled_from(["none", "zstd"])))
    if rows and draw(st.booleans()):  # some rows again
        file = file.taken([*range(rows), *draw(st.lists(st.integers(0, rows - 1), min_size=1, max_size=2))])
    return file


JSON: Values = st.one_of(st.none(), st.booleans(), WHOLE, FLOAT, TEXT, st.lists(TEXT, max_size=2), st.just({"a": [1]}))
RANKED = st.one_of(
    st.fixed_dictionaries(
        {"id": USABLE | TEXT},
        optional=dict.fromkeys(("downloads", "likes", "trending_score", "gated", "last_modified", "was"), JSON),
    ),
    JSON,
)
RANKINGS = st.fixed_dictionaries(
    {
        "schema": st.just(1),
        "ranking": st.sampled_from(["trending", "downloads"]),
        "task": st.sampled_from(["text-generation", "Text-Generation", "image-text-to-text"]) | TEXT,
        "taken_at": st.sampled_from(["2026-10-28T00:00:00Z", "2026-10-28", "0001-01-01T00:00:00+14:00"]),
        "source": JSON | st.just("https://huggingface.co/models"),
        "models": st.lists(RANKED, max_size=4),
    }
)


@st.composite
def catalogues(draw: st.DrawFn, most_files: int = 5, most_rows: int = 4) -> Catalogue:
    names = draw(
        st.lists(
            FILES, min_size=draw(st.sampled_from([0, *[min(2, most_files)] * 9])), max_size=most_files, unique=True
        )
    )
    return Catalogue(
        tuple(draw(files(name, most_rows)) for name in names),
        tuple(draw(st.lists(RANKINGS, max_size=2))),
        tuple(draw(st.lists(USABLE, max_size=2))),
        tuple(draw(st.lists(st.tuples(USABLE, TEXT), max_size=2))),
    )
