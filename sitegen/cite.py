"""How a result is cited: as a sentence, and as a BibTeX entry. Dates are those of the run, never of the build."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC
from posixpath import dirname

from sitegen import urls
from sitegen.cells import NOT_RECORDED, day
from sitegen.model import Model, Result
from sitegen.pages.parts import Status, pair_text, status_words
from sitegen.plain import bibtex_text, one_line
from sitegen.site import Site


@dataclass(frozen=True)
class Citation:
    """Both forms of a citation. `permalink` is None where the site does not know its own address."""

    text: str
    bibtex: str
    permalink: str | None


def citation(site: Site, model: Model, result: Result, entry: Status) -> Citation:
    """How to cite a result, of which `entry` says what was observed and how it was checked."""
    permalink = None
    if site.settings.base_url:
        permalink = urls.absolute(site.settings.base_url, site.addresses.result(model.id, result.pair))
    return Citation(
        _text(site, model, result, entry, permalink), _bibtex(site, model, result, entry, permalink), permalink
    )


def _text(site: Site, model: Model, result: Result, entry: Status, permalink: str | None) -> str:
    """A sentence to quote: what was observed, with the pair, the date and the permalink."""
    run = result.headline
    what = f"{model.id} with {pair_text(site, result.pair)} ({status_words(entry)})"
    where = f"tested {day(run.tested_at)}, {_source(site, result)}."
    return one_line(f"{site.catalog.title}: {what}, {where} {permalink or ''}")


def _source(site: Site, result: Result) -> str:
    source = result.headline.source
    revision = f", data revision {site.catalog.revision}" if site.catalog.revision else ""
    return f"{source.file}, row {source.row}{revision}"


def _bibtex(site: Site, model: Model, result: Result, entry: Status, permalink: str | None) -> str:
    fields = _fields(site, model, result, entry, permalink)
    lines = "".join(f"  {name} = {{{value}}},\n" for name, value in fields)
    return f"@misc{{{key(site, result)},\n{lines}}}\n"


def _fields(
    site: Site, model: Model, result: Result, entry: Status, permalink: str | None
) -> Iterator[tuple[str, str]]:
    run = result.headline
    # In braces of its own: names keep their case.
    title = bibtex_text(f"{model.id} with {pair_text(site, result.pair)}: {status_words(entry)}")
    yield "title", f"{{{title}}}"
    yield "howpublished", bibtex_text(site.catalog.title)
    if run.tested_at:
        yield "year", f"{run.tested_at.astimezone(UTC):%Y}"
    tested = f"Tested {day(run.tested_at)}" if run.tested_at else f"Date of the test {NOT_RECORDED}"
    yield "note", bibtex_text(f"{tested}; {_source(site, result)}")
    if permalink:
        yield "url", re.sub(r"[{}\\ ]", lambda found: f"%{ord(found[0]):02X}", permalink)


def key(site: Site, result: Result) -> str:
    """The entry's key: the address of the result without what all have, so that no two share one; ASCII."""
    return (
        dirname(site.addresses.result(result.model_id, result.pair))
        .removeprefix("models/")
        .removeprefix("-/")
        .replace("/", ":")
    )
