"""Problems name place, finding and remedy, in one order; errors carry their exit code."""

from __future__ import annotations

import pytest

from sitegen.errors import (
    BadInput,
    InputProblems,
    Level,
    Place,
    Problem,
    Problems,
    Refused,
    SitegenError,
    StrictNotices,
    Unfinished,
    plain,
)


@pytest.mark.parametrize(
    ("place", "text"),
    [
        (Place(), ""),
        (Place("a.parquet"), "a.parquet"),
        (Place("a.parquet", 3), "a.parquet, row 3"),
        (Place("a.parquet", 0, "tp"), "a.parquet, column tp"),
        (Place("a.parquet", 3, "tp"), "a.parquet, row 3, column tp"),
    ],
)
def test_places_name_what_is_known(place: Place, text: str) -> None:
    assert str(place) == text


def test_a_problem_is_one_sentence() -> None:
    place = Place("a.parquet", 3, "tp")
    assert str(Problem(Level.ERROR, "value-unreadable", place, "found 'x'", "a whole number", "Correct it")) == (
        "error: a.parquet, row 3, column tp: found 'x'; expected a whole number. Correct it [value-unreadable]"
    )
    assert str(Problem(Level.INFO, "no-base-url", Place(), "none")) == "info: none [no-base-url]"


def test_problems_come_in_the_order_of_their_places_the_worst_first() -> None:
    problems = Problems()
    problems.info("c", Place("b"), "4")
    problems.error("a", Place("b"), "3")
    problems.notice("a", Place("a", 10), "2")
    problems.error("a", Place("a", 9), "1")
    assert [problem.found for problem in problems] == ["1", "2", "3", "4"]
    assert [problem.found for problem in problems.at(Level.ERROR)] == ["1", "3"]
    assert len(problems) == 4


def test_findings_cannot_drive_a_terminal() -> None:
    problems = Problems()
    problems.error("x", Place(), "a\x1b[2Jb\r\nc", expected="\x07", hint="\x9b31m")
    (problem,) = problems
    assert (problem.found, problem.expected, problem.hint) == ("a\\x1b[2Jb\\x0d\\x0ac", "\\x07", "\\x9b31m")
    assert plain("é模 “x”") == "é模 “x”"


@pytest.mark.parametrize(
    ("error", "code"), [(StrictNotices, 1), (Refused, 2), (BadInput, 3), (Unfinished, 4), (SitegenError, 4)]
)
def test_exit_codes(error: type[SitegenError], code: int) -> None:
    assert error("x").exit_code == code
    assert issubclass(error, SitegenError)


def test_input_problems_carry_all_that_was_found() -> None:
    problems = Problems()
    problems.notice("x", Place(), "y")
    assert len(InputProblems("two", problems).problems) == 1
    assert len(BadInput("none").problems) == 0


def test_a_place_cannot_drive_a_terminal() -> None:
    problems = Problems()
    problems.error("x", Place("a\x1b[2J\n.parquet", 1, "c\x1b[31m"), "y")
    assert str(next(iter(problems))).isprintable()
