"""A position as a player looks at it: who threatens whom from where, where somebody may hide, what acts and places are worth.

Built from a view and a judgement alone. Values are in points of unit worth. Read `Appraisal.value_of_place`, the worth of one
unit standing in one place, and `value_of_outcome`, what an act is worth to a side.
"""

from __future__ import annotations

from typing import NamedTuple

from battlesim.board.board import Board
from battlesim.core.memo import Memos, memo_method, memo_property, memo_table
from battlesim.core.state import Unit
from battlesim.core.view import View
from battlesim.evaluation.time_left import another_turn
from battlesim.rules.contract import Features
from battlesim.rulesets.armorclass import (
    blaze,
    concealment,
    distances,
    engineer,
    expected,
    fire,
    flames,
    ground,
    outcomes,
    quick_look,
    shoot,
    works,
)
from battlesim.rulesets.armorclass.aims import CLOSE, FAR, Aims
from battlesim.rulesets.armorclass.data import TYPES
from battlesim.rulesets.armorclass.expected import Toll
from battlesim.rulesets.armorclass.judgement import Judgement
from battlesim.rulesets.armorclass.line_of_sight import LineOfSight
from battlesim.rulesets.armorclass.model import UnitState, able, battle_state, unit_state
from battlesim.rulesets.armorclass.outcomes import Outcome
from battlesim.rulesets.armorclass.quick_look import Profile
from battlesim.rulesets.armorclass.volleys import Firer, firer_of

USUAL = "rifle_team"
"""Whom one expects to find."""
UNSEEN = -1
"""The number of an enemy that may be somewhere and that nobody has found."""


class Threat(NamedTuple):
    """An enemy that can fire: its number, its place, with what it fires, what is left of it (`firer_of`); the share of its fire
    that threatens; whether it is suppressed."""

    foe: int
    place: int
    shooter: tuple[str, tuple[int, ...]]
    firer: Firer
    share: float
    shaky: bool


class Rival(NamedTuple):
    """A threat as one unit meets it: how far its fire may cost the unit anything (`theirs`), and how far the unit's may cost it
    anything (`mine`); -1: nowhere."""

    threat: Threat
    theirs: int
    mine: int


class Appraisal(Aims):
    """What one side knows, prepared for looking at many places. Good for one view."""

    memos: Memos
    """What `features.py` has found of it."""

    def __init__(self, view: View, board: Board, judgement: Judgement, weights: Features) -> None:
        super().__init__(view, board, judgement)
        self.weights = weights
        self.look = LineOfSight(self.state, board)
        self.burning = frozenset(flames.burning_places(self.state, board))
        self.doomed = blaze.doomed(self.state, board) if self.burning else self.burning
        self.posted = frozenset(foe.place for foe in self.foes)
        # One that has acted fires again only if another turn follows.
        again = judgement.acted * another_turn(self.state.turn, battle_state(self.state).turns)
        self._threats = [
            Threat(
                foe.id,
                foe.place,
                self._profile[foe.id].shooter,
                firer_of(foe),
                judgement.aim_share * (again if unit_state(foe).acted else 1.0),
                fire.is_suppressed(self.state, foe),
            )
            for foe in self.foes
            if able(foe)
        ]

    # ---- buildings

    def burns_yet(self, place: int) -> int:
        """At how many turns' ends to come fire attacks who stays in a place; 0 where it does not burn."""
        if place not in self.burning:
            return 0
        known, turn = battle_state(self.state), self.state.turn
        out = max(
            caught + blaze.BURNS for blazing in known.fires for p, caught in blazing.taken if p == place
        )
        return max(0, min(out, known.turns + 1) - turn)

    @memo_method(bound=2_000)
    def _held_in(self, section: int, floor: int) -> tuple[float, float]:
        """What the objectives are worth that are held on a floor of a section or above: those that we may score, and those that
        only the enemy may."""
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
        """What it is worth to us that a floor and all above it come down, those who come down with it left out: objectives that
        name the building, destroyed only with its ground floor, and those that nobody can hold any more, which is good where
        only the enemy scores them."""
        ours, theirs = self._held_in(section, floor)
        return self._on_foot.razed(section, floor == 0) + self.judgement.spoilt * (theirs - ours)

    @memo_method(bound=2_000)
    def _value_of_rubble(self, section: int) -> float:
        """What it is worth to us that a section comes down with all who are known to be in it."""
        total = self.value_of_fall(section, 0)
        for unit in self._inside(section):
            lost = expected.at_most(fire.DEADLY) * self._profile[unit.id].worth * self.importance(unit)
            total += lost if unit.side != self.side else -lost
        return total

    @memo_method(bound=2_000)
    def _value_of_fire(self, place: int) -> float:
        """What it is worth to us that fire breaks out in a place: whoever is there leaves it or burns, and a floor is gone in
        four turns, with those above it."""
        space, known = self.board.spaces[place], battle_state(self.state)
        there = self._inside(space.section) if space.kind == "floor" else self._at(place)
        total = 0.0
        for unit in there:
            lost = self.judgement.driven_out * self._profile[unit.id].worth * self.importance(unit)
            total += lost if unit.side != self.side else -lost
        total += self._value_of_smoke(place)
        goes_down = known.options.damage != "ignored" and self.state.turn + blaze.BURNS <= known.turns
        if space.kind == "floor" and goes_down:
            total += self.value_of_fall(space.section, space.floor)
        return total

    def _value_of_smoke(self, place: int) -> float:
        """What it is worth to us that fire drives those who hide in a place out of it."""
        return self.judgement.driven_out * self.hidden(place) * TYPES[USUAL].worth

    @memo_method(bound=2_000)
    def _value_of_breach(self, section: int, side: int) -> float:
        """What the first way through the walls of a section is worth to us: a share of what it holds that is not ours yet,
        the more the longer the way in is from before that wall (side -1: from anywhere) as things stand."""
        if "breaches" in works.record(self.state, section):
            return 0.0
        inside = self._inside(section)
        worth = max(0.0, self._on_foot.razed(section))
        if not any(unit.side == self.side for unit in inside):
            worth += sum(self._held_in(section, 0))
        for unit in inside:
            if unit.side != self.side:
                worth += (self.importance(unit) - 1.0) * self.worth(unit)
        if not worth or side < 0:
            return self.judgement.opened * worth
        floor = self.board.sections[section].spaces[0]
        ways = distances.distance_field(self.board, (floor,), True, self._changes)
        before = [ways[place] for place, _ in ground.before_wall(self.board, section, side)]
        far = min((way if way >= 0 else FAR for way in before), default=0)
        return self.judgement.opened * worth * min(1.0, far / CLOSE)

    def _matters(self, section: int) -> bool:
        """Whether it may be worth anything to us, those left out whom nobody has found, what becomes of a section."""
        return section in self._indoors or section in self._held_sections or self._on_foot.razes

    @memo_property
    def _held_sections(self) -> frozenset[int]:
        """The sections in which an objective is held."""
        spaces = self.board.spaces
        return frozenset(spaces[place].section for place in self._held)

    def _at(self, place: int) -> list[Unit]:
        """Who is known to be in a place."""
        return [self.state.units[number] for number in self.state.at.get(place, ())]

    def _inside(self, section: int) -> list[Unit]:
        """Who is known to be in a section, floor by floor."""
        units = self.state.units
        return [units[number] for number in self._indoors.get(section, ())]

    @memo_property
    def _indoors(self) -> dict[int, list[int]]:
        """The numbers of those who are known to be in each section, floor by floor."""
        found: dict[int, list[int]] = {}
        for place in sorted(self.state.at):
            space = self.board.spaces[place]
            if space.kind == "floor":
                found.setdefault(space.section, []).extend(self.state.at[place])
        return found

    # ---- what acts are worth

    def value_of_toll(self, unit: Unit, toll: Toll) -> float:
        """What a toll of a unit is worth to the other side: losses, nerve, objectives counted in."""
        profile = self._profile[unit.id]
        cohesion = unit_state(unit).cohesion
        lost = quick_look.points_of(toll, profile.target, cohesion, self.judgement.shaken)
        return lost * self.importance(unit)

    def value_of_outcome(self, outcome: Outcome, side: int = -1) -> float:
        """What the outcome of an act is worth to us: what it costs the enemy less what it costs us, and what becomes of
        buildings. `side`: of the wall that was struck."""
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
            total += j.worn * worn * self._value_of_rubble(section)
        elif outcome.breaches or outcome.points:
            opened = outcome.breaches
            if outcome.points:  # engineers take a wall point by point
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
        # Whoever has let so many turns pass without a shot is likely not there.
        return self.unfound * chance / max(self.state.turn, 1)

    @memo_table(bound=2_000)
    def promise(self, place: int) -> float | None:
        """What fire at a place on suspicion may be worth at most, for whoever judges, less what it likely wastes; None where an
        enemy is known to be."""
        if place in self.posted:
            return None
        waste = (1.0 - self.hidden(place)) * self.judgement.fruitless
        return self._most_gained(place) * self.weights.dealt - waste * self.weights.waste

    def _most_gained(self, place: int) -> float:
        """No fire at a place where nobody is known to be is worth more to us."""
        space, fires = self.board.spaces[place], battle_state(self.state).options.fires
        most = self.hidden(place) * TYPES[USUAL].worth
        if space.kind == "floor" and not self._matters(space.section):
            return most + self._value_of_smoke(place) if fires else most
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
        """Whom one may hit in a place where nobody is known to be; None where nobody can be."""
        if not self.hidden(place):
            return None
        one = TYPES[USUAL]
        mine = UnitState(full=one.models, cohesion=one.cohesion)
        return Unit(UNSEEN, 1 - self.side, one.title, one.name, place, one.models, True, 0, mine)

    # ---- standing somewhere

    @memo_table(bound=2_000)
    def _profile(self, number: int) -> Profile:
        """What is the same of a unit wherever it stands."""
        unit = self.state.units[number]
        return quick_look.profile_of(unit, works.armour_of(self.board, unit))

    def worth(self, unit: Unit) -> float:
        """Points that what is left of a unit is worth."""
        return self._profile[unit.id].worth

    def value_of_place(self, unit: Unit, place: int, fired: bool) -> Features:
        """What it is worth to a unit to stand in a place. `fired`: it has fired, and shows."""
        return self._standing(unit.id, place, fired)

    @memo_method(bound=20_000)
    def _standing(self, number: int, place: int, fired: bool) -> Features:
        """What it is worth to a unit, by its number, to be in a place."""
        unit = self.state.units[number]
        level, losses = self._losses_at(number, place)
        j, profile = self.judgement, self._profile[number]
        worth, shows = profile.worth, profile.signature if fired else -1
        if fired and not shows and level != concealment.TOTAL:  # firing shows no more of it
            return self._standing(number, place, False)
        if unit_state(unit).detected:  # who has been found is not lost sight of where he is seen
            lost = sum([loss for _, loss in losses])
        else:
            lost = sum([loss * max(quick_look.found(shown, shows), j.searched) for shown, loss in losses])
        exposure = min(lost + self._lurking[number, level, fired], worth) * self.importance(unit)
        return Features(exposure=exposure, progress=self.progress(unit, place), hold=self.hold(unit, place))

    @memo_table(bound=2_000)
    def _lurking(self, number: int, level: int, fired: bool) -> float:
        """What enemies that nobody has found may take of a unit, by its concealment."""
        profile = self._profile[number]
        chance = max(quick_look.found(level, profile.signature if fired else -1), self.judgement.searched)
        return self.judgement.lurking * self.unfound * profile.worth * chance

    def least_exposure(self, unit: Unit, place: int, fired: bool) -> float:
        """No place of its concealment exposes a unit less: that much it may lose to enemies that nobody has found."""
        level = concealment.place_level(self.state, self.board, place, unit)
        return min(self._lurking[unit.id, level, fired], self._profile[unit.id].worth) * self.importance(unit)

    @memo_method(bound=20_000)
    def _losses_at(self, number: int, place: int) -> tuple[int, list[tuple[int, float]]]:
        """The concealment of a unit in a place, and for each enemy that sees it there its concealment from him and what his fire
        may cost it."""
        unit = self.state.units[number]
        level, spaces = concealment.place_level(self.state, self.board, place, unit), self.board.spaces
        outdoors, room = spaces[place].kind != "floor", shoot.room_of(self.board, place)
        mine, shaken = self._profile[number], self.judgement.shaken
        losses: list[tuple[int, float]] = []
        for threat, theirs, _ in self._near(number, place):
            line = self.look.nearest(threat.place, place) if theirs >= 0 else None
            if line is not None and line.distance <= theirs:
                shown = concealment.covered(self.state, place, level, line.cover) if outdoors else level
                loss = quick_look.volley_loss(
                    threat.shooter,
                    mine.target,
                    mine.armour,
                    fire.as_far(threat.firer, line.distance),
                    min(shown, concealment.MORE),
                    False,
                    False,
                    threat.shaky,
                    room,
                    shaken,
                )
                losses.append((shown, threat.share * loss))
        return level, losses

    @memo_table(bound=2_000)
    def _rivals(self, number: int) -> list[Rival]:
        """The enemies that may cost a unit anything, or it them, somewhere."""
        unit, armour, found = self.state.units[number], self._profile[number].armour, list[Rival]()
        for threat in self._threats:
            theirs = fire.harms_at(self.state.units[threat.foe], armour)
            mine = fire.harms_at(unit, self._profile[threat.foe].armour)
            if theirs >= 0 or mine >= 0:
                found.append(Rival(threat, theirs, mine))
        return found

    @memo_method(bound=20_000)
    def _near(self, number: int, place: int) -> list[Rival]:
        """The enemies near enough to a place that they may cost a unit there anything, or it them."""
        too_far = self.board.sight.too_far
        return [
            rival
            for rival in self._rivals[number]
            if not too_far(rival.threat.place, place, max(rival.theirs, rival.mine))
        ]

    def best_shot(self, unit: Unit, place: int, stationary: bool = False, far: bool = False) -> float:
        """The most that a unit's volley from a place may cost an enemy in sight, along the line that it would fire by."""
        best, shaken, firer = 0.0, self.judgement.shaken, firer_of(unit)
        shooter, shaky = self._profile[unit.id].shooter, fire.is_suppressed(self.state, unit)
        for threat, _, mine in self._near(unit.id, place):
            line = self.look.nearest(place, threat.place) if mine >= 0 else None
            if line is not None and line.distance <= mine:
                foe, level, outdoors, room, importance = self._mark[threat.foe]
                if outdoors:
                    level = concealment.covered(self.state, threat.place, level, line.cover)
                distance = fire.as_far(firer, line.distance)
                loss = quick_look.volley_loss(
                    shooter, foe.target, foe.armour, distance, level, stationary, far, shaky, room, shaken
                )
                best = max(best, importance * loss)
        return best

    @memo_method(bound=2_000)
    def _most_shot(self, number: int) -> float:
        """`most_shot` of a unit by its number."""
        shooter, shaken, best = self._profile[number].shooter, self.judgement.shaken, 0.0
        for foe in self.foes:
            target, level, _, room, importance = self._mark[foe.id]
            loss = quick_look.volley_loss(
                shooter, target.target, target.armour, 0, level, False, False, False, room, shaken
            )
            best = max(best, importance * loss)
        return best

    def most_shot(self, unit: Unit) -> float:
        """No volley of a unit that moves is worth more, wherever it fires from."""
        return self._most_shot(unit.id)

    @memo_table(bound=2_000)
    def _mark(self, number: int) -> tuple[Profile, int, bool, int, float]:
        """What an enemy is to those who fire at it where it stands: profile, concealment by the place alone, whether a line may
        give it more, room there, what it counts."""
        foe = self.state.units[number]
        level, outdoors = (
            concealment.level_of(self.state, self.board, foe),
            self.board.spaces[foe.place].kind != "floor",
        )
        room = shoot.room_of(self.board, foe.place)
        return self._profile[number], level, outdoors, room, self.importance(foe)
