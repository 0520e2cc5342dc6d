"""The table of terrain: everybody who names a kind of ground or obstacle reads it, and rulebooks bring their own numbers."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from battlesim.board.board import Board
from battlesim.board.draw import draw_map
from battlesim.board.load import load_map, loaded_boards
from battlesim.board.mapfile import Feature, map_schema
from battlesim.board.model import Area, Obstacle, SightRules
from battlesim.board.terrain import GROUND, OBSTACLES, UNDERFOOT
from battlesim.rulesets.finder import RULESETS, find_ruleset
from tests.board.handmade import PLAYED, Draft

ROOT = Path(__file__).resolve().parents[2]
RULEBOOK = re.compile(r"\b[A-Z]{2}-[A-Z]+-?[A-Z0-9]*\b|" + "|".join(RULESETS))


def test_the_board_names_no_rulebook_and_no_clause() -> None:
    """Not in code, not in words. A clause is two letters, a chapter, a number or word: OD-HE-5, RG-HOUSE-TERRAIN."""
    assert RULEBOOK.search("as OD-HE-5 has it")
    assert RULEBOOK.search("the orderdice way")
    for path in sorted((ROOT / "battlesim" / "board").glob("*.py")):
        assert RULEBOOK.findall(path.read_text(encoding="utf-8")) == [], path.name


def test_the_format_takes_the_kinds_of_the_table_and_tells_what_they_are() -> None:
    kinds = map_schema()["$defs"]["Feature"]["properties"]["kind"]
    assert kinds["enum"] == [*GROUND, *OBSTACLES]
    for kind in (*GROUND.values(), *OBSTACLES.values()):
        assert f"{kind.name}: {kind.says}" in kinds["description"]
    schema = map_schema()["$defs"]
    assert schema["HexCell"]["properties"]["terrain"]["enum"] == list(UNDERFOOT)
    assert schema["FreeNode"]["properties"]["terrain"]["anyOf"][0]["enum"] == list(UNDERFOOT)
    assert Feature(kind="hedge", line=[[0, 0], [1, 1]]).kind == "hedge"


def test_the_page_on_maps_has_the_table() -> None:
    page = (ROOT / "docs" / "maps.md").read_text(encoding="utf-8")
    for kind in (*GROUND.values(), *OBSTACLES.values()):
        assert f"| `{kind.name}` | {kind.says} |" in page


@pytest.mark.parametrize(
    "name", [name for name, kind in GROUND.items() if kind.sight != "hill" and kind.edge != "none"]
)
def test_every_kind_of_ground_is_drawn_in_its_colours_and_stands_in_the_key(name: str) -> None:
    square = ((500, 500), (2500, 500), (2500, 2500), (500, 2500))
    picture = draw_map(Draft([(0, 0)], areas=[Area(name, square)]).build())
    assert picture.count(GROUND[name].fill) >= 2
    assert f">{name}<" in picture


@pytest.mark.parametrize("name", list(OBSTACLES))
def test_every_kind_of_obstacle_is_drawn_and_stands_in_the_key(name: str) -> None:
    picture = draw_map(Draft([(0, 0)], obstacles=[Obstacle(name, (0, 500), (900, 500), 100)]).build())
    assert picture.count(OBSTACLES[name].colour) >= 2
    assert f">{name}<" in picture


# ---- the numbers are the rulebooks'


def woods(depth: int, **rules: int) -> Board:
    """Two places with woods of some depth between."""
    trees = Area("woods", ((1000, 0), (1000 + depth, 0), (1000 + depth, 3000), (1000, 3000)), 500)
    return Draft([(0, 1500), (3000, 1500)], areas=[trees], sight=SightRules(**rules)).build()


def test_how_deep_one_sees_into_woods_is_the_rulebook_s() -> None:
    assert not woods(100).sight.sees(0, 1)
    assert woods(400, woods_depth=400).sight.sees(0, 1)
    assert not woods(401, woods_depth=400).sight.sees(0, 1)


def test_how_far_and_how_well_an_obstacle_covers_is_the_rulebook_s() -> None:
    def cover(rules: SightRules) -> int:
        hedge = Obstacle("fence", (2700, 0), (2700, 3000), 150)
        board = Draft([(0, 1500), (3000, 1500)], obstacles=[hedge], sight=rules).build()
        return board.sight.lines(0, 1)[0].cover

    assert cover(SightRules()) == 0
    assert cover(SightRules(obstacle_reach=300, cover=(("fence", 3),))) == 3
    assert cover(SightRules(obstacle_reach=299, cover=(("fence", 3),))) == 0
    assert cover(SightRules(obstacle_reach=300, cover=(("wall", 3),))) == 0


def test_how_high_eyes_are_is_the_rulebook_s() -> None:
    wall = Obstacle("wall", (1500, 0), (1500, 3000), 120)
    assert (
        not Draft([(0, 1500), (3000, 1500)], obstacles=[wall], sight=SightRules(eye=100))
        .build()
        .sight.sees(0, 1)
    )
    assert (
        Draft([(0, 1500), (3000, 1500)], obstacles=[wall], sight=SightRules(eye=120)).build().sight.sees(0, 1)
    )


def test_two_rulebooks_on_one_map_do_not_mix() -> None:
    """Each set of rules has tables of its own, asked in turns; the same set has the same board."""
    board = woods(400, woods_depth=400)
    other = board.under(SightRules())
    assert other.under(board.sight_rules) is board
    assert board.under(SightRules()) is other
    assert board.under(SightRules(woods_depth=400)) is board
    assert board.sight.sees(0, 1)
    assert not other.sight.sees(0, 1)
    assert board.sight.sees(0, 1)
    assert other.spaces is board.spaces
    assert other.digest == board.digest


def test_boards_under_rules_are_among_those_whose_tables_are_counted() -> None:
    under = load_map("stairwell").under(PLAYED)
    assert under in loaded_boards()
    assert load_map("stairwell").under(PLAYED) is under


@pytest.mark.parametrize("name", RULESETS)
def test_a_rulebook_s_cover_is_of_things_in_the_table(name: str) -> None:
    for kind, level in find_ruleset(name).sight.cover:
        assert kind in GROUND or kind in OBSTACLES
        assert level > 0
