"""Why a run failed, as its log says it: the exception to read first, with its causes, from the lines of one rank.

Only text is looked at, a line at a time, and every search is bounded: nothing here depends on what wrote the log.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sitegen.tracebacks import Frame, Lines, Raised, chains

SCAN_LINES = 20_000
CHAIN_MAX = 20

# What names a cause where no Python exception does: compiler and runtime codes of the Neuron stack.
CODED = re.compile(r"\[?\b(NCC_[A-Z]+\d+|NRT_[A-Z_]+)\b|\[(F\d{3})\]|\b(nrt_\w+ status=\d+)")
_SAID = re.compile(r"\bERROR\b|\bE:")
_RANK = re.compile(r"\[rank(\d{1,6})\]:[ ]?")
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
    last = {rank: found[-1] for rank, own in streams.items() if (found := chains(own))}
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
