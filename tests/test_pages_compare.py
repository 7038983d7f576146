"""Comparisons: which pairs, every model once, sums that add up, and data that says what the pages say."""

from __future__ import annotations

from collections.abc import Iterator
from posixpath import dirname, join, normpath
from typing import Any, cast

import pytest

from sitegen.history import BUCKETS, compare, previous
from sitegen.pages import compare as page_kind
from sitegen.pages import lists
from sitegen.pages.compare import CompareContext, ComparisonsContext
from sitegen.pages.compared import COMPARE_FACETS, FIELDS
from sitegen.pages.comparisons import comparisons, news_of
from sitegen.pages.lists import ListContext
from sitegen.plan import File, Page, make_plan
from sitegen.segments import PATH_MAX, SEGMENT_MAX
from sitegen.site import Site
from sitegen.texts import TextReader
from sitegen.urls import COMPARE, HOME
from tests.cases.site import script_data
from tests.factory import NEW, OLD, Row, pair, row, site_of, write

NO_TEXTS = cast(TextReader, None)
FIRST = {"neuronx_cc": OLD, "library_version": "5.18.0"}
SECOND = {"neuronx_cc": OLD, "library_version": "5.21.0"}
THIRD = {"neuronx_cc": NEW, "library_version": "5.21.0"}
OTHER = {"neuronx_cc": NEW, "library": "diffusers", "library_version": "0.40.0"}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    """Three pairs of one library and one of another; a model for each bucket, and many that still pass."""
    data = tmp_path_factory.mktemp("compare")
    write(data / "lists" / "excluded.toml", '[[exclusion]]\nid = "acme/new"\nreason = "Too large."\n')
    pairs: tuple[tuple[str, Row | None, Row | None], ...] = (
        ("regressed", {}, {"result": "FAIL", "tp": 4, "runner": "manual"}),
        ("fixed", {"result": "FAIL", "tp": None}, {}),
        ("still-failing", {"result": "ERROR"}, {"result": "FAIL"}),
        ("other", {"result": "TIMEOUT"}, {}),
        ("exclusions", {"result": "EXCLUDED"}, {}),
        ("new", None, {}),
        ("gone", {"tp": 2}, None),
        *((f"z-still-{n:03}", {}, {}) for n in range(230)),
    )
    rows = [row("acme/only-first", **FIRST), row("acme/fixed", **FIRST), row("acme/diffuses", **OTHER)]
    for name, old, new in pairs:
        rows += [row(f"acme/{name}", **versions, **changes) for versions, changes in ((SECOND, old), (THIRD, new))
                 if changes is not None]  # fmt: skip
    return site_of(data, rows)


def outputs(site: Site) -> dict[str, Page | File]:
    return {output.path: output for output in page_kind.plan(site)}


def pages(site: Site) -> Iterator[tuple[str, CompareContext]]:
    for path, output in outputs(site).items():
        if isinstance(output, Page) and output.kind == "compare":
            yield path, output.context(NO_TEXTS)


def whole(site: Site) -> dict[str, list[CompareContext]]:
    """The pages of each comparison, by the path of its data."""
    found: dict[str, list[CompareContext]] = {}
    for _, context in pages(site):
        found.setdefault(context.rows_script, []).append(context)
    return found


@pytest.fixture(scope="module")
def newest(site: Site) -> list[CompareContext]:
    """The pages of the newest pair of transformers against the one before it."""
    (path,) = (c.path for c in comparisons(site) if (c.old, c.new) == (pair(OLD), pair(NEW)))
    return whole(site)[f"{dirname(path)}/rows.js"]


def test_each_pair_is_compared_with_its_predecessor_and_with_the_newest_of_its_library(site: Site) -> None:
    first, second, third = pair(OLD, version="5.18.0"), pair(OLD), pair(NEW)
    assert {(c.old, c.new) for c in comparisons(site)} == {(second, third), (first, third), (first, second)}
    assert pair(NEW, "diffusers", "0.40.0") in site.pairs


def test_every_model_with_a_row_under_either_pair_is_in_exactly_one_bucket(site: Site) -> None:
    for contexts in whole(site).values():
        context = contexts[0]
        ids = [row.id for one in contexts for row in one.rows]
        assert len(ids) == len(set(ids)) == context.either == sum(bucket.count for bucket in context.buckets)
        assert {bucket.key: bucket.count for bucket in context.buckets} == {
            key: sum(row.change == key for one in contexts for row in one.rows) for key in BUCKETS
        }
        both = sum(bool(row.before_path and row.now_path) for one in contexts for row in one.rows)
        assert context.under_old + context.under_new - context.either == both


def test_rows_stand_by_bucket_and_then_by_id_and_are_cut_into_pages(site: Site, newest: list[CompareContext]) -> None:
    found = compare(site, pair(OLD), pair(NEW))
    expected = [(key, entry.model.id) for key, entries in found.items() for entry in entries]
    assert [(row.change, row.id) for one in newest for row in one.rows] == expected
    assert [len(one.rows) for one in newest] == [200, 37]
    assert [row.change for row in newest[0].rows[:6]] == list(BUCKETS)[:6]
    assert [link.path for link in newest[0].pages.links] == [one.head.path for one in newest]


def test_a_bucket_leads_to_the_page_on_which_it_begins(newest: list[CompareContext]) -> None:
    begins = {row.change: one.head.path for one in reversed(newest) for row in reversed(one.rows)}
    assert {bucket.key: bucket.path for bucket in newest[0].buckets} == begins
    assert begins["still-passing"] == newest[0].head.path != begins["exclusions"]


def test_a_bucket_without_models_leads_nowhere(site: Site) -> None:
    for contexts in whole(site).values():
        for bucket in contexts[0].buckets:
            assert (bucket.path is None) == (bucket.count == 0)


def test_what_differs_beside_the_pair_is_said(newest: list[CompareContext]) -> None:
    rows = {row.id: row for one in newest for row in one.rows}
    assert rows["acme/regressed"].notes == ("cores differ", "runner differs")
    assert rows["acme/fixed"].notes == ("cores recorded in one run only",)
    assert rows["acme/gone"].notes == rows["acme/z-still-000"].notes == ()
    cells = {id_: (row.cores_before and row.cores_before.text, row.cores.text) for id_, row in rows.items()}
    assert cells["acme/regressed"] == ("1", "4")
    assert cells["acme/fixed"] == ("not recorded", "1")
    assert cells["acme/new"] == (None, "1")
    assert cells["acme/gone"] == ("2", "no run")


def test_a_side_without_a_row_says_so_and_leads_nowhere(newest: list[CompareContext]) -> None:
    rows = {row.id: row for one in newest for row in one.rows}
    gone, new = rows["acme/gone"], rows["acme/new"]
    assert (gone.now.label, gone.now_path) == ("Not tested", None)
    assert (new.before.label, new.before.reason, new.before_path) == ("Excluded", "Too large.", None)
    assert new.now.label == "PASS"
    assert new.now.reason_kind == "also excluded, kind not recorded"


def test_what_changed_is_linked_where_the_result_compares_itself_with_the_same(site: Site) -> None:
    linked = set()
    for comparison in comparisons(site):
        for context in whole(site)[f"{dirname(comparison.path)}/rows.js"]:
            for shown in context.rows:
                model = site.by_id[shown.id]
                before, now = model.by_pair.get(comparison.old), model.by_pair.get(comparison.new)
                same = now is not None and before is not None and previous(model, now) == before
                assert (shown.changes_path is not None) == same
                if now and same:
                    assert shown.changes_path == f"{site.addresses.result(model.id, now.pair)}#changes"
                    linked.add((comparison.old.library_version, shown.id))
    assert ("5.21.0", "acme/fixed") in linked
    assert ("5.18.0", "acme/fixed") in linked  # by the middle pair, not by the newest


def test_the_data_has_the_rows_of_the_pages_in_their_order(site: Site) -> None:
    for script, contexts in whole(site).items():
        output = outputs(site)[script]
        assert isinstance(output, File)
        data = script_data(output.content(NO_TEXTS), "rows")
        served = [row for one in contexts for row in one.rows]
        assert data["fields"] == FIELDS
        assert [facet[0] for facet in data["facets"]] == [key for key, _ in COMPARE_FACETS]
        for told, shown in zip(data["rows"], served, strict=True):
            fields = dict(zip(FIELDS, told, strict=True))
            assert fields["name"] == shown.id
            assert fields["change"][:4] == [shown.label, shown.order, shown.change, list(shown.notes)]
            assert data["statuses"][fields["before"]][:2] == [shown.before.key, shown.before.label]
            assert data["statuses"][fields["status"]][3] == shown.now.verification
            assert absolute(script, fields["path"]) == shown.path
            assert absolute(script, fields["beforePath"]) == shown.before_path
            assert absolute(script, fields["nowPath"]) == shown.now_path
            assert absolute(script, fields["change"][4]) == shown.changes_path
            options = chosen(data["facets"], fields["options"])
            assert options["change"] == shown.change
            assert options["outcome"] == shown.now.key
            assert options["cores"] == ("no-run" if shown.now_path is None else shown.cores.text.replace(" ", "-"))


def absolute(script: str, link: str | None) -> str | None:
    return None if link is None else normpath(join(dirname(script), link))


def chosen(facets: list[Any], places: list[int]) -> dict[str, str]:
    return {facet[0]: facet[2][place][0] for facet, place in zip(facets, places, strict=True)}


def test_the_facet_of_changes_stands_in_the_order_of_the_page(newest: list[CompareContext]) -> None:
    (facet,) = (facet for facet in newest[0].facets if facet.key == "change")
    assert [option.key for option in facet.options] == list(BUCKETS)


def test_every_page_offers_every_comparison(site: Site) -> None:
    every = {comparison.path for comparison in comparisons(site)}
    for _, context in pages(site):
        assert {link.path for link in context.all_links} == every
        (current,) = (link for link in context.all_links if link.current)
        assert context.head.path.startswith(dirname(current.path))


def test_the_chooser_has_every_comparison_and_says_where_there_is_none(site: Site) -> None:
    index = outputs(site)[COMPARE]
    assert isinstance(index, Page)
    context = index.context(NO_TEXTS)
    assert isinstance(context, ComparisonsContext)
    rows = {library.library: library.rows for library in context.libraries}
    assert rows["diffusers"] == ()
    linked = [link.path for row in rows["transformers"] for link in (row.next, row.newest) if link]
    assert sorted(linked) == sorted(comparison.path for comparison in comparisons(site))
    assert [row.newest is None for row in rows["transformers"]] == [True, False]


def test_paths_fit_whatever_the_versions(tmp_path_factory: pytest.TempPathFactory) -> None:
    long = [{"neuronx_cc": f"2.{n}.{'9' * 300}", "library_version": f"5.{n}.{'1' * 300}"} for n in (1, 2)]
    rows = [row(f"acme/m{n}", **versions) for n in range(205) for versions in long]
    site = site_of(tmp_path_factory.mktemp("long"), rows)
    paths = make_plan(list(page_kind.plan(site))).paths
    assert max(len(path) for path in paths) <= PATH_MAX
    assert all(len(part) <= SEGMENT_MAX for path in paths for part in path.split("/"))
    assert any("/page-2/" in path for path in paths)


def home(site: Site) -> ListContext:
    (page,) = (output for output in lists.plan(site) if output.path == HOME)
    assert isinstance(page, Page)
    context = page.context(NO_TEXTS)
    assert isinstance(context, ListContext)
    return context


def test_the_first_page_says_what_the_newest_pair_changed_and_no_other_list_does(site: Site) -> None:
    news = home(site).news
    assert news == news_of(site)
    assert news
    assert (news.new.text.split()[-1], news.old.text.split()[1]) == ("5.21.0", OLD)
    assert {bucket.key: bucket.count for bucket in news.buckets} == {"regressed": 1, "fixed": 1, "new": 1}
    for output in lists.plan(site):
        if isinstance(output, Page) and output.path != HOME:
            assert output.context(NO_TEXTS).news is None


def test_the_list_of_a_pair_leads_to_what_the_pair_changed(site: Site) -> None:
    found = {}
    for output in lists.plan(site):
        if isinstance(output, Page) and output.path in {site.addresses.pair(one) for one in site.pairs}:
            context = output.context(NO_TEXTS)
            found[context.pair] = context.comparison and context.comparison.path
    assert sorted(filter(None, found.values())) == sorted(
        comparison.path for comparison in comparisons(site) if comparison.old.library_version != "5.18.0"
        or comparison.new.compiler == OLD
    )  # fmt: skip
    assert len(found) == 4


def test_without_a_pair_before_there_is_nothing_to_say(tmp_path_factory: pytest.TempPathFactory) -> None:
    """One pair; and a newest pair that is the first of its library."""
    alone = site_of(tmp_path_factory.mktemp("alone"), [row()])
    other = site_of(tmp_path_factory.mktemp("other"), [row(**FIRST), row(library="zeta")])
    empty = site_of(tmp_path_factory.mktemp("empty"))
    for site in (alone, other, empty):
        assert home(site).news is None
        assert [*outputs(site)] == [COMPARE]
