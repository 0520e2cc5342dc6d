"""Shooting: targets, volleys, stand and shoot (RG-HOUSE-SHOOT, RG-SHOOT-1, RG-ATT-5). Read `volley`.

Engines, bolts and breath are in `engines.py`.
"""

from __future__ import annotations

from collections.abc import Sequence

from battlesim.board.board import Board
from battlesim.core.answers import Answer, Pass, TargetUnit, numbered
from battlesim.core.items import Ask, Step
from battlesim.core.state import State
from battlesim.rules.contract import Chapter
from battlesim.rules.resolution import Resolution
from battlesim.rulesets.regiment import casualties, engines, form, line_of_sight, morale, targets
from battlesim.rulesets.regiment.facts_fire import Shot
from battlesim.rulesets.regiment.model import type_of, unit_state


class AtWhom(Ask, frozen=True):
    """At which enemy does the unit shoot? Pass holds fire."""

    unit: int


class Volley(Step, frozen=True):
    """The unit shoots at its target; `stand`: at one that charges it."""

    unit: int
    target: int
    stand: bool = False


# ---- the question ----------------------------------------------------------------------------------------------------


def legal_at_whom(state: State, board: Board, ask: AtWhom) -> Sequence[Answer]:
    """Pass; then enemies by id."""
    unit = state.units[ask.unit]
    return [
        Pass(),
        *(numbered(TargetUnit, target) for target in targets.shooting_targets(state, board, unit)),
    ]


def resolve_at_whom(r: Resolution, ask: AtWhom, said: Answer) -> None:
    """The shot: a volley, or the work of `engines.py` for engines, bolts and breath."""
    if isinstance(said, TargetUnit):
        weapon = targets.weapon_of(r.state.units[ask.unit])
        if weapon is not None and weapon.way != "shot":
            r.then(engines.Fire(ask.unit, said.unit))
        else:
            r.then(Volley(ask.unit, said.unit))


# ---- the volley ------------------------------------------------------------------------------------------------------


def volley(r: Resolution, step: Volley) -> None:
    """All shots are rolled to hit, to wound and to save; then a target that lost a quarter of its models tests panic."""
    unit, target = r.state.units[step.unit], r.state.units[step.target]
    weapon = targets.weapon_of(unit)
    if weapon is None or not unit.alive or not target.alive or unit.place < 0 or target.place < 0:
        return
    far = line_of_sight.distance_to(r.board, unit, target)
    if far is None:
        return
    goal = targets.need(r.board, unit, target, weapon, far, step.stand)
    shots = form.shooters(r.board, unit)
    purpose = "stand" if step.stand else "shot"
    hit = casualties.hits(r, shots, goal, purpose, unit.id, target.id)
    wounds = casualties.unsaved(r, hit, weapon.strength, target, purpose, unit.id)
    dead = (unit_state(target).wounds + wounds) // type_of(target).w
    lost = min(dead, target.models)
    clauses = targets.clauses_of(r, unit, target)
    r.because(Shot(unit.id, target.id, weapon.name, shots, goal, hit, lost, far, clauses=clauses))
    casualties.wounds_by_shooting(r, target, wounds, clauses)
    morale.after_shooting(r, target.id, unit.id)


CHAPTER = Chapter(
    owns=("RG-HOUSE-SHOOT", "RG-SHOOT-1", "RG-SHOOT-2", "RG-ATT-5"),
    asks={AtWhom: (legal_at_whom, resolve_at_whom)},
    steps={Volley: volley},
)
