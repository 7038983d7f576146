"""Large texts lie in a file, each once, and are read back byte for byte."""

from __future__ import annotations

import hashlib
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitegen.texts import TextReader, TextStore


@settings(deadline=None)
@given(st.lists(st.binary(max_size=100)))
def test_what_is_put_is_read_back(texts: list[bytes]) -> None:
    with TextStore() as store:
        refs = [store.put(data) for data in texts]
        reader = store.reader()
        assert [reader.bytes(ref) for ref in refs] == texts
        assert [(ref.size, ref.sha256) for ref in refs] == [(len(d), hashlib.sha256(d).hexdigest()) for d in texts]


def test_equal_texts_are_stored_once(tmp_path: Path) -> None:
    with TextStore(tmp_path / "texts") as store:
        assert store.put(b"x" * 1000) == store.put(b"x" * 1000)
        store.put(b"y")
        assert store.flushed().stat().st_size == 1001


def test_texts_put_after_a_reader_was_taken_are_read_too() -> None:
    with TextStore() as store:
        store.reader()
        ref = store.put(b"later")
        assert store.reader().bytes(ref) == b"later"


def test_another_process_reads_by_the_path(tmp_path: Path) -> None:
    with TextStore(tmp_path / "texts") as store:
        ref = store.put("é模".encode())
        assert TextReader(store.flushed()).text(ref) == "é模"


def test_for_display_bytes_that_are_no_utf8_are_replaced_and_nothing_is_none() -> None:
    with TextStore() as store:
        ref = store.put(b"caf\xe9")
        assert store.reader().text(ref) == "caf\ufffd"
        assert store.reader().text(None) is None


def test_nothing_is_left_behind(tmp_path: Path) -> None:
    with TextStore(tmp_path / "texts") as store:
        store.put(b"x")
    assert not (tmp_path / "texts").exists()


def test_without_a_path_the_file_has_no_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """So a check that is killed leaves none."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with TextStore() as store:
        ref = store.put(b"x")
        assert store.reader().bytes(ref) == b"x"
        assert list(tmp_path.iterdir()) == []
