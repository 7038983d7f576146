"""A server on loopback that speaks as much of the Hub as a fetch asks for, and misbehaves on request.

Two servers in fact: the Hub, and the storage that large files lead to, which is another host.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

DATE = "Fri, 20 Nov 2026 06:00:00 GMT"
COMMIT = "0123456789abcdef0123456789abcdef01234567"
NEXT_COMMIT = "89abcdef0123456789abcdef0123456789abcdef"
ID = "acme/runs"
HUB, STORAGE = "127.0.0.1", "localhost"  # two hosts for a client
Answer = Callable[["Handler"], None]


@dataclass(frozen=True)
class Request:
    method: str
    path: str
    query: dict[str, list[str]]
    headers: dict[str, str]
    storage: bool


@dataclass
class FakeHub:
    """What the Hub has, and how it misbehaves. A test changes it as it likes."""

    files: dict[str, bytes] = field(default_factory=dict)
    small: set[str] = field(default_factory=set)  # of these the Hub has no SHA-256, and no storage of its own
    commits: dict[str, str] = field(default_factory=lambda: {"main": COMMIT})
    rankings: dict[tuple[str, str], list[Any]] = field(default_factory=dict)  # by task and sort
    renamed: dict[str, str] = field(default_factory=dict)
    card: dict[str, Any] | None = field(default_factory=lambda: {"license": "apache-2.0"})
    page: int = 2  # entries of one page of any list
    tree: list[Any] | None = None  # in place of what `files` makes
    faults: list[tuple[str, Answer, list[int]]] = field(default_factory=list)
    requests: list[Request] = field(default_factory=list)
    endpoint: str = ""
    storage: str = ""
    release: threading.Event = field(default_factory=threading.Event)

    def fail(self, match: str, answer: Answer, times: int = 10**6, after: int = 0) -> None:
        """Requests whose path holds `match` get this answer, so many of them, after the first few."""
        self.faults.append((match, answer, [after, times]))

    def asked(self, match: str = "") -> list[Request]:
        return [request for request in self.requests if match in request.path]

    def fault(self, path: str) -> Answer | None:
        for match, answer, left in self.faults:
            if match in path:
                if left[0]:
                    left[0] -= 1
                elif left[1]:
                    left[1] -= 1
                    return answer
        return None


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 5
    wbufsize = 1 << 16  # an answer in one piece: else head and body wait for each other
    disable_nagle_algorithm = True

    def __init__(self, hub: FakeHub, storage: bool, *arguments: Any) -> None:
        self.hub, self.storage = hub, storage
        super().__init__(*arguments)

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        path, query = unquote(parts.path), parse_qs(parts.query)
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.hub.requests.append(Request(self.command, path, query, headers, self.storage))
        if answer := self.hub.fault(path):
            answer(self)
        elif self.storage:
            self.blob(path)
        elif path.startswith("/api/models/"):
            self.model(path.removeprefix("/api/models/"))
        elif path == "/api/models":
            models = self.hub.rankings.get((query["pipeline_tag"][0], query["sort"][0]), [])
            self.listed(models[: int(query["limit"][0])], query)
        elif path.startswith(f"/api/datasets/{ID}/revision/"):
            self.dataset(path.rsplit("/revision/", 1)[1])
        elif path.startswith(f"/api/datasets/{ID}/tree/"):
            self.listed(self.entries() if self.hub.tree is None else self.hub.tree, query)
        elif path.startswith(f"/datasets/{ID}/resolve/"):
            self.resolve(*path.split("/resolve/", 1)[1].split("/", 1))
        else:
            self.refuse(404, "RepoNotFound")

    do_HEAD = do_GET  # noqa: N815 - the base class's name

    def date_time_string(self, timestamp: float | None = None) -> str:  # noqa: ARG002 - the base class's
        return DATE

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's name
        """Quiet."""

    # Answers.

    def send(self, status: int, body: bytes = b"", /, **headers: str) -> None:
        self.send_response(status)
        for name, value in {"Content_Length": str(len(body)), **headers}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def send_json(self, value: object, **headers: str) -> None:
        self.send(200, json.dumps(value).encode(), Content_Type="application/json", **headers)

    def refuse(self, status: int, code: str | None = None, message: str | None = None, **headers: str) -> None:
        said = {"X_Error_Code": code, "X_Error_Message": message}
        self.send(status, b"", **{name: text for name, text in said.items() if text}, **headers)

    # Endpoints.

    def dataset(self, revision: str) -> None:
        commit = self.hub.commits.get(revision, revision if revision in self.hub.commits.values() else None)
        if commit is None:
            self.refuse(404, "RevisionNotFound", "Invalid rev id")
        else:
            self.send_json({"id": ID, "sha": commit, "cardData": self.hub.card, "siblings": [], "private": False})

    def entries(self) -> list[dict[str, Any]]:
        folders = {path.rpartition("/")[0] for path in self.hub.files} - {""}
        entries = [{"type": "directory", "path": path, "oid": "0" * 40, "size": 0} for path in sorted(folders)]
        for path, data in self.hub.files.items():
            entry = {"type": "file", "path": path, "oid": git_sha1(data), "size": len(data)}
            if path not in self.hub.small:
                entry["lfs"] = {"oid": hashlib.sha256(data).hexdigest(), "size": len(data), "pointerSize": 130}
                entry["xetHash"] = hashlib.sha256(data).hexdigest()
            entries.append(entry)
        return entries

    def listed(self, items: list[Any], query: dict[str, list[str]]) -> None:
        start = int(query.get("cursor", ["0"])[0])
        end = start + self.hub.page
        link = {}
        if end < len(items):
            kept = "&".join(f"{name}={value}" for name, values in query.items() if name != "cursor" for value in values)
            target = f"{self.hub.endpoint}{urlsplit(self.path).path}?{kept}&cursor={end}"
            link = {"Link": f'<{target}>; rel="next"'}
        self.send_json(items[start:end], **link)

    def model(self, model_id: str) -> None:
        if model_id in self.hub.renamed:
            self.send(307, Location=f"/api/models/{self.hub.renamed[model_id]}")
        elif model_id in {m["id"] for models in self.hub.rankings.values() for m in models}:
            self.send_json({"id": model_id})
        else:
            self.refuse(404, "RepoNotFound", "Repository not found")

    def resolve(self, commit: str, path: str) -> None:
        data = self.hub.files.get(path)
        if data is None:
            self.refuse(404, "EntryNotFound", "Entry not found")
        elif path in self.hub.small:
            self.send(200, data, ETag=f'"{git_sha1(data)}"', X_Repo_Commit=commit)
        else:
            digest = hashlib.sha256(data).hexdigest()
            self.send(
                302,
                Location=f"{self.hub.storage}/blob/{digest}?signature=secret",
                X_Repo_Commit=commit,
                X_Linked_Etag=f'"{digest}"',
                X_Linked_Size=str(len(data)),
                X_Xet_Hash=digest,  # another way to the same bytes, which a fetch does not take
                X_Xet_Refresh_Route=f"{self.hub.endpoint}/api/datasets/{ID}/xet-read-token/{commit}",
            )

    def blob(self, path: str) -> None:
        data = next(d for d in self.hub.files.values() if path.endswith(hashlib.sha256(d).hexdigest()))
        start = int(self.headers.get("Range", "bytes=0-").removeprefix("bytes=").split("-")[0])
        if start:
            self.send(206, data[start:], Content_Range=f"bytes {start}-{len(data) - 1}/{len(data)}")
        else:
            self.send(200, data)


def git_sha1(data: bytes) -> str:
    return hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


# Ways to misbehave.


def status(code: int, error: str | None = None, message: str | None = None, **headers: str) -> Answer:
    return lambda handler: handler.refuse(code, error, message, **headers)


def body(data: bytes, **headers: str) -> Answer:
    return lambda handler: handler.send(200, data, **headers)


def cut(data: bytes = b"", promised: int = 1000) -> Answer:
    """Some bytes of a longer answer, then the connection ends."""

    def answer(handler: Handler) -> None:
        handler.send(200, data, Content_Length=str(promised))
        handler.close_connection = True

    return answer


def hang_up(handler: Handler) -> None:
    """The connection ends without an answer."""
    handler.close_connection = True


def slow(handler: Handler) -> None:
    """No answer before the test ends."""
    handler.hub.release.wait(20)
    handler.close_connection = True


class Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that went away is no news."""


@contextmanager
def running() -> Iterator[FakeHub]:
    hub = FakeHub()
    servers = [Server((HUB, 0), partial(Handler, hub, storage)) for storage in (False, True)]
    hub.endpoint, hub.storage = (
        f"http://{host}:{server.server_port}" for host, server in zip((HUB, STORAGE), servers, strict=True)
    )
    for server in servers:
        threading.Thread(target=partial(server.serve_forever, poll_interval=0.01), daemon=True).start()
    try:
        yield hub
    finally:
        hub.release.set()
        for server in servers:
            server.shutdown()
            server.server_close()
