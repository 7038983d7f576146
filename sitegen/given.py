"""Files that people give beside the results (settings, lists, rankings, texts): what is there, or why it can't be used.

What is not there is no fault. What is there and is no file is one: to pass over it would drop what somebody wrote.
"""

from __future__ import annotations

import json
import os
import tomllib
from pathlib import Path
from typing import Any

LFS = b"version https://git-lfs"
LFS_FOUND, LFS_HINT = "a Git LFS pointer, not the data", "Fetch the real file with `git lfs pull`"


def shown_name(path: Path, folder: Path) -> str:
    """The path relative to the folder; what is no UTF-8 in it is `\\xff`, and a backslash two: no two look alike."""
    name = os.fsencode(path.relative_to(folder).as_posix()).replace(b"\\", b"\\\\")
    return name.decode("utf-8", "backslashreplace")


def is_there(path: Path) -> bool:
    """Whether anything has this name, be it a link to nothing."""
    return os.path.lexists(path)


def missing_target(path: Path) -> str:
    """What is wrong with a link to nothing; an empty text where it is none."""
    linked = path.is_symlink() and not path.exists()
    return f"a link whose target {path.readlink()} is missing" if linked else ""


def file_bytes(path: Path) -> bytes | None:
    """All bytes of a file; None where nothing has its name. Raises ValueError with a sentence for all else.

    A pipe is never opened: to read it could wait for ever.
    """
    if not is_there(path):
        return None
    if not path.is_file():
        raise ValueError(missing_target(path) or ("a folder" if path.is_dir() else "no file"))
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ValueError(f"cannot be read: {error.strerror}") from None
    if data.startswith(LFS):
        raise ValueError(f"{LFS_FOUND}; {LFS_HINT[0].lower()}{LFS_HINT[1:]}")
    return data


def fault_of_folder(path: Path) -> str:
    """Why what should be a folder is none; an empty text where it is one, or nothing has its name."""
    if path.is_dir() or not is_there(path):
        return ""
    return missing_target(path) or "no folder"


def text_of(data: bytes) -> str:
    """UTF-8 text, with or without a mark at its start. Raises ValueError with a sentence."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(f"bytes that are not UTF-8 (at byte {error.start})") from None


def parse_toml(data: bytes) -> dict[str, Any]:
    """A TOML document. Raises ValueError with a sentence, whatever is wrong with it."""
    text = text_of(data)
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    except tomllib.TOMLDecodeError:
        raise
    except ValueError:  # of Python's own limit of digits
        raise ValueError("it holds a number or a date that cannot be read") from None


def parse_json(data: bytes) -> Any:
    """A JSON document. Raises ValueError with a sentence, also where a name stands twice in one object."""
    if not data:
        raise ValueError("the file is empty (0 bytes)")
    try:
        return json.loads(data, object_pairs_hook=_object)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    except UnicodeDecodeError as error:
        raise ValueError(f"bytes that are not UTF-8 (at byte {error.start})") from None
    except (json.JSONDecodeError, _Twice) as error:
        raise ValueError(f"no JSON: {error}") from None
    except ValueError:  # of Python's own limit of digits
        raise ValueError("it holds a number of more digits than can be read") from None


class _Twice(ValueError):
    pass


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise _Twice(f"{next(name for name in names if names.count(name) > 1)!r} stands twice in one object")
    return found


def as_written(value: Any) -> str:
    """A value as JSON or TOML has it, for a message: `null`, not `None`."""
    try:
        return json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        return str(value)
