"""Rows of a size that nobody expects: the pages stay as wide as the screen, and say what they leave out."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from sitegen.build import build
from sitegen.config import Settings
from tests.browser.conftest import visit
from tests.browser.test_site import set_clipboard, too_wide
from tests.factory import put, ranking, row

LONG = "9" * 5000
SCRIPT = "x = 1\n" * 12_000


@pytest.fixture(scope="module")
def extreme_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("extreme")
    long_pair = {"library_version": LONG[:1000], "transformers": LONG, "neuronx_cc": f"2.1.{LONG[:900]}"}
    rows = [
        row(run_py=SCRIPT),
        row("acme/two", result="FAIL", error="E" * 9000, notes=LONG),
        row("acme/two", result="PASS"),
        row("acme/" + "m" * 90, result="W" * 300),
        row(**long_pair),
    ]
    put(folder / "data", rows)
    ranking(folder / "data", ["acme/control-1b", "acme/two", "acme/" + "m" * 90])
    build(Settings(data=folder / "data", out=folder / "site"))
    return folder / "site"


@pytest.mark.browser
def test_no_page_is_wider_than_the_screen(browser: Browser, extreme_site: Path) -> None:
    context = browser.new_context()
    found = visit(context, extreme_site.as_uri())
    wide = {}
    for path in extreme_site.rglob("index.html"):
        parts = path.relative_to(extreme_site).parts
        if parts[0] == "docs" or (parts[0] == "versions" and len(parts) > 2):
            continue  # prose of our own; lists as at the top
        found.page.goto(path.as_uri())
        found.page.locator("details").evaluate_all("all => all.forEach((one) => { one.open = true; })")
        wide[str(path.relative_to(extreme_site))] = too_wide(found.page)
    context.close()
    assert {path: widths for path, widths in wide.items() if widths} == {}
    assert len(wide) > 12
    assert found.faults == []


@pytest.mark.browser
def test_a_script_that_is_cut_says_so(browser: Browser, extreme_site: Path) -> None:
    context = browser.new_context()
    found = visit(context, extreme_site.as_uri())
    page = found.page
    set_clipboard(page, "granted")
    page.goto(f"{next(extreme_site.glob('models/acme/control-1b/2.28*/index.html')).as_uri()}#L11999")
    gap = page.locator("section:has(> #script) .gap")
    expect(gap).to_be_in_viewport()
    expect(gap.get_by_role("status")).to_have_text("Line 11,999 is one of them.")
    page.locator("section:has(> #script) .copy").click()
    expect(page.locator("section:has(> #script) .copy")).to_contain_text("Copied")
    lines = page.evaluate("window.copied").splitlines()
    left_out = 12_000 - (len(lines) - 1)
    assert lines == ["x = 1"] * (len(lines) - 1) + [f"{left_out:,} lines left out. run.py has them all."]
    assert left_out > 0
    context.close()
    assert found.faults == []
