"""The win matrix, cycles in it and the maximin mix."""

from __future__ import annotations

import itertools

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from battlesim.tournament.matrix import MixedStrategy, WinMatrix, cycles, maximin, win_matrix
from battlesim.tournament.shares import Interval, pair_interval
from battlesim.tournament.tally import Tally


def cyclic(strong: int = 70, agents: str = "rps") -> Tally:
    """Paper beats rock, scissors paper, rock scissors, `strong` pairs of 100."""
    tally = Tally()
    r, p, s = agents
    for winner, loser in ((p, r), (s, p), (r, s)):
        tally.pair("farm", winner, loser, 2, 2, strong)
        tally.pair("farm", winner, loser, 0, 0, 100 - strong)
    return tally


def of_shares(shares: dict[tuple[str, str], float], agents: str) -> WinMatrix:
    def cell(a: str, b: str) -> Interval | None:
        if a == b:
            return None
        value = shares[a, b] if (a, b) in shares else 1 - shares[b, a]
        return Interval(value, value, value)

    rows = tuple(tuple(cell(a, b) for b in agents) for a in agents)
    return WinMatrix(tuple(agents), rows, tuple(tuple(0 for _ in agents) for _ in agents))


def test_rock_paper_scissors_is_mixed_evenly_and_is_a_cycle() -> None:
    matrix = win_matrix(cyclic(), ["r", "p", "s"])
    mix = maximin(matrix)
    assert mix.weights == pytest.approx((1 / 3, 1 / 3, 1 / 3))
    assert mix.value == pytest.approx(0.5)
    assert mix.against == pytest.approx((0.5, 0.5, 0.5))
    assert cycles(matrix) == (("p", "r", "s"),)
    assert cycles(win_matrix(cyclic(52), ["r", "p", "s"])) == ()


def test_a_dominated_agent_has_no_weight() -> None:
    tally = cyclic()
    for other in "rps":
        tally.pair("farm", other, "dud", 2, 2, 60)
        tally.pair("farm", other, "dud", 0, 0, 40)
    mix = maximin(win_matrix(tally, ["dud", "r", "p", "s"]))
    assert mix.weights == pytest.approx((0, 1 / 3, 1 / 3, 1 / 3), abs=1e-9)
    assert mix.against == pytest.approx((0.4, 0.5, 0.5, 0.5))


def test_the_best_of_a_transitive_field_is_the_whole_mix() -> None:
    matrix = of_shares({("a", "b"): 0.6, ("a", "c"): 0.51, ("b", "c"): 0.9}, "abc")
    mix = maximin(matrix)
    assert mix.weights == (1, 0, 0)
    assert mix.value == pytest.approx(0.5)
    assert cycles(matrix) == ()


def test_unequal_cycle_by_hand() -> None:
    # r beats s by 0.1, s beats p by 0.2, p beats r by 0.3: each agent's weight is the edge between the other two.
    matrix = of_shares({("r", "s"): 0.6, ("s", "p"): 0.7, ("p", "r"): 0.8}, "rps")
    assert maximin(matrix).weights == pytest.approx((2 / 6, 1 / 6, 3 / 6))


def test_of_several_mixes_the_most_even_is_chosen() -> None:
    even = of_shares(dict.fromkeys(itertools.combinations("abcd", 2), 0.5), "abcd")
    assert maximin(even).weights == pytest.approx((0.25,) * 4)
    # Two equal agents at the top of the field share alike, and so do two copies of one agent of a cycle.
    two = of_shares({("a", "b"): 0.5, ("a", "c"): 0.7, ("b", "c"): 0.9}, "abc")
    assert maximin(two).weights == pytest.approx((0.5, 0.5, 0), abs=1e-6)
    copies = {
        ("r", "s"): 0.6,
        ("s", "p"): 0.7,
        ("p", "r"): 0.8,
        ("R", "s"): 0.6,
        ("p", "R"): 0.8,
        ("r", "R"): 0.5,
    }
    weights = maximin(of_shares(copies, "rRps")).weights
    assert weights == pytest.approx((1 / 6, 1 / 6, 1 / 6, 3 / 6), abs=1e-6)


def test_scenarios_count_equally_however_many_pairs_each_saw() -> None:
    tally = Tally()
    tally.pair("farm", "ann", "bob", 2, 2, 90)
    tally.pair("mill", "ann", "bob", 0, 0, 10)
    found = win_matrix(tally, ["ann", "bob"]).cell("ann", "bob")
    assert found is not None
    assert found.value == 0.5
    # As little as ten pairs is known of half of it.
    alone = pair_interval(tally.pentanomial("ann", "bob", "mill"))
    assert alone is not None
    assert found.high - found.low > 0.4 * (alone.high - alone.low)
    one = win_matrix(tally.restricted(["farm"]), ["ann", "bob"]).cell("ann", "bob")
    assert one == pair_interval(tally.pentanomial("ann", "bob", "farm"))


def test_the_matrix_mirrors_and_has_gaps_where_nothing_was_played() -> None:
    tally = cyclic()
    matrix = win_matrix(tally, ["s", "r", "new"])
    forth, back = matrix.cell("r", "s"), matrix.cell("s", "r")
    assert forth is not None
    assert back is not None
    assert (back.value, back.low, back.high) == pytest.approx(
        (1 - forth.value, 1 - forth.high, 1 - forth.low)
    )
    assert matrix.cell("r", "new") is None
    assert matrix.cell("r", "r") is None
    assert matrix.pairs == ((0, 100, 0), (100, 0, 0), (0, 0, 0))
    mix = maximin(matrix)
    assert mix.weights is None
    assert "have not met" in mix.reason
    assert maximin(win_matrix(tally, [])).reason == "no agents"
    assert maximin(win_matrix(tally, ["r"])).weights == (1.0,)
    assert msgspec.json.decode(msgspec.json.encode((matrix, mix)), type=tuple[WinMatrix, MixedStrategy]) == (
        matrix,
        mix,
    )


edges = st.lists(st.integers(0, 8), min_size=10, max_size=10)


@pytest.mark.slow
@settings(max_examples=15)
@given(edges, st.permutations("abcde"))
def test_the_mix_loses_to_nobody_and_depends_on_no_order(steps: list[int], order: list[str]) -> None:
    shares = {pair: step / 8 for pair, step in zip(itertools.combinations("abcde", 2), steps, strict=True)}
    mix = maximin(of_shares(shares, "abcde"))
    assert mix.weights is not None
    assert mix.against is not None
    assert sum(mix.weights) == pytest.approx(1)
    assert min(mix.weights) >= 0
    assert max(mix.against) <= 0.5 + 1e-6
    other = maximin(of_shares(shares, "".join(order)))
    assert other.weights is not None
    assert dict(zip(order, other.weights, strict=True)) == dict(zip("abcde", mix.weights, strict=True))
    renamed = dict(zip("abcde", order, strict=True))
    again = maximin(of_shares({(renamed[a], renamed[b]): s for (a, b), s in shares.items()}, "abcde"))
    assert again.weights is not None
    assert [again.weights["abcde".index(renamed[x])] for x in "abcde"] == pytest.approx(mix.weights, abs=1e-4)


@pytest.mark.slow
def test_large_fields_are_mixed_too() -> None:
    rng = np.random.default_rng(9)
    names = [f"agent{i:02}" for i in range(40)]
    tally = Tally()
    for a, b in itertools.combinations(names, 2):
        won = int(rng.integers(0, 11))
        tally.pair("farm", a, b, 2, 2, won)
        tally.pair("farm", a, b, 0, 0, 10 - won)
    mix = maximin(win_matrix(tally, names))
    assert mix.against is not None
    assert max(mix.against) <= 0.5 + 1e-6
