"""A fifth rulebook, in an installable package of its own: the folder is that package's project."""
