"""netlify.toml says what the design promises of the hosted site."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from packaging.specifiers import SpecifierSet

ROOT = Path(__file__).resolve().parents[1]
CONFIG: dict[str, Any] = tomllib.loads((ROOT / "netlify.toml").read_text(encoding="utf-8"))
PAIR = "2.28.7631.0-5e0f61c7-transformers-5.21.0"
TEXT = "text/plain; charset=utf-8"


def headers_of(path: str) -> dict[str, str]:
    """What Netlify sends with a path: all rules that match, later ones over earlier ones."""
    sent: dict[str, str] = {}
    for rule in CONFIG["headers"]:
        if re.fullmatch(as_pattern(rule["for"]), path):
            sent |= rule["values"]
    return sent


def as_pattern(rule: str) -> str:
    """As Netlify's own parser reads a rule; like it, a rule with `*` in a word does not escape its dots."""
    parts = [part for part in rule.split("/") if part]
    return "/" + "/".join(map(part_pattern, parts)) + "/?"


def part_pattern(part: str) -> str:
    if part.startswith(":"):
        return "([^/]+)"
    if part == "*":
        return "?(.*)"
    return part.replace("*", "(.*)") if "*" in part else re.escape(part)


def policy() -> dict[str, list[str]]:
    directives = headers_of("/")["Content-Security-Policy"].split(";")
    return {words[0]: words[1:] for words in map(str.split, directives)}


def test_builds_with_make_and_publishes_its_output() -> None:
    assert CONFIG["build"]["command"].split()[:2] == ["make", "site"]
    assert CONFIG["build"]["publish"] == "site"


def test_pins_a_python_that_the_project_allows() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert CONFIG["build"]["environment"]["PYTHON_VERSION"] in SpecifierSet(project["requires-python"])


def test_leaves_addresses_and_files_alone() -> None:
    assert CONFIG["build"]["processing"]["skip_processing"] is True
    assert CONFIG["build"]["processing"]["html"]["pretty_urls"] is False


def test_policy_allows_nothing_but_what_the_site_itself_serves() -> None:
    assert policy() == {
        "default-src": ["'none'"],
        "script-src": ["'self'"],
        "style-src": ["'self'"],
        "img-src": ["'self'"],
        "connect-src": ["'self'"],
        "base-uri": ["'none'"],
        "form-action": ["'self'"],
        "frame-ancestors": ["'none'"],
    }


@pytest.mark.parametrize("path", ["/", "/404.html", "/models/a/b/index.html", f"/models/a/b/{PAIR}/run.py"])
def test_every_answer_is_guarded_and_checked_again(path: str) -> None:
    sent = headers_of(path)
    assert "Content-Security-Policy" in sent
    assert sent["X-Content-Type-Options"] == "nosniff"
    assert sent["Referrer-Policy"] == "strict-origin-when-cross-origin"
    assert "camera=()" in sent["Permissions-Policy"]
    assert sent["Cache-Control"] == "public, max-age=0, must-revalidate"


def test_assets_are_kept_for_a_year() -> None:
    assert headers_of("/assets/site.0123abcd.css")["Cache-Control"] == "public, max-age=31536000, immutable"


@pytest.mark.parametrize("owner", ["org", "-"])
@pytest.mark.parametrize("folder", [PAIR, f"{PAIR}/runs/0123456789ab"])
@pytest.mark.parametrize("name", ["run.py", "error.log"])
def test_scripts_and_logs_are_text_to_read(owner: str, folder: str, name: str) -> None:
    assert headers_of(f"/models/{owner}/model/{folder}/{name}")["Content-Type"] == TEXT


JSON, MARKDOWN, SVG = "application/json", "text/markdown; charset=utf-8", "image/svg+xml"
ATOM, PARQUET = "application/atom+xml; charset=utf-8", "application/vnd.apache.parquet"
FOR_PROGRAMS = {
    "/models/org/model/model.json": JSON,
    "/models/-/numpy/model.json": JSON,
    "/models/org/model/model.md": MARKDOWN,
    "/models/org/model/badge.svg": SVG,
    "/models/org/model/badge.json": JSON,
    "/models/org/model/feed.xml": ATOM,
    f"/badges/{PAIR}-pass-cpu-match.svg": SVG,
    f"/models/org/model/{PAIR}/run.py": TEXT,
    f"/models/org/model/{PAIR}/runs/0123456789ab/error.log": TEXT,
    "/catalog.json": JSON,
    "/catalog.parquet": PARQUET,
    "/schema/model-v1.json": "application/schema+json",
    "/llms.txt": TEXT,
    "/feed.xml": ATOM,
    "/regressed.xml": ATOM,
    "/fixed.xml": ATOM,
    "/new.xml": ATOM,
    "/sitemap.xml": "application/xml; charset=utf-8",
    "/sitemap-2.xml": "application/xml; charset=utf-8",
}


@pytest.mark.parametrize("path", FOR_PROGRAMS)
def test_what_programs_fetch_has_its_type_and_is_open_to_other_sites(path: str) -> None:
    sent = headers_of(path)
    assert sent["Content-Type"] == FOR_PROGRAMS[path]
    assert sent["Access-Control-Allow-Origin"] == "*"
    assert sent["X-Content-Type-Options"] == "nosniff"


def test_badges_are_kept_for_a_short_time() -> None:
    latest = [headers_of(f"/models/org/model/badge.{kind}")["Cache-Control"] for kind in ("svg", "json")]
    assert latest == ["public, max-age=300"] * 2
    assert headers_of(f"/badges/{PAIR}-pass-fluent.svg")["Cache-Control"] == "public, max-age=3600"


@pytest.mark.parametrize(
    "path", ["/", "/search/names.js", "/assets/site.0123abcd.css", f"/models/org/model.json/{PAIR}/"]
)
def test_pages_and_assets_are_for_this_site_alone(path: str) -> None:
    assert "Access-Control-Allow-Origin" not in headers_of(path)


@pytest.mark.parametrize(
    "path",
    [
        "/models/org/numpy/",
        "/models/org/model.json/",
        f"/models/org/badge.svg/{PAIR}/",
        f"/models/org/numpy/{PAIR}/",
        "/models/org/run.py/",
        f"/models/org/run.py/{PAIR}/",
        f"/models/org/error.log/{PAIR}/index.html",
        "/docs/scope/index.html",
        f"/models/org/model/{PAIR}/bundle.zip",
    ],
)
def test_a_page_is_never_sent_as_text(path: str) -> None:
    assert "Content-Type" not in headers_of(path)


def test_no_header_has_two_spellings() -> None:
    names = {name for rule in CONFIG["headers"] for name in rule["values"]}
    assert len(names) == len({name.lower() for name in names})
