"""Suppression and recovery, close combat (SH-HOUSE-SUPPRESS, SH-HOUSE-ASSAULT)."""

from __future__ import annotations

from typing import Any

import pytest

from battlesim.core.answers import Confirm, MoveTo, Order, TargetUnit
from battlesim.core.events import Happened, Rolled
from battlesim.rulesets.squadhex import fire, morale
from battlesim.rulesets.squadhex.assault import Fight, assaultable
from battlesim.rulesets.squadhex.facts import Attacked, Fought
from battlesim.rulesets.squadhex.morale import FallBack
from tests.rulesets.squadhex.kit import Table, unit

SUPPRESSIVE = Order("suppressive")


def needed(table: Table) -> int:
    """What unit 0 must roll to recover."""
    return morale.recovers_on(table.board, table.unit(0), morale.officers(table.state, table.unit(0).side))


@pytest.mark.clause("SH-HOUSE-SUPPRESS")
@pytest.mark.parametrize(
    ("net", "pinned", "disrupted", "routed"),
    [
        (0, False, False, False),
        (1, True, False, False),
        (2, True, False, False),
        (3, False, True, False),
        (4, False, True, True),
        (6, False, True, True),
    ],
)
def test_what_net_hits_do(net: int, pinned: bool, disrupted: bool, routed: bool) -> None:
    table = Table(
        unit("elite_squad", at="g5.0"),
        unit("rifle_squad", at="g5.2", side=1),
        dice=[[6] * net + [1] * (8 - net)],
    )
    table.act(0, "fire")
    table.say(TargetUnit(1), SUPPRESSIVE)
    target = table.unit(1)
    assert (target.own.pinned, target.own.disrupted, target.models) == (pinned, disrupted, 4)
    assert bool(table.ask) == routed
    if routed:
        names = {table.board.spaces[a.place].name for a in table.legal if isinstance(a, MoveTo)}
        assert names == {"g4.3", "g5.3", "g6.3"}  # away from the fire


@pytest.mark.clause("SH-HOUSE-SUPPRESS")
def test_the_disrupted_take_no_action_and_no_longer_wait() -> None:
    table = Table(
        unit("elite_squad", at="g5.0"),
        unit("rifle_squad", at="g5.2", side=1, fresh=False, waits=True),
        dice=[[6] * 3 + [1] * 5],
    )
    table.act(0, "fire")
    table.say(TargetUnit(1), SUPPRESSIVE)
    assert not table.unit(1).own.waits
    from battlesim.rulesets.squadhex.model import can_act

    table.set_own(1, fresh=True)
    assert not can_act(table.unit(1))


@pytest.mark.clause("SH-HOUSE-SUPPRESS")
@pytest.mark.parametrize(("net", "told", "disrupted"), [(2, [], False), (3, ["disrupted"], True)])
def test_the_pinned_are_disrupted_like_others_and_not_pinned_again(
    net: int, told: list[str], disrupted: bool
) -> None:
    table = Table(unit("rifle_squad", at="g5.2", pinned=True))
    morale.suppress(table.r, table.unit(0), net, table.place("g5.0"))
    assert [event.what for event in table.events(Happened)] == told
    assert (table.unit(0).own.pinned, table.unit(0).own.disrupted) == (True, disrupted)


@pytest.mark.clause("SH-HOUSE-SUPPRESS")
def test_vehicles_are_not_suppressed() -> None:
    table = Table(unit("elite_squad", at="g5.1"), unit("light_tank", at="g5.2", side=1), dice=[[1] * 4])
    table.act(0, "fire")
    table.say(TargetUnit(1)) if table.ask else None
    assert table.events(Attacked)[0].mode == "normal"
    morale.suppress(table.r, table.unit(1), 6, 0)
    assert not table.unit(1).own.disrupted


@pytest.mark.clause("SH-HOUSE-SUPPRESS")
def test_a_rout_goes_to_another_floor_or_away_and_else_the_unit_is_removed() -> None:
    table = Table(unit("rifle_squad", at="hall.high:1"), unit("elite_squad", at="g4.2", side=1))
    table.do(FallBack(0, table.unit(1).place, ("SH-HOUSE-SUPPRESS",)))
    assert table.where(0) == "hall.high:0"  # the only way down
    table = Table(
        unit("rifle_squad", at="hall.high:1"),
        unit("rifle_squad", at="hall.high:0"),
        unit("elite_squad", at="g4.2", side=1),
    )
    table.do(FallBack(0, table.unit(2).place, ("SH-HOUSE-SUPPRESS",)))
    assert not table.unit(0).alive
    assert [e.what for e in table.events(Happened)] == ["cut off"]


@pytest.mark.clause("SH-HOUSE-SUPPRESS")
def test_a_rout_never_goes_nearer_nor_sideways() -> None:
    table = Table(unit("rifle_squad", at="g5.2"), unit("rifle_squad", at="g5.0", side=1))
    found = morale.ways_back(table.state, table.board, table.unit(0), table.unit(1).place)
    distances = {fire.hexes(table.board).between(place, table.unit(1).place) for place in found}
    assert distances == {3}


@pytest.mark.clause("SH-HOUSE-SUPPRESS")
def test_fire_from_the_same_house_drives_floor_by_floor() -> None:
    table = Table(
        unit("rifle_squad", at="hall.tower:1"),
        unit("rifle_squad", at="hall.tower:0", side=1),
        unit("rifle_squad", at="hall.tower:2", side=1),
    )

    def back(origin: str, **gone: int) -> list[str]:
        for number in gone.values():
            table.r.lose(table.unit(number), 4, "fire")
        found = morale.ways_back(table.state, table.board, table.unit(0), table.place(origin))
        return [table.board.spaces[place].name for place in found]

    assert back("hall.tower:0") == []  # up is taken
    assert back("hall.tower:0", upper=2) == ["hall.tower:2"]
    assert back("hall.tower:2", lower=1) == ["hall.tower:0"]


@pytest.mark.clause("SH-HOUSE-SUPPRESS")
def test_recovery_on_four_and_beside_an_officer_on_three() -> None:
    def wanted(*officers: str, **own: bool) -> int:
        table = Table(
            unit("rifle_squad", at="g5.2", disrupted=True),
            *(unit("officer_squad", at=at, **own) for at in officers),
        )
        return needed(table)

    assert wanted() == 4
    assert wanted("g5.1") == 3
    assert wanted("g5.2") == 3
    assert wanted("g5.0") == 4
    assert wanted("g5.1", disrupted=True) == 4
    table = Table(unit("rifle_squad", at="g5.2", disrupted=True), unit("officer_squad", at="g5.1", side=1))
    assert needed(table) == 4
    table = Table(unit("officer_squad", at="g5.2", disrupted=True))
    assert needed(table) == 4


@pytest.mark.clause("SH-HOUSE-SUPPRESS")
@pytest.mark.parametrize(("face", "recovers"), [(3, False), (4, True)])
def test_the_roll(face: int, recovers: bool) -> None:
    table = Table(unit("rifle_squad", at="g5.2", disrupted=True), dice=[face])
    morale.recover(table.r, table.unit(0), needed(table))
    assert table.unit(0).own.disrupted != recovers


# ---- assault -----------------------------------------------------------------------------------------------------------


def fight(
    mine: str, theirs: str, *dice: list[int], at: str = "g5.2", foe_at: str = "g5.3", **own: bool
) -> Table:
    table = Table(unit(mine, at=at), unit(theirs, at=foe_at, side=1, **own), dice=dice)
    table.do(Fight(0, 1))
    return table


@pytest.mark.clause("SH-HOUSE-ASSAULT", "SH-HOUSE-FIGURES")
def test_both_roll_at_once_and_the_side_with_fewer_left_withdraws() -> None:
    """Four dice each, 4+, no cover in the house; two against one lost: the defenders leave and the assaulters take the place."""
    table = fight("rifle_squad", "rifle_squad", [4, 5, 3, 3], [4, 3, 3, 3], at="g4.3", foe_at="hall.high:0")
    assert [roll.purpose for roll in table.events(Rolled)] == ["assault", "defence"]
    assert [roll.need for roll in table.events(Rolled)] == [4, 4]
    (event,) = table.events(Fought)
    assert (event.inflicted, event.lost, event.won) == (2, 1, True)
    assert type(table.ask).__name__ == "WhereBack"
    table.say(MoveTo(table.place("hall.high:1")))
    table.done()
    assert (table.where(0), table.where(1)) == ("hall.high:0", "hall.high:1")
    assert (table.unit(0).models, table.unit(1).models) == (3, 2)


@pytest.mark.clause("SH-HOUSE-ASSAULT")
@pytest.mark.parametrize("theirs", [[4, 1, 1, 1], [4, 4, 1, 1]])
def test_beaten_assaulters_withdraw_one_hex_and_so_they_do_on_a_tie(theirs: list[int]) -> None:
    table = fight("rifle_squad", "rifle_squad", [4, 1, 1, 1], theirs)
    assert not table.events(Fought)[0].won
    assert isinstance(table.ask, morale.WhereBack)
    assert table.ask.side == 0
    grid = fire.hexes(table.board)
    places = [a.place for a in table.legal if isinstance(a, MoveTo)]
    assert {grid.between(place, table.place("g5.2")) for place in places} == {1}
    assert table.place("g5.3") not in places  # there the defenders are
    table.say(MoveTo(table.place("g5.1")))
    table.done()
    assert (table.where(0), table.where(1)) == ("g5.1", "g5.3")


@pytest.mark.clause("SH-HOUSE-ASSAULT")
@pytest.mark.parametrize("won", [False, True])
def test_the_loser_withdraws_in_any_direction_even_past_the_victor(won: bool) -> None:
    """Unlike a rout it need not lead away: two of the hexes beside the loser lie beside the victor as well."""
    dice = ([4, 1, 1, 1], [1] * 4) if won else ([1] * 4, [4, 1, 1, 1])
    table = fight("rifle_squad", "rifle_squad", *dice, at="g5.2", foe_at="g5.3")
    assert isinstance(table.ask, morale.WhereBack)
    assert table.ask.unit == int(won)
    grid, beaten, victor = fire.hexes(table.board), "g5.3" if won else "g5.2", "g5.2" if won else "g5.3"
    places = [a.place for a in table.legal if isinstance(a, MoveTo)]
    assert {grid.between(place, table.place(beaten)) for place in places} == {1}
    beside = {grid.of[p] for p in places if grid.between(p, table.place(victor)) == 1}
    assert len(beside) == 2
    assert len({grid.of[p] for p in places}) == 5  # all round but where the victor is


@pytest.mark.clause("SH-HOUSE-ASSAULT")
def test_assaulters_beaten_upstairs_withdraw_a_floor() -> None:
    table = fight("rifle_squad", "rifle_squad", [1] * 4, [1] * 4, at="hall.tower:1", foe_at="hall.tower:0")
    table.done()  # the roof is the only way
    assert (table.where(0), table.where(1)) == ("hall.tower:2", "hall.tower:0")


@pytest.mark.clause("SH-HOUSE-ASSAULT")
def test_beaten_assaulters_who_cannot_withdraw_are_removed() -> None:
    """Upstairs, with the defenders on the one stair."""
    table = fight("rifle_squad", "rifle_squad", [1] * 4, [4, 1, 1, 1], at="hall.high:1", foe_at="hall.high:0")
    table.done()
    assert not table.unit(0).alive
    assert (table.where(1), table.unit(1).models) == ("hall.high:0", 4)
    assert [event.what for event in table.events(Happened)] == ["thrown back", "cut off"]


@pytest.mark.clause("SH-HOUSE-ASSAULT")
@pytest.mark.parametrize(("mine", "theirs", "won"), [(4, 2, True), (2, 4, False), (2, 3, False)])
def test_figures_left_decide_not_losses(mine: int, theirs: int, won: bool) -> None:
    """The assaulters take one and lose none: two against the three left of four is a defeat, against two left of three a tie."""
    table = Table(
        unit("rifle_squad", at="g5.2", models=mine),
        unit("rifle_squad", at="g5.3", side=1, models=theirs),
        dice=[[4] + [1] * (mine - 1), [1] * theirs],
    )
    table.do(Fight(0, 1))
    (event,) = table.events(Fought)
    assert (event.inflicted, event.lost, event.won) == (1, 0, won)


@pytest.mark.clause("SH-HOUSE-ASSAULT")
def test_casualties_are_removed_together() -> None:
    table = fight("rifle_squad", "rifle_squad", [4] * 4, [4] * 4)
    table.done()
    assert not table.unit(0).alive
    assert not table.unit(1).alive


@pytest.mark.clause("SH-HOUSE-ASSAULT")
def test_a_loser_who_cannot_withdraw_is_removed() -> None:
    table = Table(
        unit("rifle_squad", at="hall.high:0"),
        unit("rifle_squad", at="hall.high:1", side=1),
        dice=[[4, 4, 1, 1], [1] * 4],
    )
    table.do(Fight(0, 1))
    table.done()
    assert not table.unit(1).alive
    assert table.where(0) == "hall.high:1"


@pytest.mark.clause("SH-HOUSE-ASSAULT", "SH-HOUSE-FIGURES")
def test_against_a_vehicle_firepower_against_vehicles_and_armour() -> None:
    table = fight("tank_hunters", "light_tank", [4] * 4 + [1] * 4, [5, 6, 1, 1], [6, 1, 1, 1])
    table.say(*list(table.legal[:1])) if table.ask else None
    assert [roll.purpose for roll in table.events(Rolled)] == ["assault", "armour", "defence"]
    (event,) = table.events(Fought)
    assert (event.inflicted, event.lost, event.won) == (2, 1, True)
    assert not table.unit(1).alive


@pytest.mark.clause("SH-HOUSE-SUPPRESS")
def test_the_disrupted_strike_no_blow_and_the_pinned_half() -> None:
    table = Table(unit("rifle_squad", at="g5.2"), unit("elite_squad", at="g5.3", side=1))
    assert fire.close_firepower(table.unit(1), table.unit(0)) == 8
    table.set_own(1, pinned=True)
    assert fire.close_firepower(table.unit(1), table.unit(0)) == 4
    table.set_own(1, disrupted=True)
    assert fire.close_firepower(table.unit(1), table.unit(0)) == 0


@pytest.mark.clause("SH-HOUSE-ASSAULT", "SH-HOUSE-SUPPRESS", "SH-HOUSE-NORMAL")
@pytest.mark.parametrize(
    ("foe", "dice", "named"),
    [
        (unit("rifle_squad", at="g5.3", side=1), [[1] * 4, [1] * 4], []),
        (unit("rifle_squad", at="g5.3", side=1, pinned=True), [[1] * 4, [1] * 2], ["SH-HOUSE-SUPPRESS"]),
        (unit("rifle_squad", at="g5.3", side=1, disrupted=True), [[1] * 4], ["SH-HOUSE-SUPPRESS"]),
        (unit("light_tank", at="g5.3", side=1, models=1), [[1] * 4, [1] * 2], ["SH-HOUSE-NORMAL"]),
    ],
)
def test_what_weakens_the_blows_of_a_defender_is_named(
    foe: dict[str, Any], dice: list[list[int]], named: list[str]
) -> None:
    table = Table(unit("rifle_squad", at="g5.2"), foe, dice=dice)
    table.do(Fight(0, 1))
    (told,) = table.events(Fought)
    assert [clause for clause in ("SH-HOUSE-SUPPRESS", "SH-HOUSE-NORMAL") if clause in told.clauses] == named


@pytest.mark.clause("SH-HOUSE-ASSAULT")
def test_who_can_be_assaulted() -> None:
    table = Table(
        unit("rifle_squad", at="hall.high:0"),
        unit("rifle_squad", at="hall.high:1", side=1),
        unit("rifle_squad", at="g4.3", side=1),
        unit("rifle_squad", at="hall.tower:0", side=1),  # no door leads there
        unit("rifle_squad", at="g4.2", side=1),
        unit("medium_tank", at="g5.3"),
        unit("observer_team", at="g5.3"),
        unit("rifle_squad", at="g5.3"),
    )
    assert assaultable(table.state, table.board, table.unit(0)) == [1, 2]
    assert assaultable(table.state, table.board, table.unit(5)) == []  # vehicles fight at a distance
    assert assaultable(table.state, table.board, table.unit(6)) == []  # nothing to strike with
    assert assaultable(table.state, table.board, table.unit(7)) == [2]  # whom both of these would reach
    table.set_own(0, pinned=True)
    assert assaultable(table.state, table.board, table.unit(0)) == []


@pytest.mark.clause("SH-HOUSE-ASSAULT", "SH-HOUSE-ACTIONS")
def test_those_who_wait_fire_at_the_assaulters_first() -> None:
    table = Table(
        unit("rifle_squad", at="g5.2"),
        unit("rifle_squad", at="g5.3", side=1, fresh=False, waits=True),
        dice=[[6, 1, 1, 1]],
    )
    table.act(0, "assault")  # the only one in reach
    assert type(table.ask).__name__ == "Interrupt"
    table.say(Confirm(True), SUPPRESSIVE)
    table.done()
    assert table.unit(0).own.pinned
    assert not table.events(Fought)


@pytest.mark.clause("SH-HOUSE-ASSAULT", "SH-HOUSE-SUPPRESS")
def test_assaulters_disrupted_on_the_way_strike_no_blow() -> None:
    table = Table(
        unit("rifle_squad", at="g5.2"),
        unit("rifle_squad", at="g5.3", side=1, fresh=False, waits=True),
        dice=[[6, 6, 6, 1]],
    )
    table.act(0, "assault")
    table.say(Confirm(True), SUPPRESSIVE)
    table.done()
    assert (table.unit(0).own.disrupted, table.unit(0).own.pinned) == (True, False)
    assert not table.events(Fought)


@pytest.mark.clause("SH-HOUSE-ASSAULT", "SH-HOUSE-STACK")
def test_others_in_the_place_keep_it() -> None:
    table = Table(
        unit("rifle_squad", at="g5.2"),
        unit("rifle_squad", at="g5.3", side=1),
        unit("rifle_squad", at="g5.3", side=1),
        dice=[[4] * 4, [1] * 4],
    )
    table.do(Fight(0, 1))
    table.done()
    assert not table.unit(1).alive
    assert table.where(0) == "g5.2"


@pytest.mark.clause("SH-HOUSE-ASSAULT", "SH-HOUSE-STACK")
def test_in_the_same_ruins_the_loser_leaves_them() -> None:
    table = Table(
        unit("rifle_squad", at="hall.high:ruin"),
        unit("rifle_squad", at="hall.high:ruin", side=1),
        dice=[[1] * 4, [4, 1, 1, 1]],
    )
    table.fell("hall.high")
    assert assaultable(table.state, table.board, table.unit(0)) == [1]
    table.do(Fight(0, 1))
    assert type(table.ask).__name__ == "WhereBack"
    table.say(table.legal[0])
    assert table.where(0) != "hall.high:ruin"
    assert table.where(1) == "hall.high:ruin"
