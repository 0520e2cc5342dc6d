"""The four findings at the head of a tournament's report, in plain words. Read `answers`.

It works on the plain summary of a run, whose lists may be empty and whose numbers may be null; unknown values are reported as
unknown, never guessed. Nothing here computes a statistic: intervals, verdicts and decisions come from the summary.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from battlesim.viewer.report_better import who
from battlesim.viewer.report_fairness import fairness
from battlesim.viewer.report_words import (
    SHOWN,
    KeyFinding,
    Summary,
    fixed,
    names,
    number,
    plural,
    total,
)


def answers(summary: Summary) -> list[KeyFinding]:
    """The findings: which agent is better, whether the scenarios were fair, how much was played, whether all games ended
    normally."""
    if (summary.get("config") or {}).get("format") == "control":
        return [fairness(summary), progress(summary), trouble(summary)]  # no two agents met
    return [who(summary), fairness(summary), progress(summary), trouble(summary)]


def progress(summary: Summary) -> KeyFinding:
    """How much of the run was played, and the state of its sequential test."""
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
                "A test that stops early stops on a streak: the rating beside it is likely too "
                f"{'high' if sprt['decision'] == 'H1' else 'low'}, and its interval too narrow.",
            )
    tone = "good" if summary.get("state") in ("decided", "finished") else "care"
    return KeyFinding(asked, said, tuple(details), tone)


def sprt_says(sprt: Mapping[str, Any]) -> str:
    """The decision of the sequential test in one sentence."""
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


def trouble(summary: Summary) -> KeyFinding:
    """Games without a normal end: stalled, forfeited, crashed or broken off."""
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
        return KeyFinding(asked, "No game has ended yet.", tuple(details))
    if not wrong:
        said = (
            f"No: all {fixed(games)} games ended as games should."
            if games > 1
            else "No: the game ended as it should."
        )
        return KeyFinding(asked, said, tuple(details), "care" if details else "good")
    return KeyFinding(asked, f"Of {plural(games, 'game')}, {names(wrong, 4)}.", tuple(details), "care")


def not_claimed(summary: Summary) -> list[str]:
    """Warnings against wrong conclusions from the page."""
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
        "A small p says that a difference is there, not that it is large; a large p does not say that there is none.",
    ]
    if len(agents) > 2 or len(scenarios) > 5:
        said.append(
            "Many intervals stand on this page, each at 95% by itself: about one in twenty misses its true value by chance "
            "alone. The p of differences between agents and the verdicts on sides are corrected for that."
        )
    if summary.get("state") == "decided" or summary.get("sprt"):
        said.append(
            "A run that stops when its test is decided stops on a streak: the test's error rates hold, but the rating is too "
            "high after H1 and too low after H0, and its 95% interval holds the truth in 89% to 93% of runs. For the size of "
            "a difference play a fixed number of games."
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
