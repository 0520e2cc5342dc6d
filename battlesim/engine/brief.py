"""What an agent is told before the first question, besides the board: the open part of the scenario, and its limits.

Read `Brief`. An agent gets it as the argument `brief` of `start`, if its `start` has one of that name.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from battlesim.board.board import Board
from battlesim.core.view import View
from battlesim.engine.agent import Agent, Chance
from battlesim.engine.budget import Allowance, Budget
from battlesim.rules.scenario import Objective, Scenario, Zone


class Brief(Struct, frozen=True, kw_only=True):
    """What both players of a scenario are told, and the side's own limits.

    title, text: the scenario's title and briefing. ruleset: the rulebook's name. sides: the names of both sides. turns: length of
    the battle; extra_turn: whether one more may follow. margin: the lead in points needed to win (some rulebooks require more).
    zones: where each side may set up. forces: the types of the units on each side's list, sorted, including reserves; lists are
    open, but not which unit is which. objectives: those known to this side. seconds: time for one answer, 0 for no limit.
    budget: what may be imagined at one question. It can be read, and given to `compare`, but not changed.
    """

    title: str = ""
    text: str = ""
    ruleset: str
    sides: tuple[str, str] = ("", "")
    turns: int = 0
    extra_turn: bool = False
    margin: int = 0
    zones: tuple[tuple[Zone, ...], tuple[Zone, ...]] = ((), ())
    forces: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    objectives: tuple[Objective, ...] = ()
    seconds: float = 0.0
    budget: Budget


def brief_of(view: View, scenario: Scenario | None, seconds: float, budget: Budget) -> Brief:
    """The brief of a view's side. If no scenario is known, only what the view shows."""
    known = view.extra
    brief = Brief(
        ruleset=view.ruleset,
        turns=getattr(known, "turns", 0),
        extra_turn=bool(getattr(known, "extra_turn", False)),
        margin=getattr(known, "margin", 0),
        objectives=tuple(getattr(known, "objectives", ())),
        seconds=seconds,
        budget=Allowance(budget),
    )
    if scenario is None:
        return brief
    one, two = scenario.sides
    return replace(
        brief,
        title=scenario.title,
        text=scenario.briefing,
        sides=(one.name, two.name),
        zones=(one.zones, two.zones),
        forces=(_types_of(scenario, 0), _types_of(scenario, 1)),
    )


def _types_of(scenario: Scenario, side: int) -> tuple[str, ...]:
    return tuple(sorted(force.type for force in scenario.forces if force.side == side))


def start_agent(agent: Agent, board: Board, side: int, chance: Chance, brief: Brief) -> None:
    """Start an agent, with its brief if it takes one."""
    start: Callable[..., None] = agent.start
    if _takes_brief(start):
        start(board, side, chance, brief=brief)
    else:
        start(board, side, chance)


def _takes_brief(start: Callable[..., None]) -> bool:
    """Whether a function has a parameter named `brief`."""
    try:
        return "brief" in inspect.signature(start).parameters
    except (TypeError, ValueError):
        return False
