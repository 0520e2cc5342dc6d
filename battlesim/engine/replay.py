"""Replay: going through a record without rules or dice. Read `replay`."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from battlesim.core.apply import apply
from battlesim.core.codec import plain_state, position
from battlesim.core.errors import Fault, InputError, RuleError
from battlesim.core.events import TurnEnded
from battlesim.core.state import State
from battlesim.engine.header import Header
from battlesim.engine.record import Record
from battlesim.engine.record_file import REMEDY


def initial_state(header: Header) -> State:
    """The state that a battle began with, the ruleset's own records in it as plain dicts."""
    return plain_state(msgspec.json.decode(header.start))


def replay(record: Record) -> Iterator[State]:
    """Yields the state at the end of each turn, checked against the hash in the record, and then the last state.

    The caller may keep the states. Their `own`, `extra` and steps are plain dicts.

        for state in replay(read_record("battle.jsonl.gz")):
            print(state.turn, state.points)

    Raises InputError if an event does not fit, or a position is not the recorded one.
    """
    state = initial_state(record.header)
    for number, event in enumerate(record.events):
        try:
            if isinstance(event, TurnEnded) and position(state) != event.position:
                raise RuleError(f"the position at the end of turn {event.turn} is not the recorded one")
            apply(state, event)
        except (LookupError, TypeError, AttributeError, ValueError, RuleError) as error:
            what = f"event {number} does not fit the events before it: {error}"
            raise InputError(Fault(what, REMEDY, record.path, number + 2)) from None
        if isinstance(event, TurnEnded):
            yield state.clone()
    yield state


def check(record: Record) -> None:
    """Raises InputError, as `replay` does, unless all events of a record fit one another."""
    for _ in replay(record):
        pass
