"""Rows become runs: every row of every file is a run, an exact duplicate, or refused with its place."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import pyarrow as pa

from sitegen.columns import columns_usable, missing_and_unknown
from sitegen.errors import Level, Place, Problems
from sitegen.logs import failure_in
from sitegen.model import STACK, Run, Source, SourceFile, TextRef, VersionPair
from sitegen.outcome import Words
from sitegen.read import InputFile, batches, open_file, release, unreadable
from sitegen.schema import COLUMNS, Bad, Kind, Value, as_json, decode
from sitegen.signature import signature
from sitegen.texts import TextStore

EXPECTED_ID = "a Hub id, `name` or `owner/name`"
# Columns whose values are names, which stand on many pages, and how long one may be. Ids of the Hub are below 200.
NAMES, NAME_MAX = ("model_id", "neuronx_cc", "library", "library_version"), 1000
# The Hub's own rule for a repository id.
_PART = r"(?!.*(?:--|\.\.))[A-Za-z0-9_](?:[A-Za-z0-9_.-]{0,94}[A-Za-z0-9_])?"
HUB_ID = re.compile(rf"(?:{_PART}/)?{_PART}(?<!\.git)")


@dataclass(frozen=True)
class Reading:
    """What was read: the runs, and one `SourceFile` for each file that was found."""

    runs: tuple[Run, ...]
    files: tuple[SourceFile, ...]


@dataclass
class RowReader:
    """Reads files one by one, unified by column name; keeps the hashes of rows to count exact duplicates once."""

    words: Words
    store: TextStore
    problems: Problems
    seen: dict[str, Source] = field(default_factory=dict)

    def read(self, files: Sequence[InputFile], progress: Callable[[], None]) -> Reading:
        runs: list[Run] = []
        sources: list[SourceFile] = []
        for file in files:
            progress()
            found, source = self._file(file)
            runs += found
            sources.append(source)
        release()
        return Reading(tuple(runs), tuple(sources))

    def _file(self, file: InputFile) -> tuple[list[Run], SourceFile]:
        before = len(self.problems.found)
        opened = open_file(file, self.problems)
        if opened is None or not columns_usable(file.name, opened.schema_arrow, self.problems):
            return [], _left_out(file, self.problems.found[before].found)
        tally = _Tally()
        runs: list[Run] = []
        try:
            for batch in batches(opened):
                runs += self._batch(file, batch, tally)
        except (OSError, ValueError, pa.ArrowException) as error:
            unreadable(self.problems, Place(file.name), error)
            self._forget(runs)
            return [], _left_out(file, self.problems.found[-1].found)
        self._report(file, tally, runs)
        missing, unknown = missing_and_unknown(opened.schema_arrow)
        pairs = sorted({run.pair for run in runs}, key=lambda pair: pair.order, reverse=True)
        return runs, SourceFile(
            file.name, file.size, tally.rows, len(runs), tally.duplicates, tally.refused, missing, unknown, tuple(pairs)
        )

    def _forget(self, runs: Sequence[Run]) -> None:
        for run in runs:
            del self.seen[run.digest]

    def _batch(self, file: InputFile, batch: pa.RecordBatch, tally: _Tally) -> Iterator[Run]:
        names = batch.schema.names
        known = [name for name in names if name in COLUMNS]
        values = [decode(name, batch.column(name)) for name in known]
        large = {name for name in known if COLUMNS[name] is Kind.LARGE}
        stored = {name: as_json(batch.column(name)) for name in names if name not in large}
        for i in range(batch.num_rows):
            tally.rows += 1
            source = Source(file.name, tally.rows)
            row = {name: column[i] for name, column in zip(known, values, strict=True)}
            if self._refused(source, row):
                tally.refused += 1
                continue
            texts = {name: self._text(source, name, row[name]) for name in large}
            plain = {name: stored[name][i] for name in stored}
            digest = _digest(row, texts, plain)
            if (first := self.seen.setdefault(digest, source)) != source:
                tally.duplicates += 1
                tally.first_duplicate = tally.first_duplicate or (source, first)
                continue
            yield self._run(source, digest, row, texts, [(name, plain.get(name), texts.get(name)) for name in names])

    def _refused(self, source: Source, row: Mapping[str, Value]) -> bool:
        """Reports every fault of the row; a row with one is not used."""
        faults = 0
        for name, value in row.items():
            place = Place(source.file, source.row, name)
            if isinstance(value, Bad):
                self.problems.error("value-unreadable", place, f"found {value.found}", expected=value.expected)
                faults += 1
            elif name in NAMES and isinstance(value, str) and len(value) > NAME_MAX:
                found, expected = f"found a text of {len(value):,} characters", f"a name of at most {NAME_MAX:,}"
                self.problems.error("value-unreadable", place, found, expected=expected)
                faults += 1
            elif isinstance(value, int | float) and (value < 0 or (name == "tp" and value == 0)):
                self.problems.notice(
                    "value-odd", place, f"found {value}, which is shown as recorded", expected="more than 0"
                )
        if not isinstance(row["model_id"], Bad) and not usable_id(row["model_id"]):
            found = "found a null or blank id" if row["model_id"] is None else f"found {row['model_id']!r}"
            place = Place(source.file, source.row, "model_id")
            self.problems.error(
                "id-unusable", place, found, expected=EXPECTED_ID, hint="Correct the id, or drop the row"
            )
            faults += 1
        elif isinstance(row["model_id"], str) and not HUB_ID.fullmatch(row["model_id"]):
            place = Place(source.file, source.row, "model_id")
            found = f"found {row['model_id']!r}, which the Hub would not take; it is shown as recorded"
            self.problems.notice("id-odd", place, found, expected=EXPECTED_ID)
        return faults > 0

    def _text(self, source: Source, name: str, value: Value) -> TextRef | None:
        if not isinstance(value, bytes):
            return None
        try:
            value.decode("utf-8")
        except UnicodeDecodeError as error:
            found = f"bytes that are not UTF-8 (at byte {error.start}): U+FFFD on the page, kept in the download"
            self.problems.notice("text-not-utf8", Place(source.file, source.row, name), found)
        return self.store.put(value)

    def _run(
        self,
        source: Source,
        digest: str,
        row: Mapping[str, Any],
        texts: Mapping[str, TextRef | None],
        columns: Sequence[tuple[str, Any, TextRef | None]],
    ) -> Run:
        get = row.get
        result, exclusion = get("result"), get("exclusion")
        # A row that only gives a reason for leaving the model out is an exclusion, not a run without an outcome.
        outcome = self.words.outcomes["excluded"] if result is None and exclusion else self.words.outcome(result)
        failed = failure_in(row["error"]) if isinstance(get("error"), bytes) else None
        # What passed, or was left out, with an error beside it, is no failure.
        alike = signature(failed, row["model_id"], get("architecture")) if failed and outcome.tone == "fail" else None
        raw = {name: _large_json(texts.get(name)) if name in texts else value for name, value, _ in columns}
        return Run(
            model_id=row["model_id"],
            pair=VersionPair(get("neuronx_cc"), get("library"), get("library_version")),
            source=source,
            digest=digest,
            result=result,
            outcome=outcome,
            verification=self.words.verification(get("cpu_match"), get("english"), get("tp")),
            **{name: get(name) for name in _SAME_NAME},
            stack=tuple((name, get(name)) for name in STACK),
            run_py=texts.get("run_py"),
            error=texts.get("error"),
            error_code=failed.code if failed else None,
            signature=alike.text if alike else None,
            packages=texts.get("packages"),
            others=tuple(
                (name, self.store.put(_text_of(value).encode("utf-8", "replace")))
                for name, value, _ in columns
                if name not in COLUMNS and value is not None
            ),
            raw=self.store.put(json.dumps(raw, ensure_ascii=False, indent=2).encode("utf-8", "replace")),
        )

    def _report(self, file: InputFile, tally: _Tally, runs: Sequence[Run]) -> None:
        place = Place(file.name)
        if not tally.rows:
            self.problems.notice("file-no-rows", place, "the file has no rows; no pair is offered for it")
        if tally.first_duplicate:
            second, first = tally.first_duplicate
            many = (
                "one exact duplicate row was"
                if tally.duplicates == 1
                else f"{tally.duplicates} exact duplicate rows were"
            )
            found = f"{many} left out; row {second.row} equals {first.file}, row {first.row}"
            self.problems.add(Level.NOTICE, "row-duplicate", place, found, hint="Counted once; remove the copies")
        for word, count in Counter(run.outcome.quoted for run in runs if not run.outcome.known).items():
            found = f"the result word {word} is not known ({count} row{'s' * (count > 1)}); it is shown in quotes"
            self.problems.notice(
                "result-unknown",
                Place(file.name, 0, "result"),
                found,
                hint="Give it a meaning in outcomes.toml",
            )


_SAME_NAME = (
    "tp runner notes exclusion wall_s hbm_peak_gb hbm_capacity_gb cpu_match english tested_at"
    " task architecture extra_packages"
).split()


@dataclass
class _Tally:
    rows: int = 0
    duplicates: int = 0
    refused: int = 0
    first_duplicate: tuple[Source, Source] | None = None


def usable_id(model_id: object) -> bool:
    """Whether an id can have a page and a link to the Hub.

    It has something to see, in both halves where it has an owner, and no part that leads elsewhere in an address.
    """
    if not isinstance(model_id, str) or {".", ".."} & set(model_id.split("/")):
        return False
    return all(any(c.isprintable() and not c.isspace() for c in half) for half in model_id.split("/", 1))


def _left_out(file: InputFile, reason: str) -> SourceFile:
    return SourceFile(file.name, file.size, 0, 0, 0, 0, (), (), (), reason)


def _large_json(ref: TextRef | None) -> object:
    return None if ref is None else {"bytes": ref.size, "sha256": ref.sha256}


def _text_of(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _digest(row: Mapping[str, Value], texts: Mapping[str, TextRef | None], plain: Mapping[str, Any]) -> str:
    """SHA-256 over the row's values that are there, in the order of their names: independent of file and types."""
    facts: dict[str, Any] = {name: value for name, value in plain.items() if name not in COLUMNS}
    for name, value in row.items():
        if name in texts:
            ref = texts[name]
            facts[name] = ref and ref.sha256
        else:
            facts[name] = plain[name] if isinstance(value, datetime) else value
    kept = {name: value for name, value in facts.items() if value is not None}
    return hashlib.sha256(json.dumps(kept, sort_keys=True).encode()).hexdigest()
