"""What burns, what could burn, and attacks by fire on units (AC-FIRE-4). Fires start, grow and go out in `blaze.py`.

Read `burn`; `enter` is for units that enter a fire in other ways than by walking.
"""

from __future__ import annotations

from battlesim.board.board import Board
from battlesim.core.state import State
from battlesim.rules.contract import Chapter
from battlesim.rules.resolution import Clauses, Resolution
from battlesim.rulesets.armorclass import casualties, concealment, facts_buildings, works
from battlesim.rulesets.armorclass.model import battle_state

FACTOR = 5
"""The attack factor of fire (AC-FIRE-4)."""
ON_ARRIVAL, ON_TAKING, AT_THE_END, ON_FALLING = 88, 89, 90, 100
"""Attempt numbers that keep the dice of one turn apart: a reserve comes on, a room is taken, the turn ends. A unit that falls
uses the last plus the space it fell from. On a move they are steps, from 1."""


def is_burning(state: State, board: Board, place: int) -> bool:
    """Whether a space burns."""
    fires = battle_state(state).fires
    if not fires:
        return False
    return any(place == p for fire in fires for p, _ in fire.taken) and works.tenable(state, board, place)


def burning_places(state: State, board: Board) -> tuple[int, ...]:
    """The spaces that burn, fire by fire."""
    fires = battle_state(state).fires
    if not fires:
        return ()
    return works.tenable_among(state, board, tuple([place for fire in fires for place, _ in fire.taken]))


def has_plants(state: State, board: Board, place: int) -> bool:
    """Whether a ground space has plants that are neither burnt nor wrecked."""
    space = board.spaces[place]
    return (
        space.kind == "ground"
        and space.terrain in concealment.PLANTS
        and place not in battle_state(state).burnt
    )


def flammable(state: State, board: Board, place: int) -> bool:
    """Whether a space has fuel: plants that have not burnt, a flammable field work, or a flammable floor or roof (AC-FIRE-1). A
    roof burns with the floor under it. The space on top of a flat roof has no fuel of its own."""
    space = board.spaces[place]
    if space.kind == "ground":
        work = works.fieldwork(state, place)
        return has_plants(state, board, place) or (work is not None and (work.burns or work.roof_burns))
    if space.roof or not has_fuel(state, board, place):
        return False
    above = board.sections[space.section].spaces[
        space.floor + 1 : works.floors_left(state, board, space.section)
    ]
    on_top = all(board.spaces[over].roof for over in above)
    return works.make_of(board, space.section).burns or (on_top and roof_burns(state, board, space.section))


def roof_burns(state: State, board: Board, section: int) -> bool:
    """Whether what covers a section can burn. The roof falls with the top floor; the ceiling left burns as the walls do."""
    make = works.make_of(board, section)
    whole = works.floors_left(state, board, section) == len(board.sections[section].spaces)
    return make.roof_burns if whole else make.burns


def has_fuel(state: State, board: Board, place: int) -> bool:
    """Whether a floor stands and has not burnt out."""
    return works.tenable(state, board, place) and place not in battle_state(state).burnt


def walls_burn(state: State, board: Board, place: int) -> bool:
    """Whether the walls or contents of a floor could catch fire. A flat roof has none."""
    space = board.spaces[place]
    return not space.roof and has_fuel(state, board, place) and works.make_of(board, space.section).burns


def go_out(r: Resolution, section: int, clauses: Clauses) -> None:
    """A section burns no more once no floor of it does: its fires have burnt out, or the floors that burnt are destroyed."""
    structure = r.state.structures[section]
    spaces = r.board.spaces
    if structure.burning and all(spaces[p].section != section for p in burning_places(r.state, r.board)):
        works.change(r, section, clauses, burning=False)


# ---- attacks by fire


def burn(r: Resolution, unit: int, attempt: int) -> None:
    """Fire attacks a unit, each model once (AC-FIRE-4)."""
    caught = r.state.units[unit]
    clauses: Clauses = ("AC-FIRE-4", "AC-HOUSE-FIRE")
    r.emit(facts_buildings.InTheFire(unit=unit, place=caught.place, clauses=clauses, cause=r.cause))
    casualties.strike(r, -1, unit, FACTOR, caught.models, attempt, clauses, "burns")


def enter(r: Resolution, unit: int, attempt: int) -> None:
    """Fire attacks a unit that has just entered its space, if that burns (AC-HOUSE-FIRE)."""
    if is_burning(r.state, r.board, r.state.units[unit].place):
        burn(r, unit, attempt)


def burn_all(r: Resolution) -> None:
    """At each turn's end fire attacks all units in it."""
    for place in sorted(burning_places(r.state, r.board)):
        for unit in r.state.at.get(place, ()):
            burn(r, unit, AT_THE_END)


CHAPTER = Chapter(owns=("AC-FIRE-4",))
