"""The colours of site.css: every text is readable on every surface, in both themes, whether or not a page shows it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product

import pytest

from sitegen.content import packaged

CSS = re.sub(r"/\*.*?\*/", "", (packaged("static") / "css" / "site.css").read_text("utf-8"), flags=re.DOTALL)
SURFACES = "paper wash mark pass-tint fail-tint excluded-tint untested-tint other-tint warn-tint".split()
LINES = ["rule", "edge"]  # hairlines; an edge is that of a control or of a sign, and never a text's
AA_TEXT, AA_SIGN = 4.5, 3.0


def blocks(selector: str) -> list[str]:
    """What stands in the rules of exactly this selector."""
    return re.findall(rf"(?:^|[{{}}])\s*{re.escape(selector)}\s*\{{([^{{}}]*)\}}", CSS)


def tokens(block: str) -> dict[str, str]:
    """The custom properties that are colours."""
    return dict(re.findall(r"--([\w-]+):\s*(#[0-9a-f]+)\s*;", block))


LIGHT = tokens(blocks(":root")[0])
DARK = {**LIGHT, **tokens(blocks(':root[data-theme="dark"]')[0])}
TEXTS = [name for name in LIGHT if name not in SURFACES and name not in LINES]


def luminance(colour: str) -> float:
    """Relative luminance as WCAG 2.2 defines it."""
    digits = colour[1:] if len(colour) == 7 else "".join(digit * 2 for digit in colour[1:])
    parts = (int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4))
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_contrast_is_measured_as_the_standard_says() -> None:
    assert contrast("#fff", "#000000") == pytest.approx(21)
    assert contrast("#777777", "#fff") == pytest.approx(4.48, abs=0.005)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_every_text_is_readable_on_every_surface(theme: dict[str, str]) -> None:
    low = {
        f"{text} on {surface}": round(found, 2)
        for text, surface in product(TEXTS, SURFACES)
        if (found := contrast(theme[text], theme[surface])) < AA_TEXT
    }
    assert low == {}


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_controls_and_focus_stand_out(theme: dict[str, str]) -> None:
    assert min(contrast(theme["edge"], theme[surface]) for surface in ("paper", "wash")) >= AA_SIGN
    assert min(contrast(theme["accent"], theme[surface]) for surface in SURFACES) >= AA_SIGN


def test_the_chosen_and_the_systems_dark_are_the_same() -> None:
    (system,), (chosen,) = blocks(':root:not([data-theme="light"])'), blocks(':root[data-theme="dark"]')
    assert system.split() == chosen.split()
    assert set(tokens(chosen)) == set(LIGHT)


def used(*names: str) -> Iterator[tuple[str, str]]:
    """Every use of these properties outside the tokens: the property and its value."""
    rest = CSS[CSS.index("*, ::before, ::after {") : CSS.index("@media print {")]
    for name in names:
        yield from ((name, value.strip()) for value in re.findall(rf"(?<![\w-]){name}:\s*([^;}}]+)", rest))


def test_colours_are_tokens_so_that_these_tests_cover_them() -> None:
    known = {"inherit", "currentColor", "none", "transparent", "CanvasText", "Canvas", "var(--tone)", "var(--tint)"}
    known |= {f"var(--{name})" for name in LIGHT} | {"var(--arrow-ink, var(--edge))", "rgb(0 0 0 / 45%)"}
    uses = used("color", "background", "background-color")
    strange = {f"{name}: {value}" for name, value in uses if value not in known}
    assert strange == set()
    wrong = {f"{name}: {value}" for name, value in used("background") for text in TEXTS if value == f"var(--{text})"}
    assert wrong == set()


def test_an_edge_colours_signs_and_never_words() -> None:
    rules = re.findall(r"([^{}]+)\{([^{}]*)\}", CSS)
    edge = re.compile(r"(?<![\w-])color:[^;]*var\(--(edge|rule)\)")
    edged = [selector.strip() for selector, body in rules if edge.search(body)]
    assert [selector for selector in edged if not re.search(r"::(before|after)$", selector)] == []


@pytest.mark.parametrize("tone", ["pass", "fail", "excluded", "untested", "other"])
def test_a_tone_has_its_own_colour_and_tint(tone: str) -> None:
    (block,) = blocks(f'[data-tone="{tone}"]')
    assert block.split() == f"--tone: var(--{tone}); --tint: var(--{tone}-tint);".split()


def test_motion_is_nowhere_but_where_it_is_turned_off() -> None:
    moving = re.findall(r"(?<![\w-])(?:animation|transition|scroll-behavior)[\w-]*:\s*([^;}]+)", CSS)
    assert set(moving) == {"none !important", "auto !important"}
