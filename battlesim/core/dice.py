"""Dice whose faces follow from a seed and a key.

Faces are a hash of the battle's dice seed and a key `(turn, actor, purpose, object, attempt)`. The same key always shows the same
faces, so two branches of a battle that differ in one order meet the same dice in everything else. No key occurs twice in a
battle. Read `KeyedDice`; `ScriptedDice` is for tests of rules.

>>> KeyedDice(7).faces((1, 3, "to hit", 5, 0), 3, 6)
(1, 3, 4)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from typing import Protocol

from msgspec import Struct

from battlesim.core.errors import Fault, InputError, RuleError
from battlesim.core.memo import memo

Key = tuple[int, int, str, int, int]
"""Turn, actor (a unit or section, -1 for none), purpose, object (-1 for none), attempt (0 the first)."""


_KEPT_DRAWS = 8
"""`KeyedDice` keeps the lots of so many draws; then it drops them all."""


class Dice(Protocol):
    """A source of dice."""

    def faces(self, key: Key, n: int, sides: int) -> tuple[int, ...]:
        """The faces, 1 to `sides`, of `n` dice rolled under a key."""
        ...

    def ranking(self, turn: int, side: int, purpose: str, n: int) -> Sequence[tuple[int, int]]:
        """Lots: random ranks for at least the numbers 0 to n - 1 of a side, as (rank, number) pairs, the lowest rank first."""
        ...


@memo(bound=64)
def _table(sides: int) -> tuple[bytes, bytes]:
    """A table from hash bytes to faces, and the bytes to reject so that every face is equally likely (rejection sampling).

    Raises RuleError unless `sides` is 2 to 128.
    """
    if not 2 <= sides <= 128:
        raise RuleError(f"a die has 2 to 128 sides, not {sides}")
    usable = 256 - 256 % sides
    return bytes(b % sides + 1 for b in range(256)), bytes(range(usable, 256))


def check_seed(seed: int) -> None:
    """Raises InputError for a seed that is not a whole number, or has more than 64 bits, signed or unsigned."""
    if isinstance(seed, bool) or not isinstance(seed, int) or not -(2**63) <= seed < 2**64:
        raise InputError(Fault(f"the seed {seed!r:.60} is not usable", "give a whole number of 64 bits"))


class KeyedDice:
    """The battle's dice: a keyed hash (blake2b) of the roll's key under `seed`, a whole number of 64 bits. Signed and unsigned
    seeds of the same bits are the same: -1 and 2**64 - 1. Raises InputError for any other seed."""

    def __init__(self, seed: int) -> None:
        check_seed(seed)
        self.seed = seed
        self._key = seed.to_bytes(8, "little", signed=seed < 0)
        # Results of `ranking`, of the last few draws.
        self._lots: dict[tuple[int, int, str], list[tuple[int, int]]] = {}

    def __repr__(self) -> str:
        return f"KeyedDice({self.seed})"

    def faces(self, key: Key, n: int, sides: int) -> tuple[int, ...]:
        """As `Dice.faces`."""
        table, rejected = _table(sides)
        text = f"{key[0]}|{key[1]}|{key[2]}|{key[3]}|{key[4]}".encode()
        shown = blake2b(text, key=self._key).digest().translate(table, rejected)
        block = 0
        while len(shown) < n:
            block += 1
            more = blake2b(text + b"#%d" % block, key=self._key).digest()
            shown += more.translate(table, rejected)
        return tuple(shown[:n])

    def ranking(self, turn: int, side: int, purpose: str, n: int) -> Sequence[tuple[int, int]]:
        """As `Dice.ranking`."""
        key = (turn, side, purpose)
        lots = self._lots.get(key)
        if lots is None or len(lots) < n:
            if len(self._lots) > _KEPT_DRAWS:
                self._lots.clear()
            lots = sorted((self._rank(f"{turn}|{side}|{purpose}|{number}|0"), number) for number in range(n))
            self._lots[key] = lots
        return lots

    def _rank(self, text: str) -> int:
        return int.from_bytes(blake2b(text.encode(), key=self._key, digest_size=8).digest(), "little")


class LoadedRoll(Struct, frozen=True, forbid_unknown_fields=True):
    """A roll whose faces are set beforehand instead of following from the seed: its key, and the faces."""

    turn: int
    actor: int
    purpose: str
    object: int
    attempt: int
    faces: tuple[int, ...]

    @property
    def key(self) -> Key:
        """The key under which it is rolled."""
        return (self.turn, self.actor, self.purpose, self.object, self.attempt)


class LoadedDice:
    """Dice with some rolls set beforehand; all others, and every draw of lots, are those of `base`.

    A loaded roll counts only if as many dice are rolled under its key as it has faces, and these dice have all of its faces; else
    `base` is rolled.
    """

    def __init__(self, base: Dice, loaded: Mapping[Key, tuple[int, ...]]) -> None:
        self.base, self.loaded = base, dict(loaded)

    def __repr__(self) -> str:
        return f"LoadedDice({self.base!r}, {self.loaded!r})"

    def faces(self, key: Key, n: int, sides: int) -> tuple[int, ...]:
        """As `Dice.faces`."""
        found = self.loaded.get(key)
        if found is not None and len(found) == n and all(1 <= face <= sides for face in found):
            return found
        return self.base.faces(key, n, sides)

    def ranking(self, turn: int, side: int, purpose: str, n: int) -> Sequence[tuple[int, int]]:
        """As `Dice.ranking`."""
        return self.base.ranking(turn, side, purpose, n)


def dice_of(seed: int, loaded: Iterable[LoadedRoll] = ()) -> Dice:
    """The dice of a battle: keyed, with any given rolls set beforehand."""
    rolls = {roll.key: roll.faces for roll in loaded}
    return LoadedDice(KeyedDice(seed), rolls) if rolls else KeyedDice(seed)


class ScriptedDice:
    """Dice whose faces are given beforehand, for tests of rules.

    Each argument holds the faces of one roll: `ScriptedDice([6, 1], 4)` is a roll of two dice and then one of one. A roll of
    another number of dice, a face that the die does not have, or one roll too many raises RuleError. `keys` lists the keys
    rolled.

    >>> dice = ScriptedDice([6, 1], 4)
    >>> dice.faces((1, 0, "to hit", 5, 0), 2, 6), dice.faces((1, 0, "to wound", 5, 0), 1, 6)
    ((6, 1), (4,))
    """

    def __init__(self, *rolls: Iterable[int] | int) -> None:
        self._rolls: Iterator[tuple[int, ...]] = iter(
            [(roll,) if isinstance(roll, int) else tuple(roll) for roll in rolls]
        )
        self.keys: list[Key] = []

    def faces(self, key: Key, n: int, sides: int) -> tuple[int, ...]:
        """As `Dice.faces`."""
        self.keys.append(key)
        roll = next(self._rolls, None)
        if roll is None:
            raise RuleError(f"no dice scripted for {key}: {n}D{sides} wanted")
        if len(roll) != n or not all(1 <= face <= sides for face in roll):
            raise RuleError(f"{n}D{sides} wanted for {key}, the script has {roll}")
        return roll

    def ranking(self, turn: int, side: int, purpose: str, n: int) -> Sequence[tuple[int, int]]:
        """Ranks follow the numbers, side 0 first, so that a test need not script them."""
        return [(number * 2 + side, number) for number in range(n)]

    def done(self) -> None:
        """Raises RuleError if scripted rolls are left over. Call it at the end of a test."""
        left = list(self._rolls)
        if left:
            raise RuleError(f"scripted dice left over: {left}")


def derive_seed(seed: int, *names: object) -> int:
    """A seed for one purpose, derived from a master seed and names by a hash: 0 to 2**63 - 1, the same on every machine.

    >>> derive_seed(7, "dice") == derive_seed(7, "dice"), derive_seed(7, "dice") == derive_seed(7, "agent", 0)
    (True, False)
    """
    text = "|".join([str(seed), *map(str, names)]).encode()
    return int.from_bytes(blake2b(text, digest_size=8).digest(), "little") >> 1
