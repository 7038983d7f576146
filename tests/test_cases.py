"""Every case of `tests/cases`, built: exit codes, literal claims, its sentences, and what holds for every site."""

from __future__ import annotations

import errno
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from posixpath import dirname, normpath
from typing import Any
from urllib.parse import unquote, urlsplit
from xml.etree import ElementTree

import pyarrow as pa
import pytest
from jinja2 import Environment, FileSystemBytecodeCache

from sitegen import build as build_module
from sitegen import jinja, render
from sitegen.cli import main
from sitegen.permalinks import Followed
from sitegen.places import MARKER_TEXT
from sitegen.plan import Output, Plan
from sitegen.published import Published
from sitegen.site import Site
from tests.cases.checks import CHECKS, Built, Done
from tests.cases.make_cases import CASES, CONTROL, OLD, Case, Claim, Step, failed, fname, put, row
from tests.cases.site import BuiltSite, Page, contents, script_data
from tests.tooling.node import Node

BY_ID = {case.id: case for case in CASES}
SMALL = [case for case in CASES if not case.big]
# Cases of which a test of its own holds the sentences.
ELSEWHERE = {"B54-two-at-once", "B55-no-space"}
COMMAND = [sys.executable, "-m", "sitegen", "build"]
SEGMENT = re.compile(r"[a-z0-9_-][a-z0-9._-]*(?<!\.)|[A-Za-z0-9_.-]+\.(?:txt|js|css|svg|ttf|LICENSE)|LICENSE")
DEVICE = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)")
FILLER = re.compile(r"(?<![\w./-])(?:None|null|nan|NaN|undefined)(?![\w-])")
CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ufffe\uffff]")


class Runner:
    """Builds in a folder: in this process, or in one of its own where the environment must be there from the start."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder, self.monkeypatch, self.capsys = folder, monkeypatch, capsys

    def run(self, step: Step) -> Done:
        arguments = ["--data", step.data, "--out", step.out, "--jobs", "1", *step.options]
        if (self.folder / "content").is_dir():
            arguments += ["--content", "content"]
        here = self.folder / step.cwd
        out = here / step.out
        before = contents(out)
        apart = "PYTHONHASHSEED" in dict(step.env)
        code, stdout, stderr = (self._apart if apart else self._inside)(step, arguments, here)
        assert "Traceback" not in stdout + stderr
        assert "fault of sitegen" not in stderr
        assert code in step.codes, stderr
        if code:
            assert contents(out) == before
        return Done(out, code, stdout, stderr, before)

    def _inside(self, step: Step, arguments: list[str], here: Path) -> tuple[int, str, str]:
        with self.monkeypatch.context() as patch:
            patch.chdir(here)
            patch.setattr(sys, "argv", ["sitegen", "build", *arguments])
            for name, value in step.env:
                patch.setenv(name, str(self.folder / value) if name == "HOME" else value)
            try:
                main()
                code = 0
            except SystemExit as stop:
                code = int(stop.code or 0)
        printed = self.capsys.readouterr()
        return code, printed.out, printed.err

    def _apart(self, step: Step, arguments: list[str], here: Path) -> tuple[int, str, str]:
        environment = os.environ | dict(step.env)
        done = subprocess.run(
            [*COMMAND, *arguments], cwd=here, env=environment, capture_output=True, encoding="utf-8", check=False
        )
        return done.returncode, done.stdout, done.stderr


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> FileSystemBytecodeCache:
    """Templates that were compiled once: half of the time of a small build."""
    return FileSystemBytecodeCache(str(tmp_path_factory.mktemp("templates")))


@pytest.fixture
def runner(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    compiled: FileSystemBytecodeCache,
) -> Runner:
    def environment(templates: Path, **names: Any) -> Environment:
        made = jinja.environment(templates, **names)
        made.bytecode_cache = compiled
        return made

    monkeypatch.setattr(render, "environment", environment)
    return Runner(tmp_path, monkeypatch, capsys)


def test_every_small_case_has_a_check() -> None:
    assert len(BY_ID) == len(CASES)
    assert {case.id for case in SMALL} == set(CHECKS) | ELSEWHERE


@pytest.mark.parametrize("case", SMALL, ids=lambda case: case.id)
def test_case(case: Case, runner: Runner, node: Node) -> None:
    case.make(runner.folder)
    if case.id == "B42-large-index":
        # What is left out of the plan is left out of the site too.
        runner.monkeypatch.setattr("sitegen.write.Stage._keep", lambda _stage, _path: None)
        runner.monkeypatch.setattr(build_module, "plan_site", few_outputs)
    done = [runner.run(step) for step in case.steps]
    for one in done:
        if one.code == 0:
            hold_site(one.site, partial=case.id == "B42-large-index")
    for claims, right in ((case.expect, True), (case.never, False)):
        for claim in claims:
            if isinstance(claim, Claim):
                assert holds(claim, done) is right, claim
    if case.id in CHECKS:
        CHECKS[case.id](Built(runner.folder, done, node))


def few_outputs(
    site: Site, previous: Published | None, plan_site: object = build_module.plan_site
) -> tuple[Plan, Followed, Published]:
    """The plan of a large site without most of its pages, which are like others."""
    assert callable(plan_site)
    plan, followed, now = plan_site(site, previous)
    control = site.addresses.models[CONTROL]

    def kept(output: Output) -> bool:
        first = output.path.partition("/")[0]
        return output.path in ("index.html", "all/index.html") or output.path.startswith(control) or first in (
            "assets", "data", "docs", "search", "static",
        )  # fmt: skip

    return Plan(tuple(filter(kept, plan.outputs)), plan.paths), followed, now


def holds(claim: Claim, done: list[Done]) -> bool:
    if claim.where == "stderr":
        return any(claim.text in one.stderr for one in done)
    sites = [one.site for one in done if one.code == 0]
    return any(site.says(claim.text, claim.where) for site in sites if claim.where in ("site", *site.names))


# --------------------------------------------------------------------------- what holds for every site


def hold_site(site: BuiltSite, partial: bool = False) -> None:
    """The control is there; every model has its page; paths, pages and links are as they must be."""
    assert site.says(CONTROL, CONTROL)
    if not partial:
        listed = {row["id"] for page in list_pages(site) for row in page.rows()}
        assert listed == set(site.names)
        assert CONTROL in listed
        assert all(f"{folder}index.html" in site.pages for folder in site.names.values())
    assert len(set(site.names.values())) == len(site.names)
    for path in site.paths:
        hold_path(path)
    for path, page in site.pages.items():
        hold_page(path, page)
        if path != "404.html" and len(site.pages) < 300 and not partial:
            hold_links(site, path, page)


def list_pages(site: BuiltSite) -> list[Page]:
    return [page for path, page in site.pages.items() if re.fullmatch(r"all/(page-\d+/)?index\.html", path)]


def hold_path(path: str) -> None:
    assert len(path) <= 200
    for segment in path.split("/"):
        assert len(segment) <= 100
        assert SEGMENT.fullmatch(segment), path
        assert not DEVICE.match(segment), path


def hold_page(path: str, page: Page) -> None:
    assert len(page.ids) == len(set(page.ids)), path
    assert not CONTROLS.search(page.html), path
    if not path.startswith("docs/"):
        assert not FILLER.search(page.text), (path, FILLER.findall(page.text))
    for element in page.elements:
        assert element.tag not in ("style", "iframe", "object", "base"), path
        assert not [name for name in element.attributes if name == "style" or name.startswith("on")], path
        data_block = element.attributes.get("type") == "application/ld+json"
        assert element.tag != "script" or data_block or "src" in element.attributes, path


def hold_links(site: BuiltSite, path: str, page: Page) -> None:
    """Links are relative, name a file that is there, and an anchor that it has."""
    for element in page.elements:
        for name in ("href", "src", "action", "data-rows"):
            href = element.attributes.get(name)
            if href is None or href.startswith("https://"):
                continue
            parts = urlsplit(href)
            assert not parts.scheme, (path, href)
            assert not parts.netloc, (path, href)
            assert not parts.path.startswith("/"), (path, href)
            target = normpath(f"{dirname(path)}/{unquote(parts.path)}").removeprefix("/") if parts.path else path
            assert target in site.paths_set, (path, href)
            if parts.fragment and target.endswith(".html"):
                assert parts.fragment in site.pages[target].ids, (path, href)


# ------------------------------------------------------------------------------- cases beside each other


def test_the_order_of_files_changes_nothing_but_their_names(runner: Runner) -> None:
    """B04."""
    pages = []
    for order in ("first", "last"):
        case = BY_ID[f"B04-poor-file-{order}"]
        case.make(runner.folder / order)
        site = runner.run(Step(data=f"{order}/data", out=f"{order}/site")).site
        text = {path: re.sub(r"part-\d", "part", "\n".join(page.lines)) for path, page in site.pages.items()}
        pages.append({path: lines for path, lines in text.items() if not path.startswith("data/")})
    assert pages[0] == pages[1]


def test_text_stored_as_bytes_gives_the_same_site(runner: Runner) -> None:
    """B14."""
    BY_ID["B14-text-as-bytes"].make(runner.folder)
    put(runner.folder / "as_text", [row(), failed("acme/bytes-1b", "E: naïve 模型 ✓")])
    found = [contents(runner.run(Step(data, data + "_site")).out) for data in ("data", "as_text")]
    sizes = [re.sub(rb"<td class=\"num\">[\d.]+ KB</td>", b"", files.pop("data/index.html")) for files in found]
    assert found[0] == found[1]
    assert sizes[0] == sizes[1]


def test_a_file_that_is_left_out_leaves_no_trace_of_its_rows(runner: Runner) -> None:
    """B05: a damaged file whose first rows can be read is left out whole; equal rows elsewhere count."""
    data = runner.folder / "data"
    put(data, [row()], "b.parquet")
    rows = [row(), *(row(f"acme/lost-{i}", notes=f"{i} " * 9000) for i in range(40))]
    path = put(data, rows, "a.parquet", {"row_group_size": 1, "compression": "none", "use_dictionary": False})
    damaged = bytearray(path.read_bytes())
    middle = len(damaged) // 2
    damaged[middle : middle + 30_000] = b"\xff" * 30_000
    path.write_bytes(damaged)
    refused = runner.run(Step(codes=(3,)))
    assert "a.parquet" in refused.stderr
    going = runner.run(Step(options=("--keep-going",)))
    assert list(going.site.names) == [CONTROL]
    assert "2 files, 1 rows, 1 runs, 0 duplicates" in going.stdout


# ------------------------------------------------------------------------------------------- neighbours


@pytest.mark.parametrize("name", ["result", "neuronx_cc", "library", "library_version", "tested_at", "run_py", "tp"])
def test_any_column_but_the_id_may_be_missing(name: str, runner: Runner) -> None:
    """B01."""
    put(runner.folder / "data", [row(pair=OLD)], fname(OLD))
    put(runner.folder / "data", [row("acme/poor-1b")], drop=[name])
    site = runner.run(Step()).site
    hold_site(site)
    assert site.says("not recorded", "acme/poor-1b")


def test_every_column_takes_markup_and_control_characters(runner: Runner) -> None:
    """B24, B28: whatever the column, the text is text, on every page that shows it."""
    hostile = "<i>x</i>\x07\x1b[31m</title><script>"
    names = (
        "library result notes error exclusion cpu_match english neuronx_cc library_version transformers accelerate"
        " torch_neuronx torch nki python neuron_driver runner run_py"
    ).split()
    rows = [row(f"acme/x-{name}") | {name: f"{name} {hostile}"} for name in names]
    put(runner.folder / "data", [row(), *rows])
    site = runner.run(Step()).site
    hold_site(site)
    for path, page in site.pages.items():
        assert not [element for element in page.elements if element.tag == "i"], path
        inline = [script for script in page.all("script") if "src" not in script.attributes]
        assert all(script.attributes == {"type": "application/ld+json"} for script in inline), path
    for name in names:
        assert site.says(f"{name} <i>x</i>", f"acme/x-{name}"), name


@pytest.mark.parametrize("word", ["(B", "7", "[0", "[?25l", "]0;title\x07", "P1$r\x1b\\", "%G", "c", "M"])
def test_no_rest_of_a_terminal_code_is_visible(word: str, runner: Runner) -> None:
    """B27."""
    put(runner.folder / "data", [row(), failed("acme/codes-1b", f"before \x1b{word}\nafter\n\x9b31mred\x9b0m")])
    log = runner.run(Step()).site.result("acme/codes-1b").one("pre", id="log-head")
    assert log.text == "before \nafter\nred\n"


def test_ids_that_nobody_can_see_are_refused(runner: Runner) -> None:
    """B15: control and format characters alone are no name."""
    put(runner.folder / "data", [row(), *map(row, ("\x00", "acme/\u200b", "\u2060/x", "\x1b"))])
    assert len(runner.run(Step(codes=(3,))).problems("error")) == 4


def test_hidden_folders_are_named_when_they_hold_results(runner: Runner) -> None:
    """B09: at any depth; a folder that holds none is passed over without a word."""
    data = runner.folder / "data"
    put(data, [row()])
    put(data / "deep" / "_old", [row("acme/hidden-1b")])
    (data / ".git").mkdir()
    done = runner.run(Step())
    (info,) = (line for line in done.problems("info") if "hidden" in line)
    assert "deep/_old" in info
    assert list(done.site.names) == [CONTROL]


def test_a_folder_that_cannot_be_listed_is_an_error(runner: Runner) -> None:
    """B55: what is behind it is not left out silently."""
    closed = put(runner.folder / "data" / "closed", [row("acme/lost-1b")]).parent
    put(runner.folder / "data", [row()])
    scandir = os.scandir

    def refusing(path: str | int = ".") -> object:
        if path == "data/closed":
            raise PermissionError(errno.EACCES, "Permission denied", path)
        return scandir(path)

    runner.monkeypatch.setattr(os, "scandir", refusing)
    (problem,) = runner.run(Step(codes=(3,))).problems("error")
    assert closed.name in problem
    assert "Permission denied" in problem


def test_names_that_are_not_files_and_not_utf8(runner: Runner) -> None:
    """B09, B10: a pipe never blocks the build; a name that is not UTF-8 is read and shown."""
    data = runner.folder / "data"
    path = put(data, [row()])
    os.rename(path, os.fsencode(data) + b"/odd-\xff.parquet")  # noqa: PTH104 - a name that is not UTF-8
    assert runner.run(Step()).site.says("odd-\\xff.parquet", CONTROL)
    os.mkfifo(data / "pipe.parquet")
    (problem,) = runner.run(Step(codes=(3,))).problems("error")
    assert "pipe.parquet" in problem


@pytest.mark.parametrize("task", ["Text-Generation", " text-generation", "text-generation"])
def test_two_snapshots_of_one_task_are_one(task: str, runner: Runner) -> None:
    """B57: the newer one counts, whatever the case of the task's name."""
    BY_ID["B57-rankings"].make(runner.folder)
    folder = runner.folder / "data" / "rankings"
    text = (folder / "trending-text-generation.json").read_text("utf-8")
    (folder / "z.json").write_text(text.replace('"text-generation"', f'"{task}"').replace("-10-30", "-10-29"), "utf-8")
    done = runner.run(Step())
    assert any("snapshot of trending for" in notice for notice in done.problems("notice"))
    assert done.site.page("trending/index.html").says("2026-10-30")


def test_the_source_of_a_ranking_is_a_link_only_when_it_is_an_address(runner: Runner) -> None:
    """B30."""
    BY_ID["B57-rankings"].make(runner.folder)
    path = runner.folder / "data" / "rankings" / "trending-text-generation.json"
    path.write_text(re.sub(r'"source": ".*?"', '"source": "javascript:alert(1)"', path.read_text("utf-8")), "utf-8")
    site = runner.run(Step()).site
    assert all("javascript:" not in page.html for page in site.pages.values())


def test_progress_bars_show_their_last_state_however_long(runner: Runner) -> None:
    """B33: a bar of 600 KB in one line, then a log of 5,000 lines and its last exception."""
    bar = "".join(f"\r{i:06}/100000 done" for i in range(30_000))
    log = f"start\n{bar}\nloaded\nValueError: the end\n"
    put(runner.folder / "data", [row(), failed("acme/bar-1b", log)])
    page = runner.run(Step()).site.result("acme/bar-1b")
    assert page.one("pre", id="log-head").text == "start\n029999/100000 done\nloaded\nValueError: the end\n"
    assert not page.all("p", _class="gap")


def test_lines_are_counted_as_python_counts_them(runner: Runner) -> None:
    """B31: CR alone ends a line too; form feed and the separators of Unicode do not."""
    put(runner.folder / "data", [row(), row("acme/lines-1b", run_py="a = 1\rb = 2\r\nc = '\x0c\u2028\x85'\nraise d")])
    page = runner.run(Step()).site.result("acme/lines-1b")
    assert page.one("span", id="L4").text == "raise d\n"
    assert "L5" not in page.ids


def test_docs_of_one_address_are_named(runner: Runner) -> None:
    """B16: names that differ only in case, here an author's page beside one of ours; hidden files are no pages."""
    put(runner.folder / "data", [row()])
    docs = runner.folder / "content" / "docs"
    docs.mkdir(parents=True)
    (docs / "._new.md").write_bytes(b"\x00\xff")
    (docs / "new.md").write_text("# A & B\n\n## C & E\n", "utf-8")
    page = runner.run(Step()).site.page("docs/new/index.html")
    assert page.one("title").text.startswith("A & B")
    assert page.says("C & E")
    (docs / "Scope.md").write_text("# Mine\n", "utf-8")
    (problem,) = runner.run(Step(codes=(3,))).problems("error")
    assert "docs/scope.md" in problem
    assert "docs/Scope.md" in problem


def test_one_endless_line_shows_both_its_ends(runner: Runner) -> None:
    """B33: a log without a line break, of which the end names the cause."""
    put(runner.folder / "data", [row(), failed("acme/line-1b", "begin " + "x" * 3_000_000 + " the very end")])
    page = runner.run(Step()).site.result("acme/line-1b")
    assert page.says("begin x")
    assert page.says("x the very end")
    assert "1 long line" in page.one("p", _class="gap").text
    assert len(page.html) < 100_000


# ---------------------------------------------------------------------------- G. output folder and builds


def test_the_same_bytes_from_another_folder_and_with_other_file_times(runner: Runner) -> None:
    """B53."""
    BY_ID["B53-same-bytes"].make(runner.folder)
    BY_ID["B53-same-bytes"].make(runner.folder / "deeper" / "still")
    for path in (runner.folder / "deeper/still/data").iterdir():
        os.utime(path, (0, 0))
    first = runner.run(Step())
    second = runner.run(Step(cwd="deeper/still"))
    assert contents(first.out) == contents(second.out)


def test_two_builds_at_once(runner: Runner) -> None:
    """B54."""
    BY_ID["B54-two-at-once"].make(runner.folder)
    arguments = [*COMMAND, "--data", "data", "--out", "site", "--jobs", "1"]
    # What a process that died left behind does not count.
    (runner.folder / ".site.sitegen-lock").write_bytes(b"")
    (runner.folder / ".site.sitegen-stage").mkdir()
    (runner.folder / ".site.sitegen-stage" / ".sitegen").write_bytes(MARKER_TEXT)
    (runner.folder / ".site.sitegen-stage" / ".texts").write_bytes(b"half")
    running = [
        subprocess.Popen(arguments, cwd=runner.folder, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL)
        for _ in range(2)
    ]
    ends = [(process.communicate()[1].decode(), process.returncode) for process in running]
    assert sorted({code for _, code in ends}) in ([0], [0, 2])
    assert all("another build into site" in stderr for stderr, code in ends if code)
    assert len(BuiltSite(runner.folder / "site").names) == 121
    assert sorted(path.name for path in runner.folder.iterdir()) == [".site.sitegen-state", "data", "site"]


def test_killed_at_any_moment_it_leaves_the_old_site_or_the_new_one(runner: Runner) -> None:
    """B52."""
    BY_ID["B52-odd-values"].make(runner.folder)
    old = contents(runner.run(Step("data_before")).out)
    start = time.monotonic()
    new = contents(runner.run(Step(out="new")).out)
    took = time.monotonic() - start
    for share in (0.5, 1.1, 1.5):
        process = subprocess.Popen(
            [*COMMAND, "--data", "data", "--out", "site"],
            cwd=runner.folder,
            stderr=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )
        time.sleep(took * share)
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert contents(runner.folder / "site") in (old, new)
    assert contents(runner.run(Step()).out) == new
    names = {path.name for path in runner.folder.iterdir()}
    assert names == {".new.sitegen-state", ".site.sitegen-state", "data", "data_before", "new", "site"}


@pytest.mark.parametrize("after", [0, 1, 5, 20])
def test_a_full_disk_leaves_the_old_site(after: int, runner: Runner) -> None:
    """B55: the disk is full after some writes."""
    BY_ID["B55-no-space"].make(runner.folder)
    old = contents(runner.run(Step("data_before")).out)
    write = os.write
    left = after

    def full(descriptor: int, data: bytes) -> int:
        nonlocal left
        left -= 1
        if left < 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return write(descriptor, data)

    runner.monkeypatch.setattr(os, "write", full)
    done = runner.run(Step(codes=(4,)))
    assert "No space left on device; nothing in site was changed" in done.stderr
    assert contents(done.out) == old
    assert sorted(path.name for path in runner.folder.iterdir()) == [
        ".site.sitegen-state",
        "data",
        "data_before",
        "site",
    ]


def test_a_folder_that_cannot_be_written_is_named(runner: Runner) -> None:
    """B55: here because a file lies where its parent should be; a missing permission takes the same way."""
    BY_ID["B55-no-space"].make(runner.folder)
    (runner.folder / "taken").write_text("mine", "utf-8")
    done = runner.run(Step(out="taken/site", codes=(4,)))
    assert "taken" in done.stderr
    assert contents(runner.folder)["taken"] == b"mine"


def test_a_page_that_cannot_be_made_leaves_the_old_site(runner: Runner) -> None:
    """B52: a fault of our own ends in exit 4, whatever it is."""
    put(runner.folder / "data", [row(), row("acme/other-1b")])
    old = contents(runner.run(Step()).out)
    runner.monkeypatch.setattr("sitegen.pages.result._duration", lambda _: 1 // 0)
    done = runner.run(Step(codes=(4,)))
    assert "could not be made: ZeroDivisionError" in done.stderr
    assert contents(done.out) == old


# --------------------------------------------------------------------- what stands beside the results


GIVEN = (
    "data/catalog.toml",
    "data/fetched.json",
    "data/lists/selected.toml",
    "data/lists/excluded.toml",
    "data/rankings/x.json",
    "content/outcomes.toml",
    "content/docs/x.md",
    "content/caveats/experts.md",
)


@pytest.mark.parametrize("kind", ["pipe", "folder", "link", "pointer"])
def test_a_file_that_is_given_and_is_none_is_never_passed_over(kind: str, runner: Runner) -> None:
    """B06, B10: without it the site would say what nobody meant; a pipe would be waited for for ever."""
    put(runner.folder / "data", [row()])
    for name in GIVEN:
        path = runner.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if kind == "pipe":
            os.mkfifo(path)
        elif kind == "folder":
            path.mkdir()
        elif kind == "link":
            path.symlink_to("nowhere")
        else:
            path.write_bytes(b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n")
        done = runner.run(Step(codes=(3,)))
        assert path.name in done.stderr, name
        found = {"pipe": "no file", "folder": "a folder", "link": "nowhere is missing", "pointer": "git lfs pull"}[kind]
        assert found in done.stderr, name
        path.rmdir() if kind == "folder" else path.unlink()


def test_rows_that_differ_only_in_bytes_are_two_runs(runner: Runner) -> None:
    """B12, B14: bytes that are no text, in a column that is not known."""
    rows = [row("acme/bytes-1b")] * 3
    put(runner.folder / "data", [row()])
    put(runner.folder / "data", rows, "bytes.parquet", extra={"blob": pa.array([b"\xffA", b"\xfeA", b"\xfeA"])})
    done = runner.run(Step())
    assert "4 rows, 3 runs, 1 duplicates" in done.stdout
    assert any(done.site.says(shown, "acme/bytes-1b") for shown in (r"\xffA", r"\xfeA"))  # the headline run's


def test_names_that_are_not_utf8_are_two_files(runner: Runner) -> None:
    """B09, B12: equal rows at equal places of files whose names cannot be shown are one run."""
    data = runner.folder / "data"
    for odd in (b"\xe8", b"\xe9"):
        path = put(data, [row()], "x.tmp")
        os.rename(path, os.fsencode(data) + b"/caf" + odd + b".parquet")  # noqa: PTH104 - a name that is not UTF-8
    done = runner.run(Step())
    assert "2 files, 2 rows, 1 runs, 1 duplicates" in done.stdout
    assert done.site.page("data/index.html").says(r"caf\xe9.parquet")


def parse_xml(data: bytes) -> ElementTree.Element:
    return ElementTree.fromstring(data)  # noqa: S314 - our own


def test_every_file_of_an_odd_catalogue_can_be_read(runner: Runner) -> None:
    """B13, B17, B24, B25, B28, B30: feeds, badges, sitemap and data files hold what the pages hold, and are valid."""
    markup, capitals = "acme/<b>|`x`&amp;_*</script>", "Initech/Quark2.5-0.5B-Instruct"
    hostile = "\x00<i>x</i>\x1b[31m]]>\u2028\ufffe"
    rows = [
        row(),
        failed(markup, f"E: {hostile}", notes=hostile, runner=hostile),
        row(capitals, hbm_peak_gb=float("nan"), result=hostile),
    ]
    put(runner.folder / "data", rows)
    site = runner.run(Step(options=("--base-url", "https://example.org/Runs"))).site
    hold_site(site)
    for path in site.paths:
        data = site.read(path)
        if path.endswith(".json"):
            json.loads(data, parse_constant=pytest.fail)
        elif path.endswith((".xml", ".svg")):
            parse_xml(data)
        elif path.endswith(".js") and data.startswith(b"sitegenData("):
            script_data(data, re.split(b'"', data, maxsplit=2)[1].decode())
    listed = {element.text for element in parse_xml(site.read("sitemap.xml")).iter() if element.text}
    for model_id in (markup, capitals):
        folder = site.names[model_id]
        assert f"https://example.org/Runs/{folder}" in listed
        page = site.page(f"{folder}index.html")
        assert page.one("link", rel="canonical").attributes["href"] == f"https://example.org/Runs/{folder}"
        assert json.loads(site.read(f"{folder}model.json"))["id"] == model_id
        assert model_id.split("/")[1] in "".join(parse_xml(site.read(f"{folder}feed.xml")).itertext())
    assert (
        json.loads(site.read(f"{site.names[capitals]}model.json"))["results"][0]["runs"][0]["recorded"]["hbm_peak_gb"]
        is None
    )
    assert "<b>" not in re.sub(r"\\<b", "", site.read(f"{site.names[markup]}model.md").decode())
