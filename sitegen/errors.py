"""What can go wrong, as types.

SitegenError            a sentence for a person, and the exit code that goes with it
|- StrictNotices   (1)  notices under --strict
|- Refused         (2)  refused as asked: usage, a folder that isn't ours, another build running
|- BadInput        (3)  the input cannot be read as it is; carries all problems at once
`- Unfinished      (4)  the disk, a permission, or a fault of our own

A `Problem` is one finding about the input; `Problems` collects them through all stages, so that one build shows all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
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

    @property
    def inside(self) -> str:
        """Where in its file."""
        row, column = ("entry", "key") if self.file.endswith((".toml", ".json")) else ("row", "column")
        parts = f"{row} {self.row}" if self.row else "", f"{column} {self.column}" if self.column else ""
        return ", ".join(part for part in parts if part)

    def __str__(self) -> str:
        return ", ".join(part for part in (self.file, self.inside) if part)


@dataclass(frozen=True)
class Problem:
    """One finding: what was found, what was expected and what to do; `code` is an anchor of docs/input-problems.

    `accepted` is the reason for which the maintainers accept it; it then stops nothing.
    """

    level: Level
    code: str
    place: Place
    found: str
    expected: str = ""
    hint: str = ""
    accepted: str = ""

    @property
    def word(self) -> str:
        return f"accepted {self.level.word}" if self.accepted else self.level.word

    @property
    def what(self) -> str:
        """What was found, what was expected and what to do, or why nothing is done, as one line with the code."""
        expected = f"; expected {self.expected}" if self.expected else ""
        hint = f". Accepted: {self.accepted}" if self.accepted else f". {self.hint}" if self.hint else ""
        return f"{self.found}{expected}{hint} [{self.code}]"

    def __str__(self) -> str:
        where = f"{self.place}: " if str(self.place) else ""
        return f"{self.word}: {where}{self.what}"


@dataclass(frozen=True)
class Exempt:
    """Problems with this code, in this file, row and column where these are named, are accepted for this reason."""

    code: str
    file: str | None
    row: int | None
    column: str | None
    reason: str
    place: Place  # where the maintainers say so

    def covers(self, problem: Problem) -> bool:
        place = problem.place
        if place.file == self.place.file:  # what is amiss with the exceptions is none of their business
            return False
        pairs = (self.code, problem.code), (self.file, place.file), (self.row, place.row), (self.column, place.column)
        return all(mine in (None, its) for mine, its in pairs)


LONGEST = 500  # characters of a text from the data that a message quotes


def plain(text: str) -> str:
    """The text cut to a length and without control characters, so that it cannot drive the terminal that shows it."""
    short = text if len(text) <= LONGEST else f"{text[:LONGEST]} …"
    line = "".join(c if c.isprintable() else _escaped(ord(c)) for c in short)
    return line.replace("##[", "##\\x5b")  # what runners of GitHub take for a command, wherever it stands


def _escaped(number: int) -> str:
    return f"\\x{number:02x}" if number < 0x100 else f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"


@dataclass
class Problems:
    """The problems found so far, in the order of their places."""

    found: list[Problem] = field(default_factory=list)
    exempt: tuple[Exempt, ...] = ()
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

    def accept(self) -> None:
        """Marks what is exempt. Of several entries that cover a problem, the first gives the reason."""
        for number, problem in enumerate(self.found):
            if reason := next((one.reason for one in self.exempt if one.covers(problem)), None):
                self.found[number] = replace(problem, accepted=self._shown(reason))

    def at(self, level: Level) -> tuple[Problem, ...]:
        """Those that nobody has accepted."""
        return tuple(problem for problem in self if problem.level == level and not problem.accepted)

    def __iter__(self) -> Iterator[Problem]:
        return iter(sorted(self.found, key=lambda p: (p.place, -p.level, p.code, p.found)))

    def __len__(self) -> int:
        return len(self.found)


SAME_MAX = 20  # problems of one kind in one file that are shown one by one


def first_of_each(problems: Iterable[Problem]) -> tuple[list[Problem], Counter[str]]:
    """The problems, of very many of one kind in one file the first ones; and how many there are beyond, by code."""
    seen: Counter[tuple[str, str]] = Counter()
    shown, beyond = [], Counter[str]()
    for problem in problems:
        seen[key := (problem.place.file, problem.code)] += 1
        if seen[key] <= SAME_MAX:
            shown.append(problem)
        else:
            beyond[problem.code] += 1
    return shown, beyond


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
