"""Exact, by all outcomes of the rules' own code: better cover never raises expected losses, one more shooter never
lowers them."""

from __future__ import annotations

from fractions import Fraction

import icepool
import pytest

from battlesim.core.answers import Answer, TargetUnit
from battlesim.core.geometry import INCH
from battlesim.core.state import State
from battlesim.rulesets.armorclass import fire, quick_look
from battlesim.rulesets.armorclass.expected import Target
from battlesim.rulesets.armorclass.model import Fieldwork, Lob, Search, Through
from battlesim.rulesets.armorclass.ruleset import RULESET
from battlesim.rulesets.armorclass.shoot import AtWhom
from battlesim.search.odds import mean, outcomes
from tests.rulesets.armorclass.kit import SOUTH, Table, ground, house, unit

WOODS = "terrain:\n  - {kind: woods, rect: [12, 3, 15, 6]}"


def expected(table: Table, said: Answer, target: int = 1) -> Fraction:
    """Soldiers that a target loses on average when unit 0 fires so."""
    before = table.unit(target).models
    found = outcomes(table.state, table.board, RULESET, AtWhom(0, side=0), answer=lambda s, b, a, legal: said)
    assert sum(e.chance for e in found) == 1

    def lost(state: State) -> int:
        return before - state.units[target].models

    return mean(found, lost)


def in_the_open(
    models: int, kind: str = "militia", terrain: str = "", work: str = "", roof: int = 0
) -> Table:
    table = Table(
        ground(terrain), unit(kind, "g1.1", models=models), unit("rifle_team", "g4.1", side=1, detected=True)
    )
    if work:
        table.r.set_extra(fieldworks=(Fieldwork(work, table.place("g4.1"), 7, roof),))
    return table


@pytest.mark.clause("AC-HOUSE-HIT", "AC-HOUSE-CONCEAL")
@pytest.mark.parametrize("kind", ["militia", "gun_team", "hunter_team", "powered_team"])
def test_better_cover_never_raises_expected_losses(kind: str) -> None:
    models = 2
    tables = [
        in_the_open(models, kind),
        in_the_open(models, kind, terrain=WOODS),
        in_the_open(models, kind, work="trench"),
        in_the_open(models, kind, work="trench", roof=6),
    ]
    losses = [expected(table, TargetUnit(1)) for table in tables]
    assert losses == sorted(losses, reverse=True)
    assert losses[0] > losses[-1]


@pytest.mark.clause("AC-HOUSE-AIM")
@pytest.mark.parametrize("kind", ["militia", "assault_team"])
def test_one_more_shooter_never_lowers_them(kind: str) -> None:
    losses = [expected(in_the_open(models, kind), TargetUnit(1)) for models in range(1, 4)]
    assert losses == sorted(losses)


@pytest.mark.clause("AC-TABLE-1", "AC-EXPL-1", "AC-KNOWN-1")
@pytest.mark.parametrize("known", [True, False])
def test_stronger_walls_never_raise_them(known: bool) -> None:
    losses = []
    for wall in ("stucco", "timber_medium", "timber_heavy", "brick", "concrete", "reinforced_concrete"):
        table = Table(
            house(f"wall: {wall}"),
            unit("gun_team", "g9.2", models=1),
            unit("militia", "house.1:0", side=1, detected=known),
        )
        said: Answer = Through(1, SOUTH) if known else Search(table.place("house.1:0"), SOUTH)
        losses.append(expected(table, said))
    assert losses == sorted(losses, reverse=True)


@pytest.mark.clause("AC-KNOWN-1", "AC-EXPL-1")
def test_to_know_where_they_are_is_better_than_to_guess() -> None:
    """And both against exact arithmetic: three shots, on 9, through brick on 7 or more, inside on 5 (or 3),
    through class 1 on 2."""
    for known, chance in ((True, 5), (False, 3)):
        table = Table(
            house(), unit("gun_team", "g9.2", models=1), unit("militia", "house.1:0", side=1, detected=known)
        )
        said: Answer = Through(1, SOUTH) if known else Search(table.place("house.1:0"), SOUTH)
        each = icepool.d10 <= 9
        one = each & (icepool.d10 >= 7) & (icepool.d10 <= chance) & (icepool.d10 >= 2)
        assert expected(table, said) == 3 * Fraction(one.mean())


@pytest.mark.clause("AC-HOUSE-PEN", "AC-HOUSE-HIT")
def test_a_volley_against_exact_arithmetic() -> None:
    """Two shots at 9 inches: 7 or less, then factor 4 against class 3 on 5 or more; losses are capped by nobody."""
    hit = (icepool.d10 <= 7) & (icepool.d10 >= 5)
    assert expected(in_the_open(2), TargetUnit(1)) == 2 * Fraction(hit.mean())


@pytest.mark.clause("AC-HOUSE-INDIRECT", "AC-TABLE-2")
def test_stronger_roofs_never_raise_them() -> None:
    losses = []
    for roof in ("thatch", "wood_and_shingle", "metal_sheeting", "reinforced_concrete"):
        table = Table(
            house(f"roof: {roof}"),
            unit("mortar_team", "g5.3", models=1),
            unit("militia", "house.1:1", side=1, detected=True),
            options={"damage": "ignored"},
        )
        losses.append(expected(table, Lob(table.place("house.1:1"))))
    assert losses == sorted(losses, reverse=True)
    assert losses[0] > losses[-1]


@pytest.mark.clause("AC-HOUSE-HIT")
def test_estimates_of_agents_are_the_rules_mean_where_nothing_is_capped() -> None:
    table = in_the_open(1)
    target = Target("rifle_team", 4, 4)
    loss = quick_look.volley_loss(
        ("militia", (0,)), target, 3, 9 * INCH, 0, False, False, False, fire.OPEN_AREA, 0.0
    )
    exact = float(expected(table, TargetUnit(1)))
    assert loss == pytest.approx(44 * exact / 4)
