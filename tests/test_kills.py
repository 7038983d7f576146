"""Killed or failing at any point, a build leaves the old site or the new one, and the next equals a clean one (B52)."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from random import Random

import pytest

from tests.fuzz.kills import Kill, Workshop, alive, children_of, chosen, ended
from tests.fuzz.points import trials
from tests.fuzz.tiny import trial_of_publishing
from tests.make_results import write_results


def one_model(files: Mapping[str, bytes]) -> Mapping[str, bytes]:
    """One file that changed, one that did not, and what came or went."""
    return {
        path: data
        for path, data in files.items()
        if path == "index.html"
        or path.endswith(("control-1b/badge.json", "gone-1b/model.json", "new-1b/model.json"))
        or (path.endswith("/run.py") and "control" in path)
    }


@pytest.mark.parametrize("earlier", [True, False])
def test_any_call_of_the_publishing_may_fail_or_be_the_last(tmp_path: Path, earlier: bool) -> None:
    """Every third here; `python -m tests.fuzz.points` takes every call."""
    counts = trials(trial_of_publishing(tmp_path, earlier, one_model), tmp_path, 3)
    assert counts["killed"] > 20
    assert counts["stopped with a message"] > 20


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Workshop:
    return Workshop(tmp_path_factory.mktemp("kills"), models=6)


def test_builds_that_are_killed_at_any_moment(shop: Workshop) -> None:
    ends = [shop.run(kill) for kill in chosen(Random(7), 12)]
    assert len(ends) == 12


@pytest.mark.parametrize("whom", ["the leader", "a renderer"])
def test_what_a_killed_process_leaves_ends_by_itself(shop: Workshop, whom: str) -> None:
    """The processes that render, where the leader is killed; the build, with a message, where one of them is."""
    write_results(shop.folder / "more", pairs=3, models=60, seed=3, ranked=5)
    out = f"site-without-{whom[-6:]}"
    process = shop.started("more", False, out, 2)
    while process.running() and len(children_of(process.pid)) < 2:
        time.sleep(0.01)
    at_work = [process.pid, *children_of(process.pid)]
    assert len(at_work) >= 3
    os.kill(at_work[0 if whom == "the leader" else 2], signal.SIGKILL)
    said = process.wait()
    ended(at_work, Kill(whom, 0, 2, False, False))
    assert not any(map(alive, at_work))
    assert not (shop.folder / out).exists()
    if whom == "a renderer":
        assert process.code == 4
        assert "a process that renders was ended from outside; nothing was changed" in said
        assert not list(shop.folder.glob(f".{out}*"))
    else:
        shop.finished("more", False, out)


def test_a_site_that_is_exchanged_is_there_at_every_moment(tmp_path: Path) -> None:
    """And whoever looks sees the old site before the new one, never one after the other and back."""
    from tests.test_write import publish

    out, seen, over = tmp_path / "site", list[bytes](), threading.Event()
    publish(out, {"index.html": b"0"})

    def look() -> None:
        while not over.is_set():
            seen.append((out / "index.html").read_bytes())

    thread = threading.Thread(target=look)
    thread.start()
    for number in range(1, 60):
        publish(out, {"index.html": b"%d" % number, f"only-{number}": b""})
    over.set()
    thread.join()
    numbers = [int(data) for data in seen]
    assert numbers == sorted(numbers)
    assert len(set(numbers)) > 5
