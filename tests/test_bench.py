"""What `make bench` measures with: catalogues, the reading of a run, a host like the real one, Lighthouse's result."""

from __future__ import annotations

import gzip
import os
import sys
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from sitegen.build import build
from sitegen.config import Settings
from tests.bench import ratios, results
from tests.bench.again import changes, is_result, states
from tests.bench.audit import GOALS, Audit, failures
from tests.bench.corpus import Shape, differing, facts_of, rows_of
from tests.bench.corpus import write as write_corpus
from tests.bench.generators import PEERS
from tests.bench.host import host
from tests.bench.install import PEERS as FOLDER
from tests.bench.measure import Command, Measured, Series, run
from tests.bench.part import Figures
from tests.bench.ratios import Reached, table
from tests.bench.search import in_node
from tests.bench.trees import TREES
from tests.bench.workshop import SETTLED, Workshop
from tests.factory import Row, write
from tests.netlify import headers_of

SHAPE = Shape(models=12, pairs=4)
PLACES = {"hugo": "content", "eleventy": "src", "pelican": "content", "mkdocs": "docs"}


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("corpus")
    assert write_corpus(folder, SHAPE, names=tuple(TREES), edits=2) == 12 * 4
    return folder


def files(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def parquet_rows(folder: Path) -> Iterator[Row]:
    """Without what is not recorded."""
    for path in sorted(folder.rglob("*.parquet")):
        for row in pq.read_table(path).to_pylist():
            yield {name: value for name, value in row.items() if value is not None}


def read_page(text: str) -> tuple[dict[str, str], dict[str, str]]:
    """The facts of a Markdown page, and what stands in its fences by language."""
    prose, *fences = text.replace("\n```\n", "\n```end\n").split("```")
    cells = [line.strip("| ").split(" | ") for line in prose.splitlines() if line.startswith("| ")]
    found = (fence.split("\n", 1) for fence in fences if not fence.startswith("end"))
    return {cell[0]: cell[1] for cell in cells[2:]}, dict(found)


def test_a_catalogue_is_made_alike_every_time(corpus: Path, tmp_path: Path) -> None:
    write_corpus(tmp_path / "again", SHAPE, names=tuple(TREES), edits=2)
    assert files(tmp_path / "again") == files(corpus)


@pytest.mark.parametrize("name", TREES)
def test_the_pages_of_others_hold_what_the_parquet_rows_hold(corpus: Path, name: str) -> None:
    texts = [path.read_bytes().decode() for path in (corpus / name / PLACES[name]).rglob("*.md")]
    pages = [read_page(text) for text in texts if "| fact | value |" in text]
    found = {(facts["model_id"], facts["neuronx_cc"], facts["library_version"]): (facts, code) for facts, code in pages}
    rows = list(parquet_rows(corpus / "data"))
    assert len(found) == len(rows) == len(pages)
    for row in rows:
        facts, fences = found[row["model_id"], row["neuronx_cc"], row["library_version"]]
        assert facts == facts_of(row)
        assert fences.get("python") == row.get("run_py")
        log = row.get("error")
        assert fences.get("text") == (log if log is None or log.endswith("\n") else f"{log}\n")


def test_the_catalogue_has_logs_scripts_and_results_without_either(corpus: Path) -> None:
    kinds = {("run_py" in row, "error" in row) for row in parquet_rows(corpus / "data")}
    assert kinds == {(True, True), (True, False), (False, False)}


def test_every_script_differs_only_where_that_is_asked_for() -> None:
    def scripts(shape: Shape) -> list[str]:
        return [row["run_py"] for _, rows in rows_of(shape) for row in rows if row.get("run_py")]

    near, apart = scripts(SHAPE), scripts(Shape(models=12, pairs=4, distinct=True))
    assert len(set(apart)) == len(apart) == len(near) > len(set(near))
    for text in apart:
        compile(text, "run.py", "exec")
    new = set(differing(near[0], "one").splitlines()) - set(differing(near[0], "another").splitlines())
    assert len(new) == 3


def test_an_edit_is_the_newest_file_with_other_times_and_results(corpus: Path) -> None:
    *_, (_, rows) = rows_of(SHAPE)
    first, second = (list(parquet_rows(corpus / "edits" / number)) for number in ("1", "2"))
    (name,) = (path.name for path in (corpus / "edits" / "1").iterdir())
    assert name == max(path.name for path in (corpus / "data").glob("*.parquet"))
    assert [row["model_id"] for row in first] == [row["model_id"] for row in rows]
    assert all(a != b for a, b in zip(first, second, strict=True))
    assert {row["result"] for row in first} == {row["result"] for row in second} >= {"PASS", "FAIL"}


def test_every_generator_has_its_templates_and_its_tree() -> None:
    trees = {generator.tree for generator in PEERS.values()}
    assert trees == set(TREES) == {path.name for path in FOLDER.iterdir() if path.is_dir()}


# ---------------------------------------------------------------------------------------- reading a run


def test_a_run_counts_the_work_of_the_processes_below_it(tmp_path: Path) -> None:
    work = "import time\nend = time.process_time() + 0.2\nwhile time.process_time() < end: pass"
    code = f"import subprocess, sys\nsubprocess.run([sys.executable, '-c', {work!r}], check=True)"
    found = run(Command((sys.executable, "-c", code), tmp_path), sample=True)
    assert found.cpu >= 0.2
    assert found.wall >= 0.2
    assert found.largest > 1
    assert found.tree > 1 or sys.platform != "linux"


def test_a_command_that_fails_ends_the_benchmark(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="ended with status 3"):
        run(Command((sys.executable, "-c", "raise SystemExit(3)"), tmp_path))


def test_a_series_gives_medians_and_the_largest() -> None:
    series = Series(tuple(Measured(wall, wall * 2, mib, 0.5) for wall, mib in ((1, 30), (3, 10), (2, 20))))
    assert (series.wall, series.cpu, series.largest) == (2, 4, 30)
    said = "wall 2.00 [1.00-3.00] s, CPU 4.00 [2.00-6.00] s, largest process 30 MiB, 3 runs, others used 0.50 cores"
    assert str(series) == said


def test_what_is_in_the_way_is_moved_and_deleted_at_the_end(tmp_path: Path) -> None:
    shop = Workshop(tmp_path)
    write(shop.work / "site" / "index.html", "old")
    write(tmp_path / "venv" / "kept", "")
    assert not shop.away(shop.work / "site").exists()
    assert [path.read_text("utf-8") for path in shop.trash.rglob("index.html")] == ["old"]
    assert shop.unsettled() == 0
    shop.clear()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["cleared", "venv"]
    assert SETTLED - 5 < shop.unsettled() <= SETTLED


def test_a_file_that_was_written_is_told_from_one_that_changed(tmp_path: Path) -> None:
    for name in ("left", "linked", "rewritten", "replaced", "changed", "pruned"):
        write(tmp_path / name, name)
        os.utime(tmp_path / name, (1, 1))
    write(tmp_path / ".notes", "")
    before = states(tmp_path)
    os.link(tmp_path / "linked", tmp_path / "link")
    (tmp_path / "linked").unlink()
    (tmp_path / "link").rename(tmp_path / "linked")
    write(tmp_path / "rewritten", "rewritten")
    write(tmp_path / "new", "replaced")
    os.utime(tmp_path / "new", (1, 1))
    (tmp_path / "new").replace(tmp_path / "replaced")
    write(tmp_path / "changed", "other")
    write(tmp_path / "added", "")
    write(tmp_path / ".notes", "other")
    (tmp_path / "pruned").unlink()
    found = changes(before, states(tmp_path))
    assert found.outputs == 6
    assert found.written == ("added", "changed", "replaced", "rewritten")
    assert found.needless == ("replaced", "rewritten")


def test_results_are_told_from_lists() -> None:
    assert is_result("models/acme/one-1b/2.28-transformers-5.0/index.html")
    assert not is_result("models/acme/one-1b/index.html")
    assert not is_result("versions/2.28-transformers-5.0/index.html")


def test_the_search_is_measured_on_what_a_site_ships(tmp_path: Path) -> None:
    write_corpus(tmp_path, Shape(models=15, pairs=1, texts=False))
    build(Settings(data=tmp_path / "data", out=tmp_path / "site", jobs=1))
    found = in_node(tmp_path / "site", 50)
    assert (found["names"] >= 15, found["queries"], found["bytes"]["before"]) == (True, 50, 0)
    assert found["recall"]["right"] == found["recall"]["wanted"] > 0 == found["recall"]["extra"]
    assert found["bytes"]["names"]["raw"] == (tmp_path / "site" / "search" / "names.js").stat().st_size
    assert 0 < found["bytes"]["code"]["brotli"] < found["bytes"]["code"]["gzip"] < found["bytes"]["code"]["raw"]


# -------------------------------------------------------------------------------------- what must be reached


def test_the_table_says_what_is_reached_in_the_order_of_the_goals() -> None:
    found = [
        Reached("search-recall", 0.999999, "5 models"),
        Reached("copy", 6.01),
        Reached("hugo-off", 0.8, "9 results"),
    ]
    head, rule, *rows = table(found).splitlines()
    assert [cell.strip() for cell in head.strip("|").split("|")] == list(ratios.HEAD)
    assert {len(row) for row in (head, rule, *rows)} == {len(head)}
    assert [[cell.strip() for cell in row.strip("| ").split("|")][1:] for row in rows] == [
        ["9 results", "0.800", "at most 0.8", "yes"],
        ["", "6.01", "at most 6", "NO"],
        ["5 models", "0.999999", "at least 1", "NO"],
    ]


def test_what_must_be_none_or_all_is_reached_exactly() -> None:
    assert [Reached(goal, figure).reached for goal, figure in (("rewritten", 0), ("rewritten", 1))] == [True, False]
    assert [Reached("search-recall", figure).reached for figure in (1, 0.999999)] == [True, False]


def test_parts_measured_on_several_days_make_one_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(results, "machine", lambda: "- 2 cores")
    results.keep("cold", Figures(("10 results: wall 1 s",), (Reached("hugo-off", 0.5, "10 results"),)), tmp_path)
    results.keep("search", Figures(("5 models: 1 ms",)), tmp_path)
    path = tmp_path / "RESULTS.md"
    results.write({"search": "Search", "memory": "Memory", "cold": "Cold"}, path, tmp_path)
    text = path.read_text("utf-8")
    heads = [line for line in text.splitlines() if line.startswith("## ")]
    assert heads == ["## Must reach", "## Search", "## Cold", "## Machine and versions"]
    assert "\n- 10 results: wall 1 s\n" in text
    assert "| 10 results  | 0.500 " in text


# --------------------------------------------------------------------------------------- host and Lighthouse


def ask(root: str, path: str, **headers: str) -> tuple[int, dict[str, str], bytes]:
    """Status, headers and body of an answer, the body as it was sent."""
    connection = HTTPConnection(root.removeprefix("http://").rstrip("/"), timeout=10)
    connection.request("GET", f"/{path}", headers=headers)
    answer = connection.getresponse()
    found = answer.status, dict(answer.headers), answer.read()
    connection.close()
    return found


def test_the_host_sends_the_headers_of_netlify_and_compresses_text(tmp_path: Path) -> None:
    write(tmp_path / "index.html", "<p>Home</p>" * 100)
    write(tmp_path / "assets" / "icon.0123456789.svg", "<svg/>")
    with host(tmp_path) as root:
        status, sent, body = ask(root, "", **{"Accept-Encoding": "gzip"})
        assert (status, sent["Content-Type"]) == (200, "text/html; charset=utf-8")
        assert gzip.decompress(body) == (tmp_path / "index.html").read_bytes()
        assert headers_of("/").items() <= sent.items()
        _, sent, body = ask(root, "assets/icon.0123456789.svg")
        assert (body, "Content-Encoding" in sent) == (b"<svg/>", False)
        assert sent["Cache-Control"] == headers_of("/assets/x")["Cache-Control"]


def test_what_is_missing_gets_the_404_page(tmp_path: Path) -> None:
    write(tmp_path / "404.html", "Page not found")
    with host(tmp_path) as root:
        status, _, body = ask(root, "docs/nothing")
    assert (status, body) == (404, b"Page not found")


def test_an_address_as_the_hub_has_it_is_led_on_unless_a_file_is_there(tmp_path: Path) -> None:
    write(tmp_path / "acme" / "file", "here")
    with host(tmp_path) as root:
        status, sent, _ = ask(root, "Acme/Model-1B")
        assert (status, sent["Location"]) == (302, "/models/Acme/Model-1B/")
        assert ask(root, "acme/file")[0] == 200


def test_only_what_costs_points_is_listed() -> None:
    refs = [
        {"id": "passed", "weight": 3},
        {"id": "half", "weight": 3},
        {"id": "free", "weight": 0},
        {"id": "not-asked", "weight": 1},
    ]
    result = {
        "categories": {"seo": {"auditRefs": refs}},
        "audits": {
            "passed": {"score": 1, "title": "Passed"},
            "half": {
                "score": 0.5,
                "title": "Half",
                "displayValue": "2 found",
                "details": {"items": [{"node": {"snippet": "<a>"}}, {"url": "x.css"}]},
            },
            "free": {"score": 0, "title": "Free"},
            "not-asked": {"score": None, "title": "Not asked"},
        },
    }
    assert list(failures(result)) == ["seo: Half (2 found) [half, 0.50]", "    <a>", "    x.css"]


def test_a_score_at_its_goal_is_enough() -> None:
    assert Audit(GOALS, ()).below == ()
    assert Audit({**GOALS, "seo": 99}, ()).below == ("seo",)
