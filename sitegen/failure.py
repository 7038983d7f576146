"""Why a run failed, as its log says it: the last exception with its causes, each from the lines of one rank."""

from __future__ import annotations

import re

# What names a cause where no Python exception does: compiler and runtime codes of the Neuron stack.
CODED = re.compile(r"\b(NCC_[A-Z]+\d+|NRT_[A-Z_]+)\b|\[(F\d{3})\]|\b(nrt_\w+ status=\d+)")


def error_code(data: bytes) -> str | None:
    """The compiler or runtime code that the log ends with, else the type of its last exception."""
    found = list(CODED.finditer(data[-65536:].decode("utf-8", "replace")))
    return next(filter(None, found[-1].groups())) if found else None
