"""Formation: files, ranks, unit strength, and how many models fight or shoot (RG-HOUSE-FORM, RG-ATT-3, RG-RES-2, RG-SHOOT-1).

Read `strikers`. All lengths are hundredths of an inch.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from battlesim.board.board import Board
from battlesim.core.state import State, Unit
from battlesim.rulesets.regiment import ground, line_of_sight, rooms
from battlesim.rulesets.regiment.model import FLANK, FRONT, REAR, company, type_of, unit_state
from battlesim.rulesets.regiment.rooms import Room

INNER = 5
INNER_MI = 2
"""Models that fight through an inner wall or a floor (RG-ATT-3)."""
GARRISON_FRONT = 5
GARRISON_FRONT_MI = 2
"""Files of a garrison as it shoots (RG-SHOOT-1)."""
MOST_RANKS = 3
"""The most ranks that count for the combat result (RG-HOUSE-RESULT)."""


def front(unit: Unit) -> int:
    """Models in the front rank, out of doors."""
    return min(unit_state(unit).files, unit.models)


def ranks(unit: Unit, room: Room | None) -> int:
    """Ranks, an incomplete last one included. A garrison counts as if at minimum width (RG-RES-2)."""
    files = type_of(unit).minimum if room else max(1, unit_state(unit).files)
    return -(-unit.models // files)


def full_ranks(unit: Unit, room: Room | None) -> int:
    """Full ranks behind the first, three at most, that count for the combat result: five wide, monstrous infantry four
    (RG-HOUSE-RESULT, RG-HOUSE-RANKS, RG-RES-2)."""
    kind = type_of(unit)
    if kind.kind in ("chariot", "monster", "engine"):
        return 0
    files = kind.minimum if room else unit_state(unit).files
    if files < kind.minimum:
        return 0
    return min(MOST_RANKS, max(0, unit.models // files - 1))


def strength(state: State, unit: Unit) -> int:
    """Unit strength including the unit's characters; a monster counts its wounds left (RG-HOUSE-PROFILE)."""
    return sum(unit_strength(one) for one in (unit, *company(state, unit)))


def unit_strength(unit: Unit) -> int:
    """Unit strength without characters."""
    kind = type_of(unit)
    if kind.kind == "monster":
        return kind.w - unit_state(unit).wounds
    return unit.models * kind.us


def shooters(board: Board, unit: Unit) -> int:
    """Models that shoot: the front rank, two ranks from hills and upper floors; a garrison counts as five wide, monstrous
    infantry as two (RG-HOUSE-FORM, RG-SHOOT-1, RG-PART-2)."""
    files = unit_state(unit).files if ground.outdoors(board, unit.place) else garrison_front(unit)
    return min(unit.models, files * (2 if line_of_sight.is_high(board, unit.place) else 1))


def garrison_front(unit: Unit) -> int:
    """Files in which a unit shoots out of a building (RG-SHOOT-1)."""
    return GARRISON_FRONT_MI if type_of(unit).kind == "mi" else GARRISON_FRONT


# ---- contact ---------------------------------------------------------------------------------------------------------


def side_models(unit: Unit, arc: int) -> int:
    """Models along one side of a unit outdoors: files at front and rear, ranks at a flank."""
    return ranks(unit, None) if arc == FLANK else front(unit)


def _share(state: State, board: Board, unit: Unit, foe: Unit) -> int:
    """The length of front that a unit has for one enemy: its side towards it, divided among all enemies on that side."""
    arcs = dict(unit_state(unit).foes)
    arc = arcs.get(foe.id, FRONT)
    length = side_models(unit, arc) * type_of(unit).base
    alike = [
        number
        for number, other in unit_state(unit).foes
        if other == arc and ground.outdoors(board, state.units[number].place)
    ]
    return length // max(1, len(alike))


def in_contact(state: State, board: Board, unit: Unit, foe: Unit) -> int:
    """Models of a unit that touch an enemy, not counting its characters.

    Outdoors as many as fit on the shorter of the two sides. At a building as many as fit on its wall, shared by all units before
    that wall. Through inner walls and floors 5, monstrous infantry 2, including characters. Of a garrison, including its
    characters, as much unit strength as the enemy has touching the building (RG-ATT-1, RG-ATT-3)."""
    mine, theirs = ground.room_of(board, unit), ground.room_of(board, foe)
    kind = type_of(unit)
    if mine is not None and theirs is not None:
        most = INNER_MI if kind.kind == "mi" else INNER
        return min(unit.models, max(0, most - len(characters_facing(state, board, unit, foe))))
    if theirs is not None:
        return _at_wall(state, board, unit, theirs)
    if mine is not None:
        taken = sum(unit_strength(one) for one in characters_facing(state, board, unit, foe))
        return min(unit.models, max(0, touching(state, board, foe, unit) - taken) // kind.us)
    length = min(_share(state, board, unit, foe), _share(state, board, foe, unit))
    side = side_models(unit, dict(unit_state(unit).foes).get(foe.id, FRONT))
    return min(unit.models, side, max(1, -(-length // kind.base)))


def touching(state: State, board: Board, unit: Unit, foe: Unit) -> int:
    """Unit strength of the models of a unit that touch an enemy, including its characters; a monster counts its wounds left
    (RG-ATT-3, RG-RES-3)."""
    models = in_contact(state, board, unit, foe)
    if not models:
        return 0
    if type_of(unit).kind == "monster":
        return unit_strength(unit)
    characters = sum(unit_strength(one) for one in characters_facing(state, board, unit, foe))
    return models * type_of(unit).us + characters


def characters_facing(state: State, board: Board, unit: Unit, foe: Unit) -> list[Unit]:
    """The characters with a unit that are in contact with one of its enemies."""
    foes = ground.foes_of(unit)
    return [one for one in company(state, unit) if enemy_of(board, one, unit, foes) == foe.id]


def enemy_of(board: Board, char: Unit, host: Unit, foes: list[int]) -> int:
    """The enemy that a character is in contact with, among those its unit touches: in a garrison the one it chose (RG-ATT-4),
    else the first."""
    chosen = unit_state(char).against
    if not ground.outdoors(board, host.place) and chosen in foes:
        return chosen
    return foes[0] if foes else -1


def _at_wall(state: State, board: Board, unit: Unit, room: Room) -> int:
    """Models of a unit outside that touch a room's outline: its front, limited by its share of the length of the wall. All
    friends before that wall share it who fight the garrison of this room, not those who fight outside, or another floor."""
    wall = ground.wall_for(board, unit, unit.place, room)
    if wall < 0:
        return 0
    beside = 0
    for node, other in ground.contacts_for(unit, room):
        if other == wall and any(
            state.units[n].side == unit.side and _attacks(state, board, state.units[n], room)
            for n in state.at.get(node, ())
        ):
            beside += 1
    return along_wall(unit, rooms.wall_length(board, room, wall), beside)


def _attacks(state: State, board: Board, unit: Unit, room: Room) -> bool:
    """Whether a unit is in contact with the garrison of a room."""
    rooms_of_foes = (ground.room_of(board, state.units[foe]) for foe, _ in unit_state(unit).foes)
    return any(other is not None and other.place == room.place for other in rooms_of_foes)


def along_wall(unit: Unit, wall: int, units: int) -> int:
    """Models of the front of a unit outside that fit along a wall of this length, shared by so many units."""
    base = type_of(unit).base
    length = min(front(unit) * base, wall // max(1, units))
    return min(front(unit), max(1, -(-length // base)))


def strikers(
    state: State,
    board: Board,
    unit: Unit,
    units: tuple[int, ...] = (),
    spent: Sequence[tuple[int, int]] = (),
) -> dict[int, int]:
    """How many models of a unit strike at each enemy it touches: those in contact, less those that fell this round, since dead
    models do not strike (RG-HOUSE-FORM). No model strikes twice: one that touches several enemies strikes at the first
    (RG-HOUSE-FIGHT, RG-ATT-3). `units`: those that fight now, if not all in contact do. `spent`: models that have struck this
    round at enemies that fell since, as (arc, models)."""
    whole = _as_round_began(unit)
    fell = unit_state(unit).fell
    left = whole.models
    # Out of doors no more models strike to one side than stand there (RG-HOUSE-FIGHT).
    sides = [side_models(whole, arc) for arc in (FRONT, FLANK, REAR)]
    for arc, models in spent:
        left -= models
        sides[arc] = max(0, sides[arc] - models)
    garrison = not ground.outdoors(board, unit.place)
    found: dict[int, int] = {}
    foes = unit_state(unit).foes
    if garrison and type_of(unit).character:
        foes = tuple(sorted(foes, key=lambda pair: pair[0] != unit_state(unit).against))
    for number, arc in foes:
        foe = state.units[number]
        if not foe.alive or (units and number not in units):
            continue
        # Each model in contact has its attacks once.
        touch = min(left, in_contact(state, board, whole, _as_round_began(foe)))
        if not garrison:
            touch = min(touch, sides[arc])
            sides[arc] -= touch
        left -= touch
        lost = min(touch, fell)
        fell -= lost
        found[number] = touch - lost
    return found


def _as_round_began(unit: Unit) -> Unit:
    """The unit as it was when this round of combat began."""
    fell = unit_state(unit).fell
    if not fell:
        return unit
    return replace(unit, models=unit.models + fell)
