"""The search page, and the data that it loads on first use: all names as one text, and a lunr index of the words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from sitegen import urls
from sitegen.pages.parts import status, status_words
from sitegen.plan import File, Head, Link, Output, Page
from sitegen.safe import data_script, shown
from sitegen.search import NAMES_PATH, WORDS_PATH, word_documents, word_index
from sitegen.site import Site
from sitegen.texts import TextReader


@dataclass(frozen=True)
class SearchContext:
    head: Head
    names_script: str
    words_script: str
    models: int
    elsewhere: tuple[Link, ...]  # where to look without scripts


def plan(site: Site) -> Iterator[Output]:
    yield Page(urls.SEARCH, "search", "the search", partial(_context, site))
    yield File(NAMES_PATH, "the search", partial(_names, site))
    yield File(WORDS_PATH, "the search", partial(_words, site))


def _context(site: Site, _: TextReader) -> SearchContext:
    head = Head(
        urls.SEARCH, "Search", "Find a model by any part of its name, or a page of the docs by its words.", "search"
    )
    elsewhere = (Link("All models", urls.ALL), Link("Versions", urls.VERSIONS), Link("Docs", urls.DOCS))
    return SearchContext(head, NAMES_PATH, WORDS_PATH, len(site.models), elsewhere)


def _names(site: Site, _: TextReader) -> bytes:
    """All ids in one text, a line each, then for each its address, its status in words and its tone.

    `was` are the ids that models had before, as far as they lead to one, each with the place of the present one.
    """
    ids, rest = [], []
    for model in site.models:
        entry = status(site, model, model.latest)
        # A line is a model: a line break inside an id would make two of one.
        ids.append(shown(" ".join(model.id.split("\n"))))
        rest.append([site.addresses.models[model.id], status_words(entry), entry.tone])
    return data_script("names", {"ids": "\n".join(ids), "models": rest, "was": _was(site)})


def _was(site: Site) -> list[list[object]]:
    found = ((place, old) for place, model in enumerate(site.models) for old in site.earlier.get(model.id, ()))
    return [[shown(old), n] for n, old in found if site.renamed.get(old.casefold()) == site.models[n].id]


def _words(site: Site, _: TextReader) -> bytes:
    documents = word_documents(site)
    texts = {d.path: [d.title, d.kind, d.summary] for d in documents}
    return data_script("words", {"index": word_index(documents), "documents": texts})
