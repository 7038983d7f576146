"""The line as a whole: facts in equal facts out, equal bytes, all or nothing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections import Counter
from contextlib import suppress
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from sitegen.build import build, inspect, stop_on
from sitegen.config import Settings
from sitegen.errors import BadInput, Place, Problems, StrictNotices, Unfinished
from sitegen.render import Renderer
from sitegen.write import Written
from tests.factory import put, row, write
from tests.make_results import write_results
from tests.outline import outline

CPU = Path(__file__).parent / "data" / "cpu"


def contents(folder: Path) -> dict[str, bytes]:
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def cpu_rows() -> list[dict[str, Any]]:
    return [fact for file in sorted(CPU.glob("*.parquet")) for fact in pq.read_table(file).to_pylist()]


@pytest.fixture(scope="module")
def cpu(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The real results that were measured on a CPU, built."""
    out = tmp_path_factory.mktemp("cpu") / "site"
    build(Settings(data=CPU, out=out))
    return out


def folder_of(site: Path, fact: dict[str, Any]) -> Path:
    pair: str = f"{fact['neuronx_cc']}-{fact['library']}-{fact['library_version']}".replace("+", "-")
    return site.joinpath("models", *fact["model_id"].lower().split("/"), pair)


def test_every_row_has_its_page_and_its_files_byte_for_byte(cpu: Path) -> None:
    rows = cpu_rows()
    assert len(rows) == 61
    for fact in rows:
        folder = folder_of(cpu, fact)
        assert (folder / "run.py").read_bytes() == fact["run_py"].encode()
        if fact["error"]:
            assert (folder / "error.log").read_bytes() == fact["error"].encode()
        else:
            assert not (folder / "error.log").exists()
    assert len(list(cpu.glob("models/*/*/*/index.html"))) == len(rows)


def test_a_page_says_what_its_row_says(cpu: Path) -> None:
    for fact in cpu_rows():
        text = outline((folder_of(cpu, fact) / "index.html").read_text("utf-8"))
        box = text.partition("## Result")[2].partition("## What this result")[0]
        box = box.partition("A newer version pair")[0]  # which says what another result is
        assert f"# {fact['model_id']}\n" in text
        assert f"\n{fact['result']}" in box
        assert f"torch {fact['neuronx_cc']} / transformers {fact['library_version']}" in text
        assert f"{fact['wall_s']:,} s" in box
        assert f"{fact['tested_at']:%Y-%m-%d %H:%M} UTC" in box
        assert ("CPU match" in box) == (fact["cpu_match"] == "32/32")
        assert "no Trainium was involved" in text
        assert "exit_code" in text  # a column that the schema does not know
        # The words of the catalogue stand everywhere, and no others.
        assert "This run on CPU" in box
        assert "neuronx-cc" not in text


def test_the_counts_on_the_pages_equal_the_counts_in_the_data(tmp_path: Path) -> None:
    write_results(tmp_path / "data", pairs=3, models=60, seed=7, ranked=40)
    report = build(Settings(data=tmp_path / "data", out=tmp_path / "site"))
    rows = [fact for file in (tmp_path / "data").glob("*.parquet") for fact in pq.read_table(file).to_pylist()]
    assert report.counts["rows"] == report.counts["runs"] == len(rows)
    assert report.counts["results"] == len({(r["model_id"], r["neuronx_cc"], r["library_version"]) for r in rows})
    assert len(list((tmp_path / "site").glob("models/*/*/*/index.html"))) == report.counts["results"]
    words = {"PASS": "PASS", "FAIL": "FAIL", "EXCLUDED": "Excluded"}
    for pair in {(r["neuronx_cc"], r["library_version"]) for r in rows}:
        wanted = Counter(words[r["result"]] for r in rows if (r["neuronx_cc"], r["library_version"]) == pair)
        page = tmp_path / "site" / "versions" / f"{pair[0]}-transformers-{pair[1]}".replace("+", "-") / "all/index.html"
        found = Tallies(page.read_text("utf-8")).counts
        assert {word: found[word] for word in wanted} == wanted
        assert sum(found.values()) == report.counts["models"]


class Tallies(HTMLParser):
    """The summary line of a list, as counts by label."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.counts: Counter[str] = Counter()
        self._inside = False
        self._words: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._inside = self._inside or (tag == "ul" and dict(attrs).get("class") == "tallies")

    def handle_endtag(self, tag: str) -> None:
        if self._inside and tag == "li":
            number, *label = " ".join(self._words).split()
            self.counts[" ".join(label)] += int(number.replace(",", ""))
            self._words = []
        self._inside = self._inside and tag != "ul"

    def handle_data(self, data: str) -> None:
        if self._inside:
            self._words.append(data)


def test_the_same_input_gives_the_same_bytes_on_any_number_of_processes(cpu: Path, tmp_path: Path) -> None:
    build(Settings(data=CPU, out=tmp_path / "one", jobs=1))
    build(Settings(data=CPU, out=tmp_path / "two", jobs=2))
    assert contents(tmp_path / "one") == contents(tmp_path / "two") == contents(cpu)


def test_hash_seed_time_zone_and_locale_change_nothing(tmp_path: Path) -> None:
    put(tmp_path / "data", [row(), row("acme/ä-1b"), row("acme/B-1b", result="FAIL", error="E: boom")])
    for number, env in enumerate(
        ({"PYTHONHASHSEED": "0", "TZ": "UTC"}, {"PYTHONHASHSEED": "1", "TZ": "Asia/Tokyo", "LC_ALL": "C"})
    ):
        command = [sys.executable, "-m", "sitegen", "build", "--data", "data", "--out", f"site{number}", "--jobs", "1"]
        subprocess.run(command, cwd=tmp_path, env=os.environ | env, check=True, capture_output=True)
    assert contents(tmp_path / "site0") == contents(tmp_path / "site1")


def test_a_second_build_writes_nothing_and_leaves_the_folder_alone(tmp_path: Path) -> None:
    put(tmp_path / "data", [row()])
    settings = Settings(data=tmp_path / "data", out=tmp_path / "site", jobs=1)
    first = build(settings)
    before = {p: p.stat() for p in [tmp_path / "site", *(tmp_path / "site").rglob("*")]}
    second = build(settings)
    assert first.written is not None
    assert second.written is not None
    assert list(first.written.written) == sorted(first.plan.paths)
    assert second.written == Written((), len(first.plan.outputs), ())
    assert {p: (s.st_ino, s.st_mtime_ns) for p, s in before.items()} == {
        p: (p.stat().st_ino, p.stat().st_mtime_ns) for p in before
    }


def test_an_incremental_build_equals_a_clean_one(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path / "data", out=tmp_path / "site", jobs=1)
    put(tmp_path / "data", [row(), row("acme/withdrawn-1b", result="FAIL", error="E: boom")])
    build(settings)
    put(tmp_path / "data", [row(result="FAIL", error="E: other"), row("acme/new-1b")])
    report = build(settings)
    build(Settings(data=tmp_path / "data", out=tmp_path / "fresh", jobs=1))
    assert contents(tmp_path / "site") == contents(tmp_path / "fresh")
    assert report.written is not None
    assert len(report.written.pruned) > 0
    assert not [p for p in contents(tmp_path / "site") if "withdrawn" in p]


def test_a_page_that_cannot_be_made_stops_the_build_and_keeps_the_site(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(tmp_path / "data", [row()])
    settings = Settings(data=tmp_path / "data", out=tmp_path / "site", jobs=1)
    build(settings)
    before = contents(tmp_path / "site")

    def broken(self: Renderer, output: Any, reader: Any) -> bytes:
        raise ZeroDivisionError("a fault of ours")

    put(tmp_path / "data", [row("acme/other-1b")])
    monkeypatch.setattr(Renderer, "render", broken)
    with pytest.raises(Unfinished, match="could not be made: ZeroDivisionError"):
        build(settings)
    assert contents(tmp_path / "site") == before
    assert [p.name for p in tmp_path.iterdir() if p.name.startswith(".")] == []


def test_an_error_stops_before_anything_is_written(tmp_path: Path) -> None:
    put(tmp_path / "data", [row()])
    write(tmp_path / "data" / "empty.parquet", b"")
    with pytest.raises(BadInput) as raised:
        build(Settings(data=tmp_path / "data", out=tmp_path / "site"))
    assert [problem.code for problem in raised.value.problems.found if problem.level == 3] == ["file-empty"]
    assert not (tmp_path / "site").exists()


def test_keep_going_leaves_the_file_out_and_lists_it_on_the_data_page(tmp_path: Path) -> None:
    put(tmp_path / "data", [row(), row(" ")])
    write(tmp_path / "data" / "empty.parquet", b"")
    report = build(Settings(data=tmp_path / "data", out=tmp_path / "site", keep_going=True, jobs=1))
    text = outline((tmp_path / "site" / "data" / "index.html").read_text("utf-8"))
    assert "empty.parquet" in text
    assert "0 bytes" in text
    assert report.counts["refused"] == 1
    assert "row 2" in text


def test_strict_stops_at_a_notice_before_anything_is_rendered(tmp_path: Path) -> None:
    put(tmp_path / "data", [row(result="FLAKY")])
    with pytest.raises(StrictNotices):
        build(Settings(data=tmp_path / "data", out=tmp_path / "site", strict=True))
    assert not (tmp_path / "site").exists()


def test_inspect_writes_nothing(tmp_path: Path) -> None:
    put(tmp_path / "data", [row()])
    report = inspect(Settings(data=tmp_path / "data", out=tmp_path / "site"))
    assert report.written is None
    assert report.counts["results"] == 1
    assert [p.name for p in tmp_path.iterdir()] == ["data"]


def test_no_text_of_a_log_or_a_script_is_in_data_for_scripts(tmp_path: Path) -> None:
    put(tmp_path / "data", [row(result="FAIL", error="LOGWORD\nValueError: x\n", run_py="SCRIPTWORD = 1\n")])
    build(Settings(data=tmp_path / "data", out=tmp_path / "site", jobs=1))
    for path, data in contents(tmp_path / "site").items():
        if path.endswith(".js"):
            assert b"LOGWORD" not in data
            assert b"SCRIPTWORD" not in data


def test_the_not_recorded_pair_has_pages_too(tmp_path: Path) -> None:
    put(tmp_path / "data", [row(), row("acme/bare-1b", neuronx_cc=None, library=None, library_version=None)])
    report = build(Settings(data=tmp_path / "data", out=tmp_path / "site", jobs=1))
    assert report.counts["pairs"] == 2
    page = next(p for p in (tmp_path / "site/models/acme/bare-1b").iterdir() if p.is_dir())
    text = outline((page / "index.html").read_text("utf-8"))
    assert "neuronx-cc version not recorded / library not recorded version not recorded" in text
    assert json.dumps(None) not in text.partition("Raw row")[0]


def test_lost_rows_stop_even_when_keeping_going(tmp_path: Path) -> None:
    problems = Problems()
    problems.error("rows-lost", Place("a.parquet"), "5 rows, but 4 runs")
    with pytest.raises(Unfinished):
        stop_on(problems, Settings(keep_going=True))


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends processes with the one that started them")
def test_the_processes_of_a_build_that_is_killed_end_with_it(tmp_path: Path) -> None:
    write_results(tmp_path / "data", pairs=2, models=120, seed=3, ranked=10)
    command = [sys.executable, "-m", "sitegen", "build", "-q", "--data", "data", "--out", "site", "--jobs", "2"]
    with subprocess.Popen(command, cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(CPU.parents[2])}) as process:
        children: list[int] = []
        stop = time.monotonic() + 60
        while not children and process.poll() is None and time.monotonic() < stop:
            time.sleep(0.05)
            children = [pid for pid in children_of(process.pid) if renders(pid)]
        assert children
        time.sleep(1)
        process.kill()
    time.sleep(0.1)
    assert [pid for pid in children if renders(pid)] == []


def renders(pid: int) -> bool:
    """Whether a child process renders: it is a copy of its parent, or was started afresh."""
    return b"--jobs" in (line := cmdline(pid)) or b"spawn_main" in line


def children_of(pid: int) -> list[int]:
    """Of `/proc/<pid>/stat` the parent is the second field behind the name in brackets."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            if int(entry.read_text("ascii", "replace").rpartition(")")[2].split()[1]) == pid:
                found.append(int(entry.parent.name))
    return found


def cmdline(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""
