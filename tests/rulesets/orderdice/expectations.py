"""Situations under the order-dice rules in which an act is estimated and enumerated: `cases()` (see `tests/expectations.py`).

Fire of every weapon at every kind of target, in the open and in every kind of building; sections, teams, officers, guns, vehicles
by facing; shells by floor; assaults, armour hand to hand, rams, tanks into houses; flame, fire, nerve. Where the rules ask,
nobody goes down and whoever may react does."""

from __future__ import annotations

from collections.abc import Iterator

from battlesim.rulesets.orderdice import assault, estimates, strike_estimates, support, tankfight
from battlesim.rulesets.orderdice.data import TYPES
from tests.expectations import Case
from tests.rulesets.orderdice.situations import at_house, clash, crash, range_ground, strike, unit, volley

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


def strikes_and_shells() -> Iterator[Case | None]:
    board = range_ground()
    observer = unit("artillery_observer", at="g60.22", order="fire")
    whom = (*MEN, "truck", "medium_tank")
    for number, other in enumerate(whom):
        row = {"order": ("fire", "down", "ambush")[number % 3], "pins": number % 4, "side": 1}
        floors = ("house.1:0", "house.1:1", "house.1:3", "cottage.1:0", "bunker.1:0", "row.west:1")
        for at in ("g14.12", "g16.12") if number % 2 else ("g14.12",):
            aim = board.space("g7.6")
            yield strike(
                "barrages",
                f"on {other} at {at}, {row}",
                observer,
                unit(other, at=at, **row),
                estimate=lambda s, b, aim=aim: strike_estimates.barrage(s, b, aim),
                due=support.StrikeDue(0, support.BARRAGE, -1, aim),
            )
        place = board.space("g7.6")
        yield strike(
            "air strikes",
            f"on {other} in the open, {row}",
            observer,
            unit(other, at="g14.12", **row),
            unit("officer", at="g18.12", side=1, order="fire"),
            estimate=lambda s, b, place=place: strike_estimates.air_strike(s, b, 1, place),
            due=support.StrikeDue(0, support.AIR, 1, place),
        )
        if TYPES[other].vehicle:
            continue
        for floor in floors[number % 2 :: 2]:
            there = board.space(floor)
            section = board.spaces[there].section
            ground_floor = board.sections[section].spaces[0]
            yield strike(
                "barrages",
                f"on {other} in {floor}, {row}",
                observer,
                unit(other, at=floor, **row),
                estimate=lambda s, b, aim=ground_floor: strike_estimates.barrage(s, b, aim),
                due=support.StrikeDue(0, support.BARRAGE, -1, ground_floor),
                section=section,
            )
            yield strike(
                "air strikes",
                f"on {other} in {floor}, {row}",
                observer,
                unit(other, at=floor, **row),
                estimate=lambda s, b, there=there: strike_estimates.air_strike(s, b, 1, there),
                due=support.StrikeDue(0, support.AIR, 1, there),
                section=section,
            )


def cases() -> list[Case]:
    """All of them, in one order."""
    grids = (
        in_the_open,
        in_buildings,
        from_buildings,
        several_at_once,
        assaults,
        tank_fights,
        strikes_and_shells,
    )
    return [case for grid in grids for case in grid() if case is not None]
