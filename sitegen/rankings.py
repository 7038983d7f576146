"""The Hub's rankings, from snapshot files `rankings/*.json` in the data folder. Gaps in a record stay gaps."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from sitegen.config import is_web_address
from sitegen.errors import Place, Problems
from sitegen.model import RankedModel, Ranking
from sitegen.runs import EXPECTED_ID, usable_id
from sitegen.schema import EPOCH, moment_of_text

T = TypeVar("T")
KINDS = ("trending", "downloads")
EXPECTED = '{"schema": 1, "ranking": "trending" or "downloads", "task", "taken_at", "source", "models": [...]}'


def load_rankings(folder: Path, problems: Problems) -> tuple[Ranking, ...]:
    """All snapshots, one for each ranking and task; of two, the newer one counts and the other is reported."""
    chosen: dict[tuple[str, str], tuple[Place, Ranking]] = {}
    for path in sorted(folder.glob("*.json")):
        place = Place(f"rankings/{path.name}")
        ranking = _load(path, place, problems) if not path.name.startswith((".", "_")) else None
        if ranking is None:
            continue
        key = ranking.kind, ranking.task.casefold()  # as its address has it
        found = sorted(
            [*([chosen[key]] if key in chosen else []), (place, ranking)], key=lambda entry: entry[1].taken_at
        )
        if len(found) == 2:
            text = f"an older snapshot of {ranking.kind} for {ranking.task}; {found[1][0].file} is used"
            problems.notice("ranking-twice", found[0][0], text, hint="Remove the older file")
        chosen[key] = found[-1]
    rankings = [ranking for _, ranking in chosen.values()]
    # Of one kind the longest first: its task is the one that a reader meets.
    return tuple(sorted(rankings, key=lambda r: (r.kind, -len(r.models), r.task)))


def _load(path: Path, place: Place, problems: Problems) -> Ranking | None:
    try:
        record = json.loads(path.read_bytes())
        found, expected = _fault(record)
    except (OSError, ValueError, RecursionError) as error:
        found = f"cannot be read: {error}" if path.exists() else "a link whose target is missing"
        expected = EXPECTED
    if found:
        problems.error("ranking-unreadable", place, found, expected=expected, hint="Fetch the rankings again")
        return None
    source = record.get("source")
    return Ranking(
        record["ranking"],
        record["task"].strip(),
        moment_of_text(record["taken_at"]) or EPOCH,
        source if isinstance(source, str) and is_web_address(source) else None,
        _models(record["models"], place, problems),
    )


def _fault(record: Any) -> tuple[str, str]:
    """What is wrong with a snapshot as a whole, and what was expected; two empty texts when nothing is."""
    if not isinstance(record, dict) or record.get("schema") != 1 or not isinstance(record.get("models"), list):
        return "not a snapshot of a ranking", EXPECTED
    kind, task, taken_at = record.get("ranking"), record.get("task"), record.get("taken_at")
    if kind not in KINDS:
        return f"ranking is {kind!r}", "trending or downloads"
    if not isinstance(task, str) or not task.strip():
        return f"task is {task!r}", "the name of a task"
    if moment_of_text(taken_at) is None:
        return f"taken_at is {taken_at!r}", "a moment as ISO 8601"
    return "", ""


def _models(records: list[Any], place: Place, problems: Problems) -> tuple[RankedModel, ...]:
    found: dict[str, RankedModel] = {}
    for rank, record in enumerate(records, 1):
        model_id = record.get("id") if isinstance(record, dict) else None
        here = Place(place.file, rank, "id")
        if not isinstance(model_id, str) or not usable_id(model_id):
            problems.error(
                "id-unusable",
                here,
                f"found {model_id!r}",
                expected=EXPECTED_ID,
                hint="Fetch the rankings again",
            )
        elif model_id in found:
            problems.notice("list-twice", here, f"{model_id} stands in the ranking twice; the first place counts")
        else:
            found[model_id] = _ranked(rank, record)
            _report_unread(found[model_id], record, here, problems)
    return tuple(found.values())


def _ranked(rank: int, record: dict[str, Any]) -> RankedModel:
    was = record.get("was")
    gated = record.get("gated")
    return RankedModel(
        rank,
        record["id"],
        _get(record, "downloads", _count),
        _get(record, "likes", _count),
        _get(record, "trending_score", _score),
        gated if isinstance(gated, str) else "yes" if gated is True else "no" if gated is False else None,
        _get(record, "last_modified", lambda v: v if isinstance(v, str) else None),
        tuple(old for old in was if usable_id(old)) if isinstance(was, list) else (),
    )


def _report_unread(model: RankedModel, record: dict[str, Any], place: Place, problems: Problems) -> None:
    """A value that is there but cannot be meant reads "not recorded", and is reported."""
    for name in ("downloads", "likes", "trending_score", "gated", "last_modified", "was"):
        value = record.get(name)
        if value is not None and value != [] and getattr(model, name) in (None, ()):
            problems.notice(
                "ranking-value", Place(place.file, place.row, name), f"found {value!r}; it reads “not recorded”"
            )


def _get(record: dict[str, Any], name: str, convert: Callable[[Any], T | None]) -> T | None:
    value = record.get(name)
    return None if value is None or isinstance(value, bool) else convert(value)


def _count(value: Any) -> int | None:
    """A whole number, also where it was written as 5200.0."""
    score = _score(value)
    return int(value) if score is not None and score >= 0 and score == int(score) else None


def _score(value: Any) -> float | None:
    try:
        return value if isinstance(value, int | float) and math.isfinite(value) else None
    except OverflowError:  # an integer beyond every float
        return None
