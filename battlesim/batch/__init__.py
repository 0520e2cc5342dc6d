"""Games by the list: what tournaments, stress tests and the search for tactics share.

A run is a list of games with a seed each. It plays what its store lacks, keeps one row a game, survives any death, can be
played in parts on several machines and put together again, and gives the same rows whoever plays it. Inputs are pinned by
digest; a scenario can be given as data, changed in memory. Read `lists` first, then `driver.drive`.
"""
