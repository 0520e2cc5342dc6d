"""From a scenario to the first state (SH-SCEN-1, SH-HOUSE-UNITS, SH-FALL-4).

What the rules forbid in a scenario is in `check.py`. Read `setup`.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from battlesim.board.board import Board
from battlesim.core.dice import Dice
from battlesim.core.state import State, Unit
from battlesim.rules.activation import Alternate
from battlesim.rules.contract import Chapter
from battlesim.rules.deployment import first_state, marked_sections, starting_places
from battlesim.rules.options import read_options, sections_named
from battlesim.rules.scenario import Force, Objective, Scenario
from battlesim.rulesets.squadhex import victory
from battlesim.rulesets.squadhex.data import TYPES
from battlesim.rulesets.squadhex.deployment import DEPLOYMENT
from battlesim.rulesets.squadhex.ground import is_dense
from battlesim.rulesets.squadhex.model import BattleState, UnitState
from battlesim.rulesets.squadhex.turn import ROUND_PRIORITY, RoundStart

MOST_ACTIONS = 6
"""The most actions of a side in a row that a scenario may ask for."""


class Options(Struct, frozen=True):
    """A scenario's options. `destructible`: whether dense-urban buildings may be destroyed, or which of them. `scoring`: whether
    held objectives score at the end or in each round. `actions`: how many a side takes in a row. `first`: the side that begins,
    "" for the scenario's first. `fall_cover`: cover helps units in a building that falls."""

    destructible: bool | tuple[str, ...] = False
    scoring: Literal["end", "rounds"] = "end"
    actions: Annotated[int, Meta(ge=1, le=MOST_ACTIONS)] = 3
    first: str = ""
    fall_cover: bool = False


def destructible(scenario: Scenario) -> tuple[int, ...]:
    """The sections that may be destroyed: those of all dense-urban buildings, or those that the scenario names (SH-SCEN-1)."""
    board, wanted = scenario.board, read_options(scenario.options, Options, "squadhex")[0].destructible
    if isinstance(wanted, bool):
        return tuple(section.id for section in board.sections if wanted and is_dense(board, section.id))
    return tuple(sorted({section for name in wanted for section in sections_named(board, name)}))


def setup(scenario: Scenario, board: Board, dice: Dice) -> State:
    """The first state; units have the numbers of `scenario.forces`. The dice only choose places in zones: they are those of the
    scenario's variation, never the battle's."""
    where = starting_places(scenario, DEPLOYMENT, dice)
    options, _ = read_options(scenario.options, Options, "squadhex")
    sides = [side.name for side in scenario.sides]
    first = sides.index(options.first) if options.first else 0
    goals = tuple(_with_ruins(board, goal) for goal in scenario.objectives)
    extra = BattleState(
        play=Alternate(first, options.actions),
        first=first,
        turns=scenario.turns,
        margin=scenario.margin,
        objectives=goals,
        each_round=options.scoring == "rounds",
        destructible=destructible(scenario),
        fall_cover=options.fall_cover,
    )
    units = {number: _unit(number, force, where[number]) for number, force in enumerate(scenario.forces)}
    state = first_state(units, marked_sections(scenario), extra, [(0, ROUND_PRIORITY, RoundStart())])
    held = victory.holders(state, goals, (-1,) * len(goals))
    return replace(state, extra=replace(extra, held=held))


def _with_ruins(board: Board, goal: Objective) -> Objective:
    """An objective with the ruins under its floors, so that it remains one when they fall (SH-FALL-4)."""
    ruins = (
        board.sections[board.spaces[p].section].ruin for p in goal.places if board.spaces[p].kind == "floor"
    )
    return replace(goal, places=tuple(sorted({*goal.places, *ruins})))


def _unit(number: int, force: Force, place: int) -> Unit:
    kind = TYPES[force.type]
    models = force.models or kind.strength
    own = UnitState(full=kind.strength, shots=kind.shots or -1)
    return Unit(number, force.side, force.name, force.type, place, models, own=own)


CHAPTER = Chapter(owns=("SH-HOUSE-UNITS",))
