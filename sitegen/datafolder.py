"""The data folder as a fetch writes it: what belongs to the fetch is replaced, all else stays, and at once.

The new folder is staged beside the old one. What the fetch does not own is linked onto the stage, file by file, so
that it keeps its bytes, its date and its rights. Then both change places (`write.Stage.swap`).
"""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path

from sitegen.errors import Refused, Unfinished
from sitegen.fetched import RECORD, Fetched, folders_above, read_fetched
from sitegen.places import mount_at


def refuse_unusable(dest: Path) -> None:
    """Raises Refused where a fetch could not put another folder in the place of `dest`."""
    if dest.is_symlink():
        raise Refused(f"the folder {dest} is a link; give the folder itself")
    if dest.exists() and not dest.is_dir():
        raise Refused(f"{dest} is a file, not a folder")
    here = dest.resolve()
    if here == Path(here.anchor) or Path.cwd().is_relative_to(here):
        raise Refused(f"the folder {dest} is the current folder or one around it; run the command from outside it")
    if mount := mount_at(here):
        raise Refused(f"{mount} is a mount point, which cannot be replaced; give a folder inside it")
    above = next(folder for folder in here.parents if folder.exists())
    for folder in (above, here) if here.exists() else (above,):
        if not folder.is_dir():
            raise Refused(f"{folder} is a file, not a folder")
        if not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
            raise Refused(f"no permission to write in {folder}; choose another --dest, or change its rights")


def last_fetch(dest: Path) -> Fetched:
    """What earlier fetches brought into the folder. Raises Refused where their record cannot be read."""
    try:
        return read_fetched(dest) or Fetched()
    except ValueError as error:
        raise Refused(
            f"{dest / RECORD}: {error}; without it nobody knows which files came from a fetch. Give another --dest, or"
            f" remove {RECORD} and the files that were fetched"
        ) from None


def refuse_clashes(dest: Path, owned: frozenset[str], new: Iterable[str]) -> None:
    """Raises Refused where a new file would take the place of one that no fetch brought."""
    for path in sorted(new):
        for above in folders_above(path):
            found = dest / above
            if os.path.lexists(found) and above not in owned and (found.is_symlink() or not found.is_dir()):
                raise Refused(f"{found} is in the way of {path}: it is no folder, and no fetch brought it")
        found = dest / path
        if os.path.lexists(found) and path not in owned:
            raise Refused(f"{found} was not brought by a fetch, so it is not overwritten. Move it away, or rename it")


def keep(dest: Path, stage: Path, owned: frozenset[str]) -> None:
    """Puts onto the stage whatever `dest` holds that the fetch does not own, with its rights and dates.

    Raises Refused for what can be neither linked nor copied.
    """
    if not dest.exists():
        return
    device = dest.stat().st_dev
    folders = []
    for folder, names, empty in _walk(dest):
        found = dest / folder
        if found.stat().st_dev != device:
            raise Refused(f"{found} is a mount point, which cannot be moved; give a --dest without it")
        kept = [name for name in names if f"{folder}/{name}".removeprefix("./") not in owned]
        if kept or empty:
            (stage / folder).mkdir(parents=True, exist_ok=True)
        for name in kept:
            _keep(found / name, stage / folder / name)
        folders.append(folder)
    for folder in reversed(folders):
        if (stage / folder).is_dir():
            shutil.copystat(dest / folder, stage / folder)


def _walk(dest: Path) -> Iterator[tuple[str, list[str], bool]]:
    """Every folder from `dest` on: its relative path, what in it is a file or a link, and whether nothing is."""

    def unlisted(error: OSError) -> None:
        raise error

    for here, folders, files in os.walk(dest, onerror=unlisted):
        links = [name for name in folders if Path(here, name).is_symlink()]
        yield Path(here).relative_to(dest).as_posix(), files + links, not (files or folders)


def _keep(old: Path, new: Path) -> None:
    if os.path.lexists(new):
        raise Refused(f"{old} appeared while the fetch ran, and is not overwritten. Move it away")
    kind = old.lstat().st_mode
    if stat.S_ISLNK(kind):
        new.symlink_to(old.readlink())
    elif stat.S_ISREG(kind):
        link_or_copy(old, new)
    else:
        raise Refused(f"{old} is neither a file nor a folder, and cannot be kept; move it away")


def link_or_copy(old: Path, new: Path) -> None:
    """A hard link, or a copy where the file system has none."""
    new.parent.mkdir(parents=True, exist_ok=True)
    try:
        new.hardlink_to(old)
    except OSError:
        shutil.copy2(old, new)


def refuse_full(folder: Path, size: int) -> None:
    """Raises Unfinished where so many bytes do not fit on the disk of a folder, which need not exist yet."""
    there = next(f for f in (folder, *folder.resolve().parents) if f.exists())
    free = shutil.disk_usage(there).free
    if free < size:
        raise Unfinished(f"the disk of {folder} is full: {free:,} bytes are left, and {size:,} are needed")
