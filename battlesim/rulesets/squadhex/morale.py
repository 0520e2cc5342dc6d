"""Morale: units pinned, disrupted and routed by suppressive fire, falling back, recovery (SH-HOUSE-SUPPRESS).

The losers of close combat also fall back (`assault.py`). Read `suppress`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from battlesim.board.board import Board
from battlesim.core.answers import Answer, MoveTo, numbered
from battlesim.core.items import Ask, Step
from battlesim.core.memo import memo
from battlesim.core.state import State, Unit
from battlesim.rules.contract import Chapter
from battlesim.rules.resolution import Clauses, Resolution
from battlesim.rulesets.squadhex import facts
from battlesim.rulesets.squadhex.data import TYPES
from battlesim.rulesets.squadhex.ground import enter_clauses, has_room, next_to
from battlesim.rulesets.squadhex.hexes import hexes
from battlesim.rulesets.squadhex.model import type_of, unit_state

CLAUSES: Clauses = ("SH-HOUSE-SUPPRESS",)
PIN, DISRUPT, ROUT = 1, 3, 4
"""The least net hits that pin, disrupt and rout a squad."""
RECOVER, BESIDE_OFFICER = 4, 3
"""The rolls from which a disrupted squad recovers: alone, and beside an officer."""


class FallBack(Step, frozen=True):
    """A unit falls back: in a rout `away` from the space the fire came from, after an assault anywhere (-1)."""

    unit: int
    away: int
    clauses: tuple[str, ...]


class WhereBack(Ask, frozen=True):
    """Where does a unit fall back to? The fields are those of `FallBack`."""

    unit: int
    away: int
    clauses: tuple[str, ...]


def suppress(r: Resolution, target: Unit, net: int, origin: int) -> None:
    """The effect of net hits of suppressive fire on a squad or crew; `origin`: the space the fire came from."""
    if net < PIN or not target.alive or type_of(target).vehicle:
        return
    # One or two net hits pin: no movement, half firepower until the end of the round. A pinned squad is not pinned again.
    if net < DISRUPT:
        if not unit_state(target).pinned:
            r.because(facts.Pinned(unit=target.id, clauses=CLAUSES))
            r.set(target.id, CLAUSES, pinned=True)
        return
    # Three disrupt: no action until it recovers. Four or more rout: disrupted, and it falls back.
    r.because((facts.Disrupted if net < ROUT else facts.Routed)(unit=target.id, clauses=CLAUSES))
    r.set(target.id, CLAUSES, disrupted=True, waits=False)
    if net >= ROUT:
        r.then(FallBack(target.id, origin, CLAUSES))


def ways_back(state: State, board: Board, unit: Unit, away: int) -> list[int]:
    """Where a unit can fall back to, ascending: one permitted step to a place with room. In a rout it must lead away from the
    fire: to a hex farther from it, or to another floor; under fire from the same hex to a floor farther from that one."""
    return sorted(_ways_back(state, board, unit, away))


def can_fall_back(state: State, board: Board, unit: Unit, away: int) -> bool:
    """Whether `ways_back` lists anything."""
    return any(True for _ in _ways_back(state, board, unit, away))


def _ways_back(state: State, board: Board, unit: Unit, away: int) -> Iterator[int]:
    for place, _ in next_to(state, board, unit, unit.place):
        if has_room(state, board, unit, place) and (away < 0 or _is_away(board, unit.place, place, away)):
            yield place


def _is_away(board: Board, here: int, there: int, origin: int) -> bool:
    """Whether a step from `here` to `there` leads away from fire that came from `origin`."""
    grid = hexes(board)
    if grid.of[here] != grid.of[there]:
        return grid.between(origin, there) > grid.between(origin, here)
    if grid.of[here] != grid.of[origin]:
        return True
    floors = [board.spaces[place].floor for place in (here, there, origin)]
    return abs(floors[1] - floors[2]) > abs(floors[0] - floors[2])


def fall_back(r: Resolution, step: FallBack) -> None:
    """The unit's side chooses where it falls back to; a unit that cannot is removed."""
    unit = r.state.units[step.unit]
    if unit.place < 0:
        return
    if can_fall_back(r.state, r.board, unit, step.away):
        r.then(WhereBack(unit.id, step.away, step.clauses, side=unit.side))
    else:
        r.because(facts.CutOff(unit=unit.id, place=unit.place, clauses=step.clauses))
        r.lose(unit, unit.models, "cut off", step.clauses)


def legal_where_back(state: State, board: Board, ask: WhereBack) -> Sequence[Answer]:
    """The spaces that `ways_back` lists."""
    return [numbered(MoveTo, place) for place in ways_back(state, board, state.units[ask.unit], ask.away)]


def resolve_where_back(r: Resolution, ask: WhereBack, said: MoveTo) -> None:
    """The unit moves to the space that was chosen."""
    unit = r.state.units[ask.unit]
    r.move(unit, (unit.place, said.place), (*ask.clauses, *enter_clauses(r.board, said.place)))


def has_officer(unit: Unit) -> bool:
    """Whether a unit has a living officer who can help: its squad must not be disrupted."""
    return not unit_state(unit).disrupted and _leads(unit.kind, unit.models)


@memo(bound=1_024)
def _leads(kind: str, models: int) -> bool:
    """Whether an officer is among the figures left of a squad."""
    return any(figure.name == "officer" for figure in TYPES[kind].figures[:models])


def officers(state: State, side: int) -> list[int]:
    """The places of a side's units with an officer who can help."""
    return [
        unit.place
        for unit in state.units.values()
        if unit.side == side and unit.place >= 0 and has_officer(unit)
    ]


def recovers_on(board: Board, unit: Unit, officers: Sequence[int]) -> int:
    """The roll a disrupted squad needs to recover: 4, or 3 on or next to the hex of an officer of its side (`officers`: their
    places)."""
    away = hexes(board).distances(unit.place)
    of = hexes(board).of
    return BESIDE_OFFICER if any(away[of[place]] <= 1 for place in officers) else RECOVER


def recover(r: Resolution, unit: Unit, wanted: int) -> None:
    """A disrupted squad rolls to recover in the status phase; `wanted`: the roll it needs."""
    done = r.count(1, wanted, "recover", unit.id, clauses=CLAUSES) == 1
    r.because((facts.Recovered if done else facts.NotRecovered)(unit=unit.id, clauses=CLAUSES))
    if done:
        r.set(unit.id, CLAUSES, disrupted=False)


CHAPTER = Chapter(
    owns=CLAUSES,
    asks={WhereBack: (legal_where_back, resolve_where_back)},
    steps={FallBack: fall_back},
)
