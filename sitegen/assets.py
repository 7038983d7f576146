"""Static files under fingerprinted addresses, so that a host may keep them for ever."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePosixPath

from sitegen.plan import File
from sitegen.texts import TextReader


@dataclass(frozen=True)
class Assets:
    """The files of `static/` by their name there: path on the site, and bytes."""

    paths: Mapping[str, str]
    contents: Mapping[str, bytes]

    def outputs(self) -> list[File]:
        return [File(path, f"static/{name}", partial(_bytes, self.contents[name])) for name, path in self.paths.items()]


def _bytes(data: bytes, _: TextReader) -> bytes:
    return data


def load_assets(folder: Path) -> Assets:
    """Every file of the folder; licences and notes keep their names, since nothing refers to them by address."""
    contents = {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.name.startswith(".")
    }
    return Assets({name: _path(name, data) for name, data in contents.items()}, contents)


def _path(name: str, data: bytes) -> str:
    pure = PurePosixPath(name.lower())
    if pure.suffix in (".txt", ".md"):
        return f"assets/{pure}"
    return f"assets/{pure.with_suffix('')}.{hashlib.sha256(data).hexdigest()[:10]}{pure.suffix}"
