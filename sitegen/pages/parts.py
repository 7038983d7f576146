"""What several page kinds show: statuses, pairs, and the pages of a long list."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from sitegen.caveats import Caveat, Facts, caveats_of, sentence
from sitegen.cells import brief
from sitegen.model import Model, Result, Run, VersionPair
from sitegen.plan import Link
from sitegen.site import Site
from sitegen.urls import doc, paged

REASON_MAX = 2000  # characters of the reason of an exclusion, which stands in lists


@dataclass(frozen=True)
class Status:
    """Outcome and verification, which are never shown one without the other.

    `verification` is None where nothing ran, so that there was nothing to check. `runs` is how many runs stand behind
    it; `disagree` says that they differ. `quoted` is a result word that is not known, in quotes.
    """

    key: str
    label: str
    tone: str
    sentence: str
    docs: str
    verification: str | None
    verification_key: str
    verification_sentence: str
    verification_docs: str
    runs: int
    disagree: bool
    reason: str | None  # of an exclusion, also of one that stands beside a result
    reason_kind: str | None
    quoted: str | None


NOTHING_RAN = ("excluded", "skipped", "not-tested", "unrecorded")
KIND_WORDS = {
    "not-prioritised": "not a priority",
    "incompatible": "incompatible",
    None: "kind not recorded",
}


@cache
def doc_path(reference: str) -> str:
    """`outcomes.md#pass` as a path with its anchor."""
    name, hash_, anchor = reference.partition("#")
    return doc(name.removesuffix(".md")) + hash_ + anchor


@lru_cache(maxsize=64)  # page, bundle and data files of a run follow each other
def run_caveats(site: Site, model: Model, result: Result, run: Run) -> tuple[Caveat, ...]:
    """What one run of a result does and doesn't show, the same wherever the site says it."""
    facts = Facts(result, run, site.texts.words, site.exclusion(model, result), site.catalog.compiler)
    return caveats_of(facts, site.catalog, site.texts.caveats)


@lru_cache(maxsize=4096)
def status(site: Site, model: Model, result: Result | None, run: Run | None = None) -> Status:
    """The status of a model where it has this result or none; of one run of it where that is given."""
    outcome = site.outcome(model, result) if run is None else run.outcome
    excluded = outcome.tone == "excluded"
    exclusion = site.exclusion(model, result) if excluded or run is None else None
    shown_run = run or (result.headline if result else None)
    check = shown_run.verification if shown_run and outcome.key not in NOTHING_RAN else None
    return Status(
        outcome.key,
        outcome.label,
        outcome.tone,
        sentence(outcome.sentence, site.catalog),
        doc_path(outcome.docs),
        check.label if check else None,
        check.key if check else "",
        sentence(check.sentence, site.catalog) if check else "",
        doc_path(check.docs) if check else "",
        len(result.runs) if result else 0,
        result.disagree if result and run is None else False,
        brief(exclusion.reason, REASON_MAX) if exclusion and exclusion.reason else None,
        ("" if excluded else "also excluded, ") + KIND_WORDS[exclusion.kind] if exclusion else None,
        outcome.quoted,
    )


def status_words(entry: Status, reason: bool = False) -> str:
    """A status in words, the same wherever it stands in a line of text; it begins with the outcome's label.

    The check belongs to the outcome; what makes both doubtful stands after semicolons, and is never left out. The
    reason of an exclusion follows where there is room for it.
    """
    words = [", ".join(filter(None, (entry.label, entry.verification)))]
    if entry.disagree:
        words.append("runs disagree")
    if entry.reason_kind:
        why = f": {entry.reason or 'reason not recorded'}" if reason else ""
        words.append(entry.reason_kind + why)
    return "; ".join(words)


def pair_text(site: Site, pair: VersionPair) -> str:
    """`neuronx-cc 2.28.7631.0+5e0f61c7 / transformers 5.21.0`."""
    return f"{compiler_text(site, pair)} / {library_text(pair)}"


def compiler_text(site: Site, pair: VersionPair) -> str:
    return f"{site.catalog.compiler} {brief(pair.compiler or 'version not recorded')}"


def library_text(pair: VersionPair) -> str:
    library = brief(pair.library or "library not recorded")
    return f"{library} {brief(pair.library_version or 'version not recorded')}"


@dataclass(frozen=True)
class Tally:
    """How many have a status: one entry of the summary line of a list."""

    key: str
    label: str
    tone: str
    count: int


def tallies(statuses: Sequence[Status]) -> tuple[Tally, ...]:
    """Counts by outcome, unknown words each on their own; they add up to the number of statuses."""
    order = ("pass", "fail", "other", "excluded", "untested")
    counted: dict[tuple[int, str, str], Tally] = {}
    for entry in statuses:
        key = (order.index(entry.tone), entry.key, entry.label)
        before = counted.get(key)
        counted[key] = Tally(entry.key, entry.label, entry.tone, 1 + (before.count if before else 0))
    return tuple(counted[key] for key in sorted(counted))


@dataclass(frozen=True)
class PageLinks:
    """The pages of a long list."""

    number: int
    total: int
    links: tuple[Link, ...]


PAGE_ROWS = 200


def pages(total: int) -> Iterator[tuple[int, slice]]:
    """Page numbers from 1 and the rows on each; an empty list has one page."""
    for number in range(1, max(1, -(-total // PAGE_ROWS)) + 1):
        yield number, slice((number - 1) * PAGE_ROWS, number * PAGE_ROWS)


def page_links(path: str, number: int, total: int) -> PageLinks:
    """The pages of a list of `total` rows whose first page is at `path`, seen from page `number`."""
    links = tuple(Link(str(n), paged(path, n), n == number) for n, _ in pages(total))
    return PageLinks(number, len(links), links)
