"""What positions and acts are worth, for players and tests: distributions of dice, objectives, places, parameters."""
