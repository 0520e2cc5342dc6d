"""Fixtures that many tests share."""

from __future__ import annotations

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
