"""Tables and odds of shooting against exact arithmetic by an independent dice library."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import icepool  # type: ignore[import-untyped]
import pytest

from battlesim.rulesets.orderdice import collapse, fire
from battlesim.rulesets.orderdice.facts_fire import Blasted
from battlesim.rulesets.orderdice.he import SHELLS, Burst, roll_hits, roll_pins
from battlesim.rulesets.orderdice.indirect import floor_hit
from tests.rulesets.orderdice.grounds import ground, house
from tests.rulesets.orderdice.kit import Table, unit

D6 = icepool.d(6)
HOUSE = house()
BUNKER = ground(
    (46, 20),
    "buildings: [{name: b, kind: bunker, rect: [20, 7, 26, 13], openings: [{kind: slit, side: west}, {kind: door, side: east}]}]",
)
HITS = {1: icepool.d(3), 2: D6, 3: 2 @ D6, 4: 3 @ D6}
PINS = {1: icepool.Die([1]), 2: icepool.d(2), 3: icepool.d(3), 4: D6}


def chance(need: int) -> Fraction:
    """What the rules say of a roll to hit: 7 is a 6 followed by another."""
    return Fraction(D6.map(lambda face: face >= need).probability(True)) if need < 7 else Fraction(1, 36)


def of_hits(need: int) -> Fraction:
    return Fraction(sum(face >= need for face in range(1, 7)), 6)


# ---- to hit ----------------------------------------------------------------------------------------------------------------


@pytest.mark.clause("OD-HOUSE-SHOOT")
def test_to_hit_is_three_and_its_modifiers() -> None:
    """Every combination: a die with all modifiers on it shows 3 or more, a natural 1 misses; where even a 6 would not do, a 6
    followed by another 6."""
    flags = product(range(4), range(3), (0, 1), (0, 1), (0, 1), (0, 1), (0, 1), (0, 1, 2, 4), (0, 1))
    for pins, quality, moved, far, near, down, one, cover, alone in flags:
        inches = 600 if near else 601
        need = fire.to_hit(
            pins, quality, bool(moved), inches, bool(far), bool(down), bool(one), cover, bool(alone)
        )
        bonus = near - pins - (quality == 0) - moved - far - 2 * down - one - cover - alone

        def hits(face: int, bonus: int = bonus) -> bool:
            return face > 1 and face + bonus >= 3

        expected = D6.map(hits).probability(True) or D6.map(lambda face: face == 6).probability(True) ** 2
        assert chance(need) == expected, (pins, quality, moved, far, near, down, one, cover, alone)


@pytest.mark.clause("OD-HOUSE-HE")
def test_indirect_fire_finds_its_range_by_steps() -> None:
    chances = [of_hits(fire.indirect_need((7, 1, 2, shots), 7, 1, 2)) for shots in range(7)]
    assert chances == [Fraction(n, 6) for n in (1, 2, 3, 4, 5, 5, 5)]
    for aim in ((8, 1, 2, 3), (7, 0, 2, 3), (7, 1, 3, 3), (-1, -1, -1, 0)):
        assert fire.indirect_need(aim, 7, 1, 2) == 6


# ---- damage ------------------------------------------------------------------------------------------------------------------


@pytest.mark.clause("OD-HOUSE-DAMAGE", "OD-AT-4")
@pytest.mark.parametrize("quality", [0, 1, 2])
@pytest.mark.parametrize("protected", [False, True])
@pytest.mark.parametrize("penetration", range(7))
def test_damage_by_quality_protection_and_penetration(
    quality: int, protected: bool, penetration: int
) -> None:
    goal = {0: 3, 1: 4, 2: 5}[quality] + protected
    exact = D6.map(lambda face: face > 1 and face + penetration >= goal).probability(True)
    assert of_hits(fire.damage_need(quality, penetration, protected)) == exact


@pytest.mark.clause("OD-AT-4")
def test_extra_protection_as_the_book_has_it() -> None:
    assert [fire.damage_need(quality, 0, True) for quality in (0, 1, 2)] == [4, 5, 6]


# ---- shells ----------------------------------------------------------------------------------------------------------------


def outcomes(he: int) -> list[tuple[int, ...]]:
    shell = SHELLS[he]
    return list(product(range(1, shell.sides + 1), repeat=shell.dice))


@pytest.mark.clause("OD-HE-2", "OD-HOUSE-HE")
@pytest.mark.parametrize("he", [1, 2, 3, 4])
def test_hits_and_pins_have_the_distribution_of_their_dice(he: int) -> None:
    counts: dict[int, int] = {}
    for faces in outcomes(he):
        table = Table(HOUSE, dice=[faces])
        hits = roll_hits(table.r, he, 0, -1)
        counts[hits] = counts.get(hits, 0) + 1
    assert icepool.Die(counts).simplify() == HITS[he].simplify()
    sides = SHELLS[he].pins
    pins = [
        roll_pins(Table(HOUSE, dice=[face] if sides > 1 else []).r, he, 0, -1) for face in range(1, sides + 1)
    ]
    assert icepool.Die(pins) == PINS[he]


@pytest.mark.clause("OD-HE-5", "OD-BUNK-3")
@pytest.mark.parametrize(
    ("he", "house_falls", "bunker_falls"),
    [(1, 0, 0), (2, 0, 0), (3, Fraction(1, 6), Fraction(1, 36)), (4, Fraction(5, 8), Fraction(3, 8))],
)
def test_the_chance_that_one_shell_brings_it_down(
    he: int, house_falls: Fraction, bunker_falls: Fraction
) -> None:
    for board, limit, told in ((HOUSE, 10, house_falls), (BUNKER, 12, bunker_falls)):
        exact = Fraction((HITS[he] >= limit).probability(True))
        assert exact == told
        place = board.sections[0].spaces[0]
        down = 0
        for faces in outcomes(he):
            table = Table(board, unit("officer", at="g0.0"), dice=[faces])
            table.do(Burst(0, place, he, 0))
            table.done()
            down += 0 in table.state.structures
        assert Fraction(down, len(outcomes(he))) == exact
        assert [collapse.brings_down(board, 0, hits) for hits in (limit - 1, limit)] == [False, True]


@pytest.mark.clause("OD-HE-3")
@pytest.mark.parametrize(("he", "mean"), [(1, Fraction(4, 3)), (2, 2), (3, Fraction(15, 4))])
def test_the_hits_on_a_unit_that_is_down_are_halved_upwards(he: int, mean: Fraction) -> None:
    """Through the whole of a burst in the open, outcome by outcome, against the library's map of the same dice."""
    board = ground((10, 10))
    exact = HITS[he].map(lambda hits: -(-hits // 2))
    assert Fraction(exact.mean()) == mean
    counts: dict[int, int] = {}
    for faces in outcomes(he):
        pins = [1] if SHELLS[he].pins > 1 else []
        half = -(-sum(faces) // 2)
        table = Table(
            board,
            unit("officer", at="g0.0"),
            unit("rifle_section", at="g9.9", side=1, order="down"),
            dice=[faces, *pins, (1,) * half],
        )
        table.do(Burst(0, table.unit(1).place, he, 0, 1))
        table.done()
        taken = table.events(Blasted)[0].taken
        counts[taken] = counts.get(taken, 0) + 1
    assert icepool.Die(counts).simplify() == exact.simplify()


@pytest.mark.clause("OD-IND-2")
def test_the_floor_a_shell_bursts_on() -> None:
    """Three floors and a flat roof: 1/2, 1/4, 1/8 from the top, and the rest on the ground floor."""
    floors = HOUSE.sections[0].spaces
    chances = dict.fromkeys(floors, Fraction(0))
    for script, weight in (((4,), 3), ((1, 4), 9), ((1, 1, 4), 27), ((1, 1, 1), 27)):
        table = Table(HOUSE, dice=list(script))
        chances[floor_hit(table.r, 0, 0)] += Fraction(weight, 6 ** len(script))
        table.done()
    assert [chances[floor] for floor in reversed(floors)] == [Fraction(1, n) for n in (2, 4, 8, 8)]
