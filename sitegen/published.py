"""`urls.json`: every address that a build published, for the next one to keep answered."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from sitegen.cells import count
from sitegen.errors import Refused
from sitegen.plan import PATH_MAX, SEGMENT_MAX
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

    Both are handed on from build to build: a successor can become known later.
    """

    pages: Mapping[str, str] = field(default_factory=dict)  # with what each is
    files: frozenset[str] = frozenset()
    moved: Mapping[str, Moved] = field(default_factory=dict)
    gone: Mapping[str, str] = field(default_factory=dict)  # with what each was
    lost: frozenset[str] = frozenset()
    models: Mapping[str, State] = field(default_factory=dict)
    former: Mapping[str, str] = field(default_factory=dict)  # folder -> id

    @cached_property
    def by_folder(self) -> Mapping[str, str]:
        return {**self.former, **{state.folder: model_id for model_id, state in self.models.items()}}

    def model_of(self, path: str) -> tuple[str, str] | None:
        """The folder of a model that an address lies in, and the model's id."""
        found = (folder for folder in folders_above(path) if folder in self.by_folder)
        return next(((folder, self.by_folder[folder]) for folder in found), None)


def load_published(file: Path) -> Published:
    """The list of a previous build. Raises Refused where the file cannot be one."""
    try:
        table = json.loads(file.read_bytes())
        if (table["schema"], table["version"]) != (SCHEMA, VERSION):
            raise ValueError(f"schema {table['schema']!r}, version {table['version']!r}")
        return Published(
            {_page(path): _text(what) for path, what in table["pages"].items()},
            frozenset(map(_path, _list(table["files"]))),
            {_page(path): Moved(_page(target), _text(what)) for path, (target, what) in table["moved"].items()},
            {_page(path): _text(what) for path, what in table["gone"].items()},
            frozenset(map(_path, _list(table["lost"]))),
            {_text(model_id): State(*map(_text, state)) for model_id, state in table["models"].items()},
            {_text(folder): _text(model_id) for folder, model_id in table["former"].items()},
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


def _list(value: object) -> list[object]:
    if not isinstance(value, list):
        raise ValueError(f"{value!r} is no list")
    return value


def _path(value: object) -> str:
    """A path of a site. Raises ValueError for what could lead out of one, or into what belongs to a build."""
    text = _text(value)
    parts = text.split("/")
    legal = all(re.fullmatch(r"[a-z0-9_-][a-z0-9._-]*", part) and len(part) <= SEGMENT_MAX for part in parts)
    if not legal or len(text) > PATH_MAX or parts[0] == "assets":
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
    }
    return (json.dumps(table, ensure_ascii=False, indent=0) + "\n").encode("utf-8", "replace")


def since(previous: Published, now: Published) -> Iterator[str]:
    """What changed since the previous build, a line each: models regressed, fixed and new, and addresses lost."""
    both = [(i, previous.models[i], now.models[i]) for i in sorted(previous.models.keys() & now.models.keys())]
    changed = {
        "regressed": [i for i, old, new in both if (old.tone, new.tone) == ("pass", "fail")],
        "fixed": [i for i, old, new in both if (old.tone, new.tone) == ("fail", "pass")],
        "new": sorted(now.models.keys() - previous.models.keys()),
        "no longer listed": sorted(previous.models.keys() - now.models.keys()),
    }
    for name, ids in changed.items():
        if ids:
            more = f" and {len(ids) - 5} more" if len(ids) > 5 else ""
            yield f"{count(len(ids), 'model')} {name}: {', '.join(ids[:5])}{more}"
    moved = len(now.moved.keys() - previous.moved.keys())
    gone = len(now.gone.keys() - previous.gone.keys())
    yield f"{count(moved, 'address', 'addresses')} moved, {count(gone, 'address', 'addresses')} gone"
