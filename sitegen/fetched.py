"""`fetched.json` in a data folder: which dataset and commit its files came from, and what a fetch owns there.

`sitegen fetch` writes it and a build reads it. The maintainers' own `catalog.toml` is never written; what it says wins.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from sitegen.config import Catalog, is_web_address
from sitegen.errors import Place, Problems
from sitegen.given import file_bytes, parse_json

RECORD = "fetched.json"
EXPECTED = "a record that `sitegen fetch` wrote"
HUB_ID = re.compile(r"(?=.{1,193}$)(?!.*(?:--|\.\.|\.git$))(?:\w[\w.-]{0,95}(?<=\w)/)?\w[\w.-]{0,95}(?<=\w)", re.ASCII)
_COMMIT = re.compile(r"[0-9a-f]{40}")
_DEVICE = re.compile(r"(?i)(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\..*)?")
NAME_MAX, PATH_MAX = 240, 1000  # bytes of one part and of the whole


@dataclass(frozen=True)
class FetchedFile:
    """A Parquet file: its path in the dataset and in the data folder, its bytes, their SHA-256 in hex."""

    file: str
    size: int
    sha256: str


@dataclass(frozen=True)
class Dataset:
    """The dataset at the commit that was fetched. `source_url` is a template with `{revision}` and `{file}`."""

    id: str
    address: str
    asked: str  # the revision as it was asked for: a branch, a tag or a commit
    revision: str  # the commit
    source_url: str
    licence: str | None
    files: tuple[FetchedFile, ...]


@dataclass(frozen=True)
class Fetched:
    """What fetches into one folder brought: the dataset, if any, and the snapshot files of rankings."""

    dataset: Dataset | None = None
    rankings: tuple[str, ...] = ()

    @property
    def owned(self) -> frozenset[str]:
        """Every path in the data folder that the next fetch may replace or remove."""
        files = self.dataset.files if self.dataset else ()
        return frozenset({file.file for file in files} | set(self.rankings) | {RECORD})


def fault_of_path(path: str) -> str:
    """Why a path from elsewhere cannot be a file below a folder on every system; an empty text when it can."""
    parts = path.split("/")
    if path.startswith("/") or "\\" in path or ".." in parts:
        return "leads out of the folder"
    if any(part in ("", ".") for part in parts):
        return "has an empty part"
    if any(not c.isprintable() or c in '<>:"|?*' or "\ud800" <= c <= "\udfff" for c in path):
        return "holds a character that not every system allows"
    if any(part.endswith((".", " ")) or part.startswith(" ") or _DEVICE.fullmatch(part) for part in parts):
        return "is a name that Windows keeps for itself"
    too_long = len(path.encode()) > PATH_MAX or any(len(part.encode()) > NAME_MAX for part in parts)
    return "is too long" if too_long else ""


def faults_of_paths(paths: Iterable[str]) -> list[str]:
    """What is wrong with paths that shall lie in one folder, on systems too that ignore case or the form of accents."""
    paths = sorted(set(paths))
    faults = [f"{path!r} {fault}" for path in paths if (fault := fault_of_path(path))]
    seen: dict[str, str] = {}
    for path in paths:
        first = seen.setdefault(_folded(path), path)
        if first != path:
            faults.append(f"{first!r} and {path!r} differ only in case")
    files = {_folded(path): path for path in paths}
    for path in paths:
        above = [files[_folded(folder)] for folder in folders_above(path) if _folded(folder) in files]
        faults += [f"{name!r} is a file and a folder" for name in above]
    return faults


def folders_above(path: str) -> list[str]:
    """`a`, `a/b` of `a/b/c`."""
    parts = path.split("/")
    return ["/".join(parts[:number]) for number in range(1, len(parts))]


def _folded(path: str) -> str:
    return unicodedata.normalize("NFC", path.casefold())


def as_bytes(fetched: Fetched) -> bytes:
    """The record as it stands in `fetched.json`."""
    return (json.dumps({"schema": 1, **asdict(fetched)}, indent=1, ensure_ascii=False) + "\n").encode()


def read_fetched(folder: Path) -> Fetched | None:
    """The record of a data folder; None where there is none. Raises ValueError with a sentence when it is none."""
    data = file_bytes(folder / RECORD)
    if data is None:
        return None
    record = parse_json(data)
    if not isinstance(record, dict) or record.get("schema") != 1:
        raise ValueError("not a record of a fetch")
    rankings = record.get("rankings")
    try:
        fetched = Fetched(_dataset(record.get("dataset")), tuple(_text(path) for path in _list(rankings)))
    except (KeyError, TypeError) as error:
        raise ValueError(f"not a record of a fetch: {error}") from None
    if faults := faults_of_paths(fetched.owned):
        raise ValueError(faults[0])
    return fetched


def _dataset(record: Any) -> Dataset | None:
    if record is None:
        return None
    files = tuple(FetchedFile(_text(f["file"]), _whole(f["size"]), _text(f["sha256"])) for f in _list(record["files"]))
    texts = {name: _text(record[name]) for name in ("id", "address", "asked", "revision", "source_url")}
    if not _COMMIT.fullmatch(texts["revision"]):
        raise TypeError("the revision is no commit")
    if not (is_web_address(texts["address"]) and is_web_address(texts["source_url"])):
        raise TypeError("an address is none")
    licence = record.get("licence")
    return Dataset(**texts, licence=None if licence is None else _text(licence), files=files)


def _list(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise TypeError(f"found {value!r}, expected a list")
    return value


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"found {value!r}, expected text")
    return value


def _whole(value: Any) -> int:
    if type(value) is not int:
        raise TypeError(f"found {value!r}, expected a whole number")
    return value


def with_fetched(catalog: Catalog, folder: Path, sizes: Mapping[str, int], problems: Problems) -> Catalog:
    """The catalogue's settings, completed by the record of the folder's fetch where they say nothing.

    `sizes` are the Parquet files that a build found there, in bytes. Where one that was fetched is missing or has
    another size, the data is no longer that of the recorded commit, and no revision is taken from the record.
    """
    try:
        fetched = read_fetched(folder)
    except ValueError as error:
        hint = "Fetch again into an empty folder"
        problems.error("fetched-unreadable", Place(RECORD), str(error), expected=EXPECTED, hint=hint)
        return catalog
    if fetched is None or fetched.dataset is None:
        return catalog
    source = fetched.dataset
    changed = [f"{f.file} {_changed(sizes.get(f.file))}" for f in source.files if sizes.get(f.file) != f.size]
    catalog = replace(catalog, dataset=catalog.dataset or source.address, licence=catalog.licence or source.licence)
    if changed:
        more = f" and {len(changed) - 1} more" if len(changed) > 1 else ""
        found = f"{changed[0]}{more}: the data is not what was fetched, so its revision is not known"
        problems.notice("fetched-changed", Place(RECORD), found, hint="Fetch again")
        return catalog
    if catalog.revision not in (None, source.revision):
        found = f"{catalog.revision!r}, but the files were fetched at {source.revision}"
        hint = "Remove it: the revision is taken from the fetch"
        problems.notice("fetched-revision", Place("catalog.toml", 0, "revision"), found, hint=hint)
    beside = sorted(sizes.keys() - {file.file for file in source.files})
    if beside:
        found = f"{len(beside)} Parquet file{'s' * (len(beside) > 1)} did not come from the dataset: {beside[0]}"
        problems.info("fetched-beside", Place(RECORD), f"{found}; the revision is not that of all data")
    source_url = catalog.source_url or (None if beside else source.source_url)
    return replace(catalog, revision=catalog.revision or source.revision, source_url=source_url)


def _changed(size: int | None) -> str:
    return "is missing" if size is None else f"has {size:,} bytes"
