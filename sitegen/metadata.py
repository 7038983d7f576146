"""The inline metadata of a script, as the standard for it says (PEP 723, "Inline script metadata").

A block begins with the line `# /// TYPE`. Its content are the comment lines below: a single `#`, or `#` and a blank.
It ends with the last line `# ///` of these. A script may have one block of the type `script`; with more than one its
metadata is an error.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

MAX = 65_536  # characters of a block; what is longer is left alone
_OPENING = re.compile(r"# /// ([a-zA-Z0-9-]+)")
_CLOSING = "# ///"


@dataclass(frozen=True)
class Metadata:
    """What a script says of itself. `unreadable` is why its block can't be read, as the end of a sentence, or None."""

    dependencies: tuple[str, ...] = ()
    requires_python: str | None = None
    unreadable: str | None = None


def script_metadata(script: str) -> Metadata:
    """The metadata of a script; of one without a block nothing."""
    lines = script.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    found = [content for kind, content in _blocks(lines) if kind == "script"]
    if not found:
        return Metadata()
    if len(found) > 1:
        return Metadata(unreadable=f"it has {len(found)} blocks of the type “script”, and may have one")
    return _read("\n".join(line[2:] for line in found[0]))


def _blocks(lines: Sequence[str]) -> Iterator[tuple[str, Sequence[str]]]:
    """Type and content of every block that is closed and has content."""
    closing = _closings(lines)
    at = 0
    while at < len(lines):
        opening = _OPENING.fullmatch(lines[at])
        if opening and closing[at] > at + 1:
            yield opening[1], lines[at + 1 : closing[at]]
            at = closing[at]
        at += 1


def _closings(lines: Sequence[str]) -> list[int]:
    """For each line the number of the last `# ///` in the comment that it belongs to; -1 where there is none."""
    closings = [-1] * len(lines)
    last = -1
    for number in range(len(lines) - 1, -1, -1):
        line = lines[number]
        if line != "#" and not line.startswith("# "):
            last = -1
        elif last < 0 and line == _CLOSING:
            last = number
        closings[number] = last
    return closings


def _read(table: str) -> Metadata:
    if len(table) > MAX:
        return Metadata(unreadable=f"it is longer than {MAX:,} characters")
    try:
        found = tomllib.loads(table)
    except (ValueError, RecursionError):  # a TOMLDecodeError is a ValueError, and so is a number that is too long
        return Metadata(unreadable="it is no TOML")
    dependencies, python = found.get("dependencies", []), found.get("requires-python")
    if not isinstance(dependencies, list) or not all(isinstance(entry, str) for entry in dependencies):
        return Metadata(unreadable="its dependencies are no list of texts")
    if python is not None and not isinstance(python, str):
        return Metadata(unreadable="its requires-python is no text")
    return Metadata(tuple(dependencies), python)
