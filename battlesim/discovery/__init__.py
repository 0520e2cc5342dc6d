"""The search for ways of fighting that work: players found by search, leagues of them, and tactics in words.

Read `run.py` and `search.py` for the search, `league.py` for leagues, `study.py` and `intervention.py` for tactics.
"""
