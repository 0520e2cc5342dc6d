"""Situations under the order-dice rules in which an act is estimated and enumerated: `cases()` (see `tests/expectations.py`).

Fire of every weapon at every kind of target, in the open and in every kind of building; sections, teams, officers, guns, vehicles
by facing; shells by floor; assaults, armour hand to hand, rams, tanks into houses; flame, fire, nerve. Where the rules ask,
nobody goes down and whoever may react does."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from math import sqrt
from typing import Any

from battlesim.board.board import Board
from battlesim.core.answers import Answer, Confirm, Pass, TargetUnit
from battlesim.core.dice import KeyedDice
from battlesim.core.items import Ask, Item, Step
from battlesim.core.state import State, Unit
from battlesim.rules.resolution import Resolution
from battlesim.rulesets.orderdice import assault, contact, estimates, shoot, tankfight, tanks
from battlesim.rulesets.orderdice.data import TYPES
from battlesim.rulesets.orderdice.estimates import Charge, Outcome
from battlesim.rulesets.orderdice.fire import walls_of
from battlesim.rulesets.orderdice.model import type_of, unit_state
from battlesim.rulesets.orderdice.react import GoDown
from battlesim.rulesets.orderdice.ruleset import RULESET
from battlesim.search.odds import OddsError, WeightedState, outcomes
from tests.expectations import Case, Exact, Numbers
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


def sampled(table: Table, *work: Item) -> list[WeightedState]:
    """Where there are too many outcomes to enumerate, SAMPLES of them as the battle's own dice make them, each with an equal
    share of the chance."""
    found: list[WeightedState] = []
    for seed in range(SAMPLES):
        r = Resolution(table.state.clone(), table.board, KeyedDice(seed))
        r.then(*work)
        while r.state.stack:
            top = r.state.stack[-1]
            r.state.stack = r.state.stack[:-1]
            if isinstance(top, Ask):
                legal = RULESET.legal(r.state, r.board, top)
                RULESET.answer(r, top, legal[0] if len(legal) == 1 else policy(r.state, r.board, top, legal))
            elif isinstance(top, Step):
                RULESET.step(r, top)
        found.append(WeightedState(Fraction(1, SAMPLES), r.state))
    return found


def measured(table: Table, numbers: Sequence[int], section: int, *work: Item) -> Exact:
    """What work comes to: of each unit men, worth and pins lost and the chance that it is gone; of a section that it falls or
    burns. Enumerated where that is possible, else sampled."""
    try:
        endings, samples = outcomes(table.state, table.board, RULESET, *work, answer=policy), 0
    except OddsError:
        endings, samples = sampled(table, *work), SAMPLES
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
    chances = [float(ending.chance) for ending in endings]
    for name, measure in measures.items():
        values = [float(measure(ending.state)) for ending in endings]
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


# ---- the grid --------------------------------------------------------------------------------------------------------------

SHOOTERS = tuple(name for name, kind in TYPES.items() if any(kind.slots) or kind.mounts)
MEN = (
    "rifle_section",
    "small_rifle_section",
    "officer",
    "captain",
    "hmg_team",
    "at_rifle_team",
    "medium_at_gun",
)
VEHICLES = ("truck", "half_track", "light_tank", "medium_tank", "heavy_tank", "super_heavy_tank")
FLOORS = ("house.1:0", "house.1:1", "house.1:3", "cottage.1:0", "bunker.1:0", "row.west:1", "row.east:0")
FRONT, SIDE, REAR = 4, 2, 0
"""Facings of a target east of who shoots at it."""


def in_the_open() -> Iterator[Case | None]:
    """Every shooter at every kind of target; distance, cover, quality, pins and posture vary from one to the next."""
    spots = ("g8.12", "g14.12", "g28.12", "g34.12", "g70.2", "g72.10")
    qualities = ("regular", "veteran", "inexperienced")
    number = 0
    for shooter in SHOOTERS:
        for target in (*MEN, *VEHICLES):
            number += 1
            men = TYPES[target].models
            vehicle = TYPES[target].vehicle
            at = spots[number % 4 if vehicle else (number * 5) % 6]
            row = {
                "quality": qualities[number % 3],
                "pins": (number // 2) % 3,
                "order": "fire" if vehicle else ("fire", "down", "", "fire")[number % 4],
                "facing": (FRONT, SIDE, REAR)[number % 3],
                "models": men if number % 5 or vehicle else max(1, men // 2),
            }
            here = {"pins": number % 4 == 3, "quality": qualities[(number // 3) % 3]}
            east = "g70.2" if at in ("g70.2", "g72.10") else at
            start = "g2.12" if east == at and at != "g70.2" else "g60.4"
            yield volley(
                f"{'vehicles' if vehicle else 'men'} in the open",
                f"{shooter} from {start} at {target} on {at}, {row}, {here}",
                unit(shooter, at=start, order="fire", **here),
                unit(target, at=at, side=1, **row),
                moved=number % 7 == 0,
            )


def in_buildings() -> Iterator[Case | None]:
    """Every shooter outdoors at men in every kind of building, near and far."""
    number = 0
    for shooter in SHOOTERS:
        for floor in FLOORS:
            number += 1
            target = ("rifle_section", "small_rifle_section", "officer", "hmg_team", "light_at_gun")[
                number % 5
            ]
            starts = {
                "house": ("g32.12", "g18.12", "g46.12"),
                "cottage": ("g46.12", "g44.12", "g62.12"),
                "bunker": ("g16.20", "g6.20", "g2.20"),
                "row": ("g26.12", "g14.6", "g44.6"),
            }[floor.split(".")[0]]
            start = starts[number % 3]
            facing = (
                4
                if (start in ("g46.12", "g62.12", "g44.6") and "cottage" not in floor) or start == "g62.12"
                else 0
            )
            row = {"pins": number % 3, "order": ("fire", "down", "")[number % 3]}
            opening = -1
            yield volley(
                f"men in a {floor.split('.')[0]}",
                f"{shooter} from {start} at {target} in {floor}, {row}",
                unit(shooter, at=start, order="fire", facing=facing),
                unit(target, at=floor, side=1, opening=opening, **row),
            )


def from_buildings() -> Iterator[Case | None]:
    """Sections and teams inside at what they see from every wall, sections across the street from them."""
    number = 0
    for shooter in SHOOTERS:
        if not TYPES[shooter].infantry:
            continue
        for floor in ("house.1:1", "house.1:3", "row.east:1", "cottage.1:0"):
            number += 1
            targets = {
                "house.1:1": "g30.12",
                "house.1:3": "g34.18",
                "row.east:1": "g40.6",
                "cottage.1:0": "g48.12",
            }
            target = ("rifle_section", "hmg_team", "half_track", "medium_tank")[number % 4]
            yield volley(
                "from a building",
                f"{shooter} in {floor} at {target}",
                unit(shooter, at=floor, order="fire", pins=number % 2),
                unit(target, at=targets[floor], side=1, order="fire", facing=number % 8),
            )
            yield volley(
                "from house to house",
                f"{shooter} in {floor} at another floor",
                unit(shooter, at=floor, order="fire"),
                unit(
                    "rifle_section",
                    at="cottage.1:0" if floor == "house.1:1" else "house.1:2",
                    side=1,
                    order="fire",
                ),
            )


def several_at_once() -> Iterator[Case | None]:
    """Shells where more than the target is about: other floors of the house, others beside it in the open."""
    guns = [name for name in SHOOTERS if any(word in name for word in ("mortar", "howitzer", "assault_gun"))]
    for gun in guns:
        for floor, other in (
            ("house.1:1", "house.1:2"),
            ("house.1:3", "house.1:0"),
            ("row.west:0", "row.west:1"),
        ):
            start = "g10.12"
            yield volley(
                "shells at full houses",
                f"{gun} at {floor}, {other} full as well",
                unit(gun, at=start, order="fire"),
                unit("rifle_section", at=floor, side=1, order="fire"),
                unit("small_rifle_section", at=other, side=1, order="fire"),
                unit("captain", at="g10.18", order="fire"),
            )
    for gun in (*guns, "flame_tank", "engineers", "flamethrower_team", "veteran_engineers"):
        for place in ("house.1:0", "cottage.1:0", "row.west:0", "bunker.1:0"):
            start = {
                "house.1:0": "g32.12",
                "cottage.1:0": "g46.12",
                "row.west:0": "g26.12",
                "bunker.1:0": "g16.20",
            }[place]
            far = {
                "house.1:0": "g8.12",
                "cottage.1:0": "g8.12",
                "row.west:0": "g2.12",
                "bunker.1:0": "g2.20",
            }[place]
            for at in (start, far):
                yield at_house(
                    "empty houses", f"{gun} from {at} at {place}", place, unit(gun, at=at, order="fire")
                )


def assaults() -> Iterator[Case | None]:
    who = (
        "rifle_section",
        "small_rifle_section",
        "assault_section",
        "veteran_engineers",
        "captain",
        "officer",
        "hmg_team",
    )
    whom = (
        "rifle_section",
        "small_rifle_section",
        "captain",
        "hmg_team",
        "at_rifle_team",
        "medium_at_gun",
        "assault_section",
    )
    number = 0
    for one in who:
        for other in whom:
            for start, goal in (
                ("g10.12", "g14.12"),
                ("g10.12", "g20.12"),
                ("g32.12", "house.1:0"),
                ("g26.12", "house.1:0"),
                ("house.1:1", "house.1:0"),
            ):
                number += 1
                if TYPES[other].artillery and goal.startswith("house"):
                    continue
                men = TYPES[one].models
                row = {
                    "order": ("fire", "", "ambush", "down")[number % 4],
                    "pins": number % 2,
                    "facing": FRONT,
                }
                yield clash(
                    "assaults",
                    f"{one} from {start} at {other} in {goal}, {row}",
                    unit(
                        one,
                        at=start,
                        order="run",
                        models=men if number % 3 else max(1, men - 2),
                        quality=("regular", "veteran")[number % 2],
                    ),
                    unit(
                        other,
                        at=goal,
                        side=1,
                        quality=("regular", "inexperienced", "veteran")[number % 3],
                        **row,
                    ),
                    estimate=estimates.assault_on,
                    begin=assault.begin,
                )


def tank_fights() -> Iterator[Case | None]:
    number = 0
    for one in (
        "rifle_section",
        "tank_hunters",
        "at_rifle_team",
        "officer",
        "truck",
        "half_track",
        "light_tank",
        "medium_tank",
        "super_heavy_tank",
    ):
        for other in (
            "truck",
            "armoured_car",
            "medium_tank",
            "heavy_tank",
            "rifle_section",
            "hmg_team",
            "light_at_gun",
        ):
            if TYPES[one].infantry and not TYPES[other].vehicle:
                continue
            for start in ("g10.12", "g4.12"):
                number += 1
                yield clash(
                    "armour in contact",
                    f"{one} from {start} at {other}",
                    unit(one, at=start, order="run", pins=number % 2),
                    unit(
                        other,
                        at="g14.12",
                        side=1,
                        order=("fire", "")[number % 2],
                        pins=number % 3,
                        moved=number % 2 == 0,
                        facing=FRONT,
                        quality=("regular", "veteran", "inexperienced")[number % 3],
                    ),
                    estimate=estimates.tank_fight,
                    begin=tankfight.begin,
                )
    for tank in ("medium_tank", "heavy_tank", "super_heavy_tank", "assault_gun"):
        for pins in (0, 2):
            yield crash(f"{tank} with {pins} pins into the house", tank, "g30.12", "house.1:1", pins=pins)
            yield crash(f"{tank} with {pins} pins into the cottage", tank, "g44.12", "cottage.1:0", pins=pins)


def cases() -> list[Case]:
    """All of them, in one order."""
    grids = (in_the_open, in_buildings, from_buildings, several_at_once, assaults, tank_fights)
    return [case for grid in grids for case in grid() if case is not None]
