"""One segment of a path for any text: as it is where that is a legal name on every system, else with a hash.

A segment depends on its own text alone, so that nothing that comes later moves an address. Where two meet all the
same, each takes more of its hash.
"""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from sitegen.model import VersionPair

K = TypeVar("K")

SEGMENT_MAX, PATH_MAX = 100, 200
NO_OWNER = "-"
OWNER_MAX, NAME_MAX, PAIR_MAX, SHORT_MAX = 40, 64, 58, 48
STATUS_MAX = 37  # behind a pair, in the name of a badge
SHORT_HASH = 8  # hex digits
LONGER_HASHES = (16, 32)  # where shorter ones meet
_LEGAL = re.compile(r"[a-z0-9_-](?:[a-z0-9._-]*[a-z0-9_-])?")
_PLAIN = re.compile(r"[a-z0-9](?:[a-z0-9._-]*[a-z0-9_-])?")
_DEVICE = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)")
# What a segment may not be: the files and folders that stand beside it, and `--`, which marks a hash.
_RESERVED = re.compile(r"index\.html|rows\.js|feed\.xml|(?:model|badge)\.json|model\.md|badge\.svg|page-\d+|.*--.*")
_PLAIN_VERSION = re.compile(r"[0-9a-z._]+(\+[0-9a-z._]+)?")
_LOCAL = re.compile(r".*\d.*|cpu")  # what follows the `+` of a compiler's version, told from a library's name


def is_legal(part: str) -> bool:
    """Whether a file or folder can have this name on every system; also names that `segment` would not give."""
    return bool(_LEGAL.fullmatch(part)) and not _DEVICE.match(part)


def is_path(text: str) -> bool:
    """Whether a text could be the path of a file of a site, on every system."""
    parts = text.split("/")
    legal = all(len(part) <= SEGMENT_MAX and is_legal(part) for part in parts)
    return legal and len(text) <= PATH_MAX and parts[0] != "assets"


def short_hash(text: str, digits: int = SHORT_HASH) -> str:
    """Hex digits that belong to the text alone."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:digits]


def plain_segment(text: str, limit: int) -> str | None:
    """The text in lower case, where that is a legal name and a short one. Letters beyond ASCII never are."""
    lower = text.lower()
    legal = text.isascii() and _PLAIN.fullmatch(lower) and not _DEVICE.match(lower) and not _RESERVED.fullmatch(lower)
    return lower if legal and len(lower) <= limit else None


def segment(text: str, limit: int = SHORT_MAX, of: str | None = None) -> str:
    """One path segment for a text: lower case as it is where that is a legal name, else with a hash of `of` (the text).

    The hash stands behind `--`, which no plain segment contains: a plain name never falls on a hashed one.
    """
    return plain_segment(text, limit) or hashed(text, limit, text if of is None else of)


def hashed(text: str, limit: int, of: str, digits: int = SHORT_HASH) -> str:
    """What is legal of the text, then `--` and the hash of `of`."""
    kept = re.sub(r"-{2,}", "-", re.sub(r"[^a-z0-9._-]+", "-", text.lower())).strip("._-")
    if _DEVICE.match(kept):
        kept = "n-" + kept
    kept = kept[: limit - 2 - digits].rstrip("._-")
    return f"{kept or 'x'}--{short_hash(of, digits)}"


def apart(
    claimants: Iterable[K],
    name: Callable[[K, int], str],
    lengths: tuple[int, ...] = (SHORT_HASH, *LONGER_HASHES),
) -> dict[K, str]:
    """The name of each claimant, with a hash of the first of these lengths at which it meets no other's."""
    found: dict[K, str] = {}
    left = list(claimants)
    for digits in lengths:
        found |= {claimant: name(claimant, digits) for claimant in left}
        meeting: dict[str, list[K]] = defaultdict(list)
        for claimant in left:
            meeting[found[claimant]].append(claimant)
        left = [claimant for group in meeting.values() if len(group) > 1 for claimant in group]
    return found


def owner_segments(owners: Iterable[str | None]) -> Mapping[str | None, str]:
    """Owners that are equal but for case share one, where it is plain."""
    found: dict[str | None, str] = {None: NO_OWNER}
    others = []
    for owner in owners:
        if owner is not None:
            text = plain_segment(owner, OWNER_MAX)
            if text is None:
                others.append(owner)
            else:
                found[owner] = text
    return found | apart(others, lambda owner, digits: hashed(owner, OWNER_MAX, owner, digits))


def pair_segments(pairs: Iterable[VersionPair]) -> Mapping[VersionPair, str]:
    """`2.28.7631.0-5e0f61c7-transformers-5.21.0`; with a hash where a pair could be confused with another one."""
    found, others = {}, []
    for pair in set(pairs):
        text = _pair_text(pair)
        if _is_plain(pair, text):
            found[pair] = text
        else:
            others.append(pair)
    return found | apart(others, lambda pair, digits: hashed(_pair_text(pair), PAIR_MAX, _identity(pair), digits))


def _identity(pair: VersionPair) -> str:
    return repr((pair.compiler, pair.library, pair.library_version))


def _pair_text(pair: VersionPair) -> str:
    parts = (pair.compiler, pair.library, pair.library_version)
    return "-".join(part or "not-recorded" for part in parts).replace("+", "-")


def _is_plain(pair: VersionPair, text: str) -> bool:
    """Whether the text is a legal name as it is, and can be no other plain pair's."""
    versions = (pair.compiler, pair.library_version)
    legal = all(version and _PLAIN_VERSION.fullmatch(version) for version in versions)
    return legal and plain_segment(text, PAIR_MAX) == text and _pair_in(text) == pair


def _pair_in(text: str) -> VersionPair | None:
    """The one pair that a text may stand for as it is. A `-` may be one of a name, or a `+` of a version."""
    parts = text.split("-")
    start = 2 if len(parts) > 3 and _LOCAL.fullmatch(parts[1]) else 1
    end = len(parts) - (2 if len(parts) - start > 2 and parts[-2][:1].isdigit() else 1)
    if end <= start:
        return None
    return VersionPair("+".join(parts[:start]), "-".join(parts[start:end]), "+".join(parts[end:]))
