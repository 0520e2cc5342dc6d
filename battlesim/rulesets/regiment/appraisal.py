"""A position as a player of regiments looks at it: what fights, shots and places are worth.

Built from a view and a judgement alone. Values are in points. Read `Appraisal.value_of_place`, the worth of one unit standing in
one place, then `value_of_clash` and `value_of_shot`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from msgspec.structs import replace

from battlesim.board.board import Board
from battlesim.core.geometry import INCH, Point, in_arc
from battlesim.core.memo import memo_method, memo_property, memo_table, no_memos, owned_memo
from battlesim.core.state import State, Unit, standing_at
from battlesim.core.view import View
from battlesim.evaluation.objectives import named_points
from battlesim.evaluation.parameters import weights_of
from battlesim.rules.contract import Features, weigh
from battlesim.rules.scenario import Objective
from battlesim.rulesets.regiment import (
    casualties,
    charge,
    estimates,
    expected,
    expected_engines,
    form,
    ground,
    line_of_sight,
    quick_look,
    rooms,
    rout,
    targets,
)
from battlesim.rulesets.regiment.estimates import Clash, Fighter, Outcome
from battlesim.rulesets.regiment.expected import Mark, Toll
from battlesim.rulesets.regiment.judgement import Judgement
from battlesim.rulesets.regiment.model import FRONT, battle_state, leads, type_of, unit_state
from battlesim.rulesets.regiment.tables import shot_need
from battlesim.rulesets.regiment.victory import STANDARD_WORTH

FAR = 60 * INCH
"""Progress is counted over this distance; what is farther counts as this far."""
NEARBY = 6
"""Enemies that are looked at one by one, the nearest first."""
SPARE = 3 * INCH
"""A charge reaches about so much farther than its move: contact is made before the enemy's place."""


class Attractions(NamedTuple):
    """What draws a unit: objectives as (places, strength, whether a friend is on it, how near the nearest other friend is), and
    enemies that it beats as (place, strength)."""

    objectives: tuple[tuple[tuple[int, ...], float, bool, int], ...]
    prey: tuple[tuple[int, float], ...]


class FacingThreat(NamedTuple):
    """An enemy as a unit may face it: where it stands, what there is to win by facing it, and what its charge would cost from the
    side and from the rear."""

    point: Point
    ready: float
    side: float
    rear: float


class Worth(NamedTuple):
    """What a unit is worth: `whole` while it is there, `wound` for each wound it has left, `standards` where it is lost in close
    combat, and `named` points of objectives that name it."""

    whole: float
    wound: float
    standards: float
    named: float


class Appraisal:
    """What one side knows, prepared for looking at many places. Good for one view. `foes`, `friends`: units that act for
    themselves."""

    def __init__(self, view: View, board: Board, judgement: Judgement) -> None:
        self.memos = no_memos()
        self.board, self.side, self.judgement = board, view.side, judgement
        self.weights = weights_of(judgement)
        self.rooms = rooms.rooms_of(board).by_place
        units = view.units
        self.state = State(
            units, view.structures, view.extra, turn=view.turn, points=view.points, at=standing_at(units)
        )
        self.friends = [u for u in units.values() if u.side == view.side and leads(u)]
        self.foes = [u for u in units.values() if u.side != view.side and leads(u)]
        known = battle_state(self.state)
        self.objectives = [o for o in known.objectives if o.kind == "hold" and o.side in (-1, view.side)]
        self._named = named_points(known.objectives)
        left = max(1, known.turns - view.turn + 1)
        self.held_share = judgement.early + judgement.late / left
        self.flight = judgement.flight if left > 1 else judgement.last_flight

    def best_of(self, found: Iterable[Features]) -> Features:
        """The best of several for whoever judges; of none, features that promise nothing."""
        return max(found, key=lambda one: weigh(one, self.weights), default=Features())

    # ---- losses

    @memo_table(bound=2_000)
    def _worth(self, number: int) -> Worth:
        """What a unit is worth."""
        unit, j = self.state.units[number], self.judgement
        kind = type_of(unit)
        full = max(1, max(kind.models, unit_state(unit).full) * kind.w)
        standard = STANDARD_WORTH if kind.standard else 0
        named = self._named.get(number, 0)
        return Worth(j.whole * kind.worth, (1.0 - j.whole) * kind.worth / full, standard, named)

    def worth_left(self, unit: Unit) -> float:
        """Points of what is left of a unit, without the characters that are with it."""
        worth = self._worth[unit.id]
        return worth.whole + worth.wound * casualties.wounds_left(unit)

    def value_of_toll(self, unit: Unit, toll: Toll, close: bool = False) -> float:
        """What a toll of a unit is worth to the other side; `close`: in close combat, where its standard is captured."""
        worth = self._worth[unit.id]
        value = worth.wound * toll.wounds + toll.gone * (worth.whole + worth.named)
        if close:
            value += toll.gone * worth.standards
        if toll.flees:
            value += toll.flees * self.flight * self.worth_left(unit)
        return value

    def value_of_outcome(self, outcome: Outcome, side: int) -> float:
        """What the outcome of a shot is worth to a side: what it costs the other, less what it costs its own, and who is behind
        walls that may give way."""
        total = 0.0
        for unit, toll in outcome.tolls:
            value = self.value_of_toll(unit, toll) + toll.flees * self.at_stake(unit)
            total += value if unit.side != side else -value
        if outcome.unstable:
            held = ground.holder(self.state, outcome.place)
            room = self.rooms.get(outcome.place)
            if held is not None and room is not None and not rooms.is_unstable(self.state, room):
                value = outcome.unstable * self.judgement.shaken * self.worth_left(held)
                total += value if held.side != side else -value
        return total

    def at_stake(self, unit: Unit) -> float:
        """Points of objectives that an enemy holds and would have to leave; of one's own units those that they hold."""
        total = sum(o.points for o in self.objectives if unit.place in o.places)
        return self.judgement.contested * total

    # ---- close combat

    def clash(self, unit: Unit, at: int, foe: Unit, spot: int, arc: int, charged: bool) -> Clash:
        """A round of a unit at a place with an enemy at another; out of doors one place is as good as another."""
        return self._clash(unit.id, self._room(at), foe.id, self._room(spot), arc, charged)

    def _room(self, place: int) -> int:
        return place if place in self.rooms else -1

    @memo_method(bound=20_000)
    def _clash(self, number: int, at: int, against: int, spot: int, arc: int, charged: bool) -> Clash:
        """`clash` of units by their numbers, in rooms or (-1) out of doors."""
        ours, theirs = self._fighter(number, at), self._fighter(against, spot)
        a, b = estimates.sides(self.board, ours, theirs, arc, charged, spot >= 0)
        return estimates.clash_of(a, b, (_lost_if_broken(ours, theirs), _lost_if_broken(theirs, ours)))

    @memo_method(bound=2_000)
    def _fighter(self, number: int, room: int) -> Fighter:
        """A unit as it would fight in a room, or (-1) out of doors."""
        return estimates.fighter(self.state, self.board, self._standing(number, room))

    def _standing(self, number: int, room: int) -> Unit:
        """A unit in a room, or (-1) out of doors: where it is, or before the room that it would leave."""
        unit = self.state.units[number]
        if room >= 0:
            return unit if unit.place == room else replace(unit, place=room)
        here = self.rooms.get(unit.place)
        if here is None or not here.around:
            return unit
        return replace(unit, place=here.around[0][0])

    def fight(
        self, unit: Unit, foe: Unit, arc: int = FRONT, spot: int = -1, at: int = -1, charged: bool = True
    ) -> tuple[float, float]:
        """What a charge of a unit at an enemy deals and takes, in points, the rounds to come counted a little. `at`, `spot`: the
        rooms that they are in, where not where they stand."""
        here = unit.place if at < 0 else at
        there = foe.place if spot < 0 else spot
        return self._fight(unit.id, self._room(here), foe.id, self._room(there), arc, charged)

    @memo_method(bound=20_000)
    def _fight(
        self, number: int, at: int, against: int, spot: int, arc: int, charged: bool
    ) -> tuple[float, float]:
        """`fight` of units by their numbers, in rooms or (-1) out of doors."""
        found = self._clash(number, at, against, spot, arc, charged)
        return self.value_of_clash(self.state.units[number], self.state.units[against], found)

    def value_of_clash(self, unit: Unit, foe: Unit, found: Clash) -> tuple[float, float]:
        """What a clash deals and takes, in points. Where nobody breaks it goes on, and the better side has the better of it
        again."""
        dealt, taken = self.value_of_toll(foe, found.theirs, True), self.value_of_toll(unit, found.mine, True)
        if found.with_champions:
            for one, toll in estimates.tolls_of(self.state, unit, foe, found):
                if one.id not in (unit.id, foe.id):
                    value = self.value_of_toll(one, toll, True)
                    dealt, taken = (dealt, taken + value) if one.side == unit.side else (dealt + value, taken)
        more = 1.0 + self.judgement.goes_on * max(0.0, 1.0 - found.wins - found.loses)
        return dealt * more, taken * more

    # ---- shooting

    @memo_method(bound=2_000)
    def _mark(self, number: int, room: int) -> Mark:
        """A unit as shots reach it in a room, or (-1) out of doors; what its flight may lead to is left out."""
        return estimates.mark_of(self.state, self.board, self._standing(number, room), -1)

    @memo_method(bound=20_000)
    def _volley(self, number: int, shots: int, need: int, against: int, room: int) -> float:
        """What so many shots of a unit are worth at an enemy in a room or (-1) out of doors."""
        foe = self.state.units[against]
        weapon = targets.weapon_of(self.state.units[number])
        assert weapon is not None
        wounds = expected.volley(shots, need, weapon.strength, foe.kind, casualties.wounds_left(foe))
        toll = expected.toll(self._mark(against, room), wounds)
        return self.value_of_toll(foe, toll) + toll.flees * self.at_stake(foe)

    def value_of_shot(self, unit: Unit, foe: Unit, place: int, moved: bool, spot: int = -1) -> float:
        """What a unit's fire from a place at an enemy is worth to its side; 0 where it does not reach or see it. `spot`: where
        the enemy would be."""
        weapon = targets.weapon_of(unit)
        if weapon is None or unit_state(unit).silent > self.state.turn or (weapon.steady and moved):
            return 0.0
        there = foe.place if spot < 0 else spot
        far = _gap(self.board, place, there)
        if far > weapon.range or far < weapon.minimum:
            return 0.0
        if not weapon.blind and not self.board.sight.sees(place, there, ground.open_ruins(self.board)):
            return 0.0
        if weapon.way != "shot":
            return self._roughly(weapon.way, foe.id, self._room(there))
        need = shot_need(
            type_of(unit).bs,
            2 * far > weapon.range,
            moved,
            _cover(self.board, place, there),
            type_of(foe).large,
        )
        mine = self.rooms.get(place)
        files = unit_state(unit).files if mine is None else form.garrison_front(unit)
        shots = min(unit.models, files * (2 if line_of_sight.is_high(self.board, place) else 1))
        return self._volley(unit.id, shots, need, foe.id, self._room(there))

    @memo_method(bound=2_000)
    def _roughly(self, way: str, against: int, room_at: int) -> float:
        """About what the shot of an engine is worth at a unit in a room or (-1) out of doors."""
        unit, room = self.state.units[against], self.rooms.get(room_at)
        ranks = form.ranks(unit, room)
        wounds = quick_look.engine_wounds(way, unit.kind, unit.models, ranks, room is not None)
        value = min(wounds, casualties.wounds_left(unit)) * self._worth[against].wound
        if room is not None and way in ("cannon", "stone") and not rooms.is_unstable(self.state, room):
            chance = quick_look.HITS[way] * expected_engines.chance_to_shake(room)
            value += chance * self.judgement.shaken * self.worth_left(unit)
        return value

    def best_shot(self, unit: Unit, place: int, moved: bool) -> float:
        """What the fire of a unit from a place is worth at the best of its targets."""
        if targets.weapon_of(unit) is None:
            return 0.0
        return self._best_shot(unit.id, place, moved)

    @memo_method(bound=20_000)
    def _best_shot(self, number: int, place: int, moved: bool) -> float:
        """`best_shot` of a unit by its number."""
        unit = self.state.units[number]
        weapon = targets.weapon_of(unit)
        assert weapon is not None
        far = weapon.range
        near = [foe for foe in self._open if _gap(self.board, place, foe.place) <= far]
        return max([self.value_of_shot(unit, foe, place, moved) for foe in near], default=0.0)

    @memo_property
    def _open(self) -> list[Unit]:
        """Enemies that may be shot at."""
        return [foe for foe in self.foes if not unit_state(foe).foes]

    # ---- what the enemy could do

    def threat(self, unit: Unit, place: int, but: int = -1) -> float:
        """Points a unit stands to lose in a place in the enemy's turn: to fire, to the charge that hurts most, and in part to the
        others; `but`: an enemy that is left out."""
        return self._threat(unit.id, place, but)

    @memo_method(bound=20_000)
    def _threat(self, number: int, place: int, but: int) -> float:
        """`threat` to a unit by its number."""
        unit, j = self.state.units[number], self.judgement
        fire, worst, others = 0.0, 0.0, 0.0
        for foe in self._gunners:
            if foe.id != but:
                fire += self.value_of_shot(foe, unit, foe.place, False, place)
        room = self.rooms.get(place)
        for foe, reach, outdoors in self._chargers:
            if foe.id == but or _gap(self.board, foe.place, place) > reach:
                continue
            if not outdoors and (room is None or foe.place not in room.neighbours):
                continue
            dealt, taken = self.fight(foe, unit, FRONT, place)
            net = max(0.0, dealt - 0.7 * taken)
            worst, others = max(worst, net), others + net
        return j.aim_share * fire + j.charge_share * (worst + j.others * (others - worst))

    @memo_property
    def _gunners(self) -> list[Unit]:
        """Enemies that may shoot in their turn."""
        return [f for f in self._open if not unit_state(f).fleeing and targets.weapon_of(f) is not None]

    @memo_property
    def _chargers(self) -> list[tuple[Unit, int, bool]]:
        """Enemies that may charge in their turn, how far that counts and whether they come from out of doors."""
        return [
            (foe, charge.charge_range(foe) * INCH + SPARE, ground.outdoors(self.board, foe.place))
            for foe in self._open
            if not (unit_state(foe).fleeing or type_of(foe).engine)
        ]

    # ---- places

    def charge_prospect(self, unit: Unit, place: int) -> float:
        """Points the best charge from a place promises next turn, were it to face that way; nobody charges through a wall."""
        if type_of(unit).engine or self.rooms.get(place) is not None:
            return 0.0
        reach = charge.charge_range(unit) * INCH + SPARE
        return max(
            (
                self._prey(unit, foe, place)
                for foe in self.foes
                if _gap(self.board, place, foe.place) <= reach
                and line_of_sight.sight(self.board, place, foe.place) is not None
            ),
            default=0.0,
        )

    def _prey(self, unit: Unit, foe: Unit, place: int) -> float:
        """What a charge on an enemy may be worth next turn; `place`: where it would begin (-1: where the unit is)."""
        dealt, taken = self.fight(unit, foe, at=place)
        stake = self.at_stake(foe) if dealt > taken else 0.0
        return max(0.0, dealt - self.judgement.wary * taken + 0.3 * stake)

    def held_points(self, unit: Unit, place: int) -> float:
        """Points of objectives that standing there holds."""
        if unit_state(unit).fleeing:
            return 0.0
        total = 0.0
        for objective in self.objectives:
            if place in objective.places:
                share = self.judgement.shared if self._is_held(objective, unit) else 1.0
                total += objective.points * self.held_share * share
        return total

    def _is_held(self, objective: Objective, unit: Unit) -> bool:
        """Whether another friend stands on an objective already."""
        return any(f.id != unit.id and f.place in objective.places for f in self.friends)

    def progress(self, unit: Unit, place: int) -> float:
        """Nearness to the objectives a unit could hold and to enemies it beats."""
        return self._progress(unit.id, place)

    @memo_method(bound=20_000)
    def _progress(self, number: int, place: int) -> float:
        """`progress` of a unit by its number."""
        drawn, j = self._attractions[number], self.judgement
        best = hunt = 0.0
        for places, strength, taken, rival in drawn.objectives:
            far = 0 if place in places else _nearest(self.board, place, places)
            if far < FAR:
                pull = strength * (1.0 - far / FAR)
                pull *= j.taken_by if taken else j.nearer if rival + 100 < far else 1.0
                best = max(best, pull)
        for prey, net in drawn.prey:
            far = _gap(self.board, place, prey)
            if far < FAR:
                hunt = max(hunt, net * (1.0 - far / FAR))
        return best + hunt

    @memo_table(bound=2_000)
    def _attractions(self, number: int) -> Attractions:
        """What draws a unit."""
        unit, j = self.state.units[number], self.judgement
        drawn: list[tuple[tuple[int, ...], float, bool, int]] = []
        for objective in self.objectives:
            places = tuple(p for p in objective.places if self._could_be(unit, p))
            if places:
                rival = min((far for other, far in self._near(places) if other != unit.id), default=FAR)
                drawn.append((places, objective.points * j.draw, self._is_held(objective, unit), rival))
        prey: list[tuple[int, float]] = []
        for foe in self._nearest_foes(unit) if not type_of(unit).engine else ():
            dealt, taken = self.fight(unit, foe)
            net = dealt - j.wary * taken + 0.4 * self.at_stake(foe) * (dealt > 0.7 * taken)
            if net > 0:
                prey.append((foe.place, j.hunt * net))
        return Attractions(tuple(drawn), tuple(prey))

    def _nearest_foes(self, unit: Unit) -> list[Unit]:
        """The enemies that a unit may soon have to do with."""
        if len(self.foes) <= NEARBY:
            return self.foes
        return sorted(self.foes, key=lambda foe: (_gap(self.board, unit.place, foe.place), foe.id))[:NEARBY]

    @memo_method(bound=200)
    def _near(self, places: tuple[int, ...]) -> list[tuple[int, int]]:
        """How near the friends that could hold an objective are to its places, by unit."""
        holders = [f for f in self.friends if type_of(f).kind in ("infantry", "mi")]
        return [(f.id, _nearest(self.board, f.place, places)) for f in holders]

    def _could_be(self, unit: Unit, place: int) -> bool:
        room = self.rooms.get(place)
        if room is None:
            return ground.outdoors(self.board, place)
        return rooms.may_hold(type_of(unit), room)

    def value_of_place(self, unit: Unit, place: int, moved: bool, shoots: bool) -> Features:
        """What being in a place promises, after a move or not, with a shot in this turn or only in the next."""
        fire = self.best_shot(unit, place, moved) if shoots else 0.0
        prospect = self.judgement.prospect
        return Features(
            dealt=fire,
            exposure=self.threat(unit, place),
            progress=self.progress(unit, place),
            hold=self.held_points(unit, place),
            nerve=self.shelter(unit, place),
            ready=max(
                0.0 if fire else self.best_shot(unit, place, False),
                prospect * self.charge_prospect(unit, place),
            ),
        )

    def value_of_standing(self, unit: Unit, place: int) -> float:
        """What a place is worth by being there alone, whatever may be done from it or done to it."""
        w = self.weights
        held, near = self.held_points(unit, place), self.progress(unit, place)
        return w.hold * held + w.progress * near + w.nerve * self.shelter(unit, place)

    def most_by_act(self, unit: Unit) -> float:
        """The most that shots and charges from any place may add to that."""
        return self._most_by_act[unit.id]

    @memo_table(bound=2_000)
    def _most_by_act(self, number: int) -> float:
        """`most_by_act` of a unit by its number."""
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
            near = [foe for foe in self.foes if _gap(self.board, unit.place, foe.place) <= far]
            prospect = max((self._prey(unit, foe, -1) for foe in near), default=0.0)
        ready = max(fire, j.prospect * prospect)
        return self.weights.dealt * fire + self.weights.ready * ready

    def shelter(self, unit: Unit, place: int) -> float:
        """What standing behind sound walls is worth."""
        room = self.rooms.get(place)
        if room is None or rooms.is_unstable(self.state, room):
            return 0.0
        return self.judgement.walls * self.worth_left(unit)

    def value_of_facing(self, unit: Unit, facing: int) -> Features:
        """What facing a way promises: who can be charged or shot at, who could strike from the side."""
        here = self.board.spaces[unit.place].point
        ready, risk = 0.0, 0.0
        for foe in self._facing_threats[unit.id]:
            if in_arc(here, facing, foe.point):
                ready += foe.ready
            elif in_arc(here, (facing + 4) % 8, foe.point):
                risk += foe.rear
            else:
                risk += foe.side
        return Features(ready=self.judgement.facing * ready, risk=self.judgement.flank * risk)

    @memo_table(bound=2_000)
    def _facing_threats(self, number: int) -> list[FacingThreat]:
        """The enemies as a unit may face them."""
        unit = self.state.units[number]
        found: list[FacingThreat] = []
        for foe in self._nearest_foes(unit):
            if unit_state(foe).fleeing:
                continue
            near = max(0.05, 1.0 - _gap(self.board, unit.place, foe.place) / FAR)
            dealt, _ = self.fight(foe, unit)
            gain, loss = self.fight(unit, foe)
            shot = self.value_of_shot(unit, foe, unit.place, False)
            ready = near * near * (2.0 + max(0.0, gain - 0.7 * loss)) + shot
            point = self.board.spaces[foe.place].point
            found.append(FacingThreat(point, ready, 0.3 * near * near * dealt, 0.5 * near * near * dealt))
        return found


def _lost_if_broken(loser: Fighter, winner: Fighter) -> float:
    """About how likely a unit is lost once it breaks; the edge of the table is left out."""
    kind = type_of(winner.unit)
    if loser.room is not None:
        return 1.0 if rooms.may_hold(kind, loser.room) else 0.0
    if winner.room is not None or kind.engine:
        return 0.0
    return expected.escape(rout.dice_of(loser.unit), (rout.dice_of(winner.unit),), 0)[0]


@owned_memo(bound=200_000)
def _gap(board: Board, a: int, b: int) -> int:
    """The range between two spaces."""
    return ground.gap(board, a, b)


@owned_memo(bound=200_000)
def _cover(board: Board, here: int, there: int) -> int:
    """The cover of a unit at `there` against fire from `here`."""
    return line_of_sight.cover(board, here, there)[0]


@owned_memo(bound=50_000)
def _nearest(board: Board, place: int, places: tuple[int, ...]) -> int:
    """The range from a space to the nearest of some others."""
    return min([_gap(board, place, other) for other in places])
