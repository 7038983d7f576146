"""Runs, rankings, lists and texts become one `Site`: every id joined once, every model with all its results."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from fnmatch import translate
from functools import cached_property
from math import inf

from markupsafe import Markup

from sitegen.config import Catalog, Settings
from sitegen.content import Doc, ExclusionRule, Lists
from sitegen.errors import Place, Problem, Problems
from sitegen.model import (
    Exclusion,
    Model,
    RankedModel,
    Ranking,
    Result,
    Run,
    Selected,
    SourceFile,
    VersionPair,
)
from sitegen.outcome import Outcome, Words
from sitegen.runs import Reading
from sitegen.urls import Addresses, assign


@dataclass(frozen=True)
class Texts:
    """What people wrote, as it stands on the site."""

    words: Words
    docs: tuple[Doc, ...]
    caveats: Mapping[str, Markup]
    lists: Lists


@dataclass(frozen=True)
class Site:
    """The whole catalogue, finished: facts only, large texts as references."""

    settings: Settings
    catalog: Catalog
    texts: Texts
    files: tuple[SourceFile, ...]
    pairs: tuple[VersionPair, ...]  # the highest first
    models: tuple[Model, ...]  # by id, regardless of case
    rankings: tuple[Ranking, ...]
    selected: tuple[Selected, ...]
    addresses: Addresses
    problems: tuple[Problem, ...]  # what the data page shows

    @cached_property
    def by_id(self) -> Mapping[str, Model]:
        return {model.id: model for model in self.models}

    @cached_property
    def results(self) -> tuple[Result, ...]:
        return tuple(result for model in self.models for result in model.results)

    @cached_property
    def newest(self) -> datetime | None:
        """The newest `tested_at` of all rows."""
        moments = [run.tested_at for result in self.results for run in result.runs if run.tested_at]
        return max(moments, default=None)

    def outcome(self, model: Model, result: Result | None) -> Outcome:
        """What a model's state is where it has this result, or none: then excluded by the list, or not tested."""
        if result is None or (result.headline.outcome.key == "unrecorded" and model.exclusion is not None):
            return self.texts.words.outcomes["excluded" if model.exclusion else "not-tested"]
        return result.headline.outcome

    def exclusion(self, model: Model, result: Result | None) -> Exclusion | None:
        """The exclusion beside a result: its own row's, else the list's."""
        run = result.headline if result else None
        if run and (run.exclusion or run.outcome.key == "excluded"):
            kind = model.exclusion.kind if model.exclusion and not run.exclusion else None
            reason = run.exclusion or (model.exclusion.reason if model.exclusion else None)
            return Exclusion(reason, kind, "column")
        return model.exclusion


def assemble(
    settings: Settings,
    catalog: Catalog,
    texts: Texts,
    reading: Reading,
    rankings: Sequence[Ranking],
    problems: Problems,
) -> Site:
    """Joins everything by id: rows by the exact id, lists and rankings by it or by the one id equal but for case."""
    results = _results(reading.runs)
    join = _Join(results, problems)
    rankings = tuple(replace(r, models=tuple(join.ranked(r, m) for m in r.models)) for r in rankings)
    ranked = {m.model_id: r.task for r in reversed(rankings) for m in r.models}
    known = {*results, *ranked}
    selected = tuple(join.selected(number, entry, known) for number, entry in enumerate(texts.lists.selected, 1))
    ids = known | {entry.model_id for entry in selected}
    exclusions = _exclusions(texts.lists.excluded, ids, join, problems)
    chosen = {entry.model_id: entry for entry in selected}
    models = tuple(
        _model(
            model_id,
            results.get(model_id, ()),
            ranked.get(model_id),
            exclusions.get(model_id),
            chosen.get(model_id),
        )
        for model_id in sorted(ids, key=lambda text: (text.casefold(), text))
    )
    pairs = tuple(sorted({run.pair for run in reading.runs}, key=lambda pair: pair.order, reverse=True))
    addresses = assign(ids, pairs)
    return Site(settings, catalog, texts, reading.files, pairs, models, rankings, selected, addresses, ())


def _results(runs: Iterable[Run]) -> dict[str, tuple[Result, ...]]:
    grouped: dict[str, dict[VersionPair, list[Run]]] = defaultdict(lambda: defaultdict(list))
    for run in runs:
        grouped[run.model_id][run.pair].append(run)
    return {
        model_id: tuple(
            Result(model_id, pair, _newest_first(by_pair[pair]))
            for pair in sorted(by_pair, key=lambda pair: pair.order, reverse=True)
        )
        for model_id, by_pair in grouped.items()
    }


def _newest_first(runs: list[Run]) -> tuple[Run, ...]:
    """By `tested_at`, undated last, ties by the hash of the row."""
    return tuple(sorted(runs, key=lambda run: (-run.tested_at.timestamp() if run.tested_at else inf, run.digest)))


def _model(
    model_id: str,
    results: tuple[Result, ...],
    ranked_task: str | None,
    exclusion: Exclusion | None,
    selected: Selected | None,
) -> Model:
    runs = [result.headline for result in results]
    task = next((run.task for run in runs if run.task), ranked_task)
    architecture = next((run.architecture for run in runs if run.architecture), None)
    return Model(model_id, results, task, architecture, exclusion, selected)


class _Join:
    """Finds the catalogue's id for one that a list or a ranking names."""

    def __init__(self, ids: Iterable[str], problems: Problems) -> None:
        self.ids = set(ids)
        self.folded: dict[str, list[str]] = defaultdict(list)
        for model_id in sorted(self.ids):
            self.folded[model_id.casefold()].append(model_id)
        self.problems = problems

    def find(self, model_id: str, place: Place, code: str) -> str:
        """The exact id, else the one equal but for case, else itself; several such are reported."""
        if model_id in self.ids:
            return model_id
        near = self.folded.get(model_id.casefold(), [])
        if len(near) > 1:
            found = f"{model_id} differs only in case from {' and '.join(near)}; it is joined to neither"
            self.problems.notice(code, place, found, hint="Use the exact id")
        return near[0] if len(near) == 1 else model_id

    def ranked(self, ranking: Ranking, entry: RankedModel) -> RankedModel:
        place = Place(f"rankings: {ranking.kind}, {ranking.task}", entry.rank)
        return replace(entry, model_id=self.find(entry.model_id, place, "ranking-id-ambiguous"))

    def selected(self, number: int, entry: Selected, known: set[str]) -> Selected:
        place = Place("lists/selected.toml", number)
        folded = {model_id.casefold(): model_id for model_id in sorted(known - self.ids)}
        model_id = self.find(entry.model_id, place, "list-ambiguous-id")
        if model_id not in known:
            model_id = folded.get(model_id.casefold(), model_id)
        if model_id not in known:
            self.problems.notice(
                "list-unknown-id",
                place,
                f"no row and no ranking names {model_id}",
                hint="Correct or remove it",
            )
        return replace(entry, model_id=model_id)


def _exclusions(rules: Sequence[ExclusionRule], ids: set[str], join: _Join, problems: Problems) -> dict[str, Exclusion]:
    """The exclusion of each id: an exact entry wins over a pattern, of several the first."""
    found: dict[str, Exclusion] = {}
    for rule in sorted(rules, key=lambda rule: rule.id is None):
        matching = (
            [join.find(rule.id, rule.place, "list-ambiguous-id")] if rule.id else _matching(rule.pattern or "", ids)
        )
        matching = [model_id for model_id in matching if model_id in ids]
        if not matching:
            problems.notice("list-unknown-id", rule.place, f"nothing that is known matches {rule.id or rule.pattern}")
        for model_id in matching:
            found.setdefault(model_id, Exclusion(rule.reason, rule.kind, "list"))
    return found


def _matching(pattern: str, ids: Iterable[str]) -> list[str]:
    matches = re.compile(translate(pattern.casefold())).match
    return [model_id for model_id in ids if matches(model_id.casefold())]
