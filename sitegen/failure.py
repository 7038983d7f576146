"""Why a run failed, as its log says it: the exception to read first, with its causes, from the lines of one rank.

Only text is looked at, a line at a time, and every search is bounded: nothing here depends on what wrote the log.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from sitegen.tracebacks import Frame, Lines, Raised, chains

SCAN_LINES = 20_000
CHAIN_MAX = 20
NEAR = 60  # lines before a traceback in which a code may name its cause
PREFIXES_MAX = 8
DEATH_LINES = 40
BLANK = "The recorded error is blank"

# What names a cause where no Python exception does: compiler and runtime codes of the Neuron stack.
CODED = re.compile(r"\[?\b(NCC_[A-Z]+\d+|NRT_[A-Z_]+)\b|\[(F\d{3})\]|\b(nrt_\w+ status=\d+)")
_SAID = re.compile(r"\bERROR\b|\bE:")
_RANK = re.compile(r"\[rank(\d{1,6})\]:[ ]?")
_PREFIXED = re.compile(r"(.{0,200}?\S.{0,200}?[ :|])Traceback \(most recent call last\):")
_NO_PREFIX = re.compile(r"\[rank\d+\]:[ ]?|[ |+]*(?:Exception Group )?")
_DIED = re.compile(
    r"(?:Killed|Segmentation fault|Bus error|Illegal instruction|Aborted|Terminated|Trace/breakpoint trap)"
    r"(?: \(core dumped\))?"
)
_THROWN = re.compile(r"terminate called after throwing an instance of '([^']+)'")
_WHAT = re.compile(r"[ ]*what\(\):[ ]*(.+)")
_PROCESS = re.compile(r"-- Process (\d{1,6}) terminated with the following error:")
_FIRST_RANK = re.compile(r"\s*rank\s*:\s*(\d{1,6}) \(local_rank:")
# What a launcher raises when one of its processes has failed: it names no cause.
_LAUNCHER = ("ChildFailedError", "ProcessRaisedException", "ProcessExitedException")


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
        """The exception at the root, where that is another than the heading's and the heading does not quote it."""
        if self.cause is None:
            return None
        root = self.cause.inner or self.cause.text
        return None if root in self.heading else root

    @property
    def brief(self) -> str:
        """The heading without the module of its type."""
        return (
            self.heading.removeprefix(self.chain[0].type.rpartition(".")[0]).lstrip(".") if self.chain else self.heading
        )

    @property
    def raised_in(self) -> Frame | None:
        """The innermost call to the root that tells something."""
        return next(iter(self._telling), None)

    def called_from(self, package: str | None) -> Frame | None:
        """The innermost such call in a library, or in no library, where the exception was raised further in."""
        frame = next((frame for frame in self._telling if frame.package in (package, None)), None)
        return None if frame == self.raised_in else frame

    @property
    def _telling(self) -> list[Frame]:
        """Calls to the root, the innermost first: of the model's own code where the log tells it apart."""
        frames = next(
            (r.user_frames or r.frames for r in (self.cause, *self.chain) if r and (r.user_frames or r.frames)), ()
        )
        return [frame for frame in reversed(frames) if frame.telling]

    @property
    def script_line(self) -> int | None:
        """The innermost line of `run.py` on the way to the exception."""
        frames = self.chain[0].frames if self.chain else ()
        return next((frame.line for frame in reversed(frames) if frame.in_script), None)


def failure(lines: Lines) -> Failure:
    """The failure that lines of a log tell of, bounded whatever they are."""
    lines = _unprefixed([(n, text.removeprefix("\ufeff")) for n, text in lines[-SCAN_LINES:] if text.strip()])
    streams, first = _by_rank(lines)
    last = {rank: found[-1] for rank, own in streams.items() if (found := chains(own))}
    if (death := _death(lines)) and not any(_ended(chain) for chain in last.values()):
        return Failure(death.text, death.name, death.numbers, (death,))
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
    return Failure(BLANK, None, ())


def _unprefixed(lines: Lines) -> Lines:
    """The lines without what a launcher or logger puts before each of them, as it stands before a traceback."""
    shapes: dict[str, re.Pattern[str]] = {}
    for _, text in lines:
        before = _PREFIXED.match(text) if "Traceback (" in text else None
        if before and len(shapes) < PREFIXES_MAX and not _NO_PREFIX.fullmatch(before[1]):
            shape = re.sub(r"\d+", "0", before[1])
            shapes[shape] = re.compile(re.sub("0", r"\\d+", re.escape(shape)))
    if not shapes:
        return lines
    found: list[tuple[int, str]] = []
    for number, text in lines:
        prefix = next((match for pattern in shapes.values() if (match := pattern.match(text))), None)
        found.append((number, text[prefix.end() :] if prefix else text))
    return [(number, text) for number, text in found if text.strip()]


def _death(lines: Lines) -> Raised | None:
    """What ended the process from outside of Python, where the log ends with that."""
    if not lines or not _DIED.fullmatch(lines[-1][1].strip()):
        return None
    for at in range(len(lines) - 1, max(len(lines) - DEATH_LINES, -1), -1):
        if thrown := _THROWN.match(lines[at][1]):
            what = _WHAT.match(lines[at + 1][1]) if at + 1 < len(lines) else None
            numbers = tuple(n for n, _ in lines[at:])
            return Raised(thrown[1], f"{thrown[1]}: {what[1]}" if what else thrown[1], numbers)
    number, text = lines[-1]
    return Raised(text.strip().partition(" (")[0], text.strip(), (number,))


def _ended(chain: Sequence[Raised]) -> bool:
    """Whether the exception ended the script: its traceback begins outside of every function, or it is a fatal one."""
    outermost = chain[-1].frames[0].function if chain[-1].frames else ""
    return outermost == "<module>" or chain[-1].type.startswith("Fatal Python")


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
    start = min(n for raised in chain for n in (*raised.numbers, *(frame.numbers[0] for frame in raised.frames)))
    for n, text in reversed(lines):
        if start - NEAR <= n < chain[0].numbers[0] and (coded := CODED.search(text)):
            return coded, n
    return None, None


def _from_code(coded: re.Match[str] | None) -> str | None:
    return coded and coded.string[coded.start() :].strip()
