"""Where a build may write: each thing that it refuses has its message and exit code, and stays as it was."""

from __future__ import annotations

import errno
import os
import resource
import shutil
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from sitegen import lock, places, write
from sitegen.errors import Refused, SitegenError, Unfinished
from sitegen.places import MARKER, mount_at, refuse_files, refuse_foreign
from sitegen.write import staged
from tests.factory import put, row
from tests.fuzz.kills import Process
from tests.test_write import FIRST, SECOND, beside, files, publish

NOBODY = 65534
REPOSITORY = Path(__file__).parent.parent


@dataclass(frozen=True)
class Ran:
    """A build that has ended."""

    code: int
    said: str


def build(folder: Path, *options: str, limit: int | None = None, jobs: str = "1") -> Ran:
    """The command in a copy of this process, in a folder with a data folder; `limit` is the bytes of a file."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    if limit:
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, before[1]))
    try:
        process = Process(folder, ["build", "--data", "data", "--jobs", jobs, *options], said=folder.parent / "said")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    said = process.wait()
    return Ran(process.code, said)


def without_rights(work: Callable[[], object]) -> str:
    """What the work raises, in a copy of this process that is not root, since nothing is forbidden to root."""
    reading, writing = os.pipe()
    if (child := os.fork()) == 0:
        said = "nothing was raised"
        try:
            if os.getuid() == 0:
                os.setuid(NOBODY)
            work()
        except (SitegenError, OSError) as error:
            said = f"{type(error).__name__}: {error}"
        finally:
            os.write(writing, said.encode())
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as stream:
        said = stream.read()
    os.waitpid(child, 0)
    return said


@pytest.fixture
def shared() -> Iterator[Path]:
    """A folder of one who is not root, with a site in it."""
    folder = Path(tempfile.mkdtemp(prefix="sitegen-places-"))
    publish(folder / "site", {**FIRST, "b/c/d": b"deep"})
    if os.getuid() == 0:
        for path in (folder, *folder.rglob("*")):
            os.chown(path, NOBODY, NOBODY)
    yield folder
    for path in (folder, *(path for path in folder.rglob("*") if path.is_dir())):
        path.chmod(0o700)
    shutil.rmtree(folder)


# -- Rights


def test_a_parent_that_cannot_be_written_is_named_with_what_to_do(shared: Path) -> None:
    """Common in containers, where only the output belongs to the one who builds."""
    shared.chmod(0o555)
    said = without_rights(lambda: publish(shared / "site", SECOND))
    assert said.startswith(f"Unfinished: cannot write into {shared}: Permission denied. ")
    assert f"give a folder inside {shared}/site: --out {shared}/site/www" in said
    assert files(shared / "site") == {**FIRST, "b/c/d": b"deep"}
    assert without_rights(lambda: publish(shared / "site" / "www", SECOND)) == "nothing was raised"
    assert files(shared / "site" / "www") == SECOND


@pytest.mark.parametrize("mode", [0o000, 0o300])
def test_an_output_that_cannot_be_looked_at_is_named(shared: Path, mode: int) -> None:
    (shared / "site").chmod(mode)
    said = without_rights(lambda: refuse_foreign(shared / "site", []))
    (shared / "site").chmod(0o700)
    assert f"Unfinished: the output folder {shared}/site cannot be looked at: Permission denied" == said


@pytest.mark.parametrize("mode", [0o000, 0o500, 0o200])
def test_a_locked_folder_in_the_output_is_replaced_where_it_is_our_own(shared: Path, mode: int) -> None:
    for folder in ("b", "a/b", "a"):
        (shared / "site" / folder).chmod(mode)
    assert without_rights(lambda: publish(shared / "site", SECOND)) == "nothing was raised"
    assert files(shared / "site") == SECOND
    assert beside(shared / "site") == []


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give a folder to somebody else")
def test_where_the_old_site_cannot_be_removed_the_new_one_is_there_and_it_is_said(shared: Path) -> None:
    os.chown(shared / "site" / "b", 0, 0)
    os.chown(shared / "site" / "b" / "c", 0, 0)
    said = without_rights(lambda: publish(shared / "site", SECOND))
    assert said.startswith(f"Unfinished: the new {shared}/site is in its place, but not all of the old one is gone: ")
    assert files(shared / "site") == SECOND
    assert ".site.sitegen-stage" in said + str(beside(shared / "site"))
    publish(shared / "site", SECOND)  # by root: what is left is known as ours, and goes
    assert beside(shared / "site") == []


@pytest.mark.parametrize("umask", [0o077, 0o022, 0o002])
def test_published_files_have_the_rights_that_the_umask_leaves(tmp_path: Path, umask: int) -> None:
    """Those that did not change too, and without a build in between that has something else to do."""
    out = tmp_path / "site"
    for rights in (0o027, umask):
        before = os.umask(rights)
        try:
            publish(out, FIRST)
        finally:
            os.umask(before)
    assert {p.stat().st_mode & 0o777 for p in out.rglob("*") if p.is_file()} == {0o666 & ~umask}
    assert {p.stat().st_mode & 0o777 for p in [out, *out.rglob("*")] if p.is_dir()} == {0o777 & ~umask}


def test_another_umask_is_another_build(tmp_path: Path) -> None:
    put(tmp_path / "data", [row()])
    before = os.umask(0o077)
    try:
        assert build(tmp_path).code == 0
        os.umask(0o022)
        assert build(tmp_path).code == 0
    finally:
        os.umask(before)
    assert (tmp_path / "site" / "index.html").stat().st_mode & 0o777 == 0o644


# -- Mount points, other file systems, full disks


@pytest.mark.parametrize("point", ["site", "site/a/b", "site/with space"])
def test_a_mount_point_is_refused_with_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, point: str) -> None:
    """As is a folder around one: to remove the old site would be to remove what is mounted there."""
    publish(tmp_path / "site", FIRST)
    line = f"36 35 98:0 / {str(tmp_path / point).replace(' ', chr(92) + '040')} rw - ext4 /dev/root rw\n"
    (tmp_path / "mounts").write_text(f"1 1 0:1 / / rw - ext4 /dev/root rw\n{line}")
    monkeypatch.setattr(places, "MOUNTS", str(tmp_path / "mounts"))
    assert mount_at(tmp_path / "site") == str(tmp_path / point)
    assert mount_at(tmp_path / "sit") is None
    what_to_do = "give a folder inside it, --out .*/site/www" if point == "site" else "unmount it"
    with pytest.raises(Refused, match=f"{point} is a mount point.*{what_to_do}"):
        refuse_foreign(tmp_path / "site", [])
    with pytest.raises(Refused, match="is a mount point"):
        publish(tmp_path / "site", SECOND)
    assert files(tmp_path / "site") == FIRST
    refuse_foreign(tmp_path / "site" / "www", [])


@pytest.mark.parametrize(("fault", "why"), [(errno.EBUSY, "mount point or in use"), (errno.EXDEV, "lower layer")])
def test_a_folder_that_the_system_cannot_move_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: int, why: str
) -> None:
    def refused(*_: object) -> None:
        raise OSError(fault, os.strerror(fault))

    publish(tmp_path / "site", FIRST)
    monkeypatch.setattr(write, "_exchange", lambda *_: False)
    monkeypatch.setattr(os, "rename", refused)
    with pytest.raises(Unfinished, match=f"cannot be replaced: .*{why}.*Nothing in .* was changed"):
        publish(tmp_path / "site", SECOND)
    assert files(tmp_path / "site") == FIRST
    assert beside(tmp_path / "site") == []


def test_a_file_that_grows_too_large_ends_the_build_and_keeps_the_site(tmp_path: Path) -> None:
    """The system's own refusal, in the processes that render as in this one, whatever is written by then."""
    put(tmp_path / "data", [row(error="x" * 300_000, result="FAIL")])
    for jobs, size in (("1", 100_000), ("2", 350_000), ("1", 2_000)):
        ran = build(tmp_path, limit=size, jobs=jobs)
        assert ran.code == 4, ran.said
        assert "File too large; nothing in site was changed" in ran.said
        assert "Traceback" not in ran.said
        assert sorted(path.name for path in tmp_path.iterdir()) == ["data"]


# -- Names


def test_however_the_output_is_named_it_is_one_output(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """So a second build is refused by any name of the folder."""
    (tmp_path / "real" / "x").mkdir(parents=True)
    (tmp_path / "alias").symlink_to("real")
    (tmp_path / "elsewhere" / "deep").mkdir(parents=True)
    (tmp_path / "real" / "leads").symlink_to(tmp_path / "elsewhere" / "deep")
    monkeypatch.chdir(tmp_path / "real")
    monkeypatch.setattr(lock, "TRIES", 0)
    with staged(Path("site")):
        for name in (tmp_path / "real" / "site", tmp_path / "alias" / "site", Path("site/"), Path("./x/../site")):
            with pytest.raises(Refused, match="another build"), staged(name):
                pytest.fail("two builds hold one folder")
        publish(Path("leads/../site"), FIRST)  # which the system takes for elsewhere/site
    assert files(tmp_path / "elsewhere" / "site") == FIRST
    publish(Path("x/../site"), FIRST)
    assert files(tmp_path / "real" / "site") == FIRST


def test_a_name_that_drives_a_terminal_is_shown_as_text(tmp_path: Path) -> None:
    put(tmp_path / "data", [row()])
    name = "si\nerror: te\x1b[2J"
    first = build(tmp_path, "--out", name)
    assert first.code == 0
    second = build(tmp_path, "--out", name)
    (tmp_path / name / MARKER).unlink()
    third = build(tmp_path, "--out", name)
    assert third.code == 2
    for ran in (first, second, third):
        said = ran.said
        assert "\x1b" not in said
        assert not [line for line in said.splitlines() if line.startswith("error: te")]
    assert "si\\x0aerror: te\\x1b[2J is not empty" in third.said


@pytest.mark.parametrize("name", ["n" * 240, "n" * 300, "deep/" * 1000 + "site"])
def test_a_name_that_is_too_long_is_said_to_be(tmp_path: Path, name: str) -> None:
    with pytest.raises(SitegenError, match=r"is too long|[Ff]ile name too long"):
        refuse_foreign(tmp_path / name, [])


def test_the_folders_of_sitegen_itself_are_no_output(tmp_path: Path) -> None:
    for out in (REPOSITORY / "sitegen" / "site", REPOSITORY / "sitegen", REPOSITORY.parent):
        with pytest.raises(Refused, match=r"one inside the other|current folder"):
            refuse_foreign(out, [])
    put(tmp_path / "data", [row()])
    for name in ("content", "content/site", "static", "templates/x"):
        ran = build(tmp_path, "--out", str(REPOSITORY / name))
        assert ran.code == 2
        assert "one inside the other" in ran.said


def test_only_a_marker_that_is_a_file_of_ours_counts(tmp_path: Path) -> None:
    """Others use such a name too."""
    publish(tmp_path / "site", FIRST)
    for name, make in (
        ("link", lambda path: path.symlink_to(tmp_path / "site" / MARKER)),
        ("text", lambda path: path.write_text("settings of something else")),
        ("pipe", os.mkfifo),
    ):
        (tmp_path / name).mkdir()
        make(tmp_path / name / MARKER)
        with pytest.raises(Refused, match="was not made by sitegen"):
            refuse_foreign(tmp_path / name, [])


def test_what_became_foreign_while_the_build_ran_is_not_replaced(tmp_path: Path) -> None:
    out = tmp_path / "site"

    def built() -> None:
        with staged(out) as stage:
            stage.write("index.html", b"1")
            out.mkdir()
            (out / "thesis.txt").write_bytes(b"years of work")
            stage.publish(frozenset({"index.html"}), ["index.html"])

    with pytest.raises(Refused, match="was not made by sitegen"):
        built()
    assert files(out) == {"thesis.txt": b"years of work"}
    assert beside(out) == []


def test_a_folder_of_the_output_that_is_a_link_becomes_a_folder(tmp_path: Path) -> None:
    """And nothing of the site is one file with what lies behind the link."""
    out = tmp_path / "site"
    publish(out, FIRST)
    shutil.move(out / "a", tmp_path / "theirs")
    (out / "a").symlink_to(tmp_path / "theirs")
    publish(out, FIRST)
    assert files(out) == FIRST
    assert not (out / "a").is_symlink()
    assert not (out / "a/b/page.html").samefile(tmp_path / "theirs/b/page.html")
    assert files(tmp_path / "theirs") == {"b/page.html": b"deep", "gone.html": b"gone"}


def test_the_state_of_a_build_is_not_written_over_what_is_not_ours(tmp_path: Path) -> None:
    put(tmp_path / "data", [row()])
    (tmp_path / "mine").write_text("mine")
    (tmp_path / ".site.sitegen-state.new").symlink_to("mine")
    assert build(tmp_path).code == 0
    assert (tmp_path / "mine").read_text() == "mine"
    (tmp_path / ".site.sitegen-state.new").unlink()
    (tmp_path / ".site.sitegen-state").write_text("mine")
    assert build(tmp_path).code == 0
    assert (tmp_path / ".site.sitegen-state").read_text() == "mine"


# -- Reports


@pytest.mark.parametrize("option", ["--json-report", "--changes"])
@pytest.mark.parametrize(
    ("file", "why", "code"),
    [
        ("site/report", "lies in the output folder", 2),
        ("x/../site/deep", "lies in the output folder", 2),
        ("data/report.json", "is an input", 2),
        ("data/rankings/report.json", "is an input", 2),
        ("previous.json", "is an input", 2),
        ("x", "is a folder", 2),
    ],
)
def test_a_report_in_a_wrong_place_is_refused_before_anything_is_written(
    tmp_path: Path, option: str, file: str, why: str, code: int
) -> None:
    for folder in ("data/rankings", "x", "site"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "previous.json").write_text("{}")
    inputs = [tmp_path / "data", tmp_path / "previous.json"]
    with pytest.raises(Refused, match=f"{option}: .* {why}") as raised:
        refuse_files({option: tmp_path / file}, tmp_path / "site", inputs)
    assert raised.value.exit_code == code


def test_a_build_whose_report_cannot_be_written_publishes_nothing(tmp_path: Path) -> None:
    put(tmp_path / "data", [row()])
    for options in (["--changes", "site/list"], ["--changes", "a", "--json-report", "./a"], ["--json-report", "data"]):
        ran = build(tmp_path, *options)
        assert ran.code == 2, ran.said
        assert options[0] in ran.said
        assert sorted(path.name for path in tmp_path.iterdir()) == ["data"]


def test_a_report_that_fails_at_the_end_says_that_the_site_is_there(tmp_path: Path) -> None:
    put(tmp_path / "data", [row()])
    ran = build(tmp_path, "--json-report", "/dev/full")
    assert ran.code == 4
    assert "No space left on device; the site in site is whole and new, but this file is missing" in ran.said
    assert (tmp_path / "site" / "index.html").is_file()


def test_interrupted_when_the_site_is_there_it_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_: Path) -> None:
        raise KeyboardInterrupt

    publish(tmp_path / "site", FIRST)
    monkeypatch.setattr(write, "_remove", interrupted)
    with pytest.raises(Unfinished, match=r"interrupted when the new .*site was in its place already"):
        publish(tmp_path / "site", SECOND)
    monkeypatch.undo()
    assert files(tmp_path / "site") == SECOND
    publish(tmp_path / "site", SECOND)
    assert beside(tmp_path / "site") == []
