"""Fire at units, normal or suppressive (SH-HOUSE-ATTACK, SH-HOUSE-COVER, SH-TARGET-2).

`declare.py` asks for the target. The effect of hits is in `casualties.py` (normal) and `morale.py` (suppressive), fire at
buildings in `buildings.py`. Read `attack`.
"""

from __future__ import annotations

from collections.abc import Sequence

from battlesim.board.board import Board
from battlesim.core.answers import Answer, Order
from battlesim.core.items import Ask, Step
from battlesim.core.state import State, Unit
from battlesim.rules.contract import Chapter
from battlesim.rules.resolution import Clauses, Resolution
from battlesim.rulesets.squadhex import casualties, morale
from battlesim.rulesets.squadhex.facts import Attacked
from battlesim.rulesets.squadhex.fire import (
    CANCEL,
    defence,
    dice_clauses,
    halved,
    is_concussive,
    need_at,
    strength,
    strength_at_building,
)
from battlesim.rulesets.squadhex.ground import cover_clauses
from battlesim.rulesets.squadhex.hexes import hexes
from battlesim.rulesets.squadhex.model import (
    ADVANCE_FIRE,
    NORMAL,
    SUPPRESSIVE,
    battle_state,
    type_of,
)
from battlesim.rulesets.squadhex.targets import can_fell, is_on_top

MODES: tuple[Answer, ...] = (Order(NORMAL), Order(SUPPRESSIVE))


class HowFired(Ask, frozen=True):
    """Does a unit fire normally or to suppress? `action`: fire, advance_fire, concentrated or opportunity. `supporters` add to a
    concentrated fire."""

    unit: int
    target: int
    action: str
    supporters: tuple[int, ...] = ()


class Attack(Step, frozen=True):
    """An attack on a unit is rolled; its fields are those of `HowFired`. `mode`: normal or suppressive."""

    unit: int
    target: int
    mode: str
    action: str
    supporters: tuple[int, ...] = ()


def legal_how_fired(state: State, board: Board, ask: HowFired) -> Sequence[Answer]:
    """Normal; on squads and crews also suppressive (SH-HOUSE-SUPPRESS)."""
    return MODES[:1] if type_of(state.units[ask.target]).vehicle else MODES


def resolve_how_fired(r: Resolution, ask: HowFired, said: Order) -> None:
    """The attack is rolled next, in the mode that was chosen."""
    r.then(Attack(ask.unit, ask.target, said.name, ask.action, ask.supporters))


def attack(r: Resolution, step: Attack) -> None:
    """The attackers' hits less those cancelled by the target's cover and armour."""
    state, board = r.state, r.board
    unit, target = state.units[step.unit], state.units[step.target]
    if unit.place < 0 or target.place < 0:
        return
    moved = step.action == ADVANCE_FIRE
    dice = strength(board, unit, target, moved)
    # Each supporter adds half its firepower, bonuses included, rounded up.
    for other in step.supporters:
        dice += halved(strength(board, state.units[other], target), 1)
    wanted = need_at(board, unit, target)
    if not dice or wanted > 6:
        return
    clauses = _clauses(r, unit, target, step)
    hits = r.count(dice, wanted, "hit", unit.id, target.id)
    saves = r.count(defence(state, board, target), CANCEL, "cover", target.id, unit.id) if hits else 0
    cancelled = min(saves, hits)
    net = hits - cancelled
    distance = hexes(board).between(unit.place, target.place)
    r.because(
        Attacked(
            unit.id,
            target.id,
            step.mode,
            step.action,
            dice,
            wanted,
            distance,
            hits,
            cancelled,
            net,
            clauses=clauses,
        )
    )
    if step.mode == SUPPRESSIVE:
        morale.suppress(r, target, net, unit.place)
    else:
        casualties.lose_figures(r, target, net, "fire")


def _clauses(r: Resolution, unit: Unit, target: Unit, step: Attack) -> Clauses:
    """The clauses that apply to an attack."""
    board = r.board
    named = ["SH-HOUSE-ATTACK", "SH-HOUSE-ACTIONS", *cover_clauses(board, target.place)]
    if board.spaces[target.place].kind == "floor":
        section = board.spaces[target.place].section
        if section in battle_state(r.state).destructible:
            named.append("SH-TARGET-2")
            if step.mode == SUPPRESSIVE:
                named.append("SH-ATTACK-1")
            if is_on_top(board, target) and _too_weak(r.state, board, unit, step, section):
                named.append("SH-EX-3")
        elif is_concussive(board, unit, target):
            named.append("SH-TARGET-2")
    for one in (unit, *(r.state.units[other] for other in step.supporters)):
        named += dice_clauses(one)
    return tuple(dict.fromkeys(named))


def _too_weak(state: State, board: Board, unit: Unit, step: Attack, section: int) -> bool:
    """Whether all units firing together could not destroy any hex of the building if they fired at it instead (SH-EX-3)."""
    grid = hexes(board)

    def dice(other: int) -> int:
        ruin = board.sections[other].ruin
        total = strength_at_building(unit, grid.between(unit.place, ruin), step.action == ADVANCE_FIRE)
        for helper in (state.units[one] for one in step.supporters):
            total += halved(strength_at_building(helper, grid.between(helper.place, ruin)), 1)
        return total

    return not can_fell(state, board, section, dice)


CHAPTER = Chapter(
    owns=("SH-HOUSE-ATTACK", "SH-HOUSE-COVER"),
    asks={HowFired: (legal_how_fired, resolve_how_fired)},
    steps={Attack: attack},
)
