"""The data page: what was read, what was left out and why, and of which dates it is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from sitegen import urls
from sitegen.cells import count, day, minute
from sitegen.errors import Problem
from sitegen.model import SourceFile
from sitegen.pages.parts import doc_path, pair_text
from sitegen.plan import Head, Link, Output, Page, Twin
from sitegen.site import Site
from sitegen.texts import TextReader

SAME_MAX = 20  # problems of one kind in one file that are listed one by one


@dataclass(frozen=True)
class FileRow:
    file: SourceFile
    pairs: tuple[Link, ...]


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
    problems: tuple[ProblemRow, ...]
    unlisted: int  # problems beyond those that are listed
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
    problems, unlisted = _problems(site)
    files = tuple(
        FileRow(f, tuple(Link(pair_text(site, p), site.addresses.pair(p)) for p in f.pairs)) for f in site.files
    )
    runs = sum(f.runs for f in site.files)
    downloads = (
        Twin("application/json", urls.CATALOG_JSON, urls.CATALOG_JSON),
        Twin("application/vnd.apache.parquet", urls.CATALOG_PARQUET, urls.CATALOG_PARQUET),
    )
    return DataContext(
        head=Head(
            urls.DATA,
            "Data",
            f"{count(len(files), 'file')}, {count(runs, 'run')}: what was read and what was left out.",
            "data",
            twins=downloads,
        ),
        downloads=downloads,
        llms_path=urls.LLMS,
        files=files,
        rows=sum(f.rows for f in site.files),
        runs=runs,
        duplicates=sum(f.duplicates for f in site.files),
        refused=sum(f.refused for f in site.files),
        results=len(site.results),
        models=len(site.models),
        tested=sum(1 for model in site.models if model.results),
        snapshots=tuple(
            SnapshotRow(
                f"{r.kind.capitalize()}, {r.task}",
                urls.ranking(r.kind, r.task),
                minute(r.taken_at),
                len(r.models),
                r.source,
            )
            for r in site.rankings
        ),
        problems=problems,
        unlisted=unlisted,
        newest=day(site.newest),
        revision=site.catalog.revision,
        dataset=site.catalog.dataset,
        licence=site.catalog.licence,
        redacted=_redacted(site),
        redacted_docs=doc_path("security.md#redacted"),
        notice_path=urls.NOTICE,
    )


def _redacted(site: Site) -> str | None:
    if not site.redact:
        return None
    found = [
        sum(places for _, places in run.redacted) for result in site.results for run in result.runs if run.redacted
    ]
    names = ", ".join(name for name, _ in site.redact.patterns)
    return f"{count(sum(found), 'place')} in {count(len(found), 'run')}; patterns: {names}"


def _problems(site: Site) -> tuple[tuple[ProblemRow, ...], int]:
    """The problems about the data, the weightier first; of very many of one kind in one file, the first ones."""
    seen: dict[tuple[str, str], int] = {}
    rows: list[ProblemRow] = []
    unlisted = 0
    for problem in sorted(site.problems, key=lambda p: -p.level):
        key = problem.place.file, problem.code
        seen[key] = seen.get(key, 0) + 1
        if seen[key] > SAME_MAX:
            unlisted += 1
        else:
            rows.append(ProblemRow(problem, doc_path(f"input-problems.md#{problem.code}")))
    return tuple(rows), unlisted
