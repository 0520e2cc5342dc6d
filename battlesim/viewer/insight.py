"""What a replay alone cannot show about a battle: the chance to win, and what each side heard and knew. Read `insight_of`.

The recorded answers are given to the rules again, so this needs the rulebook, and a program with which the record still verifies.
A page can be made without it.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from battlesim.core.apply import apply
from battlesim.core.errors import InputError
from battlesim.core.events import (
    Answered,
    Asked,
    Cancelled,
    Change,
    Event,
    ExtraSet,
    ListChanged,
    Placed,
    Scheduled,
    Taken,
    TurnEnded,
)
from battlesim.core.state import State
from battlesim.engine.battle import Battle
from battlesim.engine.record import Record
from battlesim.evaluation.position import position_value
from battlesim.search.continuation import Continuation
from battlesim.viewer.story import Sentence, Story
from battlesim.viewer.wording import UNSEEN, without_untold

BOTH = 3
"""The mask of both sides: side 0 is 1, side 1 is 2."""
SWING = 0.08
"""A turning point moves the chance to win by at least this much."""
_BOOKKEEPING = (Asked, Answered, Scheduled, Taken, Cancelled, ListChanged, ExtraSet, TurnEnded)
"""Events that are not part of the story; no side need hear of them."""
_SILENT = Asked(side=-1, ask=None, legal=0)
"""An event without a sentence, in place of one that a side did not hear of."""


class Insight(Struct, frozen=True):
    """`chances`: (event, chance of the first side to win after it), at the end of each order. `known`: (event, unit, mask of the
    sides that know of the unit from then on), event -1 at the start; a unit that is not named is known to both. `told`: by side
    the sentences of the battle as it heard of it, by event; empty if it heard all. `thoughts`: by the event of an answer, what
    its agent thought, line by line. `note`: what is missing, and why."""

    chances: tuple[tuple[int, float], ...] = ()
    known: tuple[tuple[int, int, int], ...] = ()
    told: tuple[dict[int, list[Sentence]], dict[int, list[Sentence]]] = ({}, {})
    thoughts: dict[int, tuple[str, ...]] = {}
    note: str = ""


def insight_of(record: Record, scenario: str | None = None) -> Insight:
    """The insight into a record. If today's rules play it differently, or its rulebook is not installed, only a note."""
    try:
        going = Continuation(record, ("greedy", "greedy"), scenario)
        battle = deque(going.battles(), maxlen=1).pop()  # one battle, which goes on to its end
    except IndexError:
        return Insight(note="No question was asked in this battle.")
    except InputError as error:
        what = "No chances to win and no views of the sides: the record cannot be played again here"
        return Insight(note=f"{what} ({error.faults[0].what}).")
    state = battle.ruleset.codec.typed(json.loads(bytes(record.header.start)))
    return _looked_through(record, battle, state)


def _looked_through(record: Record, battle: Battle, state: State) -> Insight:
    ruleset, board = battle.ruleset, battle.board
    chances = [(-1, position_value(state, board, ruleset, 0))]
    masks = _masks(state, battle)
    known = [(-1, unit, mask) for unit, mask in masks.items() if mask != BOTH]
    heard: tuple[list[Event | None], list[Event | None]] = ([], [])
    since = [0, 0]  # by side: the first event that it has not heard of yet
    for number, event in enumerate(battle.log):
        if isinstance(event, Taken) and number:
            chances.append((number - 1, position_value(state, board, ruleset, 0)))
        apply(state, event)
        if isinstance(event, Asked):
            heard[event.side].extend(
                _heard(state, battle, event.side, battle.log[since[event.side] : number])
            )
            since[event.side] = number
        if isinstance(event, Change) and not isinstance(event, _BOOKKEEPING):
            now = _masks(state, battle)
            known += [(number, unit, mask) for unit, mask in now.items() if mask != masks.get(unit, BOTH)]
            masks = now
    for side in (0, 1):
        heard[side].extend(_heard(state, battle, side, battle.log[since[side] :]))
    chances.append((len(battle.log) - 1, position_value(state, board, ruleset, 0)))
    told = (_told(record, battle.log, heard[0]), _told(record, battle.log, heard[1]))
    return Insight(tuple(_moved(chances)), tuple(_lost(known, battle.log, heard)), told)


def _lost(
    known: Sequence[tuple[int, int, int]], log: Sequence[Event], heard: Sequence[Sequence[Event | None]]
) -> list[tuple[int, int, int]]:
    """What the sides know of units, without the moves that they did not hear of: a unit is lost from sight with such a move,
    though the rules take it from view only after that."""
    found = list(known)
    for side, news in enumerate(heard):
        for number, event in enumerate(log):
            if news[number] is not None or not isinstance(event, Placed):
                continue
            changes = [at for at, (_, unit, _) in enumerate(found) if unit == event.unit]
            mask = next((found[at][2] for at in reversed(changes) if found[at][0] <= number), BOTH)
            after = next((at for at in changes if found[at][0] > number), -1)
            if mask >> side & 1 and after >= 0:
                found[after] = (number, event.unit, found[after][2])
    return sorted(found)


def _masks(state: State, battle: Battle) -> dict[int, int]:
    """Which sides know of each unit."""
    found = dict.fromkeys(state.units, 0)
    for side in (0, 1):
        for unit in battle.ruleset.observe(state, battle.board, side, ()).units:
            found[unit] |= 1 << side
    return found


def _heard(state: State, battle: Battle, side: int, log: Sequence[Event]) -> list[Event | None]:
    """Events since a side's last question as the side hears of them, with their causes and clauses; None for each that it does
    not hear of. `state`: after them all, since what comes last may hide what came before, as at the side's next question."""
    facts = tuple(event for event in log if not isinstance(event, _BOOKKEEPING))
    news = battle.ruleset.observe(state, battle.board, side, facts).news
    if len(news) < len(facts):  # which are left out shows by leaving out one after the other
        rest = [
            battle.ruleset.observe(state, battle.board, side, facts[first:]).news
            for first in range(len(facts) + 1)
        ]
        told = [longer[0] if len(longer) > len(shorter) else None for longer, shorter in pairwise(rest)]
    else:
        told = list(news)
    known = iter(told)
    found: list[Event | None] = []
    for event in log:
        one = event if isinstance(event, _BOOKKEEPING) else next(known)
        found.append(replace(one, cause=event.cause, clauses=event.clauses) if one is not None else None)
    return found


def _told(record: Record, log: Sequence[Event], heard: Sequence[Event | None]) -> dict[int, list[Sentence]]:
    """The story as a side heard it, by event; empty if it heard every event unchanged."""
    if all(one is None or one == other for one, other in zip(heard, log, strict=True)) and None not in heard:
        return {}
    story = Story(record.header, UNSEEN)
    found: dict[int, list[Sentence]] = {}
    for event, known in zip(log, heard, strict=True):
        # A change happens whether it is heard of or not; a fact that is not heard of leaves no trace.
        fed = known if known is not None else event if isinstance(event, Change) else None
        for sentence in story.read(replace(_SILENT, cause=event.cause) if fed is None else fed):
            if known is not None or sentence.event < story.state.events - 1:
                found.setdefault(sentence.event, []).append(
                    sentence._replace(text=without_untold(sentence.text))
                )
    for sentence in story.close():
        found.setdefault(sentence.event, []).append(sentence)
    return found


def _moved(chances: Sequence[tuple[int, float]]) -> list[tuple[int, float]]:
    """The chances without those that did not change."""
    return [chances[0], *(new for old, new in pairwise(chances) if abs(new[1] - old[1]) > 1e-9)]


class TurningPoint(NamedTuple):
    """An order, or the events between two orders, that moved the chance of the first side to win. `event`: its last."""

    event: int
    before: float
    after: float


def turning_points(chances: Sequence[tuple[int, float]], most: int = 5) -> list[TurningPoint]:
    """The largest swings of the chance to win from one order to the next, in the order of the battle."""
    swings = [
        TurningPoint(event, before, after)
        for (_, before), (event, after) in pairwise(chances)
        if abs(after - before) >= SWING
    ]
    largest = sorted(swings, key=lambda swing: -abs(swing.after - swing.before))[:most]
    return sorted(largest)
