"""The rows of a batch without what the catalogue redacts, and which rows of a catalogue are the same.

A digest is over values as they are published: one over what was redacted would let anybody try out what a short secret
was. What tells redacted rows apart is forgotten with the build.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import pyarrow as pa

from sitegen.arrow import value_and_rows
from sitegen.model import Source, TextRef
from sitegen.redact import Redaction, counted
from sitegen.schema import COLUMNS, ID, Value, texts_in


@dataclass(frozen=True)
class Hidden:
    """What was redacted in a row: places by column, and a digest of what the texts were before."""

    places: tuple[tuple[str, int], ...] = ()
    before: str = ""


NOTHING = Hidden()


@dataclass(frozen=True)
class Published:
    """A batch as it may be published: its columns, and of nested ones that changed the values that JSON can hold."""

    columns: Mapping[str, pa.Array]
    nested: Mapping[str, list[Any]]
    hidden: Mapping[int, Hidden]  # by the number of the row in the batch


def redacted(batch: pa.RecordBatch, redaction: Redaction) -> Published:
    """The batch without what is redacted. Ids are left as they are.

    Texts become bytes where one of them changes, which says the same to every reader of a column; lists and the like
    become JSON, as which known columns read them.
    """
    nested: dict[str, list[Any]] = {}
    columns = {name: batch.column(name) for name in batch.schema.names}
    places: dict[int, Counter[str]] = {}
    before: dict[int, list[tuple[str, str]]] = {}
    for name, array in columns.items() if redaction else ():
        values, rows = value_and_rows(array)
        old = None if name == ID else texts_in(values)
        found = [Counter[str]() for _ in old or ()]
        new = [_new(value, redaction, count, name) for value, count in zip(old or (), found, strict=True)]
        if old is None or not any(count[name] for count in found):
            continue
        for i, row in enumerate(rows):
            if row is not None and found[row][name]:
                places.setdefault(i, Counter())[name] += found[row][name]
                before.setdefault(i, []).append((name, repr(old[row])))
        if pa.types.is_nested(values.type):
            nested[name] = [None if row is None else new[row] for row in rows]
            new = [
                None if value is None else json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")
                for value in new
            ]
        made = pa.array(new, pa.large_binary())
        columns[name] = pa.DictionaryArray.from_arrays(pa.array(rows, pa.int32()), made)
    hidden = {
        i: Hidden(tuple(counted(places[i])), hashlib.sha256(repr(texts).encode("utf-8", "replace")).hexdigest())
        for i, texts in before.items()
    }
    return Published(columns, nested, hidden)


def _new(value: Any, redaction: Redaction, places: Counter[str], column: str) -> Any:
    if not isinstance(value, bytes):
        return redaction.value(value, places, column)
    data, found = redaction.bytes(value)
    places[column] += found
    return data


@dataclass
class Seen:
    """The rows of a catalogue so far: of exact duplicates the first, and for each row a digest that no other has."""

    first_of: dict[str, Source] = field(default_factory=dict)
    keys: dict[str, str] = field(default_factory=dict)  # digest -> what its row is known by, where that is another

    def first(self, digest: str, before: str, source: Source) -> tuple[str, Source]:
        """The digest of a row and the first row that equals it, itself where there is none.

        Rows that differ in what was redacted alone are two: the later one has a digest of another kind.
        """
        key = f"{digest} {before}" if before else digest
        if key in self.first_of:
            return digest, self.first_of[key]
        self.first_of[key] = source
        own, number = digest, 1
        while own in self.keys or (own != key and own in self.first_of):
            number += 1
            own = hashlib.sha256(f"{digest} {number}".encode()).hexdigest()
        if own != key:
            self.keys[own] = key
        return own, source

    def forget(self, digest: str) -> None:
        """The row with this digest is none of the catalogue's after all."""
        del self.first_of[self.keys.pop(digest, digest)]


def digest_of(row: Mapping[str, Value], texts: Mapping[str, TextRef | None], plain: Mapping[str, Any]) -> str:
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
