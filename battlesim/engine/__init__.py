"""Battles played: clock, battle, referee, agents by name, records, whole games.

Read `game.play`, which plays a whole game, then `battle.py`, `header.py` and `record.py`.
"""
