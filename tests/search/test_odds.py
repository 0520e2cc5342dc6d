"""Exact odds of the order-dice rules, against an independent dice library."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from icepool import Die, d3, d6

from battlesim.core.events import Event, Happened
from battlesim.rulesets.orderdice.assault import Melee, strike
from battlesim.rulesets.orderdice.facts import Fought
from battlesim.rulesets.orderdice.he import Burst
from battlesim.rulesets.orderdice.indirect import Lob, floor_hit
from battlesim.rulesets.orderdice.morale import AfterAttack
from battlesim.rulesets.orderdice.shoot import Volley
from battlesim.rulesets.orderdice.tanks import Crash
from battlesim.search.odds import WeightedState, chance_of, distribution, mean, odds_of
from tests.rulesets.orderdice.grounds import ground
from tests.rulesets.orderdice.kit import Table, unit
from tests.search.positions import (
    HOUSE,
    PLAIN,
    acted,
    assault,
    crew,
    fails,
    falls,
    lost,
    shares,
    successes,
    works,
)

# ---- shells at houses ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("he", "dice"), [(1, 0), (2, 0), (3, 2), (4, 3)])
def test_how_often_one_shell_brings_a_house_down(he: int, dice: int) -> None:
    work = works(HOUSE, unit("heavy_howitzer", at="g2.9"), acted("rifle_section", "house.1:0"))
    endings = work(Burst(0, HOUSE.space("house.1:0"), he, 0))
    assert chance_of(endings, falls) == (shares((dice @ d6) >= 10)[True] if dice else 0)
    assert chance_of(endings, lambda s: falls(s) and s.units[1].alive) == 0


@pytest.mark.parametrize(("he", "dice", "pinned"), [(3, 2, d3), (4, 3, d6)])
def test_how_often_one_shell_brings_a_bunker_down(he: int, dice: int, pinned: Any) -> None:
    board = ground(
        (46, 20),
        """
buildings:
  - {name: bunker, kind: bunker, rect: [20, 7, 26, 13],
     openings: [{kind: door, side: east}, {kind: slit, side: west}]}
""",
    )
    work = works(board, unit("heavy_howitzer", at="g2.9"), acted("rifle_section", "bunker.1:0"))
    endings = work(Burst(0, board.space("bunker.1:0"), he, 0))
    down = shares((dice @ d6) >= 12)[True]
    assert chance_of(endings, falls) == down
    pins = distribution([e for e in endings if not falls(e.state)], lambda s: s.units[1].own.pins)
    assert pins == {n: (1 - down) * share for n, share in shares(pinned).items()}
    assert chance_of(endings, lambda s: not falls(s) and s.units[1].models < 10) == 0


def test_a_whole_shot_of_a_howitzer_at_a_house() -> None:
    """To hit 3 or more, then the burst of class 3: regulars inside are hurt on 2 or more whatever the walls."""
    work = works(HOUSE, unit("medium_howitzer", at="g2.9"), acted("rifle_section", "house.1:1"))
    endings = work(Volley(0, 1, False, -1))
    hit = Fraction(2, 3)
    assert chance_of(endings, falls) == hit / 6
    dead = shares((2 @ d6).map(lambda n: Die([10]) if n >= 10 else successes(n, 2)))
    found = distribution(endings, lost(1, 10))
    assert found == {n: hit * share + (1 - hit) * (n == 0) for n, share in ({0: Fraction(0)} | dead).items()}


# ---- indirect fire -----------------------------------------------------------------------------------------------------


def test_which_floor_an_indirect_hit_reaches() -> None:
    table = Table(HOUSE, unit("heavy_mortar_team", at="g2.9"))
    floors = HOUSE.sections[0].spaces
    assert len(floors) == 4  # three and a flat roof

    def falls_to(floor: int) -> Any:
        return d6.map(lambda face: floor if face >= 4 else falls_to(floor - 1)) if floor else Die([0])

    reached = odds_of(table.state, HOUSE, lambda r: floor_hit(r, 0, 0))
    assert reached == {floors[floor]: share for floor, share in shares(falls_to(3)).items()}
    assert reached[floors[0]] == reached[floors[1]] == Fraction(1, 8)


def test_a_bomb_finds_the_men_on_their_floor_one_time_in_twenty_four() -> None:
    """The whole lob: hit on a 6, then the floor below the roof one time in four; elsewhere nobody is hurt."""
    work = works(HOUSE, unit("heavy_mortar_team", at="g2.9"), acted("rifle_section", "house.1:2"))

    def burst(event: Event) -> int | None:
        return event.place if isinstance(event, Happened) and event.what == "came down" else None

    endings = work(Lob(0, 1, HOUSE.space("house.1:2"), "heavy_mortar", 0, 1, 6, 2000), watch=burst)
    where: dict[Any, Fraction] = {}
    for ending in endings:
        where[ending.seen] = where.get(ending.seen, Fraction(0)) + ending.chance
    roof, second, first, hall = reversed(HOUSE.sections[0].spaces)
    sixth = Fraction(1, 6)
    assert where == {
        (): 1 - sixth,
        (roof,): sixth / 2,
        (second,): sixth / 4,
        (first,): sixth / 8,
        (hall,): sixth / 8,
    }
    pinned = chance_of(endings, lambda s: s.units[1].alive and s.units[1].own.pins > 0)
    assert pinned == sixth / 4 * Fraction(5, 6)  # the other sixth brings the house down on them
    assert chance_of(endings, falls) == sixth / 6


# ---- small arms --------------------------------------------------------------------------------------------------------


def test_casualties_of_a_small_volley() -> None:
    """Five rifles at long range hit on 4 or more and hurt regulars on 4 or more; a hit pins, the fourth man cannot be lost."""
    target = acted("heavy_mortar_team", "g21.2", models=3)
    work = works(PLAIN, unit("small_rifle_section", at="g1.2"), target)
    endings = work(Volley(0, 1, False, -1))
    hits = successes(5, 4)
    dead = hits.map(lambda n: successes(n, 4).map(lambda k: min(k, 3)))
    assert distribution(endings, lost(1, 3)) == shares(dead)
    assert chance_of(endings, lambda s: s.units[1].own.pins == 0) == shares(hits)[0]


def test_whoever_lost_half_may_run() -> None:
    work = works(PLAIN, unit("small_rifle_section", at="g1.2"), acted("heavy_mortar_team", "g21.2", models=4))
    endings = work(Volley(0, 1, False, -1), AfterAttack(0, 1, 4))
    dead = shares(successes(5, 4).map(lambda n: successes(n, 4)))
    gone = sum(share for n, share in dead.items() if n >= 4)
    gone += sum(dead[n] for n in (2, 3)) * fails(9 - 1)  # regulars with the pin of this attack
    assert chance_of(endings, lambda s: not s.units[1].alive) == gone


def test_a_roll_of_7_takes_a_6_and_another() -> None:
    work = works(PLAIN, unit("small_rifle_section", at="g1.2", pins=5), acted("mmg_team", "g21.2"))
    endings = work(Volley(0, 1, False, -1))
    assert chance_of(endings, lambda s: s.units[1].own.pins == 0) == Fraction(35, 36) ** 5


# ---- close quarters ----------------------------------------------------------------------------------------------------


def test_what_one_side_inflicts_in_a_round() -> None:
    table = Table(PLAIN, crew("g4.2", 5), crew("g5.2", 3, side=1))
    units = table.state.units
    found = odds_of(table.state, PLAIN, lambda r: strike(r, units[0], units[1], 1, ()))
    assert found == shares(successes(5, 4).map(lambda n: min(n, 3)))


@pytest.mark.parametrize(("men", "foes"), [(1, 1), (2, 5), (4, 3), (5, 5)])
@pytest.mark.parametrize("both", [False, True])
def test_who_wins_an_assault(men: int, foes: int, both: bool) -> None:
    work = works(PLAIN, crew("g4.2", men), crew("g5.2", foes, side=1))
    endings = work(Melee(0, 1, both, PLAIN.space("g5.2")))
    mine, theirs = assault(men, foes, both)
    assert chance_of(endings, lambda s: s.units[0].alive) == mine
    assert chance_of(endings, lambda s: s.units[1].alive) == theirs
    if (men, foes, both) == (1, 1, False):
        # 1/2 the first blow, 1/2 * 1/2 the one back, else five more rounds of both at once: 1/4 each, and so on
        again = Fraction(1, 4)
        rounds = sum((Fraction(1, 4) ** n for n in range(5)), Fraction(0))
        assert mine == Fraction(1, 2) + again * again * rounds


def test_the_first_round_as_the_story_tells_it() -> None:
    work = works(PLAIN, crew("g4.2", 3), crew("g5.2", 2, side=1))

    def round_one(event: Event) -> tuple[int, int] | None:
        return (event.lost, event.inflicted) if isinstance(event, Fought) and event.round == 1 else None

    endings = work(Melee(0, 1, True, PLAIN.space("g5.2")), watch=round_one)
    found: dict[Any, Fraction] = {}
    for ending in endings:
        found[ending.seen[0]] = found.get(ending.seen[0], Fraction(0)) + ending.chance
    mine, theirs = shares(successes(2, 4)), shares(successes(3, 4).map(lambda n: min(n, 2)))
    assert found == {(a, b): mine[a] * theirs[b] for a in mine for b in theirs}


# ---- tanks into houses -------------------------------------------------------------------------------------------------


def crash(material: str, kind: str) -> list[WeightedState]:
    board = ground(
        (46, 20),
        f"""
buildings:
  - {{name: house, rect: [20, 7, 26, 13], material: {material}, openings: [{{kind: door, side: east}}]}}
""",
    )
    before = next(
        near for near, _ in board.exits[board.sections[0].ruin] if board.spaces[near].kind == "ground"
    )
    tank = unit(kind, at=board.spaces[before].name, order="run")
    return works(board, tank)(Crash(0, 0))


def wrecked(rolls: int, pins: int = 0) -> Fraction:
    """The chance that a regular tank is lost to so many rolls on the damage table: 4-6 knocked out, 3 on fire."""
    if not rolls:
        return Fraction(0)
    stays = wrecked(rolls - 1, pins + 1)
    abandoned = fails(9 - (pins + 1))
    return Fraction(1, 2) + Fraction(1, 6) * (abandoned + (1 - abandoned) * stays) + Fraction(2, 6) * stays


@pytest.mark.parametrize(("kind", "armour"), [("heavy_tank", 10), ("super_heavy_tank", 11)])
def test_a_tank_against_a_brick_house(kind: str, armour: int) -> None:
    endings = crash("brick", kind)
    ahead = shares(d6 + armour - 3 @ d6)
    assert chance_of(endings, falls) == sum(share for lead, share in ahead.items() if lead >= 0)
    superficial = Fraction(1, 6) * fails(9 - 1)
    gone = sum(share * wrecked(1 + (lead <= -3)) for lead, share in ahead.items() if lead < 0)
    gone += ahead[0] * superficial
    assert chance_of(endings, lambda s: not s.units[0].alive) == gone
    assert chance_of(endings, lambda s: s.units[0].alive and not s.units[0].own.pins) == 0


def test_a_tank_against_a_wooden_house() -> None:
    endings = crash("wood", "heavy_tank")
    ahead = shares(d6 + 10 - 2 @ d6)
    assert chance_of(endings, falls) == sum(share for lead, share in ahead.items() if lead >= 0)
    damaged = sum(share for lead, share in ahead.items() if lead <= 0)
    assert chance_of(endings, lambda s: not s.units[0].alive) == damaged * Fraction(1, 6) * fails(9 - 1)


# ---- what must hold whatever the numbers ---------------------------------------------------------------------------------

LOT = ground(
    (46, 20),
    """
terrain:
  - {kind: rough, polygon: [[6, 9], [9, 9], [9, 12], [6, 12]]}
  - {kind: rubble, polygon: [[12, 9], [15, 9], [15, 12], [12, 12]]}
buildings:
  - {name: house, rect: [18, 9, 24, 15], openings: [{kind: door, side: east}, {kind: window, side: south}]}
  - {name: bunker, kind: bunker, rect: [30, 9, 36, 15],
     openings: [{kind: door, side: north}, {kind: slit, side: south}]}
""",
)
SPOTS = {"open": ("g2.9", "g2.0"), "soft": ("g7.9", "g7.0"), "hard": ("g13.9", "g13.0")}
SPOTS |= {"house": ("house.1:0", "g20.0"), "bunker": ("bunker.1:0", "g32.0")}
"""Where a target stands, and where one shoots at it from: 9 inches or a little less, to the opening of a house."""


@lru_cache(maxsize=4096)
def losses(cover: str, men: int, foes: int, down: bool = False, kind: str = "rifle_section") -> Fraction:
    """Expected losses by one volley and its morale test."""
    at, here = SPOTS[cover]
    target = acted("rifle_section", at, models=foes, order="down" if down else "fire")
    endings = works(LOT, unit(kind, at=here, models=men), target)(
        Volley(0, 1, False, -1), AfterAttack(0, 1, foes)
    )
    return mean(endings, lost(1, foes))


@pytest.mark.parametrize("men", range(1, 11))
@pytest.mark.parametrize("down", [False, True])
def test_better_cover_never_raises_expected_losses(men: int, down: bool) -> None:
    found = [losses(cover, men, 5, down) for cover in SPOTS]
    # Only where a roll of 7 is needed anyway does better cover make no difference
    assert all(worse > better or (down and worse == better) for worse, better in pairwise(found)), found


@pytest.mark.parametrize("cover", SPOTS)
@pytest.mark.parametrize("kind", ["rifle_section", "assault_section", "mmg_team"])
def test_one_more_shooter_never_lowers_expected_losses(cover: str, kind: str) -> None:
    most = {"rifle_section": 10, "assault_section": 8, "mmg_team": 3}[kind]
    found = [losses(cover, men, 5, kind=kind) for men in range(1, most + 1)]
    assert all(more >= fewer for fewer, more in pairwise(found)), found
    assert found[-1] > found[0] or (kind == "mmg_team" and cover == "bunker")  # 7 served or not


@given(st.sampled_from(sorted(SPOTS)), st.integers(1, 10), st.integers(1, 6))
@settings(max_examples=30, deadline=None, derandomize=True)
def test_lying_down_never_raises_expected_losses(cover: str, men: int, foes: int) -> None:
    low, up = losses(cover, men, foes, down=True), losses(cover, men, foes)
    assert 0 < low <= up <= foes
    assert low < up or cover in ("hard", "house", "bunker")  # where a roll of 7 is needed anyway
