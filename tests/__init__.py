"""Tests; they mirror the package. `toy` is a rulebook of its own that proves core and engine."""
