"""A catalogue as small as can be, in two states, for trials that build it hundreds of times."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from unittest.mock import patch

from sitegen import build as line
from sitegen.build import build
from sitegen.config import Settings
from sitegen.errors import Problems
from sitegen.plan import File, Plan, make_plan
from sitegen.site import Site
from sitegen.texts import TextReader, TextStore
from tests.factory import put, row, site_of
from tests.fuzz.points import Trial, contents


def data_of(base: Path) -> tuple[Path, Path]:
    """Two data folders: what a model said, and what it says now, with a model that went and one that came."""
    old, new = base / "old-data", base / "new-data"
    put(old, [row(), row("acme/gone-1b")])
    put(new, [row(result="FAIL", cpu_match=None, error="ValueError: x\n"), row("acme/new-1b")])
    return old, new


def built(folder: Path, data: Path) -> None:
    build(Settings(data=data, out=folder / "site", jobs=1, zip=True))


@dataclass(frozen=True)
class Ready:
    """A build whose pages are made: what is left of it is the publishing. Its texts are a few bytes."""

    site: Site
    files: Mapping[str, bytes]

    def __call__(self, folder: Path) -> None:
        outputs = [File(path, "ready", partial(_given, data)) for path, data in self.files.items()]
        plan = make_plan(outputs)
        plan = Plan(plan.outputs, plan.paths | {"site.zip"})
        with patch.object(line, "load", self._load), patch.object(line, "kept", lambda *_: plan):
            build(Settings(data=folder / "data", out=folder / "site", jobs=1, zip=True))

    def _load(self, _settings: Settings, store: TextStore, _progress: object) -> tuple[Site, Problems]:
        store.put(b"a log")
        return self.site, Problems()


def few(files: Mapping[str, bytes]) -> Mapping[str, bytes]:
    """The first page of a site and the files of models: some changed, some as they were, some come and gone."""
    return {path: data for path, data in files.items() if path == "index.html" or path.startswith("models/acme/")}


def _given(data: bytes, _: TextReader) -> bytes:
    return data


def trial_of_publishing(
    base: Path, earlier: bool, files: Callable[[Mapping[str, bytes]], Mapping[str, bytes]]
) -> Trial:
    """From the old files (or nothing) to the new, by builds whose pages are made. `files` picks of those of a site."""
    clean = trial_of_builds(base, earlier=True)
    made_apart = (".sitegen", "site.zip")
    picked = [{p: d for p, d in files(all_of).items() if p not in made_apart} for all_of in (clean.old, clean.new)]
    old, new = (Ready(site_of(base / "new-data"), found) for found in picked)
    for name, ready in (("ready-old", old), ("ready-new", new)):
        (base / name).mkdir()
        ready(base / name)
    before = contents(base / "ready-old" / "site") if earlier else {}
    return Trial(old if earlier else None, new, before, contents(base / "ready-new" / "site"))


def trial_of_builds(base: Path, earlier: bool) -> Trial:
    """From the old data (or nothing) to the new, by whole builds."""
    old, new = data_of(base)
    for name, data in (("clean-old", old), ("clean-new", new)):
        built(base / name, data)
    before = contents(base / "clean-old" / "site") if earlier else {}
    make_old = partial(built, data=old) if earlier else None
    return Trial(make_old, partial(built, data=new), before, contents(base / "clean-new" / "site"))
