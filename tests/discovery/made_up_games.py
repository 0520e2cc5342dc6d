"""Made-up games for tests of evidence: what players do and who wins is drawn at random, with or without an effect."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from battlesim.discovery.contrasts import Contrast
from battlesim.discovery.situations import FEATURES
from battlesim.discovery.watching import FORMAT, SEPARATOR, Counts, WatchedRow

ACTS = ("order:fire", "order:run", "order:wait", "go:upstairs", "go:nearer", "at:building")
FIRST = tuple(next(iter(values)) for values in FEATURES.values())
OTHER = tuple(list(values)[1] for values in FEATURES.values())


def situation(random: Random) -> str:
    """A situation in which each of three features has one of two values; the others are as in FIRST."""
    values = list(FIRST)
    for place in (0, 1, 2):
        values[place] = random.choice((FIRST[place], OTHER[place]))
    return SEPARATOR.join(values)


def doings(random: Random, habits: dict[str, float]) -> Counts:
    """What a player with habits, a chance for each act, did in a game."""
    done: Counts = {}
    for _ in range(12):
        here = done.setdefault(situation(random), {})
        for act in ACTS:
            times, taken = here.get(act, (0, 0))
            here[act] = (times + 1, taken + (random.random() < habits[act]))
    return done


def mined_games(
    seed: int, pairs: int, works: Sequence[str] = (), strength: float = 0.0
) -> tuple[dict[int, WatchedRow], list[Contrast]]:
    """Pairs of games of players whose habits differ. The chance to win is 0.5, and `strength` more for one who always does each
    act that `works`, as much less for one who never does."""
    random = Random(seed)
    rows: dict[int, WatchedRow] = {}
    contrasts = []
    for number in range(pairs):
        games = []
        for place in (0, 1):
            habits = {act: random.random() for act in ACTS}
            done = doings(random, habits)
            chance = 0.5 + strength * sum(2 * habits[act] - 1 for act in works)
            score = float(random.random() < chance)
            side = number % 2
            margin = (2 * score - 1) * random.random()
            sides = (done, {}) if side == 0 else ({}, done)
            if side == 1:
                score, margin = 1 - score, -margin
            games.append(2 * number + place)
            rows[games[-1]] = WatchedRow(FORMAT, games[-1], score, margin, done=sides)
        contrasts.append(Contrast(number, "made-up", number % 2, number, games[0], games[1]))
    return rows, contrasts


def tried_games(
    seed: int, effects: Sequence[float], seeds: int, bears: float = 1.0
) -> tuple[dict[int, WatchedRow], list[list[Contrast]]]:
    """Pairs of games with and without each of some tactics; the chance to win with one is `effects` higher in games in which it
    `bears`. In all others both games are the same."""
    random = Random(seed)
    rows: dict[int, WatchedRow] = {}
    every = []
    for subject, effect in enumerate(effects):
        contrasts = []
        for number in range(seeds):
            for side in (0, 1):
                luck, bore = random.random(), random.random() < bears
                # Half of the luck is of the dice that both games share.
                lucks = [luck if random.random() < 0.5 or not bore else random.random() for _ in range(2)]
                chances = [0.5 + (effect / 2 if bore else 0), 0.5 - (effect / 2 if bore else 0)]
                games = []
                for one, chance in zip(lucks, chances, strict=True):
                    won = float(one < chance)
                    score = won if side == 0 else 1 - won
                    dose = ((3, 2), (0, 0)) if side == 0 else ((0, 0), (3, 2))
                    games.append(len(rows))
                    rows[games[-1]] = WatchedRow(
                        FORMAT, games[-1], score, (2 * score - 1) / 2, dose if bore else ((0, 0), (0, 0))
                    )
                contrasts.append(Contrast(subject, "made-up", side, number, games[0], games[1], games[1]))
        every.append(contrasts)
    return rows, every


def compared_games(
    seed: int, kept: Sequence[float], opposite: Sequence[float], seeds: int
) -> tuple[dict[int, WatchedRow], list[list[Contrast]]]:
    """Three games of each seed and side for each of some tactics: kept to, its opposite, and as the base player plays. The first
    two have `kept` and `opposite` more chance to win than the third, which all tactics share; half of the luck is shared."""
    random = Random(seed)
    rows: dict[int, WatchedRow] = {}

    def played(side: int, luck: float, chance: float) -> int:
        own = luck if random.random() < 0.5 else random.random()
        won = float(own < chance)
        score, bore = (won, ((3, 2), (0, 0))) if side == 0 else (1 - won, ((0, 0), (3, 2)))
        rows[len(rows)] = WatchedRow(FORMAT, len(rows), score, (2 * score - 1) / 2, bore)
        return len(rows) - 1

    every: list[list[Contrast]] = [[] for _ in kept]
    for number in range(seeds):
        luck = random.random()
        base = played(0, luck, 0.5)  # one game of the base player against itself serves both sides
        for subject, (gain, other) in enumerate(zip(kept, opposite, strict=True)):
            for side in (0, 1):
                mine = luck if side == 0 else 1 - luck
                games = played(side, mine, 0.5 + gain), played(side, mine, 0.5 + other)
                every[subject].append(Contrast(subject, "made-up", side, number, *games, base))
    return rows, every
