"""Every regular expression of the product, found in its source: with the ways in which it is used there."""

from __future__ import annotations

import ast
import importlib
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from re import _parser  # type: ignore[attr-defined]
from typing import Any

PACKAGE = Path(__file__).parents[2] / "sitegen"

USES = ("match", "fullmatch", "search", "sub", "split", "findall", "finditer")
CATEGORIES = {"CATEGORY_DIGIT": "1", "CATEGORY_WORD": "a", "CATEGORY_SPACE": " "}


@dataclass(frozen=True)
class Expression:
    where: str
    pattern: re.Pattern[str]
    uses: frozenset[str]

    def calls(self) -> Iterator[Callable[[str], Any]]:
        if "match" in self.uses:
            yield self.pattern.match
        if "fullmatch" in self.uses:
            yield self.pattern.fullmatch
        if self.uses - {"match", "fullmatch"}:
            yield lambda text: sum(1 for _ in self.pattern.finditer(text))

    def units(self) -> list[str]:
        """Texts that the expression has something to do with; repeated, they are what could make it slow."""
        letters, words = _parts(self.pattern)
        some = sorted(letters)[:14]
        pairs = {one + other for one in some for other in some}
        return sorted({*letters, *words, *pairs, *(word + letter for word in words for letter in some[:4])})

    def starts(self) -> list[str]:
        return ["", *sorted(_parts(self.pattern)[1])[:3]]


def expressions() -> list[Expression]:
    """Those that a module keeps, and those that are written where they are used; each once."""
    found: dict[tuple[str, int], Expression] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        if "_files" in path.parts:
            continue
        name = ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__")
        module, tree = importlib.import_module(name), ast.parse(path.read_text("utf-8"))
        for made in (*_kept(name, vars(module)), *_written(name, vars(module), tree)):
            key = made.pattern.pattern, made.pattern.flags
            known = found.get(key)
            found[key] = Expression(known.where, made.pattern, known.uses | made.uses) if known else made
    return list(found.values())


def _kept(name: str, names: dict[str, Any]) -> Iterator[Expression]:
    for key, value in names.items():
        if isinstance(value, re.Pattern) and isinstance(value.pattern, str):
            yield Expression(f"{name}.{key}", value, frozenset(_uses(key)))
        elif name == "sitegen.signature" and key == "RULES":
            for rule in value:
                yield Expression(f"{name}.RULES {rule.name}", rule.pattern, frozenset({"sub"}))


def _uses(name: str) -> Iterator[str]:
    """How an expression of this name is used anywhere."""
    for path in PACKAGE.rglob("*.py"):
        text = path.read_text("utf-8")
        yield from re.findall(rf"\b{name}\.({'|'.join(USES)})\(", text)


def _written(name: str, names: dict[str, Any], tree: ast.Module) -> Iterator[Expression]:
    functions = {f"re.{use}": use for use in USES}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and (use := functions.get(ast.unparse(node.func))):
            text = _text(node.args[0], names)
            if text is not None:
                yield Expression(f"{name}:{node.lineno}", re.compile(text), frozenset({use}))


def _text(node: ast.expr, names: dict[str, Any]) -> str | None:
    """The value of an expression of constants and of names that the module has; None for any other."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else None
    if isinstance(node, ast.Name):
        return names[node.id] if isinstance(names.get(node.id), str) else None
    if isinstance(node, ast.JoinedStr):
        parts = [_text(v.value if isinstance(v, ast.FormattedValue) else v, names) for v in node.values]
        return None if None in parts else "".join(part or "" for part in parts)
    if isinstance(node, ast.BinOp):
        left, right = _text(node.left, names), _text(node.right, names)
        return None if left is None or right is None else left + right
    return None


def _parts(pattern: re.Pattern[str]) -> tuple[set[str], set[str]]:
    """A character for each place of the expression, and its longer literal parts."""
    letters: set[str] = set()
    words: set[str] = set()
    _walk(_parser.parse(pattern.pattern, pattern.flags & ~re.UNICODE), letters, words)
    return letters, words


def _walk(tree: Any, letters: set[str], words: set[str]) -> None:
    run = ""
    for name, value in [(str(name), value) for name, value in tree]:
        if name == "LITERAL":
            run += chr(value)
            letters.add(chr(value))
            continue
        if len(run) > 1:
            words.add(run)
        run = ""
        _inside(name, value, letters, words)
    if len(run) > 1:
        words.add(run)


def _inside(name: str, value: Any, letters: set[str], words: set[str]) -> None:
    if name == "IN":
        letters |= {_letter(str(kind), what) for kind, what in value}
    elif name == "ANY":
        letters.add("x")
    elif name == "BRANCH":
        for branch in value[1]:
            _walk(branch, letters, words)
    elif name in _BODIES:
        _walk(value[_BODIES[name]], letters, words)


# Where the part stands that a construct is about.
_BODIES = {"MAX_REPEAT": 2, "MIN_REPEAT": 2, "POSSESSIVE_REPEAT": 2, "SUBPATTERN": 3, "ASSERT": 1, "ASSERT_NOT": 1}


def _letter(kind: str, what: Any) -> str:
    if kind == "CATEGORY":
        return CATEGORIES.get(str(what), "!")
    return chr(what[0]) if kind == "RANGE" else chr(what) if kind == "LITERAL" else "!"


def seconds(call: Callable[[str], Any], text: str) -> float:
    """Of this thread alone, so that a busy machine counts for nothing."""
    start = time.thread_time()
    call(text)
    return time.thread_time() - start


def slow(expression: Expression, size: int, least: float, ratio: float) -> Iterator[str]:
    """Texts of which four times as much takes more than `ratio` times as long, and `least` seconds at all."""
    for unit in expression.units():
        for start in expression.starts():
            small, large = (start + unit * (n // len(unit)) + "\0" for n in (size, 4 * size))
            for call in expression.calls():
                if seconds(call, large) < least:
                    continue
                best = [min(seconds(call, text) for _ in range(3)) for text in (small, large)]
                if best[1] >= least and best[1] > ratio * best[0]:
                    yield f"{start!r} and many {unit!r}: {best[0]:.4f} s, of four times as many {best[1]:.4f} s"
