"""Terminal codes in a text: colours and weights become classes, all others go."""

from __future__ import annotations

import re

from markupsafe import Markup, escape

from sitegen.safe import shown, spans

# Terminal codes: colours and other CSI codes, whole or cut off by the end of the line; strings (titles, links); and the
# short ones, such as `ESC ( B` of `tput sgr0`.
_ESCAPE = re.compile(
    r"(?:\x1b\[|\x9b)(?:([0-9;:]*)([@-~])|[0-?]*[ -/]*(?:[@-~]|$))"
    r"|(?:\x1b[\]PX^_]|[\x9d\x90])[^\x07\x1b\x90\x9c\x9d]{0,4096}(?:\x07|\x1b\\|\x9c)"
    r"|\x1b[ -/]*[0-~]"
)
_NAMES = "black red green yellow blue magenta cyan white".split()


def plain(text: str) -> str:
    """The text without codes, and without characters that no page may hold."""
    return shown(_ESCAPE.sub("", text))


def after_code(line: str, position: int) -> int:
    """The position, or the end of the terminal code that it lies in."""
    start = line.rfind("\x1b", max(0, position - 64), position)
    code = _ESCAPE.match(line, start) if start >= 0 else None
    return max(position, code.end()) if code else position


class Painter:
    """Keeps the colour that is on from line to line, as a terminal does."""

    def __init__(self) -> None:
        self.style: dict[str, str] = {}

    def paint(self, text: str) -> Markup:
        """One line of text as markup."""
        if not self.style and text.isprintable():  # most lines
            return escape(text)
        parts: list[tuple[str, str]] = []
        end = 0
        for match in _ESCAPE.finditer(text):
            parts.append((self._classes(), shown(text[end : match.start()])))
            if match[2] == "m":
                self._apply(match[1])
            end = match.end()
        parts.append((self._classes(), shown(text[end:])))
        return spans(part for part in parts if part[1])

    def _classes(self) -> str:
        return " ".join(sorted(self.style.values()))

    def _apply(self, codes: str) -> None:
        numbers = [int(code or 0) for code in re.split("[;:]", codes)[:32] if len(code) < 5]
        while numbers:
            code = numbers.pop(0)
            if code in (38, 48):
                colour, numbers = _extended(numbers)
                if code == 38 and colour:
                    self.style["colour"] = f"ansi-{colour}"
            elif 30 <= code <= 37 or 90 <= code <= 97:
                self.style["colour"] = f"ansi-{_NAMES[code % 10]}"
            elif code == 39:
                self.style.pop("colour", None)
            elif code == 0:
                self.style.clear()
            elif code in _WEIGHTS:
                self.style[_WEIGHTS[code]] = f"ansi-{_WEIGHTS[code]}"
            elif code in _WEIGHTS_OFF:
                for name in _WEIGHTS_OFF[code]:
                    self.style.pop(name, None)


_WEIGHTS = {1: "bold", 2: "dim", 3: "italic", 4: "underline"}
_WEIGHTS_OFF = {22: ("bold", "dim"), 23: ("italic",), 24: ("underline",)}


def _extended(numbers: list[int]) -> tuple[str | None, list[int]]:
    """The nearest of the eight colour names to a 256-colour or RGB code, and the codes that follow it."""
    if numbers[:1] == [5] and len(numbers) > 1:
        n, rest = numbers[1], numbers[2:]
        if n < 16:
            return _NAMES[n % 8], rest
        if n > 231:
            return "white", rest
        n -= 16
        return _nearest(*(level and 55 + 40 * level for level in (n // 36 % 6, n // 6 % 6, n % 6))), rest
    if numbers[:1] == [2] and len(numbers) > 3:
        return _nearest(*numbers[1:4]), numbers[4:]
    return None, []


def _nearest(red: int, green: int, blue: int) -> str:
    half = max(red, green, blue) / 2
    return _NAMES[(red > half) + 2 * (green > half) + 4 * (blue > half)] if half else "black"
