"""The search for ways of fighting that work. Read `search.py`."""
