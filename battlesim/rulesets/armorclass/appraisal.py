"""How a player judges a position: what places are worth.

Built only from a view and a judgement. Values are in points of unit worth. Read `Appraisal.value_of_place`, the worth of one
unit standing in one place. Who threatens whom is in `crossfire.py`, what the outcomes of acts are worth in `outcome_worth.py`.
"""

from __future__ import annotations

from battlesim.core.memo import Memos, memo_table
from battlesim.core.state import Unit
from battlesim.core.sums import summed
from battlesim.rules.contract import Features
from battlesim.rulesets.armorclass import concealment, quick_look
from battlesim.rulesets.armorclass.crossfire import Crossfire
from battlesim.rulesets.armorclass.model import unit_state


class Appraisal(Crossfire):
    """What one side knows, prepared for judging many places. Valid for one view."""

    memos: Memos
    """Results that `features.py` keeps for this position."""

    def value_of_place(self, unit: Unit, place: int, fired: bool) -> Features:
        """The worth to a unit of standing in a place. `fired`: it has fired, which makes it easier to find."""
        return self._standing[unit.id, place, fired]

    @memo_table(bound=20_000)
    def _standing(self, number: int, place: int, fired: bool) -> Features:
        """`value_of_place` of a unit by its number."""
        unit = self.state.units[number]
        level, losses = self.losses_at[number, place]
        j, profile = self.judgement, self._profile[number]
        worth, shows = profile.worth, profile.signature if fired else -1
        if fired and not shows and level != concealment.TOTAL:  # firing does not make it easier to find
            return self._standing[number, place, False]
        if unit_state(unit).detected:  # a unit that has been found stays found where it is seen
            lost = summed([loss for _, loss in losses])
        else:
            lost = summed([loss * max(quick_look.found(shown, shows), j.searched) for shown, loss in losses])
        exposure = min(lost + self._lurking[number, level, fired], worth) * self.importance(unit)
        return Features(exposure=exposure, progress=self.progress(unit, place), hold=self.hold(unit, place))

    @memo_table(bound=2_000)
    def _lurking(self, number: int, level: int, fired: bool) -> float:
        """The loss a unit may suffer from enemies that nobody has found, by its concealment."""
        profile = self._profile[number]
        chance = max(quick_look.found(level, profile.signature if fired else -1), self.judgement.searched)
        return self.judgement.lurking * self.unfound * profile.worth * chance

    def least_exposure(self, unit: Unit, place: int, fired: bool) -> float:
        """A lower bound of a unit's exposure in a place: what it may lose to enemies that nobody has found."""
        level = concealment.place_level(self.state, self.board, place, unit)
        return min(self._lurking[unit.id, level, fired], self._profile[unit.id].worth) * self.importance(unit)
