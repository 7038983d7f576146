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
from sitegen.requirements import LeftOut
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


OTHERS = {f"other-{n}": "1.0" for n in range(7)}
WHOLE = {"Torch": "2.14", "torch_neuronx": "9", "transformers": "5.21.0", **OTHERS}
GAPS: dict[str, Any] = {"accelerate": None, "nki": None, "torch": None, "neuron_driver": None}


def test_a_whole_list_of_packages_is_pinned_and_nothing_else_is_missing(tmp_path: Path) -> None:
    found = made(tmp_path, packages=json.dumps(WHOLE), **GAPS | {"torch": "2.14.0"})
    assert "other-0==1.0" in found.lines
    assert [line for line in found.lines if line.lower().startswith("torch")] == [
        "torch-neuronx==2.14.3.0",
        "torch==2.14.0",
    ]
    assert [text.split(" is ")[0] for text in found.conflicts] == ["torch-neuronx"]
    assert found.missing == ("neuron driver",)


@pytest.mark.parametrize(
    "packages",
    [
        '["foo"]',
        json.dumps({"foo": "1.0"}),
        json.dumps({"transformers": "5.21.0"}),  # alone: it brings more along
        json.dumps({**WHOLE, "foo": None, "Torch": ">=2", "torch": ">=2"}),  # not all exact
        json.dumps({**WHOLE, "Torch": "nightly"}),  # not all readable
        json.dumps({**{f"more-{n}": "1" for n in range(90)}, "Torch-Neuronx": "9"}),  # without the library
        "# none",
        None,
    ],
)
def test_a_list_that_is_not_whole_hides_no_gap(tmp_path: Path, packages: str | None) -> None:
    assert made(tmp_path, packages=packages, **GAPS).missing == ("accelerate", "torch", "nki", "neuron driver")


def test_what_a_column_has_exactly_is_recorded(tmp_path: Path) -> None:
    found = made(tmp_path, packages='{"Torch": "2.14"}', extra_packages="nki==0.7.0, accelerate>=1", **GAPS)
    assert found.missing == ("accelerate", "neuron driver")
    pair: dict[str, Any] = dict.fromkeys(["neuronx_cc", "library", "library_version"])
    listed = json.dumps({"neuronx-cc": "2.28", "pip": "26", **OTHERS, "a": "1"})
    assert made(tmp_path, packages=listed, **GAPS, **pair).missing == (
        "neuron driver", "the library", "the version of the library"
    )  # fmt: skip


def test_of_another_device_parts_of_the_neuron_stack_are_not_missing(tmp_path: Path) -> None:
    catalog = 'compiler = "torch"'
    found = made(tmp_path, catalog=catalog, neuronx_cc="2.13.0+cpu", torch_neuronx=None, **GAPS)
    assert found.missing == ("accelerate", "torch")
    assert not found.shows_driver
    assert made(tmp_path, catalog=catalog, neuron_driver="2.31").shows_driver
    assert made(tmp_path, neuron_driver=None).shows_driver


def test_a_direct_reference_is_no_line_and_named(tmp_path: Path) -> None:
    url = "foo @ https://name:secret@example.org/foo.whl"
    found = made(tmp_path, f'# /// script\n# dependencies = ["{url}"]\n# ///\n', extra_packages="bar @ file:///x")
    assert found.references == (LeftOut("column extra_packages", "bar @ file:///x"), LeftOut("metadata of run.py", url))
    assert not [line for line in found.lines if "foo" in line or "bar" in line]


def test_the_columns_packages_come_before_the_scripts_and_each_once(tmp_path: Path) -> None:
    script = '# /// script\n# dependencies = ["pillow==12.0.0", "torch>=2"]\n# ///\n'
    found = made(tmp_path, script, extra_packages="pillow==12.0.0, tiktoken==0.13.0")
    assert found.lines[-2:] == ("pillow==12.0.0", "tiktoken==0.13.0")
    assert found.conflicts == ()


def test_what_cannot_be_used_is_named_with_its_place(tmp_path: Path) -> None:
    script = '# /// script\n# requires-python = "new"\n# dependencies = ["-r x"]\n# ///\n'
    found = made(tmp_path, script, torch="nightly", extra_packages="--pre", python="the latest")
    assert found.unusable == (
        LeftOut("column torch", "torch nightly"),
        LeftOut("column extra_packages", "--pre"),
        LeftOut("metadata of run.py", "-r x"),
        LeftOut("metadata of run.py", "requires-python = new"),
        LeftOut("column python", "python the latest"),
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
    run = found.folder
    assert re.fullmatch("run-[0-9a-f]{12}", run)
    assert found.archive == f"{run}.zip"
    assert found.download is not None
    url = f"https://example.org/it's/{HASHED}bundle.zip"
    assert shlex.split(found.download) == ["curl", "-fL", "-o", f"{run}.zip", url]
    assert commands(found) == {
        "unpack": f"python3 -m zipfile -e {run}.zip {run}",
        "venv": f"python3.14 -m venv {run}/.venv && . {run}/.venv/bin/activate",
        "install": f"{run}/.venv/bin/python -m pip install -r {run}/requirements.txt",
        "run": f"(cd {run} && .venv/bin/python run.py)",
    }
    assert found.chain == " &&\n".join([found.download, *commands(found).values()])
    assert (found.bundle, found.script) == (f"{HASHED}bundle.zip", f"{HASHED}run.py")


def test_without_an_address_there_is_none_to_download_from(tmp_path: Path) -> None:
    assert made(tmp_path).download is None


def test_without_requirements_nothing_is_installed(tmp_path: Path) -> None:
    nothing: dict[str, Any] = dict.fromkeys(["library", "neuronx_cc", *STACK])
    found = made(tmp_path, **nothing)
    assert found.requirements == ""
    assert "install" not in commands(found)
    assert commands(found)["venv"].startswith("python3 ")


def test_the_cache_command_comes_with_its_condition_and_only_where_it_is_set(tmp_path: Path) -> None:
    found = made(tmp_path, catalog="[reproduce]\nneff_cache = \"fetch 's3://b/{neuronx_cc}/{model_id}' DIR\"\n")
    assert commands(found)["cache"] == "fetch 's3://b/2.28.7631.0+5e0f61c7/acme/control-1b' DIR"
    assert [step.text for step in found.steps if step.key == "cache"] == [
        "To reuse graphs compiled before, only with neuronx-cc == 2.28.7631.0+5e0f61c7:"
    ]
    assert [step.key for step in found.steps][-2:] == ["cache", "run"]
    assert found.cache_left_out is None
    unset = made(tmp_path)
    assert "cache" not in commands(unset)
    assert unset.cache_left_out is None


@pytest.mark.parametrize(
    "version", ["--help", "2.28\nrm -r x", "2.28\x1b[0m", "1.0$(touch X)", "`id`", "1'2", '1"2', "../x", "/x", "", " "]
)
def test_no_command_is_filled_with_what_a_shell_would_read(tmp_path: Path, version: str) -> None:
    found = made(tmp_path, catalog="[reproduce]\nneff_cache = 'fetch \"s3://b/{neuronx_cc}\"'\n", neuronx_cc=version)
    assert "cache" not in commands(found)
    sentence = "The command that fetches compiled graphs is left out: "
    assert found.cache_left_out in {
        f"{sentence}the recorded neuronx_cc is no plain name or version.",
        f"{sentence}it needs neuronx_cc, which is not recorded.",
    }


def test_the_cache_command_needs_what_it_names_and_the_compiler(tmp_path: Path) -> None:
    catalog = '[reproduce]\nneff_cache = "fetch {nki}"\n'
    sentence = "The command that fetches compiled graphs is left out: it needs {}, which is not recorded."
    assert made(tmp_path, catalog=catalog, nki=None).cache_left_out == sentence.format("nki")
    assert made(tmp_path, catalog=catalog, neuronx_cc=None).cache_left_out == sentence.format("neuronx_cc")
    assert commands(made(tmp_path, catalog=catalog, neuronx_cc="2.28 (odd)"))["cache"] == "fetch 0.7.0"


def test_image_and_instance_are_text(tmp_path: Path) -> None:
    catalog = '[reproduce]\nimage = "img:{nki}"\ninstance = "trn2 with {python}"\n'
    found = made(tmp_path, catalog=catalog, nki="0.7 <b>'x'", python="3.14 (main)")
    assert (found.image, found.instance) == ("img:0.7 <b>'x'", "trn2 with 3.14 (main)")
    assert made(tmp_path, catalog=catalog, nki=None).image is None


def test_an_index_that_is_set_is_asked_too(tmp_path: Path) -> None:
    found = made(tmp_path, catalog='[reproduce]\nindex = "https://example.org/simple?a&b"\n')
    asked = f"--extra-index-url 'https://example.org/simple?a&b' -r {found.folder}/requirements.txt"
    assert commands(found)["install"].endswith(f"pip install {asked}")
    without, with_it = (
        next(step.text for step in made.steps if step.key == "install") for made in (made(tmp_path), found)
    )
    assert without == "Install the requirements. From which package index they came is not recorded."
    assert with_it == f"{without[:-1]}; pip also asks the one that the maintainers of this site name."


def test_a_script_for_several_cores_needs_no_launcher_where_the_protocol_says_so(tmp_path: Path) -> None:
    launch = made(tmp_path, tp=4).launch
    assert launch is not None
    assert launch.startswith("The run was sharded over 4 cores. By the protocol")
    assert made(tmp_path, tp=1).launch is None
    assert made(tmp_path, tp=None).launch is None
    assert made(tmp_path, tp=4, library="diffusers").launch is None
    assert made(tmp_path, tp=4, catalog='compiler = "torch"').launch is None


def page_of(folder: Path, base_url: str | None = None, **changes: Any) -> Path:
    """The page of a result, in a site that is built."""
    put(folder / "data", [row(**changes)])
    build(Settings(data=folder / "data", out=folder / "site", base_url=base_url, jobs=1))
    return next((folder / "site" / "models" / "acme" / "control-1b").glob("*/index.html"))


def copied(html: str) -> str:
    """The text that the button for all commands copies."""
    assert 'data-copy="all-commands"' in html
    found = re.search(r'<pre[^>]* id="all-commands"[^>]*><code>(.*?)</code>', html, re.DOTALL)
    assert found is not None
    return unescape(found[1])


def single(html: str) -> list[str]:
    """The commands of the steps, one by one."""
    return [unescape(text) for text in re.findall(r'<code id="step-\w+">(.*?)</code>', html)]


def test_the_page_names_what_disagrees_what_is_unusable_and_what_is_not_recorded(tmp_path: Path) -> None:
    page = page_of(tmp_path, nki=None, extra_packages="--index-url https://evil.example/<b>\ntorch==1.0")
    html = page.read_text("utf-8")
    assert "torch is 2.14.0 in the column torch, but torch==1.0 in the column extra_packages" in unescape(html)
    assert "--index-url https://evil.example/&lt;b&gt;</code>, in the column extra_packages" in html
    assert "Not recorded, and so not known of this run: nki." in html
    requirements = re.search(r'<pre[^>]* id="requirements"[^>]*><code>(.*?)</code>', html, re.DOTALL)
    assert requirements is not None
    assert "index-url" not in requirements[1]


def test_the_page_says_what_it_leaves_out_and_how_a_sharded_script_starts(tmp_path: Path) -> None:
    write(tmp_path / "data" / "catalog.toml", '[reproduce]\nneff_cache = "fetch {nki}"\n')
    html = page_of(tmp_path, tp=4, nki="$(x)", extra_packages="foo @ git+https://example.org/<b>").read_text("utf-8")
    assert "is left out: the recorded nki is no plain name or version." in html
    assert "foo @ git+https://example.org/&lt;b&gt;</code>, in the column extra_packages" in html
    assert "The run was sharded over 4 cores." in html
    assert 'docs/protocol/index.html#sharded">' in html
    assert "Neuron driver" in html
    write(tmp_path / "other" / "data" / "catalog.toml", 'compiler = "torch"\n')
    other = page_of(tmp_path / "other", neuron_driver=None).read_text("utf-8")
    assert "Neuron driver" not in section(other)


def section(html: str) -> str:
    """The section on how to run again."""
    return html.partition('<section aria-labelledby="reproduce">')[2].partition("</section>")[0]


def test_all_commands_are_copied_in_their_order(tmp_path: Path) -> None:
    hosted = page_of(tmp_path / "hosted", "https://example.org").read_text("utf-8")
    html = page_of(tmp_path / "local").read_text("utf-8")
    assert single(hosted)[0].startswith("curl -fL -o run-")
    assert single(hosted)[1:] == single(html)
    for page in (hosted, html):
        assert copied(page) == " &&\n".join(single(page))
        folder = single(page)[-1].split()[1]
        assert f'<a href="bundle.zip" download="{folder}.zip">the bundle</a>' in page


def test_every_bundle_is_saved_under_a_name_of_its_own(tmp_path: Path) -> None:
    put(tmp_path / "data", [row(), row(wall_s=1, tested_at=None)])
    build(Settings(data=tmp_path / "data", out=tmp_path / "site", jobs=1))
    page = next((tmp_path / "site" / "models" / "acme" / "control-1b").glob("*/index.html"))
    saved = dict(re.findall(r'href="([^"]*bundle\.zip)" download="([^"]*)"', page.read_text("utf-8")))
    assert len(saved) == 2
    earlier = next(page.parent.glob("runs/*/bundle.zip"))
    assert saved[earlier.relative_to(page.parent).as_posix()] == f"run-{earlier.parent.name}.zip"
    assert len(set(saved.values())) == 2


NOTHING: dict[str, Any] = dict.fromkeys(
    ["library", "library_version", "neuronx_cc", *STACK]
)  # pip has nothing to fetch
SCRIPT = "import os, sys\nprint('ran with', sys.prefix, 'in', os.getcwd())\n"
# Without pip an environment is made in no time, and nothing can be installed.
PYTHON3 = f"""#!/bin/sh
test "$1 $2" = "-m venv" && exec {shlex.quote(sys.executable)} -m venv --without-pip "$3"
exec {shlex.quote(sys.executable)} "$@"
"""


def in_shell(shell: str, here: Path, text: str) -> subprocess.CompletedProcess[str]:
    """What becomes of commands that are piped into a shell, in the folder `here`."""
    write(here.parent / "bin" / "python3", PYTHON3).chmod(0o755)
    environment = {**os.environ, "PATH": f"{here.parent / 'bin'}:{os.environ['PATH']}"}
    return subprocess.run([shell], input=text, cwd=here, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(("shell", "at_once"), [("sh", True), ("bash", True), ("sh", False)])
def test_the_commands_lead_to_the_run_in_a_shell(tmp_path: Path, shell: str, at_once: bool) -> None:
    page = page_of(tmp_path, **NOTHING, run_py=SCRIPT)
    html = page.read_text("utf-8")
    here = tmp_path / "here"
    folder = here / single(html)[-1].split()[1]
    write(here / f"{folder.name}.zip", page.with_name("bundle.zip").read_bytes())
    done = in_shell(shell, here, copied(html) if at_once else "\n".join(single(html)))
    assert done.stdout == f"ran with {folder / '.venv'} in {folder}\n"
    assert sorted(path.name for path in folder.iterdir()) == [
        ".venv", "README.md", "manifest.json", "requirements.txt", "run.py"
    ]  # fmt: skip


@pytest.mark.parametrize("shell", ["sh", "bash"])
@pytest.mark.parametrize("at_once", [True, False])
def test_without_the_bundle_nothing_of_the_folder_at_hand_is_run_or_installed(
    tmp_path: Path, shell: str, at_once: bool
) -> None:
    write(tmp_path / "data" / "catalog.toml", '[reproduce]\nneff_cache = "touch fetched; touch again"\n')
    html = page_of(tmp_path, **NOTHING | {"torch": "2.14.0", "neuronx_cc": "2.28"}).read_text("utf-8")
    here = tmp_path / "here"
    write(here / "run.py", "open('stranger', 'w')\n")
    write(here / "requirements.txt", "./stranger.whl\n")
    done = in_shell(shell, here, copied(html) if at_once else "\n".join(single(html)))
    assert done.returncode != 0
    left = {path.name for path in here.iterdir()}
    assert "stranger" not in left
    assert "stranger" not in done.stdout + done.stderr
    if at_once:
        assert left == {"run.py", "requirements.txt"}


def test_after_a_failed_install_nothing_is_run(tmp_path: Path) -> None:
    write(tmp_path / "data" / "catalog.toml", '[reproduce]\nneff_cache = "touch fetched; touch again # it is"\n')
    page = page_of(tmp_path, **NOTHING | {"torch": "2.14.0", "neuronx_cc": "2.28"}, run_py=SCRIPT)
    html = page.read_text("utf-8")
    here = tmp_path / "here"
    folder = here / single(html)[-1].split()[1]
    write(here / f"{folder.name}.zip", page.with_name("bundle.zip").read_bytes())
    done = in_shell("sh", here, copied(html))
    assert "No module named pip" in done.stderr
    assert done.stdout == ""
    assert not (here / "fetched").exists()
    assert not (here / "again").exists()
    chain = copied(html).splitlines()
    install = next(line for line in chain if "pip install" in line)
    assert in_shell("sh", here, "\n".join(line for line in chain if line != install)).stdout.startswith("ran with")
    assert (here / "again").exists()
