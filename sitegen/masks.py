"""What a fetch must never say: a token, a password. All its messages and waits go through one mask.

Texts from a server are masked before anything else is done with them: after a cut a part of a token would show.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterator
from dataclasses import dataclass, replace
from urllib.parse import quote

from sitegen.errors import InputProblems, plain
from sitegen.outcome import UNSEEN

LEAST = 8  # characters of what can be a token; to mask less would garble words


@dataclass(frozen=True)
class Mask:
    """Puts `(token)` in the place of secrets, in any case and also as an address has them."""

    pattern: re.Pattern[str] | None = None

    def __call__(self, text: str) -> str:
        if self.pattern is None:
            return text
        # What nobody sees may stand between the letters of what everybody can read.
        if self.pattern.search(seen := UNSEEN.sub("", text)):
            text = seen
        return self.pattern.sub("(token)", text)

    def quoted(self, text: str, limit: int) -> str:
        """A text from elsewhere on one line, without the stop at its end, masked and then cut."""
        line = plain(self(" ".join(text.split())))
        return line[:limit].rstrip(". ") + (" …" if len(line) > limit else "")

    def hide(self, error: BaseException) -> None:
        """Masks what an error says, and the problems that it carries."""
        error.args = tuple(self(part) if isinstance(part, str) else part for part in error.args)
        if isinstance(error, InputProblems):
            problems = error.problems.found
            problems[:] = [
                replace(p, found=self(p.found), place=replace(p.place, file=self(p.place.file))) for p in problems
            ]


def mask_of(*secrets: str | None) -> Mask:
    """The mask of these, as far as they are long enough to be secrets."""
    known = [secret for secret in secrets if secret and len(secret) >= LEAST]
    forms = sorted({form for secret in known for form in _forms(secret)}, key=len, reverse=True)
    return Mask(re.compile("|".join(map(re.escape, forms)), re.IGNORECASE) if forms else None)


def _forms(secret: str) -> Iterator[str]:
    """A secret as it is, as an address has it, and what base64 makes of it, whatever stands before it there."""
    yield secret
    yield quote(secret, safe="")
    data = secret.encode()
    for before in range(3):
        # Of the first and last letters a part belongs to the neighbours.
        encoded = b64encode(bytes(before) + data).decode().rstrip("=")
        yield encoded[2 if before == 1 else 3 if before else 0 : -1]
