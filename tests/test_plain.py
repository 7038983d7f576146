"""Text from the data in text files: one line, and no markup of Markdown or BibTeX."""

from __future__ import annotations

import json
import re

import markdown
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitegen.plain import bibtex_text, file_json, markdown_block, markdown_code, markdown_text, one_line

SIGNS = "` ``` ~~~ # ## - + * _ = 1. 2) [a](b) ![a](b) <b> & | $x$ \\ \n \r\n \t { } % ^".split(" ")
HOSTILE = st.one_of(st.text(max_size=60), st.lists(st.sampled_from(SIGNS)).map(" ".join))


def html_of(text: str) -> str:
    return markdown.markdown(text, extensions=["fenced_code", "tables", "sane_lists"])


def test_one_line_has_no_breaks_control_characters_or_turned_directions() -> None:
    assert one_line(" a\r\nb\u2028c\x1b[0m\x00 \u202ed\u2066 ") == "a b c[0m d"
    assert one_line("abcdef", 4) == "abcd … (2 more characters)"
    assert one_line("abcd", 4) == "abcd"


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("47.6 GB", "47.6 GB"),
        ("1. x", "1\\. x"),
        ("- x", "\\- x"),
        ("---", "\\---"),
        ("see https://a.example/x, WWW.b.example", "see https\\://a.example/x, WWW\\.b.example"),
        ("mailto:a@b.example", "mailto\\:a@b.example"),
        ("a_b *c* `d` [e](f) <g> &amp; h|i", "a\\_b \\*c\\* \\`d\\` \\[e\\](f) \\<g\\> \\&amp; h\\|i"),
    ],
)
def test_prose_is_escaped_where_it_could_be_markup(text: str, written: str) -> None:
    assert markdown_text(text) == written


@pytest.mark.parametrize(
    ("text", "written"),
    [("a", "`a`"), ("a`b", "``a`b``"), ("`a", "`` `a ``"), ("``", "``` `` ```"), ("a\nb", "`a b`")],
)
def test_a_code_span_has_more_ticks_than_its_text(text: str, written: str) -> None:
    assert markdown_code(text) == written


def test_what_has_nothing_to_show_is_no_empty_span() -> None:
    assert markdown_code("\x00\u202e") == "(nothing that can be shown)"


@given(HOSTILE)
def test_a_paragraph_and_a_span_hold_any_text(text: str) -> None:
    prose, span = markdown_text(text), markdown_code(text)
    assert "\n" not in prose + span
    assert set(re.findall(r"<(\w+)", html_of(f"a {prose}"))) <= {"p"}
    assert set(re.findall(r"<(\w+)", html_of(f"a {span}"))) <= {"p", "code"}


@given(HOSTILE)
def test_no_line_of_a_block_closes_it(text: str) -> None:
    block = markdown_block(text, "sh")
    fence = block.split("sh\n", 1)[0]
    assert re.fullmatch("`{3,}", fence)
    assert not [line for line in re.split(r"[\n\r]", block)[1:-1] if line.strip().startswith(fence)]


@given(HOSTILE)
def test_the_braces_of_a_bibtex_value_balance(text: str) -> None:
    value = bibtex_text(text)
    depth = 0
    for sign in value:
        depth += {"{": 1, "}": -1}.get(sign, 0)
        assert depth >= 0
    assert depth == 0
    assert not re.search(r"(?<!\\)[#$%&_~^]", value)


def test_bibtex_values_keep_what_they_say() -> None:
    assert bibtex_text("a_b {c} 50% \\d é") == (r"a\_b \textbraceleft{}c\textbraceright{} 50\% \textbackslash{}d é")


@given(st.text())
def test_a_json_file_is_one_line_that_any_reader_takes(text: str) -> None:
    data = file_json({"a": text, "b": None})
    assert data.endswith(b"\n")
    assert data.count(b"\n") == 1
    assert json.loads(data) == {"a": text, "b": None}


def test_a_lone_surrogate_does_not_stop_a_json_file_and_no_number_does_that_json_lacks() -> None:
    assert json.loads(file_json("a\ud800b")) == "a\ufffdb"
    with pytest.raises(ValueError, match="JSON"):
        file_json(float("nan"))
