"""Data, what a scenario may say, and the first state (RG-HOUSE-PROFILE, RG-CAP-1); what a side sees; words and features."""

from __future__ import annotations

import tempfile
from pathlib import Path
from textwrap import dedent

import pytest

from battlesim.core.dice import KeyedDice
from battlesim.core.errors import Fault
from battlesim.core.events import Answered, Asked
from battlesim.engine.agent import Chance
from battlesim.engine.battle import Battle
from battlesim.rules.scenario import Scenario
from battlesim.rulesets.regiment import casualties, form
from battlesim.rulesets.regiment.data import KINDS, TYPES, WEAPONS
from battlesim.rulesets.regiment.ruleset import RULESET
from battlesim.scenario.load import first_state, parse_scenario
from battlesim.viewer.wording import find_wording
from tests.rulesets.regiment.grounds import EAST, FIELD
from tests.rulesets.regiment.kit import Table, unit

MAP = """\
name: made
size: [36, 36]
ground: {kind: lattice, pitch: 3}
buildings:
  - name: house
    material: brick
    rect: [12, 12, 18, 18]
    floors: 4
    openings: [{kind: door, side: west, at: 0.5}]
  - name: ruin
    material: stone
    rect: [24, 3, 30, 9]
    own: {garrison: {open: true}}
    openings: [{kind: gap, side: west, at: 0.5}]
"""
HEAD = """\
name: made
ruleset: regiment
map: {map}
sides:
  - name: Red
    zones: {zones}
  - name: Blue
"""


def made(text: str, zones: str = "{}") -> Scenario:
    """A scenario on a small map with a tall house and an open ruin; `warnings` keeps its faults."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "made-map.yaml"
        path.write_text(MAP, encoding="utf-8")
        head = HEAD.format(map=path, zones=zones)
        return parse_scenario((head + dedent(text)).encode(), Path(folder) / "made.yaml")


def errors(text: str) -> list[str]:
    """What is wrong, without file and line."""
    faults: tuple[Fault, ...] = made(text).warnings
    return [f"{f.place}: {f.what}" for f in faults if f.level == "error"]


LEVY = "- {side: Blue, type: levy, at: g9.9}"


# ---- data ------------------------------------------------------------------------------------------------------------


@pytest.mark.clause("RG-HOUSE-PROFILE")
def test_unit_strength_is_1_for_infantry_2_for_cavalry_3_for_monstrous_infantry() -> None:
    for kind in TYPES.values():
        assert kind.kind in KINDS
        if kind.kind in ("infantry", "cavalry", "mi"):
            assert kind.us == {"infantry": 1, "cavalry": 2, "mi": 3}[kind.kind]
        assert all(
            1 <= value <= 10 for value in (kind.m, kind.ws, kind.s, kind.t, kind.w, kind.i, kind.a, kind.ld)
        )
        assert kind.weapon == "" or kind.weapon in WEAPONS
        assert kind.worth > 0


@pytest.mark.clause("RG-HOUSE-PROFILE")
def test_a_monster_counts_its_wounds_and_models_die_wound_by_wound() -> None:
    table = Table(FIELD, unit("giant", at="g4.4"), unit("ogres", at="g6.4", side=1))
    assert form.strength(table.state, table.unit(0)) == 6
    casualties.take_wounds(table.r, table.unit(0), 2, "in a test")
    assert form.strength(table.state, table.unit(0)) == 4
    assert casualties.take_wounds(table.r, table.unit(1), 4, "in a test") == 1
    assert (table.unit(1).models, table.unit(1).own.wounds) == (5, 1)
    assert casualties.take_wounds(table.r, table.unit(1), 2, "in a test") == 1
    assert casualties.wounds_left(table.unit(1)) == 12


@pytest.mark.clause("RG-HOUSE-PROFILE")
def test_profiles_by_the_entry() -> None:
    knights, ogres, drake = TYPES["knights"], TYPES["ogres"], TYPES["drake"]
    assert (knights.m, knights.ws, knights.s, knights.save, knights.us) == (8, 4, 5, 2, 2)
    assert (ogres.w, ogres.a, ogres.impact, ogres.minimum) == (3, 3, True, 4)
    assert (drake.flyer, drake.large, drake.weapon, drake.immune) == (True, True, "breath", True)
    assert TYPES["guard"].standard == 2


# ---- faults ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("force", "what"),
    [
        ("{side: Red, type: hoplites, at: g2.2}", "forces[0].type: regiment has no unit type 'hoplites'"),
        (
            "{side: Red, type: levy, at: g2.2, quality: veteran}",
            "forces[0].quality: regiment has no qualities",
        ),
        (
            "{side: Red, type: levy, at: g2.2, officer: 2}",
            "forces[0].officer: characters are units of their own",
        ),
        (
            "{side: Red, type: levy, reserve: {turn: 2, edge: north}}",
            "forces[0].reserve: regiment has no reserves",
        ),
        (
            "{side: Red, type: levy, at: g2.2, models: 61}",
            "forces[0].models: 61 models are too many for the levy",
        ),
        (
            "{side: Red, type: giant, at: g2.2, models: 2}",
            "forces[0].models: 2 models are too many for the giant",
        ),
        (
            '{side: Red, type: levy, at: "house.1:1"}',
            "forces[0].at: 'house.1:1' is not a room of its own",
        ),
        ('{side: Red, type: knights, at: "house.1:0"}', "forces[0].at: knights cannot be in 'house.1:0'"),
        ('{side: Red, type: cannon, at: "house.1:0"}', "forces[0].at: cannon cannot be in 'house.1:0'"),
        (
            '{side: Red, type: levy, models: 26, at: "house.1:0"}',
            "forces[0].at: 'house.1:0' holds unit strength 25, not 26",
        ),
        (
            '{side: Red, type: levy, at: "ruin.1:0"}',
            "forces[0].at: 'ruin.1:0' is not a room of its own",
        ),
        ("{side: Red, type: levy, at: g9.9}", "forces[1].at: 'g9.9' is taken by 'Red levy'"),
    ],
)
@pytest.mark.clause("RG-CAP-1", "RG-HOUSE-PROFILE")
def test_faults_of_forces(force: str, what: str) -> None:
    assert errors(f"forces:\n  - {force}\n  {LEVY}\n") == [what]


def test_faults_of_characters() -> None:
    levy = "{side: Red, type: levy, name: men, at: g2.2}"
    riders = "{side: Red, type: knights, name: riders, at: g4.2}"
    wings = "{side: Red, type: harpies, name: wings, at: g6.2}"
    for force, what in (
        ("{side: Red, type: captain, aboard: men}", []),
        ("{side: Red, type: levy, aboard: men}", ["forces[3].aboard: levy are no character"]),
        (
            "{side: Red, type: captain, aboard: riders}",
            ["forces[3].aboard: units of type 'captain' cannot be with 'riders'"],
        ),
        (
            "{side: Red, type: captain, aboard: wings}",
            ["forces[3].aboard: units of type 'captain' cannot fly with 'wings'"],
        ),
    ):
        found = errors(f"forces:\n  - {levy}\n  - {riders}\n  - {wings}\n  - {force}\n  {LEVY}\n")
        assert [line for line in found if "aboard" in line][: len(what)] == what


def test_faults_of_options_and_objectives() -> None:
    found = errors(
        f"""
        forces:
          - {{side: Red, type: levy, at: g2.2}}
          {LEVY}
        extra_turn: true
        objectives:
          - {{kind: exit, side: Red, edge: north}}
          - {{kind: destroy, side: Red, buildings: [house]}}
        options: {{magic: true, activation: card, massacre: -1}}
        """
    )
    assert sorted(found) == [
        "extra_turn: regiment has no extra turn",
        "objectives[0]: regiment has no objective 'exit'",
        "objectives[1]: buildings are not destroyed here",
        "options.activation: activation is 'card'",
        "options.magic: regiment has no option 'magic'",
        "options.massacre: massacre is -1",
    ]


# ---- the first state -------------------------------------------------------------------------------------------------


def test_characters_begin_with_their_unit_and_all_face_the_enemy() -> None:
    scenario = made(
        f"""
        forces:
          - {{side: Red, type: levy, name: men, at: g2.9}}
          - {{side: Red, type: captain, aboard: men}}
          {LEVY}
        """
    )
    assert scenario.warnings == ()
    state = first_state(scenario, 1)
    men, captain = state.units[0], state.units[1]
    assert (captain.place, captain.own.joined) == (men.place, 0)
    assert men.facing == captain.facing == EAST
    assert state.structures[1].fallen  # the open ruin
    assert RULESET.faults(state, scenario.board) == []


def test_zones_are_filled_by_the_variation_seed_with_who_fits_where() -> None:
    text = """
        forces:
          - {side: Red, type: knights, zone: all, count: 3}
          - {side: Red, type: levy, zone: all, count: 3}
          - {side: Blue, type: levy, at: g9.9}
        """
    scenario = made(text, "{all: {rect: [0, 0, 20, 36]}}")
    assert scenario.warnings == ()
    found = set()
    for seed in range(8):
        state = first_state(scenario, seed)
        assert RULESET.faults(state, scenario.board) == []
        found.add(tuple(u.place for u in state.units.values()))
    assert len(found) > 4


# ---- observation -----------------------------------------------------------------------------------------------------


def test_all_is_seen_but_the_enemys_questions_and_answers() -> None:
    scenario = made(f"forces:\n  - {{side: Red, type: levy, at: g2.2}}\n  {LEVY}\n")
    battle = Battle(RULESET, scenario.board, first_state(scenario, 1), KeyedDice(1))
    chance = Chance(1)
    while battle.question is not None and battle.question.number < 6:
        chance.at(battle.question.number)
        battle.answer(chance.choice(battle.question.answers))
    for side in (0, 1):
        view = RULESET.observe(battle.state, scenario.board, side, battle.log)
        asked = [event for event in view.news if isinstance(event, Asked | Answered)]
        assert {event.side for event in asked} <= {side}
        assert len(view.news) == len(battle.log) - sum(
            isinstance(e, Asked | Answered) and e.side != side for e in battle.log
        )
        assert view.units == battle.state.units


def test_broken_invariants_are_told() -> None:
    table = Table(FIELD, unit("levy", at="g2.2", foes={1: 0}), unit("levy", at="g9.9", side=1))
    found = RULESET.faults(table.state, FIELD)
    assert any("which is not with it" in fault for fault in found)


def test_every_weapon_has_a_word() -> None:
    assert sorted(find_wording("regiment").words) == sorted(WEAPONS)
