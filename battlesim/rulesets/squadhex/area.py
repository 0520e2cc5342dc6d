"""Area attacks: mortars and artillery strikes on a hex, which scatter (SH-HOUSE-AREA, SH-TARGET-3, SH-EX-2).

Read `bombard`: scatter, then each unit there, then the building.
"""

from __future__ import annotations

from collections.abc import Sequence

from battlesim.board.board import Board
from battlesim.core.answers import Answer, Pass, TargetSpace
from battlesim.core.items import Ask, Step
from battlesim.core.memo import memo
from battlesim.core.state import State, Unit, fallen
from battlesim.rules.contract import Chapter
from battlesim.rules.resolution import Clauses, Resolution
from battlesim.rulesets.squadhex import attack, buildings, casualties, facts, morale
from battlesim.rulesets.squadhex.data import TYPES
from battlesim.rulesets.squadhex.facts import Attacked
from battlesim.rulesets.squadhex.fire import CANCEL, WITHIN, defence, halved, halvings
from battlesim.rulesets.squadhex.ground import cover_clauses
from battlesim.rulesets.squadhex.hexes import DIRECTIONS, hexes
from battlesim.rulesets.squadhex.model import BOMBARD, NORMAL, SUPPRESSIVE, battle_state, type_of, unit_state
from battlesim.rulesets.squadhex.targets import can_fell, hexes_at, name_of, occupants

CLAUSES = ("SH-HOUSE-AREA",)
SCATTERS = 5
"""The roll on one die from which an area attack scatters."""


class WhichHex(Ask, frozen=True):
    """Which hex does a unit bombard?"""

    unit: int


class HowBombarded(Ask, frozen=True):
    """Normal or suppressive?"""

    unit: int
    place: int


class Bombard(Step, frozen=True):
    """An area attack lands on or near a hex."""

    unit: int
    place: int
    mode: str


class AtTheBuilding(Step, frozen=True):
    """The roll of a normal area attack against the building, after the losses of the squads inside (SH-TARGET-3). `example`:
    squads are on its bottom and top floors, as in SH-EX-2."""

    unit: int
    section: int
    dice: int
    example: bool


def legal_which_hex(state: State, board: Board, ask: WhichHex) -> Sequence[Answer]:
    """The hexes that `targets.hexes_at` lists; pass if none is left."""
    return [TargetSpace(place) for place in hexes_at(state, board, state.units[ask.unit])] or [Pass()]


def resolve_which_hex(r: Resolution, ask: WhichHex, said: Answer) -> None:
    """Ask next how the hex is bombarded."""
    if isinstance(said, TargetSpace):
        r.then(HowBombarded(ask.unit, said.place, side=ask.side))


def legal_how_bombarded(state: State, board: Board, ask: HowBombarded) -> Sequence[Answer]:
    """Normal or suppressive; on an empty hex only normal, since there is no one to suppress."""
    space = board.spaces[ask.place]
    anybody = occupants(state, board, space.section) if space.kind == "floor" else state.at.get(ask.place)
    return attack.MODES if anybody else attack.MODES[:1]


def resolve_how_bombarded(r: Resolution, ask: HowBombarded, said: Answer) -> None:
    """The attack lands next. It uses up one shot of a unit whose shots are limited."""
    unit = r.state.units[ask.unit]
    mine = unit_state(unit)
    if mine.shots > 0:
        r.set(unit.id, CLAUSES, shots=mine.shots - 1)
    mode = NORMAL if said == attack.MODES[0] else SUPPRESSIVE
    r.then(Bombard(unit.id, ask.place, mode))


def area_dice(unit: Unit, mode: str) -> int:
    """Dice of a unit's area attack: the firepower of its living crew (SH-HOUSE-FIGURES), halved when it is pinned
    (SH-HOUSE-SUPPRESS)."""
    return halved(_crewed(unit.kind, unit.models, mode), halvings(unit))


@memo(bound=1_024)
def _crewed(kind: str, models: int, mode: str) -> int:
    """Dice of an area attack by so many figures of a type of unit."""
    one = TYPES[kind]
    dice = one.area if mode == NORMAL else one.area_suppressive
    crew = sum(figure.serves for figure in one.figures)
    # A mortar fires the share of its dice that its living crew can serve, rounded up. A strike called by observers is
    # not their own and is never reduced.
    if crew:
        left = sum(figure.serves for figure in one.figures[:models])
        dice = (dice * left + crew - 1) // crew
    return dice


def _dice_clauses(unit: Unit) -> Clauses:
    """The clauses that apply to the dice of a unit's area attack."""
    figures = ("SH-HOUSE-FIGURES",) if any(figure.serves for figure in type_of(unit).figures) else ()
    return (*figures, "SH-HOUSE-SUPPRESS") if unit_state(unit).pinned else figures


def bombard(r: Resolution, step: Bombard) -> None:
    """An area attack: scatter, then each unit there, then the building."""
    state, board, grid = r.state, r.board, hexes(r.board)
    unit = state.units[step.unit]
    dice = area_dice(unit, step.mode)
    target = aimed = grid.of[step.place]
    # On 5 or 6 it lands on one of the six hexes next to its target; off the map it does nothing.
    if r.count(1, SCATTERS, "scatter", unit.id, step.place, clauses=CLAUSES):
        dq, dr = DIRECTIONS[r.pick(6, "where", unit.id, step.place, clauses=CLAUSES)]
        q, r_ = grid.at[target]
        landed = grid.by_axial.get((q + dq, r_ + dr))
        if landed is None:
            r.because(facts.ScatteredOff(unit=unit.id, place=step.place, clauses=CLAUSES))
            return
        target = landed
    section = grid.section[target]
    standing = section >= 0 and section not in fallen(state)
    lands = facts.Bombards if target == aimed else facts.Scattered
    place = _name(r, target)
    landed_by = r.because(
        lands(unit=unit.id, place=place, section=section if standing else -1, clauses=CLAUSES)
    )
    inside = occupants(state, board, section) if standing else []
    # In a standing building only units on the top floor are hit.
    if standing:
        top = board.sections[section].spaces[-1]
        hit = [one for one in inside if one.place == top]
    else:
        ground = board.sections[section].ruin if section >= 0 else grid.ground[target]
        hit = [state.units[one] for one in state.at.get(ground, ())]
    for one in hit:
        _burst(r, unit, one, dice, step.mode, standing)
        r.cause = landed_by  # what happens to one unit is not the cause of what happens to the next
    # A normal attack rolls again against a building that may be destroyed.
    if standing and step.mode == NORMAL and section in battle_state(state).destructible:
        floors = [board.spaces[one.place].floor for one in inside]
        example = 0 in floors and board.sections[section].top in floors and board.sections[section].top > 0
        r.then(AtTheBuilding(unit.id, section, dice, example))


def _name(r: Resolution, number: int) -> int:
    """The space that names a hex in its present state: its ground floor, its ruin or its ground."""
    grid = hexes(r.board)
    section = grid.section[number]
    if section < 0:
        return grid.ground[number]
    house = r.board.sections[section]
    return house.ruin if section in fallen(r.state) else name_of(r.board, house.spaces[0])


def _burst(r: Resolution, unit: Unit, target: Unit, dice: int, mode: str, inside: bool) -> None:
    """One unit under an area attack: hits less those cancelled by cover and armour. `inside`: in a standing building."""
    hits = r.count(dice, WITHIN, "area", unit.id, target.id)
    saves = r.count(defence(r.state, r.board, target), CANCEL, "cover", target.id, unit.id) if hits else 0
    cancelled = min(saves, hits)
    net = hits - cancelled
    clauses = [*CLAUSES, *_dice_clauses(unit), *cover_clauses(r.board, target.place)]
    if inside:
        clauses.append("SH-TARGET-3")
        if mode == SUPPRESSIVE:
            clauses.append("SH-ATTACK-1")
        section = r.board.spaces[target.place].section
        walls = area_dice(unit, NORMAL)  # what a normal attack would roll at the building
        if section in battle_state(r.state).destructible and not can_fell(
            r.state, r.board, section, lambda _: walls
        ):
            clauses.append("SH-EX-3")
    distance = hexes(r.board).between(unit.place, target.place)
    r.because(
        Attacked(
            unit.id,
            target.id,
            mode,
            BOMBARD,
            dice,
            WITHIN,
            distance,
            hits,
            cancelled,
            net,
            clauses=tuple(clauses),
        )
    )
    if mode == NORMAL:
        casualties.lose_figures(r, target, net, "bombardment", ("SH-HOUSE-NORMAL", *CLAUSES))
    else:
        morale.suppress(r, target, net, unit.place)


def at_the_building(r: Resolution, step: AtTheBuilding) -> None:
    """The roll against the building: the full number of dice again."""
    if step.section in fallen(r.state):
        return
    unit = r.state.units[step.unit]
    clauses = ["SH-TARGET-3", *CLAUSES, *_dice_clauses(unit)]
    if step.example:
        clauses.append("SH-EX-2")
    buildings.roll_against(r, unit, step.section, step.dice, WITHIN, BOMBARD, tuple(clauses))


CHAPTER = Chapter(
    owns=("SH-HOUSE-AREA", "SH-TARGET-3", "SH-EX-2"),
    asks={
        WhichHex: (legal_which_hex, resolve_which_hex),
        HowBombarded: (legal_how_bombarded, resolve_how_bombarded),
    },
    steps={Bombard: bombard, AtTheBuilding: at_the_building},
)
