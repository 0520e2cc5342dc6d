"""A position as an estimator looks at it: who threatens whom from where, and what places are worth.

Built from a view alone. Read `Situation.at`, the worth of one unit standing in one place.
"""

from __future__ import annotations

from math import isqrt

from msgspec.structs import replace

from battlesim.board.board import Board
from battlesim.board.sight import CLEAR
from battlesim.core.geometry import INCH
from battlesim.core.memo import memo_method, owned_memo
from battlesim.core.state import State, Unit, fallen, standing_at
from battlesim.core.view import View
from battlesim.rules import forces
from battlesim.rules.contract import Features
from battlesim.rulesets.orderdice import estimates, ground
from battlesim.rulesets.orderdice.armament import armament_of
from battlesim.rulesets.orderdice.model import DOWN, Extra, type_of

FAR = 60 * INCH
"""Progress is counted over this distance; what is farther counts as this far."""
OBJECTIVE_WORTH = 30.0
"""What one point of an objective is worth, in points of unit worth."""
CONTESTED = 0.5
"""Share of an objective's worth that the enemies on it count more by, between them."""
ACTED = 0.45
"""Share of an enemy's fire that still threatens this turn and next once its die is spent."""
SHARE_OF_FIRE = 0.6
"""An enemy has other targets too."""


_Eye = tuple[estimates.Target, int, list[tuple[int, int, int, int, int]]]
"""A unit as a target, its reach, and each enemy as (number, space, x, y, square of the distance from which on neither hurts the
other)."""


_Draw = tuple[list[int] | None, int, float, tuple[int, ...], int]
"""A goal as it draws a unit: distances by space or None, the point to be near, worth, places, how far it draws."""


class Goal:
    """One objective as one side sees it: `worth` points, the `places` to be in, or a `point` to be near. `leaves`: where units
    leave the board, all of them or only `units`."""

    __slots__ = ("crowd", "leaves", "places", "point", "units", "worth")

    def __init__(self, worth: float, places: tuple[int, ...], point: int = -1) -> None:
        self.worth = worth
        self.places = places
        self.point = point
        self.crowd = 0
        self.leaves = False
        self.units: tuple[int, ...] = ()

    def calls(self, unit: Unit) -> bool:
        """Whether a unit can do anything for it."""
        return not self.units or unit.id in self.units


class Situation:
    """What one side knows, prepared for looking at many places. Good for one view."""

    def __init__(self, view: View, board: Board) -> None:
        self.board, self.side = board, view.side
        self.state = State(
            units=view.units,
            structures=view.structures,
            extra=view.extra,
            turn=view.turn,
            points=view.points,
            at=standing_at(view.units),
        )
        self.fallen = fallen(self.state)
        self.mine = [u for u in self.state.living(view.side) if u.place >= 0]
        self.foes = [u for u in self.state.living(1 - view.side) if u.place >= 0]
        self.goals = self._goals(view.extra)
        self._points = [
            (u.place, board.spaces[u.place].x, board.spaces[u.place].y, armament_of(u).reach)
            for u in self.foes
        ]
        self._shooters = [estimates.shooter_of(foe) for foe in self.foes]
        self._worth_holding = frozenset(place for goal in self.goals for place in goal.places)

    # ---- objectives

    def _goals(self, extra: Extra) -> list[Goal]:
        goals: list[Goal] = []
        for objective in extra.objectives:
            goals += self._goal(objective, OBJECTIVE_WORTH * objective.points)
        for goal in goals:
            goal.crowd = sum(1 for u in self.mine if u.place in goal.places)
        late = 0.5 + 2.0 * (self.state.turn / max(extra.turns, 1)) ** 2  # held at the end is what scores
        for goal in goals:
            goal.worth *= late
        return goals

    def _goal(self, objective: forces.Goal, share: float) -> list[Goal]:
        ours = objective.side in (-1, self.side)
        if objective.kind == "hold":
            return [Goal(share if ours else 0.8 * share, objective.places)]
        if objective.kind == "exit" and ours:
            goal = Goal(share * 2, edge_places(self.board, objective.edge))
            goal.leaves, goal.units = True, objective.units
            return [goal]
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

    @memo_method(bound=16)
    def _fields(self, drive: str) -> list[tuple[Goal, list[int] | None]]:
        """Of each goal, how far every space is from it for all who move alike; None where it is but a point."""
        pace = ground.PACES[drive]
        return [
            (g, self.board.routes.field(pace, g.places, self.fallen) if g.places else None)
            for g in self.goals
        ]

    @memo_method(bound=2_000)
    def _draws(self, number: int) -> list[_Draw]:
        """What draws a unit, the dearest first. The way off the board draws only as far as there is time to go: whoever tarries
        loses it."""
        unit = self.state.units[number]
        drive = type_of(unit).drive or "foot"
        left = max(1, self.state.extra.turns - self.state.turn + 1)
        found: list[_Draw] = []
        for goal, field in self._fields(drive):
            if not goal.calls(unit):
                continue
            value = goal.worth
            most = left * ground.PACES[drive].phases[0].limit if goal.leaves else FAR
            crowd = goal.crowd - (unit.place in goal.places)
            if crowd > 0:
                value *= 0.3 / crowd
            found.append((field, goal.point, value, goal.places, most))
        found.sort(key=lambda drawn: -drawn[2])
        return found

    def progress(self, unit: Unit, place: int) -> float:
        """How near a place is to what is worth being near to."""
        board = self.board
        best = 0.0
        for field, point, value, places, most in self._draws(unit.id):
            if value <= best:
                break  # the others are worth no more
            if field is not None:
                far = field[place]
                if far < 0:
                    far = min(board.distance(place, p) for p in places[:8]) * 5 // 4
            else:
                far = max(board.distance(place, point) - 12 * INCH, 0)
            near = value * (1.0 - far / most) if far < most else 0.0
            if near > best:
                best = near
        return best

    def stake(self, unit: Unit) -> float:
        """How much more a unit counts than its worth, because objectives name it: 1 for one that none does."""
        return self._stake(unit.id)

    @memo_method(bound=2_000)
    def _stake(self, number: int) -> float:
        """`stake` of a unit by its number."""
        unit = self.state.units[number]
        points: int = sum(
            goal.points
            for goal in self.state.extra.objectives
            if goal.kind in ("destroy", "survive") and number in goal.units
        )
        value = OBJECTIVE_WORTH * points
        if unit.side != self.side:
            for goal in self.goals:
                if unit.place in goal.places:  # as long as it is there, nobody else holds it
                    there = sum(foe.place in goal.places for foe in self.foes)
                    value += CONTESTED * goal.worth / max(there, 1)
        return 1.0 + value / max(estimates.worth(unit), 1.0)

    def loss(
        self, unit: Unit, target: Unit, moved: bool, wall: int = -2, used: tuple[int, ...] = ()
    ) -> float:
        """What a volley costs its target, objectives counted in. The target may be looked at as if it were Down."""
        return self._loss(unit.id, target.id, target.own.order == DOWN, moved, wall, used)

    @memo_method(bound=20_000)
    def _loss(
        self, number: int, against: int, prone: bool, moved: bool, wall: int, used: tuple[int, ...]
    ) -> float:
        """`loss` of units by their numbers; `prone`: the target is Down."""
        unit, target = self.state.units[number], self.state.units[against]
        if prone != (target.own.order == DOWN):
            target = replace(target, own=replace(target.own, order=DOWN if prone else ""))
        cost = estimates.loss(self.state, self.board, unit, target, moved, wall, used)
        return self.stake(target) * cost

    def doomed(self, section: int) -> float:
        """What it is worth to a side that a section falls: objectives to destroy."""
        points: int = sum(
            goal.points
            for goal in self.state.extra.objectives
            if goal.kind == "destroy" and goal.side in (-1, self.side) and section in goal.sections
        )
        return OBJECTIVE_WORTH * points

    def hold(self, unit: Unit, place: int) -> float:
        """What standing on an objective is worth; less where friends already do."""
        total = 0.0
        if place not in self._worth_holding:
            return total
        for goal in self.goals:
            if place in goal.places and goal.calls(unit):
                crowd = goal.crowd - (unit.place in goal.places)
                total += 0.5 * goal.worth if not crowd else 0.05 * goal.worth
        return total

    # ---- fire

    @memo_method(bound=2_000)
    def _eye(self, number: int) -> _Eye:
        """What a unit is to the enemy, how far it shoots, and the enemies it may have to do with."""
        unit = self.state.units[number]
        mine = armament_of(unit).reach
        foes = [
            (foe, there, x, y, (max(mine, theirs) + 1) ** 2)
            for foe, (there, x, y, theirs) in enumerate(self._points)
        ]
        return (estimates.target_of(unit), mine, foes)

    def threat(self, foe: int, unit: Unit, band: int, cover: int) -> float:
        """Rough loss of a unit to one enemy (by its number) at a distance, discounted for what the enemy may rather do."""
        return self._threat(foe, unit.id, band, cover)

    @memo_method(bound=20_000)
    def _threat(self, foe: int, number: int, band: int, cover: int) -> float:
        """`threat` to a unit by its number."""
        share = SHARE_OF_FIRE * (ACTED if self.foes[foe].own.order else 1.0)
        loss = estimates.rough(self._shooters[foe], self._eye(number)[0], band, cover, False)
        return share * self._stake(number) * loss if loss else 0.0

    def chance(self, unit: Unit, foe: Unit, band: int, moved: bool) -> float:
        """Rough loss a unit's fire costs an enemy at a distance."""
        cover = estimates.shelter(self.board, foe.place)
        if foe.own.order == DOWN and not type_of(foe).vehicle:
            cover = max(cover, 2)
        loss = estimates.rough(estimates.shooter_of(unit), estimates.target_of(foe), band, cover, moved)
        return self.stake(foe) * loss if loss else 0.0

    @memo_method(bound=20_000)
    def _chance(self, number: int, foe: int, band: int, moved: bool) -> float:
        """`chance` of a unit by its number against an enemy by its place among `foes`."""
        return self.chance(self.state.units[number], self.foes[foe], band, moved)

    def at(self, unit: Unit, place: int, shoots: bool, moved: bool) -> Features:
        """What it is worth to a unit to stand in a place; `shoots`: it may fire from there at once, after moving or not."""
        return self._at(unit.id, place, shoots, moved)

    @memo_method(bound=20_000)
    def _at(self, number: int, place: int, shoots: bool, moved: bool) -> Features:
        """`at` for a unit by its number."""
        seen, there = self._standing(number, place)
        if not shoots:
            return there
        best, reach, chance = 0.0, self._eye(number)[1], self._chance
        for foe, band, distance in seen:
            if distance <= reach:
                value = chance(number, foe, band, moved)
                if value > best:
                    best = value
        return replace(there, dealt=best)

    @memo_method(bound=20_000)
    def _standing(self, number: int, place: int) -> tuple[list[tuple[int, int, int]], Features]:
        """The enemies in sight of a place, as (number, band, distance), and what it is worth to a unit to be there."""
        board, down, unit = self.board, self.fallen, self.state.units[number]
        sees = board.sight.sees
        row, limit = board.sight.maybe(place, down)
        here = board.spaces[place]
        cover = estimates.shelter(board, place)
        threat = self._threat
        exposure = 0.0
        seen: list[tuple[int, int, int]] = []
        x, y = here.x, here.y
        for foe, there, fx, fy, far in self._eye(number)[2]:
            code = row[there]
            if code > limit:
                continue
            gap = (x - fx) ** 2 + (y - fy) ** 2
            if gap >= far or not (code == CLEAR or sees(place, there, down)):
                continue  # neither can hurt the other
            distance = isqrt(gap)
            band = distance // estimates.BAND
            seen.append((foe, band, distance))
            exposure += threat(foe, number, band, cover)
        return seen, Features(
            exposure=min(exposure, self._stake(number) * estimates.worth(unit)),
            progress=self.progress(unit, place),
            hold=self.hold(unit, place),
        )


@owned_memo(bound=8)
def edge_places(board: Board, edge: str) -> tuple[int, ...]:
    """The outdoor spaces on a map edge."""
    return tuple(s.id for s in board.spaces if s.kind == "ground" and edge in s.edge)
