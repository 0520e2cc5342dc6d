"""A unit that fires declares its target, a unit or a building hex (SH-TARGET-1, SH-TARGET-2).

`attack.py` carries out fire at units, `buildings.py` fire at buildings; `concentrate.py` asks who supports a concentrated fire.
Read `legal_at_whom`, then `resolve_at_whom`.
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
    """At which unit or building hex does a unit fire? `action`: fire, advance_fire or concentrated."""

    unit: int
    action: str


def begin(r: Resolution, unit: Unit, action: str) -> None:
    """Ask a unit that fires for its target."""
    r.then(AtWhom(unit.id, action, side=unit.side))


def legal_at_whom(state: State, board: Board, ask: AtWhom) -> Sequence[Answer]:
    """Enemies by id, then building hexes by number, named by their ground floors; pass after an advance, or without a target."""
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


def resolve_at_whom(r: Resolution, ask: AtWhom, said: Answer) -> None:
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


CHAPTER = Chapter(asks={AtWhom: (legal_at_whom, resolve_at_whom)})
