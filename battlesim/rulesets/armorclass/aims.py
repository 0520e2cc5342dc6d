"""What a side fights for: the worth of objectives to a player, and of being near to them.

Built only from a view and a judgement. Values are in points of unit worth. Read `Aims.progress` and `Aims.hold`.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from battlesim.board.board import Board
from battlesim.core.geometry import INCH
from battlesim.core.memo import Memos, memo_property, memo_table, no_memos
from battlesim.core.state import Unit, fallen
from battlesim.core.view import View, known_state
from battlesim.evaluation.objectives import ObjectiveValue, Scale, chance_to_reach, lateness, objective_values
from battlesim.evaluation.stakes import Pull, Shares, Stakes, Ways
from battlesim.evaluation.time_left import ARRIVED, another_turn
from battlesim.rules.contract import Features
from battlesim.rulesets.armorclass import (
    blaze,
    concealment,
    distances,
    fire,
    ground,
    move,
    quick_look,
    targets,
    victory,
    works,
)
from battlesim.rulesets.armorclass.judgement import Judgement
from battlesim.rulesets.armorclass.model import battle_state, type_of, unit_state

FAR = 60 * INCH
"""Progress is counted over this distance; anything farther counts as this far."""
CLOSE = 12 * INCH
"""A unit this close to a unit or building that it has to destroy is near enough to fire at it."""
DETOUR = 1.25
"""How much longer than the straight line a way is assumed to be where none is known."""
ON_FOOT, TOOLS, MACHINE = "on foot", "tools", "machine"
"""How units move and work: teams with tools must be next to what they destroy; machines stay out of doors."""


class Distances(Struct, frozen=True):
    """The distance of every space to the nearest of some places, for one kind of movement, with some structures changed."""

    changes: ground.Changes

    def __call__(self, board: Board, movement: str, places: tuple[int, ...]) -> list[int]:
        return distances.distance_field(board, places, movement != MACHINE, self.changes)


class Aims:
    """What one side fights for. Valid for one view."""

    memos: Memos

    def __init__(self, view: View, board: Board, judgement: Judgement) -> None:
        self.memos = no_memos()
        self.board, self.side, self.judgement = board, view.side, judgement
        self.state = known_state(view)
        self._units = view.units
        """The units when this was made. A kept position is given the units of later views (`ViewCache`), in which only what
        activations change is new; all stakes are made from these, so that they do not depend on when they are first needed."""
        self.fallen = fallen(self.state)
        self.foes = concealment.known_foes(self.state, view.side)
        found = [unit.side for unit in view.units.values()].count(1 - view.side)
        self.unfound = 1.0 - found / max(1, view.forces[1 - view.side])
        """The share of the enemy's starting units that are not in view: never found, or hidden again."""
        self.values = self._objectives()
        self._on_foot = self._stakes(ON_FOOT)
        self._held, self._left_by = self._on_foot.held, self._on_foot.left_by

    @memo_property
    def _changes(self) -> ground.Changes:
        """The changes to structures that affect movement."""
        return ground.changes_of(self.state)

    @memo_property
    def _with_tools(self) -> Stakes:
        """The stakes for teams with tools, which destroy what they are next to."""
        return self._stakes(TOOLS)

    @memo_property
    def _machines(self) -> Stakes:
        """The stakes for machines."""
        return self._stakes(MACHINE, self.judgement.mounted)

    @memo_property
    def _unarmed(self) -> Stakes:
        """The stakes for machines without a working weapon, which can support nobody."""
        return self._stakes(MACHINE, 0.0)

    def _burns_down(self) -> frozenset[int]:
        """Floors that will burn out before the battle ends, and those above them. Nobody can hold them at the end."""
        known, gone = battle_state(self.state), list[int]()
        if known.options.damage == "ignored":
            return frozenset()
        for blazing in known.fires:
            for place, turn in blazing.taken:
                space = self.board.spaces[place]
                if space.kind == "floor" and turn + blaze.BURNS <= known.turns:
                    gone += self.board.sections[space.section].spaces[space.floor :]
        return frozenset(gone)

    def _objectives(self) -> list[ObjectiveValue]:
        """What a side can do for its objectives. What is held at the end scores (AC-HOUSE-VICTORY), so objectives count more as
        the battle goes on. Places that will be destroyed by then do not count."""
        j, state, board, known = self.judgement, self.state, self.board, battle_state(self.state)
        point = j.point * lateness(state.turn, known.turns, j.early, j.late)
        scale = Scale(point, j.denied * point, j.exit * point, j.hunt * point, j.raze * point)
        doomed, found = self._burns_down(), list[ObjectiveValue]()
        for value in objective_values(
            known.objectives, self.side, state.units, board, self.fallen, scale, self._can_harm
        ):
            if value.places:
                value.places = works.tenable_among(state, board, value.places)
                if doomed:
                    value.places = tuple(p for p in value.places if p not in doomed)
                if not value.places:
                    continue
            found.append(value)
        return found

    def _can_harm(self, unit: Unit, foe: Unit) -> bool:
        """Whether a unit has a weapon or a charge that can harm an enemy, or can assault it, as any unit on foot can be."""
        if type_of(foe).foot:
            return True
        armour = works.armour_of(self.board, foe)
        if fire.harms_at(unit, armour) >= 0 or any(tool.charge for tool in targets.tools_of(unit)):
            return True
        return any(g.weapon.indirect and fire.harms(g.weapon, armour) for g in fire.groups_of(unit))

    def _stakes(self, movement: str, mounted: float = 1.0) -> Stakes:
        """The stakes for units that move and work alike. Machines support units that go into buildings; `mounted`: the factor
        on the pull of objectives there."""
        # `Ways` refers to the state, not to this object: without a reference cycle this object is freed at once when unused.
        j, board, state, values = self.judgement, self.board, self.state, self.values
        if movement == MACHINE:
            values = [_for_machines(board, value, mounted) for value in values]
        known, side, changes = battle_state(state), self.side, self._changes
        left = known.turns - state.turn + 1
        draws = FAR if another_turn(state.turn, known.turns) else ARRIVED

        def leaves(unit: Unit, edge: tuple[int, ...]) -> float:
            kind = type_of(unit)
            moves = left - (unit.side != side and unit_state(unit).acted)
            far = distances.distance_field(board, edge, kind.foot, changes)[unit.place]
            return chance_to_reach(far, moves * ground.pace(kind, run=True)) if move.can_move(unit) else 0.0

        ways = Ways(
            movement=lambda unit: movement,
            distances=Distances(changes),
            reach=lambda _, value: draws,
            close=0 if movement == TOOLS else CLOSE,
            detour=DETOUR,
            leaves=leaves,
        )
        goals = known.objectives
        shares = Shares(j.named, j.alone, j.shared, j.crowded, j.contested)
        units, foes, worth = self._units, self.foes, quick_look.worth
        damaged = frozenset(victory.damaged(state))
        return Stakes(board, self.side, values, goals, units, foes, self.fallen, damaged, shares, ways, worth)

    @memo_table(bound=2_000)
    def _pull(self, number: int) -> Pull:
        """The pull of objectives on a unit, by its number."""
        unit = self.state.units[number]
        one = type_of(unit)
        if one.tools or one.foot:
            return (self._with_tools if one.tools else self._on_foot).pull[number]
        return (self._machines if fire.groups_of(unit) else self._unarmed).pull[number]

    def progress(self, unit: Unit, place: int) -> float:
        """The worth to a unit of a place's nearness to objectives."""
        return self._pull[unit.id].near[place]

    def drawn(self, unit: Unit, places: Iterable[int], weights: Features) -> list[float]:
        """The weighed worth to a unit of ending a move in each of some places: nearness to objectives, and `ending`."""
        near, scored, ending = self._pull[unit.id].near, self._held | self._left_by, self._on_foot.ending
        return [
            weights.progress * near[place] + weights.hold * (ending(unit, place) if place in scored else 0.0)
            for place in places
        ]

    def hold(self, unit: Unit, place: int) -> float:
        """The worth of standing on an objective; less if friends already stand on it."""
        return self._on_foot.hold(unit, place) if place in self._held else 0.0

    def leaving(self, unit: Unit, place: int) -> float:
        """The worth of leaving the board at the end of a move in a place; 0 if the unit does not leave there."""
        return self._on_foot.leaving(unit, place) if place in self._left_by else 0.0

    def importance(self, unit: Unit) -> float:
        """The factor by which a unit counts more than its worth because an objective names it or it contests one; else 1."""
        return self._on_foot.importance[unit.id]


def _for_machines(board: Board, value: ObjectiveValue, mounted: float) -> ObjectiveValue:
    """An objective as machines count it: they only need to be near a building."""
    if not value.places or any(board.spaces[place].kind != "floor" for place in value.places):
        return value
    near = ObjectiveValue(mounted * value.worth, (), value.places[0], units=value.units)
    near.crowd = value.crowd
    return near
