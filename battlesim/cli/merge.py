"""`battlesim merge`: merges the parts of a tournament or a stress test."""

from __future__ import annotations

import argparse
from pathlib import Path

from battlesim.cli.common import add_json, print_json
from battlesim.cli.extras import check_extra
from battlesim.cli.running import RUNS, search_named


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "runs", nargs="+", metavar="RUN", help="runs made with --part of the same tournament or stress test"
    )
    parser.add_argument(
        "--out",
        required=True,
        metavar="FOLDER",
        help="the run to merge them into; made where it does not exist",
    )
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    check_extra("tournament")
    from battlesim.core.errors import Fault, InputError
    from battlesim.jobs.folder import find_run
    from battlesim.stress.plan import is_stress, merge_parts
    from battlesim.tournament.driver import aggregate
    from battlesim.tournament.finish import finish
    from battlesim.tournament.merge import merge
    from battlesim.tournament.table import lines

    if Path(args.out).exists() and not Path(args.out).is_dir():
        what = "--out: this is a file; runs are merged into a folder"
        raise InputError(Fault(what, "name a folder, which need not exist", args.out))
    for name in args.runs:
        if (search := search_named(name, RUNS)) is not None:
            remedy = f"each part of a search has all of it: battlesim discover {search} shows it"
            what = "this is a search for ways of fighting, not a part of a run"
            raise InputError(Fault(what, remedy, str(search)))
    runs = [find_run(name, RUNS) for name in args.runs]
    if is_stress(runs[0]):
        from battlesim.cli.stress import show

        check_extra("stress")
        whole, new = merge_parts(Path(args.out), runs)
        if not args.json:
            print(f"{new} games were new")
        return show(whole, args.json)
    whole, new = merge(Path(args.out), runs)
    summary = finish(whole, aggregate(whole), None)
    if args.json:
        print_json(summary)
        return 0
    print(f"{new} games were new")
    for line in lines(summary):
        print(line)
    missing = summary["games"]["planned"] - summary["games"]["played"]
    if missing:
        print(
            f"\n{missing} games are missing; merge the other parts, or play them: battlesim tournament --resume {whole.path}"
        )
    print(f"\nreport: {whole.path / 'report.html'}")
    return 0
