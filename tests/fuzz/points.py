"""The n-th call of a build to the file system fails, or is the last one: for every n, and without another tool.

    python -m tests.fuzz.points            every call of the publishing of a few files: a minute
    python -m tests.fuzz.points --step 50  and every fiftieth of whole builds of a tiny catalogue

Calls are counted where Python itself tells of them (audit events: open, mkdir, link, rename, remove, rmdir, chmod) and
where it does not by functions put around them (write, truncate, the exchange of two folders). Only what lies in the
folder of the test counts. A process that ends right before call n+1 has ended right after call n.
"""

from __future__ import annotations

import argparse
import errno
import os
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sitegen import write
from sitegen.errors import SitegenError

KILLED, REACHED, DONE, STOPPED = 9, 1, 2, 4  # how a child ends; REACHED is added where call n came
EVENTS = {"open", "os.mkdir", "os.link", "os.rename", "os.remove", "os.rmdir", "os.chmod"}
Work = Callable[[Path], object]


@dataclass(frozen=True)
class Fault:
    """What happens at call `number`: the process ends, or the call fails (and `on`, all like it after that)."""

    number: int
    kill: bool
    on: bool = False
    exchange: bool = True  # whether the system can exchange two folders in one step


@dataclass(frozen=True)
class Ended:
    """How a build with a fault ended: whether the fault came, whether the build was killed, and what it said."""

    reached: bool
    killed: bool
    done: bool
    said: str


class Calls:
    """Counts the calls in a folder and lets one of them be the last, or fail."""

    def __init__(self, folder: Path, fault: Fault) -> None:
        self.folder, self.fault, self.count = str(folder), fault, 0
        self.reached = False

    def install(self) -> None:
        sys.addaudithook(self._event)
        for name in ("write", "pwrite", "ftruncate"):
            setattr(os, name, self._around(getattr(os, name)))
        real = write._exchange
        write._exchange = self._around(real if self.fault.exchange else lambda *_: False)

    def _event(self, event: str, given: tuple[Any, ...]) -> None:
        if event in EVENTS and self._is_here(given[0]):
            self._call(event)

    def _is_here(self, path: object) -> bool:
        text = os.fsdecode(path) if isinstance(path, str | bytes | os.PathLike) else ""
        return bool(text) and ("/" not in text or text.startswith(self.folder))

    def _around(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*given: Any) -> Any:
            self._call(function.__name__)
            return function(*given)

        return counted

    def _call(self, name: str) -> None:
        self.count += 1
        if self.count == self.fault.number:
            self.reached = True
            if self.fault.kill:
                os._exit(KILLED)
        grows = name in ("open", "os.mkdir", "os.link", "write", "pwrite")
        if not self.fault.kill and (
            self.count == self.fault.number or (self.fault.on and grows and self.count > self.fault.number)
        ):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def run(work: Work, folder: Path, fault: Fault) -> Ended:
    """The work in a copy of this process, with the fault."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        code = 0
        try:
            os.close(reading)
            calls, say = Calls(folder, fault), os.write
            calls.install()
            try:
                work(folder)
                code = DONE
            except SitegenError as error:
                code = STOPPED
                say(writing, str(error).encode())
            code += REACHED * calls.reached
        finally:
            os._exit(code)
    os.close(writing)
    with os.fdopen(reading, "rb") as stream:
        said = stream.read().decode()
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if status == 0:
        raise AssertionError(f"{fault}: the work ended with something that is no error of sitegen")
    killed = status == KILLED
    return Ended(killed or bool(status & REACHED), killed, not killed and bool(status & DONE), said)


def contents(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def beside(out: Path) -> set[str]:
    """What lies beside the output and is sitegen's, apart from the state of the last build."""
    return {path.name for path in out.parent.glob(f".{out.name}.sitegen-*")} - {f".{out.name}.sitegen-state"}


@dataclass(frozen=True)
class Trial:
    """Two works on `folder/site`, from `old` (None: no earlier site) to `new`, and what each leaves."""

    make_old: Work | None
    make_new: Work
    old: dict[str, bytes]
    new: dict[str, bytes]

    def check(self, folder: Path, fault: Fault) -> Ended:
        """Runs the new work with the fault on a fresh folder. Raises AssertionError where a promise is broken."""
        out = folder / "site"
        if self.make_old:
            self.make_old(folder)
        ended = run(self.make_new, folder, fault)
        found = contents(out) if out.exists() else {}
        between = ended.killed and not fault.exchange and not out.exists()
        assert between or found in (self.old, self.new), f"{fault}: neither old nor new"
        if not ended.killed:
            assert not ended.done or found == self.new, f"{fault}: done, but not new"
            assert ended.done or ended.said, f"{fault}: said nothing"
            assert "nothing in" not in ended.said.lower() or found == self.old, f"{fault}: {ended.said}, but it is new"
            assert "is in its place" not in ended.said or found == self.new, f"{fault}: {ended.said}, but it is old"
        self.make_new(folder)
        assert contents(out) == self.new, f"{fault}: the next build does not equal a clean one"
        assert not beside(out), f"{fault}: the next build leaves {beside(out)}"
        return ended


def trials(trial: Trial, base: Path, step: int) -> Counter[str]:
    """Every step-th call, for each kind of fault, until no call is that late. Counts what happened."""
    counts: Counter[str] = Counter()
    for kind in kinds():
        number = 1
        while True:
            folder = Path(tempfile.mkdtemp(dir=base))
            ended = trial.check(folder, Fault(number, kind.kill, kind.on, kind.exchange))
            shutil.rmtree(folder)
            if not ended.reached:
                break
            counts["killed" if ended.killed else "done all the same" if ended.done else "stopped with a message"] += 1
            number += step
    return counts


def kinds() -> Iterator[Fault]:
    """Each kind of fault, with and without the exchange."""
    for exchange in (True, False):
        yield Fault(0, True, False, exchange)
        yield Fault(0, False, False, exchange)
        yield Fault(0, False, True, exchange)


def main() -> None:
    from tests.fuzz.tiny import few, trial_of_builds, trial_of_publishing

    parser = argparse.ArgumentParser(
        prog="python -m tests.fuzz.points", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--step", type=int, help="also whole builds, at every step-th call")
    asked = parser.parse_args()
    for earlier in (True, False):
        with tempfile.TemporaryDirectory(prefix="sitegen-points-") as name:
            base = Path(name)
            what = f"{'with' if earlier else 'without'} an earlier site"
            print(f"publishing {what}: {dict(trials(trial_of_publishing(base, earlier, few), base, 1))}", flush=True)
            if asked.step:
                trial = trial_of_builds(base / "whole", earlier)
                print(f"whole builds {what}: {dict(trials(trial, base, asked.step))}", flush=True)


if __name__ == "__main__":
    main()
