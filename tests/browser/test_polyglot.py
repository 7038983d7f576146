"""Every text of a catalogue is an attack, and no page takes part: hosted as netlify.toml says, and from the disk."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Error, Page, expect

from sitegen.build import build
from sitegen.config import Settings
from tests import polyglot
from tests.bench.host import host
from tests.browser.conftest import Visit, visit

pytestmark = pytest.mark.browser
# What a document made of a payload: elements, handlers, addresses that run.
MADE = """(root) => {
  const all = (at) => [...at.querySelectorAll("*")].flatMap((one) =>
    one instanceof HTMLTemplateElement ? [one, ...all(one.content)] : [one]);
  const links = ["href", "src", "action", "formaction", "xlink:href", "data"];
  const runs = /^[\\s\\x00-\\x1f]*(javascript|data|vbscript):/i;
  return all(root).flatMap((one) => [
    ...(/xpoly/i.test(one.localName) ? [one.localName] : []),
    ...[...one.attributes]
      .filter(({ name, value }) =>
        /^on|^style$|^srcdoc$|xpoly/i.test(name) || (links.includes(name) && runs.test(value)))
      .map(({ name, value }) => `${one.localName} ${name}=${value}`),
  ]);
}"""
HERE = f"() => [...({MADE})(document), ...(window.xpoly === undefined ? [] : ['a script ran'])]"
PARSED = f"(pages) => pages.map((html) => ({MADE})(new DOMParser().parseFromString(html, 'text/html')))"
# Loaded are the fullest pages of each kind; all are parsed.
KINDS = {
    "index.html": 1,
    "404.html": 1,
    "all/index.html": 1,
    "trending/*/index.html": 2,
    "models/index.html": 1,
    "models/acme/case/index.html": 1,  # ambiguous
    "models/gone-*/x/index.html": 2,
    "models/was-*/x/index.html": 2,  # moved
    "models/*/index.html": 1,
    "models/*/*/index.html": 2,
    "models/*/*/*/index.html": 6,
    "versions/index.html": 1,
    "versions/*/index.html": 2,
    "compare/index.html": 1,
    "compare/*/*/index.html": 2,
    "coverage/index.html": 1,
    "errors/index.html": 1,
    "errors/*/index.html": 2,
    "docs/index.html": 1,
    "docs/hostile/index.html": 1,
    "data/index.html": 1,
    "search/index.html": 1,
}
FILES = [
    *("models/*/*/badge.svg", "badges/*.svg", "models/*/*/model.md", "models/*/*/model.json", "models/*/*/badge.json"),
    *("models/*/*/feed.xml", "models/*/*/*/run.py", "models/*/*/*/error.log", "llms.txt", "robots.txt", "sitemap.xml"),
    *("feed.xml", "urls.json", "catalog.json", "notice.txt"),
]


@dataclass(frozen=True)
class Polyglot:
    """The built site, and the address of its root for one of the two ways to read it."""

    site: Path
    root: str

    def paths(self, pattern: str, most: int) -> list[str]:
        """The largest files of a pattern: they show the most."""
        found = sorted(self.site.glob(pattern), key=lambda path: (-path.stat().st_size, path))
        return [path.relative_to(self.site).as_posix() for path in found[:most]]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("polyglot")
    data, content, earlier = polyglot.catalogue(folder), folder / "content", polyglot.previous(folder)
    settings = Settings(
        data=data, content=content, out=folder / "site", previous=earlier, base_url="https://example.org/"
    )
    build(settings)
    return folder / "site"


@pytest.fixture(scope="module")
def hosted_root(built: Path) -> Iterator[str]:
    with host(built) as address:
        yield address


@pytest.fixture(params=["hosted", "file"])
def here(request: pytest.FixtureRequest, built: Path, hosted_root: str) -> Polyglot:
    return Polyglot(built, hosted_root if request.param == "hosted" else f"{built.as_uri()}/")


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    made = browser.new_context(viewport={"width": 1280, "height": 900})
    # Said by the browser itself, wherever it stops something.
    made.add_init_script(
        "addEventListener('securitypolicyviolation', e => console.error('CSP ' + e.violatedDirective))"
    )
    yield made
    made.close()


def quiet(found: Visit, path: str) -> None:
    assert found.page.evaluate(HERE) == [], path
    assert found.faults == [], path


def test_every_page_is_parsed_without_a_payload_in_it(browser: Browser, built: Path) -> None:
    page = browser.new_page()
    paths = sorted(built.rglob("*.html"))
    assert len(paths) > 300
    made = page.evaluate(PARSED, [path.read_text("utf-8") for path in paths])
    assert {str(path): found for path, found in zip(paths, made, strict=True) if found} == {}
    hostile = [
        polyglot.PAYLOADS[0],
        f'<a title="{polyglot.PAYLOADS[1]}">',
        '<template><i xpoly></template><a href=" javascript:x">',
    ]
    assert [len(found) for found in page.evaluate(PARSED, hostile)] == [5, 2, 2]  # what it would find
    page.close()


def test_files_opened_alone_are_text_or_drawings(context: BrowserContext, here: Polyglot) -> None:
    found = visit(context, here.root)
    for path in (path for pattern in FILES for path in here.paths(pattern, 2)):
        if here.root.startswith("http"):
            answer = found.page.request.get(here.root + path)
            assert answer.headers["x-content-type-options"] == "nosniff"
            assert "html" not in answer.headers["content-type"]
        try:
            found.open(path)
        except Error as error:
            assert "Download is starting" in error.message  # noqa: PT017 - the other of two good ends
            continue
        made = [entry for entry in found.page.evaluate(HERE) if not entry.startswith("pre style=")]  # the browser's own
        assert made == [], path
    # An icon that no file names, and the style of the browser's own view of XML, which the policy stops.
    of_browser = ("404", "Applying inline style", "CSP style-src")
    assert [fault for fault in found.faults if not any(words in fault for words in of_browser)] == []


def test_no_page_takes_a_payload_for_more_than_text(context: BrowserContext, here: Polyglot) -> None:
    found = visit(context, here.root)
    for pattern, most in KINDS.items():
        if pattern == "404.html" and here.root.startswith("file:"):
            continue  # the one page with addresses from the root of a host
        paths = here.paths(pattern, most)
        assert paths, pattern
        for path in paths:
            page = found.open(path)
            if b'http-equiv="refresh"' in (here.site / path).read_bytes():
                page.wait_for_function("path => !location.pathname.endsWith(path)", arg=path)
            page.locator("details").evaluate_all("all => all.forEach((one) => { one.open = true; })")
            quiet(found, path)


def test_what_a_reader_does_runs_nothing(context: BrowserContext, here: Polyglot) -> None:
    found = visit(context, here.root)
    page = found.open("search/index.html")
    field = page.locator("main input[type=search]")
    for text in polyglot.PAYLOADS[::2]:
        field.fill(text[-12:])
    field.fill("xpoly")
    expect(page.locator("[data-results-models] li").first).to_be_visible()
    quiet(found, "search")
    for path in ("all/index.html", *here.paths("compare/*/*/index.html", 1)):
        use_list(found.open(path))
        quiet(found, path)
    for path in (*here.paths("models/*/*/index.html", 1), *here.paths("models/*/*/*/index.html", 2)):
        page = found.open(path)
        page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        page.evaluate(
            "document.querySelectorAll('[data-copy], [data-theme-switch], .ln').forEach((one) => one.click())"
        )
        page.keyboard.press("?")
        quiet(found, path)


def use_list(page: Page) -> None:
    """Types, sorts, chooses in every facet, and saves."""
    for text in polyglot.PAYLOADS[:8]:
        page.locator("form[data-filter] input").fill(text)
    page.locator("form[data-filter] input").fill("")
    for button in page.locator("th[data-sort] button").all():
        button.click()
    for button in page.locator("[data-facet]:visible").all():
        button.click()
        page.locator("fieldset input[type=checkbox]").last.check()
        page.keyboard.press("Escape")
    page.go_back()
