"""Gangs in alleys: a small rulebook for battlesim, in a package of its own."""
