"""Close quarters: who strikes first, what the attacks do, how it ends and what the winner may do (OD-HOUSE-CLOSE, OD-ASSAULT-2,
OD-ASSAULT-3, OD-ASSAULT-5, OD-ENTER-7)."""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction
from math import comb
from typing import Any

import pytest
from icepool import Die, d6

from battlesim.board.board import Board
from battlesim.core.answers import Confirm, MoveTo, Order, Pass, TargetUnit
from battlesim.core.errors import RuleError
from battlesim.core.events import Happened
from battlesim.core.items import Ask
from battlesim.rulesets.orderdice.assault import Melee, Regroup, TakePlace, attacks, melee
from battlesim.rulesets.orderdice.facts import Fought
from battlesim.rulesets.orderdice.turn import WhichOrder
from tests.rulesets.orderdice.grounds import house, plain, terrace
from tests.rulesets.orderdice.kit import Table, assault, crew, faces, foe, rolls, unit

PLAIN, HOUSE, TERRACE = plain(), house(), terrace(6, 6)
DOOR = "g19.10"
"""Before the west door of the house."""


def barrier(kind: str) -> Board:
    """A wall, hedge or fence right across the strip, between g9 and g10."""
    return plain(f"terrain: [{{kind: {kind}, line: [[10, 0], [10, 5]]}}]")


# ---- who strikes first -----------------------------------------------------------------------------------------------


# Assaulters strike first and survivors strike back. In buildings, over an obstacle and against Ambush both strike at once.
# Four men hit four times, of whom two are enough to kill the officer and his runner; if these strike too, they hit once.
@pytest.mark.clause("OD-HOUSE-CLOSE", "OD-ASSAULT-2", "OD-ASSAULT-5")
@pytest.mark.parametrize(
    ("board", "at", "target", "order", "together", "then"),
    [
        pytest.param(PLAIN, "g1.2", "g5.2", "run", False, Regroup, id="in the open"),
        pytest.param(PLAIN, "g5.2", "g6.2", "ambush", True, Regroup, id="against Ambush"),
        pytest.param(barrier("wall"), "g5.2", "g10.2", "run", True, Regroup, id="over a wall"),
        pytest.param(barrier("hedge"), "g5.2", "g10.2", "run", True, Regroup, id="over a hedge"),
        pytest.param(barrier("fence"), "g5.2", "g10.2", "run", True, Regroup, id="over a fence"),
        pytest.param(barrier("wall"), "g7.2", "g12.2", "run", False, Regroup, id="a wall crossed earlier"),
        pytest.param(HOUSE, DOOR, "house.1:0", "run", True, TakePlace, id="into a house"),
        pytest.param(HOUSE, "house.1:1", "house.1:2", "run", True, TakePlace, id="from floor to floor"),
        pytest.param(TERRACE, "t.t1:1", "t.t2:1", "run", True, TakePlace, id="from section to section"),
    ],
)
def test_who_strikes_first(
    board: Board, at: str, target: str, order: str, together: bool, then: type[Ask]
) -> None:
    back = [faces(1, 2)] if together else []
    regroup = [[3]] if then is Regroup else []
    table = Table(
        board, crew(4, at), foe("officer", target, order=order), dice=[faces(4, 4), *back, *regroup]
    )
    assert isinstance(assault(table), then)
    lost = 1 if together else 0
    assert [(f.inflicted, f.lost, f.first) for f in table.events(Fought)] == [(2, lost, not together)]
    table.dice.done()


@pytest.mark.clause("OD-HOUSE-CLOSE")
def test_assaulters_strike_first_and_survivors_back() -> None:
    table = Table(
        PLAIN,
        crew(4, "g1.2"),
        foe("heavy_mortar_team", "g5.2", order="run"),
        dice=[faces(3, 4), faces(1, 1), [3]],
    )
    assault(table)
    assert [(f.inflicted, f.lost, f.first) for f in table.events(Fought)] == [(3, 1, True)]
    assert not table.unit(1).alive
    assert table.unit(0).models == 3


@pytest.mark.clause("OD-HOUSE-CLOSE")
def test_in_repeat_rounds_both_strike_at_the_same_time() -> None:
    table = Table(
        PLAIN,
        crew(4, "g5.2"),
        foe("officer", "g8.2", order="run"),
        dice=[faces(1, 4), faces(1, 1), faces(3, 3), faces(0, 1), [3]],
    )
    assault(table)
    assert [(f.inflicted, f.lost, f.first) for f in table.events(Fought)] == [(1, 1, True), (1, 0, False)]


# ---- attacks and damage ----------------------------------------------------------------------------------------------


@pytest.mark.clause("OD-HOUSE-CLOSE")
@pytest.mark.parametrize(
    ("kind", "models", "dice"),
    [
        ("mmg_team", 3, 3),
        ("rifle_section", 10, 11),  # the leader has a submachine gun
        ("rifle_section", 1, 2),
        ("assault_section", 8, 16),
        ("veteran_engineers", 6, 12),  # tough fighters: two each, submachine gun or not
        ("light_at_gun", 3, 3),
    ],
)
def test_one_attack_a_model_two_with_assault_weapons_or_for_tough_fighters(
    kind: str, models: int, dice: int
) -> None:
    table = Table(PLAIN, unit(kind, at="g5.2", models=models), foe("officer", "g60.2"))
    assert attacks(table.unit(0)) == dice


@pytest.mark.clause("OD-HOUSE-CLOSE", "OD-AT-5")
@pytest.mark.parametrize(("quality", "needed"), [("inexperienced", 3), ("regular", 4), ("veteran", 5)])
@pytest.mark.parametrize(("one", "two"), [("g19.10", "house.1:0"), ("g5.10", "g8.10")])
def test_damage_is_by_quality_and_the_building_does_not_help(
    quality: str, needed: int, one: str, two: str
) -> None:
    table = Table(
        HOUSE, crew(1, one), foe("officer", two, order="run", quality=quality), dice=[[needed - 1], [1, 1]]
    )
    with pytest.raises(RuleError, match="no dice scripted"):
        assault(table)  # a draw, and the next round
    assert rolls(table, "melee")[0].need == needed
    assert table.events(Fought)[0].inflicted == 0


# ---- how it ends -----------------------------------------------------------------------------------------------------


# The side that lost more is destroyed, and so is one without men; equal losses are a draw only while both have men.
# Both strike once, at the door of the house. `hits` and `left`: the assaulters', then the defenders'; left 0 is destroyed.
@pytest.mark.clause("OD-HOUSE-CLOSE", "OD-ASSAULT-3")
@pytest.mark.parametrize(
    ("assaulters", "defenders", "hits", "left", "won"),
    [
        pytest.param(
            crew(6, DOOR),
            foe("rifle_section", "house.1:0", order="run"),
            (faces(1, 6), faces(2, 11)),
            (0, 9),
            [(1, 0)],
            id="the side that lost more is destroyed",
        ),
        pytest.param(
            crew(2, DOOR),
            crew(4, "house.1:0", side=1, order="run"),
            (faces(0, 2), faces(2, 4)),
            (0, 4),
            [(1, 0)],
            id="defenders who win stay where they are",
        ),
        pytest.param(
            crew(4, DOOR),
            crew(4, "house.1:0", side=1, order="run"),
            (faces(3, 4), faces(2, 4)),
            (2, 0),
            [(0, 1)],
            id="no test is asked of a winner that lost half",
        ),
        pytest.param(
            crew(2, DOOR),
            foe("officer", "house.1:0", order="run"),
            (faces(2, 2), faces(2, 2)),
            (0, 0),
            [],
            id="both sides are wiped out and nobody wins",
        ),
        pytest.param(
            crew(5, DOOR),
            foe("officer", "house.1:0", order="run"),
            (faces(2, 5), faces(2, 2)),
            (3, 0),
            [(0, 1)],
            id="equal losses that leave one side without men are no draw",
        ),
        pytest.param(
            crew(2, DOOR),
            crew(8, "house.1:0", side=1, order="run"),
            (faces(2, 2), faces(2, 8)),
            (0, 6),
            [(1, 0)],
            id="nor where it is the assaulters who have none",
        ),
        pytest.param(
            unit("assault_section", at=DOOR, models=2),
            crew(8, "house.1:0", side=1, order="run"),
            (faces(4, 4), faces(2, 8)),
            (0, 4),
            [(1, 0)],
            id="a side without men has lost though it killed more",
        ),
    ],
)
def test_how_a_round_ends(
    assaulters: dict[str, Any],
    defenders: dict[str, Any],
    hits: tuple[list[int], list[int]],
    left: tuple[int, int],
    won: list[tuple[int, int]],
) -> None:
    table = Table(HOUSE, assaulters, defenders, dice=hits)
    assault(table)
    if won == [(0, 1)]:
        assert isinstance(table.ask, TakePlace)
        table.say(Confirm(True))
    table.done()
    alive = [table.unit(number).models if table.unit(number).alive else 0 for number in (0, 1)]
    assert tuple(alive) == left
    assert [(h.unit, h.other) for h in table.events(Happened) if h.what == "won"] == won
    # Only assaulters take a place. Nobody leaves a building by a regroup move (OD-LEAVE-1).
    assert not table.unit(1).alive or table.where(1) == "house.1:0"


@pytest.mark.clause("OD-HOUSE-CLOSE")
def test_a_draw_is_fought_again_and_the_sixth_destroys_the_assaulters() -> None:
    rounds = [faces(0, 6), faces(0, 3)] * 6
    table = Table(PLAIN, crew(6, "g5.2"), crew(3, "g8.2", side=1, order="run"), dice=[*rounds, [3]])
    ask = assault(table)
    assert [f.round for f in table.events(Fought)] == [1, 2, 3, 4, 5, 6]
    assert not table.unit(0).alive
    assert table.unit(1).models == 3
    assert isinstance(ask, Regroup)  # the defenders have won
    assert ask.side == 1


@pytest.mark.clause("OD-HOUSE-CLOSE")
def test_the_sixth_round_itself_may_still_be_won() -> None:
    rounds = [faces(0, 6), faces(0, 3)] * 5 + [faces(1, 6), faces(0, 3)]
    table = Table(PLAIN, crew(6, "g5.2"), crew(3, "g8.2", side=1, order="run"), dice=[*rounds, [3]])
    assault(table)
    assert table.unit(0).models == 6
    assert not table.unit(1).alive


def one_round(both: bool) -> dict[str, Fraction]:
    """How a round of 6 regulars against 6 ends, over every number of hits of either side, by the real rule."""
    ends = {"won": Fraction(0), "lost": Fraction(0), "again": Fraction(0), "both gone": Fraction(0)}
    board, place = (HOUSE, "house.1:0") if both else (PLAIN, "g8.2")
    for a in range(7):
        back = 6 if both else 6 - a
        for b in range(back + 1):
            chance = Fraction(comb(6, a), 64) * Fraction(comb(back, b), 2**back)
            script = [faces(a, 6), *([faces(b, back)] if back else [])]
            near = "g19.10" if both else "g7.2"
            table = Table(board, crew(6, near), crew(6, place, side=1, order="run"), dice=script)
            with suppress(RuleError):  # no dice for the winner's regroup
                melee(table.r, Melee(0, 1, both, table.place(place)))
            alive = (table.unit(0).alive, table.unit(1).alive)
            name = {
                (True, True): "again",
                (True, False): "won",
                (False, True): "lost",
                (False, False): "both gone",
            }
            ends[name[alive]] += chance
    return ends


@pytest.mark.clause("OD-HOUSE-CLOSE", "OD-ASSAULT-2")
def test_odds_of_a_round_in_which_both_strike_at_once() -> None:
    mine, theirs = 6 @ (d6 >= 4), 6 @ (d6 >= 4)
    lead = mine - theirs
    gone = mine.probability("==", 6) * theirs.probability("==", 6)
    assert one_round(both=True) == {
        "won": lead.probability(">", 0),
        "lost": lead.probability("<", 0),
        "again": lead.probability("==", 0) - gone,
        "both gone": gone,
    }


@pytest.mark.clause("OD-HOUSE-CLOSE")
def test_odds_of_a_round_in_which_the_assaulters_strike_first() -> None:
    def lead(killed: int) -> Die[int]:
        return killed - (6 - killed) @ (d6 >= 4) if killed < 6 else Die([6])

    exact = (6 @ (d6 >= 4)).map(lead)
    assert one_round(both=False) == {
        "won": exact.probability(">", 0),
        "lost": exact.probability("<", 0),
        "again": exact.probability("==", 0),
        "both gone": Fraction(0),
    }


# ---- after it --------------------------------------------------------------------------------------------------------


def won(board: Board, one: str, two: str, dice: list[list[int]]) -> Table:
    """An assault in which four men beat an officer and his runner without loss."""
    table = Table(board, crew(4, one), foe("officer", two, order="run"), dice=dice)
    assault(table)
    return table


# The winner may take the place of the defeated without a roll; inside, one that does not stays where it is.
@pytest.mark.clause("OD-ASSAULT-3", "OD-ASSAULT-5", "OD-ENTER-7")
@pytest.mark.parametrize(
    ("board", "at", "target", "take", "place"),
    [
        pytest.param(HOUSE, DOOR, "house.1:0", True, "house.1:0", id="from outside"),
        pytest.param(HOUSE, "house.1:1", "house.1:2", True, "house.1:2", id="the floor above"),
        pytest.param(TERRACE, "t.t1:1", "t.t2:1", True, "t.t2:1", id="the next section"),
        pytest.param(HOUSE, "house.1:0", "house.1:1", False, "house.1:0", id="stays"),
    ],
)
def test_the_winner_may_take_the_place_of_the_defeated(
    board: Board, at: str, target: str, take: bool, place: str
) -> None:
    table = won(board, at, target, [faces(2, 4), faces(0, 2)])
    assert isinstance(table.ask, TakePlace)
    table.say(Confirm(take))
    assert table.where(0) == place
    assert ({"OD-ASSAULT-3", "OD-ENTER-7"} <= table.clauses()) is take
    table.done()


@pytest.mark.clause("OD-ASSAULT-3", "OD-ENTER-7")
def test_a_winner_that_declines_regroups_outside() -> None:
    table = won(HOUSE, "g19.10", "house.1:0", [faces(2, 4), faces(0, 2), [6]])
    ask = table.say(Confirm(False))
    assert isinstance(ask, Regroup)
    assert ask.reach == 600
    assert all(table.board.spaces[a.place].kind != "floor" for a in table.legal if isinstance(a, MoveTo))


@pytest.mark.clause("OD-HOUSE-CLOSE")
@pytest.mark.parametrize("inches", [1, 3, 6])
def test_the_winner_may_regroup_d6_inches(inches: int) -> None:
    table = won(PLAIN, "g20.2", "g22.2", [faces(2, 4), [inches]])
    ask = table.ask
    assert isinstance(ask, Regroup)
    assert table.legal[0] == Pass()
    reached = [table.board.spaces[a.place].x for a in table.legal if isinstance(a, MoveTo)]
    at = table.board.spaces[table.unit(0).place].x
    assert (min(reached), max(reached)) == (at - 100 * inches, at + 100 * inches)


@pytest.mark.clause("OD-HOUSE-CLOSE")
def test_the_winner_may_stay() -> None:
    table = won(PLAIN, "g20.2", "g22.2", [faces(2, 4), [4]])
    before = table.unit(0).place
    table.say(Pass())
    assert table.unit(0).place == before
    table.done()


@pytest.mark.clause("OD-ENTER-7")
def test_a_regroup_move_enters_no_building() -> None:
    table = won(HOUSE, "g17.10", "g18.10", [faces(2, 4), [6]])
    assert isinstance(table.ask, Regroup)
    reached = [table.board.spaces[a.place] for a in table.legal if isinstance(a, MoveTo)]
    assert reached
    assert {space.kind for space in reached} == {"ground"}


@pytest.mark.clause("OD-HOUSE-CLOSE")
def test_a_unit_that_wins_twice_in_a_turn_regroups_twice_under_dice_of_their_own() -> None:
    table = Table(
        PLAIN,
        crew(2, "g5.2"),
        crew(9, "g8.2", side=1, order="run"),
        crew(2, "g11.2"),
        dice=[faces(0, 2), faces(2, 9), [3], faces(0, 2), faces(2, 9), [4]],
    )
    assault(table)
    table.say(Pass())
    table.do(WhichOrder(2, side=0))
    table.say(Order("run"))
    table.say(TargetUnit(1))
    assert len(set(table.dice.keys)) == len(table.dice.keys) == 6


@pytest.mark.clause("OD-HOUSE-TURN")
def test_the_die_of_a_unit_destroyed_in_close_quarters_leaves_the_bag() -> None:
    table = Table(
        PLAIN, crew(4, "g5.2"), foe("officer", "g6.2"), foe("officer", "g60.2"), dice=[faces(2, 4), [3]]
    )
    assault(table)
    assert [len(dice) for dice in table.state.extra.bag.dice] == [1, 1]
