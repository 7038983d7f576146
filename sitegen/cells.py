"""Values in words: what is not recorded reads so, and never as 0 or a dash."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from sitegen.model import Run

NOT_RECORDED = "not recorded"
NO_RUN = "no run"  # in the cells of a model without a row: there is nothing that could have been recorded


@dataclass(frozen=True)
class Cell:
    """A value in words and, for sorting, as a number; `None` where it is not recorded."""

    text: str
    value: float | None = None

    @property
    def plain(self) -> str:
        """The number as scripts write it: no decimal point on whole ones."""
        value = self.value
        return "" if value is None else str(int(value) if value == int(value) else value)

    @property
    def absent(self) -> bool:
        return self.text in (NOT_RECORDED, NO_RUN)


BRIEF_MAX = 200  # characters of a value that stands in many places, such as a version


def brief(text: str, limit: int = BRIEF_MAX) -> str:
    """The text, cut where it is longer than any true value: the raw row has it whole."""
    return text if len(text) <= limit else f"{text[:limit]} …"


def count(number: int, one: str, many: str | None = None) -> str:
    """`1 model`, `2 models`, `1,024 models`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def redacted(run: Run) -> str | None:
    """What the catalogue's setting left out of a run: `error (2 places), notes (1 place)`; None where it is whole."""
    return ", ".join(f"{name} ({count(places, 'place')})" for name, places in run.redacted) or None


def number_text(value: float) -> str:
    """The number as recorded: no digits added, none left out, no decimal point on whole ones."""
    return str(int(value)) if value == int(value) and abs(value) < 1e16 else repr(value)


def cores(run: Run | None) -> Cell:
    return Cell(NOT_RECORDED) if run is None or run.tp is None else Cell(str(run.tp), run.tp)


def seconds(run: Run | None) -> Cell:
    return Cell(NOT_RECORDED) if run is None or run.wall_s is None else Cell(f"{run.wall_s:,} s", run.wall_s)


def memory(run: Run | None) -> Cell:
    """Peak of capacity, as recorded: the unit is the column's, GB or GiB is not stated."""
    if run is None or run.hbm_peak_gb is None:
        return Cell(NOT_RECORDED)
    return Cell(f"{number_text(run.hbm_peak_gb)} GB", run.hbm_peak_gb)


def capacity(run: Run) -> Cell:
    """Of the memory that `memory` is a part of, as recorded."""
    if run.hbm_capacity_gb is None:
        return Cell(NOT_RECORDED)
    return Cell(f"{number_text(run.hbm_capacity_gb)} GB", run.hbm_capacity_gb)


def day(moment: datetime | None) -> str:
    return NOT_RECORDED if moment is None else f"{moment.astimezone(UTC).date()}"


def minute(moment: datetime | None) -> str:
    return NOT_RECORDED if moment is None else f"{moment.astimezone(UTC).date()} {moment.astimezone(UTC):%H:%M} UTC"
