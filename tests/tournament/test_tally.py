"""Counts of pairs: cells, directions, and what is read from them."""

from __future__ import annotations

import subprocess
import sys
from itertools import permutations

import pytest

from battlesim.tournament.tally import Results, Tally, pentanomial, transposed


def test_the_cell_of_a_pair_is_three_times_the_first_result_and_the_second() -> None:
    tally = Tally()
    tally.pair("farm", "ann", "bob", 2, 1)
    assert tally.pairs == {("farm", "ann", "bob"): [0, 0, 0, 0, 0, 0, 0, 1, 0]}


def test_seen_by_the_other_agent_the_games_change_places_and_wins_are_losses() -> None:
    # ann wins on side 0 and draws on side 1; so bob draws on side 0 and loses on side 1: cell 3 * 1 + 0.
    tally = Tally()
    tally.pair("farm", "ann", "bob", 2, 1)
    assert tally.cells("bob", "ann") == (0, 0, 0, 1, 0, 0, 0, 0, 0)
    cells = tuple(range(9))
    assert transposed(transposed(cells)) == cells
    assert pentanomial(transposed(cells)) == pentanomial(cells)[::-1]


def test_both_directions_of_a_pairing_are_read_as_one() -> None:
    one, two = Tally(), Tally()
    for first in range(3):
        for second in range(3):
            one.pair("farm", "ann", "bob", first, second, times=first + 4 * second)
            two.pair("farm", "bob", "ann", 2 - second, 2 - first, times=first + 4 * second)
    assert one.cells("ann", "bob", "farm") == two.cells("ann", "bob", "farm")
    assert list(one.pairings()) == list(two.pairings())
    assert one.results("ann") == two.results("ann")
    assert one.side_results("farm") == two.side_results("farm")
    assert one.side_results("farm", "bob") == two.side_results("farm", "bob")


def test_pentanomial_results_and_share_by_hand() -> None:
    tally = Tally()
    tally.pair("farm", "ann", "bob", 2, 2, times=3)  # 2 points
    tally.pair("farm", "ann", "bob", 2, 0, times=4)  # 1 point
    tally.pair("farm", "ann", "bob", 1, 1)  # 1 point
    tally.pair("farm", "ann", "bob", 0, 1, times=2)  # 1/2 point
    assert tally.pentanomial("ann", "bob") == (0, 2, 5, 0, 3)
    assert tally.pentanomial("bob", "ann") == (3, 0, 5, 2, 0)
    assert tally.results("ann", "bob") == Results(wins=10, draws=4, losses=6)
    assert tally.share("ann", "bob") == 12 / 20
    # Side 0: ann won 7, drew 1, lost 2 there; bob on side 0 lost 3, won 4, drew 3.
    assert tally.side_results("farm", "ann") == Results(wins=7, draws=1, losses=2)
    assert tally.side_results("farm", "bob") == Results(wins=4, draws=3, losses=3)
    assert tally.side_results("farm") == Results(wins=11, draws=4, losses=5)
    assert (tally.pair_count, tally.game_count) == (10, 20)


def test_control_games_are_counted_by_side_and_stay_out_of_results() -> None:
    tally = Tally()
    for winner in (0, 0, 1, None):
        tally.control("farm", "ann", winner)
    assert tally.controls == {("farm", "ann"): [2, 1, 1]}
    assert tally.control_results("farm") == Results(wins=2, draws=1, losses=1)
    assert tally.control_results("farm", "bob").share is None
    assert tally.results("ann").games == 0
    assert tally.game_count == 4
    assert (tally.agents, tally.scenarios) == (("ann",), ("farm",))


def test_nothing_depends_on_the_order_of_arrival() -> None:
    games = [("farm", "ann", "bob", 2, 0), ("mill", "bob", "ann", 1, 0), ("farm", "bob", "cid", 0, 0)]
    seen = []
    for order in permutations(games):
        tally = Tally()
        for game in order:
            tally.pair(*game)
        seen.append((list(tally.pairings()), tally.agents, tally.scenarios, tally.cells("ann", "bob")))
    assert all(found == seen[0] for found in seen)


def test_merged_and_restricted_leave_their_tallies_alone() -> None:
    one, two = Tally(), Tally()
    one.pair("farm", "ann", "bob", 2, 0)
    one.control("farm", "ann", 0)
    two.pair("farm", "ann", "bob", 2, 0)
    two.pair("mill", "ann", "cid", 1, 1)
    both = one.merged(two)
    assert both == two.merged(one)
    assert both.cells("ann", "bob", "farm")[6] == 2
    assert one.cells("ann", "bob")[6] == 1
    assert both.restricted(["mill"]).agents == ("ann", "cid")
    assert both.restricted(agents=["ann", "bob"]).scenarios == ("farm",)
    both.restricted(["farm"]).pair("farm", "ann", "bob", 0, 0)
    assert both.cells("ann", "bob")[0] == 0


def test_what_is_no_pair_is_refused() -> None:
    tally = Tally()
    with pytest.raises(ValueError, match="itself"):
        tally.pair("farm", "ann", "ann", 2, 0)
    with pytest.raises(ValueError, match="each is 0"):
        tally.pair("farm", "ann", "bob", 3, 0)
    with pytest.raises(ValueError, match="side 0, side 1 or None"):
        tally.control("farm", "ann", 2)
    with pytest.raises(ValueError, match="times -1; a whole number of at least 0"):
        tally.pair("farm", "ann", "bob", 2, 0, times=-1)
    with pytest.raises(ValueError, match="times -2"):
        tally.control("farm", "ann", 1, times=-2)
    assert tally == Tally()


@pytest.mark.parametrize("module", ["tally", "shares", "sprt"])
def test_counting_and_sequential_tests_need_no_numpy(module: str) -> None:
    code = f"import sys, battlesim.tournament.{module}; sys.exit('numpy' in sys.modules or 'scipy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
