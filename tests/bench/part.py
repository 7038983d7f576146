"""What a part of the benchmark is given, and what it gives."""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.bench.ratios import Reached

PAIRS = 20


@dataclass(frozen=True)
class Sizes:
    """How large the catalogues are: results under 20 pairs, and for the search models under one."""

    cold: tuple[int, ...] = (1_000, 10_000)
    usual: int = 10_000
    growth: tuple[int, int] = (5_000, 50_000)
    search: tuple[int, ...] = (1_000, 5_000, 20_000)
    bytes: int = 5_000
    queries: int = 2_000


SMALL = Sizes((200, 400), 400, (200, 600), (200, 500), 500, 400)


@dataclass(frozen=True)
class Options:
    """What the command line asks for."""

    runs: int = 3
    slow_runs: int = 1
    sizes: Sizes = field(default_factory=Sizes)
    pages: tuple[int, ...] = ()
    against: tuple[str, ...] = ()


@dataclass(frozen=True)
class Figures:
    """Lines as they were measured, and the goals that they decide."""

    lines: tuple[str, ...]
    reached: tuple[Reached, ...] = ()


def of(pages: int) -> str:
    return f"{pages:,} results"
