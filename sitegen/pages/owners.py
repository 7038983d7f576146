"""The owners of models, and all models of one owner."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial

from sitegen import urls
from sitegen.cells import count
from sitegen.model import Model
from sitegen.pages.parts import PageLinks, Status, page_links, pages, pair_text, status
from sitegen.plan import Head, Link, Output, Page
from sitegen.site import Site
from sitegen.texts import TextReader

WITHOUT = "Models without an owner"


@dataclass(frozen=True)
class OwnerRow:
    name: str
    path: str
    models: int
    tested: int


@dataclass(frozen=True)
class OwnersContext:
    head: Head
    rows: tuple[OwnerRow, ...]
    total: int
    pages: PageLinks


@dataclass(frozen=True)
class OwnedModel:
    id: str
    path: str
    status: Status
    pair: str | None
    task: str | None


@dataclass(frozen=True)
class OwnerContext:
    """All models of one owner; `spellings` where ids differ in the owner's case."""

    head: Head
    heading: str
    rows: tuple[OwnedModel, ...]
    total: int
    pages: PageLinks


def plan(site: Site) -> Iterator[Output]:
    owners = _by_page(site)
    for number, part in pages(len(owners)):
        yield Page(urls.paged(urls.OWNERS, number), "owners", "the owners", partial(_owners, owners, number, part))
    for path, models in owners.items():
        for number, part in pages(len(models)):
            make = partial(_owner, site, path, models, number, part)
            yield Page(urls.paged(path, number), "owner", _claimant(models), make)


def _claimant(models: list[Model]) -> str:
    name = owner_name(models)
    return "the models without an owner" if name == WITHOUT else f"the owner {name}"


def _by_page(site: Site) -> Mapping[str, list[Model]]:
    grouped: dict[str, list[Model]] = defaultdict(list)
    for model in site.models:
        grouped[site.addresses.owner(model.id)].append(model)
    return grouped


def owner_name(models: list[Model]) -> str:
    """The owner in the spelling of the ids; several where they differ in case."""
    names = sorted({model.owner for model in models if model.owner})
    return ", ".join(names) or WITHOUT


def _owners(owners: Mapping[str, list[Model]], number: int, part: slice, _: TextReader) -> OwnersContext:
    rows = [
        OwnerRow(owner_name(models), path, len(models), sum(1 for model in models if model.results))
        for path, models in list(owners.items())[part]
    ]
    description = f"{count(len(owners), 'owner')} of models in this catalogue."
    head = Head(urls.paged(urls.OWNERS, number), "Owners", description, "all", (Link("All models", urls.ALL),))
    return OwnersContext(head, tuple(rows), len(owners), page_links(urls.OWNERS, number, len(owners)))


def _owner(site: Site, path: str, models: list[Model], number: int, part: slice, _: TextReader) -> OwnerContext:
    name = owner_name(models)
    rows = tuple(
        OwnedModel(
            model.id,
            site.addresses.model(model.id),
            status(site, model, model.latest),
            pair_text(site, model.latest.pair) if model.latest else None,
            model.task,
        )
        for model in models[part]
    )
    description = f"{count(len(models), 'model')} of {name} with the latest outcome and how it was checked."
    head = Head(urls.paged(path, number), name, description, "all", (Link("Owners", urls.OWNERS),))
    return OwnerContext(head, name, rows, len(models), page_links(path, number, len(models)))
