"""Answers that say no and connections that break, in plain words and with the exit code that goes with them."""

from __future__ import annotations

import json

import httpx2

from sitegen.errors import BadInput, Refused, SitegenError, Unfinished
from sitegen.masks import Mask

REASON_MAX = 200  # characters of what a server says that a message quotes
LOG_IN = "log in with `hf auth login`, or set HF_TOKEN"


def broken(error: Exception, host: str, mask: Mask) -> str:
    """A connection that could not be made, or did not hold."""
    why = mask.quoted(str(error), REASON_MAX) or type(error).__name__
    if isinstance(error, httpx2.ConnectError | httpx2.ConnectTimeout | httpx2.ProxyError):
        return f"{host} cannot be reached ({why})"
    if isinstance(error, httpx2.TimeoutException):
        return f"{host} does not answer"
    return f"the connection to {host} was cut ({why})"


def refusal(response: httpx2.Response, what: str, address: str, page: str | None, mask: Mask) -> SitegenError:
    """What an answer other than success means for the person who asked for `what`.

    `address` is that of the Hub; `page` shows what was asked for there, None where that is no repository.
    """
    status, code = response.status_code, response.headers.get("X-Error-Code")
    if response.request.url.host != httpx2.URL(address).host:
        return Unfinished(f"{what}: {response.request.url.host}, where it is stored, answers {status}; try again later")
    if code == "GatedRepo":
        said = f"access must be granted first. Accept the conditions at {page}, and {LOG_IN}"
    elif code == "RevisionNotFound":
        said = "there is no such branch, tag or commit; check --revision"
    elif code == "EntryNotFound":
        return BadInput(f"{what}: the Hub lists it, but does not have it")
    elif status == 401 and "authorization" in response.request.headers:
        said = f"the Hub does not take the token; {LOG_IN.replace('in', 'in again', 1)}"
    elif status == 404 and page is None:
        return BadInput(f"{what}: {address} answers 404, and the Hub would not; check HF_ENDPOINT")
    elif status in (401, 404):
        said = f"the Hub has none that it shows to you; check the name. If it is private, {LOG_IN}"
    elif status == 403:
        said = f"the Hub forbids it: {_reason(response, mask)}. The token may lack the right to read it"
    else:
        return BadInput(f"{what}: the Hub answers {status}: {_reason(response, mask)}")
    return Refused(f"{what}: {said}")


def _reason(response: httpx2.Response, mask: Mask) -> str:
    """The reason that the server gives, in a header or in its JSON, cut to a line."""
    text = response.headers.get("X-Error-Message", "")
    if not text:
        try:
            record = json.loads(response.read())
            text = record.get("error", "") if isinstance(record, dict) else ""
        except (ValueError, RecursionError, httpx2.StreamError):
            text = ""
    return mask.quoted(str(text), REASON_MAX) or "no reason given"
