"""Rules over one row. A row in which one of them finds an error is refused."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime

from sitegen.arrow import iso
from sitegen.errors import Level, Place, Problems
from sitegen.fetched import HUB_ID
from sitegen.model import Source
from sitegen.outcome import UNSEEN, can_be_seen
from sitegen.schema import ID, Bad, Value

HINT = "Correct the value, or drop the row"
EXPECTED_ID = "a Hub id, `name` or `owner/name`"
# Columns whose values are names, which stand on many pages, and how long one may be. Ids of the Hub are below 200.
NAMES, NAME_MAX = ("model_id", "neuronx_cc", "library", "library_version"), 1000  # characters
# Outside of these years a date is a slip: a null that became 1970, milliseconds that were taken for seconds.
FIRST, LAST = datetime(2000, 1, 1, tzinfo=UTC), datetime(2100, 1, 1, tzinfo=UTC)

Row = Mapping[str, Value]
Rule = Callable[[Source, Row, Problems], None]


def check_values(source: Source, row: Row, problems: Problems) -> None:
    for name, value in row.items():
        if isinstance(value, Bad):
            place = Place(source.file, source.row, name)
            problems.error("value-unreadable", place, f"found {value.found}", expected=value.expected, hint=HINT)


def check_names(source: Source, row: Row, problems: Problems) -> None:
    for name in NAMES:
        value = row.get(name)
        if isinstance(value, str) and len(value) > NAME_MAX:
            found, expected = f"found a text of {len(value):,} characters", f"a name of at most {NAME_MAX:,}"
            place = Place(source.file, source.row, name)
            problems.error("value-unreadable", place, found, expected=expected, hint=HINT)


def check_numbers(source: Source, row: Row, problems: Problems) -> None:
    for name, value in row.items():
        if isinstance(value, int | float) and (value < 0 or (name == "tp" and value == 0)):
            found = f"found {value}, which is shown as recorded"
            problems.notice("value-odd", Place(source.file, source.row, name), found, expected="more than 0")


def check_dates(source: Source, row: Row, problems: Problems) -> None:
    for name, value in row.items():
        if isinstance(value, datetime) and not FIRST <= value < LAST:
            found = f"found {iso(value)}, which is shown as recorded"
            expected = f"a date from {FIRST.year} to {LAST.year - 1}"
            problems.notice("value-odd", Place(source.file, source.row, name), found, expected=expected)


def check_id(source: Source, row: Row, problems: Problems) -> None:
    value, place = row[ID], Place(source.file, source.row, ID)
    if isinstance(value, Bad):
        return
    if not usable_id(value):
        found = "found a null or blank id" if value is None else _unusable(value)
        problems.error("id-unusable", place, found, expected=EXPECTED_ID, hint="Correct the id, or drop the row")
    elif isinstance(value, str) and not HUB_ID.fullmatch(value):
        found = f"found {value!r}, which the Hub would not take; it is shown as recorded"
        problems.notice("id-odd", place, found, expected=EXPECTED_ID)


def check_encoding(source: Source, row: Row, problems: Problems) -> None:
    """Large texts, which are kept as the bytes that they are."""
    for name, value in row.items():
        if isinstance(value, bytes):
            try:
                value.decode("utf-8")
            except UnicodeDecodeError as error:
                found = f"bytes that are not UTF-8 (at byte {error.start}): U+FFFD on the page, kept in the download"
                problems.notice("text-not-utf8", Place(source.file, source.row, name), found)


RULES: tuple[Rule, ...] = (check_values, check_names, check_numbers, check_dates, check_id, check_encoding)


def check(source: Source, row: Row, problems: Problems) -> bool:
    """Whether the row can be used."""
    before = len(problems)
    for rule in RULES:
        rule(source, row, problems)
    return all(problem.level < Level.ERROR for problem in problems.found[before:])


def usable_id(model_id: object) -> bool:
    """Whether an id can have a page and a link to the Hub.

    It has something to see in each part between slashes, nothing that nobody sees (two ids would look like one), and
    no part that leads elsewhere in an address.
    """
    if not isinstance(model_id, str) or {".", ".."} & set(model_id.split("/")) or UNSEEN.search(model_id):
        return False
    return all(map(can_be_seen, model_id.split("/")))


def _unusable(model_id: object) -> str:
    odd = UNSEEN.search(str(model_id))
    return f"found {model_id!r}" + (f", in which nobody sees the character U+{ord(odd[0]):04X}" if odd else "")
