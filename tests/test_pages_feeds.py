"""Feeds are valid Atom (RFC 4287), say what the data holds, and keep every id whatever else changes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any, cast
from urllib.parse import urlsplit
from xml.etree import ElementTree

import pytest

from sitegen.build import inspect
from sitegen.config import Settings
from sitegen.content import packaged
from sitegen.outcome import UNSEEN
from sitegen.pages import feeds
from sitegen.pages.feeds import ENTRIES_MAX, SITE_FEEDS, model_feeds, site_feeds
from sitegen.plan import File
from sitegen.site import Site
from sitegen.texts import TextReader
from tests.factory import DAY, NEW, OLD, row, site_of, write

NO_TEXTS = cast(TextReader, None)
BASE = "https://example.org/catalogue"
ATOM = "{http://www.w3.org/2005/Atom}"
RFC3339 = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)")
Row = dict[str, Any]


def feeds_of(site: Site) -> dict[str, ElementTree.Element]:
    """Every feed by its path, parsed."""
    return {
        output.path: ElementTree.fromstring(output.content(NO_TEXTS))  # noqa: S314 - made by ourselves
        for output in feeds.plan(site)
        if isinstance(output, File)
    }


def catalogue(folder: Path, rows: Sequence[Row] | None, **settings: Any) -> dict[str, ElementTree.Element]:
    return feeds_of(site_of(folder, rows, **{"base_url": BASE, **settings}))


def texts(feed: ElementTree.Element, name: str) -> list[str]:
    """What the entries say under this name, in their order."""
    return [entry.findtext(ATOM + name, "") for entry in feed.iter(f"{ATOM}entry")]


def terms(feed: ElementTree.Element) -> list[str]:
    return [category.get("term", "") for category in feed.iter(f"{ATOM}category")]


def ids(found: dict[str, ElementTree.Element]) -> set[tuple[str, str]]:
    """Each entry's id with the page that it is of."""
    return {
        (entry.findtext(f"{ATOM}id", ""), link.get("href", ""))
        for feed in found.values()
        for entry in feed.iter(f"{ATOM}entry")
        for link in entry.findall(f"{ATOM}link")
    }


def at(version: str, word: str, days: int | None = 0, model: str = "acme/a", **changes: Any) -> Row:
    moment = None if days is None else DAY + timedelta(days=days)
    return row(model, library_version=version, result=word, tested_at=moment, **changes)


STORY = [
    at("5.1.0", "PASS", 1),
    at("5.2.0", "FAIL", 2, cpu_match="31/32"),
    at("5.3.0", "PASS", 3),
    at("5.4.0", "TIMEOUT", 4, cpu_match=None),
    at("5.5.0", "EXCLUDED", 5, exclusion="Not now."),
    at("5.6.0", "PASS", 6),
    at("5.7.0", "PASS", 7),
]
TOLD = ["still-passing", "no-longer-excluded", "excluded", "changed", "fixed", "regressed", "new"]


# The standard: what each feed and each entry must have.


def person(feed: ElementTree.Element) -> str | None:
    return feed.findtext(f"{ATOM}author/{ATOM}name")


def assert_valid(path: str, feed: ElementTree.Element) -> None:
    assert feed.tag == f"{ATOM}feed"
    assert person(feed)
    for node in (feed, *feed.findall(f"{ATOM}entry")):
        for name in ("id", "title", "updated"):
            found = node.findall(ATOM + name)
            assert len(found) == 1, name
            assert found[0].text, name
        updated = node.findtext(f"{ATOM}updated", "")
        assert RFC3339.fullmatch(updated)
        assert datetime.fromisoformat(updated).tzinfo
        links = node.findall(f"{ATOM}link")
        assert all(urlsplit(link.get("href", "")).scheme == "https" for link in links)
        relations = [(link.get("rel"), link.get("type")) for link in links]
        assert len(relations) == len(set(relations))
        assert ("alternate", "text/html") in relations
    assert [link.get("href") for link in feed.findall(f"{ATOM}link") if link.get("rel") == "self"] == [f"{BASE}/{path}"]
    entries = texts(feed, "id")
    assert len(entries) == len(set(entries))
    for identity in (feed.findtext(f"{ATOM}id", ""), *entries):
        # A name-based UUID, RFC 9562: version 8, the variant of that standard.
        assert re.fullmatch(r"urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}", identity)
    moments = texts(feed, "updated")
    assert moments == sorted(moments, reverse=True)
    if moments:
        assert feed.findtext(f"{ATOM}updated") == moments[0]


def test_the_feeds_of_the_demo_are_valid() -> None:
    settings = Settings(data=packaged("content") / "demo", base_url=f"{BASE}/")
    site = inspect(settings).site
    found = feeds_of(site)
    assert set(found) == {f"{name}.xml" for name in SITE_FEEDS} | {site.addresses.feed(m.id) for m in site.models}
    for path, feed in found.items():
        assert_valid(path, feed)
    identities = [feed.findtext(f"{ATOM}id") for feed in found.values()]
    assert len(identities) == len(set(identities))


@pytest.mark.parametrize(
    "text", ["<&>]]>\"'", "\x00\x01\x1b[31m\x0b\x85", "\ud800x", "\ufffe", "a\u202eb\r\n\tc", "é模型🦜", "  "]
)
def test_any_text_makes_valid_feeds(tmp_path: Path, text: str) -> None:
    recorded = text.encode("utf-8", "ignore").decode()
    rows = [
        at("5.1.0", f"ODD{recorded}", exclusion=recorded),
        row(f"acme/x{UNSEEN.sub('', recorded)}", library=f"l{recorded}"),
    ]
    site = site_of(tmp_path, rows, base_url=BASE)
    catalog = replace(site.catalog, title=f"T{text}", notice=text, device=f"D{text}", compiler=text)
    found = feeds_of(replace(site, catalog=catalog))
    assert len(found) == len(SITE_FEEDS) + 2
    for path, feed in found.items():
        assert_valid(path, feed)
        assert not re.search("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]", "".join(feed.itertext()))


# What they say.


def test_a_model_s_feed_has_all_its_results_and_the_others_what_changed(tmp_path: Path) -> None:
    found = catalogue(tmp_path, STORY)
    assert terms(found["models/acme/a/feed.xml"]) == TOLD
    assert terms(found["feed.xml"]) == [term for term in TOLD if term != "still-passing"]
    for name in ("regressed", "fixed", "new"):
        assert terms(found[f"{name}.xml"]) == [name]


def test_an_entry_has_outcome_check_pair_and_what_was_before(tmp_path: Path) -> None:
    write(tmp_path / "catalog.toml", 'device = "CPU"\ncompiler = "torch"\nnotice = "No Trainium was involved."\n')
    found = catalogue(tmp_path, STORY)["regressed.xml"]
    (title,), (summary,) = texts(found, "title"), texts(found, "summary")
    pair = f"torch {NEW} / transformers 5.2.0"
    assert title == f"Regressed: acme/a, FAIL, CPU mismatch (31/32), with {pair}"
    assert summary == (
        f"acme/a on CPU with {pair}, tested 2026-10-30: FAIL, CPU mismatch (31/32) (regressed). "
        f"Before, with torch {NEW} / transformers 5.1.0: PASS, CPU match."
    )
    assert "No Trainium was involved." in found.findtext(f"{ATOM}subtitle", "")


def test_what_must_not_be_left_out_beside_an_outcome_is_said(tmp_path: Path) -> None:
    rows = [*STORY, at("5.7.0", "FAIL", -9, tp=2)]
    titles = texts(catalogue(tmp_path, rows)["models/acme/a/feed.xml"], "title")
    assert "PASS, CPU match; runs disagree, with" in titles[0]
    assert "Excluded; kind not recorded: Not now., with" in titles[2]


def test_what_has_no_date_has_no_entry_and_no_other_s_date(tmp_path: Path) -> None:
    found = catalogue(tmp_path, [at("5.1.0", "PASS", 1), at("5.2.0", "FAIL", None), at("5.3.0", "PASS", 3)])
    assert terms(found["models/acme/a/feed.xml"]) == ["fixed", "new"]
    assert terms(found["regressed.xml"]) == []
    assert found["regressed.xml"].findtext(f"{ATOM}updated") == "2026-10-31T09:00:00Z"  # the newest run of the data


def test_a_feed_holds_the_newest(tmp_path: Path) -> None:
    rows = [row(f"acme/m{n}", tested_at=DAY + timedelta(minutes=n)) for n in range(ENTRIES_MAX + 20)]
    found = catalogue(tmp_path, rows)["feed.xml"]
    moments = texts(found, "updated")
    assert len(moments) == ENTRIES_MAX
    assert moments[-1] == (DAY + timedelta(minutes=20)).strftime("%Y-%m-%dT%H:%M:00Z")


# What stays.


def test_another_pair_adds_entries_and_changes_no_id(tmp_path: Path) -> None:
    higher = [at("5.8.0", "FAIL", 8), at("5.8.0", "PASS", 8, model="acme/b")]
    lower = [at("5.0.0", "FAIL", -8, neuronx_cc=OLD)]
    before = catalogue(tmp_path / "before", STORY)
    more = catalogue(tmp_path / "more", [*higher, *STORY])
    older = catalogue(tmp_path / "older", [*STORY, *lower])
    assert ids(before) < ids(more)
    assert ids(before) < ids(older)
    feed = "models/acme/a/feed.xml"
    assert (len(texts(more[feed], "id")), len(texts(older[feed], "id"))) == (len(STORY) + 1, len(STORY) + 1)
    assert texts(more[feed], "title")[1:] == texts(before[feed], "title")
    assert texts(older[feed], "title")[:-2] == texts(before[feed], "title")[:-1]  # the first is the first no longer


def test_the_order_of_rows_and_files_does_not_count(tmp_path: Path) -> None:
    rows = [*STORY, *(at("5.7.0", "FAIL", 7, model=f"acme/m{n}") for n in range(9))]
    shuffled = Random(1).sample(rows, len(rows))
    one, other = (site_of(tmp_path / str(n), order, base_url=BASE) for n, order in enumerate((rows, shuffled)))
    assert documents(one) == documents(other)


def documents(site: Site) -> dict[str, bytes]:
    return {output.path: output.content(NO_TEXTS) for output in feeds.plan(site) if isinstance(output, File)}


def test_a_retest_changes_the_entry_and_not_its_id(tmp_path: Path) -> None:
    retest = at("5.7.0", "FAIL", 9, cpu_match=None)
    before, after = catalogue(tmp_path / "a", STORY), catalogue(tmp_path / "b", [*STORY, retest])
    assert ids(before) == ids(after)
    assert texts(after["regressed.xml"], "updated")[0] == "2026-11-06T09:00:00Z"


def test_a_move_of_the_site_changes_no_id(tmp_path: Path) -> None:
    here, there = (site_of(tmp_path, STORY, base_url=base) for base in (BASE, "https://example.com/"))
    identities = [
        [(feed.findtext(f"{ATOM}id"), *texts(feed, "id")) for feed in feeds_of(site).values()] for site in (here, there)
    ]
    assert identities[0] == identities[1]


def test_what_is_not_recorded_is_another_pair_than_the_word(tmp_path: Path) -> None:
    rows = [row("acme/a", library_version=None), row("acme/a", library_version="None")]
    found = catalogue(tmp_path, rows)["models/acme/a/feed.xml"]
    assert len(set(texts(found, "id"))) == 2


# Where there are none.


@pytest.mark.parametrize(("moment", "settings"), [(DAY, {}), (None, {"base_url": BASE})], ids=["no address", "no date"])
def test_without_an_address_or_a_date_there_are_no_feeds(tmp_path: Path, moment: Any, settings: Any) -> None:
    site = site_of(tmp_path, [row(tested_at=moment)], **settings)
    assert list(feeds.plan(site)) == []
    assert (site_feeds(site), model_feeds(site, site.models[0])) == ((), ())


def test_pages_name_the_feeds_that_are_planned(tmp_path: Path) -> None:
    site = site_of(tmp_path, [row()], base_url=BASE)
    named = {link.path for link in (*site_feeds(site), *model_feeds(site, site.models[0]))}
    assert named == {output.path for output in feeds.plan(site)}
