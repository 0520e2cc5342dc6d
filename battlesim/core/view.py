"""What one side may know (law 7): agents see this and the legal answers, nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar, overload

from msgspec import Struct
from msgspec.msgpack import Decoder, Encoder
from msgspec.structs import replace

from battlesim.core.events import Asked, Event, ExtraSet, StructureSet, UnitSet
from battlesim.core.items import Ask, Entry, Item
from battlesim.core.state import State, Structure, Unit, standing_at

AnyItem = TypeVar("AnyItem", bound=Item)


class News(Sequence[Event]):
    """What happened since a side's last question, as it may know it. The events are looked through when somebody reads them:
    most agents never do. `log[start:stop]` are the events, `see` what the side learns of each (None: nothing). Give a `stop`
    where the log may grow; news of news have none: the inner ones are looked through only when these are.
    """

    __slots__ = ("_log", "_see", "_start", "_stop", "_told")

    def __init__(
        self,
        log: Sequence[Event],
        start: int = 0,
        stop: int | None = None,
        see: Callable[[Event], Event | None] | None = None,
    ) -> None:
        self._log, self._start, self._stop, self._see = log, start, stop, see
        self._told: tuple[Event, ...] | None = None

    def _tell(self) -> tuple[Event, ...]:
        if self._told is None:
            events = self._log[self._start : self._stop]
            if self._see is not None:
                events = [seen for seen in map(self._see, events) if seen is not None]
            self._told = tuple(map(as_told, events))
        return self._told

    @overload
    def __getitem__(self, index: int) -> Event: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Event, ...]: ...
    def __getitem__(self, index: int | slice) -> Event | tuple[Event, ...]:
        return self._tell()[index]

    def __len__(self) -> int:
        return len(self._tell())

    def __iter__(self) -> Iterator[Event]:
        return iter(self._tell())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, News | tuple) and self._tell() == tuple(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"News({self._tell()!r})"


def _copied(value: Any) -> Any:
    """A plain value that shares nothing mutable with another."""
    if isinstance(value, dict):
        return {key: _copied(item) for key, item in value.items()}
    return [_copied(item) for item in value] if isinstance(value, list) else value


def as_told(event: Event) -> Event:
    """An event as news: its reader may do with it as he likes, the log keeps its own. Causes stay behind: they are numbers of
    events, and would count those that were not heard."""
    if isinstance(event, UnitSet | StructureSet):
        return replace(event, own=_copied(event.own), cause=-1)
    if isinstance(event, ExtraSet):
        return replace(event, extra=_copied(event.extra), cause=-1)
    if isinstance(event, Asked):
        return replace(event, ask=uncaused(event.ask), cause=-1)
    return event if event.cause < 0 else replace(event, cause=-1)


def uncaused(item: AnyItem) -> AnyItem:
    """Work in hand as a side may see it: without the number of the event that caused it, for the same reason."""
    return item if item.cause < 0 else replace(item, cause=-1)


def known_structures(structures: dict[int, Structure]) -> dict[int, Structure]:
    """Copies of structures for a view, to their last list: an agent can change nothing by them."""
    return _read(_write(structures))


_write = Encoder().encode
_read = Decoder(dict[int, Structure]).decode


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
    news: Sequence[Event]
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
