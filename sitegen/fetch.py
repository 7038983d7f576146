"""`sitegen fetch`: the results and the rankings come from the Hub into a data folder, all of it or nothing.

ask -> compare -> download -> rank -> record -> swap. A build then reads the folder as any other. Never part of a build.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sitegen import read
from sitegen.client import hub_client
from sitegen.datafolder import keep, last_fetch, link_or_copy, refuse_clashes, refuse_full, refuse_unusable
from sitegen.errors import BadInput, Level, Problems, Refused, SitegenError
from sitegen.fetched import HUB_ID, RECORD, Dataset, Fetched, FetchedFile, as_bytes, faults_of_paths
from sitegen.progress import Progress
from sitegen.rankings import KINDS
from sitegen.renames import earlier_names
from sitegen.write import Stage, staged

if TYPE_CHECKING:
    from sitegen.hub import Hub, RemoteFile, Source

DATASET = "aws-neuron/torch-neuronx-model-support"
TASKS = ("text-generation", "image-text-to-text")
CHUNK = 1 << 20
NAMES_MAX = 5  # that a message quotes


@dataclass(frozen=True)
class Wanted:
    """What to fetch and where to."""

    dest: Path = Path("data")
    dataset: str = DATASET
    revision: str = "main"
    tasks: tuple[str, ...] = TASKS
    limit: int = 200  # models of one ranking
    results: bool = True
    rankings: bool = True


@dataclass(frozen=True)
class Done:
    """What a fetch did."""

    fetched: Fetched
    new: int  # Parquet files that were not there as they are now
    removed: int
    ranked: Mapping[str, int]  # models by snapshot file
    renamed: int
    unasked: int  # ids that were not looked up, since there were too many


def fetch(wanted: Wanted, progress: Progress, say: Callable[[str], None]) -> Done:
    """Fetches into `wanted.dest`. Raises a SitegenError; then the folder is as it was, byte for byte."""
    check_wanted(wanted)
    refuse_unusable(wanted.dest)
    hub_type = hub_client()
    with staged(wanted.dest, "fetch") as stage, _unchanged(wanted.dest):
        last = last_fetch(wanted.dest)
        with hub_type(say) as hub:
            done = _fetch(wanted, last, hub, stage, progress)
        (stage.folder / RECORD).write_bytes(as_bytes(done.fetched))
        keep(wanted.dest, stage.folder, last.owned)
        stage.swap()
    return done


def _fetch(wanted: Wanted, last: Fetched, hub: Hub, stage: Stage, progress: Progress) -> Done:
    """Puts onto the stage whatever the fetch will own, new or as it was."""
    dataset = _results(wanted, last, hub, stage, progress) if wanted.results else last.dataset
    if not wanted.results and last.dataset:
        for file in last.dataset.files:
            _take_over(wanted.dest, stage, file.file)
    ranked, renamed, unasked = _rankings(wanted, last, hub, stage, progress) if wanted.rankings else ({}, 0, 0)
    others = [path for path in last.rankings if path not in ranked and (wanted.dest / path).is_file()]
    for path in others:
        _take_over(wanted.dest, stage, path)
    fetched = Fetched(dataset, tuple(sorted([*ranked, *others])))
    before, after = _digests(last), _digests(fetched)
    new = sum(before.get(path) != digest for path, digest in after.items())
    return Done(fetched, new, len(before.keys() - after.keys()), ranked, renamed, unasked)


def check_wanted(wanted: Wanted) -> None:
    """Raises Refused where something that was asked for cannot be meant."""
    if not (wanted.results or wanted.rankings):
        raise Refused("--no-results and --no-rankings together leave nothing to fetch")
    if not HUB_ID.fullmatch(wanted.dataset):
        raise Refused(f"--dataset: found {wanted.dataset!r}, expected an id such as {DATASET}")
    if not re.fullmatch(r"[^\s\x00-\x1f\x7f\ud800-\udfff]{1,250}", wanted.revision):
        raise Refused(f"--revision: found {wanted.revision!r}, expected a branch, a tag or a commit")
    for task in wanted.tasks:
        if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+){0,9}", task) or len(task) > 60:
            raise Refused(f"--tasks: found {task!r}, expected the Hub's names of tasks, such as {TASKS[0]}")
    if wanted.rankings and not wanted.tasks:
        raise Refused("--tasks: names no task; give --no-rankings to fetch no ranking")


@contextmanager
def _unchanged(dest: Path) -> Iterator[None]:
    """Every reason to stop also says what became of the folder."""
    try:
        yield
    except SitegenError as error:
        became = f"{dest} is as it was" if dest.exists() else "Nothing was written"
        error.args = (f"{str(error).rstrip('.')}. {became}",)
        raise


def _results(wanted: Wanted, last: Fetched, hub: Hub, stage: Stage, progress: Progress) -> Dataset:
    """The Parquet files of the dataset, on the stage, checked."""
    with progress.stage("ask"):
        source = hub.dataset(wanted.dataset, wanted.revision)
        files = _usable(source, [file for file in hub.files(source) if file.path.lower().endswith(".parquet")])
    refuse_clashes(wanted.dest, last.owned, [file.path for file in files])
    missing = [file for file in files if not _here(wanted.dest, file)]
    size = sum(file.size for file in missing)
    for folder in (wanted.dest, hub.cache):
        refuse_full(folder, size)
    with progress.stage("download", size or None, "bytes"):
        for file in missing:
            _download(hub, source, file, stage, progress)
    for file in files:
        _take_over(wanted.dest, stage, file.path)
    fetched = tuple(FetchedFile(file.path, file.size, _sha256(stage.folder / file.path)) for file in files)
    _check_parquet(stage.folder, source)
    address = f"{hub.address}/datasets/{source.id}"
    template = f"{address}/blob/{{revision}}/{{file}}"
    return Dataset(source.id, address, wanted.revision, source.commit, template, source.licence, fetched)


def _usable(source: Source, files: Sequence[RemoteFile]) -> list[RemoteFile]:
    """The files that a build would read: hidden ones are left out. Raises BadInput where a name cannot be one here."""
    if faults := faults_of_paths([RECORD, *(file.path for file in files)]):
        raise BadInput(f"{source.id} has names of files that cannot be used: {'; '.join(faults[:NAMES_MAX])}")
    usable = [file for file in files if not any(part.startswith((".", "_")) for part in file.path.split("/"))]
    if not usable:
        raise BadInput(f"{source.id} at {source.commit[:12]} has no Parquet file")
    return sorted(usable, key=lambda file: file.path)


def _take_over(dest: Path, stage: Stage, path: str) -> None:
    """Keeps a fetched file of last time, unless a newer one is on the stage."""
    if not (stage.folder / path).exists() and (dest / path).is_file():
        link_or_copy(dest / path, stage.folder / path)


def _here(dest: Path, file: RemoteFile) -> bool:
    """Whether the folder has the file already, with the bytes that the Hub has."""
    path = dest / file.path
    return path.is_file() and not path.is_symlink() and path.stat().st_size == file.size and _intact(path, file)


def _download(hub: Hub, source: Source, file: RemoteFile, stage: Stage, progress: Progress) -> None:
    """Puts the file on the stage. One in the client's cache that is not as it should be is fetched once more."""
    for again in (False, True):
        cached = hub.download(source, file, progress.advance, again)
        if cached.stat().st_size == file.size and _intact(cached, file):
            target = stage.folder / file.path
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(cached, target)  # no link: what happens in the cache must not happen here
            return
    raise BadInput(f"{file.path} of {source.id}: the bytes that came are not those that the Hub lists")


def _intact(path: Path, file: RemoteFile) -> bool:
    if len(file.digest) == 64:
        return _sha256(path) == file.digest
    blob = hashlib.sha1(b"blob %d\0" % file.size, usedforsecurity=False)  # as Git names it
    return _digest(path, blob) == file.digest


def _sha256(path: Path) -> str:
    return _digest(path, hashlib.sha256())


def _digest(path: Path, state: Any) -> str:
    with path.open("rb") as stream:
        while chunk := stream.read(CHUNK):
            state.update(chunk)
    return str(state.hexdigest())


def _check_parquet(folder: Path, source: Source) -> None:
    """Raises BadInput with all problems where a file is no Parquet file: the last good ones are better."""
    problems = Problems()
    for file in read.find_files(folder, problems):
        read.open_file(file, problems)
    if broken := problems.at(Level.ERROR):
        raise BadInput(f"{source.id} has {len(broken)} files that cannot be read", problems)


def _rankings(
    wanted: Wanted, last: Fetched, hub: Hub, stage: Stage, progress: Progress
) -> tuple[Mapping[str, int], int, int]:
    """The snapshots, on the stage: the models of each by its file, how many ids are new names, and were not asked."""
    asked = [(kind, task) for task in dict.fromkeys(wanted.tasks) for kind in KINDS]
    paths = {(kind, task): f"rankings/{kind}-{task}.json" for kind, task in asked}
    refuse_clashes(wanted.dest, last.owned, paths.values())
    with progress.stage("rank", len(asked)):
        lists = {}
        for kind, task in asked:
            lists[kind, task] = hub.ranking(kind, task, wanted.limit)
            if not lists[kind, task].models:
                raise BadInput(f"the ranking of {task} by {kind} is empty; check --tasks")
            progress.advance()
    ranked = {record["id"] for listed in lists.values() for record in listed.models}
    turn = max(listed.taken_at for listed in lists.values()).toordinal()
    was, unasked = earlier_names(ranked, (wanted.dest, stage.folder), hub, progress, turn)
    for (kind, task), listed in lists.items():
        snapshot = {
            "schema": 1,
            "ranking": kind,
            "task": task,
            "taken_at": f"{listed.taken_at:%Y-%m-%dT%H:%M:%SZ}",
            "source": hub.ranking_address(kind, task),
            "models": [r | ({"was": was[r["id"]]} if r["id"] in was else {}) for r in listed.models],
        }
        path = stage.folder / paths[kind, task]
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(snapshot, indent=1, ensure_ascii=False) + "\n", "utf-8")
    counts = {paths[key]: len(listed.models) for key, listed in lists.items()}
    return counts, len(was), unasked


def _digests(fetched: Fetched) -> dict[str, str]:
    return {file.file: file.sha256 for file in (fetched.dataset.files if fetched.dataset else ())}
