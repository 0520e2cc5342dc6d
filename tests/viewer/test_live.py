"""What a side hears while a battle is played, against the story of the whole battle."""

from __future__ import annotations

from collections import Counter

import pytest

from battlesim import play
from battlesim.engine.game import header_of, seeds_of
from battlesim.engine.header import Limits, Player
from battlesim.engine.record import parse_record
from battlesim.search.continuation import Continuation
from battlesim.viewer.insight import Insight, insight_of
from battlesim.viewer.live import News, known_start
from battlesim.viewer.story import Story
from tests.shipped import load


@pytest.mark.parametrize(
    ("name", "seed"), [("stairwell", 5), ("square", 5), ("outpost", 5), ("watch-house", 5)]
)
def test_a_side_hears_every_sentence_of_its_story_from_the_first_event_on(name: str, seed: int) -> None:
    """Also what came before its first question, and how units came that it had not seen before."""
    scenario = load(name)
    record = parse_record(play(scenario, ("greedy", "greedy"), seed).record(), "x")
    heads = (Player("", ""), Player("", ""))
    news: dict[int, News] = {}
    heard: tuple[list[str], list[str]] = ([], [])
    for battle in Continuation(record).battles():
        assert battle.question is not None
        side = battle.question.side
        view = battle.view(side)
        if side not in news:
            header = header_of(scenario, seeds_of(0), heads, Limits(), known_start(view))
            news[side] = News(header, scenario.board)
        heard[side].extend(line.strip() for _, line in news[side].lines(view))
    insight = insight_of(record) if name == "outpost" else Insight()  # elsewhere nothing is hidden
    for side in (0, 1):
        heard[side].extend(line.strip() for _, line in news[side].lines(battle.view(side)))
        told = list(insight.told[side].values())
        if not told:
            story = Story(record.header)
            told = [[*story.read(event)] for event in record.events] + [[*story.close()]]
        lines = Counter(str(one).strip() for sentences in told for one in sentences)
        moves = {line for line in lines if " from " in line and (" moves " in line or " move " in line)}
        assert moves
        assert moves <= set(heard[side])
        assert (
            lines - Counter(heard[side])
        ).total() <= 3  # without causes, dice may stand beside another sentence
