"""What changed since the model's previous result: outcome and check, script, stack, error, figures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from markupsafe import Markup

from sitegen.cells import NOT_RECORDED, Cell, capacity, cores, memory, seconds
from sitegen.diff import diff
from sitegen.history import TRANSITIONS, previous, transition
from sitegen.model import Model, Result, Run
from sitegen.pages.evidence import installed, short
from sitegen.pages.parts import Status, pair_text, status
from sitegen.plan import Link
from sitegen.reproduce import PACKAGE_NAMES
from sitegen.safe import diffed
from sitegen.site import Site
from sitegen.texts import TextReader


@dataclass(frozen=True)
class PackageChange:
    """A package whose version differs, or is recorded on one side only; None is "not recorded"."""

    name: str
    old: str | None
    new: str | None


@dataclass(frozen=True)
class HunkView:
    header: str
    lines: Markup


@dataclass(frozen=True)
class ScriptChange:
    """`state` is `equal`, `same-lines` (other bytes), `differs`, `too-much` (see `reason`) or `missing` (on a side)."""

    state: str
    hunks: tuple[HunkView, ...] = ()
    added: int = 0
    removed: int = 0
    reason: str = ""


@dataclass(frozen=True)
class Figure:
    """A figure under both pairs, as recorded."""

    name: str
    old: Cell
    new: Cell


@dataclass(frozen=True)
class ErrorWords:
    """What a run's error amounts to: its signature, or words where it has none."""

    signature: str | None
    words: str


@dataclass(frozen=True)
class Changes:
    """A result beside the one before it. `also` names what differs beside the pair, so that the pair may not be why."""

    before: Link
    old: Status
    new: Status
    transition: str
    also: tuple[str, ...]
    open: bool  # something but the pair changed
    script: ScriptChange
    packages: tuple[PackageChange, ...]
    same_packages: int
    unrecorded: tuple[str, ...]  # packages of which neither row records a version
    same_error: bool
    old_error: ErrorWords
    new_error: ErrorWords
    figures: tuple[Figure, ...]


def changes(site: Site, model: Model, result: Result, reader: TextReader) -> Changes | None:
    """None for a model's first result with its library."""
    earlier = previous(model, result)
    if earlier is None:
        return None
    old, new = earlier.headline, result.headline
    before, now = status(site, model, earlier), status(site, model, result)
    script = _script(old, new, reader)
    also = tuple(_also(old, new))
    stack = [*_stack(site, old, new), *_installed(old, new, reader)]
    packages = tuple(change for change in stack if change.old != change.new)
    said = [(s.label, s.verification, run.signature, run.error is None) for s, run in ((before, old), (now, new))]
    return Changes(
        Link(pair_text(site, earlier.pair), site.addresses.result(model.id, earlier.pair)),
        before,
        now,
        TRANSITIONS[transition(site.outcome(model, earlier), site.outcome(model, result))],
        also,
        said[0] != said[1] or bool(also) or script.state != "equal" or len(packages) > _of_pair(old, new),
        script,
        packages,
        sum(change.old == change.new is not None for change in stack),
        tuple(change.name for change in stack if change.old is None and change.new is None),
        old.signature == new.signature and (old.error is None) == (new.error is None),
        _error(old),
        _error(new),
        _figures(site, old, new),
    )


def _error(run: Run) -> ErrorWords:
    if run.error is None:
        return ErrorWords(None, "no error recorded")
    return ErrorWords(run.signature, "an error without a signature")


def _also(old: Run, new: Run) -> Iterator[str]:
    """What the two runs do not share beside the pair, in words."""
    for name, before, now in (("cores", old.tp, new.tp), ("runner", old.runner, new.runner)):
        if before != now:
            words = [NOT_RECORDED if value is None else short(str(value)) for value in (before, now)]
            yield f"{name}: {words[0]} before, {words[1]} now"


def _script(old: Run, new: Run, reader: TextReader) -> ScriptChange:
    if old.run_py is None or new.run_py is None:
        sides = [word for word, run in (("before", old), ("now", new)) if run.run_py is None]
        return ScriptChange("missing", reason=" and ".join(sides))
    if old.run_py.sha256 == new.run_py.sha256:
        return ScriptChange("equal")
    found = diff(reader.text(old.run_py) or "", reader.text(new.run_py) or "")
    if found.too_much:
        return ScriptChange("too-much", reason=found.too_much)
    hunks = tuple(
        HunkView(hunk.header, diffed((line.kind, line.old, line.new, line.html) for line in hunk.lines))
        for hunk in found.hunks
    )
    return ScriptChange("differs" if hunks else "same-lines", hunks, found.added, found.removed)


def _stack(site: Site, old: Run, new: Run) -> Iterator[PackageChange]:
    yield PackageChange("extra packages", *(run.extra_packages and short(run.extra_packages) for run in (old, new)))
    yield PackageChange(site.catalog.compiler, old.pair.compiler, new.pair.compiler)
    library = new.pair.library
    recorded = dict(new.stack)
    if library is not None and library not in recorded:
        yield PackageChange(library, old.pair.library_version, new.pair.library_version)
    for name, version in old.stack:
        both = [version, recorded[name]]
        if name == library:  # the pair says it too
            both = [version or old.pair.library_version, recorded[name] or new.pair.library_version]
        yield PackageChange(PACKAGE_NAMES.get(name, name), both[0], both[1])


def _of_pair(old: Run, new: Run) -> int:
    """How many of the package changes are the pair's own."""
    return sum(
        before != now
        for before, now in (
            (old.pair.compiler, new.pair.compiler),
            (old.pair.library_version, new.pair.library_version),
        )
    )


def _installed(old: Run, new: Run, reader: TextReader) -> Iterator[PackageChange]:
    """Of the lists of installed packages, where both rows have one."""
    before, now = ({p.name: p.version for p in installed(reader.text(run.packages))} for run in (old, new))
    if before and now:
        for name in sorted({*before, *now}, key=str.casefold):
            yield PackageChange(name, before.get(name), now.get(name))


def _figures(site: Site, old: Run, new: Run) -> tuple[Figure, ...]:
    return (
        Figure("Cores", cores(old), cores(new)),
        Figure(site.catalog.memory_label, memory(old), memory(new)),
        Figure("Memory capacity", capacity(old), capacity(new)),
        Figure("Wall time, compilation included", seconds(old), seconds(new)),
    )
