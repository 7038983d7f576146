"""What a result word means and what the two checks amount to, by the tables of `content/outcomes.toml`."""

from __future__ import annotations

import tomllib
import unicodedata
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitegen.content import packaged
from sitegen.outcome import parse_words
from tests.factory import words


@pytest.mark.parametrize(
    ("word", "key", "label", "tone"),
    [
        ("PASS", "pass", "PASS", "pass"),
        ("pass", "pass", "PASS", "pass"),
        (" Passed ", "pass", "PASS", "pass"),
        ("FAIL", "fail", "FAIL", "fail"),
        ("failure", "fail", "FAIL", "fail"),
        ("CRASHED", "error", "ERROR", "fail"),
        ("Timed out", "timeout", "TIMEOUT", "other"),
        ("EXCLUDED", "excluded", "Excluded", "excluded"),
        ("skip", "skipped", "SKIPPED", "other"),
        (None, "unrecorded", "Result not recorded", "other"),
        # A word that can be read in two ways is not known: it is quoted, and called unknown.
        ("XFAIL", "unknown", "Unknown word “XFAIL”", "other"),
        (" Partial ", "unknown", "Unknown word “Partial”", "other"),
        ("PASS?", "unknown", "Unknown word “PASS?”", "other"),
        ("not  \npassed", "unknown", "Unknown word “not passed”", "other"),
        ("<b>PASS</b>", "unknown", "Unknown word “<b>PASS</b>”", "other"),
        # Nothing in a word is invisible, and nothing in it ends the quotes.
        ("PASS\u200b", "unknown", "Unknown word “PASS[U+200B]”", "other"),
        ("\u2060\x00\ufe0f\U000e0041", "unknown", "Unknown word “[U+2060][U+0000][U+FE0F][U+E0041]”", "other"),
        ("PASS”, CPU match, “", "unknown", 'Unknown word “PASS", CPU match, "”', "other"),
        ("PASS, CPU match", "unknown", "Unknown word “PASS, CPU match”", "other"),
        ("", "unknown", "Unknown word “” (blank)", "other"),
        (" \u3000\n", "unknown", "Unknown word “” (blank)", "other"),
    ],
)
def test_result_words(word: str | None, key: str, label: str, tone: str) -> None:
    outcome = words().outcome(word)
    assert (outcome.key, outcome.label, outcome.tone) == (key, label, tone)
    assert outcome.known == (key != "unknown")


@settings(deadline=None)
@given(st.text())
def test_a_label_shows_everything_in_a_word(word: str) -> None:
    label = words().outcome(word).label
    assert label == " ".join(label.split())
    assert not [c for c in label if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Co")]


@settings(deadline=None)
@given(st.text())
def test_only_a_listed_word_is_a_pass(word: str) -> None:
    assert (words().outcome(word).tone == "pass") == (word.strip().casefold() in ("pass", "passed"))


@pytest.mark.parametrize(
    ("word", "verdict"),
    [
        ("32/32", True),
        (" 8 / 8 ", True),
        ("1/1", True),
        ("31/32", False),
        ("0/32", False),
        ("0/0", None),
        ("33/32", None),
        ("-1/32", None),
        ("32/32 tokens", None),
        ("32/", None),
        ("1", None),
        ("1.0", None),
        ("100%", None),
        ("Match", True),
        ("no match", False),
        ("true", True),
        ("FALSE", False),
        ("", None),
        ("maybe", None),
    ],
)
def test_what_a_cpu_match_word_says(word: str, verdict: bool | None) -> None:
    assert words().judge("cpu_match", word) is verdict


@pytest.mark.parametrize(
    ("word", "verdict"),
    [
        ("fluent", True),
        ("Yes", True),
        ("gibberish", False),
        ("Not fluent", False),
        ("match", None),
        ("0.97", None),
        ("not gibberish", None),
    ],
)
def test_what_an_english_word_says(word: str, verdict: bool | None) -> None:
    assert words().judge("english", word) is verdict


NONE, CPU, NO_CPU, FLUENT, NOT_FLUENT, ODD = "not-recorded cpu-match cpu-mismatch fluent not-fluent as-recorded".split()


@pytest.mark.parametrize(
    ("cpu_match", "english", "label", "states"),
    [
        (None, None, "Check not recorded", [NONE]),
        (None, "fluent", "Judged fluent", [FLUENT]),
        (None, "gibberish", "Judged not fluent", [NOT_FLUENT]),
        (None, "0.9", "english: recorded as “0.9”", [ODD]),
        ("32/32", None, "CPU match", [CPU]),
        ("32/32", "fluent", "CPU match, Judged fluent", [CPU, FLUENT]),
        ("32/32", "gibberish", "Judged not fluent, CPU match", [NOT_FLUENT, CPU]),
        ("32/32", "0.9", "CPU match, english: recorded as “0.9”", [CPU, ODD]),
        ("31/32", None, "CPU mismatch (31/32)", [NO_CPU]),
        ("31/32", "fluent", "CPU mismatch (31/32), Judged fluent", [NO_CPU, FLUENT]),
        ("31/32", "gibberish", "CPU mismatch (31/32), Judged not fluent", [NO_CPU, NOT_FLUENT]),
        ("mismatch", "0.9", "CPU mismatch, english: recorded as “0.9”", [NO_CPU, ODD]),
        ("33/32", None, "cpu_match: recorded as “33/32”", [ODD]),
        ("32/32\u200b", "", "cpu_match: recorded as “32/32[U+200B]”, english: recorded as “” (blank)", [ODD, ODD]),
        ("near", "fluent", "Judged fluent, cpu_match: recorded as “near”", [FLUENT, ODD]),
        ("near", "gibberish", "Judged not fluent, cpu_match: recorded as “near”", [NOT_FLUENT, ODD]),
        ("0/0", "0.9", "cpu_match: recorded as “0/0”, english: recorded as “0.9”", [ODD, ODD]),
    ],
)
def test_verification_of_every_combination(
    cpu_match: str | None, english: str | None, label: str, states: list[str]
) -> None:
    verification = words().verification(cpu_match, english)
    assert verification.label == label
    assert verification.states == tuple(states)
    assert verification.key == states[0]


def test_each_check_has_its_own_sentence() -> None:
    both = words().verification("32/32", "fluent").sentence
    assert words().verification("32/32", None).sentence in both
    assert words().verification(None, "fluent").sentence in both


def _without(key: str) -> Callable[[dict[str, Any]], None]:
    def change(table: dict[str, Any]) -> None:
        table["outcome"] = [entry for entry in table["outcome"] if entry["key"] != key]

    return change


def _pass_twice(table: dict[str, Any]) -> None:
    table["outcome"].append({**table["outcome"][1], "key": "other", "words": [" pass "]})


def _first_has(name: str, value: object) -> Callable[[dict[str, Any]], None]:
    return lambda table: table["outcome"][0].update({name: value})


def _key_twice(table: dict[str, Any]) -> None:
    table["outcome"].append({**table["outcome"][0], "words": ["another"]})


def _good(check: str, words: object, **more: object) -> Callable[[dict[str, Any]], None]:
    return lambda table: table["verification"][check].update({"good": words, **more})


def _odd_tone(table: dict[str, Any]) -> None:
    table["outcome"][0]["tone"] = "green"


def _no_state(table: dict[str, Any]) -> None:
    table["verification"]["state"].pop(0)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (_without("not-tested"), "not-tested"),
        (_without("unknown"), "unknown"),
        (_pass_twice, "' pass ' stands under two outcomes"),
        (_odd_tone, "'green' is not one of pass, fail"),
        (_no_state, "cpu-match"),
        (_first_has("label", 3), "label is 3; expected text"),
        (_first_has("label", " \u200b"), "label is ' .*'; expected text"),
        (_first_has("sentence", ["a"]), "sentence is "),
        (_first_has("docs", None), "docs is None"),
        (_first_has("words", "PASS"), "words is 'PASS'; expected a list of texts"),
        (_first_has("words", [1]), "words is .1.; expected a list of texts"),
        (_key_twice, "key = '.*' stands twice"),
        (_good("cpu_match", "match"), "good is 'match'; expected a list of texts"),
        (_good("english", ["Not Fluent"], bad=["not fluent"]), "english: the word 'not fluent' is good and bad"),
    ],
)
def test_a_table_that_is_amiss_says_where(change: Callable[[dict[str, Any]], None], message: str) -> None:
    table = tomllib.loads((packaged("content") / "outcomes.toml").read_text("utf-8"))
    change(table)
    with pytest.raises(ValueError, match=message):
        parse_words(table)
