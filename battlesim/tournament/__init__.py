"""Tournaments whose results can be trusted: who meets whom, ratings, sequential tests. Read `driver.py` first."""
