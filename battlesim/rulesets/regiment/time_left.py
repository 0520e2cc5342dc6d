"""What may still be done before the battle ends, by whom. Read `time_left`."""

from __future__ import annotations

from typing import NamedTuple

from battlesim.rulesets.regiment.model import CHARGE, SHOOT, BattleState


class TimeLeft(NamedTuple):
    """What is still to come: charges and shots of one's own units (after this turn, where one's own turn is on), charges of the
    enemy's, and their shots; `now`: these in this turn."""

    ours: bool
    charges: bool
    shots: bool
    now: bool


def rallies(known: BattleState, turn: int) -> tuple[bool, bool]:
    """Whether a unit of each side that flees now may still rally: as a turn of its side begins (RG-HOUSE-FLEE)."""
    return turn < known.turns, turn < known.turns or (not known.by_unit and known.sides.side == 0)


def time_left(known: BattleState, turn: int, side: int) -> TimeLeft:
    """What is still to come, as a side sees it when it is asked. Before the last turn, everything. In it the second side alone
    has its charges and shots before it when the first has its turn; what has begun goes on until its shots."""
    acting, phase = known.sides.side, known.sides.phase
    ours, theirs = (not known.by_unit and one > acting for one in (side, 1 - side))
    charges = theirs or ((known.by_unit or acting == 1 - side) and phase == CHARGE)
    now = theirs or ((known.by_unit or acting == 1 - side) and phase <= SHOOT)
    if turn < known.turns:
        return TimeLeft(True, True, True, now)
    return TimeLeft(ours, charges, now, now)
