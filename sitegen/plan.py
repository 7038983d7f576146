"""What will be written: every address is known, and claimed once, before anything is rendered."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from sitegen.errors import Unfinished
from sitegen.segments import PATH_MAX, SEGMENT_MAX
from sitegen.texts import TextReader
from sitegen.urls import NOT_FOUND, folders_above


@dataclass(frozen=True)
class Link:
    """A text that leads to a path of the site."""

    text: str
    path: str
    current: bool = False


@dataclass(frozen=True)
class Twin:
    """A file with what a page says, for programs: its media type, what it is called, and its path."""

    media: str
    text: str
    path: str


@dataclass(frozen=True)
class Head:
    """What every page says of itself. `section` is the entry of the main navigation that it belongs to."""

    path: str
    title: str
    description: str
    section: str = ""
    crumbs: tuple[Link, ...] = ()
    feeds: tuple[Link, ...] = ()  # of what the page is about
    twins: tuple[Twin, ...] = ()
    refresh: str | None = None  # the page that stands for this one now
    indexed: bool = True  # whether search engines should keep it


@dataclass(frozen=True, slots=True)
class Page:
    """An HTML page: its path, the stem of its template, who claims the path, and what makes its context."""

    path: str
    kind: str
    claimant: str
    context: Callable[[TextReader], Any]

    @property
    def relative(self) -> bool:
        """Whether its links are relative: all but those of the page that a host shows at any depth."""
        return self.path != NOT_FOUND


@dataclass(frozen=True, slots=True)
class File:
    """Any other file: its path, who claims it, and what makes its bytes."""

    path: str
    claimant: str
    content: Callable[[TextReader], bytes]


Output = Page | File


@dataclass(frozen=True)
class Plan:
    outputs: tuple[Output, ...]
    paths: frozenset[str]

    @property
    def pages(self) -> int:
        return sum(isinstance(output, Page) for output in self.outputs)


def make_plan(outputs: Sequence[Output]) -> Plan:
    """All outputs, by path. Raises Unfinished where two claim one path or a path is too long: a fault of ours."""
    claims: dict[str, list[str]] = defaultdict(list)
    for output in outputs:
        claims[output.path].append(output.claimant)
    faults = [f"{path} is claimed by {' and '.join(names)}" for path, names in claims.items() if len(names) > 1]
    faults += [f"{path} is longer than allowed" for path in claims if _too_long(path)]
    folders = {folder[:-1] for path in claims for folder in folders_above(path)}
    faults += [f"{path} is a file and a folder" for path in folders & claims.keys()]
    if faults:
        raise Unfinished("addresses: " + "; ".join(sorted(faults)[:20]))
    return Plan(tuple(sorted(outputs, key=lambda output: output.path)), frozenset(claims))


def _too_long(path: str) -> bool:
    return len(path) > PATH_MAX or any(len(part) > SEGMENT_MAX for part in path.split("/"))
