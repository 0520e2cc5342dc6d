"""Core values: answers as text, keyed dice, apply and its closed set, states as bytes."""

from __future__ import annotations

import ast
import re
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import battlesim.core.events as events_module
from battlesim.core import apply as apply_module
from battlesim.core.answers import (
    CORE_ANSWERS,
    Answer,
    Confirm,
    MoveTo,
    Order,
    Pass,
    TargetUnit,
    format_answer,
    parse_answer,
)
from battlesim.core.apply import apply
from battlesim.core.codec import dump_state, key, position
from battlesim.core.dice import KeyedDice, ScriptedDice, derive_seed
from battlesim.core.errors import IllegalAnswer, InputError, RuleError
from battlesim.core.events import (
    CHANGES,
    CORE_FACTS,
    Answered,
    Change,
    Event,
    Fact,
    Happened,
    ModelsLost,
    Placed,
    Scheduled,
    StructureSet,
    Taken,
    UnitSet,
)
from battlesim.core.items import Entry
from battlesim.core.state import State, living_of, standing_at
from battlesim.engine.agent import Chance
from battlesim.rulesets.finder import RULESETS
from tests import toy

# ---- answers -------------------------------------------------------------------------------------------------------


def answers() -> st.SearchStrategy[Answer]:
    fields = {
        int: st.integers(-(10**6), 10**6),
        bool: st.booleans(),
        str: st.from_regex(r"[a-z_]{1,9}", fullmatch=True),
    }
    return st.one_of(
        *(st.builds(kind, *(fields[f.type] for f in msgspec.structs.fields(kind))) for kind in CORE_ANSWERS)
    )


@given(answers())
def test_answers_have_one_text_form_each(answer: Answer) -> None:
    assert parse_answer(format_answer(answer)) == answer


def test_the_text_of_an_answer_does_not_depend_on_equal_answers_asked_for_before() -> None:
    assert MoveTo(4711.0) == MoveTo(4711)  # type: ignore[arg-type]
    assert format_answer(MoveTo(4711.0)) == "go 4711.0"  # type: ignore[arg-type]
    assert format_answer(MoveTo(4711)) == "go 4711"
    assert (format_answer(Confirm(1)), format_answer(Confirm(True))) == ("say 1", "say yes")  # type: ignore[arg-type]


def test_text_forms_are_stable() -> None:
    forms = [
        format_answer(a) for a in (MoveTo(17), TargetUnit(3), Order("advance"), Confirm(True), Confirm(False))
    ]
    assert forms == ["go 17", "at 3", "order advance", "say yes", "say no"]


@pytest.mark.parametrize("text", ["", "jump 3", "go", "go x", "go 1 2", "say maybe", "Go 1"])
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(IllegalAnswer):
        parse_answer(text)


def test_a_text_with_too_few_or_too_many_words_is_told_the_form() -> None:
    with pytest.raises(IllegalAnswer, match="'go 1 2' is not an answer; write go PLACE"):
        parse_answer("go 1 2")
    with pytest.raises(IllegalAnswer, match="'pass 1' is not an answer; write pass"):
        parse_answer("pass 1")


def test_kinds_may_be_given_one_by_one() -> None:
    with pytest.raises(IllegalAnswer, match="answers begin with one of go, pass"):
        parse_answer("jump 3", iter((MoveTo, Pass)))


# ---- dice ----------------------------------------------------------------------------------------------------------


@given(st.integers(-(2**63), 2**63 - 1), st.integers(1, 200), st.integers(2, 128))
def test_faces_follow_from_seed_and_key_alone(seed: int, n: int, sides: int) -> None:
    name = (1, 2, "hit", 3, 0)
    faces = KeyedDice(seed).faces(name, n, sides)
    assert len(faces) == n
    assert all(1 <= face <= sides for face in faces)
    assert KeyedDice(seed).faces(name, n, sides) == faces
    assert KeyedDice(seed).faces(name, n + 5, sides)[:n] == faces  # more dice: the first ones stay


def test_a_seed_has_64_bits() -> None:
    name = (1, 2, "hit", 3, 0)
    assert KeyedDice(-1).faces(name, 9, 6) == KeyedDice(2**64 - 1).faces(name, 9, 6)  # the same bits
    seeds: tuple[Any, ...] = (2**64, -(2**63) - 1, "1", 1.5, True, None)
    for seed in seeds:
        with pytest.raises(InputError, match="is not usable; give a whole number of 64 bits"):
            KeyedDice(seed)
        with pytest.raises(InputError, match="is not usable; give a whole number of 64 bits"):
            Chance(seed)


def test_every_part_of_a_key_matters() -> None:
    name: tuple[Any, ...] = (1, 2, "hit", 3, 0)
    others: list[tuple[Any, ...]] = [
        (2, *name[1:]),
        (1, 3, *name[2:]),
        (1, 2, "hot", 3, 0),
        (1, 2, "hit", 4, 0),
    ]
    dice = KeyedDice(7)
    faces = {dice.faces(k, 20, 6) for k in (name, *others, (*name[:4], 1))}  # type: ignore[arg-type]
    assert len(faces) == 6
    assert KeyedDice(8).faces(name, 20, 6) not in faces  # type: ignore[arg-type]


@pytest.mark.parametrize("sides", [2, 3, 6, 10])
def test_faces_are_even(sides: int) -> None:
    n = 24_000
    counts = Counter(f for k in range(n // 40) for f in KeyedDice(5).faces((k, 0, "x", 0, 0), 40, sides))
    expected = n / sides
    chi = sum((counts[face] - expected) ** 2 / expected for face in range(1, sides + 1))
    assert chi < 30  # 9 degrees of freedom at most: less than one in a thousand


def test_lots_are_drawn_evenly_and_stay_as_others_leave() -> None:
    first = Counter(KeyedDice(seed).ranking(1, 0, "draw", 4)[0][1] for seed in range(4_000))
    assert all(850 < first[number] < 1_150 for number in range(4))
    lots = KeyedDice(1)
    few, many = lots.ranking(1, 0, "draw", 3), lots.ranking(1, 0, "draw", 9)
    assert [lot for lot in many if lot[1] < 3] == [lot for lot in few if lot[1] < 3]


def test_scripted_dice_refuse_what_the_script_does_not_say() -> None:
    dice = ScriptedDice((1, 2), 6)
    assert dice.faces((0, 0, "a", 0, 0), 2, 6) == (1, 2)
    with pytest.raises(RuleError, match="left over"):
        dice.done()
    with pytest.raises(RuleError, match="2D6 wanted"):
        ScriptedDice((1,)).faces((0, 0, "a", 0, 0), 2, 6)
    with pytest.raises(RuleError, match="no dice scripted"):
        ScriptedDice().faces((0, 0, "a", 0, 0), 1, 6)
    with pytest.raises(RuleError, match="a die has"):
        KeyedDice(1).faces((0, 0, "a", 0, 0), 1, 1)


def test_derived_seeds_differ_by_purpose() -> None:
    seeds = [
        derive_seed(1, "dice"),
        derive_seed(1, "variation"),
        derive_seed(1, "agent", 0),
        derive_seed(2, "dice"),
    ]
    assert len(set(seeds)) == 4
    assert all(0 <= seed < 2**63 for seed in seeds)
    assert derive_seed(0, "dice") == 1721245351941996370


# ---- apply ---------------------------------------------------------------------------------------------------------


def test_the_changes_are_a_closed_set_and_apply_knows_all_of_them() -> None:
    kinds = [
        kind for kind in vars(events_module).values() if isinstance(kind, type) and issubclass(kind, Event)
    ]
    assert {kind for kind in kinds if issubclass(kind, Change)} - {Change} == set(CHANGES)
    assert {kind for kind in kinds if issubclass(kind, Fact)} - {Fact, Happened} == set(CORE_FACTS)
    assert {kind for kind, change in apply_module._APPLY.items() if change} == {*CHANGES, Answered}

    class Odd(Change, frozen=True):
        pass

    with pytest.raises(RuleError, match="does not know the change Odd"):
        apply(toy.battle().state, Odd())


def owners(target: ast.expr) -> list[str]:
    """The names that what is assigned to is a part of: `state` and `units` of `r.state.units[3]`."""
    names = []
    while isinstance(target, ast.Attribute | ast.Subscript):
        target = target.value
        names.append(getattr(target, "attr", getattr(target, "id", "")))
    return names


@pytest.mark.slow
def test_nobody_but_apply_and_the_engine_writes_a_state() -> None:
    """No assignment to an attribute of something called `state` outside apply, and the stack's own two places. Estimates
    and search work on states of their own."""
    root = Path(events_module.__file__).parents[1]
    wrong = []
    for file in sorted(root.rglob("*.py")):
        where = file.relative_to(root).as_posix()
        if where == "core/apply.py":
            continue
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
            for target in targets:
                if not isinstance(target, ast.Attribute | ast.Subscript) or "state" not in owners(target):
                    continue
                text = ast.unparse(target)
                stack = where in ("engine/battle.py", "rules/resolution.py") and text.endswith("state.stack")
                if (
                    not stack
                    and not where.startswith(("core/codec", "viewer", "search"))
                    and not where.endswith(("features.py", "rules/view_cache.py"))
                ):
                    wrong.append(f"{where}:{getattr(node, 'lineno', 0)}: {text}")
    assert wrong == []


def test_the_dead_stay_in_their_dict() -> None:
    state = toy.battle().state
    ids = list(state.units)
    apply(state, ModelsLost(2, state.units[2].models, 0))
    assert list(state.units) == ids
    dead = state.units[2]
    assert (dead.alive, dead.models, dead.place) == (False, 0, -1)
    assert state.at == standing_at(state.units)
    assert state.alive == living_of(state.units)
    assert [unit.id for unit in state.living(dead.side)] == [
        n for n in ids if state.units[n].side == dead.side and n != 2
    ]


def test_who_stands_where_is_kept_in_order() -> None:
    state = toy.battle().state
    for unit in (3, 0, 5):
        apply(state, Placed(unit, 4, 0))
    assert state.at[4] == (0, 3, 5)
    apply(state, Placed(3, -1, 0))
    assert state.at == standing_at(state.units)


def test_the_agenda_is_taken_from_its_head_only() -> None:
    state = toy.battle().state
    for time, serial in ((900, 50), (800, 51), (900, 52)):
        apply(state, Scheduled(Entry(time, 0, serial, toy.Begin(0))))
    serials = [entry.serial for entry in state.agenda]
    assert serials[-3:] == [51, 50, 52] or serials == sorted(serials, key=lambda s: (s != 51, s))
    with pytest.raises(RuleError, match="not the head"):
        apply(state, Taken(52, 900))


def test_an_event_keeps_no_hold_on_the_state() -> None:
    state = toy.battle().state
    own: dict[str, Any] = {"shells": 1}
    apply(state, StructureSet(0, False, True, own))
    own["shells"] = 99
    assert state.structures[0].own == {"shells": 1}
    fields = {"pins": 3}
    apply(state, UnitSet(1, fields))
    fields["pins"] = 99
    assert state.units[1].own.pins == 3


# ---- states as bytes -----------------------------------------------------------------------------------------------


def test_position_leaves_out_work_in_hand_and_counters() -> None:
    state = toy.battle().state
    other = state.clone()
    other.stack, other.events, other.questions = (), 999, (999, 999)
    assert position(other) == position(state)
    assert key(other) != key(state)
    other.points = (1, 0)
    assert position(other) != position(state)


def test_a_clone_shares_nothing_that_changes() -> None:
    battle = toy.battle()
    state = battle.state
    before = dump_state(state)
    copy = state.clone()
    for name in State.__struct_fields__:
        assert getattr(copy, name) == getattr(state, name)
    apply(copy, Placed(0, 3, 0))
    apply(copy, UnitSet(1, {"pins": 4}))
    apply(copy, StructureSet(0, True, False))
    assert dump_state(state) == before
    assert state.at == standing_at(state.units)


def test_every_field_of_a_state_is_cloned() -> None:
    assert State.__struct_fields__ == (
        "units",
        "structures",
        "extra",
        "stack",
        "agenda",
        "turn",
        "now",
        "serial",
        "events",
        "questions",
        "points",
        "outcome",
        "at",
        "alive",
        "down",
    )


def test_the_common_rooms_name_no_ruleset() -> None:
    """Rulesets are found by name at run time: what all of them share knows none of them."""
    root = Path(events_module.__file__).parents[1]
    rooms = [
        root / room
        for room in ("core", "board", "rules", "evaluation", "scenario", "engine", "search", "viewer")
    ]
    for file in sorted(file for room in (*rooms, root.parent / "agents") for file in room.rglob("*.py")):
        text = file.read_text(encoding="utf-8")
        assert [name for name in RULESETS if re.search(rf"\b{name}s?\b", text)] == [], file.name
