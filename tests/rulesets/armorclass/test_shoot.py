"""Fire in the open and through walls (AC-COVER, AC-ATTACK, AC-KNOWN, AC-EXPL, AC-HOUSE-INSIDE)."""

from __future__ import annotations

import pytest

from battlesim.core.answers import Pass, TargetUnit
from battlesim.rulesets.armorclass import works
from battlesim.rulesets.armorclass.facts_fire import Hit, Volley
from battlesim.rulesets.armorclass.model import Fieldwork, Into, Search, Through
from battlesim.rulesets.armorclass.shoot import AtWhom
from tests.rulesets.armorclass.kit import EAST, NORTH, SOUTH, Table, ground, house, unit


def volleys(table: Table) -> list[tuple[str, str, int, int, int]]:
    return [(v.how, v.weapon, v.hits, v.through, v.penetrations) for v in table.events(Volley)]


# ---- in the open


@pytest.mark.clause("AC-HOUSE-HIT", "AC-HOUSE-PEN", "AC-HOUSE-AIM")
def test_a_volley_in_the_open() -> None:
    """Four laser rifles at 9 inches (short of 30): 7 or less hits, 8 standing; factor 4 against class 3 penetrates on 5."""
    table = Table(
        ground(),
        unit("militia", "g1.1"),
        unit("rifle_team", "g4.1", side=1, detected=True),
        dice=[[8, 8, 9, 10], [4, 5]],
    )
    table.do(AtWhom(0, standing=True, side=0))
    table.say(TargetUnit(1))
    assert volleys(table) == [("aimed", "laser_rifle", 2, 0, 1)]
    assert (table.unit(1).models, table.unit(1).own.lost) == (3, 1)
    table.done()


@pytest.mark.clause("AC-HOUSE-AIM", "AC-HOUSE-HIT")
@pytest.mark.parametrize(
    ("standing", "moved", "need"), [(True, 0, 8), (False, 0, 7), (False, 1, 7), (False, 2, 6), (True, 1, 7)]
)
def test_stationary_and_moved_are_the_firers(standing: bool, moved: int, need: int) -> None:
    table = Table(
        ground(),
        unit("militia", "g1.1", models=1, moved=moved),
        unit("rifle_team", "g4.1", side=1, detected=True, moved=2),
        dice=[10],
    )
    table.do(AtWhom(0, standing=standing, side=0))
    table.say(TargetUnit(1))
    assert table.events(Volley)[0].need == need


@pytest.mark.clause("AC-ATTACK-2", "AC-COVER-1", "AC-HOUSE-HIT")
def test_whoever_is_inside_has_the_full_benefit_of_his_concealment() -> None:
    """At a window three less: 7.4 inches is short range, so 4 instead of 7; the wall plays no part."""
    table = Table(
        house(),
        unit("militia", "g9.1", models=1),
        unit("rifle_team", "house.1:0", side=1, detected=True, fired=1),
        dice=[4, 5],
    )
    table.do(AtWhom(0, side=0))
    table.say(TargetUnit(1))
    assert table.events(Volley)[0].need == 4
    assert volleys(table) == [("aimed", "laser_rifle", 1, 0, 1)]
    assert {"AC-ATTACK-2", "AC-COVER-1"} <= set(table.events(Volley)[0].clauses)
    table.done()


@pytest.mark.clause("AC-HOUSE-HIT")
def test_suppressed_fire_is_worse() -> None:
    table = Table(
        ground(),
        unit("militia", "g1.1", models=1, suppressed=1),
        unit("rifle_team", "g4.1", side=1, detected=True),
        dice=[10],
    )
    table.do(AtWhom(0, side=0))
    table.say(TargetUnit(1))
    assert table.events(Volley)[0].need == 5


@pytest.mark.clause("AC-HOUSE-AIM")
def test_shots_of_a_rotary_gun() -> None:
    table = Table(
        ground(),
        unit("gun_team", "g1.1", models=1),
        unit("militia", "g4.1", side=1, detected=True),
        dice=[[1, 1, 10], [1, 2]],
    )
    table.do(AtWhom(0, side=0))
    table.say(TargetUnit(1))
    assert volleys(table) == [("aimed", "rotary_gun", 2, 0, 1)]  # factor 5, class 1: on 2
    table.done()


@pytest.mark.clause("AC-HOUSE-AREA")
def test_an_effect_area_in_the_open_catches_its_share() -> None:
    """A hammerhead of one inch on a team of four: two are caught, and whoever stands with them as well."""
    table = Table(
        ground(),
        unit("hunter_team", "g1.1", models=1),
        unit("militia", "g4.1", side=1, detected=True),
        unit("militia", "g4.1", side=1, models=1),
        dice=[5],
    )
    table.do(AtWhom(0, side=0))
    table.say(TargetUnit(1))
    # factor 9 against class 1: always
    assert [table.unit(n).models for n in (1, 2)] == [2, 0]
    assert "AC-HOUSE-AREA" in table.clauses()
    table.done()


@pytest.mark.clause("AC-HOUSE-PEN")
@pytest.mark.parametrize(
    ("die", "result"),
    [(1, "weapon"), (4, "weapon"), (5, "mobility"), (7, "mobility"), (8, "destroyed"), (10, "destroyed")],
)
def test_what_a_penetrating_hit_does_to_a_vehicle(die: int, result: str) -> None:
    dice: list[object] = [1, 6, die] + ([1] if result == "weapon" else [])
    table = Table(
        ground(),
        unit("piercer_team", "g1.1", models=1),
        unit("tank", "g4.1", side=1, detected=True),
        dice=dice,  # type: ignore[arg-type]
    )
    table.do(AtWhom(0, side=0))
    table.say(TargetUnit(1))
    assert [h.result for h in table.events(Hit)] == [result]
    tank = table.unit(1)
    assert tank.alive is (result != "destroyed")
    assert tank.own.immobile is (result == "mobility")
    assert tank.own.spent == ((0,) if result == "weapon" else ())
    table.done()


@pytest.mark.clause("AC-HOUSE-PEN")
@pytest.mark.parametrize(("face", "through"), [(10, True), (9, False)])
def test_four_classes_above_the_factor_a_ten_goes_through(face: int, through: bool) -> None:
    """A laser rifle of 4 against a carrier's 8."""
    table = Table(
        ground(),
        unit("militia", "g1.1", models=1),
        unit("carrier", "g4.1", side=1, detected=True),
        dice=[1, face, *([8] if through else [])],
    )
    table.do(AtWhom(0, side=0))
    table.say(TargetUnit(1))
    assert table.unit(1).alive is not through
    table.done()


@pytest.mark.clause("AC-HOUSE-PEN")
def test_what_cannot_hurt_is_no_target() -> None:
    table = Table(ground(), unit("militia", "g1.1"), unit("tank", "g4.1", side=1, detected=True))
    table.do(AtWhom(0, side=0))  # factor 4 against class 11: a 10 does not do
    assert table.ask is None


@pytest.mark.clause("AC-HOUSE-AIM", "AC-TYPE-6", "AC-TYPE-9")
@pytest.mark.parametrize(("kind", "mounts"), [("automated_strongpoint", 2), ("turret", 1)])
def test_strongpoints_and_turrets_read_mobility_as_weapon(kind: str, mounts: int) -> None:
    """Without weapons they are destroyed."""
    board = house("type: strongpoint") if mounts == 2 else ground()
    at = "house.1:0" if mounts == 2 else "g9.4"
    dice: list[object] = [1, 10, 6] + ([2] if mounts == 2 else [])
    table = Table(
        board,
        unit("piercer_team", "g9.1", models=1),
        unit(kind, at, side=1, detected=True, fired=2),
        dice=dice,
    )  # type: ignore[arg-type]
    table.do(AtWhom(0, side=0))
    table.say(TargetUnit(1))
    assert [h.result for h in table.events(Hit)] == ["weapon"]
    assert table.unit(1).alive is (mounts == 2)
    assert table.unit(1).own.spent == ((1,) if mounts == 2 else (0,))
    assert not table.unit(1).own.immobile
    table.done()


@pytest.mark.clause("AC-TYPE-3", "AC-TYPE-5", "AC-TYPE-9")
@pytest.mark.parametrize(
    ("kind", "at", "named"),
    [
        ("marksmen", "house.1:0", ["AC-TYPE-5"]),
        ("marksmen", "g9.4", []),
        ("laser_turret", "g9.4", ["AC-TYPE-9"]),
    ],
)
def test_a_volley_names_what_it_is_fired_from(kind: str, at: str, named: list[str]) -> None:
    table = Table(
        house("type: pillbox") if at != "g9.4" else ground(),
        unit(kind, at),
        unit("militia", "g9.1", side=1, models=1, detected=True),
        dice=[[10, 10]],
    )
    table.do(AtWhom(0, side=0))
    table.say(TargetUnit(1))
    (volley,) = table.events(Volley)
    assert [c for c in volley.clauses if c.startswith("AC-TYPE")] == named
    table.done()


# ---- through walls


@pytest.mark.clause("AC-KNOWN-1", "AC-HOUSE-INSIDE", "AC-TABLE-1", "AC-TYPE-10")
@pytest.mark.parametrize(
    ("kind", "chance", "shots"), [("marksmen", 3, 1), ("assault_team", 4, 2), ("gun_team", 5, 3)]
)
def test_known_locations(kind: str, chance: int, shots: int) -> None:
    """One shot hits and comes through the brick; whoever it finds behind it still has his own armour."""
    for face, found in ((chance, True), (chance + 1, False)):
        dice: list[list[int]] = [[1] + [10] * (shots - 1), [10], [face]]
        table = Table(
            house(),
            unit(
                kind,
                "g9.2",
                models=2 if kind == "assault_team" else 1,
                spent=(0,) if kind == "assault_team" else (),
            ),
            unit("powered_team", "house.1:0", side=1, detected=True),
            dice=[*dice, *([[10]] if found else [])],
        )
        table.do(AtWhom(0, side=0))
        table.say(Through(1, SOUTH))
        assert volleys(table)[0][2:] == (1, 1, int(found))
        assert table.unit(1).models == 3 - found
        assert {"AC-KNOWN-1", "AC-TABLE-1", "AC-TYPE-10"} <= table.clauses()
        table.done()


@pytest.mark.clause("AC-EXPL-1", "AC-HOUSE-INSIDE")
@pytest.mark.parametrize(
    ("kind", "chance", "shots"), [("marksmen", 1, 1), ("assault_team", 2, 2), ("gun_team", 3, 3)]
)
def test_possible_locations(kind: str, chance: int, shots: int) -> None:
    for face, found in ((chance, True), (chance + 1, False)):
        dice: list[list[int]] = [[1] + [10] * (shots - 1), [10], [face]]
        table = Table(
            house(),
            unit(
                kind,
                "g9.2",
                models=2 if kind == "assault_team" else 1,
                spent=(0,) if kind == "assault_team" else (),
            ),
            unit("powered_team", "house.1:0", side=1),
            dice=[*dice, *([[10]] if found else [])],
        )
        table.do(AtWhom(0, side=0))
        table.say(Search(table.place("house.1:0"), SOUTH))
        assert table.unit(1).models == 3 - found
        assert not table.unit(1).own.detected
        assert "AC-EXPL-1" in table.clauses()
        table.done()


@pytest.mark.clause("AC-EXPL-1")
def test_an_empty_floor_may_be_searched_and_takes_no_further_dice() -> None:
    table = Table(house(), unit("marksmen", "g9.2", models=1), dice=[1, 10])
    table.do(AtWhom(0, side=0))
    table.say(Search(table.place("house.1:0"), SOUTH))
    assert volleys(table) == [("search", "marksman_laser", 1, 1, 0)]
    assert table.events(Volley)[0].target == -1
    table.done()


@pytest.mark.clause("AC-HOUSE-INSIDE", "AC-EXPL-1")
def test_of_two_units_a_search_finds_one_at_random() -> None:
    table = Table(
        house(),
        unit("marksmen", "g9.2", models=1),
        unit("militia", "house.1:0", side=1),
        unit("militia", "house.1:0", side=1),
        dice=[1, 10, 2, 1, 10],
    )
    table.do(AtWhom(0, side=0))
    table.say(Search(table.place("house.1:0"), SOUTH))
    assert [table.unit(n).models for n in (1, 2)] == [4, 3]
    table.done()


@pytest.mark.clause("AC-KNOWN-1", "AC-EXPL-1", "AC-HOUSE-AREA")
@pytest.mark.parametrize("known", [True, False])
def test_half_an_effect_area_projects_inside_and_hits_all_within(known: bool) -> None:
    """A fusion rifle of one inch against brick: no chance die; one of four lies within the half circle, in either unit."""
    table = Table(
        house(),
        unit("powered_team", "g9.2", models=1),
        unit("militia", "house.1:0", side=1, detected=known),
        unit("militia", "house.1:0", side=1),
        dice=[9, 5],
    )
    table.do(AtWhom(0, side=0))
    place = table.place("house.1:0")
    table.say(Through(1, SOUTH) if known else Search(place, SOUTH))
    assert [table.unit(n).models for n in (1, 2)] == [3, 3]
    table.done()


@pytest.mark.clause("AC-HOUSE-HIT")
def test_structures_are_hit_on_9() -> None:
    table = Table(house(), unit("marksmen", "g9.2", models=1), dice=[10])
    table.do(AtWhom(0, side=0))
    table.say(Search(table.place("house.1:0"), SOUTH))
    assert table.events(Volley)[0].need == 9
    assert volleys(table) == [("search", "marksman_laser", 0, 0, 0)]


@pytest.mark.clause("AC-TABLE-1", "AC-TABLE-3", "AC-TYPE-1", "AC-TYPE-2", "AC-TYPE-5", "AC-HOUSE-STRUCT")
@pytest.mark.parametrize(
    ("own", "wall", "field"),
    [
        ("wall: stucco", 3, False),
        ("wall: brick", 6, False),
        ("wall: concrete", 7, False),
        ("wall: reinforced_concrete", 9, False),
        ("type: pillbox", 9, False),
        ("type: strongpoint", 11, False),
        ("type: strongpoint, screen: true", 13, False),
        ("type: pillbox, wall: sandbags", 4, True),
        ("type: pillbox, wall: logs, screen: true", 8, True),
    ],
)
def test_the_wall_decides_what_comes_through(own: str, wall: int, field: bool) -> None:
    board = house(own)
    make = works.make_of(board, 0)
    assert (make.wall, make.field) == (wall, field)
    built = "AC-TYPE-2" if field else "AC-TYPE-1"
    assert (built in make.clauses) is (make.type != "building")
    need = 6 + wall - 11
    dice = [9] if need <= 1 else [9, need - 1]
    table = Table(board, unit("piercer_team", "g9.2", models=1), dice=dice)
    table.do(AtWhom(0, side=0))
    table.say(Search(table.place("house.1:0"), SOUTH))
    assert volleys(table)[0][3] == (1 if need <= 1 else 0)
    table.done()


@pytest.mark.clause("AC-KNOWN-1")
def test_walls_too_strong_are_no_targets() -> None:
    table = Table(
        house("type: pillbox"),
        unit("militia", "g9.2"),
        unit("militia", "house.1:0", side=1, detected=True, fired=1),
    )
    table.do(AtWhom(0, side=0))  # factor 4 against 9: only the slit, or here the window
    assert table.legal == [Pass(), TargetUnit(1)]


@pytest.mark.clause("AC-TYPE-8", "AC-TYPE-2")
def test_through_the_bank_of_a_weapon_pit() -> None:
    """An emplacement's bank is class 8, sandbags are 4."""
    for wall in (8, 4):
        need = 6 + wall - 5
        table = Table(
            ground(),
            unit("marksmen", "g1.1", models=1),
            unit("powered_team", "g4.1", side=1, detected=True),
            dice=[9, need, 3, 7],
        )
        table.r.set_extra(fieldworks=(Fieldwork("emplacement", table.place("g4.1"), wall),))
        table.do(AtWhom(0, side=0))
        table.say(Through(1, -1))
        assert volleys(table) == [("through", "marksman_laser", 1, 1, 1)]
        assert {"AC-TYPE-8", "AC-TYPE-2"} <= table.clauses()
        table.done()


@pytest.mark.clause("AC-COVER-1")
def test_inside_either_the_troops_or_the_structure_are_attacked() -> None:
    table = Table(
        house(), unit("powered_team", "g9.1"), unit("militia", "house.1:0", side=1, detected=True, fired=0)
    )
    table.do(AtWhom(0, side=0))
    kinds = {type(answer) for answer in table.legal}
    assert kinds == {Pass, TargetUnit, Through, Into, Search}
    assert NORTH not in [a.side for a in table.legal if isinstance(a, Through)]
    assert EAST not in [a.side for a in table.legal if isinstance(a, Through)]
