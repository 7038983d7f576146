"""A status in words is whole wherever the site says it: what makes it doubtful is never left out."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Mapping
from datetime import timedelta
from html import unescape

import pytest

from sitegen.build import build
from sitegen.config import Settings
from tests.cases.site import BuiltSite, script_data
from tests.factory import DAY, put, row, write

DOUBTS = {
    "acme/differ": "PASS, CPU match; runs disagree",
    "acme/beside": "PASS, CPU match; also excluded, not a priority",
    "acme/both": "FAIL, CPU match; runs disagree; also excluded, kind not recorded",
    "acme/odd": "Unknown word “PASS, CPU match”, Check not recorded",
    "acme/unseen": "Unknown word “PASS[U+200B]”, CPU match",
}
EXCLUDED = '[[exclusion]]\nid = "acme/beside"\nreason = "Later *on*"\nkind = "not-prioritised"\n'
ROWS = [
    row("acme/differ"),
    row("acme/differ", result="FAIL", tested_at=DAY - timedelta(1)),
    row("acme/beside"),
    row("acme/both", result="FAIL", exclusion="No room."),
    row("acme/both", tested_at=DAY - timedelta(1)),
    row("acme/odd", result="PASS, CPU match", cpu_match=None),
    row("acme/unseen", result="PASS\u200b"),
]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> BuiltSite:
    folder = tmp_path_factory.mktemp("words")
    put(folder / "data", ROWS)
    write(folder / "data" / "lists" / "excluded.toml", EXCLUDED)
    build(Settings(data=folder / "data", out=folder / "site", base_url="https://example.org/"))
    return BuiltSite(folder / "site")


def prose(markdown: bytes) -> str:
    """The text of Markdown without its escapes and its bold."""
    return re.sub(r"\\(.)", r"\1", markdown.decode().replace("**", ""))


def said_of(site: BuiltSite, model_id: str) -> Mapping[str, str]:
    """Every place of the built site that says in a line of text what the model's result is."""
    folder = site.names[model_id]
    pages = {"the model": site.page(f"{folder}index.html"), "the result": site.result(model_id)}
    descriptions = {
        f"{name} of {where}": element.attributes["content"]
        for where, page in pages.items()
        for name, element in (
            ("description", page.all("meta", name="description")[0]),
            ("og:description", page.all("meta", property="og:description")[0]),
        )
    }
    record = json.loads(site.read(f"{folder}model.json"))
    path = record["results"][0]["runs"][0]["bundle"]
    with zipfile.ZipFile(io.BytesIO(site.read(path))) as archive:
        readme, manifest = (
            next(archive.read(name) for name in archive.namelist() if name.endswith(end))
            for end in ("README.md", "manifest.json")
        )
    named = script_data(site.read("search/names.js"), "names")
    return {
        **descriptions,
        "what to cite": pages["the result"].text,
        "the sentence for a model card": pages["the model"].text,
        "model.json": record["status"]["words"],
        "its result": record["results"][0]["status"]["words"],
        "model.md": prose(site.read(f"{folder}model.md")),
        "the bundle": prose(readme),
        "its manifest": json.loads(manifest)["status"],
        "the feed": unescape(site.read(f"{folder}feed.xml").decode()),
        "llms.txt": next(line for line in prose(site.read("llms.txt")).split("\n") if f"[{model_id}]" in line),
        "the search": named["models"][named["ids"].split("\n").index(model_id)][1],
    }


@pytest.mark.parametrize("model_id", DOUBTS)
def test_what_makes_a_result_doubtful_is_said_wherever_the_result_is(site: BuiltSite, model_id: str) -> None:
    for where, text in said_of(site, model_id).items():
        assert DOUBTS[model_id] in " ".join(text.split()), where


@pytest.mark.parametrize("model_id", DOUBTS)
def test_a_cell_of_the_table_of_pairs_says_it_too(site: BuiltSite, model_id: str) -> None:
    page = site.page("versions/index.html")
    row_ = next(e for e in page.all("tr") if e.attributes.get("data-id") == model_id)
    assert re.sub("[,;]? +", " ", DOUBTS[model_id]) in re.sub(r"[,;]?\s+", " ", row_.text)


def test_no_word_is_bold_and_empty_or_bare(site: BuiltSite) -> None:
    for path in (path for path in site.paths_set if path.endswith((".md", ".txt", ".html", ".xml"))):
        text = site.read(path).decode()
        assert "****" not in text, path
        assert "<b></b>" not in text, path
    for page in site.pages.values():
        assert not [e for e in page.all("b") if e.text.startswith("PASS, CPU match")]
