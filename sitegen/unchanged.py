"""Whether a build would change anything: told from its inputs and its outputs, before anything heavy is imported.

What the last build of an output folder was given, and what it left there, stands in a file beside the folder. A build
that is given the same finds its outputs as they were, and is over. The file can go at any time; then a build is whole.

Inputs are held by their content: the options, the data, the content, the settings, the code of sitegen, its templates
and the versions of what it stands on. Outputs are held by what the system says of each of their folders: its place on
the disk, and when a name in it came, went or changed. (To ask for every file as well takes three times as long; a file
that somebody writes into is repaired by the next build that has something to do.)
"""

from __future__ import annotations

import os
import re
import stat
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from hashlib import blake2b, file_digest

SETTINGS_FILE = "sitegen.toml"
OUT = "site"
FORMAT = "sitegen-state 1"
# Folders right in the data folder or the content that are read through a link. Results are not.
READ_THROUGH = ("caveats", "docs", "lists", "rankings")
PACKAGE = os.path.dirname(os.path.abspath(__file__))
# With these, a build says or writes more of itself than what it made.
_SAYS_MORE = re.compile(r"-\w*[vh]\w*|--(?:verbose|json-report|changes|help)(?:=.*)?", re.DOTALL)


def given(options: Sequence[str], inputs: Sequence[str]) -> str:
    """A digest of everything that decides what a build makes. `inputs` are files and folders."""
    state = _digest()
    os.umask(rights := os.umask(0))  # which is a part of what a build makes
    for text in (FORMAT, sys.version, os.getcwd(), f"{rights}", *options, *inputs):
        state.update(os.fsencode(text) + b"\0")
    for path in (*inputs, SETTINGS_FILE, *_own()):
        for name, found in _found(path):
            state.update(b"%b\0%b" % (os.fsencode(name), _content(name, found)))
    return state.hexdigest()


def touched(inputs: Sequence[str]) -> str:
    """A digest of when inputs were touched: another one where what was read may be what is there no more."""
    state = _digest()
    for path in inputs:
        for name, found in _found(path):
            times = found and (found.st_ino, found.st_mtime_ns, found.st_ctime_ns)
            state.update(os.fsencode(f"{name}\0{times}"))
    return state.hexdigest()


def _own() -> Iterator[str]:
    """What sitegen is made of: its code, with what it carries along or what lies beside it, and what it stands on."""
    yield PACKAGE
    beside = os.path.dirname(PACKAGE)
    yield from (os.path.join(beside, name) for name in ("content", "static", "templates"))
    for folder in dict.fromkeys(sys.path):
        with suppress(OSError):
            yield from sorted(name for name in os.listdir(folder or ".") if name.endswith(".dist-info"))


def _found(path: str, depth: int = 0) -> Iterator[tuple[str, os.stat_result | None]]:
    """A file, or a folder with all that is below it. A link to a folder is followed where a build follows it."""
    linked = depth > 0 and os.path.islink(path) and os.path.isdir(path)
    followed = not linked or (depth == 1 and os.path.basename(path) in READ_THROUGH)
    try:
        found = os.stat(path) if followed else os.lstat(path)
        names = sorted(os.listdir(path)) if stat.S_ISDIR(found.st_mode) else []
    except OSError:
        yield path, None
        return
    yield path, found
    for name in names:
        below = os.path.join(path, name)
        # Of what is linked only files are read, which lie right there.
        if name != "__pycache__" and not (linked and os.path.isdir(below)):
            yield from _found(below, depth + 1)


def _content(path: str, found: os.stat_result | None) -> bytes:
    """A digest of a file's bytes; of what is no file its kind. A pipe is not opened: it may never answer."""
    link = os.fsencode(os.readlink(path)) if os.path.islink(path) else b""
    if found is None or not stat.S_ISREG(found.st_mode):
        return link + (b"%d" % stat.S_IFMT(found.st_mode) if found else b"")
    try:
        with open(path, "rb") as stream:
            return link + file_digest(stream, _digest).digest()
    except OSError:
        return link


def _digest() -> blake2b:
    return blake2b(digest_size=16)


def left(out: str, folders: Iterable[str]) -> str:
    """A digest of the state of the folders of an output. Raises OSError where one is gone."""
    state = _digest()
    folder = os.open(out, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        for path in folders:
            found = os.stat(path, dir_fd=folder, follow_symlinks=False)
            state.update(b"%d %d %d " % (found.st_ino, found.st_mtime_ns, found.st_mode))
    finally:
        os.close(folder)
    return state.hexdigest()


def state_of(out: str, outputs: Iterable[str]) -> tuple[str, list[str]] | None:
    """A digest of what a build has left, with the folders that it is of; None where an output is missing.

    To be taken while nobody else writes there. A file that somebody took away before that is missing here, and one that
    is taken away later changes its folder.
    """
    outputs = list(outputs)
    folders = [".", *sorted({path[:at] for path in outputs for at, sign in enumerate(path) if sign == "/"})]
    try:
        found = left(out, folders)
        for path in outputs:
            os.lstat(f"{out}/{path}")
    except OSError:
        return None
    return found, folders


def remember(
    out: str, was_given: str, inputs: Sequence[str], state: tuple[str, list[str]], said: Sequence[str], summary: str
) -> None:
    """Keeps what a build was given, what it left and what it said, where that can be kept.

    `said` are its lines on standard error, `summary` is the line on standard output of one that has nothing to do.
    """
    was_left, folders = state
    file = beside(out, "state")
    with suppress(OSError):
        parts = (FORMAT, was_given, was_left, summary, *map("\n".join, (inputs, said, folders)))
        if all(map(_ours, (file, f"{file}.new"))):
            with open(f"{file}.new", "w", encoding="utf-8", errors="surrogateescape") as stream:
                stream.write("\0".join(parts))
            os.replace(f"{file}.new", file)


def _ours(file: str) -> bool:
    """Whether nothing, or a state that a build has kept, or began to keep, lies there, and no link to elsewhere."""
    if not os.path.lexists(file):
        return True
    with open(os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as stream:
        found = stream.read(len(form := FORMAT.partition(" ")[0].encode()))
    return stat.S_ISREG(os.lstat(file).st_mode) and found in (b"", form)


def beside(out: str, what: str) -> str:
    """Where a file of ours lies beside an output folder, however that is named."""
    folder, name = os.path.split(os.path.realpath(out))
    return os.path.join(folder, f".{name}.sitegen-{what}")


def nothing_to_do(options: Sequence[str]) -> tuple[str, str] | None:
    """What the last build said, and the summary of this one, where that one left what this one would make.

    None where that is not sure: where the options, an input or an output is not as it was, or another build runs.
    """
    out = _out(options)
    if out is None or os.path.islink(out):
        return None
    state = beside(out, "state")
    try:
        if not stat.S_ISREG(os.stat(state).st_mode):  # a pipe may never answer
            return None
        with open(state, encoding="utf-8", errors="surrogateescape") as stream:
            form, was_given, was_left, summary, inputs, said, folders = stream.read().split("\0")
        if form != FORMAT or os.path.exists(beside(out, "lock")) or left(out, folders.split("\n")) != was_left:
            return None
        if given(options, inputs.split("\n")) != was_given:
            return None
    except (OSError, ValueError):
        return None
    return said, summary


def _out(options: Sequence[str]) -> str | None:
    """The folder that a build with these options writes; None where it is none, or one that shall say more."""
    if options[:1] != ["build"] or any(map(_SAYS_MORE.fullmatch, options)):
        return None
    out = None if os.path.exists(SETTINGS_FILE) else OUT
    for option, value in zip(options, [*options[1:], ""], strict=True):
        if option == "--out":
            out = value
        elif option.startswith("--out="):
            out = option.removeprefix("--out=")
    return out
