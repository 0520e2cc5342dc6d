"""Armour classes: concealment and detection, penetration of walls and roofs, fortifications, breaching, structure
points, fires."""
