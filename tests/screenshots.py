"""The pictures of the README, taken of the demo: `python -m tests.screenshots [FOLDER]`, by default where they lie."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from sitegen.build import build
from sitegen.config import Settings
from sitegen.content import packaged
from tests.tooling import chromium

FOLDER = packaged("content") / "demo" / "screenshots"
PAIR = "2.28.7631.0-5e0f61c7-transformers-5.24.0"
# name: page, width, height, colour scheme
SHOTS = {
    "home": ("", 1280, 760, "light"),
    "failing": (f"models/saltmarsh/godwit-3b/{PAIR}/", 1280, 760, "dark"),
    "sharded-narrow": (f"models/northwind-lab/tern-14b-instruct/{PAIR}/", 360, 760, "light"),
    "search": ("search/", 1280, 760, "light"),
}


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as made, sync_playwright() as playwright:
        site = Path(made, "site")
        build(Settings(data=packaged("content") / "demo", out=site))
        browser = playwright.chromium.launch(executable_path=chromium.get().path)
        for name, (path, width, height, scheme) in SHOTS.items():
            dark = scheme == "dark"
            context = browser.new_context(
                viewport={"width": width, "height": height}, color_scheme="dark" if dark else "light"
            )
            page = context.new_page()
            page.goto(f"{site.as_uri()}/{path}index.html{'?q=tern' if name == 'search' else ''}")
            page.wait_for_timeout(500)
            page.screenshot(path=folder / f"{name}.jpg", type="jpeg", quality=70)
            context.close()
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
