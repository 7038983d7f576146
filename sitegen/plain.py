"""Where text from the data meets text files: one line, Markdown, BibTeX, JSON. (HTML is the business of `safe`.)

A value from the data may hold anything; in a file that people and programs read it must stay one value.
"""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import Any

from sitegen.safe import CODES, shown

# Marks that turn the direction of what follows them: in plain text nothing ends their reach but the line.
_DIRECTION = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_MARKDOWN = re.compile(r"[\\`*_\[\]<>&#|~$]")
_BARE_ADDRESS = re.compile(r"(?i)\b(https?|ftp|mailto|xmpp|www)([:.])")  # what GitHub makes links of by itself
_BLOCK_START = re.compile(r"^(\d{1,9}(?=[.)](?:\s|$))|(?=[-+=]))")  # a list, the line under a heading
_BIBTEX = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        # Not \{ and \}: BibTeX counts braces, whatever stands before them.
        "{": r"\textbraceleft{}",
        "}": r"\textbraceright{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        **{sign: f"\\{sign}" for sign in "#$%&_"},
    }
)


def one_line(text: str, limit: int | None = None) -> str:
    """The text on one line, without control characters; beyond `limit` characters cut, which it says."""
    line = _DIRECTION.sub("", shown(" ".join(text.split()))).strip()
    if limit is None or len(line) <= limit:
        return line
    return f"{line[:limit]} … ({len(line) - limit:,} more characters)"


@lru_cache(maxsize=8192)
def markdown_text(text: str) -> str:
    """The text as prose in Markdown, on one line: nothing in it is markup, and no address in it becomes a link."""
    escaped = _MARKDOWN.sub(lambda found: f"\\{found[0]}", one_line(text))
    escaped = _BARE_ADDRESS.sub(lambda found: f"{found[1]}\\{found[2]}", escaped)
    return _BLOCK_START.sub(r"\1\\", escaped)


def markdown_status(label: str, words: str) -> str:
    """A status in words, which begin with the label of its outcome, as prose in Markdown: the label stands out."""
    return f"**{markdown_text(label)}**{markdown_text(words.removeprefix(label))}"


@lru_cache(maxsize=2048)
def markdown_code(text: str) -> str:
    """The text as a code span in Markdown, on one line."""
    line = one_line(text)
    if not line:
        return "(nothing that can be shown)"
    ticks = "`" * (_longest_ticks(line) + 1)
    pad = " " if line.startswith("`") or line.endswith("`") else ""
    return f"{ticks}{pad}{line}{pad}{ticks}"


def markdown_block(text: str, language: str = "") -> str:
    """The text as a fenced block of code, whose fence no line of the text can close."""
    fence = "`" * max(3, _longest_ticks(text) + 1)
    return f"{fence}{language}\n{text.rstrip()}\n{fence}"


def _longest_ticks(text: str) -> int:
    return max(map(len, re.findall("`+", text)), default=0)


def bibtex_text(text: str) -> str:
    """The text inside a braced BibTeX value, on one line: its braces balance, and LaTeX prints it as it is."""
    return one_line(text).translate(_BIBTEX)


def json_text(value: Any, **options: Any) -> str:
    """JSON that a terminal can show: what could drive it or turn directions as escapes, a lone surrogate as U+FFFD.

    Raises ValueError for what JSON cannot hold.
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, **options)
    return re.sub("[\ud800-\udfff]", "\ufffd", CODES.sub(lambda found: f"\\u{ord(found[0]):04x}", text))


def file_json(value: Any) -> bytes:
    """A JSON file on one line: fields in their order."""
    return f"{json_text(value, separators=(',', ':'))}\n".encode()
