"""The tables of the rulebook, entry by entry, against the source (AC-TABLE, AC-FIRE-1, AC-HOUSE-DATA,
AC-HOUSE-HIT, AC-HOUSE-PEN)."""

from __future__ import annotations

from itertools import product

import icepool
import pytest

from battlesim.rulesets.armorclass import blaze, concealment, damage, fire, works
from battlesim.rulesets.armorclass.data import FIRE, MILITARY, ROOFS, SHOTS, TYPES, WALLS, WEAPONS, WEATHER

D10 = icepool.d10


@pytest.mark.clause("AC-TABLE-1")
def test_walls() -> None:
    assert WALLS == {
        "brick": 6,
        "concrete": 7,
        "reinforced_concrete": 9,
        "earthen_embankment": 7,
        "logs": 6,
        "sandbags": 4,
        "sheet_metal": 3,
        "stone_masonry_light": 6,
        "stone_masonry_medium": 7,
        "stone_masonry_heavy": 8,
        "stucco": 3,
        "timber_light": 3,
        "timber_medium": 4,
        "timber_heavy": 5,
    }


@pytest.mark.clause("AC-TABLE-2")
def test_roofs() -> None:
    assert ROOFS == {
        "reinforced_concrete": 9,
        "metal_sheeting": 4,
        "thatch": 1,
        "wood_and_shingle": 3,
        "wood_and_tile": 4,
    }


@pytest.mark.clause("AC-TABLE-3", "AC-HOUSE-STRUCT")
def test_military_works() -> None:
    assert MILITARY == {"emplacement": 8, "turret": 8, "pillbox": 9, "strongpoint": 11, "bunker": 12}
    assert works.SCREEN == 2


@pytest.mark.clause("AC-FIRE-1")
def test_what_starts_fires() -> None:
    assert FIRE == {
        "blast": 9,
        "blazer": 10,
        "bolt": 8,
        "conversion_beam": 8,
        "distortion_beam": 7,
        "flamer": 10,
        "flamethrower": 10,
        "fusion": 9,
        "hammerhead": 8,
        "hellburner": 10,
        "hellfire": 10,
        "high_explosive": 6,
        "laser": 8,
        "nuclear": 10,
        "particle_beam": 7,
        "phaser": 9,
        "piercer": 7,
        "plasma": 9,
        "vaporshock": 9,
    }
    assert blaze.starts_on("", "clear") == 0


@pytest.mark.clause("AC-FIRE-2")
@pytest.mark.parametrize(
    ("weapon", "weather", "need"),
    [("bolt", "clear", 8), ("bolt", "mist", 6), ("bolt", "rain", 4), ("high_explosive", "rain", 2)],
)
def test_damp_weather_lowers_the_chance(weapon: str, weather: str, need: int) -> None:
    assert blaze.starts_on(weapon, weather) == need
    assert WEATHER == {"clear": 0, "mist": 2, "rain": 4}


@pytest.mark.clause("AC-HOUSE-DETECT")
def test_found_on() -> None:
    assert concealment.FOUND_ON == (9, 7, 5, 3, 0)


@pytest.mark.clause("AC-HOUSE-HIT")
def test_thirds_of_the_range() -> None:
    assert [fire.third(d, 30) for d in (0, 10, 11, 20, 21, 30, 31)] == [0, 0, 1, 1, 2, 2, -1]
    assert [fire.third(d, 3000) for d in (1000, 1001, 2000, 2001)] == [0, 1, 1, 2]


@pytest.mark.clause("AC-HOUSE-HIT")
def test_to_hit() -> None:
    usual = {band: fire.hit_on(band, 0, False, False, False) for band in range(3)}
    assert usual == {0: 7, 1: 5, 2: 3}
    assert fire.hit_on(1, 0, True, False, False) == 6
    assert fire.hit_on(1, 0, False, True, False) == 4
    assert [fire.hit_on(1, level, False, False, False) for level in range(5)] == [5, 4, 3, 2, 2]
    assert fire.hit_on(2, 4, False, True, True) == 1  # a 1 always hits
    assert fire.hit_on(0, 0, True, False, False, 5) == 9  # a 10 never does


@pytest.mark.clause("AC-HOUSE-MORALE", "AC-HOUSE-HIT")
def test_suppressed_hits_less() -> None:
    assert fire.hit_on(0, 0, False, False, True) == 5
    assert (fire.structure_on(False), fire.structure_on(True)) == (9, 7)


@pytest.mark.clause("AC-HOUSE-DATA", "AC-OPEN-1")
def test_sizes_of_openings() -> None:
    """Windows, doors and slits are the book's of the house; gaps and parapets are as wide as doors."""
    assert fire.SIZES == {"window": -1, "door": 0, "slit": -3, "gap": 0, "parapet": 0}


@pytest.mark.clause("AC-HOUSE-PEN")
def test_penetration() -> None:
    assert fire.penetrates_on(7, 7) == 6  # equal factor and class: 6 to 10
    assert fire.penetrates_on(3, 7) == 10  # four below: a 10 does
    assert fire.penetrates_on(2, 7) == 11  # five below: nothing does
    assert fire.penetrates_on(12, 1) == 1
    for factor, armour in product(range(1, 13), range(1, 15)):
        chance = (11 - fire.penetrates_on(factor, armour)) / 10
        assert chance == pytest.approx(float((D10 + factor >= 6 + armour).mean()))


@pytest.mark.clause("AC-HOUSE-AIM")
def test_shots() -> None:
    assert SHOTS == {"single": 1, "beam": 1, "automatic": 2, "pulse": 2, "rotary": 3}


@pytest.mark.clause("AC-KNOWN-1")
def test_chance_at_known_locations() -> None:
    assert fire.KNOWN == {"single": 3, "beam": 3, "automatic": 4, "pulse": 4, "rotary": 5}


@pytest.mark.clause("AC-EXPL-1")
def test_chance_at_possible_locations() -> None:
    assert fire.POSSIBLE == {"single": 1, "beam": 1, "automatic": 2, "pulse": 2, "rotary": 3}


@pytest.mark.clause("AC-HOUSE-DATA")
def test_weapons_and_units_hold_together() -> None:
    for weapon in WEAPONS.values():
        assert not weapon.type or weapon.type in FIRE
        assert 1 <= weapon.factor <= 12
        assert weapon.tool == (weapon.range == 0)
        assert not weapon.hole or (weapon.vehicle and not weapon.radius)
        assert not weapon.charge or weapon.tool
    heavy = WEAPONS["heavy_fusion_rifle"]
    assert (heavy.factor, heavy.radius > 0, WEAPONS["bolt_rifle"].signature) == (7, True, 1)
    assert WEAPONS["light_cannon"].hole == 25
    for kind in TYPES.values():
        assert all(name in WEAPONS for name in (*kind.slots, *kind.mounts, *kind.tools))
        assert kind.worth > 0
        low, high = (1, 7) if kind.foot else (6, 12)
        assert low <= kind.armour <= high
        assert (6 <= kind.cohesion <= 9) == kind.soldiers or kind.name == "strongpoint"
        if kind.soldiers:
            assert not any(WEAPONS[name].vehicle for name in kind.slots)
    assert TYPES["turret"].armour == MILITARY["turret"]
    assert TYPES["strongpoint"].armour == TYPES["automated_strongpoint"].armour == MILITARY["strongpoint"]


@pytest.mark.clause("AC-HOUSE-AREA")
def test_who_is_caught() -> None:
    one = fire.circle(100)
    assert one == 31415
    assert fire.caught(4, 100, fire.OPEN_AREA, half=False) == 2  # 4 x 3.14 / 9 = 1.4
    assert fire.caught(4, 150, fire.OPEN_AREA, half=False) == 4  # 4 x 7.07 / 9 = 3.1
    assert fire.caught(4, 100, 360_000, half=True) == 1
    assert fire.caught(4, 250, 360_000, half=False) == 3  # 4 x 19.6 / 36 = 2.2
    assert fire.caught(1, 500, 360_000, half=False) == 1


@pytest.mark.clause("AC-HOUSE-STRUCT")
def test_half_a_floor() -> None:
    assert not fire.covers_half(200, 360_000, half=True)
    assert fire.covers_half(250, 360_000, half=False)  # 19.6 of 36
    assert not fire.covers_half(239, 360_000, half=False)
    assert fire.covers_half(150, 70_000, half=True)


@pytest.mark.clause("AC-POINT-1")
def test_points_by_variant_1() -> None:
    assert [damage.points_lost(1, 7, area, pen) for area, pen in product((False, True), repeat=2)] == [
        0,
        1,
        0,
        1,
    ]


@pytest.mark.clause("AC-POINT-2")
def test_points_by_variant_2() -> None:
    """The heavy fusion rifle: 1 for a hit, 7 for a penetration."""
    rifle = WEAPONS["heavy_fusion_rifle"]
    lost = [damage.points_lost(2, rifle.factor, bool(rifle.radius), pen) for pen in (False, True)]
    assert lost == [1, 7]


@pytest.mark.clause("AC-POINT-3")
def test_points_by_variant_3() -> None:
    """The heavy fusion rifle, which has an effect area: 2 and 14; a bolt rifle, which has none: 1 and 5."""
    rifle, bolt = WEAPONS["heavy_fusion_rifle"], WEAPONS["bolt_rifle"]
    assert [damage.points_lost(3, rifle.factor, bool(rifle.radius), pen) for pen in (False, True)] == [2, 14]
    assert [damage.points_lost(3, bolt.factor, bool(bolt.radius), pen) for pen in (False, True)] == [1, 5]


@pytest.mark.clause("AC-POINT-5", "AC-HOUSE-POINTS")
def test_stands_on() -> None:
    assert damage.stands_on(40, 100) == 6  # 40% lost: 1 to 6
    assert [damage.stands_on(lost, 24) for lost in (0, 2, 3, 5, 12, 23)] == [10, 10, 9, 8, 5, 1]


@pytest.mark.clause("AC-POINT-4", "AC-HOUSE-POINTS")
def test_default_points() -> None:
    assert works.POINTS == {1: 6, 2: 12, 3: 24}


@pytest.mark.clause("AC-ENG-1", "AC-HOUSE-POINTS")
def test_wall_points() -> None:
    assert [works.wall_points(c) for c in (3, 4, 6, 7, 9)] == [2, 2, 3, 4, 5]
