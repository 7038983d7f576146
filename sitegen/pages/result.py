"""One model under one pair: what was observed, how it was checked, what that doesn't show, and how to run it again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from markupsafe import Markup

from sitegen import urls
from sitegen.arrow import iso
from sitegen.bundle import NAME as BUNDLE
from sitegen.bundle import bundle
from sitegen.caveats import Caveat
from sitegen.cells import Cell, capacity, cores, memory, minute, redacted, seconds
from sitegen.cite import Citation, citation
from sitegen.model import Model, Result, Run, TextRef
from sitegen.pages.badges import BadgeView, frozen_view
from sitegen.pages.changes import Changes, changes
from sitegen.pages.evidence import (
    RAW_MAX,
    CodeView,
    LogView,
    Package,
    SameFailure,
    code_view,
    files_of,
    installed,
    log_view,
    same_failure,
    short,
)
from sitegen.pages.model import HistoryRow, history, hub_url
from sitegen.pages.parts import (
    Status,
    compiler_text,
    doc_path,
    library_text,
    pair_text,
    run_caveats,
    status,
    status_words,
)
from sitegen.plan import File, Head, Link, Output, Page
from sitegen.report import problem_url
from sitegen.reproduce import PACKAGE_NAMES, Reproduction, bundle_folder, reproduction
from sitegen.site import Site
from sitegen.texts import TextReader


@dataclass(frozen=True)
class CaveatView:
    rule: str
    weight: str
    html: Markup
    docs: str  # path with anchor
    fields: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class RunView:
    """One of several runs under the pair."""

    status: Status
    headline: bool
    cores: Cell
    memory: Cell
    wall: Cell
    tested: str
    runner: str | None
    source: str
    files: tuple[Link, ...]
    redacted: str | None


@dataclass(frozen=True)
class Newer:
    """A result under a higher pair."""

    link: Link
    status: Status


@dataclass(frozen=True)
class ResultContext:
    head: Head
    id: str
    model_path: str
    hub_url: str | None
    pair: str
    pair_path: str
    compiler: str
    library: str
    task: str | None
    architecture: str | None
    status: Status
    newer: Newer | None  # the model's latest result, where it is another
    cores: Cell
    memory: Cell
    capacity: str
    memory_label: str
    wall: Cell
    duration: str | None  # wall time in minutes and seconds
    tested: str
    tested_iso: str | None
    runner: str | None
    notes: str | None
    cpu_match: str | None
    english: str | None
    result_word: str | None
    caveats: tuple[CaveatView, ...]
    reproduce: Reproduction | None
    code: CodeView | None
    log: LogView | None
    same_failure: SameFailure | None
    stack: tuple[Package, ...]
    packages: tuple[Package, ...]
    extra_packages: str | None
    runs: tuple[RunView, ...]  # where there are several
    newest_known: bool  # whether dates say that the first of them is the newest
    changes: Changes | None  # since the model's previous result with the library
    history: tuple[HistoryRow, ...]
    others: tuple[tuple[str, str], ...]
    raw: str
    redacted: str | None  # columns in which texts were redacted
    redacted_docs: str
    source_file: str
    source_row: int
    source_url: str | None
    dataset: str | None
    device: str
    cite: Citation
    badge: BadgeView  # says of this result what it says now
    report_url: str | None


def plan(site: Site) -> Iterator[Output]:
    for model in site.models:
        for result in model.results:
            path = site.addresses.result(model.id, result.pair)
            claimant = f"the result of {model.id} under {pair_text(site, result.pair)}"
            yield Page(path, "result", claimant, partial(_context, site, model, result))
            for run in result.runs:
                for file, ref in files_of(site, result, run):
                    yield File(file.path, claimant, partial(_bytes, ref))
                if run.run_py is not None:
                    make = partial(bundle, site, model, result, run, run.run_py)
                    yield File(_bundle_path(site, result, run), claimant, make)


def _bytes(ref: TextRef, reader: TextReader) -> bytes:
    return reader.bytes(ref)


def _context(site: Site, model: Model, result: Result, reader: TextReader) -> ResultContext:
    run = result.headline
    files = {file.name: file for file, _ in files_of(site, result, run)}
    entry = status(site, model, result)
    pair = pair_text(site, result.pair)
    packages = installed(reader.text(run.packages))
    code = code_view(run, files, reader)
    return ResultContext(
        head=_head(site, model, result, entry),
        id=model.id,
        model_path=site.addresses.model(model.id),
        hub_url=hub_url(site, model),
        pair=pair,
        pair_path=site.addresses.pair(result.pair),
        compiler=compiler_text(site, result.pair),
        library=library_text(result.pair),
        task=model.task,
        architecture=model.architecture,
        status=entry,
        newer=_newer(site, model, result),
        cores=cores(run),
        memory=memory(run),
        capacity=capacity(run).text,
        memory_label=site.catalog.memory_label,
        wall=seconds(run),
        duration=_duration(run.wall_s),
        tested=minute(run.tested_at),
        tested_iso=iso(run.tested_at) if run.tested_at else None,
        runner=run.runner and short(run.runner),
        notes=run.notes and short(run.notes),
        cpu_match=run.cpu_match and short(run.cpu_match),
        english=run.english and short(run.english),
        result_word=run.result and short(run.result),
        caveats=tuple(_caveat(caveat) for caveat in run_caveats(site, model, result, result.headline)),
        reproduce=_reproduction(site, run, reader),
        code=code,
        log=log_view(run, files, code, reader),
        same_failure=same_failure(site, result),
        stack=tuple(Package(PACKAGE_NAMES.get(name, name), version and short(version)) for name, version in run.stack),
        packages=packages,
        extra_packages=run.extra_packages and short(run.extra_packages),
        runs=_runs(site, model, result),
        newest_known=result.newest_known,
        changes=changes(site, model, result, reader),
        history=history(site, model),
        others=tuple((name, short(reader.text(ref) or "")) for name, ref in run.others),
        raw=short(reader.text(run.raw) or "", RAW_MAX),
        redacted=redacted(run),
        redacted_docs=doc_path("security.md#redacted"),
        source_file=run.source.file,
        source_row=run.source.row,
        source_url=_source_url(site, run),
        dataset=site.catalog.dataset,
        device=site.catalog.device,
        cite=citation(site, model, result, entry),
        badge=frozen_view(site, model, result),
        report_url=problem_url(site, result, run, pair),
    )


def _head(site: Site, model: Model, result: Result, entry: Status) -> Head:
    pair = pair_text(site, result.pair)
    path = site.addresses.result(model.id, result.pair)
    crumbs = (
        Link("Models", urls.OWNERS),
        Link(model.owner or "without owner", site.addresses.owner(model.id)),
        Link(model.id.partition("/")[2] or model.id, site.addresses.model(model.id)),
    )
    description = f"{model.id} on {site.catalog.device} with {pair}: {status_words(entry)}."
    return Head(path, f"{model.id} with {pair}", description, "all", crumbs)


def _newer(site: Site, model: Model, result: Result) -> Newer | None:
    latest = model.latest
    if latest is None or latest is result:
        return None
    link = Link(pair_text(site, latest.pair), site.addresses.result(model.id, latest.pair))
    return Newer(link, status(site, model, latest))


def _duration(wall_s: int | None) -> str | None:
    """`13 min 32 s`, from a minute on."""
    if wall_s is None or wall_s < 60:
        return None
    minutes, left = divmod(wall_s, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {left} s"


def _caveat(caveat: Caveat) -> CaveatView:
    return CaveatView(caveat.rule, caveat.weight, caveat.html, doc_path(caveat.docs), caveat.fields)


def _reproduction(site: Site, run: Run, reader: TextReader) -> Reproduction | None:
    script = reader.text(run.run_py)
    return None if script is None else reproduction(site, run, True, script, reader.text(run.packages))


def _runs(site: Site, model: Model, result: Result) -> tuple[RunView, ...]:
    if len(result.runs) == 1:
        return ()
    return tuple(
        RunView(
            status(site, model, result, run),
            run is result.headline,
            cores(run),
            memory(run),
            seconds(run),
            minute(run.tested_at),
            run.runner and short(run.runner),
            f"{run.source.file}, row {run.source.row}",
            tuple(_links(site, result, run)),
            redacted(run),
        )
        for run in result.runs
    )


def _links(site: Site, result: Result, run: Run) -> Iterator[Link]:
    """The files of a run, under the names that they are saved as."""
    for file, _ in files_of(site, result, run):
        yield Link(file.name, file.path)
    if run.run_py is not None:
        yield Link(f"{bundle_folder(run)}.zip", _bundle_path(site, result, run))


def _bundle_path(site: Site, result: Result, run: Run) -> str:
    return site.addresses.run_file(run, BUNDLE, run is result.headline)


def _source_url(site: Site, run: Run) -> str | None:
    template, revision = site.catalog.source_url, site.catalog.revision
    if not template or (revision is None and "{revision}" in template):
        return None
    return urls.external(template, file=run.source.file, revision=revision or "")
