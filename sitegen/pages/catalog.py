"""The whole catalogue for programs: `catalog.json`, a model each; `catalog.parquet`, a run each; and their schemas."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from sitegen import urls
from sitegen.arrow import iso
from sitegen.content import packaged
from sitegen.model import Model, Result, Run, TextRef, VersionPair
from sitegen.pages.parts import run_caveats, status
from sitegen.pages.records import (
    CATALOG_SCHEMA,
    Record,
    addresses,
    pair_record,
    recorded,
    source_of,
    status_record,
)
from sitegen.plain import file_json
from sitegen.plan import File, Output
from sitegen.schema import COLUMNS, Kind
from sitegen.site import Site
from sitegen.table import parquet
from sitegen.texts import TextReader

_KINDS = {Kind.TEXT: "text", Kind.WHOLE: "whole", Kind.NUMBER: "number", Kind.MOMENT: "moment"}
# The columns of the table: what rows record, by its own names; then what the site makes of it.
TABLE: Mapping[str, str] = {
    **{name: _KINDS[kind] for name, kind in COLUMNS.items() if kind is not Kind.LARGE},
    **{f"{name}_{part}": kind for name in ("run_py", "error") for part, kind in (
        ("path", "text"), ("bytes", "whole"), ("sha256", "text"))},
    **dict.fromkeys("outcome outcome_label tone verification verification_label".split(), "text"),
    "checks": "texts",
    "headline": "flag",
    "latest": "flag",
    "runs_disagree": "flag",
    **dict.fromkeys("exclusion_reason exclusion_kind exclusion_origin error_code error_signature".split(), "text"),
    "caveats": "texts",
    **dict.fromkeys("model_path result_path run row_sha256 source_file".split(), "text"),
    "source_row": "whole",
}  # fmt: skip


def plan(site: Site) -> Iterator[Output]:
    yield File(urls.CATALOG_JSON, "the catalogue as data", partial(_json, site))
    yield File(urls.CATALOG_PARQUET, "the catalogue as data", partial(_table, site))
    for path in schemas():
        name, _, version = path.stem.rpartition("-v")
        yield File(urls.schema(name, int(version)), f"the schema {path.stem}", partial(_bytes, path))


def schemas() -> list[Path]:
    """The JSON Schemas that are published, as files of the package."""
    return sorted((packaged("content") / "schema").glob("*-v*.json"))


def _bytes(path: Path, _: TextReader) -> bytes:
    return path.read_bytes()


def _json(site: Site, _: TextReader) -> bytes:
    return file_json(catalog_record(site))


def catalog_record(site: Site) -> Record:
    return {
        "schema": CATALOG_SCHEMA,
        "catalog": source_of(site),
        "newest_run": iso(site.newest) if site.newest else None,
        "counts": _counts(site),
        "pairs": [_pair(site, pair) for pair in site.pairs],
        "rankings": [
            {
                "ranking": r.kind,
                "task": r.task,
                "taken_at": iso(r.taken_at),
                "source": r.source,
                "models": len(r.models),
            }
            for r in site.rankings
        ],
        "models": [_model(site, model) for model in site.models],
    }


def _counts(site: Site) -> Record:
    """`outcomes` counts models by their latest result: it adds up to `models`."""
    return {
        "models": len(site.models),
        "models_with_a_result": sum(1 for model in site.models if model.results),
        "pairs": len(site.pairs),
        "results": len(site.results),
        "runs": sum(len(result.runs) for result in site.results),
        "outcomes": _tally(status(site, model, model.latest).key for model in site.models),
    }


def _tally(keys: Iterable[str]) -> Mapping[str, int]:
    return dict(sorted(Counter(keys).items()))


def _pair(site: Site, pair: VersionPair) -> Record:
    results = [(model, model.by_pair[pair]) for model in site.models if pair in model.by_pair]
    return {
        **pair_record(site, pair),
        "path": site.addresses.pair(pair),
        "results": len(results),
        "outcomes": _tally(status(site, model, result).key for model, result in results),
    }


def _model(site: Site, model: Model) -> Record:
    latest = model.latest
    run = latest.headline if latest else None
    return {
        "id": model.id,
        "task": model.task,
        "architecture": model.architecture,
        **addresses(site, model),
        "status": status_record(site, model, latest),
        "latest": latest and pair_record(site, latest.pair) | {"path": site.addresses.result(model.id, latest.pair)},
        "tp": run and run.tp,
        "wall_s": run and run.wall_s,
        "hbm_peak_gb": run and run.hbm_peak_gb,
        "tested_at": iso(run.tested_at) if run and run.tested_at else None,
        "results": len(model.results),
    }


def _table(site: Site, _: TextReader) -> bytes:
    rows = [_row(site, model, result, run) for model in site.models for result in model.results for run in result.runs]
    about = {name: str(value) for name, value in source_of(site).items() if value is not None}
    return parquet(TABLE, rows, {"schema": "sitegen-runs", "version": "1", **about})


def _row(site: Site, model: Model, result: Result, run: Run) -> Mapping[str, Any]:
    headline = run is result.headline
    entry = status_record(site, model, result, run)
    verification: Record = entry["verification"] or {"key": None, "label": None, "checks": []}
    exclusion = site.exclusion(model, result)
    return {
        **recorded(run),
        "tested_at": run.tested_at,
        **_text(site, run, "run_py", "run.py", run.run_py, headline),
        **_text(site, run, "error", "error.log", run.error, headline),
        "outcome": entry["outcome"]["key"],
        "outcome_label": entry["outcome"]["label"],
        "tone": entry["outcome"]["tone"],
        "verification": verification["key"],
        "verification_label": verification["label"],
        "checks": verification["checks"],
        "headline": headline,
        "latest": result is model.latest,
        "runs_disagree": result.disagree,
        "exclusion_reason": exclusion and exclusion.reason,
        "exclusion_kind": exclusion and exclusion.kind,
        "exclusion_origin": exclusion and exclusion.origin,
        "error_code": run.error_code,
        "error_signature": run.signature,
        "caveats": [caveat.rule for caveat in run_caveats(site, model, result, run)],
        "model_path": site.addresses.model(model.id),
        "result_path": site.addresses.result(model.id, result.pair),
        "run": run.short,
        "row_sha256": run.digest,
        "source_file": run.source.file,
        "source_row": run.source.row,
    }


def _text(site: Site, run: Run, column: str, name: str, ref: TextRef | None, headline: bool) -> Mapping[str, Any]:
    return {
        f"{column}_path": ref and site.addresses.run_file(run, name, headline),
        f"{column}_bytes": ref and ref.size,
        f"{column}_sha256": ref and ref.sha256,
    }
