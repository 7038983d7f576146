"""The facets of a list, by which a reader narrows it. Python says what a row has in each; the scripts only count."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sitegen.cells import NO_RUN, NOT_RECORDED
from sitegen.history import BUCKETS
from sitegen.model import Model, Result, Run
from sitegen.outcome import Outcome
from sitegen.pages.parts import NOTHING_RAN
from sitegen.safe import shown
from sitegen.site import Site
from sitegen.versions import version_key


@dataclass(frozen=True)
class Option:
    """What a row has in a facet. `key` stands in addresses; `recorded` is False where `label` says that none is."""

    key: str
    label: str
    recorded: bool = True


@dataclass(frozen=True)
class Facet:
    """A way to narrow a list: `key` is the parameter in addresses; the options are those that the list has."""

    key: str
    label: str
    options: tuple[Option, ...]


FACETS = (
    ("outcome", "Outcome"),
    ("check", "Check"),
    ("cores", "Cores"),
    ("task", "Task"),
    ("library", "Library"),
    ("compiler", "Compiler version"),
    ("library-version", "Library version"),
    ("architecture", "Architecture"),
    ("error", "Error code"),
)
_NO_RUN = Option("no-run", NO_RUN, recorded=False)
_NO_RESULT = Option("no-result", "no result to check", recorded=False)
_NO_ERROR = Option("no-error", "no error recorded", recorded=False)
_NOT_RECORDED = Option("not-recorded", NOT_RECORDED, recorded=False)
_GAPS = (_NO_RESULT, _NO_ERROR, _NOT_RECORDED, _NO_RUN)
_RESERVED = frozenset(option.key for option in _GAPS)
_VERSIONS = ("compiler", "library-version")


def options_of(site: Site, model: Model, result: Result | None) -> tuple[Option, ...]:
    """What a model with this result, or none, has in each of the FACETS, in their order."""
    outcome = site.outcome(model, result)
    run = result.headline if result else None
    return (
        _outcome(site, outcome),
        _check(site, outcome, run),
        _of_run(run, lambda r: None if r.tp is None else str(r.tp)),
        _option(model.task),
        _of_run(run, lambda r: r.pair.library),
        _of_run(run, lambda r: r.pair.compiler),
        _of_run(run, lambda r: r.pair.library_version),
        _option(model.architecture),
        _error(run),
    )


def _option(word: str | None, reserved: Iterable[str] = _RESERVED) -> Option:
    """A recorded word; one that is also a key of ours has quotes in the address, so that the two stay apart."""
    if word is None:
        return _NOT_RECORDED
    text = shown(word)
    return Option(f'"{text}"' if not text or text in reserved or text.startswith('"') else text, text)


def _of_run(run: Run | None, value: Callable[[Run], str | None]) -> Option:
    return _NO_RUN if run is None else _option(value(run))


def _outcome(site: Site, outcome: Outcome) -> Option:
    if not outcome.known:
        return replace(_option(outcome.word, site.texts.words.outcomes), label=outcome.label)
    return Option(outcome.key, outcome.label, recorded=outcome.key != "unrecorded")


def _check(site: Site, outcome: Outcome, run: Run | None) -> Option:
    """The first state of a check, which is the bad one where there is one; without what this run alone recorded."""
    if run is None:
        return _NO_RUN
    if outcome.key in NOTHING_RAN:
        return _NO_RESULT
    key = run.verification.key
    label = site.texts.words.states[key].label.replace("{word}", "…")
    return Option(key, label[:1].upper() + label[1:], recorded=key != _NOT_RECORDED.key)


def _error(run: Run | None) -> Option:
    return _NO_ERROR if run and run.error is None else _of_run(run, lambda r: r.error_code)


def facets_of(
    site: Site, rows: Iterable[Sequence[Option]], facets: Sequence[tuple[str, str]] = FACETS
) -> tuple[Facet, ...]:
    """The facets of a list, each a key and a label, with the options that its rows have in them, in order."""
    found: list[set[Option]] = [set() for _ in facets]
    for row in rows:
        for options, option in zip(found, row, strict=True):
            options.add(option)
    return tuple(
        Facet(key, label, _ordered(site, key, options)) for (key, label), options in zip(facets, found, strict=True)
    )


def _ordered(site: Site, facet: str, options: set[Option]) -> tuple[Option, ...]:
    """Known words as in their tables, numbers by size, versions newest first, other words from A to Z; gaps last."""
    words = site.texts.words
    tables: Mapping[str, Sequence[str]] = {
        "outcome": [*words.outcomes],
        "check": [*words.states],
        "change": [*BUCKETS],
    }

    def place(option: Option) -> Any:
        if facet in tables:
            known = option.key if option.key in tables[facet] else "unknown"
            return tables[facet].index(known), option.label
        if facet == "cores":
            return int(option.label)
        if facet in _VERSIONS:
            return version_key(option.label)
        return option.label.casefold(), option.label

    recorded = sorted(options.difference(_GAPS), key=place, reverse=facet in _VERSIONS)
    return *recorded, *(gap for gap in _GAPS if gap in options)


def compact_facet(facet: Facet) -> list[object]:
    """A facet as the scripts take it: key, label and options."""
    return [facet.key, facet.label, [[option.key, option.label, int(option.recorded)] for option in facet.options]]


def places_in(facets: Sequence[Facet]) -> Callable[[Sequence[Option]], list[int]]:
    """What gives the places of a row's options in the facets of its list."""
    tables = [{option: place for place, option in enumerate(facet.options)} for facet in facets]
    return lambda row: [table[option] for table, option in zip(tables, row, strict=True)]
