"""How the games of a stress test go: turn by turn, and objective by objective, over all points together. Read `Course`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from battlesim.batch.measures import Measures
from battlesim.batch.rows import GameRow

WAYS = ("walked", "assault", "emptied")
"""How an objective is taken in play, as in `batch.timeline.ObjectiveEvent`."""


class TurnFound(Struct, frozen=True):
    """A turn, over the `games` that reached it. Means: models that each side `lost` in it, as a share of those it began with; the
    first side's part of the `ground` and of the `floors` held at its end, None if nobody held any."""

    turn: int
    games: int
    lost: tuple[float, float]
    ground: float | None
    floors: float | None


class ObjectiveFound(Struct, frozen=True):
    """An objective. Pairs are by side.

    `held`: of all games, the share in which the side was the last to hold it. `taken`: the share in which it took it in play, and
    `first`: the mean turn of the first time, None if it never did. `ways`: how it was taken, as counts of `WAYS`. `points`: mean
    points scored by it.
    """

    name: str
    held: tuple[float, float]
    first: tuple[float | None, float | None]
    taken: tuple[float, float]
    ways: tuple[tuple[int, ...], tuple[int, ...]]
    points: tuple[float, float]


class _Mean:
    """The mean of the known values."""

    def __init__(self) -> None:
        self.whole, self.count = 0.0, 0

    def add(self, value: float) -> None:
        self.whole += value
        self.count += 1

    @property
    def value(self) -> float | None:
        return self.whole / self.count if self.count else None


class _Turn:
    def __init__(self) -> None:
        self.lost = (_Mean(), _Mean())
        self.ground, self.floors = _Mean(), _Mean()


class _Objective:
    def __init__(self) -> None:
        self.held = [0, 0]
        self.first = (_Mean(), _Mean())
        self.ways = [[0] * len(WAYS), [0] * len(WAYS)]
        self.points = [0, 0]


class Course:
    """Reads rows as they pass."""

    def __init__(self) -> None:
        self._games = 0
        self._turns: dict[int, _Turn] = {}
        self._objectives: dict[str, _Objective] = {}

    def watch(self, rows: Iterable[GameRow]) -> Iterator[GameRow]:
        """The same rows, read in passing."""
        for row in rows:
            if row.measures is not None:
                self._read(row.measures)
            yield row

    def _read(self, found: Measures) -> None:
        self._games += 1
        for turn in found.turns_of:
            kept = self._turns.setdefault(turn.turn, _Turn())
            for side in (0, 1):
                kept.lost[side].add(turn.lost[side] / max(1, found.began[side]))
            for mean, (mine, yours) in ((kept.ground, turn.ground), (kept.floors, turn.floors)):
                if mine + yours:
                    mean.add(mine / (mine + yours))
        last: dict[str, int] = {}
        begun: set[tuple[str, int]] = set()
        for event in found.objectives:
            goal = self._objectives.setdefault(event.objective, _Objective())
            goal.points[event.side] += event.points
            if event.how == "scored":
                continue
            last[event.objective] = event.side
            if event.how not in WAYS:
                continue
            goal.ways[event.side][WAYS.index(event.how)] += 1
            if (event.objective, event.side) not in begun:
                begun.add((event.objective, event.side))
                goal.first[event.side].add(event.turn)
        for name, side in last.items():
            self._objectives[name].held[side] += 1

    def turns(self) -> tuple[TurnFound, ...]:
        """The turns in their order."""
        return tuple(
            TurnFound(
                number,
                turn.lost[0].count,
                (turn.lost[0].value or 0.0, turn.lost[1].value or 0.0),
                turn.ground.value,
                turn.floors.value,
            )
            for number, turn in sorted(self._turns.items())
        )

    def objectives(self) -> tuple[ObjectiveFound, ...]:
        """The objectives by name."""
        games = max(1, self._games)
        return tuple(
            ObjectiveFound(
                name,
                (goal.held[0] / games, goal.held[1] / games),
                (goal.first[0].value, goal.first[1].value),
                (goal.first[0].count / games, goal.first[1].count / games),
                (tuple(goal.ways[0]), tuple(goal.ways[1])),
                (goal.points[0] / games, goal.points[1] / games),
            )
            for name, goal in sorted(self._objectives.items())
        )
