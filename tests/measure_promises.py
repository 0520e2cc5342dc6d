"""Is what the briefings promise what happens? A Markdown table: each promise, and in how many games it occurs.

    python -m tests.measure_promises                        # greedy, 60 games a scenario: some five minutes on two cores
    python -m tests.measure_promises --scenario bastion --games 100

A promise is a few words of the briefing and a test of a game. What a briefing only describes (who holds what, what counts how
much) is none. A promise is kept if it occurs in at least a third of the games. Read `PROMISES`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from fnmatch import fnmatchcase
from functools import partial
from multiprocessing import get_context
from typing import NamedTuple

from battlesim import play, shipped_scenarios
from battlesim.core.events import Fact, Placed, Scored, StructureSet
from battlesim.engine.game import Game
from battlesim.rulesets.finder import find_ruleset
from tests.measure_agents import games_on

KEPT = 1 / 3
"""The least share of games in which a promise has to occur."""


class Deed(NamedTuple):
    """A fact as an act: its class, the names of who did it to whom, and of the spaces on which both stood."""

    kind: str
    by: str
    whom: str
    place: str
    at: str


class Tale:
    """What happened in a game, by name: deeds, spaces that somebody moved to, sections that fell or burnt, points scored."""

    def __init__(self, game: Game) -> None:
        board = game.scenario.board
        spaces = {-1: ""} | {number: space.name for number, space in enumerate(board.spaces)}
        start = find_ruleset(game.header.ruleset.name).codec.load(game.header.start)
        where = {number: unit.place for number, unit in start.units.items()}
        name = {-1: ""} | {number: unit.name for number, unit in start.units.items()}
        self.deeds: set[Deed] = set()
        self.entered: set[str] = set()
        self.fallen: set[str] = set()
        self.burnt: set[str] = set()
        self.points: set[tuple[int, str]] = set()
        for event in game.log:
            if isinstance(event, Placed):
                where[event.unit] = event.place
                self.entered.add(spaces[event.place])
            elif isinstance(event, StructureSet):
                section = board.sections[event.section].name
                self.fallen |= {section} if event.fallen else set()
                self.burnt |= {section} if event.burning else set()
            elif isinstance(event, Scored):
                self.points.add((event.side, event.what))
            elif isinstance(event, Fact):
                who = getattr(event, "unit", -1)
                whom = getattr(event, "target", getattr(event, "other", -1))
                here, there = spaces[where.get(who, -1)], spaces[where.get(whom, -1)]
                self.deeds.add(Deed(type(event).__name__, name[who], name[whom], here, there))

    def did(self, kind: str, by: str = "*", whom: str = "*", place: str = "*", at: str = "*") -> bool:
        """Whether there was such a deed; all are patterns."""
        wanted = (kind, by, whom, place, at)
        return any(all(map(fnmatchcase, deed, wanted)) for deed in self.deeds)


class Promise(NamedTuple):
    """Words of a briefing, and whether a game keeps them."""

    words: str
    kept: Callable[[Tale], bool]


def fell(*sections: str) -> Callable[[Tale], bool]:
    """Whether one of these sections fell; they are patterns."""
    return lambda tale: any(fnmatchcase(one, wanted) for one in tale.fallen for wanted in sections)


def entered(space: str) -> Callable[[Tale], bool]:
    """Whether somebody moved to such a space."""
    return lambda tale: any(fnmatchcase(one, space) for one in tale.entered)


def scored(what: str) -> Callable[[Tale], bool]:
    """Whether a side scored an objective."""
    return lambda tale: any(name == what for _, name in tale.points)


def did(kind: str, by: str = "*", whom: str = "*", place: str = "*", at: str = "*") -> Callable[[Tale], bool]:
    """As `Tale.did`."""
    return lambda tale: tale.did(kind, by, whom, place, at)


PROMISES: dict[str, tuple[Promise, ...]] = {
    "bastion": (
        Promise("the howitzer drops shells", did("Lobbed", by="Legion howitzer")),
        Promise("open a wall", did("Breached", by="Legion *")),
    ),
    "border-keep": (
        Promise("From the tower two ranks shoot", did("Shot", place="keep.tower:*")),
        Promise("each a room to be held by itself", entered("keep.tower:2")),
    ),
    "breakthrough": (
        Promise("bring it down on them", fell("school.north")),
        Promise("all that leaves the map in the east", did("LeftTheMap")),
    ),
    "bunker-line": (
        Promise("one barrage", did("Barrage")),
        Promise("one air strike", did("AirStrike")),
        Promise("brings the roof down", did("Collapsed")),
    ),
    "district": (Promise("Nobody minds any more what is left standing", fell("*")),),
    "drones": (
        Promise("whom it runs into", did("RunsInto")),
        Promise("damage to them is ignored", did("Ignored")),
    ),
    "firebreak": (
        Promise("Timber town will burn", did("CatchesFire")),
        Promise("fight for ashes", did("BurntOut")),
    ),
    "heavy-armour": (
        Promise("through the houses", did("DrivesInto")),
        Promise("aircraft to call on", did("AirStrike")),
        Promise("Every tank that burns counts three", scored("the heavy tanks")),
        Promise("every one that is through", scored("through the village")),
    ),
    "helsinki-platoons": (Promise("both sides want it", entered("ateneum.*")),),
    "helsinki-quarter": (
        Promise("storm groups and engineers to clear houses", did("Assault", by="* storm group *")),
        Promise("the great stair of the Ateneum", entered("ateneum.[67]:*")),
    ),
    "monastery": (
        Promise("wait for the walls to shake", did("Unstable")),
        Promise("shoots over everything", did("Shot", by="the belfry bows")),
    ),
    "outpost": (
        Promise("whoever fires from a window may be found", did("Detected")),
        Promise("the timber of the guardhouse does not", fell("guardhouse.*")),
    ),
    "ridge-in-rain": (
        Promise("which wall goes next", did("WorkDestroyed")),
        Promise("has one warhead", did("Nuclear")),
    ),
    "silo": (
        Promise("Bring tower and pump house down", fell("silo.tower", "pump-house.*")),
        Promise("take the silo floor by floor", did("Assaults")),
        Promise("a battery on the telephone", did("Bombards", by="Grenadiers observers")),
        Promise("Those inside when a wall goes", did("Buried")),
    ),
    "skirmish": (Promise("whoever sits in it alone at the end", scored("the farm")),),
    "square": (
        Promise("counts who was last alone in each house", scored("the town hall")),
        Promise("What cannot be stormed can be pulled down", fell("*.wing")),
    ),
    "stairwell": (
        Promise(
            "a side's officer is worth a stairwell",
            lambda tale: any("officer" in what for _, what in tale.points),
        ),
        Promise(
            "Whoever holds both stairwells", lambda tale: any("stairwell" in what for _, what in tale.points)
        ),
    ),
    "tobacco-armour": (
        Promise("make doors where there are none", did("Breached")),
        Promise("lights the rooms next door two turns later", did("FireSpreads")),
    ),
    "tobacco-factory": (
        Promise("a heavy howitzer to bring walls down", fell("factory.*")),
        Promise("a team with flamethrowers", did("Shot", by="Guards flamethrower", at="factory.*")),
        Promise("a mortar to keep heads down", did("Shelled", by="Guards mortar")),
    ),
    "tobacco-factory-hex": (Promise("the chimney house by the eastern wall first", fell("chimney-house.*")),),
    "tobacco-factory-regiments": (
        Promise("a chest of fire", did("Fires", by="the fire chest")),
        Promise("whoever breaks into one fights for the next", did("BreaksIn")),
    ),
    "village": (
        Promise("every corner of it can kill a tank", did("KnockedOut")),
        Promise("a lorry with", did("Arrived", by="lorry")),
        Promise("a heavy tank on their way", did("Arrived", by="heavy tank")),
    ),
    "village-armour": (
        Promise("what hides in a house with a hammerhead", did("Volley", by="* hammerhead", place="*.*:*")),
        Promise("wear down shot by shot", did("PointsLost")),
    ),
    "village-regiments": (
        Promise("fight for church", entered("church.*")),
        Promise("horse in the fields", did("Charged", by="* lances")),
        Promise("foot from house to house", did("Charged", at="*.*:*")),
    ),
    "watch-house": (
        Promise("whoever gets there first", entered("watch-house.*")),
        Promise("the hut is quickly taken", entered("hut.*")),
        Promise("Units destroyed", did("CaughtInside")),
    ),
}
"""The promises of each shipped scenario."""


def kept(scenario: str, agent: str, seed: int) -> list[bool]:
    """Which promises one game keeps."""
    tale = Tale(play(scenario, (agent, agent), seed=seed))
    return [promise.kept(tale) for promise in PROMISES[scenario]]


def rows(scenario: str, games: Sequence[Sequence[bool]]) -> list[str]:
    """The rows of a scenario, as Markdown."""
    found = []
    for promise, each in zip(PROMISES[scenario], zip(*games, strict=True), strict=True):
        share = sum(each) / len(each)
        found.append(
            f"| {scenario} | {promise.words} | {len(each)} | {share:.0%}{'' if share >= KEPT else ' (no)'} |"
        )
    return found


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=60)
    parser.add_argument("--scenario", action="append", help="only this one (may be repeated)")
    parser.add_argument("--agent", default="greedy")
    parser.add_argument("--workers", type=int, default=2)
    args = parser.parse_args()
    if args.games < 1:
        parser.error("give --games of 1 or more")
    print("| scenario | the briefing says | games | occurs in |\n| --- | --- | --: | --: |", flush=True)
    with ProcessPoolExecutor(args.workers, mp_context=get_context("spawn")) as pool:
        for name in args.scenario or shipped_scenarios():
            played = list(pool.map(partial(kept, name, args.agent), range(games_on(name, args.games))))
            print("\n".join(rows(name, played)), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
