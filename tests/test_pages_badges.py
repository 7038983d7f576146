"""Badges say what the pages say, of every model; a frozen one has an address that is made of its words alone."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast
from xml.etree import ElementTree

import pytest
from markdown_it import MarkdownIt

from sitegen import urls
from sitegen.badge import TONES
from sitegen.pages import badges
from sitegen.pages.badges import frozen, frozen_badges, frozen_view, latest, latest_view, recipe
from sitegen.pages.parts import status
from sitegen.pages.sayings import known_sayings, saying_of
from sitegen.plan import File
from sitegen.segments import PATH_MAX, SEGMENT_MAX
from sitegen.site import Site
from sitegen.texts import TextReader
from tests.factory import NEW, OLD, ranking, row, site_of, write

NO_TEXTS = cast(TextReader, None)
Row = dict[str, Any]
WITH = " · neuronx-cc 2.28 / transformers 5.21"


def files_of(site: Site) -> dict[str, bytes]:
    return {output.path: output.content(NO_TEXTS) for output in badges.plan(site) if isinstance(output, File)}


def message(folder: Path, rows: Sequence[Row] | None = None, model: str = "acme/a", **settings: Any) -> str:
    site = site_of(folder, rows, **settings)
    return latest(site, site.by_id[model]).message


@pytest.mark.parametrize(
    ("changes", "said", "tone"),
    [
        ({}, "PASS, CPU match", "pass"),
        ({"tp": 8, "cpu_match": None, "english": "fluent"}, "PASS, judged fluent", "pass"),
        ({"cpu_match": None}, "PASS, check not recorded", "other"),
        ({"cpu_match": "31/32"}, "PASS, CPU mismatch (31/32)", "other"),
        ({"english": "gibberish"}, "PASS, judged not fluent, CPU match", "other"),
        ({"cpu_match": "about half"}, "PASS, cpu_match: recorded as “about half”", "other"),
        ({"exclusion": "Too large."}, "PASS, CPU match, also excluded, kind not recorded", "other"),
        ({"result": "FAIL", "cpu_match": None}, "FAIL, check not recorded", "fail"),
        ({"result": "TIMEOUT", "cpu_match": None}, "TIMEOUT, check not recorded", "other"),
        ({"result": "Partial"}, "“Partial”, CPU match", "other"),
        ({"result": None}, "result not recorded", "other"),
        ({"result": "EXCLUDED", "exclusion": "no"}, "excluded, kind not recorded", "excluded"),
    ],
)
def test_words_and_colour(tmp_path: Path, changes: Row, said: str, tone: str) -> None:
    site = site_of(tmp_path, [row("acme/a", **changes)])
    badge = latest(site, site.by_id["acme/a"])
    assert (badge.label, badge.message, badge.tone) == ("Trainium", said + WITH, tone)


def test_models_without_a_run_say_which_they_are(tmp_path: Path) -> None:
    entry = '[[exclusion]]\nid = "acme/out"\nkind = "{}"\nreason = "Why."\n'
    write(tmp_path / "lists" / "excluded.toml", entry.format("not-prioritised"))
    ranking(tmp_path, ["acme/untested", "acme/out"])
    site = site_of(tmp_path, [row("acme/a")])
    assert latest(site, site.by_id["acme/untested"]).text == "Trainium: not tested"
    assert latest(site, site.by_id["acme/untested"]).title == "acme/untested on Trainium: not tested"
    assert latest(site, site.by_id["acme/out"]).text == "Trainium: excluded, not a priority"
    assert {f"models/acme/{name}/badge.{kind}" for name in ("untested", "out") for kind in ("svg", "json")} <= set(
        files_of(site)
    )


def test_runs_that_disagree_say_so_and_are_never_green(tmp_path: Path) -> None:
    site = site_of(tmp_path, [row("acme/a"), row("acme/a", result="FAIL", tested_at=None)])
    badge = latest(site, site.by_id["acme/a"])
    assert badge.message == f"PASS, CPU match, runs disagree{WITH}"
    assert badge.tone == "other"


def test_it_follows_the_highest_pair_and_speaks_the_catalogues_words(tmp_path: Path) -> None:
    write(tmp_path / "catalog.toml", 'device = "CPU <1>"\ncompiler = "torch"\n')
    old = row("acme/a", neuronx_cc=OLD, library_version="5.30.0")
    badge = latest(site := site_of(tmp_path, [old, row("acme/a", result="FAIL")]), site.by_id["acme/a"])
    assert badge.text == "CPU <1>: FAIL, CPU match · torch 2.28 / transformers 5.21"
    assert badge.title == f"acme/a on CPU <1>: FAIL, CPU match, with torch {NEW} / transformers 5.21.0"


@pytest.mark.parametrize(
    ("version", "shown"),
    [
        ("5.21.0", "5.21"),
        ("2.13.0+cpu", "2.13"),
        ("5.21", "5.21"),
        ("5.21.0.dev0", "5.21.0.dev0"),
        ("5.21.0rc1", "5.21.0rc1"),
        ("main", "main"),
        ("2026.10-x", "2026.10-x"),
        (None, "version not recorded"),
    ],
)
def test_only_plain_releases_are_shortened(tmp_path: Path, version: str | None, shown: str) -> None:
    assert message(tmp_path, [row("acme/a", library_version=version)]).endswith(f" / transformers {shown}")


def test_long_and_hostile_words_are_cut_one_by_one(tmp_path: Path) -> None:
    changes = {"result": "<&\x00" + "W" * 500, "cpu_match": "'\"" * 300, "library": "l" * 400}
    site = site_of(tmp_path, [row("acme/a", **changes), row("acme/a", **{**changes, "result": "FAIL"}, tested_at=None)])
    badge = latest(site, site.by_id["acme/a"])
    assert badge.message.startswith("“<&[U+0000]WWW")
    assert badge.message.count("…") == 3
    assert "runs disagree · neuronx-cc 2.28 / lll" in badge.message
    for path, data in files_of(site).items():
        if path.endswith(".svg"):
            root = ElementTree.fromstring(data)  # noqa: S314 - made by ourselves
            assert int(root.get("width", "")) < 1400
            assert "W" * 190 in (root.get("aria-label") or "") or "WWW" not in data.decode()


def test_an_ambiguous_name_has_a_badge_that_says_so(tmp_path: Path) -> None:
    files = files_of(site_of(tmp_path, [row("acme/X"), row("acme/x", result="FAIL")]))
    plain = json.loads(files["models/acme/x/badge.json"])
    assert (plain["label"], plain["message"], plain["color"]) == ("Trainium", "ambiguous name", TONES["other"][1:])
    assert "acme/X and acme/x differ only in case" in files["models/acme/x/badge.svg"].decode()
    assert len([path for path in files if re.fullmatch(r"models/acme/x--\w{8}/badge\.svg", path)]) == 2


def test_results_that_say_the_same_share_a_frozen_badge(tmp_path: Path) -> None:
    site = site_of(tmp_path, [row("acme/a"), row("globex/b", cpu_match="match"), row("acme/c", cpu_match="31/32")])
    path, badge = frozen(site, site.by_id["acme/a"], site.by_id["acme/a"].results[0])
    assert path == "badges/2.28.7631.0-5e0f61c7-transformers-5.21.0-pass-cpu-match.svg"
    assert (path, badge) == frozen(site, site.by_id["globex/b"], site.by_id["globex/b"].results[0])
    assert "acme" not in badge.title
    quoted = frozen(site, site.by_id["acme/c"], site.by_id["acme/c"].results[0])[0]
    assert re.fullmatch(r"badges/.*-pass-cpu-mismatch--[0-9a-f]{8}\.svg", quoted)


def test_words_that_differ_never_share_an_address(tmp_path: Path) -> None:
    odd = ["31/32", "30/32", "<x>", "&", "模型", "x" * 300, "x" * 301, "yes", None]
    rows = [row(f"acme/m{n}", result=word, cpu_match=check) for n, (word, check) in enumerate(
        (word, check) for word in ("PASS", "pass", "Partial", "partial", "\x00", "con") for check in odd)]  # fmt: skip
    site = site_of(tmp_path, rows)
    said: dict[str, set[str]] = {}
    for model in site.models:
        path, badge = frozen(site, model, model.results[0])
        said.setdefault(path, set()).add(badge.title)
        assert len(path) <= PATH_MAX
        assert len(path.split("/")[-1]) <= SEGMENT_MAX
        assert re.fullmatch(r"badges/[a-z0-9._-]+\.svg", path)
    assert all(len(titles) == 1 for titles in said.values())
    titles = [next(iter(titles)) for titles in said.values()]
    assert len(titles) == len(set(titles))


def test_a_frozen_badge_stays_when_its_result_is_tested_again(tmp_path: Path) -> None:
    before = site_of(tmp_path / "a", [row("acme/a")])
    path = frozen(before, before.by_id["acme/a"], before.by_id["acme/a"].results[0])[0]
    after = site_of(tmp_path / "b", [row("acme/a", result="FAIL", cpu_match=None)])
    assert frozen_badges(after)[path] == frozen_badges(before)[path]


def test_every_pair_has_the_badges_of_known_words(tmp_path: Path) -> None:
    site = site_of(tmp_path, [row("acme/a"), row("acme/a", neuronx_cc=OLD)])
    by_pair = [
        {path.removeprefix(f"badges/{site.addresses.pairs[pair]}-") for path in frozen_badges(site) if
         path.startswith(f"badges/{site.addresses.pairs[pair]}-")}
        for pair in site.pairs
    ]  # fmt: skip
    assert by_pair[0] == by_pair[1] >= {"pass-fluent.svg", "fail-not-recorded.svg", "excluded-incompatible.svg"}


def test_two_sayings_whose_short_hashes_are_the_same_have_two_badges(tmp_path: Path) -> None:
    rows = [row(f"acme/m{n}", cpu_match=word) for n, word in enumerate(("gibberish 82428", "match exact 89505"))]
    site = site_of(tmp_path, rows)
    assert len({badges._frozen_path(site, result.pair, saying_of(site, status(site, model, result), result))
                for model in site.models for result in model.results}) == 1  # fmt: skip
    found = dict(frozen(site, model, result) for model in site.models for result in model.results)
    assert all(re.fullmatch(r"badges/.*-pass-as-rec[a-z]*--[0-9a-f]{16}\.svg", path) for path in found)
    assert sorted("gibberish 82428" in badge.title for badge in found.values()) == [False, True]
    files = files_of(site)
    assert all(badge.title in files[path].decode().replace("&#x27;", "'") for path, badge in found.items())
    again = site_of(tmp_path / "b", rows[::-1])
    assert found == dict(frozen(again, model, result) for model in again.models for result in model.results)


def test_one_that_says_also_excluded_stays_when_the_list_changes(tmp_path: Path) -> None:
    entry = '[[exclusion]]\nid = "acme/a"\nkind = "incompatible"\nreason = "Why."\n'
    write(tmp_path / "a" / "lists" / "excluded.toml", entry)
    before = site_of(tmp_path / "a", [row("acme/a")])
    path, badge = frozen(before, before.by_id["acme/a"], before.by_id["acme/a"].results[0])
    assert "PASS, CPU match, also excluded, incompatible" in badge.message
    assert frozen_badges(site_of(tmp_path / "b", [row("acme/a")]))[path] == badge


@pytest.mark.parametrize("kind", [None, "", 'kind = "incompatible"', 'kind = "not-prioritised"'])
def test_made_in_advance_or_of_a_result_it_is_the_same_badge(kind: str | None, tmp_path: Path) -> None:
    """The words of known sayings are put together twice; both ways must agree."""
    if kind is not None:
        write(tmp_path / "lists" / "excluded.toml", f'[[exclusion]]\npattern = "*"\nreason = "Why."\n{kind}\n')
    results = ["PASS", "FAIL", "ERROR", "TIMEOUT", "SKIPPED", "EXCLUDED", None]
    checks: list[Row] = [{"cpu_match": "yes"}, {"cpu_match": "no"}, {"cpu_match": None}]
    checks += [{"cpu_match": None, "english": word} for word in ("fluent", "bad")]
    rows = [
        row(f"acme/m{n}{k}", result=word, **check) for n, word in enumerate(results) for k, check in enumerate(checks)
    ]
    site = site_of(tmp_path, rows)
    known = {path: badge for saying in known_sayings(site.texts.words)
             for path, badge in [(badges._frozen_path(site, site.pairs[0], saying),
                                  badges._frozen(site, site.pairs[0], saying))]}  # fmt: skip
    for model in site.models:
        path, badge = frozen(site, model, model.results[0])
        assert known[path] == badge, status(site, model, model.results[0])


def parsed(text: str) -> str:
    """As CommonMark, which the Hub and most hosts read."""
    return str(MarkdownIt("commonmark").render(text))


def test_what_is_copied_leads_to_the_pages_absolutely(tmp_path: Path) -> None:
    site = site_of(tmp_path, [row("acme/a", result="[<&*_")], base_url="https://example.org/a(b)/")
    model = site.by_id["acme/a"]
    view = latest_view(site, model)
    assert view.path == "models/acme/a/badge.svg"
    html = parsed(view.markdown)
    assert '<a href="https://example.org/a%28b%29/models/acme/a/">' in html
    assert 'src="https://example.org/a%28b%29/models/acme/a/badge.svg"' in html
    # What stands in a model card stays as it is when the drawing changes, so it says nothing that could.
    assert 'alt="Latest result of acme/a on Trainium"' in html
    assert view.html.startswith('<a href="https://example.org/a(b)/models/acme/a/"><img src="https://')
    assert 'alt="Latest result of acme/a on Trainium"' in view.html
    own = frozen_view(site, model, model.results[0])
    assert f'alt="Trainium: “[&lt;&amp;*_”, CPU match{WITH}"' in parsed(own.markdown)
    assert f"models/acme/a/{site.addresses.pairs[model.results[0].pair]}/)" in own.markdown


def test_without_an_address_paths_stand_in_their_place(tmp_path: Path) -> None:
    site = site_of(tmp_path, [row("acme/a")])
    view = latest_view(site, site.by_id["acme/a"])
    assert view.markdown == (
        f"[![Latest result of acme/a on Trainium](models/acme/a/badge.svg)](models/acme/a/{urls.HOME})"
    )
    assert "[address of the result]" in (recipe(site, site.by_id["acme/a"]) or "")


def test_the_sentence_says_what_was_observed_and_what_is_not_known(tmp_path: Path) -> None:
    rows = [row("acme/a"), row("acme/b", tp=None, tested_at=None, cpu_match=None)]
    ranking(tmp_path, ["acme/untested"])
    site = site_of(tmp_path, rows, base_url="https://example.org/")
    said = {model.id: recipe(site, model) for model in site.models}
    assert said["acme/untested"] is None
    assert said["acme/a"] == (
        f"acme/a on Trainium with neuronx-cc {NEW} / transformers 5.21.0: PASS, CPU match (1 core, tested 2026-10-28)."
        " How to run it again, and what this does not show:"
        " https://example.org/models/acme/a/2.28.7631.0-5e0f61c7-transformers-5.21.0/"
    )
    assert "PASS, Check not recorded (number of cores not recorded, date not recorded)" in (said["acme/b"] or "")
