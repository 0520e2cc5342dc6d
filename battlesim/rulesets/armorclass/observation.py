"""What a side may know, a state that fits it, and what must hold in every state (law 7, AC-HOUSE-DETECT).

An enemy that has not been found is not in the view, dead or alive, nor are dice, moves, losses or objectives that speak of it;
fire out of nowhere is told without saying who fired. What a side knew when something happened decides, not what it knows
now: `Heard` walks the news back from the present. A side does know which of its own units have been found. News bear no
clauses and no causes, and entries of the agenda no numbers of their own: who took cover where, worked with what, or is to come
on would show by them. Read `observe`.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from battlesim.board.board import Board
from battlesim.core.dice import Dice
from battlesim.core.events import (
    Answered,
    Asked,
    Cancelled,
    Event,
    Fact,
    ModelsLost,
    Placed,
    Rolled,
    Scheduled,
    Taken,
    TurnEnded,
    UnitSet,
)
from battlesim.core.items import Entry
from battlesim.core.state import State, Unit, fallen
from battlesim.core.view import (
    News,
    View,
    as_told,
    known_structures,
    state_of,
    strengths,
    uncaused,
    unseen,
)
from battlesim.rules.contract import Chapter
from battlesim.rules.invariants import common_faults, mixed_faults
from battlesim.rules.victory import known_goals
from battlesim.rulesets.armorclass import flames, works
from battlesim.rulesets.armorclass.data import TYPES, UnitType
from battlesim.rulesets.armorclass.deploy import Arrive, fits
from battlesim.rulesets.armorclass.ground import ROOM
from battlesim.rulesets.armorclass.lines import Lookout
from battlesim.rulesets.armorclass.model import (
    Detected,
    Happened,
    Lobbed,
    Own,
    Volley,
    extra,
    own,
    type_of,
)

NAME = "armorclass"
OF_UNITS = (
    "detect",
    "inside",
    "armour",
    "damage",
    "which weapon",
    "melee",
    "defence",
    "charge",
    "burns",
)
"""Dice whose object is a unit."""
PLAIN_TO_SEE = (
    "breached",
    "hole",
    "small hole",
    "points",
    "dent",
    "wall holds",
    "roof +",
    "roof -",
    "nuclear",
    "plants wrecked",
    "charge +",
    "charge -",
    "ignored",
)
"""What happens to structures is seen by all, whoever did it."""


def is_hidden(unit: Unit, side: int) -> bool:
    """Whether a side does not know of a unit: an enemy it has not found, or had not when it died or left."""
    return unit.side != side and not unit.own.detected


def observe(state: State, board: Board, side: int, news: Sequence[Event]) -> View:
    """The battle as a side knows it; `news` are the events since it was last asked."""
    known = extra(state)
    everybody = state.units.copy()
    units = {n: unit for n, unit in everybody.items() if unit.side == side or unit.own.detected}
    goals = known.objectives if len(units) == len(everybody) else known_goals(known.objectives, units)
    return View(
        ruleset=NAME,
        side=side,
        turn=state.turn,
        now=state.now,
        number=state.questions[side],
        units=units,
        structures=known_structures(state.structures) if state.structures else {},
        points=state.points,
        extra=known if goals is known.objectives else replace(known, objectives=goals),
        stack=tuple([uncaused(i) for i in state.stack if (n := getattr(i, "unit", -1)) < 0 or n in units]),
        agenda=_known_agenda(state, side),
        news=Heard(news, side, everybody),
        forces=strengths(state.units),
    )


def _known_agenda(state: State, side: int) -> tuple[Entry, ...]:
    """The agenda without the enemy's reserves, numbered anew: gaps would tell how many of them there are."""
    known = [e for e in state.agenda if not (type(e.due) is Arrive and state.units[e.due.unit].side != side)]
    return tuple([Entry(e.time, e.priority, number, e.due) for number, e in enumerate(known)])


class Heard(News):
    """News as one side learnt them, looked through when somebody reads them. `units`: as they stand now."""

    __slots__ = ("_side", "_units")

    def __init__(self, log: Sequence[Event], side: int, units: dict[int, Unit]) -> None:
        super().__init__(log)
        self._side, self._units = side, units

    def _tell(self) -> tuple[Event, ...]:
        if self._told is None:
            found = heard(tuple(self._log[self._start : self._stop]), self._side, self._units)
            self._told = tuple(map(as_told, found))
        return self._told


def heard(events: tuple[Event, ...], side: int, units: dict[int, Unit]) -> tuple[Event, ...]:
    """What a side learns of events that led up to `units`, the last first: who was found when is read off backwards."""
    hidden = {number for number, unit in units.items() if is_hidden(unit, side)}
    lost: set[int] = set()  # enemies that went out of sight by their next move
    told: list[Event] = []
    for event in reversed(events):
        if isinstance(event, UnitSet) and "detected" in event.own:
            unit = units[event.unit]
            if unit.side != side:
                found = event.own["detected"]
                (hidden.add if found else hidden.discard)(unit.id)
                if not found:
                    lost.add(unit.id)
            told.append(event)
            continue
        if isinstance(event, Placed) and event.unit in lost:
            lost.discard(event.unit)
            continue
        if isinstance(event, Happened) and event.unit in lost:
            event = replace(event, place=-1)  # where it went nobody saw
        seen = _seen(event, side, units, hidden)
        if seen is not None:
            told.append(seen)
    return tuple(
        replace(event, clauses=()) for event in reversed(told)
    )  # they tell of what the hidden stand in


def _seen(event: Event, side: int, units: dict[int, Unit], hidden: set[int]) -> Event | None:
    """An event as a side may learn of it, None where it may not."""
    if isinstance(event, Asked | Answered):
        return event if event.side == side else None
    if isinstance(event, Taken | Cancelled):
        return None
    if isinstance(event, TurnEnded):
        return replace(event, position="")  # a hash of what is hidden, too
    if isinstance(event, Scheduled):
        entry = event.entry
        if isinstance(entry.due, Arrive) and units[entry.due.unit].side != side:
            return None
        return replace(event, entry=replace(entry, serial=-1))
    if isinstance(event, Rolled):
        unknown = event.actor in hidden or (event.purpose in OF_UNITS and event.object in hidden)
        return None if unknown or event.purpose == "whom" else event
    if isinstance(event, Placed | ModelsLost | UnitSet):
        return None if event.unit in hidden else event
    return _fact(event, side, units, hidden) if isinstance(event, Fact) else event


def _fact(event: Fact, side: int, units: dict[int, Unit], hidden: set[int]) -> Event | None:
    """A fact of the rulebook: whoever is hidden goes without a name, or the whole goes unheard."""
    if isinstance(event, Detected):
        if event.unit >= 0 and units[event.unit].side == side:
            return event
        return replace(event, unit=-1, level=-1, need=-1) if event.unit in hidden else event
    if isinstance(event, Volley):
        mine = event.unit >= 0 and units[event.unit].side == side
        if event.how == "lob" or (mine and event.how in ("search", "into")):
            event = replace(event, felt=-1)  # a shell may fall among friends of his that nobody has found
        if event.unit in hidden:
            event = replace(event, unit=-1, range=-1, need=-1)
        return replace(event, target=-1) if event.target in hidden else event
    if isinstance(event, Lobbed) and event.unit in hidden:
        return replace(event, unit=-1, range=-1)
    unit, other = getattr(event, "unit", -1), getattr(event, "target", -1)
    if isinstance(event, Happened):
        if event.what == "hidden again":
            event = replace(event, place=-1)
        if event.unit in hidden:
            if event.what not in PLAIN_TO_SEE:
                return None
            event = replace(event, unit=-1)
        return replace(event, other=-1) if event.other in hidden else event
    return None if unit in hidden or other in hidden else event


def imagine(view: View, board: Board, dice: Dice) -> State:
    """A state that fits a view. How many enemies there are is open, so each that the side has not found stands somewhere, at
    full strength: of a kind that is known among the enemies, else among its own, on a legal place drawn by the dice where
    the side does not see it. One for which no place is left is a reserve that never comes."""
    missing = unseen(view)
    if not missing:
        return state_of(view, view.units.copy())
    known = view.units.values()
    kinds = sorted({u.kind for u in known if u.side != view.side} or {u.kind for u in known})
    state, made = state_of(view, view.units.copy()), dict[int, Unit]()
    places = _hiding_places(view, state, board, dice)
    for number in missing:
        drawn = [
            kinds[n]
            for _, n in dice.ranking(view.turn, view.side, f"kind {number}", len(kinds))
            if n < len(kinds)
        ]
        found = next(((k, p) for k in drawn if (p := _hidden_at(state, board, TYPES[k], places)) >= 0), None)
        kind, place = TYPES[found[0] if found else drawn[0]], found[1] if found else -1
        if place >= 0:
            places.remove(place)
        cohesion = max(6, min(9, kind.cohesion)) if kind.cohesion else 0
        mine = Own(full=kind.models, cohesion=cohesion, arrives=0 if found else extra(state).turns + 1)
        made[number] = Unit(number, 1 - view.side, kind.title, kind.name, place, kind.models, True, 0, mine)
    # Units stand in the order of their numbers, as in a state that was not imagined.
    return state_of(view, dict(sorted((view.units | made).items())))


def _hiding_places(view: View, state: State, board: Board, dice: Dice) -> list[int]:
    """Spaces that somebody may hold of whom a side knows nothing, in drawn order: free, whole, not on fire, and out of its sight
    or, indoors, hidden from it."""
    look = Lookout(state, board)
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
    """The first of some places that a type of unit can be on; -1: none."""
    for place in places:
        space = board.spaces[place]
        closed = space.kind == "floor" and works.is_closed(state, board, space.section)
        if fits(board, kind, place, closed):
            return place
    return -1


# ---- invariants ------------------------------------------------------------------------------------------------------


def faults(state: State, board: Board) -> list[str]:
    """Broken invariants of a state at a question or a quiet point, in words; empty when all is well."""
    found = common_faults(state, board, _unit_faults) + mixed_faults(state, board)
    for place in sorted(state.at):
        here = state.at[place]
        if len(here) > ROOM:
            found.append(f"{len(here)} units on {board.spaces[place].name}")
    return found + _structure_faults(state, board)


def _unit_faults(state: State, board: Board, unit: Unit) -> list[str]:
    mine, kind = own(unit), type_of(unit)
    found = []
    if not 1 <= unit.models <= mine.full:
        found.append(f"{unit.models} of {mine.full} models")
    if sum([unit.place >= 0, mine.left, mine.arrives > 0]) != 1:
        found.append(f"place {unit.place}, left {mine.left}, arrives {mine.arrives}")
    if mine.detected and unit.place < 0:
        found.append("found, yet off the board")
    if unit.place >= 0:
        space = board.spaces[unit.place]
        if not works.tenable(state, board, unit.place):
            found.append(f"in {space.name}, which is destroyed")
        if space.kind == "floor" and kind.kind == "vehicle":
            found.append(f"a vehicle in {space.name}")
    return found


def _structure_faults(state: State, board: Board) -> list[str]:
    found = []
    for number, structure in state.structures.items():
        gone = structure.own.get("gone", -1)
        if structure.fallen != (gone == 0):
            found.append(f"section {number}: fallen {structure.fallen}, lowest floor gone {gone}")
        if structure.own.get("lost", 0) > works.points_of(state, board, number):
            found.append(f"section {number} lost more points than it has")
    known = extra(state)
    taken = [place for fire in known.fires for place, _ in fire.taken]
    if len(dict.fromkeys(taken)) != len(taken):
        found.append("a space burns twice")
    if any(not fire.taken for fire in known.fires):
        found.append("a fire without a space")
    if any(section not in state.structures for section in fallen(state)):
        found.append("something fell that is not there")
    return found


CHAPTER = Chapter()
