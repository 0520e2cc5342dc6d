"""Runs: jobs, the executors that do them, and durable stores of their results. Read `job.py`, then `executor.py` and
`store.py`."""
