"""What must be reached: each a ratio, or a count, of figures from one run; and the table of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Goal:
    """One line of the table."""

    line: str
    bound: float
    least: bool = False  # the figure must be the bound or more, not the bound or less


GOALS = {
    "hugo-off": Goal("cold, wall, against Hugo with highlighting off", 0.8),
    "eleventy": Goal("cold, wall, against Eleventy with Prism", 0.25),
    "hugo": Goal("cold, wall, against Hugo with highlighting on", 0.06),
    "copy": Goal("cold, CPU, against `cp -r` of its own output", 6),
    "distinct": Goal("every script different, wall, against Hugo with highlighting off", 1.5),
    "unchanged": Goal("nothing changed, wall, against `python -c pass`", 8),
    "changed": Goal("one of 20 files changed, CPU, against the cold build", 0.30),
    "rewritten": Goal("outputs written then, though they are as before", 0),
    "growth-cpu": Goal("CPU a page, large against small", 1.25),
    "growth-largest": Goal("largest process, large against small", 1.5),
    "memory": Goal("whole tree, MiB", 400),
    "bounds": Goal("large in one way, whole tree, MiB", 1024),
    "bounds-itself": Goal("one large value or page, or 50,000 models, whole tree, MiB", 2048),
    "search-p95": Goal("search, p95 against a bare includes() loop, the worst size", 2),
    "search-recall": Goal("search, recall against a substring scan, the worst size", 1, least=True),
    "bytes-before": Goal("bytes of search before its first use", 0),
    "bytes-names": Goal("code and names of search, brotli, KB", 60),
}


@dataclass(frozen=True)
class Reached:
    """A figure beside its goal."""

    goal: str  # a key of GOALS
    figure: float
    of: str = ""  # what it was measured on: "10,000 results"

    @property
    def reached(self) -> bool:
        goal = GOALS[self.goal]
        return self.figure >= goal.bound if goal.least else self.figure <= goal.bound

    @property
    def cells(self) -> tuple[str, str, str, str, str]:
        goal = GOALS[self.goal]
        bound = f"at {'least' if goal.least else 'most'} {goal.bound:g}"
        return goal.line, self.of, number(self.figure), bound, "yes" if self.reached else "NO"


def number(value: float) -> str:
    """Rounded as far as the bounds need; what is exact stays so."""
    if value == int(value):
        return f"{value:.0f}"
    return f"{value:.6f}" if 0.99 < value < 1 else f"{value:.3f}" if value < 1 else f"{value:.2f}"


HEAD = ("line", "measured on", "figure", "bound", "reached")


def table(found: Iterable[Reached]) -> str:
    """Markdown, its columns aligned so that a terminal shows it well too. In the order of the goals."""
    order = list(GOALS)
    rows = [HEAD, *(one.cells for one in sorted(found, key=lambda one: order.index(one.goal)))]
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEAD))]
    lines = [
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |" for row in rows
    ]
    lines.insert(1, "| " + " | ".join("-" * width for width in widths) + " |")
    return "\n".join(lines) + "\n"
