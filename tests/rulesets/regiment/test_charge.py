"""Charges, reactions, contact (RG-ATT-1, RG-HOUSE-MOVE, RG-HOUSE-FORM, RG-HOUSE-ROOMS)."""

from __future__ import annotations

import pytest

from battlesim.core.answers import Order, Pass, TargetUnit
from battlesim.core.events import ModelsLost, Rolled, Scored
from battlesim.rulesets.regiment.charge import (
    ChargeWhom,
    Contact,
    React,
    can_charge,
    charge_targets,
    legal_react,
    route,
)
from battlesim.rulesets.regiment.facts import Charged
from battlesim.rulesets.regiment.facts_fire import Shot
from battlesim.rulesets.regiment.model import FLANK, FRONT, REAR
from battlesim.rulesets.regiment.turn import BOTH, waits
from tests.rulesets.regiment.grounds import EAST, FIELD, HOUSE, NORTH, ROW, SOUTH, TALL, WEST, field, house
from tests.rulesets.regiment.kit import Table, unit


def charge(table: Table, number: int, target: int) -> None:
    table.do(ChargeWhom(number, side=table.unit(number).side))
    table.say(TargetUnit(target))


@pytest.mark.clause("RG-HOUSE-MOVE")
def test_a_charge_goes_twice_m_to_ground_next_to_the_enemy() -> None:
    """Spearmen reach ten inches: nine to the place before an enemy twelve away, no more."""
    for at, reached in (("g6.2", True), ("g7.2", False)):
        table = Table(FIELD, unit("spearmen", at="g2.2"), unit("levy", at=at, side=1, facing=WEST))
        assert charge_targets(table.state, FIELD, table.unit(0)) == ([1] if reached else [])
    table = Table(FIELD, unit("spearmen", at="g2.2"), unit("levy", at="g6.2", side=1, facing=WEST))
    charge(table, 0, 1)
    table.say(Order("hold"))
    assert table.where(0) == "g5.2"
    assert table.unit(0).own.foes == ((1, FRONT),)
    assert table.unit(1).own.foes == ((0, FRONT),)
    assert table.unit(0).own.charged
    table.done()


@pytest.mark.clause("RG-HOUSE-MOVE")
def test_a_charge_is_no_longer_than_twice_m() -> None:
    """The one free place before the levy is ten inches and a quarter off."""
    for taken, found in ((("g5.2", "g5.4"), []), (("g5.4",), [1])):
        table = Table(
            FIELD,
            unit("spearmen", at="g2.2"),
            unit("levy", at="g6.3", side=1, facing=WEST),
            *[unit("cannon", at=place) for place in taken],
        )
        assert charge_targets(table.state, FIELD, table.unit(0)) == found


@pytest.mark.clause("RG-HOUSE-TRAITS")
@pytest.mark.parametrize(("at", "found"), [("g8.2", [1]), ("g9.2", [])])
def test_flyers_charge_as_far_as_they_fly(at: str, found: list[int]) -> None:
    """Twenty inches: 18 to the place before an enemy 21 off, not 21."""
    table = Table(FIELD, unit("harpies", at="g1.2"), unit("levy", at=at, side=1, facing=WEST))
    assert charge_targets(table.state, FIELD, table.unit(0)) == found


@pytest.mark.clause("RG-HOUSE-FLEE", "RG-HOUSE-MOVE")
@pytest.mark.parametrize(
    ("more", "may"),
    [({}, True), ({"fleeing": True}, False), ({"rallied": True}, False), ({"moved": "moved"}, False)],
)
def test_who_flees_has_just_rallied_or_has_moved_does_not_charge(more: dict[str, object], may: bool) -> None:
    table = Table(FIELD, unit("spearmen", at="g2.2", **more), unit("levy", at="g4.2", side=1, facing=WEST))
    assert can_charge(table.state, FIELD, table.unit(0)) == may


@pytest.mark.clause("RG-HOUSE-MOVE", "RG-HOUSE-FLEE")
def test_who_may_flee_from_a_charge() -> None:
    """No garrison, nobody in frenzy; who flees already flees on, who fights holds."""
    charger = unit("knights", at="g1.4")
    for foe, legal in (
        (unit("levy", at="g3.4", side=1, facing=WEST), ["hold", "flee"]),
        (unit("zealots", at="g3.4", side=1, facing=WEST), ["hold"]),
        (unit("levy", at="house.1:0", side=1), ["hold"]),
        (unit("archers", at="house.1:0", side=1), ["hold", "stand"]),
        (unit("archers", at="g3.4", side=1, facing=WEST, fleeing=True), ["flee"]),
        (unit("archers", at="g3.4", side=1, facing=WEST, foes={2: 0}), ["hold"]),
    ):
        table = Table(HOUSE, charger, foe, unit("levy", at="g3.3", foes={1: 1} if foe["foes"] else None))
        assert list(legal_react(table.state, HOUSE, React(1, 0, side=1))) == [Order(name) for name in legal]


@pytest.mark.clause("RG-HOUSE-MOVE")
def test_a_charger_that_panics_at_the_volley_does_not_come_into_contact() -> None:
    table = Table(
        FIELD,
        unit("levy", at="g2.6", models=4),
        unit("archers", at="g5.6", side=1, facing=WEST),
        dice=[[6, 6, 6, 6, 1, 1], [6, 1, 1, 1], [6, 6], [1, 1]],
    )
    charge(table, 0, 1)
    table.say(Order("stand"))
    assert table.unit(0).own.fleeing
    assert table.unit(0).own.foes == table.unit(1).own.foes == ()
    assert not table.happened("in contact")
    table.done()


@pytest.mark.clause("RG-HOUSE-FLEE")
def test_who_panicked_at_the_volley_flees_by_other_dice_when_the_shooters_charge_it() -> None:
    """By units both sides charge in one phase; no key of the dice occurs twice."""
    table = Table(
        FIELD,
        unit("levy", at="g4.4", models=8),
        unit("archers", at="g7.4", side=1, facing=WEST),
        dice=[[6] * 6, [6] * 6, [6, 6], [1, 1], [6, 6]],
        side=BOTH,
        by_unit=True,
    )
    charge(table, 0, 1)
    table.say(Order("stand"))
    assert table.unit(0).own.fleeing
    charge(table, 1, 0)
    keys = [(e.turn, e.actor, e.purpose, e.object, e.attempt) for e in table.events(Rolled)]
    assert len(keys) == len(dict.fromkeys(keys)) == 5
    table.done()


@pytest.mark.clause("RG-HOUSE-MOVE")
def test_who_charged_neither_moves_nor_shoots_in_that_turn() -> None:
    table = Table(FIELD, unit("archers", at="g2.6"), unit("levy", at="g4.6", side=1, facing=WEST))
    charge(table, 0, 1)
    table.say(Order("hold"))
    assert table.unit(0).own.moved == "charged"
    garrison = Table(ROW, unit("archers", at="row.r1:0"), unit("levy", at="row.r2:0", side=1))
    charge(garrison, 0, 1)
    assert garrison.unit(0).own.moved == "charged"


@pytest.mark.clause("RG-HOUSE-FORM")
def test_who_is_charged_is_seen_before_the_front() -> None:
    behind = Table(FIELD, unit("spearmen", at="g4.2", facing=WEST), unit("levy", at="g6.2", side=1))
    assert charge_targets(behind.state, FIELD, behind.unit(0)) == []
    hidden = Table(HOUSE, unit("knights", at="g3.4"), unit("levy", at="g6.5", side=1))
    assert charge_targets(hidden.state, HOUSE, hidden.unit(0)) == []


@pytest.mark.clause("RG-HOUSE-FORM")
@pytest.mark.parametrize(("facing", "arc"), [(WEST, FRONT), (EAST, REAR), (NORTH, FLANK), (SOUTH, FLANK)])
def test_a_charge_strikes_the_side_it_began_in(facing: int, arc: int) -> None:
    table = Table(FIELD, unit("spearmen", at="g2.6"), unit("levy", at="g5.6", side=1, facing=facing))
    charge(table, 0, 1)
    table.say(Order("hold"))
    assert table.unit(1).own.foes == ((0, arc),)
    assert table.events(Charged)[0].arc == arc
    table.done()


@pytest.mark.clause("RG-HOUSE-FORM")
@pytest.mark.parametrize(("taken", "found"), [(("g4.5", "g4.6", "g4.7"), []), (("g4.5", "g4.6"), [0])])
def test_a_side_that_is_full_is_not_charged(taken: tuple[str, ...], found: list[int]) -> None:
    """West of a giant that faces west are three places; the fourth charger finds none, though its flanks are in reach."""
    table = Table(
        FIELD,
        unit("giant", at="g5.6", side=1, facing=WEST),
        unit("knights", at="g2.6"),
        *[unit("levy", at=place) for place in taken],
    )
    assert charge_targets(table.state, FIELD, table.unit(1)) == found


@pytest.mark.clause("RG-HOUSE-FLEE")
@pytest.mark.parametrize("friends", [("g5.4",), ("g5.3", "g5.4", "g5.5")])
def test_who_fled_behind_friends_is_run_down_if_the_charger_reaches_it_around_them(
    friends: tuple[str, ...],
) -> None:
    """It was seen as the charge was declared; then only the way counts."""
    table = Table(
        FIELD,
        unit("levy", at="g3.4", facing=EAST),
        unit("levy", at="g6.4", side=1, facing=EAST, fleeing=True),
        *(unit("levy", at=at, side=1, facing=WEST) for at in friends),
    )
    table.do(Contact(0, 1))
    assert table.unit(1).alive == (len(friends) > 1)
    assert len(table.happened("falls short")) == (len(friends) > 1)


@pytest.mark.clause("RG-HOUSE-MOVE")
def test_the_charged_hold_stand_and_shoot_or_flee() -> None:
    def table(kind: str, **more: object) -> Table:
        return Table(
            FIELD,
            unit("spearmen", at="g2.6"),
            unit(kind, at="g5.6", side=1, facing=WEST, **more),
            dice=[[1] * 6],
        )  # type: ignore[arg-type]

    archers = table("archers")
    charge(archers, 0, 1)
    assert isinstance(archers.ask, React)
    assert archers.legal == [Order("hold"), Order("stand"), Order("flee")]
    archers.say(Order("stand"))
    assert [event.shots for event in archers.events(Shot)] == [6]
    assert archers.unit(0).own.charged
    archers.done()
    levy = table("levy")
    charge(levy, 0, 1)
    assert levy.legal == [Order("hold"), Order("flee")]
    engaged = Table(
        FIELD,
        unit("spearmen", at="g2.6"),
        unit("levy", at="g6.6", foes={2: 0}),
        unit("archers", at="g5.6", side=1, facing=EAST, foes={1: 0}),
    )
    charge(engaged, 0, 2)
    assert engaged.ask is None  # it holds, whatever it would
    engaged.done()


@pytest.mark.clause("RG-HOUSE-MOVE")
def test_who_flees_far_enough_is_not_reached_and_the_charge_goes_m_inches() -> None:
    table = Table(
        FIELD, unit("spearmen", at="g2.6"), unit("levy", at="g5.6", side=1, facing=WEST), dice=[[4, 5]]
    )
    charge(table, 0, 1)
    table.say(Order("flee"))
    assert table.unit(1).own.fleeing
    assert table.where(1) == "g8.6"
    assert table.where(0) == "g3.6"  # five inches of three
    assert table.unit(0).own.foes == ()
    table.done()


@pytest.mark.clause("RG-HOUSE-FLEE")
def test_one_flees_from_who_charges_not_from_all() -> None:
    """Other enemies stand where it runs to."""
    table = Table(
        FIELD,
        unit("spearmen", at="g2.6"),
        unit("levy", at="g5.6", side=1, facing=WEST),
        unit("levy", at="g12.2"),
        unit("levy", at="g12.10"),
        dice=[[4, 5]],
    )
    charge(table, 0, 1)
    table.say(Order("flee"))
    assert table.where(1) == "g8.6"
    table.done()


@pytest.mark.clause("RG-HOUSE-FLEE")
def test_who_flees_and_is_reached_is_destroyed() -> None:
    table = Table(
        FIELD, unit("spearmen", at="g2.6"), unit("spearmen", at="g5.6", side=1, facing=WEST), dice=[[1, 2]]
    )
    charge(table, 0, 1)
    table.say(Order("flee"))
    assert not table.unit(1).alive
    assert [event.what for event in table.events(Scored)] == ["the standard of spearmen 1", "spearmen 1"]
    assert [event.how for event in table.events(ModelsLost)] == ["run down"]
    table.done()


@pytest.mark.clause("RG-HOUSE-TRAITS")
def test_frenzy_must_charge() -> None:
    table = Table(FIELD, unit("zealots", at="g2.6"), unit("levy", at="g4.6", side=1, facing=WEST))
    table.do(ChargeWhom(0, side=0))  # nothing to choose: it charges
    assert isinstance(table.ask, React)
    free = Table(FIELD, unit("spearmen", at="g2.6"), unit("levy", at="g4.6", side=1, facing=WEST))
    free.do(ChargeWhom(0, side=0))
    assert free.legal == [Pass(), TargetUnit(1)]


@pytest.mark.clause("RG-HOUSE-TRAITS")
def test_the_large_are_seen_over_units() -> None:
    for kind, seen in (("levy", []), ("giant", [2])):
        table = Table(
            FIELD,
            unit("knights", at="g2.6"),
            unit("levy", at="g4.6"),
            unit(kind, at="g6.6", side=1, facing=WEST),
        )
        assert charge_targets(table.state, FIELD, table.unit(0)) == seen


# ---- buildings -------------------------------------------------------------------------------------------------------


@pytest.mark.clause("RG-ATT-1")
def test_attackers_charge_into_contact_with_the_outline_of_the_building() -> None:
    """From the south they end before the south wall, whatever part of it: its whole outline is the garrison's position."""
    table = Table(HOUSE, unit("spearmen", at="g4.1", facing=NORTH), unit("levy", at="house.1:0", side=1))
    charge(table, 0, 1)
    assert table.where(0) == "g4.3"
    assert table.unit(0).own.foes == ((1, FRONT),)
    assert "RG-ATT-1" in table.clauses()
    table.done()


@pytest.mark.clause("RG-ATT-1")
def test_several_units_touch_one_wall_and_corners_are_straight() -> None:
    table = Table(
        HOUSE,
        unit("spearmen", at="g4.1", facing=NORTH),
        unit("spearmen", at="g5.1", facing=NORTH),
        unit("spearmen", at="g6.1", facing=NORTH),
        unit("levy", at="house.1:0", side=1),
    )
    for number in range(3):
        charge(table, number, 3)
    assert [table.where(n) for n in range(3)] == ["g4.3", "g5.3", "g6.3"]
    assert table.unit(3).own.foes == ((0, 0), (1, 0), (2, 0))
    table.done()


@pytest.mark.clause("RG-PART-2", "RG-ATT-1")
def test_an_upper_floor_is_attacked_from_outside_by_flyers_only() -> None:
    table = Table(
        TALL,
        unit("knights", at="g1.4"),
        unit("harpies", at="g1.5"),
        unit("levy", at="house.1:3", side=1),
    )
    assert charge_targets(table.state, TALL, table.unit(0)) == []
    assert charge_targets(table.state, TALL, table.unit(1)) == [2]
    charge(table, 1, 2)
    assert table.where(1) in {"g3.5", "g3.4"}
    table.done()


@pytest.mark.clause("RG-HOUSE-ROOMS")
def test_garrisons_side_by_side_fight_once_one_begins_in_its_charge_phase() -> None:
    table = Table(ROW, unit("spearmen", at="row.r1:0"), unit("levy", at="row.r2:0", side=1))
    assert not waits(table.state, ROW, table.unit(0), 4)
    assert can_charge(table.state, ROW, table.unit(0))
    table.do(ChargeWhom(0, side=0))
    assert table.legal == [Pass(), TargetUnit(1)]
    table.say(TargetUnit(1))
    assert table.unit(0).own.charged
    assert table.unit(0).own.foes == ((1, FRONT),)
    assert waits(table.state, ROW, table.unit(1), 4)
    assert table.where(0) == "row.r1:0"
    table.done()


@pytest.mark.clause("RG-HOUSE-FLEE", "RG-HOUSE-ROOMS")
def test_who_flees_next_door_is_run_down_by_the_garrison_that_falls_upon_it() -> None:
    table = Table(ROW, unit("spearmen", at="row.r1:0"), unit("spearmen", at="row.r2:0", side=1, fleeing=True))
    charge(table, 0, 1)
    assert not table.unit(1).alive
    assert [e.what for e in table.events(Scored)] == ["the standard of spearmen 1", "spearmen 1"]
    mine = table.unit(0).own
    assert (mine.foes, mine.charged, table.where(0)) == ((), False, "row.r1:0")
    table.done()


@pytest.mark.clause("RG-HOUSE-MOVE")
def test_engines_and_the_engaged_do_not_charge() -> None:
    table = Table(
        FIELD,
        unit("cannon", at="g2.6"),
        unit("spearmen", at="g2.2", foes={2: 0}),
        unit("levy", at="g3.2", side=1, facing=WEST, foes={1: 0}),
        unit("levy", at="g4.6", side=1, facing=WEST),
    )
    assert not can_charge(table.state, FIELD, table.unit(0))
    assert not can_charge(table.state, FIELD, table.unit(1))


@pytest.mark.clause("RG-HOUSE-TERRAIN")
def test_a_charge_over_rough_ground_is_half_as_long() -> None:
    rough = field("terrain: [{kind: rough, rect: [7, 0, 18, 36]}]")
    for board, found in ((FIELD, [1]), (rough, [])):
        table = Table(board, unit("spearmen", at="g2.2"), unit("levy", at="g6.2", side=1, facing=WEST))
        assert charge_targets(table.state, board, table.unit(0)) == found


def test_a_charge_that_is_offered_can_be_moved() -> None:
    table = Table(
        house(), unit("light_horse", at="g1.1", facing=1), unit("levy", at="g6.6", side=1, facing=WEST)
    )
    for number in charge_targets(table.state, table.board, table.unit(0)):
        assert route(table.state, table.board, table.unit(0), table.unit(number)) is not None
