"""Situations and acts: one vocabulary over four rulebooks, read from what a side may know."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from battlesim import RULESETS, Answer, Ask, Board, View, find_agent, find_ruleset, play
from battlesim.core.answers import CORE_ANSWERS, Confirm, MoveTo, Order, Pass, TargetSpace, TargetUnit
from battlesim.core.state import Structure, Unit
from battlesim.discovery.acts import CHOICES, act_words, acts_of, known_questions, question_name
from battlesim.discovery.situations import FEATURES, situation_of, unit_asked
from battlesim.discovery.tactic import can_be_said
from battlesim.engine.roster import Entrant
from battlesim.rules.scenario import Objective
from battlesim.rules.tactical import ATTACKS, ORDERS, ROLES
from battlesim.rulesets.armorclass.model import Breach, Demolish, Search
from tests.shipped import load

SMALL = {"orderdice": "stairwell", "squadhex": "square", "armorclass": "outpost", "regiment": "watch-house"}
Seen = tuple[View, Board, Ask, Sequence[Answer], Answer]


class Noting:
    """Plays as greedy does and notes every question."""

    def __init__(self) -> None:
        self.seen: list[Seen] = []
        self.player: Any = find_agent("greedy").make()

    def start(self, board: Board, side: int, chance: Any) -> None:
        self.board = board
        self.player.start(board, side, chance)

    def choose(self, view: View, ask: Ask, answers: Sequence[Answer]) -> Answer:
        said: Answer = self.player.choose(view, ask, answers)
        self.seen.append((view, self.board, ask, answers, said))
        return said


@pytest.fixture(scope="module", params=RULESETS)
def seen(request: pytest.FixtureRequest) -> list[Seen]:
    """Every question of a small game."""
    one, two = Noting(), Noting()
    play(load(SMALL[request.param]), (Entrant("one", "", lambda: one), Entrant("two", "", lambda: two)), 2)
    return one.seen + two.seen


def test_every_situation_and_act_of_a_game_has_words(seen: list[Seen]) -> None:
    known = known_questions()
    acts: set[str] = set()
    for view, board, ask, answers, _ in seen:
        unit = unit_asked(view, ask)
        if unit is None:
            continue
        for value, values in zip(situation_of(view, board, unit), FEATURES.values(), strict=True):
            assert value in values
        acts |= set().union(*acts_of(view, board, ask, answers))
    assert {"order", "go", "at"} <= {act.partition(":")[0] for act in acts}
    for act in acts:
        question, _, choice = act.partition(":")
        assert choice in known[question], act
        assert act_words(act) != act


def test_every_act_of_a_siege_can_be_said_in_a_tactic() -> None:
    """Else mining might find a tactic that no player can be given, and the study could not go on."""
    one, two = Noting(), Noting()
    two.player = find_agent("random").make()
    play(load("monastery"), (Entrant("one", "", lambda: one), Entrant("two", "", lambda: two)), 2)
    acts: set[str] = set()
    for view, board, ask, answers, _ in one.seen + two.seen:
        acts |= set().union(*acts_of(view, board, ask, answers))
    assert {"against-whom:goal", "against-whom:weak"} <= acts
    assert [act for act in sorted(acts) if not can_be_said(act)] == []
    assert can_be_said("charge:upper")
    assert can_be_said("charge:vehicle")
    assert not can_be_said("charge:sideways")


def test_a_question_about_no_unit_has_no_acts(seen: list[Seen]) -> None:
    asked = [row for row in seen if not hasattr(row[2], "unit")]
    assert asked
    assert all(acts_of(*row[:4]) == [frozenset()] * len(row[3]) for row in asked)


def test_orders_have_the_names_that_rulebooks_share(seen: list[Seen]) -> None:
    orders = [row for row in seen if question_name(type(row[2])) == "order"]
    assert orders
    for view, board, ask, answers, _ in orders:
        for answer, acts in zip(answers, acts_of(view, board, ask, answers), strict=True):
            assert isinstance(answer, Order)
            (act,) = acts
            assert act.removeprefix("order:") in ORDERS


def first(seen: list[Seen], question: str, kind: type[Answer]) -> Seen:
    return next(
        row
        for row in seen
        if question_name(type(row[2])) == question and any(isinstance(answer, kind) for answer in row[3])
    )


def test_a_move_says_where_it_leads(seen: list[Seen]) -> None:
    view, board, ask, answers, _ = first(seen, "go", MoveTo)
    unit = unit_asked(view, ask)
    assert unit is not None
    goals = {place for goal in view.extra.objectives if goal.kind == "hold" for place in goal.places}
    for answer, acts in zip(answers, acts_of(view, board, ask, answers), strict=True):
        if isinstance(answer, Pass):
            assert acts == {"go:stay"}
        if not isinstance(answer, MoveTo) or answer.place == unit.place:
            continue
        space, here = board.spaces[answer.place], board.spaces[unit.place]
        assert ("go:inside" in acts) == (space.kind == "floor" and here.kind != "floor")
        assert ("go:outside" in acts) == (space.kind != "floor" and here.kind == "floor")
        assert ("go:upstairs" in acts) == (space.kind == here.kind == "floor" and space.floor > here.floor)
        assert ("go:goal" in acts) == (answer.place in goals)
        assert not {"go:nearer", "go:back"} <= acts


def test_a_target_is_told_by_where_it_stands(seen: list[Seen]) -> None:
    targets = set()
    for view, board, ask, answers, _ in seen:
        if question_name(type(ask)) != "at":
            continue
        for answer, acts in zip(answers, acts_of(view, board, ask, answers), strict=True):
            if isinstance(answer, Pass):
                assert acts == {"at:nothing"}
                targets.add("nothing")
            elif isinstance(answer, TargetUnit):
                inside = board.spaces[view.units[answer.unit].place].kind == "floor"
                told = ("at:inside" in acts, "at:outdoors" in acts, "at:any" in acts)
                assert told == (inside, not inside, True)
                targets.add("inside" if inside else "outdoors")
    # Under armour classes, fire at units in a house is another answer than TargetUnit.
    inside_too = {"inside"} if seen[0][0].ruleset != "armorclass" else set()
    assert {"outdoors", *inside_too} <= targets


def test_a_building_as_a_target_is_told_by_who_is_in_it() -> None:
    agent = Noting()
    play(load("outpost"), (Entrant("one", "", lambda: agent), find_agent("greedy")), 2)
    view, board, ask, answers, _ = first(agent.seen, "at", Search)
    search = next(answer for answer in answers if isinstance(answer, Search))
    section = board.spaces[search.place].section
    floor = board.sections[section].spaces[0]
    outside = {n: unit for n, unit in view.units.items() if board.spaces[unit.place].section != section}
    unit = unit_asked(view, ask)
    assert unit is not None

    def acts(side: int = -1, objective: Objective | None = None) -> frozenset[str]:
        units = dict(outside)
        if side >= 0:
            units[99] = replace(unit, id=99, side=side, place=floor)
        goals = () if objective is None else (objective,)
        changed = replace(view, units=units, extra=replace(view.extra, objectives=goals))
        (found,) = acts_of(changed, board, ask, [search])
        return found

    house = {"at:any", "at:own", "at:search", "at:building"}
    assert acts() == {*house, "at:empty"}
    assert acts(1 - view.side) == {*house, "at:held"}
    assert acts(view.side) == house
    bring_down = Objective("destroy", "the house", 1, view.side, sections=(section,))
    assert acts(objective=bring_down) == {*house, "at:empty", "at:raze"}
    assert "at:raze" not in acts(objective=replace(bring_down, side=1 - view.side))
    assert acts_of(view, board, ask, [Breach(floor, 0)]) == [{"at:any", "at:breach"}]
    assert acts_of(view, board, ask, [Demolish(99)]) == [{"at:any", "at:breach", "at:demolish"}]


def test_a_tank_that_goes_through_a_house_drives_into_it() -> None:
    agent = Noting()
    play(load("stairwell"), (Entrant("one", "", lambda: agent), find_agent("greedy")), 2)
    view, board, ask, _, _ = first(agent.seen, "go", MoveTo)
    floor = board.sections[0].spaces[0]
    assert acts_of(view, board, ask, [TargetSpace(floor)]) == [{"go:charge", "go:drive"}]
    foe = next(unit.id for unit in view.units.values() if unit.side != view.side)
    assert acts_of(view, board, ask, [TargetUnit(foe)]) == [{"go:charge"}]


def test_a_passenger_is_where_its_transport_is() -> None:
    agent = Noting()
    play(load("stairwell"), (Entrant("one", "", lambda: agent), find_agent("greedy")), 2)
    view, board, ask, answers, _ = first(agent.seen, "go", MoveTo)
    unit = unit_asked(view, ask)
    assert unit is not None
    carrier = next(one for one in view.units.values() if one.side == view.side and one.id != unit.id)
    carrier = replace(carrier, place=unit.place)
    aboard = replace(unit, place=-1, own=replace(unit.own, aboard=carrier.id))
    riding = replace(view, units={**view.units, unit.id: aboard, carrier.id: carrier})
    passenger = unit_asked(riding, ask)
    assert passenger == replace(aboard, place=unit.place)
    assert situation_of(riding, board, passenger) == situation_of(view, board, unit)
    assert acts_of(riding, board, ask, answers) == acts_of(view, board, ask, answers)
    away = replace(riding, units={**riding.units, carrier.id: replace(carrier, place=-1)})
    assert unit_asked(away, ask) == aboard


def test_who_gets_into_a_transport_does_not_charge_it() -> None:
    agent = Noting()
    play(load("stairwell"), (Entrant("one", "", lambda: agent), find_agent("greedy")), 2)
    view, board, ask, *_ = next(row for row in agent.seen if question_name(type(row[2])) == "go")
    mine = next(unit for unit in view.units.values() if unit.side == view.side and unit.id != ask.unit)
    foe = next(unit for unit in view.units.values() if unit.side != view.side)
    acts = acts_of(view, board, ask, [TargetUnit(mine.id), TargetUnit(foe.id)])
    assert acts == [{"go:board"}, {"go:charge"}]


@pytest.mark.parametrize("name", RULESETS)
def test_every_own_way_to_attack_has_a_shared_name(name: str) -> None:
    ruleset = find_ruleset(name)
    own = {kind.__name__ for kind in ruleset.answers} - {kind.__name__ for kind in CORE_ANSWERS}
    assert set(ruleset.tactical.attacks) == own
    assert set(ruleset.tactical.attacks.values()) <= set(ATTACKS)


def test_what_surrounds_a_unit_is_read_from_its_view() -> None:
    agent = Noting()
    play(load("stairwell"), (Entrant("one", "", lambda: agent), find_agent("greedy")), 2)
    view, board, ask, _, _ = next(
        row for row in agent.seen if (found := unit_asked(row[0], row[2])) and found.place >= 0
    )
    names = list(FEATURES)
    unit = unit_asked(view, ask)
    assert unit is not None
    floor = next(space for space in board.spaces if space.kind == "floor" and space.floor == 1)
    up = replace(unit, place=floor.id)

    def found(**changed: Any) -> dict[str, str]:
        return dict(zip(names, situation_of(replace(view, **changed), board, up), strict=True))

    alone = {unit.id: up}
    assert found(units=alone) | {"goal": "", "way": "", "role": ""} == {
        "role": "",
        "where": "upper",
        "enemy": "none",
        "range": "none",
        "goal": "",
        "way": "",
        "building": "sound",
        "time": "early",
        "last": "none",
        "state": "fresh",
    }
    burning = {floor.section: Structure(floor.section, burning=True)}
    assert found(structures=burning)["building"] == "burning"
    weak = {floor.section: Structure(floor.section, own={"weakened": True})}
    assert found(structures=weak)["building"] == "hit"
    assert (
        found(structures={floor.section: Structure(floor.section, own={"made": (1,)})})["building"] == "sound"
    )
    assert found(turn=view.extra.turns)["time"] == "late"
    goal = next(goal for goal in view.extra.objectives if goal.kind == "hold")
    foe = next(other for other in view.units.values() if other.side != view.side)
    there = replace(foe, place=goal.places[0], alive=True)
    near = found(units={unit.id: up, foe.id: there})
    assert near["goal"] in ("theirs", "open")
    assert near["enemy"] == ("inside" if board.spaces[goal.places[0]].kind == "floor" else "outdoors")
    here = dict(zip(names, situation_of(view, board, replace(unit, place=goal.places[0])), strict=True))
    assert here["way"] == "on"


def test_an_objective_is_held_by_whom_the_rulebook_says() -> None:
    """Under squads and hexes the last side that was alone there holds it, also from afar (SH-HOUSE-VICTORY)."""
    agent = Noting()
    play(load("square"), (Entrant("one", "", lambda: agent), find_agent("greedy")), 2)
    told = set()
    for view, board, ask, _, _ in agent.seen:
        unit = unit_asked(view, ask)
        if unit is None or unit.place < 0:
            continue
        goals = [(n, goal) for n, goal in enumerate(view.extra.objectives) if goal.kind == "hold"]
        far = [min(board.distance(unit.place, place) for place in goal.places) for _, goal in goals]
        if far.count(min(far)) == 1:
            number, goal = goals[far.index(min(far))]
            holder = view.extra.held[number]
            said = dict(zip(FEATURES, situation_of(view, board, unit), strict=True))["goal"]
            assert said == {-1: "open", view.side: "ours", 1 - view.side: "theirs"}[holder]
            empty = not any(one.alive and one.place in goal.places for one in view.units.values())
            told.add((said, empty))
    assert {("ours", True), ("open", True)} <= told


@pytest.mark.parametrize("name", RULESETS)
def test_every_kind_of_unit_has_a_role(name: str) -> None:
    kinds: dict[str, object] = import_module(f"battlesim.rulesets.{name}.data").TYPES
    role = find_ruleset(name).tactical.role
    found = {kind: role(Unit(0, 0, "one", kind, 0, 1)) for kind in kinds}
    assert set(found.values()) <= set(ROLES)
    assert len(set(found.values())) >= 4
    known = {
        "officer": "officer",
        "engineers": "engineers",
        "spearmen": "foot",
        "cannon": "crew",
        "knights": "mounted",
    }
    known |= {
        "mmg_team": "crew",
        "mortar_team": "crew",
        "heavy_tank": "vehicle",
        "rifle_team": "foot",
        "turret": "works",
    }
    assert {kind: found.get(kind, known[kind]) for kind in known} == known


def test_every_choice_is_in_words() -> None:
    for question, choices in CHOICES.items():
        for choice, words in choices.items():
            assert words == act_words(f"{question}:{choice}")
            assert " " in words or words.endswith(("s", "fast"))
    assert act_words("go-down:yes") == "goes down under fire"
    assert isinstance(Confirm(True), Answer)


def test_the_page_names_every_feature_and_every_choice() -> None:
    page = (Path(__file__).parents[2] / "docs" / "tactics.md").read_text(encoding="utf-8")
    for name, values in FEATURES.items():
        assert f"| `{name}` |" in page
        assert all(f"`{value}`: {words}" in page for value, words in values.items())
    for question, choices in CHOICES.items():
        assert f"`{question}`" in page
        assert all(f"`{choice}`: {words}" in page for choice, words in choices.items())
