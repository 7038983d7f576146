"""What changed from one version pair to another, for one model and for all of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from sitegen.model import Model, Result, VersionPair
from sitegen.outcome import Outcome
from sitegen.site import Site

# What a model's result under a pair is to its result under the previous pair of the same library.
TRANSITIONS: Mapping[str, str] = {
    "new": "first result",
    "fixed": "fixed",
    "regressed": "regressed",
    "still-passing": "still passing",
    "still-failing": "still failing",
    "excluded": "excluded",
    "no-longer-excluded": "no longer excluded",
    "changed": "changed",
    "unchanged": "unchanged",
    "not-tested": "not tested",
}

# What a model is in the comparison of two pairs: each in exactly one. The order is the order of the page.
BUCKETS: Mapping[str, str] = {
    "regressed": "Regressed",
    "fixed": "Fixed",
    "still-failing": "Still failing",
    "other": "Neither passed nor failed",
    "new": "New",
    "gone": "Gone",
    "still-passing": "Still passing",
    "exclusions": "Exclusions",
}


@dataclass(frozen=True)
class Step:
    """A model under one pair, and what that is to `before`, its result under the previous pair of the same library."""

    pair: VersionPair
    result: Result | None
    before: Result | None
    transition: str


def transition(before: Outcome | None, now: Outcome | None) -> str:
    """A key of TRANSITIONS; None is "no result". Only a recorded pass or failure is ever called one."""
    if now is None:
        return "not-tested"
    if now.tone == "excluded":
        return "excluded"
    if before is None:
        return "new"
    if before.tone == "excluded":
        return "no-longer-excluded"
    known = _PASS_OR_FAIL.get((before.tone, now.tone))
    return known or ("unchanged" if before.label == now.label else "changed")


_PASS_OR_FAIL = {
    ("pass", "pass"): "still-passing",
    ("fail", "fail"): "still-failing",
    ("pass", "fail"): "regressed",
    ("fail", "pass"): "fixed",
}


def bucket(before: Outcome | None, now: Outcome | None) -> str | None:
    """A key of BUCKETS; None where there is no result under either pair."""
    if before is None and now is None:
        return None
    if "excluded" in (before and before.tone, now and now.tone):
        return "exclusions"
    if before is None or now is None:
        return "new" if before is None else "gone"
    return _PASS_OR_FAIL.get((before.tone, now.tone), "other")


def steps(site: Site, model: Model) -> Iterator[Step]:
    """The model under every pair, the highest first."""
    before: dict[str | None, Result] = {}  # by library, of the pairs below the one at hand
    found: list[Step] = []
    for pair in reversed(site.pairs):
        result = model.by_pair.get(pair)
        earlier = before.get(pair.library)
        outcome = site.outcome(model, result)
        # A list excludes a model for every pair; that it has no row there is said by the status.
        now = outcome if result is not None or outcome.tone == "excluded" else None
        change = transition(site.outcome(model, earlier) if earlier else None, now)
        if change == "no-longer-excluded" and site.exclusion(model, result):
            change = "changed"  # a list still excludes it, though there is a result
        found.append(Step(pair, result, earlier, change))
        if result is not None:
            before[pair.library] = result
    return reversed(found)


def previous(model: Model, result: Result) -> Result | None:
    """The model's result under the next lower pair of the same library in which it has one."""
    at = model.results.index(result)
    return next((other for other in model.results[at + 1 :] if other.pair.library == result.pair.library), None)


@dataclass(frozen=True)
class Compared:
    """A model under two pairs; at least one of the two results is there."""

    model: Model
    before: Result | None
    now: Result | None


def compare(site: Site, old: VersionPair, new: VersionPair) -> dict[str, list[Compared]]:
    """Every model with a result under either pair, by bucket, in the order of BUCKETS; models by id."""
    found: dict[str, list[Compared]] = {key: [] for key in BUCKETS}
    for model in site.models:
        before, now = model.by_pair.get(old), model.by_pair.get(new)
        if before is None and now is None:
            continue
        # Of a model that a list excludes there was no result before, and it is excluded now.
        after = site.outcome(model, now) if now or model.exclusion else None
        if key := bucket(site.outcome(model, before) if before else None, after):
            found[key].append(Compared(model, before, now))
    return found
