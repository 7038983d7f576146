"""Atom feeds (RFC 4287) of what each version pair changed: one for a model, and a few over all of them.

An entry is one model under one pair, with the newest date of its runs there; a result without a date has none. Nothing
is remembered from build to build and no clock is asked: the entries are those that the data holds.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property, partial
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from sitegen import urls
from sitegen.cells import day
from sitegen.history import TRANSITIONS, Step, steps
from sitegen.model import Model, Result
from sitegen.pages.parts import pair_text, status, status_words
from sitegen.plain import one_line
from sitegen.plan import File, Link, Output
from sitegen.site import Site
from sitegen.texts import TextReader

ATOM = "http://www.w3.org/2005/Atom"
ENTRIES_MAX = 200
CHANGES = frozenset(TRANSITIONS) - {"still-passing", "still-failing", "unchanged", "not-tested"}


@dataclass(frozen=True)
class Kind:
    """A feed over all models: its title, what its entries are, and which transitions they have."""

    title: str
    subtitle: str
    transitions: frozenset[str]


SITE_FEEDS: Mapping[str, Kind] = {
    "feed": Kind("All changes", "What a version pair changed for a model.", CHANGES),
    "regressed": Kind(
        "Regressed",
        "Models that passed under the previous version pair and failed under this one.",
        frozenset({"regressed"}),
    ),
    "fixed": Kind(
        "Fixed",
        "Models that failed under the previous version pair and passed under this one.",
        frozenset({"fixed"}),
    ),
    "new": Kind("First results", "Models that had no result with the library before.", frozenset({"new"})),
}


@dataclass(frozen=True)
class Entry:
    """One model under one pair; `path` is its result's page."""

    model: Model
    step: Step
    result: Result
    path: str
    updated: datetime


def plan(site: Site) -> Iterator[Output]:
    if not _planned(site):
        return
    entries = _Entries(site)
    for name in SITE_FEEDS:
        yield File(urls.feed(name), f"the feed {name}", partial(_site_feed, entries, name))
    for model in site.models:
        yield File(site.addresses.feed(model.id), f"the feed of {model.id}", partial(_model_feed, site, model))


def site_feeds(site: Site) -> tuple[Link, ...]:
    """The feeds over all models, where there are feeds."""
    return tuple(Link(kind.title, urls.feed(name)) for name, kind in SITE_FEEDS.items()) if _planned(site) else ()


def model_feeds(site: Site, model: Model) -> tuple[Link, ...]:
    return (Link(f"Results of {model.id}", site.addresses.feed(model.id)),) if _planned(site) else ()


def _planned(site: Site) -> bool:
    """A feed needs absolute addresses, and a date also where it has no entries."""
    return site.settings.base_url is not None and site.newest is not None


@dataclass(frozen=True)
class _Entries:
    """The entries of all models, the newest first: found once for all feeds over them."""

    site: Site

    @cached_property
    def found(self) -> tuple[Entry, ...]:
        return _newest_first(entry for model in self.site.models for entry in _entries_of(self.site, model))


def _newest_first(entries: Iterable[Entry]) -> tuple[Entry, ...]:
    """Of one moment by path, so that the order of rows does not count."""
    return tuple(sorted(sorted(entries, key=lambda entry: entry.path), key=lambda entry: entry.updated, reverse=True))


def _entries_of(site: Site, model: Model) -> Iterator[Entry]:
    """An entry for each result of the model that has a date."""
    for step in steps(site, model):
        if step.result is not None and (moment := step.result.headline.tested_at):
            yield Entry(model, step, step.result, site.addresses.result(model.id, step.pair), moment)


def _urn(*parts: str | None) -> str:
    """A name-based UUID (RFC 9562, version 8) of the parts."""
    digest = bytearray(hashlib.sha256(repr(parts).encode("utf-8", "surrogatepass")).digest()[:16])
    digest[6] = digest[6] & 0x0F | 0x80
    digest[8] = digest[8] & 0x3F | 0x80
    text = digest.hex()
    return f"urn:uuid:{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"


def _site_feed(entries: _Entries, name: str, _: TextReader) -> bytes:
    site, kind = entries.site, SITE_FEEDS[name]
    found = [entry for entry in entries.found if entry.step.transition in kind.transitions]
    feed = _Feed(site, name, urls.feed(name), urls.HOME, kind.title, kind.subtitle)
    return feed.document(found)


def _model_feed(site: Site, model: Model, _: TextReader) -> bytes:
    subtitle = f"Every result of {model.id} on {site.catalog.device} that has a date."
    path, page = site.addresses.feed(model.id), site.addresses.model(model.id)
    return _Feed(site, f"model {model.id}", path, page, model.id, subtitle).document(
        _newest_first(_entries_of(site, model))
    )


@dataclass(frozen=True)
class _Feed:
    """The feed at `path`, whose page is at `page`; `name` is what no other feed has."""

    site: Site
    name: str
    path: str
    page: str
    title: str
    subtitle: str

    def document(self, entries: Sequence[Entry]) -> bytes:
        catalog = self.site.catalog
        feed = Element("feed", {"xmlns": ATOM, "xml:lang": "en"})
        _text(feed, "id", _urn("feed", catalog.device, catalog.compiler, self.name))
        _text(feed, "title", f"{self.title} · {catalog.title}")
        _text(feed, "subtitle", f"{self.subtitle} {catalog.notice or ''}")
        _text(feed, "updated", _moment(entries[0].updated if entries else self.site.newest))
        _text(SubElement(feed, "author"), "name", catalog.title)
        _link(feed, "self", self._absolute(self.path), "application/atom+xml")
        _link(feed, "alternate", self._absolute(self.page), "text/html")
        for entry in entries[:ENTRIES_MAX]:
            self._add(feed, entry)
        indent(feed)
        document: bytes = tostring(feed, "utf-8", xml_declaration=True)
        return document + b"\n"

    def _add(self, feed: Element, entry: Entry) -> None:
        catalog, step, pair = self.site.catalog, entry.step, entry.step.pair
        words, with_pair = self._words(entry.model, entry.result), pair_text(self.site, pair)
        transition = TRANSITIONS[step.transition]
        about = f"{entry.model.id} on {catalog.device} with {with_pair}, tested {day(entry.updated)}"
        node = SubElement(feed, "entry")
        # Neither the transition nor the site's address is part of the id: an older pair that is added, a retest or
        # a move must not turn one result into two.
        identity = entry.model.id, pair.compiler, pair.library, pair.library_version
        _text(node, "id", _urn("result", catalog.device, catalog.compiler, *identity))
        _text(node, "title", f"{transition.capitalize()}: {entry.model.id}, {words}, with {with_pair}")
        _text(node, "updated", _moment(entry.updated))
        _link(node, "alternate", self._absolute(entry.path), "text/html")
        SubElement(node, "category", {"term": step.transition, "label": transition})
        _text(node, "summary", f"{about}: {words} ({transition}). {self._before(entry)}")

    def _before(self, entry: Entry) -> str:
        before = entry.step.before
        if before is None:
            return f"No earlier result with {entry.step.pair.library or 'this library, which is not recorded'}."
        return f"Before, with {pair_text(self.site, before.pair)}: {self._words(entry.model, before)}."

    def _words(self, model: Model, result: Result) -> str:
        return status_words(status(self.site, model, result), reason=True)

    def _absolute(self, path: str) -> str:
        return urls.absolute(self.site.settings.base_url or "", path)


def _moment(moment: datetime | None) -> str:
    """RFC 3339, in UTC."""
    if moment is None:
        raise ValueError("a feed of a site without a date")
    return moment.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def _text(parent: Element, name: str, text: str) -> None:
    SubElement(parent, name).text = one_line(text)


def _link(parent: Element, rel: str, href: str, kind: str) -> None:
    SubElement(parent, "link", {"rel": rel, "type": kind, "href": href})
