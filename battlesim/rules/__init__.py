"""What a rulebook has to be, and what all rulebooks share.

Read `contract.Ruleset`, then `resolution.py`. `docs/rulebooks.md` lists what the other modules are for.
"""
