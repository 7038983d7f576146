"""A row of a comparison: one model under two pairs, for the template and, in short, for the scripts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from sitegen.cells import NO_RUN, Cell, brief, cores
from sitegen.history import BUCKETS, Compared, previous
from sitegen.model import Run
from sitegen.pages.facets import FACETS, Option, options_of
from sitegen.pages.parts import Status, status
from sitegen.pages.rows import compact_cell, compact_status, place_in
from sitegen.site import Site

_NOW = ("outcome", "check", "cores", "task", "architecture", "error")  # facets of the newer result
_LABELS = {"outcome": "Outcome now", "check": "Check now", "cores": "Cores now", "error": "Error code now"}
COMPARE_FACETS = (("change", "Change"), *((key, _LABELS.get(key, label)) for key, label in FACETS if key in _NOW))
_PLACES = tuple(place for place, (key, _) in enumerate(FACETS) if key in _NOW)
# What a row of the data holds; `static/js/list_rows.js` reads the rows by these names.
FIELDS = "name path change before beforePath status nowPath cores coresBefore task options".split()


@dataclass(frozen=True)
class CompareRow:
    """One model under two pairs. `notes` says what differs between the two runs beside the pair."""

    id: str
    path: str  # the model's page
    change: str  # a bucket: its key
    label: str  # and its words
    order: int  # its place in the order of the buckets
    notes: tuple[str, ...]
    changes_path: str | None  # what changed, in full, where the newer result's page says it of these two
    before: Status
    before_path: str | None  # the result, where there is one
    now: Status
    now_path: str | None
    cores: Cell  # now
    cores_before: Cell | None  # where there was a result
    task: str | None


def options_in(site: Site, key: str, entry: Compared) -> tuple[Option, ...]:
    """What a model in the bucket `key` has in each of the COMPARE_FACETS, in their order."""
    now = options_of(site, entry.model, entry.now)
    return Option(key, BUCKETS[key]), *(now[place] for place in _PLACES)


def compare_row(site: Site, key: str, entry: Compared) -> CompareRow:
    """The row of a model in the bucket `key`."""
    model, before, now = entry.model, entry.before, entry.now
    to = partial(site.addresses.result, model.id)
    now_path = to(now.pair) if now else None
    told = now is not None and before is not None and previous(model, now) is before
    return CompareRow(
        id=model.id,
        path=site.addresses.model(model.id),
        change=key,
        label=BUCKETS[key],
        order=[*BUCKETS].index(key),
        notes=tuple(_notes(before.headline, now.headline)) if before and now else (),
        changes_path=f"{now_path}#changes" if told else None,
        before=status(site, model, before),
        before_path=to(before.pair) if before else None,
        now=status(site, model, now),
        now_path=now_path,
        cores=cores(now.headline) if now else Cell(NO_RUN),
        cores_before=cores(before.headline) if before else None,
        task=model.task,
    )


def _notes(before: Run, now: Run) -> Iterator[str]:
    """What may be the cause of a change beside the pair."""
    for name, differ, old, new in (
        ("cores", "differ", before.tp, now.tp),
        ("runner", "differs", before.runner and brief(before.runner), now.runner and brief(now.runner)),
    ):
        if old != new:
            yield f"{name} {differ}" if None not in (old, new) else f"{name} recorded in one run only"


def compact_compared(
    row: CompareRow, here: Callable[[str], str], statuses: dict[tuple[object, ...], int], places: Sequence[int]
) -> list[object]:
    """A row as FIELDS names its parts."""
    return [
        row.id,
        here(row.path),
        [row.label, row.order, row.change, list(row.notes), row.changes_path and here(row.changes_path)],
        place_in(statuses, compact_status(row.before)),
        row.before_path and here(row.before_path),
        place_in(statuses, compact_status(row.now)),
        row.now_path and here(row.now_path),
        compact_cell(row.cores),
        compact_cell(row.cores_before) if row.cores_before else None,
        row.task,
        list(places),
    ]
