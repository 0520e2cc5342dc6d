"""A game with a person on a page, and a client that talks with its server as the page does. Read `table`, then `Talk`."""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from threading import Thread
from typing import Any

from battlesim.cli.human import seated
from battlesim.cli.loopback import Loopback
from battlesim.cli.page_player import PagePlayer
from battlesim.cli.seat import Telling
from battlesim.core.answers import Answer
from battlesim.core.items import Ask
from battlesim.core.view import View
from battlesim.engine.game import Game, play
from battlesim.engine.roster import find_agent
from tests.shipped import load


class Noting(PagePlayer):
    """A person on a page, who notes which units the side has ever been shown."""

    def __init__(self, scenario: Any) -> None:
        super().__init__(scenario)
        self.known: set[int] = set()

    def overhear(self, view: View) -> None:
        self.known |= set(view.units)
        super().overhear(view)

    def choose(self, view: View, ask: Ask, answers: Sequence[Answer]) -> Answer:
        self.known |= set(view.units)
        return super().choose(view, ask, answers)


class Talk:
    """Talks with a page's server as the page does."""

    def __init__(self, port: int, token: str) -> None:
        self.port, self.token = port, token
        self.bodies: list[bytes] = []

    def ask(
        self, what: str, body: Any = None, method: str = "", headers: dict[str, str] | None = None
    ) -> tuple[int, bytes]:
        data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        heads = {"Content-Type": "application/json"} if data is not None else {}
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=600)) as connection:
            method = method or ("GET" if data is None else "POST")
            connection.request(
                method, f"/{self.token}/{what}", body=data, headers={**heads, **(headers or {})}
            )
            answer = connection.getresponse()
            self.bodies.append(answer.read())
            return answer.status, self.bodies[-1]

    def get(self, what: str) -> Any:
        status, body = self.ask(what)
        assert status == 200
        return json.loads(body)

    def asked(self) -> dict[str, Any]:
        """The state once a question is asked, or the battle is over."""
        while (state := self.get("state.json"))["phase"] == "waiting":
            pass
        found: dict[str, Any] = state
        return found

    def give(self, state: dict[str, Any], number: int = 0) -> dict[str, Any]:
        """Give an answer by its number; the state that follows."""
        rows = state["question"]["answers"]
        body = {"question": state["question"]["number"], "answer": rows[number % len(rows)]["form"]}
        status, said = self.ask("answer", body)
        assert status == 200
        found = json.loads(said)["state"]
        return self.asked() if found["phase"] == "waiting" else found


@contextmanager
def table(
    name: Any, side: int = 0, enemy: str = "greedy", seed: int = 4
) -> Iterator[tuple[Talk, Noting, list[Game]]]:
    """A game with a person on a page, played in a thread of its own; the list holds the game once it is over."""
    scenario = load(name) if isinstance(name, str) else name
    player = Noting(scenario)
    entrants = [find_agent(enemy), find_agent(enemy)]
    entrants[side] = seated(player)
    games: list[Game] = []

    def whole() -> None:
        telling = Telling({side: player})
        try:
            games.append(play(scenario, entrants, seed, listener=telling))
        except KeyboardInterrupt:
            player.end("left", "left")
            return
        telling.end()
        player.end("over", "over")

    with Loopback(player.pages(), 0, player.takers()) as server:
        threads = [Thread(target=server.run), Thread(target=whole)]
        for thread in threads:
            thread.start()
        talk = Talk(server.port, server.token)
        try:
            yield talk, player, games
        finally:
            player._take_leave(b"{}")
            threads[1].join(60)
            server.stop()
            threads[0].join()


def pattern() -> Iterator[int]:
    """Numbers of answers to give, without end."""
    while True:
        yield from (0, 1, 0, 0, 1)
