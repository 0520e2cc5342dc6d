"""Odds against exact arithmetic from an independent library, and what more dice and better cover may never do."""

from __future__ import annotations

from fractions import Fraction

import icepool
import pytest

from battlesim.core.state import Structure, fallen
from battlesim.rulesets.squadhex import expected as tables
from battlesim.rulesets.squadhex.attack import Attack
from battlesim.rulesets.squadhex.buildings import AttackBuilding
from battlesim.rulesets.squadhex.collapse import Fall
from battlesim.rulesets.squadhex.ruleset import RULESET
from battlesim.search import chance_of, distribution, mean, outcomes
from tests.rulesets.squadhex.kit import Table, unit


def hits(need: int, dice: int) -> icepool.Die:
    return dice @ icepool.Die([face >= need for face in range(1, 7)])


def net(dice: int, need: int, shield: int) -> dict[int, Fraction]:
    made = (hits(need, dice) - hits(5, shield)).map(lambda n: max(0, n)) if shield else hits(need, dice)
    return {int(k): made.probability(k) for k in made.outcomes()}


def end(table: Table, *work: object) -> list:  # type: ignore[type-arg]
    return outcomes(table.state, table.board, RULESET, *work, answer=RULESET.safe_answer)  # type: ignore[arg-type]


@pytest.mark.clause("SH-HOUSE-ATTACK", "SH-HOUSE-NORMAL")
@pytest.mark.parametrize(
    ("at", "place", "need", "shield"),
    [("g4.3", "hall.high:0", 4, 3), ("g8.3", "hut.only:0", 5, 2), ("g5.0", "g5.2", 5, 0)],
)
def test_casualties_are_as_exact_arithmetic_has_them(at: str, place: str, need: int, shield: int) -> None:
    table = Table(unit("rifle_squad", at=at), unit("rifle_squad", at=place, side=1))
    found = distribution(end(table, Attack(0, 1, "normal", "fire")), lambda s: 4 - s.units[1].models)
    assert {k: v for k, v in found.items() if v} == {k: v for k, v in net(4, need, shield).items() if v}


@pytest.mark.clause("SH-DEST-1", "SH-DEST-2", "SH-DEST-3", "SH-ROLL-1")
@pytest.mark.parametrize(
    ("house", "at", "whole"), [("hut.only", "g8.3", 6), ("hall.high", "g4.2", 9), ("hall.tower", "g4.7", 12)]
)
@pytest.mark.parametrize("weakened", [False, True])
def test_a_building_falls_as_often_as_exact_arithmetic_says(
    house: str, at: str, whole: int, weakened: bool
) -> None:
    number = Table().section(house)
    before = [Structure(number, own={"weakened": True})] if weakened else []
    table = Table(unit("heavy_infantry_gun", at=at), structures=before)
    ways = end(table, AttackBuilding(0, number, "fire"))
    exact = net(14, 5, 3)
    needed = (whole + 1) // 2 if weakened else whole
    assert chance_of(ways, lambda s: number in fallen(s)) == sum(p for k, p in exact.items() if k >= needed)
    falls, weakens = tables.walls(14, 5, needed, weakened)
    assert falls == pytest.approx(float(sum(p for k, p in exact.items() if k >= needed)))
    if not weakened:
        half = (whole + 1) // 2
        told = chance_of(ways, lambda s: number in s.structures and not s.structures[number].fallen)
        assert told == sum(p for k, p in exact.items() if half <= k < whole)
        assert weakens == pytest.approx(float(told))


@pytest.mark.clause("SH-FALL-1")
def test_those_inside_die_as_often_as_exact_arithmetic_says() -> None:
    table = Table(unit("rifle_squad", at="hall.high:0"))
    found = distribution(end(table, Fall(table.section("hall.high"))), lambda s: 4 - s.units[0].models)
    exact = hits(4, 8).map(lambda n: min(4, n))
    assert found == {int(k): exact.probability(k) for k in exact.outcomes()}


@pytest.mark.parametrize(
    ("dice", "need", "shield"), [(1, 4, 0), (4, 5, 3), (8, 6, 2), (19, 5, 3), (10, 5, 6)]
)
def test_estimates_sum_over_the_same_outcomes(dice: int, need: int, shield: int) -> None:
    exact = net(dice, need, shield)
    for k, p in enumerate(tables.nets(dice, need, shield)):
        assert p == pytest.approx(float(exact.get(k, 0)))


@pytest.mark.clause("SH-HOUSE-ASSAULT")
def test_who_wins_an_assault_is_as_exact_arithmetic_has_it() -> None:
    """Three figures with five dice against four with four; neither has armour or is trapped."""
    mine = tables.Side((0, 2, 4, 5), 0, False)
    found = tables.clash(mine, (0.0, 0.0, 0.0, 1.0), tables.Side((0, 1, 2, 3, 4), 0, False))
    inflicted, suffered = hits(4, 5), hits(4, 4)
    left = icepool.map(lambda killed, fell: (max(0, 3 - fell), max(0, 4 - killed)), inflicted, suffered)
    assert found.wins == pytest.approx(
        float(sum(left.probability(k) for k in left.outcomes() if k[0] > k[1]))
    )
    lost = sum(left.probability(k) * (3 - k[0]) for k in left.outcomes())
    assert found.mine.lost == pytest.approx(float(lost))


# ---- monotony, through the rules' own code -----------------------------------------------------------------------------


def expected(
    kind: str, models: int, place: str, mode: str = "normal", others: int = 0, foe: str = "rifle_squad"
) -> Fraction:
    """Expected loss of a unit on a place to fire from the hex next to it, in figures; supporters stand with the leader."""
    near = {
        "g5.2": "g5.1",
        "g8.1": "g9.0",
        "g8.0": "g9.0",
        "hut.only:0": "g8.4",
        "hall.high:0": "g4.3",
        "cottage.only:0": "g8.6",
    }[place]
    helpers = [unit("rifle_squad", at=near) for _ in range(others)]
    table = Table(unit(kind, at=near, models=models), *helpers, unit(foe, at=place, side=1))
    target = others + 1
    ways = end(table, Attack(0, target, mode, "concentrated" if others else "fire", tuple(range(1, target))))
    return mean(ways, lambda s: table.unit(target).models - s.units[target].models)


@pytest.mark.clause("SH-HOUSE-ATTACK", "SH-HOUSE-COVER")
@pytest.mark.parametrize("kind", ["rifle_squad", "elite_squad", "machine_gun_team"])
def test_better_cover_never_raises_expected_losses(kind: str) -> None:
    strength = {"rifle_squad": 4, "elite_squad": 4, "machine_gun_team": 2}[kind]
    open_, woods, rubble, light, house = (
        expected(kind, strength, place) for place in ("g5.2", "g8.1", "g8.0", "hut.only:0", "hall.high:0")
    )
    assert open_ > woods == rubble == light > house > 0


@pytest.mark.clause("SH-HOUSE-FIGURES", "SH-HOUSE-ACTIONS")
def test_one_more_shooter_never_lowers_expected_losses() -> None:
    for place in ("g5.2", "hall.high:0"):
        losses = [expected("elite_squad", models, place) for models in (1, 2, 3, 4)]
        assert losses == sorted(losses)
        joined = [expected("rifle_squad", 4, place, others=n) for n in (0, 1, 2)]
        assert joined == sorted(joined)
        assert joined[0] < joined[2]


@pytest.mark.clause("SH-HOUSE-SUPPRESS")
def test_one_more_shooter_never_makes_suppression_rarer() -> None:
    def pinned(models: int) -> Fraction:
        table = Table(unit("elite_squad", at="g5.1", models=models), unit("rifle_squad", at="g5.2", side=1))
        return chance_of(
            end(table, Attack(0, 1, "suppressive", "fire")),
            lambda s: s.units[1].own.pinned or s.units[1].own.disrupted or not s.units[1].alive,
        )

    chances = [pinned(models) for models in (1, 2, 3, 4)]
    assert chances == sorted(chances)
    assert chances[0] < chances[3]


@pytest.mark.clause("SH-HOUSE-ATTACK")
def test_more_armour_never_raises_expected_losses() -> None:
    losses = [
        expected("anti_tank_gun", 2, "g5.2", foe=foe)
        for foe in ("armoured_car", "light_tank", "medium_tank", "heavy_tank")
    ]
    assert losses == sorted(losses, reverse=True)


@pytest.mark.clause("SH-DEST-1", "SH-DEST-3", "SH-ROLL-1")
def test_more_dice_never_save_a_building_and_more_floors_never_doom_it() -> None:
    def falls(house: str, *others: int, weakened: bool = False) -> Fraction:
        number = Table().section(house)
        before = [Structure(number, own={"weakened": True})] if weakened else []
        at = {"hut.only": "g8.3", "hall.high": "g4.2", "hall.tower": "g4.7"}[house]
        helpers = [unit("medium_tank", at=at) for _ in others]
        table = Table(unit("heavy_infantry_gun", at=at), *helpers, structures=before)
        ways = end(table, AttackBuilding(0, number, "concentrated", others))
        return chance_of(ways, lambda s: number in fallen(s))

    for house in ("hut.only", "hall.high", "hall.tower"):
        chances = [falls(house), falls(house, 1), falls(house, 1, 2)]
        assert chances == sorted(chances)
        assert chances[0] < falls(house, weakened=True)
    low, middle, high = (falls(house, 1) for house in ("hut.only", "hall.high", "hall.tower"))
    assert low > middle > high > 0
