"""What thinking agents build on: features of answers and how to weigh them."""

from battlesim.rules.contract import SENSIBLE, Features, weigh
from battlesim.search.outlook import features

__all__ = ["features", "weigh", "Features", "SENSIBLE"]
