"""Widths are those of the font that was measured; a text is cut where it would be too wide, and says so."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitegen.metrics import UNITS_PER_EM, fit, width


@pytest.mark.parametrize(
    ("text", "units"), [("", 0), ("i", 569), ("m", 1995), ("WW", 2 * 2025), (" ", 651), ("·", 651)]
)
def test_a_known_sign_has_the_advance_of_the_font(text: str, units: int) -> None:
    assert width(text, UNITS_PER_EM) == units


def test_every_printable_ascii_sign_is_in_the_table() -> None:
    unknown = width("Ж", UNITS_PER_EM)
    assert [chr(code) for code in range(0x20, 0x7F) if width(chr(code), UNITS_PER_EM) == unknown] == []


def test_ideographs_are_wide_and_marks_take_no_room() -> None:
    assert width("模", 11) == 11
    assert width("e\u0301", 11) == width("e", 11)


@given(st.text(), st.integers(20, 400))
def test_what_is_fitted_fits_and_is_the_text_or_its_beginning(text: str, limit: int) -> None:
    cut = fit(text, 11, limit)
    assert width(cut, 11) <= limit
    assert cut == text or (cut.endswith("…") and text.startswith(cut.removesuffix("…")))


@given(st.text())
def test_a_text_that_fits_is_left_alone(text: str) -> None:
    assert fit(text, 11, width(text, 11)) == text
