"""The docs: an index, and one page a document."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from markupsafe import Markup

from sitegen import urls
from sitegen.content import Doc, Heading
from sitegen.plan import Head, Link, Output, Page
from sitegen.site import Site
from sitegen.texts import TextReader


@dataclass(frozen=True)
class DocEntry:
    link: Link
    summary: str


@dataclass(frozen=True)
class DocsContext:
    head: Head
    docs: tuple[DocEntry, ...]


@dataclass(frozen=True)
class DocContext:
    head: Head
    title: str
    summary: str
    html: Markup
    headings: tuple[Heading, ...]
    docs: tuple[Link, ...]
    previous: Link | None
    following: Link | None
    archive: str | None  # the address of the whole site as one file, on the page about reading it offline


def plan(site: Site) -> Iterator[Output]:
    yield Page(urls.DOCS, "docs", "the docs", partial(_index, site))
    for number, doc in enumerate(site.texts.docs):
        yield Page(urls.doc(doc.stem), "doc", doc.file, partial(_doc, site, number, doc))


def _link(doc: Doc, current: bool = False) -> Link:
    return Link(doc.title, urls.doc(doc.stem), current)


def _index(site: Site, _: TextReader) -> DocsContext:
    head = Head(urls.DOCS, "Docs", "How to read the results, how they were made, and how to use them.", "docs")
    return DocsContext(head, tuple(DocEntry(_link(doc), doc.summary) for doc in site.texts.docs))


def _doc(site: Site, number: int, doc: Doc, _: TextReader) -> DocContext:
    docs = site.texts.docs
    return DocContext(
        Head(urls.doc(doc.stem), doc.title, doc.summary or doc.title, "docs", (Link("Docs", urls.DOCS),)),
        doc.title,
        doc.summary,
        doc.html,
        doc.headings,
        tuple(_link(other, other is doc) for other in docs),
        _link(docs[number - 1]) if number else None,
        _link(docs[number + 1]) if number + 1 < len(docs) else None,
        _archive(site) if doc.stem == "offline" else None,
    )


def _archive(site: Site) -> str | None:
    base = site.settings.base_url
    return urls.absolute(base, urls.ZIP) if base and site.settings.zip else None
