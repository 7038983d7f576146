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
from sitegen.model import Model, VersionPair
from sitegen.plan import File, Output, Page
from sitegen.published import Moved, Published, State, as_json
from sitegen.site import Site
from sitegen.successors import Successors
from sitegen.texts import TextReader

# What no one links to: assets carry a hash, and data scripts belong to their pages.
_UNLISTED = re.compile(r"assets/|.*\.js$")


@dataclass(frozen=True)
class Followed:
    """What becomes of the addresses of a previous build that this one no longer has."""

    moved: Mapping[str, Moved]
    copied: Mapping[str, str]  # files that are those of the successor
    compared: Mapping[str, tuple[VersionPair, VersionPair]]  # comparisons that are no longer made, of pairs that are
    badges: Mapping[str, str]  # badges of what is not listed any more, with what that was
    gone: Mapping[str, str]
    lost: frozenset[str]
    heirs: Mapping[str, str]  # for an address that is gone, the id that its model has now
    owners: Mapping[str, tuple[str, ...]]  # for an owner's that is gone, the pages of those who have models of it now
    went: Mapping[str, str]  # of the models of the previous build, other ids that they have now
    former: Mapping[str, str]
    renamed: Mapping[str, str]


def follow(site: Site, previous: Published, planned: Mapping[str, Output]) -> Followed:
    """Every address of the previous build that is not planned, with its successor where that is known."""
    successors = Successors(site, previous, planned)
    room = _Room(planned)
    moved: dict[str, Moved] = {}
    compared: dict[str, tuple[VersionPair, VersionPair]] = {}
    gone: dict[str, str] = {}
    texts = {**previous.gone, **{path: old.what for path, old in previous.moved.items()}, **previous.pages}
    for path, what in sorted(texts.items()):
        if path in planned or not room.take(path):
            continue
        if target := successors.of(path):
            moved[path] = Moved(target, what)
        elif pairs := successors.compared(path):
            compared[path] = pairs
        else:
            gone[path] = what
    copied, badges, lost = _files(site, previous, planned, successors, room)
    folders = set(site.addresses.models.values())
    return Followed(
        moved,
        copied,
        compared,
        badges,
        gone,
        lost,
        {path: heir for path in gone if (heir := successors.heir(path))},
        {path: owners for path in gone if (owners := successors.owners(path))},
        {old: new for old in previous.models if (new := successors.id_since(old)) not in (None, old)},
        {folder: model_id for folder, model_id in previous.by_folder.items() if folder not in folders},
        successors.handed_on,
    )


def _files(
    site: Site, previous: Published, planned: Mapping[str, Output], successors: Successors, room: _Room
) -> tuple[Mapping[str, str], Mapping[str, str], frozenset[str]]:
    """The files that are those of a successor, the badges of what is not listed any more, and all others."""
    copied: dict[str, str] = {}
    badges: dict[str, str] = {}
    lost: set[str] = set()
    made_last = {urls.URLS, urls.ZIP} if site.settings.zip else {urls.URLS}
    for path in sorted((previous.files | previous.lost) - planned.keys() - made_last):
        target = successors.of(path)
        if target is not None and isinstance(planned[target], File) and room.take(path):
            copied[path] = target
        elif (about := successors.badge_of(path)) and room.take(path):
            badges[path] = about
        else:
            lost.add(path)
    return copied, badges, frozenset(lost)


class _Room:
    """Which paths are free: where no file stands, also not as a folder of the path or in a folder of its name."""

    def __init__(self, planned: Iterable[str]) -> None:
        self.files = {*planned, urls.URLS, urls.ZIP}
        self.folders = {folder for path in planned for folder in urls.folders_above(path)}

    def take(self, path: str) -> bool:
        """Takes the path, if it is free."""
        above = set(urls.folders_above(path))
        if path in self.files or f"{path}/" in self.folders or any(folder[:-1] in self.files for folder in above):
            return False
        self.files.add(path)
        self.folders |= above
        return True


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
        followed.renamed,
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
    homes = {urls.page_in(state.folder) for state in previous.models.values()}
    if homes and now.models and not homes & (now.pages.keys() | now.moved.keys()):
        what = f"none of its {count(len(previous.models), 'model')} is in this catalogue"
        problems.notice("address-lost", Place("urls.json"), what, hint="Check that it is the list of this site")
    gone = (path for path in followed.gone if path not in previous.gone and not urls.is_error(path))
    lost = {path: f"it was {followed.gone[path]}" for path in gone}
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
