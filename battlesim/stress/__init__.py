"""Stress tests of scenarios: what decides them, and where they tip. See `plan.resolve_stress`."""
