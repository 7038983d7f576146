"""Files are found under the data folder, and a broken one says in plain words why (cases B05-B11)."""

from __future__ import annotations

import gzip
import shutil
import subprocess
import sys
import tracemalloc
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sitegen.errors import Level, Problems
from sitegen.read import InputFile, batches, find_files, open_file
from sitegen.schema import decode
from sitegen.texts import TextStore
from tests.factory import codes, put, read, row, write

LFS = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a2146\nsize 123\n"


def names(folder: Path, problems: Problems | None = None) -> list[str]:
    return [file.name for file in find_files(folder, problems if problems is not None else Problems())]


def test_files_are_found_at_any_depth_and_in_one_order(tmp_path: Path) -> None:
    for name in ("z.parquet", "b/a.parquet", "a/x/deep.PARQUET", "a.parquet"):
        put(tmp_path, [row()], name)
    write(tmp_path / "notes.txt", "no data")
    assert names(tmp_path) == ["a.parquet", "a/x/deep.PARQUET", "b/a.parquet", "z.parquet"]


@pytest.mark.parametrize("folder", ["_data", ".cache/data", "data"])
def test_hidden_names_are_judged_inside_the_given_folder(tmp_path: Path, folder: str) -> None:
    for name in ("seen.parquet", ".hidden.parquet", "_hidden.parquet"):
        put(tmp_path / folder, [row()], name)
    problems = Problems()
    assert names(tmp_path / folder, problems) == ["seen.parquet"]
    assert [problem.place.file for problem in problems] == [".hidden.parquet", "_hidden.parquet"]
    # An info: a skipped hidden file never counts under --strict.
    assert {problem.level for problem in problems} == {Level.INFO}


@pytest.mark.parametrize("folder", ["_old", ".cache"])
def test_files_in_a_hidden_folder_are_reported(tmp_path: Path, folder: str) -> None:
    put(tmp_path, [row()])
    put(tmp_path / folder / "deep", [row()])
    problems = Problems()
    assert [file.name for file in find_files(tmp_path, problems)] == ["results.parquet"]
    assert [problem.place.file.split("/")[0] for problem in problems] == [folder]


def test_files_are_read_through_links_under_the_links_names(tmp_path: Path) -> None:
    blob = put(tmp_path / "blobs", [row()], "3f2a")
    data = tmp_path / "snapshot"
    data.mkdir()
    (data / "results.parquet").symlink_to(Path("..") / "blobs" / blob.name)
    (found,) = find_files(data, Problems())
    assert found.name == "results.parquet"
    assert found.size == blob.stat().st_size
    assert open_file(found, Problems()) is not None


def test_the_data_folder_may_be_a_link(tmp_path: Path) -> None:
    put(tmp_path / "real", [row()])
    (tmp_path / "link").symlink_to("real")
    assert names(tmp_path / "link") == ["results.parquet"]


@pytest.mark.parametrize("target", ["../gone.parquet", "results.parquet"])
def test_a_link_to_nothing_names_link_and_target(tmp_path: Path, target: str) -> None:
    (tmp_path / "results.parquet").symlink_to(target)
    problems = Problems()
    assert names(tmp_path, problems) == []
    (problem,) = problems
    assert (problem.level, problem.code, problem.place.file) == (Level.ERROR, "link-dangling", "results.parquet")
    assert target in problem.found


def test_a_loop_of_folders_ends_and_is_reported(tmp_path: Path) -> None:
    put(tmp_path / "a", [row()])
    (tmp_path / "a" / "again").symlink_to("..")
    problems = Problems()
    assert names(tmp_path, problems) == ["a/results.parquet"]
    (problem,) = problems
    assert (problem.level, problem.place.file) == (Level.NOTICE, "a/again")


def test_a_name_that_is_not_utf8_is_shown_all_the_same(tmp_path: Path) -> None:
    put(tmp_path, [row()])
    (tmp_path / "results.parquet").rename(tmp_path / "caf\udce9.parquet")
    (found,) = find_files(tmp_path, Problems())
    assert found.name == "caf\\xe9.parquet"
    assert open_file(found, Problems()) is not None


def whole(tmp_path: Path) -> bytes:
    return put(tmp_path / "elsewhere", [row()]).read_bytes()


BROKEN = {
    "empty": ("file-empty", "0 bytes", ""),
    "lfs": ("file-lfs-pointer", "Git LFS pointer", "git lfs pull"),
    "gzip": ("file-not-parquet", "gzip", ""),
    "zip": ("file-not-parquet", "zip", ""),
    "csv": ("file-not-parquet", "text", ""),
    "html": ("file-not-parquet", "markup", ""),
    "json": ("file-not-parquet", "JSON", ""),
    "noise": ("file-not-parquet", "another format", ""),
    "cut": ("file-cut", "cut short", ""),
    "footer": ("file-unreadable", "cannot be read", ""),
    "magic": ("file-unreadable", "cannot be read", ""),
}


def broken(tmp_path: Path) -> dict[str, bytes]:
    data = whole(tmp_path)
    return {
        "empty": b"",
        "lfs": LFS.encode(),
        "gzip": gzip.compress(data, mtime=0),
        "zip": b"PK\x03\x04" + data,
        "csv": b"model_id,result\nacme/x-1b,PASS\n",
        "html": b"<!doctype html><title>Sign in</title>",
        "json": b'{"error": "not found"}',
        "noise": b"\x80\x02\x93NUMPY",
        "cut": data[: len(data) // 2],
        "footer": data[:-40] + b"\xff" * 32 + data[-8:],
        "magic": b"PAR1",
    }


@pytest.mark.parametrize("kind", sorted(BROKEN))
def test_a_broken_file_says_why_and_what_to_do(tmp_path: Path, kind: str) -> None:
    write(tmp_path / "data" / "bad.parquet", broken(tmp_path)[kind])
    problems = Problems()
    (file,) = find_files(tmp_path / "data", problems)
    assert open_file(file, problems) is None
    (problem,) = problems
    code, found, hint = BROKEN[kind]
    assert (problem.level, problem.code, problem.place.file) == (Level.ERROR, code, "bad.parquet")
    assert found in problem.found
    assert hint in problem.hint
    assert problem.expected == "a Parquet file"


def test_a_file_that_vanishes_is_reported(tmp_path: Path) -> None:
    path = put(tmp_path, [row()])
    (file,) = find_files(tmp_path, Problems())
    path.unlink()
    problems = Problems()
    assert open_file(file, problems) is None
    assert codes(problems) == ["file-unreadable"]


@pytest.mark.parametrize("codec", ["NONE", "SNAPPY", "GZIP", "BROTLI", "LZ4", "ZSTD"])
def test_all_codecs_are_read(tmp_path: Path, codec: str) -> None:
    put(tmp_path, [row()], compression=codec)
    (file,) = find_files(tmp_path, Problems())
    opened = open_file(file, Problems())
    assert opened is not None
    assert sum(batch.num_rows for batch in batches(opened)) == 1


def test_rows_come_in_order_and_a_bounded_amount_at_a_time(tmp_path: Path) -> None:
    log = "x" * 100_000
    path = put(tmp_path, [row(f"acme/m-{i}", error=f"{log}{i}") for i in range(700)], row_group_size=650)
    seen = list(batches(pq.ParquetFile(path)))
    assert [str(i) for batch in seen for i in batch.column("model_id")] == [f"acme/m-{i}" for i in range(700)]
    assert max(batch.column("error").nbytes for batch in seen) < 64 << 20


@pytest.mark.parametrize("checksums", [True, False])
def test_where_pages_have_checksums_a_changed_bit_is_an_error(tmp_path: Path, checksums: bool) -> None:
    options: dict[str, Any] = {"compression": "none", "use_dictionary": False, "write_statistics": False}
    path = put(tmp_path, [row(notes="seen by nobody")], write_page_checksum=checksums, **options)
    good = path.read_bytes()
    path.write_bytes(good.replace(b"seen by nobody", b"seen by nobodx", 1))
    assert path.read_bytes() != good
    with TextStore() as store:
        reading, problems = read(tmp_path, store)
    # Without checksums there is nothing that could tell: the page says what the file says.
    assert codes(problems) == (["file-unreadable"] if checksums else [])
    assert [run.notes for run in reading.runs] == ([] if checksums else ["seen by nobodx"])


@pytest.mark.parametrize(
    ("good", "bad", "says"),
    [
        # As Thrift writes them in the footer: the values of one column; the rows of all row groups; of the only one.
        (
            b"\x03nki\x15\x00\x16\x04",
            b"\x03nki\x15\x00\x16\x00",
            "row group 1 has 2 rows by its own account, and 0 can be read",
        ),
        (
            b"\x16\x04\x19\x1c\x19",
            b"\x16\x06\x19\x1c\x19",
            "the file has 3 rows by its own account",
        ),
        (
            b"\x16\x04&\x08\x16",
            b"\x16\x02&\x08\x16",
            "and its row groups have 1",
        ),
    ],
    ids=["a column", "the file", "a row group"],
)
def test_rows_that_damage_takes_along_are_not_lost_without_a_word(
    tmp_path: Path, good: bytes, bad: bytes, says: str
) -> None:
    """The library gives fewer rows then, or none, and no error."""
    path = put(tmp_path, [row(), row("acme/b")], compression="none", use_dictionary=False, store_schema=False)
    assert path.read_bytes().count(good) == 1
    path.write_bytes(path.read_bytes().replace(good, bad))
    with TextStore() as store:
        reading, problems = read(tmp_path, store)
    (problem,) = problems
    assert (problem.code, problem.place.file) == ("file-unreadable", "results.parquet")
    assert says in problem.found
    assert not reading.runs


def test_a_text_that_all_rows_share_is_read_once(tmp_path: Path) -> None:
    """A file of kilobytes can hold gigabytes, if each row of it repeats one value of its dictionary."""
    log = "x y z " * 700_000
    shared = pa.DictionaryArray.from_arrays(pa.array([0] * 100, pa.int32()), [log])
    path = put(tmp_path, [row(f"acme/a-{n}") for n in range(100)], drop=["error"], extra={"error": shared})
    assert path.stat().st_size < len(log) / 10
    opened = open_file(InputFile(path, path.name, path.stat().st_size), Problems())
    assert opened is not None
    tracemalloc.start()
    values = [value for batch in batches(opened) for value in decode("error", batch.column("error"))]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert values == [log.encode()] * 100
    assert peak < 3 * len(log)


def test_a_file_whose_damage_ends_the_library_when_it_is_asked_of_a_column_is_an_error(tmp_path: Path) -> None:
    """In a process of its own: `ColumnChunkMetaData` of this file ends it, in pyarrow 26."""
    shutil.copy(Path(__file__).parent / "data" / "damaged-column-metadata.parquet", tmp_path)
    command = [sys.executable, "-m", "sitegen", "check", "--data", str(tmp_path)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 3, ran.stderr
    assert "damaged-column-metadata.parquet" in ran.stderr


def test_a_row_with_a_value_that_its_dictionary_does_not_have_is_an_error() -> None:
    broken = pa.DictionaryArray.from_arrays(pa.array([0, 7], pa.int32()), ["x"], safe=False)
    with pytest.raises(ValueError, match="not in its column's dictionary"):
        decode("notes", broken)
