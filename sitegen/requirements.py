"""Requirements from what is recorded: every line is a requirement of the standard (PEP 508), and nothing else.

pip reads more than requirements in a file: options (an index!), other files, `${VARIABLES}`, comments, the names of
archives in the current folder. None of this may come from data, so that a text which is not a plain requirement is
never a line: it is kept beside them, to be named. Neither is an address (`name @ https://...`) ever one, which the
standard allows: what lies there is anybody's, and may have changed since.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

from packaging.requirements import Requirement
from packaging.specifiers import Specifier, SpecifierSet
from packaging.utils import canonicalize_name
from packaging.version import Version

from sitegen.plain import one_line
from sitegen.versions import version_key

MAX = 1000  # characters of a requirement; what is longer is none
SHOWN_MAX = 200  # characters shown of what is not usable
# What pip would take for more than a part of the requirement: a variable, a line that goes on, a comment, an option.
_PIP_SYNTAX = re.compile(r"\$\{|\\|\s#|\s-|[^ -~]")
# pip takes what ends so for a file in the current folder.
_ARCHIVE = re.compile(r"\.(?:whl|zip|tar|tgz|tbz|txz|tlz|tar\.(?:gz|bz2|xz|lz|lzma|zst))$", re.IGNORECASE)
# Words that say that there is nothing; each would be the name of a package, too.
_NOTHING = frozenset("none null nil nan na no false".split())

_NAME = r"[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?"
# `name @ address`, and what is an address without a name, to be installed as it is or in place (`-e`).
_REFERENCE = re.compile(
    rf"(?:(?:-e|--editable)[\s=]\s*)?"
    rf"(?:(?P<name>{_NAME})(?:\s*\[[^\[\]]*\])?\s*@|(?:git|hg|svn|bzr)\+|[A-Za-z][A-Za-z0-9+.-]*:/|file:)"
)
_COMPARED = r"(?:===|==|~=|!=|<=|>=|<|>)"
_VERSIONS = rf"{_COMPARED}\s*[^\s,;()]+(?:\s*,\s*{_COMPARED}\s*[^\s,;()]+)*"
_FIELD = r"(?:python_version|python_full_version|os_name|sys_platform|platform_\w+|implementation_\w+|extra)"
_QUOTED = r"(?:'[^']*'|\"[^\"]*\")"
_TESTED = rf"(?:{_COMPARED}|in\b|not\s+in\b)"
_CONDITION = rf"(?:{_FIELD}\s*{_TESTED}\s*{_QUOTED}|{_QUOTED}\s*{_TESTED}\s*{_FIELD})"
# One of several requirements on a line.
_ONE = re.compile(
    rf"{_NAME}(?:\s*\[[^\[\]]*\])?(?:\s*@\s*[^\s,;]+|\s*{_VERSIONS}|\s*\(\s*{_VERSIONS}\s*\))?"
    rf"(?:\s*;\s*{_CONDITION}(?:\s+(?:and|or)\s+{_CONDITION})*)?(?=[\s,;]|$)"
)
_OTHER = re.compile(r"-.*|[^\s,;]+")  # an option with all that follows it, or a word
_BETWEEN = re.compile(r"[\s,;]*")


@dataclass(frozen=True)
class Entry:
    """One thing that is recorded as needed: where, as which text, and as a requirement where it is one."""

    where: str  # `column torch`
    text: str
    requirement: Requirement | None = field(compare=False)  # what `text` is

    @cached_property
    def name(self) -> str:
        """The canonical name, under which spellings of one package are equal; empty where there is none."""
        if self.requirement:
            return canonical(self.requirement.name)
        found = _REFERENCE.match(self.text)
        return canonical(found["name"] or "") if found else ""

    @property
    def reference(self) -> bool:
        """Whether it is a direct reference: not to a package of an index, but to what lies at an address."""
        return self.requirement is None and _REFERENCE.match(self.text) is not None

    @cached_property
    def pin(self) -> Version | None:
        """The one version that it allows, always and everywhere; None where it is looser than that."""
        found = self.requirement
        if found is None or found.marker or len(found.specifier) != 1:
            return None
        only = next(iter(found.specifier))
        return _version(only.version) if only.operator == "==" else None


@dataclass(frozen=True)
class LeftOut:
    """What is recorded as needed, but is no line of requirements.txt."""

    where: str
    text: str  # on one line, shortened


@dataclass(frozen=True)
class Requirements:
    """What goes into requirements.txt; what disagrees, in words; and what is recorded, but does not go into it."""

    lines: tuple[str, ...]
    conflicts: tuple[str, ...]
    unusable: tuple[LeftOut, ...]
    references: tuple[LeftOut, ...]  # direct ones


def canonical(name: str) -> str:
    """The name under which spellings of one package are equal; what is no name stays none."""
    return canonicalize_name(name)


def pinned(where: str, name: str, text: str) -> Entry:
    """The exact pin of a recorded version; what is no version (PEP 440) can't be one, nor of what is no name."""
    clean = text.strip()
    if not re.fullmatch(_NAME, name):
        return _nameless(where, name, text)
    if _version(clean) is None:
        return Entry(where, f"{name} {text}", None)
    return Entry(where, f"{name} {text}", parsed(f"{name}=={clean}"))


def _nameless(where: str, name: str, value: Any) -> Entry:
    """Of a name that holds more than one: nothing of that may become a part of the requirement."""
    return Entry(where, f"{json.dumps(name, ensure_ascii=False)}: {json.dumps(value, ensure_ascii=False)}", None)


def listed(where: str, text: str) -> Iterator[Entry]:
    """The entries of a text that lists packages.

    It may be a JSON list of texts, a JSON object of names and versions, or text: lines, or entries with commas,
    semicolons or blanks between them.
    """
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = text
    if isinstance(value, str):
        yield from _of_text(where, value)
    elif isinstance(value, dict):
        for name, found in value.items():
            yield _of_pair(where, name, found)
    elif isinstance(value, list):
        for item in value:
            yield _of_item(where, item)
    elif value is not None:
        yield Entry(where, text, None)


def each(where: str, texts: Iterable[str]) -> Iterator[Entry]:
    """Entries of which each text is one."""
    return (_entry(where, text) for text in texts)


def _entry(where: str, text: str) -> Entry:
    return Entry(where, text.strip(), parsed(text))


def _of_item(where: str, item: Any) -> Entry:
    if isinstance(item, str):
        return _entry(where, item)
    if isinstance(item, dict) and isinstance(item.get("name"), str):  # as pip lists packages in JSON
        return _of_pair(where, item["name"], item.get("version"))
    return Entry(where, json.dumps(item, ensure_ascii=False), None)


def _of_pair(where: str, name: str, value: Any) -> Entry:
    if not re.fullmatch(_NAME, name):
        return _nameless(where, name, value)
    if value is None or value == "":
        return _entry(where, name)
    if not isinstance(value, str):
        return Entry(where, f"{name} {json.dumps(value, ensure_ascii=False)}", None)
    if re.match(r"\s*[=~!<>@]", value):
        return Entry(where, f"{name}{value}".strip(), parsed(f"{name} {value}"))
    return pinned(where, name, value)


def _of_text(where: str, text: str) -> Iterator[Entry]:
    if text.strip().lower() in _NOTHING:
        yield Entry(where, text, None)
        return
    for written in re.sub(r"\\\r?\n", " ", text).splitlines():
        line = re.sub(r"(?:^|\s)#.*", "", written).strip()  # without its comment
        yield from each(where, [line] if _read(line) else _split(line))


def _split(line: str) -> Iterator[str]:
    """The entries of a line that holds several, or none."""
    at = 0
    while at < len(line):
        found = _ONE.match(line, at) or _OTHER.match(line, at)
        if found:
            yield found[0]
            at = found.end()
        at = max(at + (not found), _end_of(_BETWEEN.match(line, at)))


def _end_of(found: re.Match[str] | None) -> int:
    return found.end() if found else 0


@lru_cache(maxsize=16_384)
def parsed(text: str) -> Requirement | None:
    """The requirement that a text is, not to be changed; None where it is none, or something else to pip.

    Something else is an address, too.
    """
    found = _read(text)
    if found is None or found.url or _ARCHIVE.search(found.name) or not all(map(_meant, found.specifier)):
        return None
    bare_number = not found.specifier and _version(found.name) is not None
    # What is written must be read as what was found.
    return None if bare_number or _PIP_SYNTAX.search(str(found)) or _read(str(found)) != found else found


def _meant(found: Specifier) -> bool:
    """Whether it compares with a version: `===` alone takes any text."""
    return found.operator != "===" or _version(found.version) is not None


def _read(text: str) -> Requirement | None:
    """The requirement of the standard that a text is on one line, an address or not; None where it is none."""
    line = " ".join(text.split())
    if not line or len(line) > MAX:
        return None
    try:
        return Requirement(line)
    except (ValueError, RecursionError):  # InvalidRequirement is a ValueError
        return None


@lru_cache(maxsize=256)  # the runs under a pair record the same stack
def requirements(entries: tuple[Entry, ...]) -> Requirements:
    """The lines for all entries, which come in the order of their precedence.

    The first exact pin of a name is its line; other entries of that name are no lines, and where they do not allow the
    pinned version, `conflicts` says so. A name without an exact pin has a line for each different entry.
    """
    pins: dict[str, Entry] = {}
    for entry in entries:
        if entry.pin is not None:
            pins.setdefault(entry.name, entry)
    lines: dict[str, None] = {}
    conflicts: dict[str, None] = {}
    for entry in entries:
        if entry.requirement is None:
            continue
        first = pins.get(entry.name, entry)
        lines.update(dict.fromkeys(_lines(entry.requirement, entry, first)))
        if not _agree(entry, first):
            conflicts[_conflict(entry, first)] = None
    left_out = [entry for entry in entries if entry.requirement is None]
    unusable = _left_out(entry for entry in left_out if not entry.reference)
    return Requirements(
        tuple(lines), tuple(conflicts), unusable, _left_out(entry for entry in left_out if entry.reference)
    )


def _left_out(entries: Iterable[Entry]) -> tuple[LeftOut, ...]:
    """Each different one once."""
    return tuple(dict.fromkeys(LeftOut(entry.where, one_line(entry.text, SHOWN_MAX)) for entry in entries))


def _lines(requirement: Requirement, entry: Entry, first: Entry) -> Iterator[str]:
    if entry is first:
        yield str(requirement)
    elif requirement.extras:
        # The pin, for what the extras bring along.
        extras = ",".join(sorted(requirement.extras))
        marker = f"; {requirement.marker}" if requirement.marker else ""
        yield f"{requirement.name}[{extras}]=={_version_text(first)}{marker}"


def _agree(entry: Entry, first: Entry) -> bool:
    pin = first.pin
    if entry is first or pin is None or entry.requirement is None:
        return True
    if entry.where.startswith("column") and entry.pin is not None:
        return entry.pin == pin  # two records of what was installed
    return entry.requirement.specifier.contains(pin, prereleases=True)


def _conflict(entry: Entry, first: Entry) -> str:
    kept, other = _version_text(first), one_line(str(entry.requirement), SHOWN_MAX)
    name = first.requirement.name if first.requirement else entry.name
    return f"{name} is {kept} in the {first.where}, but {other} in the {entry.where}; requirements.txt has {kept}"


def _version_text(entry: Entry) -> str:
    return next(iter(entry.requirement.specifier)).version if entry.requirement else ""


def _version(text: str) -> Version | None:
    known, found, _ = version_key(text)
    return found if known else None


def allows(specifier: str, text: str) -> bool | None:
    """Whether a specifier (`>=3.11`) allows a version; None where the one or the other is none."""
    known = _version(text)
    try:
        return None if known is None else SpecifierSet(specifier).contains(known, prereleases=True)
    except ValueError:  # InvalidSpecifier is one, and so is a number that is too long
        return None
