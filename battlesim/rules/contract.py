"""The contract of a rulebook: one record of functions.

A rulebook's package ends in one `Ruleset`. Engine, agents and command line use any of them in the same way. Read `Ruleset`; a
`Chapter` holds the questions and steps of one module of rules.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from pathlib import Path
from types import ModuleType
from typing import Any

from msgspec import Struct
from msgspec.structs import astuple

from battlesim.board.board import Board
from battlesim.board.model import SightRules
from battlesim.core.answers import CORE_ANSWERS, Answer, Confirm, MoveTo, Pass
from battlesim.core.codec import Codec
from battlesim.core.dice import Dice
from battlesim.core.errors import Fault, InputError, RuleError
from battlesim.core.events import Event
from battlesim.core.items import Ask, Step
from battlesim.core.state import State, Unit, fallen_of
from battlesim.core.view import View
from battlesim.rules.incidents import Incidents
from battlesim.rules.resolution import Resolution
from battlesim.rules.tactical import Tactical

Legal = Callable[[State, Board, Any], Sequence[Answer]]
"""The legal answers of a question, in a documented order; never empty, some 500 at most."""
Carry = Callable[[Resolution, Any, Any], None]
"""Carries out an answer: (resolution, ask, answer)."""
Run = Callable[[Resolution, Any], None]
"""Does a step: (resolution, step)."""


Forbidden = Callable[[State, Board, Any], int]
"""(state, board, ask) -> how many answers of a question are missing because of one clause alone."""


@dataclass(frozen=True)
class Chapter:
    """One module of rules: `asks`, its questions with their two functions; `steps`; and the clauses that it owns. `forbids`: for
    a clause that only forbids, so that no event can name it, the question that it affects and a function that counts what it
    removes there; only statistics use it.
    """

    owns: tuple[str, ...] = ()
    forbids: dict[str, tuple[type[Ask], Forbidden]] = field(default_factory=dict)
    asks: dict[type[Ask], tuple[Legal, Carry]] = field(default_factory=dict)
    steps: dict[type[Step], Run] = field(default_factory=dict)


def chapters_of(*modules: ModuleType) -> tuple[Chapter, ...]:
    """The chapters that modules call `CHAPTER`, in the order given."""
    return tuple(module.CHAPTER for module in modules)


class Features(Struct, frozen=True):
    """Estimates of what an answer leads to, in the same terms for every ruleset. Every number is in points of unit worth, so that
    the answers to one question can be compared.

    `dealt`: expected loss to the enemy by the act. `taken`: expected loss to oneself in the act. `exposure`: expected loss
    to the enemy's fire afterwards. `progress`: nearness to objectives. `hold`: worth of objectives stood on. `nerve`:
    steadiness won (+) or lost (-). `ready`: value of being able to act or react later. `risk`: possible loss from the act
    itself. `waste`: what it spends for nothing.
    """

    dealt: float = 0.0
    taken: float = 0.0
    exposure: float = 0.0
    progress: float = 0.0
    hold: float = 0.0
    nerve: float = 0.0
    ready: float = 0.0
    risk: float = 0.0
    waste: float = 0.0


COSTS = ("taken", "exposure", "risk", "waste")
"""The features that count against an answer."""


def weigh(features: Features, weights: Features) -> float:
    """The value of features under weights: benefits minus `COSTS`. Raises InputError if either lacks one of the fields."""
    try:  # this costs nothing where both have every field
        return (
            weights.dealt * features.dealt
            - weights.taken * features.taken
            - weights.exposure * features.exposure
            + weights.progress * features.progress
            + weights.hold * features.hold
            + weights.nerve * features.nerve
            + weights.ready * features.ready
            - weights.risk * features.risk
            - weights.waste * features.waste
        )
    except AttributeError:
        raise _no_features(features, weights) from None


def _no_features(*given: object) -> InputError:
    """The error for the first of some things that lacks a field of `Features`."""
    wrong = next(
        (one for one in given if not all(hasattr(one, name) for name in Features.__struct_fields__)), None
    )
    remedy = "give features as `features` returns them, and weights as `weights_of` makes them of a judgement"
    return InputError(Fault(f"{wrong!r:.60} lacks fields of Features", remedy))


def scored_ends(
    answers: Sequence[Answer],
    value: Callable[[Answer], float],
    top: Callable[[Sequence[int], float], list[float]],
) -> list[float]:
    """The scores of answers about where a move ends. Those that name no place are scored first, by `value`. What the best of them
    weighs is then wanted of the places: `top(places, wanted)` scores them, -inf where a bound shows that another is better."""
    values, places, numbers = [-inf] * len(answers), list[int](), list[int]()
    for number, answer in enumerate(answers):
        if isinstance(answer, MoveTo):
            places.append(answer.place)
            numbers.append(number)
        else:
            values[number] = value(answer)
    for number, found in zip(numbers, top(places, max(values)), strict=True):
        values[number] = found
    return values


def contributions(features: Features, weights: Features) -> dict[str, float]:
    """What each feature adds to `weigh(features, weights)`, costs as negative numbers. The sum is that value. Raises InputError
    as `weigh` does.

    >>> contributions(Features(dealt=3.0, risk=1.0), SENSIBLE)["risk"]
    -1.0
    """
    try:
        return {
            name: (-1.0 if name in COSTS else 1.0) * getattr(weights, name) * getattr(features, name)
            for name in Features.__struct_fields__
        }
    except AttributeError:
        raise _no_features(features, weights) from None


def mix(a: Features, share: float, b: Features) -> Features:
    """The mean of features that are `a` with chance `share` (0 to 1), else `b`.

    >>> mix(Features(dealt=4.0), 0.25, Features()).dealt
    1.0
    """
    rest = 1.0 - share
    pairs = zip(astuple(a), astuple(b), strict=True)
    return Features(*(share * x + rest * y for x, y in pairs))


SENSIBLE = Features(
    dealt=1.4, taken=1.0, exposure=0.5, progress=2.0, hold=2.0, nerve=1.0, ready=1.0, risk=1.0, waste=1.0
)
"""Weights that suit most positions; rulesets use them to look one question ahead, agents as a starting point."""


def best_of(found: Iterable[Features], weights: Features = SENSIBLE) -> Features:
    """The features with the highest value under `weights`, the first of equals; all zero if there are none."""
    alike = {id(one): one for one in found}  # many acts share one record
    return max(alike.values(), key=lambda one: weigh(one, weights), default=Features())


def models_left(unit: Unit) -> float:
    """The worth of a unit if its rulebook does not define it: one point per model."""
    return float(unit.models)


Volley = Callable[[Unit, int, Unit, bool], float]
"""(unit, place, enemy, moved) -> points that a volley of a unit from a place may cost an enemy where it is. `moved`: the
unit would have moved."""


def rough_glance(view: View, board: Board) -> Volley:
    """Volleys if a rulebook does not define them: a unit that sees an enemy may cost it a quarter of its models."""
    down, sees = fallen_of(view.structures), board.sight.sees
    return lambda unit, place, foe, moved: 0.25 * foe.models if sees(place, foe.place, down) else 0.0


@dataclass(frozen=True)
class Ruleset:
    """One rulebook. Functions take a state they may read, or a resolution they emit through.

    name, title, version: identity. folder: the package's own folder (clauses.toml, story.toml, data, README).
    chapters: in rulebook order. own, extra: the records it keeps of a unit and of the battle. section: the type of each value
    that it keeps of a section, by name (`Structure.own`).
    check(scenario, board): every fault of a scenario at once. setup(scenario, board, dice): the first state.
    observe(state, board, side, news): what a side may know. imagine(view, board, dice, known=NOTHING): a state
    that fits a view and what else the side knows (`battlesim.rules.hidden.Known`).
    features(view, board, ask, answers): the features of each answer; with a `judgement`, it takes one as a fifth argument.
    scores(view, board, ask, answers[, judgement]): what the features of each answer weigh, or -inf for one that an upper bound
    shows not to be the best, which costs less (`battlesim.search.outlook.top_scores`); None if the rulebook has no such bounds.
    judgement: the struct that declares the parameters of a player's judgement (`battlesim.evaluation.parameters`); None if a
    rulebook declares only the weights of `Features`.
    glance(view, board): quick, rough estimates of volleys by the units in a view.
    aimed: how many of the best targets by `glance` players that use rules of thumb weigh by `features` before they fire, together
    with other ways to fire at a known enemy (through a wall); 0 if that costs too much: they then use `glance` alone.
    faults(state, board): broken invariants, in words; empty if there are none.
    standing(state): the points of both sides if the battle ended now.
    reach(state): the most points that each side can win in a battle that begins at a first state.
    worth(unit): the worth in points of what is left of a unit; by default one point per model.
    visible(event, side): whether a side may see an event at once.
    answers: the kinds of answer it knows. safe: its harmless answers, the safest first; see `safe_answer`.
    turns: length of a battle if its scenario gives none.
    sight: what blocks and what covers; battles are fought on `board.under(sight)`.
    incidents: which of its facts are shots, assaults, breaches and so on, for statistics.
    tactical: roles of its units and meanings of its orders, for comparing tactics over all rulebooks.
    types, qualities, options: the unit types and qualities that its scenarios may give, and the record of their options; for
    tools that vary a scenario.
    asks, runs: the functions that list and carry out each question, and that do each step, of all chapters. codec: loads its
    states.
    """

    name: str
    title: str
    version: str
    folder: Path
    chapters: tuple[Chapter, ...]
    own: type
    extra: type
    check: Callable[[Any, Board], list[Fault]]
    setup: Callable[[Any, Board, Dice], State]
    observe: Callable[[State, Board, int, Sequence[Event]], View]
    imagine: Callable[..., State]
    features: Callable[..., list[Features]]
    faults: Callable[[State, Board], list[str]]
    standing: Callable[[State], tuple[int, int]]
    reach: Callable[[State], tuple[int, int]]
    scores: Callable[..., list[float]] | None = None
    glance: Callable[[View, Board], Volley] = rough_glance
    aimed: int = 0
    answers: tuple[type[Answer], ...] = CORE_ANSWERS
    safe: tuple[Answer, ...] = (Pass(), Confirm(False))
    turns: int = 6
    sight: SightRules = field(default_factory=SightRules)
    judgement: type[Struct] | None = None
    section: Mapping[str, Any] = field(default_factory=dict)
    incidents: Incidents = field(default_factory=Incidents)
    tactical: Tactical = field(default_factory=Tactical)
    worth: Callable[[Unit], float] = models_left
    types: Collection[str] = ()
    qualities: Collection[str] = ()
    options: type[Struct] | None = None
    codec: Codec = field(init=False)
    asks: dict[type[Ask], tuple[Legal, Carry]] = field(init=False)
    runs: dict[type, Run] = field(init=False)

    def __post_init__(self) -> None:
        asks: dict[type[Ask], tuple[Legal, Carry]] = {}
        runs: dict[type, Run] = {}
        for chapter in self.chapters:
            asks.update(chapter.asks)
            runs.update(chapter.steps)
        object.__setattr__(self, "asks", asks)
        object.__setattr__(self, "runs", runs)
        object.__setattr__(self, "codec", Codec(self.own, self.extra, (*asks, *runs)))

    def __repr__(self) -> str:
        return f"find_ruleset({self.name!r})"

    def legal(self, state: State, board: Board, ask: Ask) -> Sequence[Answer]:
        """The legal answers of a question, in the documented order of its chapter."""
        return self.asks[type(ask)][0](state, board, ask)

    def safe_answer(self, state: State, board: Board, ask: Ask, legal: Sequence[Answer]) -> Answer:
        """The answer that replaces that of an agent that failed: the first of `safe` that is legal, else the first legal one."""
        return next((answer for answer in self.safe if answer in legal), legal[0])

    def answer(self, r: Resolution, ask: Ask, said: Answer) -> None:
        """Carry out a legal answer to a question that has just been taken off the stack."""
        r.depth = len(r.state.stack)
        self.asks[type(ask)][1](r, ask, said)

    def step(self, r: Resolution, step: Step) -> None:
        """Do a step that has just been taken off the stack. Raises RuleError if no chapter has it."""
        run = self.runs.get(type(step))
        if run is None:
            raise RuleError(f"no chapter of {self.name} does {step!r}")
        r.depth = len(r.state.stack)
        run(r, step)
