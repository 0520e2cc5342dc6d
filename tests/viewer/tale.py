"""A story beside the events that it tells. Read `read_game`."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from battlesim import Game
from battlesim.engine.header import Header
from battlesim.viewer.story import Sentence, Story, _parts, _plain

NOUNS = frozenset(
    (
        "archers",
        "axes",
        "bows",
        "brothers",
        "apprentices",
        "bondsmen",
        "distorters",
        "engineers",
        "guards",
        "guns",
        "halberds",
        "harpies",
        "hunters",
        "javelins",
        "knights",
        "lances",
        "marksmen",
        "men",
        "observers",
        "ogres",
        "riders",
        "rifles",
        "ringers",
        "sappers",
        "spears",
        "swords",
        "trolls",
        "woodcutters",
        "zealots",
    )
)
"""Words in the plural that units are named after."""
SIDES = frozenset(
    [
        "Barons-Men",
        "Brothers",
        "Grenadiers",
        "Greys",
        "Guards",
        "Raiders",
        "Rangers",
        "Ravens",
        "Reds",
        "Sailors",
        "Wolves",
    ]
)
"""Sides whose names are in the plural."""
PLACES = re.compile(r"\b[\w.\-]+, (?:ground floor|floor \d+)|\bg\d+\.\d+|the ruins of [\w.\-]+")


@dataclass
class Tale:
    """A story's lines, and the battle as its events have it."""

    header: Header
    lines: list[Sentence]
    events: list[Any]
    roots: list[int]
    names: dict[int, str]
    sides: dict[int, int]
    models: dict[int, dict[int, int]] = field(
        default_factory=dict
    )  # by event told: models of each unit before it
    places: dict[int, dict[int, int]] = field(default_factory=dict)  # by event told: where each unit stood

    def with_line(self, at: int, **changes: Any) -> Tale:
        """The same tale with one line changed, to plant a fault."""
        lines = list(self.lines)
        lines[at] = lines[at]._replace(**changes)
        return replace(self, lines=lines)

    def find(self, wanted: Callable[[Sentence], bool]) -> int:
        return next(n for n, line in enumerate(self.lines) if wanted(line))

    def parts(self, number: int) -> tuple[str, dict[str, Any]]:
        return _parts(self.events[number])

    def plain_text(self, text: str) -> str:
        """A sentence without names, whose numbers and nouns are not the story's."""
        return PLACES.sub("P", self._names.sub("N", text))

    @cached_property
    def _names(self) -> re.Pattern[str]:
        named = {*self.names.values(), *self.header.sections, *self.header.sides}
        return re.compile("|".join(map(re.escape, sorted(named, key=len, reverse=True))), re.I)


def read_game(game: Game) -> Tale:
    story = Story(game.header)
    start = story.state
    tale = Tale(
        game.header,
        [],
        [_plain(event) for event in game.log],
        [],
        {unit.id: unit.name for unit in start.units.values()},
        {unit.id: unit.side for unit in start.units.values()},
    )
    for number, event in enumerate(game.log):
        before = {u.id: u.models for u in story.state.units.values()}
        where = {u.id: u.place for u in story.state.units.values()}
        told = list(story.read(event))
        tale.lines += told
        tale.roots.append(story._root[number])
        if told:
            tale.models[number], tale.places[number] = before, where
    tale.lines += story.close()
    return tale
