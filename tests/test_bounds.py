"""Memory and time follow the largest value or page of the input, not the sum; `tests.bench bounds` has more."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from sitegen.errors import Level
from sitegen.texts import TextStore
from tests.bench.bounds import failed, slow_to_highlight, text
from tests.factory import put, read, row

READ = """
import sys
import pyarrow as pa
from pathlib import Path
from sitegen.errors import Problems
from sitegen.read import batches, find_files, open_file
for file in find_files(Path(sys.argv[1]), Problems()):
    rows = sum(batch.num_rows for batch in batches(open_file(file, Problems())))
print(rows, pa.default_memory_pool().max_memory())
"""


BUILD = """
import sys
from sitegen.__main__ import main
sys.argv = ["sitegen", "build", "-q", "--data", "data", "--jobs", "1"]
main()
print(next(line for line in open("/proc/self/status") if line.startswith("VmHWM")).split()[1])
"""


def run(folder: Path, *words: str) -> list[int]:
    """The numbers that a Python prints at its end."""
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent)}
    command = [sys.executable, "-c", *words]
    ran = subprocess.run(command, cwd=folder, env=environment, stdout=subprocess.PIPE, check=True)
    return [int(word) for word in ran.stdout.split()]


# Columns whose texts stand on pages; names are refused where they are as long.
WORDS = "runner english cpu_match torch python neuron_driver transformers task architecture extra_packages".split()


@pytest.mark.parametrize("dictionary", [True, False])
def test_a_large_row_group_is_read_page_by_page(tmp_path: Path, dictionary: bool) -> None:
    rows = [failed(n, error=text(1_000_000, n)) for n in range(240)]
    put(tmp_path, rows, row_group_size=240, write_batch_size=1, compression="none", use_dictionary=dictionary)
    count, most = run(tmp_path, READ, str(tmp_path))
    assert count == 240
    assert most < 120_000_000  # a batch while it grows; the row group has 240 MB


def test_what_is_large_in_one_way_is_built_in_little_memory_and_on_small_pages(tmp_path: Path) -> None:
    long = "x" * 1_000_000
    rows = [
        failed(1, error=f"{long}\nValueError: x\n"),
        failed(2, run_py=f"x = '{long}'\n"),
        failed(3, notes=long),
        failed(4, more=long),
        row("acme/words", **dict.fromkeys(WORDS, long)),
        row("acme/left-out", exclusion=long, result=None),
        *slow_to_highlight(1),
        *(row("acme/often", wall_s=number) for number in range(150)),
        *(failed(n, error=text(200_000, n)) for n in range(5, 155)),
    ]
    put(tmp_path / "data", rows, row_group_size=len(rows), write_batch_size=1)
    (most,) = run(tmp_path, BUILD)
    assert most < 350 * 1024  # KiB
    pages = {path: path.stat().st_size for path in (tmp_path / "site").rglob("*.html")}
    assert max(pages.values()) < 1_500_000
    for name in ("model-2", "control-1b", "lines"):
        (page,) = (tmp_path / "site" / "models" / "acme" / name).glob("*/index.html")
        assert "Shown without colours: it" in page.read_text("utf-8")


@pytest.mark.parametrize("name", ["model_id", "neuronx_cc", "library", "library_version"])
def test_a_name_that_no_page_can_hold_is_refused_with_its_length(tmp_path: Path, name: str) -> None:
    put(tmp_path, [row(**{name: "n" * 1_000}), row(**{name: "n" * 1_001})])
    with TextStore() as store:
        reading, problems = read(tmp_path, store)
    assert len(reading.runs) == 1
    (error,) = problems.at(Level.ERROR)
    assert str(error.place) == f"results.parquet, row 2, column {name}"
    assert (error.found, error.expected) == ("found a text of 1,001 characters", "a name of at most 1,000")
