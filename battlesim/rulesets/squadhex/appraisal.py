"""A position as an estimator looks at it: who threatens whom from where, and what places are worth.

Built from a view alone. Read `Appraisal.at`, the worth of one unit standing in one place.
"""

from __future__ import annotations

from heapq import heappop, heappush

from battlesim.board.board import Board
from battlesim.core.memo import memo_method, memo_property, memo_table, no_memos, owned_memo
from battlesim.core.state import State, Unit, fallen, standing_at
from battlesim.core.view import View
from battlesim.rules.contract import Features
from battlesim.rulesets.squadhex import estimates, expected
from battlesim.rulesets.squadhex.fire import (
    class_of,
    dice_at,
    halvings,
    need,
    reaches,
    required,
    strength_at_building,
)
from battlesim.rulesets.squadhex.ground import Neighbours, cover, covers, neighbours, neighbours_of
from battlesim.rulesets.squadhex.hexes import Hexes, hexes
from battlesim.rulesets.squadhex.line_of_sight import SEEN, lines_of_sight
from battlesim.rulesets.squadhex.model import (
    NORMAL,
    SUPPRESSIVE,
    BattleState,
    battle_state,
    is_weakened,
    type_of,
    unit_state,
)
from battlesim.rulesets.squadhex.targets import occupants

FAR = 36
"""Progress is counted over so many half movement points; what is farther counts as this far."""
POINT_WORTH = 30.0
"""What one point scored is worth, in points of unit worth."""
HELD = 0.3
"""Share of an objective's worth that still draws those who hold it already."""
EXPOSED = 1.5
"""How much more than one attack of each enemy a place in their sight is worth being out of."""
LATE = 2.5
"""How much more suppression counts in the last round than in the first."""
CONTESTED = 0.5
"""Share of an objective's worth that the enemies on it count more by, between them."""
SHARE_OF_FIRE = 0.5
"""An enemy has other targets, too."""
ACTED = 0.6
"""Share of an enemy's fire that threatens next round, once it has acted in this."""
WEAKENED = 0.5
"""Share of what a fall is worth that a weakened building hex is: half the hits are still to come."""


class Aim:
    """One objective as one side sees it: `worth` points, the `places` to be in, or a `point` to be near."""

    __slots__ = ("crowd", "places", "point", "worth")

    def __init__(self, worth: float, places: tuple[int, ...], point: int = -1) -> None:
        self.worth, self.places, self.point = worth, places, point
        self.crowd = 0


class Appraisal:
    """What one side knows, prepared for looking at many places. Good for one view."""

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
        self.down = fallen(self.state)
        self.grid: Hexes = hexes(board)
        self.steps: Neighbours = neighbours(self.state, board)
        self.mine = [u for u in view.units.values() if u.side == view.side and u.place >= 0]
        self.foes = [u for u in view.units.values() if u.side != view.side and u.place >= 0]
        self.waiting = [u for u in self.foes if unit_state(u).waits]
        self.rounds_left = battle_state(self.state).turns - view.turn + 1
        self._held: dict[int, list[Aim]] = {}
        self.aims = self._aims(battle_state(self.state))
        self._eyes, self._covers = lines_of_sight(board), covers(board)
        self._far = max((max(reaches(u.kind, u.models)) for u in (*self.mine, *self.foes)), default=-1)

    # ---- objectives

    def _aims(self, known: BattleState) -> list[Aim]:
        found: list[Aim] = []
        late = 0.7 + 0.6 * self.state.turn / max(known.turns, 1)
        for number, goal in enumerate(known.objectives):
            share = POINT_WORTH * goal.points * late
            ours = goal.side in (-1, self.side)
            if goal.kind == "hold":
                if known.each_round:
                    share *= 0.4 * max(1, self.rounds_left)
                held = known.held[number] == self.side and not any(
                    self.state.units[u].side != self.side
                    for p in goal.places
                    for u in self.state.at.get(p, ())
                )
                found.append(Aim(share * (HELD if held else 1.0) * (1.0 if ours else 0.8), goal.places))
            elif goal.kind == "exit" and ours:
                edge = tuple(s.id for s in self.board.spaces if s.kind == "ground" and goal.edge in s.edge)
                found.append(Aim(share, edge))
            elif goal.units:
                hunted = [self.state.units[u] for u in goal.units if u in self.state.units]
                found += [
                    Aim(0.5 * share, (), u.place) for u in hunted if u.place >= 0 and u.side != self.side
                ]
            elif goal.kind == "destroy" and ours:
                found += [
                    Aim(0.4 * share, (), self.board.sections[n].spaces[0])
                    for n in goal.sections
                    if n not in self.down
                ]
        for aim in found:
            for place in dict.fromkeys(aim.places):
                self._held.setdefault(place, []).append(aim)
        for unit in self.mine:
            for aim in self._held.get(unit.place, ()):
                aim.crowd += 1
        return found

    def exits(self, unit: Unit, place: int) -> float:
        """What it is worth to leave the board from a place."""
        edge = self.board.spaces[place].edge
        if not edge or place == unit.place:
            return 0.0
        return sum(
            POINT_WORTH * goal.points * 2
            for goal in battle_state(self.state).objectives
            if goal.kind == "exit"
            and goal.side == unit.side
            and goal.edge in edge
            and (not goal.units or unit.id in goal.units)
        )

    def progress(self, unit: Unit, place: int) -> float:
        """How near a place is to what is worth being near to."""
        return self._progress(unit.id, place)

    @memo_method(bound=20_000)
    def _progress(self, number: int, place: int) -> float:
        """`progress` of a unit by its number."""
        unit = self.state.units[number]
        best = 0.0
        here = unit.place if unit.place in self._held else -1
        for value, field in self._drawing(type_of(unit).vehicle, here):
            near = value * (FAR - field[place]) / FAR
            if near > best:
                best = near
        return best

    @memo_method(bound=2_000)
    def _drawing(self, vehicle: bool, here: int) -> list[tuple[float, list[int]]]:
        """What draws a unit, and how far each place is from it: the same for all who go alike and are on the same objectives;
        `here`: where it is, -1 where that is no objective."""
        found: list[tuple[float, list[int]]] = []
        for aim in self.aims:
            value = aim.worth
            crowd = aim.crowd - (here in aim.places)
            if crowd > 0:
                value *= 0.3 / crowd
            places = aim.places or (aim.point,)
            found.append((value, _field(self.board, places, vehicle, self.down, self.steps.shut)))
        return found

    def hold(self, unit: Unit, place: int) -> float:
        """What standing on an objective is worth; less where friends already do."""
        total = 0.0
        for aim in self._held.get(place, ()):
            crowd = aim.crowd - (unit.place in aim.places)
            total += 0.5 * aim.worth if not crowd else 0.05 * aim.worth
        return total + self.exits(unit, place)

    def importance(self, unit: Unit) -> float:
        """How much more a unit counts than its worth, because objectives name it or are held by it: 1 for one that none does."""
        return self._importance[unit.id]

    @memo_table(bound=2_000)
    def _importance(self, number: int) -> float:
        """`stake` of a unit by its number."""
        unit = self.state.units[number]
        value = POINT_WORTH * sum(
            goal.points
            for goal in battle_state(self.state).objectives
            if goal.kind in ("destroy", "survive") and number in goal.units
        )
        if unit.side != self.side:
            for aim in self._held.get(unit.place, ()):
                there = sum(foe.place in aim.places for foe in self.foes)
                value += CONTESTED * aim.worth / max(there, 1)
        return 1.0 + value / max(estimates.worth(unit), 1.0)

    # ---- fire

    def late(self, mode: str) -> float:
        """How much more suppression counts the fewer rounds the dead would be missed in: 1 in the first, LATE in the last."""
        return 1.0 if mode == NORMAL else self._late

    @memo_property
    def _late(self) -> float:
        """How much more suppression counts now."""
        turns = battle_state(self.state).turns
        return 1.0 + (LATE - 1.0) * min(1.0, (self.state.turn - 1) / max(turns - 1, 1))

    def dice(self, unit: Unit, place: int, target: Unit, there: int, moved: bool) -> tuple[int, int]:
        """(dice, what they need) of a unit on one place against a unit on another; sight is the caller's business."""
        return self._dice(unit, self.grid.between(place, there), target, there, moved)

    def _dice(self, unit: Unit, away: int, target: Unit, there: int, moved: bool) -> tuple[int, int]:
        inside = self.board.spaces[there].kind == "floor"
        return dice_at(unit.kind, unit.models, halvings(unit, moved), class_of(target), inside, away)

    def sees(self, a: int, b: int) -> bool:
        return self._eyes.sees(a, b, self.down)

    @memo_table(bound=20_000)
    def sighted(self, place: int) -> list[tuple[Unit, int, int, float]]:
        """The enemies in sight of a place, as far as anybody fires: with their distances, their cover, the share of their fire
        that threatens."""
        far, look, down = self._far, self._eyes.look, self.down
        seen, apart = self._eyes.row(place, down), self.grid.distances(place)
        return [
            (foe, away, covered, share)
            for foe, there, number, covered, share in self._spots
            if (away := apart[number]) <= far and (seen[there] or look(place, there, down)) == SEEN
        ]

    @memo_property
    def _spots(self) -> list[tuple[Unit, int, int, int, float]]:
        """The enemies, the spaces and the hexes they are on, their cover, the share of their fire that threatens."""
        of, covered = self.grid.of, self._covers
        return [(u, u.place, of[u.place], covered[u.place], self._share(u)) for u in self.foes]

    def loss(self, unit: Unit, place: int, target: Unit, mode: str, moved: bool, more: int = 0) -> float:
        """Expected points that a unit's attack from a place costs a target, objectives counted in; `more` dice by others."""
        return self.best_loss(unit, place, target, moved, more, (mode,))

    def best_loss(
        self,
        unit: Unit,
        place: int,
        target: Unit,
        moved: bool,
        more: int = 0,
        modes: tuple[str, ...] = (NORMAL, SUPPRESSIVE),
    ) -> float:
        """The same for the best of some modes."""
        dice, wanted = self.dice(unit, place, target, target.place, moved)
        defence = cover(self.board, target.place) + type_of(target).armour
        importance = self.importance(target)
        return max(
            importance * self.late(mode) * estimates.fire_value(target, mode, dice + more, wanted, defence)
            for mode in modes
        )

    def best_shot(self, unit: Unit, place: int, moved: bool) -> float:
        """The best attack of a unit from a place."""
        return self._best_shot(unit.id, place, moved)

    @memo_method(bound=20_000)
    def _best_shot(self, number: int, place: int, moved: bool) -> float:
        """`best_shot` of a unit by its number."""
        unit = self.state.units[number]
        best, reach = 0.0, max(reaches(unit.kind, unit.models))
        for foe, away, covered, _ in self.sighted[place]:
            if away > reach:
                continue
            value = self._shot(unit, foe, away, covered, moved)
            if value > best:
                best = value
        return best

    def _shot(self, unit: Unit, foe: Unit, away: int, covered: int, moved: bool) -> float:
        """The better way to fire at an enemy from so far away."""
        dice, wanted = self._dice(unit, away, foe, foe.place, moved)
        if not dice:
            return 0.0
        defence = covered + type_of(foe).armour
        value = max(
            estimates.fire_value(foe, "normal", dice, wanted, defence),
            self.late(SUPPRESSIVE) * estimates.suppression(foe, dice, wanted, defence),
        )
        return self.importance(foe) * value

    def best_here(self, unit: Unit) -> float:
        """The best attack of a unit from where it is."""
        return self.best_shot(unit, unit.place, False)

    def _share(self, foe: Unit) -> float:
        """The share of an enemy's fire that threatens: it has other targets, too, and may have acted or be disrupted."""
        mine = unit_state(foe)
        share = SHARE_OF_FIRE * (1.0 if mine.fresh or mine.waits else ACTED)
        return share * 0.3 if mine.disrupted else share

    def at(self, unit: Unit, place: int) -> Features:
        """What it is worth to a unit to stand in a place: exposure, progress, hold."""
        return self._at(unit.id, place)

    @memo_method(bound=20_000)
    def _at(self, number: int, place: int) -> Features:
        """`at` for a unit by its number."""
        unit, covered = self.state.units[number], self._covers[place]
        exposure, threat, target = 0.0, estimates.threat, estimates.target_of(unit)
        for foe, away, _, share in self.sighted[place]:
            exposure += share * threat(foe.kind, foe.models, target, away, covered)
        exposure = EXPOSED * min(exposure, 0.8 * estimates.worth(unit)) * self.importance(unit)
        return Features(
            exposure=0.0 if self.exits(unit, place) else exposure,
            progress=self.progress(unit, place),
            hold=self.hold(unit, place),
        )

    # ---- buildings

    def value_of_fall(self, section: int) -> float:
        """What it is worth to a side that a building hex falls: those inside, objectives to destroy."""
        points = sum(
            goal.points / len(goal.sections)
            for goal in battle_state(self.state).objectives
            if goal.kind == "destroy" and goal.side in (-1, self.side) and section in goal.sections
        )
        floors = self.board.sections[section].top + 1
        value = 2 * POINT_WORTH * points
        for unit in occupants(self.state, self.board, section):
            loss = estimates.fall_loss(unit, floors) * self.importance(unit)
            value += loss if unit.side != self.side else -loss
        return value

    def value_at_building(self, section: int, dice: int, wanted: int) -> float:
        """Expected worth of an attack on a building hex."""
        weakened = is_weakened(self.state, section)
        whole = required(self.board.sections[section].top, weakened)
        falls, weakens = expected.walls(dice, wanted, whole, weakened)
        return (falls + WEAKENED * weakens) * self.value_of_fall(section)

    def building_dice(self, unit: Unit, section: int, moved: bool) -> tuple[int, int]:
        """(dice, what they need) of a unit against a building hex from where it is."""
        distance = self.grid.between(unit.place, self.board.sections[section].ruin)
        return strength_at_building(unit, distance, moved), need(distance, type_of(unit).ranges[1])


@owned_memo(bound=300)
def _field(
    board: Board, places: tuple[int, ...], vehicle: bool, fallen: frozenset[int], closed: frozenset[int]
) -> list[int]:
    """Half movement points from each space to the nearest of some places; FAR where it is as far or farther. Vehicles are to be
    next to places they cannot enter."""
    made, grid = neighbours_of(board, fallen, closed), hexes(board)
    away = [FAR] * len(board.spaces)
    queue: list[tuple[int, int]] = []
    exits_of = made.by_vehicle if vehicle else made.on_foot

    def begin(place: int, cost: int) -> None:
        if cost < away[place]:
            away[place] = cost
            heappush(queue, (cost, place))

    for place in places:
        begin(place, 0)
        if vehicle:
            for number in grid.near[grid.of[place]]:
                if grid.ground[number] >= 0:
                    begin(grid.ground[number], 6)
    while queue:
        cost, place = heappop(queue)
        if cost > away[place]:
            continue
        for before, _ in exits_of[place]:
            for to, more in exits_of[before]:
                if to == place and cost + more < away[before]:
                    away[before] = cost + more
                    heappush(queue, (cost + more, before))
    return away
