"""What a side may know, states that fit it, and the invariants of every state (AC-HOUSE-DETECT).

An enemy that has not been found is not in the view, dead or alive, nor are dice, moves, losses or objectives that name it. Fire
from a hidden enemy is reported without the firer. What a side knew at the time of an event decides, not what it knows now:
`heard` goes through the events backwards. A side knows which of its own units have been found. Events in the view have no clauses
or causes, and entries of the agenda no numbers: these would reveal hidden units. Read `observe`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from battlesim.board.board import Board
from battlesim.core.dice import Dice
from battlesim.core.events import (
    Cancelled,
    Event,
    Happened,
    ModelsLost,
    Observer,
    Placed,
    Rolled,
    Scheduled,
    Taken,
    TurnEnded,
    UnitSet,
)
from battlesim.core.items import TURN
from battlesim.core.state import State, Unit, fallen
from battlesim.core.view import View, Visibility, state_of, unseen, without_causes
from battlesim.rules.contract import Chapter
from battlesim.rules.hidden import NOTHING, Known, drawn_order, likely_types
from battlesim.rules.invariants import common_faults, crowd_faults, mixed_faults, whereabouts_faults
from battlesim.rules.views import view_of, with_imagined
from battlesim.rulesets.armorclass import flames, works
from battlesim.rulesets.armorclass.data import TYPES, UnitType
from battlesim.rulesets.armorclass.deployment import Arrive, fits
from battlesim.rulesets.armorclass.facts import HiddenAgain, heard_dice
from battlesim.rulesets.armorclass.ground import ROOM, pace
from battlesim.rulesets.armorclass.line_of_sight import LineOfSight
from battlesim.rulesets.armorclass.model import (
    MOVED,
    MOVED_FAR,
    UNMOVED,
    UnitState,
    battle_state,
    type_of,
    unit_state,
)
from battlesim.rulesets.armorclass.turn import TICKS, WhichUnit

NAME = "armorclass"
NEAREST = 6
"""An enemy that went out of sight is imagined on one of this many nearest hiding places."""


def observe(state: State, board: Board, side: int, news: Sequence[Event]) -> View:
    """The battle as a side knows it; `news` are the events since it was last asked."""
    units = state.units
    hidden = _hidden(side, units)
    return view_of(NAME, state, side, without_causes(_heard(news, side, units, hidden.copy())), hidden)


def _hidden(side: int, units: dict[int, Unit]) -> set[int]:
    """The numbers of the units that a side does not know of."""
    return {number for number, unit in units.items() if unit.side != side and not unit.own.detected}


def heard(events: Sequence[Event], side: int, units: dict[int, Unit]) -> tuple[Event, ...]:
    """The events, as far as a side learns of them, that led to `units`. They are read backwards to see which units were found at
    each time."""
    return _heard(events, side, units, _hidden(side, units))


def _heard(events: Sequence[Event], side: int, units: dict[int, Unit], hidden: set[int]) -> tuple[Event, ...]:
    """`heard`, given the units that are hidden from the side now; `hidden` is changed along the events."""
    # Enemies whose next move took them out of sight, and its cause once it is met: a move through fires is told step by step.
    lost: dict[int, int | None] = {}
    kept: list[Event] = []
    by = Observer(side, units, hidden)
    for event in reversed(events):
        kind = type(event)
        if kind is UnitSet and "detected" in event.own:  # type: ignore[attr-defined]
            number, found = event.unit, event.own["detected"]  # type: ignore[attr-defined]
            if units[number].side != side:
                (hidden.add if found else hidden.discard)(number)
                if not found:
                    lost[number] = None
            kept.append(event)
            continue
        if lost and kind is HiddenAgain and event.stayed:  # type: ignore[attr-defined]
            lost.pop(event.unit, None)  # type: ignore[attr-defined]
        if lost and (kind is Placed or isinstance(event, Happened)) and getattr(event, "unit", -1) in lost:
            unit = event.unit  # type: ignore[attr-defined]
            if lost[unit] not in (None, event.cause):
                del lost[unit]  # before that move
            elif kind is Placed:
                lost[unit] = event.cause
                continue
            elif getattr(event, "place", -1) >= 0:
                event = replace(event, place=-1)  # nobody saw where it went
        rule = _HEARING[kind]
        seen = event if rule is None else rule(event, by)
        if seen is not None:
            kept.append(seen)
    kept.reverse()
    # Clauses would reveal what hidden units stand in.
    return tuple([replace(event, clauses=()) if event.clauses else event for event in kept])


def _nothing(event: Event, by: Observer) -> None:
    """Hide an entry of the agenda: its effects are seen anyway."""


def _turn(event: TurnEnded, by: Observer) -> TurnEnded:
    """Hide the position: it is a hash that includes hidden facts."""
    return replace(event, position="")


def _scheduled(event: Scheduled, by: Observer) -> Scheduled | None:
    """Hide the enemy's reserves, and serial numbers, which would count them."""
    entry = event.entry
    if isinstance(entry.step, Arrive) and by.units[entry.step.unit].side != by.side:
        return None
    return replace(event, entry=replace(entry, serial=-1))


def _of_unit(event: Any, by: Observer) -> Event | None:
    """Show changes of a unit only to a side that knows it."""
    return None if event.unit in by.hidden else event


_HEARING = Visibility(
    {
        Rolled: heard_dice,
        Taken: _nothing,
        Cancelled: _nothing,
        TurnEnded: _turn,
        Scheduled: _scheduled,
        Placed: _of_unit,
        ModelsLost: _of_unit,
        UnitSet: _of_unit,
    }
)


def imagine(view: View, board: Board, dice: Dice, known: Known = NOTHING) -> State:
    """A state that fits a view. The number of enemies is public, so each unseen enemy gets a legal place where it would not be
    seen.

    An enemy seen before is as it was then, on one of the nearest hiding places that it can have reached since; one that cannot
    move is still in its place. Any other has full strength and the type of an unmet unit on the enemy's list (without a list, of
    a known enemy). Its place is no farther from where it may have set up than its kind can have moved, or anywhere if that is not
    known. Of those with time to move, three in four are put in buildings first. The clock counts activations, so it says how many
    unseen enemies have acted this turn. Dice choose types, places and those that acted. An enemy for which no place is left is a
    reserve that never comes."""
    missing = unseen(view)
    if not missing:
        return state_of(view, view.units.copy())
    state, made = state_of(view, view.units.copy()), dict[int, Unit]()
    fixed = {unit.place for unit in known.seen.values() if not _mobile(unit)}
    places = [place for place in _hiding_places(view, state, board, dice) if place not in fixed]
    acted = _who_acted(view, missing, dice, known)
    kinds = likely_types(view, dice, known)
    for number in missing:
        last = known.seen.get(number)
        if last is None:
            moves = view.turn - 1 + (number in acted)
            sought = _indoors_first(board, places) if _sits_indoors(view, number, moves, dice) else places
            kind, place = _made_up(state, board, kinds, sought, known, moves)
            if len(kinds) > 1:
                kinds.remove(kind.name)
            cohesion = max(6, min(9, kind.cohesion)) if kind.cohesion else 0
            mine = UnitState(full=kind.models, cohesion=cohesion)
            unit = Unit(number, 1 - view.side, kind.title, kind.name, place, kind.models, True, 0, mine)
        elif _mobile(last):
            moves = view.turn - known.since.get(number, 1) + (number in acted) - last.own.acted
            place, unit = _slipped_to(state, board, last, places, max(0, moves)), last
        else:
            place, unit = _still_at(state, board, last), last
        if place in places:
            places.remove(place)
        gone = 0 if place >= 0 else battle_state(state).turns + 1
        # What it lost in an earlier turn it has tested for.
        lost = unit.own.lost if known.since.get(number) == view.turn else 0
        has_acted = number in acted and place >= 0
        record = replace(unit.own, acted=has_acted, detected=False, arrives=gone, lost=lost)
        made[number] = replace(unit, place=place, own=record)
    return with_imagined(view, made)


def _who_acted(view: View, missing: Sequence[int], dice: Dice, known: Known) -> set[int]:
    """The unseen enemies that have acted this turn: as many as the clock counts beyond those known, first those that were seen to
    act."""
    begun = (view.now - (view.turn - 1) * TURN) // TICKS
    # The question which unit acts has begun an activation that no unit has taken yet.
    begun -= bool(view.stack) and isinstance(view.ask, WhichUnit)
    count = begun - sum(unit_state(unit).acted for unit in view.units.values())
    seen = [n for n, u in known.seen.items() if known.since.get(n) == view.turn and unit_state(u).acted]
    drawn = [missing[n] for n in drawn_order(view, dice, "acted", len(missing))]
    return set([*seen, *(n for n in drawn if n not in seen)][: max(0, count)])


def _made_up(
    state: State, board: Board, kinds: Sequence[str], places: list[int], known: Known, moves: int
) -> tuple[UnitType, int]:
    """The type and place of an enemy of which nothing is known: the first type with a place no farther from where it may have set
    up than it can have moved, else the nearest such place; place -1: none."""
    for name in dict.fromkeys(kinds):
        kind = TYPES[name]
        far = pace(kind) * moves
        near = [place for place in places if known.apart[place] <= far] if known.apart else places
        place = _hidden_at(state, board, kind, near)
        if place < 0 and near is not places:
            place = _hidden_at(state, board, kind, sorted(places, key=lambda place: known.apart[place]))
        if place >= 0:
            return kind, place
    return TYPES[kinds[0]], -1


def _sits_indoors(view: View, number: int, moves: int, dice: Dice) -> bool:
    """Whether an enemy that was never found is put indoors first: most units that have moved and stay hidden are there."""
    return moves > 0 and drawn_order(view, dice, f"indoors {number}", 4)[0] > 0


def _indoors_first(board: Board, places: list[int]) -> list[int]:
    return sorted(places, key=lambda place: board.spaces[place].kind != "floor")


def _mobile(unit: Unit) -> bool:
    """Whether a unit can leave its place."""
    return pace(type_of(unit)) > 0 and not unit_state(unit).immobile


def _still_at(state: State, board: Board, unit: Unit) -> int:
    """The place of a unit that cannot move; -1 if that is destroyed or held by the other side."""
    place = unit.place
    if place < 0 or not works.tenable(state, board, place):
        return -1
    here = [state.units[number].side for number in state.at.get(place, ())]
    return place if len(here) < ROOM and 1 - unit.side not in here else -1


def _slipped_to(state: State, board: Board, unit: Unit, places: list[int], moves: int) -> int:
    """Where a unit that went out of sight may be: the first (in drawn order) of the NEAREST hiding places that it can have got to
    in so many moves (if there is none, of all); -1: none."""
    if unit.place < 0:
        return -1
    away = {place: board.distance(unit.place, place) for place in places}
    far = pace(type_of(unit), run=True) * moves
    reached = [place for place in places if away[place] <= far] or places
    near = sorted(reached, key=away.__getitem__)[:NEAREST]
    return _hidden_at(state, board, type_of(unit), [place for place in places if place in near])


def _hiding_places(view: View, state: State, board: Board, dice: Dice) -> list[int]:
    """Spaces where an unknown enemy may be, in drawn order: free, intact, not on fire, and indoors or out of the side's sight."""
    look = LineOfSight(state, board)
    posts = {u.place for u in state.units.values() if u.side == view.side and u.place >= 0}
    burning = set(flames.burning_places(state, board))
    lots = dice.ranking(view.turn, view.side, "hiding places", len(board.spaces))
    found = []
    for _, place in lots:
        if place >= len(board.spaces) or place in state.at or place in burning:
            continue
        space = board.spaces[place]
        indoors = space.kind == "floor" and not space.roof
        if works.tenable(state, board, place) and (indoors or not look.is_seen(place, posts)):
            found.append(place)
    return found


def _hidden_at(state: State, board: Board, kind: UnitType, places: list[int]) -> int:
    """The first of the places that a type of unit can be on; -1: none."""
    for place in places:
        space = board.spaces[place]
        closed = space.kind == "floor" and works.is_closed(state, board, space.section)
        if fits(board, kind, place, closed):
            return place
    return -1


# ---- invariants ------------------------------------------------------------------------------------------------------


def faults(state: State, board: Board) -> list[str]:
    """Broken invariants of a state at a question or a quiet point, in words; empty if there are none."""
    found = common_faults(state, board, _unit_faults) + mixed_faults(state, board)
    return found + crowd_faults(state, board, ROOM) + _structure_faults(state, board)


def _unit_faults(state: State, board: Board, unit: Unit) -> list[str]:
    mine, kind = unit_state(unit), type_of(unit)
    found = []
    found += whereabouts_faults(unit, left=mine.left, arriving=mine.arrives > 0)
    slots = range(mine.full if kind.soldiers else len(kind.mounts))
    senseless = {
        "cohesion": mine.cohesion not in (0, 6, 7, 8, 9),
        "fired": mine.fired < -1,
        "moved": mine.moved not in (UNMOVED, MOVED, MOVED_FAR),
        "lost": mine.lost < 0,
        "suppressed": mine.suppressed < 0,
        "spent": len({*mine.spent}) < len(mine.spent) or any(slot not in slots for slot in mine.spent),
        "arrives": mine.arrives < 0,
    }
    found += [f"{name} cannot be {getattr(mine, name)}" for name, is_so in senseless.items() if is_so]
    if mine.detected and unit.place < 0 and not mine.left:
        found.append("found, yet off the board")
    if unit.place >= 0:
        space = board.spaces[unit.place]
        if not works.tenable(state, board, unit.place):
            found.append(f"in {space.name}, which is destroyed")
        if space.kind == "floor" and kind.kind == "vehicle":
            found.append(f"a vehicle in {space.name}")
    return found


_ON_WALLS = ("holes", "breaches", "dents")
"""What is kept of a section's walls, as (floor, side, ...)."""


def _structure_faults(state: State, board: Board) -> list[str]:
    found = []
    for number, structure in state.structures.items():
        gone, section = structure.own.get("gone", -1), board.sections[number]
        walls = [(floor, side) for name in _ON_WALLS for floor, side, *_ in structure.own.get(name, ())]
        if not all(
            0 <= floor < len(section.spaces) and 0 <= side < len(section.sides) for floor, side in walls
        ):
            found.append(f"section {number}: it has no such floor or wall: {walls}")
        if not -1 <= gone < len(section.spaces):
            found.append(f"section {number}: it has no floor {gone}")
        if structure.fallen != (gone == 0):
            found.append(f"section {number}: fallen {structure.fallen}, lowest floor gone {gone}")
        if structure.burning and not battle_state(state).options.fires:
            found.append(f"section {number}: burning, but the battle has no fires (options: fires)")
        if structure.own.get("lost", 0) > works.points_of(state, board, number):
            found.append(f"section {number}: it lost more points than it has")
    known = battle_state(state)
    taken = [place for fire in known.fires for place, _ in fire.taken]
    if len(dict.fromkeys(taken)) != len(taken):
        found.append("a space burns twice")
    if any(not fire.taken for fire in known.fires):
        found.append("a fire without a space")
    if any(section not in state.structures for section in fallen(state)):
        found.append("something fell that is not there")
    return found


CHAPTER = Chapter()
