"""Error signatures: what two failures share whose cause reads the same.

A signature is the root cause that a log names, in one line, without what differs from run to run. It never leaves out
a status or an error code: those are kept whole before anything else is looked at. `VERSION` is part of every address,
so that a change of the rules gives new addresses instead of other failures under an old one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from sitegen.failure import BLANK, CODED, Failure
from sitegen.segments import SHORT_HASH, SHORT_MAX, segment, short_hash
from sitegen.tracebacks import Frame, Raised

VERSION = 1
TEXT_MAX = 400


@dataclass(frozen=True)
class Rule:
    """What is replaced by what. `examples` are texts before and after, which a test runs through this rule alone."""

    name: str
    pattern: re.Pattern[str]
    replacement: str
    examples: tuple[tuple[str, str], ...]


def _rule(name: str, pattern: str, replacement: str, *examples: tuple[str, str]) -> Rule:
    return Rule(name, re.compile(pattern), replacement, examples)


# Kept as they are: what they number is a cause, not a size. A word that ends in one of these, and the number behind it.
_NUMBERED = (
    "status|errno|error|err|code|(?<![a-z])rc|(?<![a-z])ret|retval|exit|exited|signal|response|returned|opset|version"
)
KEPT = re.compile(
    r"\bNCC_[A-Z]+\d+|(?-i:\bNRT_[A-Z_]+)|\bNRT:\d+|\[F\d{3}\]|\bnrt_\w+ status=\d+"
    rf"|(?:{_NUMBERED})[\s:=#(\['\".>-]{{1,5}}(?:(?:is|no|with|code|status|value|number)\b[\s:=#(\['\".]{{1,4}}){{0,3}}"
    r"-?\d+(?:\.\d+)*(?![\d.]*[A-Za-z%])"
    r"|\bfailed (?:with |\()-?\d+|\bk[A-Z]\w+\(\d+\)|\bdim(?:ension)?\b[\s:=(]{1,3}-?\d+|\[Errno -?\d+\]"
    r"|\b[1-5]\d\d (?:Client|Server) Error|\b[45]\d\d from\b|\bHTTP\w*\W{1,3}(?:\d\.\d\W)?[1-5]\d\d\b"
    r"|<Signals\.SIG\w+: \d+>|\bSystemExit: -?\d+|[<>=!~]=\s?\d+\.\d[\d.]*",
    re.IGNORECASE,
)

# In this order.
RULES = (
    _rule("time", r"\d{4}-(?:\d\d|[A-Z][a-z]{2})-\d\d[T_ ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?"
          r"|\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) {1,2}\d{1,2} \d\d:\d\d:\d\d\b", "<time>",
          ("2026-Oct-21 20:58:33.897479 failed", "<time> failed"), ("at 2026-10-21T20:58:33Z", "at <time>")),
    _rule("url", r"\b[a-z][a-z0-9+.-]*://[^\s'\")>\]]+", "<url>",
          ("for url: https://example.org/a/b?c=1", "for url: <url>")),
    _rule("path",
          r"(?<![\w/\\.])(?:[A-Za-z]:)?(?:[\\/][\w.+@~-]+){2,}[\\/]?"
          r"|(?<![\w/\\])[~.\w+@-]*(?:/[\w.+@~-]+)+\.\w+\b", "<path>",
          ("No such file: '/tmp/x1/graph.neff'", "No such file: '<path>'"), ("in C:\\a\\b.py", "in <path>"),
          ("a/b stays", "a/b stays")),
    _rule("id", r"\b[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\b|\b(?=[a-f]*\d)[0-9a-f]{12,}\b", "<id>",
          ("request 01234567-89ab-cdef-0123-456789abcdef", "request <id>"), ("graph 9f86d081884c7d65", "graph <id>")),
    _rule("address", r"\b0[xX][0-9a-fA-F]+\b|\b\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?\b", "<address>",
          ("to 10.0.3.4:29500", "to <address>"), ("<function f at 0x7f1ceca3d300>", "<function f at <address>>")),
    _rule("size", r"(?<![\w.])\d[\d,]*(?:\.\d+)? ?(?:[KMGT]i?B|[Bb]ytes|B)\b", "<size>",
          ("needs 32.00GB of 24 GiB", "needs <size> of <size>"), ("allocate 268435456 bytes", "allocate <size>")),
    _rule("shape", r"(?<![\w.])\d+(?:x\d+)+\b", "<shape>", ("(8x512 and 64x64)", "(<shape> and <shape>)")),
    _rule("device", r"\b(?:rank|nd|nc|core|gpu|cuda:)\d+\b", "<device>", ("on nd0:nc3", "on <device>:<device>")),
    _rule("layer", r"(?<=[A-Za-z])\.\d+(?=\.[A-Za-z])", ".<n>", ("layers.14.mlp", "layers.<n>.mlp")),
    _rule("symbol", r"\b[us]\d+\b", "<symbol>", ("Eq(u0, 0)", "Eq(<symbol>, 0)")),
    _rule("number", r"(?<![\w.])-?\d[\d_,]*(?:\.\d+)?(?:[eE][+-]?\d+)?(?: ?(?:ms|us|ns|s|k|K|M))?(?![\w]|\.\d)", "<n>",
          ("took 12.3s of 5 ms", "took <n> of <n>"), ("got 32 of -1.5e3", "got <n> of <n>"),
          ("torch.float32, 4D, mat1", "torch.float32, 4D, mat1")),
    _rule("numbers", r"<n>(?:(?:, ?| )<n>)+,?", "<n>",
          ("size([<n>, <n>, <n>])", "size([<n>])"), ("<n> of <n>", "<n> of <n>")),
    # Behind something: a signature is never empty.
    _rule("hint", r"(?<=\S)\.? Did you mean: '[^']*'\?$", "",
          ("no attribute 'a'. Did you mean: 'b'?", "no attribute 'a'")),
    _rule("blanks", r"\s+", " ", ("a  \t b", "a b")),
)  # fmt: skip

# Messages of the interpreter and of tensor libraries that say what, but not of what: the place is part of the cause.
GENERIC = re.compile(
    r"^[\w.]+(?::\s*)?$"  # no message at all
    r"|list index out of range|string index out of range|too many indices|index out of range"
    r"|'NoneType' object|unsupported operand type|missing \S+ required (?:positional|keyword)|not iterable"
    r"|must match the size of tensor|shapes cannot be multiplied|division by zero|has no attribute '__"
)


@dataclass(frozen=True)
class Signature:
    """The text that failures with one cause share."""

    text: str

    def slug(self, digits: int = SHORT_HASH) -> str:
        """Its segment in an address: what a person can recognise, and a hash of the text and of the rules' version."""
        coded = CODED.search(self.text)
        name = str(coded[coded.lastindex or 0]) if coded else re.split("[: ]", self.text)[0].rpartition(".")[2]
        name = re.sub(r"[^A-Za-z0-9]+", "-", name).strip("-")[:40]
        text = f"{name or 'error'}-{short_hash(str(VERSION) + self.text, digits)}"
        return segment(text, SHORT_MAX - SHORT_HASH + digits)


def signature(failure: Failure, model_id: str, architecture: str | None = None) -> Signature | None:
    """The signature of a failure of this model; None where its log tells no cause that could be shared."""
    cause = failure.cause
    if cause is None and (failure.heading == BLANK or failure.heading.startswith(("Traceback (most recent", 'File "'))):
        return None
    models = _model_names(failure, model_id, architecture)
    text = _told(failure, cause)
    frame = place(cause) if cause is not None and GENERIC.search(text) else None
    where = (frame.source or frame.function) if frame else ""
    # The type of an exception is no model, whatever a model is called.
    kind, colon, message = text.partition(":") if cause is not None else ("", "", text)
    # Of some types a number alone is a code.
    if not (re.search("HTTP|Exit|Status|Code", kind) and re.fullmatch(r"\s*-?\d+\s*", message)):
        message = normalised(_without_id(message, model_id), models)
    told = f"{kind}{colon} {message.strip()}".strip() if kind else message
    if where:
        told += f" in {normalised(_without_id(where, model_id), models)}"
    return Signature(_cut(told, failure))


def _cut(text: str, failure: Failure) -> str:
    """The text as long as it may be, with the code of compiler or runtime in any case."""
    code = failure.code if failure.coded else None
    short = text[:TEXT_MAX]
    return f"{short} … {code}" if code and code not in short else short


def _told(failure: Failure, cause: Raised | None) -> str:
    """What names the cause: the exception whose message has a code, else the one at the root with the coded line."""
    if cause is None:
        return failure.coded or failure.heading
    for raised in (cause, *failure.chain):
        if CODED.search(raised.text):
            return raised.text if raised is cause else f"{raised.text}, caused by {cause.inner or cause.text}"
    return f"{cause.type}: {failure.coded}" if failure.coded else cause.inner or cause.text


def place(cause: Raised) -> Frame | None:
    """Where a cause lies: in the innermost code of the model, else in the innermost call that tells something."""
    frames = [frame for frame in cause.user_frames or cause.frames if frame.telling]
    of_model = [frame for frame in frames if _MODEL_PATH.search(frame.path)]
    return next(reversed(of_model or frames), None)


def normalised(text: str, models: Iterable[str] = ()) -> str:
    """The text without what differs from run to run; `models` are names that stand for the model, folded."""
    kept: list[str] = []

    def keep(match: re.Match[str]) -> str:
        kept.append(match[0])
        return f"\x00{chr(0xE000 + len(kept) - 1)}"

    text = KEPT.sub(keep, text[: 4 * TEXT_MAX].replace("\x00", ""))
    text = _without_models(text, list(models))
    for rule in RULES:
        text = rule.pattern.sub(rule.replacement, text)
    return re.sub("\x00(.)", lambda match: kept[ord(match[1]) - 0xE000], text).strip()


# The model's own name.

_MODEL_PATH = re.compile(r"[/\\]models[/\\](\w+)[/\\]")
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_NOT_MODELS = ("auto",)
NAME_MIN = 3


def _model_names(failure: Failure, model_id: str, architecture: str | None) -> list[str]:
    """What names the model in its log, folded, the longest first: its architecture and the packages of its code."""
    frames = [frame for raised in failure.chain for frame in (*raised.frames, *raised.user_frames)]
    found = {match[1] for frame in frames if (match := _MODEL_PATH.search(frame.path))} - set(_NOT_MODELS)
    found |= {architecture or "", *(name for name in [model_id.rpartition("/")[2]] if any(c.isdigit() for c in name))}
    return sorted({name for name in map(_fold, found) if len(name) >= NAME_MIN}, key=lambda name: (-len(name), name))


def _without_id(text: str, model_id: str) -> str:
    """The text without the model's id, whole or without its owner."""
    own = model_id.rpartition("/")[2]
    names = [model_id] if "/" in model_id else []
    names += [own] if re.search(r"[\d-]", own) and len(own) >= NAME_MIN else []
    pattern = "|".join(map(re.escape, names))
    return re.sub(rf"(?<![\w/.-])(?:{pattern})(?![\w-])", "<model>", text, flags=re.IGNORECASE) if names else text


def _fold(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())


def _without_models(text: str, names: list[str]) -> str:
    def replace(match: re.Match[str]) -> str:
        word = match[0]
        if word.endswith(("Error", "Exception", "Warning")):
            return word
        # A class (`Exaone4Config`) begins with the name; of a module or a key it is the whole (`exaone4`).
        for name in names:
            end = _reach(word, name)
            if end == len(word) or (end and word[0].isupper() and word[end].isupper()):
                return f"<model>{word[end:]}"
        return word

    return _WORD.sub(replace, text)


def _reach(word: str, name: str) -> int:
    """How far into a word the name reaches from its start, hyphens and underscores aside; 0 where it does not."""
    at = 0
    for position, character in enumerate(word):
        if at == len(name):
            return position
        if character == "_":
            continue
        if character.lower() != name[at]:
            return 0
        at += 1
    return len(word) if at == len(name) else 0
