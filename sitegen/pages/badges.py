"""Badges: beside each model one of its latest result, and frozen ones that say one thing of one version pair for good.

The words are those of the pages: what was observed, how that was checked, and the pair, its versions shortened.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from html import escape

from sitegen import urls
from sitegen.badge import LABEL_MAX, Badge, endpoint, part, svg
from sitegen.model import Model, Result, VersionPair
from sitegen.pages.parts import compiler_text, library_text, pair_text, status, status_words
from sitegen.pages.sayings import Saying, known_sayings, saying_of
from sitegen.plain import markdown_text, one_line
from sitegen.plan import File, Output
from sitegen.segments import LONGER_HASHES, apart
from sitegen.site import Site
from sitegen.texts import TextReader

# 2.28 of 2.28.7631.0+5e0f61c7; a version of any other form (a pre-release, a branch) stays whole.
_SHORT_VERSION = re.compile(r"(\d{1,6}\.\d{1,6})(?:\.\d{1,9})*(?:\+[0-9A-Za-z.]+)?")


@dataclass(frozen=True)
class BadgeView:
    """A badge on a page: its drawing, its words, and what puts it with a link into Markdown or HTML elsewhere."""

    path: str
    alt: str  # on this page; what stands elsewhere must stay true when the drawing changes
    markdown: str
    html: str


def plan(site: Site) -> Iterator[Output]:
    for model in site.models:
        badge = latest(site, model)
        claimant = f"the badge of {model.id}"
        yield from _files(site.addresses.model(model.id), claimant, badge)
    for path, ids in site.addresses.ambiguous.items():
        names = " and ".join(ids)
        title = f"Ambiguous name: {names} differ only in case."
        badge = Badge(part(site.catalog.device, LABEL_MAX), "ambiguous name", title, "other")
        yield from _files(path, f"the badge of {names}", badge)
    for path, badge in frozen_badges(site).items():
        yield File(path, "a frozen badge", partial(_svg, badge))


def _files(page: str, claimant: str, badge: Badge) -> Iterator[File]:
    yield File(urls.beside(page, urls.BADGE), claimant, partial(_svg, badge))
    yield File(urls.beside(page, urls.BADGE_JSON), claimant, partial(_endpoint, badge))


def _svg(badge: Badge, _: TextReader) -> bytes:
    return svg(badge)


def _endpoint(badge: Badge, _: TextReader) -> bytes:
    return endpoint(badge)


def latest(site: Site, model: Model) -> Badge:
    """The badge of a model's latest result; where there is none, it says whether it is excluded or not tested."""
    saying = saying_of(site, status(site, model, model.latest), model.latest)
    return _badge(site, saying, model.latest.pair if model.latest else None, f"{model.id} on {site.catalog.device}")


def no_longer_listed(site: Site, about: str) -> Badge:
    """The badge of a model or a result that the data no longer names, at the address that a model card may have."""
    title = f"{about} on {site.catalog.device}: no longer listed"
    return Badge(part(site.catalog.device, LABEL_MAX), "no longer listed", title, "untested")


def frozen(site: Site, model: Model, result: Result) -> tuple[str, Badge]:
    """The badge that says what this result says now, with its address; every result that says the same shares it."""
    saying = saying_of(site, status(site, model, result), result)
    return _frozen_paths(site)[result.pair, saying], _frozen(site, result.pair, saying)


def frozen_badges(site: Site) -> dict[str, Badge]:
    """All frozen badges by address."""
    return {path: _frozen(site, pair, saying) for (pair, saying), path in _frozen_paths(site).items()}


@lru_cache(maxsize=1)
def _frozen_paths(site: Site) -> Mapping[tuple[VersionPair, Saying], str]:
    """The address of whatever is said: what the results say, and for each pair whatever known words could say.

    The second, so that a badge stays where it is when the result that it was taken from is tested again.
    """
    known = tuple(known_sayings(site.texts.words))
    said = dict.fromkeys((pair, saying) for pair in site.pairs for saying in known)
    results = ((model, result) for model in site.models for result in model.results)
    said |= dict.fromkeys((r.pair, saying_of(site, status(site, model, r), r)) for model, r in results)
    found = {(pair, saying): _frozen_path(site, pair, saying) for pair, saying in said}
    meeting: dict[str, set[Badge]] = defaultdict(set)
    for (pair, saying), path in found.items():
        meeting[path].add(_frozen(site, pair, saying))
    # No badge may say what another one says: where addresses meet, all take one with more of a hash.
    several = [entry for entry, path in found.items() if len(meeting[path]) > 1]
    return found | apart(several, lambda entry, digits: _frozen_path(site, *entry, digits), LONGER_HASHES)


def _frozen(site: Site, pair: VersionPair, saying: Saying) -> Badge:
    return _badge(site, saying, pair, site.catalog.device)


def _frozen_path(site: Site, pair: VersionPair, saying: Saying, digits: int | None = None) -> str:
    """By the keys where they say all, else with a hash of the words; with more `digits` one of all that is said."""
    keys = "-".join(saying.keys)
    if digits is None:
        return site.addresses.frozen_badge(pair, keys, saying.full, saying.plain)
    return site.addresses.frozen_badge(pair, keys, repr((pair, saying.keys, saying.words)), digits=digits)


def _badge(site: Site, saying: Saying, pair: VersionPair | None, about: str) -> Badge:
    with_pair = f", with {pair_text(site, pair)}" if pair else ""
    message = saying.cut + (f" · {_short_pair(site, pair)}" if pair else "")
    return Badge(part(site.catalog.device, LABEL_MAX), message, f"{about}: {saying.full}{with_pair}", saying.tone)


def _short_pair(site: Site, pair: VersionPair) -> str:
    short = VersionPair(_short(pair.compiler), pair.library, _short(pair.library_version))
    return f"{part(compiler_text(site, short))} / {part(library_text(short))}"


def _short(version: str | None) -> str | None:
    known = _SHORT_VERSION.fullmatch(version or "")
    return known[1] if known else version


def latest_view(site: Site, model: Model) -> BadgeView:
    """The badge of the latest result, which leads to the model's page."""
    path, badge = site.addresses.model_file(model.id, urls.BADGE), latest(site, model)
    words = f"Latest result of {one_line(model.id)} on {one_line(site.catalog.device)}"
    return _view(site, path, badge.text, words, _page(site, model))


def frozen_view(site: Site, model: Model, result: Result) -> BadgeView:
    """The frozen badge of a result, which leads to the result's page."""
    path, badge = frozen(site, model, result)
    return _view(site, path, badge.text, badge.text, site.addresses.result(model.id, result.pair))


def _page(site: Site, model: Model) -> str:
    return site.addresses.model(model.id)


def _view(site: Site, path: str, alt: str, words: str, target: str) -> BadgeView:
    base = site.settings.base_url
    image, page = (urls.absolute(base, p) if base else p for p in (path, target))
    return BadgeView(
        path,
        alt,
        f"[![{markdown_text(words)}]({_destination(image)})]({_destination(page)})",
        f'<a href="{escape(page)}"><img src="{escape(image)}" alt="{escape(words)}"></a>',
    )


def _destination(address: str) -> str:
    """An address as it can stand between the round brackets of a link in Markdown."""
    return re.sub(r"[()<>\s\\]", lambda found: f"%{ord(found[0]):02X}", address)


def recipe(site: Site, model: Model) -> str | None:
    """A sentence for a model card, in plain text: what was observed, with what, and where the rest stands.

    None where there is no result. `[page]` stands for the page's address where the site does not know its own.
    """
    result = model.latest
    if result is None:
        return None
    words = status_words(status(site, model, result))
    base = site.settings.base_url
    page = urls.absolute(base, site.addresses.result(model.id, result.pair)) if base else "[address of the result]"
    cores, tested = result.headline.tp, result.headline.tested_at
    more = [
        f"{cores} core{'s' if cores > 1 else ''}" if cores else "number of cores not recorded",
        f"tested {tested:%Y-%m-%d}" if tested else "date not recorded",
    ]
    return one_line(
        f"{model.id} on {site.catalog.device} with {pair_text(site, result.pair)}: {words}"
        f" ({', '.join(more)}). How to run it again, and what this does not show: {page}"
    )
