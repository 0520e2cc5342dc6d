"""The odds tool itself: against play, its questions, its bounds, what it leaves alone."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest

from battlesim.core.answers import Confirm, Pass
from battlesim.core.codec import dump_state
from battlesim.core.dice import KeyedDice
from battlesim.core.errors import IllegalAnswer
from battlesim.core.state import State
from battlesim.rules.resolution import Resolution
from battlesim.rulesets.orderdice.assault import Melee
from battlesim.rulesets.orderdice.flame import Spray, Used
from battlesim.rulesets.orderdice.morale import AfterAttack
from battlesim.rulesets.orderdice.ruleset import RULESET
from battlesim.rulesets.orderdice.shoot import NextWall, Volley
from battlesim.rulesets.orderdice.turn import Draw
from battlesim.search.odds import chance_of, mean, odds_of, outcomes
from battlesim.search.roll_odds import OddsError
from tests.rulesets.orderdice.grounds import house
from tests.rulesets.orderdice.kit import Table, unit
from tests.search.positions import (
    HOUSE,
    PLAIN,
    acted,
    assault,
    crew,
    fails,
    lost,
    works,
)


def test_odds_are_what_play_comes_to() -> None:
    """Flame into a wooden house: how often it burns, and what the men in it lose, exactly and in 3,000 games."""
    board = house("")
    units = (unit("flamethrower_team", at="g18.9"), acted("officer", "house.1:0"))
    table = Table(board, *units)
    work = (
        Spray(0, 1, board.space("house.1:0"), "flamethrower", 0, 1, 3, 200),
        Used(0, 0, 0, (0,)),
    )
    endings = works(board, *units)(*work)
    tests: tuple[Callable[[State], bool], ...] = (
        lambda s: any(structure.burning for structure in s.structures.values()),
        lambda s: not s.units[1].alive,
        lambda s: bool(s.units[0].own.spent),
        lambda s: s.units[1].own.pins >= 2,
    )
    tested = [(test, chance_of(endings, test)) for test in tests]
    games, came = 3_000, [0] * len(tested)
    for seed in range(games):
        r = Resolution(table.state.clone(), board, KeyedDice(seed))
        r.then(*work)
        while r.state.stack and not hasattr(r.state.stack[-1], "side"):
            step = r.state.stack[-1]
            r.state.stack = r.state.stack[:-1]
            RULESET.step(r, step)  # type: ignore[arg-type]
        for n, (test, _) in enumerate(tested):
            came[n] += test(r.state)
    for number, (_, share) in zip(came, tested, strict=True):
        spread = 4 * (float(share * (1 - share)) * games) ** 0.5
        assert 0 < share < 1
        assert abs(number - float(share) * games) < spread


def test_questions_are_answered_by_the_policy_or_left_open() -> None:
    units = (unit("small_rifle_section", at="g1.2"), unit("mmg_team", at="g11.2", side=1))
    work = works(PLAIN, *units)
    (open_one,) = work(NextWall(0, False, -1))  # one target is not a question, going down is
    assert [type(item).__name__ for item in open_one.state.stack] == ["NextWall", "Volley", "GoDown"]
    up = work(NextWall(0, False, -1), answer=lambda *_: Confirm(False))
    down = work(NextWall(0, False, -1), answer=lambda *_: Confirm(True))
    assert all(not ending.state.stack for ending in (*up, *down))
    assert mean(down, lost(1, 3)) < mean(up, lost(1, 3))
    assert {e.state.units[1].own.order for e in down} == {"down"}
    with pytest.raises(IllegalAnswer):
        work(NextWall(0, False, -1), answer=lambda *_: Pass())
    safe = work(NextWall(0, False, -1), answer=RULESET.safe_answer)
    assert sum(e.chance for e in safe) == 1


def test_what_the_state_has_in_hand_waits_unless_nothing_else_is_asked_for() -> None:
    table = Table(PLAIN, crew("g4.2", 3), crew("g5.2", 2, side=1), crew("g8.2", 2, side=1))
    place = PLAIN.space("g5.2")
    table.state.stack = (Melee(0, 1, False, place),)
    waiting = outcomes(table.state, PLAIN, RULESET, AfterAttack(0, 2, 9))
    assert {e.state.stack for e in waiting} == {table.state.stack}
    # the first model's test fails or passes; the fight is still to come
    assert chance_of(waiting, lambda s: not s.units[2].alive) == fails(9)
    worked = outcomes(table.state, PLAIN, RULESET)
    assert chance_of(worked, lambda s: s.units[0].alive) == assault(3, 2, False)[0]


def test_the_position_stays_as_it_was_and_the_answer_is_the_same_each_time() -> None:
    table = Table(HOUSE, unit("medium_howitzer", at="g2.9"), acted("rifle_section", "house.1:1"))
    before = dump_state(table.state)
    runs = [outcomes(table.state, HOUSE, RULESET, Volley(0, 1, False, -1)) for _ in range(2)]
    assert dump_state(table.state) == before
    one, two = ([(e.chance, dump_state(e.state), e.seen) for e in run] for run in runs)
    assert one == two
    assert len({state for _, state, _ in one}) == len(one)  # what is alike is one


def test_too_many_branches_are_refused_with_a_clear_word() -> None:
    work = works(PLAIN, crew("g4.2", 5), crew("g5.2", 5, side=1))
    with pytest.raises(OddsError, match=r"more than 20 branches, at Melee\(.*allow more \(most=\)"):
        work(Melee(0, 1, True, PLAIN.space("g5.2")), most=20)
    table = Table(PLAIN, crew("g4.2", 5))
    with pytest.raises(OddsError, match="9 dice whose faces count one by one"):
        odds_of(table.state, PLAIN, lambda r: len(r.roll(9, 6, "faces", 0)))
    rested = works(PLAIN, unit("officer", at="g4.2"), unit("officer", at="g9.2", side=1))
    with pytest.raises(OddsError, match=r"lots are drawn \(draw\)"):
        rested(Draw())


def test_faces_below_what_is_needed_are_alike() -> None:
    table = Table(PLAIN, crew("g4.2", 5))
    found = odds_of(table.state, PLAIN, lambda r: r.roll(2, 6, "faces", 0, need=5))
    assert found[(1, 1)] == Fraction(16, 36)
    assert found[(1, 6)] == found[(5, 1)] == Fraction(4, 36)
    assert len(found) == 9
    assert odds_of(table.state, PLAIN, lambda r: r.pick(3, "pick", 0)) == dict.fromkeys(
        range(3), Fraction(1, 3)
    )
    assert odds_of(table.state, PLAIN, lambda r: r.pick(1, "pick", 0)) == {0: 1}
    assert odds_of(table.state, PLAIN, lambda r: r.count(3, 7, "never", 0)) == {0: 1}
    assert odds_of(table.state, PLAIN, lambda r: r.count(3, 1, "always", 0)) == {3: 1}
