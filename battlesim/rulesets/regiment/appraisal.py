"""A position as a player of regiments judges it: what places are worth, by what a unit can do there and what may be done to it.

Built from a view and a judgement alone. Values are in points. Read `Appraisal.value_of_place`, the worth of one unit standing in
one place; what fights and shots are worth is in `combat_worth.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from battlesim.core.geometry import INCH, Point, in_arc
from battlesim.core.memo import memo_method, memo_property, memo_table
from battlesim.core.state import Unit, fallen
from battlesim.evaluation.time_left import ARRIVED
from battlesim.rules.contract import Features
from battlesim.rulesets.regiment import (
    charge,
    distances,
    form,
    ground,
    line_of_sight,
    rooms,
    targets,
)
from battlesim.rulesets.regiment.combat_worth import CombatWorth, gap
from battlesim.rulesets.regiment.model import FRONT, type_of, unit_state
from battlesim.rulesets.regiment.tables import shot_need

FAR = 60 * INCH
"""Progress is counted over this distance; anything farther counts as this far."""
NEARBY = 6
"""How many enemies are examined one by one, the nearest first."""
SPARE = 3 * INCH
"""How much farther than its move a charge reaches, roughly: contact is made before the enemy's place."""


class Attractions(NamedTuple):
    """What attracts a unit: objectives as (places, strength, whether a friend is on it, how near the nearest other friend is),
    and enemies that it beats as (place, strength)."""

    objectives: tuple[tuple[tuple[int, ...], float, bool, int], ...]
    prey: tuple[tuple[int, float], ...]


class Faced(NamedTuple):
    """An enemy that a unit may face: where it stands, what facing it gains besides a shot, and what a shot at it gains."""

    point: Point
    ready: float
    shot: float


class Appraisal(CombatWorth):
    """The worth of places, on top of the worth of fights and shots."""

    # ---- what the enemy could do

    def threat(self, unit: Unit, place: int, but: int = -1, facing: int = -1) -> float:
        """Points a unit stands to lose in a place in the enemy's turn: to fire, to the worst charge, and part of the other
        charges; `but`: an enemy to ignore; `facing`: how it will stand there (-1: it may still turn to where it loses least)."""
        return self._threat(unit.id, place, but, facing)

    @memo_method(bound=20_000)
    def _threat(self, number: int, place: int, but: int, facing: int) -> float:
        """`threat` to a unit by its number."""
        unit, j = self.state.units[number], self.judgement
        fire = 0.0
        for foe in self._gunners if self.time.shots else ():
            if foe.id != but:
                fire += self.value_of_shot(foe, unit, foe.place, False, place)
        feared = [foe for foe in self._feared(number, place) if foe.id != but]
        if not feared:
            return self.matters * j.aim_share * fire
        ways: Sequence[int] = range(8) if facing < 0 else (facing,)
        if facing < 0 and (len(feared) == 1 or place in self.rooms):
            ways = (ground.towards(self.board, place, feared[0].place),)
        charged = min(self._charged(number, place, way, feared) for way in ways)
        return self.matters * (j.aim_share * fire + j.charge_share * charged)

    def _charged(self, number: int, place: int, facing: int, feared: Sequence[Unit]) -> float:
        """What the worst of some charges would cost a unit that stands so, and part of the others."""
        worst, total = 0.0, 0.0
        for foe in feared:
            arc = ground.arcs(self.board, place, foe.place)[facing]
            cost = self._cost_of_charge(foe.id, number, self._room(place), arc)
            worst, total = max(worst, cost), total + cost
        return worst + self.judgement.others * (total - worst)

    @memo_method(bound=20_000)
    def _cost_of_charge(self, number: int, against: int, room: int, arc: int) -> float:
        """What an enemy's charge from an arc would cost a unit in a room, or outdoors (-1); what the charger itself would lose
        speaks against it."""
        foe = self.state.units[number]
        after = self.time.after_theirs
        dealt, taken = self._fight(number, self._room(foe.place), against, room, arc, after)
        return max(0.0, dealt - self.judgement.repaid * taken)

    @memo_method(bound=20_000)
    def _feared(self, number: int, place: int) -> tuple[Unit, ...]:
        """The enemies whose charge a unit has to fear in a place."""
        chargers = self._chargers_at(place)
        if not chargers or place in self.rooms:
            return chargers
        there = replace(self.state.units[number], place=place)
        # outdoors, units in between hide the target from a charger
        return tuple(
            foe for foe in chargers if not line_of_sight.screened(self.state, self.board, foe, there)
        )

    @memo_method(bound=20_000)
    def _chargers_at(self, place: int) -> tuple[Unit, ...]:
        """Enemies that may charge who stands in a place: they are near enough and see it before them, or are next door."""
        if not self.time.charges:
            return ()
        room = self.rooms.get(place)
        return tuple(
            foe
            for foe, reach, outdoors in self._chargers
            if gap(self.board, foe.place, place) <= reach
            and (
                line_of_sight.in_front(self.board, foe, place)
                and line_of_sight.sight(self.board, foe.place, place) is not None
                if outdoors
                else room is not None and foe.place in room.neighbours
            )
        )

    def driven_off(self, unit: Unit, place: int) -> float:
        """The chance that the charge most to be feared in a place drives a unit off it, or destroys it."""
        chargers = self._chargers_at(place)
        return max(
            (self.clash(foe, foe.place, unit, place, FRONT, True).wins for foe in chargers), default=0.0
        )

    @memo_property
    def _gunners(self) -> list[Unit]:
        """Enemies that may shoot in their turn."""
        return [f for f in self._open if not unit_state(f).fleeing and targets.weapon_of(f) is not None]

    @memo_property
    def _chargers(self) -> list[tuple[Unit, int, bool]]:
        """Enemies that may charge in their turn, the reach of each, and whether it starts outdoors."""
        return [
            (foe, charge.charge_range(foe) * INCH + SPARE, ground.outdoors(self.board, foe.place))
            for foe in self._open
            if not (unit_state(foe).fleeing or type_of(foe).engine)
        ]

    # ---- places

    def charge_prospect(self, unit: Unit, place: int, facing: int = -1) -> float:
        """Points that the best charge from a place promises next turn: one to the front if the unit stands so, any if it may
        still turn (-1). No unit charges through a wall."""
        return max(
            (
                worth
                for there, worth in self._charges_from(unit.id, place)
                if facing < 0 or ground.arcs(self.board, place, there)[facing] == FRONT
            ),
            default=0.0,
        )

    @memo_method(bound=20_000)
    def _charges_from(self, number: int, place: int) -> tuple[tuple[int, float], ...]:
        """The charges that a unit might make from a place next turn: (where the enemy stands, what it may be worth)."""
        unit = self.state.units[number]
        if type_of(unit).engine or self.rooms.get(place) is not None:
            return ()
        reach = charge.charge_range(unit) * INCH + SPARE
        return tuple(
            (foe.place, self._prey(unit, foe))
            for foe in self.foes
            if gap(self.board, place, foe.place) <= reach
            and line_of_sight.sight(self.board, place, foe.place) is not None
        )

    def minds_facing(self, unit: Unit, place: int) -> bool:
        """Whether anybody may charge a unit in a place, or be charged by it from there."""
        return bool(self._feared(unit.id, place) or self._charges_from(unit.id, place))

    def _prey(self, unit: Unit, foe: Unit) -> float:
        """What a charge on an enemy may be worth next turn. It starts outdoors."""
        after = self.time.after_ours
        dealt, taken = self._fight(unit.id, -1, foe.id, self._room(foe.place), FRONT, after)
        stake = self.at_stake(foe) if dealt > taken else 0.0
        return max(0.0, dealt - self.judgement.wary * taken + self.judgement.evicts * stake)

    def held_points(self, unit: Unit, place: int) -> float:
        """Points of objectives that a unit holds by standing there, fewer where a charge would drive it off."""
        if unit_state(unit).fleeing:
            return 0.0
        total = 0.0
        for objective in self.objectives:
            if place in objective.places:
                share = self.judgement.shared if self.is_held(objective, unit) else 1.0
                total += objective.points * self.held_share * share
        if total and self.judgement.driven:
            total *= 1.0 - self.judgement.driven * self.driven_off(unit, place)
        return total

    def progress(self, unit: Unit, place: int) -> float:
        """Nearness to the objectives that a unit could hold and to the enemies that it beats."""
        return self._progress(unit.id, place)

    @memo_method(bound=20_000)
    def _progress(self, number: int, place: int) -> float:
        """`progress` of a unit by its number."""
        drawn, j = self._attractions[number], self.judgement
        reach, best, hunt = FAR if self.time.ours else ARRIVED, 0.0, 0.0
        unit = self.state.units[number]
        for places, strength, taken, rival in drawn.objectives:
            far = self._way(unit, place, places)
            if far < reach:
                pull = strength * (1.0 - far / reach)
                pull *= j.taken_by if taken else j.nearer if rival + 100 < far else 1.0
                best = max(best, pull)
        for prey, net in drawn.prey:
            far = gap(self.board, place, prey)
            if far < reach:
                hunt = max(hunt, net * (1.0 - far / reach))
        return best + hunt

    @memo_table(bound=2_000)
    def _attractions(self, number: int) -> Attractions:
        """What attracts a unit."""
        unit, j = self.state.units[number], self.judgement
        drawn: list[tuple[tuple[int, ...], float, bool, int]] = []
        for objective in self.objectives:
            places = tuple(p for p in objective.places if self._could_be(unit, p))
            if places:
                rival = min((far for other, far in self._near(places) if other != unit.id), default=FAR)
                drawn.append((places, objective.points * j.draw, self.is_held(objective, unit), rival))
        prey: list[tuple[int, float]] = []
        for foe in self._nearest_foes(unit) if not type_of(unit).engine else ():
            dealt, taken = self.fight(unit, foe)
            net = dealt - j.wary * taken + j.prize * self.at_stake(foe) * (dealt > j.even * taken)
            if net > 0:
                prey.append((foe.place, j.hunt * net))
        return Attractions(tuple(drawn), tuple(prey))

    def _nearest_foes(self, unit: Unit) -> list[Unit]:
        """The enemies that a unit may soon meet."""
        if len(self.foes) <= NEARBY:
            return self.foes
        return sorted(self.foes, key=lambda foe: (gap(self.board, unit.place, foe.place), foe.id))[:NEARBY]

    @memo_property
    def _down(self) -> frozenset[int]:
        """The sections that units can walk over: fallen ones and open ruins."""
        return fallen(self.state) | ground.open_ruins(self.board)

    @memo_method(bound=200)
    def _near(self, places: tuple[int, ...]) -> list[tuple[int, int]]:
        """How near the friends that could hold an objective are to its places, by unit."""
        holders = [f for f in self.friends if type_of(f).kind in ("infantry", "mi")]
        return [(f.id, self._way(f, f.place, places)) for f in holders]

    def _way(self, unit: Unit, place: int, places: tuple[int, ...]) -> int:
        """How far a unit has to go from a place to the nearest of some others, around houses and over bridges; in a straight line
        for flyers, and if there is no way."""
        kind, way = type_of(unit), -1
        if not kind.flyer:
            way = distances.distance_field(self.board, places, kind.kind == "infantry", self._down)[place]
        if way >= 0:
            return way
        return 0 if place in places else distances.nearest(self.board, place, places)

    def _could_be(self, unit: Unit, place: int) -> bool:
        """Whether a place attracts a unit: a room that it may hold, or any place outdoors. That includes the future ruin of a
        house still standing: without it, cavalry has no target if the objective is inside, and greedy takes 60% instead of 71% of
        200 games against rush on border-keep (`python -m tests.measure_agents`)."""
        room = self.rooms.get(place)
        if room is None:
            return ground.outdoors(self.board, place)
        return rooms.may_hold(type_of(unit), room)

    def value_of_place(self, unit: Unit, place: int, moved: bool, shoots: bool, facing: int = -1) -> Features:
        """The features of being in a place, after a move or not, with a shot this turn or not; next turn it may shoot in either
        case. `facing`: how the unit will stand there (-1: it may still turn)."""
        fire = self.best_shot(unit, place, moved) if shoots else 0.0
        return Features(
            dealt=fire,
            exposure=self.threat(unit, place, facing=facing),
            progress=self.progress(unit, place),
            hold=self.held_points(unit, place),
            nerve=self.shelter(unit, place),
            ready=self._ready(unit, place, facing) if self.time.ours else 0.0,
        )

    def _ready(self, unit: Unit, place: int, facing: int = -1) -> float:
        """What the best shot or charge from a place promises next turn; a charge for which it leaves an objective to nobody
        promises less (`sally`)."""
        j = self.judgement
        charges = j.prospect * self.charge_prospect(unit, place, facing)
        if charges and self.forsakes(unit, place):
            charges *= j.sally
        return max(self.best_shot(unit, place, False), charges)

    def value_of_standing(self, unit: Unit, place: int) -> float:
        """What being in a place is worth, regardless of what the unit can do from it or suffer there."""
        w = self.weights
        held, near = self.held_points(unit, place), self.progress(unit, place)
        return w.hold * held + w.progress * near + w.nerve * self.shelter(unit, place)

    def value_of_acts(self, unit: Unit, place: int, shoots: bool) -> float:
        """What shots and charges from a place after a move can add to `value_of_standing`; `shoots`: with a shot this turn."""
        w, moved = self.weights, place != unit.place
        value = w.dealt * self.best_shot(unit, place, moved) if shoots else 0.0
        if self.time.ours:
            value += w.ready * self._ready(unit, place)
        return value

    def most_by_act(self, unit: Unit, shoots: bool) -> float:
        """The most that shots and charges from any place can add to `value_of_standing`; `shoots`: with a shot this turn."""
        now, later = self._most_by_act[unit.id]
        return now + later if shoots else later

    @memo_table(bound=2_000)
    def _most_by_act(self, number: int) -> tuple[float, float]:
        """The most that a shot of a unit can add this turn, and a shot or a charge next turn."""
        unit, weapon, j = (
            self.state.units[number],
            targets.weapon_of(self.state.units[number]),
            self.judgement,
        )
        fire = prospect = 0.0
        if weapon is not None and weapon.way == "shot":
            need = shot_need(type_of(unit).bs, False, False, 0, True)
            shots = min(unit.models, 2 * max(unit_state(unit).files, form.GARRISON_FRONT))
            fire = max(
                (self._volley(number, shots, need, f.id, self._room(f.place)) for f in self._open),
                default=0.0,
            )
        elif weapon is not None:
            fire = max(
                (self._roughly(weapon.way, f.id, self._room(f.place)) for f in self._open), default=0.0
            )
        if not type_of(unit).engine:
            far = 2 * charge.charge_range(unit) * INCH + SPARE  # by a run, and then a charge
            near = [foe for foe in self.foes if gap(self.board, unit.place, foe.place) <= far]
            prospect = max((self._prey(unit, foe) for foe in near), default=0.0)
        ready = max(fire, j.prospect * prospect) if self.time.ours else 0.0
        return self.weights.dealt * fire, self.weights.ready * ready

    def shelter(self, unit: Unit, place: int) -> float:
        """What standing behind sound walls is worth."""
        room = self.rooms.get(place)
        if room is None or rooms.is_unstable(self.state, room):
            return 0.0
        return self.judgement.walls * self.worth_left(unit)

    def value_of_facing(self, unit: Unit, facing: int) -> Features:
        """The features of facing a direction: which enemies can be charged, which is the best to shoot at, in this turn if the
        unit still can, and what the charges that may come would cost."""
        here = self.board.spaces[unit.place].point
        ready, shot = 0.0, 0.0
        for foe in self._faced[unit.id]:
            if in_arc(here, facing, foe.point):
                ready += foe.ready
                shot = max(shot, foe.shot)
        j, now = self.judgement, targets.can_shoot(self.state, unit)
        return Features(
            dealt=shot if now else 0.0,
            ready=j.facing * (ready if now else ready + shot),
            risk=j.flank * self._charged(unit.id, unit.place, facing, self._feared(unit.id, unit.place)),
        )

    @memo_table(bound=2_000)
    def _faced(self, number: int) -> list[Faced]:
        """The enemies that a unit may face."""
        unit, j = self.state.units[number], self.judgement
        moved = bool(unit_state(unit).moved) and targets.can_shoot(self.state, unit)
        found: list[Faced] = []
        for foe in self._nearest_foes(unit):
            if unit_state(foe).fleeing:
                continue
            near = max(0.05, 1.0 - gap(self.board, unit.place, foe.place) / FAR)
            gain, loss = self.fight(unit, foe)
            ready = near * near * (j.faced + max(0.0, gain - j.even * loss) * self.time.ours)
            shot = self.value_of_shot(unit, foe, unit.place, moved)
            found.append(Faced(self.board.spaces[foe.place].point, ready, shot))
        return found
