"""States as bytes: saved, loaded, hashed.

Field names are sorted and derived fields are left out. So a state and the plain one that a replay makes have the same bytes.
Read `dump_state` and `Codec.load`.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Any, Union

import msgspec

from battlesim.core.frozen import frozen_value
from battlesim.core.items import Entry, Item
from battlesim.core.state import DERIVED, Outcome, State, Structure, Unit, standing_at

_encoder = msgspec.json.Encoder(order="sorted")


def _saved(state: State) -> dict[str, Any]:
    fields = {name: getattr(state, name) for name in State.__struct_fields__ if name not in DERIVED}
    fields["units"] = list(state.units.values())
    fields["structures"] = [state.structures[key] for key in sorted(state.structures)]
    return fields


def dump_state(state: State) -> bytes:
    """A state as canonical JSON."""
    return _encoder.encode(_saved(state))


def position(state: State) -> str:
    """Hash of the position, 32 hexadecimal digits: all of the state but its stack and its counts of questions and events."""
    fields = _saved(state)
    for name in ("stack", "events", "questions"):
        del fields[name]
    return blake2b(_encoder.encode(fields), digest_size=16).hexdigest()


def key(state: State) -> bytes:
    """The state as a dictionary key, 16 bytes: two states with the same key go on alike under the same dice."""
    return blake2b(dump_state(state), digest_size=16).digest()


class Codec:
    """Loads states of one ruleset. `own` and `extra` are its records of a unit and of the battle, `items` its steps and asks."""

    def __init__(self, own: type, extra: type, items: tuple[type[Item], ...]) -> None:
        self.own, self.extra = own, extra
        self.items: Any = Union[items]  # noqa: UP007 - built at run time

    def load(self, data: bytes) -> State:
        """The state that `dump_state` wrote. For other bytes it raises msgspec.DecodeError, KeyError or ValueError."""
        return self.typed(msgspec.json.decode(data))

    def typed(self, fields: dict[str, Any]) -> State:
        """A state from its plain fields, as decoded JSON has them, with every record typed."""
        state = plain_state(fields)
        convert = msgspec.convert
        for unit in list(state.units.values()):
            state.units[unit.id] = msgspec.structs.replace(unit, own=convert(unit.own, self.own))
        state.extra = convert(state.extra, self.extra)
        state.stack = tuple(convert(item, self.items) for item in state.stack)
        state.agenda = tuple(
            Entry(e.time, e.priority, e.serial, convert(e.step, self.items)) for e in state.agenda
        )
        return state


class _PlainEntry(msgspec.Struct, frozen=True):
    time: int
    priority: int
    serial: int
    due: Any


def plain_state(fields: dict[str, Any]) -> State:
    """A state whose ruleset records are plain, unchangeable values (`FrozenDict`, tuples): a replay without rules works on it."""
    units = {u["id"]: msgspec.convert({**u, "own": frozen_value(u["own"])}, Unit) for u in fields["units"]}
    if unit := next((unit for unit in units.values() if unit.side not in (0, 1)), None):
        raise ValueError(f"unit {unit.id}: there is no side {unit.side}; sides are 0 and 1")
    agenda = [msgspec.convert(e, _PlainEntry) for e in fields["agenda"]]
    asked = fields["questions"]
    return State(
        units=units,
        structures={s["section"]: msgspec.convert(s, Structure) for s in fields["structures"]},
        extra=frozen_value(fields["extra"]),
        stack=frozen_value(fields["stack"]),
        agenda=tuple(Entry(e.time, e.priority, e.serial, frozen_value(e.due)) for e in agenda),
        turn=fields["turn"],
        now=fields["now"],
        serial=fields["serial"],
        events=fields["events"],
        questions=(asked, 0) if isinstance(asked, int) else tuple(asked),  # one count in older records
        points=tuple(fields["points"]),
        outcome=msgspec.convert(fields["outcome"], Outcome | None),
        at=standing_at(units),
    )
