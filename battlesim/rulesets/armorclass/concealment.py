"""Concealment and detection (AC-CONC-1, AC-HOUSE-DETECT, AC-HOUSE-CONCEAL).

Read `level_of`, the concealment of a unit, and `detect`, the dice that find it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from battlesim.board.board import Board
from battlesim.board.model import SightRules
from battlesim.core.geometry import INCH
from battlesim.core.items import Step
from battlesim.core.state import State, Unit
from battlesim.rules.contract import Chapter
from battlesim.rules.resolution import Clauses, Resolution
from battlesim.rulesets.armorclass import facts, works
from battlesim.rulesets.armorclass.data import D10
from battlesim.rulesets.armorclass.facts import Detected
from battlesim.rulesets.armorclass.fire import Group
from battlesim.rulesets.armorclass.line_of_sight import LineOfSight
from battlesim.rulesets.armorclass.model import battle_state, type_of, unit_state

NONE, THIRD, TWO_THIRDS, MORE, TOTAL = range(5)
"""Levels of concealment: none, up to one third, one to two thirds, more than two thirds, total (AC-HOUSE-DETECT)."""
FOUND_ON: tuple[int, ...] = (9, 7, 5, 3, 0)
"""The highest D10 roll that finds a hidden unit, by level of concealment (AC-HOUSE-DETECT)."""
SIGHT = SightRules(
    woods_depth=6 * INCH,
    obstacle_reach=7 * INCH // 2,
    cover=(("woods", THIRD), ("hedge", THIRD), ("wall", TWO_THIRDS)),
)
"""A hedge before a target counts as plants, like woods; a wall hides one to two thirds, like a bank (AC-HOUSE-CONCEAL)."""
PLANTS = ("woods",)
HIDING = ("woods", "rubble")


class Detect(Step, frozen=True):
    """A unit looks for every hidden enemy in sight. `again`: after moving."""

    unit: int
    again: bool = False


def place_level(state: State, board: Board, place: int, unit: Unit) -> int:
    """The concealment that a space by itself gives, or would give, to a unit there (AC-HOUSE-CONCEAL)."""
    space = board.spaces[place]
    if space.kind == "floor":
        return TWO_THIRDS if space.roof else TOTAL
    level = THIRD if space.terrain in HIDING and place not in battle_state(state).burnt else NONE
    work = works.fieldwork(state, place)
    if work is not None and works.shelters(state, work, unit):
        level = MORE if work.roof else TWO_THIRDS
    return level


def level_of(state: State, board: Board, unit: Unit, cover: int = 0) -> int:
    """The concealment of a unit, 0 to 4, along a line with some cover at its end. A unit in total concealment that has fired
    counts one level less (AC-CONC-1)."""
    kind = type_of(unit)
    level = place_level(state, board, unit.place, unit)
    if board.spaces[unit.place].kind != "floor":
        return covered(state, unit.place, level, cover)
    if kind.kind == "turret":
        return min(level, TWO_THIRDS)
    return MORE if level == TOTAL and unit.own.fired >= 0 else level


def covered(state: State, place: int, level: int, cover: int) -> int:
    """The concealment in a place outdoors that gives `level` by itself, along a line with some cover at its end."""
    # the board still counts plants that are gone
    return max(level, NONE if cover == THIRD and place in battle_state(state).burnt else cover)


def is_concealed(board: Board, unit: Unit) -> bool:
    """Whether a unit is totally concealed for any cover (must agree with `level_of`): it is indoors and has not fired."""
    space = board.spaces[unit.place]
    indoors = space.kind == "floor" and not space.roof
    return indoors and unit.own.fired < 0 and type_of(unit).kind != "turret"


def found_on(state: State, board: Board, unit: Unit, cover: int = 0) -> int:
    """The highest D10 roll on which a hidden unit is found; 0: never."""
    base = FOUND_ON[level_of(state, board, unit, cover)]
    return min(10, base + max(unit_state(unit).fired, 0)) if base else 0


def clauses_of(state: State, board: Board, unit: Unit) -> Clauses:
    """The clauses that give a unit its concealment."""
    clauses: Clauses = ("AC-HOUSE-DETECT", "AC-HOUSE-CONCEAL")
    space = board.spaces[unit.place]
    if space.kind == "floor" and unit_state(unit).fired >= 0:
        clauses += ("AC-CONC-1",)
    work = works.fieldwork(state, unit.place)
    if work is not None:
        clauses += (WORK_CLAUSES[work.kind],)
    if type_of(unit).kind == "turret":
        clauses += ("AC-TYPE-9",)
    return clauses


WORK_CLAUSES = {"foxhole": "AC-TYPE-4", "trench": "AC-TYPE-7", "emplacement": "AC-TYPE-8"}


def detect(r: Resolution, step: Detect) -> None:
    """One die for each hidden enemy in sight that can be found at all."""
    state, board = r.state, r.board
    unit = state.units[step.unit]
    if not unit.alive or unit.place < 0:
        return
    look = LineOfSight(state, board)
    for other in list(state.units.values()):
        if other.side == unit.side or other.place < 0 or other.own.detected:
            continue
        if is_concealed(board, other):
            continue
        line = look.nearest(unit.place, other.place)
        if line is None:
            continue
        cover = line.cover
        need = found_on(state, board, other, cover)
        clauses = clauses_of(state, board, other)
        missed = (
            r.count(1, need + 1, "detect", unit.id, other.id, int(step.again), D10, clauses)
            if need < 10
            else 0
        )
        if not missed:
            level = level_of(state, board, other, cover)
            r.emit(Detected(unit.id, other.id, level, need, clauses=clauses, cause=r.cause))
            r.set(other.id, clauses, detected=True)


def reveal(r: Resolution, unit: int, other: int) -> None:
    """A unit that another runs into is found without dice."""
    clauses: Clauses = ("AC-HOUSE-DETECT",)
    found = r.state.units[other]
    if found.alive and not unit_state(found).detected:
        r.emit(Detected(unit, other, 0, 10, clauses=clauses, cause=r.cause))
        r.set(other, clauses, detected=True)


def meet(r: Resolution, unit: int, other: int) -> None:
    """A unit runs into another: each finds the other without dice."""
    reveal(r, unit, other)
    reveal(r, other, unit)


def run_into(r: Resolution, unit: int, foes: Sequence[Unit], place: int) -> None:
    """A unit on the move runs into the enemies who hold a place. The hidden ones are told of as met by surprise."""
    for foe in foes:
        if not unit_state(foe).detected:
            r.emit(
                facts.RunsInto(
                    unit=unit, other=foe.id, place=place, clauses=("AC-HOUSE-DETECT",), cause=r.cause
                )
            )
        meet(r, unit, foe.id)


def reveal_firer(r: Resolution, unit: Unit, weapons: Sequence[Group]) -> None:
    """A unit that fires is easier to find, by the signature of its loudest weapon, until its next activation (AC-CONC-1,
    AC-HOUSE-CONCEAL). Weapons with one shot are used up."""
    mine = unit_state(unit)
    signature = max((group.weapon.signature for group in weapons), default=0)
    clauses: Clauses = ("AC-HOUSE-CONCEAL",)
    if level_of(r.state, r.board, unit) == TOTAL:
        clauses += ("AC-CONC-1",)
    r.set(unit.id, clauses, fired=max(mine.fired, signature))
    used = [n for group in weapons if group.weapon.once for n in group.mounts]
    if used:
        r.set(
            unit.id,
            ("AC-HOUSE-DATA",),
            spent=tuple(sorted({*unit_state(r.state.units[unit.id]).spent, *used})),
        )


def lose_sight(r: Resolution, moved: Collection[int] = ()) -> None:
    """Detected units that no enemy sees any more are hidden again (AC-HOUSE-DETECT). `moved`: the units that have moved since
    this was last done."""
    state, look = r.state, LineOfSight(r.state, r.board)
    posts: tuple[list[int], list[int]] = ([], [])
    for unit in state.units.values():
        if unit.place >= 0:
            posts[unit.side].append(unit.place)
    for unit in list(state.units.values()):
        if unit.place < 0 or not unit.own.detected:
            continue
        if not look.is_seen(unit.place, posts[1 - unit.side]):
            r.emit(
                facts.HiddenAgain(
                    unit=unit.id,
                    place=unit.place,
                    stayed=unit.id not in moved,
                    clauses=("AC-HOUSE-DETECT",),
                    cause=r.cause,
                )
            )
            r.set(unit.id, ("AC-HOUSE-DETECT",), detected=False)


def known_foes(state: State, side: int) -> list[Unit]:
    """The enemies on the board that a side has found, by id."""
    return [unit for unit in state.living(1 - side) if unit.place >= 0 and unit.own.detected]


CHAPTER = Chapter(
    owns=("AC-CONC-1", "AC-HOUSE-DETECT", "AC-HOUSE-CONCEAL", "AC-TYPE-7", "AC-TYPE-8", "AC-TYPE-9"),
    steps={Detect: detect},
)
