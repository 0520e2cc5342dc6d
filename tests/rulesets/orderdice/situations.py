"""One act in one situation under the order-dice rules: what is estimated of it and what it comes to (see
`tests/expectations.py`).

Each function here makes a `Case` of some units on `range_ground` and an act. Where the rules ask, nobody goes down and whoever
may react does. Read `volley` and `measured`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache
from math import sqrt
from typing import Any

from battlesim.board.board import Board
from battlesim.core.answers import Answer, Confirm, Pass, TargetUnit
from battlesim.core.items import Ask, Item
from battlesim.core.state import State, Unit
from battlesim.rulesets.orderdice import assault, contact, estimates, shoot, support, tanks
from battlesim.rulesets.orderdice.estimates import Charge, Outcome
from battlesim.rulesets.orderdice.fire import walls_of
from battlesim.rulesets.orderdice.model import type_of, unit_state
from battlesim.rulesets.orderdice.react import GoDown
from battlesim.rulesets.orderdice.ruleset import RULESET
from tests.expectations import Case, Exact, Numbers, endings
from tests.rulesets.orderdice import kit
from tests.rulesets.orderdice.grounds import ground
from tests.rulesets.orderdice.kit import Table

PITCH = 2
SAMPLES = 2_000


def unit(kind: str, at: str, side: int = 0, **row: Any) -> dict[str, Any]:
    """A unit as `kit.unit` makes it; out of doors `at` is "g<x>.<y>" in inches, both even."""
    if at.startswith("g"):
        x, y = at[1:].split(".")
        at = f"g{int(x) // PITCH}.{int(y) // PITCH}"
    return kit.unit(kind, at=at, side=side, **row)


@lru_cache
def range_ground() -> Board:
    """A house of three floors with a flat roof, a cottage of wood, a bunker with slits, a terrace of two sections and two
    floors, a patch of rough ground and one of rubble, on a strip 80 inches long."""
    return ground(
        (80, 24),
        """
terrain:
  - {kind: rough, polygon: [[70, 0], [76, 0], [76, 5], [70, 5]]}
  - {kind: rubble, polygon: [[70, 7], [76, 7], [76, 12], [70, 12]]}
buildings:
  - name: house
    rect: [36, 9, 42, 15]
    floors: 3
    flat_roof: true
    openings:
      - {kind: door, side: west, at: 0.5}
      - {kind: door, side: east, at: 0.5}
      - {kind: window, side: north, count: 1}
      - {kind: window, side: south, count: 1}
      - {kind: window, floors: upper, side: all, count: 2}
  - name: cottage
    material: wood
    rect: [50, 9, 56, 15]
    openings:
      - {kind: door, side: west, at: 0.5}
      - {kind: window, side: east, count: 2}
  - name: bunker
    kind: bunker
    rect: [20, 18, 26, 23]
    openings: [{kind: slit, side: west, at: 0.5, men: 5}, {kind: door, side: east, at: 0.5}]
  - name: row
    sections:
      - name: west
        rect: [24, 2, 30, 8]
        floors: 2
        openings: [{kind: door, side: north, at: 0.5}, {kind: window, floors: upper, side: all, count: 1}]
      - name: east
        rect: [30, 2, 36, 8]
        floors: 2
        openings: [{kind: door, side: south, at: 0.5}, {kind: window, floors: upper, side: all, count: 2}]
""",
        pitch=PITCH,
    )


# ---- both sides of a comparison ------------------------------------------------------------------------------------------


def policy(state: State, board: Board, ask: Ask, legal: Sequence[Answer]) -> Answer:
    """Nobody goes down, whoever may react does, the enemy is shot at wherever he can be; all else as it comes."""
    if isinstance(ask, GoDown):
        return Confirm(False)
    if isinstance(ask, assault.ReactFire):
        return Confirm(True)
    if isinstance(ask, shoot.AtWhom):
        return TargetUnit(1) if TargetUnit(1) in legal else Pass()
    return legal[0]


def measured(table: Table, numbers: Sequence[int], section: int, *work: Item) -> Exact:
    """What work comes to: of each unit men, worth and pins lost and the chance that it is gone; of a section that it falls or
    burns. Enumerated where that is possible, else sampled."""
    after, samples = endings(table.state, table.board, RULESET, *work, answer=policy, samples=SAMPLES)
    before, measures = table.state, dict[str, Callable[[State], float]]()
    for number in numbers:
        one = before.units[number]
        measures[f"models {number}"] = lambda s, one=one: one.models - s.units[one.id].models
        measures[f"worth {number}"] = lambda s, one=one: (
            (one.models - s.units[one.id].models) * type_of(one).worth / unit_state(one).full
        )
        measures[f"gone {number}"] = lambda s, one=one: not s.units[one.id].alive
        measures[f"pins {number}"] = lambda s, one=one: (
            unit_state(s.units[one.id]).pins - unit_state(one).pins if s.units[one.id].alive else 0
        )
    if section >= 0:
        measures["falls"] = lambda s: (known := s.structures.get(section)) is not None and known.fallen
        measures["burns"] = lambda s: (known := s.structures.get(section)) is not None and known.burning
    means, errors = Numbers(), Numbers()
    chances = [float(ending.chance) for ending in after]
    for name, measure in measures.items():
        values = [float(measure(ending.state)) for ending in after]
        mean = means[name] = sum(p * x for p, x in zip(chances, values, strict=True))
        if samples:
            spread = sum(p * (x - mean) ** 2 for p, x in zip(chances, values, strict=True))
            errors[name] = sqrt(spread / samples)
    return Exact(means, errors)


def told(table: Table, outcome: Outcome, numbers: Sequence[int], section: int) -> Numbers:
    """The same as the estimates say."""
    found = Numbers()
    tolls = {one.id: toll for one, toll in outcome.tolls}
    for number in numbers:
        one = table.state.units[number]
        toll = tolls.get(number, estimates.Toll())
        found[f"models {number}"] = toll.lost
        found[f"worth {number}"] = estimates.worth_lost(one, toll)
        found[f"gone {number}"] = toll.gone
        found[f"pins {number}"] = toll.pins
    if section >= 0:
        found["falls"], found["burns"] = outcome.falls, outcome.burns
    return found


# ---- fire ------------------------------------------------------------------------------------------------------------------


def section_at(table: Table, number: int) -> int:
    space = table.board.spaces[table.state.units[number].place]
    return space.section if space.kind == "floor" else -1


def volley(group: str, name: str, *units: dict[str, Any], moved: bool = False) -> Case | None:
    """Unit 0 fires at unit 1 with all that bears; others may be near. None where nothing bears."""
    table = Table(range_ground(), *units)
    shooter, target = table.unit(0), table.unit(1)
    if not estimates.groups_of(table.state, table.board, shooter, target, moved):
        return None
    section = section_at(table, 1)
    numbers = [n for n in table.state.units if n]

    def expected() -> Numbers:
        found = estimates.volley(table.state, table.board, shooter, target, moved)
        return told(table, found, numbers, section)

    def exact() -> Exact:
        wall = walls_of(table.board, shooter)[0]
        return measured(table, numbers, section, shoot.NextWall(0, moved, wall))

    return Case(group, name, expected, exact, type_of(target).worth / unit_state(target).full)


def at_house(group: str, name: str, place: str, *units: dict[str, Any]) -> Case | None:
    """Unit 0 fires at an empty house."""
    table = Table(range_ground(), *units)
    floor = table.place(place)
    section = table.board.spaces[floor].section
    if not shoot.fire.volley_at(table.state, table.board, table.unit(0), floor, False):
        return None

    def expected() -> Numbers:
        return told(
            table, estimates.at_house(table.state, table.board, table.unit(0), floor, False), [], section
        )

    def exact() -> Exact:
        return measured(table, [], section, shoot.Volley(0, -1, False, -1, place=floor))

    return Case(group, name, expected, exact)


def without_pins(found: Exact) -> Exact:
    """Pins that are left when somebody has won by force of arms matter little: they are not estimated."""
    return Exact({name: x for name, x in found.means.items() if not name.startswith("pins")}, found.errors)


def clash(
    group: str,
    name: str,
    *units: dict[str, Any],
    estimate: Callable[[State, Board, Unit, Unit, contact.Charge], Charge],
    begin: Callable[[Any, Unit, Unit], None],
) -> Case | None:
    """Unit 0 charges unit 1. None where it finds no way."""
    table = Table(range_ground(), *units)
    unit, target = table.unit(0), table.unit(1)
    route = contact.charge(table.state, table.board, unit, target)
    if route is None:
        return None
    way = route

    def expected() -> Numbers:
        found = estimate(table.state, table.board, unit, target, way)
        mine, theirs = estimates.worth_lost(unit, found.mine), estimates.worth_lost(target, found.theirs)
        return {
            "models 0": found.mine.lost,
            "worth 0": mine,
            "gone 0": found.mine.gone,
            "models 1": found.theirs.lost,
            "worth 1": theirs,
            "gone 1": found.theirs.gone,
        }

    def exact() -> Exact:
        begun = Table(range_ground(), *units)
        begin(begun.r, begun.unit(0), begun.unit(1))
        return without_pins(measured(begun, (0, 1), -1))

    return Case(group, name, expected, exact, type_of(target).worth / unit_state(target).full)


def crash(name: str, tank: str, at: str, house: str, **row: Any) -> Case | None:
    """A tank drives into a house with somebody in it."""
    units = (unit(tank, at=at, order="run", **row), unit("rifle_section", at=house, side=1, order="fire"))
    table = Table(range_ground(), *units)
    one, floor = table.unit(0), table.place(house)
    section = table.board.spaces[floor].section
    if table.board.sections[section].spaces[0] not in tanks.targets(table.state, table.board, one):
        return None

    def expected() -> Numbers:
        found = estimates.drive_in(table.state, table.board, one, floor)
        return {
            "models 0": found.mine.lost,
            "worth 0": estimates.worth_lost(one, found.mine),
            "gone 0": found.mine.gone,
            "falls": found.falls,
            "burns": 0.0,
        }

    def exact() -> Exact:
        begun = Table(range_ground(), *units)
        tanks.begin(begun.r, begun.unit(0), begun.board.sections[section].spaces[0])
        return without_pins(measured(begun, (0,), section))

    return Case("tank into house", name, expected, exact)


def strike(
    group: str,
    name: str,
    *units: dict[str, Any],
    estimate: Callable[[State, Board], tuple[Outcome, ...]],
    due: support.StrikeDue,
    section: int = -1,
) -> Case:
    """A strike that comes, as everybody stands; unit 0 has called it."""
    table = Table(range_ground(), *units)
    numbers = [n for n in table.state.units if n]

    def expected() -> Numbers:
        found = estimate(table.state, table.board)
        tolls = tuple(toll for outcome in found for toll in outcome.tolls)
        falls = next((o.falls for o in found if o.section == section), 0.0)
        return told(table, Outcome(tolls, section, falls), numbers, section)

    def exact() -> Exact:
        comes = float(Fraction(7 - support.ARRIVES, 6))
        found = measured(table, numbers, section, due)
        return Exact({key: x / comes for key, x in found.means.items()}, found.errors)

    return Case(group, name, expected, exact, type_of(table.unit(1)).worth / unit_state(table.unit(1)).full)
