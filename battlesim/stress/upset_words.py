"""The odds of an event and the likeliest ways to it, as text. Read `lines`."""

from __future__ import annotations

from collections.abc import Iterator

from battlesim.batch.blame import blame_lines
from battlesim.stress.upset import FirstBattles, Upset

USUAL = 0.5
"""An event that is at least this likely is no upset."""
MOST_WRITTEN = 15.0
"""Ratios of more powers of ten than this are told by their power."""
WRITTEN_OUT = 1e-6
"""A chance below this is told as one in so many: its percentage would need an exponent."""
WIDE = 0.4
"""An interval of the odds that is wider than this says little."""


def lines(found: Upset) -> Iterator[str]:
    """The results, line by line."""
    estimate = found.estimate
    agents = found.agents[0] if found.agents[0] == found.agents[1] else " against ".join(found.agents)
    low, high = (share_words(limit) for limit in (estimate.low, estimate.high))
    told = f"{share_words(estimate.odds)} [{low}, {high}]"
    alone = len(estimate.repeats) == 1 and 0 < estimate.odds < 1
    if alone:
        told = f"{share_words(estimate.odds)} (one repeat tells no interval)"
    if not estimate.odds:
        told = f"it did not happen; the odds are below {high}"
    if found.first is not None:
        yield _favourite(found.first)
    yield f"The odds of {found.words} in {found.scenario}, played by {agents}: {told}"
    repeats = len(estimate.repeats)
    told = f"{repeats} independent repeats" if repeats > 1 else "one repeat"
    yield (
        f"  {estimate.battles} battles were played to say so, in {told}; of the "
        f"{estimate.begun} that these began with, {estimate.plain} ended so by their own dice"
    )
    if alone:
        yield "  that says little: --repeats 2 or more tell an interval"
    elif estimate.high - estimate.low > WIDE:
        yield "  that says little: more --battles and --repeats make the interval narrower"
    yield from (f"  {words}" for words in blame_lines(found.blame))
    if estimate.odds >= USUAL:
        yield "  so this is no upset: it is what usually happens; the battles below are ordinary ones"
    for number, way in enumerate(found.ways, 1):
        yield ""
        yield (
            f"Way {number}, seed {way.seed}: {way.set} of {way.rolls} rolls set by the search; all its rolls together are "
            f"{ratio_words(way.cost)} as likely as the most usual ones"
        )
        if not way.hangs_on:
            yield "  no single roll decides it" if estimate.odds < USUAL else "  it takes no unusual roll"
        elif len(way.hangs_on) > 1:
            yield f"  it hangs on {len(way.hangs_on)} rolls, which come together once in {1 / way.chance:,.0f}:"
        for roll in way.hangs_on:
            yield f"  turn {roll.turn}: {roll.during or roll.unit}  [{roll.dice}]"
            yield f"    chance {share_words(roll.chance)}; the likeliest outcome has {share_words(roll.usual)}"
        if way.record:
            yield f"  record: {way.record}"


def _favourite(first: FirstBattles) -> str:
    """Who was taken for the favourite, and why. A near tie is called one: then either side may be the favourite."""
    (one, two), (ours, theirs) = first.sides, first.wins
    won = f"{one} won {ours} and {two} won {theirs}, {first.battles - ours - theirs} were drawn"
    told = f"The favourite is {first.sides[first.favourite]}: of {first.battles} first battles {won}"
    # A lead within two standard errors of that of even sides may be luck.
    if (ours - theirs) ** 2 <= 4 * (ours + theirs):
        told += "; that may be luck: name the side by --loser"
    return told


def share_words(share: float) -> str:
    """A chance as a percentage with two significant digits; a very small one as one in so many.

    >>> [share_words(share) for share in (0.0, 4e-7, 0.00012, 0.25, 0.9987)]
    ['0%', '1 in 2,500,000', '0.012%', '25%', '99.87%']
    """
    if 0 < share < WRITTEN_OUT:
        return f"1 in {1 / share:,.0f}"
    return f"{100 * share:.2g}%" if share < 0.995 else f"{100 * share:.4g}%"


def ratio_words(cost: float) -> str:
    """How likely rolls are that are less likely by `cost` powers of ten, as a ratio.

    >>> [ratio_words(cost) for cost in (0.0, 0.2, 1.5, 400.0)]
    ['just', '63%', '1/32', '1/10^400']
    """
    if cost > MOST_WRITTEN:
        return f"1/10^{cost:.0f}"
    ratio = 10**-cost
    return "just" if ratio >= 0.95 else f"{ratio:.0%}" if ratio > 0.4 else f"1/{1 / ratio:,.0f}"
