"""How a player judges the outcome of an act: losses, what becomes of buildings, and enemies that may hide somewhere.

Built only from a view and a judgement. Values are in points of unit worth. Read `OutcomeWorth.value_of_outcome`.
"""

from __future__ import annotations

from battlesim.board.board import Board
from battlesim.core.memo import memo_method, memo_property, memo_table
from battlesim.core.state import Unit
from battlesim.core.sums import summed
from battlesim.core.view import View
from battlesim.rules.contract import Features
from battlesim.rulesets.armorclass import (
    blaze,
    distances,
    engineer,
    expected,
    fire,
    flames,
    ground,
    outcomes,
    quick_look,
    works,
)
from battlesim.rulesets.armorclass.aims import CLOSE, FAR, Aims
from battlesim.rulesets.armorclass.data import TYPES
from battlesim.rulesets.armorclass.expected import Toll
from battlesim.rulesets.armorclass.judgement import Judgement
from battlesim.rulesets.armorclass.model import UnitState, battle_state, unit_state
from battlesim.rulesets.armorclass.outcomes import Outcome
from battlesim.rulesets.armorclass.quick_look import Profile

USUAL = "rifle_team"
"""The type that a hidden enemy is assumed to be."""
UNSEEN = -1
"""The unit number of a suspected enemy that nobody has found."""


class OutcomeWorth(Aims):
    """What one side makes of the outcomes of acts. Valid for one view."""

    def __init__(self, view: View, board: Board, judgement: Judgement, weights: Features) -> None:
        super().__init__(view, board, judgement)
        self.weights = weights
        self.burning = frozenset(flames.burning_places(self.state, board))
        self.doomed = blaze.doomed(self.state, board) if self.burning else self.burning
        self.posted = frozenset(foe.place for foe in self.foes)

    # ---- units

    @memo_table(bound=2_000)
    def _profile(self, number: int) -> Profile:
        """What does not depend on where a unit stands."""
        unit = self.state.units[number]
        return quick_look.profile_of(unit, works.armour_of(self.board, unit))

    def worth(self, unit: Unit) -> float:
        """The worth of what is left of a unit, in points."""
        return self._profile[unit.id].worth

    # ---- buildings

    def burns_yet(self, place: int) -> int:
        """How many more times (once at each turn's end) fire attacks a unit that stays in a place; 0 if it does not burn."""
        if place not in self.burning:
            return 0
        known, turn = battle_state(self.state), self.state.turn
        out = max(
            caught + blaze.BURNS for blazing in known.fires for p, caught in blazing.taken if p == place
        )
        return max(0, min(out, known.turns + 1) - turn)

    @memo_method(bound=2_000)
    def _held_in(self, section: int, floor: int) -> tuple[float, float]:
        """The worth of the objectives that are held on a floor of a section or above it: (those that we can score, those that
        only the enemy can score)."""
        if section not in self._held_sections:
            return 0.0, 0.0
        places, ours, theirs = frozenset(self.board.sections[section].spaces[floor:]), 0.0, 0.0
        if not places.isdisjoint(self._held):
            for value in self.values:
                if not places.isdisjoint(value.places):
                    ours, theirs = (
                        (ours, theirs + value.worth) if value.denies else (ours + value.worth, theirs)
                    )
        return ours, theirs

    @memo_method(bound=2_000)
    def value_of_fall(self, section: int, floor: int) -> float:
        """The worth to us of the fall of a floor and all above it, without the units on them. It counts objectives that name the
        building (destroyed only with its ground floor) and objectives that nobody can hold any more. The loss of the latter is
        good for us where only the enemy can score them."""
        ours, theirs = self._held_in(section, floor)
        return self._on_foot.razed(section, floor == 0) + self.judgement.spoilt * (theirs - ours)

    @memo_method(bound=2_000)
    def _value_of_rubble(self, section: int) -> float:
        """The worth to us of the fall of a section with all units known to be in it."""
        total = self.value_of_fall(section, 0)
        for unit in self._inside(section):
            lost = expected.at_most(fire.DEADLY) * self._profile[unit.id].worth * self.importance(unit)
            total += lost if unit.side != self.side else -lost
        return total

    @memo_method(bound=2_000)
    def _value_of_fire(self, place: int) -> float:
        """The worth to us of a fire in a place: units there leave it or burn. A floor, and those above it, are gone in four
        turns."""
        space, known = self.board.spaces[place], battle_state(self.state)
        there = self._inside(space.section) if space.kind == "floor" else self._at(place)
        total = 0.0
        for unit in there:
            lost = self.judgement.driven_out * self._profile[unit.id].worth * self.importance(unit)
            total += lost if unit.side != self.side else -lost
        total += self._value_of_smoke(self.hidden(place))
        goes_down = known.options.damage != "ignored" and self.state.turn + blaze.BURNS <= known.turns
        if space.kind == "floor" and goes_down:
            total += self.value_of_fall(space.section, space.floor)
        return total

    def _value_of_smoke(self, hides: float) -> float:
        """The worth to us of driving an enemy out of a place by fire who hides there with some chance."""
        return self.judgement.driven_out * hides * TYPES[USUAL].worth

    @memo_method(bound=2_000)
    def _value_of_breach(self, section: int, side: int) -> float:
        """The worth to us of the first breach in the walls of a section: a share of what the section holds that is not ours yet.
        The share grows with what the present way in from in front of that wall takes beyond one move. Side -1: the full share."""
        if "breaches" in works.record(self.state, section):
            return 0.0
        inside = self._inside(section)
        worth = max(0.0, self._on_foot.razed(section))
        if not any(unit.side == self.side for unit in inside):
            worth += summed(self._held_in(section, 0))
        for unit in inside:
            if unit.side != self.side:
                worth += (self.importance(unit) - 1.0) * self.worth(unit)
        if not worth or side < 0:
            return self.judgement.opened * worth
        floor = self.board.sections[section].spaces[0]
        ways = distances.distance_field(self.board, (floor,), True, self._changes)
        before = [ways[place] for place, _ in ground.before_wall(self.board, section, side)]
        far = min((way if way >= 0 else FAR for way in before), default=0)
        # A way that takes no more than one move is as good as a breach.
        spared = max(0, far - ground.PACE["soldiers"])
        return self.judgement.opened * worth * min(1.0, spared / CLOSE)

    @memo_property
    def _time_to_fall(self) -> float:
        """The share of the battle's turns still to come: about the chance that a house which is worn down falls in time."""
        known = battle_state(self.state)
        return max(0.0, (known.turns - self.state.turn) / known.turns)

    def _matters(self, section: int) -> bool:
        """Whether the fate of a section may be worth anything to us, apart from enemies that nobody has found."""
        return section in self._indoors or section in self._held_sections or self._on_foot.razes

    @memo_property
    def _held_sections(self) -> frozenset[int]:
        """The sections that contain a place of an objective."""
        spaces = self.board.spaces
        return frozenset(spaces[place].section for place in self._held)

    def _at(self, place: int) -> list[Unit]:
        """The units known to be in a place."""
        return [self.state.units[number] for number in self.state.at.get(place, ())]

    def _inside(self, section: int) -> list[Unit]:
        """The units known to be in a section, floor by floor."""
        units = self.state.units
        return [units[number] for number in self._indoors.get(section, ())]

    @memo_property
    def _indoors(self) -> dict[int, list[int]]:
        """The numbers of the units known to be in each section, floor by floor."""
        found: dict[int, list[int]] = {}
        for place in sorted(self.state.at):
            space = self.board.spaces[place]
            if space.kind == "floor":
                found.setdefault(space.section, []).extend(self.state.at[place])
        return found

    # ---- what acts are worth

    def value_of_toll(self, unit: Unit, toll: Toll) -> float:
        """The worth of a unit's toll to the other side, with morale and objectives."""
        profile = self._profile[unit.id]
        cohesion = unit_state(unit).cohesion
        lost = quick_look.points_of(toll, profile.target, cohesion, self.judgement.shaken)
        return lost * self.importance(unit)

    def value_of_outcome(self, outcome: Outcome, side: int = -1) -> float:
        """The worth to us of an act's outcome: the enemy's losses less our own, and the effects on buildings. `side`: the wall
        that was struck."""
        total = 0.0
        for unit, toll in outcome.tolls:
            if unit.id == UNSEEN:
                usual = quick_look.points_of(toll, outcomes.target_of(unit), unit_state(unit).cohesion, 0.0)
                total += self.hidden(unit.place) * usual
            else:
                value = self.value_of_toll(unit, toll)
                total += value if unit.side != self.side else -value
        if outcome.place < 0:
            return total
        space = self.board.spaces[outcome.place]
        if outcome.burns:
            total += outcome.burns * self._value_of_fire(outcome.place)
        if space.kind != "floor":
            return total
        section, j = space.section, self.judgement
        stands = outcomes.points_left(self.state, self.board, section)
        if outcome.falls:
            total += outcome.falls * self.value_of_fall(section, 0 if stands else space.floor)
        if stands:
            worn = max(0.0, outcome.points / stands - outcome.falls)
            total += j.worn * self._time_to_fall * worn * self._value_of_rubble(section)
        elif outcome.breaches or outcome.points:
            opened = outcome.breaches
            if outcome.points:  # engineers destroy a wall point by point
                wall = works.wall_points(works.make_of(self.board, section).wall)
                opened = outcome.points / max(1, wall - engineer.dents(self.state, section, side))
            total += opened * self._value_of_breach(section, side)
        return total

    # ---- who may be where

    @memo_method(bound=5_000)
    def hidden(self, place: int) -> float:
        """The chance that an enemy nobody has found is in a place."""
        j, space = self.judgement, self.board.spaces[place]
        if place in self.posted:
            return 0.0
        chance = j.hides_on_objective if place in self._held else j.hides
        if space.kind == "floor":
            if works.make_of(self.board, space.section).type != "building":
                chance = max(chance, j.hides_in_works)
        elif works.fieldwork(self.state, place) is not None:
            chance = j.hides_in_works
        # The more turns pass without a shot from there, the less likely an enemy is there.
        return self.unfound * chance / max(self.state.turn, 1)

    @memo_table(bound=2_000)
    def promise(self, place: int) -> float | None:
        """The most that fire on suspicion at a place may be worth under this player's weights, less its expected waste; None
        where an enemy is known to be."""
        if place in self.posted:
            return None
        hides = self.hidden(place)
        waste = (1.0 - hides) * self.judgement.fruitless
        return self._most_gained(place, hides) * self.weights.dealt - waste * self.weights.waste

    def _most_gained(self, place: int, hides: float) -> float:
        """An upper bound of the worth to us of fire at a place where nobody is known to be. `hides`: the chance of one hidden."""
        space, fires = self.board.spaces[place], battle_state(self.state).options.fires
        most = hides * TYPES[USUAL].worth
        if space.kind == "floor" and not self._matters(space.section):
            return most + self._value_of_smoke(hides) if fires else most
        if fires:
            most += max(0.0, self._value_of_fire(place))
        if space.kind == "floor":
            section = space.section
            breach = self._value_of_breach(section, -1)
            falls = max(self.value_of_fall(section, floor) for floor in range(space.floor + 1))
            most += max(breach, self._value_of_rubble(section), falls, 0.0)
        return most

    @memo_method(bound=2_000)
    def suspect(self, place: int) -> Unit | None:
        """The enemy assumed to be in a place where none is known to be; None if the chance of one is 0."""
        if not self.hidden(place):
            return None
        one = TYPES[USUAL]
        mine = UnitState(full=one.models, cohesion=one.cohesion)
        return Unit(UNSEEN, 1 - self.side, one.title, one.name, place, one.models, True, 0, mine)
