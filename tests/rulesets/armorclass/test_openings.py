"""Fire into openings (AC-OPEN-1)."""

from __future__ import annotations

from typing import Any

import pytest

from battlesim.core.answers import Pass
from battlesim.core.state import Structure
from battlesim.rulesets.armorclass import targets
from battlesim.rulesets.armorclass.contenders import JUDGE
from battlesim.rulesets.armorclass.facts_fire import Volley
from battlesim.rulesets.armorclass.model import Into, IntoHole
from battlesim.rulesets.armorclass.shoot import AtWhom
from tests.rulesets.armorclass.kit import NORTH, SOUTH, Table, ground, house, unit
from tests.rulesets.armorclass.test_shoot import volleys

# ---- into openings


@pytest.mark.clause("AC-OPEN-1")
@pytest.mark.parametrize(("opening", "size"), [("window", -1), ("slit", -3), ("door", 0)])
def test_an_opening_is_hit_by_its_size(opening: str, size: int) -> None:
    board = ground(
        f"""
buildings:
  - name: house
    rect: [27, 12, 33, 18]
    openings: [{{kind: {opening}, side: south, at: 0.5}}, {{kind: door, side: north, at: 0.5}}]
"""
    )
    table = Table(
        board, unit("powered_team", "g9.1", models=1), unit("militia", "house.1:0", side=1), dice=[7 + size]
    )
    table.do(AtWhom(0, side=0))
    place = table.place("house.1:0")
    number = next(o.id for o in board.openings if o.kind == opening and o.side == SOUTH)
    table.say(Into(place, number))
    assert table.events(Volley)[0].need == 7 + size
    # the whole effect area is inside: 4 x 3.14 / 36, one soldier, class 1 against factor 7 without a die
    assert table.unit(1).models == 3
    assert volleys(table) == [("into", "heavy_fusion_rifle", 1, 0, 1)]
    table.done()


@pytest.mark.clause("AC-OPEN-1", "AC-HOUSE-AIM", "AC-HOUSE-MORALE")
@pytest.mark.parametrize(
    ("standing", "own", "need"),
    [
        (False, {}, 6),
        (True, {}, 7),
        (False, {"moved": 2}, 5),
        (False, {"moved": 1}, 6),
        (False, {"suppressed": 1}, 4),
    ],
)
def test_into_an_opening_the_firer_counts_as_ever(standing: bool, own: dict[str, int], need: int) -> None:
    """At a window at short range: 7, one less for its size. The defender's concealment plays no part."""
    table = Table(
        house(),
        unit("powered_team", "g9.1", models=1, **own),
        unit("militia", "house.1:0", side=1),
        dice=[10],
    )
    table.do(AtWhom(0, standing=standing, side=0))
    table.say(next(a for a in table.legal if isinstance(a, Into)))
    assert table.events(Volley)[0].need == need
    assert volleys(table) == [("into", "heavy_fusion_rifle", 0, 0, 0)]
    assert table.unit(1).models == 4
    table.done()


@pytest.mark.clause("AC-OPEN-1")
def test_only_openings_in_the_line_of_fire_and_only_effect_areas() -> None:
    board = house()
    table = Table(board, unit("powered_team", "g9.1"), unit("militia", "g9.2"), unit("marksmen", "g8.1"))
    table.do(AtWhom(0, side=0))
    sides = {board.openings[a.opening].side for a in table.legal if isinstance(a, Into)}
    assert sides == {SOUTH}
    table.say(Pass())
    table.do(AtWhom(1, side=0))
    assert not [a for a in table.legal if isinstance(a, Into)]


@pytest.mark.clause("AC-OPEN-1", "AC-HOUSE-AREA")
def test_an_effect_area_inside_catches_its_share_of_everybody_there() -> None:
    """A blast of two inches covers 12.6 of 36: two of four, in either unit, known or not. Weapons without an area do not fire."""
    table = Table(
        house(),
        unit("heavy_tank", "g9.1"),
        unit("militia", "house.1:0", side=1),
        unit("militia", "house.1:0", side=1, detected=True),
        dice=[6],
    )
    table.do(AtWhom(0, side=0))
    table.say(next(a for a in table.legal if isinstance(a, Into)))
    assert [table.unit(n).models for n in (1, 2)] == [2, 2]
    assert volleys(table) == [("into", "blast_cannon", 1, 0, 4)]
    table.done()


@pytest.mark.clause("AC-OPEN-1", "AC-HOUSE-STRUCT", "AC-DEST-2")
@pytest.mark.parametrize(
    ("own", "need"),
    [({"breaches": [[0, NORTH]]}, 7), ({"holes": [[0, NORTH]]}, 4), ({"breaches": [[1, NORTH]]}, 0), ({}, 0)],
)
def test_holes_and_breaches_are_openings(own: dict[str, Any], need: int) -> None:
    """The northern wall is blank as built: a breach is as large as a door, a hole a slit. On the floor it was made, no other."""
    table = Table(
        house(floors=1),
        unit("powered_team", "g9.8", models=1),
        unit("militia", "house.1:0", side=1),
        structures=[Structure(0, own=own)],
        dice=[need],
    )
    place = table.place("house.1:0")
    answer = IntoHole(place, NORTH)
    listed = targets.targets(table.state, table.board, table.unit(0))
    assert (answer in listed) is bool(need)
    assert not [a for a in listed if isinstance(a, Into)]
    if not need:
        return
    table.do(AtWhom(0, side=0))
    table.say(answer)
    assert table.events(Volley)[0].need == need
    assert volleys(table) == [("into", "heavy_fusion_rifle", 1, 0, 1)]
    assert {"AC-OPEN-1", "AC-HOUSE-STRUCT"} <= table.clauses()
    assert table.unit(1).models == 3
    table.done()


@pytest.mark.clause("AC-OPEN-1")
def test_a_window_with_a_breach_beside_it_is_one_opening_and_the_breach_another() -> None:
    table = Table(
        house(), unit("powered_team", "g9.1"), structures=[Structure(0, own={"breaches": [[0, SOUTH]]})]
    )
    listed = targets.targets(table.state, table.board, table.unit(0))
    place = table.place("house.1:0")
    assert [a for a in listed if isinstance(a, IntoHole)] == [IntoHole(place, SOUTH)]
    assert [a for a in listed if isinstance(a, Into) and a.place == place]


@pytest.mark.clause("AC-OPEN-1")
@pytest.mark.parametrize(("kind", "expects"), [("powered_team", True), ("militia", False)])
def test_agents_see_a_target_in_a_hole_for_effect_areas_alone(kind: str, expects: bool) -> None:
    """Only an effect area is fired into it; what it may catch of somebody known there is what the rules' table says."""
    table = Table(
        house(floors=1),
        unit(kind, "g9.8", models=1),
        unit("militia", "house.1:0", side=1, detected=True),
        structures=[Structure(0, own={"holes": [[0, NORTH]]})],
    )
    answer = IntoHole(table.place("house.1:0"), NORTH)
    listed = targets.targets(table.state, table.board, table.unit(0))
    assert (answer in listed) is expects
    if expects:
        (found,) = JUDGE.features(table.view(0), table.board, AtWhom(0, side=0), [answer])
        assert found.dealt > 0


@pytest.mark.clause("AC-OPEN-1")
@pytest.mark.parametrize(("at", "reached"), [("g9.8", True), ("g9.9", False)])
def test_into_a_hole_an_effect_area_must_reach(at: str, reached: bool) -> None:
    """A flamer reaches nine inches, 7.5 from one place and not 10.5 from the other; the carbines beside it have no effect area.
    Nothing of theirs goes through armour of 11, so that where the hole is out of reach there is nothing to fire at at all."""
    table = Table(
        house("type: strongpoint", floors=1),
        unit("assault_team", at),
        structures=[Structure(0, own={"holes": [[0, NORTH]]})],
    )
    answer, one = IntoHole(table.place("house.1:0"), NORTH), table.unit(0)
    assert targets.targets(table.state, table.board, one) == ([answer] if reached else [])
    assert targets.has_target(table.state, table.board, one) is reached
