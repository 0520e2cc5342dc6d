"""What one side hears while a battle is played, in words. Read `News.lines`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

import msgspec
from msgspec.structs import replace

from battlesim.board.board import Board
from battlesim.core.answers import Answer, format_answer
from battlesim.core.codec import dump_state, plain_state
from battlesim.core.errors import RuleError
from battlesim.core.events import Ended, Event, ModelsLost, Placed, Scored, UnitSet
from battlesim.core.frozen import FrozenDict
from battlesim.core.items import Ask
from battlesim.core.state import DERIVED, State, Unit, fallen_of, living_of, standing_at
from battlesim.core.view import View, state_of
from battlesim.engine.header import Header
from battlesim.search.reasons import ExpectedAct
from battlesim.viewer.questions import Phrases
from battlesim.viewer.reasons import told_expected
from battlesim.viewer.story import Story
from battlesim.viewer.symbols import badges_of
from battlesim.viewer.wording import UNSEEN, find_wording, printable, without_untold


class News:
    """Reports to one side what it hears, question by question. `header`: of the battle, with the first state as the side knows it
    (`known_start`)."""

    def __init__(self, header: Header, board: Board | None = None) -> None:
        self._story = Story(header, UNSEEN)
        self._names = self._story.names
        self._names.board = board
        self._wording = find_wording(header.ruleset.name)
        self._seen: set[int] = (
            set()
        )  # the units in the view before; the first view shows them as they are after its news
        self._phrases = Phrases(self._names, self._wording)

    def lines(self, view: View) -> Iterator[tuple[int, str]]:
        """The sentences for what the side has heard since its last question, each with its turn. Its present knowledge is taken
        over from its view."""
        now = plain_state(msgspec.json.decode(known_start(view)))
        self._meet(view, now)
        turn = self._story.state.turn
        for event in view.news:
            # What is scored for a turn comes after its end.
            if not isinstance(event, Scored | Ended):
                turn = self._story.state.turn
            yield from ((turn, line) for line in self._told(event))
        self._know(now)
        self._seen = set(now.units)

    def _meet(self, view: View, now: State) -> None:
        """Add units that are new in the view, as they were before the news, so that a unit that was found can be named."""
        state = self._story.state
        for unit in now.units.values():
            if unit.id not in self._seen:
                state.units[unit.id] = _before(unit, view.news)
                self._names.full.setdefault(unit.id, state.units[unit.id].models)
        state.at = standing_at(state.units)
        state.alive = living_of(state.units)

    def _told(self, event: Event) -> Iterator[str]:
        # It may be about a unit that the side did not know of before; its other effects are in the view.
        with suppress(LookupError, TypeError, AttributeError, ValueError, RuleError):
            for sentence in self._story.read(event):
                yield str(sentence._replace(text=without_untold(sentence.text)))

    def _know(self, now: State) -> None:
        state = self._story.state
        for name in State.__struct_fields__:
            if name not in ("units", "structures", *DERIVED):
                setattr(state, name, getattr(now, name))
        state.units.update(now.units)  # units lost from sight keep their names
        state.structures.update(now.structures)
        state.at = standing_at(state.units)
        state.alive = living_of(state.units)
        state.down = fallen_of(state.structures)

    def question(self, ask: Ask) -> str:
        """What a question asks."""
        return self._phrases.question(type(ask).__name__, _fields(ask))

    def answer(self, ask: Ask, answer: Answer) -> str:
        """What an answer says."""
        return self._phrases.answer(type(ask).__name__, _fields(ask), format_answer(answer))

    def place(self, number: int) -> str:
        """Where a unit is, in words."""
        unit = self._story.state.units[number]
        return printable(
            self._names.named("place", unit.place) if unit.place >= 0 else self._story.off_map(unit)
        )

    def states(self, unit: int) -> str:
        """What marks on pages say about a unit: "pinned (2), in ambush"."""
        state = self._story.state
        badges = badges_of(self._wording.badges, state.units[unit].own, state.turn)
        return printable(", ".join(badge.says for badge in badges))

    def expected(self, act: ExpectedAct, side: int) -> str:
        """What an act of a side is expected to do."""
        mine = next((unit.id for unit in self._story.state.units.values() if unit.side == side), -1)
        return (
            printable(" ".join(told_expected(act, mine, self._names, self._wording)))
            or "no loss expected in the act"
        )


def _before(unit: Unit, news: Sequence[Event]) -> Unit:
    """A unit as it was before the news, as far as the news show."""
    lost = [event.lost for event in news if isinstance(event, ModelsLost) and event.unit == unit.id]
    own, place = dict(unit.own), unit.place
    moves = [event.path for event in news if isinstance(event, Placed) and event.unit == unit.id]
    if moves:  # where it came from, as far as it was seen to come
        place = moves[0][0] if len(moves[0]) > 1 else -1
    for event in news:
        # The earlier value of a field that was set is not known, either.
        if isinstance(event, UnitSet) and event.unit == unit.id:
            own = {name: value for name, value in own.items() if name not in event.own}
    alive = unit.alive or bool(lost)
    return replace(unit, place=place, models=unit.models + sum(lost), alive=alive, own=FrozenDict(own))


def known_start(view: View) -> bytes:
    """The state that a view shows, as the first state of a header."""
    return dump_state(state_of(view, dict(view.units)))


def _fields(ask: Ask) -> dict[str, Any]:
    return {name: getattr(ask, name) for name in ask.__struct_fields__}
