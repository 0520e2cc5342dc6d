"""How far players stay below the best there is: `python -m tests.measure_ceilings [FIGHT...]`.

The fights of tests/ceilings are solved whole for Red, three times: against a Blue that answers as well as can be, one that
answers as `greedy`, and one that answers at random. That gives the share of wins (a draw is a half) that the best answers reach,
knowing all, with every die and draw accounted for. Then each player plays Red in some games against that Blue. What it loses is
the sum, over its answers, of what the best answer was worth more than the one it gave; the mean of that sum is exactly the
optimum less the player's own value, and varies far less than results do. `--write` puts the table in docs/exams.md. Some
forty minutes on one core.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from statistics import fmean, stdev
from typing import NamedTuple

from battlesim.board.board import Board
from battlesim.core.answers import Answer, parse_answer
from battlesim.core.dice import KeyedDice
from battlesim.core.events import Answered
from battlesim.core.items import Ask
from battlesim.core.state import State
from battlesim.core.view import View
from battlesim.engine.agent import Chance
from battlesim.engine.battle import Battle, Question
from battlesim.engine.referee import Referee
from battlesim.engine.roster import find_agent
from battlesim.rules.contract import Ruleset
from battlesim.rules.scenario import Scenario
from battlesim.rulesets.finder import find_ruleset
from battlesim.scenario.load import first_state, load_scenario
from battlesim.search.expectimax import Behaviour, Expectimax, Lottery, uniform
from battlesim.search.playouts import best_by_features

FOLDER = Path(__file__).parent / "ceilings"
PAGE = Path(__file__).parents[1] / "docs" / "exams.md"
BEGIN, END = "<!-- ceilings: python -m tests.measure_ceilings --write -->", "<!-- end of ceilings -->"
PLAYERS = ("searcher", "planner", "greedy", "rush", "random")
GAMES = 40
DEPTH = 100_000
"""Python's limit of recursion while a fight is solved: one level for each piece of work from the first to the last."""


class Loss(NamedTuple):
    """What a player loses against the optimum in a game, in wins, with its standard error."""

    mean: float
    error: float


def fights() -> list[str]:
    """The fights that ship, by name."""
    return sorted(path.stem for path in FOLDER.glob("*-*.yaml"))


def wins(state: State) -> float:
    """1 where Red has won, a half for a draw, else 0."""
    assert state.outcome is not None
    return 0.5 if state.outcome.winner is None else float(state.outcome.winner == 0)


def like_greedy(ruleset: Ruleset) -> Behaviour:
    """As `greedy` answers."""

    def answer(state: State, board: Board, ask: Ask, answers: Sequence[Answer]) -> Lottery:
        view = ruleset.observe(state, board, ask.side, ())
        return [(best_by_features(view, board, view.ask, answers), 1.0)]

    return answer


BLUES = ("best", "greedy", "random")
"""How Blue answers: as well as can be, or as a player does."""


def solver(scenario: Scenario, blue: str = "random", most: int = 1_000_000) -> Expectimax:
    """The best Red can do in a fight against one of `BLUES`. Longer fights need `DEPTH` as Python's limit of recursion."""
    ruleset = find_ruleset(scenario.ruleset)
    opponent = {"best": None, "greedy": like_greedy(ruleset), "random": uniform}[blue]
    return Expectimax(ruleset, scenario.board, 0, opponent, wins, most=most)


class Perfect:
    """Answers as well as can be: what is worth least to Red, the first of equals. `now` is the battle it is asked in."""

    now: Battle

    def __init__(self, solved: Expectimax) -> None:
        self.solved = solved

    def start(self, board: Board, side: int, chance: Chance) -> None:
        """It knows all there is."""

    def choose(self, view: View, ask: Ask, answers: Sequence[Answer]) -> Answer:
        values = dict(self.solved.values(self.now.state))
        return min(values, key=lambda said: values[said])


def regret(solved: Expectimax, battle: Battle, question: Question, said: Answer) -> float:
    """What the best answer to a question is worth more than the one that was given."""
    values = dict(solved.values(battle.state))
    return max(values.values()) - values[said]


def loss(scenario: Scenario, solved: Expectimax, player: str, games: int, blue: str = "random") -> Loss:
    """A player's mean loss in a game as Red against the Blue that the fight is solved for."""
    found = []
    for seed in range(games):
        battle = Battle(
            find_ruleset(scenario.ruleset), scenario.board, first_state(scenario, 1), KeyedDice(seed)
        )
        asked: list[Battle] = []
        perfect = Perfect(solved)

        def listen(
            battle: Battle, question: Question, asked: list[Battle] = asked, perfect: Perfect = perfect
        ) -> None:
            perfect.now = battle.fork()
            if question.side == 0:
                asked.append(perfect.now)

        other = perfect if blue == "best" else find_agent(blue).make()
        agents = (find_agent(player).make(), other)
        Referee(battle, agents, (2 * seed, 2 * seed + 1), listener=listen, scenario=scenario).play_out()
        said = [e.answer for e in battle.log if isinstance(e, Answered) and e.side == 0]
        total = 0.0
        for then, text in zip(asked, said, strict=True):
            assert then.question is not None
            total += regret(solved, then, then.question, parse_answer(text, then.ruleset.answers))
        found.append(total)
    return Loss(fmean(found), stdev(found) / len(found) ** 0.5)


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure players against the best there is in tiny fights.")
    parser.add_argument("fights", nargs="*", metavar="FIGHT")
    parser.add_argument("--games", type=int, default=GAMES, metavar="N")
    parser.add_argument("--blue", choices=BLUES, help="measure against this Blue only (all of them)")
    parser.add_argument("--player", action="append", help="measure only this one (may be repeated)")
    parser.add_argument("--write", action="store_true", help="put the table in docs/exams.md")
    args = parser.parse_args()
    if args.games < 2:
        parser.error("give --games of 2 or more: one has no error")
    if args.write and (args.fights or args.blue or args.player):
        parser.error("--write puts the whole table in docs/exams.md: name no fights, Blue or players with it")
    players = args.player or PLAYERS
    sys.setrecursionlimit(DEPTH)
    begun = time.monotonic()
    rows = [
        f"| fight | turns | Blue | positions | optimum | {' | '.join(players)} |",
        "| --- | --: | --- | --: | --: |" + " --: |" * len(players),
    ]
    print("\n".join(rows), flush=True)
    for blue, name in product([args.blue] if args.blue else BLUES, args.fights or fights()):
        scenario = load_scenario(FOLDER / f"{name}.yaml")
        solved = solver(scenario, blue)
        best = solved.value(first_state(scenario, 1))
        size = solved.positions
        losses = [loss(scenario, solved, player, args.games, blue) for player in players]
        cells = " | ".join(f"{one.mean:.3f} ± {one.error:.3f}" for one in losses)
        rows.append(f"| `{name}` | {scenario.turns} | {blue} | {size:,} | {best:.3f} | {cells} |")
        print(rows[-1], flush=True)
        print(f"{time.monotonic() - begun:.0f} s", file=sys.stderr, flush=True)
    if args.write:
        text = PAGE.read_text(encoding="utf-8")
        table = "\n".join([BEGIN, *rows, END])
        PAGE.write_text(re.sub(f"{BEGIN}.*?{END}", lambda _: table, text, flags=re.DOTALL), encoding="utf-8")


if __name__ == "__main__":
    main()
