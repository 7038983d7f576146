"""A model's page once more for programs: `model.json`, and `model.md` with the same facts for whatever reads prose."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from sitegen import urls
from sitegen.cells import NOT_RECORDED, count, number_text
from sitegen.history import TRANSITIONS
from sitegen.pages.records import Record, Records
from sitegen.plain import file_json, markdown_code, markdown_status, markdown_text
from sitegen.plan import File, Output
from sitegen.site import Site
from sitegen.texts import TextReader

WEIGHTS = {"limit": "Limit", "warning": "Warning", "unknown": "Not known"}
# Columns that stand above the list of the others, or in the heading of their result.
_SAID_ABOVE = frozenset(
    "model_id library library_version neuronx_cc tp wall_s hbm_peak_gb hbm_capacity_gb tested_at run_py error".split()
)


def plan(site: Site) -> Iterator[Output]:
    records = Records(site)
    for model in site.models:
        claimant = f"the model {model.id}"
        path = site.addresses.model_file(model.id, urls.MODEL_JSON)
        yield File(path, claimant, partial(_json, records, model.id))
        path = site.addresses.model_file(model.id, urls.MODEL_MARKDOWN)
        yield File(path, claimant, partial(_markdown, records, model.id))


def _json(records: Records, model_id: str, reader: TextReader) -> bytes:
    return file_json(records.of(model_id, reader))


def _markdown(records: Records, model_id: str, reader: TextReader) -> bytes:
    record = records.of(model_id, reader)
    return ("\n".join(_document(record)) + "\n").encode("utf-8", "replace")


def _document(record: Record) -> Iterator[str]:
    catalog, to = record["catalog"], _Way(record)
    yield f"# {markdown_text(record['id'])}"
    if catalog["notice"]:
        yield from ("", f"> {markdown_text(catalog['notice'])}")
    yield ""
    yield f"On {markdown_text(catalog['device'])}: {_status(record['status'])}"
    if record["latest"]:
        yield f"The latest result, under the highest version pair: {_pair(record['latest'])}"
    yield ""
    yield from (f"- {name}: {text}" for name, text in _about(record, to))
    if record["rankings"]:
        yield from ("", "## In the Hub’s rankings", "")
        yield from map(_ranking, record["rankings"])
    yield from ("", "## Results")
    if not record["results"]:
        under = " under this id" if record["earlier_ids"] or record["now_called"] else ""
        yield from ("", f"None: nothing was observed{under}.")
    for result in record["results"]:
        yield from _result(catalog, result, to)


class _Way:
    """Makes links from the Markdown file: absolute where the site knows its address, else relative."""

    def __init__(self, record: Record) -> None:
        self.page: str = record["markdown"]
        self.base: str | None = record["catalog"]["base_url"]

    def __call__(self, text: str, path: str) -> str:
        target, hash_, anchor = path.partition("#")
        address = urls.absolute(self.base, target) if self.base else urls.relative(self.page, target)
        return f"[{text}]({address}{hash_}{anchor})"


def _about(record: Record, to: _Way) -> Iterator[tuple[str, str]]:
    catalog = record["catalog"]
    yield "Page", to("this model, for people", record["path"])
    yield "The same as data", to("model.json", record["json"])
    yield "Badge of the latest result", to("badge.svg", record["badge"])
    if now := record["now_called"]:
        yield "Now called on the Hub", f"{to(markdown_text(now['id']), now['path'])}; what is recorded here stays here"
    yield from (("Earlier id", _earlier(entry, to)) for entry in record["earlier_ids"])
    yield "Task", _value(record["task"])
    yield "Architecture", _value(record["architecture"])
    if record["selected"]:
        yield "Selected by the maintainers", _value(record["selected"]["note"], "without a note")
    yield "Catalogue", markdown_text(catalog["title"])
    for label, name in (("Dataset", "dataset"), ("Data revision", "revision"), ("Licence of the data", "licence")):
        yield label, _value(catalog[name])


def _earlier(entry: Record, to: _Way) -> str:
    name = markdown_text(entry["id"])
    if entry["status"] is None:
        return f"{name}, of which nothing is recorded here"
    return f"{to(name, entry['path'])}, {_status(entry['status'])}"


def _ranking(entry: Record) -> str:
    where = f"{entry['ranking'].capitalize()}, {markdown_text(entry['task'])}"
    return f"- {where}: place {entry['rank']:,}, as of {entry['taken_at'][:10]}"


def _result(catalog: Record, result: Record, to: _Way) -> Iterator[str]:
    entry = result["status"]
    yield from ("", f"### {_pair(result['pair'])}", "")
    yield f"- Result and check: {_status(entry)}"
    yield f"- Change: {TRANSITIONS[result['transition']]}"
    yield f"- Page: {to('this result, for people', result['path'])}"
    many = len(result["runs"]) > 1
    if many:
        yield f"- Runs: {len(result['runs'])}{', which disagree' if entry['runs_disagree'] else ''}"
    first = "the newest" if result["newest_known"] else "shown first; no date says which is the newest"
    for run in result["runs"]:
        if many:
            yield from ("", f"#### Run {run['run']}{f', {first}' if run['headline'] else ''}", "")
        yield from _run(catalog, run, many, to)


def _run(catalog: Record, run: Record, many: bool, to: _Way) -> Iterator[str]:
    if many:
        yield f"- Result and check: {_status(run)}"
    row = run["recorded"]
    yield f"- Cores: {_value(row['tp'])}"
    yield f"- {markdown_text(catalog['memory_label'])}: {_gigabytes(row['hbm_peak_gb'])}"
    yield f"- Capacity: {_gigabytes(row['hbm_capacity_gb'])}"
    yield f"- Wall time, compilation included: {_seconds(row['wall_s'])}"
    yield f"- Tested: {_value(row['tested_at'])}"
    yield f"- Source: row {run['source']['row']:,} of {markdown_code(run['source']['file'])}"
    for name, label in (("run_py", "run.py"), ("error", "error.log")):
        yield f"- {label}: {_file(row[name], label, to)}"
    if run["bundle"]:
        yield f"- Everything to run it again: {to('bundle.zip', run['bundle'])}"
    for label, key in (("Error code", "error_code"), ("Error signature", "error_signature")):
        if run[key]:
            yield f"- {label}: {markdown_code(run[key])}"
    if run["redacted"]:
        places = (f"{markdown_code(name)} ({count(n, 'place')})" for name, n in run["redacted"].items())
        yield f"- Redacted by the catalogue’s setting: {', '.join(places)}"
    yield from ("- Recorded fields:", *_fields(row, run["other"]))
    if run["caveats"]:
        yield from ("- What this does and doesn’t show:", *_caveats(run["caveats"], to))


def _fields(row: Mapping[str, Any], other: Mapping[str, Any]) -> Iterator[str]:
    for name, value in (*((n, v) for n, v in row.items() if n not in _SAID_ABOVE), *other.items()):
        yield f"    - {markdown_code(name)}: {_any(value)}"


def _caveats(caveats: Iterable[Record], to: _Way) -> Iterator[str]:
    for caveat in caveats:
        rule = to(caveat["rule"], caveat["docs"])
        fields = ", ".join(map(markdown_code, caveat["fields"]))
        yield f"    - {WEIGHTS[caveat['weight']]}: {markdown_text(caveat['text'])} ({rule}, from {fields})"


def _status(entry: Record) -> str:
    return markdown_status(entry["outcome"]["label"], entry["words"])


def _pair(pair: Record) -> str:
    parts = ((pair["compiler"], pair["compiler_version"]), (pair["library"], pair["library_version"]))
    return " / ".join(
        f"{_value(name, 'library not recorded')} {_value(version, 'version not recorded')}" for name, version in parts
    )


def _value(value: object, missing: str = NOT_RECORDED) -> str:
    return missing if value is None else markdown_text(str(value))


def _gigabytes(value: float | None) -> str:
    return NOT_RECORDED if value is None else f"{number_text(value)} GB"


def _seconds(value: int | None) -> str:
    return NOT_RECORDED if value is None else f"{value:,} s"


def _any(value: Any) -> str:
    """A recorded value of any type, on one line; a long text by its size and hash."""
    if isinstance(value, str):
        return markdown_text(value)
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return number_text(value)
    if isinstance(value, dict) and value.keys() == {"path", "bytes", "sha256"}:
        return f"{count(value['bytes'], 'byte')}, SHA-256 {value['sha256']}"
    if isinstance(value, dict | list):
        return markdown_code(file_json(value).decode().strip())
    return _value(value)


def _file(text: Record | None, name: str, to: _Way) -> str:
    if text is None:
        return NOT_RECORDED
    return f"{to(name, text['path'])}, {count(text['bytes'], 'byte')}, SHA-256 {text['sha256']}"
