"""Combat results: what counts, and what comes of it (RG-RES-1..2, RG-HOUSE-RESULT, RG-HOUSE-RANKS)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from icepool import d6

from battlesim.board.board import Board
from battlesim.rulesets.regiment import facts, form, model, morale, result
from battlesim.rulesets.regiment.result import BreakTest, Score, Tally, tally
from battlesim.rulesets.regiment.ruleset import RULESET
from battlesim.search.odds import chance_of, outcomes
from tests.rulesets.regiment.grounds import EAST, FIELD, HOUSE, NORTH, WEST, field, house
from tests.rulesets.regiment.kit import Table, unit


def tallies(table: Table) -> tuple[Tally, Tally]:
    """The points of both sides of the fight that unit 0 is in, without wounds."""
    sides = [
        [u for u in table.state.units.values() if u.side == s and model.leads(u) and u.own.foes]
        for s in (0, 1)
    ]
    return (
        tally(table.state, table.board, 0, sides[0], sides[1]),
        tally(table.state, table.board, 0, sides[1], sides[0]),
    )


def pair(
    board: Board, one: dict[str, Any], two: dict[str, Any], *more: dict[str, Any], **options: Any
) -> Table:
    return Table(board, one, two, *more, **options)


def inside(kind: str, board: Board = HOUSE, attacker: str = "levy", dice: Any = (), **more: Any) -> Table:
    """A garrison (unit 1) attacked by one unit from the west."""
    return Table(
        board,
        unit(attacker, at="g3.4", facing=EAST, foes={1: 0}),
        unit(kind, at="house.1:0", side=1, foes={0: 0}, **more),
        dice=dice,
    )


# ---- passive points --------------------------------------------------------------------------------------------------


@pytest.mark.clause("RG-HOUSE-RESULT")
@pytest.mark.parametrize(
    ("models", "ranks"), [(4, 0), (5, 0), (9, 0), (10, 1), (14, 1), (15, 2), (20, 3), (30, 3)]
)
def test_full_ranks_behind_the_first_count_up_to_three(models: int, ranks: int) -> None:
    table = Table(FIELD, unit("levy", at="g4.4", models=models))
    assert form.full_ranks(table.unit(0), None) == ranks


@pytest.mark.clause("RG-HOUSE-RESULT")
def test_a_formation_counts_as_it_stands_and_below_five_wide_not_at_all() -> None:
    table = Table(
        FIELD,
        unit("levy", at="g4.4", files=10),
        unit("levy", at="g5.4", files=4),
        unit("giant", at="g6.4"),
        unit("cannon", at="g7.4"),
        unit("knights", at="g8.4", models=12),
        unit("chariot", at="g9.4", models=12, files=5),
    )
    assert [form.full_ranks(table.unit(n), None) for n in range(6)] == [1, 0, 0, 0, 1, 0]


@pytest.mark.clause("RG-RES-2")
def test_a_garrison_counts_its_ranks_at_minimum_width() -> None:
    table = inside("levy", files=10)
    assert form.full_ranks(table.unit(1), table.room("house.1:0")) == 3
    assert form.ranks(table.unit(1), table.room("house.1:0")) == 4
    ours, theirs = tallies(table)
    assert (ours.ranks, theirs.ranks) == (3, 3)
    assert "RG-RES-2" in theirs.clauses


@pytest.mark.clause("RG-HOUSE-RANKS")
def test_monstrous_infantry_ranks_are_four_wide() -> None:
    roomy = house(own="{garrison: {roomy: true}}")
    table = Table(FIELD, unit("ogres", at="g4.4", models=8), unit("ogres", at="g5.4", models=7))
    assert [form.full_ranks(table.unit(n), None) for n in (0, 1)] == [1, 0]
    held = inside("ogres", roomy, models=8, files=8)
    assert form.full_ranks(held.unit(1), held.room("house.1:0")) == 1


@pytest.mark.clause("RG-HOUSE-RESULT")
def test_numbers_standard_flank_and_rear() -> None:
    table = pair(
        FIELD,
        unit("spearmen", at="g4.4", foes={1: 0}),
        unit("levy", at="g5.4", side=1, facing=WEST, models=10, foes={0: 0}),
    )
    ours, theirs = tallies(table)
    assert ours.parts() == [
        ("wounds", 0), ("ranks", 3), ("standard", 1), ("numbers", 1), ("high ground", 0), ("flank or rear", 0),
    ]  # fmt: skip
    assert theirs.total == 1
    for arc, points in ((1, 1), (2, 2)):
        side = pair(
            FIELD,
            unit("levy", at="g4.4", foes={1: 0}),
            unit("levy", at="g5.4", side=1, facing=NORTH, foes={0: arc}),
        )
        assert tallies(side)[0].flank == points
        assert tallies(side)[1].flank == 0


@pytest.mark.clause("RG-HOUSE-RESULT")
def test_of_several_units_the_best_counts_not_their_sum() -> None:
    """Ranks of the deepest, one standard, one flank: the wounds alone add up."""
    table = Table(
        FIELD,
        unit("spearmen", at="g4.4", models=10, foes={2: 0}),
        unit("spearmen", at="g4.5", models=15, facing=7, foes={2: 0}),
        unit("levy", at="g5.4", side=1, facing=NORTH, models=5, foes={0: 1, 1: 2}),
    )
    ours, theirs = tallies(table)
    assert (ours.ranks, ours.standard, ours.flank, ours.outnumber) == (2, 1, 2, 1)
    assert theirs.total == 0
    even = pair(
        FIELD, unit("levy", at="g4.4", foes={1: 0}), unit("levy", at="g5.4", side=1, facing=WEST, foes={0: 0})
    )
    assert [tally.outnumber for tally in tallies(even)] == [0, 0]


@pytest.mark.clause("RG-HOUSE-RESULT", "RG-HOUSE-AURA")
def test_a_standard_is_one_though_a_character_bears_it() -> None:
    for kind, points in (("levy", 1), ("spearmen", 1), ("guard", 2)):
        table = Table(
            FIELD,
            unit(kind, at="g4.4", foes={1: 0}),
            unit("levy", at="g5.4", side=1, facing=WEST, foes={0: 0}),
            unit("standard_bearer", at="g4.4", joined=0),
        )
        assert tallies(table)[0].standard == points


@pytest.mark.clause("RG-RES-1")
def test_one_garrison_among_the_enemies_is_enough_to_deny_numbers() -> None:
    table = Table(
        HOUSE,
        unit("levy", at="g3.4", models=30, foes={1: 0, 2: 0}),
        unit("levy", at="house.1:0", side=1, models=5, foes={0: 0}),
        unit("levy", at="g2.4", side=1, models=5, facing=EAST, foes={0: 2}),
    )
    assert tallies(table)[0].outnumber == 0


@pytest.mark.clause("RG-HOUSE-RESULT")
def test_high_ground() -> None:
    hill = field("terrain: [{kind: hill, height: 2, rect: [12, 12, 15, 15]}]")
    table = pair(
        hill, unit("levy", at="g4.4", foes={1: 0}), unit("levy", at="g5.4", side=1, facing=WEST, foes={0: 0})
    )
    assert (tallies(table)[0].high, tallies(table)[1].high) == (1, 0)


@pytest.mark.clause("RG-HOUSE-RANKS")
def test_floors_are_no_high_ground() -> None:
    tall = house(floors=4)
    table = Table(
        tall,
        unit("levy", at="house.1:3", foes={1: 0}),
        unit("levy", at="house.1:0", side=1, foes={0: 0}),
    )
    assert (tallies(table)[0].high, tallies(table)[1].high) == (0, 0)


@pytest.mark.clause("RG-RES-1")
def test_a_garrison_never_gives_the_outnumbering_bonus_but_may_have_it() -> None:
    table = inside("levy", models=3)
    ours, _ = tallies(table)
    assert ours.outnumber == 0
    assert "RG-RES-1" in ours.clauses
    big = Table(
        HOUSE,
        unit("levy", at="g3.4", models=5, foes={1: 0}),
        unit("levy", at="house.1:0", side=1, foes={0: 0}),
    )
    assert (tallies(big)[0].outnumber, tallies(big)[1].outnumber) == (0, 1)


@pytest.mark.clause("RG-RES-1")
@pytest.mark.parametrize(("kind", "points"), [("spearmen", 1), ("guard", 2), ("levy", 0)])
def test_a_garrison_has_no_use_of_standards_not_even_magic_ones(kind: str, points: int) -> None:
    outside = pair(
        FIELD, unit(kind, at="g4.4", foes={1: 0}), unit("levy", at="g5.4", side=1, facing=WEST, foes={0: 0})
    )
    assert tallies(outside)[0].standard == points
    assert tallies(inside(kind))[1].standard == 0


@pytest.mark.clause("RG-RES-1")
def test_nor_of_a_bearer_of_the_army_standard_with_it() -> None:
    table = Table(
        HOUSE,
        unit("levy", at="g3.4", foes={1: 0}),
        unit("levy", at="house.1:0", side=1, foes={0: 0}),
        unit("standard_bearer", at="house.1:0", side=1, joined=1),
    )
    assert tallies(table)[1].standard == 0


# ---- the result of a round -------------------------------------------------------------------------------------------


@pytest.mark.clause("RG-HOUSE-RANKS")
def test_a_draw_is_fought_on() -> None:
    table = pair(
        FIELD, unit("levy", at="g4.4", foes={1: 0}), unit("levy", at="g5.4", side=1, facing=WEST, foes={0: 0})
    )
    table.do(Score((0, 1), ()))
    (scored,) = table.events(facts.Result)
    assert (scored.side, scored.points) == (-1, (3, 3))
    assert "RG-HOUSE-RANKS" in scored.clauses
    assert table.unit(0).own.foes == ((1, 0),)
    table.done()


@pytest.mark.clause("RG-HOUSE-TRAITS")
def test_a_musician_wins_a_draw_by_one() -> None:
    table = pair(
        FIELD,
        unit("archers", at="g4.4", models=20, files=5, foes={1: 0}),
        unit("levy", at="g5.4", side=1, facing=WEST, foes={0: 0}),
        dice=[[1, 1]],
    )
    table.do(Score((0, 1), ()))
    (scored,) = table.events(facts.Result)
    assert (scored.side, scored.by, scored.points) == (0, 1, (3, 3))
    table.done()


@pytest.mark.clause("RG-HOUSE-TRAITS", "RG-HOUSE-RANKS")
def test_but_not_against_another_musician() -> None:
    table = pair(
        FIELD,
        unit("archers", at="g4.4", models=20, files=5, foes={1: 0}),
        unit("archers", at="g5.4", side=1, models=20, files=5, facing=WEST, foes={0: 0}),
    )
    table.do(Score((0, 1), ()))
    assert [(scored.side, scored.by) for scored in table.events(facts.Result)] == [(-1, 0)]
    table.done()


@pytest.mark.clause("RG-HOUSE-RESULT")
def test_wounds_count_of_the_dead_and_of_characters_too() -> None:
    table = pair(
        FIELD,
        unit("levy", at="g4.4", foes={1: 0}, dealt=1),
        unit("levy", at="g5.4", side=1, facing=WEST, foes={0: 0}),
        unit("captain", at="g4.4", joined=0, dealt=2),
        dice=[[1, 1]],
    )
    table.do(Score((0, 1, 2), ()))
    (scored,) = table.events(facts.Result)
    assert scored.points[0] == 3 + 3 + 1  # wounds, ranks, numbers
    table.done()


@pytest.mark.clause("RG-HOUSE-RESULT")
def test_every_unit_of_the_losing_side_tests() -> None:
    table = Table(
        FIELD,
        unit("levy", at="g4.4", models=5, foes={2: 0}),
        unit("levy", at="g4.5", models=5, facing=7, foes={2: 0}),
        unit("swordsmen", at="g5.4", side=1, facing=WEST, foes={0: 0, 1: 0}),
        dice=[[1, 1], [1, 1]],
    )
    table.do(Score((0, 1, 2), ()))
    assert [t.unit for t in table.events(facts.Tested)] == [0, 1]
    table.done()


@pytest.mark.clause("RG-HOUSE-FIGHT")
def test_a_charge_is_fought_once() -> None:
    table = pair(
        FIELD,
        unit("levy", at="g4.4", charged=True, foes={1: 0}),
        unit("levy", at="g5.4", side=1, facing=WEST, foes={0: 0}),
    )
    table.do(Score((0, 1), ()))
    assert not table.unit(0).own.charged
    table.done()


# ---- exact odds ------------------------------------------------------------------------------------------------------


@pytest.mark.clause("RG-HOUSE-RESULT", "RG-HOUSE-AURA")
@pytest.mark.parametrize("by", [1, 3, 5])
def test_the_chance_to_stand_against_exact_arithmetic(by: int) -> None:
    for bearer in (False, True):
        units = [unit("levy", at="g4.4")]
        if bearer:
            units.append(unit("standard_bearer", at="g6.4"))
        table = Table(FIELD, *units)
        endings = outcomes(table.state, FIELD, RULESET, BreakTest(0, by))
        fails = (2 @ d6) > max(2, 6 - by)
        chance = Fraction(fails.quantity(True), fails.denominator())
        expected = 1 - (chance * chance if bearer else chance)
        assert chance_of(endings, lambda s: not s.units[0].own.fleeing) == expected


def test_a_tally_says_what_it_is_made_of() -> None:
    assert Tally(wounds=2, ranks=1).words == "3 (wounds 2, ranks 1)"
    assert Tally().words == "0"
    assert result.HELD == 2
    assert morale.AURA == 1200
