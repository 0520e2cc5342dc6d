"""The average results of one attack, from the tables of the rules: figures lost, suppression, buildings, close combat.

Nothing here decides a rule, and no table is repeated: the rolls to hit and to cancel, and the effects of hits, come from
`fire.py`, `morale.py`, `collapse.py` and `assault.py`. The means are those of the rules' own dice; `tests/rulesets/squadhex`
checks them against `battlesim.search.outcomes`. `estimates.py` works out an attack from a position. Read `nets`, then
`fired_on`.
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
"""Results of attacks that are kept."""
MOST_DICE = 64
"""The cap on hits counted."""


class Toll(NamedTuple):
    """What an attack does to one unit: `lost`, the mean of the figures lost; `gone`, the chance that nothing is left. If it
    survives: the chances that the attack leaves it newly `pinned`, `disrupted` (including routed) and `routed`; a routed unit has
    fallen back."""

    lost: float = 0.0
    gone: float = 0.0
    pinned: float = 0.0
    disrupted: float = 0.0
    routed: float = 0.0

    def by(self, chance: float) -> Toll:
        """The toll of an attack that happens only with this chance."""
        return Toll(*(chance * x for x in self))


UNHURT = Toll()


@memo(bound=MOST_ATTACKS)
def nets(dice: int, need: int, defence: int) -> Distribution:
    """Net hits of `dice` that each need `need` (7: they never hit), when each of `defence` dice may cancel one."""
    if dice <= 0 or need > 6:
        return NOTHING
    hits = binomial(dice, face_at_least(need), MOST_DICE)
    return _less(hits, binomial(defence, face_at_least(CANCEL), MOST_DICE))


def _less(hits: Distribution, cancelled: Distribution) -> Distribution:
    """Hits less those cancelled, at least 0."""
    row = [0.0] * len(hits)
    for n, p in enumerate(hits):
        for k, q in enumerate(cancelled):
            row[n - k if n > k else 0] += p * q
    return tuple(row)


# ---- units ---------------------------------------------------------------------------------------------------------------


def _losing(lost: Distribution, models: int) -> Toll:
    """The toll of losses, capped at the figures of the unit."""
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
    """A suppressive attack on a squad that may already be pinned or disrupted; `trapped`: it has nowhere to fall back to and is
    removed when routed (SH-HOUSE-SUPPRESS)."""
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
    """Chances that an attack destroys a building hex, which takes `whole` net hits, and that it only weakens it
    (SH-DEST-1..3)."""
    net = nets(dice, need, WALLS)
    falls = at_least(net, whole)
    return falls, 0.0 if weakened else at_least(net, (whole + 1) // 2) - falls


@memo(bound=4_096)
def _masonry(floors: int, cover: int) -> Distribution:
    """Hits of a fall on each squad inside; an option allows `cover` dice to cancel them (SH-FALL-1)."""
    hits = binomial(collapse.DICE * floors, face_at_least(collapse.HIT), MOST_DICE)
    return _less(hits, binomial(cover, face_at_least(CANCEL), MOST_DICE)) if cover else hits


@memo(bound=MOST_ATTACKS)
def buried(floors: int, cover: int, models: int, pinned: bool) -> Toll:
    """The toll on a squad in a building hex of so many floors that falls; a squad that survives is pinned (SH-FALL-2)."""
    toll = _losing(_masonry(floors, cover), models)
    return toll if pinned else toll._replace(pinned=1.0 - toll.gone)


@memo(bound=MOST_ATTACKS)
def shelled_inside(
    dice: int, need: int, defence: int, falls: float, floors: int, cover: int, models: int, pinned: bool
) -> Toll:
    """The toll on a squad on the top floor under a normal area attack, which then destroys the building with the chance
    `falls`."""
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
    """One side of close combat: `dice` for each number of figures from 0 up, `armour` dice, and whether it is `trapped`: it has
    nowhere to withdraw to and is removed when it loses."""

    dice: tuple[int, ...]
    armour: int
    trapped: bool


class Clash(NamedTuple):
    """The result of close combat: the tolls on the assaulting unit and on its enemy, and the chance that the assaulting unit
    wins."""

    mine: Toll
    theirs: Toll
    wins: float


def survivors(attacks: tuple[Distribution, ...], models: int) -> Distribution:
    """How many of a unit's figures survive several normal attacks in turn."""
    lost: Distribution = NOTHING
    for net in attacks:
        lost = convolve(lost, net, models)
    return tuple(lost[models - k] if models - k < len(lost) else 0.0 for k in range(models + 1))


@memo(bound=MOST_ATTACKS)
def clash(mine: Side, left: Distribution, theirs: Side) -> Clash:
    """Close combat; `left`: the chances of the assaulting unit's number of figures. Both sides strike at once, and the side with
    fewer figures left withdraws, the assaulting unit on a tie (SH-HOUSE-ASSAULT)."""
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
