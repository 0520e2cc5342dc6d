"""Order dice: platoon combat in built-up areas. The ruleset record stands in `ruleset.py`, what it covers in README.md."""
