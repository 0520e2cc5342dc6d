"""What objectives make of the fall of a building: as much as the rules give for it, and no more."""

from __future__ import annotations

from itertools import permutations

import pytest

from battlesim.core.state import State, Structure
from battlesim.evaluation.objectives import section_points
from battlesim.rules.scenario import Objective
from battlesim.rules.victory import earned
from tests.rulesets.orderdice.kit import Table, unit

THREE = (1, 2, 3)


def ruins(sections: tuple[int, ...]) -> State:
    """A battle in which some sections have fallen."""
    state = Table("village", unit("rifle_section", at="g5.7")).state
    for section in sections:
        state.structures[section] = Structure(section, fallen=True)
    state.down = frozenset(sections)
    return state


def lead(goal: Objective, fallen: tuple[int, ...]) -> int:
    """By how much the first side is ahead, by the rules, once some sections have fallen."""
    first, second = earned(ruins(fallen), goal, -1)
    return first - second


@pytest.mark.parametrize("kind", ["destroy", "keep"])
@pytest.mark.parametrize("side", [0, 1])
def test_the_falls_of_several_sections_together_are_worth_what_the_rules_give_for_them(
    kind: str, side: int
) -> None:
    """In whatever order they fall; keeping them is lost with the first."""
    goal = Objective(kind, "the block", 4, side=side, sections=THREE)
    sign = 1 if side == 0 else -1
    for order in permutations(THREE):
        steps = [section_points((goal,), 0, section, order[:n]) for n, section in enumerate(order)]
        if kind == "destroy":
            assert steps == pytest.approx([sign * 4 / 3, sign * 2, sign * 4])
            assert steps[-1] == lead(goal, order) - lead(goal, order[:-1])
        else:
            assert steps == [lead(goal, order[: n + 1]) - lead(goal, order[:n]) for n in range(3)]
            assert steps == [-4 * sign, 0, 0]
        assert section_points((goal,), 0, order[0], order) == 0
