"""Lists of one page in a browser: facets, the address, what emptied a list, files of what is shown, "My versions"."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from sitegen.build import build
from sitegen.config import Settings
from tests.browser.conftest import BASE, Visit, visit
from tests.browser.test_accessibility import AXE
from tests.browser.test_site import PAIR, at, too_wide
from tests.factory import put, row

ALL = "all/index.html"
OLD = "2.27.5334.0-f702b353-transformers-5.18.0"
IDS = "rows => rows.map((row) => row.dataset.id)"
VIOLATIONS = """() => axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] })
    .then((found) => found.violations.map((rule) => [rule.id, rule.nodes[0].html.slice(0, 200)]))"""


def rows(page: Page) -> Locator:
    return page.locator("table[data-list] tbody tr")


def ids(page: Page) -> list[str]:
    found: list[str] = rows(page).evaluate_all(IDS)
    return found


def facet(page: Page, label: str) -> Locator:
    """The options of a facet, opened."""
    page.get_by_role("button", name=label).first.click()
    return page.get_by_role("group", name=label, exact=True)


def counts(panel: Locator) -> dict[str, int]:
    """The number beside each option, when the data is there."""
    expect(panel.locator(".options label").first).to_be_visible()
    found = panel.locator(".options label").evaluate_all(
        "all => all.map((one) => ['.text', '.count span'].map((part) => one.querySelector(part).textContent))"
    )
    return {label: int(number) for label, number in found}


def state(page: Page) -> dict[str, list[str]]:
    return parse_qs(urlsplit(page.url).query)


@pytest.mark.browser
def test_options_add_up_within_a_facet_and_narrow_across_them(here: Visit) -> None:
    page = here.open(ALL)
    total = rows(page).count()
    outcome = facet(page, "Outcome")
    first = counts(outcome)
    assert sum(first.values()) == total
    outcome.get_by_label("PASS").check()
    expect(rows(page)).to_have_count(first["PASS"])
    assert rows(page).locator(".status").evaluate_all("all => [...new Set(all.map((s) => s.textContent))]") == ["PASS"]
    assert counts(outcome) == first
    outcome.get_by_label("Not tested").check()
    expect(rows(page)).to_have_count(first["PASS"] + first["Not tested"])
    cores = facet(page, "Cores")
    expect(outcome).to_have_count(0)
    number = counts(cores)
    assert number["no run"] == first["Not tested"]
    cores.get_by_label("2 (").check()
    expect(rows(page)).to_have_count(number["2"])
    expect(page.locator("[data-count]")).to_have_text(f"{number['2']} of {total} models")
    assert state(page) == {"outcome": ["pass", "not-tested"], "cores": ["2"]}
    assert counts(facet(page, "Outcome"))["Not tested"] == 0


@pytest.mark.browser
def test_a_list_of_one_page_keeps_the_rows_of_the_page(here: Visit) -> None:
    page = here.open(ALL)
    rows(page).evaluate_all("rows => rows.forEach((row) => (row.served = true))")
    facet(page, "Check").get_by_label("CPU match").check()
    page.locator("th[data-sort=wall] button").click()
    expect(page.locator("[data-chips] button")).to_have_count(1)
    assert rows(page).evaluate_all("rows => rows.length > 1 && rows.every((row) => row.served)")


@pytest.mark.browser
def test_the_data_is_loaded_on_first_use_only(here: Visit) -> None:
    loaded: list[str] = []
    here.page.on("request", lambda request: loaded.append(request.url))
    page = here.open(ALL)
    page.wait_for_load_state("load")
    assert not [url for url in loaded if "rows.js" in url]
    facet(page, "Outcome")
    expect(page.get_by_role("group", name="Outcome", exact=True)).to_be_visible()
    assert len([url for url in loaded if "rows.js" in url]) == 1


@pytest.mark.browser
def test_back_undoes_a_step_and_not_a_letter(here: Visit) -> None:
    page = here.open(f"{ALL}?from=elsewhere")
    total = rows(page).count()
    facet(page, "Outcome").get_by_label("PASS").check()
    expect(page.locator("[data-chips] button")).to_have_count(1)
    passed = rows(page).count()
    page.get_by_label("Filter by name").press_sequentially("tern")
    expect(page.locator("[data-chips] button")).to_have_count(2)
    assert state(page) == {"from": ["elsewhere"], "outcome": ["pass"], "q": ["tern"]}
    found = ids(page)
    page.reload()
    expect(rows(page)).to_have_count(len(found))
    assert ids(page) == found
    page.go_back()
    expect(rows(page)).to_have_count(passed)
    expect(page.get_by_label("Filter by name")).to_have_value("")
    page.go_back()
    expect(rows(page)).to_have_count(total)
    assert state(page) == {"from": ["elsewhere"]}
    page.go_forward()
    expect(rows(page)).to_have_count(passed)


@pytest.mark.browser
def test_what_the_list_does_not_have_is_shown_and_can_be_removed(here: Visit) -> None:
    page = here.open(f"{ALL}?cores=99&outcome=pass")
    expect(page.locator("[data-empty]")).to_have_text("No model is left: Cores: 99 alone matches none.")
    expect(page.locator("[data-count]")).to_contain_text("0 of ")
    page.get_by_role("button", name="Remove filter Cores: 99 (0 models)").press("Enter")
    expect(rows(page).first).to_be_visible()
    expect(page.locator("[data-empty]")).to_be_hidden()
    expect(page.get_by_role("button", name="Remove filter Outcome: PASS")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_label("Filter by name")).to_be_focused()
    expect(page.locator("[data-clear]")).to_be_hidden()
    assert state(page) == {}


@pytest.mark.browser
def test_an_empty_list_says_which_filter_emptied_it_and_is_cleared_at_once(here: Visit) -> None:
    page = here.open(f"{ALL}?outcome=not-tested&cores=1&sort=name")
    left = page.locator("[data-empty]")
    expect(left).to_contain_text("each filter alone matches some, all together none. Removing Outcome: Not tested")
    page.get_by_label("Filter by name").fill("no-such-model")
    expect(left).to_have_text("No model is left: the name filter “no-such-model” alone matches none.")
    page.get_by_role("button", name="Clear all").click()
    expect(left).to_be_hidden()
    assert state(page) == {"sort": ["name"]}
    page.get_by_label("Filter by name").fill("https://huggingface.co/northwind-lab/Tern-7B-Instruct/tree/main")
    expect(rows(page)).to_have_count(1)
    assert ids(page) == ["northwind-lab/Tern-7B-Instruct"]


@pytest.mark.browser
def test_facets_are_worked_by_keyboard_alone(here: Visit) -> None:
    page = here.open(ALL)
    button = page.locator("[data-facet=outcome]")
    button.focus()
    page.keyboard.press("Enter")
    panel = page.get_by_role("group", name="Outcome", exact=True)
    expect(panel).to_be_visible()
    expect(button).to_be_focused()
    expect(button).to_have_attribute("aria-expanded", "true")
    assert page.locator(f"#{button.get_attribute('aria-controls')}").count() == 1
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    expect(panel.get_by_label("FAIL")).to_be_checked()
    expect(panel.get_by_label("FAIL")).to_be_focused()
    page.keyboard.press("Escape")
    expect(panel).to_have_count(0)
    expect(button).to_be_focused()
    expect(button).to_have_attribute("aria-expanded", "false")
    expect(button).to_contain_text("1 chosen")
    page.keyboard.press("Escape")
    expect(button).to_contain_text("1 chosen")


def saved(page: Page, kind: str) -> tuple[str, str]:
    """The name and the text of a file that the page gives."""
    with page.expect_download() as found:
        page.get_by_role("button", name=kind, exact=True).click()
    path = Path(found.value.path())
    return found.value.suggested_filename, path.read_bytes().decode("utf-8")


@pytest.mark.browser
def test_what_is_shown_is_saved_as_csv_and_json(here: Visit) -> None:
    page = here.open(f"{ALL}?outcome=pass&outcome=not-tested&sort=wall&order=desc")
    expect(page.locator("[data-chips] button")).to_have_count(2)
    shown = ids(page)
    name, text = saved(page, "CSV")
    assert name == "all.csv"
    table = list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"), newline="")))
    assert text.startswith("\ufeff")
    assert [row["model"] for row in table] == shown
    times = [int(row["wall_s_including_compilation"]) for row in table if row["run"] == "recorded"]
    assert times == sorted(times, reverse=True)
    untested = [row for row in table if row["outcome_key"] == "not-tested"]
    assert untested
    assert {(row["run"], row["cores"], row["check_key"]) for row in untested} == {("none", "", "no-run")}
    assert {row["compiler_version"][:4] for row in table if row["run"] == "recorded"} <= {"2.26", "2.27", "2.28"}
    assert all(row["address"].startswith(f"https://example.org{BASE}models/") for row in table)
    name, text = saved(page, "JSON")
    about = json.loads(text)
    assert name == "all.json"
    assert about["address"] == f"https://example.org{BASE}all/?outcome=pass&outcome=not-tested&sort=wall&order=desc"
    assert [row["model"] for row in about["models"]] == shown
    assert about["models"][-1]["cores"] is None
    assert isinstance(about["models"][0]["wall_s_including_compilation"], int)


@pytest.mark.browser
def test_without_its_data_a_list_says_so_and_keeps_what_works(here: Visit) -> None:
    here.page.route("**/rows.js", lambda route: route.abort())
    page = here.open(f"{ALL}?outcome=pass")
    count = page.locator("[data-count]")
    expect(count).to_contain_text("The data of this list could not be loaded")
    expect(page.get_by_role("button", name="Remove filter Outcome: pass")).to_be_visible()
    page.get_by_label("Filter by name").fill("tern")
    expect(rows(page).first).to_contain_text("Tern")
    page.locator("th[data-sort=wall] button").click()
    assert ids(page)
    page.locator("[data-facet=cores]").click()
    page.get_by_role("button", name="JSON", exact=True).click()
    expect(page.locator("fieldset")).to_have_count(0)
    here.page.unroute("**/rows.js")
    facet(page, "Cores").get_by_label("1 (").check()
    expect(count).not_to_contain_text("could not be loaded")
    assert here.faults
    here.faults.clear()


@pytest.mark.browser
def test_versions_are_chosen_apart_and_remembered(here: Visit) -> None:
    page = here.open(ALL)
    expect(page.locator("[data-mine]")).to_be_hidden()
    page.locator(".chooser summary").click()
    page.get_by_label("Library").select_option("transformers 5.18.0")
    note = page.locator("[data-nearest]")
    expect(note).to_contain_text("no data for this combination. Nearest:")
    links = note.get_by_role("link").evaluate_all("links => links.map((link) => link.getAttribute('href'))")
    assert [link.split("versions/")[1] for link in links] == [f"{OLD}/{ALL}", f"{PAIR}/{ALL}"]
    page.get_by_role("button", name="Show and remember").click()
    expect(page.locator("[data-mine]")).to_contain_text("no data for this combination")
    page.get_by_label("Compiler").select_option(label="neuronx-cc 2.27.5334.0+f702b353")
    expect(note).to_be_empty()
    page.get_by_role("button", name="Show and remember").click()
    page.wait_for_url(f"**/versions/{OLD}/{ALL}")
    expect(page.locator("[data-mine]")).to_be_hidden()
    page = here.open("index.html")
    page.locator("[data-mine]").get_by_role(
        "link", name="neuronx-cc 2.27.5334.0+f702b353 / transformers 5.18.0"
    ).click()
    page.wait_for_url(f"**/versions/{OLD}/index.html")
    page.go_back()
    page.get_by_role("button", name="Forget my versions").click()
    expect(page.locator("[data-mine]")).to_be_hidden()
    expect(page.locator(".chooser summary")).to_be_focused()
    page.reload()
    expect(page.locator("[data-mine]")).to_be_hidden()


@pytest.mark.browser
def test_versions_work_where_nothing_can_be_remembered(here: Visit) -> None:
    here.page.add_init_script("Object.defineProperty(window, 'localStorage', { get() { throw new Error('no'); } })")
    page = here.open(ALL)
    page.locator(".chooser summary").click()
    page.get_by_label("Compiler").select_option(label="neuronx-cc 2.27.5334.0+f702b353")
    page.get_by_label("Library").select_option("transformers 5.18.0")
    page.get_by_role("button", name="Show and remember").click()
    page.wait_for_url(f"**/versions/{OLD}/{ALL}")
    expect(page.locator("[data-mine]")).to_be_hidden()


@pytest.mark.browser
def test_notes_sort_and_the_header_says_what_wall_time_is(here: Visit) -> None:
    page = here.open(at("home"))
    expect(page.locator("th.c-wall")).to_contain_text("with compilation")
    expect(page.locator("th.c-wall")).to_contain_text("not comparable across rows")
    page.locator("th[data-sort=note] button").click()
    expect(page.locator("th[data-sort=note]")).to_have_attribute("aria-sort", "ascending")
    notes = [note.lower() for note in rows(page).locator(".c-note").all_text_contents()]
    written = [note for note in notes if note]
    assert notes == sorted(written) + [""] * (len(notes) - len(written))
    assert 0 < len(written) < len(notes)
    page.set_viewport_size({"width": 360, "height": 800})
    expect(page.locator(".wall-note")).to_be_visible()
    assert "Wall time with compilation" in rows(page).locator(".c-wall").first.evaluate(
        "cell => getComputedStyle(cell, '::before').content"
    )


@pytest.mark.browser
@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 1280), ("light", 320)])
def test_open_facets_and_chips_are_accessible_and_fit(browser: Browser, site: Path, scheme: Any, width: int) -> None:
    context = browser.new_context(bypass_csp=True, color_scheme=scheme, viewport={"width": width, "height": 900})
    page = context.new_page()
    page.goto(f"{site.as_uri()}/{ALL}?outcome=pass&cores=99&q=tern")
    page.locator(".chooser summary").click()
    facet(page, "Error code").locator("input").first.check()
    page.add_script_tag(path=AXE)
    assert page.evaluate(VIOLATIONS) == []
    small = page.locator(".tools :is(button, label), .in-use button, .chooser button").evaluate_all(
        "all => all.filter((one) => one.offsetParent && one.offsetHeight < 24).map((one) => one.textContent)"
    )
    assert small == []
    assert too_wide(page) == []
    context.close()


@pytest.mark.browser
def test_words_of_any_length_fit(browser: Browser, tmp_path: Path) -> None:
    word, version = "W" * 300, "9" * 990
    put(tmp_path / "data", [row(), row("acme/odd", result=word, library_version=version, neuronx_cc=f"2.1.{version}")])
    build(Settings(data=tmp_path / "data", out=tmp_path / "site"))
    context = browser.new_context()
    found = visit(context, tmp_path.as_uri())
    page = found.page
    page.goto(f"{(tmp_path / 'site').as_uri()}/{ALL}?outcome={word}&library-version={version}&cores={word}")
    expect(page.locator("[data-empty]")).to_contain_text(re.compile("match(es)? none"))
    page.locator(".chooser summary").click()
    page.get_by_label("Library").select_option(index=1)
    page.get_by_role("button", name="Show and remember").click()
    expect(page.locator("[data-mine]")).to_be_visible()
    facet(page, "Compiler version")
    assert too_wide(page) == []
    context.close()
    assert found.faults == []
