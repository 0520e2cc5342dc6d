"""The chances that a unit that flees from a charge is run down (RG-HOUSE-FLEE).

It goes through all lengths of flight, and asks the rules where each ends and whether the charger still reaches the unit there.
Nothing here decides a rule. Read `lost`.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from battlesim.board.board import Board
from battlesim.core.geometry import INCH
from battlesim.core.state import State, Unit
from battlesim.core.sums import summed
from battlesim.evaluation.distributions import dice
from battlesim.rulesets.regiment import charge, expected_melee, ground, rout


def chance(state: State, board: Board, unit: Unit, foe: Unit) -> float:
    """The chance that an enemy that flees from a unit's charge is lost: caught, or off the table."""
    return summed(share for share, end in _ends(state, board, foe, unit) if end is None)


def lost(state: State, board: Board, unit: Unit, foe: Unit) -> float:
    """The chance that a unit outdoors that flees from a charge is lost this turn: to that charge, or to another where its flight
    ends, from which it flees again."""
    others = [
        other
        for other in state.living(foe.side)
        if other.id != foe.id
        and ground.outdoors(board, other.place)
        and charge.can_charge(state, board, other)
    ]
    return summed(
        share * (1.0 if there is None else _from_another(state, board, there, others))
        for share, there in _ends(state, board, unit, foe)
    )


def _from_another(state: State, board: Board, there: Unit, others: list[Unit]) -> float:
    """The chance that the best of some other chargers runs down a unit where its flight has ended."""
    after = expected_melee.imagined(state, (there,))
    return max(
        (
            chance(after, board, other, there)
            for other in others
            if charge.route(after, board, other, there) is not None
        ),
        default=0.0,
    )


def _ends(state: State, board: Board, unit: Unit, foe: Unit) -> Iterator[tuple[float, Unit | None]]:
    """Where a flight from a charge ends, with its chance: the unit there, or None if it is lost."""
    away = board.spaces[foe.place].point
    known: dict[int, bool] = {}
    for inches, share in enumerate(dice(rout.dice_of(unit), 6)):
        if not share:
            continue
        goal = rout.straight_away(board, unit, away, inches * INCH)
        end = rout.flight_end(state, board, unit, goal, inches * INCH)
        if end == rout.OFF:
            yield share, None
            continue
        there = replace(unit, place=end)
        if end not in known:
            after = expected_melee.imagined(state, (there,))
            known[end] = charge.way_to_run_down(after, board, foe, there) is not None
        yield share, None if known[end] else there
