"""Builds one catalogue under every Python of this machine that sitegen runs on, and compares the bytes.

    python -m tests.tooling.pythons [--data DIR] [--python PATH ...]

Looks for python3.11 to python3.14 on the PATH and where pyenv keeps them. Each gets an environment of its own below
.cache/pythons/, from the lock. `site.zip` is compared by what is in it: its compressor is a part of each Python. Ends
with an error where two sites differ, and says so where there is one Python alone, so that nothing could be compared.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from shutil import rmtree, which
from zipfile import ZipFile

ROOT = Path(__file__).resolve().parents[2]
HOME = ROOT / ".cache" / "pythons"
VERSIONS = ("3.11", "3.12", "3.13", "3.14")


def candidates(named: Iterable[str] = ()) -> Iterator[str]:
    """Pythons that may be there: those that were named, else by their usual names."""
    if named := list(named):
        yield from named
        return
    yield sys.executable
    for version in VERSIONS:
        yield from filter(None, [which(f"python{version}")])
        yield from map(str, sorted(Path.home().glob(f".pyenv/versions/{version}*/bin/python3")))


def found(named: Iterable[str] = ()) -> dict[str, str]:
    """One Python a version that starts and is not too old or too new: `3.12` -> its path."""
    pythons: dict[str, str] = {}
    for path in candidates(named):
        asked = [path, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"]
        try:
            version = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
        except (OSError, subprocess.CalledProcessError):  # a shim of pyenv, whose version is not chosen
            continue
        if version in VERSIONS:
            pythons.setdefault(version, path)
    return pythons


def environment(version: str, python: str) -> Path:
    """The Python of an environment with what a build needs, at the versions of the lock."""
    folder = HOME / version
    inside = folder / "bin" / "python"
    if not (folder / "whole").exists():
        rmtree(folder, ignore_errors=True)
        subprocess.run([python, "-m", "venv", str(folder)], check=True)
        pins = subprocess.run([sys.executable, "tests/tooling/pins.py"], cwd=ROOT, capture_output=True, check=True)
        (folder / "pins.txt").write_bytes(pins.stdout)
        quiet = ("--quiet", "--disable-pip-version-check")
        install = [inside, "-m", "pip", *quiet, "install", "--require-hashes", "-r", folder / "pins.txt"]
        subprocess.run([*map(str, install)], check=True)
        (folder / "whole").touch()
    return inside


def built(inside: Path, data: Path, out: Path) -> dict[str, str]:
    """The site that this Python makes: a digest for each path, and for each entry of `site.zip`."""
    rmtree(out, ignore_errors=True)
    words = [inside, "-m", "sitegen", "build", "-q", "--zip", "--base-url", "https://example.org/"]
    command = [*map(str, words), "--data", str(data), "--out", str(out)]
    subprocess.run(command, cwd=ROOT, env=os.environ | {"PYTHONPATH": str(ROOT)}, check=True, stderr=subprocess.DEVNULL)
    files = {path.relative_to(out).as_posix(): path.read_bytes() for path in out.rglob("*") if path.is_file()}
    with ZipFile(out / "site.zip") as archive:
        files |= {f"site.zip/{name}": archive.read(name) for name in archive.namelist()}
    del files["site.zip"]
    return {path: hashlib.sha256(data).hexdigest() for path, data in files.items()}


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m tests.tooling.pythons",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--data", type=Path, default=ROOT / "content" / "demo", help="the catalogue (the demo)")
    parser.add_argument("--python", nargs="+", default=(), metavar="PATH", help="these and no others")
    asked = parser.parse_args()
    pythons = found(asked.python)
    sites = {}
    for version, python in pythons.items():
        sites[version] = built(environment(version, python), asked.data, HOME / f"site-{version}")
        print(f"{version}: {len(sites[version]):,} files and entries, {python}", flush=True)
    missing = [version for version in VERSIONS if version not in sites]
    if missing:
        print(f"not found: {', '.join(missing)}")
    if len(sites) < 2:
        print("one Python alone: nothing was compared")
        return
    first, *others = sites
    for version in others:
        paths = sites[first].keys() | sites[version].keys()
        if differ := sorted(path for path in paths if sites[first].get(path) != sites[version].get(path)):
            sys.exit(f"{first} and {version} differ in {len(differ)} files: {', '.join(differ[:10])}")
    print(f"the same bytes under {', '.join(sites)}")


if __name__ == "__main__":
    main()
