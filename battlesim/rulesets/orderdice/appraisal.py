"""A position as a player looks at it: who threatens whom from where, what acts and places are worth.

Built from a view and a judgement alone. Values are in points of unit worth. Read `Appraisal.value_of_place`, the worth of one
unit standing in one place, and `value_of_fire`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import inf, isqrt
from typing import NamedTuple

from msgspec.structs import replace

from battlesim.board.board import Board
from battlesim.board.sight import CLEAR
from battlesim.core.geometry import INCH, facing_towards
from battlesim.core.memo import memo_method, memo_property, no_memos
from battlesim.core.state import State, Unit, fallen, standing_at
from battlesim.core.view import View
from battlesim.evaluation import objectives
from battlesim.evaluation.objectives import Attraction, ObjectiveValue
from battlesim.rules.contract import Features, weigh
from battlesim.rulesets.orderdice import collapse, estimates, ground, morale, quick_look, shoot
from battlesim.rulesets.orderdice.armament import armament, armament_of
from battlesim.rulesets.orderdice.estimates import Outcome
from battlesim.rulesets.orderdice.expected import Toll
from battlesim.rulesets.orderdice.judgement import Judgement
from battlesim.rulesets.orderdice.model import DOWN, BattleState, type_of
from battlesim.rulesets.orderdice.quick_look import BAND, CombatProfile, TargetProfile

FAR = 60 * INCH
"""Progress is counted over this distance; what is farther counts as this far."""
CLOSE = 12 * INCH
"""Within this of a unit or building to be destroyed one is near enough."""

DETOUR = 1.25
"""How much longer than the straight line a way is taken to be where none is known."""
OPENING = 2
"""Men that can shoot out of the usual opening (OD-FROM-2)."""

_Enemies = list[tuple[int, int, int, int, int]]
"""Each enemy as (number, space, x, y, square of the distance from which on neither hurts the other)."""


class Enemy(NamedTuple):
    """An enemy as a quick look needs it: its id, where it is, how far and how it shoots, the bands of distances it tells apart,
    the share of its fire that one unit has to fear, what shelters it, and whether its building lets but some of it shoot in any
    one direction."""

    id: int
    place: int
    x: int
    y: int
    reach: int
    shooter: CombatProfile
    bands: tuple[int, ...]
    share: float
    shelter: int
    cramped: bool


STRIP, ENDLESS, MANY = 48 * INCH, 1 << 30, 40
"""Against more enemies than MANY the field is looked at in strips of this width, else as one."""


class Appraisal:
    """What one side knows, prepared for looking at many places. Good for one view."""

    def __init__(self, view: View, board: Board, judgement: Judgement, weights: Features) -> None:
        self.memos = no_memos()
        self.board, self.side, self.judgement = board, view.side, judgement
        self.weights = weights
        self.state = State(
            units=view.units,
            structures=view.structures,
            extra=view.extra,
            turn=view.turn,
            points=view.points,
            at=standing_at(view.units),
        )
        self.fallen = fallen(self.state)
        self.mine = [u for u in self.state.living(view.side) if u.place >= 0]
        self.foes = [u for u in self.state.living(1 - view.side) if u.place >= 0]
        self.objectives = self._objectives(view.extra)
        self._contested = objectives.contested_worths(self.objectives, self.foes)
        self._named = objectives.named_points(view.extra.objectives)
        self._held = frozenset(place for value in self.objectives for place in value.places)
        self._width = STRIP if len(self.foes) > MANY else ENDLESS
        self._numbers: dict[int, int] = {}
        self._enemy: list[Enemy] = []
        fresh, acted = judgement.aim_share, judgement.aim_share * judgement.acted
        for number, foe in enumerate(self.foes):
            shooter, there = quick_look.shooter_of(foe), board.spaces[foe.place]
            carried = armament(shooter.kind, shooter.models, shooter.spent)
            self._numbers[foe.id] = number
            self._enemy.append(
                Enemy(
                    foe.id,
                    foe.place,
                    there.x,
                    there.y,
                    carried.reach,
                    shooter,
                    quick_look.bands_of(shooter.kind, shooter.models, shooter.spent),
                    acted if foe.own.order else fresh,
                    quick_look.shelter(board, foe.place),
                    there.kind == "floor" and len(carried.arms) > OPENING,
                )
            )

    def best_place(self, unit: Unit, places: Sequence[int]) -> Features:
        """The best place to end a move in without a shot. What is near objectives is looked at first, and nothing more once
        nearness alone is not enough: fire only takes from what a place is worth."""
        if self.judgement.prospect:
            return self.best_of([self.value_of_place(unit, place, False, True) for place in places])
        weights, best, most = self.weights, Features(), -inf
        bounds = [
            (weights.progress * self.progress(unit, place) + weights.hold * self.hold(unit, place), -number)
            for number, place in enumerate(places)
        ]
        for bound, number in sorted(bounds, reverse=True):
            if bound < most:
                break
            found = self.value_of_place(unit, places[-number], False, True)
            value = weigh(found, weights)
            if value > most:
                best, most = found, value
        return best

    def best_of(self, found: Iterable[Features]) -> Features:
        """The best of several for whoever judges; of none, features that promise nothing."""
        return max(found, key=lambda one: weigh(one, self.weights), default=Features())

    # ---- objectives

    def _objectives(self, extra: BattleState) -> list[ObjectiveValue]:
        """What is held at the end is what scores, so that objectives count more as the battle goes on (OD-HOUSE-VICTORY)."""
        j = self.judgement
        point = j.point * objectives.lateness(self.state.turn, extra.turns, j.early, j.late)
        scale = objectives.Scale(point, j.denied * point, j.exit * point, j.hunt * point, j.raze * point)
        return objectives.objective_values(
            extra.objectives, self.side, self.state.units, self.board, self.fallen, scale
        )

    @memo_method(bound=16)
    def _fields(self, drive: str) -> list[list[int] | None]:
        """Of each objective, how far every space is from it for all who move alike; None where it is but a point."""
        pace = ground.PACES[drive]
        return [
            self.board.routes.field(pace, value.places, self.fallen) if value.places else None
            for value in self.objectives
        ]

    @memo_method(bound=2_000)
    def _attractions(self, number: int) -> list[Attraction]:
        """What draws a unit, the dearest first. The way off the board draws only as far as there is time to go: whoever tarries
        loses it."""
        unit = self.state.units[number]
        drive = type_of(unit).drive or "foot"
        left = max(1, self.state.extra.turns - self.state.turn + 1)
        found: list[Attraction] = []
        for value, field in zip(self.objectives, self._fields(drive), strict=True):
            if not value.concerns(unit):
                continue
            worth, others = value.worth, value.others(unit)
            if others > 0:
                worth *= self.judgement.crowded / others
            reach = left * ground.PACES[drive].options[0].limit if value.leaves else FAR
            found.append(Attraction(worth, field, value.point, value.places, reach))
        found.sort(key=lambda one: -one.worth)
        return found

    def progress(self, unit: Unit, place: int) -> float:
        """How near a place is to what is worth being near to."""
        return objectives.nearness(self._attractions(unit.id), place, self.board, CLOSE, DETOUR)

    def hold(self, unit: Unit, place: int) -> float:
        """What standing on an objective is worth; less where friends already do."""
        if place not in self._held:
            return 0.0
        j = self.judgement
        return objectives.held_worth(self.objectives, unit, place, j.alone, j.shared)

    def importance(self, unit: Unit) -> float:
        """How much more a unit counts than its worth, because objectives name it or it holds one: 1 for one that none does."""
        return self._importance(unit.id)

    @memo_method(bound=2_000)
    def _importance(self, number: int) -> float:
        """`importance` of a unit by its number."""
        unit, j = self.state.units[number], self.judgement
        value = j.point * self._named.get(number, 0)
        if unit.side != self.side:
            value += j.contested * self._contested.get(number, 0.0)
        return 1.0 + value / max(estimates.worth(unit), 1.0)

    def razed(self, section: int) -> float:
        """What it is worth to a side that a section falls: objectives that name it."""
        points = objectives.section_points(self.state.extra.objectives, self.side, section)
        return self.judgement.point * points

    @memo_property
    def razes(self) -> bool:
        """Whether any objective is about a building that stands or falls."""
        return any(goal.sections and goal.kind in ("destroy", "keep") for goal in self.state.extra.objectives)

    # ---- what acts cost

    def value_of_toll(self, unit: Unit, toll: Toll) -> float:
        """What a toll of a unit is worth to the other side: losses, objectives counted in, and pins."""
        lost = estimates.worth_lost(unit, toll) + self.judgement.pin * toll.pins * estimates.worth(unit)
        return lost * self._importance(unit.id)

    def value_of_outcome(self, outcome: Outcome, side: int) -> float:
        """What the outcome of an act is worth to a side: what it costs the other, less what it costs its own, and what becomes of
        the building."""
        total = 0.0
        for unit, toll in outcome.tolls:
            value = self.value_of_toll(unit, toll)
            total += value if unit.side != side else -value
        if outcome.section >= 0:
            ours = 1.0 if side == self.side else -1.0
            if outcome.falls:
                total += ours * outcome.falls * self.razed(outcome.section)
            if outcome.burns:
                total += outcome.burns * self.value_of_fire_in(outcome.section, side)
        return total

    def value_of_fire_in(self, section: int, side: int) -> float:
        """What it is worth to a side that a building burns: men inside are driven out, lose their walls and what they held; what
        the fire itself takes is in the tolls."""
        total = 0.0
        for unit in collapse.occupants(self.state, self.board, section):
            if not type_of(unit).infantry:
                continue
            value = self.judgement.driven_out * estimates.worth(unit) * self._importance(unit.id)
            total += value if unit.side != side else -value
        return total

    def value_of_fire(
        self, unit: Unit, target: Unit, moved: bool, wall: int = -2, used: tuple[int, ...] = ()
    ) -> float:
        """What a unit's volley is worth to its side. The target may be looked at as if it were Down."""
        return self._value_of_fire(unit.id, target.id, target.own.order == DOWN, moved, wall, used)

    @memo_method(bound=20_000)
    def _value_of_fire(
        self, number: int, against: int, prone: bool, moved: bool, wall: int, used: tuple[int, ...]
    ) -> float:
        """`value_of_fire` of units by their numbers; `prone`: the target is Down."""
        unit, target = self.state.units[number], self.state.units[against]
        if prone != (target.own.order == DOWN):
            target = replace(target, own=replace(target.own, order=DOWN if prone else ""))
        outcome = estimates.volley(self.state, self.board, unit, target, moved, wall, used)
        return self.value_of_outcome(outcome, unit.side)

    def value_at_house(
        self, unit: Unit, place: int, moved: bool, wall: int, used: tuple[int, ...] = ()
    ) -> float:
        """What a unit's fire at an empty building is worth to its side."""
        outcome = estimates.at_house(self.state, self.board, unit, place, moved, wall, used)
        return self.value_of_outcome(outcome, unit.side)

    def slots_after(
        self, unit: Unit, target: Unit, moved: bool, wall: int, used: tuple[int, ...]
    ) -> tuple[int, ...]:
        """The slots used once a unit has fired at a target from a wall."""
        groups = estimates.groups_of(self.state, self.board, unit, target, moved, wall, used)
        return shoot.with_slots(used, groups)

    # ---- fire at a glance

    @memo_method(bound=2_000)
    def _target(self, number: int, prone: bool) -> TargetProfile:
        """A unit as it is shot at; `prone`: Down, as an enemy may be already, and one's own units are not thought to be else."""
        unit = self.state.units[number]
        found = quick_look.target_of(unit, morale.officer_bonus(self.state, self.board, unit))
        if unit.side == self.side:
            found = found._replace(down=prone and not type_of(unit).vehicle)
        return found

    @memo_method(bound=2_000)
    def _reach(self, number: int) -> int:
        """How far a unit shoots."""
        return armament_of(self.state.units[number]).reach

    @memo_method(bound=2_000)
    def _enemies(self, reach: int, strip: int) -> _Enemies:
        """The enemies that a unit with a reach may have to do with in a strip of the field."""
        west = strip * self._width
        found = []
        for number, e in enumerate(self._enemy):
            far = (reach if reach > e.reach else e.reach) + 1
            if west - far < e.x < west + self._width + far:
                found.append((number, e.place, e.x, e.y, far * far))
        return found

    @memo_method(bound=20_000)
    def _threat(self, foe: int, number: int, band: int, shelter: int, prone: bool, men: int) -> float:
        """What one enemy (by its place among `foes`) may take of a unit at a distance, for what it may rather do; what objectives
        make of the unit left out."""
        target = self._target(number, prone)
        enemy = self._enemy[foe]
        return enemy.share * quick_look.quick_loss(
            enemy.shooter, target, band, shelter, False, men, self.judgement.pin
        )

    def threat(self, foe: int, unit: Unit, band: int, shelter: int) -> float:
        """What one enemy may take of a unit at a distance."""
        bands = self._enemy[foe].bands
        if band >= len(bands):
            return 0.0
        loss = self._threat(foe, unit.id, bands[band], shelter, False, quick_look.EVERYBODY)
        return loss * self._importance(unit.id)

    def chance(self, unit: Unit, foe: Unit, band: int, moved: bool, men: int = quick_look.EVERYBODY) -> float:
        """What a unit's fire may take of an enemy at a distance."""
        bands = self._shooter(unit.id)[1]
        if band >= len(bands):
            return 0.0
        return self._chance(unit.id, self._numbers[foe.id], bands[band], moved, men)

    @memo_method(bound=20_000)
    def _chance(self, number: int, foe: int, band: int, moved: bool, men: int) -> float:
        """`chance` of a unit by its number against an enemy by its place among `foes`."""
        against = self.foes[foe].id
        loss = quick_look.quick_loss(
            self._shooter(number)[0],
            self._target(against, False),
            band,
            self._enemy[foe].shelter,
            moved,
            men,
            self.judgement.pin,
        )
        return loss * self._importance(against)

    @memo_method(bound=2_000)
    def _shooter(self, number: int) -> tuple[CombatProfile, tuple[int, ...], bool]:
        """A unit as it shoots, the bands of distances that it tells apart, and whether it has more to shoot with than one opening
        lets out."""
        shooter = quick_look.shooter_of(self.state.units[number])
        many = len(armament(shooter.kind, shooter.models, shooter.spent).arms) > OPENING
        return shooter, quick_look.bands_of(shooter.kind, shooter.models, shooter.spent), many

    # ---- places

    def value_of_place(self, unit: Unit, place: int, shoots: bool, moved: bool) -> Features:
        """What it is worth to a unit to stand in a place; `shoots`: it may fire from there at once, after moving or not."""
        return self._value_of_place(unit.id, place, shoots, moved)

    @memo_method(bound=20_000)
    def _value_of_place(self, number: int, place: int, shoots: bool, moved: bool) -> Features:
        """`value_of_place` for a unit by its number."""
        there = self._standing(number, place, False)[1]
        if shoots:
            dealt, ready = self._best_shot(number, place, moved), 0.0
        else:
            dealt, ready = 0.0, self.judgement.prospect
            if ready:
                ready *= self._best_shot(number, place, False)
        return Features(
            dealt=dealt, exposure=there.exposure, progress=there.progress, hold=there.hold, ready=ready
        )

    @memo_method(bound=20_000)
    def _best_shot(self, number: int, place: int, moved: bool) -> float:
        """The most that a unit's fire from a place may take of an enemy in sight."""
        reach, best, chance = self._reach(number), 0.0, self._chance
        bands = self._shooter(number)[1]
        inside = self.board.spaces[place].kind == "floor" and self._shooter(number)[2]
        for foe, band, distance in self._standing(number, place, False)[0]:
            if distance <= reach:
                men = self._men(place, self.foes[foe].place) if inside else quick_look.EVERYBODY
                value = chance(number, foe, bands[band], moved, men)
                if value > best:
                    best = value
        return best

    def _men(self, place: int, there: int) -> int:
        """How many men can shoot out of a floor towards a place."""
        here, goal = self.board.spaces[place], self.board.spaces[there]
        return quick_look.men_towards(self.board, place, facing_towards(here.point, goal.point))

    def lying(self, unit: Unit) -> Features:
        """Lying down where a unit is."""
        return self._standing(unit.id, unit.place, True)[1]

    @memo_method(bound=20_000)
    def _standing(self, number: int, place: int, prone: bool) -> tuple[list[tuple[int, int, int]], Features]:
        """The enemies in sight of a place, as (number, band, distance), and what it is worth to a unit to be there."""
        board, down, unit = self.board, self.fallen, self.state.units[number]
        sees = board.sight.sees
        row, limit = board.sight.quick_visibility(place, down)
        here = board.spaces[place]
        shelter = quick_look.shelter(board, place)
        threat, enemies = self._threat, self._enemy
        exposure = 0.0
        seen: list[tuple[int, int, int]] = []
        x, y = here.x, here.y
        for foe, there, fx, fy, far in self._enemies(self._reach(number), x // self._width):
            code = row[there]
            if code > limit:
                continue
            gap = (x - fx) ** 2 + (y - fy) ** 2
            if gap >= far or not (code == CLEAR or sees(place, there, down)):
                continue  # neither can hurt the other
            distance = isqrt(gap)
            band = distance // BAND
            seen.append((foe, band, distance))
            enemy = enemies[foe]
            if distance > enemy.reach:
                continue
            men = self._men(there, place) if enemy.cramped else quick_look.EVERYBODY
            exposure += threat(foe, number, enemy.bands[band], shelter, prone, men)
        return seen, Features(
            exposure=min(exposure, estimates.worth(unit)) * self._importance(number),
            progress=self.progress(unit, place),
            hold=self.hold(unit, place),
        )
