"""What a battle of regiments keeps: a unit's own record, the state's extra, and the facts the story tells.

Questions and steps stand in the chapter that owns them. Read `Own` first.
"""

from __future__ import annotations

from msgspec import Struct

from battlesim.core.events import Fact
from battlesim.core.state import State, Unit
from battlesim.rules.activation import Sides
from battlesim.rules.forces import Goal
from battlesim.rulesets.regiment.data import TYPES, UnitType

CHARGE, COMPULSORY, MOVE, SHOOT, FIGHT = range(5)
PHASES = 5
FRONT, FLANK, REAR = range(3)
"""Where an enemy stands to a unit (RG-HOUSE-FORM)."""
MOVED, RAN, CHARGED = "moved", "ran", "charged"


class Own(Struct, frozen=True, gc=False):
    """What the regiment rules keep of a unit.

    `full`: models it began with. `files`: models in a full rank (RG-HOUSE-FORM). `wounds`: taken by the model that is hurt,
    below W. `foes`: enemies in contact, as (unit, where it stands to this one: front, flank or rear), by unit. `charged`:
    came into contact by a charge that has not been fought yet. `fleeing`; `rallied`: this turn. `moved`: "", moved, ran or
    charged, this turn. `joined`: the unit a character is with (-1 none); it shares that unit's space and foes. `against`:
    the enemy unit a garrison's character fights (RG-ATT-4). `silent`: last turn in which an engine cannot shoot.
    `shot`: models lost to shooting in this phase, -1 once it has tested for them. `fell`, `dealt`: models lost and wounds
    dealt in this round of close combat.
    """

    full: int = 1
    files: int = 5
    wounds: int = 0
    foes: tuple[tuple[int, int], ...] = ()
    charged: bool = False
    fleeing: bool = False
    rallied: bool = False
    moved: str = ""
    joined: int = -1
    against: int = -1
    silent: int = 0
    shot: int = 0
    fell: int = 0
    dealt: int = 0


class Extra(Struct, frozen=True):
    """What the regiment rules keep of the battle. `sides`: whose turn, which phase. `done`: units that had their part in
    it. `by_unit`: sides take their parts in turn instead of side after side. `turns`: length; `margin`: points ahead for a
    win; `massacre`: for a massacre (0: there is none). `losses`: worth lost so far, by side.
    """

    sides: Sides = Sides(0)
    done: tuple[int, ...] = ()
    by_unit: bool = False
    turns: int = 6
    margin: int = 1
    massacre: int = 0
    objectives: tuple[Goal, ...] = ()
    losses: tuple[int, int] = (0, 0)


def own(unit: Unit) -> Own:
    """A unit's own record, typed."""
    record: Own = unit.own
    return record


def extra(state: State) -> Extra:
    """The state's extra record, typed."""
    record: Extra = state.extra
    return record


def type_of(unit: Unit) -> UnitType:
    """The type of a unit."""
    return TYPES[unit.kind]


def leads(unit: Unit) -> bool:
    """Whether a unit stands for itself: in the battle, and no character that is with another unit."""
    return unit.alive and unit.place >= 0 and unit.own.joined < 0


def flees(state: State, unit: Unit) -> bool:
    """Whether a unit flees, or the unit a character is with."""
    mine = own(unit)
    return mine.fleeing or (mine.joined >= 0 and own(state.units[mine.joined]).fleeing)


def company(state: State, unit: Unit) -> list[Unit]:
    """The characters that are with a unit, by id."""
    return [
        state.units[number]
        for number in state.at.get(unit.place, ())
        if state.units[number].own.joined == unit.id
    ]


def attempt(state: State) -> int:
    """Tells apart the dice of one turn that bear the same names: the phase and whose it is."""
    sides = extra(state).sides
    return sides.phase + PHASES * sides.side


# ---- facts: what the story tells -------------------------------------------------------------------------------------


class TurnOf(Fact, frozen=True):
    """A side's turn begins (side -1: both act by turns of their units)."""

    side: int


class Charged(Fact, frozen=True):
    """A unit charges an enemy over so many hundredths, at its `arc` (front 0, flank 1, rear 2)."""

    unit: int
    target: int
    range: int
    arc: int


class Reacted(Fact, frozen=True):
    """What a charged unit does: hold, stand (and shoot) or flee."""

    unit: int
    other: int
    how: str


class Tested(Fact, frozen=True):
    """A test of 2D6 against at most `needed`. `why`: panic, walls, break, rally. `again`: a second try."""

    unit: int
    rolled: int
    needed: int
    passed: bool
    why: str
    again: bool = False


class Shot(Fact, frozen=True):
    """A unit shot at a unit: needing `need` (7 to 9: a six and then more), with so many hits and models lost."""

    unit: int
    target: int
    weapon: str
    shots: int
    need: int
    hits: int
    lost: int
    range: int


class Struck(Fact, frozen=True):
    """A unit struck at an enemy in close combat: blows, hits, wounds that told. `first`: by its charge."""

    unit: int
    target: int
    blows: int
    hits: int
    wounds: int
    first: bool = False


class Result(Fact, frozen=True):
    """A round of close combat between units of the first side and of the second: the points of both, and what they are made
    of in words; `side`: the winner, -1 for a draw, `by` so many. `units`: all of them, where they are more than two."""

    unit: int
    other: int
    side: int
    by: int
    points: tuple[int, int]
    first: str
    second: str
    units: tuple[int, ...] = ()


class Happened(Fact, frozen=True):
    """Something the story tells that no other fact covers. `what` names its sentence in story.toml; unit, other, place and
    section (-1: none) and number fill it in."""

    what: str
    unit: int = -1
    other: int = -1
    place: int = -1
    section: int = -1
    number: int = 0
