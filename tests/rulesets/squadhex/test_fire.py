"""Fire at units: needs, cover, casualties, halving, figures (SH-HOUSE-ATTACK, -NORMAL, -FIGURES, -COVER, -ACTIONS)."""

from __future__ import annotations

import pytest

from battlesim.core.answers import MoveTo, Order, Pass, Pick, TargetUnit
from battlesim.core.events import Happened, ModelsLost, Rolled
from battlesim.rulesets.squadhex import fire, ground, targets
from battlesim.rulesets.squadhex.data import TYPES
from battlesim.rulesets.squadhex.facts import Attacked
from tests.rulesets.squadhex.kit import Table, unit

NORMAL, SUPPRESSIVE = Order("normal"), Order("suppressive")


@pytest.mark.clause("SH-HOUSE-ATTACK")
@pytest.mark.parametrize(
    ("distance", "reach", "wanted"),
    [
        (0, 4, 4),
        (1, 4, 4),
        (2, 4, 5),
        (4, 4, 5),
        (5, 4, 6),
        (8, 4, 6),
        (9, 4, 7),
        (1, 1, 4),
        (2, 1, 6),
        (3, 1, 7),
        (1, 0, 7),
    ],
)
def test_what_attack_dice_need(distance: int, reach: int, wanted: int) -> None:
    assert fire.need(distance, reach) == wanted


@pytest.mark.parametrize("kind", TYPES)
def test_fire_over_a_distance_is_like_fire_over_the_longest_with_the_same_need(kind: str) -> None:
    for reach, far in zip(TYPES[kind].ranges, fire.as_far(kind), strict=True):
        assert len(far) == 2 * max(0, *TYPES[kind].ranges) + 1
        assert [fire.need(one, reach) for one in far] == [fire.need(at, reach) for at in range(len(far))]
        assert len(set(far)) <= 4


@pytest.mark.clause("SH-HOUSE-ATTACK", "SH-HOUSE-COVER")
def test_cover_dice() -> None:
    table = Table()
    for place, dice in (
        ("hall.high:1", 3),
        ("cottage.only:0", 3),  # an ordinary house
        ("hut.only:0", 2),  # lightly built
        ("hut.only:ruin", 2),
        ("g8.0", 2),
        ("g8.1", 2),
        ("g5.2", 0),
        ("g4.0", 0),
    ):
        assert ground.cover(table.board, table.place(place)) == dice, place


@pytest.mark.clause("SH-HOUSE-COVER")
def test_a_weakened_building_still_covers_with_three() -> None:
    from battlesim.core.state import Structure

    number = Table().section("hall.high")
    table = Table(
        unit("rifle_squad", at="g4.3"),
        unit("rifle_squad", at="hall.high:0", side=1),
        structures=[Structure(number, own={"weakened": True})],
    )
    assert fire.defence(table.state, table.board, table.unit(1)) == 3


@pytest.mark.clause("SH-HOUSE-ATTACK")
def test_cover_and_armour_add_up_and_cancel_on_five() -> None:
    table = Table(
        unit("anti_tank_gun", at="g8.4"),
        unit("medium_tank", at="g8.1", side=1),
        dice=[[6] * 5 + [1] * 3, [5, 6, 4, 1, 1, 1, 1]],
    )
    table.act(0, "fire")
    table.say(TargetUnit(1))  # a vehicle is never suppressed: no question how
    table.done()
    (event,) = table.events(Attacked)
    assert (event.dice, event.need, event.hits, event.cancelled, event.net) == (8, 5, 5, 2, 3)
    assert not table.unit(1).alive


@pytest.mark.clause("SH-HOUSE-NORMAL")
def test_each_net_hit_removes_a_figure() -> None:
    table = Table(unit("rifle_squad", at="g3.2"), unit("rifle_squad", at="g5.2", side=1), dice=[[5, 6, 4, 1]])
    table.act(0, "fire")
    table.say(TargetUnit(1), NORMAL)
    assert table.unit(1).models == 2
    assert "SH-HOUSE-NORMAL" in table.clauses()


@pytest.mark.clause("SH-HOUSE-NORMAL")
@pytest.mark.parametrize(("hits", "models"), [(1, 1), (2, 0), (4, 0)])
def test_vehicles_are_damaged_then_destroyed(hits: int, models: int) -> None:
    dice = [[6] * hits + [1] * (8 - hits), [1] * 5]
    table = Table(unit("anti_tank_gun", at="g5.2"), unit("medium_tank", at="g9.2", side=1), dice=dice)
    table.act(0, "fire")
    table.say(TargetUnit(1))
    assert table.unit(1).models == models
    assert bool([e for e in table.events(Happened) if e.what == "damaged"]) == (models == 1)


@pytest.mark.clause("SH-HOUSE-NORMAL")
def test_a_damaged_vehicle_has_half_its_firepower() -> None:
    table = Table(unit("medium_tank", at="g5.2", models=1), unit("rifle_squad", at="g9.2", side=1))
    assert fire.strength(table.board, table.unit(0), table.unit(1)) == 3  # half of 5, rounded up
    assert fire.strength_at_building(table.unit(0), 4) == 5  # half of 7 + 3


@pytest.mark.clause("SH-HOUSE-NORMAL", "SH-HOUSE-FIGURES", "SH-HOUSE-UNITS")
def test_squads_of_four_and_crews_of_two() -> None:
    for kind in TYPES.values():
        if not kind.vehicle:
            assert kind.strength == (2 if kind.crew else 4), kind.name
            assert len(kind.figures) == kind.strength


@pytest.mark.clause("SH-HOUSE-FIGURES", "SH-HOUSE-UNITS")
@pytest.mark.parametrize(
    ("kind", "models", "infantry", "vehicles"),
    [
        ("rifle_squad", 4, 4, 4),
        ("rifle_squad", 1, 1, 1),
        ("elite_squad", 4, 8, 4),
        ("mixed_squad", 4, 6, 4),
        ("mixed_squad", 3, 5, 3),  # the elite survive longest
        ("mixed_squad", 1, 2, 1),
        ("elite_officer_squad", 4, 7, 4),
        ("elite_officer_squad", 1, 1, 1),
        ("machine_gun_team", 2, 6, 2),
        ("machine_gun_squad", 4, 8, 4),
        ("mortar_squad", 4, 6, 6),
        ("tank_hunters", 4, 4, 8),
        ("engineers", 4, 8, 8),
        ("anti_tank_gun", 2, 4, 8),
        ("infantry_gun", 2, 6, 6),
        ("observer_team", 2, 0, 0),
        ("medium_tank", 2, 5, 7),
        ("medium_tank", 1, 5, 7),
        ("heavy_infantry_gun", 2, 6, 8),
    ],
)
def test_firepower_is_the_sum_of_living_figures(kind: str, models: int, infantry: int, vehicles: int) -> None:
    assert fire.firepower(kind, models, fire.INFANTRY) == infantry
    assert fire.firepower(kind, models, fire.VEHICLES) == vehicles


@pytest.mark.clause("SH-HOUSE-ACTIONS", "SH-HOUSE-SUPPRESS")
def test_halving_is_rounded_up_each_time() -> None:
    assert [fire.halved(n, 1) for n in (1, 2, 5, 10)] == [1, 1, 3, 5]
    assert fire.halved(7, 2) == 2
    table = Table(unit("mixed_squad", at="g3.2", models=3), unit("rifle_squad", at="g5.2", side=1))
    assert fire.strength(table.board, table.unit(0), table.unit(1)) == 5
    assert fire.strength(table.board, table.unit(0), table.unit(1), moved=True) == 3
    table.set_own(0, pinned=True)
    assert fire.strength(table.board, table.unit(0), table.unit(1), moved=True) == 2


@pytest.mark.clause("SH-TARGET-2")
def test_concussive_fire_adds_three_on_squads_in_buildings_only() -> None:
    table = Table(
        unit("medium_tank", at="g4.2"),
        unit("rifle_squad", at="hall.high:0", side=1),
        unit("rifle_squad", at="g5.0", side=1),
        unit("light_tank", at="g6.0", side=1),
        unit("heavy_infantry_gun", at="g3.2"),
    )
    dice = [fire.strength(table.board, table.unit(0), table.unit(n)) for n in (1, 2, 3)]
    assert dice == [8, 5, 7]
    assert fire.strength(table.board, table.unit(4), table.unit(1)) == 9  # its ability is for buildings
    ruins = Table(unit("medium_tank", at="g4.2"), unit("rifle_squad", at="hall.high:ruin", side=1))
    ruins.fell("hall.high")
    assert fire.strength(ruins.board, ruins.unit(0), ruins.unit(1)) == 5  # nothing stands there any more


@pytest.mark.clause("SH-HOUSE-ACTIONS")
def test_advance_and_fire() -> None:
    table = Table(unit("elite_squad", at="g3.2"), unit("rifle_squad", at="g6.2", side=1), dice=[[5, 1, 1, 1]])
    table.act(0, "advance_fire")
    table.say(MoveTo(table.place("g4.2")), TargetUnit(1), NORMAL)
    table.done()
    (event,) = table.events(Attacked)
    assert (event.dice, event.need, event.how) == (4, 5, "advance_fire")
    assert table.where(0) == "g4.2"


@pytest.mark.clause("SH-HOUSE-ACTIONS")
def test_concentrated_fire_at_a_squad() -> None:
    """The leader's dice and half of each supporter's; supporters within their own range only, and fresh."""
    table = Table(
        unit("rifle_squad", at="g3.2"),
        unit("rifle_squad", at="g4.1"),
        unit("machine_gun_team", at="g3.1"),
        unit("rifle_squad", at="g2.1", fresh=False),
        unit("rifle_squad", at="g0.0"),  # 5 away: beyond its range of 4
        unit("rifle_squad", at="g5.1", side=1),
        dice=[[6, 6] + [1] * 7],
    )
    table.act(0, "concentrated")
    table.say(TargetUnit(5))
    assert table.legal == [Pick(1), Pick(2)]
    table.say(Pick(1))
    table.say(Pick(2)) if Pick(2) in table.legal else None
    table.say(NORMAL)
    table.done()
    (event,) = table.events(Attacked)
    assert event.dice == 4 + 2 + 3
    assert [table.unit(n).own.fresh for n in range(3)] == [False, False, False]
    assert [e.unit for e in table.events(Happened) if e.what == "supports"] == [1, 2]


@pytest.mark.clause("SH-HOUSE-ACTIONS", "SH-HOUSE-ATTACK")
@pytest.mark.parametrize(("leader", "wanted"), [(0, 4), (1, 5)])
def test_the_leader_s_distance_says_what_all_the_dice_need(leader: int, wanted: int) -> None:
    table = Table(
        unit("rifle_squad", at="g5.1"),
        unit("rifle_squad", at="g5.0"),
        unit("rifle_squad", at="g5.2", side=1),
        dice=[[1] * 6],
    )
    table.act(leader, "concentrated")
    table.say(TargetUnit(2), NORMAL)
    table.done()
    assert table.events(Attacked)[0].need == wanted


@pytest.mark.clause("SH-HOUSE-ACTIONS")
def test_supporters_see_the_target_and_have_it_within_the_range_that_is_meant_for_it() -> None:
    table = Table(
        unit("medium_tank", at="g4.2"),
        unit("light_tank", at="g0.6"),  # too far from either
        unit("rifle_squad", at="g3.1"),  # 3 hexes: within 3 against infantry, beyond 2 against vehicles
        unit("anti_tank_gun", at="g1.1"),  # 5 hexes: beyond 4, within 8
        unit("rifle_squad", at="g6.1", side=1),
        unit("light_tank", at="g6.1", side=1),
        unit("machine_gun_team", at="g4.1", fresh=False, waits=True),  # who waits has acted
        unit("machine_gun_team", at="g4.1", disrupted=True),
    )
    found = [targets.supporters(table.state, table.board, table.unit(0), foe, -1) for foe in (4, 5)]
    assert found == [[2], [3]]
    table = Table(
        unit("medium_tank", at="g4.2"),
        unit("light_tank", at="g4.6"),  # 3 hexes, and the hall between
        unit("rifle_squad", at="g4.3", side=1),
    )
    assert targets.supporters(table.state, table.board, table.unit(0), 2, -1) == []


@pytest.mark.clause("SH-HOUSE-ACTIONS")
def test_a_pinned_supporter_adds_a_quarter() -> None:
    table = Table(
        unit("rifle_squad", at="g3.2"),
        unit("rifle_squad", at="g4.1", pinned=True),
        unit("rifle_squad", at="g5.1", side=1),
        dice=[[1] * 5],
    )
    table.act(0, "concentrated")
    table.say(TargetUnit(2), NORMAL)
    assert table.events(Attacked)[0].dice == 5
    assert "SH-HOUSE-SUPPRESS" in table.events(Attacked)[0].clauses


@pytest.mark.clause("SH-HOUSE-ACTIONS")
def test_actions_open_to_a_unit() -> None:
    table = Table(
        unit("rifle_squad", at="g3.2"),
        unit("rifle_squad", at="g4.2"),
        unit("rifle_squad", at="g5.1", side=1),
        unit("mortar_team", at="g2.2"),
        unit("observer_team", at="g1.1", shots=0),
        unit("medium_tank", at="g0.9"),
    )
    assert table.actions(0) == ["advance", "fire", "advance_fire", "concentrated", "opportunity"]
    assert table.actions(1) == ["advance", "fire", "advance_fire", "concentrated", "opportunity", "assault"]
    assert table.actions(3)[-2:] == ["bombard", "opportunity"]
    assert table.actions(4) == ["advance", "hold"]
    table.set_own(1, pinned=True)
    assert table.actions(1) == ["fire", "concentrated", "opportunity"]
    table.set_own(4, pinned=True)
    assert table.actions(4) == ["hold"]


@pytest.mark.clause("SH-HOUSE-ACTIONS", "SH-HOUSE-SUPPRESS")
def test_pinned_observers_need_not_bombard_their_own_building() -> None:
    table = Table(unit("observer_team", at="hut.only:0"), unit("rifle_squad", at="g0.0", side=1))
    assert table.actions(0) == ["advance", "bombard"]
    table.set_own(0, pinned=True)
    assert table.actions(0) == ["bombard", "hold"]
    table.act(0, "hold")
    table.done()
    assert table.unit(0).own.shots == 2


@pytest.mark.clause("SH-HOUSE-ATTACK")
def test_no_target_beyond_twice_the_range_or_out_of_sight() -> None:
    table = Table(
        unit("rifle_squad", at="g0.0"),
        unit("rifle_squad", at="g0.6", side=1),
        unit("rifle_squad", at="g0.7", side=1),
        unit("medium_tank", at="g5.2", side=1),  # 5 away, and twice its range against vehicles is 4
    )
    assert targets.units_at(table.state, table.board, table.unit(0)) == [1]


def test_fire_at_what_is_gone_does_nothing() -> None:
    from battlesim.rulesets.squadhex.attack import Attack

    table = Table(unit("rifle_squad", at="g3.2"), unit("rifle_squad", side=1))
    table.do(Attack(0, 1, "normal", "fire"))
    table.done()
    assert not table.events(Rolled)
    assert not table.events(ModelsLost)
    assert Pass()
