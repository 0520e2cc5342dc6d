"""Questions and answers in words, in all four rulebooks."""

from __future__ import annotations

import pytest

from battlesim import play
from battlesim.engine.origin import board_of
from battlesim.engine.record import Record, parse_record
from battlesim.rulesets.finder import RULESETS, find_ruleset
from battlesim.viewer.causes import Causes
from battlesim.viewer.context import Names
from battlesim.viewer.questions import Phrases
from battlesim.viewer.told import ToldRecord
from battlesim.viewer.wording import find_wording, slots


@pytest.mark.parametrize("book", RULESETS)
def test_every_question_has_words_that_fit_its_fields(book: str) -> None:
    asks = {kind.__name__: {*kind.__struct_fields__} for kind in find_ruleset(book).asks}
    wording = find_wording(book)
    for name, fields in asks.items():
        assert name in wording.asks, f"{book}: no words for {name}"
        assert {slot for slot, _ in slots(wording.asks[name])} <= fields, (book, name)
        assert wording.asks[name].endswith("?")
    own = {key.split(" ")[0] for key in wording.answers if key[0].isupper()}
    shared = {key.split(" ")[0] for key in find_wording("").answers if key[0].isupper()}
    assert own - shared <= set(asks), "words for answers to a question that is never put"


def test_regiments_are_asked_what_they_may_do_in_the_phase() -> None:
    record = parse_record(play("watch-house", seed=3).record(), "x")
    causes = Causes(record)
    asked = [causes.index.question(number).question for number in range(len(causes.index.questions))]
    assert {f"which unit may {what} next?" for what in ("charge", "move", "shoot")} <= set(asked)


@pytest.mark.parametrize("book", RULESETS)
def test_every_answer_of_a_game_has_words(book: str, records: dict[str, Record]) -> None:
    index = ToldRecord(records[book])
    for number in range(len(index.questions)):
        said = index.question(number)
        assert said.words, said
        assert "nowhere" not in said.words, said
        assert "nobody" not in said.words or said.answer == "pass", said
        kind = said.answer.split(" ")[0]
        assert kind in ("order", "pass") or said.words != said.answer, said


def test_walls_and_openings_are_told_apart(records: dict[str, Record]) -> None:
    record = records["armorclass"]
    names, board = Names(record.header, ToldRecord(record).names.state), board_of(record)
    phrases = Phrases(names, find_wording("armorclass"))
    floor = next(space for space in board.spaces if space.kind == "floor" and not space.roof)
    section = board.sections[floor.section]
    search = [f"search {floor.id} {side}" for side in range(-1, len(section.sides))]
    into = [f"into {floor.id} {opening}" for opening in section.openings[floor.floor]]
    assert phrases.answer("AtWhom", {}, search[1]).endswith(", where somebody may be, through wall 1")
    names.board = board
    words = [phrases.answer("AtWhom", {}, answer) for answer in (*search, *into)]
    assert len(set(words)) == len(words)
    assert words[0].endswith("through the bank")
    assert all(" facing " in said for said in words[1:])
    assert names.opening(floor.id, -3) == f"the opening made in {names.wall(floor.id, 1)}"


def test_a_question_without_words_is_shown_plainly(records: dict[str, Record]) -> None:
    header = records["orderdice"].header
    names = Names(header, ToldRecord(records["orderdice"]).names.state)
    phrases = Phrases(names, find_wording(""))
    assert phrases.question("HowLong", {"unit": 0}) == "How long: Red ground floor?"
    assert phrases.question("HowLong", {}) == "How long?"
    assert phrases.answer("HowLong", {}, "odd 1 2") == "odd 1 2"
    assert phrases.answer("WhereTo", {"unit": 0}, "pass") == "stay"
