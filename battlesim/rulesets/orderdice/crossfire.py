"""Fire at a glance: what the fire of each unit at each enemy may cost, and the other way round, by distance and shelter.

Built only from a view and a judgement; nothing here decides a rule. Values are in points of unit worth. Read
`Crossfire.threat` and `Crossfire.chance`.
"""

from __future__ import annotations

from math import isqrt

from battlesim.board.board import Board
from battlesim.core.geometry import INCH
from battlesim.core.memo import memo_method, memo_property, memo_table, no_memos
from battlesim.core.state import Unit, fallen
from battlesim.core.sums import summed
from battlesim.core.view import View, known_state
from battlesim.evaluation.time_left import another_turn
from battlesim.rules.contract import Features
from battlesim.rulesets.orderdice import (
    estimates,
    expected_close,
    morale,
    quick_look,
)
from battlesim.rulesets.orderdice.armament import armament
from battlesim.rulesets.orderdice.judgement import Judgement
from battlesim.rulesets.orderdice.model import AMBUSH, DOWN, battle_state, type_of
from battlesim.rulesets.orderdice.objectives import stakes_of
from battlesim.rulesets.orderdice.quick_look import (
    BAND,
    OPENING,
    CombatProfile,
    Duel,
    Enemy,
    TargetProfile,
    duel,
    enemy_of,
)

_Enemies = list[tuple[int, int, int, bool, bool, tuple[int, ...], float]]
"""Each enemy as (space, index in `foes`, `reach`, `charges`, `cramped` and `bands` as in `Enemy`, the share of its fire that
threatens one unit). Plain tuples, as they are read for every place."""

STRIP, ENDLESS, MANY = 48 * INCH, 1 << 30, 40
"""With more than MANY enemies the field is divided into strips of this width; else it is one strip."""


class Crossfire:
    """What one side knows, prepared for looking at fire between its units and the enemy's. Valid for one view."""

    def __init__(self, view: View, board: Board, judgement: Judgement, weights: Features) -> None:
        self.memos = no_memos()
        self.board, self.side, self.judgement = board, view.side, judgement
        self.weights = weights
        self.state = known_state(view)
        self.fallen = fallen(self.state)
        self.foes = [u for u in self.state.living(1 - view.side) if u.place >= 0]
        self.stakes = stakes_of(self.state, board, self.side, self.foes, judgement)
        self._importance = self.stakes.importance
        self._width = STRIP if len(self.foes) > MANY else ENDLESS
        known = battle_state(self.state)
        self.later = another_turn(self.state.turn, known.turns, known.extra_turn)

    @memo_property
    def _shares(self) -> list[float]:
        """The share of each enemy's fire that threatens one unit, in the order of `foes`. An enemy that has acted acts again only
        if another turn follows. One in Ambush may still fire this turn."""
        j, again = self.judgement, {"": 1.0, AMBUSH: self.judgement.acted}
        return [j.aim_share * again.get(foe.own.order, j.acted * self.later) for foe in self.foes]

    @memo_property
    def _enemy(self) -> list[Enemy]:
        """The enemies, in the order of `foes`."""
        board = self.board
        return [
            enemy_of(
                board,
                foe.kind,
                foe.models,
                foe.own.spent,
                foe.own.pins,
                foe.own.quality,
                foe.place,
            )
            for foe in self.foes
        ]

    @memo_property
    def _numbers(self) -> dict[int, int]:
        """The index of each enemy in `foes`, by unit number."""
        return {foe.id: number for number, foe in enumerate(self.foes)}

    @memo_table(bound=2_000)
    def _target(self, number: int, prone: bool) -> TargetProfile:
        """A unit as a target. It counts as Down if `prone`, or if it is an enemy that is Down already."""
        unit = self.state.units[number]
        down = prone or (unit.side != self.side and unit.own.order == DOWN)
        return quick_look.target_of(unit, self._bonus[number], down)

    @memo_table(bound=2)
    def _officers(self, side: int) -> list[int]:
        """The numbers of a side's officers. Their orders may change while an appraisal is kept; the list does not."""
        return [officer.id for officer in morale.officers(self.state, side)]

    @memo_table(bound=2_000)
    def _bonus(self, number: int) -> int:
        """The morale bonus of a unit from officers, by its number."""
        units = self.state.units
        unit = units[number]
        return morale.best_bonus(self.board, unit, [units[one] for one in self._officers[unit.side]])

    def _bonus_of(self, unit: Unit) -> int:
        """The morale bonus of a unit from officers."""
        return self._bonus[unit.id]

    @memo_table(bound=2_000)
    def _enemies(self, reach: int, strip: int) -> _Enemies:
        """The enemies that may fight a unit of a given reach from a place in a strip of the field."""
        west, deep = strip * self._width, 2 * quick_look.most_depth(self.board)
        found = []
        for number, e in enumerate(self._enemy):
            far = (reach if reach > e.reach else e.reach) + deep + 1
            if west - far < e.x < west + self._width + far:
                found.append((e.place, number, e.reach, e.charges, e.cramped, e.bands, self._shares[number]))
        return found

    @memo_table(bound=20_000)
    def _duel(self, number: int, foe: int, moved: bool, men: int) -> Duel:
        """A unit's fire at an enemy (an index into `foes`). `men`: how many can shoot."""
        target = self._target[self.foes[foe].id, False]
        shooter, j = self._shooter[number][0], self.judgement
        return duel(shooter, target, self._enemy[foe].shelter, moved, men, j.pin, j.driven_out)

    @memo_table(bound=20_000)
    def _danger(self, foe: int, number: int, shelter: int, prone: bool, men: int) -> Duel:
        """The fire of an enemy (an index into `foes`) at a unit in a shelter; `men`: how many can shoot."""
        target, j = self._target[number, prone], self.judgement
        return duel(self._enemy[foe].shooter, target, shelter, False, men, j.pin, j.driven_out)

    @memo_property
    def _foes_importance(self) -> list[float]:
        """The importance of each enemy: the factor by which it counts more than its worth."""
        return [self._importance[foe.id] for foe in self.foes]

    @memo_method(bound=20_000)
    def _storm(self, foe: int, number: int, inside: bool) -> float:
        """The points an enemy (an index into `foes`) may gain by assaulting a unit; 0 if it would lose more than it gains."""
        unit, enemy = self.state.units[number], self.foes[foe]
        theirs, ours = expected_close.losses(estimates.fighters(enemy), estimates.fighters(unit), inside)
        lost = type_of(unit).worth * ours / max(unit.own.full, 1)
        gain = lost - type_of(enemy).worth * theirs / max(enemy.own.full, 1)
        acted = self.judgement.acted * self.later if enemy.own.order else 1.0
        return self.judgement.storm * acted * gain if gain > 0.0 else 0.0

    def threat(self, foe: int, unit: Unit, band: int, shelter: int) -> float:
        """A unit's expected loss to the fire of one enemy (an index into `foes`) at a distance."""
        bands = self._enemy[foe].bands
        if band >= len(bands):
            return 0.0
        loss = self._danger[foe, unit.id, shelter, False, quick_look.EVERYBODY].loss[bands[band]]
        return self._shares[foe] * loss * self._importance[unit.id]

    def chance(self, unit: Unit, foe: Unit, band: int, moved: bool, men: int = quick_look.EVERYBODY) -> float:
        """An enemy's expected loss to a unit's fire at a distance."""
        bands = self._shooter[unit.id][1]
        if band >= len(bands):
            return 0.0
        return self._chance(unit.id, self._numbers[foe.id], bands[band], moved, men)

    def at_a_glance(self, unit: Unit, foe: Unit, moved: bool) -> float:
        """`chance` from where the unit is."""
        return self.chance(unit, foe, quick_look.range_of(self.board, unit.place, foe.place) // BAND, moved)

    def value_of_waiting(self, unit: Unit) -> float:
        """The worth of waiting in Ambush: a share of what the unit's fire from its place does to each enemy in its reach, seen or
        not, that may come into its sight. An enemy that has acted this turn counts for less, and only if another turn follows.
        However many there are, the unit fires once, and perhaps nobody comes: a share of its best shot is the most."""
        number = unit.id
        _, bands, reach, _ = self._shooter[number]
        here, depth = self.board.spaces[unit.place], quick_look.depth(self.board, unit.place)
        # No weapon reaches a band that begins beyond all ranges.
        j, best = self.judgement, 0.0
        last, again = min(reach // BAND, len(bands) - 1), j.wait_again * self.later
        found: list[float] = []
        for foe, enemy in enumerate(self._enemy):
            gap = isqrt((enemy.x - here.x) ** 2 + (enemy.y - here.y) ** 2) - depth - enemy.depth
            band = gap // BAND if gap > 0 else 0
            if band <= last:
                chance = self._chance(number, foe, bands[band], False, quick_look.EVERYBODY)
                best = max(best, chance)
                found.append(again * chance if self.foes[foe].own.order else chance)
        return min(j.wait * summed(found), j.wait_most * best)

    def _chance(self, number: int, foe: int, band: int, moved: bool, men: int) -> float:
        """`chance` of a unit by its number against an enemy by its index in `foes`."""
        return self._duel[number, foe, moved, men].loss[band] * self._foes_importance[foe]

    @memo_table(bound=2_000)
    def _shooter(self, number: int) -> tuple[CombatProfile, tuple[int, ...], int, bool]:
        """A unit as a shooter, its distance bands, its range, and whether it has more weapons than can fire through one
        opening."""
        shooter = quick_look.shooter_of(self.state.units[number])
        carried = armament(shooter.kind, shooter.models, shooter.spent)
        bands = quick_look.bands_of(shooter.kind, shooter.models, shooter.spent)
        return shooter, bands, carried.reach, len(carried.arms) > OPENING
