"""netlify.toml says what the design promises of the hosted site."""

from __future__ import annotations

import json
import re
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
from packaging.specifiers import SpecifierSet

from sitegen.build import inspect
from sitegen.config import Settings
from sitegen.content import packaged
from tests.netlify import CONFIG, FILE, ROOT, headers_of, redirect_of
from tests.tooling.node import Node

PAIR = "2.28.7631.0-5e0f61c7-transformers-5.21.0"
TEXT = "text/plain; charset=utf-8"
READ_BY_NETLIFY = ROOT / "tests/js/netlify.mjs"


@pytest.fixture(scope="module")
def theirs(node: Node) -> dict[str, Any]:
    """What Netlify's own packages read in the file."""
    return read_by_netlify(node)


def read_by_netlify(node: Node, *headers_files: Path) -> dict[str, Any]:
    command = [node.path, READ_BY_NETLIFY, FILE, *headers_files]
    done = subprocess.run(command, env=node.environment, capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_netlify_itself_finds_no_error_and_the_same_rules(theirs: dict[str, Any]) -> None:
    assert theirs["errors"] == []
    assert [(rule["for"], rule["values"]) for rule in theirs["headers"]] == [
        (rule["for"], rule["values"]) for rule in CONFIG["headers"]
    ]
    assert [(rule["from"], rule["to"], rule["status"], rule["force"]) for rule in theirs["redirects"]] == [
        (rule["from"], rule["to"], rule["status"], False) for rule in CONFIG["redirects"]
    ]


def test_netlify_matches_the_same_addresses(theirs: dict[str, Any]) -> None:
    # The two spell their patterns a little apart, so they are compared by what they match.
    paths = [
        "/",
        "/x",
        "/index.html",
        "/schema",
        "/models/a/b/",
        "/MODELS/a/b/badge.svg",
        "/sitemap-9.xml",
        *FOR_PROGRAMS,
    ]
    paths += [f"/models/a/b/{PAIR}/{name}" for name in ("", "run.py", "error.log", "xrun.py", "runs/1/bundle.zip")]
    for path in paths:
        matching = [rule["values"] for rule in theirs["headers"] if re.search(rule["forRegExp"], path, re.IGNORECASE)]
        assert headers_of(path) == {name: value for values in matching for name, value in values.items()}, path


def test_netlify_builds_the_real_catalogue_and_previews_the_demo(theirs: dict[str, Any]) -> None:
    builds = theirs["builds"]
    assert builds["production"]["command"] == 'make publish BASE_URL="$URL"'
    for context in ("deploy-preview", "branch-deploy"):
        assert builds[context]["command"].startswith('make site BASE_URL="$DEPLOY_PRIME_URL" && ')
    for build in builds.values():
        assert Path(build["publish"]) == ROOT / "site"
        assert build["processing"]["skip_processing"] is True
        assert build["processing"]["html"]["pretty_urls"] is False


@pytest.mark.parametrize("context", ["deploy-preview", "branch-deploy"])
def test_no_search_engine_keeps_a_preview(context: str, node: Node, tmp_path: Path) -> None:
    after_build = CONFIG["context"][context]["command"].split(" && ", 1)[1]
    (tmp_path / "site").mkdir()
    subprocess.run(["sh", "-c", after_build], cwd=tmp_path, check=True)
    found = read_by_netlify(node, tmp_path / "site/_headers")
    assert found["errors"] == []
    rule = next(rule for rule in found["headers"] if "X-Robots-Tag" in rule["values"])
    assert (rule["for"], rule["values"]) == ("/*", {"X-Robots-Tag": "noindex"})


def test_what_is_published_may_be_indexed() -> None:
    assert "X-Robots-Tag" not in {name for rule in CONFIG["headers"] for name in rule["values"]}


@pytest.mark.parametrize(
    ("asked", "answer"),
    {
        "/acme/model-1b": (302, "/models/acme/model-1b/"),
        "/Acme/Model-1B/": (302, "/models/Acme/Model-1B/"),
        "/docs/x/": (404, "/404.html"),
        "/versions/nothing/index.html": (404, "/404.html"),
        "/models/acme": (404, "/404.html"),
        "/models/Acme/Model-1B/": (404, "/404.html"),
        "/page-99/index.html": (404, "/404.html"),
        "/.well-known/security.txt": (404, "/404.html"),
        "/nothing": None,
        "/a/b/c": None,
    }.items(),
)
def test_an_address_without_a_file_leads_to_a_model_or_stays(asked: str, answer: tuple[int, str] | None) -> None:
    assert redirect_of(asked) == answer


def test_every_folder_of_the_site_keeps_its_addresses() -> None:
    settings = Settings(data=packaged("content") / "demo", base_url="https://example.org/")
    folders = {path.split("/")[0] for path in inspect(settings).plan.paths if "/" in path}
    own = {rule["from"].split("/")[1] for rule in CONFIG["redirects"] if rule["status"] == 404}
    assert folders <= own


def policy() -> dict[str, list[str]]:
    directives = headers_of("/")["Content-Security-Policy"].split(";")
    return {words[0]: words[1:] for words in map(str.split, directives)}


def test_pins_a_python_that_the_project_allows() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert CONFIG["build"]["environment"]["PYTHON_VERSION"] in SpecifierSet(project["requires-python"])


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
    assert sent["Cross-Origin-Opener-Policy"] == "same-origin"
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
ATOM, ZIP, PARQUET = "application/atom+xml; charset=utf-8", "application/zip", "application/vnd.apache.parquet"
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
    f"/models/org/model/{PAIR}/bundle.zip": ZIP,
    f"/models/org/model/{PAIR}/runs/0123456789ab/bundle.zip": ZIP,
    "/site.zip": ZIP,
    "/urls.json": JSON,
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
        f"/models/org/bundle.zip/{PAIR}/",
    ],
)
def test_a_page_is_never_sent_as_text(path: str) -> None:
    assert "Content-Type" not in headers_of(path)


def test_no_header_has_two_spellings() -> None:
    names = {name for rule in CONFIG["headers"] for name in rule["values"]}
    assert len(names) == len({name.lower() for name in names})
