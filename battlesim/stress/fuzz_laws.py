"""The laws that `fuzz_checks.py` holds a single event or position to, and what of two battles must be the same. Read `demand`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from battlesim.core.errors import BattlesimError
from battlesim.core.events import Event, ModelsLost, Scored, TurnEnded
from battlesim.core.state import State, fallen_of, living_of, standing_at
from battlesim.engine.record import event_lines
from battlesim.rules.scenario import Scenario


class BrokenLaw(BattlesimError):
    """A law is broken. `law`: which, in a few words; `what`: the details."""

    def __init__(self, law: str, what: str) -> None:
        super().__init__(f"{law}: {what}")
        self.law, self.what = law, what


def demand(holds: bool, law: str, words: str = "", *told: object) -> None:
    """Raise BrokenLaw if something does not hold; `words` are formatted with `told`."""
    if not holds:
        raise BrokenLaw(law, words.format(*told))


# ---- after an event


def check_loss(state: State, event: ModelsLost) -> None:
    """A unit loses one or more models, all of them its own; lost and remaining models add up to what it had."""
    had = state.units[event.unit].models
    fits = event.lost > 0 <= event.left and event.lost + event.left == had
    demand(fits, "nobody loses models that it does not have", "{!r} of {}", event, had)


def check_position(state: State, event: Event) -> None:
    """The laws of a position after any event."""
    for unit in state.units.values():
        demand(unit.models >= 0, "no unit has fewer than no models", "{!r}", event)
        demand(unit.alive == (unit.models > 0), "who has models lives, who has none is dead", "{!r}", event)
        demand(unit.alive or unit.place < 0, "the dead are off the board", "{!r}", event)
    demand(state.alive == living_of(state.units), "`alive` holds the living", "{!r}", event)
    demand(state.at == standing_at(state.units), "`at` says where units are", "{!r}", event)
    demand(state.down == fallen_of(state.structures), "`down` holds what has fallen", "{!r}", event)
    times = [entry.time for entry in state.agenda]
    demand(times == sorted(times), "the agenda is in order of time", "{!r}", event)


def numbers_of(state: State) -> Iterator[tuple[str, list[int]]]:
    """The lists of numbered things: the agenda, and every list of the rulebook's own state whose entries have a `number`."""
    yield "agenda", [entry.serial for entry in state.agenda]
    for name in getattr(state.extra, "__struct_fields__", ()):
        value = getattr(state.extra, name)
        if isinstance(value, tuple) and value and hasattr(value[0], "number"):
            yield name, [one.number for one in value]


# ---- what is the same in two battles


def army(state: State, scenario: Scenario) -> list[tuple[Any, ...]]:
    """The units of a first state by name, and the start of those that have a place of their own."""
    return sorted(
        (
            unit.name,
            unit.side,
            unit.kind,
            unit.models,
            unit.place if scenario.forces[unit.id].place >= 0 else None,
        )
        for unit in state.units.values()
    )


def nameless(log: Sequence[Event]) -> list[bytes]:
    """Events as lines, without hashes of positions and reasons of points: both may contain names."""
    return event_lines(
        [
            replace(event, what="") if isinstance(event, Scored) else event
            for event in log
            if not isinstance(event, TurnEnded)
        ]
    )
