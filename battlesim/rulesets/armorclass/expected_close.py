"""The expected results of assaults, exactly, over all possible rounds (AC-HOUSE-ASSAULT).

Nothing here decides a rule: `assault.clash` says who wins a pair. Read `assault_on`.
"""

from __future__ import annotations

from typing import NamedTuple

from battlesim.core.memo import memo
from battlesim.core.sums import summed
from battlesim.rulesets.armorclass.assault import ROUNDS, clash
from battlesim.rulesets.armorclass.data import D10

Spread = tuple[tuple[int, int, float], ...]
"""Ways a fight may end: (assaulters left, defenders left, chance)."""


class Clash(NamedTuple):
    """How an assault may end. `left`: chances by number of attackers left, win or lose. `foes_left`: the same for each defending
    unit, in the order of the fights. `wins`: the chance that the place is taken; `gone`: that no attacker is left."""

    left: tuple[float, ...]
    foes_left: tuple[tuple[float, ...], ...]
    wins: float
    gone: float


class Fighters(NamedTuple):
    """One side of a fight: its soldiers and their melee bonus."""

    models: int
    melee: int


@memo(bound=1_024)
def _pair(ahead: int) -> tuple[float, float]:
    """The chances (the first dies, the second dies) for one pair, with `ahead` added to the first's die."""
    lost = killed = 0
    for one in range(1, D10 + 1):
        for other in range(1, D10 + 1):
            found = clash((one,), (other,), ahead, 0, 1, 1)
            lost, killed = lost + found[0], killed + found[1]
    return lost / D10**2, killed / D10**2


@memo(bound=1 << 12)
def fight(models: int, foes: int, ahead: int, rounds: int = ROUNDS) -> Spread:
    """How a fight between two units may end after at most `rounds`; `ahead`: the attackers' bonus less the defenders'."""
    if not models or not foes or not rounds:
        return ((models, foes, 1.0),)
    pairs = min(models, foes)
    more = max(0, models - foes) or -max(0, foes - models)
    after = {(0, 0): 1.0}
    for number in range(pairs):
        surplus = abs(more) // pairs + (number < abs(more) % pairs)
        dies, kills = _pair(ahead + (surplus if more > 0 else -surplus))
        spread: dict[tuple[int, int], float] = {}
        for (lost, killed), share in after.items():
            for key, chance in (
                ((lost + 1, killed), dies),
                ((lost, killed + 1), kills),
                ((lost, killed), 1.0 - dies - kills),
            ):
                spread[key] = spread.get(key, 0.0) + share * chance
        after = spread
    found: dict[tuple[int, int], float] = {}
    for (lost, killed), share in after.items():
        for mine, theirs, chance in fight(models - lost, foes - killed, ahead, rounds - 1):
            found[mine, theirs] = found.get((mine, theirs), 0.0) + share * chance
    return tuple((mine, theirs, chance) for (mine, theirs), chance in found.items())


@memo(bound=1 << 12)
def assault_on(ours: Fighters, theirs: tuple[Fighters, ...]) -> Clash:
    """An assault on all enemies in a space, one unit after the other, until one is not beaten in its rounds."""
    going = [0.0] * (ours.models + 1)
    going[ours.models] = 1.0
    """The chances that every defender so far is beaten, by attackers left."""
    left = [0.0] * (ours.models + 1)
    foes_left: list[tuple[float, ...]] = []
    for foe in theirs:
        row = [0.0] * (foe.models + 1)
        row[foe.models] = 1.0 - summed(going)  # the attackers did not get this far
        on = [0.0] * (ours.models + 1)
        for models, share in enumerate(going):
            if share:
                for mine, other, chance in fight(models, foe.models, ours.melee - foe.melee):
                    row[other] += share * chance
                    if other or not mine:
                        left[mine] += share * chance
                    else:
                        on[mine] += share * chance
        going = on
        foes_left.append(tuple(row))
    for models, share in enumerate(going):
        left[models] += share
    return Clash(tuple(left), tuple(foes_left), summed(going), left[0])
