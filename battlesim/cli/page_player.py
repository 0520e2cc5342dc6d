"""A person as a player on a page of this machine: `play --page`. Read `PagePlayer.choose`; `seat.py` knows the words.

The battle is played in one thread, which waits in `choose` for input from the page; the server's threads pass it on and read the
state. The data for the page come from the side's views alone (`viewer/seen.py`).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from http import HTTPStatus
from queue import Empty, SimpleQueue
from threading import Condition, Event, Thread
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct

from battlesim.board.board import Board
from battlesim.cli.loopback import Loopback, Page
from battlesim.cli.seat import Seat
from battlesim.core.answers import Answer, format_answer
from battlesim.core.errors import Fault, InputError
from battlesim.core.items import Ask
from battlesim.core.view import View
from battlesim.engine.agent import Chance
from battlesim.engine.brief import Brief
from battlesim.engine.saved import Leave
from battlesim.rules.scenario import Scenario
from battlesim.viewer.key import goal_says
from battlesim.viewer.play_page import play_page
from battlesim.viewer.seen import Seen
from battlesim.viewer.story import DEEPEST, INDENT
from battlesim.viewer.wording import printable

WAIT = 15.0
"""Seconds that an answer from the page waits for its result; then the page asks again."""
SHOWN = 10.0
"""Seconds that the program waits, once the game is over, until a page has heard of it."""
LATER = 0.7
"""Seconds after that for other pages."""
POLICY = "frame-ancestors 'none'"
WAITING = b"""<!DOCTYPE html><html lang="en"><meta charset="utf-8"><meta http-equiv="refresh" content="1">
<link rel="icon" href="data:,"><title>battlesim</title><p>The battle begins in a moment.</p></html>"""
"""The page served before the first question. It names an empty icon: without one, a browser requests it and reports an error."""


class Given(Struct, forbid_unknown_fields=True):
    """The data that a page sends. `question`: the one it is about; `answer`: in text form, None for the most promising ones."""

    question: int
    answer: str | None = None


class Asked(NamedTuple):
    """The waiting question. `forms`: its answers in text form, `names`: in words."""

    number: int
    view: View
    answers: Sequence[Answer]
    forms: list[str]
    names: list[str]


class _Odds(NamedTuple):
    """A request for the odds of one answer by its number, -1 for the most promising ones. `said` takes (number, odds) of each."""

    number: int
    said: SimpleQueue[list[tuple[int, str]]]


class PagePlayer:
    """A person on a page. `phase`: waiting (the other side thinks, or nothing has begun), asked, over, left."""

    def __init__(self, scenario: Scenario) -> None:
        self._scenario = scenario
        self._changed = Condition()
        self._tasks: SimpleQueue[Answer | _Odds | None] = SimpleQueue()  # None: leave
        self._asked: Asked | None = None
        self._phase, self._result, self._version = "waiting", "", -1
        self._story: list[list[Any]] = []
        self._leaving = False
        self._html = b""
        self._state: dict[str, Any] = {"version": -1, "phase": "waiting"}  # nothing is known yet
        self._opened = False
        self._told = Event()  # a page has heard how the game ended

    # ---- the agent

    def start(self, board: Board, side: int, chance: Chance, brief: Brief | None = None) -> None:
        """As `Agent.start`."""
        assert brief is not None
        self._seat = Seat(self._scenario, board, side, brief)
        self._seen = Seen(board, brief.ruleset)

    def overhear(self, view: View) -> None:
        """Take in what the side has heard, without a question."""
        lines = self._seat.hear(view)
        with self._changed:
            self._seen.look(view)
            if not self._html:
                seat = self._seat
                self._html = play_page(seat.board, seat.brief, seat.side, self._seen.goals).encode()
            self._story += [[turn, *_depth(line)] for turn, line in lines]
            self._tell(view, None)

    def choose(self, view: View, ask: Ask, answers: Sequence[Answer]) -> Answer:
        """The answer of the person. Raises Leave if they leave."""
        self.overhear(view)
        names = self._seat.named(ask, answers)
        with self._changed:
            if self._leaving:
                raise Leave
            forms = [format_answer(answer) for answer in answers]
            self._asked, self._phase = Asked(view.number, view, answers, forms, names), "asked"
            self._tell(view, self._asked)
        while True:
            task = self._next()
            if task is None:
                raise Leave
            if not isinstance(task, _Odds):
                return task
            task.said.put(list(self._odds(task.number, view, ask, answers)))

    def _odds(
        self, number: int, view: View, ask: Ask, answers: Sequence[Answer]
    ) -> Iterator[tuple[int, str]]:
        wanted = [answers[number]] if number >= 0 else self._seat.promising(view, ask, answers)
        for answer in wanted:
            yield list(answers).index(answer), self._seat.odds(view, answer)

    def _next(self) -> Answer | _Odds | None:
        while True:
            try:
                return self._tasks.get(timeout=0.5)  # with a limit, so that Ctrl-C is heard on every system
            except Empty:
                continue

    def end(self, phase: str, result: str) -> None:
        """Report to the page how the game ended: `over` or `left`."""
        with self._changed:
            self._asked, self._phase, self._result = None, phase, result
            self._state |= {"phase": phase, "result": result, "question": None, "version": self._version + 1}
            self._version += 1
            self._changed.notify_all()

    def close(self) -> None:
        """The program ends: wait until the open pages have heard of it."""
        if self._phase not in ("over", "left"):
            self.end("left", "The game broke off; the terminal says why.")
        if self._opened and self._told.wait(SHOWN):
            Event().wait(LATER)

    def _tell(self, view: View, asked: Asked | None) -> None:
        """Make the state that pages read. The lock is held."""
        seat, seen = self._seat, self._seen
        question = None
        if asked is not None:
            rows = zip(asked.answers, asked.forms, asked.names, strict=True)
            question = {
                "number": asked.number,
                "about": getattr(view.ask, "unit", -1),
                "says": printable(_capital(seat.news.question(view.ask))),
                "answers": [
                    {"form": form, "says": name, **seen.target(answer)} for answer, form, name in rows
                ],
            }
        self._version += 1
        self._state = {
            "version": self._version,
            "phase": self._phase,
            "turn": view.turn,
            "points": list(view.points),
            "question": question,
            "story": self._story,
            "rows": [
                [[printable(cell) for cell in row] for row in seat.units(view, side)] for side in (0, 1)
            ],
            "goals": [goal_says(goal, seat.brief.sides) for goal in seen.found],
            "result": self._result,
            **seen.data(),
        }
        self._changed.notify_all()

    # ---- what the server offers

    def pages(self) -> dict[str, Callable[[], Page]]:
        """What the server offers, by path."""
        return {"": self._page, "version.json": self._version_page, "state.json": self._state_page}

    def takers(self) -> dict[str, Callable[[bytes], Page]]:
        """What the server takes from the page, by path."""
        return {"answer": self._take_answer, "odds": self._take_odds, "leave": self._take_leave}

    def _page(self) -> Page:
        with self._changed:
            return Page("text/html; charset=utf-8", self._html or WAITING, POLICY)

    def _version_page(self) -> Page:
        with self._changed:
            return _json({"version": self._version})

    def _state_page(self) -> Page:
        with self._changed:
            return _json(self._now())

    def _now(self) -> dict[str, Any]:
        """The state, about to be sent. The lock is held."""
        self._opened = True
        if self._phase in ("over", "left"):
            self._told.set()
        return self._state

    def _refused(self, status: HTTPStatus, why: str) -> Page:
        with self._changed:
            return _json({"error": why, "state": self._now()}, status)

    def _given(self, said: bytes) -> tuple[Given, Asked] | Page:
        """What a page sent about the waiting question; else the response to it. The lock is held."""
        try:
            given = msgspec.json.decode(said, type=Given)
        except (msgspec.DecodeError, RecursionError):
            return self._refused(HTTPStatus.BAD_REQUEST, "This is not an answer of this page.")
        asked = self._asked
        if asked is None or given.question != asked.number:
            why = "This question is no longer asked: it was answered before, perhaps on another page."
            return self._refused(HTTPStatus.CONFLICT, why)
        if given.answer is not None and given.answer not in asked.forms:
            return self._refused(HTTPStatus.BAD_REQUEST, "This is not one of the legal answers.")
        return given, asked

    def _take_answer(self, said: bytes) -> Page:
        """Give the answer, and wait a while for its result."""
        with self._changed:
            found = self._given(said)
            if isinstance(found, Page):
                return found
            given, asked = found
            if given.answer is None:
                return self._refused(HTTPStatus.BAD_REQUEST, "An answer is missing.")
            self._asked, self._phase = None, "waiting"
            self._version += 1
            self._state = {**self._state, "phase": "waiting", "question": None, "version": self._version}
            self._tasks.put(asked.answers[asked.forms.index(given.answer)])
            self._changed.wait_for(lambda: self._phase != "waiting", WAIT)
            return _json({"state": self._now()})

    def _take_odds(self, said: bytes) -> Page:
        with self._changed:
            found = self._given(said)
            if isinstance(found, Page):
                return found
            given, asked = found
            number = -1 if given.answer is None else asked.forms.index(given.answer)
            task = _Odds(number, SimpleQueue())
            self._tasks.put(task)
        try:
            return _json({"odds": task.said.get(timeout=4 * WAIT)})
        except Empty:
            return self._refused(HTTPStatus.SERVICE_UNAVAILABLE, "The odds take too long.")

    def _take_leave(self, said: bytes) -> Page:
        """Leave the game; while the other side thinks, at the next question."""
        with self._changed:
            if self._phase in ("over", "left"):
                return self._refused(HTTPStatus.CONFLICT, "The game has ended.")
            self._leaving = True
            if self._asked is not None:
                self._asked, self._phase = None, "waiting"
                self._tasks.put(None)
            self._changed.wait_for(lambda: self._phase in ("over", "left"), WAIT)
            return _json({"state": self._now()})


def _json(value: Any, status: HTTPStatus = HTTPStatus.OK) -> Page:
    return Page("application/json", msgspec.json.encode(value), status=status)


def _depth(line: str) -> tuple[int, str]:
    """How far a line of the story is indented, and its text."""
    text = line.lstrip()
    return min(DEEPEST, (len(line) - len(text)) // len(INDENT)), text


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


@contextmanager
def offered(player: PagePlayer, port: int) -> Iterator[None]:
    """Offer the page of a player while the block plays. Raises InputError if the port is not available."""
    try:
        server = Loopback(player.pages(), port, player.takers())
    except OSError as error:
        remedy = "give another one, or leave it out"
        raise InputError(Fault(f"--port {port}: {error.strerror}", remedy)) from None
    with server:
        thread = Thread(target=server.run, daemon=True)
        thread.start()
        print(
            f"Play at {server.address}\nOnly this machine can open it. Ctrl-C saves and ends it.",
            file=sys.stderr,
            flush=True,
        )
        try:
            yield
        finally:
            player.close()
            server.stop()
            thread.join()
