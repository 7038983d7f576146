"""axe-core finds no violation of WCAG 2.2 AA on any kind of page, light and dark, wide and narrow."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import visit
from tests.browser.test_html import ambiguous_page
from tests.browser.test_site import PASSED, at, every_kind

AXE = Path(__file__).parents[1] / "js" / "node_modules" / "axe-core" / "axe.min.js"
RUN = """() => axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] })
    .then((found) => ({
        violations: found.violations.flatMap((rule) => rule.nodes.map((node) => [rule.id, node.html.slice(0, 200)])),
        tried: [...found.passes, ...found.violations].map((rule) => rule.id),
    }))"""


@pytest.fixture(scope="module")
def ambiguous(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return ambiguous_page(tmp_path_factory.mktemp("ambiguous"))


def states(page: Page, root: str, ambiguous: Path) -> Iterator[str]:
    """Every page in turn, some with what a reader opens or asks for; names what is open now."""
    for kind, path in every_kind().items():
        page.goto(root + path)
        if kind != "cut":  # thousands of lines like those of the other logs
            page.locator("main details").evaluate_all("all => all.forEach((one) => { one.open = true; })")
        yield kind
    page.goto(ambiguous.as_uri())
    yield "ambiguous"
    page.goto(f"{root}{at('search')}?q=tern+instruct")
    expect(page.locator("[data-results-models] a").first).to_be_visible()
    yield "found"
    page.keyboard.press("?")
    yield "shortcuts"
    page.goto(f"{root}{at('all')}?q=no-such-model")
    expect(page.locator("[data-empty]")).to_be_visible()
    yield "filtered to nothing"


@pytest.mark.browser
@pytest.mark.parametrize("width", [1280, 320])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_violation(browser: Browser, hosted: str, ambiguous: Path, scheme: Any, width: int) -> None:
    # The checker is no part of the site, so its script needs an exception from the pages' policy.
    context = browser.new_context(bypass_csp=True, color_scheme=scheme, viewport={"width": width, "height": 900})
    page = context.new_page()
    violations, tried = [], set()
    for name in states(page, hosted, ambiguous):
        page.add_script_tag(path=AXE)
        found = page.evaluate(RUN)
        violations += [f"{name}: {rule}: {html}" for rule, html in found["violations"]]
        tried |= set(found["tried"])
        if page.evaluate("document.documentElement.scrollWidth") > width:
            violations.append(f"{name}: wider than {width}")
    context.close()
    assert violations == []
    assert {"color-contrast", "target-size", "heading-order", "region", "label"} <= tried


# What a mode of the system needs, on a page that has all of it.

COLOR = """(all, name) => {
    const probe = document.createElement("p");
    probe.style.color = name;
    document.body.append(probe);
    const wanted = getComputedStyle(probe).color;
    probe.remove();
    return all.filter((one) => getComputedStyle(one).color !== wanted).map((one) => one.outerHTML.slice(0, 120));
}"""


@pytest.mark.browser
@pytest.mark.parametrize("kind", ["all", "failed"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_forced_colours_leave_statuses_and_focus_visible(browser: Browser, site: Path, kind: str, scheme: Any) -> None:
    context = browser.new_context(forced_colors="active", color_scheme=scheme)
    page = visit(context, site.as_uri()).page
    page.goto(f"{site.as_uri()}/{at(kind)}")
    # Icons are drawn in the colour of the text, which must be the system's; what is knocked out of them, its paper.
    assert page.locator(".status, .status b, .status .icon, .check").evaluate_all(COLOR, "CanvasText") == []
    assert page.locator(".status .icon").count() > 0
    assert page.locator(".icon .knock").evaluate_all(COLOR.replace(".color !==", ".stroke !=="), "Canvas") == []
    page.get_by_role("link", name="Versions").focus()
    page.keyboard.press("Tab")
    focused = page.locator(":focus")
    expect(focused).to_have_css("outline-style", "solid")
    expect(focused).to_have_css("outline-width", "2px")
    assert focused.evaluate_all(COLOR.replace(".color !==", ".outlineColor !=="), "Canvas") != []
    context.close()


@pytest.mark.browser
def test_nothing_moves_for_those_who_asked_for_less_motion(browser: Browser, site: Path) -> None:
    context = browser.new_context(reduced_motion="reduce")
    page = visit(context, site.as_uri()).page
    for path in (at("all"), f"{PASSED}index.html"):
        page.goto(f"{site.as_uri()}/{path}")
        moving = page.locator("*").evaluate_all(
            """all => all.map((one) => getComputedStyle(one)).filter((style) => style.scrollBehavior !== "auto"
                || style.animationName !== "none" || parseFloat(style.transitionDuration) > 0).length"""
        )
        assert moving == 0
    context.close()
