"""What crawlers are told is true: every address exists, and a sitemap is never longer than its format allows."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import cast
from xml.etree import ElementTree

import pytest
from markdown_it import MarkdownIt

from sitegen import urls
from sitegen.build import build, plan_site
from sitegen.config import Settings
from sitegen.pages import crawlers
from sitegen.pages.crawlers import sitemaps
from sitegen.plan import File, Page
from sitegen.site import Site
from sitegen.texts import TextReader
from tests.factory import put, ranking, row, site_of, write

NO_TEXTS = cast(TextReader, None)
BASE = "https://example.org/c?a=1&b"
NAMESPACE = "{http://www.sitemaps.org/schemas/sitemap/0.9}"


def locations(data: bytes) -> list[str]:
    return [node.text or "" for node in ElementTree.fromstring(data).iter(f"{NAMESPACE}loc")]  # noqa: S314 - ours


def files_of(site: Site, pages: int) -> dict[str, bytes]:
    outputs = [Page(f"p{n}/{urls.HOME}", "list", "a page", lambda _: None) for n in range(pages)]
    return {file.path: file.content(NO_TEXTS) for file in sitemaps(site, outputs) if isinstance(file, File)}


def text_of(site: Site, path: str) -> str:
    return next(o.content(NO_TEXTS).decode() for o in crawlers.plan(site) if isinstance(o, File) and o.path == path)


def test_the_sitemap_has_every_page_but_the_error_page(tmp_path: Path) -> None:
    site = site_of(tmp_path, [row()], base_url=BASE)
    plan, _, _ = plan_site(site, None)
    sitemap = next(o for o in plan.outputs if o.path == urls.SITEMAP)
    assert isinstance(sitemap, File)
    pages = {o.path for o in plan.outputs if isinstance(o, Page)} - {urls.NOT_FOUND}
    assert set(locations(sitemap.content(NO_TEXTS))) == {urls.absolute(BASE, path) for path in pages}


@pytest.mark.parametrize(("pages", "parts"), [(3, 0), (4, 2), (9, 3)])
def test_a_long_sitemap_is_split(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pages: int, parts: int) -> None:
    monkeypatch.setattr(crawlers, "SITEMAP_MAX", 3)
    files = files_of(site_of(tmp_path, [row()], base_url=BASE), pages)
    assert set(files) == {urls.SITEMAP, *(urls.sitemap(n) for n in range(1, parts + 1))}
    named = locations(files.pop(urls.SITEMAP))
    if parts:
        assert named == [urls.absolute(BASE, path) for path in files]
        named = [location for data in files.values() for location in locations(data)]
        assert all(0 < len(locations(data)) <= 3 for data in files.values())
    assert len(named) == len(set(named)) == pages


def test_the_limit_is_below_that_of_the_format() -> None:
    assert crawlers.SITEMAP_MAX < 50_000


def test_without_an_address_there_is_no_sitemap_and_robots_names_none(tmp_path: Path) -> None:
    site = site_of(tmp_path, [row()])
    assert files_of(site, 3) == {}
    assert text_of(site, urls.ROBOTS) == "User-agent: *\nAllow: /\n"


def test_robots_names_the_sitemap(tmp_path: Path) -> None:
    site = site_of(tmp_path, [row()], base_url="https://example.org/c")
    assert "\nSitemap: https://example.org/c/sitemap.xml\n" in text_of(site, urls.ROBOTS)


def links(text: str) -> Iterator[str]:
    tokens = MarkdownIt("commonmark").parse(text)
    inline = (child for token in tokens for child in token.children or [])
    return (str(token.attrs["href"]) for token in inline if token.type == "link_open")


@pytest.mark.parametrize("base", [None, "https://example.org/c/"])
def test_llms_leads_to_the_markdown_of_every_model(tmp_path: Path, base: str | None) -> None:
    put(tmp_path / "data", [row("acme/[x](y)_<b>"), row("acme/z", result="FAIL", cpu_match=None)])
    ranking(tmp_path / "data", ["acme/untested"])
    write(tmp_path / "data" / "catalog.toml", 'title = "T # 1"\nnotice = "Invented."\n')
    report = build(Settings(data=tmp_path / "data", out=tmp_path / "site", base_url=base, keep_going=True))
    text = (tmp_path / "site" / urls.LLMS).read_text("utf-8")
    assert text.startswith("# T \\# 1\n\n> ")
    assert "> Invented." in text
    assert "): Not tested\n" in text
    assert "FAIL, Check not recorded, with neuronx-cc" in text
    found = [link.removeprefix(base or "") for link in links(text)]
    models = {report.site.addresses.model_file(m.id, urls.MODEL_MARKDOWN) for m in report.site.models}
    assert models <= set(found)
    assert all((tmp_path / "site" / link).exists() for link in found)
