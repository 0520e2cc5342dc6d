"""How often evidence is wrong where nothing is to be found: `python -m tests.discovery.measure_evidence [RUN ...]`.

On made-up games (`made_up_games.py`), in which it is known that nothing works: the share of studies in which mining tells any
pattern, and in which anything is confirmed. Or on the real games of runs of `battlesim tactics`: the labels "always" and
"never" of each seed are shuffled, so that no tactic does anything by construction; the share of such shuffled confirmations that
confirm anything, a tactic or its opposite.
"""

from __future__ import annotations

import argparse
from math import sqrt
from pathlib import Path
from random import Random

from msgspec.structs import replace

from battlesim.discovery.contrasts import Contrast
from battlesim.discovery.intervention import RATE, effect_of, is_seen, judged
from battlesim.discovery.mining import associations, differences
from battlesim.discovery.study import phase_folder, subjects
from battlesim.discovery.watching import WatchedRow, watched_rows
from battlesim.jobs.folder import RunFolder
from tests.discovery.made_up_games import mined_games, tried_games


def shuffled(pairs: list[Contrast], random: Random) -> list[Contrast]:
    """Pairs whose two games change places in half of the seeds, both sides of a seed together."""
    swap = {pair.seed: random.random() < 0.5 for pair in pairs}
    return [replace(pair, one=pair.other, other=pair.one) if swap[pair.seed] else pair for pair in pairs]


def shuffled_finds(
    rows: dict[int, WatchedRow], every: list[list[Contrast]], times: int, seed: int = 1
) -> list[int]:
    """How many tactics are confirmed, or their opposites, in each of some shuffled confirmations."""
    random = Random(seed)
    found = []
    for _ in range(times):
        judged_ones = judged([effect_of(rows, shuffled(pairs, random)) for pairs in every])
        found.append(sum(map(is_seen, judged_ones)))
    return found


def rate_words(false: int, times: int) -> str:
    """A share with its standard error."""
    share = false / times
    return f"{share:.1%} of {times} (standard error {sqrt(max(share * (1 - share), 1e-9) / times):.1%})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("runs", nargs="*", type=Path)
    parser.add_argument("--times", type=int, default=400)
    args = parser.parse_args()
    mined = tried = 0
    for seed in range(0 if args.runs else args.times):
        mined += any(one.q <= RATE for one in associations(*differences(*mined_games(seed, 30))))
        rows, every = tried_games(seed, (0.0,) * 8, 20)
        tried += any(map(is_seen, judged([effect_of(rows, pairs) for pairs in every])))
    if not args.runs:
        print(f"made-up games, nothing works: mining tells a pattern in {rate_words(mined, args.times)}")
        print(f"made-up games, nothing works: a tactic is confirmed in {rate_words(tried, args.times)}")
    for path in args.runs:
        folder = phase_folder(RunFolder(path), "confirmation")
        if folder is None:
            print(f"{path}: no confirmation was played")
            continue
        every = list(subjects(folder).values())
        finds = shuffled_finds(watched_rows(folder), every, args.times)
        rate = rate_words(sum(map(bool, finds)), args.times)
        print(f"{path}: {len(every)} tactics with shuffled labels: one is confirmed in {rate}")


if __name__ == "__main__":
    main()
