"""What holds of every catalogue, whatever is in it: properties of the built files, with pyarrow's rows beside them."""

from __future__ import annotations

import hashlib
import io
import re
import tomllib
import zipfile
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pyarrow.parquet as pq

from tests.cases.site import Page, script_data
from tests.fuzz.built import Built, Run, strict_json, visible
from tests.fuzz.catalogues import KNOWN
from tests.fuzz.oracle import BAD, LARGE, MOMENT, UNSURE, Fact

OUTCOMES = tomllib.loads((Path(__file__).parents[2] / "content/outcomes.toml").read_text("utf-8"))["outcome"]
LABELS = {word.lower(): entry["label"] for entry in OUTCOMES for word in entry["words"]}
DEVICES = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\.|$)")
GAP = "not recorded"
INT64 = 2**63


def message_name(file: str) -> str:
    """A file's name as a message writes it."""
    return "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in file)


def every_row_is_a_run_a_duplicate_or_refused(built: Built) -> None:
    runs = [(run.fact.file, run.fact.row) for run in built.runs]
    assert len(runs) == len(set(runs)), "one row is two runs"
    keys = {run.fact.key for run in built.runs}
    counts: Counter[str] = Counter()
    for file, found in built.facts.items():
        if found is None:
            assert _left_out(built, message_name(file)), f"{file} is left out silently"
            continue
        for fact in found:
            refused = (message_name(file), fact.row) in built.errors
            assert not refused or (file, fact.row) not in runs, f"{fact} is refused and a run"
            assert fact.refused in (None, refused), f"{fact}: refused is {refused}"
            kind = "refused" if refused else "runs" if (file, fact.row) in runs else "duplicates"
            assert kind != "duplicates" or fact.key in keys, f"{fact} is lost"
            counts[kind] += 1
    said = built.report.counts
    assert {kind: said[kind] for kind in ("runs", "duplicates", "refused")} == {
        kind: counts[kind] for kind in ("runs", "duplicates", "refused")
    }
    assert said["rows"] == counts.total()


def _left_out(built: Built, file: str) -> bool:
    return any(p.place.file == file and p.code in ("column-missing", "column-twice") for p in built.report.problems)


def no_run_is_counted_twice(built: Built) -> None:
    """Rows that are equal in every stored value and type are one run."""
    whole = Counter(
        repr(sorted(run.fact.values.items())) for run in built.runs if UNSURE not in run.fact.values.values()
    )
    assert not [row for row, count in whole.items() if count > 1]


def every_page_says_what_its_row_says(built: Built) -> None:
    for run in built.runs:
        if run.headline:
            page = built.site.page(run.result["path"])
            _numbers(page, run.fact)
            _words(page, run)


def _numbers(page: Page, fact: Fact) -> None:
    cores, wall, peak, tested = (fact.expected(n) for n in ("tp", "wall_s", "hbm_peak_gb", "tested_at"))
    assert page.fact("Cores") == (GAP if cores is None else str(cores)) or cores is UNSURE
    told = page.fact("Wall time, compilation included").split(" (")[0]
    assert told == (GAP if wall is None else f"{wall:,} s") or wall is UNSURE
    memory = page.fact("Peak device memory")
    if peak is not UNSURE:
        assert memory.startswith(GAP) if peak is None else float(memory.split(" GB")[0]) == peak, (memory, peak)
    when = page.fact("Tested")
    if tested is None or tested is UNSURE:
        assert when == GAP or tested is UNSURE
    else:
        moment = datetime.strptime(when.rjust(20, "0"), "%Y-%m-%d %H:%M UTC").replace(tzinfo=UTC)
        assert moment == tested.replace(second=0, microsecond=0), (when, tested)
    assert page.fact("Source") == f"{visible(fact.file)}, row {fact.row:,}".strip()


def _words(page: Page, run: Run) -> None:
    result, exclusion = run.fact.expected("result"), run.fact.expected("exclusion")
    if UNSURE not in (result, exclusion):
        assert page.outcome.startswith(_label(result, exclusion)), (page.outcome, result)
        assert run.run["outcome"]["label"].startswith(_label(result, exclusion)) or result is None
    if isinstance(notes := run.fact.expected("notes"), str) and len(notes) < 1000 and visible(notes):
        assert visible(f"Notes: {notes}") in visible(page.text)
    assert visible(page.one("bdi", id="model-id").text) == visible(run.model["id"])
    for name in ("neuronx_cc", "library", "library_version"):
        value = run.fact.expected(name)
        if isinstance(value, str) and len(value) < 200:
            assert visible(value) in visible(page.text), (name, value)


def _label(result: str | None, exclusion: str | None) -> tuple[str, ...]:
    if result is None:
        return ("Excluded",) if exclusion else ("Result not recorded", "Excluded")
    return (LABELS.get(result.strip().lower(), "Unknown word “"),)


def every_file_of_a_run_has_its_bytes(built: Built) -> None:
    for run in built.runs:
        for name, file in (("run_py", "run.py"), ("error", "error.log")):
            value, record = run.fact.expected(name), run.run["recorded"][name]
            if value is None:
                assert record is None
            if isinstance(value, bytes):
                assert record["path"].endswith(f"/{file}")
                assert built.site.read(record["path"]) == value
                assert (record["bytes"], record["sha256"]) == (len(value), hashlib.sha256(value).hexdigest())


def model_json_says_what_the_row_says(built: Built) -> None:
    for run in built.runs:
        for name in KNOWN:
            if name not in LARGE:
                _same(name, run.fact.expected(name), run.run["recorded"][name])


def _same(name: str, value: Any, told: Any) -> None:
    if value is UNSURE:
        return
    assert value is not BAD, f"{name} was read as {told!r}"
    if name == MOMENT and value is not None:
        told = told if isinstance(told, datetime) else datetime.fromisoformat(told)
    assert (told, type(told)) == (value, type(value)) or told == value != 0, (name, value, told)


def catalog_parquet_says_what_the_rows_say(built: Built) -> None:
    rows = pq.read_table(io.BytesIO(built.site.read("catalog.parquet"))).to_pylist()
    by_row = {(row["source_file"], row["source_row"]): row for row in rows}
    assert len(by_row) == len(rows) == len(built.runs)
    for run in built.runs:
        row = by_row[run.fact.file, run.fact.row]
        assert row["headline"] == run.headline
        for name in KNOWN:
            value = run.fact.expected(name)
            if name not in LARGE and not (name in ("tp", "wall_s") and isinstance(value, int) and abs(value) >= INT64):
                _same(name, value, row[name])


def catalog_json_says_what_the_models_say(built: Built) -> None:
    table = strict_json(built.site.read("catalog.json"))
    latest = {run.model["id"]: run for run in built.runs if run.headline and run.result is run.model["results"][0]}
    assert {entry["id"] for entry in table["models"]} == {model["id"] for model in built.models} | {
        entry["id"] for entry in table["models"] if entry["latest"] is None
    }
    for entry in table["models"]:
        run = latest.get(entry["id"])
        assert (entry["latest"] is None) == (run is None)
        for name in ("tp", "wall_s", "hbm_peak_gb", "tested_at"):
            _same(name, run.fact.expected(name) if run else None, entry[name])
    assert table["counts"]["runs"] == len(built.runs)


def model_md_says_what_the_rows_say(built: Built) -> None:
    for model in built.models:
        lines = built.site.read(model["markdown"]).decode("utf-8").split("\n")
        told = Counter(line for line in lines if line.startswith(("- Cores: ", "- Wall time, compilation included: ")))
        own = [run.fact for run in built.runs if run.model is model]
        if not any(fact.expected(name) is UNSURE for fact in own for name in ("tp", "wall_s")):
            cores = [fact.expected("tp") for fact in own]
            walls = [fact.expected("wall_s") for fact in own]
            wanted = Counter(f"- Cores: {GAP if n is None else n}" for n in cores)
            wanted += Counter(f"- Wall time, compilation included: {GAP if n is None else f'{n:,} s'}" for n in walls)
            assert {k.replace("\\", ""): n for k, n in told.items()} == dict(wanted)


def every_list_says_what_the_models_say(built: Built) -> None:
    latest = {run.model["id"]: run.fact for run in built.runs if run.headline and run.result is run.model["results"][0]}
    rows = built.site.page("all/index.html").rows()
    alone = Counter(visible(row["id"]) for row in rows)
    assert alone == Counter(visible(model["id"]) for model in strict_json(built.site.read("catalog.json"))["models"])
    by_shown = {visible(model_id): fact for model_id, fact in latest.items()}
    for row in rows:
        fact = by_shown.get(visible(row["id"]))
        if fact and alone[visible(row["id"])] == 1 and (cores := fact.expected("tp")) is not UNSURE:
            assert row["cores"] == (GAP if cores is None else str(cores)), row


def every_address_is_legal_and_no_two_are_one(built: Built) -> None:
    for path in built.site.paths:
        parts = path.split("/")
        assert len(path) <= 200, path
        for part in parts:
            assert re.fullmatch(r"[a-z0-9._-]{1,100}", part), path
            assert not part.endswith("."), path
            assert not DEVICES.match(part), path
    folded = Counter(path.casefold() for path in built.site.paths)
    assert not [path for path, count in folded.items() if count > 1]
    models = [model["path"] for model in built.models]
    assert len(models) == len(set(models))
    results = Counter(result["path"] for model in built.models for result in model["results"])
    assert not [path for path, count in results.items() if count > 1]


def every_output_can_be_read(built: Built) -> None:
    for path in built.site.paths:
        data = built.site.read(path)
        if path.endswith((".xml", ".svg")):
            ElementTree.fromstring(data)  # noqa: S314 - made by ourselves
        elif path.endswith(".json"):
            strict_json(data)
        elif path.endswith("rows.js") or path.startswith("search/"):
            name = re.match(rb'sitegenData\("(\w+)"', data) if path.endswith(".js") else None
            assert name is None or script_data(data, name[1].decode()) is not None
        elif path.endswith(".zip"):
            assert zipfile.ZipFile(io.BytesIO(data)).testzip() is None
    for path, page in built.site.pages.items():
        twice = [name for name, count in Counter(page.ids).items() if count > 1]
        assert not twice, f"{path} has the ids {twice} twice"


def what_is_said_on_errors_can_be_found(built: Built) -> None:
    """Every problem is on the data page, a kind of it at least where there are many."""
    text = visible(built.site.page("data/index.html").text)
    for problem in built.report.problems:
        if problem.place.file and problem.place.file.endswith(".parquet") and problem.place.row:
            assert visible(problem.place.file) in text


PROPERTIES = (
    every_row_is_a_run_a_duplicate_or_refused,
    no_run_is_counted_twice,
    every_page_says_what_its_row_says,
    every_file_of_a_run_has_its_bytes,
    model_json_says_what_the_row_says,
    catalog_parquet_says_what_the_rows_say,
    catalog_json_says_what_the_models_say,
    model_md_says_what_the_rows_say,
    every_list_says_what_the_models_say,
    every_address_is_legal_and_no_two_are_one,
    every_output_can_be_read,
    what_is_said_on_errors_can_be_found,
)
