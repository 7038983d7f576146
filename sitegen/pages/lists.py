"""The lists: Selected (home), Trending and Downloads by task, All; each for the latest results and for one pair."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache, partial

from sitegen import urls
from sitegen.cells import count, day
from sitegen.model import Model, RankedModel, Ranking, Result, VersionPair
from sitegen.pages.chooser import PairLink, pair_links
from sitegen.pages.comparisons import News, against_predecessor, news_of
from sitegen.pages.facets import Facet, Option, compact_facet, facets_of, options_of, places_in
from sitegen.pages.feeds import site_feeds
from sitegen.pages.parts import PageLinks, Tally, doc_path, page_links, pages, pair_text, status, tallies
from sitegen.pages.rows import Row, compact, page_texts, row_of
from sitegen.plan import File, Head, Link, Output, Page
from sitegen.safe import data_script
from sitegen.site import Site
from sitegen.texts import TextReader


@dataclass(frozen=True)
class ListContext:
    """A list page. `columns` says which of the optional columns it has: rank, pair, popularity, note, task."""

    head: Head
    heading: str
    lead: str  # one or two sentences: what the list is, and of which day
    pair: str | None  # the pair that the list is of; None where it is of latest results
    tabs: tuple[Link, ...]
    tasks: tuple[Link, ...]
    latest: Link  # the same list with the latest results
    pair_links: tuple[PairLink, ...]  # the same list under each pair
    empty: str | None  # why the list has no rows
    columns: frozenset[str]
    tallies: tuple[Tally, ...]
    rows: tuple[Row, ...]
    total: int
    pages: PageLinks
    facets: tuple[Facet, ...]
    rows_script: str | None  # the path of the data of the whole list, where it has rows
    file_name: str  # of a table that a reader saves, without its ending
    memory_label: str
    source: str | None  # where a ranking was taken from
    reading: str  # the page of the docs on how to read a result
    news: News | None  # what the newest pair changed, on the first page of the site
    comparison: Link | None  # what this pair changed; the text names the pair before it


@dataclass(frozen=True)
class _List:
    """What one list holds, before it is cut into pages."""

    path: str
    section: str
    name: str  # of the list: "Selected"
    heading: str
    lead: str
    models: Sequence[tuple[Model, RankedModel | None, str | None]]
    columns: frozenset[str]
    empty: str | None = None
    source: str | None = None
    task: str | None = None


def plan(site: Site) -> Iterator[Output]:
    base = [_selected(site), *_rankings(site), _all(site)]
    for pair in (None, *site.pairs):
        for entry in base:
            yield from _outputs(_Shown(site, entry, pair))


def _selected(site: Site) -> _List:
    if site.selected:
        models = [(site.by_id[entry.model_id], None, entry.note) for entry in site.selected]
        lead = "Models chosen by the maintainers of this catalogue, in their order."
        return _List(urls.HOME, "selected", "Selected", "Selected models", lead, models, frozenset({"note"}))
    lead = "The maintainers have selected no models yet, so this page shows every model, from A to Z."
    return _List(urls.HOME, "selected", "Selected", "All models", lead, _everything(site), frozenset({"task"}))


def _everything(site: Site) -> list[tuple[Model, RankedModel | None, str | None]]:
    return [(model, None, None) for model in site.models]


def _all(site: Site) -> _List:
    lead = "Every model with a row in the data, a place in a ranking or a place in a list, from A to Z."
    return _List(urls.ALL, "all", "All", "All models", lead, _everything(site), frozenset({"task"}))


def _rankings(site: Site) -> Iterator[_List]:
    for kind, name in (("trending", "Trending"), ("downloads", "Downloads")):
        found = [ranking for ranking in site.rankings if ranking.kind == kind]
        if not found:
            lead = "No snapshot of this ranking lies in the data."
            empty = f"No snapshot of the {name} ranking lies in this catalogue’s data, so there is nothing to list."
            yield _List(f"{kind}/index.html", kind, name, name, lead, (), frozenset(), empty)
        for ranking in found:
            yield _ranking(site, ranking, name, urls.ranking(kind, ranking.task))
        if found:
            yield _ranking(site, found[0], name, f"{kind}/index.html")


def _ranking(site: Site, ranking: Ranking, name: str, path: str) -> _List:
    models = [(site.by_id[entry.model_id], entry, None) for entry in ranking.models]
    what = "by trending score" if ranking.kind == "trending" else "by downloads"
    taken = day(ranking.taken_at)
    lead = f"The Hub’s own ranking {what} for {ranking.task}, as it was on {taken}; untested models included."
    empty = None if models else f"The snapshot of {taken} ranks no models for {ranking.task}."
    heading = f"{name}: {ranking.task}"
    columns = frozenset({"rank", "popularity"})
    return _List(path, ranking.kind, name, heading, lead, models, columns, empty, ranking.source, ranking.task)


@dataclass(frozen=True, eq=False)
class _Shown:
    """A list for the latest results or for one pair. What the whole list needs is computed once for all its pages."""

    site: Site
    list: _List
    pair: VersionPair | None

    @property
    def first(self) -> str:
        return self.list.path if self.pair is None else self.site.addresses.pair_list(self.pair, self.list.path)

    @property
    def folder(self) -> str:
        return self.first.removesuffix("index.html")

    @property
    def script(self) -> str | None:
        return f"{self.folder}rows.js" if self.list.models else None

    @cached_property
    def facets(self) -> tuple[Facet, ...]:
        return facets_of(self.site, _options(self))

    @cached_property
    def tallies(self) -> tuple[Tally, ...]:
        return tallies([status(self.site, model, self.result(model)) for model, _, _ in self.list.models])

    def result(self, model: Model) -> Result | None:
        return model.by_pair.get(self.pair) if self.pair else model.latest


# The pages of a list and its script follow each other.


@lru_cache(maxsize=1)
def _options(shown: _Shown) -> tuple[tuple[Option, ...], ...]:
    """What each row of the whole list has in each facet."""
    return tuple(options_of(shown.site, model, shown.result(model)) for model, _, _ in shown.list.models)


@lru_cache(maxsize=1)
def _rows(shown: _Shown) -> tuple[Row, ...]:
    return tuple(row_of(shown.site, model, ranked, note, shown.pair) for model, ranked, note in shown.list.models)


def _outputs(shown: _Shown) -> Iterator[Output]:
    task = f" for {shown.list.task}" if shown.list.task else ""
    under = f" under {pair_text(shown.site, shown.pair)}" if shown.pair else ""
    claimant = f"the list {shown.list.name}{task}{under}"
    for number, part in pages(len(shown.list.models)):
        yield Page(urls.paged(shown.first, number), "list", claimant, partial(_context, shown, number, part))
    if shown.script:
        yield File(shown.script, claimant, partial(_script, shown, shown.script))


def _context(shown: _Shown, number: int, part: slice, _: TextReader) -> ListContext:
    site, entry, pair = shown.site, shown.list, shown.pair
    under = f" under {pair_text(site, pair)}" if pair else ""
    place = f", page {number}" if number > 1 else ""
    total = len(entry.models)
    description = f"{entry.heading}{under}: {count(total, 'model')} with outcome and how it was checked."
    path = urls.paged(shown.first, number)
    return ListContext(
        head=Head(
            path,
            f"{entry.heading}{under}{place}",
            description,
            entry.section,
            _crumbs(site, pair),
            site_feeds(site) if path == urls.HOME else (),
        ),
        heading=entry.heading,
        lead=entry.lead,
        pair=pair_text(site, pair) if pair else None,
        tabs=_tabs(site, entry, pair),
        tasks=_tasks(site, entry, pair),
        latest=Link("Latest result of each model", entry.path, pair is None),
        pair_links=pair_links(site, entry.path, pair),
        empty=entry.empty or (None if entry.models else "This catalogue holds no models yet."),
        columns=entry.columns if pair else entry.columns | {"pair"},
        tallies=shown.tallies,
        rows=_rows(shown)[part],
        total=total,
        pages=page_links(shown.first, number, total),
        facets=shown.facets,
        rows_script=shown.script,
        file_name=(shown.folder.rstrip("/") or entry.section).replace("/", "-"),
        memory_label=site.catalog.memory_label,
        source=entry.source,
        reading=doc_path("reading-a-result.md"),
        news=news_of(site) if path == urls.HOME else None,
        comparison=_comparison(site, pair) if pair else None,
    )


def _comparison(site: Site, pair: VersionPair) -> Link | None:
    found = against_predecessor(site, pair)
    return Link(pair_text(site, found.old), found.path) if found else None


def _crumbs(site: Site, pair: VersionPair | None) -> tuple[Link, ...]:
    if pair is None:
        return ()
    return Link("Versions", urls.VERSIONS), Link(pair_text(site, pair), site.addresses.pair(pair))


def _under(site: Site, path: str, pair: VersionPair | None) -> str:
    return path if pair is None else site.addresses.pair_list(pair, path)


def _tabs(site: Site, entry: _List, pair: VersionPair | None) -> tuple[Link, ...]:
    names = (("selected", "Selected", urls.HOME), ("trending", "Trending", "trending/index.html"),
             ("downloads", "Downloads", "downloads/index.html"), ("all", "All models", urls.ALL))  # fmt: skip
    return tuple(Link(name, _under(site, path, pair), key == entry.section) for key, name, path in names)


def _tasks(site: Site, entry: _List, pair: VersionPair | None) -> tuple[Link, ...]:
    tasks = [ranking.task for ranking in site.rankings if ranking.kind == entry.section]
    return tuple(Link(t, _under(site, urls.ranking(entry.section, t), pair), t == entry.task) for t in tasks)


def _script(shown: _Shown, path: str, _: TextReader) -> bytes:
    """The facets and the rows of all pages for the scripts, the links relative to the list's folder."""
    places = places_in(shown.facets)
    here = cache(partial(urls.relative, path))  # of the pairs there are few
    rows = [compact(row, here, places(options)) for row, options in zip(_rows(shown), _options(shown), strict=True)]
    data = {"facets": [compact_facet(facet) for facet in shown.facets], "rows": page_texts(rows)}
    return data_script("rows", data)
