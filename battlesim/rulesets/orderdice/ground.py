"""How units move (OD-HOUSE-TERRAIN), and room in spaces.

Read `modes`. Every limit is in hundredths of an inch.
"""

from __future__ import annotations

from collections.abc import Mapping

from battlesim.board.board import Board
from battlesim.board.model import Section, SightRules, Way
from battlesim.board.routes import MovementMode, MoveOption
from battlesim.core.geometry import INCH
from battlesim.core.memo import owned_memo
from battlesim.core.state import State, Unit, burning, fallen
from battlesim.rulesets.orderdice.data import UnitType
from battlesim.rulesets.orderdice.model import ADVANCE, type_of

NOBODY: frozenset[int] = frozenset()
ROOM = 1
"""Units that a space holds: a floor by OD-ENTER-4, all others alike."""
SOFT, HARD = 1, 2
"""Levels of cover."""
SIGHT = SightRules(
    woods_depth=6 * INCH,
    obstacle_reach=7 * INCH // 2,
    cover=(("woods", SOFT), ("hedge", SOFT), ("wall", HARD)),
)
"""Woods deeper than 6 inches block sight (OD-HOUSE-SIGHT); an obstacle covers a unit within 3.5 inches behind it
(OD-HOUSE-SHOOT): a wall gives hard cover, hedges and woods soft cover (OD-HOUSE-TERRAIN)."""


def _foot(way: Way) -> int | None:
    """On foot: obstacles at half rate; no water. Moves between floors are in `move.py`."""
    if way.kind in ("stairs", "adjoining") or way.water:
        return None
    return way.length * 2 if way.obstacle else way.length


def _foot_clear(way: Way) -> int | None:
    """On foot, over nothing rough."""
    return None if way.rough else _foot(way)


def _tracked(way: Way) -> int | None:
    """On tracks: ground and ruins; obstacles at half rate; no water."""
    if way.kind not in ("ground", "ruin") or way.water:
        return None
    return way.length * 2 if way.obstacle else way.length


def _tracked_clear(way: Way) -> int | None:
    """On tracks, over nothing rough."""
    return None if way.rough else _tracked(way)


def _wheeled(way: Way) -> int | None:
    """Wheels never leave easy ground and cross no obstacle."""
    return None if way.kind != "ground" or way.rough or way.water or way.obstacle else way.length


def _road(way: Way) -> int | None:
    """Along a road, by any vehicle."""
    return way.length if way.kind == "ground" and way.road and not way.obstacle else None


def _mode(name: str, limit: int, cost: object) -> MovementMode:
    return MovementMode(name, (MoveOption(limit * INCH, cost),))  # type: ignore[arg-type]


FOOT_6 = _mode("foot-6", 6, _foot)
FOOT_12 = _mode("foot-12", 12, _foot_clear)
TRACKED_9 = _mode("tracked-9", 9, _tracked)
TRACKED_18 = _mode("tracked-18", 18, _tracked_clear)
TRACKED_ROAD = _mode("tracked-road", 36, _road)
WHEELED_12 = _mode("wheeled-12", 12, _wheeled)
WHEELED_24 = _mode("wheeled-24", 24, _wheeled)
WHEELED_ROAD = _mode("wheeled-road", 48, _road)

_MODES: dict[tuple[str, bool], tuple[MovementMode, ...]] = {
    ("foot", False): (FOOT_6,),
    ("foot", True): (FOOT_12, FOOT_6),
    ("tracked", False): (TRACKED_9,),
    ("tracked", True): (TRACKED_18, TRACKED_ROAD),
    ("wheeled", False): (WHEELED_12,),
    ("wheeled", True): (WHEELED_24, WHEELED_ROAD),
}
_FARTHEST = {key: max(mode.options[0].limit for mode in modes) for key, modes in _MODES.items()}

PACES: dict[str, MovementMode] = {
    "foot": MovementMode("foot-pace", (MoveOption(12 * INCH, _foot_clear), MoveOption(6 * INCH, _foot))),
    "tracked": MovementMode(
        "tracked-pace", (MoveOption(18 * INCH, _tracked_clear), MoveOption(9 * INCH, _tracked))
    ),
    "wheeled": MovementMode("wheeled-pace", (MoveOption(24 * INCH, _wheeled),)),
}
"""The pace of each kind of movement on long ways, over several orders: for measuring progress."""


GOOD_GOING = ("open", "road")
"""The terrain on which wheeled vehicles can begin."""


def can_stand(board: Board, kind: UnitType, place: int) -> bool:
    """Whether a type of unit can be put on a space outdoors: none in water, wheeled vehicles only on GOOD_GOING."""
    space = board.spaces[place]
    if space.kind != "ground" or space.terrain == "water":
        return False
    return kind.drive != "wheeled" or space.terrain in GOOD_GOING


def modes(kind: UnitType, order: str) -> tuple[MovementMode, ...]:
    """The modes of an order, longest first. A place is in reach if one of them gets there; modes are never mixed."""
    return _MODES[(kind.drive or "foot", order != ADVANCE)]


def farthest(kind: UnitType, order: str) -> int:
    """The longest distance of any of an order's modes."""
    return _FARTHEST[(kind.drive or "foot", order != ADVANCE)]


def enemy_places(state: State, side: int) -> frozenset[int]:
    """Where the other side's units stand."""
    return frozenset([u.place for u in state.living(1 - side) if u.place >= 0])


def barred(state: State, board: Board) -> frozenset[int]:
    """Sections that no unit may enter: closed by the map or the scenario (OD-SCEN-1), or burning (OD-FLAME-3)."""
    closed = closed_sections(board)
    if not state.structures:
        return closed
    more = frozenset(s.section for s in state.structures.values() if s.own.get("closed"))
    return closed | burning(state) | more


@owned_memo(bound=1)
def closed_sections(board: Board) -> frozenset[int]:
    """Sections that the map itself closes."""
    return frozenset(s.id for s in board.sections if s.closed)


def reach(
    state: State, board: Board, unit: Unit, mode: MovementMode, shut: frozenset[int]
) -> Mapping[int, int]:
    """Spaces in reach of a unit by one mode, with the lengths; it passes friends but not enemies."""
    return board.routes.reach(mode, unit.place, shut, fallen(state), barred(state, board))


def path(
    state: State, board: Board, unit: Unit, mode: MovementMode, goal: int, shut: frozenset[int]
) -> tuple[int, ...]:
    """The spaces from a unit to a goal that `reach` offers, both ends included."""
    return board.routes.path(mode, unit.place, goal, shut, fallen(state), barred(state, board))


def section_of(board: Board, place: int) -> Section | None:
    """The section whose floor a space is; None outdoors and in ruins."""
    space = board.spaces[place]
    return board.sections[space.section] if space.kind == "floor" else None


def inside(board: Board, unit: Unit) -> bool:
    """Whether a unit is in a building."""
    return unit.place >= 0 and board.spaces[unit.place].kind == "floor"


def in_bunker(board: Board, unit: Unit) -> bool:
    """Whether a unit is in a bunker."""
    section = section_of(board, unit.place) if unit.place >= 0 else None
    return section is not None and section.kind == "bunker"


def holds(state: State, place: int, unit: int = -1) -> bool:
    """Whether a space has room for one more unit; `unit` itself does not count."""
    here = state.at.get(place)
    if not here:
        return True
    return sum(1 for other in here if other != unit) < ROOM


def on_foot(unit: Unit) -> bool:
    """Infantry: the only units that enter buildings and assault (OD-ENTER-1)."""
    return type_of(unit).infantry
