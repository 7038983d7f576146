"""Files with any bytes: read as what is there, or an input error that names the file; never a crash, a hang or a fault.

The cases are the same in every run; `python -m tests.fuzz parquet text` (`make fuzz`) looks at others.
"""

from __future__ import annotations

import shutil
import sys
from collections import Counter

import pytest

from tests.fuzz.mutants import case, run
from tests.fuzz.seeds import seeds


@pytest.mark.parametrize(("what", "many"), [("parquet", 60), ("text", 40)])
def test_whatever_the_bytes_are(what: str, many: int) -> None:
    outcomes = list(run("test", 0, many, what))
    assert [outcome for outcome in outcomes if not outcome.good] == []
    assert [outcome.number for outcome in outcomes] == list(range(many))
    counts = Counter(outcome.verdict for outcome in outcomes)
    assert min(counts["clean read"], counts["input error"]) > many / 20, counts


def test_every_kind_of_file_is_mutated_and_no_case_is_one_of_them() -> None:
    cases = [case("test", number, "parquet") for number in range(400)]
    assert {name for name, _, _ in cases} == set(seeds())
    assert sum(data == seeds()[name] for name, _, data in cases) < 20


def test_a_process_that_ends_is_told_as_a_crash(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else a crash of the library could pass for a run in which all went well."""
    monkeypatch.setattr(sys, "executable", shutil.which("false"))
    (first,) = run("test", 0, 1, "parquet")
    assert first.verdict == "crash 1"
    assert not first.good
