"""Models that were renamed on the Hub: a ranking keeps their earlier ids beside the present one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Protocol

from sitegen import read, schema
from sitegen.errors import Problems
from sitegen.fetched import HUB_ID
from sitegen.progress import Progress
from sitegen.rankings import load_rankings

ASKED_MAX = 200  # ids that a fetch asks the Hub about


class Names(Protocol):
    """Who knows the names of models."""

    def id_now(self, model_id: str) -> str | None: ...


def earlier_names(
    ranked: set[str], folders: tuple[Path, Path], hub: Names, progress: Progress, turn: int
) -> tuple[dict[str, list[str]], int]:
    """The earlier ids of ranked models, by their present id, and how many ids were not looked up.

    What the snapshots in the first of the data folders knew is kept. An id of these, or of a row in either folder, that
    is not ranked now may have been renamed: the Hub leads from it to the present one. `ASKED_MAX` of them are looked
    up, those of the snapshots first; of the others each `turn`, a number that grows by one a day, takes the next.
    """
    last = folders[0]
    models = [model for ranking in load_rankings(last / "rankings", Problems()) for model in ranking.models]
    known: dict[str, dict[str, None]] = {}
    for model in models:
        if model.model_id in ranked:
            known.setdefault(model.model_id, {}).update(dict.fromkeys(model.was))
    settled = {name.casefold() for name in (*ranked, *(name for was in known.values() for name in was))}

    def open_ones(names: Iterable[str]) -> list[str]:
        return [n for n in dict.fromkeys(names) if n.casefold() not in settled and HUB_ID.fullmatch(n)]

    first = open_ones(name for model in models for name in (model.model_id, *model.was))
    others = sorted(set(open_ones(name for folder in folders for name in _row_ids(folder))) - set(first))
    start = turn * ASKED_MAX % max(1, len(others))
    unknown = [*first, *others[start:], *others[:start]]
    asked = unknown[:ASKED_MAX]
    with progress.stage("renames", len(asked) or None):
        for name in asked:
            now = hub.id_now(name)
            if now is not None and now in ranked:
                known.setdefault(now, {})[name] = None
            progress.advance()
    return {name: list(was) for name, was in known.items() if was}, len(unknown) - len(asked)


def _row_ids(folder: Path) -> Iterator[str]:
    """The model ids of all rows of a data folder; of files that cannot be read, what can be."""
    for file in read.find_files(folder, Problems()) if folder.is_dir() else ():
        parquet = read.open_file(file, Problems())
        if parquet is None:
            continue
        try:
            for array in read.column(parquet, schema.ID):
                yield from _texts(schema.decode(schema.ID, array))
        except (ValueError, OSError, NotImplementedError):  # a build says what is wrong with it
            continue


def _texts(values: Iterable[object]) -> Iterator[str]:
    return (value for value in values if isinstance(value, str))
