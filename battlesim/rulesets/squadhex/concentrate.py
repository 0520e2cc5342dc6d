"""Concentrated fire: a leader fires, and friends add half their firepower (SH-HOUSE-ACTIONS).

The leader's side names supporters one at a time; each has then acted. Read `resolve_who_supports`.
"""

from __future__ import annotations

from collections.abc import Sequence

from battlesim.board.board import Board
from battlesim.core.answers import Answer, Pass, Pick, numbered
from battlesim.core.items import Ask
from battlesim.core.state import State
from battlesim.rules.contract import Chapter
from battlesim.rules.resolution import Resolution
from battlesim.rulesets.squadhex import attack, buildings, facts
from battlesim.rulesets.squadhex.model import CONCENTRATED
from battlesim.rulesets.squadhex.targets import supporters


class WhoSupports(Ask, frozen=True):
    """Which friend supports a concentrated fire at a unit (`target`) or at a building hex (`section`), besides those already
    `chosen`? The other of the two is -1."""

    unit: int
    target: int
    section: int
    chosen: tuple[int, ...] = ()


def legal_who_supports(state: State, board: Board, ask: WhoSupports) -> Sequence[Answer]:
    """Friends that can support, by id; pass once one is chosen."""
    leader = state.units[ask.unit]
    found: list[Answer] = [
        numbered(Pick, unit) for unit in supporters(state, board, leader, ask.target, ask.section, ask.chosen)
    ]
    if ask.chosen or not found:
        found.append(Pass())
    return found


def resolve_who_supports(r: Resolution, ask: WhoSupports, said: Answer) -> None:
    """One more friend joins, or the attack is carried out."""
    unit = r.state.units[ask.unit]
    if isinstance(said, Pick):
        r.emit(facts.Supports(unit=said.unit, other=ask.unit, clauses=("SH-HOUSE-ACTIONS",)))
        r.set(said.unit, ("SH-HOUSE-ACTIONS",), fresh=False)
        chosen = (*ask.chosen, said.unit)
        r.then(WhoSupports(unit.id, ask.target, ask.section, chosen, side=unit.side))
    elif ask.section >= 0:
        r.then(buildings.AttackBuilding(unit.id, ask.section, CONCENTRATED, ask.chosen))
    else:
        r.then(attack.HowFired(unit.id, ask.target, CONCENTRATED, ask.chosen, side=unit.side))


CHAPTER = Chapter(asks={WhoSupports: (legal_who_supports, resolve_who_supports)})
