"""Every model under every version pair: the rows of the table, its columns, and both in short for the scripts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import groupby

from sitegen import urls
from sitegen.model import Model
from sitegen.pages.parts import Status, compiler_text, library_text, status
from sitegen.pages.rows import compact_status, page_texts, place_in
from sitegen.plan import Link
from sitegen.safe import data_script
from sitegen.site import Site
from sitegen.texts import TextReader

FIELDS = "name path folder missing cells options".split()  # of a row of the data


@dataclass(frozen=True)
class PairColumn:
    """A pair: the library in words, and the pair's list. `compiler` is the head of the group above it."""

    compiler: str
    library: Link


@dataclass(frozen=True)
class CompilerGroup:
    """The pairs of one compiler version, which stand side by side."""

    compiler: str
    columns: int


@dataclass(frozen=True)
class PairCell:
    """A model under a pair; without a row there, `path` is None and the status says excluded or not tested."""

    status: Status
    path: str | None


@dataclass(frozen=True)
class ModelRow:
    id: str
    path: str
    cells: tuple[PairCell, ...]  # the newest pair first


def columns_of(site: Site) -> tuple[PairColumn, ...]:
    return tuple(
        PairColumn(compiler_text(site, pair), Link(library_text(pair), site.addresses.pair(pair)))
        for pair in site.pairs
    )


def groups_of(columns: Sequence[PairColumn]) -> tuple[CompilerGroup, ...]:
    grouped = groupby(columns, lambda column: column.compiler)
    return tuple(CompilerGroup(compiler, len([*group])) for compiler, group in grouped)


def model_rows(site: Site, part: slice) -> tuple[ModelRow, ...]:
    return tuple(
        ModelRow(model.id, site.addresses.model(model.id), tuple(_cells(site, model))) for model in site.models[part]
    )


def _cells(site: Site, model: Model) -> Iterator[PairCell]:
    missing = PairCell(status(site, model, None), None)
    for pair in site.pairs:
        result = model.by_pair.get(pair)
        yield PairCell(status(site, model, result), site.addresses.result(model.id, pair)) if result else missing


def script(site: Site, _: TextReader) -> bytes:
    """All rows. A status that many cells share stands there once; the address of a result is given in two parts."""
    here = cache(partial(urls.relative, urls.VERSIONS_DATA))
    statuses: dict[tuple[object, ...], int] = {}
    rows = [_compact(site, model, here(site.addresses.model(model.id)), statuses) for model in site.models]
    data = {
        "fields": FIELDS,
        "facets": [],
        "statuses": [page_texts(list(entry)) for entry in statuses],
        "files": [site.addresses.pair_file(pair) for pair in site.pairs],
        "rows": page_texts(rows),
    }
    return data_script("rows", data)


def _compact(site: Site, model: Model, path: str, statuses: dict[tuple[object, ...], int]) -> list[object]:
    """A row as FIELDS names its parts; a pair without a row is null."""

    def place(entry: Status) -> int:
        return place_in(statuses, compact_status(entry))

    cells = [place(status(site, model, result)) if (result := model.by_pair.get(p)) else None for p in site.pairs]
    folder = f"{path.rpartition('/')[0]}/"
    return [model.id, path, folder, place(status(site, model, None)), cells, []]
