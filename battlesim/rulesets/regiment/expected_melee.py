"""One unit against several in a round of close combat, with all contacts as they are or as they are imagined.

The rules say who strikes at whom, with how many models, and who strikes first (`form.strikers`, `fight.strikes_first`); the
averages come from `expected_close.py`. Nothing here decides a rule. Read `pair`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from battlesim.board.board import Board
from battlesim.core.state import State, Unit, standing_at
from battlesim.rulesets.regiment import estimates, form, ground
from battlesim.rulesets.regiment.estimates import Fighter
from battlesim.rulesets.regiment.expected import Toll
from battlesim.rulesets.regiment.expected_close import Side, champions
from battlesim.rulesets.regiment.model import FRONT, company, unit_state


class Duel(NamedTuple):
    """The first character of one side in contact with the first of the other, and the tolls that characters take of them."""

    mine: Unit
    lost: Toll
    theirs: Unit
    slain: Toll


def imagined(state: State, units: Sequence[Unit]) -> State:
    """The state with some units as they are imagined, and the characters with them beside them, before a new round of combat."""
    changed = {**state.units}
    for unit in units:
        before = state.units[unit.id]
        if before is unit:
            continue
        changed[unit.id] = unit
        if before.place != unit.place:
            for one in company(state, before):
                changed[one.id] = replace(one, place=unit.place)
    # Those that fell in the last round do not count in the next.
    for number, unit in changed.items():
        if unit_state(unit).fell:
            changed[number] = replace(unit, own=replace(unit_state(unit), fell=0))
    return State(changed, state.structures, state.extra, turn=state.turn, at=standing_at(changed))


def charging(unit: Unit, place: int, foes: Sequence[Unit], arc: int = FRONT) -> tuple[Unit, list[Unit]]:
    """A unit that has charged some enemies from a place, which it has in front, and these; `arc`: theirs that it is in."""
    own, new = unit_state(unit), {foe.id: FRONT for foe in foes}
    # Who moves leaves the enemies it had before.
    kept = dict(own.foes) if place == unit.place else {}
    found = tuple(sorted({**kept, **new}.items()))
    mine = replace(unit, place=place, own=replace(own, foes=found, charges=(*own.charges, *new)))
    theirs: list[Unit] = []
    for foe in foes:
        met = {**dict(unit_state(foe).foes), unit.id: arc}
        theirs.append(replace(foe, own=replace(unit_state(foe), foes=tuple(sorted(met.items())))))
    return mine, theirs


def pair(state: State, board: Board, ours: Fighter, theirs: Fighter) -> tuple[Side, Side]:
    """Two units in contact in a state, as sides of a round; either may have other enemies besides, and strikes at each with what
    the rules leave it. Of the fighters only what does not depend on contacts is read."""
    mine, other = state.units[ours.unit.id], state.units[theirs.unit.id]
    return _side(state, board, ours, theirs, mine, other), _side(state, board, theirs, ours, other, mine)


def _side(state: State, board: Board, mine: Fighter, other: Fighter, unit: Unit, foe: Unit) -> Side:
    """One side of a `pair`; `unit` and `foe` as they stand in the state."""
    touch = form.strikers(state, board, unit).get(foe.id, 0)
    # Only those it charged feel its charge.
    charged = foe.id in unit_state(unit).charges
    walls = ground.entrenched(board, foe, unit.place)
    high = mine.room is None and other.room is None and board.spaces[unit.place].z > board.spaces[foe.place].z
    arc = dict(unit_state(foe).foes).get(unit.id, FRONT)
    side = estimates.side_of(mine, other, touch, arc, charged, walls, high)
    # A character strikes at one enemy only.
    champions = tuple(one.kind for one in form.characters_facing(state, board, unit, foe))
    return side._replace(champions=champions)


def duels(
    state: State, board: Board, one: Unit, others: Sequence[Unit], pairs: Sequence[tuple[Side, Side]]
) -> tuple[Duel, ...]:
    """The duels of a unit's characters with those of its enemies, as each pair of sides meets."""
    found: list[Duel] = []
    for other, (ours, theirs) in zip(others, pairs, strict=True):
        if ours.champions and theirs.champions:
            mine = form.characters_facing(state, board, one, other)[0]
            foe = form.characters_facing(state, board, other, one)[0]
            lost, slain = champions(ours, theirs)
            found.append(Duel(mine, lost, foe, slain))
    return tuple(found)
