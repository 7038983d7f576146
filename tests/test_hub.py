"""`sitegen fetch`: the real client against a Hub on loopback; every fault leaves the last snapshot as it was."""

from __future__ import annotations

import errno
import json
import os
import re
import signal
import subprocess
import sys
from base64 import b64encode
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from huggingface_hub import constants

from sitegen import hub, lock, renames
from sitegen.cli import main
from sitegen.fetched import RECORD, read_fetched
from sitegen.masks import mask_of
from sitegen.retry import Patience
from tests import hub_server
from tests.factory import OLD, put, row, write
from tests.hub_server import COMMIT, ID, NEXT_COMMIT, Answer, FakeHub, body, cut, hang_up, slow, status

TOKEN = "hf_notASecretOnlyATest"
RESULTS = "results/new.parquet"


@dataclass(frozen=True)
class Ran:
    code: int
    out: str
    err: str


Fetch = Callable[..., Ran]


@dataclass
class Waits:
    """The waits that were asked for; none is waited for."""

    seconds: list[float]

    def __call__(self, seconds: float) -> None:
        self.seconds.append(seconds)


@pytest.fixture
def waits() -> Waits:
    return Waits([])


@pytest.fixture
def fake(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FakeHub]:
    """A Hub with two files and rankings of two tasks."""
    made = tmp_path_factory.mktemp("made")
    with hub_server.running() as running:
        running.files = {
            "README.md": b"# Runs\n",
            RESULTS: put(made, [row("acme/a-1b"), row("acme/b-1b")], "new.parquet").read_bytes(),
            "old.parquet": put(made, [row("acme/a-1b", neuronx_cc=OLD)], "old.parquet").read_bytes(),
        }
        running.small = {"README.md", "old.parquet"}
        for task in ("text-generation", "image-text-to-text"):
            for sort in ("trendingScore", "downloads"):
                running.rankings[task, sort] = [model(f"acme/{name}-1b") for name in "abc"]
        yield running


def model(model_id: str, **changes: Any) -> dict[str, Any]:
    """A model as the Hub's list has it."""
    return {
        "id": model_id,
        "downloads": 1200,
        "likes": 12,
        "trendingScore": 40,
        "gated": False,
        "lastModified": "2026-10-20T12:00:00.000Z",
        "private": False,
        **changes,
    }


@pytest.fixture
def fetch(
    fake: FakeHub,
    waits: Waits,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path_factory: pytest.TempPathFactory,
) -> Fetch:
    """Runs `sitegen fetch` in `tmp_path`, with a cache of its own and no token of this machine."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HF_ENDPOINT", fake.endpoint)
    monkeypatch.delenv("HF_TOKEN", raising=False)
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(home / "hub"))
    monkeypatch.setattr(constants, "HF_TOKEN_PATH", str(home / "token"))
    monkeypatch.setattr("huggingface_hub.file_download.time", SimpleNamespace(sleep=waits))
    monkeypatch.setattr(hub, "PATIENCE", Patience(tries=3, answer=5, sleep=waits))

    def sitegen(*arguments: str, command: str = "fetch") -> Ran:
        chosen = ("--dataset", ID) if command == "fetch" and "--dataset" not in arguments else ()
        monkeypatch.setattr("sys.argv", ["sitegen", command, *chosen, *arguments])
        code = 0
        try:
            main()
        except SystemExit as end:
            code = int(end.code or 0)
        ran = Ran(code, *capsys.readouterr())
        assert "Traceback" not in ran.err
        assert not shown_parts(TOKEN, ran.out + ran.err)
        return ran

    return sitegen


def shown_parts(token: str, text: str) -> set[str]:
    """The parts of eight characters of a token that stand in a text, in any case."""
    return {part for at in range(len(token) - 7) if (part := token[at : at + 8].lower()) in text.lower()}


def state(folder: Path) -> dict[str, bytes | str | None]:
    """Every name below a folder: a file's bytes, a link's target, None for a folder."""
    return {
        path.relative_to(folder).as_posix(): (
            str(path.readlink()) if path.is_symlink() else path.read_bytes() if path.is_file() else None
        )
        for path in sorted(folder.rglob("*"))
    }


def snapshot(tmp_path: Path, name: str = "trending-text-generation") -> dict[str, Any]:
    found: dict[str, Any] = json.loads((tmp_path / "data" / "rankings" / f"{name}.json").read_bytes())
    return found


# What a fetch brings.


def test_a_fetch_brings_results_rankings_and_their_record(fetch: Fetch, fake: FakeHub, tmp_path: Path) -> None:
    ran = fetch()
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith(f"data: {ID} at {COMMIT}: 2 files, ")
    assert "trending-text-generation 3" in ran.out
    found = state(tmp_path / "data")
    assert {path for path, data in found.items() if data is not None} == {
        "fetched.json",
        "old.parquet",
        "rankings/downloads-image-text-to-text.json",
        "rankings/downloads-text-generation.json",
        "rankings/trending-image-text-to-text.json",
        "rankings/trending-text-generation.json",
        RESULTS,
    }
    assert found[RESULTS] == fake.files[RESULTS]
    assert found["old.parquet"] == fake.files["old.parquet"]
    assert [path.name for path in tmp_path.iterdir()] == ["data"]
    record = read_fetched(tmp_path / "data")
    assert record is not None
    assert record.dataset is not None
    assert (record.dataset.revision, record.dataset.asked, record.dataset.licence) == (COMMIT, "main", "apache-2.0")
    assert [(f.file, f.size) for f in record.dataset.files] == [
        ("old.parquet", len(fake.files["old.parquet"])),
        (RESULTS, len(fake.files[RESULTS])),
    ]


def test_a_snapshot_keeps_the_order_the_date_and_the_gaps(fetch: Fetch, fake: FakeHub, tmp_path: Path) -> None:
    fake.rankings["text-generation", "trendingScore"] = [
        model("acme/z-1b", gated="manual", downloads=0),
        {"id": "acme/gaps-1b"},
        model("acme/odd-1b", downloads=-1, likes="many", trendingScore=None, gated="perhaps"),
        model("acme/z-1b"),  # moved onto the next page meanwhile
        model("acme/secret-1b", private=True),
    ]
    assert fetch().code == 0
    found = snapshot(tmp_path)
    gaps = dict.fromkeys(("downloads", "likes", "trending_score", "gated", "last_modified"))
    assert found == {
        "schema": 1,
        "ranking": "trending",
        "task": "text-generation",
        "taken_at": "2026-11-20T06:00:00Z",
        "source": f"{fake.endpoint}/models?pipeline_tag=text-generation&sort=trending",
        "models": [
            {
                "id": "acme/z-1b",
                "downloads": 0,
                "likes": 12,
                "trending_score": 40,
                "gated": "manual",
                "last_modified": "2026-10-20T12:00:00Z",
            },
            {"id": "acme/gaps-1b", **gaps},
            {"id": "acme/odd-1b", **gaps, "last_modified": "2026-10-20T12:00:00Z"},
        ],
    }
    assert snapshot(tmp_path, "downloads-text-generation")["ranking"] == "downloads"


def test_the_limit_and_the_tasks_are_asked_for(fetch: Fetch, fake: FakeHub, tmp_path: Path) -> None:
    fake.rankings["any-to-any", "trendingScore"] = fake.rankings["any-to-any", "downloads"] = [model("acme/x-1b")]
    assert fetch("--tasks", "any-to-any,text-generation", "--limit", "1", "--no-results").code == 0
    asked = [(r.query["pipeline_tag"][0], r.query["limit"][0]) for r in fake.asked("/api/models") if r.query]
    assert asked == [(task, "1") for task in ("any-to-any", "any-to-any", "text-generation", "text-generation")]
    assert len(snapshot(tmp_path)["models"]) == 1
    assert fake.asked("/datasets/") == []


def test_a_build_under_strict_shows_what_was_fetched(fetch: Fetch, fake: FakeHub, tmp_path: Path) -> None:
    fetch()
    built = fetch("--data", "data", "--out", "site", "--strict", command="build")
    assert (built.code, built.err.count("notice")) == (0, 0)
    page = (tmp_path / "site" / "data" / "index.html").read_text()
    footer = page[page.index("<footer") :]
    assert COMMIT in footer
    assert COMMIT in page[: page.index("<footer")]
    assert f'href="{fake.endpoint}/datasets/{ID}"' in page
    assert "apache-2.0" in page
    assert "2026-11-20 06:00 UTC" in page
    result = next((tmp_path / "site" / "models" / "acme" / "a-1b").glob("2.28*/index.html")).read_text()
    assert f"{fake.endpoint}/datasets/{ID}/blob/{COMMIT}/{RESULTS}" in result


def test_a_second_fetch_downloads_only_what_changed_and_prunes_what_is_gone(
    fetch: Fetch, fake: FakeHub, tmp_path: Path
) -> None:
    fetch("--no-rankings")
    fake.requests.clear()
    assert "0 new, 0 removed" in fetch("--no-rankings").out
    assert fake.asked("/resolve/") == []
    fake.commits["main"] = NEXT_COMMIT
    del fake.files["old.parquet"]
    fake.files[RESULTS] = put(tmp_path / "made", [row("acme/d-1b")]).read_bytes()
    assert "1 new, 1 removed" in fetch("--no-rankings").out
    assert sorted(state(tmp_path / "data")) == ["fetched.json", "results", RESULTS]
    assert {r.path.rsplit("/", 1)[1] for r in fake.asked("/resolve/")} == {"new.parquet"}


def test_a_folder_that_is_empty_then_goes_too(fetch: Fetch, fake: FakeHub, tmp_path: Path) -> None:
    fetch("--no-rankings")
    del fake.files[RESULTS]
    fetch("--no-rankings")
    assert sorted(state(tmp_path / "data")) == ["fetched.json", "old.parquet"]


def test_the_files_of_the_user_stay_as_they_are(fetch: Fetch, fake: FakeHub, tmp_path: Path) -> None:
    data = tmp_path / "data"
    put(data, [row("own/x-1b")], "results/own.parquet")
    write(data / "catalog.toml", 'title = "Ours"\n')
    write(data / "lists" / "selected.toml", "")
    write(data / "rankings" / "downloads-any-to-any.json", "{}")
    (data / "empty").mkdir()
    (data / "link").symlink_to("catalog.toml")
    (data / "lists").chmod(0o750)
    os.utime(data / "catalog.toml", (1_000_000_000, 1_000_000_000))
    before, inode = state(data), (data / "catalog.toml").stat().st_ino
    fetch()
    fake.files = {"README.md": b"", "old.parquet": fake.files["old.parquet"]}
    assert fetch().code == 0
    after = state(data)
    assert {path: after.get(path, "gone") for path in before} == before
    assert RESULTS not in after
    found = (data / "catalog.toml").stat()
    assert (found.st_ino, found.st_mtime) == (inode, 1_000_000_000)
    assert (data / "lists").stat().st_mode & 0o777 == 0o750


def test_parts_that_are_not_asked_for_stay(fetch: Fetch, fake: FakeHub, tmp_path: Path) -> None:
    fetch()
    before = state(tmp_path / "data")
    fake.commits["main"] = NEXT_COMMIT
    fake.rankings["text-generation", "downloads"] = [model("acme/c-1b")]
    assert fetch("--no-results", "--tasks", "text-generation").code == 0
    after = state(tmp_path / "data")
    changed = {path for path in before if before[path] != after[path]}
    assert changed == {"rankings/downloads-text-generation.json"}
    record = read_fetched(tmp_path / "data")
    assert record is not None
    assert len(record.rankings) == 4


def test_a_commit_and_a_tag_are_resolved(fetch: Fetch, fake: FakeHub, tmp_path: Path) -> None:
    fake.commits["refs/pr/1"] = NEXT_COMMIT
    assert NEXT_COMMIT in fetch("--no-rankings", "--revision", "refs/pr/1").out
    assert COMMIT in fetch("--no-rankings", "--revision", COMMIT).out


def test_hidden_files_are_left_out_as_a_build_leaves_them(fetch: Fetch, fake: FakeHub, tmp_path: Path) -> None:
    fake.files[".cache/x.parquet"] = fake.files["_x.parquet"] = b"PAR1"
    assert fetch("--no-rankings").code == 0
    assert sorted(state(tmp_path / "data")) == ["fetched.json", "old.parquet", "results", RESULTS]


# Renamed models.


def test_a_renamed_model_keeps_both_ids(fetch: Fetch, fake: FakeHub, tmp_path: Path) -> None:
    fetch()
    fake.rankings = {key: [model("acme/new-1b"), model("acme/a-1b")] for key in fake.rankings}
    fake.renamed = {"acme/b-1b": "acme/new-1b", "acme/c-1b": "acme/elsewhere-1b"}
    assert "1 with an earlier name" in fetch().out
    assert [m.get("was") for m in snapshot(tmp_path)["models"]] == [["acme/b-1b"], None]
    # Once known it is not asked for again, and the next rename keeps all earlier ids.
    fake.requests.clear()
    fake.renamed = {"acme/new-1b": "acme/newer-1b"}
    fake.rankings = {key: [model("acme/newer-1b")] for key in fake.rankings}
    fetch()
    assert snapshot(tmp_path)["models"][0]["was"] == ["acme/new-1b"]
    assert [r.path for r in fake.asked("/api/models/")].count("/api/models/acme/new-1b") == 1


def test_the_earlier_names_of_one_that_is_still_ranked_stay_without_being_asked_for(
    fetch: Fetch, fake: FakeHub, tmp_path: Path
) -> None:
    fake.renamed = {"acme/b-1b": "acme/new-1b"}
    fake.rankings = {key: [model("acme/new-1b"), model("acme/a-1b")] for key in fake.rankings}
    fetch()
    fake.requests.clear()
    fetch()
    assert snapshot(tmp_path)["models"][0]["was"] == ["acme/b-1b"]
    assert fake.asked("/api/models/") == []


def test_the_number_of_ids_that_are_looked_up_is_bounded_and_the_next_day_takes_others(
    fetch: Fetch, fake: FakeHub, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(renames, "ASKED_MAX", 2)
    put(tmp_path / "data", [row(f"acme/x{number}-1b") for number in range(5)] + [row("no id at all")], "own.parquet")
    asked = set()
    for day in range(20, 23):
        monkeypatch.setattr(hub_server, "DATE", f"Fri, {day} Nov 2026 06:00:00 GMT")
        fake.requests.clear()
        assert "3 ids were not looked up for a new name" in fetch().out
        assert len(fake.asked("/api/models/")) == 2
        asked |= {request.path for request in fake.asked("/api/models/")}
    assert len(asked) == 5


def test_bars_are_for_a_terminal_alone(
    fetch: Fetch, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert fetch("--dest", "first").err == ""
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    err = fetch("--dest", "second").err
    assert [name for name in ("download", "rank", "renames") if name in err] == ["download", "rank"]
    assert fetch("--dest", "third", "-q") == Ran(0, "", "")


# Trying again.


@pytest.mark.parametrize(
    ("headers", "waited"),
    [
        ({"RateLimit": '"api";r=0;t=55'}, 56),
        ({"RateLimit": '"api";r=3;t=55', "Retry_After": "7"}, 7),
        ({"Retry_After": "120"}, 120),
        ({"Retry_After": "Fri, 20 Nov 2026 06:01:30 GMT"}, 90),
        ({"Retry_After": "soon"}, 1),
        ({}, 1),
    ],
)
def test_a_limit_is_waited_for_as_the_server_asks(
    fetch: Fetch, fake: FakeHub, waits: Waits, headers: dict[str, str], waited: float
) -> None:
    fake.fail("/tree/", status(429, **headers), times=1)
    ran = fetch("--no-rankings")
    assert (ran.code, waits.seconds) == (0, [waited])
    assert f"127.0.0.1 answers 429 (too many requests); trying again in {waited} s" in ran.err


@pytest.mark.parametrize("code", [408, 500, 502, 503, 504])
def test_a_passing_fault_of_the_server_is_tried_again(fetch: Fetch, fake: FakeHub, waits: Waits, code: int) -> None:
    fake.fail("", status(code), times=2)
    assert fetch("--no-rankings").code == 0
    assert waits.seconds == [1, 2]


@pytest.mark.parametrize(
    ("where", "answer"),
    [
        ("/revision/", hang_up),
        ("/tree/", cut(b"[{")),
        ("/resolve/", hang_up),
        ("/blob/", hang_up),
        ("/api/mod", cut(b"[")),
    ],
)
def test_an_answer_that_was_cut_is_asked_for_again(fetch: Fetch, fake: FakeHub, where: str, answer: Answer) -> None:
    fake.fail(where, answer, times=1)
    assert fetch().code == 0


def test_a_file_that_was_cut_is_resumed_where_it_stopped(
    fetch: Fetch, fake: FakeHub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(constants, "DOWNLOAD_CHUNK_SIZE", 1000)
    data = fake.files[RESULTS]
    fake.fail("/blob/", cut(data[:3000], promised=len(data)), times=1)
    assert fetch("--no-rankings").code == 0
    assert [r.headers.get("range") for r in fake.asked("/blob/")] == [None, "bytes=3000-"]
    assert (tmp_path / "data" / RESULTS).read_bytes() == data


def test_what_came_whole_is_not_downloaded_again_after_a_failed_fetch(fetch: Fetch, fake: FakeHub) -> None:
    fake.fail("/blob/", status(404))
    assert fetch("--no-rankings").code == 4
    fake.faults.clear()
    fake.requests.clear()
    assert fetch("--no-rankings").code == 0
    assert {r.path.rsplit("/", 1)[1] for r in fake.asked("/resolve/")} == {"new.parquet"}


def test_a_damaged_file_in_the_cache_is_fetched_again(fetch: Fetch, fake: FakeHub, tmp_path: Path) -> None:
    fetch("--no-rankings")
    for blob in Path(constants.HF_HUB_CACHE).glob("*/blobs/*"):
        blob.write_bytes(b"PAR1 damaged PAR1")
    assert fetch("--no-rankings", "--dest", "other").code == 0
    assert state(tmp_path / "other") == state(tmp_path / "data")


# Faults: what is said, the exit code, and the last snapshot untouched.

LATER = "try again later"


@pytest.mark.parametrize(
    ("match", "answer", "code", "said"),
    [
        ("/revision/", status(404, "RepoNotFound", "Repository not found"), 2, "the Hub has none that it shows to you"),
        ("/revision/", status(401, None, "Invalid username or password."), 2, "`hf auth login`, or set HF_TOKEN"),
        ("/revision/", status(404, "RevisionNotFound"), 2, "there is no such branch, tag or commit; check --revision"),
        ("/revision/", status(403, None, "no \x07right"), 2, "forbids it: no"),
        ("/revision/", status(429, Retry_After="1"), 4, "answers 429 (too many requests), after 3 tries; try again"),
        ("/revision/", status(429, Retry_After="86400"), 4, "to wait 86,400 s more would be too long"),
        ("/revision/", status(500), 4, "answers 500 (internal server error), after 3 tries; try again later"),
        ("/revision/", status(400, None, "bad"), 3, "the Hub answers 400: bad"),
        ("/revision/", status(418), 3, "the Hub answers 418: no reason given"),
        ("/revision/", cut(), 4, "the connection to 127.0.0.1 was cut"),
        ("/revision/", body(b"<html>log in to this network</html>"), 3, "the Hub's answer cannot be read"),
        ("/revision/", body(b"[]"), 3, "the Hub's answer cannot be read"),
        ("/revision/", body(b'{"id": "acme/runs", "sha": "../../x"}'), 3, "the Hub's answer cannot be read"),
        ("/revision/", body(b'{"id": "acme/runs"}'), 3, "the Hub's answer cannot be read"),
        ("/revision/", status(302, Location="/api/datasets/acme/runs/revision/main"), 3, "redirects"),
        ("/revision/", hang_up, 4, "the connection to 127.0.0.1 was cut"),
        ("/resolve/", hang_up, 4, "the connection to 127.0.0.1 was cut"),
        ("/tree/", status(503), 4, "answers 503 (service unavailable), after 3 tries"),
        ("/tree/", body(b"[" * 100_000), 3, "the Hub's answer cannot be read"),
        ("/tree/", body(b"[]"), 3, "has no Parquet file"),
        ("/tree/", body(b'[{"type": "file"}]'), 3, "the Hub's answer cannot be read"),
        ("/tree/", body(b'[{"type": "file", "path": "a.parquet", "size": "1", "oid": "x"}]'), 3, "cannot be read"),
        ("/resolve/", status(403, "GatedRepo", "restricted"), 2, "Accept the conditions at http://127.0.0.1"),
        ("/resolve/", status(401, "GatedRepo", "restricted"), 2, "access must be granted first"),
        ("/resolve/", status(404, "EntryNotFound"), 3, "the Hub lists it, but does not have it"),
        ("/resolve/", status(500), 4, "answers 500"),
        ("/resolve/", body(b"", ETag='"x"'), 3, "does not answer as the Hub does"),
        ("/blob/", cut(b"PAR1", promised=10**6), 4, "was cut"),
        ("/blob/", status(503), 4, "answers 503"),
        ("/blob/", status(403), 4, "localhost, where it is stored, answers 403; try again later"),
        ("/blob/", body(b"PAR1 another file PAR1"), 4, "try again later"),
        ("/api/models", status(400, None, "unknown task"), 3, "the Hub answers 400: unknown task"),
        ("/api/models", status(429, RateLimit='"api";r=0;t=301'), 4, "too long"),
        ("/api/models", status(500), 4, "answers 500"),
        ("/api/models", status(404), 3, "answers 404, and the Hub would not; check HF_ENDPOINT"),
        ("/api/models", body(b"[]"), 3, "the ranking of text-generation by trending is empty; check --tasks"),
        ("/api/models", body(b'{"error": "x"}'), 3, "the Hub's answer cannot be read, it has not the form"),
        ("/api/models", body(b'[{"id": "a/../b"}]'), 3, "found the id 'a/../b'"),
        ("/api/models", body(b'[{"id": 3}]'), 3, "cannot be read"),
        ("/api/models/", status(500), 4, "answers 500"),
    ],
)
def test_each_fault_has_its_words_and_its_code_and_changes_nothing(
    fetch: Fetch, fake: FakeHub, tmp_path: Path, match: str, answer: Answer, code: int, said: str
) -> None:
    write(tmp_path / "data" / "catalog.toml", "")
    assert fetch().code == 0
    before = state(tmp_path)
    fake.commits["main"] = NEXT_COMMIT
    for path in list(fake.files):
        fake.files[path] = put(tmp_path.parent / "made", [row("acme/gone-1b"), row(path)]).read_bytes()
    fake.fail(match, answer)
    ran = fetch()
    assert (ran.code, ran.out) == (code, "")
    assert said in ran.err
    assert ran.err.endswith(("data is as it was\n", "nothing in data was changed\n"))
    assert state(tmp_path) == before


FORM = "the Hub's answer cannot be read, it has not the form of the Hub's"
FILE = {"type": "file", "path": "a.parquet", "size": 1, "oid": COMMIT}
MISSHAPEN: dict[str, list[object]] = {
    "/revision/": [None, 3, "x", [1], {}, {"id": 3, "sha": COMMIT}, {"id": None, "sha": COMMIT}, {"id": ID, "sha": 3},
                   {"id": ID, "sha": COMMIT, "siblings": 3}, {"id": ID, "sha": COMMIT, "lastModified": "x"}],
    "/tree/": [None, 3, {"a": 1}, [3], [None], [{"type": 3}], [FILE | {"path": 3}], [FILE | {"size": None}],
               [FILE | {"oid": None}], [FILE | {"lfs": 3}], [FILE | {"lfs": {"oid": 3, "size": 3, "pointerSize": 1}}]],
    "/api/models": [None, 3, "x", {"a": 1}, [3], [None], [[]], [{}], [{"id": 3}], [{"id": None}],
                    [{"id": "a/b", "lastModified": "x"}], [{"id": "a/b", "lastModified": 3}]],
    "/api/models/": [None, 3, [1], {}, {"id": 3}, {"id": None}],
}  # fmt: skip
BYTES = [b"", b"[{]", b"\xff\xfe{", b"[" + b"1" * 5000 + b"]", b"{" * 100_000]
SHAPES = [(match, json.dumps(value).encode()) for match, values in MISSHAPEN.items() for value in values]


@pytest.mark.parametrize(("match", "data"), [*SHAPES, *((match, data) for match in MISSHAPEN for data in BYTES)])
def test_an_answer_of_another_form_is_called_that_and_nothing_of_the_machine_is_quoted(
    fetch: Fetch, fake: FakeHub, tmp_path: Path, match: str, data: bytes
) -> None:
    put(tmp_path / "data", [row("acme/zzz-1b")])
    fake.fail(match, body(data))
    ran = fetch()
    assert ran.code == 3
    assert FORM in ran.err
    assert re.sub(r" \((a\.parquet: )?found [^)]*\)", "", ran.err.partition(FORM)[2]) == ". data is as it was\n"


@pytest.mark.parametrize(
    ("match", "answer"),
    [
        ("/blob/", body(b"PAR1 another file PAR1")),
        ("/revision/", status(400, None, "It is so.")),
        ("/revision/", status(403, None, "It is so. ")),
        ("/revision/", status(302, Location="http://[::bad")),
        ("/resolve/", status(302, Location="http://x:99999/")),
        ("/revision/", body(b"{}", Content_Encoding="gzip")),
    ],
)
def test_no_sentence_ends_twice(fetch: Fetch, fake: FakeHub, match: str, answer: Answer) -> None:
    fake.fail(match, answer)
    ran = fetch("--no-rankings")
    assert ran.code != 0
    assert not re.search(r"\.[);.]|[;,]\.|\.\)\.", ran.err)


def test_no_network_is_said(fetch: Fetch, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, waits: Waits) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:1")
    ran = fetch()
    assert ran.code == 4
    assert re.search(r"127\.0\.0\.1 cannot be reached \(\[Errno \d+\] Connection refused\), after 3 tries", ran.err)
    assert ran.err.endswith("Nothing was written\n")
    assert waits.seconds == [1, 2]
    assert state(tmp_path) == {}


@pytest.mark.parametrize("where", ["/revision/", "/resolve/", "/blob/"])
def test_a_server_that_does_not_answer_is_not_waited_for_for_ever(
    fetch: Fetch, fake: FakeHub, where: str, monkeypatch: pytest.MonkeyPatch, waits: Waits
) -> None:
    monkeypatch.setattr(hub, "PATIENCE", Patience(tries=2, answer=0.1, sleep=waits))
    fake.fail(where, slow)
    ran = fetch("--no-rankings")
    assert ran.code == 4
    host = hub_server.STORAGE if where == "/blob/" else hub_server.HUB
    assert f"{host} does not answer, after 2 tries; try again later" in ran.err


def test_all_waits_together_are_bounded(
    fetch: Fetch, fake: FakeHub, monkeypatch: pytest.MonkeyPatch, waits: Waits
) -> None:
    monkeypatch.setattr(hub, "PATIENCE", Patience(tries=100, total=500, sleep=waits))
    fake.fail("/tree/", status(429, Retry_After="200"))
    assert fetch().code == 4
    assert waits.seconds == [200, 200]


def test_a_list_without_an_end_is_left(fetch: Fetch, fake: FakeHub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub, "PATIENCE", Patience(requests=20))
    fake.fail("/tree/", body(b"[]", Link=f'<{fake.endpoint}/api/datasets/{ID}/tree/again>; rel="next"'))
    ran = fetch()
    assert ran.code == 3
    assert "lead on and on: 20 requests" in ran.err


def test_bytes_that_are_not_those_of_the_list_are_refused(fetch: Fetch, fake: FakeHub) -> None:
    data = fake.files[RESULTS]
    fake.fail("/blob/", body(b"x" * len(data)))
    ran = fetch()
    assert ran.code == 3
    assert f"{RESULTS} of {ID}: the bytes that came are not those that the Hub lists" in ran.err


def test_a_file_that_is_not_parquet_does_not_take_the_place_of_a_good_one(
    fetch: Fetch, fake: FakeHub, tmp_path: Path
) -> None:
    fetch()
    before = state(tmp_path)
    fake.commits["main"] = NEXT_COMMIT
    fake.files[RESULTS] = b"version https://git-lfs.github.com/spec/v1\n"
    ran = fetch()
    assert ran.code == 3
    assert f"error: {RESULTS}: a Git LFS pointer, not the data" in ran.err
    assert state(tmp_path) == before


@pytest.mark.parametrize(
    ("paths", "said"),
    [
        (["../up.parquet"], "leads out of the folder"),
        (["/etc/x.parquet"], "leads out of the folder"),
        (["a\\..\\x.parquet"], "leads out of the folder"),
        (["a//x.parquet"], "has an empty part"),
        (["C:x.parquet"], "holds a character that not every system allows"),
        (["a\nb.parquet"], "holds a character that not every system allows"),
        (["nul.parquet"], "is a name that Windows keeps for itself"),
        (["a./x.parquet"], "is a name that Windows keeps for itself"),
        (["x" * 250 + ".parquet"], "is too long"),
        (["A.parquet", "a.parquet"], "differ only in case"),
        (["\u00e9.parquet", "e\u0301.parquet"], "differ only in case"),
        (["a.parquet", "a.parquet/b.parquet"], "is a file and a folder"),
        (["fetched.json/x.parquet"], "is a file and a folder"),
    ],
)
def test_names_from_the_server_are_not_trusted(
    fetch: Fetch, fake: FakeHub, tmp_path: Path, paths: list[str], said: str
) -> None:
    fake.tree = [{"type": "file", "path": path, "size": 4, "oid": hub_server.git_sha1(b"PAR1")} for path in paths]
    ran = fetch()
    assert ran.code == 3
    assert "has names of files that cannot be used" in ran.err
    assert said in ran.err
    assert fake.asked("/resolve/") == []
    assert state(tmp_path) == {}


# The disk.


@pytest.mark.parametrize("fault", [errno.ENOSPC, errno.EDQUOT, errno.EIO])
def test_a_disk_that_fails_midway_changes_nothing(
    fetch: Fetch, tmp_path: Path, fault: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    fetch()
    before = state(tmp_path)

    def full(*_: object) -> None:
        raise OSError(fault, os.strerror(fault), "data/x")

    monkeypatch.setattr(Path, "write_text", full)
    ran = fetch()
    assert (ran.code, ran.err) == (4, f"data/x: {os.strerror(fault)}; nothing in data was changed\n")
    assert state(tmp_path) == before


def test_a_cache_that_cannot_be_written_is_said(fetch: Fetch, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(write(tmp_path / "file", "") / "hub"))
    ran = fetch()
    assert ran.code == 4
    assert "Not a directory" in ran.err
    assert not (tmp_path / "data").exists()


def test_a_disk_with_too_little_space_is_seen_before_the_download(
    fetch: Fetch, fake: FakeHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sitegen.datafolder.shutil.disk_usage", lambda _: SimpleNamespace(free=10))
    ran = fetch()
    assert ran.code == 4
    assert "is full: 10 bytes are left, and " in ran.err
    assert fake.asked("/resolve/") == []


def test_a_folder_without_permission_is_refused_before_anything_is_asked(
    fetch: Fetch, fake: FakeHub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sitegen.datafolder.os.access", lambda *_: False)
    ran = fetch()
    assert ran.code == 2
    assert f"no permission to write in {tmp_path}" in ran.err
    assert fake.requests == []


def test_a_user_folder_that_cannot_be_listed_stops_the_fetch(
    fetch: Fetch, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "data" / "lists" / "selected.toml", "")
    before = state(tmp_path)
    scandir = os.scandir

    def refusing(path: Any) -> Any:
        if str(path).endswith("lists"):
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refusing)
    ran = fetch()
    monkeypatch.undo()
    assert ran.code == 4
    assert state(tmp_path) == before


def test_a_kill_between_the_two_renames_is_mended_by_the_next_fetch(fetch: Fetch, tmp_path: Path) -> None:
    write(tmp_path / "data" / "catalog.toml", "title = 'x'\n")
    fetch()
    place = (tmp_path / "data").stat()
    (tmp_path / "data").rename(tmp_path / ".data.sitegen-old")
    write(tmp_path / ".data.sitegen-lock", lock.FORM + b"%d %d" % (place.st_dev, place.st_ino))  # as the kill leaves it
    assert fetch().code == 0
    assert (tmp_path / "data" / "catalog.toml").read_text() == "title = 'x'\n"


@pytest.mark.parametrize("where", ["/tree/", "/resolve/", "/blob/", "/api/models"])
def test_an_interrupted_fetch_changes_nothing(fetch: Fetch, fake: FakeHub, tmp_path: Path, where: str) -> None:
    write(tmp_path / "data" / "catalog.toml", "")
    before = state(tmp_path)
    # Where tests run in the background of a shell, an interrupt is ignored from the start.
    handled = signal.signal(signal.SIGINT, signal.default_int_handler)

    def interrupt(handler: hub_server.Handler) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        slow(handler)

    fake.fail(where, interrupt)
    ran = fetch()
    signal.signal(signal.SIGINT, handled)
    assert (ran.code, ran.err.strip()) == (130, "interrupted; nothing was changed")
    assert state(tmp_path) == before


def test_a_file_that_appears_meanwhile_is_not_lost(fetch: Fetch, fake: FakeHub, tmp_path: Path) -> None:
    def meanwhile(handler: hub_server.Handler) -> None:
        write(tmp_path / "data" / "old.parquet", "mine")
        handler.blob(handler.path.split("?")[0])

    fake.fail("/blob/", meanwhile, times=1)
    assert fetch().code == 2
    assert state(tmp_path) == {"data": None, "data/old.parquet": b"mine"}


# Refused as asked.


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--no-results", "--no-rankings"], "leave nothing to fetch"),
        (["--dataset", "../x"], "--dataset: found '../x'"),
        (["--dataset", "a--b/c"], "--dataset: found 'a--b/c'"),
        (["--dataset", "https://huggingface.co/datasets/a/b"], "expected an id such as aws-neuron/"),
        (["--revision", ""], "--revision"),
        (["--tasks", "../../x"], "--tasks: found '../../x'"),
        (["--tasks", ","], "--tasks: names no task"),
        (["--limit", "0"], "--limit"),
        (["--dest", "."], "current folder"),
        (["--dest", "/"], "current folder"),
        (["--dest", "file"], "is a file, not a folder"),
        (["--dest", "file/data"], "is a file, not a folder"),
        (["--dest", "link"], "is a link"),
    ],
)
def test_what_cannot_be_meant_is_refused_before_anything_is_asked(
    fetch: Fetch, fake: FakeHub, tmp_path: Path, arguments: list[str], said: str
) -> None:
    write(tmp_path / "file", "")
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    before = state(tmp_path)
    ran = fetch(*arguments)
    assert ran.code == 2
    assert said in ran.err
    assert fake.requests == []
    assert state(tmp_path) == before


@pytest.mark.parametrize("mine", ["old.parquet", "rankings/trending-text-generation.json", "results"])
def test_a_file_of_the_user_is_never_overwritten(fetch: Fetch, fake: FakeHub, tmp_path: Path, mine: str) -> None:
    write(tmp_path / "data" / mine, "mine")
    before = state(tmp_path)
    ran = fetch()
    assert ran.code == 2
    assert f"data/{mine} " in ran.err
    assert "fetch" in ran.err
    assert state(tmp_path) == before


def test_a_folder_that_is_a_link_is_not_followed(fetch: Fetch, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "data" / "results").symlink_to(tmp_path / "elsewhere")
    assert fetch().code == 2
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_what_can_be_neither_linked_nor_copied_is_refused(fetch: Fetch, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    os.mkfifo(tmp_path / "data" / "pipe")
    ran = fetch()
    assert ran.code == 2
    assert "data/pipe is neither a file nor a folder" in ran.err
    assert sorted(path.name for path in (tmp_path / "data").iterdir()) == ["pipe"]


@pytest.mark.parametrize("record", ["{", "[]", '{"schema": 2}', '{"schema": 1, "rankings": ["../x"]}'])
def test_a_record_that_cannot_be_read_is_refused(fetch: Fetch, fake: FakeHub, tmp_path: Path, record: str) -> None:
    write(tmp_path / "data" / RECORD, record)
    write(tmp_path / "x", "")
    before = state(tmp_path)
    ran = fetch()
    assert ran.code == 2
    assert "without it nobody knows which files came from a fetch" in ran.err
    assert state(tmp_path) == before


def test_two_fetches_into_one_folder_do_not_meet(fetch: Fetch, fake: FakeHub) -> None:
    second: list[Ran] = []

    def meanwhile(handler: hub_server.Handler) -> None:
        code = "import sys; sys.argv[1:] = ['fetch']; from sitegen.cli import main; main()"
        ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=ENVIRONMENT, check=False)
        second.append(Ran(ran.returncode, ran.stdout, ran.stderr))
        handler.dataset("main")

    fake.fail("/revision/", meanwhile, times=1)
    assert fetch().code == 0
    assert (second[0].code, second[0].err.split(";")[0]) == (2, "another fetch into data is running")


ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent), "HF_ENDPOINT": "http://127.0.0.1:1"}


def test_without_the_extra_it_is_said_how_to_install_it(
    fetch: Fetch, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delitem(sys.modules, "sitegen.hub")
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    ran = fetch()
    assert ran.code == 2
    assert 'pip install "sitegen[hub]"' in ran.err
    assert state(tmp_path) == {}


def test_the_command_starts_and_builds_without_the_client() -> None:
    code = "import sys, sitegen.cli; sys.exit(any(m.startswith(('huggingface_hub', 'httpx2')) for m in sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], env=ENVIRONMENT, check=False).returncode == 0


def test_offline_mode_is_said(fetch: Fetch, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    ran = fetch()
    assert ran.code == 2
    assert "HF_HUB_OFFLINE is set" in ran.err


ENDPOINTS = "hub.example http:// http://x:99999 http://x:abc http://x:0 http://[::bad http://. http://a..b http://u:p@:80".split()


@pytest.mark.parametrize("endpoint", [*ENDPOINTS, "http://a b", "http://x/\n", f"http://{'a' * 300}"])
def test_an_endpoint_that_is_no_address_is_said(
    fetch: Fetch, fake: FakeHub, monkeypatch: pytest.MonkeyPatch, endpoint: str
) -> None:
    monkeypatch.setenv("HF_ENDPOINT", endpoint)
    ran = fetch()
    assert (ran.code, fake.requests) == (2, [])
    assert "HF_ENDPOINT is no address that can be asked" in ran.err


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("HF_ENDPOINT", "http://x:99999", "HF_ENDPOINT is no address"),
        ("HF_ENDPOINT", "http://[::bad", "HF_ENDPOINT is no address"),
        ("HF_HUB_ETAG_TIMEOUT", "soon", "cannot read one of the variables HF_"),
    ],
)
def test_what_the_client_cannot_be_imported_with_is_said(tmp_path: Path, name: str, value: str, said: str) -> None:
    command = [sys.executable, "-m", "sitegen", "fetch", "--dest", str(tmp_path / "data")]
    ran = subprocess.run(command, env=ENVIRONMENT | {name: value}, capture_output=True, text=True, check=False)
    assert ran.returncode == 2
    assert said in ran.stderr
    assert "fault" not in ran.stderr


# The token.


def test_a_token_goes_to_the_hub_alone_and_is_written_nowhere(
    fetch: Fetch, fake: FakeHub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_TOKEN", TOKEN)
    link = f'<{fake.storage}/api/models?pipeline_tag=x&sort=x&limit=1>; rel="next"'
    fake.fail("/api/models", body(json.dumps([model("acme/a-1b")]).encode(), Link=link), times=1)
    fake.fail("/api/models", body(b"[]"), times=1)
    assert fetch().code == 0
    sent = {(r.storage, r.headers.get("authorization")) for r in fake.requests}
    assert sent == {(False, f"Bearer {TOKEN}"), (True, None)}
    assert not [path for path, data in state(tmp_path).items() if isinstance(data, bytes) and TOKEN.encode() in data]


def test_a_password_in_the_address_of_the_hub_is_written_nowhere(
    fetch: Fetch, fake: FakeHub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_ENDPOINT", fake.endpoint.replace("//", f"//user:{TOKEN}@"))
    assert fetch().code == 0
    assert not [path for path, data in state(tmp_path).items() if isinstance(data, bytes) and TOKEN.encode() in data]
    fake.fail("/revision/", status(418))
    assert fetch().code == 3


def test_a_token_that_the_server_repeats_is_not_shown(
    fetch: Fetch, fake: FakeHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_TOKEN", TOKEN)
    fake.fail("/tree/", status(403, None, f"no right for {TOKEN}"))
    assert "no right for (token)" in fetch().err
    fake.fail("/revision/", status(401, None, "Invalid credentials in Authorization header"))
    assert "the Hub does not take the token; log in again" in fetch().err


def reason(code: int, phrase: str) -> Answer:
    """An answer with a reason of its own in its first line."""

    def answer(handler: hub_server.Handler) -> None:
        handler.send_response(code, phrase)
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    return answer


@pytest.mark.parametrize(
    ("match", "answer"),
    [
        ("/revision/", status(403, None, "x" * 190 + TOKEN)),
        ("/revision/", status(400, None, "x" * 490 + TOKEN)),
        ("/revision/", status(400, None, f"BEARER {TOKEN.upper()}")),
        ("/revision/", reason(503, f"Bearer {TOKEN} {TOKEN.lower()}")),
        ("/revision/", reason(503, "x" * 190 + TOKEN)),
        ("/revision/", status(302, Location=f"http://{TOKEN}.invalid/")),
        ("/revision/", status(302, Location=f"http://x:{TOKEN}")),
        ("/resolve/", status(302, Location=f"ftp://x/{TOKEN}")),
        ("/revision/", body(json.dumps({"id": TOKEN, "sha": TOKEN}).encode())),
        ("/tree/", body(json.dumps([{"type": "file", "path": f"{TOKEN}.parquet", "size": TOKEN, "oid": ""}]).encode())),
        ("/tree/", body(json.dumps([{"type": "file", "path": f"../{TOKEN}.parquet", "size": 1, "oid": ""}]).encode())),
        ("/api/models", body(json.dumps([{"id": TOKEN * 20}]).encode())),
        ("/api/models/", status(400, None, "x" * 195 + TOKEN)),
    ],
)  # fmt: skip
def test_no_part_of_a_token_is_shown_whatever_the_server_repeats(
    fetch: Fetch, fake: FakeHub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, match: str, answer: Answer
) -> None:
    put(tmp_path / "data", [row("acme/zzz-1b")])
    monkeypatch.setenv("HF_TOKEN", TOKEN)
    fake.fail(match, answer)
    ran = fetch()  # which looks for parts of the token
    assert ran.code in (2, 3, 4)
    assert ran.err


def test_what_is_too_short_to_be_a_token_garbles_nothing(
    fetch: Fetch, fake: FakeHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_TOKEN", "a")
    fake.fail("/revision/", status(418))
    assert "the dataset acme/runs at main: the Hub answers 418: no reason given" in fetch().err


def test_a_mask_knows_a_secret_as_an_address_has_it() -> None:
    mask = mask_of("pass/word+1", None, "short")
    assert mask("PASS/word+1 pass%2Fword%2b1 short") == "(token) (token) short"
    assert mask_of("short", "").pattern is None


@pytest.mark.parametrize("before", ["", "u:", "us:", "use:"])
def test_a_mask_knows_a_secret_in_base64_and_with_what_nobody_sees_in_it(before: str) -> None:
    mask = mask_of(TOKEN)
    encoded = b64encode(f"{before}{TOKEN}".encode()).decode()
    shown = mask(f"you sent Basic {encoded}")
    assert "(token)" in shown
    assert encoded[len(before) * 2 + 4 :][:8] not in shown
    for unseen in ("\u200b", "\x00", "\x1b", "\xad"):
        assert mask(f"no right for {TOKEN[:9]}{unseen}{TOKEN[9:]}.") == "no right for (token)."
    assert mask("with\u200bout") == "with\u200bout"


@pytest.mark.parametrize("token", ["hf_clé", "hf_a b", "hf_\u200b"])
def test_a_token_that_can_be_none_is_refused_and_not_shown(
    fetch: Fetch, monkeypatch: pytest.MonkeyPatch, token: str
) -> None:
    monkeypatch.setenv("HF_TOKEN", token)
    ran = fetch()
    assert (ran.code, ran.out) == (2, "")
    assert "the token holds" in ran.err
    assert token not in ran.err


def test_patience_is_bounded_by_default() -> None:
    patience = Patience()
    assert (patience.tries, patience.longest, patience.total) == (5, 300, 900)
    assert replace(patience, tries=1).answer <= 60
