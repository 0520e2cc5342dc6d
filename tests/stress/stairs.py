"""A small stress test of the stairwell."""

from __future__ import annotations

FILE = """
name = "stairs"
scenario = "stairwell"
agents = ["rush", "random"]
games = 3

[[factors]]
path = "turns"
levels = [2, 3]

[[factors]]
name = "who plays Blue"
path = "agents.Blue"
levels = ["random", "rush"]

[[factors]]
name = "a house"
path = 'map.sections["house.west"].flat_roof'
levels = [true, false]
"""
