"""The description for search engines holds what the data states, on two pages, and cannot end its element."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from sitegen.build import build
from sitegen.config import Settings
from sitegen.dataset import dataset
from tests.cases.site import parsed
from tests.factory import DAY, put, row, site_of, write

HOSTILE = '</script><script>alert(1)</script> & \u2028 "'


def test_what_is_not_known_is_left_out(tmp_path: Path) -> None:
    found = dataset(site_of(tmp_path, []))
    assert set(found) == {"@context", "@type", "name", "description", "variableMeasured"}


def test_what_is_known_is_said(tmp_path: Path) -> None:
    write(
        tmp_path / "catalog.toml",
        'licence = "apache-2.0"\nrevision = "r1"\ndataset = "https://example.org/d"\nnotice = "Invented."\n',
    )
    rows = [row("acme/a"), row("acme/b", tested_at=DAY.replace(day=1))]
    found = dataset(site_of(tmp_path, rows, base_url="https://example.org/c"))
    assert found["license"] == {"@type": "CreativeWork", "name": "apache-2.0"}
    assert found["version"] == "r1"
    assert found["isBasedOn"] == "https://example.org/d"
    assert found["temporalCoverage"] == "2026-10-01/2026-10-28"
    assert found["url"] == "https://example.org/c/data/"
    assert [d["contentUrl"] for d in found["distribution"]] == [
        "https://example.org/c/catalog.json",
        "https://example.org/c/catalog.parquet",
    ]
    assert found["description"].startswith("2 recorded runs of 2 models on Trainium under 1 version pair")
    assert found["description"].endswith("Invented.")


def test_a_licence_that_is_an_address_stays_one(tmp_path: Path) -> None:
    write(tmp_path / "catalog.toml", 'licence = "https://example.org/licence"\n')
    assert dataset(site_of(tmp_path, []))["license"] == "https://example.org/licence"


def built(folder: Path, **settings: Any) -> dict[str, str]:
    put(folder / "data", [row(notes=HOSTILE)])
    write(folder / "data" / "catalog.toml", f"title = {json.dumps(HOSTILE)}\n")
    build(Settings(data=folder / "data", out=folder / "site", **settings))
    return {p.relative_to(folder / "site").as_posix(): p.read_text("utf-8") for p in (folder / "site").rglob("*.html")}


def test_it_stands_on_the_first_page_and_the_data_page_and_stays_one_block(tmp_path: Path) -> None:
    pages = built(tmp_path)
    blocks = {path: re.findall(r'<script type="application/ld\+json">(.*?)</script>', h) for path, h in pages.items()}
    assert {path for path, found in blocks.items() if found} == {"index.html", "data/index.html"}
    (block,) = blocks["index.html"]
    assert json.loads(block)["name"] == HOSTILE.strip()
    assert "alert(1)</script>" not in pages["index.html"].partition("</head>")[0]


def test_every_page_has_a_text_card_that_says_what_its_head_says(tmp_path: Path) -> None:
    pages = built(tmp_path, base_url="https://example.org/c/")
    for path, html in pages.items():
        page = parsed(html.encode())
        cards = {e.attributes["property"]: e.attributes["content"] for e in page.elements if "property" in e.attributes}
        (description,) = page.all("meta", name="description")
        assert cards["og:description"] == description.attributes["content"]
        assert page.one("title").text.startswith(cards["og:title"])
        assert cards["og:site_name"] == HOSTILE.strip()
        canonical = [e.attributes["href"] for e in page.all("link", rel="canonical")]
        assert [cards[name] for name in ("og:url",) if name in cards] == canonical
        assert len(canonical) == (path != "404.html")
        assert page.one("meta", name="twitter:card").attributes["content"] == "summary"
        assert "og:image" not in cards


def test_without_an_address_no_card_has_one(tmp_path: Path) -> None:
    assert not [path for path, html in built(tmp_path).items() if "og:url" in html]
