"""The data page: what was read, what was left out and why, and of which dates it is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from sitegen import urls
from sitegen.cells import count, day, minute
from sitegen.errors import Problem, first_of_each
from sitegen.model import SourceFile
from sitegen.pages.parts import doc_path, pair_text
from sitegen.plan import Head, Link, Output, Page, Twin
from sitegen.rules.codes import Effect, effect
from sitegen.site import Site
from sitegen.texts import TextReader


@dataclass(frozen=True)
class FileRow:
    """`dates` are those of the oldest and newest run, in words; None where no run has one."""

    file: SourceFile
    pairs: tuple[Link, ...]
    dates: str | None


@dataclass(frozen=True)
class SnapshotRow:
    """A ranking snapshot that was read."""

    name: str
    path: str
    taken: str
    models: int
    source: str | None


@dataclass(frozen=True)
class ProblemRow:
    problem: Problem
    docs: str


@dataclass(frozen=True)
class ProblemGroup:
    """Problems with one effect, the weightier first; `unlisted` are those beyond the ones that are listed."""

    anchor: str
    title: str
    sentence: str
    rows: tuple[ProblemRow, ...]
    unlisted: int


# In words for a reader, what became of the data that problems are about.
GROUPS = {
    Effect.LEFT_OUT: (
        "left-out",
        "What was left out, and why",
        "Files, rows and entries that could not be used, were passed over, or stand twice and count once.",
    ),
    Effect.AS_RECORDED: (
        "as-recorded",
        "What is odd, and shown as recorded",
        "Unknown words and columns, values that are missing or unlikely, runs that disagree. Nothing was corrected.",
    ),
    Effect.BESIDE: (
        "beside",
        "What is amiss beside the results",
        "In the settings, texts and lists of this site.",
    ),
}


@dataclass(frozen=True)
class DataContext:
    head: Head
    downloads: tuple[Twin, ...]
    llms_path: str
    files: tuple[FileRow, ...]
    rows: int
    runs: int
    duplicates: int
    refused: int
    results: int
    models: int
    tested: int
    snapshots: tuple[SnapshotRow, ...]
    problems: tuple[ProblemGroup, ...]
    newest: str
    revision: str | None
    dataset: str | None
    licence: str | None
    redacted: str | None  # how much, and by which patterns; None where the catalogue has none
    redacted_docs: str
    notice_path: str


def plan(site: Site) -> Iterator[Output]:
    yield Page(urls.DATA, "data", "the data page", partial(_context, site))


def _context(site: Site, _: TextReader) -> DataContext:
    runs = sum(f.runs for f in site.files)
    downloads = (
        Twin("application/json", urls.CATALOG_JSON, urls.CATALOG_JSON),
        Twin("application/vnd.apache.parquet", urls.CATALOG_PARQUET, urls.CATALOG_PARQUET),
    )
    return DataContext(
        head=Head(
            urls.DATA,
            "Data",
            f"{count(len(site.files), 'file')}, {count(runs, 'run')}: what was read and what was left out.",
            "data",
            twins=downloads,
        ),
        downloads=downloads,
        llms_path=urls.LLMS,
        files=tuple(_files(site)),
        rows=sum(f.rows for f in site.files),
        runs=runs,
        duplicates=sum(f.duplicates for f in site.files),
        refused=sum(f.refused for f in site.files),
        results=len(site.results),
        models=len(site.models),
        tested=sum(1 for model in site.models if model.results),
        snapshots=tuple(_snapshots(site)),
        problems=tuple(_problems(site)),
        newest=day(site.newest),
        revision=site.catalog.revision,
        dataset=site.catalog.dataset,
        licence=site.catalog.licence,
        redacted=_redacted(site),
        redacted_docs=doc_path("security.md#redacted"),
        notice_path=urls.NOTICE,
    )


def _files(site: Site) -> Iterator[FileRow]:
    for file in site.files:
        pairs = tuple(Link(pair_text(site, pair), site.addresses.pair(pair)) for pair in file.pairs)
        yield FileRow(file, pairs, _dates(file))


def _snapshots(site: Site) -> Iterator[SnapshotRow]:
    for r in site.rankings:
        name = f"{r.kind.capitalize()}, {r.task}"
        yield SnapshotRow(name, urls.ranking(r.kind, r.task), minute(r.taken_at), len(r.models), r.source)


def _redacted(site: Site) -> str | None:
    if not site.redact:
        return None
    found = [
        sum(places for _, places in run.redacted) for result in site.results for run in result.runs if run.redacted
    ]
    names = ", ".join(name for name, _ in site.redact.patterns)
    return f"{count(sum(found), 'place')} in {count(len(found), 'run')}; patterns: {names}"


def _dates(file: SourceFile) -> str | None:
    if file.dates is None:
        return None
    oldest, newest = map(day, file.dates)
    return oldest if oldest == newest else f"{oldest} to {newest}"


def _problems(site: Site) -> Iterator[ProblemGroup]:
    """The problems about the data by their effect; of very many of one kind in one file, the first ones."""
    for group, (anchor, title, sentence) in GROUPS.items():
        found = sorted((p for p in site.problems if effect(p) is group), key=lambda p: (bool(p.accepted), -p.level))
        shown, beyond = first_of_each(found)
        if shown:
            rows = tuple(ProblemRow(problem, doc_path(f"input-problems.md#{problem.code}")) for problem in shown)
            yield ProblemGroup(anchor, title, sentence, rows, beyond.total())
