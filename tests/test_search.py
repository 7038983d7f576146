"""The index of words: built here, queried by the scripts of the site with the lunr.js that it ships."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from sitegen.safe import script_json
from sitegen.search import Document, fold, word_index, words
from tests.tooling.node import Node

ROOT = Path(__file__).parent.parent
VECTORS = json.loads((ROOT / "tests/vectors/search.json").read_text(encoding="utf-8"))
DOCUMENTS = [Document(kind="Docs", **entry) for entry in VECTORS["prose"]["documents"]]


@pytest.mark.parametrize(("text", "expected"), VECTORS["fold"])
def test_fold(text: str, expected: str) -> None:
    assert fold(text) == expected


@pytest.mark.parametrize(("text", "expected"), VECTORS["words"])
def test_words(text: str, expected: list[str]) -> None:
    assert words(text) == expected


def test_no_documents_no_index(node: Node, tmp_path: Path) -> None:
    assert word_index([]) is None
    assert query(node, tmp_path, [], ["x", ""]) == [[], []]


def test_lunr_js_finds_what_the_vectors_say(node: Node, tmp_path: Path) -> None:
    queries, expected = zip(*VECTORS["prose"]["queries"], strict=True)
    found = query(node, tmp_path, DOCUMENTS, queries)
    assert dict(zip(queries, found, strict=True)) == dict(zip(queries, expected, strict=True))


def test_every_word_of_a_document_finds_it(node: Node, tmp_path: Path) -> None:
    wanted = [(word, d.path) for d in DOCUMENTS for word in words(f"{d.title} {d.summary} {d.text}")]
    found = query(node, tmp_path, DOCUMENTS, [word for word, _ in wanted])
    assert [pair for pair, paths in zip(wanted, found, strict=True) if pair[1] not in paths] == []


def test_the_index_is_the_same_each_time_and_lunr_js_knows_its_pipeline() -> None:
    index = word_index(DOCUMENTS)
    assert index["version"] == "2.3.9"
    assert "2.3.9" in (ROOT / "static/vendor/lunr.min.js").read_text(encoding="utf-8")[:200]
    assert index["pipeline"] == ["stemmer"]
    assert json.dumps(index) == json.dumps(word_index(DOCUMENTS))


def query(node: Node, folder: Path, documents: Sequence[Document], queries: Sequence[str]) -> list[list[str]]:
    data = {"index": word_index(documents), "documents": {}}
    script = folder / "words.js"
    script.write_text(f'sitegenData("words",{script_json(data)});\n', encoding="utf-8")
    done = subprocess.run(
        [node.path, "tests/js/query_index.mjs", str(script)],
        cwd=ROOT,
        env=node.environment,
        input=json.dumps(list(queries)),
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
    )
    found: list[list[str]] = json.loads(done.stdout)
    return found
