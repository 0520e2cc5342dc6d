"""The table of weapons and the traits, entry by entry (OD-HOUSE-WEAPONS, OD-HOUSE-TRAITS, OD-HOUSE-SIGHT)."""

from __future__ import annotations

import pytest

from battlesim.core.geometry import INCH
from battlesim.rulesets.orderdice.armament import armament
from battlesim.rulesets.orderdice.data import D6_SHOTS, TYPES, WEAPONS
from tests.rulesets.orderdice.grounds import plain
from tests.rulesets.orderdice.kit import Table, unit

# name: range, shots, penetration, HE class, minimum range of indirect fire, traits; as the clause lists them
TABLE: dict[str, tuple[int, int, int, int, int, str]] = {
    "rifle": (24, 1, 0, 0, 0, ""),
    "pistol": (6, 1, 0, 0, 0, ""),
    "smg": (12, 2, 0, 0, 0, "assault"),
    "automatic_rifle": (30, 2, 0, 0, 0, ""),
    "lmg": (36, 4, 0, 0, 0, "team"),
    "mmg": (36, 5, 0, 0, 0, "team fixed"),
    "hmg": (36, 3, 1, 0, 0, "team fixed"),
    "at_rifle": (36, 1, 2, 0, 0, "team"),
    "bazooka": (24, 1, 5, 0, 0, "shaped"),
    "one_shot_launcher": (12, 1, 6, 0, 0, "one_shot shaped"),
    "light_at_gun": (48, 1, 4, 1, 0, "fixed"),
    "medium_at_gun": (60, 1, 5, 1, 0, "fixed"),
    "heavy_at_gun": (72, 1, 6, 1, 0, "fixed"),
    "light_mortar": (24, 1, 0, 1, 12, "indirect"),
    "medium_mortar": (60, 1, 0, 2, 12, "indirect"),
    "heavy_mortar": (72, 1, 0, 3, 12, "indirect"),
    "light_howitzer": (48, 1, 0, 2, 24, "indirect direct"),
    "medium_howitzer": (60, 1, 0, 3, 24, "indirect direct"),
    "heavy_howitzer": (72, 1, 0, 4, 24, "indirect direct"),
    "flamethrower": (6, D6_SHOTS, 2, 0, 0, "flame"),
}
TRAITS = ("assault", "team", "fixed", "flame", "shaped", "one_shot", "indirect")


@pytest.mark.clause("OD-HOUSE-WEAPONS")
def test_the_data_hold_exactly_the_weapons_of_the_table() -> None:
    assert sorted(WEAPONS) == sorted(TABLE)


@pytest.mark.clause("OD-HOUSE-WEAPONS")
@pytest.mark.parametrize("name", TABLE)
def test_a_weapon_is_as_the_table_says(name: str) -> None:
    reach, shots, penetration, he, minimum, traits = TABLE[name]
    weapon = WEAPONS[name]
    assert (weapon.range, weapon.minimum) == (reach * INCH, minimum * INCH)
    assert (weapon.shots, weapon.penetration, weapon.he) == (shots, penetration, he)
    assert [trait for trait in TRAITS if getattr(weapon, trait)] == [t for t in TRAITS if t in traits.split()]
    assert weapon.direct == ("indirect" not in traits or "direct" in traits.split())


@pytest.mark.clause("OD-HOUSE-TRAITS")
def test_small_arms_are_those_without_penetration_and_shells() -> None:
    small = [name for name, weapon in WEAPONS.items() if weapon.small]
    assert sorted(small) == ["automatic_rifle", "lmg", "mmg", "pistol", "rifle", "smg"]


@pytest.mark.clause("OD-HOUSE-WEAPONS")
def test_every_weapon_is_carried_by_some_unit() -> None:
    carried = {name for kind in TYPES.values() for name in kind.slots}
    carried |= {name for kind in TYPES.values() for _, name in kind.mounts}
    assert set(WEAPONS) <= carried


@pytest.mark.clause("OD-HOUSE-SIGHT")
def test_riflemen_die_first_then_the_loader_the_gunner_and_last_the_leader() -> None:
    carried = [
        [arm.weapon.name for arm in armament("rifle_section", models, ()).arms] for models in range(10, 0, -1)
    ]
    assert carried[0] == ["smg", "lmg"] + 7 * ["rifle"]
    assert carried[6] == ["smg", "lmg", "rifle"]  # 4 men: leader, gunner, loader, rifleman
    assert carried[7] == ["smg", "lmg"]  # 3: the loader has no weapon of his own
    assert carried[8] == ["smg", "lmg"]
    assert carried[9] == ["smg"]


@pytest.mark.clause("OD-HOUSE-TRAITS")
def test_the_last_man_of_a_weapon_team_is_alone() -> None:
    assert [armament("mmg_team", models, ()).arms[0].alone for models in (3, 2, 1)] == [False, False, True]
    assert [armament("at_rifle_team", models, ()).arms[0].alone for models in (2, 1)] == [False, True]
    gunner = [armament("rifle_section", models, ()).arms[1].alone for models in (4, 3, 2)]
    assert gunner == [False, False, True]


@pytest.mark.clause("OD-HOUSE-TRAITS")
def test_one_man_with_a_weapon_that_needs_no_team_is_not_alone() -> None:
    assert not armament("bazooka_team", 1, ()).arms[0].alone
    assert not armament("officer", 1, ()).arms[0].alone


def test_a_table_starts_with_a_die_in_the_bag_for_each_unit_without_one() -> None:
    table = Table(plain(), unit("officer", at="g1.1"), unit("officer", at="g9.1", side=1, order="down"))
    assert table.state.extra.bag.dice == ((0,), ())
