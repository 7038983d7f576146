"""Where a build may write: which folder may be replaced, and where a report may stand."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from sitegen.errors import Refused, Unfinished, plain
from sitegen.unchanged import PACKAGE

MARKER = ".sitegen"
MARKER_TEXT = b"This folder is made by sitegen. Anything put here is removed by the next build.\n"
MOUNTS = "/proc/self/mountinfo"
_NAME = 255  # bytes of a file name
_BESIDE = len("..sitegen-state.new")  # what the longest name beside an output has more than that


def named(path: Path | str) -> str:
    """A path as a message shows it: on one line, whatever the name."""
    return plain(str(path))


def in_the_way(path: Path) -> Refused:
    """For what stands beside an output under a name of ours, and is somebody else's."""
    return Refused(f"{named(path)} is in the way, and is not of sitegen; move it away")


def refuse_foreign(out: Path, inputs: Iterable[Path]) -> None:
    """Raises Refused unless `out` is ours to replace: new, empty, or marked; never around or inside an input.

    Raises Unfinished where the system does not let it be seen.
    """
    try:
        if out.is_symlink():
            raise Refused(f"the output folder {named(out)} is a link; give the folder itself")
        here = out.resolve()
        _refuse_around(out, here, inputs)
        if out.exists() and not out.is_dir():
            raise Refused(f"{named(out)} is a file, not a folder")
        if len(os.fsencode(here.name)) + _BESIDE > _NAME:
            raise Refused(f"the name of the output folder {named(out)} is too long; give a shorter one")
        refuse_unmarked(out)
    except (OSError, RuntimeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise Unfinished(f"the output folder {named(out)} cannot be looked at: {reason}") from None


def refuse_unmarked(out: Path) -> None:
    """Raises Refused where a folder holds something and was not made by sitegen, or where it cannot be moved."""
    if not os.path.lexists(out):
        return
    if os.listdir(out) and not is_marked(out):
        raise Refused(
            f"the output folder {named(out)} is not empty and was not made by sitegen;"
            " give another, or empty it yourself"
        )
    if mount := mount_at(out):
        what = f"{named(mount)} is a mount point, and a folder that is or has one cannot be replaced at once"
        inside = f"give a folder inside it, --out {named(out / 'www')}, or mount the folder above"
        raise Refused(f"{what}; {inside if mount == os.path.realpath(out) else 'unmount it, or give another folder'}")


def is_marked(folder: Path | str) -> bool:
    """Whether the marker of a build lies in the folder, as a file and not as a link to one."""
    try:
        path = os.path.join(folder, MARKER)
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        with open(descriptor, "rb") as file:
            return file.read(len(MARKER_TEXT)) == MARKER_TEXT
    except OSError:
        return False


def _refuse_around(out: Path, here: Path, inputs: Iterable[Path]) -> None:
    if here == Path(here.anchor) or here == _home() or Path.cwd().is_relative_to(here):
        raise Refused(
            f"the output folder {named(out)} is the current folder, the home folder or one around it;"
            " give a folder of its own"
        )
    for folder in (*inputs, Path(PACKAGE)):
        other = folder.resolve()
        if here.is_relative_to(other) or other.is_relative_to(here):
            raise Refused(
                f"the output folder {named(out)} and the input folder {named(folder)} lie one inside the other;"
                " give separate folders"
            )


def _home() -> Path | None:
    try:
        return Path.home().resolve()
    except (RuntimeError, OSError):
        return None


def mount_at(folder: Path | str) -> str | None:
    """The first mount point that a folder is, or that lies below it; None where there is none, or nobody knows."""
    here = os.path.realpath(folder)
    try:
        with open(MOUNTS, encoding="utf-8", errors="surrogateescape") as stream:
            points = [re.sub(r"\\(\d{3})", _unescaped, line.split(" ", 5)[4]) for line in stream]
    except (OSError, IndexError):
        points = []
    if os.path.ismount(here):
        points.append(here)
    return min((point for point in points if point == here or point.startswith(f"{here}/")), default=None)


def _unescaped(octal: re.Match[str]) -> str:
    return chr(int(octal[1], 8))


def refuse_files(files: Mapping[str, Path | None], out: Path, inputs: Iterable[Path]) -> None:
    """Raises Refused where a file that an option names cannot be written, or would be lost or read as an input.

    Before anything is made: a build that is published without the list of what it wrote helps nobody.
    """
    inputs = list(inputs)
    given = {option: path for option, path in files.items() if path is not None}
    for option, path in given.items():
        here = path.resolve()
        if path.is_dir():
            raise Refused(f"{option}: {named(path)} is a folder, not a file")
        if here.is_relative_to(out.resolve()):
            raise Refused(f"{option}: {named(path)} lies in the output folder {named(out)}, which holds the site alone")
        for folder in inputs:
            if here.is_relative_to(folder.resolve()):
                raise Refused(f"{option}: {named(path)} is an input, or lies in one ({named(folder)}); give another")
        if other := next((name for name in given if name != option and given[name].resolve() == here), None):
            raise Refused(f"{option} and {other} name one file, {named(path)}; give two")
        if not os.access(*((path, os.W_OK) if path.exists() else (path.parent, os.W_OK | os.X_OK))):
            raise Unfinished(f"{option}: {named(path)} cannot be written: {os.strerror(errno.EACCES)}")
