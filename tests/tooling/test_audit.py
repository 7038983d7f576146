"""An audit says what was asked, what was found, and where a registry gave no answer, which is never a pass."""

from __future__ import annotations

import json

import pytest

from tests.tooling import audit
from tests.tooling.audit import Answer, node_answer, python_answer

ANSWERED = {"name": "a", "version": "1", "vulns": []}
FAULTY = {"name": "b", "version": "2", "vulns": [{"id": "PYSEC-1", "fix_versions": []}]}
SKIPPED = {"name": "c", "skip_reason": "Dependency not found on PyPI and could not be audited: c (3)"}


@pytest.mark.parametrize(
    ("packages", "code", "said"),
    [
        ([ANSWERED], 0, "lock: no known fault"),
        ([ANSWERED, FAULTY], 1, "lock: b 2: PYSEC-1"),
        ([ANSWERED, SKIPPED], 2, "lock: NOT AUDITED (no answer for 1 of 2 packages, such as c)"),
        ([FAULTY, SKIPPED], 1, "lock: b 2: PYSEC-1 (no answer for 1 of 2 packages, such as c)"),
        ([], 2, "lock: NOT AUDITED (no route to host)"),
    ],
)
def test_packages_of_python(packages: list[dict[str, object]], code: int, said: str) -> None:
    answer = python_answer("lock", json.dumps({"dependencies": packages}), "x\nno route to host\n")
    assert (answer.code, str(answer)) == (code, said)


@pytest.mark.parametrize("out", ["", "<html>", "[]", "null"])
def test_what_is_no_answer_is_no_pass(out: str) -> None:
    assert [answer("lock", out, "").code for answer in (python_answer, node_answer)] == [2, 2]


@pytest.mark.parametrize(
    ("table", "code", "said"),
    [
        ({"vulnerabilities": {}, "metadata": {}}, 0, "no known fault"),
        ({"vulnerabilities": {"x": {"severity": "high"}}}, 1, "x: high"),
        ({"error": {"code": "ENOAUDIT", "summary": "no such endpoint\x1b[2J"}}, 2, "NOT AUDITED (no such endpoint"),
        ({"error": {"summary": "", "detail": ""}}, 2, "NOT AUDITED (405 Method Not Allowed)"),
    ],
)
def test_packages_of_node(table: dict[str, object], code: int, said: str) -> None:
    err = "npm warn audit 405 Method Not Allowed\n\nnpm error A complete log of this run can be found in: x\n"
    answer = node_answer("tests/js", json.dumps(table), err)
    assert answer.code == code
    assert said in str(answer)
    assert str(answer).isprintable()


def test_a_fault_counts_more_than_silence(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    found = [Answer("a"), Answer("b", silent="405"), Answer("c", ("x 1: CVE",))]
    monkeypatch.setattr(audit, "answers", lambda _: found)
    assert audit.main(["pip-audit"]) == 1
    found.pop()
    assert audit.main(["pip-audit"]) == 2
    assert "b: NOT AUDITED (405)" in capsys.readouterr().out
    found.pop()
    assert audit.main(["pip-audit"]) == 0


def test_a_tool_that_is_not_there_is_no_pass() -> None:
    assert audit.python_answer("lock", *audit._ran(["/nowhere/pip-audit"])).code == 2
