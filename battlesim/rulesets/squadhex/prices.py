"""What losses are worth: figures, actions lost to suppression, objectives that depend on a unit. In points of unit worth.

Read `Prices.value_of_toll`.
"""

from __future__ import annotations

from typing import NamedTuple

from battlesim.board.board import Board
from battlesim.core.memo import memo_property, memo_table, no_memos
from battlesim.core.state import State, Unit
from battlesim.rulesets.squadhex import estimates, morale
from battlesim.rulesets.squadhex.expected import Toll
from battlesim.rulesets.squadhex.judgement import Judgement
from battlesim.rulesets.squadhex.model import unit_state
from battlesim.rulesets.squadhex.prospects import Prospects


class Price(NamedTuple):
    """What a toll on a unit is worth: points for each figure lost, and for becoming pinned, disrupted and routed."""

    figure: float
    pinned: float
    disrupted: float
    routed: float


class Prices:
    """What tolls on the units of one position are worth to the other side. Whether this side's own units have acted is ignored,
    since that changes while the position is in use."""

    def __init__(
        self, state: State, board: Board, side: int, prospects: Prospects, judgement: Judgement
    ) -> None:
        self.memos = no_memos()
        self.state, self.board, self.side = state, board, side
        self.prospects, self.judgement = prospects, judgement
        self.rounds_left = prospects.rounds_left

    @memo_table(bound=2_000)
    def figure(self, number: int) -> float:
        """What each figure of a unit (by its number) is worth to the other side, including objectives."""
        unit = self.state.units[number]
        return (self._useful(unit) + self._points(unit)) / unit.models

    def _actions(self, unit: Unit) -> float:
        """The weight of a unit's action in this round. A unit of this side is assumed to have one, since whether it has acted
        changes while the position is in use."""
        mine = unit_state(unit)
        if unit.side == self.side or mine.fresh:
            return 1.0
        return self.judgement.watch if mine.waits else 0.0

    @memo_table(bound=16)
    def _rounds(self, share: float) -> float:
        """The weight of the actions in later rounds, if each is kept with this chance."""
        found = term = 0.0
        share *= self.judgement.tempo
        for _ in range(self.rounds_left - 1):
            term = share * (term or 1.0)
            found += term
        return found

    @memo_property
    def _to_come(self) -> float:
        """The weight of all actions in later rounds."""
        return self._rounds[1.0]

    def _useful(self, unit: Unit) -> float:
        """The worth of what is left of a unit, lower the fewer actions it has left."""
        return estimates.worth(unit) * self._kept[self._actions(unit)]

    @memo_table(bound=8)
    def _kept(self, now: float) -> float:
        """The share of its worth that a unit keeps, given the weight of its action in this round."""
        j = self.judgement
        whole = 1.0 + j.tempo / max(1.0 - j.tempo, 0.05)
        return j.spent + (1.0 - j.spent) * min(1.0, (now + self._to_come) / whole)

    def _points(self, unit: Unit) -> float:
        """What objectives add to a unit's worth: those that name it, and those it keeps from the other side."""
        found = self.judgement.point * self.prospects.named.get(unit.id, 0)
        return found + self.points_on(unit) if unit.side != self.side else found

    def points_on(self, unit: Unit) -> float:
        """What driving an enemy off the objectives it is on is worth."""
        return self.judgement.contested * self.prospects.contested.get(unit.id, 0.0)

    @memo_table(bound=2_000)
    def _price(self, number: int) -> Price:
        """What tolls on a unit are worth, by its number."""
        unit, j = self.state.units[number], self.judgement
        mine, worth, now = unit_state(unit), self._useful(unit), self._actions(unit)
        left = now + self._to_come
        idle = j.idle * worth / left if left else 0.0
        lost = now + self._rounds[1.0 - estimates.recovery(self.board, unit, self._officers[unit.side])]
        pins = idle * j.pin * now
        disrupted = 0.0 if mine.disrupted else idle * lost - (pins if mine.pinned else 0.0)
        pinned = 0.0 if mine.pinned or mine.disrupted else pins
        return Price(self.figure[number], pinned, disrupted, j.routed * worth + self._points(unit))

    @memo_table(bound=2)
    def _officers(self, side: int) -> list[int]:
        """The places of a side's officers that can help others recover."""
        return morale.officers(self.state, side)

    def value_of_toll(self, unit: Unit, toll: Toll) -> float:
        """What a toll on a unit is worth to the other side."""
        lost, _, pinned, disrupted, routed = toll
        if not (pinned or disrupted or routed):
            return self.figure[unit.id] * lost
        price = self._price[unit.id]
        return (
            price.figure * lost + price.pinned * pinned + price.disrupted * disrupted + price.routed * routed
        )
