"""Records: a battle on disk as JSON lines.

The first line is the header. Then comes one line for each event, questions and answers among them. The last line holds the
outcome and a digest of every byte before it; a record without it was cut. Files whose name ends in `.gz` are compressed. Read
`Recorder` for writing and `read_record` for reading. `replay.py` goes through a record without rules or dice; `verify.py` plays
it again under the rules.
"""

from __future__ import annotations

from codecs import getincrementaldecoder
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any, Union

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from battlesim.core.codec import plain_state
from battlesim.core.errors import Fault, InputError
from battlesim.core.events import CHANGES, CORE_FACTS, Asked, Ended, Event, Fact, Scheduled
from battlesim.core.frozen import FrozenDict, frozen, frozen_value
from battlesim.core.items import Entry
from battlesim.core.state import Outcome
from battlesim.engine.header import LOADED_FORMAT, READ, Header
from battlesim.engine.record_check import Numbers, check_start, misfit
from battlesim.engine.record_file import REMEDY, read_bytes

_encoder = msgspec.json.Encoder(order="deterministic")
encode = _encoder.encode
"""A part of a record as the bytes in the file."""


# ---- what a record holds -------------------------------------------------------------------------------------------


class _End(Struct, frozen=True):
    outcome: Outcome
    digest: str


class _LastLine(Struct, frozen=True):
    end: _End


class PlainFact(Fact, frozen=True, kw_only=True):
    """A fact of a ruleset as plain data: `name` is its type, `fields` are the rest."""

    name: str
    fields: FrozenDict


class Record(Struct, frozen=True):
    """A record that was read and found complete. `lines[n]` is event n as in the file; `path` is for messages."""

    path: str
    header: Header
    events: tuple[Event, ...]
    lines: tuple[bytes, ...]
    outcome: Outcome
    digest: str

    def __repr__(self) -> str:
        return f"read_record({self.path!r})"


# ---- writing ---------------------------------------------------------------------------------------------------------


class Recorder:
    """A record being made. Call `take` with the log as it grows: events become bytes at once, so later changes to them do not
    count."""

    def __init__(self, header: Header) -> None:
        self._parts = [_encoder.encode(header) + b"\n"]
        self._hash = blake2b(self._parts[0], digest_size=16)
        self._taken = 0

    def take(self, log: Sequence[Event]) -> None:
        """Add the events that are new in a battle's log; `log` is the whole log."""
        new = _encoder.encode_lines(log[self._taken :])
        self._taken = len(log)
        self._hash.update(new)
        self._parts.append(new)

    @property
    def digest(self) -> str:
        """Digest of every byte so far: the record's hash once the battle is over."""
        return self._hash.hexdigest()

    def data(self, outcome: Outcome) -> bytes:
        """The whole record, last line included."""
        last = _encoder.encode(_LastLine(_End(outcome, self.digest)))
        return b"".join((*self._parts, last, b"\n"))


def record_bytes(header: Header, events: Sequence[Event], outcome: Outcome) -> bytes:
    """A whole record as bytes."""
    recorder = Recorder(header)
    recorder.take(events)
    return recorder.data(outcome)


def event_lines(events: Iterable[Event]) -> list[bytes]:
    """Events as their lines in a record, without the line ends."""
    return [_encoder.encode(event) for event in events]


# ---- reading ---------------------------------------------------------------------------------------------------------


class _PlainEntry(Struct, frozen=True, forbid_unknown_fields=True):
    time: int
    priority: int
    serial: int
    due: Any


class _PlainScheduled(Event, frozen=True, kw_only=True, tag="Scheduled"):
    """A `Scheduled` whose step, a record of the ruleset, is left as plain data."""

    entry: _PlainEntry


_KNOWN: dict[str, type[Event]] = {kind.__name__: kind for kind in (*CORE_FACTS, *CHANGES)}
_KNOWN["Scheduled"] = _PlainScheduled
_event_decoder: msgspec.json.Decoder[Event] = msgspec.json.Decoder(Union[tuple(_KNOWN.values())])  # noqa: UP007
_header_decoder = msgspec.json.Decoder(Header)
_last_decoder = msgspec.json.Decoder(_LastLine)


def decode_event(line: bytes) -> Event:
    """One event of a record. Raises msgspec.DecodeError or ValueError where the line is not an event."""
    try:
        return _event_of(line)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def _event_of(line: bytes) -> Event:
    try:
        event = _event_decoder.decode(line)
    except msgspec.ValidationError:
        fields = msgspec.json.decode(line)
        if not isinstance(fields, dict) or not isinstance(fields.get("event"), str):
            raise
        name = fields.pop("event")
        if name in _KNOWN:
            raise
        clauses = msgspec.convert(fields.pop("clauses", ()), tuple[str, ...])
        cause = msgspec.convert(fields.pop("cause", -1), int)
        return PlainFact(name=name, fields=frozen(fields), clauses=clauses, cause=cause)
    if isinstance(event, _PlainScheduled):
        entry = event.entry
        plain = Entry(entry.time, entry.priority, entry.serial, frozen_value(entry.due))
        return Scheduled(plain, clauses=event.clauses, cause=event.cause)
    if isinstance(event, Asked):
        return replace(event, ask=frozen_value(event.ask))
    return event


def read_record(path: str | Path) -> Record:
    """Read a record and check that it is whole. Raises InputError, with file and line, if it is missing, of another
    format, cut, or altered by as much as a byte."""
    return parse_record(read_bytes(path), str(path))


def parse_record(data: bytes, name: str) -> Record:
    """The record in the bytes of a file called `name`; raises InputError as `read_record` does."""

    def fault(what: str, line: int, remedy: str = REMEDY) -> InputError:
        return InputError(Fault(what, remedy, name, line))

    if not data.strip():
        raise fault("the record is empty", 1)
    body, *_ = data.partition(b"\n")
    header = read_header(body, name)
    lines = data.split(b"\n")
    count = len(lines) - 1
    if lines.pop():
        raise fault("the record is cut in the middle of its last line", count + 1)
    try:
        last = _last_decoder.decode(lines[-1]).end
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        cut = "the record is cut: its last line holds no outcome and digest"
        raise fault(cut, count) from None
    found = blake2b(data[: len(data) - len(lines[-1]) - 1], digest_size=16).hexdigest()
    if found != last.digest:
        line = next((n for n, text in enumerate(lines, 1) if not _is_event(text) and 1 < n < count), count)
        what = f"the record was altered: its bytes have the digest {found}, its last line says {last.digest}"
        raise fault(what, line)
    events: list[Event] = []
    for number, text in enumerate(lines[1:-1], 2):
        try:
            events.append(decode_event(text))
        except (msgspec.DecodeError, ValueError) as error:
            raise fault(f"not an event: {error}", number) from None
    if wrong := misfit(events, _numbers(header)):
        raise fault(f"event {wrong[0]} cannot be: {wrong[1]}", wrong[0] + 2)
    closing = events[-1] if events else None
    if not isinstance(closing, Ended) or closing.outcome != last.outcome:
        raise fault(f"the record was altered: its last event is not the outcome {last.outcome}", count)
    if lines[-1] != _encoder.encode(_LastLine(last)):
        raise fault("the record was altered: its last line is not as it is written", count)
    return Record(name, header, tuple(events), tuple(lines[1:-1]), last.outcome, last.digest)


def _numbers(header: Header) -> Numbers:
    """The numbers of units, places and sections in a battle."""
    units = [unit["id"] for unit in msgspec.json.decode(header.start)["units"]]
    return Numbers(units, len(header.places), len(header.sections))


def _is_event(line: bytes) -> bool:
    try:
        decode_event(line)
    except (msgspec.DecodeError, ValueError):
        return False
    return True


def _text(start: bytes) -> str:
    """The first bytes of a line as text; empty if they are none."""
    try:
        text = getincrementaldecoder("utf-8")().decode(start)  # the last letter may be cut
    except UnicodeDecodeError:
        return ""
    return text if text.rstrip("\r\n").isprintable() else ""


def read_header(line: bytes, name: str, kind: str = "record", remedy: str = REMEDY) -> Header:
    """The header in the first line of a file called `name`, a record or another `kind` of file with a `remedy`. Raises InputError
    if there is none, or it is damaged or altered."""
    if not line.strip():
        raise InputError(Fault(f"not a {kind}: the first line is empty", remedy, name, 1))
    try:
        fields = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        fields = None
    if fields is None and line.startswith(b'{"record":"battlesim"'):
        raise InputError(Fault(f"the {kind} is cut or damaged in its first line", remedy, name, 1))
    if not isinstance(fields, dict) or fields.get("record") != "battlesim":
        other = (
            "name a record, as 'battlesim play SCENARIO --record FILE' writes it"
            if remedy == REMEDY
            else remedy
        )
        told = f"is {shown!r}" if (shown := _text(line[:60])) else "is not text"
        raise InputError(Fault(f"not a {kind}: the first line {told}", other, name, 1))
    if fields.get("format") not in READ:
        what = f"a {kind} of format {fields.get('format')!r}"
        raise InputError(Fault(what, f"this version reads formats {READ[0]} to {READ[-1]}", name, 1))
    try:
        header = _header_decoder.decode(line)
        check_start(plain_state(msgspec.json.decode(header.start)), _numbers(header))
    except (msgspec.DecodeError, ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise InputError(Fault(f"the header is damaged: {error}", remedy, name, 1)) from None
    for what, named in (("map", header.map), ("scenario", header.scenario)):
        if (named.says is msgspec.UNSET) != (header.format == 1):
            told = f"the header is damaged: it does not hold what its {what} says"
            if header.format == 1:
                told = f"the header is damaged: format 1 does not hold what its {what} says"
            raise InputError(Fault(told, remedy, name, 1))
    if bool(header.loaded_rolls) != (header.format == LOADED_FORMAT):
        what = f"the header is damaged: a record of format {LOADED_FORMAT}, and no other, lists loaded rolls"
        raise InputError(Fault(what, remedy, name, 1))
    # A key left out would be read as its default, one given twice as either. A battle writes each key once, in one order.
    written = _encoder.encode(header)
    if written != line if header.format > 1 else msgspec.json.decode(written) != fields:
        raise InputError(Fault("the header was altered: it is not as it is written", remedy, name, 1))
    return header
