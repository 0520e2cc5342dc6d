"""A record as a film: the moments at which something can be seen or is told, each with what changes in it. Read `film_of`.

It replays the events: no rules and no dice. A moment says what changes by key, so that a player of the film keeps one table of
values and writes the changes of a moment into it; going back, it writes what was there before. The keys, N being a number:

- `uN`: where the mark of unit N stands, `[x, y, east, north, wide, floor]` in hundredths of the map's unit: the middle of its
  space, how far from it, how wide it is, on which floor; null off the map
- `mN`: its models; 0 once it is destroyed, and its mark stays where it fell
- `bN`: its badges, `[[sign, says, good], ...]`
- `sN`: section N, 0 as it was, 1 on fire, 2 fallen
- `p`: points of both sides; `gN`: who holds objective N (-1 nobody, 2 both are there); `f`: burning ground, `[[x, y], ...]`

What passes, such as a shot, is an effect; it is shown until the order that it belongs to is over.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Struct

from battlesim.board.board import Board
from battlesim.core.apply import apply
from battlesim.core.events import (
    Ended,
    Event,
    ExtraSet,
    ListChanged,
    ModelsLost,
    Placed,
    Scored,
    StructureSet,
    TurnEnded,
    UnitSet,
)
from battlesim.core.state import State
from battlesim.engine.record import PlainFact, Record
from battlesim.engine.replay import initial_state
from battlesim.viewer.fire import shot_of
from battlesim.viewer.spots import Spots
from battlesim.viewer.story import Sentence, Story
from battlesim.viewer.symbols import badges_of
from battlesim.viewer.wording import Wording, find_wording

Changes = dict[str, Any]


class Moment(Struct):
    """One event that is seen or told. `root`: the first event in its chain of causes, the same for all that one order brings
    about. `changes`: by key, see the head of this module. `effects`: as plain values with a `kind` (shot, move, lost, fell)."""

    event: int
    root: int
    turn: int
    changes: Changes
    effects: list[dict[str, Any]]
    sentences: list[Sentence]


class Goal(Struct, frozen=True):
    """An objective, as the battle's own record in its rulebook has it."""

    kind: str
    name: str
    points: int
    side: int
    places: tuple[int, ...]
    sections: tuple[int, ...]
    edge: str


class Film(Struct):
    """A whole battle. `start`: the values by key when it began. `full`: models by unit at the start. `upstairs`: spaces above the
    ground floor that somebody was on. `changing`: sections that fall or burn."""

    start: Changes
    moments: list[Moment]
    full: dict[int, int]
    goals: tuple[Goal, ...]
    upstairs: frozenset[int]
    changing: frozenset[int]


def film_of(record: Record, board: Board) -> Film:
    """The film of a record, which must be one that `replay` accepts, on its own board."""
    maker = _Maker(record, board)
    for number, event in enumerate(record.events):
        maker.take(number, event)
    return maker.done()


def goals_of(extra: Any) -> tuple[Goal, ...]:
    """The objectives in a replayed battle's record; none where its rulebook keeps them otherwise."""
    rows = extra.get("objectives", ()) if isinstance(extra, Mapping) else ()
    try:
        return tuple(Goal(**{name: row[name] for name in Goal.__struct_fields__}) for row in rows)
    except (KeyError, TypeError):
        return ()


class _Maker:
    def __init__(self, record: Record, board: Board) -> None:
        self.record, self.board = record, board
        self.story = Story(record.header)
        self.state: State = initial_state(record.header)
        self.wording: Wording = find_wording(record.header.ruleset.name)
        self.spots = Spots(board)
        self.goals = goals_of(self.state.extra)
        self.full = {unit.id: unit.models for unit in self.state.units.values()}
        self.values: Changes = {}
        self.moments: list[Moment] = []
        self.upstairs: set[int] = set()
        self.changing: set[int] = set(_burning_at_start(board))
        self.by_point: dict[tuple[int, int], list[int]] = {}  # living units by the point of their space
        self.start = self._set(self._everything())

    # ---- values by key

    def _everything(self) -> Changes:
        state = self.state
        found: Changes = {"p": list(state.points), "f": self._fires()}
        for unit in state.units.values():
            found[f"m{unit.id}"] = unit.models
            found[f"b{unit.id}"] = self._badges(unit.id)
            found[f"u{unit.id}"] = None
            if unit.alive and unit.place >= 0:
                self._enter(unit.id, unit.place)
        for point in list(self.by_point):
            found.update(self._around(point))
        for section in self.board.sections:
            structure = state.structures.get(section.id)
            fallen = structure is not None and structure.fallen
            lit = section.burning if structure is None else structure.burning
            found[f"s{section.id}"] = 2 if fallen else int(lit)
            if fallen or lit:
                self.changing.add(section.id)
        found.update(self._held())
        return found

    def _set(self, changes: Changes) -> Changes:
        """Those of the changes that change something, which are kept."""
        new = {key: value for key, value in changes.items() if self.values.get(key, _NEVER) != value}
        self.values.update(new)
        return new

    def _point(self, place: int) -> tuple[int, int]:
        space = self.board.spaces[place]
        return (space.x, space.y)

    def _enter(self, unit: int, place: int) -> None:
        self.by_point.setdefault(self._point(place), []).append(unit)
        if self.board.spaces[place].floor > 0:
            self.upstairs.add(place)

    def _leave(self, unit: int, place: int) -> tuple[int, int]:
        point = self._point(place)
        self.by_point[point].remove(unit)
        return point

    def _around(self, point: tuple[int, int]) -> Changes:
        """Where the marks of all units at a point stand, those on the ground first."""
        units, spaces = self.state.units, self.board.spaces
        here = sorted(self.by_point.get(point, ()), key=lambda n: (spaces[units[n].place].floor, n))
        if not here:
            return {}
        found = self.spots.at(units[here[0]].place, len(here))
        return {
            f"u{number}": [
                *point,
                spot.x - point[0],
                spot.y - point[1],
                spot.wide,
                spaces[units[number].place].floor,
            ]
            for number, spot in zip(here, found, strict=True)
        }

    def _badges(self, number: int) -> list[list[Any]]:
        unit = self.state.units[number]
        if not unit.alive:
            return []
        return [list(badge) for badge in badges_of(self.wording.badges, unit.own, self.state.turn)]

    def _held(self) -> Changes:
        said = self.state.extra.get("held", ()) if isinstance(self.state.extra, Mapping) else ()
        found: Changes = {}
        for number, goal in enumerate(self.goals):
            if not goal.places:
                continue
            there = {self.state.units[n].side for place in goal.places for n in self.state.at.get(place, ())}
            holder = 2 if len(there) == 2 else there.pop() if there else -1
            if holder == -1 and len(said) == len(self.goals):
                holder = said[number]  # a rulebook in which it stays with who took it
            found[f"g{number}"] = holder
        return found

    def _fires(self) -> list[list[int]]:
        """Spaces outdoors and floors that burn, where a rulebook keeps a list of fires."""
        fires = self.state.extra.get("fires", ()) if isinstance(self.state.extra, Mapping) else ()
        places = sorted({taken[0] for fire in fires for taken in fire.get("taken", ())})
        return [list(self._point(place)) for place in places]

    # ---- one event

    def take(self, number: int, event: Event) -> None:
        sentences = list(self.story.read(event))
        effects = list(self._effects(event))
        places = self._before(event)
        apply(self.state, event)
        changes = self._set(self._after(event, places))
        if not (sentences or effects or changes):
            return
        self.moments.append(
            Moment(number, self.story.root_of(number), self.story.clock_turn, changes, effects, sentences)
        )

    def _before(self, event: Event) -> list[tuple[int, int]]:
        """Points that a unit leaves."""
        if isinstance(event, Placed) or (isinstance(event, ModelsLost) and event.left == 0):
            place = self.state.units[event.unit].place
            if place >= 0:
                return [self._leave(event.unit, place)]
        return []

    def _after(self, event: Event, left: Iterable[tuple[int, int]]) -> Changes:
        state, found = self.state, Changes()
        for point in left:
            found.update(self._around(point))
        if isinstance(event, Placed):
            if event.place >= 0:
                self._enter(event.unit, event.place)
                found.update(self._around(self._point(event.place)))
            else:
                found[f"u{event.unit}"] = None
            found.update(self._held())
        elif isinstance(event, ModelsLost):
            found[f"m{event.unit}"] = event.left
            found[f"b{event.unit}"] = self._badges(event.unit)
            if event.left == 0:
                found.update(self._held())
        elif isinstance(event, UnitSet):
            found[f"b{event.unit}"] = self._badges(event.unit)
        elif isinstance(event, StructureSet):
            found[f"s{event.section}"] = 2 if event.fallen else int(event.burning)
            self.changing.add(event.section)
        elif isinstance(event, Scored):
            found["p"] = list(state.points)
        elif isinstance(event, ExtraSet | ListChanged):
            found.update(self._held())
            found["f"] = self._fires()
        elif isinstance(event, TurnEnded | Ended):
            found.update({f"b{unit}": self._badges(unit) for unit in state.units})
        return found

    def _effects(self, event: Event) -> Iterable[dict[str, Any]]:
        """What passes, seen before the event changes the state."""
        if isinstance(event, PlainFact):
            shot = shot_of(self.state, event.fields)
            if shot is not None:
                ends = [self._mark(shot.unit), self._target(event.fields.get("target"), shot.end)]
                yield {
                    "kind": "shot",
                    "unit": shot.unit,
                    "from": ends[0],
                    "to": ends[1],
                    "hit": int(shot.hit),
                }
        elif isinstance(event, Placed):
            path = [self._spot(place) for place in event.path if place >= 0]
            if len(path) > 1:
                yield {"kind": "move", "unit": event.unit, "path": path}
        elif isinstance(event, ModelsLost):
            where = self.values.get(f"u{event.unit}")
            if where:
                kind = "lost" if event.left else "fell"
                yield {"kind": kind, "unit": event.unit, "at": self._mark(event.unit), "lost": event.lost}

    def _mark(self, unit: int) -> list[int]:
        x, y, east, north, _, floor = self.values[f"u{unit}"]
        return [x + east, y + north, floor]

    def _target(self, target: Any, place: int) -> list[int]:
        if isinstance(target, int) and self.values.get(f"u{target}"):
            return self._mark(target)
        return self._spot(place)

    def _spot(self, place: int) -> list[int]:
        space = self.board.spaces[place]
        return [space.x, space.y, space.floor]

    def done(self) -> Film:
        rest = list(self.story.close())
        if rest and self.moments:
            self.moments[-1].sentences.extend(rest)
        return Film(
            self.start,
            self.moments,
            self.full,
            self.goals,
            frozenset(self.upstairs),
            frozenset(self.changing),
        )


_NEVER = object()


def _burning_at_start(board: Board) -> list[int]:
    return [section.id for section in board.sections if section.burning]
