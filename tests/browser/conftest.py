"""The demo catalogue, hosted below a sub-path and from the disk, in a browser that notes every fault."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from http.server import ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Request, Route

from sitegen.build import build
from sitegen.config import Settings
from sitegen.content import packaged
from sitegen.serve import Handler
from tests.netlify import headers_of

BASE = "/catalogue/"


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo, built once."""
    out = tmp_path_factory.mktemp("demo") / "site"
    build(Settings(data=packaged("content") / "demo", out=out, base_url=f"https://example.org{BASE}", zip=True))
    return out


class Hosted(Handler):
    """A host as `netlify.toml` describes it, with the site below a sub-path and nothing beside it."""

    def translate_path(self, path: str) -> str:
        inside = path.startswith(BASE)
        return super().translate_path(path.removeprefix(BASE.rstrip("/")) if inside else "/nothing-here")

    def end_headers(self) -> None:
        self.send_header("Content-Security-Policy", headers_of("/")["Content-Security-Policy"])
        super().end_headers()


@pytest.fixture(scope="session")
def hosted(site: Path) -> Iterator[str]:
    """The address of the site's root on a host."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Hosted, directory=str(site)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}{BASE}"
    server.shutdown()
    server.server_close()


@dataclass
class Visit:
    """A browser page on the site; `faults` holds what must never happen."""

    page: Page
    root: str
    faults: list[str] = field(default_factory=list)

    def open(self, path: str) -> Page:
        self.page.goto(self.root + path)
        return self.page


def visit(context: BrowserContext, root: str) -> Visit:
    """A page whose requests stay on the site: any other is stopped and noted, as are errors and violations."""
    page = context.new_page()
    page.set_default_timeout(8000)
    found = Visit(page, root)

    def guard(route: Route) -> None:
        if route.request.url.startswith(root):
            route.continue_()
        else:
            found.faults.append(f"request to {route.request.url}")
            route.abort()

    def failed(request: Request) -> None:
        # What a page still loads when the next one is opened is dropped; that is no fault.
        if request.failure != "net::ERR_ABORTED":
            found.faults.append(f"{request.url}: {request.failure}")

    page.route("**/*", guard)
    page.on(
        "console", lambda message: found.faults.append(message.text) if message.type in ("error", "warning") else None
    )
    page.on("pageerror", lambda error: found.faults.append(str(error)))
    page.on("dialog", lambda dialog: found.faults.append(f"dialog {dialog.message}"))
    page.on("requestfailed", failed)
    return found


@pytest.fixture(params=["hosted", "file"])
def root(request: pytest.FixtureRequest, site: Path, hosted: str) -> str:
    """The site's root, hosted or on the disk."""
    return hosted if request.param == "hosted" else f"{site.as_uri()}/"


@pytest.fixture
def here(browser: Browser, root: str) -> Iterator[Visit]:
    """A page at 1280 by 900 on each of the two; the test fails for any fault that it did not clear."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    found = visit(context, root)
    yield found
    context.close()
    assert found.faults == []
