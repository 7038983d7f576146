"""What a build says that changed since an earlier one: models compared with what they are called now."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.builds import FAILED, made
from tests.factory import put, ranking, row

Models = Sequence[Any]
PASS = row
TOOK = {"id": "acme/b2", "was": ["acme/b"]}


def FAIL(name: str) -> Any:  # noqa: N802 - stands beside PASS
    return row(name, **FAILED)


def said(folder: Path, before: Models, now: Models, ranked: Models) -> list[str]:
    """The lines on models, after a second build."""
    put(folder / "a", before)
    put(folder / "b", now)
    if ranked:
        ranking(folder / "b", ranked)
    lines: list[str] = []
    one = made(folder, "a")
    made(folder, "b", previous=one / "urls.json", said=lines)
    return [line.removeprefix("since the earlier build: ") for line in lines if "model" in line]


@pytest.mark.parametrize(
    ("before", "now", "ranked", "lines"),
    [
        (
            [PASS("acme/a")],
            [FAIL("acme/a2")],
            [{"id": "acme/a2", "was": ["acme/a"]}],
            ["1 model regressed: acme/a2 (was acme/a)", "1 model renamed: acme/a2 (was acme/a)"],
        ),
        (
            [FAIL("acme/Cased")],
            [PASS("acme/cased")],
            [],
            ["1 model fixed: acme/cased (was acme/Cased)", "1 model renamed: acme/cased (was acme/Cased)"],
        ),
        # Another model takes the name.
        (
            [FAIL("acme/b")],
            [FAIL("acme/b2"), PASS("acme/b")],
            [TOOK],
            ["1 model new: acme/b", "1 model renamed: acme/b2 (was acme/b)"],
        ),
        (
            [PASS("acme/b")],
            [PASS("acme/b2"), PASS("acme/b")],
            [TOOK, "acme/b"],
            ["1 model new: acme/b", "1 model renamed: acme/b2 (was acme/b)"],
        ),
        # Rows under the earlier name stay beside newer ones.
        (
            [FAIL("acme/b")],
            [FAIL("acme/b"), PASS("acme/b2")],
            [TOOK],
            ["1 model fixed: acme/b2 (was acme/b)", "1 model renamed: acme/b2 (was acme/b)"],
        ),
        # The new name is ranked, the rows are still under the old one.
        (
            [FAIL("acme/b")],
            [PASS("acme/b")],
            [TOOK],
            ["1 model fixed: acme/b", "1 model renamed: acme/b2 (was acme/b)"],
        ),
        ([PASS("acme/a")], [PASS("acme/c")], [], ["1 model new: acme/c", "1 model no longer listed: acme/a"]),
    ],
)
def test_a_model_is_compared_with_its_successor(
    before: Models, now: Models, ranked: Models, lines: list[str], tmp_path: Path
) -> None:
    assert said(tmp_path, before, now, ranked) == lines


def test_a_pass_that_is_none_any_more_is_said_whatever_came_of_it(tmp_path: Path) -> None:
    timeout = row("acme/a", result="TIMEOUT", cpu_match=None)
    assert said(tmp_path, [row("acme/a")], [timeout], [])[0] == "1 model no longer passed: acme/a"


def test_a_model_that_became_one_with_another_is_renamed(tmp_path: Path) -> None:
    lines = said(tmp_path, [row("acme/a"), row("acme/b")], [row("acme/b")], [{"id": "acme/b", "was": ["acme/a"]}])
    assert "1 model renamed: acme/b (was acme/a)" in lines


def test_a_model_that_was_ranked_before_its_rows_got_the_name_is_not_new(tmp_path: Path) -> None:
    for name, rows in (("a", [PASS("acme/b")]), ("b", [FAIL("acme/b2")])):
        put(tmp_path / name, rows)
        ranking(tmp_path / name, [TOOK])
    lines: list[str] = []
    made(tmp_path, "b", previous=made(tmp_path, "a") / "urls.json", said=lines)
    assert [line.partition(": ")[2] for line in lines if "model" in line] == ["1 model regressed: acme/b2 (was acme/b)"]
