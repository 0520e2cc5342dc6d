"""One act in one situation under the regiment rules: what is estimated of it and what it comes to (see
`tests/expectations.py`).

`models`: wounds lost, in models; a unit that is lost has lost all. `gone`: it is lost; `flees`: it flees, and is on the table.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial
from math import sqrt
from typing import Any

from battlesim.board.board import Board
from battlesim.core.answers import Answer, Confirm, Order, TargetUnit
from battlesim.core.items import Ask, Item
from battlesim.core.state import State, Unit
from battlesim.rulesets.regiment import (
    casualties,
    charge,
    engines,
    estimates,
    expected_engines,
    fight,
    fire,
    ground,
    rooms,
    targets,
)
from battlesim.rulesets.regiment.estimates import Outcome
from battlesim.rulesets.regiment.expected import Toll
from battlesim.rulesets.regiment.model import SHOOT, type_of, unit_state
from battlesim.rulesets.regiment.ruleset import RULESET
from tests.expectations import Case, Exact, Numbers, endings
from tests.rulesets.regiment.grounds import field
from tests.rulesets.regiment.kit import Table

SAMPLES = 3_000
MOST = 6_000
"""Branches that are enumerated; with more, SAMPLES endings are rolled."""
Measure = Callable[[State], float]
FOES = ("levy", "swordsmen", "axemen", "zealots", "knights", "ogres", "trolls", "giant", "chariot", "cannon")


@cache
def battlefield() -> Board:
    """A brick house, a wooden hut, a row of two rooms one of which is brittle, a tower with an upper floor, a hall for ogres, a
    wall and a wood, on a field of 60 by 48 inches; g<column>.<row> as in `grounds`."""
    window = (
        "openings: [{kind: door, side: south, at: 0.5}, {kind: window, floors: all, side: north, count: 1}]"
    )
    return field(
        f"""
terrain:
  - {{kind: woods, polygon: [[45, 0], [54, 0], [54, 9], [45, 9]]}}
  - {{kind: wall, line: [[39, 30], [39, 42]]}}
buildings:
  - {{name: house, material: brick, rect: [12, 12, 18, 18], {window}}}
  - {{name: hut, material: wood, rect: [27, 12, 33, 18], own: {{garrison: {{unstable: true}}}}, {window}}}
  - {{name: tower, material: stone, rect: [12, 27, 18, 33], floors: 4, {window}}}
  - {{name: hall, material: stone, rect: [27, 27, 33, 33], own: {{garrison: {{roomy: true}}}}, {window}}}
  - name: row
    connections: all
    sections:
      - {{name: r1, rect: [42, 15, 48, 21], {window}}}
      - {{name: r2, rect: [48, 15, 54, 21], own: {{garrison: {{unstable: true}}}}, {window}}}
""",
        (60, 48),
    )


# ---- both sides of a comparison ------------------------------------------------------------------------------------------


def policy(state: State, board: Board, ask: Ask, legal: Sequence[Answer]) -> Answer:
    """Units stand and shoot, pursue and follow in wherever they may; anything else gets the first legal answer."""
    for wish in (Confirm(True), Order("stand")):
        if wish in legal:
            return wish
    return legal[0]


def measures(table: Table, place: int) -> dict[str, Measure]:
    """Of each unit the wounds it has lost in models, the chances that it is gone and that it flees; of a room that it has become
    unstable."""
    found: dict[str, Measure] = {}
    for number, one in table.state.units.items():
        found[f"models {number}"] = partial(_lost, one)
        found[f"gone {number}"] = partial(_gone, one)
        found[f"flees {number}"] = partial(_flees, one)
    if place >= 0:
        found["unstable"] = partial(_unstable, table.board, place)
    return found


def _lost(one: Unit, after: State) -> float:
    now = after.units[one.id]
    left = casualties.wounds_left(now) if now.alive else 0
    return (casualties.wounds_left(one) - left) / type_of(one).w


def _gone(one: Unit, after: State) -> float:
    return not after.units[one.id].alive


def _flees(one: Unit, after: State) -> float:
    now = after.units[one.id]
    return now.alive and unit_state(now).fleeing and not unit_state(one).fleeing


def _unstable(board: Board, place: int, after: State) -> float:
    room = rooms.room_at(board, place)
    assert room is not None
    return rooms.is_unstable(after, room)


def measured(table: Table, place: int, *work: Item) -> Exact:
    """The means of what work comes to: exact ones, where there are not too many outcomes."""
    after, samples = endings(
        table.state, table.board, RULESET, *work, answer=policy, samples=SAMPLES, most=MOST
    )
    means, errors = Numbers(), Numbers()
    for name, measure in measures(table, place).items():
        values = [(float(ending.chance), float(measure(ending.state))) for ending in after]
        mean = means[name] = sum(p * x for p, x in values)
        if samples:
            errors[name] = sqrt(sum(p * (x - mean) ** 2 for p, x in values) / samples)
    return Exact(means, errors)


def told(table: Table, outcome: Outcome, place: int) -> Numbers:
    """The same as the estimates say."""
    found = Numbers()
    tolls = {one.id: toll for one, toll in outcome.tolls}
    for number, one in table.state.units.items():
        toll = tolls.get(number, Toll())
        found[f"models {number}"] = toll.wounds / type_of(one).w
        found[f"gone {number}"] = toll.gone
        found[f"flees {number}"] = toll.flees
    if place >= 0:
        found["unstable"] = outcome.unstable if outcome.place == place else 0.0
    return found


# ---- kinds of act --------------------------------------------------------------------------------------------------------


def volley(group: str, *units: dict[str, Any], **table: Any) -> Case | None:
    """Unit 0 shoots at unit 1. None where it may not."""
    begun = Table(battlefield(), *units, phase=SHOOT, **table)
    shooter, target = begun.unit(0), begun.unit(1)
    if target.id not in targets.shooting_targets(begun.state, begun.board, shooter):
        return None
    weapon = targets.weapon_of(shooter)
    assert weapon is not None
    room = ground.room_of(begun.board, target)
    place = room.place if room is not None and not rooms.is_unstable(begun.state, room) else -1

    def expected() -> Numbers:
        act = estimates.volley if weapon.way == "shot" else expected_engines.engine
        return told(begun, act(begun.state, begun.board, shooter, target), place)

    def exact() -> Exact:
        work = fire.Volley(0, 1) if weapon.way == "shot" else engines.Fire(0, 1)
        return measured(begun, place, work)

    return Case(group, _name(begun), expected, exact)


def clash(group: str, *units: dict[str, Any], **table: Any) -> Case | None:
    """Unit 0 charges unit 1 and the round is fought. None where it cannot."""
    begun = Table(battlefield(), *units, **table)
    one, foe = begun.unit(0), begun.unit(1)
    inside = not ground.outdoors(begun.board, one.place)
    if foe.id not in charge.charge_targets(begun.state, begun.board, one):
        return None
    found = (0, one.place, 0) if inside else charge.route(begun.state, begun.board, one, foe)
    assert found is not None
    _, place, arc = found

    def expected() -> Numbers:
        it = estimates.charge(begun.state, begun.board, one, foe, place, arc)
        outcome = Outcome(estimates.tolls_of(begun.state, one, foe, it))
        return told(begun, outcome, -1)

    def exact() -> Exact:
        made = Table(battlefield(), *units, **table)
        RULESET.answer(made.r, charge.ChargeWhom(0, side=one.side), TargetUnit(1))
        made.state.stack = (fight.Fight((0, 1)), *made.state.stack)
        return measured(made, -1)

    return Case(group, _name(begun), expected, exact)


def _name(table: Table) -> str:
    """The units of a situation in words."""
    words = []
    for number, one in table.state.units.items():
        mine = unit_state(one)
        more = [f"{one.models}", f"files {mine.files}", f"facing {one.facing}"]
        more += [f"with {mine.joined}"] if mine.joined >= 0 else []
        more += [f"{name} {value}" for name in ("wounds", "shot", "moved") if (value := getattr(mine, name))]
        words.append(f"{one.kind} ({', '.join(more)}) at {table.where(number)}")
    shaken = [f"section {n} shaken" for n in table.state.structures]
    return "; ".join([*words, *shaken])
