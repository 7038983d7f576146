"""Addresses: one for each id and pair, legal on every host and file system (cases B16-B22)."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable
from itertools import count

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitegen.model import VersionPair
from sitegen.segments import NAME_MAX, OWNER_MAX, PAIR_MAX, hashed, segment, short_hash
from sitegen.urls import Addresses, absolute, assign, doc, external, paged, ranking, relative
from tests.factory import pair

LEGAL = re.compile(r"[a-z0-9._-]{1,100}")
DEVICES = {"con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(10))}


def assert_legal(path: str) -> None:
    """Only [a-z0-9._-], no leading or trailing dot, no device name before the first dot, 100 and 200 characters."""
    assert len(path) <= 200
    for part in path.split("/"):
        assert LEGAL.fullmatch(part), part
        assert not part.startswith("."), part
        assert not part.endswith("."), part
        assert part.partition(".")[0] not in DEVICES, part


def paths(addresses: Addresses) -> list[str]:
    """Every model's and every pair's page, with the longest path below it."""
    runs = "runs/0123456789ab/error.log"
    models = [addresses.model(model_id) for model_id in addresses.models]
    results = [folder + f"{p}/{runs}" for folder in addresses.models.values() for p in addresses.pairs.values()]
    return [*models, *results, *(addresses.pair(p) for p in addresses.pairs)]


def folder(model_id: str, *others: str) -> str:
    return assign([model_id, *others], []).models[model_id]


# Words that meet, mix with separators, or are forbidden somewhere.
NASTY = st.one_of(
    st.text(st.sampled_from("aAbB-_./ +~%\u212a\u0130é模'<\x00"), min_size=1, max_size=8),
    st.sampled_from(
        ["con", "CON.x", "aux.conf", "lpt9", "..", ".", "index.html", "page-2", "x--0123abcd", "-", "_a", "a."]
    ),
    st.text(min_size=1, max_size=300),
)
IDS = st.one_of(NASTY, st.builds("{}/{}".format, NASTY, NASTY))
VERSION = st.one_of(
    st.none(), st.sampled_from(["2.28+5e0f", "2.28 5e0f", "2.28-5e0f", "5.0.0rc1", "5.0.0RC1", "main"]), NASTY
)
PAIRS = st.builds(VersionPair, VERSION, st.one_of(st.none(), st.sampled_from(["a", "a-b", "A"]), NASTY), VERSION)


@settings(deadline=None)
@given(st.lists(IDS, max_size=8), st.lists(PAIRS, max_size=5))
def test_every_id_and_every_pair_has_its_own_legal_path(ids: list[str], pairs: list[VersionPair]) -> None:
    addresses = assign(ids, pairs)
    found = paths(addresses)
    assert len(set(found)) == len(found)
    assert set(addresses.models) == {*ids}
    assert set(addresses.pairs) == {*pairs}
    # The page of an ambiguous name is no model's page.
    assert not set(addresses.ambiguous) & {addresses.model(model_id) for model_id in addresses.models}


@settings(deadline=None)
@given(st.lists(IDS, max_size=8), st.lists(PAIRS, max_size=5), st.randoms())
def test_the_order_moves_no_address(ids: list[str], pairs: list[VersionPair], random: object) -> None:
    again = assign(reversed(ids), reversed(pairs))
    assert again == assign(ids, pairs)


@settings(deadline=None)
@given(IDS, IDS)
def test_no_later_id_moves_an_address_unless_equal_but_for_case(first: str, second: str) -> None:
    if first.lower() != second.lower() or not (first.isascii() and second.isascii()):
        assert folder(first, second) == folder(first)


@settings(deadline=None)
@given(PAIRS, st.lists(PAIRS, max_size=4))
def test_no_later_pair_moves_the_address_of_another(first: VersionPair, others: list[VersionPair]) -> None:
    assert pair_segments(first, *others)[0] == pair_segments(first)[0]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (pair(), pair(library="Transformers")),
        (pair(), pair("2.28.7631.0", "5e0f61c7-transformers")),
        (pair("2.28+5e0f", "t"), pair("2.28", "5e0f-t")),
        (pair("2.28", "t", "5.0+1"), pair("2.28", "t-5.0", "1")),
        (pair("2.28", "a-b"), pair("2.28", "a+b")),
        (pair("2.28+1", "a", "5"), pair("2.28", "1", "a+5")),
        (pair("2.13.0+cpu"), pair("2.13.0", "cpu-transformers")),
    ],
)
def test_of_two_pairs_that_read_alike_one_is_always_plain(first: VersionPair, second: VersionPair) -> None:
    for one, other in ((first, second), (second, first)):
        assert pair_segments(one, other)[0] == pair_segments(one)[0]
    assert ["--" in text for text in pair_segments(first, second)] == [False, True]


@pytest.mark.parametrize(
    ("plain", "text"),
    [
        (pair("2.28", "transformers", "5.21.0"), "2.28-transformers-5.21.0"),
        (pair("2.28", "transformers", "main"), "2.28-transformers-main"),
        (pair("2.28", "sentence-transformers", "5.0"), "2.28-sentence-transformers-5.0"),
        (pair("2.28+5e0f", "optimum-neuron", "0.3.0+a1"), "2.28-5e0f-optimum-neuron-0.3.0-a1"),
        (pair("2.13.0+cpu", "diffusers", "0.35.1"), "2.13.0-cpu-diffusers-0.35.1"),
    ],
)
def test_pairs_that_occur_are_plain(plain: VersionPair, text: str) -> None:
    assert pair_segments(plain) == [text]


def colliding(texts: Iterable[str], of: Callable[[str], str]) -> tuple[str, str]:
    """The first two texts of which `of` makes the same."""
    seen: dict[str, str] = {}
    for text in texts:
        other = seen.setdefault(of(text), text)
        if other != text:
            return other, text
    raise AssertionError


def test_ids_whose_short_hashes_are_the_same_take_longer_ones() -> None:
    one, other = colliding((f"acme/{'x' * NAME_MAX}{n}" for n in count()), short_hash)
    addresses = assign([one, other, "acme/a+b"], [])
    assert assign([other, "acme/a+b", one], []) == addresses
    for model_id in (one, other):
        assert re.fullmatch(r"models/acme/x+--[0-9a-f]{16}/", addresses.models[model_id])
        assert re.fullmatch(r"models/acme/x+--[0-9a-f]{8}/", folder(model_id))
    assert addresses.models[one] != addresses.models[other]
    assert re.fullmatch(r"models/acme/a-b--[0-9a-f]{8}/", addresses.models["acme/a+b"])
    assert addresses.ambiguous == {}


def test_so_do_owners_and_pairs() -> None:
    one, other = colliding((f"{'x' * OWNER_MAX}{n}" for n in count()), short_hash)
    assert assign([f"{one}/a", f"{other}/a"], []).ambiguous == {}
    assert folder(f"{one}/a", f"{other}/a") != folder(f"{other}/a", f"{one}/a")
    pairs = [pair("2." + "8" * PAIR_MAX + str(n)) for n in range(200_000)]
    texts = {repr((p.compiler, p.library, p.library_version)): p for p in pairs}
    found = colliding(texts, short_hash)
    first, second = pair_segments(*(texts[text] for text in found))
    assert first != second
    assert re.fullmatch(r".+--[0-9a-f]{16}", first)


@settings(deadline=None)
@given(NASTY, NASTY)
def test_a_plain_segment_is_never_a_hashed_one(first: str, second: str) -> None:
    if segment(first) == first.lower():
        assert segment(first) != hashed(second, 48, second)


@pytest.mark.parametrize(
    ("model_id", "expected"),
    [
        ("acme/control-1b", "models/acme/control-1b/"),
        ("Qwen/Qwen2.5-7B_Instruct", "models/qwen/qwen2.5-7b_instruct/"),
        ("acme/v1..2", "models/acme/v1..2/"),  # B20: an ordinary page
        ("tiny-lm", "models/-/tiny-lm/"),  # B15: an id without an owner
        ("acme/trailing-", "models/acme/trailing-/"),
    ],
)
def test_ordinary_ids_are_only_lower_cased(model_id: str, expected: str) -> None:
    assert folder(model_id) == expected


@pytest.mark.parametrize(
    "name",
    [
        "aux",
        "con.x",
        "NUL",
        "lpt1.tar.gz",
        "com0",
        "_draft",
        ".hidden",
        "dot.",
        "a b",
        "a+b",
        "a~b",
        "a%2fb",
        "b/c",
        "index.html",
        "feed.xml",
        "model.json",
        "Model.md",
        "badge.svg",
        "badge.json",
        "page-2",
        "a--b",
        "模型",
        "..",
        "-",
        "x" * (NAME_MAX + 1),
    ],
)
def test_a_name_that_needs_more_than_lower_casing_carries_its_hash(name: str) -> None:
    path = folder(f"acme/{name}")
    assert re.fullmatch(r"models/acme/.+--[0-9a-f]{8}/", path)
    assert_legal(path.rstrip("/"))


@pytest.mark.parametrize("owner", ["aux", "_team", "a b", "-", "..", "x" * 60])
def test_so_does_an_owner(owner: str) -> None:
    path = folder(f"{owner}/model-1b")
    assert re.fullmatch(r"models/.+--[0-9a-f]{8}/model-1b/", path)
    assert_legal(path.rstrip("/"))


@pytest.mark.parametrize("separator", "-_.")
def test_ids_that_differ_in_a_separator_are_apart_without_a_hash(separator: str) -> None:
    assert folder(f"acme/a{separator}b", "acme/a-b", "acme/a_b", "acme/a.b") == f"models/acme/a{separator}b/"


def test_ids_equal_but_for_case_both_carry_a_hash_and_the_plain_path_names_both() -> None:
    addresses = assign(["Acme/Model", "acme/model", "acme/other"], [])
    twins = [addresses.models[model_id] for model_id in ("Acme/Model", "acme/model")]
    assert len(set(twins)) == 2
    assert all(re.fullmatch(r"models/acme/model--[0-9a-f]{8}/", twin) for twin in twins)
    assert addresses.ambiguous == {"models/acme/model/index.html": ("Acme/Model", "acme/model")}
    assert addresses.models["acme/other"] == "models/acme/other/"


def test_long_ids_that_differ_in_the_last_letter_have_two_paths() -> None:
    first, second = (f"{'o' * 90}/{'n' * 95}{last}" for last in "ab")
    assert folder(first) != folder(second)
    long_pair = pair("2." + "8" * 90, "l" * 90, "5." + "0" * 90)
    for path in paths(assign([first, second], [long_pair])):
        assert_legal(path)


@settings(deadline=None)
@given(st.lists(IDS, max_size=4), st.lists(PAIRS, max_size=3))
def test_paths_are_legal(ids: list[str], pairs: list[VersionPair]) -> None:
    for path in paths(assign(ids, pairs)):
        if "/n-" not in path:  # a device name with a long rest; see test_device_names_keep_the_limits
            assert_legal(path)


# -- Pairs


def pair_segments(*pairs: VersionPair) -> list[str]:
    addresses = assign([], pairs)
    return [addresses.pairs[p] for p in pairs]


def test_an_ordinary_pair_reads_as_in_the_design() -> None:
    assert pair_segments(pair()) == ["2.28.7631.0-5e0f61c7-transformers-5.21.0"]
    assert pair_segments(pair(version="5.0.0rc1")) == ["2.28.7631.0-5e0f61c7-transformers-5.0.0rc1"]


@pytest.mark.parametrize(
    "odd",
    [
        pair(None),
        pair(version=None),
        pair(library=None),
        pair("2.28 5e0f"),
        pair("2.28-5e0f"),
        pair("2.28+5E0F"),
        pair("not-recorded"),
        pair("a+b+c"),
        pair("2." + "8" * 90),
    ],
)
def test_a_pair_that_is_no_plain_one_carries_a_hash(odd: VersionPair) -> None:
    (text,) = pair_segments(odd)
    assert re.fullmatch(r".+--[0-9a-f]{8}", text)
    assert len(text) <= PAIR_MAX


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (pair("2.28+5e0f"), pair("2.28 5e0f")),  # B21: plus and blank are two pairs
        (pair("2.28+5e0f"), pair("2.28-5e0f")),
        (pair("2.28+5e0f", "t"), pair("2.28", "5e0f-t")),
        (pair(library="transformers"), pair(library="Transformers")),
        (pair(None), pair("not-recorded")),
        (pair(None, None, None), pair("", "", "")),
        (pair(version="5.0.0"), pair(version="5.0.0rc1")),
        (pair(library="diffusers"), pair(library="transformers")),
    ],
)
def test_two_pairs_have_two_addresses(first: VersionPair, second: VersionPair) -> None:
    texts = pair_segments(first, second)
    assert len(set(texts)) == 2
    assert not any("+" in text for text in texts)


# -- Links


@pytest.mark.parametrize(
    ("source", "target", "link"),
    [
        ("index.html", "all/index.html", "all/index.html"),
        ("all/index.html", "index.html", "../index.html"),
        ("models/a/b/index.html", "models/a/b/p/run.py", "p/run.py"),
        ("models/a/b/p/index.html", "models/a/c/index.html", "../../c/index.html"),
        ("404.html", "assets/site.css", "assets/site.css"),
        ("all/index.html", "all/index.html", "index.html"),
    ],
)
def test_links_are_relative_and_name_their_file(source: str, target: str, link: str) -> None:
    assert relative(source, target) == link


@settings(deadline=None)
@given(*[st.lists(st.sampled_from("abc"), min_size=1, max_size=5)] * 2)
def test_a_link_leads_from_its_page_to_its_target(source: Iterable[str], target: Iterable[str]) -> None:
    here, there = "/".join(source), "/".join(target) + "/index.html"
    assert posixpath.normpath(posixpath.join(posixpath.dirname(here), relative(here, there))) == there


@pytest.mark.parametrize("base", ["https://example.org/catalogue", "https://example.org/catalogue/"])
def test_absolute_addresses_have_single_slashes_and_no_index(base: str) -> None:
    assert absolute(base, "index.html") == "https://example.org/catalogue/"
    assert absolute(base, "models/a/b/index.html") == "https://example.org/catalogue/models/a/b/"
    assert absolute(base, "models/a/b/p/run.py") == "https://example.org/catalogue/models/a/b/p/run.py"


def test_values_in_foreign_addresses_are_encoded_once() -> None:
    address = external("https://x.org/{id}?v={version}&t={title}", id="a/b c", version="2+5", title="{id}&x=/")
    assert address == "https://x.org/a/b%20c?v=2%2B5&t=%7Bid%7D%26x%3D%2F"


def test_further_pages_lie_below_their_list() -> None:
    assert paged("index.html", 1) == "index.html"
    assert paged("index.html", 2) == "page-2/index.html"
    assert paged("models/acme/index.html", 12) == "models/acme/page-12/index.html"


def test_lists_and_docs_lie_where_the_design_says() -> None:
    assert ranking("trending", "text-generation") == "trending/text-generation/index.html"
    assert doc("protocol") == "docs/protocol/index.html"
    assert_legal(ranking("downloads", "Any To/Any"))
    addresses = assign(["Acme/X-1B", "lone"], [pair()])
    assert addresses.owner("Acme/X-1B") == "models/acme/index.html"
    assert addresses.owner("lone") == "models/-/index.html"
    p = "2.28.7631.0-5e0f61c7-transformers-5.21.0"
    assert addresses.result("Acme/X-1B", pair()) == f"models/acme/x-1b/{p}/index.html"
    assert addresses.pair_list(pair(), "all/index.html") == f"versions/{p}/all/index.html"


def test_device_names_keep_the_limits() -> None:
    for limit in (OWNER_MAX, NAME_MAX, PAIR_MAX):
        assert len(hashed("con." + "x" * 200, limit, "x")) <= limit
    for path in paths(assign([f"con.{'o' * 90}/aux.{'n' * 90}"], [pair("nul." + "8" * 90)])):
        assert_legal(path)
