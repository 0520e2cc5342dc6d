"""Rank-and-file fantasy battle with garrisoned buildings: see README.md; `ruleset.RULESET` is the whole."""
