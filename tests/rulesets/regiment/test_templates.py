"""Stones, flames and breath, and which floor they strike (RG-SHOOT-3, RG-SHOOT-5, RG-SHOOT-6, RG-HOUSE-AIM)."""

from __future__ import annotations

from typing import Any

import pytest

from battlesim.rulesets.regiment import facts, rooms, targets
from battlesim.rulesets.regiment.templates import flame_models
from tests.rulesets.regiment.grounds import FIELD, HOUSE, ROW, SOUTH, TALL, house
from tests.rulesets.regiment.kit import Table, unit
from tests.rulesets.regiment.test_engines import EIGHT, FOUR, SIX, TEN, TWO, fired, lost, purposes

# ---- tall buildings --------------------------------------------------------------------------------------------------


@pytest.mark.clause("RG-SHOOT-5")
def test_a_balls_impact_on_a_tall_building_hits_the_upper_floor_else_the_ground_floor() -> None:
    units = (
        unit("cannon", at="g0.4"),
        unit("levy", at="house.1:0", side=1),
        unit("spearmen", at="house.1:3", side=1),
    )
    on_it = fired(TALL, *units, dice=[SIX, 2, [2, 2], 1])
    assert (lost(on_it, 1), lost(on_it, 2)) == (0, 2)
    on_it.done()
    before_it = fired(TALL, *units, dice=[TWO, TWO, 2, [2, 2]])
    assert (lost(before_it, 1), lost(before_it, 2)) == (2, 0)
    before_it.done()


@pytest.mark.clause("RG-SHOOT-5", "RG-PART-3")
def test_only_the_room_that_is_struck_becomes_unstable() -> None:
    table = fired(
        TALL,
        unit("cannon", at="g0.4"),
        unit("levy", at="house.1:0", side=1),
        unit("spearmen", at="house.1:3", side=1),
        dice=[SIX, 1, [1], 3, [3, 4]],
    )
    assert rooms.is_unstable(table.state, table.room("house.1:3"))
    assert not rooms.is_unstable(table.state, table.room("house.1:0"))
    assert [t.unit for t in table.events(facts.Tested)] == [2]
    table.done()


@pytest.mark.clause("RG-SHOOT-5")
@pytest.mark.parametrize("floor", ["house.1:0", "house.1:3"])
def test_a_stone_needs_no_sight_and_chooses_its_floor(floor: str) -> None:
    """Scatter 1-2: it comes down where it was aimed."""
    other = "house.1:3" if floor == "house.1:0" else "house.1:0"
    table = fired(
        TALL,
        unit("stone_thrower", at="g0.0"),
        unit("levy", at=floor, side=1),
        unit("levy", at=other, side=1),
        dice=[FOUR, 1, [4, 4, 4, 4, 2], 1],
    )
    assert (lost(table, 1), lost(table, 2)) == (4, 0)
    assert "RG-SHOOT-5" in table.clauses()
    table.done()


@pytest.mark.clause("RG-SHOOT-5")
def test_a_stone_that_drifts_on_to_a_tall_building_hits_the_upper_floor_its_rim_the_lower() -> None:
    units = (
        unit("stone_thrower", at="g4.9", facing=SOUTH),
        unit("levy", at="g4.4", side=1),
        unit("levy", at="house.1:0", side=1),
        unit("levy", at="house.1:3", side=1),
    )
    board = house(floors=4)
    assert board.by_name.get("g4.4") is None  # the house stands there: aim at a place beside it
    beside = (units[0], unit("levy", at="g2.4", side=1), *units[2:])
    table = fired(board, *beside, dice=[SIX, 3, 1, [4, 4, 4, 4, 4], 1])  # six inches east: hole on the house
    assert (lost(table, 2), lost(table, 3)) == (0, 5)
    table.done()
    table = fired(board, *beside, dice=[FOUR, 3, 1, [4, 4, 4, 4, 4]])  # four: half an inch before its wall
    assert (lost(table, 2), lost(table, 3)) == (5, 0)
    assert "walls" not in purposes(table)
    table.done()


@pytest.mark.clause("RG-SHOOT-5")
def test_only_what_flies_aims_flames_at_an_upper_floor() -> None:
    table = Table(
        TALL,
        unit("flame_cannon", at="g2.4"),
        unit("drake", at="g2.5"),
        unit("levy", at="house.1:0", side=1),
        unit("levy", at="house.1:3", side=1),
    )
    assert targets.shooting_targets(table.state, TALL, table.unit(0)) == [2]
    assert targets.shooting_targets(table.state, TALL, table.unit(1)) == [2, 3]
    table = fired(TALL, unit("drake", at="g2.4"), unit("levy", at="house.1:3", side=1), dice=[[4] * 10])
    assert lost(table, 1) == 10
    table.done()


# ---- templates -------------------------------------------------------------------------------------------------------


@pytest.mark.clause("RG-SHOOT-3")
def test_a_round_template_counts_five_of_a_garrison_and_none_under_the_hole() -> None:
    table = fired(
        HOUSE,
        unit("stone_thrower", at="g0.0"),
        unit("levy", at="house.1:0", side=1),
        dice=[FOUR, 2, [4] * 5, 1],
    )
    assert lost(table, 1) == 5
    assert purposes(table) == ["artillery", "scatter", "template wound", "walls"]
    table.done()
    roomy = house(own="{garrison: {roomy: true}}")
    table = fired(
        roomy,
        unit("stone_thrower", at="g0.0"),
        unit("ogres", at="house.1:0", side=1),
        dice=[FOUR, 2, [4, 4], 1],
    )
    assert (table.unit(1).models, table.unit(1).own.wounds) == (6, 2)
    table.done()


@pytest.mark.clause("RG-HOUSE-AIM")
def test_a_stone_in_the_open_has_one_under_its_hole_and_eight_about_it() -> None:
    table = fired(
        FIELD,
        unit("stone_thrower", at="g1.4"),
        unit("spearmen", at="g8.4", side=1),
        dice=[FOUR, 1, [2], [4, 4, 4, 4, 1, 1, 1, 1], [5, 5, 4, 4], [3, 3]],
    )
    assert lost(table, 1) == 1 + 4  # armour of 5 is 6 against S 4
    table.done()


@pytest.mark.clause("RG-SHOOT-3", "RG-SHOOT-6", "RG-PART-3")
def test_a_stone_on_one_part_lies_partly_on_the_next() -> None:
    """Ten inches east: its hole is half an inch from the wall between the two."""
    table = fired(
        ROW,
        unit("stone_thrower", at="g4.9", facing=SOUTH),
        unit("levy", at="g2.4", side=1),
        unit("levy", at="row.r1:0", side=1),
        unit("levy", at="row.r2:0", side=1),
        dice=[TEN, 3, 1, [4, 4, 1, 1, 1], 1, [4, 1, 1, 1, 1]],
    )
    assert (lost(table, 1), lost(table, 2), lost(table, 3)) == (0, 2, 1)
    assert purposes(table).count("walls") == 1
    table.done()


@pytest.mark.clause("RG-HOUSE-AIM")
def test_a_stone_on_a_house_touches_with_its_rim_who_stands_beside_it() -> None:
    """Ten inches north-east: its hole is on the house, two inches from its besiegers, and none of them is under it."""
    table = fired(
        HOUSE,
        unit("stone_thrower", at="g4.9", facing=SOUTH),
        unit("levy", at="g2.3", side=1),
        unit("levy", at="house.1:0", side=1),
        unit("levy", at="g4.6"),
        dice=[TEN, 3, 2, [4, 4, 1, 1, 1], 1, [4, 1, 1, 1]],
    )
    assert (lost(table, 1), lost(table, 2), lost(table, 3)) == (0, 2, 1)
    table.done()


@pytest.mark.clause("RG-HOUSE-AIM")
def test_a_stone_that_drifts_two_inches_touches_with_its_rim() -> None:
    table = fired(
        FIELD,
        unit("stone_thrower", at="g1.4"),
        unit("levy", at="g8.4", side=1),
        dice=[TWO, 3, 3, [4, 4, 4, 1]],
    )
    assert lost(table, 1) == 3
    table.done()
    far = fired(FIELD, unit("stone_thrower", at="g1.4"), unit("levy", at="g8.4", side=1), dice=[FOUR, 3, 3])
    assert lost(far, 1) == 0
    far.done()


@pytest.mark.clause("RG-HOUSE-AIM")
@pytest.mark.parametrize(
    ("at", "face", "direction", "dice"),
    [
        ("g9.4", TWO, 1, [[4, 1, 1, 1], [2], [1] * 8]),  # an inch short of those, two from these
        ("g9.5", FOUR, 2, [[2], [1] * 8]),  # four inches aslant are under three each way
    ],
)
def test_a_stone_drifts_so_many_inches_whichever_way(
    at: str, face: int, direction: int, dice: list[Any]
) -> None:
    """On friend and foe alike."""
    for side in (0, 1):
        table = fired(
            FIELD,
            unit("stone_thrower", at="g1.4"),
            unit("levy", at="g8.4", side=1),
            unit("levy", at=at, side=side),
            dice=[face, 3, direction, *dice],
        )
        assert lost(table, 2) == 1
        table.done()


@pytest.mark.clause("RG-HOUSE-AIM")
@pytest.mark.parametrize(
    ("kind", "models", "under"),
    [("levy", 3, 2), ("levy", 9, 8), ("levy", 12, 8), ("ogres", 6, 3), ("levy", 1, 0)],
)
@pytest.mark.parametrize("dies", [True, False])
def test_nine_infantry_lie_under_a_stone_with_the_one_under_its_hole_dead_or_not(
    kind: str, models: int, under: int, dies: bool
) -> None:
    """Fewer on broader bases; who is hit by the middle is one of them."""
    dice: list[Any] = [FOUR, 1, [2 if dies else 1]]
    if dies and kind == "ogres":
        dice.append([3])
    if under:
        dice.append([1] * under)
    if dies and 4 > models > 1:
        dice.append([1, 1])  # a quarter lost
    table = fired(
        FIELD, unit("stone_thrower", at="g1.4"), unit(kind, at="g8.4", side=1, models=models), dice=dice
    )
    assert lost(table, 1) == dies
    table.done()


@pytest.mark.clause("RG-SHOOT-5")
def test_a_stone_that_drifts_about_on_a_tall_building_hits_its_upper_floor() -> None:
    """Aimed at the ground floor; two inches on it is over the roof still, but came down where it would."""
    table = fired(
        TALL,
        unit("stone_thrower", at="g0.0"),
        unit("levy", at="house.1:0", side=1),
        unit("levy", at="house.1:3", side=1),
        dice=[TWO, 3, 1, [4] * 5, 1],
    )
    assert (lost(table, 1), lost(table, 2)) == (0, 5)
    table.done()


@pytest.mark.clause("RG-HOUSE-AIM")
@pytest.mark.parametrize(("face", "models"), [(TWO, 5), (FOUR, 10), (SIX, 5), (EIGHT, 0)])
def test_a_flame_in_the_open_counts_ten_within_an_inch_five_within_two_and_a_half(
    face: int, models: int
) -> None:
    """Nine inches off, aimed four short: two too short, upon it, two and four too far."""
    dice: list[Any] = [face] + ([[1] * models] if models else [])
    table = fired(FIELD, unit("flame_cannon", at="g1.4"), unit("levy", at="g4.4", side=1), dice=dice)
    assert [struck.number for struck in table.happened("struck")] == ([models] if models else [])
    table.done()


@pytest.mark.clause("RG-SHOOT-3", "RG-SHOOT-6")
def test_a_flame_wholly_on_the_building_counts_ten_partly_five() -> None:
    polygon = HOUSE.sections[0].polygon
    found = {
        x: flame_models(polygon, (x, 1500))
        for x in (1000, 1074, 1075, 1200, 1324, 1325, 1500, 1675, 1676, 1900, 1926)
    }
    assert found == {
        1000: 0, 1074: 0, 1075: 5, 1200: 5, 1324: 5, 1325: 10, 1500: 10, 1675: 10, 1676: 5, 1900: 5, 1926: 0,
    }  # fmt: skip


@pytest.mark.clause("RG-SHOOT-3", "RG-SHOOT-6")
@pytest.mark.parametrize(("face", "models"), [(TWO, 0), (FOUR, 5), (SIX, 10), (EIGHT, 10), (TEN, 5)])
def test_a_flame_cannon_leaps_as_its_die_shows(face: int, models: int) -> None:
    """From g2.4 the wall is 4.5 inches away; it is aimed four short."""
    dice: list[Any] = [face] + ([[4] * models] if models else [])
    if models:
        dice[1] = [4] * models
    table = fired(HOUSE, unit("flame_cannon", at="g2.4"), unit("levy", at="house.1:0", side=1), dice=dice)
    assert lost(table, 1) == models
    assert ("RG-SHOOT-6" in table.clauses()) == (models == 5)
    table.done()


@pytest.mark.clause("RG-SHOOT-3", "RG-SHOOT-6")
def test_of_monstrous_infantry_a_flame_counts_two_where_it_lies_partly_but_ten_wholly_on_the_building() -> (
    None
):
    """The two of RG-SHOOT-6 stand beside its five; wholly on the building the clause knows only one number."""
    roomy = house(own="{garrison: {roomy: true}}")
    for face, hit in ((FOUR, 2), (SIX, 8)):
        table = fired(
            roomy,
            unit("flame_cannon", at="g2.4"),
            unit("ogres", at="house.1:0", side=1, models=8),
            dice=[face, [1] * hit],
        )
        (struck,) = table.happened("struck")
        assert struck.number == hit
        table.done()
    breathed = fired(
        roomy,
        unit("drake", at="g2.4"),
        unit("ogres", at="house.1:0", side=1, models=12),
        dice=[[1] * 10],
    )
    assert [struck.number for struck in breathed.happened("struck")] == [10]


@pytest.mark.clause("RG-HOUSE-AIM")
def test_breath_needs_no_die_and_ten_lie_under_it_where_it_is_near() -> None:
    for at, models in (("g4.5", 10), ("g5.5", 10), ("g4.4", 5)):
        table = fired(
            FIELD,
            unit("drake", at="g4.6", facing=SOUTH),
            unit("levy", at=at, side=1),
            dice=[[1] * models],
        )
        (struck,) = table.happened("struck")
        assert struck.number == models
        table.done()
