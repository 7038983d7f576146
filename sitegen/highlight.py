"""`run.py` as highlighted lines, by Pygments. The limits are on the text, never on the clock."""

from __future__ import annotations

from functools import cache
from typing import Any

from markupsafe import Markup, escape

from sitegen.safe import pygments_html, shown

MAX_BYTES = 256 * 1024
MAX_LINE = 4096
MAX_DEPTH = 64  # brackets open at once, which the lexer keeps on its stack inside f-strings


def source_lines(code: str) -> list[str]:
    """Lines as Python and its tracebacks count them in a file: CR LF and LF end one, nothing else here does."""
    lines = shown(code.replace("\r\n", "\n")).split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def too_much(lines: list[str]) -> str | None:
    """Why a script is shown plain, in words; None when it is highlighted."""
    if sum(map(len, lines)) > MAX_BYTES:
        return f"it is larger than {MAX_BYTES // 1024} KB"
    if max(map(len, lines), default=0) > MAX_LINE:
        return f"it has a line of more than {MAX_LINE:,} characters"
    depth = deepest = 0
    for line in lines:
        for character in line:
            if character in "([{":
                depth += 1
                deepest = max(deepest, depth)
            elif character in ")]}":
                depth = max(0, depth - 1)
    return f"it nests more than {MAX_DEPTH} brackets" if deepest > MAX_DEPTH else None


@cache
def _pygments() -> tuple[Any, Any, Any]:
    # Imported when the first script is met: `check` and `--help` need none of it.
    from pygments import highlight
    from pygments.formatters.html import HtmlFormatter
    from pygments.lexers.python import PythonLexer

    return highlight, PythonLexer(stripnl=False, ensurenl=True), HtmlFormatter(nowrap=True)


def python_lines(code: str) -> tuple[tuple[Markup, ...], str | None]:
    """The script's lines as markup, and why they are not highlighted (None when they are)."""
    lines = source_lines(code)
    reason = too_much(lines)
    if reason or not lines:
        return tuple(escape(line) for line in lines), reason
    highlight, lexer, formatter = _pygments()
    html = highlight("\n".join(lines), lexer, formatter).removesuffix("\n")
    return tuple(pygments_html(line) for line in html.split("\n")), None
