"""Concealment, detection, and a view that truly hides (AC-CONC-1, AC-HOUSE-DETECT, AC-HOUSE-CONCEAL)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from battlesim.core.answers import MoveTo, Pass, TargetUnit
from battlesim.core.events import ModelsLost, Placed, Rolled, UnitSet
from battlesim.core.state import Structure
from battlesim.rulesets.armorclass import concealment, works
from battlesim.rulesets.armorclass.concealment import Detect
from battlesim.rulesets.armorclass.facts import Detected, HiddenAgain
from battlesim.rulesets.armorclass.facts_buildings import InTheFire
from battlesim.rulesets.armorclass.facts_fire import Volley
from battlesim.rulesets.armorclass.line_of_sight import LineOfSight
from battlesim.rulesets.armorclass.model import Fieldwork, Fire, Search, Through
from battlesim.rulesets.armorclass.move import Arrived, Walk, WhereTo
from battlesim.rulesets.armorclass.ruleset import RULESET
from battlesim.rulesets.armorclass.shoot import AtWhom
from battlesim.rulesets.armorclass.turn import Next, WhichUnit
from tests.rulesets.armorclass.kit import NORTH, SOUTH, Table, ground, house, unit

WOODS = "terrain:\n  - {kind: woods, rect: [24, 9, 30, 15]}\n  - {kind: rubble, rect: [36, 9, 42, 15]}"
ROOFED = "  - {kind: hedge, line: [[0, 1], [3, 1]]}"


def level(table: Table, number: int, cover: int = 0) -> int:
    return concealment.level_of(table.state, table.board, table.unit(number), cover)


@pytest.mark.clause("AC-HOUSE-CONCEAL")
def test_levels_by_place() -> None:
    table = Table(ground(WOODS), unit("militia", "g1.1"), unit("militia", "g8.3"), unit("militia", "g12.3"))
    assert [level(table, n) for n in range(3)] == [concealment.NONE, concealment.THIRD, concealment.THIRD]
    inside = Table(house("type: pillbox, wall: logs"), unit("militia", "house.1:0"))
    assert level(inside, 0) == concealment.TOTAL


@pytest.mark.clause("AC-HOUSE-CONCEAL", "AC-TYPE-7", "AC-TYPE-8")
@pytest.mark.parametrize("kind", ["trench", "emplacement"])
def test_field_works_hide_more_under_a_roof(kind: str) -> None:
    for roof, wanted in ((0, concealment.TWO_THIRDS), (6, concealment.MORE)):
        table = Table(ground(), unit("militia", "g1.1"))
        table.r.set_extra(fieldworks=(Fieldwork(kind, table.place("g1.1"), 7, roof),))
        assert level(table, 0) == wanted


@pytest.mark.clause("AC-TYPE-4")
def test_a_foxhole_hides_one_or_two_soldiers() -> None:
    table = Table(ground(), unit("militia", "g1.1"), unit("militia", "g2.1", models=2))
    holes = tuple(Fieldwork("foxhole", table.place(name), 7) for name in ("g1.1", "g2.1"))
    table.r.set_extra(fieldworks=tuple(sorted(holes, key=lambda w: w.place)))
    assert (level(table, 0), level(table, 1)) == (concealment.NONE, concealment.TWO_THIRDS)


@pytest.mark.clause("AC-TYPE-4")
@pytest.mark.parametrize(
    ("models", "levels"),
    [((1, 1), (2, 2)), ((2, 1), (2, 0)), ((1, 2), (2, 0)), ((4, 2), (0, 2)), ((4, 4), (0, 0))],
)
def test_a_foxhole_holds_two_soldiers_in_all(models: tuple[int, int], levels: tuple[int, int]) -> None:
    """Not two of each team: the team of the lower number has the hole, where it fits, the other what is left of it."""
    table = Table(ground(), *(unit("militia", "g1.1", models=n) for n in models))
    table.r.set_extra(fieldworks=(Fieldwork("foxhole", table.place("g1.1"), 7),))
    assert (level(table, 0), level(table, 1)) == levels


@pytest.mark.clause("AC-TYPE-4")
def test_machines_take_no_room_in_a_foxhole_and_the_enemy_none() -> None:
    table = Table(
        ground(), unit("turret", "g1.1"), unit("militia", "g2.2", side=1), unit("militia", "g1.1", models=2)
    )
    hole = Fieldwork("foxhole", table.place("g1.1"), 7)
    table.r.set_extra(fieldworks=(hole,))
    assert level(table, 2) == concealment.TWO_THIRDS
    assert not works.shelters(table.state, hole, table.unit(0))
    # somebody of the other side who thinks of going there counts nobody he may not know of
    assert works.shelters(table.state, hole, replace(table.unit(1), id=9, models=2))


@pytest.mark.clause("AC-HOUSE-CONCEAL")
def test_machines_have_nothing_from_field_works() -> None:
    table = Table(ground(), unit("tank", "g1.1"))
    table.r.set_extra(fieldworks=(Fieldwork("trench", table.place("g1.1"), 7),))
    assert level(table, 0) == concealment.NONE


@pytest.mark.clause("AC-HOUSE-DETECT")
@pytest.mark.parametrize(("face", "found"), [(9, True), (10, False)])
def test_in_the_open_one_is_found_on_1_to_9(face: int, found: bool) -> None:
    table = Table(ground(), unit("militia", "g1.1"), unit("militia", "g8.1", side=1), dice=[face])
    table.do(Detect(0))
    assert table.unit(1).own.detected is found
    assert len(table.events(Detected)) == found
    table.done()


@pytest.mark.clause("AC-HOUSE-DETECT")
@pytest.mark.parametrize(("face", "found"), [(7, True), (8, False)])
def test_in_the_woods_on_1_to_7(face: int, found: bool) -> None:
    table = Table(ground(WOODS), unit("militia", "g1.3"), unit("militia", "g8.3", side=1), dice=[face])
    table.do(Detect(0))
    assert table.unit(1).own.detected is found


@pytest.mark.clause("AC-HOUSE-DETECT")
def test_total_concealment_is_never_seen_through() -> None:
    table = Table(house(), unit("militia", "g9.1"), unit("militia", "house.1:0", side=1))
    table.do(Detect(0))
    assert not table.unit(1).own.detected
    assert not table.events(Rolled)  # not even a die


@pytest.mark.clause("AC-CONC-1")
@pytest.mark.parametrize(("face", "found"), [(4, True), (5, False)])
def test_a_bolt_rifle_fired_from_a_pillbox_is_found_on_1_to_4(face: int, found: bool) -> None:
    """The worked example: from total to more than two thirds, 1 to 3, and 1 more for the rifle's signature."""
    board = house("type: pillbox")
    shooter = unit("rifle_team", "house.1:0", side=1, models=2)
    table = Table(board, unit("militia", "g9.1", detected=True), shooter, dice=[10, 10, face])
    table.do(AtWhom(1, side=1))
    table.say(TargetUnit(0))
    assert table.unit(1).own.fired == 1
    table.do(Detect(0))
    rolled = table.events(Rolled)[-1]
    assert (rolled.purpose, rolled.need) == ("detect", 5)  # missed on 5 or more
    assert table.unit(1).own.detected is found
    assert "AC-CONC-1" in table.clauses()


@pytest.mark.clause("AC-CONC-1", "AC-HOUSE-CONCEAL")
def test_having_fired_counts_until_the_next_activation() -> None:
    table = Table(house(), unit("militia", "house.1:0", side=0, fired=1), unit("militia", "g9.8", side=1))
    assert level(table, 0) == concealment.MORE
    table.do(WhichUnit(side=0))  # one answer: it acts
    assert table.unit(0).own.fired == -1
    assert level(table, 0) == concealment.TOTAL


@pytest.mark.clause("AC-HOUSE-DETECT")
def test_each_hidden_enemy_in_sight_gets_a_die_after_moving_too() -> None:
    table = Table(
        ground(),
        unit("militia", "g1.1"),
        unit("militia", "g8.1", side=1),
        unit("militia", "g8.4", side=1, detected=True),
        unit("militia", "g9.6", side=1),
        dice=[10, 10, 10, 9],
    )
    table.do(Detect(0))
    table.do(WhereTo(0, "move", side=0))
    table.say(MoveTo(table.place("g2.1")))
    assert [u.own.detected for u in table.state.units.values()] == [False, False, True, True]
    table.done()


@pytest.mark.clause("AC-HOUSE-DETECT")
def test_only_who_is_found_can_be_aimed_at() -> None:
    table = Table(
        ground(),
        unit("militia", "g1.1"),
        unit("militia", "g4.1", side=1),
        unit("militia", "g4.3", side=1, detected=True),
    )
    table.do(AtWhom(0, side=0))
    assert table.legal == [Pass(), TargetUnit(2)]


@pytest.mark.clause("AC-HOUSE-DETECT")
def test_out_of_sight_is_hidden_again() -> None:
    board = house()
    table = Table(
        board, unit("militia", "g9.1"), unit("militia", "g7.1", side=1, detected=True), dice=[10, 10]
    )
    table.do(WhereTo(1, "run", side=1))
    table.say(MoveTo(table.place("g8.4")))
    # seen from the south-west all the same
    assert table.unit(1).own.detected
    table.do(WhereTo(1, "run", side=1))
    table.say(MoveTo(table.place("g9.7")))
    assert not table.unit(1).own.detected
    assert "hidden again" in table.happened()


# ---- the view ----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("AC-HOUSE-DETECT")
def test_hidden_enemies_are_not_in_the_view() -> None:
    table = Table(
        ground(),
        unit("militia", "g1.1"),
        unit("militia", "g4.1", side=1),
        unit("tank", "g9.1", side=1, detected=True),
    )
    assert list(table.view(0).units) == [0, 2]
    assert list(table.view(1).units) == [1, 2]


@pytest.mark.clause("AC-HOUSE-DETECT", "AC-EXPL-1")
def test_news_of_a_search_does_not_say_whether_it_hit() -> None:
    """The same fire at a house with a hidden enemy and at an empty one: the searcher learns the same, whoever fell."""
    heard = []
    for inside in (True, False):
        units = [unit("gun_team", "g9.1")]
        dice: list[object] = [[1, 1, 1], [10, 10, 10]]
        if inside:
            units.append(unit("militia", "house.1:0", side=1))
            dice += [
                [1, 10, 10],
                2,
            ]  # one of three finds somebody on 1 to 3, and goes through his armour on 2
        dice += [[10, 10]]
        table = Table(house(), *units, dice=dice)  # type: ignore[arg-type]
        table.do(AtWhom(0, side=0))
        table.say(Search(table.place("house.1:0"), SOUTH))
        table.dice.done()
        lost = sum(e.lost for e in table.events(ModelsLost))
        assert lost == inside
        heard.append(
            [(type(e), e.clauses if not isinstance(e, Rolled) else e.purpose) for e in table.view(0).news]
        )
        assert all(e.penetrations == -1 for e in table.view(0).news if isinstance(e, Volley))
    assert heard[0] == heard[1]


@pytest.mark.clause("AC-HOUSE-DETECT")
def test_news_tell_what_was_known_when_it_happened() -> None:
    """An enemy moves unseen, is found, and moves out of sight: of its two moves neither is told."""
    board = house()
    table = Table(board, unit("militia", "g9.1"), unit("militia", "g9.7", side=1), dice=[10, 1])
    table.do(WhereTo(1, "run", side=1))
    table.say(MoveTo(table.place("g7.5")))  # from behind the house to beside it: nobody has looked yet
    table.do(Detect(0))
    assert table.unit(1).own.detected
    table.do(WhereTo(1, "run", side=1))
    table.say(MoveTo(table.place("g9.7")))
    assert not table.unit(1).own.detected
    view = table.view(0)
    assert 1 not in view.units
    assert [e.unit for e in view.news if isinstance(e, Placed)] == []
    found = [e.own["detected"] for e in view.news if isinstance(e, UnitSet) and "detected" in e.own]
    assert found == [True, False]
    assert len([e for e in table.view(1).news if isinstance(e, Placed)]) == 2


@pytest.mark.clause("AC-HOUSE-DETECT")
def test_a_move_through_a_fire_and_out_of_sight_is_not_told_step_by_step() -> None:
    """The fire is behind the house, where nobody sees the enemy burn: neither step is told, nor where it burned."""
    units = unit("militia", "g9.1"), unit("militia", "g7.5", side=1, detected=True)
    table = Table(house(), *units, dice=[[1] * 4], options={"fires": True})
    way = tuple(map(table.place, ("g7.5", "g8.6", "g9.7")))
    table.r.set_extra(fires=(Fire(0, ((way[1], 1),)),))
    table.do(Walk(1, way, 0, ("AC-HOUSE-MOVE",), 1))
    table.do(Arrived(1))
    assert [e.place for e in table.events(Placed)] == [table.place("g8.6"), table.place("g9.7")]
    assert not table.unit(1).own.detected
    news = table.view(0).news
    assert [e for e in news if isinstance(e, Placed)] == []
    assert [e.place for e in news if isinstance(e, InTheFire)] == [-1]


@pytest.mark.clause("AC-HOUSE-DETECT")
def test_a_move_is_told_though_the_only_one_who_saw_it_has_died_since() -> None:
    """The second team of the side sits in a house without a window to the north, where the enemy walks. What the first team saw
    stays in the news. A later move, which nobody saw, is not told."""
    table = Table(
        house(),
        unit("militia", "g5.8", detected=True),
        unit("militia", "house.1:0"),
        unit("militia", "g9.8", side=1, detected=True),
    )
    table.do(WhereTo(2, "run", side=1))
    table.say(MoveTo(table.place("g10.8")))
    assert table.unit(2).own.detected
    table.r.lose(table.unit(0), 4, "shot")
    table.do(Next())
    assert not table.unit(2).own.detected
    news = table.view(0).news
    assert [e.place for e in news if isinstance(e, Placed)] == [table.place("g10.8")]
    assert [(e.place, e.stayed) for e in news if isinstance(e, HiddenAgain)] == [(-1, False)]
    table.r.move(table.unit(2), (table.place("g10.8"), table.place("g11.8")))
    assert [e.place for e in table.view(0).news if isinstance(e, Placed)] == [table.place("g10.8")]


@pytest.mark.clause("AC-HOUSE-DETECT", "AC-CONC-1")
def test_fire_out_of_nowhere_has_no_name() -> None:
    table = Table(
        house("type: pillbox"),
        unit("militia", "g9.1", detected=True),
        unit("marksmen", "house.1:0", side=1),
        dice=[[1, 1], [10, 10]],
    )
    table.do(AtWhom(1, side=1))
    table.say(TargetUnit(0))
    told = [e for e in table.view(0).news if isinstance(e, Volley)]
    assert [(e.unit, e.target, e.range) for e in told] == [(-1, 0, -1)]
    assert [e.unit for e in table.view(1).news if isinstance(e, Volley)] == [1]
    assert sum(e.lost for e in table.view(0).news if isinstance(e, ModelsLost)) == 2
    assert not any(getattr(e, "actor", -1) == 1 for e in table.view(0).news)


@pytest.mark.clause("AC-HOUSE-DETECT")
def test_a_failed_look_is_not_told() -> None:
    table = Table(ground(), unit("militia", "g1.1"), unit("militia", "g8.1", side=1), dice=[10])
    table.do(Detect(0))
    assert list(table.view(0).news) == []
    assert len(list(table.view(1).news)) <= 1


@pytest.mark.clause("AC-HOUSE-DETECT", "AC-HOUSE-MOVE")
def test_legal_answers_do_not_tell_where_the_hidden_are() -> None:
    heard = []
    for with_enemy in (True, False):
        units = [unit("militia", "g1.1"), unit("militia", "g19.9", side=1, detected=True)]
        if with_enemy:
            units.append(unit("militia", "g2.1", side=1))
        table = Table(ground(), *units)
        ask = WhereTo(0, "move", side=0)
        legal = RULESET.legal(table.state, table.board, ask)
        assert MoveTo(table.place("g2.1")) in legal
        found = RULESET.legal(RULESET.imagine(table.view(0), table.board, table.dice), table.board, ask)
        assert found == legal
        heard.append(legal)
    assert heard[0] == heard[1]


@pytest.mark.clause("AC-HOUSE-DETECT")
def test_who_runs_into_the_hidden_finds_them() -> None:
    table = Table(ground(), unit("tank", "g1.1"), unit("militia", "g3.1", side=1), dice=[])
    table.do(WhereTo(0, "move", side=0))
    table.say(MoveTo(table.place("g4.1")))
    assert table.unit(0).place == table.place("g2.1")
    assert table.unit(1).own.detected
    assert table.unit(0).own.detected


@pytest.mark.clause("AC-HOUSE-STRUCT")
def test_a_large_hole_is_a_slit_a_breach_a_door() -> None:
    """The blank northern wall: nobody sees through it until something makes an opening."""
    for own, seen in (
        ({}, False),
        ({"holes": [[0, NORTH]]}, True),
        ({"breaches": [[0, NORTH]]}, True),
        ({"holes": [[1, NORTH]]}, False),
    ):
        table = Table(
            house(),
            unit("militia", "g9.8"),
            unit("militia", "house.1:0", side=1, detected=True),
            structures=[Structure(0, own=own)],
        )
        a, b = table.place("g9.8"), table.place("house.1:0")
        assert LineOfSight(table.state, table.board).sees(a, b) is seen
        assert LineOfSight(table.state, table.board).sees(b, a) is seen
        assert works.opened_sides(table.state, 0, 0) == ((NORTH,) if seen else ())


@pytest.mark.clause("AC-TYPE-3")
def test_nobody_fires_from_a_bunker() -> None:
    board = ground(
        """
buildings:
  - name: hole
    material: concrete
    kind: bunker
    rect: [27, 12, 33, 18]
    openings: [{kind: door, side: south, at: 0.25}]
"""
    )
    for kind, fires in (("", False), ("type: strongpoint", True)):
        if kind:
            board = house(kind)
        name = "house.1:0" if kind else "hole.1:0"
        table = Table(board, unit("gun_team", name), unit("militia", "g9.2", side=1, detected=True))
        table.do(AtWhom(0, side=0))
        assert (table.ask is not None) is fires
    assert works.make_of(house("type: bunker"), 0).type == "bunker"


@pytest.mark.clause("AC-TYPE-9")
def test_a_turret_fires_all_round() -> None:
    at = ["g5.5", "g9.5", "g5.8", "g2.5", "g5.2", "g8.8", "g2.2"]
    table = Table(
        ground(),
        unit("turret", at[0], facing=3),
        *(unit("militia", a, side=1, detected=True) for a in at[1:]),
    )
    table.do(AtWhom(0, side=0))
    assert table.legal == [Pass(), *(TargetUnit(n) for n in range(1, 7))]
    assert Through(1, -1) not in table.legal


@pytest.mark.clause("AC-HOUSE-DETECT")
@pytest.mark.parametrize("alive", [True, False])
def test_whom_only_the_dead_have_seen_is_hidden_again_before_the_next_unit_acts(alive: bool) -> None:
    """The second team of the side sits in a house without a window to that side."""
    table = Table(
        house(),
        unit("militia", "g5.8"),
        unit("militia", "house.1:0"),
        unit("militia", "g9.8", side=1, detected=True),
    )
    if not alive:
        table.r.lose(table.unit(0), 4, "shot")
    table.do(Next())
    assert table.unit(2).own.detected is alive
