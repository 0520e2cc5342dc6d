"""What each side can still do before the battle ends. Read `time_left`."""

from __future__ import annotations

from typing import NamedTuple

from battlesim.rulesets.regiment.model import CHARGE, SHOOT, BattleState


class TimeLeft(NamedTuple):
    """What is still to come: charges and shots of one's own units (after this turn, if it is one's own), charges of the enemy,
    its shots; `now`: its shots this turn."""

    ours: bool
    charges: bool
    shots: bool
    now: bool


def rallies(known: BattleState, turn: int) -> tuple[bool, bool]:
    """Whether a unit of each side that flees now may still rally, as a turn of its side begins (RG-HOUSE-FLEE)."""
    return turn < known.turns, turn < known.turns or (not known.by_unit and known.sides.side == 0)


def time_left(known: BattleState, turn: int, side: int) -> TimeLeft:
    """What is still to come for a side when it is asked. Before the last turn: everything. In the last turn, while the first side
    plays, only the second side's own turn is still to come; a turn that has begun goes on until its shots."""
    acting, phase = known.sides.side, known.sides.phase
    ours, theirs = (not known.by_unit and one > acting for one in (side, 1 - side))
    charges = theirs or ((known.by_unit or acting == 1 - side) and phase == CHARGE)
    now = theirs or ((known.by_unit or acting == 1 - side) and phase <= SHOOT)
    if turn < known.turns:
        return TimeLeft(True, True, True, now)
    return TimeLeft(ours, charges, now, now)
