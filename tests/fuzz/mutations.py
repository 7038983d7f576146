"""Bytes made wrong in the ways that disks, networks and hands make them wrong, and some that only malice does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

INTERESTING = (b"\x00", b"\xff", b"\x7f", b"\x80", b"\xff\xff\xff\xff", b"\x00\x00\x00\x80", b"\xff\xff\xff\x7f")
# As Thrift writes whole numbers: zigzag, seven bits a byte.
NUMBERS = (
    b"\x00",
    b"\x01",
    b"\x02",
    b"\x7e",
    b"\xfe\xff\xff\xff\x0f",
    b"\xff\xff\xff\xff\x0f",
    b"\x80\x80\x80\x80\x08",
)

Mutation = Callable[[bytearray, Random, Sequence[bytes]], None]


def footer(data: bytes | bytearray) -> int:
    """Where the footer of a Parquet file starts; the whole file where its length makes no sense."""
    length = int.from_bytes(data[-8:-4], "little")
    start = len(data) - 8 - length
    return start if 0 < start < len(data) - 8 else 0


def _bits(data: bytearray, rng: Random, others: Sequence[bytes]) -> None:
    for _ in range(rng.choice((1, 1, 1, 2, 8, 64))):
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)


def _bytes(data: bytearray, rng: Random, others: Sequence[bytes]) -> None:
    for _ in range(rng.choice((1, 1, 2, 4))):
        put = rng.choice((*INTERESTING, rng.randbytes(rng.choice((1, 2, 4, 16)))))
        at = rng.randrange(len(data))
        data[at : at + len(put)] = put


def _numbers(data: bytearray, rng: Random, others: Sequence[bytes]) -> None:
    """A number of the footer or of a page's head becomes another, longer or shorter; the footer's length follows."""
    start, size = footer(data), len(data)
    at = rng.randrange(start if rng.random() < 0.7 else 0, size - 8)
    data[at : at + rng.randrange(1, 5)] = rng.choice(NUMBERS)
    if at >= start and len(data) > 12:
        data[-8:-4] = max(0, len(data) - 8 - start).to_bytes(4, "little")


def _in_footer(data: bytearray, rng: Random, others: Sequence[bytes]) -> None:
    for _ in range(rng.choice((1, 1, 2, 4))):
        data[rng.randrange(footer(data), len(data) - 8)] = rng.choice((0, 255, 128, rng.randrange(256)))


def _cut(data: bytearray, rng: Random, others: Sequence[bytes]) -> None:
    """Cut at any length; half of the time something that passes for an end is there all the same."""
    end = bytes(data[footer(data) :])
    del data[rng.randrange(len(data)) :]
    if rng.random() < 0.5:
        data += rng.choice((b"PAR1", end, end[-8:]))


def _hole(data: bytearray, rng: Random, others: Sequence[bytes]) -> None:
    at, size = rng.randrange(len(data)), rng.choice((1, 8, 512, 4096))
    if rng.random() < 0.5:
        del data[at : at + size]
    else:
        data[at : at + size] = bytes(len(data[at : at + size]))


def _repeat(data: bytearray, rng: Random, others: Sequence[bytes]) -> None:
    at, size = rng.randrange(len(data)), rng.choice((1, 8, 512, 4096))
    data[at:at] = data[at : at + size] * rng.choice((1, 1, 3))


def _splice(data: bytearray, rng: Random, others: Sequence[bytes]) -> None:
    """A part, or the end, of another file."""
    other = rng.choice(others)
    if rng.random() < 0.3:
        data[footer(data) :] = other[footer(other) :]
        return
    start, size = rng.randrange(len(other)), rng.choice((4, 64, 1024, 8192))
    at = rng.randrange(len(data))
    data[at : at + size] = other[start : start + size]


def _length(data: bytearray, rng: Random, others: Sequence[bytes]) -> None:
    real = int.from_bytes(data[-8:-4], "little")
    wrong = rng.choice((0, 1, real - 1, real + 1, len(data), 2**31 - 1, 2**32 - 1, rng.randrange(2**32)))
    data[-8:-4] = (wrong % 2**32).to_bytes(4, "little")


MUTATIONS: tuple[Mutation, ...] = (
    _bits, _bytes, _numbers, _in_footer, _in_footer, _cut, _hole, _repeat, _splice, _length
)  # fmt: skip


def mutated(data: bytes, rng: Random, others: Sequence[bytes]) -> bytes:
    """The data after one mutation, seldom two or three; `others` are files that parts are taken from."""
    changed = bytearray(data)
    for _ in range(rng.choice((1, 1, 1, 1, 2, 3))):
        if len(changed) > 16:
            rng.choice(MUTATIONS)(changed, rng, others)
    return bytes(changed)
