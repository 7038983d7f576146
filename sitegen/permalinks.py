"""Addresses are promises: what a previous build published is still answered, by its page, its successor or a word.

`urls.json` at the site's root lists what was published. A later build that is given it (`--previous`) puts a page that
leads on where an address would disappear and its successor is known, and elsewhere a page that says what was there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from sitegen import urls
from sitegen.cells import count
from sitegen.errors import Place, Problems
from sitegen.model import Model
from sitegen.plan import File, Output, Page
from sitegen.published import Moved, Published, State, as_json
from sitegen.site import Site
from sitegen.texts import TextReader

# What no one links to: assets carry a hash, and data scripts belong to their pages.
_UNLISTED = re.compile(r"assets/|.*\.js$")


@dataclass(frozen=True)
class Followed:
    """What becomes of the addresses of a previous build that this one no longer has."""

    moved: Mapping[str, Moved]
    copied: Mapping[str, str]  # files that are those of the successor
    badges: Mapping[str, str]  # badges of what is not listed any more, with what that was
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
        elif (about := successors.badge_of(path)) and not successors.in_the_way(path):
            badges[path] = about
        else:
            lost.add(path)
    folders = set(site.addresses.models.values())
    former = {folder: model_id for folder, model_id in previous.by_folder.items() if folder not in folders}
    return Followed(moved, copied, badges, gone, frozenset(lost), heirs, former)


class _Successors:
    """Where an address leads now."""

    def __init__(self, site: Site, previous: Published, planned: Mapping[str, Output]) -> None:
        self.site, self.previous, self.planned = site, previous, planned
        self.folders = {folder for path in planned for folder in urls.folders_above(path)}
        self.renamed = {**_renamed_before(previous), **site.renamed}
        self.folded = _by_fold(site.models)

    def in_the_way(self, path: str) -> bool:
        """Whether a file of this path would stand where a folder is, or in a file."""
        above = (folder[:-1] for folder in urls.folders_above(path))
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
        """What a badge was of that is not listed any more: the id of a model, or a result for a frozen one."""
        if urls.is_frozen_badge(path):
            return "a result"
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


def listing(site: Site, outputs: Iterable[Output], followed: Followed) -> File:
    """The file itself, which lists its own address too."""
    outputs = list(outputs)

    def content(_: TextReader) -> bytes:
        return as_json(published(site, outputs, followed))

    file = File(urls.URLS, "the list of addresses", content)
    outputs.append(file)
    return file


def check_lost(previous: Published, followed: Followed, now: Published, problems: Problems) -> None:
    """A notice for each model, or other address, that is lost in this build; under --strict they stop it."""
    if previous.models and now.models and not previous.models.keys() & now.models.keys():
        what = f"none of its {count(len(previous.models), 'model')} is in this catalogue"
        problems.notice("address-lost", Place("urls.json"), what, hint="Check that it is the list of this site")
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
