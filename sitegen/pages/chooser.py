"""The choice of a version pair for a list: the same list under each pair, with what puts versions near each other."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from sitegen.model import VersionPair
from sitegen.pages.parts import compiler_text, library_text, pair_text
from sitegen.plan import Link
from sitegen.site import Site
from sitegen.versions import VersionKey, version_key

Library = tuple[str | None, str | None]


@dataclass(frozen=True)
class PairLink:
    """A list under one pair. The ranks put versions in their order, the highest first: the closer, the nearer.

    Versions of different libraries cannot be compared, so only the ranks of one `library_name` may be.
    """

    link: Link
    compiler: str  # in words
    library: str  # name and version in words
    library_name: str
    compiler_rank: int
    library_rank: int


def pair_links(site: Site, path: str, current: VersionPair | None) -> tuple[PairLink, ...]:
    """The list at `path` under each pair, the highest first."""
    compilers, libraries = _ranks(site.pairs)
    return tuple(
        PairLink(
            Link(pair_text(site, pair), site.addresses.pair_list(pair, path), pair == current),
            compiler_text(site, pair),
            library_text(pair),
            pair.library or "",
            compilers.index(pair.compiler),
            libraries.index((pair.library, pair.library_version)),
        )
        for pair in site.pairs
    )


@lru_cache(maxsize=1)
def _ranks(pairs: tuple[VersionPair, ...]) -> tuple[list[str | None], list[Library]]:
    """All compiler versions and all versions of each library, the highest first."""
    compilers = sorted({pair.compiler for pair in pairs}, key=version_key, reverse=True)
    libraries = sorted({(pair.library, pair.library_version) for pair in pairs}, key=_order, reverse=True)
    return compilers, libraries


def _order(library: Library) -> tuple[str, VersionKey]:
    name, version = library
    return name or "", version_key(version)
