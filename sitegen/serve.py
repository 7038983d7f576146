"""A local server for looking at a build: on 127.0.0.1 only, built again when an input changes."""

from __future__ import annotations

import os
import re
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from pathlib import Path, PurePath
from typing import BinaryIO

import click

from sitegen.config import Settings
from sitegen.content import packaged
from sitegen.errors import Refused, SitegenError, plain
from sitegen.urls import NOT_FOUND

TYPES = {suffix: f"text/{kind}; charset=utf-8" for suffix, kind in
         {".py": "plain", ".log": "plain", ".js": "javascript", ".html": "html"}.items()}  # fmt: skip
NAMES = re.compile(r"(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?", re.IGNORECASE)
EVERY = 0.5  # seconds between two looks at the inputs


class Handler(SimpleHTTPRequestHandler):
    """Files of the site, the 404 page where there is none, and the types that a host should send too."""

    def parse_request(self) -> bool:
        """Only what is asked of this machine by its own name: a page elsewhere can have its own name lead here."""
        if not super().parse_request():
            return False
        if NAMES.fullmatch(self.headers.get("Host", "")):
            return True
        self.send_error(421, explain="This server answers to 127.0.0.1 and localhost alone, with their port.")
        return False

    def send_head(self) -> BytesIO | BinaryIO | None:
        if "\0" in self.translate_path(self.path):  # no file has such a name, and to ask for one is a fault
            self.send_error(404)
            return None
        return super().send_head()

    def list_directory(self, path: str | os.PathLike[str]) -> None:  # noqa: ARG002 - the base class's name
        """A folder without a page is not there, as on a host."""
        self.send_error(404)

    def guess_type(self, path: str | os.PathLike[str]) -> str:
        return TYPES.get(PurePath(path).suffix) or super().guess_type(path)

    def end_headers(self) -> None:
        self.send_header("Cache-Control", "no-store")
        self.send_header("X-Content-Type-Options", "nosniff")
        super().end_headers()

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        page = Path(self.directory, NOT_FOUND)
        if code != 404 or not page.is_file():
            super().send_error(code, message, explain)
            return
        body = page.read_bytes()
        self.send_response(404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's name
        """Quiet: the terminal is for builds."""


def serve(settings: Settings, rebuild: Callable[[], None], port: int, watch: bool) -> None:
    """Serves until interrupted. The first build must succeed; a later one that fails leaves the last good site."""
    rebuild()
    try:
        server = ThreadingHTTPServer(("127.0.0.1", port), partial(Handler, directory=str(settings.out)))
    except OSError as error:
        raise Refused(f"port {port}: {error.strerror}; give another with --port") from None
    click.echo(f"http://127.0.0.1:{server.server_port}/  (Ctrl+C ends it)")
    if watch:
        threading.Thread(target=_watch, args=(settings, rebuild), daemon=True).start()
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass
    finally:
        server.server_close()


def _watch(settings: Settings, rebuild: Callable[[], None]) -> None:
    before = _state(settings)
    while True:
        time.sleep(EVERY)
        now = _state(settings)
        if now != before:
            before = now
            try:
                rebuild()
            except (SitegenError, OSError) as error:  # a file may go while it is read; the next change builds again
                click.echo(plain(str(error)), err=True)


def _state(settings: Settings) -> tuple[tuple[str, int, int], ...]:
    """Names, sizes and times of all inputs, templates and static files included."""
    folders = [
        settings.data,
        settings.content,
        packaged("content"),
        packaged("templates"),
        packaged("static"),
    ]
    return tuple(sorted(entry for folder in folders if folder for entry in _entries(folder)))


def _entries(folder: Path) -> Iterator[tuple[str, int, int]]:
    for here, _, names in os.walk(folder):
        for name in names:
            try:
                found = os.stat(os.path.join(here, name))
            except OSError:
                continue
            yield os.path.join(here, name), found.st_size, found.st_mtime_ns
