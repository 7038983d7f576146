"""Rendering: links are relative to the page at hand, and parts that pages share are those that each would have."""

from __future__ import annotations

from posixpath import dirname, relpath
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from markupsafe import Markup

from sitegen.render import Fragments
from sitegen.urls import relative

NAMES = st.sampled_from(["a", "b", "models", "docs", "index.html"])
FOLDERS = st.lists(NAMES, max_size=4).map(lambda names: "".join(f"{name}/" for name in names))
PATHS = st.builds(lambda folder, name: f"{folder}{name}.html", FOLDERS, st.sampled_from("xyz"))


@given(PATHS, PATHS)
def test_a_relative_link_is_the_shortest_way(source: str, target: str) -> None:
    assert relative(source, target) == relpath(target, dirname(source) or ".")


@given(st.lists(st.tuples(PATHS, st.lists(st.lists(PATHS, max_size=2).map(tuple), min_size=1, max_size=3)), max_size=9))
def test_a_kept_part_is_what_the_page_at_hand_would_have(pages: list[tuple[str, list[tuple[str, ...]]]]) -> None:
    """Parts of parts too: the outer one is as near as the nearest link in it."""
    fragments = Fragments()
    page = ""

    def fresh(target: str) -> Markup:
        return Markup("<a href='{}'>").format(relative(page, target))

    def link(target: str) -> Markup:
        fragments.linked(target)
        return fresh(target)

    def inner(*targets: str) -> Markup:
        return Markup().join(map(link, targets))

    def outer(*values: Any) -> Markup:
        return Markup().join(fragments.get(inner, targets) for targets in values)

    for page, parts in pages:
        fragments.turn_to(page)
        assert fragments.get(outer, tuple(parts)) == Markup().join(fresh(t) for targets in parts for t in targets)


def test_parts_are_kept_across_pages_and_not_without_end() -> None:
    made: list[int] = []

    def part(number: int) -> Markup:
        made.append(number)
        return Markup("{}").format(number)

    fragments = Fragments()
    for page in ("index.html", "docs/index.html", "models/a/b/index.html"):
        fragments.turn_to(page)
        fragments.get(part, (1,))
    assert made == [1]
    for number in range(2 * fragments.MAX):
        fragments.get(part, (number,))
    assert fragments.count <= fragments.MAX
