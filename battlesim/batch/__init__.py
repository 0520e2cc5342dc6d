"""Lists of games as runs. Tournaments consist of these, and any other experiment can.

A run is a list of games, each with a seed. It keeps one row for each game. A run that was killed plays the missing games when
started again. It can be played in parts on several machines and merged, and gives the same rows on each. Its inputs are pinned by
digest; a scenario can be given as data, changed in memory. Read `lists` first, then `driver.drive`.
"""
