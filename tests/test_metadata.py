"""Inline metadata of a script: the standard's block rules (PEP 723), and what cannot be read said so."""

from __future__ import annotations

import pytest

from sitegen.metadata import MAX, Metadata, script_metadata


@pytest.mark.parametrize(
    ("script", "found"),
    [
        ("", ()),
        ("# /// script\n# dependencies = ['a', 'b>1']\n# ///\nx = 1\n", ("a", "b>1")),
        ("\ufeff# /// script\r\n#\r\n# dependencies = ['a']\r\n# ///\r\n", ("a",)),  # a BOM; lines of Windows
        ("x = 1\n# /// script\n#\n# dependencies = ['a']\n# ///", ("a",)),
        ("# said before\n# /// script\n# dependencies = ['a']\n# ///\n# and after\n", ("a",)),
        ("# /// script\n# dependencies = ['a']\nx = 1\n# ///\n", ()),  # no block: it is not all comments
        ("# /// script\n#dependencies = ['a']\n# ///\n", ()),  # no blank behind the sign
        ("# /// script\n# dependencies = ['a']\n", ()),  # not closed
        ("# /// script \n# dependencies = ['a']\n# ///\n", ()),  # a blank behind the type
        (" # /// script\n # dependencies = ['a']\n # ///\n", ()),  # not at the beginning of the line
        ("# /// script\n# ///\n", ()),  # no content
        ("# /// other\n# dependencies = ['a']\n# ///\n", ()),
        ("# /// other\n# /// script\n# dependencies = ['a']\n# ///\n", ()),  # inside a block of another type
        ("# /// other\n# x\n# ///\n\n# /// script\n# dependencies = ['a']\n# ///\n", ("a",)),
        ("# /// script\n# dependencies = ['''\n# ///\n# a''']\n# ///\n", ("///\na",)),  # the last closing line counts
    ],
)
def test_the_block_is_found_as_the_standard_says(script: str, found: tuple[str, ...]) -> None:
    assert script_metadata(script) == Metadata(found)


def test_the_python_that_it_asks_for() -> None:
    assert script_metadata('# /// script\n# requires-python = ">=3.12"\n# ///\n') == Metadata((), ">=3.12")


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("# x =", "it is no TOML"),
        ("# x = " + "9" * 5000, "it is no TOML"),
        ("# dependencies = " + "[" * 50_000, "it is no TOML"),
        ("# x = '" + "9" * MAX + "'", "it is longer than 65,536 characters"),
        ("# dependencies = 3", "its dependencies are no list of texts"),
        ("# dependencies = ['a', 1]", "its dependencies are no list of texts"),
        ("# requires-python = 3.12", "its requires-python is no text"),
    ],
)
def test_a_block_that_cannot_be_read_says_why(content: str, why: str) -> None:
    assert script_metadata(f"# /// script\n{content}\n# ///\n") == Metadata(unreadable=why)


def test_several_blocks_of_a_script_are_an_error() -> None:
    block = "# /// script\n# dependencies = ['a']\n# ///\n\n"
    found = script_metadata(block * 2)
    assert found == Metadata(unreadable="it has 2 blocks of the type “script”, and may have one")
