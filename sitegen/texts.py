"""A store for large texts, so that the catalogue in memory holds facts and not texts.

Texts are appended to one temporary file and opened again where a page needs them; equal texts are stored once.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, cast

from sitegen.model import TextRef

BUFFER = 1 << 20  # bytes


class TextStore:
    """Texts as bytes behind `TextRef`. Readers in other processes open the same file by its path."""

    def __init__(self, path: Path | None = None) -> None:
        """A store at `path`, or where none is given in a file without a name, which goes with the process."""
        self.path = path
        if path is None:
            self._file = cast(BinaryIO, tempfile.TemporaryFile(buffering=BUFFER))  # noqa: SIM115 - closed by close()
        else:
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
            self._file = os.fdopen(descriptor, "wb", buffering=BUFFER)
        self._end = 0
        self._known: dict[bytes, TextRef] = {}
        self._reader: TextReader | None = None

    def put(self, data: bytes) -> TextRef:
        digest = hashlib.sha256(data)
        known = self._known.get(digest.digest())
        if known is None:
            known = TextRef(self._end, len(data), digest.hexdigest())
            self._known[digest.digest()] = known
            self._file.write(data)
            self._end += len(data)
        return known

    def flushed(self) -> Path:
        """The file, with all that was put in so far; of a store with a path."""
        self._file.flush()
        if self.path is None:
            raise ValueError("a store without a path has no file to name")
        return self.path

    def reader(self) -> TextReader:
        self._file.flush()
        if self._reader is None:
            self._reader = TextReader(self.path or self._file.fileno())
        return self._reader

    def close(self) -> None:
        try:
            self._file.close()
        finally:
            if self.path:
                self.path.unlink(missing_ok=True)

    def __enter__(self) -> TextStore:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self.close()


class TextReader:
    """Reads what a `TextStore` holds."""

    _descriptor = -1

    def __init__(self, source: Path | int) -> None:
        """By the path of the file, or by a descriptor of it."""
        self._descriptor = os.dup(source) if isinstance(source, int) else os.open(source, os.O_RDONLY | os.O_CLOEXEC)

    def bytes(self, ref: TextRef) -> bytes:
        return os.pread(self._descriptor, ref.size, ref.offset)

    def text(self, ref: TextRef | None) -> str | None:
        """The text for display: bytes that are not UTF-8 show as U+FFFD, the download keeps them."""
        return None if ref is None else self.bytes(ref).decode("utf-8", "replace")

    def __del__(self) -> None:
        if self._descriptor >= 0:
            os.close(self._descriptor)
