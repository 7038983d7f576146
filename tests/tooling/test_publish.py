"""`make publish` and the workflow that runs it: the steps in their order; only a plain "not found" is a first time."""

from __future__ import annotations

import importlib
import os
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests.netlify import ROOT
from tests.tooling import published

WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
PUBLISH = ROOT / ".github/workflows/publish.yml"
LIST = b'{"schema": "sitegen-urls"}\n'


@contextmanager
def answering(status: int, content: bytes = LIST) -> Iterator[str]:
    """The address of a site that answers every request with this status."""

    class Site(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *args: Any) -> None:
            """Quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Site)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


def make(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs make in a copy of what it needs. In place of the command is a script that notes what it is asked."""
    folder = folder.resolve()
    for name in (
        "Makefile",
        "pyproject.toml",
        "requirements.lock",
        "tests/tooling/pins.py",
        "tests/tooling/published.py",
    ):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, folder / name)
    for name, text in {
        "bin/sitegen": '#!/bin/sh\necho "$*" >> asked.txt\n',
        "bin/python": f'#!/bin/sh\nexec {sys.executable} "$@"\n',
        ".made-in": f"{folder}\n",
        ".stamp-run": "",
        ".stamp-hub": "",
    }.items():
        file = folder / ".venv" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
        file.chmod(0o755)
    # Nothing of the make that runs the tests.
    environment = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    command = ["make", *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def asked(folder: Path) -> list[str]:
    file = folder / "asked.txt"
    return file.read_text("utf-8").splitlines() if file.exists() else []


def test_publish_fetches_checks_and_builds_with_the_list_of_the_published_site(tmp_path: Path) -> None:
    with answering(200) as url:
        done = make(tmp_path, "publish", f"BASE_URL={url}")
    assert done.returncode == 0, done.stderr
    given = f"--data data --base-url {url} --previous .cache/previous.json --zip"
    assert asked(tmp_path) == ["fetch --dest data", f"check {given}", f"build {given} --out site"]
    assert (tmp_path / ".cache/previous.json").read_bytes() == LIST
    assert [line[:6] for line in done.stdout.splitlines() if " of 4" in line] == [f"{n} of 4" for n in range(1, 5)]


def test_the_first_time_there_is_no_list(tmp_path: Path) -> None:
    with answering(404) as url:
        done = make(tmp_path, "publish", f"BASE_URL={url}")
    assert done.returncode == 0, done.stderr
    assert asked(tmp_path)[-1] == f"build --data data --base-url {url} --zip --out site"
    assert "a first publication. If the site moves here from another address" in done.stdout


@pytest.mark.parametrize(
    "content", [b"<!doctype html><title>This domain is for sale</title>", b"{}", b"[]", b"[" * 100_000, b"\xff"]
)
def test_an_answer_that_is_no_list_stops_and_says_what_to_do(content: bytes, tmp_path: Path) -> None:
    with answering(200, content) as url:
        done = make(tmp_path, "publish", f"BASE_URL={url}")
    assert done.returncode != 0
    assert "answers with something else than a list of addresses.\nIf nothing is published there yet" in done.stderr
    assert "FIRST=1" in done.stderr
    assert "PREVIOUS=FILE" in done.stderr
    assert asked(tmp_path) == ["fetch --dest data"]
    assert not (tmp_path / ".cache/previous.json").exists()


def test_a_site_that_moves_takes_the_list_of_its_old_address(tmp_path: Path) -> None:
    (tmp_path / "old.json").write_bytes(LIST)
    done = make(tmp_path, "publish", "BASE_URL=https://new.example.org/", "PREVIOUS=old.json")
    assert done.returncode == 0, done.stderr
    assert "--previous .cache/previous.json" in asked(tmp_path)[-1]
    assert (tmp_path / ".cache/previous.json").read_bytes() == LIST


@pytest.mark.parametrize("status", [401, 403])
def test_any_other_answer_stops_before_the_build(status: int, tmp_path: Path) -> None:
    with answering(status) as url:
        done = make(tmp_path, "publish", f"BASE_URL={url}")
    assert done.returncode != 0
    assert f"answers {status}.\nIf nothing is published there yet, build without it: FIRST=1" in done.stderr
    assert asked(tmp_path) == ["fetch --dest data"]


def test_a_network_fault_stops_unless_it_is_said_to_be_the_first_time(tmp_path: Path) -> None:
    with answering(200) as url:
        pass
    with pytest.raises(published.NotAnswered, match="cannot be asked"):
        published.get(url, pause=0)
    assert make(tmp_path, "previous", f"BASE_URL={url}", "FIRST=1").returncode == 0


def test_a_fault_of_the_server_is_no_first_time() -> None:
    with answering(503) as url, pytest.raises(published.NotAnswered, match="answers 503"):
        published.get(url, pause=0)


def test_a_list_of_the_last_time_is_never_used(tmp_path: Path) -> None:
    (tmp_path / ".cache").mkdir()
    (tmp_path / ".cache/previous.json").write_text("old", "utf-8")
    with answering(404) as url:
        make(tmp_path, "previous", f"BASE_URL={url}")
    assert not (tmp_path / ".cache/previous.json").exists()


@pytest.mark.parametrize("target", ["publish", "previous"])
def test_publish_needs_the_address(target: str, tmp_path: Path) -> None:
    done = make(tmp_path, target, "BASE_URL=")
    assert done.returncode != 0
    assert "Name the address of the site" in done.stderr
    assert asked(tmp_path) == []


def test_site_takes_its_options(tmp_path: Path) -> None:
    assert make(tmp_path, "site", "BASE_URL=", "ZIP=", "PREVIOUS=").returncode == 0
    assert make(tmp_path, "site", "BASE_URL=https://example.org/", "ZIP=1", "PREVIOUS=old.json").returncode == 0
    assert make(tmp_path, "publish", "BASE_URL=https://example.org/", "ZIP=0", "FIRST=1").returncode == 0
    assert asked(tmp_path) == [
        "build --data content/demo --out site",
        "build --data content/demo --base-url https://example.org/ --previous old.json --zip --out site",
        "fetch --dest data",
        "check --data data --base-url https://example.org/",
        "build --data data --base-url https://example.org/ --out site",
    ]


def read(workflow: Path) -> dict[str, Any]:
    # Of the packages that the tests have, huggingface_hub brings this one; it has no types.
    found: dict[str, Any] = importlib.import_module("yaml").safe_load(workflow.read_text(encoding="utf-8"))
    return found


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.name)
def test_every_action_is_pinned_to_a_commit_and_every_job_ends(workflow: Path) -> None:
    found = read(workflow)
    assert found["permissions"] == {"contents": "read"}
    assert found["concurrency"]["group"]
    for job in found["jobs"].values():
        assert job["timeout-minutes"] <= 60
        uses = [step for step in job["steps"] if "uses" in step]
        assert [step["uses"] for step in uses if not re.fullmatch(r"actions/[\w-]+@[0-9a-f]{40}", step["uses"])] == []
        checkout = next(step for step in uses if step["uses"].startswith("actions/checkout@"))
        assert checkout["with"]["persist-credentials"] is False


def test_the_workflows_use_the_same_commits_and_say_their_versions() -> None:
    lines = [line for path in WORKFLOWS for line in re.findall(r"uses:\s*(.+)", path.read_text(encoding="utf-8"))]
    assert all(re.fullmatch(r"\S+ # v\d+\.\d+\.\d+", line) for line in lines)
    assert len({line.split("@")[0] for line in lines}) == len(set(lines))


def steps() -> dict[str, dict[str, Any]]:
    return {step.get("name", ""): step for step in read(PUBLISH)["jobs"]["publish"]["steps"]}


def test_what_is_set_outside_reaches_commands_through_the_environment_alone() -> None:
    assert read(PUBLISH)["jobs"]["publish"]["permissions"] == {"contents": "write", "pages": "write"}
    assert all("${{" not in step.get("run", "") for step in steps().values())


@pytest.mark.parametrize(
    ("base_url", "domain"), [("https://owner.github.io/name/", []), ("https://models.example.org/", ["CNAME"])]
)
def test_the_whole_site_is_pushed_as_one_commit_of_its_own(base_url: str, domain: list[str], tmp_path: Path) -> None:
    remote, site = tmp_path / "owner" / "name", tmp_path / "site"
    subprocess.run(["git", "init", "--quiet", "--bare", str(remote)], check=True)
    (site / "models").mkdir(parents=True)
    (site / "models" / "error.log").write_text("kept, though often ignored", "utf-8")
    (site / ".gitignore").write_text("*.log", "utf-8")
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(tmp_path),
        "RUNNER_TEMP": str(tmp_path),
        "GITHUB_SERVER_URL": str(tmp_path),
        "GITHUB_REPOSITORY": "owner/name",
        "GITHUB_SHA": "0" * 40,
        "TOKEN": "secret",
        "BASE_URL": base_url,
    }
    push = ["bash", "-e", "-o", "pipefail", "-c", steps()["Push the site to the branch gh-pages"]["run"]]
    for _ in range(2):  # a second day replaces the first
        subprocess.run(push, cwd=tmp_path, env=environment, check=True)
        shutil.rmtree(tmp_path / "pages")
    listed = ["git", "-C", str(remote), "ls-tree", "-r", "--name-only", "gh-pages"]
    files = subprocess.run(listed, capture_output=True, text=True, check=True).stdout.split()
    assert files == [".gitignore", ".nojekyll", *domain, "models/error.log"]
    if domain:
        assert (site / "CNAME").read_text("utf-8") == "models.example.org\n"
    count = ["git", "-C", str(remote), "rev-list", "--count", "gh-pages"]
    assert subprocess.run(count, capture_output=True, text=True, check=True).stdout.strip() == "1"
    assert not (site / ".git").exists()
