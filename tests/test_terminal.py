"""What the command says of hostile data, names and settings: printable, bounded lines, none of them forged."""

from __future__ import annotations

import ast
import json
import os
import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pyarrow as pa
import pytest

from sitegen.cli import main
from sitegen.errors import LONGEST
from sitegen.fetched import faults_of_paths
from sitegen.progress import TerminalProgress
from tests import polyglot
from tests.factory import put, ranking, row, write
from tests.test_architecture import TREES

# Clears the screen, sets a title, writes into the clipboard, makes a link; forges a line; turns directions.
HOSTILE = "\x1b[2J\x1b]0;t\x07\x1b]52;c;eA==\x07\x1b]8;;http://x\x1b\\\x9b31m"
HOSTILE += "\r\nerror: forged [row-lost]\n\u202eabc\u2066\u200b"
OURS = re.compile(
    r" {0,2}(?:error|notice|info): |In .*: \d|  \d+ more of these \[|What the \[codes\] mean|\d+ errors? in the input"
    r"|\S+: \d|since the earlier build: |Usage: |Try |Error: |$"
)

Say = Callable[..., list[str]]


@pytest.fixture
def say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Say:
    """Runs the command in `tmp_path`; gives the lines that it printed."""
    monkeypatch.chdir(tmp_path)

    def sitegen(*arguments: str) -> list[str]:
        monkeypatch.setattr("sys.argv", ["sitegen", *arguments])
        with suppress(SystemExit):
            main()
        out, err = capsys.readouterr()
        return f"{out}{err}".split("\n")

    return sitegen


def check(lines: list[str]) -> None:
    assert [line for line in lines if not line.isprintable()] == []
    assert max(map(len, lines)) <= LONGEST * 5
    assert [line for line in lines if line.startswith("error: forged")] == []


def hostile_data(data: Path) -> None:
    polyglot.catalogue(data.parent)
    name = HOSTILE.replace("/", "|")
    bad = {"tp": HOSTILE, "wall_s": HOSTILE, "tested_at": HOSTILE, HOSTILE: HOSTILE}
    types = dict.fromkeys(("tp", "wall_s", "tested_at"), pa.string())
    put(
        data,
        [row(f"acme/{HOSTILE}", **bad), row("", **bad), row("/\x1b[31m", **bad)],
        f"bad {name}.parquet",
        types=types,
    )
    write(data / f"no {name}.parquet", HOSTILE)
    write(data / f".hidden {name}.parquet", HOSTILE)
    (data / f"dangling {name}.parquet").symlink_to(HOSTILE)
    (data / f"folder {name}").symlink_to(data.parent)
    put(data, [row()], f"twice {name}.parquet", drop=("model_id",))
    ranking(data, [{"id": HOSTILE, "gated": [HOSTILE]}, {"id": "/"}], name=f"a {name}.json", task=HOSTILE)
    ranking(data, [], name=f"b {name}.json", ranking=HOSTILE)
    write(data / "rankings" / f"c {name}.json", HOSTILE)
    write(
        data / "lists" / "excluded.toml", f"[[exclusion]]\nid = {json.dumps(HOSTILE)}\nkind = {json.dumps(HOSTILE)}\n"
    )
    keys = {HOSTILE: HOSTILE, "dataset": HOSTILE, "title": "x"}
    write(data / "catalog.toml", "".join(f"{json.dumps(k)} = {json.dumps(v)}\n" for k, v in keys.items()))


def test_problems_of_hostile_data_are_lines_of_ours(say: Say, tmp_path: Path) -> None:
    hostile_data(tmp_path / "data")
    lines = say("check", "--data", "data", "--content", "content", "--keep-going", "--json-report", "report.json")
    check(lines)
    assert [line for line in lines if not OURS.match(line)] == []
    told = {re.findall(r"\[([a-z-]+)\]$", line)[-1] for line in lines if re.search(r"\[[a-z-]+\]$", line)}
    expected = {
        "value-unreadable",
        "id-unusable",
        "file-not-parquet",
        "file-hidden",
        "link-dangling",
        "link-not-followed",
    }
    assert expected | {"column-missing", "ranking-unreadable", "setting-unknown"} <= told
    report = json.loads((tmp_path / "report.json").read_bytes())
    assert all(str(value).isprintable() for problem in report["problems"] for value in problem.values())


def test_a_build_that_stops_and_one_that_goes_on_say_printable_lines(say: Say, tmp_path: Path) -> None:
    hostile_data(tmp_path / "data")
    check(say("check"))
    name = "out\x1b]0;x\x07\u202e"
    put(tmp_path / "small", [row(error=HOSTILE, result=HOSTILE)])
    for _ in range(2):  # the second time nothing has changed
        lines = say("build", "--data", "small", "--out", name, "-v")
        check(lines)
        assert any(line.startswith("out\\x1b]0;x\\x07\\u202e: ") for line in lines)


@pytest.mark.parametrize(
    "arguments",
    [
        ("build", f"--{HOSTILE}"),
        ("build", "--data", HOSTILE),
        ("build", "--out", f"x{HOSTILE}", "--previous", HOSTILE),
        ("build", "--base-url", HOSTILE),
        ("build", "--json-report", f"no/{HOSTILE}"),
        ("build", "--jobs", HOSTILE),
        (HOSTILE,),
        ("fetch", "--dataset", HOSTILE),
        ("fetch", "--tasks", HOSTILE, "--no-results"),
    ],
)
def test_options_are_repeated_printable(say: Say, tmp_path: Path, arguments: tuple[str, ...]) -> None:
    put(tmp_path / "data", [row()])
    check(say(*arguments))


def test_a_settings_file_and_a_list_of_addresses_are_quoted_printable(say: Say, tmp_path: Path) -> None:
    put(tmp_path / "data", [row()])
    write(tmp_path / "sitegen.toml", f"{json.dumps(HOSTILE)} = 1\n")
    check(say("check"))
    (tmp_path / "sitegen.toml").unlink()
    write(tmp_path / "urls.json", json.dumps({"schema": HOSTILE, "version": 1}))
    check(say("check", "--previous", "urls.json"))
    write(
        tmp_path / "content" / "outcomes.toml",
        f"[[outcome]]\nkey = {json.dumps(HOSTILE)}\ntone = {json.dumps(HOSTILE)}\n",
    )
    check(say("check", "--content", "content"))


def test_paths_of_a_dataset_are_quoted_printable() -> None:
    assert all(fault.isprintable() for fault in faults_of_paths([f"{HOSTILE}.parquet", "a/../b", "\x1b[31m"]))


def test_stages_have_names_of_ours_which_rich_would_read_as_markup() -> None:
    """The first argument of `stage` is a word, never a text from elsewhere."""
    calls = [node for tree in TREES.values() for node in ast.walk(tree) if isinstance(node, ast.Call)]
    stages = [node for node in calls if isinstance(node.func, ast.Attribute) and node.func.attr == "stage"]
    names = [node.args[0].value if isinstance(node.args[0], ast.Constant) else None for node in stages]
    own = [name for name in names if name is None]
    assert len(own) == 2, "the two of `progress.py`, which hand the name on"
    assert all(isinstance(name, str) and name.isalpha() for name in names if name is not None)
    with TerminalProgress().stage("read", 1):
        pass


def test_no_text_is_a_command_of_a_runner_wherever_it_stands(say: Say, tmp_path: Path) -> None:
    """GitHub's runners take `::name::` for a command at the start of a line, and `##[name]` anywhere."""
    put(tmp_path / "data", [row(result="##[stop-commands]x")], "##[error]forged.parquet")
    put(tmp_path / "data", [row("o/##[error]a")], "::error::forged.parquet")
    for form in ("text", "github", "json"):
        lines = say("check", "--format", form)
        assert any("forged" in line for line in lines)
        assert not [line for line in lines if "##[" in line and form != "json"]
        assert not [line for line in lines if line.startswith("::") and not re.match("::(error|warning|notice) ", line)]


def test_a_file_with_a_long_name_is_annotated(say: Say, tmp_path: Path) -> None:
    path = put(tmp_path / "data", [row(result="FLAKY")])
    path.rename(path.with_name(os.fsdecode(b"\xff" * 200 + b".parquet")))
    assert any(line.startswith("::warning title=result-unknown::") for line in say("check", "--format", "github"))
