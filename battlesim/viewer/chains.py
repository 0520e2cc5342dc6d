"""What led to what: the sentences of a story and the questions that were answered, each with what caused it. Read `Chains`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from battlesim.core.events import Answered, Asked, Event
from battlesim.core.plugins import RULESETS, folder_of, offers
from battlesim.core.toml import read_toml
from battlesim.engine.record import Record
from battlesim.viewer.film import Film
from battlesim.viewer.insight import BOTH, Insight
from battlesim.viewer.story import Sentence
from battlesim.viewer.wording import printable


class Node(NamedTuple):
    """A sentence of the story with its number in it, and the moment at which it is told."""

    number: int
    sentence: Sentence
    moment: int


class Question(NamedTuple):
    """A question with what was said to it. `asked`, `answered`: events. `kind`: the type of the question. `about`: the unit that
    it is about, or -1."""

    asked: int
    answered: int
    side: int
    kind: str
    about: int
    legal: int
    answer: str
    by: str
    note: str


class Chains:
    """All sentences of a film and all questions of its record, and which of them led to which."""

    def __init__(self, record: Record, film: Film, insight: Insight | None = None) -> None:
        self.record, self.insight = record, insight
        self.units: list[dict[str, Any]] = json.loads(bytes(record.header.start))["units"]
        self.sides = [row["side"] for row in self.units]
        told = [
            (sentence, number) for number, moment in enumerate(film.moments) for sentence in moment.sentences
        ]
        self.told = [Node(n, sentence, moment) for n, (sentence, moment) in enumerate(told)]
        self.questions = _questions(record.events)
        self._sentence_of = {node.sentence.event: node.number for node in reversed(self.told)}
        self._question_of = {question.answered: n for n, question in enumerate(self.questions)}

    def up(self, event: int) -> int:
        """What led to an event: the number of the nearest sentence, or -2 - n for question n; -1 for nothing that is told."""
        events = self.record.events
        seen = event
        while True:
            cause = events[seen].cause
            if not 0 <= cause < seen:
                return -1
            if cause in self._question_of:
                return -2 - self._question_of[cause]
            if cause in self._sentence_of:
                return self._sentence_of[cause]
            seen = cause

    def data(self) -> dict[str, Any]:
        """Everything of it that the page needs, as plain values."""
        texts = clause_texts(self.record.header.ruleset.name)
        used: dict[str, int] = {}
        heard = self.insight.heard if self.insight else {}
        told = []
        for node in self.told:
            sentence = node.sentence
            names = dict.fromkeys(
                [
                    *self.record.events[sentence.event].clauses,
                    *(name for rolled in sentence.dice for name in rolled.clauses),
                ]
            )
            rules = [used.setdefault(name, len(used)) for name in names]
            dice = [[rolled.need, rolled.sides, list(rolled.faces)] for rolled in sentence.dice]
            mask = heard.get(sentence.event, BOTH)
            told.append([sentence.event, node.moment, mask, rules, dice, self.up(sentence.event)])
        thoughts = self.insight.thoughts if self.insight else {}
        return {
            "told": told,
            "shown": [printable(node.sentence.shown) for node in self.told],
            "questions": [
                [
                    question.answered,
                    question.side,
                    _words(question.kind),
                    question.about,
                    question.legal,
                    self._named(question),
                    question.by,
                    printable(question.note),
                    self.up(question.asked),
                    [
                        [printable(t.answer), round(t.score, 2), printable(t.text)]
                        for t in thoughts.get(question.asked, ())
                    ],
                ]
                for question in self.questions
            ],
            "clauses": [[name, texts.get(name, "")] for name in used],
            "units": [[row["side"], printable(row["name"])] for row in self.units],
            "sides": [printable(name) for name in self.record.header.sides],
        }

    def _named(self, question: Question) -> str:
        """An answer with the name of the unit or place in it: `go 17` is "go to g3.4"."""
        word, _, rest = question.answer.partition(" ")
        places = self.record.header.places
        number = int(rest) if rest.isdigit() else -1
        if word in ("pick", "at", "carry", "board") and 0 <= number < len(self.units):
            return printable(f"{word} {self.units[number]['name']}")
        if word in ("go", "atplace") and 0 <= number < len(places):
            return printable(f"{'go to' if word == 'go' else 'at'} {places[number]}")
        return printable({"say yes": "yes", "say no": "no"}.get(question.answer, question.answer))


def _questions(events: tuple[Event, ...]) -> list[Question]:
    found = []
    for number, event in enumerate(events):
        if not isinstance(event, Answered) or not 0 <= event.cause < number:
            continue
        asked = events[event.cause]
        if isinstance(asked, Asked):
            ask = asked.ask if isinstance(asked.ask, Mapping) else {}
            unit = ask.get("unit", -1)
            found.append(
                Question(
                    event.cause,
                    number,
                    event.side,
                    str(ask.get("type", "question")),
                    unit if isinstance(unit, int) else -1,
                    asked.legal,
                    event.answer,
                    event.by,
                    event.note,
                )
            )
    return found


def _words(kind: str) -> str:
    """`WhichOrder` is "which order"."""
    spaced = "".join(f" {letter.lower()}" if letter.isupper() else letter for letter in kind)
    return printable(spaced.strip())


@lru_cache
def clause_texts(ruleset: str) -> dict[str, str]:
    """The text of each clause of a rulebook by its id; empty where its list is not found. Reads no rules."""
    shipped = Path(__file__).resolve().parent.parent / "rulesets" / ruleset
    if ruleset.isidentifier() and shipped.is_dir():
        folder: Path | None = shipped
    else:
        offered = offers(RULESETS).get(ruleset)
        folder = folder_of(offered[0]) if offered else None
    path = folder / "clauses.toml" if folder is not None else None
    if path is None or not path.is_file():
        return {}
    rows = read_toml(path, "the clause list")[0].get("clause", ())
    return {row["id"]: printable(row["text"]) for row in rows if "id" in row and "text" in row}
