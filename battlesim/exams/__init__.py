"""Exams: positions in which it is known what a good player does. Read `load.py`, then `sitting.py`."""
