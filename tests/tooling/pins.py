"""Prints the part of requirements.lock that one install needs, hashes and all.

The lock names every package of every extra. pip cannot take a lock with hashes as constraints, and a site
needs neither a browser driver nor a type checker, so `make` installs exactly what this prints:

    python tests/tooling/pins.py               what sitegen needs when it runs
    python tests/tooling/pins.py build test    and what these extras of pyproject.toml need

Runs before anything is installed: standard library only.
"""

from __future__ import annotations

import re
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


class PinsError(Exception):
    """The lock does not hold what pyproject.toml asks for."""


@dataclass(frozen=True)
class Pin:
    """One package of the lock: its lines as they stand, and the packages that need it."""

    name: str
    lines: tuple[str, ...]
    needed_by: frozenset[str]


def normal(requirement: str) -> str:
    """The package's name in a requirement, in the one spelling that all tools agree on."""
    found = re.match(r"[A-Za-z0-9._-]+", requirement)
    if found is None:
        raise PinsError(f"not a requirement: {requirement!r}")
    return re.sub(r"[-_.]+", "-", found.group()).lower()


def read_lock(text: str) -> dict[str, Pin]:
    blocks: list[list[str]] = []
    for line in text.splitlines():
        if re.match(r"[A-Za-z0-9]", line):
            blocks.append([line])
        elif blocks and line.strip():
            blocks[-1].append(line)
    pins = [_pin(block) for block in blocks]
    return {pin.name: pin for pin in pins}


def _pin(block: list[str]) -> Pin:
    comments = [line.strip().removeprefix("#").strip() for line in block if line.lstrip().startswith("#")]
    parents = [comment.removeprefix("via").strip() for comment in comments]
    lines = tuple(line for line in block if not line.lstrip().startswith("#"))
    return Pin(normal(block[0]), lines, frozenset(normal(parent) for parent in parents if parent))


def wanted(pyproject: str, extras: list[str]) -> set[str]:
    project = tomllib.loads(pyproject)["project"]
    optional = project["optional-dependencies"]
    unknown = [extra for extra in extras if extra not in optional]
    if unknown:
        raise PinsError(f"pyproject.toml has no extra {unknown[0]!r}; it has {', '.join(sorted(optional))}")
    found: set[str] = set()
    for requirement in project["dependencies"] + [item for extra in extras for item in optional[extra]]:
        # An extra may take in another one: "sitegen[hub]".
        own = re.fullmatch(rf"{re.escape(project['name'])}\[([\w-]+)\]", requirement)
        found |= wanted(pyproject, [own[1]]) if own else {normal(requirement)}
    return found


def select(pins: dict[str, Pin], names: set[str]) -> list[Pin]:
    """These packages and all that they need, in the lock's order."""
    missing = sorted(names - pins.keys())
    if missing:
        raise PinsError(f"requirements.lock lacks {', '.join(missing)}: run `make lock`")
    chosen = set(names)
    while more := {pin.name for pin in pins.values() if pin.needed_by & chosen} - chosen:
        chosen |= more
    return [pin for pin in pins.values() if pin.name in chosen]


def requirements(extras: list[str]) -> str:
    """What pip is to install, as the text of a requirements file."""
    pyproject = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    chosen = select(read_lock(lock), wanted(pyproject, extras))
    return "\n".join(line for pin in chosen for line in pin.lines) + "\n"


def main(extras: list[str]) -> int:
    try:
        sys.stdout.write(requirements(extras))
    except PinsError as error:
        sys.stderr.write(f"pins: {error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
