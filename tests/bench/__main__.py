"""Measures sitegen: against other generators and against itself.

    python -m tests.bench                                  every part, at full size
    python -m tests.bench unchanged changed                these parts alone
    python -m tests.bench cold --against hugo-off --pages 10000
    python -m tests.bench --small                          every part within minutes, to see that all works

Prints each run, then a line a measurement, then the table of what must be reached. `--write` puts what whole parts
found, in this run and in earlier ones, into tests/bench/RESULTS.md. All work is done below .cache/bench/.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Mapping

from tests.bench import again, bounds, builds, results, search
from tests.bench.generators import PEERS
from tests.bench.measure import say
from tests.bench.part import SMALL, Figures, Options, Sizes
from tests.bench.ratios import Reached, table
from tests.bench.workshop import Workshop

Part = Callable[[Workshop, Options], Figures]
PARTS: Mapping[str, tuple[str, Part]] = {
    "cold": ("Cold, against other generators and a copy", builds.cold),
    "distinct": ("Every script different", builds.distinct),
    "unchanged": ("Nothing changed", again.unchanged),
    "changed": ("One file of 20 changed", again.changed),
    "growth": ("As the catalogue grows", builds.growth),
    "memory": ("Memory of all processes", builds.memory),
    "bounds": ("Input that is large in one way", bounds.bounds),
    "search": ("Search", search.search),
}
AGAINST = (*PEERS, "copy")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m tests.bench", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("parts", nargs="*", metavar="part", help=f"of {', '.join(PARTS)}; else all")
    parser.add_argument("--runs", type=int, default=3, help="of each measurement; the median counts (3)")
    parser.add_argument(
        "--slow-runs", type=int, default=1, help="of what needs minutes: hugo, pelican, mkdocs from 10,000 on (1)"
    )
    parser.add_argument("--against", nargs="+", choices=AGAINST, metavar="NAME", help=f"cold: of {', '.join(AGAINST)}")
    parser.add_argument("--pages", nargs="+", type=int, metavar="N", help="cold: results of the catalogue")
    parser.add_argument("--small", action="store_true", help="small catalogues: shows that all works, not how fast")
    parser.add_argument("--write", action="store_true", help="also writes tests/bench/RESULTS.md")
    found = parser.parse_args()
    if unknown := set(found.parts) - set(PARTS):
        parser.error(f"no part {min(unknown)!r}: choose of {', '.join(PARTS)}")
    if found.write and found.small:
        parser.error("--write is for full sizes, not for --small")
    return found


def main() -> None:
    asked = arguments()
    sizes = SMALL if asked.small else Sizes()
    options = Options(asked.runs, asked.slow_runs, sizes, tuple(asked.pages or ()), tuple(asked.against or AGAINST))
    whole = not (asked.small or asked.pages or asked.against)
    shop = Workshop()
    goals: list[Reached] = []
    if not asked.small and (seconds := shop.unsettled()):
        say(f"Waiting {seconds:.0f} s: files were deleted a moment ago, which slows what is written next")
        time.sleep(seconds)
    try:
        for name in asked.parts or PARTS:
            title, part = PARTS[name]
            say(f"{title}:")
            figures = part(shop, options)
            say("".join(f"{line}\n" for line in figures.lines))
            goals += figures.reached
            if whole:
                results.keep(name, figures)
    finally:
        shop.clear()
    say(table(goals))
    if asked.write:
        results.write({name: title for name, (title, _) in PARTS.items()})


if __name__ == "__main__":
    main()
