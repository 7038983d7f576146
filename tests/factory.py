"""Rows, Parquet files, rankings and sites for tests, made in a folder of the test's own."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from sitegen.build import load
from sitegen.config import Settings
from sitegen.content import Content, load_words, packaged
from sitegen.errors import Problems
from sitegen.model import VersionPair
from sitegen.outcome import Words
from sitegen.progress import Progress
from sitegen.read import find_files
from sitegen.runs import Reading, RowReader
from sitegen.site import Site
from sitegen.texts import TextStore

Row = dict[str, Any]

# The dataset's columns, in file order.
COLUMNS: Mapping[str, pa.DataType] = {
    "model_id": pa.string(),
    "library": pa.string(),
    "tp": pa.int32(),
    "runner": pa.string(),
    "result": pa.string(),
    "notes": pa.string(),
    "error": pa.string(),
    "exclusion": pa.string(),
    "wall_s": pa.int32(),
    "hbm_peak_gb": pa.float64(),
    "hbm_capacity_gb": pa.float64(),
    "cpu_match": pa.string(),
    "english": pa.string(),
    "neuronx_cc": pa.string(),
    "library_version": pa.string(),
    "transformers": pa.string(),
    "accelerate": pa.string(),
    "torch_neuronx": pa.string(),
    "torch": pa.string(),
    "nki": pa.string(),
    "python": pa.string(),
    "neuron_driver": pa.string(),
    "tested_at": pa.timestamp("ms", "UTC"),
    "run_py": pa.string(),
}
NEW = "2.28.7631.0+5e0f61c7"  # the higher of two compiler versions
OLD = "2.27.5334.0+f702b353"
CONTROL = "acme/control-1b"
DAY = datetime(2026, 10, 28, 9, tzinfo=UTC)


def row(model_id: object = CONTROL, **changes: Any) -> Row:
    """A row in which every value is recorded but notes, error, exclusion and english: a pass on one core."""
    return {
        "model_id": model_id,
        "library": "transformers",
        "tp": 1,
        "runner": "auto",
        "result": "PASS",
        "wall_s": 212,
        "hbm_peak_gb": 9.21,
        "hbm_capacity_gb": 24.0,
        "cpu_match": "32/32",
        "neuronx_cc": NEW,
        "library_version": "5.21.0",
        "transformers": "5.21.0",
        "accelerate": "1.15.0",
        "torch_neuronx": "2.14.3.0",
        "torch": "2.14.0",
        "nki": "0.7.0",
        "python": "3.14.0",
        "neuron_driver": "2.31.7.0",
        "tested_at": DAY,
        "run_py": "print('hello')\n",
        **changes,
    }


def pair(
    compiler: str | None = NEW, library: str | None = "transformers", version: str | None = "5.21.0"
) -> VersionPair:
    return VersionPair(compiler, library, version)


def put(
    folder: Path,
    rows: Sequence[Row],
    name: str = "results.parquet",
    *,
    drop: Iterable[str] = (),
    types: Mapping[str, pa.DataType] | None = None,
    extra: Mapping[str, pa.Array] | None = None,
    **options: Any,
) -> Path:
    """A Parquet file of these rows: without the columns `drop`, some with other `types`, `extra` ones as given."""
    kinds = {**COLUMNS, **(types or {})}
    names = [n for n in dict.fromkeys([*COLUMNS, *(n for r in rows for n in r)]) if n not in {*drop}]
    columns = {n: pa.array([r.get(n) for r in rows], kinds.get(n)) for n in names} | dict(extra or {})
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.table(columns), path, **options)
    return path


def ranking(folder: Path, models: Sequence[Any], *, name: str = "ranking.json", **changes: Any) -> Path:
    """A snapshot `rankings/<name>` in the data folder; a text among the models stands for a record with that id."""
    record = {
        "schema": 1,
        "ranking": "trending",
        "task": "text-generation",
        "taken_at": "2026-10-28T00:00:00Z",
        "source": "https://huggingface.co/api/models",
        "models": [{"id": model} if isinstance(model, str) else model for model in models],
        **changes,
    }
    return write(folder / "rankings" / name, json.dumps(record))


def write(path: Path, text: str | bytes) -> Path:
    """A file, and the folders above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


@cache
def words() -> Words:
    """The words of the built-in `outcomes.toml`."""
    return load_words(Content((packaged("content"),)), Problems())


def read(folder: Path, store: TextStore) -> tuple[Reading, Problems]:
    """All Parquet files of a data folder, as runs."""
    problems = Problems()
    reading = RowReader(words(), store, problems).read(find_files(folder, problems), lambda: None)
    return reading, problems


def site_of(data: Path, rows: Sequence[Row] | None = None, **settings: Any) -> Site:
    """The checked site of a data folder, to which `rows` are added as one file. Errors do not stop it."""
    if rows is not None:
        put(data, rows)
    with TextStore() as store:
        chosen = Settings(**{"data": data, "keep_going": True, **settings})
        return load(chosen, store, Progress())[0]


def codes(problems: Iterable[Any]) -> list[str]:
    """The codes of problems, in their order."""
    return [problem.code for problem in problems]
