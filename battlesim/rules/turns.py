"""Turns of a battle: spreading activations over a turn's time, and ending a turn. Read `end_turn`."""

from __future__ import annotations

from collections.abc import Callable

from battlesim.core.codec import position
from battlesim.core.events import TurnEnded
from battlesim.core.items import TURN, Step
from battlesim.rules.resolution import Clauses, Resolution


def spread(r: Resolution, step: Step, priority: int, left: int, until: int = -1) -> None:
    """Schedule `step` for the next of `left` activations, which are spread evenly over the time until tick `until` (-1: the
    turn's end)."""
    now = r.state.now
    end = r.state.turn * TURN if until < 0 else until
    r.schedule(now + (end - now) // (left + 2), step, priority)


def end_turn(
    r: Resolution, goes_on: Callable[[Resolution], bool], begin: Step, priority: int, clauses: Clauses = ()
) -> None:
    """End the turn: emit `TurnEnded` with the hash of the position. Where the battle goes on, schedule the next turn, which
    begins with the step `begin`. `goes_on(r)`: whether it does; it ends the battle if not (`victory.Ending.turn_over`)."""
    r.cause = -1
    r.emit(TurnEnded(r.state.turn, position(r.state), clauses=clauses))
    if goes_on(r):
        r.schedule((r.state.turn - 1) * TURN, begin, priority)
