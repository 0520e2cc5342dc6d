"""Map files made of real building footprints (extra `geo`): see `importer.import_map`.

Nothing that plays a battle imports this room.
"""
