"""Situations under the armour-class rules in which an act is estimated and enumerated: `cases()` (see `tests/expectations.py`).

Fire of every weapon at every kind of target, in the open, in woods and field works, in and at every kind of building, with all
ways of keeping account of damage; effect areas into openings; shells from above; breaches, demolition, assaults, fire, nerve.
"""

from __future__ import annotations

from collections.abc import Iterator

from battlesim.core.answers import TargetUnit
from battlesim.core.dice import KeyedDice
from battlesim.rules.resolution import Resolution
from battlesim.rulesets.armorclass import assault, estimates, estimates_close, expected, flames, morale, shoot
from battlesim.rulesets.armorclass.data import TYPES
from battlesim.rulesets.armorclass.line_of_sight import LineOfSight
from battlesim.rulesets.armorclass.model import Breach, Demolish, Into, Lob, Search, Through, unit_state
from battlesim.rulesets.armorclass.outcomes import Outcome
from battlesim.rulesets.armorclass.ruleset import RULESET
from battlesim.search.odds import odds_of
from tests.expectations import Case, Exact, Numbers
from tests.rulesets.armorclass.kit import unit
from tests.rulesets.armorclass.situations import (
    AREA,
    DAMAGE,
    DUG,
    LOBBERS,
    MOBILE,
    SOLDIERS,
    Units,
    act,
    measured,
    range_ground,
    table_of,
    told,
    worth,
)


def in_the_open() -> Iterator[Case | None]:
    """Every shooter at every kind of target; distance, cover, movement and losses before vary from one to the next."""
    spots = ("g4.5", "g7.5", "g19.1", "g10.2", "g10.5", "g9.5")
    number = 0
    for shooter in MOBILE:
        for target in TYPES:
            if TYPES[target].kind == "strongpoint":
                continue
            number += 1
            models = TYPES[target].models
            left = models if number % 4 or not TYPES[target].soldiers else max(1, models // 2)
            at = spots[number % 6]
            yield act(
                "machines in the open" if TYPES[target].tough else "soldiers in the open",
                f"{shooter} at {left} of {target} on {at}, moved {number % 3}",
                TargetUnit(1),
                unit(
                    shooter,
                    "g21.4" if at == "g19.1" else "g2.5",
                    moved=number % 3,
                    suppressed=number % 5 == 0,
                ),
                unit(target, at, side=1, models=left, detected=True, immobile=number % 7 == 0),
                standing=number % 3 == 0,
                dug=True,
                place=range_ground().space(at) if at in ("g19.1", "g10.5") else -1,
            )


def two_on_a_space() -> Iterator[Case | None]:
    """Effect areas where two teams stand."""
    for shooter in AREA:
        for target in ("rifle_team", "militia"):
            yield act(
                "two on a space",
                f"{shooter} at {target} and marksmen",
                TargetUnit(1),
                unit(shooter, "g2.5"),
                unit("marksmen", "g4.5", side=1, detected=True),
                unit(target, "g4.5", side=1),
            )


FLOORS = ("house.1:0", "house.1:1", "cottage.1:0", "tower.1:0", "tower.1:1", "box.1:0")
BEFORE = {"house": "g9.4", "cottage": "g17.2", "tower": "g9.8", "box": "g9.1", "shed": "g14.8"}
"""Where one sees a wall of each."""


def in_buildings() -> Iterator[Case | None]:
    """Every shooter at those whom he sees in an opening."""
    number = 0
    for shooter in MOBILE:
        for floor in FLOORS:
            number += 1
            target = ("rifle_team", "gun_team", "powered_team", "wardrone", "militia")[number % 5]
            yield act(
                "seen in a building",
                f"{shooter} at {target} in {floor}",
                TargetUnit(1),
                unit(shooter, BEFORE[floor.split(".")[0]]),
                unit(target, floor, side=1, detected=True, fired=(-1, 2)[number % 2]),
                standing=number % 2 == 0,
                place=range_ground().space(floor),
            )


def through_walls() -> Iterator[Case | None]:
    """Every shooter at a wall, at somebody known to be behind it or on suspicion, by every way of keeping account of damage."""
    number = 0
    board = range_ground()
    for shooter in MOBILE:
        for floor in ("house.1:0", "house.1:1", "cottage.1:0", "box.1:0", "shed.1:0"):
            for known in (True, False):
                number += 1
                place = board.space(floor)
                side = 3 if floor.split(".")[0] != "cottage" else 0
                target = ("rifle_team", "militia", "heavy_team", "assault_team")[number % 4]
                damage = DAMAGE[number % 5]
                options = {"damage": damage, "points": (0, 8)[damage in ("1", "2", "3") and number % 3 == 0]}
                if number % 3:
                    options["lit"] = False
                yield act(
                    "at a wall",
                    f"{shooter} at {target} in {floor}, {'known' if known else 'suspected'}",
                    Through(1, side) if known else Search(place, side),
                    unit(shooter, BEFORE[floor.split(".")[0]], suppressed=number % 7 == 0),
                    unit(target, floor, side=1, detected=known),
                    *([unit("marksmen", floor, side=1)] if number % 4 == 0 else []),
                    *([unit("gun_team", "house.1:1", side=1)] if floor == "house.1:0" else []),
                    place=place,
                    side=side,
                    **options,
                )


def at_banks() -> Iterator[Case | None]:
    """Every shooter at the bank of a field work."""
    number = 0
    board = range_ground()
    for shooter in MOBILE:
        for at in DUG:
            number += 1
            place = board.space(at)
            target = ("rifle_team", "gun_team", "marksmen")[number % 3]
            known = number % 2 == 0
            yield act(
                "at a bank",
                f"{shooter} at {target} on {at}, {'known' if known else 'suspected'}",
                Through(1, -1) if known else Search(place, -1),
                unit(shooter, "g7.5"),
                unit(target, at, side=1, detected=known),
                dug=True,
                place=place,
                damage=DAMAGE[number % 5],
            )


def into_openings() -> Iterator[Case | None]:
    """Effect areas through doors, windows and slits."""
    board = range_ground()
    number = 0
    for shooter in AREA:
        for floor in FLOORS:
            place = board.space(floor)
            space = board.spaces[place]
            for opening in board.sections[space.section].openings[space.floor]:
                number += 1
                target = ("rifle_team", "powered_team", "militia")[number % 3]
                yield act(
                    "into an opening",
                    f"{shooter} at {target} in {floor} by opening {opening}",
                    Into(place, opening),
                    unit(shooter, BEFORE[floor.split(".")[0]]),
                    unit(target, floor, side=1),
                    *([unit("marksmen", floor, side=1, detected=True)] if number % 2 else []),
                    standing=number % 2 == 0,
                    place=place,
                )


def from_above() -> Iterator[Case | None]:
    """Indirect fire at the open, at works and at roofs, with friends and others near."""
    board = range_ground()
    number = 0
    for shooter in LOBBERS:
        for at in ("g8.4", *DUG, "g19.1", *FLOORS):
            for damage in ("guidelines", "2"):
                number += 1
                place = board.space(at)
                yield act(
                    "from above",
                    f"{shooter} at {at}",
                    Lob(place),
                    unit(shooter, "g3.4", suppressed=number % 6 == 0),
                    unit("rifle_team", "g7.3"),
                    unit("laser_team", at, side=1, detected=True),
                    *([unit("scout_car", "g8.3", side=1)] if number % 2 else []),
                    *([unit("marksmen", "house.1:0", side=1)] if at == "house.1:1" else []),
                    dug=True,
                    place=place,
                    damage=damage,
                )


def by_hand() -> Iterator[Case | None]:
    """Tools on walls, whole or worked on already, and demolition charges on machines."""
    board = range_ground()
    number = 0
    for team in (name for name, kind in TYPES.items() if kind.tools):
        for house in ("house", "cottage", "tower", "box"):
            for damage in ("guidelines", "1", "3"):
                number += 1
                place = board.space(f"{house}.1:0")
                side = 0 if house == "cottage" else 3
                at = (
                    "g16.3"
                    if house == "cottage"
                    else {"house": "g11.4", "tower": "g11.8", "box": "g11.1"}[house]
                )
                yield act(
                    "tools on a wall",
                    f"{team} at {house}",
                    Breach(place, side),
                    unit(team, at, suppressed=number % 5 == 0),
                    unit("rifle_team", f"{house}.1:0", side=1),
                    place=place,
                    side=side,
                    damage=damage,
                    points=8 if damage != "guidelines" and number % 2 else 0,
                )
        for kind in (name for name, one in TYPES.items() if one.tough and one.kind != "strongpoint"):
            yield act(
                "demolition",
                f"{team} at {kind}",
                Demolish(1),
                unit(team, "g5.5"),
                unit(kind, "g6.5", side=1, detected=True),
            )


def assaults() -> Iterator[Case | None]:
    """Everybody on foot against everybody, some against two teams."""
    number = 0
    for one in SOLDIERS:
        for other in SOLDIERS[number % 2 :: 2]:
            number += 1
            models = TYPES[one].models
            units = [
                unit(one, "g4.5", models=models if number % 3 else max(1, models // 2)),
                unit(other, "g5.5", side=1, detected=True),
            ]
            if number % 3 == 0:
                units.append(unit("marksmen", "g5.5", side=1, detected=True))
            yield fight(f"{one} against {', '.join(row['kind'] for row in units[1:])}", units)


def fight(name: str, units: Units) -> Case:
    table = table_of(*units)
    goal, numbers = table.unit(1).place, list(table.state.units)

    def estimate() -> Numbers:
        found = estimates_close.assault_on(table.unit(0), [table.unit(n) for n in numbers[1:]])
        outcome = Outcome(((table.unit(0), found.mine), *found.theirs))
        return told(outcome, numbers, -1, -1) | {"taken": found.wins}

    def exact() -> Exact:
        begun = table_of(*units)
        work = assault.Melee(0, goal, 1)
        return measured(begun, numbers, -1, -1, None, work, taken=lambda s: s.units[0].place == goal)

    return Case("assaults", name, estimate, exact, 1 / TYPES[units[-1]["kind"]].models)


def in_fires() -> Iterator[Case | None]:
    """Whoever is in a fire, once and twice."""
    for kind in TYPES:
        if TYPES[kind].kind == "strongpoint":
            continue
        for times in (1, 2):
            yield burning(kind, times)


def burning(kind: str, times: int) -> Case:
    table = table_of(unit(kind, "g5.5"))

    def estimate() -> Numbers:
        return told(
            Outcome(((table.unit(0), estimates_close.burnt(table.board, table.unit(0), times)),)), [0], -1, -1
        )

    def exact() -> Exact:
        def burn(r: Resolution) -> tuple[int, float, bool, bool]:
            for attempt in range(times):
                flames.burn(r, 0, attempt)
            one = r.state.units[0]
            lost = one.alive and unit_state(one).lost > 0
            return table.unit(0).models - one.models, 1 - worth(table.board, one), not one.alive, lost

        names = ("models 0", "worth 0", "gone 0", "shaken 0")
        means = dict.fromkeys(names, 0.0)
        for result, chance in odds_of(table.state, table.board, burn).items():
            for name, value in zip(names, result, strict=True):
                means[name] += float(chance) * value
        return Exact(means, {})

    return Case("in a fire", f"{kind}, {times} times", estimate, exact, 1 / TYPES[kind].models)


def nerves() -> Iterator[Case | None]:
    """Tests at the turn's end after fire, with and without somewhere to withdraw to."""
    for shooter in ("rifle_team", "gun_team", "tank", "marksmen", "assault_team"):
        for target in SOLDIERS:
            if not TYPES[target].cohesion:
                continue
            for at in ("g4.5", "house.1:0"):
                yield nerve(shooter, target, at)


def nerve(shooter: str, target: str, at: str) -> Case | None:
    start = "g2.5" if at == "g4.5" else "g9.4"
    table = table_of(unit(shooter, start, detected=True), unit(target, at, side=1, detected=True))
    ask = shoot.AtWhom(0, side=0)
    said = TargetUnit(1)
    if said not in shoot.legal_at_whom(table.state, table.board, ask):
        return None

    def estimate() -> Numbers:
        look = LineOfSight(table.state, table.board)
        toll = dict(estimates.outcome_of(look, table.unit(0), said, False).tolls)[table.unit(1)]
        has_way = bool(morale.withdrawal(Resolution(table.state, table.board, KeyedDice(0)), table.unit(1)))
        found = expected.nerve(toll, unit_state(table.unit(1)).cohesion, has_way)
        return {"suppressed": found.suppressed, "withdraws": found.withdraws}

    def exact() -> Exact:
        def tested(r: Resolution) -> tuple[bool, bool]:
            RULESET.answer(r, ask, said)
            morale.test_all(r)
            one = r.state.units[1]
            return unit_state(one).suppressed > 0, one.alive and one.place != table.unit(1).place

        means = {"suppressed": 0.0, "withdraws": 0.0}
        for (suppressed, withdraws), chance in odds_of(table.state, table.board, tested).items():
            means["suppressed"] += float(chance) * suppressed
            means["withdraws"] += float(chance) * withdraws
        return Exact(means, {})

    return Case("nerve", f"{target} in {at} under fire of {shooter}", estimate, exact)


def cases() -> list[Case]:
    """All of them, in one order."""
    grids = (
        in_the_open,
        two_on_a_space,
        in_buildings,
        through_walls,
        at_banks,
        into_openings,
        from_above,
        by_hand,
        assaults,
        in_fires,
        nerves,
    )
    return [case for grid in grids for case in grid() if case is not None]
