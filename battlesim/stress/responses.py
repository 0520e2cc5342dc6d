"""What is looked at in every game of a stress test. Read `RESPONSES`.

Each is a number of one game, made from its row. `batch.own` says how to add yours, by functions of a whole game.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from battlesim.batch.measures import Measures
from battlesim.batch.own import PinnedOwn
from battlesim.batch.rows import GameRow


class Response(NamedTuple):
    """A number of a game: what it means, and how it is made from the game's row and its measures."""

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


RESPONSES: dict[str, Response] = {
    "share": Response("1 where the first side won, a half for a draw", _share),
    "margin": Response(
        "points of the first side less those of the second, each as a share of what it could take", _margin
    ),
    "lost0": Response("share of its models that the first side lost", _lost(0)),
    "lost1": Response("share of its models that the second side lost", _lost(1)),
    "turns": Response("turns played", _count("turns")),
    "decided": Response(
        "1 where it ended before its length", lambda _, found: float(found.termination != "length")
    ),
    "lead_changes": Response("how often the lead passed from side to side", _count("lead_changes")),
    "inside": Response("share of unit-turns inside buildings", _of_turns("inside")),
    "idle": Response("share of unit-turns idle without reason", _of_turns("idle")),
    "assaults_into": Response("assaults into buildings", _count("assaults_into")),
    "breaches": Response("breaches of walls", _count("breaches")),
    "fires": Response("sections set alight", _count("fires")),
    "falls": Response("sections that fell", _count("falls")),
}
"""Every response, by name."""
