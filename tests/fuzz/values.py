"""Values as Arrow can hold them: for every type that a Parquet file can have, what is likely to go wrong with it."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import pyarrow as pa
from hypothesis import strategies as st

Values = st.SearchStrategy[Any]

NASTY = (
    *("", " ", "\t\n", "\u00a0", "\u200b", "\u202egnp.exe", "\u0645\u0631\u062d\u0628\u0627", "\u2028", "\ufffe"),
    *("\x00", "\x1b[31mred\x1b[0m", "\x1b]8;;https://x.invalid\x07link", "a\rb", "\x7f\x9b1m", "\ufeffPASS"),
    *("e\u0301", "\ufb03", "\u0130", "\u00df", "\U0001f600", "\U0001f468\u200d\U0001f469", "\U0010ffff"),
    *("<script>alert(1)</script>", "</script><!--", "]]>", "&amp;", '"><img src=x onerror=alert(1)>'),
    *("**bold** [x](javascript:alert(1))", "# heading\n- list", "`code`", "| a | b |", "{{ 7*7 }}", "{% raw %}"),
    *("${HOME}", "%s%n", "$(reboot)", "'; rm -rf ~ #", "=1+1", "@SUM(1)", "-e", "../../etc", "\\", "a\nb"),
    *("null", "None", "nan", "NaN", "inf", "true", "0", "-1", "1e999", "not recorded"),
    *("index.html", "con", "page-2", "a--b", "x" * 3000, "\u00e9" * 600, "word " * 700, "\n" * 300, "<b>" * 400),
)
TEXT: Values = st.one_of(st.sampled_from(NASTY), st.text(max_size=12))
# What is stored as text or bytes though it is no UTF-8: a lone byte, a surrogate, half a character, beyond Unicode.
NOT_UTF8 = st.sampled_from([b"\xff", b"a\xed\xa0\x80b", b"\xe2\x82", b"\xf5\x80\x80\x80", b"\xc0\xaf"])
RAW: Values = st.one_of(TEXT.map(str.encode), NOT_UTF8, st.binary(max_size=6))
WHOLE = st.one_of(
    st.sampled_from([0, 1, -1, 2**31 - 1, 2**53 + 1, 2**63 - 1, -(2**63)]), st.integers(-(2**63), 2**63 - 1)
)
FLOAT = st.one_of(
    st.sampled_from([0.0, -0.0, 1.0, 9.21, float("nan"), float("inf"), float("-inf"), 5e-324, 1.7e308, 1e16]),
    st.floats(width=64),
)
# Moments in seconds after 1970: the epoch and around, the first and the last of the calendar, beyond both.
SECONDS = st.one_of(
    st.sampled_from([0, -1, 1_793_178_000, 253_402_300_799, 253_402_300_800, -62_135_596_800, -62_135_596_801]),
    st.integers(-(10**12), 10**12),
)
PER_SECOND = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}
ZONES = (None, "UTC", "Europe/Berlin", "+05:30")


def whole(bits: int, signed: bool) -> Values:
    low, high = (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if signed else (0, 2**bits - 1)
    return st.one_of(st.sampled_from([0, 1, high, low]), st.integers(low, high))


def ticks(unit: str) -> Values:
    """Whole numbers of a unit, some with a part of a second, none beyond what the type or its writer can hold."""
    per = PER_SECOND[unit]
    limit = (2**63 - 1) // (1000 if unit == "s" else 1)
    exact = SECONDS.map(lambda n: max(-limit, min(limit, n * per)))
    return st.one_of(exact, st.integers(-limit, limit))


def _wholes() -> Sequence[tuple[pa.DataType, Values]]:
    return [
        (getattr(pa, f"{'' if signed else 'u'}int{bits}")(), whole(bits, signed))
        for bits in (8, 16, 32, 64)
        for signed in (True, False)
    ]


def _moments() -> Sequence[tuple[pa.DataType, Values]]:
    return [(pa.timestamp(unit, zone), ticks(unit)) for unit in PER_SECOND for zone in ZONES]


def _decimals() -> Sequence[tuple[pa.DataType, Values]]:
    found = []
    for kind, digits, scale in (
        (pa.decimal32, 9, 2),
        (pa.decimal64, 18, 0),
        (pa.decimal128, 38, 10),
        (pa.decimal256, 76, 40),
    ):
        values = st.integers(-(10**digits) + 1, 10**digits - 1) | st.sampled_from([0, 1, 10**scale])
        found.append((kind(digits, scale), st.builds(Decimal, st.builds("{}e-{}".format, values, st.just(scale)))))
    return found


def _nested() -> Sequence[tuple[pa.DataType, Values]]:
    inner = pa.struct([("a", pa.int64()), ("when", pa.timestamp("ns", "UTC")), ("x y", pa.list_(pa.string()))])
    record = st.fixed_dictionaries(
        {"a": maybe(WHOLE), "when": maybe(ticks("ns")), "x y": maybe(st.lists(maybe(TEXT), max_size=2))}
    )
    floats = st.lists(maybe(FLOAT), max_size=3)
    return [
        (inner, record),
        (pa.list_(pa.float64()), floats),
        (pa.large_list(pa.list_(pa.binary())), st.lists(maybe(st.lists(maybe(RAW), max_size=2)), max_size=2)),
        (pa.list_(pa.int8(), 2), st.lists(maybe(whole(8, True)), min_size=2, max_size=2)),
        (pa.map_(pa.string(), pa.float64()), st.lists(st.tuples(TEXT, maybe(FLOAT)), max_size=2)),
        (pa.list_(inner), st.lists(maybe(record), max_size=2)),
    ]


def maybe(values: Values) -> Values:
    """The value, or null for one in four."""
    return st.one_of(values, values, values, st.none())


TEXTS: Sequence[tuple[pa.DataType, Values]] = (
    (pa.string(), TEXT),
    (pa.string(), RAW),
    (pa.large_string(), RAW),
    (pa.string_view(), TEXT),
    (pa.binary(), RAW),
    (pa.large_binary(), RAW),
    (pa.binary_view(), RAW),
    (pa.binary(3), st.binary(min_size=3, max_size=3) | st.just(b"abc")),
    (pa.dictionary(pa.int32(), pa.string()), TEXT),
    (pa.dictionary(pa.int8(), pa.binary()), RAW),
)
NUMBERS: Sequence[tuple[pa.DataType, Values]] = (
    *_wholes(),
    (pa.float16(), st.floats(width=16)),
    (pa.float32(), st.floats(width=32) | st.just(float(2**24))),
    (pa.float64(), FLOAT),
    *_decimals(),
    (pa.bool_(), st.booleans()),
)
TIMES: Sequence[tuple[pa.DataType, Values]] = (
    *_moments(),
    (pa.date32(), whole(32, True) | st.integers(0, 30_000)),
    (pa.date64(), SECONDS.map(lambda n: n // 86_400 * 86_400_000)),
    (pa.time32("s"), st.integers(0, 86_399)),
    (pa.time32("ms"), whole(32, True)),
    (pa.time64("us"), whole(64, True)),
    (pa.time64("ns"), st.integers(0, 86_400 * 10**9 - 1)),
    *((pa.duration(unit), WHOLE) for unit in PER_SECOND),
)
OTHERS: Sequence[tuple[pa.DataType, Values]] = (
    *_nested(),
    (pa.null(), st.none()),
    (pa.uuid(), st.binary(min_size=16, max_size=16)),
    (pa.json_(pa.string()), st.sampled_from(['{"a": 1}', "[", ""])),
)
ANY = (*TEXTS, *NUMBERS, *TIMES, *OTHERS)


def array(kind: pa.DataType, values: Sequence[Any]) -> pa.Array:
    """The values as this type; bytes as text that they are not, times from their whole numbers."""
    if any(isinstance(v, bytes) for v in values) and kind in (pa.string(), pa.large_string()):
        wide = pa.binary() if kind == pa.string() else pa.large_binary()
        return pa.array([v.encode() if isinstance(v, str) else v for v in values], wide).view(kind)
    if isinstance(kind, pa.DictionaryType):
        return pa.array(values, kind.value_type).dictionary_encode().cast(kind)
    if isinstance(kind, pa.BaseExtensionType):
        return pa.ExtensionArray.from_storage(kind, pa.array(values, kind.storage_type))
    if pa.types.is_date32(kind) or pa.types.is_time32(kind):
        return pa.array(values, pa.int32()).view(kind)
    if (
        pa.types.is_date64(kind)
        or pa.types.is_time64(kind)
        or pa.types.is_duration(kind)
        or pa.types.is_timestamp(kind)
    ):
        return pa.array(values, pa.int64()).view(kind)
    return pa.array(values, kind)
