"""A position as an estimator looks at it: who threatens whom from where, where somebody may hide, and what places are worth.

Built from a view alone. Read `Appraisal.at`, the worth of one unit standing in one place, and `prior`.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt

from msgspec.structs import replace

from battlesim.board.board import Board
from battlesim.board.model import Space
from battlesim.core.geometry import INCH
from battlesim.core.memo import Memos, memo_method, memo_table, no_memos
from battlesim.core.state import State, Unit, fallen, standing_at
from battlesim.core.view import View
from battlesim.rules import scenario
from battlesim.rules.contract import Features
from battlesim.rulesets.armorclass import blaze, concealment, fire, flames, ground, quick_look, shoot, works
from battlesim.rulesets.armorclass.data import TYPES
from battlesim.rulesets.armorclass.line_of_sight import LineOfSight
from battlesim.rulesets.armorclass.model import able, type_of, unit_state

FAR = 60 * INCH
OBJECTIVE_WORTH = 5.0
"""What one point of an objective to stand on is worth, in points of unit worth, halfway through the battle: who
fights first stands
there last."""
NAMED_WORTH = 10.0
"""What one point for a unit or building named in an objective is worth."""
SHARE_OF_FIRE = 0.35
"""An enemy has other targets too."""
ACTED = 0.5
"""Share of an enemy's fire that still threatens once it has acted this turn."""
LURKING = 0.10
"""Share of a unit's worth that enemies nobody has found may take from it where it is easily found."""
HERE, OBJECTIVE, WORK = 0.02, 0.12, 0.3
"""Chance that somebody hides on a floor: anywhere, on an objective, in a fortification."""
USUAL: quick_look.Target = ("rifle_team", 4, 4, TYPES["rifle_team"].armour)
"""Whom one expects to find."""


Power = tuple[Unit, Space, int, tuple[str, tuple[int, ...]], float, bool]
"""An enemy that can fire: where it is, how far, with what; the share of its fire that threatens; whether it is suppressed."""


class Goal:
    """One objective as one side sees it."""

    __slots__ = ("crowd", "places", "point", "worth")

    def __init__(self, worth: float, places: tuple[int, ...], point: int = -1) -> None:
        self.worth = worth
        self.places = places
        self.point = point
        self.crowd = 0


class Pull:
    """What draws units that walk alike and stand on the same objectives. `draws`: by worth, the best first, how far each place
    is from it on foot, or points."""

    def __init__(self, board: Board, draws: list[tuple[float, list[list[int]], list[int]]]) -> None:
        self._board, self._draws = board, draws

    def near(self, place: int) -> float:
        """How near a place is to what is worth being near to."""
        best = 0.0
        for value, fields, points in self._draws:
            if value <= best:
                break
            least = FAR
            for field in fields:
                if 0 <= field[place] < least:
                    least = field[place]
            for point in points:
                least = min(least, max(self._board.distance(place, point) - 12 * INCH, 0))
            near = value * (1.0 - least / FAR)
            if near > best:
                best = near
        return best


class Appraisal:
    """What one side knows, prepared for looking at many places. Good for one view."""

    memos: Memos
    """What `features.py` has found of it."""

    def __init__(self, view: View, board: Board) -> None:
        self.memos = no_memos()
        self.board, self.side = board, view.side
        self.state = State(
            units=view.units,
            structures=view.structures,
            extra=view.extra,
            turn=view.turn,
            points=view.points,
            at=standing_at(view.units),
        )
        self.look = LineOfSight(self.state, board)
        self.fallen = fallen(self.state)
        self.mine = [u for u in view.units.values() if u.side == view.side and u.alive and u.place >= 0]
        self.foes = concealment.known_foes(self.state, view.side)
        self.burning = frozenset(flames.burning_places(self.state, board))
        self._doomed = self._burns_down()
        self._held: dict[int, list[Goal]] = {}
        self.goals = self._goals()
        self._posted = frozenset(foe.place for foe in self.foes)
        self._power: list[Power] = [
            (
                foe,
                board.spaces[foe.place],
                max(fire.reaches(foe)[0], 1),
                self._measure[foe.id].shooter,
                SHARE_OF_FIRE * (ACTED if unit_state(foe).acted else 1.0),
                fire.is_suppressed(self.state, foe),
            )
            for foe in self.foes
            if able(foe)
        ]
        self._farthest = max([power[2] for power in self._power], default=0)

    # ---- objectives

    def _burns_down(self) -> frozenset[int]:
        """Floors that will have burnt out before the battle ends, and those above them: nobody will hold them then."""
        known, gone = self.state.extra, []
        if known.options.damage == "ignored":
            return frozenset()
        for blazing in known.fires:
            for place, turn in blazing.taken:
                space = self.board.spaces[place]
                if space.kind == "floor" and turn + blaze.BURNS <= known.turns:
                    floors = self.board.sections[space.section].spaces
                    gone += [p for p in floors if self.board.spaces[p].floor >= space.floor]
        return frozenset(gone)

    def _goals(self) -> list[Goal]:
        extra = self.state.extra
        goals: list[Goal] = []
        for objective in extra.objectives:
            goals += self._goal(objective, OBJECTIVE_WORTH * objective.points)
        late = 0.5 + 2.0 * (self.state.turn / max(extra.turns, 1)) ** 2
        for goal in goals:
            goal.worth *= late
            for place in dict.fromkeys(goal.places):
                self._held.setdefault(place, []).append(goal)
        for unit in self.mine:
            for goal in self.held(unit.place):
                goal.crowd += 1
        return goals

    def held(self, place: int) -> Sequence[Goal]:
        """The objectives that whoever stands in a place stands on."""
        return self._held.get(place, ())

    def _goal(self, objective: scenario.Objective, share: float) -> list[Goal]:
        ours = objective.side in (-1, self.side)
        if objective.kind == "hold":
            places = tuple(
                p
                for p in objective.places
                if p not in self._doomed and works.tenable(self.state, self.board, p)
            )
            return [Goal(share if ours else 0.8 * share, places)] if places else []
        if objective.kind == "exit" and ours:
            places = tuple(s.id for s in self.board.spaces if s.kind == "ground" and objective.edge in s.edge)
            return [Goal(share * 2, places)]
        units = [self.state.units[u] for u in objective.units if u in self.state.units]
        hunted = [u for u in units if u.alive and u.place >= 0 and u.side != self.side]
        if hunted:
            return [Goal(share, (), u.place) for u in hunted]
        if objective.kind == "destroy" and ours:
            return [
                Goal(0.5 * share, (), self.board.sections[section].spaces[0])
                for section in objective.sections
                if section not in self.fallen
            ]
        return []

    @memo_table(bound=2_000)
    def _pull(self, number: int) -> Pull:
        """What draws a unit."""
        unit = self.state.units[number]
        return self._drawn(type_of(unit).foot, unit.place if unit.place in self._held else -1)

    @memo_method(bound=2_000)
    def _drawn(self, foot: bool, here: int) -> Pull:
        """What draws all who walk alike and are on the same objectives; `here`: where they are, -1 where that is no objective."""
        by_worth: dict[float, tuple[list[list[int]], list[int]]] = {}
        for goal in self.goals:
            value = goal.worth
            crowd = goal.crowd - (here in goal.places)
            if crowd > 0:
                value *= 0.3 / crowd
            if goal.places and not foot:
                value *= 0.4  # a vehicle supports those who go in
            fields, points = by_worth.setdefault(value, ([], []))
            if goal.places and foot:
                fields.append(ground.field(self.state, self.board, goal.places, True))
            else:
                points.append(goal.places[0] if goal.places else goal.point)
        draws = [(value, *by_worth[value]) for value in sorted(by_worth, reverse=True)]
        return Pull(self.board, draws)

    def pull(self, unit: Unit) -> Pull:
        """What draws a unit."""
        return self._pull[unit.id]

    def progress(self, unit: Unit, place: int) -> float:
        """How near a place is to what is worth being near to."""
        return self._pull[unit.id].near(place)

    def hold(self, unit: Unit, place: int) -> float:
        """What standing on an objective is worth; less where friends already do."""
        total = 0.0
        for goal in self._held.get(place, ()):
            crowd = goal.crowd - (unit.place in goal.places)
            total += 0.5 * goal.worth if not crowd else 0.05 * goal.worth
        return total

    def stake(self, unit: Unit) -> float:
        """How much more a unit counts than its worth, because objectives name it or it stands on one."""
        return self._stake[unit.id]

    @memo_table(bound=2_000)
    def _stake(self, number: int) -> float:
        """`stake` of a unit by its number."""
        unit = self.state.units[number]
        points: int = sum(
            goal.points
            for goal in self.state.extra.objectives
            if goal.kind in ("destroy", "survive") and number in goal.units
        )
        value = NAMED_WORTH * points
        if unit.side != self.side:
            value += sum(0.5 * goal.worth for goal in self.held(unit.place))
        return 1.0 + value / max(quick_look.worth(unit), 1.0)

    def doomed(self, section: int) -> float:
        """What it is worth that a section is damaged: objectives to destroy less those to keep or to hold."""
        total = 0.0
        for goal in self.state.extra.objectives:
            if section not in goal.sections:
                continue
            ours = goal.side in (-1, self.side)
            if goal.kind == "destroy":
                total += NAMED_WORTH * goal.points * (1 if ours else -1)
            elif goal.kind == "keep":
                total -= NAMED_WORTH * goal.points * (1 if ours else -1)
        inside = [goal for floor in self.board.sections[section].spaces for goal in self.held(floor)]
        if inside:
            for goal in self.goals:
                if goal in inside:
                    total -= 0.4 * goal.worth
        return total

    # ---- who may be where

    def prior(self, place: int) -> float:
        """The chance that an enemy nobody has found hides in a place."""
        space = self.board.spaces[place]
        if place in self._posted:
            return 0.0
        chance = OBJECTIVE if place in self._held else HERE
        if space.kind == "floor":
            make = works.make_of(self.board, space.section)
            if make.type != "building":
                chance = max(chance, WORK)
        elif works.fieldwork(self.state, place) is not None:
            chance = WORK
        # whoever has let so many turns pass without a shot is likely not there
        return chance / max(self.state.turn, 1)

    # ---- standing somewhere

    def measure(self, unit: Unit) -> quick_look.Measure:
        """What is the same of a unit wherever it stands."""
        return self._measure[unit.id]

    @memo_table(bound=2_000)
    def _measure(self, number: int) -> quick_look.Measure:
        """`measure` of a unit by its number."""
        unit = self.state.units[number]
        return quick_look.measure(unit, works.armour_of(self.board, unit))

    def standing(self, unit: Unit, place: int, fires: bool) -> Features:
        """What it is worth to a unit to be in a place; `fires`: it fires there."""
        return self._standing(unit.id, place, fires)

    @memo_method(bound=20_000)
    def _standing(self, number: int, place: int, fires: bool) -> Features:
        """`standing` of a unit by its number."""
        unit = self.state.units[number]
        level, threats = self._losses_at(number, place)
        if fires and level != concealment.TOTAL:  # firing shows no more of it
            return self._standing(number, place, False)
        chance, worth, stake = (
            quick_look.found(level, fires),
            self._measure[number].worth,
            self._stake[number],
        )
        exposure = 0.0
        for share, loss in threats:
            exposure += share * chance * loss
        exposure += LURKING * worth * chance
        return Features(
            exposure=min(exposure * stake, stake * worth),
            progress=self.progress(unit, place),
            hold=self.hold(unit, place),
        )

    @memo_method(bound=20_000)
    def _losses_at(self, number: int, place: int) -> tuple[int, list[tuple[float, float]]]:
        """The concealment of a unit in a place, and what the fire of each enemy may cost it: share of it, loss."""
        unit = self.state.units[number]
        level = concealment.place_level(self.state, self.board, place, unit)
        shown, room = min(level, concealment.MORE), shoot.room_of(self.board, place)
        target = self._measure[unit.id].target
        losses: list[tuple[float, float]] = []
        for (_, _, reach, shooter, share, shaky), distance in self._seen(number, place):
            if distance <= reach:
                band = distance // quick_look.BAND
                loss = quick_look.volley_loss(shooter, target, band, shown, False, False, shaky, room)
                losses.append((share, loss))
        return level, losses

    @memo_method(bound=20_000)
    def _seen(self, number: int, place: int) -> list[tuple[Power, int]]:
        """The enemies in sight of a place from where they reach it or a unit there them, with their distances."""
        found: list[tuple[Power, int]] = []
        here, mine = self.board.spaces[place], fire.reaches(self.state.units[number])[0]
        x, y, sure, sees = here.x, here.y, self.look.seers(place), self.look.sees
        far = max(mine, self._farthest)
        for power in self._power:
            there, reach = power[1], power[2]
            if not -far <= x - there.x <= far:
                continue
            distance = isqrt((x - there.x) ** 2 + (y - there.y) ** 2)
            if (distance <= reach or distance <= mine) and (there.id in sure or sees(there.id, place)):
                found.append((power, distance))
        return found

    def best_shot(self, unit: Unit, place: int, stationary: bool = False, far: bool = False) -> float:
        """The most that a unit's volley from a place may cost an enemy."""
        reach, best = fire.reaches(unit)[0], 0.0
        shooter, shaky = self._measure[unit.id].shooter, fire.is_suppressed(self.state, unit)
        for power, distance in self._seen(unit.id, place):
            if distance <= reach:
                target, level, room, stake = self._mark[power[0].id]
                band = distance // quick_look.BAND
                loss = quick_look.volley_loss(shooter, target, band, level, stationary, far, shaky, room)
                best = max(best, stake * loss)
        return best

    def loss(self, unit: Unit, foe: Unit, distance: int, stationary: bool, moved_far: bool) -> float:
        """What a volley costs an enemy in sight, objectives counted in."""
        target, level, room, stake = self._mark[foe.id]
        shooter, shaky = self._measure[unit.id].shooter, fire.is_suppressed(self.state, unit)
        band = distance // quick_look.BAND
        return stake * quick_look.volley_loss(
            shooter, target, band, level, stationary, moved_far, shaky, room
        )

    @memo_table(bound=2_000)
    def _mark(self, number: int) -> tuple[quick_look.Target, int, int, float]:
        """What an enemy is to those who fire at it where it stands: target, concealment, room there, what it counts."""
        foe = self.state.units[number]
        level = concealment.level_of(self.state, self.board, foe)
        return self._measure[foe.id].target, level, shoot.room_of(self.board, foe.place), self.stake(foe)

    def at(
        self, unit: Unit, place: int, fires: bool, stationary: bool = False, far: bool = False
    ) -> Features:
        """What it is worth to a unit to stand in a place; `fires`: it fires from there at once."""
        there = self.standing(unit, place, fires)
        best = self.best_shot(unit, place, stationary, far) if fires else 0.0
        return replace(there, dealt=best) if best else there
