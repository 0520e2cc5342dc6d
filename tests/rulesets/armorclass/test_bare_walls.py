"""A wall laid bare by the fall of a neighbour is fired at, breached, seen and fired through like any other."""

from __future__ import annotations

import pytest

from battlesim.board.load import load_map
from battlesim.core.answers import TargetUnit
from battlesim.core.state import Structure
from battlesim.rulesets.armorclass import targets
from battlesim.rulesets.armorclass.line_of_sight import LineOfSight
from battlesim.rulesets.armorclass.model import Through
from tests.rulesets.armorclass.kit import Table, unit

BOARD = load_map("stairwell")
WEST, EAST = (BOARD.section(name) for name in ("house.west", "house.east"))
FALLEN, BREACHED = Structure(EAST, fallen=True), Structure(WEST, own={"breaches": [[0, 1]]})


@pytest.mark.clause("AC-HOUSE-STRUCT")
def test_a_bared_wall_is_fired_at_and_through_a_breach_in_it_both_sides_see() -> None:
    out, inside = BOARD.space("g8.3"), BOARD.space("house.west:0")
    for structures, wall, seen in (
        ([], False, False),
        ([BREACHED], False, False),
        ([FALLEN], True, False),
        ([FALLEN, BREACHED], True, True),
    ):
        table = Table(
            BOARD,
            unit("tank", at="g8.3", facing=4),
            unit("militia", at="house.west:0", side=1, detected=True),
            structures=structures,
        )
        found = targets.targets(table.state, BOARD, table.unit(0))
        assert (Through(1, 1) in found, TargetUnit(1) in found) == (wall, seen), structures
        look = LineOfSight(table.state, BOARD)
        assert [look.sees(out, inside), look.sees(inside, out), look.fires(inside, out)] == [seen] * 3
