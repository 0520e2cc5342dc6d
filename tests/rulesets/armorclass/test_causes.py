"""What an event is the effect of: a fall has its own effects, and nothing that only comes after it is one of them."""

from __future__ import annotations

import pytest

from battlesim.core.events import ModelsLost
from battlesim.core.state import Structure
from battlesim.rulesets.armorclass.facts import Rolls
from battlesim.rulesets.armorclass.facts_buildings import Collapsed, CrawlsOut, WorkDestroyed
from battlesim.rulesets.armorclass.facts_fire import Lobbed, Nuclear, Volley
from battlesim.rulesets.armorclass.model import Fieldwork, Lob, Search
from battlesim.rulesets.armorclass.shoot import AtWhom
from battlesim.rulesets.armorclass.turn import TurnStart
from tests.rulesets.armorclass.kit import SOUTH, Table, house, unit
from tests.rulesets.armorclass.kit import ground as field


@pytest.mark.clause("AC-DEST-2", "AC-DEST-3", "AC-HOUSE-STRUCT")
def test_the_rest_of_a_volley_is_no_effect_of_the_fall_that_its_first_shots_caused() -> None:
    """The blast cannon kills the man inside without a roll and brings the house down. The rotary cannon fires at the ruin."""
    table = Table(
        house(size=3),
        unit("heavy_tank", "g9.2", spent=(0,)),
        unit("militia", "house.1:0", side=1, models=1),
        dice=[9, 9, [9, 9, 10], [6, 6]],
    )
    table.do(AtWhom(0, side=0))
    table.say(Search(table.place("house.1:0"), SOUTH))
    assert table.events(Collapsed)
    assert [volley.weapon for volley in table.events(Volley)] == ["blast_cannon", "vehicle_rotary"]
    assert table.causes(Volley) == ["", ""]
    table.done()


@pytest.mark.clause("AC-POINT-5", "AC-HOUSE-TURN")
def test_one_collapse_neither_causes_the_next_nor_the_roll_for_initiative() -> None:
    door = "openings: [{kind: door, side: west, at: 0.5}]"
    board = field(
        "buildings:\n"
        f"  - {{name: a, material: brick, rect: [6, 6, 12, 12], {door}}}\n"
        f"  - {{name: b, material: brick, rect: [26, 6, 32, 12], {door}}}\n"
    )
    table = Table(
        board,
        unit("militia", "g0.0"),
        unit("militia", "b.1:0", side=1),
        structures=[Structure(n, own={"lost": 5}) for n in (0, 1)],
        options={"damage": "1", "collapse": True},
        dice=[10, 10, [8, 8, 1, 1], 1, 2],
    )
    table.do(TurnStart())
    assert table.causes(Collapsed) == ["", ""]
    assert table.causes(Rolls) == [""]
    # but the losses and the escape of the team inside are effects of the fall
    assert table.causes(ModelsLost) == table.causes(CrawlsOut) == ["Collapsed"]


@pytest.mark.clause("AC-DEST-2", "AC-HOUSE-INDIRECT")
def test_all_that_a_nuclear_warhead_destroys_is_told_as_its_effect() -> None:
    """Two houses of one building, and a trench beside them: every loss is the warhead's, and the trench is told of."""
    board = field(
        "buildings:\n"
        "  - name: house\n"
        "    material: brick\n"
        "    sections:\n"
        "      - {name: a, rect: [24, 12, 30, 18], openings: [{kind: door, side: west, at: 0.5}]}\n"
        "      - {name: b, rect: [30, 12, 36, 18], openings: [{kind: door, side: east, at: 0.5}]}\n"
    )
    table = Table(
        board,
        unit("missile_carrier", "g0.0", spent=(1,)),
        unit("militia", "house.a:0", side=1, detected=True),
        unit("militia", "house.b:0", side=1),
        unit("militia", "g0.9", side=1),
        dice=[4],
    )
    trench = table.place("g9.3")
    table.r.set_extra(fieldworks=(Fieldwork("trench", trench, 7),))
    table.do(AtWhom(0, side=0))
    table.say(Lob(table.place("house.a:0")))
    assert table.causes(Collapsed) == table.causes(ModelsLost) == ["Nuclear", "Nuclear"]
    assert [event.place for event in table.events(WorkDestroyed)] == [trench]
    assert table.causes(WorkDestroyed) == ["Nuclear"]
    assert table.causes(Nuclear) == table.causes(Volley) == [Lobbed.__name__]
    table.done()
