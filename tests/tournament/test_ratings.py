"""Ratings: pairs as the unit, the prior, invariances, the fit of the model, and what must be withheld."""

from __future__ import annotations

import itertools
import math

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from battlesim.core.errors import InputError
from battlesim.tournament.ratings import Rating, Ratings, fit
from battlesim.tournament.shares import elo
from battlesim.tournament.tally import Tally
from tests.tournament.simulated import FIELD, SIDES, field


def numbers(found: Ratings) -> dict[str, tuple[float | None, ...]]:
    rows: dict[str, tuple[float | None, ...]] = {r.agent: (r.elo, r.low, r.high) for r in found.ratings}
    rows.update({s.scenario: (s.elo, s.low, s.high, s.nu, s.share) for s in found.sides})
    names = sorted(r.agent for r in found.ratings)
    for a, b in itertools.combinations(names, 2):
        row = found.difference(a, b)
        rows[f"{a} - {b}"] = (row.elo, row.low, row.high, row.superiority)
    for name in ("transitivity", "consistency"):
        rows[name] = (getattr(found, name).chi2, getattr(found, name).p)
    return rows


def same(one: Ratings, two: Ratings, within: float = 1e-6) -> None:
    left, right = numbers(one), numbers(two)
    assert left.keys() == right.keys()
    for name, row in left.items():
        assert row == pytest.approx(right[name], abs=within), name


# The pair as the unit


def test_pairs_whose_games_agree_widen_the_interval_and_pairs_that_cancel_narrow_it() -> None:
    widths = []
    for together, apart in ((40, 0), (20, 20), (2, 38)):
        tally = Tally()
        for first, second, times in ((2, 2, together), (0, 0, together), (2, 0, apart), (0, 2, apart)):
            tally.pair("farm", "ann", "bob", first, second, times)
        row = fit(tally, ["ann", "bob"]).difference("ann", "bob")
        assert row.elo == pytest.approx(0, abs=1e-9)
        assert row.high is not None
        widths.append(row.high)
    # All games agree: 80 clusters of two equal games, so twice the variance of independent ones.
    assert widths[0] / widths[1] == pytest.approx(math.sqrt(2), rel=0.02)
    assert widths[2] < widths[1] / 3


def test_a_few_equal_pairs_claim_no_certainty() -> None:
    tally = Tally()
    tally.pair("farm", "ann", "bob", 2, 0, 2)
    tally.pair("farm", "ann", "bob", 0, 2, 2)
    row = fit(tally, ["ann", "bob"]).difference("ann", "bob")
    assert row.high is not None
    assert row.high > 100


# The prior


def test_the_prior_hardly_moves_what_was_measured() -> None:
    with_it, without = fit(field(), sorted(FIELD)), fit(field(), sorted(FIELD), prior_elo=1e6)
    for row, free in zip(with_it.ratings, without.ratings, strict=True):
        assert row.elo is not None
        assert free.elo is not None
        assert row.low is not None
        assert abs(row.elo - free.elo) < (row.elo - row.low) / 50


def test_a_score_of_all_is_at_least_and_its_limit_is_what_the_pairs_prove() -> None:
    tally = Tally()
    tally.pair("farm", "ann", "bob", 2, 2, times=100)
    found = fit(tally, ["ann", "bob"])
    row = found.difference("ann", "bob")
    assert (row.kind, row.high) == ("at least", None)
    assert found.difference("bob", "ann").kind == "at most"
    assert [r.kind for r in found.ratings] == ["at least", "at most"]
    # Counted as one game each and the sides unknown, 50 wins on each: 100 * log(p) = log(0.025) at equal sides.
    assert row.low == pytest.approx(elo(0.025 ** (1 / 100)), rel=0.02)
    assert row.elo is not None
    assert row.elo > row.low
    assert row.superiority is not None
    assert row.superiority > 0.9999


def test_more_wins_prove_more() -> None:
    lows = []
    for times in (1, 4, 16, 64):
        tally = Tally()
        tally.pair("farm", "ann", "bob", 2, 2, times=times)
        lows.append(fit(tally, ["ann", "bob"]).difference("ann", "bob").low)
    assert None not in lows
    assert lows == sorted(lows)
    assert lows[0] < 0 < lows[2]


def test_a_hopeless_agent_does_not_spoil_the_ratings_of_the_others() -> None:
    tally = field()
    alone = fit(tally, sorted(FIELD))
    for name in FIELD:
        for scenario in SIDES:
            tally.pair(scenario, name, "zed", 2, 2, times=30)
    found = fit(tally, [*sorted(FIELD), "zed"])
    assert found.reference == tuple(sorted(FIELD))
    assert found.rating("zed").kind == "at most"
    assert found.standings()[-1].agent == "zed"
    for name in FIELD:
        assert found.rating(name).kind == "measured"
        assert found.rating(name).elo == pytest.approx(alone.rating(name).elo, abs=2)
        assert found.difference(name, "zed").kind == "at least"
    assert found.transitivity.p == pytest.approx(alone.transitivity.p)


# Invariances


def test_order_of_agents_of_pairings_and_of_arrival_changes_nothing() -> None:
    tally = field()
    turned = Tally()
    for (scenario, a, b), cells in reversed(tally.pairs.items()):
        for (first, second), count in zip(itertools.product(range(3), repeat=2), cells, strict=True):
            turned.pair(scenario, b, a, 2 - second, 2 - first, times=count)
    for (scenario, agent), (wins, draws, losses) in reversed(tally.controls.items()):
        for winner, times in ((1, losses), (None, draws), (0, wins)):
            turned.control(scenario, agent, winner, times)
    one, two = fit(tally, sorted(FIELD)), fit(turned, sorted(FIELD, reverse=True))
    assert numbers(one) == numbers(two)
    assert [r.agent for r in two.ratings] == sorted(FIELD, reverse=True)


def test_names_do_not_matter() -> None:
    called = {"ann": "zed", "bob": "amy", "cid": "mel", "dot": "kim", "farm": "oast", "mill": "barn"}
    tally = field()
    other = Tally(
        pairs={(called[s], called[a], called[b]): cells for (s, a, b), cells in tally.pairs.items()},
        controls={(called[s], called[a]): counts for (s, a), counts in tally.controls.items()},
    )
    one, two = fit(tally, sorted(FIELD)), fit(other, [called[name] for name in sorted(FIELD)])
    back = numbers(two)
    for name, row in numbers(one).items():
        if name in called:
            assert row == pytest.approx(back[called[name]], abs=1e-6)
    assert one.transitivity.p == pytest.approx(two.transitivity.p)


def test_the_sides_named_the_other_way_turn_the_side_advantage_around() -> None:
    tally, mirrored = field(), Tally()
    for (scenario, a, b), cells in tally.pairs.items():
        for (first, second), count in zip(itertools.product(range(3), repeat=2), cells, strict=True):
            mirrored.pair(scenario, a, b, second, first, times=count)
    for (scenario, agent), (wins, draws, losses) in tally.controls.items():
        mirrored.controls[scenario, agent] = [losses, draws, wins]
    one, two = fit(tally, sorted(FIELD)), fit(mirrored, sorted(FIELD))
    assert [r.elo for r in one.ratings] == pytest.approx([r.elo for r in two.ratings])
    assert [s.elo for s in one.sides] == pytest.approx([-s.elo for s in two.sides if s.elo is not None])


def test_a_baseline_shifts_every_rating_by_the_same() -> None:
    mean, base = fit(field(), sorted(FIELD)), fit(field(), sorted(FIELD), baseline="cid")
    assert base.reference == ("cid",)
    assert base.rating("cid") == Rating("cid", "measured", 0.0, 0.0, 0.0, 600, mean.rating("cid").share)
    for name in FIELD:
        row = base.difference(name, "cid") if name != "cid" else None
        assert row is None or base.rating(name).elo == pytest.approx(row.elo)
        assert row is None or base.rating(name).high == pytest.approx(row.high)


def test_agents_left_out_take_their_games_with_them() -> None:
    few = fit(field(), ["ann", "bob"])
    assert few.rating("ann").games == 200
    same(few, fit(field().restricted(agents=["ann", "bob"]), ["bob", "ann"]))


# Fit of the model


def test_a_field_that_is_not_transitive_is_told_so_and_one_that_is_is_not() -> None:
    assert fit(field(), sorted(FIELD)).transitivity.p > 0.01
    tally = Tally()
    for a, b in ("rp", "ps", "sr"):
        tally.pair("farm", a, b, 0, 0, times=30)
        tally.pair("farm", a, b, 2, 2, times=10)
        tally.pair("farm", a, b, 2, 0, times=20)
    found = fit(tally, list("rps"))
    assert [r.elo for r in found.ratings] == pytest.approx([0, 0, 0], abs=1e-9)
    assert found.transitivity.df == 1
    assert found.transitivity.p is not None
    assert found.transitivity.p < 1e-3


def test_strength_that_depends_on_the_scenario_is_a_matter_of_consistency() -> None:
    tally = Tally()
    for scenario, better in (("farm", 2), ("mill", 0)):
        tally.pair(scenario, "ann", "bob", better, better, times=30)
        tally.pair(scenario, "ann", "bob", 2 - better, 2 - better, times=10)
    found = fit(tally, ["ann", "bob"])
    assert found.transitivity.p is None
    assert found.transitivity.reason
    assert (found.consistency.df, found.consistency.p < 1e-3) == (1, True)


# What the games cannot tell


@pytest.mark.parametrize(("first", "second"), [(1, 1), (2, 0), (0, 2)])
def test_all_drawn_or_all_won_by_one_side_tells_nothing_of_strength(first: int, second: int) -> None:
    tally = Tally()
    tally.pair("farm", "ann", "bob", first, second, times=50)
    found = fit(tally, ["ann", "bob"])
    assert [r.kind for r in found.ratings] == ["withheld", "withheld"]
    assert all(r.reason and r.elo is None and r.share == 0.5 for r in found.ratings)
    assert (
        found.side("farm").kind == {(1, 1): "withheld", (2, 0): "at least", (0, 2): "at most"}[first, second]
    )
    # Fair control games bound the side advantage; then a pair that was split is a pair that was even.
    if first != second:
        for winner in (0, 1):
            tally.control("farm", "ann", winner, 50)
        assert {r.kind for r in fit(tally, ["ann", "bob"]).ratings} == {"measured"}


@pytest.mark.slow
@settings(max_examples=5)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["ab", "bc", "ca"]), st.integers(0, 2), st.integers(0, 2), st.integers(1, 3)
        ),
        min_size=3,
        max_size=6,
    ),
    st.lists(st.sampled_from([0, 1, None]), max_size=3),
)
def test_a_limit_is_there_exactly_where_the_prior_does_not_set_it(
    games: list[tuple[str, int, int, int]], arms: list[int | None]
) -> None:
    tally = Tally()
    for names, first, second, times in games:
        tally.pair("farm", names[0], names[1], first, second, times)
    for winner in arms:
        tally.control("farm", "a", winner)
    weak, weaker = (fit(tally, list("abc"), prior_elo=prior) for prior in (3e4, 3e7))
    for one, two in zip((*weak.differences, *weak.sides), (*weaker.differences, *weaker.sides), strict=True):
        assert one.kind == two.kind
        if one.elo is not None:
            assert two.elo is not None
            moved = two.elo - one.elo
            assert {"measured": abs(moved) < 20, "at least": moved > 200, "at most": moved < -200}[one.kind]


def test_agents_that_no_chain_of_games_connects_are_not_compared() -> None:
    tally = Tally()
    for a, b in (("ann", "bob"), ("cid", "dot")):
        tally.pair("farm", a, b, 2, 1, 10)
        tally.pair("farm", a, b, 0, 1, 10)
    found = fit(tally, ["ann", "bob", "cid", "dot"])
    assert {r.kind for r in found.ratings} == {"withheld"}
    assert "ann, bob; cid, dot" in found.reason
    assert found.differences == ()
    assert found.side("farm").kind == "measured"

    based = fit(tally, ["ann", "bob", "cid", "dot"], baseline="bob")
    assert [r.kind for r in based.ratings] == ["measured", "measured", "withheld", "withheld"]
    assert "baseline" in based.rating("cid").reason
    assert based.reason == ""


def test_an_agent_without_games_is_withheld_alone() -> None:
    found = fit(field(), [*sorted(FIELD), "zed"])
    assert found.rating("zed").kind == "withheld"
    assert found.rating("zed").reason == "no paired games"
    assert found.standings()[-1].agent == "zed"
    assert found.rating("ann").elo == pytest.approx(fit(field(), sorted(FIELD)).rating("ann").elo, abs=1e-6)


def test_one_agent_no_games_and_a_baseline_without_games() -> None:
    one = fit(Tally(), ["ann"])
    assert "alone" in one.reason
    none = fit(Tally(), ["ann", "bob"])
    assert [r.reason for r in none.ratings] == ["no paired games"] * 2
    assert none.sides == ()
    based = fit(field(), [*sorted(FIELD), "zed"], baseline="zed")
    assert {r.kind for r in based.ratings} == {"withheld"}
    assert "zed" in based.reason


def test_a_wrong_request_is_answered() -> None:
    with pytest.raises(InputError, match="2 times"):
        fit(field(), ["ann", "ann"])
    with pytest.raises(InputError, match="did you mean 'ann'"):
        fit(field(), ["ann", "bob"], baseline="anna")
    with pytest.raises(InputError, match="at least two"):
        fit(field(), [])
    with pytest.raises(InputError, match="prior"):
        fit(field(), ["ann"], prior_elo=0)


def test_the_result_is_plain_data() -> None:
    found = fit(field(), sorted(FIELD))
    assert msgspec.json.decode(msgspec.json.encode(found), type=Ratings) == found
    quick = fit(field(), sorted(FIELD), differences=False)
    assert quick.differences == ()
    assert quick.transitivity.p is None
    assert "quick look" in quick.transitivity.reason
    assert quick.ratings == found.ratings


agents = st.sampled_from("abcd")
pairs = st.tuples(
    st.sampled_from(["x", "y"]),
    agents,
    agents,
    st.integers(0, 2),
    st.integers(0, 2),
    st.sampled_from([1, 7, 10**6]),
)
controls = st.tuples(
    st.sampled_from(["x", "y", "z"]), agents, st.sampled_from([0, 1, None]), st.integers(0, 9)
)


@pytest.mark.slow
@settings(max_examples=15)
@given(st.lists(pairs, max_size=12), st.lists(controls, max_size=4), st.sampled_from([None, *"abcd"]))
def test_no_tally_is_too_strange(
    games: list[tuple[str, str, str, int, int, int]],
    arms: list[tuple[str, str, int | None, int]],
    base: str | None,
) -> None:
    tally = Tally()
    for scenario, a, b, first, second, times in games:
        if a != b:
            tally.pair(scenario, a, b, first, second, times)
    for arm in arms:
        tally.control(*arm)
    found = fit(tally, list("abcd"), baseline=base)
    for row in (*found.ratings, *found.sides, *found.differences):
        limits = [row.low, row.elo, row.high]
        present = [x is not None for x in limits]
        known = {
            "measured": [True, True, True],
            "at least": [True, True, False],
            "at most": [False, True, True],
            "withheld": [False, False, False],
        }
        assert present == known[row.kind]
        shown = [x for x in limits if x is not None]
        assert all(math.isfinite(x) for x in shown)
        assert shown == sorted(shown)
    for rating in found.ratings:
        assert (rating.kind == "withheld") == bool(rating.reason)
    for difference in found.differences:
        assert difference.superiority is None or 0 <= difference.superiority <= 1
    for test in (found.transitivity, found.consistency):
        assert test.p is None or 0 <= test.p <= 1


def test_who_or_what_is_not_rated_is_told_with_what_is() -> None:
    found = fit(field(pairs=15), list(FIELD))
    with pytest.raises(
        KeyError, match="no difference between 'ann' and 'eve'; name two of the rated: ann, bob"
    ):
        found.difference("ann", "eve")
    with pytest.raises(KeyError, match="no games of the scenario 'moor'; there are some of: farm, mill"):
        found.side("moor")
    with pytest.raises(KeyError, match="no rating of 'eve'; rated: ann, bob"):
        found.rating("eve")
