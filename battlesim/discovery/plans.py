"""Small plans: a few tactics that a way of fighting keeps to, drawn, changed and crossed so that they stay valid. Read `changed`.

A plan is valid if its tactics name acts that the scenarios offer (`varied.scouted` finds them), none occurs twice, and none
contradicts another: if one says always, no other says never for the same act in the same situation. They apply in their order.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random

from msgspec.structs import replace

from battlesim.discovery.situations import FEATURES
from battlesim.discovery.tactic import Tactic

Plan = tuple[Tactic, ...]
PLANNED = 0.8
"""Share of the random ways of fighting that have a plan."""
CHANGED = 0.7
"""Share of the mutations that change the plan."""
GENERAL = 0.5
"""Share of the new tactics that hold in every situation."""
MOST_FEATURES = 2
"""The most features that the situation of a tactic has."""


def sound(tactics: Iterable[Tactic], most: int) -> Plan:
    """The first tactics, `most` at most, that neither repeat nor contradict one before them.

    >>> from battlesim.discovery.tactic import parse_tactics
    >>> [str(one) for one in sound(parse_tactics("always at:any; never at:any; never go:back"), 2)]
    ['always at:any', 'never go:back']
    """
    kept: list[Tactic] = []
    for one in tactics:
        if one not in kept and one.opposite not in kept:
            kept.append(one)
    return tuple(kept[:most])


def drawn(atoms: Sequence[Tactic], random: Random, most: int) -> Plan:
    """A random plan of one or more tactics, with probability PLANNED; else, or if there is nothing to draw, empty."""
    if not atoms or not most or random.random() >= PLANNED:
        return ()
    count = random.randint(1, most)
    return sound([_any(atoms, random) for _ in range(count)], most)


def changed(plan: Plan, atoms: Sequence[Tactic], random: Random, most: int) -> Plan:
    """A plan near another: one tactic more, one less, one turned into its opposite, or one in another or a narrower situation."""
    if not atoms or not most:
        return plan
    kinds = ["more"] if len(plan) < most else []
    kinds += ["less", "round", "elsewhere", "narrower"] if plan else []
    kind, at = random.choice(kinds), random.randrange(len(plan)) if plan else 0
    if kind == "more":
        return sound([*plan, _any(atoms, random)], most)
    if kind == "less":
        return plan[:at] + plan[at + 1 :]
    old = plan[at]
    new = old.opposite if kind == "round" else _moved(old, atoms, random, narrower=kind == "narrower")
    return sound([*plan[:at], new, *plan[at + 1 :]], most)


def crossed(one: Plan, other: Plan, random: Random, most: int) -> Plan:
    """A plan with tactics of two plans, each taken or left; if they contradict each other, the first plan counts."""
    return sound([tactic for tactic in (*one, *other) if random.random() < 0.5], most)


def _moved(old: Tactic, atoms: Sequence[Tactic], random: Random, narrower: bool) -> Tactic:
    """A tactic in another situation in which its act occurs; `narrower`: in both situations together, with two features at most.
    The same tactic if there is none."""
    named = {name for name, _ in old.when}
    situations = [
        one.when
        for one in atoms
        if one.act == old.act and one.when != old.when and (not narrower or named.isdisjoint(dict(one.when)))
    ]
    if not situations or (narrower and len(named) >= MOST_FEATURES):
        return old
    when = random.choice(situations)
    if narrower:
        both = dict((*old.when, *when))
        when = tuple((name, both[name]) for name in FEATURES if name in both)
    return replace(old, when=when)


def _any(atoms: Sequence[Tactic], random: Random) -> Tactic:
    """A random tactic: each act as often as any other, for every situation as often as for all single ones together. What helps
    in one situation mostly shows in all of them; it can be narrowed from there."""
    act = random.choice(sorted({one.act for one in atoms}))
    of_act = [one for one in atoms if one.act == act]
    always = [one for one in of_act if not one.when]
    found = random.choice(always if always and random.random() < GENERAL else of_act)
    return found if random.random() < 0.5 else found.opposite
