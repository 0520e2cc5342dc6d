"""How the characters of `doctrine` fight: each against itself, in numbers, and against greedy. A Markdown table.

    python -m tests.measure_characters                      # 20 games a cell: some seven minutes on two cores
    python -m tests.measure_characters --games 60 --scenario stairwell

A row is a character on one scenario of each rulebook.

- Of its games against itself: shares of unit-turns inside buildings and above their ground floor, assaults and shots a unit-turn,
  share of shots from buildings, falls and breaches a game, models lost.
- Against greedy, sides swapped: its share, with Wilson's 95% interval.
"""

from __future__ import annotations

import argparse
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from battlesim.batch.measures import Measures
from battlesim.tournament.shares import wilson
from tests.measure_agents import one as duel
from tests.measure_scenarios import one

CHARACTERS = ("usual", "assault", "defence", "firebase", "infiltration", "demolition")
SCENARIOS = ("village", "silo", "bastion", "monastery")
HEAD = (
    "| scenario | character | inside | above | assaults | shots | from buildings | falls | breaches | lost | against greedy |\n"
    "| --- | --- | --: | --: | --: | --: | --: | --: | --: | --: | --- |"
)


def style(games: list[Measures]) -> str:
    """The cells that say how a character fights."""
    turns = sum(game.unit_turns for game in games) or 1
    shots = sum(game.shots for game in games) or 1
    lost = sum(sum(game.lost) for game in games) / max(1, sum(sum(game.began) for game in games))
    cells = (
        f"{sum(game.inside for game in games) / turns:.0%}",
        f"{sum(game.above for game in games) / turns:.0%}",
        f"{sum(game.assaults for game in games) / turns:.2f}",
        f"{sum(game.shots for game in games) / turns:.2f}",
        f"{sum(game.shots_from for game in games) / shots:.0%}",
        f"{sum(game.falls for game in games) / len(games):.1f}",
        f"{sum(game.breaches for game in games) / len(games):.1f}",
        f"{lost:.0%}",
    )
    return " | ".join(cells)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--scenario", action="append", help="only this one (may be repeated)")
    parser.add_argument("--character", action="append", help="only this one (may be repeated)")
    parser.add_argument("--workers", type=int, default=2)
    args = parser.parse_args()
    if args.games < 2:
        parser.error("give --games of 2 or more: those against greedy are played in pairs")
    print(HEAD, flush=True)
    with ProcessPoolExecutor(args.workers, mp_context=get_context("spawn")) as pool:
        for scenario in args.scenario or SCENARIOS:
            for character in args.character or CHARACTERS:
                agent = f"doctrine,character={character}"
                played = pool.map(one, *zip(*[(scenario, agent, n) for n in range(args.games)], strict=True))
                jobs = [
                    (scenario, agent, "greedy", 1000 + n, swap)
                    for n in range(args.games // 2)
                    for swap in (False, True)
                ]
                shares = [row[0] for row in pool.map(duel, jobs)]
                share = sum(shares) / len(shares)
                found = wilson(share, len(shares))
                against = f"{share:.0%} [{found.low:.0%}, {found.high:.0%}]"
                print(f"| {scenario} | {character} | {style(list(played))} | {against} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
