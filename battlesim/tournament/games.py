"""One game of a tournament, as a worker plays it. Read `play_game`.

A worker keeps what it has loaded: maps with their tables, scenarios, agents. What it loads must be what the run was resolved
with; a file that has changed meanwhile ends the run with a message, since its games would be of another tournament.
"""

from __future__ import annotations

import gzip
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import msgspec
from msgspec import Struct

from battlesim.core.errors import Fault, InputError
from battlesim.engine.course import Course, course_of
from battlesim.engine.game import FORMAT, play
from battlesim.engine.record import Limits
from battlesim.engine.roster import Entrant, find_agent
from battlesim.engine.source import code
from battlesim.jobs.job import Failure, Watch, Yield
from battlesim.rules.forces import Scenario
from battlesim.rules.registry import read_clauses
from battlesim.rulesets.finder import find_ruleset
from battlesim.scenario.load import load_scenario

FUNCTION = "battlesim.tournament.games:play_game"
NEVER, FAULTS, ALWAYS = 0, 1, 2
_encode = msgspec.json.Encoder(order="deterministic").encode


class Source(Struct, frozen=True):
    """Something to be loaded: how it is called in the run, the name to load it by, and the digest it must have."""

    name: str
    load: str
    digest: str


class Game(Struct, frozen=True):
    """One game to be played. `record`: keep its record never, where an agent lost a question, or always. `course`: tell what
    decided it."""

    number: int
    round: int
    leg: int
    scenario: Source
    ruleset: str
    sides: tuple[str, str]
    agents: tuple[Source, Source]
    seed: int
    code: str
    seconds: float
    faults: int
    record: int
    course: bool = False


class Row(Struct, frozen=True, omit_defaults=True):
    """A row as the store keeps it: the row of `play --json`, its place in the tournament, and the clauses that bore on it, as
    hexadecimal digits of a number whose bit n is clause n of the ruleset's list. `sides` are the scenario's first and second: the
    order of the keys of `agents`, `points` and `losses` says nothing, since JSON is written with its keys sorted. `points`,
    `turns`, `losses` and `record_hash` are null where the game broke off; its termination is then its verdict, "crash" (an
    agent's doing) or "fault" (ours). `reach`: the most points that each side could have taken, null where the row is of format 1
    or 2 or the game broke off. `course`: what decided the game, where the run asks for it."""

    format: int
    number: int
    round: int
    leg: int
    scenario: str
    ruleset: str
    seed: int
    sides: tuple[str, str]
    agents: dict[str, str]
    winner: str | None
    points: dict[str, int] | None
    turns: int | None
    termination: str
    verdict: str
    losses: dict[str, dict[str, int]] | None
    faults: list[dict[str, Any]]
    record_hash: str | None
    clauses: str
    reach: dict[str, int] | None = None
    course: Course | None = None


def play_game(spec: Game, watch: Watch) -> Yield:
    """Play one game: its row, and its record where one is wanted. Raises InputError where what it loads has changed."""
    scenario = _scenario(spec.scenario, spec.code)
    entrants = (_entrant(spec.agents[0]), _entrant(spec.agents[1]))
    limits = Limits(spec.seconds, spec.faults)
    game = play(scenario, entrants, spec.seed, limits, watch=watch)
    row = game.row()
    row.update(number=spec.number, round=spec.round, leg=spec.leg, clauses=_mask(spec.ruleset, game.used()))
    if spec.course:
        row["course"] = course_of(game)
    wanted = spec.record == ALWAYS or (spec.record == FAULTS and bool(game.faults))
    record = gzip.compress(game.record(), 6, mtime=0) if wanted else None
    return Yield(_encode(msgspec.convert(row, Row)), record)


def _prepare(spec: Game, watch: Watch) -> None:
    """Load what a game needs, outside its time limit."""
    _scenario(spec.scenario, spec.code)
    for side, agent in enumerate(spec.agents):
        watch(side)
        _entrant(agent)
        watch(-1)


play_game.prepare = _prepare  # type: ignore[attr-defined]


def failed(spec: Game, failure: Failure) -> bytes:
    """The row of a game that broke off: the agent whose code ran then has lost it; where none did, nobody has, and the side
    of its one fault is empty."""
    agents = failure.actor >= 0 and failure.kind != "fault"
    verdict = "crash" if agents else "fault"
    row = Row(
        format=FORMAT,
        number=spec.number,
        round=spec.round,
        leg=spec.leg,
        scenario=spec.scenario.name,
        ruleset=spec.ruleset,
        seed=spec.seed,
        sides=spec.sides,
        agents={side: agent.name for side, agent in zip(spec.sides, spec.agents, strict=True)},
        winner=spec.sides[1 - failure.actor] if agents else None,
        points=None,
        turns=None,
        termination=verdict,
        verdict=verdict,
        losses=None,
        faults=[
            {"side": spec.sides[failure.actor] if agents else "", "question": -1, "what": _short(failure)}
        ],
        record_hash=None,
        clauses="",
    )
    return _encode(row)


def row_of(data: bytes, sides: Mapping[str, tuple[str, str]] | None = None, file: str = "") -> Row:
    """A stored row as a value. `sides`: each scenario's first and second side, as the run was resolved with them; with it a
    row of format 1 is read too, which did not say their order, and what is of another scenario is refused. `file`: where it comes
    from. Raises InputError for what is no row."""
    try:
        fields = msgspec.json.decode(data)
        if not isinstance(fields, dict) or fields.get("format") not in (1, 2, FORMAT):
            raise ValueError(f"it is no game's row of format 1, 2 or {FORMAT}")
        if sides is not None and str(fields.get("scenario")) not in sides:
            raise ValueError(f"the scenario {fields.get('scenario')!r} is none of this run")
        if fields["format"] == 1 and sides is not None:
            fields["sides"] = sides[fields["scenario"]]
        row = msgspec.convert(fields, Row)
        _check(row, row.sides if sides is None else sides[row.scenario])
    except (ValueError, RecursionError) as error:  # msgspec raises ValueErrors, too
        what = f"the row of a game is damaged: {error}; it begins {data[:60]!r}"
        raise InputError(
            Fault(what, "restore the run's results from a copy, or begin a new run", file)
        ) from None
    return row


def _check(row: Row, sides: tuple[str, str]) -> None:
    """What every reader of a row takes for granted. Raises ValueError."""
    if tuple(row.sides) != sides or len(set(sides)) != 2:
        raise ValueError(f"its sides are {list(row.sides)}, the scenario's are {list(sides)}")
    by_side = {"agents": row.agents, "points": row.points, "reach": row.reach, "losses": row.losses}
    for name, value in by_side.items():
        if value is not None and sorted(value) != sorted(sides):
            raise ValueError(f"{name} has the sides {sorted(value)}, the scenario's are {list(sides)}")
    if row.winner is not None and row.winner not in sides:
        raise ValueError(f"the winner {row.winner!r} is no side")
    if row.losses is not None and any(sorted(lost) != ["models", "units"] for lost in row.losses.values()):
        raise ValueError("losses are not of units and models")
    for fault in row.faults:
        if fault.get("side") not in ("", *sides) or not isinstance(fault.get("what"), str):
            raise ValueError(f"{fault!r:.60} is not an agent's fault")
    if row.clauses.strip("0123456789abcdef"):
        raise ValueError(f"clauses {row.clauses!r:.40} are not a hexadecimal number")


def _short(failure: Failure) -> str:
    """What of a failure is the same on every machine: not where a hang stood."""
    return failure.what.partition(", last in ")[0]


# ---- what a worker keeps ---------------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def _scenario(source: Source, digest: str) -> Scenario:
    if code().digest != digest:
        what = f"a worker runs another battlesim ({code().version}, {code().digest}) than the run ({digest})"
        raise InputError(Fault(what, "give every machine the version the run was begun with"))
    scenario = load_scenario(source.load)
    if scenario.digest != source.digest:
        raise _changed("scenario", source)
    return scenario


@lru_cache(maxsize=256)
def _entrant(source: Source) -> Entrant:
    found = find_agent(source.load)
    if found.digest != source.digest:
        raise _changed("agent", source)
    return Entrant(source.name, found.digest, found.make)


def _changed(kind: str, source: Source) -> InputError:
    what = f"the {kind} {source.name!r} is no longer what the run was begun with"
    return InputError(Fault(what, "put the file back, or begin a new run", source.load))


@lru_cache
def clause_ids(ruleset: str) -> tuple[str, ...]:
    """The clauses of a ruleset in the order of its list."""
    return tuple(clause.id for clause in read_clauses(find_ruleset(ruleset).folder))


@lru_cache
def _bits(ruleset: str) -> dict[str, int]:
    return {clause: 1 << number for number, clause in enumerate(clause_ids(ruleset))}


def _mask(ruleset: str, used: frozenset[str]) -> str:
    bits = _bits(ruleset)
    return f"{sum(bits[clause] for clause in used):x}"


def clauses_of(ruleset: str, mask: str) -> Sequence[str]:
    """The clauses that a row's digits name."""
    number = int(mask or "0", 16)
    return [clause for place, clause in enumerate(clause_ids(ruleset)) if number >> place & 1]
