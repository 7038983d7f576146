"""A row of a list: one model with its status and facts, for the template and, in short, for the scripts."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sitegen.cells import NO_RUN, NOT_RECORDED, Cell, brief, cores, day, memory, seconds
from sitegen.model import Model, RankedModel, Result, VersionPair
from sitegen.pages.parts import Status, pair_text, status
from sitegen.plan import Link
from sitegen.safe import shown
from sitegen.site import Site


@dataclass(frozen=True)
class Row:
    """One model in a list, with its status and the facts of the headline run behind it. Numbers stand in `Cell`s."""

    rank: int | None  # in a ranking
    id: str
    path: str  # the result where there is one, else the model's page
    status: Status
    elsewhere: Link | None  # where there is no result: the latest one under another pair, or under an earlier id
    pair: Cell | None  # of the result; the number puts pairs in the order of their versions
    pair_path: str | None
    cores: Cell
    memory: Cell
    wall: Cell
    task: str | None
    tested: str | None
    downloads: Cell | None
    likes: Cell | None
    note: str | None


def row_of(site: Site, model: Model, ranked: RankedModel | None, note: str | None, pair: VersionPair | None) -> Row:
    result = model.by_pair.get(pair) if pair else model.latest
    run = result.headline if result else None
    return Row(
        rank=ranked.rank if ranked else None,
        id=model.id,
        path=_target(site, model, result),
        status=status(site, model, result),
        elsewhere=_elsewhere(site, model) if result is None else None,
        pair=Cell(pair_text(site, result.pair), len(site.pairs) - site.pairs.index(result.pair)) if result else None,
        pair_path=site.addresses.pair(result.pair) if result else None,
        cores=cores(run) if run else Cell(NO_RUN),
        memory=memory(run) if run else Cell(NO_RUN),
        wall=seconds(run) if run else Cell(NO_RUN),
        task=model.task,
        tested=day(run.tested_at) if run else None,
        downloads=_popularity(ranked.downloads) if ranked else None,
        likes=_popularity(ranked.likes) if ranked else None,
        note=note,
    )


def _target(site: Site, model: Model, result: Result | None) -> str:
    return site.addresses.result(model.id, result.pair) if result else site.addresses.model(model.id)


def _elsewhere(site: Site, model: Model) -> Link | None:
    if latest := model.latest:
        return Link(pair_text(site, latest.pair), site.addresses.result(model.id, latest.pair))
    before = (site.by_id[old] for old in site.earlier.get(model.id, ()) if old in site.by_id)
    tested = next((old for old in before if old.latest), None)
    return Link(f"under its earlier id {brief(tested.id)}", site.addresses.model(tested.id)) if tested else None


def _popularity(number: int | None) -> Cell:
    return Cell(NOT_RECORDED) if number is None else Cell(f"{number:,}", number)


def compact(row: Row, here: Callable[[str], str], places: Sequence[int]) -> list[object]:
    """What a script needs to fill in a row of the table; `static/js/list_rows.js` names the fields in the same order.

    `here` makes the links; `places` says for each facet of the list which of its options the row has.
    """
    return [
        row.rank,
        row.id,
        here(row.path),
        compact_status(row.status),
        [row.elsewhere.text, here(row.elsewhere.path)] if row.elsewhere else None,
        [row.pair.text, here(row.pair_path), row.pair.value] if row.pair and row.pair_path else None,
        compact_cell(row.cores),
        compact_cell(row.memory),
        compact_cell(row.wall),
        row.task,
        row.tested,
        compact_cell(row.downloads) if row.downloads else None,
        compact_cell(row.likes) if row.likes else None,
        row.note,
        list(places),
    ]


def page_texts(value: object) -> object:
    """The value with every text in it as a page shows it. Lists are long, and almost none has a text to change."""
    text = json.dumps(value, ensure_ascii=False)
    return value if text.isprintable() and not _CONTROL.search(text) else _page_texts(value)


_CONTROL = re.compile(r"\\[bfru]")  # as JSON writes what is no line break and no tab


def _page_texts(value: object) -> object:
    if isinstance(value, list):
        return [_page_texts(part) for part in value]
    return shown(value) if isinstance(value, str) else value


def compact_status(entry: Status) -> list[object]:
    return [
        entry.key,
        entry.label,
        entry.tone,
        entry.verification,
        entry.verification_key,
        int(entry.disagree),
        entry.reason_kind,
        entry.reason,
    ]


def place_in(table: dict[tuple[object, ...], int], value: Sequence[object]) -> int:
    """The place of a value in a table that holds what many rows share once; one that is not there yet is added."""
    return table.setdefault(tuple(value), len(table))


def compact_cell(cell: Cell) -> list[object]:
    return [cell.text, cell.value]
