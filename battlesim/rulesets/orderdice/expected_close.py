"""The expected results of close quarters, tank fights, rams and driving into houses, from the rules' tables.

Close quarters are computed exactly to the last round (OD-HOUSE-CLOSE), for all possible losses. Drawn rounds are fought again;
the attackers lose if the sixth is drawn. Nothing here decides a rule. Read `close_quarters`.
"""

from __future__ import annotations

from typing import NamedTuple

from battlesim.core.memo import memo
from battlesim.core.sums import summed
from battlesim.evaluation.distributions import Distribution, binomial, dice, face_at_least, mean
from battlesim.rulesets.orderdice import fire, tankfight, tanks
from battlesim.rulesets.orderdice.assault import LAST_ROUND, attacks_of
from battlesim.rulesets.orderdice.expected import Toll, passes
from battlesim.rulesets.orderdice.expected_armour import damage_rolls, hurt
from battlesim.rulesets.orderdice.morale import MORALE


class Fighters(NamedTuple):
    """One side of close quarters: its type, quality and number of men."""

    kind: str
    quality: int
    models: int


class Clash(NamedTuple):
    """How close quarters end. `left` and `foes_left`: each side's chances by men left; index 0 means that it did not win (nobody
    wins if both are wiped out)."""

    left: Distribution
    foes_left: Distribution

    @property
    def win(self) -> float:
        """The chance that the attackers win."""
        return summed(self.left[1:])

    @property
    def lose(self) -> float:
        """The chance that the defenders win."""
        return summed(self.foes_left[1:])

    @property
    def lost(self) -> float:
        """The mean of attackers lost."""
        return len(self.left) - 1 - mean(self.left)

    @property
    def foes_lost(self) -> float:
        """The mean of defenders lost."""
        return len(self.foes_left) - 1 - mean(self.foes_left)


@memo(bound=1 << 13)
def close_quarters(ours: Fighters, theirs: Fighters, both: bool, round: int = 1) -> Clash:
    """Close quarters from a round on. `both`: both sides strike at once; else the attackers first, then surviving defenders."""
    left, foes_left = [0.0] * (ours.models + 1), [0.0] * (theirs.models + 1)
    won = _blows(ours, theirs, ours.models)
    for killed, share in enumerate(won):
        strikers = theirs.models if both else theirs.models - killed
        for lost, part in enumerate(_blows(theirs, ours, strikers)):
            chance = share * part
            if not chance:
                continue
            mine, foes = ours.models - lost, theirs.models - killed
            if mine and (not foes or killed > lost):
                left[mine] += chance
            elif (foes and (not mine or lost > killed)) or (mine and foes and round == LAST_ROUND):
                foes_left[foes] += chance
            elif mine and foes:
                again = close_quarters(
                    Fighters(ours.kind, ours.quality, mine),
                    Fighters(theirs.kind, theirs.quality, foes),
                    True,
                    round + 1,
                )
                for k, x in enumerate(again.left):
                    left[k] += chance * x
                for k, x in enumerate(again.foes_left):
                    foes_left[k] += chance * x
    left[0] = 1.0 - summed(left[1:])
    foes_left[0] = 1.0 - summed(foes_left[1:])
    return Clash(tuple(left), tuple(foes_left))


@memo(bound=1 << 13)
def losses(ours: Fighters, theirs: Fighters, both: bool) -> tuple[float, float]:
    """The means of attackers and of defenders lost in close quarters."""
    clash = close_quarters(ours, theirs, both)
    return clash.lost, clash.foes_lost


def _blows(strikers: Fighters, struck: Fighters, models: int) -> Distribution:
    """The distribution of losses that `models` of one side cause in a round; walls do not protect (OD-AT-5)."""
    if not models:
        return (1.0,)
    wound = face_at_least(fire.damage_need(struck.quality, 0, False))
    return binomial(attacks_of(strikers.kind, models), wound, struck.models)


@memo(bound=1 << 12)
def charge(ours: Fighters, left: Distribution, theirs: Fighters, both: bool) -> Clash:
    """Close quarters after reaction fire; `left`: chances by number of attackers left."""
    mine, foes = [0.0] * (ours.models + 1), [0.0] * (theirs.models + 1)
    for men, share in enumerate(left):
        if not share:
            continue
        if not men:
            foes[theirs.models] += share
            continue
        clash = close_quarters(Fighters(ours.kind, ours.quality, men), theirs, both)
        for k, x in enumerate(clash.left[1:], 1):
            mine[k] += share * x
        for k, x in enumerate(clash.foes_left[1:], 1):
            foes[k] += share * x
    mine[0] = 1.0 - summed(mine[1:])
    foes[0] = 1.0 - summed(foes[1:])
    return Clash(tuple(mine), tuple(foes))


# ---- armour ------------------------------------------------------------------------------------------------------------


@memo(bound=1 << 12)
def tank_assault(men: Distribution, need: int, ahead: int, quality: int, pins: int, bonus: int) -> Toll:
    """The toll of infantry in contact on a vehicle (OD-HOUSE-TANKFIGHT). `men`: chances by how many reach it; `need`: to hit;
    `ahead`: penetration less armour before the damage die."""
    row: Distribution = (1.0, *([0.0] * (MORALE[quality] - pins - 1)))
    hits = [0.0] * len(men)
    for models, share in enumerate(men):
        for n, x in enumerate(binomial(models, face_at_least(need), models)):
            hits[n] += share * x
    alive = [share * hits[0] for share in row]
    for chance in hits[1:]:
        row = hurt(row, ahead, quality, pins, bonus)
        alive = [a + chance * share for a, share in zip(alive, row, strict=True)]
    gone = max(0.0, 1.0 - summed(alive))
    return Toll(gone, mean(alive), gone)


def driven_over(models: int, quality: int, pins: int, bonus: int) -> Toll:
    """The toll of an overrun on men in the open: they pass a morale test or are lost."""
    gone = 1.0 - passes(quality, pins, bonus)
    return Toll(models * gone, 0.0, gone)


class Armour(NamedTuple):
    """A vehicle in a ram: armour, quality, pins, and the bonus from officers near it."""

    armour: int
    quality: int
    pins: int
    bonus: int


@memo(bound=1 << 10)
def ram(ours: Armour, theirs: Armour) -> tuple[Toll, Toll]:
    """The tolls of the ramming and of the rammed vehicle (OD-HOUSE-RAM)."""
    costs, their_costs = [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]
    for a in range(1, 7):
        for b in range(1, 7):
            to_me, to_them, superficial = tankfight.outcome(ours.armour + a, theirs.armour + b)
            mine = damage_rolls(to_me, superficial, ours.quality, ours.pins, ours.bonus, after=1)
            them = damage_rolls(to_them, superficial, theirs.quality, theirs.pins, theirs.bonus, after=1)
            for total, toll in ((costs, mine), (their_costs, them)):
                for k, value in enumerate((toll.lost, toll.pins, toll.gone)):
                    total[k] += value / 36
    return Toll(*costs), Toll(*their_costs)


@memo(bound=1 << 10)
def crash(ours: Armour, material: str, shed: bool, shack: bool) -> tuple[Toll, float]:
    """The toll of a tank that drives into a house, and the chance that the house falls (OD-TANK)."""
    if shed:
        return Toll(), 1.0
    total = dice(tanks.DICE[material], 6)
    found, falls = [0.0, 0.0, 0.0], 0.0
    for mine, x in enumerate(dice(1, 6)):
        for house, y in enumerate(total):
            if not x * y:
                continue
            to_tank, to_house, superficial = tankfight.outcome(ours.armour + mine, house)
            if to_tank and ours.armour + mine < house and shack:
                to_tank, superficial = 1, True
            toll = damage_rolls(to_tank, superficial, ours.quality, ours.pins, ours.bonus, after=1)
            falls += x * y * (to_house > 0)
            for k, value in enumerate((toll.lost, toll.pins, toll.gone)):
                found[k] += x * y * value
    return Toll(*found), falls
