"""What a badge says of a result, in words and as keys: of any result, and all that known words alone can say."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from sitegen.badge import part
from sitegen.model import Result
from sitegen.outcome import Words
from sitegen.pages.parts import KIND_WORDS, NOTHING_RAN, Status
from sitegen.plain import one_line
from sitegen.site import Site

Said = tuple[tuple[str, str], ...]  # keys with their words
GOOD = ("cpu-match", "fluent")


@dataclass(frozen=True)
class Saying:
    """What a badge says of a result, without the pair: in words, and as the keys behind them.

    `plain`: the keys alone stand for the words, nothing recorded is quoted in them.
    """

    words: tuple[str, ...]
    keys: tuple[str, ...]
    plain: bool
    tone: str

    @property
    def full(self) -> str:
        return ", ".join(map(one_line, self.words))

    @property
    def cut(self) -> str:
        """The same with each part cut to a width, so that a long one hides none of the others."""
        return ", ".join(map(part, self.words))


def saying_of(site: Site, entry: Status, result: Result | None) -> Saying:
    """What is said of a result, or of a model without one, whose status this is."""
    states = result.headline.verification.states if result and entry.verification else ()
    words = [entry.quoted or _lower(entry.label)]
    keys = [entry.key]
    if entry.verification:
        words.append(", ".join(map(_lower, entry.verification.split(", "))))
        keys += states
    if entry.disagree:
        words.append("runs disagree")
        keys.append("runs-disagree")
    if entry.reason_kind:
        words.append(entry.reason_kind)
        keys.append(_key(entry.reason_kind))
    return Saying(tuple(words), tuple(keys), _plain(site.texts.words, entry, states), _tone(entry, states))


def _plain(words: Words, entry: Status, states: tuple[str, ...]) -> bool:
    """Whether the labels are those of the tables: the keys then say all."""
    outcome = words.outcomes[entry.key]
    checks = ", ".join(words.states[key].label for key in states)
    return outcome.known and outcome.label == entry.label and checks == (entry.verification or "")


def _tone(entry: Status, states: tuple[str, ...]) -> str:
    """A pass has its colour only where a recorded check bears it out and nothing recorded speaks against it."""
    if entry.tone != "pass":
        return entry.tone
    sound = bool(states) and all(state in GOOD for state in states) and not entry.disagree and not entry.reason_kind
    return "pass" if sound else "other"


def _lower(text: str) -> str:
    """`Judged fluent` as it stands within a line; `CPU match` stays."""
    return text[0].lower() + text[1:] if text[1:2].islower() else text


def known_sayings(words: Words) -> Iterator[Saying]:
    """What can be said in known words alone: each outcome with each check, and with each kind of an exclusion."""
    states = [state for state in words.states.values() if state.key != "as-recorded"]
    checks = [((state.key, _lower(state.label)),) for state in states]
    for key, outcome in words.outcomes.items():
        said = ((key, _lower(outcome.label)),)
        if outcome.tone == "excluded":
            yield from (_in_known_words((*said, kind), outcome.tone) for kind in _kinds())
        elif outcome.known and key != "not-tested":
            nothing: Said = ()
            for more in [nothing] if key in NOTHING_RAN else checks:
                sound = outcome.tone != "pass" or bool(more and more[0][0] in GOOD)
                yield _in_known_words((*said, *more), outcome.tone if sound else "other")
                tone = "other" if outcome.tone == "pass" else outcome.tone
                kinds = _kinds("also excluded, ") if key != "unrecorded" else ()  # else that row is an exclusion
                yield from (_in_known_words((*said, *more, kind), tone) for kind in kinds)


def _kinds(before: str = "") -> Iterator[tuple[str, str]]:
    """The kinds of exclusions, as a key and in words."""
    return ((_key(before + kind), before + kind) for kind in KIND_WORDS.values())


def _key(words: str) -> str:
    return re.sub(r"\W+", "-", words)


def _in_known_words(said: Said, tone: str) -> Saying:
    return Saying(tuple(words for _, words in said), tuple(key for key, _ in said), True, tone)
