"""Made-up games of stress tests, with effects planted in them.

python -m tests.stress.made_up             # 100,000 games: how long the analysis and the page take
python -m tests.stress.made_up --rates     # how often effects are found that are none, and that are there (some minutes)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from battlesim.batch.measures import Measures
from battlesim.batch.rows import GameRow
from battlesim.stress import atlas
from battlesim.stress.atlas_places import Change, Place
from battlesim.stress.plan import Design

SIDES = ("Red", "Blue")


def made_up_design(
    kind: str, points: Sequence[tuple[Any, ...]], games: int, factors: Sequence[str] = ()
) -> Design:
    """A design of some points; factors are called f0, f1, ... unless named."""
    names = tuple(factors) or tuple(f"f{number}" for number in range(len(points[0])))
    return Design(
        "made-up",
        SIDES,
        kind,
        names,
        tuple((name,) for name in names),
        (None,) * len(names),
        tuple(points),
        games,
    )


def wins(design: Design, chances: NDArray[np.float64], seed: int, luck: float = 0.5) -> NDArray[np.float64]:
    """Wins by point and seed, where the first side's chance at each point is given. In a share `luck` of games all points meet
    the same die."""
    chance = np.random.default_rng(seed)
    shape = (len(design.points), design.games)
    drawn = np.where(chance.random(shape) < luck, chance.random(design.games)[None, :], chance.random(shape))
    return (drawn < chances[:, None]).astype(float)


def made_up_rows(design: Design, won: NDArray[np.float64], seed: int = 1) -> Iterator[GameRow]:
    """Rows of games with these results, and with measures drawn by chance."""
    chance = np.random.default_rng(seed)
    for number, share in enumerate(won.ravel()):
        idle, lost, turns = (int(value) for value in chance.integers(0, 20, 3))
        winner = 0 if share > 0.5 else 1
        points = (4, 2) if winner == 0 else (1, 3)
        measures = Measures(
            winner,
            "length",
            "length",
            points,
            (8, 8),
            turns=1 + turns % 6,
            unit_turns=60,
            inside=20 + idle,
            idle=idle,
            assaults_into=lost % 5,
            breaches=lost % 3,
            fires=int(idle == 3),
            lost=(lost, 19 - lost),
            began=(40, 40),
        )
        yield GameRow(
            format=3,
            number=number,
            round=number % design.games,
            leg=0,
            scenario="made-up",
            ruleset="orderdice",
            seed=number % design.games,
            sides=SIDES,
            agents=dict.fromkeys(SIDES, "rush"),
            winner=SIDES[winner],
            points=dict(zip(SIDES, points, strict=True)),
            turns=measures.turns,
            termination="length",
            verdict="length",
            losses=None,
            faults=[],
            record_hash=None,
            clauses="",
            measures=measures,
        )


def made_up_atlas(changes: int, games: int) -> atlas.AtlasDesign:
    """An atlas of so many places, at each of which a window is closed."""
    places = tuple(Place(f"place {n}", "window", (n,), 0, 0, n, n) for n in range(changes))
    measures = tuple(atlas.Measures(betweenness=float(n), height=1.0) for n in range(changes))
    return atlas.AtlasDesign(
        "planted",
        ("One", "Two"),
        ("greedy", "greedy"),
        1,
        games,
        places,
        measures,
        tuple(Change(n, "closed") for n in range(changes)),
        (),
        "{}",
    )


def made_up_atlas_rows(games: int, helps: Sequence[float], seed: int) -> Iterator[GameRow]:
    """Rows in which change n turns a share of the games that One lost into wins (a negative one: the other way round)."""
    chance = np.random.default_rng(seed)
    base = chance.random(games) < 0.5
    for number in range((len(helps) + 1) * games):
        point, game = divmod(number, games)
        won = bool(base[game])
        if point and chance.random() < abs(helps[point - 1]):
            won = helps[point - 1] > 0
        points = {"One": 3 if won else 1, "Two": 1 if won else 3}
        yield GameRow(
            format=3,
            number=number,
            round=game,
            leg=0,
            scenario=f"planted.{point}",
            ruleset="squadhex",
            seed=game,
            sides=("One", "Two"),
            agents={"One": "greedy", "Two": "greedy"},
            winner="One" if won else "Two",
            points=points,
            turns=3,
            termination="length",
            verdict="length",
            losses=None,
            faults=[],
            record_hash="",
            clauses="0",
        )


def large() -> tuple[Design, NDArray[np.float64]]:
    """A sample of 5,000 points of eight factors with 20 games each: one factor matters, two act together, five do nothing."""
    chance = np.random.default_rng(7)
    walls = chance.choice(["wood", "brick", "stone"], 5000)
    points = [
        (int(turns), str(wall), bool(flame), *map(float, rest))
        for turns, wall, flame, rest in zip(
            chance.integers(4, 11, 5000),
            walls,
            chance.random(5000) < 0.5,
            np.round(chance.random((5000, 5)), 4),
            strict=True,
        )
    ]
    names = ("turns", "walls", "flamethrower.present", "a", "b", "c", "d", "e")
    design = made_up_design("sobol", points, 20, names)
    chances = np.array(
        [0.3 + 0.04 * (turns - 4) + 0.3 * (wall == "wood" and flame) for turns, wall, flame, *_ in points]
    )
    return design, wins(design, np.clip(chances, 0.02, 0.98), 3)


def _time() -> None:
    import time
    from pathlib import Path
    from tempfile import TemporaryDirectory

    from battlesim.stress.analysis import analyse
    from battlesim.stress.page import write_page

    design, won = large()
    rows = list(made_up_rows(design, won))
    begun = time.perf_counter()
    found = analyse(design, rows)
    analysed = time.perf_counter()
    with TemporaryDirectory() as folder:
        write_page(design, found, Path(folder, "stress.html"), "large")
    done = time.perf_counter()
    print(f"{len(rows):,} games: analysis {analysed - begun:.1f} s, page {done - analysed:.1f} s")


def rates(runs: int) -> list[tuple[str, str, float, float, float]]:
    """(design, planted, any false effect shown, planted effect shown, its interval holds it), the last three as shares of
    `runs` runs. Planted are no effect, or that of one factor of five, from its least to its most, on the chance to win."""
    from itertools import product

    from battlesim.stress.effects import effects_of, model_of

    chance = np.random.default_rng(11)
    spread = [tuple(map(float, row)) for row in chance.random((64, 5))]
    designs = (
        ("factorial, 32 points, 20 games", "factorial", list(product((0, 1), repeat=5)), 20),
        ("Latin hypercube, 64 points, 20 games", "latin-hypercube", spread, 20),
        ("Latin hypercube, 64 points, 4 games", "latin-hypercube", spread, 4),
    )
    found = []
    for words, kind, points, games in designs:
        design = made_up_design(kind, points, games)
        model = model_of(design)
        first = np.array([float(point[0]) for point in points])
        for effect in (0.0, 0.1, 0.2):
            chances = 0.5 + effect * (first - 0.5)
            scale = float(np.ptp(first)) if kind != "factorial" else 1.0
            false = shown = held = 0
            for seed in range(runs):
                effects, _ = effects_of(design, wins(design, chances, seed), model)
                planted = next(e for e in effects if e.factor == "f0" and not e.other)
                false += any(e.is_shown for e in effects if e is not planted or effect == 0.0)
                shown += planted.is_shown
                held += planted.low <= effect * scale <= planted.high
            found.append((words, f"{effect:.0%}", false / runs, shown / runs, held / runs))
    return found


def main() -> None:
    import argparse

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rates", action="store_true", help="simulate the rates of the tests instead")
    parser.add_argument("--runs", type=int, default=1000, metavar="N", help="runs of each row (1000)")
    args = parser.parse_args()
    if not args.rates:
        _time()
        return
    print("| design | planted | any false effect shown | planted effect shown | its interval holds it |")
    print("| --- | --- | --- | --- | --- |")
    for design, planted, false, shown, held in rates(args.runs):
        of_it = f"{shown:.0%}" if planted != "0%" else "-"
        print(f"| {design} | {planted} | {false:.1%} | {of_it} | {held:.1%} |")


if __name__ == "__main__":
    main()
