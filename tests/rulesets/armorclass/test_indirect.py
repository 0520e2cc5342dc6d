"""Shells on roofs: what they must go through, whom they meet (AC-DEST-1, AC-HOUSE-INDIRECT)."""

from __future__ import annotations

from typing import Any

import pytest

from battlesim.core.answers import TargetUnit
from battlesim.core.events import Rolled
from battlesim.core.state import Structure
from battlesim.rulesets.armorclass import concealment, estimates_above, works
from battlesim.rulesets.armorclass.expected import Toll
from battlesim.rulesets.armorclass.facts_fire import Volley
from battlesim.rulesets.armorclass.model import Fieldwork, Lob, Search
from battlesim.rulesets.armorclass.shoot import AtWhom
from tests.rulesets.armorclass.kit import NORTH, Table, ground, house, unit


def purposes(table: Table) -> list[str]:
    return [event.purpose for event in table.events(Rolled)]


# ---- over roofs


def _lob(own: str, dice: list[object], **more: object) -> Table:
    table = Table(
        house(own),
        unit("mortar_team", "g5.3", models=1),
        unit("militia", "house.1:1", side=1, detected=True),
        dice=dice,  # type: ignore[arg-type]
    )
    table.do(AtWhom(0, side=0))
    table.say(Lob(table.place("house.1:1")))
    return table


@pytest.mark.clause("AC-HOUSE-INDIRECT", "AC-TABLE-2")
def test_it_meets_the_roof_and_the_top_floor() -> None:
    """A mortar of factor 5 and 1.5 inches on thatch (1): through on 2; one of four, class 1, on 2."""
    table = _lob("roof: thatch", [4, 2, 2])
    assert table.unit(1).models == 3
    assert "roof +" in table.happened()
    assert {"AC-HOUSE-INDIRECT", "AC-TABLE-2"} <= table.clauses()
    table.done()


@pytest.mark.clause("AC-TABLE-3", "AC-HOUSE-INDIRECT")
def test_reinforced_concrete_keeps_9() -> None:
    table = _lob("roof: reinforced_concrete", [4, 9])  # 10 would do
    assert table.unit(1).models == 4
    assert "roof -" in table.happened()
    assert "AC-TABLE-3" in table.clauses()
    table.done()


@pytest.mark.clause("AC-HOUSE-INDIRECT")
def test_off_target_it_lands_d10_inches_off() -> None:
    table = _lob("roof: thatch", [5, 1, 9])  # east, 9 inches: open ground at (39, 15)
    assert table.unit(1).models == 4
    rolled = [e.purpose for e in table.events(Rolled)]
    assert rolled == ["off target", "direction", "inches off"]
    table.done()


@pytest.mark.clause("AC-HOUSE-INDIRECT", "AC-TYPE-7")
@pytest.mark.parametrize(("roof", "lost"), [(0, 4), (6, 0)])
def test_open_trenches_have_no_roof(roof: int, lost: int) -> None:
    table = Table(
        ground(),
        unit("mortar_team", "g1.1", models=1),
        unit("militia", "g9.1", side=1, detected=True),
        dice=[4, *([[2, 2, 2, 2], 7] if not roof else [6])],  # type: ignore[list-item]
    )
    table.r.set_extra(fieldworks=(Fieldwork("trench", table.place("g9.1"), 7, roof),))
    table.do(AtWhom(0, side=0))
    table.say(Lob(table.place("g9.1")))
    assert table.unit(1).models == 4 - lost
    assert "AC-TYPE-7" in table.clauses() or not lost
    table.done()


@pytest.mark.clause("AC-HOUSE-INDIRECT")
def test_a_place_that_no_friend_sees_is_not_lobbed_at() -> None:
    wall = house()
    far = Table(wall, unit("mortar_team", "g9.1"), unit("militia", "g9.8", side=1))
    far.do(AtWhom(0, side=0))
    assert Lob(far.place("g9.8")) not in (far.legal if far.ask else [])
    seen = Table(wall, unit("mortar_team", "g9.1"), unit("militia", "g9.8", side=1, detected=True))
    seen.do(AtWhom(0, side=0))
    assert Lob(seen.place("g9.8")) in seen.legal
    assert TargetUnit(1) not in seen.legal


# ---- flat roofs


def shelled(dice: list[Any], at: str, *others: dict[str, Any], firer: str = "mortar_team") -> Table:
    """One shell, aimed true, at a house of two floors and a flat roof of reinforced concrete (class 9)."""
    table = Table(
        house(flat=True), unit(firer, "g5.3", models=1), unit("militia", "g8.2"), *others, dice=[4, *dice]
    )
    table.do(AtWhom(0, side=0))
    table.say(Lob(table.place(at)))
    return table


def on(place: str) -> dict[str, Any]:
    return unit("militia", place, side=1, detected=True)


@pytest.mark.clause("AC-HOUSE-INDIRECT", "AC-TABLE-3")
@pytest.mark.parametrize(("face", "through"), [(9, False), (10, True)])
def test_over_whoever_stands_on_a_flat_roof_there_is_none(face: int, through: bool) -> None:
    """Factor 5: the team on the roof is met at once, the one below through 9, on 10, the ground floor never."""
    under = [[2]] if through else []
    table = shelled([[2], face, *under], "house.1:2", on("house.1:2"), on("house.1:1"), on("house.1:0"))
    assert [table.unit(n).models for n in (2, 3, 4)] == [3, 3 if through else 4, 4]
    assert ("roof +" in table.happened()) is through
    assert purposes(table)[1:3] == ["armour", "roof"]
    table.done()


@pytest.mark.clause("AC-HOUSE-STRUCT", "AC-DEST-2")
def test_a_flat_roof_falls_with_the_floor_under_it() -> None:
    """A howitzer of 8 goes through 9 on 7 and covers more than half: the upper floor is gone and the roof on it."""
    table = shelled([7], "house.1:2", firer="self_propelled_howitzer")
    assert works.floors_left(table.state, table.board, 0) == 1
    table.done()


@pytest.mark.clause("AC-HOUSE-STRUCT")
def test_a_house_of_which_only_the_ground_floor_stands_falls_to_the_next_shell() -> None:
    for flat in (
        True,
        False,
    ):  # nothing is left of the flat roof: what is over the ground floor is a roof like any other
        table = Table(
            house("roof: reinforced_concrete", flat=flat),
            unit("self_propelled_howitzer", "g5.3"),
            unit("militia", "g8.2"),
            dice=[4, 7],
            structures=[Structure(0, own={"gone": 1})],
        )
        table.do(AtWhom(0, side=0))
        table.say(Lob(table.place("house.1:0")))
        assert table.state.structures[0].fallen
        table.done()


@pytest.mark.clause("AC-HOUSE-CONCEAL")
@pytest.mark.parametrize("fired", [-1, 2])
def test_a_parapet_hides_one_to_two_thirds(fired: int) -> None:
    table = Table(house(flat=True), unit("militia", "house.1:2", fired=fired))
    assert concealment.level_of(table.state, table.board, table.unit(0)) == concealment.TWO_THIRDS


@pytest.mark.clause("AC-HOUSE-INDIRECT")
@pytest.mark.parametrize(("at", "can"), [("house.1:2", True), ("house.1:1", False), ("g9.2", True)])
def test_inside_nobody_lobs_save_from_a_flat_roof(at: str, can: bool) -> None:
    table = Table(house(flat=True), unit("mortar_team", at), unit("militia", "g3.1", side=1, detected=True))
    table.do(AtWhom(0, side=0))
    assert (Lob(table.place("g3.1")) in (table.legal if table.ask else [])) is can


@pytest.mark.clause("AC-KNOWN-1", "AC-EXPL-1")
def test_a_flat_roof_has_no_walls_to_fire_through() -> None:
    table = Table(house(flat=True), unit("gun_team", "g9.2"))
    table.do(AtWhom(0, side=0))
    searched = {answer.place for answer in table.legal if isinstance(answer, Search)}
    assert searched == {table.place("house.1:0"), table.place("house.1:1")}


# ---- where it may be aimed


@pytest.mark.clause("AC-HOUSE-INDIRECT")
@pytest.mark.parametrize(
    ("spotter", "opened", "can"),
    [
        ("g9.9", False, True),  # in the open, beyond the house
        ("house.1:0", False, False),  # behind its blank wall
        ("house.1:0", True, True),  # once there is a hole in it
        ("", False, False),
    ],
)
def test_a_spotter_must_see_the_place(spotter: str, opened: bool, can: bool) -> None:
    """A field work behind the house, and a mortar before it."""
    friends = [unit("militia", spotter)] if spotter else []
    table = Table(
        house(),
        unit("mortar_team", "g9.1"),
        *friends,
        structures=[Structure(0, own={"holes": [[0, NORTH]]})] if opened else [],
    )
    table.r.set_extra(fieldworks=(Fieldwork("trench", table.place("g9.7"), 7),))
    table.do(AtWhom(0, side=0))
    assert (Lob(table.place("g9.7")) in (table.legal if table.ask else [])) is can


@pytest.mark.clause("AC-TYPE-3", "AC-HOUSE-INDIRECT")
@pytest.mark.parametrize(("kind", "can"), [("bunker", False), ("building", True)])
def test_nobody_spots_from_a_bunker(kind: str, can: bool) -> None:
    board = ground(
        f"""
terrain:
  - {{kind: hill, rect: [9, 0, 12, 30], height: 30}}
buildings:
  - name: hole
    material: concrete
    rect: [27, 12, 33, 18]
    own: {{armour: {{type: {kind}}}}}
    openings: [{{kind: door, side: south, at: 0.5}}]
"""
    )
    table = Table(board, unit("mortar_team", "g1.1"), unit("militia", "hole.1:0"))
    table.r.set_extra(fieldworks=(Fieldwork("trench", table.place("g9.2"), 7),))
    table.do(AtWhom(0, side=0))
    assert (Lob(table.place("g9.2")) in (table.legal if table.ask else [])) is can


@pytest.mark.clause("AC-HOUSE-INDIRECT", "AC-HOUSE-MORALE")
@pytest.mark.parametrize(("suppressed", "need"), [(0, 4), (1, 2)])
def test_it_hits_on_1_to_4_and_less_for_the_suppressed(suppressed: int, need: int) -> None:
    for face in (need, need + 1):
        table = Table(
            ground(),
            unit("mortar_team", "g1.1", models=1, suppressed=suppressed),
            unit("militia", "g9.1", side=1, models=1, detected=True),
            dice=[face, 2] if face == need else [face, 3, 10],
        )
        table.do(AtWhom(0, side=0))
        table.say(Lob(table.place("g9.1")))
        (volley,) = table.events(Volley)
        assert (volley.need, volley.hits) == (need, face == need)
        table.done()


@pytest.mark.clause("AC-HOUSE-INDIRECT", "AC-HOUSE-AREA")
@pytest.mark.parametrize(("inches", "met"), [(1, True), (2, False)])
def test_what_is_meant_for_a_space_and_lands_within_it_is_on_the_spot(inches: int, met: bool) -> None:
    """North-east of the middle of a square of three inches: one inch is within it, two are out of it and not yet in the next."""
    table = Table(
        ground(),
        unit("rifle_team", "g1.1", models=1),
        unit("militia", "g5.1", side=1, detected=True),
        unit("militia", "g6.2", side=1, detected=True),
        dice=[5, 2, inches, *([[3, 2]] if met else [])],
    )
    table.do(AtWhom(0, side=0))
    table.say(Lob(table.place("g5.1")))
    assert [table.unit(n).models for n in (1, 2)] == [3 if met else 4, 4]
    table.done()


# ---- what agents expect of it


def tolls(table: Table, at: str) -> Toll:
    """What a shell of unit 0 at a place is expected to cost unit 1."""
    outcome = estimates_above.lobbed(table.state, table.board, table.unit(0), table.place(at))
    return next((toll for one, toll in outcome.tolls if one.id == 1), Toll())


@pytest.mark.clause("AC-HOUSE-INDIRECT")
def test_agents_expect_of_a_shell_what_the_rules_do() -> None:
    """On a flat roof nothing is over a team, on the upper floor the roof is, and of the ground floor nobody is met at all."""
    lost = [
        tolls(Table(house(flat=True), unit("self_propelled_howitzer", "g2.2"), on(at)), at).lost
        for at in ("house.1:2", "house.1:1", "house.1:0")
    ]
    assert lost[0] > lost[1] > lost[2] == 0


@pytest.mark.clause("AC-TYPE-4", "AC-HOUSE-INDIRECT")
def test_agents_expect_cover_only_where_there_is_room() -> None:
    """Two soldiers are under the cover of a foxhole, three are not."""
    shares = []
    for models in (2, 3):
        for roof in (9, 0):
            table = Table(
                ground(),
                unit("self_propelled_howitzer", "g2.2"),
                unit("militia", "g12.3", side=1, models=models, detected=True),
            )
            table.r.set_extra(fieldworks=(Fieldwork("foxhole", table.place("g12.3"), 7, roof),))
            shares.append(tolls(table, "g12.3").lost / models)
    assert shares[0] < shares[1]
    assert shares[2] == shares[3]
