"""What objectives make of places and units, as one side sees them: where it pays to be, to go, to leave.

Values are in points of unit worth. Read `Prospects.progress` and `Prospects.hold`.
"""

from __future__ import annotations

from collections.abc import Sequence

from battlesim.board.board import Board
from battlesim.core.memo import memo_property, memo_table, no_memos, owned_memo
from battlesim.core.state import State, Unit, fallen
from battlesim.evaluation import objectives
from battlesim.evaluation.objectives import ObjectiveValue, Scale
from battlesim.rulesets.squadhex.distances import FAR, distance_field
from battlesim.rulesets.squadhex.fire import strength_at_building
from battlesim.rulesets.squadhex.ground import neighbours
from battlesim.rulesets.squadhex.judgement import Judgement
from battlesim.rulesets.squadhex.model import battle_state, type_of, unit_state

Attractions = tuple[tuple[float, tuple[int, ...]], ...]
"""What draws a unit, the dearest first: what it is worth to be there, and where that is."""


class Draw:
    """How near each place is to what draws some units: what it is worth to be there, the dearest first, with how far every space
    is from it in half points, and how far they can still go."""

    def __init__(self, attractions: list[tuple[float, Sequence[int]]], reach: int) -> None:
        self.attractions, self.reach = attractions, reach

    @memo_table(bound=5_000)
    def near(self, place: int) -> float:
        """How near a place is to what draws and can still be reached."""
        best, reach = 0.0, self.reach
        for worth, field in self.attractions:
            if worth <= best:
                break  # the others are worth no more
            far = field[place]
            if far <= reach:
                near = worth * (FAR - far) / FAR
                if near > best:
                    best = near
        return best


@owned_memo(bound=128)
def _draw_of(
    board: Board,
    attractions: Attractions,
    reach: int,
    vehicle: bool,
    fallen: frozenset[int],
    closed: frozenset[int],
) -> Draw:
    """The draw on units that move alike and can go as far. Most questions of a round find the same objectives worth the same, and
    so the same places as near to them."""
    fields = [distance_field(board, places, vehicle, fallen, closed) for _, places in attractions]
    return Draw([(worth, field) for (worth, _), field in zip(attractions, fields, strict=True)], reach)


class Prospects:
    """The objectives of one position, for one side. Good as long as the position is; `units` may change in what their own side's
    activations change."""

    def __init__(self, state: State, board: Board, side: int, judgement: Judgement) -> None:
        self.memos = no_memos()
        self.state, self.board, self.side, self.judgement = state, board, side, judgement
        self.fallen, self.shut = fallen(state), neighbours(state, board).shut
        self.rounds_left = max(1, battle_state(state).turns - state.turn + 1)
        """Rounds still to be played, this one counted in."""
        self.foes = [u for u in state.units.values() if u.side != side and u.place >= 0]
        self.values = self._values()
        goals = battle_state(state).objectives
        self.named = objectives.named_points(goals)
        """Points that hang on whether a unit lives, by unit."""
        for number, points in objectives.leavers_points(goals, state.units, board, self._leaves).items():
            self.named[number] = self.named.get(number, 0.0) + points
        self.contested = objectives.contested_worths(self.values, self.foes)
        """What it is worth that an enemy leaves the objectives it is on, by unit."""
        self._held: dict[int, list[ObjectiveValue]] = {}
        for value in self.values:
            for place in value.places:
                self._held.setdefault(place, []).append(value)

    def _values(self) -> list[ObjectiveValue]:
        j, known = self.judgement, battle_state(self.state)
        late = j.early + j.late * self.state.turn / max(known.turns, 1)
        found: list[ObjectiveValue] = []
        for number, goal in enumerate(known.objectives):
            point = j.point * late
            if goal.kind == "hold":
                if known.each_round:
                    point *= j.rounds * self.rounds_left
                safe = not self._has_enemy(goal.places) and not self._can_be_taken(goal.places, j.soon)
                if known.held[number] == self.side and safe:
                    point *= j.guarded if self._can_be_taken(goal.places, self.rounds_left) else j.held
            scale = Scale(point, j.denied * point, j.exit * point, j.hunt * point, j.raze * point)
            found += objectives.values_of(goal, self.side, self.state.units, self.board, self.fallen, scale)
        objectives.count_crowds(found, self.side, self.state.units)
        return found

    def _has_enemy(self, places: Sequence[int]) -> bool:
        at, units = self.state.at, self.state.units
        return any(units[number].side != self.side for place in places for number in at.get(place, ()))

    def _leaves(self, unit: Unit, edge: tuple[int, ...]) -> float:
        """About how likely a unit gets to an edge before the battle ends."""
        kind = type_of(unit)
        moves = self.rounds_left - (unit.side != self.side and not unit_state(unit).fresh)
        far = self._field(edge, kind.vehicle)[unit.place]
        return objectives.chance_to_reach(far, min(FAR, moves * kind.movement))

    def _can_be_taken(self, places: tuple[int, ...], rounds: float) -> bool:
        """Whether an enemy on foot could get to an objective in so many rounds, this one counted in, with the moves that it has
        left."""
        field = self._field(places, False)
        for foe in self.foes:
            mine, kind = unit_state(foe), type_of(foe)
            moves = min(rounds, self.rounds_left) - (not mine.fresh)
            if not kind.vehicle and field[foe.place] <= min(moves * kind.movement, FAR - 1):
                return True
        return False

    def _field(self, places: tuple[int, ...], vehicle: bool) -> Sequence[int]:
        """Half movement points from each space to the nearest of some places."""
        return distance_field(self.board, places, vehicle, self.fallen, self.shut)

    def progress(self, unit: Unit, place: int) -> float:
        """How near a place is to what is worth being near to, and can still be reached after this action."""
        share, draw = self._draw[unit.id]
        return share * draw.near[place]

    @memo_table(bound=2_000)
    def _draw(self, number: int) -> tuple[float, Draw]:
        """What share of the draw a unit feels, and the draw on it after this action."""
        unit = self.state.units[number]
        kind = type_of(unit)
        here = unit.place if unit.place in self._held else -1
        named = unit.id if unit.id in self._leavers else -1
        reach = min(FAR, (self.rounds_left - 1) * kind.movement)
        # Guns and tanks reach far: they support from where they are sooner than go themselves.
        share = self.judgement.crews if kind.crew else self.judgement.vehicles if kind.vehicle else 1.0
        breaks = strength_at_building(unit, 1) > 0
        attractions = self._attractions[here, named, breaks]
        return share, _draw_of(self.board, attractions, reach, kind.vehicle, self.fallen, self.shut)

    @memo_property
    def _leavers(self) -> frozenset[int]:
        """The units that objectives name as those that are to leave."""
        return frozenset(number for value in self.values if value.leaves for number in value.units)

    @memo_table(bound=2_000)
    def _attractions(self, here: int, named: int, breaks: bool) -> Attractions:
        """What draws a unit, the dearest first: the same for all who are on the same objectives (`here`: where, -1 on none), are
        not named by any (`named`: the unit that is), and whose fire counts against buildings, or not (`breaks`): a building to be
        brought down draws nobody who can do nothing about it (SH-ELIG-1)."""
        found = list[tuple[float, tuple[int, ...]]]()
        for value in self.values:
            if value.units and value.leaves and named not in value.units:
                continue
            if value.razes and not breaks:
                continue
            worth = value.worth
            others = value.crowd - (here in value.places)
            if others > 0:
                worth *= self.judgement.crowded / others
            found.append((worth, value.places or (value.point,)))
        found.sort(key=lambda one: -one[0])
        return tuple(found)

    def leaving(self, unit: Unit, place: int) -> float:
        """What it is worth to leave the board from a place."""
        if place not in self._held or not self.board.spaces[place].edge:
            return 0.0
        j = self.judgement
        return (
            objectives.left_worth(self._held[place], unit, place)
            * max(j.leaving, objectives.LEAST)
            / max(j.exit, 0.01)
        )

    def hold(self, unit: Unit, place: int) -> float:
        """What standing on an objective is worth, less where friends already do; or leaving by it: who has left holds nothing."""
        if place not in self._held:
            return 0.0
        return self.leaving(unit, place) or self.held(unit, place)

    def held(self, unit: Unit, place: int) -> float:
        """What standing on an objective is worth, less where friends already do."""
        if place not in self._held:
            return 0.0
        j = self.judgement
        return objectives.held_worth(self._held[place], unit, place, j.alone, j.shared)

    @memo_property
    def razable(self) -> frozenset[int]:
        """The standing sections that objectives to destroy or to keep name."""
        goals = battle_state(self.state).objectives
        named = [goal.sections for goal in goals if goal.kind in ("destroy", "keep")]
        return frozenset(number for sections in named for number in sections) - self.fallen

    def razed(self, section: int) -> float:
        """What it is worth to the side that a building hex falls: objectives to destroy it, less those to keep it. Where several
        are named it is all or nothing: each counts as far as things stand."""
        goals = battle_state(self.state).objectives
        points = objectives.section_points(goals, self.side, section, self.fallen)
        return self.judgement.razed * self.judgement.point * points
