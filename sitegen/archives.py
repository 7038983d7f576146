"""Zip archives without anything in them that differs from machine to machine."""

from __future__ import annotations

from collections.abc import Mapping
from io import BytesIO
from zipfile import ZIP_STORED, ZipFile, ZipInfo

_TIME = (1980, 1, 1, 0, 0, 0)  # the first that an archive can hold
_UNIX = 3
_MODE = 0o100644 << 16  # a plain file


def archive(files: Mapping[str, bytes]) -> bytes:
    """The files as a zip archive, in the order of their names; stored, because compressors differ in their bytes."""
    stream = BytesIO()
    with ZipFile(stream, "w", ZIP_STORED) as target:
        for name in sorted(files):
            target.writestr(entry(name), files[name], ZIP_STORED)
    return stream.getvalue()


def entry(name: str) -> ZipInfo:
    """An entry of an archive with nothing in it that differs from machine to machine."""
    info = ZipInfo(name, _TIME)
    info.create_system, info.external_attr = _UNIX, _MODE
    return info
