"""Audits built pages with Lighthouse's default preset, a phone on a slow network, and says what a page fails.

    python -m tests.bench.audit [--runs 1]

Needs tests/js/lighthouse/node_modules (`make bench` installs it) and a Chromium. Prints a line a page: the scores for
performance, accessibility, best practices and SEO, 100 at most; under it every audit that was not passed in full.
Ends with status 1 where a score is below its goal.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sitegen.build import build
from sitegen.config import Settings
from sitegen.content import packaged
from tests.bench.host import host
from tests.make_results import write_results
from tests.tooling import chromium, node

LIGHTHOUSE = Path(__file__).parents[1] / "js" / "lighthouse" / "node_modules" / "lighthouse" / "cli" / "index.js"
GOALS = {"performance": 95, "accessibility": 100, "best-practices": 100, "seo": 100}
FAILING = "demo/models/saltmarsh/godwit-3b/2.28.7631.0-5e0f61c7-transformers-5.24.0/"
PAGES = {"home of the demo": "demo/", "list of 400 models": "long/all/", "failing result": FAILING}


@dataclass(frozen=True)
class Audit:
    """What one page got: scores of 0 to 100 by category, and a line for each audit that was not passed in full."""

    scores: Mapping[str, int]
    failed: tuple[str, ...]

    @property
    def below(self) -> tuple[str, ...]:
        return tuple(name for name, goal in GOALS.items() if self.scores[name] < goal)


def build_sites(folder: Path, root: str) -> None:
    """`demo/` and `long/` below the folder, which is served at `root`."""
    write_results(folder.parent / "data", pairs=1, models=400, seed=1, ranked=60)
    for name, data in (("demo", packaged("content") / "demo"), ("long", folder.parent / "data")):
        build(Settings(data=data, out=folder / name, base_url=f"{root}{name}/"))


def audit(address: str, runs: int) -> Audit:
    """The median of the scores of several runs; what failed is the last one's."""
    results = [lighthouse(address) for _ in range(runs)]
    scores = {
        name: round(statistics.median(result["categories"][name]["score"] * 100 for result in results))
        for name in GOALS
    }
    return Audit(scores, tuple(failures(results[-1])))


def lighthouse(address: str) -> dict[str, Any]:
    """One run of the command, whose result is JSON on its output."""
    command: list[str] = [
        *(str(node.get().path), str(LIGHTHOUSE), address, "--quiet", "--output=json", "--no-enable-error-reporting"),
        f"--only-categories={','.join(GOALS)}",
        f"--chrome-flags=--headless=new{' --no-sandbox' if os.geteuid() == 0 else ''}",
    ]
    environment = {**node.get().environment, "CHROME_PATH": str(chromium.get().path)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"Lighthouse ended with status {done.returncode}:\n{done.stderr}")
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def failures(result: Mapping[str, Any]) -> Iterator[str]:
    """The audits that count towards a score and got less than all of it, with the first elements or files named."""
    for name, category in result["categories"].items():
        for part in category["auditRefs"]:
            found = result["audits"][part["id"]]
            if part["weight"] and found["score"] is not None and found["score"] < 1:
                value = f" ({found['displayValue']})" if found.get("displayValue") else ""
                yield f"{name}: {found['title']}{value} [{part['id']}, {found['score']:.2f}]"
                yield from (f"    {place}" for place in places(found))


def places(found: Mapping[str, Any]) -> list[str]:
    items = found.get("details", {}).get("items", [])[:3]
    return [str(item.get("node", {}).get("snippet") or item.get("url") or item.get("description")) for item in items]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=1, help="runs of each page; the median counts")
    runs: int = parser.parse_args().runs
    missed = 0
    with tempfile.TemporaryDirectory(prefix="sitegen-audit-") as made:
        folder = Path(made, "host")
        folder.mkdir()
        with host(folder) as root:
            build_sites(folder, root)
            print(f"Lighthouse, {chromium.get().version}; the goal: {', '.join(f'{n} {g}' for n, g in GOALS.items())}")
            for name, path in PAGES.items():
                found = audit(root + path, runs)
                print(f"{name:<20} {'  '.join(f'{key} {score:>3}' for key, score in found.scores.items())}", flush=True)
                print("".join(f"    {line}\n" for line in found.failed), end="")
                missed += len(found.below)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
