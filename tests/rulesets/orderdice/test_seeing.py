"""Who sees whom, and that a unit fires at one target (OD-HOUSE-SIGHT)."""

from __future__ import annotations

import pytest

from battlesim.board.board import Board
from battlesim.core.answers import TargetUnit
from battlesim.rulesets.orderdice.facts_fire import Shot
from battlesim.rulesets.orderdice.shoot import AtWhom
from battlesim.rulesets.orderdice.targets import can_shoot_at
from tests.rulesets.orderdice.grounds import HOUSE, ground, plain
from tests.rulesets.orderdice.kit import Table, can_see, fire, officer, unit

PLAIN = plain()
SHED = "  - {name: shed, rect: [32, 7, 38, 13], openings: [{kind: door, side: south}]}"
HOUSE_AND_SHED = ground((60, 20), HOUSE.replace("floors: 3", "floors: 2") + SHED)
HILL = plain("terrain: [{kind: hill, height: 5, polygon: [[8, 0], [12, 0], [12, 5], [8, 5]]}]")


def woods(depth: int) -> Board:
    """The strip with a wood so many inches deep."""
    return plain(f"terrain: [{{kind: woods, polygon: [[8, 0], [{8 + depth}, 0], [{8 + depth}, 5], [8, 5]]}}]")


# Buildings block sight below their roofs; so do hills, and woods more than 6 inches deep.
@pytest.mark.clause("OD-HOUSE-SIGHT")
@pytest.mark.parametrize(
    ("board", "at", "target", "seen"),
    [
        pytest.param(HOUSE_AND_SHED, "g29.10", "g40.10", False, id="through a shed"),
        pytest.param(HOUSE_AND_SHED, "g29.10", "g31.10", True, id="before the shed"),
        pytest.param(HOUSE_AND_SHED, "house.1:2", "g44.10", True, id="from the roof over the shed"),
        pytest.param(HILL, "g5.2", "g15.2", False, id="through a hill"),
        pytest.param(PLAIN, "g5.2", "g15.2", True, id="with no hill there"),
        pytest.param(woods(6), "g5.2", "g18.2", True, id="through 6 inches of woods"),
        pytest.param(woods(7), "g5.2", "g18.2", False, id="through 7 inches of woods"),
    ],
)
def test_what_blocks_sight(board: Board, at: str, target: str, seen: bool) -> None:
    assert can_see(board, at, target) is seen


@pytest.mark.clause("OD-HOUSE-SIGHT")
def test_units_do_not_block_sight() -> None:
    table = Table(
        PLAIN,
        officer("g2.2"),
        officer("g12.2", side=1),
        unit("rifle_section", at="g6.2"),
        unit("heavy_tank", at="g8.2", side=1),
    )
    assert can_shoot_at(table.state, PLAIN, table.unit(0), table.unit(1), False)


@pytest.mark.clause("OD-HOUSE-SIGHT")
def test_outside_buildings_a_unit_has_one_target() -> None:
    table = Table(
        PLAIN,
        officer("g20.2"),
        officer("g10.2", side=1, order="run"),
        officer("g30.2", side=1, order="run"),
        dice=[[1]],
    )
    ask = fire(table)
    assert isinstance(ask, AtWhom)
    assert table.legal == [TargetUnit(1), TargetUnit(2)]
    assert table.say(TargetUnit(2)) is None
    assert [shot.target for shot in table.events(Shot)] == [2]
    table.done()
