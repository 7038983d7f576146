"""Where text meets HTML: the only file that makes `Markup`.

Everything else is text, and Jinja escapes it. What becomes markup here is either made of escaped text and tags of our
own, or authors' Markdown that was cleaned against a list of allowed elements.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from typing import Any

import nh3
from markupsafe import Markup, escape

# What no page may hold: C0 but tab and line feed, DEL and C1, lone surrogates, noncharacters.
_UNSHOWN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef"
    + "".join(f"{chr(plane * 0x10000 + 0xFFFE)}{chr(plane * 0x10000 + 0xFFFF)}" for plane in range(17))
    + "]"
)
_PLAIN = re.compile("[ !#-%(-;=?-~]*").fullmatch  # nothing to escape and nothing to leave out: most values
# What drives a terminal, or turns the direction of what follows. JSON itself escapes only what is below U+0020.
CODES = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
_SCRIPT = re.compile(f"[<>&]|{CODES.pattern}")
_TAGS = set(
    "a abbr b blockquote br code dd del details div dl dt em h2 h3 h4 h5 h6 hr i kbd li ol p pre s span strong sub"
    " summary sup table tbody td th thead tr ul".split()
)
_ATTRIBUTES: dict[str, set[str]] = {
    "*": {"id", "class"},
    "a": {"href", "title"},
    "th": {"scope"},
    "ol": {"start"},
}


def shown(text: str) -> str:
    """The text without the characters that no page may hold."""
    return text if text.isprintable() else _UNSHOWN.sub("", text)


def printed(value: Any) -> str:
    """A value as every template prints it: text escaped and without control characters, markup as it is.

    None is a fault, never a word.
    """
    if type(value) is str:
        return value if _PLAIN(value) else escape(shown(value))
    if isinstance(value, Markup):
        return value
    if value is None:
        raise ValueError("a template printed None: what is not recorded has its own words")
    return escape(shown(value) if isinstance(value, str) else value)


def spans(parts: Iterable[tuple[str, str]]) -> Markup:
    """Pairs of CSS classes and text as `<span>`s; without classes, text alone."""
    return Markup("").join(
        Markup('<span class="{}">{}</span>').format(classes, text) if classes else escape(text)
        for classes, text in parts
    )


def numbered(prefix: str, lines: Iterable[tuple[int, Markup]]) -> Markup:
    """Lines of code or of a log, each with its address: `L10` for prefix `L`.

    Here and not in a template, because a page can have thousands. The number is drawn by the style sheet from
    `data-n`, so that copied text has none; `tabindex` keeps thousands of links out of the way of the keyboard.
    """
    return Markup(  # noqa: S704 - numbers, our own prefix, and lines that are markup already
        "".join(
            f'<span class="line" id="{prefix}{n}"><a class="ln" href="#{prefix}{n}" data-n="{n}" tabindex="-1"'
            f' aria-label="Line {n}"></a>{html}\n</span>'
            for n, html in lines
        )
    )


_PIECE = re.compile(r"(<[^>]*>)|(&[^;]*;|[^<&])", re.DOTALL)


def marked(html: Markup, ranges: list[tuple[int, int]]) -> Markup:
    """Highlighted text with `<mark>` around ranges of its characters (from, to), closed before each tag of its own."""
    inside = {position for start, stop in ranges for position in range(start, stop)}
    out: list[str] = []
    position, open_ = 0, False
    for tag, character in _PIECE.findall(html):
        wanted = not tag and position in inside
        if wanted != open_:
            out.append("<mark>" if wanted else "</mark>")
            open_ = wanted
        out.append(tag or character)
        position += not tag
    return Markup("".join(out) + ("</mark>" if open_ else ""))  # noqa: S704 - tags of our own around what was markup


_DIFF_CLASSES = {" ": "same", "-": "del", "+": "add"}


def diffed(lines: Iterable[tuple[str, int | None, int | None, Markup]]) -> Markup:
    """Lines of a diff: kind (blank, `-` or `+`), number in the old and in the new text, markup.

    The sign is text, so that it is read and copied; the numbers are drawn by the style sheet.
    """
    return Markup(  # noqa: S704 - numbers, signs, and lines that are markup already
        "".join(
            f'<span class="line {_DIFF_CLASSES[kind]}"><span class="ln" data-n="{old or ""}"></span>'
            f'<span class="ln" data-n="{new or ""}"></span>{kind}{html}\n</span>'
            for kind, old, new, html in lines
        )
    )


def pygments_html(html: str) -> Markup:
    """What Pygments' own HTML formatter made (it escapes) of text without control characters."""
    return Markup(html)  # noqa: S704 - the formatter escapes


def author_html(html: str, link: Callable[[str], str] = lambda href: href) -> Markup:
    """HTML from authors' Markdown, cleaned: no script, style or event handler; http, https and mailto only.

    `link` gives the address that stands in the page for one in the Markdown.
    """
    return Markup(  # noqa: S704 - cleaned here
        nh3.clean(
            html,
            tags=_TAGS,
            attributes=_ATTRIBUTES,
            attribute_filter=lambda _, name, value: link(value) if name == "href" else value,
            url_schemes={"http", "https", "mailto"},
            link_rel=None,
        )
    )


def data_block(value: Any) -> Markup:
    """JSON inside a `<script>` that is a block of data: nothing in it ends the element or is read as markup."""
    return Markup(script_json(value))  # noqa: S704 - without <, > and &


def data_script(name: str, value: Any) -> bytes:
    """A script file that hands a value to the page that loads it, under a name that the page asks for."""
    return f'sitegenData("{name}",{script_json(value)});\n'.encode()


def script_json(value: Any) -> str:
    """JSON for a classic script: `<`, `>`, `&`, U+2028, U+2029 and the like as escapes, inert wherever it stands."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return _SCRIPT.sub(lambda found: f"\\u{ord(found[0]):04x}", _clean_json(text))


def _clean_json(text: str) -> str:
    return re.sub("[\ud800-\udfff]", "\ufffd", text)


def fill(html: Markup, values: dict[str, str]) -> Markup:
    """Authors' HTML with each `{name}` replaced by its value as text; a name that is not known stays as it is."""
    return Markup(  # noqa: S704 - the values are escaped
        re.sub(r"\{([a-z_]+)\}", lambda m: escape(shown(values[m[1]])) if m[1] in values else m[0], html)
    )
