"""Requests that are tried again, as often and as long as is decent: the HTTP client that a fetch uses.

It takes the place of the waits of `huggingface_hub`, which have no upper limit: a server may ask for any number of
seconds there.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from typing import Any

import httpx2

from sitegen.errors import BadInput, Unfinished
from sitegen.masks import Mask
from sitegen.refusals import REASON_MAX, broken

AGAIN = frozenset({408, 429, 500, 502, 503, 504})  # answers that may be another one a little later
BROKEN = (httpx2.TimeoutException, httpx2.NetworkError, httpx2.RemoteProtocolError)
_RATE = re.compile(r"r\s*=\s*0\s*;\s*t\s*=\s*(\d{1,9})(?!\d)")  # RateLimit: "api";r=0;t=55


@dataclass(frozen=True)
class Patience:
    """How often and how long a fetch tries again. All times are in seconds."""

    tries: int = 5
    first: float = 1.0  # the wait after the first try where the server names none; doubled from try to try
    longest: float = 300.0  # the longest single wait that a server may ask for
    total: float = 900.0  # of all waits of a fetch
    answer: float = 30.0  # without a byte of an answer
    requests: int = 5000  # in one fetch: an answer may name a next page without end
    sleep: Callable[[float], None] = time.sleep


@dataclass
class Account:
    """What one fetch has used up, whatever the number of its clients, and the `Date` of the last answer.

    What it says goes through the mask.
    """

    patience: Patience
    say: Callable[[str], None]
    mask: Mask = field(default_factory=Mask)
    requests: int = 0
    waited: float = 0.0
    date: str | None = None

    def count(self) -> None:
        self.requests += 1
        if self.requests > self.patience.requests:
            raise BadInput(f"the Hub's answers lead on and on: {self.patience.requests:,} requests were made")

    def wait(self, seconds: float, trouble: str) -> None:
        """Waits. Raises Unfinished with the trouble where that would be too long."""
        if seconds > self.patience.longest or self.waited + seconds > self.patience.total:
            raise Unfinished(f"{trouble}; to wait {seconds:,.0f} s more would be too long, try again later")
        self.waited += seconds
        self.say(self.mask(f"{trouble}; trying again in {seconds:.0f} s"))
        self.patience.sleep(seconds)


class PatientClient(httpx2.Client):
    """The client that `huggingface_hub` sends its requests with. Raises Unfinished where trying again did not help."""

    def __init__(self, account: Account, endpoint: str) -> None:
        super().__init__(follow_redirects=True, timeout=account.patience.answer)
        self.account = account
        self.origin = _origin(httpx2.URL(endpoint))

    def send(self, request: httpx2.Request, *, stream: bool = False, **options: Any) -> httpx2.Response:
        if _origin(request.url) != self.origin:
            request.headers.pop("authorization", None)  # a token is for the Hub alone, wherever its answers lead
        # Callers may have asked for no limit at all.
        request.extensions["timeout"] = httpx2.Timeout(self.account.patience.answer).as_dict()
        number = 1
        while True:
            self.account.count()
            wait = self.account.patience.first * 2 ** (number - 1)
            try:
                response = super().send(request, stream=stream, **options)
            except BROKEN as error:
                trouble = broken(error, error.request.url.host, self.account.mask)  # where a redirect led, perhaps
            else:
                self.account.date = response.headers.get("Date") or self.account.date
                if response.status_code not in AGAIN:
                    response.stream = _Resumable(response.stream) if stream else response.stream
                    return response
                response.close()
                why = _meaning(response, self.account.mask)
                trouble = f"{response.request.url.host} answers {response.status_code} ({why})"
                wait = max(asked_wait(response.headers) or 0, wait)
            if number == self.account.patience.tries:
                raise Unfinished(f"{trouble}, after {number} tries; try again later")
            self.account.wait(wait, trouble)
            number += 1


class _Resumable(httpx2.SyncByteStream):
    """The bytes of an answer. The client goes on where it stopped after an error of the protocol, not after a reset."""

    def __init__(self, stream: Any) -> None:
        self.stream = stream

    def __iter__(self) -> Iterator[bytes]:
        try:
            yield from self.stream
        except httpx2.ReadError as error:
            raise httpx2.RemoteProtocolError(str(error) or "connection reset") from error

    def close(self) -> None:
        self.stream.close()


def asked_wait(headers: httpx2.Headers) -> float | None:
    """The seconds that a server asks to wait, by `RateLimit` (where nothing is left) or `Retry-After`."""
    if found := _RATE.search(headers.get("RateLimit", "")):
        return float(found[1]) + 1  # the server rounds down
    text = headers.get("Retry-After", "").strip()
    if text.isdecimal():
        return float(text[:9])
    try:
        moment, now = parsedate_to_datetime(text), parsedate_to_datetime(headers.get("Date", ""))
        return max(0.0, (moment - now).total_seconds())
    except (TypeError, ValueError):
        return None


def _meaning(response: httpx2.Response, mask: Mask) -> str:
    if response.status_code == 429:
        return "too many requests"
    return mask.quoted(response.reason_phrase, REASON_MAX).lower() or "no reason"


def _origin(url: httpx2.URL) -> tuple[str, str, int | None]:
    return url.scheme, url.host, url.port
