"""Plays orders from a file: one a line, with when it is meant; what the file does not say, greedy decides.

`script,file=orders.txt`. A line is conditions, a colon, and an answer in its text form:

    # who is asked what, and what is said
    turn 1 unit Red yard WhichOrder: order advance
    turn 2-4 unit 3 AtWhom: at Blue officer
    question 12: go g3.2
    WhichUnit again: pick 4
    otherwise: greedy

Conditions, each at most once: `turn N` or `turn N-M`; `unit` with a number or a name; `question N`, counted among the side's own
from 0; the name of a question. Answers may name units and places by name or number. A name in double quotes is taken as it is
(`unit "Red: yard"`, `pick "7"`): quote one that holds a colon, a # or a word of a condition, or that is a number.

At each question the first line that was not yet used, whose conditions hold and whose answer is legal is played; `again` lets a
line be used as often as it fits. `otherwise` says who decides where no line fits: `greedy` (unless said), `random`, or `first`,
the first legal answer.

A file without a line is refused. An order that can never be carried out in the battle (a turn after its end, a place that the map
does not have, a question or a kind of answer that its rulebook does not have, a unit that the side does not have, and where the
line names the question, an order that is none) is told once on standard error when a battle begins, and is otherwise passed over.
Targets by name are not checked: they may be hidden.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from battlesim import (
    RULESETS,
    Answer,
    Ask,
    Board,
    Brief,
    Chance,
    Fault,
    IllegalAnswer,
    InputError,
    View,
    best_by_features,
    did_you_mean,
    find_ruleset,
    format_answer,
    parse_answer,
)
from battlesim.rules.tactical import ORDER_QUESTIONS
from battlesim.rulesets.finder import installed_rulesets

OTHERWISE = ("greedy", "random", "first")
"""Who may decide where no line fits."""
LARGEST = 1_000_000
"""Bytes of the largest file."""
MOST_DIGITS = 9
"""Digits of the largest number in a condition."""
_QUOTED = re.compile(r'(?<!\S)"([^"]+)"(?=[\s:]|$)')
"""A name in double quotes: they stand where a word begins and where one ends."""


class Quoted(str):
    """A name that stood in quotes: never a number or a word of a condition."""

    __slots__ = ()


class Line(NamedTuple):
    """One line: its number in the file, from 1, its conditions (None or "": any), and the words of its answer. `turns`: first and
    last; `question`: counted from 0; `unit`: number or name; `ask`: name of the question."""

    number: int
    turns: tuple[int, int] | None
    question: int | None
    unit: str
    ask: str
    again: bool
    answer: str


class OncePrinter:
    """Prints lines on standard error, each once in a process, so that a thousand battles do not repeat it."""

    def __init__(self) -> None:
        self.lines: set[str] = set()

    def __call__(self, line: str) -> None:
        if line not in self.lines:
            self.lines.add(line)
            print(line, file=sys.stderr)


warn = OncePrinter()
"""Tells of lines that can never be carried out."""


class Script:
    """`file`: the file of orders. Each line is conditions, a colon, and an answer as records write it; what no line says, greedy
    decides, or whom `otherwise` names.

        turn 1 unit Red yard WhichOrder: order advance
        WhichUnit again: pick 4
        otherwise: random

    docs/agents.md tells the rest, under "Orders from a file".
    """

    file_parameters = ("file",)

    def __init__(self, file: str) -> None:
        self.file = str(file)
        self.lines, self.otherwise = parse_script(_text_of(self.file), self.file)

    def start(self, board: Board, side: int, chance: Chance, brief: Brief | None = None) -> None:
        """Begin a battle, with no line used. `brief`: to tell which lines can never be carried out; None: they are not told."""
        self.board, self.chance = board, chance
        self.places = {space.name: space.id for space in board.spaces}
        self.used: set[int] = set()
        self.units_checked = False
        if brief is not None:
            for line in self.lines:
                self._warn(line, why_impossible(line, brief, self.places))

    def choose(self, view: View, ask: Ask, answers: Sequence[Answer]) -> Answer:
        """The answer of the first line that fits; without one, that of `otherwise`. At its first question it also tells which
        lines want a unit that its side does not have."""
        if not self.units_checked:
            self.units_checked = True
            for line in self.lines:
                self._warn(line, why_unit_missing(line, view))
        names = {unit.name: number for number, unit in view.units.items()}
        legal = {format_answer(answer): answer for answer in answers}
        for line in self.lines:
            if line.number in self.used or not self._fits(line, view, ask, names):
                continue
            said = self._legal_answer(line.answer, legal, names)
            if said is not None:
                if not line.again:
                    self.used.add(line.number)
                return said
        if self.otherwise == "greedy":
            return best_by_features(view, self.board, ask, answers)
        return answers[0] if self.otherwise == "first" else self.chance.choice(answers)

    def save(self) -> bytes:
        """The lines that were used."""
        return " ".join(map(str, sorted(self.used))).encode()

    def load(self, memory: bytes) -> None:
        """Restore what `save` returned."""
        self.used = set(map(int, memory.split()))

    def _warn(self, line: Line, why: str) -> None:
        """Warn that a line can never be carried out. `why`: the reason, "" if it can."""
        if why:
            warn(f"{self.file}, line {line.number}: {why}")

    def _fits(self, line: Line, view: View, ask: Ask, names: dict[str, int]) -> bool:
        if line.turns is not None and not line.turns[0] <= view.turn <= line.turns[1]:
            return False
        if line.question is not None and line.question != view.number:
            return False
        if line.ask and line.ask != type(ask).__name__:
            return False
        if not line.unit:
            return True
        wanted = _number(line.unit, names)
        return wanted is not None and getattr(ask, "unit", None) == wanted

    def _legal_answer(self, words: str, legal: dict[str, Answer], names: dict[str, int]) -> Answer | None:
        """The legal answer that the words stand for, with names of units and places looked up; None if it is not legal."""
        if words in legal:
            return legal[words]
        verb, name = _answer_parts(words)
        for known in (names, self.places):
            if name in known and f"{verb} {known[name]}" in legal:
                return legal[f"{verb} {known[name]}"]
        return None


def _is_count(text: str) -> bool:
    """Whether a text is the number of a unit, a turn or a question. `int` refuses thousands of digits."""
    return text.isdecimal() and len(text) <= MOST_DIGITS


def _number(unit: str, names: dict[str, int]) -> int | None:
    return int(unit) if _is_count(unit) and not isinstance(unit, Quoted) else names.get(unit)


def _answer_parts(words: str) -> tuple[str, str]:
    """The kind of an answer and the rest of it, without quotes."""
    verb, _, name = words.partition(" ")
    quoted = _QUOTED.fullmatch(name)
    return verb, Quoted(quoted[1]) if quoted else name


def _index_outside_quotes(text: str, mark: str) -> int:
    """The index of the first `mark` outside of quotes; the length of the text if there is none."""
    bare = _QUOTED.sub(lambda quoted: "_" * len(quoted[0]), text)
    at = bare.find(mark)
    return len(text) if at < 0 else at


def why_impossible(line: Line, brief: Brief, places: dict[str, int]) -> str:
    """Why a line can never be carried out in a battle, by its brief and its map; "" if it may be. `places`: numbers of the map's
    spaces by name."""
    book = find_ruleset(brief.ruleset)
    last = brief.turns + brief.extra_turn
    if line.turns is not None and line.turns[0] > line.turns[1]:
        return f"turns {line.turns[0]}-{line.turns[1]} never come; give the earlier one first"
    if line.turns is not None and brief.turns > 0 and last < line.turns[0]:
        return f"there is no turn {line.turns[0]}; the battle has {last} at most"
    if line.ask and line.ask not in (asks := [ask.__name__ for ask in book.asks]):
        return f"{brief.ruleset} never asks {line.ask!r}; {did_you_mean(line.ask, asks)}"
    verb, name = _answer_parts(line.answer)
    kinds = {str(kind.__struct_config__.tag): kind for kind in book.answers}
    if verb not in kinds:
        return f"{brief.ruleset} has no answer {verb!r}; {did_you_mean(verb, kinds)}"
    orders = book.tactical.orders if brief.ruleset in RULESETS and line.ask in ORDER_QUESTIONS else {}
    if verb == "order" and orders and name not in orders:
        return f"{brief.ruleset} has no order {name!r}; {did_you_mean(name, orders)}"
    fields = kinds[verb].__struct_fields__
    try:
        place = getattr(parse_answer(line.answer, book.answers), "place", 0)
    except IllegalAnswer as error:
        if fields == ("unit",) and name:
            return ""  # the name of a unit, which may be hidden
        if fields != ("place",) or not name:
            return str(error)
        return "" if name in places else f"the map has no place {name!r}; {did_you_mean(name, places)}"
    return (
        ""
        if 0 <= place < len(places)
        else f"the map has no place {place}; give 0 to {len(places) - 1}, or a name"
    )


def why_unit_missing(line: Line, view: View) -> str:
    """The unit that a line wants and the side does not have, in words; "" if it has it."""
    own = {unit.name: number for number, unit in view.units.items() if unit.side == view.side}
    verb, picked = _answer_parts(line.answer)
    for name in (line.unit, picked if verb == "pick" else ""):
        if name and _number(name, own) not in own.values():
            return f"there is no unit {name!r:.60} of its own; {did_you_mean(name, own)}"
    return ""


def _text_of(file: str) -> str:
    """The file's text. Raises InputError."""
    try:
        data = Path(file).read_bytes()
        if len(data) > LARGEST:
            raise InputError(Fault("the file of orders is too large", f"at most {LARGEST} bytes", file))
        return data.decode("utf-8-sig")  # some editors begin a file with a mark
    except OSError as error:
        raise InputError(
            Fault(f"cannot be read: {error.strerror}", "give the path of a file of orders", file)
        ) from None
    except UnicodeDecodeError:
        raise InputError(Fault("is no UTF-8 text", "write orders as plain text", file)) from None


class _WrongLine(Exception):
    """A line that is no order: what is wrong, and what would be accepted."""

    def __init__(self, what: str, remedy: str) -> None:
        super().__init__(what)
        self.remedy = remedy


def parse_script(text: str, file: str = "") -> tuple[list[Line], str]:
    """The lines of a script, and who decides otherwise: one of `OTHERWISE`. `file`: its name in messages. Raises InputError with
    every fault."""
    books = [find_ruleset(name) for name in (*RULESETS, *installed_rulesets())]
    asks = {ask.__name__ for book in books for ask in book.asks}
    verbs = {kind.__struct_config__.tag for book in books for kind in book.answers}
    lines: list[Line] = []
    faults: list[Fault] = []
    otherwise, has_otherwise = "greedy", False
    for number, whole in enumerate(text.splitlines(), 1):
        words = whole[: _index_outside_quotes(whole, "#")].strip()
        if not words:
            continue
        at = _index_outside_quotes(words, ":")
        when, colon, answer = words[:at].strip(), words[at : at + 1], words[at + 1 :].strip()
        try:
            if not colon or not answer:
                raise _WrongLine("no order", "write CONDITIONS: ANSWER, as in 'turn 1 WhichUnit: pick 4'")
            if when == "otherwise":
                if answer not in OTHERWISE:
                    raise _WrongLine(f"otherwise {answer!r}", f"give one of {', '.join(OTHERWISE)}")
                otherwise, has_otherwise = answer, True
                continue
            if answer.split()[0] not in verbs:
                raise _WrongLine(
                    f"no answer {answer!r}", f"answers begin with one of {', '.join(sorted(map(str, verbs)))}"
                )
            lines.append(_line(number, _words(when), _squeezed(answer), asks))
        except _WrongLine as wrong:
            faults.append(Fault(str(wrong), wrong.remedy, file, number))
    if not faults and not lines and not has_otherwise:
        faults = [
            Fault("it holds no order", "write CONDITIONS: ANSWER, as in 'turn 1 WhichUnit: pick 4'", file)
        ]
    if faults:
        raise InputError(faults)
    return lines, otherwise


def _words(when: str) -> list[str]:
    """The words of the conditions; a name in quotes is one of them."""
    found: list[str] = []
    at = 0
    for quoted in _QUOTED.finditer(when):
        found += [*when[at : quoted.start()].split(), Quoted(quoted[1])]
        at = quoted.end()
    return [*found, *when[at:].split()]


def _squeezed(answer: str) -> str:
    """An answer with one space between its words; a name in quotes stays as it is."""
    verb, *rest = answer.split(maxsplit=1)
    name = rest[0].strip() if rest else ""
    return f"{verb} {name if _QUOTED.fullmatch(name) else ' '.join(name.split())}".rstrip()


def _line(number: int, words: list[str], answer: str, asks: set[str]) -> Line:
    """A line from the words of its conditions and its answer. `asks`: the names of all questions. Raises _WrongLine."""
    turns: tuple[int, int] | None = None
    question: int | None = None
    unit, ask, again, at = "", "", False, 0
    given: set[str] = set()
    while at < len(words):
        word, at = words[at], at + 1
        kind = "the question's name" if word in asks else word
        if kind in given:
            raise _WrongLine(f"{kind} is given twice", "keep one of the two")
        given.add(kind)
        if word == "again":
            again = True
        elif word in ("turn", "question"):
            text = words[at] if at < len(words) else ""
            low, dash, high = text.partition("-")
            if not _is_count(low) or (dash and (word == "question" or not _is_count(high))):
                raise _WrongLine(f"{word} {text!r:.60}", f"give a number, as in '{word} 3'")
            if word == "turn" and int(low) == 0:
                raise _WrongLine(f"turn {text!r}", "turns are counted from 1")
            if word == "turn":
                turns = (int(low), int(high if dash else low))
            else:
                question = int(low)
            at += 1
        elif word == "unit":
            name: list[str] = []
            if at < len(words) and isinstance(words[at], Quoted):
                unit, at = words[at], at + 1
                continue
            while at < len(words) and words[at] not in asks | {"turn", "question", "again"}:
                name.append(words[at])
                at += 1
            if not name:
                raise _WrongLine("unit without a name", "give its number or name, as in 'unit 3'")
            unit = " ".join(name)
        elif word in asks:
            ask = word
        else:
            raise _WrongLine(
                f"no condition {word!r}",
                f"give turn, unit, question, again or a question's name: {', '.join(sorted(asks))}",
            )
    return Line(number, turns, question, unit, ask, again, answer)
