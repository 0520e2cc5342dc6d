"""Squads and hexes: firepower dice and destructible buildings. See `ruleset.py`."""
