"""What answers promise of shots and of the enemy's fire: both go along the lines that fire takes."""

from __future__ import annotations

from typing import Any

import pytest

from battlesim.core.answers import MoveTo, Pass, TargetUnit
from battlesim.core.geometry import INCH
from battlesim.rulesets.armorclass import concealment, estimates, quick_look
from battlesim.rulesets.armorclass.judgement import USUAL
from battlesim.rulesets.armorclass.line_of_sight import LineOfSight
from battlesim.rulesets.armorclass.model import MOVE, Fieldwork, Through
from battlesim.rulesets.armorclass.move import WhereTo
from battlesim.rulesets.armorclass.shoot import AtWhom
from tests.rulesets.armorclass.kit import NORTH, SOUTH, Table, ground, house, unit
from tests.rulesets.armorclass.promises import appraisal, promised


def behind_wall(kind: str = "militia", at: str = "g4.4", **foe: Any) -> Table:
    """A team 13 inches west of a stone wall, a militia team close behind that."""
    return Table(
        ground("terrain:\n  - {kind: wall, line: [[27, 0], [27, 30]]}"),
        unit(kind, at),
        unit("militia", "g9.4", side=1, detected=True, **foe),
    )


@pytest.mark.parametrize("at", ["g4.4", "g3.4", "g0.4"])
def test_a_shot_after_moving_promises_what_it_will_when_it_is_fired(at: str) -> None:
    """Cover before the target counts, and so does the very distance: grenades reach 18 inches, not 19."""
    table = behind_wall("rifle_team", at)
    table.do(WhereTo(0, MOVE, side=0))
    expected = {answer: found.dealt for answer, found in promised(table).items()}
    for answer in (Pass(), MoveTo(table.place("g1.4")), MoveTo(table.place("g2.4"))):
        if answer not in expected:
            continue
        goal = answer.place if isinstance(answer, MoveTo) else table.unit(0).place
        moved = behind_wall("rifle_team", table.board.spaces[goal].name)
        far = isinstance(answer, MoveTo) and table.board.distance(table.unit(0).place, goal) > 3 * INCH
        moved.r.set(0, moved=0 if isinstance(answer, Pass) else 2 if far else 1)
        moved.do(AtWhom(0, False, side=0))
        assert expected[answer] == pytest.approx(promised(moved)[TargetUnit(1)].dealt)


def test_a_unit_behind_a_wall_is_less_exposed() -> None:
    """The wall covers a unit that stands at it, not one farther back."""
    table = Table(
        ground("terrain:\n  - {kind: wall, line: [[27, 0], [27, 30]]}"),
        unit("rifle_team", "g9.4", detected=True),
        unit("militia", "g3.4", side=1, detected=True),
    )
    s = appraisal(table)
    exposure = [s.value_of_place(table.unit(0), table.place(at), False).exposure for at in ("g9.4", "g8.4")]
    assert 0 < exposure[0] < exposure[1]


def in_house(material: str, *foes: tuple[str, str], **more: Any) -> Table:
    """A known rifle team on the ground floor of a house with windows south and east and a blank wall north; known enemies
    (type, place)."""
    return Table(
        house(material=material),
        unit("rifle_team", "house.1:0", detected=True),
        *[unit(kind, at, side=1, detected=True) for kind, at in foes],
        **more,
    )


def exposed(table: Table) -> float:
    return appraisal(table).value_of_place(table.unit(0), table.unit(0).place, False).exposure


SOUTH_OF_IT, NORTH_OF_IT = "g9.1", "g9.8"


def test_a_wall_that_fire_goes_through_is_no_shelter() -> None:
    """A team seen through a window is fired at through the wall if that is better; what goes through timber, concrete stops."""
    foe = ("hunter_team", SOUTH_OF_IT)
    timber, concrete = (exposed(in_house(material, foe)) for material in ("wood", "concrete"))
    assert timber > concrete > 0
    table = in_house("wood", foe)
    outcome = estimates.outcome_of(
        LineOfSight(table.state, table.board), table.unit(1), Through(0, SOUTH), False
    )
    s = appraisal(table)
    lost = sum(s.value_of_toll(table.unit(0), toll) for _, toll in outcome.tolls)
    assert timber == pytest.approx(USUAL.aim_share * lost)


def test_who_sees_only_a_wall_fires_through_it_at_a_team_that_others_see() -> None:
    """The hammerheads stand before the blank wall. Alone they would lose sight of the team."""
    watcher, others = ("militia", SOUTH_OF_IT), ("hunter_team", NORTH_OF_IT)
    assert exposed(in_house("brick", others)) == 0.0
    assert exposed(in_house("brick", watcher, others)) > exposed(in_house("brick", watcher)) > 0.0


def test_a_bank_that_fire_goes_through_is_no_shelter() -> None:
    """A tank's cannons seldom hit a team in a covered weapon pit over its bank, and hit the bank at nine of ten."""
    found = []
    for wall in (7, 20):
        table = Table(
            ground(),
            unit("rifle_team", "g4.4", detected=True),
            unit("tank", "g14.4", side=1, detected=True),
            fieldworks=(Fieldwork("emplacement", ground().space("g4.4"), wall, roof=5),),
        )
        found.append(exposed(table))
    assert found[0] > found[1] > 0.0


def test_a_move_to_before_a_wall_promises_the_shot_through_it() -> None:
    """A known enemy is in the house. From north of it nobody is in sight, but hammerheads go through brick."""
    table = Table(
        house(), unit("hunter_team", NORTH_OF_IT), unit("rifle_team", "house.1:0", side=1, detected=True)
    )
    s = appraisal(table)
    shot = s.best_shot(table.unit(0), table.unit(0).place)
    table.do(AtWhom(0, False, side=0))
    assert not any(isinstance(answer, TargetUnit) for answer in table.legal)
    outcome = estimates.outcome_of(
        LineOfSight(table.state, table.board), table.unit(0), Through(1, NORTH), False
    )
    lost = sum(s.value_of_toll(table.unit(1), toll) for _, toll in outcome.tolls)
    assert shot == pytest.approx(lost)
    assert 0.0 < shot <= s.most_shot(table.unit(0))


@pytest.mark.parametrize(
    ("kind", "at", "more"),
    [
        ("rifle_team", "house.1:0", True),
        ("laser_team", "house.1:0", True),
        ("rifle_team", "g9.1", True),
        ("laser_team", "g9.1", False),
    ],
)
def test_loud_weapons_give_away_who_fires_them_also_out_of_doors(kind: str, at: str, more: bool) -> None:
    """The signature of what was fired adds to the number that finds a team; lasers have none, and show only who was unseen."""
    woods = "terrain:\n  - {kind: woods, rect: [26, 2, 29, 5]}"
    table = Table(house(more=woods), unit(kind, at), unit("militia", "g9.0", side=1, detected=True))
    s, place = appraisal(table), table.place(at)
    quiet, loud = (s.value_of_place(table.unit(0), place, fired).exposure for fired in (False, True))
    assert loud > quiet > 0 if more else loud == quiet > 0


def test_the_louder_what_is_fired_the_likelier_it_is_found() -> None:
    need = concealment.FOUND_ON[concealment.MORE]
    found = [quick_look.found(concealment.TOTAL, fired) for fired in (-1, 0, 1, 4)]
    assert found[0] == 0
    assert found[1:] == pytest.approx([1 - (1 - (need + n) / 10) ** quick_look.LOOKS for n in (0, 1, 4)])


def test_nobody_lurks_where_all_enemies_have_been_found() -> None:
    """How many the enemy began with is open: there is nobody left to fear or to search for once all of them are known."""
    exposure, hidden = [], []
    for found in ((False, False), (True, False), (True, True)):
        foes = [
            unit("militia", at, side=1, detected=d) for at, d in zip(("g0.0", "g0.1"), found, strict=True)
        ]
        table = Table(
            house(more="terrain:\n  - {kind: woods, rect: [1, 0, 20, 30]}"), unit("militia", "g19.9"), *foes
        )
        s = appraisal(table)
        exposure.append(s.value_of_place(table.unit(0), table.unit(0).place, False).exposure)
        hidden.append(s.hidden(table.place("house.1:1")))
    assert exposure[0] > 0
    assert exposure == pytest.approx([exposure[0], exposure[0] / 2, 0])
    assert hidden == pytest.approx([hidden[0], hidden[0] / 2, 0])
