"""Where the addresses of pairs, runs, owners and renamed models lead after the data changed."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from sitegen.build import inspect
from sitegen.config import Settings
from tests.builds import FAILED, OLDER, PAIR, addresses, files, made, text
from tests.factory import DAY, put, ranking, row, write

PAIRS = [{"library_version": f"5.{minor}.0", "transformers": f"5.{minor}.0"} for minor in (18, 19, 20, 21)]
SEGMENTS = [f"2.28.7631.0-5e0f61c7-transformers-{pair['library_version']}" for pair in PAIRS]
RETEST = {"tested_at": DAY + timedelta(days=1), "wall_s": 300}


def lost(data: Path, previous: Path) -> list[str]:
    """What a check says of lost addresses."""
    report = inspect(Settings(data=data, previous=previous / "urls.json", base_url="https://example.org/"))
    return [problem.found for problem in report.problems if problem.code == "address-lost"]


def listed(site: Path) -> Any:
    return json.loads((site / "urls.json").read_bytes())


# -- Comparisons


@pytest.mark.parametrize("models", [1, 250])
def test_a_comparison_whose_pairs_are_in_the_data_leads_to_those_that_are_made(models: int, tmp_path: Path) -> None:
    for name, many in (("a", 3), ("b", 4)):
        put(tmp_path / name, [row(f"acme/m{n}", **pair) for pair in PAIRS[:many] for n in range(models)])
    one = made(tmp_path, "a")
    old = {path for path in addresses(one) if path.startswith("compare/")}
    unmade = old - addresses(made(tmp_path, "b"))
    two = made(tmp_path, "b", previous=one / "urls.json", strict=True)
    pages = ["", "page-2/"] if models > 200 else [""]
    assert unmade == {f"compare/{SEGMENTS[0]}/{SEGMENTS[2]}/{page}index.html" for page in pages}
    for path in unmade:
        page = text(two, path)
        assert "The data has both" in page
        assert "no longer has" not in page
        for pair in (PAIRS[0], PAIRS[2]):
            assert page.count(f"transformers {pair['library_version']}") > 2
        links = set(re.findall(r'href="(?:\.\./)+([^"]*index\.html)"', page))
        made_now = {(0, 3), (2, 3), (1, 2)}  # the two with the newest, and with their predecessors
        assert {f"{SEGMENTS[old]}/{SEGMENTS[new]}/index.html" for old, new in made_now} <= {
            link.removeprefix("compare/") for link in links
        } | {f"{SEGMENTS[0]}/{link}" for link in links}
        assert {f"versions/{SEGMENTS[n]}/index.html" for n in (0, 2)} <= links
        assert listed(two)["pages"][path].startswith("the comparison of neuronx-cc")
    third = made(tmp_path, "b", previous=two / "urls.json", strict=True)
    assert all((third / path).read_bytes() == (two / path).read_bytes() for path in unmade)


def test_what_an_earlier_build_called_gone_is_answered_so_too(tmp_path: Path) -> None:
    put(tmp_path / "a", [row(**pair) for pair in PAIRS])
    one = made(tmp_path, "a")
    table = listed(one)
    path = f"compare/{SEGMENTS[0]}/{SEGMENTS[2]}/index.html"
    table["gone"][path] = "a comparison of two pairs"
    previous = tmp_path / "urls.json"
    previous.write_text(json.dumps(table), "utf-8")
    two = made(tmp_path, "a", previous=previous)
    assert "The data has both" in text(two, path)
    assert listed(two)["gone"] == {}


def test_a_comparison_with_a_pair_that_is_gone_says_which_it_was(tmp_path: Path) -> None:
    put(tmp_path / "a", [row(**pair) for pair in PAIRS[:2]])
    put(tmp_path / "b", [row(**PAIRS[1])])
    one = made(tmp_path, "a")
    two = made(tmp_path, "b", previous=one / "urls.json")
    names = [f"neuronx-cc 2.28.7631.0+5e0f61c7 / transformers {pair['library_version']}" for pair in PAIRS[:2]]
    page = text(two, f"compare/{SEGMENTS[0]}/{SEGMENTS[1]}/index.html")
    assert f"At this address was the comparison of {names[1]} with {names[0]}. The data" in page
    gone = listed(two)["gone"]
    assert gone[f"versions/{SEGMENTS[0]}/index.html"] == f"the list Selected under {names[0]}"
    assert gone[f"versions/{SEGMENTS[0]}/trending/index.html"] == f"the list Trending under {names[0]}"
    assert not any("two pairs" in what for what in listed(two)["pages"].values())


# -- Pairs


def test_a_library_in_another_case_moves_no_address(tmp_path: Path) -> None:
    put(tmp_path / "a", [row("acme/a")])
    put(tmp_path / "b", [row("acme/a"), row("acme/b", library="Transformers")])
    write(tmp_path / "b/exceptions.toml", '[[exception]]\ncode = "pair-twin"\nreason = "Two libraries."\n')
    one = made(tmp_path, "a")
    two = made(tmp_path, "b", previous=one / "urls.json", strict=True)
    assert addresses(one) <= set(listed(two)["pages"])


# -- Files of runs


def test_a_log_stays_when_a_retest_has_none(tmp_path: Path) -> None:
    put(tmp_path / "a", [row("acme/a", **FAILED)])
    put(tmp_path / "b", [row("acme/a", **FAILED), row("acme/a", **RETEST)])
    one = made(tmp_path, "a")
    assert [what for what in lost(tmp_path / "b", one) if "the signature" not in what] == []
    two = made(tmp_path, "b", previous=one / "urls.json")
    (log,) = (path for path in listed(one)["files"] if path.endswith("error.log"))
    assert (two / log).read_bytes() == (one / log).read_bytes()
    three = made(tmp_path, "b", previous=two / "urls.json", strict=True)
    assert (three / log).read_bytes() == (one / log).read_bytes()


def test_files_of_a_run_stay_when_a_newer_run_is_removed(tmp_path: Path) -> None:
    put(tmp_path / "a", [row("acme/a", **FAILED), row("acme/a", **{**FAILED, "error": "y\n"}, **RETEST)])
    put(tmp_path / "b", [row("acme/a", **FAILED)])
    one = made(tmp_path, "a")
    assert [what for what in lost(tmp_path / "b", one) if "the signature" not in what] == []
    two = made(tmp_path, "b", previous=one / "urls.json")
    named = [path for path in listed(one)["files"] if "/runs/" in path]
    assert sorted(path.rpartition("/")[2] for path in named) == ["bundle.zip", "error.log", "run.py"]
    for path in named:
        assert (two / path).read_bytes() == (two / re.sub(r"runs/[0-9a-f]{12}/", "", path)).read_bytes()
    assert text(two, next(path for path in named if path.endswith(".log"))) == "ValueError: x\n"


def test_a_run_that_is_removed_has_no_stand_in(tmp_path: Path) -> None:
    put(tmp_path / "a", [row("acme/a", **FAILED), row("acme/a", **RETEST)])
    put(tmp_path / "b", [row("acme/a", **RETEST)])
    one = made(tmp_path, "a")
    two = made(tmp_path, "b", previous=one / "urls.json")
    named = [path for path in listed(one)["files"] if "/runs/" in path]
    assert named
    assert not any((two / path).exists() for path in named)


def test_both_hold_for_a_renamed_model(tmp_path: Path) -> None:
    put(tmp_path / "a", [row("acme/a", **FAILED)])
    put(tmp_path / "b", [row("acme/b", **FAILED), row("acme/b", **RETEST)])
    ranking(tmp_path / "b", [{"id": "acme/b", "was": ["acme/a"]}])
    one = made(tmp_path, "a")
    two = made(tmp_path, "b", previous=one / "urls.json")
    (log,) = (path for path in listed(one)["files"] if path.endswith("error.log"))
    assert text(two, log) == "ValueError: x\n"


# -- Renames


def test_a_rename_that_was_told_once_is_known_for_good(tmp_path: Path) -> None:
    put(tmp_path / "a", [row("acme/a", **OLDER)])
    put(tmp_path / "b", [row("acme/a", **OLDER)])
    ranking(tmp_path / "b", [{"id": "acme/a9", "was": ["acme/A"]}])
    put(tmp_path / "c", [row("acme/a9", **OLDER)])
    one = made(tmp_path, "a")
    two = made(tmp_path, "b", previous=one / "urls.json")
    assert listed(two)["renamed"] == {"acme/a": "acme/a9"}
    said: list[str] = []
    three = made(tmp_path, "c", previous=two / "urls.json", said=said)
    assert f"url=../../a9/{PAIR}/index.html" in text(three, f"models/acme/a/{PAIR}/index.html")
    assert files(three, "acme/a") == files(three, "acme/a9")
    assert not [line for line in said if "no longer" in line]
    assert listed(three)["renamed"] == {"acme/a": "acme/a9"}


def test_a_list_without_renames_is_read(tmp_path: Path) -> None:
    put(tmp_path / "a", [row("acme/a")])
    one = made(tmp_path, "a")
    table = listed(one)
    del table["renamed"]
    (one / "urls.json").write_text(json.dumps(table), "utf-8")
    assert addresses(made(tmp_path, "a", previous=one / "urls.json")) == addresses(one)


def test_a_name_that_is_ranked_again_is_no_earlier_one(tmp_path: Path) -> None:
    put(tmp_path / "a", [row("acme/a9", **OLDER)])
    ranking(tmp_path / "a", [{"id": "acme/a9", "was": ["acme/a"]}])
    put(tmp_path / "b", [row("acme/a9", **OLDER), row("acme/a")])
    ranking(tmp_path / "b", ["acme/a"])
    put(tmp_path / "c", [row("acme/a9", **OLDER)])
    previous = None
    for name in "abc":
        previous = made(tmp_path, name, previous=previous and previous / "urls.json")
    assert previous
    assert "This page is gone" in text(previous, "models/acme/a/index.html")


# -- Owners


def test_an_owner_whose_models_all_went_to_another_leads_there(tmp_path: Path) -> None:
    names = ("x-1b", "y-1b")
    put(tmp_path / "a", [row(f"old/{name}") for name in names])
    put(tmp_path / "b", [row(f"new/{name}") for name in names])
    ranking(tmp_path / "b", [{"id": f"new/{name}", "was": [f"old/{name}"]} for name in names])
    one = made(tmp_path, "a")
    two = made(tmp_path, "b", previous=one / "urls.json")
    assert "url=../new/index.html" in text(two, "models/old/index.html")
    assert not [what for what in lost(tmp_path / "b", one) if "models/old/index.html" in what or "addresses" in what]
    put(tmp_path / "c", [row(f"newer/{name}") for name in names])
    ranking(tmp_path / "c", [{"id": f"newer/{name}", "was": [f"new/{name}"]} for name in names])
    three = made(tmp_path, "c", previous=two / "urls.json")
    for owner in ("old", "new"):
        assert "url=../newer/index.html" in text(three, f"models/{owner}/index.html")


def test_so_do_the_further_pages_of_an_owner(tmp_path: Path) -> None:
    put(tmp_path / "a", [row(f"old/m{n}") for n in range(250)])
    put(tmp_path / "b", [row(f"new/m{n}") for n in range(250)])
    ranking(tmp_path / "b", [{"id": f"new/m{n}", "was": [f"old/m{n}"]} for n in range(250)])
    one = made(tmp_path, "a")
    two = made(tmp_path, "b", previous=one / "urls.json")
    assert "url=../../new/index.html" in text(two, "models/old/page-2/index.html")


def test_an_owner_whose_models_went_to_several_names_them(tmp_path: Path) -> None:
    put(tmp_path / "a", [row("old/x-1b"), row("old/y-1b"), row("old/z-1b")])
    put(tmp_path / "b", [row("new/x-1b"), row("other/y-1b")])
    ranking(tmp_path / "b", [{"id": "new/x-1b", "was": ["old/x-1b"]}, {"id": "other/y-1b", "was": ["old/y-1b"]}])
    one = made(tmp_path, "a")
    page = text(made(tmp_path, "b", previous=one / "urls.json"), "models/old/index.html")
    assert "This page is gone" in page
    assert "At this address was the owner old." in page
    assert "<bdi>All of new</bdi>" in page
    assert "<bdi>All of other</bdi>" in page
    assert any("models/old/index.html is gone" in what for what in lost(tmp_path / "b", one))


def test_an_owner_of_models_of_which_one_is_lost_does_not_lead_away(tmp_path: Path) -> None:
    put(tmp_path / "a", [row("old/x-1b"), row("old/y-1b")])
    put(tmp_path / "b", [row("new/x-1b")])
    ranking(tmp_path / "b", [{"id": "new/x-1b", "was": ["old/x-1b"]}])
    one = made(tmp_path, "a")
    page = text(made(tmp_path, "b", previous=one / "urls.json"), "models/old/index.html")
    assert "This page is gone" in page
    assert "<bdi>All of new</bdi>" in page


def test_models_without_an_owner_are_named_so(tmp_path: Path) -> None:
    put(tmp_path / "a", [row("tiny-lm")])
    assert listed(made(tmp_path, "a"))["pages"]["models/-/index.html"] == "the models without an owner"


def test_a_rename_and_then_another_case_leads_on(tmp_path: Path) -> None:
    put(tmp_path / "a", [row("Old/X", **OLDER)])
    put(tmp_path / "b", [row("New/X", **OLDER)])
    ranking(tmp_path / "b", [{"id": "New/X", "was": ["Old/X"]}])
    put(tmp_path / "c", [row("New/x", **OLDER)])
    ranking(tmp_path / "c", ["New/x"])
    one = made(tmp_path, "a")
    two = made(tmp_path, "b", previous=one / "urls.json")
    three = made(tmp_path, "c", previous=two / "urls.json")
    for path in addresses(one):
        assert (three / path).is_file()
        assert "This page is gone" not in text(three, path), path
    assert files(three, "old/x") == files(three, "new/x")


def test_where_every_model_was_renamed_strict_is_content(tmp_path: Path) -> None:
    put(tmp_path / "a", [row("old/x"), row("old/y")])
    put(tmp_path / "b", [row("new/x"), row("new/y")])
    ranking(tmp_path / "b", [{"id": f"new/{name}", "was": [f"old/{name}"]} for name in "xy"])
    made(tmp_path, "b", previous=made(tmp_path, "a") / "urls.json", strict=True)


def test_a_failure_that_a_retest_no_longer_shows_is_no_loss_and_says_so(tmp_path: Path) -> None:
    put(tmp_path / "a", [row("acme/a", **FAILED)])
    put(tmp_path / "b", [row("acme/a", **FAILED), row("acme/a", tested_at=DAY.replace(day=30))])
    one = made(tmp_path, "a")
    two = made(tmp_path, "b", previous=one / "urls.json", strict=True)
    (path,) = (path for path in addresses(one) if re.fullmatch(r"errors/[^/]+/index.html", path))
    assert "No result has it now" in text(two, path)
    assert "no longer has it" not in text(two, path)
