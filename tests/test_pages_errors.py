"""Error signatures: every error has one; its page names the models, quotes a log and says how another differs."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from sitegen.build import load
from sitegen.config import Settings
from sitegen.content import packaged
from sitegen.pages import errors
from sitegen.pages.errors import ErrorContext, ErrorsContext
from sitegen.pages.parts import PAGE_ROWS
from sitegen.pages.samples import QUOTED_LINE, QUOTED_LINES
from sitegen.plan import Page, make_plan
from sitegen.progress import Progress
from sitegen.signature import RULES, VERSION, Signature
from sitegen.texts import TextStore
from tests.factory import DAY, OLD, put, row, site_of

Row = dict[str, Any]
TRACE = 'Traceback (most recent call last):\n  File "/app/run.py", line {0}, in main\n    step({0})\n{1}\n'
OLDER = {"neuronx_cc": OLD, "library_version": "5.18.0"}


def failing(model_id: str, error: str | None, **changes: Any) -> Row:
    return row(model_id, **{"result": "FAIL", "cpu_match": None, "error": error, **changes})


@contextmanager
def pages(folder: Path, rows: list[Row]) -> Iterator[dict[str, Any]]:
    """The contexts of all pages of errors, by path."""
    put(folder, rows)
    with TextStore() as store:
        site, _ = load(Settings(data=folder, keep_going=True), store, Progress())
        reader = store.reader()
        yield {page.path: page.context(reader) for page in errors.plan(site) if isinstance(page, Page)}


def index(found: dict[str, Any]) -> ErrorsContext:
    context = found["errors/index.html"]
    assert isinstance(context, ErrorsContext)
    return context


def only(found: dict[str, Any]) -> ErrorContext:
    (row,) = index(found).rows
    context = found[row.path]
    assert isinstance(context, ErrorContext)
    return context


def test_signatures_stand_by_number_of_models_and_none_is_left_out(tmp_path: Path) -> None:
    rows = [
        failing("acme/a", "ValueError: got 3\n"),
        failing("acme/a", "ValueError: got 4\n", **OLDER),
        failing("acme/b", "KeyError: 'x'\n"),
        failing("acme/c", "KeyError: 'x'\n"),
        failing("acme/d", None),
        failing("acme/e", None, result="ERROR"),
        # No failures: a time limit, a pass and an exclusion with an error beside them.
        row("acme/f", result="TIMEOUT", error="KeyError: 'x'\n"),
        row("acme/g", error="KeyError: 'x'\n"),
        row("acme/h", result="EXCLUDED", error="KeyError: 'x'\n"),
    ]
    with pages(tmp_path, rows) as found:
        context = index(found)
    assert [(entry.text, entry.models, entry.results) for entry in context.rows] == [
        ("KeyError: 'x'", 2, 2),
        ("ValueError: got <n>", 1, 2),
    ]
    assert context.silent == 2
    assert sum(entry.results for entry in context.rows) + context.silent == 6  # every failure


def test_first_and_last_pair_are_those_of_the_versions_and_not_of_the_dates(tmp_path: Path) -> None:
    rows = [
        failing("acme/a", "ValueError: x\n", library_version="5.9.0", tested_at=DAY + timedelta(days=9)),
        failing("acme/b", "ValueError: x\n", library_version="5.10.0", tested_at=DAY),
    ]
    with pages(tmp_path, rows) as found:
        (entry,) = index(found).rows
        context = only(found)
    assert entry.first.endswith("transformers 5.9.0")
    assert entry.last.endswith("transformers 5.10.0")
    assert [p.pair.text.split()[-1] for p in context.pairs] == ["5.10.0", "5.9.0"]


def test_a_page_leads_to_the_error_of_each_result_and_says_what_it_was(tmp_path: Path) -> None:
    rows = [
        failing("acme/b", "ValueError: x\n"),
        failing("acme/a", "ValueError: x\n", result="ERROR"),
        failing("acme/a", "ValueError: x\n", tested_at=None, **OLDER),
    ]
    with pages(tmp_path, rows) as found:
        context = only(found)
    shown = [
        [
            (r.id, r.path.split("/")[2], r.path.endswith("/index.html#error"), r.status.label, r.tested)
            for r in p.results
        ]
        for p in context.pairs
    ]
    assert shown == [
        [("acme/a", "a", True, "ERROR", "2026-10-28"), ("acme/b", "b", True, "FAIL", "2026-10-28")],
        [("acme/a", "a", True, "FAIL", "not recorded")],
    ]
    assert (context.models, context.results) == ("2 models", "3 results")
    assert [p.models for p in context.pairs] == ["2 models", "1 model"]


def test_the_sample_is_the_newest_under_the_highest_pair_and_the_other_is_of_another_model(tmp_path: Path) -> None:
    rows = [
        failing("acme/a", "ValueError: x\n", tested_at=DAY + timedelta(days=8), **OLDER),
        failing("acme/b", "ValueError: x\n", tested_at=DAY),
        failing("acme/c", "ValueError: x\n", tested_at=DAY + timedelta(days=1)),
        failing("acme/d", "ValueError: x\n", tested_at=None),
    ]
    with pages(tmp_path, rows) as found:
        context = only(found)
        assert context.sample
        assert context.difference
        assert (context.sample.id, context.difference.other.id) == ("acme/c", "acme/b")
        assert context.difference.lines is None  # nothing differs


def test_of_one_model_two_results_are_compared_and_of_one_result_none(tmp_path: Path) -> None:
    both = [failing("acme/a", "ValueError: 1\n"), failing("acme/a", "ValueError: 2\n", **OLDER)]
    with pages(tmp_path / "two", both) as found:
        assert (difference := only(found).difference)
        assert difference.other.pair.endswith("transformers 5.18.0")
    with pages(tmp_path / "one", both[:1]) as found:
        assert only(found).difference is None


def test_what_differs_is_marked_with_the_lines_of_both_logs(tmp_path: Path) -> None:
    rows = [
        failing("acme/a", TRACE.format(7, "RuntimeError: <b>4</b> is too large")),
        failing("acme/b", "before\n" + TRACE.format(7, "RuntimeError: <b>16</b> is too large")),
    ]
    with pages(tmp_path, rows) as found:
        difference = only(found).difference
    assert difference
    lines = str(difference.lines)
    plain = html.unescape(re.sub("<[^>]*>", "", lines)).splitlines()
    assert [line[:1] for line in plain] == ["-", "+", " ", " "]
    assert "<mark>4</mark>" in lines
    assert "<mark>16</mark>" in lines
    assert "<b>" not in lines
    assert re.findall(r'data-n="(\d*)"', lines) == ["4", "", "", "5", "2", "3", "3", "4"]


def test_the_sample_quotes_the_causes_and_where_the_root_was_raised(tmp_path: Path) -> None:
    chain = (
        TRACE.format(3, "KeyError: 'root'")
        + "\nThe above exception was the direct cause of the following exception:\n\n"
        + TRACE.format(9, "RuntimeError: top")
    )
    with pages(tmp_path, [failing("acme/a", chain)]) as found:
        sample = only(found).sample
    assert sample
    assert [(quote.label, [text.strip() for _, text in quote.lines]) for quote in sample.quotes] == [
        ("The error", ["RuntimeError: top"]),
        ("Caused by", ["KeyError: 'root'"]),
        ("Raised in", ['File "/app/run.py", line 3, in main', "step(3)"]),
    ]
    log = chain.splitlines()
    assert all(log[number - 1] == text for quote in sample.quotes for number, text in quote.lines)


def test_what_is_quoted_is_bounded(tmp_path: Path) -> None:
    message = "ValueError: x\n" + "".join(f"  line {n} {'y' * 1500}\n" for n in range(30))
    chain = "\nThe above exception was the direct cause of the following exception:\n\n".join(
        "Traceback (most recent call last):\n" + message for _ in range(3)
    )
    with pages(tmp_path, [failing("acme/a", chain)]) as found:
        sample = only(found).sample
    assert sample
    assert len(sample.lines) == QUOTED_LINES
    assert sample.left_out == 3 * 31 - QUOTED_LINES
    assert max(len(text) for _, text in sample.lines) <= QUOTED_LINE + 2


@pytest.mark.parametrize("error", ["", " \n\t\n", "\x00\x01", ". Did you mean: 'b'?\n"])
def test_an_error_without_words_still_has_its_place(tmp_path: Path, error: str) -> None:
    with pages(tmp_path, [failing("acme/a", error)]) as found:
        context = index(found)
    assert len(context.rows) + context.silent == 1
    assert all(entry.text.strip() for entry in context.rows)


def test_what_stands_for_something_is_explained_and_nothing_else(tmp_path: Path) -> None:
    rows = [failing("acme/tern-1b", "ValueError: acme/tern-1b needs 4 GB at /tmp/a/b\n")]
    with pages(tmp_path, rows) as found:
        context = only(found)
    assert context.text == "ValueError: <model> needs <size> at <path>"
    assert {entry.word for entry in context.replaced} == {"<model>", "<size>", "<path>"}
    assert all(entry.word in after for entry in context.replaced for _, after in entry.examples)
    assert all(entry.examples for entry in context.replaced)


def test_long_lists_have_pages_that_hold_every_row_once(tmp_path: Path) -> None:
    many = PAGE_ROWS + 5
    rows = [failing(f"acme/a{n}", "ValueError: x\n") for n in range(many)]
    rows += [failing(f"acme/b{n}", f"KeyError: 'key{chr(97 + n // 26)}{chr(97 + n % 26)}'\n") for n in range(many)]
    with pages(tmp_path, rows) as found:
        lists = [context for context in found.values() if isinstance(context, ErrorsContext)]
        first = index(found).rows[0].path
        shared = [found[path] for path in (first, first.replace("index", "page-2/index"))]
    assert sorted(len(context.rows) for context in lists) == [6, PAGE_ROWS]
    ids = [result.id for context in shared for entry in context.pairs for result in entry.results]
    assert sorted(ids) == sorted(f"acme/a{n}" for n in range(many))
    assert {entry.models for context in shared for entry in context.pairs} == {f"{many} models"}
    assert [context.sample is None for context in shared] == [False, True]


def test_without_errors_there_is_one_page(tmp_path: Path) -> None:
    with pages(tmp_path, [row()]) as found:
        assert list(found) == ["errors/index.html"]
        assert (index(found).rows, index(found).silent) == ((), 0)


def test_addresses_do_not_depend_on_what_else_there_is(tmp_path: Path) -> None:
    one, other = failing("acme/a", "ValueError: x\n"), failing("acme/b", "KeyError: 'y'\n")
    with pages(tmp_path / "one", [one]) as few, pages(tmp_path / "two", [other, one]) as more:
        assert set(few) < set(more)


def test_two_signatures_whose_short_hashes_are_the_same_have_two_pages(tmp_path: Path) -> None:
    seen: dict[str, str] = {}
    texts = (f"ValueError: {''.join(letters)}" for letters in product("ghjklmnpq", repeat=7))
    one, other = next((seen[key], text) for text in texts
                      if seen.setdefault(key := Signature(text).slug(), text) != text)  # fmt: skip
    site = site_of(tmp_path, [failing("acme/a", f"{one}\n"), failing("acme/b", f"{other}\n")])
    paths = make_plan(list(errors.plan(site))).paths
    assert paths == {"errors/index.html", *site.error_paths.values()}
    assert site.error_paths.keys() == {one, other}
    assert all(re.fullmatch(r"errors/valueerror-[0-9a-f]{16}/index\.html", path) for path in site.error_paths.values())


def test_the_docs_name_every_rule_and_their_examples_hold() -> None:
    text = (packaged("content") / "docs" / "errors.md").read_text("utf-8")
    rows = {line.split("|")[1].strip(): line for line in text.splitlines() if line.startswith("| ")}
    assert f"version {VERSION} of the rules" in text
    assert [name for name in rows if name != "Rule"] == [rule.name for rule in RULES]
    for rule in RULES:
        if rule.name != "blanks":  # several of them read as one on a page
            before, after = re.findall(r"`(.*?)`(?= )", rows[rule.name])
            assert rule.pattern.sub(rule.replacement, before) == after
