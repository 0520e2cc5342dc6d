"""What a side did, as numbers from 0 to 1 and as a cell."""

import pytest

from battlesim import play
from battlesim.batch.measures import measure
from battlesim.batch.side_measures import SideMeasures
from battlesim.core.events import Answered, Asked
from battlesim.discovery.behaviour import AXES, behaviour_of, cell_of
from battlesim.rules.tactical import ORDERS


def test_a_behaviour_is_shares_of_what_was_done() -> None:
    did = SideMeasures(unit_turns=10, inside=4, above=1, moved=5, shots=6, shots_at=3, assaults=2, breaches=9)
    names = ("movement", "inside", "height", "fire", "walls", "assault", "breach")
    assert behaviour_of(names, did) == (0.5, 0.4, 0.1, 0.6, 0.5, 0.5, 1.0)
    assert behaviour_of(names, SideMeasures()) == (0.0,) * 7


def test_how_a_side_stood_is_shares_of_the_map_and_of_its_units() -> None:
    did = SideMeasures(
        unit_turns=8,
        shots=6,
        shots_walls=3,
        assaults=2,
        waits=2,
        early=4,
        spread=1200,
        gap=2400,
        floors=3,
        reserve=2,
    )
    names = ("demolition", "wait", "tempo", "spread", "distance", "floors", "reserve")
    assert behaviour_of(names, did) == pytest.approx((1.0, 0.25, 0.5, 0.5, 0.5, 0.25, 0.2))
    assert behaviour_of(names, SideMeasures()) == (0.0,) * 7


@pytest.mark.parametrize("scenario", ["stairwell", "breakthrough", "firebreak", "watch-house"])
def test_every_measure_is_a_share_in_played_games(scenario: str) -> None:
    game = play(scenario, ("greedy", "rush"), seed=1)
    sides = measure(game).sides
    assert sides is not None
    for name in AXES:
        assert all(0.0 <= behaviour_of([name], side)[0] <= 1.0 for side in sides), name
    for number, side in enumerate(sides):
        asked = [e for e in game.log if isinstance(e, Asked) and e.side == number]
        given = [e for e in asked if type(e.ask).__name__ in ("WhichOrder", "WhichAction")]
        assert sum(side.orders.values()) == len(given) > 0
        assert set(side.orders) <= set(ORDERS), "every order of the four rulebooks has a shared name"


def test_the_share_of_an_order_is_among_all_orders() -> None:
    did = SideMeasures(orders={"run": 3, "fire": 1})
    assert behaviour_of(["order-run", "order-fire", "order-wait"], did) == (0.75, 0.25, 0.0)
    assert behaviour_of(["order-run"], SideMeasures()) == (0.0,)


def test_an_order_counts_by_its_shared_name() -> None:
    """Ambush under the order dice and opportunity among squads are one order: to wait for an enemy."""
    for scenario, own in (("stairwell", "ambush"), ("square", "opportunity")):
        games = [play(scenario, ("greedy", "greedy"), seed=seed) for seed in (1, 2)]
        for game in games:
            sides = measure(game).sides
            assert sides is not None
            said = [(e.side, e.answer) for e in game.log if isinstance(e, Answered)]
            for number in (0, 1):
                assert sides[number].orders.get("wait", 0) == said.count((number, f"order {own}"))
        assert any(e.answer == f"order {own}" for game in games for e in game.log if isinstance(e, Answered))


def test_the_ends_of_an_axis_are_in_its_first_and_last_bin() -> None:
    assert cell_of((0.0, 0.999, 1.0), 6) == (0, 5, 5)
