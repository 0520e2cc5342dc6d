"""The tables entry by entry, and what they come to against an independent dice library (RG-HOUSE-SHOOT, RG-HOUSE-FIGHT)."""

from __future__ import annotations

from fractions import Fraction

import pytest
from icepool import d6

from battlesim.rulesets.regiment import casualties
from battlesim.rulesets.regiment.data import TYPES
from battlesim.rulesets.regiment.fire import Volley
from battlesim.rulesets.regiment.ruleset import RULESET
from battlesim.rulesets.regiment.tables import (
    IMPOSSIBLE,
    close_need,
    flight_dice,
    hit_chance,
    save_need,
    shot_need,
    tells,
    wound_need,
)
from battlesim.search.odds import distribution, odds_of, outcomes
from tests.rulesets.regiment.grounds import FIELD, SOUTH
from tests.rulesets.regiment.kit import Table, unit


@pytest.mark.clause("RG-HOUSE-SHOOT")
@pytest.mark.parametrize(
    ("bs", "far", "moved", "cover", "large", "need"),
    [
        (1, False, False, 0, False, 6),
        (2, False, False, 0, False, 5),
        (3, False, False, 0, False, 4),
        (4, False, False, 0, False, 3),
        (5, False, False, 0, False, 2),
        (6, False, False, 0, False, 2),
        (3, True, False, 0, False, 5),
        (3, False, True, 0, False, 5),
        (3, False, False, 1, False, 5),
        (3, False, False, 2, False, 6),
        (3, False, False, 0, True, 3),
        (3, True, True, 1, False, 7),
        (3, True, True, 2, False, 8),
        (2, True, True, 2, False, 9),
        (1, True, True, 2, False, IMPOSSIBLE),
        (0, False, False, 0, True, IMPOSSIBLE),
    ],
)
def test_to_hit(bs: int, far: bool, moved: bool, cover: int, large: bool, need: int) -> None:
    assert shot_need(bs, far, moved, cover, large) == need


@pytest.mark.clause("RG-HOUSE-SHOOT")
@pytest.mark.parametrize(("need", "second"), [(7, 4), (8, 5), (9, 6)])
def test_more_than_six_is_a_six_and_then_more(need: int, second: int) -> None:
    table = Table(
        FIELD,
        unit("archers", at="g2.2"),
        unit("levy", at="g4.2", side=1),
        dice=[[6, 5, 6], [second, second - 1]],
    )
    assert casualties.hits(table.r, 3, need, "shot", 0, 1) == 1
    table.dice.done()
    found = odds_of(table.state, FIELD, lambda r: casualties.hits(r, 1, need, "shot", 0, 1))
    assert found[1] == Fraction(1, 6) * Fraction(7 - second, 6)
    assert hit_chance(need) == pytest.approx(float(found[1]))


@pytest.mark.clause("RG-HOUSE-SHOOT")
def test_strength_against_toughness() -> None:
    rows = {
        1: (4, 5, 6, 6, 6, 6),
        2: (3, 4, 5, 6, 6, 6),
        3: (2, 3, 4, 5, 6, 6),
        4: (2, 2, 3, 4, 5, 6),
        5: (2, 2, 2, 3, 4, 5),
        6: (2, 2, 2, 2, 3, 4),
        10: (2, 2, 2, 2, 2, 2),
    }
    for strength, needs in rows.items():
        assert tuple(wound_need(strength, toughness) for toughness in range(1, 7)) == needs


@pytest.mark.clause("RG-HOUSE-TRAITS")
def test_a_six_always_wounds() -> None:
    assert [wound_need(1, toughness) for toughness in (5, 8, 10)] == [6, 6, 6]


@pytest.mark.clause("RG-HOUSE-SHOOT")
def test_armour_is_worse_by_each_point_of_strength_over_three() -> None:
    assert [save_need(4, strength) for strength in range(1, 8)] == [4, 4, 4, 5, 6, 7, 7]
    assert [save_need(2, strength) for strength in (3, 5, 7, 8)] == [2, 4, 6, 7]
    assert save_need(0, 3) == 7


@pytest.mark.clause("RG-HOUSE-SHOOT")
def test_wards_are_not_modified_by_strength() -> None:
    trolls = unit("trolls", at="g4.2", side=1)
    table = Table(FIELD, unit("archers", at="g2.2"), trolls, dice=[[6, 6], [5, 4]])
    assert casualties.unsaved(table.r, 2, 10, table.unit(1), "shot", 0) == 1
    table.dice.done()


@pytest.mark.clause("RG-HOUSE-FIGHT")
def test_weapon_skill_against_weapon_skill() -> None:
    assert [close_need(3, enemy) for enemy in range(1, 9)] == [3, 3, 4, 4, 4, 4, 5, 5]
    assert close_need(2, 5) == 5
    assert close_need(2, 4) == 4


@pytest.mark.clause("RG-HOUSE-FLEE")
def test_fast_units_flee_on_three_dice() -> None:
    assert [flight_dice(move) for move in (4, 6, 7, 9)] == [2, 2, 3, 3]


@pytest.mark.clause("RG-HOUSE-SHOOT")
@pytest.mark.parametrize(("target", "at"), [("levy", "g4.6"), ("knights", "g4.5"), ("trolls", "g4.5")])
def test_a_volley_against_exact_arithmetic(target: str, at: str) -> None:
    """Wounds of a volley, distribution by distribution: hit, wound, save and ward of every die are independent."""
    table = Table(FIELD, unit("archers", at="g4.8", facing=SOUTH), unit(target, at=at, side=1, models=30))
    kind = table.unit(1).kind
    endings = outcomes(table.state, FIELD, RULESET, Volley(0, 1), answer=RULESET.safe_answer)
    assert sum(e.chance for e in endings) == 1
    foe = table.unit(1)
    profile = TYPES[kind]
    save, ward = save_need(profile.save, 3), profile.ward or 7
    one = d6.map(
        lambda face: (
            0
            if face < 4
            else d6.map(
                lambda w: (
                    0
                    if w < wound_need(3, profile.t)
                    else d6.map(lambda s: 0 if s >= save else d6.map(lambda x: int(x < ward)))
                )
            )
        )
    )
    whole = 6 @ one
    expected = {int(n): Fraction(whole.quantity(n), whole.denominator()) for n in whole.outcomes()}

    def taken(state: object) -> int:
        after = state.units[1]  # type: ignore[attr-defined]
        return (foe.models - after.models) * profile.w + after.own.wounds

    assert distribution(endings, taken) == {n: chance for n, chance in expected.items() if chance}


def test_expectations_are_those_of_the_tables() -> None:
    assert tells(3, 3, 5, 0) == pytest.approx(0.5 * 4 / 6)
