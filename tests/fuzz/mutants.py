"""Mutated files given to the command, each in a process with limits: a crash or a hang is a finding, not the end.

`python -m tests.fuzz.mutants SEED FIRST STOP WHAT` is the process: a line of JSON for each case.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import selectors
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random

import pyarrow.parquet as pq

from tests.cases.site import contents
from tests.factory import write
from tests.fuzz.mutations import mutated
from tests.fuzz.relations import command
from tests.fuzz.seeds import seeds
from tests.fuzz.texts import KINDS, mutated_text, originals

MEMORY = 4 << 30  # bytes of address space: a file of some KB never needs more
SECONDS = 30  # that one case may take on a busy machine
BUILD_EVERY = 25  # of so many cases one is built over an earlier site
PARQUET = "data/mutated.parquet"
BUILD = ("build", "-q", "--jobs", "1", "--data", "data", "--out", "site")


@dataclass(frozen=True)
class Outcome:
    """What became of a case: `verdict` is `clean read`, `input error`, or what should not be."""

    number: int
    what: str
    verdict: str
    detail: str = ""
    seconds: float = 0.0
    peak: int = 0  # MB of the process so far

    @property
    def good(self) -> bool:
        return self.verdict in ("clean read", "input error")


def case(seed: str, number: int, what: str) -> tuple[str, str, bytes]:
    """Which file is made wrong, of which original, and its bytes: the same for the same seed, number and kind."""
    rng = Random(f"{seed}-{what}-{number}")
    if what == "parquet":
        name = rng.choice(list(seeds()))
        return name, PARQUET, mutated(seeds()[name], rng, list(seeds().values()))
    name = what if what in KINDS else rng.choice(list(KINDS))
    path = KINDS[name].path
    return name, path, mutated_text(originals()[path], rng, [*originals().values()])


def run(seed: str, first: int, stop: int, what: str) -> Iterator[Outcome]:
    """The outcomes of these cases; a process that ends or hangs is replaced by another one."""
    while first < stop:
        for outcome in _of_one_process(seed, first, stop, what):
            first = outcome.number + 1
            yield outcome


def _of_one_process(seed: str, first: int, stop: int, what: str) -> Iterator[Outcome]:
    line = [sys.executable, "-m", "tests.fuzz.mutants", seed, str(first), str(stop), what]
    with (
        tempfile.TemporaryDirectory() as folder,
        tempfile.TemporaryFile() as said,
        subprocess.Popen(line, stdout=subprocess.PIPE, stderr=said, env={**os.environ, "TMPDIR": folder}) as child,
    ):
        number = first
        for text in _lines(child):
            outcome = Outcome(**json.loads(text))
            number = outcome.number + 1
            yield outcome
        if number < stop:
            hung = child.poll() is None
            child.kill()
            child.wait()
            said.seek(0)
            last = said.read().decode("utf-8", "replace")[-500:]
            yield Outcome(number, what, "hang" if hung else f"crash {child.returncode}", last)


def _lines(child: subprocess.Popen[bytes]) -> Iterator[bytes]:
    """What the process writes, until it ends or writes nothing for too long."""
    assert child.stdout is not None
    with selectors.DefaultSelector() as waiting:
        waiting.register(child.stdout, selectors.EVENT_READ)
        # The first line comes after the imports and the originals.
        patience = 4 * SECONDS
        while waiting.select(patience):
            text = child.stdout.readline()
            if not text:
                child.wait()
                return
            patience = SECONDS
            yield text


class Bench:
    """A folder with a valid data folder and the site that was made of it, in which one file at a time is made wrong."""

    def __init__(self, folder: Path, what: str) -> None:
        self.folder = folder
        files = {"data/mutated.parquet": seeds()["none"]} if what == "parquet" else originals()
        for path, data in files.items():
            write(folder / path, data)
        self.earlier = folder / "earlier"
        code, said = command(*BUILD, "--keep-going")
        assert code == 0, said
        shutil.copytree(folder / "site", self.earlier)

    def judge(self, name: str, path: str, data: bytes, *, whole: bool) -> tuple[str, str]:
        """The verdict on a case; `whole` ones are built over the earlier site."""
        good = (self.folder / path).read_bytes()
        write(self.folder / path, data)
        try:
            return self._verdict(name, path, whole)
        except AssertionError as error:
            return "fault", str(error)[:2000]
        finally:
            write(self.folder / path, good)

    def _verdict(self, name: str, path: str, whole: bool) -> tuple[str, str]:
        options = ("--previous", "urls.json") if name == "previous" else ()
        report = self.folder / "report.json"
        report.unlink(missing_ok=True)
        code, said = command("check", "--data", "data", "--json-report", "report.json", *options)
        codes = KINDS[name].codes if name in KINDS else {0, 3}
        assert code in codes, f"exit code {code}: {said}"
        assert code == 0 or Path(path).name in said, f"{path} is not named: {said}"
        if path == PARQUET and code == 0:
            rows = json.loads(report.read_bytes())["counts"]["rows"]
            assert rows == _rows(self.folder / path)
        if whole:
            self._build(code, options)
        return ("input error", said) if code else ("clean read", "")

    def _build(self, checked: int, options: tuple[str, ...]) -> None:
        code, said = command(*BUILD, *options)
        assert code == checked, f"the check ends with {checked}, the build with {code}: {said}"
        if code:
            assert contents(self.folder / "site") == contents(self.earlier), "the earlier site has changed"
        else:
            shutil.rmtree(self.folder / "site")
            shutil.copytree(self.earlier, self.folder / "site")


def _rows(path: Path) -> int:
    """The rows of a file that was read, as pyarrow reads it whole."""
    try:
        return int(pq.ParquetFile(path).read(use_threads=False).num_rows)
    except (OSError, ValueError) as error:
        raise AssertionError(f"read, though pyarrow says: {error}") from None


def main() -> None:
    seed, first, stop, what = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    folder = Path(tempfile.mkdtemp())
    with contextlib.chdir(folder):
        bench = Bench(folder, what)
        for number in range(first, stop):
            name, path, data = case(seed, number, what)
            start = time.perf_counter()
            verdict, detail = bench.judge(name, path, data, whole=number % BUILD_EVERY == 0)
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
            taken = time.perf_counter() - start
            outcome = Outcome(number, name, verdict, detail if verdict == "fault" else "", taken, peak)
            sys.stdout.write(json.dumps(asdict(outcome)) + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
