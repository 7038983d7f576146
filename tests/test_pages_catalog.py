"""The catalogue as data adds up, keeps to its published schemas, and agrees with the models' own files."""

from __future__ import annotations

import json
import re
from collections import Counter
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pyarrow.parquet as pq
import pytest
from jsonschema import Draft202012Validator

from sitegen.build import build
from sitegen.config import Settings
from sitegen.content import Content, load_docs, packaged
from sitegen.errors import Problems
from sitegen.pages.catalog import TABLE, schemas
from sitegen.pages.records import recorded
from sitegen.schema import COLUMNS
from tests.cases.site import BuiltSite
from tests.factory import OLD, put, ranking, row, site_of, write

Record = dict[str, Any]
SCHEMAS = {path.stem: json.loads(path.read_bytes()) for path in schemas()}


def tightened(schema: Any) -> Any:
    """The schema for what is written here: only fields that it names, where it names any."""
    if isinstance(schema, list):
        return [tightened(entry) for entry in schema]
    if not isinstance(schema, dict):
        return schema
    inner = {name: tightened(value) for name, value in schema.items()}
    closed = isinstance(schema.get("properties"), dict) and "type" in schema
    return inner | ({"additionalProperties": False} if closed else {})


@cache
def validator(name: str) -> Draft202012Validator:
    return Draft202012Validator(tightened(SCHEMAS[f"{name}-v1"]), format_checker=Draft202012Validator.FORMAT_CHECKER)


def errors_of(name: str, value: Any) -> list[str]:
    """What is wrong with a file by the schema of this name, tightened."""
    return [f"{error.json_path}: {error.message}" for error in validator(name).iter_errors(value)]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> BuiltSite:
    folder = tmp_path_factory.mktemp("catalog")
    rows = [
        row("acme/a", notes="n", error="E\n", result="FAIL", cpu_match=None),
        row("acme/a", neuronx_cc=OLD),
        row("acme/a", neuronx_cc=OLD, tp=2, tested_at=None, run_py=None),
        row("acme/b", tp=4, cpu_match=None, english="fluent", task="text-generation"),
        row("bare", result="EXCLUDED", exclusion="Why."),
        row("acme/odd", result="PARTIAL", neuronx_cc=None),
    ]
    put(folder / "data", rows)
    ranking(folder / "data", ["acme/untested", {"id": "acme/a", "downloads": 3}])
    write(folder / "data" / "catalog.toml", 'licence = "CC0-1.0"\nnotice = "Invented."\nrevision = "r1"\n')
    build(Settings(data=folder / "data", out=folder / "site", base_url="https://example.org/c"))
    return BuiltSite(folder / "site")


@pytest.fixture(scope="module")
def catalog(site: BuiltSite) -> Record:
    record: Record = json.loads(site.read("catalog.json"))
    return record


@pytest.mark.parametrize("name", SCHEMAS)
def test_schemas_are_sound_and_published_as_they_are(site: BuiltSite, name: str) -> None:
    Draft202012Validator.check_schema(SCHEMAS[name])
    assert json.loads(site.read(f"schema/{name}.json")) == SCHEMAS[name]
    stem, _, version = name.rpartition("-v")
    assert SCHEMAS[name]["$id"] == f"urn:sitegen:schema:{stem}:{version}"


def test_files_keep_to_their_schemas_and_name_them(site: BuiltSite, catalog: Record) -> None:
    assert errors_of("catalog", catalog) == []
    assert catalog["schema"] == {"name": "sitegen-catalog", "version": 1}
    for model in catalog["models"]:
        record = json.loads(site.read(model["json"]))
        assert record["schema"] == {"name": "sitegen-model", "version": 1}
        assert errors_of("model", record) == []
        assert errors_of("badge", json.loads(site.read(model["badge"].replace(".svg", ".json")))) == []


def test_a_fault_would_be_found(catalog: Record) -> None:
    assert errors_of("catalog", {**catalog, "more": 1})
    assert errors_of("catalog", {**catalog, "newest_run": 0})
    assert errors_of("catalog", {name: value for name, value in catalog.items() if name != "pairs"})


def test_the_schema_names_every_known_column() -> None:
    named = set(SCHEMAS["model-v1"]["$defs"]["run"]["properties"]["recorded"]["properties"])
    assert named == set(COLUMNS)


def test_counts_add_up(catalog: Record) -> None:
    counts = catalog["counts"]
    assert counts | {"outcomes": None} == {
        "models": 5, "models_with_a_result": 4, "pairs": 3, "results": 5, "runs": 6, "outcomes": None
    }  # fmt: skip
    assert counts["outcomes"] == {"excluded": 1, "fail": 1, "not-tested": 1, "pass": 1, "unknown": 1}
    assert sum(counts["outcomes"].values()) == counts["models"] == len(catalog["models"])
    for pair in catalog["pairs"]:
        assert sum(pair["outcomes"].values()) == pair["results"]
    assert sum(pair["results"] for pair in catalog["pairs"]) == counts["results"]


def test_a_model_is_listed_as_its_own_file_has_it(site: BuiltSite, catalog: Record) -> None:
    for model in catalog["models"]:
        record = json.loads(site.read(model["json"]))
        for name in ("id", "task", "architecture", "path", "json", "markdown", "badge", "status"):
            assert model[name] == record[name]
        assert (model["latest"] is None) == (record["latest"] is None)
        assert {model["path"], model["markdown"], model["badge"]} <= site.paths_set


def test_the_notice_and_the_licence_go_with_every_file(site: BuiltSite, catalog: Record) -> None:
    metadata = pq.read_metadata(BytesIO(site.read("catalog.parquet"))).metadata
    model = json.loads(site.read("models/acme/a/model.json"))
    for name, value in (("licence", "CC0-1.0"), ("notice", "Invented."), ("base_url", "https://example.org/c/")):
        assert catalog["catalog"][name] == model["catalog"][name] == value
        assert metadata[name.encode()] == value.encode()
    assert (metadata[b"schema"], metadata[b"version"]) == (b"sitegen-runs", b"1")


@pytest.mark.parametrize(
    ("licence", "text"), [("apache-2.0", True), ("Apache-2.0", True), ("CC0-1.0", False), ("../x", False)]
)
def test_whose_data_it_is_lies_beside_it(tmp_path: Path, licence: str, text: bool) -> None:
    put(tmp_path / "data", [row()])
    write(tmp_path / "data" / "catalog.toml", f'title = "Ours"\nnotice = "Mind\\nthis."\nlicence = "{licence}"\n')
    build(Settings(data=tmp_path / "data", out=tmp_path / "site", zip=True))
    names = ZipFile(tmp_path / "site" / "site.zip").namelist()
    lines = (tmp_path / "site" / "notice.txt").read_text("utf-8").splitlines()
    assert "notice.txt" in names
    assert ("license.txt" in names) is text
    assert lines[:2] == ["Ours", "Mind this."]
    assert f"Licence of the data: {licence}{' (its text: license.txt)' if text else ''}" in lines
    if text:
        assert b"Apache License" in (tmp_path / "site" / "license.txt").read_bytes()


def test_without_a_licence_none_is_given(tmp_path: Path) -> None:
    put(tmp_path / "data", [row()])
    build(Settings(data=tmp_path / "data", out=tmp_path / "site"))
    assert json.loads((tmp_path / "site/catalog.json").read_bytes())["catalog"]["licence"] is None
    assert b"licence" not in pq.read_metadata(tmp_path / "site/catalog.parquet").metadata


def test_the_table_has_a_row_for_each_run_as_the_models_file_has_it(site: BuiltSite) -> None:
    table = {entry["row_sha256"]: entry for entry in pq.read_table(BytesIO(site.read("catalog.parquet"))).to_pylist()}
    runs = 0
    for path in (path for path in site.paths if path.endswith("/model.json")):
        record = json.loads(site.read(path))
        for result in record["results"]:
            for run in result["runs"]:
                runs += 1
                entry = table[run["row_sha256"]]
                assert entry["outcome"] == run["outcome"]["key"]
                assert entry["verification"] == (run["verification"] or {"key": None})["key"]
                assert entry["caveats"] == [caveat["rule"] for caveat in run["caveats"]]
                assert entry["latest"] == (result is record["results"][0])
                assert (entry["headline"], entry["result_path"]) == (run["headline"], result["path"])
                text = run["recorded"]["error"] or {"path": None, "bytes": None}
                assert (entry["error_path"], entry["error_bytes"]) == (text["path"], text["bytes"])
                for name in ("tp", "wall_s", "hbm_peak_gb", "notes", "neuronx_cc", "torch", "cpu_match"):
                    assert entry[name] == run["recorded"][name]
    assert runs == len(table) == 6


def test_the_table_has_the_columns_of_the_data_and_those_that_are_described(site: BuiltSite) -> None:
    names = pq.read_schema(BytesIO(site.read("catalog.parquet"))).names
    assert names == list(TABLE)
    known = {name for name in COLUMNS if name not in ("run_py", "error", "packages")}
    assert known <= set(names)
    docs = {doc.stem: doc for doc in load_docs(Content((packaged("content"),)), Problems())}
    described = set(re.findall(r"<code>(\w+)</code>", docs["machine-readable"].html.split('id="table"')[1]))
    assert set(names) - known - {"error_path", "error_bytes", "error_sha256"} <= described


def test_what_rows_record_has_the_columns_names(tmp_path: Path) -> None:
    run = site_of(tmp_path, [row()]).results[0].headline
    assert set(recorded(run)) == set(COLUMNS) - {"run_py", "error", "packages"}


def test_it_is_the_same_bytes_from_one_process_and_from_two(tmp_path: Path) -> None:
    put(tmp_path / "data", [row(f"acme/m{n}", tp=n + 1) for n in range(4)])
    found = []
    for jobs in (1, 2):
        build(Settings(data=tmp_path / "data", out=tmp_path / str(jobs), jobs=jobs))
        found.append([(tmp_path / str(jobs) / f"catalog.{kind}").read_bytes() for kind in ("json", "parquet")])
    assert found[0] == found[1]


def test_no_data_is_no_fault(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    build(Settings(data=tmp_path / "data", out=tmp_path / "site"))
    empty = json.loads((tmp_path / "site/catalog.json").read_bytes())
    assert Counter(empty["counts"]["outcomes"]) == Counter()
    assert errors_of("catalog", empty) == []
    assert pq.read_table(tmp_path / "site/catalog.parquet").num_rows == 0
