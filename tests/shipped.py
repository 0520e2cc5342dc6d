"""The shipped scenarios, each loaded once a process: they are frozen, and whoever plays one leaves it as it was."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from battlesim import Scenario, load_scenario, shipped_scenarios, with_changes

SHIPPED = shipped_scenarios()
BIG = 60
"""A scenario with more units than this is left to the slow tests."""

load = cache(load_scenario)


def is_big(name: str) -> bool:
    return len(load(name).forces) > BIG


def short(name: str) -> Scenario:
    """A scenario; of a big one the first two turns, where a whole game would take many minutes."""
    return with_changes(load(name), {"turns": 2}) if is_big(name) else load(name)


def marked(names: list[str]) -> list[Any]:
    """Names as parameters of a test, the big ones marked as slow."""
    return [pytest.param(name, marks=pytest.mark.slow) if is_big(name) else name for name in names]


def of_ruleset(ruleset: str) -> list[str]:
    return [name for name in SHIPPED if load(name).ruleset == ruleset]


FIFTH = "alleys:well"
"""The scenario of the rulebook that comes in a package of its own (`tests/fifth`): found where that is installed."""
SMALL = [name for name in SHIPPED if not is_big(name)]
