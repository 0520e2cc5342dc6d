"""Transports: getting in, getting out, and being thrown out (OD-HOUSE-TRANSPORT).

Passengers have no place of their own: `place` is -1 and `aboard` the transport's id, so that they neither shoot nor are
shot at. Read `boardable`, `standing` and `carrier_lost`. Only a wreck causes D6 hits; passengers of an immobilised transport
take none.
"""

from __future__ import annotations

from msgspec.structs import replace

from battlesim.board.board import Board
from battlesim.core.events import Placed
from battlesim.core.items import Step
from battlesim.core.state import State, Unit
from battlesim.rules.contract import Chapter
from battlesim.rules.resolution import Clauses, Resolution
from battlesim.rulesets.orderdice import casualties, collapse, facts_vehicles, fire, ground, morale
from battlesim.rulesets.orderdice.data import CARRIERS
from battlesim.rulesets.orderdice.model import RUN, type_of, unit_state

CLAUSES: Clauses = ("OD-HOUSE-TRANSPORT",)


class GetIn(Step, frozen=True):
    """The unit gets into its transport, if both are still there."""

    unit: int
    carrier: int
    path: tuple[int, ...]


def passengers(state: State, carrier: int) -> list[Unit]:
    """The living units aboard a transport, by id."""
    side = state.units[carrier].side
    return [unit for unit in state.living(side) if unit_state(unit).aboard == carrier]


def room(state: State, carrier: Unit) -> int:
    """How many more men a transport takes."""
    return type_of(carrier).capacity - sum(unit.models for unit in passengers(state, carrier.id))


def standing(state: State, unit: Unit) -> Unit:
    """The unit with the place from which its moves are measured: for a passenger that of its transport."""
    aboard = unit_state(unit).aboard
    return unit if aboard < 0 else replace(unit, place=state.units[aboard].place)


def boardable(state: State, board: Board, unit: Unit) -> list[int]:
    """Friendly transports that infantry can board by Run: their space is in reach, they have room and still move; by id."""
    if not type_of(unit).infantry or unit.place < 0:
        return []
    return [
        carrier.id
        for carrier in state.living(unit.side)
        if carrier.kind in CARRIERS
        and carrier.place >= 0
        and not carrier.own.immobile
        and room(state, carrier) >= unit.models
        and route(state, board, unit, carrier)
    ]


def route(state: State, board: Board, unit: Unit, carrier: Unit) -> tuple[int, ...]:
    """The spaces from a unit to a transport, both ends included; () where a Run does not get there."""
    shut = ground.enemy_places(state, unit.side)
    for mode in ground.modes(type_of(unit), RUN):
        if carrier.place in ground.reach(state, board, unit, mode, shut):
            return ground.path(state, board, unit, mode, carrier.place, shut)
    return ()


def approach(state: State, board: Board, unit: Unit, path: tuple[int, ...]) -> tuple[int, ...]:
    """The part of a path to an occupied space that ends on the last free space before it."""
    end = len(path) - 2
    while end > 0 and not ground.holds(state, path[end], unit.id):
        end -= 1
    return path[: end + 1]


def get_in(r: Resolution, step: GetIn) -> None:
    """The unit boards its transport, where that still stands there, moves and has room."""
    unit, carrier = r.state.units[step.unit], r.state.units[step.carrier]
    if not (unit.alive and carrier.alive) or unit_state(carrier).immobile or carrier.place != step.path[-1]:
        return
    if unit.place not in step.path or room(r.state, carrier) < unit.models:
        return
    path = step.path[step.path.index(unit.place) :]
    # Enemies that bailed out on the way are not passed.
    if not ground.enemy_places(r.state, unit.side).isdisjoint(path):
        return
    r.because(facts_vehicles.Boarded(unit=unit.id, other=carrier.id, place=carrier.place, clauses=CLAUSES))
    r.emit(Placed(unit.id, -1, unit.facing, path, clauses=CLAUSES))
    r.set(unit.id, CLAUSES, aboard=carrier.id)


def carrier_lost(r: Resolution, step: casualties.CarrierLost) -> None:
    """Each passenger unit takes D6 hits if the transport was wrecked; all bail out."""
    if not step.wrecked and not r.state.units[step.unit].alive:
        return  # the same attack has wrecked it since: that comes next
    riders = passengers(r.state, step.unit)
    if step.wrecked:
        for rider in riders:
            _shaken(r, step.unit, rider)
    left = [rider.id for rider in riders if r.state.units[rider.id].alive]
    collapse.bail_out(r, left, hull=step.place)


def _shaken(r: Resolution, carrier: int, rider: Unit) -> None:
    """D6 hits on a unit in a wreck, with no penetration and no protection; half its models lost make it test."""
    hits = r.total(1, 6, "wreck hits", carrier, rider.id, clauses=CLAUSES)
    need = fire.damage_need(unit_state(rider).quality, 0, False)
    damage = r.count(hits, need, "wreck damage", carrier, rider.id, clauses=("OD-HOUSE-DAMAGE",))
    r.emit(facts_vehicles.Shaken(unit=rider.id, other=carrier, number=hits, clauses=CLAUSES))
    casualties.lose(r, rider.id, damage, "in the wreck", CLAUSES)
    unit = r.state.units[rider.id]
    if unit.alive and damage and 2 * damage >= rider.models:
        clauses: Clauses = ("OD-HOUSE-PINS", "OD-HOUSE-MORALE")
        if not morale.check(r, unit, "wreck", carrier, clauses=clauses):
            casualties.destroy(r, unit.id, "routed", clauses)


CHAPTER = Chapter(
    owns=("OD-HOUSE-TRANSPORT",),
    steps={GetIn: get_in, casualties.CarrierLost: carrier_lost},
)
