"""Concentrated fire: one leader, and friends who add half their firepower (SH-HOUSE-ACTIONS).

Read `supported`. Supporters are asked for one at a time; each has then acted.
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
    """Who else adds to a concentrated fire at a unit, or (`target` -1) at a building hex?"""

    unit: int
    target: int
    section: int
    chosen: tuple[int, ...] = ()


def who_supports(state: State, board: Board, ask: WhoSupports) -> Sequence[Answer]:
    """Friends by id; from the second on nobody more."""
    leader = state.units[ask.unit]
    found: list[Answer] = [
        numbered(Pick, unit) for unit in supporters(state, board, leader, ask.target, ask.section, ask.chosen)
    ]
    if ask.chosen or not found:
        found.append(Pass())
    return found


def supported(r: Resolution, ask: WhoSupports, said: Answer) -> None:
    """One more joins, or the attack is made."""
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


CHAPTER = Chapter(asks={WhoSupports: (who_supports, supported)})
