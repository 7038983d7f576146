"""A build into a folder that holds an earlier one equals a clean build, byte for byte, after any edits.

The builds go through the command in one process, so that what a process keeps from page to page is tested too, and so
is the decision that there is nothing to do.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sitegen import __main__
from tests.factory import NEW, OLD, put, ranking, row, write

IDS = ("acme/a", "acme/b", "other/c", "d")
RESULTS = ("PASS", "FAIL", "ODD")


class Catalogue:
    """A data folder with its overlay and its site, and the edits that people make to them."""

    def __init__(self, base: Path) -> None:
        self.base = base
        self.files: dict[str, dict[str, dict[str, Any]]] = {"old": {"acme/a": row("acme/a", neuronx_cc=OLD)}}
        self.options: dict[str, str] = {}
        (base / "data").mkdir()
        (base / "overlay").mkdir()

    def put_row(self, file: str, model_id: str, result: str, wall_s: int) -> None:
        error = f"ValueError: {wall_s}" if result == "FAIL" else None
        made = row(model_id, neuronx_cc=OLD if file == "old" else NEW, result=result, wall_s=wall_s, error=error)
        self.files.setdefault(file, {})[model_id] = made

    def drop_row(self, file: str, model_id: str) -> None:
        self.files.get(file, {}).pop(model_id, None)

    def drop_file(self, file: str) -> None:
        self.files.pop(file, None)

    def rank(self, ids: tuple[str, ...]) -> None:
        ranking(self.base / "data", list(ids))

    def title(self, text: str) -> None:
        write(self.base / "data" / "catalog.toml", f'title = "{text}"\n')

    def document(self, text: str) -> None:
        write(self.base / "overlay" / "docs" / "scope.md", f"title: Scope\nsummary: {text}\n\n## {text}\n")

    def address(self, name: str) -> None:
        self.options["--base-url"] = f"https://{name}.example/x/"

    def delete_output(self, number: int) -> None:
        found = sorted(path for path in (self.base / "site").rglob("*") if path.is_file() and path.name != ".sitegen")
        if found:
            found[number % len(found)].unlink()

    def add_output(self, name: str) -> None:
        if (self.base / "site" / "docs").is_dir():
            write(self.base / "site" / "docs" / name, "by hand")

    def build(self, out: str) -> dict[str, bytes]:
        for path in (self.base / "data").glob("*.parquet"):
            path.unlink()
        for name, rows in self.files.items():
            if rows:
                put(self.base / "data", list(rows.values()), f"{name}.parquet")
        options = [text for option in self.options.items() for text in option]
        folders = ("--data", "data", "--content", "overlay", "--out", out)
        sys.argv = ["sitegen", "build", "-q", "--jobs", "1", *folders, *options]
        __main__.main()
        found = (path for path in (self.base / out).rglob("*") if path.is_file())
        return {path.relative_to(self.base / out).as_posix(): path.read_bytes() for path in found}


def edit(name: str, *values: st.SearchStrategy[Any]) -> st.SearchStrategy[Callable[[Catalogue], None]]:
    return st.tuples(*values).map(lambda chosen: lambda catalogue: getattr(catalogue, name)(*chosen))


FILE, ID = st.sampled_from(["old", "new", "more"]), st.sampled_from(IDS)
WORD = st.sampled_from(["one", "two"])
EDITS = st.one_of(
    edit("put_row", FILE, ID, st.sampled_from(RESULTS), st.integers(1, 3)),
    edit("drop_row", FILE, ID),
    edit("drop_file", FILE),
    edit("rank", st.sampled_from([(), ("acme/a",), ("other/c", "acme/z")]).map(lambda ids: ids or ("acme/b",))),
    edit("title", WORD),
    edit("document", WORD),
    edit("address", WORD),
    edit("delete_output", st.integers(0, 10_000)),
    edit("add_output", WORD),
)


@settings(max_examples=5, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(st.lists(EDITS, min_size=1, max_size=3), min_size=1, max_size=2))
def test_after_any_edits_it_is_the_site_that_a_clean_build_makes(
    tmp_path_factory: pytest.TempPathFactory, rounds: list[list[Callable[[Catalogue], None]]]
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        catalogue = Catalogue(tmp_path_factory.mktemp("edits"))
        patch.chdir(catalogue.base)
        patch.setattr(sys, "argv", [])
        catalogue.build("site")
        for edits in rounds:
            for change in edits:
                change(catalogue)
            updated = catalogue.build("site")
            assert catalogue.build("site") == updated
            assert catalogue.build("clean") == updated
            shutil.rmtree(catalogue.base / "clean")
