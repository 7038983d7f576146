"""The site on a host that applies the rules of netlify.toml: other spellings of an address reach the page."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from sitegen.build import build
from sitegen.config import Settings
from tests.bench.host import host
from tests.browser.conftest import visit
from tests.factory import put, ranking, row

ID = "Acme/Model-1B"
pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("hosting")
    names = (ID, "acme/other-2b", "acme/old-3b", "acme/Case", "acme/case", "TinyGrebe")
    put(folder / "data", [row(name) for name in names])
    ranking(folder / "data", [{"id": "acme/new-3b", "was": ["acme/lost-3b"]}])
    build(Settings(data=folder / "data", out=folder / "site", base_url="https://example.org/", jobs=1))
    with host(folder / "site") as address:
        yield address


@pytest.mark.parametrize(
    "asked",
    ["Acme/Model-1B", "acme/model-1b/", "ACME/MODEL-1B", "models/Acme/Model-1B/", "Models/acme/model-1b/index.html"],
)
def test_other_spellings_reach_the_page(browser: Browser, root: str, asked: str) -> None:
    context = browser.new_context()
    found = visit(context, root)
    page = found.open(asked)
    expect(page.locator("h1")).to_contain_text(ID)
    context.close()
    assert [fault for fault in found.faults if "404" not in fault] == []


@pytest.mark.parametrize(
    ("asked", "model_id"),
    [
        ("models/-/TinyGrebe/", "TinyGrebe"),
        ("tinygrebe", "TinyGrebe"),
        ("acme/lost-3b", "acme/new-3b"),
        ("models/acme/lost-3b/", "acme/new-3b"),
        ("models/acme/Case/", "acme/Case"),
        ("Acme/Model-1B/discussions/New%20topic", ID),
        ("Acme/Model-1B/tree/main", ID),
    ],
)
def test_ids_without_owner_earlier_ids_and_exact_ids_lead_to_the_model(
    browser: Browser, root: str, asked: str, model_id: str
) -> None:
    context = browser.new_context()
    page = visit(context, root).open(asked)
    expect(page.locator("h1 bdi")).to_have_text(model_id)
    context.close()


@pytest.mark.parametrize(
    ("asked", "offered"),
    [
        ("models/acme/model-1b/foo%20bar", [ID]),
        ("models/acme/model-1b/caf%C3%A9", [ID]),
        ("models/acme/model-1b/%2561/index.html", [ID]),
        ("models/acme/case/nothing/", ["acme/Case", "acme/case"]),
    ],
)
def test_the_error_page_leads_on_once_at_most_and_then_offers_the_model(
    browser: Browser, root: str, asked: str, offered: list[str]
) -> None:
    context = browser.new_context()
    loaded: list[str] = []
    context.on("request", lambda r: loaded.append(r.url) if r.is_navigation_request() else None)
    page = visit(context, root).open(asked)
    expect(page.locator("[data-near] a")).to_have_text(offered)
    page.wait_for_timeout(300)
    assert len(loaded) <= 3, loaded  # the host may have led on before
    expect(page.locator("h1")).to_have_text("Page not found")
    context.close()


def test_the_address_of_the_hub_in_lower_case_needs_no_script(browser: Browser, root: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = visit(context, root).open("acme/model-1b")
    expect(page.locator("h1")).to_contain_text(ID)
    context.close()


@pytest.mark.parametrize("asked", ["docs/nothing/", "versions/nothing/index.html", "models/acme/nothing/"])
def test_what_is_missing_below_a_folder_stays_where_it_was_asked(browser: Browser, root: str, asked: str) -> None:
    context = browser.new_context()
    page = visit(context, root).open(asked)
    expect(page.locator("h1")).to_have_text("Page not found")
    assert page.url == root + asked
    context.close()
