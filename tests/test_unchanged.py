"""A build that has nothing to do is over at once, and any change of what it is given or has left makes it whole."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from sitegen import unchanged
from tests.factory import put, ranking, row, write

Run = Callable[..., subprocess.CompletedProcess[str]]
PROGRAM = "import sys; from sitegen.__main__ import main; main(); print('imported', 'sitegen.cli' in sys.modules)"


@pytest.fixture
def catalogue(tmp_path: Path) -> Path:
    put(tmp_path / "data", [row("acme/a"), row("acme/b", result="PARTIAL")])
    ranking(tmp_path / "data", ["acme/a", "acme/c"])
    return tmp_path


@pytest.fixture
def run(catalogue: Path) -> Run:
    def build(*options: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", PROGRAM, "build", "--data", "data", *(options or ("--out", "out"))]
        environment = {**os.environ, "PYTHONPATH": str(Path.cwd())}
        return subprocess.run(command, cwd=catalogue, env=environment, capture_output=True, text=True, check=True)

    return build


def whole(ran: subprocess.CompletedProcess[str]) -> bool:
    assert ran.stdout.splitlines()[-1] in ("imported True", "imported False")
    return ran.stdout.endswith("imported True\n")


def test_it_says_the_same_and_imports_nothing(run: Run) -> None:
    first, second = run(), run()
    assert (whole(first), whole(second)) == (True, False)
    assert second.stderr == first.stderr
    assert "PARTIAL" in second.stderr
    line = second.stdout.splitlines()[0]
    assert ", 0 written, " in line
    assert (
        line.rpartition(", 0 written")[0] == first.stdout.splitlines()[0].partition(" written")[0].rpartition(", ")[0]
    )


def test_without_out_it_is_the_folder_site(run: Run) -> None:
    assert whole(run("--jobs", "1"))
    assert not whole(run("--jobs", "1"))


@pytest.mark.parametrize(
    "change",
    [
        lambda base: put(base / "data", [row("acme/a")]),
        lambda base: put(base / "data", [row("acme/d")], "more.parquet"),
        lambda base: (base / "data" / "results.parquet").rename(base / "data" / "other.parquet"),
        lambda base: write(base / "data" / "catalog.toml", 'title = "Ours"\n'),
        lambda base: write(base / "data" / "lists" / "selected.toml", ""),
        lambda base: (base / "data" / "rankings" / "ranking.json").unlink(),
        lambda base: write(base / "sitegen.toml", "strict = false\n"),
        lambda base: (base / "out" / "index.html").unlink(),
        lambda base: shutil.rmtree(base / "out" / "docs"),
        lambda base: write(base / "out" / "models" / "acme" / "more.txt", "x"),
        lambda base: (base / "out" / "data").rename(base / "out" / "date"),
        lambda base: shutil.move(base / "out", base / "away"),
        lambda base: write(base / ".out.sitegen-lock", ""),
        lambda base: (base / ".out.sitegen-state").unlink(),
        lambda base: write(base / ".out.sitegen-state", "x\0y"),
    ],
)
def test_what_changed_is_seen(run: Run, catalogue: Path, change: Callable[[Path], object]) -> None:
    run()
    assert not whole(run())
    change(catalogue)
    assert whole(run())


def test_a_pipe_is_not_waited_for_and_a_loop_of_links_is_none(run: Run, catalogue: Path) -> None:
    os.mkfifo(catalogue / "data" / "pipe")
    (catalogue / "data" / "loop").symlink_to(catalogue / "data")
    (catalogue / "data" / "dangling.txt").symlink_to(catalogue / "nowhere")
    run()
    assert not whole(run())


SAYING_MORE = "-v", "-qv", "--changes=x", "--json-report=x", "--help", "--strict --changes x", "--json-report x"


def test_folders_that_are_links_are_looked_into(run: Run, catalogue: Path) -> None:
    shutil.move(catalogue / "data" / "rankings", catalogue / "shared")
    (catalogue / "data" / "rankings").symlink_to(catalogue / "shared")
    assert "not followed" not in run().stderr
    assert not whole(run())
    ranking(catalogue, ["acme/z"]).replace(catalogue / "shared" / "ranking.json")
    assert whole(run())
    assert not whole(run())
    (catalogue / "out").rename(catalogue / "away")
    (catalogue / "out").symlink_to(catalogue / "away")
    with pytest.raises(subprocess.CalledProcessError):  # the whole build refuses a link
        run()


def test_a_state_is_kept_only_of_what_was_read_and_is_there(
    run: Run, catalogue: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither an input that was replaced meanwhile and put back, nor an output that was taken away, is signed."""
    run()
    out, data = str(catalogue / "out"), [str(catalogue / "data")]
    before = unchanged.touched(data)
    shutil.copy2(catalogue / "data" / "results.parquet", catalogue / "copy")
    (catalogue / "copy").replace(catalogue / "data" / "results.parquet")
    assert unchanged.touched(data) != before
    assert unchanged.state_of(out, ["index.html", "docs/index.html"])
    (catalogue / "out" / "docs" / "index.html").unlink()
    assert unchanged.state_of(out, ["index.html", "docs/index.html"]) is None


@pytest.mark.parametrize("options", SAYING_MORE)
def test_one_that_shall_say_more_is_whole(
    run: Run, catalogue: Path, monkeypatch: pytest.MonkeyPatch, options: str
) -> None:
    monkeypatch.chdir(catalogue)
    monkeypatch.setattr(unchanged, "_found", lambda *_: [])
    given = ["build", "--out", "out", *options.split()]
    run()
    state = unchanged.state_of("out", ["index.html"])
    assert state is not None
    unchanged.remember("out", unchanged.given(given, []), [], state, [], "")
    assert unchanged.nothing_to_do(given) is None
    assert unchanged.nothing_to_do(given[:3]) is None


def test_other_options_are_another_build(run: Run) -> None:
    run()
    assert whole(run("--out", "out", "--base-url", "https://example.org/"))


def test_code_templates_and_content_decide_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = "sitegen/build.py templates/base.html static/js/a.js content/outcomes.toml data/x.parquet".split()
    found: list[str] = []

    def after(name: str, text: str) -> None:
        write(tmp_path / name, text)
        found.append(unchanged.given(["build"], [str(tmp_path / "data")]))

    monkeypatch.setattr(unchanged, "PACKAGE", str(tmp_path / "sitegen"))
    for name in names:
        after(name, "1")
    for name in names:
        after(name, "2")
    assert len(set(found)) == 2 * len(names)
    after("sitegen/__pycache__/build.pyc", "x")
    assert found[-1] == found[-2]
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    after("jinja2-9.9.dist-info/METADATA", "")
    assert found[-1] != found[-2]


def test_a_link_that_no_build_follows_is_not_followed_here(run: Run, catalogue: Path) -> None:
    write(catalogue / "elsewhere" / "file", "one")
    (catalogue / "data" / "link").symlink_to(catalogue / "elsewhere")
    run()
    write(catalogue / "elsewhere" / "file", "another")
    assert not whole(run())
    (catalogue / "data" / "link").unlink()
    (catalogue / "data" / "link").symlink_to(catalogue)
    assert whole(run())


def test_a_pipe_in_the_place_of_the_state_is_not_read(run: Run, catalogue: Path) -> None:
    os.mkfifo(catalogue / ".out.sitegen-state")
    assert whole(run())
