"""Paths name what can be varied, and say what is near where they name nothing."""

from __future__ import annotations

import json
from typing import Any

import pytest

from battlesim import load_scenario, shipped_scenarios
from battlesim.core.errors import InputError
from battlesim.scenario.changes import with_changes, with_map_changes
from battlesim.stress.leaves import leaves
from battlesim.stress.path_steps import Place
from battlesim.stress.paths import find_places

STAIRS = load_scenario("stairwell")


@pytest.mark.parametrize(
    ("path", "places"),
    [
        ("turns", [("scenario", ("turns",))]),
        ("options.fires", [("scenario", ("options", "fires"))]),
        ("forces.Red.units[3].quality", [("scenario", ("forces", 3, "quality"))]),
        ("forces.Blue.units[0].quality", [("scenario", ("forces", 5, "quality"))]),
        ('forces.Blue.units["*officer"].models', [("scenario", ("forces", 7, "models"))]),
        ('forces.Red.units["rifle_section"].type', [("scenario", ("forces", 3, "type"))]),
        ("objectives[1].points", [("scenario", ("objectives", 1, "points"))]),
        ('objectives["the * officer"].points', [("scenario", ("objectives", n, "points")) for n in (2, 3)]),
        ("buildings.house.burning", [("scenario", ("buildings", "house", "burning"))]),
        (
            'buildings["house.*"].closed',
            [("scenario", ("buildings", f"house.{n}", "closed")) for n in ("west", "east")],
        ),
        ('map.sections["house.w*"].floors', [("map", ("buildings", 0, "sections", 0, "floors"))]),
        ("map.buildings['house'].own.points", [("map", ("buildings", 0, "own", "points"))]),
        ("agents.Red", [("agent", ("Red",))]),
        ("agents.Blue.exposure", [("agent", ("Blue", "exposure"))]),
    ],
)
def test_a_path_names_places(path: str, places: list[Any]) -> None:
    assert find_places(STAIRS, path) == [Place(*place) for place in places]


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("turn", "did you mean 'turns'"),
        ("forces.Rde.units[0].quality", "did you mean 'Red'"),
        ("forces.Red.units[0].qualty", "did you mean 'quality'"),
        ("forces.Red.units[9].quality", "there are 5, numbered from 0"),
        ('forces.Red.units["Rad corner"].quality', "did you mean 'Red corner'"),
        ("forces.Red.quality", "is not a path of forces"),
        ("objectives[7].points", "there are 4"),
        ('buildings["hous"].burning', "did you mean 'house'"),
        ('buildings["house"].floors', 'what the map says of it is varied by map.sections["house"]'),
        ("buildings[0].burning", 'write buildings["house"].burning'),
        ('map.sections["hous.west"].floors', "did you mean 'house.west'"),
        ('map.sections["house.west"].flors', "did you mean 'floors'"),
        ("agents.Green", "there is no side 'Green'"),
        ('forces["*"].units["*"].quality', "brackets name no side; write Red or Blue there"),
        ('map.sections["house.west"].material', "that is of a whole building, and house.east is left out"),
        (
            'map.sections["house.west"].stairs[3].present',
            "nothing is above floor 3 of house.west; it has 4 floors",
        ),
        ('map.sections["house.west"].stairs[0]', "is not a path of stairs"),
        ("", "names nothing"),
        ("forces[[", "is no path"),
        ('map.terrain["wal"].present', "did you mean 'wall'?"),
    ],
)
def test_what_names_nothing_is_answered_with_what_is_near(path: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        find_places(STAIRS, path)
    assert said in str(caught.value)


@pytest.mark.parametrize("name", ["stairwell", "outpost", "village-armour", "watch-house"])
def test_every_leaf_that_is_listed_names_one_place(name: str) -> None:
    scenario = load_scenario(name)
    found = list(leaves(scenario))
    assert len({leaf.path for leaf in found}) == len(found) > 40
    for leaf in found:
        (place,) = find_places(scenario, leaf.path)
        if place.target == "agent" or leaf.value is None or place.action != "set":
            continue
        here: Any = json.loads(scenario.board.source if place.target == "map" else scenario.source)
        for step in place.steps[:-1]:
            here = here.get(step, {}) if isinstance(here, dict) else here[step]
        if isinstance(here, list):
            assert here[int(place.steps[-1])] == leaf.value * 100
        else:
            assert here.get(place.steps[-1], leaf.value) == leaf.value


@pytest.mark.parametrize("name", ["Österreich", "1st-Corps", "Baron's", "兵"])
def test_sides_of_any_name_can_be_varied(name: str) -> None:
    named = with_changes(
        STAIRS,
        [(("sides", 0, "name"), name)]
        + [(("forces", n, "side"), name) for n, force in enumerate(STAIRS.forces) if force.side == 0],
    )
    listed = [leaf.path for leaf in leaves(named) if name in leaf.path]
    assert f"forces.{name}.units[0].quality" in listed
    assert f"agents.{name}.exposure" in listed
    assert all(len(find_places(named, path)) == 1 for path in listed)


def test_names_with_brackets_can_be_varied() -> None:
    named = with_changes(STAIRS, {"forces[0].name": "Red [1st]", "objectives[1].name": "stairs [east]"})
    (unit,) = find_places(named, 'forces.Red.units["Red [1st]"].quality')
    (goal,) = find_places(named, 'objectives["stairs [east]"].points')
    assert (unit.steps[1], goal.steps[1]) == (0, 1)


def test_a_map_can_be_changed_and_the_scenario_stands_on_it() -> None:
    changed = with_map_changes(STAIRS, {"buildings[0].sections[1].flat_roof": False})
    assert len(changed.board.spaces) == len(STAIRS.board.spaces) - 1
    assert changed.digest != STAIRS.digest
    assert with_map_changes(STAIRS, {}).digest == with_changes(STAIRS, {}).digest


def test_what_no_longer_fits_on_a_changed_map_is_told() -> None:
    with pytest.raises(InputError) as caught:
        with_map_changes(STAIRS, {"buildings[0].sections[1].closed": True})
    assert "forces[5].at: 'house.east' is closed" in str(caught.value)
    with pytest.raises(InputError, match=r"there is no 'buildings\[0\]\.sections\[9\]'"):
        with_map_changes(STAIRS, {"buildings[0].sections[9].closed": True})
    with pytest.raises(InputError, match="the map 'stairwell', changed"):
        with_map_changes(STAIRS, {"buildings[0].sections[1].floors": "many"})


def test_leaves_say_what_may_stand_there() -> None:
    """Types, qualities and options are those of the rulebook, options that a scenario does not give among them."""
    found = {leaf.path: leaf for leaf in leaves(load_scenario("outpost"))}
    assert "green, regular, veteran, elite" in found["forces.South.units[0].quality"].may_be
    assert "true or false" in found["options.fires"].may_be
    found = {leaf.path: leaf for leaf in leaves(load_scenario("watch-house"))}
    assert "forces.Red.units[0].quality" not in found  # regiments have none
    assert "spearmen" in found["forces.Red.units[0].type"].may_be
    assert found["options.activation"] == ("options.activation", "side", "side or unit")
    assert "options" not in json.loads(load_scenario("watch-house").source)
    changed = with_changes(load_scenario("watch-house"), {"options.activation": "unit"})
    assert changed.options == {"activation": "unit"}


@pytest.mark.parametrize("name", shipped_scenarios())
def test_all_shipped_scenarios_have_leaves(name: str) -> None:
    scenario = load_scenario(name)
    paths = [leaf.path for leaf in leaves(scenario)]
    assert len(set(paths)) == len(paths)
    assert "turns" in paths
    for side in scenario.sides:
        assert any(path.startswith(f"forces.{side.name}.units[0].") for path in paths), side.name
    for path in paths[:: max(1, len(paths) // 20)]:
        assert find_places(scenario, path), path
