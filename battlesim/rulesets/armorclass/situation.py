"""A position as an estimator looks at it: who threatens whom from where, where somebody may hide, and what places are worth.

Built from a view alone. Read `Situation.at`, the worth of one unit standing in one place, and `prior`.
"""

from __future__ import annotations

from math import isqrt

from msgspec.structs import replace

from battlesim.board.board import Board
from battlesim.core.answers import Answer
from battlesim.core.geometry import INCH
from battlesim.core.state import State, Unit, fallen, standing_at
from battlesim.core.view import View
from battlesim.rules import forces
from battlesim.rules.contract import Features
from battlesim.rulesets.armorclass import blaze, estimates, fire, ground, hide, shoot, works
from battlesim.rulesets.armorclass.lines import Lookout
from battlesim.rulesets.armorclass.model import able, own, type_of

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
USUAL: tuple[str, int, int] = ("rifle_team", 4, 4)
"""Whom one expects to find."""


Threats = tuple[list[tuple[Unit, int]], int, list[tuple[float, float]], float, float]
"""Of a unit in a place: enemies in sight with their distances, its concealment, what their fire may cost (share of it, loss),
progress, hold."""


class Goal:
    """One objective as one side sees it."""

    __slots__ = ("crowd", "places", "point", "worth")

    def __init__(self, worth: float, places: tuple[int, ...], point: int = -1) -> None:
        self.worth = worth
        self.places = places
        self.point = point
        self.crowd = 0


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
        self.look = Lookout(self.state, board)
        self.fallen = fallen(self.state)
        self.mine = [u for u in view.units.values() if u.side == view.side and u.alive and u.place >= 0]
        self.foes = hide.known_foes(self.state, view.side)
        self.burning = frozenset(blaze.burning_places(self.state, board))
        self._doomed = self._burns_down()
        self.goals = self._goals()
        self._standing: dict[tuple[int, int, bool], tuple[list[tuple[Unit, int]], Features]] = {}
        self._threats: dict[tuple[int, int], Threats] = {}
        self._razed: dict[int, float] = {}
        self._priors: dict[int, float] = {}
        self._nearness: dict[tuple[int, int], float] = {}
        self.ways: dict[tuple[int, bool], tuple[list[Answer], list[Answer]]] = {}
        """Where a unit may go, at a run or not: places looked at closely, charges."""
        self.fired: dict[tuple[int, bool, int], tuple[tuple[Answer, ...], list[Features]]] = {}
        """What was said of a unit's fire, by unit, whether it stands and how far it moved."""
        self.shots: dict[tuple[int, Answer], tuple[float, float]] = {}
        """What a unit's shots promise that do as well from the march, by unit and answer."""
        self._drawn: dict[int, list[tuple[list[int] | None, Goal, float]]] = {}
        self._stakes: dict[int, float] = {}
        self._fields: dict[tuple[int, ...], list[int]] = {}
        self._marks: dict[int, tuple[tuple[str, int, int], int, int, float]] = {}
        self._power = [
            (
                foe,
                board.spaces[foe.place].point,
                max(fire.reaches(foe)[0], 1),
                estimates.as_shooter(foe),
                SHARE_OF_FIRE * (ACTED if own(foe).acted else 1.0),
                fire.is_suppressed(self.state, foe),
            )
            for foe in self.foes
            if able(foe)
        ]

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
            goal.crowd = sum(1 for u in self.mine if u.place in goal.places)
            goal.worth *= late
        return goals

    def _goal(self, objective: forces.Goal, share: float) -> list[Goal]:
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

    def _draws(self, unit: Unit) -> list[tuple[list[int] | None, Goal, float]]:
        found = self._drawn.get(unit.id)
        if found is None:
            found = []
            foot = type_of(unit).foot
            for goal in self.goals:
                value = goal.worth
                crowd = goal.crowd - (unit.place in goal.places)
                if crowd > 0:
                    value *= 0.3 / crowd
                field = self._field(goal.places) if goal.places and foot else None
                if field is None and goal.places:
                    value *= 0.4  # a vehicle supports those who go in
                found.append((field, goal, value))
            self._drawn[unit.id] = found
        return found

    def _field(self, places: tuple[int, ...]) -> list[int]:
        """How far it is on foot to an objective's places."""
        found = self._fields.get(places)
        if found is None:
            found = self._fields[places] = ground.field(self.state, self.board, places, True)
        return found

    def progress(self, unit: Unit, place: int) -> float:
        """How near a place is to what is worth being near to."""
        known = self._nearness.get((unit.id, place))
        if known is None:
            known = self._nearness[unit.id, place] = self._near(unit, place)
        return known

    def _near(self, unit: Unit, place: int) -> float:
        best = 0.0
        for field, goal, value in self._draws(unit):
            if value <= best:
                continue
            if field is not None:
                far = field[place]
                if far < 0:
                    continue
            else:
                point = goal.point if goal.point >= 0 else goal.places[0]
                far = max(self.board.distance(place, point) - 12 * INCH, 0)
            near = value * (1.0 - far / FAR) if far < FAR else 0.0
            if near > best:
                best = near
        return best

    def hold(self, unit: Unit, place: int) -> float:
        """What standing on an objective is worth; less where friends already do."""
        total = 0.0
        for goal in self.goals:
            if place in goal.places:
                crowd = goal.crowd - (unit.place in goal.places)
                total += 0.5 * goal.worth if not crowd else 0.05 * goal.worth
        return total

    def stake(self, unit: Unit) -> float:
        """How much more a unit counts than its worth, because objectives name it or it stands on one."""
        known = self._stakes.get(unit.id)
        if known is None:
            points = sum(
                goal.points
                for goal in self.state.extra.objectives
                if goal.kind in ("destroy", "survive") and unit.id in goal.units
            )
            value = NAMED_WORTH * points
            if unit.side != self.side:
                value += sum(0.5 * goal.worth for goal in self.goals if unit.place in goal.places)
            known = self._stakes[unit.id] = 1.0 + value / max(estimates.worth(unit), 1.0)
        return known

    def doomed(self, section: int) -> float:
        """What it is worth that a section is damaged: objectives to destroy less those to keep or to hold."""
        known = self._razed.get(section)
        if known is None:
            known = self._razed[section] = self._doomed_worth(section)
        return known

    def _doomed_worth(self, section: int) -> float:
        total = 0.0
        for goal in self.state.extra.objectives:
            if section not in goal.sections:
                continue
            ours = goal.side in (-1, self.side)
            if goal.kind == "destroy":
                total += NAMED_WORTH * goal.points * (1 if ours else -1)
            elif goal.kind == "keep":
                total -= NAMED_WORTH * goal.points * (1 if ours else -1)
        for held in self.goals:
            if any(
                self.board.spaces[p].section == section
                for p in held.places
                if self.board.spaces[p].kind == "floor"
            ):
                total -= 0.4 * held.worth
        return total

    # ---- who may be where

    def prior(self, place: int) -> float:
        """The chance that an enemy nobody has found hides in a place."""
        known = self._priors.get(place)
        if known is None:
            known = self._priors[place] = self._prior(place)
        return known

    def _prior(self, place: int) -> float:
        space = self.board.spaces[place]
        near = any(foe.place == place for foe in self.foes)
        if near:
            return 0.0
        chance = HERE
        if any(place in goal.places for goal in self.goals):
            chance = OBJECTIVE
        if space.kind == "floor":
            make = works.make_of(self.board, space.section)
            if make.type != "building":
                chance = max(chance, WORK)
        elif works.fieldwork(self.state, place) is not None:
            chance = WORK
        # whoever has let so many turns pass without a shot is likely not there
        return chance / max(self.state.turn, 1)

    # ---- standing somewhere

    def standing(self, unit: Unit, place: int, fires: bool) -> tuple[list[tuple[Unit, int]], Features]:
        """The enemies in sight of a place with their distances, and what it is worth to a unit to be there;
        `fires`: it fires there."""
        key = (unit.id, place, fires)
        known = self._standing.get(key)
        if known is not None:
            return known
        threats = self._threats.get((unit.id, place))
        if threats is None:
            threats = self._threats[unit.id, place] = self._threats_at(unit, place)
        seen, level, losses, progress, hold = threats
        chance = estimates.found(level, fires)
        exposure = 0.0
        for share, loss in losses:
            exposure += share * chance * loss
        own_worth = estimates.worth(unit)
        exposure += LURKING * own_worth * chance
        found = Features(
            exposure=min(exposure * self.stake(unit), self.stake(unit) * own_worth),
            progress=progress,
            hold=hold,
        )
        self._standing[key] = (seen, found)
        return seen, found

    def _threats_at(self, unit: Unit, place: int) -> Threats:
        """What does not depend on whether the unit fires."""
        board, state = self.board, self.state
        here = board.spaces[place]
        level = hide.place_level(state, board, place, unit)
        shown = min(level, hide.MORE)
        target = estimates.as_target(unit)
        room = shoot.room_of(board, place)
        mine = fire.reaches(unit)[0]
        seen: list[tuple[Unit, int]] = []
        losses: list[tuple[float, float]] = []
        for foe, (x, y), theirs, shooter, share, shaky in self._power:
            distance = isqrt((here.x - x) ** 2 + (here.y - y) ** 2)
            if distance > max(mine, theirs) + 4 * INCH or not self.look.sees(foe.place, place):
                continue
            seen.append((foe, distance))
            if distance <= theirs:
                band = distance // estimates.BAND
                loss = estimates.volley_loss(shooter, target, band, shown, False, False, shaky, room)
                losses.append((share, loss))
        return seen, level, losses, self.progress(unit, place), self.hold(unit, place)

    def loss(self, unit: Unit, foe: Unit, distance: int, stationary: bool, moved_far: bool) -> float:
        """What a volley costs an enemy in sight, objectives counted in."""
        mark = self._marks.get(foe.id)
        if mark is None:
            level = hide.level_of(self.state, self.board, foe)
            mark = (estimates.as_target(foe), level, shoot.room_of(self.board, foe.place), self.stake(foe))
            self._marks[foe.id] = mark
        target, level, room, stake = mark
        shooter, shaky = estimates.as_shooter(unit), fire.is_suppressed(self.state, unit)
        band = distance // estimates.BAND
        return stake * estimates.volley_loss(shooter, target, band, level, stationary, moved_far, shaky, room)

    def at(
        self, unit: Unit, place: int, fires: bool, stationary: bool = False, far: bool = False
    ) -> Features:
        """What it is worth to a unit to stand in a place; `fires`: it fires from there at once."""
        seen, there = self.standing(unit, place, fires)
        if not fires:
            return there
        reach = fire.reaches(unit)[0]
        best = 0.0
        for foe, distance in seen:
            if distance <= reach:
                best = max(best, self.loss(unit, foe, distance, stationary, far))
        return replace(there, dealt=best)
