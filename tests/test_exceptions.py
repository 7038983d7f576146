"""Exceptions with a reason: what they pass over, what they cannot, and that one which is not needed is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from sitegen.build import build, inspect
from sitegen.config import Settings
from sitegen.errors import BadInput, Problem, StrictNotices
from tests.factory import put, row, write


def exceptions(folder: Path, *entries: str) -> None:
    write(folder / "exceptions.toml", "".join(f"[[exception]]\n{entry}\n" for entry in entries))


def strict(folder: Path) -> list[Problem]:
    """The problems of a data folder that a strict check lets pass."""
    return list(inspect(Settings(data=folder, strict=True, base_url="https://example.org/")).problems)


def test_an_accepted_notice_stops_no_strict_build_and_keeps_its_reason(tmp_path: Path) -> None:
    put(tmp_path, [row(result="FLAKY")])
    exceptions(tmp_path, 'code = "result-unknown"\nfile = "results.parquet"\nreason = "Asked the lab."')
    (problem,) = strict(tmp_path)
    assert str(problem).startswith("accepted notice: results.parquet, column result: the result word “FLAKY”")
    assert str(problem).endswith("Accepted: Asked the lab. [result-unknown]")


def test_an_accepted_error_leaves_out_that_row_and_no_other(tmp_path: Path) -> None:
    put(tmp_path, [row(), row(" "), row("acme/")])
    entry = 'code = "id-unusable"\nrow = {}\nreason = "A slip of an old harness."'
    exceptions(tmp_path, entry.format(2))
    with pytest.raises(BadInput, match="1 error in the input"):
        strict(tmp_path)
    exceptions(tmp_path, entry.format(2), entry.format(3))
    report = inspect(Settings(data=tmp_path, strict=True))
    assert (report.counts["runs"], report.counts["refused"]) == (1, 2)


@pytest.mark.parametrize("key", ['file = "other.parquet"', "row = 2", 'column = "notes"'])
def test_an_exception_is_for_its_own_place_only(tmp_path: Path, key: str) -> None:
    put(tmp_path, [row(result="FLAKY")])
    exceptions(tmp_path, f'code = "result-unknown"\n{key}\nreason = "x"')
    with pytest.raises(StrictNotices) as raised:
        strict(tmp_path)
    assert [p.code for p in raised.value.problems] == ["exception-unneeded", "result-unknown"]


def test_one_that_is_no_longer_needed_is_told_with_its_place(tmp_path: Path) -> None:
    put(tmp_path, [row()])
    exceptions(tmp_path, 'code = "result-unknown"\nreason = "x"', 'code = "row-duplicate"\nreason = "x"')
    with pytest.raises(StrictNotices) as raised:
        strict(tmp_path)
    found = [str(p) for p in raised.value.problems]
    assert found[0].startswith(
        "notice: exceptions.toml, entry 1: there is no problem result-unknown that this exception"
    )
    assert found[1].startswith(
        "notice: exceptions.toml, entry 2: there is no problem row-duplicate that this exception"
    )


def test_one_for_what_only_some_builds_find_is_never_called_needless(tmp_path: Path) -> None:
    put(tmp_path, [row()])
    exceptions(tmp_path, 'code = "address-lost"\nreason = "Withdrawn."', 'code = "no-base-url"\nreason = "x"')
    assert strict(tmp_path) == []


def test_a_lost_address_can_be_accepted(tmp_path: Path) -> None:
    data, out = tmp_path / "data", tmp_path / "site"
    put(data, [row(), row("acme/gone-1b")])
    build(Settings(data=data, out=out))
    put(data, [row()])
    settings = Settings(data=data, previous=out / "urls.json", strict=True)
    with pytest.raises(StrictNotices):
        inspect(settings)
    exceptions(data, 'code = "address-lost"\nreason = "Withdrawn by its authors."')
    assert inspect(settings).counts["models"] == 1


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ('reason = "x"', "key code: found no code"),
        ('code = "nonsense"\nreason = "x"', 'key code: found "nonsense"'),
        ('code = "rows-lost"\nreason = "x"', 'key code: found "rows-lost"'),
        ('code = "catalog-unreadable"\nreason = "x"', 'key code: found "catalog-unreadable"'),
        ('code = "row-duplicate"', "key reason: found no reason"),
        ('code = "row-duplicate"\nreason = " "', 'key reason: found " "'),
        ('code = "row-duplicate"\nreason = "x"\nrow = 0', "key row: found 0"),
        ('code = "row-duplicate"\nreason = "x"\nrow = true', "key row: found true"),
        ('code = "row-duplicate"\nreason = 3', "key reason: found 3"),
        ('code = "row-duplicate"\nreason = "x"\nflie = "b.parquet"', "key flie: found an unknown key"),
        ('code = "row-duplicate"\nreason = "x"\nfile = ""', 'key file: found ""'),
        ('code = "row-duplicate"\nreason = "x"\nfile = 3', "key file: found 3"),
        ("= broken", "exceptions.toml: Invalid"),
    ],
)
def test_what_is_no_exception_is_an_error_and_accepts_nothing(tmp_path: Path, entry: str, said: str) -> None:
    put(tmp_path, [row()])
    exceptions(tmp_path, entry)
    with pytest.raises(BadInput) as raised:
        inspect(Settings(data=tmp_path))
    assert any(said in str(problem) for problem in raised.value.problems), [*map(str, raised.value.problems)]


def test_what_would_speak_with_other_words_stops_even_a_build_that_keeps_going(tmp_path: Path) -> None:
    data, content = tmp_path / "data", tmp_path / "content"
    put(data, [row(), row(" ")])
    write(content / "outcomes.toml", "= broken")
    write(data / "catalog.toml", "device = 3\n")
    with pytest.raises(BadInput) as raised:
        inspect(Settings(data=data, content=content, keep_going=True))
    found = [problem.code for problem in raised.value.problems]
    assert found == ["no-base-url", "catalog-unreadable", "outcomes-unreadable", "id-unusable"]


def test_what_is_amiss_with_the_exceptions_cannot_be_accepted_by_them(tmp_path: Path) -> None:
    put(tmp_path, [row(), row(" ")])
    exceptions(
        tmp_path,
        'code = "id-unusable"\nfile = 3\nreason = "x"',
        'code = "setting-unreadable"\nreason = "x"',
    )
    with pytest.raises(BadInput, match="2 errors in the input"):
        inspect(Settings(data=tmp_path))


def test_a_file_is_named_as_it_is_or_as_messages_show_it(tmp_path: Path) -> None:
    for word, name in (("FLAKY", " x .parquet"), ("ODD", "n\nb.parquet")):
        put(tmp_path, [row(result=word)], name)
    entry = 'code = "result-unknown"\nfile = {}\nreason = "x"'
    exceptions(tmp_path, entry.format('" x .parquet"'), entry.format('"n\\nb.parquet"'))
    assert [p.accepted for p in strict(tmp_path) if p.code == "result-unknown"] == ["x", "x"]
