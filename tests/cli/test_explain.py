"""`play --explain`: what is explained is the answer that was given, and explaining changes nothing."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from battlesim import Answer, Reason, find_agent, play, with_changes
from battlesim.cli.explain import Explanations, told_with
from battlesim.cli.main import main
from battlesim.core.answers import TargetUnit
from battlesim.core.events import Answered
from battlesim.engine.game import Game
from battlesim.engine.roster import enter
from battlesim.search import reasons
from tests.shipped import load


def explained(name: str, agents: Sequence[Any], seed: int) -> tuple[Game, list[tuple[str, list[str]]]]:
    """A game, and each explained answer with the lines that explain it, scores and terms."""
    said = Explanations("terms")
    game = play(load(name), said.entrants([enter(agent) for agent in agents]), seed=seed)
    counted, found = [0, 0], []
    for event in game.log:
        if isinstance(event, Answered):
            thought = said.thoughts.get((event.side, counted[event.side]))
            counted[event.side] += 1
            if isinstance(thought, list):
                found.append((event.answer, thought))
    return game, found


def test_the_first_row_is_the_answer_that_was_given() -> None:
    """Greedy draws among equals, and its `explain` lists the first of them first."""
    game, found = explained("watch-house", ("greedy", "greedy"), 3)
    assert len(found) > 50
    equals = 0
    for answer, (_, first, *others) in found:
        score, words = first.split(maxsplit=1)
        assert words.startswith(answer), (answer, first)
        equals += any(row.split()[0] == score for row in others)
    assert equals, "those that are as good are still told"
    assert game.log == play("watch-house", ("greedy", "greedy"), seed=3).log


def test_an_agent_explains_by_what_it_remembers_before_it_chooses() -> None:
    class Planned:
        """Says the last answer, and plans for the question after."""

        def start(self, board: Any, side: int, chance: Any) -> None:
            self.plan, self.chance = 0, chance

        def choose(self, view: Any, ask: Any, answers: Sequence[Answer]) -> Answer:
            self.plan += 1
            self.chance.choice(answers)
            return answers[-1]

        def explain(self, view: Any, ask: Any, answers: Sequence[Answer]) -> list[Reason]:
            self.chance.choice(answers)
            return [Reason(answer, 1.0, f"plan {self.plan}") for answer in answers]

    game, found = explained("stairwell", (Planned, "random"), 2)
    assert not game.faults
    for number, (answer, (_, first, *_others)) in enumerate(found):
        assert first.split(maxsplit=1)[1].startswith(answer)
        assert first.endswith(f"plan {number}")


def test_a_player_that_is_held_to_tactics_explains_what_it_does() -> None:
    """Its base lists its two best of all answers; the best that the tactics leave may not be among them."""
    base = "planner+width=2+samples=2+turns=0.1+playout=quick"
    game, found = explained("stairwell", (f"tactician,base={base},tactics=always order:down", "random"), 2)
    assert not game.faults
    assert sum(answer == "order down" for answer, _ in found) > 5
    for answer, (_, first, *_others) in found:
        assert first.split(maxsplit=1)[1].startswith(answer), (answer, first)
        assert "against the tactics" not in first


@pytest.mark.parametrize("form", ["words", "terms"])
def test_an_answer_that_is_not_among_the_reasons_is_told_as_such(form: str) -> None:
    class Short:
        """Says its last answer, and gives reasons for the first."""

        def start(self, board: Any, side: int, chance: Any) -> None: ...

        def choose(self, view: Any, ask: Any, answers: Sequence[Answer]) -> Answer:
            return answers[-1]

        def explain(self, view: Any, ask: Any, answers: Sequence[Answer]) -> list[Reason]:
            return [Reason(answers[0], 1.0)]

    said = Explanations(form)
    game = play(load("stairwell"), said.entrants([enter(Short), enter("random")]), seed=2)
    assert not game.faults
    other = 0
    for thought in said.thoughts.values():
        if isinstance(thought, list):
            other += any("which its explanation does not list" in line for line in thought)
        else:
            other += thought.rows[0].score == 0.0 and len(thought.rows) == 1
    assert other > 20
    assert list(told_with(game, said))


def test_a_lost_question_is_not_explained() -> None:
    class Raises:
        def start(self, board: Any, side: int, chance: Any) -> None:
            self.inner: Any = find_agent("greedy").make()
            self.inner.start(board, side, chance)

        def choose(self, view: Any, ask: Any, answers: Sequence[Answer]) -> Answer:
            if view.number == 0:
                raise ZeroDivisionError
            said: Answer = self.inner.choose(view, ask, answers)
            return said

        def explain(self, view: Any, ask: Any, answers: Sequence[Answer]) -> list[Reason]:
            found: list[Reason] = self.inner.explain(view, ask, answers)
            return found

    game, found = explained("stairwell", (Raises, "random"), 2)
    assert len(game.faults) == 1
    answers = [event.answer for event in game.log if isinstance(event, Answered) and event.side == 0]
    assert [answer for answer, _ in found] == answers[1:]


def test_an_agent_that_looks_what_it_lacks_up_in_a_table_plays_as_without_explain() -> None:
    class Wraps:
        def start(self, board: Any, side: int, chance: Any) -> None:
            pass

        def choose(self, view: Any, ask: Any, answers: Sequence[Answer]) -> Answer:
            return answers[0]

        def __getattr__(self, name: str) -> Any:
            return {}[name]

    game, found = explained("outpost", (Wraps, "random"), 2)
    assert not found
    assert not game.faults
    assert game.record_hash == play("outpost", (Wraps, "random"), 2).record_hash


@pytest.mark.parametrize("name", ["watch-house", "drones"])
def test_no_reason_stands_without_its_question(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Something may be told between the choice of a unit and its order: who was detected, a melee. Or nothing was said of the
    choice."""
    monkeypatch.setattr(reasons, "SAMPLES", 1)
    said = Explanations("words")
    short = replace(load(name), turns=2)
    game = play(short, said.entrants([enter("greedy"), enter("greedy")]), seed=3)
    lines = list(told_with(game, said))
    bare = [n for n, line in enumerate(lines) if line.startswith("        For this act:")]
    assert len(bare) > 3
    for n in bare:
        above = [line for line in lines[n - 8 : n] if not line.startswith("        ")]
        assert above[-1].startswith("      ")
        assert "? " in above[-1], lines[n - 3 : n + 1]


HELPLESS = """
class Helpless:
    def start(self, board, side, chance): ...
    def choose(self, view, ask, answers):
        return self.better(answers)
    def better(self, answers):
        raise ValueError("no idea")  # line 7
    def explain(self, view, ask, answers):
        raise SystemExit
"""


@pytest.mark.parametrize("wrapped", ["{file}", "tactician,tactics=always order:run,base={file}"])
def test_a_fault_names_the_same_line_with_reasons_and_without(tmp_path: Path, wrapped: str) -> None:
    """The innermost one in the user's file, whatever plays by that or watches it."""
    file = tmp_path / "helpless.py"
    file.write_text(HELPLESS)
    agents = (wrapped.format(file=file), "random")
    bare = play(load("stairwell"), agents, seed=2)
    game, _ = explained("stairwell", agents, 2)
    assert bare.faults[0].what == "raised ValueError: no idea (helpless.py:7)"
    assert game.record() == bare.record()


def test_a_fault_of_a_class_names_its_line_with_reasons_and_without() -> None:
    class Raises:
        def start(self, board: Any, side: int, chance: Any) -> None: ...

        def choose(self, view: Any, ask: Any, answers: Sequence[Answer]) -> Answer:
            raise ZeroDivisionError

    game, _ = explained("stairwell", (Raises, "random"), 2)
    line = Raises.choose.__code__.co_firstlineno + 1
    assert game.faults[0].what == f"raised ZeroDivisionError (test_explain.py:{line})"
    assert game.record() == play(load("stairwell"), (Raises, "random"), seed=2).record()


def test_reasons_of_several_games_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "stairwell", "--explain", "--games", "2"]) == 2
    assert "--explain tells the story of one game, not of 2" in capsys.readouterr().err


@pytest.mark.slow
def test_walls_and_openings_are_told_by_the_way_they_face() -> None:
    """A reader of a story cannot know which is wall 1, or opening 138."""
    said = Explanations("words")
    game = play(load("tobacco-armour"), said.entrants([enter("greedy"), enter("greedy")]), seed=12)
    text = " ".join(" ".join(told_with(game, said)).split())
    assert "into the window facing south of gatehouse" in text
    assert "through the wall facing" in text
    assert not re.search(r"through wall \d+(?! facing)\b|opening \d", text)


class Confused:
    """Its reasons are not what reasons should be; `row` makes the second."""

    def __init__(self, row: Callable[[Answer], Reason], said: Answer | None = None) -> None:
        self._row, self._said = row, said

    def start(self, board: Any, side: int, chance: Any) -> None:
        pass

    def choose(self, view: Any, ask: Any, answers: Sequence[Answer]) -> Answer:
        return self._said or answers[0]

    def explain(self, view: Any, ask: Any, answers: Sequence[Answer]) -> list[Reason]:
        return [Reason(answers[0], 2.0), self._row(answers[1])]


@pytest.mark.parametrize(
    ("made", "why"),
    [
        (
            lambda: Confused(lambda other: Reason(TargetUnit(999), 1.0)),
            "lists TargetUnit(unit=999), which is",
        ),
        (lambda: Confused(lambda other: Reason(other, None)), "TypeError"),  # type: ignore[arg-type]
        (lambda: Confused(lambda other: Reason(other, 1.0), TargetUnit(999)), "ValueError"),
    ],
)
def test_the_story_is_told_whatever_an_agent_gives_as_its_reasons(made: Any, why: str) -> None:
    said = Explanations("words")
    game = play(with_changes(load("stairwell"), {"turns": 1}), said.entrants([enter(made), enter("random")]))
    story = list(told_with(game, said))
    assert any(line.startswith("      it cannot say why: ") and why in line for line in story)
