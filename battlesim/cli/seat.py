"""What a person who plays a side knows, in words: news, answers, odds, units, goals. The terminal and the page share it. A person
sees what an agent sees: the view of the own side. The odds of an answer, given as help, come from battles imagined from that
view. Read `Seat`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from msgspec.structs import replace

from battlesim.board.board import Board
from battlesim.core.answers import Answer, format_answer
from battlesim.core.items import Ask
from battlesim.core.view import View
from battlesim.engine.battle import Battle, Question
from battlesim.engine.brief import Brief
from battlesim.engine.budget import THINKING
from battlesim.engine.game import header_of, seeds_of
from battlesim.engine.header import Limits, Player
from battlesim.rules.scenario import Scenario
from battlesim.search.playouts import best_by_features, feature_scores
from battlesim.search.reasons import expected_act
from battlesim.viewer.live import News, known_start
from battlesim.viewer.wording import printable

LIKELY = 5
"""How many answers are listed as the most promising."""

IMAGINED = 100
"""How many imagined battles the odds of an answer are the mean of: enough that a chance is within 5 in 100, mostly."""


class Seat:
    """The place of a person on one side of a battle. Call `hear` first at each question; the other methods use what was heard."""

    def __init__(self, scenario: Scenario, board: Board, side: int, brief: Brief) -> None:
        self.board, self.side, self.brief = board, side, brief
        self._scenario = scenario
        self._news: News | None = None

    @property
    def news(self) -> News:
        """What the side has heard. There is none before its first view."""
        assert self._news is not None
        return self._news

    def hear(self, view: View) -> list[tuple[int, str]]:
        """The sentences for what the side has heard since its last view, each with its turn."""
        if self._news is None:  # from what it knows at its first question
            players = (Player("", ""), Player("", ""))
            header = header_of(self._scenario, seeds_of(0), players, Limits(), known_start(view))
            self._news = News(header, self.board)
        return list(self._news.lines(view))

    def heading(self, view: View) -> str:
        """The turn, the side, and the question."""
        return printable(f"Turn {view.turn}, {self.brief.sides[self.side]}: {self.news.question(view.ask)}")

    def named(self, ask: Ask, answers: Sequence[Answer]) -> list[str]:
        """The answers in words; those with the same words also with their text form."""
        names = [self.news.answer(ask, answer) for answer in answers]
        counts = Counter(names)
        return [
            name if counts[name] == 1 else f"{name} ({format_answer(answer)})"
            for name, answer in zip(names, answers, strict=True)
        ]

    def promising(self, view: View, ask: Ask, answers: Sequence[Answer]) -> list[Answer]:
        """The most promising answers by their features, the best first."""
        scores = feature_scores(view, self.board, ask, answers)
        order = sorted(range(len(answers)), key=lambda n: -scores[n])
        return [answers[n] for n in order[:LIKELY]]

    def odds(self, view: View, answer: Answer) -> str:
        """What an answer is expected to do until its act is over, in imagined battles."""
        outer = THINKING.get()
        THINKING.set(None)  # a person may think as long as they like
        try:
            act = expected_act(view, self.board, answer, best_by_features, view.number, IMAGINED)
        finally:
            THINKING.set(outer)
        return self.news.expected(act, self.side)

    def units(self, view: View, side: int) -> Iterator[tuple[str, str, str, str]]:
        """The known living units of a side: name, how many are left, place, state."""
        for unit in view.units.values():
            if unit.side == side and unit.alive:
                yield unit.name, f"{unit.models} left", self.news.place(unit.id), self.news.states(unit.id)

    def goals(self, view: View) -> Iterator[str]:
        """The turn and the points, then the objectives: those of the brief, and those about enemies that the side knows now."""
        ours, theirs = view.points[self.side], view.points[1 - self.side]
        yield f"turn {view.turn} of {self.brief.turns}; points: {ours} to {theirs}"
        now = getattr(view.extra, "objectives", ())
        for goal in {replace(goal, units=()): goal for goal in (*self.brief.objectives, *now)}.values():
            worth = "point" if goal.points == 1 else "points"
            who = f", for {self.brief.sides[goal.side]}" if goal.side >= 0 else ""
            yield printable(f"{goal.name}: {goal.kind}, {goal.points} {worth}{who}")


class Person(Protocol):
    """A person as an agent that also hears the results of questions answered without them."""

    def overhear(self, view: View) -> None:
        """Show what the side has heard, without asking anything."""
        ...


class Telling:
    """Shows people what they hear when they are not asked: the story so far of a continued game, and its end. It is the listener
    of the game. `people`: by side. `repeated`: how many answers are repeated.
    """

    def __init__(self, people: Mapping[int, Person], repeated: int = 0) -> None:
        self._people, self._repeated = people, repeated
        self._battle: Battle | None = None

    def __call__(self, battle: Battle, question: Question) -> None:
        self._battle = battle
        if self._repeated:
            self._repeated -= 1
            if question.side in self._people:
                self._people[question.side].overhear(battle.view(question.side))

    def end(self) -> None:
        """The battle is over: show what came after the last question."""
        for side, person in self._people.items():
            if self._battle is not None:
                person.overhear(self._battle.view(side))
