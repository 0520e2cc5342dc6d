"""What one side may know of a battle. An agent sees a `View` and the legal answers, nothing else."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from battlesim.core.events import Asked, Event, Observer
from battlesim.core.items import Ask, Entry, Item
from battlesim.core.state import State, Structure, Unit, standing_at

Caused = TypeVar("Caused", Item, Event)
Rule = Callable[[Any, Observer], Event | None]
"""Takes an event and a side; returns the event with what the side may not know left out, or None if it receives nothing."""


class Visibility(dict[type[Event], Rule | None]):
    """By type of event, the rule for what a side receives of it; None if it receives the event as it is.

    `rules`: a ruleset's rules for dice and changes, whose classes all rulesets share. For every other type the class's own
    `heard` is the rule. `idle`: rules that leave every event as it is while no unit is hidden.
    """

    def __init__(self, rules: Mapping[type[Event], Rule] = {}, idle: Collection[Rule] = ()) -> None:
        super().__init__(rules)
        self._idle = (Event.heard, *idle)

    def __missing__(self, kind: type[Event]) -> Rule | None:
        self[kind] = rule = None if kind.heard in self._idle else kind.heard
        return rule

    def of(self, event: Event, by: Observer) -> Event | None:
        """An event in the form that a side receives; None if it does not receive it."""
        rule = self[type(event)]
        return event if rule is None else rule(event, by)


def visible_events(events: Iterable[Event], by: Observer, hearing: Visibility) -> tuple[Event, ...]:
    """The events that a side receives, in the form it receives."""
    heard: list[Event] = []
    for event in events:
        rule = hearing[type(event)]
        known = event if rule is None else rule(event, by)
        if known is not None:
            heard.append(known)
    return without_causes(heard)


def without_causes(events: Iterable[Event]) -> tuple[Event, ...]:
    """Events without the numbers of their causes: those would reveal how many events a side did not receive."""
    result: list[Event] = []
    for event in events:
        if type(event) is Asked:  # its question has a cause of its own
            event = replace(event, ask=uncaused(event.ask), cause=-1)
        result.append(event if event.cause < 0 else replace(event, cause=-1))
    return tuple(result)


def uncaused(item: Caused) -> Caused:
    """An event, step or ask without the number of the event that caused it."""
    return item if item.cause < 0 else replace(item, cause=-1)


class View(Struct):
    """The battle as one side knows it when it is asked.

    `units` and `structures` are copies, which an agent may keep; changing them changes nothing. `stack`: the steps and asks
    that the side may know, the question last. `agenda`: the entries that it may know. `news`: events since its last question.
    `number`: counts the side's own questions from 0. `forces`: how many units each side began with, including dead and unseen
    ones; like army lists, these are open. Nothing else in a view counts what the side was not told.
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
    """How many units each side has, dead ones included."""
    second = sum([unit.side for unit in units.values()])
    return (len(units) - second, second)


def unseen(view: View) -> list[int]:
    """The numbers of the units that a view does not show; all of them are the enemy's."""
    return [number for number in range(sum(view.forces)) if number not in view.units]


def state_of(view: View, units: dict[int, Unit]) -> State:
    """The state that a view shows, with `units` in it. A side plays on from it when it thinks ahead."""
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


def known_state(view: View) -> State:
    """What a side knows, as a state for lookups. To play on, use `state_of`, which has the agenda too."""
    return State(
        view.units,
        view.structures,
        view.extra,
        turn=view.turn,
        points=view.points,
        at=standing_at(view.units),
    )
