"""Memory and time of builds from input that is large in one way: what a build may need follows from its largest part.

    python -m tests.bench bounds

Each input is made by a process of its own (`python -m tests.bench.bounds NAME DIR`) and built once, with two processes
that render. The table has the largest sum of the memory of all processes, the wall time and what was built.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from tests.bench.measure import Command, run, say
from tests.bench.part import Figures, Options
from tests.bench.ratios import Reached
from tests.bench.workshop import ROOT, Workshop, sitegen

Row = dict[str, Any]
MB = 1_000_000
SMALL_SHARE = 50  # by how much the inputs are smaller under --small
# One value or page that is large, or a catalogue whose facts alone are: the processes hold these.
LARGE_ITSELF = ("a log of 50 MB", "100 MB in an unknown column", "a page of 400 MB", "50,000 tiny rows")


def text(size: int, seed: int = 0, line: int = 80) -> str:
    """Lines of a log that no encoding makes smaller."""
    key = hashlib.sha256(f"{seed}".encode()).hexdigest()
    block = "".join(f"{hashlib.sha256(f'{key}{n}'.encode()).hexdigest()} failed\n"[-line:] for n in range(200))
    return (block * (1 + size // len(block)))[:size]


def failed(number: int, **more: Any) -> Row:
    from tests.factory import row

    return row(f"acme/model-{number}", result="FAIL", cpu_match=None, **more)


def logs(share: int) -> Iterator[Row]:
    for number in range(2_000 // share):
        yield failed(number, error=text(200_000, number) + f"ValueError: {number}\n")


def versions(share: int) -> Iterator[Row]:
    from tests.factory import row

    for number in range(3_000 // share):
        yield row("acme/often", wall_s=number, run_py=f"print({number})\n")


def pairs(share: int) -> Iterator[Row]:
    from tests.factory import row

    for number in range(500 // share):
        yield row(f"acme/model-{number}", neuronx_cc=f"2.{number}.1.0+f702b353")


def tiny(share: int) -> Iterator[Row]:
    for number in range(50_000 // share):
        yield {"model_id": f"owner-{number % 500}/m-{number}", "result": "PASS", "neuronx_cc": "2.28.1.0"}


def slow_to_highlight(share: int) -> Iterator[Row]:
    from tests.factory import row

    lines = "x = '''" + "\\\\" * (3000 // share) + "\n" + "f'{'" * (900 // share) + "\n" + "(" * 60 + "\n"
    yield row(run_py=lines * 40)
    yield row("acme/strings", run_py='"' * 4000 + "\n" + "'''\"\"\"" * 500 + "\n" + "\\" * 4000)
    yield row("acme/lines", run_py=("rb'" * 1300 + "\n") * 60)


def columns(share: int) -> Iterator[Row]:
    for number in range(5):
        yield failed(number, **{f"unknown_{n}": n for n in range(10_000 // share)})


INPUTS: Mapping[str, Callable[[int], Iterator[Row]]] = {
    "2,000 logs of 200 KB": logs,
    "a log of 50 MB": lambda share: iter([failed(1, error=text(50 * MB // share) + "ValueError: x\n")]),
    "a line of 1 MB in a log": lambda share: iter([failed(1, error="x" * (MB // share) + "\nValueError: x\n")]),
    "a line of 1 MB in run.py": lambda share: iter([failed(1, run_py=f"x = '{'y' * (MB // share)}'\n")]),
    "notes of 1 MB": lambda share: iter([failed(1, notes="n" * (MB // share))]),
    "1 MB in an unknown column": lambda share: iter([failed(1, more="u" * (MB // share))]),
    "100 MB in an unknown column": lambda share: iter([failed(1, more=text(100 * MB // share))]),
    "scripts that are slow to highlight": slow_to_highlight,
    "50,000 tiny rows": tiny,
    "a row group of 400 MB": lambda share: (failed(n, error=text(MB, n)) for n in range(400 // share)),
    "a page of 400 MB": lambda share: (failed(n, error=text(MB, n)) for n in range(400 // share)),
    "10,000 columns": columns,
    "a model with 3,000 runs": versions,
    "500 pairs": pairs,
}


def make(name: str, folder: Path, share: int) -> None:
    """The input as one file with one row group."""
    from tests.factory import put

    rows = list(INPUTS[name](share))
    batch = 1_000 if name == "a page of 400 MB" or len(rows) > 5_000 else 1
    drop = () if len(rows[0]) > 5 else ("error", "run_py")
    put(folder, rows, drop=drop, row_group_size=len(rows), compression="none", write_batch_size=batch)


def bounds(shop: Workshop, options: Options) -> Figures:
    """Each input once, in turn."""
    share = SMALL_SHARE if options.sizes.usual < 1_000 else 1
    lines, reached = [], []
    for name in INPUTS:
        folder = shop.away(shop.work / "bounds")
        run(Command((sys.executable, "-m", "tests.bench.bounds", name, str(folder / "data"), f"--share={share}"), ROOT))
        build = sitegen(folder / "data", folder / "site")
        found = run(Command((*build.words, "--jobs", "2"), ROOT), sample=True)
        written = sum(path.is_file() for path in (folder / "site").rglob("*"))
        lines.append(f"{name}: whole tree {found.tree:,.0f} MiB, wall {found.wall:.1f} s, {written:,} files")
        say(f"  {lines[-1]}")
        reached.append(Reached("bounds-itself" if name in LARGE_ITSELF else "bounds", found.tree, name))
    return Figures(tuple(lines), tuple(reached))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.bounds", description="Makes one input.")
    parser.add_argument("name", choices=INPUTS)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--share", type=int, default=1)
    asked = parser.parse_args()
    make(asked.name, asked.folder, asked.share)


if __name__ == "__main__":
    main()
