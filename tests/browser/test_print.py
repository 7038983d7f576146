"""On paper: no navigation and no control, all that is folded, and under a result what it is the result of."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize, expect

from tests.browser.conftest import visit
from tests.browser.test_site import FAILED, PAIR, SHARDED, at

A4: ViewportSize = {"width": 718, "height": 1000}  # CSS pixels between Chromium's margins
CONTROLS = "nav, button, input, select, fieldset, dialog, [role=search]"


@pytest.fixture(params=[True, False], ids=["scripts", "no scripts"])
def context(request: pytest.FixtureRequest, browser: Browser) -> Iterator[BrowserContext]:
    made = browser.new_context(viewport=A4, java_script_enabled=request.param)
    yield made
    made.close()


def printed(context: BrowserContext, site: Path, path: str) -> Page:
    page = visit(context, site.as_uri()).page
    page.goto(f"{site.as_uri()}/{path}")
    page.emulate_media(media="print")
    return page


@pytest.mark.browser
@pytest.mark.parametrize("kind", ["all", "model", "failed", "doc", "versions", "data"])
def test_paper_has_no_navigation_and_no_control(context: BrowserContext, site: Path, kind: str) -> None:
    page = printed(context, site, at(kind))
    left = page.locator(CONTROLS).filter(visible=True)
    assert left.evaluate_all("all => all.map((one) => one.outerHTML.slice(0, 120))") == []
    expect(page.locator("h1")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= A4["width"]


@pytest.mark.browser
def test_without_scripts_too_folded_parts_are_printed(browser: Browser, site: Path) -> None:
    context = browser.new_context(viewport=A4, java_script_enabled=False)
    page = printed(context, site, f"{FAILED}index.html")
    assert page.locator("#log[open], #raw[open]").count() == 0
    for selector in ("#log-L1", "#raw-row"):
        box = page.locator(selector).bounding_box()
        assert box is not None, selector
        assert box["height"] > 0, selector
    context.close()


@pytest.mark.browser
def test_folded_parts_are_open_while_printing_and_folded_after(browser: Browser, site: Path) -> None:
    context = browser.new_context()
    page = visit(context, site.as_uri()).page
    page.goto(f"{site.as_uri()}/{FAILED}index.html")
    states = "[...document.querySelectorAll('details')].map((one) => one.open)"
    before = page.evaluate(states)
    page.evaluate(f"addEventListener('beforeprint', () => {{ window.printed = {states}; }})")
    page.pdf()
    assert page.evaluate("window.printed") == [True] * len(before)
    assert page.evaluate(states) == before
    assert False in before
    context.close()


@pytest.mark.browser
def test_the_foot_of_a_printed_result_names_model_pair_and_date(context: BrowserContext, site: Path) -> None:
    page = printed(context, site, f"{SHARDED}index.html")
    foot = page.get_by_role("contentinfo")
    expect(foot).to_contain_text("northwind-lab/Tern-14B-Instruct")
    expect(foot.locator(".print-only")).to_be_visible()
    words = foot.locator(".print-only").inner_text()
    assert "neuronx-cc 2.28.7631.0+5e0f61c7 / transformers 5.24.0" in words
    assert re.search(r"tested \d{4}-\d\d-\d\d", words)
    page.emulate_media(media="screen")
    expect(foot.locator(".print-only")).to_be_hidden()


@pytest.mark.browser
def test_links_of_a_pdf_lead_to_pages_of_the_site(browser: Browser, site: Path, hosted: str) -> None:
    context = browser.new_context()
    page = visit(context, hosted).page
    page.goto(f"{hosted}{SHARDED}index.html")
    found = {address.decode() for address in re.findall(rb"/URI \((.*?)\)", page.pdf())}
    inside = {unquote(urlsplit(address).path) for address in found if address.startswith(hosted)}
    root = urlsplit(hosted).path
    assert {path for path in inside if not (site / path.removeprefix(root)).is_file()} == set()
    assert f"{root}versions/{PAIR}/index.html" in inside
    assert len(inside) > 5
    context.close()
