"""A position as values by key, as `film.py` lists them: marks, strength, badges, holders of objectives. Read `Standing`.

It works on a replayed state or a side's view, with the records of rulebooks as plain data.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

from msgspec import Struct, ValidationError, convert

from battlesim.board.board import Board
from battlesim.board.shapes import along
from battlesim.core.events import Event, ModelsLost, Placed
from battlesim.core.geometry import distance
from battlesim.core.state import State
from battlesim.engine.record import PlainFact
from battlesim.viewer.fire import shot_of
from battlesim.viewer.spots import Spots
from battlesim.viewer.symbols import badges_of
from battlesim.viewer.wording import Wording

Changes = dict[str, Any]
WIDTHS = {"hole": 35, "breach": 60}
"""Half the drawn width of an opening made in the battle, in hundredths of an inch, or as much as the wall allows."""
Where = list[int]
"""A point of the map: x and y in hundredths of its unit, and the floor."""


class Goal(Struct, frozen=True):
    """An objective, as in the rulebook's own record of the battle."""

    kind: str
    name: str
    points: int
    side: int
    places: tuple[int, ...]
    sections: tuple[int, ...]
    edge: str


def goals_of(extra: Any) -> tuple[Goal, ...]:
    """The objectives in a replayed battle's record; none if its rulebook stores them in another form."""
    rows = extra.get("objectives", ()) if isinstance(extra, Mapping) else ()
    try:
        return tuple(convert(dict(row), Goal) for row in rows)
    except (ValidationError, TypeError, ValueError):
        return ()


class Standing:
    """The values of one state, which may change. `upstairs`, `changing`: as a `Film` has them."""

    def __init__(self, state: State, board: Board, wording: Wording, goals: tuple[Goal, ...]) -> None:
        self.state, self.board, self.wording, self.goals = state, board, wording, goals
        self.spots = Spots(board)
        self.upstairs: set[int] = set()
        self.changing: set[int] = {section.id for section in board.sections if section.burning}
        self.by_point: dict[tuple[int, int], list[int]] = {}  # living units by the point of their space

    def everything(self) -> Changes:
        """All values by key. Called once, before anything is entered."""
        state = self.state
        found: Changes = {"p": list(state.points), "f": self.fires()}
        for unit in state.units.values():
            found[f"m{unit.id}"] = unit.models
            found[f"b{unit.id}"] = self.badges(unit.id)
            found[f"u{unit.id}"] = None
            if unit.alive and unit.place >= 0:
                self.enter(unit.id, unit.place)
        for point in list(self.by_point):
            found.update(self.around(point))
        for section in self.board.sections:
            structure = state.structures.get(section.id)
            fallen = structure is not None and structure.fallen
            lit = section.burning if structure is None else structure.burning
            found[f"s{section.id}"] = 2 if fallen else int(lit)
            if fallen or lit:
                self.changing.add(section.id)
            found[f"o{section.id}"] = self.walls(section.id)
            found.update(self.gone(section.id))
        found.update(self.held())
        return found

    def point(self, place: int) -> tuple[int, int]:
        """Where a space is drawn, in hundredths: units on several floors of a section share a point."""
        space = self.board.spaces[place]
        return (space.x, space.y)

    def enter(self, unit: int, place: int) -> None:
        """A unit comes to a space."""
        self.by_point.setdefault(self.point(place), []).append(unit)
        if self.board.spaces[place].floor > 0:
            self.upstairs.add(place)

    def leave(self, unit: int, place: int) -> tuple[int, int]:
        """A unit leaves a space; returns the point where it was drawn."""
        point = self.point(place)
        self.by_point[point].remove(unit)
        return point

    def around(self, point: tuple[int, int], unseen: Collection[int] = ()) -> Changes:
        """The positions of the marks of all units at a point, those on the ground first. `unseen`: units that are passed over."""
        units, spaces = self.state.units, self.board.spaces
        there = [number for number in self.by_point.get(point, ()) if number not in unseen]
        here = sorted(there, key=lambda n: (spaces[units[n].place].floor, n))
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

    def badges(self, number: int) -> list[list[Any]]:
        """The badges of a living unit, as `badges_of` makes them; none of a dead one."""
        unit = self.state.units[number]
        if not unit.alive:
            return []
        return [list(badge) for badge in badges_of(self.wording.badges, unit.own, self.state.turn)]

    def walls(self, number: int) -> list[list[int]]:
        """The openings made in the walls of a standing section."""
        structure = self.state.structures.get(number)
        if structure is None or structure.fallen or not isinstance(structure.own, Mapping):
            return []
        found: list[list[int]] = []
        sides = self.board.sections[number].sides
        for field, kind in self.wording.walls.items():
            for floor, side in structure.own.get(field, ()):
                if side in range(len(sides)):
                    a, b = sides[side].a, sides[side].b
                    far = distance(a, b)
                    half = min(WIDTHS.get(kind, WIDTHS["hole"]), far // 3)
                    ends = along(a, b, far // 2 - half), along(a, b, far // 2 + half)
                    found.append([*ends[0], *ends[1], floor, int(kind == "breach")])
        return found

    def gone(self, number: int) -> Changes:
        """The lowest destroyed floor of a section, by "t" and its number; null if all stand. Empty in a rulebook without such."""
        if not self.wording.lowest_gone:
            return {}
        structure = self.state.structures.get(number)
        own = structure.own if structure is not None else None
        floor = own.get(self.wording.lowest_gone) if isinstance(own, Mapping) else None
        if floor is not None:
            self.changing.add(number)
        return {f"t{number}": floor}

    def held(self, unseen: Collection[int] = ()) -> Changes:
        """Who holds each objective, by "g" and its number: side 0 or 1, 2 for both, -1 for nobody. `unseen`: passed over."""
        said = self.state.extra.get("held", ()) if isinstance(self.state.extra, Mapping) else ()
        found: Changes = {}
        for number, goal in enumerate(self.goals):
            if not goal.places:
                continue
            units = {n for place in goal.places for n in self.state.at.get(place, ()) if n not in unseen}
            there = {self.state.units[n].side for n in units}
            holder = 2 if len(there) == 2 else there.pop() if there else -1
            if holder == -1 and len(said) == len(self.goals):
                holder = said[number]  # in this rulebook it stays with the side that took it
            found[f"g{number}"] = holder
        return found

    def fires(self) -> list[list[int]]:
        """Burning outdoor spaces and floors, if the rulebook keeps a list of fires."""
        fires = self.state.extra.get("fires", ()) if isinstance(self.state.extra, Mapping) else ()
        places = sorted({taken[0] for fire in fires for taken in fire.get("taken", ())})
        # A destroyed floor burns no more.
        return [self.spot(place) for place in places if self.stands(place)]

    def stands(self, place: int) -> bool:
        """Whether a space is not a floor that is destroyed."""
        space = self.board.spaces[place]
        floor = next(iter(self.gone(space.section).values()), None) if space.kind == "floor" else None
        return floor is None or space.floor < floor

    def spot(self, place: int) -> Where:
        """The middle of a space."""
        space = self.board.spaces[place]
        return [space.x, space.y, space.floor]


def effects_of(
    event: Event, state: State, spot: Callable[[int], Where], mark: Callable[[int], Where | None]
) -> Iterable[dict[str, Any]]:
    """The effects of an event, as plain values with a `kind` (shot, move, lost, fell). `state`: before it; `spot`: the middle of
    a space; `mark`: the position of a unit's mark, None if it has none."""
    if isinstance(event, PlainFact):
        shot = shot_of(state, event.fields)
        if shot is not None:
            target = event.fields.get("target")
            aimed = mark(target) if isinstance(target, int) else None
            yield {
                "kind": "shot",
                "unit": shot.unit,
                "from": mark(shot.unit) or spot(shot.start),
                "to": aimed or spot(shot.end),
                "hit": int(shot.hit),
            }
    elif isinstance(event, Placed):
        path = [spot(place) for place in event.path if place >= 0]
        if len(path) > 1:
            yield {"kind": "move", "unit": event.unit, "path": path}
    elif isinstance(event, ModelsLost):
        where = mark(event.unit)
        if where:
            kind = "lost" if event.left else "fell"
            yield {"kind": kind, "unit": event.unit, "at": where, "lost": event.lost}
