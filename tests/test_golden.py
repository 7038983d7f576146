"""A small catalogue, page by page, as its reader sees it. After a wanted change: `python -m tests.test_golden`."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import pytest

from sitegen.build import build
from sitegen.config import Settings
from tests.factory import OLD, put, ranking, row, write
from tests.outline import outlines

GOLDEN = Path(__file__).parent / "golden"
# The docs are prose that changes on its own account; one of them stands for all.
LEFT_OUT = ("docs/",)
ERROR = """Traceback (most recent call last):
  File "run.py", line 2, in <module>
RuntimeError: nrt_tensor_allocate status=4
"""


def catalogue(data: Path) -> Path:
    """Two pairs; a pass on one core, a sharded pass, a failure with a retest, an exclusion, an untested model."""
    older = {"neuronx_cc": OLD, "library_version": "5.18.0", "transformers": "5.18.0"}
    failed = {"result": "FAIL", "cpu_match": None, "error": ERROR, "run_py": "import torch\nraise SystemExit(1)\n"}
    put(data, [row("acme/one-core-1b", **older), row("acme/fails-3b", **older)], "old.parquet", drop=["exclusion"])
    put(
        data,
        [
            row("acme/one-core-1b", notes="first of its kind"),
            row("acme/Sharded-70B", tp=8, cpu_match=None, english="fluent", wall_s=1812, hbm_peak_gb=151.5, nki=None),
            row("acme/fails-3b", **failed),
            row("acme/fails-3b", **failed, tp=2, tested_at=None, runner="retest"),
            row("bare-lm", result="EXCLUDED", exclusion="needs 64 cores", run_py=None, tp=None, cpu_match=None),
        ],
        "new.parquet",
    )
    ranking(data, [{"id": "acme/one-core-1b", "downloads": 1200, "likes": 0}, "globex/untested-2b"])
    write(data / "lists" / "selected.toml", '[[model]]\nid = "acme/one-core-1b"\nnote = "Start here."\n')
    write(data / "catalog.toml", 'title = "Golden"\nnotice = "For tests."\n')
    return data


def built(folder: Path) -> dict[str, str]:
    build(Settings(data=catalogue(folder / "data"), out=folder / "site", base_url="https://example.org/"))
    return {path: text for path, text in outlines(folder / "site").items() if not path.startswith(LEFT_OUT)}


def name(path: str) -> str:
    return path.replace("/", "~").removesuffix(".html") + ".txt"


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return built(tmp_path_factory.mktemp("golden"))


def test_the_pages_are_those_that_were_agreed(pages: dict[str, str]) -> None:
    assert {name(path) for path in pages} == {path.name for path in GOLDEN.glob("*.txt")}


@pytest.mark.parametrize("file", sorted(GOLDEN.glob("*.txt")), ids=lambda path: path.stem)
def test_a_page_reads_as_agreed(pages: dict[str, str], file: Path) -> None:
    found = next(text for path, text in pages.items() if name(path) == file.name)
    assert found == file.read_text("utf-8")


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        for old in GOLDEN.glob("*.txt"):
            old.unlink()
        for path, text in built(Path(folder)).items():
            (GOLDEN / name(path)).write_text(text, "utf-8")
    sys.stdout.write(f"wrote {len(list(GOLDEN.glob('*.txt')))} files; read the difference before you commit it\n")


if __name__ == "__main__":
    main()
