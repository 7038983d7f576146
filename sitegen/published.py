"""`urls.json`: every address that a build published, for the next one to keep answered."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from sitegen.errors import Refused
from sitegen.plain import json_text
from sitegen.segments import is_path
from sitegen.urls import folders_above

SCHEMA, VERSION = "sitegen-urls", 1


@dataclass(frozen=True)
class State:
    """What a model's page said: its folder, and the outcome and check of its latest result."""

    folder: str
    tone: str
    status: str


@dataclass(frozen=True)
class Moved:
    """An address that leads to another one, and what was there."""

    target: str
    what: str


@dataclass(frozen=True)
class Published:
    """What a build published. `lost` are files that it had no more, and `former` the folders that models had before.

    Both are handed on from build to build, since a successor can become known later; so is what was `renamed`, since a
    ranking that told it may not tell it again.
    """

    pages: Mapping[str, str] = field(default_factory=dict)  # with what each is
    files: frozenset[str] = frozenset()
    moved: Mapping[str, Moved] = field(default_factory=dict)
    gone: Mapping[str, str] = field(default_factory=dict)  # with what each was
    lost: frozenset[str] = frozenset()
    models: Mapping[str, State] = field(default_factory=dict)
    former: Mapping[str, str] = field(default_factory=dict)  # folder -> id
    renamed: Mapping[str, str] = field(default_factory=dict)  # folded earlier id -> id

    @cached_property
    def by_folder(self) -> Mapping[str, str]:
        return {**self.former, **{state.folder: model_id for model_id, state in self.models.items()}}

    def model_of(self, path: str) -> tuple[str, str] | None:
        """The folder of a model that an address lies in, and the model's id."""
        found = (folder for folder in folders_above(path) if folder in self.by_folder)
        return next(((folder, self.by_folder[folder]) for folder in found), None)


def load_published(file: Path, redact: Callable[[str], str] = str) -> Published:
    """The list of a previous build. Raises Refused where the file cannot be one.

    What it says of pages goes through `redact`: that build may have published what this one shall not.
    """
    try:
        table = json.loads(file.read_bytes())
        if (table["schema"], table["version"]) != (SCHEMA, VERSION):
            raise ValueError(f"schema {table['schema']!r}, version {table['version']!r}")
        return Published(
            {_page(path): redact(_text(what)) for path, what in table["pages"].items()},
            frozenset(map(_path, _list(table["files"]))),
            {_page(path): Moved(_page(target), redact(_text(what))) for path, (target, what) in table["moved"].items()},
            {_page(path): redact(_text(what)) for path, what in table["gone"].items()},
            frozenset(map(_path, _list(table["lost"]))),
            {_text(model_id): State(*_texts(state, redact)) for model_id, state in table["models"].items()},
            {_text(folder): _text(model_id) for folder, model_id in table["former"].items()},
            {_text(old): _text(new) for old, new in table.get("renamed", {}).items()},  # younger than the version
        )
    except OSError as error:
        raise Refused(f"--previous: {file}: {error.strerror}") from None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        expected = f"urls.json of an earlier build (schema {SCHEMA}, version {VERSION})"
        raise Refused(f"--previous: {file} cannot be read: {error!r}; expected {expected}") from None


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{value!r} is no text")
    return value


def _texts(state: Iterable[object], redact: Callable[[str], str]) -> Iterator[str]:
    folder, *words = map(_text, state)
    yield folder
    yield from map(redact, words)


def _list(value: object) -> list[object]:
    if not isinstance(value, list):
        raise ValueError(f"{value!r} is no list")
    return value


def _path(value: object) -> str:
    """A path of a site. Raises ValueError for what could lead out of one, or into what belongs to a build."""
    text = _text(value)
    if not is_path(text):
        raise ValueError(f"{text[:100]!r} is no path of a site")
    return text


def _page(value: object) -> str:
    path = _path(value)
    if not path.endswith(".html"):
        raise ValueError(f"{path!r} is no page")
    return path


def as_json(found: Published) -> bytes:
    """`urls.json`: sorted, a line an address, so that two of them can be compared with any tool."""
    table: dict[str, Any] = {
        "schema": SCHEMA,
        "version": VERSION,
        "pages": dict(sorted(found.pages.items())),
        "files": sorted(found.files),
        "moved": {path: [old.target, old.what] for path, old in sorted(found.moved.items())},
        "gone": dict(sorted(found.gone.items())),
        "lost": sorted(found.lost),
        "models": {i: [s.folder, s.tone, s.status] for i, s in sorted(found.models.items())},
        "former": dict(sorted(found.former.items())),
        "renamed": dict(sorted(found.renamed.items())),
    }
    return (json_text(table, indent=0) + "\n").encode("utf-8", "replace")
