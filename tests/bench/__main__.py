"""Times builds of invented catalogues: cold, nothing changed, one file of all changed; and the largest process.

    python -m tests.bench [--pairs 5] [--models 400] [--runs 3]

Prints a line a measurement: median and range of wall seconds, CPU seconds, and the largest process in MiB. Old output
is moved away and not deleted between runs: deleting many files slows the file system for the run that follows.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.make_results import write_results


@dataclass(frozen=True)
class Measured:
    wall: float
    cpu: float
    mib: float


def run(data: Path, out: Path) -> Measured:
    """One build in a process of its own."""
    start = time.perf_counter()
    process = os.posix_spawn(
        sys.executable,
        [sys.executable, "-m", "sitegen", "build", "-q", "--data", str(data), "--out", str(out)],
        os.environ,
    )
    _, status, usage = os.wait4(process, 0)
    if status:
        raise SystemExit(f"the build ended with status {status}")
    return Measured(time.perf_counter() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def report(name: str, found: list[Measured]) -> None:
    walls = sorted(m.wall for m in found)
    cpu = statistics.median(m.cpu for m in found)
    print(
        f"{name:<28} wall {statistics.median(walls):6.2f} s [{walls[0]:.2f}-{walls[-1]:.2f}]"
        f"   CPU {cpu:6.2f} s   largest process {max(m.mib for m in found):.0f} MiB"
    )


def measure(name: str, runs: int, prepare: Callable[[int], None], data: Path, out: Path) -> None:
    found = []
    for number in range(runs):
        prepare(number)
        found.append(run(data, out))
    report(name, found)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--models", type=int, default=400)
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="sitegen-bench-") as folder:
        data, out, other = Path(folder, "data"), Path(folder, "site"), Path(folder, "other")
        write_results(data, pairs=options.pairs, models=options.models, seed=1, ranked=options.models // 2)
        write_results(other, pairs=options.pairs, models=options.models, seed=2, ranked=options.models // 2)
        files = sorted(data.glob("*.parquet"))
        print(
            f"{options.pairs} pairs, {options.models} models, {options.runs} runs each, Python {sys.version.split()[0]}"
        )

        def cold(number: int) -> None:
            if out.exists():
                out.rename(Path(folder, f"old-{number}"))

        def one_changed(number: int) -> None:
            source = other if number % 2 == 0 else data
            shutil.copy(source / files[0].name, Path(folder, "next.parquet"))
            Path(folder, "next.parquet").replace(files[0])

        measure("cold", options.runs, cold, data, out)
        measure("nothing changed", options.runs, lambda _: None, data, out)
        measure("one file changed", 1, one_changed, data, out)


if __name__ == "__main__":
    main()
