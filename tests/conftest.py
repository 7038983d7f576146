"""Fixtures that every test may ask for: the Node and the Chromium of this machine."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.tooling import chromium as chromium_tool
from tests.tooling import node as node_tool
from tests.tooling.chromium import Chromium, ChromiumError
from tests.tooling.node import Node, NodeError


@pytest.fixture(scope="session")
def node() -> Node:
    """The Node of this machine: `subprocess.run([node.path, ...], env=node.environment)`."""
    try:
        return node_tool.get()
    except NodeError as error:
        pytest.fail(str(error), pytrace=False)


@pytest.fixture(scope="session")
def chromium() -> Chromium:
    """The Chromium of this machine. A test that needs it fails where there is none; it is not skipped."""
    try:
        return chromium_tool.get()
    except ChromiumError as error:
        pytest.fail(str(error), pytrace=False)


@pytest.fixture(scope="session")
def browser(chromium: Chromium) -> Iterator[Browser]:
    """A running Chromium; open a context of your own in each test, so that nothing is shared."""
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=chromium.path, headless=True)
        yield running
        running.close()
