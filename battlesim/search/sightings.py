"""Whom an agent has seen: what it knows of enemies that have gone out of its sight. Read `Sightings.imagine`."""

from __future__ import annotations

from typing import Any

from battlesim.board.board import Board
from battlesim.core.codec import dump_state
from battlesim.core.dice import Dice
from battlesim.core.state import State, Unit
from battlesim.core.view import View, unseen
from battlesim.rulesets.finder import find_ruleset


class Sightings:
    """The enemies of a battle as they were last seen. `note` each view, and `imagine` states in which those that were lost from
    sight are what they were."""

    def __init__(self) -> None:
        self.seen: dict[int, Unit] = {}
        self._ruleset = ""
        self._extra: Any = None

    def note(self, view: View) -> None:
        """Remember the enemies that a view shows on the board; those that are dead are not looked for any more."""
        self._ruleset, self._extra = view.ruleset, view.extra
        for number, unit in view.units.items():
            if unit.side != view.side and (unit.place >= 0 or not unit.alive):
                self.seen[number] = unit

    def lost(self, view: View) -> dict[int, Unit]:
        """The living enemies that a view does not show and that were seen before."""
        return {n: self.seen[n] for n in unseen(view) if n in self.seen and self.seen[n].alive}

    def imagine(self, view: View, board: Board, dice: Dice) -> State:
        """A state that fits a view and what was seen."""
        ruleset, lost = find_ruleset(view.ruleset), self.lost(view)
        return ruleset.imagine(view, board, dice, lost) if lost else ruleset.imagine(view, board, dice)

    def save(self) -> bytes:
        """What was seen, as bytes."""
        if not self.seen:
            return b""
        return self._ruleset.encode() + b"\n" + dump_state(State(dict(self.seen), {}, self._extra))

    def load(self, memory: bytes) -> None:
        """Remember what `save` gave."""
        name, _, data = memory.partition(b"\n")
        if name:
            state = find_ruleset(name.decode()).codec.load(data)
            self._ruleset, self.seen, self._extra = name.decode(), state.units, state.extra
