"""What a catalogue never publishes: texts that match its patterns, replaced before anything else is done with a row.

The patterns are the maintainers' own, but the texts are anybody's: a pattern that some text could make slow is refused.
So no repetition is without end, and the ways in which a pattern can match at one place are few. The time that a text
takes then grows with its length alone.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

NAME = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?")
PATTERN_MAX = 1000  # characters
WAYS_MAX = 10_000  # in which a pattern may match at one place
_GROUP = r"\((?:\?(?:P<\w+>|P=\w+\)|#[^)]*\)|[aiLmsux]+\)|[aiLmsux]*(?:-[imsx]+)?:|<?[=!]|>|\(\w+\)))?"
_CLASS = r"\[\^?\]?(?:\\.|[^\]\\])*\]"
_TOKEN = re.compile(rf"\\.|{_CLASS}|{_GROUP}|(?P<times>(?:[*+?]|\{{\d*,\d*\}}|\{{\d+\}})[?+]?)|.", re.DOTALL)


@dataclass(frozen=True)
class Redaction:
    """Patterns by the name that stands in the place of what they match; none where a catalogue sets none."""

    patterns: tuple[tuple[str, re.Pattern[str]], ...] = ()

    def __bool__(self) -> bool:
        return bool(self.patterns)

    def __call__(self, text: str) -> str:
        return self.count(text)[0] if self.patterns else text

    def count(self, text: str) -> tuple[str, int]:
        """The text with `[redacted: name]` in each place, and the number of places."""
        places = 0
        for name, pattern in self.patterns:
            text, found = pattern.subn(standing_for(name), text)
            places += found
        return text, places

    def bytes(self, data: bytes) -> tuple[bytes, int]:
        """The same for UTF-8; bytes that are none stay as they are."""
        text, places = self.count(data.decode("utf-8", "surrogateescape"))
        return (text.encode("utf-8", "surrogateescape"), places) if places else (data, 0)

    def value(self, value: Any, places: Counter[str], column: str) -> Any:
        """The same for every text in a value that JSON can hold, names of fields too; places are added up by column."""
        if isinstance(value, str):
            value, found = self.count(value)
            places[column] += found
            return value
        if isinstance(value, dict):
            inside = [[self.value(k, places, column), self.value(v, places, column)] for k, v in value.items()]
            made = dict(inside)
            return made if len(made) == len(inside) else inside  # two names that read alike now: pairs keep both
        return [self.value(v, places, column) for v in value] if isinstance(value, list) else value

    def matching(self, text: str) -> str | None:
        """The name of the first pattern that matches in a text."""
        return next((name for name, pattern in self.patterns if pattern.search(text)), None)


def standing_for(name: str) -> str:
    return f"[redacted: {name}]"


def redaction_of(table: Mapping[str, Any]) -> tuple[Redaction, list[tuple[str, str]]]:
    """The patterns of a table, and for each name that cannot be used why, as the end of a sentence."""
    patterns: list[tuple[str, re.Pattern[str]]] = []
    faults: list[tuple[str, str]] = []
    for name, text in table.items():
        try:
            patterns.append((name, _compiled(name, text)))
        except ValueError as error:
            faults.append((name, str(error)))
    for name, pattern in patterns:
        if other := next((other for other, _ in patterns if pattern.search(standing_for(other))), None):
            faults.append((name, f"it matches what stands in the place of a text: {standing_for(other)}"))
    return Redaction(tuple(patterns)), faults


def _compiled(name: str, text: Any) -> re.Pattern[str]:
    """Raises ValueError with the end of a sentence."""
    if not NAME.fullmatch(name):
        raise ValueError("a name that is not of lower-case letters, digits and hyphens, at most 40")
    if not isinstance(text, str):
        raise ValueError(f"found {text!r}")
    if len(text) > PATTERN_MAX:
        raise ValueError(f"found {len(text):,} characters; {PATTERN_MAX:,} are allowed")
    try:
        pattern = re.compile(text)
    except (re.error, OverflowError, RecursionError) as error:
        raise ValueError(f"found {text!r}, which is no pattern: {error}") from None
    if re.search(r"\(\?[a-wyz]*x", text):
        raise ValueError(f"found {text!r}; patterns with comments, (?x), are not read")
    if any(not found[0] for probe in ("", "a b: /1\n") for found in pattern.finditer(probe)):
        raise ValueError(f"found {text!r}, which matches an empty text")
    ways = ways_of(text)
    if ways is None:
        raise ValueError(f"found {text!r}, in which a repetition has no end; {{1,200}} has one, + and * have none")
    if ways > WAYS_MAX:
        raise ValueError(f"found {text!r}, which can match at one place in {ways:,} ways; {WAYS_MAX:,} are allowed")
    return pattern


def ways_of(pattern: str) -> int | None:
    """In how many ways a valid pattern can match at one place, at most; None where a repetition has no end."""
    open_: list[list[int]] = [[1]]  # of each open group, and of the whole, the ways of its alternatives
    last = 1  # of what a repetition would repeat
    for token in _TOKEN.finditer(pattern):
        text = token[0]
        if token["times"]:
            low, high = _times(text)
            if high is None or high > WAYS_MAX:
                return None
            repeated = min(last, WAYS_MAX + 1) ** min(high, 20 if last > 1 else 1) * (high - low + 1)
            open_[-1][-1] = open_[-1][-1] // last * repeated
            last = repeated
        elif text == "|":
            open_[-1].append(1)
        elif text == ")":
            last = sum(open_.pop())
            open_[-1][-1] *= last
        elif text[0] == "(" and text[-1] != ")":
            open_.append([1])
        else:
            last = 1
    return sum(open_[0])


def _times(text: str) -> tuple[int, int | None]:
    """How often at least and at most."""
    sign = text[0]
    if sign != "{":
        return (1, None) if sign == "+" else (0, None if sign == "*" else 1)
    low, comma, high = text.rstrip("?+")[1:-1].partition(",")
    if not comma:
        return int(low), int(low)
    return int(low or 0), int(high) if high else None


def counted(places: Mapping[str, int]) -> Iterator[tuple[str, int]]:
    """Columns with at least one place, by name."""
    return ((name, count) for name, count in sorted(places.items()) if count)
