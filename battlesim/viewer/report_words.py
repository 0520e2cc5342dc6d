"""A tournament's numbers as words: how a number is written, and the four answers that head the report. Read `answers`.

Works on the plain summary of a run, whose lists may be empty and whose numbers may be null; what is not known is said to
be so, never guessed. Nothing here computes a statistic: intervals, verdicts and decisions come with the summary.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from msgspec import Struct

MISSING = "–"
MINUS = "\u2212"
SHOWN = 3
"""Names or scenarios given one by one in an answer; of more the rest is counted."""
FIT = 0.01
"""Below this p-value the ratings' model is said not to describe the field."""

Summary = Mapping[str, Any]


class Answer(Struct, frozen=True):
    """One of the questions a reader comes with. `tone` is good, care or plain."""

    question: str
    answer: str
    details: tuple[str, ...] = ()
    tone: str = "plain"


# ---- how numbers are written ----------------------------------------------------------------------------------------


def number(value: object) -> float | None:
    """A finite number, or None for null, NaN, infinities and what is no number."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return None
    return float(value)


def fixed(value: object, digits: int = 0) -> str:
    """`-12.34` -> `−12`; thousands are parted by commas, and zero has no sign."""
    found = number(value)
    if found is None:
        return MISSING
    text = f"{found:,.{digits}f}"
    if not text.strip("-0.,"):
        text = text.lstrip("-")
    return text.replace("-", MINUS)


def signed(value: object, digits: int = 0) -> str:
    """`85.2` -> `+85`."""
    text = fixed(value, digits)
    return text if text[0] in (MINUS, MISSING) or not text.strip("0.") else f"+{text}"


def percent(value: object, digits: int = 1) -> str:
    """A share of one as percent; `0.625` -> `62.5%`."""
    found = number(value)
    return MISSING if found is None else f"{fixed(100 * found, digits)}%"


def span(low: object, high: object, digits: int = 0) -> str:
    """An interval in brackets; empty where neither end is known."""
    if number(low) is None and number(high) is None:
        return ""
    return f"[{fixed(low, digits)}, {fixed(high, digits)}]"


def likely(value: object) -> str:
    """A likelihood; none is ever written as certain."""
    found = number(value)
    if found is None:
        return MISSING
    if found > 0.999:
        return "over 99.9%"
    return "under 0.1%" if found < 0.001 else percent(found)


def chance(value: object) -> str:
    """A p-value."""
    found = number(value)
    if found is None:
        return MISSING
    return "below 0.001" if found < 0.001 else f"{found:.3f}" if found < 0.1 else f"{found:.2f}"


def plural(value: object, one: str, many: str = "") -> str:
    """`1 game`, `1,200 games`."""
    return f"{fixed(value)} {one if value == 1 else many or one + 's'}"


def names(found: Sequence[str], shown: int = SHOWN) -> str:
    """`a`, `a and b`, `a, b, c and 4 more`."""
    if len(found) > shown + 1:
        return f"{', '.join(found[:shown])} and {len(found) - shown} more"
    return " and ".join(part for part in (", ".join(found[:-1]), found[-1] if found else "") if part)


def duration(value: object) -> str:
    """Seconds as a person says them."""
    found = number(value)
    if found is None or found < 0:
        return MISSING
    if found < 120:
        return f"{found:.3g} s" if found < 10 else f"{found:.0f} s"
    minutes, seconds = divmod(round(found), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours:,} h {minutes:02d} min" if hours else f"{minutes} min {seconds:02d} s"


def moment(value: object) -> str:
    """`2026-11-22T06:00:00Z` -> `22 November 2026, 06:00 UTC`; what is no such time stays as it is."""
    text = "" if value is None else str(value)
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return text
    if found.tzinfo is not None:
        found = found.astimezone(UTC)
    return f"{found.day} {_MONTHS[found.month - 1]} {found.year}, {found:%H:%M}" + (
        " UTC" if found.tzinfo else ""
    )


_MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]  # strftime would say them in the language of the machine


# ---- what is asked of a summary --------------------------------------------------------------------------------------


def total(rows: Iterable[Mapping[str, Any]], field: str) -> int:
    """The sum of a field of counts; what is not known counts as none."""
    return sum(int(number(row.get(field)) or 0) for row in rows)


def overall(summary: Summary) -> Mapping[str, Any]:
    """The overall standings; empty where there are none."""
    for standing in summary.get("standings") or ():
        if standing.get("scope") == "overall":
            found: Mapping[str, Any] = standing
            return found
    return {}


def ranked(standing: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """A standing's rows, the first first; unranked ones come last, as given."""
    rows = list(standing.get("rows") or ())
    return sorted(rows, key=lambda row: (number(row.get("rank")) is None, number(row.get("rank")) or 0.0))


def difference(summary: Summary, a: str, b: str) -> Mapping[str, Any] | None:
    """How far `a` is above `b`, as an entry of `superiority`, turned round where it is listed the other way."""
    for entry in summary.get("superiority") or ():
        if (entry.get("a"), entry.get("b")) == (a, b):
            found: Mapping[str, Any] = entry
            return found
        if (entry.get("a"), entry.get("b")) == (b, a):
            elo, low, high, likelihood = (
                number(entry.get(field)) for field in ("elo", "low", "high", "likelihood")
            )
            return {
                "a": a,
                "b": b,
                "elo": None if elo is None else -elo,
                "low": None if high is None else -high,
                "high": None if low is None else -low,
                "likelihood": None if likelihood is None else 1 - likelihood,
            }
    return None


# ---- the answers ------------------------------------------------------------------------------------------------------


def answers(summary: Summary) -> list[Answer]:
    """Who is better, were the maps fair, how far the run got, and did all games end as games should."""
    return [who(summary), fairness(summary), progress(summary), trouble(summary)]


def who(summary: Summary) -> Answer:
    """Which agent is the best, by how much, and whether that can be told at all."""
    asked = "Who is better?"
    standing = overall(summary)
    rows = ranked(standing)
    counted = number((summary.get("games") or {}).get("counted"))
    if not rows or counted == 0:
        return Answer(asked, "Nothing can be said yet: no game was counted.", tone="care")
    if standing.get("withheld"):
        best = max(rows, key=lambda row: number(row.get("score")) or 0.0)
        scored = (
            f"The highest share of points has {best.get('agent')}, {_scored(best)}; that is not a rating."
        )
        said = f"No rating is given: {_sentence(standing['withheld'])}"
        return Answer(asked, said, (scored,) if len(rows) > 1 else (), "care")
    if len(rows) == 1:
        return Answer(asked, f"{rows[0].get('agent')} played alone, so there is nobody to compare it with.")
    leader, second = rows[0], rows[1]
    gap = difference(summary, str(leader.get("agent")), str(second.get("agent")))
    details = [f"{leader.get('agent')} scored {_scored(leader)}.", *_transitive(summary)]
    if gap is None or number(gap.get("elo")) is None:
        said = f"{leader.get('agent')} has the highest rating, {signed(leader.get('elo'))} Elo"
        said += f" {span(leader.get('low'), leader.get('high'))}".rstrip()
        return Answer(
            asked, f"{said}; its lead over {second.get('agent')} was not measured.", tuple(details), "care"
        )
    if number(gap.get("likelihood")) is not None:
        rather = f"The likelihood that it is really better than {second.get('agent')} is {likely(gap['likelihood'])}."
        details.insert(1, rather)
    low = number(gap.get("low"))
    if low is not None and low > 0:
        one_sided = leader.get("bound") == "at least" or second.get("bound") == "at most"
        by = f"at least {fixed(low)} Elo" if one_sided else _elo(gap)
        if len(rows) == 2:
            said = f"{leader.get('agent')} is better than {second.get('agent')} by {by}."
        else:
            said = f"{leader.get('agent')} is the best of {len(rows)} agents, ahead of {second.get('agent')} by {by}."
        return Answer(asked, said, tuple(details), "good")
    return Answer(asked, _tied(summary, rows, gap), tuple(details), "care")


def _tied(summary: Summary, rows: Sequence[Mapping[str, Any]], gap: Mapping[str, Any]) -> str:
    """The leader's lead is within its interval: over the next, and perhaps over more."""
    leader = str(rows[0].get("agent"))
    others = [str(row.get("agent")) for row in rows[1:]]
    close = [
        other
        for other in others
        if (found := difference(summary, leader, other)) is None or (number(found.get("low")) or 0.0) <= 0
    ]
    if len(rows) == 2:
        return f"{leader} and {others[0]} cannot be told apart: {leader} is ahead by {_elo(gap)}."
    alike = names(close)
    return (
        f"{leader} leads, but cannot be told apart from {alike}: it is ahead of {others[0]} by {_elo(gap)}."
    )


def _transitive(summary: Summary) -> list[str]:
    """A warning where one number an agent does not describe the field."""
    matrix = summary.get("matrix") or {}
    fit, cycles = number(matrix.get("fit_p")), matrix.get("cycles") or ()
    if cycles:
        ring = " beats ".join([*cycles[0], cycles[0][0]])
        more = f", and {len(cycles) - 1} more such rings" if len(cycles) > 1 else ""
        return [f"The field runs in a ring ({ring}{more}): read the win matrix before the ranks."]
    if fit is not None and fit < FIT:
        return [
            f"One rating an agent does not describe these results (p {chance(fit)}): read the win matrix."
        ]
    return []


def fairness(summary: Summary) -> Answer:
    """What the control games, an agent against itself, say of the sides."""
    asked = "Were the maps fair?"
    measured = [side for side in summary.get("sides") or () if side.get("verdict")]
    if not measured:
        return Answer(asked, "That was not measured: there were no control games.", tone="care")
    unfair = [side for side in measured if side["verdict"] != "no bias seen"]
    unfair.sort(key=lambda side: -abs((_share(side) or 0.5) - 0.5))
    fair = len(measured) - len(unfair)
    unseen = [
        max(number(side["control"].get("high")) or 0.5, 1 - (number(side["control"].get("low")) or 0.5))
        for side in measured
        if side not in unfair and isinstance(side.get("control"), Mapping)
    ]
    details = []
    if unseen and max(unseen) > 0.5:
        where = "here" if len(unseen) == 1 else "in one of them"
        details.append(
            f"As few control games as these could miss a bias of up to {_parted(max(unseen))} {where}."
        )
    if not unfair:
        if len(measured) == 1:
            return Answer(
                asked, f"No side bias was seen on {measured[0]['scenario']}.", tuple(details), "good"
            )
        said = f"No side bias was seen on any of the {len(measured)} scenarios."
        return Answer(asked, said, tuple(details), "good")
    if len(unfair) == 1:
        found = f"{unfair[0].get('scenario')}, {_favours(unfair[0])}"
    else:
        found = names([f"{side.get('scenario')} ({_favours(side, short=True)})" for side in unfair])
    if fair == 0:
        said = f"No: {found}." if len(unfair) == 1 else f"No, not one: {found}."
    else:
        said = f"All but {found}."
        details.insert(0, f"No side bias was seen on the other {plural(fair, 'scenario')}.")
    return Answer(asked, said, tuple(details), "care")


def _favours(side: Mapping[str, Any], short: bool = False) -> str:
    """`which favours South 64:36`, or `South 64:36`."""
    share, sides = _share(side), side.get("sides") or ("the first side", "the second side")
    verdict = str(side["verdict"])
    if share is None:
        return verdict
    whose = sides[0] if share >= 0.5 else sides[1]
    far = ", out of bounds" if verdict == "out of bounds" else ""
    return f"{'' if short else 'which favours '}{whose} {_parted(max(share, 1 - share))}{far}"


def _share(side: Mapping[str, Any]) -> float | None:
    return number((side.get("control") or {}).get("share"))


def progress(summary: Summary) -> Answer:
    """How far the run got, and what its sequential test says."""
    asked = "Is the run complete?"
    games = summary.get("games") or {}
    planned, played, counted = (number(games.get(field)) for field in ("planned", "played", "counted"))
    of = f"{fixed(played)} of {plural(planned, 'game')}"
    details = []
    if played is not None and counted is not None and played > counted:
        details.append(
            f"{plural(int(played - counted), 'game')} beyond the stopping point or without a result not counted."
        )
    said = {
        "running": f"Not yet: {of} played, and it goes on.",
        "interrupted": f"No: it was interrupted after {of}, and can be resumed.",
        "decided": f"Yes: its stopping rule ended it after {of}.",
        "finished": f"Yes: all {plural(planned, 'game')} were played.",
    }.get(str(summary.get("state")), f"{of} played.")
    if summary.get("state") == "finished" and played != planned:
        said = f"Yes: {of} were played."
    sprt = summary.get("sprt")
    if sprt:
        details.insert(0, sprt_says(sprt))
    tone = "good" if summary.get("state") in ("decided", "finished") else "care"
    return Answer(asked, said, tuple(details), tone)


def sprt_says(sprt: Mapping[str, Any]) -> str:
    """The sequential test's decision in one sentence."""
    pairs = plural(sprt.get("pairs"), "pair")
    zero, one = fixed(sprt.get("elo0"), 0), fixed(sprt.get("elo1"), 0)
    if sprt.get("decision") == "H1":
        return f"The sequential test chose {one} Elo over {zero} (H1) after {pairs}."
    if sprt.get("decision") == "H0":
        return f"The sequential test chose {zero} Elo over {one} (H0) after {pairs}."
    return f"The sequential test has not chosen between {zero} and {one} Elo after {pairs}."


def trouble(summary: Summary) -> Answer:
    """Games that did not end as games should."""
    asked = "Did anything go wrong?"
    rows = list(summary.get("verdicts") or ())
    games = total(rows, "games")
    counts = [
        (total(rows, "stalled"), "stalled"),
        (total(rows, "forfeit"), "forfeited"),
        (total(rows, "crash"), "ended by a crash of an agent"),
        (total(rows, "fault"), "lost to a fault of the engine"),
    ]
    wrong = [f"{fixed(found)} {what}" for found, what in counts if found]
    details = []
    for row in summary.get("blame") or ():
        parts = [
            plural(row[field], one, many)
            for field, one, many in (
                ("forfeit", "forfeit", ""),
                ("crash", "crash", "crashes"),
                ("faults", "fault in its answers", "faults in its answers"),
            )
            if number(row.get(field))
        ]
        details.append(f"{row.get('agent')}: {', '.join(parts) or 'misbehaved'}.")
    if len(details) > SHOWN:
        details = [*details[:SHOWN], f"{plural(len(details) - SHOWN, 'more agent')} misbehaved."]
    if not games:
        return Answer(asked, "No game has ended yet.", tuple(details))
    if not wrong:
        said = (
            f"No: all {fixed(games)} games ended as games should."
            if games > 1
            else "No: the game ended as it should."
        )
        return Answer(asked, said, tuple(details), "care" if details else "good")
    return Answer(asked, f"Of {plural(games, 'game')}, {names(wrong, 4)}.", tuple(details), "care")


def not_claimed(summary: Summary) -> list[str]:
    """What a reader might conclude from the page, and should not."""
    scenarios, agents = summary.get("scenarios") or (), summary.get("agents") or ()
    said = [
        "Ratings hold for these agents with these settings, on these scenarios, in this code version. They do not carry over to "
        "other maps, forces or opponents, and an Elo here is not an Elo elsewhere.",
        "Intervals (95%) cover the luck of the dice. They do not cover the choice of scenarios: other scenarios could rank the agents otherwise.",
    ]
    if len(scenarios) == 1:
        said[1] = (
            "Intervals (95%) cover the luck of the dice. One scenario says nothing of others, which could rank the agents otherwise."
        )
    if len(agents) > 2 or len(scenarios) > 5:
        said.append(
            "Many intervals stand on this page. About one in twenty misses its true value by chance alone, so a single "
            "surprising one is a reason to play more games, not a finding."
        )
    if summary.get("state") == "decided" or summary.get("sprt"):
        said.append(
            "A run that stops when its test is decided stops on a lucky streak more often than not: the test's error rates hold, but "
            "the rating of such a run leans outward."
        )
    if summary.get("state") in ("running", "interrupted"):
        said.append("The run is not complete: these are the numbers so far, and looking often is not a test.")
    said.append(
        "“No bias seen” means that the control games did not show one; a smaller bias may be there. Ratings allow for the bias that was estimated."
    )
    return said


# ---- small words ------------------------------------------------------------------------------------------------------


def _elo(gap: Mapping[str, Any]) -> str:
    return f"{fixed(gap.get('elo'))} Elo {span(gap.get('low'), gap.get('high'))}".rstrip()


def _scored(row: Mapping[str, Any]) -> str:
    of = f"{percent(row.get('score'))} of {plural(row.get('games'), 'game')}"
    wins, draws, losses = (fixed(row.get(field)) for field in ("wins", "draws", "losses"))
    return f"{of} ({wins} won, {draws} drawn, {losses} lost)"


def _parted(share: float) -> str:
    first = round(100 * share)
    return f"{first}:{100 - first}"


def _sentence(text: object) -> str:
    said = str(text).strip()
    return said if said.endswith((".", "!", "?")) else f"{said}."
