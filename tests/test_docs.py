"""The built-in docs keep up with the code: every problem code, setting and rule that a reader meets has its place."""

from __future__ import annotations

import ast
import re
from dataclasses import fields

import pytest

from sitegen.caveats import RULES
from sitegen.cli import cli
from sitegen.config import Catalog, Reproduce, Settings
from sitegen.content import Content, Doc, load_docs, packaged
from sitegen.errors import Problems
from sitegen.history import BUCKETS, TRANSITIONS
from sitegen.rules.codes import EFFECTS
from tests.factory import words
from tests.test_architecture import TREES


@pytest.fixture(scope="module")
def docs() -> dict[str, Doc]:
    return {doc.stem: doc for doc in load_docs(Content((packaged("content"),)), Problems())}


def codes() -> set[str]:
    """The codes of all problems that the package can report."""
    found = set()
    for tree in TREES.values():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
                level = node.func.attr in ("error", "notice", "info")
                first = node.args[1 if node.func.attr == "add" and len(node.args) > 1 else 0]
                if (level or node.func.attr == "add") and isinstance(first, ast.Constant) and "-" in str(first.value):
                    found.add(str(first.value))
    return found


def test_every_problem_has_its_section_and_every_section_its_problem(docs: dict[str, Doc]) -> None:
    sections = {heading.anchor for heading in docs["input-problems"].headings if heading.level == 3}
    assert codes() <= set(EFFECTS)
    assert sections == set(EFFECTS)


def test_every_setting_is_described(docs: dict[str, Doc]) -> None:
    text = docs["maintainers"].text
    for settings in (Settings, Catalog, Reproduce):
        for setting in fields(settings):
            assert setting.name in text or setting.name.replace("_", "-") in text, setting.name
    for command in cli.commands:
        assert f"sitegen {command}" in text


def test_every_caveat_leads_to_a_section(docs: dict[str, Doc]) -> None:
    for rule in RULES:
        stem, _, anchor = rule.docs.partition(".md#")
        assert anchor in docs[stem].anchors, rule.id


def test_every_outcome_and_check_leads_to_a_section(docs: dict[str, Doc]) -> None:
    known = words()
    for entry in (*known.outcomes.values(), *known.states.values()):
        stem, _, anchor = entry.docs.partition(".md#")
        assert anchor in docs[stem].anchors, entry.key


def test_every_word_for_a_change_has_its_place(docs: dict[str, Doc]) -> None:
    assert {*TRANSITIONS, *BUCKETS} <= docs["following-changes"].anchors


def section(docs: dict[str, Doc], link: str) -> str:
    """The text of the section that a link leads to, up to the next heading."""
    stem, _, anchor = link.partition(".md#")
    return docs[stem].html.split(f'id="{anchor}"', 1)[1].split("<h", 1)[0]


def folded(text: str) -> str:
    """A word whatever its case and its separators: TIMED_OUT as TIMED OUT."""
    return re.sub(r"[\s_-]", "", text).lower()


def test_every_word_that_is_read_is_named_in_its_section(docs: dict[str, Doc]) -> None:
    known = words()
    read = [(word, known.outcomes[key].docs) for word, key in known.by_word.items()]
    for verdicts, keys in ((known.good, ("cpu-match", "fluent")), (known.bad, ("cpu-mismatch", "not-fluent"))):
        for check, key in zip(("cpu_match", "english"), keys, strict=True):
            read += [(word, known.states[key].docs) for word in verdicts[check]]
    unnamed = {
        (word, link)
        for word, link in read
        if folded(word) not in {folded(code) for code in re.findall(r"<code>(.*?)</code>", section(docs, link))}
    }
    assert unnamed == set()
