"""The likeliest ways to an event: battles that met it, made as usual as possible. Read `simplified`.

The cost of a battle is the sum over its rolls of how much less likely each outcome was than the likeliest one, in powers of ten
(`cost`). The outcome of a roll is what the rules use: how many dice showed the number needed, else their sum; a single die whose
face counts is never unusual. Rolls are reset, many at once and then one by one, to what the battle's own seed rolls or to their
likeliest outcome, as long as the event still happens and the battle does not become more unusual. The remaining rolls are those
on which the event depends.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import comb, log10

from msgspec import Struct

from battlesim.core.dice import Key, KeyedDice, LoadedRoll
from battlesim.core.events import Rolled
from battlesim.core.memo import memo
from battlesim.engine.game import seeds_of
from battlesim.stress.upset_splitting import Met, Trial, rolls_of

SAME = 0.5
"""Two ways that share more than this part of the rolls they depend on are one way."""
SLACK = 1e-9
"""Chances and costs that differ by less count as equal."""


# ---- how likely a roll was


@memo(bound=2_048)
def chances(n: int, sides: int, need: int) -> dict[int, float]:
    """The chance of each outcome of a roll: of each number of dice that show `need` or more, or of each sum if `need` is 0."""
    if need > 0:
        good = min(max(sides - need + 1, 0), sides)
        whole = float(sides**n)
        ways = {k: comb(n, k) * good**k * (sides - good) ** (n - k) / whole for k in range(n + 1)}
        return {k: way for k, way in ways.items() if way}
    sums = {0: 1.0}
    for _ in range(n):
        more: dict[int, float] = {}
        for total, way in sums.items():
            for face in range(1, sides + 1):
                more[total + face] = more.get(total + face, 0.0) + way / sides
        sums = more
    return sums


def outcome_of(roll: Rolled) -> int:
    """The outcome of a roll: how many dice showed the number needed, else the sum."""
    return sum(face >= roll.need for face in roll.faces) if roll.need > 0 else sum(roll.faces)


def chance_of(roll: Rolled) -> float:
    """The chance of a roll's outcome."""
    return chances(len(roll.faces), roll.sides, roll.need)[outcome_of(roll)]


def cost_of(roll: Rolled) -> float:
    """The cost of a roll: how much less likely its outcome was than the likeliest one, in powers of ten."""
    found = chances(len(roll.faces), roll.sides, roll.need)
    return log10(max(found.values()) / found[outcome_of(roll)])


def usual_faces(roll: Rolled) -> tuple[int, ...]:
    """Faces that make the likeliest outcome of a roll, with as few dice changed as possible; of two equally likely outcomes, the
    one nearer to the actual one."""
    found = chances(len(roll.faces), roll.sides, roll.need)
    came, most = outcome_of(roll), max(found.values())
    best = min(
        (which for which, chance in found.items() if chance >= most - SLACK), key=lambda k: abs(k - came)
    )
    faces = list(roll.faces)
    for place in range(len(faces)):
        if came == best:
            break
        if roll.need > 0:
            good = faces[place] >= roll.need
            if good != (came < best):  # a die to change
                faces[place] = roll.sides if came < best else 1
                came += 1 if came < best else -1
            continue
        there = min(max(faces[place] + best - came, 1), roll.sides)
        came += there - faces[place]
        faces[place] = there
    return tuple(faces)


# ---- a way to the event


class KeyRoll(Struct, frozen=True):
    """A roll that a way depends on: its position, its chance, and the chance of its likeliest outcome. If it is reset to that,
    the event does not happen."""

    roll: Rolled
    chance: float
    usual: float

    @property
    def key(self) -> Key:
        """The key under which the roll is made."""
        return key_of(self.roll)


class Way(Struct, frozen=True):
    """A way to the event: the battle's seed, the rolls that were set beforehand, those of them that it depends on, and its cost.

    `cost_before`: of the battle that it was made from. `rolls`: how many were rolled in all.
    """

    seed: int
    loaded: tuple[LoadedRoll, ...]
    key_rolls: tuple[KeyRoll, ...]
    cost: float
    cost_before: float
    rolls: int


def key_of(roll: Rolled) -> Key:
    """The key of a roll."""
    return (roll.turn, roll.actor, roll.purpose, roll.object, roll.attempt)


class _Found(Struct):
    """The best battle so far: what is loaded, what was rolled, and its cost."""

    loaded: dict[Key, tuple[int, ...]]
    rolls: tuple[Rolled, ...]
    cost: float


class _Search:
    """Makes one battle more usual, step by step, in at most `most` battles."""

    def __init__(self, trial: Trial, seed: int, most: int) -> None:
        self.trial, self.seed, self._left = trial, seed, most
        self._own = KeyedDice(seeds_of(seed).dice)
        self.best: _Found | None = None

    def spent(self) -> bool:
        return self._left <= 0

    def own_faces(self, roll: Rolled) -> tuple[int, ...]:
        """What the battle's own seed rolls."""
        return self._own.faces(key_of(roll), len(roll.faces), roll.sides)

    def attempt(self, loaded: dict[Key, tuple[int, ...]]) -> bool:
        """Play with some rolls loaded; keep it if the event happens and the battle is more usual, or as usual with fewer rolls
        loaded."""
        self._left -= 1
        met, battle = self.trial.play_loaded(self.seed, as_loaded(loaded))
        if not met:
            return False
        rolls = rolls_of(battle.log)
        used = {}
        for roll in rolls:
            faces = loaded.get(key_of(roll))
            if faces is not None and faces == roll.faces and faces != self.own_faces(roll):
                used[key_of(roll)] = faces
        cost = sum(map(cost_of, rolls))
        best = self.best
        if best is not None:
            cheaper = cost < best.cost - SLACK
            simpler = cost < best.cost + SLACK and len(used) < len(best.loaded)
            if not cheaper and not simpler:
                return False
        self.best = _Found(used, rolls, cost)
        return True


def as_loaded(rolls: dict[Key, tuple[int, ...]]) -> tuple[LoadedRoll, ...]:
    """Rolls by key in the form of a record."""
    return tuple(LoadedRoll(*key, faces) for key, faces in rolls.items())


def simplified(trial: Trial, start: Met, most: int = 300) -> Way | None:
    """A battle that met the target, made as usual as possible in at most `most` battles. None if it cannot be played again (an
    agent that is not repeatable)."""
    search = _Search(trial, start.seed, most)
    if not search.attempt({key_of(roll): roll.faces for roll in start.rolls}) or search.best is None:
        return None
    before = search.best.cost
    _in_blocks(search)
    refused: dict[Key, tuple[int, ...]] = {}
    while not search.spent() and _one_by_one(search, refused):
        pass
    best = search.best
    hinges = [
        KeyRoll(roll, chance_of(roll), max(chances(len(roll.faces), roll.sides, roll.need).values()))
        for roll in best.rolls
        if cost_of(roll) > SLACK and _hangs_on(search, best, roll)
    ]
    hinges.sort(key=lambda one: one.chance / one.usual)
    return Way(start.seed, as_loaded(best.loaded), tuple(hinges), best.cost, before, len(best.rolls))


def _in_blocks(search: _Search) -> None:
    """Reset many rolls at once: halves of all that are loaded, then quarters, and so on."""
    for back in (usual_faces, search.own_faces):
        parts = 1
        while not search.spent() and search.best is not None and parts <= 16:
            rolls = [roll for roll in search.best.rolls if back(roll) != roll.faces]
            if len(rolls) < parts:
                break
            for part in range(parts):
                if search.spent():
                    break
                mine = rolls[part * len(rolls) // parts : (part + 1) * len(rolls) // parts]
                search.attempt(_with(search, mine, back))
            parts *= 2


def _one_by_one(search: _Search, refused: dict[Key, tuple[int, ...]]) -> bool:
    """Reset single rolls, the most unusual first; returns whether any could be. `refused`: what was tried in vain."""
    assert search.best is not None
    done = False
    for roll in sorted(search.best.rolls, key=cost_of, reverse=True):
        if cost_of(roll) <= SLACK or search.spent():
            break
        faces = usual_faces(roll)
        if refused.get(key_of(roll)) == faces or roll not in search.best.rolls:
            continue
        if search.attempt(_with(search, [roll], usual_faces)):
            done = True
            refused.clear()
        else:
            refused[key_of(roll)] = faces
    return done


def _with(
    search: _Search, rolls: Sequence[Rolled], back: Callable[[Rolled], tuple[int, ...]]
) -> dict[Key, tuple[int, ...]]:
    """The loaded rolls of the best battle, with some of them reset."""
    assert search.best is not None
    loaded = dict(search.best.loaded)
    for roll in rolls:
        loaded[key_of(roll)] = back(roll)
    return loaded


def _hangs_on(search: _Search, best: _Found, roll: Rolled) -> bool:
    """Whether the event does not happen if one roll has its likeliest outcome and all others stay loaded."""
    loaded = {key_of(one): one.faces for one in best.rolls}
    loaded[key_of(roll)] = usual_faces(roll)
    met, _ = search.trial.play_loaded(search.seed, as_loaded(loaded))
    return not met


def are_alike(one: Way, other: Way) -> bool:
    """Whether two ways depend on much the same rolls: of the same units for the same purpose, in any turn."""
    mine, theirs = (
        {(each.roll.actor, each.roll.purpose, each.roll.object) for each in way.key_rolls}
        for way in (one, other)
    )
    if not mine or not theirs:
        return mine == theirs
    return len(mine & theirs) / len(mine | theirs) > SAME
