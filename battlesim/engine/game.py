"""A whole game: a scenario, two agents, a seed. Read `play`, then `Game`, which it returns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from battlesim.board.board import Board
from battlesim.board.load import loaded_boards
from battlesim.board.memory import relieve_when_due
from battlesim.core.answers import Answer
from battlesim.core.codec import dump_state
from battlesim.core.dice import LoadedRoll, derive_seed, dice_of
from battlesim.core.errors import Fault, IllegalAnswer, InputError
from battlesim.core.events import Answered, Event, TurnEnded
from battlesim.core.items import Ask
from battlesim.core.state import Outcome, State
from battlesim.core.view import View
from battlesim.engine.agent import Agent, Chance
from battlesim.engine.agent_sources import HUMAN
from battlesim.engine.battle import Battle, Question
from battlesim.engine.header import LOADED_FORMAT, Header, Limits, PinnedFile, Player, Seeds
from battlesim.engine.record import Recorder, encode
from battlesim.engine.record_file import write_bytes
from battlesim.engine.referee import AgentFault, Referee
from battlesim.engine.roster import Entrant, check_text, enter
from battlesim.engine.saved import Leave, SavedGame
from battlesim.engine.source import code, ruleset_code
from battlesim.rules.scenario import Scenario
from battlesim.rulesets.finder import find_ruleset
from battlesim.scenario.load import first_state, load_scenario

Listener = Callable[[Battle, Question], None]
"""Called before each question is put, with the battle and the question."""
FORMAT = 3
"""Version of a game's row. Rows of format 1 do not say which side is the scenario's first; rows of formats 1 and 2 have no
`reach`."""
QUIET_TURNS = 2
"""A battle has stalled when it runs out of turns and the last two of them brought no loss and no change of points."""


class _Beat(NamedTuple):
    """How a battle stood: the points of both sides if it ended there, and how many models are left."""

    points: tuple[int, int]
    models: int


class _Pulse:
    """Notes how the battle stands at the first question of each turn. `turns`: those turns, in step with `beats`."""

    def __init__(self, listener: Listener | None) -> None:
        self._listener = listener
        self._turn = 0
        self.beats: list[_Beat] = []
        self.turns: list[int] = []

    def __call__(self, battle: Battle, question: Question) -> None:
        if battle.state.turn != self._turn:
            self._turn = battle.state.turn
            self.turns.append(self._turn)
            self.beats.append(_Beat(battle.ruleset.standing(battle.state), _models(battle.state)))
        if self._listener is not None:
            self._listener(battle, question)


def _models(state: State) -> int:
    """How many models of both sides are left."""
    return sum(unit.models for unit in state.units.values())


class Game:
    """A finished game: its outcome, the faults of its agents, its record. `log` holds every event, `state` is the last state."""

    def __init__(
        self,
        scenario: Scenario,
        battle: Battle,
        faults: tuple[AgentFault, ...],
        header: Header,
        recorder: Recorder,
        beats: Sequence[_Beat] = (),
        turns: Sequence[int] = (),
        reach: tuple[int, int] = (0, 0),
        imagined: tuple[int, int] = (0, 0),
    ) -> None:
        outcome = battle.outcome
        assert outcome is not None
        self.scenario = scenario
        self.state: State = battle.state
        self.log: Sequence[Event] = battle.log
        self.outcome: Outcome = outcome
        self.faults = faults
        self.header = header
        self.record_hash: str = recorder.digest
        self._recorder = recorder
        self._beats = beats
        self._turns_asked = turns
        self.reach = reach
        """The most points that each side could have scored."""
        self.imagined = imagined
        """How many questions each side's agent answered in its imagination."""

    def __repr__(self) -> str:
        names = tuple(player.name for player in self.header.agents)
        return f"<Game play({self.scenario.name!r}, {names!r}, seed={self.header.seeds.battle}): {self.record_hash}>"

    @property
    def winner(self) -> str | None:
        """Name of the side that won; None for a draw."""
        return None if self.outcome.winner is None else self.header.sides[self.outcome.winner]

    @property
    def standings(self) -> list[tuple[int, tuple[int, int]]]:
        """(turn, points) at the first question of each turn: the points of both sides if the battle ended there."""
        return [(turn, beat.points) for turn, beat in zip(self._turns_asked, self._beats, strict=True)]

    @property
    def verdict(self) -> str:
        """How the game ended: `decided` (before the turns ran out), `length` (they ran out), `stalled` (they ran out, and the
        last two turns brought no loss and no change of points), or `forfeit`."""
        if self.outcome.termination not in ("length", "forfeit"):
            return "decided"
        if self.outcome.termination == "length" and len(self._beats) >= QUIET_TURNS:
            now = _Beat(self.outcome.points, _models(self.state))
            if all(beat == now for beat in self._beats[-QUIET_TURNS:]):
                return "stalled"
        return self.outcome.termination

    def used(self) -> frozenset[str]:
        """The clauses that the events of the game name."""
        return frozenset(clause for event in self.log for clause in event.clauses)

    def record(self) -> bytes:
        """The whole record as bytes, not compressed."""
        return self._recorder.data(self.outcome)

    def save(self, path: str | Path) -> None:
        """Write the record, compressed where the name ends in `.gz`. Raises InputError if it cannot be written; then nothing
        is."""
        write_bytes(path, self.record())

    def row(self) -> dict[str, Any]:
        """The game as one plain row, what `play --json` prints: format, scenario, ruleset, seed, sides (the scenario's first and
        second), agents (by side), winner (a side or None), points (by side), reach (the most points that each side could have
        taken), turns (played, the last one counted if only begun), termination, verdict, losses (units and models lost, by
        side), faults (a list), record_hash."""
        sides, header = self.header.sides, self.header
        return {
            "format": FORMAT,
            "scenario": header.scenario.name,
            "ruleset": header.ruleset.name,
            "seed": header.seeds.battle,
            "sides": list(sides),
            "agents": {side: agent.name for side, agent in zip(sides, header.agents, strict=True)},
            "winner": self.winner,
            "points": dict(zip(sides, self.outcome.points, strict=True)),
            "reach": dict(zip(sides, self.reach, strict=True)),
            "turns": self._turns(),
            "termination": self.outcome.termination,
            "verdict": self.verdict,
            "losses": dict(zip(sides, self._losses(), strict=True)),
            "faults": [{"side": sides[f.side], "question": f.number, "what": f.what} for f in self.faults],
            "record_hash": self.record_hash,
        }

    def _turns(self) -> int:
        # At `TurnEnded` the state's turn goes up, even where the battle ends and no further turn is played.
        return self.state.turn - 1 if self._quiet_end() else self.state.turn

    def _quiet_end(self) -> bool:
        for event in reversed(self.log):
            if isinstance(event, TurnEnded):
                return True
            if isinstance(event, Answered):
                return False
        return False

    def _losses(self) -> list[dict[str, int]]:
        lost = [{"units": 0, "models": 0}, {"units": 0, "models": 0}]
        for before in msgspec.json.decode(self.header.start)["units"]:
            after = self.state.units[before["id"]]
            row = lost[after.side]
            row["units"] += before["alive"] and not after.alive
            row["models"] += before["models"] - after.models
        return lost


def play(
    scenario: str | Path | Scenario,
    agents: Sequence[str | Entrant | Callable[[], Agent]] = ("greedy", "greedy"),
    seed: int = 0,
    limits: Limits | None = None,
    listener: Listener | None = None,
    watch: Callable[[int], None] | None = None,
    loaded: Sequence[LoadedRoll] = (),
    resume: SavedGame | None = None,
) -> Game:
    """Play one game to its end. The same scenario, agents and seed give the same record.

    Args:
        scenario: a shipped name, the path of a file, or one already loaded.
        agents: one for each side, in the scenario's order of sides: names as `find_agent` takes them, or classes of agents.
        seed: any whole number from -2**63 to 2**63 - 1.
        limits: on the agents, by default no limit of time and ten faults.
        listener: called before each question, with the battle and the question.
        watch: as the referee takes it.
        loaded: rolls whose faces are set beforehand; the record says so.
        resume: a game of this scenario and seed that was left. Its answers are given first, and its agents are handed what they
            remembered.

    Whatever the agents do, the game ends. Raises InputError for bad input. Where a person leaves, `Leave` is raised with what is
    needed to go on.

        >>> game = play("stairwell", ("quick", "random"), seed=1)
        >>> game.outcome == play("stairwell", ("quick", "random"), seed=1).outcome
        True
    """
    chosen = scenario if isinstance(scenario, Scenario) else load_scenario(scenario)
    entrants = entrants_of(agents)
    limits = limits or Limits()
    if not isinstance(limits, Limits):
        raise InputError(
            Fault(f"{limits!r:.60} is not a Limits object", "give Limits(...), as in Limits(seconds=2)")
        )
    relieve_when_due([chosen.board, *(board for board in loaded_boards() if board is not chosen.board)])
    seeds = seeds_of(seed)
    state = first_state(chosen, seed)
    start = dump_state(state)
    ruleset = find_ruleset(chosen.ruleset)
    reach = ruleset.reach(state)
    battle = Battle(ruleset, chosen.board, state, dice_of(seeds.dice, loaded))
    pulse = _Pulse(listener)
    memories = resume.memories if resume else (None, None)
    made = agents_made(entrants, watch)
    referee = Referee(battle, made, seeds.agents, limits, pulse, memories, watch=watch, scenario=chosen)
    header = header_of(chosen, seeds, _players(entrants, referee.faults), limits, start, tuple(loaded))
    if resume is not None:
        _go_on(referee, resume, header)
    try:
        referee.play_out()
    except KeyboardInterrupt as stop:
        # A person may also stop the program while the other side thinks.
        if not isinstance(stop, Leave) and all(entrant.name != HUMAN for entrant in entrants):
            raise
        answers = tuple(event for event in battle.log if isinstance(event, Answered))
        raise Leave(SavedGame(header, answers, referee.save()), referee.forgotten) from None
    recorder = Recorder(header)
    recorder.take(battle.log)
    imagined = (referee.budgets[0].total, referee.budgets[1].total)
    return Game(
        chosen, battle, tuple(referee.faults), header, recorder, pulse.beats, pulse.turns, reach, imagined
    )


def _go_on(referee: Referee, saved: SavedGame, header: Header) -> None:
    """Give a saved game's answers again. Raises InputError if the game is another one, or the rules of today do not take
    them."""
    for field in ("scenario", "map", "seeds", "sides", "ruleset", "start"):
        if encode(getattr(saved.header, field)) != encode(getattr(header, field)):
            what = f"the saved game has another {field} than the one that is played"
            raise InputError(Fault(what, "go on with the same version of battlesim, scenario and seed"))
    for number, event in enumerate(saved.answers):
        try:
            referee.repeat(event)
        except (IllegalAnswer, LookupError) as error:
            what = f"the rules of this version do not take answer {number} of the saved game: {error}"
            raise InputError(Fault(what, "go on with the version of battlesim that saved it")) from None


def agents_made(entrants: Sequence[Entrant], watch: Callable[[int], None] | None = None) -> list[Agent]:
    """A new agent of each entrant. One whose constructor fails cannot start and loses its questions. Raises InputError where a
    constructor does. `watch`: as for `play`."""
    agents = []
    for side, entrant in enumerate(entrants):
        if watch is not None:
            watch(side)
        try:
            agents.append(entrant.make())
        except (KeyboardInterrupt, GeneratorExit, InputError):
            raise
        except BaseException as error:
            if watch is not None and isinstance(error, MemoryError):
                raise  # the guard of the process knows whose code used up the memory
            agents.append(_Unmade(error))
        if watch is not None:
            watch(-1)
    return agents


class _Unmade:
    """Stands for an agent that could be made once, to check it, but not again for the battle. `why`: what that raised."""

    def __init__(self, why: BaseException) -> None:
        self._why = why

    def start(self, board: Board, side: int, chance: Chance) -> None:
        """Raises what the constructor raised."""
        raise self._why

    def choose(self, view: View, ask: Ask, answers: Sequence[Answer]) -> Answer:
        """Raises what the constructor raised."""
        raise self._why


def entrants_of(agents: Sequence[str | Entrant | Callable[[], Agent]]) -> tuple[Entrant, Entrant]:
    """Two agents: entrants as they are, names as `find_agent` takes them, or classes (anything that makes an agent when it is
    called)."""
    if isinstance(agents, str) or len(agents) != 2:
        raise InputError(Fault(f"agents {agents!r}: a battle has two sides", "name two agents"))
    one, two = agents
    first = enter(one)
    second = first if two == one else enter(two)
    check_text(first.name)
    check_text(second.name)
    return first, second


def seeds_of(seed: int) -> Seeds:
    """The seeds of a battle's dice, set-up (as `first_state` derives it) and agents, derived one way from its own."""
    if isinstance(seed, bool) or not isinstance(seed, int) or not -(2**63) <= seed < 2**63:
        raise InputError(
            Fault(f"the seed {seed!r} is not usable", "give a whole number from -2**63 to 2**63 - 1")
        )
    agents = (derive_seed(seed, "agent", 0), derive_seed(seed, "agent", 1))
    return Seeds(seed, derive_seed(seed, "dice"), derive_seed(seed, "variation"), agents)


def _players(entrants: Sequence[Entrant], faults: Sequence[AgentFault]) -> tuple[Player, Player]:
    """The players, as a header keeps them; `faults` are those of agents that could not start."""
    why = {fault.side: fault.what for fault in faults}
    one, two = (Player(e.name, e.digest, why.get(side, "")) for side, e in enumerate(entrants))
    return one, two


def header_of(
    scenario: Scenario,
    seeds: Seeds,
    agents: tuple[Player, Player],
    limits: Limits,
    start: bytes,
    loaded: tuple[LoadedRoll, ...] = (),
) -> Header:
    """The header of a battle that begins at `start`, the first state's bytes. `loaded`: rolls set beforehand."""
    board = scenario.board
    header = Header(
        code=code(),
        ruleset=ruleset_code(scenario.ruleset),
        scenario=PinnedFile(scenario.name, scenario.digest, msgspec.Raw(scenario.source or b"null")),
        map=PinnedFile(board.name, board.digest, msgspec.Raw(board.source or b"null")),
        seeds=seeds,
        agents=agents,
        sides=(scenario.sides[0].name, scenario.sides[1].name),
        options=replace(limits, seconds=float(limits.seconds)),
        places=tuple(space.name for space in board.spaces),
        sections=tuple(section.name for section in board.sections),
        start=msgspec.Raw(start),
    )
    return replace(header, format=LOADED_FORMAT, loaded=loaded) if loaded else header
