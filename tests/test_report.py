"""Prefilled reports: whatever the names, the address stays short and says what it is about."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from sitegen.pages.parts import pair_text
from sitegen.report import URL_MAX, problem_url, request_url
from tests.factory import ranking, row, site_of, write

CATALOG = 'report_url = "https://example.org/new?title={title}&body={body}&labels=result"'
LONG = ["a" * 300, "\U0001d538" * 300, "\u4e16/" + "\u754c" * 299, "%&=#?+ " * 60, "e\u0301" * 150]


def asked(url: str | None) -> dict[str, str]:
    """Title and body of a report."""
    assert url is not None
    assert len(url) < URL_MAX
    found = parse_qs(urlsplit(url).query, strict_parsing=True, errors="strict")
    assert found.pop("labels") == ["result"]
    return {name: value[0] for name, value in found.items()}


def problem(tmp_path: Path, base_url: str | None = None, **changes: Any) -> dict[str, str]:
    write(tmp_path / "catalog.toml", CATALOG)
    site = site_of(tmp_path, [row(**changes)], base_url=base_url)
    result = site.results[0]
    return asked(problem_url(site, result, result.headline, pair_text(site, result.pair)))


def test_a_report_names_model_pair_source_and_page(tmp_path: Path) -> None:
    found = problem(tmp_path, "https://example.org/c/")
    assert found == {
        "title": "acme/control-1b with neuronx-cc 2.28.7631.0+5e0f61c7 / transformers 5.21.0",
        "body": (
            "Model: acme/control-1b\n"
            "Pair: neuronx-cc 2.28.7631.0+5e0f61c7 / transformers 5.21.0\n"
            "Source: results.parquet, row 1\n"
            "Page: https://example.org/c/models/acme/control-1b/2.28.7631.0-5e0f61c7-transformers-5.21.0/\n"
            "\nWhat is wrong:\n"
        ),
    }
    assert "Page" not in problem(tmp_path)["body"]


@pytest.mark.parametrize("name", LONG)
def test_an_address_is_short_enough_whatever_the_names(tmp_path: Path, name: str) -> None:
    found = problem(tmp_path, "https://example.org/c/", model_id=name, neuronx_cc=name, library=name)
    start = name[:10].rstrip()
    assert found["title"].startswith(start)
    lines = found["body"].split("\n")
    assert [line.partition(": ")[0] for line in lines[:4]] == ["Model", "Pair", "Source", "Page"]
    assert lines[0].startswith(f"Model: {start}")
    assert lines[2] == "Source: results.parquet, row 1"
    assert lines[3].endswith("/")  # the page's address is whole
    assert found["body"].endswith("\n\nWhat is wrong:\n")


@pytest.mark.parametrize("name", [*LONG, "模型 & ?#"])
def test_a_request_for_a_test_too(tmp_path: Path, name: str) -> None:
    write(tmp_path / "catalog.toml", CATALOG)
    ranking(tmp_path, [name])
    site = site_of(tmp_path, [row()])
    model = next(model for model in site.models if not model.results)
    found = asked(request_url(site, model))
    assert found["title"].startswith(f"Please test {name[:1]}")
    assert found["body"].endswith("It has no result in “Model runs on AWS Trainium” yet.")
    assert request_url(site, site.by_id["acme/control-1b"]) is None


def test_without_a_place_for_reports_there_is_none(tmp_path: Path) -> None:
    site = site_of(tmp_path, [row()])
    assert problem_url(site, site.results[0], site.results[0].headline, "") is None
