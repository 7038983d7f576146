"""The maintainers' lists: exact and by pattern, in order, with each fault at its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from sitegen.content import Content
from sitegen.errors import Level, Place, Problems
from sitegen.lists import ExclusionRule, Lists, load_lists
from sitegen.model import Selected
from tests.factory import write


def lists(tmp_path: Path, *, selected: str = "", excluded: str = "") -> tuple[Lists, Problems]:
    write(tmp_path / "lists" / "selected.toml", selected)
    write(tmp_path / "lists" / "excluded.toml", excluded)
    problems = Problems()
    return load_lists(Content((tmp_path,)), tmp_path / "data", problems), problems


def test_selected_models_keep_their_order(tmp_path: Path) -> None:
    text = '[[model]]\nid = "z/one"\nnote = "Often asked for."\nsince = 2026-11-01\n[[model]]\nid = "a/two"\n'
    found, problems = lists(tmp_path, selected=text)
    assert found.selected == (Selected("z/one", "Often asked for.", "2026-11-01"), Selected("a/two"))
    assert len(problems) == 0


def test_exclusions_by_id_and_by_pattern(tmp_path: Path) -> None:
    text = """
    [[exclusion]]
    id = "a/x"
    reason = "Needs more cores."
    kind = "incompatible"
    [[exclusion]]
    pattern = "*-GGUF"
    """
    found, problems = lists(tmp_path, excluded=text)
    assert found.excluded == (
        ExclusionRule("a/x", None, "Needs more cores.", "incompatible", Place("lists/excluded.toml", 1)),
        ExclusionRule(None, "*-GGUF", None, None, Place("lists/excluded.toml", 2)),
    )
    assert len(problems) == 0


@pytest.mark.parametrize(
    ("selected", "level", "row", "column"),
    [
        ("[[model]]\nnote = 'no id'", Level.ERROR, 1, "id"),
        ("[[model]]\nid = 'acme/'", Level.ERROR, 1, "id"),
        ("[[model]]\nid = 'a/x'\nnote = 3", Level.ERROR, 1, "note"),
        ("[[model]]\nid = 'a/x'\n[[model]]\nid = 'a/x'", Level.NOTICE, 2, ""),
        ("[[model]]\nid = 'a/x'\ncolour = 'red'", Level.NOTICE, 1, "colour"),
        ("[[modell]]\nid = 'a/x'", Level.NOTICE, 0, "modell"),
        ("model = 'a/x'", Level.ERROR, 0, ""),
        ("[[model]", Level.ERROR, 0, ""),
    ],
)
def test_a_fault_in_the_selection_is_reported_with_its_place(
    tmp_path: Path, selected: str, level: Level, row: int, column: str
) -> None:
    _, problems = lists(tmp_path, selected=selected)
    assert [(p.level, p.place) for p in problems] == [(level, Place("lists/selected.toml", row, column))]


@pytest.mark.parametrize(
    ("excluded", "column"),
    [
        ("[[exclusion]]\nreason = 'none named'", ""),
        ("[[exclusion]]\nid = 'a/x'\npattern = 'a/*'", ""),
        ("[[exclusion]]\nid = 'a/x'\nkind = 'too-large'", "kind"),
    ],
)
def test_a_fault_in_the_exclusions_is_an_error_with_its_place(tmp_path: Path, excluded: str, column: str) -> None:
    found, problems = lists(tmp_path, excluded=excluded)
    assert found.excluded == ()
    assert [(p.level, p.place) for p in problems] == [(Level.ERROR, Place("lists/excluded.toml", 1, column))]


def test_lists_of_the_data_folder_win(tmp_path: Path) -> None:
    write(tmp_path / "data" / "lists" / "selected.toml", "[[model]]\nid = 'data/own'\n")
    found, _ = lists(tmp_path, selected="[[model]]\nid = 'content/one'\n", excluded="[[exclusion]]\nid = 'a/x'\n")
    assert [entry.model_id for entry in found.selected] == ["data/own"]
    assert [rule.id for rule in found.excluded] == ["a/x"]  # file by file
