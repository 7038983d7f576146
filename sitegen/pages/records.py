"""What the site knows of a model as plain values, which JSON and Markdown files both say; None is "not recorded".

The names of the fields are promises: `content/schema/` describes them, the docs page `machine-readable.md` explains.
Addresses are paths from the site's root.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache, partial
from typing import Any

from sitegen import urls
from sitegen.arrow import iso
from sitegen.bundle import NAME as BUNDLE
from sitegen.history import steps
from sitegen.model import Exclusion, Model, Result, Run, TextRef, VersionPair
from sitegen.outcome import Verification
from sitegen.pages.badges import frozen
from sitegen.pages.evidence import files_of
from sitegen.pages.model import Earlier, earlier_ids, now_called
from sitegen.pages.parts import Status, doc_path, run_caveats, status, status_words
from sitegen.plain import one_line
from sitegen.site import Site
from sitegen.texts import TextReader

Record = dict[str, Any]
MODEL_SCHEMA = {"name": "sitegen-model", "version": 1}
CATALOG_SCHEMA = {"name": "sitegen-catalog", "version": 1}
INLINE_MAX = 20_000  # bytes of a text without a file of its own that stand in a record
SAME_NAME = (
    "tp runner result notes exclusion wall_s hbm_peak_gb hbm_capacity_gb cpu_match english task architecture"
    " extra_packages"
).split()


def source_of(site: Site) -> Record:
    """Whose data it is, in every file: the words of the catalogue, its notice and its licence."""
    catalog = site.catalog
    return {
        "title": catalog.title,
        "notice": catalog.notice,
        "device": catalog.device,
        "compiler": catalog.compiler,
        "memory_label": catalog.memory_label,
        "dataset": catalog.dataset,
        "licence": catalog.licence,
        "revision": catalog.revision,
        "base_url": urls.absolute(site.settings.base_url, "") if site.settings.base_url else None,
    }


def pair_record(site: Site, pair: VersionPair) -> Record:
    return {
        "compiler": site.catalog.compiler,
        "compiler_version": pair.compiler,
        "library": pair.library,
        "library_version": pair.library_version,
    }


def status_record(site: Site, model: Model, result: Result | None, run: Run | None = None) -> Record:
    """Outcome and verification; the second is None where nothing ran, so that there was nothing to check."""
    entry = status(site, model, result, run)
    shown = run or (result.headline if result else None)
    exclusion = site.exclusion(model, result) if run is None else None
    return {
        "words": status_words(entry, reason=True),
        "outcome": {"key": entry.key, "label": entry.label, "tone": entry.tone},
        "verification": _verification(entry, shown.verification) if shown and entry.verification else None,
        "runs": entry.runs if run is None else 1,
        "runs_disagree": entry.disagree,
        "exclusion": _exclusion(exclusion),
    }


def _verification(entry: Status, verification: Verification) -> Record:
    return {"key": entry.verification_key, "label": entry.verification, "checks": list(verification.states)}


def _exclusion(exclusion: Exclusion | None) -> Record | None:
    if exclusion is None:
        return None
    return {"reason": exclusion.reason, "kind": exclusion.kind, "origin": exclusion.origin}


def model_record(site: Site, model: Model, reader: TextReader) -> Record:
    """Everything of a model: its latest status, what lists and rankings say, and every run under every pair."""
    latest, now = model.latest, now_called(site, model)
    return {
        "schema": MODEL_SCHEMA,
        "catalog": source_of(site),
        "id": model.id,
        "owner": model.owner,
        "task": model.task,
        "architecture": model.architecture,
        **addresses(site, model),
        "latest": pair_record(site, latest.pair) if latest else None,
        "status": status_record(site, model, latest),
        "earlier_ids": [_earlier(site, entry) for entry in earlier_ids(site, model)],
        "now_called": now and {"id": now.text, "path": now.path},
        "selected": model.selected and {"note": model.selected.note, "since": model.selected.since},
        "rankings": list(_rankings(site, model)),
        "results": [_result(site, model, result, transition, reader) for result, transition in _results(site, model)],
    }


def addresses(site: Site, model: Model) -> Record:
    """Where the model's page and the files beside it are."""
    names = (("json", urls.MODEL_JSON), ("markdown", urls.MODEL_MARKDOWN), ("badge", urls.BADGE))
    files = {field: site.addresses.model_file(model.id, name) for field, name in names}
    return {"path": site.addresses.model(model.id), **files}


def _earlier(site: Site, entry: Earlier) -> Record:
    old = site.by_id.get(entry.id)
    return {"id": entry.id, "path": entry.path, "status": status_record(site, old, old.latest) if old else None}


def _results(site: Site, model: Model) -> Iterator[tuple[Result, str]]:
    """The results, the highest pair first, each with what it is to the one before."""
    for step in steps(site, model):
        if step.result is not None:
            yield step.result, step.transition


def _rankings(site: Site, model: Model) -> Iterator[Record]:
    for ranking, entry in site.places.get(model.id, ()):
        yield {
            "ranking": ranking.kind,
            "task": ranking.task,
            "taken_at": iso(ranking.taken_at),
            "rank": entry.rank,
            "downloads": entry.downloads,
            "likes": entry.likes,
            "trending_score": entry.trending_score,
            "gated": entry.gated,
            "last_modified": entry.last_modified,
            "was": list(entry.was),
        }


def _result(site: Site, model: Model, result: Result, transition: str, reader: TextReader) -> Record:
    return {
        "pair": pair_record(site, result.pair),
        "path": site.addresses.result(model.id, result.pair),
        "badge": frozen(site, model, result)[0],
        "transition": transition,
        "status": status_record(site, model, result),
        "newest_known": result.newest_known,
        "runs": [_run(site, model, result, run, reader) for run in result.runs],
    }


def _run(site: Site, model: Model, result: Result, run: Run, reader: TextReader) -> Record:
    headline = run is result.headline
    entry = status_record(site, model, result, run)
    return {
        "run": run.short,
        "row_sha256": run.digest,
        "headline": headline,
        "words": entry["words"],
        "outcome": entry["outcome"],
        "verification": entry["verification"],
        "source": {"file": run.source.file, "row": run.source.row},
        "recorded": recorded(run) | _large(site, result, run, reader),
        "other": _others(run, reader),
        "redacted": dict(run.redacted),
        "bundle": site.addresses.run_file(run, BUNDLE, headline) if run.run_py else None,
        "error_code": run.error_code,
        "error_signature": run.signature,
        "caveats": list(_caveats(site, model, result, run)),
    }


def recorded(run: Run) -> Record:
    """The known columns by name, but for the large texts."""
    return {
        "model_id": run.model_id,
        "library": run.pair.library,
        "library_version": run.pair.library_version,
        "neuronx_cc": run.pair.compiler,
        **{name: getattr(run, name) for name in SAME_NAME},
        **dict(run.stack),
        "tested_at": iso(run.tested_at) if run.tested_at else None,
    }


def _large(site: Site, result: Result, run: Run, reader: TextReader) -> Record:
    """The large texts: where they are, their size and hash. The list of packages has no file and is given itself."""
    paths = {file.name: file.path for file, _ in files_of(site, result, run)}
    return {
        "run_py": run.run_py and text_record(run.run_py, paths.get("run.py")),
        "error": run.error and text_record(run.error, paths.get("error.log")),
        "packages": run.packages and _inline(run.packages, partial(_parsed, reader, run.packages)),
    }


def text_record(ref: TextRef, path: str | None) -> Record:
    return {"path": path, "bytes": ref.size, "sha256": ref.sha256}


def _inline(ref: TextRef, value: Callable[[], Any]) -> Any:
    """The value, unless it is too long; then its size and hash, and no path, for it has no file of its own."""
    return value() if ref.size <= INLINE_MAX else text_record(ref, None)


def _parsed(reader: TextReader, ref: TextRef) -> Any:
    """A JSON object of texts as it is, anything else as the text."""
    text = reader.text(ref)
    try:
        table = json.loads(text or "")
    except (ValueError, RecursionError):
        return text
    plain = isinstance(table, dict) and all(isinstance(value, str | None) for value in table.values())
    return table if plain else text


def _others(run: Run, reader: TextReader) -> Record:
    """The columns that the schema does not know, with their values as they are."""
    if not run.others:
        return {}
    row: Mapping[str, Any] = json.loads(reader.bytes(run.raw))
    return {name: _inline(ref, partial(row.get, name)) for name, ref in run.others}


def _caveats(site: Site, model: Model, result: Result, run: Run) -> Iterator[Record]:
    for caveat in run_caveats(site, model, result, run):
        yield {
            "rule": caveat.rule,
            "weight": caveat.weight,
            "fields": [name for name, _ in caveat.fields],
            "text": one_line(caveat.html.striptags()),
            "docs": doc_path(caveat.docs),
        }


class Records:
    """The records of a site's models: the last one is kept, because both of its files are made one after the other."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.of = lru_cache(maxsize=1)(self._of)

    def _of(self, model_id: str, reader: TextReader) -> Record:
        return model_record(self.site, self.site.by_id[model_id], reader)
