"""One act in one situation under the squad-and-hex rules: what is estimated of it and what it comes to (see
`tests/expectations.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from battlesim.board.board import Board
from battlesim.core.answers import Answer, Confirm, TargetUnit
from battlesim.core.items import Ask, Item
from battlesim.core.state import State, Unit
from battlesim.rulesets.squadhex import assault, estimates
from battlesim.rulesets.squadhex.estimates import Outcome, Toll
from battlesim.rulesets.squadhex.model import type_of, unit_state
from battlesim.rulesets.squadhex.react import Interrupt
from battlesim.rulesets.squadhex.ruleset import RULESET
from battlesim.search.odds import outcomes
from tests.expectations import Case, Exact, Numbers
from tests.rulesets.squadhex.kit import Table

PLACES = {
    "open": ("g5.2", "g5.1", "g5.0", "g9.0"),
    "woods": ("g8.1", "g7.1", "g5.1", "g3.1"),
    "rubble": ("g8.0", "g7.0", "g6.0", "g2.0"),
    "house": ("hall.high:0", "g4.3", "g4.1", "g4.0"),
    "upstairs": ("hall.tower:2", "g3.4", "g3.2", "g3.0"),
    "hut": ("hut.only:0", "g8.4", "g9.3", "g10.0"),
    "cottage": ("cottage.attic:1", "g10.7", "g10.5", "g10.2"),
}
"""Where a target is, and places from which it is near, farther and far away; no line of sight is asked for."""
SQUADS = ("rifle_squad", "elite_officer_squad", "machine_gun_team")
FOES = (*SQUADS, "light_tank", "heavy_tank")
HOUSES = {
    "hut.only": ("g8.4", "g8.3", "g8.0"),
    "hall.high": ("g4.3", "g4.1", "g9.0"),
    "hall.tower": ("g3.4", "g3.2", "g9.2"),
}
"""Buildings of one to three floors, and places near, farther and far."""

Measure = Callable[[State], float]


# ---- both sides of a comparison ------------------------------------------------------------------------------------------


def policy(state: State, board: Board, ask: Ask, legal: Sequence[Answer]) -> Answer:
    """A unit that waits fires, with normal fire; unit 1 is assaulted; anything else gets the first legal answer."""
    if isinstance(ask, Interrupt):
        return Confirm(True) if Confirm(True) in legal else legal[0]
    if isinstance(ask, assault.WhomAssault):
        return TargetUnit(1)
    return legal[0]


def measures(table: Table, numbers: Sequence[int], sections: Sequence[int]) -> dict[str, Measure]:
    """Of each unit the figures and the worth it has lost, the chances that it is gone, pinned, disrupted and routed; of each
    section the chances that it has fallen and that it is weakened."""
    found: dict[str, Measure] = {}
    for number in numbers:
        one = table.state.units[number]
        found[f"models {number}"] = partial(_lost, one)
        found[f"worth {number}"] = partial(_worth_lost, one)
        found[f"gone {number}"] = partial(_gone, one)
        found[f"pinned {number}"] = partial(_newly, one, "pinned")
        found[f"disrupted {number}"] = partial(_newly, one, "disrupted")
        found[f"routed {number}"] = partial(_routed, one)
    for section in sections:
        before = table.state.structures.get(section)
        found[f"falls {section}"] = partial(_falls, section)
        found[f"weakens {section}"] = partial(_weakens, section, before is not None)
    return found


def _lost(one: Unit, after: State) -> float:
    return one.models - after.units[one.id].models


def _worth_lost(one: Unit, after: State) -> float:
    return _lost(one, after) * type_of(one).worth / unit_state(one).full


def _gone(one: Unit, after: State) -> float:
    return not after.units[one.id].alive


def _newly(one: Unit, what: str, after: State) -> float:
    """Whether a unit that lives has come to be pinned or disrupted."""
    now = after.units[one.id]
    return now.alive and getattr(unit_state(now), what) and not getattr(unit_state(one), what)


def _routed(one: Unit, after: State) -> float:
    """Whether a unit that lives has been driven out of its place by fire; those in a fallen house stay on its hex."""
    now = after.units[one.id]
    return now.alive and now.place != one.place and unit_state(now).disrupted


def _falls(section: int, after: State) -> float:
    known = after.structures.get(section)
    return known is not None and known.fallen


def _weakens(section: int, before: bool, after: State) -> float:
    """Whether a section stands that was not weakened `before`, and is now."""
    known = after.structures.get(section)
    return not before and known is not None and not known.fallen and bool(known.own.get("weakened"))


def measured(table: Table, numbers: Sequence[int], sections: Sequence[int], *work: Item) -> Exact:
    """The exact means of what work comes to."""
    endings = outcomes(table.state, table.board, RULESET, *work, answer=policy)
    means = {
        name: sum(float(ending.chance) * float(measure(ending.state)) for ending in endings)
        for name, measure in measures(table, numbers, sections).items()
    }
    return Exact(means, {})


def told(table: Table, outcome: Outcome, numbers: Sequence[int], sections: Sequence[int]) -> Numbers:
    """The same as the estimates say."""
    tolls = {one.id: toll for one, toll in outcome.tolls}
    walls = {section: (falls, weakens) for section, falls, weakens in outcome.walls}
    found: Numbers = {}
    for number in numbers:
        one, toll = table.state.units[number], tolls.get(number, Toll())
        found[f"models {number}"] = toll.lost
        found[f"worth {number}"] = estimates.worth_lost(one, toll)
        found[f"gone {number}"] = toll.gone
        found[f"pinned {number}"] = toll.pinned
        found[f"disrupted {number}"] = toll.disrupted
        found[f"routed {number}"] = toll.routed
    for section in sections:
        found[f"falls {section}"], found[f"weakens {section}"] = walls.get(section, (0.0, 0.0))
    return found


def act(
    group: str,
    name: str,
    table: Table,
    numbers: Sequence[int],
    sections: Sequence[int],
    estimate: Callable[[State, Board], Outcome],
    *work: Item,
) -> Case:
    """Work on a table, estimated and enumerated."""
    each = max((type_of(table.unit(n)).worth / unit_state(table.unit(n)).full for n in numbers), default=1.0)
    return Case(
        group,
        name,
        lambda: told(table, estimate(table.state, table.board), numbers, sections),
        lambda: measured(table, numbers, sections, *work),
        each,
    )
