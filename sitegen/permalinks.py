"""Addresses are promises: what a previous build published is still answered, by its page, its successor or a word.

`urls.json` at the site's root lists what was published. A later build that is given it (`--previous`) puts a page that
leads on where an address would disappear and its successor is known, and elsewhere a page that says what was there.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from sitegen import urls
from sitegen.cells import count
from sitegen.errors import Place, Problems, Refused
from sitegen.model import Model
from sitegen.plan import File, Output, Page
from sitegen.site import Site
from sitegen.texts import TextReader

SCHEMA, VERSION = "sitegen-urls", 1
# What no one links to: assets carry a hash, and data scripts belong to their pages.
_UNLISTED = re.compile(r"assets/|.*\.js$")


@dataclass(frozen=True)
class State:
    """What a model's page said: its folder, and the outcome and check of its latest result."""

    folder: str
    tone: str
    status: str


@dataclass(frozen=True)
class Published:
    """What a build published: `pages` and `gone` say what each was, `moved` where it leads."""

    pages: Mapping[str, str] = field(default_factory=dict)
    files: frozenset[str] = frozenset()
    moved: Mapping[str, str] = field(default_factory=dict)
    gone: Mapping[str, str] = field(default_factory=dict)
    models: Mapping[str, State] = field(default_factory=dict)

    @cached_property
    def by_folder(self) -> Mapping[str, str]:
        return {state.folder: model_id for model_id, state in self.models.items()}


def load_published(file: Path) -> Published:
    """The list of a previous build. Raises Refused where the file cannot be one."""
    try:
        table = json.loads(file.read_bytes())
        if (table["schema"], table["version"]) != (SCHEMA, VERSION):
            raise ValueError(f"schema {table['schema']!r}, version {table['version']!r}")
        models = {model_id: State(*map(str, state)) for model_id, state in table["models"].items()}
        texts = [{_path(path): str(text) for path, text in table[name].items()} for name in ("pages", "moved", "gone")]
        return Published(texts[0], frozenset(map(_path, table["files"])), texts[1], texts[2], models)
    except OSError as error:
        raise Refused(f"--previous: {file}: {error.strerror}") from None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        expected = f"urls.json of an earlier build (schema {SCHEMA}, version {VERSION})"
        raise Refused(f"--previous: {file} cannot be read: {error!r}; expected {expected}") from None


def _path(text: object) -> str:
    """A path of a site. Raises ValueError for what could lead out of one."""
    parts = text.split("/") if isinstance(text, str) else []
    if not parts or not all(re.fullmatch(r"[a-z0-9._-]+", part) and part.strip(".") for part in parts):
        raise ValueError(f"{text!r} is no path of a site")
    return "/".join(parts)


@dataclass(frozen=True)
class Followed:
    """What becomes of the addresses of a previous build that this one no longer has."""

    moved: Mapping[str, str]  # pages that lead on
    copied: Mapping[str, str]  # files that are those of the successor
    gone: Mapping[str, str]  # pages that say what was there
    lost: tuple[str, ...]  # files that nothing can stand for


def follow(site: Site, previous: Published, planned: Mapping[str, Output]) -> Followed:
    """Every address of the previous build that is not planned, with its successor where that is known."""
    moved: dict[str, str] = {}
    copied: dict[str, str] = {}
    gone: dict[str, str] = {}
    lost: list[str] = []
    successors = _Successors(site, previous, planned)
    for path in sorted({*previous.pages, *previous.moved, *previous.gone} - planned.keys()):
        target = successors.of(path)
        if target is None:
            gone[path] = previous.pages.get(path) or previous.gone.get(path) or "a page that had moved before"
        else:
            moved[path] = target
    made_last = {urls.URLS, urls.ZIP} if site.settings.zip else {urls.URLS}
    for path in sorted(previous.files - planned.keys() - made_last):
        target = successors.of(path)
        if target is not None and isinstance(planned[target], File):
            copied[path] = target
        else:
            lost.append(path)
    return Followed(moved, copied, gone, tuple(lost))


class _Successors:
    """Where an address leads now."""

    def __init__(self, site: Site, previous: Published, planned: Mapping[str, Output]) -> None:
        self.site, self.previous, self.planned = site, previous, planned
        self.renamed = {old: m.model_id for ranking in site.rankings for m in ranking.models for old in m.was}
        self.folded = _by_fold(site.models)

    def of(self, path: str, depth: int = 8) -> str | None:
        """A planned path, or None. What moved before leads on, but not in circles."""
        if path in self.planned:
            return path
        if path in self.previous.moved and depth:
            found = self.of(self.previous.moved[path], depth - 1)
            if found:
                return found
        if beside := self._beside_moved(path):
            return beside
        if first := urls.first_page(path):  # a list that became shorter
            return first if first in self.planned else None
        return self._of_model(path)

    def _beside_moved(self, path: str) -> str | None:
        """Of a file, the one in the folder to which the page of its folder moved before."""
        for at in reversed(_slashes(path)):
            page = self.previous.moved.get(urls.page_in(path[: at + 1]))
            if page and (same := urls.folder_of(page) + path[at + 1 :]) in self.planned:
                return same
        return None

    def _of_model(self, path: str) -> str | None:
        folder = next((path[: at + 1] for at in _slashes(path) if path[: at + 1] in self.previous.by_folder), None)
        if folder is None:
            return None
        old = self.previous.by_folder[folder]
        new = self._id_now(old)
        if new is None or (home := self.site.addresses.models[new]) == folder:
            return None
        same = home + path.removeprefix(folder)
        if same in self.planned:
            return same
        is_page = path == urls.page_in(urls.folder_of(path))
        return self.site.addresses.model(new) if is_page else None

    def _id_now(self, old: str) -> str | None:
        """The id that the model has now: the same, the one that a ranking says it was renamed to, or re-cased."""
        if old in self.site.by_id:
            return old
        new = self.renamed.get(old)
        return new if new in self.site.by_id else self.folded.get(old.casefold())


def _slashes(path: str) -> list[int]:
    return [at for at, character in enumerate(path) if character == "/"]


def _by_fold(models: Iterable[Model]) -> Mapping[str, str]:
    """Ids by their folded form, where only one has it."""
    found: dict[str, list[str]] = {}
    for model in models:
        found.setdefault(model.id.casefold(), []).append(model.id)
    return {folded: ids[0] for folded, ids in found.items() if len(ids) == 1}


def published(site: Site, outputs: Iterable[Output], followed: Followed) -> Published:
    """What this build publishes."""
    listed = [output for output in outputs if not _UNLISTED.match(output.path)]
    pages = {output.path: output.claimant for output in listed if isinstance(output, Page)}
    return Published(
        {path: text for path, text in pages.items() if path not in followed.moved and path not in followed.gone},
        frozenset(output.path for output in listed if isinstance(output, File))
        | ({urls.ZIP} if site.settings.zip else set()),
        followed.moved,
        followed.gone,
        {model.id: State(site.addresses.models[model.id], *_state(site, model)) for model in site.models},
    )


def _state(site: Site, model: Model) -> tuple[str, str]:
    outcome = site.outcome(model, model.latest)
    checked = model.latest.headline.verification.label if model.latest else ""
    return outcome.tone, ", ".join(filter(None, (outcome.label, checked)))


def as_json(found: Published) -> bytes:
    """`urls.json`: sorted, a line an address, so that two of them can be compared with any tool."""
    table: dict[str, Any] = {
        "schema": SCHEMA,
        "version": VERSION,
        "pages": dict(sorted(found.pages.items())),
        "files": sorted(found.files),
        "moved": dict(sorted(found.moved.items())),
        "gone": dict(sorted(found.gone.items())),
        "models": {i: [s.folder, s.tone, s.status] for i, s in sorted(found.models.items())},
    }
    return (json.dumps(table, ensure_ascii=False, indent=0) + "\n").encode("utf-8", "replace")


def listing(site: Site, outputs: Iterable[Output], followed: Followed) -> File:
    """The file itself, which lists its own address too."""
    outputs = list(outputs)

    def content(_: TextReader) -> bytes:
        return as_json(published(site, outputs, followed))

    file = File(urls.URLS, "the list of addresses", content)
    outputs.append(file)
    return file


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


def check_lost(previous: Published, followed: Followed, problems: Problems) -> None:
    """A notice for each address that is lost in this build; under --strict they stop it."""
    for path in sorted(followed.gone.keys() - previous.gone.keys()):
        hint = "Keep the data, or name the successor in a ranking (`was`); a page says what was there"
        problems.notice("address-lost", Place("urls.json"), f"/{path} is gone: {followed.gone[path]}", hint=hint)
    for path in followed.lost:
        problems.notice("address-lost", Place("urls.json"), f"/{path} is gone: a file, which no page can stand for")
