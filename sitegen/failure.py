"""Why a run failed, as its log says it: the exception to read first, with its causes, from the lines of one rank.

Only text is looked at, a line at a time, and every search is bounded: nothing here depends on what wrote the log.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

Lines = Sequence[tuple[int, str]]  # line numbers in `error.log`, and text without colours

SCAN_LINES = 20_000
MESSAGE_LINES = 40  # of one exception
CALL_LINES = 20  # of one call: where it is, its source, marks
CHAIN_MAX = 20

# What names a cause where no Python exception does: compiler and runtime codes of the Neuron stack.
CODED = re.compile(r"\[?\b(NCC_[A-Z]+\d+|NRT_[A-Z_]+)\b|\[(F\d{3})\]|\b(nrt_\w+ status=\d+)")
_SAID = re.compile(r"\bERROR\b|\bE:")
_RANK = re.compile(r"\[rank(\d{1,6})\]:[ ]?")
_TRACEBACK = re.compile(r"([ ]*)Traceback \(most recent call last\):")
_FRAME = re.compile(r'[ ]+File "([^"]+)", line (\d{1,9})(?:, in (.+))?')
# The line that ends a traceback: the exception's type, in whatever module, and its message.
_ENDS = re.compile(r"((?:[A-Za-z_]\w*\.)*[A-Z]\w*|(?:[A-Za-z_]\w*\.)+\w+)(?::(?: (.*)|$)|$)")
# One without a traceback: only a name that says that it is one.
_RAISED = re.compile(
    r"((?:[A-Za-z_]\w*\.)*[A-Z]\w*(?:Error|Exception|Interrupt|Exit|Failure|Warning|Timeout))(?::(?: (.*)|$)|$)"
)
_CAUSE = "The above exception was the direct cause of the following exception:"
_CONTEXT = "During handling of the above exception, another exception occurred:"
_QUOTED = re.compile(r"""\bgot ([A-Z]\w*(?:Error|Exception))\((['"])(.{1,2000}?)\2\)""")
_USER_CODE = "from user code:"
_PROCESS = re.compile(r"-- Process (\d{1,6}) terminated with the following error:")
_FIRST_RANK = re.compile(r"\s*rank\s*:\s*(\d{1,6}) \(local_rank:")
_LOGGED = re.compile(r"\[?(?:[A-Z]\d{4} |\d{4}-|(?:DEBUG|INFO|WARNING|ERROR|CRITICAL)\b)|Set TORCHDYNAMO_VERBOSE")
# What a launcher raises when one of its processes has failed: it names no cause.
_LAUNCHER = ("ChildFailedError", "ProcessRaisedException", "ProcessExitedException")
_PACKAGES = re.compile(r"[/\\](?:site|dist)-packages[/\\]")
_PYTHON = re.compile(r"[/\\]lib(?:64)?[/\\]python3[^/\\]*[/\\]|<frozen ")


@dataclass(frozen=True)
class Frame:
    """One call of a traceback. `numbers` are its lines in the log; `package` is the library that it lies in."""

    path: str
    line: int
    function: str
    numbers: tuple[int, ...]
    source: str = ""  # the code there, where the traceback shows it

    @property
    def package(self) -> str | None:
        if _PACKAGES.search(self.path):
            return re.split(r"[/\\]", _PACKAGES.split(self.path)[-1])[0].removesuffix(".py")
        return "Python" if _PYTHON.search(self.path) else None

    @property
    def telling(self) -> bool:
        """Whether it says more than that an attribute was looked up."""
        return self.function not in ("__getattr__", "__getattribute__")

    @property
    def place(self) -> str:
        """Where it is: the path inside of the library's folder, else the whole path, and the line."""
        return f"{_PACKAGES.split(self.path)[-1]}, line {self.line}"

    @property
    def in_script(self) -> bool:
        """Whether it lies in the `run.py` of the row: of another file with that name a log does not tell it apart."""
        return self.package is None and re.split(r"[/\\]", self.path)[-1] == "run.py"


@dataclass(frozen=True)
class Raised:
    """An exception: its type, the first line of its message, its lines in the log, and the calls that led to it.

    `inner` is an exception that its message quotes. `relation` is to the exception that follows it in time: `cause`,
    or `context` (raised while this one was handled).
    """

    type: str
    text: str
    numbers: tuple[int, ...]
    frames: tuple[Frame, ...] = ()
    user_frames: tuple[Frame, ...] = ()  # the model's own code, where a compiler reports it apart
    inner: str | None = None
    relation: str = ""

    @property
    def name(self) -> str:
        return self.type.rpartition(".")[2]


@dataclass(frozen=True)
class RankGroup:
    """Ranks whose last exception is the same but for numbers."""

    ranks: tuple[int, ...]
    text: str
    number: int  # the line where the first of them raised it


@dataclass(frozen=True)
class Failure:
    """What a log says of a failure. `chain` begins with the exception to read first, its causes behind it."""

    heading: str
    code: str | None
    numbers: tuple[int, ...]  # the lines of the heading
    chain: tuple[Raised, ...] = ()
    rank: int | None = None  # the one whose exception it is
    ranks: tuple[RankGroup, ...] = ()
    coded: str | None = None  # what a line says from the code on, where it holds a code of compiler or runtime

    @property
    def cause(self) -> Raised | None:
        """The exception at the root: the first of the chain of causes, which is its last here."""
        found = self.chain[0] if self.chain else None
        for raised in self.chain[1:]:
            if raised.relation != "cause":
                break
            found = raised
        return found

    @property
    def root(self) -> str | None:
        """The exception at the root, where that is another than the heading's."""
        if self.cause is None:
            return None
        root = self.cause.inner or self.cause.text
        return None if root == self.heading else root

    @property
    def raised_in(self) -> Frame | None:
        """The innermost call that tells something."""
        return self._innermost(lambda frame: frame.function not in ("__getattr__", "__getattribute__"))

    def called_from(self, package: str | None) -> Frame | None:
        """The innermost call in a library, or in no library, where the exception was raised further in."""
        frame = self._innermost(lambda frame: frame.package in (package, None))
        return None if frame == self.raised_in else frame

    def _innermost(self, test: Callable[[Frame], bool]) -> Frame | None:
        """Of the model's own code where the log tells it apart, else of all."""
        frames = (self.chain[0].user_frames or self.chain[0].frames) if self.chain else ()
        return next(filter(test, reversed(frames)), None)

    @property
    def script_line(self) -> int | None:
        """The innermost line of `run.py` on the way to the exception."""
        frames = self.chain[0].frames if self.chain else ()
        return next((frame.line for frame in reversed(frames) if frame.in_script), None)


def failure(lines: Lines) -> Failure:
    """The failure that lines of a log tell of, bounded whatever they are."""
    lines = [(n, text) for n, text in lines[-SCAN_LINES:] if text.strip()]
    streams, first = _by_rank(lines)
    last = {rank: chains[-1] for rank, own in streams.items() if (chains := _chains(own))}
    if not last:
        return _without_exception(lines)
    rank = _first_to_fail(last, first)
    chain = tuple(reversed(last[rank][-CHAIN_MAX:]))
    texts = dict(streams[rank])
    coded, number = _coded(chain, texts, lines)
    numbers = chain[0].numbers if number is None else (number, *chain[0].numbers)
    code = _name_of(coded) if coded else chain[0].name
    return Failure(chain[0].text, code, numbers, chain, rank, _groups(last, rank), _from_code(coded))


def _without_exception(lines: Lines) -> Failure:
    for n, text in reversed(lines):
        coded = CODED.search(text)
        if coded or _SAID.search(text):
            return Failure(text.strip(), coded and _name_of(coded), (n,), coded=_from_code(coded))
    if lines:
        return Failure(lines[-1][1].strip(), None, (lines[-1][0],))
    return Failure("The recorded error is blank", None, ())


def _name_of(coded: re.Match[str]) -> str:
    return str(coded[coded.lastindex or 0])


def _by_rank(lines: Lines) -> tuple[dict[int | None, list[tuple[int, str]]], int | None]:
    """The lines of each rank without its prefix, those without one under None; and the rank that failed first.

    The launcher names that rank. A process that reports for another one (`-- Process 3 terminated`) is that rank.
    """
    streams: dict[int | None, list[tuple[int, str]]] = {}
    first = process = None
    for n, text in lines:
        if ended := _PROCESS.match(text):
            process = int(ended[1])
            continue
        if launcher := _FIRST_RANK.match(text):
            first = int(launcher[1]) if first is None else first
        prefix = _RANK.match(text)
        rank = int(prefix[1]) if prefix else process
        streams.setdefault(rank, []).append((n, text[prefix.end() :] if prefix else text))
    return {rank: own for rank, own in streams.items() if any(text.strip() for _, text in own)}, first


def _first_to_fail(last: dict[int | None, list[Raised]], first: int | None) -> int | None:
    """The rank that the launcher names, else the first to raise; what a launcher raises only where nothing else is."""
    if first is not None and first in last:
        return first
    telling = [rank for rank, chain in last.items() if chain[-1].name not in _LAUNCHER] or list(last)
    ranked = [rank for rank in telling if rank is not None] or telling
    return min(ranked, key=lambda rank: last[rank][-1].numbers[0])


def _groups(last: dict[int | None, list[Raised]], chosen: int | None) -> tuple[RankGroup, ...]:
    """Ranks by what they raised, the chosen one's group first; none where the log has no ranks."""
    found: dict[str, list[int]] = {}
    for rank in sorted(rank for rank in last if rank is not None):
        found.setdefault(re.sub(r"\d+", "#", last[rank][-1].text), []).append(rank)
    groups = [
        RankGroup(tuple(ranks), last[ranks[0]][-1].text, min(last[rank][-1].numbers[0] for rank in ranks))
        for ranks in found.values()
    ]
    return tuple(sorted(groups, key=lambda group: (chosen not in group.ranks, group.number)))


def _coded(chain: Sequence[Raised], texts: dict[int, str], lines: Lines) -> tuple[re.Match[str] | None, int | None]:
    """The code in the exception or its causes; else the nearest before it, with the number of its line."""
    for raised in chain:
        for n in raised.numbers:
            if coded := CODED.search(texts[n]):
                return coded, None
    for n, text in reversed(lines):
        if n < chain[0].numbers[0] and (coded := CODED.search(text)):
            return coded, n
    return None, None


def _from_code(coded: re.Match[str] | None) -> str | None:
    return coded and coded.string[coded.start() :].strip()


# Reading one rank's lines.


def _chains(lines: Lines) -> list[list[Raised]]:
    """Every chain of exceptions, each in the order in which they were raised."""
    chains: list[list[Raised]] = []
    reader = _Reader(lines)
    relation = ""
    while (found := reader.next()) is not None:
        if isinstance(found, str):
            relation = found
            continue
        if relation and chains:
            chains[-1][-1] = replace(chains[-1][-1], relation=relation)
            chains[-1].append(found)
        else:
            chains.append([found])
        relation = ""
    return chains


@dataclass
class _Reader:
    """Goes through the lines of one rank once."""

    lines: Lines
    at: int = 0

    def next(self) -> Raised | str | None:
        """The next exception, or the relation (`cause`, `context`) to the one that follows; None at the end."""
        while self.at < len(self.lines):
            _, text = self.lines[self.at]
            if begins := _TRACEBACK.match(text):
                self.at += 1
                if raised := self._traceback(begins[1]):
                    return raised
            elif text.strip() in (_CAUSE, _CONTEXT):
                self.at += 1
                return "cause" if text.strip() == _CAUSE else "context"
            elif ends := _RAISED.match(text):
                return self._raised(ends, "", ())
            else:
                self.at += 1
        return None

    def _traceback(self, indent: str) -> Raised | None:
        """The calls, then the exception; None where another traceback begins or the lines end before it."""
        frames: list[Frame] = []
        while self.at < len(self.lines):
            number, text = self.lines[self.at]
            if _TRACEBACK.match(text):
                return None
            if text.startswith(f"{indent} "):
                _add_call(frames, number, text)
            elif ends := _ENDS.fullmatch(text[len(indent) :]):
                return self._raised(ends, indent, tuple(frames))
            self.at += 1
        return None

    def _raised(self, ends: re.Match[str], indent: str, frames: tuple[Frame, ...]) -> Raised:
        """The exception at this line with the rest of its message."""
        numbers = [self.lines[self.at][0]]
        rest: list[str] = []
        self.at += 1
        while self.at < len(self.lines) and self._goes_on(indent):
            number, text = self.lines[self.at]
            if len(numbers) < MESSAGE_LINES:
                numbers.append(number)
                rest.append(text.strip())
            self.at += 1
        text = ends[0].strip()
        if text.endswith(":") and rest:
            text += f" {rest[0]}"
        inner = next((f"{got[1]}: {got[3]}" for line in rest if (got := _QUOTED.search(line))), None)
        return Raised(ends[1], text, tuple(numbers), frames, self._user_frames(), inner)

    def _goes_on(self, indent: str) -> bool:
        """Whether this line still belongs to a message. Blank lines are gone already: what may follow decides."""
        text = self.lines[self.at][1]
        told = text[len(indent) :] if text.startswith(indent) else None
        return told is not None and not (
            _TRACEBACK.match(text)
            or told.strip() in (_CAUSE, _CONTEXT, _USER_CODE)
            or _LOGGED.match(told)
            or _RAISED.match(told)
        )

    def _user_frames(self) -> tuple[Frame, ...]:
        frames: list[Frame] = []
        if self.at < len(self.lines) and self.lines[self.at][1].strip() == _USER_CODE:
            self.at += 1
            while self.at < len(self.lines) and (text := self.lines[self.at][1]).startswith(" "):
                _add_call(frames, self.lines[self.at][0], text)
                self.at += 1
        return tuple(frames)


def _add_call(frames: list[Frame], number: int, text: str) -> None:
    """A line of a traceback: a call, or the source of the last one and the marks below it."""
    if call := _FRAME.fullmatch(text):
        frames.append(Frame(call[1], int(call[2]), call[3] or "", (number,)))
    elif frames and len(frames[-1].numbers) < CALL_LINES:
        last = frames[-1]
        frames[-1] = replace(last, numbers=(*last.numbers, number), source=last.source or text.strip())


def frame_groups(frames: Iterable[Frame]) -> list[tuple[tuple[str, ...], list[Frame]]]:
    """Consecutive frames together: of libraries with the packages they lie in, of other code without any."""
    groups: list[tuple[tuple[str, ...], list[Frame]]] = []
    for frame in frames:
        if groups and bool(groups[-1][0]) == (frame.package is not None):
            packages, own = groups.pop()
            own.append(frame)
        else:
            packages, own = (), [frame]
        if frame.package is not None and frame.package not in packages:
            packages = (*packages, frame.package)
        groups.append((packages, own))
    return groups
