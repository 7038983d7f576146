"""Asks the package registries whether a pinned package has a known fault; `make audit` runs it.

python -m tests.tooling.audit PIP_AUDIT

Ends with 0 where each package was answered for and none has a fault, with 1 where one has, and with 2 where a registry
gave no answer: pip-audit itself ends with 0 then.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sitegen.errors import plain
from tests.tooling import node as node_tool
from tests.tooling.node import NodeError

ROOT = Path(__file__).resolve().parents[2]
PYTHON_LOCKS = ("requirements.lock", "tests/bench/peers/requirements.txt")
NODE_LOCKS = ("tests/js", "tests/js/lighthouse", "tests/bench/peers")
MINUTES = 5  # of one question


@dataclass(frozen=True)
class Answer:
    """What was asked and found; `silent` says why there is no answer for all of it, or nothing."""

    what: str
    faults: tuple[str, ...] = ()
    silent: str = ""

    @property
    def code(self) -> int:
        return 1 if self.faults else 2 if self.silent else 0

    def __str__(self) -> str:
        found = "; ".join(self.faults) or ("NOT AUDITED" if self.silent else "no known fault")
        return plain(f"{self.what}: {found}{f' ({self.silent})' if self.silent else ''}")


def python_answer(what: str, out: str, err: str) -> Answer:
    """Of pip-audit's JSON: packages that it skipped were not looked at."""
    table = _table(out)
    packages = table.get("dependencies")
    if not isinstance(packages, list) or not packages:
        return Answer(what, silent=_last_line(err) or "pip-audit gave no list")
    skipped = [package["name"] for package in packages if "skip_reason" in package]
    faults = tuple(
        f"{package['name']} {package['version']}: {fault['id']}"
        for package in packages
        for fault in package.get("vulns", ())
    )
    silent = f"no answer for {len(skipped)} of {len(packages)} packages, such as {skipped[0]}" if skipped else ""
    return Answer(what, faults, silent)


def node_answer(what: str, out: str, err: str) -> Answer:
    """Of npm's JSON, which has `vulnerabilities` only where the registry answered."""
    table = _table(out)
    found = table.get("vulnerabilities")
    if not isinstance(found, dict):
        error = table.get("error")
        said = error.get("summary") if isinstance(error, dict) else table.get("message")
        refused = re.search(r"npm warn audit (.+)", err)
        return Answer(what, silent=str(said or (refused and refused[1]) or _last_line(err) or "npm gave no list"))
    return Answer(what, tuple(f"{name}: {fault.get('severity')}" for name, fault in found.items()))


def _table(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _last_line(text: str) -> str:
    return next((line for line in reversed(text.splitlines()) if line.strip()), "")


def _ran(command: list[str], **more: Any) -> tuple[str, str]:
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, timeout=MINUTES * 60, cwd=ROOT, **more
        )
    except subprocess.TimeoutExpired:
        return "", f"no answer in {MINUTES} minutes"
    except OSError as error:
        return "", f"{command[0]}: {error.strerror}"
    return done.stdout, done.stderr


def answers(pip_audit: str) -> list[Answer]:
    options = ["--require-hashes", "--disable-pip", "--progress-spinner", "off", "--format", "json"]
    found = [python_answer(lock, *_ran([pip_audit, *options, "-r", lock])) for lock in PYTHON_LOCKS]
    try:
        node = node_tool.get()
    except NodeError as error:
        return [*found, *(Answer(lock, silent=str(error)) for lock in NODE_LOCKS)]
    npm = [str(node.folder / "npm"), "audit", "--package-lock-only", "--json"]
    found += [node_answer(lock, *_ran([*npm, "--prefix", lock], env=node.environment)) for lock in NODE_LOCKS]
    return found


def main(arguments: list[str]) -> int:
    found = answers(arguments[0])
    for answer in found:
        print(answer)
    codes = {answer.code for answer in found}
    return 1 if 1 in codes else max(codes)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
