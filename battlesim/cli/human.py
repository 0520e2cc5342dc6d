"""A person as a player at the terminal: questions, numbered answers and news. Read `Human.choose`; `seat.py` knows the words."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from battlesim.cli.common import table

if TYPE_CHECKING:
    from battlesim.board.board import Board
    from battlesim.cli.page_player import PagePlayer
    from battlesim.core.answers import Answer
    from battlesim.core.items import Ask
    from battlesim.core.view import View
    from battlesim.engine.agent import Agent, Chance
    from battlesim.engine.brief import Brief
    from battlesim.engine.roster import Entrant
    from battlesim.engine.saved import Leave, SavedGame
    from battlesim.rules.scenario import Scenario

MOST = 40
"""The most answers that are listed at once."""
HELP = """\
  a number, its words or its text form (go 17) answers the question
  more             list the answers that were left out
  odds [NUMBER]    what an answer is expected to do, by the rules, in 100 imagined battles; without a number, the five that
                   promise most
  units            where everybody is, as far as you know
  goals            what is to be taken and held, and the points
  quit             leave the game; it is saved and can be gone on with"""


def people_of(
    names: Sequence[str], scenario: Scenario, page: bool = False
) -> dict[int, Human] | dict[int, PagePlayer]:
    """The people among the players, by side, at the terminal or on a `page`. Raises InputError if a page is requested for other
    than one person."""
    from battlesim.core.errors import Fault, InputError
    from battlesim.engine.agent_sources import HUMAN

    sides = [side for side, name in enumerate(names) if name == HUMAN]
    if not page:
        return {side: Human(scenario) for side in sides}
    from battlesim.cli.page_player import PagePlayer

    if len(sides) != 1:
        who = "nobody does" if not sides else "both sides are people"
        remedy = f"name one side: --agent {scenario.sides[0].name}=human"
        raise InputError(Fault(f"--page is for one person who plays; {who}", remedy))
    return {side: PagePlayer(scenario) for side in sides}


def seated(player: Agent) -> Entrant:
    """A person as an entrant."""
    from battlesim.engine.agent_sources import HUMAN
    from battlesim.engine.roster import Entrant

    return Entrant(HUMAN, "", lambda: player)


def check(args: argparse.Namespace) -> None:
    """Raise InputError if `play` gets flags that do not work with a person."""
    from battlesim.core.errors import Fault, InputError

    if args.games > 1:
        raise InputError(Fault(f"--games {args.games}: a person plays one game at a time", "leave it out"))


def resumed(args: argparse.Namespace) -> tuple[SavedGame, Scenario]:
    """The game that `play --resume FILE` continues, and its scenario. Raises InputError if the file is not a saved game, or a
    flag is given that a saved game decides."""
    from battlesim.core.errors import Fault, InputError
    from battlesim.engine.origin import scenario_of
    from battlesim.engine.saved import read_saved

    if not args.resume:
        remedy = "name one, as `battlesim scenarios` lists them, or a saved game: --resume FILE"
        raise InputError(Fault("required: SCENARIO", remedy))
    own = {
        "SCENARIO": args.scenario,
        "--agent": args.agent,
        "--seed": args.seed,
        "--games": args.games > 1,
        "--limit": args.limit,
        "--imagine": args.imagine,
        "--milliseconds": args.milliseconds,
    }
    for word, given in own.items():
        if given:
            raise InputError(Fault(f"{word} and --resume contradict", "a saved game has its own"))
    saved = read_saved(args.resume)
    args.save = args.save or args.resume
    return saved, scenario_of(saved)


def check_save(args: argparse.Namespace, scenario: Scenario, seed: int) -> None:
    """Settle where the game is saved if a person leaves it, before they begin. Raises InputError if it could not be written
    there, or would replace the scenario."""
    from battlesim.core.errors import Fault, InputError
    from battlesim.core.files import is_same_file
    from battlesim.engine.record_file import check_saved_target

    args.save = args.save or f"{scenario.name}-{seed}.saved"
    if scenario.path and is_same_file(args.save, scenario.path):
        what = "the saved game would replace the scenario"
        raise InputError(Fault(what, "give it a name of its own", args.save))
    check_saved_target(args.save)


def save(leave: Leave, args: argparse.Namespace) -> str:
    """Save the game that a person leaves; returns how to continue it."""
    from battlesim.viewer.wording import printable

    game = leave.game
    assert game is not None
    game.save(args.save)
    page = " --page" if args.page else ""
    for side, why in enumerate(leave.forgotten):
        if why:
            who = f"{game.header.sides[side]} ({game.header.agents[side].name})"
            print(
                "\n" + printable(f"{who} could not save what it remembers: {why}. It will go on without."),
                file=sys.stderr,
            )
    told = f"The game is saved. Go on with: battlesim play --resume {shlex.quote(args.save)}{page}"
    print(f"\n{told}", file=sys.stderr)
    return told


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

    def start(self, board: Board, side: int, chance: Chance, brief: Brief | None = None) -> None:
        """As `Agent.start`; tells the person which side it is and what is wanted."""
        from battlesim.cli.seat import Seat
        from battlesim.viewer.wording import printable

        assert brief is not None
        self._seat = Seat(self._scenario, board, side, brief)
        self._say(printable(f"{brief.title}: you play {brief.sides[side]}, {brief.turns} turns."))
        if brief.text:
            self._say(printable(" ".join(brief.text.split())))
        self._say("Type ? for help.")

    def overhear(self, view: View) -> None:
        """Show what the side has heard, without a question."""
        for _, line in self._seat.hear(view):
            self._say(line)

    def choose(self, view: View, ask: Ask, answers: Sequence[Answer]) -> Answer:
        """The answer of the person. Raises Leave if they quit, or the input ends."""
        from battlesim.engine.saved import Leave

        self.overhear(view)
        names = self._seat.named(ask, answers)
        self._say("")
        self._say(self._seat.heading(view))
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

    # ---- answers

    def _list(self, names: Sequence[str], first: int = 1) -> None:
        for line in table([(f"  {number}", name) for number, name in enumerate(names, first)]):
            self._say(line)

    def _chosen(self, said: str, names: Sequence[str], answers: Sequence[Answer]) -> Answer | None:
        """The answer meant, by number, words or text form; None for none."""
        from battlesim.core.answers import format_answer

        if said.isdecimal() and len(said) < 10 and 1 <= int(said) <= len(answers):
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
            for line in self._seat.goals(view):
                self._say(f"  {line}")
        elif word == "odds" and (not rest or self._chosen(rest, names, answers) is not None):
            wanted = (
                [self._chosen(rest, names, answers)] if rest else self._seat.promising(view, ask, answers)
            )
            for answer in wanted:
                assert answer is not None
                number = list(answers).index(answer)
                self._say(f"  {number + 1}  {names[number]}: {self._seat.odds(view, answer)}")
        elif word:
            typed = f"{word} {rest}".strip() if word != "odds" else rest
            near = did_you_mean(typed, [*names, "more", "odds", "units", "goals", "quit"])
            remedy = near if near.startswith("did") else f"give a number from 1 to {len(answers)}"
            self._say(printable(f"  {typed!r} is not an answer here; {remedy} (? for help)"))

    def _units(self, view: View) -> None:
        from battlesim.viewer.wording import printable

        for side, name in enumerate(self._seat.brief.sides):
            self._say(printable(f"{name}:"))
            rows = [(f"  {unit}", *rest) for unit, *rest in self._seat.units(view, side)]
            for line in table(rows) if rows else ["  nobody that you know of"]:
                self._say(printable(line))


def _print(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def _prompt() -> None:
    print("> ", end="", file=sys.stderr, flush=True)
