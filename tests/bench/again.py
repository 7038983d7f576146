"""The parts that build again: nothing changed, and one file of all changed."""

from __future__ import annotations

import hashlib
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

from tests.bench import generators
from tests.bench.generators import SITEGEN
from tests.bench.measure import Command, Series, in_turn, run, say
from tests.bench.part import PAIRS, Figures, Options, of
from tests.bench.ratios import Reached
from tests.bench.workshop import ROOT, Workshop, sitegen

AGAIN = 11  # runs at least of what takes a moment: one alone says little


def unchanged(shop: Workshop, options: Options) -> Figures:
    """A build of what is built already, against a Python that does nothing."""
    pages = options.sizes.usual
    catalogue = shop.catalogue("unchanged", f"--models={pages // PAIRS}")
    build = sitegen(catalogue / "data", catalogue / "site")
    run(build)
    before = states(catalogue / "site")
    nothing = Command((sys.executable, "-c", "pass"), ROOT)
    found = in_turn({"nothing changed": lambda: build, "python -c pass": lambda: nothing}, max(options.runs, AGAIN))
    touched = len(changes(before, states(catalogue / "site")).written)
    lines = [f"{pages:,} results, {name}: {series}" for name, series in found.items()]
    lines.append(f"{len(before):,} outputs, of which these builds wrote {touched}")
    ratio = found["nothing changed"].wall / found["python -c pass"].wall
    return Figures(tuple(lines), (Reached("unchanged", ratio, of(pages)),))


def changed(shop: Workshop, options: Options) -> Figures:
    """The newest of 20 files with its runs made again, each time in another way; and what was written then."""
    pages = options.sizes.usual
    catalogue = shop.catalogue("changed", f"--models={pages // PAIRS}", f"--edits={options.runs}")
    data, site = catalogue / "data", catalogue / "site"
    first, later, wrote = [], [], []
    for number in range(1, options.runs + 1):
        first.append(run(generators.cold(shop, SITEGEN, catalogue)()))
        before = states(site)
        (edit,) = (catalogue / "edits" / str(number)).glob("*.parquet")
        shutil.copy(edit, data / "next")
        (data / "next").replace(data / edit.name)
        later.append(run(sitegen(data, site)))
        wrote.append(changes(before, states(site)))
        say(f"  run {number} of {options.runs}: cold {first[-1].wall:.2f} s, changed {later[-1].wall:.2f} s")
    cold, again, last = Series(tuple(first)), Series(tuple(later)), wrote[-1]
    pair = edit.stem.removeprefix("neuronx-cc-").replace("--", "-").replace("+", "-")
    others = [path for path in last.written if is_result(path) and pair not in path.split("/")]
    lines = (
        f"{pages:,} results, cold: {cold}",
        f"{pages:,} results, one of {PAIRS} files changed: {again}",
        f"of {last.outputs:,} outputs {len(last.written):,} were written, {len(others):,} of other files' results",
        f"{len(last.needless):,} of these are as they were before ({', '.join(last.needless[:3]) or 'none'})",
    )
    needless = max(len(one.needless) for one in wrote)
    return Figures(
        lines, (Reached("changed", again.cpu / cold.cpu, of(pages)), Reached("rewritten", needless, of(pages)))
    )


def is_result(path: str) -> bool:
    """Whether an output belongs to the page of one model under one pair: models/<owner>/<name>/<pair>/..."""
    return path.startswith("models/") and path.count("/") >= 4


# ------------------------------------------------------------------------------------ what a build wrote


@dataclass(frozen=True)
class State:
    """A file as it lies there: whether it was written again shows in the first two, whether it changed in the last."""

    inode: int
    time: int
    content: bytes


@dataclass(frozen=True)
class Changes:
    """What happened to the outputs between two looks."""

    outputs: int
    written: tuple[str, ...]
    needless: tuple[str, ...]  # written, and as they were


def states(site: Path) -> dict[str, State]:
    """The outputs, by path; names with a dot first are the build's own notes."""
    found = {}
    for path in site.rglob("*"):
        name = path.relative_to(site).as_posix()
        if path.is_file() and not any(part.startswith(".") for part in name.split("/")):
            about = path.stat()
            found[name] = State(about.st_ino, about.st_mtime_ns, hashlib.sha256(path.read_bytes()).digest())
    return found


def changes(before: dict[str, State], after: dict[str, State]) -> Changes:
    written = sorted(name for name, state in after.items() if before.get(name) != state)
    same = (name for name in written if name in before and before[name].content == after[name].content)
    return Changes(len(after), tuple(written), tuple(same))
