"""What a side sees, what a state must keep to, and what an answer promises. All lies open but the enemy's questions."""

from __future__ import annotations

from collections.abc import Sequence

from battlesim.board.board import Board
from battlesim.core.answers import Answer, MoveTo, Pick, TargetUnit
from battlesim.core.events import Event, Observer
from battlesim.core.geometry import INCH, distance
from battlesim.core.items import Ask
from battlesim.core.state import NONE, State, Unit
from battlesim.core.view import View, visible_events
from battlesim.rules.contract import Features, best_of
from battlesim.rules.invariants import common_faults, crowd_faults, ruin_faults, whereabouts_faults
from battlesim.rules.views import ALL_OPEN, imagine_open, view_of

from . import fight
from .model import GANGS, battle_state, unit_state
from .turn import WhatNow, what_now


def observe(state: State, board: Board, side: int, news: Sequence[Event]) -> View:
    """The battle as a side knows it; `news` are the events since it was last asked."""
    return view_of("alleys", state, side, visible_events(news, Observer(side, state.units, NONE), ALL_OPEN))


imagine = imagine_open


def faults(state: State, board: Board) -> list[str]:
    """Broken invariants, in words."""
    return common_faults(state, board, _unit_faults) + crowd_faults(state, board, 1)


def _unit_faults(state: State, board: Board, unit: Unit) -> list[str]:
    found = whereabouts_faults(unit, left=unit_state(unit).left)
    return found + (ruin_faults(state, board, unit) if unit.place >= 0 else [])


def features(view: View, board: Board, ask: Ask, answers: Sequence[Answer]) -> list[Features]:
    """Stones do what they do on average; a run is worth what it brings a gang nearer to an objective."""
    state = imagine_open(view, board, None)  # type: ignore[arg-type]
    return [_feature(state, board, ask, answer) for answer in answers]


def _feature(state: State, board: Board, ask: Ask, answer: Answer) -> Features:
    if isinstance(answer, Pick):
        inner = WhatNow(answer.unit, side=ask.side)
        return best_of(_feature(state, board, inner, one) for one in what_now(state, board, inner))
    assert isinstance(ask, WhatNow)
    unit = state.units[ask.unit]
    if isinstance(answer, TargetUnit):
        target = state.units[answer.unit]
        hits = min(unit.models * (7 - fight.needed(board, target)) / 6, target.models)
        return Features(dealt=hits * GANGS[target.kind].worth / GANGS[target.kind].men)
    if isinstance(answer, MoveTo):
        nearer = _away(state, board, unit, unit.place) - _away(state, board, unit, answer.place)
        return Features(progress=nearer / INCH)
    return Features(ready=1.0 if unit_state(unit).scared else 0.0)


def _away(state: State, board: Board, unit: Unit, place: int) -> int:
    """How far a place is from the nearest one that an objective of the side names."""
    goals = [goal for goal in battle_state(state).objectives if goal.side in (-1, unit.side)]
    spaces = [board.spaces[number] for goal in goals for number in goal.places]
    return min((distance(board.spaces[place].point, space.point) for space in spaces), default=0)
