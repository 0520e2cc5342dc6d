"""Dice that are keyed and logged (law 4).

Faces are a hash of the battle's dice seed and a key `(turn, actor, purpose, object, attempt)`; the same key always shows
the same faces, so two branches that differ in one order meet the same dice in everything else. No key may occur twice in
a battle. Read `KeyedDice`; `ScriptedDice` is for rule tests.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import Protocol

from battlesim.core.errors import RuleError

Key = tuple[int, int, str, int, int]
"""Turn, actor (a unit or section, -1 for none), purpose, object (-1 for none), attempt (0 the first)."""


class Dice(Protocol):
    """Whatever can show the faces of dice."""

    def faces(self, key: Key, n: int, sides: int) -> tuple[int, ...]:
        """The faces, 1 to `sides`, of `n` dice rolled under a key."""
        ...

    def ranking(self, turn: int, side: int, purpose: str, n: int) -> Sequence[tuple[int, int]]:
        """Lots for at least the numbers 0 to n - 1 of a side, as (rank, number), the lowest rank first."""
        ...


@lru_cache(maxsize=64)
def _table(sides: int) -> tuple[bytes, bytes]:
    """Translation of a hash byte to a face and the bytes to throw away so that every face is equally likely."""
    if not 2 <= sides <= 128:
        raise RuleError(f"a die has 2 to 128 sides, not {sides}")
    usable = 256 - 256 % sides
    return bytes(b % sides + 1 for b in range(256)), bytes(range(usable, 256))


class KeyedDice:
    """The battle's dice: blake2b over the key under a 64-bit seed."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self._key = seed.to_bytes(8, "little", signed=seed < 0)
        # Lots of the current turn: a cache of what the seed says, at most a few turns of it.
        self._lots: dict[tuple[int, int, str], list[tuple[int, int]]] = {}

    def __repr__(self) -> str:
        return f"KeyedDice({self.seed})"

    def faces(self, key: Key, n: int, sides: int) -> tuple[int, ...]:
        table, spoilt = _table(sides)
        text = f"{key[0]}|{key[1]}|{key[2]}|{key[3]}|{key[4]}".encode()
        shown = blake2b(text, key=self._key).digest().translate(table, spoilt)
        block = 0
        while len(shown) < n:
            block += 1
            more = blake2b(text + b"#%d" % block, key=self._key).digest()
            shown += more.translate(table, spoilt)
        return tuple(shown[:n])

    def ranking(self, turn: int, side: int, purpose: str, n: int) -> Sequence[tuple[int, int]]:
        key = (turn, side, purpose)
        lots = self._lots.get(key)
        if lots is None or len(lots) < n:
            if len(self._lots) > 8:
                self._lots.clear()
            lots = sorted((self._rank(f"{turn}|{side}|{purpose}|{number}|0"), number) for number in range(n))
            self._lots[key] = lots
        return lots

    def _rank(self, text: str) -> int:
        return int.from_bytes(blake2b(text.encode(), key=self._key, digest_size=8).digest(), "little")


class ScriptedDice:
    """Dice whose faces are written down beforehand, for rule tests.

    Each entry of the script is the faces of one roll; a roll of another number of dice than scripted, or one roll too
    many, raises RuleError. Call `done()` at the end: it raises where faces are left over.
    """

    def __init__(self, *rolls: Iterable[int] | int) -> None:
        self._rolls: Iterator[tuple[int, ...]] = iter(
            [(roll,) if isinstance(roll, int) else tuple(roll) for roll in rolls]
        )
        self.keys: list[Key] = []

    def faces(self, key: Key, n: int, sides: int) -> tuple[int, ...]:
        self.keys.append(key)
        roll = next(self._rolls, None)
        if roll is None:
            raise RuleError(f"no dice scripted for {key}: {n}D{sides} wanted")
        if len(roll) != n or not all(1 <= face <= sides for face in roll):
            raise RuleError(f"{n}D{sides} wanted for {key}, the script has {roll}")
        return roll

    def ranking(self, turn: int, side: int, purpose: str, n: int) -> Sequence[tuple[int, int]]:
        """Lots are drawn in order of number, side 0 first, so that a test need not script them."""
        return [(number * 2 + side, number) for number in range(n)]

    def done(self) -> None:
        left = list(self._rolls)
        if left:
            raise RuleError(f"scripted dice left over: {left}")


def derive_seed(seed: int, *names: object) -> int:
    """A 63-bit seed for one purpose, derived from a master seed: one way, the same everywhere."""
    text = "|".join([str(seed), *map(str, names)]).encode()
    return int.from_bytes(blake2b(text, digest_size=8).digest(), "little") >> 1
