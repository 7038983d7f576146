"""Gets `urls.json` of the published site, for `--previous`. Only a plain "not found" means that none is there yet.

python tests/tooling/published.py https://example.org/ FILE

Any other fault stops: a build without the list would let addresses go that others link to.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import httpx2

TRIES = 3
MOVE = "If the site moves here from another address, give the list of the old one: PREVIOUS=FILE"


class NotAnswered(Exception):
    """The site gave neither a list nor a plain "not found"."""


def is_list(content: bytes) -> bool:
    """Whether this is a `urls.json`; a parked domain or a login page answers 200 too."""
    try:
        table = json.loads(content)
    except (ValueError, RecursionError):
        return False
    return isinstance(table, dict) and table.get("schema") == "sitegen-urls"


def get(address: str, pause: float = 2) -> bytes | None:
    """The list; None where the site has none. `pause` is in seconds. Raises NotAnswered."""
    reason = ""
    for attempt in range(TRIES):
        time.sleep(pause * attempt)
        try:
            answer = httpx2.get(address, follow_redirects=True, timeout=60)
        except (httpx2.HTTPError, httpx2.InvalidURL) as error:
            reason = f"cannot be asked ({error})"
            continue
        if answer.status_code == 200 and is_list(answer.content):
            return answer.content
        if answer.status_code == 200:
            reason = "answers with something else than a list of addresses"
            break
        if answer.status_code == 404:
            return None
        reason = f"answers {answer.status_code}"
        if answer.status_code < 500:
            break
    raise NotAnswered(f"{address} {reason}.")


def main(arguments: list[str]) -> int:
    base_url, name = arguments
    file, address = Path(name), f"{base_url.rstrip('/')}/urls.json"
    file.unlink(missing_ok=True)
    try:
        found = get(address)
    except NotAnswered as error:
        print(f"{error}\nIf nothing is published there yet, build without it: FIRST=1. {MOVE}", file=sys.stderr)
        return 1
    if found is None:
        print(f"{address} is not there: a first publication. {MOVE}")
        return 0
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(found)
    print(f"{address}: kept as {file}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
