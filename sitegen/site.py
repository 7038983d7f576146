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

from sitegen.cells import brief
from sitegen.config import Catalog, Settings
from sitegen.content import Doc
from sitegen.errors import Place, Problem, Problems
from sitegen.lists import ExclusionRule, Lists
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
from sitegen.redact import Redaction
from sitegen.runs import Reading
from sitegen.segments import apart
from sitegen.signature import Signature
from sitegen.urls import Addresses, assign, error


@dataclass(frozen=True)
class Texts:
    """What people wrote, as it stands on the site."""

    words: Words
    docs: tuple[Doc, ...]
    caveats: Mapping[str, Markup]
    lists: Lists


@dataclass(frozen=True, eq=False)
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
    def redact(self) -> Redaction:
        """What is redacted in texts of rows."""
        return self.catalog.redact or Redaction()

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

    @cached_property
    def by_signature(self) -> Mapping[str, Mapping[str, tuple[Result, ...]]]:
        """The results whose headline run has an error, by its signature and the model's id."""
        found: dict[str, dict[str, tuple[Result, ...]]] = defaultdict(dict)
        for result in self.results:
            if text := result.headline.signature:
                found[text][result.model_id] = (*found[text].get(result.model_id, ()), result)
        return found

    @cached_property
    def error_paths(self) -> Mapping[str, str]:
        """The page of each signature."""
        slugs = apart(self.by_signature, lambda text, digits: Signature(text).slug(digits))
        return {text: error(slug) for text, slug in slugs.items()}

    @cached_property
    def places(self) -> Mapping[str, tuple[tuple[Ranking, RankedModel], ...]]:
        """Where each ranked model stands, in the order of the rankings."""
        found: dict[str, list[tuple[Ranking, RankedModel]]] = defaultdict(list)
        for ranking in self.rankings:
            for entry in ranking.models:
                found[entry.model_id].append((ranking, entry))
        return {model_id: tuple(places) for model_id, places in found.items()}

    @cached_property
    def earlier(self) -> Mapping[str, tuple[str, ...]]:
        """The ids that a model had before, as rankings tell them, by the one that it has now."""
        return {
            model_id: tuple(dict.fromkeys(old for _, entry in places for old in entry.was))
            for model_id, places in self.places.items()
        }

    @cached_property
    def renamed(self) -> Mapping[str, str]:
        """The same the other way round: the present id by the folded earlier one; none that two models claim."""
        found: dict[str, set[str]] = defaultdict(set)
        for model_id, before in self.earlier.items():
            for old in before:
                found[old.casefold()].add(model_id)
        return {old: next(iter(new)) for old, new in found.items() if len(new) == 1}

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
    rankings = tuple(join.ranking(ranking) for ranking in rankings)
    ranked = {m.model_id: r.task for r in reversed(rankings) for m in r.models}
    join.add(ranked)
    selected = join.selected(texts.lists.selected)
    join.add(entry.model_id for entry in selected)
    ids = join.ids
    exclusions = _exclusions(texts.lists.excluded, join, problems)
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
    """By `tested_at`, undated last; what dates do not decide by the hash of the row, so that it is always the same."""
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
    return Model(model_id, results, task and brief(task), architecture and brief(architecture), exclusion, selected)


class _Join:
    """Finds the catalogue's id for one that a list or a ranking names: the exact one, else one equal but for case."""

    def __init__(self, ids: Iterable[str], problems: Problems) -> None:
        self.ids: set[str] = set()
        self.folded: dict[str, set[str]] = defaultdict(set)
        self.problems = problems
        self.add(ids)

    def add(self, ids: Iterable[str]) -> None:
        for model_id in ids:
            self.ids.add(model_id)
            self.folded[model_id.casefold()].add(model_id)

    def find(self, model_id: str, place: Place, code: str) -> str | None:
        """The id that is meant, or itself where none is near; None, with a notice, where it could be several."""
        near = {model_id} if model_id in self.ids else self.folded.get(model_id.casefold(), set())
        if len(near) > 1:
            found = f"{model_id} differs only in case from {' and '.join(sorted(near))}; it is left out"
            self.problems.notice(code, place, found, hint="Use the exact id")
            return None
        return next(iter(near), model_id)

    def ranking(self, ranking: Ranking) -> Ranking:
        found: dict[str, RankedModel] = {}
        for entry in ranking.models:
            place = Place(f"rankings: {ranking.kind}, {ranking.task}", entry.rank)
            model_id = self.find(entry.model_id, place, "ranking-id-ambiguous")
            if model_id in found:
                self.problems.notice(
                    "list-twice", place, f"{model_id} stands in the ranking twice; the first place counts"
                )
            elif model_id is not None:
                found[model_id] = replace(entry, model_id=model_id)
        return replace(ranking, models=tuple(found.values()))

    def selected(self, entries: Iterable[Selected]) -> tuple[Selected, ...]:
        found: dict[str, Selected] = {}
        for number, entry in enumerate(entries, 1):
            place = Place("lists/selected.toml", number)
            model_id = self.find(entry.model_id, place, "list-ambiguous-id")
            if model_id is None:
                continue
            if model_id not in self.ids:
                text = f"no row and no ranking names {model_id}"
                self.problems.notice("list-unknown-id", place, text, hint="Correct or remove it")
            if model_id in found:
                self.problems.notice(
                    "list-twice", place, f"{model_id} stands in the list twice; the first entry counts"
                )
            found.setdefault(model_id, replace(entry, model_id=model_id))
        return tuple(found.values())


def _exclusions(rules: Sequence[ExclusionRule], join: _Join, problems: Problems) -> dict[str, Exclusion]:
    """The exclusion of each id: an exact entry wins over a pattern, of several the first."""
    found: dict[str, Exclusion] = {}
    exact: set[str] = set()
    for rule in sorted(rules, key=lambda rule: rule.id is None):
        named = join.find(rule.id, rule.place, "list-ambiguous-id") if rule.id else None
        if rule.id and named is None:
            continue
        matching = {named} & join.ids if named else _matching(rule.pattern or "", join.ids)
        if not matching:
            # An info: to exclude what nobody has tested or ranked is no mistake.
            problems.info("list-unknown-id", rule.place, f"nothing that is known matches {rule.id or rule.pattern}")
        if named in exact:
            problems.notice("list-twice", rule.place, f"{named} stands in the list twice; the first entry counts")
        exact |= {named} if named else set()
        for model_id in matching:
            found.setdefault(model_id, Exclusion(rule.reason, rule.kind, "list"))
    return found


def _matching(pattern: str, ids: Iterable[str]) -> set[str]:
    matches = re.compile(translate(pattern.casefold())).match
    return {model_id for model_id in ids if matches(model_id.casefold())}
