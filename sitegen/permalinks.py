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
from sitegen.plan import PATH_MAX, SEGMENT_MAX, File, Output, Page
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
        folders = (path[: at + 1] for at, character in enumerate(path) if character == "/")
        return next(((folder, self.by_folder[folder]) for folder in folders if folder in self.by_folder), None)


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


@dataclass(frozen=True)
class Followed:
    """What becomes of the addresses of a previous build that this one no longer has."""

    moved: Mapping[str, Moved]
    copied: Mapping[str, str]  # files that are those of the successor
    badges: Mapping[str, str]  # badges of models that are not listed any more, with the model's id
    gone: Mapping[str, str]
    lost: frozenset[str]
    heirs: Mapping[str, str]  # for an address that is gone, the id that its model has now
    former: Mapping[str, str]


def follow(site: Site, previous: Published, planned: Mapping[str, Output]) -> Followed:
    """Every address of the previous build that is not planned, with its successor where that is known."""
    moved: dict[str, Moved] = {}
    copied: dict[str, str] = {}
    badges: dict[str, str] = {}
    gone: dict[str, str] = {}
    lost: set[str] = set()
    heirs: dict[str, str] = {}
    successors = _Successors(site, previous, planned)
    texts = {**previous.gone, **{path: old.what for path, old in previous.moved.items()}, **previous.pages}
    for path, what in sorted(texts.items()):
        if path in planned or successors.in_the_way(path):
            continue
        if target := successors.of(path):
            moved[path] = Moved(target, what)
        else:
            gone[path] = what
            if heir := successors.heir(path):
                heirs[path] = heir
    made_last = {urls.URLS, urls.ZIP} if site.settings.zip else {urls.URLS}
    for path in sorted((previous.files | previous.lost) - planned.keys() - made_last):
        target = None if successors.in_the_way(path) else successors.of(path)
        if target is not None and isinstance(planned[target], File):
            copied[path] = target
        elif (model_id := successors.badge_of(path)) and not successors.in_the_way(path):
            badges[path] = model_id
        else:
            lost.add(path)
    folders = set(site.addresses.models.values())
    former = {folder: model_id for folder, model_id in previous.by_folder.items() if folder not in folders}
    return Followed(moved, copied, badges, gone, frozenset(lost), heirs, former)


class _Successors:
    """Where an address leads now."""

    def __init__(self, site: Site, previous: Published, planned: Mapping[str, Output]) -> None:
        self.site, self.previous, self.planned = site, previous, planned
        self.folders = {path[: at + 1] for path in planned for at, character in enumerate(path) if character == "/"}
        self.renamed = {**_renamed_before(previous), **_renamed(site)}
        self.folded = _by_fold(site.models)

    def in_the_way(self, path: str) -> bool:
        """Whether a file of this path would stand where a folder is, or in a file."""
        above = (path[:at] for at, character in enumerate(path) if character == "/")
        return f"{path}/" in self.folders or any(
            folder in self.planned or folder in (urls.URLS, urls.ZIP) for folder in above
        )

    def of(self, path: str, depth: int = 8) -> str | None:
        """A planned path, or None. What moved before leads on, but not in circles."""
        if path in self.planned:
            return path
        if found := self.previous.model_of(path):
            return self._of_model(path, *found)
        if first := urls.first_page(path):  # a list that became shorter
            return first if first in self.planned else None
        before = self.previous.moved.get(path)
        return self.of(before.target, depth - 1) if before and depth else None

    def _of_model(self, path: str, folder: str, old: str) -> str | None:
        """The same page or file of the model as it is called now; for the model's own page, that model's page."""
        new = self._id_now(old)
        if new is None or (home := self.site.addresses.models[new]) == folder:
            return None
        same = home + path.removeprefix(folder)
        if same in self.planned:
            return same
        return self.site.addresses.model(new) if path == urls.page_in(folder) else None

    def heir(self, path: str) -> str | None:
        found = self.previous.model_of(path)
        return self._id_now(found[1]) if found else None

    def badge_of(self, path: str) -> str | None:
        """The id of the model that is not listed any more and whose badge this was."""
        found = self.previous.model_of(path)
        if found is None or path.removeprefix(found[0]) not in (urls.BADGE, urls.BADGE_JSON):
            return None
        return found[1] if self._id_now(found[1]) is None else None

    def _id_now(self, old: str) -> str | None:
        """The id that the model has now: the same, the one that rankings say it was renamed to, or re-cased."""
        seen = {old}
        new: str | None = old
        while new is not None and new not in self.site.by_id:
            new = self.renamed.get(new.casefold())
            if new in seen:
                break
            seen.add(new or "")
        if new in self.site.by_id:
            return new
        # Only the case differs; but what was another model before is one now.
        recased = self.folded.get(old.casefold())
        return recased if recased not in self.previous.models else None


def _renamed(site: Site) -> Mapping[str, str]:
    """Earlier ids, folded, and what they are called now; none that two models claim."""
    found: dict[str, set[str]] = {}
    for ranking in site.rankings:
        for model in ranking.models:
            for old in model.was:
                found.setdefault(old.casefold(), set()).add(model.model_id)
    return {old: next(iter(new)) for old, new in found.items() if len(new) == 1}


def _renamed_before(previous: Published) -> Mapping[str, str]:
    """The same as the previous build knew it: from where the pages of models led."""
    found = {}
    for folder, old in previous.former.items():
        moved = previous.moved.get(urls.page_in(folder))
        if moved and (new := previous.model_of(moved.target)):
            found[old.casefold()] = new[1]
    return found


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
    files = {output.path for output in listed if isinstance(output, File)}
    return Published(
        {path: what for path, what in pages.items() if path not in followed.moved and path not in followed.gone},
        frozenset(files | ({urls.ZIP} if site.settings.zip else set())),
        followed.moved,
        followed.gone,
        followed.lost,
        {model.id: State(site.addresses.models[model.id], *_state(site, model)) for model in site.models},
        followed.former,
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
        "moved": {path: [old.target, old.what] for path, old in sorted(found.moved.items())},
        "gone": dict(sorted(found.gone.items())),
        "lost": sorted(found.lost),
        "models": {i: [s.folder, s.tone, s.status] for i, s in sorted(found.models.items())},
        "former": dict(sorted(found.former.items())),
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
    """A notice for each model, or other address, that is lost in this build; under --strict they stop it."""
    lost = {path: f"it was {what}" for path, what in followed.gone.items() if path not in previous.gone}
    lost |= dict.fromkeys(followed.lost - previous.lost, "a file, which no page can stand for")
    by_model: dict[str, list[str]] = {}
    for path in sorted(lost):
        found = previous.model_of(path)
        by_model.setdefault(found[1] if found else "", []).append(path)
    for path in by_model.pop("", []):
        problems.notice("address-lost", Place("urls.json"), f"/{path} is gone: {lost[path]}", hint=_HINT)
    for model_id, paths in by_model.items():
        what = f"{count(len(paths), 'address', 'addresses')} of {model_id} gone: /{paths[0]}"
        more = f" and {len(paths) - 1} more" if len(paths) > 1 else ""
        problems.notice("address-lost", Place("urls.json"), what + more, hint=_HINT)


_HINT = "Keep the data, or name the successor in a ranking (`was`), also later; pages say what was there until then"
