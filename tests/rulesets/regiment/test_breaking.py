"""Break tests and hard-pressed garrisons (RG-RES-3, RG-PSY-1, RG-UNST-1, RG-HOUSE-RESULT)."""

from __future__ import annotations

import pytest

from battlesim.core.state import Structure
from battlesim.rulesets.regiment import facts
from battlesim.rulesets.regiment.result import BreakTest, break_goal, is_hard_pressed
from tests.rulesets.regiment.grounds import FIELD, HOUSE, ROW, WEST, house
from tests.rulesets.regiment.kit import Table, unit
from tests.rulesets.regiment.test_result import inside

# ---- breaking --------------------------------------------------------------------------------------------------------


@pytest.mark.clause("RG-HOUSE-RESULT")
@pytest.mark.parametrize(("rolled", "stands"), [((2, 2), True), ((2, 3), False), ((1, 1), True)])
def test_the_loser_tests_at_ld_less_the_difference_and_double_one_holds(
    rolled: tuple[int, int], stands: bool
) -> None:
    for by, needed in ((2, 4), (8, -2)):
        table = Table(FIELD, unit("levy", at="g4.4"), dice=[rolled])
        table.do(BreakTest(0, by))
        (tested,) = table.events(facts.Tested)
        assert tested.needed == needed
        assert tested.passed == (stands if by == 2 else rolled == (1, 1))
        assert table.unit(0).own.fleeing == (not tested.passed)
        table.done()


@pytest.mark.clause("RG-HOUSE-TRAITS", "RG-HOUSE-RESULT")
def test_the_stubborn_test_at_their_ld() -> None:
    table = Table(FIELD, unit("guard", at="g4.4"))
    assert break_goal(table.state, FIELD, table.unit(0), 5)[0] == 8


@pytest.mark.clause("RG-PSY-1")
def test_a_sound_building_makes_stubborn() -> None:
    table = inside("levy")
    goal, clauses = break_goal(table.state, HOUSE, table.unit(1), 5)
    assert goal == 6
    assert "RG-PSY-1" in clauses


@pytest.mark.clause("RG-UNST-1")
def test_an_unstable_one_does_not() -> None:
    brittle = inside("levy", house(own="{garrison: {unstable: true}}"))
    assert break_goal(brittle.state, brittle.board, brittle.unit(1), 5)[0] == 1
    shaken = inside("levy")
    shaken.state.structures[0] = Structure(0, own={"unstable": [HOUSE.space("house.1:0")]})
    goal, clauses = break_goal(shaken.state, HOUSE, shaken.unit(1), 5)
    assert goal == 1
    assert "RG-UNST-1" in clauses


@pytest.mark.clause("RG-UNST-1")
def test_the_stubborn_by_kind_stay_so_in_an_unstable_building() -> None:
    brittle = inside("guard", house(own="{garrison: {unstable: true}}"))
    assert break_goal(brittle.state, brittle.board, brittle.unit(1), 5)[0] == 8


# ---- hard-pressed ----------------------------------------------------------------------------------------------------


@pytest.mark.clause("RG-RES-3")
@pytest.mark.parametrize(("models", "pressed"), [(5, False), (4, True)])
def test_more_strength_in_contact_than_the_garrison_has_presses_it_hard(models: int, pressed: bool) -> None:
    """Five of the attackers touch the house."""
    table = inside("levy", models=models)
    assert is_hard_pressed(table.state, HOUSE, table.unit(1)) == pressed
    goal, clauses = break_goal(table.state, HOUSE, table.unit(1), 3)
    assert goal == (3 if pressed else 6)
    assert ("RG-RES-3" in clauses) == pressed


@pytest.mark.clause("RG-RES-3")
def test_all_attackers_count_together() -> None:
    table = Table(
        HOUSE,
        unit("levy", at="g3.4", foes={2: 0}),
        unit("levy", at="g6.4", facing=WEST, foes={2: 0}),
        unit("levy", at="house.1:0", side=1, models=9, foes={0: 0, 1: 0}),
    )
    assert is_hard_pressed(table.state, HOUSE, table.unit(2))


@pytest.mark.clause("RG-RES-3")
@pytest.mark.parametrize(("models", "pressed"), [(6, False), (5, True)])
def test_their_characters_count_too(models: int, pressed: bool) -> None:
    """Five of the attackers touch the house, and the captain with them."""
    table = Table(
        HOUSE,
        unit("levy", at="g3.4", foes={1: 0}),
        unit("levy", at="house.1:0", side=1, models=models, foes={0: 0}),
        unit("captain", at="g3.4", joined=0),
    )
    assert is_hard_pressed(table.state, HOUSE, table.unit(1)) == pressed


@pytest.mark.clause("RG-RES-3")
@pytest.mark.parametrize(("models", "pressed"), [(5, False), (4, True)])
def test_through_an_inner_wall_five_press_at_most_characters_among_them(models: int, pressed: bool) -> None:
    table = Table(
        ROW,
        unit("levy", at="row.r1:0", foes={1: 0}),
        unit("levy", at="row.r2:0", side=1, models=models, foes={0: 0}),
        unit("captain", at="row.r1:0", joined=0),
    )
    assert is_hard_pressed(table.state, ROW, table.unit(1)) == pressed


@pytest.mark.clause("RG-RES-3")
def test_only_those_count_who_could_enter() -> None:
    for kind, board, pressed in (
        ("knights", HOUSE, False),
        ("ogres", HOUSE, False),
        ("ogres", house(own="{garrison: {roomy: true}}"), True),
    ):
        table = inside("levy", board, kind, models=4)
        assert is_hard_pressed(table.state, board, table.unit(1)) == pressed


@pytest.mark.clause("RG-RES-3")
def test_the_hard_pressed_lose_their_kinds_stubbornness_too() -> None:
    table = inside("guard", models=4)
    assert break_goal(table.state, HOUSE, table.unit(1), 3)[0] == 5
