"""For programs that walk the site: `robots.txt`, `llms.txt` and, where the site knows its address, a sitemap."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from html import escape

from sitegen import urls
from sitegen.model import Model
from sitegen.pages.parts import pair_text, status, status_words
from sitegen.plain import markdown_text
from sitegen.plan import File, Output, Page
from sitegen.site import Site
from sitegen.texts import TextReader

SITEMAP_MAX = 45_000  # addresses in one file; the format allows 50,000
_NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"


def plan(site: Site) -> Iterator[Output]:
    yield File(urls.ROBOTS, "robots.txt", partial(_robots, site))
    yield File(urls.LLMS, "llms.txt", partial(_llms, site))


def sitemaps(site: Site, outputs: Sequence[Output]) -> Iterator[Output]:
    """The sitemap of all pages but the error page; an index of several where they are too many for one file."""
    base = site.settings.base_url
    if base is None:
        return
    pages = sorted(output.path for output in outputs if isinstance(output, Page) and output.path != urls.NOT_FOUND)
    parts = [pages[start : start + SITEMAP_MAX] for start in range(0, len(pages), SITEMAP_MAX)]
    if len(parts) == 1:
        yield File(urls.SITEMAP, "the sitemap", partial(_sitemap, base, "urlset", "url", pages))
        return
    paths = [urls.sitemap(number) for number in range(1, len(parts) + 1)]
    yield File(urls.SITEMAP, "the sitemap", partial(_sitemap, base, "sitemapindex", "sitemap", paths))
    for path, part in zip(paths, parts, strict=True):
        yield File(path, "the sitemap", partial(_sitemap, base, "urlset", "url", part))


def _sitemap(base: str, root: str, entry: str, paths: Sequence[str], _: TextReader) -> bytes:
    lines = "".join(f"<{entry}><loc>{escape(urls.absolute(base, path))}</loc></{entry}>\n" for path in paths)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<{root} xmlns="{_NAMESPACE}">\n{lines}</{root}>\n'.encode()


def _robots(site: Site, _: TextReader) -> bytes:
    base = site.settings.base_url
    sitemap = f"\nSitemap: {urls.absolute(base, urls.SITEMAP)}\n" if base else ""
    return f"User-agent: *\nAllow: /\n{sitemap}".encode()


def _llms(site: Site, _: TextReader) -> bytes:
    return ("\n".join(_lines(site)) + "\n").encode("utf-8", "replace")


def _lines(site: Site) -> Iterator[str]:
    catalog = site.catalog
    yield f"# {markdown_text(catalog.title)}"
    yield ""
    device = markdown_text(catalog.device)
    yield f"> Recorded runs of models on {device}, each with its versions, how its output was checked, and its limits."
    if catalog.notice:
        yield f"> {markdown_text(catalog.notice)}"
    yield ""
    yield "Outcome and check are separate: a pass that matched a CPU run and a pass whose text was judged fluent are"
    yield "different claims. Not tested, excluded and failed are three things. What reads “not recorded” is not known."
    yield from ("", "## Data", "")
    yield f"- {_link(site, 'catalog.json', urls.CATALOG_JSON)}: all models with their latest result"
    yield f"- {_link(site, 'catalog.parquet', urls.CATALOG_PARQUET)}: all runs, a row each"
    yield from ("", "## Docs", "")
    for doc in site.texts.docs:
        yield f"- {_link(site, markdown_text(doc.title), urls.doc(doc.stem))}: {markdown_text(doc.summary)}"
    yield from ("", "## Models", "")
    for model in site.models:
        path = site.addresses.model_file(model.id, urls.MODEL_MARKDOWN)
        yield f"- {_link(site, markdown_text(model.id), path)}: {_words(site, model)}"


def _words(site: Site, model: Model) -> str:
    words = status_words(status(site, model, model.latest))
    return markdown_text(words + (f", with {pair_text(site, model.latest.pair)}" if model.latest else ""))


def _link(site: Site, text: str, path: str) -> str:
    base = site.settings.base_url
    return f"[{text}]({urls.absolute(base, path) if base else path})"
