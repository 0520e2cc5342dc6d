"""A real browser for tests of pages: Chromium, if it is there. Read `Opened`."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

CHROMIUM = Path("/usr/bin/chromium")
NEEDED = bool(os.environ.get("BATTLESIM_NEEDS_BROWSER"))
PATIENCE = 300_000
"""Milliseconds that the browser is waited for: so many pass only where something is wrong, however slow or busy the machine."""
FLAGS = [
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--no-sandbox",
]


@contextmanager
def chromium_browser() -> Iterator[Any]:
    """The browser; without one the test is skipped, unless BATTLESIM_NEEDS_BROWSER is set."""
    if not NEEDED:
        pytest.importorskip("playwright")
    from playwright.sync_api import expect, sync_playwright

    if not CHROMIUM.exists() and not NEEDED:
        pytest.skip(f"no browser at {CHROMIUM}")
    with sync_playwright() as playwright:
        expect.set_options(timeout=PATIENCE)
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=FLAGS, timeout=PATIENCE)
        yield browser
        browser.close()


class Opened:
    """A file in the browser, with what it complained of and asked for. `close` fails where it did either."""

    def __init__(self, chromium: Any, file: Path, anchor: str = "", **options: Any) -> None:
        self.file = file
        self.said: list[str] = []
        self.asked: list[str] = []
        self.context = chromium.new_context(**{"viewport": {"width": 1280, "height": 900}, **options})
        self.context.set_default_timeout(PATIENCE)
        self.page = self.context.new_page()
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.on("dialog", lambda dialog: (self.said.append(dialog.message), dialog.dismiss()))
        self.page.on("request", lambda request: self.asked.append(request.url.partition("#")[0]))
        self.page.goto(file.as_uri() + anchor)

    def close(self) -> None:
        self.context.close()
        assert self.said == []
        assert self.asked == [self.file.as_uri()]


Open = Callable[..., Opened]
"""Opens a page: (text, anchor, options of the browser's context) -> the page."""
