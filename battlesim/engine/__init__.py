"""Battles played: clock, battle, referee, roster, records, whole games."""
