"""How objectives value places and units for one side: where it pays to be, to go and to leave.

Values are in points of unit worth. Read `Prospects.progress` and `Prospects.hold`.
"""

from __future__ import annotations

from collections.abc import Sequence

from battlesim.board.board import Board
from battlesim.core.memo import memo_property, memo_table, no_memos, owned_memo
from battlesim.core.state import State, Unit, fallen
from battlesim.evaluation import objectives
from battlesim.evaluation.objectives import ObjectiveValue, Scale
from battlesim.rules.contract import Features
from battlesim.rulesets.squadhex.distances import FAR, distance_field
from battlesim.rulesets.squadhex.fire import strength_at_building
from battlesim.rulesets.squadhex.ground import neighbours
from battlesim.rulesets.squadhex.judgement import Judgement
from battlesim.rulesets.squadhex.model import battle_state, type_of, unit_state

Attractions = tuple[tuple[float, tuple[int, ...]], ...]
"""What attracts a unit, the most valuable first: what being there is worth, and its places."""


class Draw:
    """The attraction of objectives on some units, by place: pairs of worth and the distance field in half points, the most
    valuable first; and how far the units can still go."""

    def __init__(self, attractions: list[tuple[float, Sequence[int]]], reach: int) -> None:
        self.attractions, self.reach = attractions, reach

    @memo_table(bound=5_000)
    def near(self, place: int) -> float:
        """The attraction felt in a place, of what can still be reached from it."""
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


@owned_memo(bound=512)
def _draw_of(
    board: Board,
    attractions: Attractions,
    reach: int,
    vehicle: bool,
    fallen: frozenset[int],
    closed: frozenset[int],
) -> Draw:
    """The attraction on units with the same movement and reach. Most questions of a round value the same objectives alike, so
    they share one answer."""
    fields = [distance_field(board, places, vehicle, fallen, closed) for _, places in attractions]
    return Draw([(worth, field) for (worth, _), field in zip(attractions, fields, strict=True)], reach)


class Prospects:
    """The objectives of one position, for one side. Valid as long as the position is; `units` may change only in what their own
    side's activations change."""

    def __init__(self, state: State, board: Board, side: int, judgement: Judgement) -> None:
        self.memos = no_memos()
        self.state, self.board, self.side, self.judgement = state, board, side, judgement
        self.fallen, self.shut = fallen(state), neighbours(state, board).shut
        self.rounds_left = max(1, battle_state(state).turns - state.turn + 1)
        """Rounds still to be played, including this one."""
        self.foes = [u for u in state.units.values() if u.side != side and u.place >= 0]
        self.values = self._values()
        goals = battle_state(state).objectives
        self.named = objectives.named_points(goals)
        """Points that depend on whether a unit lives, by unit."""
        for number, points in objectives.leavers_points(goals, state.units, board, self._leaves).items():
            self.named[number] = self.named.get(number, 0.0) + points
        self.contested = objectives.contested_worths(self.values, self.foes)
        """What driving an enemy off the objectives it is on is worth, by unit."""
        self.values_at: dict[int, list[ObjectiveValue]] = {}
        """The objectives by the places that they name."""
        for value in self.values:
            for place in value.places:
                self.values_at.setdefault(place, []).append(value)

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
        """A rough chance that a unit reaches an edge before the battle ends."""
        kind = type_of(unit)
        moves = self.rounds_left - (unit.side != self.side and not unit_state(unit).fresh)
        far = self._field(edge, kind.vehicle)[unit.place]
        return objectives.chance_to_reach(far, min(FAR, moves * kind.movement))

    def _can_be_taken(self, places: tuple[int, ...], rounds: float) -> bool:
        """Whether an enemy on foot could reach an objective within so many rounds, including this one, with its remaining
        moves."""
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
        """How near a place is to valuable objectives that can still be reached after this action."""
        share, draw = self._draw[unit.id]
        return share * draw.near[place]

    def drawn(self, unit: Unit, places: Sequence[int], weights: Features) -> list[float]:
        """The weighed progress and hold of a unit in each of some places."""
        share, draw = self._draw[unit.id]
        near, held, hold = draw.near, self.values_at, self.hold
        progress, holds = weights.progress, weights.hold
        return [
            progress * (share * near[place]) + (holds * hold(unit, place) if place in held else 0.0)
            for place in places
        ]

    @memo_table(bound=2_000)
    def _draw(self, number: int) -> tuple[float, Draw]:
        """The share of the attraction that a unit feels, and the attraction on it after this action."""
        unit = self.state.units[number]
        kind = type_of(unit)
        here = unit.place if unit.place in self.values_at else -1
        named = unit.id if unit.id in self._leavers else -1
        reach = min(FAR, (self.rounds_left - 1) * kind.movement)
        # Guns and tanks have long range: they support from where they are rather than go themselves.
        # An officer's squad leaves it to other squads to be the first at an objective.
        # Where no other squad is left, all go themselves.
        j, share = self.judgement, 1.0
        if self._has_squads:
            share = (
                j.crews if kind.crew else j.vehicles if kind.vehicle else j.leaders if kind.officer else 1.0
            )
        breaks = strength_at_building(unit, 1) > 0
        attractions = self._attractions[here, named, breaks]
        return share, _draw_of(self.board, attractions, reach, kind.vehicle, self.fallen, self.shut)

    @memo_property
    def _has_squads(self) -> bool:
        """Whether the side has a unit on the board that is no gun, no tank and no officer's squad."""
        own = [type_of(u) for u in self.state.units.values() if u.side == self.side and u.place >= 0]
        return any(not (kind.crew or kind.vehicle or kind.officer) for kind in own)

    @memo_property
    def _leavers(self) -> frozenset[int]:
        """The units that objectives name to leave the board."""
        return frozenset(number for value in self.values if value.leaves for number in value.units)

    @memo_table(bound=2_000)
    def _attractions(self, here: int, named: int, breaks: bool) -> Attractions:
        """What attracts a unit, the most valuable first. The same for all units on the same objectives (`here`: the place, -1 if
        on none), not named to leave the board (`named`: the unit that is, else -1), and alike in whether their fire counts
        against buildings (`breaks`): a building to be destroyed attracts no unit that cannot damage it (SH-ELIG-1)."""
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
        """What leaving the board from a place is worth."""
        if place not in self.values_at or not self.board.spaces[place].edge:
            return 0.0
        j = self.judgement
        return (
            objectives.left_worth(self.values_at[place], unit, place)
            * max(j.leaving, objectives.LEAST)
            / max(j.exit, 0.01)
        )

    def hold(self, unit: Unit, place: int) -> float:
        """What standing on an objective is worth, less if friends are already there; or what leaving by it is worth, since a unit
        that has left holds nothing."""
        if place not in self.values_at:
            return 0.0
        return self.leaving(unit, place) or self.held(unit, place)

    def held(self, unit: Unit, place: int) -> float:
        """What standing on an objective is worth, less if friends are already there."""
        if place not in self.values_at:
            return 0.0
        j = self.judgement
        return objectives.held_worth(self.values_at[place], unit, place, j.alone, j.shared)

    @memo_property
    def razable(self) -> frozenset[int]:
        """The standing sections named by objectives to destroy or keep."""
        goals = battle_state(self.state).objectives
        named = [goal.sections for goal in goals if goal.kind in ("destroy", "keep")]
        return frozenset(number for sections in named for number in sections) - self.fallen

    def razed(self, section: int) -> float:
        """What the fall of a building hex is worth to the side: objectives to destroy it, less those to keep it. An objective
        that names several is all or nothing, so each section counts its share as things stand."""
        goals = battle_state(self.state).objectives
        points = objectives.section_points(goals, self.side, section, self.fallen)
        return self.judgement.razed * self.judgement.point * points
