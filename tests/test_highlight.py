"""Scripts as lines: as many as the file has, with the file's text, whatever is in it (cases B26, B28, B31, B32)."""

from __future__ import annotations

import html
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitegen.highlight import MAX_BYTES, MAX_DEPTH, MAX_LINE, MAX_LINES, plain_html, python_code, source_lines
from sitegen.safe import shown

FRAGMENTS = [
    "import torch\n",
    "\n",
    "'''",
    '"""</pre><script>alert(1)</script>',
    "f'{x!r:>{w}}'",
    "\\\n",
    "# é模 <b>&amp;</b>\n",
    "\t \n",
    "\x00",
    "\x0c",
    "\x85",
    "\u2028",
    "\x1b[31m",
    "{{ x }}{% if %}",
    "$`?§",
    "def f(:\n",
    "b'\\xff'",
    "\r\n",
]
CODE = st.one_of(st.text(max_size=80), st.lists(st.sampled_from(FRAGMENTS), max_size=12).map("".join))


def text_of(line: str) -> str:
    return html.unescape(re.sub(r"<[^>]*>", "", line))


def whole_lines(code: str) -> str:
    """Without lone carriage returns and a byte order mark, with one line feed at the end."""
    return re.sub(r"\r(?!\n)", "", code).replace("\ufeff", "").rstrip() + "end\n"


@settings(deadline=None)
@given(CODE)
def test_lines_and_text_are_the_scripts(code: str) -> None:
    code = whole_lines(code)
    found = python_code(code)
    lines = found.lines
    assert found.plain_because is None
    expected = code.replace("\r\n", "\n").split("\n")
    assert [text_of(line) for line in lines] == [shown(line) for line in expected][: len(expected) - (not expected[-1])]


@settings(deadline=None)
@given(CODE)
def test_remembered_lines_are_what_pygments_makes_of_the_whole(code: str) -> None:
    lines = source_lines(whole_lines(code))
    assert list(python_code("\n".join(lines)).lines) == plain_html(lines)


@settings(deadline=None)
@given(CODE)
def test_every_line_is_whole_markup(code: str) -> None:
    for line in python_code(code).lines:
        assert line.count("<span") == line.count("</span>")
        assert not re.search(r"<(?!/?span\b)", line)


@pytest.mark.parametrize(
    ("code", "lines"),
    [
        ("", []),
        ("a", ["a"]),
        ("a\n", ["a"]),
        ("\n", [""]),
        ("a\n\n\nb\n\n\n", ["a", "", "", "b", "", ""]),
        ("\n\n\nraise X  # line 4\n", ["", "", "", "raise X  # line 4"]),  # B31
        ("a\r\nb\r\n", ["a", "b"]),
        ("a\x0bb\x0cc\x85d\u2028e\n", ["abcd\u2028e"]),  # none of these ends a line in Python
        ("x = '''\n\n'''\n", ["x = '''", "", "'''"]),
    ],
)
def test_lines_as_python_counts_them(code: str, lines: list[str]) -> None:
    assert source_lines(code) == lines
    assert [text_of(line) for line in python_code(code).lines] == lines


def test_known_words_are_highlighted() -> None:
    code = python_code("import torch")
    (line,) = code.lines
    assert code.plain_because is None
    assert re.fullmatch(r'<span class="kn">import</span>.*<span class="nn">torch</span>', line)


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("x = 1\n" * (MAX_BYTES // 5 + 1), "larger than 256 KB"),
        ("x = 1\n" + "# <" + "x" * MAX_LINE, "more than 4,096 characters"),
        ("(" * (MAX_DEPTH + 1) + ")" * (MAX_DEPTH + 1), "nests more than 64"),
        ("\n".join("[" * (MAX_DEPTH + 1)), "nests more than 64"),
    ],
)
def test_beyond_the_limits_a_script_is_plain_and_says_why(code: str, reason: str) -> None:
    found = python_code(code)
    assert found.plain_because is not None
    assert reason in found.plain_because
    assert "<" not in "".join(found.lines)
    lines = code.removesuffix("\n").split("\n")
    assert len(found.lines) + found.left_out == len(lines)
    assert found.cut_lines == sum(len(line) > MAX_LINE for line in lines[: len(found.lines)])
    for shown_line, line in zip(found.lines, lines, strict=False):
        assert html.unescape(shown_line) == (line if len(line) <= MAX_LINE else f"{line[:MAX_LINE]} …")


@pytest.mark.parametrize("code", ["x = 1\n" * 200_000, "#" * 5_000_000, ("y" * 3000 + "\n") * 2000])
def test_a_huge_script_stays_small_on_the_page(code: str) -> None:
    found = python_code(code)
    assert sum(map(len, found.lines)) <= MAX_BYTES + MAX_LINE + 2
    assert len(found.lines) <= MAX_LINES
    assert found.left_out or found.cut_lines


@pytest.mark.parametrize("code", ["x" * MAX_LINE, "(" * MAX_DEPTH + ")" * MAX_DEPTH, "()" * (MAX_DEPTH + 1)])
def test_at_the_limits_it_is_highlighted(code: str) -> None:
    found = python_code(code)
    assert found.plain_because is None
    assert "<span" in found.lines[0]


def test_a_lone_carriage_return_ends_a_line_as_in_python(tmp_path: Path) -> None:
    (tmp_path / "run.py").write_bytes(b"a = 1\rb = 2\r\nc = 3\n")
    with (tmp_path / "run.py").open() as file:
        assert source_lines("a = 1\rb = 2\r\nc = 3\n") == file.read().splitlines()


def test_a_last_line_of_control_characters_counts() -> None:
    assert source_lines("a\n\x0c") == ["a", ""]
    assert len(python_code("a\n\x0c").lines) == 2
