"""An error log for display: colour codes become classes, progress bars their last state, a long log its two ends.

Lines keep the numbers that they have in `error.log`, which holds every byte.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from sitegen.ansi import Painter, after_code, plain
from sitegen.failure import Failure, failure
from sitegen.tracebacks import Frame, frame_groups

MAX_LINES, HEAD_LINES = 4000, 1000
MAX_BYTES, HEAD_BYTES = 256 * 1024, 64 * 1024
MAX_LINE = 8 * 1024  # characters of one line


@dataclass(frozen=True)
class LogLine:
    """One shown line: its number in `error.log`, and its markup."""

    number: int
    html: Markup


@dataclass(frozen=True)
class Calls:
    """Consecutive calls of a traceback, of the libraries in `packages` or of other code."""

    packages: tuple[str, ...]
    folded: bool  # calls of libraries, but for the innermost
    calls: int
    lines: tuple[LogLine, ...]


@dataclass(frozen=True)
class Step:
    """An exception of the chain for display: what it is to the one shown before it, its message, how it came about."""

    relation: str  # "cause", "context" (this one was being handled), or "" for the first
    text: str
    message: tuple[LogLine, ...]
    calls: tuple[Calls, ...]
    user_calls: tuple[Calls, ...]


@dataclass(frozen=True)
class Log:
    """A log for display; `left_out` lines stand between head and tail, or the log is whole (0)."""

    failure: Failure
    cause: tuple[LogLine, ...]  # the lines of the heading
    steps: tuple[Step, ...]
    head: tuple[LogLine, ...]
    tail: tuple[LogLine, ...]
    lines: int
    left_out: int
    cut_lines: int  # shown lines whose end is left out

    @property
    def heading(self) -> str:
        return self.failure.heading

    @property
    def quoted_ids(self) -> tuple[str, ...]:
        """The ids of the blocks that quote the log, in the order of the page."""
        ids: list[str] = []
        for n, step in enumerate(self.steps, 1):
            ids.append(f"error-{n}")
            ids += (f"error-{n}-calls-{i}" for i, _ in enumerate(step.calls, 1))
            ids += (f"error-{n}-user-{i}" for i, _ in enumerate(step.user_calls, 1))
        return tuple(ids) or ("error-1",)


def parse(data: bytes) -> Log:
    """The log in `data`, bounded in what it keeps whatever its size."""
    total = _count(data)
    head, tail, left_out = _ends(data, total)
    painter = Painter()
    head_lines, tail_lines = (
        [LogLine(n, painter.paint(_whole_or_ends(text))) for n, text in part] for part in (head, tail)
    )
    found = failure([(n, plain(_whole_or_ends(text))) for n, text in head + tail])
    by_number = {line.number: line for line in head_lines + tail_lines}
    return Log(
        found,
        tuple(by_number[n] for n in found.numbers),
        tuple(_steps(found, by_number)),
        tuple(head_lines),
        tuple(tail_lines),
        total,
        left_out,
        sum(len(text) > MAX_LINE for _, text in head + tail),
    )


def failure_in(data: bytes) -> Failure:
    """The failure alone, from the same lines as `parse`: for lists, and for finding others like it."""
    return failure_and_lines(data)[0]


def failure_and_lines(data: bytes) -> tuple[Failure, Mapping[int, str]]:
    """The failure, and by their number the lines that it was read from, without colours."""
    head, tail, _ = _ends(data, _count(data))
    lines = [(n, plain(_whole_or_ends(text))) for n, text in head + tail]
    return failure(lines), dict(lines)


def _count(data: bytes) -> int:
    """The lines of a log; blanks that a progress bar leaves at its very end are none."""
    return data.count(b"\n") + bool(_last_state(data[data.rfind(b"\n") + 1 :]))


def _steps(found: Failure, lines: Mapping[int, LogLine]) -> Iterator[Step]:
    for raised in found.chain:
        # Of an exception it is noted what it is to the later one, which stands before it here.
        yield Step(
            raised.relation,
            raised.text,
            tuple(lines[n] for n in raised.numbers),
            tuple(_calls(raised.frames, lines)),
            tuple(_calls(raised.user_frames, lines)),
        )


def _calls(frames: Sequence[Frame], lines: Mapping[int, LogLine]) -> Iterator[Calls]:
    groups = [(packages, bool(packages), group) for packages, group in frame_groups(frames[:-1])]
    groups += [(packages, False, group) for packages, group in frame_groups(frames[-1:])]
    for packages, folded, group in groups:
        yield Calls(packages, folded, len(group), tuple(lines[n] for frame in group for n in frame.numbers))


def _ends(data: bytes, total: int) -> tuple[list[tuple[int, str]], list[tuple[int, str]], int]:
    # Of a log with too many lines only those that may be shown are looked at.
    cut = total > MAX_LINES
    first = _last_states(data[: _after_lines(data, HEAD_LINES)] if cut else data)
    if not cut and len(first) <= MAX_BYTES:
        return list(enumerate(_lines(first), 1)), [], 0
    last = _last_states(data[_before_lines(data, 1 + MAX_LINES - HEAD_LINES) :]) if cut else first
    # Both ends begin and end with whole lines, but for a line that is longer than its end.
    head_bytes, tail_bytes = first[:HEAD_BYTES], last[-(MAX_BYTES - HEAD_BYTES) :]
    head = _lines(head_bytes[: head_bytes.rfind(b"\n") + 1] or head_bytes)[:HEAD_LINES]
    rest = _lines(tail_bytes[tail_bytes.find(b"\n") + 1 :] or tail_bytes)
    if total == 1:
        return [(1, head[0] + rest[0])], [], 0  # its middle is cut where it is shown
    start = max(total - min(len(rest), MAX_LINES - HEAD_LINES) + 1, len(head) + 1)
    rest = rest[-(total - start + 1) :] if total >= start else []
    tail = list(enumerate(rest, start))
    return list(enumerate(head, 1)), tail, start - 1 - len(head)


def _after_lines(data: bytes, count: int) -> int:
    """The position behind the first `count` lines."""
    position = 0
    for _ in range(count):
        position = data.find(b"\n", position) + 1
        if not position:
            return len(data)
    return position


def _before_lines(data: bytes, count: int) -> int:
    """The position of the last `count` lines."""
    position = len(data) - data.endswith(b"\n")
    for _ in range(count):
        position = data.rfind(b"\n", 0, position)
        if position < 0:
            return 0
    return position + 1


def _lines(data: bytes) -> list[str]:
    lines = data.decode("utf-8", "replace").split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def _last_states(data: bytes) -> bytes:
    """What a terminal shows of lines with carriage returns: of a progress bar, the last state."""
    if b"\r" not in data:
        return data
    return b"\n".join(map(_last_state, data.replace(b"\r\n", b"\n").split(b"\n")))


def _last_state(line: bytes) -> bytes:
    end = len(line)
    while (start := line.rfind(b"\r", 0, end)) >= 0:
        if line[start + 1 : end].strip():
            return line[start + 1 : end]
        end = start
    return line[:end] if end == len(line) or line[:end].strip() else b""


def _whole_or_ends(line: str) -> str:
    """A line that is too long without its middle; no terminal code is halved."""
    if len(line) <= MAX_LINE:
        return line
    head, tail = after_code(line, MAX_LINE // 2), after_code(line, len(line) - MAX_LINE // 2)
    return f"{line[:head]} … {line[tail:]}"
