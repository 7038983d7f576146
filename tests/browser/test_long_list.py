"""A list of several pages: its scripts work over all rows, and make the same rows as the template."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from sitegen.build import build
from sitegen.config import Settings
from tests.browser.conftest import visit
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
    pair = max(entry.name for entry in (long_site / "versions").iterdir() if entry.is_dir())
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
