"""Area attacks: scatter, who is hit, the building after them (SH-HOUSE-AREA, SH-TARGET-3, SH-EX-2)."""

from __future__ import annotations

from typing import Any

import pytest

from battlesim.core.answers import Order, TargetSpace
from battlesim.core.events import Happened, ModelsLost, Rolled
from battlesim.rulesets.squadhex import area, targets
from battlesim.rulesets.squadhex.facts import Attacked, BuildingAttacked
from tests.rulesets.squadhex.kit import Table, unit

NORMAL, SUPPRESSIVE = Order("normal"), Order("suppressive")


def bombard(table: Table, place: str, mode: Order = NORMAL) -> None:
    table.do(area.Bombard(0, table.place(place), mode.name))


@pytest.mark.clause("SH-EX-2", "SH-TARGET-3", "SH-HOUSE-AREA")
def test_example_the_top_squad_then_the_building_with_all_eight_dice() -> None:
    table = Table(
        unit("observer_team", at="g4.1"),
        unit("rifle_squad", at="hall.high:0", side=1),
        unit("rifle_squad", at="hall.high:1", side=1),
        dice=[1, [5] * 4 + [1] * 4, [5, 1, 1], [6] * 5 + [1] * 3, [1, 1, 1]],
    )
    table.act(0, "bombard")
    table.say(TargetSpace(table.place("hall.high:0")), NORMAL)
    table.done()
    (hit,) = table.events(Attacked)
    assert (hit.target, hit.dice, hit.net) == (2, 8, 3)
    (house,) = table.events(BuildingAttacked)
    assert (house.dice, house.net, house.comes) == (8, 5, "weakens")
    assert table.unit(1).models == 4
    assert [roll.purpose for roll in table.events(Rolled)] == [
        "scatter",
        "area",
        "cover",
        "hit building",
        "walls",
    ]
    assert {"SH-EX-2", "SH-TARGET-3"} <= table.clauses()


@pytest.mark.clause("SH-TARGET-3")
def test_the_bottom_floor_is_safe_unless_the_building_falls() -> None:
    dice = [1, [6] * 8 + [], [1, 1, 1]]
    table = Table(
        unit("heavy_mortar_team", at="g4.1"), unit("rifle_squad", at="hall.high:0", side=1), dice=dice
    )
    bombard(table, "hall.high:0")
    table.done()
    assert not table.events(Attacked)
    assert table.unit(1).models == 4
    assert table.events(BuildingAttacked)[0].comes == "weakens"  # eight hits, nine needed


@pytest.mark.clause("SH-TARGET-3")
def test_a_fall_catches_the_bottom_floor_after_the_damage_to_the_top() -> None:
    table = Table(
        unit("heavy_mortar_team", at="g8.3"),
        unit("rifle_squad", at="hut.only:0", side=1),
        dice=[1, [6] + [1] * 7, [1, 1], [6] * 6 + [1, 1], [1, 1, 1], [6, 1, 1, 1]],
    )
    bombard(table, "hut.only:0")
    table.done()
    assert [event.how for event in table.events(ModelsLost)] == ["bombardment", "collapse"]
    assert table.unit(1).models == 2


@pytest.mark.clause("SH-ATTACK-1", "SH-TARGET-3")
def test_a_suppressive_area_attack_rolls_nothing_at_the_building() -> None:
    table = Table(
        unit("heavy_mortar_team", at="g8.3"),
        unit("rifle_squad", at="hut.only:0", side=1),
        dice=[1, [6] + [1] * 8, [1, 1]],
    )
    bombard(table, "hut.only:0", SUPPRESSIVE)
    table.done()
    assert table.unit(1).own.pinned
    assert not table.events(BuildingAttacked)
    assert "SH-ATTACK-1" in table.clauses()


@pytest.mark.clause("SH-SCEN-1", "SH-TARGET-3")
def test_no_roll_at_a_building_that_may_not_fall() -> None:
    table = Table(
        unit("mortar_team", at="g8.4"), unit("rifle_squad", at="cottage.only:0", side=1), dice=[1, [1] * 5]
    )
    bombard(table, "cottage.only:0")
    table.done()


@pytest.mark.clause("SH-HOUSE-AREA")
@pytest.mark.parametrize(("roll", "scatters"), [(1, False), (4, False), (5, True), (6, True)])
def test_it_scatters_on_five_and_six(roll: int, scatters: bool) -> None:
    table = Table(
        unit("mortar_team", at="g0.0"),
        unit("rifle_squad", at="g3.6", side=1),
        dice=[roll, 2] if scatters else [roll, [1] * 5],
    )
    bombard(table, "g3.6")
    table.done()
    assert bool(table.events(Attacked)) != scatters


@pytest.mark.clause("SH-HOUSE-AREA")
@pytest.mark.parametrize("direction", range(1, 7))
def test_it_scatters_one_hex_each_direction_once(direction: int) -> None:
    found = []
    for number in range(1, 7):
        table = Table(unit("mortar_team", at="g0.0"), dice=[6, number])
        bombard(table, "g3.6")
        (event,) = [event for event in table.events(Happened) if event.what == "scattered"]
        assert area.hexes(table.board).between(table.place("g3.6"), event.place) == 1
        found.append(event.place)
    assert len(set(found)) == 6
    assert found[direction - 1] in found


@pytest.mark.clause("SH-HOUSE-AREA")
def test_what_scatters_beyond_the_map_hits_nothing() -> None:
    table = Table(unit("mortar_team", at="g5.5"), unit("rifle_squad", at="g0.0", side=1), dice=[6, 4])
    bombard(table, "g0.0")
    table.done()
    assert table.events(Happened)[-1].what == "scattered off"


@pytest.mark.clause("SH-HOUSE-AREA")
def test_everyone_there_is_rolled_for_friend_and_foe_with_cover_as_normal() -> None:
    table = Table(
        unit("mortar_team", at="g0.0"),
        unit("rifle_squad", at="g8.1", side=1),
        unit("medium_tank", at="g8.1", side=1),
        dice=[1, [5, 5, 4, 4, 1], [5, 1], [6, 6, 6, 1, 1], [1] * 7],
    )
    bombard(table, "g8.1")
    table.done()
    assert [(e.target, e.hits, e.cancelled) for e in table.events(Attacked)] == [(1, 2, 1), (2, 3, 0)]
    assert not table.unit(2).alive  # three hits, two steps


@pytest.mark.clause("SH-HOUSE-AREA")
def test_the_hex_must_be_in_range_and_in_sight_of_a_friend() -> None:
    hidden = unit("rifle_squad", at="g4.6", side=1)
    table = Table(unit("mortar_team", at="g4.1"), hidden)
    assert table.place("g4.6") not in targets.hexes_at(table.state, table.board, table.unit(0))
    table = Table(unit("mortar_team", at="g4.1"), hidden, unit("rifle_squad", at="g5.6"))
    assert table.place("g4.6") in targets.hexes_at(table.state, table.board, table.unit(0))
    table = Table(unit("mortar_squad", at="g0.9"), unit("rifle_squad", at="g11.3", side=1), destructible=())
    assert targets.hexes_at(table.state, table.board, table.unit(0)) == []


@pytest.mark.clause("SH-HOUSE-AREA")
def test_houses_are_offered_while_they_stand_and_are_seen() -> None:
    def offered(*units: dict[str, Any], fell: str = "") -> list[str]:
        table = Table(unit("mortar_team", at="g4.1"), *units)
        if fell:
            table.fell(fell)
        found = targets.hexes_at(table.state, table.board, table.unit(0))
        return [
            table.board.spaces[place].name for place in found if table.board.spaces[place].kind == "floor"
        ]

    assert "hall.high:0" in offered()
    assert "hall.tower:0" not in offered()
    assert "hall.tower:0" in offered(unit("rifle_squad", at="g4.7"))
    assert "hall.tower:0" not in offered(unit("rifle_squad", at="g4.7", side=1))
    assert "hall.high:0" not in offered(fell="hall.high")


@pytest.mark.clause("SH-HOUSE-AREA", "SH-HOUSE-UNITS")
def test_the_range_of_a_bombardment() -> None:
    """In plain sight, enemies and houses alike: a mortar squad reaches 8 hexes."""
    foe = unit("rifle_squad", at="g9.0", side=1)
    for at, far in (("g0.0", True), ("g1.0", False)):
        table = Table(unit("mortar_squad", at=at), foe, destructible=())
        assert (targets.hexes_at(table.state, table.board, table.unit(0)) == []) == far
    hut = Table().place("hut.only:0")
    for at, far in (("g0.0", True), ("g0.1", False)):
        table = Table(unit("mortar_squad", at=at), unit("rifle_squad", at="g8.4"))
        distance = area.hexes(table.board).between(table.place(at), hut)
        assert (distance > 8) == far
        assert (hut not in targets.hexes_at(table.state, table.board, table.unit(0))) == far


@pytest.mark.clause("SH-HOUSE-AREA", "SH-FALL-5")
def test_in_ruins_everyone_is_hit_behind_their_cover_and_nothing_is_left_to_fall() -> None:
    table = Table(
        unit("mortar_team", at="g4.1"),
        unit("rifle_squad", at="hall.high:ruin"),
        unit("rifle_squad", at="hall.high:ruin", side=1),
        dice=[1, [5, 5, 5, 1, 1], [5, 1], [6, 1, 1, 1, 1], [1, 1]],
    )
    table.fell("hall.high")
    bombard(table, "hall.high:ruin")
    table.done()
    assert [(e.target, e.cancelled, e.net) for e in table.events(Attacked)] == [(1, 1, 2), (2, 0, 1)]


@pytest.mark.clause("SH-HOUSE-AREA", "SH-TARGET-3")
def test_what_scatters_onto_a_building_is_an_attack_on_that_building() -> None:
    """From the hex in front of the hut onto it: its top floor and its walls, and nothing where it was aimed."""
    table = Table(
        unit("heavy_mortar_team", at="g0.0"),
        unit("rifle_squad", at="g8.6", side=1),
        unit("rifle_squad", at="hut.only:0", side=1),
        dice=[5, 5, [6] + [1] * 7, [1, 1], [6] * 3 + [1] * 5, [1, 1, 1]],
    )
    bombard(table, "g8.6")
    table.done()
    assert [(e.target, e.net) for e in table.events(Attacked)] == [(2, 1)]
    assert [(e.section, e.comes) for e in table.events(BuildingAttacked)] == [
        (table.section("hut.only"), "weakens")
    ]


@pytest.mark.clause("SH-HOUSE-AREA", "SH-TARGET-3")
def test_what_scatters_off_a_building_leaves_it_alone() -> None:
    table = Table(
        unit("heavy_mortar_team", at="g0.0"), unit("rifle_squad", at="hut.only:0", side=1), dice=[5, 2]
    )
    bombard(table, "hut.only:0")
    table.done()
    assert not table.events(Attacked)
    assert not table.events(BuildingAttacked)


@pytest.mark.clause("SH-HOUSE-AREA")
@pytest.mark.parametrize("mode", [NORMAL, SUPPRESSIVE])
def test_friends_under_it_are_hit_alike(mode: Order) -> None:
    for place in ("g3.6", "hut.only:0"):
        inside = place != "g3.6"
        faces = [6, 6] + [1] * (3 if mode == NORMAL else 5)
        table = Table(
            unit("mortar_team", at="g0.0"),
            unit("rifle_squad", at=place),
            destructible=(),
            dice=[1, faces, *([[1, 1]] if inside else [])],
        )
        bombard(table, place, mode)
        table.done()
        assert (table.unit(1).models, table.unit(1).own.pinned) == (
            (2, False) if mode == NORMAL else (4, True)
        )


@pytest.mark.clause("SH-HOUSE-AREA", "SH-HOUSE-SUPPRESS")
def test_a_suppressive_bombardment_does_nothing_to_a_vehicle() -> None:
    table = Table(
        unit("mortar_team", at="g0.0"),
        unit("light_tank", at="g3.6", side=1),
        dice=[1, [6] * 7, [1] * 4],
    )
    bombard(table, "g3.6", SUPPRESSIVE)
    table.done()
    assert (table.unit(1).models, table.unit(1).own.pinned, table.unit(1).own.disrupted) == (2, False, False)


@pytest.mark.clause("SH-EX-2")
@pytest.mark.parametrize(
    ("floors", "named"), [((0,), False), ((1,), False), ((0, 1), True)], ids=["bottom", "top", "both"]
)
def test_example_named_with_squads_on_bottom_and_top_alone(floors: tuple[int, ...], named: bool) -> None:
    table = Table(
        unit("mortar_team", at="g4.1"),
        *(unit("rifle_squad", at=f"hall.high:{floor}", side=1) for floor in floors),
        dice=[1, *([[1] * 5] if 1 in floors else []), [1] * 5],
    )
    bombard(table, "hall.high:0")
    table.done()
    assert ("SH-EX-2" in table.clauses()) == named


@pytest.mark.clause("SH-HOUSE-AREA")
def test_shots_are_spent() -> None:
    table = Table(
        unit("observer_team", at="g4.1"),
        unit("rifle_squad", at="g4.3", side=1),
        dice=[1, [1] * 8, 1, [1] * 8],
    )
    for _ in range(2):
        assert "bombard" in table.actions(0)
        table.act(0, "bombard")
        table.say(TargetSpace(table.place("g4.3")), NORMAL) if table.ask else None
        table.state.turn += 1
    assert table.unit(0).own.shots == 0
    assert "bombard" not in table.actions(0)


@pytest.mark.clause("SH-HOUSE-AREA")
def test_an_empty_hex_is_only_attacked_normally() -> None:
    table = Table(unit("mortar_team", at="g8.4"), dice=[1, [1] * 5])
    table.act(0, "bombard")
    table.say(TargetSpace(table.place("hut.only:0")))
    table.done()
    assert table.events(BuildingAttacked)[0].how == "bombard"


@pytest.mark.clause("SH-HOUSE-AREA", "SH-TARGET-3")
def test_a_building_with_friends_inside_may_be_bombarded() -> None:
    table = Table(
        unit("mortar_team", at="g8.4"),
        unit("rifle_squad", at="hut.only:0"),
        dice=[1, [5] + [1] * 4, [1, 1], [1] * 5],
    )
    table.act(0, "bombard")
    table.say(TargetSpace(table.place("hut.only:0")))
    assert table.legal == [NORMAL, SUPPRESSIVE]  # somebody is in it
    table.say(NORMAL)
    table.done()
    assert table.unit(1).models == 3
    assert len(table.events(BuildingAttacked)) == 1


@pytest.mark.clause("SH-HOUSE-FIGURES", "SH-HOUSE-AREA")
@pytest.mark.parametrize(
    ("kind", "models", "normal", "suppressive"),
    [
        ("mortar_team", 2, 5, 7),
        ("mortar_team", 1, 3, 4),  # half, rounded up
        ("heavy_mortar_team", 2, 8, 9),
        ("heavy_mortar_team", 1, 4, 5),
        ("mortar_squad", 4, 5, 7),
        ("mortar_squad", 2, 5, 7),  # its riflemen have no part in it
        ("mortar_squad", 1, 3, 4),
        ("observer_team", 2, 8, 10),
        ("observer_team", 1, 8, 10),  # who calls a strike does not fire it
    ],
)
def test_the_dice_of_a_mortar_are_those_of_its_living_crew(
    kind: str, models: int, normal: int, suppressive: int
) -> None:
    one = Table(unit(kind, at="g4.1", models=models)).unit(0)
    assert (area.area_dice(one, "normal"), area.area_dice(one, "suppressive")) == (normal, suppressive)


@pytest.mark.clause("SH-HOUSE-FIGURES", "SH-HOUSE-AREA")
def test_one_man_rolls_half_at_squad_and_building() -> None:
    table = Table(
        unit("heavy_mortar_team", at="g8.3", models=1),
        unit("rifle_squad", at="hut.only:0", side=1),
        dice=[1, [1] * 4, [1] * 4],
    )
    bombard(table, "hut.only:0")
    table.done()
    assert [event.dice for event in (*table.events(Attacked), *table.events(BuildingAttacked))] == [4, 4]
    assert all("SH-HOUSE-FIGURES" in event.clauses for event in table.events(Attacked))


@pytest.mark.clause("SH-HOUSE-SUPPRESS", "SH-HOUSE-AREA")
def test_a_pinned_mortar_has_half_its_dice() -> None:
    for kind, models, normal in (
        ("heavy_mortar_team", 2, 4),
        ("heavy_mortar_team", 1, 2),
        ("observer_team", 2, 4),
    ):
        one = Table(unit(kind, at="g4.1", models=models, pinned=True)).unit(0)
        assert area.area_dice(one, "normal") == normal


@pytest.mark.clause("SH-HOUSE-AREA")
@pytest.mark.parametrize(("mode", "comes"), [(NORMAL, ModelsLost), (SUPPRESSIVE, Happened)])
def test_each_unit_suffers_by_its_own_roll_alone(mode: Order, comes: type[ModelsLost | Happened]) -> None:
    """What befalls one unit is caused by the attack on it, and each attack by the shells that landed."""
    dice = [1, [6] + [1] * 7, [6] + [1] * 7] if mode is NORMAL else [1, [6] + [1] * 9, [6] + [1] * 9]
    table = Table(
        unit("observer_team", at="g4.1"),
        *(unit("rifle_squad", at="g5.3", side=1) for _ in range(2)),
        dice=dice,
    )
    bombard(table, "g5.3", mode)
    table.done()
    log = table.r.log
    attacks = [number for number, event in enumerate(log) if isinstance(event, Attacked)]
    landed = log[attacks[0]].cause
    assert isinstance(log[landed], Happened)
    assert [log[number].cause for number in attacks] == [landed, landed]
    effects = [event for event in log if isinstance(event, comes) and event is not log[landed]]
    assert [event.cause for event in effects] == attacks
