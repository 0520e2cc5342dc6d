"""`apply(state, event)`: the only code that changes a state.

A fact changes nothing but the count of events. A replay applies the same events to a state whose `own`, `extra` and steps are
plain dicts. Both states have the same hash (`codec.position`), since names and values of their fields are the same.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from battlesim.core.errors import RuleError
from battlesim.core.events import (
    Answered,
    Cancelled,
    Change,
    Ended,
    Event,
    ExtraSet,
    ListChanged,
    ModelsLost,
    Placed,
    Scheduled,
    Scored,
    StructureSet,
    Taken,
    TurnEnded,
    UnitSet,
)
from battlesim.core.frozen import FrozenDict
from battlesim.core.items import by_rank
from battlesim.core.state import State, Structure, fallen_of


def with_fields(record: Any, fields: Mapping[str, Any]) -> Any:
    """A copy of a frozen record, or of a dict standing in for one, with some fields changed."""
    return FrozenDict({**record, **fields}) if isinstance(record, dict) else replace(record, **fields)


def _leave(state: State, unit: int, place: int) -> None:
    staying = tuple(other for other in state.at[place] if other != unit)
    if staying:
        state.at[place] = staying
    else:
        del state.at[place]


def _placed(state: State, event: Placed) -> None:
    unit = state.units[event.unit]
    if unit.place != event.place:
        if unit.place >= 0:
            _leave(state, unit.id, unit.place)
        if event.place >= 0:
            here = state.at.get(event.place, ())
            state.at[event.place] = tuple(sorted((*here, unit.id))) if here else (unit.id,)
    state.units[event.unit] = replace(unit, place=event.place, facing=event.facing)


def _models_lost(state: State, event: ModelsLost) -> None:
    unit = state.units[event.unit]
    if event.left:
        state.units[event.unit] = replace(unit, models=event.left)
        return
    if unit.place >= 0:
        _leave(state, unit.id, unit.place)
    state.units[event.unit] = replace(unit, models=0, alive=False, place=-1)
    a, b = state.alive
    if unit.side == 0:
        a = tuple(other for other in a if other != unit.id)
    else:
        b = tuple(other for other in b if other != unit.id)
    state.alive = (a, b)


def _unit_set(state: State, event: UnitSet) -> None:
    units, number = state.units, event.unit
    units[number] = replace(units[number], own=with_fields(units[number].own, event.own))


def _extra_set(state: State, event: ExtraSet) -> None:
    state.extra = with_fields(state.extra, event.extra)


def _list_changed(state: State, event: ListChanged) -> None:
    state.extra = _with_list(state.extra, event.path, event)


def _with_list(value: Any, path: tuple[str | int, ...], event: ListChanged) -> Any:
    """A copy of `value` in which the list at `path` has lost `event.removed` and gained `event.added` at its end."""
    if not path:
        return (*[number for number in value if number not in event.removed], *event.added)
    step, rest = path[0], path[1:]
    if isinstance(step, int):
        changed = _with_list(value[step], rest, event)
        return (*value[:step], changed, *value[step + 1 :])
    inner = value[step] if isinstance(value, dict) else getattr(value, step)
    return with_fields(value, {step: _with_list(inner, rest, event)})


def _structure_set(state: State, event: StructureSet) -> None:
    before = state.structures.get(event.section)
    own = {**before.own, **event.own} if before else event.own
    state.structures[event.section] = Structure(event.section, event.fallen, event.burning, own)
    if before is None and event.section != max(state.structures):
        # Structures stand in the order of their numbers, as in a state that was saved and loaded.
        state.structures = dict(sorted(state.structures.items()))
    if event.fallen or (before and before.fallen):
        state.down = fallen_of(state.structures)


def _scheduled(state: State, event: Scheduled) -> None:
    if state.agenda:
        agenda = list(state.agenda)
        insort(agenda, event.entry, key=by_rank)
        state.agenda = tuple(agenda)
    else:
        state.agenda = (event.entry,)
    state.serial = event.entry.serial + 1


def _taken(state: State, event: Taken) -> None:
    if not state.agenda or state.agenda[0].serial != event.serial:
        raise RuleError(f"agenda entry {event.serial} is not the head of the agenda")
    state.agenda = state.agenda[1:]
    state.now = event.time


def _cancelled(state: State, event: Cancelled) -> None:
    state.agenda = tuple(entry for entry in state.agenda if entry.serial != event.serial)


def _scored(state: State, event: Scored) -> None:
    a, b = state.points
    state.points = (a + event.points, b) if event.side == 0 else (a, b + event.points)


def _turn_ended(state: State, event: TurnEnded) -> None:
    state.turn = event.turn + 1


def _ended(state: State, event: Ended) -> None:
    state.outcome = event.outcome
    state.agenda = ()


def _answered(state: State, event: Answered) -> None:
    a, b = state.questions
    state.questions = (a + 1, b) if event.side == 0 else (a, b + 1)


class _Changes(dict[type[Event], Callable[[State, Any], None] | None]):
    """What each type of event does to a state: a function, or None for a fact. A type of fact is added when its first event
    comes."""

    def __missing__(self, kind: type[Event]) -> None:
        if issubclass(kind, Change):
            raise RuleError(f"apply does not know the change {kind.__name__}")
        self[kind] = None


_APPLY = _Changes(
    {
        Placed: _placed,
        ModelsLost: _models_lost,
        UnitSet: _unit_set,
        ExtraSet: _extra_set,
        ListChanged: _list_changed,
        StructureSet: _structure_set,
        Scheduled: _scheduled,
        Taken: _taken,
        Cancelled: _cancelled,
        Scored: _scored,
        TurnEnded: _turn_ended,
        Ended: _ended,
        Answered: _answered,
    }
)


def apply(state: State, event: Event) -> int:
    """Change the state as the event says. A fact only raises the count of events.

    Returns the event's number, which is `state.events` before it. Raises RuleError for a change that is not known or does not
    fit.
    """
    change = _APPLY[type(event)]
    if change is not None:
        change(state, event)
    number = state.events
    state.events = number + 1
    return number
