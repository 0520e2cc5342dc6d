"""What hides a unit and how well, and on what it is found: cover, plants that are gone, having fired (AC-HOUSE-CONCEAL,
AC-CONC-1, AC-HOUSE-DETECT)."""

from __future__ import annotations

from typing import Any

import pytest

from battlesim.core.events import Rolled
from battlesim.core.state import Structure
from battlesim.engine.battle import Battle, Question
from battlesim.engine.game import play
from battlesim.rulesets.armorclass import concealment
from battlesim.rulesets.armorclass.concealment import Detect
from battlesim.rulesets.armorclass.facts import Detected
from battlesim.rulesets.armorclass.line_of_sight import LineOfSight
from battlesim.rulesets.armorclass.model import Fieldwork
from battlesim.scenario.load import load_scenario
from tests.rulesets.armorclass.kit import Table, ground, house, unit

WOODS = "terrain:\n  - {kind: woods, rect: [24, 9, 30, 15]}"
LINES = "terrain:\n  - {{kind: {kind}, line: [[15, 3], [15, 12]], height: 1}}"


def looked(table: Table) -> tuple[int, bool]:
    """Unit 0 looks for unit 1: the level of concealment met and the face that would just do, and whether it was found."""
    table.do(Detect(0))
    rolled = [e for e in table.events(Rolled) if e.purpose == "detect"]
    assert len(rolled) <= 1
    return (rolled[0].need - 1 if rolled else 10), table.unit(1).own.detected


@pytest.mark.clause("AC-HOUSE-CONCEAL", "AC-HOUSE-DETECT")
@pytest.mark.parametrize(("kind", "need"), [("", 9), ("hedge", 7), ("wall", 5)])
def test_what_stands_before_it_hides_a_unit_in_the_open(kind: str, need: int) -> None:
    """A hedge is plants; a wall, as a bank does, hides one to two thirds."""
    board = ground(LINES.format(kind=kind) if kind else "")
    for face in (need, need + 1):
        table = Table(board, unit("militia", "g1.2"), unit("militia", "g5.2", side=1), dice=[face])
        assert looked(table) == (need, face == need)
        assert [(e.level, e.need) for e in table.events(Detected)] == (
            [(concealment.FOUND_ON.index(need), need)] if face == need else []
        )
        table.done()


@pytest.mark.clause("AC-HOUSE-CONCEAL", "AC-FIRE-5")
@pytest.mark.parametrize(("burnt", "need"), [(False, 7), (True, 9)])
def test_plants_that_are_gone_hide_nobody(burnt: bool, need: int) -> None:
    table = Table(ground(WOODS), unit("militia", "g7.3"), unit("militia", "g8.3", side=1), dice=[10])
    if burnt:
        table.r.set_extra(burnt=tuple(table.place(name) for name in ("g8.3", "g9.3")))
    assert looked(table) == (need, False)


@pytest.mark.clause("AC-HOUSE-CONCEAL", "AC-FIRE-5")
@pytest.mark.parametrize(
    ("cover", "left"),
    [(concealment.THIRD, concealment.NONE), (concealment.TWO_THIRDS, concealment.TWO_THIRDS)],
)
def test_a_wall_hides_whoever_stands_where_plants_have_burnt(cover: int, left: int) -> None:
    """Only the cover of the plants went with them."""
    table = Table(ground(WOODS), unit("militia", "g8.3"))
    assert concealment.level_of(table.state, table.board, table.unit(0), cover) == max(
        cover, concealment.THIRD
    )
    table.r.set_extra(burnt=(table.place("g8.3"),))
    assert concealment.level_of(table.state, table.board, table.unit(0), cover) == left


@pytest.mark.clause("AC-TYPE-9", "AC-HOUSE-CONCEAL")
@pytest.mark.parametrize("fired", [-1, 0])
def test_a_turret_on_a_house_shows_more_than_men_inside(fired: int) -> None:
    """A mount that sees all round: no more than two thirds of it are hidden, whether it has fired or not."""
    table = Table(
        house(), unit("turret", "house.1:1", fired=fired), unit("militia", "house.1:1", fired=fired)
    )
    levels = [concealment.level_of(table.state, table.board, table.unit(n)) for n in range(2)]
    assert levels == [concealment.TWO_THIRDS, concealment.TOTAL if fired < 0 else concealment.MORE]


@pytest.mark.clause("AC-CONC-1", "AC-HOUSE-CONCEAL")
@pytest.mark.parametrize(("fired", "need"), [(-1, None), (0, 3), (1, 4), (2, 5)])
def test_any_shot_drops_total_concealment_the_signature_comes_on_top(fired: int, need: int | None) -> None:
    """A weapon without a bonus as well: 1 to 3."""
    dice = [] if need is None else [need]
    table = Table(
        house("type: pillbox"),
        unit("militia", "g9.1"),
        unit("militia", "house.1:0", side=1, fired=fired),
        dice=dice,
    )
    assert looked(table) == (10 if need is None else need, need is not None)
    told = table.events(Detected)
    assert [(e.level, e.need) for e in told] == ([] if need is None else [(concealment.MORE, need)])
    assert ("AC-CONC-1" in table.clauses()) is (need is not None)
    table.done()


@pytest.mark.clause("AC-CONC-1", "AC-HOUSE-DETECT")
@pytest.mark.parametrize(("fired", "dice"), [(-1, [10]), (0, [10]), (1, []), (2, [])])
def test_who_fires_in_the_open_shows_himself(fired: int, dice: list[int]) -> None:
    """9 and a signature of 1 is 10: no die could miss, and none is rolled. A second point adds nothing. To have fired makes no
    difference to the concealment of one who had not the whole of it."""
    table = Table(ground(), unit("militia", "g1.1"), unit("militia", "g5.1", side=1, fired=fired), dice=dice)
    assert looked(table) == (10 if not dice else 9, not dice)
    assert [(e.level, e.need) for e in table.events(Detected)] == ([] if dice else [(concealment.NONE, 10)])
    assert "AC-CONC-1" not in table.clauses()
    table.done()


@pytest.mark.clause("AC-TYPE-4", "AC-TYPE-7", "AC-TYPE-8", "AC-TYPE-9", "AC-HOUSE-DETECT")
@pytest.mark.parametrize(
    ("kind", "work", "clause"),
    [
        ("marksmen", "foxhole", "AC-TYPE-4"),
        ("marksmen", "trench", "AC-TYPE-7"),
        ("marksmen", "emplacement", "AC-TYPE-8"),
        ("turret", "", "AC-TYPE-9"),
        ("marksmen", "", ""),
    ],
)
def test_finding_somebody_names_what_hid_him(kind: str, work: str, clause: str) -> None:
    table = Table(ground(), unit("militia", "g1.1"), unit(kind, "g5.1", side=1), dice=[1])
    if work:
        table.r.set_extra(fieldworks=(Fieldwork(work, table.place("g5.1"), 7),))
    assert looked(table) == (5 if work else 9, True)
    wanted = ("AC-HOUSE-DETECT", "AC-HOUSE-CONCEAL", *([clause] if clause else []))
    for event in (*table.events(Rolled), *table.events(Detected)):
        assert event.clauses == wanted


@pytest.mark.clause("AC-HOUSE-DETECT")
@pytest.mark.parametrize(
    ("other", "dice"),
    [
        ({"side": 1}, 1),
        ({"side": 1, "detected": True}, 0),
        ({"side": 0}, 0),
        ({"side": 1, "at": "", "arrives": 3}, 0),
        ({"side": 1, "at": "g8.5"}, 0),  # behind the house
    ],
)
def test_a_die_is_rolled_for_a_hidden_enemy_in_sight_and_for_nobody_else(
    other: dict[str, Any], dice: int
) -> None:
    row = {"at": "g8.1", **other}
    table = Table(house(), unit("militia", "g10.2"), unit("militia", row.pop("at"), **row), dice=[10] * dice)
    table.do(Detect(0))
    assert len(table.events(Rolled)) == dice
    table.done()


@pytest.mark.clause("AC-HOUSE-DETECT")
@pytest.mark.parametrize("gone", ["off the board", "dead"])
def test_who_is_not_there_looks_for_nobody(gone: str) -> None:
    table = Table(
        ground(), unit("militia", "" if gone == "off the board" else "g1.1"), unit("militia", "g5.1", side=1)
    )
    if gone == "dead":
        table.r.lose(table.unit(0), 4, "shot")
    table.do(Detect(0))
    assert table.events(Rolled) == []


@pytest.mark.clause("AC-HOUSE-DETECT")
@pytest.mark.parametrize(("looker", "other"), [("g0.0", "g3.0"), ("g3.0", "g0.0")])
def test_one_looks_from_any_space_at_any_other(looker: str, other: str) -> None:
    table = Table(ground(), unit("militia", looker), unit("militia", other, side=1), dice=[9])
    assert 0 in (table.unit(0).place, table.unit(1).place)
    assert looked(table) == (9, True)


@pytest.mark.clause("AC-HOUSE-CONCEAL", "AC-CONC-1")
@pytest.mark.parametrize("kind", ["marksmen", "turret"])
def test_on_a_flat_roof_one_is_hidden_by_its_parapet(kind: str) -> None:
    table = Table(house(flat=True), unit("militia", "g9.0"), unit(kind, "house.1:2", side=1), dice=[5])
    assert looked(table) == (5, True)
    assert [e.level for e in table.events(Detected)] == [concealment.TWO_THIRDS]
    assert "AC-CONC-1" not in table.clauses()  # nobody has fired


@pytest.mark.clause("AC-HOUSE-DETECT")
def test_who_is_run_into_is_found_without_a_die_and_once() -> None:
    table = Table(ground(), unit("militia", "g1.1"), unit("militia", "g5.1", side=1))
    for _ in range(2):
        concealment.reveal(table.r, 0, 1)
    assert [(e.unit, e.target, e.level, e.need, e.clauses) for e in table.events(Detected)] == [
        (0, 1, concealment.NONE, 10, ("AC-HOUSE-DETECT",))
    ]
    assert table.unit(1).own.detected
    table.r.set(1, detected=False)
    table.r.lose(table.unit(1), 4, "shot")
    concealment.reveal(table.r, 0, 1)
    assert len(table.events(Detected)) == 1


@pytest.mark.clause("AC-HOUSE-DETECT")
@pytest.mark.parametrize(
    ("watcher", "found"),
    [
        ({"at": "g1.1", "side": 1}, True),
        ({"at": "g1.1"}, False),  # a friend
        ({"at": "", "side": 1, "arrives": 3}, False),
        ({"at": "g9.7", "side": 1}, False),  # behind the house
    ],
)
@pytest.mark.parametrize("at", ["g0.0", "g9.1"])
def test_found_is_who_is_still_seen_by_an_enemy(at: str, watcher: dict[str, Any], found: bool) -> None:
    row = dict(watcher)
    if at == "g0.0" and row["at"] == "g9.7":
        row["at"] = "g19.9"
    table = Table(house(), unit("militia", at, detected=True), unit("militia", row.pop("at"), **row))
    concealment.lose_sight(table.r)
    assert table.unit(0).own.detected is found
    assert table.happened() == ([] if found else ["hidden again"])
    assert table.clauses() <= {"AC-HOUSE-DETECT"}


# ---- lines

BLANK = """
buildings:
  - name: house
    rect: [27, 12, 33, 18]
    openings: [{{kind: door, side: {door}, at: 0.5}}]
  - name: shed
    rect: [27, 3, 33, 6]
    openings: [{{kind: door, side: south, at: 0.5}}]
"""


@pytest.mark.clause("AC-HOUSE-STRUCT", "AC-TYPE-10")
@pytest.mark.parametrize(
    ("side", "door", "at"), [(0, "north", "g10.2"), (1, "west", "g13.5"), (3, "east", "g4.5")]
)
def test_nobody_sees_or_fires_through_a_wall_without_an_opening(side: int, door: str, at: str) -> None:
    """Whichever wall it is, until there is a hole wide enough; but the wall itself can be fired at."""
    board = ground(BLANK.format(door=door))
    for opened in (False, True):
        structures = [Structure(0, own={"holes": [[0, side]]})] if opened else []
        table = Table(board, structures=structures)
        inside, outside = table.place("house.1:0"), table.place(at)
        look = LineOfSight(table.state, board)
        assert look.sees(outside, inside) is opened
        assert look.sees(inside, outside) is opened
        assert bool(look.between(inside, outside).fire) is opened
        assert {line.to_side for line in look.between(outside, inside).fire} == {side}


@pytest.mark.clause("AC-DEST-3", "AC-HOUSE-DETECT")
def test_one_sees_over_what_has_fallen() -> None:
    """The shed between them is in the way until it is down; holes in the house do not matter to that."""
    board = ground(BLANK.format(door="south"))
    for fallen in (False, True, False):
        shed = [Structure(1, fallen=True, own={"gone": 0})] if fallen else []
        table = Table(board, structures=[Structure(0, own={"holes": [[0, 2]]}), *shed])
        a, b = table.place("g9.0"), table.place("g9.2")
        look = LineOfSight(table.state, board)
        assert look.sees(a, b) is fallen
        assert bool(look.between(b, a).fire) is fallen
        house_ = table.place("house.1:0")
        assert look.sees(house_, a) is fallen
        assert look.sees(house_, house_)


def test_who_is_totally_concealed_is_told_alike_in_two_ways() -> None:
    """`is_concealed` is the short way to the highest of `level_of`, whatever the cover."""
    scenario = load_scenario("tobacco-armour")
    told: list[bool] = []

    def compare(battle: Battle, question: Question) -> None:
        for one in battle.state.units.values():
            if question.number % 20 == 0 and one.place >= 0:
                levels = [concealment.level_of(battle.state, battle.board, one, cover) for cover in range(3)]
                told.append(concealment.is_concealed(battle.board, one))
                assert [level == concealment.TOTAL for level in levels] == [told[-1]] * 3

    play(scenario, ("random", "random"), seed=2, listener=compare)
    assert set(told) == {True, False}
