"""Flight and pursuit in the open (RG-HOUSE-FLEE, RG-HOUSE-RESULT, RG-HOUSE-RANKS, RG-RES-4)."""

from __future__ import annotations

from typing import Any

import pytest

from battlesim.core.answers import Confirm
from battlesim.core.events import ModelsLost, Scored
from battlesim.core.state import Structure
from battlesim.rulesets.regiment.result import Score
from battlesim.rulesets.regiment.rout import Flee, Pursue, Rout, dice_of, may_follow, may_pursue
from tests.rulesets.regiment.grounds import EAST, FIELD, HOUSE, NORTH, ROW, SOUTH, WEST, row
from tests.rulesets.regiment.kit import Table, unit


def in_the_open(one: str = "levy", two: str = "spearmen", dice: Any = ()) -> Table:
    return Table(
        FIELD,
        unit(one, at="g4.4", facing=EAST, foes={1: 0}),
        unit(two, at="g5.4", side=1, facing=WEST, fleeing=True, foes={0: 0}),
        dice=dice,
        phase=4,
    )


# ---- in the open -----------------------------------------------------------------------------------------------------


@pytest.mark.clause("RG-HOUSE-RESULT")
@pytest.mark.parametrize(
    ("fled", "pursued", "alive"), [((3, 3), (3, 2), True), ((3, 3), (3, 3), False), ((1, 1), (6, 6), False)]
)
def test_pursuit_destroys_when_it_reaches(
    fled: tuple[int, int], pursued: tuple[int, int], alive: bool
) -> None:
    table = in_the_open(dice=[fled, pursued])
    assert isinstance(table.do(Rout(1)), Pursue)
    table.say(Confirm(True))
    assert table.unit(1).alive == alive
    if not alive:
        assert [e.what for e in table.events(Scored)] == ["the standard of spearmen 1", "spearmen 1"]
    assert table.where(0) == (
        "g8.4" if pursued == (6, 6) else "g5.4" if alive else "g6.4"
    )  # it went after them
    table.done()


@pytest.mark.clause("RG-HOUSE-RESULT")
def test_the_winner_may_hold() -> None:
    table = in_the_open(dice=[[1, 1]])
    table.do(Rout(1))
    table.say(Confirm(False))
    assert table.unit(1).alive
    assert table.where(0) == "g4.4"
    assert table.unit(0).own.foes == table.unit(1).own.foes == ()
    table.done()


@pytest.mark.clause("RG-HOUSE-RANKS", "RG-HOUSE-FLEE")
def test_pursuers_roll_the_dice_that_a_fleeing_unit_of_their_m_would() -> None:
    table = in_the_open("knights", "spearmen", dice=[[6, 6], [3, 3, 3]])
    table.do(Rout(1))
    table.say(Confirm(True))
    assert table.unit(1).alive
    table.done()
    table = in_the_open("levy", "light_horse", dice=[[2, 2, 2], [3, 3]])
    table.do(Rout(1))
    table.say(Confirm(True))
    assert not table.unit(1).alive
    table.done()


@pytest.mark.clause("RG-HOUSE-FLEE", "RG-HOUSE-RANKS")
@pytest.mark.parametrize(("kind", "dice"), [("harpies", 2), ("drake", 2), ("knights", 3), ("ogres", 2)])
def test_m_says_how_many_dice_who_flies_or_not(kind: str, dice: int) -> None:
    assert dice_of(Table(FIELD, unit(kind, at="g4.4")).unit(0)) == dice


@pytest.mark.clause("RG-HOUSE-FLEE")
def test_flight_leads_straight_away_and_off_the_table_is_lost() -> None:
    table = Table(
        FIELD, unit("levy", at="g4.4"), unit("levy", at="g6.4", side=1, fleeing=True), dice=[[4, 2]]
    )
    table.do(Flee(1, 0))
    assert table.where(1) == "g8.4"
    table.done()
    off = Table(
        FIELD, unit("levy", at="g11.4"), unit("levy", at="g13.4", side=1, fleeing=True), dice=[[4, 2]]
    )
    off.do(Flee(1, 0))
    assert not off.unit(1).alive
    assert [e.how for e in off.events(ModelsLost)] == ["fled off the table"]
    off.done()


@pytest.mark.clause("RG-HOUSE-FLEE")
def test_characters_flee_and_die_with_their_unit() -> None:
    table = Table(
        FIELD,
        unit("levy", at="g4.4"),
        unit("levy", at="g6.4", side=1, fleeing=True),
        unit("captain", at="g6.4", side=1, joined=1),
        dice=[[4, 2]],
    )
    table.do(Flee(1, 0))
    assert table.where(2) == "g8.4"
    table.done()
    off = Table(
        FIELD,
        unit("levy", at="g11.4"),
        unit("levy", at="g13.4", side=1, fleeing=True),
        unit("captain", at="g13.4", side=1, joined=1),
        dice=[[4, 2]],
    )
    off.do(Flee(1, 0))
    assert not off.unit(2).alive
    off.done()


@pytest.mark.clause("RG-MOVE-1")
def test_flight_goes_round_houses() -> None:
    table = Table(
        HOUSE,
        unit("knights", at="g4.8", facing=SOUTH),
        unit("levy", at="g4.6", side=1, fleeing=True),
        dice=[[6, 5]],
    )
    table.do(Flee(1, 0))
    assert HOUSE.spaces[table.unit(1).place].kind == "ground"
    table.done()


# ---- pursued once ----------------------------------------------------------------------------------------------------


@pytest.mark.clause("RG-HOUSE-RESULT")
@pytest.mark.parametrize("first", [True, False])
def test_who_has_pursued_one_pursues_no_other(first: bool) -> None:
    """Two units flee from one: it is asked for the first and, where it let that go, for the second."""
    table = Table(
        FIELD,
        unit("levy", at="g4.4", facing=EAST, foes={1: 0, 2: 0}),
        unit("levy", at="g5.4", side=1, facing=WEST, fleeing=True, foes={0: 0}),
        unit("levy", at="g5.5", side=1, facing=WEST, fleeing=True, foes={0: 0}),
        dice=[[6, 6], [1, 1], [6, 6]] if first else [[6, 6], [6, 6], [1, 1]],
        phase=4,
    )
    table.do(Rout(1), Rout(2))
    assert table.ask == Pursue(0, 1, stood=FIELD.space("g4.4"), side=0)
    table.say(Confirm(first))
    if not first:
        assert isinstance(table.ask, Pursue)
        assert table.ask.prey == 2
        table.say(Confirm(True))
    assert table.ask is None
    assert len(table.happened("pursues")) == 1
    assert [table.unit(n).own.foes for n in range(3)] == [(), (), ()]
    table.done()


@pytest.mark.clause("RG-HOUSE-FLEE")
def test_who_breaks_second_flees_from_where_the_enemy_fought_though_that_one_has_pursued_the_first() -> None:
    """Not from the middle of all enemies, who may be far behind it."""
    table = Table(
        FIELD,
        unit("giant", at="g4.4", facing=EAST, foes={1: 0, 2: 0}, dealt=9),
        unit("levy", at="g5.4", side=1, facing=WEST, foes={0: 0}),
        unit("levy", at="g5.5", side=1, facing=WEST, foes={0: 0}),
        unit("levy", at="g14.5", facing=WEST),
        dice=[[6, 5], [6, 5], [1, 5], [6, 6], [3, 3]],
        phase=4,
    )
    table.do(Score((0, 1, 2), ()))
    table.say(Confirm(True))
    assert table.where(0) == "g8.4"
    assert table.where(2) == "g6.6"
    table.done()


@pytest.mark.clause("RG-RES-4")
def test_who_has_followed_into_one_room_follows_into_no_other() -> None:
    table = Table(
        ROW,
        unit("levy", at="g5.3", facing=NORTH, foes={1: 0, 2: 0}),
        unit("spearmen", at="row.r1:0", side=1, fleeing=True, foes={0: 0}),
        unit("spearmen", at="row.r2:0", side=1, fleeing=True, foes={0: 0}),
        dice=[[1, 2]],
        phase=4,
    )
    table.do(Rout(1), Rout(2))
    table.say(Confirm(True))
    assert table.ask is None
    assert (table.where(0), table.unit(1).alive, table.unit(2).alive) == ("row.r1:0", False, True)
    assert table.unit(0).own.foes == ()
    table.done()


# ---- who does not, and where to --------------------------------------------------------------------------------------


@pytest.mark.clause("RG-HOUSE-RESULT", "RG-HOUSE-CREW")
def test_engines_do_not_pursue_nor_who_flees_himself() -> None:
    for kind, more, may in (("levy", {}, True), ("levy", {"fleeing": True}, False), ("cannon", {}, False)):
        table = Table(
            FIELD,
            unit(kind, at="g4.4", foes={1: 0}, **more),
            unit("spearmen", at="g5.4", side=1, facing=WEST, fleeing=True, foes={0: 0}),
        )
        assert may_pursue(table.state, FIELD, table.unit(0), table.unit(1)) == may


@pytest.mark.clause("RG-RES-4")
def test_one_follows_only_where_one_touches_and_never_in_flight() -> None:
    three = row("{}", "{}", "{}")
    for at, more, names in (
        ("row.r1:0", {}, {"row.r2:0"}),
        ("g5.3", {}, {"row.r1:0", "row.r2:0"}),
        ("g5.2", {}, set()),
        ("g5.3", {"fleeing": True}, set()),
    ):
        table = Table(three, unit("levy", at=at, **more))
        found = {
            name
            for name in ("row.r1:0", "row.r2:0", "row.r3:0")
            if name != at and may_follow(table.state, three, table.unit(0), table.room(name), -1)
        }
        assert found == names


@pytest.mark.clause("RG-RES-4")
def test_nobody_follows_into_a_house_on_fire() -> None:
    table = Table(
        HOUSE,
        unit("levy", at="g3.4", facing=EAST, foes={1: 0}),
        unit("spearmen", at="house.1:0", side=1, fleeing=True, foes={0: 0}),
        dice=[[2, 3]],
        structures=[Structure(0, burning=True)],
    )
    assert table.do(Rout(1)) is None
    assert table.unit(1).alive
    assert table.where(0) == "g3.4"
    table.done()


@pytest.mark.clause("RG-HOUSE-FLEE")
def test_with_no_enemy_about_flight_is_to_the_rear() -> None:
    table = Table(FIELD, unit("levy", at="g6.6", facing=EAST, fleeing=True), dice=[[3, 3]])
    table.do(Flee(0))
    assert table.where(0) == "g4.6"
    table.done()


@pytest.mark.clause("RG-HOUSE-FLEE")
@pytest.mark.parametrize(
    ("at", "enemy"), [("g6.10", "g6.8"), ("g6.1", "g6.3"), ("g1.6", "g3.6"), ("g13.6", "g11.6")]
)
def test_off_the_table_is_lost_on_every_side(at: str, enemy: str) -> None:
    table = Table(FIELD, unit("levy", at=enemy), unit("levy", at=at, side=1, fleeing=True), dice=[[4, 2]])
    table.do(Flee(1, 0))
    assert not table.unit(1).alive
    table.done()


@pytest.mark.clause("RG-HOUSE-FLEE")
@pytest.mark.parametrize(("dice", "place"), [((5, 4), "g9.4"), ((6, 6), "g10.4"), ((1, 1), "g6.4")])
def test_flight_goes_as_far_as_the_dice_say_and_no_further(dice: tuple[int, int], place: str) -> None:
    table = Table(FIELD, unit("levy", at="g4.4"), unit("levy", at="g6.4", side=1, fleeing=True), dice=[dice])
    table.do(Flee(1, 0))
    assert table.where(1) == place
    table.done()
