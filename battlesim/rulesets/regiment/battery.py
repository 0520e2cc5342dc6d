"""What engines, bolts and breath have in common: the artillery die, misfires, models struck, walls shaken (RG-SHOOT-4,
RG-HOUSE-CREW, RG-HOUSE-WALLS). Read `discharge`, `strike` and `shake_walls`.
"""

from __future__ import annotations

from battlesim.core.events import StructureSet
from battlesim.core.geometry import INCH
from battlesim.core.state import Structure, Unit
from battlesim.rules.resolution import Clauses, Resolution
from battlesim.rulesets.regiment import casualties, facts_buildings, facts_fire, ground, morale
from battlesim.rulesets.regiment.model import attempt
from battlesim.rulesets.regiment.rooms import Room

MISFIRE = 1
"""The misfire face of the artillery die; the others are 2, 4, 6, 8 and 10 inches."""


def artillery_length(face: int) -> int:
    """The hundredths shown by a face of the artillery die; 0 is a misfire."""
    return 0 if face == MISFIRE else (face - 1) * 2 * INCH


def discharge(r: Resolution, unit: Unit, target: Unit, clauses: Clauses) -> int:
    """An engine fires by the artillery die; the hundredths it shows, 0 if it misfires and nothing flies."""
    face = r.roll(1, 6, "artillery", unit.id, target.id, attempt(r.state))[0]
    r.because(facts_fire.Fires(unit=unit.id, other=target.id, clauses=clauses))
    if face == MISFIRE:
        _misfire(r, unit)
    return artillery_length(face)


def _misfire(r: Resolution, unit: Unit) -> None:
    """1-2 destroyed, 3-4 silent next turn too, 5-6 no shot (RG-HOUSE-CREW)."""
    clauses: Clauses = ("RG-HOUSE-CREW", "RG-HOUSE-ENGINES")
    face = r.roll(1, 6, "misfire", unit.id, -1, attempt(r.state))[0]
    r.because(
        facts_fire.Misfire(unit=unit.id, number=1 if face >= 5 else 0 if face >= 3 else -1, clauses=clauses)
    )
    if face <= 2:
        casualties.destroy(r, unit, "blown up", clauses)
    elif face <= 4:
        r.set(unit.id, clauses, silent=r.state.turn + 1)


def strike(
    r: Resolution,
    unit: Unit,
    target: Unit,
    models: int,
    strength: int,
    purpose: str,
    clauses: Clauses,
    many: bool = False,
) -> int:
    """So many models of a unit are hit; the models lost. `many`: multiple wounds, D3 each."""
    if models <= 0 or not target.alive:
        return 0
    wounds = casualties.unsaved(r, models, strength, target, purpose, unit.id)
    if many:
        wounds = casualties.multiple_wounds(r, wounds, target, purpose, unit.id)
    before = r.cause
    r.because(
        facts_fire.MachineHit(
            unit=unit.id, other=target.id, place=target.place, number=models, clauses=clauses
        )
    )
    lost = casualties.wounds_by_shooting(r, target, wounds, clauses)
    r.cause = before  # what happens to one unit is not the cause of what happens to the next, or to the walls
    return lost


def shake_walls(r: Resolution, unit: Unit, room: Room) -> None:
    """RG-SHOOT-4: S 8 or more with multiple wounds on the building itself. More wounds than the level make it unstable, and its
    garrison takes a panic test, even if it was already unstable (RG-HOUSE-WALLS)."""
    rolled = r.roll(1, 3, "walls", unit.id, room.place, attempt(r.state))[0]
    clauses: Clauses = ("RG-SHOOT-4", "RG-FORT-1")
    if rolled <= room.level:
        r.emit(
            facts_buildings.WallsHold(
                unit=unit.id, place=room.place, section=room.section, number=rolled, clauses=clauses
            )
        )
        return
    was = r.state.structures.get(room.section, Structure(room.section))
    known = was.own.get("unstable", ())
    clauses += ("RG-UNST-1",)
    before = r.cause
    r.because(
        facts_buildings.Unstable(
            unit=unit.id, place=room.place, section=room.section, number=rolled, clauses=clauses
        )
    )
    if room.place not in known:
        made = tuple(sorted((*known, room.place)))
        r.emit(StructureSet(room.section, was.fallen, was.burning, {"unstable": made}, clauses=clauses))
    held = ground.holder(r.state, room.place)
    if held is not None:
        r.then(morale.Panic(held.id, unit.id, True))
    r.cause = before


def garrison_in(r: Resolution, room: Room) -> Unit | None:
    """The garrison of a room: stray shots hit it even when it is in contact."""
    return ground.holder(r.state, room.place)
