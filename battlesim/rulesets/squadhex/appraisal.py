"""A position as a player judges it: which enemy threatens which unit from where, and what acts and places are worth.

Built from a view and a judgement alone. Values are in points of unit worth. Read `Appraisal.value_of_place`, the worth of one
unit standing in one place, and `value_of_outcome`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from battlesim.board.board import Board
from battlesim.core.memo import Memos, memo_property, memo_table, no_memos
from battlesim.core.state import Unit, fallen
from battlesim.core.view import View, known_state
from battlesim.evaluation.distributions import Distribution
from battlesim.rules.contract import Features
from battlesim.rulesets.squadhex import estimates, expected, move, targets
from battlesim.rulesets.squadhex.estimates import Outcome, TargetProfile, both_modes
from battlesim.rulesets.squadhex.expected import UNHURT, Toll
from battlesim.rulesets.squadhex.fire import FAR as FARTHEST
from battlesim.rulesets.squadhex.fire import (
    AsFar,
    as_far,
    class_of,
    halved,
    halvings,
    reaches,
    strength_at_building,
)
from battlesim.rulesets.squadhex.ground import covers
from battlesim.rulesets.squadhex.hexes import Hexes, hexes
from battlesim.rulesets.squadhex.judgement import Judgement
from battlesim.rulesets.squadhex.line_of_sight import sightings
from battlesim.rulesets.squadhex.model import NORMAL, SUPPRESSIVE, battle_state, type_of, unit_state
from battlesim.rulesets.squadhex.prices import Prices
from battlesim.rulesets.squadhex.prospects import Prospects
from battlesim.rulesets.squadhex.threats import Enemy, threats

MODES = (NORMAL, SUPPRESSIVE)
NEGLIGIBLE = 0.02
"""Buildings less likely to fall than this are not feared."""


class Appraisal:
    """What one side knows, prepared for judging many places. Valid for one view."""

    memos: Memos

    def __init__(self, view: View, board: Board, judgement: Judgement, weights: Features) -> None:
        self.memos = no_memos()
        self.board, self.side, self.judgement, self.weights = board, view.side, judgement, weights
        self.state = known_state(view)
        self.fallen = fallen(self.state)
        self.grid: Hexes = hexes(board)
        self.foes = [u for u in view.units.values() if u.side != view.side and u.place >= 0]
        self.waiting = [u for u in self.foes if unit_state(u).waits]
        self.prospects = Prospects(self.state, board, view.side, judgement)
        self.prices = Prices(self.state, board, view.side, self.prospects, judgement)
        self.rounds_left = self.prospects.rounds_left
        self._figure, self.value_of_toll = self.prices.figure, self.prices.value_of_toll
        self.looks_ahead = judgement.prospect > 0.0 and self.rounds_left > 1
        """Whether the best shot next round counts for a place."""
        self._covers = covers(board)
        farthest = max(
            (max(reaches(u.kind, u.models)) for u in view.units.values() if u.place >= 0), default=-1
        )
        self._sightings = sightings(board, tuple([u.place for u in self.foes]), farthest, self.fallen)
        self._enemies = [self._enemy(u) for u in self.foes]
        self._classes = [class_of(u) for u in self.foes]

    # ---- acts

    def value_of_outcome(self, outcome: Outcome, side: int) -> float:
        """What the outcome of an act is worth to a side: what it costs the other side, less what it costs its own, plus the
        effect on buildings."""
        total = 0.0
        for unit, toll in outcome.tolls:
            value = self.value_of_toll(unit, toll)
            total += value if unit.side != side else -value
        for section, falls, weakens in outcome.walls:
            ours = 1.0 if side == self.side else -1.0
            if falls:
                total += ours * falls * self._beyond_tolls[section]
            if weakens:
                total += ours * self.judgement.weakened * weakens * self._value_of_fall[section]
        return total

    @memo_table(bound=2_000)
    def _value_of_fall(self, section: int) -> float:
        """What the fall of a building hex is worth to this side."""
        if section not in self._concerning:
            return 0.0
        found = self._beyond_tolls[section]
        for unit, toll in estimates.burials(self.state, self.board, section):
            value = self.value_of_toll(unit, toll)
            found += value if unit.side != self.side else -value
        return found

    @memo_table(bound=2_000)
    def _beyond_tolls(self, section: int) -> float:
        """What a fall is worth to this side besides the losses inside: objectives about the building, and the cover its occupants
        lose."""
        if section not in self._concerning:
            return 0.0
        found = self.prospects.razed(section)
        for unit in targets.occupants(self.state, self.board, section):
            value = self.judgement.walls * estimates.worth(unit)
            found += value if unit.side != self.side else -value
        return found

    @memo_table(bound=2_000)
    def buildings_at(self, number: int) -> list[int]:
        """The building hexes that a unit can fire at."""
        return targets.buildings_at(self.state, self.board, self.state.units[number])

    @memo_table(bound=2_000)
    def in_range(self, number: int) -> frozenset[int]:
        """The enemies that a unit has in sight and within its range, as `targets.adds` says of one."""
        unit = self.state.units[number]
        ranges, reach = type_of(unit).ranges, reaches(unit.kind, unit.models)
        return frozenset(
            [
                self.foes[enemy].id
                for enemy, away in self._sightings.sighted[unit.place]
                if away <= min(ranges[self._classes[enemy]], reach[self._classes[enemy]])
            ]
        )

    @memo_table(bound=2_000)
    def units_at(self, number: int) -> list[int]:
        """The enemies that a unit can fire at."""
        return targets.units_at(self.state, self.board, self.state.units[number])

    @memo_table(bound=2_000)
    def hexes_at(self, number: int) -> list[int]:
        """The hexes that a unit can bombard."""
        return targets.hexes_at(self.state, self.board, self.state.units[number])

    def value_of_fire(
        self, unit: Unit, target: Unit, mode: str, moved: bool, supporters: tuple[int, ...] = ()
    ) -> float:
        """What a unit's fire from where it is, alone or with supporters, is worth to its side."""
        normal, other = self._values_of_fire[unit.id, target.id, moved, supporters]
        return normal if mode == NORMAL else other

    @memo_table(bound=20_000)
    def _values_of_fire(
        self, number: int, against: int, moved: bool, supporters: tuple[int, ...]
    ) -> tuple[float, float]:
        """`value_of_fire` of units by their numbers, in both of `MODES`."""
        units = self.state.units
        target, helpers = units[against], [units[one] for one in supporters]
        one, two = estimates.fires(self.state, self.board, units[number], target, MODES, moved, helpers)
        return self.value_of_toll(target, one), self.value_of_toll(target, two)

    def best_fire(self, unit: Unit, target: Unit, moved: bool, supporters: tuple[int, ...] = ()) -> float:
        """`value_of_fire` in the better mode."""
        return max(self._values_of_fire[unit.id, target.id, moved, supporters])

    def value_at_building(
        self, unit: Unit, section: int, moved: bool, supporters: tuple[int, ...] = ()
    ) -> float:
        """What the fire of one of this side's units at a building hex is worth."""
        worth = self._value_of_fall[section]
        if not worth:
            return 0.0
        helpers = [self.state.units[one] for one in supporters]
        falls, weakens = estimates.walls_under(self.state, self.board, unit, section, moved, helpers)
        return (falls + self.judgement.weakened * weakens) * worth

    def best_at_buildings(self, unit: Unit) -> float:
        """The most that the fire of one of this side's units at any building hex is worth; at least 0."""
        if not strength_at_building(unit, 1):
            return 0.0
        state, board, down = self.state, self.board, self.fallen
        return max(
            (
                self.value_at_building(unit, section, False)
                for section in self._worth_felling
                if targets.can_hit_building(state, board, unit, section, down)
            ),
            default=0.0,
        )

    @memo_property
    def _worth_felling(self) -> list[int]:
        """The building hexes whose fall is worth something to this side."""
        known = battle_state(self.state).destructible
        return [n for n in sorted(self._concerning) if n in known and self._value_of_fall[n] > 0.0]

    @memo_property
    def _concerning(self) -> frozenset[int]:
        """The standing sections that have units inside or that objectives name."""
        spaces = self.board.spaces
        inhabited = [spaces[place].section for place in self.state.at if spaces[place].kind == "floor"]
        return frozenset(inhabited) | self.prospects.razable

    def value_of_bombardment(self, unit: Unit, place: int, mode: str) -> float:
        """What a unit's area attack on a hex is worth to its side."""
        return self._value_of_bombardment[unit.id, place, mode]

    @memo_table(bound=4_000)
    def _value_of_bombardment(self, number: int, place: int, mode: str) -> float:
        """`value_of_bombardment` of a unit by its number."""
        burst, matters = self._value_of_burst, self._matters
        total = 0.0
        for at, chance in estimates.landings(self.board, place):
            if at in matters:
                total += chance * burst[number, at, mode]
        return total

    @memo_table(bound=4_000)
    def _value_of_burst(self, number: int, hexagon: int, mode: str) -> float:
        """What a unit's area attack is worth to its side when it lands on a given hex."""
        unit = self.state.units[number]
        return self.value_of_outcome(estimates.burst(self.state, self.board, unit, hexagon, mode), unit.side)

    @memo_property
    def _matters(self) -> frozenset[int]:
        """The hexes where an area attack can be worth anything: those with units, and buildings that objectives name."""
        of, sections = self.grid.of, self.board.sections
        crowded = [of[place] for place in self.state.at]
        return frozenset([*crowded, *(of[sections[n].ruin] for n in self.prospects.razable)])

    def opportunity_fire(self, unit: Unit, place: int, action: str) -> Toll:
        """What opportunity fire on the way to a place costs a unit."""
        met, path = self._met, move.path_to(self._ways[unit.id, action], unit.place, place)
        return estimates.moving(self.state, self.board, unit, path, lambda place: met[unit.id, place])

    @memo_table(bound=2_000)
    def _ways(self, number: int, action: str) -> Mapping[int, int]:
        """The routes open to a unit under an action, as `move.routes` gives them."""
        return move.routes(self.state, self.board, self.state.units[number], action)

    @memo_table(bound=20_000)
    def _met(self, number: int, place: int) -> tuple[tuple[int, Distribution], ...]:
        """The opportunity fire that a unit meets in a place."""
        return estimates.opportunities(self.state, self.board, self.state.units[number], place)

    # ---- quick estimates of fire

    def _enemy(self, foe: Unit) -> Enemy:
        """An enemy, and the share of its fire that one unit has to fear: it has other targets, and may have acted or be
        disrupted. In the last round an enemy that has acted or is disrupted fires no more."""
        mine, j = unit_state(foe), self.judgement
        share = j.aim_share
        if self.rounds_left == 1 and (mine.disrupted or not (mine.fresh or mine.waits)):
            share = 0.0
        elif not (mine.fresh or mine.waits):
            share *= j.acted
        if mine.disrupted:
            share *= j.shaken
        return (foe.kind, foe.models), share

    def best_shot(self, unit: Unit, place: int, moved: bool) -> float:
        """A quick estimate of a unit's best attack on an enemy unit from a place. Targets are assumed to be able to fall back."""
        return self._best_shot[unit.id, place, moved]

    @memo_table(bound=20_000)
    def _best_shot(self, number: int, place: int, moved: bool) -> float:
        """`best_shot` of a unit by its number."""
        kind, models, times, reach, far = self._shooter[number, moved]
        best, shot, classes = 0.0, self._shot, self._classes
        for enemy, away in self._sightings.sighted[place]:
            if away <= reach:
                value = shot[kind, models, times, enemy, far[classes[enemy]][away]]
                if value > best:
                    best = value
        return best

    @memo_table(bound=2_000)
    def _shooter(self, number: int, moved: bool) -> tuple[str, int, int, int, AsFar]:
        """A unit as a shooter by its number: kind, figures, how often its dice are halved, reach, and `fire.as_far`."""
        unit = self.state.units[number]
        kind, models = unit.kind, unit.models
        return kind, models, halvings(unit, moved), max(reaches(kind, models)), as_far(kind)

    @memo_table(bound=20_000)
    def _shot(self, kind: str, models: int, times: int, enemy: int, away: int) -> float:
        """The value of the better mode of fire at an enemy (by index) from this distance (`fire.as_far`)."""
        normal, other = both_modes(kind, models, times, self._profiles[enemy], away)
        if not normal:
            return 0.0
        foe = self.foes[enemy]
        best = self._figure[foe.id] * normal
        return max(best, self.value_of_toll(foe, other)) if other is not UNHURT else best

    @memo_table(bound=2_000)
    def _profiles(self, enemy: int) -> TargetProfile:
        """An enemy (by index) as a target."""
        return estimates.target_profile(self.board, self.foes[enemy])

    # ---- places

    def value_of_place(self, unit: Unit, place: int) -> Features:
        """What ending an action in a place is worth to a unit: exposure, progress, hold, and its best shot next round. If the
        unit leaves the board there, what leaving is worth."""
        return self._value_of_place[unit.id, place]

    @memo_table(bound=20_000)
    def _value_of_place(self, number: int, place: int) -> Features:
        """`value_of_place` for a unit by its number."""
        unit, ahead = self.state.units[number], self.prospects
        if place in ahead.values_at and (leaves := ahead.leaving(unit, place)):
            return Features(progress=ahead.progress(unit, place), hold=leaves)
        return self.value_of_staying(unit, place)

    def value_of_staying(self, unit: Unit, place: int, foe: int = -1, beaten: float = 0.0) -> Features:
        """`value_of_place` for a unit that stays on the board. `beaten`: the chance that the enemy `foe` is no more by then."""
        ahead = self.prospects
        return Features(
            exposure=self._exposure(unit, place, foe, beaten),
            progress=ahead.progress(unit, place),
            hold=ahead.held(unit, place) if place in ahead.values_at else 0.0,
            ready=self.judgement.prospect * self._best_shot[unit.id, place, False]
            if self.looks_ahead
            else 0.0,
        )

    @memo_table(bound=2_000)
    def _mark(self, number: int) -> tuple[int, int, int]:
        """A unit as a target by its number: its class, figures and armour."""
        unit = self.state.units[number]
        return class_of(unit), unit.models, type_of(unit).armour

    def _exposure(self, unit: Unit, place: int, foe: int, beaten: float) -> float:
        """What the enemy's reply may cost a unit in a place: by fire, and by the fall of its building. `beaten`: the chance that
        the enemy `foe` does not fire any more."""
        against, models, armour = self._mark[unit.id]
        inside = self.board.spaces[place].kind == "floor"
        threat = threats(against, models, inside, self._covers[place] + armour).lost
        lost, enemies = 0.0, self._enemies
        for enemy, away in self._sightings.sighted[place]:
            shooter, share = enemies[enemy]
            if share:
                if beaten and self.foes[enemy].id == foe:
                    share *= 1.0 - beaten
                lost += share * threat[shooter, away]
        if inside:
            risk = self._fall_risk[self.board.spaces[place].section]
            if risk:
                floors = self.board.sections[self.board.spaces[place].section].top + 1
                lost += risk * expected.buried(floors, 0, models, True).lost
        return min(lost, self.judgement.most_taken * models) * self._figure[unit.id]

    @memo_table(bound=2_000)
    def _fall_risk(self, section: int) -> float:
        """The feared share of the chance that the enemy's next attack on a building hex, by all enemies able to join in, destroys
        it."""
        state, board, fear = self.state, self.board, self.judgement.fall_risk
        if not fear or not targets.may_destroy(state, section):
            return 0.0
        found = {foe.id: estimates.building_dice(board, foe, section) for foe in self._breakers}
        # Lines of sight are checked only if all of them together could do something.
        if self._falls(section, list(found.values())) < NEGLIGIBLE:
            return 0.0
        seen = [
            found[foe.id]
            for foe in self._breakers
            if targets.can_hit_building(state, board, foe, section, self.fallen)
        ]
        return fear * self._falls(section, seen)

    def _falls(self, section: int, attackers: Sequence[tuple[int, int]]) -> float:
        """The chance that a building hex falls to the concentrated fire of all effective attackers, given as (dice, roll
        needed)."""
        counting = [one for one in attackers if one[0] and one[1] <= FARTHEST]
        if not counting:
            return 0.0
        leader = max(counting)
        dice = leader[0] - halved(leader[0], 1) + sum(halved(more, 1) for more, _ in counting)
        return estimates.walls_hit(self.state, self.board, section, dice, leader[1])[0]

    @memo_property
    def _breakers(self) -> list[Unit]:
        """The enemies whose fire can damage buildings."""
        return [foe for foe in self.foes if not unit_state(foe).disrupted and strength_at_building(foe, 1)]
