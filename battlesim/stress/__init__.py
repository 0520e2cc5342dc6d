"""Stress tests of scenarios: what decides them, and where they tip.

Read `plan.resolve_stress` and `analysis.py`. The other questions have modules of their own: `balance.py` (changes that make a
scenario fair), `atlas.py` (what places are worth), `upset.py` (how the favourite loses), `fuzz.py` (what breaks).
"""
