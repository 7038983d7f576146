"""What a run said (`Outcome`) and how that was checked (`Verification`): two axes that are never mixed.

The words come from `content/outcomes.toml`; a word that the tables do not know is quoted, called unknown and claims
nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

LABEL_MAX = 200
TONES = ("pass", "fail", "excluded", "untested", "other")
RATIO = re.compile(r"\s*([0-9]{1,9})\s*/\s*([0-9]{1,9})\s*")
# What nobody sees: controls, formats, selectors and fillers, surrogates, private use. Written out, because what Python
# knows of them grows with its version, and a build gives the same bytes with each.
UNSEEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ud800-\uf8ff\ufdd0-\ufdef\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb"
    "\ufffe\uffff\U000110bd\U000110cd\U00013430-\U0001345f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U0010ffff]"
)


def can_be_seen(text: str) -> bool:
    """Whether anything in the text prints and is no blank."""
    return any(c.isprintable() and not c.isspace() for c in text)


@dataclass(frozen=True)
class Outcome:
    """What a run said. `key` is stable (facets, anchors), `label` is shown, `tone` is one of TONES.

    `word` is a recorded word that is not known, as it can be shown; the label quotes it and says that it is unknown.
    """

    key: str
    label: str
    tone: str
    sentence: str
    docs: str
    word: str | None = None

    @property
    def known(self) -> bool:
        return self.key != "unknown"

    @property
    def quoted(self) -> str | None:
        """The word that is not known, in quotes; None for a known one."""
        return None if self.word is None else _quoted(self.word)


@dataclass(frozen=True)
class Verification:
    """How a run's outcome was checked: one state for each recorded check, the more telling first.

    `label` joins them; `key` is the first one's, but a bad state always comes before a good one, so that a list
    filtered by "CPU match" never holds a run whose other check failed.
    """

    key: str
    label: str
    sentence: str
    docs: str
    states: tuple[str, ...] = ()


@dataclass(frozen=True)
class Words:
    """The tables of `outcomes.toml`."""

    outcomes: Mapping[str, Outcome]
    by_word: Mapping[str, str]
    good: Mapping[str, frozenset[str]]
    bad: Mapping[str, frozenset[str]]
    states: Mapping[str, Outcome]

    def outcome(self, word: str | None) -> Outcome:
        """The meaning of a result word; None means that none was recorded."""
        if word is None:
            return self.outcomes["unrecorded"]
        key = self.by_word.get(word.strip().lower())
        if key is not None:
            return self.outcomes[key]
        shown = _word(word)
        return replace(self.outcomes["unknown"], label=f"Unknown word {_quoted(shown)}", word=shown)

    def judge(self, check: str, word: str) -> bool | None:
        """True for a good word of `check` (`cpu_match` or `english`), False for a bad one, None for any other."""
        folded = word.strip().lower()
        if check == "cpu_match" and (ratio := RATIO.fullmatch(word)):
            matching, total = map(int, ratio.groups())
            return matching == total if 0 < total >= matching else None
        if folded in self.good[check]:
            return True
        return False if folded in self.bad[check] else None

    def verification(self, cpu_match: str | None, english: str | None, tp: int | None = None) -> Verification:
        """What the two check columns amount to; absent columns verify nothing.

        Where both say equally much, the one that the protocol has for this number of cores (`tp`) comes first: the
        judge for a sharded model, else the comparison with a CPU run.
        """
        found: list[tuple[int, Outcome]] = []
        checks = [("cpu_match", cpu_match), ("english", english)]
        for check, word in reversed(checks) if tp is not None and tp > 1 else checks:
            if word is None:
                continue
            verdict = self.judge(check, word)
            state = self.states[_STATE[check, verdict]]
            if verdict is None:
                state = replace(state, label=f"{check}: {_filled(state.label, word)}", tone="other")
            elif RATIO.fullmatch(word) and not verdict:
                state = replace(state, label=f"{state.label} ({_word(word)})")
            found.append((_RANK[verdict], state))
        if not found:
            found = [(0, self.states["not-recorded"])]
        states = [state for _, state in sorted(found, key=lambda pair: pair[0])]
        return Verification(
            states[0].key,
            ", ".join(state.label for state in states),
            " ".join(state.sentence for state in states),
            states[0].docs,
            tuple(state.key for state in states),
        )


def _word(word: str) -> str:
    """A recorded word as a label: on one line that is not too long, and with nothing in it that nobody sees.

    `PASS` and an invisible character is another word than `PASS`: that character is shown by its number. Quotes like
    those around the word become straight ones, so that it cannot end them.
    """
    line = " ".join(word.split()).replace("“", '"').replace("”", '"')
    line = UNSEEN.sub(lambda found: f"[U+{ord(found[0]):04X}]", line)
    return line if len(line) <= LABEL_MAX else f"{line[:LABEL_MAX]} …"


def _quoted(word: str) -> str:
    return f"“{word}”" if word else "“” (blank)"


def _filled(label: str, word: str) -> str:
    """A label of the tables with the recorded word in the place of `{word}`."""
    shown = _word(word)
    return label.replace("“{word}”", _quoted(shown)).replace("{word}", shown)


_STATE = {
    ("cpu_match", True): "cpu-match",
    ("cpu_match", False): "cpu-mismatch",
    ("cpu_match", None): "as-recorded",
    ("english", True): "fluent",
    ("english", False): "not-fluent",
    ("english", None): "as-recorded",
}
_RANK = {False: 0, True: 1, None: 2}


def parse_words(table: Mapping[str, Any]) -> Words:
    """The tables of `outcomes.toml` as `Words`. Raises KeyError or ValueError with a sentence when one is amiss."""
    outcomes = _by_key(table["outcome"])
    for key in ("pass", "fail", "excluded", "unrecorded", "unknown", "not-tested"):
        if key not in outcomes:
            raise ValueError(f"no [[outcome]] with key = {key!r}")
    by_word: dict[str, str] = {}
    for entry in table["outcome"]:
        for word in _texts(entry["key"], "words", entry.get("words", [])):
            if by_word.setdefault(word.strip().lower(), entry["key"]) != entry["key"]:
                raise ValueError(f"the word {word!r} stands under two outcomes")
    checks: Mapping[str, Any] = table["verification"]
    states = _by_key({"tone": "other", **entry} for entry in checks["state"])
    if missing := sorted({*_STATE.values(), "not-recorded"} - set(states)):
        raise ValueError(f"no [[verification.state]] for {', '.join(missing)}")
    good, bad = _folded(checks, "good"), _folded(checks, "bad")
    for check, words in good.items():
        if both := sorted(words & bad[check]):
            raise ValueError(f"{check}: the word {both[0]!r} is good and bad")
    return Words(outcomes, by_word, good, bad, states)


def _by_key(entries: Iterable[Mapping[str, Any]]) -> dict[str, Outcome]:
    found: dict[str, Outcome] = {}
    for entry in map(_outcome, entries):
        if found.setdefault(entry.key, entry) is not entry:
            raise ValueError(f"key = {entry.key!r} stands twice")
    return found


def _texts(key: str, name: str, value: Any) -> list[str]:
    """A list of texts. A text alone is none: each of its letters would become a word."""
    if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
        raise ValueError(f"{key}: {name} is {value!r}; expected a list of texts")
    return value


def _outcome(entry: Mapping[str, Any]) -> Outcome:
    if entry["tone"] not in TONES:
        raise ValueError(f"{entry['key']}: tone {entry['tone']!r} is not one of {', '.join(TONES)}")
    for name in ("key", "label", "sentence", "docs"):
        if not isinstance(entry[name], str) or not UNSEEN.sub("", entry[name]).strip():
            raise ValueError(f"{entry['key']}: {name} is {entry[name]!r}; expected text")
    return Outcome(entry["key"], entry["label"], entry["tone"], entry["sentence"], entry["docs"])


def _folded(checks: Mapping[str, Any], side: str) -> Mapping[str, frozenset[str]]:
    def words(names: Sequence[str]) -> frozenset[str]:
        return frozenset(name.strip().lower() for name in names)

    return {check: words(_texts(check, side, checks[check][side])) for check in ("cpu_match", "english")}
