"""How a player judges a position: who threatens whom, and what acts and places are worth.

Built only from a view and a judgement. Values are in points of unit worth. Read `Appraisal.value_of_place`, the worth of one
unit standing in one place, and `value_of_fire`."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, isqrt

from msgspec.structs import replace

from battlesim.board.sight import CLEAR
from battlesim.core.geometry import INCH
from battlesim.core.memo import memo_method, memo_table
from battlesim.core.state import Unit
from battlesim.rules.contract import Features, weigh
from battlesim.rulesets.orderdice import (
    collapse,
    estimates,
    ground,
    quick_look,
    react,
    shoot,
)
from battlesim.rulesets.orderdice.armament import armament_of
from battlesim.rulesets.orderdice.crossfire import Crossfire
from battlesim.rulesets.orderdice.estimates import Outcome
from battlesim.rulesets.orderdice.expected import Toll
from battlesim.rulesets.orderdice.model import ADVANCE, DOWN, RUN, type_of
from battlesim.rulesets.orderdice.quick_look import (
    BAND,
)

CHARGE = 12 * INCH
"""How far infantry charges over clear ground (OD-HOUSE-CLOSE)."""
ROUNDING = 1e-6
"""Values that differ by less than this may be equal."""


class Appraisal(Crossfire):
    """What one side knows, prepared for judging many places. Valid for one view."""

    def better_place(self, unit: Unit, places: Sequence[int], shoots: bool, wanted: float) -> Features | None:
        """The features of the best place to end a move in; None if none is worth more than `wanted`."""
        weights, most = self.weights, wanted
        best: Features | None = None
        bounds, more = self._bounds(unit, places, shoots)
        for bound, number in bounds:
            if bound + more < most or (not more and bound == most):  # the first of equals is the best
                break
            found = self.value_of_arrival(unit, places[-number], shoots)
            value = weigh(found, weights)
            if value > most:
                best, most = found, value
        return best

    def top_places(self, unit: Unit, places: Sequence[int], shoots: bool, most: float) -> list[float]:
        """What ending a move in each of some places weighs; -inf for those that are worth less than `most` or than another."""
        weights, values = self.weights, [-inf] * len(places)
        bounds, more = self._bounds(unit, places, shoots)
        for bound, number in bounds:
            if bound + more < most - ROUNDING:
                break
            value = values[-number] = weigh(self.value_of_arrival(unit, places[-number], shoots), weights)
            if value > most:
                most = value
        return values

    def _bounds(
        self, unit: Unit, places: Sequence[int], shoots: bool
    ) -> tuple[list[tuple[float, int]], float]:
        """For each place, the highest first: what nearness and objectives weigh there, and its index as a negative number.
        Then what the best shot from anywhere may add. Enemy fire only lowers the worth of a place."""
        weights, prospect = self.weights, self.judgement.prospect
        shot = self._most_shot(unit.id, unit.place, shoots) if shoots or prospect else 0.0
        near, ending = self.stakes.pull[unit.id].near, self.stakes.ending
        bounds = [
            (weights.progress * near[place] + weights.hold * ending(unit, place), -number)
            for number, place in enumerate(places)
        ]
        bounds.sort(reverse=True)
        return bounds, weights.dealt * shot if shoots else weights.ready * prospect * shot

    @memo_method(bound=2_000)
    def _most_shot(self, number: int, place: int, moved: bool) -> float:
        """An upper bound of a unit's best shot after a move from a place, wherever it ends: at once after an Advance (`moved`),
        later after a Run. A passenger starts from the place of its transport."""
        unit, best = self.state.units[number], 0.0
        carried, bands = armament_of(unit), self._shooter[number][1]
        move = ground.farthest(type_of(unit), ADVANCE if moved else RUN)
        here, most = self.board.spaces[place], quick_look.most_depth(self.board)
        for foe, enemy in enumerate(self._enemy):
            far = isqrt((enemy.x - here.x) ** 2 + (enemy.y - here.y) ** 2) - move - enemy.depth - most
            if far > carried.reach:
                continue
            near = bands[max(far, 0) // BAND]
            # Indirect fire with a minimum range may do better from farther away.
            some = {band for band in bands if band >= near} if carried.lobs else (near,)
            for band in some:
                best = max(best, self._chance(number, foe, band, moved, quick_look.EVERYBODY))
        return best

    # ---- what acts cost

    def value_of_toll(self, unit: Unit, toll: Toll) -> float:
        """The worth of a unit's toll to the other side: losses and pins, with objectives."""
        lost = estimates.worth_lost(unit, toll) + self.judgement.pin * toll.pins * estimates.worth(unit)
        return lost * self._importance[unit.id]

    def value_of_outcome(self, outcome: Outcome, side: int) -> float:
        """The worth of an act's outcome to a side: the other side's losses less its own, and the effects on the building."""
        total = 0.0
        for unit, toll in outcome.tolls:
            value = self.value_of_toll(unit, toll)
            total += value if unit.side != side else -value
        if outcome.section >= 0:
            ours = 1.0 if side == self.side else -1.0
            if outcome.falls:
                total += ours * outcome.falls * self.stakes.razed(outcome.section)
            if outcome.burns:
                total += outcome.burns * self.value_of_fire_in(outcome.section, side)
        return total

    def value_of_fire_in(self, section: int, side: int) -> float:
        """The worth to a side of a burning building: infantry inside lose their cover and what they held. Losses by the fire
        itself are in the tolls."""
        total = 0.0
        for unit in collapse.occupants(self.state, self.board, section):
            if not type_of(unit).infantry:
                continue
            value = self.judgement.driven_out * estimates.worth(unit) * self._importance[unit.id]
            total += value if unit.side != side else -value
        return total

    def value_of_fire(
        self, unit: Unit, target: Unit, moved: bool, wall: int = -2, used: tuple[int, ...] = ()
    ) -> float:
        """The worth of a unit's volley to its side. The target may be passed as if it were Down."""
        return self._value_of_fire(unit.id, target.id, target.own.order == DOWN, moved, wall, used)

    def value_of_shot(
        self, unit: Unit, target: Unit, moved: bool, wall: int = -2, used: tuple[int, ...] = ()
    ) -> float:
        """`value_of_fire` at an enemy that may go Down in reaction (OD-HOUSE-REACT). It does so if that costs it less, although
        it gives up its action."""
        standing = self.value_of_fire(unit, target, moved, wall, used)
        if not react.may_go_down(self.state, target):
            return standing
        price = self.judgement.lie_down * estimates.worth(target)
        if standing <= price:
            return standing
        return min(standing, price + self._value_of_fire(unit.id, target.id, True, moved, wall, used))

    @memo_method(bound=20_000)
    def _value_of_fire(
        self, number: int, against: int, prone: bool, moved: bool, wall: int, used: tuple[int, ...]
    ) -> float:
        """`value_of_fire` by unit numbers; `prone`: the target is Down."""
        unit, target = self.state.units[number], self.state.units[against]
        if prone != (target.own.order == DOWN):
            target = replace(target, own=replace(target.own, order=DOWN if prone else ""))
        outcome = estimates.volley(self.state, self.board, unit, target, moved, wall, used, self._bonus_of)
        return self.value_of_outcome(outcome, unit.side)

    def value_at_house(
        self, unit: Unit, place: int, moved: bool, wall: int, used: tuple[int, ...] = ()
    ) -> float:
        """The worth of a unit's fire at an empty building to its side."""
        outcome = estimates.at_house(self.state, self.board, unit, place, moved, wall, used)
        return self.value_of_outcome(outcome, unit.side)

    def slots_after(
        self, unit: Unit, target: Unit, moved: bool, wall: int, used: tuple[int, ...]
    ) -> tuple[int, ...]:
        """The slots used once a unit has fired at a target from a wall."""
        groups = estimates.groups_of(self.state, self.board, unit, target, moved, wall, used)
        return shoot.with_slots(used, groups)

    # ---- places

    def value_of_arrival(self, unit: Unit, place: int, shoots: bool) -> Features:
        """The worth to a unit of ending a move in a place. A unit that leaves the board there neither shoots nor is shot at
        (OD-HOUSE-EXIT); else `value_of_place`."""
        leaves = self.stakes.leaving(unit, place)
        if leaves:
            return Features(progress=self.stakes.progress(unit, place), hold=leaves)
        return self.value_of_place(unit, place, shoots, True)

    def value_of_place(self, unit: Unit, place: int, shoots: bool, moved: bool) -> Features:
        """The worth to a unit of standing in a place. `shoots`: it may fire from there at once; `moved`: after moving."""
        return self._value_of_place[unit.id, place, shoots, moved]

    @memo_table(bound=20_000)
    def _value_of_place(self, number: int, place: int, shoots: bool, moved: bool) -> Features:
        """`value_of_place` for a unit by its number."""
        seen, there = self._standing[number, place, False]
        if shoots:
            dealt = self._best_shot(number, place, moved, seen)
            return Features(dealt=dealt, exposure=there.exposure, progress=there.progress, hold=there.hold)
        if not self.judgement.prospect:
            return there
        return replace(there, ready=self.judgement.prospect * self._best_shot(number, place, False, seen))

    def _best_shot(self, number: int, place: int, moved: bool, seen: Sequence[tuple[int, int, int]]) -> float:
        """The highest loss that a unit's fire from a place may cause to an enemy `seen` from there (as in `_standing`)."""
        _, bands, reach, many = self._shooter[number]
        board, importance = self.board, self._foes_importance
        inside = many and board.spaces[place].kind == "floor"
        best, duel_with = 0.0, self._duel
        for foe, band, distance in seen:
            if distance <= reach:
                men = (
                    quick_look.men_at(board, place, self.foes[foe].place) if inside else quick_look.EVERYBODY
                )
                value = duel_with[number, foe, moved, men].loss[bands[band]] * importance[foe]
                if value > best:
                    best = value
        return best

    def lying(self, unit: Unit) -> Features:
        """The features of going Down where a unit is."""
        return self._standing[unit.id, unit.place, True][1]

    @memo_table(bound=2_000)
    def _stander(self, number: int) -> tuple[bool, int, float, float]:
        """Of a unit by its number: whether it is infantry, its range, worth and importance."""
        unit = self.state.units[number]
        reach = self._shooter[number][2]
        return type_of(unit).infantry, reach, estimates.worth(unit), self._importance[number]

    @memo_table(bound=20_000)
    def _standing(self, number: int, place: int, prone: bool) -> tuple[list[tuple[int, int, int]], Features]:
        """The enemies in sight of a place, as (index in `foes`, band, distance), and the features of a unit being there."""
        board, down, unit = self.board, self.fallen, self.state.units[number]
        on_foot, range_, worth, importance = self._stander[number]
        sees = board.sight.sees
        row, limit = board.sight.quick_visibility(place, down)
        here = board.spaces[place]
        shelter = quick_look.shelter(board, place)
        danger = self._danger
        # An upper floor is assaulted only from inside, so the enemy must first get into the building.
        storm = self._storm if on_foot and self.judgement.storm and not here.floor else None
        inside, assault = here.kind == "floor", 0.0
        exposure = 0.0
        seen: list[tuple[int, int, int]] = []
        distances = quick_look.apart(board, place)
        for there, foe, reach, charges, cramped, bands, share in self._enemies[range_, here.x // self._width]:
            code = row[there]
            if code > limit:
                continue
            distance = distances[there]
            if (distance > range_ and distance > reach) or not (code == CLEAR or sees(place, there, down)):
                continue  # neither can hurt the other
            band = distance // BAND
            seen.append((foe, band, distance))
            if distance <= CHARGE and storm and charges:
                assault += storm(foe, number, inside)
            if distance <= reach:
                men = quick_look.men_at(board, there, place) if cramped else quick_look.EVERYBODY
                exposure += share * danger[foe, number, shelter, prone, men].loss[bands[band]]
        exposure += assault
        if exposure:
            exposure = min(exposure, worth) * importance
        stakes = self.stakes
        return seen, Features(
            exposure=exposure,
            progress=stakes.pull[number].near[place],
            hold=stakes.hold(unit, place),
        )
