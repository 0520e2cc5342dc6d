"""Fixtures that many tests share."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator

import pytest
from hypothesis import settings

from battlesim.rules.forces import Scenario
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
