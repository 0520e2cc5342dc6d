"""What shooting of every kind asks: weapon, range, cover, what a shot needs, the clauses that bear on it (RG-SHOOT-2).

Read `cover` and `need`.
"""

from __future__ import annotations

from battlesim.board.board import Board
from battlesim.core.state import State, Unit
from battlesim.rules.resolution import Clauses, Resolution
from battlesim.rulesets.regiment import ground, losses, rooms
from battlesim.rulesets.regiment.data import WEAPONS, Weapon
from battlesim.rulesets.regiment.model import type_of, unit_state
from battlesim.rulesets.regiment.tables import shot_need


def weapon_of(unit: Unit) -> Weapon | None:
    """What a unit shoots with."""
    name = type_of(unit).weapon
    return WEAPONS[name] if name else None


def distance_to(state: State, board: Board, unit: Unit, target: Unit) -> int | None:
    """The range from one unit to another it sees; None where it does not see it."""
    if ground.sight(state, board, unit.place, target.place) is None:
        return None
    return flat_distance(board, unit, target)


def flat_distance(board: Board, unit: Unit, target: Unit) -> int:
    """The range over everything: from and to the outline of a garrison's building, else the unit."""
    return ground.gap(board, unit.place, target.place)


def cover(state: State, board: Board, unit: Unit, target: Unit) -> tuple[int, Clauses]:
    """The cover of a target, 0, 1 light, 2 hard, and the clauses for it: a garrison that of its building (RG-SHOOT-2,
    RG-FORT-1), others that of hedges, walls, woods and open ruins (RG-HOUSE-TERRAIN, RG-SCEN-1)."""
    room = ground.room_of(board, target)
    if room is not None:
        return room.level + 1, ("RG-SHOOT-2", "RG-FORT-1")
    space = board.spaces[target.place]
    if space.kind == "ruin":
        section = board.sections[space.section]
        level = rooms.declared(section).get("level", rooms.usual_level(section))
        return level + 1, ("RG-SCEN-1", "RG-HOUSE-TERRAIN")
    line = ground.sight(state, board, unit.place, target.place)
    if line is None or not line.cover:
        return 0, ()
    return line.cover, ("RG-HOUSE-TERRAIN",)


def need(
    state: State, board: Board, unit: Unit, target: Unit, weapon: Weapon, far: int, stand: bool = False
) -> int:
    """What a unit's shots at a target need to hit. `stand`: at one that charges it, whatever it did in its own turn."""
    return shot_need(
        type_of(unit).bs,
        2 * far > weapon.range,
        bool(unit_state(unit).moved) and not stand,
        cover(state, board, unit, target)[0],
        type_of(target).large,
    )


def clauses_of(r: Resolution, unit: Unit, target: Unit) -> Clauses:
    """The clauses that bear on a shot."""
    state, board = r.state, r.board
    found: Clauses = ("RG-HOUSE-SHOOT", *cover(state, board, unit, target)[1])
    if not ground.outdoors(board, unit.place):
        found += ("RG-SHOOT-1",)
    if ground.is_high(board, unit.place):
        found += ("RG-HOUSE-FORM",) if ground.outdoors(board, unit.place) else ("RG-PART-2",)
    if unit_state(target).foes:
        found += ("RG-ATT-5",)
    if type_of(target).large:
        found += ("RG-HOUSE-TRAITS",)
    return found


def wound(r: Resolution, target: Unit, wounds: int, clauses: Clauses) -> int:
    """Wounds by shooting; models lost are counted for panic."""
    lost = losses.hurt(r, target, wounds, "shot", clauses)
    after = r.state.units[target.id]
    if lost and after.alive and unit_state(after).shot >= 0:
        r.set(target.id, shot=unit_state(after).shot + lost)
    return lost
