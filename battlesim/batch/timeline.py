"""A game turn by turn: the losses of each side, the ground it held, and which side took each objective, when and how. Read
`Timeline`, which reads the events of a game in order.

It means the same under every rulebook, whatever the rulebook scores: a space is *held* by the side whose unit last stood in it or
passed through it, an objective by the side that was last alone in its spaces.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from battlesim.board.board import Board
from battlesim.core.events import Placed, Scored
from battlesim.core.state import State
from battlesim.rules.scenario import Objective

How = Literal["start", "walked", "assault", "emptied", "scored"]
"""How an objective changed hands, or that it scored; `ObjectiveEvent` explains the words."""


class TurnMeasures(Struct, frozen=True, array_like=True):
    """One turn. Pairs are of the first and the second side: models `lost` in it; spaces held at its end (`ground`), of these
    floors of buildings (`floors`)."""

    turn: int
    lost: tuple[int, int]
    ground: tuple[int, int]
    floors: tuple[int, int]


class ObjectiveEvent(Struct, frozen=True, array_like=True):
    """Another side took an objective, or an objective brought points.

    `objective`: its name; `side`: who took it or scored; `points`: what was scored, 0 unless `how` is `scored`. `how`:

    - `start`: the side was set up there.
    - `walked`: no enemy had been in it in this turn.
    - `assault`: the side assaulted it, or an enemy in it, in this turn.
    - `emptied`: enemies were in it in this turn, and fire, flight or an order took them out of it.
    - `scored`: it brought points.
    """

    turn: int
    objective: str
    side: int
    how: How
    points: int = 0


class Timeline:
    """Reads a game's events into `turns` and `objectives`. `state`: the initial state; its owner applies the events to it. Call
    `placed` before and `settle` after an event that places or removes units has been applied."""

    def __init__(self, board: Board, state: State, objectives: Sequence[Objective]) -> None:
        self.turns: list[TurnMeasures] = []
        self.objectives: list[ObjectiveEvent] = []
        self._state = state
        self._is_floor = [space.kind == "floor" for space in board.spaces]
        self._names = [goal.name for goal in objectives]
        self._places = [goal.places for goal in objectives]
        self._goals: dict[int, list[int]] = {}
        """The objectives of each space."""
        for number, goal in enumerate(objectives):
            for place in goal.places:
                self._goals.setdefault(place, []).append(number)
        self._holder = [-1] * len(objectives)
        self._present: list[set[int]] = [set() for _ in objectives]
        """Sides that have been in each objective since the turn began."""
        self._assaulted: set[tuple[int, int]] = set()
        """(objective, side) of the assaults of this turn."""
        self._held: dict[int, int] = {}
        self._models = models_of(state)
        for unit in state.units.values():
            if unit.alive and unit.place >= 0:
                self._held[unit.place] = unit.side
        self.settle("start")

    def placed(self, event: Placed) -> None:
        """A unit moves: it holds what it passes through and where it ends."""
        side = self._state.units[event.unit].side
        for place in event.path:
            self._held[place] = side
        if event.place >= 0:
            self._held[event.place] = side

    def assaulted(self, side: int, places: Sequence[int]) -> None:
        """A side assaults these spaces; -1 stands for none."""
        for place in places:
            for number in self._goals.get(place, ()):
                self._assaulted.add((number, side))

    def scored(self, event: Scored) -> None:
        """Points are scored, for an objective or for something else."""
        if event.what in self._names:
            self._note(event.what, event.side, "scored", event.points)

    def settle(self, how: How | None = None) -> None:
        """Update which sides are in each objective. `how`: the cause to note for a change; None: find it."""
        at, units = self._state.at, self._state.units
        for number, places in enumerate(self._places):
            sides = {units[unit].side for place in places for unit in at.get(place, ())}
            self._present[number] |= sides
            if len(sides) != 1:
                continue
            (side,) = sides
            if self._holder[number] != side:
                self._note(self._names[number], side, how or self._how(number, side))
                self._holder[number] = side

    def _how(self, number: int, side: int) -> How:
        if (number, side) in self._assaulted:
            return "assault"
        return "emptied" if 1 - side in self._present[number] else "walked"

    def _note(self, name: str, side: int, how: How, points: int = 0) -> None:
        self.objectives.append(ObjectiveEvent(self._state.turn, name, side, how, points))

    def end_turn(self) -> None:
        """Note the turn that ends."""
        models = models_of(self._state)
        lost = (self._models[0] - models[0], self._models[1] - models[1])
        self._models = models
        ground, floors = [0, 0], [0, 0]
        for place, side in self._held.items():
            ground[side] += 1
            floors[side] += self._is_floor[place]
        self.turns.append(
            TurnMeasures(self._state.turn, lost, (ground[0], ground[1]), (floors[0], floors[1]))
        )
        self._assaulted.clear()
        for sides in self._present:
            sides.clear()
        self.settle()

    def end(self, last: int) -> None:
        """Note what came after the last noted turn: a battle may end within a turn, and scores when it is over. `last`: the last
        turn that was played."""
        if not self.turns or self.turns[-1].turn < last:
            self.end_turn()
        before, now = self._models, models_of(self._state)
        if now != before:
            end = self.turns[-1]
            lost = (end.lost[0] + before[0] - now[0], end.lost[1] + before[1] - now[1])
            self.turns[-1] = replace(end, lost=lost)
        self.objectives = [
            replace(event, turn=last) if event.turn > last else event for event in self.objectives
        ]


def models_of(state: State) -> tuple[int, int]:
    """The number of models of the first and the second side."""
    models = [0, 0]
    for unit in state.units.values():
        models[unit.side] += unit.models
    return models[0], models[1]
