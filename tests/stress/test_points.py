"""What a factor changes in a scenario: entries added and taken away, doors, walls, stairs, zones."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from battlesim import load_scenario, parameters
from battlesim.core.errors import InputError
from battlesim.rules.scenario import Scenario
from battlesim.scenario.changes import with_changes, with_map_changes
from battlesim.scenario.load import first_state
from battlesim.stress.config import Factor, parse_factor
from battlesim.stress.leaves import leaves
from battlesim.stress.points import Varied

STAIRS = load_scenario("stairwell")


def at(level: Any, **factor: Any) -> Scenario:
    """The scenario with one factor at a level."""
    return Varied(STAIRS, ("rush", "rush"), [Factor(**factor)]).scenario_at((level,))


def test_a_unit_more_and_a_unit_less() -> None:
    entry = {"type": "rifle_section", "zone": "west"}
    for count in (0, 1, 3):
        forces = at(count, path="forces.Red.units[+]", entry=entry).forces
        assert len(forces) == len(STAIRS.forces) + count
        assert sum(force.side == 0 for force in forces) == 5 + count
    fewer = at(False, path='forces.Blue.units["small*"].present').forces
    left = {force.name for force in fewer}
    assert [force.name for force in STAIRS.forces if force.name not in left] == [
        "Blue ground floor",
        "Blue corner",
    ]
    assert at(True, path='forces.Blue.units["small*"].present').forces == STAIRS.forces


def test_several_entries_taken_away_by_two_factors() -> None:
    factors = [Factor(path=f"forces.Red.units[{number}].present") for number in (0, 4)]
    found = Varied(STAIRS, ("rush", "rush"), factors).scenario_at((False, False))
    assert [force.name for force in found.forces if force.side == 0] == [
        "Red first floor",
        "Red officer",
        "Red yard",
    ]


def test_a_door_more_and_a_window_less() -> None:
    def openings(scenario: Scenario, kind: str) -> int:
        return sum(opening.kind == kind for opening in scenario.board.openings)

    door = {"kind": "door", "side": "north"}
    assert openings(at(1, path='map.sections["house.west"].openings[+]', entry=door), "door") == 3
    assert openings(STAIRS, "door") == 2
    shut = at(False, path='map.sections["house.west"].openings["window"].present')
    assert 0 < openings(shut, "window") < openings(STAIRS, "window")


def test_stairs_are_taken_away_and_put_back() -> None:
    def flights(scenario: Scenario) -> list[str]:
        return [scenario.board.spaces[way.a].name for way in scenario.board.ways if way.kind == "stairs"]

    every = flights(STAIRS)
    path = 'map.sections["house.west"].stairs[1].present'
    assert flights(at(False, path=path)) == [name for name in every if name != "house.west:1"]
    assert flights(at(True, path=path)) == every
    gone = at(False, path='map.sections["house.*"].stairs["*"].present')
    assert flights(gone) == []
    factors = [Factor(path=f'map.sections["house.west"].stairs[{floor}].present') for floor in (0, 2)]
    both = Varied(STAIRS, ("rush", "rush"), factors)
    assert flights(both.scenario_at((False, False))) == [
        n for n in every if n not in ("house.west:0", "house.west:2")
    ]
    assert flights(both.scenario_at((False, True))) == [n for n in every if n != "house.west:0"]
    assert both.usual(0) is True
    assert Varied(gone, ("rush", "rush"), factors).usual(0) is False
    assert flights(Varied(gone, ("rush", "rush"), factors).scenario_at((True, False))) == ["house.west:0"]


def longhouse(tmp_path: Path) -> Scenario:
    """A scenario on a map of its own: a barn so long that it is cut into sections, and a tower of three floors."""
    door = "openings: [{kind: door, side: west, at: 0.5}]"
    (tmp_path / "longhouse.yaml").write_text(
        f"""name: longhouse
size: [40, 24]
ground: {{kind: lattice, pitch: 3}}
buildings:
  - {{name: barn, rect: [3, 3, 19, 9], {door}}}
  - {{name: tower, rect: [24, 9, 30, 15], floors: 3, {door}}}
"""
    )
    (tmp_path / "mine.yaml").write_text(
        """name: mine
ruleset: orderdice
map: longhouse.yaml
turns: 4
sides: [{name: Red}, {name: Blue}]
forces:
  - {side: Red, type: rifle_section, at: g1.4}
  - {side: Blue, type: rifle_section, at: g12.6}
objectives: [{kind: hold, buildings: [tower]}]
"""
    )
    return load_scenario(str(tmp_path / "mine.yaml"))


def test_stairs_are_those_of_the_building_that_is_named_where_another_is_cut_into_sections(
    tmp_path: Path,
) -> None:
    own = longhouse(tmp_path)
    assert len(own.board.buildings["barn"]) > 1
    path = 'map.sections["tower"].stairs[1].present'
    assert path in {leaf.path for leaf in leaves(own)}
    varied = Varied(own, ("rush", "rush"), [Factor(path=path)])
    board = varied.scenario_at((False,)).board
    assert varied.usual(0) is True
    assert [board.spaces[way.a].name for way in board.ways if way.kind == "stairs"] == ["tower.1:0"]


@pytest.mark.parametrize(
    ("floors", "first", "flights"),
    [(2, True, [0, 1]), (2, False, [1]), (4, True, [0, 1, 2, 3]), (4, False, [1, 2, 3]), (3, False, [1, 2])],
)
def test_stairs_go_with_their_floors_where_both_are_varied(
    floors: int, first: bool, flights: list[int]
) -> None:
    def left(scenario: Scenario) -> list[int]:
        spaces = scenario.board.spaces
        ways = [way for way in scenario.board.ways if way.kind == "stairs"]
        return [spaces[way.a].floor for way in ways if spaces[way.a].name.startswith("house.west")]

    of_floors = Factor(path='map.sections["house.west"].floors', levels=(2, 3, 4))
    of_stairs = Factor(path='map.sections["house.west"].stairs[0].present')
    both = Varied(STAIRS, ("rush", "rush"), [of_floors, of_stairs])
    assert left(both.scenario_at((floors, first))) == flights  # one more leads up to the roof
    listed = Varied(both.scenario_at((None, first)), ("rush", "rush"), [of_floors])
    assert left(listed.scenario_at((floors,))) == flights


def test_stairs_of_a_building_of_one_floor_are_told(tmp_path: Path) -> None:
    own = longhouse(tmp_path)
    path = 'map.sections["{}"].stairs["*"].present'
    with pytest.raises(InputError, match="no part that it names has more than one floor"):
        Varied(own, ("rush", "rush"), [Factor(path=path.format("barn"))])
    assert len(Varied(own, ("rush", "rush"), [Factor(path=path.format("*"))]).places[0]) == 2


def test_a_section_is_not_put_out_where_the_map_says_that_the_whole_building_burns() -> None:
    drones = with_changes(load_scenario("drones"), {"options.fires": True})
    burning = with_map_changes(drones, {"buildings[0].burning": True})
    section, whole = 'map.sections["house.west"].burning', 'map.buildings["house"].burning'
    remedy = re.escape(f"cannot undo what the map says of the whole of 'house'; write {whole}")
    with pytest.raises(InputError, match=remedy):
        Varied(burning, ("rush", "rush"), [Factor(path=section, levels=(True, False))])
    put_out = Varied(burning, ("rush", "rush"), [Factor(path=whole, levels=(True, False))])
    assert not any(one.burning for one in put_out.scenario_at((False,)).board.sections)
    listed = {leaf.path: leaf.value for leaf in leaves(burning)}
    assert section not in listed
    assert listed[whole] is True
    assert section in {leaf.path for leaf in leaves(drones)}


def test_sections_may_stand_for_their_building() -> None:
    made = at("stone", path='map.sections["house.*"].material').board
    assert {section.material for section in made.sections} == {"stone"}


def test_a_wall_between_two_sections() -> None:
    walled = at(False, path='map.connections["house.east - house.west"].present').board
    assert all(not others for section in walled.sections for others in section.adjoining)
    assert any(others for section in STAIRS.board.sections for others in section.adjoining)
    again = Varied(
        STAIRS, ("rush", "rush"), [Factor(path='map.connections["house.west - house.east"].present')]
    )
    assert again.usual(0) is True
    opened = again.scenario_at((True,)).board
    assert [section.adjoining for section in opened.sections] == [
        section.adjoining for section in STAIRS.board.sections
    ]


def test_walls_stairs_and_materials() -> None:
    wall = {"kind": "wall", "line": [[6, 12], [6, 18]], "height": 1.5}
    more = json.loads(at(1, path="map.terrain[+]", entry=wall).board.source)["terrain"]
    assert more[-1] == {"kind": "wall", "line": [[600, 1200], [600, 1800]], "height": 150}
    assert len(json.loads(at(False, path='map.terrain["wall"].present').board.source)["terrain"]) == 2
    assert {s.material for s in at("wood", path='map.buildings["house"].material').board.sections} == {"wood"}


def test_a_zone_is_moved_in_the_units_of_the_map() -> None:
    zones = at(16.5, path='sides.Red.zones["west"].rect[2]')
    assert json.loads(zones.source)["sides"][0]["zones"]["west"]["rect"] == [0, 0, 1650, 2400]
    varied = Varied(STAIRS, ("rush", "rush"), [Factor(path='sides.Red.zones["*"].rect[2]')])
    assert varied.usual(0) == 15


def test_points_do_not_touch_one_another() -> None:
    varied = Varied(
        STAIRS,
        ("rush", "greedy"),
        [Factor(path="map.buildings['house'].material"), Factor(path="turns"), Factor(path="agents.Red")],
    )
    first = varied.scenario_at(("wood", 4, "greedy"))
    assert varied.scenario_at((None, None, None)).digest == varied.scenario_at(("brick", 6, "rush")).digest
    assert varied.scenario_at(("wood", 4, "rush")).digest == first.digest
    assert varied.agents_at((None, 4, "random")) == ("random", "greedy")


@pytest.mark.parametrize(
    ("factor", "said"),
    [
        ({"path": "forces.Red.units[+]"}, "does not say what"),
        ({"path": "turns", "levels": (4, 5), "entry": {"a": 1}}, "adds nothing"),
        ({"path": 'map.sections["house.west"].openings[+]', "entry": {"kind": "dor"}}, "entry kind"),
        ({"path": 'map.connections["house.west - house.est"].present'}, "house.west - house.east"),
        ({"path": 'map.terrain["walll"].present'}, "did you mean 'wall'"),
        ({"path": 'sides.Red.zones["east"].rect[0]'}, "no such zone"),
        ({"path": 'sides.Red.zones["west"].rect[4]'}, "west, south, east, north"),
        ({"path": 'map.sections["house.west"].openings["gap"].present'}, "no such opening"),
    ],
)
def test_factors_that_make_no_sense_are_told(factor: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError) as caught:
        Varied(STAIRS, ("rush", "rush"), [Factor(**factor)])
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("turns=4,6", {"path": "turns", "levels": [4, 6]}),
        ("turns=4..9", {"path": "turns", "range": (4.0, 9.0), "integer": True}),
        (
            "agents.Red.exposure=0.5..1.5",
            {"path": "agents.Red.exposure", "range": (0.5, 1.5), "integer": False},
        ),
        ("options.x=true,1.5,word", {"path": "options.x", "levels": [True, 1.5, "word"]}),
        ('objectives["a=b"].points=1,2', {"path": 'objectives["a=b"].points', "levels": [1, 2]}),
        ("forces.Red.units[0].present", {"path": "forces.Red.units[0].present"}),
        (
            "forces.Red.units[+]={type: rifle_section, zone: west}",
            {"path": "forces.Red.units[+]", "entry": {"type": "rifle_section", "zone": "west"}},
        ),
    ],
)
def test_factors_in_words(text: str, found: dict[str, Any]) -> None:
    assert parse_factor(text) == found


@pytest.mark.parametrize("text", ["", "=4", "turns", "turns=", "forces.Red.units[+]={a"])
def test_words_that_are_no_factor(text: str) -> None:
    with pytest.raises(InputError):
        parse_factor(text)


def test_two_factors_that_set_the_same_are_told() -> None:
    one = Factor(path="turns", levels=(4, 6), name="long")
    two = Factor(path="turns", levels=(5, 7), name="longer")
    said = r"'long' and 'longer' contradict: both set turns; leave one of them out"
    with pytest.raises(InputError, match=said):
        Varied(load_scenario("stairwell"), ("greedy", "greedy"), [one, two])
    every = Factor(path='forces.Red.units["*"].quality', levels=("regular", "veteran"))
    first = Factor(path="forces.Red.units[0].quality", levels=("regular", "veteran"))
    with pytest.raises(InputError, match="contradict"):
        Varied(load_scenario("stairwell"), ("greedy", "greedy"), [every, first])
    Varied(load_scenario("stairwell"), ("greedy", "greedy"), [every, one])


def test_what_the_scenario_adds_to_a_building() -> None:
    """A house is on fire from the start, or not; heavy-armour closes one, which may be open instead."""
    scenario = load_scenario("skirmish")
    factor = Factor(path='buildings["farm"].burning', levels=(False, True))
    varied = Varied(scenario, ("greedy", "greedy"), (factor,))
    (farm,) = scenario.board.buildings["farm"]
    assert varied.usual(0) is False
    assert [varied.scenario_at((level,)).is_burning(farm) for level in (False, True)] == [False, True]
    given = load_scenario("heavy-armour")
    there = {leaf.path: leaf.value for leaf in leaves(given) if leaf.path.startswith("buildings")}
    assert len(there) == 2 * len(json.loads(given.source)["buildings"])
    assert True in there.values()


@pytest.mark.parametrize(
    ("given", "path", "levels"),
    [
        ({"church": {"closed": True}}, 'buildings["church.nave"].closed', None),
        ({"church.nave": {"closed": True}}, 'buildings["church"].closed', None),
        ({"church.nave": {"closed": True}}, 'buildings["church.tower"].closed', [False, True]),
        ({"church.nave": {"closed": True}}, 'buildings["church.*"].closed', [False, True]),
        ({"church": {"closed": True}}, 'buildings["church.tower"].burning', [False, True]),
    ],
)
def test_a_section_is_not_varied_by_one_name_where_the_scenario_uses_another(
    given: dict[str, Any], path: str, levels: list[bool] | None
) -> None:
    """A church that the scenario closes stays closed, whatever a factor says of its nave."""
    scenario = with_changes(load_scenario("heavy-armour"), [(("buildings",), given)])
    factor = Factor(path=path, levels=(False, True))
    if levels is None:
        (name,) = given
        with pytest.raises(InputError, match=re.escape(f'write buildings["{name}"].closed')):
            Varied(scenario, ("greedy", "greedy"), (factor,))
        return
    varied = Varied(scenario, ("greedy", "greedy"), (factor,))
    tower = scenario.board.section_by_name["church.tower"]
    is_so = "is_burning" if path.endswith("burning") else "is_closed"
    assert [getattr(varied.scenario_at((level,)), is_so)(tower) for level in (False, True)] == levels


def test_the_usual_level_is_the_default_where_nothing_is_written() -> None:
    """A search for balance proposes no change to a level that the scenario has already."""

    def usual(path: str, scenario: str = "stairwell", agents: tuple[str, str] = ("greedy", "rush")) -> Any:
        return Varied(load_scenario(scenario), agents, [Factor(path=path, levels=(1, 2))]).usual(0)

    default = {one.name: one.default for one in parameters("orderdice")}
    assert usual('forces.Red.units["*"].quality') == "regular"
    assert usual("agents.Red.exposure") == default["exposure"]
    assert usual("agents.Blue.exposure") is None  # rush has no such parameter
    others = ("doctrine", "planner")
    assert usual("agents.Red.exposure", agents=others) == default["exposure"]
    assert usual("agents.Red.character", agents=others) == "usual"
    assert usual("agents.Blue.width", agents=others) == 4
    assault = ("doctrine,character=assault", "rush")
    assert usual("agents.Red.exposure", agents=assault) == pytest.approx(0.4 * default["exposure"])
    assert usual("agents.Red.hold", agents=assault) == default["hold"]  # the character does not set it
    assert usual("agents.Red.exposure", agents=("greedy,exposure=0.8", "rush")) == 0.8
    assert usual("agents.Blue.playout", agents=("rush", "planner,playout=quick")) == "quick"
    assert usual("agents.Red.first", agents=("searcher", "rush")) == 4
    assert usual("agents.Red.file", agents=("script", "rush")) is None  # it has to be given
    assert usual("agents.Blue") == "rush"
    assert usual("options.points", "outpost") == 0  # a variant of the rules; an objective is worth 1
    assert usual("options.spread", "outpost") == 2
    assert usual("options.fires", "outpost") is False
    assert usual('map.buildings["house"].material') == "brick"
    assert usual('map.sections["house.*"].material') == "brick"
    assert usual('map.sections["house.*"].closed') is False
    assert usual('map.sections["house.east"].burning') is False
    assert usual('map.buildings["house"].storey') == 3
    assert usual('map.buildings["farm"].floors', "skirmish") == 2
    assert usual('map.buildings["farm"].kind', "skirmish") == "house"
    assert usual('map.sections["house.east"].own.floors') is None  # a rulebook's own word
    # Where the places differ, every level changes something.
    mixed = with_changes(load_scenario("stairwell"), {"forces[0].quality": "veteran"})
    factor = Factor(path='forces.Red.units["*"].quality', levels=("regular", "veteran"))
    assert Varied(mixed, ("rush", "rush"), [factor]).usual(0) is None


def test_a_level_replaces_the_parameter_that_was_given_in_the_name_of_the_player() -> None:
    """A player with one parameter twice is refused, so that the factor had no playable point."""
    factor = Factor(path="agents.Red.exposure", levels=(0.2, 0.8))
    varied = Varied(load_scenario("stairwell"), ("greedy,exposure=0.5,hold=2", "rush"), [factor])
    assert varied.agents_at((0.2,)) == ("greedy,hold=2,exposure=0.2", "rush")
    assert varied.agents_at((None,)) == ("greedy,exposure=0.5,hold=2", "rush")


@pytest.mark.parametrize("name", ["stairwell", "watch-house", "village-regiments", "outpost", "square"])
def test_the_usual_models_of_a_unit_are_its_full_strength(name: str) -> None:
    """The entry of a force counts from 0 in the file; its units begin as the rulebook sets them up."""
    scenario = load_scenario(name)
    entries = json.loads(scenario.source)["forces"]
    for side in scenario.sides:
        own = [at for at, entry in enumerate(entries) if entry["side"] == side.name]
        path = f"forces.{side.name}.units[0].models"
        varied = Varied(scenario, ("rush", "rush"), [Factor(path=path, levels=(1, 2))])
        usual = varied.usual(0)
        unchanged, less = varied.scenario_at((usual,)), varied.scenario_at((1,))
        number = next(n for n, force in enumerate(scenario.forces) if force.entry == own[0])
        assert first_state(unchanged, 1).units[number].models == usual
        assert first_state(scenario, 1).units[number].models == usual
        assert first_state(less, 1).units[number].models == 1
