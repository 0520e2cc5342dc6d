"""Fixtures that many tests share."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from battlesim.rules.scenario import Scenario
from tests import toy


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
