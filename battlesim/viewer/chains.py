"""What the page shows for each line of the story: its dice, its rules, and what led to it, as plain data. Read `Chains.data`.

Causes come from `causes.py`, words for questions from `questions.py`.
"""

from __future__ import annotations

import json
from bisect import bisect_left
from collections import Counter
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from battlesim.core.events import Answered, ModelsLost, StructureSet
from battlesim.core.plugins import RULESETS, folder_of, offers
from battlesim.core.toml import read_toml
from battlesim.engine.record import Record
from battlesim.viewer.causes import Causes
from battlesim.viewer.film import Film
from battlesim.viewer.insight import Insight
from battlesim.viewer.story import Sentence
from battlesim.viewer.wording import printable


class Node(NamedTuple):
    """A sentence of the story with its number, and the moment at which it is shown."""

    number: int
    sentence: Sentence
    moment: int


class Chains:
    """The sentences of a film and the questions of its record, with the links from causes to effects."""

    def __init__(self, record: Record, film: Film, insight: Insight | None = None) -> None:
        self.record, self.insight = record, insight
        self.causes = Causes(record)
        self.units: list[dict[str, Any]] = json.loads(bytes(record.header.start))["units"]
        self.sides = [row["side"] for row in self.units]
        told = [
            (sentence, number) for number, moment in enumerate(film.moments) for sentence in moment.sentences
        ]
        self.told = [Node(n, sentence, moment) for n, (sentence, moment) in enumerate(told)]
        self._sentence_of = {node.sentence.event: node.number for node in reversed(self.told)}
        self._question_of = {event: n for n, event in enumerate(self.causes.index.questions)}
        self._links = sorted({*self._sentence_of, *self._question_of})

    def up(self, event: int) -> int:
        """What led to an event: the number of the nearest sentence, or -2 - n for question n; -1 if nothing has a sentence."""
        for cause in reversed(self.causes.chain_of(event)[:-1]):
            at = bisect_left(self._links, cause)
            if at < len(self._links) and self._links[at] == cause:
                return (
                    self._sentence_of[cause] if cause in self._sentence_of else -2 - self._question_of[cause]
                )
        return -1

    def told_of(self, event: int) -> int:
        """The event whose sentence reports a change: itself, or the nearest cause above it; -1 for none."""
        number = self._sentence_of.get(event, self.up(event))
        return self.told[number].sentence.event if number >= 0 else -1

    def told_at(self, event: int) -> int:
        """The event of the nearest sentence about an event: its own, the first of what it led to, or the one above it."""
        if event in self._sentence_of:
            return event
        roots = self.causes.index.roots
        at = bisect_left(self._links, event)
        after = next((n for n in self._links[at:] if n in self._sentence_of and roots[n] == roots[event]), -1)
        if after >= 0:
            return after
        up = self.up(event)
        return self.told[up].sentence.event if up >= 0 else event

    def heard_by(self, node: Node, place: int) -> list[Sentence | None]:
        """The sentence as each side heard it; None if it did not. `place`: which of its event's sentences it is."""
        found: list[Sentence | None] = []
        for side in (0, 1):
            told = self.insight.told[side] if self.insight else {}
            own = told.get(node.sentence.event, []) if told else [node.sentence] * (place + 1)
            found.append(own[place] if place < len(own) else None)
        return found

    def _says(self, sentence: Sentence) -> list[Any]:
        """The text of a sentence, its dice as shown beside it, and each throw as (need, sides, faces, whether low counts)."""
        low = self.causes.index.wording.low
        dice = [
            [rolled.need, rolled.sides, list(rolled.faces), int(rolled.purpose in low)]
            for rolled in sentence.dice
        ]
        return [printable(sentence.text), printable(sentence.shown), dice]

    def data(self) -> dict[str, Any]:
        """Everything that the page needs, as plain values; `watch_story.js` reads them."""
        texts = clause_texts(self.record.header.ruleset.name)
        used: dict[str, int] = {}
        told, altered, places = [], {}, Counter[int]()
        for node in self.told:
            sentence = node.sentence
            names = dict.fromkeys(self.record.events[sentence.event].clauses)
            for rolled in sentence.dice:
                names.update(dict.fromkeys(rolled.clauses))
            rules = [used.setdefault(name, len(used)) for name in names]
            sides = self.heard_by(node, places[sentence.event])
            places[sentence.event] += 1
            mask = sum(1 << side for side in (0, 1) if sides[side] is not None)
            true = self._says(sentence)
            others = [
                None if said is None or self._says(said) == true else self._says(said) for said in sides
            ]
            if any(others):
                altered[node.number] = others
            told.append([sentence.event, node.moment, mask, rules, true[2], self.up(sentence.event)])
        return {
            "told": told,
            "altered": altered,
            "shown": [printable(node.sentence.shown) for node in self.told],
            "ends": self._ends(),
            "questions": self._questions(),
            "clauses": [[name, texts.get(name, "")] for name in used],
            "units": [[row["side"], printable(row["name"])] for row in self.units],
            "sides": [printable(name) for name in self.record.header.sides],
        }

    def _questions(self) -> list[list[Any]]:
        thoughts = self.insight.thoughts if self.insight else {}
        found = []
        for event in self.causes.index.questions:
            answered = self.record.events[event]
            assert isinstance(answered, Answered)
            said = self.causes.index.said(event, answered)
            note = printable(answered.note) if answered.by == "referee" else ""
            lines = [printable(line.strip()) for line in thoughts.get(event, ())]
            found.append(
                [event, said.side, said.question, said.words, said.of, note, self.up(answered.cause), lines]
            )
        return found

    def _ends(self) -> dict[int, list[Any]]:
        """By sentence, for the end of a unit or a section: why in a sentence or two, and what it had suffered before as
        (event, turn, text)."""
        found: dict[int, list[Any]] = {}
        standing = set(range(len(self.record.header.sections)))
        for event, what in enumerate(self.record.events):
            fell = isinstance(what, StructureSet) and what.fallen and what.section in standing
            if isinstance(what, StructureSet) and what.fallen:
                standing.discard(what.section)
            if not fell and not (isinstance(what, ModelsLost) and what.left == 0):
                continue
            number = self._sentence_of.get(event, self.up(event))
            if number >= 0:
                why = self.causes.explain(str(self.told_of(event)))
                before = [[blow.events[0], blow.turn, printable(blow.text)] for blow in why.before]
                found[number] = [printable(why.summary), before, why.more]
        return found


@lru_cache
def clause_texts(ruleset: str) -> dict[str, str]:
    """The text of each clause of a rulebook by its id; empty if its list is not found. Reads no rules."""
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
