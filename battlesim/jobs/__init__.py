"""Runs: durable stores of what was done, and who does it. Read `job.py`, then `executor.py` and `store.py`."""
