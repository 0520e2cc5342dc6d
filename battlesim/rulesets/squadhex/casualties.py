"""Casualties: the figures that normal attacks, area attacks and close combat remove (SH-HOUSE-NORMAL).

Read `lose_figures`. The losses of units in a falling building are in `collapse.py`.
"""

from __future__ import annotations

from battlesim.core.state import Unit
from battlesim.rules.contract import Chapter
from battlesim.rules.resolution import Clauses, Resolution
from battlesim.rulesets.squadhex import facts
from battlesim.rulesets.squadhex.model import type_of

CLAUSES: Clauses = ("SH-HOUSE-NORMAL",)


def lose_figures(r: Resolution, target: Unit, net: int, how: str, clauses: Clauses = CLAUSES) -> None:
    """Remove figures for net hits. `how`: fire, bombardment or assault."""
    target = r.state.units[target.id]
    if net <= 0 or not target.alive:
        return
    # Each net hit removes a figure; on a vehicle the first causes heavy damage, the second destroys it.
    lost = r.lose(target, net, how, clauses)
    if type_of(target).vehicle and lost == 1 and target.models == 2:
        r.emit(facts.Damaged(unit=target.id, clauses=clauses))


CHAPTER = Chapter(owns=CLAUSES)
