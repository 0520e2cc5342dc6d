"""battlesim: a discrete-event battle simulator with AI players.

Names are imported when first used, so that the command line starts fast. `play` is the one to try first.
"""

from __future__ import annotations

from battlesim.core.version import VERSION

TYPE_CHECKING = False  # as typing has it, whose import would take a good part of the program's start
if TYPE_CHECKING:
    from typing import Any

    from battlesim.board.board import Board
    from battlesim.board.load import load_map, shipped_maps
    from battlesim.core.answers import Answer, format_answer, parse_answer
    from battlesim.core.codec import dump_state, position
    from battlesim.core.dice import KeyedDice, derive_seed
    from battlesim.core.errors import BattlesimError, Fault, IllegalAnswer, InputError, did_you_mean
    from battlesim.core.events import Event
    from battlesim.core.given import number, whole
    from battlesim.core.items import TURN, Ask
    from battlesim.core.state import Outcome, State, Unit
    from battlesim.core.view import View
    from battlesim.engine.agent import Agent, Chance
    from battlesim.engine.agent_sources import shipped_agents
    from battlesim.engine.battle import Battle, Question
    from battlesim.engine.brief import Brief
    from battlesim.engine.budget import Budget, BudgetSpent
    from battlesim.engine.game import Game, play
    from battlesim.engine.header import Limits
    from battlesim.engine.record import Record, read_record
    from battlesim.engine.replay import replay
    from battlesim.engine.roster import find_agent
    from battlesim.engine.verify import verify
    from battlesim.evaluation.parameters import Parameter, weights_of
    from battlesim.evaluation.position import position_features, position_value
    from battlesim.rules.contract import SENSIBLE, Features, Ruleset, contributions, weigh
    from battlesim.rules.scenario import Scenario
    from battlesim.rulesets.finder import RULESETS, find_ruleset
    from battlesim.scenario.changes import with_changes
    from battlesim.scenario.load import first_state, load_scenario, shipped_scenarios
    from battlesim.search.odds import chance_of, distribution, mean, odds_of, outcomes
    from battlesim.search.outlook import check_settings, features, judgement, parameters, top_scores
    from battlesim.search.plans import likely_plans
    from battlesim.search.playouts import (
        Candidate,
        Plan,
        PlannedAnswer,
        Prior,
        best_by_features,
        best_candidate,
        compare,
        feature_scores,
        is_about,
        lead_over,
        plan_of,
        play_on,
        shortfalls,
    )
    from battlesim.search.quick_policy import playout_policy, quick_answer
    from battlesim.search.reasons import Reason
    from battlesim.search.roll_odds import OddsError
    from battlesim.search.sightings import Sightings

__version__ = VERSION

_HOMES: dict[str, str] = {
    "play": "engine.game",
    "Game": "engine.game",
    "load_scenario": "scenario.load",
    "shipped_scenarios": "scenario.load",
    "first_state": "scenario.load",
    "with_changes": "scenario.changes",
    "Scenario": "rules.scenario",
    "load_map": "board.load",
    "shipped_maps": "board.load",
    "Board": "board.board",
    "find_ruleset": "rulesets.finder",
    "find_agent": "engine.roster",
    "shipped_agents": "engine.agent_sources",
    "Agent": "engine.agent",
    "Chance": "engine.agent",
    "Brief": "engine.brief",
    "Budget": "engine.budget",
    "BudgetSpent": "engine.budget",
    "Limits": "engine.header",
    "Battle": "engine.battle",
    "Question": "engine.battle",
    "State": "core.state",
    "Unit": "core.state",
    "Outcome": "core.state",
    "View": "core.view",
    "Ask": "core.items",
    "TURN": "core.items",
    "Answer": "core.answers",
    "format_answer": "core.answers",
    "parse_answer": "core.answers",
    "Record": "engine.record",
    "read_record": "engine.record",
    "replay": "engine.replay",
    "verify": "engine.verify",
    "features": "search.outlook",
    "top_scores": "search.outlook",
    "judgement": "search.outlook",
    "parameters": "search.outlook",
    "check_settings": "search.outlook",
    "Parameter": "evaluation.parameters",
    "weights_of": "evaluation.parameters",
    "position_value": "evaluation.position",
    "position_features": "evaluation.position",
    "compare": "search.playouts",
    "lead_over": "search.playouts",
    "Prior": "search.playouts",
    "shortfalls": "search.playouts",
    "play_on": "search.playouts",
    "best_by_features": "search.playouts",
    "best_candidate": "search.playouts",
    "quick_answer": "search.quick_policy",
    "playout_policy": "search.quick_policy",
    "feature_scores": "search.playouts",
    "is_about": "search.playouts",
    "plan_of": "search.playouts",
    "Plan": "search.playouts",
    "Candidate": "search.playouts",
    "PlannedAnswer": "search.playouts",
    "Sightings": "search.sightings",
    "Reason": "search.reasons",
    "likely_plans": "search.plans",
    "RULESETS": "rulesets.finder",
    "weigh": "rules.contract",
    "contributions": "rules.contract",
    "Features": "rules.contract",
    "SENSIBLE": "rules.contract",
    "Ruleset": "rules.contract",
    "KeyedDice": "core.dice",
    "derive_seed": "core.dice",
    "Event": "core.events",
    "dump_state": "core.codec",
    "position": "core.codec",
    "outcomes": "search.odds",
    "odds_of": "search.odds",
    "distribution": "search.odds",
    "chance_of": "search.odds",
    "mean": "search.odds",
    "OddsError": "search.roll_odds",
    "BattlesimError": "core.errors",
    "InputError": "core.errors",
    "IllegalAnswer": "core.errors",
    "Fault": "core.errors",
    "did_you_mean": "core.errors",
    "whole": "core.given",
    "number": "core.given",
}

__all__ = [
    "play",
    "Game",
    "load_scenario",
    "shipped_scenarios",
    "first_state",
    "with_changes",
    "Scenario",
    "load_map",
    "shipped_maps",
    "Board",
    "find_ruleset",
    "find_agent",
    "shipped_agents",
    "Agent",
    "Chance",
    "Brief",
    "Budget",
    "BudgetSpent",
    "Limits",
    "Battle",
    "Question",
    "State",
    "Unit",
    "Outcome",
    "View",
    "Ask",
    "TURN",
    "Answer",
    "format_answer",
    "parse_answer",
    "Record",
    "read_record",
    "replay",
    "verify",
    "features",
    "top_scores",
    "judgement",
    "parameters",
    "check_settings",
    "Parameter",
    "weights_of",
    "position_value",
    "position_features",
    "compare",
    "lead_over",
    "Prior",
    "shortfalls",
    "play_on",
    "best_by_features",
    "best_candidate",
    "quick_answer",
    "playout_policy",
    "feature_scores",
    "is_about",
    "plan_of",
    "Plan",
    "Candidate",
    "PlannedAnswer",
    "Sightings",
    "Reason",
    "likely_plans",
    "RULESETS",
    "weigh",
    "contributions",
    "Features",
    "SENSIBLE",
    "Ruleset",
    "KeyedDice",
    "derive_seed",
    "Event",
    "dump_state",
    "position",
    "outcomes",
    "odds_of",
    "distribution",
    "chance_of",
    "mean",
    "OddsError",
    "BattlesimError",
    "InputError",
    "IllegalAnswer",
    "Fault",
    "did_you_mean",
    "whole",
    "number",
]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'battlesim' has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f"battlesim.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
