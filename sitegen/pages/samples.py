"""What a log says of the cause of a failure, in a few quoted lines, and how the lines of another failure differ."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from sitegen.diff import diff_lines
from sitegen.logs import failure_and_lines
from sitegen.model import Result
from sitegen.pages.parts import pair_text
from sitegen.safe import diffed
from sitegen.signature import place
from sitegen.site import Site
from sitegen.texts import TextReader

QUOTED_LINES = 40  # of one log
QUOTED_LINE = 1000  # characters of one line


@dataclass(frozen=True)
class Quote:
    """Lines of a log with their numbers, each cut where it is very long."""

    label: str
    lines: tuple[tuple[int, str], ...]


@dataclass(frozen=True)
class Sample:
    """What the log of one result says of its cause; `left_out` lines of that are not quoted."""

    id: str
    pair: str
    path: str
    quotes: tuple[Quote, ...]
    left_out: int

    @property
    def lines(self) -> list[tuple[int, str]]:
        return [line for quote in self.quotes for line in quote.lines]


@dataclass(frozen=True)
class Difference:
    """How the quoted lines of a second result differ from those of the sample: None where they do not."""

    other: Sample
    lines: Markup | None
    too_much: str | None  # why they are not compared


def difference_of(sample: Sample, other: Sample) -> Difference:
    """With the numbers that the lines have in their logs."""
    (old, a), (new, b) = (([n for n, _ in s.lines], [text for _, text in s.lines]) for s in (sample, other))
    found = diff_lines(a, b)
    lines = [
        (line.kind, line.old and old[line.old - 1], line.new and new[line.new - 1], line.html)
        for hunk in found.hunks
        for line in hunk.lines
    ]
    return Difference(other, diffed(lines) if lines else None, found.too_much)


def sample_of(site: Site, result: Result, reader: TextReader) -> Sample:
    ref = result.headline.error
    failure, lines = failure_and_lines(reader.bytes(ref) if ref else b"")
    found = [("The error", failure.numbers)]
    for raised in failure.chain[1:]:
        if raised.relation != "cause":
            break
        found.append(("Caused by", raised.numbers))
    frame = place(failure.cause) if failure.cause else None
    if frame is not None:
        found.append(("Raised in", frame.numbers))
    quotes = tuple(_quotes(found, lines))
    left_out = sum(len(numbers) for _, numbers in found) - sum(len(quote.lines) for quote in quotes)
    page = site.addresses.result(result.model_id, result.pair)
    return Sample(result.model_id, pair_text(site, result.pair), page, quotes, left_out)


def _quotes(found: Sequence[tuple[str, Sequence[int]]], lines: Mapping[int, str]) -> Iterator[Quote]:
    room = QUOTED_LINES
    for label, numbers in found:
        kept = numbers[:room]
        room -= len(kept)
        if kept:
            yield Quote(label, tuple((n, _cut(lines[n])) for n in kept))


def _cut(text: str) -> str:
    return text if len(text) <= QUOTED_LINE else f"{text[:QUOTED_LINE]} …"
