"""What acts may be expected to cost, in a position: volleys, engines at units and houses, charges, rounds of close combat.

This puts together what an act consists of, asking the chapters of the rules, and has it worked out by `expected.py` and
`expected_close.py`. Everybody who is in the way counts, friends as well. Nothing here decides a rule. Read `volley`, then
`charge`.
"""

from __future__ import annotations

from typing import NamedTuple

from msgspec.structs import replace

from battlesim.board.board import Board
from battlesim.core.geometry import INCH, Point
from battlesim.core.state import State, Unit, standing_at
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
from battlesim.rulesets.regiment.expected_close import Side, champions, fight
from battlesim.rulesets.regiment.model import FLANK, FRONT, REAR, company, type_of, unit_state
from battlesim.rulesets.regiment.rooms import Room

ARC_POINTS = {FRONT: 0, FLANK: 1, REAR: 2}
RARE = 1e-4
"""What is less likely than this is left out."""


def model_worth(unit: Unit) -> float:
    """Points of one wound of a unit."""
    kind = type_of(unit)
    return kind.worth / max(1, max(kind.models, unit_state(unit).full) * kind.w)


# ---- nerve and flight ----------------------------------------------------------------------------------------------------


def first_off(board: Board, unit: Unit, away: Point) -> int:
    """The length in inches from which on a unit that flees from a point leaves the table; 0 where no dice reach its edge."""
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
    """The chance that a unit is lost at once as it flees from a point: off the table, or with no way out of its building."""
    room = ground.room_of(board, unit)
    if room is not None:
        place = rout.way_out(state, board, unit, room)
        if place < 0:
            known = rooms.rooms_of(board).by_place
            free = any(enter.is_open_to(state, board, unit, known[other]) for other in room.neighbours)
            return 0.0 if free else 1.0
        unit = replace(unit, place=place)
    return expected.escape(rout.dice_of(unit), (), first_off(board, unit, away))[1]


def mark_of(state: State, board: Board, target: Unit, source: int) -> Mark:
    """A unit as shots from a space reach it."""
    mine, kind = unit_state(target), type_of(target)
    room = ground.room_of(board, target)
    calm = kind.immune or mine.fleeing
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
        0.0 if calm else doomed(state, board, target, board.spaces[source].point),
    )


class Outcome(NamedTuple):
    """What an act is expected to do: the toll of each unit that it may cost anything, and the chance that the room on space
    `place` (-1: none) becomes unstable."""

    tolls: tuple[tuple[Unit, Toll], ...] = ()
    place: int = -1
    unstable: float = 0.0


def with_company(state: State, unit: Unit, toll: Toll) -> list[tuple[Unit, Toll]]:
    """The toll of a unit and of the characters with it, who share its flight and its end by other things than wounds."""
    found = [(unit, toll)]
    if toll.taken:
        found += [
            (one, Toll(toll.taken * casualties.wounds_left(one), toll.taken, 0.0, toll.taken))
            for one in company(state, unit)
        ]
    return found


def champions_of(state: State, unit: Unit) -> list[Unit]:
    """The characters with a unit, which may be thought of as standing elsewhere."""
    return company(state, state.units[unit.id])


# ---- volleys -------------------------------------------------------------------------------------------------------------


def volley_wounds(board: Board, unit: Unit, target: Unit, stand: bool = False) -> Distribution:
    """The wounds of a unit's volley at a target that it sees; `stand`: as that charges it."""
    weapon = targets.weapon_of(unit)
    far = line_of_sight.flat_distance(board, unit, target)
    assert weapon is not None
    need = targets.need(board, unit, target, weapon, far, stand)
    shots = form.shooters(board, unit)
    return expected.volley(shots, need, weapon.strength, target.kind, casualties.wounds_left(target))


def volley(state: State, board: Board, unit: Unit, target: Unit, stand: bool = False) -> Outcome:
    """What a volley comes to."""
    wounds = volley_wounds(board, unit, target, stand)
    toll = expected.toll(mark_of(state, board, target, unit.place), wounds)
    return Outcome(tuple(with_company(state, target, toll)))


# ---- close combat --------------------------------------------------------------------------------------------------------


def touches(
    state: State, board: Board, unit: Unit, at: int, foe: Unit, spot: int, arc: int
) -> tuple[int, int]:
    """Models of a unit at `at` and of an enemy at `spot` that touch each other, were they alone in contact; `arc`: where the unit
    stands to the enemy. Characters are not counted (`form.in_contact`)."""
    mine, theirs = rooms.room_at(board, at), rooms.room_at(board, spot)
    kind, other = type_of(unit), type_of(foe)
    champions, rivals = champions_of(state, unit), champions_of(state, foe)
    if mine is not None and theirs is not None:
        most = [form.INNER_MI if one.kind == "mi" else form.INNER for one in (kind, other)]
        return (
            min(unit.models, max(0, most[0] - len(champions))),
            min(foe.models, max(0, most[1] - len(rivals))),
        )
    if theirs is not None:
        ours = _before_wall(board, unit, at, theirs)
        return ours, _of_garrison(unit, ours, champions, foe, rivals)
    if mine is not None:
        ours = _before_wall(board, foe, spot, mine)
        return _of_garrison(foe, ours, rivals, unit, champions), ours
    front, side = form.front(unit), form.side_models(foe, arc)
    length = min(front * kind.base, side * other.base)
    return (
        min(front, max(1, -(-length // kind.base))),
        min(foe.models, side, max(1, -(-length // other.base))),
    )


def _before_wall(board: Board, unit: Unit, at: int, room: Room) -> int:
    """Models of a unit that touch a room's outline from a node; where it is at none of them, as if the wall were long."""
    wall = ground.wall_for(board, unit, at, room)
    if wall < 0:
        return form.front(unit)
    return form.along_wall(unit, rooms.wall_length(board, room, wall), 1)


def _of_garrison(unit: Unit, touch: int, champions: list[Unit], foe: Unit, rivals: list[Unit]) -> int:
    """Models of a garrison that touch a unit outside: as much unit strength as that has in touch with the building."""
    kind = type_of(unit)
    weight = kind.w - unit_state(unit).wounds if kind.kind == "monster" else touch * kind.us
    if touch and kind.kind != "monster":
        weight += sum(form.unit_strength(one) for one in champions)
    taken = sum(form.unit_strength(one) for one in rivals)
    return min(foe.models, max(0, weight - taken) // type_of(foe).us)


def side_of(
    state: State,
    board: Board,
    unit: Unit,
    foe: Unit,
    touch: int,
    charged: bool,
    arc: int,
) -> Side:
    """A unit, standing where it fights, in close combat with an enemy. `arc`: where it stands to the enemy; `charged`: it
    comes by a charge."""
    mine, theirs = ground.room_of(board, unit), ground.room_of(board, foe)
    kind, champions = type_of(unit), champions_of(state, unit)
    walls = charged and ground.entrenched(board, foe, unit.place)
    points = ARC_POINTS[arc]
    if mine is None:
        points += max(type_of(one).standard for one in (unit, *champions))
        if theirs is None:
            points += board.spaces[unit.place].z > board.spaces[foe.place].z
    files = 0
    if kind.kind not in ("chariot", "monster", "engine"):
        files = kind.minimum if mine is not None else unit_state(unit).files
        files = files if files >= kind.minimum else 0
    goal = morale.leadership(state, board, unit)[0]
    sound = mine is not None and not rooms.is_unstable(state, mine)
    may_enter = theirs is not None and rooms.may_hold(kind, theirs)
    return Side(
        unit.kind,
        unit.models,
        unit_state(unit).wounds,
        files,
        touch,
        walls,
        charged and not walls,
        charged and kind.impact and theirs is None,
        points,
        theirs is None,
        tuple(one.kind for one in champions),
        sum(form.unit_strength(one) for one in champions),
        goal,
        sound or kind.stubborn,
        mine is not None,
        kind.us if may_enter else 0,
        morale.aura(state, board, unit, "battle_standard"),
        _lost_if_broken(state, board, unit, foe),
    )


def _lost_if_broken(state: State, board: Board, unit: Unit, foe: Unit) -> float:
    """The chance that a unit is lost once it breaks, if the enemy follows whenever it may."""
    room, away = ground.room_of(board, unit), board.spaces[foe.place].point
    if room is not None:
        if rooms.may_hold(type_of(foe), room):
            return 1.0  # whoever may follow in catches the garrison (RG-RES-4)
        return doomed(_moved(state, foe), board, unit, away)
    after: tuple[int, ...] = ()
    if ground.outdoors(board, foe.place) and not type_of(foe).engine:
        after = (rout.dice_of(foe),)
    return sum(expected.escape(rout.dice_of(unit), after, first_off(board, unit, away)))


def _moved(state: State, unit: Unit) -> State:
    """The state with a unit, and who is with it, where it is thought to be."""
    if state.units[unit.id].place == unit.place:
        return state
    units = {**state.units, unit.id: unit}
    for one in champions_of(state, unit):
        units[one.id] = replace(one, place=unit.place)
    return State(units, state.structures, state.extra, turn=state.turn, at=standing_at(units))


class Clash(NamedTuple):
    """What a charge, and the round that follows it, are expected to do: the toll of both sides, the chances that either breaks or
    is wiped out in it, by how many points ours are ahead on average, and what champions cost the first champion of either."""

    mine: Toll
    theirs: Toll
    loses: float
    wins: float
    ahead: float
    champions: tuple[Toll, Toll]


def sides(state: State, board: Board, unit: Unit, foe: Unit, arc: int, charged: bool) -> tuple[Side, Side]:
    """Two units, standing where they fight, as a round of close combat knows them; `arc`: where the first stands to the other."""
    ours, theirs = touches(state, board, unit, unit.place, foe, foe.place, arc)
    return (
        side_of(state, board, unit, foe, ours, charged, arc),
        side_of(state, board, foe, unit, theirs, False, FRONT),
    )


def clash(state: State, board: Board, unit: Unit, foe: Unit, arc: int = FRONT, charged: bool = True) -> Clash:
    """A round of close combat between two units that stand where they fight."""
    a, b = sides(state, board, unit, foe, arc, charged)
    return _clash(a, b)


def _clash(a: Side, b: Side) -> Clash:
    found = fight(a, b)
    lost = found.ours.gone - found.ours.taken + found.broken
    won = found.theirs.gone - found.theirs.taken + found.breaks
    return Clash(found.ours, found.theirs, lost, won, found.ahead, champions(a, b))


def charge(
    state: State, board: Board, unit: Unit, foe: Unit, place: int, arc: int, reacts: bool = True
) -> Clash:
    """A charge that ends in a place: the enemy stands and shoots where it can (`reacts`), then the round that follows."""
    there = replace(unit, place=place)
    if not reacts or not targets.can_stand_and_shoot(state, board, foe, unit):
        return clash(state, board, there, foe, arc)
    wounds = volley_wounds(board, foe, unit, True)
    mark = mark_of(state, board, unit, foe.place)
    kind, mine, theirs = type_of(unit), Toll(), Toll()
    loses = wins = ahead = 0.0
    duel = Toll(), Toll()
    for number, share in enumerate(wounds):
        if share < RARE:
            continue
        dead, hurt = divmod(unit_state(unit).wounds + number, kind.w)
        met = expected.toll(mark, (*((0.0,) * number), 1.0))
        mine = expected.plus(mine, met, share)
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
        loses, wins, ahead = (
            total + share * x
            for total, x in zip((loses, wins, ahead), (found.loses, found.wins, found.ahead), strict=True)
        )
    return Clash(mine, theirs, loses, wins, ahead, duel)


def tolls_of(state: State, unit: Unit, foe: Unit, found: Clash) -> tuple[tuple[Unit, Toll], ...]:
    """The tolls of a clash for both units and the characters with them."""
    tolls = []
    for one, toll, duel in ((unit, found.mine, found.champions[0]), (foe, found.theirs, found.champions[1])):
        (_, first), *others = with_company(state, one, toll)
        tolls.append((one, first))
        known = {other.id: more for other, more in others}
        for number, other in enumerate(champions_of(state, one)):
            more = known.get(other.id, Toll())
            if number == 0:  # what his unit's end costs him comes on top
                more = expected.plus(duel, more, 1.0 - duel.gone)
            tolls.append((other, more))
    return tuple(tolls)
