"""The files that are read beside the Parquet ones, valid and made wrong: JSON and TOML."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from sitegen.build import build
from sitegen.config import Settings
from tests.factory import put, ranking, row, write
from tests.fuzz.mutations import mutated

TOKEN = re.compile(rb'"[^"\n]*"|-?[0-9][0-9.]*|true|false|null|[][{},:=]')
VALUE = re.compile(rb'"[^"\n]*"(?!\s*:)|(?<=[\s\[])-?[0-9][0-9.]*|true|false|null')
# What may stand in the place of a value of JSON, mostly of TOML too; and of anything.
VALUES = (
    *(b"true", b"-1", b"0", b"1.5", b"9" * 400, b"-0.0", b"[]", b"{}", b"[[]]", b'[{"id": 1}]', b"null", b"1e999"),
    *(b'""', b'" "', b'"\\u0000\\u001b[31m"', b'"../../etc"', b'"/"', b'"a/b/c"', b'"<b>&amp;"', b'"{x}"', b'"{file}"'),
    *(b'"' + b"x" * 5000 + b'"', b'"http://[::1"', b'"https://x"', b'"9999-12-31T23:59:59-14:00"', b'"models/x/"'),
    *(b'"acme/control-1b"', b'"ACME/b"', b'"404.html"', b'"assets/x"', b'"con/index.html"', b'"\xe2\x80\xae"'),
)
TOKENS = (
    *(*VALUES, b"NaN", b"Infinity", b"9" * 5000, b'"\\ud800"', b"'''", b'"""', b"1979-05-27", b"07:32:00"),
    *(b"[" * 3000, b'{"a":' * 3000, b"\xff", b"\n"),
)
CATALOG = """title = "Runs"
notice = "Invented."
dataset = "https://huggingface.co/datasets/example/runs"
licence = "Apache-2.0"
revision = "0123456789abcdef0123456789abcdef01234567"
source_url = "https://example.org/{revision}/{file}"
report_url = "https://example.org/new?title={title}&body={body}"

[reproduce]
image = "registry.example/neuron:{neuronx_cc}"
neff_cache = "fetch --compiler {neuronx_cc}"
"""
SELECTED = '[[model]]\nid = "acme/control-1b"\nnote = "first"\nsince = 2026-01-01\n'
EXCLUDED = (
    '[[exclusion]]\nid = "acme/b"\nreason = "too big"\nkind = "not-prioritised"\n[[exclusion]]\npattern = "other/*"\n'
)


@dataclass(frozen=True)
class Kind:
    """A file that is made wrong, and the codes that a command may end with then; other than 0 it names the file."""

    path: str
    codes: frozenset[int]


KINDS = {
    "rankings": Kind("data/rankings/ranking.json", frozenset({0, 3})),
    "fetched": Kind("data/fetched.json", frozenset({0, 3})),
    "catalog": Kind("data/catalog.toml", frozenset({0, 3})),
    "selected": Kind("data/lists/selected.toml", frozenset({0, 3})),
    "excluded": Kind("data/lists/excluded.toml", frozenset({0, 3})),
    "previous": Kind("urls.json", frozenset({0, 2})),
    "settings": Kind("sitegen.toml", frozenset({0, 2})),
}


@cache
def originals() -> dict[str, bytes]:
    """A folder with everything in it, as paths and bytes."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        data = folder / "data"
        results = put(data, [row(), row("acme/b", result="FAIL", error="ValueError: x\n")])
        models = [{"id": "acme/b", "downloads": 5, "likes": 1, "gated": False, "was": ["acme/old"]}, "acme/control-1b"]
        ranking(data, models)
        write(data / "catalog.toml", CATALOG)
        write(data / "lists" / "selected.toml", SELECTED)
        write(data / "lists" / "excluded.toml", EXCLUDED)
        write(data / "fetched.json", json.dumps(_fetched(results), indent=1))
        build(Settings(data=data, out=folder / "site", base_url="https://example.org/", jobs=1))
        write(folder / "urls.json", (folder / "site" / "urls.json").read_bytes())
        write(folder / "sitegen.toml", 'base_url = "https://example.org/"\nstrict = false\njobs = 1\n')
        kept = [*data.rglob("*"), folder / "urls.json", folder / "sitegen.toml"]
        return {path.relative_to(folder).as_posix(): path.read_bytes() for path in kept if path.is_file()}


def _fetched(results: Path) -> object:
    files = [{"file": results.name, "size": results.stat().st_size, "sha256": "0" * 64}]
    dataset = {
        "id": "example/runs",
        "address": "https://huggingface.co/datasets/example/runs",
        "asked": "main",
        "revision": "0123456789abcdef0123456789abcdef01234567",
        "source_url": "https://huggingface.co/datasets/example/runs/blob/{revision}/{file}",
        "licence": "apache-2.0",
        "files": files,
    }
    return {"schema": 1, "dataset": dataset, "rankings": ["rankings/ranking.json"]}


def mutated_text(data: bytes, rng: Random, others: Sequence[bytes]) -> bytes:
    """One to three values replaced by others; or values and marks by anything; or bytes made wrong."""
    way = rng.random()
    if way < 0.2:
        return mutated(data, rng, others)
    pattern, instead = (VALUE, VALUES) if way < 0.7 else (TOKEN, TOKENS)
    for _ in range(rng.choice((1, 1, 2, 3))):
        found = rng.choice([*pattern.finditer(data)] or [None])
        if found is not None:
            other = rng.choice(instead) if way < 0.7 else rng.choice((b"", found[0] * 2, rng.choice(instead)))
            if way < 0.6 and found[0].startswith(b'"'):
                other = rng.choice([text for text in VALUES if text.startswith(b'"')])
            data = data[: found.start()] + other + data[found.end() :]
    return data
