"""Plain values: units, state, agenda, asks and steps, dice, events, apply, view, errors."""
