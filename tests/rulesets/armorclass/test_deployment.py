"""Where units can be set up, and reserves that come on (AC-TYPE, AC-HOUSE-MOVE, AC-HOUSE-RESERVE)."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace

from battlesim import first_state, load_scenario
from battlesim.board.load import maps_folder
from battlesim.core.answers import MoveTo, Pass
from battlesim.core.events import Happened, Placed, Scheduled
from battlesim.core.items import TURN
from battlesim.core.state import Structure
from battlesim.rules.deployment import fill_zones
from battlesim.rules.reserves import MOST_PLACES
from battlesim.rulesets.armorclass import deployment, flames
from battlesim.rulesets.armorclass.data import TYPES
from battlesim.rulesets.armorclass.deployment import Arrive, ArriveAt, SetUp
from battlesim.rulesets.armorclass.model import Fieldwork, Fire, Options
from tests.rulesets.armorclass.kit import Table, ground, house, unit

PILLBOXES = ("pillbox", "pillbox of logs")
POND = "terrain:\n  - {kind: water, rect: [0, 0, 3, 3]}"


@pytest.mark.clause("AC-TYPE-6", "AC-TYPE-9", "AC-HOUSE-MOVE", "AC-DEST-3")
@pytest.mark.parametrize(
    ("kind", "where"),
    [
        ("militia", {"ground", "building", "building roof", "strongpoint", *PILLBOXES}),
        ("wardrone", {"ground", "building", "building roof", "strongpoint", *PILLBOXES}),
        ("tank", {"ground"}),
        ("turret", {"ground", "building roof"}),
        ("strongpoint", {"strongpoint"}),  # its battery fits no other work
        ("automated_strongpoint", {"strongpoint"}),
    ],
)
def test_where_a_type_of_unit_begins(kind: str, where: set[str]) -> None:
    flat, strong = house(more=POND, flat=True), house("type: strongpoint")
    pillbox, logs = house("type: pillbox"), house("type: pillbox, wall: logs")
    spots = {
        "ground": (flat, "g5.5"),
        "water": (flat, "g0.0"),
        "building": (flat, "house.1:0"),
        "building roof": (flat, "house.1:2"),
        "ruin": (flat, "house.1:ruin"),
        "strongpoint": (strong, "house.1:0"),
        "pillbox": (pillbox, "house.1:0"),
        "pillbox of logs": (logs, "house.1:0"),
    }
    found = set()
    for name, (board, at) in spots.items():
        scenario: Any = SimpleNamespace(board=board, is_closed=lambda section: False)
        if deployment.can_begin_at(scenario, TYPES[kind], board.space(at)):
            found.add(name)
    assert found == where


@pytest.mark.clause("AC-TYPE-3", "AC-TYPE-5")
@pytest.mark.parametrize(("tunnels", "can"), [("", False), ("tunnels: [b]", True)])
def test_in_what_is_closed_one_begins_only_where_a_tunnel_leads_out(tunnels: str, can: bool) -> None:
    board = ground(f"""
buildings:
  - name: a
    rect: [3, 12, 9, 18]
    own: {{armour: {{{tunnels}}}}}
    openings: [{{kind: door, side: south, at: 0.5}}]
  - name: b
    rect: [15, 12, 21, 18]
    openings: [{{kind: door, side: south, at: 0.5}}]
""")
    scenario: Any = SimpleNamespace(board=board, is_closed=lambda section: section == 0)
    assert deployment.can_begin_at(scenario, TYPES["militia"], board.space("a.1:0")) is can
    assert deployment.can_begin_at(scenario, TYPES["militia"], board.space("b.1:0"))


@pytest.mark.clause("AC-TYPE-2", "AC-TYPE-4", "AC-TYPE-7", "AC-TYPE-8", "AC-HOUSE-STRUCT", "AC-HOUSE-FIRE")
def test_before_the_first_turn_works_are_named_and_what_burns_is_lit() -> None:
    """Buildings are none. A screen is named by what it is."""
    board = ground("""
buildings:
  - {name: shop, rect: [3, 12, 9, 18], material: wood, openings: [{kind: door, side: south, at: 0.5}]}
  - name: box
    rect: [15, 12, 21, 18]
    own: {armour: {type: pillbox, screen: true}}
    openings: [{kind: slit, side: south, at: 0.5}, {kind: door, side: north, at: 0.5}]
""")
    table = Table(board, structures=[Structure(0, burning=True), Structure(1)], options={"fires": True})
    kinds = ("foxhole", "trench", "emplacement")
    table.r.set_extra(fieldworks=tuple(Fieldwork(kind, n, 6 + n) for n, kind in enumerate(kinds)))
    deployment.set_up(table.r, SetUp())
    events: list[Any] = table.events(Happened)
    told = [(e.what, e.number, e.clauses) for e in events[:4]]
    screened = ("AC-TYPE-5", "AC-TABLE-3", "AC-HOUSE-STRUCT", "AC-TYPE-1", "AC-HOUSE-DATA")
    assert (told[0], events[0].section) == (("work pillbox", 11, screened), 1)
    assert told[1:4] == [
        (f"work {kind}", 6 + n, ("AC-TYPE-2", clause, "AC-HOUSE-STRUCT"))
        for n, (kind, clause) in enumerate(zip(kinds, ("AC-TYPE-4", "AC-TYPE-7", "AC-TYPE-8"), strict=True))
    ]
    assert [event.place for event in events[1:4]] == [0, 1, 2]
    assert [event.what for event in events[4:]] == ["catches fire"]
    assert table.state.extra.fires[0].taken[0][0] == table.place("shop.1:0")


@pytest.mark.clause("AC-HOUSE-MOVE", "AC-TYPE-6")
def test_a_zone_is_filled_by_lot_machines_first_each_on_a_space_of_its_own() -> None:
    """On the first free space, in the order drawn, that can hold it; whoever finds none is left out."""
    board = house(more=POND, flat=True)
    names = ("g0.0", "house.1:0", "g5.5", "house.1:2", "g6.5")
    zone = SimpleNamespace(spaces=tuple(map(board.space, names)))
    drawn: list[tuple[str, int, int]] = []

    def lots(purpose: str, side: int, n: int) -> list[int]:
        drawn.append((purpose, side, n))
        return [0, 1, 2, 3, 4]

    def force(kind: str, at: str = "", zone: str = "north", reserve: int = 0, side: int = 0) -> Any:
        place = board.space(at) if at else -1
        return SimpleNamespace(type=kind, side=side, zone="" if at else zone, place=place, reserve=reserve)

    forces = (
        force("militia"),
        force("tank"),
        force("militia", at="g6.5"),
        force("turret"),
        force("militia", reserve=2),
        force("militia", zone="elsewhere"),
        force("no such type"),
        force("militia"),
        force("militia", side=1),
    )
    sides = [SimpleNamespace(zone=lambda name: zone if name == "north" else None)] * 2
    scenario: Any = SimpleNamespace(board=board, forces=forces, sides=sides, is_closed=lambda section: False)
    where = {n: board.spaces[at].name for n, at in fill_zones(scenario, deployment.DEPLOYMENT, lots).items()}
    # the tank has the first dry ground, the turret the roof, and the militia the house; nothing is left for the others
    assert where == {1: "g5.5", 3: "house.1:2", 0: "house.1:0"}
    assert drawn == [("zone north", 0, 5), ("zone north", 1, 5)]


# ---- reserves


@pytest.mark.clause("AC-HOUSE-RESERVE")
def test_a_reserve_comes_on_where_there_is_room_for_it_on_dry_ground() -> None:
    """At its edge, or on the places of its zone; a space holds two friends, and none that an enemy is known to hold."""
    table = Table(
        house(more=POND),
        unit("militia", "", arrives=1),
        unit("militia", "g0.1"),
        *(unit("militia", "g0.2") for _ in range(2)),
        unit("militia", "g0.3", side=1, detected=True),
        unit("militia", "g0.4", side=1),
    )
    ask = ArriveAt(0, "w", side=0)
    west = [s for s in table.board.spaces if "w" in s.edge]
    free = [
        answer.place
        for answer in deployment.legal_arrive_at(table.state, table.board, ask)
        if isinstance(answer, MoveTo)
    ]
    taken = {"g0.0", "g0.2", "g0.3"}  # water, full, held; of him at g0.4 nobody knows
    assert [table.board.spaces[n].name for n in free] == [s.name for s in west if s.name not in taken]
    zone = tuple(table.place(name) for name in ("g5.5", "g0.2", "house.1:0", "g6.5"))
    assert deployment.legal_arrive_at(table.state, table.board, ArriveAt(0, "w", zone, side=0)) == [
        MoveTo(zone[0]),
        MoveTo(zone[3]),
    ]
    nowhere = ArriveAt(0, "", (table.place("g0.2"),), side=0)
    assert deployment.legal_arrive_at(table.state, table.board, nowhere) == [Pass()]


@pytest.mark.clause("AC-HOUSE-RESERVE")
def test_it_comes_on_and_looks_inwards() -> None:
    table = Table(ground(), unit("militia", "", arrives=1))
    goal = table.place("g19.4")
    deployment.resolve_arrive_at(table.r, ArriveAt(0, "e", side=0), MoveTo(goal))
    assert [(e.place, e.facing, e.path) for e in table.events(Placed)] == [(goal, 4, (goal,))]
    assert (table.unit(0).place, table.unit(0).own.arrives) == (goal, 0)
    assert table.happened() == ["arrived"]
    assert table.clauses() == {"AC-HOUSE-RESERVE"}


@pytest.mark.clause("AC-FIRE-4", "AC-HOUSE-FIRE", "AC-HOUSE-RESERVE")
def test_a_reserve_that_comes_on_in_a_fire_is_burnt() -> None:
    """On entry, and again at the end of a turn it stays in: factor 5 against class 1, on 2."""
    table = Table(
        ground(), unit("militia", "", arrives=1), dice=[[2, 1, 1, 1], [2, 2, 1]], options={"fires": True}
    )
    goal = table.place("g19.4")
    table.r.set_extra(fires=(Fire(0, ((goal, 1),)),))
    deployment.resolve_arrive_at(table.r, ArriveAt(0, "e", side=0), MoveTo(goal))
    assert table.unit(0).models == 3
    flames.burn_all(table.r)
    assert table.unit(0).models == 1
    table.done()


@pytest.mark.clause("AC-HOUSE-RESERVE", "AC-HOUSE-DETECT")
@pytest.mark.parametrize("why", ["no room", "hidden enemy"])
def test_it_tries_again_at_the_start_of_the_next_turn(why: str) -> None:
    """Where there is none, or where somebody it knew nothing of holds the only place. Nobody is found by that."""
    table = Table(ground(), unit("militia", "", arrives=3), unit("militia", "g0.3", side=1))
    table.state.turn = 3
    goal = table.place("g0.3")
    deployment.resolve_arrive_at(
        table.r, ArriveAt(0, "w", (goal,), side=0), Pass() if why == "no room" else MoveTo(goal)
    )
    assert (table.unit(0).place, table.unit(0).own.arrives) == (-1, 4)
    (later,) = table.events(Scheduled)
    assert (later.entry.time, later.entry.priority, later.entry.step) == (
        3 * TURN,
        0,
        Arrive(0, "w", (goal,)),
    )
    assert table.clauses() == {"AC-HOUSE-RESERVE"}
    assert not table.unit(1).own.detected


@pytest.mark.clause("AC-HOUSE-RESERVE", "AC-HOUSE-DETECT")
def test_where_a_hidden_enemy_is_in_the_way_it_comes_on_beside_him() -> None:
    """At the nearest place of its own that nobody holds. Whoever holds a nearer one is found, too: that it was passed over tells
    of him."""
    table = Table(
        ground(),
        unit("militia", "", arrives=3),
        unit("militia", "g0.3", side=1),
        unit("militia", "g0.4", side=1),
        unit("militia", "g0.7", side=1),
    )
    table.state.turn = 3
    zone = tuple(table.place(name) for name in ("g0.3", "g0.4", "g0.5", "g0.7"))
    deployment.resolve_arrive_at(table.r, ArriveAt(0, "w", zone, side=0), MoveTo(zone[0]))
    assert (table.where(0), table.unit(0).own.arrives) == ("g0.5", 0)
    assert table.happened() == ["arrived", "runs into", "runs into"]
    assert [unit.own.detected for unit in table.state.units.values()] == [True, True, True, False]
    assert table.events(Scheduled) == []


@pytest.mark.clause("AC-HOUSE-RESERVE")
@pytest.mark.parametrize("alive", [True, False])
def test_only_the_living_are_asked(alive: bool) -> None:
    table = Table(ground(), unit("militia", "", side=1, arrives=1))
    if not alive:
        table.r.lose(table.unit(0), 4, "shot")
    deployment.arrive(table.r, Arrive(0, "w", (3, 4)))
    assert table.state.stack == ((ArriveAt(0, "w", (3, 4), side=1),) if alive else ())


@pytest.mark.clause("AC-HOUSE-RESERVE")
def test_of_very_many_places_some_are_named_evenly_spread() -> None:
    table = Table(ground(pitch=1), unit("militia", "", arrives=1))
    places = tuple(space.id for space in table.board.spaces if space.kind == "ground")[:1000]
    found = deployment.legal_arrive_at(table.state, table.board, ArriveAt(0, "", places, side=0))
    assert found == [MoveTo(places[i * 5 // 2]) for i in range(MOST_PLACES)]


WORKS = """
name: dug-in
ruleset: armorclass
map: {map}
turns: 5
margin: 3
sides: [{{name: A}}, {{name: B}}]
options:
  damage: 2
  collapse: true
  fires: true
  weather: mist
  wind: true
  spread: 4
  wind_spread: 5
  every: 3
  points: 30
  fieldworks:
    - {{kind: trench, at: [g5.1, g4.1]}}
    - {{kind: foxhole, at: [g1.1], cover: logs}}
    - {{kind: emplacement, at: [g2.1]}}
    - {{kind: emplacement, at: [g3.1], wall: sandbags, cover: sheet_metal}}
    - {{kind: emplacement, at: [g6.1], wall: timber_heavy, points: 9}}
  keep:
    - {{buildings: [barracks], side: B, points: 4}}
    - {{buildings: [barracks.east], side: A, points: 1, name: the east wing}}
buildings: {{barracks.west: {{closed: true}}, barracks.east: {{burning: true}}, shelter: {{closed: true}}}}
forces:
  - {{side: A, type: militia, at: g0.0}}
  - {{side: B, type: militia, at: g9.9}}
"""


@pytest.mark.clause(
    "AC-TYPE-2", "AC-TYPE-4", "AC-TYPE-7", "AC-TYPE-8", "AC-TABLE-1", "AC-HOUSE-STRUCT", "AC-POINT-4"
)
def test_what_a_scenario_s_options_come_to(tmp_path: Path) -> None:
    """Banks are of earth, those of weapon pits have the class of military works; materials named by the scenario stand instead.
    Above there is nothing unless it says so."""
    file = tmp_path / "dug-in.yaml"
    file.write_text(WORKS.format(map=maps_folder() / "bastion.yaml"))
    scenario = load_scenario(file)
    state = first_state(scenario, 0)
    board, known = scenario.board, state.extra
    dug = {board.spaces[w.place].name: replace(w, place=-1) for w in known.fieldworks}
    assert dug == {
        "g1.1": Fieldwork("foxhole", -1, 7, 6, roof_burns=True),
        "g2.1": Fieldwork("emplacement", -1, 8),
        "g3.1": Fieldwork("emplacement", -1, 4, 3),
        "g4.1": Fieldwork("trench", -1, 7),
        "g5.1": Fieldwork("trench", -1, 7),
        "g6.1": Fieldwork("emplacement", -1, 5, burns=True, points=9),
    }
    places = [w.place for w in known.fieldworks]
    assert places == sorted(places)
    assert known.options == Options("2", True, True, "mist", True, 4, 5, 3, 30)
    assert (known.turns, known.margin) == (5, 2)  # two ahead is not yet more than the margin
    wings = board.buildings["barracks"]
    east = (board.section_by_name["barracks.east"],)
    assert [(o.kind, o.name, o.points, o.side, o.sections) for o in known.objectives] == [
        ("keep", "keep barracks", 4, 1, wings),
        ("keep", "the east wing", 1, 0, east),
    ]
    # the map has closed the shelter itself
    told = {board.sections[n].name: (one.burning, one.own) for n, one in state.structures.items()}
    assert told == {"barracks.west": (False, {"closed": True}), "barracks.east": (True, {})}
