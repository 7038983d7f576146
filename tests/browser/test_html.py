"""Every kind of page is valid HTML by html-validate's standard rules."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from tests.browser.test_site import KINDS, at
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


def test_pages_are_valid(site: Path, node: Node, tmp_path: Path) -> None:
    config = tmp_path / "html-validate.json"
    config.write_text(json.dumps(CONFIG), "utf-8")
    pages = [str(site / at(kind)) for kind in KINDS] + [str(site / "404.html")]
    command = [
        str(node.path),
        str(JS / "node_modules/html-validate/bin/html-validate.mjs"),
        "--config",
        str(config),
        *pages,
    ]
    done = subprocess.run(command, env=node.environment, capture_output=True, text=True, cwd=JS, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
