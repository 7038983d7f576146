"""Every address is known, legal and claimed once before anything renders (B16, B18)."""

from __future__ import annotations

from pathlib import Path

import pytest

from sitegen.errors import Unfinished
from sitegen.pages.kinds import PAGE_KINDS
from sitegen.plan import File, Output, Page, make_plan
from sitegen.site import Site
from sitegen.texts import TextReader
from tests.factory import OLD, ranking, row, site_of


def _nothing(_: TextReader) -> bytes:
    return b""


def page(path: str, claimant: str = "a page") -> Page:
    return Page(path, "list", claimant, _nothing)


def file(path: str, claimant: str = "a file") -> File:
    return File(path, claimant, _nothing)


@pytest.fixture
def site(tmp_path: Path) -> Site:
    return site_of(tmp_path, [])


def test_outputs_come_by_path_and_pages_are_counted() -> None:
    plan = make_plan([page("b/index.html"), file("b/run.py"), file("a.css")])
    assert [output.path for output in plan.outputs] == ["a.css", "b/index.html", "b/run.py"]
    assert plan.paths == {"a.css", "b/index.html", "b/run.py"}
    assert plan.pages == 1


@pytest.mark.parametrize(
    ("outputs", "message"),
    [
        ([page("x", "one"), file("x", "two"), page("x", "three")], "x is claimed by one and two and three"),
        ([page("a/b"), file("a/b/c")], "a/b is a file and a folder"),
        ([file("a/b/c/d"), page("a")], "a is a file and a folder"),
        ([page("x" * 101)], "longer than allowed"),
        ([page(f"{'x' * 101}/index.html")], "longer than allowed"),
        ([page("/".join(["x" * 49] * 5))], "longer than allowed"),
    ],
)
def test_a_clash_stops_the_build_and_names_every_claimant(outputs: list[Output], message: str) -> None:
    with pytest.raises(Unfinished, match=message):
        make_plan(outputs)


def test_what_only_looks_like_a_clash_is_none() -> None:
    outputs = [page("a/b"), page("a/bc/d"), page("a/b.html"), page("x" * 100), page("/".join(["y" * 39] * 5))]
    assert len(make_plan(outputs).outputs) == 5


def test_all_faults_are_named_at_once() -> None:
    with pytest.raises(Unfinished, match=r"x is claimed.*y is claimed"):
        make_plan([page("x"), page("x"), page("y"), page("y")])


def test_only_the_error_page_is_shown_at_any_depth() -> None:
    assert not page("404.html").relative
    assert page("index.html").relative


def test_pages_of_hostile_ids_never_meet(tmp_path: Path) -> None:
    ids = [
        "acme/x",
        "Acme/X",
        "acme/x.",
        "acme/x ",
        "acme/index.html",
        "acme/feed.xml",
        "acme/page-2",
        "-/x",
        "x",
        "aux/con",
        "acme/.../x",
    ]
    ids += ["_a/.b", "a/" + "n" * 95 + "1", "a/" + "n" * 95 + "2", "search", "models/x", "acme/模型", "acme/models/x"]
    rows = [row(i, neuronx_cc=cc, tp=tp) for i in ids for cc in ("2.28+5e0f", "2.28 5e0f", OLD, None) for tp in (1, 2)]
    ranking(tmp_path, ["ranked/only"])
    site = site_of(tmp_path, rows, base_url="https://example.org/")
    plan = make_plan([output for kind in PAGE_KINDS for output in kind.plan(site)])
    assert {site.addresses.feed(model.id) for model in site.models} <= plan.paths
    assert len(site.models) == len(ids) + 1
    results = {site.addresses.result(result.model_id, result.pair) for result in site.results}
    assert len(results) == 4 * len(ids)
    assert results <= plan.paths
    assert {site.addresses.model(model.id) for model in site.models} <= plan.paths
    assert all(path == path.lower() for path in plan.paths)
