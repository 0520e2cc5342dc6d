"""An atlas in words: its changes, their effects, and all of it line by line. Read `lines`."""

from __future__ import annotations

from collections.abc import Iterable
from math import isfinite

from battlesim.batch.blame import blame_lines
from battlesim.stress.atlas import SEEN, TOP, AtlasDesign, AtlasFound, ChangeFound
from battlesim.stress.atlas_confirm import NONE, Fresh, is_confirmed
from battlesim.stress.atlas_places import Change
from battlesim.viewer.report_words import plural


def change_words(design: AtlasDesign, change: Change) -> str:
    """A change of a place: `door in the west of house.west, floor 0, closed`."""
    place = design.places[change.place]
    by = f" by {design.sides[change.side]} from the start" if change.side >= 0 else ""
    return f"{place.name}, {change.what}{by}"


def effect_words(design: AtlasDesign, one: ChangeFound) -> str:
    """What a change does: `Red won 12 more games of 100 [3, 21], points +1.40 [+0.20, +2.60]; seen in wins`."""
    return f"{amount_words(design, one)}; {seen_words(one)}"


def amount_words(design: AtlasDesign, one: ChangeFound) -> str:
    """The same without whether it is seen."""
    wins, points = one.wins, one.points
    sign = 1 if (wins.change or points.change) >= 0 else -1
    side = design.sides[0 if sign > 0 else 1]
    more = f"{sign * 100 * wins.change:z.0f}"
    said = "as many games" if more == "0" else f"{more} more {'game' if more == '1' else 'games'} of 100"
    low, high = sorted((sign * 100 * wins.low, sign * 100 * wins.high))
    few, many = sorted((sign * points.low, sign * points.high))
    return (
        f"{side} won {said}{between_words(low, high, 'z.0f')}, "
        f"points {sign * points.change:+z.2f}{between_words(few, many, '+z.2f')}"
    )


def between_words(low: float, high: float, form: str) -> str:
    """An interval: ` [3, 21]`, empty if it is endless."""
    return f" [{low:{form}}, {high:{form}}]" if isfinite(low) and isfinite(high) else ""


def lead_words(points: float) -> str:
    """A mean lead in points: `led by 1.25 points`, `trailed by 2.50 points`. The past tense fits any name, plural or not."""
    if abs(points) < 0.005:
        return "had as many points"
    return f"led by {points:.2f} points" if points > 0 else f"trailed by {-points:.2f} points"


def unchanged_words(design: AtlasDesign, found: AtlasFound) -> str:
    """The results of the unchanged scenario: `As it is, Red won 52% and led by 1.25 points`."""
    if not (isfinite(found.wins) and isfinite(found.points)):
        return "No game of the unchanged scenario has a result"
    return f"As it is, {design.sides[0]} won {100 * found.wins:.0f}% and {lead_words(found.points)}"


def seen_words(one: ChangeFound) -> str:
    """Whether an effect is seen, corrected for all changes."""
    if min(one.wins.q, one.points.q) < SEEN:
        which = (
            "wins and points"
            if max(one.wins.q, one.points.q) < SEEN
            else "wins"
            if one.wins.q < SEEN
            else "points"
        )
        return f"seen in {which}"
    if not one.otherwise:
        return "no game came out otherwise"
    if not one.wins.change and not one.points.change:
        return "no difference on average"
    return "may be luck, among so many changes"


def fresh_words(design: AtlasDesign, first: ChangeFound, fresh: Fresh) -> str:
    """What fresh dice say about a change: `on 40 fresh games Red won 9 more games of 100 [2, 16], points +1.10 [+0.30, +1.90];
    confirmed`. Empty if it was not played again."""
    again = fresh.get(first.change)
    if again is None:
        return ""
    verdict = "confirmed" if is_confirmed(first, again) else "not confirmed"
    return f"on {plural(again.games, 'fresh game')} {amount_words(design, again)}; {verdict}"


def confirmed_words(found: AtlasFound, fresh: Fresh) -> str:
    """How many of the first places are confirmed by fresh dice; empty if none was played again."""
    again = [(one.first, fresh[one.first.change]) for one in found.places[:TOP] if one.first.change in fresh]
    if not again:
        return ""
    stand = sum(is_confirmed(*pair) for pair in again)
    return f"{stand} of these {len(again)} are confirmed on fresh dice, which had no part in choosing them"


def seen_of_all_words(design: AtlasDesign, seen: int) -> str:
    """How many of all changes have an effect that is seen; where none has, what helps."""
    if not seen:
        return (
            "No change has an effect that is more than luck among so many; more games of each show smaller effects "
            f"(--games {4 * design.games} shows half as large ones)"
        )
    have = "change has" if seen == 1 else "changes have"
    return f"{seen} {have} an effect that is more than luck among so many (of those shown, one in twenty is luck on average)"


def lines(design: AtlasDesign, found: AtlasFound, fresh: Fresh = NONE) -> Iterable[str]:
    """What was found, line by line. `fresh`: what was found on fresh dice."""
    unchanged = unchanged_words(design, found)
    yield (
        f"{design.scenario}: {plural(len(design.places), 'place')}, {plural(len(design.changes), 'change')}, "
        f"{plural(found.games, 'game')}; {unchanged[0].lower()}{unchanged[1:]}"
    )
    if found.broken:
        yield f"{plural(found.broken, 'game')} broke off, which the figures leave out"
    yield from blame_lines(found.blame)
    seen = sum(min(c.wins.q, c.points.q) < SEEN for place in found.places for c in place.changes)
    yield seen_of_all_words(design, seen)
    yield ""
    yield "The places that matter most:" if seen else "The places that may matter most:"
    for number, one in enumerate(found.places[:TOP], 1):
        yield f"{number:3}. {change_words(design, one.first.change)}"
        yield f"     {effect_words(design, one.first)}"
        if again := fresh_words(design, one.first, fresh):
            yield f"     {again}"
    if stand := confirmed_words(found, fresh):
        yield stand
    told = [row for row in found.foretold if row.q < SEEN] or list(found.foretold[:3])
    if told:
        yield ""
        yield "How well the graph predicts play (rank correlation with the size of the effect on points):"
    for row in told[:TOP]:
        yield (
            f"  {row.group}: {row.measure} {row.rho:+.2f} [{row.low:+.2f}, {row.high:+.2f}] over {row.places} places"
            + ("" if row.q < SEEN else ", may be luck" if row.rho else ", no relation")
        )
    if design.untried:
        yield ""
        many = "1 change was" if len(design.untried) == 1 else f"{len(design.untried)} changes were"
        yield f"{many} not tried{'; the first' if len(design.untried) > 3 else ''}:"
        for missed in design.untried[:3]:
            yield f"  {change_words(design, missed.change)}: {missed.why}"
