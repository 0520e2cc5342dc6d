"""The result of a round of close combat (RG-HOUSE-RESULT, RG-RES-1..3, RG-HOUSE-RANKS, RG-PSY-1). Read `tally`, then `score`."""

from __future__ import annotations

from msgspec import Struct

from battlesim.board.board import Board
from battlesim.core.items import Item, Step
from battlesim.core.state import State, Unit
from battlesim.rules.contract import Chapter
from battlesim.rules.resolution import Clauses, Resolution
from battlesim.rulesets.regiment import facts, form, ground, morale, rooms, rout
from battlesim.rulesets.regiment.facts import Result, Tested
from battlesim.rulesets.regiment.model import FLANK, REAR, attempt, company, leads, type_of, unit_state

HELD = 2
"""A double 1 always holds."""


class Score(Step, frozen=True):
    """The blows are over: the result. `units`: all that fought, including characters, some perhaps lost; `rooms`: (enemy in
    contact or character with it, room) of every garrison when the round began."""

    units: tuple[int, ...]
    rooms: tuple[tuple[int, int], ...]


class BreakTest(Step, frozen=True):
    """A unit that lost `by` so many points tests whether it stands."""

    unit: int
    by: int


class Tally(Struct, frozen=True):
    """The points of one side, one by one."""

    wounds: int = 0
    ranks: int = 0
    standard: int = 0
    outnumber: int = 0
    high: int = 0
    flank: int = 0
    clauses: Clauses = ()

    @property
    def total(self) -> int:
        """The combat result of the side: all its points."""
        return self.wounds + self.ranks + self.standard + self.outnumber + self.high + self.flank

    @property
    def words(self) -> str:
        """The points in words: "3 (wounds 2, ranks 1)"."""
        parts = ", ".join(f"{name} {n}" for name, n in self.parts() if n)
        return f"{self.total} ({parts})" if parts else "0"

    def parts(self) -> list[tuple[str, int]]:
        """Each kind of points in words, and how many there are."""
        return [
            ("wounds", self.wounds),
            ("ranks", self.ranks),
            ("standard", self.standard),
            ("numbers", self.outnumber),
            ("high ground", self.high),
            ("flank or rear", self.flank),
        ]


def tally(state: State, board: Board, wounds: int, units: list[Unit], foes: list[Unit]) -> Tally:
    """The points of a side: the wounds it dealt, full ranks of its best unit, a standard, numbers, high ground, flank or rear.

    A garrison gets nothing for standards and is never outnumbered by its enemies (RG-RES-1); its ranks are those of minimum width
    (RG-RES-2); floors are not high ground (RG-HOUSE-RANKS)."""
    clauses: Clauses = ()
    ranks = standard = high = flank = 0
    for unit in units:
        inside = not ground.outdoors(board, unit.place)
        room = ground.room_of(board, unit)
        deep = form.full_ranks(unit, room)
        if room is not None:
            clauses += ("RG-RES-2",)
            if type_of(unit).kind == "mi":
                clauses += ("RG-HOUSE-RANKS",)
        ranks = max(ranks, deep)
        best = max(type_of(one).standard for one in (unit, *company(state, unit)))
        if inside and best:
            clauses += ("RG-RES-1",)
        elif best:
            standard = max(standard, best)
        for foe, _ in unit_state(unit).foes:
            other = state.units[foe]
            if ground.outdoors(board, unit.place) and ground.outdoors(board, other.place):
                high = max(high, int(board.spaces[unit.place].z > board.spaces[other.place].z))
            elif board.spaces[unit.place].z != board.spaces[other.place].z:
                clauses += ("RG-HOUSE-RANKS",)
            arc = dict(unit_state(other).foes).get(unit.id, 0)
            flank = max(flank, 2 if arc == REAR else 1 if arc == FLANK else 0)
    outnumber = 0
    if (
        units
        and foes
        and sum(form.strength(state, u) for u in units) > sum(form.strength(state, u) for u in foes)
    ):
        if any(not ground.outdoors(board, foe.place) for foe in foes):
            clauses += ("RG-RES-1",)
        else:
            outnumber = 1
    return Tally(wounds, ranks, standard, outnumber, high, flank, tuple(dict.fromkeys(clauses)))


def is_hard_pressed(state: State, board: Board, unit: Unit) -> bool:
    """Whether the models in contact that could enter a garrison's room have more unit strength than the garrison (RG-RES-3)."""
    room = ground.room_of(board, unit)
    if room is None:
        return False
    pressing = 0
    for number, _ in unit_state(unit).foes:
        foe = state.units[number]
        if foe.alive and rooms.may_hold(type_of(foe), room):
            pressing += form.touching(state, board, foe, unit)
    return pressing > form.strength(state, unit)


def score(r: Resolution, step: Score) -> None:
    """Both sides' points; the loser's units test; broken units flee; a building emptied by blows may be overrun."""
    state, board = r.state, r.board
    living = [state.units[n] for n in step.units if leads(state.units[n])]
    sides: tuple[list[Unit], list[Unit]] = ([], [])
    for unit in living:
        sides[unit.side].append(unit)
    for unit in living:
        if unit_state(unit).charged:
            r.set(unit.id, ("RG-HOUSE-FIGHT",), charged=False, charges=())
    # enemies may follow a garrison that breaks now (rout.py); one that declines is not asked again
    after: list[Item] = [
        Overrun(foe, place, state.units[foe].place, cause=r.cause)  # whatever the result
        for foe, place in step.rooms
        if ground.is_free(state, place) and leads(state.units[foe])
    ]
    if not sides[0] or not sides[1]:
        r.then(*after)
        return
    dealt = [0, 0]
    for number in step.units:
        dealt[state.units[number].side] += unit_state(state.units[number]).dealt
    tallies = (
        tally(state, board, dealt[0], sides[0], sides[1]),
        tally(state, board, dealt[1], sides[1], sides[0]),
    )
    points = (tallies[0].total, tallies[1].total)
    clauses: Clauses = ("RG-HOUSE-RESULT", *dict.fromkeys(tallies[0].clauses + tallies[1].clauses))
    by = points[0] - points[1]
    if by == 0:
        by, more = _musician(sides)
        clauses += more
    winner = -1 if by == 0 else 0 if by > 0 else 1
    first, second = (one.words for one in tallies)
    units = tuple(unit.id for unit in living) if len(living) > 2 else ()
    ours, theirs = sides[0][0].id, sides[1][0].id
    r.because(Result(ours, theirs, winner, abs(by), points, first, second, units, clauses=clauses))
    if winner < 0:
        r.then(*after)
        return
    losers = [unit.id for unit in sides[1 - winner]]
    tests: list[Item] = [BreakTest(number, abs(by)) for number in losers]
    routs: list[Item] = [rout.Rout(number, _stood(state, number)) for number in losers]
    r.then(*tests, *routs, *after)


def _stood(state: State, number: int) -> int:
    """Where the first enemy in contact with a unit stands: if it breaks, it flees from there (RG-HOUSE-FLEE)."""
    foes = ground.foes_of(state.units[number])
    return state.units[foes[0]].place if foes else -1


class Overrun(Step, frozen=True):
    """An enemy of a garrison that fell to blows may take its room while it is empty (RG-HOUSE-ROOMS). `stood`: where that enemy
    fought; if it has taken a room since, it goes no further."""

    unit: int
    place: int
    stood: int


def overrun(r: Resolution, step: Overrun) -> None:
    """Ask whether the unit follows into the room, if it may, or tell that it cannot."""
    unit = r.state.units[step.unit]
    room = rooms.room_at(r.board, step.place)
    if room is None or not leads(unit) or unit.place != step.stood or not ground.is_free(r.state, step.place):
        return
    if rout.may_follow(r.state, r.board, unit, room, -1) and not rooms.is_closed(r.state, room):
        r.then(rout.FollowIn(unit.id, step.place, side=unit.side))
    elif not rooms.may_hold(type_of(unit), room):
        r.emit(facts.StaysOut(unit=unit.id, place=step.place, clauses=("RG-RES-4",)))


def _musician(sides: tuple[list[Unit], list[Unit]]) -> tuple[int, Clauses]:
    """The only side with a musician wins a draw by one point (RG-HOUSE-TRAITS); otherwise the fight goes on (RG-HOUSE-RANKS)."""
    one, two = (any(type_of(unit).musician for unit in side) for side in sides)
    if one == two:
        return 0, ("RG-HOUSE-RANKS",)
    return (1 if one else -1), ("RG-HOUSE-TRAITS",)


def break_goal(state: State, board: Board, unit: Unit, by: int) -> tuple[int, Clauses]:
    """The value that a unit that lost by so much tests against, and its clauses: stubborn units use their full Ld
    (RG-HOUSE-RESULT), including garrisons of sound buildings that are not hard-pressed (RG-PSY-1, RG-RES-3, RG-UNST-1)."""
    goal, clauses = morale.leadership(state, board, unit)
    if not ground.outdoors(board, unit.place):
        pressed = is_hard_pressed(state, board, unit)
        if pressed:
            # being hard-pressed cancels the stubbornness of building and unit type alike: RG-RES-3 knows only one kind
            return goal - by, (*clauses, "RG-RES-3")
        if morale.shelters(state, board, unit):
            return goal, (*clauses, "RG-PSY-1")
        clauses = (*clauses, "RG-UNST-1")
    if morale.is_stubborn(unit):
        return goal, (*clauses, "RG-HOUSE-TRAITS")
    return goal - by, clauses


def break_test(r: Resolution, step: BreakTest) -> None:
    """2D6 <= Ld less the difference; a double 1 holds; the army standard allows a second try (RG-HOUSE-AURA)."""
    unit = r.state.units[step.unit]
    if not unit.alive:
        return
    goal, why = break_goal(r.state, r.board, unit, step.by)
    clauses: Clauses = ("RG-HOUSE-RESULT", *why)
    rolled = r.total(2, 6, "break", unit.id, -1, attempt(r.state))
    passed = rolled <= goal or rolled == HELD
    r.because(Tested(unit.id, rolled, goal, passed, "break", clauses=clauses))
    if not passed and morale.aura(r.state, r.board, unit, "battle_standard"):
        clauses = ("RG-HOUSE-AURA",)
        rolled = r.total(2, 6, "break again", unit.id, -1, attempt(r.state), clauses)
        passed = rolled <= goal or rolled == HELD
        r.because(Tested(unit.id, rolled, goal, passed, "break", True, clauses=clauses))
    if not passed:
        r.set(unit.id, ("RG-HOUSE-RESULT",), fleeing=True)


CHAPTER = Chapter(
    owns=("RG-RES-1", "RG-RES-2", "RG-RES-3", "RG-HOUSE-RESULT", "RG-HOUSE-RANKS"),
    steps={Score: score, BreakTest: break_test, Overrun: overrun},
)
