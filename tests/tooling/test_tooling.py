"""The helpers of `make`: which pins an install gets, and what is said where Node or Chromium is missing."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from tests.tooling import chromium, node, pins
from tests.tooling.chromium import ChromiumError
from tests.tooling.node import NodeError

PYPROJECT = """
[project]
name = "own"
dependencies = ["Site_Engine>=2"]
[project.optional-dependencies]
test = ["checker"]
all = ["own[test]"]
"""
LOCK = """\
# made by a tool
checker==3 \\
    --hash=sha256:aa
    # via sitegen (pyproject.toml)
colours==1 ; sys_platform == 'win32' \\
    --hash=sha256:bb \\
    --hash=sha256:cc
    # via
    #   checker
    #   site-engine
site-engine==2.1 \\
    --hash=sha256:dd
    # via sitegen (pyproject.toml)
"""


def names(extras: list[str], lock: str = LOCK) -> list[str]:
    return [pin.name for pin in pins.select(pins.read_lock(lock), pins.wanted(PYPROJECT, extras))]


def test_an_install_gets_what_it_asks_for_and_all_that_needs() -> None:
    assert names([]) == ["colours", "site-engine"]
    assert names(["test"]) == ["checker", "colours", "site-engine"]


def test_an_extra_may_take_in_another() -> None:
    assert names(["all"]) == names(["test"])


def test_pins_keep_their_marker_and_every_hash() -> None:
    assert pins.read_lock(LOCK)["colours"].lines == (
        "colours==1 ; sys_platform == 'win32' \\",
        "    --hash=sha256:bb \\",
        "    --hash=sha256:cc",
    )


def test_a_lock_that_is_behind_is_said() -> None:
    with pytest.raises(pins.PinsError, match="lacks checker: run `make lock`"):
        names(["test"], LOCK.replace("checker==3", "other==3"))


def test_an_unknown_extra_is_said() -> None:
    with pytest.raises(pins.PinsError, match="no extra 'tests'"):
        names(["tests"])


@pytest.mark.parametrize(
    "path",
    [
        "requirements.lock",
        "tests/bench/peers/requirements.txt",
        "tests/bench/peers/package-lock.json",
        "tests/js/package-lock.json",
        "tests/js/lighthouse/package-lock.json",
    ],
)
def test_a_lock_names_no_index(path: str) -> None:
    text = (pins.ROOT / path).read_text(encoding="utf-8")
    assert not re.search(r"--(extra-)?index-url|--find-links|\"resolved\"|file:", text)


@pytest.mark.parametrize("path", ["requirements.lock", "tests/bench/peers/requirements.txt"])
def test_every_pin_has_a_hash(path: str) -> None:
    lock = pins.read_lock((pins.ROOT / path).read_text(encoding="utf-8"))
    assert [pin.name for pin in lock.values() if "--hash=sha256:" not in "".join(pin.lines)] == []


def executable(path: Path, script: str) -> Path:
    path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    path.chmod(0o755)
    return path


def test_an_old_node_is_refused_and_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    executable(tmp_path / "node", "echo v18.20.0")
    executable(tmp_path / "npm", "exit 0")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(node, "_from_wheel", lambda: None)
    with pytest.raises(NodeError, match=r"is v18\.20\.0, and 20\.19 or newer is needed; none from nodejs"):
        node.get()


def test_a_node_without_npm_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    executable(tmp_path / "node", "echo v22.1.0")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(node, "_from_wheel", lambda: None)
    with pytest.raises(NodeError, match="comes without npm"):
        node.get()


def test_the_named_chromium_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = executable(tmp_path / "browser", "echo Chromium 150.0")
    monkeypatch.setenv(chromium.VARIABLE, str(path))
    assert chromium.find() == chromium.Chromium(path, "Chromium 150.0")


def test_a_named_chromium_that_does_not_start_is_no_reason_to_take_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = executable(tmp_path / "browser", "exit 1")
    monkeypatch.setenv(chromium.VARIABLE, str(path))
    with pytest.raises(ChromiumError, match="does not start"):
        chromium.find()


@pytest.fixture
def no_chromium(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(chromium.VARIABLE, raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(chromium, "MAC_APPLICATIONS", ())
    monkeypatch.setattr(chromium, "_playwrights_own", lambda: tmp_path / "none")


@pytest.mark.usefixtures("no_chromium")
def test_a_launcher_without_its_browser_does_not_count(tmp_path: Path) -> None:
    executable(tmp_path / "chromium-browser", "echo 'needs the chromium snap' >&2; exit 1")
    assert chromium.find() is None


@pytest.mark.usefixtures("no_chromium")
def test_no_chromium_is_said_in_plain_words(monkeypatch: pytest.MonkeyPatch) -> None:
    failed = subprocess.CompletedProcess[str]([], 1)
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: failed)
    with pytest.raises(ChromiumError) as caught:
        chromium.find_or_install()
    said = str(caught.value)
    assert "`playwright install chromium` failed (exit 1)" in said
    assert "`apt-get install chromium` is not possible (no apt-get here)" in said
    assert chromium.VARIABLE in said


@pytest.mark.usefixtures("no_chromium")
def test_apt_is_left_alone_unless_root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    executable(tmp_path / "apt-get", "exit 0")
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setitem(chromium.WAYS, "playwright install chromium", lambda: "failed (exit 1)")
    with pytest.raises(ChromiumError, match=r"`apt-get install chromium` is not possible \(it needs root\)"):
        chromium.find_or_install()


@pytest.mark.usefixtures("no_chromium")
def test_root_gets_one_by_apt_where_playwright_has_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    browser = executable(tmp_path / "package", "echo Chromium 150.0")
    executable(tmp_path / "apt-get", f'[ "$1" = update ] || /bin/cp {browser} {tmp_path}/chromium')
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setitem(chromium.WAYS, "playwright install chromium", lambda: "failed (exit 1)")
    assert chromium.main(["--find-or-install"]) == 0
    said = capfd.readouterr().out
    assert "none found; trying `apt-get install chromium`" in said
    assert f"{tmp_path}/chromium (Chromium 150.0), installed by `apt-get install chromium`" in said
