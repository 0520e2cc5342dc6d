"""The numbers that a stress test takes from every game. Read `RESPONSES`.

Each is a number of one game, computed from its row; `FAMILIES` give one for each type of unit and each objective, and `CLOCKS`
are from the clock, which is kept beside the row. `batch.own` says how to add your own, as functions of a whole game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from battlesim.batch.measures import Measures
from battlesim.batch.own import PinnedOwn
from battlesim.batch.rows import GameRow
from battlesim.core.sums import summed
from battlesim.stress.intervals import UNBOUNDED

NONE = float("nan")
"""The value for a game without such a number."""


class Response(NamedTuple):
    """A number of a game: its meaning, and how it is computed from the game's row and its measures."""

    meaning: str
    of: Callable[[GameRow, Measures], float]


def responses_of(own: PinnedOwn | None) -> dict[str, Response]:
    """Every response of a run: ours, and those by the user's own functions."""
    mine = {name: Response(meaning or "your own", _own(name)) for name, meaning in (own.names if own else ())}
    return {**RESPONSES, **mine}


def _own(name: str) -> Callable[[GameRow, Measures], float]:
    def of(row: GameRow, _: Measures) -> float:
        value = (row.own or {}).get(name)
        return float("nan") if value is None else value

    return of


def _share(_: GameRow, found: Measures) -> float:
    return 0.5 if found.winner < 0 else float(found.winner == 0)


def _margin(_: GameRow, found: Measures) -> float:
    most = [max(1, reach) for reach in found.reach]
    return found.points[0] / most[0] - found.points[1] / most[1]


def _lost(side: int) -> Callable[[GameRow, Measures], float]:
    return lambda _, found: found.lost[side] / max(1, found.began[side])


def _of_turns(name: str) -> Callable[[GameRow, Measures], float]:
    return lambda _, found: getattr(found, name) / max(1, found.unit_turns)


def _count(name: str) -> Callable[[GameRow, Measures], float]:
    return lambda _, found: float(getattr(found, name))


def _points(side: int) -> Callable[[GameRow, Measures], float]:
    return lambda _, found: found.points[side] / max(1, found.reach[side])


def _led_from(_: GameRow, found: Measures) -> float:
    return NONE if found.led_from is None else float(found.led_from)


def _held(what: str) -> Callable[[GameRow, Measures], float]:
    """The first side's share of what both hold, as a mean over the turns in which either held some."""

    def of(_: GameRow, found: Measures) -> float:
        pairs = [getattr(turn, what) for turn in found.turns_of]
        shares = [mine / (mine + yours) for mine, yours in pairs if mine + yours]
        return summed(shares) / len(shares) if shares else NONE

    return of


def _lost_early(_: GameRow, found: Measures) -> float:
    lost = [sum(turn.lost) for turn in found.turns_of]
    whole = sum(lost)
    return summed(lost[: (len(lost) + 1) // 2]) / whole if whole > 0 else NONE


def _taken(*ways: str) -> Callable[[GameRow, Measures], float]:
    return lambda _, found: float(sum(event.how in ways for event in found.objectives))


def _clauses(row: GameRow, _: Measures) -> float:
    return float(int(row.clauses or "0", 16).bit_count())


RESPONSES: dict[str, Response] = {
    "share": Response("1 where the first side won, a half for a draw", _share),
    "margin": Response(
        "points of the first side less those of the second, each as a share of what it could take", _margin
    ),
    "points0": Response("points of the first side, as a share of what it could take", _points(0)),
    "points1": Response("points of the second side, as a share of what it could take", _points(1)),
    "lost0": Response("share of its models that the first side lost", _lost(0)),
    "lost1": Response("share of its models that the second side lost", _lost(1)),
    "lost_early": Response(
        "share of all models lost that were lost in the first half of the turns", _lost_early
    ),
    "turns": Response("turns played", _count("turns")),
    "decided": Response(
        "1 where it ended before its length", lambda _, found: float(found.termination != "length")
    ),
    "lead_changes": Response("how often the lead passed from side to side", _count("lead_changes")),
    "led_from": Response("turn from which the winner led on points to the end", _led_from),
    "ground": Response("the first side's part of the ground held, as a mean over the turns", _held("ground")),
    "floors": Response("the first side's part of the floors held, as a mean over the turns", _held("floors")),
    "taken": Response(
        "how often an objective came to be held by another side", _taken("walked", "assault", "emptied")
    ),
    "stormed": Response("of these by assault", _taken("assault")),
    "inside": Response("share of unit-turns inside buildings", _of_turns("inside")),
    "idle": Response("share of unit-turns idle without reason", _of_turns("idle")),
    "assaults_into": Response("assaults into buildings", _count("assaults_into")),
    "breaches": Response("breaches of walls", _count("breaches")),
    "fires": Response("sections set alight", _count("fires")),
    "falls": Response("sections that fell", _count("falls")),
    "clauses": Response("different clauses of the rulebook that bore on the game", _clauses),
}
"""The responses that every game has, by name."""


# ---- one for each type, one for each objective


class Family(NamedTuple):
    """Responses of one kind, whose names begin with `prefix`: their meaning, before the rest of the name, and their values in a
    game."""

    prefix: str
    meaning: str
    of: Callable[[Measures], Iterator[tuple[str, float]]]


def _by_type(side: int) -> Callable[[Measures], Iterator[tuple[str, float]]]:
    def of(found: Measures) -> Iterator[tuple[str, float]]:
        for whose, kind, _, _, models, lost in found.types:
            if whose == side and models:
                yield kind, lost / models

    return of


def _holders(found: Measures) -> Iterator[tuple[str, float]]:
    last = {event.objective: event.side for event in found.objectives if event.how != "scored"}
    for name, side in last.items():
        yield name, float(side == 0)


FAMILIES: tuple[Family, ...] = (
    Family("lost0.", "share of models that the first side lost of type", _by_type(0)),
    Family("lost1.", "share of models that the second side lost of type", _by_type(1)),
    Family("held.", "1 where the first side held it last, of the games in which anybody held", _holders),
)
CLOCKS: dict[str, str] = {
    "thinking0": "seconds that the first side's player thought, by the clock of the machine that played it",
    "thinking1": "seconds that the second side's player thought, by the clock of the machine that played it",
}
"""The clock times kept beside a row, in the order of `jobs.job.JobOutput.clocks`."""


SHARES = frozenset(
    {"share", "points0", "points1", "lost0", "lost1", "lost_early", "decided", "ground", "floors"}
    | {"inside", "idle"}
)
"""Responses that are shares of one; so are those whose names begin with one of `SHARED`."""
SHARED = tuple(family.prefix for family in FAMILIES)


def bounds_of(name: str) -> tuple[float, float]:
    """The bounds of the mean of a response."""
    if name == "margin":
        return -1.0, 1.0
    return (0.0, 1.0) if name in SHARES or name.startswith(SHARED) else UNBOUNDED


def meaning_of(name: str, responses: Mapping[str, Response]) -> str:
    """The meaning of a response, by its name."""
    if name in responses:
        return responses[name].meaning
    for family in FAMILIES:
        if name.startswith(family.prefix):
            return f"{family.meaning} {name.removeprefix(family.prefix)}"
    return CLOCKS.get(name, name)
