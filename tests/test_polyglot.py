"""The files of a catalogue of attacks: each is what it says it is, and nothing of a payload is more than text in it."""

from __future__ import annotations

import json
import re
import subprocess
import zipfile
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from xml.etree import ElementTree

import pytest
from markdown_it import MarkdownIt
from packaging.requirements import Requirement

from sitegen.build import build
from sitegen.config import Settings
from sitegen.safe import shown
from sitegen.segments import is_path
from tests import polyglot
from tests.cases.site import Page

BASE = "https://example.org/"
# What drives a terminal or turns directions.
DRIVES = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
AS_RECORDED = {"run.py", "error.log"}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("polyglot")
    data, earlier = polyglot.catalogue(folder), polyglot.previous(folder)
    content, out = folder / "content", folder / "site"
    build(Settings(data=data, content=content, out=out, previous=earlier, base_url=BASE, zip=True, jobs=1))
    return out


def texts(site: Path, *endings: str) -> Iterator[tuple[str, str]]:
    """Files with one of these endings, and those in bundles, by their path."""
    for path in sorted(site.rglob("*")):
        name = path.relative_to(site).as_posix()
        if path.name == "bundle.zip":
            with zipfile.ZipFile(path) as bundle:
                assert sorted(bundle.namelist()) == ["README.md", "manifest.json", "requirements.txt", "run.py"]
                for inside in bundle.namelist():
                    if inside.endswith(endings):
                        yield f"{name}:{inside}", bundle.read(inside).decode()
        elif path.name.endswith(endings) and path.is_file():
            yield name, path.read_text("utf-8")


def test_no_file_but_the_recorded_ones_drives_a_terminal(site: Path) -> None:
    every = ("html", "json", "md", "xml", "svg", "js", "txt", "css")
    found = [name for name, text in texts(site, *every) if DRIVES.search(text.replace("\r\n", "\n"))]
    # Pages keep marks of direction: HTML isolates them, and a name in such letters needs them.
    assert [name for name in found if not name.endswith(".html") and "assets/" not in name] == []
    pages = [name for name, text in texts(site, "html") if re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f]", text)]
    assert pages == []


def test_json_is_json_and_says_what_is_recorded(site: Path) -> None:
    records = {name: json.loads(text) for name, text in texts(site, ".json")}
    assert len(records) > 100
    badges = [record for name, record in records.items() if name.endswith("badge.json")]
    fields = {"schemaVersion", "label", "message", "color", "labelColor", "cacheSeconds"}
    assert all(record.keys() == fields for record in badges)
    assert all("\n" not in record["label"] + record["message"] for record in badges)
    said = {
        value
        for name, record in records.items()
        if name.endswith("model.json")
        for result in record["results"]
        for run in result["runs"]
        for value in run["recorded"].values()
        if isinstance(value, str)
    }
    assert [payload for payload in polyglot.PAYLOADS if payload not in said and payload.strip()] == []


def test_drawings_feeds_and_sitemaps_are_xml_with_elements_of_their_own(site: Path) -> None:
    elements: set[str] = set()
    for _, text in texts(site, ".svg", ".xml"):
        root = ElementTree.fromstring(text)  # noqa: S314 - ours
        elements |= {node.tag.rpartition("}")[2] for node in root.iter()}
        names = {name for node in root.iter() for name in node.attrib}
        assert not [name for name in names if name.startswith("on") or "xpoly" in name]
        links = [value for node in root.iter() for name, value in node.attrib.items() if name.endswith("href")]
        assert not [link for link in links if not link.startswith(BASE)]
    atom = {"feed", "id", "title", "subtitle", "updated", "author", "name", "link", "entry", "category", "summary"}
    assert elements <= atom | {"svg", "rect", "path", "g", "text", "circle", "urlset", "url", "loc"}


def test_markdown_has_no_link_image_or_html_of_a_text(site: Path) -> None:
    reader = MarkdownIt("commonmark").enable("table").enable("strikethrough")
    count = 0
    for name, text in texts(site, ".md", "llms.txt"):
        if name.startswith("assets/"):
            continue  # of a library that comes along
        tokens = [inner for token in reader.parse(text) for inner in (token, *(token.children or ()))]
        assert not {token.type for token in tokens} & {"html_block", "html_inline", "image", "table_open", "hr"}, name
        links = [str(token.attrs["href"]) for token in tokens if token.type == "link_open"]
        assert not [link for link in links if not link.startswith(BASE)], name
        assert not text.startswith("---")  # no front matter
        count += 1
    assert count > 50


def test_lines_of_robots_and_requirements_are_ours_and_requirements(site: Path) -> None:
    assert (site / "robots.txt").read_text() == f"User-agent: *\nAllow: /\n\nSitemap: {BASE}sitemap.xml\n"
    lines = [line for _, text in texts(site, "requirements.txt") for line in text.splitlines()]
    assert lines
    for line in lines:
        assert not line.startswith("-")
        assert Requirement(line).url is None


def test_no_command_of_a_page_runs_anything_of_a_payload(site: Path, tmp_path: Path) -> None:
    pages = [text for name, text in texts(site, ".html") if name.startswith("models/")]
    found = {
        unescape(text) for page in pages for text in re.findall(r'<code id="step-[\w-]+">(.*?)</code>', page, re.DOTALL)
    }
    chains = re.findall(r'id="all-commands"[^>]*><code>(.*?)</code>', "".join(pages), re.DOTALL)
    found |= {unescape(chain).replace(" &&\n", "\n") for chain in chains}
    assert len(found) > 50
    bin_ = tmp_path / "bin"
    bin_.mkdir()
    for name in ("python3", "python3.14", "curl"):
        (bin_ / name).write_text("#!/bin/sh\nexit 0\n")
        (bin_ / name).chmod(0o755)
    (tmp_path / "here").mkdir()
    touch = 'touch() { : > "$HOME/touched"; }\n'
    script = "\n".join(f"( {command}\n) || :" for command in sorted(found))
    environment = {"PATH": f"{bin_}:/bin:/usr/bin", "HOME": str(tmp_path)}

    def run(text: str) -> bytes:
        shell = ["sh", "-c", touch + text]
        return subprocess.run(
            shell, check=False, cwd=tmp_path / "here", env=environment, capture_output=True, timeout=60
        ).stderr

    assert b"yntax" not in run(script)
    assert list((tmp_path / "here").iterdir()) == []
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bin", "here"]
    run(f"echo {polyglot.PAYLOADS[20]}")
    assert (tmp_path / "touched").exists()  # what it would find


def test_pages_show_every_payload_as_it_is_recorded(site: Path) -> None:
    """What no page may hold is left out; a long text says that it is cut."""
    missing = []
    for model in site.glob("models/*/*/model.json"):
        for result in json.loads(model.read_bytes())["results"]:
            recorded, other = result["runs"][0]["recorded"], result["runs"][0]["other"]
            page = Page((site / result["path"]).read_text("utf-8"))
            values = [recorded[name] for name in (*polyglot.TEXTS, "model_id")] + [*other, *other.values()]
            missing += [value for value in values if isinstance(value, str) and shown(value) not in page.text]
    assert missing == []


def test_citations_are_one_entry_each(site: Path) -> None:
    entries = [
        e
        for _, text in texts(site, ".html")
        for e in re.findall(r'id="bibtex"[^>]*><code>(.*?)</code>', text, re.DOTALL)
    ]
    assert len(entries) > 20
    for entry in map(unescape, entries):
        assert re.fullmatch(
            r"@misc\{[a-z0-9._:-]+,\n(?:  (?:title|howpublished|year|note|url) = \{.*\},\n)+\}\n", entry
        )
        depth = 0
        for sign in entry:
            depth += {"{": 1, "}": -1}.get(sign, 0)
            assert depth >= 0
        assert depth == 0


def test_names_in_the_archive_are_addresses_of_the_site(site: Path) -> None:
    with zipfile.ZipFile(site / "site.zip") as archive:
        assert [name for name in archive.namelist() if not is_path(name) and not name.startswith("assets/")] == []


def test_links_lead_to_the_site_or_to_web_addresses(site: Path) -> None:
    for name, text in texts(site, ".html"):
        links = map(unescape, re.findall(r' (?:href|src|action)="([^"]*)"', text))
        outside = [link for link in links if re.match(r"[\s\x00-\x1f]*[a-z][a-z0-9+.-]*:|//", link, re.IGNORECASE)]
        assert not [link for link in outside if not link.startswith(("https://", "http://", "mailto:"))], name
        assert not [link for link in outside if re.search(r"[\s<>\x00-\x1f]", link)], name
