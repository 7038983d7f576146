"""A model: its latest result, its state under every pair, its places in the rankings; or why it has no result."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache, partial

from sitegen import urls
from sitegen.cells import NO_RUN, Cell, cores, day, memory, seconds
from sitegen.history import TRANSITIONS, Step, steps
from sitegen.model import Model
from sitegen.pages.badges import BadgeView, frozen_view, latest_view, recipe
from sitegen.pages.feeds import model_feeds
from sitegen.pages.parts import Status, compiler_text, library_text, pair_text, status, status_words
from sitegen.plan import Head, Link, Output, Page, Twin
from sitegen.report import request_url
from sitegen.site import Site
from sitegen.texts import TextReader

NEIGHBOURS = 8


@dataclass(frozen=True, eq=False)
class HistoryRow:
    """A model under one pair; `path` is None where it has no row there.

    `change` is what the result is to the one under the previous pair of the same library, in words. The pages of a
    model share its rows.
    """

    compiler: str
    library: str
    path: str | None
    status: Status
    change: str
    cores: Cell
    memory: Cell
    wall: Cell
    tested: str


@dataclass(frozen=True)
class RankedPlace:
    """A model's place in a ranking snapshot."""

    text: str
    path: str
    rank: int
    taken: str


@dataclass(frozen=True)
class Neighbour:
    """Another model, for a reader who finds no result here: its result does not carry over."""

    id: str
    path: str
    status: Status
    why: str


@dataclass(frozen=True)
class Earlier:
    """An id that the model had before; with its page and status where rows or rankings name it."""

    id: str
    path: str | None
    status: Status | None


@dataclass(frozen=True)
class ModelContext:
    head: Head
    id: str
    hub_url: str | None
    owner: Link
    task: str | None
    architecture: str | None
    status: Status
    latest: Link | None  # the result that the status is of
    history: tuple[HistoryRow, ...]
    selected: str | None  # the note of the maintainers' list, empty where it has none
    rankings: tuple[RankedPlace, ...]
    earlier: tuple[Earlier, ...]
    now_called: Link | None  # a ranking says that this id is an earlier one
    neighbours: tuple[Neighbour, ...]
    request_url: str | None  # asks for a test
    badge: BadgeView  # of the latest result, whichever that is
    frozen_badge: BadgeView | None  # of the present one for good
    recipe: str | None  # the same as a sentence
    absolute: bool  # whether these have addresses that can be used elsewhere
    twins: tuple[Twin, ...]
    memory_label: str
    device: str


def plan(site: Site) -> Iterator[Output]:
    groups = _groups(site)
    for model in site.models:
        make = partial(_context, site, groups, model)
        yield Page(site.addresses.model(model.id), "model", f"the model {model.id}", make)


def hub_url(site: Site, model: Model) -> str | None:
    template = site.catalog.model_url
    return urls.external(template, id=model.id) if template else None


@lru_cache(maxsize=2)  # the pages of a model follow each other
def history(site: Site, model: Model) -> tuple[HistoryRow, ...]:
    """The model under every pair of the catalogue, the highest first; pairs without a row read "not tested"."""
    return tuple(_history_row(site, model, step) for step in steps(site, model))


def _history_row(site: Site, model: Model, step: Step) -> HistoryRow:
    pair, result = step.pair, step.result
    run = result.headline if result else None
    nothing = Cell(NO_RUN)
    return HistoryRow(
        compiler_text(site, pair),
        library_text(pair),
        site.addresses.result(model.id, pair) if result else None,
        status(site, model, result),
        TRANSITIONS[step.transition],
        cores(run) if run else nothing,
        memory(run) if run else nothing,
        seconds(run) if run else nothing,
        day(run.tested_at) if run else NO_RUN,
    )


Groups = dict[tuple[str, str], list[Model]]


def _groups(site: Site) -> Groups:
    """Models with a result by owner and by architecture."""
    groups: Groups = {}
    for model in site.models:
        if model.results:
            for why, name in (("owner", model.owner), ("architecture", model.architecture)):
                if name:
                    groups.setdefault((why, name), []).append(model)
    return groups


def _neighbours(site: Site, groups: Groups, model: Model) -> tuple[Neighbour, ...]:
    if model.results:
        return ()
    found: dict[str, Neighbour] = {}
    for why, name in (("architecture", model.architecture), ("owner", model.owner)):
        for other in groups.get((why, name), []) if name else []:
            entry = Neighbour(
                other.id, site.addresses.model(other.id), status(site, other, other.latest), f"same {why}"
            )
            found.setdefault(other.id, entry)
    return tuple(found.values())[:NEIGHBOURS]


def _rankings(site: Site, model: Model) -> Iterator[RankedPlace]:
    for ranking, entry in site.places.get(model.id, ()):
        name = f"{ranking.kind.capitalize()}, {ranking.task}"
        path = urls.ranking(ranking.kind, ranking.task)
        yield RankedPlace(name, path, entry.rank, day(ranking.taken_at))


def _twins(site: Site, model: Model) -> tuple[Twin, ...]:
    files = (("application/json", "JSON", urls.MODEL_JSON), ("text/markdown", "Markdown", urls.MODEL_MARKDOWN))
    return tuple(Twin(media, text, site.addresses.model_file(model.id, name)) for media, text, name in files)


def earlier_ids(site: Site, model: Model) -> tuple[Earlier, ...]:
    """The ids that the model had before, as rankings tell them."""
    return tuple(_earlier(site, old) for old in site.earlier.get(model.id, ()))


def _earlier(site: Site, old: str) -> Earlier:
    model = site.by_id.get(old)
    if model is None:
        return Earlier(old, None, None)
    return Earlier(old, site.addresses.model(old), status(site, model, model.latest))


def now_called(site: Site, model: Model) -> Link | None:
    now = site.renamed.get(model.id.casefold())
    return Link(now, site.addresses.model(now)) if now and now != model.id else None


def _context(site: Site, groups: Groups, model: Model, _: TextReader) -> ModelContext:
    entry = status(site, model, model.latest)
    latest = model.latest
    where = f", with {pair_text(site, latest.pair)}" if latest else ""
    twins = _twins(site, model)
    return ModelContext(
        head=Head(
            site.addresses.model(model.id),
            model.id,
            f"{model.id} on {site.catalog.device}: {status_words(entry)}{where}.",
            "all",
            (Link("Models", urls.OWNERS), Link(model.owner or "without owner", site.addresses.owner(model.id))),
            model_feeds(site, model),
            twins,
        ),
        id=model.id,
        hub_url=hub_url(site, model),
        owner=Link(model.owner or "without owner", site.addresses.owner(model.id)),
        task=model.task,
        architecture=model.architecture,
        status=entry,
        latest=Link(pair_text(site, latest.pair), site.addresses.result(model.id, latest.pair)) if latest else None,
        history=history(site, model),
        selected=None if model.selected is None else model.selected.note or "",
        rankings=tuple(_rankings(site, model)),
        earlier=earlier_ids(site, model),
        now_called=now_called(site, model),
        neighbours=_neighbours(site, groups, model),
        request_url=request_url(site, model),
        badge=latest_view(site, model),
        frozen_badge=frozen_view(site, model, latest) if latest else None,
        recipe=recipe(site, model),
        absolute=site.settings.base_url is not None,
        twins=twins,
        memory_label=site.catalog.memory_label,
        device=site.catalog.device,
    )
