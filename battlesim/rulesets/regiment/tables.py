"""The tables of the rulebook, each one pure function (RG-HOUSE-SHOOT, RG-HOUSE-FIGHT, RG-HOUSE-FLEE).

Used alike by resolution, features and odds. A need above 6 cannot be rolled on one die; to hit, 7 to 9 mean a 6 and a second
roll.
"""

from __future__ import annotations

from battlesim.evaluation.distributions import face_at_least

IMPOSSIBLE = 10
"""From this need on, a hit is impossible."""
NEVER = 7
"""A save that cannot be rolled."""


def shot_need(bs: int, far: bool, moved: bool, cover: int, large: bool) -> int:
    """The roll a shot needs on a D6: 7 - BS; +1 far, +1 moved; +1 light or +2 hard cover; -1 at a large target. At least 2: a 1
    never hits. BS 0 cannot shoot."""
    if bs <= 0:
        return IMPOSSIBLE
    return min(IMPOSSIBLE, max(2, 7 - bs + far + moved + cover - large))


def second_need(need: int) -> int:
    """For a need of 7, 8 or 9: the roll needed after the 6, that is 4, 5 or 6."""
    return need - 3


def wound_need(strength: int, toughness: int) -> int:
    """The roll a hit needs to wound: 4 if equal, one step per point, never better than 2; a 6 always wounds."""
    return min(6, max(2, 4 + toughness - strength))


def save_need(save: int, strength: int) -> int:
    """The roll an armour save needs against a strength: worse by each point over 3. NEVER without armour or above 6."""
    if not save:
        return NEVER
    return min(NEVER, max(2, save + max(0, strength - 3)))


def close_need(ws: int, enemy: int) -> int:
    """The roll a blow needs to hit: 4; 3 against a lower weapon skill; 5 if the enemy's is more than double."""
    if ws > enemy:
        return 3
    return 5 if enemy > 2 * ws else 4


def flight_dice(move: int) -> int:
    """Dice of flight and pursuit: two, or three if M is over 6."""
    return 3 if move > 6 else 2


# ---- expectations: for estimates only, never for a rule --------------------------------------------------------------


def hit_chance(need: int) -> float:
    """The chance that a shot hits."""
    if need <= 6:
        return face_at_least(need)
    return face_at_least(6) * face_at_least(second_need(need)) if need < IMPOSSIBLE else 0.0


def tells(strength: int, toughness: int, save: int, ward: int) -> float:
    """The chance that a hit wounds and is not saved."""
    through = 1.0 - face_at_least(save_need(save, strength))
    return face_at_least(wound_need(strength, toughness)) * through * (1.0 - face_at_least(ward or NEVER))
