"""How wide a text is: advance widths of DejaVu Sans, so that a drawing can be as wide as its words.

The numbers were read from the `hmtx` table of DejaVu Sans 2.37 (dejavu-fonts.github.io), in 1/2048 of the font's
size; the font itself is no part of this project. Verdana, which badges are often drawn with, is within a few percent.
"""

from __future__ import annotations

import unicodedata

UNITS_PER_EM = 2048
_CHARACTERS_BY_WIDTH: dict[int, str] = {
    563: "'",
    569: "ijlìíîï",
    604: "IJÌÍÎÏ",
    651: " ,.\u00a0·‘’",  # noqa: RUF001 - each sign has its own width
    690: "/:;\\|¦",
    721: "f",
    739: "-",
    799: "()[]",
    803: "t",
    821: "!¡²³¹",
    842: "r",
    942: '"',
    965: "ªº",
    1024: "*_`§¨¯°´¸–",  # noqa: RUF001 - as above
    1061: "“”",
    1067: "s",
    1075: "z",
    1087: "?¿",
    1126: "cç",
    1141: "L",
    1178: "F",
    1186: "k",
    1212: "vxyýÿ",
    1235: "P",
    1239: "Þ",
    1251: "TYÝ",
    1253: "o«»ðòóôõöø",
    1255: "aàáâãäå",
    1260: "eèéêë",
    1290: "ß",
    1294: "EÈÉÊË",
    1298: "hnuñùúûü",
    1300: "Sbdgpqþ",
    1303: "$0123456789{}¢£¤¥µ¶€",
    1343: "K",
    1401: "AVÀÁÂÃÄÅ",
    1403: "XZ",
    1405: "B",
    1423: "R",
    1430: "CÇ",
    1499: "UÙÚÛÜ",
    1532: "NÑ",
    1540: "H",
    1577: "D",
    1587: "GÐ",
    1597: "&",
    1612: "OQÒÓÔÕÖØ",
    1675: "w",
    1716: "#+<=>^~¬±×÷−→",
    1767: "M",
    1946: "%",
    1985: "¼½¾",
    1995: "mÆ",
    2011: "æ",
    2025: "W",
    2048: "@©®…—",
}
_WIDTHS = {character: width for width, characters in _CHARACTERS_BY_WIDTH.items() for character in characters}
_LETTER, _IDEOGRAPH = 1434, 2048  # of characters that the table lacks: generous, since a text must not be cramped


def width(text: str, size: float) -> float:
    """The width of a text at a font size, both in pixels; kerning is not counted."""
    return sum(map(_advance, text)) * size / UNITS_PER_EM


def fit(text: str, size: float, limit: float) -> str:
    """The text, or as much of its beginning as fits into `limit` pixels with a mark of omission behind it."""
    if width(text, size) <= limit:
        return text
    left = limit * UNITS_PER_EM / size - _advance("…")
    for end, character in enumerate(text):
        left -= _advance(character)
        if left < 0:
            return f"{text[:end].rstrip()}…"
    return text


def _advance(character: str) -> int:
    known = _WIDTHS.get(character)
    if known is not None:
        return known
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return _IDEOGRAPH if unicodedata.east_asian_width(character) in ("W", "F") else _LETTER
