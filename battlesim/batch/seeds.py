"""Seeds of games, derived from a run's own."""

from __future__ import annotations

from battlesim.core.dice import derive_seed


def game_seed(seed: int, salt: str, *what: str | int) -> int:
    """The seed of one game of a run, derived from the run's seed, its salt ("" for none) and `what`, which identifies the game.
    It does not depend on the game's place in the run or on its agents, so games with the same `what` share their dice. The seed
    reveals neither the salt nor other seeds; with a secret salt nobody can guess it."""
    return derive_seed(seed, *(("salt", salt) if salt else ()), *what)
