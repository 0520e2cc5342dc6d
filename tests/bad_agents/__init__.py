"""Agents that misbehave, one file each; the referee must cope with all of them."""
