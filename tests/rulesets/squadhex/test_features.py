"""What answers promise: a player that looks one question ahead does what a person would, and nothing depends on what was asked
before.
"""

from __future__ import annotations

import ast
import re
from importlib import import_module
from pathlib import Path

import pytest

from battlesim.core.answers import Answer, Order, Pass, Pick, TargetSpace, TargetUnit
from battlesim.rules.contract import SENSIBLE, Features, weigh
from battlesim.rules.registry import read_clauses
from battlesim.rules.scenario import Objective
from battlesim.rulesets.squadhex import observation
from battlesim.rulesets.squadhex.assault import WhomAssault
from battlesim.rulesets.squadhex.concentrate import WhoSupports
from battlesim.rulesets.squadhex.contenders import JUDGE
from battlesim.rulesets.squadhex.data import FOLDER, TYPES
from battlesim.rulesets.squadhex.model import BattleState, UnitState
from battlesim.rulesets.squadhex.ruleset import RULESET
from battlesim.rulesets.squadhex.turn import WhichAction
from tests.rulesets.squadhex.kit import Table, unit


def promised(table: Table) -> dict[Answer, Features]:
    assert table.ask is not None
    view = observation.observe(table.state, table.board, table.ask.side, ())
    return dict(zip(table.legal, JUDGE.features(view, table.board, table.ask, table.legal), strict=True))


def best(table: Table) -> Answer:
    found = promised(table)
    return max(found, key=lambda answer: weigh(found[answer], SENSIBLE))


def test_it_fires_at_those_in_the_open_before_those_in_houses() -> None:
    table = Table(
        unit("rifle_squad", at="g4.2"),
        unit("rifle_squad", at="hall.high:0", side=1),
        unit("rifle_squad", at="g6.3", side=1),
    )
    table.act(0, "fire")
    found = promised(table)
    assert found[TargetUnit(2)].dealt > found[TargetUnit(1)].dealt > 0


def test_it_fires_at_a_house_that_is_to_come_down() -> None:
    number = Table().section("hut.only")
    units = (unit("heavy_infantry_gun", at="g8.3"), unit("rifle_squad", at="hut.only:0", side=1))
    goal = Objective("destroy", "the hut", 4, 0, sections=(number,))
    for goals, wanted in (((), TargetUnit(1)), ((goal,), TargetSpace(Table().place("hut.only:0")))):
        table = Table(*units, goals=goals)
        table.act(0, "fire")
        assert best(table) == wanted


def test_it_holds_its_fire_rather_than_shoot_at_the_house_that_it_is_in() -> None:
    table = Table(unit("engineers", at="hut.only:0"), unit("rifle_squad", at="g0.9", side=1))
    table.act(0, "advance_fire")
    table.say(Pass())
    assert any(isinstance(answer, TargetSpace) for answer in table.legal)
    assert best(table) == Pass()


def test_it_takes_an_objective_and_does_not_run_past_a_gun_for_it() -> None:
    goal = Objective("hold", "the hut", 3, places=(Table().place("hut.only:0"),))
    table = Table(unit("rifle_squad", at="g8.4"), unit("rifle_squad", at="g0.9", side=1), goals=(goal,))
    table.act(0, "advance")
    found = promised(table)
    assert max(found, key=lambda a: found[a].hold) == best(table)


def test_supporters_that_bring_little_are_left_out() -> None:
    table = Table(
        unit("elite_squad", at="g4.2"),
        unit("rifle_squad", at="g4.1", fresh=False),
        unit("elite_squad", at="g5.0"),
        unit("rifle_squad", at="g5.2", side=1, models=1),
        unit("rifle_squad", at="g6.1", side=1),
    )
    table.do(WhoSupports(0, 3, -1, (1,), side=0))
    assert table.legal == [Pick(2), Pass()]
    assert best(table) == Pass()  # the last man is as good as hit, and there are others


def test_a_supporter_gives_up_its_own_best_action_not_only_its_shot() -> None:
    """One that could take an objective instead costs more."""
    goal = Objective("hold", "the hut", 3, places=(Table().place("hut.only:0"),))
    waste = []
    for goals in ((), (goal,)):
        table = Table(
            unit("elite_squad", at="g7.3"),
            unit("rifle_squad", at="g8.4"),
            unit("rifle_squad", at="g4.2", side=1),
            goals=goals,
        )
        view = observation.observe(table.state, table.board, 0, ())
        (found,) = JUDGE.features(view, table.board, WhoSupports(0, 2, -1, (), side=0), [Pick(1)])
        waste.append(found.waste)
    assert waste[1] > 2 * waste[0] > 0


def test_waiting_is_worth_something_with_an_enemy_about() -> None:
    table = Table(unit("machine_gun_team", at="g5.0"), unit("rifle_squad", at="g5.3", side=1))
    view = observation.observe(table.state, table.board, 0, ())
    legal = list(RULESET.legal(table.state, table.board, WhichAction(0, side=0)))
    view.stack = (WhichAction(0, side=0),)
    found = dict(zip(legal, JUDGE.features(view, table.board, view.ask, legal), strict=True))
    assert found[Order("opportunity")].ready > 0
    assert found[Order("fire")].dealt > found[Order("opportunity")].ready


def test_who_can_do_nothing_of_any_use_waits() -> None:
    """Neither a move to where it stands nor fire at a house with nobody in it is better than nothing."""
    table = Table(
        unit("anti_tank_gun", at="g4.2"), unit("rifle_squad", at="g0.9", side=1, fresh=False, disrupted=True)
    )
    view = observation.observe(table.state, table.board, 0, ())
    legal = list(RULESET.legal(table.state, table.board, WhichAction(0, side=0)))
    assert Order("fire") in legal
    assert Order("advance") in legal
    view.stack = (WhichAction(0, side=0),)
    found = dict(zip(legal, JUDGE.features(view, table.board, view.ask, legal), strict=True))
    worth = {answer: weigh(told, SENSIBLE) for answer, told in found.items()}
    assert worth[Order("opportunity")] > worth[Order("fire")] == 0
    assert max(worth, key=lambda answer: worth[answer]) == Order("opportunity")


def test_an_assault_without_a_way_back_costs_more() -> None:
    """Four against four; upstairs those who do not win are lost, on the open hex they step back."""
    lost = []
    for at in ("g4.3", "hall.high:1"):
        table = Table(unit("rifle_squad", at=at), unit("rifle_squad", at="hall.high:0", side=1))
        view = observation.observe(table.state, table.board, 0, ())
        (found,) = JUDGE.features(view, table.board, WhomAssault(0, side=0), [TargetUnit(1)])
        lost.append(found.taken)
    assert lost[1] > 1.4 * lost[0] > 0


def test_features_do_not_depend_on_what_was_asked_before() -> None:
    one = Table(unit("rifle_squad", at="g4.2"), unit("rifle_squad", at="g6.3", side=1))
    other = Table(unit("medium_tank", at="g4.2"), unit("rifle_squad", at="hut.only:0", side=1))
    for table in (one, other):
        table.act(0, "fire")
    first = promised(one)
    promised(other)
    assert promised(one) == first


# ---- the rulebook's page -----------------------------------------------------------------------------------------------


def page() -> str:
    return (FOLDER / "README.md").read_text(encoding="utf-8")


def expanded(text: str) -> list[str]:
    found: list[str] = []
    for stem, first, last in re.findall(r"\b(SH-[A-Z]+-)(\d+)(?:\.\.(\d+))?", text):
        found += [f"{stem}{n}" for n in range(int(first), int(last or first) + 1)]
    return found + re.findall(r"\bSH-HOUSE-[A-Z]+\b", text)


def test_the_page_lists_each_chapter_with_the_clauses_it_owns() -> None:
    rows = re.findall(r"^\| [^|]+ \| `(\w+)\.py`[^|]*\| (SH-[^|]+) \|$", page(), re.M)
    told = {module: sorted(expanded(clauses)) for module, clauses in rows}
    owned = {}
    for path in FOLDER.glob("*.py"):
        chapter = getattr(import_module(f"battlesim.rulesets.squadhex.{path.stem}"), "CHAPTER", None)
        if chapter is not None and chapter.owns:
            owned[path.stem] = sorted(chapter.owns)
    assert told == owned
    clauses = read_clauses(FOLDER)
    assert sorted(c for row in told.values() for c in row) == sorted(c.id for c in clauses)
    assert f"lists {len(clauses)} clauses. The {sum(c.source == 'book' for c in clauses)} of" in page()


def test_the_page_names_every_module_question_unit_field_and_option() -> None:
    from battlesim.rulesets.squadhex.set_up import Options

    for path in FOLDER.glob("*.py"):
        assert path.stem == "__init__" or f"`{path.name}`" in page(), path.name
    asks = [ask.__name__ for chapter in RULESET.chapters for ask in chapter.asks]
    for name in (
        *asks,
        *TYPES,
        *UnitState.__struct_fields__,
        *BattleState.__struct_fields__,
        *Options.__struct_fields__,
    ):
        assert f"`{name}`" in page(), name


def test_every_clause_is_named_by_some_event() -> None:
    named: list[str] = []
    for path in sorted(Path(FOLDER).glob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        owned = [
            id(constant)
            for word in ast.walk(tree)
            if isinstance(word, ast.keyword) and word.arg == "owns"
            for constant in ast.walk(word.value)
        ]
        named += [
            node.value
            for node in ast.walk(tree)
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in owned
        ]
    assert [clause.id for clause in read_clauses(FOLDER) if clause.id not in named] == []


@pytest.mark.parametrize("kind", sorted(TYPES))
def test_every_unit_can_be_weighed(kind: str) -> None:
    foes = (unit("rifle_squad", at="g5.2", side=1), unit("light_tank", at="g6.2", side=1))
    table = Table(unit(kind, at="g4.2"), *foes)
    table.do(WhichAction(0, side=0))
    for found in promised(table).values():
        assert all(abs(getattr(found, name)) < 10_000 for name in Features.__struct_fields__)
