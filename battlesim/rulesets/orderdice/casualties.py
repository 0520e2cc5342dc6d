"""Casualties: models lost and units destroyed, for any cause. A lost unit's die leaves the bag, and its worth is counted.

Read `lose`. OD-HOUSE-TURN (a destroyed unit's die goes), OD-HOUSE-GUN (a gun is lost with its crew). Passengers of a lost
transport get out by the step `CarrierLost`, which the chapter on transports carries out.
"""

from __future__ import annotations

from battlesim.core.items import Step
from battlesim.core.state import Unit
from battlesim.rules.resolution import Clauses, Resolution
from battlesim.rulesets.orderdice.model import battle_state, type_of, unit_state


class CarrierLost(Step, frozen=True):
    """A transport on `place` can carry no passengers any more: it is immobilised, or destroyed (`wrecked`)."""

    unit: int
    place: int
    wrecked: bool


def worth_of(unit: Unit, models: int) -> int:
    """The worth of a number of a unit's models, in points; a vehicle is worth all or nothing."""
    return type_of(unit).worth * models // max(unit_state(unit).full, 1)


def lose(r: Resolution, target: int, models: int, how: str, clauses: Clauses = ()) -> int:
    """A unit loses models, riflemen first. Returns how many it lost: no more than it had."""
    unit = r.state.units[target]
    lost = r.lose(unit, models, how, clauses)
    if not lost:
        return 0
    # The worth of what is lost counts against its side.
    left = unit.models - lost
    losses = battle_state(r.state).losses
    cost = worth_of(unit, unit.models) - worth_of(unit, left)
    tally = (losses[0] + cost, losses[1]) if unit.side == 0 else (losses[0], losses[1] + cost)
    r.set_extra(losses=tally)
    # The die of a unit that is destroyed before it has acted leaves the bag (OD-HOUSE-TURN).
    if not left and unit_state(unit).order == "":
        drop_die(r, unit.side, ("OD-HOUSE-TURN",))
    # The passengers of a lost transport bail out (OD-HOUSE-TRANSPORT).
    if not left and type_of(unit).capacity:
        r.then(CarrierLost(unit.id, unit.place, wrecked=True))
    return lost


def destroy(r: Resolution, target: int, how: str, clauses: Clauses = ()) -> None:
    """A unit loses all its models."""
    unit = r.state.units[target]
    if unit.alive:
        lose(r, target, unit.models, how, clauses)


def drop_die(r: Resolution, side: int, clauses: Clauses) -> None:
    """Remove an undrawn die of a side from the bag, if there is one."""
    gone = battle_state(r.state).bag.spare(side)
    if gone:
        r.change_list("bag", "dice", side, removed=gone, clauses=clauses)


def spend_die(r: Resolution, unit: Unit, order: str, clauses: Clauses = ()) -> None:
    """A unit's die shows an order: a reaction, or the effect of a hit. A unit without a die takes one of its side from the bag;
    one with a die turns it."""
    if unit_state(unit).order == "":
        drop_die(r, unit.side, clauses)
    r.set(unit.id, clauses, order=order)
