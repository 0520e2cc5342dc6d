"""What attacks cost structures, on walls and roofs, and what becomes of floors and of those on them (AC-DEST, AC-POINT,
AC-HOUSE-STRUCT): the edges of the rules in `damage.py`."""

from __future__ import annotations

from typing import Any

import pytest

from battlesim.core.events import Happened, ModelsLost, Placed, Rolled, StructureSet
from battlesim.core.state import Structure
from battlesim.rulesets.armorclass import damage, flames, works
from battlesim.rulesets.armorclass.data import WEAPONS
from battlesim.rulesets.armorclass.facts import Detected
from battlesim.rulesets.armorclass.facts_buildings import CrawlsOut
from battlesim.rulesets.armorclass.model import Fieldwork, Fire
from tests.rulesets.armorclass.kit import NORTH, SOUTH, Table, house, unit
from tests.rulesets.armorclass.kit import ground as field

WALL = ("AC-DEST-1", "AC-DEST-2", "AC-HOUSE-STRUCT", "AC-ATTACK-1")
HOLE = ("AC-DEST-1", "AC-DEST-2", "AC-DEST-5", "AC-ATTACK-1")


def hit(weapon: str, hits: int = 1, through: int = 1, floor: int = 0, **kw: Any) -> Table:
    """So many hits of a weapon on the southern wall of a house, some of them through it; `at="roof"`: on its roof."""
    at, board = (
        kw.pop("at", "wall"),
        kw.pop("board", None) or house(kw.pop("own", ""), floors=kw.pop("floors", 2)),
    )
    table = Table(board, unit("militia", "g1.1"), unit("militia", "g1.9", side=1), **kw)
    arm = WEAPONS[weapon]
    if at == "roof":
        damage.damage_roof(table.r, table.unit(0), arm, 0, hits, through)
    else:
        damage.damage_wall(table.r, table.unit(0), arm, 0, floor, SOUTH, hits, through)
    return table


def told(table: Table) -> list[tuple[str, int, tuple[str, ...]]]:
    return [(e.what, getattr(e, "number", 0), e.clauses) for e in table.events(Happened)]


def record(table: Table) -> dict[str, Any]:
    return works.record(table.state, 0)


# ---- walls


@pytest.mark.clause("AC-DEST-2", "AC-DEST-5")
@pytest.mark.parametrize(
    ("weapon", "what"),
    [
        ("piercer_launcher", None),
        ("rotary_gun", None),
        ("light_cannon", "small hole"),
        ("particle_cannon", "hole"),  # half an inch
        ("heavy_cannon", "hole"),
    ],
)
def test_infantry_weapons_leave_not_even_a_hole(weapon: str, what: str | None) -> None:
    table = hit(weapon)
    width = WEAPONS[weapon].hole
    assert told(table) == ([] if what is None else [(what, width, HOLE)])
    assert record(table) == ({"holes": ((0, SOUTH),)} if what == "hole" else {})


@pytest.mark.clause("AC-DEST-2", "AC-DEST-1")
def test_a_breach_names_what_made_it_and_is_made_once() -> None:
    table = hit("hammerhead_launcher")
    assert told(table) == [("breached", SOUTH, WALL)]
    assert table.events(Happened)[0].place == table.place("house.1:0")
    damage.damage_wall(table.r, table.unit(0), WEAPONS["hammerhead_launcher"], 0, 0, SOUTH, 1, 1)
    assert len(table.events(Happened)) == 1
    damage.damage_wall(table.r, table.unit(0), WEAPONS["heavy_cannon"], 0, 1, NORTH, 1, 1)
    damage.damage_wall(table.r, table.unit(0), WEAPONS["heavy_cannon"], 0, 1, NORTH, 1, 1)
    assert [what for what, _, _ in told(table)] == ["breached", "hole"]
    assert record(table) == {"breaches": ((0, SOUTH),), "holes": ((1, NORTH),)}


@pytest.mark.clause("AC-DEST-1")
@pytest.mark.parametrize("weapon", ["hammerhead_launcher", "heavy_cannon"])
def test_what_does_not_go_through_or_strikes_what_is_gone_does_nothing(weapon: str) -> None:
    assert hit(weapon, through=0).events(StructureSet) == []
    for gone, floor in ((1, 1), (0, 0)):
        ruined = hit(weapon, floor=floor, structures=[Structure(0, fallen=gone == 0, own={"gone": gone})])
        assert ruined.r.log == []
    assert hit("howitzer", at="roof", structures=[Structure(0, fallen=True, own={"gone": 0})]).r.log == []
    standing = hit(weapon, floor=0, structures=[Structure(0, own={"gone": 1})])
    assert standing.happened() != []


@pytest.mark.clause("AC-DEST-4")
@pytest.mark.parametrize("at", ["wall", "roof"])
@pytest.mark.parametrize("through", [0, 1])
def test_where_damage_is_ignored_it_is_told_that_something_went_through_no_more(
    at: str, through: int
) -> None:
    for weapon in ("howitzer", "heavy_cannon"):
        table = hit(weapon, through=through, at=at, floors=1, options={"damage": "ignored"})
        assert told(table) == [("ignored", 0, ("AC-DEST-4",))] * through
        assert table.events(StructureSet) == []


# ---- points


@pytest.mark.clause("AC-POINT-1", "AC-POINT-2", "AC-POINT-3", "AC-POINT-6", "AC-ATTACK-1")
@pytest.mark.parametrize("at", ["wall", "roof"])
@pytest.mark.parametrize(
    ("variant", "weapon", "hits", "through", "lost"),
    [
        ("1", "heavy_cannon", 3, 0, 0),
        ("1", "heavy_cannon", 3, 1, 1),
        ("1", "howitzer", 3, 2, 2),
        ("2", "light_cannon", 3, 0, 3),
        ("2", "light_cannon", 3, 2, 15),
        ("2", "hammerhead_launcher", 1, 1, 9),
        ("3", "light_cannon", 3, 2, 15),
        ("3", "hammerhead_launcher", 2, 1, 20),
    ],
)
def test_hits_cost_points_by_the_variant(
    at: str, variant: str, weapon: str, hits: int, through: int, lost: int
) -> None:
    """A factor of 7 for the light cannon, 9 and an effect area for the hammerhead: nothing is breached, points stand instead."""
    assert (WEAPONS["light_cannon"].factor, WEAPONS["hammerhead_launcher"].factor) == (7, 9)
    table = hit(weapon, hits, through, at=at, floors=1, own="points: 40", options={"damage": variant})
    named = (f"AC-POINT-{variant}", "AC-POINT-6", "AC-ATTACK-1")
    assert told(table) == ([("points", lost, named)] if lost else [])
    assert [e.clauses for e in table.events(StructureSet)] == ([named] if lost else [])
    assert record(table) == ({"lost": lost} if lost else {})


@pytest.mark.clause("AC-POINT-4", "AC-POINT-6", "AC-HOUSE-POINTS", "AC-DEST-3")
@pytest.mark.parametrize(("before", "fallen"), [(4, False), (5, True), (0, False)])
def test_points_add_up_until_none_is_left(before: int, fallen: bool) -> None:
    """Six by the default of variant 1. One that is down loses no more."""
    table = hit(
        "heavy_cannon",
        structures=[Structure(0, own={"lost": before})] if before else (),
        options={"damage": "1"},
    )
    assert record(table)["lost"] == before + 1
    assert table.state.structures[0].fallen is fallen
    named = ("AC-POINT-1", "AC-POINT-6", "AC-ATTACK-1", "AC-POINT-4", "AC-HOUSE-POINTS")
    assert told(table) == [
        ("points", 1, named),
        *([("collapsed", 0, (*named, "AC-DEST-3"))] if fallen else []),
    ]
    count = len(table.r.log)
    damage.take_points(table.r, 0, 1, 1, WEAPONS["heavy_cannon"])
    assert (len(table.r.log) == count) is fallen


@pytest.mark.clause("AC-POINT-6")
def test_no_more_points_are_lost_than_there_are() -> None:
    table = hit("howitzer", own="points: 3", options={"damage": "3"})
    assert record(table) == {"lost": 3, "gone": 0}


# ---- roofs


@pytest.mark.clause("AC-DEST-1", "AC-DEST-2", "AC-HOUSE-STRUCT", "AC-HOUSE-INDIRECT")
@pytest.mark.parametrize(
    ("weapon", "through", "floors", "flat", "left"),
    [
        ("howitzer", 1, 2, False, 1),
        ("howitzer", 0, 2, False, 2),
        ("howitzer", 1, 1, False, 0),
        ("howitzer", 1, 2, True, 1),  # of three spaces: the roof falls with the floor under it
        ("howitzer", 1, 1, True, 0),
        ("mortar", 1, 2, False, 2),  # too small for half of 36
    ],
)
def test_from_above_the_top_floor_is_destroyed(
    weapon: str, through: int, floors: int, flat: bool, left: int
) -> None:
    table = hit(weapon, through=through, at="roof", board=house(floors=floors, flat=flat))
    whole = floors + flat
    assert works.floors_left(table.state, table.board, 0) == (left if through and left < floors else whole)
    if left < floors and through:
        named = ("AC-DEST-1", "AC-DEST-2", "AC-DEST-3", "AC-HOUSE-STRUCT", "AC-HOUSE-INDIRECT")
        assert told(table) == [("collapsed" if left == 0 else "floor destroyed", left, named)]


# ---- floors and those on them


@pytest.mark.clause("AC-HOUSE-STRUCT", "AC-DEST-3")
@pytest.mark.parametrize(
    ("dice", "lost", "acted"), [([7, 8, 9, 1], 2, False), ([8, 8, 8, 8], 0, True), ([7, 7, 7, 7], 4, False)]
)
def test_who_falls_dies_on_1_to_7_or_lands_outside_suppressed(
    dice: list[int], lost: int, acted: bool
) -> None:
    """For one activation: this turn's, where it is yet to come, else the next."""
    table = Table(
        house(), unit("militia", "house.1:1", acted=acted), unit("militia", "g1.1", side=1), dice=[dice]
    )
    damage.destroy_floor(table.r, 0, 0, ("AC-DEST-3",))
    mine = table.unit(0)
    assert (mine.models, mine.alive) == (4 - lost, lost < 4)
    assert [(e.lost, e.how) for e in table.events(ModelsLost)] == ([(lost, "buried")] if lost else [])
    named = ("AC-DEST-3", "AC-HOUSE-STRUCT")
    if lost < 4:
        assert table.board.spaces[mine.place].kind == "ground"
        assert mine.own.suppressed == 1 + acted
        assert mine.own.lost == lost
        assert told(table)[1:] == [("crawls out", 0, named)]
    table.dice.done()


@pytest.mark.clause("AC-HOUSE-STRUCT")
def test_floors_below_stand_and_those_on_them_feel_nothing() -> None:
    table = Table(
        house(floors=3),
        *(unit("militia", f"house.1:{floor}", models=1) for floor in range(3)),
        unit("militia", "g1.1", side=1),
        dice=[7, 7],
    )
    damage.destroy_floor(table.r, 0, 1, ("AC-DEST-3",))
    assert [table.unit(n).alive for n in range(3)] == [True, False, False]
    assert works.floors_left(table.state, table.board, 0) == 1
    table.dice.done()


@pytest.mark.clause("AC-HOUSE-STRUCT")
@pytest.mark.parametrize("free", [True, False])
def test_who_finds_no_free_ground_is_lost(free: bool) -> None:
    board = field(
        """
buildings:
  - name: house
    rect: [0, 0, 6, 6]
    openings: [{kind: door, side: east, at: 0.5}]
""",
        size=(9, 6),
    )
    spots = [s.name for s in board.spaces if s.kind == "ground" and not (free and s.id == 0)]
    table = Table(
        board,
        unit("militia", "house.1:0", models=1),
        *(unit("militia", at, side=1) for at in spots),
        dice=[8],
    )
    damage.destroy_floor(table.r, 0, 0, ("AC-DEST-3",))
    assert [(e.unit, e.how) for e in table.events(ModelsLost)] == ([] if free else [(0, "no way out")])
    assert ("crawls out" in table.happened()) is free
    assert table.unit(0).place == (0 if free else -1)


@pytest.mark.clause("AC-DEST-2", "AC-DEST-3")
@pytest.mark.parametrize(
    ("radius", "down", "near"),
    [(450, True, True), (449, False, True), (300, False, True), (299, False, False)],
)
def test_a_nuclear_warhead_takes_what_its_circle_touches(radius: int, down: bool, near: bool) -> None:
    """It goes off on a trench four and a half inches from the house, between two others three inches away; friend or foe."""
    trenches = ("g9.2", "g9.1", "g9.3")
    table = Table(
        house(),
        *(unit("militia", at, side=n % 2) for n, at in enumerate(trenches)),
        unit("tank", "house.1:1"),
    )
    table.r.set_extra(
        fieldworks=tuple(Fieldwork("trench", n, 7) for n in sorted(map(table.place, trenches))), burnt=(0,)
    )
    damage.nuclear(table.r, table.board.spaces[table.place("g9.2")].point, radius)
    gone = [True, near, near, down]
    assert [not table.unit(n).alive for n in range(4)] == gone
    assert (works.floors_left(table.state, table.board, 0) == 0) is down
    lost = table.events(ModelsLost)
    assert sorted(e.unit for e in lost) == [n for n in range(4) if gone[n]]
    assert all((e.how, e.left, e.clauses) == ("vaporised", 0, ("AC-DEST-2", "AC-DEST-3")) for e in lost)
    left = {table.board.spaces[work.place].name for work in table.state.extra.fieldworks}
    assert left == (set() if near else {"g9.1", "g9.3"})
    burnt = [table.board.spaces[place].name for place in table.state.extra.burnt]
    assert burnt[0] == "g0.0"
    assert set(trenches) & set(burnt) == set(trenches) - left


# ---- the collapse check


@pytest.mark.clause("AC-POINT-5", "AC-HOUSE-POINTS")
def test_each_damaged_structure_that_stands_is_checked_in_order() -> None:
    row = """
  - name: {name}
    rect: [{x}, 12, {right}, 18]
    own: {{armour: {{points: 10}}}}
    openings: [{{kind: door, side: north, at: 0.5}}]
"""
    board = field(
        "buildings:" + "".join(row.format(name=f"h{n}", x=3 + 9 * n, right=9 + 9 * n) for n in range(6))
    )
    lost = [4, 1, 9, 10, 5, 0]
    table = Table(
        board,
        dice=[7, 9, 1, 5],
        structures=[
            Structure(n, fallen=n == 3, own={"lost": k, **({"gone": 0} if n == 3 else {})})
            for n, k in enumerate(lost)
        ],
        options={"damage": "3", "collapse": True},
    )
    damage.collapse_checks(table.r)
    assert [table.state.structures[n].fallen for n in range(6)] == [True, False, False, True, False, False]
    assert told(table) == [("collapsed", 0, ("AC-POINT-5", "AC-HOUSE-POINTS", "AC-DEST-3"))]
    assert [(e.need, e.sides) for e in table.events(Rolled)] == [(n, 10) for n in (7, 10, 2, 6)]
    table.dice.done()


@pytest.mark.clause("AC-FIRE-4", "AC-HOUSE-FIRE", "AC-HOUSE-STRUCT")
def test_who_crawls_out_onto_burning_ground_is_burnt() -> None:
    """Two of three live on (8 or more); the fire before the house takes one of them (factor 5 against class 1: on 2), and the
    other at the end of the turn, with a die of its own."""
    board = house(more="terrain:\n  - {kind: woods, rect: [0, 0, 60, 30]}")
    table = Table(
        board, unit("militia", "house.1:0", models=3), dice=[[8, 8, 1], [2, 1], [2]], options={"fires": True}
    )
    table.r.set_extra(fires=(Fire(0, tuple((s.id, 1) for s in board.spaces if s.kind == "ground")),))
    damage.destroy_floor(table.r, 0, 0, ())
    assert table.happened() == ["collapsed", "crawls out", "in the fire"]
    assert table.unit(0).models == 1
    flames.burn_all(table.r)
    assert not table.unit(0).alive
    burns = [(e.actor, e.object, e.attempt) for e in table.events(Rolled) if e.purpose == "burns"]
    assert len(set(burns)) == 2
    table.done()


@pytest.mark.clause("AC-HOUSE-STRUCT", "AC-HOUSE-DETECT")
def test_who_crawls_out_where_a_hidden_enemy_is_finds_him_and_goes_on() -> None:
    """The enemy on the nearest ground is found, and finds the team; the next nearest is free."""
    alone = Table(house(), unit("militia", "house.1:0"), unit("militia", "g1.1", side=1), dice=[[8] * 4])
    damage.destroy_floor(alone.r, 0, 0, ("AC-DEST-3",))
    nearest = alone.where(0)
    table = Table(house(), unit("militia", "house.1:0"), unit("militia", nearest, side=1), dice=[[8] * 4])
    damage.destroy_floor(table.r, 0, 0, ("AC-DEST-3",))
    assert table.where(0) not in ("", nearest)
    assert [(e.unit, e.target) for e in table.events(Detected)] == [(0, 1), (1, 0)]
    table.done()


@pytest.mark.clause("AC-HOUSE-DETECT", "AC-HOUSE-STRUCT")
@pytest.mark.parametrize("seen", [False, True])
def test_who_crawls_out_of_sight_is_hidden_again_and_nobody_learns_where(seen: bool) -> None:
    """The only enemy is in a bunker, which has no sight out of it, or in the open."""
    board = field("""
buildings:
  - name: house
    rect: [27, 12, 33, 18]
    openings: [{kind: door, side: west, at: 0.5}]
  - name: shelter
    rect: [3, 12, 9, 18]
    own: {armour: {type: bunker}}
    openings: [{kind: door, side: west, at: 0.5}]
""")
    table = Table(
        board,
        unit("militia", "g9.9" if seen else "shelter.1:0"),
        unit("militia", "house.1:0", side=1, detected=True),
        dice=[[8] * 4],
    )
    damage.destroy_floor(table.r, 0, 0, ("AC-DEST-3",))
    assert table.unit(1).own.detected is seen
    (crawled,) = [e for e in table.view(0).news if isinstance(e, CrawlsOut)]
    assert (crawled.place >= 0) is seen
    assert bool([e for e in table.view(0).news if isinstance(e, Placed)]) is seen
    table.done()
