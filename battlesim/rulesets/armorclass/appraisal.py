"""How a player judges a position: who threatens whom, and what places and shots are worth.

Built only from a view and a judgement. Values are in points of unit worth. Read `Appraisal.value_of_place`, the worth of one
unit standing in one place. What the outcomes of acts are worth is in `outcome_worth.py`.
"""

from __future__ import annotations

from typing import NamedTuple

from battlesim.board.board import Board
from battlesim.core.memo import Memos, memo_method, memo_table
from battlesim.core.state import Unit
from battlesim.core.view import View
from battlesim.evaluation.time_left import another_turn
from battlesim.rules.contract import Features
from battlesim.rulesets.armorclass import (
    concealment,
    fire,
    outcomes,
    quick_look,
    shoot,
    targets,
    works,
)
from battlesim.rulesets.armorclass.judgement import Judgement
from battlesim.rulesets.armorclass.line_of_sight import LineOfSight
from battlesim.rulesets.armorclass.model import able, battle_state, unit_state
from battlesim.rulesets.armorclass.outcome_worth import OutcomeWorth
from battlesim.rulesets.armorclass.quick_look import Profile
from battlesim.rulesets.armorclass.volleys import Firer, firer_of


class Threat(NamedTuple):
    """An enemy that can fire: its number, its place, its type and working weapons, its state as a firer (`firer_of`), the share
    of its fire that threatens one unit, and whether it is suppressed."""

    foe: int
    place: int
    shooter: tuple[str, tuple[int, ...]]
    firer: Firer
    share: float
    shaky: bool


Rival = tuple[Threat, int, int]
"""A threat to one unit: the enemy, the range within which its fire can harm the unit, and the range within which the unit's fire
can harm it; -1: nowhere. A plain tuple, as it is read for every place."""


class Appraisal(OutcomeWorth):
    """What one side knows, prepared for judging many places. Valid for one view."""

    memos: Memos
    """Results that `features.py` keeps for this position."""

    def __init__(self, view: View, board: Board, judgement: Judgement, weights: Features) -> None:
        super().__init__(view, board, judgement, weights)
        self.look = LineOfSight(self.state, board)
        # An enemy that has acted fires again only if another turn follows.
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

    def value_of_place(self, unit: Unit, place: int, fired: bool) -> Features:
        """The worth to a unit of standing in a place. `fired`: it has fired, which makes it easier to find."""
        return self._standing[unit.id, place, fired]

    @memo_table(bound=20_000)
    def _standing(self, number: int, place: int, fired: bool) -> Features:
        """`value_of_place` of a unit by its number."""
        unit = self.state.units[number]
        level, losses = self._losses_at[number, place]
        j, profile = self.judgement, self._profile[number]
        worth, shows = profile.worth, profile.signature if fired else -1
        if fired and not shows and level != concealment.TOTAL:  # firing does not make it easier to find
            return self._standing[number, place, False]
        if unit_state(unit).detected:  # a unit that has been found stays found where it is seen
            lost = sum([loss for _, loss in losses])
        else:
            lost = sum([loss * max(quick_look.found(shown, shows), j.searched) for shown, loss in losses])
        exposure = min(lost + self._lurking[number, level, fired], worth) * self.importance(unit)
        return Features(exposure=exposure, progress=self.progress(unit, place), hold=self.hold(unit, place))

    @memo_table(bound=2_000)
    def _lurking(self, number: int, level: int, fired: bool) -> float:
        """The loss a unit may suffer from enemies that nobody has found, by its concealment."""
        profile = self._profile[number]
        chance = max(quick_look.found(level, profile.signature if fired else -1), self.judgement.searched)
        return self.judgement.lurking * self.unfound * profile.worth * chance

    def least_exposure(self, unit: Unit, place: int, fired: bool) -> float:
        """A lower bound of a unit's exposure in a place: what it may lose to enemies that nobody has found."""
        level = concealment.place_level(self.state, self.board, place, unit)
        return min(self._lurking[unit.id, level, fired], self._profile[unit.id].worth) * self.importance(unit)

    @memo_table(bound=20_000)
    def _losses_at(self, number: int, place: int) -> tuple[int, list[tuple[int, float]]]:
        """The concealment of a unit in a place, and for each enemy that sees it there: (its concealment from that enemy, the
        loss expected from that enemy's fire)."""
        unit, outdoors = self.state.units[number], self.board.spaces[place].kind != "floor"
        level = concealment.place_level(self.state, self.board, place, unit)
        room, mine, shaken = shoot.room_of(self.board, place), self._profile[number], self.judgement.shaken
        losses: list[tuple[int, float]] = []
        unseeing: list[tuple[Threat, int]] = []
        covers = self._covers(unit, place)
        for threat, theirs, _ in self._rivals[number]:
            line = self.look.nearest_within(threat.place, place, theirs) if theirs >= 0 else None
            if line is not None:
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
                # An enemy takes the better way: the opening by which it sees the unit, or the wall.
                if covers:
                    loss = max(loss, self._through(threat.foe, threat.place, number, place, theirs))
                losses.append((shown, threat.share * loss))
            elif covers and theirs >= 0:
                unseeing.append((threat, theirs))
        if losses:  # who sees only the wall fires at a unit behind it that others see (AC-ATTACK-2)
            for threat, theirs in unseeing:
                loss = self._through(threat.foe, threat.place, number, place, theirs)
                losses.append((level, threat.share * loss))
        return level, losses

    def _covers(self, unit: Unit, place: int) -> bool:
        """Whether a unit in a place stands behind a wall or bank, so that it can be fired at through it."""
        space = self.board.spaces[place]
        if space.kind == "floor":
            return not space.roof
        work = works.fieldwork(self.state, place)
        return work is not None and works.shelters(self.state, work, unit)

    def _through(self, firer: int, start: int, target: int, place: int, reach: int) -> float:
        """The highest expected loss of a known unit in a place to another unit's fire from `start`, no farther than `reach`,
        through a wall or bank before it."""
        best = 0.0
        if walls := self.look.struck(start, place, reach):
            as_it_is, _ = self._firers[firer]
            for side, distance in walls:
                wall, far = self._wall_classes[place, side], fire.as_far(as_it_is, distance)
                best = max(best, self._wall_loss[firer, target, place, wall, far])
        return best

    @memo_table(bound=2_000)
    def _firers(self, number: int) -> tuple[Firer, bool]:
        """What is left of a unit that fires, and whether it is suppressed."""
        unit = self.state.units[number]
        return firer_of(unit), fire.is_suppressed(self.state, unit)

    @memo_table(bound=2_000)
    def _wall_classes(self, place: int, side: int) -> int:
        """The armour class of a wall of a floor, or (-1) of the bank before a place."""
        return targets.wall_of(self.state, self.board, place, side)

    @memo_table(bound=2_000)
    def _most_through(self, firer: int, target: int, place: int) -> float:
        """An upper bound of `_through` from anywhere: at no distance, by the lowest class of the walls or the bank."""
        if not self._covers(self.state.units[target], place):
            return 0.0
        space = self.board.spaces[place]
        sides = range(len(self.board.sections[space.section].sides)) if space.kind == "floor" else (-1,)
        weakest = min(self._wall_classes[place, side] for side in sides)
        return self._wall_loss[firer, target, place, weakest, 0]

    @memo_table(bound=20_000)
    def _wall_loss(self, firer: int, target: int, place: int, wall: int, distance: int) -> float:
        """The expected loss of a known unit in a place to another unit's fire through a wall or bank of some class before it."""
        indoors, room, stands = self._shelter[place]
        mark, (as_it_is, suppressed) = self._profile[target], self._firers[firer]
        options, shaken = battle_state(self.state).options, self.judgement.shaken
        return quick_look.wall_loss(
            as_it_is,
            mark.target,
            mark.armour,
            distance,
            wall,
            indoors,
            suppressed,
            room,
            options,
            stands,
            shaken,
        )

    @memo_table(bound=2_000)
    def _shelter(self, place: int) -> tuple[bool, int, int]:
        """Whether a place is a floor, its room for an explosion, and the structure points left of its building (0: none)."""
        space = self.board.spaces[place]
        indoors = space.kind == "floor"
        stands = outcomes.points_left(self.state, self.board, space.section) if indoors else 0
        return indoors, shoot.room_of(self.board, place), stands

    @memo_table(bound=2_000)
    def _rivals(self, number: int) -> list[Rival]:
        """The enemies that can harm a unit, or that it can harm, at any distance."""
        unit, armour, found = self.state.units[number], self._profile[number].armour, list[Rival]()
        for threat in self._threats:
            theirs = fire.harms_at(self.state.units[threat.foe], armour)
            mine = fire.harms_at(unit, self._profile[threat.foe].armour)
            if theirs >= 0 or mine >= 0:
                found.append((threat, theirs, mine))
        return found

    def best_shot(self, unit: Unit, place: int, stationary: bool = False, far: bool = False) -> float:
        """The highest expected loss that a unit's volley from a place may cause to one enemy: in sight, by the nearest line, or
        behind a wall or bank."""
        best, shaken, firer = 0.0, self.judgement.shaken, firer_of(unit)
        shooter, shaky = self._profile[unit.id].shooter, fire.is_suppressed(self.state, unit)
        for threat, _, mine in self._rivals[unit.id]:
            line = self.look.nearest_within(place, threat.place, mine) if mine >= 0 else None
            if line is not None:
                foe, level, outdoors, room, importance = self._mark[threat.foe]
                if outdoors:
                    level = concealment.covered(self.state, threat.place, level, line.cover)
                distance = fire.as_far(firer, line.distance)
                loss = quick_look.volley_loss(
                    shooter, foe.target, foe.armour, distance, level, stationary, far, shaky, room, shaken
                )
                best = max(best, importance * loss)
            importance = self._mark[threat.foe][4]
            if mine >= 0 and importance * self._most_through[unit.id, threat.foe, threat.place] > best:
                loss = self._through(unit.id, place, threat.foe, threat.place, mine)
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
            if loss:
                loss = max(loss, self._most_through[number, foe.id, foe.place])
            best = max(best, importance * loss)
        return best

    def most_shot(self, unit: Unit) -> float:
        """An upper bound of the worth of a volley of a unit that moves, from any place."""
        return self._most_shot(unit.id)

    @memo_table(bound=2_000)
    def _mark(self, number: int) -> tuple[Profile, int, bool, int, float]:
        """An enemy as a target where it stands: profile, concealment by the place alone, whether the line of fire may give it
        more, room there, importance."""
        foe = self.state.units[number]
        level, outdoors = (
            concealment.level_of(self.state, self.board, foe),
            self.board.spaces[foe.place].kind != "floor",
        )
        room = shoot.room_of(self.board, foe.place)
        return self._profile[number], level, outdoors, room, self.importance(foe)
