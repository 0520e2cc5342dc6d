"""Fights in a set way: greedy with a character, and with every parameter of judgement to be set.

    battlesim play bastion --agent Legion=doctrine,character=demolition
    battlesim play stairwell --agent doctrine,character=assault,exposure=0.2

A character says how many times the usual a player minds each thing; what the rulebook does not have counts nothing there. A
parameter that is given by name is taken as it is and overrides the character.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from battlesim import (
    RULESETS,
    Answer,
    Ask,
    Board,
    Brief,
    Chance,
    Fault,
    InputError,
    Reason,
    View,
    check_settings,
    find_agent,
    number,
    parameters,
)

CHARACTERS: dict[str, dict[str, float]] = {
    # Goes for objectives and for the enemy, hand to hand where it can, and takes losses for it.
    "assault": {"progress": 2.0, "taken": 0.6, "exposure": 0.4, "risk": 0.6, "storm": 0.5, "ready": 0.7},
    # Takes places with cover and keeps them; lets the enemy come.
    "defence": {
        "hold": 2.0,
        "progress": 0.5,
        "exposure": 1.6,
        "ready": 2.0,
        "wait": 2.0,
        "wait_most": 2.0,
        "taken": 1.4,
    },
    # Wins by fire: shoots whenever it can, from where little comes back, and moves late.
    "firebase": {"dealt": 2.0, "progress": 0.5, "exposure": 1.5, "prospect": 2.0, "taken": 1.5, "risk": 1.5},
    # Comes near unseen, by cover, shoots little, and takes what nobody holds.
    "infiltration": {"progress": 2.0, "exposure": 2.0, "dealt": 0.5, "taken": 1.5, "alone": 2.0},
    # Breaks the building rather than the men in it.
    "demolition": {
        "raze": 3.0,
        "razed": 3.0,
        "weakened": 3.0,
        "walls": 2.0,
        "opened": 3.0,
        "worn": 3.0,
        "spoilt": 2.0,
        "driven_out": 2.0,
        "strike": 1.5,
        "waste": 0.5,
    },
}
"""By how much each character multiplies the usual value of a parameter. `battlesim agents` and docs/agents.md describe them."""

DISCOVERED = "discovered"
"""The character that a search found and confirmed for a rulebook; the default values if none found anything better
(docs/discover.md)."""


class Doctrine:
    """`character`: assault, defence, firebase, infiltration, demolition, discovered (what a search has found and confirmed) or
    usual. `strength`: how far it goes from the usual towards the character; 1 is all the way, more goes beyond. All else:
    parameters of judgement.

        doctrine,character=assault,strength=0.5,exposure=0.2
    """

    def __init__(self, character: str = "usual", strength: float = 1.0, **settings: float) -> None:
        known = ("usual", *CHARACTERS, DISCOVERED)
        if character not in known:
            raise InputError(Fault(f"no character {character!r}", f"give one of {', '.join(known)}"))
        self.character, self.settings = character, settings
        self.strength = number("strength", strength, 0, 5)
        check_settings(settings, ("character", "strength"))

    def start(self, board: Board, side: int, chance: Chance, brief: Brief | None = None) -> None:
        """Keep what the battle begins with, until the first view names the rulebook."""
        self._started = board, side, chance
        self._player: Any = None

    def choose(self, view: View, ask: Ask, answers: Sequence[Answer]) -> Answer:
        """What greedy answers under this character."""
        said: Answer = self._playing(view.ruleset).choose(view, ask, answers)
        return said

    def explain(self, view: View, ask: Ask, answers: Sequence[Answer]) -> list[Reason]:
        """As greedy explains itself, under this character."""
        found: list[Reason] = self._playing(view.ruleset).explain(view, ask, answers)
        return found

    def policy(self, view: View, board: Board, ask: Ask, answers: Sequence[Answer]) -> Answer:
        """Its answer in a battle that it imagines."""
        said: Answer = self._playing(view.ruleset).policy(view, board, ask, answers)
        return said

    def settings_for(self, ruleset: str) -> dict[str, float]:
        """The values of the parameters that this character sets under a rulebook, by name; each within its range. All others keep
        their defaults. Those given by name are among them as they are."""
        factors = CHARACTERS.get(self.character, {})
        discovered = self.character == DISCOVERED
        # Greedy checks a value by every rulebook that has a parameter of this name, so it has to lie in all their ranges.
        every = [one for known in RULESETS for one in parameters(known)]
        found: dict[str, float] = {}
        for one in parameters(ruleset):
            if one.name in self.settings:
                found[one.name] = self.settings[one.name]
            elif one.name in factors or (discovered and one.found is not None):
                wanted = one.default * factors.get(one.name, 1.0) ** self.strength
                if discovered and one.found is not None:
                    wanted = (1 - self.strength) * one.default + self.strength * one.found
                low = max(other.low for other in every if other.name == one.name)
                high = min(other.high for other in every if other.name == one.name)
                found[one.name] = min(max(wanted, low), high)
        return found

    def _playing(self, ruleset: str) -> Any:
        if self._player is None:
            self._player = find_agent(_words(self.settings_for(ruleset))).make()
            self._player.start(*self._started)
        return self._player


def _words(settings: dict[str, float]) -> str:
    """Greedy with some parameters, as `find_agent` takes it."""
    return ",".join(["greedy", *(f"{name}={value!r}" for name, value in settings.items())])
