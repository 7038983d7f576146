"""axe-core finds no violation of WCAG 2.2 AA on any kind of page, light and dark, wide and narrow."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.browser.test_site import KINDS, at

AXE = Path(__file__).parents[1] / "js" / "node_modules" / "axe-core" / "axe.min.js"
RUN = """() => axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] })
    .then((found) => found.violations.map((v) => [v.id, v.nodes.slice(0, 3).map((n) => n.html.slice(0, 200))]))"""


@pytest.mark.browser
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 1280), ("light", 320)])
def test_no_violation(browser: Browser, site: Path, kind: str, scheme: Any, width: int) -> None:
    # The checker is no part of the site, so its script needs an exception from the pages' policy.
    context = browser.new_context(bypass_csp=True, color_scheme=scheme, viewport={"width": width, "height": 900})
    page = context.new_page()
    page.goto(f"{site.as_uri()}/{at(kind)}")
    page.add_script_tag(path=AXE)
    violations = page.evaluate(RUN)
    context.close()
    assert violations == []
