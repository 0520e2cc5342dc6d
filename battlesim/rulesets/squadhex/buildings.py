"""Fire at buildings: which units count, the roll, weakened and collapsed hexes (SH-ATTACK, SH-TARGET, SH-ROLL, SH-DEST, SH-EX).

The effect of a fall on units inside is in `collapse.py`. Read `attack_building`, then `roll_against`.
"""

from __future__ import annotations

from battlesim.core.events import StructureSet
from battlesim.core.items import Step
from battlesim.core.state import Unit
from battlesim.rules.contract import Chapter
from battlesim.rules.resolution import Clauses, Resolution
from battlesim.rulesets.squadhex import collapse
from battlesim.rulesets.squadhex.facts import BuildingAttacked
from battlesim.rulesets.squadhex.fire import (
    ANTI_TANK_REACH,
    CANCEL,
    VEHICLES,
    WALLS,
    dice_clauses,
    eligible,
    firepower,
    halved,
    need,
    required,
    strength_at_building,
)
from battlesim.rulesets.squadhex.hexes import hexes
from battlesim.rulesets.squadhex.model import (
    ADVANCE_FIRE,
    CONCENTRATED,
    FIRE,
    is_weakened,
    structure,
    type_of,
)
from battlesim.rulesets.squadhex.targets import may_destroy, occupants


class AttackBuilding(Step, frozen=True):
    """An attack on a building hex is rolled. `action`: fire, advance_fire or concentrated; `supporters` add to a concentrated
    fire."""

    unit: int
    section: int
    action: str
    supporters: tuple[int, ...] = ()


def attack_building(r: Resolution, step: AttackBuilding) -> None:
    """The dice of everything that counts against three dice of the building hex (SH-ROLL-1)."""
    state, board = r.state, r.board
    unit = state.units[step.unit]
    if unit.place < 0 or not may_destroy(state, step.section):
        return
    grid, ruin = hexes(board), board.sections[step.section].ruin
    distance = grid.between(unit.place, ruin)
    dice = strength_at_building(unit, distance, step.action == ADVANCE_FIRE)
    # Each supporter adds half its firepower, bonuses included, rounded up. The leader's distance says what all dice need.
    for other in step.supporters:
        helper = state.units[other]
        dice += halved(strength_at_building(helper, grid.between(helper.place, ruin)), 1)
    wanted = need(distance, type_of(unit).ranges[VEHICLES])
    if not dice or wanted > 6:
        return
    helpers = [state.units[other] for other in step.supporters]
    clauses = [
        "SH-ATTACK-2",
        "SH-HOUSE-ATTACK",
        "SH-TARGET-2" if occupants(state, board, step.section) else "SH-TARGET-1",
    ]
    for one in (unit, *helpers):
        clauses += _particular(one, grid.between(one.place, ruin))
    if step.action != FIRE:  # an advance and support halve dice
        clauses.append("SH-HOUSE-ACTIONS")
    if step.action == CONCENTRATED:
        concussive = any(type_of(helper).concussive and type_of(helper).vehicle for helper in helpers)
        if type_of(unit).has_concussive and concussive:
            clauses.append("SH-EX-1")
    roll_against(r, unit, step.section, dice, wanted, step.action, tuple(clauses))


def _particular(unit: Unit, distance: int) -> list[str]:
    """The clauses that apply to one unit's share of the dice."""
    kind = type_of(unit)
    found = [*dice_clauses(unit)]
    if kind.concussive or kind.building_bonus:
        found.append("SH-ROLL-2")
    left_out = firepower(unit.kind, unit.models, VEHICLES) - eligible(unit.kind, unit.models, distance)
    if left_out or (kind.anti_tank and distance <= ANTI_TANK_REACH):
        found.append("SH-ELIG-1")
    return found


def roll_against(
    r: Resolution, unit: Unit, section: int, dice: int, wanted: int, how: str, clauses: Clauses
) -> None:
    """Roll against a building hex: it falls, is weakened, or stands. Hits of separate attacks do not add up (SH-DEST-1..4)."""
    hits = r.count(dice, wanted, "hit building", unit.id, section)
    saves = r.count(WALLS, CANCEL, "walls", unit.id, section) if hits else 0
    cancelled = min(saves, hits)
    net = hits - cancelled
    house = r.board.sections[section]
    weakened = is_weakened(r.state, section)
    whole = required(house.top, weakened)
    comes, found = "stands", ["SH-DEST-1"]
    # The required net hits destroy it; half as many, rounded up, weaken it, but never twice.
    if net >= whole:
        comes = "falls"
        if weakened:
            found.append("SH-DEST-3")
    elif not weakened and 2 * net >= whole:
        comes = "weakens"
        found.append("SH-DEST-2")
    if comes != "stands" and len(r.board.buildings[house.building]) > 1:
        found.append("SH-DEST-4")
    named = ("SH-SCEN-1", "SH-ATTACK-1", "SH-ROLL-1", "SH-HOUSE-COVER", *clauses, *found)
    r.because(
        BuildingAttacked(
            unit.id,
            section,
            how,
            dice,
            wanted,
            hits,
            cancelled,
            net,
            whole,
            comes,
            clauses=tuple(dict.fromkeys(named)),
        )
    )
    if comes == "falls":
        r.then(collapse.Fall(section))
    elif comes == "weakens":
        r.emit(
            StructureSet(
                section,
                False,
                False,
                {**structure(r.state, section), "weakened": True},
                clauses=("SH-DEST-2",),
            )
        )


CHAPTER = Chapter(
    owns=(
        "SH-SCEN-1",
        "SH-ATTACK-1",
        "SH-ATTACK-2",
        "SH-TARGET-1",
        "SH-TARGET-2",
        "SH-ROLL-1",
        "SH-DEST-1",
        "SH-DEST-2",
        "SH-DEST-3",
        "SH-DEST-4",
        "SH-EX-1",
        "SH-EX-3",
    ),
    steps={AttackBuilding: attack_building},
)
