"""A record as a film: the moments at which something is seen or told, each with its changes. Read `film_of`.

It replays the events: no rules and no dice. A moment lists its changes by key, so that a player of the film keeps one table of
values and writes the changes of a moment into it; going back, it writes the earlier values. The keys, where N is a number:

- `uN`: the position of unit N's mark, `[x, y, east, north, wide, floor]` in hundredths of the map's unit: the middle of its
  space, its offset from it, its width, its floor; null off the map
- `mN`: its models; 0 once it is destroyed (its mark stays where it fell)
- `bN`: its badges, `[[sign, says, good], ...]`
- `sN`: section N, 0 as it was, 1 on fire, 2 fallen
- `tN`: the lowest floor of section N that is destroyed, with all above it; null while all stand
- `oN`: openings that were made in the walls of section N, `[[x, y, x, y, floor, breach], ...]`: the ends of each along the wall,
  and whether it is a way in
- `p`: points of both sides; `gN`: the holder of objective N (-1 none, 2 both are there); `f`: burning spaces,
  `[[x, y, floor], ...]`
- `SuN`, `SgN`: `uN` and `gN` as side S (0 or 1) knows them, where units that it does not know of make a difference; else null

A passing event, such as a shot, is an effect; it is shown until the order that it belongs to is over. Under "0" or "1" it has the
values that differ for that side, since marks stand elsewhere for it.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
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
from battlesim.engine.record import Record
from battlesim.engine.replay import initial_state
from battlesim.viewer.standing import Changes, Goal, Standing, Where, effects_of, goals_of
from battlesim.viewer.story import Sentence, Story
from battlesim.viewer.wording import find_wording


class Moment(Struct):
    """One event that is seen or told. `root`: the first event in its chain of causes, the same for all events caused by one
    order. `changes`: by key, see the head of this module. `effects`: as plain values with a `kind` (shot, move, lost, fell)."""

    event: int
    root: int
    turn: int
    changes: Changes
    effects: list[dict[str, Any]]
    sentences: list[Sentence]


class Film(Struct):
    """A whole battle. `start`: the values by key when it began. `full`: models by unit at the start. `upstairs`: spaces above the
    ground floor that were occupied. `changing`: sections that fall or burn."""

    start: Changes
    moments: list[Moment]
    full: dict[int, int]
    goals: tuple[Goal, ...]
    upstairs: frozenset[int]
    changing: frozenset[int]


def film_of(record: Record, board: Board, known: Iterable[tuple[int, int, int]] = ()) -> Film:
    """The film of a record, which must be one that `replay` accepts, on its own board. `known`: who knows of which unit, as an
    `Insight` has it."""
    maker = _Maker(record, board, known)
    for number, event in enumerate(record.events):
        maker.take(number, event)
    return maker.done()


class _Maker:
    def __init__(self, record: Record, board: Board, known: Iterable[tuple[int, int, int]]) -> None:
        self.record, self.board = record, board
        self.story = Story(record.header)
        self.state: State = initial_state(record.header)
        goals = goals_of(self.state.extra)
        self.standing = Standing(self.state, board, find_wording(record.header.ruleset.name), goals)
        self.full = {unit.id: unit.models for unit in self.state.units.values()}
        self.values: Changes = {}
        self.moments: list[Moment] = []
        self.known: dict[
            int, list[tuple[int, int]]
        ] = {}  # by event: units, each with the mask of the sides that know of it
        for event, unit, mask in known:
            self.known.setdefault(event, []).append((unit, mask))
        self.unseen: tuple[set[int], set[int]] = (set(), set())  # by side: units that it does not know of
        self.otherwise: list[set[str]] = [set(), set()]  # by side: keys of what it knows otherwise
        self.start = self._set(self.standing.everything())
        self.start.update(self._sided(-1))

    def _set(self, changes: Changes) -> Changes:
        """Keep the changes, and return those that change something."""
        new = {key: value for key, value in changes.items() if self.values.get(key, _NEVER) != value}
        self.values.update(new)
        return new

    # ---- one event

    def take(self, number: int, event: Event) -> None:
        sentences = list(self.story.read(event))
        effects = list(self._effects(event))
        places = self._before(event)
        apply(self.state, event)
        changes = self._set(self._after(event, places))
        changes.update(self._sided(number))
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
                return [self.standing.leave(event.unit, place)]
        return []

    def _after(self, event: Event, left: Iterable[tuple[int, int]]) -> Changes:
        state, found = self.state, Changes()
        for point in left:
            found.update(self.standing.around(point))
        if isinstance(event, Placed):
            if event.place >= 0:
                self.standing.enter(event.unit, event.place)
                found.update(self.standing.around(self.standing.point(event.place)))
            else:
                found[f"u{event.unit}"] = None
            found.update(self.standing.held())
        elif isinstance(event, ModelsLost):
            found[f"m{event.unit}"] = event.left
            found[f"b{event.unit}"] = self.standing.badges(event.unit)
            if event.left == 0:
                found.update(self.standing.held())
        elif isinstance(event, UnitSet):
            found[f"b{event.unit}"] = self.standing.badges(event.unit)
        elif isinstance(event, StructureSet):
            found[f"s{event.section}"] = 2 if event.fallen else int(event.burning)
            found[f"o{event.section}"] = self.standing.walls(event.section)
            found.update(self.standing.gone(event.section))
            found["f"] = self.standing.fires()
            if event.fallen or event.burning:
                self.standing.changing.add(event.section)
        elif isinstance(event, Scored):
            found["p"] = list(state.points)
        elif isinstance(event, ExtraSet | ListChanged):
            found.update(self.standing.held())
            found["f"] = self.standing.fires()
        elif isinstance(event, TurnEnded | Ended):
            found.update({f"b{unit}": self.standing.badges(unit) for unit in state.units})
        return found

    def _sided(self, event: int) -> Changes:
        """What changes in what the sides know otherwise than it is, as units hide from them."""
        for unit, mask in self.known.get(event, ()):
            for side, unseen in enumerate(self.unseen):
                (unseen.discard if mask & 1 << side else unseen.add)(unit)
        found = Changes()
        for side, unseen in enumerate(self.unseen):
            values = self.standing.held(unseen) if unseen else {}
            for place in {self.state.units[unit].place for unit in unseen} - {-1}:
                values.update(self.standing.around(self.standing.point(place), unseen))
            other = {f"{side}{key}": value for key, value in values.items() if value != self.values.get(key)}
            # The mark of a unit that was destroyed stays where the side saw it.
            over = {
                key
                for key in self.otherwise[side] - other.keys()
                if key[1] == "g" or self._lives(int(key[2:]))
            }
            self.otherwise[side] = (self.otherwise[side] - over) | other.keys()
            found.update(dict.fromkeys(sorted(over)), **other)
        return self._set(found)

    def _lives(self, unit: int) -> bool:
        return self.state.units[unit].alive

    def _effects(self, event: Event) -> Iterable[dict[str, Any]]:
        """The effects of an event, from the state before it."""
        found = list(effects_of(event, self.state, self.standing.spot, partial(self._mark, -1)))
        # Units that hide from a side do not push aside the marks that it sees.
        for side, otherwise in enumerate(self.otherwise):
            if not otherwise:
                continue
            seen = effects_of(event, self.state, self.standing.spot, partial(self._mark, side))
            for effect, other in zip(found, seen, strict=True):
                if new := {key: value for key, value in other.items() if value != effect[key]}:
                    effect[str(side)] = new
        return found

    def _mark(self, side: int, unit: int) -> Where | None:
        """The position of a unit's mark, as a side knows it, or as it is (-1)."""
        found = (self.values.get(f"{side}u{unit}") if side >= 0 else None) or self.values.get(f"u{unit}")
        if not found:
            return None
        x, y, east, north, _, floor = found
        return [x + east, y + north, floor]

    def done(self) -> Film:
        rest = list(self.story.close())
        if rest and self.moments:
            self.moments[-1].sentences.extend(rest)
        return Film(
            self.start,
            self.moments,
            self.full,
            self.standing.goals,
            frozenset(self.standing.upstairs),
            frozenset(self.standing.changing),
        )


_NEVER = object()
