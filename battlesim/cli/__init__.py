"""The command line: one thin module a verb. `main.py` is the entry."""
