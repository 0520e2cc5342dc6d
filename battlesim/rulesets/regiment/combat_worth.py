"""The worth of fights and shots, as a player of regiments judges a position. Values are in points.

Read `CombatWorth.value_of_clash` and `value_of_shot`. What places are worth is in `appraisal.py`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from battlesim.board.board import Board
from battlesim.core.memo import memo_method, memo_property, memo_table, no_memos, owned_memo
from battlesim.core.state import Unit
from battlesim.core.sums import summed
from battlesim.core.view import View, known_state
from battlesim.evaluation.objectives import named_points
from battlesim.evaluation.parameters import weights_of
from battlesim.rulesets.regiment import (
    casualties,
    estimates,
    expected,
    expected_close,
    expected_engines,
    expected_melee,
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
from battlesim.rulesets.regiment.model import FRONT, battle_state, flees, leads, type_of, unit_state
from battlesim.rulesets.regiment.tables import shot_need
from battlesim.rulesets.regiment.time_left import rallies, time_left
from battlesim.rulesets.regiment.victory import STANDARD_WORTH, is_losing


class Worth(NamedTuple):
    """What a unit is worth: `whole` for existing, `wound` for each wound left, `standards` if it is lost in close combat, and
    `named` points of objectives that name it."""

    whole: float
    wound: float
    standards: float
    named: float


class HoldGoal(NamedTuple):
    """An objective to hold: its `places`, and its `points` to one side, fewer if only the enemy scores it."""

    places: tuple[int, ...]
    points: float


class Melee(NamedTuple):
    """A round of one unit against several: its toll and theirs, the chances that it and each of them breaks or is wiped out, and
    what champions do to champions (`expected_melee.duels`)."""

    one: Toll
    others: tuple[Toll, ...]
    loses: float
    wins: tuple[float, ...]
    duels: tuple[expected_melee.Duel, ...]


class CombatWorth:
    """What one side knows, prepared for judging many places. Valid for one view. `foes`, `friends`: units that act on their
    own."""

    def __init__(self, view: View, board: Board, judgement: Judgement) -> None:
        self.memos = no_memos()
        self.board, self.side, self.judgement = board, view.side, judgement
        self.weights = weights_of(judgement)
        self.rooms = rooms.rooms_of(board).by_place
        units = view.units
        self.state = known_state(view)
        self.friends = [u for u in units.values() if u.side == view.side and leads(u)]
        self.foes = [u for u in units.values() if u.side != view.side and leads(u)]
        known = battle_state(self.state)
        self.objectives = [
            HoldGoal(goal.places, goal.points * (1.0 if goal.side in (-1, view.side) else judgement.denied))
            for goal in known.objectives
            if goal.kind == "hold"
        ]
        self._named = named_points(known.objectives)
        left = max(1, known.turns - view.turn + 1)
        self.time = time_left(known, view.turn, view.side)
        self.held_share = judgement.early + judgement.late / left
        self.rallies = rallies(known, view.turn)
        # A side that loses anyway, and has no turn after this, loses little more by losing units.
        behind = not self.time.ours and is_losing(self.state, view.side)
        self.matters = judgement.behind if behind else 1.0

    # ---- losses

    @memo_table(bound=2_000)
    def _worth(self, number: int) -> Worth:
        """What a unit is worth; one that flees already has only the rest left to lose."""
        unit, j = self.state.units[number], self.judgement
        kind = type_of(unit)
        full = max(1, max(kind.models, unit_state(unit).full) * kind.w)
        standard = STANDARD_WORTH if kind.standard else 0
        named = self._named.get(number, 0)
        worth = kind.worth * (1.0 - self.flight(unit) if flees(self.state, unit) else 1.0)
        return Worth(j.whole * worth, (1.0 - j.whole) * worth / full, standard, named)

    def flight(self, unit: Unit) -> float:
        """The share of a unit's remaining worth that its flight costs: `last_flight` if no turn is left in which it may rally."""
        return self.judgement.flight if self.rallies[unit.side] else self.judgement.last_flight

    def worth_left(self, unit: Unit) -> float:
        """Points of what is left of a unit, without the characters with it."""
        worth = self._worth[unit.id]
        return worth.whole + worth.wound * casualties.wounds_left(unit)

    def value_of_toll(self, unit: Unit, toll: Toll, close: bool = False) -> float:
        """What a toll on a unit is worth to the other side; `close`: in close combat, where its standard is captured."""
        worth = self._worth[unit.id]
        value = worth.wound * toll.wounds + toll.gone * (worth.whole + worth.named)
        if close:
            value += toll.gone * worth.standards
        if toll.flees:
            value += toll.flees * self.flight(unit) * self.worth_left(unit)
        return value

    def value_of_outcome(self, outcome: Outcome, side: int) -> float:
        """What the outcome of a shot is worth to a side: what it costs the other side, less what it costs its own, plus the risk
        to units behind walls that may become unstable."""
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
        """Points of the objectives that a unit stands on and would have to leave."""
        total = sum(o.points for o in self.objectives if unit.place in o.places)
        return self.judgement.contested * total

    def is_held(self, objective: HoldGoal, unit: Unit) -> bool:
        """Whether another friend is already on an objective."""
        return any(f.id != unit.id and f.place in objective.places for f in self.friends)

    def forsakes(self, unit: Unit, place: int) -> bool:
        """Whether a unit leaves an objective that no other friend is on, if it goes to a place."""
        return any(
            unit.place in o.places and place not in o.places and not self.is_held(o, unit)
            for o in self.objectives
        )

    # ---- close combat

    def clash(self, unit: Unit, at: int, foe: Unit, spot: int, arc: int, charged: bool) -> Clash:
        """A round between a unit in one place and an enemy in another; all outdoor places are alike."""
        return self._clash(unit.id, self._room(at), foe.id, self._room(spot), arc, charged)

    def _room(self, place: int) -> int:
        return place if place in self.rooms else -1

    @memo_method(bound=20_000)
    def _clash(self, number: int, at: int, against: int, spot: int, arc: int, charged: bool) -> Clash:
        """`clash` of units by their numbers; rooms, or -1 for outdoors."""
        ours, theirs = self._fighter(number, at), self._fighter(against, spot)
        a, b = estimates.sides(self.board, ours, theirs, arc, charged, spot >= 0)
        return estimates.clash_of(a, b, (_lost_if_broken(ours, theirs), _lost_if_broken(theirs, ours)))

    @memo_method(bound=2_000)
    def _fighter(self, number: int, room: int) -> Fighter:
        """A unit as it would fight in a room, or outdoors (-1)."""
        return estimates.fighter(self.state, self.board, self._standing(number, room))

    def _standing(self, number: int, room: int) -> Unit:
        """A unit in a room, or outdoors (-1): where it is, or in front of the room that it would leave."""
        unit = self.state.units[number]
        if room >= 0:
            return unit if unit.place == room else replace(unit, place=room)
        here = self.rooms.get(unit.place)
        if here is None or not here.around:
            return unit
        return replace(unit, place=here.around[0][0])

    def fight(self, unit: Unit, foe: Unit) -> tuple[float, float]:
        """The points that a unit's charge at an enemy in its next turn, from where it is, deals and takes, including a little for
        later rounds."""
        here, there = self._room(unit.place), self._room(foe.place)
        return self._fight(unit.id, here, foe.id, there, FRONT, self.time.after_ours)

    @memo_method(bound=20_000)
    def _fight(
        self, number: int, at: int, against: int, spot: int, arc: int, after: bool
    ) -> tuple[float, float]:
        """The points that a charge deals and takes, of units by their numbers, in rooms or outdoors (-1). `after`: whether the
        battle goes on after that round."""
        found = self._clash(number, at, against, spot, arc, True)
        return self.value_of_clash(self.state.units[number], self.state.units[against], found, after)

    def value_of_clash(self, unit: Unit, foe: Unit, found: Clash, after: bool) -> tuple[float, float]:
        """The points that a clash deals and takes. If neither side breaks, it goes on, and later rounds are assumed to go the
        same way, unless the battle is over (`after`)."""
        dealt, taken = self.value_of_toll(foe, found.theirs, True), self.value_of_toll(unit, found.mine, True)
        if found.with_champions:
            for one, toll in estimates.tolls_of(self.state, unit, foe, found):
                if one.id not in (unit.id, foe.id):
                    value = self.value_of_toll(one, toll, True)
                    dealt, taken = (dealt, taken + value) if one.side == unit.side else (dealt + value, taken)
        more = self._with_rounds_to_come(found.wins + found.loses, after)
        return dealt * more, taken * more

    def _with_rounds_to_come(self, ends: float, after: bool) -> float:
        """How much a fight counts if it may go on; `ends`: the chance that it ends this round; `after`: whether the battle goes
        on after it."""
        return 1.0 + self.judgement.goes_on * max(0.0, 1.0 - ends) if after else 1.0

    def melee(self, one: Unit, others: Sequence[Unit], beside: Sequence[Unit] = ()) -> Melee:
        """A round of a unit against several at once. All are given with the contacts and charges that they have or would have
        (`expected_melee.charging`), each where it stands or would stand. `beside`: characters with them, as they are imagined."""
        state = expected_melee.imagined(self.state, (one, *others, *beside))
        ours = self._fighter(one.id, self._room(one.place))
        fighters = [self._fighter(other.id, self._room(other.place)) for other in others]
        pairs = [expected_melee.pair(state, self.board, ours, theirs) for theirs in fighters]
        mine, found = expected_close.against_all(tuple(pairs))
        wins = tuple(lost.gone + lost.broken for lost in found)
        tolls: list[Toll] = []
        for number, (lost, (_, side), theirs) in enumerate(zip(found, pairs, fighters, strict=True)):
            # a unit with others to fight does not pursue (`rout.fights_others`); those break or stand together
            free = math.prod(min(1.0, 2.0 * chance) for n, chance in enumerate(wins) if n != number)
            tolls.append(lost.toll(expected_close.left_of(side), free * _lost_if_broken(theirs, ours)))
        toll = mine.toll(expected_close.left_of(pairs[0][0]), _lost_to_all(ours, fighters))
        duels = expected_melee.duels(state, self.board, one, others, pairs)
        return Melee(toll, tuple(tolls), mine.gone + mine.broken, wins, duels)

    def value_of_melee(self, one: Unit, others: Sequence[Unit], found: Melee) -> tuple[float, list[float]]:
        """The points that this turn's round costs one unit and each of the others, including a little for later rounds. The one
        fights on while any of them is left, each of them as long as it is left itself."""
        after = self.time.after_now
        more = self._with_rounds_to_come(found.loses + all_of(found.wins), after)
        mine = more * self._with_company(one, found.one)
        theirs = [
            self._with_rounds_to_come(found.loses + wins, after) * self._with_company(other, toll)
            for other, toll, wins in zip(others, found.others, found.wins, strict=True)
        ]
        return mine, theirs

    def _with_company(self, unit: Unit, toll: Toll) -> float:
        """What a toll in close combat is worth, including the characters that share it."""
        tolls = estimates.with_company(self.state, unit, toll)
        return summed(self.value_of_toll(one, part, True) for one, part in tolls)

    # ---- shooting

    @memo_method(bound=2_000)
    def _mark(self, number: int, room: int) -> Mark:
        """A unit as a target of shots in a room, or outdoors (-1); what its flight may lead to is ignored."""
        return estimates.mark_of(self.state, self.board, self._standing(number, room), -1)

    @memo_method(bound=20_000)
    def _volley(self, number: int, shots: int, need: int, against: int, room: int) -> float:
        """What so many shots of a unit are worth at an enemy in a room, or outdoors (-1)."""
        foe = self.state.units[against]
        weapon = targets.weapon_of(self.state.units[number])
        assert weapon is not None
        wounds = expected.volley(shots, need, weapon.strength, foe.kind, casualties.wounds_left(foe))
        toll = expected.toll(self._mark(against, room), wounds)
        return self.value_of_toll(foe, toll) + toll.flees * self.at_stake(foe)

    def _is_silent(self, unit: Unit) -> bool:
        """Whether a misfired engine may not shoot when its side shoots next: later this turn, or in the next."""
        until = unit_state(unit).silent
        return (
            until >= self.state.turn if self.time.now and unit.side != self.side else until > self.state.turn
        )

    def value_of_shot(self, unit: Unit, foe: Unit, place: int, moved: bool, spot: int = -1) -> float:
        """What a unit's fire from a place at an enemy is worth to its side; 0 if out of reach or sight. `spot`: where the enemy
        would be."""
        weapon = targets.weapon_of(unit)
        if weapon is None or self._is_silent(unit) or (weapon.steady and moved):
            return 0.0
        there = foe.place if spot < 0 else spot
        far = gap(self.board, place, there)
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
            cover(self.board, place, there),
            type_of(foe).large,
        )
        mine = self.rooms.get(place)
        files = unit_state(unit).files if mine is None else form.garrison_front(unit)
        shots = min(unit.models, files * (2 if line_of_sight.is_high(self.board, place) else 1))
        return self._volley(unit.id, shots, need, foe.id, self._room(there))

    @memo_method(bound=2_000)
    def _roughly(self, way: str, against: int, room_at: int) -> float:
        """A rough value of an engine shot at a unit in a room, or outdoors (-1)."""
        unit, room = self.state.units[against], self.rooms.get(room_at)
        ranks = form.ranks(unit, room)
        wounds = quick_look.engine_wounds(way, unit.kind, unit.models, ranks, room is not None)
        value = min(wounds, casualties.wounds_left(unit)) * self._worth[against].wound
        if room is not None and way in ("cannon", "stone") and not rooms.is_unstable(self.state, room):
            chance = quick_look.HITS[way] * expected_engines.chance_to_shake(room)
            value += chance * self.judgement.shaken * self.worth_left(unit)
        return value

    def best_shot(self, unit: Unit, place: int, moved: bool) -> float:
        """What a unit's fire from a place is worth at its best target."""
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
        near = [foe for foe in self._open if gap(self.board, place, foe.place) <= far]
        return max([self.value_of_shot(unit, foe, place, moved) for foe in near], default=0.0)

    @memo_property
    def _open(self) -> list[Unit]:
        """Enemies that may be shot at, including those attacking garrisons from outside (RG-ATT-5)."""
        return [foe for foe in self.foes if targets.open_to_fire(self.state, self.board, foe)]


def _lost_if_broken(loser: Fighter, winner: Fighter) -> float:
    """A rough chance that a unit is lost once it breaks; the table's edge is ignored."""
    kind = type_of(winner.unit)
    if loser.room is not None:
        return 1.0 if rooms.may_hold(kind, loser.room) else 0.0
    if winner.room is not None or kind.engine:
        return 0.0
    return expected.escape(rout.dice_of(loser.unit), (rout.dice_of(winner.unit),), 0)[0]


def all_of(wins: Sequence[float]) -> float:
    """A rough chance that all enemies of a unit break or are wiped out, from the chance of each: they lose a round together,
    half of the time or more."""
    lost = max(0.5, *wins)
    return lost * math.prod(chance / lost for chance in wins)


def _lost_to_all(loser: Fighter, winners: Sequence[Fighter]) -> float:
    """A rough chance that a unit is lost once it breaks from several enemies."""
    chances = [_lost_if_broken(loser, winner) for winner in winners]
    if loser.room is not None:
        return max(chances)
    after = sorted(
        rout.dice_of(winner.unit) for winner, chance in zip(winners, chances, strict=True) if chance
    )
    return expected.escape(rout.dice_of(loser.unit), tuple(after), 0)[0]


@owned_memo(bound=200_000)
def gap(board: Board, a: int, b: int) -> int:
    """The range between two spaces."""
    return ground.gap(board, a, b)


@owned_memo(bound=200_000)
def cover(board: Board, here: int, there: int) -> int:
    """The cover of a unit at `there` against fire from `here`."""
    return line_of_sight.cover(board, here, there)[0]
