"""`run.py` as highlighted lines, by Pygments. The limits are on the text, never on the clock."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from markupsafe import Markup, escape

from sitegen.safe import pygments_html, shown

MAX_BYTES = 256 * 1024
MAX_HTML = 1024 * 1024  # characters, of a script whose signs nearly all have a colour of their own
MAX_LINES = 10_000
MAX_LINE = 4096
_BRACKET = re.compile(r"[][(){}]")
MAX_DEPTH = 64  # brackets open at once, which the lexer keeps on its stack inside f-strings


def source_lines(code: str) -> list[str]:
    """Lines as Python and its tracebacks count them: LF, CR LF and CR end one; a byte order mark is no text."""
    whole = code.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    return shown(whole.removesuffix("\n")).split("\n") if whole else []


@dataclass(frozen=True)
class Code:
    """A script for display: its lines as markup, and what of it is not shown or not highlighted."""

    lines: tuple[Markup, ...]
    plain_because: str | None = None
    left_out: int = 0  # lines at its end
    cut_lines: int = 0  # lines whose end is left out


def too_much(lines: list[str]) -> str | None:
    """Why a script is shown plain, in words; None when it is highlighted."""
    if sum(map(len, lines)) > MAX_BYTES or len(lines) > MAX_LINES:
        return f"it is larger than {MAX_BYTES // 1024} KB or {MAX_LINES:,} lines"
    if max(map(len, lines), default=0) > MAX_LINE:
        return f"it has a line of more than {MAX_LINE:,} characters"
    return f"it nests more than {MAX_DEPTH} brackets" if _depth(lines) > MAX_DEPTH else None


def _depth(lines: list[str]) -> int:
    depth = deepest = 0
    for bracket in _BRACKET.findall("\n".join(lines)):
        depth = depth + 1 if bracket in "([{" else max(0, depth - 1)
        deepest = max(deepest, depth)
    return deepest


def python_code(code: str) -> Code:
    """The script for display, bounded whatever its size."""
    lines = source_lines(code)
    reason = too_much(lines)
    if reason:
        return _plain(lines, reason)
    html = _memo.lines(lines)
    html = plain_html(lines) if html is None else html
    if sum(map(len, html)) > MAX_HTML:
        return _plain(lines, f"its colours would take more than {MAX_HTML // 1024:,} KB")
    return Code(tuple(map(pygments_html, html)))


def _plain(lines: list[str], reason: str) -> Code:
    """The first lines, unhighlighted, up to the limits of a page."""
    kept: list[Markup] = []
    room = MAX_BYTES
    for line in lines[:MAX_LINES]:
        if room <= 0:
            break
        kept.append(escape(line if len(line) <= MAX_LINE else f"{line[:MAX_LINE]} …"))
        room -= min(len(line), MAX_LINE) + 1
    cut = sum(len(line) > MAX_LINE for line in lines[: len(kept)])
    return Code(tuple(kept), reason, len(lines) - len(kept), cut)


@cache
def _pygments() -> tuple[Any, Any, Any]:
    # Imported when the first script is met: `check` and `--help` need none of it.
    import pygments
    from pygments.formatters.html import HtmlFormatter
    from pygments.lexers.python import PythonLexer

    return pygments, PythonLexer(stripnl=False), HtmlFormatter(nowrap=True)


def plain_html(lines: list[str]) -> list[str]:
    """What Pygments makes of the whole script, line by line: the rule that the memo below must equal."""
    if not lines:
        return []
    pygments, lexer, formatter = _pygments()
    html: str = pygments.highlight("\n".join(lines) + "\n", lexer, formatter)
    return html.removesuffix("\n").split("\n")


class LineMemo:
    """Highlights units (a line, or lines joined by a triple-quoted string) once, exactly as Pygments would in place.

    Scripts of a catalogue are near-identical, and lexing is most of a build. A unit is lexed from the lexer's root
    state and used only when the lexer is back in that state after it, so that what follows is lexed as if it stood
    alone. Whatever might reach over the end of a unit is left to `plain_html`, for the whole script.
    """

    LIMIT = 50_000  # units kept

    def __init__(self) -> None:
        self.known: dict[str, list[str] | None] = {}

    def lines(self, lines: list[str]) -> list[str] | None:
        """The script's lines as HTML; None where the memo cannot be sure."""
        out: list[str] = []
        for unit in self._units(lines):
            html = self._unit(unit) if unit is not None else None
            if html is None:
                return None
            out += html
        return out

    def _units(self, lines: list[str]) -> Iterator[str | None]:
        """The script cut into units; None where the memo cannot be sure.

        Blanks alone on a line go with what follows: Pygments lexes them together with a string that comes after.
        """
        unit: list[str] = []
        quoted = False
        for number, line in enumerate(lines):
            if not line.isascii() or "'''" in line or line.endswith("\\") or (number and line.startswith("#!")):
                yield None
                return
            unit.append(line)
            quoted ^= line.count('"""') % 2 == 1
            if not quoted and not line.isspace():
                yield "\n".join(unit)
                unit = []
        if unit:
            yield None if quoted else "\n".join(unit)

    def _unit(self, unit: str) -> list[str] | None:
        if unit not in self.known:
            if len(self.known) >= self.LIMIT:
                self.known.clear()
            self.known[unit] = _lexed_alone(unit)
        return self.known[unit]


_memo = LineMemo()


def _lexed_alone(unit: str) -> list[str] | None:
    from pygments.lexer import ExtendedRegexLexer, LexerContext

    pygments, lexer, formatter = _pygments()
    context = LexerContext(unit + "\n", 0)
    tokens = [(kind, text) for _, kind, text in ExtendedRegexLexer.get_tokens_unprocessed(lexer, context=context)]
    if context.stack != ["root"]:
        return None
    html: str = pygments.format(tokens, formatter)
    return html.removesuffix("\n").split("\n")
