"""A building hex falls: the units inside, the overlay, what remains (SH-FALL-1..5).

The overlay's movement cost and cover are in `ground.py`. Read `fall`.
"""

from __future__ import annotations

from battlesim.core.events import StructureSet
from battlesim.core.items import Step
from battlesim.rules.contract import Chapter
from battlesim.rules.resolution import Clauses, Resolution
from battlesim.rulesets.squadhex import facts
from battlesim.rulesets.squadhex.fire import CANCEL
from battlesim.rulesets.squadhex.ground import COVER, is_light, token
from battlesim.rulesets.squadhex.model import battle_state, structure
from battlesim.rulesets.squadhex.targets import occupants

DICE, HIT = 4, 4
"""Dice per floor that each squad inside takes, and the roll from which each hits (SH-FALL-1)."""


class Fall(Step, frozen=True):
    """A building hex collapses."""

    section: int


def fall(r: Resolution, step: Fall) -> None:
    """The hex becomes a ruin under an overlay, and each squad inside is hit by debris."""
    state, board = r.state, r.board
    section = board.sections[step.section]
    inside = occupants(state, board, step.section)
    clauses: Clauses = ("SH-FALL-3", "SH-FALL-5", *_objective(r, step.section))
    r.because(StructureSet(step.section, True, False, structure(state, step.section), clauses=clauses))
    r.emit(facts.Overlay(section=step.section, number=token(board, step.section), clauses=("SH-FALL-3",)))
    # Each squad inside takes four dice for each floor of the hex. Cover cancels no hits unless an option says so.
    covers = battle_state(state).fall_cover
    for unit in inside:
        hits = r.count(DICE * (section.top + 1), HIT, "fall", unit.id, step.section, clauses=("SH-FALL-1",))
        if covers and hits:
            dice = COVER["light" if is_light(board, step.section) else "building"]
            hits -= r.count(dice, CANCEL, "fall cover", unit.id, step.section, clauses=("SH-FALL-1",))
        r.emit(facts.Buried(unit=unit.id, section=step.section, number=max(0, hits), clauses=("SH-FALL-1",)))
        r.lose(unit, max(0, hits), "collapse", ("SH-FALL-1",))
        # Survivors stay on the hex, now a ruin, and are pinned.
        unit = state.units[unit.id]
        if unit.alive:
            r.move(unit, (unit.place, section.ruin), ("SH-FALL-2", "SH-HOUSE-STACK"))
            r.emit(facts.Pinned(unit=unit.id, clauses=("SH-FALL-2",)))
            r.set(unit.id, ("SH-FALL-2",), pinned=True)


def _objective(r: Resolution, section: int) -> Clauses:
    """SH-FALL-4 if the hex is an objective: it stays one in ruins."""
    ruin = r.board.sections[section].ruin
    return ("SH-FALL-4",) if any(ruin in goal.places for goal in battle_state(r.state).objectives) else ()


CHAPTER = Chapter(owns=("SH-FALL-1", "SH-FALL-2", "SH-FALL-4"), steps={Fall: fall})
