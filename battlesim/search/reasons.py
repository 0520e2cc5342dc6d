"""Why an agent answers as it does: what it weighed, and what its act is expected to do by the rules. Read `expected_act`.

An agent's `explain` returns `Reason`s. The effects of an act on men and buildings are not the agent's estimates: they are counted
in imagined battles, in which the act is carried out to its end.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import takewhile
from typing import Any, NamedTuple

from msgspec import Struct

from battlesim.board.board import Board
from battlesim.core.answers import Answer, Pass
from battlesim.core.dice import KeyedDice, derive_seed
from battlesim.core.errors import IllegalAnswer
from battlesim.core.items import Ask, Entry
from battlesim.core.state import State
from battlesim.core.view import View, unseen
from battlesim.engine.battle import Battle, Question
from battlesim.rules.contract import COSTS
from battlesim.rulesets.finder import find_ruleset
from battlesim.search.playouts import Plan, Policy, is_about

SAMPLES = 16
"""Imagined battles in which an act is carried out."""
LONGEST = 24
"""The most questions of both sides that one act may take."""
SAME = 0.5
"""The most points by which the follow-up of an act may differ from what its order promised and still be what was weighed."""
LEAST_SHARE, LEAST_PART = 0.05, 0.05
"""A part of a score matters if it is at least this share of the largest part, and at least so many points."""
NO_PARTS: Mapping[str, float] = {}


class Reason(NamedTuple):
    """One answer as an agent weighed it: a row of its `explain`.

    `score`: its worth in points, or a chance to win in per cent if `chance` is set. `text`: why, in the agent's own words.
    `parts`: what each feature adds to the score. `then`: what it means to answer next. `samples`: imagined battles behind a
    chance. `usual`: whether it is what greedy would do.
    """

    answer: Answer
    score: float
    text: str = ""
    parts: Mapping[str, float] = NO_PARTS
    then: Plan = ()
    chance: bool = False
    samples: int = 0
    usual: bool = False


class Loss(Struct, frozen=True):
    """A unit's expected loss in an act: the mean `lost` of its `models`, and the chance (`out`) that the whole unit is lost."""

    unit: int
    models: int
    lost: float
    out: float


class ImaginedAct(Battle):
    """An imagined battle that keeps how things stood when the clock first moved. What follows then is not of the act."""

    stood: State | None = None

    def _hand(self, entry: Entry) -> None:
        if self.stood is None:
            self.stood = self.state.clone()
        super()._hand(entry)


class ExpectedAct(Struct, frozen=True):
    """What carrying out an answer is expected to do. `steps`: the answers to the side's own questions until the act is over, in
    one imagined battle; they end before one that names a unit that the side does not know of. `losses`: units in descending
    order of their loss. `falls`, `fires`: sections with the chance that they fall or are set alight."""

    steps: tuple[tuple[Ask, Answer], ...]
    losses: tuple[Loss, ...]
    falls: tuple[tuple[int, float], ...]
    fires: tuple[tuple[int, float], ...]


def expected_act(
    view: View,
    board: Board,
    answer: Answer,
    policy: Policy,
    seed: int,
    samples: int = SAMPLES,
    then: Plan = (),
) -> ExpectedAct:
    """The expected effect of an answer to a view's question until its act is over: until a side may choose its next unit, the
    clock moves, or another of the side's units is asked. Units that the view does not show are left out.

    Args:
        answer: a legal answer to `view.ask`.
        policy: answers for both sides after that, except for what `then` gives.
        seed: of the imagined states and dice; the same seed gives the same result.
        samples: how many imagined battles the means and chances are taken from.
        then: what the side means to answer next.
    """
    ruleset = find_ruleset(view.ruleset)
    steps: tuple[tuple[Ask, Answer], ...] = ()
    lost: dict[int, float] = {}
    out: dict[int, int] = {}
    falls: dict[int, int] = {}
    fires: dict[int, int] = {}
    played = 0
    for sample in range(samples):
        dice = KeyedDice(derive_seed(seed, "act", sample))
        try:
            battle = ImaginedAct(ruleset, board, ruleset.imagine(view, board, dice), dice)
            before = battle.state.clone()
            found = _carried_out(battle, view.ask, answer, policy, then)
        except IllegalAnswer:
            continue  # something made up for the unknown blocks it
        played += 1
        steps = steps or _known(found, view)
        _count(before, battle.stood or battle.state, lost, out, falls, fires)
    share = 1 / max(1, played)
    losses = [
        Loss(number, view.units[number].models, lost[number] * share, out.get(number, 0) * share)
        for number in sorted(lost)
        if number in view.units
    ]
    return ExpectedAct(
        steps,
        tuple(sorted(losses, key=lambda loss: (-loss.out, -loss.lost))),
        tuple((section, falls[section] * share) for section in sorted(falls)),
        tuple((section, fires[section] * share) for section in sorted(fires)),
    )


def _carried_out(
    battle: Battle, ask: Ask, answer: Answer, policy: Policy, then: Plan
) -> tuple[tuple[Ask, Answer], ...]:
    """Carry an answer out; returns what its side answered."""
    question = battle.question
    assert question is not None
    side, begun = question.side, battle.state.now
    unit = getattr(ask, "unit", -1)
    if unit < 0:  # the acting unit is just being chosen
        unit = getattr(answer, "unit", -1)
    steps = [(ask, answer)]
    battle.answer(answer)
    for _ in range(LONGEST):
        following = battle.question
        if following is None or battle.state.now != begun or not _belongs(following, side, unit):
            break
        view = battle.ruleset.observe(battle.state, battle.board, following.side, ())
        said = policy(view, battle.board, view.ask, following.answers)
        if following.side == side:
            if then and then[0].fits(following):
                said, then = then[0].answer, then[1:]
            steps.append((view.ask, said))
        battle.answer(said)
    return tuple(steps)


def _known(steps: tuple[tuple[Ask, Answer], ...], view: View) -> tuple[tuple[Ask, Answer], ...]:
    """The steps before the first that names a unit that the view does not show: it would be told by the true unit's name."""
    hidden = set(unseen(view))
    return tuple(takewhile(lambda step: getattr(step[1], "unit", -1) not in hidden, steps))


def _belongs(question: Question, side: int, unit: int) -> bool:
    """Whether a question is part of a unit's act: it is about that unit, or a reaction of the enemy."""
    about = getattr(question.ask, "unit", -1)
    return about >= 0 and (question.side != side or about == unit)


def _count(
    before: State,
    after: State,
    lost: dict[int, float],
    out: dict[int, int],
    falls: dict[int, int],
    fires: dict[int, int],
) -> None:
    """Add the changes between two states."""
    for number, unit in before.units.items():
        now = after.units[number]
        if now.models < unit.models or now.alive < unit.alive:
            lost[number] = lost.get(number, 0.0) + unit.models - now.models
            out[number] = out.get(number, 0) + (unit.alive and not now.alive)
    for section, structure in after.structures.items():
        was = before.structures.get(section)
        if structure.fallen and not (was and was.fallen):
            falls[section] = falls.get(section, 0) + 1
        if structure.burning and not (was and was.burning):
            fires[section] = fires.get(section, 0) + 1


def main_parts(reason: Reason) -> list[tuple[str, float]]:
    """The parts of a score that matter (`LEAST_SHARE`, `LEAST_PART`), the largest first."""
    return _main(reason.parts)


def differences(reason: Reason, other: Reason) -> list[tuple[str, float]]:
    """How much the parts of another reason exceed those of this one, if it matters, the largest first."""
    names = dict.fromkeys([*reason.parts, *other.parts])
    return _main({name: other.parts.get(name, 0.0) - reason.parts.get(name, 0.0) for name in names})


def is_cost(feature: str) -> bool:
    """Whether a feature counts against an answer."""
    return feature in COSTS


def _main(parts: Mapping[str, float]) -> list[tuple[str, float]]:
    most = max((abs(part) for part in parts.values()), default=0.0)
    kept = [(name, part) for name, part in parts.items() if abs(part) >= max(LEAST_SHARE * most, LEAST_PART)]
    return sorted(kept, key=lambda row: -abs(row[1]))


class Thought(Struct, frozen=True):
    """What an agent thought at one question: the ask, its best rows, and the expected effects of the first two. `foreseen`: the
    answer is what its act was expected to go on with. `after_pick`: the question before chose the acting unit."""

    ask: Ask
    rows: tuple[Reason, ...]
    acts: tuple[ExpectedAct, ...]
    foreseen: bool = False
    after_pick: bool = False


Explain = Callable[[View, Ask, Sequence[Answer]], Sequence[Any]]
"""An agent's `explain`: its rows at a question."""


class Thinking:
    """Makes thoughts from the rows of one agent's `explain`, question after question. `policy`: how its acts go on. `explain`:
    how it weighs the follow-ups of its acts; without it, an order that it would not follow through is reported as such."""

    def __init__(self, policy: Policy, explain: Explain | None = None) -> None:
        self._policy = policy
        self._explain = explain
        self._meant: tuple[tuple[Ask, Answer], ...] = ()
        self._picked = False

    def of(self, view: View, board: Board, ask: Ask, rows: Sequence[Reason]) -> Thought:
        """The thought at one question; `rows`: the best first."""
        foreseen = self._goes_on(ask, rows[0].answer)
        after_pick, self._picked = self._picked, is_pick(ask)
        if foreseen and not after_pick:
            return Thought(ask, tuple(rows), (), foreseen)
        acts = tuple(
            expected_act(
                view,
                board,
                row.answer,
                self._policy if row is rows[0] else self._going_through(view.side, row),
                view.number,
                # If its parts say why a row is not the best, or all was told before, only its follow-up is told.
                SAMPLES if not foreseen and (row is rows[0] or row.chance) else 1,
                row.then,
            )
            for row in rows[:2]
        )
        if not foreseen:
            self._meant = acts[0].steps[1:]
        return Thought(ask, tuple(rows), acts, foreseen, after_pick)

    def _going_through(self, side: int, row: Reason) -> Policy:
        """The policy for an act that was not chosen. The worth of an order to move is that of the best move. If holding is better
        than any move, the policy would pass once the order is given. Then this gives the answer with the worth that the row
        promised, if there is one, so that the move is told that was weighed."""
        explain, asked = self._explain, False
        if explain is None or row.chance:
            return self._policy

        def answer(view: View, board: Board, ask: Ask, answers: Sequence[Answer]) -> Answer:
            nonlocal asked
            said = self._policy(view, board, ask, answers)
            if view.side != side or asked:
                return said
            asked = True
            if not isinstance(said, Pass):
                return said
            promised = [
                one.answer for one in explain(view, ask, answers) if abs(one.score - row.score) < SAME
            ]
            return said if said in promised or not promised else promised[0]

        return answer

    def _goes_on(self, ask: Ask, answer: Answer) -> bool:
        """Whether an answer is what the act was expected to go on with."""
        if not self._meant:
            return False
        (meant, said), self._meant = self._meant[0], self._meant[1:]
        same = is_about(ask, type(meant).__name__, getattr(meant, "unit", -1)) and answer == said
        if not same:
            self._meant = ()
        return same


def is_pick(ask: Ask) -> bool:
    """Whether a question is about no unit: it chooses one, or something for the whole side."""
    return not hasattr(ask, "unit")
