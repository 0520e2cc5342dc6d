"""What the rules forbid of a scenario, and how a battle begins (SH-SCEN-1, SH-HOUSE-UNITS, SH-HOUSE-STACK)."""

from __future__ import annotations

from pathlib import Path

import pytest

from battlesim.core.dice import ScriptedDice
from battlesim.core.items import Step
from battlesim.rules.resolution import Resolution
from battlesim.rulesets.squadhex import victory
from battlesim.rulesets.squadhex.collapse import Fall
from battlesim.rulesets.squadhex.data import FIGURES, TYPES
from battlesim.rulesets.squadhex.model import battle_state
from battlesim.rulesets.squadhex.ruleset import RULESET
from battlesim.scenario import check_scenario, load_scenario
from battlesim.scenario.load import first_state
from tests.rulesets.squadhex.kit import YARD

HEAD = """\
name: trial
ruleset: squadhex
map: {map}
turns: 4
{more}
sides:
  - {{name: Red, zones: {{west: {{rect: [-1, -1, 3, 20]}}}}}}
  - {{name: Blue}}
forces:
  - {{side: Blue, type: rifle_squad, name: blue, at: g11.9}}
{forces}
"""


def faults(tmp_path: Path, forces: str = "", more: str = "", map: str | Path = YARD) -> str:
    file = tmp_path / "trial.yaml"
    forces = forces or "  - {side: Red, type: rifle_squad, name: red, at: g0.0}"
    file.write_text(HEAD.format(map=map, forces=forces, more=more))
    return "\n".join(str(fault) for fault in check_scenario(file))


def red(text: str, at: str = "at: g0.0") -> str:
    return f"  - {{side: Red, type: {text}, name: red, {at}}}"


def test_a_sound_scenario(tmp_path: Path) -> None:
    assert faults(tmp_path) == ""


@pytest.mark.clause("SH-SCEN-1")
@pytest.mark.parametrize(
    ("more", "told"),
    [
        ("options: {destructible: [cottage]}", "'cottage' is not a building of a dense-urban board"),
        ("options: {destructible: [hal]}", "has no building or section 'hal'; did you mean 'hall'"),
        ("options: {destructible: 3}", "destructible is 3; give true or false or a list"),
        (
            "options: {destructable: true}",
            "squadhex has no option 'destructable'; did you mean 'destructible'",
        ),
        ("options: {scoring: always}", "scoring is 'always'; give end or rounds"),
        ("options: {actions: 0}", "actions is 0; give 1 to 6"),
        ("options: {first: Green}", "there is no side 'Green'"),
        ("options: {fall_cover: 1}", "fall_cover is 1; give true or false"),
        ("extra_turn: true", "squadhex has no extra turn"),
        ("buildings: {hall: {burning: true}}", "'hall.high' burns, and squadhex has no fire"),
        ("objectives: [{kind: destroy, buildings: [hut]}]", "nobody is named to score for the buildings"),
        (
            "objectives: [{kind: destroy, side: Red, buildings: [hut]}]",
            "'hut.only' cannot be destroyed in this scenario",
        ),
    ],
)
def test_faults_of_the_scenario(tmp_path: Path, more: str, told: str) -> None:
    assert told in faults(tmp_path, more=more)


@pytest.mark.clause("SH-HOUSE-UNITS", "SH-HOUSE-STACK")
@pytest.mark.parametrize(
    ("forces", "told"),
    [
        (red("rifle_squat"), "no unit type 'rifle_squat'; did you mean 'rifle_squad'"),
        (red("rifle_squad, models: 5"), "5 figures are too many for the rifle squad; give 1 to 4"),
        (red("rifle_squad, quality: veteran"), "squadhex has no qualities"),
        (red("rifle_squad, officer: 1"), "officers are figures in squadhex"),
        (red("rifle_squad", "reserve: {turn: 2, edge: north}"), "squadhex has no reserves"),
        (red("medium_tank", 'at: "vault.only:0"'), "units of type 'medium_tank' cannot be on 'vault.only:0'"),
        (red("rifle_squad", 'at: "vault.only:0"'), "units of type 'rifle_squad' cannot be on 'vault.only:0'"),
        (red("rifle_squad", "at: g8.0"), "'g8.0' is in no zone of side 'Red'"),
        (
            "\n".join(red("rifle_squad").replace("red,", f"red {n},") for n in range(4)),
            "'g0.0' is taken by 'red 0', 'red 1', 'red 2'; a floor holds one squad, a hex three",
        ),
        (red("rifle_squad, count: 100", "zone: west"), "zone 'west' has no room for"),
    ],
)
def test_faults_of_forces(tmp_path: Path, forces: str, told: str) -> None:
    assert told in faults(tmp_path, forces)


def test_a_map_without_hexes_is_refused(tmp_path: Path) -> None:
    assert "map 'open-ground' is not a hex map" in faults(tmp_path, map="open-ground")


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("floors: 3}", "floors: 4}", "section 'hall.tower' has 4 floors; levels 0 to 2 are played"),
        ("floors: 3}", "floors: 3, flat_roof: true}", "section 'hall.tower' has a flat roof"),
        ("built: light", "built: badly", "section 'hut.only': urban {'built': 'badly'} means nothing"),
        ("terrain: woods", "terrain: rough", "has rough ground, which squadhex does not know"),
        (
            "hex: [8, 5]",
            "closed: true, rect: [6.6, 5.2, 7.5, 5.9]",
            "section 'hut.only' of map 'yard' does not fit one hex",
        ),
    ],
)
def test_faults_of_the_map(tmp_path: Path, old: str, new: str, told: str) -> None:
    text = YARD.read_text()
    assert old in text
    (tmp_path / "other.yaml").write_text(text.replace(old, new, 1))
    assert told in faults(tmp_path, map=tmp_path / "other.yaml")


def test_walls_are_minded_by_nobody(tmp_path: Path) -> None:
    text = YARD.read_text() + "terrain:\n  - {kind: wall, line: [[0, 1], [2, 1]]}\n"
    (tmp_path / "walled.yaml").write_text(text)
    told = faults(tmp_path, map=tmp_path / "walled.yaml")
    assert "squadhex does not mind the wall of map 'yard'" in told
    load_scenario(tmp_path / "trial.yaml")  # a warning only


def test_a_map_too_large_is_refused(tmp_path: Path) -> None:
    text = "name: big\nunit: hex\nsize: [80, 60]\nground: {kind: hex}\n"
    (tmp_path / "big.yaml").write_text(text)
    assert "map 'big' has 4,800 hexes; 3,000 are played" in faults(tmp_path, map=tmp_path / "big.yaml")


@pytest.mark.clause("SH-SCEN-1")
def test_what_may_be_destroyed(tmp_path: Path) -> None:
    def sections(more: str) -> list[str]:
        assert faults(tmp_path, more=more) == ""
        scenario = load_scenario(tmp_path / "trial.yaml")
        known = battle_state(first_state(scenario, 1))
        return [scenario.board.sections[number].name for number in known.destructible]

    assert sections("") == []
    assert sections("options: {destructible: true}") == [
        "hall.high",
        "hall.low",
        "hall.tower",
        "hut.only",
        "vault.only",
    ]
    assert sections("options: {destructible: [hut, hall.low]}") == ["hall.low", "hut.only"]


@pytest.mark.clause("SH-FALL-4")
@pytest.mark.parametrize(
    "named", ['places: ["hall.high:1"]', 'places: ["hall.high:0", "g0.9"]', "buildings: [hall.high]"]
)
def test_an_objective_named_by_floor_or_by_building_stays_one_in_ruins(tmp_path: Path, named: str) -> None:
    forces = red("rifle_squad", 'at: "hall.high:1"').replace("Red", "Blue").replace("red,", "holders,")
    more = f"objectives: [{{kind: hold, name: the hall, {named}}}]\noptions: {{destructible: true}}"
    assert faults(tmp_path, forces + "\n" + red("rifle_squad"), more) == ""
    scenario = load_scenario(tmp_path / "trial.yaml")
    state, board = first_state(scenario, 1), scenario.board
    hall = board.section("hall.high")
    r = Resolution(state, board, ScriptedDice([1] * 8))
    r.then(Fall(hall))
    while state.stack:
        step = state.stack[-1]
        state.stack = state.stack[:-1]
        assert isinstance(step, Step)
        RULESET.step(r, step)
    assert state.units[1].place == board.sections[hall].ruin
    assert any("SH-FALL-4" in event.clauses for event in r.log)
    assert victory.holders(state, battle_state(state).objectives, (0,)) == (1,)


@pytest.mark.clause("SH-HOUSE-UNITS")
def test_every_unit_type_has_what_the_rules_ask_of_it() -> None:
    for kind in TYPES.values():
        assert kind.worth > 0
        assert kind.movement > 0
        assert kind.title
        assert bool(kind.figures) != kind.vehicle
        assert bool(kind.area) == bool(kind.area_suppressive) == bool(kind.area_range)
        assert not kind.has_concussive or (kind.concussive and kind.building_bonus)
        assert kind.vehicle == (kind.armour > 0)
    assert {name for name, figure in FIGURES.items() if not figure.counts} == {
        "regular",
        "elite",
        "officer",
        "machine_gun",
    }
    gun, tank = TYPES["heavy_infantry_gun"], TYPES["medium_tank"]
    assert (gun.vehicles, gun.building_bonus, gun.has_concussive) == (8, 6, True)
    assert (tank.vehicles, tank.concussive) == (7, True)


def test_zones_are_filled_by_the_variation_and_stacking_kept(tmp_path: Path) -> None:
    forces = (
        red("rifle_squad, count: 9", "zone: west")
        + "\n"
        + red("medium_tank, count: 3", "zone: west").replace("red,", "tank,")
    )
    assert faults(tmp_path, forces) == ""
    scenario = load_scenario(tmp_path / "trial.yaml")
    from battlesim.rulesets.squadhex.observation import faults as broken

    places = []
    for seed in range(5):
        state = first_state(scenario, seed)
        assert broken(state, scenario.board) == []
        places.append([unit.place for unit in state.units.values()])
    assert len({tuple(row) for row in places}) > 1
