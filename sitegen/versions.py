"""Versions compared as versions: 2.9 before 2.10, 5.0.0rc1 before 5.0.0, a build with `+hash` after the one without."""

from __future__ import annotations

from functools import lru_cache

from packaging.version import InvalidVersion, Version

VersionKey = tuple[bool, Version, str]
_NONE = Version("0")
MAX = 200  # characters; what is longer is no version, and Python refuses to read very long numbers


@lru_cache(maxsize=4096)
def version_key(text: str | None) -> VersionKey:
    """A sort key in which what is no version (or not recorded) is lowest, so that it is never the latest.

    The text itself comes last: versions that compare equal (2.0 and 2.0.0) still have one order.
    """
    if text is None:
        return False, _NONE, ""
    if len(text) > MAX:
        return False, _NONE, text
    try:
        return True, Version(text), text
    except InvalidVersion:
        return False, _NONE, text
