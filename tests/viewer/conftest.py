"""What tests of the viewer share: a browser, and a record of each rulebook."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from battlesim import play
from battlesim.engine.record import Record, parse_record
from tests.viewer.browser import Open, Opened, chromium_browser

SMALL = {"orderdice": "stairwell", "squadhex": "square", "armorclass": "outpost", "regiment": "watch-house"}


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """The browser."""
    with chromium_browser() as browser:
        yield browser


@pytest.fixture
def opened(chromium: Any, tmp_path: Path) -> Iterator[Open]:
    """Opens a page; at the end none may have complained, nor asked for anything but itself."""
    pages: list[Opened] = []

    def openly(text: str, anchor: str = "", **options: Any) -> Opened:
        file = tmp_path / f"{len(pages)}.html"
        file.write_text(text, encoding="utf-8")
        pages.append(Opened(chromium, file, anchor, **options))
        return pages[-1]

    yield openly
    for each in pages:
        each.close()


@pytest.fixture(scope="session")
def records() -> dict[str, Record]:
    """A small battle of each rulebook."""
    return {book: parse_record(play(name, seed=3).record(), name) for book, name in SMALL.items()}
