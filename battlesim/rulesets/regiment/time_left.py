"""What each side can still do before the battle ends. Read `time_left`."""

from __future__ import annotations

from typing import NamedTuple

from battlesim.rulesets.regiment.model import CHARGE, SHOOT, BattleState


class TimeLeft(NamedTuple):
    """What is still to come: charges and shots of one's own units (after this turn, if it is one's own), charges of the enemy,
    its shots; `now`: its shots this turn. Whether combats go on, in another phase of close combat, after this turn's
    (`after_now`), after that of one's own next turn (`after_ours`) and after that of the enemy's (`after_theirs`)."""

    ours: bool
    charges: bool
    shots: bool
    now: bool
    after_now: bool
    after_ours: bool
    after_theirs: bool


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
    after = _combats_after(known, turn, side)
    if turn < known.turns:
        return TimeLeft(True, True, True, now, *after)
    return TimeLeft(ours, charges, now, now, *after)


def _combats_after(known: BattleState, turn: int, side: int) -> tuple[bool, bool, bool]:
    """Whether a phase of close combat comes after this turn's, after that of one's own next turn, and after that of the enemy's
    turn whose charges are next (see `TimeLeft`)."""
    acting, phase = known.sides.side, known.sides.phase
    in_turn = 1 if known.by_unit else 2
    now = in_turn * (turn - 1) + (0 if known.by_unit else acting)
    last = in_turn * known.turns - 1
    ours = now + (2 if acting == side and not known.by_unit else 1)
    theirs = now + (2 if acting != side and not known.by_unit else 1)
    if phase == CHARGE and (known.by_unit or acting != side):
        theirs = now
    return now < last, ours < last, theirs < last
