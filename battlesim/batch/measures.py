"""What happened in a game, in numbers that mean the same under every rulebook: units in buildings, damage to buildings, idle
units, the result. Read `Measures`, then `measure`.

The same numbers serve tables of scenarios, stress tests and discovery. All are computed from the events of a game.
"""

from __future__ import annotations

from collections.abc import Collection
from itertools import pairwise
from typing import TYPE_CHECKING

from msgspec import Struct

from battlesim.batch.side_measures import SideMeasures
from battlesim.batch.stance import Stance
from battlesim.batch.timeline import ObjectiveEvent, Timeline, TurnMeasures, models_of
from battlesim.board.board import Board
from battlesim.core.apply import apply
from battlesim.core.events import Answered, Asked, Event, ModelsLost, Placed, Scored, StructureSet, TurnEnded
from battlesim.core.state import State, Unit
from battlesim.engine.course import lead_of, losses_by_type
from battlesim.rules.contract import Ruleset
from battlesim.rules.incidents import Incident
from battlesim.rules.tactical import ORDER_QUESTIONS
from battlesim.rulesets.finder import find_ruleset

if TYPE_CHECKING:
    from battlesim.engine.game import Game


class Measures(Struct):
    """One game in numbers. Sides are 0 and 1; a pair gives both.

    How it ended: `winner` (-1: a draw), `termination`, `verdict`; `points` that each side took, and `reach`, the most that it
    could have taken; `turns`; `lead_changes`: how often a side was ahead on points at the end of a turn and the other side had
    been ahead last.

    Unit-turns: a living unit on the board at the end of a turn, of both sides.

    - `unit_turns`: all of them.
    - `inside` a building; `above` its ground floor.
    - `idle`: outdoors, not on an objective, not hindered, and in that turn it neither moved, shot, fought, worked nor was told to
      wait for an enemy.

    Incidents, one for each cause.

    - `shots`: fire of one unit; `shots_from` buildings; `shots_at` buildings and those inside.
    - `assaults`: of these `assaults_into` buildings.
    - `breaches` of walls, `fires` (sections set alight), `falls` (sections that fell).
    - `waits`: orders to wait for an enemy (ambush, opportunity); `reactions`: fire by waiting units.

    Models: `lost` by each side, of those it `began` with.

    `sides`: what each side did; None in rows of earlier versions.

    Over time, all empty in rows of earlier versions. `turns_of`: losses and ground held turn by turn. `objectives`: which side
    took each of them, when and how, and what it scored. `types`: (side, type of unit, units at first, units lost, models at
    first, models lost). `led_from`: the turn from which the winner led on points to the end, 0 if from the start; None for a draw
    and for a winner that was not ahead.
    """

    winner: int
    termination: str
    verdict: str
    points: tuple[int, int]
    reach: tuple[int, int]
    turns: int
    lead_changes: int = 0
    unit_turns: int = 0
    inside: int = 0
    above: int = 0
    idle: int = 0
    shots: int = 0
    shots_from: int = 0
    shots_at: int = 0
    assaults: int = 0
    assaults_into: int = 0
    breaches: int = 0
    fires: int = 0
    falls: int = 0
    waits: int = 0
    reactions: int = 0
    lost: tuple[int, int] = (0, 0)
    began: tuple[int, int] = (0, 0)
    sides: tuple[SideMeasures, SideMeasures] | None = None
    turns_of: tuple[TurnMeasures, ...] = ()
    objectives: tuple[ObjectiveEvent, ...] = ()
    types: tuple[tuple[int, str, int, int, int, int], ...] = ()
    led_from: int | None = None


def measure(game: Game) -> Measures:
    """The measures of a game just played."""
    ruleset = find_ruleset(game.header.ruleset.name)
    row = game.row()
    winner = game.outcome.winner
    state = ruleset.codec.load(game.header.start)
    found = Measures(
        winner=-1 if winner is None else winner,
        termination=game.outcome.termination,
        verdict=game.verdict,
        points=game.outcome.points,
        reach=game.reach,
        turns=row["turns"],
        lead_changes=_lead_changes(game),
        began=models_of(state),
        sides=(SideMeasures(), SideMeasures()),
        led_from=lead_of(game),
    )
    first = state.clone()
    timeline = Timeline(game.scenario.board, state, game.scenario.objectives)
    reader = _Reader(found, ruleset, game.scenario.board, state, _objective_places(game), timeline)
    for event in game.log:
        reader.take(event)
    if game.outcome.termination != "length" and reader.busy:
        reader.end_turn()  # a battle that is over early may end within a turn
    timeline.end(found.turns)
    found.lost = (found.began[0] - models_of(state)[0], found.began[1] - models_of(state)[1])
    found.turns_of, found.objectives = tuple(timeline.turns), tuple(timeline.objectives)
    found.types = losses_by_type(first, state)
    return found


def _objective_places(game: Game) -> frozenset[int]:
    """Spaces that belong to an objective."""
    return frozenset(place for objective in game.scenario.objectives for place in objective.places)


def _lead_changes(game: Game) -> int:
    """How often the lead on points passed from one side to the other, checked once a turn and at the end."""
    ahead = [points[0] - points[1] for _, points in game.standings]
    ahead.append(game.outcome.points[0] - game.outcome.points[1])
    leaders = [lead > 0 for lead in ahead if lead]
    return sum(now != before for before, now in pairwise(leaders))


class _Reader:
    """Reads the events of one game in order, into its measures."""

    def __init__(
        self,
        found: Measures,
        ruleset: Ruleset,
        board: Board,
        state: State,
        objectives: Collection[int],
        timeline: Timeline,
    ) -> None:
        self._found = found
        self._sides = found.sides or (SideMeasures(), SideMeasures())
        self._of = ruleset.incidents.of
        self._hindered = ruleset.incidents.hindered
        self._orders = ruleset.tactical.orders
        self._board = board
        self._state = state
        self._objectives = objectives
        self._timeline = timeline
        self._stance = Stance(board, state)
        self._asked = ""
        """The class of the last question."""
        self.busy: set[int] = set()
        """Units that have done something this turn."""
        self._moved: set[int] = set()
        """Units that have left their space this turn."""
        self._seen: set[tuple[str, int, int]] = set()

    def take(self, event: Event) -> None:
        """Count one event, and apply it."""
        if isinstance(event, TurnEnded):
            self.end_turn()
            self._timeline.end_turn()
        elif isinstance(event, Asked):
            self._asked = type(event.ask).__name__
        elif isinstance(event, Answered):
            self._answered(event)
        if isinstance(event, Placed):
            self.busy.add(event.unit)
            self._timeline.placed(event)
            if event.place >= 0:
                self._stance.placed(event.unit)
            if 0 <= self._state.units[event.unit].place != event.place:
                self._moved.add(event.unit)
        elif isinstance(event, StructureSet):
            self._structure(event)
        elif isinstance(event, Scored):
            self._timeline.scored(event)
        read = self._of.get(type(event))
        incident = read(event) if read is not None else None
        if incident is not None:
            self._count(incident, event.cause)
        apply(self._state, event)
        if isinstance(event, Placed | ModelsLost):
            self._timeline.settle()

    def end_turn(self) -> None:
        """Count the unit-turns of the turn that ends."""
        found, turn = self._found, self._state.turn
        for unit in self._state.units.values():
            if not unit.alive or unit.place < 0:
                continue
            side = self._sides[unit.side]
            found.unit_turns += 1
            side.unit_turns += 1
            side.moved += unit.id in self._moved
            space = self._board.spaces[unit.place]
            if space.kind == "floor":
                found.inside += 1
                found.above += space.floor > 0
                side.inside += 1
                side.above += space.floor > 0
            elif self._is_idle(unit, turn):
                found.idle += 1
        self._stance.end_turn(self._state, self._sides)
        self.busy.clear()
        self._moved.clear()

    def _answered(self, event: Answered) -> None:
        """Count an answer if it gives a unit its order."""
        verb, _, name = event.answer.partition(" ")
        if verb == "order" and self._asked in ORDER_QUESTIONS:
            counts, name = self._sides[event.side].orders, self._orders.get(name, name)
            counts[name] = counts.get(name, 0) + 1

    def _is_idle(self, unit: Unit, turn: int) -> bool:
        return not (unit.id in self.busy or unit.place in self._objectives or self._hindered(unit, turn))

    def _structure(self, event: StructureSet) -> None:
        """A section falls or is set alight."""
        before = self._state.structures.get(event.section)
        if event.fallen and not (before and before.fallen):
            self._found.falls += 1
        if event.burning and not (before and before.burning):
            self._found.fires += 1

    def _count(self, incident: Incident, cause: int) -> None:
        found, kind = self._found, incident.kind
        if incident.unit >= 0:
            self.busy.add(incident.unit)
        key = (kind, cause, incident.unit)
        if kind == "act" or (cause >= 0 and key in self._seen):
            return
        self._seen.add(key)
        side = self._sides[self._state.units[incident.unit].side] if incident.unit >= 0 else SideMeasures()
        if kind == "shot":
            at_building = self._is_at_building(incident)
            found.shots += 1
            found.shots_from += self._is_inside(incident.unit)
            found.shots_at += at_building
            side.shots += 1
            side.shots_at += at_building
            side.shots_walls += incident.section >= 0
            side.early += self._is_early()
        elif kind == "assault":
            found.assaults += 1
            found.assaults_into += self._is_at_building(incident)
            side.assaults += 1
            side.early += self._is_early()
            if incident.unit >= 0:
                places = (
                    incident.place,
                    self._state.units[incident.target].place if incident.target >= 0 else -1,
                )
                self._timeline.assaulted(self._state.units[incident.unit].side, places)
        elif kind == "breach":
            found.breaches += 1
            side.breaches += 1
        elif kind == "fire":
            found.fires += self._is_floor(incident.place)
        elif kind == "wait":
            found.waits += 1
            side.waits += 1
        elif kind == "reaction":
            found.reactions += 1

    def _is_early(self) -> bool:
        return 2 * self._state.turn <= self._found.turns

    def _is_floor(self, place: int) -> bool:
        return place >= 0 and self._board.spaces[place].kind == "floor"

    def _is_inside(self, unit: int) -> bool:
        return unit >= 0 and self._is_floor(self._state.units[unit].place)

    def _is_at_building(self, incident: Incident) -> bool:
        return incident.section >= 0 or self._is_inside(incident.target) or self._is_floor(incident.place)
