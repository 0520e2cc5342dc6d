"""From hits to wounds that tell: the wound, armour and ward rolls that every attack shares (RG-HOUSE-SHOOT). Read `told`."""

from __future__ import annotations

from battlesim.core.state import Unit
from battlesim.rules.resolution import Resolution
from battlesim.rulesets.regiment.data import UnitType
from battlesim.rulesets.regiment.model import attempt, type_of
from battlesim.rulesets.regiment.tables import NEVER, save_need, second_need, wound_need


def hits(r: Resolution, shots: int, need: int, purpose: str, actor: int, target: int) -> int:
    """How many of so many shots hit; a need of 7 to 9 is a six and then 4, 5 or 6 (RG-HOUSE-SHOOT)."""
    now = attempt(r.state)
    if need <= 6:
        return r.count(shots, need, f"{purpose} hit", actor, target, now)
    sixes = r.count(shots, 6, f"{purpose} hit", actor, target, now)
    return r.count(sixes, second_need(need), f"{purpose} again", actor, target, now)


def told(r: Resolution, hit: int, strength: int, target: Unit, purpose: str, actor: int) -> int:
    """How many hits wound and are not saved, by armour or ward."""
    kind: UnitType = type_of(target)
    now = attempt(r.state)
    left = r.count(hit, wound_need(strength, kind.t), f"{purpose} wound", actor, target.id, now)
    save = save_need(kind.save, strength)
    if save < NEVER:
        left -= r.count(left, save, f"{purpose} save", actor, target.id, now)
    if kind.ward:
        left -= r.count(left, kind.ward, f"{purpose} ward", actor, target.id, now)
    return left


def multiple(r: Resolution, wounds: int, target: Unit, purpose: str, actor: int) -> int:
    """D3 for each wound, no model losing more than it has: whoever has one wound dies of the first."""
    most = type_of(target).w
    if most == 1 or not wounds:
        return wounds
    faces = r.roll(wounds, 3, f"{purpose} wounds", actor, target.id, attempt(r.state))
    return sum(min(face, most) for face in faces)
