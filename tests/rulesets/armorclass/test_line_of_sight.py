"""The tables of who sees whom say what the lines say, in whatever order they are asked and whatever has fallen or been opened."""

from __future__ import annotations

import random

import pytest

from battlesim.board.board import Board
from battlesim.board.model import SightLine
from battlesim.core.state import State, Structure
from battlesim.rulesets.armorclass import works
from battlesim.rulesets.armorclass.line_of_sight import LineOfSight
from battlesim.rulesets.armorclass.model import BattleState
from tests.shipped import load


def _view(state: State, board: Board, a: int, b: int) -> list[SightLine]:
    """The lines by which somebody in `a` sees into `b`, straight from the board's sight."""
    here, there = board.spaces[a], board.spaces[b]
    if here.kind == "floor" and not works.make_of(board, here.section).fighting:
        return []
    out = works.opened_sides(state, here.section, here.floor) if here.kind == "floor" else ()
    into = works.opened_sides(state, there.section, there.floor) if there.kind == "floor" else ()
    return [
        line
        for line in board.sight.lines(a, b)
        if set(line.blockers) <= state.down
        and (line.from_side < 0 or line.from_opening >= 0 or line.from_side in out)
        and (line.to_side < 0 or line.to_opening >= 0 or line.to_side in into)
    ]


def _changes(board: Board, chance: random.Random) -> dict[int, Structure]:
    """Some sections have fallen, some have holes or breaches, some have only lost points."""
    found = {}
    for section in board.sections:
        what = chance.choice(("stands", "stands", "falls", "holed", "dented"))
        walls = [[floor, side] for floor in range(len(section.spaces)) for side in range(len(section.sides))]
        if what == "falls":
            found[section.id] = Structure(section.id, fallen=True, own={"gone": 0})
        elif what == "holed":
            own = {name: sorted(chance.sample(walls, 2)) for name in ("holes", "breaches")}
            found[section.id] = Structure(section.id, own=own)
        elif what == "dented":
            found[section.id] = Structure(section.id, own={"lost": 1})
    return found


@pytest.mark.clause("AC-HOUSE-STRUCT", "AC-HOUSE-DETECT", "AC-TYPE-3")
@pytest.mark.parametrize("name", ["tobacco-armour", "bastion"])
def test_who_sees_whom_is_what_the_lines_say(name: str) -> None:
    board = load(name).board
    chance = random.Random(name)
    floors = [space.id for space in board.spaces if space.kind == "floor"]
    ground = [space.id for space in board.spaces if space.kind == "ground"]
    seen = 0
    states = [State(units={}, structures=_changes(board, chance), extra=BattleState()) for _ in range(6)]
    states.append(State(units={}, structures={}, extra=BattleState()))
    for _ in range(600):
        a, b = (chance.choice(chance.choice((floors, ground))) for _ in range(2))
        for state in chance.sample(states, 3):
            expected = _view(state, board, a, b)
            look = LineOfSight(state, board)
            reach = chance.randrange(4_000)
            near = look.nearest_within(
                a, b, reach
            )  # asked first, while the nearest line may not be known yet
            assert (near.distance if near else None) == min(
                (line.distance for line in expected if line.distance <= reach), default=None
            )
            assert look.sees(a, b) is (a == b or bool(expected)), (a, b, state.structures)
            assert [(n.distance, n.to_side, n.to_opening) for n in expected] == [
                (n.distance, n.to_side, n.to_opening) for n in look.between(a, b).view
            ]
            assert (look.nearest(a, b) is None) is not bool(expected)
            assert look.nearest_within(a, b, reach) == near
            assert look.is_seen(b, (a,)) is look.sees(a, b)
            seen += bool(expected)
    assert 100 < seen < 1500
