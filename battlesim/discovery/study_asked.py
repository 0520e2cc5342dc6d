"""The settings of a study of tactics, and what its phases compare. Read `Asked`."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from battlesim.core.errors import Fault, InputError
from battlesim.discovery.acts import is_possible
from battlesim.discovery.contrasts import Contrast
from battlesim.discovery.intervention import Effect
from battlesim.discovery.mining import Association
from battlesim.discovery.tactic import Tactic, parse_tactic
from battlesim.engine.roster import find_agent
from battlesim.scenario.load import load_scenario

PHASES = ("mining", "trials", "confirmation", "responses", "transfer")
"""`mining`: varied players. `trials`: each candidate always and never. `confirmation`: those that did well, with other dice.
`responses`: other players against each confirmed tactic. `transfer`: the best response again, and each confirmed tactic in the
other scenarios."""

BUILDINGS = 3
"""Candidates about buildings, unless the settings say otherwise."""


class Asked(Struct, frozen=True, forbid_unknown_fields=True):
    """The settings of a study.

    `tactics`: try these instead of mining for some. `base`: the player that tactics are added to. `pairs`: of varied players, in
    each scenario. `candidates`: the number tried in each scenario, of which `buildings` are about buildings. `tried`,
    `confirmed`, `answered`, `moved`: seeds of a candidate's trials, of its confirmation, of each possible response, and of each
    other scenario; both sides are played with each. `keep`: the most candidates of a scenario that are tried again. `elsewhere`:
    scenarios in which nothing is mined; confirmed tactics are played there, too.
    """

    scenarios: tuple[str, ...]
    tactics: tuple[str, ...] = ()
    base: str = "greedy"
    seed: int = 1
    pairs: int = 120
    candidates: int = 12
    buildings: int = BUILDINGS
    tried: int = 16
    keep: int = 5
    confirmed: int = 60
    answered: int = 8
    moved: int = 12
    elsewhere: tuple[str, ...] = ()

    @property
    def places(self) -> tuple[str, ...]:
        """All scenarios in which a confirmed tactic is played."""
        return (*self.scenarios, *self.elsewhere)


LEAST = {"pairs": 20, "candidates": 1, "tried": 6, "keep": 1, "confirmed": 12, "answered": 0, "moved": 0}
"""The smallest values allowed."""
MOST = 100_000
"""The largest value allowed, of each."""
FEWEST_MOVED = 6
"""With fewer seeds no p-value in another scenario can be as small as 0.05: each seed's sign is a coin toss."""


class Candidate(Struct, frozen=True):
    """A tactic of a scenario, its origin, and the results of fresh games. `subject`: its number in the confirmation, -1 before.
    `turned`: its opposite was played there, and did harm."""

    tactic: Tactic
    scenario: str
    mined: Association | None = None
    tried: Effect | None = None
    confirmed: Effect | None = None
    subject: int = -1
    turned: bool = False


class Pairs(Struct, frozen=True):
    """What a phase compares: its pairs, the candidates that their `subject` counts, and the players that respond. `looked`: how
    many patterns were examined to find the candidates."""

    contrasts: tuple[Contrast, ...]
    candidates: tuple[Candidate, ...] = ()
    players: tuple[str, ...] = ()
    looked: int = 0


def phases(asked: Asked) -> tuple[str, ...]:
    """The phases of a study: those of PHASES. Given tactics are neither mined nor tried first, since no game has chosen them.
    Responses and other scenarios are left out if they get no seeds."""
    found = PHASES[2:] if asked.tactics else PHASES
    wanted = {"responses": asked.answered, "transfer": asked.answered + asked.moved}
    return tuple(phase for phase in found if wanted.get(phase, 1))


def check(asked: Asked) -> None:
    """Raises InputError with every fault."""
    faults = []
    if not asked.scenarios:
        faults.append(Fault("a study needs a scenario", "name one; `battlesim scenarios` lists them"))
    twice = {name for name in asked.places if asked.places.count(name) > 1}
    faults += [Fault(f"the scenario {name!r} is named twice", "name it once") for name in sorted(twice)]
    for name, low in LEAST.items():
        if not low <= getattr(asked, name) <= MOST:
            what = f"{getattr(asked, name)} will not do"
            faults.append(Fault(what, f"give {low} to {MOST:,}", place=name))
    if 0 < asked.moved < FEWEST_MOVED:
        what = f"{asked.moved} will not do: so few seeds tell nothing"
        faults.append(Fault(what, f"give {FEWEST_MOVED} or more, or 0 for no other scenario", place="moved"))
    # Of fewer candidates than that, all may be about buildings.
    if not 0 <= asked.buildings <= max(asked.candidates, BUILDINGS):
        remedy = f"give 0 to {asked.candidates}, the candidates"
        faults.append(Fault(f"{asked.buildings} will not do", remedy, place="buildings"))
    checks: list[tuple[Callable[[str], object], tuple[str, ...]]] = [
        (load_scenario, asked.places),
        (parse_tactic, asked.tactics),
        (find_agent, (asked.base,)),
    ]
    for checked, names in checks:
        for name in names:
            try:
                checked(name)
            except InputError as error:
                faults += error.faults
    if faults:
        raise InputError(faults)
    _check_tactics(asked)


def _check_tactics(asked: Asked) -> None:
    """Raises InputError for a tactic that is given twice, or against its opposite, and for one that no scenario allows."""
    faults = []
    known: dict[Tactic, str] = {}
    rulesets = dict.fromkeys(load_scenario(name).ruleset for name in asked.scenarios)
    for text in asked.tactics:
        tactic = parse_tactic(text)
        if tactic in known or tactic.opposite in known:
            other = known.get(tactic) or known[tactic.opposite]
            what = f"the tactics {other!r} and {text!r} are one question: each is tried against its opposite"
            faults.append(Fault(what, "give one of them"))
        known[tactic] = text
        if not any(is_possible(tactic.act, ruleset) for ruleset in rulesets):
            what = f"the tactic {text!r} never comes up: {', '.join(rulesets)} has no {tactic.act}"
            faults.append(Fault(what, "docs/tactics.md has the acts; give one of this rulebook"))
    if faults:
        raise InputError(faults)
