"""A badge is sound XML that needs nothing else, readable in any words, and as wide as these are."""

from __future__ import annotations

import json
import re
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitegen.badge import INK, LABEL, NOTHING_SHOWN, PADDING, PART_MAX, SIZE, TONES, Badge, endpoint, part, svg
from sitegen.content import packaged
from sitegen.metrics import width

SVG = "{http://www.w3.org/2000/svg}"
CSS = (packaged("static") / "css" / "site.css").read_text("utf-8")
HOSTILE = "\x00\x1b[31m</text><script>alert(1)</script> & \"'<!-- ]]> \u202e\ud800\ufffe"


def drawn(badge: Badge) -> ElementTree.Element:
    return ElementTree.fromstring(svg(badge))  # noqa: S314 - made by ourselves


def texts(root: ElementTree.Element) -> list[str]:
    return [node.text or "" for node in root.iter(f"{SVG}text")]


def badge(message: str = "PASS, CPU match", title: str = "All of it", tone: str = "pass") -> Badge:
    return Badge("Trainium", message, title, tone)


def test_it_says_its_words_and_has_them_for_those_who_do_not_see_it() -> None:
    root = drawn(badge("PASS · a < b & c", 'x <b> & "y"'))
    assert texts(root) == ["Trainium", "PASS · a < b & c"]
    assert root.findtext(f"{SVG}title") == root.get("aria-label") == 'x <b> & "y"'
    assert root.get("role") == "img"


def test_it_refers_to_nothing_and_runs_nothing() -> None:
    root = drawn(badge())
    assert {node.tag.removeprefix(SVG) for node in root.iter()} == {"svg", "title", "rect", "path", "g", "text"}
    names = {name for node in root.iter() for name in node.attrib}
    assert not {name for name in names if "href" in name or name.startswith("on") or name in ("style", "class", "id")}
    assert "url(" not in svg(badge()).decode()


@given(st.text())
def test_any_words_make_sound_xml_of_bounded_width(text: str) -> None:
    root = drawn(badge(part(text), text))
    assert int(root.get("width", "")) <= PART_MAX + width("Trainium", SIZE) + 4 * PADDING + 1
    assert all(texts(root))


def test_hostile_words_stay_words() -> None:
    root = drawn(badge(part(HOSTILE, 1000), HOSTILE))
    assert "<script>alert(1)</script>" in texts(root)[1]
    assert part("\x00\x1b") == NOTHING_SHOWN
    assert part("n" * 96).endswith("n…")


def test_each_half_is_as_wide_as_its_words() -> None:
    root = drawn(badge("PASS"))
    lengths = [int(node.get("textLength", "")) for node in root.iter(f"{SVG}text")]
    assert lengths == [round(width("Trainium", SIZE)), round(width("PASS", SIZE))]
    assert int(root.get("width", "")) == sum(lengths) + 4 * PADDING
    assert [node.get("lengthAdjust") for node in root.iter(f"{SVG}text")] == ["spacingAndGlyphs"] * 2


def luminance(colour: str) -> float:
    values = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in values]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("ground", [LABEL, *sorted(set(TONES.values()))])
def test_words_stand_out_from_either_half(ground: str) -> None:
    assert (luminance(INK) + 0.05) / (luminance(ground) + 0.05) >= 4.5


@pytest.mark.parametrize("tone", ["pass", "fail", "excluded", "untested"])
def test_the_colours_are_those_of_the_pages(tone: str) -> None:
    light = re.search(rf"^  --{tone}: (#\w{{6}});", CSS, re.MULTILINE)
    assert light is not None
    assert TONES[tone] == light[1]


def test_shields_io_gets_the_same_words_and_colours_and_nothing_else() -> None:
    assert json.loads(endpoint(badge())) == {
        "schemaVersion": 1,
        "label": "Trainium",
        "message": "PASS, CPU match",
        "color": TONES["pass"][1:],
        "labelColor": LABEL[1:],
        "cacheSeconds": 3600,
    }
