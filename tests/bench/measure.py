"""Runs one command as a process of its own, and says what it cost: wall time, CPU time, memory.

CPU is user and system time of the process and of all that it waited for. The largest process is the system's own
figure, which never falls below the size of the process that started it: so nothing that measures loads pyarrow, and
what makes the catalogues is a process of its own.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

SAMPLED_EVERY = 0.05  # seconds


@dataclass(frozen=True)
class Command:
    """What is run, where, and with which additions to the environment."""

    words: tuple[str, ...]
    folder: Path
    environment: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Measured:
    """What one run cost."""

    wall: float
    cpu: float
    largest: float  # MiB of the largest process
    others: float  # cores that the rest of the machine used meanwhile
    tree: float = 0  # MiB of all processes together, where that was asked for


@dataclass(frozen=True)
class Series:
    """Several runs of the same."""

    runs: tuple[Measured, ...]

    @property
    def wall(self) -> float:
        return statistics.median(run.wall for run in self.runs)

    @property
    def cpu(self) -> float:
        return statistics.median(run.cpu for run in self.runs)

    @property
    def largest(self) -> float:
        return max(run.largest for run in self.runs)

    @property
    def tree(self) -> float:
        return max(run.tree for run in self.runs)

    def __str__(self) -> str:
        texts = [f"wall {spread([run.wall for run in self.runs])} s", f"CPU {spread([run.cpu for run in self.runs])} s"]
        texts.append(f"largest process {self.largest:.0f} MiB")
        texts += [f"whole tree {self.tree:.0f} MiB"] if self.tree else []
        others = statistics.median(run.others for run in self.runs)
        return ", ".join([*texts, f"{len(self.runs)} run{'s' * (len(self.runs) > 1)}, others used {others:.2f} cores"])


def spread(values: Sequence[float]) -> str:
    """The median and, of several, the range."""
    median = f"{statistics.median(values):.2f}"
    return median if len(values) == 1 else f"{median} [{min(values):.2f}-{max(values):.2f}]"


def run(command: Command, *, sample: bool = False) -> Measured:
    """Runs the command once, after what was written before has reached the disk. Ends the benchmark where it fails."""
    os.sync()
    environment = {**os.environ, **command.environment}
    busy, start = busy_seconds(), time.perf_counter()
    process = subprocess.Popen(command.words, cwd=command.folder, env=environment, stdout=subprocess.DEVNULL)
    with sampled(process.pid, sample) as peak:
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(command.words)} ended with status {process.returncode}")
    cpu = usage.ru_utime + usage.ru_stime
    others = max(0.0, busy_seconds() - busy - cpu) / wall
    return Measured(wall, cpu, usage.ru_maxrss / 1024, others, peak())


def in_turn(commands: Mapping[str, Callable[[], Command]], runs: int) -> dict[str, Series]:
    """Each command once, then each again: what the machine does meanwhile falls on all of them alike.

    A function prepares the run, untimed, and gives the command.
    """
    found: dict[str, list[Measured]] = {name: [] for name in commands}
    for number in range(runs):
        for name, prepare in commands.items():
            found[name].append(run(prepare()))
            say(f"  {name}, run {number + 1} of {runs}: {found[name][-1].wall:.2f} s")
    return {name: Series(tuple(measured)) for name, measured in found.items()}


def say(text: str) -> None:
    print(text, flush=True)


def busy_seconds() -> float:
    """CPU seconds that the whole machine has worked; 0 where the system doesn't say (it must be Linux)."""
    try:
        words = Path("/proc/stat").read_text("ascii").split("\n", 1)[0].split()[1:9]
    except OSError:
        return 0
    user, nice, system, _idle, _wait, *rest = (int(word) for word in words)
    return (user + nice + system + sum(rest)) / os.sysconf("SC_CLK_TCK")


# ------------------------------------------------------------------------------------- memory of all processes


@contextmanager
def sampled(process: int, wanted: bool) -> Iterator[Callable[[], float]]:
    """Watches a process and its descendants from a thread. Gives a function for the most seen at once, in MiB."""
    over, seen = threading.Event(), [0]

    def watch() -> None:
        while wanted and not over.wait(SAMPLED_EVERY):
            seen.append(sum(map(pss, descendants(process))))

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield lambda: max(seen) / 1024
    finally:
        over.set()
        thread.join()


def descendants(process: int) -> Iterator[int]:
    """The process and all below it."""
    yield process
    for thread in Path(f"/proc/{process}/task").glob("*"):
        try:
            children = (thread / "children").read_text("ascii").split()
        except OSError:  # it has ended
            continue
        for child in children:
            yield from descendants(int(child))


def pss(process: int) -> int:
    """Its memory in KiB; what it shares with others counts by its share."""
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text("ascii").splitlines()
    except OSError:  # it has ended
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("Pss:")), 0)
