"""Rules over the assembled site: nothing is lost silently, and what is amiss has its place (case B58)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sitegen.checks import check
from sitegen.errors import Level, Problem, Problems
from sitegen.site import Site
from sitegen.urls import Addresses
from tests.factory import CONTROL, codes, put, row, site_of, write


def found(site: Site) -> list[Problem]:
    problems = Problems()
    check(site, problems)
    return list(problems)


@pytest.fixture
def site(tmp_path: Path) -> Site:
    put(tmp_path, [row(), row(), row("acme/"), row("acme/other-1b")])
    return site_of(tmp_path, base_url="https://example.org/")


def test_a_sound_site_has_no_problems(site: Site) -> None:
    assert (site.files[0].rows, site.files[0].runs, site.files[0].duplicates, site.files[0].refused) == (4, 2, 1, 1)
    assert found(site) == []


def _file(**changes: Any) -> Callable[[Site], Site]:
    return lambda site: replace(site, files=(replace(site.files[0], **changes),))


def _one_model_less(site: Site) -> Site:
    return replace(site, models=site.models[1:])


def _one_address(site: Site) -> Site:
    folders = dict.fromkeys(site.addresses.models, "models/acme/x/")
    return replace(site, addresses=Addresses(folders, site.addresses.pairs, {}))


@pytest.mark.parametrize(
    ("change", "code", "place", "text"),
    [
        (_file(rows=5), "rows-lost", "results.parquet", "5 rows, but 2 runs, 1 duplicates, 1 refused"),
        (_one_model_less, "rows-lost", "", "2 runs were read, 1 are on pages"),
        (_one_address, "address-twice", "", f"{CONTROL} and acme/other-1b have one address"),
    ],
)
def test_what_would_be_lost_is_an_error(
    site: Site, change: Callable[[Site], Site], code: str, place: str, text: str
) -> None:
    (problem,) = found(change(site))
    assert (problem.level, problem.code, str(problem.place)) == (Level.ERROR, code, place)
    assert text in problem.found


def test_a_file_that_was_left_out_counts_nothing(site: Site) -> None:
    lost = replace(site.files[0], file="bad.parquet", rows=0, runs=0, duplicates=0, refused=0, left_out="0 bytes")
    assert found(replace(site, files=(*site.files, lost))) == []


def test_a_missing_sentence_and_a_broken_link_are_notices(tmp_path: Path) -> None:
    write(tmp_path / "content" / "docs" / "own.md", "[gone](nowhere.md)\n")
    put(tmp_path / "data", [row()])
    site = site_of(tmp_path / "data", content=tmp_path / "content", base_url="https://example.org/")
    sentences = {name: text for name, text in site.texts.caveats.items() if name != "tokens-32"}
    problems = found(replace(site, texts=replace(site.texts, caveats=sentences)))
    assert [(p.level, p.code, p.place.file) for p in problems] == [
        (Level.NOTICE, "caveat-missing", "caveats/tokens-32.md"),
        (Level.NOTICE, "doc-link-broken", "docs/own.md"),
    ]


def test_no_file_is_a_notice_and_no_base_url_an_info(tmp_path: Path) -> None:
    problems = found(site_of(tmp_path))
    assert {(p.level, p.code) for p in problems} == {(Level.NOTICE, "no-files"), (Level.INFO, "no-base-url")}
    assert codes(found(site_of(tmp_path, [row()], base_url="https://example.org/"))) == []
