"""Processes that render: whatever their number and however they start, the site is the same."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from sitegen import workers
from sitegen.plan import File
from sitegen.workers import CHUNK, chunks
from tests.make_results import write_results

# Says on standard error how the processes start.
PROGRAM = """
import sys, multiprocessing
found = multiprocessing.get_context
multiprocessing.get_context = lambda how: print(how, file=sys.stderr) or found(how)
from sitegen.__main__ import main
if __name__ == "__main__":
    main()
"""


def built(folder: Path, out: str, jobs: int, **environment: str) -> tuple[list[str], dict[str, bytes]]:
    """What was said of the start of processes, and the site."""
    (folder / "program.py").write_text(PROGRAM, "utf-8")
    command = [sys.executable, "program.py", "build", "-q", "--data", "data", "--out", out, "--jobs", str(jobs)]
    given = {**os.environ, "PYTHONPATH": str(Path.cwd()), **environment}
    ran = subprocess.run(command, cwd=folder, env=given, capture_output=True, text=True, check=True)
    files = (path for path in (folder / out).rglob("*") if path.is_file())
    said = [line for line in ran.stderr.splitlines() if line in ("fork", "spawn")]
    return said, {path.relative_to(folder / out).as_posix(): path.read_bytes() for path in files}


def test_copies_and_fresh_processes_make_the_same_site(tmp_path: Path) -> None:
    write_results(tmp_path / "data", pairs=3, models=30, seed=5, ranked=20)
    said, one = built(tmp_path, "one", 1)
    assert said == []
    said, copies = built(tmp_path, "copies", 3)
    assert said == ["fork"]
    # With a thread of the Parquet library's own, which a copy would lack.
    said, fresh = built(tmp_path, "fresh", 2, JE_ARROW_MALLOC_CONF="background_thread:true")
    assert said == ["spawn"]
    assert one == copies == fresh


def test_a_process_with_another_thread_is_not_copied(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("threading.active_count", lambda: 2)
    assert not workers._alone()
    monkeypatch.setattr("threading.active_count", lambda: 1)
    monkeypatch.setattr("os.listdir", lambda _: ["1", "2"])
    assert not workers._alone()


@pytest.mark.parametrize(("models", "files"), [(0, 3), (1, 5), (5, 40), (3, 300)])
def test_the_outputs_of_a_model_stay_together(models: int, files: int) -> None:
    paths = [f"all/{n}" for n in range(files)]
    paths += [f"models/acme/m{m}/x/{n}" for m in range(models) for n in range(files)]
    outputs = [File(path, "", lambda _: b"") for path in paths]
    parts = chunks(outputs)
    assert [n for part in parts for n in part] == list(range(len(paths)))
    owners = [{paths[n].split("/")[2] for n in part if paths[n].startswith("models")} for part in parts]
    assert sum(map(len, owners)) == models
    assert all(len(part) < CHUNK + files for part in parts)
