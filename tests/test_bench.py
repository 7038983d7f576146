"""What `make bench` measures with: a host like the real one, and a reading of Lighthouse's result."""

from __future__ import annotations

import gzip
from http.client import HTTPConnection
from pathlib import Path

from tests.bench.audit import GOALS, Audit, failures
from tests.bench.host import host
from tests.factory import write
from tests.netlify import headers_of


def ask(root: str, path: str, **headers: str) -> tuple[int, dict[str, str], bytes]:
    """Status, headers and body of an answer, the body as it was sent."""
    connection = HTTPConnection(root.removeprefix("http://").rstrip("/"), timeout=10)
    connection.request("GET", f"/{path}", headers=headers)
    answer = connection.getresponse()
    found = answer.status, dict(answer.headers), answer.read()
    connection.close()
    return found


def test_the_host_sends_the_headers_of_netlify_and_compresses_text(tmp_path: Path) -> None:
    write(tmp_path / "index.html", "<p>Home</p>" * 100)
    write(tmp_path / "assets" / "icon.0123456789.svg", "<svg/>")
    with host(tmp_path) as root:
        status, sent, body = ask(root, "", **{"Accept-Encoding": "gzip"})
        assert (status, sent["Content-Type"]) == (200, "text/html; charset=utf-8")
        assert gzip.decompress(body) == (tmp_path / "index.html").read_bytes()
        assert headers_of("/").items() <= sent.items()
        _, sent, body = ask(root, "assets/icon.0123456789.svg")
        assert (body, "Content-Encoding" in sent) == (b"<svg/>", False)
        assert sent["Cache-Control"] == headers_of("/assets/x")["Cache-Control"]


def test_what_is_missing_gets_the_404_page(tmp_path: Path) -> None:
    write(tmp_path / "404.html", "Page not found")
    with host(tmp_path) as root:
        status, _, body = ask(root, "docs/nothing")
    assert (status, body) == (404, b"Page not found")


def test_an_address_as_the_hub_has_it_is_led_on_unless_a_file_is_there(tmp_path: Path) -> None:
    write(tmp_path / "acme" / "file", "here")
    with host(tmp_path) as root:
        status, sent, _ = ask(root, "Acme/Model-1B")
        assert (status, sent["Location"]) == (302, "/models/Acme/Model-1B/")
        assert ask(root, "acme/file")[0] == 200


def test_only_what_costs_points_is_listed() -> None:
    refs = [
        {"id": "passed", "weight": 3},
        {"id": "half", "weight": 3},
        {"id": "free", "weight": 0},
        {"id": "not-asked", "weight": 1},
    ]
    result = {
        "categories": {"seo": {"auditRefs": refs}},
        "audits": {
            "passed": {"score": 1, "title": "Passed"},
            "half": {
                "score": 0.5,
                "title": "Half",
                "displayValue": "2 found",
                "details": {"items": [{"node": {"snippet": "<a>"}}, {"url": "x.css"}]},
            },
            "free": {"score": 0, "title": "Free"},
            "not-asked": {"score": None, "title": "Not asked"},
        },
    }
    assert list(failures(result)) == ["seo: Half (2 found) [half, 0.50]", "    <a>", "    x.css"]


def test_a_score_at_its_goal_is_enough() -> None:
    assert Audit(GOALS, ()).below == ()
    assert Audit({**GOALS, "seo": 99}, ()).below == ("seo",)
