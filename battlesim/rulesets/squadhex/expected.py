"""What one attack comes to on average, from the tables of the rules: figures lost, suppression, buildings, close combat.

Nothing here decides a rule, and no table is written a second time: what dice need and cancel and what hits do comes from
`fire.py`, `morale.py`, `collapse.py` and `assault.py`. The means are those of the rules' own dice; `tests/rulesets/squadhex`
holds them to `battlesim.search.outcomes`. How an attack is put together from a position is the business of `estimates.py`. Read
`nets`, then `fired_on`.
"""

from __future__ import annotations

from typing import NamedTuple

from battlesim.core.memo import memo
from battlesim.evaluation.distributions import (
    NOTHING,
    Distribution,
    at_least,
    binomial,
    capped,
    convolve,
    face_at_least,
    mean,
)
from battlesim.rulesets.squadhex import assault, collapse
from battlesim.rulesets.squadhex.fire import CANCEL, WALLS
from battlesim.rulesets.squadhex.morale import DISRUPT, PIN, ROUT

MOST_ATTACKS = 1 << 15
MOST_DICE = 64
"""More hits than this are counted as so many."""


class Toll(NamedTuple):
    """What an attack comes to for one unit: `lost`, the mean of the figures lost; `gone`, the chance that nothing is left. Of a
    unit that lives, the chances that the attack leaves it `pinned`, `disrupted` (the routed as well) and `routed`, which it was
    not before; a routed unit has fallen back."""

    lost: float = 0.0
    gone: float = 0.0
    pinned: float = 0.0
    disrupted: float = 0.0
    routed: float = 0.0

    def by(self, chance: float) -> Toll:
        """The toll of an attack that only comes with a chance."""
        return Toll(*(chance * x for x in self))


UNHURT = Toll()


@memo(bound=MOST_ATTACKS)
def nets(dice: int, need: int, defence: int) -> Distribution:
    """Net hits of so many dice that need so much (7: they never hit), of which each of so many defence dice may cancel one."""
    if dice <= 0 or need > 6:
        return NOTHING
    hits = binomial(dice, face_at_least(need), MOST_DICE)
    return _less(hits, binomial(defence, face_at_least(CANCEL), MOST_DICE))


def _less(hits: Distribution, cancelled: Distribution) -> Distribution:
    """Hits less those cancelled, never below none."""
    row = [0.0] * len(hits)
    for n, p in enumerate(hits):
        for k, q in enumerate(cancelled):
            row[n - k if n > k else 0] += p * q
    return tuple(row)


# ---- units ---------------------------------------------------------------------------------------------------------------


def _losing(lost: Distribution, models: int) -> Toll:
    """The toll of losses that stop at the last figure."""
    lost = capped(lost, models)
    return Toll(mean(lost), at_least(lost, models))


@memo(bound=MOST_ATTACKS)
def fired_on(dice: int, need: int, defence: int, models: int) -> Toll:
    """A normal attack: each net hit takes a figure (SH-HOUSE-NORMAL)."""
    return _losing(nets(dice, need, defence), models)


@memo(bound=MOST_ATTACKS)
def suppressed(
    dice: int, need: int, defence: int, models: int, pinned: bool, disrupted: bool, trapped: bool
) -> Toll:
    """A suppressive attack on a squad that may be pinned or disrupted already; `trapped`: it has nowhere to fall back to, and is
    removed when it is routed (SH-HOUSE-SUPPRESS)."""
    net = nets(dice, need, defence)
    routs = at_least(net, ROUT)
    pins = 0.0 if pinned else at_least(net, PIN) - at_least(net, DISRUPT)
    breaks = 0.0 if disrupted else at_least(net, DISRUPT)
    if not trapped:
        return Toll(0.0, 0.0, pins, breaks, routs)
    return Toll(models * routs, routs, pins, 0.0 if disrupted else breaks - routs)


# ---- buildings -----------------------------------------------------------------------------------------------------------


@memo(bound=MOST_ATTACKS)
def walls(dice: int, need: int, whole: int, weakened: bool) -> tuple[float, float]:
    """Chances that an attack brings a building hex down, which takes `whole` net hits, and that it is only weakened by it
    (SH-DEST-1..3)."""
    net = nets(dice, need, WALLS)
    falls = at_least(net, whole)
    return falls, 0.0 if weakened else at_least(net, (whole + 1) // 2) - falls


@memo(bound=4_096)
def _masonry(floors: int, cover: int) -> Distribution:
    """Hits of a fall on each squad inside; `cover` dice cancel them where an option says so (SH-FALL-1)."""
    hits = binomial(collapse.DICE * floors, face_at_least(collapse.HIT), MOST_DICE)
    return _less(hits, binomial(cover, face_at_least(CANCEL), MOST_DICE)) if cover else hits


@memo(bound=MOST_ATTACKS)
def buried(floors: int, cover: int, models: int, pinned: bool) -> Toll:
    """A squad in a building hex of so many floors that falls; who lives is pinned (SH-FALL-2)."""
    toll = _losing(_masonry(floors, cover), models)
    return toll if pinned else toll._replace(pinned=1.0 - toll.gone)


@memo(bound=MOST_ATTACKS)
def shelled_inside(
    dice: int, need: int, defence: int, falls: float, floors: int, cover: int, models: int, pinned: bool
) -> Toll:
    """A squad on the top floor under a normal area attack, which may then bring the building down with the chance `falls`."""
    net = capped(nets(dice, need, defence), models)
    spared = _losing(net, models)
    both = _losing(convolve(net, _masonry(floors, cover), models), models)
    stood = 1.0 - falls
    return Toll(
        falls * both.lost + stood * spared.lost,
        falls * both.gone + stood * spared.gone,
        0.0 if pinned else falls * (1.0 - both.gone),
    )


# ---- close combat --------------------------------------------------------------------------------------------------------


class Side(NamedTuple):
    """One side of close combat: `dice` for each number of figures from 0 to all it has, `armour` dice, and whether it is
    `trapped`: it has nowhere to withdraw to, and is removed when it loses."""

    dice: tuple[int, ...]
    armour: int
    trapped: bool


class Clash(NamedTuple):
    """What close combat comes to: the tolls of the assaulters and of the others; the chance that the assaulters win."""

    mine: Toll
    theirs: Toll
    wins: float


def survivors(attacks: tuple[Distribution, ...], models: int) -> Distribution:
    """How many of a unit's figures are left after some normal attacks, one after the other."""
    lost: Distribution = NOTHING
    for net in attacks:
        lost = convolve(lost, net, models)
    return tuple(lost[models - k] if models - k < len(lost) else 0.0 for k in range(models + 1))


@memo(bound=MOST_ATTACKS)
def clash(mine: Side, left: Distribution, theirs: Side) -> Clash:
    """Close combat of assaulters, of whom so many are left (as chances): both sides strike at once, who has fewer figures left
    withdraws, the assaulters on a tie (SH-HOUSE-ASSAULT)."""
    models, foes = len(left) - 1, len(theirs.dice) - 1
    wins = 0.0
    lost, gone = models - mean(left), left[0]
    foes_lost = foes_gone = 0.0
    struck = capped(nets(theirs.dice[foes], assault.HIT, 0), models)
    for men, share in enumerate(left):
        if not men or not share:
            continue
        inflicted = capped(nets(mine.dice[men], assault.HIT, theirs.armour), foes)
        suffered = capped(struck, men)
        for fell, p in enumerate(suffered):
            for killed, q in enumerate(inflicted):
                chance = share * p * q
                a, b = men - fell, foes - killed
                won = a > b
                if won:
                    wins += chance
                out, foes_out = not a or (mine.trapped and not won), not b or (theirs.trapped and won)
                lost += chance * (men if out else fell)
                gone += chance * out
                foes_lost += chance * (foes if foes_out else killed)
                foes_gone += chance * foes_out
    return Clash(Toll(lost, gone), Toll(foes_lost, foes_gone), wins)
