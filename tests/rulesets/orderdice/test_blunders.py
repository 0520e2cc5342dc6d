"""Blunders (OD-HOUSE-MORALE, OD-HOUSE-NERVE)."""

from __future__ import annotations

import pytest

from battlesim.core.answers import Confirm
from battlesim.core.events import Placed
from battlesim.rulesets.orderdice.ambush import Interrupt
from battlesim.rulesets.orderdice.facts import Ordered
from battlesim.rulesets.orderdice.facts_fire import Shot
from battlesim.rulesets.orderdice.model import unit_state
from battlesim.rulesets.orderdice.react import GoDown
from tests.rulesets.orderdice.grounds import ground, house, plain
from tests.rulesets.orderdice.kit import FAR, Table, give, pinned, unit

PLAIN = plain()


# ---- blunders --------------------------------------------------------------------------------------------------------

BLUNDER = [6, 6]


@pytest.mark.clause("OD-HOUSE-MORALE")
@pytest.mark.parametrize("face", [1, 2])
def test_1_and_2_fire_at_the_nearest_friend_in_sight(face: int) -> None:
    table = Table(
        PLAIN,
        unit("officer", at="g5.2", pins=1),
        unit("officer", at="g25.2", order="run"),
        unit("officer", at="g15.2", order="run"),
        FAR,
        dice=[BLUNDER, [face], [1]],
    )
    give(table)
    assert [shot.target for shot in table.events(Shot)] == [2]
    assert unit_state(table.unit(0)).order == "fire"
    table.done()


@pytest.mark.clause("OD-HOUSE-MORALE")
def test_the_friend_shot_at_may_go_down() -> None:
    table = Table(
        PLAIN,
        unit("officer", at="g5.2", pins=1),
        unit("officer", at="g15.2"),
        FAR,
        dice=[BLUNDER, [1], [4]],
    )
    give(table)
    assert isinstance(table.ask, GoDown)
    assert table.ask.side == 0
    table.say(Confirm(True))
    assert unit_state(table.unit(1)).order == "down"
    assert table.events(Shot)[0].need == 6  # 3, one pin, Down
    table.done()


@pytest.mark.clause("OD-HOUSE-NERVE")
def test_with_no_friend_in_sight_it_goes_down() -> None:
    table = Table(
        ground(
            (40, 20), "terrain:\n  - {kind: hill, height: 5, polygon: [[18, 0], [22, 0], [22, 20], [18, 20]]}"
        ),
        unit("officer", at="g5.2", pins=1),
        unit("officer", at="g30.2"),
        unit("officer", at="g10.2", side=1),  # an enemy is no friend
        dice=[BLUNDER, [2]],
    )
    give(table)
    assert unit_state(table.unit(0)).order == "down"
    assert table.events(Shot) == []
    table.done()


@pytest.mark.clause("OD-HOUSE-MORALE")
@pytest.mark.parametrize("face", [3, 4, 5, 6])
def test_3_to_6_run_from_the_nearest_enemy(face: int) -> None:
    table = Table(
        PLAIN,
        unit("officer", at="g30.2", pins=1),
        unit("officer", at="g20.2", side=1),
        unit("officer", at="g60.2", side=1),
        dice=[BLUNDER, [face]],
    )
    give(table)
    assert unit_state(table.unit(0)).order == "run"
    x, _ = table.board.spaces[table.unit(0).place].point
    assert x > 3_500  # away from the nearer, towards the other, but no nearer to it than to the first
    table.done()


@pytest.mark.clause("OD-HOUSE-REACT")
def test_an_ambush_may_interrupt_a_blunderers_run() -> None:
    table = Table(
        PLAIN,
        unit("officer", at="g30.2", pins=1),
        unit("officer", at="g20.2", side=1, order="ambush"),
        dice=[BLUNDER, [3]],
    )
    give(table)
    assert isinstance(table.ask, Interrupt)


@pytest.mark.clause("OD-HOUSE-NERVE")
@pytest.mark.parametrize("face", [1, 4])
def test_a_blundering_unit_inside_a_building_goes_down(face: int) -> None:
    table = Table(
        house(),
        unit("officer", at="house.1:0", pins=1),
        unit("officer", at="g10.10"),
        unit("officer", at="g40.10", side=1),
        dice=[BLUNDER, [face]],
    )
    give(table)
    assert unit_state(table.unit(0)).order == "down"
    assert table.events(Placed) == []
    assert table.events(Shot) == []
    table.done()


@pytest.mark.clause("OD-HOUSE-NERVE")
def test_a_gun_cannot_run_from_its_blunder_and_goes_down() -> None:
    table = Table(PLAIN, unit("light_at_gun", at="g30.2", pins=1), FAR, dice=[BLUNDER, [5]])
    give(table)
    assert unit_state(table.unit(0)).order == "down"
    table.done()


@pytest.mark.clause("OD-HOUSE-NERVE", "OD-ENTER-2")
def test_a_blunderer_does_not_run_into_a_building() -> None:
    for x in range(12, 20):
        table = Table(
            house(),
            unit("officer", at=f"g{x}.10", pins=1),
            unit("officer", at="g1.10", side=1),
            dice=[BLUNDER, [6]],
        )
        give(table)
        assert table.board.spaces[table.unit(0).place].kind == "ground"


@pytest.mark.clause("OD-HOUSE-MORALE")
def test_a_blunder_keeps_its_pins() -> None:
    table = pinned(2, dice=[BLUNDER, [5]])
    give(table)
    assert unit_state(table.unit(0)).pins == 2
    assert [e.why for e in table.events(Ordered)] == ["given", "blunder"]
