"""The folder in which all is made and measured: `.cache/bench/`, which git ignores.

Deleting many files slows the file system for half a minute, and so the run that follows. What is in the way is moved to
`trash/` on the same file system instead, and that is deleted when all is measured. The next benchmark waits for that.
"""

from __future__ import annotations

import itertools
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

from tests.bench.measure import Command, say

ROOT = Path(__file__).resolve().parents[2]
HOME = ROOT / ".cache" / "bench"
SETTLED = 45  # seconds after which a file system has got over a deletion


class Workshop:
    """Folders to work in; emptied by moving, deleted at the end."""

    def __init__(self, home: Path = HOME) -> None:
        self.home, self.work, self.trash = home, home / "work", home / "trash"
        self.numbers = itertools.count()
        self.trash.mkdir(parents=True, exist_ok=True)
        self.away(self.work)
        self.work.mkdir()

    def away(self, path: Path) -> Path:
        """Moves what is there out of the way. Gives the path, at which nothing is now."""
        if path.exists():
            path.rename(self.trash / f"{os.getpid()}-{next(self.numbers)}")
        return path

    def clear(self) -> None:
        """Deletes what was made; what is installed stays."""
        say("Deleting what was made")
        shutil.rmtree(self.work)
        shutil.rmtree(self.trash)
        (self.home / "cleared").touch()

    def unsettled(self) -> float:
        """For how many seconds more the last deletion can be felt."""
        cleared = self.home / "cleared"
        return max(0.0, cleared.stat().st_mtime + SETTLED - time.time()) if cleared.exists() else 0.0

    def catalogue(self, name: str, *options: str) -> Path:
        """A catalogue of tests.bench.corpus, in a process of its own: see tests.bench.measure."""
        out = self.away(self.work / name)
        words = [sys.executable, "-m", "tests.bench.corpus", str(out), *options]
        made = subprocess.run(words, cwd=ROOT, check=True, capture_output=True, text=True)
        say(f"  {name}: {made.stdout.strip()}")
        return out


def sitegen(data: Path, out: Path) -> Command:
    """A build by the package of this folder."""
    words = (sys.executable, "-m", "sitegen", "build", "-q", "--data", str(data), "--out", str(out))
    return Command(words, ROOT)
