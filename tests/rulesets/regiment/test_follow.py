"""Into a building after its garrison, and out of it (RG-RES-4, RG-HOUSE-ROOMS, RG-HOUSE-FLEE)."""

from __future__ import annotations

from typing import Any

import pytest

from battlesim.core.answers import Confirm
from battlesim.core.events import Rolled, Scored
from battlesim.core.state import Structure
from battlesim.rulesets.regiment.fight import Fight
from battlesim.rulesets.regiment.result import Overrun, Score
from battlesim.rulesets.regiment.rout import Flee, FollowIn, Rout, may_follow, may_pursue
from tests.rulesets.regiment.grounds import EAST, HOUSE, NORTH, ROW, TALL, WEST, house
from tests.rulesets.regiment.kit import Table, unit


def inside(attacker: str = "levy", board: Any = HOUSE, dice: Any = (), **more: Any) -> Table:
    """A broken garrison (unit 1) and its attacker before the west wall."""
    return Table(
        board,
        unit(attacker, at="g3.4", facing=EAST, foes={1: 0}),
        unit("spearmen", at="house.1:0", side=1, fleeing=True, foes={0: 0}, **more),
        dice=dice,
        phase=4,
    )


# ---- out of a building -----------------------------------------------------------------------------------------------


@pytest.mark.clause("RG-RES-4")
def test_a_garrison_is_caught_by_whoever_may_follow_in_and_does() -> None:
    table = inside()
    ask = table.do(Rout(1))
    assert isinstance(ask, FollowIn)
    table.say(Confirm(True))
    assert not table.unit(1).alive
    assert table.where(0) == "house.1:0"
    assert table.events(Rolled) == []  # no dice: automatically
    assert "RG-RES-4" in table.clauses()
    table.done()


@pytest.mark.clause("RG-RES-4")
def test_its_standard_is_captured_and_who_does_not_fit_is_lost() -> None:
    hut = house(own="{garrison: {capacity: 12}}")
    table = inside(board=hut, models=5)
    table.do(Rout(1))
    table.say(Confirm(True))
    assert {e.what for e in table.events(Scored)} == {"the standard of spearmen 1", "spearmen 1"}
    assert table.unit(0).models == 12
    table.done()


@pytest.mark.clause("RG-RES-4")
def test_a_garrison_nobody_follows_flees_out() -> None:
    table = inside(dice=[[2, 3]])
    table.do(Rout(1))
    table.say(Confirm(False))
    assert table.unit(1).own.fleeing
    assert HOUSE.spaces[table.unit(1).place].kind == "ground"
    assert table.unit(0).own.foes == ()
    table.done()


@pytest.mark.clause("RG-RES-4")
@pytest.mark.parametrize("kind", ["knights", "giant", "ogres", "chariot"])
def test_who_cannot_enter_can_neither_pursue_nor_overrun(kind: str) -> None:
    table = inside(kind, dice=[[2, 3]])
    assert table.do(Rout(1)) is None  # nobody is asked
    assert table.unit(1).alive
    assert table.where(0) == "g3.4"
    table.done()
    empty = Table(HOUSE, unit(kind, at="g3.4", facing=EAST))
    assert empty.do(Overrun(0, HOUSE.space("house.1:0"), HOUSE.space("g3.4"))) is None
    assert empty.where(0) == "g3.4"
    assert "RG-RES-4" in empty.clauses()


@pytest.mark.clause("RG-RES-4")
def test_monstrous_infantry_follows_where_it_has_room() -> None:
    table = inside("ogres", house(own="{garrison: {roomy: true}}"))
    assert isinstance(table.do(Rout(1)), FollowIn)


@pytest.mark.clause("RG-RES-4")
def test_nobody_pursues_from_inside_to_outside() -> None:
    table = Table(
        HOUSE,
        unit("levy", at="house.1:0", foes={1: 0}),
        unit("spearmen", at="g3.4", side=1, facing=EAST, fleeing=True, foes={0: 0}),
        dice=[[2, 3]],
        phase=4,
    )
    assert not may_pursue(table.state, HOUSE, table.unit(0), table.unit(1))
    assert table.do(Rout(1)) is None
    assert table.where(0) == "house.1:0"
    table.done()


@pytest.mark.clause("RG-RES-4", "RG-HOUSE-ROOMS")
def test_from_room_to_room_one_does() -> None:
    table = Table(
        ROW,
        unit("levy", at="row.r1:0", foes={1: 0}),
        unit("spearmen", at="row.r2:0", side=1, fleeing=True, foes={0: 0}),
        phase=4,
    )
    assert isinstance(table.do(Rout(1)), FollowIn)
    table.say(Confirm(True))
    assert table.where(0) == "row.r2:0"
    assert not table.unit(1).alive
    table.done()


@pytest.mark.clause("RG-RES-4")
def test_who_has_others_to_fight_does_not_follow() -> None:
    table = Table(
        HOUSE,
        unit("levy", at="g3.4", facing=EAST, foes={1: 0, 2: 0}),
        unit("spearmen", at="house.1:0", side=1, fleeing=True, foes={0: 0}),
        unit("levy", at="g2.4", side=1, facing=EAST, foes={0: 2}),
        dice=[[2, 3]],
        phase=4,
    )
    assert not may_follow(table.state, HOUSE, table.unit(0), table.room("house.1:0"), 1)
    assert table.do(Rout(1)) is None
    assert table.unit(1).alive


@pytest.mark.clause("RG-RES-4")
def test_one_room_is_taken_by_one_unit() -> None:
    table = Table(
        HOUSE,
        unit("levy", at="g3.4", facing=EAST, foes={2: 0}),
        unit("levy", at="g6.4", facing=WEST, foes={2: 0}),
        unit("spearmen", at="house.1:0", side=1, fleeing=True, foes={0: 0, 1: 0}),
        phase=4,
    )
    table.do(Rout(2))
    table.say(Confirm(True))  # the other is asked no more
    assert (table.where(0), table.where(1)) == ("house.1:0", "g6.4")
    assert table.ask is None
    table.done()


@pytest.mark.clause("RG-HOUSE-ROOMS")
def test_a_building_emptied_by_blows_may_be_overrun() -> None:
    table = Table(HOUSE, unit("levy", at="g3.4", facing=EAST), phase=4)
    ask = table.do(Overrun(0, HOUSE.space("house.1:0"), HOUSE.space("g3.4")))
    assert isinstance(ask, FollowIn)
    table.say(Confirm(True))
    assert table.where(0) == "house.1:0"
    assert {"RG-HOUSE-ROOMS", "RG-RES-4"} <= table.clauses()
    table.done()


@pytest.mark.clause("RG-HOUSE-FLEE")
def test_a_garrison_flees_out_where_enemies_are_fewest() -> None:
    """Enemies west and south: it leaves by the north-east."""
    table = Table(
        HOUSE,
        unit("knights", at="g3.4", facing=EAST),
        unit("knights", at="g4.2", facing=NORTH),
        unit("levy", at="house.1:0", side=1, fleeing=True),
        dice=[[1, 1]],
    )
    table.do(Flee(2))
    (out,) = table.happened("flees out")
    assert HOUSE.spaces[out.place].name in {"g6.5", "g6.6", "g5.6", "g6.4"}
    table.done()


@pytest.mark.clause("RG-HOUSE-FLEE")
def test_barred_all_round_it_flees_next_door_or_is_destroyed() -> None:
    names = ("g3.3", "g4.3", "g5.3", "g6.3", "g3.4", "g3.5", "g3.6", "g4.6", "g5.6", "g6.6", "g6.4", "g6.5")
    ring = [unit("levy", at=name) for name in names]
    tall = Table(TALL, *ring, unit("levy", at="house.1:0", side=1, fleeing=True))
    tall.do(Flee(12))
    assert tall.where(12) == "house.1:3"
    assert tall.unit(12).own.fleeing
    lone = Table(HOUSE, *ring, unit("levy", at="house.1:0", side=1, fleeing=True))
    lone.do(Flee(12))
    assert not lone.unit(12).alive
    for table in (tall, lone):
        assert table.events(Rolled) == []
        table.done()


RING = ("g3.3", "g4.3", "g5.3", "g6.3", "g3.4", "g3.5", "g3.6", "g4.6", "g5.6", "g6.6", "g6.4", "g6.5")


@pytest.mark.slow
@pytest.mark.clause("RG-HOUSE-FLEE", "RG-CAP-1")
def test_next_door_only_where_its_kind_may_be_and_without_who_does_not_fit() -> None:
    ring = [unit("levy", at=name) for name in RING]
    for own, alive, models in (
        ("{garrison: {upper: {capacity: 8}}}", True, 8),
        ("{garrison: {roomy: true}}", True, 4),
        ("{garrison: {roomy: true, upper: {roomy: false}}}", False, 0),
    ):
        kind = "ogres" if "roomy" in own else "levy"
        table = Table(
            house(own=own, floors=4),
            *ring,
            unit(kind, at="house.1:0", side=1, fleeing=True, models=4 if kind == "ogres" else 20),
        )
        table.do(Flee(12))
        assert (table.unit(12).alive, table.unit(12).models) == (alive, models)
        if alive:
            assert table.where(12) == "house.1:3"
        assert ("RG-MOVE-3" in table.clauses()) == (models == 8)
        assert table.events(Rolled) == []
        table.done()


@pytest.mark.clause("RG-HOUSE-FLEE")
def test_nor_into_a_room_that_is_held_or_closed() -> None:
    ring = [unit("levy", at=name) for name in RING]
    held = Table(
        TALL, *ring, unit("levy", at="house.1:0", side=1, fleeing=True), unit("levy", at="house.1:3", side=1)
    )
    held.do(Flee(12))
    assert not held.unit(12).alive
    burning = Table(
        TALL,
        *ring,
        unit("levy", at="house.1:0", side=1, fleeing=True),
        structures=[Structure(0, burning=True)],
    )
    burning.do(Flee(12))
    assert not burning.unit(12).alive


# ---- asked once ------------------------------------------------------------------------------------------------------


def stormed(dice: Any, *more: Any, models: int = 3) -> Table:
    """Levy that beat three of spearmen in a house by five, who break on their Ld: the whole result is worked off."""
    table = Table(
        HOUSE,
        unit("levy", at="g3.4", facing=EAST, foes={1: 0}, dealt=2),
        unit("spearmen", at="house.1:0", side=1, models=models, foes={0: 0}),
        *more,
        dice=dice,
        phase=4,
    )
    table.do(Score((0, 1), ((0, HOUSE.space("house.1:0")),)))
    return table


@pytest.mark.clause("RG-RES-4", "RG-HOUSE-ROOMS")
def test_who_lets_a_broken_garrison_go_is_not_asked_again_to_overrun() -> None:
    table = stormed([[6, 6], [2, 3]])
    assert isinstance(table.ask, FollowIn)
    assert table.ask.prey == 1
    table.say(Confirm(False))
    assert table.ask is None
    assert table.unit(1).alive
    assert (table.where(0), table.where(1)[:1]) == ("g3.4", "g")
    table.done()


@pytest.mark.clause("RG-RES-4")
def test_nor_where_it_finds_no_way_out() -> None:
    names = ("g3.3", "g4.3", "g5.3", "g6.3", "g3.5", "g3.6", "g4.6", "g5.6", "g6.6", "g6.4", "g6.5")
    table = stormed([[6, 6]], *[unit("levy", at=name) for name in names])
    table.say(Confirm(False))
    assert table.ask is None
    assert not table.unit(1).alive
    assert table.where(0) == "g3.4"
    table.done()


@pytest.mark.clause("RG-RES-4")
def test_of_a_broken_garrison_who_cannot_enter_is_told_so() -> None:
    table = inside("knights", dice=[[2, 3]])
    table.do(Rout(1))
    assert [(e.unit, e.clauses) for e in table.happened("stays out")] == [(0, ("RG-RES-4",))]


@pytest.mark.clause("RG-HOUSE-ROOMS")
def test_only_one_building_is_overrun() -> None:
    """Both rooms were emptied by blows; who has gone into the first does not go on into the second."""
    table = Table(ROW, unit("levy", at="g5.3", facing=NORTH), phase=4)
    rooms = [ROW.space(name) for name in ("row.r1:0", "row.r2:0")]
    table.do(Score((0,), tuple((0, place) for place in rooms)))
    table.say(Confirm(True))
    assert table.ask is None
    assert table.where(0) == "row.r1:0"
    table.done()
    table = Table(ROW, unit("levy", at="g5.3", facing=NORTH), phase=4)
    table.do(Score((0,), tuple((0, place) for place in rooms)))
    table.say(Confirm(False))
    table.say(Confirm(True))
    assert table.where(0) == "row.r2:0"
    table.done()


@pytest.mark.clause("RG-HOUSE-ROOMS")
def test_who_has_just_broken_in_next_door_does_not_overrun_what_others_empty() -> None:
    """The guard took its room in this phase and fights its new neighbours in the next; the swordsmen fight them now."""
    table = Table(
        ROW,
        unit("guard", at="row.r1:0", foes={1: 0}, charged=True),
        unit("levy", at="row.r2:0", side=1, models=1, foes={0: 0, 2: 0}),
        unit("swordsmen", at="g7.3", facing=NORTH, foes={1: 0}),
        dice=[[4] * 5, [4] * 5],
        phase=4,
        done=(0,),
    )
    table.do(Fight((1, 2)))
    assert isinstance(table.ask, FollowIn)
    assert table.ask.unit == 2
    table.say(Confirm(True))
    assert table.ask is None
    assert (table.where(0), table.where(2)) == ("row.r1:0", "row.r2:0")
    table.done()


@pytest.mark.clause("RG-HOUSE-ROOMS", "RG-HOUSE-AURA")
def test_a_character_overruns_for_a_unit_that_fell_as_it_emptied_the_building() -> None:
    """The captain misses; the last of the levy and the last of the spearmen kill each other."""
    table = Table(
        HOUSE,
        unit("levy", at="g3.4", facing=EAST, models=1, foes={1: 0}),
        unit("spearmen", at="house.1:0", side=1, models=1, foes={0: 0}),
        unit("captain", at="g3.4", joined=0),
        dice=[[1, 1, 1], [6], [6], [1], [6], [6]],
        phase=4,
    )
    table.do(Fight((0, 1)))
    assert isinstance(table.ask, FollowIn)
    assert table.ask.unit == 2
    table.say(Confirm(True))
    assert table.where(2) == "house.1:0"
    table.done()


@pytest.mark.clause("RG-HOUSE-ROOMS")
def test_a_character_with_a_unit_is_not_asked_besides_it() -> None:
    table = Table(
        HOUSE,
        unit("levy", at="g3.4", facing=EAST, models=2, foes={1: 0}),
        unit("spearmen", at="house.1:0", side=1, models=1, foes={0: 0}),
        unit("captain", at="g3.4", joined=0),
        dice=[[6, 1, 1], [6], [1]],
        phase=4,
    )
    table.do(Fight((0, 1)))
    assert isinstance(table.ask, FollowIn)
    assert table.ask.unit == 0
    table.say(Confirm(False))
    assert table.ask is None
    table.done()
