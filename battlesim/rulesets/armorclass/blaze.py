"""Fires: how they start, grow and go out (AC-FIRE, AC-HOUSE-FIRE). Optional. Attacks by fire on units are in `flames.py`.

A fire has entries on the agenda: `Grow` every second turn, `BurnOut` four turns after a space caught fire. Read `ignite`, `grow`.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from msgspec.structs import replace

from battlesim.board.board import Board
from battlesim.core.geometry import INCH
from battlesim.core.items import TURN, Step
from battlesim.core.memo import owned_memo
from battlesim.core.state import State, Structure, Unit
from battlesim.rules.contract import Chapter
from battlesim.rules.resolution import Clauses, Resolution
from battlesim.rulesets.armorclass import damage, facts_buildings, flames, works
from battlesim.rulesets.armorclass.data import D10, FIRE, WEATHER
from battlesim.rulesets.armorclass.fire import Group
from battlesim.rulesets.armorclass.model import BattleState, Fieldwork, Fire, Options, battle_state

LEAP = 6 * INCH
"""Fire spreads to the nearest flammable spaces, at most this far from burning ones."""
BURNS = 4
"""Turns that a space burns."""
GROW_PRIORITY, OUT_PRIORITY = 1, 2
"""At one tick fires grow, then spaces burn out; both before the turn begins."""


class Grow(Step, frozen=True):
    """A fire spreads."""

    fire: int


class BurnOut(Step, frozen=True):
    """A space has burnt for four turns: the fire goes out, and its plants or floor are destroyed."""

    place: int


# ---- how fires start


def starts_on(weapon_type: str, weather: str) -> int:
    """The highest D10 roll on which a weapon of the fire table starts a fire; 0 or less: never (AC-FIRE-1, AC-FIRE-2)."""
    return FIRE.get(weapon_type, 0) - WEATHER[weather] if weapon_type in FIRE else 0


def ignite(r: Resolution, unit: Unit, kinds: Sequence[str], place: int, attempt: int = 0) -> bool:
    """Roll one die for a volley that struck something flammable, by its weapon likeliest to start a fire. Returns whether a fire
    starts."""
    options = battle_state(r.state).options
    needs = [starts_on(kind, options.weather) for kind in kinds if kind in FIRE]
    if not options.fires or not needs or flames.is_burning(r.state, r.board, place):
        return False
    need = max(needs)
    clauses: Clauses = ("AC-FIRE-1",) if options.weather == "clear" else ("AC-FIRE-1", "AC-FIRE-2")
    if need <= 0 or (need < 10 and r.count(1, need + 1, "no fire", unit.id, place, attempt, D10, clauses)):
        return False
    start(r, place, clauses)
    return True


def start(r: Resolution, place: int, clauses: Clauses) -> None:
    """A space catches fire."""
    known, turn = battle_state(r.state), r.state.turn
    fire = Fire(known.begun, ((place, turn),))
    r.emit(facts_buildings.CatchesFire(place=place, clauses=(*clauses, "AC-HOUSE-FIRE"), cause=r.cause))
    r.set_extra(clauses, fires=(*known.fires, fire), begun=known.begun + 1)
    _alight(r, place)
    every = known.options.every
    r.schedule((turn - 1 + every) * TURN, Grow(fire.number), GROW_PRIORITY, ("AC-FIRE-3",))


def _alight(r: Resolution, place: int) -> None:
    """Schedule the burning out of a space that caught fire, and mark its section as burning."""
    space = r.board.spaces[place]
    r.schedule((r.state.turn - 1 + BURNS) * TURN, BurnOut(place), OUT_PRIORITY, ("AC-HOUSE-FIRE",))
    if space.kind == "floor":
        structure = r.state.structures.get(space.section)
        if structure is None or not structure.burning:
            works.change(r, space.section, ("AC-HOUSE-FIRE",), burning=True)


def wall_struck(r: Resolution, unit: Unit, volley: Sequence[Group], place: int) -> None:
    """The weapons of a volley struck the walls or the inside of a floor, penetrating or not. On a flat roof there are neither."""
    if flames.walls_burn(r.state, r.board, place):
        ignite(r, unit, [group.weapon.type for group in volley], place)


def roof_struck(r: Resolution, unit: Unit, kind: str, place: int, attempt: int) -> None:
    """The roof over a floor was struck, penetrated or not; the material of the walls does not count."""
    section = r.board.spaces[place].section
    if flames.has_fuel(r.state, r.board, place) and flames.roof_burns(r.state, r.board, section):
        ignite(r, unit, [kind], place, attempt)


def ground_struck(
    r: Resolution,
    unit: Unit,
    volley: Sequence[Group],
    bank: Sequence[Group],
    place: int,
    attempt: int = 0,
    above: bool = False,
) -> None:
    """A volley struck a ground space: all of it strikes plants. `bank`: the weapons that struck the field work there; `above`:
    they struck its overhead cover, if it has any."""
    work = works.fieldwork(r.state, place)
    if flames.has_plants(r.state, r.board, place):
        _plants_struck(r, unit, volley, place, attempt)
    elif work is not None and (work.roof_burns if above and work.roof else work.burns):
        ignite(r, unit, [group.weapon.type for group in bank], place, attempt)


def _plants_struck(r: Resolution, unit: Unit, volley: Sequence[Group], place: int, attempt: int) -> None:
    """Plants may burn, or an effect area wrecks them outright (AC-FIRE-5)."""
    if not battle_state(r.state).options.fires:
        return
    kinds = [group.weapon.type for group in volley if group.weapon.type in FIRE]
    if ignite(r, unit, kinds, place, attempt) or flames.is_burning(r.state, r.board, place):
        return
    if any(group.weapon.radius and group.weapon.type in FIRE for group in volley):
        clauses: Clauses = ("AC-FIRE-5",)
        r.emit(facts_buildings.PlantsWrecked(unit=unit.id, place=place, clauses=clauses, cause=r.cause))
        r.set_extra(clauses, burnt=tuple(sorted((*battle_state(r.state).burnt, place))))


# ---- how they grow and go out


def grow(r: Resolution, step: Grow) -> None:
    """A fire spreads to the nearest flammable spaces: by default as many more as it has, or twice as many in very strong wind."""
    state, board = r.state, r.board
    known = battle_state(state)
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
        r.emit(facts_buildings.FireSpreads(place=place, clauses=clauses, cause=r.cause))
        fires = tuple(
            replace(f, taken=(*f.taken, (place, state.turn))) if f.number == fire.number else f
            for f in battle_state(state).fires
        )
        r.set_extra(clauses, fires=fires)
        _alight(r, place)
    if any(f.number == fire.number for f in battle_state(state).fires):
        r.schedule((state.turn - 1 + options.every) * TURN, Grow(fire.number), GROW_PRIORITY, ("AC-FIRE-3",))


def next_taken(state: State, board: Board, fire: Fire, times: int) -> list[int]:
    """The spaces that a fire takes next, nearest first, then by number, until it has `times` its size."""
    alight = tuple([place for place, _ in fire.taken if works.tenable(state, board, place)])
    wanted = len(alight) * (times - 1)
    all_alight = set(flames.burning_places(state, board))
    free = (place for place in _around(board, alight) if place not in all_alight)
    return list(islice((place for place in free if flames.flammable(state, board, place)), wanted))


@owned_memo(bound=500)
def _around(board: Board, alight: tuple[int, ...]) -> tuple[int, ...]:
    """The spaces that fire can reach from any of some spaces, nearest first, then by number."""
    near: dict[int, int] = {}
    for burning in alight:
        for far, place in _leaps(board, burning):
            if far < near.get(place, far + 1):
                near[place] = far
    return tuple([place for _, place in sorted([(far, place) for place, far in near.items()])])


def doomed(state: State, board: Board) -> frozenset[int]:
    """The spaces to avoid unless this is the last turn: those that fires take when they next grow, and the floors above a burning
    one, which fall with it and whose way out leads through it."""
    known = battle_state(state)
    if not known.fires or state.turn >= known.turns:
        return frozenset()
    gone = tuple([(s.section, s.own["gone"]) for s in state.structures.values() if "gone" in s.own])
    return _doomed(board, known.options, known.fires, known.burnt, known.fieldworks, gone)


@owned_memo(bound=100)
def _doomed(
    board: Board,
    options: Options,
    fires: tuple[Fire, ...],
    burnt: tuple[int, ...],
    fieldworks: tuple[Fieldwork, ...],
    gone: tuple[tuple[int, int], ...],
) -> frozenset[int]:
    """`doomed` before the last turn, by the facts that decide it. `gone`: sections with the lowest floor destroyed."""
    structures = {section: Structure(section, own={"gone": floor}) for section, floor in gone}
    known = BattleState(options=options, fires=fires, burnt=burnt, fieldworks=fieldworks)
    state = State({}, structures, known)
    times = options.wind_spread if options.wind else options.spread
    found = {place for fire in fires for place in next_taken(state, board, fire, times)}
    burning = flames.burning_places(state, board)
    for space in (board.spaces[place] for place in burning):
        if space.kind == "floor":
            found.update(board.sections[space.section].spaces[space.floor + 1 :])
    return frozenset(found.difference(burning))


@owned_memo(bound=1_000)
def _leaps(board: Board, place: int) -> tuple[tuple[int, int], ...]:
    """The spaces that fire can reach from a space, itself included: (distance squared, space)."""
    found = [(_leap(board, place, space.id), space.id) for space in board.spaces if space.kind != "ruin"]
    return tuple((far, other) for far, other in found if far <= LEAP**2)


def _leap(board: Board, a: int, b: int) -> int:
    """The squared distance between two spaces for fire: a floor is as large as its outline, and walls that touch have distance
    0."""
    one, other = board.spaces[a], board.spaces[b]
    if one.kind == other.kind == "floor":
        gap = _gap(board, min(one.section, other.section), max(one.section, other.section))
    elif one.kind == "floor":
        gap = board.gap_to_section(other.point, one.section)
    elif other.kind == "floor":
        gap = board.gap_to_section(one.point, other.section)
    else:
        return (one.x - other.x) ** 2 + (one.y - other.y) ** 2 + (one.z - other.z) ** 2
    return gap**2 + (one.z - other.z) ** 2


@owned_memo(bound=4_000)
def _gap(board: Board, one: int, other: int) -> int:
    """The distance between the outlines of two sections."""
    return board.gap_between(one, other)


def put_out(r: Resolution, step: BurnOut) -> None:
    """A space stops burning: its plants are gone, its field work of timber or its floor is destroyed. If damage is ignored,
    structures stand (AC-DEST-4) but have nothing left to burn."""
    state, board = r.state, r.board
    place, known = step.place, battle_state(state)
    clauses: Clauses = ("AC-HOUSE-FIRE", "AC-DEST-1")
    fires = []
    for fire in known.fires:
        left = tuple((p, turn) for p, turn in fire.taken if p != place)
        if left:
            fires.append(replace(fire, taken=left))
    space, spared = board.spaces[place], known.options.damage == "ignored"
    stood = works.tenable(state, board, place)
    # A floor that was destroyed while it burnt is not told of again.
    if stood:
        r.emit(facts_buildings.BurntOut(place=place, section=space.section, clauses=clauses, cause=r.cause))
    gone = spared if space.kind == "floor" else flames.has_plants(state, board, place)
    burnt = tuple(sorted({*known.burnt, place})) if gone else known.burnt
    r.set_extra(clauses, fires=tuple(fires), burnt=burnt)
    if space.kind == "ground":
        work = works.fieldwork(state, place)
        if work is not None and (work.burns or work.roof_burns):
            spent = replace(work, burns=False, roof_burns=False)
            damage.set_work(r, place, spent if spared else None, (*clauses, "AC-DEST-3"))
        return
    if stood and not spared:
        damage.destroy_floor(r, space.section, space.floor, (*clauses, "AC-DEST-3"))
    flames.go_out(r, space.section, clauses)


CHAPTER = Chapter(
    owns=("AC-FIRE-1", "AC-FIRE-2", "AC-FIRE-3", "AC-FIRE-5", "AC-HOUSE-FIRE"),
    steps={Grow: grow, BurnOut: put_out},
)
