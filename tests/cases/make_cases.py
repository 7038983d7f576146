"""Inputs and situations that broke tools of this kind, one folder each, and what is right for `sitegen`.

    python -m tests.cases.make_cases OUTDIR [ID ...]

The same call writes the same bytes with the same pyarrow. ID is a case (`B01-late-column`) or a kind (`B01`); big cases
are made only when named in full. Runs, words and hashes are invented. The values of `runner`, `cpu_match` and `english`
are not known in public: nothing may depend on the ones used here. `tests/test_cases.py` builds each case.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

# ---------------------------------------------------------------------------------------------- rows

STRING = pa.string()
SCHEMA = pa.schema(
    [
        ("model_id", STRING),
        ("library", STRING),
        ("tp", pa.int32()),
        ("runner", STRING),
        ("result", STRING),
        ("notes", STRING),
        ("error", STRING),
        ("exclusion", STRING),
        ("wall_s", pa.int32()),
        ("hbm_peak_gb", pa.float64()),
        ("hbm_capacity_gb", pa.float64()),
        ("cpu_match", STRING),
        ("english", STRING),
        ("neuronx_cc", STRING),
        ("library_version", STRING),
        ("transformers", STRING),
        ("accelerate", STRING),
        ("torch_neuronx", STRING),
        ("torch", STRING),
        ("nki", STRING),
        ("python", STRING),
        ("neuron_driver", STRING),
        ("tested_at", pa.timestamp("ms", tz="UTC")),
        ("run_py", STRING),
    ]
)

Row = dict[str, Any]


@dataclass(frozen=True)
class Pair:
    """What was installed for one file of results; the first two fields make the version pair."""

    neuronx_cc: str
    library_version: str
    tested_at: datetime
    accelerate: str = "1.12.0"
    torch_neuronx: str = "2.14.3.0"
    torch: str = "2.14.0"
    nki: str = "0.7.0"
    python: str = "3.14.0"
    neuron_driver: str = "2.31.7.0"


NEW = Pair("2.28.7631.0+5e0f61c7", "5.21.0", datetime(2026, 10, 28, 9, tzinfo=UTC))
OLD = Pair(
    "2.27.5334.0+f702b353",
    "5.18.0",
    datetime(2026, 10, 5, 9, tzinfo=UTC),
    accelerate="1.11.0",
    torch_neuronx="2.13.3",
    torch="2.13.0",
    nki="0.6.0",
    python="3.12.11",
    neuron_driver="2.30.2.0",
)
CONTROL = "acme/control-1b"


def run_py(model_id: str | None) -> str:
    return (
        "import torch\n"
        "from transformers import AutoModelForCausalLM\n"
        "\n"
        f"model = AutoModelForCausalLM.from_pretrained({model_id!r})\n"
        'model.forward = torch.compile(model.forward, backend="neuron")\n'
    )


def row(model_id: str | None = CONTROL, pair: Pair = NEW, **changes: Any) -> Row:
    """A run that passed on one core, with the given columns changed."""
    passed: Row = {
        "model_id": model_id,
        "library": "transformers",
        "tp": 1,
        "runner": "trn2",
        "result": "PASS",
        "notes": None,
        "error": None,
        "exclusion": None,
        "wall_s": 812,
        "hbm_peak_gb": 3.4,
        "hbm_capacity_gb": 24.0,
        "cpu_match": "match",
        "english": None,
        "transformers": pair.library_version,
        "run_py": run_py(model_id),
    }
    return passed | vars(pair) | changes


def failed(model_id: str, error: str, pair: Pair = NEW, **changes: Any) -> Row:
    return row(model_id, pair, result="FAIL", error=error, cpu_match=None, **changes)


# --------------------------------------------------------------------------------------------- files


def fname(pair: Pair) -> str:
    return f"neuronx-cc-{pair.neuronx_cc}__transformers-{pair.library_version}.parquet"


def table(
    rows: Sequence[Row],
    *,
    drop: Iterable[str] = (),
    types: Mapping[str, pa.DataType] | None = None,
    extra: Mapping[str, pa.Array] | None = None,
) -> pa.Table:
    """The rows in the columns of SCHEMA, less `drop`, with other `types`, plus `extra` columns."""
    kinds = {field.name: field.type for field in SCHEMA} | dict(types or {})
    columns = {name: pa.array([r[name] for r in rows], kind) for name, kind in kinds.items() if name not in set(drop)}
    return pa.table(columns | dict(extra or {}))


def put(
    folder: Path, rows: Sequence[Row], name: str | None = None, write: Mapping[str, Any] | None = None, **how: Any
) -> Path:
    """Write rows as one Parquet file; `how` goes to `table`, `write` to pyarrow."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / (name or fname(NEW))
    pq.write_table(table(rows, **how), path, **(write or {}))
    return path


def text(path: Path, content: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode())


def rank(path: Path, ranking: str, models: Sequence[Mapping[str, Any]]) -> None:
    snapshot = {
        "schema": 1,
        "ranking": ranking,
        "task": "text-generation",
        "taken_at": "2026-10-30T06:00:00Z",
        "source": f"https://huggingface.co/models?pipeline_tag=text-generation&sort={ranking}",
        "models": list(models),
    }
    text(path, json.dumps(snapshot, indent=1) + "\n")


# --------------------------------------------------------------------------------------------- cases


@dataclass(frozen=True)
class Claim:
    """A literal text, and where it is looked for: on standard error, on any page, or on those of one model (its id)."""

    where: str
    text: str


@dataclass(frozen=True)
class Step:
    """One build; paths are relative to the folder of the case. `codes` are the exit codes that are right."""

    data: str = "data"
    out: str = "site"
    codes: tuple[int, ...] = (0,)
    options: tuple[str, ...] = ()
    env: tuple[tuple[str, str], ...] = ()
    cwd: str = "."


@dataclass(frozen=True)
class Case:
    """`expect` and `never` are literal claims, and sentences that a function of `checks` holds."""

    id: str
    title: str
    make: Callable[[Path], None]
    expect: Sequence[str | Claim]
    never: Sequence[str | Claim]
    steps: Sequence[Step]
    big: bool

    @property
    def kind(self) -> str:
        return self.id[:3]


CASES: list[Case] = []


def case(
    kind: str,
    title: str,
    *,
    expect: Sequence[str | Claim] = (),
    never: Sequence[str | Claim] = (),
    steps: Sequence[Step] = (Step(),),
    big: bool = False,
) -> Callable[[Callable[[Path], None]], Callable[[Path], None]]:
    """Register the function below as the maker of one case; its name is the second half of the id."""

    def register(make: Callable[[Path], None]) -> Callable[[Path], None]:
        slug = make.__name__.replace("_", "-")
        CASES.append(Case(f"{kind}-{slug}", title, make, expect, never, steps, big))
        return make

    return register


def see(where: str, literal: str) -> Claim:
    """A literal text on the pages of a model (where = its id) or on any page (where = "site")."""
    return Claim(where, literal)


def says(literal: str) -> Claim:
    return Claim("stderr", literal)


NO_FILLER = "None, null or nan standing where a value belongs (the raw row as JSON may say null)"

# ---------------------------------------------------------------------------------- A. reading Parquet


@case(
    "B01",
    "A later file has one more column",
    expect=[see("acme/new-7b", "needs 64 cores"), "both pairs are built", "acme/new-7b is excluded, not failed"],
    never=["an empty exclusion line on a page of the older pair"],
)
def late_column(d: Path) -> None:
    put(d / "data", [row(pair=OLD), row("acme/old-7b", OLD)], fname(OLD), drop=["exclusion"])
    put(d / "data", [row(), row("acme/new-7b", result="EXCLUDED", exclusion="needs 64 cores", run_py=None)])


@case(
    "B01",
    "A file has no model_id column",
    expect=[
        says(fname(NEW)),
        says("model_id"),
        "the message says that the column is missing and which columns were found",
    ],
    steps=[Step(codes=(3,))],
)
def no_model_id(d: Path) -> None:
    put(d / "data", [row(pair=OLD)], fname(OLD))
    put(d / "data", [row()], drop=["model_id"])


@case(
    "B01",
    "A file has no result column",
    expect=[says(fname(NEW)), see("acme/no-verdict-1b", "not recorded"), "the pair of the other file is unchanged"],
    never=["acme/no-verdict-1b counted or shown as passed or failed"],
)
def no_result(d: Path) -> None:
    put(d / "data", [row(pair=OLD)], fname(OLD))
    put(d / "data", [row("acme/no-verdict-1b")], drop=["result"])


@case(
    "B02",
    "A column that holds only nulls is stored with type null",
    expect=[
        see("acme/failed-1b", "E: boom"),
        "two pairs are built",
        "pages of the all-pass pair have no error section",
    ],
    never=[NO_FILLER],
)
def null_column(d: Path) -> None:
    nulls = dict.fromkeys(["error", "notes", "exclusion", "english"], pa.null())
    put(d / "data", [row(pair=OLD), row("acme/failed-1b", OLD)], fname(OLD), types=nulls)
    put(d / "data", [row(), failed("acme/failed-1b", "E: boom")])


@case(
    "B03",
    "The same meaning in another width",
    expect=[
        see("acme/wide-7b", "9007199254740993"),
        "16 cores, 812 seconds and a peak of 9.21 on the pages of acme/wide-7b under both pairs",
        "the null core count of the control under the newer pair reads 'not recorded'",
        "no warning about widths: nothing is lost",
    ],
    never=[
        "16.0, 812.0 or 9.2100000... (only the raw row may show what is stored)",
        see("acme/wide-7b", "9007199254740992"),
        NO_FILLER,
    ],
)
def widths(d: Path) -> None:
    wide: Row = {"tp": 16, "hbm_peak_gb": 9.21, "cpu_match": None, "english": "fluent"}
    put(
        d / "data",
        [row("acme/wide-7b", **wide), row(tp=None)],
        types={"tp": pa.int64(), "wall_s": pa.int64()},
        extra={"peak_memory_bytes": pa.array([2**53 + 1, None], pa.int64())},
    )
    put(
        d / "data",
        [row("acme/wide-7b", OLD, **wide), row(pair=OLD)],
        fname(OLD),
        types={
            "model_id": pa.large_string(),
            "library": pa.dictionary(pa.int8(), pa.string()),
            "result": pa.dictionary(pa.int32(), pa.string()),
            "run_py": pa.large_string(),
            "tp": pa.float64(),
            "wall_s": pa.float64(),
            "hbm_peak_gb": pa.float32(),
            "tested_at": pa.timestamp("us", tz="UTC"),
        },
    )


def poor_and_rich(data: Path, poor: str, rich: str) -> None:
    put(data, [row(pair=OLD)], poor, drop=["error", "run_py", "notes"])
    put(data, [row(), failed("acme/rich-1b", "ONLY-HERE", notes="note only here")], rich)


@case(
    "B04",
    "The file that sorts first lacks columns",
    expect=[see("acme/rich-1b", "ONLY-HERE"), see("acme/rich-1b", "note only here")],
)
def poor_file_first(d: Path) -> None:
    poor_and_rich(d / "data", "part-0.parquet", "part-1.parquet")


@case(
    "B04",
    "The file that sorts last lacks columns",
    expect=[
        see("acme/rich-1b", "ONLY-HERE"),
        "the same pages as B04-poor-file-first, but for the names of the source files",
    ],
)
def poor_file_last(d: Path) -> None:
    poor_and_rich(d / "data", "part-1.parquet", "part-0.parquet")


@case(
    "B05",
    "A file of zero bytes",
    expect=[
        says(fname(NEW)),
        "the message says that the file is empty (0 bytes)",
        "step 2 leaves the site of step 1 byte for byte as it was",
        "step 3 names the left-out file on the data page and on standard error",
    ],
    steps=[Step("data_before"), Step(codes=(3,)), Step(out="partial", options=("--keep-going",))],
)
def zero_bytes(d: Path) -> None:
    put(d / "data_before", [row(pair=OLD)], fname(OLD))
    put(d / "data", [row(pair=OLD)], fname(OLD))
    (d / "data" / fname(NEW)).write_bytes(b"")


@case(
    "B06",
    "A Git LFS pointer in place of the data",
    expect=[says(fname(NEW)), says("Git LFS"), "the message says how to get the real file (`git lfs pull`)"],
    never=["only 'magic bytes not found' or the like"],
    steps=[Step(codes=(3,))],
)
def lfs_pointer(d: Path) -> None:
    put(d / "data", [row(pair=OLD)], fname(OLD))
    text(
        d / "data" / fname(NEW),
        f"version https://git-lfs.github.com/spec/v1\noid sha256:{hashlib.sha256(b'').hexdigest()}\nsize 146946961\n",
    )


@case(
    "B07",
    "Half a file, a CSV and a gzip under the ending .parquet",
    expect=[
        says("half.parquet"),
        says("table.parquet"),
        says("zipped.parquet"),
        "all three are named in one run, each with its own reason",
        "no site is written from the good file alone",
    ],
    steps=[Step(codes=(3,))],
)
def not_parquet(d: Path) -> None:
    good = put(d / "data", [row(pair=OLD)], fname(OLD))
    half = put(d / "data", [row(f"acme/part-{i:03}") for i in range(300)], "half.parquet")
    half.write_bytes(half.read_bytes()[:-40])
    text(d / "data" / "table.parquet", "model_id,result\nacme/x-1b,PASS\n")
    (d / "data" / "zipped.parquet").write_bytes(gzip.compress(good.read_bytes(), mtime=0))


@case(
    "B08",
    "Files without rows",
    expect=["a notice names both files (no rows)", "the pair of the control is the only one offered"],
    never=["an empty pair in a selector or a list"],
)
def no_rows(d: Path) -> None:
    put(d / "data", [row()])
    put(d / "data", [], "empty.parquet")
    with pq.ParquetWriter(d / "data" / "no-row-groups.parquet", SCHEMA):
        pass


@case(
    "B08",
    "A file without columns",
    expect=[says("no-columns.parquet"), says("model_id"), "the message says that no known column was found"],
    steps=[Step(codes=(3,))],
)
def no_columns(d: Path) -> None:
    put(d / "data", [row()])
    pq.write_table(pa.table({}), d / "data" / "no-columns.parquet")


@case(
    "B09",
    "Folders and files whose names start with an underscore or a dot",
    expect=["both builds show the control", "an info says that one hidden file was skipped, and names it"],
    never=[see("site", "acme/hidden-1b"), "an empty site"],
    steps=[Step("_data", "site"), Step(".cache/data", "site_cache")],
)
def hidden_names(d: Path) -> None:
    for data in (d / "_data", d / ".cache" / "data"):
        put(data, [row()])
        put(data, [row("acme/hidden-1b", OLD)], "." + fname(OLD))


def hub_snapshot(d: Path) -> Path:
    """A Hub cache with one file; returns the snapshot folder."""
    blob = put(d / "hub" / "blobs", [row()], "incomplete")
    blob = blob.rename(blob.with_name(hashlib.sha256(blob.read_bytes()).hexdigest()))
    snapshot = d / "hub" / "snapshots" / "0f5d3c9e1b7a4826d0c4e8a9f1b2637485960718"
    snapshot.mkdir(parents=True)
    (snapshot / fname(NEW)).symlink_to(Path("..", "..", "blobs", blob.name))
    return snapshot


SNAPSHOT = "hub/snapshots/0f5d3c9e1b7a4826d0c4e8a9f1b2637485960718"


@case(
    "B10",
    "The input folder is a Hub cache snapshot: links to files without an ending",
    expect=["the linked file is read, and shown under the name of the link"],
    never=["the name of the blob as source file"],
    steps=[Step(SNAPSHOT)],
)
def linked_file(d: Path) -> None:
    hub_snapshot(d)


@case(
    "B10",
    "A link in the snapshot points to nothing",
    expect=[says(fname(OLD)), "the message says that the link's target is missing, and names the target"],
    steps=[Step(SNAPSHOT, codes=(3,))],
)
def dangling_link(d: Path) -> None:
    (hub_snapshot(d) / fname(OLD)).symlink_to(Path("..", "..", "blobs", "gone"))


@case(
    "B10",
    "A folder link leads back to its parent",
    expect=[
        "the build ends within seconds",
        "the control's row counts once",
        "when the link is not followed, a notice says so",
    ],
)
def link_loop(d: Path) -> None:
    put(d / "data", [row()])
    (d / "data" / "sub").mkdir()
    (d / "data" / "sub" / "loop").symlink_to("..")


CODECS = {"zstd": "5.24.0", "brotli": "5.21.0", "gzip": "5.20.0", "lz4": "5.19.0", "none": "5.18.0"}


@case(
    "B11",
    "Other codecs, and a row group for each row",
    expect=[
        "five pairs with 8 models each besides the control",
        "a codec that cannot be read is named together with its file",
    ],
)
def codecs(d: Path) -> None:
    for codec, version in CODECS.items():
        pair = replace(NEW, library_version=version)
        rows = [row(pair=pair)] + [failed(f"acme/{codec}-{i:03}", f"{i:03} " * 5000, pair) for i in range(8)]
        put(d / "data", rows, fname(pair), {"compression": codec, "row_group_size": 1})


@case(
    "B11",
    "2,000 rows with an error of 200 kB each",
    expect=["peak memory of the build stays below 1 GB: it follows one batch, not the sum"],
    big=True,
)
def many_large_errors(d: Path) -> None:
    (d / "data").mkdir()
    body = log_lines(11_000)
    with pq.ParquetWriter(d / "data" / fname(NEW), SCHEMA, compression="zstd") as writer:
        writer.write_table(table([row()]))
        for start in range(0, 2000, 50):
            writer.write_table(
                table([failed(f"acme/large-{i:04}", f"log {i:04}\n{body}") for i in range(start, start + 50)])
            )


def log_lines(count: int, prefix: str = "") -> str:
    return "".join(f"{prefix}{i:07} step done\n" for i in range(count))


@case(
    "B12",
    "The same row twice",
    expect=["acme/twice-1b is listed, counted and found once", "a notice says that one exact duplicate was left out"],
)
def same_row_twice(d: Path) -> None:
    put(d / "data", [row(), row("acme/twice-1b"), row("acme/twice-1b")])


@case(
    "B13",
    "Null, not-a-number and zero are three things",
    expect=[
        "time, cores and peak memory of acme/none-1b read 'not recorded'",
        "the peak memory of acme/nan-1b, and time and cores of acme/gap-1b, read 'not recorded'",
        "acme/zero-1b took 0 seconds",
        "the raw rows and the data for scripts are valid JSON (no bare NaN)",
    ],
    never=[NO_FILLER, "a decimal point in cores or seconds (only the raw row may show what is stored)"],
)
def null_nan_zero(d: Path) -> None:
    nan = float("nan")
    put(
        d / "data",
        [
            row(),
            row("acme/none-1b", wall_s=None, tp=None, hbm_peak_gb=None, hbm_capacity_gb=None),
            row("acme/nan-1b", hbm_peak_gb=nan),
            row("acme/zero-1b", wall_s=0),
        ],
    )
    floats = {"wall_s": pa.float64(), "tp": pa.float64()}  # what pandas makes of integers with a gap
    put(d / "data", [row(pair=OLD), row("acme/gap-1b", OLD, wall_s=nan, tp=nan)], fname(OLD), types=floats)


@case(
    "B14",
    "Text columns stored as plain bytes",
    expect=["the same pages as with text columns"],
    never=[see("site", "b'acme")],
)
def text_as_bytes(d: Path) -> None:
    rows = [row(), failed("acme/bytes-1b", "E: naïve 模型 ✓")]
    names = [field.name for field in SCHEMA if pa.types.is_string(field.type)]
    encoded = [r | {n: r[n].encode() for n in names if r[n] is not None} for r in rows]
    put(d / "data", encoded, types=dict.fromkeys(names, pa.binary()))


@case(
    "B15",
    "An id without an owner",
    expect=["tiny-lm has a page, an entry in every list and a link to the Hub with single slashes"],
    never=["an empty path segment or '//' in an address of the site"],
)
def no_owner(d: Path) -> None:
    put(d / "data", [row(), row("tiny-lm")])


@case(
    "B15",
    "Ids that are empty, blank, missing or half",
    expect=[
        says(fname(NEW)),
        "five problems in one run, each with its row number and what was found",
        "nothing is written",
    ],
    never=["a page called None", "a file or folder with an empty name"],
    steps=[Step(codes=(3,))],
)
def unusable_ids(d: Path) -> None:
    put(d / "data", [row(m) for m in (CONTROL, "", "   ", None, "acme/", "/x")])


# ------------------------------------------------------------------------- B. names, paths, addresses

NEAR_TWINS = ("a/b-c", "a-b/c", "a/b_c", "a/b.c", "a/b--c", "a--b/c", "a_b/c")


@case(
    "B16",
    "Ids that differ only in where a separator stands",
    expect=[
        *(see(m, f"MARK-{i}") for i, m in enumerate(NEAR_TWINS)),
        "eight models, each with its own page and its own error.log",
    ],
)
def near_twins(d: Path) -> None:
    put(d / "data", [row()] + [failed(m, f"MARK-{i}") for i, m in enumerate(NEAR_TWINS)])


@case(
    "B16",
    "Ids that fall on one path",
    expect=[
        see("acme/Twin-1b", "CAPITAL"),
        see("acme/twin-1b", "SMALL"),
        "two models, each on its own path with a short hash",
        "the plain path models/acme/twin-1b/ is a page that names and links both",
        "site and site_reversed hold the same paths",
    ],
    steps=[Step(), Step("data_reversed", "site_reversed")],
)
def one_path(d: Path) -> None:
    rows = [row(), failed("acme/Twin-1b", "CAPITAL"), failed("acme/twin-1b", "SMALL")]
    put(d / "data", rows)
    put(d / "data_reversed", rows[::-1])


@case(
    "B17",
    "Capitals in ids, and hosts that lower addresses",
    expect=[
        "models/initech/quark2.5-0.5b-instruct/ and models/globextb/smolglob2-1.7b/ exist in lower case",
        "links and the canonical address name the written path letter for letter",
        see("Initech/Quark2.5-0.5B-Instruct", "Initech/Quark2.5-0.5B-Instruct"),
    ],
    never=["a capital letter in a written path"],
)
def capitals(d: Path) -> None:
    put(d / "data", [row(), row("Initech/Quark2.5-0.5B-Instruct"), row("GlobexTB/SmolGlob2-1.7B")])


LONG_IDS = (
    "acme/" + "n" * 96,
    "acme/" + "名" * 96,
    "o" * 42 + "/" + "x" * 96,
    "o" * 96 + "/" + "x" * 96,
    "o" * 96 + "/" + "x" * 95 + "y",
)


@case(
    "B18",
    "Names longer than a path may be",
    expect=[
        "six models, six addresses",
        "path segments of at most 100 characters, paths of at most 200",
        *(see(m, m) for m in LONG_IDS),
    ],
)
def long_names(d: Path) -> None:
    put(d / "data", [row(), *map(row, LONG_IDS)])


WINDOWS_IDS = ("con/aux", "acme/nul", "COM1/x", "acme/lpt9.txt", "acme/a:b", 'acme/q"<>|*?')


@case(
    "B19",
    "Names that Windows forbids",
    expect=[*(see(m, m) for m in WINDOWS_IDS), "seven models, seven addresses"],
    never=[
        "a path component that is a device name before its first dot",
        'one of < > : " | ? * \\ in a written path',
        "a trailing dot",
    ],
)
def windows_names(d: Path) -> None:
    put(d / "data", [row(), *map(row, WINDOWS_IDS)])


@case(
    "B20",
    "Ids that climb out of the output folder",
    expect=[
        "a listing of everything outside the output folder is the same before and after",
        "each id has a safe address, or is refused by name",
    ],
    steps=[Step(codes=(3,)), Step(options=("--keep-going",))],
)
def climbing_ids(d: Path) -> None:
    hostile = ("../../escape", "acme/..", "..././up", "/etc/passwd", "C:\\temp\\x", "..\\..\\w")
    put(d / "data", [row(), *map(row, hostile)])


@case("B20", "Harmless double dots inside a name", expect=[see("acme/v1..2", "acme/v1..2"), "an ordinary page"])
def double_dots(d: Path) -> None:
    put(d / "data", [row(), row("acme/v1..2")])


@case(
    "B21",
    "A plus sign in a version, beside the same version with a blank",
    expect=[
        "two pairs with two addresses",
        "links work from file:// and from a server that reads + as a blank",
        "+ is written %2B in queries and fragments",
    ],
    never=["+ or a blank in a written path"],
)
def plus_sign(d: Path) -> None:
    blank = replace(NEW, neuronx_cc="2.28.7631.0 5e0f61c7", tested_at=OLD.tested_at)
    put(d / "data", [row(), row("acme/plus-1b")], "plus.parquet")
    put(d / "data", [row(pair=blank), row("acme/plus-1b", blank)], "blank.parquet")


@case(
    "B22",
    "Names with a leading underscore or dot",
    expect=["all four models can be opened on a host that hides such names: no path component begins so"],
)
def leading_underscore(d: Path) -> None:
    put(d / "data", [row(), row("_team/model-1b"), row("acme/_draft-1b"), row("acme/.hidden-1b")])


# --------------------------------------------------------------------------------- C. text and markup

MARKUP_LOG = "<script>alert(1)</script></pre><h1>PASS</h1> a < b && c > d &amp; &#x41;"


@case(
    "B23",
    "Markup in an error",
    expect=[see("acme/markup-log-1b", MARKUP_LOG), "error.log holds the text byte for byte"],
    never=["an element of the page that comes from the text", "acme/markup-log-1b shown as passed"],
)
def markup_in_error(d: Path) -> None:
    put(d / "data", [row(), failed("acme/markup-log-1b", MARKUP_LOG)])


@case(
    "B24",
    "Markup in an id",
    expect=[
        see("site", "acme/<b>bold</b>"),
        "escaped in every output that has the id: lists, title, heading, breadcrumbs, search data",
    ],
    never=["a b, i or u element that comes from the data"],
)
def markup_in_id(d: Path) -> None:
    put(d / "data", [row(), failed("acme/<b>bold</b>", "E: boom", notes="<i>note</i>", runner="<u>runner</u>")])


SCRIPT_ID = "acme/</script><img src=x onerror=alert(1)>"


@case(
    "B25",
    "A closing script tag and line separators in data for scripts",
    expect=[
        see("site", SCRIPT_ID),
        "in data for scripts <, >, &, U+2028 and U+2029 are JSON escapes; what a script loads equals the input",
    ],
    never=["an img element that comes from the id"],
)
def script_end(d: Path) -> None:
    put(d / "data", [row(), row(SCRIPT_ID, notes="one\u2028two\u2029three </script>")])


CHAT_SOURCE = "T = '{% for m in messages %}{{ m.content }}{% endfor %}{# x #}'\n"


@case(
    "B26",
    "Template syntax in sources, errors and documents",
    expect=[
        see("acme/chat-1b", CHAT_SOURCE.strip()),
        see("acme/chat-1b", "{{ config }} {% include 'x' %}"),
        see("site", "key: ${{ secrets.KEY }} {% raw %}"),
    ],
)
def template_syntax(d: Path) -> None:
    put(d / "data", [row(), failed("acme/chat-1b", "{{ config }} {% include 'x' %}", run_py=CHAT_SOURCE)])
    text(d / "content" / "docs" / "ci.md", "# CI\n\n    key: ${{ secrets.KEY }} {% raw %}\n")


@case(
    "B27",
    "Colour codes in an error",
    expect=[
        see("acme/colours-1b", "ERROR warm bold end"),
        "colours, where kept, are classes with enough contrast in both themes",
    ],
    never=[see("acme/colours-1b", "\x1b"), "a rest of a code, such as [0m, in the shown log"],
)
def colour_codes(d: Path) -> None:
    put(
        d / "data",
        [
            row(),
            failed("acme/colours-1b", "\x1b[31mERROR\x1b[0m \x1b[38;5;208mwarm\x1b[0m \x1b[1;4mbold\x1b[22;24m end"),
        ],
    )


@case(
    "B28",
    "NUL and other control characters",
    expect=[
        see("acme/controls-1b", "ABCDEFG"),
        "every page passes an HTML validator, every XML and JSON file parses",
        "error.log and run.py hold the input byte for byte",
    ],
    never=["a control character other than tab and line feed, or U+FFFE, in a page"],
)
def control_characters(d: Path) -> None:
    odd = "A\x00B\x01C\x0bD\x7fE\x85F\ufffeG"
    put(d / "data", [row(), failed("acme/controls-1b", odd, run_py="print('\\x00')\nx = '\x00'\n")])


@case(
    "B29",
    "Markup in what the search shows",
    expect=["a search for xss shows the id as text, the marked part too", see("site", "<img src=x onerror=alert(2)>")],
    never=["a style or img element that comes from the data"],
)
def markup_in_search(d: Path) -> None:
    put(
        d / "data",
        [row(), row("acme/<style onload=alert(1)>xss"), row("acme/word-1b", result="<img src=x onerror=alert(2)>")],
    )


MARKDOWN_ERROR = "a|b `c` [x](javascript:alert(1)) <b> # h\n1. one"


@case(
    "B30",
    "Markdown characters in values, and raw HTML in an author's Markdown",
    expect=[
        see("acme/__init__-*x*", "a|b `c` [x](javascript:alert(1)) <b> # h"),
        see("acme/__init__-*x*", "acme/__init__-*x*"),
        "content/docs/pipes.md gives one cell `a|b`, no script and no javascript: link",
    ],
    never=["a javascript: address in an href", "an em, strong or ol element that comes from a value"],
)
def markdown_characters(d: Path) -> None:
    put(d / "data", [row(), failed("acme/__init__-*x*", MARKDOWN_ERROR, notes="``` fence\n| cell |")])
    text(
        d / "content" / "docs" / "pipes.md",
        "| one | two |\n|---|---|\n| `a|b` | is one cell |\n\n<script>alert(1)</script>\n\n[x](javascript:alert(1))\n",
    )


@case(
    "B31",
    "Blank lines at the start of a source",
    expect=[
        "`print('line 4')` has line number 4 and the anchor #L4",
        "run.py, its download and the copy button give the exact text",
    ],
)
def leading_blank_lines(d: Path) -> None:
    put(
        d / "data",
        [
            row(),
            failed(
                "acme/blank-1b",
                '\n  File "run.py", line 4, in <module>\nE: boom\n',
                run_py="\n\n\nprint('line 4')\n\n\n",
            ),
        ],
    )


@case(
    "B32",
    "Source and error on one page, both with line numbers",
    expect=[
        "selecting the source of acme/two-1b and copying gives exactly `a = 1\\nb = 2\\n`",
        "lines of the source are #L1, #L2 and lines of the log #log-L1, #log-L2",
        "copying the source of acme/exact-1b keeps the tab and the blanks at the end",
    ],
    never=["an id attribute twice on a page", "a line number in copied text"],
)
def two_numberings(d: Path) -> None:
    exact = "print('a\\tb')\n\tx = 1  \n"
    put(
        d / "data",
        [row(), failed("acme/two-1b", "l1\nl2\n", run_py="a = 1\nb = 2\n"), row("acme/exact-1b", run_py=exact)],
    )


LONG_LOG: list[str | Claim] = [
    see("acme/long-1b", "0000000 step done"),
    see("acme/long-1b", "LAST LINE"),
    "the page stays below 2 MB, says that the log is cut and links to the whole error.log",
    "nothing of the log is in the search data",
]


@case("B33", "A log too long for a page (200,000 lines, 3.6 MB)", expect=LONG_LOG)
def long_log(d: Path) -> None:
    put(d / "data", [row(), failed("acme/long-1b", log_lines(200_000) + "LAST LINE")])


@case(
    "B33",
    "A log too long for a page (2,500,000 lines, 45 MB)",
    expect=[*LONG_LOG, "the build takes less than two minutes and 2 GB"],
    big=True,
)
def huge_log(d: Path) -> None:
    put(d / "data", [row(), failed("acme/long-1b", log_lines(2_500_000) + "LAST LINE")], write={"compression": "zstd"})


# ------------------------------------------------------------------------------------------ D. values


@case(
    "B34",
    "Sorting numbers, with gaps",
    expect=[
        "by time: 9, 10, 99, 101, 812, not recorded; reversed: 812, 101, 99, 10, 9, not recorded",
        "by cores: 1, 1, 2, 8, 16, not recorded; reversed: 16, 8, 2, 1, 1, not recorded",
    ],
)
def sort_numbers(d: Path) -> None:
    values = [(9, 1), (10, 16), (101, 2), (None, 8), (99, None)]
    put(d / "data", [row()] + [row(f"acme/sort-{i}", wall_s=t, tp=c) for i, (t, c) in enumerate(values)])


@case(
    "B35",
    "2.10 is newer than 2.9, and a release newer than its candidate",
    expect=[
        "every list of pairs reads 2.10/5.10.0, 2.10/5.10.0rc1, 2.10/5.9.0, 2.9/5.9.0, 2.2/5.2.0",
        "2.10/5.10.0 is the default; the other pages of a model say that a newer pair exists",
    ],
)
def version_order(d: Path) -> None:
    ten = "2.10.30012.0+3c0ffee3"
    pairs = [
        ("2.2.18001.0+1c0ffee1", "5.2.0"),
        ("2.9.21004.0+2c0ffee2", "5.9.0"),
        (ten, "5.9.0"),
        (ten, "5.10.0rc1"),
        (ten, "5.10.0"),
    ]
    for compiler, library in pairs:  # all tested on one day: the versions alone give the order
        pair = replace(OLD, neuronx_cc=compiler, library_version=library)
        put(d / "data", [row(pair=pair)], fname(pair))


@case(
    "B36",
    "Result words that are not PASS or FAIL",
    expect=[
        see("acme/flaky-1b", "FLAKY 3/5"),
        says("FLAKY 3/5"),
        "acme/flaky-1b has a neutral style and is counted under its own word",
        "acme/silent-1b reads 'not recorded'; acme/excluded-1b is excluded with its reason, and no failure",
        "the sums of all outcomes make 5",
    ],
    never=["anything but the control counted or coloured as passed", "an outcome told by colour alone"],
    steps=[Step(), Step(out="strict", options=("--strict",), codes=(1,))],
)
def result_words(d: Path) -> None:
    put(
        d / "data",
        [
            row(),
            row("acme/timeout-1b", result="TIMEOUT"),
            row("acme/flaky-1b", result="FLAKY 3/5"),
            row("acme/silent-1b", result=None),
            row("acme/excluded-1b", result="EXCLUDED", exclusion="not a priority"),
        ],
    )


# ------------------------------------------------------------------------------------------ E. search


@case(
    "B37",
    "Names glued by slash, dot, dash and underscore",
    expect=[
        "globex, gemmo, 2b, gemmo-2b, globex/gemmo-2b-it and `globex gemmo 2b it` find globex/gemmo-2b-it",
        "quark, quark2.5, 2.5, 0.5b and instruct find Initech/Quark2.5-0.5B-Instruct",
        "snake, case and snake_case find acme/snake_case-1b",
    ],
)
def glued_names(d: Path) -> None:
    put(
        d / "data", [row(), row("globex/gemmo-2b-it"), row("Initech/Quark2.5-0.5B-Instruct"), row("acme/snake_case-1b")]
    )


@case("B38", "Stop words that are names", expect=["it, all, own, the and who each find their model"])
def stop_words(d: Path) -> None:
    put(d / "data", [row(), row("globex/gemmo-2b-it"), row("acme/all-MiniLexi"), row("acme/Yo-Own"), row("the/who-1b")])


@case(
    "B39",
    "Index and query cut words in the same way",
    expect=[
        "the shipped browser code finds acme/foo_bar.baz-2b by foo, bar, baz, 2b, foo_bar and the whole id",
        "every pipeline function that the index names exists in the page's script",
    ],
)
def foo_bar_baz(d: Path) -> None:
    put(d / "data", [row(), row("acme/foo_bar.baz-2b")])


@case("B40", "Words without Latin letters, and digits alone", expect=["模型, модель and 1234 each find their model"])
def other_letters(d: Path) -> None:
    put(d / "data", [row(), row("acme/模型-7b"), row("acme/модель-7b"), row("acme/1234")])


@case(
    "B41",
    "Search from file://",
    expect=["every link is relative, names a file that is there, and an anchor that it has"],
    never=["fetch, XHR, a worker, a module script", "a link to a folder without index.html"],
)
def opened_from_disk(d: Path) -> None:
    put(d / "data", [row(), row("acme/offline-1b")])


@case(
    "B42",
    "5,000 models with logs and sources",
    expect=["the search data stays below 2 MB, is loaded once and on first use", "a page can be used while it loads"],
    never=["a word of a log or a source in the search data", "search data inside a page"],
)
def large_index(d: Path) -> None:
    rows = [failed(f"acme/m{i:05}", f"lorem {i} " * 50, run_py=f"x = {i}\n" * 50) for i in range(5000)]
    put(d / "data", [row(), *rows])


# ------------------------------------------------------------------------ G. output folder and builds


@case(
    "B50",
    "The output folder holds something else",
    expect=[
        "each step is refused with a message that names the folder",
        "no file in site/, here/ and home/ is changed, added or removed",
    ],
    steps=[
        Step(codes=(2,)),
        Step(
            "../data",
            ".",
            codes=(2,),
            cwd="here",
        ),
        Step(
            out="home",
            codes=(2,),
            env=(("HOME", "home"),),
        ),
    ],
)
def foreign_folder(d: Path) -> None:
    put(d / "data", [row()])
    text(d / "site" / ".git" / "HEAD", "ref: refs/heads/main\n")
    text(d / "site" / "thesis.txt", "the only copy\n")
    text(d / "here" / "notes.txt", "the current folder\n")
    text(d / "home" / "diary.txt", "the home folder\n")


@case(
    "B51",
    "A model is withdrawn",
    expect=["site after step 2 equals fresh, byte for byte"],
    never=["any page or list entry of acme/withdrawn-1b in site after step 2"],
    steps=[Step("data_before"), Step(), Step(out="fresh")],
)
def withdrawn(d: Path) -> None:
    put(d / "data_before", [row(), failed("acme/withdrawn-1b", "E: boom")])
    put(d / "data", [row()])


@case(
    "B52",
    "Odd values in one row",
    expect=[
        see("acme/odd-1b", "{not json"),
        see("acme/odd-1b", "main@{u}"),
        "date and source of acme/odd-1b read 'not recorded'; all other pages are there",
        "killed (SIGKILL) at any moment of step 2, the build leaves the whole old site or the whole new one",
    ],
    steps=[Step("data_before"), Step()],
)
def odd_values(d: Path) -> None:
    odd: Row = {"torch": "{not json", "torch_neuronx": "main@{u}", "accelerate": "", "nki": None, "runner": ""}
    put(d / "data_before", [row()])
    put(d / "data", [row(), row("acme/odd-1b", **odd, hbm_peak_gb=33.1, tested_at=None, run_py=None)])


@case(
    "B53",
    "The same data gives the same bytes",
    expect=["one and two are equal byte for byte", "so are builds from another folder and with other file times"],
    never=["the date of the build in a page"],
    steps=[
        Step(
            out="one",
            env=(
                ("PYTHONHASHSEED", "0"),
                ("TZ", "UTC"),
                ("LANG", "C.UTF-8"),
            ),
        ),
        Step(
            out="two",
            env=(
                ("PYTHONHASHSEED", "1"),
                ("TZ", "Asia/Tokyo"),
                ("LANG", "C"),
                ("LC_ALL", "C"),
            ),
        ),
    ],
)
def same_bytes(d: Path) -> None:
    put(d / "data", [row(), failed("acme/b-1b", "E: boom"), row("acme/a-1b", notes="zwei\neins"), row("acme/ä-1b")])


@case(
    "B54",
    "Two builds into one folder at once",
    expect=[
        "at least one succeeds",
        "the site is whole (121 models)",
        "a refused build says that another one is running",
        "the lock of a dead process does not block for ever",
    ],
    never=["a mixture of two builds"],
    steps=[],
)
def two_at_once(d: Path) -> None:
    put(d / "data", [row()] + [row(f"acme/many-{i:03}") for i in range(120)])


@case(
    "B55",
    "A full disk, a folder that cannot be written",
    expect=[
        "a build of `data` ends with a message that has the path and the reason (no space left, not writable)",
        "the site of the first step is untouched",
    ],
    never=["a traceback", "a cut file that looks finished", "temporary files left behind"],
    steps=[Step("data_before")],
)
def no_space(d: Path) -> None:
    put(d / "data_before", [row()])
    put(d / "data", [row()] + [failed(f"acme/fill-{i:03}", log_lines(20, f"{i:03}")) for i in range(20)])


@case(
    "B56",
    "The output folder lies inside the input folder",
    expect=["refused with both folders named"],
    never=["anything of data/site read as input", "a site that grows"],
    steps=[Step(out="data/site", codes=(2,))],
)
def output_in_input(d: Path) -> None:
    put(d / "data", [row()])


# ------------------------------------------------------------------------ H. rankings and completeness


@case(
    "B57",
    "The Hub's lists and our rows differ",
    expect=[
        "the Trending list keeps the order old-name, control, never-tested, gated, deleted",
        "the Downloads list keeps the order deleted, control, gated, never-tested, old-name",
        "old-name, never-tested, gated and deleted read 'not tested', and are neither failed nor left out",
        "both lists show the day they were taken, 2026-10-30",
        "acme/new-name-7b is in the list of all models",
    ],
    never=["an empty list", "a count, date or like that is null shown as 0"],
)
def rankings(d: Path) -> None:
    put(d / "data", [row(), row("acme/new-name-7b")])
    popularity: list[tuple[str, int | None, int | None]] = [
        ("old-name-7b", 300, 40),
        ("control-1b", 5200, 31),
        ("never-tested-2b", 1200, 12),
        ("gated-8b", None, None),
        ("deleted-1b", 9100, 3),
    ]
    models = [
        {
            "id": f"acme/{name}",
            "downloads": downloads,
            "likes": downloads and downloads // 40,
            "trending_score": score,
            "gated": "manual" if downloads is None else False,
            "last_modified": downloads and "2026-10-20T12:00:00Z",
        }
        for name, downloads, score in popularity
    ]
    rank(d / "data" / "rankings" / "trending-text-generation.json", "trending", models)
    rank(d / "data" / "rankings" / "downloads-text-generation.json", "downloads", [models[i] for i in (4, 1, 3, 2, 0)])


@case(
    "B58",
    "Rows in, pages out",
    expect=[
        "the build ends with counts that add up: 2 files, 220 rows, 0 duplicates, 0 refused, 210 models, 220 results"
    ],
    never=["exit 0 when the numbers do not add up"],
)
def counts(d: Path) -> None:
    ids = [CONTROL] + [f"org{i % 7}/model-{i}" for i in range(209)]
    put(d / "data", [row(m, OLD) for m in ids], fname(OLD))
    put(d / "data", [row(m) for m in ids[:10]])


# ---------------------------------------------------------------------------------------- command line


def choose(names: Sequence[str]) -> Iterator[Case]:
    known = {c.id for c in CASES} | {c.kind for c in CASES}
    if unknown := sorted(set(names) - known):
        sys.exit(f"no such case: {', '.join(unknown)}")
    for c in CASES:
        if c.id in names or (not c.big and (not names or c.kind in names)):
            yield c


def main(arguments: Sequence[str]) -> None:
    if not arguments:
        sys.exit(__doc__)
    for c in choose(arguments[1:]):
        folder = Path(arguments[0], c.id)
        if folder.exists():
            shutil.rmtree(folder)
        folder.mkdir(parents=True)
        c.make(folder)
        sys.stdout.write(f"{folder}: {c.title}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
