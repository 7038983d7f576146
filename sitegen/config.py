"""Settings: how to build (command line, `sitegen.toml`), and whose data it is (`catalog.toml` in the data folder)."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from sitegen.errors import Place, Problems, Refused
from sitegen.given import file_bytes, is_there, parse_toml
from sitegen.model import STACK
from sitegen.outcome import can_be_seen
from sitegen.redact import Redaction, redaction_of


@dataclass(frozen=True)
class Settings:
    """How to build. Every field but the last two may stand in `sitegen.toml` under the same name."""

    data: Path = Path("data")
    content: Path | None = None  # overlays the built-in content, file by file
    out: Path = Path("site")
    base_url: str | None = None  # only for what must be absolute
    strict: bool = False
    keep_going: bool = False
    jobs: int = 0  # 0: as many as pay
    zip: bool = False  # also the whole site as one archive
    previous: Path | None = None  # urls.json of an earlier build, whose addresses are kept answered
    json_report: Path | None = None
    changes: Path | None = None  # a file for the paths that a build wrote and pruned

    @property
    def base_path(self) -> str:
        """The path part of the base address, with a slash at both ends."""
        path = urlsplit(self.base_url or "").path.strip("/")
        return f"/{path}/" if path else "/"


@dataclass(frozen=True)
class Reproduce:
    """What rows do not record; absent when not set. All but `index` are templates with `{fields}` of a run."""

    image: str | None = None
    instance: str | None = None
    neff_cache: str | None = None  # a command for a shell; the others are no commands
    index: str | None = None  # address of a package index, beside the one that pip has


@dataclass(frozen=True)
class Catalog:
    """Whose data it is: the words that every page speaks with. All of it comes from `catalog.toml`."""

    title: str = "Model runs on AWS Trainium"
    notice: str | None = None  # shown on every page
    device: str = "Trainium"
    compiler: str = "neuronx-cc"
    memory_label: str = "Peak device memory"
    dataset: str | None = None  # address of the dataset
    source: str | None = None  # address of the site's own source
    licence: str | None = None
    revision: str | None = None  # of the data
    source_url: str | None = None  # template with {file}: where a source file can be seen at its revision
    model_url: str = "https://huggingface.co/{id}"  # empty: the ids have no page elsewhere
    report_url: str | None = None  # template with {title} and {body}: opens a prefilled report
    reproduce: Reproduce = field(default_factory=Reproduce)
    redact: Redaction | None = field(default_factory=Redaction)  # of texts in rows; None where it cannot be told


PATTERNS = "name = 'pattern', each repetition with an end, such as {30,100}"
_KINDS: dict[str, tuple[type, str]] = {"bool": (bool, "true or false"), "int": (int, "a whole number")}
SETTINGS_KEYS = {f.name: str(f.type) for f in fields(Settings) if f.name not in ("json_report", "changes")}


def load_settings(file: Path, given: Mapping[str, Any]) -> Settings:
    """The settings file, if there is one, overridden by what the command line gives. Raises Refused on a bad file."""
    try:
        values = parse_toml(file_bytes(file) or b"")
    except ValueError as error:
        raise Refused(f"{file}: {error}") from None
    for name, value in values.items():
        values[name] = _setting(file, name, value)
    chosen = {name: value for name, value in given.items() if value is not None}
    return checked(Settings(**values | chosen), {name: f"{file}: {name}" for name in values.keys() - chosen.keys()})


def checked(settings: Settings, where: Mapping[str, str] | None = None) -> Settings:
    """The same settings. Raises Refused where a value cannot be meant; `where` are those that no option has set."""

    def named(name: str) -> str:
        return (where or {}).get(name, f"--{name.replace('_', '-')}")

    url = settings.base_url
    if url is not None and not is_web_address(url):
        raise Refused(
            f"{named('base_url')}: found {url!r}, expected an absolute address such as https://example.org/catalogue/"
        )
    if settings.jobs < 0:
        raise Refused(f"{named('jobs')}: found {settings.jobs}, expected a number from 1 (0: as many as pay)")
    for option, file in (("json_report", settings.json_report), ("changes", settings.changes)):
        if file is not None and not file.parent.is_dir():
            raise Refused(f"{named(option)}: {file.parent} is not a folder")
    if not settings.data.is_dir():
        raise Refused(f"{named('data')}: {settings.data} is not a folder")
    if settings.previous is not None and not settings.previous.is_file():
        raise Refused(f"{named('previous')}: {settings.previous} is not a file")
    if settings.content is not None and not settings.content.is_dir():
        raise Refused(f"{named('content')}: {settings.content} is not a folder")
    return settings


def _setting(file: Path, name: str, value: Any) -> Any:
    kind = SETTINGS_KEYS.get(name)
    if kind is None:
        raise Refused(f"{file}: unknown setting {name!r}; known are {', '.join(sorted(SETTINGS_KEYS))}")
    expected, words = _KINDS.get(kind, (str, "text"))
    if type(value) is not expected:
        raise Refused(f"{file}: {name} = {value!r}; expected {words}")
    return file.parent / str(value) if "Path" in kind else value


CATALOG = "catalog-unreadable"
WORDS = ("title", "device", "compiler", "memory_label")  # of which every page speaks
RUN_FIELDS = {"model_id", "neuronx_cc", "library_version", *STACK}
# What each template of the catalogue may refer to.
PLACEHOLDERS: Mapping[str, set[str]] = {
    **dict.fromkeys((f.name for f in fields(Reproduce)), RUN_FIELDS),
    "index": set(),
    "source_url": {"file", "revision"},
    "model_url": {"id"},
    "report_url": {"title", "body"},
}


def is_web_address(text: str) -> bool:
    """Whether a text is an absolute http(s) address and nothing else (`urlsplit` overlooks line breaks)."""
    try:
        parts = urlsplit(text)
    except ValueError:
        return False
    plain = text.isprintable() and not re.search(r'[\s<>"`\\]', text)
    return plain and parts.scheme in ("http", "https") and bool(parts.netloc)


def hub_endpoint() -> str | None:
    """The address that HF_ENDPOINT names, without the slash at its end; None where it names none.

    Raises Refused where nothing can be asked there. The Hub's client would stumble over it when it is imported.
    """
    text = os.environ.get("HF_ENDPOINT", "")
    try:
        parts = urlsplit(text)
        host, port = (parts.hostname or "").encode("idna"), parts.port
    except ValueError:  # no host can have this name, or no port this number
        host, port = b"", 0
    if text and not (is_web_address(text) and host and port != 0):
        raise Refused("HF_ENDPOINT is no address that can be asked, as https://huggingface.co is; correct or unset it")
    return text.rstrip("/") or None


def load_catalog(file: Path, problems: Problems) -> Catalog:
    """`catalog.toml`, every key of it optional. A fault in it is an error that stops every build."""
    table = read_toml(file, problems, code=CATALOG)
    if table is None and is_there(file):
        return Catalog(redact=None)
    table = table or {}
    redact = _redaction(file.name, table.pop("redact", {}), problems)
    reproduce = table.pop("reproduce", {})
    if not isinstance(reproduce, dict):
        problems.error(CATALOG, Place(file.name, 0, "reproduce"), f"found {reproduce!r}", expected="a table")
        reproduce = {}
    for name in [name for name, value in table.items() if isinstance(value, dict)]:
        # An error, where another unknown key is a notice: a slip in `[redact]` would publish what it is for.
        del table[name]
        known = "[redact] or [reproduce]"
        problems.error(CATALOG, Place(file.name, 0, name), "a table that is not known", expected=known)
    values = _texts(file.name, table, {f.name for f in fields(Catalog)}, problems)
    for name in ("dataset", "source", "source_url", "model_url", "report_url"):
        if values.get(name) and not is_web_address(values[name]):
            found = f"found {values.pop(name)!r}"
            problems.error(CATALOG, Place(file.name, 0, name), found, expected="an address with https://")
    for name in WORDS:
        if name in values and not can_be_seen(values[name]):
            found = f"found {values.pop(name)!r}"
            problems.error(CATALOG, Place(file.name, 0, name), found, expected="text that can be seen")
    templates = _texts(file.name, reproduce, {f.name for f in fields(Reproduce)}, problems)
    for name, text in (values | templates).items():
        unknown = sorted(set(re.findall(r"\{(\w*)\}", text)) - PLACEHOLDERS.get(name, set()))
        if unknown and name in PLACEHOLDERS:
            known = ", ".join(f"{{{field}}}" for field in sorted(PLACEHOLDERS[name]))
            found = f"found {{{unknown[0]}}}, which is not known"
            problems.error(CATALOG, Place(file.name, 0, name), found, expected=known or "no {field}")
    return Catalog(**values, reproduce=_reproduce(file.name, templates, problems), redact=redact)


def _redaction(file: str, table: Any, problems: Problems) -> Redaction | None:
    """What shall not be published; None where that cannot be told, with an error for each reason."""
    found, faults = redaction_of(table) if isinstance(table, dict) else (None, [("", f"found {table!r}")])
    for name, fault in faults:
        column = f"redact.{name}" if name else "redact"
        hint = "Nothing is read until it is known what shall not be published"
        problems.error("redact-pattern", Place(file, 0, column), fault, expected=PATTERNS, hint=hint)
    return None if faults else found


def _reproduce(file: str, templates: Mapping[str, str], problems: Problems) -> Reproduce:
    """The settings of how a run is repeated, without those that no command on a page may have."""
    kept = {name: text for name, text in templates.items() if text}
    index, command = kept.get("index"), kept.get("neff_cache")
    if index is not None and not (is_web_address(index) and re.fullmatch("[!-~]+", index)):
        found = f"found {kept.pop('index')!r}"
        problems.error(CATALOG, Place(file, 0, "index"), found, expected="an address with https://")
    fault = command and _command_fault(command)
    if fault:
        found = f"found {kept.pop('neff_cache')!r}, {fault}"
        hint = "Several commands can stand on one line, with && between them."
        place = Place(file, 0, "neff_cache")
        problems.error(CATALOG, place, found, expected="a command on one line", hint=hint)
    return Reproduce(**kept)


def _command_fault(command: str) -> str | None:
    """Why a text is no command on one line, as the end of a sentence; None where nothing is found."""
    if not command.isprintable():
        return "which has a line break or another control character"
    try:
        shlex.split(command)
    except ValueError:
        return "in which a quotation mark or a backslash has no partner"
    # With a value in it, `${name}` would be another variable.
    return "in which $ stands before a {field}" if re.search(r"\$\{\w+\}", command) else None


def _texts(file: str, table: Mapping[str, Any], known: set[str], problems: Problems) -> dict[str, str]:
    """The texts under known keys; an unknown key is a notice, another type an error."""
    values: dict[str, str] = {}
    for name, value in table.items():
        place = Place(file, 0, name)
        if name not in known:
            problems.notice("setting-unknown", place, "an unknown key", expected=", ".join(sorted(known)))
        elif not isinstance(value, str):
            problems.error(CATALOG, place, f"found {value!r}", expected="text")
        else:
            values[name] = value.strip()
    return values


def read_toml(
    file: Path, problems: Problems, name: str | None = None, code: str = "setting-unreadable"
) -> dict[str, Any] | None:
    """A TOML file as a table; None when it is not there or, with an error among the problems, cannot be read."""
    try:
        data = file_bytes(file)
        return None if data is None else parse_toml(data)
    except ValueError as error:
        problems.error(code, Place(name or file.name), str(error), expected="a TOML file in UTF-8")
        return None
