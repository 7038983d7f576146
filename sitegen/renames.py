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
    ranked: set[str], last: Path, new: Path, hub: Names, progress: Progress
) -> tuple[dict[str, list[str]], int]:
    """The earlier ids of ranked models, by their present id, and how many ids were not looked up.

    What the snapshots in the folder `last` knew is kept. An id of these, or of a row in either data folder, that is not
    ranked now may have been renamed: the Hub leads from it to the present one. `ASKED_MAX` of them are looked up, those
    of the snapshots first.
    """
    models = [model for ranking in load_rankings(last / "rankings", Problems()) for model in ranking.models]
    known: dict[str, dict[str, None]] = {}
    for model in models:
        if model.model_id in ranked:
            known.setdefault(model.model_id, {}).update(dict.fromkeys(model.was))
    settled = {name.casefold() for name in (*ranked, *(name for was in known.values() for name in was))}
    names = dict.fromkeys([*(name for m in models for name in (m.model_id, *m.was)), *_row_ids(new), *_row_ids(last)])
    unknown = [name for name in names if name.casefold() not in settled and HUB_ID.fullmatch(name)]
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
