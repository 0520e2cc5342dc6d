"""What one side may know (law 7): agents see this and the legal answers, nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from battlesim.core.events import Asked, Event
from battlesim.core.items import Ask, Entry, Item
from battlesim.core.state import State, Structure, Unit, standing_at

Caused = TypeVar("Caused", Item, Event)


def told(
    events: Iterable[Event],
    see: Callable[[Event], Event | None] | None = None,
    kinds: frozenset[type[Event]] | None = None,
) -> tuple[Event, ...]:
    """Events as news of one side.

    `see` says what the side learns of an event (None: nothing); without it all is open. `kinds` are the types it has to look
    at, None for all. What comes out is a plain value: nothing in it leads back to the log, to the battle or to the other
    side. No event names its cause: causes are numbers of events, and would count those that were not heard.
    """
    found: list[Event] = []
    for event in events:
        kind = type(event)
        if see is not None and (kinds is None or kind in kinds):
            seen = see(event)
            if seen is None:
                continue
            event = seen
        if kind is Asked:  # its question has a cause of its own
            event = replace(event, ask=uncaused(event.ask), cause=-1)  # type: ignore[attr-defined]
        found.append(event if event.cause < 0 else replace(event, cause=-1))
    return tuple(found)


def uncaused(item: Caused) -> Caused:
    """An event or work in hand as a side may see it: without the number of the event that caused it."""
    return item if item.cause < 0 else replace(item, cause=-1)


class View(Struct):
    """The battle as one side knows it, when it is asked.

    `units` and `structures` are copies: an agent may keep them, and can change nothing by them. `stack`: the work in hand
    as the side may know it, the question last. `agenda`: the entries the side may know. `news`: events since its last
    question. `number` counts the side's own questions from 0. `forces`: how many units each side has in the battle, the dead
    and those that nobody has seen counted in: units are numbered by the scenario's forces, and so many are open, as army lists
    on a table are. Nothing else in a view counts what the side has not heard of.
    """

    ruleset: str
    side: int
    turn: int
    now: int
    number: int
    units: dict[int, Unit]
    structures: dict[int, Structure]
    points: tuple[int, int]
    extra: Any
    stack: tuple[Any, ...]
    agenda: tuple[Entry, ...]
    news: tuple[Event, ...]
    forces: tuple[int, int] = (0, 0)

    @property
    def ask(self) -> Ask:
        """The question being put."""
        ask: Ask = self.stack[-1]
        return ask


def strengths(units: dict[int, Unit]) -> tuple[int, int]:
    """How many units each side has in the battle, the dead counted in."""
    second = sum([unit.side for unit in units.values()])
    return (len(units) - second, second)


def unseen(view: View) -> list[int]:
    """The numbers of the enemy's units that a view does not show."""
    return [number for number in range(sum(view.forces)) if number not in view.units]


def state_of(view: View, units: dict[int, Unit]) -> State:
    """The state that a view shows, with `units` standing in it: what a side may think on."""
    asked = (view.number, 0) if view.side == 0 else (0, view.number)
    return State(
        units=units,
        structures=view.structures.copy(),
        extra=view.extra,
        stack=view.stack,
        agenda=view.agenda,
        turn=view.turn,
        now=view.now,
        serial=max((entry.serial for entry in view.agenda), default=-1) + 1,
        questions=asked,
        points=view.points,
        at=standing_at(units),
    )
