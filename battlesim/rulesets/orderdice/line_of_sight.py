"""Lines of fire for weapons: out of a building, into one, and sight by observers.

OD-FROM-1..5, OD-AT-1, OD-AT-2, OD-HE-1, OD-FLAME-1, OD-BUNK-1, OD-HOUSE-SIGHT (indirect fire). The board has all lines; this
decides which can be used for fire. Read `firing_points`.
"""

from __future__ import annotations

from msgspec import Struct

from battlesim.board.board import Board
from battlesim.board.model import BARE, SightLine
from battlesim.core.memo import owned_memo
from battlesim.core.state import NONE, State
from battlesim.rules.resolution import Clauses
from battlesim.rulesets.orderdice import bunkers, ground
from battlesim.rulesets.orderdice.data import OBSERVERS


class FiringPoint(Struct, frozen=True, gc=False):
    """A place to shoot from: an opening of the shooter's floor (-1: the ground it stands on, or a hole made in the wall). `men`
    can fire there; the nearest line for small arms and flame (`small`), for heavy weapons and shells over open sights, which need
    a wall or, in a bunker, a slit (`heavy`), and for what is lobbed, whatever it looks at (`lob`)."""

    opening: int
    men: int
    small: SightLine | None
    heavy: SightLine | None
    lob: SightLine


def clauses_from(board: Board, place: int) -> Clauses:
    """The clauses that bear on fire out of a space."""
    if board.spaces[place].kind != "floor":
        return ()
    return ("OD-FROM-1", "OD-FROM-4" if board.spaces[place].roof else "OD-FROM-2", "OD-FROM-3")


Made = tuple[tuple[int, int], ...]
"""Openings made before the game in a section, as (floor, side) (OD-FROM-5)."""
NOTHING_MADE: Made = ()


def made_at(state: State, board: Board, place: int) -> Made:
    """The openings made before the game in the section that a space belongs to."""
    known = state.structures.get(board.spaces[place].section)
    made: Made = known.own.get("made", ()) if known else ()
    return made


def goes_out(board: Board, place: int, line: SightLine, made: Made) -> bool:
    """Whether a line leaves a space by an opening (of a bunker: a slit, OD-BUNK-1), a roof's edge, or an opening `made` before
    the game."""
    section = ground.section_of(board, place)
    if section is None:
        return True
    if line.from_opening == BARE:
        return False  # made openings are in walls that faced the outdoors from the start
    if line.from_opening < 0:
        return (board.spaces[place].floor, line.from_side) in made
    return bunkers.lets_fire_through(section, board.openings[line.from_opening])


def comes_in(board: Board, place: int, line: SightLine, small: bool, made: Made) -> bool:
    """Whether fire along a line can hit a unit in a space: small arms and flame need an opening or a made one (OD-AT-1,
    OD-FLAME-1), heavy weapons and shells any wall (OD-AT-2, OD-HE-1); against a bunker all need a slit (OD-BUNK-1)."""
    section = ground.section_of(board, place)
    if section is None:
        return True
    if line.to_opening >= 0:
        return bunkers.lets_fire_through(section, board.openings[line.to_opening])
    if bunkers.is_bunker(section) or not small:
        return not bunkers.is_bunker(section)
    return line.to_opening != BARE and (board.spaces[place].floor, line.to_side) in made


Walls = dict[int, tuple[FiringPoint, ...]]
"""Wall (-1 outdoors) -> firing points, the nearest to the target first."""
NOWHERE: Walls = {}


def firing_points(state: State, board: Board, place: int, target: int) -> Walls:
    """The firing points in `place` against a unit in `target`. The caller must not change them."""
    made = made_at(state, board, place), made_at(state, board, target)
    return firing_points_at(board, place, target, state.down, *made)


def firing_points_at(
    board: Board, place: int, target: int, fallen: frozenset[int], out: Made, into: Made
) -> Walls:
    """`firing_points` while the sections `fallen` are down, with the openings made at either end."""
    lines = board.sight.clear_lines(place, target, fallen)
    if not lines:
        return NOWHERE
    if fallen and lines is board.sight.clear_lines(place, target):
        fallen = NONE  # the fallen sections have opened no line between the two
    return _firing_points(board, place, target, fallen, out, into)


@owned_memo(bound=40_000)
def _firing_points(
    board: Board, place: int, target: int, fallen: frozenset[int], out: Made, into: Made
) -> Walls:
    """`firing_points_at`, cached."""
    walls: dict[int, dict[int, tuple[SightLine, list[SightLine | None]]]] = {}
    for line in board.sight.clear_lines(place, target, fallen):
        if not goes_out(board, place, line, out):
            continue
        best = walls.setdefault(line.from_side, {}).get(line.from_opening)
        if best is None:
            # the first is the nearest: indirect fire only needs to see the place
            best = walls[line.from_side][line.from_opening] = (line, [None, None])
        for number, small in enumerate((True, False)):
            if best[1][number] is None and comes_in(board, target, line, small, into):
                best[1][number] = line
    return {
        wall: tuple(
            FiringPoint(opening, _men(board, opening, wall), small, heavy, lob)
            for opening, (lob, (small, heavy)) in walls[wall].items()
        )
        for wall in sorted(walls)
    }


def _men(board: Board, opening: int, wall: int) -> int:
    """Two men at a domestic opening or a made one (OD-FROM-2, OD-FROM-5), five along a roof's side (OD-FROM-4)."""
    if wall < 0:
        return 1_000
    return board.openings[opening].men if opening >= 0 else 2


def flat_range(board: Board, place: int, goal: int) -> int:
    """Range of indirect fire from a space outdoors: to the building itself where the goal is a floor, else to the space."""
    section = ground.section_of(board, goal)
    if section is not None:
        return board.gap_to_section(board.spaces[place].point, section.id)
    return board.distance(place, goal)


def sees(state: State, board: Board, place: int, goal: int) -> bool:
    """Whether a unit in a space sees another space, or any wall of it if it is a floor."""
    down = state.down
    if not board.sight.sees(place, goal, down):
        return False
    if board.spaces[place].kind != "floor":
        return True
    made = made_at(state, board, place)
    return any(goes_out(board, place, line, made) for line in board.sight.clear_lines(place, goal, down))


def spotted(state: State, board: Board, side: int, goal: int) -> bool:
    """Whether an observer or an officer of a side sees a space (OD-HOUSE-SIGHT); passengers of transports do not."""
    return seen_from(state, board, spotters(state, side), goal)


def spotters(state: State, side: int) -> list[int]:
    """The places of a side's observers and officers."""
    return [
        friend.place
        for friend in state.living(side)
        if friend.place >= 0 and (friend.own.officer > 0 or friend.kind in OBSERVERS)
    ]


def seen_from(state: State, board: Board, places: list[int], goal: int) -> bool:
    """Whether a space is seen from any of some others."""
    return any(place != goal and sees(state, board, place, goal) for place in places)
