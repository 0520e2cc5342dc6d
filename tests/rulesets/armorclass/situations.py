"""One act in one situation under the armour-class rules: what is estimated of it and what it comes to (see
`tests/expectations.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from math import sqrt
from typing import Any

from battlesim.board.board import Board
from battlesim.core.answers import Answer
from battlesim.core.items import Item
from battlesim.core.state import State, Unit
from battlesim.rulesets.armorclass import estimates, expected, shoot, works
from battlesim.rulesets.armorclass import outcomes as parts
from battlesim.rulesets.armorclass.data import TYPES, WEAPONS
from battlesim.rulesets.armorclass.expected import Toll
from battlesim.rulesets.armorclass.line_of_sight import LineOfSight
from battlesim.rulesets.armorclass.model import Fieldwork, unit_state
from battlesim.rulesets.armorclass.outcomes import Outcome
from battlesim.rulesets.armorclass.ruleset import RULESET
from tests.expectations import Case, Exact, Numbers, endings
from tests.rulesets.armorclass.kit import Table, ground

SAMPLES = 2_000
MOST = 12_000
"""Branches enumerated before a situation is sampled."""
FIELDWORKS = (
    Fieldwork("trench", 0, wall=7),
    Fieldwork("emplacement", 0, wall=4, roof=3),
    Fieldwork("foxhole", 0, wall=6, roof=6, burns=True, roof_burns=True),
)
"""On g10.2, g10.5 and g10.8 of the range."""
DUG = ("g10.2", "g10.5", "g10.8")


@lru_cache
def range_ground() -> Board:
    """A brick house of two floors, a timber cottage, a tower with a flat roof, a pillbox with slits, a small shed and a wood, on
    72 by 36 inches."""
    return ground(
        """
terrain:
  - {kind: woods, polygon: [[54, 0], [66, 0], [66, 9], [54, 9]]}
buildings:
  - name: house
    rect: [36, 12, 42, 18]
    floors: 2
    openings:
      - {kind: door, side: west, at: 0.5}
      - {kind: window, floors: all, side: all, count: 1}
  - name: cottage
    material: wood
    rect: [48, 12, 54, 18]
    openings:
      - {kind: door, side: west, at: 0.5}
      - {kind: window, side: south, count: 1}
      - {kind: window, side: north, count: 1}
  - name: tower
    material: stone
    rect: [36, 24, 42, 30]
    floors: 1
    flat_roof: true
    openings:
      - {kind: door, side: west, at: 0.5}
      - {kind: window, side: south, count: 1}
  - name: box
    kind: bunker
    rect: [36, 1, 42, 7]
    openings:
      - {kind: slit, side: west, at: 0.5}
      - {kind: door, side: east, at: 0.5}
  - name: shed
    material: wood
    rect: [48, 24, 52, 28]
    openings:
      - {kind: door, side: west, at: 0.5}
""",
        size=(72, 36),
    )


Units = Sequence[dict[str, Any]]


def table_of(*units: dict[str, Any], dug: bool = False, **options: Any) -> Table:
    """A position on the range; `dug`: with field works."""
    board = range_ground()
    works_there = [
        Fieldwork(w.kind, board.space(at), w.wall, w.roof, w.burns, w.roof_burns)
        for w, at in zip(FIELDWORKS, DUG, strict=True)
    ]
    return Table(board, *units, options=options, fieldworks=tuple(works_there) if dug else ())


# ---- both sides of a comparison ------------------------------------------------------------------------------------------


def worth(board: Board, one: Unit) -> float:
    """The share of its full worth that a unit has as it stands."""
    if not one.alive:
        return 0.0
    target = parts.target_of(one)
    return expected.worth_at(target, expected.condition_of(target))


def standing_at(state: State, board: Board, place: int) -> int:
    """How many floors of a section stand; of ground whether there is a field work."""
    if board.spaces[place].kind == "floor":
        return works.floors_left(state, board, board.spaces[place].section)
    return works.fieldwork(state, place) is not None


def points_at(state: State, board: Board, place: int) -> int:
    """Structure points that a section has lost, or points that engineers have taken from its walls."""
    record = works.record(state, board.spaces[place].section)
    return int(record.get("lost", 0)) + sum(n for *_, n in record.get("dents", ()))


def measured(
    table: Table,
    numbers: Sequence[int],
    place: int,
    side: int,
    said: Answer | None,
    *work: Item,
    **more: Callable[[State], float],
) -> Exact:
    """What work comes to: of each unit models and worth lost and the chances that it is gone or has lost somebody; of a place
    that it is destroyed, breached or burns, and points lost. Enumerated where that is possible, else sampled."""
    after, samples = endings(
        table.state, table.board, RULESET, *work, answer=lambda *_: said, samples=SAMPLES, most=MOST
    )
    board, before, measures = table.board, table.state, dict(more)
    for number in numbers:
        one = before.units[number]
        measures[f"models {number}"] = lambda s, one=one: one.models - s.units[one.id].models
        measures[f"worth {number}"] = lambda s, one=one: worth(board, one) - worth(board, s.units[one.id])
        measures[f"gone {number}"] = lambda s, one=one: not s.units[one.id].alive
        measures[f"shaken {number}"] = lambda s, one=one: (
            s.units[one.id].alive and unit_state(s.units[one.id]).lost > unit_state(one).lost
        )
    if place >= 0:
        space = board.spaces[place]
        stood = standing_at(before, board, place)
        near = board.sections[space.section].spaces if space.kind == "floor" else (place,)
        measures["falls"] = lambda s: standing_at(s, board, place) < stood
        measures["burns"] = lambda s: any(p in near for f in s.extra.fires for p, _ in f.taken)
        if space.kind == "floor":
            measures["points"] = lambda s: points_at(s, board, place) - points_at(before, board, place)
        if side >= 0:
            measures["breaches"] = lambda s: works.is_breached(s, space.section, space.floor, side)
    means, errors = Numbers(), Numbers()
    chances = [float(ending.chance) for ending in after]
    for name, measure in measures.items():
        values = [float(measure(ending.state)) for ending in after]
        mean = means[name] = sum(p * x for p, x in zip(chances, values, strict=True))
        if samples:
            spread = sum(p * (x - mean) ** 2 for p, x in zip(chances, values, strict=True))
            errors[name] = sqrt(spread / samples)
    return Exact(means, errors)


def told(outcome: Outcome, numbers: Sequence[int], place: int, side: int, is_floor: bool = False) -> Numbers:
    """The same as the estimates say."""
    found = Numbers()
    tolls: dict[int, Toll] = {one.id: toll for one, toll in outcome.tolls}
    for number in numbers:
        toll = tolls.get(number, Toll())
        found[f"models {number}"] = toll.lost
        found[f"worth {number}"] = toll.worth
        found[f"gone {number}"] = toll.gone
        found[f"shaken {number}"] = toll.shaken
    if place >= 0:
        found["falls"], found["burns"] = outcome.falls, outcome.burns
        if is_floor:
            found["points"] = outcome.points
        if side >= 0:
            found["breaches"] = outcome.breaches
    return found


# ---- fire and work -------------------------------------------------------------------------------------------------------


def act(
    group: str,
    name: str,
    said: Answer,
    *units: dict[str, Any],
    standing: bool = False,
    dug: bool = False,
    place: int = -1,
    side: int = -1,
    lit: bool = True,
    **options: Any,
) -> Case | None:
    """Unit 0 fires at something or works on it; all others are enemies or friends that it may cost something. None where the
    rules do not offer it."""
    options = {"fires": lit, **options}
    table = table_of(*units, dug=dug, **options)
    ask = shoot.AtWhom(0, standing, side=0)
    if said not in shoot.legal_at_whom(table.state, table.board, ask):
        return None
    numbers = [n for n in table.state.units if n]
    is_floor = place >= 0 and table.board.spaces[place].kind == "floor"

    def estimate() -> Numbers:
        look = LineOfSight(table.state, table.board)
        return told(estimates.outcome_of(look, table.unit(0), said, standing), numbers, place, side, is_floor)

    def exact() -> Exact:
        return measured(table, numbers, place, side, said, ask)

    each = 1 / TYPES[units[-1]["kind"]].models
    return Case(group, f"{name}, {options}" if options != {"fires": True} else name, estimate, exact, each)


SHOOTERS = tuple(name for name, kind in TYPES.items() if any(kind.slots) or kind.mounts)
MOBILE = tuple(name for name in SHOOTERS if not TYPES[name].fixed)
SOLDIERS = tuple(name for name in TYPES if TYPES[name].foot)
AREA = tuple(
    name
    for name in MOBILE
    if any(
        WEAPONS[w].radius and not WEAPONS[w].lobbed for w in (*TYPES[name].slots, *TYPES[name].mounts) if w
    )
)
LOBBERS = tuple(
    name
    for name in MOBILE
    if any(WEAPONS[w].indirect for w in (*TYPES[name].slots, *TYPES[name].mounts) if w)
)
DAMAGE = ("guidelines", "1", "2", "3", "ignored")
