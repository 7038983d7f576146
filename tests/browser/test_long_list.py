"""A list of several pages: its scripts work over all rows, and make the same rows as the template."""

from __future__ import annotations

import csv
import io
import threading
from collections.abc import Iterator
from functools import partial
from http.server import ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from sitegen.build import build
from sitegen.config import Settings
from tests.browser.conftest import BASE, Hosted, visit
from tests.factory import put, row
from tests.make_results import write_results

# A row without what only differs in writing: white space between elements, and 16.0 for 16.
ROWS = """rows => rows.map((row) => [row.dataset.id,
    row.outerHTML.replace(/\\s+/g, " ").replace(/> </g, "><").replace(/(data-value="\\d+)\\.0"/g, '$1"')])"""


@pytest.fixture(scope="module")
def long_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("long")
    write_results(folder / "data", pairs=2, models=420, seed=3, ranked=60)
    build(Settings(data=folder / "data", out=folder / "site"))
    return folder / "site"


def rows_of(page: Page) -> dict[str, str]:
    return dict(page.locator("table[data-list] tbody tr").evaluate_all(ROWS))


@pytest.mark.browser
@pytest.mark.parametrize("path", ["all/", "versions/{pair}/all/"])
def test_rows_made_by_the_script_equal_those_of_the_template(browser: Browser, long_site: Path, path: str) -> None:
    pair = max(entry.name for entry in (long_site / "versions").iterdir() if entry.name[0].isdigit())
    folder = f"{long_site.as_uri()}/{path.format(pair=pair)}"
    context = browser.new_context()
    found = visit(context, long_site.as_uri())
    served: dict[str, str] = {}
    for name in ("index.html", "page-2/index.html", "page-3/index.html"):
        found.page.goto(folder + name)
        # Links on a further page start one folder deeper.
        rows = rows_of(found.page).items()
        served |= {key: html.replace('href="../', 'href="') if name != "index.html" else html for key, html in rows}
    found.page.goto(f"{folder}index.html?sort=name&order=desc")
    more = found.page.locator("button.more")
    expect(more).to_be_visible()
    while more.is_visible():
        more.click()
    assert rows_of(found.page) == served
    assert len(served) > 400
    context.close()
    assert found.faults == []


@pytest.mark.browser
def test_the_filter_finds_a_row_of_a_further_page(browser: Browser, long_site: Path) -> None:
    context = browser.new_context()
    found = visit(context, long_site.as_uri())
    page = found.page
    page.goto(f"{long_site.as_uri()}/all/page-3/index.html")
    last = page.locator("table[data-list] tbody tr").last.get_attribute("data-id")
    assert last is not None
    page.goto(f"{long_site.as_uri()}/all/index.html")
    page.get_by_label("Filter by name").fill(last.upper())
    expect(page.locator("table[data-list] tbody tr").first).to_have_attribute("data-id", last)
    expect(page.locator("[data-count]")).to_contain_text("of 4")
    context.close()
    assert found.faults == []


@pytest.fixture(scope="module", params=["hosted", "file"])
def long_root(request: pytest.FixtureRequest, long_site: Path) -> Iterator[str]:
    """The root of the long site, hosted or on the disk."""
    if request.param == "file":
        yield f"{long_site.as_uri()}/"
        return
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Hosted, directory=str(long_site)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}{BASE}"
    server.shutdown()
    server.server_close()


def shown(page: Page) -> list[str]:
    found: list[str] = page.locator("table[data-list] tbody tr").evaluate_all("rows => rows.map((r) => r.dataset.id)")
    return found


@pytest.mark.browser
def test_facets_and_files_are_of_the_whole_list_from_any_of_its_pages(browser: Browser, long_root: str) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    found = visit(context, long_root)
    page = found.page
    page.goto(f"{long_root}all/page-2/index.html")
    served = shown(page)
    page.locator("[data-facet=outcome]").click()
    passed = page.get_by_role("group", name="Outcome", exact=True).get_by_label("PASS")
    number = int(passed.locator("xpath=..").locator(".count span").first.inner_text())
    assert 200 < number < 420
    expect(page.locator(".pager")).to_be_visible()
    passed.check()
    expect(page.locator("[data-count]")).to_contain_text(f"{number} of 4")
    expect(page.locator(".pager")).to_be_hidden()
    expect(page.locator("table[data-list] tbody tr")).to_have_count(100)
    page.locator("th[data-sort=wall] button").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="CSV", exact=True).click()
    table = list(csv.DictReader(io.StringIO(Path(download.value.path()).read_text("utf-8-sig"), newline="")))
    assert len(table) == number
    assert {row["outcome_key"] for row in table} == {"pass"}
    assert [row["model"] for row in table][:100] == shown(page)
    start = long_root if long_root.startswith("http") else ""
    assert {row["address"].partition("models/")[0] for row in table} == {start}
    target = page.locator("table[data-list] tbody a").first.get_attribute("href")
    assert target is not None
    page.go_back()
    page.go_back()
    expect(page.locator(".pager")).to_be_visible()
    assert shown(page) == served
    page.goto(f"{long_root}all/page-2/{target}")
    expect(page.locator("h1")).to_contain_text(table[0]["model"])
    context.close()
    assert found.faults == []


@pytest.mark.browser
def test_a_facet_with_many_options_has_a_field_that_finds_some(browser: Browser, tmp_path: Path) -> None:
    put(tmp_path / "data", [row(f"acme/m{n}", architecture=f"arch{n:02}") for n in range(30)])
    build(Settings(data=tmp_path / "data", out=tmp_path / "site"))
    context = browser.new_context()
    found = visit(context, tmp_path.as_uri())
    page = found.page
    page.goto(f"{(tmp_path / 'site').as_uri()}/all/index.html")
    page.locator("[data-facet=architecture]").click()
    options = page.locator(".options label:visible")
    expect(options).to_have_count(30)
    page.get_by_label("arch07").check()
    field = page.get_by_label("Find in Architecture")
    field.fill("ARCH1")
    expect(options).to_have_count(11)
    field.fill("x")
    expect(options).to_have_count(1)
    expect(page.locator(".finder")).to_contain_text("None contains “x”.")
    field.press("Escape")
    expect(options).to_have_count(30)
    expect(field).to_be_focused()
    field.press("Escape")
    expect(page.locator("[data-facet=architecture]")).to_be_focused()
    assert shown(page) == ["acme/m7"]
    context.close()
    assert found.faults == []
