"""Two scripts as a unified diff for display: the hunks of `difflib`, highlighted, with the words that differ marked."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import chain

from markupsafe import Markup, escape

from sitegen.highlight import python_code, source_lines
from sitegen.safe import marked

CONTEXT = 3  # lines around a change, as `difflib.unified_diff` has them
# Comparing takes time with the number of pairs of equal lines; beyond this many it could take minutes.
PAIRS_MAX = 200_000
LINES_MAX = 20_000
WORDS_MAX = 400  # characters of a line in which words are compared
# Of a line, and of all lines of a diff: pairs of equal words. Beyond, lines stand without marks.
LINE_PAIRS_MAX, WORD_PAIRS_MAX = 2_000, 100_000
_WORD = re.compile(r"\w+|\s+|[^\w\s]")


@dataclass(frozen=True)
class DiffLine:
    """One line: `kind` is a blank, `-` or `+`; the numbers are those in the old and in the new script."""

    kind: str
    old: int | None
    new: int | None
    html: Markup


@dataclass(frozen=True)
class Hunk:
    header: str  # "@@ -1,7 +1,8 @@"
    lines: tuple[DiffLine, ...]


@dataclass(frozen=True)
class Diff:
    """The hunks, none where the scripts are equal; `too_much` says why two that differ are not compared."""

    hunks: tuple[Hunk, ...]
    added: int = 0
    removed: int = 0
    too_much: str | None = None


def diff(old: str, new: str) -> Diff:
    """What differs between two scripts, line by line as a page shows them."""
    a, b = source_lines(old), source_lines(new)
    if a == b:
        return Diff(())
    if reason := _too_much(a, b):
        return Diff((), too_much=reason)
    return _compared(_Side(a, python_code(old).lines), _Side(b, python_code(new).lines), CONTEXT)


def diff_lines(old: list[str], new: list[str]) -> Diff:
    """What differs between a few lines of text, shown whole and not highlighted."""
    if old == new:
        return Diff(())
    if reason := _too_much(old, new):
        return Diff((), too_much=reason)
    return _compared(_Side(old), _Side(new), len(old) + len(new))


def _compared(before: _Side, after: _Side, context: int) -> Diff:
    groups = SequenceMatcher(None, before.lines, after.lines).get_grouped_opcodes(context)
    words = _Words()
    hunks = tuple(_hunk(group, before, after, words) for group in groups)
    kinds = Counter(line.kind for hunk in hunks for line in hunk.lines)
    return Diff(hunks, kinds["+"], kinds["-"])


def _too_much(a: list[str], b: list[str]) -> str | None:
    if max(len(a), len(b)) > LINES_MAX:
        return f"one of them has more than {LINES_MAX:,} lines"
    counts = Counter(b)
    if sum(counts[line] for line in a) > PAIRS_MAX:
        return "too many of their lines are equal to each other"
    return None


@dataclass(frozen=True)
class _Side:
    """One of the two texts: its lines, and how a page shows the first of them where that is not plain."""

    lines: list[str]
    html: tuple[Markup, ...] = ()

    def line(self, number: int, ranges: list[tuple[int, int]]) -> Markup:
        """A line, from 0; those that the page of the script does not show are plain."""
        html = self.html[number] if number < len(self.html) else escape(self.lines[number])
        return marked(html, ranges) if ranges else html


Opcode = tuple[str, int, int, int, int]


def _hunk(group: list[Opcode], before: _Side, after: _Side, words: _Words) -> Hunk:
    first, last = group[0], group[-1]
    header = f"@@ -{_range(first[1], last[2])} +{_range(first[3], last[4])} @@"
    return Hunk(header, tuple(chain.from_iterable(_lines(opcode, before, after, words) for opcode in group)))


def _range(start: int, stop: int) -> str:
    """As in a unified diff: lines from 1, the count left out where it is 1, the line before where there are none."""
    length = stop - start
    if length == 1:
        return str(start + 1)
    return f"{start + (length > 0)},{length}"


def _lines(opcode: Opcode, before: _Side, after: _Side, words: _Words) -> Iterator[DiffLine]:
    tag, a, a_end, b, b_end = opcode
    if tag == "equal":
        for i in range(a_end - a):
            yield DiffLine(" ", a + i + 1, b + i + 1, before.line(a + i, []))
        return
    both = [words.ranges(before.lines[a + i], after.lines[b + i]) for i in range(min(a_end - a, b_end - b))]
    none: tuple[list[tuple[int, int]], list[tuple[int, int]]] = ([], [])
    for i in range(a_end - a):
        yield DiffLine("-", a + i + 1, None, before.line(a + i, (both[i] if i < len(both) else none)[0]))
    for i in range(b_end - b):
        yield DiffLine("+", None, b + i + 1, after.line(b + i, (both[i] if i < len(both) else none)[1]))


class _Words:
    """Compares the words of lines, as long as one diff may take."""

    def __init__(self) -> None:
        self.left = WORD_PAIRS_MAX

    def ranges(self, old: str, new: str) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
        """The ranges of characters that differ, in each of two lines; none where they have little in common."""
        found: tuple[list[tuple[int, int]], list[tuple[int, int]]] = ([], [])
        a, b = (_WORD.findall(line) if len(line) <= WORDS_MAX else [] for line in (old, new))
        counts = Counter(b)
        pairs = len(a) + len(b) + sum(counts[word] for word in a)
        self.left -= pairs
        if pairs > LINE_PAIRS_MAX or self.left < 0:
            return found
        matcher = SequenceMatcher(None, a, b, autojunk=False)
        if matcher.ratio() < 0.5:
            return found
        for tag, i, i_end, j, j_end in matcher.get_opcodes():
            if tag != "equal":
                for side, words, start, stop in ((0, a, i, i_end), (1, b, j, j_end)):
                    if stop > start:
                        at = len("".join(words[:start]))
                        found[side].append((at, at + len("".join(words[start:stop]))))
        return found
