"""Fires: how they start, grow, burn people and go out (AC-FIRE, AC-HOUSE-FIRE). Optional.

A fire is entries of the agenda: `Grow` every second turn, `BurnOut` four turns after a space caught. Read `ignite`, `grow`.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from battlesim.board.board import Board
from battlesim.core.geometry import INCH
from battlesim.core.items import TURN, Due, Step
from battlesim.core.state import State, Unit
from battlesim.rules.contract import Chapter
from battlesim.rules.resolution import Clauses, Resolution
from battlesim.rulesets.armorclass import damage, hide, works, wounds
from battlesim.rulesets.armorclass.data import FIRE, WEATHER
from battlesim.rulesets.armorclass.fire import Group
from battlesim.rulesets.armorclass.model import Fire, Happened, extra

FACTOR = 5
"""The attack factor of fire (AC-FIRE-4)."""
LEAP = 6 * INCH
"""Fire takes the nearest flammable spaces, none farther than this from what burns."""
BURNS = 4
"""Turns that a space burns."""
GROW_PRIORITY, OUT_PRIORITY = 1, 2
"""At one tick fires grow, then spaces burn out; both before the turn begins."""


class Grow(Due, frozen=True):
    """A fire takes more spaces."""

    fire: int


class BurnOut(Due, frozen=True):
    """A space has burnt for four turns."""

    place: int


class GrowFire(Step, frozen=True):
    """Let a fire grow."""

    fire: int


class PutOut(Step, frozen=True):
    """A space goes out, its plants or floor destroyed."""

    place: int


# ---- what burns


def starts_on(weapon_type: str, weather: str) -> int:
    """The D10 at most on which a weapon of the fire table starts a fire; 0 or less: never (AC-FIRE-1, AC-FIRE-2)."""
    return FIRE.get(weapon_type, 0) - WEATHER[weather] if weapon_type in FIRE else 0


def is_burning(state: State, board: Board, place: int) -> bool:
    """Whether a space burns."""
    fires = extra(state).fires
    if not fires:
        return False
    return any(place == p for fire in fires for p, _ in fire.taken) and works.tenable(state, board, place)


def burning_places(state: State, board: Board) -> list[int]:
    """The spaces that burn, fire by fire."""
    return [p for fire in extra(state).fires for p, _ in fire.taken if works.tenable(state, board, p)]


def flammable(state: State, board: Board, place: int) -> bool:
    """Whether a space holds fuel: plants that have not burnt, or a floor of something that burns (AC-FIRE-1)."""
    space = board.spaces[place]
    if space.kind == "ground":
        return space.terrain in hide.PLANTS and place not in extra(state).burnt
    if not _has_fuel(state, board, place):
        return False
    make = works.make_of(board, space.section)
    top = works.floors_left(state, board, space.section) - 1
    return make.burns or (make.roof_burns and space.floor == top)


def _has_fuel(state: State, board: Board, place: int) -> bool:
    """Whether a floor stands and has not burnt out already."""
    return works.tenable(state, board, place) and place not in extra(state).burnt


# ---- how fires start


def ignite(r: Resolution, unit: Unit, kinds: Sequence[str], place: int, attempt: int = 0) -> bool:
    """One die for a volley that struck something flammable, by the fieriest of its weapons; whether a fire starts."""
    options = extra(r.state).options
    needs = [starts_on(kind, options.weather) for kind in kinds if kind in FIRE]
    if not options.fires or not needs or is_burning(r.state, r.board, place):
        return False
    need = max(needs)
    clauses: Clauses = ("AC-FIRE-1",) if options.weather == "clear" else ("AC-FIRE-1", "AC-FIRE-2")
    if need <= 0 or (need < 10 and r.count(1, need + 1, "no fire", unit.id, place, attempt, 10, clauses)):
        return False
    start(r, place, clauses)
    return True


def start(r: Resolution, place: int, clauses: Clauses) -> None:
    """A space catches fire."""
    known, turn = extra(r.state), r.state.turn
    fire = Fire(known.begun, ((place, turn),))
    r.emit(Happened("catches fire", place=place, clauses=(*clauses, "AC-HOUSE-FIRE"), cause=r.cause))
    r.set_extra(clauses, fires=(*known.fires, fire), begun=known.begun + 1)
    _alight(r, place)
    every = known.options.every
    r.schedule((turn - 1 + every) * TURN, Grow(fire.number), GROW_PRIORITY, ("AC-FIRE-3",))


def _alight(r: Resolution, place: int) -> None:
    """What every space that catches has in store, and its section's mark."""
    space = r.board.spaces[place]
    r.schedule((r.state.turn - 1 + BURNS) * TURN, BurnOut(place), OUT_PRIORITY, ("AC-HOUSE-FIRE",))
    if space.kind == "floor":
        structure = r.state.structures.get(space.section)
        if structure is None or not structure.burning:
            works.change(r, space.section, ("AC-HOUSE-FIRE",), burning=True)


def wall_struck(r: Resolution, unit: Unit, volley: Sequence[Group], place: int, attempt: int = 0) -> None:
    """A wall was struck by the weapons of a volley, penetrated or not."""
    space = r.board.spaces[place]
    if _has_fuel(r.state, r.board, place) and works.make_of(r.board, space.section).burns:
        ignite(r, unit, [group.weapon.type for group in volley], place, attempt)


def roof_struck(r: Resolution, unit: Unit, kind: str, place: int, attempt: int) -> None:
    """The roof over a floor was struck, penetrated or not: what the walls are made of does not count."""
    space = r.board.spaces[place]
    if _has_fuel(r.state, r.board, place) and works.make_of(r.board, space.section).roof_burns:
        ignite(r, unit, [kind], place, attempt)


def plants_struck(r: Resolution, unit: Unit, volley: Sequence[Group], place: int, attempt: int = 0) -> None:
    """Plants were struck by the weapons of a volley: they may burn, or an effect area wrecks them outright (AC-FIRE-5)."""
    if not extra(r.state).options.fires or not flammable(r.state, r.board, place):
        return
    if r.board.spaces[place].kind != "ground":
        return
    kinds = [group.weapon.type for group in volley if group.weapon.type in FIRE]
    if ignite(r, unit, kinds, place, attempt) or is_burning(r.state, r.board, place):
        return
    if any(group.weapon.radius and group.weapon.type in FIRE for group in volley):
        clauses: Clauses = ("AC-FIRE-5",)
        r.emit(Happened("plants wrecked", unit.id, place=place, clauses=clauses, cause=r.cause))
        r.set_extra(clauses, burnt=tuple(sorted((*extra(r.state).burnt, place))))


# ---- how they go on


def grow_due(r: Resolution, due: Grow) -> None:
    r.then(GrowFire(due.fire))


def grow(r: Resolution, step: GrowFire) -> None:
    """A fire takes as many more of the nearest flammable spaces as it has, or twice as many in very strong wind."""
    state, board = r.state, r.board
    known = extra(state)
    fire = next((f for f in known.fires if f.number == step.fire), None)
    if fire is None:
        return
    options = known.options
    times = options.wind_spread if options.wind else options.spread
    clauses: Clauses = ("AC-FIRE-3", "AC-HOUSE-FIRE")
    if (options.spread, options.wind_spread, options.every) != (2, 3, 2):
        clauses += ("AC-FIRE-5",)
    taken = next_taken(state, board, fire, times)
    for place in taken:
        r.emit(Happened("fire spreads", place=place, clauses=clauses, cause=r.cause))
        fires = tuple(
            replace(f, taken=(*f.taken, (place, state.turn))) if f.number == fire.number else f
            for f in extra(state).fires
        )
        r.set_extra(clauses, fires=fires)
        _alight(r, place)
    if any(f.number == fire.number for f in extra(state).fires):
        r.schedule((state.turn - 1 + options.every) * TURN, Grow(fire.number), GROW_PRIORITY, ("AC-FIRE-3",))


def next_taken(state: State, board: Board, fire: Fire, times: int) -> list[int]:
    """The spaces that a fire takes next: nearest first, then by number, so many that it is `times` its size."""
    alight = [place for place, _ in fire.taken if works.tenable(state, board, place)]
    wanted = len(alight) * (times - 1)
    all_alight = burning_places(state, board)
    near: list[tuple[int, int]] = []
    for space in board.spaces:
        if space.kind == "ruin" or space.id in all_alight or not flammable(state, board, space.id):
            continue
        far = min(
            (
                (board.spaces[p].x - space.x) ** 2
                + (board.spaces[p].y - space.y) ** 2
                + (board.spaces[p].z - space.z) ** 2
                for p in alight
            ),
            default=LEAP**2 + 1,
        )
        if far <= LEAP**2:
            near.append((far, space.id))
    return [place for _, place in sorted(near)[:wanted]]


def out_due(r: Resolution, due: BurnOut) -> None:
    r.then(PutOut(due.place))


def put_out(r: Resolution, step: PutOut) -> None:
    """Plants are gone, a floor is destroyed, and the space burns no more."""
    state, board = r.state, r.board
    place = step.place
    clauses: Clauses = ("AC-HOUSE-FIRE", "AC-DEST-1")
    fires = []
    for fire in extra(state).fires:
        left = tuple((p, turn) for p, turn in fire.taken if p != place)
        if left:
            fires.append(replace(fire, taken=left))
    space = board.spaces[place]
    stood = works.tenable(state, board, place)
    r.emit(Happened("burnt out", place=place, section=space.section, clauses=clauses, cause=r.cause))
    if space.kind == "ground":
        r.set_extra(clauses, fires=tuple(fires), burnt=tuple(sorted({*extra(state).burnt, place})))
        return
    if extra(state).options.damage == "ignored":  # AC-DEST-4: it stands, and has nothing left to burn
        r.set_extra(clauses, fires=tuple(fires), burnt=tuple(sorted({*extra(state).burnt, place})))
        stood = False
    else:
        r.set_extra(clauses, fires=tuple(fires))
    if stood:
        damage.destroy_floor(r, space.section, space.floor, (*clauses, "AC-DEST-3"))
    alight = any(board.spaces[p].section == space.section for p in burning_places(r.state, board))
    structure = r.state.structures[space.section]
    if structure.burning and not alight:
        works.change(r, space.section, clauses, burning=False)


# ---- whom they burn


def burn(r: Resolution, unit: int, attempt: int) -> None:
    """Fire attacks whoever is in it, each soldier once (AC-FIRE-4)."""
    caught = r.state.units[unit]
    clauses: Clauses = ("AC-FIRE-4", "AC-HOUSE-FIRE")
    r.emit(Happened("in the fire", unit, place=caught.place, clauses=clauses, cause=r.cause))
    wounds.strike(r, -1, unit, FACTOR, caught.models, attempt, clauses, "burns")


AT_THE_END = 90
"""Attempt that stands for a turn's end; those on the way count from 0."""


def burn_all(r: Resolution) -> None:
    """At each turn's end fire attacks everybody in it."""
    for place in sorted(burning_places(r.state, r.board)):
        for unit in r.state.at.get(place, ()):
            burn(r, unit, AT_THE_END)


CHAPTER = Chapter(
    owns=("AC-FIRE-1", "AC-FIRE-2", "AC-FIRE-3", "AC-FIRE-4", "AC-FIRE-5", "AC-HOUSE-FIRE"),
    steps={GrowFire: grow, PutOut: put_out},
    dues={Grow: grow_due, BurnOut: out_due},
)
