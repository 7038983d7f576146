"""How to run a result again: exact pins of what the row records, and what it does not record named as such."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from sitegen.build import build
from sitegen.config import Settings
from sitegen.model import STACK
from sitegen.reproduce import Reproduction, interpreter, reproduction
from sitegen.requirements import Unusable
from tests.factory import put, row, site_of, write

HASHED = "models/acme/control-1b/2.28.7631.0-5e0f61c7-transformers-5.21.0/"


def made(tmp_path: Path, script: str = "", packages: str | None = None, **changes: Any) -> Reproduction:
    write(tmp_path / "catalog.toml", changes.pop("catalog", ""))
    base_url = changes.pop("base_url", None)
    site = site_of(tmp_path, [row(**changes)], base_url=base_url)
    return reproduction(site, site.results[0].headline, True, script, packages)


def commands(found: Reproduction) -> dict[str, str]:
    return {step.key: step.command for step in found.steps}


def test_pins_are_the_recorded_versions_exactly(tmp_path: Path) -> None:
    assert made(tmp_path).requirements == (
        "transformers==5.21.0\n"
        "accelerate==1.15.0\n"
        "torch-neuronx==2.14.3.0\n"
        "torch==2.14.0\n"
        "nki==0.7.0\n"
        "neuronx-cc==2.28.7631.0+5e0f61c7\n"
    )


def test_what_is_not_recorded_is_named_and_not_pinned(tmp_path: Path) -> None:
    found = made(tmp_path, nki=None, neuron_driver=None, neuronx_cc=None, library=None, library_version=None)
    assert found.missing == ("nki", "neuron driver", "neuronx-cc", "the library", "the version of the library")
    assert not [line for line in found.lines if line.startswith(("nki", "neuron"))]


def test_the_librarys_version_of_the_pair_is_its_pin(tmp_path: Path) -> None:
    found = made(tmp_path, transformers=None)
    assert found.missing == ()
    assert "transformers==5.21.0" in found.lines
    assert "diffusers==1.0" in made(tmp_path, library="diffusers", library_version="1.0").lines
    assert made(tmp_path, library="diffusers", library_version=None).missing == ("the version of diffusers",)


def test_the_stack_wins_over_the_pair_and_the_page_says_so(tmp_path: Path) -> None:
    found = made(tmp_path, library_version="5.20.0")
    assert "transformers==5.21.0" in found.lines
    disagree = "5.21.0 in the column transformers, but transformers==5.20.0 in the column library_version"
    assert found.conflicts == (f"transformers is {disagree}; requirements.txt has 5.21.0",)


def test_another_compilers_word_is_no_package(tmp_path: Path) -> None:
    found = made(tmp_path, catalog='compiler = "torch"', neuronx_cc="2.13.0+cpu", torch=None)
    assert not [line for line in found.lines if line.startswith(("torch==", "neuronx-cc"))]


def test_a_whole_list_of_packages_is_pinned_and_nothing_else_is_missing(tmp_path: Path) -> None:
    packages = json.dumps({"Torch": "2.14", "torch_neuronx": "9", "idna": "3.7"})
    found = made(tmp_path, packages=packages, accelerate=None, neuron_driver=None)
    assert "idna==3.7" in found.lines
    assert [line for line in found.lines if line.lower().startswith("torch")] == [
        "torch-neuronx==2.14.3.0",
        "torch==2.14.0",
    ]
    assert [text.split(" is ")[0] for text in found.conflicts] == ["torch-neuronx"]
    assert found.missing == ("neuron driver",)


def test_the_columns_packages_come_before_the_scripts_and_each_once(tmp_path: Path) -> None:
    script = '# /// script\n# dependencies = ["pillow==12.0.0", "torch>=2"]\n# ///\n'
    found = made(tmp_path, script, extra_packages="pillow==12.0.0, tiktoken==0.13.0")
    assert found.lines[-2:] == ("pillow==12.0.0", "tiktoken==0.13.0")
    assert found.conflicts == ()


def test_what_cannot_be_used_is_named_with_its_place(tmp_path: Path) -> None:
    script = '# /// script\n# requires-python = "new"\n# dependencies = ["-r x"]\n# ///\n'
    found = made(tmp_path, script, torch="nightly", extra_packages="--pre", python="the latest")
    assert found.unusable == (
        Unusable("column torch", "torch nightly"),
        Unusable("column extra_packages", "--pre"),
        Unusable("metadata of run.py", "-r x"),
        Unusable("metadata of run.py", "requires-python = new"),
        Unusable("column python", "python the latest"),
    )
    assert found.missing == ()  # it is recorded
    twice = "# /// script\n# x = 1\n# ///\n\n" * 2
    assert made(tmp_path, twice).unusable[0].text.startswith("the block as a whole: it has 2 blocks")


def test_the_python_that_the_script_asks_for_is_compared(tmp_path: Path) -> None:
    script = '# /// script\n# requires-python = ">=3.15"\n# ///\n'
    found = made(tmp_path, script)
    assert found.requires_python == ">=3.15"
    assert found.conflicts == ("Python is 3.14.0 in the column python, but the metadata of run.py asks for >=3.15",)
    assert made(tmp_path, script, python=None).conflicts == ()


@pytest.mark.parametrize(
    ("python", "command"),
    [
        ("3.14.0", "python3.14"),
        ("3.11.7 (main) [GCC]", "python3.11"),
        ("3.14t", "python3.14"),
        ("CPython 3.14", None),
        ("3", None),
        ("3.1; rm -r x", "python3.1"),
        ("", None),
        (None, None),
    ],
)
def test_the_interpreter_is_that_of_the_recorded_python(python: str | None, command: str | None) -> None:
    assert interpreter(python) == command


def test_the_way_leads_from_the_bundle_to_the_run(tmp_path: Path) -> None:
    found = made(tmp_path, base_url="https://example.org/it's/")
    run = commands(found)["unpack"].split()[-1]
    assert found.download is not None
    assert shlex.split(found.download) == ["curl", "-fLO", f"https://example.org/it's/{HASHED}bundle.zip"]
    assert commands(found) == {
        "unpack": f"python3 -m zipfile -e bundle.zip {run} && cd {run}",
        "venv": "python3.14 -m venv .venv && . .venv/bin/activate",
        "install": ".venv/bin/python -m pip install -r requirements.txt",
        "run": ".venv/bin/python run.py",
    }
    assert (found.bundle, found.script) == (f"{HASHED}bundle.zip", f"{HASHED}run.py")
    assert [step.key for step in found.inside] == ["venv", "install", "run"]


def test_without_an_address_there_is_none_to_download_from(tmp_path: Path) -> None:
    assert made(tmp_path).download is None


def test_without_requirements_nothing_is_installed(tmp_path: Path) -> None:
    nothing: dict[str, Any] = dict.fromkeys(["library", "neuronx_cc", *STACK])
    found = made(tmp_path, **nothing)
    assert found.requirements == ""
    assert "install" not in commands(found)
    assert commands(found)["venv"].startswith("python3 ")


def test_the_cache_command_comes_with_its_condition_and_only_where_it_is_set(tmp_path: Path) -> None:
    catalog = '[reproduce]\nneff_cache = "fetch {neuronx_cc} DIR"\nimage = "img:{nki}"\n'
    found = made(tmp_path, catalog=catalog, nki=None, neuronx_cc="2.28 $(x)")
    assert commands(found)["cache"] == "fetch '2.28 $(x)' DIR"
    assert [step.text for step in found.steps if step.key == "cache"] == [
        "To reuse graphs compiled before, only with neuronx-cc == 2.28 $(x):"
    ]
    assert [step.key for step in found.steps][-2:] == ["cache", "run"]
    assert found.image is None
    assert "cache" not in commands(made(tmp_path))
    assert "cache" not in commands(made(tmp_path, catalog='[reproduce]\nneff_cache = "fetch"', neuronx_cc=None))


@pytest.mark.parametrize("version", ["--help", "2.28\nrm -r x", "2.28\x1b[0m", None])
def test_no_command_is_filled_with_what_it_cannot_take(tmp_path: Path, version: str | None) -> None:
    found = made(tmp_path, catalog='[reproduce]\nneff_cache = "fetch {neuronx_cc}"\n', neuronx_cc=version)
    assert "cache" not in commands(found)


def page_of(folder: Path, base_url: str | None = None, **changes: Any) -> Path:
    """The page of a result, in a site that is built."""
    put(folder / "data", [row(**changes)])
    build(Settings(data=folder / "data", out=folder / "site", base_url=base_url, jobs=1))
    return next((folder / "site" / "models" / "acme" / "control-1b").glob("*/index.html"))


def copied(html: str) -> list[str]:
    """The texts that the button for all commands copies."""
    targets = re.search(r'data-copy="(step-[^"]* [^"]*)"', html)
    assert targets is not None
    found = {name: unescape(text) for name, text in re.findall(r'<code id="(step-\w+)">(.*?)</code>', html)}
    assert list(found) == targets[1].split()
    return list(found.values())


def test_the_page_names_what_disagrees_what_is_unusable_and_what_is_not_recorded(tmp_path: Path) -> None:
    page = page_of(tmp_path, nki=None, extra_packages="--index-url https://evil.example/<b>\ntorch==1.0")
    html = page.read_text("utf-8")
    assert "torch is 2.14.0 in the column torch, but torch==1.0 in the column extra_packages" in unescape(html)
    assert "--index-url https://evil.example/&lt;b&gt;</code>, in the column extra_packages" in html
    assert "Not recorded, and so not known of this run: nki." in html
    requirements = re.search(r'<pre[^>]* id="requirements"[^>]*><code>(.*?)</code>', html, re.DOTALL)
    assert requirements is not None
    assert "index-url" not in requirements[1]


def test_all_commands_are_copied_in_their_order(tmp_path: Path) -> None:
    hosted = copied(page_of(tmp_path / "hosted", "https://example.org").read_text("utf-8"))
    html = page_of(tmp_path / "local").read_text("utf-8")
    assert hosted[0].startswith("curl -fLO https://example.org/models/acme/")
    assert hosted[1:] == copied(html)
    assert 'Download <a href="bundle.zip" download="bundle.zip">bundle.zip</a> from this page' in html


def test_the_commands_lead_to_the_run_in_a_shell(tmp_path: Path) -> None:
    nothing = dict.fromkeys(["library", "library_version", "neuronx_cc", *STACK])  # so that pip has nothing to fetch
    page = page_of(tmp_path, **nothing, run_py="import sys\nprint('ran with', sys.prefix)\n")
    programs, here = tmp_path / "bin", tmp_path / "here"
    programs.mkdir()
    (programs / "python3").symlink_to(sys.executable)
    write(here / "bundle.zip", page.with_name("bundle.zip").read_bytes())
    done = subprocess.run(
        ["sh", "-c", "\n".join(copied(page.read_text("utf-8")))],
        cwd=here,
        env={**os.environ, "PATH": f"{programs}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=True,
    )
    folder = next(here.glob("run-*"))
    assert done.stdout == f"ran with {folder / '.venv'}\n"
    assert sorted(path.name for path in folder.iterdir()) == [
        ".venv", "README.md", "manifest.json", "requirements.txt", "run.py"
    ]  # fmt: skip
