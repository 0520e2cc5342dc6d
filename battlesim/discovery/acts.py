"""Acts: the kinds of answer that a tactic may ask for, in words that mean the same under every rulebook. Read `acts_of`.

An act is a question and a choice, such as `order:fire`, `go:upstairs` or `at:inside`. One answer can be several acts: to climb
the stairs may also be to come nearer to the enemy. Faces and openings to choose among are no acts.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress

from battlesim.board.board import Board
from battlesim.core.answers import Answer, Confirm, Face, MoveTo, Order, Pass, UseOpening
from battlesim.core.errors import InputError
from battlesim.core.items import Ask
from battlesim.core.memo import memo
from battlesim.core.state import Unit
from battlesim.core.view import View
from battlesim.discovery.situations import (
    goal_places,
    is_inside,
    nearest_enemy,
    sections_to_destroy,
    unit_asked,
)
from battlesim.rules.tactical import ATTACKS, ORDER_QUESTIONS, ORDERS
from battlesim.rulesets.finder import RULESETS, find_ruleset, installed_rulesets

QUESTIONS: dict[str, str] = {
    **dict.fromkeys(ORDER_QUESTIONS, "order"),
    "WhereTo": "go",
    "ArriveAt": "arrive",
    "AtWhom": "at",
    "WhichHex": "at",
    "CallStrike": "strike",
    "ChargeWhom": "charge",
    "WhomAssault": "charge",
    "HowFired": "fire",
    "HowBombarded": "barrage",
    "WhereBack": "retreat",
}
"""Names of questions that several rulebooks ask. All other questions have their own name, as in `go-down`."""

MOVES: dict[str, str] = {
    "stay": "stays where it is",
    "inside": "goes into a building",
    "outside": "leaves its building",
    "upstairs": "goes up to a higher floor",
    "downstairs": "goes down to a lower floor",
    "through": "goes on inside into the next section",
    "goal": "goes onto an objective",
    "nearer": "goes nearer to the nearest enemy",
    "back": "goes farther from the nearest enemy",
    "cover": "goes into woods, rubble or rough ground",
    "charge": "charges",
    "drive": "drives into a building",
    "board": "gets into a transport",
}
TARGETS: dict[str, str] = {
    "nothing": "holds its fire",
    "any": "shoots at something",
    "inside": "shoots at a unit in a building",
    "upper": "shoots at a unit above a ground floor",
    "outdoors": "shoots at a unit out of doors",
    "vehicle": "shoots at a vehicle",
    "goal": "shoots at a unit on an objective",
    "nearest": "shoots at the nearest enemy",
    "weak": "shoots at a unit with no more than half its models",
    "building": "shoots at the building itself",
    "held": "shoots at a building that an enemy is known to be in",
    "empty": "shoots at a building that nobody is known to be in",
    "raze": "attacks a building that it is to destroy",
    "terrain": "shoots at a place out of doors",
    "own": "fires through walls, windows or roofs at what may be inside",
    **ATTACKS,
}
CHARGES: dict[str, str] = {
    "nothing": "holds back from charging",
    "any": "charges",
    "inside": "charges a unit in a building",
    "upper": "charges a unit above a ground floor",
    "outdoors": "charges a unit out of doors",
    "vehicle": "charges a vehicle",
    "goal": "charges a unit on an objective",
    "nearest": "charges the nearest enemy",
    "weak": "charges a unit with no more than half its models",
}
FOES: dict[str, str] = {
    "any": "fights somebody",
    "inside": "fights a unit in a building",
    "upper": "fights a unit above a ground floor",
    "outdoors": "fights a unit out of doors",
    "vehicle": "fights a vehicle",
    "goal": "fights a unit on an objective",
    "nearest": "fights the nearest enemy",
    "weak": "fights a unit with no more than half its models",
}
HOW: dict[str, str] = {
    "normal": "fires to kill",
    "suppressive": "fires to keep heads down",
}
SIMPLE: dict[str, str] = {"yes": "says yes", "no": "says no", "any": "does so", "nothing": "lets it be"}
CHOICES: dict[str, dict[str, str]] = {
    "order": ORDERS,
    "go": MOVES,
    "arrive": MOVES,
    "retreat": MOVES,
    "at": TARGETS,
    "strike": TARGETS,
    "charge": CHARGES,
    "against-whom": FOES,
    "fire": HOW,
    "barrage": HOW,
    "go-down": {"yes": "goes down under fire", "no": "stays up under fire"},
    "interrupt": {"yes": "fires at the enemy that comes into sight", "no": "lets the enemy pass"},
    "react": {"hold": "stands fast", "stand": "shoots at the charge", "flee": "flees from a charge"},
    "keep-order": {"yes": "keeps its order", "no": "takes its order back"},
    "take-place": {"yes": "takes the place of the beaten", "no": "leaves the place of the beaten empty"},
    "pursue": {"yes": "pursues the beaten", "no": "lets the beaten run"},
    "follow-in": {"yes": "follows the beaten inside", "no": "lets the beaten go"},
    "bail-out": MOVES,
    "regroup": MOVES,
    "made-opening": {"any": "makes an opening in the wall", "nothing": "leaves the wall as it is"},
    "who-supports": {"any": "takes another unit into its fire", "nothing": "fires without the others"},
}
"""The choices of each question, in words; questions that are not here have those of SIMPLE."""

_CAPITAL = re.compile(r"(?<!^)(?=[A-Z])")


@memo(bound=256)
def question_name(kind: type[Ask]) -> str:
    """The name of a question: the one that rulebooks share, or its own with hyphens."""
    name = kind.__name__
    return QUESTIONS.get(name) or _CAPITAL.sub("-", name).lower()


@memo(bound=1)
def shipped_questions() -> dict[str, dict[str, str]]:
    """Every question that a shipped rulebook can ask, with its choices in words."""
    return _questions_of(CHOICES, RULESETS)


def known_questions() -> dict[str, dict[str, str]]:
    """Every question that an installed rulebook can ask, with its choices in words. It looks through the installed packages."""
    return _questions_of(shipped_questions(), tuple(installed_rulesets()))


def _questions_of(known: Mapping[str, dict[str, str]], rulesets: Sequence[str]) -> dict[str, dict[str, str]]:
    found = dict(known)
    for name in rulesets:
        with suppress(InputError):  # a broken package is reported where it is used
            ruleset = find_ruleset(name)
            for kind in ruleset.asks:
                if "unit" in kind.__struct_fields__:
                    found.setdefault(question_name(kind), SIMPLE)
            orders = {to: to for to in ruleset.tactical.orders.values() if to not in ORDERS}
            found["order"] = {**found["order"], **orders}
    return found


def is_possible(act: str, ruleset: str) -> bool:
    """Whether a rulebook ever asks the question of an act, and has the order or attack that the act names.

    >>> is_possible("order:wide", "regiment"), is_possible("order:wide", "orderdice")
    (True, False)
    """
    question, _, choice = act.partition(":")
    found = find_ruleset(ruleset)
    if question not in {question_name(kind) for kind in found.asks}:
        return False
    if question == "order":
        return choice in found.tactical.orders.values() or ruleset not in RULESETS
    if question in ("at", "strike") and choice in ATTACKS:
        return choice in found.tactical.attacks.values()
    return True


def act_words(act: str) -> str:
    """An act in words, with the unit as its subject.

    >>> act_words("go:upstairs")
    'goes up to a higher floor'
    """
    question, _, choice = act.partition(":")
    words = shipped_questions().get(question, SIMPLE).get(choice, choice)
    return words if question in CHOICES else f"{words} ({question.replace('-', ' ')})"


def acts_of(view: View, board: Board, ask: Ask, answers: Sequence[Answer]) -> list[frozenset[str]]:
    """The acts of each answer, as `question:choice`; none if the question is not about one of the side's own units."""
    unit = unit_asked(view, ask)
    if unit is None:
        return [frozenset()] * len(answers)
    question = question_name(type(ask))
    foe = nearest_enemy(view, board, unit.place)
    reader = _Reader(view, board, question, unit, foe)
    return [frozenset(f"{question}:{choice}" for choice in reader.choices(answer)) for answer in answers]


def place_of(view: View, ask: Ask, answer: Answer) -> int:
    """The place that an answer is about: its target, else the place of the unit that was asked; -1: none."""
    named = view.units.get(getattr(answer, "unit", -1)) or unit_asked(view, ask)
    place: int = getattr(answer, "place", -1)
    return place if place >= 0 or named is None else named.place


HOUSES = frozenset(("inside", "outside", "upstairs", "downstairs", "through", "drive", "upper")) | {
    *("building", "held", "empty", "raze", "own", *ATTACKS)
}
"""Choices that are about buildings, of any question."""


def is_about_buildings(act: str) -> bool:
    """Whether an act is about being in a building, or attacking one or its occupants.

    >>> is_about_buildings("at:building"), is_about_buildings("at:nearest"), is_about_buildings("follow-in:yes")
    (True, False, True)
    """
    question, _, choice = act.partition(":")
    return choice in HOUSES or question in ("made-opening", "bail-out", "follow-in")


class _Reader:
    """Reads the answers to one question about one unit."""

    def __init__(self, view: View, board: Board, question: str, unit: Unit, foe: Unit | None) -> None:
        self._view, self._board, self._question = view, board, question
        self._unit, self._foe = unit, foe
        self._moves = CHOICES.get(question) is MOVES
        self._orders = find_ruleset(view.ruleset).tactical.orders
        self._role = find_ruleset(view.ruleset).tactical.role
        self._attacks = find_ruleset(view.ruleset).tactical.attacks
        self._goals = frozenset(place for goal in goal_places(view) for place in goal)
        self._razed = sections_to_destroy(view)
        self._sides: dict[int, set[int]] | None = None

    def choices(self, answer: Answer) -> list[str]:
        """The choices of an answer."""
        if isinstance(answer, Order):
            return [self._orders.get(answer.name, answer.name) if self._question == "order" else answer.name]
        if isinstance(answer, Confirm):
            return ["yes" if answer.yes else "no"]
        if isinstance(answer, Pass):
            return ["stay" if self._moves else "nothing"]
        if isinstance(answer, MoveTo):
            return self._to(answer.place)
        if isinstance(answer, Face):
            return []
        if isinstance(answer, UseOpening):
            return ["any"] if self._question == "made-opening" else []
        return self._target(answer)

    def _target(self, answer: Answer) -> list[str]:
        """The choices of an answer that names an enemy or a place, whether the core or a rulebook defines it."""
        name = type(answer).__name__
        target = self._view.units.get(getattr(answer, "unit", -1))
        place = getattr(answer, "place", -1)
        if self._moves and target is not None and target.side == self._view.side:
            return ["board"]
        if self._moves:  # a move that ends in a fight, or in a house
            return ["charge", "drive"] if target is None and is_inside(self._board, place) else ["charge"]
        attack = self._attacks.get(name, "")
        found = ["any", *([attack] if attack else [])]
        if attack in ("breach", "demolish"):  # work at arm's length: nobody shoots
            found += ["breach"] if attack == "demolish" else []
            return [*found, *(["raze"] if self._to_destroy(place) else [])]
        if name not in ("TargetUnit", "TargetSpace", "Pick"):
            found.append("own")
        if target is not None:
            if target.side != self._view.side:
                found += self._at(target)
        elif place >= 0:
            found += self._house(place) if is_inside(self._board, place) else ["terrain"]
        return found

    def _house(self, place: int) -> list[str]:
        """The choices of an attack on a building."""
        inside = self._inside().get(self._board.spaces[place].section, ())
        found = ["building"]
        if 1 - self._view.side in inside:
            found.append("held")
        elif not inside:
            found.append("empty")
        return [*found, *(["raze"] if self._to_destroy(place) else [])]

    def _inside(self) -> dict[int, set[int]]:
        """The sides known to be in each section."""
        if self._sides is None:
            self._sides = {}
            for unit in self._view.units.values():
                if unit.alive and is_inside(self._board, unit.place):
                    section = self._board.spaces[unit.place].section
                    self._sides.setdefault(section, set()).add(unit.side)
        return self._sides

    def _to_destroy(self, place: int) -> bool:
        """Whether a place is in a building that the side must destroy."""
        return is_inside(self._board, place) and self._board.spaces[place].section in self._razed

    def _at(self, target: Unit) -> list[str]:
        """The choices of an attack on an enemy unit."""
        found = []
        if is_inside(self._board, target.place):
            found.append("inside")
            if self._board.spaces[target.place].floor > 0:
                found.append("upper")
        else:
            found.append("outdoors")
        if self._role(target) == "vehicle":
            found.append("vehicle")
        if target.place in self._goals:
            found.append("goal")
        if self._foe is not None and target.id == self._foe.id:
            found.append("nearest")
        if 2 * target.models <= int(getattr(target.own, "full", target.models)):
            found.append("weak")
        return found

    def _to(self, place: int) -> list[str]:
        """The choices of a move to a place."""
        board, here = self._board, self._unit.place
        if place == here:
            return ["stay"]
        found = []
        there = board.spaces[place]
        if here < 0 or not is_inside(board, here):
            found += ["inside"] if there.kind == "floor" else []
        elif there.kind != "floor":
            found.append("outside")
        elif there.section != board.spaces[here].section:
            found.append("through")
        if here >= 0 and there.kind == "floor" and is_inside(board, here):
            level = board.spaces[here].floor
            found += ["upstairs"] if there.floor > level else ["downstairs"] if there.floor < level else []
        if place in self._goals:
            found.append("goal")
        if there.kind != "floor" and there.terrain in ("woods", "rubble", "rough"):
            found.append("cover")
        if self._foe is not None and here >= 0:
            before, after = board.distance(here, self._foe.place), board.distance(place, self._foe.place)
            found += ["nearer"] if after < before else ["back"] if after > before else []
        return found
