"""Rows become runs: every row of every file is a run, an exact duplicate, or refused with its place."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pyarrow as pa

from sitegen.arrow import as_json
from sitegen.errors import Level, Place, Problems
from sitegen.logs import failure_in
from sitegen.model import STACK, Run, Source, SourceFile, TextRef, VersionPair
from sitegen.outcome import Words
from sitegen.plain import json_text
from sitegen.read import InputFile, batches, open_file, release, unreadable
from sitegen.redact import Redaction
from sitegen.redacted import NOTHING, Seen, digest_of, redacted
from sitegen.rules import files as file_rules
from sitegen.rules import rows as row_rules
from sitegen.rules.files import Tally, missing_and_unknown
from sitegen.schema import COLUMNS, ID, Kind, Value, decode
from sitegen.signature import signature
from sitegen.texts import TextStore


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
    redaction: Redaction = field(default_factory=Redaction)
    seen: Seen = field(default_factory=Seen)

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
        if self._named(Place(file.name), "the file", file.name):
            return [], _left_out(replace(file, name=self.redaction(file.name)), self._reason(before))
        opened = open_file(file, self.problems)
        usable = opened is not None and file_rules.check_columns(file.name, opened.schema_arrow, self.problems)
        if opened is None or not usable or self._column_named(file, opened.schema_arrow.names):
            return [], _left_out(file, self._reason(before))
        tally = Tally(file.name, opened.schema_arrow.names)
        try:
            for batch in batches(opened):
                tally.runs += self._batch(file, batch, tally)
        except (OSError, ValueError, pa.ArrowException) as error:
            unreadable(self.problems, Place(file.name), error)
            self._forget(tally.runs)
            return [], _left_out(file, self.problems.found[-1].found)
        file_rules.check(tally, self.problems)
        return tally.runs, _source_file(file, tally)

    def _reason(self, before: int) -> str:
        """Why a file is left out: the first error among the problems since."""
        return next(problem.found for problem in self.problems.found[before:] if problem.level == Level.ERROR)

    def _column_named(self, file: InputFile, columns: Sequence[str]) -> bool:
        named = [column for column in columns if self._named(Place(file.name, 0, column), "the column", column)]
        return bool(named)

    def _named(self, place: Place, what: str, name: str) -> bool:
        """Reports a name that matches a pattern: names lead to things, so none can be replaced."""
        pattern = self.redaction.matching(name)
        if pattern:
            found = f"the name of {what} matches the pattern {pattern} of [redact]"
            self.problems.error("redact-name", place, found, hint="Rename it; names are not redacted")
        return pattern is not None

    def _forget(self, runs: Sequence[Run]) -> None:
        for run in runs:
            self.seen.forget(run.digest)

    def _batch(self, file: InputFile, batch: pa.RecordBatch, tally: Tally) -> Iterator[Run]:
        names = batch.schema.names
        known = [name for name in names if name in COLUMNS]
        found = redacted(batch, self.redaction)
        values = [decode(name, found.columns[name]) for name in known]
        large = {name for name in known if COLUMNS[name] is Kind.LARGE}
        stored = {name: found.nested.get(name) or as_json(found.columns[name]) for name in names if name not in large}
        for i in range(batch.num_rows):
            tally.rows += 1
            source = Source(file.name, tally.rows)
            row = {name: column[i] for name, column in zip(known, values, strict=True)}
            if not row_rules.check(source, row, self.problems) or self._id_named(source, row[ID]):
                tally.refused += 1
                continue
            texts = {name: self._text(row[name]) for name in large}
            plain = {name: stored[name][i] for name in stored}
            hidden = found.hidden.get(i, NOTHING)
            digest, first = self.seen.first(digest_of(row, texts, plain), hidden.before, source)
            if first != source:
                tally.duplicates += 1
                tally.first_duplicate = tally.first_duplicate or (source, first)
                continue
            all_ = [(name, plain.get(name), texts.get(name)) for name in names]
            yield self._run(source, digest, row, texts, all_, hidden.places)

    def _id_named(self, source: Source, model_id: Value) -> bool:
        """Reports an id that a pattern matches."""
        pattern = self.redaction.matching(model_id) if isinstance(model_id, str) else None
        if pattern:
            found = f"the pattern {pattern} of [redact] matches the id, which addresses are made of"
            place = Place(source.file, source.row, ID)
            self.problems.error("redact-id", place, found, hint="Narrow the pattern, or drop the row")
        return pattern is not None

    def _text(self, value: Value) -> TextRef | None:
        return self.store.put(value) if isinstance(value, bytes) else None

    def _run(
        self,
        source: Source,
        digest: str,
        row: Mapping[str, Any],
        texts: Mapping[str, TextRef | None],
        columns: Sequence[tuple[str, Any, TextRef | None]],
        places: Sequence[tuple[str, int]],
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
            raw=self.store.put(json_text(raw, indent=2).encode("utf-8", "replace")),
            redacted=tuple(places),
        )


_SAME_NAME = (
    "tp runner notes exclusion wall_s hbm_peak_gb hbm_capacity_gb cpu_match english tested_at"
    " task architecture extra_packages"
).split()


def _source_file(file: InputFile, tally: Tally) -> SourceFile:
    missing, unknown = missing_and_unknown(tally.columns)
    dates = sorted(run.tested_at for run in tally.runs if run.tested_at)
    return SourceFile(
        file.name,
        file.size,
        tally.rows,
        len(tally.runs),
        tally.duplicates,
        tally.refused,
        missing,
        unknown,
        tuple(sorted({run.pair for run in tally.runs}, key=lambda pair: pair.order, reverse=True)),
        dates=(dates[0], dates[-1]) if dates else None,
        undated=len(tally.runs) - len(dates),
    )


def _left_out(file: InputFile, reason: str) -> SourceFile:
    return SourceFile(file.name, file.size, 0, 0, 0, 0, (), (), (), reason)


def _large_json(ref: TextRef | None) -> object:
    return None if ref is None else {"bytes": ref.size, "sha256": ref.sha256}


def _text_of(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
