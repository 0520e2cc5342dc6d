"""Assault and close quarters (OD-HOUSE-CLOSE, OD-ASSAULT, OD-LEAVE-2..4, OD-ENTER-5, OD-ENTER-7).

`begin` lists the steps of an assault in rulebook order: reaction fire, walk into contact, melee. Read it first.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from battlesim.board.board import Board
from battlesim.core.answers import Answer, Confirm, MoveTo, Pass
from battlesim.core.geometry import INCH
from battlesim.core.items import Ask, Item, Step
from battlesim.core.memo import memo
from battlesim.core.state import State, Unit, fallen
from battlesim.rules.contract import Chapter
from battlesim.rules.resolution import Clauses, Resolution
from battlesim.rulesets.orderdice import (
    ambush,
    casualties,
    contact,
    facts,
    fire,
    ground,
    guns,
    react,
    shoot,
    targets,
)
from battlesim.rulesets.orderdice.armament import armament
from battlesim.rulesets.orderdice.data import TYPES
from battlesim.rulesets.orderdice.facts import Fought, Ordered
from battlesim.rulesets.orderdice.model import AMBUSH, DOWN, FIRE, type_of, unit_state
from battlesim.rulesets.orderdice.walk import Walk

SURPRISE = 6 * INCH
"""A charge that begins within this distance is a surprise: no reaction fire."""
LAST_ROUND = 6
"""A sixth drawn round destroys the attackers."""


class ReactFire(Ask, frozen=True):
    """Charged by `enemy` from more than 6 inches: does the unit fire at it first?"""

    unit: int
    enemy: int


class Melee(Step, frozen=True):
    """One round of close quarters for `place`. `both`: both strike at the same time because of the target's place; a target on
    Ambush does so as well."""

    unit: int
    target: int
    both: bool
    place: int
    round: int = 1


class TakePlace(Ask, frozen=True):
    """Does the winner enter and take the place of the defeated `loser` (OD-ASSAULT-3)?"""

    unit: int
    loser: int
    place: int


class Regroup(Ask, frozen=True):
    """Where does the winner regroup to, up to `reach` hundredths? Pass stays."""

    unit: int
    reach: int


def begin(r: Resolution, unit: Unit, target: Unit) -> None:
    """An assault, in rulebook order: reaction fire, the move into contact (attackers end next to their target, or inside on the
    floor or in the section they came from), close quarters."""
    route = contact.charge(r.state, r.board, unit, target)
    assert route is not None  # the answer was legal
    inside = ground.inside(r.board, target)
    clauses: Clauses = ("OD-HOUSE-CLOSE", "OD-HOUSE-ORDERS")
    if route.indoors:
        clauses += ("OD-ASSAULT-4", "OD-LEAVE-4")
    elif inside:
        clauses += ("OD-ASSAULT-1", "OD-ASSAULT-5", "OD-ENTER-5")
    if ground.inside(r.board, unit) and not route.indoors:
        clauses += ("OD-LEAVE-2",)
    r.because(
        facts.Assault(unit=unit.id, other=target.id, place=target.place, number=route.length, clauses=clauses)
    )
    r.set(unit.id, clauses, moved=True, opening=-1)
    both = inside or bool(route.obstacle)
    todo: list[Item] = []
    if may_react(r.state, r.board, unit, target, route):
        todo.append(ReactFire(target.id, unit.id, side=target.side))
    r.then(*todo, Walk(unit.id, route.path[:-1]), Melee(unit.id, target.id, both, target.place))


def may_react(state: State, board: Board, unit: Unit, target: Unit, route: contact.Charge) -> bool:
    """Whether a charged unit may fire first: it has not acted, the charge came from more than 6 inches, and not from another
    floor or section (OD-LEAVE-3, OD-LEAVE-4)."""
    if unit_state(target).order or route.indoors or start_distance(board, unit, target) <= SURPRISE:
        return False
    met = replace(unit, place=met_at(state, board, unit, route.path))
    return targets.can_shoot_at(state, board, target, met, moved=False)


def start_distance(board: Board, unit: Unit, target: Unit) -> int:
    """The distance between the two, measured from the building itself if one of them is inside (OD-LEAVE-3)."""
    here, there = board.spaces[unit.place], board.spaces[target.place]
    if here.kind == "floor" and there.kind == "floor":
        corners = [board.gap_to_section(p, there.section) for p in board.outline(here.section)]
        return min(corners + [board.gap_to_section(p, here.section) for p in board.outline(there.section)])
    if here.kind == "floor":
        return board.gap_to_section(there.point, here.section)
    if there.kind == "floor":
        return board.gap_to_section(here.point, there.section)
    return board.distance(unit.place, target.place)


def met_at(state: State, board: Board, unit: Unit, path: tuple[int, ...]) -> int:
    """Where reaction fire hits the attackers: if they charge out of a building, on the first space outdoors on their way with
    room for them (OD-LEAVE-3); else where they start."""
    if not ground.inside(board, unit):
        return unit.place
    # There is always one: a charge ends on a free space before its target (`contact.charge`).
    return next(p for p in path if board.spaces[p].kind != "floor" and ground.holds(state, p, unit.id))


def legal_react_fire(state: State, board: Board, ask: ReactFire) -> Sequence[Answer]:
    """No, yes."""
    return react.NO_YES


def resolve_react_fire(r: Resolution, ask: ReactFire, said: Confirm) -> None:
    """The target spends its die on Fire; attackers from a building are hit outside it."""
    if not said.yes:
        return
    unit, enemy = r.state.units[ask.unit], r.state.units[ask.enemy]
    r.because(Ordered(unit.id, FIRE, "reaction", clauses=("OD-HOUSE-CLOSE", "OD-HOUSE-REACT")))
    casualties.spend_die(r, unit, FIRE)
    route = contact.charge(r.state, r.board, enemy, unit)
    if route is not None and ground.inside(r.board, enemy):
        path = route.path[: route.path.index(met_at(r.state, r.board, enemy, route.path)) + 1]
        r.move(enemy, path, ("OD-LEAVE-3",))
        shoot.fire_at(r, unit, enemy.id, moved=False)
        # The space where they come out is one of their move: units in Ambush may fire there, too (OD-HOUSE-REACT).
        r.then(*ambush.interrupts(r.state, r.board, r.state.units[enemy.id]))
        return
    shoot.fire_at(r, unit, enemy.id, moved=False)


def attacks(unit: Unit) -> int:
    """Attacks of a unit in one round of close quarters."""
    return attacks_of(unit.kind, unit.models)


@memo(bound=1_024)
def attacks_of(kind: str, models: int) -> int:
    """Attacks of so many models of a type: one each, two with an assault weapon or for tough fighters (OD-HOUSE-CLOSE)."""
    if TYPES[kind].tough:
        return 2 * models
    armed = sum(arm.weapon.assault for arm in armament(kind, models, ()).arms)
    return models + armed


def strike(r: Resolution, unit: Unit, target: Unit, round: int, clauses: Clauses) -> int:
    """Attacks of one side: models they would take; extra protection does not count (OD-AT-5)."""
    need = fire.damage_need(unit_state(target).quality, 0, False)
    most, key = target.models, (unit.id, target.id, round)
    return min(most, r.count(attacks(unit), need, "melee", *key, clauses=clauses, enough=most))


def melee(r: Resolution, step: Melee) -> None:
    """Attackers strike first and survivors strike back, or both at once. The side that lost more is destroyed; a draw is fought
    again, and a sixth destroys the attackers."""
    unit, target = r.state.units[step.unit], r.state.units[step.target]
    if not (unit.alive and target.alive):
        return
    # Attackers that were stopped on the way, by units that bailed out before them, have not come into contact.
    if all(near != target.place for near, _ in r.board.exits[unit.place]):
        return
    both = step.both or unit_state(target).order == AMBUSH
    inside = ground.inside(r.board, target)
    clauses: Clauses = ("OD-HOUSE-CLOSE", "OD-ASSAULT-2", "OD-AT-5") if inside else ("OD-HOUSE-CLOSE",)
    inflicted = strike(r, unit, target, step.round, clauses)
    if both:
        lost = strike(r, target, unit, step.round, clauses)
        casualties.lose(r, target.id, inflicted, "close quarters", clauses)
    else:
        casualties.lose(r, target.id, inflicted, "close quarters", clauses)
        survivors = r.state.units[target.id]
        lost = strike(r, survivors, unit, step.round, clauses) if survivors.alive else 0
    casualties.lose(r, unit.id, lost, "close quarters", clauses)
    r.because(Fought(unit.id, target.id, step.round, lost, inflicted, not both, clauses=clauses))
    unit, target = r.state.units[step.unit], r.state.units[step.target]
    drawn = unit.alive and target.alive and lost == inflicted
    if drawn and step.round < LAST_ROUND:
        r.then(Melee(step.unit, step.target, True, step.place, step.round + 1))
        return
    if unit.alive and target.alive:
        loser = target if inflicted > lost else unit
        casualties.destroy(r, loser.id, "beaten off" if drawn else "lost in close quarters", clauses)
    for winner, loser in ((unit, target), (target, unit)):
        if r.state.units[winner.id].alive:
            r.because(facts.Won(unit=winner.id, other=loser.id, clauses=clauses))
            _after(r, winner, loser, step)


def _after(r: Resolution, winner: Unit, loser: Unit, step: Melee) -> None:
    """The winner may take the place it attacked, or regroup D6 inches."""
    board = r.board
    if winner.id == step.unit and board.spaces[step.place].kind == "floor" and step.place not in r.state.at:
        r.then(TakePlace(winner.id, loser.id, step.place, side=winner.side))
    else:
        roll_regroup(r, winner, loser.id)


def legal_take_place(state: State, board: Board, ask: TakePlace) -> Sequence[Answer]:
    """No, yes; only no if the place is barred or occupied."""
    section = board.spaces[ask.place].section
    barred = section in ground.barred(state, board) or section in fallen(state)
    return react.NO_YES[:1] if barred or ask.place in state.at else react.NO_YES


def resolve_take_place(r: Resolution, ask: TakePlace, said: Confirm) -> None:
    """The winner goes in and holds the place, or stays before it and may regroup."""
    unit = r.state.units[ask.unit]
    if said.yes:
        clauses = ("OD-ASSAULT-3", "OD-ENTER-7")
        r.set(unit.id, clauses, opening=-1)
        inside = replace(unit, place=ask.place)
        r.then(Walk(unit.id, (unit.place, ask.place), clauses=clauses), *guns.asks(r.board, inside))
    elif ground.inside(r.board, unit):
        r.then(*guns.asks(r.board, unit))  # the assault was a Run: a fixed weapon is set up anew (OD-FROM-6)
    else:
        roll_regroup(r, unit, ask.loser)


def roll_regroup(r: Resolution, unit: Unit, loser: int) -> None:
    """The winner may move D6 inches, but not a gun or a unit inside: leaving takes an order (OD-LEAVE-1)."""
    if type_of(unit).artillery or ground.inside(r.board, unit):
        return
    # A unit that is Down takes cover and does nothing else (OD-HOUSE-ORDERS).
    if unit_state(unit).order == DOWN:
        return
    inches = r.total(1, 6, "regroup", unit.id, loser, clauses=("OD-HOUSE-CLOSE",))
    r.then(Regroup(unit.id, inches * INCH, side=unit.side))


def legal_regroup(state: State, board: Board, ask: Regroup) -> Sequence[Answer]:
    """Stay; then free spaces outdoors within reach, by length and id. No regroup move enters a building (OD-ENTER-7)."""
    unit = state.units[ask.unit]
    answers: list[Answer] = [Pass()]
    shut = ground.enemy_places(state, unit.side)
    lengths = ground.reach(state, board, unit, ground.FOOT_6, shut)
    answers += [
        MoveTo(place)
        for place, length in lengths.items()
        if length <= ask.reach and board.spaces[place].kind != "floor" and ground.holds(state, place)
    ]
    return answers


def resolve_regroup(r: Resolution, ask: Regroup, said: Answer) -> None:
    """The winner moves to where its side says."""
    if isinstance(said, MoveTo):
        unit = r.state.units[ask.unit]
        shut = ground.enemy_places(r.state, unit.side)
        route = ground.path(r.state, r.board, unit, ground.FOOT_6, said.place, shut)
        r.then(Walk(unit.id, route, clauses=("OD-HOUSE-CLOSE", "OD-ENTER-7")))


CHAPTER = Chapter(
    owns=(
        "OD-HOUSE-CLOSE",
        "OD-ASSAULT-1",
        "OD-ASSAULT-2",
        "OD-ASSAULT-3",
        "OD-ASSAULT-4",
        "OD-ASSAULT-5",
        "OD-LEAVE-2",
        "OD-LEAVE-3",
        "OD-LEAVE-4",
        "OD-ENTER-5",
        "OD-ENTER-7",
    ),
    asks={
        ReactFire: (legal_react_fire, resolve_react_fire),
        TakePlace: (legal_take_place, resolve_take_place),
        Regroup: (legal_regroup, resolve_regroup),
    },
    steps={Melee: melee},
)
