"""Assaults: moving into a space held by the enemy (AC-HOUSE-ASSAULT). Read `melee`; `clash` is one round."""

from __future__ import annotations

from collections.abc import Sequence

from battlesim.core.items import Step
from battlesim.core.state import Unit
from battlesim.rules.contract import Chapter
from battlesim.rules.resolution import Clauses, Resolution
from battlesim.rulesets.armorclass import casualties, facts, flames, ground
from battlesim.rulesets.armorclass.facts import Fought
from battlesim.rulesets.armorclass.model import type_of

ROUNDS = 3
"""The most rounds of one assault (AC-HOUSE-ASSAULT)."""


class Melee(Step, frozen=True):
    """One round between a unit and the enemies on a space."""

    unit: int
    place: int
    foe: int
    round: int = 1


def clash(
    ours: Sequence[int], theirs: Sequence[int], melee: int, their_melee: int, models: int, their_models: int
) -> tuple[int, int]:
    """The losses of a round: (lost, inflicted). Soldiers fight in pairs, die plus bonus; the higher kills, a tie does nothing.
    The larger side's surplus soldiers add 1 each, given to its pairs in turn."""
    pairs = len(ours)
    extra_ours, extra_theirs = max(0, models - their_models), max(0, their_models - models)
    lost = inflicted = 0
    for i in range(pairs):
        mine = ours[i] + melee + extra_ours // pairs + (i < extra_ours % pairs)
        other = theirs[i] + their_melee + extra_theirs // pairs + (i < extra_theirs % pairs)
        if mine > other:
            inflicted += 1
        elif other > mine:
            lost += 1
    return lost, inflicted


def begin(r: Resolution, unit: Unit, place: int) -> None:
    """Fight the enemies in a space, the lowest number first."""
    foes = [foe for foe in ground.foes_at(r.state, place, unit.side) if foe.alive]
    if foes:
        r.because(
            facts.Assault(
                unit=unit.id, other=foes[0].id, place=place, clauses=("AC-HOUSE-ASSAULT",), cause=r.cause
            )
        )
        r.then(Melee(unit.id, place, foes[0].id))


def melee(r: Resolution, step: Melee) -> None:
    """One round in pairs. After three rounds with both sides alive the attackers withdraw; if they win, they go in."""
    unit, foe = r.state.units[step.unit], r.state.units[step.foe]
    if not unit.alive or not foe.alive:
        return
    clauses: Clauses = ("AC-HOUSE-ASSAULT",)
    pairs = min(unit.models, foe.models)
    ours = r.roll(pairs, 10, "melee", unit.id, foe.id, step.round, 0, clauses)
    theirs = r.roll(pairs, 10, "defence", foe.id, unit.id, step.round, 0, clauses)
    lost, inflicted = clash(ours, theirs, type_of(unit).melee, type_of(foe).melee, unit.models, foe.models)
    r.because(Fought(unit.id, foe.id, step.round, lost, inflicted, clauses=clauses, cause=r.cause))
    casualties.lose(r, foe.id, inflicted, "close combat", clauses)
    casualties.lose(r, unit.id, lost, "close combat", clauses)
    unit, foe = r.state.units[unit.id], r.state.units[foe.id]
    if not unit.alive:
        return
    if foe.alive:
        if step.round < ROUNDS:
            r.then(Melee(unit.id, step.place, foe.id, step.round + 1))
        else:
            r.emit(
                facts.ThrownBack(unit=unit.id, other=foe.id, place=unit.place, clauses=clauses, cause=r.cause)
            )
        return
    others = ground.foes_at(r.state, step.place, unit.side)
    if others:
        r.then(Melee(unit.id, step.place, others[0].id))
        return
    r.emit(facts.Takes(unit=unit.id, other=foe.id, place=step.place, clauses=clauses, cause=r.cause))
    r.move(unit, (unit.place, step.place), clauses)
    flames.enter(r, unit.id, flames.ON_TAKING)


CHAPTER = Chapter(owns=("AC-HOUSE-ASSAULT",), steps={Melee: melee})
