"""Transitions of one model and buckets of two pairs: every combination, and whole catalogues."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import permutations, product
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sitegen.history import BUCKETS, TRANSITIONS, bucket, compare, previous, steps, transition
from sitegen.outcome import Outcome
from tests.factory import NEW, OLD, pair, put, row, site_of, words, write

WORDS: Mapping[str, Outcome | None] = {
    "none": None,
    **{word: words().outcome(word) for word in ("PASS", "FAIL", "ERROR", "TIMEOUT", "SKIPPED", "EXCLUDED", "PARTIAL")},
    "null": words().outcome(None),
}
OTHERS = ("TIMEOUT", "SKIPPED", "PARTIAL", "null")


def expected(before: str, now: str) -> str:
    if now == "none":
        return "not-tested"
    if now == "EXCLUDED":
        return "excluded"
    if before in ("none", "EXCLUDED"):
        return "new" if before == "none" else "no-longer-excluded"
    kinds = {"PASS": "pass", "FAIL": "fail", "ERROR": "fail"}
    sides = kinds.get(before), kinds.get(now)
    table = {
        ("pass", "pass"): "still-passing",
        ("fail", "fail"): "still-failing",
        ("pass", "fail"): "regressed",
        ("fail", "pass"): "fixed",
    }
    return table.get(sides, "unchanged" if before == now else "changed")  # type: ignore[arg-type]


@pytest.mark.parametrize(("before", "now"), [*product(WORDS, WORDS)])
def test_every_transition(before: str, now: str) -> None:
    found = transition(WORDS[before], WORDS[now])
    assert found == expected(before, now)
    assert found in TRANSITIONS


@pytest.mark.parametrize(("before", "now"), [*product(WORDS, WORDS)])
def test_every_bucket(before: str, now: str) -> None:
    found = bucket(WORDS[before], WORDS[now])
    if "EXCLUDED" in (before, now):
        assert found == "exclusions"
    elif "none" in (before, now):
        assert found == (None if before == now else "new" if before == "none" else "gone")
    elif before in OTHERS or now in OTHERS:
        assert found == "other"
    else:
        assert found == expected(before, now)
    assert found is None or found in BUCKETS


def test_what_a_list_still_excludes_is_not_called_no_longer_excluded(tmp_path: Path) -> None:
    put(tmp_path, [row("acme/a", neuronx_cc=OLD, result=None, exclusion="big"), row("acme/a")])
    site = site_of(tmp_path)
    history = [step.transition for step in steps(site, site.by_id["acme/a"])]
    assert history == ["no-longer-excluded", "excluded"]
    write(tmp_path / "lists" / "excluded.toml", '[[exclusion]]\nid = "acme/a"\nreason = "big"\n')
    site = site_of(tmp_path)
    history = [step.transition for step in steps(site, site.by_id["acme/a"])]
    assert history == ["changed", "excluded"]


def test_what_was_before_is_the_previous_pair_of_the_same_library_with_a_result(tmp_path: Path) -> None:
    def at(compiler: str, version: str, result: str, library: str = "transformers") -> None:
        changes = {"neuronx_cc": compiler, "library_version": version, "result": result, "library": library}
        ids = ("acme/a", "acme/b") if result == "PASS" else ("acme/a",)
        put(tmp_path, [row(model_id, **changes) for model_id in ids], f"{compiler}-{version}-{library}.parquet")

    at(OLD, "5.18.0", "PASS")
    at(OLD, "5.21.0", "FAIL")
    at(NEW, "5.21.0", "PASS", "diffusers")
    at(NEW, "5.24.0", "FAIL")
    site = site_of(tmp_path)
    found = {m.id: [(step.pair.library, step.transition) for step in steps(site, m)] for m in site.models}
    assert found["acme/a"] == [
        ("transformers", "still-failing"),
        ("diffusers", "new"),
        ("transformers", "regressed"),
        ("transformers", "new"),
    ]
    assert found["acme/b"] == [
        ("transformers", "not-tested"),
        ("diffusers", "new"),
        ("transformers", "not-tested"),
        ("transformers", "new"),
    ]
    model = site.by_id["acme/a"]
    assert [previous(model, result) for result in model.results] == [
        model.results[2],
        None,
        model.results[3],
        None,
    ]


LABELS = st.sampled_from(["PASS", "FAIL", "TIMEOUT", "EXCLUDED", None])
CATALOGUES = st.dictionaries(st.tuples(st.sampled_from("abcd"), st.sampled_from("123")), LABELS, max_size=12)


@settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(CATALOGUES)
def test_each_model_is_in_one_bucket_and_the_sums_are_the_union(
    tmp_path_factory: pytest.TempPathFactory, catalogue: dict[tuple[str, str], str | None]
) -> None:
    folder = tmp_path_factory.mktemp("catalogue")
    rows = [row(f"acme/{m}", library_version=f"5.{v}.0", result=word) for (m, v), word in catalogue.items()]
    site = site_of(folder, rows) if rows else site_of(folder)
    for old, new in permutations(site.pairs, 2):
        found = compare(site, old, new)
        assert list(found) == list(BUCKETS)
        ids = [entry.model.id for entries in found.values() for entry in entries]
        assert sorted(ids) == sorted(m.id for m in site.models if old in m.by_pair or new in m.by_pair)


def test_buckets_are_the_transitions_where_the_pairs_are_neighbours(tmp_path: Path) -> None:
    labels = ["PASS", "FAIL", "TIMEOUT", "EXCLUDED"]
    rows = [
        row(f"acme/{a}-{b}", result=word, library_version=version)
        for a, b in product(labels, labels)
        for word, version in ((a, "5.18.0"), (b, "5.21.0"))
    ]
    site = site_of(tmp_path, rows)
    found = compare(site, pair(version="5.18.0"), pair(version="5.21.0"))
    by_id = {entry.model.id: key for key, entries in found.items() for entry in entries}
    for model in site.models:
        (step, _) = steps(site, model)
        same = {"changed": "other", "unchanged": "other", "excluded": "exclusions", "no-longer-excluded": "exclusions"}
        assert by_id[model.id] == same.get(step.transition, step.transition)
