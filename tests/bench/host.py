"""A host as `netlify.toml` describes it: its headers and redirects, and text compressed on the way."""

from __future__ import annotations

import gzip
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache, partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

from tests.netlify import headers_of, redirect_of

TEXT = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".json": "application/json",
    ".py": "text/plain; charset=utf-8",
    ".log": "text/plain; charset=utf-8",
    ".txt": "text/plain; charset=utf-8",
}


@lru_cache(maxsize=64)
def compressed(path: Path) -> bytes:
    """As hosts send text, at gzip's usual level."""
    return gzip.compress(path.read_bytes(), compresslevel=6, mtime=0)


class Host(SimpleHTTPRequestHandler):
    """Answers GET and HEAD; what is missing is led on by the rules, or gets the 404 page."""

    protocol_version = "HTTP/1.1"  # connections are kept, as hosts do

    def do_GET(self) -> None:
        self._answer(with_body=True)

    def do_HEAD(self) -> None:
        self._answer(with_body=False)

    def _answer(self, *, with_body: bool) -> None:
        path = Path(self.translate_path(self.path))
        path = path / "index.html" if path.is_dir() else path
        asked = unquote(urlsplit(self.path).path)
        led = None if path.is_file() else redirect_of(asked)
        if led and led[0] != 404:
            self._lead(*led)
            return
        status = 200 if path.is_file() else 404
        path = path if status == 200 else Path(self.directory, "404.html")
        kind = TEXT.get(path.suffix)
        zipped = kind is not None and path.is_file() and "gzip" in self.headers.get("Accept-Encoding", "")
        body = compressed(path) if zipped else path.read_bytes() if path.is_file() else b"Not found\n"
        self.send_response(status)
        sent = {"Content-Type": kind or "application/octet-stream", **headers_of(asked)}
        sent |= {"Content-Encoding": "gzip"} if zipped else {}
        for name, value in {**sent, "Vary": "Accept-Encoding", "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        if with_body:
            self.wfile.write(body)

    def _lead(self, status: int, target: str) -> None:
        self.send_response(status)
        self.send_header("Location", quote(target))
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's name
        """Quiet: the terminal is for what was measured."""


@contextmanager
def host(folder: Path) -> Iterator[str]:
    """The address, with a slash at its end, below which the folder is served on loopback."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Host, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()
