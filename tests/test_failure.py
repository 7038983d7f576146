"""Which exception of a log is read first, what caused it, on which rank, and what a list calls it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitegen.failure import Failure, failure
from sitegen.logs import failure_in
from sitegen.tracebacks import Raised, frame_groups

SCRIPT = '  File "/work/run.py", line {}, in main\n    main()\n'
LIBRARY = '  File "/opt/venv/lib/python3.12/site-packages/{}", line 7, in f\n    f()\n    ^^^\n'
CAUSE = "\nThe above exception was the direct cause of the following exception:\n\n"
CONTEXT = "\nDuring handling of the above exception, another exception occurred:\n\n"


def trace(last: str, *frames: str) -> str:
    return "Traceback (most recent call last):\n" + "".join(frames) + last + "\n"


def on_rank(rank: int, text: str) -> str:
    return "".join(f"[rank{rank}]: {line}\n" for line in text.splitlines())


def of(text: str) -> Failure:
    return failure(list(enumerate(text.split("\n"), 1)))


def names(found: Failure) -> list[tuple[str, str]]:
    return [(raised.relation, raised.name) for raised in found.chain]


def test_the_last_exception_comes_first_and_its_causes_follow() -> None:
    text = trace("KeyError: 'a'") + CONTEXT + trace("OSError: b") + CAUSE + trace("ValueError: c", SCRIPT.format(3))
    found = of(text)
    assert found.heading == "ValueError: c"
    assert names(found) == [("", "ValueError"), ("cause", "OSError"), ("context", "KeyError")]
    assert found.root == "OSError: b"  # what was being handled is no cause


def test_an_exception_that_stands_apart_is_no_cause() -> None:
    assert names(of(trace("KeyError: 'a'") + "more output\n" + trace("OSError: b"))) == [("", "OSError")]


@pytest.mark.parametrize(
    "last",
    [
        "torch._dynamo.exc.Unsupported: branching",
        "StopIteration",
        "torch.cuda.OutOfMemoryError: none left",
        "socket.timeout: timed out",
        "queue.Empty",
        "subprocess.CalledProcessError: 'x' died with <Signals.SIGKILL: 9>.",
        "NeuronFault: a name that does not say that it is an error",
        "KeyboardInterrupt",
    ],
)
def test_whatever_ends_a_traceback_is_its_exception(last: str) -> None:
    assert of("start\n" + trace(last, SCRIPT.format(3), LIBRARY.format("torch/a.py")) + "bye\n").heading == last


def test_a_word_with_a_colon_outside_of_a_traceback_is_no_exception() -> None:
    assert of("Loading: 3\nFinished: yes\n").chain == ()


def test_a_message_of_several_lines_is_whole_and_ends_before_what_is_logged_next() -> None:
    text = trace("RuntimeError: first", SCRIPT.format(3)) + "second\n\nthird\n2026-10-21 20:58:33 bye\n"
    assert of(text).numbers == (4, 5, 7)


def test_a_message_that_begins_on_the_next_line_is_in_the_heading() -> None:
    assert of(trace("ImportError: \nneeds timm")).heading == "ImportError: needs timm"


def test_the_model_s_own_code_is_kept_apart() -> None:
    user = "from user code:\n" + LIBRARY.format("transformers/m.py").replace("  File", "   File") + "\n"
    found = of(trace("torch._dynamo.exc.Unsupported: x\n  Explanation: y\n\n", SCRIPT.format(3)) + user + "Set TORCH\n")
    (raised,) = found.chain
    assert [frame.package for frame in raised.user_frames] == ["transformers"]
    assert [frame.package for frame in raised.frames] == [None]
    assert found.numbers == (4, 5)


def test_an_exception_quoted_in_a_message_is_the_root() -> None:
    text = trace("exc.TorchRuntimeError: fake tensor\n  Explanation: got RuntimeError('sizes differ (4, 8)')")
    assert of(text).root == "RuntimeError: sizes differ (4, 8)"


def test_frames_of_libraries_stand_together_with_their_packages() -> None:
    (raised,) = of(
        trace(
            "OSError: x",
            SCRIPT.format(3),
            LIBRARY.format("torch/a.py"),
            LIBRARY.format("transformers/b.py"),
            LIBRARY.format("torch/c.py"),
            '  File "/usr/lib/python3.12/json/decoder.py", line 3, in decode\n',
            '  File "<frozen importlib._bootstrap>", line 3, in g\n',
            '  File "/home/me/code/helper.py", line 3, in g\n',
            '  File "C:\\venv\\Lib\\site-packages\\six.py", line 3, in g\n',
        )
    ).chain
    assert [(packages, len(group)) for packages, group in frame_groups(raised.frames)] == [
        ((), 1),
        (("torch", "transformers", "Python"), 5),
        ((), 1),
        (("six",), 1),
    ]
    assert raised.frames[1].numbers == (4, 5, 6)  # with its source and the marks below it


@pytest.mark.parametrize(
    ("frames", "line"),
    [
        ([SCRIPT.format(3), SCRIPT.format(9), LIBRARY.format("torch/a.py")], 9),
        ([LIBRARY.format("torch/run.py")], None),
        (['  File "/x/run.py.bak", line 3\n'], None),
        (['  File "C:\\x\\run.py", line 4, in f\n'], 4),
        ([], None),
    ],
)
def test_the_innermost_line_of_the_script(frames: list[str], line: int | None) -> None:
    assert of(trace("OSError: x", *frames)).script_line == line


# Ranks.


def test_interleaved_ranks_are_read_apart_and_grouped_by_what_they_raised() -> None:
    logs = [on_rank(n, trace(f"ValueError: heads not divisible on {n}", SCRIPT.format(3))) for n in (1, 0, 2)]
    logs += [on_rank(3, trace("OSError: connection reset by peer", SCRIPT.format(3)))]
    mixed = "".join(line + "\n" for lines in zip(*(log.splitlines() for log in logs), strict=True) for line in lines)
    found = of(mixed)
    assert found.heading == "ValueError: heads not divisible on 1"
    assert found.rank == 1
    assert [(group.ranks, group.text) for group in found.ranks] == [
        ((0, 1, 2), "ValueError: heads not divisible on 0"),
        ((3,), "OSError: connection reset by peer"),
    ]
    (raised,) = found.chain
    assert [frame.line for frame in raised.frames] == [3]


def test_the_launcher_names_the_rank_that_failed_first_and_is_itself_no_cause() -> None:
    summary = trace("torch.distributed.elastic.multiprocessing.errors.ChildFailedError: ") + (
        "run.py FAILED\nRoot Cause (first observed failure):\n[0]:\n  rank      : 2 (local_rank: 2)\n"
    )
    text = on_rank(1, trace("OSError: broken pipe")) + on_rank(2, trace("ValueError: the cause")) + summary
    assert (of(text).heading, of(text).rank) == ("ValueError: the cause", 2)


def test_without_another_exception_the_launcher_s_is_shown() -> None:
    assert of(trace("a.ChildFailedError: run.py FAILED")).heading == "a.ChildFailedError: run.py FAILED"


def test_a_process_that_ended_is_a_rank() -> None:
    text = trace("torch.multiprocessing.spawn.ProcessRaisedException: \n") + (
        "-- Process 3 terminated with the following error:\n" + trace("ValueError: the cause", SCRIPT.format(4))
    )
    assert (of(text).heading, of(text).rank, of(text).script_line) == ("ValueError: the cause", 3, 4)


T = trace("ValueError: real cause", SCRIPT.format(3))
HANDLED = trace("KeyError: 'handled'", SCRIPT.format(3).replace("main", "load"))
THROWN = """terminate called after throwing an instance of 'std::runtime_error'
  what():  nrt init failed
Aborted (core dumped)
"""
UNHANDLED = trace("ValueError: real cause", SCRIPT.format(3).replace("in main", "in <module>"))


@pytest.mark.parametrize(
    ("text", "heading"),
    [
        (T + "Exception ignored in: <function f>\n" + trace("ImportError: None"), "ValueError: real cause"),
        (T + "Error in atexit._run_exitfuncs:\n" + trace("OSError: at exit"), "ValueError: real cause"),
        (T + "2026-01-01 x\nFutureWarning: foo is deprecated\n", "ValueError: real cause"),
        ("UserWarning: something\nworking\nKilled\n", "Killed"),
        (HANDLED + "falling back\nKilled\n", "Killed"),
        (UNHANDLED + "Aborted (core dumped)\n", "ValueError: real cause"),
        (HANDLED + "Fatal Python error: Aborted\n\nCurrent thread 0x7f:\n", "Fatal Python error: Aborted"),
        (THROWN, "std::runtime_error: nrt init failed"),
        (trace("RuntimeError: it failed\nValueError: as it says", SCRIPT.format(3)), "RuntimeError: it failed"),
        (trace("__main__.f.<locals>.MyErr: hello", SCRIPT.format(3)), "__main__.f.<locals>.MyErr: hello"),
        (trace("error: hello", SCRIPT.format(3)), "error: hello"),
        ("\ufeffValueError: x\n", "ValueError: x"),
    ],
)  # fmt: skip
def test_common_shapes_of_logs(text: str, heading: str) -> None:
    assert of(text).heading == heading


def test_a_group_has_its_first_member_as_cause() -> None:
    text = (
        "  + Exception Group Traceback (most recent call last):\n"
        '  |   File "/work/run.py", line 3, in <module>\n'
        "  | ExceptionGroup: many (2 sub-exceptions)\n"
        "  +-+---------------- 1 ----------------\n"
        "    | Traceback (most recent call last):\n"
        '    |   File "/work/run.py", line 9, in f\n'
        "    | ValueError: one\n"
        "    +---------------- 2 ----------------\n"
        "    | OSError: two\n"
        "    +------------------------------------\n"
    )
    found = of(text)
    assert found.heading == "ExceptionGroup: many (2 sub-exceptions)"
    assert found.root == "ValueError: one"


@pytest.mark.parametrize(
    "prefix",
    [
        "(EngineCore_0 pid=77) ERROR 11-21 20:58:33 [core.py:700] ",
        "2026-10-21 20:58:33,897 - ",
        "worker-0 | ",
    ],
)
def test_what_a_logger_puts_before_every_line_does_not_count(prefix: str) -> None:
    text = "".join(f"{prefix}{line}\n" for line in T.rstrip("\n").split("\n"))
    found = of(text)
    assert (found.heading, found.script_line, found.code) == ("ValueError: real cause", 3, "ValueError")


def test_an_exception_of_another_process_has_what_it_tells_as_root() -> None:
    text = trace(
        "ray.exceptions.RayTaskError(ValueError): ray::f()\n  File x\nValueError: real cause", SCRIPT.format(3)
    )
    assert (of(text).heading, of(text).root) == (
        "ray.exceptions.RayTaskError(ValueError): ray::f()",
        "ValueError: real cause",
    )


def test_a_code_far_above_names_no_cause() -> None:
    text = "[NCC_EVRF004] warning, retried\n" + "step\n" * 3000 + T
    assert (of(text).code, of(text).numbers[0] > 3000) == ("ValueError", True)


def test_the_place_of_a_failure_is_that_of_its_root() -> None:
    inner = trace("ValueError: bad", LIBRARY.format("transformers/config.py"))
    found = of(inner + CAUSE + trace("a.WrappedError: it: ValueError: bad", LIBRARY.format("hub/wrap.py")))
    assert found.raised_in is not None
    assert found.raised_in.place == "transformers/config.py, line 7"
    assert found.root is None  # the heading says it already


# Codes.


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (trace("RuntimeError: RunNeuronCCImpl: [ERROR] [NCC_EVRF029] Operation sort is not supported"), "NCC_EVRF029"),
        (trace("RuntimeError: nrt_tensor_allocate status=4"), "nrt_tensor_allocate status=4"),
        (trace("RuntimeError: NRT_EXEC_OOB: out of bounds"), "NRT_EXEC_OOB"),
        ("[F137] neuronx-cc was forcibly killed\n" + trace("subprocess.CalledProcessError: died"), "F137"),
        (trace("OSError: [NCC_EOOM001] x") + CAUSE + trace("RuntimeError: compiling failed"), "NCC_EOOM001"),
        (trace("torch._dynamo.exc.Unsupported: x"), "Unsupported"),
        ("[NCC_EOOM001] Maximum peak HBM usage\nexit code 70\n", "NCC_EOOM001"),
        (trace("ValueError: x") + "[NCC_EOOM001] said of something later\n", "NCC_EOOM001"),
        ("tokens differ from the CPU run\n", None),
        ("", None),
    ],
)
def test_the_code_of_a_failure(text: str, code: str | None) -> None:
    assert failure_in(text.encode()).code == code


def test_the_code_survives_colours_and_progress_bars() -> None:
    assert failure_in(b"\rbar 1\rbar 2\n\x1b[31m[F137]\x1b[0m \x1b[1mkilled\x1b[0m\n").code == "F137"


def test_the_place_is_the_innermost_call_that_tells_something() -> None:
    look_up = LIBRARY.format("transformers/configuration_utils.py").replace("in f", "in __getattribute__")
    place = of(trace("AttributeError: x", SCRIPT.format(3), LIBRARY.format("transformers/m.py"), look_up)).raised_in
    assert place is not None
    assert (place.place, place.source) == ("transformers/m.py, line 7", "f()")


def test_where_it_was_called_from_is_the_innermost_call_of_the_library() -> None:
    found = of(
        trace("RuntimeError: x", SCRIPT.format(3), LIBRARY.format("transformers/m.py"), LIBRARY.format("torch/n.py"))
    )
    assert [frame and frame.place for frame in (found.raised_in, found.called_from("transformers"))] == [
        "torch/n.py, line 7",
        "transformers/m.py, line 7",
    ]
    assert found.called_from("torch") is None
    look_up = LIBRARY.format("transformers/configuration_utils.py").replace("in f", "in __getattribute__")
    deep = of(trace("AttributeError: x", LIBRARY.format("transformers/m.py"), look_up))
    assert deep.called_from("transformers") is None
    script = found.called_from("diffusers")
    assert script is not None
    assert script.in_script


# Every real failure, and whatever else.


def real_errors() -> Iterator[str]:
    for file in sorted((Path(__file__).parent / "data" / "cpu").glob("*.parquet")):
        yield from filter(None, pq.read_table(file, columns=["error"])["error"].to_pylist())


def test_every_real_failure_has_its_exception_its_call_and_its_type() -> None:
    errors = list(real_errors())
    assert len(errors) > 20
    for text in errors:
        found = of(text)
        assert found.chain, text[-500:]
        assert found.code == found.chain[0].name  # nothing of the Neuron stack took part
        assert found.script_line is not None
        assert found.heading in text.replace(":\n    ", ": ")


PIECES = st.sampled_from(
    [
        "Traceback (most recent call last):\n",
        '  File "run.py", line 3, in f\n',
        "    code()\n",
        "ValueError: x\n",
        CAUSE,
        CONTEXT,
        "from user code:\n",
        "[rank1]: ",
        "[rank2]: ",
        "-- Process 4 terminated with the following error:\n",
        "  rank : 1 (local_rank: 1)\n",
        "[F137] killed\n",
        "\n",
        "a.b.c: d",
        "text\n",
    ]
)


def lines_of(raised: Raised) -> list[int]:
    return [*raised.numbers, *(n for frame in (*raised.frames, *raised.user_frames) for n in frame.numbers)]


@settings(deadline=None)
@given(st.lists(PIECES, max_size=60))
def test_whatever_a_log_says_it_quotes_lines_that_are_there(pieces: list[str]) -> None:
    text = "".join(pieces)
    found = of(text)
    there = range(1, text.count("\n") + 2)
    quoted = [n for raised in found.chain for n in lines_of(raised)]
    assert set(quoted) | set(found.numbers) <= set(there)
    assert len(quoted) == len(set(quoted))
    assert (found.rank is None) or any(found.rank in group.ranks for group in found.ranks)


@pytest.mark.parametrize(
    "line",
    ["A." * 4000, "A" * 8000, "a." * 4000 + "A:", " " * 8000, "[rank1]: " * 900, '  File "' + "x" * 8000, "E1" * 4000],
)
def test_hostile_lines_take_linear_time(line: str) -> None:
    """20,000 lines of 8 KB are far beyond what a log shows; a regular expression that backtracks would not end."""
    assert of("Traceback (most recent call last):\n" + f"{line}\n" * 200).heading
