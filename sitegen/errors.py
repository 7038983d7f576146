"""What can go wrong, as types.

SitegenError            a sentence for a person, and the exit code that goes with it
|- StrictNotices   (1)  notices under --strict
|- Refused         (2)  refused as asked: usage, a folder that isn't ours, another build running
|- BadInput        (3)  the input cannot be read as it is; carries all problems at once
`- Unfinished      (4)  the disk, a permission, or a fault of our own

A `Problem` is one finding about the input; `Problems` collects them through all stages, so that one build shows all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import IntEnum


class Level(IntEnum):
    """How much a problem matters: an error stops, a notice counts under --strict, an info never counts."""

    INFO = 1
    NOTICE = 2
    ERROR = 3

    @property
    def word(self) -> str:
        return self.name.lower()


@dataclass(frozen=True, order=True)
class Place:
    """Where in the input: a file as the user named it, a row counted from 1, a column. Each may be unknown."""

    file: str = ""
    row: int = 0
    column: str = ""

    def __str__(self) -> str:
        row, column = ("entry", "key") if self.file.endswith((".toml", ".json")) else ("row", "column")
        numbered = f"{row} {self.row}" if self.row else ""
        parts = [self.file, numbered, f"{column} {self.column}" if self.column else ""]
        return ", ".join(part for part in parts if part)


@dataclass(frozen=True)
class Problem:
    """One finding: what was found, what was expected and what to do; `code` is an anchor of docs/input-problems."""

    level: Level
    code: str
    place: Place
    found: str
    expected: str = ""
    hint: str = ""

    def __str__(self) -> str:
        where = f"{self.place}: " if str(self.place) else ""
        expected = f"; expected {self.expected}" if self.expected else ""
        hint = f". {self.hint}" if self.hint else ""
        return f"{self.level.word}: {where}{self.found}{expected}{hint} [{self.code}]"


LONGEST = 500  # characters of a text from the data that a message quotes


def plain(text: str) -> str:
    """The text cut to a length and without control characters, so that it cannot drive the terminal that shows it."""
    short = text if len(text) <= LONGEST else f"{text[:LONGEST]} …"
    return "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in short)


@dataclass
class Problems:
    """The problems found so far, in the order of their places."""

    found: list[Problem] = field(default_factory=list)
    mask: Callable[[str], str] = str  # what the catalogue redacts; before anything is cut

    def add(self, level: Level, code: str, place: Place, found: str, *, expected: str = "", hint: str = "") -> None:
        place = Place(self._shown(place.file), place.row, self._shown(place.column))
        self.found.append(Problem(level, code, place, *map(self._shown, (found, expected, hint))))

    def _shown(self, text: str) -> str:
        return plain(self.mask(text))

    def error(self, code: str, place: Place, found: str, *, expected: str = "", hint: str = "") -> None:
        self.add(Level.ERROR, code, place, found, expected=expected, hint=hint)

    def notice(self, code: str, place: Place, found: str, *, expected: str = "", hint: str = "") -> None:
        self.add(Level.NOTICE, code, place, found, expected=expected, hint=hint)

    def info(self, code: str, place: Place, found: str, *, expected: str = "", hint: str = "") -> None:
        self.add(Level.INFO, code, place, found, expected=expected, hint=hint)

    def at(self, level: Level) -> tuple[Problem, ...]:
        return tuple(problem for problem in self if problem.level == level)

    def __iter__(self) -> Iterator[Problem]:
        return iter(sorted(self.found, key=lambda p: (p.place, -p.level, p.code, p.found)))

    def __len__(self) -> int:
        return len(self.found)


class SitegenError(Exception):
    """A sentence for the person at the terminal, or several, each on a line; never shown with a traceback."""

    exit_code = 4

    def __str__(self) -> str:
        # A line break in a name makes no line of its own, which could look like one of ours.
        return "\n".join(str(line).replace("\n", "\\x0a") for line in self.args)


class Refused(SitegenError):
    exit_code = 2


class Unfinished(SitegenError):
    exit_code = 4


class InputProblems(SitegenError):
    """Stops because of `problems`, which are all that were found."""

    def __init__(self, message: str, problems: Problems | None = None) -> None:
        super().__init__(message)
        self.problems = problems or Problems()


class BadInput(InputProblems):
    exit_code = 3


class StrictNotices(InputProblems):
    exit_code = 1
