"""Parameters of judgement: each is declared with meaning, range and default, and reaches the choices below the one asked for."""

from __future__ import annotations

from typing import Annotated

import pytest
from msgspec import Meta, Struct

from battlesim import RULESETS, InputError, features, judgement, parameters, weigh, weights_of
from battlesim.core.answers import Order
from battlesim.evaluation.parameters import Weights, parameters_of
from battlesim.rules.contract import SENSIBLE, Features
from battlesim.rulesets.orderdice import observation, turn
from tests.rulesets.orderdice.kit import Table, unit


@pytest.mark.parametrize("name", RULESETS)
def test_every_rulebook_declares_what_its_players_weigh(name: str) -> None:
    found = parameters(name)
    assert {one.name for one in found} >= set(Features.__struct_fields__)
    for one in found:
        assert one.low <= one.default <= one.high, one
        assert one.meaning
    assert judgement(name) == judgement(name, **{one.name: one.default for one in found})


def test_weights_are_the_sensible_ones_where_nothing_else_is_declared() -> None:
    assert weights_of(Weights()) == SENSIBLE


@pytest.mark.parametrize(
    "settings", [{"exposur": 1.0}, {"exposure": -1.0}, {"exposure": True}, {"exposure": "1"}]
)
def test_what_is_no_parameter_is_refused(settings: dict[str, float]) -> None:
    with pytest.raises(InputError, match=r"parameter|exposure"):
        judgement(RULESETS[0], **settings)


def test_a_parameter_without_a_meaning_or_a_range_is_a_fault_of_the_rulebook() -> None:
    class Bare(Struct, frozen=True):
        dealt: float = 1.0

    class Endless(Struct, frozen=True):
        dealt: Annotated[float, Meta(description="losses")] = 1.0

    for one in (Bare, Endless):
        with pytest.raises(TypeError):
            parameters_of(one)


def test_weights_reach_the_choice_that_an_order_leads_to() -> None:
    """Told that shots are all that counts, an Advance is judged by the place with the best shot; told that it is not to be shot
    at, by one out of sight."""
    table = Table(
        "open-ground",
        unit("rifle_section", at="g7.2"),
        unit("rifle_section", at="g7.8", side=1, order="fire"),
    )
    view = observation.observe(table.state, table.board, 0, ())
    ask, answer = turn.WhichOrder(0, side=0), Order("advance")
    bold = judgement("orderdice", dealt=10.0, exposure=0.0, progress=0.0, hold=0.0)
    timid = judgement("orderdice", dealt=0.0, exposure=10.0, progress=0.0, hold=0.0)
    by_bold, by_timid = (features(view, table.board, ask, [answer], one)[0] for one in (bold, timid))
    assert by_bold.dealt > by_timid.dealt
    assert by_timid.exposure < by_bold.exposure
    assert weigh(by_bold, weights_of(bold)) > weigh(by_timid, weights_of(bold))
