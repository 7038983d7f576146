"""Problems that the maintainers accept, each with a reason: `exceptions.toml` in the data folder."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from sitegen.errors import Exempt, Problems
from sitegen.lists import entry_texts, toml_entries
from sitegen.rules.codes import ALWAYS_STOP, EFFECTS

FILE = "exceptions.toml"
NEVER = ALWAYS_STOP | {"exception-unneeded"}
# Found by some builds only, as their options are: in others it is not known whether the exception is needed.
SOMETIMES = {"address-lost", "no-base-url"}


def load_exceptions(data: Path, problems: Problems) -> tuple[Exempt, ...]:
    """The entries; one without a known code or without a reason is an error, and accepts nothing."""
    found = []
    for place, entry in toml_entries(data / FILE, FILE, "exception", problems):
        row = entry.pop("row", None)
        values = entry_texts(place, entry, ("code", "file", "column", "reason"), problems)
        code, reason = values["code"], values["reason"]
        if code is None or code not in EFFECTS or code in NEVER:
            said = "no code" if code is None else f"the code {code!r}"
            expected = "the code of a problem that can be accepted, as its message has it in brackets"
            problems.error("setting-unreadable", replace(place, column="code"), f"found {said}", expected=expected)
        elif reason is None:
            expected = "why the problem is accepted; readers see it"
            problems.error("setting-unreadable", replace(place, column="reason"), "found no reason", expected=expected)
        elif not (row is None or (type(row) is int and row > 0)):
            expected = "the number of a row, from 1"
            problems.error("setting-unreadable", replace(place, column="row"), f"found {row!r}", expected=expected)
        else:
            found.append(Exempt(code, values["file"], row, values["column"], reason, place))
    return tuple(found)


def check_needed(problems: Problems) -> None:
    """A notice for each entry that is for no problem any more."""
    found = tuple(problems.found)
    for one in problems.exempt:
        if one.code not in SOMETIMES and not any(map(one.covers, found)):
            what = f"there is no problem {one.code} that this exception is for"
            problems.notice("exception-unneeded", one.place, what, hint="Remove it, or correct its file, row or column")
