"""Versions and pairs are ordered as versions (case B35)."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitegen.model import VersionPair
from sitegen.versions import version_key

# Ascending: what is no version is never the latest.
ORDER = [
    None,
    "main",
    "unknown",
    "0.1",
    "2.9",
    "2.10rc1",
    "2.10",
    "2.10+5e0f61c7",
    "2.27.5334.0+f702b353",
    "2.28.7631.0",
    "2.28.7631.0+5e0f61c7",
    "5.0.0.dev0",
    "5.0.0rc1",
    "5.0.0",
    "5.0.0.post1",
    "10.0",
]


@settings(deadline=None)
@given(st.permutations(ORDER))
def test_versions_sort_as_versions(shuffled: list[str | None]) -> None:
    assert sorted(shuffled, key=version_key) == ORDER


@pytest.mark.parametrize("texts", [("2.0", "2.0.0"), ("1.0+a-b", "1.0+a.b"), ("v2.0", "2.0")])
def test_versions_that_compare_equal_still_have_one_order(texts: tuple[str, str]) -> None:
    first, second = texts
    assert sorted([first, second], key=version_key) == sorted([second, first], key=version_key)
    assert version_key(first) != version_key(second)


@settings(deadline=None)
@given(st.text(), st.text())
def test_any_text_has_a_place(first: str, second: str) -> None:
    assert (version_key(first) == version_key(second)) == (first == second)
    assert version_key(None) <= version_key(first)


def test_the_compiler_counts_before_the_library_in_a_pair() -> None:
    descending = [
        VersionPair("2.10", "transformers", "5.10.0"),
        VersionPair("2.10", "transformers", "5.9.0"),
        VersionPair("2.10", "transformers", None),
        VersionPair("2.9", "transformers", "5.10.0"),
        VersionPair("nightly", "transformers", "9.0"),
        VersionPair(None, "transformers", "9.0"),
    ]
    assert sorted(sorted(descending, key=repr), key=lambda pair: pair.order, reverse=True) == descending


@pytest.mark.parametrize("text", ["9" * 5000, "5.0.0.dev" + "9" * 4400])
def test_what_is_too_long_is_no_version(text: str) -> None:
    assert version_key(text) < version_key("0")
