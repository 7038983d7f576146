"""Texts that the catalogue's patterns match are never written: not on pages, in files or in messages."""

from __future__ import annotations

import json
import re
import time
import zipfile
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from sitegen.build import build, load
from sitegen.config import Settings, load_catalog
from sitegen.content import packaged
from sitegen.errors import BadInput, Problems
from sitegen.progress import Progress
from sitegen.redact import Redaction, redaction_of, ways_of
from sitegen.site import Site
from sitegen.texts import TextStore
from tests.factory import codes, put, row, write

TOKEN = "hf_" + "Ab1" * 12
HOME = "/home/ada"
PATTERNS = {"hf-token": "hf_[A-Za-z0-9]{30,100}", "home": r"/home/[^/\s]{1,64}"}
SET = "[redact]\n" + "".join(f"{name} = '{pattern}'\n" for name, pattern in PATTERNS.items())


def read(data: Path, **settings: Any) -> tuple[Site, Problems, str]:
    """The site, its problems, and all that its text store holds."""
    with TextStore(data.parent / f".texts-{data.name}") as store:
        site, problems = load(Settings(data=data, **settings), store, Progress())
        return site, problems, store.flushed().read_bytes().decode("utf-8", "replace")


def secret_row(model_id: str = "acme/control-1b", **more: Any) -> dict[str, Any]:
    texts = {
        name: f"{name} {TOKEN}"
        for name in ("notes", "runner", "cpu_match", "library_version", "torch", "extra_packages")
    }
    log = (
        f'Traceback (most recent call last):\n  File "{HOME}/run.py", line 1\nValueError: 401 for {TOKEN} and {TOKEN}\n'
    )
    return row(
        model_id,
        **{
            **texts,
            "result": "FAIL",
            "error": log,
            "run_py": f"login('{TOKEN}')\n",
            "packages": json.dumps({"a": TOKEN}),
        },
        note2=TOKEN,
        **more,
    )


def nested(rows: int) -> dict[str, pa.Array]:
    values = [{"a": [TOKEN, "x"], "b": 1}] * rows
    return {
        "nested": pa.array(values),
        "map": pa.array([[(TOKEN, 1)]] * rows, pa.map_(pa.string(), pa.int64())),
        "coded": pa.array([TOKEN] * rows).dictionary_encode(),
        "raw": pa.array([TOKEN.encode() + b"\xff"] * rows),
    }


def test_nothing_that_is_written_or_said_holds_what_is_redacted(tmp_path: Path) -> None:
    data = tmp_path / "data"
    put(data, [secret_row()], extra=nested(1))
    put(data, [row("acme/other-2b", tp="x " + TOKEN)], "bad.parquet", types={"tp": pa.string()})
    put(data, [row("acme/other-2b")], f"{TOKEN}.parquet")
    put(data, [row("acme/third-3b", **{TOKEN: "x"})], "column.parquet")
    put(data, [row("acme/f-4b")], f".hidden-{TOKEN}.parquet")
    write(data / "catalog.toml", SET)
    pages = {"errors/x-1/index.html": f"the error {TOKEN}"}
    empty: dict[str, Any] = {name: {} for name in ("moved", "gone", "models", "former")}
    table = {"schema": "sitegen-urls", "version": 1, "pages": pages, "files": [], "lost": [], **empty}
    settings = Settings(
        data=data,
        out=tmp_path / "out" / "site",
        base_url="https://example.org/",
        keep_going=True,
        zip=True,
        previous=write(tmp_path / "urls.json", json.dumps(table)),
        jobs=1,
    )
    said: list[str] = []
    report = build(settings, say=said.append)
    said += map(str, report.problems)
    assert {"value-unreadable", "redact-name", "file-hidden"} <= set(codes(report.problems))
    assert sum("[redacted: hf-token]" in line for line in said) >= 4
    found = {
        str(path.relative_to(tmp_path)): path.read_bytes() for path in (tmp_path / "out").rglob("*") if path.is_file()
    }
    for path in [path for path in found if path.endswith(".zip")]:
        with zipfile.ZipFile(tmp_path / path) as archive:
            found |= {f"{path}:{name}": archive.read(name) for name in archive.namelist()}
    found["what was said"] = "\n".join(said).encode()
    assert len(found) > 100
    for secret in (TOKEN, HOME):
        assert [name for name, content in found.items() if secret[3:].encode() in content] == []


def test_the_store_of_texts_holds_only_what_is_published(tmp_path: Path) -> None:
    put(tmp_path, [secret_row()], extra=nested(1))
    write(tmp_path / "catalog.toml", SET)
    stored = read(tmp_path)[2]
    assert TOKEN not in stored
    assert stored.count("[redacted: hf-token]") >= 8
    assert HOME not in stored


def test_pages_and_files_say_what_was_redacted(tmp_path: Path) -> None:
    data = tmp_path / "data"
    put(data, [secret_row()])
    write(data / "catalog.toml", SET)
    build(Settings(data=data, out=tmp_path / "site", jobs=1))
    folder = next((tmp_path / "site" / "models/acme/control-1b").glob("*/index.html")).parent
    page = (folder / "index.html").read_text("utf-8")
    assert re.search(r"Redacted by the catalogue’s setting: .*error \(3 places\), .*run_py \(1 place\)", page)
    assert "[redacted: hf-token]" in page
    record = json.loads((folder.parent / "model.json").read_bytes())["results"][0]["runs"][0]
    assert record["redacted"]["error"] == 3
    assert record["other"]["note2"] == "[redacted: hf-token]"
    assert "- Redacted by the catalogue’s setting: `cpu_match` (1 place)" in (folder.parent / "model.md").read_text(
        "utf-8"
    )
    with zipfile.ZipFile(folder / "bundle.zip") as bundle:
        assert "Texts of `run.py` are redacted, so that it may not run as it is." in bundle.read("README.md").decode()
        assert json.loads(bundle.read("manifest.json"))["redacted"]["run_py"] == 1
        assert bundle.read("run.py") == b"login('[redacted: hf-token]')\n" == (folder / "run.py").read_bytes()
    about = (tmp_path / "site/data/index.html").read_text("utf-8")
    assert re.search(r"1\d places in 1 run; patterns: hf-token, home", about)


def test_digests_are_those_of_what_is_published_and_rows_that_differ_stay_two(tmp_path: Path) -> None:
    other = TOKEN.replace("1", "2")
    put(tmp_path / "a", [row(notes=TOKEN), row(notes=other), row(notes=TOKEN), row(notes="[redacted: hf-token]")])
    put(tmp_path / "b", [row(notes="[redacted: hf-token]")])
    write(tmp_path / "a" / "catalog.toml", SET)
    site, problems, _ = read(tmp_path / "a")
    published = {run.digest for run in site.results[0].runs}
    assert len(published) == 3  # the third row equals the first
    assert "row-duplicate" in codes(problems)
    assert read(tmp_path / "b")[0].results[0].headline.digest in published
    assert site.files[0].duplicates == 1


def test_a_row_in_which_nothing_is_redacted_is_as_without_the_setting(tmp_path: Path) -> None:
    put(tmp_path, [row(error="E: x\n", nested="y")])
    before = read(tmp_path)
    write(tmp_path / "catalog.toml", SET)
    after = read(tmp_path)
    assert after[2] == before[2]
    assert after[0].results[0].headline.digest == before[0].results[0].headline.digest


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ("x = '('", "no pattern"),
        ("x = 'a{0,3}'", "matches an empty text"),
        ("x = '(?=a)|b'", "matches an empty text"),
        ("x = '\\b'", "matches an empty text"),
        ("x = 'a+'", "a repetition has no end"),
        ("x = 'a.*b'", "a repetition has no end"),
        ("x = '" + "a" * 1001 + "'", "1,001 characters; 1,000 are allowed"),
        ("x = '(a{1,90}){1,90}b'", "ways"),
        ("x = 'a{1,200}a{1,200}a'", "40,000 ways"),
        ("x = '(?x) a # [\\n b+ # ]'", "(?x)"),
        ("x = 'redacted'", "stands in the place"),
        ("x = 5", "found 5"),
        ("'Bad Name' = 'a'", "a name"),
        ("x = []", "found []"),
    ],
)
def test_a_pattern_that_cannot_be_meant_stops_even_with_keep_going(tmp_path: Path, table: str, said: str) -> None:
    put(tmp_path, [row()])
    write(tmp_path / "catalog.toml", f"[redact]\n{table}\n")
    with pytest.raises(BadInput, match="shall be redacted") as error:
        read(tmp_path, keep_going=True)
    assert codes(error.value.problems) == ["redact-pattern"]
    assert said in str(next(iter(error.value.problems)))


@pytest.mark.parametrize("text", ["[redact]\nx = 'a", "redact = 'hf_'", "\udcff"])
def test_settings_that_cannot_be_read_stop_too(tmp_path: Path, text: str) -> None:
    put(tmp_path, [row(notes=TOKEN)])
    write(tmp_path / "catalog.toml", text.encode("utf-8", "surrogateescape"))
    with pytest.raises(BadInput):
        read(tmp_path, keep_going=True)
    (tmp_path / "catalog.toml").unlink()
    (tmp_path / "catalog.toml").symlink_to("nowhere")
    with pytest.raises(BadInput):
        read(tmp_path, keep_going=True)


def test_an_id_that_matches_is_an_error(tmp_path: Path) -> None:
    put(tmp_path, [row(f"acme/{TOKEN}"), row()])
    write(tmp_path / "catalog.toml", SET)
    with pytest.raises(BadInput) as error:
        read(tmp_path)
    assert codes(error.value.problems.at(3)) == ["redact-id"]  # type: ignore[arg-type]
    site, problems, _ = read(tmp_path, keep_going=True)
    assert [model.id for model in site.models] == ["acme/control-1b"]
    assert not [problem for problem in problems if TOKEN in str(problem)]


def test_no_text_makes_a_pattern_slow() -> None:
    found, faults = redaction_of({"a": "[a-z]{1,99}[a-z0-9]{1,99}@", "b": "hf_[A-Za-z0-9]{30,100}"})
    assert not faults
    start = time.process_time()
    for text in ("a" * 20_000, "hf_" * 100_000):
        found(text)
    assert time.process_time() - start < 20  # without an end of the repetitions: hours


@pytest.mark.parametrize(
    ("pattern", "ways"),
    [
        ("abc", 1),
        ("a?b?", 4),
        ("(?:AKIA|ASIA)[A-Z0-9]{16}", 2),
        ("[*+]\\+x{3}", 1),
        ("[]*]a", 1),
        ("a{b}", 1),
        ("(a|b|c)(d|e)", 6),
        ("(?:[0-9a-f]{4}-){3}", 1),
        ("x{,5}", 6),
        ("x{2,}", None),
        ("(?P<q>['\"])a{1,3}(?P=q)", 3),
        ("(?i)a(?#b+)", 1),
    ],
)
def test_ways_of_a_pattern(pattern: str, ways: int | None) -> None:
    re.compile(pattern)
    assert ways_of(pattern) == ways


def test_texts_keep_their_bytes_around_what_is_redacted() -> None:
    found = Redaction((("t", re.compile("se.ret")),))
    assert found.bytes(b"\xff secret \xfe\x00") == (b"\xff [redacted: t] \xfe\x00", 1)
    assert found.bytes(b"\xff") == (b"\xff", 0)


def test_without_the_setting_nothing_is_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path, [secret_row()])

    def fail(*_: object) -> None:
        raise AssertionError("a text was looked at")

    monkeypatch.setattr(Redaction, "count", fail)
    monkeypatch.setattr(Redaction, "value", fail)
    monkeypatch.setattr("sitegen.redacted.texts_in", fail)
    read(tmp_path)


# What the docs give to copy: each must find what it is for, in the forms in which logs have it.
EXAMPLES = {
    "hf-token": ["token=hf_AbCdEfGhIjKlMnOpQrStUvWxYz012345", "https://user:hf_AbCdEfGhIjKlMnOpQrStUvWxYz012345@huggingface.co"],
    "aws-key": ["AKIAIOSFODNN7EXAMPLE", "id ASIAIOSFODNN7EXAMPLE."],
    "aws-secret": ["aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
                   "AWS_SECRET_ACCESS_KEY=\"wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY\""],
    "bearer": ["Authorization: Bearer abc.def-ghi_jkl012345", "'authorization': 'bearer abcdefgh12345678=='"],
    "url-password": ["https://user:pa55-word@example.org/x", "postgres://u:p%40ss@db/x"],
    "home": ["File \"/home/ada/x.py\"", "/Users/ada/x", "C:\\Users\\Ada\\x"],
}  # fmt: skip
LEFT = {
    "hf-token": "hf_transfer",
    "aws-key": "AKIA",
    "bearer": "the bearer of news",
    "home": "/homepage",
    "url-password": "https://a.b/c:d@e",
}


def test_the_patterns_of_the_docs_find_what_they_are_for(tmp_path: Path) -> None:
    text = (packaged("content") / "docs" / "maintainers.md").read_text("utf-8")
    block = re.search(r"```toml\n(\[redact\]\n.*?)```", text, re.DOTALL)
    assert block
    problems = Problems()
    found = load_catalog(write(tmp_path / "catalog.toml", block[1]), problems).redact
    assert not problems.found
    assert found
    assert [name for name, _ in found.patterns] == list(EXAMPLES)
    for name, pattern in found.patterns:
        assert [example for example in EXAMPLES[name] if not pattern.search(example)] == []
        assert not pattern.search(LEFT.get(name, ""))


def test_a_row_does_not_depend_on_what_is_redacted_beside_it(tmp_path: Path) -> None:
    kind = pa.map_(pa.string(), pa.int64())
    more = pa.array([[(TOKEN, 1)], [("k", 1)]], kind)
    write(tmp_path / "data" / "catalog.toml", SET)
    put(tmp_path / "data", [row("acme/a"), row("acme/b")], "a.parquet", extra={"more": more})
    put(tmp_path / "data", [row("acme/b")], "b.parquet", extra={"more": more[1:]})
    site, problems, _ = read(tmp_path / "data")
    assert [len(result.runs) for result in site.results] == [1, 1]
    assert "row-duplicate" in {problem.code for problem in problems}


def test_nothing_of_a_nested_value_is_lost_or_a_fault(tmp_path: Path) -> None:
    twice = [{TOKEN: "one", TOKEN + "x": "two", "n": 2**64 - 1}]
    kind = pa.struct([(TOKEN, pa.string()), (TOKEN + "x", pa.string()), ("n", pa.uint64())])
    write(tmp_path / "data" / "catalog.toml", SET)
    put(tmp_path / "data", [row()], extra={"more": pa.array(twice, kind)})
    _, _, stored = read(tmp_path / "data")
    assert TOKEN not in stored
    assert '"one"' in stored
    assert '"two"' in stored
    assert str(2**64 - 1) in stored
