"""Every kind of page is valid HTML by html-validate's standard rules."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from sitegen.build import build
from sitegen.config import Settings
from tests.browser.test_site import every_kind
from tests.factory import put, row
from tests.tooling.node import Node

JS = Path(__file__).parents[1] / "js"
CONFIG = {
    "extends": ["html-validate:standard"],
    "rules": {
        "long-title": "off",  # a title names model and pair, which are as long as they are
        "wcag/h32": "off",  # the filter of a list acts while typing: there is nothing to submit
        "no-trailing-whitespace": "off",  # of scripts and logs, which are shown as they are
    },
}


def ambiguous_page(folder: Path) -> Path:
    """The one kind of page that the demo lacks."""
    put(folder / "data", [row("acme/one"), row("ACME/One")])
    build(Settings(data=folder / "data", out=folder / "site"))
    return folder / "site" / "models" / "acme" / "one" / "index.html"


def test_pages_are_valid(site: Path, node: Node, tmp_path: Path) -> None:
    config = tmp_path / "html-validate.json"
    config.write_text(json.dumps(CONFIG), "utf-8")
    pages = [*(site / path for path in every_kind().values()), ambiguous_page(tmp_path)]
    command = [
        str(node.path),
        str(JS / "node_modules/html-validate/bin/html-validate.mjs"),
        "--config",
        str(config),
        *map(str, pages),
    ]
    done = subprocess.run(command, env=node.environment, capture_output=True, text=True, cwd=JS, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
