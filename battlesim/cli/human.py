"""A person as a player: questions, numbered answers and news on the terminal. Read `Human.choose`.

A person sees what an agent sees: the view of the own side. What is asked for help, the odds of an answer, is found in battles
that are imagined from that view.
"""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from battlesim.cli.common import table

if TYPE_CHECKING:
    from battlesim.board.board import Board
    from battlesim.core.answers import Answer
    from battlesim.core.items import Ask
    from battlesim.core.view import View
    from battlesim.engine.agent import Chance
    from battlesim.engine.brief import Brief
    from battlesim.engine.roster import Entrant
    from battlesim.engine.saved import Leave, SavedGame
    from battlesim.rules.scenario import Scenario
    from battlesim.viewer.live import News

MOST = 40
"""Answers that are listed at once."""
LIKELY = 5
"""Answers of which `odds` without a number tells."""
HELP = """\
  a number, its words or its text form (go 17) answers the question
  more             list the answers that were left out
  odds [NUMBER]    what an answer is expected to do, by the rules; without a number, the five that promise most
  units            where everybody is, as far as you know
  goals            what is to be taken and held, and the points
  quit             leave the game; it is saved and can be gone on with"""


def person(scenario: Scenario) -> Entrant:
    """The person at the terminal as an entrant of a scenario."""
    from battlesim.engine.roster import HUMAN, Entrant

    return Entrant(HUMAN, "", lambda: Human(scenario))


def check(args: argparse.Namespace) -> None:
    """Raise InputError where `play` is asked for what a person cannot do."""
    from battlesim.core.errors import Fault, InputError

    if args.games > 1:
        raise InputError(Fault(f"--games {args.games}: a person plays one game at a time", "leave it out"))


def resumed(args: argparse.Namespace) -> tuple[SavedGame, Scenario, list[Entrant]]:
    """The game that `play --resume FILE` goes on with, its scenario and its players. Raises InputError where the file is none, or
    something is asked that a saved game has of its own."""
    from battlesim.core.errors import Fault, InputError
    from battlesim.engine.origin import entrant_of, scenario_of
    from battlesim.engine.roster import HUMAN
    from battlesim.engine.saved import read_saved

    if not args.resume:
        remedy = "name one, as `battlesim scenarios` lists them, or a saved game: --resume FILE"
        raise InputError(Fault("required: SCENARIO", remedy))
    given = [word for word, value in (("SCENARIO", args.scenario), ("--agent", args.agent)) if value]
    if given or args.games > 1 or args.seed:
        word = given[0] if given else "--seed" if args.seed else "--games"
        raise InputError(Fault(f"{word} and --resume contradict", "a saved game has its own"))
    saved = read_saved(args.resume)
    args.save = args.save or args.resume
    scenario = scenario_of(saved)
    names = [player.name for player in saved.header.agents]
    entrants = [
        person(scenario) if name == HUMAN else entrant_of(saved, side) for side, name in enumerate(names)
    ]
    return saved, scenario, entrants


def save(leave: Leave, args: argparse.Namespace) -> None:
    """Save the game that a person leaves, and say how to go on with it."""
    game = leave.game
    assert game is not None
    path = args.save or f"{game.header.scenario.name}-{game.header.seeds.battle}.saved"
    game.save(path)
    print(f"\nThe game is saved. Go on with: battlesim play --resume {shlex.quote(path)}", file=sys.stderr)


class Human:
    """A person at the terminal. `read` gives the next line that is typed, "" at its end; `say` prints a line."""

    def __init__(
        self,
        scenario: Scenario,
        read: Callable[[], str] | None = None,
        say: Callable[[str], None] | None = None,
    ) -> None:
        self._scenario = scenario
        self._read = read or (lambda: sys.stdin.readline())
        self._say = say or _print
        self._heard: News | None = None

    def start(self, board: Board, side: int, chance: Chance, brief: Brief | None = None) -> None:
        from battlesim.viewer.wording import printable

        assert brief is not None
        self._board, self._side, self._brief = board, side, brief
        self._say(printable(f"{brief.title}: you play {brief.sides[side]}, {brief.turns} turns."))
        if brief.text:
            self._say(printable(" ".join(brief.text.split())))
        self._say("Type ? for help.")

    def choose(self, view: View, ask: Ask, answers: Sequence[Answer]) -> Answer:
        """The answer of the person. Raises Leave where they quit, or the input ends."""
        from battlesim.engine.saved import Leave
        from battlesim.viewer.wording import printable

        if self._heard is None:
            self._heard = self._listening(view)
        for line in self._news.lines(view):
            self._say(line)
        names = self._named(ask, answers)
        self._say("")
        self._say(printable(f"Turn {view.turn}, {self._brief.sides[self._side]}: {self._news.question(ask)}"))
        self._list(names[:MOST])
        if len(names) > MOST:
            self._say(f"  ... {len(names) - MOST} more (type more)")
        while True:
            _prompt()
            line = self._read()
            if not line:
                raise Leave
            word, _, rest = line.strip().partition(" ")
            if word == "quit" and not rest:
                raise Leave
            chosen = self._chosen(line.strip(), names, answers)
            if chosen is not None:
                return chosen
            self._help(word, rest.strip(), view, ask, answers, names)

    @property
    def _news(self) -> News:
        assert self._heard is not None
        return self._heard

    def _listening(self, view: View) -> News:
        """The news of this side, from what it knows at its first question."""
        from battlesim.engine.game import header_of, seeds_of
        from battlesim.engine.record import Limits, Player
        from battlesim.viewer.live import News, known_start

        players = (Player("", ""), Player("", ""))
        return News(header_of(self._scenario, seeds_of(0), players, Limits(), known_start(view)))

    # ---- answers

    def _list(self, names: Sequence[str], first: int = 1) -> None:
        for line in table([(f"  {number}", name) for number, name in enumerate(names, first)]):
            self._say(line)

    def _named(self, ask: Ask, answers: Sequence[Answer]) -> list[str]:
        """The answers in words; those that have the same words with their text form."""
        from collections import Counter

        from battlesim.core.answers import format_answer

        names = [self._news.answer(ask, answer) for answer in answers]
        counts = Counter(names)
        return [
            name if counts[name] == 1 else f"{name} ({format_answer(answer)})"
            for name, answer in zip(names, answers, strict=True)
        ]

    def _chosen(self, said: str, names: Sequence[str], answers: Sequence[Answer]) -> Answer | None:
        """The answer that is meant, by number, words or text form; None for none."""
        from battlesim.core.answers import format_answer

        if said.isdecimal() and 1 <= int(said) <= len(answers):
            return answers[int(said) - 1]
        wanted = " ".join(said.split()).casefold()
        for name, answer in zip(names, answers, strict=True):
            if wanted and wanted in (name.casefold(), format_answer(answer)):
                return answer
        return None

    # ---- help

    def _help(
        self,
        word: str,
        rest: str,
        view: View,
        ask: Ask,
        answers: Sequence[Answer],
        names: Sequence[str],
    ) -> None:
        from battlesim.core.errors import did_you_mean
        from battlesim.viewer.wording import printable

        if word in ("?", "help"):
            self._say(HELP)
        elif word == "more":
            self._list(names[MOST:] or names, MOST + 1 if names[MOST:] else 1)
        elif word == "units":
            self._units(view)
        elif word == "goals":
            self._goals(view)
        elif word == "odds" and (not rest or self._chosen(rest, names, answers) is not None):
            wanted = [self._chosen(rest, names, answers)] if rest else self._promising(view, ask, answers)
            for answer in wanted:
                assert answer is not None
                number = list(answers).index(answer)
                self._say(f"  {number + 1}  {names[number]}: {self._odds(view, answer)}")
        elif word:
            typed = f"{word} {rest}".strip() if word != "odds" else rest
            near = did_you_mean(typed, [*names, "more", "odds", "units", "goals", "quit"])
            remedy = near if near.startswith("did") else f"give a number from 1 to {len(answers)}"
            self._say(printable(f"  {typed!r} is no answer here; {remedy} (? for help)"))

    def _promising(self, view: View, ask: Ask, answers: Sequence[Answer]) -> list[Answer]:
        from battlesim.search.playouts import feature_scores

        scores = feature_scores(view, self._board, ask, answers)
        order = sorted(range(len(answers)), key=lambda n: -scores[n])
        return [answers[n] for n in order[:LIKELY]]

    def _odds(self, view: View, answer: Answer) -> str:
        """What an answer is expected to do until its act is over, in imagined battles."""
        from battlesim.engine.battle import Battle
        from battlesim.search.playouts import best_by_features
        from battlesim.search.reasons import expected_act

        outer, Battle.thinking = Battle.thinking, None  # a person may think as long as they like
        try:
            act = expected_act(view, self._board, answer, best_by_features, view.number)
        finally:
            Battle.thinking = outer
        return self._news.expected(act, self._side)

    def _units(self, view: View) -> None:
        from battlesim.viewer.wording import printable

        for side, name in enumerate(self._brief.sides):
            self._say(printable(f"{name}:"))
            rows = list(self._rows(view, side))
            for line in table(rows) if rows else ["  nobody that you know of"]:
                self._say(printable(line))

    def _rows(self, view: View, side: int) -> Iterator[tuple[str, str, str, str]]:
        for unit in view.units.values():
            if unit.side == side and unit.alive:
                where = self._news.place(unit.place) if unit.place >= 0 else "off the map"
                yield f"  {unit.name}", f"{unit.models} left", where, _state_of(unit.own)

    def _goals(self, view: View) -> None:
        from battlesim.viewer.wording import printable

        ours, theirs = view.points[self._side], view.points[1 - self._side]
        self._say(f"  turn {view.turn} of {self._brief.turns}; points: {ours} to {theirs}")
        for goal in self._brief.objectives:
            worth = "point" if goal.points == 1 else "points"
            self._say(printable(f"  {goal.name}: {goal.kind}, {goal.points} {worth}"))


def _state_of(own: Any) -> str:
    """The plain fields of a unit's record that are set: pins 2, order ambush."""
    fields: Mapping[str, Any] = {name: getattr(own, name) for name in getattr(own, "__struct_fields__", ())}
    defaults: Mapping[str, Any] = dict(
        zip(
            reversed(getattr(own, "__struct_fields__", ())),
            reversed(getattr(own, "__struct_defaults__", ())),
            strict=False,
        )
    )
    found = []
    for name, value in fields.items():
        if name == "full" or value == defaults.get(name) or not isinstance(value, (bool, int, str)):
            continue
        if value is True:
            found.append(name)
        elif value and not (isinstance(value, int) and value < 0):
            found.append(f"{name} {value}")
    return ", ".join(found)


def _print(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def _prompt() -> None:
    print("> ", end="", file=sys.stderr, flush=True)
