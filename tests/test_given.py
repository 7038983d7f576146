"""Files beside the results: what is there and is no file is never passed over (cases B05, B06, B10, B57)."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from sitegen.given import as_written, fault_of_folder, file_bytes, parse_json, parse_toml, shown_name


def test_what_is_not_there_is_no_fault(tmp_path: Path) -> None:
    assert file_bytes(tmp_path / "none.toml") is None
    assert fault_of_folder(tmp_path / "none") == ""
    (tmp_path / "empty.toml").write_bytes(b"")
    assert file_bytes(tmp_path / "empty.toml") == b""


def test_what_is_there_and_is_no_file_says_what_it_is(tmp_path: Path) -> None:
    """The pipe would be waited for for ever."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to("gone")
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "null").symlink_to("/dev/null")
    (tmp_path / "lfs").write_bytes(b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n")
    said = {
        "pipe": "no file",
        "folder": "a folder",
        "link": "a link whose target gone is missing",
        "loop": "a link whose target loop is missing",
        "null": "no file",
        "lfs": "a Git LFS pointer, not the data; fetch the real file with `git lfs pull`",
    }
    for name, sentence in said.items():
        with pytest.raises(ValueError, match=re.escape(sentence)) as raised:
            file_bytes(tmp_path / name)
        assert str(raised.value) == sentence
    assert fault_of_folder(tmp_path / "lfs") == "no folder"
    assert fault_of_folder(tmp_path / "link") == "a link whose target gone is missing"
    assert fault_of_folder(tmp_path / "folder") == ""


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "the file is empty (0 bytes)"),
        (b" ", "no JSON: Expecting value: line 1 column 2 (char 1)"),
        (b"[" * 100_000, "it is nested too deeply"),
        (b'{"a":' * 100_000, "it is nested too deeply"),
        (b"9" * 5000, "it holds a number of more digits than can be read"),
        (b'{"a": "\xe9"}', "bytes that are not UTF-8 (at byte 7)"),
        (b'[{"id": 1, "x": 2, "id": 3}]', "no JSON: 'id' stands twice in one object"),
    ],
)
def test_json_that_is_none_says_so_in_words(data: bytes, sentence: str) -> None:
    with pytest.raises(ValueError, match=re.escape(sentence)) as raised:
        parse_json(data)
    assert str(raised.value) == sentence


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32-be"])
def test_json_in_each_encoding_of_unicode(encoding: str) -> None:
    assert parse_json('{"task": "模型"}'.encode(encoding)) == {"task": "模型"}


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"x = " + b"[" * 5000, "it is nested too deeply"),
        (b"x = " + b"9" * 5000, "it holds a number or a date that cannot be read"),
        (b'title = "\xe9"', "bytes that are not UTF-8 (at byte 9)"),
        (b'a = "x"\na = "y"', "Cannot overwrite a value (at end of document)"),
    ],
)
def test_toml_that_is_none_says_so_in_words(data: bytes, sentence: str) -> None:
    with pytest.raises(ValueError, match=re.escape(sentence)) as raised:
        parse_toml(data)
    assert str(raised.value) == sentence


def test_values_are_said_as_they_are_written() -> None:
    assert [as_written(value) for value in (None, True, "é", [1], {"a": None})] == [
        "null",
        "true",
        '"é"',
        "[1]",
        '{"a": null}',
    ]


def test_names_that_are_not_utf8_stay_apart(tmp_path: Path) -> None:
    names = [shown_name(tmp_path / f"caf{odd}.json", tmp_path) for odd in ("\udce9", "\udce8", "é")]
    assert names == ["caf\\xe9.json", "caf\\xe8.json", "café.json"]
