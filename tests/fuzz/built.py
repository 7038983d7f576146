"""A catalogue with the site that was built of it, as the properties look at it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from sitegen.build import Report, build, inspect
from sitegen.config import Settings
from sitegen.errors import Level
from tests.cases.site import BuiltSite
from tests.fuzz.catalogues import Catalogue
from tests.fuzz.oracle import Fact, facts

NONCHARACTERS = {plane * 0x10000 + last for plane in range(17) for last in (0xFFFE, 0xFFFF)}


def visible(text: str) -> str:
    """What a page can show of a text: no control characters, blanks and line breaks as one blank."""
    kept = (c for c in text if c in "\t\n" or not ("\x00" <= c < " " or "\x7f" <= c <= "\x9f" or _no_character(c)))
    return " ".join("".join(kept).split())


def _no_character(c: str) -> bool:
    return "\ud800" <= c <= "\udfff" or "\ufdd0" <= c <= "\ufdef" or ord(c) in NONCHARACTERS


@dataclass(frozen=True)
class Run:
    """A run as `model.json` has it, with the result that it stands under and the row that it came from."""

    model: dict[str, Any]
    result: dict[str, Any]
    run: dict[str, Any]
    fact: Fact

    @property
    def headline(self) -> bool:
        return bool(self.run["headline"])


@dataclass(frozen=True, eq=False)
class Built:
    """What `--keep-going` makes of a catalogue, so that there is a site whatever is in it."""

    folder: Path  # with data/ and site/
    catalogue: Catalogue
    report: Report

    @cached_property
    def site(self) -> BuiltSite:
        return BuiltSite(self.folder / "site")

    @cached_property
    def facts(self) -> dict[str, list[Fact] | None]:
        return facts(self.folder / "data")

    @cached_property
    def models(self) -> list[dict[str, Any]]:
        """Every `model.json`."""
        return [strict_json(self.site.read(path)) for path in self.site.paths if path.endswith("/model.json")]

    @cached_property
    def runs(self) -> list[Run]:
        return list(self._runs())

    def _runs(self) -> Iterator[Run]:
        rows = {(fact.file, fact.row): fact for found in self.facts.values() for fact in found or ()}
        for model in self.models:
            for result in model["results"]:
                for run in result["runs"]:
                    yield Run(model, result, run, rows[run["source"]["file"], run["source"]["row"]])

    @cached_property
    def errors(self) -> set[tuple[str, int]]:
        """The places that an error names: a file as messages write it, and a row, 0 for the file as a whole."""
        return {(problem.place.file, problem.place.row) for problem in self.report.problems.at(Level.ERROR)}


def strict_json(data: bytes) -> Any:
    """JSON without what JSON has not: NaN, Infinity, a field twice."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        assert len(dict(pairs)) == len(pairs), pairs
        return dict(pairs)

    def constant(word: str) -> None:
        raise AssertionError(f"{word} in JSON")

    return json.loads(data.decode("utf-8"), parse_constant=constant, object_pairs_hook=once)


def settings(folder: Path, out: str = "site", **more: Any) -> Settings:
    given = {"keep_going": True, "jobs": 1, "base_url": "https://example.org/base/", **more}
    return Settings(data=folder / "data", out=folder / out, **given)


def made(folder: Path, catalogue: Catalogue) -> Built:
    """The site of a catalogue, built in this process into an empty folder."""
    catalogue.write(folder / "data")
    return Built(folder, catalogue, build(settings(folder)))


def looked_at(folder: Path, catalogue: Catalogue) -> Report:
    """The same line stopped before anything is rendered."""
    catalogue.write(folder / "data")
    return inspect(settings(folder))
