"""Barrages and air strikes (OD-AIR, OD-BARR, OD-BUNK-5, OD-EMPTY-1, OD-HOUSE-SUPPORT, OD-HOUSE-EMPTY)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import icepool
import pytest

from battlesim.board.board import Board
from battlesim.core.answers import Answer, Confirm, Order, Pass, TargetSpace, TargetUnit
from battlesim.core.events import Happened, ModelsLost, Rolled
from battlesim.core.items import TURN
from battlesim.core.state import Structure
from battlesim.rulesets.orderdice import line_of_sight, strikes, support, turn
from battlesim.rulesets.orderdice.facts_fire import Blasted
from battlesim.rulesets.orderdice.model import unit_state
from battlesim.rulesets.orderdice.react import GoDown
from battlesim.rulesets.orderdice.ruleset import RULESET
from battlesim.rulesets.orderdice.shoot import AtWhom
from battlesim.rulesets.orderdice.support import AIR, BARRAGE, CallStrike, StrikeDue
from battlesim.rulesets.orderdice.turn import Obey, WhichOrder
from tests.rulesets.orderdice.grounds import ground, house
from tests.rulesets.orderdice.kit import Table, unit

FIELD = ground((46, 46))
HOUSE = house()
PILLBOX = ground(
    (46, 20),
    """
buildings:
  - name: pillbox
    kind: bunker
    material: concrete
    rect: [20, 7, 26, 13]
    openings: [{kind: door, side: west, at: 0.5}, {kind: slit, side: east, at: 0.5}]
""",
)
# A low shed hides the ground floor of the tower behind it from an observer upstairs; a hut behind the tower is hidden.
STREET = ground(
    (60, 20),
    """
buildings:
  - name: post
    rect: [2, 7, 8, 13]
    floors: 2
    openings: [{kind: door, side: west, at: 0.5}, {kind: window, floor: 1, side: east, count: 2}]
  - name: shed
    rect: [20, 3, 26, 17]
    floors: 1
    openings: [{kind: door, side: north, at: 0.5}]
  - name: tower
    rect: [27, 7, 33, 13]
    floors: 4
    openings: [{kind: door, side: east, at: 0.5}, {kind: window, floors: upper, side: all, count: 1}]
  - name: hut
    rect: [40, 8, 44, 12]
    floors: 1
    openings: [{kind: door, side: east, at: 0.5}]
""",
)


def called(table: Table, number: int = 0) -> list[Answer]:
    table.do(Obey(number))
    return table.legal if isinstance(table.ask, CallStrike) else []


def comes(table: Table, kind: str, place: str, target: int = -1, observer: int = 0) -> None:
    """A strike of the observer rolls for its arrival."""
    table.do(StrikeDue(observer, kind, target, table.place(place)))


def observer(kind: str = "artillery_observer", at: str = "g2.2", **row: Any) -> dict[str, Any]:
    return unit(kind, at=at, **{"called": True, "order": "fire", **row})


def men(at: str, kind: str = "rifle_section", **row: Any) -> dict[str, Any]:
    """Enemies that have acted, and so do not go down."""
    return unit(kind, at=at, **{"side": 1, "order": "fire", **row})


def rolls(table: Table, purpose: str) -> list[Rolled]:
    return [roll for roll in table.events(Rolled) if roll.purpose == purpose]


def pins(table: Table, *numbers: int) -> list[int]:
    return [unit_state(table.unit(number)).pins for number in numbers]


def down(table: Table, section: int = 0) -> bool:
    return section in table.state.structures and table.state.structures[section].fallen


# ---- calling ---------------------------------------------------------------------------------------------------------


@pytest.mark.clause("OD-HOUSE-SUPPORT")
def test_a_barrage_is_called_on_ground_where_the_observer_sees_the_enemy() -> None:
    table = Table(
        FIELD, unit("artillery_observer", at="g2.2", order="fire"), men("g30.30"), men("g40.9", "truck")
    )
    assert called(table) == [TargetSpace(table.place("g30.30")), TargetSpace(table.place("g40.9"))]
    table.say(TargetSpace(table.place("g40.9")))
    assert unit_state(table.unit(0)).called
    (entry,) = table.state.agenda
    assert entry.step == StrikeDue(0, BARRAGE, -1, table.place("g40.9"))
    assert (entry.time, entry.priority) == (TURN, support.STRIKE_PRIORITY)
    table.done()  # the order was for calling: nobody shoots


@pytest.mark.clause("OD-HOUSE-SUPPORT")
def test_an_air_strike_is_called_on_units() -> None:
    table = Table(FIELD, unit("air_observer", at="g2.2", order="fire"), men("g30.30"), men("g40.9", "truck"))
    assert called(table) == [TargetUnit(1), TargetUnit(2)]
    table.say(TargetUnit(2))
    assert table.state.agenda[0].step == StrikeDue(0, AIR, 2, table.place("g40.9"))
    table.done()


@pytest.mark.clause("OD-HOUSE-SUPPORT")
def test_one_strike_a_game_then_only_pistols() -> None:
    table = Table(FIELD, unit("air_observer", at="g2.2", called=True), men("g30.30"))
    table.do(WhichOrder(0, side=0))
    assert Order("fire") not in table.legal
    fresh = Table(FIELD, unit("air_observer", at="g2.2"), men("g30.30"))
    fresh.do(WhichOrder(0, side=0))
    assert Order("fire") in fresh.legal
    assert not support.can_call(table.state, FIELD, table.unit(0))
    officer = Table(FIELD, unit("officer", at="g2.2"), men("g30.30"))
    assert not support.can_call(officer.state, FIELD, officer.unit(0))


@pytest.mark.clause("OD-HOUSE-SUPPORT")
def test_passing_shoots_and_is_offered_only_where_something_bears() -> None:
    table = Table(
        FIELD, unit("air_observer", at="g20.30", order="fire"), men("g30.30"), men("g30.28"), dice=[1]
    )
    assert called(table) == [TargetUnit(1), TargetUnit(2), Pass()]
    table.say(Pass())
    assert isinstance(table.ask, AtWhom)
    table.say(TargetUnit(1))  # the rifle; the pistol does not reach
    assert not unit_state(table.unit(0)).called
    assert table.state.agenda == ()
    table.done()


@pytest.mark.clause("OD-AIR-1")
def test_it_is_enough_to_see_the_building_the_target_is_in() -> None:
    table = Table(STREET, unit("air_observer", at="post.1:1", order="fire"), men("tower.1:0"), men("hut.1:0"))
    state, place = table.state, table.unit(0).place
    assert not line_of_sight.sees(state, STREET, place, table.place("tower.1:0"))
    assert line_of_sight.sees(state, STREET, place, table.place("tower.1:2"))
    legal = called(table)
    assert TargetUnit(1) in legal
    assert TargetUnit(2) not in legal  # nothing of the hut is seen


@pytest.mark.clause("OD-BARR-1")
def test_the_aiming_point_may_lie_on_a_building_in_sight() -> None:
    table = Table(
        STREET, unit("artillery_observer", at="post.1:1", order="fire"), men("tower.1:0"), men("hut.1:0")
    )
    legal = called(table)
    assert legal[0] == TargetSpace(table.place("tower.1:0"))
    assert TargetSpace(table.place("hut.1:0")) not in legal


@pytest.mark.clause("OD-EMPTY-1")
@pytest.mark.parametrize("kind", ["artillery_observer", "air_observer"])
def test_an_empty_building_in_sight_may_be_called_on(kind: str) -> None:
    def offered(*more: dict[str, Any], **kw: Any) -> bool:
        table = Table(HOUSE, unit(kind, at="g2.9", order="fire"), men("g44.2"), *more, **kw)
        return TargetSpace(table.place("house.1:0")) in called(table)

    assert offered()
    assert not offered(unit("officer", at="house.1:1"))  # a friend is in it
    assert not offered(structures=[Structure(0, fallen=True)])


@pytest.mark.clause("OD-EMPTY-1")
def test_the_nearest_eight_empty_buildings_are_offered() -> None:
    huts = "".join(
        f"\n  - {{name: h{i}, rect: [{4 * i}, 2, {4 * i + 3}, 5], openings: [{{kind: door, side: north}}]}}"
        for i in range(11)
    )
    row = ground((46, 30), f"buildings:{huts}")
    table = Table(row, unit("artillery_observer", at="g2.20", order="fire"))
    places = [row.sections[i].spaces[0] for i in range(8)]
    assert called(table) == [TargetSpace(place) for place in places]


# ---- arriving --------------------------------------------------------------------------------------------------------


@pytest.mark.clause("OD-HOUSE-SUPPORT")
@pytest.mark.parametrize("face", [1, 2])
def test_on_one_or_two_it_is_delayed_to_the_next_turn(face: int) -> None:
    table = Table(FIELD, observer(), dice=[face])
    table.state.turn = 3
    comes(table, BARRAGE, "g30.30")
    (entry,) = table.state.agenda
    assert (entry.time, entry.step) == (3 * TURN, StrikeDue(0, BARRAGE, -1, table.place("g30.30")))
    table.done()


@pytest.mark.clause("OD-HOUSE-SUPPORT")
def test_on_three_it_arrives_even_if_its_observer_is_dead() -> None:
    table = Table(FIELD, observer(), men("g30.30"), dice=[3, 1, 2])
    table.r.lose(table.unit(0), 2, "test")
    comes(table, BARRAGE, "g30.30")
    assert pins(table, 1) == [1]
    assert table.state.agenda == ()
    table.done()


@pytest.mark.clause("OD-HOUSE-SUPPORT")
def test_strikes_come_after_reserves_and_before_the_turn() -> None:
    from battlesim.rulesets.orderdice.reserves import ARRIVE_PRIORITY

    assert ARRIVE_PRIORITY < support.STRIKE_PRIORITY < turn.TURN_PRIORITY
    table = Table(FIELD, observer(), men("g30.30"), dice=[3, 1, 2])
    RULESET.step(table.r, StrikeDue(0, BARRAGE, -1, table.place("g30.30")))
    table.run()
    table.done()


# ---- barrage ---------------------------------------------------------------------------------------------------------


@pytest.mark.clause("OD-HOUSE-SUPPORT")
def test_reach_is_six_and_a_die_and_friends_roll_too() -> None:
    table = Table(
        FIELD,
        observer(),
        men("g30.40"),  # 10 inches from the aiming point
        men("g30.41"),  # 11
        unit("rifle_section", at="g30.22"),
        dice=[3, 4, 2, 3],
    )
    comes(table, BARRAGE, "g30.30")
    assert pins(table, 1, 2, 3) == [1, 0, 1]
    table.done()


@pytest.mark.clause("OD-HOUSE-SUPPORT")
@pytest.mark.parametrize(
    ("face", "more", "pinned"), [(1, [], 0), (2, [], 1), (3, [], 1), (4, [3], 3), (5, [2], 2)]
)
def test_what_the_die_of_a_unit_does(face: int, more: list[int], pinned: int) -> None:
    table = Table(FIELD, observer(), men("g30.30"), dice=[3, 1, face, *more])
    comes(table, BARRAGE, "g30.30")
    assert pins(table, 1) == [pinned]
    table.done()


@pytest.mark.clause("OD-HOUSE-SUPPORT")
def test_odds_of_the_barrage_die_agree_with_exact_dice() -> None:
    exact = icepool.d6.map({1: "nothing", 2: "one", 3: "one", 4: "D3", 5: "D3", 6: "hit"})
    for word in ("nothing", "one", "D3", "hit"):
        share = Fraction(sum(strikes.barrage_pins(face) == word for face in range(1, 7)), 6)
        assert share == Fraction(exact.probability(word))


@pytest.mark.clause("OD-HOUSE-SUPPORT")
@pytest.mark.clause("OD-HE-3")
def test_a_heavy_howitzer_hit_lets_its_target_go_down_first() -> None:
    table = Table(
        FIELD,
        observer(),
        men("g30.30", order=""),
        dice=[3, 1, 6, [3, 3, 3], 2, [1, 1, 1, 1, 2]],  # nine hits, halved to five; 2 pins; 2+ damages
    )
    comes(table, BARRAGE, "g30.30")
    assert isinstance(table.ask, GoDown)
    table.say(Confirm(True))
    assert pins(table, 1) == [2]
    assert table.unit(1).models == 9
    table.done()


@pytest.mark.clause("OD-BARR-2")
def test_of_a_building_the_distance_to_itself_counts() -> None:
    """With a reach of 9 inches: 8 1/2 before the wall every unit inside rolls, 10 1/2 before it none does."""

    def under(at: str) -> list[int]:
        dice = [3, 3, *([2, 2] if at == "g11.9" else [])]  # reach 9
        table = Table(HOUSE, observer(at="g45.19"), men("house.1:0"), men("house.1:2"), dice=dice)
        comes(table, BARRAGE, at)
        table.done()
        return pins(table, 1, 2)

    assert under("g11.9") == [1, 1]
    assert under("g9.9") == [0, 0]


@pytest.mark.clause("OD-BARR-2")
@pytest.mark.clause("OD-HE-4")
def test_inside_no_extra_protection_helps() -> None:
    table = Table(
        HOUSE,
        observer(at="g45.19"),
        men("house.1:0", quality="inexperienced"),
        men("house.1:1", "light_at_gun", emplaced=True),
        dice=[3, 3, 6, [1, 1, 1], 1, [1, 1, 2], 6, [1, 1, 1], 1, [1, 1, 2]],
    )
    comes(table, BARRAGE, "g23.5")
    assert [roll.need for roll in rolls(table, "shell damage")] == [2, 2]
    assert (table.unit(1).models, table.unit(2).models) == (9, 2)
    table.done()


@pytest.mark.clause("OD-BARR-3")
@pytest.mark.parametrize(("second", "falls"), [([1, 1, 2], False), ([1, 2, 2], True)])
def test_hits_on_all_units_of_a_building_add_up_before_halving(second: list[int], falls: bool) -> None:
    table = Table(
        HOUSE,
        observer(at="g45.19"),
        men("house.1:0", order="down"),
        men("house.1:2", order="down"),
        dice=[3, 3, 6, [1, 2, 2], 1, [1] * 3, 6, second, *([] if falls else [1, [1, 1]])],
    )
    comes(table, BARRAGE, "g23.5")
    assert down(table) == falls
    assert table.unit(1).alive != falls
    assert ("OD-BARR-3" in table.clauses()) is True
    table.done()


@pytest.mark.clause("OD-BARR-3")
@pytest.mark.clause("OD-LARGE-3")
def test_hits_on_two_buildings_do_not_add_up() -> None:
    table = Table(
        STREET,
        observer(at="g59.19"),
        men("tower.1:0"),
        men("shed.1:0"),
        dice=[3, 6, 6, [2, 2, 2], 1, [1] * 6, 6, [2, 2, 2], 1, [1] * 6],
    )
    comes(table, BARRAGE, "g26.5")
    assert not down(table, STREET.section("tower.1"))
    assert not down(table, STREET.section("shed.1"))
    table.done()


@pytest.mark.clause("OD-BARR-3")
def test_one_unit_hit_often_enough_is_enough() -> None:
    table = Table(
        HOUSE,
        observer(at="g45.19"),
        men("house.1:0"),
        men("house.1:2"),
        dice=[3, 3, 6, [4, 3, 3]],  # whatever the other unit would roll
    )
    comes(table, BARRAGE, "g23.5")
    assert down(table)
    assert [event.how for event in table.events(ModelsLost)] == ["buried", "buried"]
    table.done()


@pytest.mark.clause("OD-HOUSE-EMPTY")
@pytest.mark.parametrize(("hits", "falls"), [([3, 3, 3], False), ([4, 3, 3], True)])
def test_an_empty_building_aimed_at_gets_one_die(hits: list[int], falls: bool) -> None:
    table = Table(HOUSE, observer(at="g2.9"), dice=[3, 1, 6, hits])
    comes(table, BARRAGE, "house.1:0")
    assert down(table) == falls
    table.done()


@pytest.mark.clause("OD-HOUSE-EMPTY")
def test_an_empty_building_near_the_aiming_point_gets_none() -> None:
    table = Table(HOUSE, observer(at="g45.19"), dice=[3, 6])
    comes(table, BARRAGE, "g23.5")
    table.done()


@pytest.mark.clause("OD-BARR-2")
def test_a_vehicle_is_hit_once_and_from_above() -> None:
    table = Table(FIELD, observer(), men("g30.30", "medium_tank", facing=0), dice=[3, 1, 6, 1, 3])
    comes(table, BARRAGE, "g25.30")
    (armour,) = rolls(table, "armour")
    assert (armour.need, armour.faces) == (4, (3,))  # 4 for the shell and 1 for the top against 9
    table.done()


@pytest.mark.clause("OD-BUNK-5")
@pytest.mark.parametrize(("hits", "falls"), [([4, 4, 3], False), ([4, 4, 4], True)])
def test_a_barrage_pins_men_in_a_bunker_and_twelve_hits_destroy_it(hits: list[int], falls: bool) -> None:
    table = Table(
        PILLBOX, observer(at="g45.19"), men("pillbox.1:0"), dice=[3, 1, 6, hits, *([] if falls else [5])]
    )
    comes(table, BARRAGE, "g23.5")
    assert down(table) == falls
    if not falls:
        assert (table.unit(1).models, pins(table, 1)) == (10, [5])
    table.done()


# ---- air strike ------------------------------------------------------------------------------------------------------


@pytest.mark.clause("OD-HOUSE-SUPPORT")
def test_an_air_strike_pins_the_target_its_neighbours_and_bombs_it() -> None:
    table = Table(
        FIELD,
        observer("air_observer"),
        men("g30.30"),
        men("g36.30"),
        unit("officer", at="g30.24"),
        men("g37.30"),
        dice=[3, 2, [1, 1], 3, [1, 6]],  # D3 pins; two hits, D3 more pins, 2+ damages
    )
    comes(table, AIR, "g30.30", target=1)
    assert pins(table, 1, 2, 3, 4) == [5, 1, 1, 0]
    assert table.unit(1).models == 9
    table.done()


@pytest.mark.clause("OD-AIR-2")
def test_pins_are_measured_from_the_building_itself() -> None:
    table = Table(
        HOUSE,
        observer("air_observer", at="g2.2"),
        men("house.1:0"),
        unit("officer", at="g31.9"),  # 5 1/2 inches from the wall, 8 1/2 from its middle
        unit("officer", at="g32.9"),
        men("house.1:3"),
        dice=[3, 3, 4, [1, 1], 1, [1, 1]],
    )
    comes(table, AIR, "house.1:0", target=1)
    assert pins(table, 1, 2, 3, 4) == [3, 1, 0, 2]  # the roof takes the bomb (1 of D3) and one for being near
    table.done()


@pytest.mark.clause("OD-AIR-2")
def test_from_house_to_house_too() -> None:
    table = Table(STREET, men("tower.1:0"), men("shed.1:0"), men("hut.1:0"), men("post.1:0"))
    tower, shed, hut, post = (table.unit(n).place for n in range(4))
    assert strikes.gap(STREET, tower, shed) == strikes.gap(STREET, shed, tower) == 100
    assert strikes.gap(STREET, tower, hut) == 700
    assert strikes.gap(STREET, tower, tower + 1) == 0
    assert strikes.gap(STREET, post, tower) == 1_900
    assert strikes.gap(STREET, table.place("g35.9"), tower) == 250


@pytest.mark.clause("OD-AIR-3")
def test_the_bomb_falls_through_the_floors_as_a_shell_does() -> None:
    """From the roof down: 3 drops, 3 drops, 4 bursts on the first floor; only the unit there is hit."""
    table = Table(
        HOUSE,
        observer("air_observer", at="g2.2"),
        men("house.1:0"),
        men("house.1:1", quality="veteran"),
        dice=[3, 1, 3, 3, 4, [1, 2], 1, [2, 1, 1]],
    )
    comes(table, AIR, "house.1:0", target=1)
    (blast,) = table.events(Blasted)
    assert (blast.unit, blast.place) == (2, table.place("house.1:1"))
    assert rolls(table, "shell damage")[0].need == 2  # veteran 5+, a bomb's +3, no extra protection
    assert (table.unit(1).models, table.unit(2).models) == (10, 9)
    table.done()


@pytest.mark.clause("OD-AIR-3")
@pytest.mark.clause("OD-HE-3")
def test_whoever_it_bursts_on_may_go_down_first() -> None:
    table = Table(
        HOUSE,
        observer("air_observer", at="g2.2"),
        men("house.1:0", order=""),
        dice=[3, 1, 1, 1, 1, [2, 3], 1, [1, 1, 1]],
    )
    comes(table, AIR, "house.1:0", target=1)
    assert isinstance(table.ask, GoDown)
    table.say(Confirm(True))
    (blast,) = table.events(Blasted)
    assert (blast.hits, blast.taken) == (5, 3)
    table.done()


@pytest.mark.clause("OD-AIR-4")
@pytest.mark.parametrize(("hits", "falls"), [([5, 4], False), ([5, 5], True)])
def test_ten_hits_before_halving_bring_the_house_down(hits: list[int], falls: bool) -> None:
    dice: list[Any] = [3, 1, 4, hits]
    if not falls:
        dice += [1, [1] * 5]
    table = Table(
        HOUSE,
        observer("air_observer", at="g2.2"),
        men("house.1:0"),
        men("house.1:3", order="down"),
        dice=dice,
    )
    comes(table, AIR, "house.1:0", target=1)
    assert down(table) == falls
    assert table.unit(1).alive != falls
    assert ("OD-AIR-4" in table.clauses()) == falls
    table.done()


@pytest.mark.clause("OD-AIR-4")
@pytest.mark.clause("OD-HOUSE-EMPTY")
def test_hits_count_on_an_empty_floor_and_on_an_empty_house() -> None:
    floor = Table(HOUSE, observer("air_observer", at="g2.2"), men("house.1:0"), dice=[3, 1, 4, [5, 5]])
    comes(floor, AIR, "house.1:0", target=1)
    assert down(floor)
    assert not floor.unit(1).alive
    empty = Table(
        HOUSE, observer("air_observer", at="g2.2"), unit("officer", at="g31.9"), dice=[3, 4, [5, 5]]
    )
    comes(empty, AIR, "house.1:0")
    assert down(empty)
    assert pins(empty, 1) == [1]
    for table in (floor, empty):
        table.done()


@pytest.mark.clause("OD-BUNK-5")
@pytest.mark.parametrize(("hits", "falls"), [([5, 6], False), ([6, 6], True)])
def test_an_air_strike_pins_men_in_a_bunker_and_twelve_hits_destroy_it(hits: list[int], falls: bool) -> None:
    dice = [3, 2, hits, *([] if falls else [3])]
    table = Table(PILLBOX, observer("air_observer", at="g2.2"), men("pillbox.1:0"), dice=dice)
    comes(table, AIR, "pillbox.1:0", target=1)
    assert down(table) == falls
    if not falls:
        assert (table.unit(1).models, pins(table, 1)) == (10, [5])
    table.done()


@pytest.mark.clause("OD-HOUSE-FACING")
def test_a_bomb_strikes_the_top_of_a_tank_once() -> None:
    table = Table(FIELD, observer("air_observer"), men("g30.30", "medium_tank", facing=0), dice=[3, 1, 1, 4])
    comes(table, AIR, "g30.30", target=1)
    (armour,) = rolls(table, "armour")
    assert (armour.need, armour.faces) == (5, (4,))  # 3 + 1 against 9
    table.done()


@pytest.mark.clause("OD-HOUSE-EMPTY")
@pytest.mark.parametrize("how", ["dead", "aboard"])
def test_a_strike_whose_target_is_gone_falls_where_it_was_called(how: str) -> None:
    table = Table(
        HOUSE,
        observer("air_observer", at="g2.2"),
        men("" if how == "aboard" else "g45.2", "officer", **({"aboard": 2} if how == "aboard" else {})),
        men("g45.19", "truck"),
        men("house.1:2"),
        dice=[3, 1, 4, [1, 1], 1, [1, 1]],
    )
    if how == "dead":
        table.r.lose(table.unit(1), 2, "test")
    comes(table, AIR, "house.1:0", target=1)
    assert pins(table, 3) == [2]  # one for being near, one of the bomb
    assert "OD-HOUSE-EMPTY" in table.clauses()
    table.done()


@pytest.mark.clause("OD-HOUSE-SUPPORT")
def test_a_target_that_has_moved_is_found_where_it_is() -> None:
    table = Table(FIELD, observer("air_observer"), men("g30.30"), dice=[3, 1, [1, 1], 1, [1, 1]])
    comes(table, AIR, "g10.40", target=1)
    (strike,) = [event for event in table.events(Happened) if event.what == "air strike"]
    assert strike.place == table.place("g30.30")
    table.done()


@pytest.mark.clause("OD-HOUSE-EMPTY")
def test_a_bomb_on_a_house_that_has_fallen_meanwhile_bursts_in_its_rubble() -> None:
    board: Board = HOUSE
    ruin = board.spaces[board.sections[0].ruin].name
    table = Table(
        HOUSE,
        observer("air_observer", at="g2.2"),
        men(ruin),
        structures=[Structure(0, fallen=True)],
        dice=[3, [1, 1], 1, [1, 1]],
    )
    comes(table, AIR, "house.1:0")
    assert pins(table, 1) == [2]
    table.done()


def test_two_observers_strikes_have_dice_of_their_own() -> None:
    table = Table(
        FIELD,
        observer(),
        observer(at="g2.4"),
        men("g30.30"),
        dice=[3, 1, 6, [1, 1, 1], 1, [1, 1, 1], 3, 1, 6, [1, 1, 1], 1, [1, 1, 1]],
    )
    comes(table, BARRAGE, "g30.30")
    comes(table, BARRAGE, "g30.30", observer=1)
    assert len(table.dice.keys) == len(set(table.dice.keys))
    table.done()
