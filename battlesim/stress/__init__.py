"""Stress tests of scenarios: what decides them, where they tip. See `plan.resolve_stress`."""
