"""What fire from one place at a unit in another is worth: at a unit in sight, or at the wall or bank before it.

Most of this is the same in the next position: the same weapons fire from the same places at the same teams. So it is kept for a
board (`_Kept`), except where field works, damage or fire have changed a place. Nothing here decides a rule. Read
`Crossfire.losses_at` and `Crossfire.best_shot`.
"""

from __future__ import annotations

from typing import NamedTuple, TypeVar

from battlesim.board.board import Board
from battlesim.core.memo import COMPARES, declare, memo_method, memo_table, owned_memo
from battlesim.core.memo_compare import compare, is_comparing
from battlesim.core.state import Unit
from battlesim.core.view import View
from battlesim.evaluation.time_left import another_turn
from battlesim.rules.contract import Features
from battlesim.rulesets.armorclass import concealment, fire, outcomes, quick_look, shoot, targets, works
from battlesim.rulesets.armorclass.judgement import Judgement
from battlesim.rulesets.armorclass.line_of_sight import LineOfSight
from battlesim.rulesets.armorclass.model import Options, able, battle_state, unit_state
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


Seen = tuple[int, float]
"""The concealment of a unit from an enemy that sees it, and the loss expected from that enemy's fire."""
Losses = dict[int, float]
"""Expected losses by place."""
Danger = tuple[Threat, int, dict[int, Seen | None], Losses]
"""An enemy whose fire can harm a unit, and the range of that. Then by the unit's place: what the enemy does to it if it sees it
(None: it does not), and what its fire through the wall or bank does. A plain tuple, as it is read for every place."""
Mark = tuple[int, int, float, float, Losses, Losses]
"""An enemy that a unit's fire can harm: its number, the range of that, its importance, and an upper bound of the worth of fire
through the wall or bank before it. Then by the unit's place: the enemy's loss to fire at it in sight, and through the wall."""


class _Kept:
    """Losses on a board while certain sections are down: by what decides them but the unit's place, then by that place. Changed
    places are left out."""

    def __init__(self) -> None:
        self.memo_dangers: dict[object, tuple[dict[int, Seen | None], Losses]] = {}
        self.memo_marks: dict[object, tuple[Losses, Losses]] = {}


_MOST_ROWS = 4_000
"""Rows of each kind that are kept; at that number all are dropped."""
_ANYWHERE = -1
"""Stands for the place of an upper bound that holds for all places."""
_NEW: Seen = (-1, -1.0)
"""Stands for a loss that is not known yet."""
_DANGERS = declare(
    f"{__name__}.Crossfire.losses_at",
    "What the fire of an enemy in one place does to a unit in another.",
    (
        ("firer", "Firer"),
        ("start", "int"),
        ("shaky", "bool"),
        ("target", "Target"),
        ("armour", "int"),
        ("place", "int"),
    ),
    1 << 20,
    "_Kept",
)
_MARKS = declare(
    f"{__name__}.Crossfire.best_shot",
    "What the fire of a unit in one place does to an enemy in another.",
    (
        *(("firer", "Firer"), ("start", "int"), ("shaky", "bool"), ("stationary", "bool"), ("far", "bool")),
        *(("target", "Target"), ("armour", "int"), ("level", "int"), ("place", "int")),
    ),
    1 << 20,
    "_Kept",
)

Loss = TypeVar("Loss")


def _enter(memo: str, row: dict[int, Loss], place: int, now: Loss) -> Loss:
    """Keep a loss that has been computed, and return it."""
    if COMPARES and place in row and not is_comparing():
        compare(memo, f"{place}", row[place], lambda: now)
    row[place] = now
    return now


def _row(rows: dict[object, tuple[dict[int, Loss], Losses]], key: object) -> tuple[dict[int, Loss], Losses]:
    """The two rows of a key; empty ones on first use."""
    found = rows.get(key)
    if found is None:
        if len(rows) >= _MOST_ROWS:
            rows.clear()
        found = rows[key] = ({}, {})
    return found


@owned_memo(bound=40)
def _kept_of(board: Board, down: frozenset[int], options: Options, shaken: float) -> _Kept:
    """The losses kept while certain sections are down. `shaken`: as in `Judgement`."""
    return _Kept()


class Crossfire(OutcomeWorth):
    """Who can fire at whom, and what that does. Valid for one view."""

    def __init__(self, view: View, board: Board, judgement: Judgement, weights: Features) -> None:
        super().__init__(view, board, judgement, weights)
        state, known = self.state, battle_state(self.state)
        self.look = LineOfSight(state, board)
        # An enemy that has acted fires again only if another turn follows.
        again = judgement.acted * another_turn(state.turn, known.turns)
        self._threats = [
            Threat(
                foe.id,
                foe.place,
                self._profile[foe.id].shooter,
                firer_of(foe),
                judgement.aim_share * (again if unit_state(foe).acted else 1.0),
                fire.is_suppressed(state, foe),
            )
            for foe in self.foes
            if able(foe)
        ]
        self._kept = _kept_of(board, state.down, known.options, judgement.shaken)
        self._kept_now = _Kept()
        """Kept for this position alone: losses by enemies in changed places, or of these enemies."""
        self._changed = {work.place for work in known.fieldworks}.union(known.burnt)
        """Places with field works, with burnt plants, or in damaged buildings."""
        for structure in state.structures.values():
            if structure.own:
                self._changed.update(board.sections[structure.section].spaces)

    def _kept_for(self, place: int) -> _Kept:
        """Where the losses by an enemy's fire, or to fire at it, are kept, by its place."""
        return self._kept_now if place in self._changed else self._kept

    # ---- fire at a unit

    @memo_table(bound=20_000)
    def losses_at(self, number: int, place: int) -> tuple[int, list[Seen]]:
        """The concealment of a unit in a place, and for each enemy that can fire at it there: (its concealment from that enemy,
        the loss expected from that fire)."""
        unit, changed = self.state.units[number], place in self._changed
        level = concealment.place_level(self.state, self.board, place, unit)
        covers = self._covers(unit, place)
        losses: list[Seen] = []
        unseeing: list[Danger] = []
        for danger in self._dangers[number]:
            threat, reach, seen, _ = danger
            found = _NEW if changed else seen.get(place, _NEW)
            if found is _NEW or COMPARES:
                now = self._seen_by(threat, reach, number, place, level, covers)
                found = now if changed else _enter(_DANGERS, seen, place, now)
            if found is not None:
                losses.append((found[0], threat.share * found[1]))
            elif covers:
                unseeing.append(danger)
        if losses:  # who sees only the wall fires at a unit behind it that others see (AC-ATTACK-2)
            for threat, reach, _, walls in unseeing:
                loss = None if changed else walls.get(place)
                if loss is None or COMPARES:
                    loss = self._through(threat.foe, threat.place, number, place, reach)
                    if not changed:
                        _enter(_DANGERS, walls, place, loss)
                losses.append((level, threat.share * loss))
        return level, losses

    @memo_table(bound=2_000)
    def _dangers(self, number: int) -> list[Danger]:
        """The enemies whose fire can harm a unit, at any distance."""
        mine, found = self._profile[number], list[Danger]()
        for threat in self._threats:
            reach = fire.harms_at(self.state.units[threat.foe], mine.armour)
            if reach >= 0:
                key = threat.firer, threat.place, threat.shaky, mine.target, mine.armour
                row = _row(self._kept_for(threat.place).memo_dangers, key)
                found.append((threat, reach, *row))
        return found

    def _seen_by(
        self, threat: Threat, reach: int, number: int, place: int, level: int, covers: bool
    ) -> Seen | None:
        """The concealment of a unit in a place from an enemy that sees it, and the loss expected from that enemy's fire."""
        line = self.look.nearest_within(threat.place, place, reach)
        if line is None:
            return None
        mine, outdoors = self._profile[number], self.board.spaces[place].kind != "floor"
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
            shoot.room_of(self.board, place),
            self.judgement.shaken,
        )
        # An enemy takes the better way: the opening by which it sees the unit, or the wall.
        if covers:
            loss = max(loss, self._through(threat.foe, threat.place, number, place, reach))
        return shown, loss

    # ---- fire through walls and banks

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
                if distance > reach:  # a line that is known already may be longer
                    continue
                wall, far = self.wall_classes[place, side], fire.as_far(as_it_is, distance)
                best = max(best, self._wall_loss[firer, target, place, wall, far])
        return best

    @memo_table(bound=2_000)
    def _firers(self, number: int) -> tuple[Firer, bool]:
        """What is left of a unit that fires, and whether it is suppressed."""
        unit = self.state.units[number]
        return firer_of(unit), fire.is_suppressed(self.state, unit)

    @memo_table(bound=2_000)
    def wall_classes(self, place: int, side: int) -> int:
        """The armour class of a wall of a floor, or (-1) of the bank before a place."""
        return targets.wall_of(self.state, self.board, place, side)

    @memo_table(bound=2_000)
    def _most_through(self, firer: int, target: int, place: int) -> float:
        """An upper bound of `_through` from anywhere: at no distance, by the lowest class of the walls or the bank."""
        if not self._covers(self.state.units[target], place):
            return 0.0
        space = self.board.spaces[place]
        sides = range(len(self.board.sections[space.section].sides)) if space.kind == "floor" else (-1,)
        weakest = min(self.wall_classes[place, side] for side in sides)
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

    # ---- a unit's own fire

    def best_shot(self, unit: Unit, place: int, stationary: bool = False, far: bool = False) -> float:
        """The highest expected loss that a unit's volley from a place may cause to one enemy: in sight, by the nearest line, or
        behind a wall or bank."""
        best, changed = 0.0, place in self._changed
        for foe, reach, importance, most, seen, walls in self._marks[unit.id, stationary, far]:
            loss = None if changed else seen.get(place)
            if loss is None or COMPARES:
                loss = self._shot_at(unit.id, place, foe, reach, stationary, far)
                if not changed:
                    _enter(_MARKS, seen, place, loss)
            if importance * loss > best:
                best = importance * loss
            if most > best:
                loss = None if changed else walls.get(place)
                if loss is None or COMPARES:
                    loss = self._through(unit.id, place, foe, self.state.units[foe].place, reach)
                    if not changed:
                        _enter(_MARKS, walls, place, loss)
                best = max(best, importance * loss)
        return best

    @memo_table(bound=2_000)
    def _marks(self, number: int, stationary: bool, far: bool) -> list[Mark]:
        """The enemies that a unit's fire can harm, at any distance. `stationary`: it does not move; `far`: it has moved far."""
        unit, found = self.state.units[number], list[Mark]()
        as_it_is, shaky = self._firers[number]
        for threat in self._threats:
            target, level, _, _, importance = self._mark[threat.foe]
            reach = fire.harms_at(unit, target.armour)
            if reach >= 0:
                key = as_it_is, shaky, stationary, far, target.target, target.armour, level, threat.place
                row = _row(self._kept_for(threat.place).memo_marks, key)
                most = row[1].get(_ANYWHERE)
                if most is None or COMPARES:
                    bound = self._most_through[number, threat.foe, threat.place]
                    most = _enter(_MARKS, row[1], _ANYWHERE, bound)
                found.append((threat.foe, reach, importance, importance * most, *row))
        return found

    def _shot_at(self, number: int, place: int, foe: int, reach: int, stationary: bool, far: bool) -> float:
        """The expected loss of an enemy to a unit's volley from a place by the nearest line; 0 if the unit would not see it."""
        there = self.state.units[foe].place
        line = self.look.nearest_within(place, there, reach)
        if line is None:
            return 0.0
        target, level, outdoors, room, _ = self._mark[foe]
        if outdoors:
            level = concealment.covered(self.state, there, level, line.cover)
        as_it_is, shaky = self._firers[number]
        distance, shooter = fire.as_far(as_it_is, line.distance), self._profile[number].shooter
        shaken = self.judgement.shaken
        return quick_look.volley_loss(
            shooter, target.target, target.armour, distance, level, stationary, far, shaky, room, shaken
        )

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
