"""Laws that must hold in any battle under any rulebook, checked while one is played. Read `play_case`.

- After every event: its cause came before it, it can be read back from its line, dice show faces that they have under a unique
  key, and a copy of the position that only events change is valid.
- After every answer: the copy agrees with the battle's position, numbered things have unique numbers, and no invariant of the
  rulebook is broken.
- At every question: the answers are the same when listed again, none occurs twice, all are of kinds that the rulebook knows, and
  a safe one is among them.
- At some questions: the battle is saved, loaded and continued beside the first; an illegal answer changes nothing; forks do not
  affect it; views and estimates can be made; a battle imagined from a view can be continued.
- At the end: the record verifies and replays; no side has more points than there are; the same answers under other names give the
  same events; the rotated map is the same map, and units listed in another order are the same units.
"""

from __future__ import annotations

from collections import Counter
from math import isfinite
from typing import Any

from msgspec.structs import astuple

from battlesim.core.answers import Answer, MoveTo, format_answer, parse_answer
from battlesim.core.apply import apply
from battlesim.core.codec import dump_state, position
from battlesim.core.dice import KeyedDice
from battlesim.core.errors import IllegalAnswer, InputError
from battlesim.core.events import ModelsLost, Rolled, TurnEnded
from battlesim.engine.battle import Battle, Question
from battlesim.engine.game import header_of, seeds_of
from battlesim.engine.header import Limits, Player
from battlesim.engine.record import decode_event, event_lines, parse_record, record_bytes
from battlesim.engine.replay import replay
from battlesim.engine.verify import verify
from battlesim.rules.scenario import Scenario
from battlesim.rulesets.finder import find_ruleset
from battlesim.scenario.load import first_state
from battlesim.search.playouts import feature_scores
from battlesim.stress.fuzz_choices import Choices
from battlesim.stress.fuzz_laws import (
    BrokenLaw,
    army,
    check_loss,
    check_position,
    demand,
    nameless,
    numbers_of,
)
from battlesim.stress.fuzz_maps import mirrored_differences, turned_differences
from battlesim.stress.fuzz_scenarios import Vocabulary, random_scenario, renamed, reordered

MOST_QUESTIONS = 600
"""The most questions of a battle."""
MOST_ANSWERS = 500
"""The most legal answers of a question."""
TWIN = 8
"""How many questions are answered twice after a battle was saved and loaded."""
PLAYER = "fuzz"


class CasePlayed:
    """A case that was played: its scenario, how often clauses were used, how many questions were answered, and whether the battle
    ended within them."""

    def __init__(self) -> None:
        self.scenario: Scenario | None = None
        self.uses: Counter[str] = Counter()
        self.questions = 0
        self.events = 0
        self.ended = False


def play_case(choices: Choices, words: Vocabulary, played: CasePlayed) -> None:
    """Make a scenario from choices, play it by choices, and check all laws. Raises BrokenLaw, or whatever the program raises.
    `played` is filled in as far as the case gets."""
    scenario = played.scenario = random_scenario(choices, words)
    _Play(scenario, choices, played).whole()


def forbids_of(ruleset: str) -> dict[type, list[tuple[str, Any]]]:
    """By kind of question: the clauses that only forbid, with functions that count the answers they remove."""
    found: dict[type, list[tuple[str, Any]]] = {}
    for chapter in find_ruleset(ruleset).chapters:
        for clause, (ask, removed) in chapter.forbids.items():
            found.setdefault(ask, []).append((clause, removed))
    return found


class _Play:
    """One battle with all checks."""

    def __init__(self, scenario: Scenario, choices: Choices, played: CasePlayed) -> None:
        self.scenario, self.choices, self.played = scenario, choices, played
        self.ruleset, self.board = find_ruleset(scenario.ruleset), scenario.board
        self.seed = choices.below(1 << 16)
        self.state = first_state(scenario, self.seed)
        self.start = dump_state(self.state)
        self.shadow = first_state(scenario, self.seed)
        self.dice = KeyedDice(seeds_of(self.seed).dice)
        self.battle = Battle(self.ruleset, self.board, self.state, self.dice)
        self.keys: set[tuple[Any, ...]] = set()
        self.done = 0
        self.said: list[Answer] = []
        self.listed: list[tuple[Answer, ...]] = []
        self.twin: Battle | None = None
        self.twin_left = 0
        self.forbids = forbids_of(scenario.ruleset)
        self.keen = choices.once_in(3)

    def whole(self) -> None:
        battle = self.battle
        self._events()
        while (question := battle.question) is not None and self.played.questions < MOST_QUESTIONS:
            self._question(question)
            said = self._answer(question)
            self._some_questions(question)
            self.said.append(said)
            self.listed.append(question.answers)
            battle.answer(said)
            self.played.questions += 1
            self._events()
            self._position()
            self._twin(said)
        self.played.ended = battle.over
        if battle.over:
            self._end()
            self._renamed()
        self._reordered()
        differs = turned_differences(self.board)
        demand(not differs, "a map turned round is the same map", "{}", differs)
        differs = mirrored_differences(self.board)
        demand(not differs, "a map in a mirror is the same map", "{}", differs)

    # ---- answers

    def _answer(self, question: Question) -> Answer:
        """By choice: the safe answer, the greedy player's, or any. In keen cases it is mostly the greedy player's: acts that take
        several turns of purpose, such as bringing down a house, happen only then."""
        how = self.choices.below(8)
        answers = question.answers
        if how == 0:
            return self.ruleset.safe_answer(self.battle.state, self.board, question.ask, answers)
        if how <= (6 if self.keen else 3):
            view = self.battle.view(question.side)
            scores = feature_scores(view, self.board, view.ask, answers)
            demand(all(map(isfinite, scores)), "estimates are finite", "{!r}: {}", question.ask, scores)
            return answers[scores.index(max(scores))]
        return answers[self.choices.below(len(answers))]

    # ---- after every event

    def _events(self) -> None:
        log, shadow = self.battle.log, self.shadow
        for number in range(self.done, len(log)):
            event = log[number]
            self.played.uses.update(event.clauses)
            demand(event.cause < number, "a cause comes before its effect", "event {}", number)
            (line,) = event_lines((event,))
            again = decode_event(line)
            same = again.clauses == event.clauses and again.cause == event.cause
            demand(same, "an event is read as it was written", "{!r}", event)
            if isinstance(event, Rolled):
                self._rolled(event)
            if isinstance(event, TurnEnded):
                demand(
                    event.position == position(shadow), "events alone make the position", "event {}", number
                )
            if isinstance(event, ModelsLost):
                check_loss(shadow, event)
            apply(shadow, event)
            check_position(shadow, event)
        self.done = len(log)
        self.played.events = len(log)

    def _rolled(self, event: Rolled) -> None:
        key = (event.turn, event.actor, event.purpose, event.object, event.attempt)
        demand(key not in self.keys, "no dice key occurs twice", "{}", key)
        self.keys.add(key)
        faces = event.faces
        fair = bool(faces) and all(1 <= face <= event.sides for face in faces)
        demand(fair, "dice show faces that they have", "{!r}", event)
        rolled = self.dice.faces(key, len(faces), event.sides)
        demand(faces == rolled, "faces follow from seed and key", "{!r}, not {}", event, rolled)

    # ---- after every answer

    def _position(self) -> None:
        state, shadow = self.battle.state, self.shadow
        for name, numbers in numbers_of(state):
            own = len(set(numbers)) == len(numbers)
            demand(own, "what is numbered has a number of its own", "{}: {}", name, numbers)
        faults = self.ruleset.faults(state, self.board)
        demand(not faults, "no invariant is broken", "{}", faults)
        demand(position(shadow) == position(state), "events alone make the position", "{}", self._where())
        for name in ("at", "alive", "down"):
            demand(
                getattr(shadow, name) == getattr(state, name),
                f"`{name}` follows from the events",
                "{}",
                self._where(),
            )

    def _where(self) -> str:
        return f"after question {self.played.questions}, turn {self.battle.state.turn}"

    # ---- at every question

    def _question(self, question: Question) -> None:
        state, answers = self.battle.state, question.answers
        for clause, removed in self.forbids.get(type(question.ask), ()):
            self.played.uses[clause] += removed(state, self.board, question.ask)
        demand(len(answers) > 1, "a question has more than one answer", "{!r}", question.ask)
        demand(len(answers) <= MOST_ANSWERS, f"there are {MOST_ANSWERS} answers at most", "{}", len(answers))
        demand(len(set(answers)) == len(answers), "no answer is listed twice", "{!r}", question.ask)
        before = dump_state(state)
        again = tuple(self.ruleset.legal(state, self.board, question.ask))
        demand(again == answers, "answers are listed alike again", "{!r}", question.ask)
        kinds = self.ruleset.answers
        known = all(type(answer) in kinds for answer in answers)
        demand(known, "answers are of kinds that the rulebook knows", "{!r}", question.ask)
        safe = self.ruleset.safe_answer(state, self.board, question.ask, answers)
        demand(safe in answers, "the safe answer is legal", "{!r}", safe)
        demand(dump_state(state) == before, "asking changes nothing", "{!r}", question.ask)

    # ---- at some questions

    def _some_questions(self, question: Question) -> None:
        what = self.choices.below(24)
        if what == 23:
            self._save()
        elif what == 22:
            self._refused(question)
        elif what == 21:
            self._forked(question)
        elif what == 20:
            self._viewed(question)
        elif what == 19:
            self._imagined(question)

    def _save(self) -> None:
        if self.twin is not None:
            return
        saved = self.battle.save()
        loaded = self.ruleset.codec.load(saved)
        twin = Battle(self.ruleset, self.board, loaded, self.dice)
        demand(twin.save() == saved, "a battle is loaded as it was saved", "{}", self._where())
        demand(twin.question == self.battle.question, "a loaded battle asks the same", "{}", self._where())
        self.twin, self.twin_left = twin, TWIN

    def _twin(self, said: Answer) -> None:
        """The battle that was saved and loaded continues as the first one does."""
        twin = self.twin
        if twin is None or twin.question is None:
            self.twin = None
            return
        twin.answer(said)
        same = dump_state(twin.state) == dump_state(self.battle.state)
        demand(same, "a loaded battle goes on alike", "{}", self._where())
        self.twin_left -= 1
        if self.twin_left <= 0:
            self.twin = None

    def _refused(self, question: Question) -> None:
        before = dump_state(self.battle.state)
        wrong = MoveTo(10_000_000)
        try:
            self.battle.answer(wrong)
        except IllegalAnswer:
            same = dump_state(self.battle.state) == before and self.battle.question == question
            demand(same, "an illegal answer changes nothing", "{!r}", question.ask)
            return
        raise BrokenLaw("an illegal answer is refused", repr(question.ask))

    def _forked(self, question: Question) -> None:
        before = dump_state(self.battle.state)
        for said in question.answers[:: max(1, len(question.answers) // 3)]:
            branch = self.battle.fork()
            branch.answer(said)
            if branch.question is not None:
                branch.answer(branch.question.answers[-1])
        demand(dump_state(self.battle.state) == before, "forks leave a battle alone", "{!r}", question.ask)

    def _viewed(self, question: Question) -> None:
        before = dump_state(self.battle.state)
        for side in (0, 1):
            view = self.battle.view(side)
            for unit in view.units.values():
                real = self.battle.state.units.get(unit.id)
                known = real is not None and (unit.side == real.side)
                demand(known, "a view shows units that there are", "side {}", side)
        view = self.battle.view(question.side)
        found = self.ruleset.features(view, self.board, view.ask, question.answers)
        demand(len(found) == len(question.answers), "every answer has its estimate", "{!r}", question.ask)
        fine = all(isfinite(value) for one in found for value in astuple(one))
        demand(fine, "estimates are finite", "{!r}", question.ask)
        view.units.clear()
        demand(dump_state(self.battle.state) == before, "views leave a battle alone", "{!r}", question.ask)
        for answer in question.answers:
            back = parse_answer(format_answer(answer), self.ruleset.answers)
            demand(back == answer, "an answer is read as it is written", "{!r}", answer)

    def _imagined(self, question: Question) -> None:
        view = self.battle.view(question.side)
        dice = KeyedDice(9)
        other = Battle(self.ruleset, self.board, self.ruleset.imagine(view, self.board, dice), dice)
        same = other.question is not None and set(other.question.answers) == set(question.answers)
        demand(same, "an imagined battle asks the same", "{!r}", question.ask)
        for number in range(6):
            if other.question is None:
                break
            other.answer(other.question.answers[(7 * number) % len(other.question.answers)])

    # ---- at the end

    def _end(self) -> None:
        battle = self.battle
        assert battle.outcome is not None
        players = (Player(PLAYER, ""), Player(PLAYER, ""))
        header = header_of(self.scenario, seeds_of(self.seed), players, Limits(), self.start)
        record = parse_record(record_bytes(header, battle.log, battle.outcome), PLAYER)
        verdict = verify(record, scenario=self.scenario)
        demand(verdict.same, "the record verifies", "{}", verdict)
        same = position(list(replay(record))[-1]) == position(battle.state)
        demand(same, "the record replays to its end")
        reach = self.ruleset.reach(first_state(self.scenario, self.seed))
        within = all(points <= most for points, most in zip(battle.outcome.points, reach, strict=True))
        demand(within, "no side scores more than it can", "{} of {}", battle.outcome, reach)

    def _renamed(self) -> None:
        """Under other names of sides and units the same answers are legal, in the same order, and give the same events."""
        try:
            other = renamed(self.scenario)
        except InputError as error:
            raise BrokenLaw("a scenario is as sound under other names", str(error)) from None
        state = first_state(other, self.seed)
        battle = Battle(self.ruleset, other.board, state, self.dice)
        for said, listed in zip(self.said, self.listed, strict=True):
            question = battle.question
            fits = question is not None and question.answers == listed
            demand(fits, "names decide nothing", "other answers are legal under other names: {!r}", question)
            battle.answer(said)
        same = nameless(battle.log) == nameless(self.battle.log)
        demand(same, "names decide nothing", "other events under other names")

    def _reordered(self) -> None:
        """Units listed in another order are the same units."""
        try:
            other = reordered(self.scenario)
        except InputError as error:
            raise BrokenLaw("a scenario is as sound with its units in another order", str(error)) from None
        mine, theirs = first_state(self.scenario, self.seed), first_state(other, self.seed)
        same = army(mine, self.scenario) == army(theirs, other)
        demand(same, "the order of units decides nothing about them")
