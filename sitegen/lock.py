"""The lock of an output folder: one build at a time, and what that one has put beside the folder.

The lock is a file beside the output. The system drops it when its process dies; the file then stays, and says to the
next build which folders beside the output are of the one that died: by their place on the disk, since a name proves
nothing.
"""

from __future__ import annotations

import errno
import fcntl
import os
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sitegen.errors import Refused, Unfinished
from sitegen.places import in_the_way, named
from sitegen.unchanged import beside

# The processes of a build that died hold its lock until they are gone, which takes a moment.
TRIES, BETWEEN = 50, 0.02  # seconds
FORM = b"sitegen-lock 1\n"
_NO_WRITING = (errno.EACCES, errno.EPERM, errno.EROFS)


class Lock:
    """A lock that is held, and the folders beside the output that are of a build: this one, or one that died."""

    def __init__(self, path: Path, descriptor: int) -> None:
        self.path, self._descriptor = path, descriptor
        self._known = set(os.pread(descriptor, 1 << 16, 0).split(b"\n")[1:])

    def knows(self, folder: Path) -> bool:
        found = os.lstat(folder)
        return stat.S_ISDIR(found.st_mode) and _place(found) in self._known

    def note(self, *folders: Path) -> None:
        """Has these folders known as ours from here on, to the next build too, and no others."""
        self._known = {_place(os.lstat(folder)) for folder in folders if os.path.lexists(folder)}
        data = FORM + b"\n".join(sorted(self._known))
        os.pwrite(self._descriptor, data, 0)
        os.ftruncate(self._descriptor, len(data))

    def release(self, out: Path) -> None:
        """Takes the file away, unless something beside the output is known by it alone."""
        left = [Path(beside(str(out), what)) for what in ("stage", "old")]
        if not any(os.path.lexists(folder) and self.knows(folder) for folder in left):
            self.path.unlink(missing_ok=True)
        os.close(self._descriptor)


def _place(found: os.stat_result) -> bytes:
    return b"%d %d" % (found.st_dev, found.st_ino)


@contextmanager
def locked(out: Path, work: str) -> Iterator[Lock]:
    """The lock of `out`. Raises Refused where another process holds it, or where its file is somebody else's."""
    path, tries = Path(beside(str(out), "lock")), 0
    while True:
        descriptor = _opened(path, out)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.fstat(descriptor).st_nlink:  # else the one that held it removed the file that we opened
                break
        except BlockingIOError:
            if (tries := tries + 1) > TRIES:
                os.close(descriptor)
                raise Refused(
                    f"another {work} into {named(out)} is running; wait for it, or give another folder"
                ) from None
            time.sleep(BETWEEN)
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)
    lock = Lock(path, descriptor)
    try:
        yield lock
    finally:
        lock.release(out)


def _opened(path: Path, out: Path) -> int:
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, 0o644)
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.EISDIR, errno.ENXIO):
            raise in_the_way(path) from None
        if error.errno in _NO_WRITING:
            raise Unfinished(_no_writing(path.parent, out, error)) from None
        raise
    if stat.S_ISREG(os.fstat(descriptor).st_mode) and os.pread(descriptor, len(FORM), 0) in (b"", FORM):
        return descriptor
    os.close(descriptor)
    raise in_the_way(path)


def _no_writing(parent: Path, out: Path, error: OSError) -> str:
    inside = f", or give a folder inside {named(out)}: --out {named(out / 'www')}" if os.access(out, os.W_OK) else ""
    return (
        f"cannot write into {named(parent)}: {error.strerror}. A new {named(out.name)} is made there and then put in"
        f" its place at once: allow that{inside}. Nothing in {named(out)} was changed"
    )
