"""How much a page loads before anyone does anything with it: kilobytes as they go over the wire, compressed by gzip."""

from __future__ import annotations

import gzip
import re
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, expect

from sitegen.build import build
from sitegen.config import Settings
from tests.browser.conftest import visit
from tests.browser.test_site import at
from tests.make_results import write_results

KB = 1024
ANY_PAGE, EVERYTHING = 60 * KB, 300 * KB
LOG = re.compile(r"<pre [^>]*data-lines=\"log-.*?</pre>", re.DOTALL)
ASSETS = re.compile(r'<(?:link rel="(?:icon|stylesheet)"[^>]* href|script src)="([^"]+)"')


def zipped(data: bytes) -> int:
    """The size of what hosts send, at gzip's usual level."""
    return len(gzip.compress(data, compresslevel=6, mtime=0))


@cache
def asset_size(path: Path) -> int:
    return zipped(path.read_bytes())


def assets(page: Path, html: str) -> set[Path]:
    """What the page's head names: style sheet, scripts and icon."""
    return {(page.parent / name).resolve() for name in ASSETS.findall(html)}


def sizes(root: Path) -> tuple[dict[str, int], dict[str, int]]:
    """For each page but the 404 page, whose links are absolute: its size with its assets, whole and without a log."""
    whole, without = {}, {}
    for page in sorted(root.rglob("index.html")):
        html = page.read_text("utf-8")
        loaded = sum(asset_size(path) for path in assets(page, html))
        name = page.relative_to(root).as_posix()
        whole[name] = loaded + zipped(html.encode())
        without[name] = loaded + zipped(LOG.sub("", html).encode()) if LOG.search(html) else whole[name]
    return whole, without


@pytest.fixture(scope="module")
def long_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sizes")
    write_results(folder / "data", pairs=1, models=220, seed=5, ranked=200)
    build(Settings(data=folder / "data", out=folder / "site"))
    return folder / "site"


def test_no_page_of_the_demo_is_heavy(site: Path) -> None:
    whole, without = sizes(site)
    assert {name: size for name, size in without.items() if size > ANY_PAGE} == {}
    assert {name: size for name, size in whole.items() if size > EVERYTHING} == {}
    # Something was measured: the longest log is most of its page.
    assert max(whole.values()) > 2 * max(without.values())


def test_a_list_of_200_rows_is_not_heavy(long_site: Path) -> None:
    for name in ("index.html", "all/index.html", "trending/index.html"):
        page = long_site / name
        html = page.read_text("utf-8")
        assert zipped(html.encode()) + sum(asset_size(path) for path in assets(page, html)) <= ANY_PAGE, name
    assert (long_site / "all" / "index.html").read_text("utf-8").count("<tr data-id") == 200


def test_what_is_loaded_on_first_use_is_not_heavy_either(long_site: Path) -> None:
    """Names, words and rows of the lists, of which a catalogue of any size has one file each."""
    loaded = [path for path in long_site.rglob("*.js") if "/assets/js/" not in path.as_posix()]
    assert {path.name: size for path in loaded if (size := asset_size(path)) > EVERYTHING} == {}
    assert len(loaded) > 3


@pytest.mark.browser
@pytest.mark.parametrize("kind", ["all", "cut", "search", "doc"])
def test_a_page_loads_what_its_head_names_and_no_more(browser: Browser, site: Path, hosted: str, kind: str) -> None:
    """So the sizes above are those of all that goes over the wire."""
    context = browser.new_context()
    page = visit(context, hosted).page
    loaded: list[str] = []
    page.on("request", lambda request: loaded.append(urlsplit(request.url).path))
    page.goto(hosted + at(kind), wait_until="networkidle")
    expect(page.locator("h1")).to_be_visible()
    context.close()
    file = site / at(kind)
    named = {path.relative_to(site.resolve()).as_posix() for path in assets(file, file.read_text("utf-8"))}
    found = {path.removeprefix(urlsplit(hosted).path) for path in loaded}
    # Chromium without a window loads no icon.
    assert {path for path in found if not path.endswith(".svg")} == {
        at(kind),
        *(path for path in named if not path.endswith(".svg")),
    }
