"""What the report says of a run, and where its charts' lines lie."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from typing import Any

from battlesim.viewer import report_charts as charts
from battlesim.viewer import report_words as words
from battlesim.viewer.report import render
from battlesim.viewer.report_answers import fairness, progress, trouble, who
from tests.viewer.summary_sample import EMPTY, sample
from tests.viewer.test_report import Page, checked

# ---- what it says ----------------------------------------------------------------------------------------------------


def duel(**gap: Any) -> dict[str, Any]:
    row = {"elo": 0, "low": 0, "high": 0, "bound": "", "games": 400, "draws": 20, "margin": 1}
    first = {**row, "rank": 1, "agent": "greedy", "wins": 240, "losses": 140, "score": 0.625}
    second = {**row, "rank": 2, "agent": "rush", "wins": 140, "losses": 240, "score": 0.375}
    standing = {"scope": "overall", "of": "", "withheld": "", "notes": [], "rows": [second, first]}
    return {
        **EMPTY,
        "games": {"counted": 400},
        "standings": [standing],
        "superiority": [{"a": "greedy", "b": "rush", **gap}],
    }


def test_better_by_so_much() -> None:
    said = who(duel(elo=85.2, low=60.1, high=110.3, p=0.00002))
    assert said.answer == "greedy is better than rush by 85 Elo [60, 110]."
    assert said.details[0] == "greedy scored 62.5% of 400 games (240 won, 20 drawn, 140 lost)."
    assert (
        said.details[1] == "Were they equal, a lead as large as this would come by luck with p below 0.001."
    )


def test_listed_the_other_way_round_is_turned() -> None:
    turned = duel(a="rush", b="greedy", elo=-85.2, low=-110.3, high=-60.1, p=0.00002)
    assert who(turned) == who(duel(elo=85.2, low=60.1, high=110.3, p=0.00002))


def test_cycles_come_before_any_winner() -> None:
    summary = duel(elo=85.2, low=60.1, high=110.3, p=0.00002)
    cycle = ["a", "b", "c"]
    for cycles, more in (
        ([cycle], ""),
        ([cycle] * 2, ", and there is 1 more such cycle"),
        ([cycle] * 3, ", and there are 2 more such cycles"),
    ):
        said = who({**summary, "matrix": {"cycles": cycles}}).answer
        assert said == (
            f"That depends on the opponent: a beats b beats c beats a{more}. Read the win matrix before the ranks."
        )


def test_interval_across_zero_claims_no_winner() -> None:
    said = who(duel(elo=12.4, low=-8.0, high=31.2, p=0.24))
    assert said.answer == "greedy and rush cannot be told apart: greedy is ahead by 12 Elo [−8, 31]."
    assert said.tone == "care"
    assert "cannot be told apart" in who(duel(elo=12.4, low=0.0, high=31.2)).answer


def test_a_lead_that_may_be_luck_among_several_pairs_claims_no_winner() -> None:
    summary = duel(elo=85.2, low=10.1, high=160.3, p=0.09)
    assert who(summary).answer.startswith("greedy and rush cannot be told apart: greedy is ahead by 85 Elo")


def test_one_sided_lead_gives_its_sure_end_only() -> None:
    summary = duel(elo=800, low=310.4, high=1290, p=0.0)
    summary["standings"][0]["rows"][1]["bound"] = "at least"
    assert who(summary).answer == "greedy is better than rush by at least 310 Elo."


def test_open_ended_difference_gives_the_end_it_has() -> None:
    summary = duel(elo=800, low=310.4, high=None, bound="at least")
    assert who(summary).answer == "greedy is better than rush by at least 310 Elo."
    turned = duel(a="rush", b="greedy", elo=-800, low=None, high=-310.4, bound="at most")
    assert who(turned) == who(summary)


def test_open_ended_difference_shows_no_size_of_its_own() -> None:
    summary = sample(3, 3)
    summary["superiority"][0].update(elo=777, low=310.4, high=None, bound="at least")
    text = checked(summary).text
    assert "at least +310" in text
    assert "777" not in text
    assert "[310" not in text


def test_agent_without_a_rating_is_not_compared() -> None:
    summary = duel(elo=85.2, low=60.1, high=110.3)
    broken = {
        "rank": None,
        "agent": "broken",
        "elo": None,
        "low": None,
        "high": None,
        "bound": "",
        "games": 40,
    }
    summary["standings"][0]["rows"].append(broken)
    assert who(summary).answer == "greedy is better than rush by 85 Elo [60, 110]."
    summary["standings"][0]["rows"] = [summary["standings"][0]["rows"][1], broken]
    assert who(summary).answer == "Only greedy has a rating, so there is nobody to compare it with."


def test_size_of_an_open_end_stretches_no_axis() -> None:
    rows = [
        {"elo": 900, "low": 100, "high": None, "bound": "at least"},
        {"elo": -100, "low": -120, "high": -80},
    ]
    assert [tick.label for tick in charts.forest(rows).ticks] == ["−120", "0", "100"]


def test_agents_without_weight_are_not_in_the_mix() -> None:
    summary = sample(3, 3)
    summary["matrix"]["mix"] = [
        {"agent": name, "weight": weight} for name, weight in (("greedy", 1.0), ("rush", 0.0))
    ]
    assert re.search("knows it is greedy alone", Page(render(summary)).text)
    summary["matrix"]["mix"] = []
    assert "safest choice" not in Page(render(summary)).text


def test_warnings_of_the_run_are_told() -> None:
    assert (
        "made by another code version"
        in checked({**sample(), "warnings": ["made by another code version"]}).text
    )


def test_withheld_rating_is_no_rating() -> None:
    summary = duel(elo=85.2, low=60.1, high=110.3)
    summary["standings"][0]["withheld"] = "31% of the games stalled"
    assert who(summary).answer == "No rating is given: 31% of the games stalled."
    assert "is not a rating" in who(summary).details[0]
    assert "85" not in Page(render(summary)).text


def test_leaders_who_cannot_be_told_apart_are_named() -> None:
    said = who(sample()).answer
    assert said.startswith("greedy leads, but cannot be told apart from planner: it is ahead of planner by ")


def test_map_that_favours_a_side_is_named_with_its_share() -> None:
    summary = sample()
    assert fairness(summary).answer == "Not all: crossroads favours Attacker 64:36."
    assert "A bias above 60:40 is ruled out for every agent on skirmish" in fairness(summary).details[1]
    summary["sides"][0].update(kind="out of bounds", verdict="out of bounds")
    summary["sides"][0]["control"]["share"] = 0.86
    said = fairness(summary).answer
    assert (
        said == "Not all: skirmish favours South 86:14, whoever plays and crossroads favours Attacker 64:36."
    )


def test_fair_is_said_only_where_a_bias_is_ruled_out() -> None:
    summary = sample()
    summary["sides"] = summary["sides"][2:]
    assert (
        fairness(summary).answer == "Yes: a bias above 60:40 is ruled out for every agent on all 3 scenarios."
    )
    assert fairness(summary).tone == "good"
    summary["sides"][0].update(kind="unknown", unseen=0.713, verdict="too few games")
    said = fairness(summary)
    assert said.answer == "Not settled: no bias was shown, but one of 72:28 could have gone unseen."
    assert said.tone == "care"
    assert any("About 196 control games" in detail for detail in said.details)
    summary["sides"][0].update(
        kind="unmeasured", control={"games": 0, "wins": [0, 0], "draws": 0, "share": None}
    )
    assert fairness(summary).answer == "Not settled: no bias was shown on those that were measured."
    assert "not measured" in fairness({"sides": summary["sides"][:1]}).answer
    assert "not measured" in fairness(EMPTY).answer


def test_opposite_biases_are_told_by_agent() -> None:
    summary = sample(2, 1)
    side = summary["sides"][0]
    side.update(kind="depends", verdict="depends on the agent")
    side["agents"] = [
        {"agent": "greedy", "games": 30, "wins": [21, 9], "draws": 0, "share": 0.7},
        {"agent": "rush", "games": 30, "wins": [9, 21], "draws": 0, "share": 0.3},
    ]
    said = fairness(summary)
    assert said.answer == "No: skirmish favours one side or the other, depending on the agent."
    assert said.details[0] == (
        "On skirmish an agent that meets itself wins: greedy 70% as South (30 games) and rush 70% as North (30 games)."
    )


def test_state_of_the_run_is_told() -> None:
    assert progress(sample()).answer == "Yes: all 3,500 games were played."
    assert (
        progress(sample(3, 3, 20, "interrupted")).answer
        == "No: it was interrupted after 407 of 660 games, and can be resumed."
    )
    decided = progress(sample(2, 1, 200, "decided"))
    assert decided.answer == "Yes: its stopping rule ended it after 308 of 500 games."
    assert decided.details[0] == "The sequential test found 10 Elo likelier than 0 (H1) after 120 pairs."


def test_trouble_is_counted_and_blamed() -> None:
    assert trouble(sample()).answer == "No: all 3,500 games ended as games should."
    said = trouble(sample(10, 2, 20))
    assert said.answer.endswith("6 stalled, 2 forfeited and 2 ended by a crash of an agent.")
    assert said.details == ("broken: 3 forfeits, 1 crash, 30 faults in its answers.",)


def test_numbers_are_written_one_way() -> None:
    assert [words.fixed(v) for v in (-0.2, 1234.5, -12.6, None, float("inf"), True)] == [
        "0",
        "1,234",
        "−13",
        "–",
        "–",
        "–",
    ]
    assert [words.signed(v) for v in (85.2, -0.4, 0, -3, None)] == ["+85", "0", "0", "−3", "–"]
    assert [words.duration(v) for v in (0.12, 75, 321.5, 7500)] == [
        "0.12 s",
        "75 s",
        "5 min 22 s",
        "2 h 05 min",
    ]
    assert words.moment("2026-11-22T06:00:00Z") == "22 November 2026, 06:00 UTC"
    assert words.moment("soon") == "soon"
    assert words.names(["a", "b", "c", "d"]) == "a, b, c and d"
    assert words.names(["a", "b", "c", "d", "e"]) == "a, b, c and 2 more"


# ---- charts ----------------------------------------------------------------------------------------------------------


def test_intervals_lie_on_their_axis() -> None:
    rows = [{"elo": 50, "low": 0, "high": 100}, {"elo": -100, "low": -100, "high": -100}, {"elo": None}]
    found = charts.forest(rows)
    assert [tick.label for tick in found.ticks] == ["−100", "0", "100"]
    assert (found.zero, found.rows[0].dot, found.rows[1].dot) == ("100", "147", "6")
    assert found.rows[0].line == "M100 5v8M100 9H194M194 5v8"
    assert found.rows[2] == charts.Whisker()
    bound = charts.forest([{"elo": 50, "low": 0, "high": 100, "bound": "at least"}]).rows[0]
    assert not bound.dot
    assert bound.line.startswith("M6 5v8m0 -4H198")


def test_histogram_counts_every_game_and_gap() -> None:
    found = charts.histogram([[4, 10], [6, 30]], 6)
    assert found is not None
    assert found.path.count("M") == 2
    assert [tick.label for tick in found.labels] == ["4", "5", "6"]
    assert found.middle == found.labels[2].at
    assert charts.histogram([], None) is None
    wide = charts.histogram([[turn, 1] for turn in range(1, 1001)], 500)
    assert wide is not None
    assert wide.path.count("M") <= charts.BARS


def test_stacked_parts_fill_the_bar() -> None:
    parts = charts.stack([1, 0, None, 3], 200)
    assert [(part.kind, part.at, part.width) for part in parts] == [(0, "0", "50"), (3, "50", "150")]
    assert charts.stack([0, None]) == []


def test_labels_of_lines_keep_apart() -> None:
    chart = charts.ratings(sample(4)["progress"], False)
    assert chart is not None
    places = [float(line.label_y) for line in chart.lines]
    assert all(after - before >= 14.9 for before, after in pairwise(places))
    assert all(chart.top <= place <= chart.bottom for place in places)


def test_rating_without_its_interval_is_not_drawn_where_others_have_one() -> None:
    points = [
        {"games": n, "ratings": [{"agent": "a", "elo": 10, "low": 0, "high": 20}]} for n in (20, 30, 40)
    ]
    points.insert(0, {"games": 10, "ratings": [{"agent": "a", "elo": 900, "low": 300, "high": None}]})
    chart = charts.ratings(points, False)
    assert chart is not None
    assert chart.lines[0].line.count("L") == 2
    assert float(chart.lines[0].line[1:].split()[0]) > chart.left


def test_a_rating_without_a_limit_and_that_of_a_baseline_have_no_line() -> None:
    """The value of the first comes from the prior alone, that of the other is always 0."""
    lost = {"agent": "lost", "elo": -900, "low": None, "high": -300}
    base = {"agent": "base", "elo": 0, "low": 0, "high": 0}
    points = [
        {"games": n, "ratings": [base, {"agent": "a", "elo": -10, "low": -20, "high": 0}, lost]}
        for n in (20, 30, 40)
    ]
    chart = charts.ratings(points, False)
    assert chart is not None
    assert [(line.agent, line.value) for line in chart.lines] == [("a", -10)]
    assert charts.ratings([{"games": n, "ratings": [base, lost]} for n in (20, 30)], False) is None


def test_names_of_variants_stay_apart_when_shortened() -> None:
    summary = sample(3, 3)
    text = (
        json.dumps(summary)
        .replace('"greedy"', '"greedy,exposure=0.8"')
        .replace('"rush"', '"greedy,exposure=0.9"')
    )
    shown = re.findall(r"<text[^>]*>([^<]*)<title>", render(json.loads(text)))
    assert sorted(shown) == ["greedy,e…ure=0.8", "greedy,e…ure=0.9", "planner"]


def test_long_lines_are_thinned_to_their_ends() -> None:
    found = charts.thinned(list(range(10_000)))
    assert (len(found), found[0], found[-1]) == (charts.POINTS, 0, 9999)
