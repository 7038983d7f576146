"""The nouns of a catalogue. Nothing here reads, writes or renders.

Runs, results and models are themselves, and no others with the same values: what is made of one can be kept by it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from sitegen.outcome import Outcome, Verification
from sitegen.versions import VersionKey, version_key

# What a row records of the software beside the pair, in the order of the page.
STACK = "transformers accelerate torch_neuronx torch nki python neuron_driver".split()
PairKey = tuple[VersionKey, str, VersionKey]


@dataclass(frozen=True)
class VersionPair:
    """Compiler version, library name and library version; each None where a row does not record it."""

    compiler: str | None
    library: str | None
    library_version: str | None

    @cached_property
    def order(self) -> PairKey:
        """Ascending: the highest pair is the latest. Library versions are compared within one library only."""
        return version_key(self.compiler), self.library or "", version_key(self.library_version)


@dataclass(frozen=True, slots=True)
class TextRef:
    """A large text that lies in the text store: `size` bytes of UTF-8 at `offset`, with their SHA-256 in hex."""

    offset: int
    size: int
    sha256: str


@dataclass(frozen=True, order=True, slots=True)
class Source:
    """The file a row came from, relative to the data folder, and the row's number in it, from 1."""

    file: str
    row: int


@dataclass(frozen=True, eq=False, slots=True)
class Run:
    """One row: one run of one model. None is always "not recorded"."""

    model_id: str
    pair: VersionPair
    source: Source
    digest: str  # SHA-256 in hex over the row's values as published, the same for rows that are equal in every column
    result: str | None  # the recorded word
    outcome: Outcome
    verification: Verification
    tp: int | None  # cores
    runner: str | None
    notes: str | None
    exclusion: str | None
    wall_s: int | None  # seconds, compilation included
    hbm_peak_gb: float | None
    hbm_capacity_gb: float | None
    cpu_match: str | None
    english: str | None
    stack: tuple[tuple[str, str | None], ...]  # package, version
    tested_at: datetime | None  # UTC
    task: str | None
    architecture: str | None
    extra_packages: str | None
    run_py: TextRef | None
    error: TextRef | None
    error_code: str | None  # compiler or runtime code, else the type of the exception, as the error says it
    signature: str | None  # of a failing run: what failures with one cause share, as `signature.py` makes it
    packages: TextRef | None
    others: tuple[tuple[str, TextRef], ...]  # columns that the schema does not know, where not null
    raw: TextRef  # the row as JSON, the large texts as size and SHA-256
    redacted: tuple[tuple[str, int], ...] = ()  # columns in which texts were redacted, with the number of places

    @property
    def short(self) -> str:
        """The first twelve hex digits of the row's hash: its folder under `runs/`."""
        return self.digest[:12]


@dataclass(frozen=True)
class Exclusion:
    """Left out on purpose. `kind` is `not-prioritised`, `incompatible` or None (not recorded)."""

    reason: str | None
    kind: str | None
    origin: str  # "list" or "column"


@dataclass(frozen=True, eq=False)
class Result:
    """All runs of one model under one pair, the headline run first."""

    model_id: str
    pair: VersionPair
    runs: tuple[Run, ...]

    @property
    def headline(self) -> Run:
        return self.runs[0]

    @cached_property
    def newest_known(self) -> bool:
        """Whether dates say that the headline run is the newest: every run has one, and none is as new."""
        first, *others = (run.tested_at for run in self.runs)
        return first is not None and all(other is not None and other < first for other in others)

    @cached_property
    def disagree(self) -> bool:
        """Whether the runs say different things: another outcome or another verification."""
        return len({(run.outcome.label, run.verification.label) for run in self.runs}) > 1


@dataclass(frozen=True)
class RankedModel:
    """A model's place in a ranking, from 1; what the snapshot lacks is None."""

    rank: int
    model_id: str
    downloads: int | None = None
    likes: int | None = None
    trending_score: float | None = None
    gated: str | None = None
    last_modified: str | None = None
    was: tuple[str, ...] = ()


@dataclass(frozen=True)
class Ranking:
    """A snapshot of one of the Hub's rankings: `kind` is `trending` or `downloads`."""

    kind: str
    task: str
    taken_at: datetime
    source: str | None
    models: tuple[RankedModel, ...]


@dataclass(frozen=True)
class Selected:
    """An entry of the maintainers' own list."""

    model_id: str
    note: str | None = None
    since: str | None = None


@dataclass(frozen=True, eq=False)
class Model:
    """One model: its results (highest pair first, maybe none), and what the lists say of it."""

    id: str
    results: tuple[Result, ...]
    task: str | None
    architecture: str | None
    exclusion: Exclusion | None
    selected: Selected | None = None

    @property
    def latest(self) -> Result | None:
        """The result under the highest pair, never the one with the latest date."""
        return self.results[0] if self.results else None

    @cached_property
    def by_pair(self) -> Mapping[VersionPair, Result]:
        return {result.pair: result for result in self.results}

    @property
    def owner(self) -> str | None:
        owner, slash, _ = self.id.partition("/")
        return owner if slash else None


@dataclass(frozen=True)
class SourceFile:
    """One Parquet file as it was read. `left_out` is the reason why nothing of it was used, or None."""

    file: str
    size: int
    rows: int
    runs: int
    duplicates: int
    refused: int
    missing: tuple[str, ...]  # known columns that the file lacks
    unknown: tuple[str, ...]  # columns that the schema does not know
    pairs: tuple[VersionPair, ...]
    left_out: str | None = None
    dates: tuple[datetime, datetime] | None = None  # of its oldest and newest run
    undated: int = 0  # runs without a date
