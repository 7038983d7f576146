"""Finds a Chromium for the browser tests, or installs one.

python -m tests.tooling.chromium --find-or-install     says what was found or done
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import sync_playwright

VARIABLE = "SITEGEN_CHROMIUM"
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
MAC_APPLICATIONS = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)
STARTS_WITHIN = 60  # Seconds; a first start on a busy machine is slow.


class ChromiumError(Exception):
    """There is no Chromium here that starts, and none could be installed."""


@dataclass(frozen=True)
class Chromium:
    """A Chromium (or Chrome) that answers `--version`."""

    path: Path
    version: str


def find() -> Chromium | None:
    """The one that the variable names and no other, else the first that starts."""
    named = os.environ.get(VARIABLE)
    if named:
        chosen = _examine(Path(named))
        if chosen is None:
            raise ChromiumError(f"{VARIABLE} names {named}, which does not start as a Chromium.")
        return chosen
    examined = (_examine(path) for path in _candidates())
    return next((chromium for chromium in examined if chromium is not None), None)


def _candidates() -> Iterator[Path]:
    yield from (Path(found) for name in NAMES if (found := shutil.which(name)))
    yield from map(Path, MAC_APPLICATIONS)
    yield _playwrights_own()


def _playwrights_own() -> Path:
    """Where Playwright keeps the browser that it installs; there may be nothing there."""
    with sync_playwright() as playwright:
        return Path(playwright.chromium.executable_path)


def _examine(path: Path) -> Chromium | None:
    """Asks for the version: a launcher without its browser, or one that lacks a library, does not answer."""
    if not path.exists():
        return None
    try:
        said = subprocess.run(
            [path, "--version"], capture_output=True, text=True, check=True, timeout=STARTS_WITHIN
        ).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return None
    return Chromium(path, said) if "chrom" in said.lower() else None


def get() -> Chromium:
    """The Chromium to use; `make test` has installed one where there was none."""
    found = find()
    if found is None:
        raise ChromiumError(_advice("No Chromium was found"))
    return found


def find_or_install() -> tuple[Chromium, str]:
    found = find()
    if found is not None:
        return found, "found"
    tried = []
    for what, install in WAYS.items():
        print(f"Chromium: none found; trying `{what}`.", flush=True)
        outcome = install()
        found = find()
        if found is not None:
            return found, f"installed by `{what}`"
        tried.append(f"`{what}` {outcome}")
    raise ChromiumError(_advice("No Chromium that starts is here, and none could be had: " + "; ".join(tried)))


def _by_playwright() -> str:
    return _run([sys.executable, "-m", "playwright", "install", "chromium"])


def _by_apt() -> str:
    if shutil.which("apt-get") is None:
        return "is not possible (no apt-get here)"
    if os.geteuid() != 0:
        return "is not possible (it needs root)"
    updated = _run(["apt-get", "update", "-qq"])
    installed = _run(["apt-get", "install", "-y", "-qq", "chromium"])
    return f"{installed}, after an update that {updated}"


def _run(command: list[str]) -> str:
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    done = subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, check=False)
    return "ran" if done.returncode == 0 else f"failed (exit {done.returncode})"


WAYS = {"playwright install chromium": _by_playwright, "apt-get install chromium": _by_apt}


def _advice(problem: str) -> str:
    return (
        f"{problem}.\nThe browser tests need a Chromium or Chrome. Install one with your system's package"
        f" manager,\nor set {VARIABLE} to the path of one, then run `make test` again."
    )


def main(arguments: list[str]) -> int:
    if arguments != ["--find-or-install"]:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        chromium, done = find_or_install()
    except ChromiumError as error:
        print(error, file=sys.stderr)
        return 1
    print(f"Chromium: {chromium.path} ({chromium.version}), {done}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
