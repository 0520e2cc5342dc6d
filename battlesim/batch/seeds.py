"""Seeds of games, derived from a run's own."""

from __future__ import annotations

from battlesim.core.dice import derive_seed


def game_seed(seed: int, salt: str, *what: str | int) -> int:
    """The seed of one game of a run: from the run's seed, its salt and what the game is, never from its place in the run or
    from who plays it. Games that share `what` share their dice. Seeds are derived one way: who sees one, an agent for instance,
    finds neither the salt nor another game's; with a salt that is kept secret nobody can guess one."""
    return derive_seed(seed, *(("salt", salt) if salt else ()), *what)
