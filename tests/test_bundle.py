"""The bundle of a run: what is in it, that it is the same from every Python, and that no value breaks a file of it."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from typing import Any
from zipfile import ZIP_STORED, ZipFile

import markdown
import pyarrow as pa
import pytest
from packaging.requirements import Requirement

from sitegen.archives import archive
from sitegen.build import build
from sitegen.config import Settings
from tests.factory import DAY, put, row, write

NAMES = ["README.md", "manifest.json", "requirements.txt", "run.py"]
SCRIPT = b"\xef\xbb\xbfprint('\xff')\r\n# no line feed at the end"
FENCES = "```\n# heading\n<script>alert(1)</script>\n- [x](javascript:y) ~~~"
REFERENCE = "bar @ git+https://name:secret@evil.example/bar"
CATALOG = """
licence = "Apache-2.0"
revision = "abc123"
dataset = "https://example.org/data"
[reproduce]
neff_cache = "fetch {neuronx_cc} DIR"
"""
ROWS = [
    row("acme/bytes-1b", run_py=SCRIPT),
    row("acme/shard-7b", tp=4, cpu_match=None, english="fluent"),
    row("acme/shard-7b", tp=4, result="FAIL", tested_at=DAY.replace(day=1), run_py="print('earlier')\n"),
    row("acme/bare-1b", run_py=None),
    row(
        "acme/`x` $(id)",
        run_py=f"print('''{FENCES}''')\n",
        notes=FENCES,
        result=FENCES,
        neuronx_cc=f"2.28 {FENCES}",
        extra_packages=f"--index-url https://evil.example\n{REFERENCE}\nfoo>=1 ```",
        python=None,
        strange={"deep": ["1", None, FENCES]},
    ),
]


@dataclass(frozen=True)
class Bundle:
    """What a reader finds who unpacks it."""

    path: Path
    files: dict[str, bytes]

    @property
    def manifest(self) -> dict[str, Any]:
        found = json.loads(self.files["manifest.json"])
        assert isinstance(found, dict)
        return found

    @property
    def readme(self) -> str:
        return self.files["README.md"].decode()

    @property
    def headings(self) -> list[str]:
        html = markdown.markdown(self.readme, extensions=["fenced_code"])
        return re.findall(r"<h\d>(.*?)</h\d>", html)


def bundles(folder: Path, base_url: str | None = "https://example.org/c/") -> dict[str, Bundle]:
    """The bundles of a site by `owner/name`, those of earlier runs with `/runs` behind it."""
    data, out = folder / "data", folder / "site"
    if not data.exists():
        write(data / "catalog.toml", CATALOG)
        put(data, ROWS, types={"run_py": pa.binary(), "strange": pa.struct([("deep", pa.list_(pa.string()))])})
    build(Settings(data=data, out=out, base_url=base_url, jobs=1))
    found = {}
    for path in sorted(out.rglob("bundle.zip")):
        with ZipFile(path) as zipped:
            assert zipped.testzip() is None
            parts = path.relative_to(out / "models").parts
            name = "/".join(parts[:2]) + ("/runs" if "runs" in parts else "")
            found[name] = Bundle(path, {entry: zipped.read(entry) for entry in zipped.namelist()})
    return found


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Bundle]:
    return bundles(tmp_path_factory.mktemp("bundles"))


@pytest.fixture(scope="module")
def hostile(made: dict[str, Bundle]) -> Bundle:
    return next(found for name, found in made.items() if name.startswith("acme/x"))


def test_every_run_with_a_script_has_one_beside_its_script(made: dict[str, Bundle]) -> None:
    assert len(made) == 4
    assert {"acme/bytes-1b", "acme/shard-7b", "acme/shard-7b/runs"} < set(made)
    for found in made.values():
        assert list(found.files) == NAMES
        assert found.files["run.py"] == (found.path.parent / "run.py").read_bytes()
    assert made["acme/bytes-1b"].files["run.py"] == SCRIPT
    assert made["acme/shard-7b/runs"].files["run.py"] == b"print('earlier')\n"


def test_the_manifest_has_size_and_hash_of_every_other_file(made: dict[str, Bundle]) -> None:
    for found in made.values():
        files = found.manifest["files"]
        assert sorted([*files, "manifest.json"]) == NAMES
        for name, measured in files.items():
            data = found.files[name]
            assert measured == {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}


def test_the_manifest_has_the_whole_row(made: dict[str, Bundle], hostile: Bundle) -> None:
    manifest = made["acme/shard-7b"].manifest
    assert (manifest["format"], manifest["version"]) == ("sitegen-bundle", 1)
    expected = {
        "model_id": "acme/shard-7b",
        "licence": "Apache-2.0",
        "outcome": "PASS",
        "verification": "Judged fluent",
        "source": {"file": "results.parquet", "row": 2, "revision": "abc123"},
        "page": "https://example.org/c/models/acme/shard-7b/2.28.7631.0-5e0f61c7-transformers-5.21.0/",
    }
    assert manifest | expected == manifest
    assert list(manifest["row"])[:3] == ["model_id", "library", "tp"]
    assert manifest["row"]["run_py"] == manifest["files"]["run.py"]
    assert manifest["row"]["exclusion"] is None
    assert hostile.manifest["row"]["strange"] == {"deep": ["1", None, FENCES]}
    assert hostile.manifest["row"]["notes"] == FENCES


def test_an_earlier_run_speaks_for_itself(made: dict[str, Bundle]) -> None:
    earlier = made["acme/shard-7b/runs"]
    assert (earlier.manifest["outcome"], earlier.manifest["source"]["row"]) == ("FAIL", 3)
    assert "- Result and check: **FAIL**, CPU match" in earlier.readme
    assert "Several runs are recorded under this version pair, and they disagree" in earlier.readme


def test_requirements_are_requirements_and_nothing_else(made: dict[str, Bundle], hostile: Bundle) -> None:
    for found in made.values():
        lines = found.files["requirements.txt"].decode("ascii").splitlines()
        assert [str(Requirement(line)) for line in lines] == lines
    assert "foo>=1" in hostile.files["requirements.txt"].decode().splitlines()
    assert {"where": "column extra_packages", "text": "--index-url https://evil.example"} in hostile.manifest[
        "unusable"
    ]
    assert "- `--index-url https://evil.example` (column extra\\_packages)" in hostile.readme
    assert hostile.manifest["references"] == [{"where": "column extra_packages", "text": REFERENCE}]
    assert f"install by hand what you trust:\n\n- `{REFERENCE}` (column extra\\_packages)" in hostile.readme
    assert "The command that fetches compiled graphs is left out: the recorded neuronx\\_cc is no" in hostile.readme


def test_the_readme_says_what_was_observed_how_it_was_checked_and_what_that_shows(made: dict[str, Bundle]) -> None:
    text = made["acme/shard-7b"].readme
    assert "- Result and check: **PASS**, Judged fluent; runs disagree\n" in text
    assert "not numerical equality with a reference" in text
    assert "Wall time, compilation included: 212 s" in text
    assert "- The revision of the checkpoint, unless a column in `manifest.json` gives it." in text
    assert "- Licence of the data: Apache-2.0, `https://www.apache.org/licenses/LICENSE-2.0`" in text
    assert "data revision `abc123`" in text
    assert "```sh\nfetch 2.28.7631.0+5e0f61c7 DIR\n```" in text
    assert "only with neuronx-cc == 2.28.7631.0+5e0f61c7" in text
    assert "The run was sharded over 4 cores." in text
    assert "- Neuron driver: `" in text


def test_the_readme_has_the_commands_of_the_page(made: dict[str, Bundle]) -> None:
    found = made["acme/shard-7b"]
    html = found.path.with_name("index.html").read_text("utf-8")
    steps = [unescape(text) for text in re.findall(r'<code id="step-\w+">(.*?)</code>', html)]
    assert steps[0].startswith("curl ")
    assert re.findall(r"```sh\n(.*?)\n```", found.readme) == steps[1:]
    folder = re.search(r"-e (run-\w+)\.zip \1$", steps[1])
    assert folder is not None
    assert f"the folder that holds `{folder[1]}.zip`, this bundle" in found.readme


def test_no_value_breaks_the_readme(made: dict[str, Bundle], hostile: Bundle) -> None:
    plain = made["acme/bytes-1b"].headings
    assert plain == [plain[0], *(heading for heading in hostile.headings[1:] if not heading.startswith("Recorded"))]
    html = markdown.markdown(hostile.readme, extensions=["fenced_code"])
    assert not re.search(r"<(script|a|img)\b", html)


def test_without_an_address_none_is_claimed(tmp_path: Path) -> None:
    found = bundles(tmp_path, base_url=None)["acme/bytes-1b"]
    assert found.manifest["page"] is None
    assert "Page:" not in found.readme


def test_two_builds_give_the_same_bytes(made: dict[str, Bundle], tmp_path: Path) -> None:
    again = bundles(tmp_path)
    assert {name: found.path.read_bytes() for name, found in again.items()} == {
        name: found.path.read_bytes() for name, found in made.items()
    }


def test_an_archive_is_stored_and_knows_no_clock_user_or_system() -> None:
    data = archive({"b.txt": b"b" * 1000, "a.txt": b"a"})
    # From every Python and on every machine these bytes.
    assert hashlib.sha256(data).hexdigest() == "eb8b12ee135e39e2d16bea782d80e0ef303e77abd469fd343889c91cd66ffe66"


def test_the_files_of_an_archive_are_plain_ones(made: dict[str, Bundle]) -> None:
    with ZipFile(made["acme/bytes-1b"].path) as zipped:
        for info in zipped.infolist():
            assert info.compress_type == ZIP_STORED
            assert info.date_time == (1980, 1, 1, 0, 0, 0)
            assert (info.create_system, info.external_attr >> 16) == (3, 0o100644)
