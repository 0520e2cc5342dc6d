"""A discovery in words. Read `lines`."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from battlesim.discovery.contrasts import plan_of
from battlesim.discovery.run import Discovery
from battlesim.discovery.search_judge import Found, Share
from battlesim.discovery.settings import DiscoverySettings
from battlesim.viewer.report_words import plural

SHOWN = 12
"""The most elites that are listed; `discover.json` and the page have all."""


def lines(asked: DiscoverySettings, found: Discovery) -> Iterator[str]:
    """The results, line by line."""
    training, selection, confirmation = found.games
    yield (
        f"{training} games of training, {selection} of selection, {confirmation} of confirmation, "
        f"on {', '.join(asked.scenarios)}"
    )
    yield from broken_words(found.broken)
    cells = asked.bins ** len(asked.axes)
    if asked.aim == "map":
        yield (
            f"{len(found.elites)} of {cells} cells have an elite (coverage {found.coverage:.0%}); "
            f"QD score of the selection {found.qd_score:.1f}, on corrected values"
        )
        yield held_words(found)
    if asked.shuffled:
        yield "Who won each game was decided by a coin: whatever was found is luck"
    yield ""
    yield "Elites, best first: score on dice that the search had not seen [95% interval of each alone]"
    for number, one in enumerate(found.elites[:SHOWN], 1):
        behaviour = ", ".join(f"{name} {at:.2f}" for name, at in zip(asked.axes, one.behaviour, strict=True))
        yield f"{number:3}. {share(one.value)}, corrected {one.corrected:.0%}; {behaviour}"
        if one.is_begin:
            yield "     the search began from this player"
        for gate in one.gates:
            yield f"     kept out: {gate}"
        if moved := moved_words(asked, one):
            yield f"     {moved}"
        for rule in plan_of(one.agent):
            yield f"     {rule.words()}"
        yield f"     {command(asked, found, one)}"
    if len(found.elites) > SHOWN:
        yield f"     and {len(found.elites) - SHOWN} more: see discover.html"
    yield ""
    yield "Written by hand, on the same cases:"
    for name, value in found.written:
        yield f"     {share(value)}  {name}"
    yield ""
    yield from confirmation_lines(asked, found)


def broken_words(count: int) -> Iterator[str]:
    """How many games broke off, if any did."""
    if count:
        what = "a pair with one is even; an elite that is ahead only for that in the selection is kept out"
        yield f"{plural(count, 'game')} broke off: {what}"


def share(value: Share) -> str:
    """A score with its interval."""
    return f"{value.value:.0%} [{value.low:.0%}, {value.high:.0%}]"


def bin_words(number: int, bins: int) -> str:
    """The range of a bin.

    >>> bin_words(1, 4)
    '0.25–0.50'
    """
    return f"{number / bins:.2f}–{(number + 1) / bins:.2f}"


def held_words(found: Discovery) -> str:
    """How many cells hold by the selection."""
    held, measured = found.held
    return f"{held} of the {measured} elites measured in the selection behaved there as their cell says"


def moved_words(asked: DiscoverySettings, one: Found) -> str:
    """The cell of an elite's behaviour in the selection, if it is not its own cell; "" if it is not."""
    cell = one.moved(asked.bins) if asked.aim == "map" else None
    if cell is None:
        return ""
    ranges = (f"{axis} {bin_words(at, asked.bins)}" for axis, at in zip(asked.axes, cell, strict=True))
    return f"elsewhere in the selection: cell {', '.join(ranges)}"


def command(asked: DiscoverySettings, found: Discovery, one: Found) -> str:
    """The command that plays an elite."""
    return play_command(asked, found.side, one.agent)


def play_command(asked: DiscoverySettings, side: str, agent: str) -> str:
    """The command that plays an agent on the first scenario, as a shell takes it."""
    return shlex.join(["battlesim", "play", asked.scenarios[0], "--agent", f"{side}={agent}"])


def gain_words(gain: Share) -> str:
    """How much better an elite is than the player that the search began from."""
    span = f"{gain.value:+.0%} [{gain.low:+.0%}, {gain.high:+.0%}]"
    return f"beside the player that the search began from, on the same games: {span}"


def verdict(value: Share) -> str:
    """Which side of even the whole interval is on."""
    if value.low > 0.5:
        return "better than even"
    return "worse than even" if value.high < 0.5 else "not told from even"


def once_words(asked: DiscoverySettings) -> str:
    """How far it is true that the games of the confirmation were used only once."""
    return f"dice touched once by this search, seed {asked.seed}; another search of the same scenarios wants another --seed"


def met_words(asked: DiscoverySettings, found: Discovery) -> str:
    """Which opponents of the confirmation and its duels the training had, too; "" if none."""
    rival = [found.written[0][0]] if found.written else []
    trained = asked.grounds["training"].opponents
    met = [one for one in dict.fromkeys((*asked.grounds["confirmation"].opponents, *rival)) if one in trained]
    return f"met in the training, too: {'; '.join(met)}" if met else ""


def alone_words(found: Discovery) -> str:
    """Why only one elite was confirmed, if none was above even in the selection; "" otherwise."""
    confirmed = [one for one in found.elites if one.confirmed is not None]
    # The best is played again even if it is not above even; the others then are not.
    if not confirmed or any(one.value.value > 0.5 for one in confirmed):
        return ""
    return "no elite that was not kept out was above even in the selection, so only the best of them was played again"


def no_better_words(found: Discovery) -> str:
    """That nothing was found that is better than the player that the search began from, or shown to be; "" otherwise."""
    begin = next((one for one in found.elites if one.is_begin), None)
    gains = [one.gain for one in found.elites if one.gain is not None]
    if begin is None or any(gain.low > 0 for gain in gains):
        return ""
    if any(gain.value > 0 for gain in gains):
        return "nothing was shown to be better than the player that the search began from"
    return "nothing better than the player that the search began from was found"


def seen_before(asked: DiscoverySettings) -> set[str]:
    """The scenarios on which players were trained or chosen."""
    return {*asked.grounds["training"].scenarios, *asked.grounds["selection"].scenarios}


def confirmation_lines(asked: DiscoverySettings, found: Discovery) -> Iterator[str]:
    """What was confirmed, and by which games."""
    if none := no_better_words(found):
        yield none.capitalize()
    confirmed = [(n, one) for n, one in enumerate(found.elites, 1) if one.confirmed is not None]
    if not confirmed:
        yield "Nothing passed the gates, so nothing was confirmed."
        return
    ground = asked.grounds["confirmation"]
    yield (
        f"Confirmation on {', '.join(ground.scenarios)}, against {'; '.join(ground.opponents)} "
        "[intervals that hold together in 95 of 100 searches]:"
    )
    yield f"  ({once_words(asked)})"
    if met := met_words(asked, found):
        yield f"  ({met})"
    if alone := alone_words(found):
        yield f"  ({alone})"
    if set(ground.scenarios) <= seen_before(asked):
        yield "  (trained on or chosen by these scenarios: how it does elsewhere is not known; --confirm-on would tell)"
    for number, one in confirmed:
        if one.confirmed is not None:
            yield f"  elite {number}: {share(one.confirmed)}, {verdict(one.confirmed)}"
        if one.is_begin:
            yield "     this is the player that the search began from"
        if one.gain is not None:
            yield f"     {gain_words(one.gain)}"
        if one.duel is not None:
            yield f"     against {found.written[0][0]}: {share(one.duel)}, {verdict(one.duel)}"
        for on in one.where:
            duel = "" if on.duel is None else f"; against {found.written[0][0]} {share(on.duel)}"
            yield f"     on {on.scenario} [each alone]: {share(on.confirmed)}{duel}"
