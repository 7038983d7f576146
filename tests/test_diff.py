"""Diffs of scripts: the hunks of `difflib`, whatever the scripts, and marks that change no character."""

from __future__ import annotations

import html
import re
import time
from difflib import unified_diff
from pathlib import Path
from random import Random

import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markupsafe import Markup

from sitegen.diff import Diff, diff
from sitegen.highlight import source_lines
from sitegen.safe import marked

PLAIN = ["a = 1", "b = 2", "", "def f(x):", "    return x", "# note", "s = '<&>'", 'd = """', "é = 'ü'", "\tx"]


def text_of(markup: str) -> str:
    return html.unescape(re.sub(r"<[^>]*>", "", markup))


def as_unified(found: Diff) -> list[str]:
    lines: list[str] = []
    for hunk in found.hunks:
        lines += [hunk.header, *(line.kind + text_of(line.html) for line in hunk.lines)]
    return lines


def expected(old: str, new: str) -> list[str]:
    return list(unified_diff(source_lines(old), source_lines(new), lineterm=""))[2:]


def edited(rng: Random, lines: list[str]) -> list[str]:
    found = list(lines)
    for _ in range(rng.randrange(6)):
        at = rng.randrange(len(found) + 1)
        what = rng.random()
        if what < 0.4:
            found[at:at] = rng.choices(PLAIN, k=rng.randrange(1, 4))
        elif what < 0.7:
            del found[at : at + rng.randrange(1, 5)]
        elif at < len(found):
            found[at] = found[at].replace("=", "==", 1) + rng.choice(["", "  # x", "<b>"])
    return found


def real_scripts() -> list[str]:
    folder = Path(__file__).parent / "data" / "cpu"
    return [t for f in sorted(folder.glob("*.parquet")) for t in pq.read_table(f)["run_py"].to_pylist() if t]


def test_hunks_equal_difflib_s_on_many_pairs_of_scripts() -> None:
    rng = Random("scripts")
    real = real_scripts()
    for number in range(200):
        lines = rng.choices(PLAIN, k=rng.randrange(60)) if number % 2 else rng.choice(real).split("\n")
        old, new = "\n".join(lines), "\n".join(edited(rng, lines))
        assert as_unified(diff(old, new)) == expected(old, new)


@settings(deadline=None)
@given(st.lists(st.sampled_from(PLAIN), max_size=20), st.lists(st.sampled_from(PLAIN), max_size=20))
def test_hunks_equal_difflib_s_on_scripts_that_have_nothing_in_common(old: list[str], new: list[str]) -> None:
    one, other = "\n".join(old), "\n".join(new)
    assert as_unified(diff(one, other)) == expected(one, other)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("", "a\n"),
        ("a\n", ""),
        ("a\r\nb\r\n", "a\nb\nc\n"),
        ("\ufeffa\n", "b\n"),
        ("</script><script>alert(1)</script>\n", "</pre>&lt;\n"),
        ("x = '\x1b[31m'\n", "x = '\x00'\n"),
        ("[" * 500, "[" * 501),
        ("a" * 9000, "b" * 9000),
    ],
)
def test_hostile_scripts(old: str, new: str) -> None:
    found = diff(old, new)
    if len(old) < 1000:
        assert as_unified(found) == expected(old, new)
    assert not re.search(r"<(?!/?(span|mark)\b)", "".join(line.html for hunk in found.hunks for line in hunk.lines))


def test_equal_scripts_have_no_hunks() -> None:
    assert diff("a\r\nb", "a\nb\n") == Diff(())


def test_numbers_and_counts() -> None:
    found = diff("a\nb\nc\n", "a\nx\ny\nc\n")
    (hunk,) = found.hunks
    assert [(line.kind, line.old, line.new) for line in hunk.lines] == [
        (" ", 1, 1),
        ("-", 2, None),
        ("+", None, 2),
        ("+", None, 3),
        (" ", 3, 4),
    ]
    assert (found.added, found.removed) == (2, 1)


def test_words_that_differ_are_marked_inside_of_the_highlighting() -> None:
    (hunk,) = diff("x = f('a', 1)\n", "x = f('b', 1)\n").hunks
    old, new = hunk.lines
    assert re.findall(r"<mark>(.*?)</mark>", old.html) == ["a"]
    assert re.findall(r"<mark>(.*?)</mark>", new.html) == ["b"]


def test_lines_with_little_in_common_have_no_marks() -> None:
    assert "<mark>" not in "".join(line.html for hunk in diff("alpha beta\n", "(1)\n").hunks for line in hunk.lines)


@given(
    st.text(alphabet="a<&\"'é ", max_size=12), st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12)), max_size=3)
)
def test_marks_change_no_character_and_nest_in_no_tag(text: str, ranges: list[tuple[int, int]]) -> None:
    source = Markup('<span class="k">{}</span>{}').format(text, text)
    found = marked(source, ranges)
    assert text_of(found) == text + text
    assert re.sub(r"</?mark>", "", found) == source
    assert not re.search(r"<mark>[^<]*<span|<mark>[^<]*</span", found)


def test_scripts_that_would_take_minutes_are_not_compared() -> None:
    lines = [f"x{n % 60}" for n in range(6000)]
    start = time.process_time()
    found = diff("\n".join(lines), "\n".join(reversed(lines)))
    assert found.too_much
    assert found.hunks == ()
    assert time.process_time() - start < 5


def test_words_are_compared_within_a_bound() -> None:
    old = [f"{'((((' * 90}{n}" for n in range(2000)]
    new = [f"{'((( ' * 90}{n}x" for n in range(2000)]
    start = time.process_time()
    found = diff("\n".join(old), "\n".join(new))
    assert time.process_time() - start < 10
    assert (found.added, found.removed) == (2000, 2000)
