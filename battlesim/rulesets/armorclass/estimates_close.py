"""The expected outcomes of acts in contact (breaches, demolition, assaults) and of burning for the units in a fire.

Nothing here decides a rule. Read `breach` and `assault_on`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from battlesim.board.board import Board
from battlesim.core.state import State, Unit
from battlesim.rulesets.armorclass import engineer, expected, expected_close, fire, flames, targets, works
from battlesim.rulesets.armorclass.expected import Blow, Toll, at_most, goes_through
from battlesim.rulesets.armorclass.expected_close import Fighters
from battlesim.rulesets.armorclass.model import battle_state, type_of
from battlesim.rulesets.armorclass.outcomes import Outcome, come_down, points_cost, points_left, target_of

# ---- by hand ---------------------------------------------------------------------------------------------------------


def breach(state: State, board: Board, unit: Unit, place: int, side: int) -> Outcome:
    """A team's tools against a wall (AC-ENG-1). The wall is breached when as many attacks have penetrated as it has points. Under
    structure points the section loses points instead."""
    section = board.spaces[place].section
    wall = works.make_of(board, section).wall
    hit = at_most(fire.structure_on(fire.is_suppressed(state, unit)))
    tools = [tool for tool in targets.tools_of(unit) if targets.works_on(state, tool, wall)]
    stands = points_left(state, board, section)
    blows = tuple(
        Blow(
            1,
            hit,
            goes_through(tool.factor, wall),
            0.0,
            0.0,
            (),
            points_cost(battle_state(state).options, tool) if stands else (0, 1),
        )
        for tool in tools
    )
    if stands:
        falls = expected.falls(blows, stands)
        tolls = come_down(state, board, board.sections[section].spaces[0], blows, stands, ()) if falls else []
        return Outcome(tuple(tolls), place, falls, points=expected.points_lost(blows, stands))
    left = works.wall_points(wall) - engineer.dents(state, section, side)
    return Outcome((), place, breaches=expected.falls(blows, left), points=expected.points_lost(blows, left))


def demolish(board: Board, unit: Unit, target: Unit) -> Outcome:
    """Demolition charges against a machine in contact."""
    armour = works.armour_of(board, target)
    blows = tuple(
        Blow(1, 1.0, 1.0, 1.0, goes_through(tool.factor, armour))
        for tool in targets.tools_of(unit)
        if tool.charge
    )
    return Outcome(((target, expected.toll(blows, target_of(target))),), target.place)


class Assault(NamedTuple):
    """The expected outcome of an assault: the attackers' toll, each defending unit's toll, and the chance to take the place."""

    mine: Toll
    theirs: tuple[tuple[Unit, Toll], ...]
    wins: float


def assault_on(unit: Unit, foes: Sequence[Unit]) -> Assault:
    """An assault on all enemies in a space, the lowest number first (AC-HOUSE-ASSAULT)."""
    ranks = sorted(foes, key=lambda foe: foe.id)
    clash = expected_close.assault_on(fighters(unit), tuple(map(fighters, ranks)))
    theirs = tuple(
        (foe, expected.toll_of(left, target_of(foe)))
        for foe, left in zip(ranks, clash.foes_left, strict=True)
    )
    return Assault(expected.toll_of(clash.left, target_of(unit)), theirs, clash.wins)


def fighters(unit: Unit) -> Fighters:
    """A unit as `expected_close` needs it."""
    return Fighters(unit.models, type_of(unit).melee)


def burnt(board: Board, unit: Unit, times: int) -> Toll:
    """The toll of `times` attacks by fire on a unit; each attacks every model once (AC-FIRE-4)."""
    each = tuple(range(unit.models + 1))
    blow = Blow(1, 1.0, 1.0, 1.0, goes_through(flames.FACTOR, works.armour_of(board, unit)), each)
    return expected.toll((blow,) * times, target_of(unit))
