"""The demo in Chromium, hosted below a sub-path and from the disk: every kind of page, link and control."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from sitegen.build import inspect
from sitegen.config import Settings
from sitegen.content import packaged
from sitegen.plan import Page as Planned
from tests.browser.conftest import Visit, visit

PAIR = "2.28.7631.0-5e0f61c7-transformers-5.24.0"
PASSED = f"models/northwind-lab/tern-7b-instruct/{PAIR}/"
SHARDED = f"models/northwind-lab/tern-14b-instruct/{PAIR}/"
FAILED = f"models/saltmarsh/godwit-3b/{PAIR}/"
CUT = "models/quarry.systems/siskin-8x22b-v0.2/2.27.5334.0-f702b353-transformers-5.21.0/"
KINDS = {
    "home": "",
    "trending": "trending/",
    "task": "downloads/image-text-to-text/",
    "all": "all/",
    "pair": f"versions/{PAIR}/all/",
    "owners": "models/",
    "owner": "models/northwind-lab/",
    "model": "models/northwind-lab/tern-7b-instruct/",
    "untested": "models/kittiwake-works/shrike-3-12b/",
    "passed": PASSED,
    "sharded": SHARDED,
    "failed": FAILED,
    "cut": CUT,
    "versions": "versions/",
    "comparisons": "compare/",
    "compare": f"compare/2.27.5334.0-f702b353-transformers-5.21.0/{PAIR}/",
    "coverage": "coverage/",
    "errors": "errors/",
    "error": "errors/ncc-eoom001-b2404597/",
    "docs": "docs/",
    "doc": "docs/outcomes/",
    "data": "data/",
    "search": "search/",
}


def at(name: str) -> str:
    return f"{KINDS[name]}index.html"


@cache
def every_kind() -> dict[str, str]:
    """The pages above by name, and of each kind of page that is not among them the first one; and the 404 page."""
    outputs = inspect(Settings(data=packaged("content") / "demo", out=Path("none"))).plan.outputs
    kinds = {page.path: page.kind for page in outputs if isinstance(page, Planned)}
    pages = {name: at(name) for name in KINDS}
    seen = {kinds[path] for path in pages.values()}
    return pages | {kind: path for path, kind in sorted(kinds.items(), reverse=True) if kind not in seen}


@pytest.mark.browser
@pytest.mark.parametrize("kind", KINDS)
def test_a_page_opens_without_a_fault(here: Visit, kind: str) -> None:
    page = here.open(at(kind))
    expect(page.locator("h1")).to_have_count(1)
    assert page.locator("link[rel=icon]").count() == 1


@pytest.mark.browser
@pytest.mark.parametrize("kind", KINDS)
def test_nothing_is_wider_than_the_screen_and_no_word_of_a_table_is_broken(here: Visit, kind: str) -> None:
    page = here.open(at(kind))
    assert too_wide(page) == []
    if kind == "trending":
        expect(page.locator("table[data-list] tbody tr").first).to_have_css("display", "table-row")
    for width in (1280, 360):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.locator("th, td").evaluate_all(BROKEN) == []


def too_wide(page: Page) -> list[tuple[int, int]]:
    """The screen widths at which a page scrolls sideways, with its own width there. Leaves the page at 1280."""
    found = []
    for width in (320, 360, 768, 1024, 1100, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        found.append((width, page.evaluate("document.documentElement.scrollWidth")))
    return [(width, own) for width, own in found if own > width]


# The words of table cells that stand on more than one line; ids and versions, which may, have other characters.
BROKEN = """cells => cells.flatMap((cell) => {
    const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    const broken = [];
    for (let node; (node = walker.nextNode());) {
        for (const word of node.data.matchAll(/(?<![^\\s,·:])[A-Za-z]+(?![^\\s,·:])/g)) {
            const range = document.createRange();
            range.setStart(node, word.index);
            range.setEnd(node, word.index + word[0].length);
            if (new Set([...range.getClientRects()].map((box) => Math.round(box.top))).size > 1) broken.push(word[0]);
        }
    }
    return broken;
})"""


@pytest.mark.browser
def test_from_home_to_a_result_by_links_alone(here: Visit) -> None:
    page = here.open("index.html")
    page.get_by_role("navigation", name="Lists").get_by_role("link", name="Downloads").click()
    expect(page.locator("h1")).to_contain_text("Downloads")
    page.get_by_role("navigation", name="Tasks").get_by_role("link", name="image-text-to-text").click()
    expect(page.locator("h1")).to_contain_text("image-text-to-text")
    page.get_by_role("navigation", name="Lists").get_by_role("link", name="All models").click()
    page.get_by_role("link", name="northwind-lab/Tern-7B-Instruct", exact=True).click()
    expect(page.locator("h1")).to_contain_text("northwind-lab/Tern-7B-Instruct")
    expect(page.locator("main")).to_contain_text("CPU match")
    page.get_by_role("navigation", name="Breadcrumb").get_by_role("link").last.click()
    assert page.url.endswith(at("model"))


@pytest.mark.browser
def test_a_pair_is_chosen_from_a_list(here: Visit) -> None:
    page = here.open(at("all"))
    page.locator("details.chooser summary").click()
    page.locator("details.chooser").get_by_role("link", name="neuronx-cc 2.26").click()
    expect(page.locator("h1")).to_contain_text("neuronx-cc 2.26")
    expect(page.locator("tr[data-tone=untested]").first).to_contain_text("latest")


@pytest.mark.browser
def test_the_filter_counts_says_what_emptied_it_and_stays_in_the_address(here: Visit) -> None:
    page = here.open(at("all"))
    rows = page.locator("table[data-list] tbody tr:visible")
    total = rows.count()
    page.keyboard.press("/")
    page.keyboard.type("tern INSTRUCT")
    expect(page.locator("[data-count]")).to_contain_text(f"of {total}")
    names = rows.evaluate_all("rows => rows.map((row) => row.dataset.id.toLowerCase())")
    assert 0 < len(names) < total
    assert all("tern" in name and "instruct" in name for name in names)
    page.reload()
    expect(rows).to_have_count(len(names))
    widths = "heads => heads.map((head) => head.offsetWidth)"
    before = page.locator("table[data-list] th[scope=col]").evaluate_all(widths)
    page.get_by_label("Filter by name").fill("no-such-model")
    expect(page.locator("[data-empty]")).to_contain_text("no-such-model")
    assert page.locator("table[data-list] th[scope=col]").evaluate_all(widths) == before
    page.locator("[data-clear]").click()
    expect(rows).to_have_count(total)


@pytest.mark.browser
def test_a_column_sorts_by_value_with_gaps_last(here: Visit) -> None:
    page = here.open(at("all"))
    values = "rows => rows.map((row) => row.querySelector('.c-wall').dataset.value ?? null)"
    for order in ("ascending", "descending"):
        page.locator("th[data-sort=wall] button").click()
        expect(page.locator("th[data-sort=wall]")).to_have_attribute("aria-sort", order)
        found = page.locator("table[data-list] tbody tr").evaluate_all(values)
        numbers = [float(value) for value in found if value is not None]
        assert numbers == sorted(numbers, reverse=order == "descending")
        assert found[len(numbers) :] == [None] * (len(found) - len(numbers))
        assert len(numbers) < len(found)


@pytest.mark.browser
@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("ern-7b-i", "northwind-lab/Tern-7B-Instruct"),
        ("TERN 7b", "northwind-lab/Tern-7B-Instruct"),
        ("https://huggingface.co/northwind-lab/Tern-7B-Instruct", "northwind-lab/Tern-7B-Instruct"),
        ("tinygrebe", "tinygrebe"),
    ],
)
def test_the_search_finds_a_model(here: Visit, query: str, expected: str) -> None:
    page = here.open("docs/index.html")
    page.keyboard.press("/")
    page.keyboard.type(query)
    page.keyboard.press("Enter")
    expect(page.locator("[data-results-models]")).to_contain_text(expected)
    page.locator("[data-results-models]").get_by_role("link", name=expected, exact=True).click()
    expect(page.locator("h1")).to_contain_text(expected)


@pytest.mark.browser
def test_the_search_finds_docs_and_pairs_by_their_words(here: Visit) -> None:
    page = here.open("search/index.html?q=fluency")
    expect(page.locator("[data-results-words] a").first).to_be_visible()
    page = here.open("search/index.html?q=5.21.0")
    expect(page.locator("[data-results-words]")).to_contain_text("transformers 5.21.0")


@pytest.mark.browser
@pytest.mark.parametrize("query", ["zzzunknown", "status:", "*", "~", "<img src=x onerror=alert(1)>", "-instruct+"])
def test_a_search_takes_text_as_text_and_says_when_it_finds_nothing(here: Visit, query: str) -> None:
    page = here.open("search/index.html")
    page.locator("form[data-search] input").fill(query)
    expect(page.locator("main")).to_contain_text(query)
    expect(page.locator("[data-results-models] a:visible")).to_have_count(0)
    assert page.locator("main img").count() == 0


@pytest.mark.browser
def test_the_theme_is_remembered(here: Visit) -> None:
    page = here.open("index.html")
    page.locator("[data-theme-switch]").click()
    theme = page.locator("html").get_attribute("data-theme")
    assert theme in ("light", "dark")
    page = here.open(at("docs"))
    assert page.locator("html").get_attribute("data-theme") == theme


@pytest.mark.browser
@pytest.mark.parametrize("clipboard", ["granted", "missing", "refused"])
def test_copy_gives_the_file_and_nothing_else(here: Visit, site: Path, clipboard: str) -> None:
    """Without https there is no `navigator.clipboard`; the button must work all the same, and say so."""
    set_clipboard(here.page, clipboard)
    page = here.open(at("passed"))
    page.locator("[data-copy=run-py]").click()
    expect(page.locator("[data-copy=run-py]")).to_contain_text("Copied")
    copied = page.evaluate("window.copied")
    assert copied.strip() == (site / PASSED / "run.py").read_text("utf-8").strip()
    assert page.locator("#run-py").evaluate("block => block.textContent") == (site / PASSED / "run.py").read_text(
        "utf-8"
    )


def set_clipboard(page: Page, clipboard: str) -> None:
    """What is copied becomes `window.copied`; the browser's clipboard is granted, missing or refused."""
    change = {
        "granted": "navigator.clipboard.writeText = async (text) => { window.copied = text; };",
        "missing": "Object.defineProperty(navigator, 'clipboard', { value: undefined });",
        "refused": "navigator.clipboard.writeText = async () => { throw new DOMException('no', 'NotAllowedError'); };",
    }[clipboard]
    script = (
        "if (!navigator.clipboard) Object.defineProperty(navigator, 'clipboard', { value: {}, configurable: true });"
    )
    page.add_init_script(
        script + change + "addEventListener('copy', () => { window.copied = String(getSelection()); });"
    )


@pytest.mark.browser
@pytest.mark.parametrize("clipboard", ["granted", "missing"])
def test_of_a_log_that_is_cut_all_that_is_shown_is_copied(here: Visit, site: Path, clipboard: str) -> None:
    set_clipboard(here.page, clipboard)
    page = here.open(at("cut"))
    expect(page.locator("#log summary")).to_contain_text("lines left out")
    page.locator("#log summary").click()
    button = page.locator("#log .copy")
    expect(button).to_have_text("Copy what is shown of error.log")
    button.click()
    expect(button).to_contain_text("Copied")
    lines = (site / CUT / "error.log").read_text("utf-8").splitlines()
    head, tail = (page.locator(f"#{name} .line").count() for name in ("log-head", "log-tail"))
    gap = f"{len(lines) - head - tail:,} lines left out. error.log has them all."
    copied = [line for line in page.evaluate("window.copied").splitlines() if line]
    assert copied == [line for line in (*lines[:head], gap, *lines[-tail:]) if line]


@pytest.mark.browser
def test_a_line_that_is_left_out_leads_to_where_it_is(here: Visit) -> None:
    page = here.open(f"{at('cut')}#log-L2600")
    gap = page.locator("#log .gap")
    expect(gap).to_be_in_viewport()
    expect(gap.get_by_role("status")).to_have_text("Line 2,600 is one of them.")
    page.evaluate("location.hash = 'log-L5220-L5222'")
    expect(page.locator("#log-tail .line.target")).to_have_count(3)
    expect(gap.get_by_role("status")).to_be_empty()
    page.evaluate("location.hash = 'log-L99999'")
    expect(page.locator(".target")).to_have_count(0)


@pytest.mark.browser
def test_runs_that_disagree_are_a_link_away(here: Visit) -> None:
    page = here.open(at("all"))
    page.locator("tr:has(.disagree) .c-name a").first.click()
    page.get_by_role("link", name="runs disagree").click()
    expect(page.get_by_role("heading", name="Runs under this pair")).to_be_in_viewport()


@pytest.mark.browser
def test_the_contents_of_a_doc_come_before_its_text(here: Visit) -> None:
    page = here.open(at("doc"))
    expect(page.get_by_role("navigation", name="On this page")).to_be_visible()
    expect(page.locator(".doc details")).to_be_hidden()
    page.set_viewport_size({"width": 360, "height": 900})
    expect(page.get_by_role("navigation", name="On this page")).to_be_hidden()
    page.locator(".doc details summary").click()
    expect(page.locator(".doc details a").first).to_be_in_viewport()


@pytest.mark.browser
def test_lines_are_addresses(here: Visit) -> None:
    page = here.open(f"{at('passed')}#L10-L12")
    expect(page.locator("#run-py .line.target")).to_have_count(3)
    expect(page.locator("#L10")).to_be_in_viewport()
    page.locator("#L3 .ln").click()
    assert page.url.endswith("#L3")
    page.locator("#L5 .ln").click(modifiers=["Shift"])
    assert page.url.endswith("#L3-L5")
    expect(page.locator("#run-py .line.target")).to_have_count(3)


@pytest.mark.browser
def test_a_line_of_the_folded_log_opens_it(here: Visit) -> None:
    page = here.open(f"{at('failed')}#log-L2")
    expect(page.locator("#log-L2")).to_be_visible()


@pytest.mark.browser
def test_search_data_loads_on_first_use_only(here: Visit) -> None:
    loaded: list[str] = []
    here.page.on("request", lambda request: loaded.append(request.url))
    page = here.open("search/index.html")
    page.wait_for_load_state("load")
    assert not [url for url in loaded if "names.js" in url or "words.js" in url or "lunr" in url]
    page.locator("form[data-search] input").fill("tern")
    expect(page.locator("[data-results-models] a").first).to_be_visible()
    assert [url for url in loaded if "names.js" in url]


def without_scripts(browser: Browser, root: str) -> Visit:
    return visit(browser.new_context(java_script_enabled=False, viewport={"width": 1280, "height": 900}), root)


@pytest.mark.browser
@pytest.mark.parametrize("kind", KINDS)
def test_without_scripts_a_page_is_whole(browser: Browser, root: str, kind: str) -> None:
    found = without_scripts(browser, root)
    page = found.open(at(kind))
    expect(page.locator("h1")).to_be_visible()
    assert visible_dead_controls(page) == []
    page.context.close()
    assert found.faults == []


def visible_dead_controls(page: Page) -> list[str]:
    """Buttons and fields, which all need a script."""
    found: list[str] = page.locator("button:visible, input:visible").evaluate_all(
        "all => all.map((one) => one.outerHTML)"
    )
    return found


@pytest.mark.browser
def test_without_scripts_lists_results_and_logs_are_reached(browser: Browser, root: str) -> None:
    found = without_scripts(browser, root)
    page = found.open("index.html")
    page.get_by_role("navigation", name="Lists").get_by_role("link", name="Trending").click()
    page.get_by_role("navigation", name="Lists").get_by_role("link", name="All models").click()
    page.get_by_role("link", name="SALTMARSH/GODWIT-3B", exact=True).click()
    expect(page.locator("#L1")).to_be_visible()
    page.locator("details:has(#log-L1) summary").first.click()
    expect(page.locator("#log-L1")).to_be_visible()
    page.context.close()
    assert found.faults == []


@pytest.mark.browser
@pytest.mark.parametrize("missing", ["x", "x/", "a/b/c", "models/none/none/index.html"])
def test_the_error_page_works_at_any_depth(browser: Browser, hosted: str, missing: str) -> None:
    context = browser.new_context()
    found = visit(context, hosted)
    page = found.open(missing)
    expect(page.locator("h1")).to_have_text("Page not found")
    assert page.locator("main").evaluate("main => getComputedStyle(main).fontFamily") != "serif"
    page.get_by_role("main").get_by_role("link", name="All models").click()
    expect(page.locator("h1")).to_have_text("All models")
    context.close()
    assert [fault for fault in found.faults if "404" not in fault] == []
