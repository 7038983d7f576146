"""Every code that a problem can have, and what the problem means for somebody who reads the catalogue."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

from sitegen.errors import Level, Problem


class Effect(Enum):
    """What became of the data that a problem is about."""

    LEFT_OUT = "left out"
    AS_RECORDED = "shown as recorded"
    BESIDE = "beside the results"  # in settings, texts, lists and rankings
    FAULT = "a fault of sitegen"  # stops every build


_CODES = {
    Effect.LEFT_OUT: (
        "file-empty file-lfs-pointer file-not-parquet file-cut file-unreadable file-no-rows file-hidden"
        " folder-unreadable link-dangling link-not-followed column-twice id-unusable value-unreadable row-duplicate"
        " ranking-unreadable ranking-twice ranking-id-ambiguous list-ambiguous-id list-twice redact-name redact-id"
    ),
    Effect.AS_RECORDED: (
        "column-missing column-unknown id-odd id-twin value-odd value-missing text-not-utf8 result-unknown"
        " runs-disagree pair-twin pair-version-odd pair-stack-mixed ranking-value"
    ),
    Effect.BESIDE: (
        "no-files no-base-url fetched-unreadable fetched-changed fetched-revision fetched-beside list-unknown-id"
        " setting-unreadable setting-unknown doc-address-twice doc-link-broken caveat-missing caveat-unknown"
        " address-lost exception-unneeded catalog-unreadable"
        " outcomes-unreadable text-unreadable redact-pattern"
    ),
    Effect.FAULT: "rows-lost address-twice",
}
EFFECTS: Mapping[str, Effect] = {code: effect for effect, codes in _CODES.items() for code in codes.split()}

# No exception is for them, and --keep-going does not pass over them: pages would speak of another device, or with other
# words, than the maintainers do.
ALWAYS_STOP = frozenset({"catalog-unreadable", "outcomes-unreadable", "redact-pattern", *_CODES[Effect.FAULT].split()})


def effect(problem: Problem) -> Effect:
    """An error leaves out what it is about, unless it is a fault of ours or about what lies beside the results."""
    usual = EFFECTS[problem.code]
    return Effect.LEFT_OUT if problem.level == Level.ERROR and usual is Effect.AS_RECORDED else usual
