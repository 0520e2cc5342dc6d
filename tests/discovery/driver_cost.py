"""What a search costs beside its games: the processor time of the driver against that of its workers.

python -m tests.discovery.driver_cost --games 600 stairwell
"""

from __future__ import annotations

import argparse
import resource
from pathlib import Path
from tempfile import TemporaryDirectory

from battlesim.batch.games import FUNCTION
from battlesim.discovery.run import discover
from battlesim.discovery.settings import DiscoverySettings
from battlesim.jobs.executor import LocalExecutor
from battlesim.jobs.job import JobLimits


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("scenario")
    parser.add_argument("--games", type=int, default=600)
    args = parser.parse_args()
    asked = DiscoverySettings(scenarios=(args.scenario,), games=args.games, select=8, confirm=8, best=1)
    executor = LocalExecutor(FUNCTION, 2, JobLimits(600.0, 1024))
    with TemporaryDirectory() as folder:
        before = resource.getrusage(resource.RUSAGE_SELF)
        found = discover(asked, Path(folder), executor)
        executor.close()
        own, theirs = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    driver = own.ru_utime + own.ru_stime - before.ru_utime - before.ru_stime
    workers = theirs.ru_utime + theirs.ru_stime
    print(f"{sum(found.games)} games: driver {driver:.1f} s, workers {workers:.1f} s, {driver / workers:.1%}")


if __name__ == "__main__":
    main()
