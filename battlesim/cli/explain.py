"""`battlesim play --explain`: the story of a game with what its agents thought. Read `told_with`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from battlesim.engine.brief import Brief
    from battlesim.engine.game import Game
    from battlesim.engine.roster import Entrant
    from battlesim.search.reasons import Thought
    from battlesim.viewer.context import Names
    from battlesim.viewer.wording import Wording

BEST = 5
"""How many answers `--explain=terms` shows for each question."""


class Explanations:
    """What the agents of one game thought, by side and number of the question. `form`: "words" or "terms"."""

    def __init__(self, form: str) -> None:
        self.form = form
        self.thoughts: dict[tuple[int, int], Thought | list[str]] = {}

    def entrants(self, entrants: Sequence[Entrant]) -> list[Entrant]:
        """The same entrants, whose agents also note what they think; they play as before."""
        from battlesim.engine.roster import Entrant

        def wrapped(make: Callable[[], Any]) -> Callable[[], Any]:
            return lambda: _Explaining(make(), self)

        return [Entrant(e.name, e.digest, wrapped(e.make)) for e in entrants]


def told_with(game: Game, said: Explanations) -> Iterator[str]:
    """The story of a game, with the agent's thoughts before each answer."""
    from battlesim.core.events import Answered
    from battlesim.search.reasons import is_pick
    from battlesim.viewer.context import Names
    from battlesim.viewer.story import Story
    from battlesim.viewer.wording import find_wording

    story = Story(game.header)
    names, wording = Names(game.header, story.state), find_wording(game.header.ruleset.name)
    names.board = game.scenario.board  # so that walls and openings are named by direction
    yield from story.heading()
    answered = [0, 0]
    picked = -1  # the unit whose choice was reported in the last line
    for event in game.log:
        if isinstance(event, Answered):
            found = said.thoughts.get((event.side, answered[event.side]), [])
            if isinstance(found, list):
                lines = found
            else:
                lines = thought_lines(found, names, wording, headed=picked == event.side)
            if lines:
                pick = not isinstance(found, list) and is_pick(found.ask)
                picked = event.side if pick else -1
            yield from lines
            answered[event.side] += 1
        for line in story.tell((event,)):
            picked = -1
            yield line
    yield from story.rest()


def thought_lines(thought: Thought, names: Names, wording: Wording, headed: bool) -> list[str]:
    """The lines of one thought, as `told_thought` gives them, or why it cannot be told: an agent may put anything into its
    reasons."""
    from battlesim.viewer.reasons import told_thought

    try:
        return list(told_thought(thought, names, wording, headed))
    except Exception as error:
        return [_silent(error)]


def _offered(agent: Any, method: str) -> Any:
    """A method that an agent may have; None if it has none. A `__getattr__` of its own may raise anything."""
    try:
        return getattr(agent, method, None)
    except Exception:
        return None


class _Explaining:
    """Wraps an agent and notes the explanations that its `explain` gives."""

    def __init__(self, agent: Any, said: Explanations) -> None:
        from battlesim.search.playouts import best_by_features
        from battlesim.search.reasons import Thinking

        self._agent, self._said = agent, said
        self._thinking = Thinking(_offered(agent, "policy") or best_by_features, _offered(agent, "explain"))

    def start(self, board: Any, side: int, chance: Any, brief: Brief) -> None:
        from battlesim.engine.brief import start_agent

        self._chance = chance
        self._board = board
        start_agent(self._agent, board, side, chance, brief)

    def choose(self, view: Any, ask: Any, answers: Any) -> Any:
        from battlesim.engine.budget import THINKING

        if _offered(self._agent, "explain") is None:
            return self._agent.choose(view, ask, answers)
        # It explains first: with its memory before it chooses.
        rows = self._rows(view, ask, answers)
        # Explaining must not change the agent's random numbers or use up its budget.
        self._chance.at(self._chance.number)
        if (thinking := THINKING.get()) is not None:
            thinking.begin()
        said = self._agent.choose(view, ask, answers)
        self._said.thoughts[view.side, view.number] = self._thought(view, ask, answers, rows, said)
        return said

    def _rows(self, view: Any, ask: Any, answers: Any) -> list[Any] | BaseException:
        """All rows of the agent's `explain`, or the exception that it raised."""
        try:
            return list(self._agent.explain(view, ask, answers))
        except (KeyboardInterrupt, GeneratorExit):
            raise
        except BaseException as error:  # an agent that cannot explain itself is not at fault
            return error

    def _thought(
        self, view: Any, ask: Any, answers: Any, rows: list[Any] | BaseException, said: Any
    ) -> Thought | list[str]:
        """The thought, from the rows of `explain`, the given answer first, which may be any of several equal ones."""
        from battlesim.core.answers import format_answer
        from battlesim.engine.budget import THINKING
        from battlesim.search.reasons import Reason

        budget = THINKING.get()
        THINKING.set(None)  # looking up what an act does does not use the agent's time
        try:
            if isinstance(rows, BaseException):
                return [_asked(ask, answers), _silent(rows)]
            shown = sorted(rows, key=lambda row: row[0] != said)[:BEST]
            listed = not shown or shown[0][0] == said
            if self._said.form == "words" and shown and isinstance(shown[0], Reason):
                for row in shown[:2]:
                    if row[0] not in answers:
                        raise ValueError(f"its explanation lists {row[0]!r:.60}, which is not legal")
                # An agent may list only its best answers, and give another: then only the effects of that one are known.
                return self._thinking.of(view, self._board, ask, shown if listed else [Reason(said, 0.0)])
            terms = [self._terms(row, view) for row in shown]
            if not listed:
                terms.insert(
                    0, f"      {format_answer(said)} was answered, which its explanation does not list"
                )
            return [_asked(ask, answers), *terms]
        except Exception as error:
            return [_asked(ask, answers), _silent(error)]
        finally:
            THINKING.set(budget)

    def _terms(self, row: Any, view: Any) -> str:
        """An answer with its score and the agent's own text."""
        from battlesim.core.answers import format_answer
        from battlesim.viewer.wording import printable

        answer, score, text = row[:3]
        return printable(
            f"      {score:8.2f}  {format_answer(answer)}{self._named(answer, view)}  {text}".rstrip()
        )

    def _named(self, answer: Any, view: Any) -> str:
        unit, place = getattr(answer, "unit", -1), getattr(answer, "place", -1)
        if unit in view.units:
            return f" ({view.units[unit].name})"
        if 0 <= place < len(self._board.spaces):
            return f" ({self._board.spaces[place].name})"
        return ""


def _silent(error: BaseException) -> str:
    from battlesim.viewer.wording import printable

    return printable(f"      it cannot say why: {type(error).__name__}: {error}")


def _asked(ask: Any, answers: Any) -> str:
    return f"      {type(ask).__name__}? {len(answers)} answers"
