"""Exams: positions with known good play. Read `load.py`, then `sitting.py`."""
