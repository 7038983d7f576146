"""Comparisons and the table of models by pairs in a browser: hosted and from the disk, of one page and of several."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from sitegen.build import build
from sitegen.config import Settings
from tests.browser.conftest import Visit, visit
from tests.browser.test_lists import ids, rows, saved, state
from tests.browser.test_long_list import rows_of
from tests.browser.test_site import at
from tests.make_results import write_results

WORDS = "rows => [...new Set(rows.map((row) => row.querySelector('.c-change b').textContent))]"
STILL = "node => { const box = node.getBoundingClientRect(); return [Math.round(box.left), Math.round(box.top)]; }"


def numbers(page: Page) -> dict[str, int]:
    """How many models each bucket says it has."""
    found = page.locator(".buckets li").all_inner_texts()
    return {label: int(number) for number, label in (text.strip().split(maxsplit=1) for text in found)}


@pytest.mark.browser
def test_the_buckets_add_up_to_the_rows(here: Visit) -> None:
    page = here.open(at("compare"))
    found = numbers(page)
    assert len(found) == 8
    assert sum(found.values()) == rows(page).count()
    expect(page.locator(".sums")).to_contain_text(f"= {rows(page).count()} models with a row under either pair")


@pytest.mark.browser
def test_an_address_chooses_a_bucket(here: Visit) -> None:
    page = here.open(f"{at('compare')}?change=regressed")
    total = sum(numbers(page).values())
    expect(rows(page)).to_have_count(numbers(page)["Regressed"])
    assert rows(page).evaluate_all(WORDS) == ["Regressed"]
    expect(page.locator("[data-count]")).to_have_text(f"{numbers(page)['Regressed']} of {total} models")
    page.get_by_role("button", name="Remove filter Change: Regressed").click()
    expect(rows(page)).to_have_count(total)
    assert state(page) == {}


@pytest.mark.browser
def test_a_number_above_the_table_chooses_its_bucket(here: Visit) -> None:
    page = here.open(at("compare"))
    found = numbers(page)
    page.locator(".buckets").get_by_role("link", name="Fixed").click()
    expect(rows(page)).to_have_count(found["Fixed"])
    page.locator(".buckets").get_by_role("link", name="Exclusions").click()
    expect(rows(page)).to_have_count(found["Exclusions"])
    assert state(page) == {"change": ["exclusions"]}
    page.go_back()
    expect(rows(page)).to_have_count(found["Fixed"])
    page.locator("[data-facet=check]").click()
    page.get_by_role("group", name="Check now", exact=True).get_by_label("CPU match").check()
    expect(page.locator("[data-chips] button")).to_have_count(2)


@pytest.mark.browser
def test_a_comparison_is_saved_with_both_sides(here: Visit) -> None:
    page = here.open(f"{at('compare')}?change=fixed")
    expect(page.locator("[data-chips] button")).to_have_count(1)
    name, text = saved(page, "CSV")
    assert name.startswith("compare-2.27.5334.0-f702b353-transformers-5.21.0-2.28.7631.0")
    head, *lines = text.strip().split("\r\n")
    assert "before_outcome" in head
    assert "wall_s" not in head
    assert len(lines) == rows(page).count() > 0


@pytest.mark.browser
def test_cores_that_differ_are_said_in_words_too(here: Visit) -> None:
    page = here.open(at("compare"))
    cell = rows(page).filter(has_text="cores differ").locator(".c-cores").first
    expect(cell).to_contain_text("→")
    assert cell.locator(".visually-hidden").inner_text().endswith(" now")
    expect(cell.locator("[aria-hidden=true]")).to_have_count(1)


@pytest.mark.browser
def test_what_changed_is_open_to_read(here: Visit) -> None:
    page = here.open(f"{at('compare')}?change=regressed")
    rows(page).first.get_by_role("link", name="what changed").click()
    expect(page.locator("#changes")).to_be_in_viewport()


@pytest.mark.browser
def test_the_first_page_says_what_is_new_and_keeps_its_table_on_the_first_screen(here: Visit) -> None:
    page = here.open(at("home"))
    page.set_viewport_size({"width": 1280, "height": 760})
    expect(rows(page).first).to_be_in_viewport(ratio=1)
    expect(rows(page).nth(4)).to_be_in_viewport(ratio=1)
    page.locator(".news").get_by_role("link", name="regressed").click()
    expect(page.locator("[data-chips] button")).to_have_count(1)
    assert rows(page).evaluate_all(WORDS) == ["Regressed"]


@pytest.mark.browser
def test_the_table_of_pairs_is_filtered_by_name(here: Visit) -> None:
    page = here.open(f"{at('versions')}?q=GODWIT")
    expect(page.get_by_label("Filter by name")).to_have_value("GODWIT")
    expect(rows(page).first).to_contain_text("GODWIT", ignore_case=True)
    names = [name.lower() for name in ids(page)]
    assert names
    assert all("godwit" in name for name in names)
    expect(page.locator("[data-count]")).to_contain_text(f"{len(names)} of ")
    page.get_by_label("Filter by name").fill("no-such-model")
    expect(page.locator("[data-empty]")).to_have_text("No model is left: the name filter “no-such-model” matches none.")
    page.get_by_role("button", name="Clear all").click()
    expect(page.locator("[data-empty]")).to_be_hidden()
    assert state(page) == {}


@pytest.mark.browser
@pytest.mark.parametrize("width", [1280, 360])
def test_heads_stay_where_they_are_while_the_table_scrolls_by_keyboard(here: Visit, width: int) -> None:
    page = here.open(at("versions"))
    page.set_viewport_size({"width": width, "height": 700})
    frame = page.locator(".scroll:has(.by-pair)")
    head, name = frame.locator("thead th").last, frame.locator("tbody th").nth(5)
    frame.scroll_into_view_if_needed()
    frame.focus()
    expect(frame).to_be_focused()
    top, left = head.evaluate(STILL)[1], name.evaluate(STILL)[0]
    page.keyboard.press("PageDown")
    expect(frame).not_to_have_js_property("scrollTop", 0)
    assert head.evaluate(STILL)[1] == top
    if width == 360:
        for _ in range(5):
            page.keyboard.press("ArrowRight")
        expect(frame).not_to_have_js_property("scrollLeft", 0)
    assert name.evaluate(STILL)[0] == left


@pytest.mark.browser
def test_what_did_not_run_looks_like_no_failure(here: Visit) -> None:
    page = here.open(at("versions"))
    looks = page.locator(".by-pair .c-at").evaluate_all(
        """cells => cells.map((cell) => [cell.querySelector("b").textContent,
            cell.querySelector("use").getAttribute("href"), getComputedStyle(cell).backgroundColor])"""
    )
    by_word: dict[str, set[tuple[str, str]]] = {}
    for word, icon, tint in looks:
        by_word.setdefault(word, set()).add((icon, tint))
    assert all(len(look) == 1 for look in by_word.values())
    three = [look for word in ("FAIL", "Excluded", "Not tested") for look in by_word[word]]
    assert len({icon for icon, _ in three}) == len({tint for _, tint in three}) == 3


@pytest.fixture(scope="module")
def long_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("long-compare")
    write_results(folder / "data", pairs=3, models=230, seed=4, ranked=60)
    build(Settings(data=folder / "data", out=folder / "site"))
    return folder / "site"


def all_rows(page: Page, folder: str) -> tuple[dict[str, str], dict[str, str]]:
    """The rows that the server made on all pages, and those that the script makes of the data."""
    served: dict[str, str] = {}
    for name in ("index.html", "page-2/index.html"):
        page.goto(folder + name)
        # Links on a further page start one folder deeper.
        found = rows_of(page).items()
        served |= {key: html.replace('href="../', 'href="') if name != "index.html" else html for key, html in found}
    page.goto(f"{folder}index.html?q=-")
    more = page.locator("button.more")
    expect(more).to_be_visible()
    while more.is_visible():
        more.click()
    return served, rows_of(page)


@pytest.mark.browser
@pytest.mark.parametrize("kind", ["compare", "versions"])
def test_rows_made_by_the_script_equal_those_of_the_template(browser: Browser, long_site: Path, kind: str) -> None:
    folder = long_site / "versions"
    if kind == "compare":
        folder = max(path.parent for path in (long_site / "compare").glob("*/*/rows.js"))
    context = browser.new_context()
    found = visit(context, long_site.as_uri())
    served, made = all_rows(found.page, f"{folder.as_uri()}/")
    assert len(made) > 200
    assert made == {key: html for key, html in served.items() if "-" in key}
    context.close()
    assert found.faults == []


@pytest.mark.browser
def test_without_scripts_a_number_leads_to_where_its_bucket_begins(browser: Browser, long_site: Path) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    script = max((long_site / "compare").glob("*/*/rows.js"))
    page.goto(script.with_name("index.html").as_uri())
    for word, number in numbers(page).items():
        if number:
            page.goto(script.with_name("index.html").as_uri())
            page.locator(".buckets").get_by_role("link", name=word).click()
            assert word in rows(page).evaluate_all(WORDS)
    assert "page-2" in page.url
    context.close()
