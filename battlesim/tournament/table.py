"""A tournament's summary as lines for a terminal. Read `lines`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from battlesim.batch.blame import blame_words
from battlesim.tournament.fair_table import fair_lines
from battlesim.tournament.multiple_testing import ALPHA
from battlesim.tournament.words import Rows, between, chance, elo, percent, table
from battlesim.viewer.report_words import bias_ratio, more_games
from battlesim.viewer.wording import printable

ENDED = {
    "decided": "decided before the last turn",
    "length": "after the last turn",
    "stalled": "stalled (nothing happened in the last two turns)",
    "forfeit": "forfeited",
    "crash": "by a crash",
    "fault": "by a defect of battlesim",
}
"""How games ended, in words."""
SHOWN = 3
"""Differences between agents are listed one by one up to this number."""


def lines(summary: Mapping[str, Any]) -> Iterator[str]:
    """The results of a run: the standings, the pairings if they are few, whether the scenarios were fair, what went wrong."""
    yield from map(printable, _lines(summary))


def _lines(summary: Mapping[str, Any]) -> Iterator[str]:
    games = summary["games"]
    more = "" if games["played"] == games["counted"] else f", {games['counted']} counted"
    part, of = summary["part"]
    share = f" (part {part} of {of})" if of > 1 else ""
    yield f"{summary['name']}{share}: {games['played']} of {games['planned']} games{more}, {summary['state']}"
    if summary["config"].get("format") == "control":
        yield from fair_lines(summary)
        yield ""
        yield from _verdicts(summary)
        for warning in summary["warnings"]:
            yield f"warning: {warning}"
        return
    if summary["sprt"]:
        yield from _sprt(summary["sprt"])
    yield ""
    first = list(_differs(summary["differs"]))
    if first:
        yield from first
        yield ""
    yield from _standing(summary["standings"][0])
    if any(row["rank"] for row in summary["standings"][0]["rows"]):
        yield _scale(summary)
    if len(summary["superiority"]) <= SHOWN:
        yield from map(_better, summary["superiority"])
    if len(summary["scenarios"]) > 1:
        yield ""
        yield from _by_scope(summary["standings"][1:])
    yield ""
    yield from _sides(summary["sides"])
    yield from _verdicts(summary)
    if summary["pairing"]:
        yield saved_words(summary["pairing"])
    cycles = summary["matrix"]["cycles"]
    if cycles:
        a, b, c = cycles[0]
        yield f"not transitive: {a} beats {b} beats {c} beats {a}; best mix: {_mix(summary['matrix']['mix'])}"
    elif (p := summary["matrix"]["fit_p"]) is not None and p < 0.01:
        yield f"one rating per agent does not describe these results (p {chance(p)}): read the win matrix in the report"
    for warning in summary["warnings"]:
        yield f"warning: {warning}"


def _differs(differs: Mapping[str, Any] | None) -> Iterator[str]:
    """If the better agent, or by how much, depends on the scenario: shown before any number over all."""
    if not differs or not differs["shown"]:
        return
    a, b, by = differs["a"], differs["b"], differs["by"]
    yield f"how good an agent is depends on the scenario (p {chance(differs['p'])}): the numbers over all hold for this mix only"
    rows: Rows = [[by, f"{a} against {b}", "95% interval", ""]]
    for part in differs["parts"]:
        who = f"{part['leader']} is better" if part["leader"] else "not told apart"
        rows.append([part["of"], percent(part["share"]), f"{part['low']:.0%} to {part['high']:.0%}", who])
    yield from table(rows, left=(0, 3))


def _standing(standing: Mapping[str, Any]) -> Iterator[str]:
    """The standings as a table, without one where only control games were played: its columns would be empty."""
    rows: Rows = [["#", "agent", "Elo", "95% interval", "games", "won", "drawn", "lost", "share", "margin"]]
    for row in standing["rows"]:
        rows.append(
            [
                str(row["rank"] or "-"),
                row["agent"],
                elo(row),
                between(row),
                str(row["games"]),
                str(row["wins"]),
                str(row["draws"]),
                str(row["losses"]),
                percent(row["score"]),
                _margin(row),
            ]
        )
    if any(row["games"] for row in standing["rows"]):
        yield from table(rows, left=(1,))
    if standing["withheld"]:
        yield f"ratings withheld: {standing['withheld']}"
    for note in standing["notes"]:
        yield f"note: {note}"


def _better(row: Mapping[str, Any]) -> str:
    """Two agents: which is better, by how much, and how certain that is."""
    p = "" if row["p"] is None else f", p {chance(row['p'])}"
    by = "" if row["bound"] else f"{elo(row)} Elo, "
    nelo = "" if row["nelo"] is None or row["bound"] else f"; normalised Elo {row['nelo']:+.0f}"
    if (row["low"] or 0) <= 0:
        if row["elo"] is None:
            return f"{row['a']} and {row['b']}: the games do not limit the difference"
        return f"{row['a']} and {row['b']} are not told apart: {by}95% interval {between(row)}{p}{nelo}"
    if row["p"] is not None and row["p"] > ALPHA:
        words = "are not told apart, since several pairs are compared"
        return f"{row['a']} and {row['b']} {words}: {by}95% interval {between(row)}{p}{nelo}"
    return f"{row['a']} is better than {row['b']}: {by}95% interval {between(row)}{p}{nelo}"


def _margin(row: Mapping[str, Any]) -> str:
    """An agent's mean margin as a share of the points in reach."""
    if row["margin"] is None:
        return "-"
    return f"{row['margin']:+.0%} ±{100 * (row['margin_high'] - row['margin_low']) / 2:.0f}"


def _zero(standing: Mapping[str, Any]) -> str:
    """What has 0 Elo: the baseline, or the mean of the agents whose differences the games limit on both sides."""
    reference = standing["reference"]
    if len(reference) == 1:
        return str(reference[0])
    if reference == sorted(row["agent"] for row in standing["rows"] if row["rank"]):
        return "the mean of the rated"
    return f"the mean of {', '.join(reference)}"


def _scale(summary: Mapping[str, Any]) -> str:
    """What an Elo means on these scenarios."""
    hundred = summary["scale"]["100"]
    means = (
        "+100 is at most a share of 64%, less where games are drawn or a side has the advantage"
        if hundred is None
        else f"+100 is a share of about {hundred:.0%} on these scenarios"
    )
    return (
        f"Elo counts from {_zero(summary['standings'][0])}; {means}. Margin: share of the points in its reach that an agent "
        "took, less its opponents' share of theirs."
    )


def saved_words(pairing: Mapping[str, Any]) -> str:
    """What common dice have saved, or cost. The interval is of the one that is named; below 0 it is of the other. A pair's mean
    varies less if its games disagree, so a correlation below 0 saves games and one above 0 costs some."""
    saves = pairing["saved"] >= 0
    sign = 1 if saves else -1
    low, high = sorted(-sign * pairing[end] for end in ("low", "high"))
    what, other = ("saved", "a cost") if saves else ("cost", "a saving")
    beyond = f"; below 0: {other}" if low < 0 else ""
    return (
        f"common dice {what} about {abs(pairing['saved']):.0%} of the games (interval {low:z.0%} to {high:z.0%}{beyond}): "
        f"the two games of a pair correlate by {pairing['correlation']:+.2f}"
    )


def _by_scope(standings: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """The first agent of each ruleset and scenario, without rulesets of a single scenario: their rows are that scenario's."""
    alone = [one["rows"] for one in standings if one["scope"] == "scenario" and one["rows"]]
    standings = [one for one in standings if one["scope"] == "scenario" or one["rows"] not in alone]
    rows: Rows = [["on", "first", "Elo", "95% interval", "share"]]
    for standing in standings:
        best = standing["rows"][0] if standing["rows"] else None
        if standing["withheld"] or best is None or best["rank"] is None:
            rows.append([standing["of"], "-", "-", "withheld", "-"])
        else:
            rows.append([standing["of"], best["agent"], elo(best), between(best), percent(best["score"])])
    yield from table(rows, left=(0, 1))
    for standing in standings:
        if standing["withheld"]:
            yield f"{standing['of']}: withheld: {standing['withheld']}"


def _sides(sides: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Each scenario's sides; by agent if they differ or the verdict is about one."""
    rows: Rows = [["scenario", "control games", "first side", "its share", "95% interval", "verdict"]]
    for row in sides:
        rows.append([row["scenario"], *_control(row["control"], row["sides"][0]), row["verdict"]])
        if row["kind"] in ("depends", "agent"):
            rows += [
                [f"  {arm['agent']}", *_control(arm, row["sides"][0]), _arm_verdict(arm, row["sides"])]
                for arm in row["agents"]
                if arm["games"]
            ]
    yield from table(rows, left=(0, 2, 5))
    if unknown := [row for row in sides if row["kind"] == "unknown"]:
        plays = "battlesim fair SCENARIO --agent NAME plays them"
        yield f"about {more_games(unknown, 'control games of each agent')}: {plays}"


def _control(games: Mapping[str, Any], first: str) -> list[str]:
    interval = "-" if games["low"] is None else f"{games['low']:.0%} to {games['high']:.0%}"
    return [str(games["games"]), first, percent(games["share"]), interval]


def _arm_verdict(arm: Mapping[str, Any], sides: Sequence[str]) -> str:
    if arm["p"] < ALPHA:
        return f"favours {sides[0 if arm['share'] > 0.5 else 1]}"
    return f"{bias_ratio(arm['unseen'])} could go unseen"


def _verdicts(summary: Mapping[str, Any]) -> Iterator[str]:
    total: dict[str, int] = {}
    for row in summary["verdicts"]:
        for word, games in row.items():
            if word not in ("scenario", "games"):
                total[word] = total.get(word, 0) + games
    yield "games ended: " + (
        ", ".join(f"{games} {ENDED.get(word, word)}" for word, games in total.items() if games) or "none yet"
    )
    if summary["defect"]:
        yield f"a defect of battlesim, please report it: {summary['defect']}"
    for row in summary["blame"]:
        yield blame_words(**row)


def _sprt(test: Mapping[str, Any]) -> Iterator[str]:
    a, b = test["a"], test["b"]
    verdict = {
        "H1": f"{a} is more than {test['elo0']:g} Elo better than {b} (H1: {test['elo1']:g} is likelier than {test['elo0']:g})",
        "H0": f"{a} is less than {test['elo1']:g} Elo better than {b} (H0: {test['elo0']:g} is likelier than {test['elo1']:g})",
        None: f"not decided yet between {test['elo0']:g} and {test['elo1']:g} Elo",
    }[test["decision"]]
    yield f"sequential test: {verdict}"
    yield (
        f"  after {test['pairs']} pairs: log-likelihood ratio {test['llr']:.2f}, bounds {test['lower']:.2f} and "
        f"{test['upper']:.2f}; pairs in which {a} scored 0, 1/2, 1, 3/2, 2: {', '.join(map(str, test['pentanomial']))}"
    )
    if test["decision"] is not None:
        far = "high" if test["decision"] == "H1" else "low"
        yield f"  a test that stops early stops on a streak: the rating below is likely too {far}, and its interval too narrow"


def _mix(mix: Sequence[Mapping[str, Any]]) -> str:
    return ", ".join(f"{part['agent']} {part['weight']:.0%}" for part in mix if part["weight"] > 0.005)
