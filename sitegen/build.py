"""The line: read -> validate -> assemble -> check -> plan -> render -> write. No network, no clock."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from sitegen import urls
from sitegen.assets import load_assets
from sitegen.config import Settings, load_catalog
from sitegen.content import Content, load_caveats, load_docs, load_words, packaged
from sitegen.errors import BadInput, Level, Problems, StrictNotices, Unfinished
from sitegen.exceptions import check_needed, load_exceptions
from sitegen.fetched import with_fetched
from sitegen.lists import load_lists
from sitegen.offline import pack
from sitegen.pages.crawlers import sitemaps
from sitegen.pages.kinds import PAGE_KINDS
from sitegen.pages.moved import answers
from sitegen.permalinks import Followed, check_lost, follow, listing, published
from sitegen.places import refuse_files, refuse_foreign
from sitegen.plan import Plan, make_plan
from sitegen.progress import Progress
from sitegen.published import Published, load_published
from sitegen.rankings import load_rankings
from sitegen.read import find_files
from sitegen.rules import pairs as pair_rules
from sitegen.rules import site as site_rules
from sitegen.rules.codes import ALWAYS_STOP, Effect, effect
from sitegen.runs import RowReader
from sitegen.site import Site, Texts, assemble
from sitegen.summary import since
from sitegen.texts import TextStore
from sitegen.unchanged import state_of
from sitegen.workers import Work, chunks, workers
from sitegen.write import Written, staged


@dataclass(frozen=True)
class Report:
    """What a build or a check found and did; `written` is None for a check."""

    site: Site
    problems: Problems
    plan: Plan
    written: Written | None
    seconds: dict[str, float]
    state: tuple[str, list[str]] | None = None  # of the output, for the next build to know it by

    @property
    def counts(self) -> dict[str, int]:
        files = self.site.files
        found = {
            "files": len(files),
            "rows": sum(f.rows for f in files),
            "runs": sum(f.runs for f in files),
            "duplicates": sum(f.duplicates for f in files),
            "refused": sum(f.refused for f in files),
            "results": len(self.site.results),
            "models": len(self.site.models),
            "pairs": len(self.site.pairs),
            "pages": self.plan.pages,
            "outputs": len(self.plan.outputs),
        }
        return found | (self.written.counts if self.written else {})


Say = Callable[[str], None]


def build(settings: Settings, progress: Progress | None = None, say: Say = lambda _: None) -> Report:
    """Builds the site into `settings.out`. Raises a SitegenError; then the last good site is as it was.

    What changed since an earlier build, where the settings name one, is said before anything is written.
    """
    progress = progress or Progress()
    refuse_foreign(settings.out, _inputs(settings))
    _refuse_reports(settings)
    with staged(settings.out) as stage, TextStore(stage.texts) as store:
        site, problems = load(settings, store, progress)
        previous = load_published(settings.previous, site.redact) if settings.previous else None
        plan = kept(site, previous, problems, say)
        changed: list[str] = []
        work = Work(site, partial(_plan, site, previous), store.flushed(), stage.out)
        # Progress may have a thread of its own, so the processes come first.
        with workers(work, plan) as done, progress.stage("render", len(plan.outputs)):
            for outputs, differ in done(chunks(plan.outputs)):
                changed += differ
                progress.advance(outputs)
        if settings.zip:
            with progress.stage("zip"):
                changed += [urls.ZIP] * pack(stage, plan.paths - {urls.ZIP})
        with progress.stage("write"):
            written = stage.publish(plan.paths, changed)
        state = state_of(str(settings.out), plan.paths)
    return Report(site, problems, plan, written, progress.seconds, state)


def inspect(settings: Settings, progress: Progress | None = None, say: Say = lambda _: None) -> Report:
    """The same line stopped before `render`: writes nothing."""
    progress = progress or Progress()
    _refuse_reports(settings)
    with TextStore() as store:
        site, problems = load(settings, store, progress)
        previous = load_published(settings.previous, site.redact) if settings.previous else None
        return Report(site, problems, kept(site, previous, problems, say), None, progress.seconds)


def _inputs(settings: Settings) -> list[Path]:
    own = [packaged(name) for name in ("content", "templates", "static")]
    return [path for path in (settings.data, settings.content, *own) if path]


def _refuse_reports(settings: Settings) -> None:
    reports = {"--json-report": settings.json_report, "--changes": settings.changes}
    refuse_files(reports, settings.out, [*_inputs(settings), *([settings.previous] if settings.previous else [])])


def load(settings: Settings, store: TextStore, progress: Progress) -> tuple[Site, Problems]:
    """Everything up to the checked site. Raises BadInput for errors, StrictNotices for notices under --strict."""
    problems = Problems()
    problems.exempt = load_exceptions(settings.data, problems)
    content = Content(tuple(path for path in (settings.content, packaged("content")) if path))
    catalog = load_catalog(settings.data / "catalog.toml", problems)
    redaction = catalog.redact
    if redaction is None:  # no --keep-going may pass over this: it would publish what shall not be
        raise BadInput("catalog.toml does not say what shall be redacted; nothing was read or written", problems)
    problems.mask = redaction
    texts = Texts(
        load_words(content, problems),
        load_docs(content, problems),
        load_caveats(content, problems),
        load_lists(content, settings.data, problems),
    )
    files = find_files(settings.data, problems)
    catalog = with_fetched(catalog, settings.data, {file.name: file.size for file in files}, problems)
    with progress.stage("read", len(files)):
        reading = RowReader(texts.words, store, problems, redaction).read(files, progress.advance)
    rankings = load_rankings(settings.data / "rankings", problems)
    with progress.stage("check"):
        site = assemble(settings, catalog, texts, reading, rankings, problems)
        pair_rules.check(site, problems)
        site_rules.check(site, problems)
        check_needed(problems)
    stop_on(problems, settings)
    return replace(site, problems=tuple(problem for problem in problems if problem.place.file)), problems


def stop_on(problems: Problems, settings: Settings) -> None:
    """Raises what the problems that are not accepted demand."""
    problems.accept()
    errors = problems.at(Level.ERROR)
    if faults := [str(problem) for problem in errors if effect(problem) is Effect.FAULT]:
        raise Unfinished(*faults)
    if any(not settings.keep_going or problem.code in ALWAYS_STOP for problem in errors):
        raise BadInput(f"{len(errors)} error{'s' * (len(errors) > 1)} in the input; nothing was written", problems)
    notices = problems.at(Level.NOTICE)
    if settings.strict and (notices or errors):
        many = len(notices) + len(errors)
        raise StrictNotices(f"{many} notice{'s' * (many > 1)} under --strict; nothing was written", problems)


def kept(site: Site, previous: Published | None, problems: Problems, say: Say) -> Plan:
    """The plan, when what it loses of an earlier build may be lost. Raises StrictNotices under --strict."""
    plan, followed, now = plan_site(site, previous)
    if previous is not None:
        for line in since(site, previous, now, followed.went):
            say(f"since the earlier build: {line}")
        check_lost(previous, followed, now, problems)
        stop_on(problems, site.settings)
    return plan


def plan_site(site: Site, previous: Published | None) -> tuple[Plan, Followed, Published]:
    """What will be written, what becomes of the addresses of an earlier build, and the addresses of this one."""
    outputs = [output for kind in PAGE_KINDS for output in kind.plan(site)]
    outputs += load_assets(packaged("static")).outputs()
    outputs += sitemaps(site, tuple(outputs))
    planned = {output.path: output for output in outputs}
    followed = follow(site, previous or Published(), planned)
    outputs += answers(site, followed, planned)
    outputs.append(listing(site, outputs, followed))
    plan = make_plan(outputs)
    if site.settings.zip:  # made of all the others, once these are staged
        plan = replace(plan, paths=plan.paths | {urls.ZIP})
    return plan, followed, published(site, outputs, followed)


def _plan(site: Site, previous: Published | None) -> Plan:
    return plan_site(site, previous)[0]
