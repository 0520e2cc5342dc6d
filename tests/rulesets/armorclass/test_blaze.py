"""Fires: how they start (AC-FIRE-1, AC-FIRE-2, AC-FIRE-5, AC-HOUSE-FIRE)."""

from __future__ import annotations

from typing import Any

import pytest

from battlesim.core.answers import TargetUnit
from battlesim.core.state import Structure
from battlesim.rulesets.armorclass import blaze, estimates_above, flames
from battlesim.rulesets.armorclass.model import Fieldwork, Fire, Lob, Search, Through
from battlesim.rulesets.armorclass.shoot import AtWhom
from tests.rulesets.armorclass.kit import SOUTH, Table, ground, house, unit

FIRES: dict[str, Any] = {"fires": True}
WOODS = "terrain:\n  - {kind: woods, rect: [24, 9, 42, 21]}"


def burning(table: Table) -> list[str]:
    return sorted(table.board.spaces[p].name for p in flames.burning_places(table.state, table.board))


def at_timber(dice: list[Any], own: str = "", kind: str = "marksmen", **options: Any) -> Table:
    table = Table(
        house(own, material="wood"), unit(kind, "g9.1", models=1), dice=dice, options={**FIRES, **options}
    )
    table.do(AtWhom(0, side=0))
    table.say(Search(table.place("house.1:0"), SOUTH))
    return table


# ---- how fires start


@pytest.mark.clause("AC-FIRE-1", "AC-DEST-1")
@pytest.mark.parametrize(("face", "burns"), [(8, True), (9, False)])
def test_a_laser_sets_timber_alight_on_1_to_8_even_without_penetrating(face: int, burns: bool) -> None:
    table = at_timber([9, 4, face])  # factor 5 against 4: 5 would penetrate
    assert burning(table) == (["house.1:0"] if burns else [])
    assert table.state.structures.get(0, Structure(0)).burning is burns
    table.done()


@pytest.mark.clause("AC-FIRE-1", "AC-FIRE-2")
def test_a_flamer_needs_no_die_in_clear_weather() -> None:
    """1 to 10; in the mist 1 to 8."""
    clear = at_timber([9, 3], kind="assault_team")
    assert burning(clear) == ["house.1:0"]
    clear.done()
    mist = at_timber([9, 3, 9], kind="assault_team", weather="mist")
    assert not burning(mist)
    mist.done()


@pytest.mark.clause("AC-FIRE-2")
@pytest.mark.parametrize(
    ("weather", "face", "burns"),
    [("mist", 6, True), ("mist", 7, False), ("rain", 4, True), ("rain", 5, False)],
)
def test_damp_weather(weather: str, face: int, burns: bool) -> None:
    table = at_timber([9, 4, face], weather=weather)
    assert bool(burning(table)) is burns
    if burns:
        assert "AC-FIRE-2" in table.clauses()


@pytest.mark.clause("AC-FIRE-1")
def test_brick_does_not_burn_unless_its_contents_do() -> None:
    for own, dice in (("", [9, 10]), ("flammable: true", [9, 10, 1])):
        table = Table(house(own), unit("marksmen", "g9.1", models=1), dice=dice, options=FIRES)
        table.do(AtWhom(0, side=0))
        table.say(Search(table.place("house.1:0"), SOUTH))
        assert bool(burning(table)) is bool(own)
        table.done()


@pytest.mark.clause("AC-FIRE-1", "AC-HOUSE-FIRE")
@pytest.mark.parametrize(
    ("own", "material", "fuel"),
    [
        ("", "brick", [False, True]),  # wood and tile
        ("roof: reinforced_concrete", "brick", [False, False]),
        ("roof: reinforced_concrete", "wood", [True, True]),
        ("flammable: true, roof: metal_sheeting", "concrete", [True, True]),
        ("type: pillbox, wall: logs", "concrete", [True, True]),
        ("type: pillbox", "wood", [False, False]),  # as a military work
    ],
)
def test_what_there_is_to_burn(own: str, material: str, fuel: list[bool]) -> None:
    """A roof that burns is fuel for the top floor alone; once that is gone it was the roof's last."""
    table = Table(house(own, material=material))
    places = [table.place("house.1:0"), table.place("house.1:1")]
    assert [flames.flammable(table.state, table.board, place) for place in places] == fuel
    fallen = Table(house(own, material=material), structures=[Structure(0, own={"gone": 0}, fallen=True)])
    assert not any(flames.flammable(fallen.state, fallen.board, place) for place in places)


@pytest.mark.clause("AC-FIRE-1", "AC-HOUSE-FIRE")
@pytest.mark.parametrize(
    ("own", "material", "fuel"),
    [("", "wood", [True, True, False]), ("roof: wood_and_shingle", "brick", [False, True, False])],
)
def test_a_flat_roof_burns_with_the_floor_under_it(own: str, material: str, fuel: list[bool]) -> None:
    """Fire spreads to the floors of a house, not onto its flat roof: on that there is nothing to burn."""
    table = Table(house(own, material=material, flat=True))
    places = [table.place(f"house.1:{floor}") for floor in range(3)]
    assert [flames.flammable(table.state, table.board, place) for place in places] == fuel


@pytest.mark.clause("AC-FIRE-1", "AC-HOUSE-STRUCT")
@pytest.mark.parametrize(("material", "burns"), [("brick", False), ("wood", True)])
def test_the_roof_is_gone_with_the_top_floor(material: str, burns: bool) -> None:
    """A tiled roof fell with the floor under it: nothing burns of what is left of a house of brick, above or next to a fire.
    Of a wooden one the ceiling burns as the walls do."""
    table = Table(
        house(material=material),
        unit("mortar_team", "g5.3", models=1),
        unit("militia", "house.1:0", side=1, detected=True),
        dice=[4, 1, *([6] if burns else [])],
        structures=[Structure(0, own={"gone": 1})],
        options=FIRES,
    )
    place = table.place("house.1:0")
    assert flames.flammable(table.state, table.board, place) is burns
    expected = estimates_above.lobbed(table.state, table.board, table.unit(0), place)
    assert (expected.burns > 0.0) is burns
    table.do(AtWhom(0, side=0))
    table.say(Lob(place))
    assert "roof -" in table.happened()
    assert burning(table) == (["house.1:0"] if burns else [])
    table.done()


@pytest.mark.clause("AC-FIRE-1")
def test_fires_are_optional() -> None:
    table = Table(house(material="wood"), unit("marksmen", "g9.1", models=1), dice=[9, 4])
    table.do(AtWhom(0, side=0))
    table.say(Search(table.place("house.1:0"), SOUTH))
    assert not burning(table)
    table.done()


@pytest.mark.clause("AC-FIRE-1")
def test_a_miss_starts_nothing() -> None:
    assert not burning(at_timber([10]))


@pytest.mark.clause("AC-FIRE-1", "AC-FIRE-5")
@pytest.mark.parametrize(("face", "what"), [(8, "catches fire"), (9, "plants wrecked")])
def test_plants_burn_or_are_wrecked(face: int, what: str) -> None:
    """A hammerhead (1 to 8) in the woods: where no fire starts its effect area wrecks the plants, which hide nobody any more."""
    table = Table(
        ground(WOODS),
        unit("hunter_team", "g9.0", models=1),
        unit("tank", "g9.3", side=1, detected=True),
        dice=[10, face],
        options=FIRES,
    )
    table.do(AtWhom(0, side=0))
    table.say(TargetUnit(1))
    assert what in table.happened()
    assert (table.place("g9.3") in table.state.extra.burnt) is (face == 9)
    table.done()


@pytest.mark.clause("AC-FIRE-1")
@pytest.mark.parametrize(("face", "burns"), [(8, True), (9, False)])
def test_only_weapons_that_struck_start_a_fire(face: int, burns: bool) -> None:
    """The flamer (1 to 10) misses the timber, a carbine (1 to 8) strikes it: a die for the carbine."""
    table = Table(
        house(material="wood"),
        unit("assault_team", "g9.1", models=2),
        dice=[10, [9, 10], 5, face],
        options=FIRES,
    )
    table.do(AtWhom(0, side=0))
    table.say(Search(table.place("house.1:0"), SOUTH))
    assert bool(burning(table)) is burns
    table.done()


@pytest.mark.clause("AC-FIRE-1", "AC-FIRE-5")
@pytest.mark.parametrize(("face", "burns"), [(7, True), (8, False)])
def test_weapons_with_nobody_left_to_fire_at_set_no_plants_alight(face: int, burns: bool) -> None:
    """The particle cannon (1 to 7, no effect area) leaves nobody for the blast cannon (1 to 9, two inches)."""
    table = Table(
        ground(WOODS),
        unit("heavy_tank", "g9.0"),
        unit("militia", "g9.3", side=1, models=1, detected=True),
        dice=[1, face],
        options=FIRES,
    )
    table.do(AtWhom(0, side=0))
    table.say(TargetUnit(1))
    assert bool(burning(table)) is burns
    assert not table.state.extra.burnt
    table.done()


@pytest.mark.clause("AC-FIRE-1")
@pytest.mark.parametrize(("known", "face", "burns"), [(True, 8, True), (False, 8, True), (True, 9, False)])
def test_fire_through_a_bank_in_the_woods_strikes_plants(known: bool, face: int, burns: bool) -> None:
    table = Table(
        ground(WOODS),
        unit("marksmen", "g9.0", models=1),
        unit("militia", "g9.3", side=1, detected=known),
        dice=[10, face],
        options=FIRES,
    )
    place = table.place("g9.3")
    table.r.set_extra(fieldworks=(Fieldwork("trench", place, 7),))
    table.do(AtWhom(0, side=0))
    table.say(Through(1, -1) if known else Search(place, -1))
    assert bool(burning(table)) is burns
    table.done()


@pytest.mark.clause("AC-FIRE-1", "AC-TABLE-2")
@pytest.mark.parametrize(
    ("material", "roof", "dice", "burns"),
    [
        ("wood", "reinforced_concrete", [9], False),  # the walls would burn, but the roof was struck
        ("wood", "metal_sheeting", [4], False),
        ("brick", "wood_and_tile", [4, 6], True),
        ("brick", "wood_and_tile", [4, 7], False),
        ("concrete", "thatch", [1, 6], True),
    ],
)
def test_a_shell_on_a_roof_sets_alight_what_the_roof_is_made_of(
    material: str, roof: str, dice: list[int], burns: bool
) -> None:
    """A mortar, high explosive, 1 to 6; the roof need not be penetrated."""
    table = Table(
        house(f"roof: {roof}", material=material),
        unit("mortar_team", "g5.3", models=1),
        unit("militia", "g8.2"),
        dice=[4, *dice],
        options=FIRES,
    )
    table.do(AtWhom(0, side=0))
    table.say(Lob(table.place("house.1:1")))
    assert "roof -" in table.happened()
    assert burning(table) == (["house.1:1"] if burns else [])
    table.done()


@pytest.mark.clause("AC-FIRE-1", "AC-DEST-4", "AC-FIRE-3")
def test_what_has_burnt_out_and_stands_does_not_burn_again() -> None:
    """Where damage is ignored a house of which all has burnt has nothing left to burn: neither wall, roof nor next to a fire."""
    board = house(material="wood")
    table = Table(
        board,
        unit("marksmen", "g9.1", models=1),
        unit("mortar_team", "g5.3", models=1),
        dice=[9, 4, 4, 3, 2],
        options={**FIRES, "damage": "ignored"},
        burnt=tuple(board.space(name) for name in ("house.1:0", "house.1:1")),
    )
    table.do(AtWhom(0, side=0))
    table.say(Search(table.place("house.1:0"), SOUTH))
    table.do(AtWhom(1, side=0))
    table.say(Lob(table.place("house.1:1")))
    fire = Fire(0, ((table.place("g8.5"), 1),))
    assert blaze.next_taken(table.state, board, fire, 5) == []
    assert not burning(table)


@pytest.mark.clause("AC-FIRE-5")
def test_plants_are_wrecked_only_where_there_are_fires() -> None:
    """Plants that weapons wreck are part of the optional rule."""
    table = Table(
        ground(WOODS),
        unit("hunter_team", "g9.0", models=1),
        unit("tank", "g9.3", side=1, detected=True),
        dice=[10],
    )
    table.do(AtWhom(0, side=0))
    table.say(TargetUnit(1))
    assert not table.state.extra.burnt
    assert table.happened() == []
    table.done()


@pytest.mark.clause("AC-FIRE-5", "AC-FIRE-1")
@pytest.mark.parametrize(("kind", "wrecked"), [("marksmen", False), ("hunter_team", True)])
def test_only_effect_areas_wreck_plants_and_open_ground_has_none(kind: str, wrecked: bool) -> None:
    """On 9 neither a laser nor a hammerhead starts a fire."""
    for at in ("g9.3", "g9.2"):
        woods = at == "g9.3"
        table = Table(
            ground(WOODS),
            unit(kind, "g9.0", models=1),
            unit("rifle_team", at, side=1, detected=True),
            dice=[10, *([9] if woods else [])],
            options=FIRES,
        )
        table.do(AtWhom(0, side=0))
        table.say(TargetUnit(1))
        assert table.state.extra.burnt == ((table.place(at),) if wrecked and woods else ())
        table.done()
