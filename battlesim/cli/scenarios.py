"""`battlesim scenarios`: a list, or the briefing of one."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from typing import TYPE_CHECKING, Any

from battlesim.cli.common import add_json, print_json, seed, some, table

if TYPE_CHECKING:
    from battlesim.rules.scenario import Force, Objective, Scenario


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", nargs="?", metavar="NAME", help="a scenario's name, or a file")
    parser.add_argument(
        "--picture",
        metavar="FILE.svg",
        help="draw its set-up instead: SVG, or PNG by the name (extra: pictures)",
    )
    parser.add_argument("--seed", type=seed, default=0, metavar="N", help="of the set-up that is drawn (0)")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    from battlesim.core.errors import Fault, InputError
    from battlesim.rulesets.finder import installed_rulesets
    from battlesim.scenario.load import load_scenario, ruleset_scenarios, shipped_scenarios

    if args.picture and args.name is None:
        raise InputError(Fault("--picture draws one scenario", "name it: battlesim scenarios NAME --picture"))
    if args.name is not None:
        scenario = load_scenario(args.name)
        if args.picture:
            return _picture(scenario, args)
        if args.json:
            print_json(_row(scenario) | _details(scenario))
        else:
            _brief(scenario)
        return 0
    rows = [(name, load_scenario(name)) for name in shipped_scenarios()]
    for ruleset in installed_rulesets():
        try:
            rows += [(name, load_scenario(name)) for name in ruleset_scenarios(ruleset)]
        except (
            InputError
        ) as error:  # an error in another package's ruleset or scenario; the others are still listed
            print(f"warning: {error}", file=sys.stderr)
    if args.json:
        print_json([_row(scenario) | {"name": name} for name, scenario in rows])
        return 0
    for line in table(
        [(name, s.ruleset, f"{s.turns} turns", " against ".join(_sides(s)), s.title) for name, s in rows]
    ):
        print(line)
    return 0


def _picture(scenario: Scenario, args: argparse.Namespace) -> int:
    """Draw the first position of a battle."""
    from battlesim.cli.pictures import check_picture, write_picture
    from battlesim.cli.replay import setting_of
    from battlesim.core.codec import dump_state
    from battlesim.core.state import Outcome
    from battlesim.engine.game import header_of, seeds_of
    from battlesim.engine.header import Limits, Player
    from battlesim.engine.record import Record
    from battlesim.scenario.load import first_state
    from battlesim.viewer.film import film_of
    from battlesim.viewer.picture import draw_picture

    check_picture(args.picture, "--picture")
    start = dump_state(first_state(scenario, args.seed))
    nobody = (Player("", ""), Player("", ""))
    header = header_of(scenario, seeds_of(args.seed), nobody, Limits(), start)
    unplayed = Record(scenario.path, header, (), (), Outcome(None, (0, 0), ""), "")
    first, second = header.sides
    caption = f"{scenario.name} at the start: {first} in red boxes, {second} in blue pointed ones"
    film = film_of(unplayed, scenario.board)
    svg = draw_picture(scenario.board, header, film, 0, None, caption, setting=setting_of(scenario))
    write_picture(args.picture, svg, "--picture")
    if args.json:
        print_json({"picture": args.picture, "seed": args.seed})
    else:
        print(f"{args.picture}: {caption}")
    return 0


def _units(scenario: Scenario) -> list[int]:
    counts = Counter(force.side for force in scenario.forces)
    return [counts[0], counts[1]]


def _sides(scenario: Scenario) -> list[str]:
    return [f"{side.name} ({n})" for side, n in zip(scenario.sides, _units(scenario), strict=True)]


def _row(scenario: Scenario) -> dict[str, Any]:
    sides = [side.name for side in scenario.sides]
    return {
        "name": scenario.name,
        "title": scenario.title,
        "ruleset": scenario.ruleset,
        "map": scenario.map,
        "sides": sides,
        "turns": scenario.turns,
        "units": dict(zip(sides, _units(scenario), strict=True)),
    }


def _side(scenario: Scenario, side: int) -> str:
    return "either side" if side < 0 else scenario.sides[side].name


def _named(force: Force) -> str:
    return f"{force.name} (comes on in turn {force.reserve})" if force.reserve else force.name


def _about(scenario: Scenario, goal: Objective) -> dict[str, Any]:
    """What an objective is about: names of units and of sections, and the edge to leave by; only what it has. An exit without
    units of its own is for all units of its side."""
    from battlesim.viewer.key import EDGES

    units = [scenario.forces[number].name for number in goal.units]
    sections = [scenario.board.sections[number].name for number in goal.sections]
    told = {"edge": EDGES.get(goal.edge, ""), "units": units, "sections": sections}
    return {key: value for key, value in told.items() if value}


def _said(goal: Objective, about: dict[str, Any]) -> str:
    """What an objective is about, in words: `by the north edge, each of: Red tank 1, Red tank 2`; "" for places to hold."""
    units, sections = ", ".join(about.get("units", ())), ", ".join(about.get("sections", ()))
    if goal.kind == "exit":
        return f"by the {about['edge']} edge, {f'each of: {units}' if units else 'each of its units'}"
    return f"each of: {units}" if units else f"all of: {sections}" if sections else ""


def _details(scenario: Scenario) -> dict[str, Any]:
    goals = [
        {
            "name": g.name,
            "kind": g.kind,
            "points": g.points,
            "side": None if g.side < 0 else _side(scenario, g.side),
        }
        | _about(scenario, g)
        for g in scenario.objectives
    ]
    forces = [{"side": _side(scenario, f.side), "name": f.name, "type": f.type} for f in scenario.forces]
    return {
        "briefing": scenario.briefing,
        "margin": scenario.margin,
        "options": scenario.options,
        "objectives": goals,
        "forces": forces,
        "warnings": [str(fault) for fault in scenario.warnings],
    }


def _brief(scenario: Scenario) -> None:
    from textwrap import fill

    extra = ", perhaps one more" if scenario.extra_turn else ""
    print(f"{scenario.title} ({scenario.name})")
    print(f"{scenario.ruleset} on {scenario.map}, {scenario.turns} turns{extra}")
    if scenario.briefing:
        print()
        print(fill(scenario.briefing, 100))
    for number, side in enumerate(scenario.sides):
        kinds = Counter(force.type for force in scenario.forces if force.side == number)
        print(f"\n{side.name}: {sum(kinds.values())} units")
        for kind, many in kinds.items():
            names = ", ".join(_named(f) for f in scenario.forces if f.side == number and f.type == kind)
            print(
                fill(
                    f"{many} {kind.replace('_', ' ')}: {names}",
                    100,
                    initial_indent="  ",
                    subsequent_indent="    ",
                )
            )
    print(f"\nObjectives (a side wins by {scenario.margin} or more)")
    for goal in scenario.objectives:
        worth = some(goal.points, "point")
        print(f"  {goal.name}: {goal.kind}, {worth} ({_side(scenario, goal.side)})")
        if said := _said(goal, _about(scenario, goal)):
            print(fill(said, 100, initial_indent="    ", subsequent_indent="      "))
    if scenario.options:
        print(f"\nOptions of {scenario.ruleset} (its page says what they mean and what else scores)")
        for option, value in scenario.options.items():
            print(fill(f"{option}: {json.dumps(value)}", 100, initial_indent="  ", subsequent_indent="    "))
    for fault in scenario.warnings:
        print(f"warning: {fault}")
