"""Plain values: units, state, agenda, asks and steps, dice, events, views, answers, errors, memos.

Nothing here knows a rulebook or an agent. Read `state.py` and `events.py`, then `apply.py`, the only code that changes a state.
"""
