"""Sites that are built one after the other, each with the list of addresses of the one before."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from sitegen.build import build
from sitegen.config import Settings
from tests.factory import OLD

OLDER: dict[str, Any] = {"neuronx_cc": OLD, "library_version": "5.18.0", "transformers": "5.18.0"}
FAILED: dict[str, Any] = {"result": "FAIL", "cpu_match": None, "error": "ValueError: x\n"}
PAIR = "2.27.5334.0-f702b353-transformers-5.18.0"


def made(folder: Path, name: str, *, previous: Path | None = None, said: list[str] | None = None, **more: Any) -> Path:
    """The site of `folder/name`, in `folder/name-site`."""
    out = folder / f"{name}-site"
    settings = Settings(data=folder / name, out=out, base_url="https://example.org/", previous=previous, **more)
    build(settings, say=(said if said is not None else []).append)
    return out


def addresses(site: Path) -> set[str]:
    """The addresses of all pages."""
    table = json.loads((site / "urls.json").read_bytes())
    return {*table["pages"], *table["moved"], *table["gone"]}


def text(site: Path, path: str) -> str:
    return (site / path).read_text("utf-8")


def files(site: Path, folder: str) -> dict[str, bytes]:
    """All files of a model but its pages."""
    base = site / "models" / folder
    return {
        p.relative_to(base).as_posix(): p.read_bytes() for p in base.rglob("*") if p.is_file() and p.suffix != ".html"
    }
