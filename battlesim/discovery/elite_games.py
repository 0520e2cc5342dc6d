"""A game of each elite to watch: the one in the middle of its selection, not a flattering one. Read `games_of`.

records/elite-3.jsonl.gz   the game of elite 3, played again and recorded
watch/elite-3.html         its replay page, for the elites that are listed first and those that were confirmed
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from shlex import quote

from msgspec import Struct

from battlesim.batch.inputs import pin_agent, pinned_agent
from battlesim.core.dice import derive_seed
from battlesim.discovery.run import Discovery
from battlesim.discovery.settings import DiscoverySettings
from battlesim.engine.game import play
from battlesim.engine.record_file import write_bytes
from battlesim.scenario.load import load_scenario

RECORDS, PAGES = "records", "watch"


class EliteGame(Struct, frozen=True):
    """A game to watch of elite `number`, which plays `side`; `agents`: of the scenario's first and second side."""

    number: int
    scenario: str
    sides: tuple[str, str]
    side: str
    agents: tuple[str, str]
    seed: int

    @property
    def record(self) -> str:
        """Its record, in the run's folder."""
        return f"{RECORDS}/elite-{self.number}.jsonl.gz"

    @property
    def page(self) -> str:
        """Its replay page, in the run's folder."""
        return page_of(self.number)

    @property
    def command(self) -> str:
        """The command that plays it again."""
        pairs = zip(self.sides, self.agents, strict=True)
        flags = " ".join(f"--agent {quote(f'{side}={agent}')}" for side, agent in pairs)
        return f"battlesim play {quote(self.scenario)} {flags} --seed {self.seed}"


def page_of(number: int) -> str:
    """The replay page of an elite's game, in the run's folder."""
    return f"{PAGES}/elite-{number}.html"


def games_of(asked: DiscoverySettings, found: Discovery) -> Iterator[EliteGame]:
    """The median game of every elite that was measured again, by score, then by points. Every second elite is shown as the second
    side."""
    ground = asked.grounds["selection"]
    for number, one in enumerate(found.elites, 1):
        if one.middle < 0:
            continue
        scenario, opponent = ground.case(one.middle)
        sides = load_scenario(scenario).sides
        leg = number % 2
        agents = (opponent, one.agent) if leg else (one.agent, opponent)
        seed = derive_seed(asked.seed, "selection", one.middle)
        yield EliteGame(number, scenario, (sides[0].name, sides[1].name), sides[leg].name, agents, seed)


def write_games(asked: DiscoverySettings, found: Discovery, folder: Path) -> list[EliteGame]:
    """Play them again, and write the records that are not there yet. Raises InputError if one cannot be written."""
    made = list(games_of(asked, found))
    for one in made:
        path = folder / one.record
        if not path.is_file():
            first, second = (pinned_agent(pin_agent(name)) for name in one.agents)
            game = play(load_scenario(one.scenario), (first, second), one.seed)
            path.parent.mkdir(exist_ok=True)
            write_bytes(path, game.record())
    return made
