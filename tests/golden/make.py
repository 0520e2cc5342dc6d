"""Makes the golden records again: `python -m tests.golden.make`. Records that come out the same, but for the code that made them,
are left alone; look at what moved before you commit it.
"""

from __future__ import annotations

import sys

from tests.golden.made import CASES, RECORDS, SEEDS, Case, of_game, path_of, without_code


def made(name: str, case: Case) -> bytes:
    """The record of a case: of the smallest seed under which the battle comes to what it must."""
    for seed in range(SEEDS):
        game = case.play(seed)
        if case.ends(of_game(game)):
            return game.record()
    raise SystemExit(f"{name}: no seed below {SEEDS} does: {case.what}")


def main() -> None:
    RECORDS.mkdir(exist_ok=True)
    for path in sorted(RECORDS.glob("*.jsonl")):
        if path.stem not in CASES:
            path.unlink()
            print(f"{path.stem}: gone", file=sys.stderr)
    for name, case in CASES.items():
        data, path = made(name, case), path_of(name)
        same = path.exists() and without_code(path.read_bytes()) == without_code(data)
        if not same:
            path.write_bytes(data)
        print(f"{name}: {'same' if same else 'written'}, {len(data):,} bytes", file=sys.stderr)


if __name__ == "__main__":
    main()
