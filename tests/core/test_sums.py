"""Sums of floats: alike with every version of Python, and players use no others."""

from __future__ import annotations

import builtins
import subprocess
import sys
from collections.abc import Iterable
from math import fsum
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import battlesim
from battlesim import load_scenario, play
from battlesim.core.sums import summed

ROOMS = ("core", "rules", "rulesets", "evaluation", "search")
"""Whose sums decide what players answer."""
HOME = Path(battlesim.__file__).parent


@given(st.lists(st.floats(-1e9, 1e9)))
def test_numbers_are_added_from_first_to_last(numbers: list[float]) -> None:
    found = 0.0
    for number in numbers:
        found = found + number
    assert summed(numbers) == summed(iter(numbers)) == found
    assert found == pytest.approx(fsum(numbers), abs=1e-3)


def float_sums(name: str, agents: Iterable[str]) -> set[str]:
    """Where the built-in `sum`, which Python 3.12 made more exact, sums floats while agents play a scenario: in `ROOMS` alone."""
    plain, found = builtins.sum, set[str]()

    def watched(numbers: Iterable[Any], /, start: Any = 0) -> Any:
        some = list(numbers)
        result = plain(some, start)
        file = Path((code := sys._getframe(1).f_code).co_filename)
        if type(result) is float and len(some) > 1 and file.is_relative_to(HOME):
            place = file.relative_to(HOME)
            if place.parts[0] in ROOMS:
                found.add(f"{place}:{code.co_name}")
        return result

    builtins.sum = watched
    try:
        for agent in agents:
            play(load_scenario(name), (agent, agent), seed=5)
    finally:
        builtins.sum = plain
    return found


@pytest.mark.slow
@pytest.mark.parametrize("name", ["stairwell", "square", "drones", "watch-house", "skirmish", "firebreak"])
def test_no_player_depends_on_how_python_sums(name: str) -> None:
    """In a process of its own, where nothing has been summed yet."""
    agents = ["greedy", "quick", "planner,questions=40", "searcher,questions=40"]
    code = f"from tests.core.test_sums import float_sums; print(sorted(float_sums({name!r}, {agents})))"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout == "[]\n"
