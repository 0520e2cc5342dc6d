"""Making views: the battle without the units that are hidden from a side. Read `view_of`.

Each rulebook decides which units are hidden and what a side learns of an event.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from types import MappingProxyType
from typing import Any

from msgspec.structs import replace

from battlesim.board.board import Board
from battlesim.core.dice import Dice
from battlesim.core.events import Event
from battlesim.core.items import Entry, Item
from battlesim.core.state import NONE, State, Unit
from battlesim.core.view import View, Visibility, state_of, strengths, uncaused
from battlesim.rules.hidden import NOTHING, Known
from battlesim.rules.victory import known_goals

Seen = Mapping[type[Item], Callable[[Any], Item | None]]
"""By type of step or ask: what a side sees of one that is about an enemy unit, None for nothing. All others are open."""
NOTHING_SECRET: Seen = MappingProxyType({})
"""Every step and ask about an enemy that the side knows of is open."""
ALL_OPEN = Visibility()
"""For rulebooks that hide nothing: a side hears of every event but the enemy's questions and answers."""


def view_of(
    ruleset: str,
    state: State,
    side: int,
    news: tuple[Event, ...],
    hidden: Collection[int] = NONE,
    extra: Any = None,
    of_enemies: Seen = NOTHING_SECRET,
) -> View:
    """The battle as a side knows it.

    Args:
        news: events in the form that the side receives.
        hidden: units unknown to the side. They are left out, and so are objectives, steps, asks and entries of the agenda
            about them.
        extra: the record of the battle as the side may know it; None: it may know all of it.
        of_enemies: what it sees of steps and asks about enemies that it knows of.

    Entries of the agenda get new numbers, since gaps would reveal how many are left out.
    """
    known = state.extra if extra is None else extra
    units, stack, agenda = state.units, state.stack, state.agenda
    if hidden:
        units = {number: unit for number, unit in units.items() if number not in hidden}
        goals = known_goals(known.objectives, units)
        if goals is not known.objectives:
            known = replace(known, objectives=goals)
        stack = tuple([item for item in stack if getattr(item, "unit", -1) not in hidden])
        agenda = tuple([entry for entry in agenda if getattr(entry.step, "unit", -1) not in hidden])
    return View(
        ruleset=ruleset,
        side=side,
        turn=state.turn,
        now=state.now,
        number=state.questions[side],
        units=units if hidden else units.copy(),
        structures=state.structures.copy(),
        points=state.points,
        extra=known,
        stack=_in_hand(stack, side, units, of_enemies),
        agenda=tuple([Entry(e.time, e.priority, number, e.step) for number, e in enumerate(agenda)]),
        news=news,
        forces=strengths(state.units),
    )


def _in_hand(
    stack: tuple[Item, ...], side: int, units: Mapping[int, Unit], of_enemies: Seen
) -> tuple[Item, ...]:
    """The stack as a side may see it."""
    shown: list[Item] = []
    for item in stack:
        see = of_enemies.get(type(item))
        if see is not None and units[item.unit].side != side:  # type: ignore[attr-defined]
            seen = see(item)
            if seen is None:
                continue
            item = seen
        shown.append(item if item.cause < 0 else uncaused(item))
    return tuple(shown)


def imagine_open(view: View, board: Board, dice: Dice, known: Known = NOTHING) -> State:
    """The state of a view in which nothing is hidden. The dice and what else is known are not used; rulebooks that must guess
    need them."""
    return state_of(view, view.units.copy())


def with_imagined(view: View, made: dict[int, Unit]) -> State:
    """The state of a view, with the units `made` up for those that it does not show. Units are in the order of their numbers,
    as in a real state."""
    return state_of(view, dict(sorted((view.units | made).items())))
