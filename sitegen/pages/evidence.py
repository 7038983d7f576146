"""What a run left behind: its script, its log and the list of its packages, as files and for display."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from markupsafe import Markup

from sitegen.highlight import Code, python_code
from sitegen.logs import Log, parse
from sitegen.model import Result, Run, TextRef
from sitegen.pages.parts import pair_text
from sitegen.safe import numbered
from sitegen.site import Site
from sitegen.texts import TextReader
from sitegen.tracebacks import Frame

SHOWN_MAX = 2000  # characters of an unknown column's value that stand on a page
RAW_MAX = 100_000  # characters of the raw row there; the bundle has it whole


@dataclass(frozen=True)
class FileView:
    """A text beside the page, byte for byte."""

    path: str
    name: str
    size: int
    sha256: str


@dataclass(frozen=True)
class CodeView:
    lines: Markup
    shown: int  # lines
    file: FileView
    plain_because: str | None  # why it is not highlighted
    left_out: int  # lines at the end that the page does not show
    cut_lines: int  # lines whose end it does not show


@dataclass(frozen=True)
class LogView:
    log: Log
    head: Markup
    tail: Markup
    file: FileView
    script_line: int | None  # the line of run.py on the way to the error, where the page shows it
    called_from: Frame | None  # the innermost call of the pair's library, where another one raised it


@dataclass(frozen=True)
class Package:
    name: str
    version: str | None


@dataclass(frozen=True)
class SameFailureModel:
    id: str
    path: str
    pair: str
    here: bool  # under the same pair


@dataclass(frozen=True)
class SameFailure:
    """Other models with this signature: under the same pair where there is one, else under the highest."""

    signature: str
    path: str
    models: tuple[SameFailureModel, ...]


def files_of(site: Site, result: Result, run: Run) -> Iterator[tuple[FileView, TextRef]]:
    for name, ref in (("run.py", run.run_py), ("error.log", run.error)):
        if ref is not None:
            path = site.addresses.run_file(run, name, run is result.headline)
            yield FileView(path, name, ref.size, ref.sha256), ref


def code_view(run: Run, files: dict[str, FileView], reader: TextReader) -> CodeView | None:
    text = reader.text(run.run_py)
    if text is None:
        return None
    code, lines = _numbered_code(text)
    return CodeView(lines, len(code.lines), files["run.py"], code.plain_because, code.left_out, code.cut_lines)


@lru_cache(maxsize=8)  # the results of a model follow each other, and often share a script
def _numbered_code(text: str) -> tuple[Code, Markup]:
    code = python_code(text)
    return code, numbered("L", enumerate(code.lines, 1))


def log_view(run: Run, files: dict[str, FileView], code: CodeView | None, reader: TextReader) -> LogView | None:
    if run.error is None:
        return None
    log = parse(reader.bytes(run.error))
    head, tail = (numbered("log-L", ((line.number, line.html) for line in part)) for part in (log.head, log.tail))
    line, called_from = log.failure.script_line, log.failure.called_from(run.pair.library)
    there = code is not None and line is not None and 0 < line <= code.shown
    return LogView(log, head, tail, files["error.log"], line if there else None, called_from)


def same_failure(site: Site, result: Result) -> SameFailure | None:
    signature = result.headline.signature
    if signature is None:
        return None
    models: list[SameFailureModel] = []
    for model_id, results in site.by_signature[signature].items():
        if model_id != result.model_id:
            other = next((other for other in results if other.pair == result.pair), results[0])
            path = site.addresses.result(model_id, other.pair)
            models.append(SameFailureModel(model_id, path, pair_text(site, other.pair), other.pair == result.pair))
    models.sort(key=lambda model: not model.here)
    return SameFailure(signature, site.error_paths[signature], tuple(models))


def installed(text: str | None) -> tuple[Package, ...]:
    """The `packages` column: a JSON object of name and version; anything else is one entry as recorded."""
    if text is None:
        return ()
    try:
        table = json.loads(text)
    except (ValueError, RecursionError):
        table = None
    if isinstance(table, dict) and all(isinstance(version, str | None) for version in table.values()):
        return tuple(Package(name, table[name]) for name in sorted(table, key=str.casefold))
    return (Package(short(text), None),)


def short(text: str, limit: int = SHOWN_MAX) -> str:
    left = len(text) - limit
    return text if left <= 0 else f"{text[:limit]} … ({left:,} more characters)"
