"""Logs for display: the numbers of `error.log`, colours as classes, two ends of a long one (B23, B27, B28, B33)."""

from __future__ import annotations

import html
import re
import time
import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitegen import logs
from sitegen.logs import HEAD_BYTES, HEAD_LINES, MAX_BYTES, MAX_LINE, MAX_LINES, Log, parse


def text_of(line: str) -> str:
    return html.unescape(re.sub(r"<[^>]*>", "", line))


def texts(log: Log) -> list[str]:
    return [text_of(line.html) for line in (*log.head, *log.tail)]


def shown_as(text: str) -> str:
    (line,) = parse(text.encode()).head
    return line.html


def assert_counts_add_up(log: Log, data: bytes) -> None:
    """Head, gap and tail are the whole log, in order, each line with its number in the file."""
    numbers = [line.number for line in (*log.head, *log.tail)]
    gap = range(len(log.head) + 1, len(log.head) + log.left_out + 1)
    assert sorted([*numbers, *gap]) == list(range(1, log.lines + 1))
    assert numbers == sorted(numbers)
    assert log.lines == len(data.splitlines() if data.isascii() else data.decode().split("\n"))


@settings(deadline=None)
@given(st.lists(st.text("ab <&\t\x1b[31m", max_size=12), min_size=1, max_size=30))
def test_a_short_log_is_whole(lines: list[str]) -> None:
    log = parse(("\n".join(lines) + "\n").encode())
    assert [line.number for line in log.head] == list(range(1, len(lines) + 1))
    assert (log.lines, log.left_out, log.tail) == (len(lines), 0, ())


@pytest.mark.parametrize("end", ["", "\n"])
def test_the_last_line_needs_no_end(end: str) -> None:
    log = parse(f"one\n\nthree{end}".encode())
    assert texts(log) == ["one", "", "three"]
    assert log.lines == 3


@pytest.mark.parametrize("more", [-1, 0, 1])
def test_the_limit_of_lines(more: int) -> None:
    log = parse(b"x\n" * (MAX_LINES + more))
    assert (len(log.head), log.left_out, len(log.tail)) == (
        (HEAD_LINES, 1, MAX_LINES - HEAD_LINES) if more > 0 else (MAX_LINES + more, 0, 0)
    )


@pytest.mark.parametrize("more", [-1, 0, 1])
def test_the_limit_of_bytes(more: int) -> None:
    data = (b"x" * 127 + b"\n") * (MAX_BYTES // 128 - 1) + b"x" * (128 + more)
    log = parse(data)
    assert_counts_add_up(log, data)
    assert (log.tail == ()) == (more <= 0)
    assert sum(len(line.html) for line in log.head) <= (HEAD_BYTES if more > 0 else MAX_BYTES)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limits so small that every size around them can be tried."""
    for name, value in (("MAX_LINES", 8), ("HEAD_LINES", 3), ("MAX_BYTES", 96), ("HEAD_BYTES", 32)):
        monkeypatch.setattr(logs, name, value)


@pytest.mark.parametrize("end", ["", "\n"])
@pytest.mark.parametrize("width", [2, 3, 5, 7, 8, 9, 15, 16, 31, 32, 33, 40])
def test_ends_and_gap_add_up_for_every_size(small: None, width: int, end: str) -> None:
    for count in range(1, 40):
        rows = [f"{n:02d}".ljust(width, "x") for n in range(1, count + 1)]
        data = ("\n".join(rows) + end).encode()
        log = parse(data)
        assert log.lines == count
        assert_counts_add_up(log, data)
        assert (log.tail == ()) == (count <= 8 and len(data) <= 96)
        assert len(log.head) + len(log.tail) <= max(8, len(log.head))
        # Each line is the one that has its number in the file.
        for line in (*log.head[:-1], *log.tail):
            assert line.html == rows[line.number - 1]


def test_the_tail_begins_with_a_whole_line(small: None) -> None:
    rows = [f"{n:02d}xxxxxxxxxxxxxxx" for n in range(1, 40)]
    log = parse("\n".join(rows).encode())
    assert [line.html for line in log.tail] == [rows[line.number - 1] for line in log.tail]


def test_the_tail_shows_no_rest_of_a_code() -> None:
    data = b"".join(b"\x1b[31m%06d%s\x1b[0m\n" % (n, b"x" * 987) for n in range(400))  # 1,002 bytes a line
    for cut in [*range(12), *range(990, 1002)]:  # the limit falls into a code, at either end of a line
        log = parse(data + b"y" * cut)
        assert not [text for text in texts(log) if "[0m" in text or "31m" in text or re.match(r"\d?m", text)], cut


def test_a_huge_log_stays_small_and_says_so() -> None:
    """Case B33: the page stays below 2 MB, shows head and end."""
    data = b"".join(b"2026-Oct-21 step %d of many, nothing special\n" % n for n in range(300_000)) + b"OSError: last\n"
    log = parse(data)
    shown = sum(len(line.html) for line in (*log.head, *log.tail))
    assert shown < 512 * 1024
    assert (log.lines, log.head[0].number, log.tail[-1].number) == (300_001, 1, 300_001)
    assert log.heading == "OSError: last"


def test_one_endless_line_is_cut_and_counted() -> None:
    log = parse(b"first" + b"x" * (2 * MAX_BYTES) + b"last")
    assert (log.lines, log.left_out, log.cut_lines) == (1, 0, 1)
    (text,) = texts(log)
    assert re.fullmatch("firstx+ … x+last", text)
    assert len(text) <= MAX_LINE + 3


@settings(deadline=None)
@given(st.text(max_size=200), st.text(max_size=200))
def test_any_text_is_text(before: str, after: str) -> None:
    log = parse(f"{before}</pre><script>alert(1)</script>{after}\n".encode())
    for line in log.head:
        assert not re.search(r"<(?!/?span\b)", line.html)
        assert line.html.count("<span") == line.html.count("</span>")


def test_markup_is_shown_letter_for_letter() -> None:
    text = "<script>alert(1)</script></pre> a < b && c > d &amp; &#x41;"
    assert html.unescape(shown_as(text)) == text
    assert "<" not in shown_as(text)


@settings(deadline=None)
@given(st.binary(max_size=300))
def test_any_bytes_are_read(data: bytes) -> None:
    log = parse(data)
    assert "\x1b" not in "".join(texts(log))


# -- Colours


@pytest.mark.parametrize(
    ("text", "markup"),
    [
        ("\x1b[31mred\x1b[0m plain", '<span class="ansi-red">red</span> plain'),
        (
            "\x1b[1;34mx\x1b[22my\x1b[39mz",
            '<span class="ansi-blue ansi-bold">x</span><span class="ansi-blue">y</span>z',
        ),
        ("\x1b[91mbright\x1b[m.", '<span class="ansi-red">bright</span>.'),
        ("\x1b[38;5;196mred\x1b[0m", '<span class="ansi-red">red</span>'),
        ("\x1b[38;2;0;200;0mgreen", '<span class="ansi-green">green</span>'),
        ("\x1b[48;5;1mbackground", "background"),
        ("\x1b[2K\x1b[1Amoved", "moved"),
        ("\x1b[?25lhidden cursor\x1b[?25h", "hidden cursor"),
        ("\x1b]0;a title\x07after", "after"),
        ("\x1b]8;;https://x.org\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("\x1bMreverse", "reverse"),
        ("\x1b[31m<b>", '<span class="ansi-red">&lt;b&gt;</span>'),
        ("\x1b[;;;mx", "x"),
        ("\x1b[999999999999mx", "x"),
    ],
)
def test_colour_codes_become_classes_and_nothing_is_left_of_them(text: str, markup: str) -> None:
    assert shown_as(text) == markup


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x\x1b(B\x1b[my", "xy"),  # tput sgr0
        ("\x1b7a\x1b8b\x1b=c\x1b>d\x1bce", "abcde"),  # save and restore the cursor, keypad, reset
        ("a\x9b31mb", "ab"),  # CSI as one character
        ("\x1bP1$r0m\x1b\\a", "a"),  # DCS
        ("a\x1b[31", "a"),  # a code that the end of the line cut
    ],
)
def test_no_rest_of_a_code_is_visible(text: str, expected: str) -> None:
    assert re.sub("<[^>]*>", "", shown_as(text)) == expected


def test_a_long_line_is_not_cut_inside_a_code() -> None:
    assert "[3" not in shown_as("x" * (MAX_LINE - 3) + "\x1b[31mred")


def test_a_colour_lasts_until_it_is_ended() -> None:
    log = parse(b"\x1b[31mone\ntwo\x1b[0m\nthree\n")
    assert [line.html for line in log.head] == [
        '<span class="ansi-red">one</span>',
        '<span class="ansi-red">two</span>',
        "three",
    ]


def test_control_characters_leave_and_end_no_line() -> None:
    log = parse("A\x00B\x0bC\x85D\ufffeE\u2028F\n".encode())
    assert texts(log) == ["ABCDE\u2028F"]


# -- Progress bars


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("0%\r50%\r100%", "100%"),
        ("0%\r100%\r", "100%"),
        ("0%\r100%\r   ", "100%"),
        ("text\r", "text"),
        ("a\r\r\nb", "a"),
    ],
)
def test_a_progress_bar_is_its_last_state(text: str, last: str) -> None:
    log = parse(f"first\n{text}\nafter\n".encode())
    assert texts(log)[:2] == ["first", last]
    assert texts(log)[-1] == "after"


def test_a_progress_bar_at_the_very_end_moves_no_number() -> None:
    rows = [f"{n}" for n in range(1, 5001)]
    log = parse(("\n".join(rows) + "\n  \r").encode())
    assert all(line.html == str(line.number) for line in (*log.head, *log.tail) if line.html.strip())
    short = parse(b"a\n\r")
    assert short.lines == len(short.head)


def test_crlf_ends_lines_as_in_the_file() -> None:
    log = parse(b"one\r\ntwo\r\n\r\nfour\r\n")
    assert texts(log) == ["one", "two", "", "four"]
    assert log.lines == 4


# -- The heading


@pytest.mark.parametrize(
    ("text", "heading"),
    [
        ("Traceback\n  File\nValueError: first\n\nDuring\nRuntimeError: last\n  note\n", "RuntimeError: last"),
        ("torch._dynamo.exc.Unsupported: x\nsubprocess.TimeoutExpired: y\nKeyboardInterrupt\n", "KeyboardInterrupt"),
        ("[rank3]: torch.distributed.DistBackendError: NCCL\n", "torch.distributed.DistBackendError: NCCL"),
        ("start\n[NCC_EOOM001] Maximum peak HBM usage\nexit code 70\n", "[NCC_EOOM001] Maximum peak HBM usage"),
        ("a\nnrt_tensor_allocate status=4\nbye\n", "nrt_tensor_allocate status=4"),
        ("[F137] neuronx-cc was forcibly killed\n", "[F137] neuronx-cc was forcibly killed"),
        ("one\ntwo\n\n", "two"),
        ("\x1b[31mOSError: red\x1b[0m\n", "OSError: red"),
        ("  ValueError: indented, so a line of something else\nplain end\n", "plain end"),
        ("\n \n", "The recorded error is blank"),
    ],
)
def test_the_heading_is_the_last_exception_else_a_code_else_the_last_line(text: str, heading: str) -> None:
    log = parse(text.encode())
    assert log.heading == heading
    quoted = [text_of(line.html).strip().removeprefix("[rank3]: ") for line in log.cause]
    assert heading in quoted or not quoted


def test_the_cause_holds_the_lines_of_the_message_with_their_numbers() -> None:
    log = parse(b"start\nRuntimeError: it failed\n  because\n\n  of this\n")
    assert [(line.number, text_of(line.html)) for line in log.cause] == [
        (2, "RuntimeError: it failed"),
        (3, "  because"),
        (5, "  of this"),
    ]


def test_the_head_ends_with_a_whole_line(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("MAX_LINES", 8), ("HEAD_LINES", 3), ("MAX_BYTES", 96), ("HEAD_BYTES", 32)):
        monkeypatch.setattr(logs, name, value)
    rows = [f"{n:02d}xxxxxxxxxx" for n in range(1, 40)]  # the third line crosses byte 32
    log = parse("\n".join(rows).encode())
    assert [line.html for line in log.head] == [rows[line.number - 1] for line in log.head]


def test_an_empty_log_has_no_lines() -> None:
    assert parse(b"").lines == 0


def test_the_code_of_a_failure_stands_before_an_exception_that_does_not_name_it() -> None:
    log = parse(
        b"start\n[F137] neuronx-cc was forcibly killed\nTraceback:\nsubprocess.CalledProcessError: died with 9\n"
    )
    assert log.heading == "subprocess.CalledProcessError: died with 9"
    assert [line.number for line in log.cause] == [2, 4]


def test_a_heading_without_a_message_takes_the_line_that_follows() -> None:
    log = parse(b"ImportError: \nrequires the library timm\n")
    assert log.heading == "ImportError: requires the library timm"


def test_of_a_huge_log_of_progress_bars_only_the_ends_are_looked_at() -> None:
    data = b"10%\r20%\r100%\n" * 600_000 + b"OSError: last\n"
    tracemalloc.start()
    log = parse(data)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (log.lines, log.heading, log.head[0].html) == (600_001, "OSError: last", "100%")
    assert peak < len(data) / 2


def test_a_log_of_openings_that_nothing_ends_takes_no_longer_than_another() -> None:
    def seconds(line: bytes) -> float:
        start = time.process_time()
        parse((line + b"\n") * 16)
        return time.process_time() - start

    assert seconds(b"\xc2\x9d" * 8000) < 20 * seconds(b"\xc2\x9a" * 8000) + 0.2  # was two hundred times as long
