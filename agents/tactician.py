"""Plays as another player does, but always or never does certain things.

    battlesim play stairwell --agent "Red=tactician,tactics=always go:upstairs when role=foot where=ground"
    battlesim play village --agent "tactician,base=doctrine+character=assault,tactics=never order:wait; always at:inside"

`base` is any player, its own parameters after plus signs. What tactics can say is in docs/tactics.md. Where no tactic bears, and
where all legal answers or none fit it, the base player decides as usual; else it decides among the answers that are left.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from battlesim import (
    Answer,
    Ask,
    Board,
    Brief,
    Chance,
    Fault,
    InputError,
    Reason,
    View,
    best_by_features,
    find_agent,
)
from battlesim.discovery.acts import place_of
from battlesim.discovery.history import History
from battlesim.discovery.tactic import left_by, parse_tactics
from battlesim.engine.brief import start_agent


class Tactician:
    """`tactics`: what it always or never does, in the words of docs/tactics.md; several are separated by semicolons. `base`: the
    player that decides all else, with plus signs for the commas of its own parameters.

        tactician,tactics=always go:upstairs when role=foot where=ground
        tactician,base=doctrine+character=assault,tactics=never order:wait; always at:inside
    """

    # A base player with a `policy` (greedy, doctrine, quick) imagines nothing and remembers nothing: it is asked freely first,
    # and among the answers that are left where what it says is not one of these. Any other is asked once, about those that are
    # left, since it may spend its budget on a question, and remembers what it said. What it would have said freely is then not
    # known: for `changed`, greedy's answer stands for it.

    agent_parameters = ("base",)

    def __init__(self, tactics: str, base: str = "greedy") -> None:
        self.tactics = parse_tactics(str(tactics))
        name = str(base).replace("+", ",")
        if name.partition(",")[0] == "tactician":
            what = "a tactician cannot be the base of another"
            raise InputError(Fault(what, "give all tactics to one, separated by semicolons"))
        self.base: Any = find_agent(name).make()
        self.offered = 0
        """How many questions so far had some answers ruled out by the tactics, but not all."""
        self.changed = 0
        """At how many of these the base player would have answered differently."""
        self.first_offered = self.first_changed = 0
        """The same of the first tactic alone, where the others belong to the player that it is added to."""
        self.bore_at: dict[int, int] = {}
        """At how many of the questions of the first tactic the answer was about each place."""
        self.history = History()

    def start(self, board: Board, side: int, chance: Chance, brief: Brief | None = None) -> None:
        """Let the base player begin a battle. `brief`: passed on to one that takes it; None: to none."""
        self.board = board
        if brief is None:
            self.base.start(board, side, chance)
        else:
            start_agent(self.base, board, side, chance, brief)

    def choose(self, view: View, ask: Ask, answers: Sequence[Answer]) -> Answer:
        """The base player's answer, or its answer among those that the tactics leave."""
        said = self._said(view, ask, answers)
        self.history.note(view, self.board, ask, said)
        return said

    def _said(self, view: View, ask: Ask, answers: Sequence[Answer]) -> Answer:
        left = left_by(self.tactics, view, self.board, ask, answers, self.history)
        said: Answer
        if len(left) == len(answers):
            said = self.base.choose(view, ask, answers)
            return said
        self.offered += 1
        if hasattr(self.base, "policy"):
            said = self.base.choose(view, ask, answers)
            if said not in left:
                self.changed += 1
                said = left[0] if len(left) == 1 else self.base.choose(view, ask, left)
        else:
            self.changed += self._usual(view, ask, answers) not in left
            said = self.base.choose(view, ask, left)
        self._count(view, ask, answers, said)
        return said

    def _count(self, view: View, ask: Ask, answers: Sequence[Answer], said: Answer) -> None:
        """Count a question to which tactics apply for the first of them, if it applies."""
        if len(self.tactics) == 1:
            self.first_offered, self.first_changed = self.offered, self.changed
        else:
            left = left_by(self.tactics[:1], view, self.board, ask, answers, self.history)
            if len(left) == len(answers):
                return
            usual = left_by(self.tactics[1:], view, self.board, ask, answers, self.history)
            self.first_offered += 1
            self.first_changed += self._usual(view, ask, usual) not in left
        place = place_of(view, ask, said)
        self.bore_at[place] = self.bore_at.get(place, 0) + 1

    def _usual(self, view: View, ask: Ask, answers: Sequence[Answer]) -> Answer:
        """What the base player would say, without asking it."""
        usual: Answer = (
            self.base.policy(view, self.board, ask, answers)
            if hasattr(self.base, "policy")
            else best_by_features(view, self.board, ask, answers)
        )
        return usual

    def explain(self, view: View, ask: Ask, answers: Sequence[Answer]) -> list[Reason]:
        """As the base player explains itself; answers that the tactics leave come first, the others are marked. A base player
        that imagines is asked about those that are left alone, as for its choice."""
        left = left_by(self.tactics, view, self.board, ask, answers, self.history)
        if not hasattr(self.base, "policy"):
            return self._base_rows(view, ask, left)
        rows = self._base_rows(view, ask, answers)
        against = [
            row._replace(text=_joined("against the tactics", row.text))
            for row in rows
            if row.answer not in left
        ]
        return [row for row in rows if row.answer in left] + against

    def _base_rows(self, view: View, ask: Ask, answers: Sequence[Answer]) -> list[Reason]:
        """The base player's rows for some answers."""
        if len(answers) == 1 or not hasattr(self.base, "explain"):
            return [Reason(answer, 0.0) for answer in answers]
        return list(self.base.explain(view, ask, answers))

    def policy(self, view: View, board: Board, ask: Ask, answers: Sequence[Answer]) -> Answer:
        """What it would answer in a battle that it imagines."""
        left = left_by(self.tactics, view, board, ask, answers, self.history)
        if not hasattr(self.base, "policy"):
            return left[0]
        said: Answer = self.base.policy(view, board, ask, left)
        return said

    def save(self) -> bytes:
        """The orders that its units have had, on one line, and what the base player remembers."""
        memory: bytes = self.base.save() if hasattr(self.base, "save") else b""
        return self.history.save() + b"\n" + memory

    def load(self, memory: bytes) -> None:
        """Restore what `save` returned."""
        own, _, base = memory.partition(b"\n")
        self.history.load(own)
        if hasattr(self.base, "load"):
            self.base.load(base)


def _joined(*parts: str) -> str:
    return "; ".join(part for part in parts if part)
