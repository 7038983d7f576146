"""Error signatures: all of them, and a page for each with who shares it, what a log says, and how another differs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from math import inf

from sitegen import urls
from sitegen.cells import count, day
from sitegen.model import Result, VersionPair
from sitegen.pages.parts import PageLinks, Status, doc_path, page_links, pages, pair_text, status
from sitegen.pages.samples import Difference, Sample, difference_of, sample_of
from sitegen.plan import Head, Link, Output, Page
from sitegen.signature import RULES, VERSION, Signature
from sitegen.site import Site
from sitegen.texts import TextReader

TITLE_MAX, DESCRIPTION_MAX = 80, 300
DOCS = "errors.md"


@dataclass(frozen=True)
class Group:
    """The results that share a signature, the highest pair first, models by id."""

    signature: Signature
    results: tuple[Result, ...]
    models: int
    path: str

    @cached_property
    def under(self) -> Mapping[VersionPair, int]:
        """How many models have it under each pair."""
        return Counter(result.pair for result in self.results)


@dataclass(frozen=True)
class ErrorRow:
    text: str
    path: str
    models: int
    results: int
    first: str  # the lowest pair
    last: str  # the highest


@dataclass(frozen=True)
class ErrorsContext:
    head: Head
    rows: tuple[ErrorRow, ...]
    pages: PageLinks
    silent: int  # failing results that record no error, or none that tells a cause
    docs: str


@dataclass(frozen=True)
class ErrorResult:
    """A result with the signature; `path` leads to its error."""

    id: str
    path: str
    status: Status
    tested: str


@dataclass(frozen=True)
class PairResults:
    """The results under one pair, as far as they stand on this page; `models` counts all."""

    pair: Link
    models: str
    results: tuple[ErrorResult, ...]


@dataclass(frozen=True)
class Replaced:
    """What a word in angle brackets of the signature stands for, by a rule's own examples: before and after."""

    word: str
    rule: str
    examples: tuple[tuple[str, str], ...]


MODEL = Replaced("<model>", "model", (("'BambaConfig' object", "'<model>Config' object"),))


@dataclass(frozen=True)
class ErrorContext:
    head: Head
    text: str
    models: str
    results: str
    first: Link
    last: Link
    version: int  # of the rules
    replaced: tuple[Replaced, ...]
    docs: str
    pairs: tuple[PairResults, ...]
    pages: PageLinks
    sample: Sample | None  # on the first page
    difference: Difference | None


def plan(site: Site) -> Iterator[Output]:
    groups = groups_of(site)
    rows = error_rows(site, groups)
    for number, part in pages(len(groups)):
        path = urls.paged(urls.ERRORS, number)
        yield Page(path, "errors", "the error signatures", partial(_errors, site, rows, number, part))
    for group in groups:
        claimant = f"the signature {group.signature.text}"
        for number, part in pages(len(group.results)):
            path = urls.paged(group.path, number)
            yield Page(path, "error", claimant, partial(_error, site, group, number, part))


def groups_of(site: Site) -> tuple[Group, ...]:
    """Every signature, those of most models first, then by text."""
    rank = {pair: number for number, pair in enumerate(site.pairs)}
    groups = []
    for text, by_model in site.by_signature.items():
        found = sorted((r for results in by_model.values() for r in results), key=lambda r: rank[r.pair])
        groups.append(Group(Signature(text), tuple(found), len(by_model), site.error_paths[text]))
    return tuple(sorted(groups, key=lambda group: (-group.models, group.signature.text)))


def error_rows(site: Site, groups: Sequence[Group]) -> tuple[ErrorRow, ...]:
    return tuple(
        ErrorRow(
            group.signature.text,
            group.path,
            group.models,
            len(group.results),
            pair_text(site, group.results[-1].pair),
            pair_text(site, group.results[0].pair),
        )
        for group in groups
    )


def _errors(site: Site, rows: Sequence[ErrorRow], number: int, part: slice, _: TextReader) -> ErrorsContext:
    results = count(sum(row.results for row in rows), "result")
    description = f"{count(len(rows), 'signature')} of the errors recorded for {results}."
    place = f", page {number}" if number > 1 else ""
    failed = [r.headline for r in site.results if r.headline.outcome.tone == "fail" and r.headline.signature is None]
    return ErrorsContext(
        Head(urls.paged(urls.ERRORS, number), f"Errors{place}", description, "errors"),
        tuple(rows[part]),
        page_links(urls.ERRORS, number, len(rows)),
        len(failed),
        doc_path(DOCS),
    )


def _error(site: Site, group: Group, number: int, part: slice, reader: TextReader) -> ErrorContext:
    text = group.signature.text
    first, last = group.results[-1].pair, group.results[0].pair
    models, results = count(group.models, "model"), count(len(group.results), "result")
    sample, difference = _samples(site, group, reader) if number == 1 else (None, None)
    head = Head(
        urls.paged(group.path, number),
        _cut(text, TITLE_MAX) + (f", page {number}" if number > 1 else ""),
        _cut(f"{results} of {models} with this signature of the error: {text}", DESCRIPTION_MAX),
        "errors",
        (Link("Errors", urls.ERRORS),),
    )
    return ErrorContext(
        head=head,
        text=text,
        models=models,
        results=results,
        first=Link(pair_text(site, first), site.addresses.pair(first)),
        last=Link(pair_text(site, last), site.addresses.pair(last)),
        version=VERSION,
        replaced=tuple(_replaced(text)),
        docs=doc_path(DOCS),
        pairs=tuple(_pairs(site, group, part)),
        pages=page_links(group.path, number, len(group.results)),
        sample=sample,
        difference=difference,
    )


def _replaced(text: str) -> Iterator[Replaced]:
    """The rules whose replacement stands in the signature, and what stands for the model."""
    for rule in RULES:
        if rule.replacement.startswith("<") and rule.replacement in text:
            yield Replaced(rule.replacement, rule.name, tuple(e for e in rule.examples if rule.replacement in e[1]))
    if MODEL.word in text:
        yield MODEL


def _pairs(site: Site, group: Group, part: slice) -> Iterator[PairResults]:
    for pair in dict.fromkeys(result.pair for result in group.results[part]):
        yield PairResults(
            Link(pair_text(site, pair), site.addresses.pair(pair)),
            count(group.under[pair], "model"),
            tuple(_result(site, result) for result in group.results[part] if result.pair == pair),
        )


def _result(site: Site, result: Result) -> ErrorResult:
    return ErrorResult(
        result.model_id,
        f"{site.addresses.result(result.model_id, result.pair)}#error",
        status(site, site.by_id[result.model_id], result),
        day(result.headline.tested_at),
    )


def _samples(site: Site, group: Group, reader: TextReader) -> tuple[Sample, Difference | None]:
    """The newest result under the highest pair that has one; beside it the first of another model, if there is one."""
    rank = {pair: number for number, pair in enumerate(site.pairs)}
    first, *others = sorted(group.results, key=lambda result: (rank[result.pair], _age(result)))
    sample = sample_of(site, first, reader)
    if not others:
        return sample, None
    other = next((result for result in others if result.model_id != first.model_id), others[0])
    return sample, difference_of(sample, sample_of(site, other, reader))


def _age(result: Result) -> float:
    moment = result.headline.tested_at
    return -moment.timestamp() if moment else inf


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else f"{text[:limit]} …"
