"""Ground: movement costs, stacking, cover (SH-HOUSE-MOVE, SH-HOUSE-STACK, SH-RUIN-1, SH-FALL-3..5).

Costs are in half movement points unless said otherwise. Read `neighbours`, `has_room` and `cover`.
"""

from __future__ import annotations

from battlesim.board.board import Board
from battlesim.board.model import Space
from battlesim.core.memo import memo_table, owned_memo
from battlesim.core.state import State, Unit, fallen
from battlesim.rules.contract import Chapter
from battlesim.rules.resolution import Clauses
from battlesim.rulesets.squadhex.data import POINT
from battlesim.rulesets.squadhex.hexes import hexes
from battlesim.rulesets.squadhex.model import closed, type_of

COVER = {"building": 3, "light": 2, "rubble": 2, "woods": 2}
"""Cover dice (SH-HOUSE-ATTACK)."""
COSTS = {"open": 1, "road": 1, "woods": 2, "rubble": 2}
"""The cost for infantry of entering a hex, in whole points; rubble is a collapsed building printed on the map."""
BUILDING = 2 * POINT
"""The cost of entering a building, or of changing floor or hex inside one."""
ROAD = POINT // 2
"""The cost for a vehicle of entering a road hex."""
SQUADS = 3
"""Squads that a hex holds."""
TABLE = "urban"
"""The table of a building's `own` that these rules read."""

Neighbour = tuple[int, int]
"""A space one step away, and the cost of entering it."""


def is_light(board: Board, section: int) -> bool:
    """Whether a building hex is lightly built (SH-HOUSE-COVER)."""
    table = board.sections[section].own.get(TABLE)
    return isinstance(table, dict) and table.get("built") == "light"


def is_dense(board: Board, section: int) -> bool:
    """Whether a building hex is one of the large ones that can be destroyed under these rules (SH-SCEN-1)."""
    return isinstance(board.sections[section].own.get(TABLE), dict)


def token(board: Board, section: int) -> int:
    """The extra cost of entering a collapsed hex, in whole points: one more than the number of its top floor (SH-FALL-3)."""
    return board.sections[section].top + 1


def cover(board: Board, place: int) -> int:
    """Cover dice of a space. A collapsed hex gives the cover of a collapsed building on the map (SH-RUIN-1, SH-FALL-5)."""
    return covers(board)[place]


@owned_memo(bound=1)
def covers(board: Board) -> tuple[int, ...]:
    """Cover dice of every space."""
    return tuple(_cover(board, space) for space in board.spaces)


def _cover(board: Board, space: Space) -> int:
    if space.kind == "floor":
        return COVER["light" if is_light(board, space.section) else "building"]
    return COVER.get(space.terrain, 0)


def cover_clauses(board: Board, place: int) -> Clauses:
    """The clauses that apply to the cover of a space."""
    space = board.spaces[place]
    if space.kind == "floor":
        return ("SH-HOUSE-COVER",)
    if space.kind == "ruin":
        return ("SH-RUIN-1", "SH-FALL-5")
    return ("SH-RUIN-1",) if space.terrain == "rubble" else ()


def enter_cost(board: Board, place: int, vehicle: bool) -> int:
    """The cost of entering an outdoor space or a ruin, in half points; -1 if it cannot be entered."""
    space = board.spaces[place]
    if space.kind == "ruin":  # SH-FALL-3
        return -1 if vehicle else POINT * (1 + token(board, space.section))
    if vehicle:
        if space.terrain == "road":
            return ROAD
        return -1 if space.terrain in ("rubble", "water") else POINT * COSTS[space.terrain]  # SH-RUIN-1
    return POINT * COSTS[space.terrain] if space.terrain in COSTS else -1


def enter_clauses(board: Board, place: int) -> Clauses:
    """The clauses that apply to entering a space."""
    space = board.spaces[place]
    if space.kind == "ruin":
        return ("SH-FALL-3", "SH-FALL-5", "SH-RUIN-1")
    return ("SH-RUIN-1",) if space.terrain == "rubble" else ()


class Neighbours:
    """Where one step leads from each space while some sections have fallen (`down`) and others are closed (`shut`)."""

    def __init__(self, board: Board, down: frozenset[int], shut: frozenset[int]) -> None:
        self.board, self.down, self.shut = board, down, shut

    @memo_table(bound=10_000)
    def on_foot(self, place: int) -> tuple[Neighbour, ...]:
        """The spaces that infantry reaches in one step, ascending."""
        return tuple(sorted(self._inside(place) + self._around(place, False)))

    @memo_table(bound=10_000)
    def by_vehicle(self, place: int) -> tuple[Neighbour, ...]:
        """The spaces that a vehicle reaches in one step, ascending: never buildings or their ruins."""
        return tuple(sorted(self._around(place, True)))

    def _inside(self, place: int) -> list[Neighbour]:
        """The floors above and below, and the same floor of building hexes connected with this one."""
        space = self.board.spaces[place]
        if space.kind != "floor":
            return []
        section = self.board.sections[space.section]
        found = [
            (section.spaces[f], BUILDING) for f in (space.floor - 1, space.floor + 1) if 0 <= f <= section.top
        ]
        found += [
            (self.board.sections[other].spaces[space.floor], BUILDING)
            for other in section.adjoining[space.floor]
            if other not in self.down and other not in self.shut
        ]
        return found

    def _around(self, place: int, vehicle: bool) -> list[Neighbour]:
        """Adjacent hexes outdoors; on foot also ground floors of buildings, from outdoors and from building to building."""
        board, grid = self.board, hexes(self.board)
        space = board.spaces[place]
        if space.kind == "floor" and space.floor:
            return []
        found: list[Neighbour] = []
        for number in grid.near[grid.of[place]]:
            section = grid.section[number]
            if section >= 0 and section not in self.down:
                if vehicle or section in self.shut:
                    continue
                house = board.sections[section]
                # Inside one building, and between connected ones, only the map's own doors lead on: see `_inside`.
                if space.kind == "floor" and board.sections[space.section].building == house.building:
                    continue
                if space.kind == "floor" and house.id in board.sections[space.section].adjoining[0]:
                    continue
                found.append((house.spaces[0], BUILDING))
                continue
            to = board.sections[section].ruin if section >= 0 else grid.ground[number]
            if to < 0:
                continue
            cost = enter_cost(board, to, vehicle)
            if cost >= 0:
                found.append((to, cost))
        return found


def neighbours(state: State, board: Board) -> Neighbours:
    """Where one step leads from each space at present."""
    return neighbours_of(board, fallen(state), closed(state))


@owned_memo(bound=400)
def neighbours_of(board: Board, down: frozenset[int], shut: frozenset[int]) -> Neighbours:
    """Where one step leads while some sections have fallen and others are closed."""
    return Neighbours(board, down, shut)


def next_to(state: State, board: Board, unit: Unit, place: int) -> tuple[Neighbour, ...]:
    """Where one step takes a unit from a space, with the cost of each, regardless of units there."""
    made = neighbours(state, board)
    return made.by_vehicle[place] if type_of(unit).vehicle else made.on_foot[place]


def has_room(state: State, board: Board, unit: Unit, place: int) -> bool:
    """Whether a unit may end on a space (SH-HOUSE-STACK): no enemy there; a floor holds one squad, a hex three, or a vehicle and
    a squad."""
    squads = vehicles = 0
    for other in state.at.get(place, ()):
        if other == unit.id:
            continue
        one = state.units[other]
        if one.side != unit.side or board.spaces[place].kind == "floor":
            return False
        if type_of(one).vehicle:
            vehicles += 1
        else:
            squads += 1
    if type_of(unit).vehicle:
        return not vehicles and squads <= 1
    return squads + 1 <= (1 if vehicles else SQUADS)


CHAPTER = Chapter(owns=("SH-RUIN-1", "SH-HOUSE-STACK", "SH-FALL-3", "SH-FALL-5"))
