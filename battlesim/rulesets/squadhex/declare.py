"""A unit fires: at whom, or at which building (SH-TARGET-1, SH-TARGET-2).

Read `at_whom`, then `aimed`; `attack.py` carries out fire at units, `buildings.py` fire at buildings, `concentrate.py` asks who
supports a concentrated fire.
"""

from __future__ import annotations

from collections.abc import Sequence

from battlesim.board.board import Board
from battlesim.core.answers import Answer, Pass, TargetSpace, TargetUnit, numbered
from battlesim.core.items import Ask
from battlesim.core.state import State, Unit
from battlesim.rules.contract import Chapter
from battlesim.rules.resolution import Resolution
from battlesim.rulesets.squadhex import buildings, concentrate
from battlesim.rulesets.squadhex.attack import HowFired
from battlesim.rulesets.squadhex.model import ADVANCE_FIRE, CONCENTRATED
from battlesim.rulesets.squadhex.targets import buildings_at, supporters, units_at


class AtWhom(Ask, frozen=True):
    """At whom does a unit fire, at which building? `action`: fire, advance_fire or concentrated."""

    unit: int
    action: str


def begin(r: Resolution, unit: Unit, action: str) -> None:
    """A unit fires: the question at whom."""
    r.then(AtWhom(unit.id, action, side=unit.side))


def at_whom(state: State, board: Board, ask: AtWhom) -> Sequence[Answer]:
    """Enemies by id, building hexes by their ground floors; those who advanced may hold their fire."""
    unit = state.units[ask.unit]
    foes, houses = units_at(state, board, unit), buildings_at(state, board, unit)
    if ask.action == CONCENTRATED:
        foes = [foe for foe in foes if supporters(state, board, unit, foe, -1)]
        houses = [house for house in houses if supporters(state, board, unit, -1, house)]
    found: list[Answer] = [numbered(TargetUnit, foe) for foe in foes]
    found += [TargetSpace(board.sections[house].spaces[0]) for house in houses]
    if ask.action == ADVANCE_FIRE or not found:
        found.append(Pass())
    return found


def aimed(r: Resolution, ask: AtWhom, said: Answer) -> None:
    """The target is declared, squad or building (SH-TARGET-1, SH-TARGET-2)."""
    unit = r.state.units[ask.unit]
    if isinstance(said, TargetSpace):
        section = r.board.spaces[said.place].section
        if ask.action == CONCENTRATED:
            r.then(concentrate.WhoSupports(unit.id, -1, section, side=unit.side))
        else:
            r.then(buildings.AttackBuilding(unit.id, section, ask.action))
    elif isinstance(said, TargetUnit):
        if ask.action == CONCENTRATED:
            r.then(concentrate.WhoSupports(unit.id, said.unit, -1, side=unit.side))
        else:
            r.then(HowFired(unit.id, said.unit, ask.action, side=unit.side))


CHAPTER = Chapter(asks={AtWhom: (at_whom, aimed)})
