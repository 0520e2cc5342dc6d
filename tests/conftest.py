"""Fixtures that many tests share."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from battlesim.rules.scenario import Scenario
from tests import toy

BEGUN = time.monotonic()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--minutes",
        type=float,
        default=float("inf"),
        help="skip what would begin after so many minutes, and say so (for a machine that is slower than usual)",
    )


def pytest_runtest_setup(item: pytest.Item) -> None:
    minutes = item.config.getoption("--minutes")
    if time.monotonic() - BEGUN > 60 * minutes:
        pytest.skip(f"the {minutes:g} minutes given are over: {item.nodeid}")


@pytest.fixture
def toy_scenario() -> Iterator[Scenario]:
    """A toy scenario, its ruleset found by name."""
    with toy.installed():
        yield toy.scenario()


# The same examples every time and no deadline: a test must not fail because a machine is busy or a day is unlucky.
settings.register_profile("steady", derandomize=True, deadline=None)
settings.load_profile("steady")

# A shell starts what runs in the background deaf to interrupts, and the battles that tests start and interrupt inherit that.
if (
    signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    and threading.current_thread() is threading.main_thread()
):
    signal.signal(signal.SIGINT, signal.default_int_handler)

# The workers of the suite and the hundred processes that tests start all read the same modules. Where Python is told to leave no
# bytecode beside them, each would compile them again; it is kept in the folder of pytest's own cache instead.
if os.environ.pop("PYTHONDONTWRITEBYTECODE", ""):
    os.environ.setdefault(
        "PYTHONPYCACHEPREFIX", str(Path(__file__).parents[1] / ".pytest_cache" / "bytecode")
    )
