"""Counts of results. Ratings, tests and tables are computed from these alone. Read `Tally.pair`.

Results are counted by *pairs*: two games of one scenario with the same dice and the sides swapped. Since they share their dice
they are not independent, so their joint result is kept in nine cells. The index of a cell is `3 * first + second`: `first` is
the result *for agent a* of the game in which a played side 0, `second` that of the game in which it played side 1 (0 loss, 1
draw, 2 win). The size of a tally depends on agents and scenarios only, not on the number of games.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct, field

LOSS, DRAW, WIN = 0, 1, 2
"""Results of a game as indices of counts."""

Pairing = tuple[str, str, str]
"""Scenario, agent a, agent b."""


class Results(Struct, frozen=True):
    """Wins, draws and losses from one agent's point of view."""

    wins: int
    draws: int
    losses: int

    @property
    def games(self) -> int:
        """The number of games."""
        return self.wins + self.draws + self.losses

    @property
    def share(self) -> float | None:
        """Points per game, a draw counting half; None without games."""
        return (2 * self.wins + self.draws) / (2 * self.games) if self.games else None


class Tally(Struct):
    """Joint results of pairs, and results of control games of an agent against itself.

    `pairs`: (scenario, a, b) -> nine counts as above. `controls`: (scenario, agent) -> [wins of side 0, draws, wins of side 1].
    Pairings are kept in the direction in which they were given. All methods that read combine both directions and return sorted
    results, so that nothing depends on the order of arrival.
    """

    pairs: dict[Pairing, list[int]] = field(default_factory=dict)
    controls: dict[tuple[str, str], list[int]] = field(default_factory=dict)

    def pair(self, scenario: str, a: str, b: str, first: int, second: int, times: int = 1) -> None:
        """Count a pair: a's result on side 0 (`first`) and on side 1 (`second`), each 0 loss, 1 draw or 2 win.
        `times`: how many such pairs, 0 or more. Raises ValueError for other numbers."""
        _check_times(times)
        if a == b:
            raise ValueError(
                f"a pair of {a!r} with itself is one game twice; count its control games instead"
            )
        if first not in (LOSS, DRAW, WIN) or second not in (LOSS, DRAW, WIN):
            raise ValueError(
                f"results {first!r}, {second!r}; each is 0 (loss), 1 (draw) or 2 (win) for {a!r}"
            )
        self.pairs.setdefault((scenario, a, b), [0] * 9)[3 * first + second] += times

    def control(self, scenario: str, agent: str, winner: int | None, times: int = 1) -> None:
        """Count a game of an agent against itself: the side that won, or None for a draw. `times`: as for `pair`."""
        _check_times(times)
        if winner not in (0, 1, None):
            raise ValueError(f"winner {winner!r}; it is side 0, side 1 or None for a draw")
        cell = 1 if winner is None else 2 * winner
        self.controls.setdefault((scenario, agent), [0] * 3)[cell] += times

    # Whole tallies

    def merged(self, other: Tally) -> Tally:
        """The counts of both; neither is changed."""
        both = Tally()
        for part in (self, other):
            for pairing, cells in part.pairs.items():
                _add(both.pairs.setdefault(pairing, [0] * 9), cells)
            for arm, counts in part.controls.items():
                _add(both.controls.setdefault(arm, [0] * 3), counts)
        return both

    def restricted(
        self, scenarios: Iterable[str] | None = None, agents: Iterable[str] | None = None
    ) -> Tally:
        """The counts of these scenarios, and of games between these agents only; None: of all."""
        played = None if scenarios is None else frozenset(scenarios)
        players = None if agents is None else frozenset(agents)

        def wanted(scenario: str, *names: str) -> bool:
            return (played is None or scenario in played) and (
                players is None or all(name in players for name in names)
            )

        return Tally(
            pairs={key: list(cells) for key, cells in self.pairs.items() if wanted(*key)},
            controls={key: list(counts) for key, counts in self.controls.items() if wanted(*key)},
        )

    # What was played

    @property
    def scenarios(self) -> tuple[str, ...]:
        """Every scenario with a game, sorted."""
        keys = [(key[0], cells) for key, cells in (*self.pairs.items(), *self.controls.items())]
        return tuple(sorted({scenario for scenario, cells in keys if any(cells)}))

    @property
    def agents(self) -> tuple[str, ...]:
        """Every agent with a game, control games included, sorted."""
        keys = [(key[1:], cells) for key, cells in (*self.pairs.items(), *self.controls.items())]
        return tuple(sorted({agent for agents, cells in keys if any(cells) for agent in agents}))

    def pairings(self) -> Iterator[tuple[Pairing, tuple[int, ...]]]:
        """Each pairing that was played with its nine cells: sorted, a before b, both directions together."""
        found: dict[Pairing, list[int]] = {}
        for (scenario, a, b), cells in self.pairs.items():
            if any(cells):
                key, turned = ((scenario, a, b), cells) if a < b else ((scenario, b, a), transposed(cells))
                _add(found.setdefault(key, [0] * 9), turned)
        return iter(sorted((key, tuple(cells)) for key, cells in found.items()))

    # One pairing, from the point of view of a

    def cells(self, a: str, b: str, scenario: str | None = None) -> tuple[int, ...]:
        """The nine cells of a against b in one scenario, or in all together."""
        total = [0] * 9
        for (played, left, right), cells in self.pairs.items():
            if scenario is None or played == scenario:
                if (left, right) == (a, b):
                    _add(total, cells)
                elif (left, right) == (b, a):
                    _add(total, transposed(cells))
        return tuple(total)

    def pentanomial(self, a: str, b: str, scenario: str | None = None) -> tuple[int, ...]:
        """Counts of the pairs of a against b by a's points: 0, 1/2, 1, 3/2, 2."""
        return pentanomial(self.cells(a, b, scenario))

    def results(self, a: str, b: str | None = None, scenario: str | None = None) -> Results:
        """Wins, draws and losses of a against b, or against everybody; control games are not among them."""
        total = [0, 0, 0]
        for (played, left, right), cells in self.pairs.items():
            if scenario is not None and played != scenario:
                continue
            if left == a and b in (right, None):
                _add(total, _losses_draws_wins(cells))
            elif right == a and b in (left, None):
                _add(total, _losses_draws_wins(transposed(cells)))
        return Results(wins=total[2], draws=total[1], losses=total[0])

    def share(self, a: str, b: str | None = None, scenario: str | None = None) -> float | None:
        """Points per game of a against b (or everybody), a draw counting half; None without games."""
        return self.results(a, b, scenario).share

    # Sides

    def side_results(self, scenario: str, agent: str | None = None) -> Results:
        """Side 0's results in the paired games of a scenario; with `agent`, in those it played on side 0."""
        total = [0, 0, 0]
        for (played, a, b), cells in self.pairs.items():
            if played != scenario:
                continue
            for first in (LOSS, DRAW, WIN):
                for second in (LOSS, DRAW, WIN):
                    count = cells[3 * first + second]
                    if agent in (a, None):
                        total[first] += count
                    if agent in (b, None):
                        total[2 - second] += count
        return Results(wins=total[2], draws=total[1], losses=total[0])

    def control_results(self, scenario: str, agent: str | None = None) -> Results:
        """Side 0's results in the control games of a scenario, of one agent or of all."""
        total = [0, 0, 0]
        for (played, player), counts in self.controls.items():
            if played == scenario and agent in (player, None):
                _add(total, counts)
        return Results(wins=total[0], draws=total[1], losses=total[2])

    @property
    def pair_count(self) -> int:
        """The number of pairs."""
        return sum(sum(cells) for cells in self.pairs.values())

    @property
    def game_count(self) -> int:
        """The number of games: two for each pair, and the control games."""
        return 2 * self.pair_count + sum(sum(counts) for counts in self.controls.values())


def transposed(cells: Iterable[int]) -> tuple[int, ...]:
    """The same pairs seen by b: b's first game is a's second, and a win for one is a loss for the other."""
    old = tuple(cells)
    return tuple(old[3 * (2 - second) + (2 - first)] for first in range(3) for second in range(3))


def pentanomial(cells: Iterable[int]) -> tuple[int, ...]:
    """Nine cells by a's points in the pair: 0, 1/2, 1, 3/2, 2."""
    counts = [0] * 5
    for index, count in enumerate(cells):
        counts[index // 3 + index % 3] += count
    return tuple(counts)


def _losses_draws_wins(cells: Iterable[int]) -> list[int]:
    total = [0, 0, 0]
    for index, count in enumerate(cells):
        total[index // 3] += count
        total[index % 3] += count
    return total


def _check_times(times: int) -> None:
    if times < 0:
        raise ValueError(f"times {times!r}; a whole number of at least 0")


def _add(total: list[int], more: Iterable[int]) -> None:
    for index, count in enumerate(more):
        total[index] += count
