"""Fires lit through openings, and field works of timber (AC-FIRE-1, AC-OPEN-1, AC-TYPE-2, AC-HOUSE-FIRE)."""

from __future__ import annotations

from typing import Any

import pytest

from battlesim.core.answers import Answer, TargetUnit
from battlesim.rulesets.armorclass import blaze, estimates, flames, works
from battlesim.rulesets.armorclass.line_of_sight import LineOfSight
from battlesim.rulesets.armorclass.model import Fieldwork, Into, Lob, Search, Through
from battlesim.rulesets.armorclass.shoot import AtWhom
from tests.rulesets.armorclass.kit import SOUTH, Table, ground, house, unit
from tests.rulesets.armorclass.test_blaze import FIRES, burning

HIT, MISS = 1, 10


# ---- through openings


def at_window(own: str, material: str, kind: str, dice: list[Any], how: str, **options: Any) -> Table:
    """A weapon fired through the southern window of a house, from six inches off."""
    table = Table(
        house(own, material=material),
        unit(kind, "g9.2", models=1),
        unit("heavy_team", "house.1:0", side=1, detected=True),
        dice=dice,
        options={**FIRES, **options},
    )
    table.do(AtWhom(0, side=0))
    said: Answer = TargetUnit(1)
    if how == "into":
        board = table.board
        said = next(a for a in table.legal if isinstance(a, Into) and board.openings[a.opening].side == SOUTH)
    table.say(said)
    return table


@pytest.mark.clause("AC-FIRE-1", "AC-OPEN-1")
@pytest.mark.parametrize(("struck", "face"), [(HIT, 9), (HIT, 10), (MISS, 9), (MISS, 10)])
def test_an_effect_area_into_an_opening_may_light_the_house(struck: int, face: int) -> None:
    """Fusion, 1 to 9. What misses the window strikes the wall beside it. Class 7 against factor 7: on 6."""
    table = at_window("", "wood", "powered_team", [struck, *([[5]] if struck == HIT else []), face], "into")
    assert burning(table) == (["house.1:0"] if face == 9 else [])
    table.done()


@pytest.mark.clause("AC-FIRE-1", "AC-OPEN-1")
def test_flame_through_a_window_needs_no_die() -> None:
    table = at_window("", "wood", "assault_team", [HIT, [6]], "into")
    assert burning(table) == ["house.1:0"]
    table.done()


@pytest.mark.clause("AC-FIRE-1", "AC-OPEN-1")
@pytest.mark.parametrize(
    ("own", "material", "burns"),
    [("", "brick", False), ("flammable: true", "brick", True), ("roof: thatch", "stone", False)],
)
def test_contents_that_burn_are_lit_walls_of_brick_are_not(own: str, material: str, burns: bool) -> None:
    """The roof over it is not struck by what comes in at a window."""
    table = at_window(own, material, "assault_team", [HIT, [6]], "into")
    assert bool(burning(table)) is burns
    table.done()


@pytest.mark.clause("AC-FIRE-1")
def test_openings_light_nothing_without_fires_or_in_a_house_that_burns() -> None:
    table = at_window("", "wood", "assault_team", [HIT, [6]], "into", fires=False)
    assert not burning(table)
    table.done()
    table = at_window("", "wood", "assault_team", [HIT, [6]], "into")
    table.r.state.turn = 2
    before = len(table.state.extra.fires)
    blaze.wall_struck(table.r, table.unit(0), [], table.place("house.1:0"))
    assert len(table.state.extra.fires) == before


@pytest.mark.clause("AC-FIRE-1", "AC-ATTACK-2")
@pytest.mark.parametrize(
    ("kind", "struck", "dice", "burns"),
    [
        ("piercer_team", HIT, [[1]], False),  # all that was fired hit the man, none the house
        ("piercer_team", MISS, [7], True),  # 1 to 7
        ("piercer_team", MISS, [8], False),
        ("powered_team", HIT, [[1], 9], True),  # an effect area meets the walls about him as well
        ("powered_team", MISS, [10], False),
    ],
)
def test_what_misses_somebody_inside_strikes_the_house(
    kind: str, struck: int, dice: list[Any], burns: bool
) -> None:
    table = at_window("", "wood", kind, [struck, *dice], "at")
    assert bool(burning(table)) is burns
    table.done()


@pytest.mark.clause("AC-FIRE-1")
def test_on_a_flat_roof_there_is_no_house_about_him() -> None:
    table = Table(
        house(material="wood", flat=True),
        unit("piercer_team", "g9.0", models=1),
        unit("heavy_team", "house.1:2", side=1, detected=True),
        dice=[MISS],
        options=FIRES,
    )
    table.do(AtWhom(0, side=0))
    table.say(TargetUnit(1))
    assert not burning(table)
    table.done()


@pytest.mark.clause("AC-FIRE-1", "AC-OPEN-1")
def test_over_the_parapet_of_a_flat_roof_there_is_no_house_to_light() -> None:
    table = Table(
        house(material="wood", floors=1, flat=True),
        unit("assault_team", "g10.7", models=1),
        unit("heavy_team", "house.1:1", side=1, detected=True),
        dice=[MISS],
        options=FIRES,
    )
    table.do(AtWhom(0, side=0))
    over = next(a for a in table.legal if isinstance(a, Into))
    assert table.board.openings[over.opening].kind == "parapet"
    expected = estimates.into_opening(LineOfSight(table.state, table.board), table.unit(0), over, False)
    assert expected.burns == 0.0
    table.say(over)
    assert not burning(table)
    table.done()


# ---- field works of timber


def log_work(**fields: Any) -> Fieldwork:
    return Fieldwork("emplacement", ground().space("g9.3"), 6, **fields)


def at_work(kind: str, dice: list[Any], work: Fieldwork, how: str = "search", **options: Any) -> Table:
    table = Table(
        ground(),
        unit(kind, "g9.0" if how != "lob" else "g1.1", models=1),
        unit("heavy_team", "g9.3", side=1, detected=how in ("at", "through")),
        unit("militia", "g9.1"),
        dice=dice,
        options={**FIRES, **options},
    )
    table.r.set_extra(fieldworks=(work,))
    table.do(AtWhom(0, side=0))
    place = table.place("g9.3")
    said: dict[str, Answer] = {
        "search": Search(place, -1),
        "through": Through(1, -1),
        "at": TargetUnit(1),
        "lob": Lob(place),
    }
    table.say(said[how])
    return table


@pytest.mark.clause("AC-FIRE-1", "AC-TYPE-2")
@pytest.mark.parametrize("how", ["search", "through"])
@pytest.mark.parametrize(
    ("burns", "dice", "lit"),
    [(True, [9, 6, 8], True), (True, [9, 6, 9], False), (True, [10], False), (False, [9, 6], False)],
)
def test_a_bank_of_logs_may_burn_when_it_is_struck(how: str, burns: bool, dice: list[Any], lit: bool) -> None:
    """A laser of factor 5 against logs: on 7; it starts fires on 1 to 8. A miss (10) strikes nothing."""
    table = at_work("marksmen", dice, log_work(burns=burns), how)
    assert bool(burning(table)) is lit
    table.done()


@pytest.mark.clause("AC-FIRE-1")
def test_a_bank_of_logs_that_nothing_goes_through_may_still_be_set_alight() -> None:
    """A carbine's 4 never goes through a bank of 9, but a bolt that strikes timber burns on 1 to 8."""
    work = Fieldwork("emplacement", ground().space("g9.3"), 9, burns=True)
    table = at_work("sappers", [[9, 9], 8], work)
    assert burning(table) == ["g9.3"]
    table.dice.done()


@pytest.mark.clause("AC-FIRE-1")
@pytest.mark.parametrize(("struck", "more", "lit"), [(HIT, [[1]], False), (MISS, [8], True)])
def test_what_misses_somebody_in_a_field_work_strikes_its_bank(
    struck: int, more: list[Any], lit: bool
) -> None:
    table = at_work("marksmen", [struck, *more], log_work(burns=True), "at")
    assert bool(burning(table)) is lit
    table.done()


@pytest.mark.clause("AC-FIRE-1", "AC-HOUSE-INDIRECT")
@pytest.mark.parametrize(
    ("work", "dice", "lit"),
    [
        (log_work(burns=True), [4, 7, 6], False),  # through the open top and the bank: it is wrecked
        (log_work(burns=True), [4, 6, 6], True),
        (log_work(burns=True, roof=7), [4, 7], False),  # earth over it
        (log_work(roof_burns=True, roof=6), [4, 6, 6], True),
        (log_work(roof_burns=True, roof=6), [4, 6, 7], False),
    ],
)
def test_a_shell_strikes_the_cover_or_the_open_pit(work: Fieldwork, dice: list[Any], lit: bool) -> None:
    """A mortar of factor 5, high explosive: 1 to 6. Against powered armour of 7 it goes through on 8."""
    inside = not work.roof
    dice = [dice[0], *([[1, 1]] if inside else []), *dice[1:]]
    if lit is False and not work.roof:
        dice = dice[:-1]
    table = at_work("mortar_team", dice, work, "lob")
    assert bool(burning(table)) is lit
    table.dice.done()


@pytest.mark.clause("AC-HOUSE-FIRE", "AC-DEST-1", "AC-DEST-4")
@pytest.mark.parametrize("damage", ["guidelines", "1", "ignored"])
def test_a_burnt_field_work_is_destroyed_or_has_nothing_left_to_burn(damage: str) -> None:
    table = Table(ground(), options={**FIRES, "damage": damage})
    place = table.place("g9.3")
    table.r.set_extra(fieldworks=(log_work(burns=True),))
    assert flames.flammable(table.state, table.board, place)
    blaze.start(table.r, place, ())
    table.do(blaze.BurnOut(place))
    assert not burning(table)
    assert not flames.flammable(table.state, table.board, place)
    assert table.state.extra.burnt == ()  # there were no plants
    assert table.state.extra.fieldworks == ((log_work(),) if damage == "ignored" else ())


@pytest.mark.clause("AC-FIRE-3")
def test_a_fire_spreads_to_a_field_work_of_logs() -> None:
    table = Table(ground("terrain:\n  - {kind: woods, rect: [24, 9, 27, 12]}"), options=FIRES)
    table.r.set_extra(fieldworks=(log_work(roof_burns=True, roof=6),))
    blaze.start(table.r, table.place("g8.3"), ())
    table.do(blaze.Grow(0))
    assert burning(table) == ["g8.3", "g9.3"]


@pytest.mark.clause("AC-DEST-4", "AC-HOUSE-FIRE")
@pytest.mark.parametrize(("damage", "floors"), [("guidelines", 1), ("2", 1), ("ignored", 2)])
def test_a_floor_that_has_burnt_out_stands_only_where_damage_is_ignored(damage: str, floors: int) -> None:
    table = Table(house(material="wood"), options={**FIRES, "damage": damage})
    place = table.place("house.1:1")
    blaze.start(table.r, place, ())
    table.do(blaze.BurnOut(place))
    assert works.floors_left(table.state, table.board, 0) == floors
    assert not flames.flammable(table.state, table.board, place)
    assert not table.state.structures[0].burning


@pytest.mark.clause("AC-FIRE-1", "AC-TYPE-4")
@pytest.mark.parametrize(("kind", "burns"), [("heavy_team", True), ("tank", False)])
def test_what_misses_somebody_whom_a_field_work_does_not_shelter_strikes_nothing(
    kind: str, burns: bool
) -> None:
    table = Table(
        ground(),
        unit("piercer_team", "g9.0", models=1),
        unit(kind, "g9.3", side=1, detected=True),
        dice=[MISS, *([7] if burns else [])],
        options=FIRES,
    )
    table.r.set_extra(fieldworks=(log_work(burns=True),))
    table.do(AtWhom(0, side=0))
    table.say(TargetUnit(1))
    assert bool(burning(table)) is burns
    table.done()
