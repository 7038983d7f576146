"""Rules over one file: `COLUMNS_RULES` before its rows are read, `RULES` once they are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import pyarrow as pa

from sitegen.cells import count
from sitegen.errors import Level, Place, Problems
from sitegen.model import Run, Source
from sitegen.schema import COLUMNS, ID, OPTIONAL, TELLING


@dataclass
class Tally:
    """What became of the rows of a file: rows = runs + duplicates + refused."""

    file: str
    columns: Sequence[str]
    rows: int = 0
    duplicates: int = 0
    refused: int = 0
    first_duplicate: tuple[Source, Source] | None = None  # and the row that it equals
    runs: list[Run] = field(default_factory=list)


ColumnsRule = Callable[[str, pa.Schema, Problems], None]
Rule = Callable[[Tally, Problems], None]


def check_columns_once(file: str, schema: pa.Schema, problems: Problems) -> None:
    for name, times in sorted(Counter(schema.names).items()):
        if times > 1:
            found = f"the file has this column {times} times" if times > 2 else "the file has this column twice"
            problems.error("column-twice", Place(file, 0, name), found, expected="one", hint="Write it with one")


def check_id_there(file: str, schema: pa.Schema, problems: Problems) -> None:
    names = schema.names
    if ID not in names:
        found = f"found the columns {', '.join(names)}" if names else "no known column was found, the file has none"
        hint = "Write it with the id of a model in each row"
        problems.error("column-missing", Place(file, 0, ID), f"{ID} is missing; {found}", expected=ID, hint=hint)


def check_telling_there(file: str, schema: pa.Schema, problems: Problems) -> None:
    for name in TELLING:
        if name not in schema.names:
            problems.notice("column-missing", Place(file, 0, name), "missing; the rows read “not recorded”")


def check_columns_known(file: str, schema: pa.Schema, problems: Problems) -> None:
    for column in schema:
        if column.name not in COLUMNS:
            called = "" if column.name.strip() else f" whose name is {column.name!r}"
            kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
            found = f"an unknown column{called} of type {kind}, shown under “Other fields”"
            problems.info("column-unknown", Place(file, 0, column.name), found)


# The first say whether rows can be read, the others what of such rows will be missing, or be more.
COLUMNS_RULES: tuple[tuple[ColumnsRule, ...], ...] = (
    (check_columns_once, check_id_there),
    (check_telling_there, check_columns_known),
)


def check_columns(file: str, schema: pa.Schema, problems: Problems) -> bool:
    """Whether the file's rows can be read."""
    for rules in COLUMNS_RULES:
        before = len(problems)
        for rule in rules:
            rule(file, schema, problems)
        if any(problem.level == Level.ERROR for problem in problems.found[before:]):
            return False
    return True


def missing_and_unknown(names: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The known columns that a file lacks (but the optional ones), and those that are not known."""
    missing = tuple(name for name in COLUMNS if name not in names and name not in OPTIONAL)
    return missing, tuple(name for name in names if name not in COLUMNS)


def check_rows(tally: Tally, problems: Problems) -> None:
    if not tally.rows:
        problems.notice("file-no-rows", Place(tally.file), "the file has no rows; no pair is offered for it")


def check_duplicates(tally: Tally, problems: Problems) -> None:
    if tally.first_duplicate:
        second, first = tally.first_duplicate
        were = "was" if tally.duplicates == 1 else "were"
        many = count(tally.duplicates, "exact duplicate row")
        found = f"{many} {were} left out; row {second.row} equals {first.file}, row {first.row}"
        problems.notice("row-duplicate", Place(tally.file), found, hint="Counted once; remove the copies")


def check_words(tally: Tally, problems: Problems) -> None:
    unknown = Counter(run.outcome.quoted for run in tally.runs if not run.outcome.known)
    for word, times in unknown.items():
        found = f"the result word {word} is not known ({count(times, 'row')}); it is shown in quotes"
        hint = "Give it a meaning in outcomes.toml"
        problems.notice("result-unknown", Place(tally.file, 0, "result"), found, hint=hint)


def check_recorded(tally: Tally, problems: Problems) -> None:
    """Values without which a reader cannot tell what ran, and how it ended. A whole column that is missing is told."""
    absent = {
        "result": sum(run.outcome.key == "unrecorded" for run in tally.runs),
        "neuronx_cc": sum(run.pair.compiler is None for run in tally.runs),
        "library": sum(run.pair.library is None for run in tally.runs),
        "library_version": sum(run.pair.library_version is None for run in tally.runs),
    }
    for name, rows in absent.items():
        if rows and name in tally.columns:
            found = f"{count(rows, 'row')} of {len(tally.runs):,} without a value, which reads “not recorded”"
            problems.notice("value-missing", Place(tally.file, 0, name), found, expected="a value in every row")


RULES: tuple[Rule, ...] = (check_rows, check_duplicates, check_words, check_recorded)


def check(tally: Tally, problems: Problems) -> None:
    """Adds what the rules find once all rows are read."""
    for rule in RULES:
        rule(tally, problems)
