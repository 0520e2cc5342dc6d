"""Morale and pins (OD-HOUSE-MORALE, OD-HOUSE-NERVE, OD-HOUSE-PINS).

Read `check`. `needed` is the one table; everything that tests goes through `check`.
"""

from __future__ import annotations

from collections.abc import Iterable

from battlesim.board.board import Board
from battlesim.core.geometry import INCH
from battlesim.core.items import Step
from battlesim.core.state import State, Unit
from battlesim.rules.contract import Chapter
from battlesim.rules.resolution import Clauses, Resolution
from battlesim.rulesets.orderdice import casualties, facts
from battlesim.rulesets.orderdice.facts import Ordered, Tested
from battlesim.rulesets.orderdice.model import DOWN, unit_state

MORALE: tuple[int, int, int] = (8, 9, 10)
"""Morale of inexperienced, regular and veteran units."""
COMMAND = 6 * INCH
"""An officer helps units within this distance."""
BLUNDER = 12
"""An order test that rolls this is a blunder (OD-HOUSE-MORALE)."""


class AfterAttack(Step, frozen=True):
    """After one attack: a unit that lost half or more of its `before` models passes a test or is destroyed. `attempt` keys the
    dice if one attacker can cause this more than once."""

    attacker: int
    unit: int
    before: int
    attempt: int = 0


def officers(state: State, side: int) -> list[Unit]:
    """The living officers of a side that are on the board."""
    return [friend for friend in state.living(side) if friend.own.officer > 0 and friend.place >= 0]


def best_bonus(board: Board, unit: Unit, officers: Iterable[Unit]) -> int:
    """The best bonus of friendly officers within 6 inches; an officer unit also helps itself (OD-HOUSE-NERVE)."""
    best = unit_state(unit).officer
    if unit.place < 0:
        return best
    for friend in officers:
        bonus = friend.own.officer
        if bonus > best and board.within(friend.place, unit.place, COMMAND):
            best = bonus
    return best


def officer_bonus(state: State, board: Board, unit: Unit) -> int:
    """The morale bonus of a unit from friendly officers near it (OD-HOUSE-NERVE)."""
    return best_bonus(board, unit, officers(state, unit.side))


def needed(quality: int, pins: int, bonus: int) -> int:
    """The highest 2D6 roll that passes a morale test."""
    return MORALE[quality] - pins + bonus


def check(
    r: Resolution,
    unit: Unit,
    why: str,
    source: int,
    pinned: bool = True,
    attempt: int = 0,
    clauses: Clauses = ("OD-HOUSE-MORALE",),
) -> bool:
    """One morale test outside orders: 2D6, 2 always passes. `source` (a unit or section) and `attempt` key the dice."""
    goal = needed(
        unit_state(unit).quality,
        unit_state(unit).pins if pinned else 0,
        officer_bonus(r.state, r.board, unit),
    )
    rolled = r.total(2, 6, f"morale {why}", unit.id, source, attempt, cuts=(2, max(goal, 2)))
    passed = rolled <= goal or rolled == 2
    r.emit(Tested(unit.id, rolled, goal, passed, why, clauses=clauses))
    return passed


def rally(r: Resolution, unit: Unit) -> None:
    """Rally's D6 follows the pin lost by passing the test (OD-HOUSE-NERVE)."""
    pins = unit_state(unit).pins
    if not pins:
        return
    removed = min(pins, r.total(1, 6, "rally", unit.id))
    r.emit(facts.Rallied(unit=unit.id, number=removed, clauses=("OD-HOUSE-MORALE", "OD-HOUSE-NERVE")))
    r.set(unit.id, pins=pins - removed)


def go_down(r: Resolution, unit: Unit, why: str, clauses: Clauses = ()) -> None:
    """A unit goes Down: its die, or one taken from the bag, shows this."""
    r.emit(Ordered(unit.id, DOWN, why, clauses=clauses))
    casualties.spend_die(r, unit, DOWN, clauses)


def add_pins(r: Resolution, target: int, pins: int, clauses: Clauses = ("OD-HOUSE-PINS",)) -> None:
    """A unit takes pins; with as many as its morale value it is destroyed, even near officers (OD-HOUSE-NERVE)."""
    unit = r.state.units[target]
    if not unit.alive or pins <= 0:
        return
    total = unit_state(unit).pins + pins
    r.set(target, clauses, pins=total)
    if total >= MORALE[unit_state(unit).quality]:
        r.emit(facts.Broken(unit=target, number=total, clauses=("OD-HOUSE-MORALE", "OD-HOUSE-NERVE")))
        casualties.destroy(r, target, "broken by pins", ("OD-HOUSE-MORALE",))


def after_attack(r: Resolution, step: AfterAttack) -> None:
    """Half or more of the models lost to one attack: pass a morale test or be destroyed."""
    unit = r.state.units[step.unit]
    if not unit.alive or 2 * (step.before - unit.models) < step.before:
        return
    clauses: Clauses = ("OD-HOUSE-PINS", "OD-HOUSE-MORALE")
    if not check(r, unit, "losses", step.attacker, attempt=step.attempt, clauses=clauses):
        casualties.destroy(r, unit.id, "routed", ("OD-HOUSE-PINS",))


CHAPTER = Chapter(
    owns=("OD-HOUSE-MORALE", "OD-HOUSE-NERVE", "OD-HOUSE-PINS"),
    steps={AfterAttack: after_attack},
)
