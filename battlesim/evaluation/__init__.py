"""What positions and acts are worth, for players and tests, as far as all rulebooks agree on it.

Read `position.position_value` (the chance to win) and `distributions.py` (what dice come to).
"""
