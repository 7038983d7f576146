"""Builds that are killed at random points, each followed by a look at the site and by the build that must recover.

    python -m tests.fuzz.kills --runs 100 [--seed 1] [--keep DIR]

A run has one or two processes that render, an earlier site or none, `site.zip` or not. What is killed is all of them,
only the one that leads, or only one that renders. The moment is spread over the whole duration, and in a third of the
runs it lies where the new site takes its place. All is decided by the seed but how far the build has come by then.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random

from sitegen import cli
from tests.fuzz.points import beside, contents
from tests.make_results import write_results

GONE_IN = 5.0  # seconds in which whatever a killed build has started must have ended
WHOM = ("all", "the leader", "a renderer")


@dataclass(frozen=True)
class Kill:
    """Whom to kill, when (as a share of the duration; from 1 on at the swap), and of which build."""

    whom: str
    share: float
    jobs: int
    earlier: bool
    zip: bool


def chosen(random: Random, runs: int) -> Iterator[Kill]:
    """The runs, with the moments spread evenly and the rest by the dice."""
    for number in range(runs):
        share = (number + random.random()) / runs * 1.5
        whom, jobs = random.choice(WHOM), random.choice((1, 2))
        yield Kill(whom if jobs > 1 else "all", share, jobs, random.random() < 0.7, random.random() < 0.5)


class Process:
    """A build in a copy of this process, which spares it the imports, at the head of a group of its own."""

    def __init__(self, folder: Path, words: Sequence[str], said: Path | None = None) -> None:
        """Runs in the folder. What it says goes into the file `said`, or one in that folder."""
        self.said, self.code = said or folder / "said", 0
        self.pid = os.fork()
        if self.pid == 0:
            code = 99
            try:
                os.setsid()
                os.chdir(folder)
                descriptor = os.open(self.said, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
                for number in (1, 2):
                    os.dup2(descriptor, number)
                sys.stdout, sys.stderr = open(1, "w", closefd=False), open(2, "w", closefd=False)  # noqa: SIM115
                sys.argv = ["sitegen", *words]
                cli.main()
                code = 0
            except SystemExit as error:
                code = error.code if isinstance(error.code, int) else 98
            finally:
                sys.stdout.flush()
                sys.stderr.flush()
                os._exit(code)

    def running(self) -> bool:
        """Whether it has not ended; it stays there to be waited for."""
        return os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None

    def wait(self) -> str:
        """What it said, when it has ended; `code` is below 0 where a signal ended it."""
        self.code = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        return self.said.read_text("utf-8")


class Workshop:
    """A folder with two data folders, and what a clean build makes of each, with the archive and without."""

    def __init__(self, folder: Path, models: int) -> None:
        self.folder = folder
        self.clean: dict[tuple[str, bool], dict[str, bytes]] = {}
        for seed, data in enumerate(("old", "new")):
            write_results(folder / data, pairs=2, models=models, seed=seed, ranked=5)
            for archive in (False, True):
                start = time.monotonic()
                self.finished(data, archive, f"{data}-{archive}")
                self.took = time.monotonic() - start
                self.clean[data, archive] = contents(folder / f"{data}-{archive}")

    def started(self, data: str, archive: bool, out: str, jobs: int) -> Process:
        words = ["build", "-q", "--data", data, "--out", out, "--jobs", str(jobs)]
        return Process(self.folder, [*words, *["--zip"] * archive])

    def finished(self, data: str, archive: bool, out: str) -> None:
        process = self.started(data, archive, out, 1)
        said = process.wait()
        assert process.code == 0, said

    def run(self, kill: Kill) -> str:
        """One build, killed. Says how it ended. Raises AssertionError where a promise is broken."""
        out = self.folder / "site"
        shutil.rmtree(out, ignore_errors=True)
        if kill.earlier:
            shutil.copytree(self.folder / f"old-{kill.zip}", out)
        old = self.clean["old", kill.zip] if kill.earlier else {}
        new = self.clean["new", kill.zip]
        process = self.started("new", kill.zip, "site", kill.jobs)
        with looked_at(out, kill.earlier) as seen:
            at_work = self.kill(process, kill)
            said = process.wait()
        assert not seen, f"{kill}: {seen[0]}"
        ended(at_work, kill)
        found = contents(out) if out.exists() else {}
        assert found in (old, new), f"{kill}: {len(found)} files, neither old nor new; {said}"
        assert "Traceback" not in said, f"{kill}: {said}"
        if process.code not in (0, -signal.SIGKILL):
            assert (kill.whom, process.code) == ("a renderer", 4), f"{kill}: {process.code}, {said}"
            assert "ended from outside" in said, f"{kill}: {said}"
        self.finished("new", kill.zip, "site")
        assert contents(out) == new, f"{kill}: the next build does not equal a clean one"
        assert not beside(out), f"{kill}: the next build leaves {beside(out)}"
        came = "finished" if process.code == 0 else "new site" if found == new else "old site" if old else "no site"
        return f"{kill.whom} killed: {came}"

    def kill(self, process: Process, kill: Kill) -> list[int]:
        """Waits for the moment and kills. The processes that were at work."""
        if kill.share < 1:
            time.sleep(self.took * kill.share)
        else:
            self._await_swap(process, kill.earlier)
            time.sleep((kill.share - 1) * 0.02)
        at_work = [process.pid, *children_of(process.pid)]
        with suppress(ProcessLookupError, IndexError):
            if kill.whom == "all":
                os.killpg(process.pid, signal.SIGKILL)
            else:
                os.kill(at_work[0 if kill.whom == "the leader" else 1], signal.SIGKILL)
        return at_work

    def _await_swap(self, process: Process, earlier: bool) -> None:
        """Until the last files are put onto the stage, which is right before the swap: its first link, or its end."""
        stage, sample = self.folder / ".site.sitegen-stage", "index.html"
        old, new = self.clean["old", False], self.clean["new", False]
        kept = next((path for path, data in new.items() if old.get(path) == data), sample)
        while process.running() and not (stage / (kept if earlier else sample)).exists():
            time.sleep(0.001)


class looked_at:  # noqa: N801 - read as a verb
    """Looks for one file of the site without pause: once there it is there at every moment. Collects what is not so."""

    def __init__(self, out: Path, there: bool) -> None:
        self.path, self.there, self.found = str(out / "index.html"), there, list[str]()
        self.over, self.thread = threading.Event(), threading.Thread(target=self._look, daemon=True)

    def _look(self) -> None:
        while not self.over.is_set():
            try:
                os.close(os.open(self.path, os.O_RDONLY))
                self.there = True
                time.sleep(0.0002)
            except FileNotFoundError:
                if self.there:
                    self.found.append("the site was not there for a moment")

    def __enter__(self) -> list[str]:
        self.thread.start()
        return self.found

    def __exit__(self, *_: object) -> None:
        self.over.set()
        self.thread.join()


def children_of(pid: int) -> list[int]:
    with suppress(OSError):
        text = Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii")
        return [int(word) for word in text.split()]
    return []


def ended(processes: Sequence[int], kill: Kill) -> None:
    """Raises AssertionError where one of the processes is still at work after a while."""
    until = time.monotonic() + GONE_IN
    while time.monotonic() < until:
        if not any(alive(pid) for pid in processes):
            return
        time.sleep(0.01)
    raise AssertionError(f"{kill}: processes are left: {[pid for pid in processes if alive(pid)]}")


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text("ascii", "replace").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m tests.fuzz.kills", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--models", type=int, default=12, help="of the catalogue, under two pairs (12)")
    asked = parser.parse_args()
    counts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory(prefix="sitegen-kills-") as folder:
        shop = Workshop(Path(folder), asked.models)
        for kill in chosen(Random(asked.seed), asked.runs):
            counts[shop.run(kill)] += 1
    for what, count in sorted(counts.items()):
        print(f"{count:4} {what}")
    print(f"{asked.runs} builds were killed; each left the old site or the new one, and the next equalled a clean one")


if __name__ == "__main__":
    main()
