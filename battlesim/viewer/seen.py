"""What a side sees of a battle in progress, as plain data for its page. Read `Seen.look`.

Everything comes from the side's views and the events that it heard: nothing else can get here.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import msgspec

from battlesim.board.board import Board
from battlesim.core.answers import Answer, Face
from battlesim.core.codec import plain_state
from battlesim.core.errors import RuleError
from battlesim.core.events import Event, Placed
from battlesim.core.state import State, Unit
from battlesim.core.view import View
from battlesim.engine.record import decode_event, event_lines
from battlesim.viewer.live import known_start
from battlesim.viewer.standing import Changes, Goal, Standing, Where, effects_of, goals_of
from battlesim.viewer.symbols import symbol_of
from battlesim.viewer.wording import find_wording, printable


class Seen:
    """What one side sees on its board.

    `values`: by key, as `film.py` lists them, of the latest view. `units`: every unit that was ever seen, by number: side, name,
    kind, symbol, and its models when it was first seen. `effects`: those that the side saw since the last view. `goals`: the
    objectives that it knew of at its first view, `found`: the others that it knows of now, about enemies.
    """

    def __init__(self, board: Board, ruleset: str) -> None:
        self._board = board
        self._wording = find_wording(ruleset)
        self.values: Changes = {}
        self.units: dict[int, list[Any]] = {}
        self.effects: list[dict[str, Any]] = []
        self.goals: tuple[Goal, ...] = ()
        self.found: tuple[Goal, ...] = ()
        self._looked = False
        self._units: dict[int, Unit] = {}  # as the view before showed them
        self._at: dict[
            int, Where
        ] = {}  # where units stood in the view before, and where they were seen to go

    def look(self, view: View) -> None:
        """Take over what a view shows."""
        state = plain_state(msgspec.json.decode(known_start(view)))
        self._at = {
            int(key[1:]): _middle(value) for key, value in self.values.items() if key[0] == "u" and value
        }
        fell = {number: unit for number, unit in state.units.items() if not unit.alive}
        state.units.update({number: self._units[number] for number in fell if number in self._units})
        self.effects = [effect for event in view.news for effect in self._passed(event, state)]
        state.units.update(fell)
        self._units = state.units
        goals = goals_of(state.extra)
        self.goals, self._looked = self.goals if self._looked else goals, True
        self.found = tuple(goal for goal in goals if goal not in self.goals)
        values = Standing(state, self._board, self._wording, self.goals).everything()
        for number, unit in state.units.items():
            kind = printable(unit.kind.replace("_", " "))
            symbol = symbol_of(self._wording.symbols, unit.kind)
            self.units.setdefault(number, [unit.side, printable(unit.name), kind, symbol, unit.models])
            if not unit.alive:  # its mark is where it was last seen alive
                values[f"u{number}"] = self._last(number)
        self.values = values

    def _last(self, unit: int) -> list[int] | None:
        """Where the mark of a unit was last seen: in the view before, or where it was seen to go since."""
        spot, at = self.values.get(f"u{unit}"), self._at.get(unit)
        if not spot or at is None or at == _middle(spot):
            return spot
        return [at[0], at[1], 0, 0, spot[4], at[2]]

    def _passed(self, event: Event, state: State) -> list[dict[str, Any]]:
        """The effects of an event that the side heard of; none if the event names things that the side does not know."""
        found: list[dict[str, Any]] = []
        with suppress(LookupError, TypeError, AttributeError, ValueError, RuleError):
            (line,) = event_lines((event,))
            found = list(effects_of(decode_event(line), state, self._spot, self._at.get))
            if isinstance(event, Placed) and event.place >= 0:
                self._at[event.unit] = self._spot(event.place)
        return [effect for effect in found if effect["unit"] in state.units]

    def _spot(self, place: int) -> Where:
        space = self._board.spaces[place]
        return [space.x, space.y, space.floor]

    def target(self, answer: Answer) -> dict[str, Any]:
        """The target of an answer on the board: {"unit": number}, {"at": [x, y, floor]}, {"face": direction}, or nothing."""
        unit, place = getattr(answer, "unit", -1), getattr(answer, "place", -1)
        if isinstance(unit, int) and self.values.get(f"u{unit}"):
            return {"unit": unit}
        if isinstance(place, int) and 0 <= place < len(self._board.spaces):
            return {"at": self._spot(place)}
        return {"face": answer.facing} if isinstance(answer, Face) else {}

    def data(self) -> dict[str, Any]:
        """The board as plain data."""
        return {"values": self.values, "units": self.units, "effects": self.effects}


def _middle(spot: list[int]) -> Where:
    """The position of the mark at a spot of `values`."""
    return [spot[0] + spot[2], spot[1] + spot[3], spot[5]]
