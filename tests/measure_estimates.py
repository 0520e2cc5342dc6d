"""How far estimates are from the rules' own outcomes: `python -m tests.measure_estimates orderdice`. Read
`tests/expectations.py`.

Every situation of a rulebook's grid is estimated and enumerated (sampled where that is impossible). For each kind of act: how
many situations; for models, worth, pins and chances the sum of the estimates over that of the exact means, the mean error as a
share of the mean, quantiles of the error (50%, 90%, 99%, largest; worth counted in models), and how many are off by more than
is allowed. The whole grid of the order dice takes two minutes on one core; `--every 10` looks at every tenth situation."""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Sequence
from importlib import import_module

from tqdm import tqdm

from tests.expectations import Case, Exact, Numbers, allowed

RULEBOOKS = ("orderdice", "squadhex", "armorclass", "regiment")
Row = tuple[float, float, bool]
"""(expected, exact, whether it is off by more than is allowed)."""


def kind_of(number: str) -> str:
    what = number.split()[0]
    return what if what in ("models", "worth", "pins") else "chance"


def compared(case: Case) -> list[tuple[str, Row]]:
    """Every number of a case."""
    expected: Numbers = case.expected()
    exact: Exact = case.exact()
    rows = []
    for number, mean in exact.means.items():
        off = abs(expected[number] - mean) > allowed(case, number, exact)
        scale = case.each if number.startswith("worth") else 1.0
        rows.append((kind_of(number), (expected[number] / scale, mean / scale, off)))
    return rows


def line(label: str, kind: str, rows: Sequence[Row]) -> str:
    errors = sorted(abs(expected - exact) for expected, exact, _ in rows)
    total, whole = sum(row[0] for row in rows), sum(row[1] for row in rows)
    share = f"{total / whole:6.3f} {sum(errors) / whole:7.2%}" if whole else "     -       -"
    quantiles = " ".join(
        f"{errors[min(len(errors) - 1, int(q * len(errors)))]:8.4f}" for q in (0.5, 0.9, 0.99, 1.0)
    )
    return f"{label:24} {kind:7} {len(rows):6} {share} {quantiles} {sum(row[2] for row in rows):5}"


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.measure_estimates", description=__doc__)
    parser.add_argument("ruleset", choices=RULEBOOKS)
    parser.add_argument("--every", type=int, default=1, metavar="N", help="every Nth situation only")
    parser.add_argument("--group", help="situations of one kind only")
    asked = parser.parse_args(words)
    cases = import_module(f"tests.rulesets.{asked.ruleset}.expectations").cases()
    cases = [case for case in cases if asked.group in (None, case.group)][:: asked.every]
    found: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for case in tqdm(cases, disable=None):
        for kind, row in compared(case):
            found[case.group, kind].append(row)
            found["all", kind].append(row)
    print(f"{len(cases)} situations")
    print(f"{'':24} {'':7} number    sum   error      50%      90%      99%     most   off")
    for group, kind in sorted(found, key=lambda key: (key[0] == "all", key)):
        print(line(group, kind, found[group, kind]))
    return 1 if any(row[2] for rows in found.values() for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
