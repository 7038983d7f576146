"""Keys alone: the shortcuts and their dialog, focus that is never hidden, and jumps that end where one can see them."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from sitegen.content import packaged
from tests.browser.conftest import Visit, visit
from tests.browser.test_site import FAILED, PASSED, at


def dialog(page: Page) -> Locator:
    return page.get_by_role("dialog", name="Keyboard shortcuts")


def button(page: Page) -> Locator:
    return page.get_by_role("contentinfo").get_by_role("button", name="Keyboard shortcuts")


# The shortcuts.


@pytest.mark.browser
def test_the_shortcuts_are_shown_by_key_and_by_button(here: Visit) -> None:
    page = here.open(at("passed"))
    page.locator("#L3 .ln").focus()
    page.keyboard.press("?")
    expect(dialog(page)).to_be_visible()
    page.keyboard.press("Escape")
    expect(dialog(page)).to_be_hidden()
    expect(page.locator("#L3 .ln")).to_be_focused()
    button(page).click()
    expect(dialog(page)).to_be_visible()
    dialog(page).get_by_role("button", name="Close").click()
    expect(dialog(page)).to_be_hidden()
    expect(button(page)).to_be_focused()


@pytest.mark.browser
def test_every_key_that_acts_is_listed(browser: Browser, site: Path) -> None:
    source = (packaged("static") / "js" / "keys.js").read_text("utf-8")
    acting = set(re.findall(r'\["(.)", \w+\]', source))
    context = browser.new_context()
    page = visit(context, site.as_uri()).page
    page.goto(f"{site.as_uri()}/index.html")
    page.keyboard.press("?")
    listed = set(dialog(page).locator("dt kbd").all_text_contents())
    context.close()
    assert acting == {"/", "?"}
    assert listed == acting | {"Esc", "Shift"}


@pytest.mark.browser
def test_no_key_acts_while_typing_with_another_key_or_below_a_dialog(here: Visit) -> None:
    page = here.open(at("all"))
    field = page.get_by_label("Filter by name")
    field.focus()
    page.keyboard.type("a/b?")
    expect(field).to_have_value("a/b?")
    expect(dialog(page)).to_have_count(0)
    field.fill("")
    page.locator("h1").click()
    for held in ("ctrlKey", "altKey", "metaKey"):
        for key in ("/", "?"):
            # Sent to the page itself, so that no browser takes it for a command of its own.
            page.locator("body").dispatch_event("keydown", {"key": key, held: True, "bubbles": True})
    expect(field).not_to_be_focused()
    expect(dialog(page)).to_have_count(0)
    page.keyboard.press("?")
    pressed = "one => one.dispatchEvent(new KeyboardEvent('keydown', { key: '/', bubbles: true, cancelable: true }))"
    assert dialog(page).evaluate(pressed), "the key is left to the dialog"
    page.keyboard.press("/")
    expect(field).not_to_be_focused()
    page.keyboard.press("Escape")
    page.keyboard.press("/")
    expect(field).to_be_focused()


@pytest.mark.browser
def test_keys_of_one_character_can_be_turned_off_for_good(here: Visit) -> None:
    page = here.open(at("all"))
    page.keyboard.press("?")
    dialog(page).get_by_role("checkbox").uncheck()
    page.keyboard.press("Escape")
    for path in (at("all"), at("docs")):
        page = here.open(path)
        page.keyboard.press("?")
        page.keyboard.press("/")
        expect(page.locator("body")).to_be_focused()
        expect(dialog(page)).to_have_count(0)
    button(page).click()
    expect(dialog(page).get_by_role("checkbox")).not_to_be_checked()
    dialog(page).get_by_role("checkbox").check()
    page.keyboard.press("Escape")
    page = here.open(at("all"))
    page.keyboard.press("/")
    expect(page.get_by_label("Filter by name")).to_be_focused()


@pytest.mark.browser
def test_without_storage_the_choice_holds_for_the_page(here: Visit) -> None:
    refuse = "Storage.prototype.getItem = Storage.prototype.setItem = Storage.prototype.removeItem"
    here.page.add_init_script(f"{refuse} = () => {{ throw new DOMException('no', 'SecurityError'); }};")
    page = here.open(at("docs"))
    page.keyboard.press("?")
    dialog(page).get_by_role("checkbox").uncheck()
    page.keyboard.press("Escape")
    page.keyboard.press("/")
    expect(page.locator("#site-search")).not_to_be_focused()
    page = here.open(at("docs"))
    page.keyboard.press("/")
    expect(page.locator("#site-search")).to_be_focused()


# Focus.

# The part of the focused element that the window shows, and whether something else lies over its middle.
FOCUSED = """() => {
    const one = document.activeElement;
    if (one === document.body) return null;
    const box = [...one.getClientRects()].find((rect) => rect.width && rect.height);
    if (!box) return "no box: " + one.outerHTML.slice(0, 120);
    const left = Math.max(box.left, 0), right = Math.min(box.right, innerWidth);
    const top = Math.max(box.top, 0), bottom = Math.min(box.bottom, innerHeight);
    const found = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    // A thin element is hidden by what covers its top alone, so that is looked at too.
    const above = document.elementFromPoint((left + right) / 2, top + Math.min(4, (bottom - top) / 2));
    const hit = (at) => at && (one.contains(at) || at.contains(one));
    return right > left && bottom > top && hit(found) && hit(above) ? "" : one.outerHTML.slice(0, 120);
}"""


def covered(page: Page, key: str, most: int) -> list[str]:
    """What is out of sight or under something else while it has focus; `most` presses, fewer where the page ends."""
    hidden = []
    for _ in range(most):
        page.keyboard.press(key)
        found = page.evaluate(FOCUSED)
        if found is None:
            break
        if found:
            hidden.append(found)
    return hidden


@pytest.mark.browser
@pytest.mark.parametrize("width", [1280, 360])
@pytest.mark.parametrize("path", [at("all"), f"{FAILED}index.html", at("doc")])
def test_focus_is_never_hidden(browser: Browser, site: Path, path: str, width: int) -> None:
    context = browser.new_context(viewport={"width": width, "height": 600})
    page = visit(context, site.as_uri()).page
    page.goto(f"{site.as_uri()}/{path}")
    page.locator("details").evaluate_all("all => all.forEach((one) => { one.open = true; })")
    assert covered(page, "Tab", 80) == []
    assert covered(page, "Shift+Tab", 80) == []
    context.close()


@pytest.mark.browser
def test_the_first_key_offers_the_way_past_the_header(here: Visit) -> None:
    page = here.open(at("passed"))
    page.keyboard.press("Tab")
    skip = page.get_by_role("link", name="Skip to content")
    expect(skip).to_be_focused()
    expect(skip).to_be_in_viewport(ratio=1)
    page.keyboard.press("Enter")
    expect(page.get_by_role("main")).to_be_focused()
    page.keyboard.press("Tab")
    assert page.evaluate("document.querySelector('main').contains(document.activeElement)")


# Jumps.


@pytest.mark.browser
@pytest.mark.parametrize(
    ("path", "targets"),
    [(at("doc"), ("timeout", "cpu-match")), (f"{FAILED}index.html", ("stack", "L9", "log-L3", "history", "L3"))],
)
@pytest.mark.parametrize("width", [1280, 360])
def test_a_jump_ends_where_its_target_can_be_seen(
    browser: Browser, site: Path, path: str, targets: tuple[str, ...], width: int
) -> None:
    context = browser.new_context(viewport={"width": width, "height": 600})
    page = visit(context, site.as_uri()).page
    page.goto(f"{site.as_uri()}/{path}")
    seen = """name => {
        const one = document.getElementById(name), box = one.getClientRects()[0];
        const found = document.elementFromPoint(box.left + 8, Math.max(box.top, 0) + 4);
        return box.top >= 0 && box.top < innerHeight && found && (one.contains(found) || found.contains(one));
    }"""
    for name in targets:
        page.evaluate("name => { location.hash = name; }", name)
        page.wait_for_function(seen, arg=name)
    context.close()


@pytest.mark.browser
def test_lines_that_are_selected_come_without_their_numbers(here: Visit, site: Path) -> None:
    page = here.open(at("passed"))
    page.locator("#L3").scroll_into_view_if_needed()
    number, last = page.locator("#L3 .ln").bounding_box(), page.locator("#L6").bounding_box()
    assert number is not None
    assert last is not None
    page.mouse.move(number["x"] + number["width"] + 1, number["y"] + 6)
    page.mouse.down()
    page.mouse.move(last["x"] + last["width"] - 4, last["y"] + last["height"] - 6, steps=4)
    page.mouse.up()
    lines = (site / PASSED / "run.py").read_text("utf-8").splitlines()
    assert page.evaluate("String(getSelection())").splitlines() == lines[2:6]


@pytest.mark.browser
def test_what_is_folded_is_found_by_the_browsers_own_search(here: Visit) -> None:
    """A text fragment finds as Ctrl+F does: it opens the log that holds the text."""
    page = here.open(f"{FAILED}index.html")
    log = page.locator("#log")
    assert log.get_attribute("open") is None
    whole = page.locator("main").evaluate("main => main.textContent")
    lines = [text.strip() for text in log.locator(".line").all_text_contents()]
    line = next(text for text in lines if len(text) > 15 and whole.count(text) == 1)
    page = here.open(f"{at('docs')}")
    page = here.open(f"{FAILED}index.html#:~:text={quote(line, safe='').replace('-', '%2D')}")
    expect(log).to_have_attribute("open", "")
    expect(log.locator(".line").filter(has_text=line)).to_be_in_viewport()
