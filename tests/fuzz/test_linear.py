"""No text makes the product slow: four times as much of it takes about four times as long, whatever it is."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest

from sitegen.diff import diff
from sitegen.highlight import python_code
from sitegen.logs import failure_in, parse
from sitegen.metadata import script_metadata
from sitegen.plain import markdown_code, markdown_text, one_line
from sitegen.redact import PATTERN_MAX
from sitegen.requirements import listed, requirements
from sitegen.signature import TEXT_MAX, normalised, signature
from tests.factory import words
from tests.fuzz.expressions import Expression, expressions, seconds, slow

# Expressions that take longer than in proportion, and why that does no harm: the longest text that each can meet.
BOUNDED = {
    "sitegen.signature.RULES url": 4 * TEXT_MAX,  # `normalised` cuts its text before any rule
    "sitegen.signature.RULES path": 4 * TEXT_MAX,
    "sitegen.signature.RULES size": 4 * TEXT_MAX,
    "sitegen.redact._TOKEN": PATTERN_MAX,
    r"<h1\b.*?</h1>": 1000,  # the documents of this repository and of the maintainers
    r"(<[^>]*>)|(&[^;]*;|[^<&])": 1000,  # markup made here, in which every `&` has its `;`
}
ALL = expressions()


def exception(expression: Expression) -> str | None:
    return next((key for key in (expression.where, expression.pattern.pattern) if key in BOUNDED), None)


@pytest.mark.parametrize("expression", ALL, ids=lambda found: found.where)
def test_every_expression_takes_time_in_proportion(expression: Expression) -> None:
    key = exception(expression)
    if key is None:
        assert next(slow(expression, 1000, 0.005, 9), None) is None
    else:
        longest = BOUNDED[key]
        for unit in expression.units():
            for call in expression.calls():
                assert seconds(call, unit * (longest // len(unit)) + "\0") < 0.5, unit


def test_all_expressions_are_found_and_all_exceptions_are_needed() -> None:
    assert len(ALL) > 100
    assert {exception(expression) for expression in ALL} == {None, *BOUNDED}


UNITS = (
    *(
        "a",
        " ",
        "\r",
        "\x9d",
        "\x1b]",
        "\x1b[",
        "1,",
        "a;",
        "E: x\n",
        "  | ",
        '"',
        "[",
        "-",
        "/",
        "a.",
        "NCC_E",
        "&",
        "`",
    ),
    *("[rank1]: ", "# /// x\n", "\x9d" * 8000 + "\n", "/a" * 4000 + "\n", " " * 8000 + "\n", "\r" * 8000 + "x\n"),
    "Traceback (most recent call last):\n",
    "+ Exception Group Traceback (most recent call last):\n",
    'Traceback (most recent call last):\n  File "run.py", line 1, in f\nValueError: ' + "a/" * 3000 + "\n",
)


def _signed(text: str) -> object:
    return signature(failure_in(text.encode()), "acme/a-1b", "llama")


# What is done with a text of a row, and with how many characters of it.
WORK: dict[str, tuple[Callable[[str], Any], int]] = {
    "a log": (lambda text: parse(text.encode()), 5_000_000),
    "a signature": (_signed, 1_000_000),
    "a message": (normalised, 1_000_000),
    "a script": (python_code, 1_000_000),
    "metadata": (script_metadata, 1_000_000),
    "a difference": (lambda text: diff(text, text[::-1]), 300_000),
    "packages": (lambda text: requirements(tuple(listed("column packages", text))), 60_000),
    "a word": (lambda text: words().outcome(text), 300_000),
    "Markdown": (lambda text: (markdown_text(text), markdown_code(text), one_line(text)), 300_000),
}


@pytest.mark.parametrize("what", WORK)
def test_a_hostile_text_of_any_size_is_done_with_soon(what: str) -> None:
    work, size = WORK[what]
    for unit in UNITS:
        text = unit * (size // len(unit))
        start = time.thread_time()
        work(text)
        assert time.thread_time() - start < 4, unit[:80]
