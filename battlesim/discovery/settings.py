"""The settings of a search: a TOML file, or flags. Read `DiscoverySettings`.

# discover.toml
scenarios = ["stairwell"]            # of the training
select_on = ["skirmish"]             # scenarios that choose the best; by default those of the training
confirm_on = ["tobacco-factory"]     # scenarios that choose nothing; by default those of the training
axes = ["inside", "movement"]
rules = 2                            # tactics of a plan, at most
games = 4000
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

from pydantic import Field as Setting

from battlesim.batch.inputs import pin_agent
from battlesim.batch.settings import Contradiction, Settings
from battlesim.core.errors import Fault, InputError
from battlesim.discovery.behaviour import AXES, BINS
from battlesim.discovery.contrasts import parted, plan_of
from battlesim.discovery.field import CHARACTERS, CONFIRMATION, SELECTION, TRAINING, Ground
from battlesim.discovery.genome import PLAYER, Genome, SearchSpace
from battlesim.discovery.search_cases import Part
from battlesim.engine.card_agents import agent_of_card
from battlesim.engine.roster import find_agent
from battlesim.rulesets.finder import RULESETS, find_ruleset
from battlesim.scenario.load import load_scenario, scenario_path

CELLS = 100_000
"""The most cells of an archive."""


class DiscoverySettings(Settings):
    """A search for ways of fighting. `games`: of the training; `select`: selection cases of each elite; `confirm`: confirmation
    cases, and duels, of each of the `best`. `against`: opponents, instead of the usual ones. `begin`: the way of fighting that
    the search begins from. `rules`: tactics of a plan, at most; a search for one strong player keeps the plan of `begin`."""

    scenarios: tuple[str, ...] = Setting(min_length=1)
    select_on: tuple[str, ...] = ()
    confirm_on: tuple[str, ...] = ()
    against: tuple[str, ...] = ()
    begin: str = "doctrine"
    aim: Literal["map", "win"] = "map"
    axes: tuple[str, ...] = ("inside", "movement")
    bins: int = Setting(default=BINS, ge=2, le=100)
    emitters: tuple[Literal["mutation", "cma", "cma-mae"], ...] = Setting(default=("mutation",), min_length=1)
    rules: int = Setting(default=2, ge=0, le=8)
    games: int = Setting(default=4000, ge=1, le=100_000_000)
    select: int = Setting(default=40, ge=2, le=100_000)
    confirm: int = Setting(default=100, ge=2, le=100_000)
    best: int = Setting(default=3, ge=1, le=100)
    league: int = Setting(default=0, ge=0, le=50)
    seed: int = Setting(default=1, ge=-(2**63), lt=2**63)
    shuffled: bool = False

    @property
    def grounds(self) -> dict[Part, Ground]:
        """Scenarios and opponents of the parts."""
        selection, confirmation = self.select_on or self.scenarios, self.confirm_on or self.scenarios
        return {
            "training": Ground(self.scenarios, self.against or TRAINING),
            "selection": Ground(selection, self.against or SELECTION),
            "confirmation": Ground(confirmation, self.against or CONFIRMATION),
        }

    @property
    def every_scenario(self) -> tuple[str, ...]:
        """The scenarios of all parts, each once."""
        return tuple(dict.fromkeys((*self.scenarios, *self.select_on, *self.confirm_on)))


def contradictions(asked: DiscoverySettings) -> Iterator[Contradiction]:
    """Faults of settings whose values are valid one by one."""
    unknown = [name for name in asked.axes if name not in AXES]
    if unknown:
        yield "axes", f"there is no axis {unknown[0]!r}", f"known: {', '.join(AXES)}"
    elif not 2 <= len(asked.axes) <= 4 or len(set(asked.axes)) != len(asked.axes):
        yield "axes", f"the axes {', '.join(asked.axes)} are not usable", "give two to four different ones"
    elif asked.bins ** len(asked.axes) > CELLS:
        cells = asked.bins ** len(asked.axes)
        yield (
            "bins",
            f"{asked.bins} bins of each of {len(asked.axes)} axes are {cells} cells",
            f"{CELLS} is most",
        )
    if asked.aim == "win" and asked.emitters != ("mutation",):
        yield (
            "emitters",
            "emitters fill a map, and the aim is to win",
            "leave them out, or let the aim be a map",
        )
    if asked.league and asked.shuffled:
        yield "shuffled", "a league of games that a coin decides has no order", "leave out one of the two"
    for name in ("scenarios", "select_on", "confirm_on", "against", "emitters"):
        given = getattr(asked, name)
        if len(set(given)) != len(given):
            yield name, "one is named twice", "name each once"


def wanted(asked: DiscoverySettings) -> Iterator[Contradiction]:
    """The same, and given settings that would do nothing. A search that was begun keeps all its settings as given, so it is
    checked for `contradictions` alone."""
    yield from contradictions(asked)
    given = asked.model_fields_set
    if asked.aim == "win":
        for name, why in (("rules", "players keep the plan of begin"), ("bins", "there is no map")):
            if name in given:
                yield name, f"it does nothing where the aim is to win: {why}", "leave it out"
    if asked.league and "best" in given:
        yield "best", "it does nothing in a league: each search gives one response", "leave it out"


def placed(asked: DiscoverySettings, folder: Path) -> DiscoverySettings:
    """The same with paths of scenarios and agents that are valid from any folder; before, they are relative to `folder`. A card
    that the search begins from is replaced by its player. Raises InputError for a name that no scenario or agent has."""

    def path(name: str) -> str:
        is_path = str(scenario_path(name)) == str(Path(name))
        return str((folder / name).resolve()) if is_path else name

    names = ("scenarios", "select_on", "confirm_on")
    changed: dict[str, Any] = {name: tuple(map(path, getattr(asked, name))) for name in names}
    changed["against"] = tuple(pin_agent(name, folder).load for name in asked.against)
    changed["begin"] = agent_of_card(asked.begin, folder)  # the player itself: its run may be deleted
    return asked.model_copy(update=changed)


def space_of(asked: DiscoverySettings) -> tuple[SearchSpace, str]:
    """The space to search, with its starting point, and the rulebook. Raises InputError if the scenarios have several rulebooks,
    an axis is about an order that the rulebook lacks, or an opponent cannot be found."""
    rulesets = sorted({load_scenario(name).ruleset for name in asked.every_scenario})
    if len(rulesets) > 1:
        raise InputError(
            Fault(f"the scenarios are of {', '.join(rulesets)}", "search one rulebook at a time")
        )
    _check_orders(asked.axes, rulesets[0])
    for ground in asked.grounds.values():
        for opponent in ground.opponents:
            find_agent(opponent)
    space = SearchSpace.of(rulesets[0])
    return space.around(genome_of(space, rulesets[0], asked.begin)), rulesets[0]


def _check_orders(axes: Sequence[str], ruleset: str) -> None:
    """Raises InputError for the share of an order that the rulebook lacks: it would always be 0. An installed rulebook need not
    list orders that have their usual name."""
    if ruleset not in RULESETS:
        return
    known = [f"order-{name}" for name in dict.fromkeys(find_ruleset(ruleset).tactical.orders.values())]
    for axis in axes:
        if axis.startswith("order-") and axis not in known:
            what = (
                f"{ruleset} has no order {axis.removeprefix('order-')!r}: the axis {axis} would always be 0"
            )
            raise InputError(Fault(what, f"give one of {', '.join(known)}"))


def genome_of(space: SearchSpace, ruleset: str, name: str) -> Genome:
    """The genome of an agent of the space: `doctrine` with parameters and perhaps a character, with or without a plan, or a card
    of such a player. Raises InputError if it is not one."""
    agent = agent_of_card(name)
    base, _ = parted(agent)
    player, *words = base.split(",")
    numbers = [word for word in words if word.partition("=")[0] not in ("character", "strength")]
    if player != PLAYER or numbers == words:
        return space.parse(agent)
    space.parse(
        ",".join([PLAYER, *numbers])
    )  # refuses parameters that the rulebook lacks, which doctrine would ignore
    made: Any = find_agent(base).make()
    said: dict[str, float] = made.settings_for(ruleset)
    values = tuple(said.get(gene.name, gene.usual) for gene in space.genes)
    return space.clip(Genome(values, plan_of(agent)))


def written_by_hand(space: SearchSpace, ruleset: str) -> dict[str, Genome]:
    """The ways of fighting that are written by hand: `doctrine` as it is, and its characters."""
    found = {"doctrine": Genome(tuple(gene.usual for gene in space.genes))}
    for character in CHARACTERS:
        name = f"doctrine,character={character}"
        found[name] = genome_of(space, ruleset, name)
    return found
