"""The expected cost of acts in a position: volleys, engines at units and houses, charges, rounds of close combat.

This works out what an act consists of by asking the chapters of the rules, and has `expected.py` and `expected_close.py` compute
it. Every unit affected counts, friends included. Nothing here decides a rule. Read `volley`, then `charge`.
"""

from __future__ import annotations

from typing import NamedTuple

from msgspec.structs import replace

from battlesim.board.board import Board
from battlesim.core.geometry import INCH, Point
from battlesim.core.state import State, Unit, standing_at
from battlesim.core.sums import summed
from battlesim.evaluation.distributions import Distribution
from battlesim.rulesets.regiment import (
    casualties,
    enter,
    expected,
    form,
    ground,
    line_of_sight,
    morale,
    rooms,
    rout,
    targets,
)
from battlesim.rulesets.regiment.expected import Mark, Toll
from battlesim.rulesets.regiment.expected_close import Side, alone_toll, champions, fight, left_of
from battlesim.rulesets.regiment.model import FLANK, FRONT, REAR, company, type_of, unit_state
from battlesim.rulesets.regiment.rooms import Room

ARC_POINTS = {FRONT: 0, FLANK: 1, REAR: 2}
RARE = 1e-4
"""Anything less likely than this is ignored."""


def worth_left(unit: Unit) -> float:
    """Points of what is left of a unit; half of its worth is for existing at all."""
    kind = type_of(unit)
    full = max(1, max(kind.models, unit_state(unit).full) * kind.w)
    return kind.worth * (0.5 + 0.5 * casualties.wounds_left(unit) / full)


# ---- nerve and flight ----------------------------------------------------------------------------------------------------


def first_off(board: Board, unit: Unit, away: Point) -> int:
    """The shortest flight in inches from a point that leaves the table; 0 if no roll reaches its edge."""
    width, height = board.size

    def is_off(inches: int) -> bool:
        x, y = rout.straight_away(board, unit, away, inches * INCH)
        return not (0 <= x <= width and 0 <= y <= height)

    least, most = 1, 6 * rout.dice_of(unit)
    if not is_off(most):
        return 0
    while least < most:
        middle = (least + most) // 2
        least, most = (least, middle) if is_off(middle) else (middle + 1, most)
    return least


def doomed(state: State, board: Board, unit: Unit, away: Point) -> float:
    """The chance that a unit is lost at once if it flees from a point: off the table, or with no way out of its building."""
    room = ground.room_of(board, unit)
    if room is not None:
        place = rout.way_out(state, board, unit, room)
        if place < 0:
            known = rooms.rooms_of(board).by_place
            free = any(enter.is_open_to(state, unit, known[other]) for other in room.neighbours)
            return 0.0 if free else 1.0
        unit = replace(unit, place=place)
    return expected.escape(rout.dice_of(unit), (), first_off(board, unit, away))[1]


def mark_of(state: State, board: Board, target: Unit, source: int, friend: bool = False) -> Mark:
    """A unit as a target of shots from a space (-1: from anywhere; what its flight leads to is then ignored). `friend`: stray
    shots of its own side, from which it does not flee (`rout.fled_from`)."""
    mine, kind = unit_state(target), type_of(target)
    room = ground.room_of(board, target)
    calm = kind.immune or mine.fleeing
    lost = 0.0
    if not calm and source >= 0:
        away = rout.fled_from(state, board, target, -1) if friend else board.spaces[source].point
        lost = doomed(state, board, target, away)
    return Mark(
        target.kind,
        target.models,
        mine.wounds,
        mine.shot,
        morale.leadership(state, board, target)[0],
        calm,
        bool(mine.foes),
        room is not None,
        room is not None and rooms.is_unstable(state, room),
        lost,
    )


class Outcome(NamedTuple):
    """What an act is expected to do: the toll on each unit that it may harm, and the chance that the room on space `place` (-1:
    none) becomes unstable."""

    tolls: tuple[tuple[Unit, Toll], ...] = ()
    place: int = -1
    unstable: float = 0.0


def with_company(state: State, unit: Unit, toll: Toll) -> list[tuple[Unit, Toll]]:
    """The toll on a unit and on the characters with it, which are lost when it is taken (`Toll.taken`)."""
    found = [(unit, toll)]
    if toll.taken:
        found += [
            (one, Toll(toll.taken * casualties.wounds_left(one), toll.taken, 0.0, toll.taken))
            for one in company(state, unit)
        ]
    return found


def champions_of(state: State, unit: Unit) -> list[Unit]:
    """The characters with a unit; the unit may be imagined elsewhere."""
    return company(state, state.units[unit.id])


# ---- volleys -------------------------------------------------------------------------------------------------------------


def volley_wounds(board: Board, unit: Unit, target: Unit, stand: bool = False) -> Distribution:
    """The wounds of a unit's volley at a target that it sees; `stand`: as the target charges it."""
    weapon = targets.weapon_of(unit)
    far = line_of_sight.flat_distance(board, unit, target)
    assert weapon is not None
    need = targets.need(board, unit, target, weapon, far, stand)
    shots = form.shooters(board, unit)
    return expected.volley(shots, need, weapon.strength, target.kind, casualties.wounds_left(target))


def volley(state: State, board: Board, unit: Unit, target: Unit, stand: bool = False) -> Outcome:
    """The expected outcome of a volley."""
    wounds = volley_wounds(board, unit, target, stand)
    toll = expected.toll(mark_of(state, board, target, unit.place), wounds)
    return Outcome(tuple(with_company(state, target, toll)))


# ---- close combat --------------------------------------------------------------------------------------------------------


class Fighter(NamedTuple):
    """A unit in close combat, whatever its enemy. `files`: models in a full rank, for counting ranks (0: it has none).
    `champions`: the types of the characters with it, `others`: their unit strength. `standard`: its points for standards, `ld`:
    the leadership it tests against, `again`: thanks to the army standard it tests twice. `room`: the one it garrisons; `sound`: a
    room that steadies it."""

    unit: Unit
    files: int
    champions: tuple[str, ...]
    others: int
    standard: int
    ld: int
    again: bool
    room: Room | None
    sound: bool


def fighter(state: State, board: Board, unit: Unit) -> Fighter:
    """A unit as it would fight where it stands."""
    room, kind = ground.room_of(board, unit), type_of(unit)
    champions = champions_of(state, unit)
    files = 0
    if kind.kind not in ("chariot", "monster", "engine"):
        files = kind.minimum if room is not None else unit_state(unit).files
    return Fighter(
        unit,
        files if files >= kind.minimum else 0,
        tuple(one.kind for one in champions),
        sum(form.unit_strength(one) for one in champions),
        0 if room is not None else max(type_of(one).standard for one in (unit, *champions)),
        morale.leadership(state, board, unit)[0],
        morale.aura(state, board, unit, "battle_standard"),
        room,
        room is not None and not rooms.is_unstable(state, room),
    )


def touches(board: Board, ours: Fighter, theirs: Fighter, arc: int) -> tuple[int, int]:
    """Models of two units that touch each other, if alone in contact; `arc`: the arc of the second that the first is in.
    Characters are not counted (`form.in_contact`)."""
    unit, foe = ours.unit, theirs.unit
    kind, other = type_of(unit), type_of(foe)
    if ours.room is not None and theirs.room is not None:
        most = [form.INNER_MI if one.kind == "mi" else form.INNER for one in (kind, other)]
        return (
            min(unit.models, max(0, most[0] - len(ours.champions))),
            min(foe.models, max(0, most[1] - len(theirs.champions))),
        )
    if theirs.room is not None:
        touch = _before_wall(board, unit, theirs.room)
        return touch, _of_garrison(ours, touch, theirs)
    if ours.room is not None:
        touch = _before_wall(board, foe, ours.room)
        return _of_garrison(theirs, touch, ours), touch
    front, side = form.front(unit), form.side_models(foe, arc)
    length = min(front * kind.base, side * other.base)
    return (
        min(front, max(1, -(-length // kind.base))),
        min(foe.models, side, max(1, -(-length // other.base))),
    )


def _before_wall(board: Board, unit: Unit, room: Room) -> int:
    """Models of a unit that touch a room's outline from where it stands; if it stands elsewhere, as if the wall were long."""
    wall = ground.wall_for(board, unit, unit.place, room)
    if wall < 0:
        return form.front(unit)
    return form.along_wall(unit, rooms.wall_length(board, room, wall), 1)


def _of_garrison(outside: Fighter, touch: int, garrison: Fighter) -> int:
    """Models of a garrison that touch a unit outside: as much unit strength as that unit has in contact with the building."""
    unit = outside.unit
    kind = type_of(unit)
    weight = touch * kind.us + (outside.others if touch else 0)
    if kind.kind == "monster":
        weight = kind.w - unit_state(unit).wounds
    foe = garrison.unit
    return min(foe.models, max(0, weight - garrison.others) // type_of(foe).us)


def side_of(
    mine: Fighter, other: Fighter, touch: int, arc: int, charged: bool, walls: bool, high: bool
) -> Side:
    """A unit in close combat with another. `touch`: its models in contact; `arc`: the arc of the enemy that it is in; `charged`:
    it charges; `walls`: its enemy is entrenched; `high`: it stands on higher ground."""
    unit = mine.unit
    kind = type_of(unit)
    may_enter = other.room is not None and rooms.may_hold(kind, other.room)
    return Side(
        unit.kind,
        unit.models,
        unit_state(unit).wounds,
        mine.files,
        touch,
        charged and walls,
        charged and not walls,
        charged and kind.impact and other.room is None,
        ARC_POINTS[arc] + mine.standard + high,
        other.room is None,
        mine.champions,
        mine.others,
        mine.ld,
        mine.sound or kind.stubborn,
        mine.room is not None,
        kind.us if may_enter else 0,
        mine.again,
    )


def sides(
    board: Board, ours: Fighter, theirs: Fighter, arc: int, charged: bool, walls: bool
) -> tuple[Side, Side]:
    """Two units in a round of close combat; `arc`: the arc of the second that the first is in, `charged`: the first charges,
    `walls`: the second is entrenched."""
    touch, back = touches(board, ours, theirs, arc)
    a, b = board.spaces[ours.unit.place].z, board.spaces[theirs.unit.place].z
    if ours.room is not None or theirs.room is not None:
        a = b = 0
    return (
        side_of(ours, theirs, touch, arc, charged, walls, a > b),
        side_of(theirs, ours, back, FRONT, False, False, b > a),
    )


def _lost_if_broken(state: State, board: Board, unit: Unit, foe: Unit) -> float:
    """The chance that a unit is lost once it breaks, if the enemy follows whenever it may."""
    room, away = ground.room_of(board, unit), board.spaces[foe.place].point
    if room is not None:
        if rooms.may_hold(type_of(foe), room):
            return 1.0  # an enemy that may follow in catches the garrison (RG-RES-4)
        return doomed(_moved(state, foe), board, unit, away)
    after: tuple[int, ...] = ()
    if ground.outdoors(board, foe.place) and not type_of(foe).engine:
        after = (rout.dice_of(foe),)
    return summed(expected.escape(rout.dice_of(unit), after, first_off(board, unit, away)))


def _moved(state: State, unit: Unit) -> State:
    """The state with a unit, and the characters with it, moved to its imagined place."""
    if state.units[unit.id].place == unit.place:
        return state
    units = {**state.units, unit.id: unit}
    for one in champions_of(state, unit):
        units[one.id] = replace(one, place=unit.place)
    return State(units, state.structures, state.extra, turn=state.turn, at=standing_at(units))


class Clash(NamedTuple):
    """What a charge and the round after it are expected to do: the tolls on both sides, the chances that either breaks or is
    wiped out (or gives up the charge under fire), by how many points ours are ahead on average, the tolls on the first champion
    of each side in a duel, and once his unit has fallen (`alone`), and whether either has champions."""

    mine: Toll
    theirs: Toll
    loses: float
    wins: float
    ahead: float
    champions: tuple[Toll, Toll]
    alone: tuple[Toll, Toll]
    with_champions: bool = False


def clash(state: State, board: Board, unit: Unit, foe: Unit, arc: int = FRONT, charged: bool = True) -> Clash:
    """A round of close combat between two units, from where they stand."""
    walls = charged and ground.entrenched(board, foe, unit.place)
    a, b = sides(board, fighter(state, board, unit), fighter(state, board, foe), arc, charged, walls)
    doom = _lost_if_broken(state, board, unit, foe), _lost_if_broken(state, board, foe, unit)
    return clash_of(a, b, doom)


def clash_of(a: Side, b: Side, lost: tuple[float, float]) -> Clash:
    """A round of close combat between two sides. `lost`: the chance that each is lost once it breaks."""
    found = fight(a, b)
    return Clash(
        found.ours.toll(left_of(a), lost[0]),
        found.theirs.toll(left_of(b), lost[1]),
        found.ours.gone + found.ours.broken,
        found.theirs.gone + found.theirs.broken,
        found.ahead,
        champions(a, b),
        (alone_toll(found.alone[0], a, lost[0]), alone_toll(found.alone[1], b, lost[1])),
        bool(a.champions or b.champions),
    )


def charge(
    state: State, board: Board, unit: Unit, foe: Unit, place: int, arc: int, reacts: bool = True
) -> Clash:
    """A charge that ends in a place: the enemy stands and shoots if it can (`reacts`), then the round of combat."""
    there = replace(unit, place=place)
    if not reacts or not targets.can_stand_and_shoot(state, board, foe, unit):
        return clash(state, board, there, foe, arc)
    wounds = volley_wounds(board, foe, unit, True)
    mark = mark_of(state, board, unit, foe.place)
    kind, mine, theirs = type_of(unit), Toll(), Toll()
    loses = wins = ahead = 0.0
    duel = alone = (Toll(), Toll())
    for number, share in enumerate(wounds):
        if share < RARE:
            continue
        dead, hurt = divmod(unit_state(unit).wounds + number, kind.w)
        met = expected.toll(mark, (*((0.0,) * number), 1.0))
        mine = expected.plus(mine, met, share)
        loses += share * (met.gone + met.flees)
        share *= 1.0 - met.gone - met.flees
        if share <= 0.0:
            continue
        left = replace(there, models=unit.models - dead, own=replace(unit_state(unit), wounds=hurt))
        found = clash(state, board, left, foe, arc)
        mine = expected.plus(mine, found.mine, share)
        theirs = expected.plus(theirs, found.theirs, share)
        duel = (
            expected.plus(duel[0], found.champions[0], share),
            expected.plus(duel[1], found.champions[1], share),
        )
        alone = (
            expected.plus(alone[0], found.alone[0], share),
            expected.plus(alone[1], found.alone[1], share),
        )
        loses, wins, ahead = (
            total + share * x
            for total, x in zip((loses, wins, ahead), (found.loses, found.wins, found.ahead), strict=True)
        )
    return Clash(mine, theirs, loses, wins, ahead, duel, alone, True)


def tolls_of(state: State, unit: Unit, foe: Unit, found: Clash) -> tuple[tuple[Unit, Toll], ...]:
    """The tolls of a clash on both units and the characters with them."""
    tolls = []
    (mine, theirs), (left, other_left) = found.champions, found.alone
    for one, toll, duel, alone in ((unit, found.mine, mine, left), (foe, found.theirs, theirs, other_left)):
        (_, first), *others = with_company(state, one, toll)
        tolls.append((one, first))
        known = {other.id: more for other, more in others}
        for number, other in enumerate(champions_of(state, one)):
            more = known.get(other.id, Toll())
            if number == 0:  # the loss of its unit, or what comes to him without it, comes on top
                more = expected.plus(duel, expected.plus(more, alone, 1.0), 1.0 - duel.gone)
            tolls.append((other, more))
    return tuple(tolls)
