"""What failures with one cause share, and what keeps others apart."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitegen.logs import failure_in
from sitegen.signature import KEPT, RULES, TEXT_MAX, Rule, Signature, normalised, signature

MODEL = '  File "/opt/v/site-packages/transformers/models/{0}/modeling_{0}.py", line {1}, in forward\n    {2}\n'
TORCH = '  File "/opt/v/site-packages/torch/nn/linear.py", line 134, in forward\n    return F.linear(x)\n'


def of(last: str, *frames: str, model: str = "acme/tern-1b", before: str = "") -> str:
    return text_of(f"{before}Traceback (most recent call last):\n{''.join(frames)}{last}\n", model)


def text_of(log: str, model: str = "acme/tern-1b", architecture: str | None = None) -> str:
    found = signature(failure_in(log.encode()), model, architecture)
    return found.text if found else ""


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_each_rule_does_what_its_examples_say(rule: Rule) -> None:
    assert rule.examples
    for before, after in rule.examples:
        assert rule.pattern.sub(rule.replacement, before) == after


SAME = {
    "numbers": ("RuntimeError: sizes 4 and 8 differ by 1.5", "RuntimeError: sizes 16 and 64 differ by 2"),
    "addresses": ("AssertionError: <function f at 0x7f1c>", "AssertionError: <function f at 0x7fe825a453a0>"),
    "paths": ("OSError: no file '/tmp/x1/a.neff'", "OSError: no file '/root/.cache/y/b.neff'"),
    "sizes": ("RuntimeError: [NCC_EOOM001] 32.00GB of 24.00GB", "RuntimeError: [NCC_EOOM001] 25 GB of 24 GB"),
    "times": ("OSError: at 2026-10-21 20:58:33.897 lost", "OSError: at 2026-11-01 01:02:03 lost"),
    "ids": ("OSError: request 0123456789abcdef01 lost", "OSError: request fedcba987654321000 lost"),
    "shapes": ("ValueError: got torch.Size([1, 8, 8])", "ValueError: got torch.Size([1, 16])"),
    "sizes by name": ("ValueError: head_dim (64) is odd", "ValueError: head_dim (8192) is odd"),
    'durations': ('OSError: after 12.3s', 'OSError: after 45.1s'),
    'hosts': ('OSError: to 10.0.3.4:29500', 'OSError: to 10.0.9.77:1'),
    'devices': ('OSError: on nd0:nc3', 'OSError: on nd1:nc7'),
    'layers': ('OSError: layers.3.mlp', 'OSError: layers.14.mlp'),
    'relative paths': ('OSError: build/g_12/x.neff', 'OSError: ./build/a.neff'),
    'buckets': ('OSError: s3://a/b', 'OSError: s3://c/d/e'),
    'asserted numbers': ('AssertionError: assert a == 3', 'AssertionError: assert a == 4'),
    'counts': ('OSError: failed 3 times', 'OSError: failed 5 times'),
    "hints": ("AttributeError: no 'a'. Did you mean: 'b'?", "AttributeError: no 'a'"),
}  # fmt: skip


@pytest.mark.parametrize("what", SAME)
def test_what_differs_from_run_to_run_does_not_count(what: str) -> None:
    one, other = SAME[what]
    assert of(one) == of(other)


OTHER = {
    "types": ("RuntimeError: sizes differ", "ValueError: sizes differ"),
    "compiler codes": ("RuntimeError: [NCC_EOOM001] x", "RuntimeError: [NCC_EOOM002] x"),
    "types with one code": ("RuntimeError: [NCC_EOOM001] x", "ValueError: [NCC_EOOM001] x"),
    "operations under one code": ("RuntimeError: [NCC_EVRF029] sort", "RuntimeError: [NCC_EVRF029] fft"),
    "runtime states": ("RuntimeError: nrt_tensor_allocate status=4", "RuntimeError: nrt_tensor_allocate status=1"),
    "statuses": ("HTTPError: 403 Client Error", "HTTPError: 404 Client Error"),
    "exit codes": ("OSError: exit code 70", "OSError: exit code 1"),
    "errno": ("OSError: [Errno 28] x", "OSError: [Errno 13] x"),
    "signals": ("OSError: died with <Signals.SIGKILL: 9>", "OSError: died with <Signals.SIGSEGV: 11>"),
    "exit statuses in words": ("RuntimeError: neuronx-cc exited with 70", "RuntimeError: neuronx-cc exited with 1"),
    "codes of a command": ("OSError: exited with code 1", "OSError: exited with code 2"),
    "failed with": ("OSError: Failed with code 70", "OSError: Failed with code 71"),
    "codes in brackets": ("OSError: Compilation failed (70)", "OSError: Compilation failed (1)"),
    "rc": ("OSError: rc=1", "OSError: rc=2"),
    "returncode": ("OSError: returncode=1", "OSError: returncode=2"),
    "Code": ("OSError: Code=4", "OSError: Code=5"),
    "status code": ("HTTPError: status code: 404", "HTTPError: status code: 500"),
    "HTTP": ("requests.HTTPError: 404", "requests.HTTPError: 403"),
    "CUDA": ("RuntimeError: CUDA error 700", "RuntimeError: CUDA error 719"),
    "ERROR": ("OSError: ERROR 1001 from compiler", "OSError: ERROR 1002 from compiler"),
    "error: n": ("OSError: error: 5", "OSError: error: 6"),
    "required versions": ("ImportError: requires transformers>=4.50", "ImportError: requires transformers>=5.0"),
    "opset": ("OSError: opset 17", "OSError: opset 18"),
    "SystemExit": ("SystemExit: 1", "SystemExit: 2"),
    "errorCode": ("OSError: errorCode: 5", "OSError: errorCode: 6"),
    "statusCode": ("OSError: statusCode=403", "OSError: statusCode=500"),
    "error in brackets": ("OSError: error [5]", "OSError: error [6]"),
    "error code is": ("OSError: error code is 5", "OSError: error code is 6"),
    "quoted codes": ("OSError: exit code '1'", "OSError: exit code '70'"),
    "returned": ("OSError: nrt_init returned 4", "OSError: nrt_init returned 10"),
    "responses": ("OSError: <Response [401]>", "OSError: <Response [503]>"),
    "from a server": ("OSError: got 403 from server", "OSError: got 503 from server"),
    "arrows": ("OSError: status -> 4", "OSError: status -> 5"),
    "rc of a call": ("OSError: nrt_infer_rc: 4", "OSError: nrt_infer_rc: 5"),
    "NRT:n": ("OSError: NRT:1202", "OSError: NRT:1203"),
    "retval": ("OSError: retval=4", "OSError: retval=5"),
    "exitStatus": ("OSError: exitStatus 4", "OSError: exitStatus 5"),
    "error no.": ("OSError: error no. 4", "OSError: error no. 5"),
    "kInternal": ("OSError: kInternal(13)", "OSError: kInternal(14)"),
    "NeuronError": ("OSError: NeuronError(4)", "OSError: NeuronError(5)"),
    "data types": ("RuntimeError: got torch.float32", "RuntimeError: got torch.float16"),
    "dimensions": ("RuntimeError: differ at dimension 1", "RuntimeError: differ at dimension 3"),
}


@pytest.mark.parametrize("what", OTHER)
def test_what_names_a_cause_counts(what: str) -> None:
    one, other = OTHER[what]
    assert of(one) != of(other)


def test_the_name_of_the_model_does_not_count() -> None:
    frames = [MODEL.format(name, 3, "self.padding_idx = config.pad_token_id") for name in ("exaone4", "stable_lm")]
    texts = ("'Exaone4Config' object has no attribute 'pad'", "'StableLmConfig' object has no attribute 'pad'")
    found = {of(f"AttributeError: {text}", frame) for text, frame in zip(texts, frames, strict=True)}
    assert found == {"AttributeError: '<model>Config' object has no attribute 'pad'"}
    assert of("OSError: no 'acme/tern-1b' here, nor tern-1b.") == "OSError: no '<model>' here, nor <model>."


def test_a_class_that_only_begins_with_a_short_word_is_no_model() -> None:
    assert of("ValueError: Classify failed", MODEL.format("class", 3, "x()")) == "ValueError: Classify failed"


def test_a_message_that_says_nothing_of_its_place_gets_it() -> None:
    one = of("IndexError: list index out of range", MODEL.format("bamba", 176, "layers[0]"))
    other = of("IndexError: list index out of range", MODEL.format("jamba", 3, "layers[0]"))
    third = of("IndexError: list index out of range", MODEL.format("jamba", 3, "heads[0]"))
    assert one == other == "IndexError: list index out of range in layers[<n>]"
    assert third != one
    assert of("StopIteration", MODEL.format("zamba2", 3, "next(layers)")) == "StopIteration in next(layers)"


def test_the_place_is_the_model_s_code_and_not_that_of_the_library_below() -> None:
    text = "RuntimeError: mat1 and mat2 shapes cannot be multiplied (8x512 and 64x64)"
    assert of(text, MODEL.format("helium", 3, "self.o_proj(x)"), TORCH).endswith(" in self.o_proj(x)")


def test_the_root_counts_and_not_what_it_was_raised_again_as() -> None:
    cause = "\nThe above exception was the direct cause of the following exception:\n\n"
    first = f"Traceback (most recent call last):\nValueError: 14 heads\n{cause}"
    assert of("WrappedError: it failed", before=first) == "ValueError: <n> heads"


def test_a_code_on_a_line_before_counts_with_the_exception() -> None:
    text = of("subprocess.CalledProcessError: died", before="[F137] neuronx-cc was forcibly killed\n")
    assert text == "subprocess.CalledProcessError: [F137] neuronx-cc was forcibly killed"


def test_the_type_of_an_exception_is_no_model_whatever_a_model_is_called() -> None:
    found = {
        text_of(f"{kind}: bad thing\n", f"e/{kind[:-5].lower()}") for kind in ("ValueError", "KeyError", "TypeError")
    }
    assert len(found) == 3
    frames = [MODEL.format("type", 3, "x()"), MODEL.format("value", 3, "x()")]
    assert of("TypeError: x", frames[0]) != of("ValueError: x", frames[1])
    assert text_of("ValueError: mix the tensors\n", "a/the") == "ValueError: mix the tensors"


def test_a_code_far_behind_is_kept() -> None:
    long = "x y " * 110
    assert of(f"RuntimeError: {long} NCC_EVRF001 sort") != of(f"RuntimeError: {long} NCC_EOOM002 memory")


def test_roots_of_other_types_under_one_code_are_apart() -> None:
    cause = "\nThe above exception was the direct cause of the following exception:\n\n"
    roots = (f"Traceback (most recent call last):\n{root}\n{cause}" for root in ("ValueError: bad", "OSError: full"))
    assert len({of("RuntimeError: nrt_load status=4", before=root) for root in roots}) == 2


BARE = "Traceback (most recent call last):\n"


@pytest.mark.parametrize("log", ["", " ", "\x1b[31m", "\r", "\n" * 300, BARE, f'{BARE}  File "x", line 3, in f\n'])
def test_where_no_cause_is_told_there_is_no_signature(log: str) -> None:
    assert signature(failure_in(log.encode()), "acme/tern-1b") is None


def test_ranks_do_not_count() -> None:
    logs = [
        "".join(f"[rank{n}]: {line}\n" for line in ("Traceback (most recent call last):", "OSError: x")) for n in (0, 7)
    ]
    assert {text_of(log) for log in logs} == {"OSError: x"}


def test_an_address_can_be_recognised_and_holds_the_version_of_the_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = ("torch._dynamo.exc.UserError: x", "RuntimeError: [NCC_EOOM001] x", "StopIteration in next(layers)", "")
    slugs = [Signature(text).slug() for text in texts]
    assert [slug.rpartition("-")[0] for slug in slugs] == ["usererror", "ncc-eoom001", "stopiteration", "error"]
    monkeypatch.setattr("sitegen.signature.VERSION", 2)
    assert Signature(texts[0]).slug() != slugs[0]


def test_real_failures_fall_together_by_their_cause() -> None:
    found: dict[str, set[str]] = defaultdict(set)
    for file in sorted((Path(__file__).parent / "data" / "cpu").glob("*.parquet")):
        for row in pq.read_table(file, columns=["error", "model_id", "architecture"]).to_pylist():
            if row["error"]:
                text = text_of(row["error"], row["model_id"], row["architecture"])
                found[text].add(row["model_id"].rpartition("/")[2])
    for text, models in found.items():
        assert not any(model.replace("_", "") in text.lower().replace("_", "") for model in models if len(model) > 3), (
            text
        )
    assert len(found) > 8


@given(st.text(alphabet="aB1 .:/\\'\"[]x0-_=<>\x00\ue000é", max_size=80))
def test_any_text_is_normalised_once_and_for_all(text: str) -> None:
    once = normalised(text, ["ab"])
    assert len(once) <= 4 * TEXT_MAX + 200
    assert all(kept in once for kept in KEPT.findall(text.replace("\x00", "")))


@pytest.mark.parametrize("part", ["/a", "0x", "1,", "a.", "<n>, ", "1x", "-", "\\", "2026-", "[Errno "])
def test_hostile_messages_take_linear_time(part: str) -> None:
    assert len(normalised(f"ValueError: {part * 4000}")) <= 4 * TEXT_MAX
