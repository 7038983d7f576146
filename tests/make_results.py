"""Invented results in the dataset's schema, at any size, for benchmarks and load tests.

    python tests/make_results.py OUT --pairs 5 --models 400 [--seed 1] [--ranked 200]

OUT/neuronx-cc-<v>--transformers-<v>.parquet   one file per version pair (the two oldest lack `exclusion`)
OUT/rankings/<ranking>-<task>.json             trending and downloads per task; a tenth is never tested

Deterministic: same arguments, same tables. Every model and every outcome is invented; the shapes (columns,
version strings, failure texts, script layout, share of failures) follow the real dataset.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

Row = dict[str, Any]


def words(text: str) -> list[str]:
    return text.split()


TEXT, IMAGE = TASKS = ("text-generation", "image-text-to-text")
ORGS = words(
    "acme-lab borealis-ai cobalt dune-research Ember-Systems fjordml Granite-Peak heliosphere iolite-labs "
    "juniper-nlp kestrel Lumen-AI"
)
FAMILIES = words(
    "Aurora Beacon Cirrus Drift Ember Falke Glint Harrow Iris Juno Kite Lyra Mistel Nimbus Orla Pyxis Quill "
    "Rook Sable Tern"
)
SIZES = [
    ("0.5B", 0.5),
    ("1.1B", 1.1),
    ("1.7B", 1.7),
    ("3B", 3),
    ("7B", 7.6),
    ("8x7B", 46.7),
    ("14B", 14.8),
    ("30B-A3B", 30.5),
    ("32B", 32.8),
    ("70B", 70.6),
    ("120B-A12B", 120),
]
TAILS = ["", *words("-Instruct -it -Base -Chat -Instruct-2507 -Coder-Instruct -Thinking -v0.3 -DPO -hf")]
COMPILERS = [
    "2.21.33363.0+82129205",
    "2.25.3371.0+f524be69",
    "2.26.6360.0+4a7e1c2d",
    "2.27.5334.0+f702b353",
    "2.28.7631.0+0b9d55aa",
    "2.28.9011.0+c3f1e870",
]
LIBRARIES = words("4.57.6 5.0.0 5.6.2 5.12.1 5.18.0 5.19.0 5.20.0 5.20.2 5.21.1 5.24.0")
TORCH = {"2.21": "2.8.0", "2.25": "2.9.0", "2.26": "2.9.1", "2.27": "2.13.0", "2.28": "2.14.0"}
START = datetime(2026, 6, 1, tzinfo=UTC)
COLUMNS = words(
    "model_id library tp runner result notes error exclusion wall_s hbm_peak_gb hbm_capacity_gb cpu_match "
    "english neuronx_cc library_version transformers accelerate torch_neuronx torch nki python neuron_driver "
    "tested_at run_py"
)
TYPES: dict[str, pa.DataType] = {
    "tp": pa.int32(),
    "wall_s": pa.int32(),
    "hbm_peak_gb": pa.float64(),
    "hbm_capacity_gb": pa.float64(),
    "tested_at": pa.timestamp("ms", tz="UTC"),
}
STRING: pa.DataType = pa.string()
SCHEMA = pa.schema([(name, TYPES.get(name, STRING)) for name in COLUMNS])

# ------------------------------------------------------------------------------------------- scripts

SCRIPT = '''\
#!/usr/bin/env python3
{meta}"""Run {model} on {cores} Trainium core{s} and check what it generates.

task: {task}    dtype: bfloat16    new tokens: 32    parallel plan: {plan}
"""
import json
import os
import time

import torch
{dist_import}from transformers import {auto}, {proc}, CompileConfig, GenerationConfig

MODEL_ID = "{model}"
CORES = {cores}
NEW_TOKENS = 32
PROMPT = {prompt!r}


def load(device):
    """Load the checkpoint{load_doc}."""
    model = {auto}.from_pretrained(
        MODEL_ID,
        dtype=torch.bfloat16,
        {placement}
    )
    return model.eval()


def generation_config(pad_token_id):
    return GenerationConfig(
        max_new_tokens=NEW_TOKENS,
        do_sample=False,
        pad_token_id=pad_token_id,
        cache_implementation="static",
        compile_config=CompileConfig(backend="neuron", fullgraph=True, dynamic=False),
    )


@torch.inference_mode()
def generate(model, inputs, config):
    start = time.perf_counter()
    out = model.generate(**inputs, generation_config=config)
    seconds = time.perf_counter() - start
    return out[0, inputs["input_ids"].shape[1]:].tolist(), seconds


def peak_memory_gb(device):
    stats = torch.accelerator.memory_stats(device)
    return stats["allocated_bytes.all.peak"] / 1e9


def run(rank=0):
    device = torch.device("neuron", rank)
    processor = {proc}.from_pretrained(MODEL_ID)
    model = load(device)
    inputs = processor({call}, return_tensors="pt").to(device)
    tokens, seconds = generate(model, inputs, generation_config({pad}))
    if rank == 0:
        print(json.dumps({{
            "tokens": tokens,
            "text": processor.decode(tokens),
            "seconds": round(seconds, 1),
            "hbm_peak_gb": round(peak_memory_gb(device), 3),
        }}))
    return tokens

{tail}
'''
TAIL_ONE = '''
def reference():
    """The same checkpoint, the same prompt, eager on the CPU."""
    processor = {proc}.from_pretrained(MODEL_ID)
    model = {auto}.from_pretrained(MODEL_ID, dtype=torch.bfloat16).eval()
    inputs = processor({call}, return_tensors="pt")
    config = GenerationConfig(max_new_tokens=NEW_TOKENS, do_sample=False)
    out = model.generate(**inputs, generation_config=config)
    return out[0, inputs["input_ids"].shape[1]:].tolist()


if __name__ == "__main__":
    tokens, expected = run(), reference()
    matching = sum(a == b for a, b in zip(tokens, expected))
    print(f"cpu_match: {{matching}}/{{NEW_TOKENS}}")
    raise SystemExit(0 if tokens == expected else "tokens differ from the CPU run")
'''
TAIL_MANY = """
def worker(rank):
    os.environ.update(RANK=str(rank), LOCAL_RANK=str(rank), WORLD_SIZE=str(CORES),
                      MASTER_ADDR="127.0.0.1", MASTER_PORT="29511")
    dist.init_process_group("neuron", rank=rank, world_size=CORES)
    try:
        run(rank)
    finally:
        dist.destroy_process_group()


if __name__ == "__main__":
    # Starts its own processes: no torchrun needed.
    mp.start_processes(worker, nprocs=CORES, start_method="spawn")
"""
PROMPTS = [
    "The capital of France is",
    "Write one sentence about the sea.",
    'Explain "static cache" briefly:',
    "Once upon a time",
]
METADATA = '# /// script\n# dependencies = ["pillow==12.0.0", "tiktoken==0.13.0"]\n# ///\n'
DISTRIBUTED = "import torch.distributed as dist\nimport torch.multiprocessing as mp\n"


def script(rng: Random, model: Model, plan: str, recent: bool) -> str:
    vision, sharded = model.task == IMAGE, model.cores > 1
    auto = "AutoModelForImageTextToText" if vision else "AutoModelForCausalLM"
    proc = "AutoProcessor" if vision else "AutoTokenizer"
    call = "text=PROMPT, images=None" if vision else "PROMPT"
    experts = " enable_expert_parallel=True," if plan == "ep" else ""
    text = SCRIPT.format(
        meta=METADATA if vision else "",
        model=model.id,
        cores=model.cores,
        s="s" if sharded else "",
        task=model.task,
        plan=plan,
        dist_import=DISTRIBUTED if sharded else "",
        auto=auto,
        proc=proc,
        prompt=rng.choice(PROMPTS),
        load_doc=f", sharded over {model.cores} cores by {plan}" if sharded else " on one core",
        placement=f'tp_plan="auto",{experts}' if sharded else "device_map=device,",
        call=call,
        pad="processor.tokenizer.eos_token_id" if vision else "processor.eos_token_id",
        tail=(TAIL_MANY if sharded else TAIL_ONE.format(proc=proc, auto=auto, call=call)),
    )
    return text if recent else text.replace("dtype=torch.bfloat16", "torch_dtype=torch.bfloat16")


# --------------------------------------------------------------------------------------------- logs

FILES = [
    "generation/utils.py",
    "models/auto/auto_factory.py",
    "modeling_utils.py",
    "cache_utils.py",
    "integrations/moe.py",
    "integrations/sdpa_attention.py",
]
FUNCTIONS = ["forward", "generate", "_sample", "prefill", "wrapper", "__call__"]
CODE = [
    "outputs = self.model(**inputs)",
    "return func(self, *args, **kwargs)",
    "hidden_states = layer(hidden_states, position_ids=position_ids)",
    "result = decoding_method(self, input_ids, **kwargs)",
]
SITE_PACKAGES = "/opt/venv/lib/python3.12/site-packages"


def frame(rng: Random) -> str:
    file = rng.choice(FILES)
    line = rng.randrange(80, 3900)
    where = f'  File "{SITE_PACKAGES}/transformers/{file}", line {line}, in {rng.choice(FUNCTIONS)}\n'
    return where + f"    {rng.choice(CODE)}\n"


def stamp(rng: Random) -> str:
    day, hour, minute, second = (rng.randrange(*r) for r in ((10, 28), (24,), (60,), (60,)))
    micro, process, thread = (rng.randrange(*r) for r in ((10**6,), (1000, 99999), (1000, 99999)))
    return f"2026-Oct-{day} {hour:02}:{minute:02}:{second:02}.{micro:06} {process}:{thread}"


def error(rng: Random, kind: str, model: Model) -> str:
    """Give what a failed run of this kind prints."""
    trace = "Traceback (most recent call last):\n" + "".join(frame(rng) for _ in range(rng.randrange(4, 30)))
    return LOGS[kind](rng, trace, model)


def out_of_memory(rng: Random, trace: str, model: Model) -> str:
    size = rng.choice([2, 4, 8])
    what = f"ERROR  TDRV:log_dev_mem   Failed to allocate {size}.000GB (alignment: none, usage: tensors)"
    lines = [f"{stamp(rng)} {what} on ND 0:NC {core}\n" for core in range(model.cores)]
    return "".join(lines) + trace + "RuntimeError: nrt_tensor_allocate status=4\n"


def compiler_memory(rng: Random, trace: str, model: Model) -> str:
    need = rng.uniform(25, 60)
    return (
        f"{trace}RuntimeError: RunNeuronCCImpl: [ERROR] [NCC_EOOM001] Maximum peak HBM usage of {need:.2f}GB "
        f"exceeds HBM limit of 24.00GB for Trn2. This consists of {need / 2:.2f}GB I/O tensors and "
        f"{need / 2:.2f}GB internal allocations\n"
    )


def operation(rng: Random, trace: str, model: Model) -> str:
    name = rng.choice(["sort", "topk", "cholesky", "fft", "scatter"])
    return (
        f"{trace}RuntimeError: RunNeuronCCImpl: [ERROR] [NCC_EVRF029] Operation {name} is not supported on "
        "trn2. Use a supported equivalent.\n"
    )


def killed(rng: Random, trace: str, model: Model) -> str:
    bars = "".join(
        f"\rCompiling graphs: {p:3d}%|{'#' * (p // 5):20}| {p}/100 [00:{p % 60:02}<00:59]"
        for p in range(rng.randrange(30, 90))
    )
    return (
        f"{bars}\n\x1b[31m[F137] neuronx-cc was forcibly killed - This most commonly occurs due to "
        f"insufficient system memory.\x1b[0m\n{trace}subprocess.CalledProcessError: Command "
        "'neuronx-cc compile' died with <Signals.SIGKILL: 9>.\n"
    )


def architecture(rng: Random, trace: str, model: Model) -> str:
    return (
        f"{trace}ValueError: The checkpoint you are trying to load has model type `{model.family}` but "
        "Transformers does not recognize this architecture.\n"
    )


def heads(rng: Random, trace: str, model: Model) -> str:
    logs = []
    for rank in range(min(model.cores, 4)):
        prefix = f"[rank{rank}]: "
        count = rng.choice([14, 9, 20])
        what = f"attention heads ({count}) is not divisible by the number of cores ({model.cores})"
        logs.append(prefix + trace.replace("\n", "\n" + prefix) + f"ValueError: number of {what}\n")
    return "".join(logs)


def gated(rng: Random, trace: str, model: Model) -> str:
    message = "403 Client Error. Access to this model is restricted."
    return f"{trace}huggingface_hub.errors.GatedRepoError: {message}\n"


def mismatch(rng: Random, trace: str, model: Model) -> str:
    return f"cpu_match: {rng.randrange(1, 32)}/32\ntokens differ from the CPU run\n"


LOGS: dict[str, Callable[[Random, str, Model], str]] = {
    "oom": out_of_memory,
    "hbm": compiler_memory,
    "op": operation,
    "killed": killed,
    "code": architecture,
    "heads": heads,
    "gated": gated,
    "mismatch": mismatch,
}

# --------------------------------------------------------------------------------------------- rows


@dataclass(frozen=True)
class Model:
    id: str
    task: str
    billions: float
    experts: bool

    @property
    def cores(self) -> int:
        return next((c for c in (1, 2, 4, 8, 16) if 2 * self.billions / c < 22), 16)

    @property
    def family(self) -> str:
        return self.id.split("/")[1].split("-")[0].lower()


@dataclass(frozen=True)
class Pair:
    index: int
    compiler: str
    library: str
    recent: bool


def make_models(count: int, rng: Random) -> list[Model]:
    models: dict[str, Model] = {}
    while len(models) < count:
        size, billions = rng.choice(SIZES)
        family = rng.choice(FAMILIES) + rng.choice(["", "2", "2.5", "3", "-3.1", "4"])
        vision = rng.random() < 0.28
        name = f"{family}{'-VL' if vision else ''}-{size}{rng.choice(TAILS)}"
        name += f"-r{len(models)}" if len(models) > 3000 else ""
        model = Model(f"{rng.choice(ORGS)}/{name}", TASKS[vision], billions, "x" in size or "-A" in size)
        models.setdefault(model.id.lower(), model)
    return list(models.values())


def make_pairs(count: int) -> list[Pair]:
    grid = [
        (compiler, library)
        for i, compiler in enumerate(COMPILERS)
        for j, library in enumerate(LIBRARIES)
        if abs(i * 1.8 - j) <= 4
    ]
    while len(grid) < count:  # more pairs than releases: nightly compiler builds
        more = enumerate(grid[: count - len(grid)])
        grid += [(f"{c.split('+')[0]}+{len(grid) + i:08x}", library) for i, (c, library) in more]
    chosen = sorted({grid[(k + 1) * len(grid) // count - 1] for k in range(count)}, key=grid.index)
    return [Pair(i, *versions, recent=i >= count // 2) for i, versions in enumerate(chosen)]


def stack(pair: Pair) -> Row:
    torch = TORCH[pair.compiler[:4]]
    return {
        "neuronx_cc": pair.compiler,
        "library_version": pair.library,
        "transformers": pair.library,
        "accelerate": "1.14.0" if pair.recent else "1.12.0",
        "torch_neuronx": torch + ".3.0",
        "torch": torch,
        "nki": "0.7.0" if pair.recent else "0.6.0+31049202112.g85070674",
        "python": "3.12.11",
        "neuron_driver": "2.31.7.0" if pair.recent else "2.30.2.0",
    }


def make_row(index: int, model: Model, pair: Pair, pairs: int, seed: int) -> Row:
    """Make the run of one model under one pair. The order of the draws is the contract."""
    rng = Random(f"{seed}-{index}-{model.id}")
    cores = model.cores
    row: Row = {"model_id": model.id, "library": "transformers", **stack(pair)}
    row["tested_at"] = START + timedelta(days=7 * pair.index, minutes=11 * index)
    excluded = model.billions > 190 or rng.random() < 0.04
    failing = not excluded and rng.random() < 0.25 and (pair.index < pairs * rng.random() or rng.random() < 0.5)
    kinds = ["oom", "hbm", "op", "killed", "code", "heads", "gated"] + ["mismatch"] * (2 if cores == 1 else 0)
    kind = rng.choice(kinds)
    sharded_experts = model.experts and cores > 1
    row["notes"] = "expert parallelism only" if sharded_experts and rng.random() < 0.2 else None
    if excluded:
        reasons = ["low priority", "quantized checkpoint not supported", "needs more than 16 cores"]
        return row | {"result": "EXCLUDED", "exclusion": rng.choice(reasons)}
    row |= {"tp": cores, "runner": "generate", "hbm_capacity_gb": 24.0 * cores}
    if failing:
        row |= {"result": "FAIL", "error": error(Random(f"{pair.index}-{model.id}"), kind, model)}
    else:
        row |= {"result": "PASS", "cpu_match" if cores == 1 else "english": "32/32" if cores == 1 else "yes"}
    row["wall_s"] = int(60 + model.billions * rng.uniform(20, 45))
    if not (failing and kind == "code"):
        row["hbm_peak_gb"] = round(2 * model.billions * rng.uniform(1.05, 1.3), 3)
    experts = sharded_experts and rng.random() < 0.3
    plan = "ep" if experts else "tp" if cores > 1 else "none"
    return row | {"run_py": script(rng, model, plan, pair.recent)}


def is_old(pair: Pair, pairs: int) -> bool:
    return pair.index < 2 < pairs


def make_rows(pair: Pair, models: list[Model], pairs: int, seed: int, *, gaps: bool = True) -> list[Row]:
    """Make the runs under one pair; with gaps, some models were not tested under it. The two oldest lack exclusions."""
    tested = (
        (index, model)
        for index, model in enumerate(models)
        if not gaps or Random(f"{seed}-{pair.index}-{index}").random() >= 0.07
    )
    rows = [make_row(index, model, pair, pairs, seed) for index, model in tested]
    return [{name: row[name] for name in row if name != "exclusion"} for row in rows] if is_old(pair, pairs) else rows


def make_ranking(ranking: str, task: str, models: list[Model], seed: int, ranked: int) -> Row:
    rng = Random(f"{seed}-{ranking}-{task}")
    ids = [model.id for model in models if model.task == task]
    listed = rng.sample(ids, min(len(ids), ranked * 9 // 10))
    listed += [f"{rng.choice(ORGS)}/Unseen-{k}-{rng.choice(SIZES)[0]}" for k in range(ranked // 10)]
    rng.shuffle(listed)
    entries = [
        {
            "id": model_id,
            "downloads": max(3, int(2e7 / (k + 1) ** 1.1)),
            "likes": rng.randrange(5, 9000),
            "trending_score": max(1, int(900 / (k + 1))),
            "gated": rng.choice([False, False, False, "auto", "manual"]),
            "last_modified": (START + timedelta(days=rng.randrange(150))).isoformat(),
        }
        for k, model_id in enumerate(listed)
    ]
    return {
        "schema": 1,
        "ranking": ranking,
        "task": task,
        "taken_at": "2026-11-20T06:00:00Z",
        "source": f"https://huggingface.co/models?pipeline_tag={task}&sort={ranking}",
        "models": entries,
    }


def write_pair(out: Path, pair: Pair, rows: list[Row], pairs: int) -> Path:
    """Write the file of one pair; an old one has no column for exclusions."""
    table = pa.Table.from_pylist(rows, schema=SCHEMA)
    if is_old(pair, pairs):
        table = table.drop_columns(["exclusion"])
    path = out / f"neuronx-cc-{pair.compiler}--transformers-{pair.library}.parquet"
    pq.write_table(table, path, compression="zstd")
    return path


def write_rankings(out: Path, models: list[Model], seed: int, ranked: int) -> None:
    (out / "rankings").mkdir(parents=True, exist_ok=True)
    for task in TASKS:
        for ranking in ("trending", "downloads"):
            snapshot = make_ranking(ranking, task, models, seed, ranked)
            text = json.dumps(snapshot, indent=1) + "\n"
            (out / "rankings" / f"{ranking}-{task}.json").write_bytes(text.encode())


def write_results(out: Path, *, pairs: int = 5, models: int = 400, seed: int = 1, ranked: int = 200) -> None:
    """Write the files into `out`, which need not exist."""
    out.mkdir(parents=True, exist_ok=True)
    population = make_models(models, Random(seed))
    for pair in make_pairs(pairs):
        write_pair(out, pair, make_rows(pair, population, pairs, seed), pairs)
    write_rankings(out, population, seed, ranked)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", metavar="OUT", type=Path)
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--models", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--ranked", type=int, default=200)
    options = parser.parse_args()
    write_results(options.out, pairs=options.pairs, models=options.models, seed=options.seed, ranked=options.ranked)


if __name__ == "__main__":
    main()
