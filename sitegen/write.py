"""Bytes become a folder, all at once or not at all.

The new site is staged beside the target; files that did not change are hard links to the old ones and are never
written through. Then stage and target change places: by one atomic exchange where the system has one, else by two
renames, which the next build finishes if it was cut short. Only a folder with our marker is ever replaced.
"""

from __future__ import annotations

import ctypes
import errno
import os
import shutil
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from sitegen.errors import Unfinished
from sitegen.lock import Lock, locked
from sitegen.places import MARKER, MARKER_TEXT, in_the_way, is_marked, mount_at, named, refuse_unmarked
from sitegen.unchanged import beside

_AT_FDCWD, _RENAME_EXCHANGE = -100, 2
_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
_CANNOT_MOVE = {
    errno.EBUSY: "it is a mount point or in use",
    errno.EXDEV: "its file system renames no such folder, as of a lower layer of a container's image",
}


@dataclass(frozen=True)
class Written:
    """What a build did to its folder: the paths that it wrote and pruned, sorted, and how many files it left."""

    written: tuple[str, ...]
    unchanged: int
    pruned: tuple[str, ...]

    @property
    def counts(self) -> dict[str, int]:
        return {"written": len(self.written), "unchanged": self.unchanged, "pruned": len(self.pruned)}


@contextmanager
def staged(out: Path, work: str = "build") -> Iterator[Stage]:
    """A stage for `out`, under a lock; gone afterwards whatever happens. Raises Refused if such work is running."""
    stage = Stage(out)
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        with locked(out, work) as lock:
            stage.clear(lock)
            stage.folder.mkdir()
            lock.note(stage.folder, out)
            try:
                yield stage
            finally:
                stage.clear(lock)
    except KeyboardInterrupt:
        if stage.swapped:
            raise Unfinished(f"interrupted when the new {named(out)} was in its place already") from None
        raise
    except OSError as error:
        what = f"{named(error.filename or out)}: {error.strerror or error}"
        if stage.swapped:
            raise Unfinished(
                f"the new {named(out)} is in its place, but not all of the old one is gone: {what}"
            ) from None
        raise Unfinished(f"{what}; nothing in {named(out)} was changed") from None


class Stage:
    """The new site beside the old one."""

    def __init__(self, out: Path) -> None:
        self.out = out
        self.folder = Path(beside(str(out), "stage"))
        self.old = Path(beside(str(out), "old"))
        self.texts = self.folder / ".texts"  # gone before the stage is published
        self.swapped = False
        self._folders: set[str] = set()
        self._no_links: dict[str, bool] = {"": True}

    def clear(self, lock: Lock) -> None:
        """Removes what this build, or one that was cut short, left beside the target; that of others is refused."""
        for folder in (self.folder, self.old):
            if os.path.lexists(folder) and not (lock.knows(folder) or _is_ours(folder)):
                raise in_the_way(folder)
        if os.path.lexists(self.old) and not os.path.lexists(self.out):
            self.old.rename(self.out)
        for folder in (self.folder, self.old):
            if os.path.lexists(folder):
                _remove(folder)

    @cached_property
    def mode(self) -> int:
        """The rights that a new file gets: those of the marker, which is the first file on a stage."""
        path = f"{self.folder}/{MARKER}"
        with suppress(FileExistsError):
            _put(path, MARKER_TEXT)
        return os.lstat(path).st_mode & 0o777

    def write(self, path: str, data: bytes) -> bool:
        """Puts one file on the stage unless the target has it with the same bytes and rights. Whether it changed."""
        if self._same(path, data):
            return False
        _put(self.place(path), data)
        return True

    def _same(self, path: str, data: bytes) -> bool:
        if not self.held(path, len(data)):
            return False
        try:
            with open(f"{self.out}/{path}", "rb") as stream:
                return stream.read() == data
        except OSError:
            return False

    def held(self, path: str, size: int) -> bool:
        """Whether the target has a file of this size at the path, itself and no link, with the rights of a new one."""
        mode = self.mode
        try:
            found = os.lstat(f"{self.out}/{path}")
        except OSError:
            return False
        alike = stat.S_ISREG(found.st_mode) and found.st_size == size and found.st_mode & 0o777 == mode
        return alike and self._without_links(os.path.dirname(path))

    def _without_links(self, folder: str) -> bool:
        """Whether no folder on the way to this one of the target is a link to elsewhere."""
        if folder not in self._no_links:
            linked = os.path.islink(f"{self.out}/{folder}")
            self._no_links[folder] = not linked and self._without_links(os.path.dirname(folder))
        return self._no_links[folder]

    def publish(self, paths: frozenset[str], written: Sequence[str]) -> Written:
        """Puts the stage, onto which the paths `written` were put, in the place of the target.

        Where nothing changed, the target stays as it is. Raises Refused where the target is not ours any more.
        """
        kept = paths | {MARKER}
        pruned = [path for path in _files(self.out) if path not in kept] if self.out.exists() else []
        if not self._same(MARKER, MARKER_TEXT) or written or pruned:
            for path in kept:
                self._keep(path)
            self.texts.unlink(missing_ok=True)
            refuse_unmarked(self.out)
            self.swap()
        return Written(tuple(sorted(written)), len(paths) - len(written), tuple(sorted(pruned)))

    def _keep(self, path: str) -> None:
        """Links a file that did not change onto the stage; copies it where the file system has no links."""
        old, target = f"{self.out}/{path}", self.place(path)
        if os.path.lexists(target):
            return
        try:
            os.link(old, target)
        except OSError:
            shutil.copyfile(old, target)

    def read(self, path: str) -> bytes:
        """A file of the new site: from the stage, or from the target where it did not change."""
        staged_file = f"{self.folder}/{path}"
        with open(staged_file if os.path.exists(staged_file) else f"{self.out}/{path}", "rb") as stream:
            return stream.read()

    def place(self, path: str) -> str:
        """Where a file of this path goes on the stage; its folders are made."""
        target = f"{self.folder}/{path}"
        folder = os.path.dirname(target)
        if folder not in self._folders:
            os.makedirs(folder, exist_ok=True)
            self._folders.add(folder)
        return target

    def swap(self) -> None:
        """Lets the stage take the place of the target. Raises Unfinished where the target cannot be moved."""
        try:
            if not self.out.exists() or not any(self.out.iterdir()):
                self.folder.rename(self.out)
            elif not _exchange(self.folder, self.out):
                self.out.rename(self.old)
                self.folder.rename(self.out)
        except OSError as error:
            if why := _CANNOT_MOVE.get(error.errno or 0):
                advice = f"Remove it yourself, or give another folder. Nothing in {named(self.out)} was changed"
                raise Unfinished(f"{named(self.out)} cannot be replaced: {why}. {advice}") from None
            raise
        self.swapped = True


def _put(path: str, data: bytes) -> None:
    """A new file. Raises FileExistsError where there is one."""
    descriptor = os.open(path, _CREATE, 0o666)
    try:
        view = memoryview(data)
        while view:
            view = view[os.write(descriptor, view) :]
    finally:
        os.close(descriptor)


def _is_ours(folder: Path) -> bool:
    """Whether a folder beside the target was left by a build, as its marker says; an empty one is nobody's loss."""
    return stat.S_ISDIR(os.lstat(folder).st_mode) and (is_marked(folder) or not os.listdir(folder))


def _remove(folder: Path) -> None:
    """Removes a folder of ours with all in it, what somebody made read-only too. Raises OSError for a mount point."""
    if mount := mount_at(folder):
        raise OSError(errno.EBUSY, os.strerror(errno.EBUSY), mount)
    try:
        shutil.rmtree(folder)
    except PermissionError:
        folder.chmod(0o700)
        for here, folders, _ in os.walk(folder):
            for path in (os.path.join(here, name) for name in folders):
                if not os.path.islink(path):
                    os.chmod(path, 0o700)
        shutil.rmtree(folder)


def _files(folder: Path) -> Iterator[str]:
    """Everything below the folder that a build would not leave as it is: files, links, empty or locked folders."""
    for here, folders, names in os.walk(folder):
        odd = [name for name in folders if _is_odd(os.path.join(here, name))]
        for name in [*names, *odd]:
            yield os.path.relpath(os.path.join(here, name), folder).replace(os.sep, "/")


def _is_odd(folder: str) -> bool:
    try:
        return os.path.islink(folder) or not os.listdir(folder)
    except OSError:
        return True


def _exchange(first: Path, second: Path) -> bool:
    """Lets two folders change places in one step (Linux `renameat2`); False where the system cannot."""
    try:
        rename = ctypes.CDLL(None, use_errno=True).renameat2
    except (OSError, AttributeError):
        return False
    return int(rename(_AT_FDCWD, os.fsencode(first), _AT_FDCWD, os.fsencode(second), _RENAME_EXCHANGE)) == 0
