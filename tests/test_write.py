"""A folder appears all at once or not at all, and only one of ours is ever replaced (cases B50-B56)."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from sitegen import write
from sitegen.errors import Refused, Unfinished
from sitegen.places import MARKER, MARKER_TEXT, refuse_foreign
from sitegen.write import staged

Files = Mapping[str, bytes]
FIRST: Files = {"index.html": b"one", "a/b/page.html": b"deep", "a/gone.html": b"gone"}
SECOND: Files = {"index.html": b"two", "a/b/page.html": b"deep", "new/page.html": b"new"}


def counted(written: int, unchanged: int, pruned: int) -> dict[str, int]:
    return {"written": written, "unchanged": unchanged, "pruned": pruned}


def publish(out: Path, files: Files) -> dict[str, int]:
    with staged(out) as stage:
        changed = [path for path, data in files.items() if stage.write(path, data)]
        return stage.publish(frozenset(files), changed).counts


def files(folder: Path) -> dict[str, bytes]:
    """All files of a folder but the marker."""
    found = {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}
    return {name: data for name, data in found.items() if name != MARKER}


def inodes(folder: Path) -> dict[str, int]:
    return {p.relative_to(folder).as_posix(): p.stat().st_ino for p in [folder, *folder.rglob("*")]}


def beside(out: Path) -> list[str]:
    """What lies beside the site, which should be nothing."""
    return [path.name for path in out.parent.iterdir() if path != out]


def fail(out: Path, files: Files = SECOND) -> None:
    """A build that fails after it staged its files."""
    with staged(out) as stage:
        for path, data in files.items():
            stage.write(path, data)
        raise RuntimeError("a page cannot be made")


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "parent" / "site"


@pytest.fixture(params=["exchange", "two renames"])
def swap(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Both ways in which stage and target change places."""
    if request.param == "two renames":
        monkeypatch.setattr(write, "_exchange", lambda *_: False)
    return str(request.param)


# -- Writing


def test_a_first_build_writes_all_and_leaves_nothing_beside(out: Path) -> None:
    assert publish(out, FIRST) == counted(3, 0, 0)
    assert files(out) == FIRST
    assert (out / MARKER).is_file()
    assert beside(out) == []


def test_an_update_equals_a_clean_build(out: Path, tmp_path: Path, swap: str) -> None:
    publish(out, FIRST)
    assert publish(out, SECOND) == counted(2, 1, 1)
    publish(tmp_path / "clean", SECOND)
    assert files(out) == files(tmp_path / "clean") == SECOND
    assert (out / MARKER).read_bytes() == (tmp_path / "clean" / MARKER).read_bytes()
    assert beside(out) == []


def test_where_nothing_changed_nothing_is_written(out: Path, swap: str) -> None:
    publish(out, FIRST)
    before = inodes(out)
    assert publish(out, FIRST) == counted(0, 3, 0)
    assert inodes(out) == before


def test_an_unchanged_file_is_the_same_file(out: Path, swap: str) -> None:
    publish(out, FIRST)
    before = inodes(out)
    publish(out, SECOND)
    after = inodes(out)
    assert after["a/b/page.html"] == before["a/b/page.html"]
    assert after["index.html"] != before["index.html"]


def test_an_old_file_is_never_written_through(out: Path, tmp_path: Path, swap: str) -> None:
    """A copy by hard links, as backups make them, keeps what it has."""
    publish(out, FIRST)
    os.link(out / "index.html", tmp_path / "kept.html")
    with (out / "index.html").open("rb") as reading:
        publish(out, SECOND)
        assert reading.read() == b"one"
    assert (tmp_path / "kept.html").read_bytes() == b"one"
    assert (out / "index.html").read_bytes() == b"two"


def test_what_was_put_in_or_changed_by_hand_goes(out: Path, swap: str) -> None:
    publish(out, FIRST)
    (out / "extra").mkdir()
    (out / "extra" / "by-hand.txt").write_bytes(b"x")
    (out / "index.html").write_bytes(b"edited")
    assert publish(out, FIRST) == counted(1, 2, 1)
    assert files(out) == FIRST
    assert not (out / "extra").exists()


def test_a_file_becomes_a_folder_and_a_folder_a_file(out: Path, swap: str) -> None:
    publish(out, {"a": b"file", "b/c": b"deep"})
    publish(out, {"a/x": b"deep", "b": b"file"})
    assert files(out) == {"a/x": b"deep", "b": b"file"}


def test_without_hard_links_files_are_copied(out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_links(*_: object) -> None:
        raise PermissionError("no hard links here")

    publish(out, FIRST)
    monkeypatch.setattr(os, "link", no_links)
    assert publish(out, SECOND) == counted(2, 1, 1)
    assert files(out) == SECOND


def test_a_path_is_staged_once(out: Path) -> None:
    with staged(out) as stage:
        stage.write("index.html", b"1")
        with pytest.raises(FileExistsError):
            stage.write("index.html", b"2")


def test_an_empty_folder_becomes_the_site(out: Path) -> None:
    out.mkdir(parents=True)
    refuse_foreign(out, [])
    publish(out, FIRST)
    assert files(out) == FIRST


# -- Failures


def test_a_failure_on_the_way_leaves_the_old_site(out: Path) -> None:
    publish(out, FIRST)
    before = inodes(out)
    with pytest.raises(RuntimeError):
        fail(out)
    assert files(out) == FIRST
    assert inodes(out) == before
    assert beside(out) == []


def test_a_full_disk_says_so_and_leaves_the_old_site(out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Case B55."""

    def full(*_: object) -> int:
        raise OSError(28, "No space left on device")

    publish(out, FIRST)
    monkeypatch.setattr(os, "write", full)
    with pytest.raises(Unfinished, match="No space left on device"):
        publish(out, SECOND)
    monkeypatch.undo()
    assert files(out) == FIRST
    assert beside(out) == []


def test_a_first_build_that_fails_leaves_no_site(out: Path) -> None:
    with pytest.raises(RuntimeError):
        fail(out)
    assert not out.exists()


def test_leftovers_of_a_killed_build_are_removed(out: Path) -> None:
    publish(out, FIRST)
    for kind in ("stage", "old"):
        folder = out.with_name(f".site.sitegen-{kind}")
        folder.mkdir()
        (folder / "index.html").write_bytes(b"half")
        (folder / MARKER).write_bytes(MARKER_TEXT)
    publish(out, SECOND)
    assert files(out) == SECOND
    assert beside(out) == []


@pytest.mark.parametrize("name", ["lock", "stage", "old"])
@pytest.mark.parametrize("kind", ["a file", "a folder", "a link", "a dangling link", "a pipe"])
def test_what_somebody_else_has_beside_the_site_stays(out: Path, name: str, kind: str) -> None:
    """It is refused by its name, and neither removed nor followed."""
    publish(out, FIRST)
    other, elsewhere = out.with_name(f".site.sitegen-{name}"), out.parent.parent / "elsewhere"
    put_there(other, elsewhere, kind)
    before = files(out.parent.parent)
    with pytest.raises(Refused, match=f"sitegen-{name} is in the way"):
        publish(out, SECOND)
    assert files(out.parent.parent) == before
    assert other.is_symlink() == (kind in ("a link", "a dangling link"))
    assert sorted(beside(out)) == [other.name]
    assert elsewhere.exists() == (kind == "a link")


def put_there(path: Path, elsewhere: Path, kind: str) -> None:
    if kind == "a link":
        elsewhere.mkdir()
        (elsewhere / "mine").write_bytes(b"mine")
    if "link" in kind:
        path.symlink_to(elsewhere)
    elif kind == "a pipe":
        os.mkfifo(path)
    elif kind == "a file":
        path.write_bytes(b"mine")
    else:
        path.mkdir()
        (path / "mine").write_bytes(b"mine")


def test_a_stage_without_a_marker_is_known_by_the_lock_of_the_build_that_died(out: Path) -> None:
    """So is what a fetch leaves, which has no marker."""
    with staged(out) as stage:
        (stage.folder / "half").write_bytes(b"half")
        lock = out.with_name(".site.sitegen-lock").read_bytes()
        stage.folder.rename(out.with_name("kept"))
    out.with_name("kept").rename(stage.folder)
    out.with_name(".site.sitegen-lock").write_bytes(lock)
    publish(out, FIRST)
    assert beside(out) == []


def test_a_lock_outlives_its_build_only_where_that_died(out: Path) -> None:
    publish(out, FIRST)
    with pytest.raises(RuntimeError):
        fail(out)
    assert beside(out) == []


def test_a_build_killed_between_two_renames_loses_nothing(out: Path) -> None:
    publish(out, FIRST)
    out.rename(out.with_name(".site.sitegen-old"))
    out.with_name(".site.sitegen-stage").mkdir()
    (out.with_name(".site.sitegen-stage") / MARKER).write_bytes(MARKER_TEXT)
    with pytest.raises(RuntimeError):
        fail(out)
    assert files(out) == FIRST


# -- Two builds


def test_a_second_build_is_refused_while_one_is_running(out: Path) -> None:
    with staged(out) as stage:
        stage.write("index.html", b"one")
        with pytest.raises(Refused, match="another build"), staged(out):
            pytest.fail("two builds hold one folder")
        stage.publish(frozenset({"index.html"}), ["index.html"])
    assert files(out) == {"index.html": b"one"}
    publish(out, FIRST)


def test_the_lock_of_a_dead_process_does_not_block(out: Path) -> None:
    out.parent.mkdir()
    lock = out.with_name(".site.sitegen-lock")
    descriptor = os.open(lock, os.O_RDWR | os.O_CREAT)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    with pytest.raises(Refused):
        publish(out, FIRST)
    os.close(descriptor)  # what the system does when a process dies
    publish(out, FIRST)
    assert files(out) == FIRST


def test_another_folder_is_not_blocked(out: Path) -> None:
    with staged(out):
        publish(out.with_name("other"), FIRST)
    assert files(out.with_name("other")) == FIRST


# -- Refusals


def test_the_current_folder_the_home_folder_and_those_around_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "home" / "here" / "below").mkdir(parents=True)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path / "home" / "here")
    for folder in (Path("/"), Path(), Path(".."), tmp_path, tmp_path / "home", Path("below/..")):
        with pytest.raises(Refused, match="current folder"):
            refuse_foreign(folder, [])
    refuse_foreign(Path("below"), [])
    refuse_foreign(Path("new"), [])


def test_a_folder_that_is_not_ours_is_refused_and_named(tmp_path: Path) -> None:
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "chapter.txt").write_text("years of work")
    with pytest.raises(Refused, match="thesis"):
        refuse_foreign(tmp_path / "thesis", [])


@pytest.mark.parametrize("name", [".hidden", "nested"])
def test_so_is_one_that_only_looks_empty(tmp_path: Path, name: str) -> None:
    (tmp_path / "site" / name).mkdir(parents=True)
    with pytest.raises(Refused):
        refuse_foreign(tmp_path / "site", [])


def test_a_folder_of_ours_is_replaced(out: Path) -> None:
    publish(out, FIRST)
    refuse_foreign(out, [])


def test_a_file_and_a_link_are_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(Refused, match="is a file"):
        refuse_foreign(tmp_path / "file", [])
    publish(tmp_path / "site", FIRST)
    (tmp_path / "link").symlink_to("site")
    (tmp_path / "dangling").symlink_to("nowhere")
    for name in ("link", "dangling"):
        with pytest.raises(Refused, match="is a link"):
            refuse_foreign(tmp_path / name, [])


@pytest.mark.parametrize(
    ("out", "data"), [("data/site", "data"), ("data", "data"), ("all", "all/data"), ("x/../data", "data")]
)
def test_output_and_input_one_inside_the_other_are_refused_with_both_names(tmp_path: Path, out: str, data: str) -> None:
    (tmp_path / data).mkdir(parents=True)
    (tmp_path / "x").mkdir()
    with pytest.raises(Refused, match=f"{out}.*{data}"):
        refuse_foreign(tmp_path / out, [tmp_path / data])


def test_a_link_to_the_input_does_not_hide_it(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "alias").symlink_to("data")
    with pytest.raises(Refused, match="one inside the other"):
        refuse_foreign(tmp_path / "data" / "site", [tmp_path / "alias"])


def test_a_sibling_with_a_longer_name_is_no_inside(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    refuse_foreign(tmp_path / "data-site", [tmp_path / "data"])


@pytest.mark.parametrize("error", [OSError(5, "Input/output error"), KeyboardInterrupt()])
def test_a_failure_between_two_renames_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    out = tmp_path / "site"
    publish(out, {"index.html": b"one"})
    rename = Path.rename

    def second_fails(self: Path, target: Path) -> Path:
        if self.name.endswith("stage"):
            raise error
        return rename(self, target)

    monkeypatch.setattr(write, "_exchange", lambda _first, _second: False)
    monkeypatch.setattr(Path, "rename", second_fails)
    with pytest.raises((Unfinished, KeyboardInterrupt)):
        publish(out, {"index.html": b"two"})
    monkeypatch.undo()
    with pytest.raises(RuntimeError), staged(out):  # the next build may put it back
        raise RuntimeError
    assert (out / "index.html").read_bytes() == b"one"


def test_an_empty_folder_put_in_by_hand_goes(tmp_path: Path) -> None:
    out = tmp_path / "site"
    publish(out, {"index.html": b"one"})
    (out / "empty").mkdir()
    publish(out, {"index.html": b"one"})
    assert not (out / "empty").exists()


def test_a_file_replaced_by_a_link_is_written_again(tmp_path: Path) -> None:
    out = tmp_path / "site"

    def build() -> None:
        publish(out, {"index.html": b"1", "b": b"2"})

    build()
    (tmp_path / "elsewhere").write_bytes(b"1")
    (out / "index.html").unlink()
    (out / "index.html").symlink_to(tmp_path / "elsewhere")
    build()
    assert not (out / "index.html").is_symlink()
