"""Keeps what whole parts found, and writes RESULTS.md of it."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from dataclasses import asdict
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from tests.bench import install
from tests.bench.part import Figures
from tests.bench.ratios import Reached, table
from tests.bench.workshop import HOME
from tests.tooling import node

RESULTS = Path(__file__).with_name("RESULTS.md")
KEPT = HOME / "results"
SHOWN = ("pyarrow", "jinja2", "pygments", "lunr", "markdown")
INTRODUCTION = """\
# Results of the benchmark

Written by `python -m tests.bench --write`; README and docs quote no figure of it. What the lines mean and how to
measure one of them stands in CONTRIBUTING.md. Wall and CPU times are medians with their range; "others" are the cores
that the rest of the machine used meanwhile: where that is not near 0, trust CPU rather than wall.
"""


def keep(part: str, figures: Figures, folder: Path = KEPT) -> None:
    """For a later `--write`. Only what was measured whole is kept."""
    folder.mkdir(parents=True, exist_ok=True)
    found = {"date": f"{datetime.now(UTC):%Y-%m-%d}", **asdict(figures)}
    (folder / f"{part}.json").write_text(json.dumps(found, indent=1), "utf-8")


def kept(part: str, folder: Path = KEPT) -> tuple[str, Figures] | None:
    """The date and the figures of a part, if it was measured."""
    path = folder / f"{part}.json"
    if not path.exists():
        return None
    found = json.loads(path.read_text("utf-8"))
    return found["date"], Figures(tuple(found["lines"]), tuple(Reached(**one) for one in found["reached"]))


def write(parts: dict[str, str], path: Path = RESULTS, folder: Path = KEPT) -> None:
    """All parts that were measured, by name and title, in this order; the table of goals first."""
    found = {part: one for part in parts if (one := kept(part, folder))}
    goals = [reached for _, figures in found.values() for reached in figures.reached]
    sections = [INTRODUCTION, f"## Must reach\n\n{table(goals)}"]
    for part, (date, figures) in found.items():
        lines = "".join(f"- {line}\n" for line in figures.lines)
        sections.append(f"## {parts[part]}\n\n`python -m tests.bench {part}`, {date}\n\n{lines}")
    sections.append(f"## Machine and versions\n\n{machine()}\n")
    path.write_text("\n".join(sections), "utf-8")


def machine() -> str:
    """Processor, memory, file system and versions, a line each."""
    own = ", ".join(f"{name} {version(name)}" for name in SHOWN)
    system = f"{platform.system()} {platform.release().split('-')[0]}"
    lines = [
        f"{os.cpu_count()} cores ({processor()}), {memory():.0f} GiB, {system}",
        f"file system of what is measured: {file_system()}",
        f"Python {platform.python_version()}, sitegen {version('sitegen')}, {own}, Node {node.get().version}",
    ]
    if install.VENV.exists():
        lines.append(install.versions())
    return "\n".join(f"- {line}" for line in lines)


def processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    except OSError:
        return platform.machine()
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), platform.machine())


def memory() -> float:
    """GiB."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30


def file_system() -> str:
    if sys.platform != "linux":
        return "not known"
    asked = subprocess.run(["df", "--output=fstype", str(HOME)], check=True, capture_output=True, text=True)
    return asked.stdout.split()[-1]
