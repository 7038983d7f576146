"""The command: its exit codes, what it prints and where, its settings file and its report."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from sitegen import __version__
from sitegen.cli import main
from sitegen.errors import Place, Problems
from sitegen.messages import lines
from tests.factory import put, row, write


@dataclass(frozen=True)
class Ran:
    code: int
    out: str
    err: str


Run = Callable[..., Ran]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs the command in `tmp_path`."""
    monkeypatch.chdir(tmp_path)

    def sitegen(*arguments: str) -> Ran:
        monkeypatch.setattr("sys.argv", ["sitegen", *arguments])
        code = 0
        try:
            main()
        except SystemExit as end:
            code = int(end.code or 0)
        return Ran(code, *capsys.readouterr())

    return sitegen


def test_a_build_ends_with_one_line_of_counts_that_add_up(run: Run, tmp_path: Path) -> None:
    put(tmp_path / "data", [row(), row(), row("acme/b-1b")])
    ran = run("build")
    assert ran.code == 0
    assert ran.out.startswith("site: 1 files, 3 rows, 2 runs, 1 duplicates, 0 refused, 2 models, 1 pairs, 2 results, ")
    assert ran.out.count("\n") == 1
    assert "row-duplicate" in ran.err
    assert (tmp_path / "site" / "index.html").is_file()


def test_a_second_build_says_that_nothing_was_written(run: Run, tmp_path: Path) -> None:
    put(tmp_path / "data", [row()])
    run("build")
    assert " 0 written, " in run("build").out


def test_check_writes_nothing(run: Run, tmp_path: Path) -> None:
    put(tmp_path / "data", [row()])
    ran = run("check")
    assert (ran.code, ran.out.split(":")[0]) == (0, "checked")
    assert [path.name for path in tmp_path.iterdir()] == ["data"]


def test_quiet_keeps_notices_and_verbose_adds_seconds(run: Run, tmp_path: Path) -> None:
    put(tmp_path / "data", [row(result="FLAKY", mystery="x")])
    quiet, verbose = run("check", "-q"), run("check", "-v")
    assert quiet.out == ""
    assert "result-unknown" in quiet.err
    assert "column-unknown" not in quiet.err
    assert "column-unknown" in verbose.err
    assert "\nread: " in verbose.err


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["build", "--strict"], 1, "1 notice under --strict; nothing was written"),
        (["build", "--out", "."], 2, "current folder"),
        (["build", "--data", "nowhere"], 2, "nowhere is not a folder"),
        (["build", "--base-url", "example.org"], 2, "expected an absolute address"),
        (["build", "--jobs", "-1"], 2, "--jobs"),
        (["build", "--nonsense"], 2, "--nonsense"),
        (["nonsense"], 2, "nonsense"),
        (["build", "--json-report", "no/folder/r.json"], 2, "no/folder is not a folder"),
    ],
)
def test_each_refusal_has_its_code_and_its_words(
    run: Run, tmp_path: Path, arguments: list[str], code: int, said: str
) -> None:
    put(tmp_path / "data", [row(result="FLAKY")])
    ran = run(*arguments)
    assert ran.code == code
    assert said in ran.err
    assert "Traceback" not in ran.err


def test_bad_input_shows_every_problem_and_exits_with_3(run: Run, tmp_path: Path) -> None:
    put(tmp_path / "data", [row(" "), row(tp=1.5)], types={"tp": __import__("pyarrow").float64()})
    write(tmp_path / "data" / "empty.parquet", b"")
    ran = run("build")
    assert ran.code == 3
    assert "error: empty.parquet: the file is empty (0 bytes); expected a Parquet file." in ran.err
    assert "error: results.parquet, row 1, column model_id: found " in ran.err
    assert "error: results.parquet, row 2, column tp: found 1.5; expected a whole number" in ran.err
    assert "3 errors in the input; nothing was written" in ran.err


def test_keep_going_exits_with_0_and_says_why_rows_were_refused(run: Run, tmp_path: Path) -> None:
    put(tmp_path / "data", [row(), row(" ")])
    ran = run("build", "--keep-going")
    assert ran.code == 0
    assert " 1 refused (id-unusable 1), " in ran.out


def test_the_settings_file_is_read_and_the_command_line_wins(run: Run, tmp_path: Path) -> None:
    put(tmp_path / "results", [row()])
    write(tmp_path / "sitegen.toml", 'data = "results"\nout = "public"\nbase_url = "https://example.org/x"\n')
    assert run("build").out.startswith("public: ")
    assert "https://example.org/x/all/" in (tmp_path / "public/all/index.html").read_text("utf-8")
    assert run("build", "--out", "other").out.startswith("other: ")


@pytest.mark.parametrize("text", ["colour = 1", "strict = 'yes'", "data = 3", "not toml"])
def test_a_settings_file_that_cannot_be_meant_is_refused(run: Run, tmp_path: Path, text: str) -> None:
    put(tmp_path / "data", [row()])
    write(tmp_path / "sitegen.toml", text)
    ran = run("build")
    assert ran.code == 2
    assert "sitegen.toml" in ran.err


def test_the_report_has_counts_problems_and_seconds(run: Run, tmp_path: Path) -> None:
    put(tmp_path / "data", [row(result="FLAKY")])
    run("build", "--json-report", "report.json")
    report = json.loads((tmp_path / "report.json").read_text("utf-8"))
    assert report["counts"] | {"files": 1, "rows": 1, "runs": 1, "results": 1, "models": 1} == report["counts"]
    assert {"pairs", "pages", "written", "unchanged", "pruned"} <= set(report["counts"])
    assert [p for p in report["problems"] if p["level"] == "notice"] == [
        {
            "level": "notice",
            "code": "result-unknown",
            "file": "results.parquet",
            "row": None,
            "column": "result",
            "found": "the result word “FLAKY” is not known (1 row); it is shown in quotes",
            "expected": None,
            "hint": "Give it a meaning in outcomes.toml",
            "accepted": None,
            "docs": "docs/input-problems/index.html#result-unknown",
        }
    ]
    assert set(report["seconds"]) == {"read", "check", "render", "write"}


def test_a_check_shows_problems_by_file_with_their_numbers(run: Run, tmp_path: Path) -> None:
    put(tmp_path / "data", [row(), row(" "), row("acme/b-1b", tp=0)], "b.parquet")
    write(tmp_path / "data" / "a.parquet", b"")
    ran = run("check", "--base-url", "https://example.org/")
    assert ran.code == 3
    lines = ran.err.splitlines()
    assert lines[0] == "In a.parquet: 1 error"
    assert lines[1].startswith("  error: the file is empty (0 bytes); expected a Parquet file. Download")
    assert lines[2] == "In b.parquet: 1 error, 1 notice"
    assert lines[3].startswith("  error: row 2, column model_id: found a null or blank id; expected a Hub id")
    assert lines[4].startswith("  notice: row 3, column tp: found 0, which is shown as recorded; expected more than 0")
    assert "docs/input-problems/index.html of the site" in lines[5]


@pytest.mark.parametrize(("rows", "code"), [([row()], 0), ([row(result="FLAKY")], 1), ([row(" ")], 3)])
def test_a_check_as_json_is_one_document_whatever_it_finds(
    run: Run, tmp_path: Path, rows: list[dict[str, object]], code: int
) -> None:
    put(tmp_path / "data", rows)
    ran = run("check", "--format", "json", "--strict", "--base-url", "https://example.org/")
    record = json.loads(ran.out)
    assert (ran.code, record["exit_code"], record["passed"]) == (code, code, code == 0)
    assert len(record["problems"]) == (code > 0)
    assert {problem["docs"] for problem in record["problems"]} <= {
        "docs/input-problems/index.html#result-unknown",
        "docs/input-problems/index.html#id-unusable",
    }
    assert record["counts"].get("runs") == (None if code else 1)


def test_a_check_for_github_escapes_what_would_end_a_command(run: Run, tmp_path: Path) -> None:
    put(tmp_path / "data", [row("acme/a,b:c%::error::x"), row(tp=0)], "100%, a:b.parquet")
    write(tmp_path / "data" / "exceptions.toml", '[[exception]]\ncode = "value-odd"\nreason = "As it was."')
    out = run("check", "--format", "github", "--base-url", "https://example.org/").out.splitlines()
    name = "file=data/100%25%2C a%3Ab.parquet"
    assert out[0].startswith(
        f"::warning {name},title=id-odd::notice: 100%25, a:b.parquet, row 1, column model_id: found"
    )
    assert "acme/a,b:c%25::error::x" in out[0]
    assert out[1].startswith(f"::notice {name},title=value-odd::accepted notice: 100%25, a:b.parquet, row 2")
    assert out[2].startswith("checked: 1 files")
    assert len(out) == 3


def test_the_changes_are_the_paths_that_were_written_and_pruned(run: Run, tmp_path: Path) -> None:
    def changes() -> dict[str, set[str]]:
        run("build", "--changes", "changes.txt")
        lines = (tmp_path / "changes.txt").read_text("utf-8").splitlines()
        return {
            word: {line.partition(" ")[2] for line in lines if line.startswith(word)} for word in ("write", "prune")
        }

    put(tmp_path / "data", [row("acme/a"), row("acme/b")])
    files = {p.relative_to(tmp_path / "site").as_posix() for p in (tmp_path / "site").rglob("*") if p.is_file()}
    assert not files
    first = changes()
    files = {p.relative_to(tmp_path / "site").as_posix() for p in (tmp_path / "site").rglob("*") if p.is_file()}
    assert first == {"write": files - {".sitegen"}, "prune": set()}
    assert changes() == {"write": set(), "prune": set()}
    put(tmp_path / "data", [row("acme/a")])
    second = changes()
    assert "models/acme/b/index.html" in second["prune"]
    assert "models/acme/a/index.html" not in second["write"]
    assert second["write"] >= {"index.html", "catalog.json", "urls.json"}


def test_the_report_is_written_when_the_input_stops_the_build(run: Run, tmp_path: Path) -> None:
    write(tmp_path / "data" / "empty.parquet", b"")
    assert run("build", "--json-report", "report.json").code == 3
    report = json.loads((tmp_path / "report.json").read_text("utf-8"))
    assert "file-empty" in [problem["code"] for problem in report["problems"]]


def test_a_fault_of_ours_is_no_traceback(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("boom")

    put(tmp_path / "data", [row()])
    monkeypatch.setattr("sitegen.cli.build", broken)
    ran = run("build")
    assert ran.code == 4
    assert "a fault of sitegen itself: ZeroDivisionError: boom" in ran.err
    assert "Traceback" not in ran.err


def test_what_is_printed_cannot_drive_the_terminal(run: Run, tmp_path: Path) -> None:
    put(tmp_path / "data", [row(result="\x1b[2Jgone")], "a\x1b[31m.parquet")
    ran = run("check")
    assert "gone" in ran.err
    assert "\x1b" not in ran.err + ran.out


def test_of_very_many_problems_the_first_are_shown_and_the_rest_counted() -> None:
    problems = Problems()
    for number in range(1, 31):
        problems.error("id-unusable", Place("a.parquet", number), "no value")
    shown = list(lines(problems))
    assert len(shown) == 21
    assert shown[-1] == "error: a.parquet: 10 more of these [id-unusable]"


def test_the_version(run: Run) -> None:
    assert __version__ in run("--version").out


def test_a_report_that_cannot_be_opened_is_left_as_it_is(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(tmp_path / "data", [row()])
    write(tmp_path / "notes.txt", "mine")
    real = Path.open

    def refuse(self: Path, *arguments: Any, **options: Any) -> Any:
        if self.name == "notes.txt":
            raise PermissionError(13, "Permission denied", str(self))
        return real(self, *arguments, **options)

    monkeypatch.setattr(Path, "open", refuse)
    ran = run("build", "--json-report", "notes.txt")
    monkeypatch.undo()
    assert (ran.code, "Permission denied" in ran.err) == (4, True)
    assert (tmp_path / "notes.txt").read_text("utf-8") == "mine"
