"""Situations under the regiment rules in which an act is estimated and enumerated: `cases()` (see `tests/expectations.py`).

Volleys of every weapon at every kind of unit, in the open, behind walls and in buildings; engines, bolts and breath at units and
houses, with whoever else may be hit; charges in front, flank and rear, at houses and from room to room, with characters; shaken
walls; tests of nerve. Where the rules ask, units stand and shoot, pursue and follow in
wherever they may."""

from __future__ import annotations

from collections.abc import Iterator

from battlesim.board.board import Board
from battlesim.core.state import Structure
from battlesim.rulesets.regiment import ground, rooms
from battlesim.rulesets.regiment.data import TYPES
from tests.expectations import Case
from tests.rulesets.regiment.kit import unit
from tests.rulesets.regiment.situations import FOES, battlefield, clash, volley

# ---- volleys -------------------------------------------------------------------------------------------------------------

SHOOTERS = ("archers", "crossbowmen", "handgunners", "skirmishers", "light_horse")
SPOTS = ("g8.7", "house.1:0", "hut.1:0", "tower.1:0", "tower.1:3", "row.r2:0", "hall.1:0", "g15.1", "g13.11")
"""In the open, in every kind of building, in a wood and behind a wall."""


def near(board: Board, spot: str) -> list[tuple[str, int]]:
    """Ground from which a spot may be shot at or charged, near and farther, and the facing towards it."""
    found = []
    goal = board.spaces[board.space(spot)]
    for dx, dy in ((-2, 0), (2, 0), (0, -2), (0, 2), (3, 3), (-5, 0), (0, -6), (5, 1)):
        x, y = (goal.x - 150) // 300 + dx, (goal.y - 150) // 300 + dy
        if f"g{x}.{y}" in board.by_name:  # no house stands there
            found.append((f"g{x}.{y}", ground.towards(board, board.space(f"g{x}.{y}"), goal.id)))
    return found


def fits(kind: str, spot: str) -> bool:
    """Whether a kind of unit may stand on a spot."""
    board = battlefield()
    room = rooms.room_at(board, board.space(spot))
    return room is None or rooms.may_hold(TYPES[kind], room)


def volleys() -> Iterator[Case | None]:
    number = 0
    for spot in SPOTS:
        for foe in FOES:
            if not fits(foe, spot):
                continue
            for at, facing in near(battlefield(), spot)[:8]:
                number += 1
                shooter = SHOOTERS[number % 5]
                kind = TYPES[foe]
                models = max(1, kind.models - number % 4) if kind.models > 4 else kind.models
                yield volley(
                    "volleys",
                    unit(
                        shooter,
                        at=at,
                        facing=facing,
                        files=(5, 6, 10)[number % 3],
                        moved=("", "moved")[number % 7 == 0],
                    ),
                    unit(
                        foe,
                        at=spot,
                        side=1,
                        models=models,
                        shot=number % 3 if kind.models > 4 else 0,
                        wounds=number % kind.w,
                        facing=number % 8,
                    ),
                )


def volleys_from_buildings() -> Iterator[Case | None]:
    number = 0
    for at in ("house.1:0", "tower.1:0", "tower.1:3", "hut.1:0"):
        for spot in ("g8.7", "g3.8", "house.1:0", "hut.1:0", "tower.1:0", "g7.12", "g11.8"):
            number += 1
            foe = FOES[number % 7]
            if at == spot or not fits(foe, spot):
                continue
            yield volley(
                "volleys from buildings",
                unit(SHOOTERS[number % 4], at=at),
                unit(foe, at=spot, side=1),
                unit("general", at=spot, side=1, joined=1)
                if number % 3 == 0 and foe in ("levy", "swordsmen")
                else unit("levy", at="g18.14", side=1),
            )


# ---- engines -------------------------------------------------------------------------------------------------------------


def engine_shots() -> Iterator[Case | None]:
    number = 0
    board = battlefield()
    for engine in ("cannon", "stone_thrower", "flame_cannon", "bolt_thrower", "drake"):
        for spot in SPOTS:
            for at, facing in near(board, spot):
                for foe in FOES[number % 3 :: 3]:
                    number += 1
                    if not fits(foe, spot) or (number % 3 and engine == "bolt_thrower"):
                        continue
                    # somebody stands behind, and a friend beside, for balls and stones that go astray
                    behind = near(board, spot)[(number + 3) % 4][0]
                    others = [
                        unit("spearmen", at=name, side=side, facing=number % 8)
                        for name, side in ((behind, 1), ("g8.8", 0), ("house.1:0", 1))
                        if name not in (at, spot)
                    ]
                    structures = []
                    here = board.spaces[board.space(spot)]
                    if here.section >= 0 and number % 4 == 0:
                        structures = [Structure(here.section, own={"unstable": (here.id,)})]
                    kind = TYPES[foe]
                    yield volley(
                        engine,
                        unit(engine, at=at, facing=facing),
                        unit(
                            foe,
                            at=spot,
                            side=1,
                            facing=number % 8,
                            files=(5, 8)[number % 2],
                            wounds=number % kind.w,
                        ),
                        *others[: number % 3],
                        structures=structures,
                    )


# ---- charges -------------------------------------------------------------------------------------------------------------

CHARGERS = (
    "spearmen",
    "guard",
    "axemen",
    "zealots",
    "knights",
    "ogres",
    "chariot",
    "giant",
    "levy",
    "harpies",
)


def charges() -> Iterator[Case | None]:
    number = 0
    board = battlefield()
    for spot in SPOTS:
        for at, facing in near(board, spot)[:6]:
            for charger in CHARGERS[number % 2 :: 2]:
                number += 1
                foe = (
                    "levy",
                    "swordsmen",
                    "halberdiers",
                    "knights",
                    "ogres",
                    "archers",
                    "guard",
                    "cannon",
                    "skirmishers",
                )[number % 9]
                if not fits(foe, spot):
                    foe = ("levy", "swordsmen", "guard", "archers")[number % 4]
                mine, theirs = TYPES[charger], TYPES[foe]
                joined = []
                if number % 4 == 0 and mine.kind == "infantry" and not mine.flyer:
                    joined.append(unit(("captain", "general")[number % 8 // 4], at=at, joined=0))
                if number % 5 == 0 and theirs.kind == "infantry":
                    joined.append(unit(("captain", "standard_bearer")[number % 2], at=spot, side=1, joined=1))
                elif number % 5 == 1:
                    joined.append(unit("standard_bearer", at="g9.8", side=1))
                yield clash(
                    "charges at rooms" if board.spaces[board.space(spot)].kind == "floor" else "charges",
                    unit(
                        charger,
                        at=at,
                        facing=facing,
                        wounds=number % mine.w,
                        models=max(1, mine.models - number % 5) if mine.models > 5 else mine.models,
                    ),
                    unit(
                        foe,
                        at=spot,
                        side=1,
                        facing=number % 8,
                        files=(5, 10)[number % 3 == 0]
                        if theirs.kind in ("infantry", "cavalry")
                        else theirs.files,
                        wounds=number % theirs.w,
                        models=max(1, theirs.models - number % 7) if theirs.models > 7 else theirs.models,
                    ),
                    *joined,
                )


def from_room_to_room() -> Iterator[Case | None]:
    number = 0
    for a, b in (
        ("row.r1:0", "row.r2:0"),
        ("row.r2:0", "row.r1:0"),
        ("tower.1:0", "tower.1:3"),
        ("tower.1:3", "tower.1:0"),
    ):
        for one in ("spearmen", "guard", "zealots", "axemen"):
            for foe in ("levy", "swordsmen", "halberdiers", "guard"):
                number += 1
                joined = []
                if number % 3 == 0:
                    joined.append(unit("captain", at=a, joined=0))
                if number % 4 == 0:
                    joined.append(unit("captain", at=b, side=1, joined=1))
                yield clash(
                    "from room to room",
                    unit(one, at=a, models=12 + number % 5),
                    unit(foe, at=b, side=1),
                    *joined,
                )


def characters_left_alone() -> Iterator[Case | None]:
    """Charges that may take all of a unit but its character."""
    for number, charger in enumerate(("knights", "axemen", "zealots", "guard", "knights", "zealots")):
        yield clash(
            "characters left alone",
            unit(charger, at="g8.9", facing=6),
            unit(("levy", "archers")[number % 2], at="g8.7", side=1, models=1 + number % 3, facing=2),
            unit(("captain", "general")[number // 3], at="g8.7", side=1, joined=1),
        )


def cases() -> list[Case]:
    """All of them, in one order."""
    grids = (volleys, volleys_from_buildings, engine_shots, charges, from_room_to_room, characters_left_alone)
    found: dict[str, Case] = {}
    for grid in grids:
        for case in grid():
            if case is not None:
                found.setdefault(str(case), case)
    return list(found.values())
