"""Problems that the maintainers accept, each with a reason: `exceptions.toml` in the data folder."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from sitegen.errors import Exempt, Place, Problems, plain
from sitegen.given import as_written
from sitegen.lists import toml_entries
from sitegen.rules.codes import ALWAYS_STOP, EFFECTS

FILE = "exceptions.toml"
NEVER = ALWAYS_STOP | {"exception-unneeded"}
EXPECTED = {
    "code": "the code of a problem that can be accepted, as its message has it in brackets",
    "file": "the name of a file, as messages show it",
    "row": "the number of a row, from 1",
    "column": "the name of a column",
    "reason": "why the problem is accepted; readers see it",
}
# Found by some builds only, as their options are: in others it is not known whether the exception is needed.
SOMETIMES = {"address-lost", "no-base-url"}


def load_exceptions(data: Path, problems: Problems) -> tuple[Exempt, ...]:
    """The entries. One with a fault is an error and accepts nothing: it could accept more than was meant."""
    entries = toml_entries(data / FILE, FILE, "exception", problems)
    return tuple(exempt for place, entry in entries if (exempt := _exempt(place, entry, problems)))


def _exempt(place: Place, entry: dict[str, Any], problems: Problems) -> Exempt | None:
    before = len(problems)

    def fault(key: str, found: str, expected: str) -> None:
        problems.error("setting-unreadable", replace(place, column=key), f"found {found}", expected=expected)

    for key in sorted(entry.keys() - EXPECTED.keys()):
        fault(key, "an unknown key", ", ".join(EXPECTED))
    for key, expected in EXPECTED.items():
        value = entry.get(key)
        if value is None and key in ("code", "reason"):
            fault(key, f"no {key}", expected)
        elif value is not None and not _meant(key, value):
            fault(key, as_written(value), expected)
    if len(problems) > before:
        return None
    file = entry.get("file")
    return Exempt(entry["code"], file and plain(file), entry.get("row"), entry.get("column"), entry["reason"], place)


def _meant(key: str, value: Any) -> bool:
    if key == "row":
        return type(value) is int and value > 0
    return isinstance(value, str) and bool(value.strip()) and (key != "code" or value in EFFECTS.keys() - NEVER)


def check_needed(problems: Problems) -> None:
    """A notice for each entry that is for no problem any more."""
    found = tuple(problems.found)
    for one in problems.exempt:
        if one.code not in SOMETIMES and not any(map(one.covers, found)):
            what = f"there is no problem {one.code} that this exception is for"
            problems.notice("exception-unneeded", one.place, what, hint="Remove it, or correct its file, row or column")
