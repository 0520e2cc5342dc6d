"""Tournaments whose results can be trusted: paired games, ratings, sequential tests. What the numbers mean: docs/statistics.md.

Read `driver.py` first. Import from the modules: `tally` and `shares` need no extra; `ratings`, `sprt` and `matrix` need the extra
`tournament`.
"""
