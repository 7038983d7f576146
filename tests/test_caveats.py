"""Which caveats stand beside a result, for every combination of the fields that they rest on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from sitegen.caveats import RULES, Caveat, Facts, caveats_of, sentence
from sitegen.config import Catalog
from sitegen.content import Content, load_caveats, packaged
from sitegen.errors import Problems
from sitegen.model import Exclusion, Result, Run
from sitegen.texts import TextStore
from tests.factory import pair, put, read, row, words

SENTENCES = load_caveats(Content((packaged("content"),)), Problems())
CORES = (None, 1, 2, 4, 16)
RESULTS = ("PASS", "FAIL", "EXCLUDED", None, "XFAIL")
CPU = (None, "32/32", "31/32", "about half")
ENGLISH = (None, "fluent", "gibberish", "0.97")


def runs(folder: Path, *changes: dict[str, Any]) -> Iterator[Run]:
    """Runs of rows that differ from the factory's by `changes`."""
    put(folder, [row(f"acme/m-{n}", **change) for n, change in enumerate(changes)])
    with TextStore() as store:
        yield from read(folder, store)[0].runs


def caveats(run: Run, *others: Run, exclusion: Exclusion | None = None) -> tuple[Caveat, ...]:
    result = Result(run.model_id, run.pair, (run, *others))
    return caveats_of(Facts(result, run, words(), exclusion, "neuronx-cc"), Catalog(), SENTENCES)


def ids(run: Run, *others: Run, exclusion: Exclusion | None = None) -> set[str]:
    return {caveat.rule for caveat in caveats(run, *others, exclusion=exclusion)}


def expected(tp: int | None, result: str | None, cpu: str | None, english: str | None) -> set[str]:
    """What the fields allow to be said, where all else is recorded and one run stands alone."""
    ran = result in ("PASS", "FAIL", "XFAIL")
    passed = result == "PASS"
    sharded = tp in (2, 4, 16)
    table = {
        "memory-unit": True,  # GB or GiB, per core or total: unknown
        # A recorded word always says what it says.
        "cpu-mismatch": cpu == "31/32",
        "not-fluent": english == "gibberish",
        "check-word-unknown": cpu == "about half" or english == "0.97",
        "one-core-cpu-match": tp == 1 and cpu == "32/32",
        "other-cpu-match": tp != 1 and cpu == "32/32",
        "sharded-fluency": sharded and english == "fluent",
        "other-fluency": not sharded and english == "fluent",
        "result-not-recorded": result is None,
        "result-unknown-word": result == "XFAIL",
        # Something ran: no throughput, compilation included, this checkpoint only.
        "not-throughput": ran,
        "wall-time-compilation": ran,
        "this-checkpoint": ran,
        "cores-not-recorded": ran and tp is None,
        "unknown-protocol": ran and tp is None,
        # A pass shows 32 tokens, by the check of the protocol: on one core CPU tokens, sharded a judge.
        "tokens-32": passed,
        "graphs-same-compiler": passed,
        "one-core-no-comparison": passed and tp == 1 and cpu is None,
        "sharded-not-judged": passed and sharded and english is None,
    }
    return {rule for rule, shows in table.items() if shows}


def test_every_combination_has_exactly_its_caveats(tmp_path: Path) -> None:
    combinations = list(product(CORES, RESULTS, CPU, ENGLISH))
    changes = [{"tp": t, "result": r, "cpu_match": c, "english": e} for t, r, c, e in combinations]
    for combination, run in zip(combinations, runs(tmp_path, *changes), strict=True):
        assert ids(run) == expected(*combination), combination


@pytest.mark.parametrize(
    ("change", "gone"),
    [
        ({"wall_s": None}, {"wall-time-compilation"}),
        ({"hbm_peak_gb": None}, {"memory-unit"}),
        # Of other libraries the protocol is not known: it is not said that 32 tokens were generated.
        ({"library": "diffusers"}, {"tokens-32"}),
        ({"library": "diffusers", "cpu_match": None}, {"tokens-32", "one-core-cpu-match"}),
    ],
)
def test_a_caveat_goes_with_its_field(tmp_path: Path, change: dict[str, Any], gone: set[str]) -> None:
    before, after = runs(tmp_path, {}, change)
    assert ids(before) - ids(after) == gone
    assert ids(after) <= ids(before)


@pytest.mark.parametrize("field", ["library", "library_version", "neuronx_cc", "tp", "run_py"])
def test_a_missing_field_of_the_protocol_is_named(tmp_path: Path, field: str) -> None:
    (run,) = runs(tmp_path, {field: None})
    html = {caveat.rule: caveat.html for caveat in caveats(run)}
    assert html["unknown-protocol"].startswith(f"Not recorded: {field}.")


def test_nothing_is_said_of_the_protocol_where_all_is_recorded(tmp_path: Path) -> None:
    (run,) = runs(tmp_path, {})
    assert "unknown-protocol" not in ids(run)


@pytest.mark.parametrize(
    ("notes", "applies"),
    [("Expert parallelism only, 8 experts", True), ("expert parallelism", False), (None, False), ("EP", False)],
)
def test_expert_parallelism_only_where_recorded(tmp_path: Path, notes: str | None, applies: bool) -> None:
    (run,) = runs(tmp_path, {"notes": notes})
    assert ("expert-parallel" in ids(run)) == applies


@pytest.mark.parametrize(
    ("change", "applies"),
    [
        ({}, False),
        ({"wall_s": 1}, False),
        ({"result": "FAIL"}, True),
        ({"cpu_match": "31/32"}, True),
        ({"cpu_match": None, "english": "fluent"}, True),
    ],
)
def test_runs_that_disagree_say_so(tmp_path: Path, change: dict[str, Any], applies: bool) -> None:
    first, second = runs(tmp_path, {}, change)
    assert ("runs-disagree" in ids(first, second)) == applies
    assert ("runs-disagree" in ids(second, first)) == applies


@pytest.mark.parametrize(
    ("result", "applies"), [("PASS", True), ("FAIL", True), ("XFAIL", True), ("EXCLUDED", False), (None, False)]
)
def test_an_exclusion_stands_beside_a_recorded_result(tmp_path: Path, result: str | None, applies: bool) -> None:
    (run,) = runs(tmp_path, {"result": result})
    exclusion = Exclusion("Too large.", "not-prioritised", "list")
    assert ("exclusion-beside-result" in ids(run, exclusion=exclusion)) == applies
    assert "exclusion-beside-result" not in ids(run)


def test_a_caveat_shows_the_fields_that_it_rests_on(tmp_path: Path) -> None:
    (run,) = runs(tmp_path, {"tp": 4, "english": "fluent", "cpu_match": None})
    fields = {caveat.rule: caveat.fields for caveat in caveats(run)}
    assert fields["sharded-fluency"] == (("tp", "4"), ("english", "fluent"))
    assert fields["memory-unit"] == (("hbm_peak_gb", "9.21"),)
    assert fields["graphs-same-compiler"] == (("neuronx_cc", pair().compiler),)


def test_recorded_words_are_text_in_a_caveat(tmp_path: Path) -> None:
    (run,) = runs(tmp_path, {"neuronx_cc": "2.28<script>{device}"})
    html = {caveat.rule: caveat.html for caveat in caveats(run)}
    assert "2.28&lt;script&gt;{device}" in html["graphs-same-compiler"]


def test_no_caveat_has_a_gap(tmp_path: Path) -> None:
    """Every name in a sentence is one that is filled in."""
    (run,) = runs(tmp_path, {})
    anything = tuple(replace(rule, applies=lambda _: True) for rule in RULES)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sitegen.caveats.RULES", anything)
        found = caveats(run)
    assert len(found) == len(RULES)
    for caveat in found:
        assert "{" not in caveat.html, caveat.rule


def test_the_odd_comes_first_and_the_order_is_the_tables(tmp_path: Path) -> None:
    (run,) = runs(tmp_path, {"cpu_match": "31/32"})
    rules = [caveat.rule for caveat in caveats(run)]
    assert rules[0] == "cpu-mismatch"
    assert rules == [rule.id for rule in RULES if rule.id in rules]


def test_a_rule_without_a_sentence_shows_nothing(tmp_path: Path) -> None:
    (run,) = runs(tmp_path, {})
    result = Result(run.model_id, run.pair, (run,))
    assert caveats_of(Facts(result, run, words(), None, "neuronx-cc"), Catalog(), {}) == ()


def test_sentences_speak_with_the_catalogues_words() -> None:
    assert (
        sentence("{device} and {compiler} of {id}", Catalog(device="CPU", compiler="torch")) == "CPU and torch of {id}"
    )


def test_graphs_are_spoken_of_only_where_the_compiler_makes_them(tmp_path: Path) -> None:
    (run,) = runs(tmp_path, {})
    result = Result(run.model_id, run.pair, (run,))
    rules = {
        c.rule for c in caveats_of(Facts(result, run, words(), None, "torch"), Catalog(compiler="torch"), SENTENCES)
    }
    assert ids(run) - rules == {"graphs-same-compiler"}
