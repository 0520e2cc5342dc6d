"""Makes the table of counts again: `python -m tests.perft.make` (under a minute). Look at what moved before you commit it."""

from __future__ import annotations

from tests.perft.perft import TABLE, levels, start

PLAN: dict[str, tuple[int, int, int]] = {
    "stairwell": (2, 5, 7),
    "corner": (1, 5, 7),
    "siege": (8, 6, 8),
    "squadhex": (1, 4, 6),
    "armorclass": (1, 5, 7),
    "regiment": (1, 5, 7),
}
"""Scenario: the seed of its dice, the depth of the quick test, the depth of the slow one."""
HEAD = """\
# Counts of the question tree: made by `python -m tests.perft.make`, read by test_perft.py.
# A row of `levels` for each number of answers, from one on: [leaves, positions, ended]; see perft.py.
"""


def main() -> None:
    parts = [HEAD]
    for name, (seed, quick, deep) in PLAN.items():
        rows = "".join(f"  [{', '.join(map(str, level))}],\n" for level in levels(start(name, seed), deep))
        parts.append(f"\n[{name}]\nseed = {seed}\nquick = {quick}\nlevels = [\n{rows}]\n")
    TABLE.write_text("".join(parts))


if __name__ == "__main__":
    main()
