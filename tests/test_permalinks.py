"""What one build published, the next one answers: by its page, its successor, or a word on what was there."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sitegen.build import build, inspect
from sitegen.config import Settings
from sitegen.errors import Refused, StrictNotices
from sitegen.published import load_published
from tests.builds import FAILED, OLDER, PAIR, addresses, files, made, text
from tests.factory import put, ranking, row, write


def first(folder: Path) -> Path:
    ids = ("acme/stays-1b", "acme/renamed-1b", "acme/Cased-1B", "acme/removed-1b", "acme/breaks-1b")
    put(folder / "a", [row(i, **OLDER) for i in ids] + [row("acme/heals-1b", **OLDER, **FAILED)])
    return made(folder, "a")


def second(folder: Path, said: list[str] | None = None, **more: Any) -> Path:
    """A pair added; one model renamed, one re-cased, one removed, one broken, one healed."""
    ids = ("acme/stays-1b", "acme/new-name-1b", "acme/cased-1b", "acme/breaks-1b", "acme/heals-1b")
    put(folder / "b", [row(i, **OLDER, **(FAILED if "heals" in i else {})) for i in ids], "old.parquet")
    newer = [row("acme/breaks-1b", **FAILED), row("acme/heals-1b"), row("acme/newcomer-1b")]
    put(folder / "b", newer, "new.parquet")
    ranking(folder / "b", [{"id": "acme/new-name-1b", "was": ["acme/renamed-1b"]}])
    return made(folder, "b", previous=folder / "a-site" / "urls.json", said=said, **more)


def test_the_list_has_every_page_and_file_but_assets_and_scripts(tmp_path: Path) -> None:
    site = first(tmp_path)
    there = {path.relative_to(site).as_posix() for path in site.rglob("*") if path.is_file() and path.name[0] != "."}
    table = json.loads((site / "urls.json").read_bytes())
    listed = {*table["pages"], *table["files"]}
    assert {path for path in there if not path.startswith("assets/") and not path.endswith(".js")} == listed
    assert table["pages"][f"models/acme/stays-1b/{PAIR}/index.html"].startswith("the result of acme/stays-1b")


def test_every_page_of_a_build_answers_in_the_next(tmp_path: Path) -> None:
    one, other = first(tmp_path), second(tmp_path)
    for path in addresses(one):
        assert (other / path).is_file(), path


def test_a_renamed_model_leads_on_page_by_page_and_file_by_file(tmp_path: Path) -> None:
    first(tmp_path)
    site = second(tmp_path)
    for path in ("index.html", f"{PAIR}/index.html"):
        page = text(site, f"models/acme/renamed-1b/{path}")
        assert re.search(rf'http-equiv="refresh" content="0; url=(\.\./)+new-name-1b/{re.escape(path)}"', page)
        assert f'<link rel="canonical" href="https://example.org/models/acme/new-name-1b/{path[:-10]}">' in page
    same = f"{PAIR}/run.py"
    assert text(site, f"models/acme/renamed-1b/{same}") == text(site, f"models/acme/new-name-1b/{same}")


def test_a_removed_model_says_what_was_there_and_leads_to_its_owner(tmp_path: Path) -> None:
    first(tmp_path)
    page = text(second(tmp_path), f"models/acme/removed-1b/{PAIR}/index.html")
    assert "the result of acme/removed-1b under neuronx-cc 2.27.5334.0+f702b353 / transformers 5.18.0" in page
    assert "<bdi>All of acme</bdi>" in page
    assert '<meta name="robots" content="noindex">' in page


def test_a_model_in_another_case_keeps_its_address(tmp_path: Path) -> None:
    first(tmp_path)
    assert "cased-1b" in text(second(tmp_path), "models/acme/cased-1b/index.html")


def test_what_changed_is_said_before_anything_is_written(tmp_path: Path) -> None:
    first(tmp_path)
    said: list[str] = []
    second(tmp_path, said)
    lines = [line.removeprefix("since the earlier build: ") for line in said]
    assert lines[0] == "1 model regressed: acme/breaks-1b"
    assert lines[1] == "1 model fixed: acme/heals-1b"
    assert lines[2] == "1 model new: acme/newcomer-1b"
    renamed = "acme/cased-1b (was acme/Cased-1B), acme/new-name-1b (was acme/renamed-1b)"
    assert lines[3] == f"2 models renamed: {renamed}"
    assert lines[4] == "1 model no longer listed: acme/removed-1b"
    assert any("gone" in line for line in lines)


def test_under_strict_a_lost_address_stops_the_build_and_the_last_site_stays(tmp_path: Path) -> None:
    first(tmp_path)
    with pytest.raises(StrictNotices) as stopped:
        second(tmp_path, strict=True)
    assert {problem.code for problem in stopped.value.problems} >= {"address-lost"}
    assert not (tmp_path / "b-site").exists()


def test_what_moved_or_went_stays_answered_in_later_builds(tmp_path: Path) -> None:
    one = first(tmp_path)
    other = second(tmp_path)
    put(tmp_path / "c", [row("acme/stays-1b", **OLDER), row("acme/new-name-1b", **OLDER)])
    third = made(tmp_path, "c", previous=other / "urls.json")
    for path in addresses(one) | addresses(other):
        assert (third / path).is_file(), path
    assert "new-name-1b" in text(third, "models/acme/renamed-1b/index.html")
    assert "the model acme/removed-1b" in text(third, "models/acme/removed-1b/index.html")


def test_files_follow_a_model_through_several_names(tmp_path: Path) -> None:
    names = ("acme/aaa", "acme/bbb", "acme/ccc")
    previous = None
    for number, name in enumerate(names):
        put(tmp_path / name[-1], [row(name, **OLDER)])
        ranking(tmp_path / name[-1], [{"id": name, "was": list(names[:number])}])
        previous = made(tmp_path, name[-1], previous=previous and previous / "urls.json")
    assert previous is not None
    own = files(previous, "acme/ccc")
    assert {"badge.svg", "model.json", f"{PAIR}/run.py"} <= own.keys()
    assert own == files(previous, "acme/aaa") == files(previous, "acme/bbb")


def test_a_name_that_becomes_known_a_build_later_still_leads_on(tmp_path: Path) -> None:
    put(tmp_path / "a", [row("acme/aaa", **OLDER)])
    put(tmp_path / "b", [row("acme/bbb", **OLDER)])
    one = made(tmp_path, "a")
    two = made(tmp_path, "b", previous=one / "urls.json")
    assert "This page is gone" in text(two, "models/acme/aaa/index.html")
    put(tmp_path / "c", [row("acme/bbb", **OLDER)])
    ranking(tmp_path / "c", [{"id": "acme/bbb", "was": ["ACME/aaa"]}])
    three = made(tmp_path, "c", previous=two / "urls.json")
    assert "url=../bbb/index.html" in text(three, "models/acme/aaa/index.html")
    assert files(three, "acme/aaa") == files(three, "acme/bbb")


def test_a_model_that_differed_in_case_is_not_the_other_one_when_it_goes(tmp_path: Path) -> None:
    put(tmp_path / "a", [row("acme/Amb", **OLDER), row("acme/amb", **OLDER, **FAILED)])
    put(tmp_path / "b", [row("acme/Amb", **OLDER)])
    one = made(tmp_path, "a")
    gone = next(path for path in addresses(one) if re.fullmatch(r"models/acme/amb--[0-9a-f]+/index\.html", path)
                and ">acme/amb<" in text(one, path))  # fmt: skip
    two = made(tmp_path, "b", previous=one / "urls.json")
    assert "This page is gone" in text(two, gone)
    badge = json.loads((two / gone).with_name("badge.json").read_bytes())
    assert badge["message"] == "no longer listed"


def test_a_result_that_a_renamed_model_has_no_more_is_gone_and_leads_to_the_model(tmp_path: Path) -> None:
    put(tmp_path / "a", [row("acme/aaa", **OLDER), row("acme/aaa")])
    put(tmp_path / "b", [row("acme/bbb")])
    ranking(tmp_path / "b", [{"id": "acme/bbb", "was": ["acme/aaa"]}])
    one = made(tmp_path, "a")
    page = text(made(tmp_path, "b", previous=one / "urls.json"), f"models/acme/aaa/{PAIR}/index.html")
    assert "This page is gone" in page
    assert "<bdi>acme/bbb</bdi>" in page


def test_a_list_that_names_what_belongs_to_the_build_stops_nothing(tmp_path: Path) -> None:
    put(tmp_path / "a", [row()])
    odd = {"index.html/x.html": "a page", "models/index.html": "a page", "urls.json/y/index.html": "a page"}
    odd |= {"x/a.html": "a page", "x/a.html/index.html": "a page"}
    previous = write(
        tmp_path / "urls.json",
        json.dumps(LISTS | {"pages": odd, "files": ["site.zip", "urls.json", "x/a.html/b", "x"]}),
    )
    assert (made(tmp_path, "a", previous=previous, zip=True) / "site.zip").is_file()


def test_a_frozen_badge_of_a_removed_pair_says_that_it_is_no_longer_listed(tmp_path: Path) -> None:
    put(tmp_path / "a", [row("acme/a"), row("acme/a", **OLDER)])
    put(tmp_path / "b", [row("acme/a")])
    one = made(tmp_path, "a")
    path = f"badges/{PAIR}-pass-cpu-match.svg"
    assert "PASS" in text(one, path)
    two = made(tmp_path, "b", previous=one / "urls.json")
    assert "no longer listed" in text(two, path)
    assert "PASS" not in text(two, path)
    three = made(tmp_path, "b", previous=two / "urls.json")
    assert text(three, path) == text(two, path)


def test_the_list_of_another_catalogue_is_noticed(tmp_path: Path) -> None:
    put(tmp_path / "a", [row("acme/a")])
    put(tmp_path / "b", [row("other/b")])
    one = made(tmp_path, "a")
    report = inspect(Settings(data=tmp_path / "b", previous=one / "urls.json"))
    assert "none of its 1 model is in this catalogue" in [problem.found for problem in report.problems]


def test_what_comes_back_is_its_own_page_again(tmp_path: Path) -> None:
    first(tmp_path)
    other = second(tmp_path)
    put(tmp_path / "c", [row("acme/removed-1b", **OLDER)])
    page = text(made(tmp_path, "c", previous=other / "urls.json"), f"models/acme/removed-1b/{PAIR}/index.html")
    assert "This page is gone" not in page


def test_a_list_that_became_shorter_leads_to_its_first_page(tmp_path: Path) -> None:
    put(tmp_path / "a", [row(f"acme/m-{n}") for n in range(250)])
    put(tmp_path / "b", [row(f"acme/m-{n}") for n in range(3)])
    one = made(tmp_path, "a")
    site = made(tmp_path, "b", previous=one / "urls.json")
    assert 'content="0; url=../index.html"' in text(site, "all/page-2/index.html")


def test_the_same_build_twice_changes_nothing(tmp_path: Path) -> None:
    first(tmp_path)
    other = second(tmp_path)
    before = (other / "urls.json").read_bytes()
    again = made(tmp_path, "b", previous=other / "urls.json")
    assert json.loads((again / "urls.json").read_bytes()) == json.loads(before)


@pytest.mark.parametrize("zipped", [False, True])
def test_what_is_made_last_of_all_is_not_taken_for_lost(zipped: bool, tmp_path: Path) -> None:
    put(tmp_path / "data", [row()])
    settings = Settings(data=tmp_path / "data", out=tmp_path / "site", zip=zipped)
    build(settings)
    again = replace(settings, previous=tmp_path / "site/urls.json")
    for report in (inspect(again), build(again)):
        assert [problem.code for problem in report.problems if problem.code == "address-lost"] == []


def test_check_says_the_same_and_writes_nothing(tmp_path: Path) -> None:
    one = first(tmp_path)
    put(tmp_path / "b", [row("acme/stays-1b", **OLDER)])
    said: list[str] = []
    report = inspect(Settings(data=tmp_path / "b", previous=one / "urls.json"), say=said.append)
    assert [problem.code for problem in report.problems if problem.code == "address-lost"]
    assert said


LISTS: dict[str, Any] = {
    "lost": [], "former": {},
    "schema": "sitegen-urls", "version": 1, "pages": {}, "files": [], "moved": {}, "gone": {}, "models": {}
}  # fmt: skip


BAD: list[tuple[str, Any]] = [
    ("version", 2),
    ("pages", {"../x": "y"}),
    ("pages", {"/x": "y"}),
    ("moved", []),
    ("files", ["A"]),
    ("models", {"a": [1]}),
    ("pages", {".sitegen": "y"}),
    ("pages", {"assets/x.html": "y"}),
    ("pages", {"run.py": "y"}),
    ("pages", {"x" * 300 + ".html": "y"}),
    ("pages", {"con.html": "y"}),
    ("pages", {"aux/index.html": "y"}),
    ("pages", {"a/com1.x/index.html": "y"}),
    ("files", ["x."]),
    ("lost", ["nul"]),
    ("moved", {"a.html": ["lpt1.html", "y"]}),
    ("renamed", {"acme/a": None}),
    ("gone", {"x/index.html": None}),
    ("files", "abc"),
]


@pytest.mark.parametrize(
    "content",
    [
        "",
        "{}",
        "[]",
        "[" * 100_000,
        *(json.dumps(LISTS | {name: value}) for name, value in BAD),
    ],
)
def test_a_list_that_cannot_be_one_is_refused_in_words(tmp_path: Path, content: str) -> None:
    with pytest.raises(Refused, match=r"--previous: .*expected urls\.json of an earlier build"):
        load_published(write(tmp_path / "urls.json", content))
