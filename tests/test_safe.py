"""Text meets HTML here alone: nothing that came from data can become an element (cases B23-B30)."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterator
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markupsafe import Markup, escape

from sitegen.safe import author_html, fill, printed, script_json, shown, spans

ANY = st.text(st.characters(codec=None, exclude_categories=()), max_size=40)


class _Reader(HTMLParser):
    """Elements with their attributes, and the text between them."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(str(html))  # a Markup would escape what is added to it
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data


def words_of(html: str) -> Iterator[str]:
    """Every name and value of every element."""
    for tag, attributes in _Reader(html).elements:
        yield tag
        yield from attributes
        yield from (value or "" for value in attributes.values())


@settings(deadline=None)
@given(ANY)
def test_what_is_shown_has_no_character_that_a_page_may_not_hold(text: str) -> None:
    result = shown(text)
    assert not {c for c in result if unicodedata.category(c) in ("Cc", "Cs") and c not in "\t\n"}
    assert not {c for c in result if ord(c) & 0xFFFE == 0xFFFE or 0xFDD0 <= ord(c) <= 0xFDEF}
    assert [c for c in result if c.isalnum()] == [c for c in text if c.isalnum()]


def test_control_characters_leave_one_line() -> None:
    """Case B28: `ABCDEFG`; VT and NEL end no line."""
    assert shown("A\x00B\x0bC\x1bD\x85E\ufffeF\x7fG") == "ABCDEFG"
    assert shown("a\tb\nc\u2028d\u200be") == "a\tb\nc\u2028d\u200be"


def test_a_printed_none_is_a_fault() -> None:
    with pytest.raises(ValueError, match="not recorded"):
        printed(None)


@given(ANY)
def test_what_is_printed_is_escaped_and_without_what_a_page_may_not_hold(text: str) -> None:
    assert printed(text) == escape(shown(text))
    assert printed(Markup("<b>{}</b>").format(text)) == f"<b>{escape(text)}</b>"
    assert printed(len(text)) == str(len(text))


@settings(deadline=None)
@given(st.lists(st.tuples(ANY, ANY), max_size=5))
def test_spans_hold_text_and_never_an_element_of_it(parts: list[tuple[str, str]]) -> None:
    cleaned = [(shown(classes), shown(text)) for classes, text in parts]
    read = _Reader(spans(cleaned))
    assert read.text == "".join(text for _, text in cleaned)
    assert read.elements == [("span", {"class": classes}) for classes, _ in cleaned if classes]


# -- Scripts

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


@settings(deadline=None)
@given(JSON)
def test_script_json_is_inert_and_round_trips(value: object) -> None:
    text = script_json(value)
    assert not set(text) & set("<>&\u2028\u2029\n\r")
    assert json.loads(text) == value


@pytest.mark.parametrize(
    "text", ["</script><script>alert(1)//", "<!--<script>", "]]>", "a\u2028b\u2029c", "&lt;\x00\x1f"]
)
def test_script_json_holds_no_end_of_a_script(text: str) -> None:
    assert "<" not in script_json({text: [text]})
    assert json.loads(script_json({text: [text]})) == {text: [text]}


def test_script_json_refuses_what_is_no_json_and_replaces_what_is_no_text() -> None:
    with pytest.raises(ValueError, match="JSON"):
        script_json(float("nan"))
    script_json("\ud800").encode()


# -- Authors' HTML


@pytest.mark.parametrize(
    "html",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "<svg onload=alert(1)><script>alert(1)</script></svg>",
        '<p onclick="alert(1)">x</p>',
        '<p style="background:url(javascript:alert(1))">x</p>',
        "<style>p { color: red }</style>",
        '<a href="javascript:alert(1)">x</a>',
        '<a href=" JaVaScRiPt:alert(1)">x</a>',
        '<a href="java\tscript:alert(1)">x</a>',
        '<a href="&#106;avascript:alert(1)">x</a>',
        '<a href="data:text/html,<script>alert(1)</script>">x</a>',
        "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
        '<form action="https://x.org"><input name="q"></form>',
        '<meta http-equiv="refresh" content="0;url=https://x.org">',
        "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>",
        '<base href="https://x.org/">',
    ],
)
def test_authors_html_keeps_nothing_that_runs_or_loads(html: str) -> None:
    found = [word.lower() for word in words_of(author_html(f"<p>kept</p>{html}"))]
    forbidden = {"script", "style", "img", "svg", "iframe", "form", "input", "meta", "base", "src", "srcdoc", "action"}
    assert not forbidden & set(found)
    assert not [word for word in found if word.startswith(("on", "data:")) or "script" in word]
    assert "kept" in _Reader(author_html(f"<p>kept</p>{html}")).text


def test_authors_html_keeps_what_documents_need() -> None:
    html = (
        '<h2 id="a">A</h2><p>See <a href="https://x.org/?a=1&amp;b=2" title="t">x</a>, <code>&lt;b&gt;</code>.</p>'
        '<table><thead><tr><th scope="col">n</th></tr></thead><tbody><tr><td>1</td></tr></tbody></table>'
    )
    assert author_html(html) == html


def test_links_of_authors_go_through_the_function() -> None:
    html = author_html('<a href="protocol.md#tokens">x</a>', lambda href: href.replace(".md", "/index.html"))
    assert html == '<a href="protocol/index.html#tokens">x</a>'


# -- Values in authors' sentences


@settings(deadline=None)
@given(ANY)
def test_values_are_filled_in_as_text(value: str) -> None:
    html = fill(Markup("<em>{tp}</em>"), {"tp": value})
    assert html == f"<em>{escape(shown(value))}</em>"


def test_unknown_names_stay_and_values_are_not_filled_again() -> None:
    html = fill(Markup("{a} {b} {nope} { a } {}"), {"a": "{b}<b>", "b": "2"})
    assert html == "{b}&lt;b&gt; 2 {nope} { a } {}"
