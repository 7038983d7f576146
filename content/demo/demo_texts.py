"""The long texts of the demo, all invented: the script of a run, and what a failed run printed."""

# Draws that anyone can repeat are the point here.
# ruff: noqa: S311

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random
from string import Template

# ------------------------------------------------------------------------------------------- scripts

PROMPTS = (
    "The tide table for tomorrow says",
    "Name three birds that nest on cliffs:",
    "Is 3 < 5 && 5 > 3? Answer in one sentence.",
    "Write a short note to the lighthouse keeper.",
    "Écris une phrase sur la mer.",
    "A lighthouse is useful because",
    "List the steps to make tea:",
)
OPTIONS = ("", '\n        attn_implementation="eager",', '\n        revision="main",')
METADATA = """\
# /// script
# requires-python = ">=3.12"
# dependencies = [
%s# ]
# ///
"""
HEAD = Template('''\
$metadata"""$title

Generates $tokens tokens, greedily, with a static cache and a compiled forward pass.
"""

import os
import time

import torch
$imports
CHECKPOINT = "$model"
PROMPT = "$prompt"
NEW_TOKENS = $tokens


def load(device):
    model = $auto.from_pretrained(
        CHECKPOINT,
        dtype=torch.bfloat16,
        $placement,$options
    )
    return model.eval()


def encode(processor):
$encode


@torch.inference_mode()
def generate(model, inputs, pad_token_id):
    config = GenerationConfig(
        max_new_tokens=NEW_TOKENS,
        min_new_tokens=NEW_TOKENS,
        do_sample=False,
        pad_token_id=pad_token_id,
        cache_implementation="static",
    )
    output = model.generate(**inputs, generation_config=config)
    return output[0, inputs["input_ids"].shape[1] :].tolist()


def run(device, compiled=True):
    processor = $processor.from_pretrained(CHECKPOINT)
    model = load(device)
    if compiled:
        model.forward = torch.compile(model.forward, backend="neuron", fullgraph=True, dynamic=False)
    inputs = encode(processor).to(model.device)
    start = time.perf_counter()
    tokens = generate(model, inputs, $pad)
    print(f"[{os.environ.get('RANK', '0')}] {time.perf_counter() - start:.1f} s", flush=True)
    return tokens, processor.decode(tokens, skip_special_tokens=True)

''')
TAIL_ONE_CORE = Template("""
def main():
    tokens, text = run("neuron")
    expected, _ = run("cpu", compiled=False)
    same = sum(a == b for a, b in zip(tokens, expected, strict=True))
    print(f"{text!r}\\ncpu_match: {same}/{NEW_TOKENS}")
    if same < NEW_TOKENS:
        raise SystemExit("tokens differ from the CPU run")


if __name__ == "__main__":
    main()
""")
TAIL_SHARDED = Template('''
def worker(rank, port):
    """One rank: one process, one core, one shard$of_what."""
    os.environ |= {
        "RANK": str(rank),
        "LOCAL_RANK": str(rank),
        "WORLD_SIZE": str(CORES),
        "MASTER_ADDR": "127.0.0.1",
        "MASTER_PORT": str(port),
    }
    dist.init_process_group("neuron", rank=rank, world_size=CORES)
    try:
        _, text = run(torch.device("neuron", rank))
        if rank == 0:
            print(f"text to judge: {text!r}", flush=True)
    finally:
        dist.destroy_process_group()


CORES = $cores

if __name__ == "__main__":
    # Starts its own processes; torchrun is not needed.
    mp.start_processes(worker, args=($port,), nprocs=CORES, start_method="spawn")
''')
ENCODE_TEXT = '    return processor(PROMPT, return_tensors="pt")'
ENCODE_CHAT = """\
    messages = [{"role": "user", "content": PROMPT}]
    return processor.apply_chat_template(
        messages, add_generation_prompt=True, return_dict=True, return_tensors="pt"
    )"""
ENCODE_IMAGE = """\
    gradient = torch.linspace(0, 255, 3 * 224 * 224).reshape(224, 224, 3).to(torch.uint8)
    image = Image.fromarray(gradient.numpy())
    content = [{"type": "image", "image": image}, {"type": "text", "text": PROMPT}]
    return processor.apply_chat_template(
        [{"role": "user", "content": content}],
        add_generation_prompt=True,
        tokenize=True,
        return_dict=True,
        return_tensors="pt",
    )"""


def script(model: str, *, vision: bool, cores: int, experts: bool, packages: list[str]) -> str:
    """Write a run.py such as would have produced the row."""
    rng = Random(f"script {model}")
    auto = "AutoModelForImageTextToText" if vision else "AutoModelForCausalLM"
    processor = "AutoProcessor" if vision else "AutoTokenizer"
    imports = "import torch.distributed as dist\nimport torch.multiprocessing as mp\n" if cores > 1 else ""
    imports += "from PIL import Image\n" if vision else ""
    imports += f"from transformers import {auto}, {processor}, GenerationConfig\n"
    imports += "from transformers.distributed import DistributedConfig\n" if experts else ""
    placement = 'tp_plan="auto"' if cores > 1 else "device_map=device"
    if experts:
        placement = "distributed_config=DistributedConfig(enable_expert_parallel=True)"
    chat = any(word in model for word in ("Instruct", "Chat", "-it", "Thinking"))
    where = f"sharded over {cores} Trainium cores" if cores > 1 else "on one Trainium core"
    head = HEAD.substitute(
        metadata=METADATA % "".join(f'#     "{p}",\n' for p in packages) if packages else "",
        title=rng.choice((f"{model}, {where}.", f"Run {model} {where}.", f"Check {model} {where}.")),
        model=model,
        tokens=32,
        imports=imports,
        prompt=rng.choice(PROMPTS),
        auto=auto,
        processor=processor,
        placement=placement,
        options=rng.choice(OPTIONS),
        encode=ENCODE_IMAGE if vision else ENCODE_CHAT if chat else ENCODE_TEXT,
        pad="processor.tokenizer.eos_token_id" if vision else "processor.eos_token_id",
    )
    of_what = " of the experts" if experts else " of every layer"
    tail = TAIL_SHARDED if cores > 1 else TAIL_ONE_CORE
    return head + tail.substitute(cores=cores, port=rng.randrange(29500, 29999), of_what=of_what)


# --------------------------------------------------------------------------------------------- logs


@dataclass(frozen=True)
class Case:
    """What a log speaks of."""

    rng: Random
    arch: str
    cores: int
    python: str
    script: str
    when: datetime


# The lines of run.py that a traceback passes through, outermost first.
START = (' = run("neuron")', " = run(torch.device(")
PROCESSOR = (*START, "processor = Auto")
LOAD = (*START, "model = load(device)", "model = Auto")
ENCODE = (*START, "inputs = encode(", "return processor")
GENERATE = (*START, "tokens = generate(", "output = model.generate(")
CALLS = (
    ("transformers/generation/utils.py", "generate", "result = decoding_method("),
    ("transformers/generation/utils.py", "_sample", "outputs = self._prefill("),
    ("transformers/utils/generic.py", "wrapper", "output = func(self, *args, **kwargs)"),
    ("torch/nn/modules/module.py", "_wrapped_call_impl", "return self._call_impl(*args, **kwargs)"),
    ("torch/nn/modules/module.py", "_call_impl", "return forward_call(*args, **kwargs)"),
    ("transformers/modeling_layers.py", "__call__", "return super().__call__(*args, **kwargs)"),
    ("torch/_dynamo/eval_frame.py", "compile_wrapper", "return fn(*args, **kwargs)"),
)


def own_frames(script: str, codes: Sequence[str]) -> Iterator[str]:
    """Show the first line of run.py that holds each of `codes`, as a traceback does."""
    lines = script.splitlines()
    for code in codes:
        for number, line in enumerate(lines, 1):
            if code in line:
                function = next(up for up in reversed(lines[:number]) if up.startswith("def "))
                name = function.removeprefix("def ").partition("(")[0]
                yield f'  File "/workspace/run.py", line {number}, in {name}\n    {line.strip()}'
                break


def trace(case: Case, message: str, last: str, passed: Sequence[str] = GENERATE) -> str:
    """Write a Python traceback that ends in `message`; `last` is its innermost frame."""
    frames = list(own_frames(case.script, passed))
    for file, function, code in CALLS[: case.rng.randrange(3, len(CALLS) + 1)] if passed is GENERATE else ():
        shown = frame(case, file, case.rng.randrange(90, 4200), function, code)
        frames += [f"{shown}\n    {'^' * len(code)}" if case.rng.random() < 0.5 else shown]
    return "\n".join(["Traceback (most recent call last):", *frames, last, message]) + "\n"


def frame(case: Case, file: str, line: int, function: str, code: str) -> str:
    packages = f"/opt/venv/lib/python{case.python}/site-packages"
    return f'  File "{packages}/{file}", line {line}, in {function}\n    {code}'


def stamp(case: Case, second: int) -> str:
    moment = case.when + timedelta(seconds=second, microseconds=case.rng.randrange(10**6))
    return f"{moment:%Y-%b-%d %H:%M:%S.%f} 4107:4163"


def compiling(case: Case) -> str:
    code = "return _C.run_neuron_cc(module, options)"
    return frame(case, "torch_neuronx/dynamo/backend.py", 218, "compile_graph", code)


def compiler(case: Case, message: str) -> str:
    return trace(case, f"RuntimeError: RunNeuronCCImpl: [ERROR] {message}", compiling(case))


def too_much_memory(case: Case) -> str:
    need = case.rng.uniform(25, 41)
    parts = f"This consists of {need * 0.7:.2f}GB I/O tensors and {need * 0.3:.2f}GB internal allocations"
    peak = f"Maximum peak HBM usage of {need:.2f}GB exceeds HBM limit of 24.00GB for Trn2."
    return compiler(case, f"[NCC_EOOM001] {peak} {parts}")


def operation(case: Case) -> str:
    name = case.rng.choice(("sort", "fft", "cholesky"))
    text = f"[NCC_EVRF029] Operation {name} is not supported on trn2. Use a supported equivalent."
    return compiler(case, text)


def internal(case: Case) -> str:
    text = "[NCC_ITRS902] Internal error in pass LowerTranspose: unexpected access pattern [[1,128],[96,4]]"
    return compiler(case, text) + "neuronx-cc exited with code 70\n"


def killed(case: Case) -> str:
    shards = "".join(f"\rLoading checkpoint shards: {25 * i:3}%|{'█' * 5 * i:20}| {i}/4" for i in range(5))
    bars = "".join(
        f"\rCompiling graphs: {p:3}%|{'#' * (p // 5):20}| {p}/100 [{p // 6:02}:{p * 10 % 60:02}<16:40]"
        for p in range(case.rng.randrange(40, 80))
    )
    warn = "\x1b[33mWARNING\x1b[0m \x1b[2mneuronx-cc\x1b[0m host memory is \x1b[1;35m97 %\x1b[0m used\n"
    why = "This most commonly occurs due to insufficient system memory."
    line = f"\x1b[31m[F137] neuronx-cc was forcibly killed - {why}"
    last = "subprocess.CalledProcessError: 'neuronx-cc' died with <Signals.SIGKILL: 9>."
    return f"{shards}\n{warn}{bars}\n{line}\x1b[0m\n{trace(case, last, compiling(case))}"


def allocation(case: Case) -> str:
    size = case.rng.choice((2, 4, 8))
    lines = [
        f"{stamp(case, 900 + core)} ERROR  TDRV:log_dev_mem   Failed to allocate {size}.000GB "
        f"(alignment: none, usage: tensors) on ND {core // 4}:NC {core % 4}"
        for core in range(case.cores)
    ]
    load = frame(case, "transformers/core_model_loading.py", 911, "materialize", "return tensor.to(device)")
    return "\n".join(lines) + "\n" + trace(case, "RuntimeError: nrt_tensor_allocate status=4", load, LOAD)


def heads(case: Case) -> str:
    code = "self.check_divisible(config.num_attention_heads)"
    plan = frame(case, "transformers/integrations/tensor_parallel.py", 402, "shard", code)
    message = f"ValueError: number of attention heads (14) is not divisible by the number of cores ({case.cores})"
    lines = trace(case, message, plan, LOAD).splitlines()
    return "".join(f"[rank{rank}]: {line}\n" for rank in range(case.cores) for line in lines)


def architecture(case: Case) -> str:
    file, code = "transformers/models/auto/configuration_auto.py", "config_class = CONFIG_MAPPING[model_type]"
    look_up = frame(case, file, 1402, "from_pretrained", code)
    first = trace(case, f"KeyError: '{case.arch}'", look_up, ())
    then = "\nDuring handling of the above exception, another exception occurred:\n\n"
    what = f"has model type `{case.arch}` but Transformers does not recognize this architecture."
    give_up = frame(case, file, 1404, "from_pretrained", "raise ValueError(")
    return first + then + trace(case, f"ValueError: The checkpoint you are trying to load {what}", give_up, PROCESSOR)


def gated(case: Case) -> str:
    first = "requests.exceptions.HTTPError: 403 Client Error: Forbidden"
    cause = "\nThe above exception was the direct cause of the following exception:\n\n"
    last = "huggingface_hub.errors.GatedRepoError: 403 Client Error. Access to this model is restricted."
    ask = frame(case, "huggingface_hub/utils/_http.py", 409, "check", "response.raise_for_status()")
    refuse = frame(case, "huggingface_hub/utils/_http.py", 426, "check", "raise GatedRepoError(message) from error")
    return trace(case, first, ask, ()) + cause + trace(case, last, refuse, PROCESSOR)


def chained(case: Case) -> str:
    cache = frame(case, "transformers/cache_utils.py", 1771, "get_mask_sizes", "layer = self.layers[layer_idx]")
    first = trace(case, "IndexError: list index out of range", cache, ())
    cause = "\nThe above exception was the direct cause of the following exception:\n\n"
    file = f"transformers/models/{case.arch}/modeling_{case.arch}.py"
    code = 'raise ValueError("no attention layer to ask for its length") from error'
    second = "ValueError: a static cache needs at least one attention layer, found only state-space layers"
    return first + cause + trace(case, second, frame(case, file, 704, "forward", code))


def dynamo(case: Case) -> str:
    again = "raise e.with_traceback(None) from e.__cause__"
    wrap = frame(case, "torch/_dynamo/eval_frame.py", 1004, "compile_wrapper", again)
    file = f"transformers/models/{case.arch}/modeling_{case.arch}.py"
    code = frame(case, file, 388, "forward", "if (position_ids < 0).any():")
    return trace(case, "torch._dynamo.exc.Unsupported: Data-dependent branching", wrap) + (
        "  Explanation: Detected data-dependent branching (e.g. `if my_tensor.sum() > 0:`).\n"
        "  Hint: Use `torch.cond` to express dynamic control flow.\n\n"
        "  Developer debug context: attempted to jump with TensorVariable()\n\n\n"
        f"from user code:\n{code}\n\n"
        "Set TORCHDYNAMO_VERBOSE=1 for the internal stack trace. For even more developer context, "
        'set TORCH_LOGS="+dynamo"\n\n'
    )


def markup(case: Case) -> str:
    code = 'keep = (positions < window) & (scores > 0) if "<image>" in text else None'
    last = frame(case, f"transformers/models/{case.arch}/processing_{case.arch}.py", 233, "<genexpr>", code)
    where = "(in <class 'list'> & its elements)"
    message = f"TypeError: '<' not supported between instances of 'NoneType' and 'int' {where}"
    return trace(case, message, last, ENCODE)


def huge(case: Case) -> str:
    """Fill more than 4,000 lines, and more than 256 KB."""
    lines = [
        f"{stamp(case, i // 4)} INFO   TDRV:kbl_model_add   rank {i % case.cores:2} loaded subgraph "
        f"{i // case.cores:4} ({case.rng.choice((16, 64, 256))} KB)"
        for i in range(5200)
    ]
    return "\n".join(lines) + "\n" + allocation(case)


def mismatch(_: Case) -> str:
    text = "[0] 41.8 s\n[0] 5.2 s\n'the harbour harbour harbour'\n"
    return f"{text}cpu_match: 7/32\ntokens differ from the CPU run\n"


def garbled(_: Case) -> str:
    return "text to judge: 'tide tide of of the the , , , the'\njudge: not fluent English\n"


def timeout(_: Case) -> str:
    bar = "Compiling graphs:  12%|##                  | 12/100 [1:58:31<14:29:07]"
    return f"\r{bar}\nrun.py stopped after 7200 s\n"


FAILURES: dict[str, Callable[[Case], str]] = {
    "eoom": too_much_memory,
    "evrf": operation,
    "internal": internal,
    "f137": killed,
    "alloc": allocation,
    "heads": heads,
    "arch": architecture,
    "gated": gated,
    "chained": chained,
    "dynamo": dynamo,
    "markup": markup,
    "huge": huge,
    "mismatch": mismatch,
    "garbled": garbled,
    "timeout": timeout,
}
