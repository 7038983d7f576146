"""The local server: the site, its error page and its types; a build again when an input changes."""

from __future__ import annotations

import http.client
import socket
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


def raw(port: int, request: str) -> str:
    """The answer to a request that is sent as it is written."""
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        connection.sendall(request.encode())
        connection.shutdown(socket.SHUT_WR)
        parts = iter(partial(connection.recv, 65536), b"")
        return b"".join(parts).decode()


def test_it_answers_to_its_own_name_alone(port: int) -> None:
    """A page elsewhere can have its own name lead to this machine, and would then read what is served."""
    for name in ("127.0.0.1", "localhost:8000", "LOCALHOST", "[::1]:1"):
        assert raw(port, f"GET / HTTP/1.0\r\nHost: {name}\r\n\r\n").startswith("HTTP/1.0 200 "), name
    for name in ("", "evil.example", "evil.example:8000", "127.0.0.1.evil.example", "localhost@x", "x localhost"):
        answer = raw(port, f"GET / HTTP/1.0\r\nHost: {name}\r\n\r\n")
        assert answer.startswith("HTTP/1.0 421 "), name
        assert "control-1b" not in answer
    assert raw(port, "GET / HTTP/1.0\r\n\r\n").startswith("HTTP/1.0 421 ")


def test_no_path_leads_out_of_the_folder_and_no_folder_is_listed(settings: Settings, port: int) -> None:
    (settings.out.parent / "secret").write_text("xyzzy")
    climbing = ("/../secret", "/%2e%2e/secret", "/..%2fsecret", "/models/../../secret", "/%5c..%5csecret")
    for path in (*climbing, "//secret", "/.sitegen/../../secret", "/assets/", "/models/%00"):
        answer = raw(port, f"GET {path} HTTP/1.0\r\nHost: localhost\r\n\r\n")
        assert answer.startswith("HTTP/1.0 404 "), path
        assert "xyzzy" not in answer
        assert "Page not found" in answer


def test_what_the_watch_says_cannot_drive_the_terminal(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(serve, "EVERY", 0.01)
    states = iter(range(1000))
    monkeypatch.setattr(serve, "_state", lambda _: next(states))
    faults = iter([BadInput("a\x1b]0;x\x07b\nc"), FileNotFoundError(2, "No such file", "\x1b[31m"), Refused("done")])
    ended = threading.Event()

    def rebuild() -> None:
        fault = next(faults, None)
        if fault is None:
            ended.set()
            time.sleep(60)
        else:
            raise fault

    threading.Thread(target=serve._watch, args=(settings, rebuild), daemon=True).start()
    assert ended.wait(10)
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 3
    assert lines[0] == "a\\x1b]0;x\\x07b\\x0ac"
    assert all(line.isprintable() for line in lines)


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
