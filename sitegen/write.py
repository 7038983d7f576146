"""Bytes become a folder, all at once or not at all.

The new site is staged beside the target; files that did not change are hard links to the old ones and are never
written through. Then stage and target change places: by one atomic exchange where the system has one, else by two
renames, which the next build finishes if it was cut short. Only a folder with our marker is ever replaced.
"""

from __future__ import annotations

import ctypes
import fcntl
import os
import shutil
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from sitegen.errors import Refused, Unfinished
from sitegen.unchanged import beside

MARKER = ".sitegen"
MARKER_TEXT = b"This folder is made by sitegen. Anything put here is removed by the next build.\n"
_AT_FDCWD, _RENAME_EXCHANGE = -100, 2


@dataclass(frozen=True)
class Written:
    """What a build did to its folder: the paths that it wrote and pruned, sorted, and how many files it left."""

    written: tuple[str, ...]
    unchanged: int
    pruned: tuple[str, ...]

    @property
    def counts(self) -> dict[str, int]:
        return {"written": len(self.written), "unchanged": self.unchanged, "pruned": len(self.pruned)}


def refuse_foreign(out: Path, inputs: list[Path]) -> None:
    """Raises Refused unless `out` is ours to replace: new, empty, or marked; never around or inside an input."""
    if out.is_symlink():
        raise Refused(f"the output folder {out} is a link; give the folder itself")
    here = out.resolve()
    if here == Path(here.anchor) or here == _home() or Path.cwd().is_relative_to(here):
        raise Refused(
            f"the output folder {out} is the current folder, the home folder or one around it; give a folder of its own"
        )
    for folder in inputs:
        other = folder.resolve()
        if here.is_relative_to(other) or other.is_relative_to(here):
            raise Refused(
                f"the output folder {out} and the input folder {folder} lie one inside the other; give separate folders"
            )
    if out.exists() and not out.is_dir():
        raise Refused(f"{out} is a file, not a folder")
    if out.is_dir() and any(out.iterdir()) and not (out / MARKER).is_file():
        raise Refused(
            f"the output folder {out} is not empty and was not made by sitegen; give another, or empty it yourself"
        )


def _home() -> Path | None:
    try:
        return Path.home().resolve()
    except (RuntimeError, OSError):
        return None


@contextmanager
def staged(out: Path, work: str = "build") -> Iterator[Stage]:
    """A stage for `out`, under a lock; gone afterwards whatever happens. Raises Refused if such work is running."""
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        with _locked(out, work):
            stage = Stage(out)
            stage.clear()
            stage.folder.mkdir()
            try:
                yield stage
            finally:
                stage.clear()
    except OSError as error:
        raise Unfinished(f"{error.filename or out}: {error.strerror or error}; nothing in {out} was changed") from None


@contextmanager
def _locked(out: Path, work: str) -> Iterator[None]:
    """The system drops the lock of a process that died."""
    path = Path(beside(str(out), "lock"))
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Refused(f"another {work} into {out} is running; wait for it, or give another folder") from None
        if os.fstat(descriptor).st_nlink == 0:  # one that just ended removed the file we opened
            raise Refused(f"another {work} into {out} ended just now; start again")
        try:
            yield
        finally:
            path.unlink(missing_ok=True)
    finally:
        os.close(descriptor)


class Stage:
    """The new site beside the old one."""

    def __init__(self, out: Path) -> None:
        self.out = out
        self.folder = Path(beside(str(out), "stage"))
        self.old = Path(beside(str(out), "old"))
        self.texts = Path(beside(str(out), "texts"))
        self._folders: set[str] = set()

    def clear(self) -> None:
        """Removes what this build, or one that was cut short between its two renames, left beside the target."""
        if self.old.exists() and not self.out.exists():
            self.old.rename(self.out)
        self.texts.unlink(missing_ok=True)
        for folder in (self.folder, self.old):
            if folder.exists():
                shutil.rmtree(folder)

    def write(self, path: str, data: bytes) -> bool:
        """Puts one file on the stage unless the target has it with the same bytes. Whether it changed."""
        if _same(f"{self.out}/{path}", data):
            return False
        descriptor = os.open(self.place(path), os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o644)
        try:
            view = memoryview(data)
            while view:
                view = view[os.write(descriptor, view) :]
        finally:
            os.close(descriptor)
        return True

    def publish(self, paths: frozenset[str], written: Sequence[str]) -> Written:
        """Puts the stage, onto which the paths `written` were put, in the place of the target.

        Where nothing changed, the target stays as it is.
        """
        kept = paths | {MARKER}
        pruned = [path for path in _files(self.out) if path not in kept] if self.out.exists() else []
        if self.write(MARKER, MARKER_TEXT) or written or pruned:
            for path in kept:
                self._keep(path)
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
        """Lets the stage take the place of the target."""
        if not self.out.exists() or not any(self.out.iterdir()):
            self.folder.rename(self.out)
        elif not _exchange(self.folder, self.out):
            self.out.rename(self.old)
            self.folder.rename(self.out)


def _same(path: str, data: bytes) -> bool:
    try:
        found = os.lstat(path)
        if not stat.S_ISREG(found.st_mode) or found.st_size != len(data):
            return False
        with open(path, "rb") as stream:
            return stream.read() == data
    except OSError:
        return False


def _files(folder: Path) -> Iterator[str]:
    """Everything below the folder that a build would not leave as it is: files, links, empty folders."""
    for here, folders, names in os.walk(folder):
        odd = [
            name
            for name in folders
            if os.path.islink(os.path.join(here, name)) or not os.listdir(os.path.join(here, name))
        ]
        for name in [*names, *odd]:
            yield os.path.relpath(os.path.join(here, name), folder).replace(os.sep, "/")


def _exchange(first: Path, second: Path) -> bool:
    """Lets two folders change places in one step (Linux `renameat2`); False where the system cannot."""
    try:
        rename = ctypes.CDLL(None, use_errno=True).renameat2
    except (OSError, AttributeError):
        return False
    return int(rename(_AT_FDCWD, os.fsencode(first), _AT_FDCWD, os.fsencode(second), _RENAME_EXCHANGE)) == 0
