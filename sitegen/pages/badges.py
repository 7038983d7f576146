"""Badges: beside each model one of its latest result, and frozen ones that say one thing of one version pair for good.

The words are those of the pages: what was observed, how that was checked, and the pair, its versions shortened.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from html import escape

from sitegen import urls
from sitegen.badge import LABEL_MAX, Badge, endpoint, part, svg
from sitegen.model import Model, Result, VersionPair
from sitegen.outcome import Words
from sitegen.pages.parts import (
    KIND_WORDS,
    NOTHING_RAN,
    Status,
    compiler_text,
    library_text,
    pair_text,
    status,
    status_words,
)
from sitegen.plain import markdown_text, one_line
from sitegen.plan import File, Output
from sitegen.site import Site
from sitegen.texts import TextReader

GOOD = ("cpu-match", "fluent")
# 2.28 of 2.28.7631.0+5e0f61c7; a version of any other form (a pre-release, a branch) stays whole.
_SHORT_VERSION = re.compile(r"(\d{1,6}\.\d{1,6})(?:\.\d{1,9})*(?:\+[0-9A-Za-z.]+)?")


@dataclass(frozen=True)
class Saying:
    """What a badge says of a result, without the pair: in words, and as the keys behind them.

    `plain`: the keys alone stand for the words, nothing recorded is quoted in them.
    """

    words: tuple[str, ...]
    keys: tuple[str, ...]
    plain: bool
    tone: str

    @property
    def full(self) -> str:
        return ", ".join(map(one_line, self.words))

    @property
    def cut(self) -> str:
        """The same with each part cut to a width, so that a long one hides none of the others."""
        return ", ".join(map(part, self.words))


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
    saying = _saying(site, status(site, model, model.latest), model.latest)
    return _badge(site, saying, model.latest.pair if model.latest else None, f"{model.id} on {site.catalog.device}")


def no_longer_listed(site: Site, about: str) -> Badge:
    """The badge of a model or a result that the data no longer names, at the address that a model card may have."""
    title = f"{about} on {site.catalog.device}: no longer listed"
    return Badge(part(site.catalog.device, LABEL_MAX), "no longer listed", title, "untested")


def frozen(site: Site, model: Model, result: Result) -> tuple[str, Badge]:
    """The badge that says what this result says now, with its address; every result that says the same shares it."""
    return _frozen(site, result.pair, _saying(site, status(site, model, result), result))


def frozen_badges(site: Site) -> dict[str, Badge]:
    """All frozen badges by address: what the results say, and for each pair whatever known words could say.

    The second, so that a badge stays where it is when the result that it was taken from is tested again.
    """
    known = tuple(_known(site.texts.words))
    found = dict(_frozen(site, pair, saying) for pair in site.pairs for saying in known)
    return found | dict(frozen(site, model, result) for model in site.models for result in model.results)


def _frozen(site: Site, pair: VersionPair, saying: Saying) -> tuple[str, Badge]:
    path = site.addresses.frozen_badge(pair, "-".join(saying.keys), saying.full, saying.plain)
    return path, _badge(site, saying, pair, site.catalog.device)


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


def _saying(site: Site, entry: Status, result: Result | None) -> Saying:
    states = result.headline.verification.states if result and entry.verification else ()
    words = [entry.quoted or _lower(entry.label)]
    keys = [entry.key]
    if entry.verification:
        words.append(", ".join(map(_lower, entry.verification.split(", "))))
        keys += states
    if entry.disagree:
        words.append("runs disagree")
        keys.append("runs-disagree")
    if entry.reason_kind:
        words.append(entry.reason_kind)
        keys.append(re.sub(r"\W+", "-", entry.reason_kind))
    return Saying(tuple(words), tuple(keys), _plain(site.texts.words, entry, states), _tone(entry, states))


def _plain(words: Words, entry: Status, states: tuple[str, ...]) -> bool:
    """Whether the labels are those of the tables: the keys then say all."""
    outcome = words.outcomes[entry.key]
    checks = ", ".join(words.states[key].label for key in states)
    return outcome.known and outcome.label == entry.label and checks == (entry.verification or "")


def _tone(entry: Status, states: tuple[str, ...]) -> str:
    """A pass has its colour only where a recorded check bears it out and nothing recorded speaks against it."""
    if entry.tone != "pass":
        return entry.tone
    sound = bool(states) and all(state in GOOD for state in states) and not entry.disagree and not entry.reason_kind
    return "pass" if sound else "other"


def _lower(text: str) -> str:
    """`Judged fluent` as it stands within a line; `CPU match` stays."""
    return text[0].lower() + text[1:] if text[1:2].islower() else text


def _known(words: Words) -> Iterator[Saying]:
    """What can be said in known words alone: each outcome with each check, and exclusions by kind."""
    for key, outcome in words.outcomes.items():
        label = _lower(outcome.label)
        if outcome.tone == "excluded":
            for kind in KIND_WORDS.values():
                yield Saying((label, kind), (key, re.sub(r"\W+", "-", kind)), True, outcome.tone)
        elif key in NOTHING_RAN and key != "not-tested":
            yield Saying((label,), (key,), True, outcome.tone)
        elif outcome.known and key != "not-tested":
            for state in words.states.values():
                if state.key != "as-recorded":
                    tone = "other" if outcome.tone == "pass" and state.key not in GOOD else outcome.tone
                    yield Saying((label, _lower(state.label)), (key, state.key), True, tone)


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
