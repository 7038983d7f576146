"""Write the demo: results of invented models under four version pairs, showing every state there is.

    python content/demo/make_demo.py            writes the files beside this script
    python content/demo/make_demo.py --check    says whether they are what it would write

It writes the Parquet files (compared as tables) and the rankings (compared as bytes); catalog.toml and lists/
are written by hand. Owners, models, outcomes and numbers are all invented.
"""

# Draws that anyone can repeat are the point here.
# ruff: noqa: S311

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

sys.path.insert(0, str(Path(__file__).parents[2]))  # so that it runs from any folder

from content.demo import demo_texts

Row = dict[str, Any]


def words(text: str) -> list[str]:
    return text.split()


# ------------------------------------------------------------------------------------------- models

# One model a line: id, task (t: text-generation, v: image-text-to-text), architecture, size in billions,
# cores, then what was seen under each of the four pairs: a word of OUTCOMES or of demo_texts.FAILURES, on
# another number of cores as `word@n`, two runs as `a+b` (the later one last), `-` for not tested.
MODELS = """
northwind-lab/Tern-0.6B                  t tern        0.6   1  ok        ok           ok        ok
northwind-lab/Tern-3B-preview            t tern        3.1   1  ok        ok           -         -
northwind-lab/Tern-7B-Instruct           t tern        7.6   1  evrf      ok           ok        ok
northwind-lab/Tern-14B-Instruct          t tern        14.8  2  ok        ok           ok        ok
northwind-lab/Tern-32B-Thinking          t tern        32.8  4  -         alloc        ok        ok
northwind-lab/Tern-70B-Instruct          t tern        70.6  8  alloc     alloc        ok        ok
northwind-lab/Tern-120B-A9B              t tern_moe    121.0 16 -         -            ok        ok
northwind-lab/Tern-VL-8B                 v tern_vl     8.3   1  -         ok           ok        ok
tidewater-ml/Plover-1.5B                 t plover      1.5   1  ok        ok           ok        mismatch
tidewater-ml/Plover-1.5B-Base            t plover      1.5   1  unchecked ok           ok        near
tidewater-ml/Plover-13B-Chat             t plover      13.2  2  ok        ok           mostly    ok
tidewater-ml/Plover-VL-2B                v plover_vl   2.2   1  evrf      evrf         ok        ok
tidewater-ml/plover-guard-350m           t plover2     0.35  1  arch      arch         ok        ok
Fjordlight/Dunlin-4B-it                  t dunlin      4.1   1  ok        ok           near      ok
Fjordlight/Dunlin-9B-it                  t dunlin      9.2   1  eoom      eoom         eoom      eoom+ok@2
Fjordlight/Dunlin-27B-it                 t dunlin      27.4  4  ok        ok           ok        ok
Fjordlight/Dunlin-VL-27B                 v dunlin_vl   27.9  4  -         heads        heads     heads
quarry.systems/siskin_2.5.mini_v0.1      t siskin      1.1   1  ok        dynamo       ok        ok
quarry.systems/Siskin-8x7B-v0.2          t siskin_moe  46.7  8  ok        ok           ok        ok
quarry.systems/Siskin-8x22B-v0.2         t siskin_moe  141.0 16 -         alloc        huge      timeout
quarry.systems/Siskin-400B-A17B          t siskin_moe  402.0 16 -         excluded     excluded  excluded
quarry.systems/Siskin-7B-4bit            t siskin      7.2   1  -         excluded     excluded  left_out
SALTMARSH/GODWIT-3B                      t godwit      3.0   1  ok        ok           ok        evrf
SALTMARSH/GODWIT-30B-A3B                 t godwit_moe  30.5  4  f137      f137         ok        ok
SALTMARSH/GODWIT-VL-30B                  v godwit_vl   31.2  4  -         -            f137      partial
ember_and_oak/curlew-500m                t curlew      0.5   1  ok        ok           ok        ok
ember_and_oak/curlew-coder-6.7b          t curlew      6.7   1  ok        mismatch+ok  ok        ok
ember_and_oak/curlew-vl.3b               v curlew_vl   3.4   1  -         markup       markup    ok
tinygrebe                                t grebe       0.12  1  ok        ok           ok        ok
grebe_base.2b                            t grebe       2.1   1  -         ok           -         -
hollowpine/@LONG@                        t whimbrel    12.3  2  -         -            ok        ok
hollowpine/Whimbrel-70B                  t whimbrel    70.2  8  -         unfluent     garbled   garbled
hollowpine/Whimbrel-2.8B-ssm             t whimbrelssm 2.8   1  chained   chained      chained   chained
hollowpine/Whimbrel-7B-Research          t whimbrel    7.1   1  gated     gated        -         -
hollowpine/Whimbrel-VL-11B               v whimbrel_vl 11.4  2  timeout   timeout      unchecked ok
umber-research/Avocet-1B-hybrid          t avocet      1.2   1  internal  internal     ok        ok
umber-research/Avocet-20B                t avocet      20.9  2  -         blank        ok        ok
umber-research/Avocet-OCR-0.9B           v avocet_ocr  0.9   1  -         -            near      ok
kittiwake-works/Shrike-1.2B              t shrike      1.2   1  ok        ok           ok        ok
kittiwake-works/Shrike-6B                t shrike      6.1   1  -         ok           ok        ok
kittiwake-works/Shrike-6B-Chat           t shrike      6.1   1  -         ok           ok        ok
kittiwake-works/Shrike-34B               t shrike      34.4  4  alloc@2   alloc@2+ok   ok        ok+alloc
"""
# As long as a name may be: 96 characters.
LONG = "Whimbrel-12B-Instruct-Long-Context-Distilled-From-Whimbrel-70B-With-Extended-Evaluations-2026-11"
EXPERTS_ONLY = {"northwind-lab/Tern-120B-A9B", "SALTMARSH/GODWIT-30B-A3B"}  # the script says so as well
EXPERTS_NOTED = {"northwind-lab/Tern-120B-A9B", "quarry.systems/Siskin-8x7B-v0.2"}
PACKAGES = {"kittiwake-works/Shrike-6B-Chat": ["sentencepiece==0.2.2"], "tinygrebe": ["sacremoses==0.1.1"]}
# What single rows lack, or have more: (id, index of the pair).
SPECIAL: dict[tuple[str, int], Row] = {
    ("kittiwake-works/Shrike-6B", 3): {"run_py": None},
    ("kittiwake-works/Shrike-6B-Chat", 2): {"wall_s": None, "hbm_peak_gb": None, "hbm_capacity_gb": None},
    ("kittiwake-works/Shrike-1.2B", 2): {"tested_at": None},
    ("ember_and_oak/curlew-500m", 1): {"tp": None, "runner": None, "accelerate": None},
    ("Fjordlight/Dunlin-27B-it", 2): {"graph_count": 2**53 + 1},
    ("Fjordlight/Dunlin-VL-27B", 3): {"notes": "14 heads divide by 2, but two cores do not hold the weights"},
    ("SALTMARSH/GODWIT-VL-30B", 3): {"notes": "24 of 32 tokens\nbefore the limit <7200 s & no retry>"},
}


@dataclass(frozen=True)
class Model:
    id: str
    vision: bool
    arch: str
    billions: float
    cores: int
    cells: tuple[str, ...]

    @property
    def task(self) -> str:
        return "image-text-to-text" if self.vision else "text-generation"

    @property
    def packages(self) -> list[str]:
        return PACKAGES.get(self.id, ["pillow==13.0.0"] if self.vision else [])


def models() -> Iterator[Model]:
    for line in MODELS.replace("@LONG@", LONG).strip().splitlines():
        model_id, task, arch, billions, cores, *cells = line.split()
        yield Model(model_id, task == "v", arch, float(billions), int(cores), tuple(cells))


# -------------------------------------------------------------------------------------------- pairs

Stack = dict[str, str]
CC26, CC27, CC28 = "2.26.6360.0+4a7e1c2d", "2.27.5334.0+f702b353", "2.28.7631.0+5e0f61c7"
SDK31: Stack = {"neuronx_cc": CC26, "torch_neuronx": "2.12.1b2", "torch": "2.12.1", "nki": "0.5.0"}
SDK32: Stack = {"neuronx_cc": CC27, "torch_neuronx": "2.13.3", "torch": "2.13.0", "nki": "0.6.0"}
SDK33: Stack = {"neuronx_cc": CC28, "torch_neuronx": "2.14.3.0", "torch": "2.14.0", "nki": "0.7.0"}
DRIVERS = {CC26: "2.29.0.0", CC27: "2.30.2.0", CC28: "2.31.7.0"}
IMAGES = {CC27: "example.org/torch-neuronx:2.13-sdk2.32.0", CC28: "example.org/torch-neuronx:2.14-sdk2.33.0"}


@dataclass(frozen=True)
class Pair:
    stack: Stack
    library: str
    accelerate: str
    python: str
    start: datetime
    drop: tuple[str, ...] = ()  # columns of SCHEMA that its file lacks

    @property
    def name(self) -> str:
        return f"neuronx-cc-{self.stack['neuronx_cc']}--transformers-{self.library}.parquet"


OWN = ("container_image", "graph_count", "task", "architecture", "extra_packages")
PAIRS = (
    Pair(SDK31, "5.18.0", "1.12.0", "3.12.11", datetime(2026, 10, 5, 7, tzinfo=UTC), ("exclusion", *OWN)),
    Pair(SDK32, "5.18.0", "1.12.0", "3.12.11", datetime(2026, 10, 9, 7, tzinfo=UTC), OWN),
    Pair(SDK32, "5.21.0", "1.13.0", "3.13.8", datetime(2026, 10, 29, 7, tzinfo=UTC), OWN[2:]),
    Pair(SDK33, "5.24.0", "1.14.0", "3.14.0", datetime(2026, 11, 24, 7, tzinfo=UTC), OWN[1:2]),
)
STRING: pa.DataType = pa.string()
TYPES: dict[str, pa.DataType] = {
    "tp": pa.int32(),
    "wall_s": pa.int32(),
    "hbm_peak_gb": pa.float64(),
    "hbm_capacity_gb": pa.float64(),
    "tested_at": pa.timestamp("ms", tz="UTC"),
    "graph_count": pa.int64(),
}
COLUMNS = words("""
model_id library tp runner result notes error exclusion wall_s hbm_peak_gb hbm_capacity_gb cpu_match english
neuronx_cc library_version transformers accelerate torch_neuronx torch nki python neuron_driver tested_at
run_py
""")
SCHEMA = pa.schema([(name, TYPES.get(name, STRING)) for name in [*COLUMNS, *OWN]])

# --------------------------------------------------------------------------------------------- rows

REASONS = {
    "quarry.systems/Siskin-400B-A17B": "needs more than 16 cores",
    "quarry.systems/Siskin-7B-4bit": "checkpoint is quantized to 4 bits; the kernels exist for CUDA only",
}
# What a word of the table says, failures apart; `checked`: as the number of cores asks for.
OUTCOMES: dict[str, Row] = {
    "ok": {"result": "PASS", "checked": True},
    "unchecked": {"result": "PASS"},
    "near": {"result": "PASS", "cpu_match": "31/32"},
    "mostly": {"result": "PASS", "english": "mostly"},
    "unfluent": {"result": "PASS", "english": "not fluent"},
    "partial": {"result": "PARTIAL"},
    "blank": {"result": None},
    "excluded": {"result": "EXCLUDED"},
    "left_out": {"result": None},
    "timeout": {"result": "TIMEOUT", "wall_s": 7200, "hbm_peak_gb": None},
    "mismatch": {"cpu_match": "7/32"},
    "garbled": {"english": "not fluent"},
    "arch": {"wall_s": 11, "hbm_peak_gb": None},
    "gated": {"wall_s": 4, "hbm_peak_gb": None},
    "eoom": {"hbm_peak_gb": None},
    "f137": {"hbm_peak_gb": None},
}


def run(model: Model, index: int, number: int, cell: str) -> Row:
    """Make what one run of a model adds to its row; `number` counts the runs under this pair."""
    word, _, other = cell.partition("@")
    cores = int(other or model.cores)
    if word in ("excluded", "left_out"):
        return {"exclusion": REASONS[model.id]} | OUTCOMES[word]
    rng, pair = Random(f"{model.id} {index} {number}"), PAIRS[index]
    minutes = rng.randrange(0, 2 * 24 * 60) + 3 * 24 * 60 * number
    when = pair.start + timedelta(minutes=minutes, milliseconds=rng.randrange(1000))
    script = demo_texts.script(
        model.id, vision=model.vision, cores=cores, experts=model.id in EXPERTS_ONLY, packages=model.packages
    )
    row: Row = {
        "tp": cores,
        "runner": "trn2",
        "wall_s": int(75 + model.billions * rng.uniform(18, 40)),
        "hbm_peak_gb": round(min(2 * model.billions * rng.uniform(1.08, 1.25) + 0.4, 23.8 * cores), 3),
        "hbm_capacity_gb": 24.0 * cores,
        "graph_count": rng.randrange(2, 9),
        "notes": "expert parallelism only" if model.id in EXPERTS_NOTED else None,
        "tested_at": when,
        "run_py": script,
    }
    if failure := demo_texts.FAILURES.get(word):
        python = pair.python.rpartition(".")[0]
        case = demo_texts.Case(rng, model.arch, cores, python, script, when)
        row |= {"result": "FAIL", "error": failure(case)}
    row |= OUTCOMES.get(word, {})
    if row.pop("checked", False):
        row |= {"cpu_match": "32/32"} if cores == 1 else {"english": "fluent"}
    return row


def rows(index: int) -> Iterator[Row]:
    pair = PAIRS[index]
    installed = pair.stack | {
        "library": "transformers",
        "library_version": pair.library,
        "transformers": pair.library,
        "accelerate": pair.accelerate,
        "python": pair.python,
        "neuron_driver": DRIVERS[pair.stack["neuronx_cc"]],
        "container_image": IMAGES.get(pair.stack["neuronx_cc"]),
    }
    for model in models():
        about: Row = {"model_id": model.id, "task": model.task, "architecture": model.arch}
        about |= {"extra_packages": " ".join(model.packages) or None}
        for number, cell in enumerate(model.cells[index].split("+")):
            if cell != "-":
                made = run(model, index, number, cell)
                yield installed | about | made | SPECIAL.get((model.id, index), {})


def table(index: int) -> pa.Table:
    return pa.Table.from_pylist(list(rows(index)), schema=SCHEMA).drop_columns(list(PAIRS[index].drop))


# --------------------------------------------------------------------------------- rankings

UNTESTED = {
    "text-generation": words("""
        kittiwake-works/Shrike-3-12B tidewater-ml/Plover2-2B hollowpine/Whimbrel-7B-GGUF
        northwind-lab/Tern-7B-AWQ umber-research/Avocet-Guard-2B northwind-lab/Tern-7B-Instruct-GGUF
        lonely-knot
    """),
    "image-text-to-text": words("""
        Fjordlight/Dunlin-VL-4B umber-research/Avocet-Omni-5B kittiwake-works/Shrike-VL-3B-AWQ
        SALTMARSH/GODWIT-VL-3B
    """),
}
# The id in the ranking where it is not the one in the results: renamed since, or in another case.
LISTED_AS = {
    "northwind-lab/Tern-3B-preview": "northwind-lab/Tern-3B",
    "ember_and_oak/curlew-coder-6.7b": "Ember_and_Oak/Curlew-Coder-6.7B",
}
GATED = {
    "hollowpine/Whimbrel-7B-Research": "manual",
    "Fjordlight/Dunlin-VL-4B": "auto",
    "lonely-knot": "auto",
}
UNKNOWN = {"SALTMARSH/GODWIT-VL-3B", "lonely-knot", "grebe_base.2b"}  # the ranking gives no numbers
NOT_RANKED = {"quarry.systems/Siskin-7B-4bit", "ember_and_oak/curlew-500m", "umber-research/Avocet-OCR-0.9B"}


def ranking(kind: str, task: str) -> str:
    rng = Random(f"{kind} {task}")
    ids = [m.id for m in models() if m.task == task and m.id not in NOT_RANKED] + UNTESTED[task]
    rng.shuffle(ids)
    entries: list[Row] = []
    for place, model_id in enumerate(ids, 1):
        known, listed = model_id not in UNKNOWN, LISTED_AS.get(model_id, model_id)
        entry: Row = {
            "id": listed,
            "downloads": int(2.4e6 / place**1.3) + rng.randrange(90) if known else None,
            "likes": rng.randrange(3, 2600) if known else None,
            "trending_score": max(1, 480 // place) if known else None,
            "gated": GATED.get(model_id, False),
            "last_modified": f"2026-{rng.randrange(5, 11):02}-{rng.randrange(1, 29):02}T12:00:00Z" if known else None,
        }
        entries.append(entry | ({"was": [model_id]} if listed.lower() != model_id.lower() else {}))
    snapshot = {"schema": 1, "ranking": kind, "task": task, "taken_at": "2026-11-30T06:00:00Z"}
    source = {"source": f"https://example.org/models?task={task}&sort={kind}"}
    return json.dumps(snapshot | source | {"models": entries}, indent=1, ensure_ascii=False) + "\n"


# ---------------------------------------------------------------------------------------------- files


def rankings() -> dict[str, str]:
    """Give the text of every ranking, by its path."""
    kinds = ("trending", "downloads")
    return {f"rankings/{kind}-{task}.json": ranking(kind, task) for task in UNTESTED for kind in kinds}


def write(out: Path) -> None:
    for index, pair in enumerate(PAIRS):
        pq.write_table(table(index), out / pair.name, row_group_size=16, compression="zstd", compression_level=19)
    for name, text in rankings().items():
        (out / name).parent.mkdir(exist_ok=True)
        (out / name).write_bytes(text.encode())


def differences(out: Path) -> Iterator[str]:
    """Name every file that is missing, differs, or is one too many."""
    tables, texts = {pair.name: table(index) for index, pair in enumerate(PAIRS)}, rankings()
    found = {path.relative_to(out).as_posix() for end in ("parquet", "json") for path in out.rglob(f"*.{end}")}
    for name in sorted(found ^ {*tables, *texts}):
        yield f"{name}: {'not made by this script' if name in found else 'missing'}"
    for name in sorted(found & tables.keys()):
        if not pq.ParquetFile(out / name).read().equals(tables[name]):
            yield f"{name}: other rows or columns"
    for name in sorted(found & texts.keys()):
        if (out / name).read_bytes() != texts[name].encode():
            yield f"{name}: other text"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="compare with the files, write nothing")
    here = Path(__file__).parent
    if not parser.parse_args().check:
        write(here)
    elif found := list(differences(here)):
        sys.exit("\n".join([*found, "Run make_demo.py to write the files anew."]))


if __name__ == "__main__":
    main()
