"""The local server: the site, its error page and its types; a build again when an input changes."""

from __future__ import annotations

import http.client
import threading
import time
from collections.abc import Iterator
from functools import partial
from http.server import ThreadingHTTPServer
from pathlib import Path

import pytest

from sitegen import serve
from sitegen.build import build
from sitegen.config import Settings
from sitegen.errors import BadInput, Refused
from tests.factory import put, row

FOLDER = "/models/acme/control-1b/2.28.7631.0-5e0f61c7-transformers-5.21.0/"


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    put(tmp_path / "data", [row(error="E: boom")])
    return Settings(data=tmp_path / "data", out=tmp_path / "site", jobs=1)


@pytest.fixture
def port(settings: Settings) -> Iterator[int]:
    build(settings)
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(serve.Handler, directory=str(settings.out)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server.server_port
    server.shutdown()
    server.server_close()


def get(port: int, path: str, method: str = "GET") -> tuple[int, str, str]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request(method, path)
    answer = connection.getresponse()
    found = answer.status, answer.headers["Content-Type"] or "", answer.read().decode()
    connection.close()
    return found


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/", "text/html; charset=utf-8"),
        (FOLDER, "text/html; charset=utf-8"),
        (f"{FOLDER}run.py", "text/plain; charset=utf-8"),
        (f"{FOLDER}error.log", "text/plain; charset=utf-8"),
        ("/search/names.js", "text/javascript; charset=utf-8"),
    ],
)
def test_files_have_the_types_of_a_host(port: int, path: str, kind: str) -> None:
    assert get(port, path)[:2] == (200, kind)


def test_what_is_not_there_gets_the_error_page(port: int) -> None:
    status, _, body = get(port, "/no/such/page")
    assert status == 404
    assert "Page not found" in body
    assert get(port, "/no/such/page", "HEAD") == (404, "text/html; charset=utf-8", "")


def test_a_port_that_is_taken_is_refused_in_words(settings: Settings, port: int) -> None:
    with pytest.raises(Refused, match=f"port {port}"):
        serve.serve(settings, lambda: None, port, watch=False)


def test_a_change_builds_again_and_a_bad_one_does_not_end_the_watch(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serve, "EVERY", 0.02)
    builds: list[int] = []

    def rebuild() -> None:
        builds.append(1)
        if len(builds) == 1:
            raise BadInput("1 error in the input; nothing was written")

    threading.Thread(target=serve._watch, args=(settings, rebuild), daemon=True).start()
    for number in (1, 2):
        time.sleep(0.2)
        put(settings.data, [row(f"acme/m{number}")])
        deadline = time.monotonic() + 10
        while len(builds) < number and time.monotonic() < deadline:
            time.sleep(0.02)
        assert len(builds) >= number
