"""Tools for agents that think ahead: features of answers and their weights, and exact odds of the results of work."""

from battlesim.evaluation.parameters import Parameter, weights_of
from battlesim.rules.contract import SENSIBLE, Features, contributions, weigh
from battlesim.search.odds import WeightedState, chance_of, distribution, mean, odds_of, outcomes
from battlesim.search.outlook import features, judgement, parameters
from battlesim.search.roll_odds import OddsError

__all__ = [
    "features",
    "weigh",
    "contributions",
    "judgement",
    "parameters",
    "Parameter",
    "weights_of",
    "Features",
    "SENSIBLE",
    "outcomes",
    "odds_of",
    "distribution",
    "chance_of",
    "mean",
    "WeightedState",
    "OddsError",
]
