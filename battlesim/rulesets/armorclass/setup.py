"""From a scenario to the first state. Read `setup`; what the rules forbid of a scenario stands in `check.py`.

Units have the numbers of `scenario.forces`.
"""

from __future__ import annotations

from collections.abc import Sequence

from battlesim.board.board import Board
from battlesim.core.dice import Dice
from battlesim.core.geometry import facing_towards
from battlesim.core.items import TURN, Entry, Step
from battlesim.core.state import State, Structure, Unit, standing_at
from battlesim.rules.forces import Force, Goal, Scenario
from battlesim.rulesets.armorclass import deploy
from battlesim.rulesets.armorclass.data import FLAMMABLE_WALLS, MILITARY, QUALITIES, TYPES, WALLS
from battlesim.rulesets.armorclass.model import Extra, Fieldwork, Own
from battlesim.rulesets.armorclass.options import FIELDWORKS, kept, read_options, sections_named


def setup(scenario: Scenario, board: Board, dice: Dice) -> State:
    """The first state. The dice are those of the scenario's variation, never the battle's: they only fill the zones."""
    from battlesim.rulesets.armorclass.turn import TURN_PRIORITY, TurnStart

    def lots(purpose: str, side: int, n: int) -> Sequence[int]:
        return [number for _, number in dice.ranking(0, side, purpose, n) if number < n]

    where, wanted = deploy.fill_zones(scenario, lots), deploy.fill_zones(scenario, deploy.in_order)
    if len(where) < len(wanted):
        where = wanted
    units = {
        n: _unit(scenario, n, force, where.get(n, force.place)) for n, force in enumerate(scenario.forces)
    }
    work: list[tuple[int, int, Step]] = [
        (0, deploy.SETUP_PRIORITY, deploy.SetUp()),
        (0, TURN_PRIORITY, TurnStart()),
    ]
    for number, force in enumerate(scenario.forces):
        if force.reserve:
            arrives = deploy.arrival(scenario, number, force)
            work.append(((force.reserve - 1) * TURN, deploy.ARRIVE_PRIORITY, arrives))
    agenda = [Entry(time, priority, serial, step) for serial, (time, priority, step) in enumerate(work)]
    return State(
        units=units,
        structures=_structures(scenario),
        extra=_extra(scenario, board),
        agenda=tuple(sorted(agenda, key=lambda entry: entry.rank)),
        serial=len(agenda),
        at=standing_at(units),
    )


def _unit(scenario: Scenario, number: int, force: Force, place: int) -> Unit:
    kind = TYPES[force.type]
    models = force.models or kind.models
    cohesion = max(6, min(9, kind.cohesion + QUALITIES[force.quality or "regular"])) if kind.cohesion else 0
    facing = force.facing
    if facing < 0:
        front = _front(scenario, 1 - force.side)
        facing = facing_towards(scenario.board.spaces[place].point, front) if place >= 0 else 0
    own = Own(full=models, cohesion=cohesion, arrives=force.reserve)
    return Unit(number, force.side, force.name, force.type, place, models, True, facing, own)


def _front(scenario: Scenario, side: int) -> tuple[int, int]:
    """The middle of a side's zones, or of its units that have a place: where the enemy looks."""
    places = [place for zone in scenario.sides[side].zones for place in zone.spaces]
    places = places or [f.place for f in scenario.forces if f.side == side and f.place >= 0]
    return deploy.middle_of(scenario.board, places)


def _extra(scenario: Scenario, board: Board) -> Extra:
    spec = read_options(scenario)
    fieldworks = [
        Fieldwork(
            work.kind,
            board.by_name[name],
            WALLS.get(work.wall) or WALLS.get(FIELDWORKS[work.kind]) or MILITARY["emplacement"],
            WALLS.get(work.cover, 0),
            burns=work.wall in FLAMMABLE_WALLS,
            roof_burns=work.cover in FLAMMABLE_WALLS,
            points=work.points,
        )
        for work in spec.fieldworks
        for name in work.at
    ]
    names = [side.name for side in scenario.sides]
    goals = list(scenario.objectives)
    for keep in spec.keep:
        sections = tuple(s for name in keep.buildings for s in sections_named(board, name))
        title = keep.name or f"keep {', '.join(keep.buildings)}"
        goals.append(Goal("keep", title, keep.points, names.index(keep.side), sections=sections))
    return Extra(
        turns=scenario.turns,
        margin=scenario.margin
        - 1,  # a scenario says how far ahead one must be, the clause what must be passed
        options=kept(spec),
        objectives=tuple(goals),
        fieldworks=tuple(sorted(fieldworks, key=lambda work: work.place)),
    )


def _structures(scenario: Scenario) -> dict[int, Structure]:
    """Sections that begin closed or on fire."""
    found: dict[int, Structure] = {}
    for section in scenario.board.sections:
        closed, burning = scenario.is_closed(section.id), scenario.is_burning(section.id)
        if (closed and not section.closed) or burning:
            found[section.id] = Structure(section.id, burning=burning, own={"closed": True} if closed else {})
    return found
