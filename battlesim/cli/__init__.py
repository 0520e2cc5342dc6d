"""The command line: one thin module for each command. `main.py` is the entry."""
