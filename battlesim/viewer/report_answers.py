"""The four answers that head a tournament's report, in plain words. Read `answers`.

Works on the plain summary of a run, whose lists may be empty and whose numbers may be null; what is not known is said to
be so, never guessed. Nothing here computes a statistic: intervals, verdicts and decisions come with the summary.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from battlesim.viewer.report_fairness import fairness
from battlesim.viewer.report_words import (
    SHOWN,
    Answer,
    Summary,
    chance,
    difference,
    fixed,
    likely,
    names,
    number,
    overall,
    percent,
    plural,
    ranked,
    signed,
    span,
    total,
)

FIT = 0.01
"""Below this p-value the ratings' model is said not to describe the field."""


def answers(summary: Summary) -> list[Answer]:
    """Who is better, were the maps fair, how far the run got, and did all games end as games should."""
    if (summary.get("config") or {}).get("format") == "control":
        return [fairness(summary), progress(summary), trouble(summary)]  # nobody met another
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
    rows = [row for row in rows if number(row.get("elo")) is not None]
    if len(rows) < 2:
        whose = f"Only {rows[0].get('agent')} has a rating" if rows else "Nobody has a rating"
        return Answer(asked, f"{whose}, so there is nobody to compare it with.", tone="care")
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
        ends = (gap.get("bound"), leader.get("bound"))
        one_sided = "at least" in ends or second.get("bound") == "at most" or number(gap.get("high")) is None
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


def progress(summary: Summary) -> Answer:
    """How far the run got, and what its sequential test says."""
    asked = "Is the run complete?"
    games = summary.get("games") or {}
    planned, played, counted = (number(games.get(field)) for field in ("planned", "played", "counted"))
    of = f"{fixed(played)} of {plural(planned, 'game')}"
    details = []
    if played is not None and counted is not None and played > counted:
        left_out = int(played - counted)
        were = "was" if left_out == 1 else "were"
        details.append(
            f"{plural(left_out, 'game')} {were} not counted: past the stopping point, or without a result."
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
        if sprt.get("decision"):
            details.insert(
                1,
                "A test stops on a lucky streak more often than not: the rating beside it is likely too large.",
            )
    tone = "good" if summary.get("state") in ("decided", "finished") else "care"
    return Answer(asked, said, tuple(details), tone)


def sprt_says(sprt: Mapping[str, Any]) -> str:
    """The sequential test's decision in one sentence."""
    pairs = plural(sprt.get("pairs"), "pair")
    ends = [number(sprt.get(field)) for field in ("elo0", "elo1")]
    zero, one = (fixed(elo, 0 if elo is None or elo == int(elo) else 1) for elo in ends)
    test = "The sequential test"
    if sprt.get("a") and sprt.get("b"):
        test += f" of {sprt['a']} against {sprt['b']}"
    if sprt.get("decision") == "H1":
        return f"{test} found {one} Elo likelier than {zero} (H1) after {pairs}."
    if sprt.get("decision") == "H0":
        return f"{test} found {zero} Elo likelier than {one} (H0) after {pairs}."
    return f"{test} has not chosen between {zero} and {one} Elo after {pairs}."


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
    others = (
        "One scenario says nothing of others"
        if len(scenarios) == 1
        else "They do not cover the choice of scenarios"
    )
    said = [
        "Ratings hold for these agents with these settings, on these scenarios, in this code version. They do not carry over "
        "to other maps, forces or opponents, and an Elo here is not an Elo elsewhere.",
        f"Intervals (95%) cover the luck of the dice. {others}: others could rank the agents otherwise.",
    ]
    if len(agents) > 2 or len(scenarios) > 5:
        said.append(
            "Many intervals stand on this page. About one in twenty misses its true value by chance alone, so a single "
            "surprising one is a reason to play more games, not a finding."
        )
    if summary.get("state") == "decided" or summary.get("sprt"):
        said.append(
            "A run that stops when its test is decided tends to stop on a lucky streak: the test's error rates hold, but "
            "the rating of such a run leans outward."
        )
    if summary.get("state") in ("running", "interrupted"):
        said.append("The run is not complete: these are the numbers so far, and looking often is not a test.")
    if summary.get("sides"):
        said.append(
            "A fair scenario is one on which a bias above the stated bound is ruled out for these agents, each interval at 95%; "
            "a smaller bias may be there. The chance that any bias on this page is a false alarm is 5% at most "
            "(Holm). Ratings allow for one side advantage a scenario, the same for all agents."
        )
    return said


# ---- small words ------------------------------------------------------------------------------------------------------


def _elo(gap: Mapping[str, Any]) -> str:
    return f"{fixed(gap.get('elo'))} Elo {span(gap.get('low'), gap.get('high'))}".rstrip()


def _scored(row: Mapping[str, Any]) -> str:
    of = f"{percent(row.get('score'))} of {plural(row.get('games'), 'game')}"
    wins, draws, losses = (fixed(row.get(field)) for field in ("wins", "draws", "losses"))
    return f"{of} ({wins} won, {draws} drawn, {losses} lost)"


def _sentence(text: object) -> str:
    said = str(text).strip()
    return said if said.endswith((".", "!", "?")) else f"{said}."
