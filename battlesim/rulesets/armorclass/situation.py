"""A position as an estimator looks at it: who threatens whom from where, where somebody may hide, and what places are worth.

Built from a view alone. Read `Situation.at`, the worth of one unit standing in one place, and `prior`.
"""

from __future__ import annotations

from collections.abc import Sequence
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


Threats = tuple[list[tuple[Unit, int]], int, list[tuple[float, float]]]
"""Of a unit in a place: enemies in sight with their distances, its concealment, what their fire may cost (share of it, loss)."""
Draws = list[tuple[float, list[int] | None, int]]
"""What is worth being near to, the best first: its worth, how far each place is from it on foot, or its point."""


class Goal:
    """One objective as one side sees it."""

    __slots__ = ("crowd", "places", "point", "worth")

    def __init__(self, worth: float, places: tuple[int, ...], point: int = -1) -> None:
        self.worth = worth
        self.places = places
        self.point = point
        self.crowd = 0


class Stander:
    """What is the same of a unit wherever it stands."""

    __slots__ = ("draws", "near", "reach", "shaky", "shooter", "stake", "target", "worth")

    def __init__(self, s: Situation, unit: Unit) -> None:
        self.worth, self.stake = estimates.worth(unit), s.stake(unit)
        self.target, self.shooter = estimates.as_target(unit), estimates.as_shooter(unit)
        self.reach = fire.reaches(unit)[0]
        self.shaky = fire.is_suppressed(s.state, unit)
        self.draws = s.draws(unit)
        self.near: dict[int, float] = {}


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
        self._held: dict[int, list[Goal]] = {}
        self.goals = self._goals()
        self._posted = frozenset(foe.place for foe in self.foes)
        self._standers: dict[int, Stander] = {}
        self._standing: dict[tuple[int, int, bool], tuple[list[tuple[Unit, int]], Features]] = {}
        self._threats: dict[tuple[int, int], Threats] = {}
        self._razed: dict[int, float] = {}
        self._priors: dict[int, float] = {}
        self.ways: dict[tuple[int, bool], tuple[list[Answer], list[Answer]]] = {}
        """Where a unit may go, at a run or not: places looked at closely, charges."""
        self.fired: dict[tuple[int, bool, int], tuple[tuple[Answer, ...], list[Features]]] = {}
        """What was said of a unit's fire, by unit, whether it stands and how far it moved."""
        self.shots: dict[tuple[int, Answer], tuple[float, float]] = {}
        """What a unit's shots promise that do as well from the march, by unit and answer."""
        self._drawn: dict[tuple[bool, int], Draws] = {}
        self._stakes: dict[int, float] = {}
        self._marks: dict[int, tuple[tuple[str, int, int], int, int, float]] = {}
        self._power = [
            (
                foe,
                board.spaces[foe.place],
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

    def draws(self, unit: Unit) -> Draws:
        """What draws a unit: the same for all who walk alike and stand on the same objectives."""
        foot = type_of(unit).foot
        key = (foot, unit.place if unit.place in self._held else -1)
        found = self._drawn.get(key)
        if found is None:
            found = self._drawn[key] = [self._draw(unit, goal, foot) for goal in self.goals]
            found.sort(key=lambda draw: -draw[0])
        return found

    def _draw(self, unit: Unit, goal: Goal, foot: bool) -> tuple[float, list[int] | None, int]:
        value = goal.worth
        crowd = goal.crowd - (unit.place in goal.places)
        if crowd > 0:
            value *= 0.3 / crowd
        if not goal.places:
            return value, None, goal.point
        if foot:
            return value, ground.field(self.state, self.board, goal.places, True), -1
        return value * 0.4, None, goal.places[0]  # a vehicle supports those who go in

    def progress(self, unit: Unit, place: int) -> float:
        """How near a place is to what is worth being near to."""
        stander = self.stander(unit)
        known = stander.near.get(place)
        if known is None:
            known = stander.near[place] = self._near(stander.draws, place)
        return known

    def _near(self, draws: Draws, place: int) -> float:
        best = 0.0
        for value, field, point in draws:
            if value <= best:
                break
            far = field[place] if field is not None else max(self.board.distance(place, point) - 12 * INCH, 0)
            if 0 <= far < FAR:
                best = max(best, value * (1.0 - far / FAR))
        return best

    def hold(self, unit: Unit, place: int) -> float:
        """What standing on an objective is worth; less where friends already do."""
        total = 0.0
        for goal in self.held(place):
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
                value += sum(0.5 * goal.worth for goal in self.held(unit.place))
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
        inside = [goal for floor in self.board.sections[section].spaces for goal in self.held(floor)]
        if inside:
            for goal in self.goals:
                if goal in inside:
                    total -= 0.4 * goal.worth
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

    def stander(self, unit: Unit) -> Stander:
        """What is the same of a unit wherever it stands."""
        found = self._standers.get(unit.id)
        if found is None:
            found = self._standers[unit.id] = Stander(self, unit)
        return found

    def standing(self, unit: Unit, place: int, fires: bool) -> tuple[list[tuple[Unit, int]], Features]:
        """The enemies in sight of a place with their distances, and what it is worth to a unit to be there;
        `fires`: it fires there."""
        key = (unit.id, place, fires)
        known = self._standing.get(key)
        if known is not None:
            return known
        stander = self.stander(unit)
        threats = self._threats.get((unit.id, place))
        if threats is None:
            threats = self._threats[unit.id, place] = self._threats_at(unit, stander, place)
        seen, level, losses = threats
        chance = estimates.found(level, fires)
        exposure = 0.0
        for share, loss in losses:
            exposure += share * chance * loss
        exposure += LURKING * stander.worth * chance
        found = Features(
            exposure=min(exposure * stander.stake, stander.stake * stander.worth),
            progress=self.progress(unit, place),
            hold=self.hold(unit, place),
        )
        known = self._standing[key] = (seen, found)
        if level != hide.TOTAL:  # firing shows no more of it
            self._standing[unit.id, place, not fires] = known
        return known

    def _threats_at(self, unit: Unit, stander: Stander, place: int) -> Threats:
        """What does not depend on whether the unit fires."""
        board = self.board
        here, mine, target = board.spaces[place], stander.reach, stander.target
        level = hide.place_level(self.state, board, place, unit)
        shown = min(level, hide.MORE)
        room = shoot.room_of(board, place)
        sure, sees = self.look.seers(place), self.look.sees
        seen: list[tuple[Unit, int]] = []
        losses: list[tuple[float, float]] = []
        for foe, there, theirs, shooter, share, shaky in self._power:
            distance = isqrt((here.x - there.x) ** 2 + (here.y - there.y) ** 2)
            if distance > theirs + 4 * INCH and distance > mine + 4 * INCH:
                continue
            if there.id not in sure and not sees(there.id, place):
                continue
            seen.append((foe, distance))
            if distance <= theirs:
                band = distance // estimates.BAND
                loss = estimates.volley_loss(shooter, target, band, shown, False, False, shaky, room)
                losses.append((share, loss))
        return seen, level, losses

    def loss(self, unit: Unit, foe: Unit, distance: int, stationary: bool, moved_far: bool) -> float:
        """What a volley costs an enemy in sight, objectives counted in."""
        mark = self._marks.get(foe.id)
        if mark is None:
            level = hide.level_of(self.state, self.board, foe)
            mark = (estimates.as_target(foe), level, shoot.room_of(self.board, foe.place), self.stake(foe))
            self._marks[foe.id] = mark
        target, level, room, stake = mark
        firer, band = self.stander(unit), distance // estimates.BAND
        return stake * estimates.volley_loss(
            firer.shooter, target, band, level, stationary, moved_far, firer.shaky, room
        )

    def at(
        self, unit: Unit, place: int, fires: bool, stationary: bool = False, far: bool = False
    ) -> Features:
        """What it is worth to a unit to stand in a place; `fires`: it fires from there at once."""
        seen, there = self.standing(unit, place, fires)
        if not fires:
            return there
        if not seen:
            return there
        reach = self.stander(unit).reach
        best = 0.0
        for foe, distance in seen:
            if distance <= reach:
                best = max(best, self.loss(unit, foe, distance, stationary, far))
        return replace(there, dealt=best)
