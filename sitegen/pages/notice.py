"""Whose data this is, in files that go with every copy of the site: `notice.txt`, and the licence where we have it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from sitegen import __version__, urls
from sitegen.content import packaged
from sitegen.plain import one_line
from sitegen.plan import File, Output
from sitegen.segments import segment
from sitegen.site import Site
from sitegen.texts import TextReader


def plan(site: Site) -> Iterator[Output]:
    yield File(urls.NOTICE, "the notice", partial(_notice, site))
    if text := licence_text(site):
        yield File(urls.LICENCE, "the licence of the data", partial(_bytes, text))


def licence_text(site: Site) -> Path | None:
    """The text of the data's licence, of those that come with the package; by its SPDX name, in any case."""
    path = packaged("content") / "licences" / f"{segment(site.catalog.licence or 'none')}.txt"
    return path if path.is_file() else None


def _bytes(path: Path, _: TextReader) -> bytes:
    return path.read_bytes()


def _notice(site: Site, _: TextReader) -> bytes:
    return ("\n".join(_lines(site)) + "\n").encode("utf-8", "replace")


def _lines(site: Site) -> Iterator[str]:
    catalog = site.catalog
    yield one_line(catalog.title)
    if catalog.notice:
        yield one_line(catalog.notice)
    yield ""
    for label, value in (("Dataset", catalog.dataset), ("Data revision", catalog.revision)):
        yield f"{label}: {one_line(value) if value else 'not recorded'}"
    where = f" (its text: {urls.LICENCE})" if licence_text(site) else ""
    yield f"Licence of the data: {one_line(catalog.licence) if catalog.licence else 'not stated'}{where}"
    yield ""
    yield f"Pages and files are made from the data by sitegen {__version__}, which arranges and shortens what is"
    yield "recorded, and adds outcomes, checks, caveats, error signatures and changes. run.py and error.log are as"
    yield "recorded."
