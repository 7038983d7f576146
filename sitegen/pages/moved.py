"""Addresses of an earlier build: a page that leads on, or one that says what was there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial

from sitegen import urls
from sitegen.badge import Badge, endpoint, svg
from sitegen.model import VersionPair
from sitegen.pages.badges import no_longer_listed
from sitegen.pages.comparisons import Comparison, against_predecessor, by_library
from sitegen.pages.parts import pair_text
from sitegen.permalinks import Followed
from sitegen.plan import File, Head, Link, Output, Page
from sitegen.site import Site
from sitegen.texts import TextReader


@dataclass(frozen=True)
class MovedContext:
    head: Head
    target: str


@dataclass(frozen=True)
class GoneContext:
    head: Head
    what: str
    why: str
    links: tuple[Link, ...]


@dataclass(frozen=True)
class NotComparedContext:
    """Two pairs that are not compared with each other, and for each what it is compared with."""

    head: Head
    pairs: tuple[ComparedPair, ...]
    index_path: str


@dataclass(frozen=True)
class ComparedPair:
    link: Link
    links: tuple[Link, ...]  # its comparisons with the newest and with its predecessor


def answers(site: Site, followed: Followed, planned: Mapping[str, Output]) -> Iterator[Output]:
    """What stands at the addresses that are no longer planned."""
    near = _Near(site, followed)
    for path, old in followed.moved.items():
        yield Page(path, "moved", old.what, partial(_moved, path, old.target))
    for path, target in followed.copied.items():
        source = planned[target]
        if isinstance(source, File):
            yield File(path, f"what moved to {target}", source.content)
    for path, about in followed.badges.items():
        badge = no_longer_listed(site, about)
        yield File(path, f"the badge of {about}", partial(_badge, badge, path.endswith(".svg")))
    for path, pairs in followed.compared.items():
        yield Page(path, "not_compared", Comparison(site, *pairs).words, partial(_not_compared, site, path, pairs))
    for path, what in followed.gone.items():
        yield Page(path, "gone", what, partial(_gone, near, path, what))


def _badge(badge: Badge, drawn: bool, _: TextReader) -> bytes:
    return svg(badge) if drawn else endpoint(badge)


def _moved(path: str, target: str, _: TextReader) -> MovedContext:
    head = Head(path, "This page has moved", "What was at this address is now at another one.", refresh=target)
    return MovedContext(head, target)


def _gone(near: _Near, path: str, what: str, _: TextReader) -> GoneContext:
    head = Head(path, "This page is gone", f"At this address was {what}.", indexed=False)
    why = _NO_ERROR if urls.is_error(path) else "The data that this site is made of no longer has it."
    return GoneContext(head, what, why, tuple(near.links(path)))


_NO_ERROR = (
    "No result has it now, by the run that counts for it. Earlier runs that had it are on the pages of their models."
)


def _not_compared(site: Site, path: str, pairs: tuple[VersionPair, VersionPair], _: TextReader) -> NotComparedContext:
    comparison = Comparison(site, *pairs)
    description = f"At this address was {comparison.words}. The data has both pairs."
    crumbs = (Link("Versions", urls.VERSIONS), Link("Compare", urls.COMPARE))
    head = Head(path, f"{comparison.link().text}: not made any more", description, "versions", crumbs, indexed=False)
    return NotComparedContext(head, tuple(_compared_pair(site, pair) for pair in reversed(pairs)), urls.COMPARE)


def _compared_pair(site: Site, pair: VersionPair) -> ComparedPair:
    newest = by_library(site.pairs)[pair.library][0]
    found = [Comparison(site, pair, newest)] if pair != newest else []
    before = against_predecessor(site, pair)
    links = tuple(comparison.link() for comparison in (*found, *([before] if before else [])))
    return ComparedPair(Link(pair_text(site, pair), site.addresses.pair(pair)), links)


class _Near:
    """What stands nearest to an address: the model and its owner, else the list that it was part of."""

    def __init__(self, site: Site, followed: Followed) -> None:
        self.site, self.followed = site, followed
        self.folders = {folder: model_id for model_id, folder in site.addresses.models.items()}
        self.owners = {site.addresses.owner(model.id): model.owner or "models without owner" for model in site.models}

    def links(self, path: str) -> Iterator[Link]:
        if heir := self.followed.heirs.get(path):
            yield Link(heir, self.site.addresses.model(heir))
        for page in self.followed.owners.get(path, ()):
            yield Link(f"All of {self.owners[page]}", page)
        for above in reversed(list(urls.folders_above(path))):
            if above in self.folders and self.folders[above] != heir:
                yield Link(self.folders[above], urls.page_in(above))
            if owner := self.owners.get(urls.page_in(above)):
                yield Link(f"All of {owner}", urls.page_in(above))
        top = {
            "models": ("All models", urls.ALL),
            "versions": ("Versions", urls.VERSIONS),
            "errors": ("Errors", urls.ERRORS),
        }
        yield Link(*top.get(path.partition("/")[0], ("Home", urls.HOME)))
        yield Link("Search", urls.SEARCH)
