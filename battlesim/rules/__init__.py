"""The ruleset contract, resolution, activation, the clause registry."""
