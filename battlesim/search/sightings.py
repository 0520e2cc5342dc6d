"""The enemies an agent has seen, and what else it knows of enemies out of its sight.

For agents that imagine: an enemy that has gone out of sight is not in a view, but the agent may remember where it was. Begin with
`Sightings.imagine`.
"""

from __future__ import annotations

from typing import Any

from battlesim.board.board import Board
from battlesim.core.codec import dump_state
from battlesim.core.dice import Dice
from battlesim.core.state import State, Unit
from battlesim.core.view import View, unseen
from battlesim.engine.brief import Brief
from battlesim.evaluation.position import distances_to
from battlesim.rules.hidden import Known
from battlesim.rulesets.finder import find_ruleset


class Sightings:
    """The enemies of a battle as last seen, and what the brief says of them: their list of forces and where they may have set up.

    Call `note` with each view; `imagine` then makes up states that fit. `seen`: enemies as last seen, by number. `since`: the
    turn in which that was. `Sightings.imagine` can be given to `compare`.
    """

    def __init__(self, brief: Brief | None = None) -> None:
        self.seen: dict[int, Unit] = {}
        self.since: dict[int, int] = {}
        self._brief = brief
        self._from_zones: tuple[int, ...] = ()
        self._ruleset = ""
        self._extra: Any = None

    def note(self, view: View) -> None:
        """Remember the enemies that a view shows on the board, and those that it shows as dead."""
        self._ruleset, self._extra = view.ruleset, view.extra
        for number, unit in view.units.items():
            if unit.side != view.side and (unit.place >= 0 or not unit.alive):
                self.seen[number], self.since[number] = unit, view.turn

    def lost(self, view: View) -> dict[int, Unit]:
        """The living enemies that a view does not show and that were seen before."""
        return {n: self.seen[n] for n in unseen(view) if n in self.seen and self.seen[n].alive}

    def imagine(self, view: View, board: Board, dice: Dice) -> State:
        """A state that fits a view, past sightings and the brief; `dice` decide what is not known."""
        ruleset = find_ruleset(view.ruleset)
        if len(view.units) == sum(view.forces):
            return ruleset.imagine(view, board, dice)
        return ruleset.imagine(view, board, dice, self._known(view, board))

    def _known(self, view: View, board: Board) -> Known:
        """What the side knows besides the view."""
        seen, brief = self.lost(view), self._brief
        if brief is None:
            return Known(seen, self.since)
        if not self._from_zones:
            places = tuple(place for zone in brief.zones[1 - view.side] for place in zone.spaces)
            self._from_zones = distances_to(board, places) if places else ()
        return Known(seen, self.since, brief.forces[1 - view.side], self._from_zones)

    def save(self) -> bytes:
        """What was seen, as bytes."""
        if not self.seen:
            return b""
        words = [self._ruleset, *(f"{number}:{turn}" for number, turn in self.since.items())]
        return " ".join(words).encode() + b"\n" + dump_state(State(dict(self.seen), {}, self._extra))

    def load(self, memory: bytes) -> None:
        """Restore what `save` returned."""
        head, _, data = memory.partition(b"\n")
        if head:
            name, *since = head.decode().split(" ")
            state = find_ruleset(name).codec.load(data)
            self._ruleset, self.seen, self._extra = name, state.units, state.extra
            self.since = {int(number): int(turn) for number, turn in (one.split(":") for one in since)}
