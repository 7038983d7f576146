"""The maintainers' own lists, in TOML: what they selected, and what they left out on purpose."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sitegen.config import read_toml
from sitegen.content import Content
from sitegen.errors import Place, Problems
from sitegen.given import as_written, fault_of_folder, is_there
from sitegen.model import Selected
from sitegen.rules.rows import EXPECTED_ID, usable_id

EXCLUSION_KINDS = ("not-prioritised", "incompatible")


@dataclass(frozen=True)
class ExclusionRule:
    """An entry of `excluded.toml`: an exact id or a case-insensitive glob over ids."""

    id: str | None
    pattern: str | None
    reason: str | None
    kind: str | None
    place: Place


@dataclass(frozen=True)
class Lists:
    selected: tuple[Selected, ...] = ()
    excluded: tuple[ExclusionRule, ...] = ()


def load_lists(content: Content, data: Path, problems: Problems) -> Lists:
    """The maintainers' lists, of the data folder where it has them."""
    if fault := fault_of_folder(data / "lists"):
        problems.error("setting-unreadable", Place("lists"), fault, expected="a folder of lists, or nothing")
    return Lists(_selected(content, data, problems), _excluded(content, data, problems))


def _list_entries(
    content: Content, data: Path, name: str, table: str, problems: Problems
) -> list[tuple[Place, dict[str, Any]]]:
    own = data / "lists" / name
    path = own if is_there(own) else content.file(f"lists/{name}")
    return toml_entries(path, f"lists/{name}", table, problems) if path else []


def toml_entries(path: Path, label: str, table: str, problems: Problems) -> list[tuple[Place, dict[str, Any]]]:
    """The tables `[[table]]` of a TOML file, each with its place; none where the file is not there."""
    entries = read_toml(path, problems, label) or {}
    for key in sorted(set(entries) - {table}):
        problems.notice("setting-unknown", Place(label, 0, key), "an unknown table", expected=f"[[{table}]]")
    found = entries.get(table, [])
    if not isinstance(found, list) or not all(isinstance(entry, dict) for entry in found):
        problems.error("setting-unreadable", Place(label), f"{table} is no list of tables", expected=f"[[{table}]]")
        return []
    return [(Place(label, number), entry) for number, entry in enumerate(found, 1)]


def _texts(place: Place, entry: dict[str, Any], names: tuple[str, ...], problems: Problems) -> dict[str, str | None]:
    """The named values as text (dates too); what is neither is an error, what is not named a notice."""
    for name in sorted(set(entry) - set(names)):
        problems.notice(
            "setting-unknown", Place(place.file, place.row, name), "an unknown key", expected=", ".join(names)
        )
    values: dict[str, str | None] = {}
    for name in names:
        value = entry.get(name)
        if isinstance(value, int | float | list | dict):
            problems.error(
                "setting-unreadable", Place(place.file, place.row, name), f"found {value!r}", expected="text"
            )
            value = None
        values[name] = (str(value).strip() or None) if value is not None else None
    return values


def _selected(content: Content, data: Path, problems: Problems) -> tuple[Selected, ...]:
    found: dict[str, Selected] = {}
    for place, entry in _list_entries(content, data, "selected.toml", "model", problems):
        values = _texts(place, entry, ("id", "note", "since"), problems)
        model_id = values["id"]
        if model_id is None or not usable_id(model_id):
            problems.error(
                "id-unusable",
                Place(place.file, place.row, "id"),
                f"found {as_written(entry.get('id'))}",
                expected=EXPECTED_ID,
            )
        elif model_id in found:
            problems.notice("list-twice", place, f"{model_id} stands in the list twice; the first entry counts")
        else:
            found[model_id] = Selected(model_id, values["note"], values["since"])
    return tuple(found.values())


def _excluded(content: Content, data: Path, problems: Problems) -> tuple[ExclusionRule, ...]:
    rules: list[ExclusionRule] = []
    for place, entry in _list_entries(content, data, "excluded.toml", "exclusion", problems):
        values = _texts(place, entry, ("id", "pattern", "reason", "kind"), problems)
        if (values["id"] is None) == (values["pattern"] is None):
            found = "neither `id` nor `pattern`" if values["id"] is None else "both `id` and `pattern`"
            problems.error("setting-unreadable", place, found, expected="one of the two")
        elif values["kind"] is not None and values["kind"] not in EXCLUSION_KINDS:
            expected = " or ".join(EXCLUSION_KINDS)
            problems.error(
                "setting-unreadable",
                Place(place.file, place.row, "kind"),
                f"found {values['kind']!r}",
                expected=expected,
            )
        else:
            rules.append(ExclusionRule(values["id"], values["pattern"], values["reason"], values["kind"], place))
    return tuple(rules)
