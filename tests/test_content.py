"""What people wrote: overlays, documents, caveats and the maintainers' lists."""

from __future__ import annotations

from pathlib import Path

import pytest

from sitegen.caveats import RULES
from sitegen.content import (
    OUTCOMES,
    Content,
    Doc,
    check_links,
    check_words,
    load_caveats,
    load_docs,
    load_words,
    packaged,
)
from sitegen.errors import Level, Problems
from tests.factory import words, write

BUILT_IN = packaged("content")


def test_a_file_of_the_overlay_replaces_the_built_in_one_and_no_other(tmp_path: Path) -> None:
    write(tmp_path / "caveats" / "tokens-32.md", "Ours.")
    write(tmp_path / "caveats" / "own-rule.md", "New.")
    sentences = load_caveats(Content((tmp_path, BUILT_IN)), Problems())
    assert sentences["tokens-32"] == "Ours."
    assert sentences["own-rule"] == "New."
    assert "expert parallelism" in sentences["expert-parallel"]


# -- Words


def test_words_come_from_the_overlay_where_it_has_them(tmp_path: Path) -> None:
    text = (BUILT_IN / "outcomes.toml").read_text("utf-8")
    write(tmp_path / "outcomes.toml", text.replace('"PASSED"', '"PASSED", "OK"'))
    assert load_words(Content((tmp_path, BUILT_IN)), Problems()).outcome("ok").key == "pass"
    assert words().outcome("ok").key == "unknown"


@pytest.mark.parametrize("text", ["", "outcome = 3", "[[outcome]]", 'outcome = ["x"]', "= broken", "\ufeff\ufeff"])
def test_words_that_cannot_be_read_are_an_error_and_the_built_in_ones_stand_in(tmp_path: Path, text: str) -> None:
    write(tmp_path / "outcomes.toml", text)
    problems = Problems()
    assert load_words(Content((tmp_path, BUILT_IN)), problems).outcome("PASS").key == "pass"
    assert [(p.level, p.code, p.place.file) for p in problems] == [(Level.ERROR, OUTCOMES, "outcomes.toml")]


# -- Documents

PAGE = """\
title: A title
summary: One line.
order: 2

# Heading one

See [the protocol](protocol.md#tokens), [here](#second), [there](https://x.org/a.md).

## Second

<script>alert(1)</script> [bad](javascript:alert(1)) `{{ x }}`

| a | b |
|---|---|
| 1 | 2 |

### Third
"""


def docs(folder: Path, **pages: str) -> tuple[Doc, ...]:
    for stem, text in pages.items():
        write(folder / "docs" / f"{stem.replace('_', '-')}.md", text)
    return load_docs(Content((folder,)), Problems())


def test_a_document_has_its_title_headings_and_clean_html(tmp_path: Path) -> None:
    (doc,) = docs(tmp_path, a_page=PAGE)
    assert (doc.stem, doc.file, doc.title, doc.summary) == ("a-page", "docs/a-page.md", "A title", "One line.")
    assert [(h.level, h.anchor, h.text) for h in doc.headings] == [(2, "second", "Second"), (3, "third", "Third")]
    assert {"second", "third"} <= doc.anchors
    assert "<h1" not in doc.html  # the page has its own
    assert "<table>" in doc.html
    assert "<code>{{ x }}</code>" in doc.html  # B26
    assert "script" not in doc.html
    assert "<" not in doc.text


def test_links_between_documents_lead_to_their_pages(tmp_path: Path) -> None:
    (doc,) = docs(tmp_path, a_page=PAGE)
    assert 'href="../protocol/index.html#tokens"' in doc.html
    assert 'href="#second"' in doc.html
    assert 'href="https://x.org/a.md"' in doc.html
    assert doc.links == (("protocol", "tokens"), ("a-page", "second"))


@pytest.mark.parametrize(
    ("text", "title"),
    [("# From *the* heading\n", "From the heading"), ("Text.\n", "A page"), ("title: Own\n\n# H\n", "Own")],
)
def test_titles(tmp_path: Path, text: str, title: str) -> None:
    assert docs(tmp_path, a_page=text)[0].title == title


def test_documents_come_in_their_order_then_by_name(tmp_path: Path) -> None:
    found = docs(tmp_path, b="order: 10\n\nx", c="x", a="x", d="order: 2\n\nx", e="order: first\n\nx")
    assert [doc.stem for doc in found] == ["d", "b", "a", "c", "e"]


def test_a_document_that_is_not_utf8_is_an_error(tmp_path: Path) -> None:
    write(tmp_path / "docs" / "bad.md", b"caf\xe9")
    problems = Problems()
    assert load_docs(Content((tmp_path,)), problems) == ()
    assert [(p.level, p.place.file) for p in problems] == [(Level.ERROR, "docs/bad.md")]


def test_links_that_lead_nowhere_are_notices(tmp_path: Path) -> None:
    found = docs(tmp_path, a="[x](b.md) [y](b.md#no) [z](c.md) [w](#yes) [v](#no)\n\n## Yes\n", b="## Other\n")
    problems = Problems()
    check_links(found, problems)
    assert [(p.level, p.place.file) for p in problems] == [(Level.NOTICE, "docs/a.md")] * 3
    assert [p.found.split(",")[0] for p in problems] == ["a link to a.md#no", "a link to b.md#no", "a link to c.md"]


def test_the_built_in_documents_hold_together() -> None:
    problems = Problems()
    found = load_docs(Content((BUILT_IN,)), problems)
    assert {"reading-a-result", "outcomes", "protocol", "scope", "after-a-pass", "run-it-yourself"} <= {
        doc.stem for doc in found
    }
    check_links(found, problems)
    assert [str(problem) for problem in problems] == []


def test_what_the_pages_refer_to_in_the_documents_is_there() -> None:
    anchors = {doc.stem: doc.anchors for doc in load_docs(Content((BUILT_IN,)), Problems())}
    table = words()
    targets = [rule.docs for rule in RULES]
    targets += [outcome.docs for outcome in (*table.outcomes.values(), *table.states.values())]
    for target in targets:
        stem, _, anchor = target.partition(".md#")
        assert anchor in anchors[stem], target


# -- Caveats


def test_every_rule_has_its_sentence_and_every_sentence_its_rule() -> None:
    assert {rule.id for rule in RULES} == set(load_caveats(Content((BUILT_IN,)), Problems()))


def test_a_sentence_is_one_piece_of_inline_html(tmp_path: Path) -> None:
    write(tmp_path / "caveats" / "x.md", "Only *{tp}* cores, <script>alert(1)</script>`{cpu_match}`.\n")
    sentence = load_caveats(Content((tmp_path,)), Problems())["x"]
    assert sentence == "Only <em>{tp}</em> cores, <code>{cpu_match}</code>."


def test_what_the_link_check_finds_is_plain(tmp_path: Path) -> None:
    problems = Problems()
    check_links(docs(tmp_path, own="[x](nowhere.md#a\x1b[2J)\n"), problems)
    assert [str(problem).isprintable() for problem in problems] == [True]


def test_control_characters_leave_a_document(tmp_path: Path) -> None:
    """B28: of text, headings and anchors alike; each kind of line end is one."""
    (doc,) = docs(tmp_path, page="# A\x00B\x1b\r\rx\x00y\ufffe\x85\r\n\n## C\x00D\n")
    assert doc.title == "AB"
    assert "<p>xy</p>" in doc.html
    assert [(heading.anchor, heading.text) for heading in doc.headings] == [("cd", "CD")]


def test_a_text_that_is_there_and_is_no_file_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "gone.md").symlink_to("nowhere")
    problems = Problems()
    assert load_docs(Content((tmp_path,)), problems) == ()
    assert [(p.code, p.place.file, p.found) for p in problems] == [
        ("text-unreadable", "docs/gone.md", "a link whose target nowhere is missing")
    ]


def test_words_explained_nowhere_are_an_error(tmp_path: Path) -> None:
    problems = Problems()
    check_words(words(), docs(tmp_path, outcomes="# Words\n"), problems)
    assert {(p.code, p.place.file) for p in problems} == {("outcomes-unreadable", "outcomes.toml")}
    assert any("outcomes.md#pass" in p.found for p in problems)
