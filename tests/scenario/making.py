"""Scenarios made of text, for tests."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

from battlesim.core.errors import Fault
from battlesim.rules.scenario import Scenario
from battlesim.scenario.load import parse_scenario

HEAD = """\
name: made
ruleset: {ruleset}
map: {map}
sides:
  - name: Red
    zones: {red}
  - name: Blue
    zones: {blue}
"""
HALVES = ("{west: {rect: [0, 0, 15, 24]}}", "{east: {rect: [15, 0, 30, 24]}}")


def make(
    text: str, map: str = "stairwell", zones: tuple[str, str] = ("{}", "{}"), ruleset: str = "orderdice"
) -> Scenario:
    """A scenario on a map between Red (side 0) and Blue; `text` holds forces and what else there is. `warnings` keeps its
    faults, errors included."""
    head = HEAD.format(map=map, red=zones[0], blue=zones[1], ruleset=ruleset)
    return parse_scenario((head + dedent(text)).encode(), Path("made.yaml"))


def errors(scenario: Scenario) -> list[str]:
    """What is wrong, without file and line."""
    return [f"{f.place}: {f.what}" for f in scenario.warnings if f.level == "error"]


def warnings(scenario: Scenario) -> list[Fault]:
    """What is odd."""
    return [fault for fault in scenario.warnings if fault.level == "warning"]
