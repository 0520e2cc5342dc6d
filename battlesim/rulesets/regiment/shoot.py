"""Shooting: who sees whom, volleys, stand and shoot (RG-HOUSE-SHOOT, RG-SHOOT-1, RG-ATT-5). Read `targets`, then `volley`.

Engines, bolts and breath are `engines.py`'s.
"""

from __future__ import annotations

from collections.abc import Sequence

from battlesim.board.board import Board
from battlesim.core.answers import Answer, Pass, TargetUnit, numbered
from battlesim.core.items import Ask, Step
from battlesim.core.state import State, Unit
from battlesim.rules.contract import Chapter
from battlesim.rules.nearby import Nearby
from battlesim.rules.resolution import Resolution
from battlesim.rulesets.regiment import aim, contacts, engines, form, ground, harm, nerve
from battlesim.rulesets.regiment.data import Weapon
from battlesim.rulesets.regiment.facts import Shot
from battlesim.rulesets.regiment.model import CHARGED, RAN, leads, type_of, unit_state
from battlesim.rulesets.regiment.tables import IMPOSSIBLE


class AtWhom(Ask, frozen=True):
    """At whom does the unit shoot? Pass holds fire."""

    unit: int


class Volley(Step, frozen=True):
    """The unit shoots at its target; `stand`: at one that charges it."""

    unit: int
    target: int
    stand: bool = False


# ---- who may shoot at whom -------------------------------------------------------------------------------------------


def can_shoot(state: State, unit: Unit) -> bool:
    """Whether a unit may shoot now, were there a target: armed, free, neither run nor charged; engines and heavy weapons
    only where it did not move at all; no misfire to mend (RG-HOUSE-MOVE, RG-HOUSE-CREW, RG-ATT-5)."""
    weapon = aim.weapon_of(unit)
    mine = unit_state(unit)
    if weapon is None or not leads(unit) or mine.fleeing or mine.rallied or mine.foes:
        return False
    if mine.moved in (RAN, CHARGED) or (weapon.steady and mine.moved):
        return False
    return mine.silent < state.turn


def open_to_fire(state: State, board: Board, unit: Unit) -> bool:
    """Whether a unit may be shot at: free, or engaged with garrisons from outside (RG-ATT-5, RG-HOUSE-ROOMS)."""
    return leads(unit) and (not unit_state(unit).foes or contacts.is_loose(state, board, unit))


def is_target(
    state: State, board: Board, unit: Unit, weapon: Weapon, target: Unit, stand: bool = False
) -> bool:
    """Whether a unit that can shoot may shoot at an enemy; `stand`: as that one charges it."""
    if not open_to_fire(state, board, target):
        return False
    flat = aim.flat_distance(board, unit, target)
    if flat > weapon.range or flat < weapon.minimum:
        return False
    room = ground.room_of(board, target)
    if room is not None and room.upper and weapon.way == "flame":
        return False  # only what flies aims flames at an upper floor (RG-SHOOT-5)
    if weapon.blind:
        return True
    if not ground.in_front(board, unit, target.place):
        return False
    far = aim.distance_to(state, board, unit, target)
    if far is None or far > weapon.range:
        return False
    if room is None and ground.screened(state, board, unit, target):
        return False
    if weapon.way not in ("shot", "bolt"):
        return True
    return aim.need(state, board, unit, target, weapon, far, stand) < IMPOSSIBLE


def targets(state: State, board: Board, unit: Unit) -> list[int]:
    """Enemies a unit can shoot at, by id."""
    weapon = aim.weapon_of(unit)
    if weapon is None or not can_shoot(state, unit):
        return []
    return [
        other.id
        for other in state.units.values()
        if other.side != unit.side and other.place >= 0 and is_target(state, board, unit, weapon, other)
    ]


def might_shoot(state: State, board: Board, unit: Unit, enemies: Nearby | None = None) -> bool:
    """Whether a unit has a part in the shooting phase, looked at roughly: armed, free, an enemy in range. `enemies`: those of its
    side, where the caller looks at many units."""
    weapon = aim.weapon_of(unit)
    if weapon is None or not can_shoot(state, unit):
        return False
    too_far = board.sight.too_far
    if enemies:
        # Ranges count from outline to outline: a point inside is at most the size of its section from one.
        foes = enemies.within(unit.place, weapon.range + 4 * enemies.widest)
    else:
        foes = state.living(1 - unit.side)
    return any(leads(foe) and not too_far(unit.place, foe.place, weapon.range) for foe in foes)


def at_whom(state: State, board: Board, ask: AtWhom) -> Sequence[Answer]:
    """Nobody; then enemies by id."""
    unit = state.units[ask.unit]
    return [Pass(), *(numbered(TargetUnit, target) for target in targets(state, board, unit))]


def aimed(r: Resolution, ask: AtWhom, said: Answer) -> None:
    if isinstance(said, TargetUnit):
        weapon = aim.weapon_of(r.state.units[ask.unit])
        if weapon is not None and weapon.way != "shot":
            r.then(engines.Fire(ask.unit, said.unit))
        else:
            r.then(Volley(ask.unit, said.unit))


def can_stand_and_shoot(state: State, board: Board, unit: Unit, charger: Unit) -> bool:
    """Whether a charged unit has something to shoot at who comes: bows and the like, never engines."""
    weapon = aim.weapon_of(unit)
    if (
        weapon is None
        or weapon.way != "shot"
        or not leads(unit)
        or unit_state(unit).foes
        or unit_state(unit).fleeing
    ):
        return False
    return is_target(state, board, unit, weapon, charger, True)


# ---- the volley ------------------------------------------------------------------------------------------------------


def volley(r: Resolution, step: Volley) -> None:
    """All shots of a unit: to hit, to wound, to save; whoever lost a quarter tests panic."""
    unit, target = r.state.units[step.unit], r.state.units[step.target]
    weapon = aim.weapon_of(unit)
    if weapon is None or not unit.alive or not target.alive or unit.place < 0 or target.place < 0:
        return
    far = aim.distance_to(r.state, r.board, unit, target)
    if far is None:
        return
    goal = aim.need(r.state, r.board, unit, target, weapon, far, step.stand)
    shots = form.shooters(r.board, unit)
    purpose = "stand" if step.stand else "shot"
    hit = harm.hits(r, shots, goal, purpose, unit.id, target.id)
    wounds = harm.told(r, hit, weapon.strength, target, purpose, unit.id)
    dead = (unit_state(target).wounds + wounds) // type_of(target).w
    lost = min(dead, target.models)
    clauses = aim.clauses_of(r, unit, target)
    r.because(Shot(unit.id, target.id, weapon.name, shots, goal, hit, lost, far, clauses=clauses))
    aim.wound(r, target, wounds, clauses)
    nerve.after_shooting(r, target.id, unit.id)


CHAPTER = Chapter(
    owns=("RG-HOUSE-SHOOT", "RG-SHOOT-1", "RG-SHOOT-2", "RG-ATT-5"),
    asks={AtWhom: (at_whom, aimed)},
    steps={Volley: volley},
)
