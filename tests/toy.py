"""A toy rulebook: two rows of squads on a line of spaces. It proves core and engine without a real ruleset.

It uses every change, staged and nested questions, reactions, a loop that carries its round, things due later, something
hidden from the other side, and each way to end. Read `CHAPTER`, then `act`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from battlesim.board.board import Board
from battlesim.board.model import Section, Space, Way
from battlesim.core.answers import Answer, Confirm, MoveTo, Pass, Pick, TargetSpace, TargetUnit
from battlesim.core.codec import position
from battlesim.core.dice import Dice, KeyedDice
from battlesim.core.events import Ended, Event, Fact, Observer, Scored, StructureSet, TurnEnded
from battlesim.core.items import TURN, Ask, Entry, Step
from battlesim.core.state import Outcome, State, Structure, Unit, standing_at
from battlesim.core.view import View, Visibility, uncaused, visible_events
from battlesim.engine.battle import Battle
from battlesim.rules.activation import Bag
from battlesim.rules.contract import Chapter, Features, Ruleset
from battlesim.rules.resolution import Resolution
from battlesim.rules.scenario import Scenario, SideInfo
from battlesim.rulesets import finder

SPACES = 7
HEARING = Visibility()


class Own(Struct, frozen=True):
    pins: int = 0
    acted: bool = False


class Extra(Struct, frozen=True):
    turns: int = 4
    bag: Bag = Bag()
    called: tuple[int, int] = (-1, -1)
    """Serial of the shell each side has on its way."""


class Fired(Fact, frozen=True):
    unit: int
    target: int
    hits: int


class Begin(Step, frozen=True):
    turn: int


class Shell(Step, frozen=True):
    side: int
    place: int


class Draw(Step, frozen=True):
    pass


class Arrive(Step, frozen=True):
    unit: int
    place: int


class Fire(Step, frozen=True):
    unit: int
    target: int


class Panic(Step, frozen=True):
    unit: int
    round: int = 1


class Which(Ask, frozen=True):
    pass


class Act(Ask, frozen=True):
    unit: int


class React(Ask, frozen=True):
    unit: int
    mover: int


class Duck(Ask, frozen=True):
    unit: int


def ready(state: State, side: int) -> list[Unit]:
    return [u for u in state.living(side) if not u.own.acted]


def begin(r: Resolution, step: Begin) -> None:
    for unit in list(r.state.units.values()):
        if unit.alive and unit.own.acted:
            r.set(unit.id, acted=False)
    dice = tuple(tuple(u.id for u in r.state.living(side)) for side in (0, 1))
    r.set_extra(bag=Bag((dice[0], dice[1])))
    r.then(Draw())


def draw(r: Resolution, step: Draw) -> None:
    state = r.state
    bag: Bag = state.extra.bag
    for side in (0, 1):  # dice of the dead, and of those who reacted, are gone
        while len(bag.dice[side]) > len(ready(state, side)):
            r.change_list("bag", "dice", side, removed=bag.spare(side))
            bag = state.extra.bag
    if bag.size == 0:
        return end_turn(r)
    side, number = bag.first(lambda s, n: r.dice.ranking(state.turn, s, "draw", n))
    r.change_list("bag", "dice", side, removed=(number,))
    return r.then(Which(side=side), Draw())


def end_turn(r: Resolution) -> None:
    state = r.state
    here = state.at.get(SPACES // 2, ())
    if here:
        r.emit(Scored(state.units[here[0]].side, 1, "the middle"))
    r.emit(TurnEnded(state.turn, position(state)))
    if state.turn > state.extra.turns:
        a, b = state.points
        r.emit(Ended(Outcome(None if a == b else int(b > a), (a, b), "length")))
    else:
        r.schedule(state.turn * TURN, Begin(state.turn), priority=5)


def which_legal(state: State, board: Board, ask: Which) -> Sequence[Answer]:
    return [Pick(u.id) for u in ready(state, ask.side)] or [Pass()]


def which(r: Resolution, ask: Which, said: Any) -> None:
    if isinstance(said, Pick):
        r.set(said.unit, acted=True)
        r.then(Act(side=ask.side, unit=said.unit))


def act_legal(state: State, board: Board, ask: Act) -> Sequence[Answer]:
    unit = state.units[ask.unit]
    legal: list[Answer] = [Pass()]
    legal += [MoveTo(place) for place, _ in board.exits[unit.place] if place not in state.at]
    legal += [TargetUnit(foe.id) for foe in state.living(1 - ask.side) if abs(foe.place - unit.place) <= 3]
    if unit.id < 4:
        legal += [TargetSpace(place) for place in (SPACES // 2, SPACES // 2 + 1)]
    return legal


def act(r: Resolution, ask: Act, said: Any) -> None:
    unit, state = r.state.units[ask.unit], r.state
    if isinstance(said, Pass):
        r.set(unit.id, pins=0)
    elif isinstance(said, TargetUnit):
        foe = state.units[said.unit]
        r.then(Duck(side=foe.side, unit=foe.id), Fire(unit=unit.id, target=foe.id))
    elif isinstance(said, MoveTo):
        near = [f for f in ready(state, 1 - ask.side) if abs(f.place - said.place) <= 1]
        react = React(side=1 - ask.side, unit=near[0].id, mover=unit.id) if near else None
        r.then(react, Arrive(unit=unit.id, place=said.place))
    else:
        before = list(state.extra.called)
        if before[ask.side] >= 0:
            r.cancel(before[ask.side])
        before[ask.side] = r.schedule(state.now + TURN // 2, Shell(ask.side, said.place))
        r.set_extra(called=tuple(before))


def react(r: Resolution, ask: React, said: Confirm) -> None:
    if said.yes:
        mover = r.state.units[ask.mover]
        r.set(ask.unit, acted=True)
        r.then(Duck(side=mover.side, unit=mover.id), Fire(unit=ask.unit, target=mover.id))


def duck(r: Resolution, ask: Duck, said: Confirm) -> None:
    if said.yes:
        r.set(ask.unit, pins=r.state.units[ask.unit].own.pins + 1)


def arrive(r: Resolution, step: Arrive) -> None:
    unit = r.state.units[step.unit]
    if unit.alive and step.place not in r.state.at:
        r.move(unit, (unit.place, step.place))


def fire(r: Resolution, step: Fire) -> None:
    unit, foe = r.state.units[step.unit], r.state.units[step.target]
    if unit.alive and foe.alive:
        hits = r.count(unit.models, 5 if foe.own.pins else 3, "hit", unit.id, foe.id, clauses=("TOY-1",))
        r.because(Fired(unit.id, foe.id, hits, clauses=("TOY-1",)))
        if r.lose(foe, hits, "shot") and r.state.units[foe.id].alive:
            r.then(Panic(unit=foe.id))
        over(r)


def panic(r: Resolution, step: Panic) -> None:
    unit = r.state.units[step.unit]
    attempt = 100 * r.state.now + 10 * unit.models + step.round
    if unit.alive and r.total(1, 6, "panic", unit.id, attempt=attempt) <= 2 and step.round < 5:
        r.set(unit.id, pins=unit.own.pins + 1)
        r.then(replace(step, round=step.round + 1))


def shell(r: Resolution, step: Shell) -> None:
    called = list(r.state.extra.called)
    called[step.side] = -1
    r.set_extra(called=tuple(called))
    before = r.state.structures.get(0, Structure(0))
    r.emit(StructureSet(0, before.fallen, True, {"shells": before.own.get("shells", 0) + 1}))
    for number in r.state.at.get(step.place, ()):
        unit = r.state.units[number]
        r.lose(unit, r.count(2, 4, "shell", unit.id, step.side), "a shell")
    over(r)


def over(r: Resolution) -> None:
    living = [bool(r.state.living(side)) for side in (0, 1)]
    if r.state.outcome is None and not all(living):
        r.emit(Ended(Outcome(int(living[1]) if any(living) else None, r.state.points, "destroyed")))


def yes_or_no(state: State, board: Board, ask: Ask) -> Sequence[Answer]:
    return [Confirm(False), Confirm(True)]


CHAPTER = Chapter(
    owns=("TOY-1",),
    asks={
        Which: (which_legal, which),
        Act: (act_legal, act),
        React: (yes_or_no, react),
        Duck: (yes_or_no, duck),
    },
    steps={Begin: begin, Draw: draw, Arrive: arrive, Fire: fire, Panic: panic, Shell: shell},
)


def setup(scenario: Scenario, board: Board, dice: Dice) -> State:
    """Three squads a side; the variation seed says how many men each has."""
    units = {}
    for number in range(2 * scenario.options["squads"]):
        side, place = number % 2, number // 2
        models = 2 + dice.faces((0, number, "men", -1, 0), 1, 3)[0]
        here = SPACES - 1 - place if side else place
        units[number] = Unit(number, side, f"{'RB'[side]}{place + 1}", "squad", here, models, own=Own())
    agenda = (Entry(0, 5, 0, Begin(0)),)
    return State(
        units, {}, Extra(turns=scenario.turns), agenda=agenda, serial=1, at=standing_at(units), points=(0, 0)
    )


def observe(state: State, board: Board, side: int, news: Sequence[Event]) -> View:
    """The enemy's pins and shells are hidden."""
    units = {u.id: u if u.side == side else replace(u, own=None) for u in state.units.values()}
    agenda = tuple(e for e in state.agenda if not isinstance(e.step, Shell) or e.step.side == side)
    structures = {s.section: replace(s, own=dict(s.own)) for s in state.structures.values()}
    return View(
        "toy",
        side,
        state.turn,
        state.now,
        state.questions[side],
        units,
        structures,
        state.points,
        None,
        tuple(map(uncaused, state.stack[-1:])),
        agenda,
        visible_events(news, Observer(side, state.units, ()), HEARING),
    )


def imagine(view: View, board: Board, dice: Dice) -> State:
    raise NotImplementedError


def features(view: View, board: Board, ask: Ask, answers: Sequence[Answer]) -> list[Features]:
    return [Features() for _ in answers]


def faults(state: State, board: Board) -> list[str]:
    return [f"{u.name} has {u.models} men" for u in state.units.values() if u.alive != (u.models > 0)]


TOY = Ruleset(
    name="toy",
    title="A toy",
    version="1",
    folder=Path(__file__).parent / "toy",
    chapters=(CHAPTER,),
    own=Own,
    extra=Extra,
    check=lambda scenario, board: [],
    setup=setup,
    safe=(),
    observe=observe,
    imagine=imagine,
    features=features,
    faults=faults,
    standing=lambda state: state.points,
    reach=lambda state: (1, 1),
)


def line() -> Board:
    """Spaces in a line, six inches apart, and a hut that nobody enters: shells set it on fire."""
    spaces = tuple(Space(n, f"s{n}", "ground", 600 * n, 0) for n in range(SPACES))
    ways = tuple(Way(n, n, n + 1, "ground", 600) for n in range(SPACES - 1))
    corners = ((0, 50), (100, 50), (100, 100), (0, 100))
    hut = Section(0, "hut.1", "hut", "wood", "house", corners, (), -1, 900, 900, 100, False, (), (), ())
    return Board(
        "line", "A line", "inch", (600 * SPACES, 100), 600, spaces, (hut,), (), ways, (), (), "0" * 32, b""
    )


BOARD = line()


def scenario(turns: int = 7, squads: int = 3) -> Scenario:
    """A toy scenario; `squads` a side, at most three."""
    return Scenario(
        name="toy",
        title="A toy battle",
        briefing="Two rows of squads meet on a line.",
        ruleset="toy",
        map="line",
        board=BOARD,
        turns=turns,
        sides=(SideInfo("red"), SideInfo("blue")),
        forces=(),
        options={"squads": squads},
        digest=f"{turns}{squads}".rjust(64, "d"),
    )


@contextmanager
def installed() -> Iterator[None]:
    """The toy among the rulesets, for as long as it lasts."""
    finder._FOUND["toy"] = TOY
    try:
        yield
    finally:
        del finder._FOUND["toy"]


def battle(seed: int = 1, turns: int = 7, squads: int = 3) -> Battle:
    """A toy battle at its first question."""
    return Battle(TOY, BOARD, setup(scenario(turns, squads), BOARD, KeyedDice(seed)), KeyedDice(seed))
