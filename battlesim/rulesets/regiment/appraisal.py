"""The battle as the features see it: units, objectives, threats, prepared once a view. Read `Appraisal.value_of_place`."""

from __future__ import annotations

from typing import NamedTuple

from msgspec.structs import replace

from battlesim.board.board import Board
from battlesim.core.geometry import INCH, Point, in_arc
from battlesim.core.memo import memo_method, memo_property, memo_table, no_memos, owned_memo
from battlesim.core.state import State, Unit, standing_at
from battlesim.core.view import View
from battlesim.rules.contract import Features
from battlesim.rules.scenario import Objective
from battlesim.rulesets.regiment import form, ground, line_of_sight, morale, quick_look, rooms, targets
from battlesim.rulesets.regiment.data import Weapon
from battlesim.rulesets.regiment.model import (
    FLANK,
    FRONT,
    REAR,
    battle_state,
    company,
    leads,
    type_of,
    unit_state,
)
from battlesim.rulesets.regiment.quick_look import Clash, Party, worth_left
from battlesim.rulesets.regiment.rooms import Room
from battlesim.rulesets.regiment.tables import shot_need

FAR = 60 * INCH
HOLD = 0.25
"""Share of an objective's points for being on it early on: the battle is not over yet."""
THREAT_SHARE = 0.3
"""Share of what the enemy could do that he does: not every unit of his can strike at the same of ours."""
PULL = 0.35
LATE = 0.25
"""How much of a pull is left where a friend is nearer."""


class Attractions(NamedTuple):
    """Where a unit is drawn to: objectives as (places, strength, whether a friend is on it, how near the nearest other friend
    is), and enemies it beats as (place, strength)."""

    goals: tuple[tuple[tuple[int, ...], float, bool, int], ...]
    quarries: tuple[tuple[int, float], ...]


class CombatProfile(NamedTuple):
    """What a unit brings to any clash: what it tests against, its unit strength, the blows of its characters."""

    goal: int
    strength: int
    blows: int


class FacingThreat(NamedTuple):
    """An enemy as a unit may face it: where it stands, what there is to win by facing it, and what its charge would cost from the
    side and from the rear."""

    point: Point
    ready: float
    side: float
    rear: float


class Appraisal:
    """What one side's view comes to. `foes`, `friends`: units that stand for themselves."""

    def __init__(self, view: View, board: Board) -> None:
        self.memos = no_memos()
        self.board, self.side = board, view.side
        units = view.units
        self.state = State(
            units, view.structures, view.extra, turn=view.turn, points=view.points, at=standing_at(units)
        )
        self.friends = [u for u in units.values() if u.side == view.side and leads(u)]
        self.foes = [u for u in units.values() if u.side != view.side and leads(u)]
        self.goals = [
            g for g in battle_state(self.state).objectives if g.kind == "hold" and g.side in (-1, view.side)
        ]
        self.left = max(1, battle_state(self.state).turns - view.turn + 1)

    # ---- close combat

    def party(self, unit: Unit, touch: int, arc: int, other: Unit, room: Room | None) -> Party:
        """One side of a clash fought with a unit in a room, or out of doors; `arc`: where it strikes the other."""
        kind = type_of(unit)
        profile = self._profile[unit.id]
        points = form.full_ranks(unit, room) + {FRONT: 0, FLANK: 1, REAR: 2}[arc]
        if room is None:
            points += kind.standard
            if ground.outdoors(self.board, other.place):
                points += profile.strength > self._profile[other.id].strength
        sound = room is not None and not rooms.is_unstable(self.state, room)
        return Party(
            unit.kind,
            unit.models,
            quick_look.wounds(unit),
            touch + profile.blows,
            points,
            profile.goal,
            sound or kind.stubborn,
        )

    @memo_table(bound=2_000)
    def _profile(self, number: int) -> CombatProfile:
        """What a unit brings to any clash."""
        unit = self.state.units[number]
        goal, _ = morale.leadership(self.state, self.board, unit)
        blows = sum(type_of(char).a for char in company(self.state, unit))
        return CombatProfile(goal, form.strength(self.state, unit), blows)

    def touching(self, unit: Unit, foe: Unit, at_wall: bool, inner: bool) -> tuple[int, int]:
        """Models of both in contact, roughly."""
        if inner:
            return min(unit.models, form.INNER), min(foe.models, form.INNER)
        mine, theirs = form.front(unit), form.front(foe)
        base, other = type_of(unit).base, type_of(foe).base
        if at_wall:
            return mine, min(foe.models, mine * type_of(unit).us)
        length = min(mine * base, theirs * other)
        return max(1, min(mine, -(-length // base))), max(1, min(theirs, -(-length // other)))

    def clash(self, unit: Unit, foe: Unit, arc: int = FRONT, place: int = -1, charge: bool = True) -> Clash:
        """What a charge of a unit at a foe comes to, by expectation; `place`: where the foe is."""
        return self._clash(unit, foe, arc, self._room(foe.place if place < 0 else place), charge)

    def _room(self, place: int) -> Room | None:
        return rooms.room_at(self.board, place) if place >= 0 else None

    def _clash(self, unit: Unit, foe: Unit, arc: int, room: Room | None, charge: bool) -> Clash:
        inner = room is not None and not ground.outdoors(self.board, unit.place)
        ours, theirs = self.touching(unit, foe, room is not None, inner)
        entrenched = room is not None
        mine = self.party(unit, ours, arc, foe, self._room(unit.place))
        other = self.party(foe, theirs, FRONT, unit, room)
        if room is not None and rooms.may_hold(type_of(unit), room):
            pressed = ours * type_of(unit).us > self._profile[foe.id].strength
            other = replace(other, stubborn=other.stubborn and not pressed)
        return quick_look.clash(mine, other, charge, entrenched)

    def fight(
        self, unit: Unit, foe: Unit, arc: int = FRONT, place: int = -1, charge: bool = True
    ) -> tuple[float, float]:
        """What a charge deals and takes in points, the rounds to come counted a little."""
        room = rooms.room_at(self.board, foe.place if place < 0 else place)
        # out of doors one place is as good as another
        return self._fight(unit.id, foe.id, arc, -1 if room is None else room.place, charge)

    @memo_method(bound=20_000)
    def _fight(self, number: int, against: int, arc: int, room_at: int, charge: bool) -> tuple[float, float]:
        """`fight` of units by their numbers, in a room or (-1) out of doors."""
        unit, foe, room = self.state.units[number], self.state.units[against], self._room(room_at)
        odds = self._clash(unit, foe, arc, room, charge)
        caught = 0.6 if room is None else 0.95 if rooms.may_hold(type_of(unit), room) else 0.3
        dealt = odds.dealt * quick_look.model_worth(foe) + odds.breaks * caught * worth_left(foe)
        taken = odds.taken * quick_look.model_worth(unit) + odds.broken * 0.6 * worth_left(unit)
        # the fight goes on where nobody breaks: the better side has the better of it again
        goes_on = max(0.0, 1.0 - odds.breaks - odds.broken) * 0.6
        return dealt * (1 + goes_on), taken * (1 + goes_on)

    # ---- shooting

    def shot(self, unit: Unit, foe: Unit, place: int, moved: bool, foe_at: int = -1) -> float:
        """Points a unit's fire from a place takes from a foe, by expectation; 0 where it does not reach or see it. `foe_at`:
        where the foe would be."""
        weapon = targets.weapon_of(unit)
        if weapon is None or unit_state(unit).silent > self.state.turn or (weapon.steady and moved):
            return 0.0
        spot = foe.place if foe_at < 0 else foe_at
        far = _gap(self.board, place, spot)
        if far > weapon.range + 4 * INCH or far < weapon.minimum:
            return 0.0
        if not weapon.blind and not self.board.sight.sees(place, spot, ground.open_ruins(self.board)):
            return 0.0
        return min(self._loss(unit, foe, weapon, place, spot, far, moved), worth_left(foe))

    def _loss(
        self, unit: Unit, foe: Unit, weapon: Weapon, place: int, spot: int, far: int, moved: bool
    ) -> float:
        room = rooms.room_at(self.board, spot)
        each = quick_look.model_worth(foe)
        if weapon.way != "shot":
            level = room.level if room else 0
            ranks = form.ranks(foe, room)
            loss = (
                quick_look.engine_loss(weapon.way, foe.kind, foe.models, ranks, room is not None, level)
                * each
            )
            if room is not None and weapon.way in ("cannon", "stone"):
                shaken = 0.0 if rooms.is_unstable(self.state, room) else 0.15
                loss += (shaken + 0.1) * worth_left(foe) * (0.4 if weapon.way == "stone" else 0.7)
            return loss
        line_cover = 0
        if room is not None:
            line_cover = room.level + 1
        elif self.board.spaces[spot].terrain == "woods":
            line_cover = 1
        need = shot_need(type_of(unit).bs, 2 * far > weapon.range, moved, line_cover, type_of(foe).large)
        mine = rooms.room_at(self.board, place)
        files = unit_state(unit).files if mine is None else form.GARRISON_FRONT
        shots = min(unit.models, files * (2 if line_of_sight.is_high(self.board, place) else 1))
        hurt = quick_look.volley_loss(unit.kind, foe.kind, shots, need)
        loss = hurt * each
        if hurt * 4 >= foe.models * type_of(foe).w * 0.8 and room is None and not type_of(foe).immune:
            loss += 0.25 * worth_left(foe)
        return loss

    def best_shot(self, unit: Unit, place: int, moved: bool) -> float:
        """The best target's loss."""
        if targets.weapon_of(unit) is None:
            return 0.0
        return self._best_shot(unit.id, place, moved)

    @memo_method(bound=20_000)
    def _best_shot(self, number: int, place: int, moved: bool) -> float:
        """`best_shot` of a unit by its number."""
        unit = self.state.units[number]
        open_foes = [f for f in self.foes if not unit_state(f).foes]
        return max((self.shot(unit, foe, place, moved) for foe in open_foes), default=0.0)

    # ---- places

    def threat(self, unit: Unit, place: int, but: int = -1) -> float:
        """Points a unit stands to lose in a place in the enemy's turn: to fire, to the charge that hurts most, and in part to the
        others; `but`: an enemy that is left out."""
        return self._threat(unit.id, place, but)

    @memo_method(bound=20_000)
    def _threat(self, number: int, place: int, but: int) -> float:
        """`threat` to a unit by its number."""
        unit = self.state.units[number]
        total, worst, others = 0.0, 0.0, 0.0
        for foe in self._gunners:
            if foe.id != but:
                total += self.shot(foe, unit, foe.place, False, place)
        room = rooms.room_at(self.board, place)
        for foe, reach, outdoors in self._chargers:
            if foe.id == but or _gap(self.board, foe.place, place) > reach:
                continue
            if not outdoors and (room is None or foe.place not in room.neighbours):
                continue
            dealt, taken = self.fight(foe, unit, FRONT, place)
            net = max(0.0, dealt - 0.7 * taken)
            worst, others = max(worst, net), others + net
        return total + worst + 0.3 * (others - worst)

    @memo_property
    def _gunners(self) -> list[Unit]:
        """Enemies that may shoot in their turn."""
        return [
            f for f in self.foes if not (f.own.fleeing or f.own.foes) and targets.weapon_of(f) is not None
        ]

    @memo_property
    def _chargers(self) -> list[tuple[Unit, int, bool]]:
        """Enemies that may charge in their turn, how far that counts and whether they come from out of doors."""
        return [
            (
                foe,
                (20 if type_of(foe).flyer else 2 * type_of(foe).m) * INCH + 3 * INCH,
                ground.outdoors(self.board, foe.place),
            )
            for foe in self.foes
            if not (foe.own.fleeing or foe.own.foes or type_of(foe).engine)
        ]

    def charge_prospect(self, unit: Unit, place: int) -> float:
        """Points the best charge from a place promises next turn, were it to face that way."""
        if type_of(unit).engine or rooms.room_at(self.board, place) is not None:
            return 0.0
        reach = (20 if type_of(unit).flyer else 2 * type_of(unit).m) * INCH + 2 * INCH
        best = 0.0
        for foe in self.foes:
            if _gap(self.board, place, foe.place) <= reach:
                dealt, taken = self.fight(unit, foe)
                at_stake = sum(g.points for g in self.goals if foe.place in g.places)
                best = max(best, dealt - 0.8 * taken + 0.3 * at_stake * (dealt > taken))
        return best

    def held_points(self, unit: Unit, place: int) -> float:
        """Points of objectives that standing there holds."""
        if unit_state(unit).fleeing:
            return 0.0
        total = 0.0
        for goal in self.goals:
            if place in goal.places:
                others = self._on(goal, unit)
                total += goal.points * (HOLD + 0.5 / self.left) * (0.1 if others else 1.0)
        return total

    def _on(self, goal: Objective, unit: Unit) -> bool:
        """Whether another friend stands on an objective already."""
        return any(f.id != unit.id and f.place in goal.places for f in self.friends)

    def progress(self, unit: Unit, place: int) -> float:
        """Nearness to the objectives a unit could hold and to enemies it beats."""
        return self._progress(unit.id, place)

    @memo_method(bound=20_000)
    def _progress(self, number: int, place: int) -> float:
        """`progress` of a unit by its number."""
        drawn = self._attractions[number]
        best = hunt = 0.0
        for places, strength, taken, rival in drawn.goals:
            if place in places:
                continue
            far = _nearest(self.board, place, places)
            if far < FAR:
                pull = strength * (1.0 - far / FAR)
                best = max(best, pull * LATE if taken else pull * 0.6 if rival + 100 < far else pull)
        for quarry, net in drawn.quarries:
            far = _gap(self.board, place, quarry)
            if far < FAR:
                hunt = max(hunt, net * (1.0 - far / FAR))
        return best + hunt

    @memo_table(bound=2_000)
    def _attractions(self, number: int) -> Attractions:
        """Where a unit is drawn to."""
        unit = self.state.units[number]
        goals: list[tuple[tuple[int, ...], float, bool, int]] = []
        for goal in self.goals:
            places = tuple(p for p in goal.places if self._could_be(unit, p))
            if places:
                rival = min((far for other, far in self._near(places) if other != unit.id), default=FAR)
                goals.append((places, goal.points * PULL, self._on(goal, unit), rival))
        quarries: list[tuple[int, float]] = []
        for foe in self.foes if not type_of(unit).engine else ():
            dealt, taken = self.fight(unit, foe)
            at_stake = sum(g.points for g in self.goals if foe.place in g.places)
            net = dealt - 0.8 * taken + 0.4 * at_stake * (dealt > 0.7 * taken)
            if net > 0:
                quarries.append((foe.place, 0.4 * net))
        return Attractions(tuple(goals), tuple(quarries))

    @memo_method(bound=200)
    def _near(self, places: tuple[int, ...]) -> list[tuple[int, int]]:
        """How near the friends that could hold an objective are to its places, by unit."""
        holders = [f for f in self.friends if type_of(f).kind in ("infantry", "mi")]
        return [(f.id, _nearest(self.board, f.place, places)) for f in holders]

    def _could_be(self, unit: Unit, place: int) -> bool:
        room = rooms.room_at(self.board, place)
        if room is None:
            return ground.outdoors(self.board, place)
        return rooms.may_hold(type_of(unit), room)

    def value_of_place(self, unit: Unit, place: int, moved: bool, shoots: bool) -> Features:
        """What being in a place promises, after a move or not, with a shot in this turn or only in the next."""
        fire = self.best_shot(unit, place, moved) if shoots else 0.0
        return Features(
            dealt=fire,
            exposure=THREAT_SHARE * self.threat(unit, place),
            progress=self.progress(unit, place),
            hold=self.held_points(unit, place),
            ready=max(
                0.0 if fire else self.best_shot(unit, place, False), 0.8 * self.charge_prospect(unit, place)
            ),
        )

    def facing(self, unit: Unit, facing: int) -> Features:
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
        return Features(ready=0.4 * ready, risk=0.08 * risk)

    @memo_table(bound=2_000)
    def _facing_threats(self, number: int) -> list[FacingThreat]:
        """The enemies as a unit may face them."""
        unit = self.state.units[number]
        found: list[FacingThreat] = []
        for foe in self.foes:
            if unit_state(foe).fleeing:
                continue
            near = max(0.05, 1.0 - _gap(self.board, unit.place, foe.place) / FAR)
            dealt, _ = self.fight(foe, unit)
            gain, loss = self.fight(unit, foe)
            shot = self.shot(unit, foe, unit.place, False)
            ready = near * near * (2.0 + max(0.0, gain - 0.7 * loss)) + shot
            point = self.board.spaces[foe.place].point
            found.append(FacingThreat(point, ready, 0.3 * near * near * dealt, 0.5 * near * near * dealt))
        return found


@owned_memo(bound=200_000)
def _gap(board: Board, a: int, b: int) -> int:
    """The range between two spaces."""
    return ground.gap(board, a, b)


@owned_memo(bound=50_000)
def _nearest(board: Board, place: int, places: tuple[int, ...]) -> int:
    """The range from a space to the nearest of some others."""
    return min([_gap(board, place, other) for other in places])
