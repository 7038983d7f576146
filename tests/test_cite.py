"""Citations: a sentence and a BibTeX entry that stays one entry whatever the names in it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from sitegen.cite import Citation, citation
from sitegen.pages.parts import status
from tests.factory import row, site_of, write

ENTRY = re.compile(r"@misc\{([^\s,{}#%~\\\"'()=]+),\n((?:  \w+ = \{.*\},\n)+)\}\n")


def made(tmp_path: Path, base_url: str | None = None, catalog: str = "", **changes: Any) -> Citation:
    write(tmp_path / "catalog.toml", catalog)
    site = site_of(tmp_path, [row(**changes)], base_url=base_url)
    model, result = next((model, model.results[0]) for model in site.models if model.results)
    return citation(site, model, result, status(site, model, result))


def fields(found: Citation) -> dict[str, str]:
    entry = ENTRY.fullmatch(found.bibtex)
    assert entry is not None, found.bibtex
    return dict(re.findall(r"^  (\w+) = \{(.*)\},$", entry[2], re.MULTILINE))


def test_both_forms_say_what_was_observed_how_it_was_checked_and_where(tmp_path: Path) -> None:
    found = made(tmp_path, "https://example.org/c", 'revision = "abc_1"')
    page = "https://example.org/c/models/acme/control-1b/2.28.7631.0-5e0f61c7-transformers-5.21.0/"
    assert found.text == (
        "Model runs on AWS Trainium: acme/control-1b with neuronx-cc 2.28.7631.0+5e0f61c7 / transformers 5.21.0"
        f" (PASS, CPU match), tested 2026-10-28, results.parquet, row 1, data revision abc_1. {page}"
    )
    assert found.bibtex.startswith("@misc{acme:control-1b:2.28.7631.0-5e0f61c7-transformers-5.21.0,\n")
    assert fields(found) == {
        "title": ("{acme/control-1b with neuronx-cc 2.28.7631.0+5e0f61c7 / transformers 5.21.0: PASS, CPU match}"),
        "howpublished": "Model runs on AWS Trainium",
        "year": "2026",
        "note": r"Tested 2026-10-28; results.parquet, row 1, data revision abc\_1",
        "url": page,
    }
    assert found.permalink == page


def test_without_an_address_or_a_date_neither_is_made_up(tmp_path: Path) -> None:
    found = made(tmp_path, tested_at=None)
    assert found.permalink is None
    assert found.text.endswith("tested not recorded, results.parquet, row 1.")
    assert fields(found).keys() == {"title", "howpublished", "note"}
    assert fields(found)["note"] == "Date of the test not recorded; results.parquet, row 1"


@pytest.mark.parametrize(
    "model_id", ["a{b", "a}}b", "a}, } @misc{evil, title = {x", "%x", "\\", "é/ü", "\U0001d538" * 300]
)
def test_an_entry_stays_one_entry(tmp_path: Path, model_id: str) -> None:
    found = made(tmp_path, "https://example.org/{c}/", model_id=model_id, result=model_id, library=model_id)
    assert found.bibtex.count("\n") == len(fields(found)) + 2
    assert found.text.count("\n") == 0
    for value in fields(found).values():
        depths = [value[: i + 1].count("{") - value[: i + 1].count("}") for i in range(len(value))]
        assert min(depths) >= 0
        assert depths[-1] == 0
    entry = ENTRY.fullmatch(found.bibtex)
    assert entry is not None
    assert entry[1].isascii()
    assert fields(found)["url"].startswith("https://example.org/%7Bc%7D/models/")


def test_no_two_results_share_a_key(tmp_path: Path) -> None:
    ids = ["acme/x-1b", "acme-x/1b", "acme/x_1b", "x-1b", "acme/X-1B"]
    site = site_of(tmp_path, [row(model_id) for model_id in ids])
    keys = {
        citation(site, model, result, status(site, model, result)).bibtex.split("\n")[0]
        for model in site.models
        for result in model.results
    }
    assert len(keys) == len(ids)
