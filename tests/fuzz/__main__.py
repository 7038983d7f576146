"""The long run: `python -m tests.fuzz [PART ...]`, which `make fuzz` calls. It prints its seed, and with it runs again.

Parts: `catalogues` (any data folder: every property), `parquet` (mutated files), `text` (mutated JSON and TOML).
"""

from __future__ import annotations

import argparse
import secrets
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from hypothesis import HealthCheck, Phase, given, seed, settings

from tests.factory import write
from tests.fuzz.built import made
from tests.fuzz.catalogues import Catalogue, catalogues
from tests.fuzz.mutants import case, run
from tests.fuzz.properties import PROPERTIES
from tests.fuzz.relations import RELATIONS

PARTS = ("catalogues", "parquet", "text")
MANY = 10_000_000  # examples, where minutes end the run
ROUND = 25  # catalogues of one seed


class Run:
    """What one run may take, and what it has found."""

    def __init__(self, minutes: float | None, examples: int, first: str, save: Path) -> None:
        self.end = time.monotonic() + minutes * 60 if minutes else None
        self.examples, self.first, self.save = examples if minutes is None else MANY, first, save
        self.failed = 0

    def over(self) -> bool:
        return self.end is not None and time.monotonic() > self.end

    def found(self, name: str, what: str) -> Path:
        """A folder for the input that failed."""
        self.failed += 1
        folder = self.save / name
        shutil.rmtree(folder, ignore_errors=True)
        write(folder / "why.txt", what)
        print(f"FAILED {name}: {what[:500]}\n  saved in {folder}", flush=True)
        return folder


def fuzz_catalogues(run_: Run) -> None:
    """Rounds of catalogues, each with its own seed; the first failure of a round is made as small as may be."""
    done = 0
    for number in range(0, run_.examples, ROUND):
        if run_.over() or done >= run_.examples:
            break
        many = min(ROUND, run_.examples - number)
        done += many
        _round(run_, f"{run_.first}-{number // ROUND}", many)
        print(f"catalogues: {done} built, {run_.failed} failures", flush=True)


def _round(run_: Run, name: str, many: int) -> None:
    smallest: list[Catalogue] = []

    @seed(name)
    @settings(
        max_examples=many,
        deadline=None,
        database=None,
        phases=[Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
        print_blob=False,
        report_multiple_bugs=False,
    )
    @given(catalogues())
    def holds(catalogue: Catalogue) -> None:
        smallest[:] = [catalogue]
        with tempfile.TemporaryDirectory() as folder:
            built = made(Path(folder) / "built", catalogue)
            for check in PROPERTIES:
                check(built)
            for relation in RELATIONS:
                relation(catalogue, Path(folder) / relation.__name__)

    try:
        holds()
    except Exception as error:  # noqa: BLE001 - whatever it is, it is what is looked for
        folder = run_.found(f"catalogue-{name}", f"{type(error).__name__}: {error}\n\n{smallest[0]}\n")
        smallest[0].write(folder / "data")


def fuzz_mutants(run_: Run, what: str) -> None:
    counts: Counter[str] = Counter()
    peak, slowest = 0, 0.0
    for outcome in run(run_.first, 0, run_.examples, what):
        counts[outcome.verdict] += 1
        peak, slowest = max(peak, outcome.peak), max(slowest, outcome.seconds)
        if not outcome.good:
            _, path, data = case(run_.first, outcome.number, what)
            folder = run_.found(f"{what}-{run_.first}-{outcome.number}", f"{outcome.verdict}: {outcome.detail}")
            write(folder / Path(path).name, data)
        if counts.total() % 500 == 0:
            print(f"{what}: {dict(counts)}", flush=True)
        if run_.over():
            break
    told = ", ".join(f"{count:,} {verdict}" for verdict, count in sorted(counts.items()))
    print(f"{what}: {counts.total():,} files: {told}; at most {slowest:.1f} s and {peak} MB", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(PARTS)}; without one all")
    parser.add_argument("--seed", default=secrets.token_hex(4), help="any word; without it a new one")
    parser.add_argument("--examples", type=int, default=200, help="of each part (200)")
    parser.add_argument("--minutes", type=float, help="for all parts together, instead of a number of examples")
    parser.add_argument("--save", type=Path, default=Path(".cache/fuzz"), help="folder for what fails (.cache/fuzz)")
    options = parser.parse_args()
    parts = options.parts or list(PARTS)
    if unknown := set(parts) - set(PARTS):
        parser.error(f"unknown: {', '.join(sorted(unknown))}")
    print(f"seed {options.seed}: python -m tests.fuzz {' '.join(parts)} --seed {options.seed}", flush=True)
    failed = 0
    for part in parts:
        minutes = options.minutes / len(parts) if options.minutes else None
        one = Run(minutes, options.examples, options.seed, options.save)
        fuzz: Callable[[Run], None] = fuzz_catalogues
        fuzz(one) if part == "catalogues" else fuzz_mutants(one, part)
        failed += one.failed
    sys.exit(f"{failed} failures, saved in {options.save}" if failed else 0)


if __name__ == "__main__":
    main()
