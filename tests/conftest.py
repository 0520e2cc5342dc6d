"""Fixtures that many tests share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from battlesim.rules.forces import Scenario
from tests import toy


@pytest.fixture
def toy_scenario() -> Iterator[Scenario]:
    """A toy scenario, its ruleset found by name."""
    with toy.installed():
        yield toy.scenario()
