"""Who reaches whom: models in contact, at walls and through them (RG-ATT-3, RG-HOUSE-FIGHT, RG-HOUSE-FORM)."""

from __future__ import annotations

import pytest

from battlesim.rulesets.regiment import casualties, facts, fight, form, ground
from battlesim.rulesets.regiment.model import FLANK
from tests.rulesets.regiment.grounds import FIELD, HOUSE, NORTH, ROW, TALL, WEST, house, row
from tests.rulesets.regiment.kit import Table, unit
from tests.rulesets.regiment.test_fight import duel

# ---- who reaches whom ------------------------------------------------------------------------------------------------


@pytest.mark.clause("RG-HOUSE-FIGHT")
def test_models_in_contact_are_limited_by_both_fronts() -> None:
    """Five files of 0.8 inches are four inches; monstrous infantry of 1.6 fills them with three; ten files meet five."""
    table = duel("levy", "ogres", foe_files=4)
    assert form.in_contact(table.state, FIELD, table.unit(0), table.unit(1)) == 5
    assert form.in_contact(table.state, FIELD, table.unit(1), table.unit(0)) == 3
    wide = duel("levy", "levy", files=10)
    assert form.in_contact(wide.state, FIELD, wide.unit(0), wide.unit(1)) == 5
    few = duel("levy", "levy", foe_models=3)
    assert form.in_contact(few.state, FIELD, few.unit(0), few.unit(1)) == 3


@pytest.mark.clause("RG-HOUSE-FORM")
def test_a_flank_is_as_long_as_the_ranks_are_deep() -> None:
    table = Table(
        FIELD,
        unit("levy", at="g5.3", facing=NORTH, files=10, foes={1: 0}),
        unit("levy", at="g5.4", side=1, facing=WEST, models=20, foes={0: FLANK}),
    )
    assert form.in_contact(table.state, FIELD, table.unit(1), table.unit(0)) == 4
    assert form.in_contact(table.state, FIELD, table.unit(0), table.unit(1)) == 4


@pytest.mark.clause("RG-HOUSE-FIGHT")
def test_several_enemies_share_one_front() -> None:
    table = Table(
        FIELD,
        unit("levy", at="g4.4", foes={2: 0}),
        unit("levy", at="g4.5", facing=7, foes={2: 0}),
        unit("levy", at="g5.4", side=1, facing=WEST, foes={0: 0, 1: 0}),
    )
    each = [form.in_contact(table.state, FIELD, table.unit(n), table.unit(2)) for n in (0, 1)]
    assert each == [3, 3]  # two inches of the enemy's four


@pytest.mark.clause("RG-ATT-3")
def test_as_much_of_the_garrison_fights_as_touches_its_house_in_unit_strength() -> None:
    """Knights of unit strength 2 in five files of an inch: ten of strength, so ten of the garrison; levy: five."""
    for kind, touching, answered in (("knights", 5, 10), ("levy", 5, 5), ("ogres", 4, 12), ("giant", 1, 6)):
        table = duel(kind, "levy", HOUSE, ("g3.4", "house.1:0"))
        assert form.in_contact(table.state, HOUSE, table.unit(0), table.unit(1)) == touching
        assert form.in_contact(table.state, HOUSE, table.unit(1), table.unit(0)) == answered
    few = duel("knights", "levy", HOUSE, ("g3.4", "house.1:0"), foe_models=7)
    assert form.in_contact(few.state, HOUSE, few.unit(1), few.unit(0)) == 7


@pytest.mark.clause("RG-ATT-3")
def test_a_wall_is_shared_by_all_who_stand_before_it() -> None:
    """Six inches of wall: two units of ten files have three inches each, four models; one alone has eight."""
    two = Table(
        HOUSE,
        unit("levy", at="g3.4", files=10, foes={2: 0}),
        unit("levy", at="g3.5", files=10, foes={2: 0}),
        unit("levy", at="house.1:0", side=1, foes={0: 0, 1: 0}),
    )
    assert [form.in_contact(two.state, HOUSE, two.unit(n), two.unit(2)) for n in (0, 1)] == [4, 4]
    assert form.strikers(two.state, HOUSE, two.unit(2)) == {0: 4, 1: 4}
    one = duel("levy", "levy", HOUSE, ("g3.4", "house.1:0"), files=10)
    assert form.in_contact(one.state, HOUSE, one.unit(0), one.unit(1)) == 8


@pytest.mark.clause("RG-ATT-3")
@pytest.mark.parametrize(("side", "foes"), [(0, {}), (1, {3: 0})])
def test_but_by_nobody_else(side: int, foes: dict[int, int]) -> None:
    """Neither by a friend who fights nobody nor by an enemy who does."""
    table = Table(
        HOUSE,
        unit("levy", at="g3.4", files=10, foes={1: 0}),
        unit("levy", at="house.1:0", side=1, foes={0: 0}),
        unit("levy", at="g3.5", files=10, side=side, foes=foes),
        unit("levy", at="g2.5", foes={2: 0} if foes else None),
    )
    assert form.in_contact(table.state, HOUSE, table.unit(0), table.unit(1)) == 8


@pytest.mark.clause("RG-ATT-3")
def test_a_friend_who_fights_outside_takes_no_part_of_the_wall() -> None:
    """He attacks no building: the unit beside him had half of its models at the wall."""
    table = Table(
        HOUSE,
        unit("levy", at="g3.4", files=10, foes={1: 0}),
        unit("levy", at="house.1:0", side=1, foes={0: 0}),
        unit("levy", at="g3.5", files=10, foes={3: 0}),
        unit("levy", at="g2.5", side=1, foes={2: 0}),
    )
    assert form.in_contact(table.state, HOUSE, table.unit(0), table.unit(1)) == 8


@pytest.mark.clause("RG-ATT-3", "RG-PART-2")
def test_a_wall_of_the_ground_floor_is_not_shared_with_flyers_at_the_upper_floor() -> None:
    table = Table(
        TALL,
        unit("levy", at="g3.4", files=10, foes={2: 0}),
        unit("harpies", at="g3.5", foes={3: 0}),
        unit("levy", at="house.1:0", side=1, foes={0: 0}),
        unit("levy", at="house.1:3", side=1, foes={1: 0}),
    )
    assert form.in_contact(table.state, TALL, table.unit(0), table.unit(2)) == 8
    assert form.in_contact(table.state, TALL, table.unit(1), table.unit(3)) > 0


@pytest.mark.clause("RG-ATT-3")
def test_a_monster_counts_its_wounds_left() -> None:
    table = duel("giant", "levy", HOUSE, ("g3.4", "house.1:0"), wounds=2)
    assert form.in_contact(table.state, HOUSE, table.unit(1), table.unit(0)) == 4
    assert form.strength(table.state, table.unit(0)) == 4


@pytest.mark.clause("RG-HOUSE-FIGHT", "RG-ATT-3")
def test_a_garrison_takes_nothing_of_a_front_that_meets_others_in_the_open() -> None:
    table = Table(
        HOUSE,
        unit("levy", at="g3.6", foes={1: 0, 2: 0}),
        unit("levy", at="house.1:0", side=1, foes={0: 0}),
        unit("levy", at="g3.7", side=1, foes={0: 0}),
    )
    assert form.in_contact(table.state, HOUSE, table.unit(0), table.unit(2)) == 5


@pytest.mark.clause("RG-HOUSE-FORM")
def test_the_dead_of_a_round_strike_once_less_not_once_for_each_enemy() -> None:
    """And who stood before them as the round began is still before the living."""
    table = Table(
        FIELD,
        unit("levy", at="g4.4", foes={1: 0, 2: 0}, fell=2),
        unit("levy", at="g5.4", side=1, facing=WEST, foes={0: 0}),
        unit("levy", at="g5.5", side=1, facing=WEST, foes={0: 0}),
    )
    assert form.strikers(table.state, FIELD, table.unit(0)) == {1: 1, 2: 2}
    thinned = duel("levy", "levy", foe_models=2, foe_fell=3)
    assert form.strikers(thinned.state, FIELD, thinned.unit(0)) == {1: 5}


@pytest.mark.clause("RG-HOUSE-FORM")
def test_all_who_fell_in_a_round_are_counted_blow_upon_blow() -> None:
    table = duel("levy", "ogres", foe_files=4)
    for wounds in (4, 3, 2):
        casualties.take_wounds(table.r, table.unit(1), wounds, "blows", melee=True)
    assert (table.unit(1).models, table.unit(1).own.wounds, table.unit(1).own.fell) == (3, 0, 3)
    casualties.take_wounds(table.r, table.unit(1), 3, "shot")
    assert table.unit(1).own.fell == 3


@pytest.mark.clause("RG-HOUSE-FIGHT")
@pytest.mark.parametrize(
    ("kind", "models", "blows"), [("giant", 1, [4, 0]), ("captain", 1, [3, 0]), ("swordsmen", 7, [5, 2])]
)
def test_nor_does_any_other_model_though_it_has_enemies_all_round(
    kind: str, models: int, blows: list[int]
) -> None:
    """Each has its attacks once, against the first enemy it touches; who stands in two ranks has a front and a rear."""
    table = Table(
        FIELD,
        unit(kind, at="g4.4", models=models, foes={1: 0, 2: 2}),
        unit("levy", at="g5.4", side=1, facing=WEST, foes={0: 0}),
        unit("levy", at="g3.4", side=1, foes={0: 0}),
    )
    assert [fight.blows_of(table.state, FIELD, table.unit(0), table.unit(n)) for n in (1, 2)] == blows


@pytest.mark.clause("RG-HOUSE-FIGHT", "RG-HOUSE-FORM")
def test_a_front_of_five_has_five_blows_for_all_enemies_before_it() -> None:
    """The model in the middle touches both, and strikes at the first."""
    table = Table(
        FIELD,
        unit("levy", at="g4.4", foes={1: 0, 2: 0}),
        unit("levy", at="g5.4", side=1, facing=WEST, foes={0: 0}),
        unit("levy", at="g5.5", side=1, facing=WEST, foes={0: 0}),
    )
    assert form.strikers(table.state, FIELD, table.unit(0)) == {1: 3, 2: 2}


@pytest.mark.clause("RG-ATT-3")
def test_no_model_of_a_garrison_strikes_twice() -> None:
    table = Table(
        HOUSE,
        unit("levy", at="g3.4", foes={2: 0}),
        unit("levy", at="g6.4", facing=WEST, foes={2: 0}),
        unit("levy", at="house.1:0", side=1, models=7, foes={0: 0, 1: 0}),
    )
    assert form.strikers(table.state, HOUSE, table.unit(2)) == {0: 5, 1: 2}


@pytest.mark.clause("RG-ATT-3")
def test_no_model_of_it_waits_for_an_enemy_that_does_not_fight_now() -> None:
    """The guard has just broken in next door and fights in the next phase."""
    table = Table(
        ROW,
        unit("guard", at="row.r1:0", foes={1: 0}, charged=True),
        unit("levy", at="row.r2:0", side=1, models=5, foes={0: 0, 2: 0}),
        unit("swordsmen", at="g7.3", facing=NORTH, foes={1: 0}),
        dice=[[1] * 5, [1] * 5, [1, 1]],
        phase=4,
        done=(0,),
    )
    table.do(fight.Fight((1, 2)))
    assert [(e.unit, e.target, e.blows) for e in table.events(facts.Struck)] == [(2, 1, 5), (1, 2, 5)]
    table.done()


@pytest.mark.clause("RG-ATT-3")
def test_through_inner_walls_five_models_fight_two_of_monstrous_infantry() -> None:
    roomy = row("{garrison: {roomy: true}}", "{garrison: {roomy: true}}")
    for one, two, expected in (
        ("levy", "levy", (5, 5)),
        ("ogres", "levy", (2, 5)),
        ("trolls", "ogres", (2, 2)),
    ):
        table = duel(one, two, roomy, ("row.r1:0", "row.r2:0"))
        assert form.in_contact(table.state, roomy, table.unit(0), table.unit(1)) == expected[0]
        assert form.in_contact(table.state, roomy, table.unit(1), table.unit(0)) == expected[1]
    tall = house(floors=4)
    floors = duel("levy", "levy", tall, ("house.1:0", "house.1:3"))
    assert form.in_contact(floors.state, tall, floors.unit(0), floors.unit(1)) == 5


@pytest.mark.clause("RG-ATT-3")
def test_an_attackers_character_counts_with_its_unit_strength() -> None:
    """Five of the levy and the captain touch the house: six of the garrison answer them."""
    table = Table(
        HOUSE,
        unit("levy", at="g3.4", foes={1: 0}),
        unit("levy", at="house.1:0", side=1, foes={0: 0}),
        unit("captain", at="g3.4", joined=0),
    )
    assert form.strikers(table.state, HOUSE, table.unit(0)) == {1: 5}
    assert form.strikers(table.state, HOUSE, table.unit(1)) == {0: 6}


@pytest.mark.clause("RG-ATT-3", "RG-ATT-4")
@pytest.mark.parametrize(("against", "blows"), [(-1, {0: 4, 1: 5}), (0, {0: 4, 1: 5}), (1, {0: 5, 1: 4})])
def test_a_garrisons_character_takes_a_place_against_the_enemy_it_chose(
    against: int, blows: dict[int, int]
) -> None:
    """Five of strength touch the house on each side: as much answers, the captain being one of them."""
    table = Table(
        HOUSE,
        unit("levy", at="g3.4", foes={2: 0}),
        unit("levy", at="g6.4", facing=WEST, foes={2: 0}),
        unit("levy", at="house.1:0", side=1, foes={0: 0, 1: 0}),
        unit("captain", at="house.1:0", side=1, joined=2, against=against),
    )
    assert form.strikers(table.state, HOUSE, table.unit(2)) == blows


@pytest.mark.clause("RG-ATT-3")
def test_characters_are_among_the_five_who_fight_through_an_inner_wall() -> None:
    table = Table(
        ROW,
        unit("levy", at="row.r1:0", foes={1: 0}),
        unit("levy", at="row.r2:0", side=1, foes={0: 0}),
        unit("captain", at="row.r1:0", joined=0),
        unit("general", at="row.r1:0", joined=0),
    )
    assert form.strikers(table.state, ROW, table.unit(0)) == {1: 3}
    assert form.strikers(table.state, ROW, table.unit(1)) == {0: 5}


@pytest.mark.clause("RG-SCEN-1", "RG-HOUSE-TERRAIN")
def test_the_walls_of_an_open_ruin_entrench_who_is_in_it_not_who_is_before_it() -> None:
    ruin = house(own="{garrison: {open: true}}")
    table = Table(
        ruin, unit("levy", at="house.1:ruin", foes={1: 0}), unit("levy", at="g3.4", side=1, foes={0: 0})
    )
    inside, before = table.unit(0), table.unit(1)
    assert ground.way_between(ruin, inside.place, before.place) is not None
    assert ground.entrenched(ruin, inside, before.place)
    assert not ground.entrenched(ruin, before, inside.place)
