"""A battle told while it is played. Read `live_story`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from battlesim.engine.battle import Battle, Question
    from battlesim.engine.game import Game
    from battlesim.engine.record import Limits
    from battlesim.engine.roster import Entrant
    from battlesim.rules.scenario import Scenario


def live_story(
    scenario: Scenario,
    entrants: Sequence[Entrant],
    seed: int,
    limits: Limits | None = None,
    say: Callable[[str], None] = print,
    wait: Callable[[int], None] = lambda turn: None,
) -> Game:
    """Play a battle and tell it line by line as it happens, as `replay` tells its record. `wait` is called with each turn's
    number when that turn is about to begin."""
    from battlesim.core.codec import dump_state
    from battlesim.engine.game import header_of, play, seeds_of
    from battlesim.engine.record import Limits, Player
    from battlesim.scenario.load import first_state
    from battlesim.viewer.story import Story

    limits = limits or Limits()
    one, two = (Player(entrant.name, entrant.digest) for entrant in entrants)
    start = dump_state(first_state(scenario, seed))
    story = Story(header_of(scenario, seeds_of(seed), (one, two), limits, start))
    told = turn = 0
    for line in story.heading():
        say(line)

    def listener(battle: Battle, question: Question) -> None:
        nonlocal told, turn
        events = battle.log[told:]
        told += len(events)
        for line in story.tell(events):
            say(line)
        if battle.state.turn != turn:
            turn = battle.state.turn
            wait(turn)

    game = play(scenario, entrants, seed, limits, listener)
    for line in (*story.tell(game.log[told:]), *story.rest()):
        say(line)
    return game
