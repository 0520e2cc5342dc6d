"""Stories read beside their events, and every fault that a reader once found planted again to see it caught."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache

import pytest

from battlesim import play
from battlesim.viewer.story import Sentence
from tests.shipped import SHIPPED, is_big, load
from tests.viewer import reading
from tests.viewer.reading import faults
from tests.viewer.tale import Tale, read_game

AGENTS = (("greedy", "greedy"), ("random", "rush"), ("random", "random"), ("rush", "greedy"))
QUICK = ("skirmish", "heavy-armour", "square", "outpost", "firebreak", "watch-house")
GAMES = 8
"""Games of each scenario in the slow test: 200 in all."""


@cache
def told(name: str, agents: tuple[str, str], seed: int) -> Tale:
    return read_game(play(load(name), agents, seed=seed))


@pytest.mark.parametrize("name", QUICK)
def test_a_reader_finds_nothing_to_object_to(name: str) -> None:
    for number, agents in enumerate(AGENTS[:2]):
        assert faults(told(name, agents, 3 + number)) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", SHIPPED)
def test_stories_of_two_hundred_games(name: str) -> None:
    """Eight games of each of the scenarios, the big one by agents that do not think long."""
    found = []
    for number in range(GAMES):
        agents = AGENTS[1 + number % 2] if is_big(name) else AGENTS[number % 4]
        found += faults(read_game(play(load(name), agents, seed=200 + number)))
    assert found == []
    assert len(SHIPPED) * GAMES >= 200


# ---- the checks can fail


def says(*words: str) -> Callable[[Sentence], bool]:
    """A line that has these words in its sentence or beside its dice."""
    return lambda line: all(word in f"{line.text} [{line.shown}]" for word in words)


def changed(tale: Tale, wanted: Callable[[Sentence], bool], old: str, new: str) -> Tale:
    at = tale.find(wanted)
    line = tale.lines[at]
    assert old in line.text or old in line.shown
    return tale.with_line(at, text=line.text.replace(old, new), shown=line.shown.replace(old, new))


def first_told(scenario: str, wanted: Callable[[Sentence], bool]) -> Tale:
    """The first battle between two of `greedy` of which such a line is told."""
    tales = (told(scenario, GREEDY, seed) for seed in range(40))
    return next(tale for tale in tales if any(map(wanted, tale.lines)))


def swapped(tale: Tale, one: int, other: int) -> Tale:
    lines = list(tale.lines)
    lines[one], lines[other] = lines[other], lines[one]
    return replace(tale, lines=lines)


def doubled(tale: Tale, wanted: Callable[[Sentence], bool], text: str) -> Tale:
    """A line told once more, in other words."""
    at = tale.find(wanted)
    lines = [*tale.lines[: at + 1], tale.lines[at]._replace(text=text), *tale.lines[at + 1 :]]
    return replace(tale, lines=lines)


def without(tale: Tale, wanted: Callable[[Sentence], bool]) -> Tale:
    at = tale.find(wanted)
    return replace(tale, lines=[*tale.lines[:at], *tale.lines[at + 1 :]])


GREEDY = ("greedy", "greedy")


def first(scenario: str, wanted: Callable[[Sentence], bool]) -> Tale:
    """The story of the first game in which such a line stands."""
    for seed in range(3, 40):
        tale = told(scenario, GREEDY, seed)
        if any(map(wanted, tale.lines)):
            return tale
    raise AssertionError(f"no such line in any of the games of {scenario}")


PLANTED: dict[str, tuple[str, Callable[[], Tale]]] = {
    "a success told as a miss": (
        "dice_that_say_otherwise",
        lambda: changed(
            first("outpost", says("1 penetration", "to hit 4 or less")),
            says("1 penetration", "to hit 4 or less"),
            "to hit 4 or less",
            "misses on 5+",
        ),
    ),
    "found, beside looks in vain": (
        "dice_that_say_otherwise",
        lambda: changed(
            first("outpost", says("detects", "to detect 9 or less")),
            says("detects", "to detect 9 or less"),
            "to detect 9 or less",
            "looks in vain on 10+",
        ),
    ),
    "more hits than the dice have": (
        "dice_that_say_otherwise",
        lambda: changed(told("skirmish", GREEDY, 3), says("fires", "5 hits"), "5 hits", "6 hits"),
    ),
    "looks in vain, where the die found": (
        "dice_that_say_otherwise",
        lambda: changed(told("outpost", GREEDY, 3), says("in vain", "10"), "in vain", "and finds it"),
    ),
    "dice without an owner": (
        "dice_without_owner",
        lambda: changed(
            told("outpost", GREEDY, 3),
            says("in vain"),
            told("outpost", GREEDY, 3).lines[told("outpost", GREEDY, 3).find(says("in vain"))].text,
            "Somebody looks in vain.",
        ),
    ),
    "two units' dice without the second's name": (
        "dice_without_owner",
        lambda: changed(
            told("tobacco-armour", ("greedy", "rush"), 13),
            says("penetration of gatehouse guard"),
            " of gatehouse guard",
            "",
        ),
    ),
    "fires, then moves, without a shot": (
        "shots_that_never_come",
        lambda: changed(
            told("firebreak", ("random", "random"), 3),
            says("Rangers: Rangers marksmen may fire"),
            "may fire, then move",
            "fires, then moves",
        ),
    ),
    "a loss before the fight": ("effects_before_causes", lambda: _loss_before_fight()),
    "off target, after the losses": ("effects_before_causes", lambda: _summed_up_late()),
    "close quarters' losses told twice": (
        "losses_told_twice",
        lambda: changed(
            told("skirmish", GREEDY, 3),
            says("Close quarters, round 1"),
            "strike at each other",
            "fight: North 1st section takes 7 men of South 1st section, and loses 6 men",
        ),
    ),
    "a unit lost twice": (
        "losses_told_twice",
        lambda: doubled(
            first_told("skirmish", says("South 1st section has lost the fight")),
            says("South 1st section has lost the fight"),
            "South 1st section is destroyed (lost in close quarters).",
        ),
    ),
    "a loss nobody told": (
        "losses_untold",
        lambda: without(told("skirmish", GREEDY, 3), says("South officer loses 1 man")),
    ),
    "a charge over 0 inches": (
        "sentences_about_nothing",
        lambda: changed(
            first("watch-house", says("charge", "in the flank")),
            says("charge", "in the flank"),
            "in the flank",
            'over 0"',
        ),
    ),
    "no hexes away": (
        "sentences_about_nothing",
        lambda: changed(told("square", GREEDY, 3), says("6 hexes away"), "6 hexes", "no hexes"),
    ),
    "0 into somebody": (
        "sentences_about_nothing",
        lambda: changed(
            told("firebreak", GREEDY, 3),
            says("on suspicion", "without effect"),
            "without effect",
            "0 into somebody",
        ),
    ),
    "six riders in ranks of ten": ("ranks_too_wide", lambda: _ten_abreast()),
    "at most 13 on two dice": (
        "goals_out_of_reach",
        lambda: changed(told("skirmish", GREEDY, 3), says("obeys", "8 or less"), "8 or less", "13 or less"),
    ),
    "a test passed above its goal": (
        "goals_out_of_reach",
        lambda: changed(told("skirmish", GREEDY, 3), says("pin: 5", "8 or less"), "8 or less", "4 or less"),
    ),
    "Wests now hold": (
        "verbs_that_disagree",
        lambda: changed(first("square", says("West now holds")), says("West now holds"), "holds", "hold"),
    ),
    "engineers moves": (
        "verbs_that_disagree",
        lambda: changed(told("square", GREEDY, 3), says("West engineers move"), "move", "moves"),
    ),
    "goes to down": (
        "words_out_of_place",
        lambda: changed(told("skirmish", GREEDY, 3), says("sees it coming"), "goes down", "goes to down"),
    ),
    "a hand-to-hand attack told as shots": ("shots_in_close_combat", lambda: _shots_by_hand()),
    "a result that names one of two": ("results_that_leave_units_out", lambda: _one_of_two()),
}


def _loss_before_fight() -> Tale:
    tale = told("skirmish", GREEDY, 3)
    at = tale.find(says("Close quarters, round 1"))
    return swapped(tale, at, at + 1)


def _summed_up_late() -> Tale:
    """The volley of an indirect shot, told where its event stands: below what it has done."""
    for seed in range(3, 12):
        tale = told("bastion", ("random", "rush"), seed)
        for number, event in enumerate(tale.events):
            if tale.parts(number) == ("Volley", {**tale.parts(number)[1], "how": "lob"}):
                at = next((n for n, x in enumerate(tale.lines) if x.event > number), 0)
                caused = [x for x in tale.lines[:at] if tale.events[x.event].cause == event.cause]
                if any(tale.parts(x.event)[0] == "ModelsLost" for x in caused):
                    late = tale.lines[at - 1]._replace(event=number, text="On target.", dice=(), shown="")
                    return replace(tale, lines=[*tale.lines[:at], late, *tale.lines[at:]])
    raise AssertionError("no shell has hurt anybody")


def _ten_abreast() -> Tale:
    for seed in range(3, 12):
        tale = told("border-keep", ("random", "rush"), seed)
        at = next((n for n, line in enumerate(tale.lines) if "single rank of" in line.text), -1)
        if at >= 0:
            return tale.with_line(at, text=tale.lines[at].text.replace("a single rank of ", "ranks of 1"))
    raise AssertionError("nobody forms up in one rank")


def _shots_by_hand() -> Tale:
    for seed in range(3, 30):
        tale = told("heavy-armour", ("random", "rush"), seed)
        for at, line in enumerate(tale.lines):
            fields = tale.parts(line.event)[1]
            if fields.get("what") == "bounced" and any(
                f.get("what") == "tank assault" for _, f in reading._causes(tale, line.event)
            ):
                return tale.with_line(at, text="The shots of mill launcher bounce off tank Hammer.")
    raise AssertionError("no armour has held")


def _one_of_two() -> Tale:
    for seed in range(3, 30):
        tale = told("watch-house", GREEDY, seed)
        for at, line in enumerate(tale.lines):
            if len(tale.parts(line.event)[1].get("units", ())) > 2 and (
                found := re.search(r"( and [^,]*?) beat ", line.text)
            ):
                return tale.with_line(at, text=line.text.replace(found[1], "", 1))
    raise AssertionError("no two units have beaten anybody together")


@pytest.mark.parametrize("fault", PLANTED)
def test_a_planted_fault_is_caught(fault: str) -> None:
    check, plant = PLANTED[fault]
    found = faults(plant())
    assert any(line.startswith(check) for line in found), found


def test_every_check_has_a_fault_that_it_catches() -> None:
    assert {check.__name__ for check in reading.CHECKS} == {check for check, _ in PLANTED.values()}
