"""`model.json` and `model.md` say what the pages say, of every model; hostile text breaks neither."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from markdown_it import MarkdownIt

from sitegen.build import build
from sitegen.config import Settings
from sitegen.content import packaged
from sitegen.outcome import TONES
from tests.cases.site import BuiltSite, Page, script_data
from tests.factory import DAY, OLD, put, ranking, row, write
from tests.test_pages_catalog import errors_of, tightened

DATA = {"demo": packaged("content") / "demo", "cpu": Path(__file__).parent / "data" / "cpu"}
Facts = dict[str, Any]
Record = dict[str, Any]


@pytest.fixture(scope="module", params=DATA)
def site(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> BuiltSite:
    out = tmp_path_factory.mktemp(request.param) / "site"
    base = "https://example.org/c/" if request.param == "cpu" else None
    build(Settings(data=DATA[request.param], out=out, base_url=base))
    return BuiltSite(out)


def records(site: BuiltSite) -> Iterator[tuple[str, Record]]:
    for model_id, folder in site.names.items():
        yield model_id, json.loads(site.read(f"{folder}model.json"))


# The facts, from each of the three: outcome, checks, cores, memory, seconds, date, rules. None is "not recorded".


def number(text: str) -> float | None:
    found = re.match(r"[\d.,]+", text)
    assert found or text.startswith(("not recorded", "no run")), text
    return float(found[0].replace(",", "")) if found else None


def of_page(page: Page) -> Facts:
    outcome, _, checks = re.split(r" runs disagree| (?:also excluded, )?(?:not a priority|incompatible|kind not rec)",
                                  page.outcome)[0].partition(" · ")  # fmt: skip
    tested = page.fact("Tested")
    # What the page calls memory is its second fact, whatever the catalogue's word for it.
    memory = [e.text for e in page.elements if e.tag == "dd"][1]
    return {
        "outcome": outcome,
        "verification": checks or None,
        "cores": number(page.fact("Cores")),
        "memory": number(" ".join(memory.split())),
        "wall": number(page.fact("Wall time, compilation included")),
        "tested": None if tested == "not recorded" else tested[:16],
        "rules": [e.attributes["data-rule"] for e in page.elements if "data-rule" in e.attributes],
    }


def of_json(result: Record) -> Facts:
    run = result["runs"][0]
    row = run["recorded"]
    checked = result["status"]["verification"]
    return {
        "outcome": result["status"]["outcome"]["label"],
        "verification": checked and checked["label"],
        "cores": row["tp"],
        "memory": row["hbm_peak_gb"],
        "wall": row["wall_s"],
        "tested": row["tested_at"] and row["tested_at"][:16].replace("T", " "),
        "rules": [caveat["rule"] for caveat in run["caveats"]],
    }


def of_markdown(text: str) -> list[Facts]:
    """The facts of each result, the newest run where there are several."""
    return [_of_section(section) for section in text.split("\n### ")[1:]]


def _of_section(section: str) -> Facts:
    first = section.split("\n#### ")
    head, run = first[0], first[1] if len(first) > 1 else first[0]

    def value(name: str, where: str) -> str:
        found = re.search(rf"^- {name}: (.*)$", where, re.MULTILINE)
        assert found, (name, where)
        return re.sub(r"\\(.)", r"\1", found[1])

    observed = re.match(r"\*\*(.*?)\*\*(?:, ([^;]*))?", value("Result and check", head))
    assert observed
    tested = value("Tested", run)
    return {
        "outcome": observed[1],
        "verification": observed[2],
        "cores": number(value("Cores", run)),
        "memory": number(value("Peak (?:device|process) memory", run)),
        "wall": number(value("Wall time, compilation included", run)),
        "tested": None if tested == "not recorded" else tested[:16].replace("T", " "),
        "rules": re.findall(r"^    - (?:Limit|Warning|Not known): .* \(\[(.*?)\]", run, re.MULTILINE),
    }


def test_page_json_and_markdown_state_the_same_of_every_result(site: BuiltSite) -> None:
    seen = set()
    for model_id, record in records(site):
        found = of_markdown(site.read(record["markdown"]).decode())
        assert len(found) == len(record["results"]) == len(site.results(model_id))
        for result, told in zip(record["results"], found, strict=True):
            page = of_page(site.page(result["path"]))
            assert page == of_json(result) == told, result["path"]
            seen.add(page["outcome"])
    assert len(seen) > 1


def test_they_state_the_same_of_every_model(site: BuiltSite) -> None:
    tones = set()
    for model_id, record in records(site):
        page = site.page(record["path"])
        entry = record["status"]
        checked = entry["verification"]["label"] if entry["verification"] else ""
        assert page.outcome.startswith(entry["outcome"]["label"] + (f" · {checked}" if checked else ""))
        assert page.tone == entry["outcome"]["tone"]
        assert entry["runs_disagree"] == ("runs disagree" in page.outcome)
        text = site.read(record["markdown"]).decode()
        assert f"**{entry['outcome']['label']}**{f', {checked}' if checked else ''}" in text
        assert (entry["exclusion"] or {}).get("reason") is None or entry["exclusion"]["reason"] in page.text
        assert ("None: nothing was observed" in text) == (not record["results"])
        tones.add(page.tone)
        assert model_id == record["id"]
    assert tones <= {*TONES}


@pytest.mark.parametrize(
    ("days", "known"),
    [([3, 2], True), ([3, 2, 2], True), ([3, 3], False), ([3, None], False), ([None, None], False), ([3], True)],
)
def test_a_run_is_called_the_newest_only_where_dates_say_so(
    tmp_path: Path, days: list[int | None], known: bool
) -> None:
    rows = [
        row("acme/a", tested_at=day and DAY + timedelta(day), tp=tp, result="FAIL" if tp == 1 else "PASS")
        for tp, day in enumerate(days, 1)
    ]
    put(tmp_path / "data", rows)
    build(Settings(data=tmp_path / "data", out=tmp_path / "site"))
    site = BuiltSite(tmp_path / "site")
    ((_, record),) = records(site)
    text, page = site.read(record["markdown"]).decode(), " ".join(site.result("acme/a").text.split())
    assert record["results"][0]["newest_known"] == known
    several = len(days) > 1
    assert (", the newest\n" in text) == ("The newest comes first and is shown above" in page) == (known and several)
    unknown = "no date says which is the newest"
    caveats = [c["text"] for r in record["results"][0]["runs"] for c in r["caveats"] if c["rule"] == "runs-disagree"]
    assert len(caveats) == (len(days) if several else 0)
    assert all((unknown in said) != known for said in caveats)
    assert all(("The newest one is shown first" in said) == known for said in caveats)
    assert (f", shown first; {unknown}\n" in text) == (f"is shown above; {unknown}" in page) == (not known)


def test_a_renamed_model_has_its_earlier_ids_in_all_three(tmp_path: Path) -> None:
    put(tmp_path / "data", [row("acme/old-1b"), row("acme/other")])
    ranking(tmp_path / "data", [{"id": "acme/new-1b", "was": ["acme/lost-1b", "acme/old-1b"]}, "acme/other"])
    build(Settings(data=tmp_path / "data", out=tmp_path / "site"))
    site = BuiltSite(tmp_path / "site")
    found = dict(records(site))
    new, old = found["acme/new-1b"], found["acme/old-1b"]
    assert [(e["id"], e["path"], e["status"] and e["status"]["words"]) for e in new["earlier_ids"]] == [
        ("acme/lost-1b", None, None),
        ("acme/old-1b", old["path"], "PASS, CPU match"),
    ]
    assert (new["now_called"], old["now_called"]) == (None, {"id": "acme/new-1b", "path": new["path"]})
    assert (found["acme/other"]["earlier_ids"], found["acme/other"]["now_called"]) == ([], None)
    said = {i: site.read(record["markdown"]).decode() for i, record in found.items()}
    assert "- Earlier id: acme/lost-1b, of which nothing is recorded here\n" in said["acme/new-1b"]
    assert "- Earlier id: [acme/old-1b](../old-1b/index.html), **PASS**, CPU match\n" in said["acme/new-1b"]
    assert "None: nothing was observed under this id." in said["acme/new-1b"]
    assert "- Now called on the Hub: [acme/new-1b](../new-1b/index.html)" in said["acme/old-1b"]
    names = script_data(site.read("search/names.js"), "names")  # by which the error page leads on
    place = names["ids"].split("\n").index("acme/new-1b")
    assert names["was"] == [["acme/lost-1b", place], ["acme/old-1b", place]]
    for model_id, record in found.items():
        assert errors_of("model", record) == []
        text = " ".join(site.page(record["path"]).text.split())
        assert ("Earlier id: acme/old-1b, PASS · CPU match" in text) == (model_id == "acme/new-1b")
        assert ("is now called acme/new-1b" in text) == (model_id == "acme/old-1b")


def test_an_unknown_column_that_is_null_in_a_row_is_left_out_as_the_docs_say(tmp_path: Path) -> None:
    extra = {"site": pa.array(["eu", None]), "score": pa.array([float("nan"), 0.5]), "gone": pa.nulls(2)}
    put(tmp_path / "data", [row("acme/a"), row("acme/b")], extra=extra)
    build(Settings(data=tmp_path / "data", out=tmp_path / "site"))
    site = BuiltSite(tmp_path / "site")
    others = {model_id: record["results"][0]["runs"][0]["other"] for model_id, record in records(site)}
    assert others == {"acme/a": {"site": "eu"}, "acme/b": {"score": 0.5}}
    assert all(name in site.page("data/index.html").text for name in extra)
    assert "null or NaN in a row is left out" in " ".join(site.page("docs/machine-readable/index.html").text.split())


def test_the_demo_has_models_in_every_state(site: BuiltSite) -> None:
    """Else the comparisons above would compare less than they say."""
    if (site.folder / "models" / "fjordlight").is_dir():
        assert {record["status"]["outcome"]["tone"] for _, record in records(site)} == {*TONES}


def test_every_address_leads_somewhere_and_texts_are_what_they_are_said_to_be(site: BuiltSite) -> None:
    for _, record in records(site):
        for path in addresses(record):
            assert path.partition("#")[0] in site.paths_set
        for result in record["results"]:
            for run in result["runs"]:
                for name in ("run_py", "error"):
                    if (text := run["recorded"][name]) is not None:
                        assert len(site.read(text["path"])) == text["bytes"]


def addresses(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for name, entry in value.items():
            if name in ("path", "json", "markdown", "badge", "bundle", "docs") and entry is not None:
                yield entry
            yield from addresses(entry)
    elif isinstance(value, list):
        for entry in value:
            yield from addresses(entry)


def test_links_of_the_markdown_lead_to_files(site: BuiltSite) -> None:
    for _, record in records(site):
        for target in re.findall(r"\]\(([^)]*)\)", site.read(record["markdown"]).decode()):
            path = target.partition("#")[0].removeprefix("https://example.org/c/")
            folder = site.folder if "://" in target else (site.folder / record["path"]).parent
            assert (folder / path).resolve().exists(), target


def test_a_page_names_its_twins(site: BuiltSite) -> None:
    for _, record in records(site):
        links = {
            e.attributes["type"]: e.attributes["href"] for e in site.page(record["path"]).all("link", rel="alternate")
        }
        assert links["application/json"] == "model.json"
        assert links["text/markdown"] == "model.md"


def test_every_record_keeps_to_its_schema(site: BuiltSite) -> None:
    for model_id, record in records(site):
        assert errors_of("model", record) == [], model_id


HOSTILE = "# x\n\n<script>alert(1)</script> [a](javascript:b) ![i](//evil) `` ``` | **b** \x00\u202e</p> & \\"


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> BuiltSite:
    folder = tmp_path_factory.mktemp("hostile")
    texts = dict.fromkeys(["result", "notes", "runner", "cpu_match", "library", "torch", "exclusion"], HOSTILE)
    more = {"own|`column`": HOSTILE, "table": {"a": HOSTILE, "b": [1]}, "long": "x" * 30_000, "yes": True, "half": 0.5}
    put(folder / "data", [row("acme/x", **texts, **more, neuronx_cc="`" + HOSTILE, error=HOSTILE, packages=HOSTILE)])
    put(folder / "data", [row("acme/big", tp=str(2**70), wall_s=0)], "big.parquet", types={"tp": pa.string()})
    ranking(folder / "data", [{"id": "acme/\ud800y", "downloads": 0}, "acme/a"])
    write(folder / "data" / "catalog.toml", f"notice = {json.dumps(HOSTILE.replace(chr(0), ''))}\nlicence = 'CC <1>'\n")
    build(Settings(data=folder / "data", out=folder / "site", keep_going=True))
    return BuiltSite(folder / "site")


def test_nothing_recorded_is_markup_in_the_markdown(hostile: BuiltSite) -> None:
    text = hostile.read("models/acme/x/model.md").decode()
    tokens = MarkdownIt("commonmark").parse(text)
    inline = [child for token in tokens for child in token.children or []]
    assert not [
        t for t in (*tokens, *inline) if t.type in ("html_block", "html_inline", "image", "fence", "code_block")
    ]
    targets = [str(t.attrs["href"]) for t in inline if t.type == "link_open"]
    assert targets
    assert not [target for target in targets if not re.fullmatch(r"[a-z0-9._/-]+(#[a-z0-9-]+)?", target)]
    assert [t.tag for t in tokens if t.type == "heading_open"] == ["h1", "h2", "h3"]
    assert "alert(1)" in text


def test_values_of_any_kind_keep_their_kind(hostile: BuiltSite) -> None:
    record = json.loads(hostile.read("models/acme/x/model.json"))
    assert errors_of("model", record) == []
    run = record["results"][0]["runs"][0]
    assert run["recorded"]["notes"] == HOSTILE
    other = run["other"]
    assert (other["own|`column`"], other["table"], other["yes"], other["half"]) == (
        HOSTILE,
        {"a": HOSTILE, "b": [1]},
        True,
        0.5,
    )
    assert other["long"].keys() == {"path", "bytes", "sha256"}
    assert (other["long"]["path"], other["long"]["bytes"]) == (None, 30_000)
    assert record["catalog"]["licence"] == "CC <1>"
    assert json.loads(hostile.read("models/acme/a/model.json"))["rankings"][0]["downloads"] is None


def test_a_number_beyond_64_bits_is_in_the_json_alone(hostile: BuiltSite) -> None:
    record = json.loads(hostile.read("models/acme/big/model.json"))
    assert record["results"][0]["runs"][0]["recorded"]["tp"] == 2**70
    assert record["results"][0]["runs"][0]["recorded"]["wall_s"] == 0
    table = pq.read_table(hostile.folder / "catalog.parquet").to_pylist()
    assert {entry["model_id"]: entry["tp"] for entry in table} == {"acme/x": 1, "acme/big": None}


def test_what_is_missing_is_null_and_never_zero(tmp_path: Path) -> None:
    put(tmp_path / "data", [{"model_id": "acme/bare", "neuronx_cc": OLD}, {"model_id": "acme/bare"}])
    build(Settings(data=tmp_path / "data", out=tmp_path / "site"))
    record = json.loads((tmp_path / "site" / "models/acme/bare/model.json").read_bytes())
    for result in record["results"]:
        recorded = result["runs"][0]["recorded"]
        assert {name for name, value in recorded.items() if value is not None} <= {"model_id", "neuronx_cc"}
        assert result["status"]["outcome"]["key"] == "unrecorded"
        assert result["status"]["verification"] is None
    text = (tmp_path / "site" / "models/acme/bare/model.md").read_text("utf-8")
    assert "- Cores: not recorded\n" in text
    assert not re.search(r": (0|None|null|nan|FAIL|)$", text, re.MULTILINE)


def test_a_tightened_schema_takes_no_field_that_it_does_not_name() -> None:
    schema = tightened({"type": "object", "properties": {"a": {"type": ["object", "null"], "properties": {"b": {}}}}})
    assert schema["additionalProperties"] is False
    assert schema["properties"]["a"]["additionalProperties"] is False
