"""Which columns a file has: without `model_id` it cannot be used; whatever else it lacks or adds is told."""

from __future__ import annotations

from collections import Counter

import pyarrow as pa

from sitegen.errors import Place, Problems
from sitegen.schema import COLUMNS, ID, OPTIONAL, TELLING


def columns_usable(file: str, schema: pa.Schema, problems: Problems) -> bool:
    """Whether the file's rows can be read; what is odd about its columns is among the problems."""
    names = schema.names
    twice = sorted(name for name, count in Counter(names).items() if count > 1)
    for name in twice:
        problems.error("column-twice", Place(file, 0, name), "the file has this column twice", expected="one")
    if ID not in names:
        found = f"found the columns {', '.join(names)}" if names else "no known column was found, the file has none"
        problems.error("column-missing", Place(file, 0, ID), f"{ID} is missing; {found}", expected=ID)
    if twice or ID not in names:
        return False
    for name in TELLING:
        if name not in names:
            problems.notice("column-missing", Place(file, 0, name), "missing; the rows read “not recorded”")
    for field in schema:
        if field.name not in COLUMNS:
            called = "" if field.name.strip() else f" whose name is {field.name!r}"
            found = f"an unknown column{called} of type {field.type}, shown under “Other fields”"
            problems.info("column-unknown", Place(file, 0, field.name), found)
    return True


def missing_and_unknown(schema: pa.Schema) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The known columns that a file lacks (but the optional ones), and those that are not known."""
    names = schema.names
    missing = tuple(name for name in COLUMNS if name not in names and name not in OPTIONAL)
    return missing, tuple(name for name in names if name not in COLUMNS)
