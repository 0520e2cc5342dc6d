"""Fire at buildings: who counts, whom it means, the roll, what falls (SH-ATTACK, SH-ELIG, SH-TARGET, SH-ROLL, SH-DEST, SH-EX)."""

from __future__ import annotations

import pytest

from battlesim.core.answers import Order, TargetSpace, TargetUnit
from battlesim.core.events import Rolled, StructureSet
from battlesim.core.state import Structure
from battlesim.rulesets.squadhex import fire, targets
from battlesim.rulesets.squadhex.buildings import AttackBuilding
from battlesim.rulesets.squadhex.facts import Attacked, BuildingAttacked
from battlesim.rulesets.squadhex.model import closed
from tests.rulesets.squadhex.kit import Table, unit

NO, YES = 1, 6


def dice(hits: int, of: int) -> list[int]:
    return [YES] * hits + [NO] * (of - hits)


# ---- the roll ----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("SH-DEST-1", "SH-DEST-2", "SH-DEST-3")
@pytest.mark.parametrize(
    ("top", "weakened", "needed"),
    [(0, False, 6), (1, False, 9), (2, False, 12), (0, True, 3), (1, True, 5), (2, True, 6)],
)
def test_required_hits(top: int, weakened: bool, needed: int) -> None:
    assert fire.required(top, weakened) == needed


@pytest.mark.clause("SH-DEST-1", "SH-DEST-2", "SH-DEST-3")
@pytest.mark.parametrize(
    ("house", "weakened", "net", "comes"),
    [
        ("hut.only", False, 2, "stands"),
        ("hut.only", False, 3, "weakens"),
        ("hut.only", False, 5, "weakens"),
        ("hut.only", False, 6, "falls"),
        ("hut.only", True, 2, "stands"),
        ("hut.only", True, 3, "falls"),
        ("hall.high", False, 4, "stands"),
        ("hall.high", False, 5, "weakens"),
        ("hall.high", False, 8, "weakens"),
        ("hall.high", False, 9, "falls"),
        ("hall.high", True, 4, "stands"),
        ("hall.high", True, 5, "falls"),
        ("hall.tower", False, 5, "stands"),
        ("hall.tower", False, 6, "weakens"),
        ("hall.tower", False, 11, "weakens"),
        ("hall.tower", False, 12, "falls"),
        ("hall.tower", True, 5, "stands"),
        ("hall.tower", True, 6, "falls"),
    ],
)
def test_what_comes_of_net_hits(house: str, weakened: bool, net: int, comes: str) -> None:
    at = {"hut.only": "g8.3", "hall.high": "g4.2", "hall.tower": "g4.7"}[house]
    table = Table(unit("heavy_infantry_gun", at=at), dice=[dice(net, 14), [NO] * 3])
    number = table.section(house)
    if weakened:
        table.state.structures[number] = Structure(number, own={"weakened": True})
    table.do(AttackBuilding(0, number, "fire"))
    table.done()
    (event,) = table.events(BuildingAttacked)
    assert (event.net, event.comes) == (net, comes)
    standing = table.state.structures.get(number, Structure(number))
    assert standing.fallen == (comes == "falls")
    assert bool(standing.own.get("weakened")) == (weakened or comes == "weakens")


@pytest.mark.clause("SH-ROLL-1", "SH-HOUSE-COVER")
def test_three_dice_of_the_walls_cancel_on_five_and_six() -> None:
    """Whatever the house is built of: SH-HOUSE-COVER lets a light one cover less, not stand worse."""
    for house, at in (("hut.only", "g8.3"), ("hall.high", "g4.2")):
        table = Table(unit("heavy_infantry_gun", at=at), dice=[dice(6, 14), [4, 5, 6]])
        table.do(AttackBuilding(0, table.section(house), "fire"))
        (event,) = table.events(BuildingAttacked)
        assert (event.hits, event.cancelled, event.net) == (6, 2, 4)
        assert [roll.need for roll in table.events(Rolled)] == [5, 5]


@pytest.mark.clause("SH-DEST-1")
def test_hits_of_two_attacks_are_not_added() -> None:
    table = Table(
        unit("heavy_infantry_gun", at="g8.3"),
        unit("heavy_infantry_gun", at="g9.3"),
        dice=[dice(2, 14), [NO] * 3, dice(2, 14), [NO] * 3],
    )
    number = table.section("hut.only")
    table.do(AttackBuilding(0, number, "fire"), AttackBuilding(1, number, "fire"))
    assert [event.comes for event in table.events(BuildingAttacked)] == ["stands", "stands"]
    assert not table.events(StructureSet)


@pytest.mark.clause("SH-DEST-2")
def test_a_weakened_house_stays_as_closed_as_it_was() -> None:
    table = Table(unit("heavy_infantry_gun", at="g1.5"), dice=[dice(4, 14), [NO] * 3])
    vault = table.section("vault.only")
    table.do(AttackBuilding(0, vault, "fire"))
    assert table.events(BuildingAttacked)[0].comes == "weakens"
    assert vault in closed(table.state)


@pytest.mark.clause("SH-DEST-1", "SH-SCEN-1")
def test_nothing_is_rolled_at_what_has_fallen_nor_by_who_is_gone() -> None:
    table = Table(unit("assault_gun", at="g8.3"), unit("assault_gun"))
    hut = table.section("hut.only")
    table.do(AttackBuilding(1, hut, "fire"))
    table.fell("hut.only")
    table.do(AttackBuilding(0, hut, "fire"))
    table.done()
    assert not table.r.log


@pytest.mark.clause("SH-DEST-4")
def test_only_the_hex_aimed_at_falls() -> None:
    table = Table(
        unit("rifle_squad", at="hall.low:0", side=1),
        unit("heavy_infantry_gun", at="g4.2"),
        dice=[dice(9, 14), [NO] * 3],
    )
    table.do(AttackBuilding(1, table.section("hall.high"), "fire"))
    table.done()
    fallen = [s.section for s in table.state.structures.values() if s.fallen]
    assert fallen == [table.section("hall.high")]
    assert table.where(0) == "hall.low:0"
    assert not table.unit(0).own.pinned
    assert "SH-DEST-4" in table.clauses()


# ---- who may -----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("SH-ELIG-1")
@pytest.mark.parametrize(
    ("kind", "distance", "counted"),
    [
        ("rifle_squad", 1, 0),
        ("elite_squad", 1, 0),
        ("mixed_squad", 1, 0),
        ("officer_squad", 1, 0),
        ("elite_officer_squad", 1, 0),
        ("machine_gun_team", 1, 0),
        ("machine_gun_squad", 1, 0),
        ("mortar_team", 2, 4),
        ("mortar_squad", 2, 4),  # its two riflemen are left out
        ("infantry_gun", 5, 6),
        ("anti_tank_gun", 8, 8),
        ("tank_hunters", 3, 8),
        ("tank_hunters", 4, 0),
        ("engineers", 3, 8),
        ("engineers", 4, 0),
        ("medium_tank", 6, 7),
        ("heavy_infantry_gun", 5, 8),
    ],
)
def test_whose_firepower_counts(kind: str, distance: int, counted: int) -> None:
    assert fire.eligible(kind, fire.TYPES[kind].strength, distance) == counted


@pytest.mark.clause("SH-ELIG-1")
def test_the_dead_count_no_longer() -> None:
    assert fire.eligible("mortar_squad", 1, 2) == 2
    assert fire.eligible("tank_hunters", 3, 2) == 6


@pytest.mark.clause("SH-ELIG-1", "SH-ROLL-2")
def test_a_bonus_needs_something_that_counts() -> None:
    """Engineers have eight and three within 3 hexes; beyond, their concussive charges reach no farther than the rest of them."""
    engineers = Table(unit("engineers", at="g8.3")).unit(0)
    assert [fire.strength_at_building(engineers, n) for n in (3, 4)] == [11, 0]


@pytest.mark.clause("SH-ELIG-1", "SH-TARGET-1")
def test_squads_are_offered_no_building_unless_specialised() -> None:
    def houses(kind: str, at: str) -> list[int]:
        table = Table(unit(kind, at=at))
        return targets.buildings_at(table.state, table.board, table.unit(0))

    for kind in ("rifle_squad", "elite_squad", "officer_squad", "machine_gun_team"):
        assert houses(kind, "g8.4") == []
    hut = Table().section("hut.only")
    assert hut in houses("tank_hunters", "g8.2")  # 3 hexes
    assert hut not in houses("tank_hunters", "g8.1")  # 4 hexes, within twice its range
    assert hut in houses("medium_tank", "g9.1")


@pytest.mark.clause("SH-ELIG-1")
def test_what_is_left_out_is_named() -> None:
    table = Table(unit("mortar_squad", at="g8.3"), dice=[[NO] * 4])
    table.do(AttackBuilding(0, table.section("hut.only"), "fire"))
    assert "SH-ELIG-1" in table.clauses()
    table = Table(unit("medium_tank", at="g8.3"), dice=[[NO] * 10])
    table.do(AttackBuilding(0, table.section("hut.only"), "fire"))
    assert "SH-ELIG-1" not in table.clauses()


@pytest.mark.clause("SH-ATTACK-2")
def test_a_building_must_be_in_range_and_in_sight() -> None:
    table = Table(
        unit("assault_gun", at="g4.1"), unit("armoured_car", at="g0.0"), unit("light_tank", at="g0.0")
    )

    def seen(number: int) -> list[str]:
        found = targets.buildings_at(table.state, table.board, table.unit(number))
        return [table.board.sections[section].name for section in found]

    assert "hall.high" in seen(0)
    assert "hall.tower" not in seen(0)  # the roof before it hides it
    table.fell("hall.high")
    assert "hall.tower" in seen(0)
    assert "hut.only" not in seen(1)  # 9 hexes away, and twice its range is 8
    assert "hut.only" in seen(2)  # twice the range of 5
    assert "hall.high" not in seen(0)  # it has fallen


@pytest.mark.clause("SH-ATTACK-2")
def test_a_building_is_seen_by_any_of_its_floors() -> None:
    """Past the hall's lower hex only the top of the tower shows; past the higher one nothing of it does."""
    tower = Table().section("hall.tower")
    for at, seen in (("g6.3", True), ("g4.1", False)):
        table = Table(unit("medium_tank", at=at))
        assert (tower in targets.buildings_at(table.state, table.board, table.unit(0))) == seen


@pytest.mark.clause("SH-ATTACK-2")
def test_range_makes_the_dice_need_more() -> None:
    for at, wanted in (("g8.4", 4), ("g8.3", 5), ("g8.0", 5)):
        table = Table(unit("medium_tank", at=at), dice=[[NO] * 10])
        table.do(AttackBuilding(0, table.section("hut.only"), "fire"))
        assert table.events(BuildingAttacked)[0].need == wanted, at
    table = Table(unit("light_tank", at="g3.0"), dice=[[NO] * 5])
    table.do(AttackBuilding(0, table.section("hut.only"), "fire"))
    assert table.events(BuildingAttacked)[0].need == 6


@pytest.mark.clause("SH-SCEN-1")
def test_only_what_the_scenario_lets_fall_can_be_attacked() -> None:
    table = Table(unit("assault_gun", at="g8.4"))
    named = [
        table.board.sections[n].name for n in targets.buildings_at(table.state, table.board, table.unit(0))
    ]
    assert "hut.only" in named
    assert "cottage.only" not in named  # no building of the dense city
    table = Table(unit("assault_gun", at="g8.4"), destructible=())
    assert targets.buildings_at(table.state, table.board, table.unit(0)) == []


@pytest.mark.clause("SH-TARGET-2", "SH-FALL-1")
@pytest.mark.parametrize("falls", [False, True])
def test_a_building_with_friends_inside_may_be_meant_and_they_go_down_with_it(falls: bool) -> None:
    """Whose squad is inside, no clause asks: it is unaffected unless the building is destroyed."""
    net = 6 if falls else 5
    rolled: list[list[int]] = [dice(net, 12), [NO] * 3]
    table = Table(
        unit("assault_gun", at="g8.3"),
        unit("rifle_squad", at="hut.only:0"),
        dice=[*rolled, dice(3, 4)] if falls else rolled,
    )
    table.act(0, "fire")
    table.say(TargetSpace(table.place("hut.only:0")))
    table.done()
    assert table.events(BuildingAttacked)[0].comes == ("falls" if falls else "weakens")
    assert table.unit(1).models == (1 if falls else 4)
    assert "SH-TARGET-2" in table.clauses()
    assert "SH-TARGET-1" not in table.clauses()


@pytest.mark.clause("SH-TARGET-2")
def test_friends_on_one_floor_do_not_shield_enemies_on_another() -> None:
    table = Table(
        unit("assault_gun", at="g4.2"),
        unit("rifle_squad", at="hall.high:0"),
        unit("rifle_squad", at="hall.high:1", side=1),
    )
    table.act(0, "fire")
    assert {TargetUnit(2), TargetSpace(table.place("hall.high:0"))} <= set(table.legal)


@pytest.mark.clause("SH-ATTACK-2", "SH-ELIG-1", "SH-HOUSE-ATTACK")
def test_engineers_may_blow_up_the_house_they_are_in() -> None:
    """The same hex is close: 4+, with all of their 8 + 3 dice; and they are under it."""
    table = Table(unit("engineers", at="hut.only:0"), dice=[[4] * 6 + [NO] * 5, [NO] * 3, dice(1, 4)])
    table.act(0, "fire")
    table.say(TargetSpace(table.place("hut.only:0")))
    table.done()
    (event,) = table.events(BuildingAttacked)
    assert (event.dice, event.need, event.comes) == (11, 4, "falls")
    assert (table.where(0), table.unit(0).models, table.unit(0).own.pinned) == ("hut.only:ruin", 3, True)


# ---- squad or building -------------------------------------------------------------------------------------------------


@pytest.mark.clause("SH-TARGET-1", "SH-ROLL-2")
def test_an_empty_building_is_met_by_firepower_and_range_against_vehicles() -> None:
    """An assault gun reaches 5 hexes against infantry, 8 against vehicles, with 9 dice and 3 for its concussive fire."""
    table = Table(unit("assault_gun", at="g2.0"), dice=[[NO] * 12])
    distance = 6
    assert fire.hexes(table.board).between(table.unit(0).place, table.place("hall.low:0")) == distance
    table.do(AttackBuilding(0, table.section("hall.low"), "fire"))
    table.done()
    (event,) = table.events(BuildingAttacked)
    assert (event.dice, event.need) == (12, 5)
    assert {"SH-TARGET-1", "SH-ROLL-2", "SH-ATTACK-2"} <= table.clauses()
    assert "SH-TARGET-2" not in table.clauses()


@pytest.mark.clause("SH-TARGET-2")
def test_the_squad_inside_may_be_meant() -> None:
    """Firepower and range against infantry, concussive fire included; the building is unaffected."""
    table = Table(
        unit("medium_tank", at="g4.2"),
        unit("rifle_squad", at="hall.high:0", side=1),
        dice=[dice(8, 8), [NO] * 3],
    )
    ask = table.act(0, "fire")
    assert ask is not None
    assert table.legal[0] == TargetUnit(1)
    assert TargetSpace(table.place("hall.high:0")) in table.legal
    table.say(TargetUnit(1), Order("normal"))
    table.done()
    (event,) = table.events(Attacked)
    assert (event.dice, event.need, event.net) == (5 + 3, 5, 8)
    assert not table.unit(1).alive
    assert not table.events(BuildingAttacked)
    assert not table.events(StructureSet)
    assert "SH-TARGET-2" in table.clauses()


@pytest.mark.clause("SH-TARGET-2")
def test_the_building_may_be_meant_and_the_squad_is_unaffected_while_it_stands() -> None:
    table = Table(
        unit("medium_tank", at="g4.2"),
        unit("rifle_squad", at="hall.high:0", side=1),
        dice=[dice(8, 10), [NO] * 3],
    )
    table.act(0, "fire")
    table.say(TargetSpace(table.place("hall.high:0")))
    table.done()
    (event,) = table.events(BuildingAttacked)
    assert (event.dice, event.comes) == (10, "weakens")
    assert table.unit(1).models == 4
    assert not table.unit(1).own.pinned
    assert not table.events(Attacked)
    assert "SH-TARGET-2" in table.clauses()


@pytest.mark.clause("SH-TARGET-2", "SH-ATTACK-2")
def test_ranges_differ_by_what_is_meant() -> None:
    """A light tank reaches twice 4 hexes against the squad, twice 5 against the house it is in; 9 lie between."""
    table = Table(unit("light_tank", at="g0.0"), unit("rifle_squad", at="hut.only:0", side=1))
    assert targets.units_at(table.state, table.board, table.unit(0)) == []
    assert table.section("hut.only") in targets.buildings_at(table.state, table.board, table.unit(0))
    table = Table(
        unit("assault_gun", at="g2.0"), unit("rifle_squad", at="hall.low:0", side=1), dice=[[NO] * 12]
    )
    table.do(AttackBuilding(0, table.section("hall.low"), "fire"))
    assert table.events(BuildingAttacked)[0].need == 5  # 6 hexes: beyond 5, within 8


@pytest.mark.clause("SH-ATTACK-1")
def test_suppressive_fire_never_affects_the_building() -> None:
    table = Table(
        unit("heavy_infantry_gun", at="g4.2"),
        unit("rifle_squad", at="hall.high:1", side=1),
        dice=[dice(9, 9), [NO] * 3],
    )
    table.act(0, "fire")
    table.say(TargetUnit(1), Order("suppressive"))
    assert not table.events(BuildingAttacked)
    assert not table.state.structures.get(table.section("hall.high"))
    assert "SH-ATTACK-1" in table.clauses()


@pytest.mark.clause("SH-ATTACK-1")
def test_a_building_is_never_asked_how_it_is_fired_at() -> None:
    table = Table(unit("medium_tank", at="g8.3"), dice=[[NO] * 10])
    table.act(0, "fire")
    table.say(TargetSpace(table.place("hut.only:0")))  # no question of normal or suppressive follows
    table.done()
    assert len(table.events(BuildingAttacked)) == 1


@pytest.mark.clause("SH-ROLL-2")
@pytest.mark.parametrize(
    ("kind", "bonus"),
    [
        ("medium_tank", 3),
        ("assault_gun", 3),
        ("engineers", 3),
        ("infantry_gun", 3),
        ("heavy_infantry_gun", 6),
        ("light_tank", 0),
        ("tank_hunters", 0),
    ],
)
def test_concussive_fire_adds_three_unless_contained(kind: str, bonus: int) -> None:
    assert fire.building_bonus(kind) == bonus
