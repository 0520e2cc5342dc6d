"""What thinking agents build on: features of answers and how to weigh them, and exact odds of what work may come to."""

from battlesim.evaluation.parameters import Parameter, weights_of
from battlesim.rules.contract import SENSIBLE, Features, contributions, weigh
from battlesim.search.odds import OddsError, WeightedState, chance_of, distribution, mean, odds_of, outcomes
from battlesim.search.outlook import features, judgement, parameters

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
