"""Reads netlify.toml as Netlify does: which headers an answer has, and where an address that has no file leads."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
FILE = ROOT / "netlify.toml"
CONFIG: dict[str, Any] = tomllib.loads(FILE.read_text(encoding="utf-8"))


def headers_of(path: str) -> dict[str, str]:
    """What Netlify sends with a path: all rules that match, later ones over earlier ones."""
    sent: dict[str, str] = {}
    for rule in CONFIG["headers"]:
        if re.fullmatch(as_pattern(rule["for"]), path, re.IGNORECASE):
            sent |= rule["values"]
    return sent


def as_pattern(rule: str) -> str:
    """As Netlify's own parser reads a rule; like it, a rule with `*` in a word does not escape its dots."""
    parts = [part for part in rule.split("/") if part]
    return "/" + "/".join(map(part_pattern, parts)) + "/?"


def part_pattern(part: str) -> str:
    if part.startswith(":"):
        return "([^/]+)"
    if part == "*":
        return "?(.*)"
    return part.replace("*", "(.*)") if "*" in part else re.escape(part)


def redirect_of(path: str) -> tuple[int, str] | None:
    """Status and target of the first rule that matches an address without a file; a slash at its end is no matter."""
    for rule in CONFIG["redirects"]:
        found = re.fullmatch(as_pattern(rule["from"]), path)
        if found:
            target: str = rule["to"]
            # A `*` has no name.
            for name, value in zip(re.findall(r":\w+", rule["from"]), found.groups(), strict=False):
                target = target.replace(name, value)
            return rule["status"], target
    return None
