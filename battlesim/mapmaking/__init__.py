"""Map files made from real building footprints (extra `geo`): see `importer.import_map`. Nothing that plays a battle imports this
package.
"""
