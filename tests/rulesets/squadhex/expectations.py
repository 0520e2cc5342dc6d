"""Situations under the squad-and-hex rules in which an act is estimated and enumerated: `cases()` (see `tests/expectations.py`).

Fire of every unit at squads, crews and vehicles, in the open and in every kind of cover and building, near, within range and far,
normal and suppressive, pinned, damaged and on the move, alone and together; fire at buildings of every height, whole and
weakened, empty and full; area attacks; falls; assaults; opportunity fire; recovery. Where the rules ask, whoever waits fires
normally, and who falls back goes where he can."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from battlesim.board.board import Board
from battlesim.core.state import State, Structure
from battlesim.rulesets.squadhex import area, assault, attack, buildings, estimates, morale, move, turn
from battlesim.rulesets.squadhex.data import TYPES
from battlesim.rulesets.squadhex.estimates import Outcome
from battlesim.rulesets.squadhex.fire import VEHICLES, class_of, need
from battlesim.rulesets.squadhex.hexes import hexes
from battlesim.rulesets.squadhex.model import ADVANCE, NORMAL, SUPPRESSIVE, type_of, unit_state
from battlesim.rulesets.squadhex.ruleset import RULESET
from battlesim.search.odds import outcomes
from tests.expectations import Case, Exact, Numbers
from tests.rulesets.squadhex.kit import Table, unit
from tests.rulesets.squadhex.situations import FOES, HOUSES, PLACES, act, measured, policy, told

# ---- fire at units -------------------------------------------------------------------------------------------------------


def shot(
    group: str, name: str, mode: str, *units: dict[str, Any], action: str = "fire", target: int = 1
) -> Case | None:
    """Unit 0 fires at a target, with all units before it as supporters; None where it has no dice that could hit."""
    table = Table(*units)
    board = table.board
    shooter, foe = table.unit(0), table.unit(target)
    wanted = need(hexes(board).between(shooter.place, foe.place), type_of(shooter).ranges[class_of(foe)])
    if wanted > 6 or not estimates.attack_dice(board, shooter, foe, False):
        return None
    if mode == SUPPRESSIVE and type_of(foe).vehicle:
        return None
    supporters = [table.unit(n) for n in range(1, target)]

    def estimate(state: State, board: Board) -> Outcome:
        toll = estimates.fire(state, board, shooter, foe, mode, action == "advance_fire", supporters)
        return Outcome(((foe, toll),))

    step = attack.Attack(0, target, mode, action, tuple(range(1, target)))
    return act(group, name, table, (target,), (), estimate, step)


def fire_at_units() -> Iterator[Case | None]:
    """Every type of unit at squads, crews and vehicles, near, farther and far, in the open and in a house."""
    for kind in TYPES:
        for foe in FOES:
            for where in ("open", "house") if not TYPES[foe].vehicle else ("open",):
                at, *froms = PLACES[where]
                for far, place in enumerate(froms):
                    for mode in (NORMAL, SUPPRESSIVE):
                        name = f"{kind} at {foe} {where}, {mode}, {('near', 'farther', 'far')[far]}"
                        yield shot("fire", name, mode, unit(kind, at=place), unit(foe, at=at, side=1))


def fire_in_cover() -> Iterator[Case | None]:
    """Into every kind of cover; by units that are weak, pinned, damaged or on the move; at those already pinned or disrupted."""
    for where, (at, near, _, _) in PLACES.items():
        for kind in ("elite_squad", "medium_tank", "mortar_squad"):
            for mode in (NORMAL, SUPPRESSIVE):
                yield shot(
                    "cover",
                    f"{kind} into {where}, {mode}",
                    mode,
                    unit(kind, at=near),
                    unit("mixed_squad", at, 1),
                )
    at, near = PLACES["upstairs"][:2]
    for mode in (NORMAL, SUPPRESSIVE):
        for kind, models in (
            ("elite_squad", 2),
            ("machine_gun_squad", 3),
            ("heavy_tank", 1),
            ("engineers", 4),
        ):
            for action in ("fire", "advance_fire"):
                for pinned in (False, True) if not TYPES[kind].vehicle else (False,):
                    name = f"{kind} of {models}, {action}, pinned {pinned}, {mode}"
                    shooter = unit(kind, at=near, models=models, pinned=pinned)
                    yield shot("weak", name, mode, shooter, unit("rifle_squad", at, 1), action=action)
    for state in ({"pinned": True}, {"disrupted": True}, {"pinned": True, "disrupted": True}):
        for models in (1, 2, 4):
            for mode in (NORMAL, SUPPRESSIVE):
                foe = unit("elite_squad", "g5.2", 1, models=models, **state)
                yield shot("shaken", f"{models} {state} {mode}", mode, unit("elite_squad", at="g5.1"), foe)


def fire_together() -> Iterator[Case | None]:
    """Concentrated fire, and squads with nowhere to run."""
    for where in ("open", "hut", "upstairs"):
        at, near, farther, _ = PLACES[where]
        for helpers in (("rifle_squad",), ("medium_tank", "engineers"), ("elite_squad",) * 3):
            others = [unit(kind, at=(near, farther)[n % 2]) for n, kind in enumerate(helpers)]
            for foe in ("rifle_squad", "machine_gun_team"):
                for mode in (NORMAL, SUPPRESSIVE):
                    yield shot(
                        "together",
                        f"{helpers} at {foe} {where}, {mode}",
                        mode,
                        unit("elite_squad", at=near),
                        *others,
                        unit(foe, at=at, side=1),
                        action="concentrated",
                        target=len(others) + 1,
                    )
    crowd = [unit("rifle_squad", at=at, side=1) for at in ("hall.tower:1",)]
    for kind in ("elite_squad", "medium_tank", "engineers"):
        foe = unit("rifle_squad", "hall.tower:2", 1)
        yield shot("cut off", f"{kind} at the top", SUPPRESSIVE, unit(kind, at="g3.4"), foe, *crowd)


# ---- buildings -----------------------------------------------------------------------------------------------------------


def fire_at_buildings() -> Iterator[Case]:
    """Every unit that counts, alone and with others, at buildings of every height, whole and weakened, empty and full."""
    for house, froms in HOUSES.items():
        number = Table().section(house)
        top = Table().board.sections[number].top
        inside = [unit("rifle_squad", at=f"{house}:{floor}", side=floor % 2) for floor in range(top + 1)]
        for kind, row in TYPES.items():
            for place in froms:
                for weakened in (False, True):
                    before = [Structure(number, own={"weakened": True})] if weakened else []
                    for full in (False, True):
                        units = (unit(kind, at=place), *(inside if full else []))
                        table = Table(*units, structures=before)
                        distance = hexes(table.board).between(
                            table.unit(0).place, table.board.sections[number].ruin
                        )
                        if need(distance, row.ranges[VEHICLES]) > 6 or (full and place != froms[0]):
                            continue
                        numbers = range(1, len(units))
                        name = f"{kind} at {house} from {place}, weakened {weakened}, full {full}"
                        yield act(
                            "at buildings",
                            name,
                            table,
                            numbers,
                            (number,),
                            partial(at_house, number),
                            buildings.AttackBuilding(0, number, "fire"),
                        )


def at_house(section: int, state: State, board: Board) -> Outcome:
    return estimates.at_building(state, board, state.units[0], section)


def together_at_buildings() -> Iterator[Case]:
    """Concentrated fire at buildings; where cover helps in a fall."""
    for house, (near, farther, _) in HOUSES.items():
        for leader, helpers in (
            ("heavy_infantry_gun", ("medium_tank",)),
            ("infantry_gun", ("engineers", "rifle_squad")),
            ("engineers", ("engineers", "tank_hunters", "anti_tank_gun")),
        ):
            for cover in (False, True):
                units = [unit(leader, at=near), *(unit(kind, at=farther) for kind in helpers)]
                last = len(units)
                table = Table(*units, unit("mixed_squad", f"{house}:0", 1), fall_cover=cover)
                number = table.section(house)

                def estimate(s: State, b: Board, number: int = number, last: int = last) -> Outcome:
                    others = [s.units[n] for n in range(1, last)]
                    return estimates.at_building(s, b, s.units[0], number, False, others)

                yield act(
                    "together at buildings",
                    f"{leader}, {helpers} at {house}, cover {cover}",
                    table,
                    (last,),
                    (number,),
                    estimate,
                    buildings.AttackBuilding(0, number, "concentrated", tuple(range(1, last))),
                )


# ---- area attacks --------------------------------------------------------------------------------------------------------


def area_attacks() -> Iterator[Case]:
    """Mortars and strikes on squads, crews and vehicles, friends among them, in the open and in buildings, near the edge."""
    for kind in ("mortar_team", "heavy_mortar_team", "mortar_squad", "observer_team"):
        for mode in (NORMAL, SUPPRESSIVE):
            for state in ({}, {"pinned": True}, {"models": 1}):
                for name, aimed, crowd in AIMS:
                    table = Table(unit(kind, at="g0.9", **state), *crowd)
                    place = table.place(aimed)
                    section = table.board.spaces[place].section
                    numbers = range(1, len(crowd) + 1)
                    yield act(
                        "area",
                        f"{kind} {state} on {name}, {mode}",
                        table,
                        numbers,
                        (section,) if section >= 0 else (),
                        partial(shells, place, mode),
                        area.Bombard(0, place, mode),
                    )


def shells(place: int, mode: str, state: State, board: Board) -> Outcome:
    return estimates.bombardment(state, board, state.units[0], place, mode)


AIMS: tuple[tuple[str, str, list[dict[str, Any]]], ...] = (
    ("the open", "g5.2", [unit("rifle_squad", "g5.2", 1), unit("machine_gun_team", "g5.1", 1)]),
    ("a crowd", "g5.2", [unit("rifle_squad", "g5.2", 1, pinned=True), unit("elite_squad", "g5.2", 1)]),
    ("a tank", "g9.2", [unit("light_tank", "g9.2", 1), unit("rifle_squad", "g9.1", 0)]),
    ("the edge", "g0.0", [unit("mixed_squad", "g0.0", 1)]),
    ("a hut", "hut.only:0", [unit("rifle_squad", "hut.only:0", 1), unit("rifle_squad", "g8.4", 1)]),
    (
        "a tower",
        "hall.tower:0",
        [unit("rifle_squad", "hall.tower:2", 1), unit("officer_squad", "hall.tower:0", 1, pinned=True)],
    ),
    ("beside a house", "g4.3", [unit("machine_gun_team", "hall.high:1", 1), unit("engineers", "g4.3", 1)]),
)


# ---- close combat, opportunity fire, recovery ------------------------------------------------------------------------------


def assaults() -> Iterator[Case]:
    """Assaults on squads, crews and vehicles, in the open and up the stairs, under opportunity fire or not, with and without a
    way back."""
    grounds = {
        "open": ("g5.2", "g5.3"),
        "into a house": ("g4.3", "hall.high:0"),
        "up the stairs": ("hall.high:0", "hall.high:1"),
        "trapped": ("hall.tower:1", "hall.tower:2"),
    }
    rows: tuple[tuple[str, int, dict[str, Any]], ...] = (
        ("rifle_squad", 4, {}),
        ("elite_squad", 3, {"pinned": True}),
        ("officer_squad", 2, {"disrupted": True}),
        ("machine_gun_team", 2, {}),
        ("observer_team", 2, {}),
        ("light_tank", 2, {}),
        ("medium_tank", 1, {}),
    )
    for kind, models in (("rifle_squad", 4), ("engineers", 4), ("mixed_squad", 2), ("machine_gun_team", 2)):
        for foe, foes, state in rows:
            for where, (at, there) in grounds.items():
                if TYPES[foe].vehicle and where != "open":
                    continue
                for waiting in (0, 2):
                    guards = [
                        unit(guard, "g6.2" if where == "open" else "g3.3", 1, waits=True, fresh=False)
                        for guard in ("machine_gun_team", "rifle_squad")[:waiting]
                    ]
                    units = (unit(kind, at, models=models), unit(foe, there, 1, models=foes, **state))
                    table = Table(*units, *guards)
                    name = f"{models} {kind} on {foes} {foe} {state}, {where}, {waiting} wait"
                    yield clash(name, table)


def clash(name: str, table: Table) -> Case:
    """Unit 0 assaults unit 1. Who withdraws is not routed."""
    unit, foe = table.unit(0), table.unit(1)

    def expected() -> Numbers:
        found = estimates.assault(table.state, table.board, unit, foe)
        return told(table, Outcome(((unit, found.mine), (foe, found.theirs))), (0, 1), ())

    def exact() -> Exact:
        found = measured(table, (0, 1), (), assault.WhomAssault(0, side=0))
        return Exact(found.means | {"routed 0": 0.0, "routed 1": 0.0}, {})

    return Case("assault", name, expected, exact, type_of(foe).worth / unit_state(foe).full)


def moves() -> Iterator[Case]:
    """Moves past one, two and three enemies on opportunity fire, into the open and into a house."""
    guards = [
        unit("machine_gun_team", "hall.high:1", 1, waits=True, fresh=False),
        unit("rifle_squad", "g6.4", 1, waits=True, fresh=False),
        unit("anti_tank_gun", "g9.3", 1, waits=True, fresh=False),
    ]
    for kind in ("rifle_squad", "elite_officer_squad", "machine_gun_team", "light_tank", "medium_tank"):
        for start, goal in (("g2.2", "g5.2"), ("g7.5", "hut.only:0"), ("g5.0", "g5.2"), ("g8.4", "g7.3")):
            for number in range(4):
                table = Table(unit(kind, start), *guards[:number])
                mover, place = table.unit(0), table.place(goal)
                ways = move.routes(table.state, table.board, mover, ADVANCE)
                if place not in ways:
                    continue
                path = move.path_to(ways, mover.place, place)

                def estimate(s: State, b: Board, path: tuple[int, ...] = path) -> Outcome:
                    one = s.units[0]
                    met = partial(estimates.opportunities, s, b, one)
                    return Outcome(((one, estimates.moving(s, b, one, path, met)),))

                name = f"{kind} from {start} to {goal} past {number}"
                yield act("moves", name, table, (0,), (), estimate, move.Walk(0, path))


def recoveries() -> Iterator[Case]:
    """Disrupted squads alone, beside an officer, beside an officer who is disrupted himself."""
    officers: tuple[list[dict[str, Any]], ...] = (
        [],
        [unit("officer_squad", "g5.3")],
        [unit("officer_squad", "g5.3", disrupted=True)],
        [unit("officer_squad", "g5.0")],
    )
    for number, others in enumerate(officers):
        table = Table(unit("rifle_squad", "g5.2", disrupted=True), *others, unit("rifle_squad", "g0.0", 1))

        def expected(table: Table = table) -> Numbers:
            officers = morale.officers(table.state, 0)
            return {"recovers": estimates.recovery(table.board, table.unit(0), officers)}

        def exact(table: Table = table) -> Exact:
            endings = outcomes(table.state, table.board, RULESET, turn.EndRound(), answer=policy)
            chance = sum(float(e.chance) for e in endings if not unit_state(e.state.units[0]).disrupted)
            return Exact({"recovers": chance}, {})

        yield Case("recovery", f"officers {number}", expected, exact)


def cases() -> list[Case]:
    """All of them, in one order."""
    grids = (
        fire_at_units,
        fire_in_cover,
        fire_together,
        fire_at_buildings,
        together_at_buildings,
        area_attacks,
        assaults,
        moves,
        recoveries,
    )
    return [case for grid in grids for case in grid() if case is not None]
