"""The part that measures the search: names found by parts of them, in Node, with what built sites ship."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

from tests.bench.measure import run, say
from tests.bench.part import Figures, Options
from tests.bench.ratios import Reached
from tests.bench.workshop import ROOT, Workshop, sitegen
from tests.tooling import node

SCRIPT = ROOT / "tests" / "js" / "bench_search.mjs"
FILES = ("code", "names", "lunr", "words")


def search(shop: Workshop, options: Options) -> Figures:
    """Time and exactness at every size, and bytes; the goal for bytes is for the size that the options name."""
    lines: list[str] = []
    reached = []
    found = {models: asked(shop, models, options.sizes.queries) for models in options.sizes.search}
    for models, one in found.items():
        lines += described(models, one)
    worst = max(found, key=lambda models: slower(found[models]))
    reached.append(Reached("search-p95", slower(found[worst]), f"{worst:,} models"))
    least = min(found, key=lambda models: recall(found[models]))
    reached.append(Reached("search-recall", recall(found[least]), f"{least:,} models"))
    sizes = found[options.sizes.bytes]["bytes"]
    scope = f"{options.sizes.bytes:,} models"
    reached.append(Reached("bytes-before", sizes["before"], scope))
    reached.append(Reached("bytes-names", (sizes["code"]["brotli"] + sizes["names"]["brotli"]) / 1000, scope))
    return Figures(tuple(lines), tuple(reached))


def asked(shop: Workshop, models: int, queries: int) -> dict[str, Any]:
    """A site of so many models under one pair, without scripts and logs, which no search sees."""
    catalogue = shop.catalogue(f"search-{models}", f"--models={models}", "--pairs=1", "--no-texts")
    built = run(sitegen(catalogue / "data", catalogue / "site"))
    say(f"  {models:,} models: built in {built.wall:.1f} s")
    return in_node(catalogue / "site", queries)


def in_node(site: Path, queries: int) -> dict[str, Any]:
    words = [str(node.get().path), str(SCRIPT), str(site), str(queries)]
    found: dict[str, Any] = json.loads(subprocess.run(words, check=True, capture_output=True, text=True).stdout)
    return found


def slower(found: dict[str, Any]) -> float:
    ratio: float = found["own"]["p95"] / found["bare"]["p95"]
    return ratio


def recall(found: dict[str, Any]) -> float:
    share: float = found["recall"]["right"] / found["recall"]["wanted"]
    return share


def described(models: int, found: dict[str, Any]) -> list[str]:
    own, bare, hits = found["own"], found["bare"], found["recall"]
    times = f"p50 {own['p50']:.3f} ms, p95 {own['p95']:.3f} ms; a bare loop {bare['p50']:.3f} and {bare['p95']:.3f} ms"
    exact = f"{hits['right']:,} of {hits['wanted']:,} true answers found, and {hits['extra']:,} others"
    sizes = found["bytes"]
    pressed = "; ".join(
        f"{name} {sizes[name]['raw']:,}, gzip {sizes[name]['gzip']:,}, brotli {sizes[name]['brotli']:,}"
        for name in FILES
    )
    return [
        f"{models:,} models, {found['names']:,} names, {found['queries']:,} queries: {times}",
        f"{models:,} models: {exact}",
        f"{models:,} models, bytes: {pressed}; before the first use {sizes['before']:,}",
    ]
