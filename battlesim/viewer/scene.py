"""One turn of a record as a scene: the position at its end, the fire and the losses in it. Read `scene_of`.

It knows no rules: a fact counts as a shot where it has a unit, a target or place, and a range with a weapon or dice.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from battlesim.core.apply import apply
from battlesim.core.events import ModelsLost, TurnEnded
from battlesim.core.state import State
from battlesim.engine.record import PlainFact, Record
from battlesim.engine.replay import initial_state


class FireLine(NamedTuple):
    """Fire of a unit from one space to another."""

    unit: int
    start: int
    end: int
    hit: bool


class Scene(NamedTuple):
    """The end of a turn. `full`: models by unit when the battle began. `lost`: models lost in this turn, by unit. `fell`: units
    destroyed in this turn, with the space where each stood."""

    turn: int
    state: State
    full: dict[int, int]
    shots: tuple[FireLine, ...]
    lost: dict[int, int]
    fell: dict[int, int]


def scene_of(record: Record, turn: int | None = None) -> Scene:
    """The scene at the end of a turn; the last turn where `turn` is None or was not played. The record must be one that `replay`
    accepts."""
    state = initial_state(record.header)
    full = {unit.id: unit.models for unit in state.units.values()}
    now = before = _Turn({}, {}, {})
    for event in record.events:
        if isinstance(event, TurnEnded):
            if event.turn == turn:
                return _scene(turn, state, full, now)
            now, before = _Turn({}, {}, {}), now
        elif isinstance(event, PlainFact):
            shot = shot_of(state, event.fields)
            if shot is not None:
                now.shots[shot[:3]] = now.shots.get(shot[:3], False) or shot.hit
        elif isinstance(event, ModelsLost):
            now.lost[event.unit] = now.lost.get(event.unit, 0) + event.lost
            if event.left == 0:
                now.fell[event.unit] = state.units[event.unit].place
        apply(state, event)
    # Where the battle ended with a turn, its last fire belongs to that turn.
    return _scene(state.turn, state, full, now if now.shots or now.lost else before)


class _Turn(NamedTuple):
    """The events of a turn so far. `shots`: (unit, start, end) -> whether one hit; `lost`, `fell`: as in `Scene`."""

    shots: dict[tuple[int, int, int], bool]
    lost: dict[int, int]
    fell: dict[int, int]


def _scene(turn: int, state: State, full: dict[int, int], had: _Turn) -> Scene:
    shots = tuple(FireLine(*key, hit) for key, hit in had.shots.items())
    return Scene(turn, state, full, shots, had.lost, had.fell)


def shot_of(state: State, fields: Mapping[str, Any]) -> FireLine | None:
    """The fire that a fact with these fields tells of; None where it is no shot. The state is that before it."""
    unit, target = fields.get("unit", 0), fields.get("target", -1)
    if "range" not in fields or not ("weapon" in fields or "dice" in fields):
        return None
    if not isinstance(unit, int) or unit not in state.units:
        return None
    aimed = state.units.get(target) if isinstance(target, int) else None
    end = aimed.place if aimed is not None else fields.get("place", -1)
    start = state.units[unit].place
    if not isinstance(end, int) or end < 0 or start < 0:
        return None
    return FireLine(unit, start, end, bool(fields.get("hits", 1)))
