"""A badge as a drawing: two halves with words, complete in itself, and the same as the JSON that shields.io reads.

Nothing in it refers to anything outside: no font, no style sheet, no script, so that it looks the same wherever it is
put. Its width is measured for one font; `textLength` keeps the words inside with any other.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape

from sitegen.metrics import fit, width
from sitegen.plain import file_json, one_line

HEIGHT, SIZE, PADDING = 20, 11, 6
INK = "#ffffff"
LABEL = "#2b3034"  # behind the left half
# Behind the right half: the colours of the pages in their light theme, dark enough for white text.
TONES: Mapping[str, str] = {
    "pass": "#0b6658",
    "fail": "#a5301a",
    "excluded": "#5a4a8c",
    "untested": "#545c62",
    "other": "#545c62",
}
LABEL_MAX, PART_MAX = 120, 240  # pixels
CACHE_SECONDS = 3600
NOTHING_SHOWN = "a word that cannot be shown"


@dataclass(frozen=True)
class Badge:
    """What a badge says: `label` on the left, `message` on the right, all of it unabridged in `title`."""

    label: str
    message: str
    title: str
    tone: str  # a key of TONES

    @property
    def text(self) -> str:
        """The words in one line, for where the drawing cannot be seen."""
        return f"{self.label}: {self.message}"


def part(text: str, limit: float = PART_MAX) -> str:
    """Text from the data on one line, cut where it would be wider than `limit` pixels."""
    return fit(one_line(text), SIZE, limit) or NOTHING_SHOWN


def svg(badge: Badge) -> bytes:
    """The drawing, as XML in UTF-8."""
    left, right = _round(width(badge.label, SIZE)), _round(width(badge.message, SIZE))
    middle = left + 2 * PADDING
    whole = middle + right + 2 * PADDING
    title = escape(one_line(badge.title))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{whole}" height="{HEIGHT}" viewBox="0 0 {whole} {HEIGHT}"'
        f' role="img" aria-label="{title}">\n'
        f"<title>{title}</title>\n"
        f'<rect width="{whole}" height="{HEIGHT}" rx="2" fill="{TONES[badge.tone]}"/>\n'
        f'<path d="M2 0H{middle}V{HEIGHT}H2a2 2 0 0 1-2-2V2a2 2 0 0 1 2-2z" fill="{LABEL}"/>\n'
        f'<g fill="{INK}" font-family="DejaVu Sans,Verdana,Geneva,sans-serif" font-size="{SIZE}">\n'
        f"{_words(badge.label, PADDING, left)}\n{_words(badge.message, middle + PADDING, right)}\n</g>\n</svg>\n"
    ).encode()


def _words(text: str, x: int, length: int) -> str:
    spacing = f'x="{x}" y="14" textLength="{length}" lengthAdjust="spacingAndGlyphs"'
    return f"<text {spacing}>{escape(text)}</text>"


def _round(pixels: float) -> int:
    return max(1, round(pixels))


def endpoint(badge: Badge) -> bytes:
    """The same badge for shields.io, in the schema of its endpoint badges, which takes no other fields."""
    return file_json(
        {
            "schemaVersion": 1,
            "label": badge.label,
            "message": badge.message,
            "color": TONES[badge.tone].removeprefix("#"),
            "labelColor": LABEL.removeprefix("#"),
            "cacheSeconds": CACHE_SECONDS,
        }
    )
