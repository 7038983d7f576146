"""Lists: each has the data of all its rows for the scripts, in the order and with the links of its pages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import Any, cast

import pytest

from sitegen.content import packaged
from sitegen.pages import lists, model
from sitegen.pages.facets import FACETS
from sitegen.pages.lists import ListContext
from sitegen.plan import File, Link, Page
from sitegen.site import Site
from sitegen.texts import TextReader
from tests.cases.site import script_data
from tests.factory import OLD, ranking, row, site_of, write

NO_TEXTS = cast(TextReader, None)  # a list shows none


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    """Selected, two rankings, two pairs, and more models than a page holds."""
    data = tmp_path_factory.mktemp("lists")
    ranking(data, [{"id": "acme/m7", "downloads": 3}, "acme/untested"])
    write(data / "lists" / "selected.toml", '[[model]]\nid = "acme/m3"\nnote = "=First"\n[[model]]\nid = "acme/m1"\n')
    rows = [row(f"acme/m{n}", tp=2 ** (n % 4)) for n in range(230)]
    return site_of(data, [*rows, row("acme/m1", neuronx_cc=OLD, result="FAIL", error="NRT_EXEC_OOB")])


def data_files(site: Site) -> Iterator[tuple[str, Any]]:
    """The path of the data of each list, and the data."""
    for output in lists.plan(site):
        if isinstance(output, File):
            yield output.path, script_data(output.content(NO_TEXTS), "rows")


def contexts(site: Site) -> Iterator[tuple[str, ListContext]]:
    for output in lists.plan(site):
        if isinstance(output, Page):
            yield output.path, output.context(NO_TEXTS)


def served(site: Site, script: str | None) -> list[str]:
    """The ids on all pages of the list with this data, in the order of the pages."""
    return [row.id for _, context in contexts(site) if context.rows_script == script for row in context.rows]


def test_every_list_with_rows_has_data_and_no_other_does(site: Site) -> None:
    asked = {context.rows_script for _, context in contexts(site)}
    empty = [context for _, context in contexts(site) if context.rows_script is None]
    assert {path for path, _ in data_files(site)} == asked - {None}
    assert {"rows.js", "all/rows.js", "trending/text-generation/rows.js"} < asked
    assert {bool(context.empty and not context.rows) for context in empty} == {True}


def test_the_rows_of_the_data_are_those_of_the_pages_in_their_order(site: Site) -> None:
    for path, data in data_files(site):
        assert [fields[1] for fields in data["rows"]] == served(site, path), path


def test_links_of_the_data_lead_to_what_the_pages_link(site: Site) -> None:
    paths = {
        row.id: row.path
        for _, context in contexts(site)
        if context.rows_script == "all/rows.js"
        for row in context.rows
    }
    data = dict(data_files(site))["all/rows.js"]
    assert {fields[1]: normpath(join("all", fields[2])) for fields in data["rows"]} == paths
    pairs = {normpath(join("all", fields[5][1])) for fields in data["rows"] if fields[5]}
    assert pairs == {site.addresses.pair(site.pairs[0])}
    assert all(dirname(path).startswith("versions/") for path in pairs)


def test_the_data_says_for_each_row_which_option_of_each_facet_it_has(site: Site) -> None:
    data = dict(data_files(site))["trending/rows.js"]
    facets = [(key, [option[0] for option in options]) for key, _, options in data["facets"]]
    assert [key for key, _ in facets] == [key for key, _ in FACETS]
    found = {
        fields[1]: [options[place] for (_, options), place in zip(facets, fields[-1], strict=True)]
        for fields in data["rows"]
    }
    assert found["acme/m7"][:4] == ["pass", "cpu-match", "8", "text-generation"]
    assert found["acme/untested"][:4] == ["not-tested", "no-run", "no-run", "text-generation"]


def test_under_a_pair_facets_are_of_what_that_pair_has(site: Site) -> None:
    old = site.addresses.pairs[site.pairs[1]]
    (context,) = (c for path, c in contexts(site) if path == f"versions/{old}/index.html")
    outcome = next(facet for facet in context.facets if facet.key == "outcome")
    assert [option.key for option in outcome.options] == ["fail", "not-tested"]


def test_all_pages_of_a_list_offer_the_facets_of_the_whole_list(site: Site) -> None:
    first, second = (c for _, c in contexts(site) if c.rows_script == "all/rows.js")
    assert first.facets == second.facets
    assert (len(first.rows), len(second.rows), first.total) == (200, 31, 231)


def test_a_model_that_was_tested_under_an_earlier_id_says_so_and_leads_there(tmp_path: Path) -> None:
    ranking(tmp_path, [{"id": "acme/new-1b", "was": ["acme/unknown", "acme/old-1b"]}])
    found = site_of(tmp_path, [row("acme/old-1b")])
    shown = {row.id: row for _, context in contexts(found) for row in context.rows}["acme/new-1b"]
    assert shown.status.key == "not-tested"
    assert shown.elsewhere == Link("under its earlier id acme/old-1b", found.addresses.model("acme/old-1b"))
    pages = {o.path: o.context(NO_TEXTS) for o in model.plan(found) if isinstance(o, Page)}
    assert [old.id for old in pages[found.addresses.model("acme/new-1b")].earlier] == ["acme/unknown", "acme/old-1b"]
    now = pages[found.addresses.model("acme/old-1b")].now_called
    assert now == Link("acme/new-1b", found.addresses.model("acme/new-1b"))
    assert pages[found.addresses.model("acme/new-1b")].now_called is None


def test_a_saved_table_is_named_after_its_list(site: Site) -> None:
    names = {path: context.file_name for path, context in contexts(site)}
    assert names["index.html"] == "selected"
    assert names["all/page-2/index.html"] == "all"
    assert names["trending/text-generation/index.html"] == "trending-text-generation"
    assert len(set(names.values())) == len({path for path in names if "page-" not in path})


def columns_of_files() -> list[str]:
    script = (packaged("static") / "js" / "list_file.js").read_text("utf-8")
    return re.findall(r'^    \["(\w+)", \(', script, re.MULTILINE)


def test_the_docs_name_every_parameter_and_every_column_of_a_file() -> None:
    text = (packaged("content") / "docs" / "finding-models.md").read_text("utf-8")
    assert len(columns_of_files()) > 20
    for name in [*columns_of_files(), *(key for key, _ in FACETS), "q", "sort", "order"]:
        assert f"`{name}`" in text, name
    for _, label in FACETS:
        assert label in text, label
